"""Recognize the first lines of all rooms' hands, which also end the hand before them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

ROOMS: Final = (
    ("Poker Hand #", "GGPoker"),
    ("Winamax Poker - ", "Winamax"),
    ("FullTiltPoker Game #", "Full Tilt"),
    ("Full Tilt Poker Game #", "Full Tilt"),
    ("GameDesire Game #", "GameDesire"),
    ("#Game No", "888poker or partypoker"),
    ("***** Cassava Hand History", "888poker"),
    ("***** Hand History for Game", "partypoker"),
    ("***** Hand History For Game", "partypoker"),
    ("***** History for hand ", "OnGame"),
    ("Stage #", "Absolute Poker"),
    ("Everleaf Gaming", "Everleaf"),
    ("Partouche Poker", "Partouche"),
    ("Ignition Hand #", "Ignition"),
    ("Bovada Hand #", "Bovada"),
    ("Bodog Hand #", "Bodog"),
    ("Game Hand #", "Winning Poker Network"),
    ("Game started at:", "Winning Poker Network"),
    ("EverestPoker Game #", "Everest, exported by PokerTracker"),
    ("MERGE_GAME #", "Merge, exported by PokerTracker"),
    ("Merge Game #", "Merge, exported by PokerTracker"),
    ("GAME #", "iPoker, exported by PokerTracker"),
    ("** Game ID ", "Microgaming, exported by PokerTracker"),
    ("** Hand # ", "Microgaming, exported by PokerTracker"),
    ("Game # ", "Entraction"),
    ("BetOnline Poker Game #", "BetOnline"),
    ("*** HEADER ***", "Betclic"),
    ("Hand#", "Cake"),
    ("PayNoRake Game #", "PayNoRake"),
    ("ActionPoker.com Game #", "ActionPoker"),
    ("Gear Poker Game #", "Gear Poker"),
    ("SportsBetting.ag Poker Game #", "SportsBetting"),
    ("Tiger Gaming Game #", "TigerGaming"),
    ("Unibet Hand #", "Unibet"),
    ("CoinPoker Hand #", "CoinPoker"),
    ("PokerStars Hand #", "PokerStars"),
    ("PokerStars Game #", "PokerStars"),
    ("PokerStars Zoom Hand #", "PokerStars"),
    ("PokerStars Home Game Hand #", "PokerStars"),
    ("Run It Once Poker Hand #", "Run It Once"),
    ("BetRivers Poker Hand #", "BetRivers"),
    ("Hive Poker Hand #", "Hive Poker"),
    ("=== HAND HISTORIES ===", "Unibet"),
    ("<Game Information>", "Winning Poker Network"),
)
"""The beginning of a hand's first line → the room. It ends the hands of all other rooms."""

HEADS: Final = tuple(head for head, _ in ROOMS)

PATTERNS: Final = (
    (r"Game #[0-9]+: (?:Hold'?em |Omaha |Texas |Tournament #)", "Enet"),
    (r"Game #[0-9]+: Table ", "Unibet"),
    (r"Hand #[0-9-]+ - [0-9]{4}-[0-9]{2}-", "Poker Mavens"),
    (r"Hand #[0-9]+ - [^-]*Limit\) - ", "Winning Poker Network"),
    (r"#[0-9]+: (?:No |Pot )?Limit ", "KingsClub"),
    (r"Table #[0-9]+ - ", "PKR"),
    (r"\*\*\*\*\* [^*]{1,30} Hand History for Game ", "888poker"),
    (r"(?:Mão |Mano n|Раздача |Main )[^:]{0,40}PokerStars|PokerStars (?:Mão|Partie) #", "PokerStars"),
    (r"PokerStars (?:Zoom )?Hand Nr\. [0-9]", "PokerStars in German"),
    (r"PokerStars (?:Zoom )?Παρτίδα ", "PokerStars in Greek"),
    (r"[A-Za-z0-9. ]{1,30} (?:Hand|Game) #[0-9]+:? ", ""),  # an unknown room
)
"""The same for rooms whose first words alone could begin any line."""
_PATTERN: Final = re.compile("|".join(f"({pattern})" for pattern, _ in PATTERNS))  # a group for each
_LEAD: Final = re.compile(r"Game #[0-9]+ starts|\*{5,} (?:# |№|n\. )[0-9]+ \*|BEGIN\s*$")
"""Lines before hands of partypoker, PokerStars and Full Tilt."""
UNREAD_ROOMS: Final = ("PokerStars in German", "PokerStars in Greek")
"""Rooms in languages that no reader supports."""
_MAY_LACK_SIGN: Final = ("M", "Раздача", "*", "PokerStars ")
"""The beginnings of lines that match a pattern without a number sign."""
_UNNUMBERED: Final = ("Mano", "Раздача", "*****", "BEGIN", "PokerStars ")
"""The beginnings of lines that match a pattern, perhaps without a number sign."""

SUMMARIES: Final = (
    ("PokerStars Tournament #", "PokerStars"),
    ("Full Tilt Poker Tournament Summary", "Full Tilt"),
    ("Winamax Poker - Tournament summary", "Winamax"),
    ("***** Cassava Tournament Summary", "888poker"),
    ("PokerTracker 4 Tournament Summary", "PokerTracker"),
    ("PokerTracker Tournament Summary", "PokerTracker"),
    ("=== TOURNAMENT SUMMARIES ===", "Unibet"),
    ("Unibet Tournament #", "Unibet"),
)
"""The beginning of a tournament summary's first line → the room."""

NO_HAND: Final = "Only hands are read; there is nothing to be done."
"""The hint for texts without hands."""

UNKNOWN_HINT: Final = "Keep the file, and import it again with a version that reads this room."
TRANSLATED_HINT: Final = (
    "The room writes hands in the language of the player's client: ask for them in English, and keep the file."
)
"""The hints for hands of an unknown room or in an unknown language."""

MARKS: Final = "\ufeff \t"
"""Characters that may come before a hand's first words in their line."""

_CAUSES: Final = (
    (("<!doctype html", "<html"), "a web page"),
    (("tournament #",), "the summary of a tournament"),
    (("{\\rtf",), "a document of a word processor"),
)
"""The beginnings of a file in lower case → the kind of file."""
_SAMPLE_LINES: Final = 4
_NUMBER_ENDS: Final = 80
_MAX_EMPTY_SIZE: Final = 4096
"""A source whose head is shorter has no more bytes."""


def list_foreign_heads(*own_heads: str) -> tuple[str, ...]:
    """Return the beginnings of all rooms' hands and summaries, except those that begin with one of `own_heads`."""
    return tuple(head for head, _ in (*ROOMS, *SUMMARIES) if not head.startswith(own_heads))


@cache
def list_head_starts(ends: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the beginnings of lines without `#` that may end a hand: their first four characters, and in full."""
    heads = tuple(mark + end for mark in ("", "\ufeff") for end in (*ends, *_UNNUMBERED) if "#" not in end)
    return frozenset(head[:4] for head in heads), heads


def ends_hand(line: str, ends: tuple[str, ...], preface: tuple[str, ...] = ()) -> bool:
    """Whether a hand ends before a line that begins another hand or comes before one.

    `preface`: beginnings of lines that the room's own reader accepts before a hand.
    """
    line = line.lstrip(MARKS)
    return begins_other_hand(line, ends) or (_LEAD.match(line) is not None and not line.startswith(preface))


def begins_other_hand(line: str, heads: tuple[str, ...]) -> bool:
    """Whether a line begins another hand."""
    line = line.lstrip(MARKS)
    return line.startswith(heads) or _match_pattern(line) is not None


def _match_pattern(line: str) -> re.Match[str] | None:
    """Match a line against the patterns. A quick test first rules out nearly every line."""
    return _PATTERN.match(line) if "#" in line or line.startswith(_MAY_LACK_SIGN) else None


@cache
def find_longer_heads(*words: str) -> tuple[str, ...]:
    """Return the rooms' beginnings that end with one of `words`: `PokerStars Game #` for `Game #`."""
    return tuple(head for head, _ in ROOMS if head.endswith(words))


def describe_other_text(line: str) -> str:
    """Describe a text without hands by its first line, or return "" if it is unknown.

    >>> describe_other_text("PokerStars Tournament #900000038, 8-Game")
    'the summary of a tournament (PokerStars)'
    """
    room_name = next((name for head, name in SUMMARIES if line.startswith(head)), "")
    if room_name:
        return f"the summary of a tournament ({room_name})"
    return "the summary of a tournament" if "tournament summary" in line[:200].lower() else ""


def describe_other_source(head: bytes) -> str:
    """Describe a source without hands by its first bytes as UTF-8, or return "" if it is unknown."""
    lines = [line.strip("\ufeff \t\r") for line in head.decode("utf-8", "replace").split("\n")]
    first_lines = [line for line in lines if line][:_SAMPLE_LINES]
    description = next(
        (line_description for line in first_lines if (line_description := describe_other_text(line))), ""
    )
    if not first_lines and len(head) < _MAX_EMPTY_SIZE:
        return "an empty text"
    if description or not first_lines:
        return description
    start = first_lines[0].lower()
    return next((line_description for openings, line_description in _CAUSES if start.startswith(openings)), "")


def build_head_test(
    heads: str | tuple[str, ...], line_test: Callable[[str], bool] | None = None, *, marks: str = MARKS
) -> Callable[[str], bool]:
    """Return a test for lines that begin with one of `heads`, after optional `marks`, and pass `line_test`.

    >>> begins = build_head_test("Hand #", lambda line: line[6:7].isdigit())
    >>> begins("  Hand #5"), begins("Hand #x"), begins("Hands")
    (True, False, False)
    """

    def begins_hand(line: str) -> bool:
        if not line.startswith(heads):
            line = line.lstrip(marks)
            if not line.startswith(heads):
                return False
        return line_test is None or line_test(line)

    return begins_hand


def build_number_test(text_after: str, *words: str) -> Callable[[str], bool]:
    """Return a test for lines with a number after their `#`, then `text_after`, then one of `words`.

    >>> build_number_test(": ", "Omaha ")("Game #5: Omaha (2/4)"), build_number_test(" - ")("Table #x - y")
    (True, False)
    """

    def has_number(line: str) -> bool:
        digits, separator, later_text = line[line.find("#") + 1 : _NUMBER_ENDS].partition(text_after)
        return bool(separator) and digits.isascii() and digits.isdigit() and later_text.lstrip().startswith(words or "")

    return has_number


def build_sniffer(
    begins_hand: Callable[[str], bool], foreign: tuple[str, ...], later_line: str = ""
) -> Callable[[bytes], int]:
    """Return a `Format.sniff`: 95 if a hand of this room comes before any other room's hand, otherwise 0.

    If the first line may be another room's, a later line must begin with `later_line`.
    """

    def sniff(head: bytes) -> int:
        has_begun = False
        for line in head.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
            is_own_head = begins_hand(line)
            has_begun = has_begun or is_own_head
            if has_begun and line.startswith(later_line):
                return 95
            if not is_own_head and begins_other_hand(line, foreign):
                return 0
        return 0

    return sniff


def find_room(line: str) -> str:
    """Return the room whose hand this line begins, or "" if there is no hand or the room is unknown."""
    room_name = next((name for head, name in ROOMS if line.startswith(head)), "")
    if not room_name and (pattern := _match_pattern(line)) is not None:
        room_name = PATTERNS[(pattern.lastindex or 1) - 1][1]
    return room_name


def find_unknown_room_name(line: str) -> str:
    """Return the name that an unknown room gives itself in the first line of a hand, or "" for other lines.

    >>> find_unknown_room_name("BlitzPoker Hand #12: Hold'em No Limit"), find_unknown_room_name("PokerStars Hand #12: Hold'em No Limit")
    ('BlitzPoker', '')
    """
    match = None if find_room(line) else _match_pattern(line)
    return re.split(" (?:Hand|Game) #", match[0])[0].strip() if match is not None else ""


def explain_unread(line: str) -> tuple[str, str]:
    """Return why no reader supports the hand that this line begins, and a hint; "" and "" for other lines."""
    room_name = find_room(line)
    if room_name in UNREAD_ROOMS:
        return f"a hand of {room_name}, which no reader knows", TRANSLATED_HINT
    name = find_unknown_room_name(line)
    return (f"begins like a hand of {name}, a room that no reader knows", UNKNOWN_HINT) if name else ("", "")
