"""The replayer of a terminal without the terminal: what a key changes, and the lines of the screen."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from cli import replay_panels as panels
from cli.drawing import drawing, money_of
from cli.replay_panels import Panel, Row, Run
from cli.show import named
from ledger import safe
from ledger.vocabulary import Chips, Seat
from projections.reports.hand_documents import MomentDocument, SeatTold
from web import shown

if TYPE_CHECKING:
    from web.documents import HandPage

Neighbour = Callable[["HandPage", int, bool], "HandPage | None"]
"""Returns the hand so many places behind (or before) one at its table; True: under positions instead of names."""

HELP: Final = (
    ("← →", "event before, next event (h l)"),
    ("↑ ↓", "hand before, next hand at this table"),
    ("space", "play, stop"),
    ("Home End", "first and last event (0 $)"),
    ("1 - 5", "preflop, flop, turn, river, showdown"),
    ("s S", "next street, street before"),
    ("n N", "next finding, finding before"),
    ("j k", "more of the findings, back"),
    ("c", "where button and blinds should have been, in braces"),
    ("r R", "the next rulebook, the one before"),
    ("b", "amounts in big blinds"),
    ("a", "positions instead of names"),
    ("/", "search the events; Enter goes to the next that fits, Esc ends it"),
    ("tab", "what stands below the table, where there is no room for all"),
    ("?", "this list"),
    ("q", "leave"),
)
_BELOW: Final = ("events", "findings", "source", "books", "money")
_SIDE: Final = 44
"""Columns that a panel beside the table needs at least."""

_STYLES: Final = {"bold": "1", "dim": "2", "here": "7", "mark": "7", "red": "31", "green": "32", "yellow": "33"}
_COLOURS: Final = ("red", "green", "yellow")


class Replay:
    """A hand at one of its moments, and how it is looked at."""

    def __init__(self, page: HandPage, at: int, neighbour: Neighbour) -> None:
        """Take a hand and where to begin. `neighbour` gives other hands of its table, 0 the same one anew."""
        self.page, self.at = page, at
        self.book = 0
        self.ghosts, self.blinds, self.unnamed = True, False, False
        self.playing = self.helping = self.over = False
        self.typing: str | None = None
        self.query = ""
        self.below = self.scrolled = 0
        self.told = ""
        self._neighbour = neighbour
        self._drawings: tuple[object, list[list[str]]] = None, []  # of all events, for one way of looking

    # what keys do

    def press(self, key: str) -> None:
        """Do what a key asks for; one that asks for nothing does nothing."""
        self.told = ""
        if self.typing is not None:
            self._type(key)
        elif self.helping:
            self.helping = False
        elif key == " ":
            self.playing = not self.playing
            if self.playing and self.at == self._last:
                self.at = 0
        else:
            self.playing = False
            if key in "12345":
                self._street(int(key))
            elif key in _KEYS:
                _KEYS[key](self)

    def tick(self) -> None:
        """Go on by an event, while it plays."""
        self.go(self.at + 1)
        self.playing = self.at < self._last

    def scroll(self, by: int) -> None:
        """Move what a book says by so many lines."""
        self.scrolled = max(0, min(self.scrolled + by, len(self._findings(_SIDE).rows)))

    def go(self, at: int) -> None:
        """Go to an event by its place."""
        self.at = max(0, min(at, self._last))

    @property
    def _last(self) -> int:
        return len(self.page.frames) - 1

    @property
    def found(self) -> list[int]:
        """The places at which the chosen book found something."""
        return shown.found_at(self.page, self.book)

    def streets(self) -> list[tuple[str, int]]:
        """Where each street begins."""
        return shown.streets(self.page)

    def _type(self, key: str) -> None:
        text = self.typing or ""
        if key == "escape":
            self.typing, self.query = None, ""
        elif key == "enter":
            self.typing, self.query = None, text
            self._search(text)
        elif key == "rub out":
            self.typing = text[:-1]
        elif len(key) == 1 and key.isprintable():
            self.typing = text + key
        self.query = self.typing if self.typing is not None else self.query

    def _search(self, text: str) -> None:
        fits = [place for place, frame in enumerate(self.page.frames) if panels.holds(frame.told, text)]
        if not text or not fits:
            self.told = f"no event has {safe.terminal(text, 30)!r}" if text else ""
            self.query = ""
            return
        self.at = next((place for place in fits if place > self.at), fits[0])

    def _street(self, number: int) -> None:
        played = [place for name, place in self.streets() if name != "deal"]
        if number <= len(played):
            self.at = played[number - 1]

    def by_street(self, by: int) -> None:
        """Go to where the next street begins, or this one, or the one before."""
        starts = [place for _, place in self.streets()]
        if by > 0:
            self.at = next((place for place in starts if place > self.at), self._last)
        else:
            self.at = next((place for place in reversed(starts) if place < self.at), 0)

    def by_finding(self, by: int) -> None:
        """Go to the next finding, or the one before; behind the last comes the first."""
        found = self.found
        if not found:
            self.told = f"{self.page.judgements[self.book].book.name} found nothing in this hand"
        elif by > 0:
            self.at = next((place for place in found if place > self.at), found[0])
        else:
            self.at = next((place for place in reversed(found) if place < self.at), found[-1])

    def by_book(self, by: int) -> None:
        """Look at the hand under another book."""
        self.book, self.scrolled = (self.book + by) % len(self.page.judgements), 0

    def by_hand(self, by: int) -> None:
        """Go to another hand of the table."""
        page = self._neighbour(self.page, by, self.unnamed)
        if page is None:
            self.told = "there is no hand before it at this table" if by < 0 else "there is no hand behind it yet"
            return
        name = self.page.judgements[self.book].book.name
        self.page, self.at, self.scrolled = page, page.first, 0
        self.book = next((nth for nth, one in enumerate(page.judgements) if one.book.name == name), 0)

    def hide(self) -> None:
        """Show positions instead of names, or names again: the hand is made anew for such eyes."""
        self.unnamed = not self.unnamed
        page = self._neighbour(self.page, 0, self.unnamed)
        if page is not None:
            self.page = page
            self.go(self.at)

    # what is seen

    def screen(self, width: int, height: int) -> list[str]:
        """Return the lines of a screen of that size, `height` of them, each at most `width` columns wide."""
        rows = self._help(width) if self.helping else self._rows(width, height - 1)
        rows = [*(rows + [[] for _ in range(height)])[: height - 1], self._foot(width)]
        return ["".join(_painted(run) for run in _clipped(row, width)) for row in rows]

    def _rows(self, width: int, height: int) -> list[Row]:
        head = [[Run(safe.cut(self._headline(), width), "bold")], self._verdict(width), self._line(width)]
        table, wide = self._table(width)
        room = width - wide - 3
        if room >= _SIDE and height >= 20:
            beside = max(len(table), (height - 3) // 2)
            half = max(beside * 2 // 3, beside - 2 - len(self.page.judgements) - 1)
            right = self._findings(room).window(room, half)
            right += panels.books(self.page, self.book, room).window(room, beside - half)
            rows = head + _beside(table, right, wide)
            left = (width - 3) // 2
            under = height - len(rows)
            return rows + _beside(
                self._events(left).window(left, under),
                panels.source(self.page, self.at, width - left - 3).window(width - left - 3, under),
                left,
            )
        under = max(height - len(head) - len(table), min(6, height - 3))
        rows = [*head, *table[: height - len(head) - under]]
        return rows + self._panel(width).window(width, height - len(rows))

    def _headline(self) -> str:
        return named(self.page.hand)

    def _verdict(self, width: int) -> Row:
        one = self.page.judgements[self.book]
        many = f" ({self.book + 1} of {len(self.page.judgements)})" if len(self.page.judgements) > 1 else ""
        name = "no rulebook: does the record agree with itself?"
        name = name if one.book.name == "record" else f"under {one.book.name} {one.book.edition}"
        count = len(one.findings)
        found = (
            f"✗ {count} finding{'s' * (count != 1)}" if count else "✓ nothing found" if one.judged else "? not judged"
        )
        style = "red" if count else "green" if one.judged else "yellow"
        open_ = shown.unjudged(one)
        more = f"  ? {open_} clause{'s' * (open_ != 1)} could not be judged" if open_ else ""
        told = [Run(found, style), Run(f"  {safe.terminal(name, 60)}"), Run(many, "dim"), Run(more, "yellow")]
        return _clipped(told, width)

    def _line(self, width: int) -> Row:
        """Return the hand as a line: where streets begin, where something was found, where we are."""
        cells = ["─"] * width
        most = max(self._last, 1)

        def place(at: int) -> int:
            return at * (width - 1) // most

        for nth, (name, at) in enumerate(self.streets()):
            word = name if name == "deal" else f"{nth if self.streets()[0][0] == 'deal' else nth + 1} {name}"
            for offset, c in enumerate(word[: max(0, width - place(at))]):
                cells[place(at) + offset] = c
        for at in self.found:
            cells[place(at)] = "✗"
        cells[place(self.at)] = "●"
        return [Run(c, "red" if c == "✗" else "bold" if c == "●" else "dim" if c == "─" else "") for c in cells]

    def _table(self, width: int) -> tuple[list[Row], int]:
        """Return the table as lines, as many at every event, and how wide it is."""
        key = (self.page.hand.id, self.unnamed, self.book, self.ghosts, self.blinds, width)
        if self._drawings[0] != key:
            self._drawings = key, [self._drawn(at, width).split("\n") for at in range(len(self.page.frames))]
        drawn = self._drawings[1]
        wide = min(width, max((safe.columns(line) for lines in drawn for line in lines if line[:2] != "> "), default=0))
        height = max(
            len(self._folded(lines, wide)) - len(frame.notes)
            for lines, frame in zip(drawn, self.page.frames, strict=True)
        )
        lines = self._folded(drawn[self.at], wide)
        rows = [_ghostly(safe.cut(line, width)) for line in lines[:height]]
        return rows + [[] for _ in range(height - len(rows))], wide

    @staticmethod
    def _folded(lines: list[str], wide: int) -> list[str]:
        """Return a drawing whose sentence of who is to act is no wider than its table."""
        return [part for line in lines for part in (textwrap.wrap(line, wide) if line[:2] == "> " else [line])]

    def _drawn(self, at: int, width: int) -> str:
        frame = self.page.frames[at]
        there = {seat.seat: seat for seat in frame.seats}
        seats = [
            there.get(chair.seat) or SeatTold(chair.seat, chair.player or "(empty)", None, 0, 0, "", "left-out", [])
            for chair in self.page.chairs
        ]
        moment = MomentDocument(
            hand=self.page.hand,
            version=frame.version,
            told=frame.told,
            street=frame.street,
            boards=frame.boards,
            seats=seats,
            pots=frame.pots,
            turn=frame.turn,
            notes=frame.notes,
        )
        plain = money_of(moment)

        def in_blinds(chips: Chips | None) -> str:
            return "?" if chips is None else f"{chips / self.page.big:.1f}".removesuffix(".0") + " bb"

        return drawing(moment, width, in_blinds if self.blinds and self.page.big else plain, self._ghosts())

    def _ghosts(self) -> Mapping[Seat, list[str]]:
        should = self.page.judgements[self.book].should
        made: dict[Seat, list[str]] = {}
        if not self.ghosts or should is None:
            return made
        both = zip(shown.NAMES, shown.spots(should), shown.spots(self.page.recorded), strict=True)
        for word, seat, was in both:
            if seat is not None and seat != was:
                made.setdefault(seat, []).append(word)
        return made

    def _events(self, width: int) -> Panel:
        return panels.events(self.page, self.at, self.query, self.found, width)

    def _findings(self, width: int) -> Panel:
        return panels.findings(self.page, self.book, self.at, width, self.scrolled)

    def _panel(self, width: int) -> Panel:
        """Return the one panel that there is room for."""
        name = _BELOW[self.below]
        made = {
            "events": lambda: self._events(width),
            "findings": lambda: self._findings(width),
            "source": lambda: panels.source(self.page, self.at, width),
            "books": lambda: panels.books(self.page, self.book, width),
            "money": lambda: panels.money(self.page, width),
        }[name]()
        return made._replace(title=f"{made.title} (tab: {_BELOW[(self.below + 1) % len(_BELOW)]})")

    def _help(self, width: int) -> list[Row]:
        rows: list[Row] = [[Run("Keys", "bold")], []]
        rows += [[Run(safe.cut(f"  {key:<10} {what}", width))] for key, what in HELP]
        return [*rows, [], [Run("  any key goes back", "dim")]]

    def _foot(self, width: int) -> Row:
        if self.typing is not None:
            return [
                Run(safe.cut(f"/{safe.tail(safe.terminal(self.typing, 200), max(width - 3, 1))}", width - 1)),
                Run("▏"),
            ]
        if self.told:
            return [Run(safe.cut(self.told, width), "yellow")]
        at = f"{self.at + 1} of {len(self.page.frames)}{' playing' if self.playing else ''}"
        keys = "← → event · ↑ ↓ hand · n finding · c should have been · r book · / search · ? keys · q leave"
        return [Run(safe.cut(f"{at}  ", width), "bold"), Run(safe.cut(keys, max(width - len(at) - 2, 0)), "dim")]


_KEYS: Final[Mapping[str, Callable[[Replay], None]]] = {
    "right": lambda one: one.go(one.at + 1),
    "l": lambda one: one.go(one.at + 1),
    "enter": lambda one: one.go(one.at + 1),
    "left": lambda one: one.go(one.at - 1),
    "h": lambda one: one.go(one.at - 1),
    "rub out": lambda one: one.go(one.at - 1),
    "page down": lambda one: one.go(one.at + 10),
    "page up": lambda one: one.go(one.at - 10),
    "home": lambda one: one.go(0),
    "0": lambda one: one.go(0),
    "end": lambda one: one.go(len(one.page.frames)),
    "$": lambda one: one.go(len(one.page.frames)),
    "up": lambda one: one.by_hand(-1),
    "down": lambda one: one.by_hand(1),
    "s": lambda one: one.by_street(1),
    "S": lambda one: one.by_street(-1),
    "n": lambda one: one.by_finding(1),
    "N": lambda one: one.by_finding(-1),
    "r": lambda one: one.by_book(1),
    "R": lambda one: one.by_book(-1),
    "c": lambda one: setattr(one, "ghosts", not one.ghosts),
    "b": lambda one: setattr(one, "blinds", not one.blinds),
    "a": lambda one: one.hide(),
    "/": lambda one: setattr(one, "typing", ""),
    "j": lambda one: one.scroll(3),
    "k": lambda one: one.scroll(-3),
    "tab": lambda one: setattr(one, "below", (one.below + 1) % len(_BELOW)),
    "back tab": lambda one: setattr(one, "below", (one.below - 1) % len(_BELOW)),
    "?": lambda one: setattr(one, "helping", True),
    "q": lambda one: setattr(one, "over", True),
    "escape": lambda one: setattr(one, "query", ""),
}


def _ghostly(line: str) -> Row:
    """Return a line of the table in which what should have been stands out."""
    parts = re.split(r"(\{[A-Z ]+\})", line)
    return [Run(part, "yellow" if at % 2 else "") for at, part in enumerate(parts)]


def _beside(left: list[Row], right: list[Row], wide: int) -> list[Row]:
    """Return rows side by side, with a line between them."""
    count = max(len(left), len(right))
    rows = []
    for nth in range(count):
        row = _clipped(left[nth] if nth < len(left) else [], wide)
        gap = " " * (wide - sum(safe.columns(run.text) for run in row))
        rows.append([*row, Run(f"{gap} "), Run("│ ", "dim"), *(right[nth] if nth < len(right) else [])])
    return rows


def _clipped(row: Row, width: int) -> Row:
    """Return a row that is no wider than that."""
    out: Row = []
    for run in row:
        text = safe.cut(run.text, width)
        width -= safe.columns(text)
        out.append(Run(text, run.style))
        if width <= 0:
            break
    return out


def _painted(run: Run) -> str:
    """Return a run as a terminal shows it; colours are never the only sign."""
    if not run.style or not run.text or (run.style in _COLOURS and os.environ.get("NO_COLOR")):
        return run.text
    return f"\x1b[{_STYLES[run.style]}m{run.text}\x1b[0m"
