"""The summary of a hand: the results that the source itself declares."""

from __future__ import annotations

import re
from typing import ClassVar, Final, TypeAlias, get_args

from ledger.event import Event
from ledger.formats.pokerstars.table import DealtHand
from ledger.formats.pokerstars.words import NUMBERS_BY_ORDINAL, SILENT_ENDINGS
from ledger.hand.betting import RunsAgreed
from ledger.hand.dealing import HoleCardsLearned
from ledger.hand.ending import DropTaken, HandVoided, RemarkNoted, ResultDeclared, ResultKind
from ledger.readers import amounts
from ledger.readers.hand import DropKind
from ledger.readers.phrases import parse_small_number
from ledger.vocabulary import Cards, Chips, Seat

_DROPS: Final[dict[str, DropKind]] = {kind: kind for kind in get_args(DropKind)}
_POTS: Final[dict[str, ResultKind]] = {"Main pot": "main-pot", "Side pot": "side-pot"}
"""Run It Once's main pot doesn't include the splash, so the pots don't add up to the total."""
_LONGEST_REMEMBERED: Final = 120
_RARE_BEGINNINGS: Final = (
    *(word + " " for word in NUMBERS_BY_ORDINAL),
    "Board",
    "Total pot:",
    "Hand",
    "Game ended: ",
    "Seat",
)
"""The beginnings of a summary's rarer lines."""

_Totals: TypeAlias = tuple[list[Event], Chips | None, bool]
"""The events of a line of totals, the total, and whether the whole line was understood."""


_SEAT_RESULT: Final = re.compile(r"Seat \d{1,2}: .* (?:folded|showed|mucked|collected|won|lost)\b")


class SummarizedHand(DealtHand):
    """A hand with its summary."""

    __slots__ = ("cards_by_seat", "kept", "summary_line")

    LABELS = (*DealtHand.LABELS, "(button blind)", "(straddle)")
    SHOWED: ClassVar[tuple[str, ...]] = ("showed [", "mucked [")
    """The words before a seat's cards."""
    MUCKED: ClassVar[tuple[str, ...]] = ("mucked",)
    WON: ClassVar[tuple[str, ...]] = ("collected ", "won ")
    QUIET: ClassVar[tuple[str, ...]] = (
        *("mucked", "folded", "lost", "and lost", "and folded", "and mucked", "showed"),
        *("(cashed out)", "and cashed out for "),
    )
    """The beginnings of results that add nothing to the actions."""

    OWN_BOUNTY: ClassVar[str] = " and their own bounty"
    """The words before the increase of the winner's own bounty."""

    cards_by_seat: dict[Seat, Cards]  # cards shown
    summary_line: int  # the line of its heading
    declared_pot: Chips | None

    def read_summary_lines(self, line_number: int, end_line: int) -> int:
        """Read the summary from `line_number` to the hand's end; return the line after it."""
        line_texts = self.lines.text
        while line_number < end_line:
            line = line_texts[line_number]
            if line[:5] == "Seat " and line[-10:] in SILENT_ENDINGS and "[" not in line:
                line_number += 1
                continue
            self.place = line_number
            if line[:5] == "Seat ":
                self.read_seat_result(line)
            elif line.startswith("Total pot "):
                self.declare_totals(line)
            elif line.startswith("Board ["):
                self.declare_board(line[7:])
            elif line and not line.isspace() and not self.read_rare_line(line.strip()):
                if not self._summary_continues(line_number + 1, end_line):
                    break
                self.add_unread(line)
            line_number += 1
        return line_number

    def _summary_continues(self, line_number: int, end_line: int) -> bool:
        """Whether the line after an unknown one is the summary's: if so, the unknown line doesn't end the hand."""
        line = self.lines.text[line_number] if line_number < end_line else ""
        return line.startswith(("Total pot ", "Board [")) or _SEAT_RESULT.match(line) is not None

    def read_rare_line(self, line: str) -> bool:
        """Read a rarer line; False if the hand is over and something else begins."""
        if not line.startswith(_RARE_BEGINNINGS):
            return not line.strip("-")
        first_word, _, text_after = line.partition(" ")
        if first_word in NUMBERS_BY_ORDINAL and text_after.startswith("Board ["):
            self.declare_board(text_after[7:], NUMBERS_BY_ORDINAL[first_word])
        elif first_word == "Board" and text_after[1:3] == " [" and text_after[0].isdigit():
            self.declare_board(text_after[3:], int(text_after[0]))
        elif line.startswith("Total pot:"):  # a converter's spelling
            self.declare_totals("Total pot" + line[10:])
        elif line.startswith("Board: ["):
            self.declare_board(line[8:])
        elif line.startswith("Hand was run "):
            if self.runs_agreed_index < 0 and not line.endswith("once"):
                self.add_event(RunsAgreed(3 if line.endswith(("three times", "thrice")) else 2))
        elif line == "Hand cancelled":
            self.add_event(HandVoided("cancelled"))
        elif line.startswith(("Hand ended at ", "Game ended: ")):
            self.add_event(RemarkNoted(self.people.text(line)))
        elif line.startswith("Seat"):
            self.read_seat_result(line)
        else:
            return False
        return True

    def declare_board(self, board_text: str, number: int = 0) -> None:
        """Read `2c 7d Kc 9s 3d]` of a board."""
        card_text = board_text.rstrip().removesuffix("]")
        cards = self.read_cards(card_text)
        if cards is None:
            if card_text.strip():  # a hand without a board may have `Board []`
                self.add_unread(self.lines.text[self.place])
            return
        if not number and (1, 2) in self.board_sizes:
            number = 1 + any(isinstance(event, ResultDeclared) and event.what == "board" for event in self.events)
        self.add_event(ResultDeclared("board", cards=cards, number=number))

    def declare_totals(self, line: str) -> None:
        """Read `Total pot $20 Main pot $12. Side pot-1 $8. | Rake $1 | Jackpot $0.10`."""
        known_totals: dict[str, _Totals] = self.people.read_before.results_of("totals", self.exponent)
        totals = known_totals.get(line)
        if totals is None:
            totals = self._read_totals(line)
            if len(line) < _LONGEST_REMEMBERED:
                known_totals[line] = totals
        events, self.declared_pot, is_complete = totals
        self.events += events
        self.event_places += [self.place] * len(events)
        if not is_complete:
            self.add_unread(line)

    def _read_totals(self, line: str) -> _Totals:
        """Read the parts between the strokes: the pots first, then the drops."""
        pots_text, *drop_texts = amounts.close_rupee_gaps(line.rstrip()).split(" | ")
        pot_words = pots_text.split()
        if len(pot_words) < 3 or len(pot_words) % 3:
            return [], None, False
        total = self.parse_chips(pot_words[2])
        events: list[Event] = []
        for drop_text in drop_texts:
            drop_name, _, amount = drop_text.strip().rpartition(" ")
            if drop_name in _POTS:
                events.append(ResultDeclared(_POTS[drop_name], None, self.parse_chips(amount)))
            elif drop_name != "STP":  # the room's own chips: an earlier line has them
                events.append(DropTaken(_DROPS.get(drop_name.lower(), "other"), self.parse_chips(amount)))
        events.append(ResultDeclared("total-pot", None, total))
        for word_index in range(3, len(pot_words) - 2, 3):
            if not pot_words[word_index + 1].startswith("pot"):
                return events, total, False
            result_kind: ResultKind = "main-pot" if pot_words[word_index] == "Main" else "side-pot"
            amount = pot_words[word_index + 2]
            events.append(
                ResultDeclared(
                    result_kind,
                    None,
                    self.parse_chips(amount),
                    "",
                    parse_small_number(pot_words[word_index + 1][4:], 2),
                )
            )
        return events, total, True

    def read_seat_result(self, line: str) -> None:
        """Read `Seat 3: Name (button) showed [Ah Kd] and won ($5) with a pair of Aces`."""
        seat_result = self.split_result(self.strip_seat_word(line))
        if seat_result is None:
            self.add_unread(line)
            return
        seat, result_text = seat_result
        if (
            result_text[:11] == "collected ("
            and (amount := self.chips_by_text.get(result_text[11:-1]))
            and result_text[-1] == ")"
        ):
            self.add_event(ResultDeclared("collected", seat, amount))
            return
        if result_text.startswith(self.SHOWED):
            card_text, _, text_after = result_text.partition("[")[2].partition("]")
            cards = self.read_cards(card_text)
            if cards is None:
                self.add_unread(line)
                return
            if self.cards_by_seat.get(seat) != cards:
                self.add_event(
                    HoleCardsLearned(seat, cards, "after" if result_text.startswith(self.MUCKED) else "shown")
                )
            result_text = text_after.lstrip()
        if not self._declare_winnings(seat, result_text) and result_text and not result_text.startswith(self.QUIET):
            self.add_unread(line)

    def _declare_winnings(self, seat: Seat, result_text: str) -> bool:
        """Read `and won ($5) with …, and won ($3) with …`, `collected ($5)`."""
        for winning_words in self.WON:
            if winning_words in result_text:
                total = 0
                for amount_and_rest in amounts.close_rupee_gaps(result_text).split(winning_words)[1:]:
                    amount_text = (
                        amount_and_rest[1:].partition(")")[0]
                        if amount_and_rest[:1] == "("
                        else amount_and_rest.split(" ", 1)[0]
                    )
                    total += self.parse_chips(amount_text.strip("),"))
                self.add_event(ResultDeclared("collected", seat, total))
                return True
        return False

    def put_remark(self, words: str) -> None:
        """Keep words that no event can express."""
        self.add_event(RemarkNoted(self.people.text(words)))
