"""888poker's text to events, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import islice
from typing import Final

from ledger.formats.pacific import header
from ledger.formats.pacific.hand import (
    CARD_ACTS,
    PLAIN,
    POSTS,
    SIMPLE_ACTS,
    Act,
    ForeignCardError,
    Hand,
    dead_blind,
    dealt,
)
from ledger.formats.pacific.header import Head, begins
from ledger.formats.pacific.words import ENGLISH, MARK, PREFACE, SECOND, STREETS, TONGUES, VENUE, WITNESSES, Tongue
from ledger.hand.dealing import DealCompleted
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import ButtonPlaced, GameSet, HandOpened, OptionSet, TournamentSet
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.presence import WordsSaid
from ledger.readers import amounts, reading, settling
from ledger.readers.hand import HandBuilder
from ledger.readers.reading import Grammar, Page
from ledger.readers.signatures import ROOMS
from ledger.vocabulary import Witness

_ENDS: Final = tuple(head for head, _ in ROOMS if not head.startswith(("#Game", "***** Cassava", "***** 888")))


def sniff(head: bytes) -> int:
    """Tell how sure it is that these first bytes are 888poker's."""
    text = head.decode("utf-8", "replace")
    at = text.find(MARK)
    while at >= 0:
        start = text.rfind("\n", 0, at) + 1
        if begins(text[start : at + 60].partition("\n")[0]):
            return 95
        at = text.find(MARK, at + 1)
    return 0


class _Choice:
    """The language that the cards of a chunk turned out to be in."""

    def __init__(self) -> None:
        self.tongue = ENGLISH


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects.

    The client writes cards in the language of its user, and some cards mean one thing in one
    language and something else in another. So what one hand tells of the language holds for all:
    those that were read in English before it are read again.
    """
    choice = _Choice()
    grammar = Grammar(begins, _ENDS, partial(_tell, choice), PREFACE, "*\ufeff \t")
    items: list[Item] = []
    before = 0
    for item in reading.read(grammar, chunk, people):
        if choice.tongue is ENGLISH:
            before += 1
        items.append(item)
    if choice.tongue is not ENGLISH and before:
        items[:before] = islice(reading.read(grammar, chunk, people), before)
    yield from items


def _tell(choice: _Choice, page: Page) -> HandBuilder:
    """Read one hand, in the language of its chunk or, where that does not fit, in its own."""
    text = page.lines.text
    k = page.first
    while not begins(text[k]):
        k += 1
    head = header.read(text, k, page.after)
    try:
        return _told(page, head, choice.tongue, strict=True)
    except ForeignCardError:
        tongue = _tongue(text[head.body : page.after])
    if tongue is None or tongue is choice.tongue:
        return _told(page, head, choice.tongue, strict=False)
    hand = _told(page, head, tongue, strict=False)
    if choice.tongue is ENGLISH:
        choice.tongue = tongue
    return hand


def _tongue(lines: list[str]) -> Tongue | None:
    """Return the first language in which all cards of these lines are cards."""
    words: list[str] = []
    for line in lines:
        bare = line.rstrip()
        before, _, group = bare.rpartition("[")
        shown = before.rstrip().endswith((" shows", " mucks", "**"))
        if bare.endswith("]") and (shown or line.startswith("Dealt to ")):
            words += group[:-1].replace(",", " ").split()
    return next((one for one in TONGUES if all(word in one.cards for word in words)), None)


def _told(page: Page, head: Head, tongue: Tongue, *, strict: bool) -> Hand:
    game = _game(page, head)
    hand = Hand(page.lines, page.people, game, page.first, tongue, strict=strict)
    hand.at = head.line
    place = head.place
    if place and place.tournament:
        hand.put(_tournament(place))
    hand.put(game)
    if head.snap:
        hand.put(OptionSet("other", "snap"))
    for line, seat, name, stack in head.seats:
        hand.at = line
        hand.take(seat, name, hand.amount(stack))
    if head.button is not None:
        hand.at = head.button_line
        hand.put(ButtonPlaced(head.button))
    _body(hand, head.body, page.after)
    _finish(hand)
    witnesses = WITNESSES | (int(Witness.OWN_CARDS) if hand.own else 0)
    table, chairs, tournament = (place.table, place.chairs, place.tournament) if place else ("", 0, "")
    hand.open(HandOpened(VENUE, table, head.number, witnesses, None, head.written, chairs, tournament))
    return hand


def _game(page: Page, head: Head) -> GameSet:
    found, place = head.game, head.place
    tournament = place is not None and bool(place.tournament)
    unit = "chips" if tournament else found.unit
    if not unit or (place is not None and place.play and not tournament):
        unit = "play"
    exponent = page.exponent
    if exponent is None:
        exponent = 0 if unit == "chips" else 2  # play money has hundredths here
    return _game_set(found, unit, exponent, tournament=tournament)


@lru_cache(maxsize=10_000)
def _game_set(found: header.Game, unit: str, exponent: int, *, tournament: bool) -> GameSet:
    blinds = tuple(amounts.read(one, exponent) for one in found.stakes)
    # The two bets of a fixed limit are not written here, and they are no multiples of the blinds: with
    # blinds of 0.06 and 0.12 the room plays bets of 0.12 and 0.25.
    return GameSet(
        found.variant,
        found.betting,
        "tournament" if tournament else "cash",
        unit,
        exponent,
        blinds,
        0,
        (),
        0,
        found.written,
    )


def _tournament(place: header.Place) -> TournamentSet:
    prices = [amounts.maybe(header.clean(one), 2) for one in place.prices]
    currency = amounts.currency(place.price)
    if not prices:
        return TournamentSet("", 0, 0, None, "", place.price)
    return TournamentSet("", prices[0], prices[1] if len(prices) > 1 else None, None, currency, place.price)


def _body(hand: Hand, k: int, after: int) -> None:
    """Read from behind the seat list to the hand's end."""
    text, seats, known = hand.text, hand.seats, hand.known
    for k in range(k, after):  # noqa: B020, PLR1704 - the same lines, from here on
        line = text[k].rstrip()
        hand.at = k
        name, _, rest = line.partition(" ")
        told = known.get(rest)
        if told is not None and (seat := seats.get(name)):
            told[0](hand, seat, *told[1])
        elif (
            line and not (line[:2] == "**" and _heading(hand, line)) and not (line[-1] == "]" and _bracket(hand, line))
        ):
            _other(hand, line)


def _bracket(hand: Hand, line: str) -> bool:
    """Read a line that ends in brackets: amounts, posts, cards; False where it is none of these."""
    head, _, inner = line[:-1].rpartition("[")
    head = head.rstrip()
    name, _, word = head.rpartition(" ")
    seat = hand.seats.get(name, 0)
    if seat and word in SIMPLE_ACTS:
        return _act(hand, line, name, SIMPLE_ACTS[word], inner)
    if seat and word in CARD_ACTS:
        cards = hand.cards(inner)
        if cards:
            CARD_ACTS[word](hand, seat, cards)
        return bool(cards)
    if head.startswith("Dealt to "):
        seat = hand.seats.get(head[9:], 0) or hand.seats.get(head[9:].strip(), 0)
        cards = hand.cards(inner)
        if seat and cards:
            dealt(hand, seat, cards)
        return bool(seat and cards)
    if head.endswith(" posts dead blind"):
        seat = hand.seats.get(head[:-17], 0)
        if seat:
            dead_blind(hand, seat, inner)
        return bool(seat)
    for words, act in POSTS.items():
        if head.endswith(words) and head[: -len(words)] in hand.seats:
            return _act(hand, line, head[: -len(words)], act, inner)
    return _of_run(hand, head, inner)


def _of_run(hand: Hand, head: str, amount: str) -> bool:
    """Read `Primo runout Ada collected [ 925 ]`: what a seat wins with the board of one run."""
    which, runout, winner = head.removesuffix(" collected").partition(" runout ")
    if not runout or not head.endswith(" collected") or winner not in hand.seats:
        return False
    run = 2 if which.lower().startswith(SECOND) else 1
    hand.award(hand.seats[winner], hand.amount(amount), run=run)
    hand.ended = hand.at
    return True


def _act(hand: Hand, line: str, name: str, act: Act, amount: str) -> bool:
    """Tell an act with an amount, and remember how."""
    value = hand.amount(amount)
    act(hand, hand.seats[name], value)
    hand.remember(name, line, act, value)
    return True


@lru_cache(maxsize=100)
def _what(title: str) -> str:
    """Return what ` Dealing flop ` heads: `flop`."""
    return title.strip().lower().removeprefix("dealing").lstrip()


def _heading(hand: Hand, line: str) -> bool:
    """Read `** Dealing flop ** [ 3s, 9d, Ts ]`, `** Dealing down cards **`, `** Summary **`."""
    title, _, rest = line[2:].partition("**")
    what = _what(title)
    street = STREETS.get(what)
    if street is not None and "[" in rest:
        cards = hand.cards(rest.strip(" :[]"))
        if cards is None:
            return False
        hand.board(street, cards)
    elif what in ("down cards", "hole cards", "cards") and not rest.strip(" :"):
        hand.not_dealt_in()
        hand.put(DealCompleted())
    elif what == "summary":
        hand.close_bets()
        hand.summary = True
        hand.ended = hand.at
    else:
        return False
    return True


def _other(hand: Hand, line: str) -> None:
    """Read a line of any other kind."""
    for name in hand.named(line):
        rest = line[len(name) :]
        told = PLAIN.get(rest.strip().rstrip("."))
        if told is not None:
            told(hand, hand.seats[name])
            hand.remember(name, line, told)
            return
        if rest[:2] == ": ":
            words = hand.people.text(rest[2:].strip())
            hand.put(WordsSaid(words, hand.seats[name], hand.player(name)))
            return
    if line.startswith(("(Hi:", "(Lo:")):
        hand.remark()
    elif not line.startswith("#Game No"):
        hand.unread(line)


def _finish(hand: Hand) -> None:
    """Do what only the whole hand can tell."""
    if hand.ended < 0:
        return
    if hand.paid:
        hand.silent()
    settling.within_awards(hand, always=False)
    hand.return_bets()
    settling.conclude_rake(hand)
    hand.at = hand.ended
    hand.put(HandCompleted())
