"""Several facts on a line, and what several seats do alike, are read as the lines that they stand for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.account import Account, Reject
from ledger.formats.handscript import FORMAT, read_with_comments
from ledger.formats.handscript.lines import PARTS_MOST
from ledger.notation import Chunk
from ledger.people import People

HEADER = "handscript 1\nvenue V table T\nwitness everything\ngame holdem no-limit cash blinds 1/2\n"
LINES = """\
hand 1
seat 1 Ann 100
seat 2 "Zoë; the first" 100
seat 3 Cy 100
seat 4 Dee 100
button 1
2 posts small 1
3 posts big 2
deal done
4 folds
1 folds
2 folds
3 uncalled 1
3 wins 2 from main
end
""".splitlines()


def read(text: str, encoding: str = "utf-8") -> list[Account | Reject]:
    chunk = Chunk(text.encode(encoding), encoding=encoding)
    return [item.told if hasattr(item, "told") else item for item in FORMAT.read(chunk, People(b"p" * 32))]


def read_hand(text: str, encoding: str = "utf-8") -> Account:
    (account,) = read(text, encoding)
    assert isinstance(account, Account), account
    return account


PLAIN_HAND = read_hand(HEADER + "\n".join(LINES) + "\n")


@given(ends=st.lists(st.sampled_from(["\n", "; ", " ;\t", "\r\n"]), min_size=len(LINES), max_size=len(LINES)))
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16-le"])
def test_facts_parted_by_semicolons_are_the_same_facts_each_in_its_own_place(encoding, ends):
    ends[-1] = "\n"
    text = HEADER + "".join(line + end for line, end in zip(LINES, ends, strict=True))
    account = read_hand(text, encoding)
    assert account.events == PLAIN_HAND.events
    data = text.encode(encoding)
    places = [account.places[index : index + 2] for index in range(0, len(account.places), 2)]
    words_at_places = [
        data[account.start + index : account.start + index + length].decode(encoding).strip()
        for index, length in places
    ]
    assert [line for line in words_at_places if line] == LINES


@pytest.mark.parametrize("line", ["4 1 2 fold", "4, 1, 2 fold", "4, 1 and 2 fold", "4 1 and 2 fold;"])
def test_what_several_seats_do_alike_stands_on_one_line(line):
    text = HEADER + "\n".join([*LINES[:9], line, *LINES[12:]])
    assert read_hand(text).events == PLAIN_HAND.events


def test_a_moment_and_a_comment_hold_for_all_that_a_line_of_several_seats_tells():
    lines = [LINES[0] + " 2026-11-20T22:41:00Z", *LINES[1:9], "4 1 2 fold at 22:41:30 derived # quick", *LINES[12:]]
    (item,) = read_with_comments(HEADER + "\n".join(lines), People(b"p" * 32))
    assert isinstance(item.told, Account)
    folds = [index for index, event in enumerate(item.told.events) if type(event).__name__ == "Folded"]
    assert len(folds) == 3
    assert item.comments == dict.fromkeys(folds, "quick")
    assert set(item.told.inferred) == set(folds)
    assert len({item.told.times[index] for index in folds}) == 1


def test_a_comment_belongs_to_the_last_fact_of_its_line():
    text = HEADER + "\n".join([*LINES[:9], "4 folds; 1 folds; 2 folds;  # B1; and B2", *LINES[12:]])
    (item,) = read_with_comments(text, People(b"p" * 32))
    assert isinstance(item.told, Account)
    assert [(item.told.events[index].seat, comment) for index, comment in item.comments.items()] == [(2, "B1; and B2")]


@pytest.mark.parametrize(
    "line",
    [
        'remark "he said; 3 folds"',
        "remark he said; 3 folds",
        "note 4 folds; 1 folds",
        "deal done # 4 folds; 1 folds",
        "remark “he said; 3 folds”",
    ],
)
def test_a_semicolon_within_a_text_parts_nothing(line):
    account = read_hand(HEADER + "\n".join([*LINES[:9], line, *LINES[9:]]))
    assert len(account.events) == len(PLAIN_HAND.events) + 1
    assert sum(type(event).__name__ == "Folded" for event in account.events) == 3


@pytest.mark.parametrize("line", ["1 5 folds", "4 1 2 raise", "4 fold 1", "and 4 fold", "4 x 2 fold", "4 1 fold 2"])
def test_what_may_mean_two_things_is_refused(line):
    (reject,) = read(HEADER + "\n".join([*LINES[:9], line, *LINES[12:]]))
    assert isinstance(reject, Reject)
    assert reject.problems[0].line == 14


def test_a_part_that_cannot_be_read_is_told_in_its_own_column():
    (reject,) = read(HEADER + "\n".join([*LINES[:9], "4 folds; 1 flods; 2 folds", *LINES[12:]]))
    assert isinstance(reject, Reject)
    (problem,) = reject.problems
    assert (problem.line, problem.reason.split(":")[0]) == (14, "column 12")
    assert problem.write == "1 folds"


def test_a_line_of_more_facts_than_anybody_writes_is_refused():
    (reject,) = read(HEADER + "\n".join([*LINES[:9], "; ".join(["4 checks"] * (PARTS_MOST + 1))]))
    assert isinstance(reject, Reject)
