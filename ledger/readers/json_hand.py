"""Base classes of hands in JSON records, whose values have places and whose moments are numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import msgspec

from ledger.decoders import build_json_decoder
from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting, GameSet
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.document_hand import DocumentHand
from ledger.readers.hand import Places
from ledger.readers.spans import Spans, find_elements, find_members
from ledger.vocabulary import Chips

Element: TypeAlias = tuple[int, Any]
"""An element of a list with its place; it may have any type."""

_MAX_WORDS_LENGTH: Final = 500
_MAX_ENCODED_LENGTH: Final = 2000
TIME_END: Final = 1 << 47
"""Moments in milliseconds are below this."""

_decoder: Final = build_json_decoder(dict[str, object], float_hook=str)


LIMITS: Final[dict[str, Betting]] = {
    "nolimit": "no-limit",
    "nl": "no-limit",
    "potlimit": "pot-limit",
    "pl": "pot-limit",
    "fixedlimit": "limit",
    "fixlimit": "limit",
    "limit": "limit",
    "fl": "limit",
    "spreadlimit": "spread",
}
"""A limit's name in letters and digits → the betting."""


def keep_letters_and_digits(word: object) -> str:
    """Return the letters and digits of a word in lower case, or "" if the value isn't text.

    >>> keep_letters_and_digits("Fixed_Limit")
    'fixedlimit'
    """
    return "".join(filter(str.isalnum, word.lower())) if isinstance(word, str) else ""


def parse_count_below(value: object, end: int, *, text: bool = False) -> int:
    """Return a whole number above 0 and below `end`, or 0 for any other value. `text`: accept the number as text too."""
    if text and isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(end)):
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < end else 0


def list_objects(value: object, name: str) -> list[dict[str, object]]:
    """Return the objects in the list `name`, or [] if that member isn't a list."""
    elements_found = value.get(name) if isinstance(value, dict) else None
    return (
        [element for element in elements_found if isinstance(element, dict)] if isinstance(elements_found, list) else []
    )


def split_names(*lines: str) -> frozenset[str]:
    """Return the names in these lines, which blanks separate."""
    return frozenset(name for line in lines for name in line.split())


class JsonHand(DocumentHand):
    """A hand read from JSON. Its places are values in the bytes `data`."""

    __slots__ = ("data",)

    def __init__(self, data: bytes, places: Places, people: People, venue: str, game: GameSet, place: int) -> None:
        """Begin a hand whose first part is at `place`."""
        self.data = data
        super().__init__(places, people, venue, game, place)

    def add_unread_value(self, value: object, name: str = "") -> None:
        """Keep a value that the reader doesn't know, on one line."""
        self.add_unread(name + msgspec.json.encode(value).decode()[:_MAX_ENCODED_LENGTH])

    def add_unread_members(self, value: dict[str, object], known_names: frozenset[str]) -> None:
        """Keep the unknown members of an object, all at the current place."""
        for name in sorted(value.keys() - known_names):
            self.add_unread_value(value[name], f"{name}: ")

    def add_unread_place(self, name: str, place: int) -> None:
        """Keep the unknown value at a place, as written."""
        self.place = place
        start = self.places.starts[place]
        words = self.data[start : start + self.places.lengths[place]].decode("utf-8", "replace")
        joined_lines = "\n".join(filter(None, words.splitlines()))
        self.add_unread(f"{name[:100]}: {joined_lines[:_MAX_WORDS_LENGTH]}")

    def add_unread_names(self, names: Iterable[str], known_names: frozenset[str], place: int) -> None:
        """Keep the unknown members of the object at a place."""
        if not known_names.issuperset(names):
            for name in names:
                if name not in known_names:
                    self.add_unread_place(name, place)

    def parse_chips_or_none(self, value: object) -> Chips | None:
        """Return a number as an amount, or None if it is missing. Raise `UnreadableHandError` if it is negative."""
        if value is None or value == "":
            return None
        chips = amounts.read_number(value, self.exponent)
        if chips < 0:
            raise UnreadableHandError(f"the amount {str(value)[:40]} is below 0", kind="amount")
        return chips

    def parse_amount(self, value: object) -> Chips | None:
        """Return a member as an amount, or None if it is missing. Raise `UnreadableHandError` if it is negative."""
        return self.parse_chips_or_none(value)

    def stamp_events(self, first_index: int, moment: object) -> None:
        """Give the events from `first_index` on a moment (milliseconds since 1970), except those that have one."""
        if moment := parse_count_below(moment, TIME_END, text=True):
            for index in range(first_index, len(self.events)):
                self.times.setdefault(index, moment)


class JsonRecord:
    """A JSON object: its `value`, and the places of its members by name, with its own place under ""."""

    __slots__ = ("data", "member_places", "spans", "value")

    def __init__(self, data: bytes, place: tuple[int, int], value: dict[str, object] | None = None) -> None:
        """Decode the object at `place` unless `value` is given. Raise `UnreadableHandError` if it isn't an object."""
        start, length = place
        self.data = data
        self.spans = Spans()
        self.value = _decode_object(data[start : start + length]) if value is None else value
        self.member_places = {name: self.spans.add(*span) for name, span in find_members(data, start, length).items()}
        self.member_places[""] = self.spans.add(start, length)


def _decode_object(text: bytes) -> dict[str, object]:
    if b"\\u0000" in text or b"\0" in text:
        raise UnreadableHandError("the hand holds characters that are no text", kind="damaged")
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise UnreadableHandError(
            f"the record cannot be read: {error}", kind="damaged", hint="Was the file changed by hand?"
        ) from None


class RecordHand(JsonHand):
    """A hand read from a record: its `value`, and the places of its members by name."""

    __slots__ = ("member_places", "spans", "value")

    def __init__(self, record: JsonRecord, people: People, venue: str, game: GameSet) -> None:
        """Begin the hand of this record."""
        self.spans, self.member_places, self.value = record.spans, record.member_places, record.value
        super().__init__(record.data, record.spans, people, venue, game, record.member_places[""])

    def find_member_place(self, name: str) -> int:
        """Return the place of a member of the hand, or of the hand itself if the member is missing."""
        return self.member_places.get(name, self.member_places[""])

    def add_unknown_values(self, known_names: frozenset[str]) -> None:
        """Keep the unknown members of the hand, each at its own place and encoded again."""
        for name in sorted(self.value.keys() - known_names):
            self.place = self.member_places[name]
            self.add_unread_value(self.value[name], f"{name}: ")

    def add_unread_places(self, known_names: frozenset[str]) -> None:
        """Keep the unknown members of the hand, each at its own place and as written."""
        for name in self.value:
            if name not in known_names:
                self.add_unread_place(name, self.member_places[name])

    def find_member_spans(self, place: int) -> dict[str, tuple[int, int]]:
        """Return the span of each member of the object at a place."""
        return find_members(self.data, self.spans.starts[place], self.spans.lengths[place])

    def add_member_places(self, place: int) -> dict[str, int]:
        """Add a place for each member of the object at a place; return them by name."""
        return {name: self.spans.add(*span) for name, span in self.find_member_spans(place).items()}

    def add_unknown_members(
        self, prefix: str, value: dict[str, object], known_names: frozenset[str], place: int
    ) -> None:
        """Keep the unknown members of the object at a place, each at its own place."""
        if not known_names.issuperset(value):
            spans_by_name = self.find_member_spans(place)
            for name in value:
                if name not in known_names:
                    self.add_unread_place(f"{prefix}.{name}", self.spans.add(*spans_by_name[name]))

    def point_at(self, part: Element) -> None:
        """Use an element's place for the events that come next."""
        self.place = part[0]

    def keep_unknown(self, part: Element) -> None:
        """Keep an unreadable chair."""
        self.add_unread_place(self.CHAIR, part[0])

    def read_elements(self, name: str, moment: str, known_names: frozenset[str] | None = None) -> None:
        """Read the elements of a list in order, each with its moment. Keep unknown elements as unread.

        `known_names`: the names that their members may have; None = any.
        """
        for place, element in self.list_member_elements(name):
            self.place = place
            event_count = len(self.events)
            if not isinstance(element, dict) or not self.read_part(element, element):
                self.add_unread_place(name.removesuffix("s"), place)
            if isinstance(element, dict):
                if known_names is not None:
                    self.add_unread_names(element, known_names, place)
                self.stamp_events(event_count, element.get(moment))

    def read_or_keep(self, kind: str, parts: Iterable[Element]) -> None:
        """Read elements of the same kind. Keep unknown elements as unread."""
        for place, element in parts:
            self.place = place
            if not isinstance(element, dict) or not self.read_as(kind, element, element):
                self.add_unread_place(kind, place)

    def list_member_elements(self, name: str) -> list[Element]:
        """Return the elements of a list by the member's name, each with its place."""
        return self.list_elements(self.member_places.get(name, -1), self.value.get(name))

    def list_elements(self, place: int, value: object) -> list[Element]:
        """Return the elements of the list at a place, each with its own place."""
        if not isinstance(value, list) or place < 0:
            return []
        element_spans = find_elements(self.data, self.spans.starts[place], self.spans.lengths[place])
        return [(self.spans.add(*span), element) for span, element in zip(element_spans, value, strict=True)]
