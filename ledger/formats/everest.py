"""The XML of Everest Poker, as its client stored it.

`docs/formats/everest.md` has the table from element to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, DropTaken, HandCompleted, ResultDeclared
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.people import People
from ledger.presence import WordsSaid
from ledger.readers import amounts, games, markup
from ledger.readers.cards import KNOWN, reader, unknown
from ledger.readers.hand import nobody
from ledger.readers.marked import Source, Tag, plain, values
from ledger.readers.markup import Part, XmlHandBuilder
from ledger.vocabulary import Chips, Millis, Seat, Street, Witness

VENUE: Final = "Everest"

WITNESSES: Final = Witness.of(
    "BUTTON POSTS POST_LIVENESS STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP RETURNED_BETS CHAT"
)
"""What the files record whenever it happens.

`BLIND_AMOUNTS` is added where the stakes are blinds, `OWN_CARDS` where the file's owner has cards.
"""

BOARDS: Final[tuple[tuple[Street, int], ...]] = (("flop", 3), ("turn", 1), ("river", 1))
"""Community cards by how many were dealt before: their street, and how many come with it."""

cards: Final = reader({**KNOWN, **unknown("--", "??")})
"""Returns `10h, Kd` as cards; None where one of them is no card."""

HUNDREDTHS: Final = 2
"""In what elements count: cents, and in tournaments hundredths of a chip."""

_MOST: Final = 200
_WORDS_MOST: Final = 2000
_DIGITS_MOST: Final = 12
_SECONDS_MOST: Final = 11
_BLANK: Final = " \t\r\n\0\ufeff\x1a"


def chips(text: str) -> Chips | None:
    """Return an amount, which is a whole number of cents; None if it is none."""
    bare = text.strip()
    return int(bare) if bare.isascii() and bare.isdecimal() and len(bare) < _DIGITS_MOST else None


def stakes(text: str) -> tuple[Chips, ...]:
    """Return the two amounts of `0,01 €/0,02 €`, () if there are none."""
    found = [amounts.maybe("".join(one.split()), HUNDREDTHS) for one in text.split("/")]
    return tuple(one for one in found if one is not None) if len(found) < 3 and None not in found else ()


def moment(text: str) -> Millis | None:
    """Return a moment that is written in seconds since 1970; None if it is none."""
    return int(text) * 1000 if text.isascii() and text.isdecimal() and len(text) < _SECONDS_MOST else None


@dataclass(slots=True)
class Element:
    """A tag with the text behind it."""

    tag: Tag
    found: dict[str, str]
    text: str
    stop: int  # where the text ends
    seat: Seat | None  # the chair in `position`

    def get(self, name: str) -> str:
        """Return an attribute, "" if there is none."""
        return self.found.get(name, "")


def _elements(source: Source, part: Part) -> list[Element]:
    """Return a hand's elements, the one with which it begins first; ends of tags only with a text behind."""
    inner, bare = part.inner, source.bare
    stops = [tag.start for tag in inner]
    stops.append(part.stop)
    found = []
    for tag, stop in zip(inner, stops[1:], strict=True):
        name, _, at = tag
        text, words = "", bare[at:stop]
        if words and not words.isspace():
            words = words.rstrip(_BLANK)
            text = plain(source.meant(words)).strip()
            at += len(words)
        elif name[0] == "/":
            continue  # an end says nothing
        said = values(source, tag)
        chair = markup.count(said.get("position", ""))  # the first one is 0
        found.append(Element(tag, said, text, at, None if chair is None else chair + 1))
    return found


@dataclass(frozen=True, slots=True)
class Session:
    """The facts that all hands of a session share."""

    table: str
    tournament: str
    variant: str
    betting: Betting
    unit: str
    written: str


def _session(source: Source, head: list[Tag]) -> Session:
    """Read a session's tag. A game that nobody knows raises `UnreadableHandError`."""
    found = values(source, next(one for one in head if one.name == "session"))
    game, limit = found.get("game", "").strip()[:_MOST], found.get("gametype", "").strip()[:_MOST]
    variant = games.variant(game.lower().removesuffix("tournament").strip(" -"), games.FLOP)
    betting = games.LIMITS.get(limit.lower().replace("-", " "))
    if variant is None or betting is None:
        raise games.unknown_game(game, limit)
    table = found.get("tablename", "").strip()[:_MOST]
    ring = found.get("type", "ring").strip().lower() == "ring"
    unit = amounts.currency(found.get("money", "")) or "chips" if ring else "chips"
    return Session(
        table, "" if ring else found.get("id", "").strip()[:_MOST] or table, variant, betting, unit, f"{game} {limit}"
    )


class Game(XmlHandBuilder):
    """The hand being told."""

    def __init__(self, source: Source, people: People, game: GameSet, begins: Tag) -> None:
        super().__init__(source, people, VENUE, game, begins)
        self.streets = 0  # how many of the board's were dealt
        self.total: tuple[Tag, Chips, Chips, Chips] | None = None  # the last pot, its rake, its tax


Make: TypeAlias = Callable[[Game, Element], bool]
"""Tells an element; False where it says nothing that can be."""


def _known(told: Game, one: Element) -> Seat:
    """Return the seat of an element, 0 if it is not in the hand."""
    seat = one.seat
    return seat if seat is not None and seat in told.stacks else 0


def _seen(_told: Game, _one: Element) -> bool:
    """Tell nothing: seats and the button are told before."""
    return True


def _blind(told: Game, one: Element) -> bool:
    """Post: by its amount the small or the big blind, an entry if that was posted; a penalty is dead."""
    seat, amount, penalty = _known(told, one), chips(one.get("amount")), chips(one.get("penalty"))
    if not seat or amount is None:
        return False
    if penalty:
        told.post(seat, "makeup-small", 0, penalty)
    small = told.game.blinds[0] if len(told.game.blinds) == 2 else 0
    first = not told.first_small and not told.big
    if not amount:
        return bool(penalty)
    if first and (amount <= small if small else len(told.stacks) > 1):
        told.post(seat, "small", amount)
    elif not told.big:
        told.post(seat, "big", amount)
    elif small and amount <= small:
        told.post(seat, "makeup-small", 0, amount)
    else:
        told.post(seat, "entry", amount)
    return True


def _ante(told: Game, one: Element) -> bool:
    seat, amount = _known(told, one), chips(one.get("amount"))
    if not seat or not amount:
        return False
    told.ante(seat, amount)
    return True


def _no_blind(told: Game, one: Element) -> bool:
    """Note that a seat does not post; which blind was due is not said."""
    return _remark(told, one) and one.seat is not None


def _remark(told: Game, one: Element) -> bool:
    """Note an element as it is written: what somebody won in the tournament is no part of the hand."""
    told.remark(one.tag)
    return True


def _hole(told: Game, one: Element) -> bool:
    seat, card = _known(told, one), cards(one.text)
    if not seat or card is None:
        return False
    if card != "??":
        told.own = True
        told.put(HoleCardsDealt(seat, card))
    return True


def _fold(told: Game, one: Element) -> bool:
    seat = _known(told, one)
    if not seat or seat in told.folded:
        return False
    told.deal_complete()
    told.fold(seat)
    return True


def _bet(told: Game, one: Element) -> bool:
    """Check, bet, call or raise: the amount is the chips added, and the bet before shows which."""
    seat, amount = _known(told, one), chips(one.get("amount"))
    if not seat or amount is None or seat in told.folded:
        return False
    told.deal_complete()
    if amount:
        told.wager(seat, told.bets[seat] + amount)
    else:
        told.check(seat)
    return True


def _push(told: Game, one: Element) -> bool:
    seat, amount = _known(told, one), chips(one.get("amount"))
    if not seat or amount is None:
        return False
    told.give_back(seat, amount)
    return True


def _sweep(told: Game, one: Element) -> bool:
    """Keep the pot after a street, with what was taken of it so far: the last one is declared."""
    pot, rake, tax = chips(one.text), chips(one.get("rake") or "0"), chips(one.get("tax") or "0")
    if pot is None or rake is None or tax is None:
        return False
    told.total = one.tag, pot, rake, tax
    return True


def _community(told: Game, one: Element) -> bool:
    """Deal a street, or all that are left: nobody acts between them then."""
    found, left = cards(one.text) or "", BOARDS[told.streets :]
    if not left or len(found) not in (2 * left[0][1], 2 * sum(count for _, count in left)):
        return False
    told.deal_complete()
    while found:
        street, count = BOARDS[told.streets]
        told.streets += 1
        told.board(street, found[: 2 * count])
        found = found[2 * count :]
    return True


def _show(told: Game, one: Element) -> bool:
    seat, found = _known(told, one), cards(one.text)
    if not seat or found is None:
        return False
    told.put(CardsShown(seat, found))
    return True


def _no_show(told: Game, one: Element) -> bool:
    seat = _known(told, one)
    if seat:
        told.put(CardsMucked(seat, declined=True))
    return bool(seat)


def _win(told: Game, one: Element) -> bool:
    seat, amount, pot = _known(told, one), chips(one.get("amount")), chips(one.get("pot"))
    if not seat or amount is None:
        return False
    told.award(seat, amount, pot if pot is None or pot < 20 else None)
    return True


def _chat(told: Game, one: Element) -> bool:
    name = one.get("name")
    if (at := moment(one.get("time"))) is not None:
        told.times[len(told.events)] = at
    words = told.people.text(one.text[:_WORDS_MOST])
    told.put(WordsSaid(words, told.seats.get(name), told.player(name) if name else ""))
    return True


_ACTS: Final[dict[str, Make]] = {
    "seat": _seen,
    "dealer": _seen,
    "blind": _blind,
    "ante": _ante,
    "xblind": _no_blind,
    "hole": _hole,
    "fold": _fold,
    "bet": _bet,
    "push": _push,
    "sweep": _sweep,
    "community": _community,
    "show": _show,
    "xshow": _no_show,
    "win": _win,
    "chat": _chat,
    "prize": _remark,
}
"""An element, small letters → how it is told."""

BUSY: Final = frozenset(("ante", "blind", "hole", "fold", "bet"))
"""Elements of who is dealt in."""

_TEXTS = frozenset(("hole", "sweep", "community", "show", "chat"))
"""Elements that have a text."""


def _tell(source: Source, found: list[Element], known: Session, people: People, _exponent: int | None) -> Game:
    """Tell a hand. What is damaged raises `UnreadableHandError`."""
    own, written = found[0].found, found[0].get("time").strip()[:_MOST]
    number = markup.number(own, "hand")
    told = Game(source, people, _game(own, known), found[0].tag)
    if known.tournament:
        told.put(TournamentSet(written=known.table))
    _seats(told, found, number)
    for one in found[1:]:
        _element(told, one)
    if found[0].text:
        told.strange(found[0].tag.stop, found[0].stop)
    _settle(told)
    witnesses = WITNESSES | told.blinds_told
    told.opened(known.table, number, witnesses, moment(written), written, tournament=known.tournament)
    return told


def _game(found: dict[str, str], known: Session) -> GameSet:
    return GameSet(
        known.variant,
        known.betting,
        "tournament" if known.tournament else "cash",
        known.unit,
        HUNDREDTHS,
        stakes(found.get("blinds", "")),
        0,
        stakes(found.get("stakes", "")) if known.betting == "limit" else (),
        0,
        known.written,
    )


def _element(told: Game, one: Element) -> None:
    name = one.tag.name
    if name in _TEXTS:
        told.place(one.tag, one.stop)
    else:
        told.place(one.tag)
    make = _ACTS.get(name)
    if make is not None and not make(told, one):
        told.strange(one.tag.start, one.stop)
    elif make is None and name[0] != "/":
        told.strange(one.tag.start, one.tag.stop)
    if one.text and name not in _TEXTS:
        told.strange(one.tag.stop, one.stop)


def _seats(told: Game, found: list[Element], number: str) -> None:
    """Tell who sits where: who gets no card and does nothing is not dealt in."""
    busy = {one.seat for one in found if one.tag.name in BUSY}
    begun = any(one.tag.name == "hole" for one in found)
    listed: set[Seat] = set()
    for one in sorted((one for one in found if one.tag.name == "seat"), key=lambda e: e.seat or 0):
        told.place(one.tag)
        seat = one.seat
        if seat is None:
            told.strange(one.tag.start, one.tag.stop)
            continue
        listed.add(seat)
        stack = chips(one.get("balance"))
        if seat in busy or not begun:
            told.sit(seat, one.get("name"), stack)
        else:
            told.leave_out(seat, one.get("name"), stack, "no-chips" if stack == 0 else "unknown")
    told.sit_unlisted(((one.tag, one.seat) for one in found if one.tag.name in BUSY), listed, number)
    if not told.stacks:
        raise nobody("the hand breaks off before its players")
    dealer = next((one for one in found if one.tag.name == "dealer"), None)
    if dealer is not None and not told.place_button(dealer.tag, dealer.seat):
        told.strange(dealer.tag.start, dealer.tag.stop)


def _settle(told: Game) -> None:
    """Tell rake and tax as the last pot declares them. A hand that pays nobody is not over."""
    told.close_bets()
    if not told.paid:
        return
    if told.total is not None:
        tag, pot, rake, tax = told.total
        told.place(tag)
        told.drop("rake", rake)
        if tax:
            told.taken += tax
            told.put(DropTaken("tax", tax))
        told.put(ResultDeclared("total-pot", amount=pot + rake + tax))
    told.return_bets()
    told.at = told.whole
    told.put(HandCompleted())


FORMAT: Final = markup.xml_format(
    "everest",
    "Everest Poker XML",
    markup.together(
        "hand",
        "session",
        _session,
        _elements,
        _tell,
        missing="Which game is played, and where, stands in the session before a file's hands.",
    ),
    markup.sniffer(
        ("<SESSION ", "<HAND "), ("<SESSION time=", "<HAND time=", "<SEAT position=", "tableName="), (0, 40, 70, 95, 98)
    ),
    "<HAND ",
    "<SESSION",
)
