"""Hands in other languages than English, put into English line by line before they are read.

Lines keep their places in the bytes. A line that no table knows stays as it is: what cannot be read
in it is kept in its own words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ledger.formats.pokerstars.languages import LANGUAGES, LOCAL_HEADS, Language, Rows
from ledger.formats.pokerstars.words import HEADS
from ledger.readers.lines import Lines

_BEHIND: Final = re.compile(r"([0-9][0-9.,]{0,20})(?<=[0-9])[ \xa0\u202f]?([€$£₽])(?![ \xa0\u202f]?[0-9])")
_BEFORE: Final = re.compile(r"([€$£₽])[ \xa0\u202f]([0-9])")
_GROUPS: Final = re.compile(r"(?<=[0-9])[ \xa0\u202f](?=[0-9]{3}(?![0-9]))")
_NUMERIC: Final = re.compile(r"[€$£₽ \xa0\u202f0-9.,]{1,40}")
_POT: Final = re.compile(r"(?<![-\w])[€$£₽]?[0-9][0-9.,]{0,20}(?<=[0-9])")
_ZOOM: Final = "zoom"
_HEAD: Final = 80


def is_local(line: str) -> bool:
    """Tell whether a hand begins with this line in another language than English."""
    return line.startswith(LOCAL_HEADS) and "PokerStars" in line[:_HEAD] and _number(line) is not None


def _number(line: str) -> tuple[int, int] | None:
    """Return where the first number begins and ends."""
    start = next((at for at, sign in enumerate(line[:_HEAD]) if sign in "0123456789"), -1)
    if start < 0:
        return None
    end = start
    while end < len(line) and line[end] in "0123456789":
        end += 1
    return start, end


def put_in_english(lines: Lines, k: int) -> None:
    """Translate the hand whose first line is `k`, up to the next hand's first line or rule."""
    text = lines.text
    head = text[k].strip("\ufeff \t")
    language = next(language for begin, language in LANGUAGES if head.startswith(begin))
    text[k] = _header(head, language)
    hand = _Hand(language)
    table = True
    for at in range(k + 1, len(text)):
        line = text[at].replace("\xa0", " ").rstrip()
        if line.startswith(("*****", *HEADS)) or is_local(line):
            break
        if not line:
            hand.closed = hand.over
        elif table and "-max" in line:
            text[at], table = _table(line), False
        elif (found := hand.line(line)) is not None:
            text[at] = found
        elif hand.over and not hand.closed and not line.startswith("*** "):
            lines.strange.add(at)


def _header(head: str, language: Language) -> str:
    number = _number(head)
    if number is None:  # `is_local` saw to it
        return head
    start, end = number
    words, colon, rest = head[end:].partition(":")
    zoom = "Zoom " if _ZOOM in (head[:start] + words).lower() else ""
    for local, english in language.header:
        rest = rest.replace(local, english)
    return f"PokerStars {zoom}Hand #{head[start:end]}{colon} {_money(rest)}"


def _money(text: str) -> str:
    """Write `0.02 €` and `$ 0.98` as `€0.02` and `$0.98`."""
    return _BEFORE.sub(r"\1\2", _BEHIND.sub(r"\2\1", text))


def _amount(text: str) -> str:
    return _money(_GROUPS.sub("", text))


def _value(text: str, names: Sequence[str]) -> str:
    """Return what differs in a line: an amount as English has it, everything else as it stands."""
    return _amount(text) if _NUMERIC.fullmatch(text) and text not in names else text


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
    button = "".join(sign for sign in rest if sign in "0123456789")[:3]
    at = f" Seat #{button} is the button" if button else ""
    return f"Table '{line[left + 1 : right]}' {seats}-max{play}{at}"


class _Hand:
    """Translates the lines of one hand, whose players it learns from the seat list."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.names: list[str] = []
        self.listing = True  # the list of seats has not ended
        self.over = False  # the summary has begun
        self.closed = False  # a blank line has ended it

    def line(self, line: str) -> str | None:
        """Return the line in English; None if nobody knows it, or it is English already."""
        number = self._seat_number(line) if self.over or self.listing else ""
        if self.over:
            return self._result(line, number) if number else _totals(self.language, line)
        if number and (seat := self._seat(line, number)):
            return seat
        self.listing = self.listing and not self.names
        if line.startswith("*** "):
            found = _by_rows(self.language.lines, line)
            self.over = (found or line).startswith("*** SUMMARY")
            return found
        return self._named(line) or _by_rows(self.language.lines, line, self.names) or self._bare(line)

    def _named(self, line: str) -> str | None:
        """Return a line that begins with a player's name."""
        for name in self.names:
            if line.startswith(name):
                rest = line[len(name) :]
                bare = rest.lstrip()
                if bare.startswith(": ") and (found := _act(self.language, bare[2:].lstrip())):
                    return f"{name}: {found}"
                if rest[:1] == " " and (found := _by_rows(self.language.tails, bare, self.names)):
                    whole = found.startswith("Dealt to ")
                    return found.replace("{name}", name, 1) if whole else f"{name} {found}"
        return None

    def _bare(self, line: str) -> str | None:
        """Return an English line whose colon stands behind a blank, as French has it."""
        for name in self.names:
            if line.startswith(name + " : "):
                return f"{name}: {line[len(name) + 3 :].lstrip()}"
        return None

    def _seat_number(self, line: str) -> str:
        """Return `3` of `Lugar 3: Name …`, "" where the line is no such line."""
        for word in (*self.language.seats, "Seat "):
            if line.startswith(word):
                digits = line[len(word) :].partition(":")[0].strip()
                return digits if digits.isascii() and digits.isdigit() else ""
        return ""

    def _seat(self, line: str, number: str) -> str | None:
        rest = line.partition(":")[2].removeprefix(" ")
        chips = self.language.chips if self.language.chips in rest else " in chips"
        end = rest.rfind(chips)
        opening, close = rest.rfind("(", 0, max(end, 0)), rest.find(")", max(end, 0))
        if end < 0 or opening < 1 or close < 0:
            return None
        name = rest[:opening].removesuffix(" ")
        self.names.append(name)
        self.names.sort(key=len, reverse=True)
        inner = rest[end + len(chips) : close].strip(" ,")
        if inner.startswith(self.language.bounty):
            inner = f"{inner[len(self.language.bounty) :].strip()} bounty"
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
                    labels += " " + dict(self.language.labels).get(label + ")", label + ")")
                    tail = tail.strip()
                found = _by_rows(self.language.results, tail)
                return f"Seat {number}: {name}{labels} {found or tail}"
        return None


def _act(language: Language, rest: str) -> str | None:
    """Return what follows a name and a colon, None where the tables do not know it."""
    at = rest.rfind(language.all_in)
    end = rest[at + len(language.all_in) :].strip(" .\"'«»").lower() if at > 0 else ""
    all_in = end.endswith(("all-in", "all in", "олл-ин"))
    found = _by_rows(language.acts, rest[:at] if all_in else rest)
    return f"{found} and is all-in" if found and all_in else found


def _totals(language: Language, line: str) -> str | None:
    """Return a line of the summary that is about no seat; pots stand in front of the rake."""
    found = _by_rows(language.lines, line)
    if found is None or not found.startswith("Total pot "):
        return found
    pots, bar, rake = _money(line).rpartition(" | ")
    amounts = _POT.findall(pots)
    words = [f"Total pot {amounts[0]}" if amounts else ""]
    for at, amount in enumerate(amounts[1:]):
        number = f"-{at}" if f"-{at} " in pots else ""
        words.append(f"Main pot {amount}." if at == 0 else f"Side pot{number} {amount}.")
    return f"{' '.join(words)}{bar}Rake {rake.rpartition(' ')[2]}"


@lru_cache(maxsize=64)
def _cut(rows: Rows) -> dict[str, list[tuple[list[str], list[str]]]]:
    """Return the rows, cut where something differs, by the first letters of what stays the same."""
    cut: dict[str, list[tuple[list[str], list[str]]]] = {}
    for local, english in sorted(rows, key=lambda row: -len(row[0])):
        cut.setdefault(local[:1].replace("{", ""), []).append((local.split("{}"), english.split("{}")))
    return cut


def _by_rows(rows: Rows, line: str, names: Sequence[str] = ()) -> str | None:
    """Return the English line of the longest row that this line is, with what differs put in."""
    cut = _cut(rows)
    for local, english in (*cut.get(line[:1], ()), *cut.get("", ())):
        found = _match(local, line)
        if found is not None:
            words = [english[0]]
            for value, part in zip(found, english[1:], strict=True):
                words += (_value(value, names), part)
            return "".join(words)
    return None


def _match(parts: list[str], line: str) -> list[str] | None:
    """Return what stands between the parts, None where the line is not made of them."""
    first, last = parts[0], parts[-1]
    if not line.startswith(first) or not line.endswith(last):
        return None
    if len(parts) == 1:
        return [] if line == first else None
    at, end = len(first), len(line) - len(last)
    found = []
    for index, part in enumerate(parts[1:-1]):
        # A name may hold the words behind it: they are looked for from the end.
        next_at = line.rfind(part, at, end) if not first and index == 0 else line.find(part, at, end)
        if next_at < 0:
            return None
        found.append(line[at:next_at])
        at = next_at + len(part)
    if at > end:
        return None
    found.append(line[at:end])
    return found if all(found) else None
