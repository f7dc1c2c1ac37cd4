"""888poker's text, of its older names Pacific and Cassava too, in every language of its client.

`docs/formats/888poker.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import islice
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.pacific.tongues import ENGLISH, SECOND, TONGUES, PacificLanguage
from ledger.hand.betting import Folded
from ledger.hand.dealing import DealCompleted
from ledger.hand.ending import HandCompleted, RemarkNoted
from ledger.hand.opening import GameSet, OptionSet, TournamentSet
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers import acts, amounts, currencies, games, presence, reading, settling
from ledger.readers.currencies import never_odd
from ledger.readers.cutting import cutter
from ledger.readers.phrases import alike, number, require_number
from ledger.readers.reading import Grammar, Page
from ledger.readers.room import Room
from ledger.readers.signatures import headed, others, sniffer
from ledger.readers.telling import Pot
from ledger.vocabulary import Cards, Chips, Seat, Witness

VENUE: Final = "888poker"
WITNESSES: Final = Witness.of("BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS BLIND_AMOUNTS")
"""Rake, bets given back and who sits out are in no line."""
MARK: Final = " Hand History for Game "
BETFAIR: Final = "Betfair Poker"
"""Whose own tables write some acts in other words; nothing tells that their players are the network's."""
GAMES: Final = games.FLOP | {"short-deck", "omaha5", "omaha5-8"}
LIMITS: Final = {"fix limit": "fixed limit"}
DEALS: Final = frozenset(("down cards", "hole cards", "cards"))
PLAY: Final = ("(Practice Play)", "(Play Money)")
MOJIBAKE: Final = "\xc2"
"""What is left of a no-break space that was taken for two characters."""
SIGNS: Final = "".join(currencies.SYMBOLS)
MARKS: Final = "\ufeff \t"


class PacificHand(Room):
    """The hand being read: `Ada raises [$5]`, in the language of its cards."""

    BEHIND = ("",)

    def begin(self) -> None:
        """Read English, and know nothing yet of the button and the end."""
        self.tongue = ENGLISH
        self.ended = 0  # the last line that tells the hand's end

    def clean(self, text: str) -> str:
        """Return an amount without blanks and with a decimal mark that can be told."""
        return clean(text)

    def cards(self, text: str) -> Cards | None:
        """Return ` 8h, Qh ` as cards; None where one of them is no card of this tongue."""
        return self.tongue.read(text)

    def heading(self, title: str, rest: str) -> bool:
        """Read `** Dealing flop ** [ 3s, 9d, Ts ]`, `** Dealing down cards **`, `** Summary **`."""
        what = heading_of(title)
        if what in self.STREETS and "[" in rest:
            dealt = self.cards(rest.strip(" :[]"))
            if dealt is not None:
                self.board(self.STREETS[what], dealt)
            return dealt is not None
        if what in DEALS and not rest.strip(" :"):
            self.not_dealt_in()
            self.put(DealCompleted())
        elif what == "summary":
            self.sums_up()
            self.ended = self.at
        return what in DEALS or what == "summary"

    def not_dealt_in(self) -> None:
        """Leave those out who "fold" before the deal and have put nothing in: so the room says it."""
        for index, event in enumerate(self.events):
            if isinstance(event, Folded) and not self.put_by(event.seat):
                self.events[index] = RemarkNoted(self.people.text(self.lines.text[self.marks[index]].strip()))
                self.folded.discard(event.seat)
                self.left_out(event.seat, "unknown", told=True)

    def dead_blind(self, seat: Seat, told: str) -> None:
        """Read `posts dead blind [$1 + $2]`: what is dead and what counts; a lone amount is dead."""
        dead, plus, live = told.partition("+")
        self.post(seat, "makeup-small", 0, self.amount(dead.strip()))
        if plus:
            self.post(seat, "makeup-big", self.amount(live.strip()))

    def collects(self, seat: Seat, amount: Chips) -> None:
        """Read `collected [ $5 ]`."""
        self.award(seat, amount)
        self.ended = self.at

    def collects_of_run(self, which: str, name: Seat, amount: Chips) -> None:
        """Read `Primo runout Ada collected [ 925 ]`: what a seat wins with the board of one run."""
        self.award(name, amount, run=2 if which.lower().startswith(SECOND) else 1)
        self.ended = self.at

    def finish(self) -> None:
        """Do what only the whole hand can tell."""
        if not self.ended:
            return
        if self.paid:
            self.silent()
        settling.within_awards(self, always=False)
        self.return_bets()
        if self.paid:
            settling.return_unmatched_ante(self)
        settling.infer_rake(self)
        self.at = self.ended
        self.put(HandCompleted())

    BESIDES = (
        ("Seat {seat} is the button", Room.has_button),
        *alike(
            Room.ignored,
            "Table {_}",
            "Tournament {_}",
            "Total number of players{_}",
            "Total number of active players{_}",
        ),
    )
    DEEDS = (
        *acts.usual("folds", "checks", "calls [{amount}]", "bets [{amount}]"),
        ("raises [{amount}]", acts.raises_by),
        *alike(
            acts.puts_all_in, *(f"{verb} [{{amount}}]" for verb in ("all-in", "all-In", "goes all-in", "is all-in"))
        ),
        ("posts small blind [{amount}]", acts.one_small_blind),
        ("posts big blind [{amount}]", acts.big_blind),
        *alike(acts.antes, "posts ante [{amount}]", "posts the ante [{amount}]"),
        *alike(
            acts.straddles, *(f"{verb} [{{amount}}]" for verb in ("straddles", "posts straddle", "posts a straddle"))
        ),
    )
    SAYINGS = (
        *alike(collects, "collected [{amount}]", "wins [{amount}]"),
        ("shows [{cards}]", Room.shows),
        ("mucks [{cards}]", Room.mucks),
        ("posts dead blind [{told}]", dead_blind),
        *alike(
            Room.declines,
            *(f"did not show {whose}hand{stop}" for whose in ("", "his ", "her ", "their ") for stop in ("", ".")),
        ),
        *alike(Room.mucks, "mucks", "mucks hand"),
        *alike(presence.sits_out, "sits out", "is sitting out", "is sit out"),
        ("has left the table", presence.leaves),
        ("has returned", presence.returns),
        *alike(Room.disconnects, "is disconnected", "has disconnected"),
        *alike(Room.reconnects, "has reconnected", "is connected"),
    )
    LINES = (
        ("Dealt to {name} [{cards}]", Room.own_cards),
        ("{which} runout {name} collected [{amount}]", collects_of_run),
        *alike(Room.remark, "(Hi:{_}", "(Lo:{_}"),
        ("#Game No{_}", Room.ignored),
        ("**{title}**{rest}", heading),
        ("{_}: {_}", Room.talk),
    )


class BetfairHand(PacificHand):
    """A hand of Betfair's own tables: `Ada raises to [$1]` is the street's total, and all-in stands in a line before the act."""

    def wins_pot(self, seat: Seat, amount: Chips, pot: Pot) -> None:
        """Read `wins $6.26 from side pot #1 with a straight`."""
        self.wins(seat, amount, pot)
        self.ended = self.at

    def heading(self, title: str, rest: str) -> bool:
        """Read `** Showdown **` and `** Hand Conclusion **`, and the headings of the network's other tables."""
        what = heading_of(title)
        if what == "showdown":
            self.all_show()
        elif what == "hand conclusion":
            self.sums_up()
        return what in ("showdown", "hand conclusion") or super().heading(title, rest)

    DEEDS = (("raises to [{amount}]", acts.raises_to), *PacificHand.DEEDS)
    SAYINGS = (
        *alike(wins_pot, "wins {amount} from {pot} with {_}", "wins {amount} from {pot}"),
        ("shows [{cards}] {_}", Room.shows),
        ("goes all-in", PacificHand.ignored),
        *PacificHand.SAYINGS,
    )
    LINES = (("************{_}", Room.ignored), ("**{title}**{rest}", heading), *PacificHand.LINES)


@lru_cache(maxsize=100)
def heading_of(title: str) -> str:
    """Return what ` Dealing flop ` heads: `flop`."""
    return title.strip().lower().removeprefix("dealing").lstrip()


def clean(text: str) -> str:
    """Return an amount without blanks; a point before three digits parts thousands, for no amount here has three decimals.

    >>> clean("1.550 $"), clean("3 023,50 $"), clean("$1,234.50"), clean("$ 3.243")
    ('1550', '3023,50', '$1,234.50', '$3243')
    """
    bare = "".join(text.replace(MOJIBAKE, "").split())
    if bare[-1:] in currencies.SYMBOLS:
        bare = bare.rstrip(SIGNS)
    _, point, last = bare.rpartition(".")
    return bare.replace(".", "") if point and len(last) == 3 else bare


begins: Final = headed("*****", lambda line: line[:200].lower().find(MARK.lower()) > 5, marks=MARKS)
"""Tells whether a hand begins with a line: `***** 888poker Hand History for Game 1 *****`."""


class Place(NamedTuple):
    """The line of the table or the tournament, taken apart."""

    table: str = ""
    chairs: int = 0
    play: bool = False
    tournament: str = ""
    price: str = ""


@lru_cache(maxsize=10_000)
def place_of(line: str) -> Place:
    """Read `Table Ghent 6 Max (Real Money)` or `Tournament #7 $0.90 + $0.09 - Table #73 9 Max (…)`."""
    bare = line.partition(" (Real Money)")[0].partition(" (Practice Play)")[0].strip()
    words = (bare.removesuffix("-max") + " max" if bare.endswith("-max") else bare).split(" ")
    chairs = number(words[-2], 2) if len(words) > 2 and words[-1].lower() == "max" else 0
    bare = " ".join(words[:-2]) if chairs else bare
    play = any(words in line for words in PLAY)
    if bare.startswith("Table "):
        return Place(bare[6:].strip(), chairs, play)
    digits, _, rest = bare[len("Tournament ") :].strip().lstrip("#").partition(" ")
    require_number(digits, most=20, what="the tournament's number")
    price, _, table = rest.rpartition("- Table #")
    if not table or not price:
        price, table = (rest, "") if "Table #" not in rest else ("", rest.partition("#")[2])
    return Place(table.strip(), chairs, play, digits, price.strip())


@lru_cache(maxsize=10_000)
def setup(what: str, place: Place, exponent: int | None) -> GameSet:
    """Read `$1/$2 Blinds No Limit Holdem`, `0,01 $/0,02 $ Blinds Pot Limit OmahaHL Jackpot table`."""
    stakes, word, written = blinds_first(what).partition(" Blinds ")
    name = written.lower().removesuffix("jackpot table").strip()
    for ours, theirs in LIMITS.items():
        name = name.replace(ours, theirs)
    variant, betting = games.known(name if word else "", GAMES, what)
    unit = "chips" if place.tournament else "play" if place.play else currencies.currency_of(stakes) or "play"
    if exponent is None:
        exponent = 0 if unit == "chips" else 2  # play money has hundredths here
    small, _, big = stakes.rpartition("/")
    # Where there is no big blind, as in hands of antes alone, what stands before it is not a small one either.
    told = (small, big) if small and amounts.read(clean(big), exponent) else () if small else (big,)
    blinds = tuple(amounts.read(clean(one), exponent) for one in told)
    # The two bets of a fixed limit are not written here, and they are no multiples of the blinds: with
    # blinds of 0.06 and 0.12 the room plays bets of 0.12 and 0.25.
    how = "tournament" if place.tournament else "cash"
    return GameSet(variant, betting, how, unit, exponent, blinds, written=written)  # type: ignore[arg-type]  # one of two


def blinds_first(what: str) -> str:
    """Write `PL $0.05/$0.10 Omaha`, as Betfair does, with the stakes first; of a fixed limit it names none."""
    limit, _, rest = what.partition(" ")
    stakes, _, game = rest.partition(" ")
    return f"{stakes} Blinds {limit} {game}" if limit in ("NL", "PL") else what


def costs(price: str) -> TournamentSet:
    """Return what the tournament costs: `$0.90 + $0.09`; what has no price is free."""
    bare = "+".join(map(clean, price.split("+"))) if any(map(str.isdigit, price)) else "0+0"
    return games.costs(bare, price, currency=currencies.currency_of(price))


class Choice:
    """The language that the cards of a chunk turned out to be in."""

    def __init__(self) -> None:
        self.tongue = ENGLISH


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects.

    The client writes cards in the language of its user, and some cards mean one thing in one
    language and something else in another. So what one hand tells of the language holds for all:
    those that were read in English before it are read again.
    """
    choice = Choice()
    grammar = Grammar(begins, ENDS, partial(tell, choice), PREFACE, "*" + MARKS, WORDS, odd=never_odd)
    items: list[Item] = []
    before = 0
    for item in reading.read(grammar, chunk, people):
        before += choice.tongue is ENGLISH
        items.append(item)
    if choice.tongue is not ENGLISH and before:
        items[:before] = islice(reading.read(grammar, chunk, people), before)
    yield from items


def tongue_of(lines: list[str], usual: PacificLanguage) -> PacificLanguage:
    """Return the language in which all cards of these lines are cards: the usual one if it is, or else the first."""
    groups = [
        line.rpartition("[")[2].rpartition("]")[0]
        for line in lines
        if line.startswith(("**", "Dealt to ")) or " shows " in line or " mucks " in line
    ]
    told = [group for group in groups if group]
    return next((one for one in (usual, *TONGUES) if None not in map(one.read, told)), usual)


def tell(choice: Choice, page: Page) -> PacificHand:
    """Read one hand, in the language of its chunk or, where that does not fit, in its own."""
    text, first = page.lines.text, page.head
    brand, _, digits = text[first].strip().partition(MARK if MARK in text[first] else MARK.replace("for", "For"))
    digits = digits.rstrip("* ").strip()
    require_number(digits)
    k = page.second
    if k == page.after:
        raise UnreadableHandError("the hand breaks off behind its first line", kind="cut-off")
    betfair = brand.strip("* ") == BETFAIR
    what, _, written = " ".join(text[k].split()).rpartition("- " if betfair else "- ***")
    line = next((one for one in text[k + 1 : k + 4] if one.startswith(("Table ", "Tournament "))), "")
    place = place_of(line.rstrip()) if line else Place()
    game = setup(what.strip(), place, page.exponent)
    venue = "Betfair" if betfair else VENUE
    hand = (BetfairHand if betfair else PacificHand)(page.lines, page.people, venue, game, page.first)
    hand.tongue, hand.at = tongue_of(text[k : page.after], choice.tongue), k
    pool = [OptionSet("other", "snap")] if "snap" in brand.lower() else []
    hand.play(k + 1, page.after, costs(place.price) if place.tournament else None, *pool)
    if choice.tongue is ENGLISH:
        choice.tongue = hand.tongue
    hand.opened(place.table, digits, WITNESSES, None, written.strip(), place.chairs, place.tournament)
    return hand


WORDS: Final = (MARK, MARK.replace("for", "For"))
PREFACE: Final = ("#Game No",)
ENDS: Final = others(*PREFACE, "***** Cassava", "***** 888")
FORMAT: Final = Format(
    name="888poker",
    title="888poker text",
    suffixes=(".txt",),
    sniff=sniffer(begins, ENDS),
    read=read,
    cut=cutter(WORDS, begins),
)
