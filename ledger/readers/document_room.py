"""A room's XML or JSON as tables: what each part of a hand tells, by its kind and with its members by name.

A part is an element with its attributes, or an object with its members. A row is a kind with what it needs:
`HAND_DEAL player={name} card={cards}`. What a field holds follows from its name (`FIELDS`), as in a text's phrases
(`ledger.readers.room`): `name` is who is dealt in, `amount` is chips, `chips` are some; any other is the member as written.
`{cards}` without a member is of the part itself, and where `{amount?}` is missing None stands for it. A row of which a
field is no such thing is not meant, and the next one of its kind is tried; a part without one is kept as unread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from ledger.hand.dealing import DealCompleted
from ledger.hand.ending import ResultDeclared
from ledger.hand.opening import ButtonPlaced, GameSet, NotDealtIn, TournamentSet
from ledger.people import People
from ledger.readers import acts
from ledger.readers.cards import BOARD, KNOWN, reader, streets_of
from ledger.readers.hand import SEATS, HandBuilder, Places
from ledger.readers.incomplete import nobody
from ledger.vocabulary import Cards, Chips, Millis, Seat, Street, split_cards

_read_cards: Final = reader(KNOWN)
_BOARD: Final = 2 * BOARD["river"][1]
POTS_MOST: Final = 30
_POTS: Final = frozenset(map(str, range(POTS_MOST)))


Members: TypeAlias = Mapping[str, Any]
"""The attributes of an element, or the members of an object."""
Tell: TypeAlias = Callable[..., bool | None]
"""Tells a part of a hand, which is given first and then the row's fields; False where it was not meant."""
Read: TypeAlias = Callable[[Any, Any], Any]
"""Reads what a field of a hand holds; None where its member is no such thing."""
Fields: TypeAlias = Mapping[str, Read]
Rows: TypeAlias = Sequence[tuple[str, Tell]]
Deeds: TypeAlias = Sequence[tuple[str, acts.Make]]


class Deed(NamedTuple):
    """How an act is told: the field that is its amount, "" = it has none, and whether only who still plays can do it."""

    make: acts.Make
    amount: str
    in_turn: bool


class Row(NamedTuple):
    """How a part is told, and of each of its fields the member, how it is read, and whether it may be missing."""

    tell: Tell
    fields: tuple[tuple[str, Read | None, bool], ...]


class Head(NamedTuple):
    """What is known of a hand before its parts are told."""

    number: str
    table: str
    game: GameSet
    tournament: str = ""
    costs: TournamentSet | None = None
    written: str = ""  # when it began, as it is written
    started: Millis | None = None
    chairs: int = 0
    witnesses: int = 0  # beside what all of the room's do
    venue: str = ""  # where it is another one than the room's


class Chair(NamedTuple):
    """What a part says of a chair."""

    seat: Seat
    name: str | None  # None = nobody sits there
    stack: Chips | None = None
    why: NotDealtIn | None = None  # no cards are dealt there; None = they are
    button: bool = False
    bounty: Chips = 0
    inferred: bool = False  # something of it is


class DocumentRoom(HandBuilder):
    """A hand told from a room's tables: who posts, who acts, and all else that its parts tell."""

    __slots__ = ("deal_told", "holds", "lain")

    VENUE: ClassVar[str] = ""
    WITNESSES: ClassVar[int] = 0
    """What the room's records tell whenever it happens; stakes and own cards are added where they are told."""
    CALLED: ClassVar[str] = "hand"
    """What the room calls a hand."""
    KIND: ClassVar[str] = "type"
    """The member that says what kind of part it is."""
    KINDS: ClassVar[Mapping[str, str]] = {}
    """Kinds of which another member says what they are: `{"HAND_BLINDS": "kind"}`."""
    WHO: ClassVar[str] = "player"
    """The member that says who posts or acts."""
    AMOUNT: ClassVar[str] = "value"
    """The member that holds the chips of a post or an act."""
    BALANCE: ClassVar[str] = ""
    """The member that holds what an act leaves its seat; "" = none does."""
    POSTS: ClassVar[Deeds] = ()
    """What moves chips without a turn, posts above all: `HAND_SB {chips}`."""
    DEEDS: ClassVar[Deeds] = ()
    """What is done in turn, behind the deal, by who has not folded: `ACTION_FOLD`, `ACTION_CALL {amount}`."""
    ROWS: ClassVar[Rows] = ()
    """All else that parts tell."""
    FIELDS: ClassVar[Fields] = {}
    """What fields of the room's own hold; others are those of `FIELDS`."""
    CHAIR: ClassVar[str] = "player"
    """What the room calls the part of a chair."""
    STREETS: ClassVar[Mapping[str, Street]] = {}
    """The room's words for a street with a board."""

    _deeds: ClassVar[Mapping[str, Deed]]
    _rows: ClassVar[Mapping[str, tuple[Row, ...]]]

    def __init_subclass__(cls) -> None:
        """Take the room's rows apart, once."""
        super().__init_subclass__()
        deeds = [(*row, False) for row in cls.POSTS] + [(*row, True) for row in cls.DEEDS]
        cls._deeds = {
            kind: Deed(make, field.strip(" {}"), in_turn)
            for template, make, in_turn in deeds
            for kind, _, field in [template.partition(" ")]
        }
        rows: dict[str, tuple[Row, ...]] = {}
        readers = {"name": cls.seat_by, "amount": cls.amount, "cards": cls.cards, **FIELDS, **cls.FIELDS}
        for template, tell in cls.ROWS:
            kind, *members = template.split()
            fields = [(member, readers.get(field), may_lack) for member, field, may_lack in map(_field, members)]
            rows[kind] = (*rows.get(kind, ()), Row(tell, tuple(fields)))
        cls._rows = rows

    def __init__(self, places: Places, people: People, venue: str, game: GameSet, at: int) -> None:
        super().__init__(places, people, venue, game, at)
        self.deal_told = False  # every seat has its cards
        self.holds: dict[Seat, Cards] = {}  # the cards of a seat, as last told
        self.lain: Cards = ""  # the cards of the board
        self.begin()

    def begin(self) -> None:
        """Know nothing yet of what only this room tells."""

    # -- what parts hold --------------------------------------------------------------------------

    def kind(self, found: Members) -> str | None:
        """Return what kind of part it is, None where it does not say so."""
        kind = found.get(self.KIND)
        if isinstance(kind, str) and kind in self.KINDS:
            kind = found.get(self.KINDS[kind])
        return kind if isinstance(kind, str) else None

    def seat_by(self, who: Any) -> Seat | None:  # noqa: ANN401 - a member may be anything
        """Return the seat of who is named so, None if nobody of that name is dealt in."""
        return self.seats.get(who) if isinstance(who, str) else None

    def amount(self, value: Any) -> Chips | None:  # noqa: ANN401 - as above
        """Return a member that is an amount, None where there is none."""
        return self.chips(value) if value else None

    def cards(self, value: Any) -> Cards | None:  # noqa: ANN401 - as above
        """Return cards as the room writes them, None where one of them is no card."""
        return _read_cards(value) if isinstance(value, str) else None

    def balance(self, value: Any) -> Chips | None:  # noqa: ANN401 - as above
        """Return a member that is what an act leaves its seat, None where there is none."""
        return self.amount(value)

    # -- parts ------------------------------------------------------------------------------------

    def tell_part(self, found: Members, part: Any) -> bool:  # noqa: ANN401 - a part of any notation
        """Tell a part, in which these members were found, at the place that is read; False where it was not meant so."""
        kind = self.kind(found)
        return kind is not None and self.tell_as(kind, found, part)

    def tell_as(self, kind: str, found: Members, part: Any) -> bool:  # noqa: ANN401 - as above
        """Tell a part of this kind; False where it was not meant so."""
        deed = self._deeds.get(kind)
        if deed is not None:
            return self.deed(found, deed)
        for tell, fields in self._rows.get(kind, ()):
            values = []
            for member, read, may_lack in fields:
                value = found.get(member) if member else part
                if read is not None:
                    value = read(self, value)
                if value is None and not may_lack:
                    break
                values.append(value)
            else:
                if tell(self, *values) is not False:
                    return True
        return False

    def deed(self, found: Members, deed: Deed) -> bool:
        """Tell a post or an act."""
        make, field, in_turn = deed
        seat = self.seat_by(found.get(self.WHO))
        if not seat or (in_turn and seat in self.folded):
            return False
        if in_turn and not self.deal_told:
            self.complete()
        if not field:
            return make(self, seat, 0, None) is not False
        amount = self.amount(found.get(self.AMOUNT))
        if amount is None or (not amount and field == "chips"):
            return False
        behind = self.balance(found.get(self.BALANCE)) if self.BALANCE else None
        if make(self, seat, amount, True if behind == 0 else None) is False:
            return False
        if behind is not None:
            self.put(ResultDeclared("balance", seat, behind))
        return True

    def complete(self) -> None:
        """Say that every seat has its cards, once."""
        if not self.deal_told:
            self.deal_told = True
            self.put(DealCompleted())

    def open_as(self, head: Head) -> None:
        """Say which hand this is."""
        known = self.WITNESSES | self.blinds_told | head.witnesses
        self.opened(head.table, head.number, known, head.started, head.written, head.chairs, head.tournament)

    def follows(self) -> None:
        """Tell nothing: it follows from what else is told."""

    # -- seats ------------------------------------------------------------------------------------

    def chair(self, part: Any) -> Chair | None:  # noqa: ANN401, ARG002 - a room knows its own chairs
        """Return what a part says of a chair, None where it is no such thing."""
        return None

    def point(self, part: Any) -> None:  # noqa: ANN401 - with its place, or without
        """Read a part: what is told of it has its place."""

    def refuse(self, part: Any) -> None:  # noqa: ANN401 - as above
        """Keep a part that nobody knows."""

    def take_seats(self, parts: Iterable[Any]) -> None:
        """Tell who sits where, as `chair` says of each part, and where the button lies."""
        button: tuple[Any, Seat] | None = None
        for part in parts:
            self.point(part)
            chair = self.chair(part)
            if chair is None:
                self.refuse(part)
                continue
            if chair.button:
                button = part, chair.seat
            if chair.name is None:
                continue
            if chair.inferred:
                self.inferred.append(len(self.events))
            if chair.why is None:
                self.sit(chair.seat, chair.name, chair.stack, bounty=chair.bounty)
            else:
                self.leave_out(chair.seat, chair.name, chair.stack, chair.why)
            self.beside(part)
        self.unlisted(parts)
        if self.deserted():
            raise nobody(f"the {self.CALLED} breaks off before its players")
        if button:
            self.has_button(*button)

    def point_at_head(self, part: Any) -> None:  # noqa: ANN401 - as above
        """Read the beginning of a part, without what stands in it."""
        self.point(part)

    def deserted(self) -> bool:
        """Tell whether the record breaks off before anybody sits there."""
        return not self.stacks

    def has_button(self, part: Any, seat: Seat | None) -> bool:  # noqa: ANN401 - as above
        """Tell where the button lies; False where that is no chair."""
        self.point_at_head(part)
        if seat and 0 < seat < SEATS:
            self.put(ButtonPlaced(seat))
            return True
        return False

    def beside(self, part: Any) -> None:  # noqa: ANN401 - as above
        """Tell what else the part of a chair says."""

    def unlisted(self, parts: Iterable[Any]) -> None:
        """Seat who acts without standing among the chairs."""

    def sit_unlisted(self, seat: Seat, name: str) -> None:
        """Seat somebody whom no chair names, without a stack."""
        self.inferred.append(len(self.events))
        self.sit(seat, name, None)

    def sit_on_free(self, taken: set[Seat], acting: Iterable[Any], name_of: Callable[[Any], str]) -> None:
        """Seat who acts and is not seated on chairs that are not taken, nobody knows which."""
        for part in acting:
            name = name_of(part)
            if name not in self.seats:
                self.point(part)
                seat = next((seat for seat in range(1, SEATS) if seat not in taken), 0)
                taken.add(seat)
                self.sit_unlisted(seat, name)

    def sit_by_chair(self, acting: Iterable[tuple[Any, Seat | None]], listed: set[Seat], number: str) -> None:
        """Seat who acts on a chair that is not listed: nameless, as which player of that hand it is nobody knows."""
        for part, seat in acting:
            if seat and seat < SEATS and seat not in listed:
                listed.add(seat)
                self.point_at_head(part)
                self.sit_unlisted(seat, f"? {number} {seat}")

    # -- cards ------------------------------------------------------------------------------------

    def lays(self, street: Street, cards: Cards) -> bool:
        """Deal the new cards of a street, of a part that tells all that lie there then."""
        self.complete()
        lying, behind = len(self.lain), 2 * BOARD[street][1]
        if not lying < behind <= len(cards):
            return False
        self.board(street, cards[lying:behind])
        if not cards.startswith(self.lain):
            self.put(ResultDeclared("board", cards=cards))  # other cards than were dealt before
        self.lain += cards[lying:behind]
        return True

    def deals_board(self, street: Street, cards: Cards) -> bool:
        """Deal the new cards of a street that is named."""
        self.complete()
        if cards:
            self.board(street, cards)
        return bool(cards)

    def comes(self, cards: Cards) -> bool:
        """Deal the cards that come next on a board: those of a street, or all that are left, as nobody acts between them."""
        lying, whole = len(self.lain), self.lain + cards
        streets = list(streets_of(whole, lying // 2))
        if sum(len(one) for _, one in streets) != len(cards) or (len(streets) != 1 and len(whole) < _BOARD):
            return False
        self.complete()
        self.lain = whole
        for street, one in streets:
            self.board(street, one)
        return True

    def exchanges(self, seat: Seat, count: int, cards: Cards | None) -> None:
        """Tell a draw whose part tells the whole hand then: each new card lies where the one did that was thrown away."""
        before = split_cards(self.holds.get(seat, ""))
        known = cards if cards and "?" not in cards else ""
        pairs = [pair for pair in zip(before, split_cards(known), strict=False) if pair[0] != pair[1]]
        if acts.exchanges(self, seat, count, pairs):
            self.holds[seat] = known


def pot_number(value: object) -> int | None:
    """Return the number of a pot, the main one is 0; None where it is none."""
    if isinstance(value, str) and value in _POTS:
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < POTS_MOST else None


def _field(text: str) -> tuple[str, str, bool]:
    """Take `player={name}` or `{amount?}` apart.

    >>> _field("player={name}"), _field("{cards?}")
    (('player', 'name', False), ('', 'cards', True))
    """
    member, _, field = text.rstrip("}").rpartition("{")
    return member.rstrip("="), field.rstrip("?"), field.endswith("?")


FIELDS: Final[Fields] = {
    "chips": lambda hand, value: hand.amount(value) or None,
    "street": lambda hand, value: hand.STREETS.get(value) if isinstance(value, str) else None,
    "pot": lambda _hand, value: pot_number(value),
    "count": lambda _hand, value: int(value) if str(value) in set("0123456789") else None,
}
"""What a field of that name holds, beside names, amounts and cards; None where its member is no such thing."""
