"""Lines about the house between the hands of a night: boxes, the tray, fills and credits, and who deals."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.handscript import interpreter, tokens
from ledger.formats.handscript.context import Context, Settings
from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.blocks import Block
from ledger.formats.handscript.notes.clock_times import split_time
from ledger.formats.handscript.notes.hand_headings import begins_hand, begins_with_button, marks_hand
from ledger.formats.handscript.notes.noted_hand import CanonicalLine
from ledger.formats.handscript.notes.remarks import RULINGS
from ledger.formats.handscript.notes.table_words import MUCKS, RESERVED, SHOWS, STREETS, VERBS, WINS, split_words
from ledger.formats.handscript.phrasebook import BOOK
from ledger.formats.handscript.reserved import RESERVED_WORDS
from ledger.people import People
from ledger.table.money_events import BoxCounted, ChipsCredited, ChipsFilled, TrayCounted

_COUNTS: Final = (BoxCounted, ChipsFilled, ChipsCredited, TrayCounted)
"""Events that name nobody: notes call a player by many names, and a payment goes to just one."""


_WORDS: Final = re.compile(r"\b(?:box|tray|fill|credit)\b", re.IGNORECASE)
"""A line about the house's money has one of these: a quick look, before the grammar reads it."""


def read_counts(text: str, scale: int) -> list[str]:
    """Return the lines of a text about the house's money as the strict grammar has them; none for other texts.

    `scale`: decimals of the night's unit.
    """
    if not _WORDS.search(text):
        return []
    context = Context(People(b""), Settings(exponent=scale))
    try:
        words = tokens.split_placed_words(text.strip(" .;,"))[0]
        events, _ = interpreter.read_events(words, context) if words else ((), None)
    except UnreadableHandError:
        return []
    is_counted = all(isinstance(event, _COUNTS) for event in events)
    return [BOOK.format_line(event, context) for event in events] if is_counted else []


_PAYOUT: Final = re.compile(r"\b(?:jackpot|promotion)(?:\s+fund)?(?:\s+|-)(?:paid|pays)\b", re.IGNORECASE)


def names_payout(text: str) -> bool:
    """Whether a text is about a fund's payout: `jackpot-paid Bo 500`. Notes can't record payouts, so it's asked about."""
    return _PAYOUT.search(text) is not None


_NAME_WORD: Final = r"[^\W\d_](?:[^\W\d_]|['\u2019-])*"
_NAME: Final = re.compile(_NAME_WORD)
_DEALER: Final = re.compile(
    r"\s*(?:(?:new|next|house)\s)?dealer(?:\s(?:change|push|is|now))?\s?[:=-]?\s"
    rf"(?P<name>{_NAME_WORD}(?:\s{_NAME_WORD}){{0,2}}?)"
    r"(?:\s(?:in|sits|sits (?:in|down)|pushes in|takes over|deals))?[\s.;,]*",
    re.IGNORECASE,
)
"""A line that only says who deals for the house: `dealer Maria`, `New dealer: Maria Lopez`."""
_NO_NAMES: Final = frozenset(
    word
    for word in (
        *RESERVED,
        *RESERVED_WORDS,
        *RULINGS,
        *split_words("mistake mistakes error errors tip tips tipped toke tokes choice shift swap rotation relief"),
    )
    if len(word) > 1
)
"""Words after `dealer` that name nobody, even in capitals: `DEALER CHANGE`, `Dealer Error`. An initial may be a name."""
_FRAME_SIGNS: Final = " \t-=*_>•·"
_PLAY_WORDS: Final = frozenset((*VERBS, *STREETS, *SHOWS, *MUCKS, *WINS))


class HouseLines:
    """Reads lines about the house between the hands of a night: its counts, and who deals."""

    def __init__(self, lines: Sequence[ScriptLine]) -> None:
        """Take all lines of the night: a dealer whom another line names is a player with the button."""
        self._lines = lines

    @cached_property
    def _other_words(self) -> frozenset[str]:
        """The words of all lines that name no dealer, in lower case."""
        return frozenset(
            word.lower()
            for line in self._lines
            if not _DEALER.fullmatch(line.text)
            for word in _NAME.findall(line.text)
        )

    @cached_property
    def _starts_below_play(self) -> frozenset[int]:
        """The starts of the lines after which another hand begins, or the night ends, before anybody acts."""
        starts = set()
        is_below_play = True
        for line in reversed(self._lines):
            if is_below_play:
                starts.add(line.start)
            text = split_time(line.text.lstrip(_FRAME_SIGNS))[0]
            if begins_hand(text) or marks_hand(text):
                is_below_play = True
            elif not _PLAY_WORDS.isdisjoint(_NAME.findall(text.lower())):
                is_below_play = False
            elif begins_with_button(text):
                is_below_play = True
        return frozenset(starts)

    def read(self, text: str, scale: int) -> list[str]:
        """Return a line as the strict grammar has it; none if it isn't about the house.

        `scale`: decimals of the night's unit.
        """
        return read_counts(text, scale) or self._read_dealer(text)

    def read_in_hand(self, line: ScriptLine, text: str, scale: int, *, is_opening: bool) -> list[str]:
        """Return a line in a hand that may be over as the strict grammar has it; none if it isn't about the house.

        `is_opening`: nobody has acted. Who deals isn't read there, nor before further acts: it would end the hand.
        """
        counts = read_counts(text, scale)
        dealer = [] if counts or is_opening else self._read_dealer(text)
        return dealer if dealer and line.start in self._starts_below_play else counts

    def is_payout_between_hands(self, line: ScriptLine, text: str) -> bool:
        """Whether a line is about a payout and nobody acts below it before another hand begins."""
        return names_payout(text) and line.start in self._starts_below_play

    def take(self, line: ScriptLine, text: str, scale: int, add_to_block: Callable[[ScriptLine, str], Block]) -> bool:
        """Write a line about the house as the strict grammar has it; return whether it is one.

        `add_to_block` returns the block of facts that the line belongs to.
        """
        house_lines = self.read(text, scale)
        if house_lines:
            add_to_block(line, "table").canonical_lines += [
                CanonicalLine(house_line, line) for house_line in house_lines
            ]
        return bool(house_lines)

    def _read_dealer(self, text: str) -> list[str]:
        match = _DEALER.fullmatch(text)
        if match is None:
            return []
        name_words = match["name"].split()
        if not all(name_word[0].isupper() for name_word in name_words):
            return []
        if any(name_word.lower() in _NO_NAMES or name_word.lower() in self._other_words for name_word in name_words):
            return []
        return [f"dealer {tokens.quote(match['name'])}"]
