"""A hand never takes anything of its neighbour: sources that were cut anywhere, and to which another was appended."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ledger import formats
from ledger.account import Account, Reject
from ledger.event import Event
from ledger.hand.opening import HandOpened, SeatDealtIn, SeatLeftOut
from ledger.notation import Format, Item
from tests.formats.support import new_people, read, samples

CAN_TELL_APART: dict[str, Callable[[Path, Path, bytes], bool]] = {
    "phh": lambda before, behind, _cut: before.stem != "odd" and behind.stem not in ("odd", "posts", "NT"),
    "acpc": lambda before, behind, cut: {before.stem, behind.stem} <= {"limit", "six", "three"} and cut[-1:] != b"\n",
    "pokernow": lambda _before, _behind, cut: cut[-1:] not in b"\r\n",
    "coinpoker": lambda _before, _behind, cut: cut.rstrip()[-1:] not in b"]}:",
}
"""Where a format cannot tell a cut source that goes on from one of two: whether it can.

PHH has no first words but those that its writers put first, a comment above them may be of either hand. A dealer's
line at the beginning of a line, a whole value of JSON or column names in a line of their own are as good of the same
log, table or export.
"""
UNDAMAGED = {name: [path for path in samples(name) if path.stem != "damaged"] for name in formats.NAMES}

WPN_TOURNAMENTS = next(path for path in UNDAMAGED["wpn"] if path.stem == "numbered-short-tournaments")

APPENDED = [name for name in formats.NAMES if UNDAMAGED[name]]


@pytest.mark.parametrize("name", APPENDED)
@given(data=st.data())
def test_what_is_appended_to_a_cut_source_is_read_as_if_it_were_alone(name: str, data: st.DataObject) -> None:
    """The cut one tells nothing of what was appended, wherever the cut is, within a line or a character too."""
    form = formats.get(name)
    paths = [data.draw(st.sampled_from(UNDAMAGED[name])) for _ in "ab"]
    first_source, second_source = (path.read_bytes() for path in paths)
    cut = data.draw(st.integers(1, len(first_source)))
    assume(name not in CAN_TELL_APART or CAN_TELL_APART[name](*paths, first_source[:cut]))
    assume(not first_source[:cut].endswith(b"MERGE_"))  # with `GAME #` it is another room's first line
    raw = first_source[:cut] + second_source
    items, alone = (read(form, source, encoding="utf-8") for source in (raw, second_source))
    assert _are_read_alike(raw, items[len(items) - len(alone) :], second_source, alone)
    for item in items[: len(items) - len(alone)]:
        assert item.start < cut
        if not isinstance(item, Reject):
            starts, lengths = item.places[::2], item.places[1::2]
            assert all(item.start + start < cut for start, length in zip(starts, lengths, strict=True) if length)


def test_what_leads_to_a_hand_is_found_behind_a_line_that_was_cut() -> None:
    """The dashes that end a file of short tournaments may lead to its next hand, too."""
    form, text = formats.get("wpn"), WPN_TOURNAMENTS.read_bytes()
    cut = text.index(b"------") + 12
    alone = read(form, text)
    raw = text[:cut] + text
    assert _are_read_alike(raw, read(form, raw)[-len(alone) :], text, alone)


def _are_read_alike(raw: bytes, items: list[Item], appended: bytes, alone: list[Item]) -> bool:
    """Tell whether both are read alike, at the same words; something cut may stand before a hand's first line."""
    return len(items) == len(alone) and all(
        event == other_event and (words in other_words or other_words in words or isinstance(event, HandOpened))
        for item, two in zip(items, alone, strict=True)
        for (event, words), (other_event, other_words) in zip(_events(raw, item), _events(appended, two), strict=True)
    )


def _events(raw: bytes, item: Item) -> list[tuple[Event | str, str]]:
    if isinstance(item, Reject):
        return [(item.code, "")]
    return [
        (event, raw[item.start + place :][:length].decode("utf-8", "replace").strip("\ufeff \t\r\n\0"))
        for event, place, length in zip(item.events, item.places[::2], item.places[1::2], strict=True)
    ]


def _sample(name: str, stem: str) -> str:
    return next(path for path in UNDAMAGED[name] if path.stem == stem).read_text(encoding="utf-8")


HEADS = (
    "PokerStars Hand #900000000077:  Hold'em No Limit ($1/$2 USD) - 2026/01/15 21:04:05 ET",
    "PokerStars Hand #900000000077",
)


@pytest.mark.parametrize("head", HEADS)
def test_a_first_line_that_somebody_says_begins_no_hand(head: str) -> None:
    text = _sample("pokerstars", "run-twice-cash-out")
    flop = text.index("*** FLOP ***")
    chatty_text = f'{text[:flop]}Bo said, "{head}"\n{text[flop:]}'
    plain_items, talked = (read(formats.get("pokerstars"), item) for item in (text, chatty_text))
    assert [type(item) for item in talked] == [type(item) for item in plain_items]
    for item, two in zip(plain_items, talked, strict=True):
        assert isinstance(item, Account)
        assert isinstance(two, Account)
        assert [event for event in two.events if event not in item.events][1:] == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["pokerstars", "partypoker", "bovada", "winamax", "ipoker"])
def test_a_source_of_any_encoding_that_breaks_off_within_a_line_and_goes_on(name: str, encoding: str, end: str) -> None:
    form = formats.get(name)
    first_source, second_source = (
        path.read_text(encoding="utf-8").replace("\n", end) for path in (UNDAMAGED[name][0], UNDAMAGED[name][-1])
    )
    cut = first_source[: 3 * len(first_source) // 4].rstrip() + "2"
    raw, alone = (source.encode(encoding) for source in (cut + second_source, second_source))
    items, expected = (read(form, source, encoding=encoding) for source in (raw, alone))
    assert [item.events for item in items[-len(expected) :]] == [item.events for item in expected]  # type: ignore[union-attr]  # samples have no rejects


TEXTS = [name for name in formats.NAMES if UNDAMAGED[name] and formats.get(name).suffixes == (".txt",)]


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_where_a_line_end_is_lost_nobody_is_seated_whom_no_line_names(name: str) -> None:
    form = formats.get(name)
    for path in UNDAMAGED[name]:
        raw = path.read_bytes()
        end = b"\r\n" if b"\r\n" in raw else b"\n"
        lines, known_names = raw.split(end), _seated(form, raw, path.name)
        masks = {f"Player{seat}" for seat in range(1, 11)} | _hidden(known_names, raw)
        for index in range(1, len(lines)):
            lost = end.join(lines[:index]) + end.join([b"", *lines[index:]])[len(end) :]
            seated_names = _seated(form, lost, path.name)
            assert seated_names <= known_names | masks, (path.name, lines[index - 1 : index + 1])


def _hidden(known_names: set[str], raw: bytes) -> set[str]:
    """Return the chairs of a source's tables and hands, and where players are called by chairs the aliases in it, too.

    Which of both is right hangs on all lines of a hand; a chair is no person's name, and an alias stands in a line.
    """
    places = [(match[0] or match[1]).decode() for match in re.findall(rb"Table (?:'([^']+)'|(\w+) \()", raw)]
    places += [
        f"hand {match.decode()}" for match in re.findall(rb"Game #?(\w+)", raw)
    ]  # of a hand whose table is not told
    chairs = {f"Seat {seat} of {place}" for place in places for seat in range(1, 11)}
    if not any(name.startswith("Seat ") for name in known_names):
        return chairs
    return chairs | {match.decode() for match in re.findall(rb"\b[0-9a-f]{8}\b", raw)}


def _seated(form: Format, raw: bytes, source: str) -> set[str]:
    people = new_people()
    seats = [
        event.player
        for item in read(form, raw, people=people, name=source, encoding="utf-8")
        if not isinstance(item, Reject)
        for event in item.events
        if isinstance(event, SeatDealtIn | SeatLeftOut)
    ]
    return {people.names[player][1] for player in seats}
