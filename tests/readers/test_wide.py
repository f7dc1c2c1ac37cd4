"""What a reader of UTF-8 finds in a text in UTF-16 stands where it says."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from ledger import formats
from ledger.account import Account, Reject
from ledger.notation import Chunk, Item, read_utf16_too
from ledger.people import People
from ledger.source.utf16 import Utf16Text
from tests.formats.support import read, samples

TEXTS = st.text(st.characters(), max_size=1300)


@given(TEXTS, st.data())
def test_every_character_is_found_at_its_place(text: str, data: st.DataObject) -> None:
    wide = Utf16Text(text.encode("utf-16-le", "surrogatepass"), "utf-16-le")
    index = data.draw(st.integers(0, len(text)))
    narrow = len(text[:index].encode("utf-8", "surrogatepass"))
    assert wide.offset(narrow) == len(text[:index].encode("utf-16-le", "surrogatepass"))


@given(TEXTS)
def test_a_place_within_a_character_is_where_it_begins(text: str) -> None:
    wide = Utf16Text(text.encode("utf-16-le", "surrogatepass"), "utf-16-le")
    offsets = [wide.offset(index) for index in range(len(wide.data) + 1)]
    assert offsets == sorted(offsets)
    assert offsets[-1] == len(text.encode("utf-16-le", "surrogatepass"))


def words(chunk: Chunk, _people: People) -> Iterator[Item]:
    """A reader that takes each word for a hand, and `!` words for rejects."""
    offset = 0
    for word in chunk.data.split(b" "):
        if word.startswith(b"!"):
            yield Reject(chunk.start + offset, len(word), chunk.line, "no", "no")
        elif word:
            yield Account([], [0, 1, 0, 0, 1, len(word) - 1], chunk.start + offset, len(word))
        offset += len(word) + 1


@given(st.lists(st.text("ab\u00e9\u0416\U0001f0a1!", min_size=1, max_size=5), max_size=400), st.integers(0, 9))
def test_items_lie_where_their_words_do(parts: list[str], start: int) -> None:
    parts = [part for part in parts if part[0] in "ab!"]
    data = " ".join(parts).encode("utf-16-be")
    items = list(read_utf16_too(words)(Chunk(data, start=start, encoding="utf-16-be"), People(bytes(32))))
    assert [data[i.start - start :][: i.length].decode("utf-16-be") for i in items] == parts
    for item, word in zip(items, parts, strict=True):
        if isinstance(item, Account):
            order = [2, item.length - 2] if item.length > 2 else [0, 0]
            assert item.places == [0, 2, 0, 0, *order]
            assert item.length == len(word.encode("utf-16-be"))


def test_other_encodings_pass_as_they_are() -> None:
    chunk = Chunk(b"a b", start=7)
    assert list(read_utf16_too(words)(chunk, People(bytes(32)))) == list(words(chunk, People(bytes(32))))


def test_half_of_a_line_end_that_closes_a_file_is_nothing() -> None:
    form = formats.get("fulltilt")
    text = next(p for p in samples("fulltilt") if p.suffix == ".txt").read_text(encoding="utf-8").rstrip() + "\r\n\n"
    complete_items, broken = (read(form, text.encode("utf-16-be")[:stop], encoding="utf-16-be") for stop in (None, -1))
    assert broken == complete_items
    assert not any(isinstance(item, Reject) for item in complete_items)


def test_half_of_any_other_character_is_told() -> None:
    (item,) = read_utf16_too(lambda _chunk, _people: iter(()))(
        Chunk(b"a", line=3, encoding="utf-16-le"), People(bytes(32))
    )
    assert isinstance(item, Reject)
    assert (item.start, item.length, item.line, item.code) == (0, 1, 3, "damaged")
