"""Texts made to be expensive: patterns, numbers, depth. Time is counted, never looked at on a clock."""

from __future__ import annotations

import functools
import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger import formats
from ledger.account import Account, Reject
from ledger.errors import HandledgerError
from ledger.formats.handscript.notes import night, tokenizer, unread_words
from ledger.formats.handscript.notes.reader import BLANKS_MOST, LINE_MOST
from ledger.notation import Chunk
from ledger.people import People
from ledger.readers import currencies
from ledger.recording import seat_keys
from ledger.store import open as open_ledger
from projections.books import rulebook
from tests.cli.conftest import Run
from tests.pace import FELT, least, out_of_proportion, spent
from tests.security.patterns import NOTES, ROOT, Found, every_pattern, nested, pumps
from tests.several import all_keep

SIZE = 65_536
LONG_BLANK = re.compile(rf"\s{{{BLANKS_MOST + 1},}}")
NESTED = {
    # an underscore or a point stands between the turns, so that there is one way to cut them
    r"[+-]?[0-9]+(?:_[0-9]+)*(?:\.[0-9]+(?:_[0-9]+)*)?",
    # a blank, a point or a comma stands between the turns of digits
    currencies._compile_amount_pattern().pattern,
    currencies._compile_sign_last_pattern().pattern,
    currencies._compile_loose_amount_pattern().pattern,
    # a blank stands between the turns of signs, an apostrophe or a hyphen between those of letters
    night._FRAME.pattern,
    tokenizer._TOKEN.pattern,
    # one blank stands between the words of a name, which have none
    seat_keys._SEATING_PATTERN.pattern,
    # a blank or a comma stands between the cards of a street, which have none
    unread_words._STREET.pattern,
}


ASKED_OF_JSON = {
    # asked only of JSON that msgspec has read, which ends with a bracket
    "ledger.readers.spans"
}


def ask(found_pattern: Found, method: str, text: str) -> None:
    regex: Any = found_pattern.pattern
    if found_pattern.where.startswith(NOTES):
        text = LONG_BLANK.sub(" " * BLANKS_MOST, text[:LINE_MOST])
    subject: Any = text if isinstance(regex.pattern, str) else text.encode("latin-1", "replace")
    if method in ("sub", "subn"):
        getattr(regex, method)(subject[:0], subject)
    elif method == "finditer":
        list(regex.finditer(subject))
    else:
        getattr(regex, method)(subject)


@pytest.mark.slow
def test_every_pattern_of_the_source_is_looked_at() -> None:
    assert len(every_pattern()) > 40
    assert {entry.where.split(".")[0] for entry in every_pattern()} == {"ledger", "projections", "web", "cli"}


@pytest.mark.slow
def test_no_pattern_repeats_a_repeat_unless_it_was_looked_at() -> None:
    assert {entry.pattern.pattern for entry in every_pattern() if nested(entry.pattern)} <= NESTED


@pytest.mark.parametrize("evil", ["(a+)+$", r"^(\d+|\w+)*$", r"([a-z]+ ?)+:", r"(?:x*y*)*z"])
def test_a_pattern_whose_time_explodes_would_be_seen(evil: str) -> None:
    assert nested(re.compile(evil))


def slow_ones(size: int, entries: list[Found], felt: float = FELT) -> list[str]:
    """The patterns whose time more than doubles with the text, of those that take any."""
    slow = []
    for entry in entries:
        if entry.where.split(":")[0] in ASKED_OF_JSON:
            continue
        for method in sorted(entry.methods):
            ask_text = functools.partial(ask, entry, method)
            for short_text in pumps(entry.pattern, 2000):
                if spent(ask_text, short_text) > felt and least(ask_text, short_text)[0] > felt:
                    slow.append(f"{entry.where} {method}: 2,000 characters already take long")
                    break
            else:
                slow += _growing(entry, method, size, felt)
    return slow


def _growing(entry: Found, method: str, size: int, felt: float) -> list[str]:
    for text, twice in zip(pumps(entry.pattern, size // 2), pumps(entry.pattern, size), strict=True):
        if times := out_of_proportion(functools.partial(ask, entry, method), text, twice, felt=felt):
            return [f"{entry.where} {method}: {times[0]:.3f} s, then {times[1]:.3f} s for twice as much"]
    return []


@pytest.mark.slow
def test_no_pattern_takes_more_than_twice_as_long_for_twice_as_much() -> None:
    assert slow_ones(8192, every_pattern()) == []


@pytest.mark.slow
def test_no_pattern_is_slow_on_64_kilobytes_of_what_it_repeats() -> None:
    assert slow_ones(SIZE, every_pattern()) == []


def test_a_pattern_that_is_slow_would_be_seen() -> None:
    quadratic = Found("here", re.compile(r"(?:a|b)*x"), frozenset({"search"}))
    assert slow_ones(4096, [quadratic], felt=0.001)


# numbers

NUMBERS = [
    "1e999999",
    "1e400",
    "NaN",
    "sNaN",
    "Infinity",
    "-0",
    "-1",
    "1" + "0" * 30,
    "9" * 4301,
    "1_000",
    "0x1F",
    "1.2.3",
    "1,2,3,4",
    "\u0661\u0662\u0663",
    "\uff11\uff12",
    "\u00b2",
    "1\u0660",
    "",
    "\x00",
    "1\x1b[2J",
]
ARABIC = str.maketrans("0123456789", "\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668\u0669")
WIDE = str.maketrans("0123456789", "".join(chr(0xFF10 + n) for n in range(10)))


@functools.cache
def sample(name: str) -> bytes:
    """The beginning of a file of this format: a hand or two."""
    folder = ROOT / "tests" / "formats" / name / "samples"
    files = sorted((p for p in folder.rglob("*") if p.is_file()), key=lambda p: p.stat().st_size)
    for path in [*files, *sorted((ROOT / "cli" / "samples").iterdir())]:
        data = path.read_bytes()
        if path.suffix != ".json" or name in ("ohh", "pokergfx"):
            for size in (1500, 4000, 12_000):
                if any(isinstance(item, Account) for item in read(name, data[:size])):
                    return data[:size]
    pytest.skip(f"there is no sample of {name}")


def read(name: str, data: bytes) -> list[Any]:
    return list(formats.get(name).read(Chunk(data), People(b"0" * 32)))


def amounts(data: bytes) -> list[re.Match[bytes]]:
    matches = list(re.finditer(rb"(?<![\w.])[0-9][0-9.,]*(?![\w])", data))
    return matches[:: max(len(matches) // 24, 1)]


@pytest.mark.slow
@pytest.mark.parametrize("name", formats.NAMES)
def test_no_number_is_expensive_in_any_field(name: str) -> None:
    data = sample(name)
    usual_time = min(_took(name, data) for _ in range(3))
    for place in amounts(data):
        for number in NUMBERS:
            changed_data = data[: place.start()] + number.encode() + data[place.end() :]
            spent = _took(name, changed_data)
            if spent > 5 * usual_time + 0.05:  # somebody else may have had the machine
                spent = min(_took(name, changed_data) for _ in range(3))
            assert spent <= 5 * usual_time + 0.05, (number, changed_data[place.start() - 40 : place.start()])


def _took(name: str, data: bytes) -> float:
    start = time.process_time()
    for item in read(name, data):
        assert not (isinstance(item, Reject) and item.code == "fault")
    return time.process_time() - start


@pytest.mark.slow
@pytest.mark.parametrize("name", formats.NAMES)
@pytest.mark.parametrize("digits", [ARABIC, WIDE], ids=["arabic", "wide"])
def test_only_ascii_digits_are_an_amount(name: str, digits: dict[int, int]) -> None:
    data = sample(name)
    true = told_of(name, data)
    read_at_all = 0
    for place in amounts(data):
        data_before, data_after = data[: place.start()], data[place.end() :]
        if told_of(name, data_before + b"3" + place[0] + data_after) == true:
            continue  # nobody reads a number here
        read_at_all += 1
        other_digits = place[0].decode().translate(digits).encode()
        assert told_of(name, data_before + other_digits + data_after) != true, data_before[-60:]
    assert read_at_all


def told_of(name: str, data: bytes) -> list[Any]:
    """What a reader makes of bytes: the events of hands, and that something was refused."""
    return [item.code if isinstance(item, Reject) else getattr(item, "events", item) for item in read(name, data)]


# depth

DEEP: dict[str, Callable[[], bytes]] = {
    "forty thousand dotted keys": lambda: b"variant = 'NT'\n" + b"".join(b"a%d.b.c = 1\n" % n for n in range(40_000)),
    "a hundred thousand brackets": lambda: b"x = " + b"[" * 100_000,
    "a hundred thousand braces": lambda: b'{"a":' * 100_000,
    "a hundred thousand tags": lambda: b"<a>" * 100_000,
    "an entity that laughs": lambda: (
        b'<!DOCTYPE l [<!ENTITY a "ha">'
        + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(12))
        + b"]><session>&m;</session>"
    ),
    "an entity that is a file": lambda: (
        b'<?xml version="1.0"?><!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><session>&x;</session>'
    ),
    "a hundred thousand colons": lambda: b"STATE:0" + b":" * 100_000,
    "a hundred thousand quotes": lambda: b'"' * 100_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", formats.NAMES)
def test_depth_is_refused_at_once_and_shallowly(name: str) -> None:
    def is_refused(heavy: str) -> None:
        data = DEEP[heavy]()
        start = time.process_time()
        items = read(name, data)
        spent = time.process_time() - start
        assert not any(isinstance(item, Account) for item in items)
        assert not any(isinstance(item, Reject) and item.code == "fault" for item in items)
        assert "root:" not in str(items)
        assert spent < 2

    all_keep(is_refused, sorted(DEEP))


HEAVY_BOOKS = {
    "brackets": "x = " + "[" * 100_000,
    "dotted keys": "\n".join(f"a{n}.b.c = 1" for n in range(40_000)),
    "one dotted key": "a." * 50_000 + "b = 1",
    "many dotted keys": "\n".join("a." * 990 + f"b{n} = 1" for n in range(40)),
    "two megabytes": "# \n" * 700_000,
}


@pytest.mark.parametrize("heavy", sorted(HEAVY_BOOKS))
def test_a_rulebook_made_to_be_heavy_is_refused(heavy: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(HEAVY_BOOKS[heavy])
    start = time.process_time()
    with pytest.raises(HandledgerError):
        rulebook.load(str(path))
    assert time.process_time() - start < 2


def test_json_that_is_deep_is_no_event_no_request_and_no_evidence(run: Run, tmp_path: Path) -> None:
    deep = "[" * 100_000
    (tmp_path / "deep").write_text(deep)
    for args in (
        ["verify", str(tmp_path / "deep"), "--key", "k+00000000+AA=="],
        ["verify", "--against", str(tmp_path / "deep")],
        ["cosign", str(tmp_path / "deep"), "--log", "x", "--name", "y"],
    ):
        result = run(*args)
        assert result.code in (2, 4)
        assert "Traceback" not in result.err
    with open_ledger(":memory:") as book, pytest.raises(HandledgerError):
        book.mapper.decode("hand", deep.encode())
    with pytest.raises(RecursionError):
        json.loads(deep)  # what it would be without bounds
