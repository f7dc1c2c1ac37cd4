"""Burn cards: how many before each street, and how a wrong burn is put right.

Each public function is a detector; its docstring states the breach. `burns` is the number that the book asks for.
A street's burns are counted in three ways, for three questions:

- `len(deal.burns)` counts every recorded burn. Was an error made?
- `deal.burn_count` leaves out burns that were put back before the street came. Did the error stay?
- `count_burned` counts the burns that were out when the street was turned face up. Was it shown after a wrong burn?
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from ledger.hand.dealing import BoardDealt, CardBurned, CardReturned, DeckShuffled, ErrorNoticed
from ledger.hand.ending import PotAwarded
from ledger.hand.street_deals import StreetDeal
from ledger.vocabulary import UNKNOWN_CARD, Street, Witness, split_cards
from projections.detectors.shared.burn_counts import count_burned, list_face_up_events
from projections.detectors.shared.deck_order import (
    find_dealt_positions,
    find_natural_positions,
    format_positions,
    measure_shift,
)
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
    """A wrong number of cards was burned before a street."""
    for deal_index, deal in enumerate(hand.deals):
        if deal.is_dealt_again or deal.shuffles:
            continue  # another clause covers burns after a new shuffle
        if spare_frozen_flop and deal_index and _is_frozen(hand, hand.deals[deal_index - 1]):
            continue
        burn_count = count_burned(hand, deal)
        if burn_count > burns and _is_late_burn(hand, deal, burn_count - burns, burns):
            continue  # the earlier missing burn is reported already
        if burn_count > burns or (burn_count < burns and hand.is_witnessed(Witness.BURNS)):
            yield _build_count_breach(deal, burn_count, burns)
    for deal in hand.later_runs:
        # No book says whether a second run or board shares the burn of the first, so only surplus burns are wrong.
        if len(deal.burns) > burns and not deal.shuffles:
            yield _build_count_breach(deal, len(deal.burns), burns)


def _is_frozen(hand: Timeline, deal: StreetDeal) -> bool:
    """Whether a flop with too many cards stays in play because of substantial action on it."""
    return deal.street == "flop" and deal.card_count > 3 and deal.withdrawn is None and hand.is_substantial(deal.on_all)


def _is_late_burn(hand: Timeline, deal: StreetDeal, surplus: int, burns: int) -> bool:
    """Whether surplus burns make up for missing burns of earlier streets that somebody noticed."""
    earlier_deals = [
        earlier_deal
        for earlier_deal in hand.deals
        if earlier_deal.version < deal.version and not (earlier_deal.is_dealt_again or earlier_deal.shuffles)
    ]
    missing_burns = sum(max(0, burns - count_burned(hand, earlier_deal)) for earlier_deal in earlier_deals)
    notices = hand.events_before(deal.version, ErrorNoticed)
    is_noticed = any(notice.kind in _MISSED_BURN_ERRORS for _, notice in notices)
    return is_noticed and missing_burns == surplus


def _build_count_breach(deal: StreetDeal, burn_count: int, burns: int) -> Breach:
    """Return the breach for a wrong `burn_count`, which the caller counted. It cites every recorded burn."""
    return Breach(
        deal.version,
        say.burned_before(burn_count, deal.street),
        should=say.burns_due(burns),
        other_events=tuple((version, say.burn_note()) for version, _ in deal.burns),
    )


@hand_detector(events=(BoardDealt,), needs=_NEEDS | Witness.ACTS)
def after_frozen_flop(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """After a flop with too many cards stayed in play, a wrong number of cards was burned before the next street."""
    for flop, turn in pairwise(hand.deals):
        if _is_frozen(hand, flop):
            if len(turn.burns) != burns:
                yield Breach(
                    turn.version,
                    say.burned_before(len(turn.burns), turn.street),
                    should=say.burns_due(burns),
                    remedy="not-followed",
                    wrong_event=flop.version,
                    other_events=((flop.version, cards_on_flop_note(flop.card_count)),),
                )
            return
    yield NO_OCCASION


@hand_detector(events=(BoardDealt,), needs=_NEEDS_WITH_NOTICES, deadline="mendable")
def flop_unexposed(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """A wrong burn before the flop, noticed with no card face up, was not put right."""
    noticed_burns = [
        noticed_burn
        for noticed_burn in _list_noticed_in_time(hand, _list_wrongly_burned(hand, burns, "flop"))
        if not _is_face_up(hand, noticed_burn.deal, noticed_burn.notice_version)
    ]
    if not noticed_burns:
        yield NO_OCCASION
    for deal, notice_version in noticed_burns:
        wrong_cards = _describe_wrong_cards(hand, "flop", burns)
        if wrong_cards is None and deal.burn_count != burns:
            yield CannotTell("deal-order")
        elif wrong_cards:
            due_positions = find_natural_positions(hand, "flop", burns)
            yield Breach(
                notice_version,
                say.street_shows_other_cards(len(deal.burns), deal.street, wrong_cards),
                should=cards_of_deck(format_positions(due_positions)) if due_positions else say.flop_due(),
                remedy="not-followed",
                wrong_event=deal.version,
            )


class _NoticedBurn(NamedTuple):
    """A street with a wrong burn, and the version at which somebody noticed it."""

    deal: StreetDeal
    notice_version: int


def _list_noticed_in_time(hand: Timeline, deals: list[StreetDeal]) -> list[_NoticedBurn]:
    """Return the wrongly burned streets whose error was noticed before the next street."""
    noticed_burns = []
    for deal in deals:
        next_street_version = next((later_deal.version for later_deal in _list_later_streets(hand, deal)), None)
        start = min([deal.version, *(version for version, _ in deal.burns)])
        notices = hand.events_after(start, ErrorNoticed, before_version=next_street_version)
        notice_version = next((version for version, notice in notices if notice.kind in _BURN_ERRORS), None)
        if notice_version is not None:
            noticed_burns.append(_NoticedBurn(deal, notice_version))
    return noticed_burns


def _list_later_streets(hand: Timeline, deal: StreetDeal) -> list[StreetDeal]:
    """Return the deals of other streets after a deal."""
    return [
        other_deal
        for other_deal in hand.deals
        if other_deal.version > deal.version and other_deal.street != deal.street
    ]


def _list_wrongly_burned(hand: Timeline, burns: int, *streets: str) -> list[StreetDeal]:
    """Return the named streets with betting that came with a wrong number of burns."""
    return [deal for deal in _list_burn_errors(hand, burns, *streets) if deal.able_count > 1]


def _list_burn_errors(hand: Timeline, burns: int, *streets: str) -> list[StreetDeal]:
    """Return the named streets whose first deal came with a wrong number of burns.

    A street that came while seats still had to act is left out, since the clauses about early streets cover it.
    """
    return [
        deal
        for deal in hand.deals
        if deal.street in streets and not deal.is_dealt_again and len(deal.burns) != burns and not deal.seats_to_act
    ]


def _is_face_up(hand: Timeline, deal: StreetDeal, before_version: int) -> bool:
    """Whether a card of the street lay face up before an event."""
    return bool(list_face_up_events(hand, deal.street, before_version))


@hand_detector(events=(BoardDealt,), needs=_NEEDS_WITH_NOTICES | Witness.SHUFFLES, deadline="mendable")
def flop_exposed(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """A wrong burn, noticed with flop cards face up and before any action, led to no reshuffle."""
    noticed_burns = [
        noticed_burn
        for noticed_burn in _list_noticed_in_time(hand, _list_wrongly_burned(hand, burns, "flop"))
        if _is_face_up(hand, noticed_burn.deal, noticed_burn.notice_version)
        and not _has_acts_before(noticed_burn.deal, noticed_burn.notice_version)
    ]
    if not noticed_burns:
        yield NO_OCCASION
    for deal, notice_version in noticed_burns:
        is_shuffled = bool(hand.events_after(notice_version, DeckShuffled))
        is_taken_back = deal.withdrawn is not None  # the whole flop; `deal.withdrawals` may be single cards
        if not is_taken_back or not is_shuffled:
            describe = say.noticed_and_flop_kept
            if deal.withdrawals:
                describe = say.noticed_and_flop_partly_kept if is_shuffled else say.noticed_and_not_shuffled
            yield Breach(
                notice_version,
                describe(len(deal.burns), deal.street),
                should=say.reshuffle_and_new_flop(),
                remedy="not-followed",
                wrong_event=deal.version,
                other_events=((deal.version, street_note("flop")),),
            )


def _has_acts_before(deal: StreetDeal, version: int) -> bool:
    """Whether anybody acted on a street before an event."""
    return any(act.version < version for act in deal.acts)


@hand_detector(events=(BoardDealt,), needs=_NEEDS_WITH_NOTICES | Witness.ACTS, deadline="mendable")
def before_action(hand: Timeline, *, burns: int, streets: list[str]) -> Iterator[Answer]:
    """A wrong burn, noticed before any action on the street, was not corrected."""
    noticed_burns = [
        noticed_burn
        for noticed_burn in _list_noticed_in_time(hand, _list_wrongly_burned(hand, burns, *streets))
        if not _has_acts_before(noticed_burn.deal, noticed_burn.notice_version)
    ]
    if not noticed_burns:
        yield NO_OCCASION
    for deal, notice_version in noticed_burns:
        yield from _judge_correction(hand, deal, notice_version, burns, "before any action")


def _judge_correction(
    hand: Timeline, deal: StreetDeal, notice_version: int, burns: int, notice_time: say.NoticeTime
) -> Iterator[Answer]:
    """Yield a breach if a street with a wrong burn stayed, or was replaced by a wrong card."""
    due_positions = find_natural_positions(hand, deal.street, burns)
    should = cards_of_deck(format_positions(due_positions)) if due_positions else say.card_due()
    if deal.withdrawn is None and deal.burn_count != burns:
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
    """Return which wrong cards a street shows, "" if its cards are right, or None if the record leaves that open.

    The positions in the deck decide. If they aren't recorded, what was burned, dealt and put back decides.
    """
    kept_deal = hand.find_kept_street(street)
    if kept_deal is None:
        return None
    due_positions, positions = find_natural_positions(hand, street, burns), find_dealt_positions(kept_deal)
    if due_positions is not None and positions is not None:
        return "" if positions == due_positions else cards_of_deck(format_positions(positions))
    shift_count = measure_shift(hand, kept_deal, burns)
    if shift_count is None:
        return None
    return say.shifted_cards(street, shift_count) if shift_count else ""


@hand_detector(events=(BoardDealt,), needs=_NEEDS_WITH_NOTICES | Witness.ACTS)
def withdrawn_after_action(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """A card was taken back for a burn error although it had been acted on."""
    acted_on_deals = [deal for deal in _list_wrongly_burned(hand, burns, "flop", "turn", "river") if deal.on_all]
    if not acted_on_deals:
        yield NO_OCCASION
    for deal in acted_on_deals:
        if deal.withdrawn is not None:
            yield Breach(
                deal.withdrawn[0],
                say.taken_back_after_action(deal.street),
                should=say.card_stands(deal.street),
                remedy="not-followed",
                wrong_event=deal.version,
                other_events=(_build_burn_note(deal),),
            )


def _build_burn_note(deal: StreetDeal) -> tuple[int, str]:
    """Return the version of a street and the note of how many cards were burned before it."""
    return deal.version, say.burned_note(len(deal.burns), deal.street)


@hand_detector(events=(BoardDealt,), needs=_NEEDS_WITH_NOTICES)
def later_streets(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """After a wrong burn, a later street isn't the card that it would have been without the error."""
    followed_errors = _list_followed_errors(hand, burns)
    if not followed_errors:
        yield NO_OCCASION
    for deal, later_deals in followed_errors:
        for later_deal in later_deals:
            if deal.burn_count == burns and later_deal.burn_count != burns:
                continue  # the earlier error was put right; this street has one of its own
            wrong_street = _find_wrong_street(hand, deal, later_deal, burns, is_next=later_deal is later_deals[0])
            if wrong_street:
                yield Breach(
                    later_deal.version,
                    wrong_street.headline,
                    should=wrong_street.should,
                    remedy="not-followed",
                    wrong_event=deal.version,
                    other_events=(_build_burn_note(deal),),
                )
                return


class _FollowedError(NamedTuple):
    """A street with a wrong burn, and the later streets that stayed and came before any new shuffle."""

    deal: StreetDeal
    later_deals: list[StreetDeal]


def _list_followed_errors(hand: Timeline, burns: int) -> list[_FollowedError]:
    """Return the wrong burns that were noticed in time and followed by another street."""
    followed_errors = []
    for deal, _ in _list_noticed_in_time(hand, _list_wrongly_burned(hand, burns, "flop", "turn")):
        shuffle_version, _ = hand.first_event_after(deal.version, DeckShuffled) or (AFTER_ALL_EVENTS, None)
        later_deals = [
            later_deal
            for later_deal in _list_later_streets(hand, deal)
            if later_deal.version < shuffle_version and later_deal.withdrawn is None
        ]
        if later_deals:
            followed_errors.append(_FollowedError(deal, later_deals))
    return followed_errors


class _WrongStreet(NamedTuple):
    """The headline for a wrong street, and the sentence about what it should be."""

    headline: str
    should: str


def _find_wrong_street(
    hand: Timeline, deal: StreetDeal, later_deal: StreetDeal, burns: int, *, is_next: bool
) -> _WrongStreet | None:
    """Return how a street after a wrong burn is wrong, or None if it isn't or nobody can tell.

    The positions in the deck decide if they are recorded. Otherwise only the first street after the error (`is_next`)
    is judged, by its burns.
    """
    due_positions, positions = find_natural_positions(hand, later_deal.street, burns), find_dealt_positions(later_deal)
    if due_positions is not None and positions is not None:
        if positions == due_positions:
            return None
        headline = say.street_is_card(later_deal.street, format_positions(positions))
        return _WrongStreet(headline, cards_of_deck(format_positions(due_positions)))
    is_settled = deal.withdrawn is not None or deal.burn_count == burns
    if not is_next or is_settled or measure_shift(hand, later_deal, burns) == 0:
        return None
    return _find_wrong_burns(hand, deal, later_deal, burns)


def _find_wrong_burns(hand: Timeline, deal: StreetDeal, next_deal: StreetDeal, burns: int) -> _WrongStreet | None:
    """Return how the burns before the next street fail to put a wrong burn right, or None if they don't.

    After a surplus burn, that card must be the burn. After a missing burn, one more is needed for each.
    """
    headline = say.burned_before(len(next_deal.burns), next_deal.street)
    if len(deal.burns) > burns:
        is_put_right = _is_reburned(hand, deal, next_deal, burns)
        return None if is_put_right else _WrongStreet(headline, say.extra_burn_comes_back())
    missing_burns = burns - len(deal.burns)
    due_burns = burns + missing_burns
    if len(next_deal.burns) == due_burns:
        return None  # this error is made up for; the positions may still be off from an earlier, unnoticed error
    return _WrongStreet(headline, say.one_burn_more(due_burns, deal.street))


def _is_reburned(hand: Timeline, deal: StreetDeal, next_deal: StreetDeal, burns: int) -> bool:
    """Whether the burns of a street are surplus burns of an earlier street, `deal`.

    A recorded source or their faces show that. For an unknown face, a burn put back on top of the deck is enough.
    """
    surplus_cards = {burn.card for _, burn in deal.burns}
    returned_cards = hand.events_after(deal.version, CardReturned, before_version=next_deal.version)
    is_put_back = any(
        returned_card.source == "burn" and returned_card.position in ("top", "unknown")
        for _, returned_card in returned_cards
    )
    street_burns = _list_street_burns(hand, next_deal)
    return len(street_burns) == burns and all(
        burn.source == "returned-card"
        or burn.card in surplus_cards - {UNKNOWN_CARD}
        or (is_put_back and UNKNOWN_CARD in {burn.card, *surplus_cards})
        for burn in street_burns
    )


def _list_street_burns(hand: Timeline, next_deal: StreetDeal) -> list[CardBurned]:
    """Return the recorded burns of a street, up to one of its deals, without a burn that became a card of the street."""
    street_burns = [
        burn
        for deal in hand.deals
        if deal.street == next_deal.street and deal.version <= next_deal.version
        for _, burn in deal.burns
    ]
    street_cards = split_cards(next_deal.event.cards)
    return [burn for burn in street_burns if burn.card == UNKNOWN_CARD or burn.card not in street_cards]


@hand_detector(events=(BoardDealt,), needs=_NEEDS_WITH_NOTICES, deadline="mendable")
def surplus_burn(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """After a surplus burn, no burned card went back to be the next street's burn."""
    surplus_errors = [
        followed_error
        for followed_error in _list_followed_errors(hand, burns)
        if followed_error.deal.burn_count > burns and followed_error.deal.withdrawn is None
    ]
    if not surplus_errors:
        yield NO_OCCASION
    for deal, later_deals in surplus_errors:
        next_deal = later_deals[0]
        if not _is_reburned(hand, deal, next_deal, burns):
            due_positions = find_natural_positions(hand, next_deal.street, burns)
            should = say.extra_burn_comes_back()
            if due_positions:
                should = say.extra_burn_comes_back_then(format_positions(due_positions))
            yield Breach(
                next_deal.version,
                say.other_burn_than_extra(len(next_deal.burns), next_deal.street, deal.street),
                should=should,
                remedy="not-followed",
                wrong_event=deal.version,
                other_events=(_build_burn_note(deal),),
            )


@hand_detector(events=(BoardDealt,), needs=_NEEDS_WITH_NOTICES | Witness.AWARDS, deadline="mendable")
def all_in(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """A burn error on a street without betting was not put right before the award, or was corrected after it."""
    award_version, _ = hand.first_event_after(0, PotAwarded) or (AFTER_ALL_EVENTS, None)
    all_in_deals = [deal for deal in _list_burn_errors(hand, burns, "flop", "turn", "river") if deal.able_count < 2]
    noticed_burns = []
    for deal in all_in_deals:
        notices = hand.events_after(deal.version, ErrorNoticed)
        notice_version = next((version for version, notice in notices if notice.kind in _BURN_ERRORS), None)
        if notice_version is not None:
            noticed_burns.append(_NoticedBurn(deal, notice_version))
    if not noticed_burns:
        yield NO_OCCASION
    for deal, notice_version in noticed_burns:
        if notice_version < award_version:
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
