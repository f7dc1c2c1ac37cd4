"""Straddles: how many, how large, from which seat, with whose permission.

Each public function is a detector; its docstring states the breach.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ledger.hand.betting import ChipsReturned
from ledger.hand.dealing import ErrorNoticed
from ledger.hand.opening import PermissionGranted, PostReturned, StraddlePosted
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.remedies import grade_remedy
from projections.findings.detector import hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell, Fate
from projections.sentences import straddles as say
from projections.sentences import unknowns
from projections.sentences.straddles import PermissionProblem
from projections.timeline.chip_flows import Money, build_pot_flow
from projections.timeline.hand_timeline import Timeline


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS | Witness.PERMISSIONS, partial=Witness.POSTS)
def too_many(hand: Timeline, *, limit: int) -> Iterator[Answer]:
    """A hand has more straddles than the book allows, and nobody permitted it."""
    if hand.permissions("multiple-straddles"):
        return
    for count, (version, post) in enumerate(hand.straddles(), 1):
        if count > limit:
            yield Breach(
                version,
                say.one_too_many(post.seat, hand.format_chips(post.amount), count),
                seat=post.seat,
                should=say.at_most(limit),
                because=say.no_permission(),
            )


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS | Witness.PERMISSIONS, partial=Witness.POSTS)
def wrongly_permitted(hand: Timeline, *, granter: str) -> Iterator[Answer]:
    """The permission for a further straddle came from the wrong person, too late, or for another seat or size."""
    granted = hand.permissions("multiple-straddles")
    posts = hand.straddles()
    if len(posts) < 2 or not granted:
        yield NO_OCCASION
        return
    for version, post in posts[1:]:
        problems = [_explain_invalid_permission(hand, permission, (version, post), granter) for permission in granted]
        if all(problems):
            yield Breach(
                version,
                say.second_wrongly_permitted(post.seat),
                seat=post.seat,
                should=say.permission_before(granter),
                because=problems[0],
                other_events=tuple(
                    (granted_version, say.note_invalid_permission())
                    for granted_version, _ in granted
                    if granted_version
                ),
            )


def _explain_invalid_permission(
    hand: Timeline, permission: tuple[int, PermissionGranted], straddle: tuple[int, StraddlePosted], granter: str
) -> str:
    """Return why a permission doesn't cover a straddle, or "" if it does. Both are given with their versions."""
    (granted_version, event), (version, post) = permission, straddle
    problem: PermissionProblem
    if event.by != granter:
        problem = "granter"
    elif event.seat not in (None, post.seat):
        problem = "seat"
    elif event.amount is not None and hand.straddle_total(version, post) > event.amount:
        problem = "size"
    elif granted_version > version:
        problem = "late"
    else:
        return ""
    return say.invalid_permission(problem, event.by, event.seat)


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS)
def too_small(hand: Timeline, *, multiple: int) -> Iterator[Answer]:
    """The straddle is less than this multiple of the big blind."""
    if hand.big_blind is None:
        yield CannotTell("blind-amounts")
        return
    minimum = multiple * hand.big_blind
    for version, post in hand.straddles()[:1]:
        total = hand.straddle_total(version, post)
        if total < minimum and not post.all_in and hand.stack_at(post.seat) != total:
            yield Breach(
                version,
                say.too_small(post.seat, hand.format_chips(total), hand.format_chips(minimum)),
                seat=post.seat,
                should=say.at_least(hand.format_chips(minimum)),
            )


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS, partial=Witness.POSTS)
def too_large(hand: Timeline) -> Iterator[Answer]:
    """The straddle is larger than the game's fixed size."""
    size = hand.option("straddle-amount")
    if not hand.straddles():
        yield NO_OCCASION  # the straddle was returned in time
        return
    if size is None:
        yield CannotTell("house-option straddle-amount")
        return
    for version, post in hand.straddles()[:1]:
        total = hand.straddle_total(version, post)
        if total > size:
            if _may_follow_unwritten_straddle(hand, post.seat):
                yield CannotTell("posts")
                return
            yield Breach(
                version,
                say.too_large(post.seat, hand.format_chips(total), hand.format_chips(size)),
                seat=post.seat,
                should=say.fixed_size(hand.format_chips(size)),
            )


def _may_follow_unwritten_straddle(hand: Timeline, seat: Seat) -> bool:
    """Whether an unrecorded straddle may come between the last blind and this seat's straddle.

    No straddle can be missing if the source records all posts, or if the seat is next after the last blind.
    """
    if hand.is_witnessed(Witness.POSTS):
        return False
    return _find_first_straddle_seat(hand) != seat


def _find_first_straddle_seat(hand: Timeline) -> Seat | None:
    """Return the seat after the last blind, which may straddle first, or None if no blind is recorded."""
    blind_seats = [blind_seat for _, blind_seat, role in hand.regular_posts() if role != "straddle"]
    return hand.seats_after(blind_seats[-1])[0] if blind_seats else None


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS | Witness.ACTS)
def bring_in(hand: Timeline) -> Iterator[Answer]:
    """After a straddle the betting was opened for less than the raised bring-in."""
    bring_in_chips = hand.option("bring-in")
    if bring_in_chips is None and not hand.is_witnessed(Witness.HOUSE_OPTIONS):
        yield CannotTell("house-option bring-in")
        return
    straddle = max((hand.straddle_total(*straddle_post) for straddle_post in hand.straddles()), default=0)
    big_blind = hand.big_blind
    if bring_in_chips is None or big_blind is None or bring_in_chips <= big_blind or not straddle:
        yield NO_OCCASION
        return
    minimum = -(-straddle * bring_in_chips // big_blind)  # raised in the straddle's proportion, rounded up
    opening = next((act for act in hand.acts if act.street == "preflop" and act.amount_added), None)
    if opening is not None and not opening.is_all_in and opening.bet_after < minimum:
        yield Breach(
            opening.version,
            say.opened_too_low(opening.seat, hand.format_chips(opening.bet_after), hand.format_chips(straddle)),
            seat=opening.seat,
            should=say.raised_opening(hand.format_chips(minimum)),
            severity="error" if opening.bet_after <= straddle else "warning",
        )


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS | Witness.ACTS)
def option(hand: Timeline) -> Iterator[Answer]:
    """In a pot not raised beyond the straddle, the first round closed before the straddler had acted."""
    version, waiting = hand.find_skipped_option()
    for seat in waiting:
        if seat in hand.find_posters("straddle"):
            yield Breach(version, say.option_skipped(seat), seat=seat, should=say.check_or_raise(seat))


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS | Witness.BUTTON, partial=Witness.POSTS)
def from_button(hand: Timeline) -> Iterator[Answer]:
    """The button straddled."""
    for version, post in hand.straddles():
        if post.seat == hand.button:
            yield Breach(version, say.from_button(post.seat), seat=post.seat, should=say.none_from_button())


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS | Witness.BUTTON | Witness.PERMISSIONS)
def sleeper(hand: Timeline, *, granter: str) -> Iterator[Answer]:
    """A straddle did not come from the seat after the blinds and earlier straddles, and nobody permitted it."""
    due_seat = _find_first_straddle_seat(hand)
    if due_seat is None:
        yield CannotTell("blind-positions")
        return
    for version, post in hand.straddles():
        if post.seat == hand.button or (post.seat == due_seat and post.kind != "sleeper"):
            # A straddle from the button has a clause of its own, `from_button`. The next one is due after either.
            due_seat = hand.seats_after(post.seat)[0]
            continue
        problems = [
            _explain_invalid_permission(hand, permission, (version, post), granter)
            for permission in hand.permissions("sleeper")
        ]
        if all(problems):
            yield Breach(
                version,
                say.out_of_position(post.seat),
                seat=post.seat,
                should=say.from_seat_or_permitted(due_seat, granter),
                because=problems[0] if problems else say.no_permission(),
            )


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS, partial=Witness.POSTS)
def barred(hand: Timeline) -> Iterator[Answer]:
    """A straddle was posted in a game that bars straddles."""
    # This detector reports the straddle itself; `barred_fate` judges whether its remedy was followed.
    straddle_option = hand.option("straddle-allowed")
    if straddle_option is None and not hand.is_witnessed(Witness.HOUSE_OPTIONS):
        yield CannotTell("house-option straddle-allowed")
    elif straddle_option == 0:  # with no such option, the game doesn't bar straddles
        for version, post in hand.of(StraddlePosted):
            returned_version = _find_return(hand, version, post.seat)
            remedy_fate, reason = _judge_remedy(hand, returned_version)
            yield Breach(
                version,
                say.barred(post.seat, hand.format_chips(post.amount)),
                seat=post.seat,
                should=say.none_in_game(),
                because=reason,
                remedy=remedy_fate,
                severity=grade_remedy(remedy_fate),
                other_events=((returned_version, say.note_returned()),) if returned_version else (),
            )


def _judge_remedy(hand: Timeline, returned_version: int | None) -> tuple[Fate, str]:
    """Return whether the rule for a barred straddle was followed, and why it wasn't or why nobody can tell.

    The straddle goes back before substantial action, and stands after it. With no notice and no such action, nobody
    can tell, and the reason is "".
    """
    action = _find_action(hand, returned_version or _find_notice(hand))
    if returned_version is not None:
        return ("not-followed", say.went_back_late()) if action == "substantial" else ("followed", "")
    if action == "substantial":
        return "followed", ""
    if action == "perhaps":
        return "cannot-tell", say.undefined_action()
    if _find_notice(hand) is None:
        return "cannot-tell", ""
    return "not-followed", say.noticed_and_stayed()


def _find_action(hand: Timeline, before_version: int | None) -> Literal["substantial", "perhaps", "none"]:
    """Return whether there was substantial action before an event, or in the hand if `before_version` is None."""
    acts = hand.acts_before(before_version)
    if hand.is_substantial(acts):
        return "substantial"
    return "perhaps" if hand.may_be_substantial(acts) else "none"


def _find_notice(hand: Timeline) -> int | None:
    """Return the version at which somebody noticed a barred straddle, or None if nobody did."""
    return next((version for version, event in hand.of(ErrorNoticed) if event.kind == "barred-straddle"), None)


def _find_return(hand: Timeline, start_version: int, seat: Seat) -> int | None:
    """Return the version at which a seat's straddle was returned after an event, or None if it wasn't."""
    for version, event in hand.events_after(start_version, PostReturned, ChipsReturned, seat=seat):
        reason = event.role if isinstance(event, PostReturned) else event.reason
        if reason == "straddle" or (isinstance(event, PostReturned) and reason == "unknown"):
            return version
    return None


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS | Witness.ACTS, deadline="mendable")
def barred_fate(hand: Timeline) -> Iterator[Answer]:
    """A barred straddle went back after substantial action, or stayed though it was noticed before."""
    straddle_option = hand.option("straddle-allowed")
    if straddle_option is None and not hand.is_witnessed(Witness.HOUSE_OPTIONS):
        yield CannotTell("house-option straddle-allowed")
        return
    if straddle_option != 0:
        yield NO_OCCASION
        return
    version, post = hand.of(StraddlePosted)[0]
    returned_version, noticed_version = _find_return(hand, version, post.seat), _find_notice(hand)
    action = _find_action(hand, returned_version or noticed_version)
    if returned_version is not None:
        if action == "substantial":
            yield Breach(
                returned_version,
                say.returned_late(post.seat),
                seat=post.seat,
                should=say.stands_once_acted_on(),
                remedy="not-followed",
                wrong_event=version,
                money=_compute_money_returned(hand, post.seat, post.amount),
            )
    elif noticed_version is None:
        if not hand.is_witnessed(Witness.ERRORS_NOTICED):
            yield CannotTell("errors-noticed")
    elif action == "perhaps":
        yield CannotTell(unknowns.substantial_action())
    elif action == "none":
        yield Breach(
            noticed_version,
            say.not_returned(post.seat),
            seat=post.seat,
            should=say.goes_back(),
            remedy="not-followed",
            wrong_event=version,
        )


def _compute_money_returned(hand: Timeline, seat: Seat, chips: Chips) -> Money:
    """Return the chips that returning a straddle moved; none moved if its seat stayed in and put them in again."""
    first_act = next((act for act in hand.acts if act.seat == seat and act.street == "preflop"), None)
    has_stayed_in = first_act is not None and first_act.kind != "fold"
    return () if has_stayed_in else build_pot_flow(hand, {seat: chips})


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS, partial=Witness.POSTS)
def barred_at_limit(hand: Timeline) -> Iterator[Answer]:
    """A live straddle was posted in a limit game that has no straddles of its own."""
    straddle_option = hand.option("straddle-allowed")
    if straddle_option is None and not hand.is_witnessed(Witness.HOUSE_OPTIONS):
        yield CannotTell("house-option straddle-allowed")
    elif not straddle_option:  # with no such option, a limit game has no straddles
        for version, post in hand.straddles():
            if post.live:
                yield Breach(
                    version,
                    say.barred_at_limit(post.seat, hand.format_chips(post.amount)),
                    seat=post.seat,
                    should=say.no_live_straddle(),
                )
