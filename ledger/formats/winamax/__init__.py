"""Winamax's text: names without colons, amounts with the euro behind them, posts out of position.

`docs/formats/winamax.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final, Literal

from ledger.event import Event
from ledger.formats.winamax.forum import unfold
from ledger.hand.dealing import CardsDiscarded, CardsDrawn, HoleCardsLearned, StoodPat
from ledger.hand.ending import Half, RemarkNoted, ResultDeclared
from ledger.hand.opening import (
    BlindSkipped,
    ButtonPlaced,
    OptionSet,
    PotSeeded,
    SeatDealtIn,
    SeatLeftOut,
    TournamentSet,
)
from ledger.readers import acts, amounts, games, stud
from ledger.readers.cards import CARD_WORDS, read_groups, unknown_card_words
from ledger.readers.currencies import never_odd
from ledger.readers.hand import NOWHERE
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.phrases import rows_told_by
from ledger.readers.reading import HandPage
from ledger.readers.room import PhraseHand
from ledger.readers.telling import POTS, Drops, Pot
from ledger.readers.text_room import HeadedHand, room_format
from ledger.vocabulary import Chips, Seat, Street, Witness

FIRST: Final = "Winamax Poker - "
ID: Final = "HandId: #"
HALVES: Final[dict[str, Half]] = {"": "", "(HI)": "high", "(LO)": "low"}
RUNS: Final = {"FIRST": 1, "SECOND": 2, "THIRD": 3}
BLINDS: Final[dict[str, Literal["small", "big"]]] = {"big": "big", "small": "small"}
DEALT: Final = frozenset(("PRE-FLOP", "FIRST-BET", "3rd STREET", "THIRD"))
BETTING_BEGINS: Final = frozenset(("SECOND-BET", "THIRD-BET", "FOURTH-BET", "ANTE/BLINDS"))
"""Headings that say nothing which the lines below them do not."""
TEN: Final = 10
"""Where seat 0 sits: behind seat 9."""
SILENT: Final = (SeatDealtIn, SeatLeftOut, ButtonPlaced, BlindSkipped)
"""Events that name a seat and do not show that it was dealt in."""


class Hand(HeadedHand):
    """The hand being read: `Name act 5€ and is all-in`, no colon."""

    VENUE = "Winamax"
    HEAD = HeadTemplates(
        f"{FIRST}{{name}} - {ID}{{number}} - {{game}} ({{stakes}}){{_}} - {{date}}",
        then=("Table: '{table}' {rest}", "Table '{table}' {rest}"),
        needs={"table": "its table"},
        letters=True,
        most=60,
        marks="-",
    )
    GAMES = (
        games.FLOP
        | games.STUD
        | {"short-deck", "omaha5", "omaha5-8", "omaha6", "omaha6-8"}
        | {"draw5", "single-27", "triple-27", "triple-a5", "badugi"}
    )
    MONEY, SUMMER_NAMED = "EUR", True
    WITNESSES = Witness.of(
        "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP BLIND_AMOUNTS DISCARDS"
    )
    """No returned bets, no clocks, no presence: who sits out stands in the list of seats as all others do."""

    CARDS: ClassVar = {**CARD_WORDS, **unknown_card_words("X", "XX", "x", "xx", "??", "?")}
    NAME_ENDINGS = ("",)
    QUIET_SUMMARY = True
    ALL_IN = (" and is all-in",)
    HAND_STREETS: ClassVar[Mapping[str, Street]] = {
        **{words.replace("Street", "STREET"): street for words, street in stud.STREETS.items() if words != "River"},
        "FOURTH": "fourth",
        "FIFTH": "fifth",
        "SIXTH": "sixth",
        "SEVENTH": "seventh",
        "FIRST-DRAW": "first-draw",
        "SECOND-DRAW": "second-draw",
        "THIRD-DRAW": "third-draw",
        "DRAW": "first-draw",
    }
    POTS: ClassVar[Mapping[str, Pot]] = {
        f"{words}{blank}{told}": (which, half)
        for words, (which, _) in POTS.items()
        for told, half in HALVES.items()
        for blank in ("", " ")[: 2 if told else 1]
    }

    @classmethod
    def setup(cls, found: HeadFields, page: HandPage) -> Iterator[Event]:
        """Read the kind of table: `CashGame`, `Go Fast "Name"`, `Tournament "Name" buyIn: 0.90€ + 0.10€ level: 3`."""
        kind, table, rest = found["name"], found["table"], found["rest"]
        tournament = kind.lower().startswith("tournament")
        pool = kind.partition(' "')[0].lower()
        if tournament:
            yield costs(kind)
        yield cls.game_of(found, page.exponent, tournament=tournament, play="(play money)" in rest.lower())
        if not tournament and pool != "cashgame":
            yield OptionSet("other", pool)
        before, close, behind = table.rpartition(")#")  # `Name(9000035)#784`
        digits = before.rpartition("(")[2]
        known = bool(close) and digits.isascii() and digits.isdigit()
        found["table"] = behind if known else table
        found["tournament"] = digits if known else found["number"].partition("-")[0] if tournament else ""
        found["chairs"] = next((word[:-4] for word in rest.split() if word.endswith("-max")), "")
        button, seats = (
            rest.partition("Seat ")[2].partition(" ")[0].lstrip("#"),
            page.lines.text[page.head_line : page.end_line],
        )
        behind_nine = button == "0" and any(line.startswith("Seat 0:") for line in seats)
        found["button"], found.lines["button"] = str(TEN) if behind_nine else button.lstrip("0"), found.lines["table"]

    def begin(self) -> None:
        """Know nothing yet of posts, draws and the end."""
        self.posting = True  # before the first betting
        self.seeded = 0  # chips that the room added
        self.thrown: dict[Seat, int] = {}  # cards discarded in this draw
        self.denied: set[Seat] = set()  # who declined a blind
        self.won: dict[Seat, tuple[Chips, int]] = {}  # what the summary says that seats won, and where

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Take `Name (5€)`, `Name ()` or, with a bounty, `Name (5000, 2€ bounty)`."""
        stack, comma, bounty = row["amount"].partition(", ")
        worth = (amounts.read_or_none(bounty.removesuffix("bounty"), 2) or 0) if comma else 0
        self.deal_in(seat or TEN, row["name"], self.amount(stack) if stack else None, worth)

    def read_body(self, k: int, after: int) -> None:
        """Read lines `k` up to `after`, also as the client writes them for forums."""
        text = self.lines.text
        written = text[k:after]
        try:
            if "\n[b]" in "\n".join(("", *written[:6])):
                unfold(text, k, after)
            super().read_body(k, after)
        finally:
            text[k:after] = written

    # -- posts and acts ---------------------------------------------------------------------------

    def small_one(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Post the small blind, a dead one of who posted both blinds already."""
        if self.chips_put_in(seat) > self.game.ante:
            self.post_blind(seat, "makeup-small", 0, amount, all_in=all_in)
        else:
            self.post_blind(seat, "small", amount, all_in=all_in)

    def small_out(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Post a missed small blind, which is dead; some files put both blinds into this line."""
        if not self.big_blind or amount <= self.big_blind:
            self.post_blind(seat, "makeup-small", 0, amount, all_in=all_in)
        elif "posts big blind 0" in "".join(self.lines.text[self.place + 1 : self.place + 2]):
            self.post_blind(seat, "makeup-small", 0, amount - self.big_blind, all_in=all_in)
        else:
            self.post_both_blinds(seat, amount, all_in=all_in)

    def big_out(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Post a big blind out of position; 0 where the line before has both."""
        makes_up = self.chips_put_in(seat) > self.game.ante
        if amount or not makes_up:
            self.post_blind(seat, "makeup-big" if makes_up else "entry", amount, all_in=all_in)
        elif self.bet_of(seat) == 0:
            self.inferred.append(len(self.events))
            self.post_blind(seat, "makeup-big", self.big_blind)

    def raises(self, seat: Seat, to: Chips, all_in: bool | None) -> None:
        """Raise; among the posts of 2014 it is both blinds, and for less than the bet what the seat had left."""
        if self.posting:
            self.post_both_blinds(seat, to, all_in=all_in)
        elif to <= self.betting.bet_to_call:
            self.raise_by(seat, to, all_in=all_in)
        else:
            self.raise_to(seat, to, all_in=all_in)

    def denies(self, seat: Seat, told: str = "big") -> bool:
        """Read `denies big blind`: who is asked for it declines."""
        role = BLINDS.get(told)
        if role is not None:
            self.denied.add(seat)
            self.add_event(BlindSkipped(role, seat))
        return role is not None

    def discards(self, seat: Seat, told: str) -> bool:
        """Read `discard 2 cards`, `discard 0 card`, perhaps with the cards in brackets."""
        words, _, known = told.partition(" [")
        count, _, noun = words.partition(" ")
        gone = self.read_cards(known.removesuffix("]")) if known else ""
        if len(count) != 1 or count not in "012345678" or not noun or gone is None:
            return False
        self.thrown[seat] = int(count)
        self.add_event(CardsDiscarded(seat, int(count), gone) if int(count) else StoodPat(seat))
        return True

    # -- headings and cards -----------------------------------------------------------------------

    def heading(self, title: str, rest: str) -> bool:
        """Read `*** FIRST TURN *** [2c 7d Kc][9s]`: what is new stands in the last bracket."""
        first, _, behind = title.partition(" ")
        run = RUNS.get(first, 0) if behind else 0
        title = behind if run else title
        if (told := self.read_heading(title, rest, run)) is not None:
            return told
        if title in DEALT:
            self.posting = False
            stud.deal_begins(self)
        elif title in self.HAND_STREETS:
            self.thrown.clear()
            self.deal_street(self.HAND_STREETS[title])
        elif title == "SUMMARY":
            self.starts_summary()
        else:
            return title in BETTING_BEGINS
        return True

    def deals(self, told: str) -> bool:
        """Read `Dealt to Name [X X 8h] [5c]`: hole cards, a street of stud, a draw."""
        for seat, rest in self.named_seats(told):
            known = read_groups(self.read_cards, rest) if rest.startswith("[") else None
            if known is None:
                continue
            if stud.is_stud(self):
                stud.deals(self, seat, "".join(known) if self.street in stud.FIRST_STREETS else known[-1])
            elif not self.street.endswith("draw"):
                self.deals_own(seat, "".join(known))
            elif len(known) > 1 or len(known[0]) // 2 == self.thrown.get(seat, 0):
                self.add_event(CardsDrawn(seat, known[-1]))
            else:
                self.add_event(HoleCardsLearned(seat, known[0], "owner"))
            return True
        return False

    def seeds(self, amount: Chips) -> None:
        """Read `Hold-up to Pot: total 4€`: chips that the room adds."""
        self.seeded += amount
        self.add_event(PotSeeded("promotion", amount))

    # -- the summary ------------------------------------------------------------------------------

    def pot_is(self, told: str, drops: Drops = ()) -> None:
        """Read `Total pot 6.26€ | Rake 0.24€`: the pot is what is left after the rake.

        From 1,000 chips on the pot may be rounded, `6.02k`. Then it is no result to check, but it
        tells all the same whether a bet that nobody called stayed in the pot.
        """
        rake = sum(amount for _, amount in drops)
        self.takes_drops(drops)
        bare = told.replace(" ", "").removesuffix("€")
        if bare[-1:] in ("k", "K", "M"):
            self.add_event(RemarkNoted(self.people.text(f"Total pot {told}")))
            self.declared_pot = self.rounded(bare, rake)
        else:
            self.total_pot(self.amount(told) + rake)

    def rounded(self, told: str, rake: Chips) -> Chips | None:
        """Return all chips put in, if that is what a rounded pot means, otherwise None."""
        factor = 1_000_000 if told.endswith("M") else 1000
        whole, _, digits = told[:-1].replace(",", ".").partition(".")
        if not (whole + digits).isascii() or not (whole + digits).isdigit() or len(told) > 15:
            return None
        step = factor * 10**self.exponent // 10 ** min(len(digits), 3)
        put_in = self.total_put_in() + self.seeded
        return put_in if abs(put_in - rake - int(whole + digits[:3]) * step) <= step else None

    def came_to(self, result: tuple[Seat, str]) -> bool:
        """Read `Seat 3: Name (button) showed [Ah Kd] and won 5€ with One pair : Aces`."""
        seat, rest = result[0], self.learn_cards(*result)
        if rest is None:
            return False
        if rest.startswith(("won ", "and won ")):
            amount = rest.partition("won ")[2].partition(" with ")[0]
            before = self.won.get(seat, (0, NOWHERE))[0]
            self.won[seat] = before + self.amount(amount), self.place
            return True
        return not rest or rest.startswith(("folded", "mucked", "lost", "and lost"))

    def finish(self) -> None:
        """Do what only the whole hand can tell.

        This room pays a bet that nobody called out with the pot, or as a side pot of its own: it went
        back only where the declared pot shows that it is no part of it.
        """
        if not self.summary_line:
            return
        for seat, (amount, at) in self.won.items():
            self.place = at
            self.add_event(ResultDeclared("collected", seat, amount))
        self.infer_returns_by_pot(None if self.declared_pot is None else self.declared_pot - self.seeded)
        self.leave_silent_out()
        self.complete_hand()

    def leave_silent_out(self) -> None:
        """Take out of the hand who does nothing in it: the list of seats names absent players too."""
        quiet = [seat for seat in self.stacks if not self.chips_put_in(seat) and seat not in self.folded]
        if quiet and not self.shared_names:
            busy = {getattr(event, "seat", None) for event in self.events if not isinstance(event, SILENT)}
            for seat in quiet:
                if seat not in busy:
                    self.mark_left_out(seat, "sitting-out" if seat in self.denied else "unknown", told=False)

    ACTIONS = (
        ("folds", acts.folds),
        ("checks", acts.checks),
        ("calls {amount}", acts.calls),
        ("bets {amount}", acts.wagers_by),  # files of 2010 write the big blind's raise as a bet of what it adds
        ("raises {_} to {amount}", raises),
        ("posts small blind {amount} out of position", small_out),
        ("posts small blind {amount}", small_one),
        ("posts big blind {amount} out of position", big_out),
        ("posts big blind {amount}", acts.big_blind),
        *rows_told_by(acts.antes, "posts ante {amount}", "posts the ante {amount}"),
        ("posts straddle {amount}", acts.straddles),
        *rows_told_by(acts.brings_in, "brings in {amount}", "bring-in {amount}"),
    )
    PLAYER_LINES = (
        ("collected {amount} from {pot}", PhraseHand.awards_pot),
        *rows_told_by(PhraseHand.shows_known, "shows [{cards}]", "shows [{cards}] ({claim})"),
        *rows_told_by(PhraseHand.mucks, "mucks", "mucks hand"),
        *rows_told_by(PhraseHand.declines, "doesn't show hand", "doesn't show"),
        *rows_told_by(discards, "discard {told}", "discards {told}"),
        *rows_told_by(PhraseHand.stays_pat, "stands pat", "stands pat [{cards}]"),
        *rows_told_by(denies, "denies {told} blind", "deny BB {_}"),
    )
    LINES = (
        ("*** {title} ***{rest}", heading),
        ("Dealt to {told}", deals),
        *rows_told_by(seeds, "Hold-up to Pot{_} total {amount}", "Hold-Up to Pot{_} total {amount}"),
        ("Player Info: {_}", PhraseHand.add_remark),  # marks of players whose names are masked
        ("{_} deny BB {_}", PhraseHand.add_remark),  # of somebody who is not listed
        *rows_told_by(pot_is, "Total pot {told} | No rake", "Total pot {told} | {drops}", "Total pot {told}"),
        ("Board{_}[{cards}]", PhraseHand.whole_board),
    )
    SUMMARY_LINES = (
        *rows_told_by(
            PhraseHand.ignores,
            *(f"Seat {{_}} folded on the {street}" for street in ("pre-flop", "flop", "turn", "river")),
        ),
        ("Seat {result}", came_to),
    )


def costs(kind: str) -> TournamentSet:
    """Read `Tournament "Name" buyIn: 0.90€ + 0.10€ level: 3`."""
    before, found, level = kind.rpartition(" level: ")
    before, level = (before, level) if found else (kind, "")
    price = before.rpartition(" buyIn: ")[2].strip() if " buyIn: " in before else ""
    return games.costs(price, before.partition(" ")[2], level.strip())


FORMAT: Final = room_format(
    Hand, "winamax", "Winamax text", FIRST, then=lambda line: ID in line, own=("Winamax",), odd=never_odd
)
