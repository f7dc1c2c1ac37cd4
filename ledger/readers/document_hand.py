"""Base class of hands in XML or JSON, read with tables: each kind of part has a handler, which gets its members by name.

A part is an XML element with its attributes, or a JSON object with its members. A row names a kind and the members that
it needs: `HAND_DEAL player={name} card={cards}`. A field's name says what it holds (`FIELDS`), as in the phrases of
`ledger.readers.phrase_hand`: `name` is a dealt-in player, `amount` is chips, `chips` is chips above 0, and any other
field is the member as written. `{cards}` without a member reads the part itself. A missing `{amount?}` is None. If a
member doesn't fit its field, the next row of that kind is tried. A part that fits no row is kept as unread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from ledger.hand.dealing import DealCompleted
from ledger.hand.ending import ResultDeclared
from ledger.hand.opening import ButtonPlaced, GameSet, NotDealtIn, TournamentSet
from ledger.people import People
from ledger.readers import acts
from ledger.readers.cards import CARD_WORDS, STREET_CARDS, build_card_reader, split_board
from ledger.readers.hand import SEATS, HandBuilder, Places
from ledger.readers.incomplete import no_players
from ledger.vocabulary import Cards, Chips, Millis, Seat, Street, split_cards

_read_cards: Final = build_card_reader(CARD_WORDS)
_BOARD_LENGTH: Final = 2 * STREET_CARDS["river"][1]
MAX_POTS: Final = 30
_POTS: Final = frozenset(map(str, range(MAX_POTS)))


Members: TypeAlias = Mapping[str, Any]
"""The attributes of an element, or the members of an object."""
RowHandler: TypeAlias = Callable[..., bool | None]
"""Adds the events of a part. Gets the hand, then the row's fields. Returns False if the part means something else."""
MemberReader: TypeAlias = Callable[[Any, Any], Any]
"""Parses a field's member. Gets the hand and the member; returns None if the member doesn't fit the field."""
MemberReaders: TypeAlias = Mapping[str, MemberReader]
PartRows: TypeAlias = Sequence[tuple[str, RowHandler]]
ActionRows: TypeAlias = Sequence[tuple[str, acts.ActionHandler]]


class ActionRow(NamedTuple):
    """How to read an act. `amount`: the field with its chips, or "". `in_turn`: only a player who hasn't folded can do it."""

    make: acts.ActionHandler
    amount: str
    in_turn: bool


class PartRow(NamedTuple):
    """How to read a part: its handler, and for each field the member, its reader, and whether it may be missing."""

    handler: RowHandler
    fields: tuple[tuple[str, MemberReader | None, bool], ...]


class DocumentHeader(NamedTuple):
    """The facts about a hand that come before its parts."""

    number: str
    table: str
    game: GameSet
    tournament: str = ""
    costs: TournamentSet | None = None
    written: str = ""  # the start time as written
    started: Millis | None = None
    chairs: int = 0
    witnesses: int = 0  # in addition to the room's `WITNESSES`
    venue: str = ""  # if it isn't the room's `VENUE`


class DocumentChair(NamedTuple):
    """A chair at the table, as a part of the record describes it."""

    seat: Seat
    name: str | None  # None = empty
    stack: Chips | None = None
    absence: NotDealtIn | None = None  # why the player isn't dealt in; None = dealt in
    has_button: bool = False
    bounty: Chips = 0
    inferred: bool = False  # part of this is inferred


class DocumentHand(HandBuilder):
    """A hand read with a room's tables: `POSTS`, `ACTIONS`, and `ROWS` for everything else."""

    __slots__ = ("board_cards", "hole_cards", "is_deal_complete")

    VENUE: ClassVar[str] = ""
    WITNESSES: ClassVar[int] = 0
    """The facts that the room always records when they happen. Stakes and own cards are added if the hand has them."""
    HAND_WORD: ClassVar[str] = "hand"
    """The room's word for a hand."""
    KIND_MEMBER: ClassVar[str] = "type"
    """The member with the kind of the part."""
    KINDS_MEMBERS: ClassVar[Mapping[str, str]] = {}
    """A kind → the member that holds its real kind: `{"HAND_BLINDS": "kind"}`."""
    PLAYER_MEMBER: ClassVar[str] = "player"
    """The member with the player who posts or acts."""
    AMOUNT_MEMBER: ClassVar[str] = "value"
    """The member with the chips of a post or an act."""
    BALANCE_MEMBER: ClassVar[str] = ""
    """The member with the stack after an act; "" = there is none."""
    POSTS: ClassVar[ActionRows] = ()
    """Parts that move chips out of turn, mostly posts: `HAND_SB {chips}`."""
    ACTIONS: ClassVar[ActionRows] = ()
    """Acts in turn, after the deal, of players who haven't folded: `ACTION_FOLD`, `ACTION_CALL {amount}`."""
    ROWS: ClassVar[PartRows] = ()
    """The handlers of all other parts."""
    FIELDS: ClassVar[MemberReaders] = {}
    """Readers of the room's own fields, in addition to the module's `FIELDS`."""
    CHAIR: ClassVar[str] = "player"
    """The room's word for the part that describes a chair."""
    STREETS: ClassVar[Mapping[str, Street]] = {}
    """The room's words for a street with a board."""

    _actions: ClassVar[Mapping[str, ActionRow]]
    _rows: ClassVar[Mapping[str, tuple[PartRow, ...]]]

    def __init_subclass__(cls) -> None:
        """Compile the room's rows, once per class."""
        super().__init_subclass__()
        deeds = [(*row, False) for row in cls.POSTS] + [(*row, True) for row in cls.ACTIONS]
        cls._actions = {
            kind: ActionRow(make, field.strip(" {}"), in_turn)
            for template, make, in_turn in deeds
            for kind, _, field in [template.partition(" ")]
        }
        rows: dict[str, tuple[PartRow, ...]] = {}
        readers = {"name": cls.find_seat, "amount": cls.parse_amount, "cards": cls.read_cards, **FIELDS, **cls.FIELDS}
        for template, handler in cls.ROWS:
            kind, *members = template.split()
            fields = [(member, readers.get(field), may_lack) for member, field, may_lack in map(_parse_field, members)]
            rows[kind] = (*rows.get(kind, ()), PartRow(handler, tuple(fields)))
        cls._rows = rows

    def __init__(self, places: Places, people: People, venue: str, game: GameSet, place: int) -> None:
        super().__init__(places, people, venue, game, place)
        self.is_deal_complete = False  # every seat has its cards
        self.hole_cards: dict[Seat, Cards] = {}  # the latest known cards of each seat
        self.board_cards: Cards = ""  # the cards of the board
        self.begin()

    def begin(self) -> None:
        """Set the fields that only this room has."""

    # -- what parts hold --------------------------------------------------------------------------

    def get_kind(self, members: Members) -> str | None:
        """Return the kind of a part, or None if it has none."""
        kind = members.get(self.KIND_MEMBER)
        if isinstance(kind, str) and kind in self.KINDS_MEMBERS:
            kind = members.get(self.KINDS_MEMBERS[kind])
        return kind if isinstance(kind, str) else None

    def find_seat(self, player_name: Any) -> Seat | None:  # noqa: ANN401 - a member may be anything
        """Return the seat of the dealt-in player with this name, or None."""
        return self.seats.get(player_name) if isinstance(player_name, str) else None

    def parse_amount(self, value: Any) -> Chips | None:  # noqa: ANN401 - as above
        """Parse a member as an amount; return None if it is empty."""
        return self.parse_chips(value) if value else None

    def read_cards(self, value: Any) -> Cards | None:  # noqa: ANN401 - as above
        """Parse cards in the room's notation; return None if one of them isn't a card."""
        return _read_cards(value) if isinstance(value, str) else None

    def parse_balance(self, value: Any) -> Chips | None:  # noqa: ANN401 - as above
        """Parse the member with the stack after an act; return None if it is empty."""
        return self.parse_amount(value)

    # -- parts ------------------------------------------------------------------------------------

    def read_part(self, members: Members, part: Any) -> bool:  # noqa: ANN401 - a part of any notation
        """Add the events of a part with these members; return False if no row fits."""
        kind = self.get_kind(members)
        return kind is not None and self.read_as(kind, members, part)

    def read_as(self, kind: str, members: Members, part: Any) -> bool:  # noqa: ANN401 - as above
        """Add the events of a part of this kind; return False if no row fits."""
        deed = self._actions.get(kind)
        if deed is not None:
            return self.read_action(members, deed)
        for handler, fields in self._rows.get(kind, ()):
            values = []
            for member, read, may_lack in fields:
                value = members.get(member) if member else part
                if read is not None:
                    value = read(self, value)
                if value is None and not may_lack:
                    break
                values.append(value)
            else:
                if handler(self, *values) is not False:
                    return True
        return False

    def read_action(self, members: Members, deed: ActionRow) -> bool:
        """Add a post or an act; return False if its player or amount doesn't fit."""
        make, field, in_turn = deed
        seat = self.find_seat(members.get(self.PLAYER_MEMBER))
        if not seat or (in_turn and seat in self.folded):
            return False
        if in_turn and not self.is_deal_complete:
            self.complete_deal()
        if not field:
            return make(self, seat, 0, None) is not False
        amount = self.parse_amount(members.get(self.AMOUNT_MEMBER))
        if amount is None or (not amount and field == "chips"):
            return False
        stack_after = self.parse_balance(members.get(self.BALANCE_MEMBER)) if self.BALANCE_MEMBER else None
        if make(self, seat, amount, True if stack_after == 0 else None) is False:
            return False
        if stack_after is not None:
            self.add_event(ResultDeclared("balance", seat, stack_after))
        return True

    def complete_deal(self) -> None:
        """Record once that every seat has its cards."""
        if not self.is_deal_complete:
            self.is_deal_complete = True
            self.add_event(DealCompleted())

    def open_with(self, head: DocumentHeader) -> None:
        """Add the event that opens the hand."""
        witnesses = self.WITNESSES | self.blind_witness | head.witnesses
        self.open_hand(head.table, head.number, witnesses, head.started, head.written, head.chairs, head.tournament)

    def ignore_part(self) -> None:
        """Add nothing: other parts contain the same fact."""

    # -- seats ------------------------------------------------------------------------------------

    def read_chair(self, part: Any) -> DocumentChair | None:  # noqa: ANN401, ARG002 - a room knows its own chairs
        """Return the chair that a part describes, or None if it isn't a chair."""
        return None

    def point_at(self, part: Any) -> None:  # noqa: ANN401 - with its place, or without
        """Use the part's place for the events that come next."""

    def keep_unknown(self, part: Any) -> None:  # noqa: ANN401 - as above
        """Keep an unknown part as unread."""

    def take_seats(self, parts: Iterable[Any]) -> None:
        """Seat the players that `read_chair` returns, and place the button."""
        button: tuple[Any, Seat] | None = None
        for part in parts:
            self.point_at(part)
            chair = self.read_chair(part)
            if chair is None:
                self.keep_unknown(part)
                continue
            if chair.has_button:
                button = part, chair.seat
            if chair.name is None:
                continue
            if chair.inferred:
                self.inferred.append(len(self.events))
            if chair.absence is None:
                self.seat_player(chair.seat, chair.name, chair.stack, bounty=chair.bounty)
            else:
                self.leave_seat_out(chair.seat, chair.name, chair.stack, chair.absence)
            self.read_chair_extras(part)
        self.seat_unlisted(parts)
        if self.has_no_players():
            raise no_players(f"the {self.HAND_WORD} breaks off before its players")
        if button:
            self.place_button(*button)

    def point_at_head(self, part: Any) -> None:  # noqa: ANN401 - as above
        """Use the place of the part's beginning, without its content, for the events that come next."""
        self.point_at(part)

    def has_no_players(self) -> bool:
        """Whether the record breaks off before its players."""
        return not self.stacks

    def place_button(self, part: Any, seat: Seat | None) -> bool:  # noqa: ANN401 - as above
        """Place the button; return False if that isn't a chair."""
        self.point_at_head(part)
        if seat and 0 < seat < SEATS:
            self.add_event(ButtonPlaced(seat))
            return True
        return False

    def read_chair_extras(self, part: Any) -> None:  # noqa: ANN401 - as above
        """Add the events of a chair's other members."""

    def seat_unlisted(self, parts: Iterable[Any]) -> None:
        """Seat the players who act but aren't in the list of chairs."""

    def seat_unlisted_player(self, seat: Seat, name: str) -> None:
        """Seat a player who isn't in the list of chairs, with an unknown stack."""
        self.inferred.append(len(self.events))
        self.seat_player(seat, name, None)

    def seat_on_free_chairs(
        self, occupied_seats: set[Seat], acting: Iterable[Any], name_of: Callable[[Any], str]
    ) -> None:
        """Seat the acting players without a seat on any free chairs: the record doesn't show which."""
        for part in acting:
            name = name_of(part)
            if name not in self.seats:
                self.point_at(part)
                seat = next((seat for seat in range(1, SEATS) if seat not in occupied_seats), 0)
                occupied_seats.add(seat)
                self.seat_unlisted_player(seat, name)

    def seat_by_chair(self, acting: Iterable[tuple[Any, Seat | None]], listed_seats: set[Seat], number: str) -> None:
        """Seat the players who act on unlisted chairs, under a stand-in name: the record doesn't name them."""
        for part, seat in acting:
            if seat and seat < SEATS and seat not in listed_seats:
                listed_seats.add(seat)
                self.point_at_head(part)
                self.seat_unlisted_player(seat, f"? {number} {seat}")

    # -- cards ------------------------------------------------------------------------------------

    def deal_from_whole_board(self, street: Street, cards: Cards) -> bool:
        """Deal the new cards of a street from a part that holds the whole board."""
        self.complete_deal()
        dealt_length, street_end = len(self.board_cards), 2 * STREET_CARDS[street][1]
        if not dealt_length < street_end <= len(cards):
            return False
        self.deal_board(street, cards[dealt_length:street_end])
        if not cards.startswith(self.board_cards):
            self.add_event(ResultDeclared("board", cards=cards))  # other cards than were dealt before
        self.board_cards += cards[dealt_length:street_end]
        return True

    def deal_street_board(self, street: Street, cards: Cards) -> bool:
        """Deal the new cards of a named street."""
        self.complete_deal()
        if cards:
            self.deal_board(street, cards)
        return bool(cards)

    def deal_next_cards(self, cards: Cards) -> bool:
        """Deal the next cards of the board: one street, or the remaining streets if nobody acts between them."""
        dealt_length, whole_board = len(self.board_cards), self.board_cards + cards
        streets = list(split_board(whole_board, dealt_length // 2))
        if sum(len(street_cards) for _, street_cards in streets) != len(cards) or (
            len(streets) != 1 and len(whole_board) < _BOARD_LENGTH
        ):
            return False
        self.complete_deal()
        self.board_cards = whole_board
        for street, street_cards in streets:
            self.deal_board(street, street_cards)
        return True

    def exchange_cards(self, seat: Seat, count: int, cards: Cards | None) -> None:
        """Read a draw from a part with the whole new hand: each new card is at the position of the discarded card."""
        old_cards = split_cards(self.hole_cards.get(seat, ""))
        new_cards = cards if cards and "?" not in cards else ""
        pairs = [pair for pair in zip(old_cards, split_cards(new_cards), strict=False) if pair[0] != pair[1]]
        if acts.exchange_cards(self, seat, count, pairs):
            self.hole_cards[seat] = new_cards


def parse_pot_number(value: object) -> int | None:
    """Return a pot's number, 0 for the main pot, or None if the value isn't one."""
    if isinstance(value, str) and value in _POTS:
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MAX_POTS else None


def _parse_field(text: str) -> tuple[str, str, bool]:
    """Split `player={name}` or `{amount?}` into the member, the field, and whether it may be missing.

    >>> _parse_field("player={name}"), _parse_field("{cards?}")
    (('player', 'name', False), ('', 'cards', True))
    """
    member, _, field = text.rstrip("}").rpartition("{")
    return member.rstrip("="), field.rstrip("?"), field.endswith("?")


FIELDS: Final[MemberReaders] = {
    "chips": lambda hand, value: hand.parse_amount(value) or None,
    "street": lambda hand, value: hand.STREETS.get(value) if isinstance(value, str) else None,
    "pot": lambda _hand, value: parse_pot_number(value),
    "count": lambda _hand, value: int(value) if str(value) in set("0123456789") else None,
}
"""A field's name → its reader. Names, amounts and cards have readers in the class."""
