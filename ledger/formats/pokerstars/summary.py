"""The summary of a hand: what the source itself says came of it."""

from __future__ import annotations

import re
from typing import ClassVar, Final, TypeAlias, get_args

from ledger.event import Event
from ledger.formats.pokerstars.table import Dealt
from ledger.formats.pokerstars.words import NUMBERS, QUIET_TAILS
from ledger.hand.betting import RunsAgreed
from ledger.hand.dealing import HoleCardsLearned
from ledger.hand.ending import DropTaken, HandVoided, RemarkNoted, ResultDeclared, ResultKind
from ledger.readers import amounts
from ledger.readers.hand import DropKind
from ledger.readers.phrases import number
from ledger.vocabulary import Cards, Chips, Seat

_DROPS: Final[dict[str, DropKind]] = {kind: kind for kind in get_args(DropKind)}
_POTS: Final[dict[str, ResultKind]] = {"Main pot": "main-pot", "Side pot": "side-pot"}
"""Run It Once's main pot is without the splash, so it does not add up with it to a total."""
_LONGEST: Final = 120
_RARE: Final = (*(word + " " for word in NUMBERS), "Board", "Total pot:", "Hand", "Game ended: ", "Seat")
"""How the rarer lines of a summary begin."""

_Totals: TypeAlias = tuple[list[Event], Chips | None, bool]
"""What a line of totals says, the total, and whether all of it was understood."""


_FATE: Final = re.compile(r"Seat \d{1,2}: .* (?:folded|showed|mucked|collected|won|lost)\b")


class Summed(Dealt):
    """A hand with its summary."""

    __slots__ = ("kept", "summary", "total")

    LABELS = (*Dealt.LABELS, "(button blind)", "(straddle)")
    SHOWED: ClassVar[tuple[str, ...]] = ("showed [", "mucked [")
    """What stands before the cards of a seat."""
    MUCKED: ClassVar[tuple[str, ...]] = ("mucked",)
    WON: ClassVar[tuple[str, ...]] = ("collected ", "won ")
    QUIET: ClassVar[tuple[str, ...]] = (
        *("mucked", "folded", "lost", "and lost", "and folded", "and mucked", "showed"),
        *("(cashed out)", "and cashed out for "),
    )
    """How begins what a summary says of a seat and nothing comes of."""

    kept: dict[Seat, Cards]  # cards shown
    summary: int  # the line of its heading
    total: Chips | None

    def sum_up(self, k: int, after: int) -> int:
        """Read the summary from line `k` to the hand's end; return the line behind it."""
        text = self.lines.text
        while k < after:
            line = text[k]
            if line[:5] == "Seat " and line[-10:] in QUIET_TAILS and "[" not in line:
                k += 1
                continue
            self.at = k
            if line[:5] == "Seat ":
                self.fate(line)
            elif line.startswith("Total pot "):
                self.declares(line)
            elif line.startswith("Board ["):
                self.board_was(line[7:])
            elif line and not line.isspace() and not self.rare(line.strip()):
                if not self._summary_continues(k + 1, after):
                    break
                self.unread(line)
            k += 1
        return k

    def _summary_continues(self, k: int, after: int) -> bool:
        """Whether the line behind one that nobody knows is the summary's: where another hand begins, none is."""
        line = self.lines.text[k] if k < after else ""
        return line.startswith(("Total pot ", "Board [")) or _FATE.match(line) is not None

    def rare(self, line: str) -> bool:
        """Read a rarer line; False where the hand is over and something else begins."""
        if not line.startswith(_RARE):
            return not line.strip("-")
        first, _, rest = line.partition(" ")
        if first in NUMBERS and rest.startswith("Board ["):
            self.board_was(rest[7:], NUMBERS[first])
        elif first == "Board" and rest[1:3] == " [" and rest[0].isdigit():
            self.board_was(rest[3:], int(rest[0]))
        elif line.startswith("Total pot:"):  # of a converter
            self.declares("Total pot" + line[10:])
        elif line.startswith("Board: ["):
            self.board_was(line[8:])
        elif line.startswith("Hand was run "):
            if self.runs_agreed < 0 and not line.endswith("once"):
                self.put(RunsAgreed(3 if line.endswith(("three times", "thrice")) else 2))
        elif line == "Hand cancelled":
            self.put(HandVoided("cancelled"))
        elif line.startswith(("Hand ended at ", "Game ended: ")):
            self.put(RemarkNoted(self.people.text(line)))
        elif line.startswith("Seat"):
            self.fate(line)
        else:
            return False
        return True

    def board_was(self, rest: str, number: int = 0) -> None:
        """Read `2c 7d Kc 9s 3d]` of a board."""
        inner = rest.rstrip().removesuffix("]")
        cards = self.cards(inner)
        if cards is None:
            if inner.strip():  # a hand without a board may say so with `Board []`
                self.unread(self.lines.text[self.at])
            return
        if not number and (1, 2) in self.boards:
            number = 1 + any(isinstance(e, ResultDeclared) and e.what == "board" for e in self.events)
        self.put(ResultDeclared("board", cards=cards, number=number))

    def declares(self, line: str) -> None:
        """Read `Total pot $20 Main pot $12. Side pot-1 $8. | Rake $1 | Jackpot $0.10`."""
        known: dict[str, _Totals] = self.people.read_before.results_of("totals", self.exponent)
        told = known.get(line)
        if told is None:
            told = self._read_totals(line)
            if len(line) < _LONGEST:
                known[line] = told
        events, self.total, whole = told
        self.events += events
        self.marks += [self.at] * len(events)
        if not whole:
            self.unread(line)

    def _read_totals(self, line: str) -> _Totals:
        """Read what stands between the strokes, the pots first."""
        pots, *drops = amounts.close(line.rstrip()).split(" | ")
        words = pots.split()
        if len(words) < 3 or len(words) % 3:
            return [], None, False
        total = self.chips(words[2])
        events: list[Event] = []
        for drop in drops:
            name, _, amount = drop.strip().rpartition(" ")
            if name in _POTS:
                events.append(ResultDeclared(_POTS[name], None, self.chips(amount)))
            elif name != "STP":  # what the room added: a line said so before
                events.append(DropTaken(_DROPS.get(name.lower(), "other"), self.chips(amount)))
        events.append(ResultDeclared("total-pot", None, total))
        for at in range(3, len(words) - 2, 3):
            if not words[at + 1].startswith("pot"):
                return events, total, False
            what: ResultKind = "main-pot" if words[at] == "Main" else "side-pot"
            amount = words[at + 2]
            events.append(ResultDeclared(what, None, self.chips(amount), "", number(words[at + 1][4:], 2)))
        return events, total, True

    def fate(self, line: str) -> None:
        """Read `Seat 3: Name (button) showed [Ah Kd] and won ($5) with a pair of Aces`."""
        found = self.result_of(self.behind_seat(line))
        if found is None:
            self.unread(line)
            return
        seat, rest = found
        if rest[:11] == "collected (" and (won := self.money.get(rest[11:-1])) and rest[-1] == ")":
            self.put(ResultDeclared("collected", seat, won))
            return
        if rest.startswith(self.SHOWED):
            inner, _, behind = rest.partition("[")[2].partition("]")
            cards = self.cards(inner)
            if cards is None:
                self.unread(line)
                return
            if self.kept.get(seat) != cards:
                self.put(HoleCardsLearned(seat, cards, "after" if rest.startswith(self.MUCKED) else "shown"))
            rest = behind.lstrip()
        if not self._won(seat, rest) and rest and not rest.startswith(self.QUIET):
            self.unread(line)

    def _won(self, seat: Seat, rest: str) -> bool:
        """Read `and won ($5) with …, and won ($3) with …`, `collected ($5)`."""
        for words in self.WON:
            if words in rest:
                total = 0
                for won in amounts.close(rest).split(words)[1:]:
                    written = won[1:].partition(")")[0] if won[:1] == "(" else won.split(" ", 1)[0]
                    total += self.chips(written.strip("),"))
                self.put(ResultDeclared("collected", seat, total))
                return True
        return False
