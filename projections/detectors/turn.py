"""Whose turn it was: who opens a betting round, and who acts last.

Each public function is a detector. Its docstring states the breach and is printed in docs/rules, so comments explain
the parameters. `_ForcedBet` and the helpers follow the detector that uses them first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Literal, NamedTuple

from ledger.hand.acts import Act
from ledger.hand.betting import Bet, Called, Checked, Folded, Raised
from ledger.hand.opening import BlindPosted, StraddlePosted
from ledger.text.language import translatable
from ledger.vocabulary import Seat, Witness
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell, Certainty
from projections.sentences import paragraph
from projections.sentences import turn as say
from projections.timeline.hand_timeline import Timeline

_ACTS: Final = (Folded, Checked, Called, Bet, Raised)
_NEEDS: Final = Witness.ACTS | Witness.POSTS | Witness.BUTTON


class _ForcedBet(NamedTuple):
    """A posted blind or straddle."""

    version: int
    seat: Seat
    role: str


@hand_detector(events=_ACTS, needs=_NEEDS, signs=Symptom.TURN | Symptom.ODD_POSTS | Symptom.MAKEUP_NEXT)
def first_round(
    hand: Timeline, *, last_post: Literal["blind", "straddle"], straddle_told: bool = True, spare_makeup: bool = False
) -> Iterator[Answer]:
    """The first round was not opened from the seat after the furthest blind or straddle."""
    # `last_post`: judge only hands in which the last forced bet was of this kind. A straddle out of position counts
    # as a blind here.
    # `straddle_told`: the book says who opens after a straddle. If it doesn't, a hand with one can't be judged.
    # `spare_makeup`: skip hands with a make-up post in the straddle seat, because another clause covers them.
    posts = _list_forced_bets(hand)
    first_act = next((act for act in hand.acts if act.is_first_on_street), None)
    if not posts or first_act is None:
        yield NO_OCCASION
        return
    version, poster, role = posts[-1]
    if role == "straddle" and not straddle_told:
        yield CannotTell(translatable("the book does not say who opens after a straddle"))
        return
    is_straddled = role == "straddle" and _is_last_post_in_position(hand)
    if is_straddled != (last_post == "straddle") or (spare_makeup and _find_makeup_seat(hand) is not None):
        yield NO_OCCASION
        return
    if first_act.seat_to_act is None or first_act.seat == first_act.seat_to_act:
        return
    # The clause doesn't say when the player who killed the pot acts.
    if first_act.seat_to_act in hand.find_posters("kill"):
        yield CannotTell(translatable("when the player who killed the pot acts"))
        return
    post_name = say.post_name(role)
    note = (version, say.last_post_note(poster, post_name))
    breach = _build_opening_breach(hand, first_act, first_act.seat_to_act, say.last_post(poster, post_name), note)
    yield _add_opener_without_sleeper(hand, breach, first_act, first_act.seat_to_act)


def _list_forced_bets(hand: Timeline) -> list[_ForcedBet]:
    """Return the blinds and straddles in order. The last of them acts last on the first round."""
    return [_ForcedBet(*post) for post in hand.regular_posts()]


def _add_opener_without_sleeper(hand: Timeline, breach: Breach, act: Act, due_seat: Seat) -> Breach:
    """Add to a breach who opens if sleepers don't count. A sleeper is a straddle out of position.

    If that seat is the one that acted, the breach is only likely. If every straddle counts, return it unchanged.
    """
    alternative = _find_opener_without_sleeper(hand)
    if alternative is None:
        return breach
    certainty: Certainty = "likely" if act.seat == alternative else "certain"
    should = say.acts_first_unless_straddle_is_void(due_seat, alternative)
    return replace(breach, should=should, certainty=certainty)


def _find_opener_without_sleeper(hand: Timeline) -> Seat | None:
    """Return who opens if sleepers that nobody permitted don't count, or None if every straddle counts.

    Only sleepers at the end of the forced bets matter, since the last one decides who opens.
    """
    posts = _list_forced_bets(hand)
    last_post = posts[-1]
    if last_post.role != "straddle" or _is_last_post_in_position(hand):
        return None
    if any(granted.seat in (None, last_post.seat) for _, granted in hand.permissions("sleeper")):
        return None
    while len(posts) > 1 and posts[-1].role == "straddle" and not _is_last_post_in_next_seat(hand, posts):
        posts.pop()
    return hand.seats_after(posts[-1].seat)[0]


def _is_last_post_in_next_seat(hand: Timeline, posts: list[_ForcedBet]) -> bool:
    """Whether the last post came from the seat after the post before it."""
    return posts[-1].seat == hand.seats_after(posts[-2].seat)[0]


def _build_opening_breach(hand: Timeline, act: Act, due_seat: Seat, reason: str, note: tuple[int, str]) -> Breach:
    """Return the breach of an act that opened the first round out of turn.

    `note` is the event to cite for the post that decides who opens: its version and a remark.
    """
    take_back_versions = hand.find_take_backs(act)
    return Breach(
        act.version,
        say.opened_out_of_turn(act.seat, act.street, due_seat),
        seat=act.seat,
        should=say.acts_first(due_seat),
        because=paragraph(reason, say.taken_back_in_time() if take_back_versions else ""),
        severity="warning" if take_back_versions else None,
        other_events=(note, *((version, say.taken_back_note()) for version in take_back_versions)),
    )


def _is_last_post_in_position(hand: Timeline) -> bool:
    """Whether the last forced bet came from the seat after the one before it. A single one is always in position."""
    posts = _list_forced_bets(hand)
    return len(posts) < 2 or _is_last_post_in_next_seat(hand, posts)


def _find_makeup_seat(hand: Timeline) -> Seat | None:
    """Return the seat after the last blind if it made up a blind there, or None. After a straddle there's none."""
    posts = _list_forced_bets(hand)
    if not posts or posts[-1].role == "straddle":
        return None
    next_seat = hand.seats_after(posts[-1].seat)[0]
    return next_seat if next_seat in hand.find_posters("makeup", "makeup-small", "makeup-big") else None


@hand_detector(events=(BlindPosted, StraddlePosted), needs=_NEEDS, signs=Symptom.MAKEUP_NEXT, occasion=SIGNS_ONLY)
def makeup_in_straddle_seat(hand: Timeline) -> Iterator[Answer]:
    """A blind was made up from the straddle seat, and another seat opened the first round."""
    seat = _find_makeup_seat(hand)
    first_act = next((act for act in hand.acts if act.is_first_on_street), None)
    if seat is None or first_act is None:
        yield NO_OCCASION
    elif first_act.seat != seat and first_act.seat_to_act == seat:
        post_version = next(version for version, post in hand.standing_posts() if post.seat == seat)
        note = (post_version, say.last_post_note(seat, say.made_up_blind()))
        yield _build_opening_breach(hand, first_act, seat, say.made_up_in_straddle_seat(seat), note)


@hand_detector(events=_ACTS, needs=Witness.ACTS | Witness.BUTTON, signs=Symptom.TURN)
def later_rounds(hand: Timeline) -> Iterator[Answer]:
    """A later round was not opened by the first live seat on the button's left.

    A table that takes the button to be elsewhere opens every street wrongly; the later breaches refer to the first.
    """
    first_wrong_version = 0  # the first wrong opening that wasn't taken back; 0 before there is one
    for acts in _iter_later_rounds(hand):
        opening_act = acts[0]
        due_seat = opening_act.seat_to_act
        if due_seat is None or opening_act.seat == due_seat or hand.was_passed_over(due_seat):
            continue
        button_reason = say.button_is_in(hand.button) if hand.button else say.small_blind_shows_button()
        doubt = _describe_missing_bet(hand, opening_act)
        take_back_versions = hand.find_take_backs(opening_act)
        yield Breach(
            opening_act.version,
            say.opened_out_of_turn(opening_act.seat, opening_act.street, due_seat),
            seat=opening_act.seat,
            should=say.acts_first(due_seat),
            wrong_event=first_wrong_version,
            certainty="likely" if doubt else "certain",
            severity="warning" if take_back_versions else None,
            because=paragraph(button_reason, doubt, say.taken_back_in_time() if take_back_versions else ""),
            other_events=tuple((version, say.taken_back_note()) for version in take_back_versions),
        )
        if not first_wrong_version and not take_back_versions:
            first_wrong_version = opening_act.version


def _describe_missing_bet(hand: Timeline, act: Act) -> str:
    """Return the doubt that a bet before an act may be missing from the record, or "" if none can be.

    A player seldom folds with nothing to call. In a source that doesn't record returned bets, a bet that nobody
    called leaves no other trace than such folds.
    """
    if act.kind != "fold" or act.bet_to_call > act.bet_before or hand.is_witnessed(Witness.RETURNED_BETS):
        return ""
    return say.earlier_bet_may_be_missing(act.seat)


def _iter_later_rounds(hand: Timeline) -> Iterator[list[Act]]:
    """Yield the acts of each betting round after the first."""
    for street, acts in hand.acts_by_street():
        if street not in ("preflop", "third"):
            yield acts


@hand_detector(events=_ACTS, needs=Witness.ACTS | Witness.BUTTON, signs=Symptom.TURN)
def button_last(hand: Timeline, *, opening: bool = False) -> Iterator[Answer]:
    """After the first round the button acted before a seat that had yet to act."""
    for acts in _iter_later_rounds(hand):
        yield from _judge_last_actor(hand, acts, hand.button, opening=opening)


def _judge_last_actor(hand: Timeline, acts: list[Act], last: Seat | None, *, opening: bool = False) -> Iterator[Breach]:
    """Yield a breach if the first act in a round of the seat `last` came before a seat that had yet to act.

    `opening`: also if it opened the round, because no other clause says who opens.
    """
    acted_seats: set[Seat] = set()
    for act in acts:
        has_opened_round = not acted_seats
        if act.seat == last and act.is_first_on_street and (opening or not has_opened_round):
            waiting = [seat for seat in act.ordered_seats_to_act if seat != last and seat not in acted_seats]
            if waiting and act.seat_to_act != last:
                yield _build_ahead_breach(hand, act, waiting[0])
            return
        acted_seats.add(act.seat)


def _build_ahead_breach(hand: Timeline, act: Act, waiting_seat: Seat) -> Breach:
    """Return the breach of a seat that acted before a seat that had yet to act."""
    should = say.acts_last(act.seat)
    if act.seat_to_act is not None:
        should = say.acts_now_and_last(act.seat, act.seat_to_act)
    doubt = _describe_missing_bet(hand, act)
    is_taken_back = bool(hand.find_take_backs(act))
    return Breach(
        act.version,
        say.acted_ahead(act.seat, act.street, waiting_seat),
        seat=act.seat,
        should=should,
        # A take-back replaces the doubt in the text. The doubt still lowers the certainty.
        because=say.taken_back_in_time() if is_taken_back else doubt,
        severity="warning" if is_taken_back else None,
        certainty="likely" if doubt else "certain",
    )


@hand_detector(events=_ACTS, needs=Witness.ACTS | Witness.BUTTON, signs=Symptom.TURN)
def last_when_button_dead(hand: Timeline) -> Iterator[Answer]:
    """The button was dead, and the nearest live seat before it did not have last action."""
    if hand.button is None or hand.button in hand.start:
        yield NO_OCCASION
        return
    for acts in _iter_later_rounds(hand):
        # The last of the live seats clockwise from the button is the nearest one before it.
        if acts[0].able_seats:
            yield from _judge_last_actor(hand, acts, hand.seats_after(hand.button, sorted(acts[0].able_seats))[-1])


@hand_detector(events=(BlindPosted,), needs=_NEEDS, signs=Symptom.TURN)
def blinds_last(hand: Timeline) -> Iterator[Answer]:
    """In the first round a blind acted before a seat without a blind had its first turn."""
    blinds = hand.find_posters("small", "big", "extra")
    acted_seats: set[Seat] = set()
    for act in hand.acts:
        if act.street != "preflop":
            return
        waiting = [seat for seat in act.ordered_seats_to_act if seat not in blinds and seat not in acted_seats]
        is_blind_out_of_turn = act.is_first_on_street and act.seat in blinds and act.seat_to_act != act.seat
        if acted_seats and waiting and is_blind_out_of_turn:
            is_taken_back = bool(hand.find_take_backs(act))
            yield Breach(
                act.version,
                say.blind_acted_ahead(act.seat, waiting[0]),
                seat=act.seat,
                should=say.acts_now(act.seat_to_act or waiting[0]),
                because=say.taken_back_in_time() if is_taken_back else "",
                severity="warning" if is_taken_back else None,
            )
        acted_seats.add(act.seat)
