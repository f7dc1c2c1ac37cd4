"""Files in which hands of several rooms stand together: each is read by its own room's reader, at its own bytes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import formats
from ledger.account import Account, Reject
from ledger.intake import chunk_preparation, import_paths
from ledger.intake import chunks as chunking
from ledger.intake.chunk_preparation import ChunkOrigin, ChunkPart, PreparedHand, prepare_chunk
from ledger.notation import Chunk
from ledger.store import open as open_ledger
from tests.formats.support import new_people, read, samples


def _readable_samples(name: str) -> list[bytes]:
    """Return the samples of a format in which everything is read."""
    texts = [path.read_bytes() for path in samples(name) if path.suffix == ".txt" and path.stem != "damaged"]
    read_texts = [(text, read(formats.get(name), text, encoding="utf-8")) for text in texts]
    return [text for text, items in read_texts if not any(isinstance(item, Reject) for item in items)]


ROOMS = {
    name: _readable_samples(name)
    for name in ("pokerstars", "winamax", "partypoker", "888poker", "fulltilt", "bovada", "wpn", "everleaf", "cake")
}

LEAD = re.compile(r"\0?Game #[0-9]+ starts|#Game No|\*{5,} # [0-9]+ \*|<Game Information>|BEGIN|$")
"""How lines begin that stand before a hand's first line."""


def _stored_hands(parts: list[ChunkPart], data: bytes, encoding: str = "utf-8") -> list[bytes]:
    """Return what is stored of each hand, which tells its number at its own bytes."""
    hands = [prepared for prepared in parts if isinstance(prepared, PreparedHand)]
    for prepared in hands:
        assert prepared.opened.number in data[prepared.start : prepared.start + prepared.length].decode(encoding)
    return [prepared.draft.data for prepared in hands]


def _read(name: str, data: bytes, encoding: str = "utf-8") -> list[ChunkPart]:
    return prepare_chunk(formats.get(name), Chunk(data, encoding=encoding), new_people(), ChunkOrigin("", 0))


@given(data=st.data())
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_each_hand_is_read_by_its_rooms_reader(encoding: str, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(sorted(ROOMS)), min_size=2, max_size=4))
    texts = [data.draw(st.sampled_from(ROOMS[name])).strip() + b"\n\n\n" for name in names]
    texts = [text.decode().encode(encoding) for text in texts]
    alone = [
        part
        for name, text in zip(names, texts, strict=True)
        for part in _stored_hands(_read(name, text, encoding), text, encoding)
    ]
    source = b"".join(texts)
    parts = _read(names[0], source, encoding)
    assert _stored_hands(parts, source, encoding) == alone
    for part in parts:  # what leads to a hand of the room around may be left over behind another's, nothing else
        if isinstance(part, Reject):
            lines = source[part.start :][: part.length].decode(encoding).splitlines()
            assert all(map(LEAD.match, lines)), lines


def test_a_hand_that_no_reader_reads_stays_rejected_among_others() -> None:
    stars, winamax = ROOMS["pokerstars"][0], ROOMS["winamax"][0]
    strange = b"BlitzPoker Hand #12: Hold'em No Limit\nSeat 1: Ann\n\n\n"
    text = stars + b"\n\n" + strange + winamax + b"\n\n" + strange
    parts = _read("pokerstars", text)
    assert [type(part) for part in parts if isinstance(part, Reject)] == [Reject, Reject]
    assert [text[part.start :][: part.length] for part in parts if isinstance(part, Reject)] == [strange.strip()] * 2
    assert len(_stored_hands(parts, text)) == len(_stored_hands(_read("pokerstars", stars), stars)) + len(
        _stored_hands(_read("winamax", winamax), winamax)
    )
    lines = [part.line for part in parts if isinstance(part, Reject)]
    assert [text.split(b"\n")[line - 1] for line in lines] == [strange.split(b"\n")[0]] * 2


def test_an_import_names_the_tables_of_both_rooms_and_loses_no_byte(tmp_path: Path) -> None:
    stars, winamax = ROOMS["pokerstars"][0], ROOMS["winamax"][0]
    path = tmp_path / "all.txt"
    path.write_bytes(stars + b"\n\n" + winamax + b"\n\n" + stars.replace(b"Hand #9", b"Hand #8"))
    with open_ledger(tmp_path / "hands.ledger") as ledger:
        [file] = import_paths(ledger, [path]).files
        assert (file.rejected, file.not_read) == (0, 0)
        assert file.read + file.blank == file.length
        assert {row.venue for row in ledger.hands()} == {"PokerStars", "Winamax"}
        for row in ledger.hands():
            assert ledger.sources.slice(row.source, row.start, row.length).strip() in path.read_bytes()
        assert ledger.verify() == []
        assert {file_summary.outcome for file_summary in import_paths(ledger, [path]).files} == {"known"}


def test_very_many_hands_of_another_room_are_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    stars, winamax = (ROOMS[name][0].strip() + b"\n\n\n" for name in ("pokerstars", "winamax"))
    monkeypatch.setattr(chunking, "CHUNK_BYTES", 2 * len(winamax))
    monkeypatch.setattr(chunking, "MAX_HAND_BYTES", 5 * len(winamax))
    source = stars + 40 * winamax + stars
    bytes_left = bytearray(source)

    def take(size: int) -> bytes:
        part = bytes(bytes_left[:size])
        del bytes_left[:size]
        return part

    form = formats.get("pokerstars")
    pieces = list(chunking.split_chunks(take, form, "utf-8", "a.txt"))
    assert not any(isinstance(piece, Reject) for piece in pieces)
    hands = [
        prepared
        for piece in pieces
        if isinstance(piece, Chunk)
        for prepared in prepare_chunk(form, piece, new_people(), ChunkOrigin("", 0))
        if isinstance(prepared, PreparedHand)
    ]
    once = sum(isinstance(prepared, Account) for prepared in read(formats.get("winamax"), winamax))
    assert sum(prepared.opened.venue == "Winamax" for prepared in hands) == 40 * once
    assert (
        b"".join(source[prepared.start :][: prepared.length].strip() for prepared in hands).count(b"Winamax Poker - ")
        == 40 * once
    )


def test_a_fault_in_the_other_rooms_reader_costs_only_its_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    stars, winamax = (ROOMS[name][0].strip() + b"\n\n\n" for name in ("pokerstars", "winamax"))

    def read_or_fail(form: object, chunk: Chunk, *rest: object) -> list[ChunkPart]:
        if form is formats.get("winamax"):
            return [Reject(chunk.start, len(chunk.data), chunk.line, "fault", "it failed")]
        return read_own(form, chunk, *rest)  # type: ignore[arg-type]  # as it was called

    read_own = chunk_preparation._read_own
    monkeypatch.setattr(chunk_preparation, "_read_own", read_or_fail)
    source = stars + winamax + stars
    parts = _read("pokerstars", source)
    assert {part.code for part in parts if isinstance(part, Reject)} == {"other-room"}
    assert len(_stored_hands(parts, source)) == 2 * len(_stored_hands(_read("pokerstars", stars), stars))
