"""The cards of a board street as they were dealt, with burns, shuffles and cards taken back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec

from ledger.hand import dealing as d
from ledger.hand.holdings import count_cards, restates_street
from ledger.vocabulary import DECK, Seat, Street, split_cards

if TYPE_CHECKING:
    from ledger.hand.acts import Act

_FLOP: Final = 3


@dataclass(slots=True)
class StreetDeal:
    """Cards of a board street as they came."""

    version: int
    event: d.BoardDealt
    burns: list[tuple[int, d.CardBurned]]  # since the previous street or the last shuffle
    seats_to_act: tuple[Seat, ...]  # seats that still had to act when it came
    shuffles: list[tuple[int, d.DeckShuffled]]  # since the previous street
    is_cut: bool
    is_matched: bool  # all of these lacked only their option
    able_count: int  # seats that could still bet when it was dealt
    is_dealt_again: bool = False  # the street had been dealt and withdrawn before
    withdrawn: tuple[int, d.BoardWithdrawn] | None = None  # when its last card was taken back
    withdrawals: list[tuple[int, d.BoardWithdrawn]] = field(
        default_factory=list
    )  # each time some cards were taken back
    replaced_count: int = 0  # cards that replaced taken ones
    returned_burn_count: int = 0  # burned cards that went back on the deck before
    acts: list[Act] = field(default_factory=list)  # on this street while these cards lay there

    @property
    def first_to_act(self) -> Seat:
        """The seat whose turn it was when these cards came, if the betting was still open."""
        return self.seats_to_act[0]

    @property
    def street(self) -> Street:
        """The street of these cards."""
        return self.event.street

    @property
    def card_count(self) -> int:
        """The most cards that the street had at a time, including one that stuck to another."""
        return count_cards(self.event.cards) - self.replaced_count

    @property
    def is_oversize(self) -> bool:
        """Whether it is a flop of more than three cards."""
        return self.street == "flop" and self.card_count > _FLOP

    @property
    def burn_count(self) -> int:
        """The number of cards that were out as burns when these came."""
        return max(0, len(self.burns) - self.returned_burn_count)

    @property
    def remaining_count(self) -> int:
        """The number of cards that were never taken back."""
        return count_cards(self.event.cards) - sum(count_cards(withdrawal.cards) for _, withdrawal in self.withdrawals)

    @property
    def deck_positions(self) -> tuple[int, ...]:
        """The places in the deck of the cards that stayed, or of all cards if none did."""
        if not self.withdrawals or self.withdrawn is not None:
            return self.event.deck
        return tuple(
            deck_position
            for _, deck_position in self._select_remaining(
                list(zip(split_cards(self.event.cards), self.event.deck, strict=False))
            )
        )

    @property
    def remaining_cards(self) -> list[str]:
        """The cards that weren't taken back."""
        return [name for name, _ in self._select_remaining([(name, 0) for name in split_cards(self.event.cards)])]

    def _select_remaining(self, staying: list[tuple[str, int]]) -> list[tuple[str, int]]:
        for _, withdrawal in self.withdrawals:
            for card in split_cards(withdrawal.cards):
                index = next((i for i, (name, _) in enumerate(staying) if name == card), len(staying) - 1)
                del staying[index : index + 1]
        return staying

    @property
    def on_all(self) -> list[Act]:
        """The acts while every card was on the board, which depend on a card too many."""
        return [act for act in self.acts if not self.withdrawals or act.version < self.withdrawals[0][0]]

    def continues_with(self, event: d.BoardDealt, *, is_burned: bool) -> bool:
        """Whether a card continues a street that is dealt card by card, or replaces a taken card."""
        street_event = self.event
        empty_places = self.card_count - self.remaining_count
        if (
            is_burned
            or self.withdrawn
            or self.card_count >= len(DECK)  # one street can't have more cards
            or (self.acts and not empty_places)
            or (street_event.street, street_event.board, street_event.run) != (event.street, event.board, event.run)
        ):
            return False
        cards = split_cards(event.cards)
        if self.remaining_count <= len(cards) and restates_street(self.remaining_cards, cards):
            self.restate(event)
            return True
        self.replaced_count += min(empty_places, len(cards))
        self.event = d.BoardDealt(
            street_event.street,
            street_event.cards + event.cards,
            street_event.board,
            street_event.run,
            street_event.face_up,
            street_event.deck + event.deck,
            street_event.stuck + event.stuck,
        )
        return True

    def restate(self, event: d.BoardDealt) -> None:
        """Apply a line that lists the street as it is now, with the cards that replaced taken ones."""
        withdrawn_cards = "".join(withdrawal.cards for _, withdrawal in self.withdrawals)
        new_count = count_cards(event.cards) - self.remaining_count
        self.replaced_count += new_count
        kept_positions = self.event.deck if not (withdrawn_cards or event.deck) else ()
        deck_positions = (0,) * count_cards(withdrawn_cards) + event.deck if event.deck else kept_positions
        self.event = msgspec.structs.replace(self.event, cards=withdrawn_cards + event.cards, deck=deck_positions)

    def take(self, version: int, event: d.BoardWithdrawn) -> None:
        """Take cards back. The street is withdrawn once none of its cards are left."""
        self.withdrawals.append((version, event))
        if self.remaining_count <= 0 or not event.cards:
            cards = "".join(withdrawal.cards for _, withdrawal in self.withdrawals)
            self.withdrawn = version, msgspec.structs.replace(event, cards=cards)


class StreetCollector:
    """Collects the streets of a hand, with burns and shuffles before the next one."""

    def __init__(self) -> None:
        self.deals: list[StreetDeal] = []
        self.later_runs: list[StreetDeal] = []  # of second boards and second runs
        self.last: dict[Street, StreetDeal] = {}  # of the first board
        self.burns: list[tuple[int, d.CardBurned]] = []
        self.shuffled: list[tuple[int, d.DeckShuffled]] = []
        self.is_cut = False
        self.returned_burns = 0  # burns that went back on the deck since the previous street

    def note_shuffle(self, version: int, event: d.DeckShuffled) -> None:
        """Note a shuffle. An earlier cut doesn't count any more."""
        self.shuffled.append((version, event))
        self.is_cut = False

    def return_card(self, event: d.CardReturned) -> None:
        """Note a burn that went back on the deck."""
        if event.seat is None and event.source in ("burn", "unknown") and self.burns:
            self.returned_burns += 1

    def forget_burns(self) -> None:
        """Start to collect for the next street."""
        self.burns, self.shuffled, self.is_cut, self.returned_burns = [], [], False, 0

    def continue_deal(self, deal: StreetDeal, event: d.BoardDealt) -> bool:
        """Add cards to a street that is on the board. Return False if they are another deal."""
        return deal.continues_with(event, is_burned=bool(self.burns))

    def build_deal(
        self,
        version: int,
        event: d.BoardDealt,
        waiting: tuple[Seat, ...],
        *,
        able_count: int,
        is_matched: bool,
        is_dealt_again: bool,
    ) -> StreetDeal:
        """Return dealt cards, with the burns and shuffles before them."""
        returned_burns = self.returned_burns
        street_deal = StreetDeal(
            version,
            event,
            self.burns,
            waiting,
            self.shuffled,
            self.is_cut,
            is_matched,
            able_count,
            is_dealt_again,
            returned_burn_count=returned_burns,
        )
        self.forget_burns()
        return street_deal

    def add(self, deal: StreetDeal) -> None:
        """Add a street of the first board."""
        self.deals.append(deal)
        self.last[deal.event.street] = deal

    def withdraw(self, version: int, event: d.BoardWithdrawn) -> StreetDeal | None:
        """Take cards back. Return the street if none of its cards are left."""
        lying_deals = [
            deal
            for deal in (*self.deals, *self.later_runs)
            if deal.street == event.street and deal.withdrawn is None and deal.event.board == event.board
        ]
        # The cards show which run it was. If they are unknown, it was the last one.
        candidates = [deal for deal in lying_deals if deal.event.cards == event.cards] or lying_deals
        if not candidates:
            return None
        last_deal = max(candidates, key=lambda deal: deal.version)
        last_deal.take(version, event)
        return last_deal if last_deal.withdrawn else None
