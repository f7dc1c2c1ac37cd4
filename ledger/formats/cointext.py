"""CoinPoker's text: PokerStars' grammar with headers, all-ins, returns and splashes of its own.

`docs/formats/coinpoker-text.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.pokerstars import acts
from ledger.formats.pokerstars.dialect import Act, Dialect
from ledger.formats.pokerstars.hand import Hand
from ledger.formats.pokerstars.header import Head, Setup
from ledger.formats.pokerstars.others import give_back
from ledger.formats.pokerstars.reading import read
from ledger.hand.ending import CardsShown, PotAwarded, RemarkNoted, ResultDeclared, ShowdownBegun
from ledger.hand.opening import Betting, BlindPosted, GameSet, PotSeeded, StraddlePosted
from ledger.notation import Format
from ledger.readers import amounts
from ledger.readers.bomb_pots import BOMB_POT, settle
from ledger.readers.cutting import cutter
from ledger.readers.games import unknown_game
from ledger.readers.phrases import require_number
from ledger.readers.signatures import others, sniffer
from ledger.vocabulary import Chips, Seat, Witness

VENUE: Final = "CoinPoker"
HEAD: Final = "CoinPoker Hand #"

GAMES: Final[dict[str, tuple[str, Betting]]] = {
    "nlh": ("holdem", "no-limit"),
    "hold'em no limit": ("holdem", "no-limit"),
    "omaha pot limit": ("omaha", "pot-limit"),
    "plo": ("omaha", "pot-limit"),
    **{
        f"plo{mark}{cards}": (f"omaha{cards}" if cards != "4" else "omaha", "pot-limit")
        for cards in "456"
        for mark in ("", " ")
    },
}
"""A game as the text names it, small letters → its variant and limit."""
BOMB: Final = (" bombpot", " bomb pot")


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    if not line.startswith(HEAD):
        line = line.lstrip("\ufeff \t")
        if not line.startswith(HEAD):
            return False
    return line[len(HEAD) : len(HEAD) + 1].isdigit()


def head(line: str) -> Head:
    """Read `CoinPoker Hand #7: NLH (₮0.01/₮0.02) 2026/07/11 08:51:04 EDT`."""
    number, colon, rest = line.partition("#")[2].partition(":")
    require_number(number, whole=colon)
    game, bracket, written = rest.rpartition(")")
    written = written.strip(" -")
    if not bracket or not written[:4].isdigit():
        raise UnreadableHandError("the header has no stakes or no date", kind="header")
    return Head(VENUE, False, number, game.strip(), written)


def setup(found: Head, *, exponent: int | None, play: bool) -> Setup:  # noqa: ARG001 - the room has one way
    """Return the game of a header. `exponent` None = as the currency has it."""
    return _setup(found.game, exponent)


@lru_cache(maxsize=20_000)
def _setup(text: str, exponent: int | None) -> Setup:
    """Read `NLH BombPot (₮0.10/₮0.25/₮0.50`: the third stake is everybody's ante."""
    name, bracket, stakes = text.partition("(")
    name = " ".join(name.lower().split())
    bomb = name.endswith(BOMB)
    for words in BOMB:
        name = name.removesuffix(words)
    known = GAMES.get(name)
    if known is None:
        raise unknown_game(text)
    parts = stakes.removesuffix(" USD").split("/")
    if not bracket or not 2 <= len(parts) <= 3:
        raise UnreadableHandError(f"the stakes are {stakes[:40]!r}", kind="header")
    unit = amounts.currency(stakes)
    if exponent is None:
        exponent = 2 if unit else 0
    told = [amounts.read(part.strip(), exponent) for part in parts]
    game = GameSet(
        variant=known[0],
        betting=known[1],
        format="cash" if unit else "tournament",
        unit=unit or "chips",
        exponent=exponent,
        blinds=(told[0], told[1]),
        ante=told[2] if len(told) > 2 else 0,
    )
    option = (BOMB_POT,) if bomb else ()
    return Setup((game, *option), game, "", "")


def line(hand: Hand, text: str, k: int) -> bool:
    """Read `SPLASH dropped ₮0.04`, `MEGA SPLASH dropped ₮2`: chips that the room adds."""
    words, found, amount = text.partition("SPLASH dropped ")
    if words not in ("", "MEGA ") or not found:
        return False
    hand.put(PotSeeded("splash", hand.chips(amount)), k)
    return True


def _entry(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> Event:
    hand.posted(seat, amount)
    return BlindPosted(seat, "entry", amount, 0, all_in)


def _post(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    """Read `posts auto big blind ₮0.02`, of somebody who comes in."""
    if not rest.startswith("posts auto big blind "):
        return False
    amount, all_in = acts.amount_of(hand, rest[21:])
    return acts.put_act(hand, seat, rest, k, _entry, amount, all_in)


def _auto(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    return acts.put_act(hand, seat, rest, k, _entry, hand.chips(rest[7:]), False)


def _all_in(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    """Read `ALLIN ₮1.05`: so many chips more."""
    return acts.put_act(hand, seat, rest, k, _pushed, hand.chips(rest[6:]), True)


def _pushed(hand: Hand, seat: Seat, added: Chips, all_in: bool) -> Event:
    to = hand.bets[seat] + added
    if to <= hand.level:
        return acts.called(hand, seat, added, all_in)
    if not hand.level:
        return acts.bet(hand, seat, added, all_in)
    return acts.raised(hand, seat, to, all_in)


def _straddle(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    return acts.put_act(hand, seat, rest, k, _straddled, hand.chips(rest[9:]), False)


def _straddled(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> Event:
    again = any(isinstance(event, StraddlePosted) for event in hand.events)
    hand.posted(seat, amount)
    return StraddlePosted(seat, amount, "restraddle" if again else "straddle", all_in=all_in)


def _return(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    give_back(hand, seat, hand.chips(rest[7:]), k)
    return True


def finish(hand: Hand) -> None:
    """Do what only the whole hand can tell: who got a splash, who showed when, a bomb pot's antes."""
    _pay_splash(hand)
    events = hand.events
    shown = any(isinstance(event, ShowdownBegun) for event in events)
    if BOMB_POT in events:
        settle(events)
    for index, event in enumerate(events):
        if shown and isinstance(event, CardsShown) and event.after:
            # Each showdown is told winner by winner, so a hand shown behind an award is no favour.
            events[index] = CardsShown(event.seat, event.cards, False, event.claim)


def _pay_splash(hand: Hand) -> None:
    """Conclude the award of a splash where one player was paid everything.

    The room pays a splash with the main pot and writes no line for it. Where several were paid,
    nothing in the text says who got it.
    """
    splash = sum(event.amount for event in hand.events if isinstance(event, PotSeeded))
    awards = [at for at, event in enumerate(hand.events) if isinstance(event, PotAwarded)]
    paid = {getattr(hand.events[at], "seat", 0) for at in awards}
    if not splash or len(paid) != 1:
        return
    (seat,) = paid
    hand.insert(awards[-1] + 1, PotAwarded(seat, splash))
    for index, event in enumerate(hand.events):
        if isinstance(event, ResultDeclared) and (event.what, event.seat) == ("collected", seat):
            # What the summary says of the winner does not count the splash.
            words = hand.lines.text[hand.marks[index]].strip()
            hand.events[index] = RemarkNoted(hand.people.text(words))


ACTS: Final[Mapping[str, Act]] = {
    "posts": _post,
    "AUTOBB": _auto,
    "ALLIN": _all_in,
    "STRADDLE": _straddle,
    "RETURN": _return,
}
"""The first word behind a name and a colon → how it is told."""

WITNESSES: Final = Witness.of(
    "BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS DROP RETURNED_BETS BLIND_AMOUNTS RUNS"
)
"""No clocks, no presence, no pots apart; and not who a splash went to where several were paid."""

DIALECT: Final = Dialect(
    name="coinpoker-text",
    begins=begins,
    head=head,
    setup=setup,
    foreign=others(HEAD),
    breaks=(HEAD, *others(HEAD), "\ufeff", " ", "\t", "*****"),
    witnesses=WITNESSES,
    acts=ACTS,
    line=line,
    finish=finish,
    always_showdown=True,
)


FORMAT: Final = Format(
    name="coinpoker-text",
    title="CoinPoker text",
    suffixes=(".txt",),
    sniff=sniffer(begins, DIALECT.foreign),
    read=partial(read, dialect=DIALECT),
    cut=cutter((HEAD,), begins),
)
