"""partypoker's text: both generations, the form that is sent by mail, and programs that imitate it.

`docs/formats/partypoker.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ledger.formats.partypoker import header
from ledger.formats.partypoker.header import Game, Head, begins
from ledger.formats.partypoker.lines import Hand
from ledger.formats.partypoker.words import HEADS
from ledger.hand.ending import CardsMucked, CardsShown, HandCompleted
from ledger.hand.opening import GameSet, HandOpened, TournamentSet
from ledger.readers import amounts, settling
from ledger.readers.reading import Grammar, Page, text_format
from ledger.readers.signatures import ROOMS
from ledger.vocabulary import Witness

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.CLOCKS
)
"""What the text records whenever it happens. Posts are not among it: tournaments leave blinds out,
and who comes back to a cash table may post without a line. Rake and returned bets are in no line."""
PREFACE: Final = ("#Game No", "Game #")
"""Lines before a hand's first: the room tells its number twice and says that it starts."""
RAISES: Final = ("added", "to", "over")


def sniff(head: bytes) -> int:
    """Tell how sure it is that these first bytes are partypoker's."""
    text = head.decode("utf-8", "replace")
    return 95 if any(word in text for word in HEADS) else 0


def tell(page: Page) -> Hand:
    """Read one hand.

    What the number behind `raises` is, programs that write this text do not agree on. Where calls
    do not match, the other two meanings are tried; the one that most calls match is believed.
    """
    text = page.lines.text
    k = next(at for at in range(page.first, page.after) if begins(text[at]))
    if text[k][:1].isspace():  # set in, as in a mail or a program
        text[k : page.after] = [line.strip() for line in text[k : page.after]]
    head = header.read(text, k, page.after)
    best = told(page, head, RAISES[0])
    for raises in RAISES[1:]:
        if not best.odd:
            break
        hand = told(page, head, raises)
        best = hand if hand.odd < best.odd else best
    return best


def told(page: Page, head: Head, raises: str) -> Hand:
    """Read one hand, with that meaning of the number behind `raises`."""
    hand = Hand(page.lines, page.people, head.venue, setup(page, head), page.first, head)
    hand.raises_tell = raises
    hand.at = head.line
    if head.game.tournament:
        hand.put(costs(head))
    hand.put(hand.game)
    hand.take_seats(head)
    hand.body(head.body, page.after)
    drop_told = hand.taken > 0
    if hand.ended >= 0:
        hand.silent()
        settling.within_awards(hand, always=True)
        hand.return_bets()
        settling.conclude_rake(hand)
        hand.at = hand.ended
        hand.put(HandCompleted())
    known = WITNESSES
    if hand.summary:
        known |= Witness.STACKS_AFTER
    if hand.game.blinds or hand.game.bets:
        known |= Witness.BLIND_AMOUNTS
    if drop_told:
        known |= Witness.DROP
    if hand.claimed - {one.seat for one in hand.events if isinstance(one, CardsShown | CardsMucked)}:
        known &= ~Witness.SHOWDOWN  # a hand was read, and no line says that it was shown
    number = head.tournament if head.game.tournament else ""
    moment = header.started(head.date)
    hand.opened(HandOpened(head.venue, head.table, head.number, int(known), moment, head.date, head.chairs, number))
    return hand


def setup(page: Page, head: Head) -> GameSet:
    """Return the game; without a currency it is played for nothing."""
    found = head.game
    unit = "chips" if found.tournament else found.unit or header.unit_of(head.seats[0][3])
    unit = "play" if head.play or not unit else unit
    exponent = page.exponent
    if exponent is None:
        exponent = 0 if unit in ("chips", "play") else 2
    return game_set(found, head.stakes, head.ante, unit, exponent)


@lru_cache(maxsize=10_000)
def game_set(found: Game, written: tuple[str, ...], ante: str, unit: str, exponent: int) -> GameSet:
    """Return a game with its amounts read."""
    stakes = tuple(amounts.read(one, exponent) for one in written if one)
    limit = found.betting == "limit"
    return GameSet(
        variant=found.variant,
        betting=found.betting,
        format="tournament" if found.tournament else "cash",
        unit=unit,
        exponent=exponent,
        blinds=() if limit else stakes,
        ante=amounts.read(ante, exponent) if ante else 0,
        bets=stakes if limit else (),
        written=found.written,
    )


def costs(head: Head) -> TournamentSet:
    """Return what the tournament costs."""
    game = head.game
    buy_in = amounts.maybe(game.buy_in, 2) if game.buy_in else None
    fee = amounts.maybe(game.fee, 2) if game.fee else None
    return TournamentSet(head.level, buy_in, fee, None, game.unit if buy_in is not None else "", head.club)


_ENDS: Final = tuple(head for head, _ in ROOMS if not head.startswith(("#Game", "***** Hand")))
_GRAMMAR: Final = Grammar(begins, _ENDS, tell, PREFACE, "*\ufeff\0 \t")
_WORDS: Final = tuple(head.rstrip() for head in HEADS)
FORMAT: Final = text_format("partypoker", "partypoker text", _GRAMMAR, _WORDS, sniff=sniff)
