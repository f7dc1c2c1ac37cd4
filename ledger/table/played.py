"""Summarize a hand for its table as one `HandPlayed`, built from the hand's final state.

This runs once for each imported hand, so it computes only what the table needs.
"""

from __future__ import annotations

from typing import Final, TypeGuard, get_args

from ledger.clocks import parse_wall_time
from ledger.event import Event
from ledger.hand.agreement import is_contradictory
from ledger.hand.betting import ChipsReturned
from ledger.hand.ending import HandVoided
from ledger.hand.opening import (
    AntePosted,
    BlindPosted,
    DeadMoneyTaken,
    GameSet,
    HandOpened,
    PostReturned,
    StraddlePosted,
)
from ledger.hand.state import HandState
from ledger.presence import FloorCalled, FloorRuled, WordsSaid
from ledger.table.events import DealtIn, HandPlayed, LeftOut, Post, PostRole, Skipped, Voided, Within
from ledger.vocabulary import Seat, Witness

_TABLE_EVENT_TYPES: Final = frozenset(get_args(Within)) - {WordsSaid, FloorCalled, FloorRuled}
"""Events of a hand that concern its table. Words and floor calls stay with the hand."""

_STRADDLES: Final[dict[str, PostRole]] = {
    "straddle": "straddle",
    "sleeper": "sleeper",
    "button": "button-straddle",
    "mississippi": "mississippi",
    "restraddle": "restraddle",
}

_BUTTON: Final = int(Witness.BUTTON)

_NO_OPENING: Final = HandOpened(venue="", table="", number="", witnesses=0)
_NO_GAME: Final = GameSet(variant="", betting="no-limit", format="unknown", unit="", exponent=0)


def _concerns_table(event: Event) -> TypeGuard[Within]:
    return type(event) in _TABLE_EVENT_TYPES


def build_hand_played(state: HandState, stream_hex: str) -> HandPlayed:
    """Return the summary of a hand. `state` is folded to the end, `stream_hex` is the id of its stream.

    Positions are None unless the source records them. A format with only an order of players doesn't record the button,
    and what its reader infers stays in the hand. A stack after the hand is None if the stack before is unknown, if the
    hand is cut off, or if the payout isn't recorded. A hand that ended counts as completed even if the winner is
    unknown, since button and blinds move on.
    """
    opened, game = state.opened or _NO_OPENING, state.game or _NO_GAME
    positions, witnesses = state.positions, state.witnesses
    is_spoiled = state.is_spoiled
    is_settled = state.voided or (state.completed and (is_spoiled or not state.is_unpaid))
    return HandPlayed(
        number=opened.number,
        hand=stream_hex,
        started=opened.started,
        betting=game.betting,
        format=game.format,
        blinds=game.blinds,
        button=state.button if witnesses & _BUTTON else None,
        small=positions.get("small"),
        big=positions.get("big"),
        posts=_list_posts(state),
        skipped=_list_skipped_blinds(state) if state.skipped else (),
        dealt_in=_list_dealt_in_seats(state, is_spoiled=is_spoiled, is_settled=is_settled),
        left_out=_list_left_out_seats(state) if state.left_out else (),
        completed=state.completed and not state.voided and not is_spoiled,
        witnesses=witnesses,
        bets=game.bets,
        bring_in=game.bring_in,
        ante=game.ante,
        variant=game.variant,
        unit=game.unit,
        exponent=game.exponent,
        seats=opened.seats,
        level=state.tournament.level if state.tournament else "",
        options=tuple(state.options.items()) if state.options else (),  # type: ignore[arg-type]  # OptionSet holds only house options
        within=_list_table_events(state) if state.table_events else (),
        voided=_find_void_reason(state, is_spoiled=is_spoiled),
        late=_list_late_seats(state) if state.late_seats else (),
        clock=parse_wall_time(opened.written) if opened.started is None and opened.written else None,
        contradicts=is_contradictory(state),
    )


def _list_skipped_blinds(state: HandState) -> tuple[Skipped, ...]:
    return tuple([Skipped(event.role, event.seat, event.reason) for event in state.skipped])


def _list_left_out_seats(state: HandState) -> tuple[LeftOut, ...]:
    return tuple([LeftOut(event.seat, event.player, event.stack, event.reason) for event in state.left_out.values()])


def _list_table_events(state: HandState) -> tuple[Within, ...]:
    return tuple([event for event in state.table_events if _concerns_table(event)])


def _list_late_seats(state: HandState) -> tuple[Seat, ...]:
    """Return the dealt-in seats whose players came back as the blinds were posted, ascending."""
    return tuple([seat for seat in sorted(state.late_seats) if seat in state.dealt])


def _list_dealt_in_seats(state: HandState, *, is_spoiled: bool, is_settled: bool) -> tuple[DealtIn, ...]:
    if is_spoiled:  # the posts go back
        return tuple(
            [
                DealtIn(seat, dealt_event.player, dealt_event.stack, dealt_event.stack)
                for seat, dealt_event in state.dealt.items()
            ]
        )
    put_in, awarded, cash_outs = state.chips.put_in, state.chips.awarded, state.cash_outs
    dealt_in = []
    for seat, dealt_event in state.dealt.items():
        stack_before = dealt_event.stack
        if stack_before is None or not is_settled:
            stack_after = None
        else:
            stack_after = stack_before - put_in[seat] + awarded.get(seat, 0)
            if cash_outs:
                stack_after += cash_outs.get(seat, 0)
        dealt_in.append(DealtIn(seat, dealt_event.player, stack_before, stack_after))
    return tuple(dealt_in)


def _list_posts(state: HandState) -> tuple[Post, ...]:
    posts: list[Post] = []
    add_post = posts.append
    for event in state.posts:
        if isinstance(event, BlindPosted):
            add_post(Post(event.seat, event.role, event.live, event.dead, event.all_in))
        elif isinstance(event, AntePosted):
            add_post(Post(event.seat, event.kind, 0, event.amount, event.all_in))
        elif isinstance(event, StraddlePosted):
            live = event.amount if event.live else 0
            add_post(Post(event.seat, _STRADDLES[event.kind], live, event.amount - live, event.all_in))
        else:
            add_post(Post(event.seat, "bring-in", event.amount, 0, event.all_in))
    if state.table_events and not _is_chopped(state):
        for table_event in state.table_events:
            if type(table_event) is DeadMoneyTaken:
                add_post(Post(table_event.seat, "dead-money", 0, table_event.amount))
            elif type(table_event) is PostReturned:
                _reduce_posts(posts, table_event)
            elif type(table_event) is ChipsReturned:
                _reduce_posts(posts, PostReturned(table_event.seat, table_event.amount))
    return tuple(posts)


def _is_chopped(state: HandState) -> bool:
    """Whether the blinds took back their posts after everybody else folded. They have still had their turn."""
    live = state.live
    return (
        state.completed
        and not (state.voided or state.misdealt or state.chips.awarded)
        and state.street == "preflop"
        and len(live) > 1
        and bool(state.folded)
        and not any(state.chips.put_in.values())
        and live <= {post.seat for post in state.posts}
    )


def _reduce_posts(posts: list[Post], return_event: PostReturned) -> None:
    """Take a returned amount off the seat's last posts of that role, and drop posts that become empty."""
    remaining = return_event.amount
    for index in range(len(posts) - 1, -1, -1):
        post = posts[index]
        if remaining <= 0 or post.seat != return_event.seat or not _is_same_role(post.role, return_event.role):
            continue
        live = 0 if return_event.dead else min(remaining, post.live)
        dead = min(remaining - live, post.dead)
        remaining -= live + dead
        if live == post.live and dead == post.dead:
            del posts[index]
        else:
            posts[index] = Post(post.seat, post.role, post.live - live, post.dead - dead)


def _is_same_role(posted: str, returned: str) -> bool:
    if returned == "unknown":
        return True
    if returned == "straddle":
        return posted in _STRADDLES.values()
    if returned == "makeup":
        return posted.startswith("makeup")
    return posted == returned


def _find_void_reason(state: HandState, *, is_spoiled: bool) -> Voided:
    if not state.voided:
        return "misdeal" if is_spoiled else ""
    for event in state.table_events:
        if type(event) is HandVoided:
            return event.reason
    return "unknown"
