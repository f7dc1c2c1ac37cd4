"""How many cards were out as burns when a street was shown."""

from __future__ import annotations

from ledger.hand.dealing import BoardDealt, BoardTurnedUp, BoardWithdrawn, CardBurned, CardReturned
from ledger.hand.street_deals import StreetDeal
from ledger.vocabulary import Street, split_cards
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline


def count_burned(hand: Timeline, deal: StreetDeal) -> int:
    """Return how many cards were out as burns when a street was turned face up.

    For a street dealt face down, unlike `deal.burn_count`, this includes corrections made before it was turned up.
    """
    if deal.event.face_up:
        return deal.burn_count
    start = max((other_deal.version for other_deal in hand.deals if other_deal.version < deal.version), default=0)
    face_up_version = min(
        (version for version, _ in list_face_up_events(hand, deal.street, AFTER_ALL_EVENTS) if version > start),
        default=AFTER_ALL_EVENTS,
    )
    board_cards_burned = _list_board_cards_burned(hand, start, face_up_version)
    deck_burns = [
        burn
        for _, burn in hand.events_after(start, CardBurned, before_version=face_up_version)
        if burn.card not in board_cards_burned
    ]
    returns = hand.events_after(start, CardReturned, before_version=face_up_version)
    returned_burns = [returned_card for _, returned_card in returns if returned_card.source == "burn"]
    return len(board_cards_burned) + len(deck_burns) - len(returned_burns)


def _list_board_cards_burned(hand: Timeline, start: int, before_version: int) -> list[str]:
    """Return the cards that were taken back from the board as burns between two events."""
    withdrawals = hand.events_after(start, BoardWithdrawn, before_version=before_version)
    return [card for _, withdrawal in withdrawals if withdrawal.to == "burn" for card in split_cards(withdrawal.cards)]


def list_face_up_events(
    hand: Timeline, street: Street, before_version: int
) -> list[tuple[int, BoardDealt | BoardTurnedUp]]:
    """Return the events before a version that put cards of a street face up."""
    board_events = hand.events_before(before_version, BoardDealt, BoardTurnedUp)
    return [
        (version, event)
        for version, event in board_events
        if event.street == street and getattr(event, "face_up", True)
    ]
