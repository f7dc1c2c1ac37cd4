"""The state of a hand at one moment. `fold` updates it; everything else is computed on demand.

The state contains what the events say, legal or not. `ledger.hand.holdings` computes the cards from `dealing`, `bounds`
who is due and what may be bet, `pots` the pots.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from ledger.event import Event
from ledger.hand import ending as e
from ledger.hand import holdings
from ledger.hand import opening as o
from ledger.hand.betting_round import BettingRound, begin_round
from ledger.hand.chips import HandChips
from ledger.hand.seat_maps import FEW_SEATS, NO_ENTRIES, NO_SEATS
from ledger.hand.variants import TRIPS_BEAT_STRAIGHTS, VARIANTS, Variant, get_variant
from ledger.vocabulary import Chips, PlayerId, Seat, Street, Witness

_PLAY: Final = int(Witness.POSTS | Witness.ACTS | Witness.BOARD | Witness.SHOWDOWN | Witness.AWARDS)
_BUTTON: Final = int(Witness.BUTTON)
_WRITTEN_BUTTON: Final = int(Witness.WRITTEN_BUTTON)
_STACKS: Final = int(Witness.STACKS_BEFORE)
_BLINDS: Final = int(Witness.BLIND_AMOUNTS)


class Oddity(NamedTuple):
    """An event that could only be partly applied, and why. It is kept, and no rule is applied to it."""

    reason: str  # "not-dealt-in", "dealt-in-twice", "acts-without-hand"
    event: Event


class HandState:
    """A hand after some of its events.

    A class with slots and not a struct: the fold writes to it for every event, and plain slots are three times faster.
    """

    # the game and who plays
    opened: o.HandOpened | None
    game: o.GameSet | None
    tournament: o.TournamentSet | None
    options: Mapping[str, int | str]
    dealt: dict[Seat, o.SeatDealtIn]
    left_out: Mapping[Seat, o.SeatLeftOut]
    button: Seat | None
    has_button_record: bool  # the record says where the button is, or that there is none
    positions: Mapping[str, Seat | None]  # role of a blind → seat, if known
    skipped: list[o.BlindSkipped]
    posts: list[o.Post]
    table_events: list[Event]  # kept for `ledger.table.played`
    # betting and chips
    round: BettingRound  # of the present street
    rounds: list[BettingRound]  # the finished ones, in order
    chips: HandChips
    early_street: Street | None  # dealt before the betting of the present street is over
    moved_chips: Mapping[Seat, Chips]  # moved on this street, but not put in by an act yet
    cash_outs: Mapping[Seat, Chips]  # from the house: cash-outs and insurance, net of their price
    sold_seats: AbstractSet[Seat]  # that sold their hand, so the house gets its winnings
    awards: list[e.PotAwarded]
    drops: list[e.DropTaken]
    # hands and cards
    live: set[Seat]  # seats that hold a hand
    killed_seats: AbstractSet[Seat]
    cleared_seats: AbstractSet[Seat]  # losing hands at the showdown, which were cleared away
    stated_all_in: AbstractSet[Seat]
    late_seats: AbstractSet[Seat]  # whose players came back between the blinds and the cards
    dealing: list[holdings.CardEvent]
    board_count: holdings.BoardCount | None  # from the first time a board card was taken back
    cached_holes: tuple[int, dict[Seat, list[str]]] | None  # of very many seats, and the number of events it includes
    runs: int
    # progress
    deal_completed: bool
    showdown: bool
    misdealt: bool
    voided: bool
    completed: bool
    declarations: list[e.ResultDeclared]
    unread_lines: int  # lines that the reader didn't know
    corrections: int
    oddities: list[Oddity]

    __slots__ = tuple(__annotations__)

    def __init__(self) -> None:
        self.opened = self.game = self.tournament = self.button = self.board_count = self.early_street = (
            self.cached_holes
        ) = None
        self.has_button_record = self.deal_completed = False
        self.showdown = self.misdealt = self.voided = self.completed = False
        self.unread_lines = self.corrections = 0
        self.runs = 1
        self.chips = HandChips()
        self.round = begin_round("preflop", {}, self.chips)
        self.rounds = []
        self.killed_seats = self.cleared_seats = self.stated_all_in = self.sold_seats = self.late_seats = NO_SEATS
        self.options = self.left_out = self.positions = self.cash_outs = self.moved_chips = NO_ENTRIES
        self.skipped = []
        self.drops = []
        self.oddities = []
        self.table_events = []
        self.dealt = {}
        self.posts = []
        self.awards = []
        self.dealing = []
        self.declarations = []
        self.live = set()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HandState):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment] # it changes

    @property
    def street(self) -> Street:
        """The present street."""
        return self.round.street

    @property
    def variant(self) -> Variant:
        """The game. Raises `VariantError` if it is unknown."""
        return self._apply_house_options(get_variant(self.game.variant if self.game else ""))

    @property
    def known_variant(self) -> Variant | None:
        """The game, or None if it is unknown."""
        known_variant_row = VARIANTS.get(self.game.variant) if self.game else None
        return known_variant_row and self._apply_house_options(known_variant_row)

    def _apply_house_options(self, game: Variant) -> Variant:
        """Return the game with the house's options."""
        is_changed = game.high == "short-deck" and self.options.get("trips-beat-straights")
        return TRIPS_BEAT_STRAIGHTS if is_changed else game

    @property
    def seats(self) -> list[Seat]:
        """The dealt-in seats, clockwise from the lowest number."""
        return sorted(self.dealt)

    @property
    def players(self) -> dict[Seat, PlayerId]:
        """The player in each dealt-in seat."""
        return {seat: event.player for seat, event in self.dealt.items()}

    @property
    def start(self) -> dict[Seat, Chips | None]:
        """Each dealt-in seat's stack before any post; None = unknown."""
        return {seat: event.stack for seat, event in self.dealt.items()}

    @property
    def folded(self) -> set[Seat]:
        """The dealt-in seats that folded."""
        return self.dealt.keys() - self.live - self.killed_seats

    @property
    def is_spoiled(self) -> bool:
        """Whether a hand ended with a misdeal, without another deal, act or award."""
        return (
            self.misdealt
            and self.completed
            and not self.voided
            and not (self.deal_completed or self.round.actions or self.chips.awarded)
        )

    @property
    def is_unpaid(self) -> bool:
        """Whether chips went in, several hold hands and nobody was paid, so the winner isn't recorded."""
        has_payout = self.chips.awarded or self.cash_outs or self.chips.impounded
        return bool(not has_payout and len(self.live) > 1 and self.chips.pot() > 0)

    @property
    def witnesses(self) -> int:
        """The facts that this hand's record always has: those that the source witnesses, and those that are stated.

        If a source records posts or play, its reader may have inferred the button. Then the button counts only if it is
        witnessed, or if the source says that a written button is a fact.
        """
        witnessed = 0 if self.opened is None else self.opened.witnesses
        if witnessed & _PLAY:
            return witnessed | _BUTTON if witnessed & _WRITTEN_BUTTON and self.has_button_record else witnessed
        stacks = self.start.values()
        witnessed |= _BUTTON if self.has_button_record else 0
        witnessed |= _STACKS if stacks and None not in stacks else 0
        return witnessed | (_BLINDS if self.game is not None and self.game.blinds else 0)

    @property
    def acted(self) -> set[Seat]:
        """The seats that acted of their own will on this street."""
        return {abs(seat) for seat in self.round.actions}

    @property
    def all_in(self) -> set[Seat]:
        """The seats that hold a hand and have no chips left."""
        return {seat for seat in self.live if self.is_all_in(seat)}

    @property
    def boards(self) -> list[list[str]]:
        """The boards so far, by run and board. Without cards, there is one empty board."""
        return list(holdings.list_boards(self.dealing).values())

    @property
    def burns(self) -> list[str]:
        """The burned cards in their order."""
        return holdings.list_burns(self.dealing)

    def is_in(self, seat: Seat) -> bool:
        """Whether the seat holds a hand."""
        return seat in self.live

    def is_all_in(self, seat: Seat) -> bool:
        """Whether the seat has nothing left to bet, by the record or by its chips."""
        if seat in self.stated_all_in:
            return True
        event = self.dealt.get(seat)
        return event is not None and event.stack is not None and event.stack <= self.chips.put_in[seat]

    def can_bet(self, seat: Seat) -> bool:
        """Whether the seat has chips, and may put in more under the house's cap."""
        cap = self.options.get("bet-cap")
        return not (self.is_all_in(seat) or (isinstance(cap, int) and self.chips.put_in.get(seat, 0) >= cap))

    def live_seats(self) -> list[Seat]:
        """Return the seats that hold a hand, clockwise from the lowest number."""
        return sorted(self.live)

    def street_bet(self, seat: Seat) -> Chips:
        """Return the seat's live total on this street."""
        return self.round.bets.get(seat, 0)

    def stack_left(self, seat: Seat) -> Chips | None:
        """Return the chips that the seat can still bet; None if its stack is unknown."""
        event = self.dealt.get(seat)
        if event is None or event.stack is None:
            return None
        return max(0, event.stack - self.chips.put_in[seat])

    def stack(self, seat: Seat) -> Chips | None:
        """Return the seat's chips now, including awards; None if its stack is unknown.

        Chips bought during the hand aren't included: they don't play in it.
        """
        event = self.dealt.get(seat)
        if event is None:
            left_out = self.left_out.get(seat)
            return left_out.stack if left_out else None
        if event.stack is None:
            return None
        chips = self.chips
        return event.stack - chips.put_in[seat] + chips.awarded.get(seat, 0) + self.cash_outs.get(seat, 0)

    def hole_cards(self, seat: Seat) -> list[str]:
        """Return the cards that the seat holds, as far as known; `??` for an unknown one."""
        if len(self.dealt) <= FEW_SEATS:
            return holdings.list_hole_cards(self.dealing, seat)
        events = len(self.dealing)
        if self.cached_holes is None or self.cached_holes[0] != events:
            self.cached_holes = events, holdings.list_all_hole_cards(self.dealing)
        return list(self.cached_holes[1].get(seat, ()))

    def up_cards(self, seat: Seat) -> list[str]:
        """Return the cards of the seat that lie face up by the deal (stud)."""
        return holdings.list_up_cards(self.dealing, seat)

    def pot_size(self) -> Chips:
        """Return the chips that are or were in the pot, without returned bets."""
        return self.chips.pot()

    def conservation(self) -> Chips:
        """Return the chips put in less those taken out; 0 = all accounted for.

        If a seat sold its hand, the house gets what nobody was awarded.
        """
        unaccounted = self.chips.unaccounted()
        return 0 if self.sold_seats and unaccounted > 0 else unaccounted

    def copy(self) -> HandState:
        """Return an independent copy."""
        twin = HandState.__new__(HandState)
        for name in self.__slots__:
            value = getattr(self, name)
            copied = value.copy() if isinstance(value, dict | list | set | holdings.BoardCount) else value
            setattr(twin, name, copied)
        twin.chips = self.chips.copy()
        twin.round = self.round.copy(twin.chips)
        return twin
