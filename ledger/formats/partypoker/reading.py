"""partypoker's text to events, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from ledger.formats.partypoker import header, others
from ledger.formats.partypoker.hand import Hand
from ledger.formats.partypoker.header import Game, Head, begins
from ledger.formats.partypoker.words import HEADS, PREFACE, SUMMARY_WITNESSES, WITNESSES
from ledger.hand.ending import CardsMucked, CardsShown, HandCompleted
from ledger.hand.opening import GameSet, HandOpened, TournamentSet
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.readers import amounts, reading, settling
from ledger.readers.hand import HandBuilder
from ledger.readers.reading import Grammar, Page
from ledger.readers.signatures import ROOMS
from ledger.vocabulary import Witness

_ENDS: Final = tuple(head for head, _ in ROOMS if not head.startswith(("#Game", "***** Hand")))
_RAISES: Final = ("added", "to", "over")


def sniff(head: bytes) -> int:
    """Tell how sure it is that these first bytes are partypoker's."""
    text = head.decode("utf-8", "replace")
    if any(word in text for word in HEADS):
        return 95
    return 0


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return reading.read(_GRAMMAR, chunk, people)


def tell(page: Page) -> HandBuilder:
    """Read one hand.

    What the number behind `raises` is, programs that write this text do not agree on. Where calls
    do not match, the other two meanings are tried; the one that most calls match is believed.
    """
    text = page.lines.text
    k = next(at for at in range(page.first, page.after) if begins(text[at]))
    if text[k][:1].isspace():  # set in, as in a mail or a program
        text[k : page.after] = [line.strip() for line in text[k : page.after]]
    head = header.read(text, k, page.after)
    best: Hand | None = None
    for raises in _RAISES:
        hand = _told(page, head, raises)
        if best is None or hand.odd < best.odd:
            best = hand
        if not hand.odd:
            break
    assert best is not None  # noqa: S101 - the loop ran
    return best


def _told(page: Page, head: Head, raises: str) -> Hand:
    lines, people = page.lines, page.people
    game = _game(page, head)
    hand = Hand(lines, people, head.venue, game, page.first, head.chairs)
    hand.raises = raises
    hand.at = head.line
    if head.game.tournament:
        hand.put(_tournament(head))
    hand.put(game)
    hand.take_seats(head)
    _body(hand, head.body, page.after)
    _finish(hand)
    _open(hand, head)
    return hand


def _game(page: Page, head: Head) -> GameSet:
    found = head.game
    unit = "chips" if found.tournament else found.unit
    if not unit:
        unit = header.unit_of(head.seats[0][3])
    if head.play or not unit:
        unit = "play"
    exponent = page.exponent
    if exponent is None:
        exponent = 0 if unit in ("chips", "play") else 2
    return _game_set(found, head.stakes, head.ante, unit, exponent)


@lru_cache(maxsize=10_000)
def _game_set(found: Game, written: tuple[str, ...], ante: str, unit: str, exponent: int) -> GameSet:
    stakes = tuple(amounts.read(one, exponent) for one in written if one)
    limit = found.betting == "limit"
    return GameSet(
        found.variant,
        found.betting,
        "tournament" if found.tournament else "cash",
        unit,
        exponent,
        () if limit else stakes,
        amounts.read(ante, exponent) if ante else 0,
        stakes if limit else (),
        0,
        found.written,
    )


def _tournament(head: Head) -> TournamentSet:
    game = head.game
    buy_in = amounts.maybe(game.buy_in, 2) if game.buy_in else None
    fee = amounts.maybe(game.fee, 2) if game.fee else None
    currency = game.unit if buy_in is not None else ""
    return TournamentSet(head.level, buy_in, fee, None, currency, head.club)


def _body(hand: Hand, k: int, after: int) -> None:
    """Read from behind the seat list to the hand's end."""
    text, seats, known = hand.places.text, hand.seats, hand.known  # type: ignore[attr-defined]  # the places are lines
    for k in range(k, after):  # noqa: B020, PLR1704 - the same lines, from here on
        line = text[k].rstrip()
        if not line or k < hand.read_up_to:
            continue
        hand.at = k
        if line[-1] == "." and line[-2:-1] != " ":
            line = line[:-1]
        name, _, rest = line.partition(" ")
        told = known.get(rest)
        if told is not None and (seat := seats.get(name)):
            told[0](hand, seat, *told[1])
            hand.last = seat
        elif not (line[:2] == "**" and others.heading(hand, line, k, after)):
            end = line[-1:]
            if not (end in _BRACKETS and others.with_amount(hand, line, _BRACKETS[end])):
                others.other(hand, line)


_BRACKETS: Final = {"]": "[", ")": "("}


def _finish(hand: Hand) -> None:
    """Do what only the whole hand can tell."""
    if hand.ended < 0:
        return
    hand.silent()
    hand.told_drop = hand.taken > 0
    settling.within_awards(hand, always=True)
    hand.return_bets()
    settling.conclude_rake(hand)
    hand.at = hand.ended
    hand.put(HandCompleted())


def _open(hand: Hand, head: Head) -> None:
    witnesses = WITNESSES
    if hand.own:
        witnesses |= int(Witness.OWN_CARDS)
    if hand.summary:
        witnesses |= SUMMARY_WITNESSES
    if hand.game.blinds or hand.game.bets:
        witnesses |= int(Witness.BLIND_AMOUNTS)
    if hand.told_drop:
        witnesses |= int(Witness.DROP)
    if hand.claimed - {one.seat for one in hand.events if isinstance(one, CardsShown | CardsMucked)}:
        witnesses &= ~int(Witness.SHOWDOWN)  # a hand was read, and no line says that it was shown
    hand.open(
        HandOpened(
            head.venue,
            head.table,
            head.number,
            witnesses,
            header.started(head.date),
            head.date,
            head.chairs,
            head.tournament if head.game.tournament else "",
        )
    )


_GRAMMAR: Final = Grammar(begins, _ENDS, tell, PREFACE, "*\ufeff\0 \t")
