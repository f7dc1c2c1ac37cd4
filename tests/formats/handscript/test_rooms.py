"""An `@` gives a player's name its room; no other word loses what stands behind one."""

from __future__ import annotations

import pytest

from ledger.account import Account, Reject, TableAccount
from ledger.formats.handscript import FORMAT
from ledger.notation import Chunk
from ledger.people import People
from tests.formats.handscript.tableside import WrittenLine, outcome, written_lines

HAND = "game holdem no-limit cash blinds 5/10 unit chips 0\nhand 1\nstacks 1:100 2:100\nbutton 1\nstop\n"
HEADERS = [
    ("venue V table T@7 seats 9", 'venue V table "T@7" seats 9'),
    ("venue V table Big T@7 seats 9", 'venue V table "Big T@7" seats 9'),
    ("venue X@Y table T", 'venue "X@Y" table T'),
    ('venue "Casa X"@Y table T', 'venue "Casa X@Y" table T'),
    ("tournament 88@2 table T", 'tournament "88@2" table T'),
    ("table @7", 'table "@7"'),
    ("table T (7)", 'table "T (7)"'),
    ("club C@D", 'club "C@D"'),
    ("witness live-table@x", ""),
    ("witness live-table board@x", ""),
    ("seats 9@x", ""),
    ("table@x 7", ""),
]


def read_item(line: str) -> Account | TableAccount | Reject:
    items = list(FORMAT.read(Chunk(f"handscript 1\n{line}\n{HAND}".encode()), People(b"p" * 32)))
    assert isinstance(items[0], Account | TableAccount | Reject)
    return items[0]


@pytest.mark.parametrize(("line", "write"), HEADERS)
def test_a_name_with_an_at_is_refused_rather_than_cut(line: str, write: str) -> None:
    reject = read_item(line)
    assert isinstance(reject, Reject)
    assert reject.problems[0].write == write
    if write:
        read = read_item(write)
        assert isinstance(read, Account)
        opened = read.opened
        assert any(
            sign in name for name in (opened.table, opened.venue, opened.tournament, opened.club) for sign in "@("
        )


@pytest.mark.slow
def test_no_word_but_a_players_name_loses_a_room() -> None:
    wrong = []
    for entry in [
        *written_lines(),
        WrittenLine("dealt", "deal is done", True, ""),
        WrittenLine("dealt", "end of hand", True, ""),
    ]:
        words = entry.line.split(" ")
        if not entry.read or '"' in entry.line:
            continue
        events = outcome(entry.place, entry.line).events
        for index, word in enumerate(words):
            changed = " ".join([*words[:index], f"{word}@x", *words[index + 1 :]])
            if outcome(entry.place, changed).events == events:
                wrong.append(changed)
    assert not wrong, wrong


def test_a_player_of_another_room_is_named_with_it() -> None:
    lines = ["seat 1 Ana 100", "seat 2 Ana@Lakeside 100", "button 1", "Ana@Lakeside posts small 5"]
    text = "handscript 1\nvenue V table T\ngame holdem no-limit cash blinds 5/10 unit chips 0\nhand 1\n"
    [account] = FORMAT.read(Chunk((text + "\n".join(lines) + "\nstop\n").encode()), People(b"p" * 32))
    assert isinstance(account, Account)
    assert getattr(account.events[-1], "seat", 0) == 2


def test_the_line_of_a_hand_keeps_the_name_of_its_table_in_the_answer() -> None:
    text = "handscript 1\nvenue V table T\ngame holdem no-limit cash blinds 5/10 unit chips 0\n"
    [reject] = FORMAT.read(Chunk(f"{text}hand 1 table T@7\nbutton 1\nstop\n".encode()), People(b"p" * 32))
    assert isinstance(reject, Reject)
    assert reject.problems[0].write == 'hand 1 table "T@7"'
