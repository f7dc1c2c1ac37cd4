"""Hide people from an older copy of a ledger who were erased after it was made.

A command that writes to such a copy erases them again (`erasure.erase_again`). A command that only reads
changes nothing and doesn't see them: names, texts, hidden cards and bytes of sources come without them.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final, NamedTuple

from ledger.people import Opening
from ledger.store.people.redaction import CONTEXT_BYTES, Needle, blacken, find_needles, redact_text
from ledger.vocabulary import PlayerId


class Veil(NamedTuple):
    """Hidden people: their names, the keys of their hidden cards, and their names as bytes."""

    names: dict[PlayerId, str]  # "" where this copy has no name for the id
    keys: tuple[bytes, ...] = ()
    bytes_: tuple[Needle, ...] = ()

    @classmethod
    def over_people(cls, names: dict[PlayerId, str], keys: list[bytes]) -> Veil:
        """Return the veil over these people."""
        name_needles = {needle for name in names.values() if name.strip() for needle in find_needles(name)}
        longest_first = sorted(name_needles, key=lambda needle: (-len(needle.data), needle.data))
        return cls(names, tuple(keys), tuple(longest_first))

    @property
    def reach(self) -> int:
        """Bytes around a piece of a source that are needed to find names in it."""
        return max((len(needle.data) for needle in self.bytes_), default=0) + 2 * CONTEXT_BYTES

    def hides(self, player: PlayerId) -> bool:
        """Return whether this person is hidden."""
        return player in self.names

    def words(self, words: str) -> str:
        """Return a text without the names."""
        for name in self.names.values():
            if name.strip() and name in words:
                words = redact_text(words, name)
        return words

    def block(self, bytes_before: bytes, block: bytes, bytes_after: bytes) -> bytes:
        """Return a piece of a source without the names; the other arguments are the bytes around it."""
        blackened, _ = blacken(bytes_before + block + bytes_after, list(self.bytes_))
        return blackened[len(bytes_before) : len(bytes_before) + len(block)]

    def owns(self, opening: Opening) -> bool:
        """Return whether a hidden card belongs to a hidden person: its salt follows from the holder's key."""
        label, salt, card = opening
        salted_bytes = f"{label}\0{card}".encode("utf-8", "surrogatepass")
        return any(
            blake2b(salted_bytes, key=card_key, person=b"salt", digest_size=32).hexdigest() == salt
            for card_key in self.keys
        )


NO_VEIL: Final = Veil({})
