"""`replay` on a terminal: what keys change, what the screen says at any size, and a program in a terminal of its own."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.screens.replay_screen import HELP, Replay
from ledger import safe
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from projections.books.rulebook import load
from tests.children import child
from tests.web.nights import table_of, wrong_button
from tests.web.test_rendering import HOSTILE
from web.pages.documents import HandPage
from web.pages.hand_frames import Viewer
from web.pages.hand_page import build_pages
from web.pages.page_judgement import BookChoice

KEYS = ["left", "right", "up", "down", "home", "end", "tab", "back tab", "escape", "enter", *" 12345nNsSrRcba/?0$hljkx"]


def _ledger(folder: Path, text: str) -> str:
    (folder / "night.hand").write_text(text, encoding="utf-8")
    with open_ledger(folder / "x.ledger") as ledger:
        import_paths(ledger, [folder / "night.hand"])
    return str(folder / "x.ledger")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An evening whose second hand has its button in the wrong seat."""
    return _ledger(tmp_path_factory.mktemp("replay"), wrong_button())


def _pages(url: str, *books: str, naming: Any = "keep") -> list[HandPage]:
    with open_ledger(url, read_only=True) as ledger:
        return list(
            build_pages(ledger, ledger.hands(), BookChoice([load(name) for name in books]), Viewer(naming=naming))
        )


@pytest.fixture(scope="module")
def pages_by_naming(url: str) -> dict[bool, list[HandPage]]:
    """Its hands, with names and without."""
    naming = {False: "keep", True: "position"}
    return {unnamed: _pages(url, "rrop4", "hilton", naming=style) for unnamed, style in naming.items()}


@pytest.fixture
def replay(pages_by_naming: dict[bool, list[HandPage]]) -> Replay:
    """The second hand, at the wrong button."""

    def neighbour(page: HandPage, offset: int, unnamed: bool) -> HandPage | None:
        index = [hand_page.hand.number for hand_page in pages_by_naming[unnamed]].index(page.hand.number) + offset
        return pages_by_naming[unnamed][index] if 0 <= index < 2 else None

    return Replay(pages_by_naming[False][1], 8, neighbour)


def screen_text(replay: Replay, width: int = 140, height: int = 44) -> str:
    """What a person reads on the screen."""
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(replay.draw_screen(width, height)))


def pressed(replay: Replay, *keys: str) -> str:
    for key in keys:
        replay.press(key)
    return screen_text(replay)


def test_a_screen_says_what_happened_what_was_wrong_and_where_it_stands(replay: Replay) -> None:
    screen_shown = screen_text(replay, 220)
    assert "✗ 1 finding  under rrop4" in screen_shown
    assert ">✗  9 the button is at 5 Eli" in screen_shown
    assert "> button 5" in screen_shown, "the line of the source"
    assert "button at seat 4 (nobody is dealt in there), not 5" in screen_shown
    assert "4 (empty) {D}" in screen_shown
    assert re.search(r"5 Eli \(D\) \{SB\}", screen_shown)
    assert "Seat 6 (Flo) owes seat 5 (Eli) $3." in screen_shown
    assert re.search(r"> +rrop4 +4 +5 +6 +✗ 1", screen_shown)
    assert re.search(r"recorded +5 +6 +1", screen_shown)


def test_the_marked_bytes_are_those_of_the_event(replay: Replay) -> None:
    assert replay.page.source is not None
    replay.panel_index = 2
    for index, frame in enumerate(replay.page.frames):
        replay.go(index)
        marked = "".join(re.findall(r"\x1b\[7m(.*?)\x1b\[0m", "\n".join(replay.draw_screen(80, 60))))
        text = "".join(segment.text for segment in replay.page.source.segments if index in segment.frames)
        assert "".join(marked.split()) == "".join(text.split()), frame.event_text


def test_keys_step(replay: Replay) -> None:
    for keys, number in (
        (["right"], 10),
        (["left", "left"], 8),
        (["end"], 43),
        (["right"], 43),
        (["home"], 1),
        (["left"], 1),
        (["n"], 9),
        (["n"], 9),
        (["2"], 24),
        (["S"], 12),
        (["s"], 24),
        (["1"], 12),
        (["N"], 9),
    ):
        assert f"\n{number} of 43" in pressed(replay, *keys), keys


def test_keys_change_how_it_is_looked_at(replay: Replay) -> None:
    assert "{SB}" not in pressed(replay, "c")
    assert "{SB}" in pressed(replay, "c")
    hilton = pressed(replay, "r")
    assert "✓ nothing found  under hilton" in hilton
    assert "{SB}" not in hilton, "under hilton the button may move"
    assert "hilton found nothing in this hand" in pressed(replay, "n")
    assert "no rulebook" in pressed(replay, "r")
    assert "under rrop4" in pressed(replay, "r")
    assert "bb behind" in pressed(replay, "b")
    assert "pot 0 bb" in screen_text(replay)
    unnamed = pressed(replay, "a")
    assert "Eli" not in unnamed
    assert "leaves out the bytes of the source" in unnamed
    assert "Eli" in pressed(replay, "a")
    for name, description in HELP:
        assert name in pressed(replay, "?")
        assert description in screen_text(replay)
        pressed(replay, "q")
        assert not replay.is_over, "the first key leaves the list"
    replay.press("q")
    assert replay.is_over


def test_what_a_book_says_can_be_scrolled(replay: Replay) -> None:
    last = "no clause" if not replay.page.judgements[0].wanting else replay.page.judgements[0].wanting[-1].clauses[0]
    small = screen_text(replay, 120, 26)
    assert re.search(r"── rrop4 \S+ \(\d+-\d+ of \d+\)", small)
    for _ in range(20):
        replay.press("j")
    assert last in screen_text(replay, 120, 26)
    for _ in range(20):
        replay.press("k")
    assert screen_text(replay, 120, 26) == small


def test_arrows_go_from_hand_to_hand_under_the_same_book(replay: Replay) -> None:
    pressed(replay, "r")
    assert "hand T7/411" in pressed(replay, "up")
    assert "under hilton" in screen_text(replay)
    assert "this is the table's first hand" in pressed(replay, "up")
    assert "hand T7/412" in pressed(replay, "down")
    assert "this is the table's newest hand" in pressed(replay, "down")


def test_search_lists_what_fits_and_goes_to_the_next(replay: Replay) -> None:
    screen_shown = pressed(replay, "/", *"raises")
    assert screen_shown.rstrip().endswith("/raises▏")
    assert "events with 'raises'" in screen_shown
    assert len(re.findall(r"\d \w+ raises to", screen_shown)) == 2
    assert "18 of 43" not in pressed(replay, "home", "enter")
    assert replay.page.frames[replay.frame_index].event_text.startswith("3 Cy raises")
    pressed(replay, "/", *"raises", "enter")
    assert replay.page.frames[replay.frame_index].event_text.startswith("5 Eli raises")
    assert "no event has 'zebra'" in pressed(replay, "/", *"zebra", "enter")
    assert "events with" not in pressed(replay, "/", *"raises", "escape")


def test_it_plays_to_the_end_and_stops(replay: Replay) -> None:
    replay.press("end")
    replay.press(" ")
    assert replay.frame_index == 0
    for _ in replay.page.frames:
        replay.play_next()
    assert (replay.frame_index, replay.is_playing) == (42, False)
    replay.press(" ")
    replay.press("left")
    assert not replay.is_playing


@given(keys=st.lists(st.sampled_from(KEYS), max_size=12), width=st.integers(1, 200), height=st.integers(1, 70))
def test_any_keys_at_any_size_give_a_screen_of_that_size(
    keys: list[str], width: int, height: int, pages_by_naming: dict[bool, list[HandPage]]
) -> None:
    replay = Replay(pages_by_naming[False][1], 0, lambda _page, _by, unnamed: pages_by_naming[unnamed][0])
    for key in keys:
        replay.press(key)
        lines = screen_text(replay, width, height).split("\n")
        assert len(lines) == height
        assert all(safe.columns(line) <= width for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("text", [wrong_button(HOSTILE), *(table_of(seats) for seats in (2, 10))])
def test_nothing_of_players_acts_on_the_terminal(text: str, tmp_path: Path) -> None:
    for page in _pages(_ledger(tmp_path, text), "rrop4"):
        replay = Replay(page, 0, lambda page, _by, _unnamed: page)
        for index in range(len(page.frames)):
            replay.go(index)
            for size in ((80, 24), (160, 50), (40, 12)):
                screen_shown = screen_text(replay, *size)
                assert screen_shown.replace("\n", "").isprintable()
                assert "\u202e" not in screen_shown


@contextmanager
def terminal(*args: str, size: tuple[int, int] = (120, 40)) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run the program in a terminal of its own."""
    ours, its = pty.openpty()
    _resize(its, *size)
    environment = {**os.environ, "TERM": "xterm-256color"}
    try:
        with child(
            [sys.executable, "-m", "cli.main", *args],
            stdin=its,
            stdout=its,
            stderr=its,
            env=environment,
            start_new_session=True,
        ) as program:
            yield ours, program
    finally:
        os.close(ours)
        os.close(its)


def _resize(handle: int, width: int, height: int) -> None:
    fcntl.ioctl(handle, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))


def _read_until(handle: int, expected_text: str) -> str:
    """Read until the screen says something; return all that was written since the call before."""
    output, deadline = "", time.monotonic() + 60
    while expected_text not in re.sub(r"\x1b\[[0-9;]*[mK]", "", output):
        assert time.monotonic() < deadline, f"{expected_text!r} never came: {output[-2000:]!r}"
        if select.select([handle], [], [], 0.2)[0]:
            output += os.read(handle, 65536).decode("utf-8", "replace")
    return output


@pytest.mark.slow
def test_a_program_in_a_terminal_follows_keys_and_size_and_gives_it_back(url: str) -> None:
    with terminal("replay", "412", "-r", "rrop4", "--ledger", url) as (screen, program):
        settings_before = termios.tcgetattr(screen)
        assert "\x1b[?1049h" in _read_until(screen, "17 of 43")
        for sent, expected_text in (
            (b"\x1b[C", "18 of 43"),
            (b"\x1bOD", "17 of 43"),
            (b"n", "9 of 43"),
            (b"\x1b[4~", "43 of 43"),
            (b"/button is at\r", "9 of 43"),
            (b"\x1b", "9 of 43"),
            (b"\x1b[A", "hand T7/411"),
            (b"?", "any key goes back"),
            (b" ", "14 of 22"),
        ):
            os.write(screen, sent)
            _read_until(screen, expected_text)
        _resize(screen, 50, 16)
        last = _read_until(screen, "14 of 22").rsplit("\x1b[H", 1)[1]
        assert all(len(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line)) <= 50 for line in last.split("\r\n"))
        os.write(screen, b"q")
        assert "\x1b[?25h\x1b[?1049l" in _read_until(screen, "\x1b[?1049l")  # a next step may follow
        assert program.wait(30) == 0
        assert termios.tcgetattr(screen)[:4] == settings_before[:4]


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["ctrl-c", "hang up"])
def test_whoever_leaves_otherwise_leaves_it_whole_too(ending: str, url: str) -> None:
    with terminal("replay", "412", "--ledger", url) as (screen, program):
        _read_until(screen, "of 43")
        program.send_signal(signal.SIGINT if ending == "ctrl-c" else signal.SIGHUP)
        if ending == "ctrl-c":
            screen_shown = _read_until(screen, "\x1b[?1049l")
            assert "Traceback" not in screen_shown
        assert program.wait(30) in (130, -signal.SIGHUP)


def test_without_a_terminal_or_on_a_dumb_one_it_prints_frames(url: str) -> None:
    command = [sys.executable, "-m", "cli.main", "replay", "412", "--ledger", url]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert output.count("\n--- ") == 43
    assert "\x1b" not in output
