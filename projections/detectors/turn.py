"""Whose turn it was: who opens a betting round, and who acts last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Literal

from ledger.hand.acts import Act
from ledger.hand.betting import Bet, Called, Checked, Folded, Raised
from ledger.hand.opening import BlindPosted, StraddlePosted
from ledger.vocabulary import Seat, Witness
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell, Certainty
from projections.sentences import paragraph
from projections.sentences import turn as say
from projections.timeline.hand_timeline import Timeline

_ACTS: Final = (Folded, Checked, Called, Bet, Raised)
_POST_NAMES: Final = {"small": "small blind", "big": "big blind", "extra": "third blind", "straddle": "straddle"}
_NEEDS: Final = Witness.ACTS | Witness.POSTS | Witness.BUTTON


@hand_detector(events=_ACTS, needs=_NEEDS, signs=Symptom.TURN | Symptom.ODD_POSTS | Symptom.MAKEUP_NEXT)
def first_round(
    hand: Timeline, *, last_post: Literal["blind", "straddle"], straddle_told: bool = True, spare_makeup: bool = False
) -> Iterator[Answer]:
    """The first round was opened from another seat than the one after the furthest blind or straddle."""
    posts = hand.regular_posts()
    first_act = next((act for act in hand.acts if act.is_first_on_street), None)
    if not posts or first_act is None:
        yield NO_OCCASION
        return
    version, poster, role = posts[-1]
    if role == "straddle" and not straddle_told:
        yield CannotTell("the book does not say who opens behind a straddle")
        return
    straddled = role == "straddle" and _is_last_post_in_position(hand)
    if straddled != (last_post == "straddle") or (spare_makeup and _find_makeup_seat(hand) is not None):
        yield NO_OCCASION
        return
    if first_act.seat_to_act is None or first_act.seat == first_act.seat_to_act:
        return
    if first_act.seat_to_act in hand.find_posters("kill"):
        yield CannotTell("when it is the turn of who killed the pot")
        return
    post = _POST_NAMES.get(role, f"{role} blind")
    note = (version, say.last_post_note(poster, post))
    wrong = _build_opening_breach(hand, first_act, first_act.seat_to_act, say.last_post(poster, post), note)
    yield _add_opener_without_sleeper(hand, wrong, first_act, first_act.seat_to_act)


def _add_opener_without_sleeper(hand: Timeline, wrong: Breach, act: Act, due_seat: Seat) -> Breach:
    """Name who opens if the straddle doesn't count, where that is open."""
    alternative = _find_opener_without_sleeper(hand)
    if alternative is None:
        return wrong
    certainty: Certainty = "likely" if act.seat == alternative else "certain"
    should = say.acts_first_unless_straddle_is_void(due_seat, alternative)
    return replace(wrong, should=should, certainty=certainty)


def _find_opener_without_sleeper(hand: Timeline) -> Seat | None:
    """Return who opens if a straddle out of its place that nobody allowed moves nothing; None = there is none."""
    posts = hand.regular_posts()
    if posts[-1][2] != "straddle" or _is_last_post_in_position(hand):
        return None
    if any(granted.seat in (None, posts[-1][1]) for _, granted in hand.permissions("sleeper")):
        return None
    while len(posts) > 1 and posts[-1][2] == "straddle" and not _is_last_post_in_next_seat(hand, posts):
        posts = posts[:-1]
    return hand.seats_after(posts[-1][1])[0]


def _is_last_post_in_next_seat(hand: Timeline, posts: list[tuple[int, Seat, str]]) -> bool:
    return posts[-1][1] == hand.seats_after(posts[-2][1])[0]


def _build_opening_breach(hand: Timeline, act: Act, due_seat: Seat, reason: str, note: tuple[int, str]) -> Breach:
    undone_versions = hand.find_take_backs(act)
    return Breach(
        act.version,
        say.opened_out_of_turn(act.seat, act.street, due_seat),
        seat=act.seat,
        should=say.acts_first(due_seat),
        because=paragraph(reason, say.taken_back_in_time() if undone_versions else ""),
        severity="warning" if undone_versions else None,
        other_events=(note, *((undone_at, say.taken_back_note()) for undone_at in undone_versions)),
    )


def _is_last_post_in_position(hand: Timeline) -> bool:
    """Whether the furthest straddle came from the seat after the furthest blind or straddle."""
    posts = hand.regular_posts()
    return len(posts) < 2 or _is_last_post_in_next_seat(hand, posts)


def _find_makeup_seat(hand: Timeline) -> Seat | None:
    """Return the seat after the big blind if it made up a blind there and did not straddle."""
    posts = hand.regular_posts()
    if not posts or posts[-1][2] == "straddle":
        return None
    next_seat = hand.seats_after(posts[-1][1])[0]
    return next_seat if next_seat in hand.find_posters("makeup", "makeup-small", "makeup-big") else None


@hand_detector(events=(BlindPosted, StraddlePosted), needs=_NEEDS, signs=Symptom.MAKEUP_NEXT, occasion=SIGNS_ONLY)
def makeup_in_straddle_seat(hand: Timeline) -> Iterator[Answer]:
    """A blind was made up from the straddle seat, and another seat opened the first round."""
    seat = _find_makeup_seat(hand)
    first = next((act for act in hand.acts if act.is_first_on_street), None)
    if seat is None or first is None:
        yield NO_OCCASION
    elif first.seat != seat and first.seat_to_act == seat:
        version = next(v for v, post in hand.standing_posts() if post.seat == seat)
        note = (version, say.last_post_note(seat, "made-up blind"))
        yield _build_opening_breach(hand, first, seat, say.made_up_in_straddle_seat(seat), note)


@hand_detector(events=_ACTS, needs=Witness.ACTS | Witness.BUTTON, signs=Symptom.TURN)
def later_rounds(hand: Timeline) -> Iterator[Answer]:
    """A later round was opened by another seat than the first live one on the button's left.

    Who believes the button elsewhere opens wrongly on every street: that is one wrong.
    """
    wrong = 0
    for _, acts in _iter_later_rounds(hand):
        first = acts[0]
        if (
            first.seat_to_act is not None
            and first.seat != first.seat_to_act
            and not hand.was_passed_over(first.seat_to_act)
        ):
            button = say.button_is_in(hand.button) if hand.button else say.small_blind_shows_button()
            undone_versions = hand.find_take_backs(first)
            yield Breach(
                first.version,
                say.opened_out_of_turn(first.seat, first.street, first.seat_to_act),
                seat=first.seat,
                should=say.acts_first(first.seat_to_act),
                wrong_event=wrong,
                certainty="likely" if _describe_missing_bet(hand, first) else "certain",
                severity="warning" if undone_versions else None,
                because=paragraph(
                    button, _describe_missing_bet(hand, first), say.taken_back_in_time() if undone_versions else ""
                ),
                other_events=tuple((undone_at, say.taken_back_note()) for undone_at in undone_versions),
            )
            wrong = wrong or (0 if undone_versions else first.version)


def _describe_missing_bet(hand: Timeline, act: Act) -> str:
    """Say why a bet before an act may be missing; "" = the record leaves no room for one.

    Who folds with nothing to call seldom does it before the turn: a bet that nobody called, and
    came back, leaves no other trace in a source that does not tell what comes back.
    """
    if act.kind != "fold" or act.bet_to_call > act.bet_before or hand.is_witnessed(Witness.RETURNED_BETS):
        return ""
    return say.earlier_bet_may_be_missing(act.seat)


def _iter_later_rounds(hand: Timeline) -> Iterator[tuple[str, list[Act]]]:
    for street, acts in hand.acts_by_street():
        if street not in ("preflop", "third"):
            yield street, acts


@hand_detector(events=_ACTS, needs=Witness.ACTS | Witness.BUTTON, signs=Symptom.TURN)
def button_last(hand: Timeline, *, opening: bool = False) -> Iterator[Answer]:
    """After the first round the button acted before a seat that had yet to act."""
    for _, acts in _iter_later_rounds(hand):
        yield from _judge_last_actor(hand, acts, hand.button, opening=opening)


def _judge_last_actor(hand: Timeline, acts: list[Act], last: Seat | None, *, opening: bool = False) -> Iterator[Breach]:
    """Yield where `last` acted before others in a round; `opening`: no other clause says who opens."""
    acted_seats: set[Seat] = set()
    for act in acts:
        if act.seat == last and act.is_first_on_street and (acted_seats or opening):
            waiting = [seat for seat in act.ordered_seats_to_act if seat != last and seat not in acted_seats]
            if waiting and act.seat_to_act != last:
                yield Breach(
                    act.version,
                    say.acted_ahead(act.seat, act.street, waiting[0]),
                    seat=last,
                    should=say.acts_last(act.seat)
                    if act.seat_to_act is None
                    else say.acts_now_and_last(act.seat, act.seat_to_act),
                    because=say.taken_back_in_time() if hand.find_take_backs(act) else _describe_missing_bet(hand, act),
                    severity="warning" if hand.find_take_backs(act) else None,
                    certainty="likely" if _describe_missing_bet(hand, act) else "certain",
                )
            return
        acted_seats.add(act.seat)


@hand_detector(events=_ACTS, needs=Witness.ACTS | Witness.BUTTON, signs=Symptom.TURN)
def last_when_button_dead(hand: Timeline) -> Iterator[Answer]:
    """The button was dead, and the nearest live seat before it did not have last action."""
    if hand.button is None or hand.button in hand.start:
        yield NO_OCCASION
        return
    for _, acts in _iter_later_rounds(hand):
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
        if acted_seats and act.is_first_on_street and act.seat in blinds and act.seat_to_act != act.seat and waiting:
            yield Breach(
                act.version,
                say.blind_acted_ahead(act.seat, waiting[0]),
                seat=act.seat,
                should=say.acts_now(act.seat_to_act or waiting[0]),
                because=say.taken_back_in_time() if hand.find_take_backs(act) else "",
                severity="warning" if hand.find_take_backs(act) else None,
            )
        acted_seats.add(act.seat)
