"""What a table remembers of a hand: one `HandPlayed`, taken from the hand's folded state.

It is made once for each hand that is imported, so nothing here is computed that is not asked for.
"""

from __future__ import annotations

from typing import Final, TypeGuard, get_args

from ledger.clocks import parse_wall_time
from ledger.event import Event
from ledger.hand.agreement import contradicts_itself
from ledger.hand.betting import ChipsReturned
from ledger.hand.ending import HandVoided
from ledger.hand.opening import AntePosted, BlindPosted, DeadMoneyTaken, HandOpened, PostReturned, StraddlePosted
from ledger.hand.state import HandState
from ledger.presence import FloorCalled, FloorRuled, WordsSaid
from ledger.table.events import DealtIn, HandPlayed, LeftOut, Post, PostRole, Skipped, Voided, Within
from ledger.vocabulary import Seat, Witness

_WITHIN: Final = frozenset(get_args(Within)) - {WordsSaid, FloorCalled, FloorRuled}
"""What a hand tells about its table. Words and floor calls stay with the hand alone."""

_STRADDLES: Final[dict[str, PostRole]] = {
    "straddle": "straddle",
    "sleeper": "sleeper",
    "button": "button-straddle",
    "mississippi": "mississippi",
    "restraddle": "restraddle",
}

_BUTTON: Final = int(Witness.BUTTON)

_UNTOLD: Final = HandOpened(venue="", table="", number="", witnesses=0)


def _stands_within(event: Event) -> TypeGuard[Within]:
    return type(event) in _WITHIN


def build_hand_played(state: HandState, stream_hex: str) -> HandPlayed:
    """Return the table's view of a hand. `state` is folded to the end, `stream_hex` its stream's id.

    Positions are None where the record does not tell them: a format that gives only an order of
    players does not witness the button, and what its reader infers stays with the hand. Stacks after the hand are
    None where the stack before is, where the hand is cut off, and where nobody was paid and somebody must have been.
    A hand that ended is completed whoever won: button and blinds go on from it.
    """
    opened, game = state.opened or _UNTOLD, state.game
    positions, witnesses = state.positions, state.witnesses
    spoiled = state.spoiled
    settled = state.voided or (state.completed and (spoiled or not state.unpaid))
    betting, form, blinds = ("no-limit", "unknown", ()) if game is None else (game.betting, game.format, game.blinds)
    return HandPlayed(
        number=opened.number,
        hand=stream_hex,
        started=opened.started,
        betting=betting,
        format=form,
        blinds=blinds,
        button=state.button if witnesses & _BUTTON else None,
        small=positions.get("small"),
        big=positions.get("big"),
        posts=_posts(state),
        skipped=tuple([Skipped(one.role, one.seat, one.reason) for one in state.skipped]) if state.skipped else (),
        dealt_in=_dealt_in(state, spoiled=spoiled, settled=settled),
        left_out=tuple([LeftOut(one.seat, one.player, one.stack, one.reason) for one in state.left_out.values()])
        if state.left_out
        else (),
        completed=state.completed and not state.voided and not spoiled,
        witnesses=witnesses,
        bets=game.bets if game else (),
        bring_in=game.bring_in if game else 0,
        ante=game.ante if game else 0,
        variant=game.variant if game else "",
        unit=game.unit if game else "",
        exponent=game.exponent if game else 0,
        seats=opened.seats,
        level=state.tournament.level if state.tournament else "",
        options=tuple(state.options.items()) if state.options else (),  # type: ignore[arg-type]  # OptionSet holds only house options
        within=tuple([one for one in state.for_table if _stands_within(one)]) if state.for_table else (),
        voided=_voided(state) if state.voided else "misdeal" if spoiled else "",
        late=tuple([seat for seat in sorted(state.late) if seat in state.dealt]) if state.late else (),
        clock=parse_wall_time(opened.written) if opened.started is None and opened.written else None,
        contradicts=contradicts_itself(state),
    )


def _dealt_in(state: HandState, *, spoiled: bool, settled: bool) -> tuple[DealtIn, ...]:
    if spoiled:  # the posts go back
        return tuple([DealtIn(seat, one.player, one.stack, one.stack) for seat, one in state.dealt.items()])
    put, awarded, cashed = state.chips.put_in, state.chips.awarded, state.cashed
    found = []
    for seat, one in state.dealt.items():
        before = one.stack
        if before is None or not settled:
            after = None
        else:
            after = before - put[seat] + awarded.get(seat, 0)
            if cashed:
                after += cashed.get(seat, 0)
        found.append(DealtIn(seat, one.player, before, after))
    return tuple(found)


def _posts(state: HandState) -> tuple[Post, ...]:
    found: list[Post] = []
    add = found.append
    for one in state.posts:
        if isinstance(one, BlindPosted):
            add(Post(one.seat, one.role, one.live, one.dead, one.all_in))
        elif isinstance(one, AntePosted):
            add(Post(one.seat, one.kind, 0, one.amount, one.all_in))
        elif isinstance(one, StraddlePosted):
            live = one.amount if one.live else 0
            add(Post(one.seat, _STRADDLES[one.kind], live, one.amount - live, one.all_in))
        else:
            add(Post(one.seat, "bring-in", one.amount, 0, one.all_in))
    if state.for_table and not _chopped(state):
        for told in state.for_table:
            if type(told) is DeadMoneyTaken:
                add(Post(told.seat, "dead-money", 0, told.amount))
            elif type(told) is PostReturned:
                _take_back(found, told)
            elif type(told) is ChipsReturned:
                _take_back(found, PostReturned(told.seat, told.amount))
    return tuple(found)


def _chopped(state: HandState) -> bool:
    """Whether the blinds took back all they had posted once everybody else had folded: they had their turn."""
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


def _take_back(posts: list[Post], back: PostReturned) -> None:
    """Take a returned amount off the seat's last post of that role; what is left empty goes."""
    left = back.amount
    for index in range(len(posts) - 1, -1, -1):
        post = posts[index]
        if left <= 0 or post.seat != back.seat or not _same_role(post.role, back.role):
            continue
        live = 0 if back.dead else min(left, post.live)
        dead = min(left - live, post.dead)
        left -= live + dead
        if live == post.live and dead == post.dead:
            del posts[index]
        else:
            posts[index] = Post(post.seat, post.role, post.live - live, post.dead - dead)


def _same_role(posted: str, returned: str) -> bool:
    if returned == "unknown":
        return True
    if returned == "straddle":
        return posted in _STRADDLES.values()
    if returned == "makeup":
        return posted.startswith("makeup")
    return posted == returned


def _voided(state: HandState) -> Voided:
    for told in state.for_table:
        if type(told) is HandVoided:
            return told.reason
    return "unknown"


def seats_of(hand: HandPlayed) -> tuple[Seat, ...]:
    """Return the seats that were dealt in, ascending, which is clockwise."""
    return tuple(sorted(one.seat for one in hand.dealt_in))
