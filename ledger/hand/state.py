"""What is known of a hand at one moment. `fold` keeps the books here; the rest is worked out on demand.

A state holds what the events said, legal or not. Cards are worked out from `dealing` by
`ledger.hand.holdings`, who is due and what may be bet by `bounds`, the pots by `pots`.
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
from ledger.hand.variants import TRIPS_BEAT_STRAIGHTS, VARIANTS, Variant, variant
from ledger.vocabulary import Chips, PlayerId, Seat, Street, Witness

_PLAY: Final = int(Witness.POSTS | Witness.ACTS | Witness.BOARD | Witness.SHOWDOWN | Witness.AWARDS)
_BUTTON: Final = int(Witness.BUTTON)
_WRITTEN_BUTTON: Final = int(Witness.WRITTEN_BUTTON)
_STACKS: Final = int(Witness.STACKS_BEFORE)
_BLINDS: Final = int(Witness.BLIND_AMOUNTS)


class Oddity(NamedTuple):
    """An event that could be placed only in part, and why: it is kept, and no rule is applied."""

    reason: str  # "not-dealt-in", "dealt-in-twice", "acts-without-hand"
    event: Event


class HandState:
    """A hand as it stands after some of its events.

    A class with slots and not a struct: the fold writes here for every event, and the interpreter
    writes into plain slots three times faster.
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
    positions: Mapping[str, Seat | None]  # role of a blind → seat, as far as told
    skipped: list[o.BlindSkipped]
    posts: list[o.Post]
    table_events: list[Event]  # what `ledger.table.played` hands on besides: `steps.for_table`
    # betting and chips
    round: BettingRound  # of the present street
    rounds: list[BettingRound]  # those that are over, in their order
    chips: HandChips
    early_street: Street | None  # lies there before the betting of the present street is over
    moved_chips: Mapping[Seat, Chips]  # chips that motions brought on this street, and that no act has put in yet
    cash_outs: Mapping[Seat, Chips]  # from the house: cash-outs and insurance, net of their price
    sold_seats: AbstractSet[Seat]  # seats that sold their hand: what it wins goes to the house
    awards: list[e.PotAwarded]
    drops: list[e.DropTaken]
    # hands and cards
    live: set[Seat]  # seats that hold a hand
    killed_seats: AbstractSet[Seat]
    cleared_seats: AbstractSet[Seat]  # live at the showdown, and taken away as the hands that lost
    stated_all_in: AbstractSet[Seat]
    late_seats: AbstractSet[Seat]  # told to be back when blinds were posted, and before the cards
    dealing: list[holdings.CardEvent]
    board_count: holdings.BoardCount | None  # once a card of the board was taken back
    cached_holes: tuple[int, dict[Seat, list[str]]] | None  # of very many seats, and how many events that counts
    runs: int
    # how far it is
    deal_completed: bool
    showdown: bool
    misdealt: bool
    voided: bool
    completed: bool
    declarations: list[e.ResultDeclared]
    unread_lines: int  # lines that the reader did not know
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
        """The game; `VariantError` where it is not told or not known."""
        return self._house_variant(variant(self.game.variant if self.game else ""))

    @property
    def known_variant(self) -> Variant | None:
        """The game, None where it is not told or not known."""
        known_variant_row = VARIANTS.get(self.game.variant) if self.game else None
        return known_variant_row and self._house_variant(known_variant_row)

    def _house_variant(self, game: Variant) -> Variant:
        """Return the game as the house has it."""
        is_changed = game.high == "short-deck" and self.options.get("trips-beat-straights")
        return TRIPS_BEAT_STRAIGHTS if is_changed else game

    @property
    def seats(self) -> list[Seat]:
        """The dealt-in seats, clockwise from the lowest number."""
        return sorted(self.dealt)

    @property
    def players(self) -> dict[Seat, PlayerId]:
        """Who sits in each dealt-in seat."""
        return {seat: event.player for seat, event in self.dealt.items()}

    @property
    def start(self) -> dict[Seat, Chips | None]:
        """Each dealt-in seat's stack before any post; None = not told."""
        return {seat: event.stack for seat, event in self.dealt.items()}

    @property
    def folded(self) -> set[Seat]:
        """The dealt-in seats that gave up their hand themselves."""
        return self.dealt.keys() - self.live - self.killed_seats

    @property
    def is_spoiled(self) -> bool:
        """Whether a hand ended with a misdeal: nothing was dealt again, played or won after it."""
        return (
            self.misdealt
            and self.completed
            and not self.voided
            and not (self.deal_completed or self.round.actions or self.chips.awarded)
        )

    @property
    def is_unpaid(self) -> bool:
        """Whether chips went in, several hold hands and nobody was paid: who won is not on record."""
        has_payout = self.chips.awarded or self.cash_outs or self.chips.impounded
        return bool(not has_payout and len(self.live) > 1 and self.chips.pot() > 0)

    @property
    def witnesses(self) -> int:
        """What is on record of this hand as of a source that always records it: what it witnesses, and what is stated.

        Where a source records posts or play, a reader may have worked the button out of them: then it must be witnessed,
        or the source must say that a written button is a fact.
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
        """The seats that hold a hand and have no chip left to bet."""
        return {seat for seat in self.live if self.is_all_in(seat)}

    @property
    def boards(self) -> list[list[str]]:
        """The boards as far as they are dealt, by run, then by board; none dealt = one empty."""
        return list(holdings.boards(self.dealing).values())

    @property
    def burns(self) -> list[str]:
        """The burned cards in their order."""
        return holdings.list_burns(self.dealing)

    def is_in(self, seat: Seat) -> bool:
        """Whether the seat holds a hand."""
        return seat in self.live

    def is_all_in(self, seat: Seat) -> bool:
        """Whether the record or the chips say that the seat has nothing left to bet."""
        if seat in self.stated_all_in:
            return True
        event = self.dealt.get(seat)
        return event is not None and event.stack is not None and event.stack <= self.chips.put_in[seat]

    def can_bet(self, seat: Seat) -> bool:
        """Whether the seat may put in another chip: it has one, and has not put in all that the house allows a hand."""
        cap = self.options.get("bet-cap")
        return not (self.is_all_in(seat) or (isinstance(cap, int) and self.chips.put_in.get(seat, 0) >= cap))

    def live_seats(self) -> list[Seat]:
        """Return the seats that hold a hand, clockwise from the lowest number."""
        return sorted(self.live)

    def street_bet(self, seat: Seat) -> Chips:
        """Return the seat's live total on this street."""
        return self.round.bets.get(seat, 0)

    def stack_left(self, seat: Seat) -> Chips | None:
        """Return what the seat can still bet; None where its stack was not told."""
        event = self.dealt.get(seat)
        if event is None or event.stack is None:
            return None
        return max(0, event.stack - self.chips.put_in[seat])

    def stack(self, seat: Seat) -> Chips | None:
        """Return the seat's chips now, awards included; None where its stack was not told.

        Chips bought during the hand are not among them: they do not play in it.
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
        """Return the cards that the seat holds, as far as the record tells by now; `??` unknown."""
        if len(self.dealt) <= FEW_SEATS:
            return holdings.hole(self.dealing, seat)
        events = len(self.dealing)
        if self.cached_holes is None or self.cached_holes[0] != events:
            self.cached_holes = events, holdings.every_hole(self.dealing)
        return list(self.cached_holes[1].get(seat, ()))

    def up_cards(self, seat: Seat) -> list[str]:
        """Return the cards of the seat that lie face up by the deal (stud)."""
        return holdings.up_cards(self.dealing, seat)

    def pot_size(self) -> Chips:
        """Return the chips that are or were in the pot, less bets that went back."""
        return self.chips.pot()

    def conservation(self) -> Chips:
        """Return the chips that went in less those that came out; 0 = all accounted for.

        Where a seat sold its hand, what nobody was awarded went to the house.
        """
        unaccounted = self.chips.unaccounted()
        return 0 if self.sold_seats and unaccounted > 0 else unaccounted

    def copy(self) -> HandState:
        """Return a state of its own: what happens to one is not seen in the other."""
        twin = HandState.__new__(HandState)
        for name in self.__slots__:
            value = getattr(self, name)
            copied = value.copy() if isinstance(value, dict | list | set | holdings.BoardCount) else value
            setattr(twin, name, copied)
        twin.chips = self.chips.copy()
        twin.round = self.round.copy(twin.chips)
        return twin
