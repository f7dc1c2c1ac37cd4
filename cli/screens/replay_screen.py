"""Replay a hand on a screen: handle keys and build the lines to show. `cli.replay` uses the terminal."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from cli.hand_titles import format_hand_title
from cli.output.table_drawing import build_money_format, draw_table
from cli.screens import replay_panels as panels
from cli.screens.replay_panels import Panel, Row, Run
from ledger import safe
from ledger.vocabulary import Chips, Seat
from projections.reports.hand_documents import MomentDocument, SeatDocument
from web.pages import display_texts

if TYPE_CHECKING:
    from web.pages.documents import HandPage

Neighbour = Callable[["HandPage", int, bool], "HandPage | None"]
"""Returns the hand some places after another at its table, or before it (negative). True: positions instead of names."""

HELP: Final = (
    ("← →", "previous event, next event (h l)"),
    ("↑ ↓", "previous hand, next hand at this table"),
    ("space", "play, stop"),
    ("Home End", "first and last event (0 $)"),
    ("1 - 5", "preflop, flop, turn, river, showdown"),
    ("s S", "next street, previous street"),
    ("n N", "next finding, previous finding"),
    ("j k", "scroll the findings down, up"),
    ("c", "where button and blinds should have been, in braces"),
    ("r R", "next rulebook, previous rulebook"),
    ("b", "amounts in big blinds"),
    ("a", "positions instead of names"),
    ("/", "search the events; Enter goes to the next match, Esc ends it"),
    ("tab", "switch what is shown below the table, if it doesn't all fit"),
    ("?", "this list"),
    ("q", "leave"),
)
_PANELS: Final = ("events", "findings", "source", "books", "money")
_MIN_PANEL_WIDTH: Final = 44
"""Columns that a panel beside the table needs at least."""

_STYLES: Final = {"bold": "1", "dim": "2", "here": "7", "mark": "7", "red": "31", "green": "32", "yellow": "33"}
_COLOURS: Final = ("red", "green", "yellow")
_LINE_STYLES: Final = {"✗": "red", "●": "bold", "─": "dim"}
"""Styles of the marks on the hand's line."""


class Replay:
    """A hand at one of its events, and the settings of its view."""

    def __init__(self, page: HandPage, start_frame: int, neighbour: Neighbour) -> None:
        """Take a hand and its first frame. `neighbour` returns other hands of its table; for 0, the same hand."""
        self.page, self.frame_index = page, start_frame
        self.book_index = 0
        self.shows_due_positions, self.counts_in_blinds, self.hides_names = True, False, False
        self.is_playing = self.shows_help = self.is_over = False
        self.typed_text: str | None = None
        self.query = ""
        self.panel_index = self.scroll_offset = 0
        self.message = ""
        self._neighbour = neighbour
        self._drawings: tuple[object, list[list[str]]] = None, []  # cache of all events' drawings, with its key

    # Keys

    def press(self, key: str) -> None:
        """Handle a key; ignore unknown keys."""
        self.message = ""
        if self.typed_text is not None:
            self._edit_search(key)
        elif self.shows_help:
            self.shows_help = False
        elif key == " ":
            self.is_playing = not self.is_playing
            if self.is_playing and self.frame_index == self._last:
                self.frame_index = 0
        else:
            self.is_playing = False
            if key in "12345":
                self._go_to_street_number(int(key))
            elif key in _KEYS:
                _KEYS[key](self)

    def play_next(self) -> None:
        """Go to the next event; stop at the last one."""
        self.go(self.frame_index + 1)
        self.is_playing = self.frame_index < self._last

    def scroll(self, row_count: int) -> None:
        """Scroll the findings by a number of lines."""
        self.scroll_offset = max(
            0, min(self.scroll_offset + row_count, len(self._build_findings_panel(_MIN_PANEL_WIDTH).rows))
        )

    def go(self, frame_index: int) -> None:
        """Go to an event by its index."""
        self.frame_index = max(0, min(frame_index, self._last))

    @property
    def _last(self) -> int:
        return len(self.page.frames) - 1

    @property
    def finding_frames(self) -> list[int]:
        """The events at which the chosen book found something."""
        return display_texts.find_finding_frames(self.page, self.book_index)

    def list_streets(self) -> list[tuple[str, int]]:
        """Return each street with its first event."""
        return display_texts.find_street_starts(self.page)

    def _edit_search(self, key: str) -> None:
        text = self.typed_text or ""
        if key == "escape":
            self.typed_text, self.query = None, ""
        elif key == "enter":
            self.typed_text, self.query = None, text
            self._search(text)
        elif key == "rub out":
            self.typed_text = text[:-1]
        elif len(key) == 1 and key.isprintable():
            self.typed_text = text + key
        self.query = self.typed_text if self.typed_text is not None else self.query

    def _search(self, text: str) -> None:
        matching_frames = [
            frame_index
            for frame_index, frame in enumerate(self.page.frames)
            if panels.contains_text(frame.event_text, text)
        ]
        if not text or not matching_frames:
            self.message = f"no event has {safe.terminal(text, 30)!r}" if text else ""
            self.query = ""
            return
        self.frame_index = next(
            (frame_index for frame_index in matching_frames if frame_index > self.frame_index), matching_frames[0]
        )

    def _go_to_street_number(self, number: int) -> None:
        street_starts = [frame_index for name, frame_index in self.list_streets() if name != "deal"]
        if number <= len(street_starts):
            self.frame_index = street_starts[number - 1]

    def go_to_street(self, direction: int) -> None:
        """Go to the beginning of the next street, or back to that of this street or the one before."""
        starts = [frame_index for _, frame_index in self.list_streets()]
        if direction > 0:
            self.frame_index = next(
                (frame_index for frame_index in starts if frame_index > self.frame_index), self._last
            )
        else:
            self.frame_index = next(
                (frame_index for frame_index in reversed(starts) if frame_index < self.frame_index), 0
            )

    def go_to_finding(self, direction: int) -> None:
        """Go to the next finding, or the one before. After the last comes the first."""
        finding_frames = self.finding_frames
        if not finding_frames:
            self.message = f"{self.page.judgements[self.book_index].book.name} found nothing in this hand"
        elif direction > 0:
            self.frame_index = next(
                (frame_index for frame_index in finding_frames if frame_index > self.frame_index), finding_frames[0]
            )
        else:
            self.frame_index = next(
                (frame_index for frame_index in reversed(finding_frames) if frame_index < self.frame_index),
                finding_frames[-1],
            )

    def go_to_book(self, book_count: int) -> None:
        """Switch to another book."""
        self.book_index, self.scroll_offset = (self.book_index + book_count) % len(self.page.judgements), 0

    def go_to_hand(self, hand_count: int) -> None:
        """Go to another hand of the table."""
        page = self._neighbour(self.page, hand_count, self.hides_names)
        if page is None:
            self.message = "this is the table's first hand" if hand_count < 0 else "this is the table's newest hand"
            return
        book_name = self.page.judgements[self.book_index].book.name
        self.page, self.frame_index, self.scroll_offset = page, page.first, 0
        self.book_index = next(
            (book_index for book_index, judgement in enumerate(page.judgements) if judgement.book.name == book_name), 0
        )

    def toggle_names(self) -> None:
        """Switch between positions and names: load the other page of this hand."""
        self.hides_names = not self.hides_names
        page = self._neighbour(self.page, 0, self.hides_names)
        if page is not None:
            self.page = page
            self.go(self.frame_index)

    # The screen

    def draw_screen(self, width: int, height: int) -> list[str]:
        """Return the lines of a screen of that size, `height` of them, each at most `width` columns wide."""
        rows = self._list_help(width) if self.shows_help else self._list_rows(width, height - 1)
        rows = [*(rows + [[] for _ in range(height)])[: height - 1], self._format_footer(width)]
        return ["".join(_paint_run(run) for run in _clip_row(screen_row, width)) for screen_row in rows]

    def _list_rows(self, width: int, height: int) -> list[Row]:
        heading = [
            [Run(safe.cut(self._format_headline(), width), "bold")],
            self._format_verdict(width),
            self._draw_timeline(width),
        ]
        table_rows, table_width = self._draw_table(width)
        panel_width = width - table_width - 3
        if panel_width >= _MIN_PANEL_WIDTH and height >= 20:
            upper_height = max(len(table_rows), (height - 3) // 2)
            findings_height = max(upper_height * 2 // 3, upper_height - 2 - len(self.page.judgements) - 1)
            panel_rows = self._build_findings_panel(panel_width).crop(panel_width, findings_height)
            panel_rows += panels.compare_books(self.page, self.book_index, panel_width).crop(
                panel_width, upper_height - findings_height
            )
            rows = heading + _join_columns(table_rows, panel_rows, table_width)
            events_width = (width - 3) // 2
            lower_height = height - len(rows)
            return rows + _join_columns(
                self._build_events_panel(events_width).crop(events_width, lower_height),
                panels.show_source(self.page, self.frame_index, width - events_width - 3).crop(
                    width - events_width - 3, lower_height
                ),
                events_width,
            )
        lower_height = max(height - len(heading) - len(table_rows), min(6, height - 3))
        rows = [*heading, *table_rows[: height - len(heading) - lower_height]]
        return rows + self._build_lower_panel(width).crop(width, height - len(rows))

    def _format_headline(self) -> str:
        return format_hand_title(self.page.hand)

    def _format_verdict(self, width: int) -> Row:
        judgement = self.page.judgements[self.book_index]
        book_count, finding_count = len(self.page.judgements), len(judgement.findings)
        book_position = f" ({self.book_index + 1} of {book_count})" if book_count > 1 else ""
        book_text = f"under {judgement.book.name} {judgement.book.edition}"
        if judgement.book.name == "record":
            book_text = "no rulebook: contradictions in the record"
        if finding_count:
            finding_text, style = f"✗ {finding_count} finding{'s' * (finding_count != 1)}", "red"
        elif judgement.judged:
            finding_text, style = "✓ nothing found", "green"
        else:
            finding_text, style = "? not judged", "yellow"
        unjudged_count = display_texts.count_unjudged(judgement)
        unjudged_text = f"  ? {unjudged_count} clause{'s' * (unjudged_count != 1)} not judged" if unjudged_count else ""
        runs = [
            Run(finding_text, style),
            Run(f"  {safe.terminal(book_text, 60)}"),
            Run(book_position, "dim"),
            Run(unjudged_text, "yellow"),
        ]
        return _clip_row(runs, width)

    def _draw_timeline(self, width: int) -> Row:
        """Return the hand as a line, with its streets, its findings and the current event."""
        cells = ["─"] * width
        last_index = max(self._last, 1)

        def find_column(frame_index: int) -> int:
            return frame_index * (width - 1) // last_index

        streets = self.list_streets()
        has_deal = bool(streets) and streets[0][0] == "deal"
        first_number = 0 if has_deal else 1  # the key of a street is its number after the deal
        for street_number, (name, frame_index) in enumerate(streets, first_number):
            label = name if name == "deal" else f"{street_number} {name}"
            for offset, character in enumerate(label[: max(0, width - find_column(frame_index))]):
                cells[find_column(frame_index) + offset] = character
        for frame_index in self.finding_frames:
            cells[find_column(frame_index)] = "✗"
        cells[find_column(self.frame_index)] = "●"
        return [Run(character, _LINE_STYLES.get(character, "")) for character in cells]

    def _draw_table(self, width: int) -> tuple[list[Row], int]:
        """Return the drawing of the table, with the same height at every event, and its width."""
        drawing_key = (
            self.page.hand.id,
            self.hides_names,
            self.book_index,
            self.shows_due_positions,
            self.counts_in_blinds,
            width,
        )
        if self._drawings[0] != drawing_key:
            self._drawings = (
                drawing_key,
                [self._draw_frame(frame_index, width).split("\n") for frame_index in range(len(self.page.frames))],
            )
        drawings = self._drawings[1]
        table_width = min(
            width, max((safe.columns(line) for lines in drawings for line in lines if line[:2] != "> "), default=0)
        )
        height = max(
            len(self._wrap_turn(lines, table_width)) - len(frame.notes)
            for lines, frame in zip(drawings, self.page.frames, strict=True)
        )
        lines = self._wrap_turn(drawings[self.frame_index], table_width)
        rows = [_highlight_due_labels(safe.cut(line, width)) for line in lines[:height]]
        return rows + [[] for _ in range(height - len(rows))], table_width

    @staticmethod
    def _wrap_turn(lines: list[str], width: int) -> list[str]:
        """Wrap a drawing's sentence about who is to act to the width of the table."""
        return [
            folded_line
            for line in lines
            for folded_line in (textwrap.wrap(line, width) if line[:2] == "> " else [line])
        ]

    def _draw_frame(self, frame_index: int, width: int) -> str:
        frame = self.page.frames[frame_index]
        seat_by_number = {seat.seat: seat for seat in frame.seats}
        seats = [
            seat_by_number.get(chair.seat)
            or SeatDocument(chair.seat, chair.player or "(empty)", None, 0, 0, "", "left-out", [])
            for chair in self.page.chairs
        ]
        moment = MomentDocument(
            hand=self.page.hand,
            version=frame.version,
            told=frame.event_text,
            street=frame.street,
            boards=frame.boards,
            seats=seats,
            pots=frame.pots,
            turn=frame.turn,
            notes=frame.notes,
        )
        format_chips = build_money_format(moment)

        def format_in_blinds(chips: Chips | None) -> str:
            return "?" if chips is None else f"{chips / self.page.big:.1f}".removesuffix(".0") + " bb"

        return draw_table(
            moment,
            width,
            format_in_blinds if self.counts_in_blinds and self.page.big else format_chips,
            self._list_due_labels(),
        )

    def _list_due_labels(self) -> Mapping[Seat, list[str]]:
        right_spots = self.page.judgements[self.book_index].should
        labels_by_seat: dict[Seat, list[str]] = {}
        if not self.shows_due_positions or right_spots is None:
            return labels_by_seat
        spot_pairs = zip(
            display_texts.MARKER_NAMES,
            display_texts.list_position_seats(right_spots),
            display_texts.list_position_seats(self.page.recorded),
            strict=True,
        )
        for label, seat, recorded_seat in spot_pairs:
            if seat is not None and seat != recorded_seat:
                labels_by_seat.setdefault(seat, []).append(label)
        return labels_by_seat

    def _build_events_panel(self, width: int) -> Panel:
        return panels.list_events(self.page, self.frame_index, self.query, self.finding_frames, width)

    def _build_findings_panel(self, width: int) -> Panel:
        return panels.list_findings(self.page, self.book_index, self.frame_index, width, self.scroll_offset)

    def _build_lower_panel(self, width: int) -> Panel:
        """Return the panel below the table on a screen with room for a single one."""
        panel_name = _PANELS[self.panel_index]
        panel = {
            "events": lambda: self._build_events_panel(width),
            "findings": lambda: self._build_findings_panel(width),
            "source": lambda: panels.show_source(self.page, self.frame_index, width),
            "books": lambda: panels.compare_books(self.page, self.book_index, width),
            "money": lambda: panels.list_money(self.page, width),
        }[panel_name]()
        return panel._replace(title=f"{panel.title} (tab: {_PANELS[(self.panel_index + 1) % len(_PANELS)]})")

    def _list_help(self, width: int) -> list[Row]:
        rows: list[Row] = [[Run("Keys", "bold")], []]
        rows += [[Run(safe.cut(f"  {key:<10} {meaning}", width))] for key, meaning in HELP]
        return [*rows, [], [Run("  any key goes back", "dim")]]

    def _format_footer(self, width: int) -> Row:
        if self.typed_text is not None:
            return [
                Run(safe.cut(f"/{safe.tail(safe.terminal(self.typed_text, 200), max(width - 3, 1))}", width - 1)),
                Run("▏"),
            ]
        if self.message:
            return [Run(safe.cut(self.message, width), "yellow")]
        position_text = f"{self.frame_index + 1} of {len(self.page.frames)}{' playing' if self.is_playing else ''}"
        key_help = "← → event · ↑ ↓ hand · n finding · c should have been · r book · / search · ? keys · q leave"
        return [
            Run(safe.cut(f"{position_text}  ", width), "bold"),
            Run(safe.cut(key_help, max(width - len(position_text) - 2, 0)), "dim"),
        ]


_KEYS: Final[Mapping[str, Callable[[Replay], None]]] = {
    "right": lambda replay: replay.go(replay.frame_index + 1),
    "l": lambda replay: replay.go(replay.frame_index + 1),
    "enter": lambda replay: replay.go(replay.frame_index + 1),
    "left": lambda replay: replay.go(replay.frame_index - 1),
    "h": lambda replay: replay.go(replay.frame_index - 1),
    "rub out": lambda replay: replay.go(replay.frame_index - 1),
    "page down": lambda replay: replay.go(replay.frame_index + 10),
    "page up": lambda replay: replay.go(replay.frame_index - 10),
    "home": lambda replay: replay.go(0),
    "0": lambda replay: replay.go(0),
    "end": lambda replay: replay.go(len(replay.page.frames)),
    "$": lambda replay: replay.go(len(replay.page.frames)),
    "up": lambda replay: replay.go_to_hand(-1),
    "down": lambda replay: replay.go_to_hand(1),
    "s": lambda replay: replay.go_to_street(1),
    "S": lambda replay: replay.go_to_street(-1),
    "n": lambda replay: replay.go_to_finding(1),
    "N": lambda replay: replay.go_to_finding(-1),
    "r": lambda replay: replay.go_to_book(1),
    "R": lambda replay: replay.go_to_book(-1),
    "c": lambda replay: setattr(replay, "shows_due_positions", not replay.shows_due_positions),
    "b": lambda replay: setattr(replay, "counts_in_blinds", not replay.counts_in_blinds),
    "a": lambda replay: replay.toggle_names(),
    "/": lambda replay: setattr(replay, "typed_text", ""),
    "j": lambda replay: replay.scroll(3),
    "k": lambda replay: replay.scroll(-3),
    "tab": lambda replay: setattr(replay, "panel_index", (replay.panel_index + 1) % len(_PANELS)),
    "back tab": lambda replay: setattr(replay, "panel_index", (replay.panel_index - 1) % len(_PANELS)),
    "?": lambda replay: setattr(replay, "shows_help", True),
    "q": lambda replay: setattr(replay, "is_over", True),
    "escape": lambda replay: setattr(replay, "query", ""),
}


def _highlight_due_labels(line: str) -> Row:
    """Return a line of the table with the positions in braces highlighted."""
    parts = re.split(r"(\{[A-Z ]+\})", line)
    return [Run(part, "yellow" if part_index % 2 else "") for part_index, part in enumerate(parts)]


def _join_columns(left_rows: list[Row], right_rows: list[Row], left_width: int) -> list[Row]:
    """Return rows side by side, with a line between them."""
    count = max(len(left_rows), len(right_rows))
    rows = []
    for row_index in range(count):
        row = _clip_row(left_rows[row_index] if row_index < len(left_rows) else [], left_width)
        gap = " " * (left_width - sum(safe.columns(run.text) for run in row))
        rows.append(
            [*row, Run(f"{gap} "), Run("│ ", "dim"), *(right_rows[row_index] if row_index < len(right_rows) else [])]
        )
    return rows


def _clip_row(row: Row, width: int) -> Row:
    """Return a row cut to a width."""
    clipped_row: Row = []
    for run in row:
        text = safe.cut(run.text, width)
        width -= safe.columns(text)
        clipped_row.append(Run(text, run.style))
        if width <= 0:
            break
    return clipped_row


def _paint_run(run: Run) -> str:
    """Return a run with its terminal codes, without colours if NO_COLOR is set: no meaning is in a colour alone."""
    if not run.style or not run.text or (run.style in _COLOURS and os.environ.get("NO_COLOR")):
        return run.text
    return f"\x1b[{_STYLES[run.style]}m{run.text}\x1b[0m"
