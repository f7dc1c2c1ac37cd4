"""Logs of the Annual Computer Poker Competition's dealer, and Pluribus' logs: a hand in one line.

`docs/formats/acpc.md` lists what is read, what is assumed, and what the lines don't contain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ledger.account import Account, Reject, TableAccount
from ledger.errors import UnreadableHandError
from ledger.formats.acpc import messages, play
from ledger.formats.acpc.play import MESSAGE, STATE, VENUE, WITNESSES, AcpcMatch, is_message, is_state
from ledger.hand.ending import RemarkNoted
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.hand import HandBuilder
from ledger.readers.hand_boundaries import build_cutter
from ledger.readers.joints import find_joints, split_chunk
from ledger.readers.lines import SourceLines
from ledger.readers.text_format import HandLines, find_span, read_in_unit, reject_lines, reject_stray
from ledger.table.events import GameBroken, GameStarted, TableEvent, TableOpened
from ledger.vocabulary import Millis

_MATCH_PREFIX: Final = "# name/game/hands/seed "
_MESSAGE_LETTERS: Final = b"MATCH"
"""The letters before the `STATE:` of a message."""
_LINE_INSIDE_LINE: Final = re.compile(rb"STATE:(?<=[^\nH]STATE:)|# name/(?<=[^\n]# name/)")
_BETWEEN_HANDS = ("#", "STARTED at ", "FINISHED at ", "SCORE:", "STARTED", "FINISHED")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a log, the facts about their match, and rejects for everything else.

    If a line begins inside another, the first was cut there. A log of another match begins at that place.
    """
    log_starts, candidates = [0], []
    if _LINE_INSIDE_LINE.search(chunk.data):
        candidates = [
            log_start
            for log_start in find_joints(chunk, (STATE, _MATCH_PREFIX), _can_begin_log, ())
            if not chunk.data.endswith(_MESSAGE_LETTERS, 0, log_start)
        ]
    for log_start, log_chunk in zip(candidates, list(split_chunk(chunk, [0, *candidates]))[1:], strict=True):
        if not isinstance(next(_read_log(log_chunk, People(bytes(32))), None), Reject):
            log_starts.append(log_start)
    for log_chunk in split_chunk(chunk, log_starts):
        yield from _read_log(log_chunk, people)


def _can_begin_log(line: str) -> bool:
    """Whether a log can begin with this line."""
    return is_state(line) or line.startswith(_MATCH_PREFIX)


def _read_log(chunk: Chunk, people: People) -> Iterator[Item]:
    lines = SourceLines(chunk)
    line_texts = lines.text
    match = AcpcMatch(_name_of_file(chunk.name), likely_no_limit=_has_raise_amounts(line_texts))
    line_number, line_count = 0, len(line_texts)
    while line_number < line_count:
        line = line_texts[line_number]
        next_number = line_number + 1
        if not line or line.isspace():
            pass
        elif is_state(line):
            yield _read_hand(chunk, lines, line_number, next_number, people, match)
        elif is_message(line):
            next_number = messages.find_hand_end(line_texts, line_number)
            yield _read_hand(chunk, lines, line_number, next_number, people, match)
        elif line.startswith(_BETWEEN_HANDS):
            while next_number < line_count and line_texts[next_number].startswith(_BETWEEN_HANDS):
                if line_texts[next_number].startswith(_MATCH_PREFIX):
                    break
                next_number += 1
            yield _read_between_hands(chunk, lines, line_number, next_number, people, match)
        else:
            while next_number < line_count and not (
                is_state(line_texts[next_number])
                or is_message(line_texts[next_number])
                or line_texts[next_number].startswith(_BETWEEN_HANDS)
            ):
                next_number += 1
            yield reject_stray(chunk, lines, line_number, next_number)
        line_number = next_number


def _read_hand(
    chunk: Chunk, lines: SourceLines, first_line: int, end_line: int, people: People, match: AcpcMatch
) -> Account | Reject:
    """Read one hand. Payoffs with fractions call for a smaller unit."""
    read_hand = play.read_state_line if is_state(lines.text[first_line]) else messages.read_messages

    def in_exponent(exponent: int | None) -> HandBuilder:
        return read_hand(
            HandLines(lines, first_line, first_line, end_line, people, exponent, chunk.name, chunk.encoding), match
        )

    try:
        acpc_hand = read_in_unit(in_exponent)
    except UnreadableHandError as error:
        return reject_lines(chunk, lines, first_line, end_line, error)
    span_start, span_length = find_span(lines, first_line, end_line)
    return acpc_hand.build_account(chunk.start, span_start, span_length)


def _read_between_hands(
    chunk: Chunk, lines: SourceLines, first_line: int, end_line: int, people: People, match: AcpcMatch
) -> TableAccount:
    """Read the lines between hands. The line that names the match applies to the hands after it."""
    span_start, span_length = find_span(lines, first_line, end_line)
    events: list[TableEvent] = []
    event_spans: list[int] = []
    event_times: dict[int, Millis] = {}
    for line_number in range(first_line, end_line):
        line = lines.text[line_number]
        event: TableEvent
        if line.startswith(_MATCH_PREFIX):
            _read_match_line(match, line)
            event = TableOpened(VENUE, match.name, seats=match.player_count, witnesses=WITNESSES)
        elif line.startswith(("STARTED", "FINISHED")):
            event = GameStarted() if line[0] == "S" else GameBroken()
            occurred_at = messages.parse_moment(line.rpartition(" ")[2])
            if occurred_at is not None:
                event_times[len(events)] = occurred_at
        else:
            event = RemarkNoted(people.text(line.strip()))
        events.append(event)
        event_spans += (lines.starts[line_number] - span_start, lines.lengths[line_number])
    return TableAccount(
        VENUE, match.name, events, event_spans, chunk.start + span_start, span_length, times=event_times
    )


def _read_match_line(match: AcpcMatch, line: str) -> None:
    """Set the match's name and game from `# name/game/hands/seed NAME holdem.limit.2p.game 1000 0`."""
    words = line[len(_MATCH_PREFIX) :].split()
    if not words:
        return
    match.name = words[0]
    match.no_limit, match.reverse_blinds, match.player_count = None, True, 0
    game_name = words[1].lower() if len(words) > 1 else ""
    game_words = game_name.split(".")
    if "limit" in game_words or "nolimit" in game_words:
        match.no_limit = "nolimit" in game_words
    for game_word in game_words:
        if len(game_word) == 2 and game_word[1] == "p" and game_word[0] in "23456789":
            match.player_count = int(game_word[0])
            match.reverse_blinds = "reverse_blinds" in game_words


def _has_raise_amounts(line_texts: list[str]) -> bool | None:
    """Whether raises have amounts in these lines, or None if nobody raises."""
    for line in line_texts:
        raise_index = line.find(":r")
        if raise_index < 0:
            raise_index = line.find("cr") if line.startswith("STATE") else -1
        if raise_index >= 0 and (is_state(line) or is_message(line)):
            return line[raise_index + 2 : raise_index + 3].isdecimal()
    return None


def _name_of_file(source_name: str) -> str:
    """Return a file's name without its folders and its last suffix."""
    file_name = source_name.replace("\\", "/").rpartition("/")[2]
    return file_name.rpartition(".")[0] or file_name or "log"


_MAX_MATCH_BYTES: Final = 6 * 1024 * 1024
_MAX_MESSAGES_BYTES: Final = 64 * 1024
_cut_at_match: Final = build_cutter((_MATCH_PREFIX.strip(),), lambda line: line.startswith(_MATCH_PREFIX.strip()))
_cut_at_state: Final = build_cutter((STATE,), lambda line: line.startswith(STATE))


def sniff(head: bytes) -> int:
    """Return how likely this is a log of the competition, from 0 (no) to 100 (certain)."""
    for line in head.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
        stripped_line = line.lstrip("\ufeff \t")
        if is_state(stripped_line) or is_message(stripped_line):
            return 95
        if stripped_line and not stripped_line.startswith(("#", "STARTED at ", "SCORE:")):
            return 0
    return 90 if _MATCH_PREFIX.strip().encode() in head else 0


def cut(buffer: bytes, encoding: str) -> int:
    """Return where the last match begins or, in a match longer than 6 MiB, its last hand.

    A match's first line names its table, so its hands are best read together with it.
    """
    match_start = _cut_at_match(buffer, encoding)
    if match_start or len(buffer) < _MAX_MATCH_BYTES:
        return match_start
    return _cut_at_state(buffer, encoding) or _find_last_messages(buffer)


def _find_last_messages(buffer: bytes) -> int:
    """Return where the messages of the last hand begin."""
    line_end = len(buffer)
    last_number, hand_start = "", 0
    while line_end > len(buffer) - _MAX_MESSAGES_BYTES and (newline := buffer.rfind(b"\n", 0, line_end)) >= 0:
        line = buffer[newline + 1 : line_end].decode("latin-1")
        if is_message(line):
            number_field = line.partition(MESSAGE)[2].split(":", 2)[1:2]
            if last_number and number_field and number_field[0] != last_number:
                return hand_start
            last_number, hand_start = (number_field[0] if number_field else ""), newline + 1
        line_end = newline
    return 0


FORMAT: Final = Format(
    name="acpc",
    title="ACPC and Pluribus logs",
    suffixes=(".log", ".txt"),
    sniff=sniff,
    read=read,
    find_cut=cut,
    is_appended=False,
)
