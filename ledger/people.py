"""Who is who, without a name in any event.

Readers turn names and free text into opaque references through `People`; what they turned is kept
in `fresh` until the store has put it into its vault. The secret is the ledger's own, so the same
name at the same venue has the same id in one ledger and another in the next.
"""

from __future__ import annotations

from base64 import b32encode, urlsafe_b64encode
from hashlib import blake2b, sha256
from secrets import token_bytes
from typing import TypeAlias

from ledger.vocabulary import PlayerId, TextRef

Opening: TypeAlias = tuple[str, str, str]
"""Label, salt (64 hex digits) and the card that was committed to."""


def commitment(label: str, salt: str, card: str) -> str:
    """Return what stands in an event for a hidden card."""
    said = b"\0".join((b"handledger/commit/v1", label.encode("utf-8", "surrogatepass"),
                       bytes.fromhex(salt) + card.encode()))  # fmt: skip
    return "{" + sha256(said).hexdigest() + "}"


class People:
    """Names and texts of one ledger, as readers and writers see them."""

    def __init__(self, secret: bytes) -> None:
        """Take the ledger's secret, 32 bytes."""
        self._secret = secret
        self._ids: dict[tuple[str, str], PlayerId] = {}
        self._refs: dict[str, TextRef] = {}
        self.names: dict[PlayerId, tuple[str, str]] = {}  # id → venue, name: all known so far
        self.texts: dict[TextRef, str] = {}
        self.fresh_names: dict[PlayerId, tuple[str, str]] = {}  # not yet in the vault
        self.fresh_texts: dict[TextRef, str] = {}
        self.openings: dict[str, Opening] = {}  # commitment → how it is opened
        self.fresh_openings: dict[str, Opening] = {}
        self.keys: dict[PlayerId, bytes] = {}  # of hidden cards, each random and erasable
        self.fresh_keys: dict[PlayerId, bytes] = {}

    def player(self, venue: str, name: str) -> PlayerId:
        """Return the id of the player called `name` at `venue`."""
        found = self._ids.get((venue, name))
        if found is None:
            found = self._ids[venue, name] = self._keyed(b"player", venue + "\0" + name)
            self.names[found] = self.fresh_names[found] = (venue, name)
        return found

    @property
    def fresh(self) -> bool:
        """Whether anything is to be put into the vault."""
        return bool(self.fresh_names or self.fresh_texts or self.fresh_openings or self.fresh_keys)

    def mark(self) -> tuple[int, int]:
        """Return how many names and texts are new: what `unlearn` goes back to."""
        return len(self.fresh_names), len(self.fresh_texts)

    def unlearn(self, mark: tuple[int, int]) -> None:
        """Forget the names and texts that came after a mark: their line was read otherwise."""
        while len(self.fresh_names) > mark[0]:
            player, known = self.fresh_names.popitem()
            self._ids.pop(known, None)
            self.names.pop(player, None)
        while len(self.fresh_texts) > mark[1]:
            ref, words = self.fresh_texts.popitem()
            self._refs.pop(words, None)
            self.texts.pop(ref, None)

    def text(self, words: str) -> TextRef:
        """Return the reference of a free text; the empty text is the empty reference."""
        if not words:
            return ""
        found = self._refs.get(words)
        if found is None:
            found = self._refs[words] = self.reference(words)
            self.texts[found] = self.fresh_texts[found] = words
        return found

    def reference(self, words: str) -> TextRef:
        """Return the reference that a free text has or would have. Nothing is kept."""
        return "t" + self._keyed(b"text", words)

    def source(self, called: str) -> str:
        """Return what a source is known again by: nobody without the secret learns where it lay."""
        return "s" + self._keyed(b"source", called) if called else ""

    def hide(self, label: str, card: str, player: PlayerId) -> str:
        """Return the commitment to a card, `{64 hex digits}`; its opening goes into the vault.

        `label` says which card of which hand it is, `player` whose. The salt follows from a key that
        this ledger keeps for the player, so that telling the same hand again gives the same events;
        once key and openings are erased, nobody can find the card again by trying all of them.
        """
        salt = blake2b(f"{label}\0{card}".encode("utf-8", "surrogatepass"), key=self.key(player),
                       person=b"salt", digest_size=32)  # fmt: skip
        made = commitment(label, salt.hexdigest(), card)
        self.openings[made] = self.fresh_openings[made] = (label, salt.hexdigest(), card)
        return made

    def key(self, player: PlayerId) -> bytes:
        """Return the key behind the salts of a player's hidden cards, made now if there is none."""
        found = self.keys.get(player)
        if found is None:
            found = self.keys[player] = self.fresh_keys[player] = token_bytes(32)
        return found

    def opening(self, made: str) -> Opening | None:
        """Return label, salt and card behind a commitment; None if unknown or erased."""
        return self.openings.get(made)

    def _keyed(self, kind: bytes, value: str) -> str:
        digest = blake2b(value.encode("utf-8", "surrogatepass"), key=self._secret, person=kind,
                         digest_size=12)  # fmt: skip
        return urlsafe_b64encode(digest.digest()).decode("ascii")

    def name(self, player: PlayerId) -> str | None:
        """Return the name behind an id, raw and hostile; None if unknown or erased."""
        found = self.names.get(player)
        return found[1] if found else None

    def words(self, ref: TextRef) -> str | None:
        """Return the text behind a reference, raw and hostile; None if unknown or erased."""
        return "" if ref == "" else self.texts.get(ref)

    def pseudonym(self, player: PlayerId) -> str:
        """Return a name that stands for a player and that only this ledger can give again."""
        digest = blake2b(player.encode(), key=self._secret, person=b"pseudonym", digest_size=5)
        return "player-" + b32encode(digest.digest()).decode("ascii").lower()

    def secret_for(self, purpose: str) -> bytes:
        """Return another secret, which follows from this one: ids made with it lead nobody back."""
        return blake2b(
            purpose.encode(), key=self._secret, person=b"secret", digest_size=32
        ).digest()

    @property
    def secret(self) -> bytes:
        """The ledger's secret: for processes that read for this ledger, and for nobody else."""
        return self._secret

    def learn(self, names: dict[PlayerId, tuple[str, str]], texts: dict[TextRef, str]) -> None:
        """Take what another process made under the same secret; what is known already is no news."""
        for player, name in names.items():
            if player not in self.names:
                self.names[player] = self.fresh_names[player] = name
            self._ids.setdefault(name, player)
        for ref, words in texts.items():
            if ref not in self.texts:
                self.texts[ref] = self.fresh_texts[ref] = words
            self._refs.setdefault(words, ref)

    def stored(self) -> None:
        """Forget what is fresh: the vault has it."""
        self.fresh_names = {}
        self.fresh_texts = {}
        self.fresh_openings = {}
        self.fresh_keys = {}
