"""Full Tilt's own text of 2004 to 2014, its archives and French site too.

`docs/formats/fulltilt.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import ClassVar, Final, Self

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.hand.betting import RaisesCapped, RunsAgreed, TimeWarned
from ledger.hand.dealing import CardsDiscarded, CardsDrawn
from ledger.hand.ending import Half, HandVoided, ResultDeclared, ShowdownBegun
from ledger.hand.opening import ButtonPlaced, GameSet, OptionSet, TournamentSet
from ledger.presence import ChipsAdded, PlayerAway, SeatLeft, WordsSaid
from ledger.readers import acts, amounts, currencies, games, presence, stud, timestamps
from ledger.readers.cards import KNOWN, groups, unknown
from ledger.readers.games import DRAW, STUD
from ledger.readers.hand import SEATS
from ledger.readers.heads import Found, Head
from ledger.readers.phrases import alike, number
from ledger.readers.reading import Page
from ledger.readers.room import Room, seat_unreadable
from ledger.readers.telling import Drops, of_seat, puts, when
from ledger.readers.text_room import TextRoom, room_format
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Millis, Seat, Street, Witness

HEADS: Final = ("Full Tilt Poker", "FullTiltPoker", "GameDesire")
PREFACE: Final = ("BEGIN", "*****")
"""What archives put before a hand."""
SUMMARY: Final = " Tournament Summary "
SITS_OUT: Final = ", is sitting out"
CAPPED: Final = ", and is capped"
QUIET: Final = ("folded", "didn't bet", "mucked", "and lost", "(didn't bet)", "[0]", "- ")
"""How the rest of a seat's line in the summary begins that says nothing which the acts did not."""
FOLDED: Final = ("before the Flop", "on the Flop", "on the Turn", "on the River", "didn't bet (folded)")
"""How most such lines end."""
NOTICES: Final = (
    *("Time has expired", "The blinds are now ", "The antes are now ", "The limits are now ", "Pair on board"),
    *("No low hand qualified", "Rebuys ", "Add-ons "),
)
"""How lines begin that say nothing of the hand's course."""
DEALS: Final = frozenset(("HOLE CARDS", "3RD STREET", "DEALING HANDS"))
FIGURES: Final = (*"0123456789", *currencies.SYMBOLS)
LONGEST_NAME: Final = 30
POT: Final = re.compile(r"(Main|Side) pot(?:[- ](\d{1,2}))? (\S*\d)\.?(?= |$)", re.ASCII)


class Hand(TextRoom):
    """The hand being read: `Ada calls $5, and is all in`, no colon."""

    VENUE = "Full Tilt"
    HEAD = Head(
        "{room} Game #{number}: {table} - {first} - {second} - {clock} - {day} [{eastern}]",
        "{room} Game #{number}: {table} - {first} - {second} - {clock} - {day}",
        rule="(partial)",
    )
    GAMES = (
        games.FLOP | STUD | (DRAW | {"omaha5", "omaha5-8", "omaha6", "courchevel", "courchevel8", "irish", stud.FIVE})
    )
    WITNESSES = Witness.of(
        "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP RETURNED_BETS CLOCKS PRESENCE"
        " RUNS CONNECTIONS BLIND_AMOUNTS DISCARDS CHIP_PURCHASES"
    )
    CARDS: ClassVar = {**KNOWN, **unknown("xx", "Xx", "XX", "??")}
    BEHIND = ("",)
    QUIET_SUMMARY = True
    ALL_IN = (", and is all-in", ", and is all in")
    SEAT_ROWS = ("Seat {seat}: {name} ({amount}){away}",)
    BESIDES = (("Seats: {_}", Room.ignored),)
    STREETS: ClassVar[Mapping[str, Street]] = {**Room.STREETS, "FLOPET": "preflop"}
    HAND_STREETS: ClassVar[Mapping[str, Street]] = {
        "3RD STREET": "third",
        **{words.upper(): street for words, street in stud.STREETS.items()},
        "DRAW": "first-draw",
        "FIRST DRAW": "first-draw",
        "SECOND DRAW": "second-draw",
        "THIRD DRAW": "third-draw",
    }

    @classmethod
    def tell(cls, page: Page) -> Self:
        """Read one hand."""
        if SUMMARY in page.title[:40]:
            raise UnreadableHandError("the summary of a tournament, no hand", kind="not-a-hand")
        return super().tell(page)

    @classmethod
    def setup(cls, found: Found, page: Page) -> Iterator[Event | None]:
        """Read the table, `Table Teddy (6 max, shallow)`, or the tournament, `$2 + $0.25 Sit & Go (900000019), Table 1`."""
        place, in_cash = found["table"], found["table"].startswith("Table ")
        game = setup(found["first"], found["second"], page.exponent, tournament=not in_cash)
        if in_cash:
            found["table"], found["chairs"], traits = table(place)
            yield from (*game, *(OptionSet("other", trait) for trait in traits))
        else:
            found["table"], found["tournament"], costs = tournament(place)
            yield from (costs, *game)
        found["room"] = found["room"] if found["room"] == HEADS[2] else ""
        found["written"] = f"{found['clock']} - {found['day']}"

    def moment(self) -> Millis | None:
        """Return when the hand began, by the clock of New York if that is told."""
        return timestamps.in_any_order(self.head["eastern"] or self.head.written)

    def begin(self) -> None:
        """Know nothing yet of runs and the summary."""
        self.seated = 0  # how many events there are with the last seat
        self.runs = 1
        self.collected: dict[Seat, Chips] = {}  # as the summary says, all runs together

    def clean(self, text: str) -> str:
        """Return an amount as it stands."""
        return text

    def sits_down(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Take `Seat 4: Ada ($10,689), is sitting out`; in a tournament who is away is dealt in."""
        self.take(seat, row["name"], self.amount(row["amount"]))
        if row["away"] not in ("", SITS_OUT):
            raise seat_unreadable(self.lines.text[self.at])
        if row["away"]:
            self.away[seat] = "sitting-out"
            if self.game.format == "tournament":
                self.put(PlayerAway(seat, self.player_in(seat), why="sits-out"))

    def without_all_in(self, text: str) -> tuple[str, bool | None]:
        """Part `$5, and is all in` and, of a cap game, `$5, and is capped`."""
        bare, all_in = super().without_all_in(text)
        return bare.removesuffix(CAPPED), bool(all_in)

    def listen(self) -> None:
        """Learn how lines begin, and where the list of seats ends."""
        super().listen()
        self.seated = len(self.events)

    def button_in(self, seat: Seat) -> bool:
        """Read `The button is in seat #3`, which stands behind the posts, before them."""
        if seat < SEATS:
            self.put(ButtonPlaced(seat))
            self.move(len(self.events) - 1, self.seated)
        return seat < SEATS

    # -- headings and cards -----------------------------------------------------------------------

    def heading(self, title: str, rest: str) -> bool:
        """Read `*** TURN 2 *** [2c 7d Kc] [9s]`: what is new stands in the last bracket."""
        name, _, digit = title.rpartition(" ")
        title, run = (name, int(digit)) if digit in ("1", "2", "3", "4") else (title, 0)
        if self.summary:
            return title.startswith("SUMMARY")  # each run has one
        if "[" in rest or title == "SHOW DOWN":
            self.runs = max(self.runs, run)
            if (told := self.heads(title, rest.partition(" (Total Pot")[0], run)) is not None:
                return told
        five = self.game.variant == stud.FIVE
        if title == "2ND STREET" if five else title in DEALS:
            stud.deal_begins(self)
        elif title == "DISCARD ROUND" and self.game.variant == "irish":
            self.close_bets()  # two cards are given up behind the flop's betting; no street begins with it
        elif title in self.HAND_STREETS and (five or self.game.variant in STUD | DRAW):
            self.deal_street(self.HAND_STREETS[title])
        elif title == "SUMMARY":
            self.sums_up()
        else:
            return False
        return True

    def deals(self, told: str) -> bool:
        """Read `Dealt to Ada [held] [new]`: hole cards, a street's card of stud, cards drawn."""
        for seat, rest in self.speaker(told):
            dealt = groups(self.cards, rest) if rest.startswith("[") else None
            if dealt is not None:
                stud.deals_told(self, seat, dealt)
                return True
        return False

    def discards(self, seat: Seat, count: int = 0, cards: Cards = "") -> bool:
        """Read `discards 2 cards`, `discards 1 card [Qs]`, and of Irish, where it is two, `discards [9h 9c]`, `discards`."""
        count = count or 2 * (self.game.variant == "irish")
        if count:
            self.put(CardsDiscarded(seat, count, cards))
        return bool(count)

    def draws(self, seat: Seat, count: int) -> bool:
        """Read `is dealt 2 cards` of a draw."""
        meant = count < 8 and self.game.variant in DRAW
        if meant:
            self.put(CardsDrawn(seat, UNKNOWN_CARD * count, "unknown"))
        return meant

    # -- clocks and news --------------------------------------------------------------------------

    def agree_to_run(self, times: str) -> None:
        """Read `Players agree to Run It Twice`."""
        self.runs = 2 if times == "Twice" else 3
        self.put(RunsAgreed(self.runs))

    def watcher_says(self, watcher: str, words: str) -> bool:
        """Read `Bo (Observer): nh`."""
        known = not self.summary and 0 < len(watcher) <= LONGEST_NAME
        if known:
            self.put(WordsSaid(self.people.text(words), None, self.player(watcher.removesuffix(" (Observer)"))))
        return known

    def buys_in(self, who: str, told: str) -> bool:
        """Read `Bo adds $5` of somebody who has no seat in this hand."""
        if told.startswith(FIGURES):
            self.put(ChipsAdded(None, self.amount(told), "buy-in", "player", self.player(who)))
        return told.startswith(FIGURES)

    def one_seat(self) -> bool:
        """Tell whether the line is about one seat alone: the room may drop the end of a line."""
        return " Seat " not in self.lines.text[self.at].strip()

    # -- the end ----------------------------------------------------------------------------------

    def shows_hand(self, seat: Seat, cards: Cards, claim: str = "") -> None:
        """Read `shows [Qs Qd] a pair of Queens`."""
        self.shown.add(seat)
        self.shows(seat, cards, claim)

    def wins_pot(self, seat: Seat, told: str, won: str) -> bool:
        """Read `the high side pot 2 ($5) with a flush`, `pot 2 ($5)`."""
        words = told.replace("-", " ").split()
        if "pot" not in words or not any(map(str.isdigit, won)):
            return False
        half: Half = "high" if "high" in words else "low" if "low" in words else ""
        which = number(words[-1], 2)
        pot = 0 if "main" in words else (which or 1) if "side" in words else None
        self.award(seat, self.amount(won), pot, run=which if which and pot is None and self.runs > 1 else 1, half=half)
        return True

    def pot_is(self, told: str, drops: Drops = ()) -> bool:
        """Read `Total pot 650 Main pot 150. Side pot 500. | Rake 0`."""
        total, *words = told.split() or [""]
        if not total or "|" in words:  # taken by nobody knows what
            return False
        self.takes(drops)
        self.total_pot(self.amount(total))
        for found in POT.finditer(" ".join(words)):
            main = found[1] == "Main"
            which = 0 if main else int(found[2] or 1)
            self.put(ResultDeclared("main-pot" if main else "side-pot", None, self.amount(found[3]), "", which))
        return not POT.sub("", " ".join(words)).strip()

    def board_is(self, cards: Cards) -> None:
        """Read `Board: [2c 7d Kc 9s 3d]`, one of each run."""
        told = sum(isinstance(event, ResultDeclared) and event.what == "board" for event in self.events)
        self.put(ResultDeclared("board", cards=cards, number=told + 1 if self.runs > 1 else 0))

    def came_to(self, told: str) -> bool:
        """Read `Seat 3: Ada (button) showed [Ah Kd] and won ($5) with a pair of Aces`."""
        line = f"Seat {told}"
        found = self.result_of(told)
        while found is None and (at := line.find(" Seat ") + 1):
            # The room drops the line end behind somebody who came too late to be listed.
            line = line[at:]
            found = self.result_of(line.removeprefix("Seat "))
        rest = self.learned(*found) if found else None
        if found is None or rest is None:
            return False
        seat = found[0]
        if rest == "is sitting out":
            self.away[seat] = "sitting-out"
            return True
        aside = self.runs > 1 and rest.startswith(
            "wins the "
        )  # `wins the side pot ($5)`, which no run's summary counts
        if not aside and not rest.startswith(("collected (", "and won (")):
            return not rest or rest.startswith(QUIET)
        amount = self.amount(rest.partition("(")[2].partition(")")[0])
        self.collected[seat] = self.collected.get(seat, 0) + amount
        if self.runs == 1 and not self.paid and not any(isinstance(one, ShowdownBegun) for one in self.events):
            self.award(seat, amount)  # the line that pays the winner is missing: this one says it alone
        elif self.runs == 1:
            self.put(ResultDeclared("collected", seat, amount))
        return True

    def finish(self) -> None:
        """Do what only the whole hand can tell."""
        if not self.summary:
            return
        if self.runs > 1:  # each run has a summary of its own
            for seat, amount in sorted(self.collected.items()):
                self.put(ResultDeclared("collected", seat, amount))
        self.silent()
        self.return_bets(self.total)
        self.completes()

    DEEDS = (
        *acts.PLAIN,
        *alike(acts.raises_to, "raises to {amount}", "completes it to {amount}"),
        *alike(acts.one_small_blind, "posts the small blind of {amount}", "posts a small blind of {amount}"),
        *alike(acts.big_blind, "posts the big blind of {amount}", "posts a big blind of {amount}"),
        *alike(acts.missed_small, "posts a dead small blind of {amount}", "posts a dead blind of {amount}"),
        *alike(acts.straddles, "posts a straddle of {amount}", "straddles to {amount}", "straddles {amount}"),
        *alike(acts.antes, "posts an ante of {amount}", "antes {amount}"),
        ("posts {amount}", acts.enters),
        ("brings in for {amount}", acts.brings_in),
    )
    SAYINGS = (
        ("shows [{cards}]{claim}", shows_hand),
        ("shows {_}", Room.remark),
        ("mucks", Room.mucks),
        *alike(wins_pot, *(f"{verb} {{told}} ({{won}}){{_}}" for verb in ("wins", "ties for", "ties"))),
        *alike(discards, "discards {count} cards [{cards}]", "discards {count} cards", "discards {count} card"),
        *alike(discards, "discards {count} card [{cards}]", "discards [{cards}]", "discards"),
        *alike(Room.stands, "stands pat", "stands pat on [{_}"),
        *alike(draws, "is dealt {count} cards", "is dealt {count} card"),
        ("has {count} seconds left to act", puts(lambda seat, count: TimeWarned(seat, seconds=count))),
        ("has timed out", Room.times_out),
        ("has timed out while disconnected", Room.times_out_offline),
        ("has requested TIME", presence.uses_bank),
        *alike(Room.disconnects, "has been disconnected", "is disconnected"),
        *alike(Room.reconnects, "has reconnected", "is connected"),
        ("is sitting out", presence.sits_out),
        ("has returned", presence.returns),
        *alike(presence.leaves, "stands up", "leaves the table", "has left the table"),
        (
            "was removed from the table for failing to post",
            of_seat(lambda seat, player: SeatLeft(seat, player, "missed-post")),
        ),
        ("adds {amount}", Room.tops_up),
        *alike(Room.finishes, "finished the tournament in {rank} place{_}", "finished in {rank} place{_}"),
        ("finished the tournament{_}", Room.finishes),
        *alike(Room.remark, "sits down", "is being treated as all-in", "has {_} seconds to reconnect"),
        *alike(Room.remark, "is low with [{_}", "is high with [{_}", "is feeling {_}"),
    )
    LINES = (
        ("*** {title} ***{rest}", heading),
        *alike(Room.ignored, *(words + "{_}" for words in PREFACE)),  # of the next hand
        ("Dealt to {told}", deals),
        ("Uncalled bet of {amount} returned to {name}", Room.uncalled),
        ("Board: [{cards}]", board_is),
        *alike(button_in, "The button is in seat #{seat}", "The button is in seat #{seat}."),
        ("Players agree to Run It {times}", agree_to_run),
        ("Betting is capped", puts(RaisesCapped)),
        *alike(
            puts(lambda: HandVoided("cancelled")),
            *(f"Hand {{_}}{word}" for word in ("canceled", "cancelled", "canceled.", "cancelled.")),
        ),
        ("END{_}", Room.remark),
        *alike(Room.ignored, "Duration {_}", "Pot {_}"),
        *alike(Room.remark, *(f"{words}{{_}}" for words in NOTICES), "({_})"),
        *alike(Room.remark, "{_} seconds left to act", "{_} is in the lead", "{_} sits down"),
        ("{_}: {_}", Room.talk),
        ("{watcher}: {words}", watcher_says),
        ("{who} adds {told}", buys_in),
        *alike(presence.leaves, "{who} stands up", "{who} leaves the table", "{who} has left the table"),
        ("{who} is sitting out", presence.sits_out),
        ("{who} has returned", presence.returns),
    )
    SUMMARY = (
        *alike(when(one_seat, Room.ignored), *(f"Seat {{_}}{words}" for words in FOLDED)),
        ("Seat {told}", came_to),
        *alike(pot_is, "Total pot {told} | {drops}", "Total pot {told}"),
        ("END{_}", Room.ignored),  # of an archive, and none of this hand
    )


@lru_cache(maxsize=10_000)
def setup(first: str, second: str, exponent: int | None, *, tournament: bool) -> tuple[GameSet, OptionSet | None]:
    """Read `$5/$10` and `$400 Cap Pot Limit Omaha Hi`, in either order; the older one has stakes first."""
    stakes, written = (first, second) if "/" in first and first.startswith(FIGURES) else (second, first)
    told, _, ante = stakes.partition(" Ante ")
    cap, name = "", written.strip()
    if name.startswith(FIGURES) and "card" not in name.partition(" ")[2][:5].lower():
        cap, _, name = name.partition(" ")
    if name[:4].lower() == "cap ":
        cap, name = cap or "cap", name[4:]
    variant, betting = games.known(name, Hand.GAMES, written)
    game = games.game_set(
        variant,
        betting,
        map(thousands, told.split("/")),
        unit="chips" if tournament else currencies.currency_of(stakes) or "play",
        exponent=exponent,
        tournament=tournament,
        play_exponent=0,
        ante=thousands(ante),
        written=written,
    )
    most = amounts.maybe(cap, game.exponent) if cap not in ("", "cap") else None
    return game, OptionSet("bet-cap", most) if most is not None else OptionSet("other", "cap") if cap else None


def thousands(text: str) -> str:
    """Write `500K`, `2M` and the `2B` of a flipout out."""
    bare, last = text.strip(), text.strip()[-1:].upper()
    return bare[:-1] + "000" * "_KMB".index(last) if last in ("K", "M", "B") and "." not in bare else bare


@lru_cache(maxsize=10_000)
def table(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Return name, chairs and traits of `Table Teddy (6 max, shallow)`."""
    name, opening, told = text.removeprefix("Table ").rpartition(" (")
    if not opening or not told.endswith(")"):
        return text.removeprefix("Table ").strip(), "", ()
    words = [word.strip() for word in told[:-1].split(",")]
    chairs = ""
    for word in words:
        if word.lower().endswith("max"):
            chairs = word.split(" ", 1)[0]
        elif word.lower() == "heads up":
            chairs = "2"
    return name.strip(), chairs, tuple(one for one in words if not one.lower().endswith(("max", "heads up")))


@lru_cache(maxsize=10_000)
def tournament(text: str) -> tuple[str, str, TournamentSet]:
    """Return table, number and costs of `$2 + $0.25 Sit & Go (900000019), Table 1`."""
    whole, _, name = text.rpartition("), ")
    title, _, digits = whole.rpartition(" (")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 20:
        raise UnreadableHandError(f"no table and no tournament in {text[:80]!r}", kind="header")
    buy_in, plus, more = title.partition(" + ")
    fee = more.partition(" ")[0] if plus and more[:1] in currencies.SYMBOLS else ""
    if not fee:
        buy_in = title.partition(" ")[0] if "Sit & Go" in title and title[:1] in currencies.SYMBOLS else ""
    return name.removeprefix("Table "), digits, games.costs("+".join(filter(None, (buy_in, fee))), title)


FORMAT: Final = room_format(
    Hand,
    "fulltilt",
    "Full Tilt text",
    *HEADS,
    then=lambda line: " Game #" in line[:40] or SUMMARY in line[:40],
    preface=PREFACE,
    own=("Full", HEADS[2]),
    words=(" Game #", SUMMARY),
)
