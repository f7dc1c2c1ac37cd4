"""The vault of names and free texts: the only place that holds them, and erasable.

Events hold opaque ids, so proofs still hold after a name is gone. Names come from files and are
hostile: the vault keeps them as they came, with all their characters.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ledger.errors import IntegrityError, PeopleKeyError
from ledger.people import Opening, People, UnstoredPeople, compute_commitment
from ledger.store.database.database import Database, Link
from ledger.store.people.ids import Ids
from ledger.store.people.veil import NO_VEIL
from ledger.vocabulary import PlayerId, TextRef

_QUOTE_MARK: Final = "\ufdd0"
"""A noncharacter before a text stored as JSON, since no database takes it as it is."""

_KEY_PREFIX: Final = "key:"
"""The prefix of a player's key among the openings; commitments begin with `{`."""

_CACHE_SIZE: Final = 100_000
"""Names and texts cached at most."""


class Vault(People):
    """Names and texts of one ledger, read from its database on demand."""

    def __init__(self, database: Database, ids: Ids) -> None:
        super().__init__(None, salted=ids.is_salted)
        self.ids = ids
        self._database = database
        self.veil = NO_VEIL
        self.unwanted: dict[PlayerId, str] = {}
        """Names of erased people that came in again; the next store redacts them."""
        self._erased_count: int | None = None  # of people, as of the last `drop_erased`
        self._drops = 0  # how often what is cached was dropped

    def _known_secret(self) -> bytes | None:
        return self.ids.known_secret()

    def _build_key_error(self) -> PeopleKeyError:
        return self.ids.missing_key_error()

    def name(self, player: PlayerId) -> str | None:
        """Return the name behind an id, raw and hostile; None if unknown or erased."""
        venue_and_name = self.find_person(player)
        return venue_and_name[1] if venue_and_name else None

    def find_person(self, player: PlayerId) -> tuple[str, str] | None:
        """Return venue and name of a player; None if unknown or erased."""
        if self.veil.hides(player):
            return None
        venue_and_name = self.names.get(player)
        if venue_and_name is None:
            drops = self._drops
            with self._database.reading() as link:
                row = link.execute("SELECT venue, name FROM names WHERE id = ?", (player,)).fetchone()
            if row is not None:
                venue_and_name = self.names[player] = (_unquote_text(row[0]), _unquote_text(row[1]))
                if self._drops != drops:  # somebody was erased meanwhile, maybe this one
                    self.names.pop(player, None)
        return venue_and_name

    def words(self, ref: TextRef) -> str | None:
        """Return the text behind a reference, raw and hostile; None if unknown or erased."""
        if not ref:
            return ""
        plain_text = self.texts.get(ref)
        if plain_text is None:
            drops = self._drops
            with self._database.reading() as link:
                row = link.execute("SELECT words FROM texts WHERE ref = ?", (ref,)).fetchone()
            if row is not None:
                plain_text = self.texts[ref] = self.veil.words(_unquote_text(row[0]))
                if self._drops != drops:  # as above
                    self.texts.pop(ref, None)
        return plain_text

    def find_players(self, name: str, venue: str | None = None) -> list[PlayerId]:
        """Return the ids of all players of that name, at one venue or at any."""
        statement = "SELECT id FROM names WHERE name = ?"
        parameters = [_quote_text(name)]
        if venue is not None:
            statement += " AND venue = ?"
            parameters.append(_quote_text(venue))
        with self._database.reading() as link:
            players = [row[0] for row in link.execute(statement + " ORDER BY id", parameters).fetchall()]
        return [player for player in players if not self.veil.hides(player)]

    def find_names(self, venue: str, beginning: str) -> set[str]:
        """Return the names of all players at a venue that begin with a text."""
        statement = "SELECT name FROM names WHERE venue = ? AND substr(name, 1, ?) = ?"
        parameters = (_quote_text(venue), len(beginning), _quote_text(beginning))
        with self._database.reading() as link:
            return {_unquote_text(row[0]) for row in link.execute(statement, parameters).fetchall()}

    def is_forgotten(self, player: PlayerId) -> bool:
        """Return whether this person was erased from this ledger."""
        if self.veil.hides(player):
            return True
        with self._database.reading() as link:
            erased_row = link.execute("SELECT 1 FROM erased WHERE id = ?", (player,)).fetchone()
        return erased_row is not None

    def store_fresh(self, link: Link) -> UnstoredPeople:
        """Store new names and texts in the transaction of their events; return them, for `stored`.

        Skips erased people, and salts of texts that are stored already: such a text may be redacted.
        Sorted rows take the database half the time.
        """
        fresh = self._list_fresh()
        names, texts, salts = dict(fresh[0]), dict(fresh[1]), dict(fresh[2])
        openings, keys = dict(fresh[3]), dict(fresh[4])
        if names or salts:
            erased_people = {row[0] for row in link.execute("SELECT id FROM erased").fetchall()}
            for player in erased_people & names.keys():
                self.unwanted[player] = names[player][1]
            self._store_salts(link, salts, erased_people)
            link.executemany(
                "INSERT INTO names (id, venue, name) SELECT ?, ?, ? WHERE NOT EXISTS "
                "(SELECT 1 FROM erased WHERE id = ?) ON CONFLICT DO NOTHING"
                if erased_people
                else "INSERT INTO names (id, venue, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [
                    (player_id, _quote_text(venue), _quote_text(name), *((player_id,) if erased_people else ()))
                    for player_id, (venue, name) in sorted(names.items())
                ],
            )
        if texts:
            link.executemany(
                "INSERT INTO texts (ref, words) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [(text_ref, _quote_text(words)) for text_ref, words in sorted(texts.items())],
            )
        self._store_openings(link, openings, keys)
        return names, texts, salts, openings, keys

    def _store_salts(self, link: Link, salts: Mapping[str, bytes], erased_people: set[PlayerId]) -> None:
        rows = sorted((salted_id, salt) for salted_id, salt in salts.items() if salted_id not in erased_people)
        if not rows:
            return  # an older ledger has no salts and no table for them
        if erased_people:
            link.executemany(
                "INSERT INTO salts (id, salt) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM texts WHERE ref = ?) "
                "ON CONFLICT DO NOTHING",
                [(*row, row[0]) for row in rows],
            )
        else:
            link.executemany("INSERT INTO salts (id, salt) VALUES (?, ?) ON CONFLICT DO NOTHING", rows)

    def remove_salt(self, link: Link, salted_id: str) -> None:
        """Delete the salt of a name, a text or a source for good."""
        if not self.ids.key_inside:
            link.execute("DELETE FROM salts WHERE id = ?", (salted_id,))

    def _store_openings(self, link: Link, openings: Mapping[str, Opening], keys: Mapping[str, bytes]) -> None:
        rows = [
            (commitment_text, _quote_text(opening[0]), *opening[1:]) for commitment_text, opening in openings.items()
        ]
        rows += [(_KEY_PREFIX + player, "", key.hex(), "") for player, key in keys.items()]
        if rows:
            link.executemany(
                "INSERT INTO openings (commitment, label, salt, card) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", rows
            )

    def key(self, player: PlayerId) -> bytes:
        """Return the key behind the salts of a player's hidden cards; make one if there is none."""
        if player not in self.keys:
            stored = self.kept_key(player)
            if stored is not None:
                self.keys[player] = stored
        return super().key(player)

    def kept_key(self, player: PlayerId) -> bytes | None:
        """Return the stored key of a player's hidden cards, None if there is none."""
        with self._database.reading() as link:
            row = link.execute("SELECT salt FROM openings WHERE commitment = ?", (_KEY_PREFIX + player,)).fetchone()
        try:
            return None if row is None else bytes.fromhex(row[0])
        except ValueError as error:
            raise IntegrityError(f"the key of {player[:8]}'s hidden cards was changed") from error

    def remove_openings(self, link: Link, player: PlayerId, commitments: list[str]) -> None:
        """Delete the openings of these commitments and the player's key for good."""
        for commitment_text in (*commitments, _KEY_PREFIX + player):
            link.execute("DELETE FROM openings WHERE commitment = ?", (commitment_text,))
            self.openings.pop(commitment_text, None)
        self.keys.pop(player, None)

    def opening(self, commitment_text: str) -> Opening | None:
        """Return label, salt and card behind a commitment; None if unknown or erased.

        Raises `IntegrityError` if they don't match the commitment: no false card is ever shown.
        """
        opening = self.openings.get(commitment_text)
        if opening is None:
            drops = self._drops
            with self._database.reading() as link:
                row = link.execute(
                    "SELECT label, salt, card FROM openings WHERE commitment = ?", (commitment_text,)
                ).fetchone()
            if row is not None:
                opening = (_unquote_text(row[0]), row[1], row[2])
                if not _is_commitment_matched(commitment_text, opening):
                    raise IntegrityError(
                        f"the opening of hidden card {commitment_text[1:9]} was changed: it is not what was committed to",
                        "handledger verify says what else does not hold.",
                    )
                if self.veil.owns(opening):
                    return None
                self.openings[commitment_text] = opening
                if self._drops != drops:  # as for names
                    self.openings.pop(commitment_text, None)
        return opening

    def mark_stored(self, stored_facts: UnstoredPeople | None = None) -> None:
        """Clear what is stored now from the new facts, erased people from the names, and the caches once they are full."""
        super().mark_stored(stored_facts)
        for player in self.unwanted:
            self.names.pop(player, None)
        if len(self.texts) > _CACHE_SIZE:
            self.texts.clear()
            self._refs.clear()
        if len(self.openings) > _CACHE_SIZE:
            self.openings.clear()
            self.keys.clear()
        if len(self.names) > _CACHE_SIZE:
            self.names.clear()
            self._ids.clear()

    def remove(self, link: Link, player: PlayerId) -> None:
        """Delete a name for good: reading the same file again doesn't store it again."""
        link.execute("DELETE FROM names WHERE id = ?", (player,))
        self.remove_salt(link, player)
        link.execute("INSERT INTO erased (id) VALUES (?) ON CONFLICT DO NOTHING", (player,))

    def all_texts(self, link: Link) -> Iterator[tuple[TextRef, str]]:
        """Yield every text of the vault with its reference."""
        for text_ref, stored_text in link.execute("SELECT ref, words FROM texts ORDER BY ref").fetchall():
            yield text_ref, self.veil.words(_unquote_text(stored_text))

    def replace_text(self, link: Link, ref: TextRef, words: str) -> None:
        """Replace the text of a reference by its redacted form."""
        link.execute("UPDATE texts SET words = ? WHERE ref = ?", (_quote_text(words), ref))
        self.remove_salt(link, ref)

    def all_names(self, link: Link) -> Iterator[tuple[PlayerId, str, str]]:
        """Yield id, venue and name of each person."""
        for player, venue, name in link.execute(
            "SELECT id, venue, name FROM names ORDER BY name, venue, id"
        ).fetchall():
            if not self.veil.hides(player):
                yield player, _unquote_text(venue), _unquote_text(name)

    def drop_erased(self) -> bool:
        """Drop what is cached if somebody was erased since the last call, maybe by another program.

        Return whether it was dropped: on the first call it always is. What isn't stored yet stays.
        """
        with self._database.reading() as link:
            erased_count = int(link.execute("SELECT count(*) FROM erased").fetchone()[0])
        if erased_count == self._erased_count:
            return False
        self._drops += 1
        _drop_stored(self.names, self.fresh_names)
        for venue_and_name, player in [*self._ids.items()]:
            if player not in self.fresh_names:  # an erased name that comes in again must count as new
                self._ids.pop(venue_and_name, None)
        _drop_stored(self.texts, self.fresh_texts)
        _drop_stored(self.openings, self.fresh_openings)
        _drop_stored(self.keys, self.fresh_keys)
        self.read_before.forget_all()
        self._erased_count = erased_count  # last: a thread that sees the new count must see no old name
        return True

    def forget(self, player: PlayerId) -> None:
        """Drop a name from memory."""
        self.read_before.forget_all()
        venue_and_name = self.names.pop(player, None)
        self.fresh_names.pop(player, None)
        self.fresh_salts.pop(player, None)
        if venue_and_name is not None:
            self._ids.pop(venue_and_name, None)


def _drop_stored(cached: dict[str, Any], fresh: Mapping[str, object]) -> None:
    for key in [*cached]:
        if key not in fresh:
            cached.pop(key, None)


def _is_commitment_matched(commitment_text: str, opening: Opening) -> bool:
    try:
        return compute_commitment(*opening) == commitment_text
    except ValueError:  # a salt that isn't hex
        return False


def _quote_text(words: str) -> str:
    """Return a text in the form that every database can store."""
    if "\0" not in words and not words.startswith(_QUOTE_MARK):
        try:
            words.encode()
        except UnicodeEncodeError:
            return _QUOTE_MARK + json.dumps(words)
        return words
    return _QUOTE_MARK + json.dumps(words)


def _unquote_text(stored_text: str) -> str:
    """Return a stored text as it came."""
    if stored_text.startswith(_QUOTE_MARK):
        words: str = json.loads(stored_text[1:])
        return words
    return stored_text
