"""What every text format has to stand: goldens, known lines, balance, cuts, chunks, any encoding."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ledger.account import Reject, TableAccount
from ledger.event import Event
from ledger.hand.fold import fold
from ledger.intake.byte_accounts import count_bytes as accounted
from ledger.notation import Chunk, Format
from tests.formats import hostile
from tests.formats.support import format_items, new_people, read, unbalanced, unread
from tests.laws import size


def is_golden(form: Format, path: Path, *, regen: bool) -> None:
    """A sample becomes the events that stand beside it."""
    people = new_people()
    document = format_items(read(form, path.read_bytes(), name=path.name, people=people), people)
    golden = path.with_suffix(".golden")
    if regen:
        golden.write_text(document, encoding="utf-8")
    assert golden.exists(), "pytest --regen writes what the reader tells of it: read that before you commit it"
    assert document == golden.read_text(encoding="utf-8")


def is_whole(form: Format, path: Path, strange: int = 0, uneven: Sequence[str] = ()) -> None:
    """Every line of a sample is known but so many, chips add up but in those hands, nothing is odd."""
    people, lines, wrong = new_people(), 0, []
    for account in read(form, path.read_bytes(), people=people, name=path.name):
        assert not isinstance(account, Reject), account
        if isinstance(account, TableAccount):
            continue
        lines += len(unread(account, people))
        if unbalanced(account):
            wrong.append(account.opened.number)
        assert not fold(account.events).oddities
    assert (lines, wrong) == (strange, list(uneven))


def reads_the_same_in_every_encoding(form: Format, path: Path, ends: Sequence[str]) -> None:
    """Encodings, line ends and a byte order mark change places and nothing else.

    What stands at a place is the same words in every encoding.
    """
    text, expected = path.read_text(encoding="utf-8"), events_as_stored(form, path)
    assert expected, "nothing of the sample is read: its golden says why"
    for end in ends:
        wide = () if end == "\r\r\n" else ("utf-16-le", "utf-16-be")  # what doubles them knows bytes
        for codec in ("utf-8", *wide):
            for mark in ("", "\ufeff"):
                changed_text = mark + text.replace("\n", end)
                events = events_in(form, changed_text, path.name, codec)
                assert [event for event, _ in events] == [event for event, _ in expected]
                for (_, words), (_, expected_words) in zip(events, expected, strict=True):
                    assert words in expected_words or expected_words in words, (end, codec, mark)


def events_in(form: Format, text: str, name: str, codec: str) -> list[tuple[Event, str]]:
    """Each event of a text with the words at its place, in one line."""
    raw = text.encode(codec)
    return [
        (event, " ".join(raw[item.start + place :][:length].decode(codec).lstrip("\ufeff").split()))
        for item in read(form, raw, name=name, encoding=codec)
        if not isinstance(item, Reject)
        for event, place, length in zip(item.events, item.places[::2], item.places[1::2], strict=True)
    ]


@cache
def events_as_stored(form: Format, path: Path) -> list[tuple[Event, str]]:
    """Each event of a sample as it is, with its words."""
    return events_in(form, path.read_text(encoding="utf-8"), path.name, "utf-8")


def is_copied(form: Format, path: Path, copy: str, drop: str = "") -> None:
    """A copy of a sample has its events, each at the same line, and no byte of it is left over.

    `drop` are the marks before its lines.
    """
    expected = events_as_stored(form, path)
    events = events_in(form, copy, path.name, "utf-8")
    assert [event for event, _ in events] == [event for event, _ in expected]
    for (_, words), (_, expected_words) in zip(events, expected, strict=True):
        assert len(words.replace(drop, "").split()) == len(expected_words.replace(drop, "").split()), words
    chunk = Chunk(copy.encode(), name=path.name)
    assert accounted(chunk, form.read(chunk, new_people())).not_read == 0


def loses_no_byte(form: Format, path: Path) -> None:
    """Whatever is cut out of a sample, all other bytes lie in a hand or a reject."""
    assert hostile.lost_when_cut(form, path.read_bytes(), step=size(61, 5)) == []


def reads_in_chunks(form: Format, samples: list[Path], size: int = 6000) -> None:
    """A source in chunks gives what it gives whole."""
    data = b"\n\n\n".join(path.read_bytes() for path in samples) * 5
    pieces = hostile.in_chunks(form, data, size)
    assert [(item.start, item.length) for item in pieces] == [(item.start, item.length) for item in read(form, data)]
