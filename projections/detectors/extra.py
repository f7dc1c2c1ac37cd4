"""Extra cards and wrong numbers of cards."""

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
from ledger.hand.holdings import count
from ledger.hand.opening import PostReturned
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.awards import compute_dead_hand_money
from projections.detectors.shared.deal_counts import find_noticed_miscounts
from projections.detectors.shared.deck_order import find_shifted_flop
from projections.findings.detector import hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import dealer_errors as say
from projections.timeline.chip_flows import refunded
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline


@hand_detector(
    events=(ExtraCardDealt, WrongCountFound), needs=Witness.DEAL_ERRORS | Witness.BUTTON, deadline="mendable"
)
def first_player(hand: Timeline) -> Iterator[Answer]:
    """One extra card to the first player did not go back to become the burn card."""
    extra = hand.of(ExtraCardDealt)
    if not extra and len(_list_extra_cards(hand)) == 1:
        yield CannotTell(
            "when the extra card was dealt: the book speaks of one that came after all hands were complete"
        )
        return
    if len(extra) != 1 or hand.button is None:
        yield NO_OCCASION
        return
    ((version, event),) = extra
    is_early = (
        hand.of(DealCompleted) and not hand.is_deal_complete(version) and not _is_after_full_deal(hand, version, event)
    )
    if event.seat != hand.seats_after(hand.button)[0] or is_early:
        yield CannotTell("the book speaks only of the first player, after all hands are complete")
        return
    misdeal = _find_misdeal(hand, version)
    return_versions = [
        v
        for v, returned_card in hand.events_after(version, CardReturned)
        if returned_card.source in ("extra", "unknown")
    ]
    if misdeal:
        yield Breach(
            misdeal,
            say.misdeal_for_extra_card(),
            seat=event.seat,
            remedy="not-followed",
            should=say.extra_card_becomes_burn(),
            other_events=((version, say.extra_card_note()),),
        )
    elif not return_versions:
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
    """Return each extra card with its seat: as it was dealt, or as the cards of a seat were counted."""
    extra = [
        (version, event.seat)
        for version, event in hand.events_after(start_version, ExtraCardDealt, before_version=end_version)
    ]
    if hand.variant is not None:
        for version, event in hand.events_after(start_version, WrongCountFound, before_version=end_version):
            surplus = event.count - hand.variant.hole_cards - sum(seat == event.seat for _, seat in extra)
            extra += [(version, event.seat)] * max(0, surplus)
    return sorted(extra)


def _find_misdeal(hand: Timeline, start_version: int) -> int:
    """Return where a misdeal was declared after an event; 0 = none was."""
    return next((version for version, _ in hand.misdeals() if version > start_version), 0)


def _is_after_full_deal(hand: Timeline, version: int, event: ExtraCardDealt) -> bool:
    """Whether everybody had all cards before an extra one came: by what was dealt, or by its place in the deck."""
    if hand.variant is None:
        return False
    due = hand.variant.hole_cards
    cards_held = dict.fromkeys(hand.start, 0)
    for _, dealt in hand.events_before(version, HoleCardsDealt):
        cards_held[dealt.seat] = cards_held.get(dealt.seat, 0) + count(dealt.cards)
    return event.deck > due * len(hand.start) or min(cards_held.values(), default=0) >= due


def _judge_flop_burn(hand: Timeline, version: int, event: ExtraCardDealt) -> Iterator[Answer]:
    """Yield where the returned card is not the flop's burn, or the flop after it is another than by nature."""
    flop = next((deal for deal in hand.deals if deal.street == "flop"), None)
    if flop is None:
        return
    if not hand.is_witnessed(Witness.BURNS):
        yield CannotTell("burns")
        return
    matching_burns = [burned_at for burned_at, card in flop.burns if _is_extra_card(card, event)]
    other_burns = [burned_at for burned_at, _ in flop.burns if burned_at not in matching_burns[:1]]
    shifted = find_shifted_flop(flop, event.deck + 1 if event.deck else None)
    references = ((version, say.extra_card_note()),)
    if other_burns or not matching_burns:
        yield Breach(
            other_burns[-1] if other_burns else flop.version,
            say.other_burn_than_extra(),
            should=say.extra_card_only_burn(),
            remedy="not-followed",
            other_events=references,
        )
    elif shifted is not None:
        yield Breach(
            flop.version,
            say.flop_shifted_by_extra_card(shifted[0]),
            remedy="not-followed",
            should=say.burn_leaves_flop(shifted[1]),
            other_events=references,
        )


def _is_extra_card(burn: CardBurned, event: ExtraCardDealt) -> bool:
    """Whether a burn is the extra card that went back."""
    if burn.source in ("extra-card", "returned-card"):
        return True
    return burn.deck == event.deck != 0 or (burn.card == event.card and "?" not in event.card)


@hand_detector(events=(ExtraCardDealt, WrongCountFound), needs=Witness.DEAL_ERRORS, deadline="mendable")
def several(hand: Timeline, *, count: int) -> Iterator[Answer]:
    """So many extra cards were dealt and no misdeal was declared."""
    ends = [0, *(version for version, _ in hand.misdeals()), AFTER_ALL_EVENTS]
    deals = [_list_extra_cards(hand, start, end) for start, end in pairwise(ends)]
    extra = next((extra_cards for extra_cards in deals if len(extra_cards) >= count), [])
    if not extra:
        yield NO_OCCASION
    elif not _find_misdeal(hand, extra[count - 1][0]):
        version, seat = extra[count - 1]
        yield Breach(
            version, say.several_extra_cards(len(extra)), seat=seat, should=say.misdeal(), remedy="not-followed"
        )


@hand_detector(
    events=(WrongCountFound, ExtraCardDealt, ErrorNoticed),
    needs=Witness.DEAL_ERRORS | Witness.ACTS,
    deadline="mendable",
)
def wrong_count_early(hand: Timeline, *, acted: int) -> Iterator[Answer]:
    """A wrong number of cards was found before this many players had acted, without a misdeal."""
    wrong = _find_miscounts(hand)
    found_in_time = [miscount for miscount in wrong if miscount.notice_version is not None and miscount.acted < acted]
    if any(miscount.notice_version is None for miscount in wrong):
        yield CannotTell("errors-noticed")
    elif not found_in_time:
        yield NO_OCCASION
    for miscount in [miscount for miscount in found_in_time if not _find_misdeal(hand, miscount.version)][:1]:
        references = (
            ((miscount.version, say.wrong_count_note()),) if miscount.version != miscount.notice_version else ()
        )
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

    version: int  # where it shows
    seat: Seat
    notice_version: int | None  # None: the record does not say when
    acted: int  # seats that had acted by then


def _find_miscounts(hand: Timeline) -> list[_Miscount]:
    """Return each seat with a wrong number of cards."""
    notice_versions = [v for v, e in hand.of(ErrorNoticed) if e.kind in ("extra-card", "wrong-count")]
    notice_versions += [v for v, returned_card in hand.of(CardReturned) if returned_card.source == "extra"]
    notice_versions += [v for v, _ in hand.of(WrongCountFound)]
    by_seat: dict[Seat, _Miscount] = {}
    reported = [(v, event.seat) for v, event in hand.of(ExtraCardDealt, WrongCountFound)]
    for version, seat in reported + find_noticed_miscounts(hand):
        notice_version = min((v for v in notice_versions if v >= version), default=None)
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
    wrong = _find_miscounts(hand)
    late_miscounts = [miscount for miscount in wrong if miscount.notice_version is not None and miscount.acted >= acted]
    if any(miscount.notice_version is None for miscount in wrong):
        yield CannotTell("errors-noticed")
    elif not late_miscounts:
        yield NO_OCCASION
    for miscount in late_miscounts:
        spared_at, message = _find_missed_forfeit(hand, miscount)
        if message:
            yield Breach(
                spared_at,
                message,
                seat=miscount.seat,
                should=say.forfeits(miscount.seat),
                money=refunded(hand, miscount.seat, miscount.notice_version or 0)
                or compute_dead_hand_money(hand, miscount.seat),
                remedy="not-followed",
            )


def _find_missed_forfeit(hand: Timeline, miscount: _Miscount) -> tuple[int, str]:
    """Return where and how a seat did not forfeit; "" = it did."""
    notice_version = miscount.notice_version or miscount.version
    returns = hand.events_after(notice_version, ChipsReturned, PostReturned, seat=miscount.seat)
    refund = next(
        (chips_returned for chips_returned in returns if not _is_change(chips_returned[1])), None
    ) or hand.first_event_after(0, HandVoided)
    if misdeal := _find_misdeal(hand, miscount.version):
        return misdeal, say.misdeal_too_late()
    if refund is not None:
        return refund[0], say.got_money_back(miscount.seat)
    if (
        hand.events_before(notice_version, Folded, HandKilled, seat=miscount.seat)
        or hand.find_kill(miscount.seat, notice_version) is not None
    ):
        return notice_version, ""
    return notice_version, say.played_with_wrong_count(miscount.seat)


def _is_change(event: object) -> bool:
    """Whether chips came back that never were part of the bet."""
    return isinstance(event, ChipsReturned) and event.reason == "change"
