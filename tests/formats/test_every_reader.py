"""What every reader stands, whatever its room's words are: each law once, over all formats and samples."""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import formats
from ledger.account import Account, Reject
from ledger.hand.opening import GameSet
from ledger.intake.byte_accounts import count_bytes
from ledger.intake.encoding import convert_to_utf8
from ledger.notation import Chunk
from ledger.readers.signatures import HEADS, ends_hand
from ledger.vocabulary import Witness
from tests.conftest import thin_out
from tests.formats import checks
from tests.formats.support import encoding_of, new_people, read, samples
from tests.fuzz.check import check
from tests.fuzz.mutate import mutated
from tests.several import all_keep

READ = [name for name in formats.NAMES if samples(name)]
SAMPLES = [(name, path) for name in READ for path in samples(name)]
UNDAMAGED = [(name, path) for name, path in SAMPLES if path.stem != "damaged"]
ORDINARY = [(name, path) for name, path in UNDAMAGED if path.stem != "strange"]
ENCODINGS = ("utf-8", "cp1252", "utf-16-le", "utf-16-be")

STRANGE = {
    ("phh", "odd"): (1, []),
    ("pokerstars", "splashed-pots"): (0, ["90000102"]),  # the room played it out and named no winner
    ("pokerstars", "lost-boards"): (3, []),
    ("pokerstars", "rush-and-cash"): (0, ["04100000001"]),  # the total leaves the room's own chips out
    ("ohh", "runs-and-strangers"): (3, []),
    ("acpc", "messages"): (0, ["2"]),  # the log ends within this hand
    ("pokergfx", "live-table"): (0, ["15"]),  # a stack was typed in by hand
    ("pokergfx", "unknown"): (9, []),
    ("bovada", "dead-button"): (1, []),
    ("888poker", "blank-names"): (2, []),  # players who cannot be told apart
    ("pokernow", "evening"): (1, ["4"]),  # the log ends within this hand
    ("pokernow", "export"): (2, []),
    ("ipoker", "archive"): (2, []),
    ("merge", "strange"): (6, ["71000001-3"]),  # that hand was cancelled
    ("microgaming", "limit"): (1, []),
    ("boss", "strange"): (5, []),
    ("everest", "limit"): (2, []),
    ("globalpoker", "strange"): (8, []),
    ("coinpoker", "strange"): (13, []),
    ("coinpoker-text", "splash-to-several"): (0, ["90000000011"]),  # nor who got the splash
}
"""Samples that hold lines nobody knows, or hands that do not add up, by intent: so many, and which.
Those called `strange` and `damaged` hold little else; what is read of them stands in their goldens."""

NO_RETURNS = ("phh", "pokernow", "handscript")
"""Where a carriage return alone ends no line: TOML has none, rows of CSV may hold one, and our own
notation is younger than the machines that wrote it."""

RELATED = {
    ("fulltilt", "pokerstars"),
    ("wpn", "pokerstars"),
    ("bovada", "pokerstars"),
    ("kingsclub", "pokerstars"),
    ("enet", "pokerstars"),
    ("betonline", "pokerstars"),
    ("betclic", "pokerstars"),
}
"""Whose heads the other one takes for its own too, though it is less sure of them."""


def parametrize_samples(sample_paths: list[tuple[str, Path]]) -> pytest.MarkDecorator:
    """One format after the other, with those of its samples."""
    paths: dict[str, list[Path]] = {}
    for name, path in sample_paths:
        paths.setdefault(name, []).append(path)
    return pytest.mark.parametrize(("name", "paths"), paths.items(), ids=paths)


@pytest.mark.parametrize("name", READ)
def test_every_golden_has_its_one_sample(name: str, regen: bool) -> None:
    goldens = [path.with_suffix(".golden") for path in samples(name)]
    assert len(set(goldens)) == len(goldens)
    paths = {path for folder in {golden.parent for golden in goldens} for path in folder.glob("*.golden")}
    assert paths <= set(goldens), "delete the goldens of samples that are gone"
    assert regen or paths == set(goldens), "pytest --regen writes a missing golden: read it before you commit it"


@parametrize_samples(SAMPLES)
def test_a_sample_becomes_the_events_of_its_golden(name: str, paths: list[Path], regen: bool) -> None:
    all_keep(partial(checks.is_golden, formats.get(name), regen=regen), paths)


@parametrize_samples(ORDINARY)
def test_every_line_of_a_sample_is_known_and_its_chips_add_up(name: str, paths: list[Path]) -> None:
    def is_whole(path: Path) -> None:
        strange, uneven = STRANGE.get((name, path.stem), (0, []))
        checks.is_whole(formats.get(name), path, strange=strange, uneven=uneven)

    all_keep(is_whole, paths)


@pytest.mark.parametrize("name", READ)
def test_stakes_that_a_hand_does_not_tell_are_not_witnessed(name: str) -> None:
    items = [entry for path in samples(name) for entry in read(formats.get(name), path.read_bytes(), name=path.name)]
    for hand in (entry for entry in items if isinstance(entry, Account)):
        games = [event for event in hand.events if isinstance(event, GameSet)]
        has_stakes = any(entry.blinds or entry.bets for entry in games)
        assert has_stakes or not hand.opened.witnesses & Witness.BLIND_AMOUNTS, hand.opened.number


@pytest.mark.slow
@pytest.mark.parametrize("name", READ)
def test_what_is_written_of_a_hand_is_read_again_or_is_nothing(name: str) -> None:
    people = new_people()
    sample_items = [
        item for path in samples(name) for item in read(formats.get(name), path.read_bytes(), people=people)
    ]
    for hand in (item for item in sample_items if isinstance(item, Account)):
        for form in (formats.get(item) for item in formats.NAMES):
            if form.write is not None and (text := form.write(hand.events, people).text):
                items = read(form, text.encode("utf-8", "surrogatepass"))
                assert [type(item) for item in items] == [Account], (form.name, hand.opened.number)


@pytest.mark.slow
@parametrize_samples(UNDAMAGED)
def test_every_encoding_and_line_end_gives_the_same_events(name: str, paths: list[Path]) -> None:
    ends = ("\n", "\r\n") if name in NO_RETURNS else ("\n", "\r\n", "\r", "\r\r\n")
    all_keep(partial(checks.reads_the_same_in_every_encoding, formats.get(name), ends=ends), paths)


@parametrize_samples(SAMPLES)
def test_a_sample_is_its_own_reader_s_and_nobody_else_s(name: str, paths: list[Path]) -> None:
    def is_its_own(path: Path) -> None:
        data = path.read_bytes()
        head = convert_to_utf8(data[: 64 * 1024], encoding_of(data))
        sniffed = {other_name: formats.get(other_name).sniff(head) for other_name in formats.NAMES}
        assert formats.recognise(head) is formats.get(name)
        assert {other_name for other_name in sniffed if sniffed[other_name] and (name, other_name) not in RELATED} == {
            name
        }
        assert max(sniffed, key=lambda other_name: sniffed[other_name]) == name

    all_keep(is_its_own, paths)


ROOMS = [name for name in READ if formats.get(name).suffixes == (".txt",)]


@cache
def first_hands(name: str) -> dict[str, str]:
    """A room's first hand of each sample, by how it begins."""
    accounts = {}
    for path in (path for format_name, path in ORDINARY if format_name == name):
        raw = path.read_bytes()
        item = read(formats.get(name), raw, name=path.name)[0]
        hand = raw[: item.start + item.length].decode().strip("\0\ufeff \n") + "\n"
        accounts.setdefault(re.sub("[0-9]+", "9", hand[:14]), hand)
    return accounts


@pytest.mark.parametrize("name", ROOMS)
@pytest.mark.parametrize("separator", ["\n\n", pytest.param("", marks=pytest.mark.slow)])
def test_no_hand_takes_in_what_another_room_wrote_behind_it(name: str, separator: str) -> None:
    form = formats.get(name)
    for hand in first_hands(name).values():
        alone = read(form, hand)
        for other_name in set(ROOMS) - {name}:
            for strange in thin_out(list(first_hands(other_name).values())):
                items = read(form, hand + separator + strange)
                assert [item.events for item in items[: len(alone)]] == [item.events for item in alone], (
                    f"they do not end before a hand of {other_name}: ROOMS, PATTERNS of ledger/readers/signatures.py"
                )
                assert all(isinstance(item, Reject) for item in items[len(alone) :]), other_name


@pytest.mark.parametrize("name", ROOMS)
def test_hands_of_other_rooms_end_where_a_hand_of_this_room_begins(name: str) -> None:
    for hand in first_hands(name).values():
        first_line = hand.partition("\n")[0]
        assert ends_hand(first_line, HEADS), (
            f"add the opening words of {first_line[:60]!r} to ROOMS or PATTERNS in ledger/readers/signatures.py"
        )


COPIED = [(name, path) for name, path in ORDINARY if name in ROOMS and b"\r" not in path.read_bytes()]


@pytest.mark.parametrize(
    "mark", ["> ", "\t", *(pytest.param(one, marks=pytest.mark.slow) for one in (">", "> > ", "    "))]
)
@parametrize_samples(COPIED)
def test_a_hand_with_marks_before_its_lines_is_the_same_hand(name: str, paths: list[Path], mark: str) -> None:
    """As a mail, a message board or a program holds it; a quoted line that is blank keeps its mark."""

    def is_the_same(path: Path) -> None:
        text = path.read_text(encoding="utf-8").rstrip("\n") + "\n"
        marked = "".join((mark + line if line else mark.rstrip()) + "\n" for line in ["", *text.split("\n")])
        assert formats.recognise(marked.encode()) is formats.get(name)
        checks.is_copied(formats.get(name), path, marked, drop=mark.strip())

    all_keep(is_the_same, paths)


@parametrize_samples([(name, path) for name, path in COPIED if not {"‘", "’"} & set(path.read_text(encoding="utf-8"))])  # noqa: RUF001 - as they are printed
def test_a_hand_with_printed_quotation_marks_and_dashes_is_the_same_hand(name: str, paths: list[Path]) -> None:
    """As word processors and message boards set it."""

    def is_the_same(path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        printed = re.sub(r"(?m)(^|(?<=[ (\[]))'", "‘", text).replace("'", "’").replace(" - ", " – ")  # noqa: RUF001 - as they are printed
        if printed == text or " - " in printed:  # `[- - - 7s]`
            return
        assert formats.recognise(printed.encode()) is formats.get(name)
        checks.is_copied(formats.get(name), path, printed)

    all_keep(is_the_same, paths)


SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


@parametrize_samples([(name, path) for name, path in COPIED if path.stem not in ("spanish", "hostile-names")])
def test_cards_with_the_signs_of_their_suits_are_the_same_cards(name: str, paths: list[Path]) -> None:
    """As message boards and solvers write them; left aside are Spanish suits, and names that hold cards."""
    form = formats.get(name)

    def are_the_same(path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        signs = re.sub(r"\b([2-9TJQKA])([cdhs])(?=[ ,\]])", lambda card: card[1] + SUITS[card[2]], text)
        events, expected = checks.events_in(form, signs, path.name, "utf-8"), checks.events_as_stored(form, path)
        assert [_silent(event) for event, _ in events] == [_silent(event) for event, _ in expected]

    all_keep(are_the_same, paths)


def _silent(event: object) -> object:
    """Leave out words that are kept, in which the signs stay as they are."""
    return re.sub("'t[A-Za-z0-9_-]{16}'", "'words'", repr(event))


STRANGERS = (
    b"",
    b"{}",
    b"[]",
    b"\n" * 60_000,
    b"Stage #1 of the build\n",
    b"Table #1 - a list of tables\n",
    b"entry,\n",
    b"a,b,c\n1,2,3\n",
    b"variant of the game",
    b"[1]\nkey = 1\n",
    b"hand 1\nhandscript 1",
    b"Hand #GG3: y\n",
    b"Winamax Poker - Tournament summary : Expresso(1)\n",
    b"<html><body>Hand</body></html>",
)


@pytest.mark.parametrize("data", STRANGERS)
def test_what_is_no_history_of_hands_is_nobody_s(data: bytes) -> None:
    assert formats.recognise(data) is None


ODD_NAMES = (
    "Zoë Ångström",
    "李小龍",
    "x y z",
    "a-b_c.d",
    "$100",
    "100",
    "#1",
    "x [y]",
    "x (5)",
    "won 5 from",
    "\u202eanA",
    "A\u0301na",
    "\u200d",
    "none",
    "at",
    "did not show his hand",
    "Ad, Kh",
)
LINES_AS_NAMES = (
    "Seat 1: x",
    "*** FLOP ***",
    "Bo: folds",
    "folds",
    "a: b",
    "Bo posts",
    "** Dealing",
    "<b>",
    "'\"",
    "&lt;",
    "\\",
)


@pytest.mark.slow
@parametrize_samples(UNDAMAGED)
def test_any_name_is_a_name(name: str, paths: list[Path]) -> None:
    """Whoever is renamed has the same hands; only who is called like a line may be taken for one."""

    def may_be_called_anything(path: Path) -> None:
        form, text, people = formats.get(name), path.read_bytes().decode(), new_people()
        expected_kinds = _kinds(read(form, text, people=people, name=path.name))
        player_names = [
            player_name for _, player_name in people.names.values() if re.fullmatch(r"[A-Z][a-z]+", player_name)
        ]
        if name == "bovada" or not player_names:
            return  # its players are called after their places
        longest_name = re.compile(
            rf"(?<!\w){max(player_names, key=lambda player_name: (len(player_name), player_name))}(?!\w)"
        )
        for odd in ODD_NAMES:
            changed = odd.join(longest_name.split(text))
            assert _kinds(read(form, changed, name=path.name)) == expected_kinds, odd
        for odd in LINES_AS_NAMES:
            check(name, odd.join(longest_name.split(text)).encode())

    all_keep(may_be_called_anything, paths)


def _kinds(items: list) -> list[list[str]]:
    return [[type(event).__name__ for event in getattr(item, "events", ())] for item in items]


# what is damaged


@pytest.mark.law
@pytest.mark.slow
@parametrize_samples(SAMPLES)
def test_no_byte_is_lost_whatever_is_cut_out(name: str, paths: list[Path]) -> None:
    all_keep(partial(checks.loses_no_byte, formats.get(name)), paths)


@pytest.mark.parametrize("name", READ)
@given(seed=st.integers(0, 2**32))
def test_damage_never_raises_and_every_byte_is_accounted_for(name: str, seed: int) -> None:
    random, sources = Random(seed), [path.read_bytes() for path in samples(name)]
    check(name, mutated(random.choice(sources), sources, random))


TRICKY = st.lists(
    st.sampled_from(
        [
            b" ",
            b"\n",
            b"\r",
            b"\0",
            b"\x1c",
            b"\x1d",
            b"\x85",
            b"\xa0",
            b"\xc2",
            b"\xd8",
            b"\xe2\x80\xa8",
            b"\xff\xfe",
            b"\xef\xbb\xbf",
            b"#",
            b"[1]\n",
            b"variant = 'NT'\n",
            b"handscript 1\n",
            b"hand 1\n",
            b"PokerStars Hand #1:  Hold'em No Limit ($1/$2 USD) - 2026/01/15 21:04:05 ET\n",
            b"Seat 1: A ($1 in chips)\n",
            b"seat 1 A 5\n",
            b"actions = [\n",
            b"end\n",
        ]
    ),
    max_size=12,
).map(b"".join)


@pytest.mark.parametrize("name", formats.NAMES)
@given(
    data=st.one_of(TRICKY, st.binary(max_size=1500)),
    lines=st.integers(0, 12),
    encoding=st.sampled_from(ENCODINGS),
    wide=st.booleans(),
)
def test_any_bytes_alone_and_behind_a_header_are_accounted_for(
    name: str, data: bytes, lines: int, encoding: str, wide: bool
) -> None:
    if wide and encoding.startswith("utf-16"):
        data = data.decode("latin-1").encode(encoding)
    if lines and samples(name):
        head = samples(name)[lines % len(samples(name))].read_text(encoding="utf-8").split("\n")
        data = "\n".join(head[:lines]).encode(encoding, "replace") + data
    chunk = Chunk(data, encoding=encoding)
    counts = count_bytes(chunk, list(formats.get(name).read(chunk, new_people())))
    assert (counts.not_read, counts.total) == (0, len(data))


ALIKE = [pytest.param(one, marks=pytest.mark.slow) for one in ("Hero ", "(", "*** ", "1,", "Hero: ", " - ")]


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("piece", ["Seat 1: ", "[", *ALIKE])
def test_a_very_long_line_is_a_line_or_a_reject_and_takes_no_time(name: str, piece: str) -> None:
    lines = samples(name)[0].read_text(encoding="utf-8").split("\n")
    for line_index in (1, 6, 12, len(lines) - 2):
        changed = [*lines[:line_index], piece * (60_000 // len(piece)), *lines[line_index:]]
        check(name, "\n".join(changed).encode())


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in READ if name != "pokernow"])
def test_a_source_in_chunks_gives_what_it_gives_whole(name: str) -> None:
    """PokerNow's rows run backwards: its own test says what a part of them gives."""
    checks.reads_in_chunks(formats.get(name), samples(name))
