"""Hands in other languages than English, put into English line by line before they are read.

Lines keep their places in the bytes. A line that no table knows stays as it is: what cannot be read
in it is kept in its own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

from ledger.formats.pokerstars import languages as local
from ledger.formats.pokerstars.words import HEADS
from ledger.readers.lines import Lines
from ledger.readers.phrases import Table
from ledger.readers.signatures import ends_at, others

_BEHIND: Final = re.compile(r"([0-9][0-9.,]{0,20})(?<=[0-9])[ \xa0\u202f]?([€$£₽])(?![ \xa0\u202f]?[0-9])")
_BEFORE: Final = re.compile(r"([€$£₽])[ \xa0\u202f]([0-9])")
_GROUPS: Final = re.compile(r"(?<=[0-9])[ \xa0\u202f](?=[0-9]{3}(?![0-9]))")
_NUMERIC: Final = re.compile(r"[€$£₽ \xa0\u202f0-9.,]{1,40}")
_POT: Final = re.compile(r"(?<![-\w])[€$£₽]?[0-9][0-9.,]{0,20}(?<=[0-9])")
_NUMBER: Final = re.compile(r"[0-9]+")
_HEAD: Final = 80
_LABELS: Final = {written: english for english, words in local.LABELS.items() for written in words}


_OTHERS: Final = others("PokerStars")


def is_local(line: str) -> bool:
    """Tell whether a hand begins with this line in another language than English."""
    return line.startswith(local.LOCAL_HEADS) and "PokerStars" in line[:_HEAD] and bool(_NUMBER.search(line[:_HEAD]))


def put_in_english(lines: Lines, k: int) -> None:
    """Translate the hand whose first line is `k`, up to the next hand's first line or rule."""
    text = lines.text
    text[k] = _header(text[k].strip("\ufeff \t"))
    hand = _Hand()
    table = True
    for at in range(k + 1, len(text)):
        line = text[at].replace("\xa0", " ").rstrip()
        if line.startswith(("*****", *HEADS)) or is_local(line) or ends_at(line, _OTHERS):
            break
        if not line:
            hand.closed = hand.over
        elif table and "-max" in line:
            text[at], table = _table(line), False
        elif (found := hand.line(line)) is not None:
            text[at] = found
        elif hand.over and not hand.closed and not line.startswith("*** "):
            lines.strange.add(at)


def _header(head: str) -> str:
    number = _NUMBER.search(head)
    if number is None:  # `is_local` saw to it
        return head
    words, colon, rest = head[number.end() :].partition(":")
    zoom = "Zoom " if "zoom" in (head[: number.start()] + words).lower() else ""
    for english, phrases in local.HEADER.items():
        for phrase in phrases:
            rest = rest.replace(phrase, english)
    return f"PokerStars {zoom}Hand #{number[0]}{colon} {_money(rest)}"


def _money(text: str) -> str:
    """Write `0.02 €` and `$ 0.98` as `€0.02` and `$0.98`."""
    return _BEFORE.sub(r"\1\2", _BEHIND.sub(r"\2\1", text))


def _amount(text: str) -> str:
    return _money(_GROUPS.sub("", text))


def _table(line: str) -> str:
    """Write the line that names the table: its name, how many sit there, where the button is."""
    left = min((at for at in map(line.find, "'\"«") if at >= 0), default=-1)
    behind = line.find("-max")
    right = max(line.rfind(sign, left + 1, behind) for sign in "'\"»")
    if left < 0 or right < 0:
        return line
    seats = line[right + 1 : behind].strip()
    rest = line[behind + 4 :]
    play = " (Play Money)" if "(" in rest else ""
    button = "".join(_NUMBER.findall(rest))[:3]
    at = f" Seat #{button} is the button" if button else ""
    return f"Table '{line[left + 1 : right]}' {seats}-max{play}{at}"


class _Hand:
    """Translates the lines of one hand, whose players it learns from the seat list."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.listing = True  # the list of seats has not ended
        self.over = False  # the summary has begun
        self.closed = False  # a blank line has ended it

    def line(self, line: str) -> str | None:
        """Return the line in English; None if nobody knows it, or it is English already."""
        number = _seat_number(line) if self.over or self.listing else ""
        if self.over:
            return self._result(line, number) if number else _totals(line)
        if number and (seat := self._seat(line, number)):
            return seat
        self.listing = self.listing and not self.names
        if line.startswith("*** "):
            found = _in_english(_lines, line)
            self.over = (found or line).startswith("*** SUMMARY")
            return found
        return self._named(line) or _in_english(_lines, line, self.names)

    def _named(self, line: str) -> str | None:
        """Return a line that begins with a player's name; French has a blank before the colon."""
        for name in self.names:
            if line.startswith(name):
                rest = line[len(name) :]
                bare = rest.lstrip()
                if bare.startswith(": ") and ((found := _act(bare[2:].lstrip())) or rest[0] == " "):
                    return f"{name}: {found or bare[2:].lstrip()}"
                if rest[:1] == " " and (found := _in_english(_tails, bare, self.names)):
                    return f"Dealt to {name}{found}" if found.startswith(" [") else f"{name} {found}"
        return None

    def _seat(self, line: str, number: str) -> str | None:
        rest = line.partition(":")[2].removeprefix(" ")
        chips = next((words for words in local.CHIPS if words in rest), " in chips")
        end = rest.rfind(chips)
        opening, close = rest.rfind("(", 0, max(end, 0)), rest.find(")", max(end, 0))
        if end < 0 or opening < 1 or close < 0:
            return None
        name = rest[:opening].removesuffix(" ")
        self.names.append(name)
        self.names.sort(key=len, reverse=True)
        inner = rest[end + len(chips) : close].strip(" ,")
        for words in local.BOUNTY:
            if inner.startswith(words):
                inner = f"{inner[len(words) :].strip()} bounty"
        tail = rest[close + 1 :].strip()
        if tail:
            tail = " is sitting out" if tail.endswith(("sit out", "sitting out")) else " out of hand"
        bounty = f", {_amount(inner)}" if inner else ""
        return f"Seat {number}: {name} ({_amount(rest[opening + 1 : end])} in chips{bounty}){tail} "

    def _result(self, line: str, number: str) -> str | None:
        """Return what the summary says of a seat."""
        rest = line.partition(":")[2].removeprefix(" ")
        for name in self.names:
            if rest.startswith(name):
                tail, labels = rest[len(name) :].strip(), ""
                while tail.startswith("("):
                    label, _, tail = tail.partition(")")
                    labels += " " + _LABELS.get(label + ")", label + ")")
                    tail = tail.strip()
                return f"Seat {number}: {name}{labels} {_in_english(_results, tail) or tail}"
        return None


def _seat_number(line: str) -> str:
    """Return `3` of `Lugar 3: Name …`, "" where the line is no such line."""
    for word in local.SEATS:
        if line.startswith(word):
            digits = line[len(word) :].partition(":")[0].strip()
            return digits if digits.isascii() and digits.isdigit() else ""
    return ""


def _act(rest: str) -> str | None:
    """Return what follows a name and a colon, None where the tables do not know it."""
    all_in = ""
    for word in local.AND:
        at = rest.rfind(word)
        if at > 0 and rest[at + len(word) :].strip(" .\"'«»").lower().endswith(local.ALL_IN):
            rest, all_in = rest[:at], " and is all-in"
            break
    found = _in_english(_acts, rest) or _in_english(_acts, rest.replace(". ", " ", 1).removesuffix("."))
    return found and found + all_in


def _totals(line: str) -> str | None:
    """Return a line of the summary that is about no seat; pots stand in front of the rake."""
    found = _in_english(_lines, line)
    if found is None or not found.startswith("Total pot "):
        return found
    pots, bar, rake = _money(line).rpartition(" | ")
    amounts = _POT.findall(pots)
    words = [f"Total pot {amounts[0]}" if amounts else ""]
    for at, amount in enumerate(amounts[1:]):
        number = f"-{at}" if f"-{at} " in pots else ""
        words.append(f"Main pot {amount}." if at == 0 else f"Side pot{number} {amount}.")
    return f"{' '.join(words)}{bar}Rake {rake.rpartition(' ')[2]}"


def _rows(words: local.Rows) -> Callable[[], Table[str, None]]:
    """Return what gives a table of phrases, the longest first, once it is asked for."""

    @cache
    def table() -> Table[str, None]:
        rows = [(written, english) for english, phrases in words.items() for written in phrases]
        return Table(sorted(rows, key=lambda row: -len(row[0])), _NO_READERS)

    return table


_NO_READERS: Final[Mapping[str, None]] = {}
_acts, _lines, _tails, _results = map(_rows, (local.ACTS, local.LINES, local.TAILS, local.RESULTS))


def _in_english(table: Callable[[], Table[str, None]], line: str, names: Sequence[str] = ()) -> str | None:
    """Return the English line of the longest row that this line is, with what differs put in: amounts as English has them."""
    for english, fields in table().matches(line):
        if all(written for _, _, written in fields):
            told = {
                field: _amount(written) if _NUMERIC.fullmatch(written) and written not in names else written
                for field, _, written in fields
            }
            return english.format(**told)
    return None
