"""Burn cards: one before each street, and what is done when there were none or two."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from ledger.hand.dealing import (
    BoardDealt,
    BoardTurnedUp,
    BoardWithdrawn,
    CardBurned,
    CardReturned,
    DeckShuffled,
    ErrorNoticed,
)
from ledger.hand.ending import PotAwarded
from ledger.hand.street_deals import StreetDeal
from ledger.vocabulary import UNKNOWN_CARD, Street, Witness, split_cards
from projections.detectors.shared.deck_order import find_dealt_places, find_natural_places, format_places, measure_shift
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import burns as say
from projections.sentences.board import cards_of_deck, cards_on_flop_note, street_note
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline

_BURN_ERRORS: Final = ("no-burn", "double-burn")
_NEEDS: Final = Witness.BURNS | Witness.BOARD
_MISSED_BURN_ERRORS: Final = frozenset({"no-burn", "other"})
_NEEDS_WITH_NOTICES: Final = _NEEDS | Witness.ERRORS_NOTICED | Witness.DEAL_ERRORS


@hand_detector(events=(BoardDealt,), needs=_NEEDS, partial=Witness.BURNS, signs=Symptom.BURNED, deadline="mendable")
def per_street(hand: Timeline, *, burns: int, spare_frozen_flop: bool = False) -> Iterator[Answer]:
    """Another number of cards was burned before a street than the book asks."""
    for deal_index, deal in enumerate(hand.deals):
        if deal.again or deal.shuffled:
            continue  # what is burned of a deck that was shuffled again is another clause's
        if spare_frozen_flop and deal_index and _is_frozen(hand, hand.deals[deal_index - 1]):
            continue
        burned = _count_burned(hand, deal)
        if burned > burns and _is_late_burn(hand, deal, burned - burns, burns):
            continue  # the one slip is the burn that was left out
        if burned > burns or (burned < burns and hand.is_witnessed(Witness.BURNS)):
            yield _build_count_breach(deal, burns)
    for deal in hand.later_runs:
        # No book says whether the cards of a second run or board share the burn of the first: fewer
        # may be right, more never are.
        if len(deal.burns) > burns and not deal.shuffled:
            yield _build_count_breach(deal, burns)


def _is_frozen(hand: Timeline, deal: StreetDeal) -> bool:
    """Whether a flop with too many cards stands because it was acted on."""
    return deal.street == "flop" and deal.cards > 3 and deal.withdrawn is None and hand.is_substantial(deal.on_all)


def _is_late_burn(hand: Timeline, deal: StreetDeal, surplus: int, burns: int) -> bool:
    """Whether burns too many stand for those that somebody noticed to be missing from earlier streets."""
    earlier = [
        former for former in hand.deals if former.version < deal.version and not (former.again or former.shuffled)
    ]
    missing = sum(max(0, burns - _count_burned(hand, former)) for former in earlier)
    noticed = any(event.kind in _MISSED_BURN_ERRORS for _, event in hand.events_before(deal.version, ErrorNoticed))
    return noticed and missing == surplus


def _count_burned(hand: Timeline, deal: StreetDeal) -> int:
    """Return how many cards were out as burns when a street lay face up: what was put right before is right."""
    if deal.event.face_up:
        return deal.burned
    start = max((other_deal.version for other_deal in hand.deals if other_deal.version < deal.version), default=0)
    face_up_version = min(
        (version for version, event in _list_face_up_events(hand, deal.street, AFTER_ALL_EVENTS) if version > start),
        default=AFTER_ALL_EVENTS,
    )
    street_burns = [
        card
        for version, event in hand.events_after(start, BoardWithdrawn, before_version=face_up_version)
        if event.to == "burn"
        for card in split_cards(event.cards)
    ]
    burned_since = [
        event
        for _, event in hand.events_after(start, CardBurned, before_version=face_up_version)
        if event.card not in street_burns
    ]
    returned_since = [
        event
        for _, event in hand.events_after(start, CardReturned, before_version=face_up_version)
        if event.source == "burn"
    ]
    return len(street_burns) + len(burned_since) - len(returned_since)


def _build_count_breach(deal: StreetDeal, burns: int) -> Breach:
    return Breach(
        deal.version,
        say.burned_before(len(deal.burns), deal.street),
        should=say.burns_due(burns),
        other_events=tuple((version, say.burn_note()) for version, _ in deal.burns),
    )


@hand_detector(events=(BoardDealt,), needs=_NEEDS | Witness.ACTS)
def after_frozen_flop(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """After a flop with too many cards that stands, the next street came without its burn."""
    for flop, turn in pairwise(hand.deals):
        if _is_frozen(hand, flop):
            if len(turn.burns) != burns:
                yield Breach(
                    turn.version,
                    say.burned_before(len(turn.burns), turn.street),
                    should=say.burns_due(burns),
                    remedy="not-followed",
                    wrong_event=flop.version,
                    other_events=((flop.version, cards_on_flop_note(flop.cards)),),
                )
            return
    yield NO_OCCASION


def _list_face_up_events(hand: Timeline, street: Street, limit: int) -> list[tuple[int, BoardDealt | BoardTurnedUp]]:
    """Return what tells of cards of a street that they lie face up."""
    board_events = hand.events_before(limit, BoardDealt, BoardTurnedUp)
    return [
        (version, event)
        for version, event in board_events
        if event.street == street and getattr(event, "face_up", True)
    ]


@hand_detector(events=(BoardDealt,), needs=_NEEDS_WITH_NOTICES, deadline="mendable")
def flop_unexposed(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """A wrong burn before the flop, noticed with no card face up, was not put right."""
    noticed_deals = [
        (wrong_deal, version)
        for wrong_deal, version in _list_noticed_in_time(hand, _list_wrongly_burned(hand, burns, "flop"))
        if not _is_face_up(hand, wrong_deal, version)
    ]
    if not noticed_deals:
        yield NO_OCCASION
    for deal, notice_version in noticed_deals:
        wrong_cards = _describe_wrong_cards(hand, "flop", burns)
        if wrong_cards is None and deal.burned != burns:
            yield CannotTell("deal-order")
        elif wrong_cards:
            due = find_natural_places(hand, "flop", burns)
            yield Breach(
                notice_version,
                say.street_shows_other_cards(len(deal.burns), deal.street, wrong_cards),
                should=cards_of_deck(format_places(due)) if due else say.flop_due(),
                remedy="not-followed",
                wrong_event=deal.version,
            )


def _list_noticed_in_time(hand: Timeline, deals: list[StreetDeal]) -> list[tuple[StreetDeal, int]]:
    """Return the streets of which the wrong burn was noticed before the next street, with where."""
    noticed_deals = []
    for deal in deals:
        next_street_at = next((later_deal.version for later_deal in _list_later_streets(hand, deal)), None)
        start = min([deal.version, *(version for version, _ in deal.burns)])
        notice_versions = [
            v
            for v, event in hand.events_after(start, ErrorNoticed, before_version=next_street_at)
            if event.kind in _BURN_ERRORS
        ]
        if notice_versions:
            noticed_deals.append((deal, notice_versions[0]))
    return noticed_deals


def _list_later_streets(hand: Timeline, deal: StreetDeal) -> list[StreetDeal]:
    """Return the cards of other streets that came after a street's."""
    return [
        other_deal
        for other_deal in hand.deals
        if other_deal.version > deal.version and other_deal.street != deal.street
    ]


def _list_wrongly_burned(hand: Timeline, burns: int, *streets: str, bet: bool = True) -> list[StreetDeal]:
    """Return the streets that first came with a wrong number of burns, those with betting or without."""
    return [
        deal
        for deal in hand.deals
        if deal.street in streets
        and not deal.again
        and len(deal.burns) != burns
        and not deal.open
        and (deal.able > 1) == bet
    ]


def _is_face_up(hand: Timeline, deal: StreetDeal, limit: int) -> bool:
    """Whether a card of the street lay face up before this event."""
    return bool(_list_face_up_events(hand, deal.street, limit))


@hand_detector(events=(BoardDealt,), needs=_NEEDS_WITH_NOTICES | Witness.SHUFFLES, deadline="mendable")
def flop_exposed(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """A wrong burn, noticed with flop cards face up and before any action, led to no reshuffle."""
    noticed_deals = [
        (deal, notice_version)
        for deal, notice_version in _list_noticed_in_time(hand, _list_wrongly_burned(hand, burns, "flop"))
        if _is_face_up(hand, deal, notice_version) and not _has_acts_before(deal, notice_version)
    ]
    if not noticed_deals:
        yield NO_OCCASION
    for deal, notice_version in noticed_deals:
        if deal.withdrawn is None or not hand.events_after(notice_version, DeckShuffled):
            headline = say.noticed_and_not_shuffled if deal.taken else say.noticed_and_flop_kept
            yield Breach(
                notice_version,
                headline(len(deal.burns), deal.street),
                should=say.reshuffle_and_new_flop(),
                remedy="not-followed",
                wrong_event=deal.version,
                other_events=((deal.version, street_note("flop")),),
            )


def _has_acts_before(deal: StreetDeal, limit: int) -> bool:
    return any(act.version < limit for act in deal.acts)


@hand_detector(events=(BoardDealt,), needs=_NEEDS_WITH_NOTICES | Witness.ACTS, deadline="mendable")
def before_action(hand: Timeline, *, burns: int, streets: list[str]) -> Iterator[Answer]:
    """A wrong burn, noticed before any action on the street, was not corrected."""
    noticed_deals = [
        (wrong_deal, version)
        for wrong_deal, version in _list_noticed_in_time(hand, _list_wrongly_burned(hand, burns, *streets))
        if not _has_acts_before(wrong_deal, version)
    ]
    if not noticed_deals:
        yield NO_OCCASION
    for deal, notice_version in noticed_deals:
        yield from _judge_correction(hand, deal, notice_version, burns, "before any action")


def _judge_correction(
    hand: Timeline, deal: StreetDeal, notice_version: int, burns: int, notice_time: say.NoticeTime
) -> Iterator[Answer]:
    """Yield where a street with a wrong burn stayed, or another card than the right one came instead."""
    due = find_natural_places(hand, deal.street, burns)
    should = cards_of_deck(format_places(due)) if due else say.card_due()
    if deal.withdrawn is None and deal.burned != burns:
        yield Breach(
            notice_version,
            say.noticed_and_card_stayed(len(deal.burns), deal.street, notice_time),
            should=should,
            remedy="not-followed",
            wrong_event=deal.version,
            other_events=((deal.version, street_note(deal.street)),),
        )
    elif wrong_cards := _describe_wrong_cards(hand, deal.street, burns):
        yield Breach(
            notice_version,
            say.noticed_and_other_card_came(len(deal.burns), deal.street, notice_time, wrong_cards),
            should=should,
            remedy="not-followed",
            wrong_event=deal.version,
            other_events=((deal.version, street_note(deal.street)),),
        )


def _describe_wrong_cards(hand: Timeline, street: Street, burns: int) -> str | None:
    """Return what a street shows if it is not what was due: by its place in the deck, else by what was done.

    "" = it is right, None = that is not told.
    """
    wrong, final = _compare_places(hand, street, burns), hand.find_kept_street(street)
    if wrong is not None:
        return format_places(wrong[1]) if wrong else ""
    shift_count = measure_shift(hand, final, burns) if final is not None else None
    if not shift_count:
        return "" if shift_count == 0 else None
    return say.shifted_cards(street, shift_count)


def _compare_places(
    hand: Timeline, street: Street, burns: int
) -> tuple[tuple[int, ...], tuple[int, ...]] | tuple[()] | None:
    """Return the places that a street should show and those it does; () = it is right, None = untold."""
    due, final = find_natural_places(hand, street, burns), hand.find_kept_street(street)
    cards = find_dealt_places(final) if final is not None else None
    if due is None or cards is None:
        return None
    return (due, cards) if due != cards else ()


@hand_detector(events=(BoardDealt,), needs=_NEEDS_WITH_NOTICES | Witness.ACTS)
def withdrawn_after_action(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """A card was taken back for a burn error although it had been acted on."""
    wrong = [deal for deal in _list_wrongly_burned(hand, burns, "flop", "turn", "river") if deal.on_all]
    if not wrong:
        yield NO_OCCASION
    for deal in wrong:
        if deal.withdrawn is not None:
            yield Breach(
                deal.withdrawn[0],
                say.taken_back_after_action(deal.street),
                should=say.card_stands(),
                remedy="not-followed",
                wrong_event=deal.version,
                other_events=(_build_burn_note(deal),),
            )


def _build_burn_note(deal: StreetDeal) -> tuple[int, str]:
    return deal.version, say.burned_note(len(deal.burns), deal.street)


@hand_detector(events=(BoardDealt,), needs=_NEEDS_WITH_NOTICES)
def later_streets(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """After a wrong burn a later street is another card than without the error."""
    affected = _list_followed_errors(hand, burns)
    if not affected:
        yield NO_OCCASION
    for deal, later_deals in affected:
        for street in later_deals:
            if deal.burned == burns and street.burned != burns:
                continue  # the earlier error was put right; this street has one of its own
            wrong = _find_wrong_street(hand, deal, street, burns, is_next=street is later_deals[0])
            if wrong:
                yield Breach(
                    street.version,
                    wrong[0],
                    should=wrong[1],
                    remedy="not-followed",
                    wrong_event=deal.version,
                    other_events=(_build_burn_note(deal),),
                )
                return


def _list_followed_errors(hand: Timeline, burns: int) -> list[tuple[StreetDeal, list[StreetDeal]]]:
    """Return noticed streets with a wrong burn, with the streets after them from the unchanged deck."""
    affected = []
    for deal, _ in _list_noticed_in_time(hand, _list_wrongly_burned(hand, burns, "flop", "turn")):
        shuffle = hand.first_event_after(deal.version, DeckShuffled)
        shuffled_at = shuffle[0] if shuffle is not None else AFTER_ALL_EVENTS
        later_deals = [
            later_deal
            for later_deal in _list_later_streets(hand, deal)
            if later_deal.version < shuffled_at and later_deal.withdrawn is None
        ]
        if later_deals:
            affected.append((deal, later_deals))
    return affected


def _find_wrong_street(
    hand: Timeline, deal: StreetDeal, street: StreetDeal, burns: int, *, is_next: bool
) -> tuple[str, str] | None:
    """Return what a later street is and what it should be: by places in the deck, else by its burns."""
    due, cards = find_natural_places(hand, street.street, burns), find_dealt_places(street)
    if due is not None and cards is not None:
        message = say.street_is_card(street.street, format_places(cards))
        return (message, cards_of_deck(format_places(due))) if due != cards else None
    if not is_next or deal.withdrawn is not None or deal.burned == burns or measure_shift(hand, street, burns) == 0:
        return None
    message = say.burned_before(len(street.burns), street.street)
    if len(deal.burns) > burns:
        return None if _is_reburned(hand, deal, street, burns) else (message, say.extra_burn_comes_back())
    want = burns + burns - len(deal.burns)
    if len(street.burns) == want:
        return None  # as for this error alone: an earlier one was not noticed
    return message, say.one_burn_more(want, deal.street)


def _is_reburned(hand: Timeline, deal: StreetDeal, next_deal: StreetDeal, burns: int) -> bool:
    """Whether the one burn of a street is the surplus card of the street before: by its face, or as it lay on top."""
    surplus = {card.card for _, card in deal.burns}
    returned = [event for _, event in hand.events_after(deal.version, CardReturned, before_version=next_deal.version)]
    is_returned = any(event.source == "burn" and event.position in ("top", "unknown") for event in returned)
    burned = _list_street_burns(hand, next_deal)
    return len(burned) == burns and all(
        card.source == "returned-card"
        or card.card in surplus - {UNKNOWN_CARD}
        or (is_returned and UNKNOWN_CARD in {card.card, *surplus})
        for card in burned
    )


def _list_street_burns(hand: Timeline, next_deal: StreetDeal) -> list[CardBurned]:
    """Return the burns of a street, without one that became a card of it."""
    burns = [
        card
        for deal in hand.deals
        if deal.street == next_deal.street and deal.version <= next_deal.version
        for _, card in deal.burns
    ]
    street_cards = split_cards(next_deal.event.cards)
    return [card for card in burns if card.card == UNKNOWN_CARD or card.card not in street_cards]


@hand_detector(events=(BoardDealt,), needs=_NEEDS_WITH_NOTICES, deadline="mendable")
def surplus_burn(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """Of two burned cards none went back to be the next street's burn."""
    deal_pairs = [
        (deal, later_deals[0])
        for deal, later_deals in _list_followed_errors(hand, burns)
        if deal.burned > burns and deal.withdrawn is None
    ]
    if not deal_pairs:
        yield NO_OCCASION
    for deal, next_deal in deal_pairs:
        if not _is_reburned(hand, deal, next_deal, burns):
            due = find_natural_places(hand, next_deal.street, burns)
            yield Breach(
                next_deal.version,
                say.other_burn_than_extra(len(next_deal.burns), next_deal.street, deal.street),
                should=say.extra_burn_comes_back_then(format_places(due)) if due else say.extra_burn_comes_back(),
                remedy="not-followed",
                wrong_event=deal.version,
                other_events=(_build_burn_note(deal),),
            )


@hand_detector(events=(BoardDealt,), needs=_NEEDS_WITH_NOTICES | Witness.AWARDS, deadline="mendable")
def all_in(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """On a street without betting, a burn error was noticed before the award and left, or corrected after it."""
    award = hand.first_event_after(0, PotAwarded)
    noticed_deals = []
    for deal in _list_wrongly_burned(hand, burns, "flop", "turn", "river", bet=False):
        error_events = hand.events_after(deal.version, ErrorNoticed)
        notice_version = next((version for version, event in error_events if event.kind in _BURN_ERRORS), None)
        if notice_version is not None:
            noticed_deals.append((deal, notice_version))
    if not noticed_deals:
        yield NO_OCCASION
    for deal, notice_version in noticed_deals:
        if award is None or notice_version < award[0]:
            yield from _judge_correction(hand, deal, notice_version, burns, "before the pot was awarded")
        elif deal.withdrawn is not None:
            yield Breach(
                notice_version,
                say.noticed_after_award(len(deal.burns), deal.street),
                should=say.board_stands(),
                remedy="not-followed",
                wrong_event=deal.version,
                other_events=((deal.version, street_note(deal.street)),),
            )
