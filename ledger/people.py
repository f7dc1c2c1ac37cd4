"""Replace names and texts by opaque ids, so that no event contains a name.

Readers turn names and free text into references through `People`. New ones are kept until the store has put them into
its vault. Each ledger has its own secret, so the same name has another id in another ledger. The secret is derived from
a key outside the ledger.

An id is a commitment: a salted hash of venue and name. The salt is derived from the secret, so the holder of the key
can recompute an id. The vault keeps the salt next to the name, so anybody can check the id against the name. Erasing a
name erases its salt, and then nobody without the key can confirm a guess. Texts and the bytes of sources are committed
to in the same way.
"""

from __future__ import annotations

import re
from base64 import b32encode
from binascii import b2a_base64
from collections.abc import Iterable
from hashlib import blake2b, sha256
from secrets import token_bytes
from typing import Any, Final, TypeAlias

from ledger.errors import PeopleKeyError
from ledger.text.repeated_texts import RepeatedTexts
from ledger.vocabulary import PlayerId, TextRef

SALT_BYTES: Final = 16
"""Bytes of a salt."""
_URLSAFE: Final = bytes.maketrans(b"+/", b"-_")

HERO: Final = "Hero"
"""The name of a record's owner if the record names nobody. Rooms that hide names write it themselves."""

CHAIR_NAMES_NOTE: Final = (
    "A player called Seat 3 of a table is anyone who sat in that chair: the source names nobody, so it may have "
    "been several people."
)
"""The note next to names that `format_chair_name` builds."""
_CHAIR: Final = re.compile(r"Seat \d+ of .+")

UnstoredPeople: TypeAlias = tuple[
    dict[str, tuple[str, str]], dict[str, str], dict[str, bytes], dict[str, "Opening"], dict[str, bytes]
]
"""What isn't in the vault yet: names, texts, salts, openings, keys."""

Opening: TypeAlias = tuple[str, str, str]
"""Label, salt (64 hex digits) and the hidden card."""


def compute_commitment(label: str, salt: str, card: str) -> str:
    """Return the text that an event has in place of a hidden card."""
    committed_bytes = b"\0".join(
        (b"handledger/commit/v1", label.encode("utf-8", "surrogatepass"), bytes.fromhex(salt) + card.encode())
    )
    return "{" + sha256(committed_bytes).hexdigest() + "}"


def compute_source_id(salt: bytes, digest: bytes) -> bytes:
    """Return the ledger's id of a source. `digest` is the source's SHA-256."""
    return sha256(b"handledger/source/v1\0" + salt + digest).digest()


def format_chair_name(number: int, table_name: str) -> str:
    """Return the name of the player in a chair, for a table whose record names nobody."""
    return f"Seat {number} of {table_name}"


def has_chair_name(names: Iterable[str]) -> bool:
    """Return whether any of these names is a chair's."""
    return any(_CHAIR.fullmatch(name) for name in names)


class People:
    """Names and texts of one ledger, for readers and writers."""

    def __init__(self, secret: bytes | None, *, salted: bool = True, read_before: RepeatedTexts | None = None) -> None:
        """Take the ledger's secret, 32 bytes, or None without its key.

        `salted` is False for ledgers whose key is inside: their ids are hashes under the secret itself. `read_before`
        is what readers keep for the next chunk.
        """
        self._secret = secret
        self.salted = salted
        self._ids: dict[tuple[str, str], PlayerId] = {}
        self._refs: dict[str, TextRef] = {}
        self.names: dict[PlayerId, tuple[str, str]] = {}  # id → venue, name
        self.texts: dict[TextRef, str] = {}
        self.fresh_names: dict[PlayerId, tuple[str, str]] = {}  # not yet in the vault
        self.fresh_texts: dict[TextRef, str] = {}
        self.fresh_salts: dict[str, bytes] = {}  # of fresh names and texts, if they have one
        self.openings: dict[str, Opening] = {}  # by commitment
        self.fresh_openings: dict[str, Opening] = {}
        self.read_before = read_before or RepeatedTexts()
        self.keys: dict[PlayerId, bytes] = {}  # behind the salts of hidden cards; random and erasable
        self.fresh_keys: dict[PlayerId, bytes] = {}

    def player(self, venue: str, name: str) -> PlayerId:
        """Return the id of the player called `name` at `venue`."""
        player_id = self._ids.get((venue, name))
        if player_id is None:
            player_id, salt = self._make_id(b"player", venue + "\0" + name)
            self._ids[venue, name] = player_id
            if salt:
                self.fresh_salts[player_id] = salt
            self.names[player_id] = self.fresh_names[player_id] = (venue, name)
        return player_id

    @property
    def fresh(self) -> bool:
        """Whether anything must be put into the vault."""
        return bool(self.fresh_names or self.fresh_texts or self.fresh_openings or self.fresh_keys)

    def mark(self) -> tuple[int, int]:
        """Return how many names and texts are new. `unlearn` goes back to this mark."""
        return len(self.fresh_names), len(self.fresh_texts)

    def unlearn(self, mark: tuple[int, int]) -> None:
        """Forget the names and texts that were added after a mark, as their line is read again in another way."""
        while len(self.fresh_names) > mark[0]:
            player, venue_and_name = self.fresh_names.popitem()
            self._ids.pop(venue_and_name, None)
            self.names.pop(player, None)
            self.fresh_salts.pop(player, None)
        while len(self.fresh_texts) > mark[1]:
            ref, text = self.fresh_texts.popitem()
            self._refs.pop(text, None)
            self.texts.pop(ref, None)
            self.fresh_salts.pop(ref, None)

    def text(self, words: str) -> TextRef:
        """Return the reference of a free text; the empty text has the empty reference.

        Without the key, each reference is random: a text that is typed now needn't be recognised later.
        """
        if not words:
            return ""
        reference = self._refs.get(words)
        if reference is None:
            digest, salt = self._make_id(b"text", words)
            reference = self._refs[words] = "t" + digest
            if salt:
                self.fresh_salts[reference] = salt
            self.texts[reference] = self.fresh_texts[reference] = words
        return reference

    def reference(self, words: str) -> TextRef:
        """Return the reference that a free text has or would have. Store nothing."""
        return "t" + self._make_id(b"text", words)[0]

    def source(self, source_name: str) -> str:
        """Return the id of a source's name. Nobody without the secret can learn the name from it."""
        return "s" + self._make_id(b"source", source_name)[0] if source_name else ""

    def source_id(self, digest: bytes) -> tuple[bytes, bytes]:
        """Return this ledger's id of a source with this SHA-256, and its salt; b"" = no salt.

        The SHA-256 itself would let somebody who has the remaining file try names or hidden cards in it.
        """
        if not self.salted:
            return digest, b""
        salt = self._derive_salt(b"bytes", digest)
        return compute_source_id(salt, digest), salt

    def hide(self, label: str, card: str, player: PlayerId) -> str:
        """Return the commitment to a card, `{64 hex digits}`. Its opening goes into the vault.

        `label` identifies the card and its hand, `player` is its owner. The salt is derived from a key that this ledger
        keeps for the player, so reading the same hand again gives the same events. Once key and openings are erased,
        nobody can find the card by trying all of them.
        """
        salt = blake2b(
            f"{label}\0{card}".encode("utf-8", "surrogatepass"), key=self.key(player), person=b"salt", digest_size=32
        )
        card_commitment = compute_commitment(label, salt.hexdigest(), card)
        self.openings[card_commitment] = self.fresh_openings[card_commitment] = (label, salt.hexdigest(), card)
        return card_commitment

    def key(self, player: PlayerId) -> bytes:
        """Return the key behind the salts of a player's hidden cards. Create it if there is none."""
        player_key = self.keys.get(player)
        if player_key is None:
            player_key = self.keys[player] = self.fresh_keys[player] = token_bytes(32)
        return player_key

    def opening(self, card_commitment: str) -> Opening | None:
        """Return label, salt and card behind a commitment, or None if it is unknown or erased."""
        return self.openings.get(card_commitment)

    def _make_id(self, kind: bytes, value: str) -> tuple[str, bytes]:
        """Return the id of a value, and its salt; b"" if the id is hashed under the secret itself."""
        raw = value.encode("utf-8", "surrogatepass")
        if kind == b"text" and self._known_secret() is None:
            salt = token_bytes(SALT_BYTES)
        elif self.salted:
            salt = self._derive_salt(kind, raw)
        else:
            salt = b""
        digest = blake2b(raw, key=salt or self.secret, person=kind, digest_size=12)
        return b2a_base64(digest.digest(), newline=False).translate(_URLSAFE).decode("ascii"), salt

    def _derive_salt(self, kind: bytes, raw: bytes) -> bytes:
        return blake2b(raw, key=self.secret, person=b"salt " + kind, digest_size=SALT_BYTES).digest()

    def name(self, player: PlayerId) -> str | None:
        """Return the name behind an id, raw and hostile, or None if it is unknown or erased."""
        venue_and_name = self.names.get(player)
        return venue_and_name[1] if venue_and_name else None

    def words(self, ref: TextRef) -> str | None:
        """Return the text behind a reference, raw and hostile, or None if it is unknown or erased."""
        return "" if ref == "" else self.texts.get(ref)

    def pseudonym(self, player: PlayerId) -> str:
        """Return a pseudonym of a player. Only the holder of this ledger's key can compute it again."""
        digest = blake2b(player.encode(), key=self.secret, person=b"pseudonym", digest_size=5)
        return "player-" + b32encode(digest.digest()).decode("ascii").lower()

    def secret_for(self, purpose: str) -> bytes:
        """Derive another secret from this one. Ids under it can't be traced back to this ledger's ids."""
        return blake2b(purpose.encode(), key=self.secret, person=b"secret", digest_size=32).digest()

    @property
    def secret(self) -> bytes:
        """The ledger's secret, only for processes that read for this ledger.

        Raises `PeopleKeyError` without the key from which it is derived.
        """
        known_secret = self._known_secret()
        if known_secret is None:
            raise self._build_key_error()
        return known_secret

    def require_secret(self) -> None:
        """Raise `PeopleKeyError` without the key, before any work that needs it begins."""
        _ = self.secret

    def _known_secret(self) -> bytes | None:
        return self._secret

    def _build_key_error(self) -> PeopleKeyError:
        return PeopleKeyError("the key of this ledger's ids is not at hand")

    def learn(self, names: dict[PlayerId, tuple[str, str]], texts: dict[TextRef, str]) -> None:
        """Add what another process read under the same secret. Known names and texts aren't fresh again."""
        for player, name in names.items():
            if player not in self.names:
                self.names[player] = self.fresh_names[player] = name
                if self.salted:
                    raw = "\0".join(name).encode("utf-8", "surrogatepass")
                    self.fresh_salts[player] = self._derive_salt(b"player", raw)
            self._ids.setdefault(name, player)
        for ref, words in texts.items():
            if ref not in self.texts:
                self.texts[ref] = self.fresh_texts[ref] = words
                if self.salted:
                    raw = words.encode("utf-8", "surrogatepass")
                    self.fresh_salts[ref] = self._derive_salt(b"text", raw)
            self._refs.setdefault(words, ref)

    def mark_stored(self, stored_people: UnstoredPeople | None = None) -> None:
        """Forget fresh names and texts once the vault has them. `stored_people` limits this to those that were stored."""
        fresh_fields: tuple[dict[str, Any], ...] = self._list_fresh()
        stored_fields: tuple[dict[str, Any], ...] = stored_people or fresh_fields
        for fresh, stored in zip(fresh_fields, stored_fields, strict=True):
            for stored_key in list(stored):
                fresh.pop(stored_key, None)

    def _list_fresh(self) -> UnstoredPeople:
        return self.fresh_names, self.fresh_texts, self.fresh_salts, self.fresh_openings, self.fresh_keys


class StagedPeople(People):
    """Names and texts that are kept apart from those of a ledger until `join` adds them.

    A line may be rejected after it was read. Then its names are dropped, and the ledger keeps what other tables added
    meanwhile.
    """

    def __init__(self, people: People) -> None:
        """Take the ledger's people."""
        super().__init__(None, salted=people.salted)
        self._people = people

    def _known_secret(self) -> bytes | None:
        return self._people._known_secret()  # noqa: SLF001 - the same people

    def _build_key_error(self) -> PeopleKeyError:
        return self._people._build_key_error()  # noqa: SLF001 - the same people

    def name(self, player: PlayerId) -> str | None:
        """Return the name behind an id, raw and hostile, or None if it is unknown or erased."""
        if player not in self.fresh_names:
            ledger_name = self._people.name(player)
            if ledger_name is None:
                return None
            self.names[player] = self._people.names.get(player, ("", ledger_name))
        return self.names[player][1]

    def words(self, ref: TextRef) -> str | None:
        """Return the text behind a reference, raw and hostile, or None if it is unknown or erased."""
        return self.fresh_texts[ref] if ref in self.fresh_texts else self._people.words(ref)

    def join(self) -> None:
        """Add the names and texts to the ledger's people; they are stored with the next events."""
        ledger_people = self._people
        for player, name in self.fresh_names.items():
            if ledger_people.name(player) is None:
                ledger_people.names[player] = ledger_people.fresh_names[player] = name
                ledger_people._ids.setdefault(name, player)  # noqa: SLF001 - the same people
                self._copy_salt(player)
        for ref, words in self.fresh_texts.items():
            if ledger_people.words(ref) is None:
                ledger_people.texts[ref] = ledger_people.fresh_texts[ref] = words
                ledger_people._refs.setdefault(words, ref)  # noqa: SLF001 - the same people
                self._copy_salt(ref)
        self.mark_stored()

    def _copy_salt(self, reference: str) -> None:
        if reference in self.fresh_salts:
            self._people.fresh_salts[reference] = self.fresh_salts[reference]
