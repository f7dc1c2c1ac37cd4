"""Whatever stands in a file: a reject of our own, at once, and no harm to the next hand."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.account import Account, Reject
from ledger.errors import UnreadableHandError
from ledger.formats.phh import FORMAT
from ledger.formats.phh.fields import quote
from ledger.formats.phh.scanner import parse_amount, parse_strings, scan, unquote
from ledger.formats.phh.words import compute_fields_digest
from ledger.notation import Chunk
from ledger.people import People
from tests.formats.phh.conftest import Read, hand, only_hand

GOOD = hand("d dh p1 AhKh", "d dh p2 ????", "d dh p3 ????", "p3 f", "p1 f")


def only_reject(items: list[Account | Reject]) -> Reject:
    (reject,) = items
    assert isinstance(reject, Reject)
    return reject


@pytest.mark.parametrize(
    "number",
    [
        "1e999999",
        "nan",
        "inf",
        "-inf",
        "9" * 4301,
        "1" + "0" * 15,
        "0x1F",
        "'1'",
        "true",
        "1.2.3",
        "0.0000000001",
        "٣",
        "1__0",
        "[" * 50,
        "",
        "--1",
    ],
)
def test_a_number_that_is_no_amount_is_refused(read: Read, number: str) -> None:
    for text in (
        hand(blinds=f"1, {number}, 0"),
        hand(suffix=f"bring_in = {number}\n"),
        hand("p1 cbr 2", antes=f"{number}, 0, 0"),
        hand(suffix=f"winnings = [0, 0, {number}]\n"),
    ):
        assert only_reject(read(text)).code in ("amount", "field", "too-deep", "unclosed")


@pytest.mark.parametrize("number", ["1e999999", "nan", "inf", "9" * 300, "5.00000000001", "0x9"])
def test_a_bet_that_is_no_amount_refuses_the_hand(read: Read, number: str) -> None:
    reject = only_reject(read(hand(f"p1 cbr {number}")))
    assert reject.code == "amount"
    assert reject.line == 6


HEAVY = {  # how long each takes: benchmarks/phh.py
    "forty thousand dotted keys": "\n".join(f"a{i}.b.c = 1" for i in range(40_000)),
    "a hundred thousand brackets": "x = " + "[" * 100_000,
    "brackets on lines of their own": "[\n" * 100_000,
    "an open bracket first": "[ \n[",
    "a hundred thousand braces": "x = " + "{a=" * 100_000,
    "one key of a megabyte": "a" * 1_000_000,
    "a dotted key of a megabyte": "a." * 400_000 + "b = 1",
    "backslashes": 'x = "' + "\\" * 1_000_000,
    "escaped quotes": 'x = "' + '\\"' * 400_000,
    "open quotes": "x = '''" + "''" * 300_000,
    "hashes": "#" * 1_000_000,
    "equal signs": " = " * 300_000,
    "blank": " \t" * 400_000 + "x",
    "commas": "antes = [" + "," * 1_000_000 + "]",
    "actions": "actions = [" + "'p1 f', " * 100_000 + "]",
    "digits": "min_bet = " + "1" * 1_000_000,
}


@pytest.mark.parametrize("name", HEAVY)
def test_a_heavy_text_is_refused_and_its_neighbour_read(people: People, name: str) -> None:
    data = f"[1]\n{HEAVY[name]}\n\n[2]\n{GOOD}".encode()
    items = list(FORMAT.read(Chunk(data), people))
    assert isinstance(items[0], Reject)
    assert isinstance(items[-1], Account)


def test_a_hand_larger_than_any_hand_is_refused(read: Read) -> None:
    assert only_reject(read("x = '" + "a" * (1 << 21) + "'")).code == "too-large"


@pytest.mark.parametrize(
    "broken",
    [
        "actions = ['p1 f'",
        "actions = ['p1 f]",
        'venue = "never closed',
        'venue = """never closed',
        "actions ['p1 f']",
        "a = 1\nwinn",
        "time 12:00:00",
        "venue = 'A' 'B'",
        "venue = ",
        "= 3",
        "variant = 'NT'\nvariant = 'NT'",
        "[[1]]",
        "actions = [1, 2]",
        "players = ['only one']",
        "seats = [1, 1, 2]",
        "seats = [0, 1, 2]",
        "starting_stacks = [1]",
        "starting_stacks = [-1, 2, 3]",
        'venue = "\\ud800"',
        "ante_trimming_status = maybe",
    ],
)
def test_a_damaged_hand_never_takes_its_neighbours_along(read: Read, broken: str) -> None:
    key = broken.partition(" = ")[0]
    text = "".join(line + "\n" for line in GOOD.splitlines() if not line.startswith(key + " "))
    items = read(f"[1]\n{GOOD}\n[2]\n{text}{broken}\n\n[3]\n{GOOD}")
    assert [type(item) for item in items] == [Account, Reject, Account]


@pytest.mark.parametrize("suffix", ["\na line of no kind\nand another one", " and a word", "hello there", "}", '\n{"x'])
def test_what_stands_behind_a_hand_leaves_it_readable(read: Read, suffix: str) -> None:
    hand_text = GOOD.rstrip() + "\nplayers = ['Ann', 'Bo', 'Cy']"
    text = f"[1]\n{hand_text}{suffix}\n\n[2]\n{GOOD}"
    first, stray, second = read(text)
    assert (type(first), type(second)) == (Account, Account)
    assert isinstance(stray, Reject)
    assert stray.reason == "text behind a hand, and no part of it"
    assert text.encode()[stray.start : stray.start + stray.length].decode() == suffix.strip()
    assert stray.line == text[: stray.start].count("\n") + 1


def test_bytes_that_are_no_text_are_refused_alone(read: Read) -> None:
    good = GOOD.encode()
    items = read(b"[1]\n" + good + b"\n[2]\n\xff\xfe" + good + b"\n[3]\n" + good)
    assert [type(item) for item in items] == [Account, Reject, Account]
    assert items[1].code == "encoding"


def test_a_file_cut_anywhere_is_read_or_refused_and_never_raises(people: People) -> None:
    data = ("# first\n[1]\n" + GOOD + "_x = '''\n[9]\n'''\n\n[2]\n" + GOOD).encode()
    for end in range(len(data)):
        for item in FORMAT.read(Chunk(data[:end]), people):
            assert 0 <= item.start < item.start + item.length <= end


PIECES = st.sampled_from(
    [
        "variant = 'NT'",
        "antes",
        " = ",
        "[",
        "]",
        "'",
        '"',
        "'''",
        '"""',
        "#",
        "\n",
        "\r\n",
        ",",
        "\\",
        "p1 cbr 5",
        "d dh p1 AhKh",
        "[2]",
        "actions",
        "starting_stacks",
        "0",
        "-1",
        "{",
        "}",
        ".",
        "é",
    ]
)


@given(st.lists(PIECES, max_size=60).map("".join))
def test_any_heap_of_pieces_is_read_or_refused(text: str) -> None:
    for data in (GOOD + text, text + GOOD):
        list(FORMAT.read(Chunk(data.encode()), People(b"k" * 32)))
        assert 0 <= FORMAT.find_cut(data.encode(), "utf-8") <= len(data.encode())


@given(st.text(max_size=60))
def test_a_text_that_we_write_reads_back_here_and_in_toml(words: str) -> None:
    literal = quote(words)
    assert unquote(literal) == words
    assert tomllib.loads(f"x = {literal}")["x"] == words


@given(st.lists(st.text(max_size=20), max_size=8), st.sampled_from([", ", ",", ",\n  ", ", # c\n"]))
def test_a_list_of_texts_reads_as_in_toml(words: list[str], gap: str) -> None:
    text = "x = [" + gap.join(map(quote, words)) + "]"
    document = scan(text.replace("x", "actions", 1))
    _, start, end = document.spans["actions"]
    assert [word for word, _, _ in parse_strings(document.text, start, end)[0]] == words
    assert tomllib.loads(text)["x"] == words


TOML_VALUES = st.recursive(
    st.one_of(st.integers(), st.booleans().map(lambda b: str(b).lower()), st.text(max_size=9).map(quote)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda v: "[" + ", ".join(map(str, v)) + "]"),
        inner.map(lambda v: "{ a = " + str(v) + " }"),
    ),
    max_leaves=8,
)


@given(TOML_VALUES)
def test_the_end_of_any_value_is_found_where_toml_finds_it(value: object) -> None:
    text = f"_own = {value}  # and then\nvenue = 'X'\n"
    document = scan(text)
    assert document.extra_fields[0][0] == f"_own = {value}"
    assert document.values["venue"] == "'X'"
    assert tomllib.loads(text)["venue"] == "X"


@given(st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**9), max_value=10**9))
def test_amounts_are_exact(number: object) -> None:
    assert parse_amount(f"{number:f}", 4) == int(number * 10**4)


@pytest.mark.parametrize(
    "events",
    [
        "[]",
        "[[]]",
        '["HandOpened"]',
        '[["Folded",1]]',
        '[["HandOpened","v","t","1",0],["Nobody",1]]',
        '[["HandOpened","v","t","1",0],["Folded","1"]]',
        '[["HandOpened","v","t","1",0],["Bet",1,99999999999999999,1]]',
        '[["HandOpened","v","t","1",0],["GameSet","holdem","limit","cash","USD",2,[99999999999999999]]]',
        "[" * 5000,
    ],
)
def test_kept_events_that_are_none_are_refused(read: Read, events: str) -> None:
    tie = compute_fields_digest(scan(GOOD).values)
    assert only_reject(read(GOOD + f"_handledger_events = '{tie} {events}'\n")).code in ("kept", "amount")


def test_our_scanner_refuses_depth_by_itself() -> None:
    with pytest.raises(UnreadableHandError) as caught:
        scan("_x = " + "[" * 17 + "]" * 17)
    assert caught.value.kind == "too-deep"


def test_hostile_names_go_to_the_vault_as_they_are(read: Read, people: People) -> None:
    names = ["<script>", "\x1b[31mred", "a'b\"c\\d"]
    text = GOOD + "players = [" + ", ".join(map(quote, names)) + "]\n"
    seats = [event for event in only_hand(read(text)).events if type(event).__name__ == "SeatDealtIn"]
    assert [people.name(event.player) for event in seats] == names
