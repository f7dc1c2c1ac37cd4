"""Extra cards in the deal, and seats with a wrong number of cards.

Each public function is a detector; its docstring states the breach.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ledger.hand.betting import ChipsReturned, Folded, HandKilled
from ledger.hand.dealing import (
    CardBurned,
    CardReturned,
    DealCompleted,
    ErrorNoticed,
    ExtraCardDealt,
    HoleCardsDealt,
    WrongCountFound,
)
from ledger.hand.ending import HandVoided
from ledger.hand.holdings import count_cards
from ledger.hand.opening import PostReturned
from ledger.text.language import translatable
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.awards import compute_dead_hand_money
from projections.detectors.shared.deal_counts import find_noticed_miscounts
from projections.detectors.shared.deck_order import find_shifted_flop
from projections.findings.detector import hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import dealer_errors as say
from projections.timeline.chip_flows import build_refund_flow
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline


@hand_detector(
    events=(ExtraCardDealt, WrongCountFound), needs=Witness.DEAL_ERRORS | Witness.BUTTON, deadline="mendable"
)
def first_player(hand: Timeline) -> Iterator[Answer]:
    """One extra card to the first player did not go back to become the burn card."""
    extra_cards = hand.of(ExtraCardDealt)
    if not extra_cards and len(_list_extra_cards(hand)) == 1:
        yield CannotTell(
            translatable(
                "when the extra card was dealt: the book only covers one that came after all hands were complete"
            )
        )
        return
    if len(extra_cards) != 1 or hand.button is None:
        yield NO_OCCASION
        return
    ((version, event),) = extra_cards
    if event.seat != hand.seats_after(hand.button)[0] or _is_before_full_deal(hand, version, event):
        yield CannotTell(translatable("the book only covers the first player, after all hands are complete"))
        return
    misdeal_version = _find_misdeal(hand, version)
    is_returned = any(
        returned_card.source in ("extra", "unknown") for _, returned_card in hand.events_after(version, CardReturned)
    )
    if misdeal_version:
        yield Breach(
            misdeal_version,
            say.misdeal_for_extra_card(),
            seat=event.seat,
            remedy="not-followed",
            should=say.extra_card_becomes_burn(),
            other_events=((version, say.extra_card_note()),),
        )
    elif not is_returned:
        yield Breach(
            version,
            say.kept_extra_card(event.seat),
            seat=event.seat,
            should=say.card_goes_back(),
            remedy="not-followed",
        )
    else:
        yield from _judge_flop_burn(hand, version, event)


def _list_extra_cards(hand: Timeline, start_version: int = 0, end_version: int | None = None) -> list[tuple[int, Seat]]:
    """Return the version and seat of each extra card, as it was dealt or as a seat's cards were counted."""
    extra_cards = [
        (version, event.seat)
        for version, event in hand.events_after(start_version, ExtraCardDealt, before_version=end_version)
    ]
    if hand.variant is not None:
        for version, event in hand.events_after(start_version, WrongCountFound, before_version=end_version):
            known_extra_cards = sum(seat == event.seat for _, seat in extra_cards)
            surplus = event.count - hand.variant.hole_cards - known_extra_cards
            extra_cards += [(version, event.seat)] * max(0, surplus)
    return sorted(extra_cards)


def _find_misdeal(hand: Timeline, start_version: int) -> int:
    """Return the version of the first misdeal after an event; 0 = there was none."""
    return next((version for version, _ in hand.misdeals() if version > start_version), 0)


def _is_before_full_deal(hand: Timeline, version: int, event: ExtraCardDealt) -> bool:
    """Whether an extra card came while a seat still lacked cards; False if the record never says the deal was complete.

    Its deck position or the cards dealt before it can show that every seat had all its cards.
    """
    if not hand.of(DealCompleted) or hand.is_deal_complete(version):
        return False
    if hand.variant is None:
        return True
    full_count = hand.variant.hole_cards
    if event.deck > full_count * len(hand.start):
        return False
    cards_held = dict.fromkeys(hand.start, 0)
    for _, hole_cards in hand.events_before(version, HoleCardsDealt):
        cards_held[hole_cards.seat] = cards_held.get(hole_cards.seat, 0) + count_cards(hole_cards.cards)
    return min(cards_held.values(), default=0) < full_count


def _judge_flop_burn(hand: Timeline, version: int, event: ExtraCardDealt) -> Iterator[Answer]:
    """Yield a breach if the flop's only burn isn't the returned card, or the flop isn't the next three cards."""
    flop = next((deal for deal in hand.deals if deal.street == "flop"), None)
    if flop is None:
        return
    if not hand.is_witnessed(Witness.BURNS):
        yield CannotTell("burns")
        return
    matching_burns = [burn_version for burn_version, burn in flop.burns if _is_extra_card(burn, event)]
    other_burns = [burn_version for burn_version, _ in flop.burns if burn_version not in matching_burns[:1]]
    shifted_flop = find_shifted_flop(flop, event.deck + 1 if event.deck else None)
    references = ((version, say.extra_card_note()),)
    if other_burns or not matching_burns:
        yield Breach(
            other_burns[-1] if other_burns else flop.version,
            say.other_burn_than_extra(),
            should=say.extra_card_only_burn(),
            remedy="not-followed",
            other_events=references,
        )
    elif shifted_flop is not None:
        yield Breach(
            flop.version,
            say.flop_shifted_by_extra_card(shifted_flop.shown_cards),
            remedy="not-followed",
            should=say.burn_leaves_flop(shifted_flop.due_cards),
            other_events=references,
        )


def _is_extra_card(burn: CardBurned, event: ExtraCardDealt) -> bool:
    """Whether a burn is the extra card that went back."""
    if burn.source in ("extra-card", "returned-card"):
        return True
    return burn.deck == event.deck != 0 or (burn.card == event.card and "?" not in event.card)


@hand_detector(events=(ExtraCardDealt, WrongCountFound), needs=Witness.DEAL_ERRORS, deadline="mendable")
def several(hand: Timeline, *, count: int) -> Iterator[Answer]:
    """The deal had this many extra cards, and no misdeal was declared."""
    ends = [0, *(version for version, _ in hand.misdeals()), AFTER_ALL_EVENTS]
    cards_by_deal = [_list_extra_cards(hand, start, end) for start, end in pairwise(ends)]
    extra_cards = next((deal_cards for deal_cards in cards_by_deal if len(deal_cards) >= count), [])
    if not extra_cards:
        yield NO_OCCASION
        return
    version, seat = extra_cards[count - 1]
    if not _find_misdeal(hand, version):
        yield Breach(
            version, say.several_extra_cards(len(extra_cards)), seat=seat, should=say.misdeal(), remedy="not-followed"
        )


@hand_detector(
    events=(WrongCountFound, ExtraCardDealt, ErrorNoticed),
    needs=Witness.DEAL_ERRORS | Witness.ACTS,
    deadline="mendable",
)
def wrong_count_early(hand: Timeline, *, acted: int) -> Iterator[Answer]:
    """A wrong number of cards was found before this many players had acted, without a misdeal."""
    miscounts = _find_miscounts(hand)
    early_miscounts = [
        miscount for miscount in miscounts if miscount.notice_version is not None and miscount.acted_count < acted
    ]
    if any(miscount.notice_version is None for miscount in miscounts):
        yield CannotTell("errors-noticed")
    elif not early_miscounts:
        yield NO_OCCASION
    miscount = next((miscount for miscount in early_miscounts if not _find_misdeal(hand, miscount.version)), None)
    if miscount is None:
        return
    references = ((miscount.version, say.wrong_count_note()),) if miscount.version != miscount.notice_version else ()
    yield Breach(
        miscount.notice_version or miscount.version,
        say.wrong_count_found_in_time(miscount.seat),
        seat=miscount.seat,
        should=say.misdeal(),
        remedy="not-followed",
        other_events=references,
    )


class _Miscount(NamedTuple):
    """A seat with a wrong number of cards."""

    version: int  # of the first event that shows it
    seat: Seat
    notice_version: int | None  # when somebody noticed it; None = unknown
    acted_count: int  # how many seats had acted by then


def _find_miscounts(hand: Timeline) -> list[_Miscount]:
    """Return each seat with a wrong number of cards."""
    notice_versions = [
        version for version, notice in hand.of(ErrorNoticed) if notice.kind in ("extra-card", "wrong-count")
    ]
    notice_versions += [version for version, returned_card in hand.of(CardReturned) if returned_card.source == "extra"]
    notice_versions += [version for version, _ in hand.of(WrongCountFound)]
    by_seat: dict[Seat, _Miscount] = {}
    recorded = [(version, event.seat) for version, event in hand.of(ExtraCardDealt, WrongCountFound)]
    for version, seat in recorded + find_noticed_miscounts(hand):
        later_notices = [notice_version for notice_version in notice_versions if notice_version >= version]
        notice_version = min(later_notices, default=None)
        acted_seats = {act.seat for act in hand.acts_before(notice_version or 0)}
        by_seat.setdefault(seat, _Miscount(version, seat, notice_version, len(acted_seats)))
    return list(by_seat.values())


@hand_detector(
    events=(WrongCountFound, ExtraCardDealt, ErrorNoticed),
    needs=Witness.DEAL_ERRORS | Witness.ACTS,
    deadline="mendable",
)
def wrong_count_late(hand: Timeline, *, acted: int) -> Iterator[Answer]:
    """A wrong number of cards was found after this many had acted, and its seat did not forfeit."""
    miscounts = _find_miscounts(hand)
    late_miscounts = [
        miscount for miscount in miscounts if miscount.notice_version is not None and miscount.acted_count >= acted
    ]
    if any(miscount.notice_version is None for miscount in miscounts):
        yield CannotTell("errors-noticed")
    elif not late_miscounts:
        yield NO_OCCASION
    for miscount in late_miscounts:
        version, headline = _find_missed_forfeit(hand, miscount)
        if headline:
            yield Breach(
                version,
                headline,
                seat=miscount.seat,
                should=say.forfeits(miscount.seat),
                money=build_refund_flow(hand, miscount.seat, miscount.notice_version or 0)
                or compute_dead_hand_money(hand, miscount.seat),
                remedy="not-followed",
            )


def _find_missed_forfeit(hand: Timeline, miscount: _Miscount) -> tuple[int, str]:
    """Return the version and headline of a seat's missing forfeit; the headline "" = the seat forfeited."""
    notice_version = miscount.notice_version or miscount.version
    if misdeal_version := _find_misdeal(hand, miscount.version):
        return misdeal_version, say.misdeal_too_late()
    returns = hand.events_after(notice_version, ChipsReturned, PostReturned, seat=miscount.seat)
    refund_versions = [version for version, event in returns if not _is_change(event)]
    refund_versions += [version for version, _ in hand.of(HandVoided)]
    if refund_versions:
        return refund_versions[0], say.got_money_back(miscount.seat)
    has_given_up = bool(hand.events_before(notice_version, Folded, HandKilled, seat=miscount.seat))
    if has_given_up or hand.find_kill(miscount.seat, notice_version) is not None:
        return notice_version, ""
    return notice_version, say.played_with_wrong_count(miscount.seat)


def _is_change(event: object) -> bool:
    """Whether returned chips were change, which never was part of the bet."""
    return isinstance(event, ChipsReturned) and event.reason == "change"
