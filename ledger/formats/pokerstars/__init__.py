"""PokerStars' text: what trackers, solvers and replayers read, and most converters imitate.

`docs/formats/pokerstars.md` has the table from line to event, and lists what the format doesn't record.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from importlib import import_module
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.pokerstars import header
from ledger.formats.pokerstars.event_writer import EVENTS_WRITTEN, write
from ledger.formats.pokerstars.hand import PokerStarsHand
from ledger.formats.pokerstars.header import NUMBERED, is_first_line, is_local, is_rule
from ledger.formats.pokerstars.relabelled import VENUE, restore_mucks, restore_room
from ledger.hand.opening import ButtonPlaced, HandOpened
from ledger.notation import Format
from ledger.readers.currencies import has_unusual_amounts_in_text
from ledger.readers.hand_boundaries import build_cutter
from ledger.readers.incomplete import no_second_line
from ledger.readers.lines import MAX_LINE_BYTES, SourceLines
from ledger.readers.signatures import begins_other_hand, list_foreign_heads
from ledger.readers.text_format import KNOWN_UNITS, HandLines, TextGrammar, read_chunk

_LEADING_CHARACTERS: Final = frozenset(("", "*", "\ufeff", " ", "\t"))
"""How lines may begin that come before a hand's first line; "" is an empty line."""


def build_grammar(
    hand_class: type[PokerStarsHand],
    first_words: tuple[str, ...],
    required_words: tuple[str, ...],
    *own_currencies: str,
) -> TextGrammar:
    """Return the grammar of a room whose text follows PokerStars'.

    Its hands begin with one of `first_words`, and each first line contains one of `required_words`.
    """
    return TextGrammar(
        hand_class.is_first_line,
        list_foreign_heads(*first_words),
        partial(read_hand, hand_class),
        preface=("*****", NUMBERED),
        begins_block=hand_class.stops_at,
        words=required_words,
        has_odd_amounts=_has_odd_amounts,
        units=KNOWN_UNITS | {*own_currencies},
    )


def _has_odd_amounts(hand_lines: Sequence[str], first_line: int) -> bool:
    """Whether the first line shows amounts that the reader doesn't know. Other languages have their own reader."""
    return has_unusual_amounts_in_text(hand_lines[first_line]) and not is_local(hand_lines[first_line].lstrip("\ufeff"))


def read_hand(hand_class: type[PokerStarsHand], page: HandLines) -> PokerStarsHand:
    """Read one hand, up to the first line that isn't part of it."""
    first_line = _skip_preface(hand_class, page)
    try:
        if page.lines.longest > MAX_LINE_BYTES:
            page.lines.refuse_long(first_line, _find_next_stop(hand_class, page, first_line))
        hand = _read_hand(hand_class, page, first_line)
    except UnreadableHandError:
        page.end_line = _find_next_stop(hand_class, page, first_line)
        raise
    page.end_line = hand.end_line
    return hand


def _skip_preface(hand_class: type[PokerStarsHand], page: HandLines) -> int:
    """Return the number of the hand's first line, after blank lines and rules."""
    for line_number in range(page.first_line, len(page.lines.text)):
        line = page.lines.text[line_number]
        may_precede_hand = line[:1] in _LEADING_CHARACTERS or is_rule(line)
        if not may_precede_hand or hand_class.is_first_line(line):
            return line_number
    return page.first_line


def _find_next_stop(hand_class: type[PokerStarsHand], page: HandLines, first_line: int) -> int:
    """Return the number of the line after the hand: the first one that can't be part of it."""
    return next(
        (
            line_number
            for line_number in range(first_line + 1, page.end_line)
            if hand_class.stops_at(page.lines.text[line_number])
        ),
        page.end_line,
    )


def _read_hand(hand_class: type[PokerStarsHand], page: HandLines, first_line: int) -> PokerStarsHand:
    lines, line_texts = page.lines, page.lines.text
    if line_texts[first_line][0] == " ":
        _strip_leading_blanks(lines, first_line)
    if is_local(line_texts[first_line].lstrip("\ufeff")):
        hand_class = _load_local_hand_class()
    hand_header = hand_class.parse_header(line_texts[first_line])
    table_line = first_line + 1
    while table_line < page.end_line and not line_texts[table_line].strip():
        table_line += 1
    if table_line < page.end_line and line_texts[table_line][:1] == " ":
        _strip_leading_blanks(lines, table_line)  # the first line may have no blank before it
    table_row = hand_class.parse_table(line_texts[table_line].strip()) if table_line < page.end_line else None
    if table_row is None:
        raise no_second_line()
    hand_header, setup = restore_room(
        hand_header, hand_class.parse_game(hand_header, page.exponent, table_row.play_money), table_row
    )
    hand = hand_class(lines, page.people, hand_header.room, setup.game, first_line)
    for event in setup.events:
        hand.add_event(event)
    first_event = len(hand.events)
    line_after_seats = hand.read_seats(table_line + 1, page.end_line)
    if hand.early_lines:
        hand.read_early_lines(first_event)
    if table_row.button is not None:
        hand.place = table_line
        hand.add_event(ButtonPlaced(table_row.button))
    hand.read_body(line_after_seats, page.end_line)
    if hand_header.room == VENUE:
        restore_mucks(hand)
    hand.finish()
    hand.set_opening(
        HandOpened(
            hand_header.room,
            table_row.name.removeprefix(setup.tournament + " ") if setup.tournament else table_row.name,
            hand_header.number,
            hand.list_witnesses(),
            header.parse_moment(hand_header.date_text),
            hand_header.date_text,
            table_row.seats,
            setup.tournament,
            setup.club,
        )
    )
    return hand


@cache
def _load_local_hand_class() -> type[PokerStarsHand]:
    """Return the class for hands in other languages. Its many phrases are compiled only when such a hand appears."""
    reader_class: type[PokerStarsHand] = import_module(".local", __package__).LocalHand
    return reader_class


def _strip_leading_blanks(lines: SourceLines, line_number: int) -> None:
    """Remove the space that some archives put before each line of a hand."""
    blank_bytes = 2 if lines.lengths[line_number] >= 2 * len(lines.text[line_number]) else 1  # 2 in UTF-16
    while line_number < len(lines.text) and lines.text[line_number][:1] in ("", " "):
        if lines.text[line_number]:
            lines.text[line_number] = lines.text[line_number][1:]
            lines.starts[line_number] += blank_bytes
            lines.lengths[line_number] -= blank_bytes
        line_number += 1


_HEADER_WORDS: Final = ("Hand #", "Game #", "HAND #", "GAME #", "PokerStars")
_OTHER_ROOMS: Final = list_foreign_heads("PokerStars")
GRAMMAR: Final = build_grammar(PokerStarsHand, ("PokerStars",), _HEADER_WORDS, "INR")


def sniff(beginning: bytes) -> int:
    """Return how certain it is, from 0 to 100, that a file with this beginning is PokerStars' text."""
    certainty = 0
    for line in beginning.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
        stripped_line = line.lstrip("\ufeff \t")
        if header.is_first_line(stripped_line):
            return 95 if stripped_line[:10].upper() == "POKERSTARS" else 90
        if begins_other_hand(stripped_line, _OTHER_ROOMS):
            return 0
        if stripped_line.startswith(("*** HOLE CARDS ***", "*** SUMMARY ***", "*** SHOW DOWN ***")):
            certainty = 30
    return certainty


FORMAT: Final = Format(
    name="pokerstars",
    title="PokerStars text",
    suffixes=(".txt",),
    sniff=sniff,
    read=partial(read_chunk, GRAMMAR),
    find_cut=build_cutter(_HEADER_WORDS, is_first_line, rule=is_rule),
    write=write,
    written_events=EVENTS_WRITTEN,
    separator="\n\n\n",
)
