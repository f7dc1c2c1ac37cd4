"""Verifies hidden cards: each opening gives its commitment again, and none is missing or foreign.

Part of `ledger.store.verify`: shares no code with what writes.
"""

# ruff: noqa: S608 - statements are made of constants and question marks

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from sqlalchemy import Connection, text

from ledger.store.commits import Problem
from ledger.store.verify.log_claims import Listed, Said
from ledger.store.verify.packed_texts import Texts
from ledger.store.verify.people_checks import as_kept, plain

_KEY: Final = "key:"
_IS_KEY: Final = "substr(commitment, 1, 4) = 'key:'"
_COMMITMENT: Final = re.compile(rb"\{[0-9a-f]{64}\}")
_CARD: Final = re.compile(r"[2-9TJQKA][cdhs]|Jk")
_HIDES: Final = frozenset(
    ("HoleCardsDealt", "HoleCardsLearned", "CardsDrawn", "CardsDiscarded", "CardsMucked", "Folded")
)
_HEX: Final = re.compile(r"[0-9a-f]{64}")
_PAGE: Final = 500


def check_openings(connection: Connection, said: Said) -> Iterator[Problem]:
    """Make each commitment again from its opening; look for those that nobody made, or that are gone."""
    keys: dict[str, str] = {}
    rows = connection.execute(text(f"SELECT commitment, salt, label, card FROM openings WHERE {_IS_KEY}"))
    for name, key, label, card in rows:
        keys[str(name).removeprefix(_KEY)] = str(key)
        if label or card or not _HEX.fullmatch(key):
            yield Problem(None, "opening", f"the row of {name[:12]} holds something else than a key")
    used: set[str] = set()
    made = connection.execute(
        text(f"SELECT commitment, label, salt, card FROM openings WHERE NOT {_IS_KEY} ORDER BY label")
    )
    hands = _Hands(connection)
    for hand, openings in groupby(made, key=lambda row: _hand_of(plain(row[1]))):
        committed = hands.committed(hand)
        for commitment, kept, salt, card in openings:
            label, what = plain(kept), f"the opening of hidden card {commitment[1:9]}"
            if _commitment(label, salt, card) != commitment or not (
                _CARD.fullmatch(card) and _HEX.fullmatch(salt) and as_kept(kept)
            ):
                yield Problem(None, "opening", f"{what} does not give what was committed to")
            elif commitment not in committed:
                yield Problem(None, "opening", f"{what} is of a card that no hand committed to")
            else:
                player = committed[commitment]
                used.add(player)
                if _salt(keys.get(player, ""), label, card) != salt:
                    yield Problem(None, "opening", f"{what} was not made with its player's key")
    for player in sorted(keys.keys() - used):
        yield Problem(None, "opening", f"there is a key of {player[:8]}, who holds no hidden card")
    yield from _gone(connection, hands, said.hidden)


def hides(told: bytes) -> bool:
    """Whether the events of a hand, as JSON, commit to hidden cards."""
    return b"{" in told and _COMMITMENT.search(told) is not None


def _gone(connection: Connection, hands: _Hands, hidden: Sequence[int]) -> Iterator[Problem]:
    """Yield the commitments whose openings are gone although nobody was forgotten; `hidden`: where hands hide cards."""
    erased = {row[0] for row in connection.exec_driver_sql("SELECT id FROM erased")}
    for at in range(0, len(hidden), _PAGE):
        positions = ", ".join(map(str, hidden[at : at + _PAGE]))
        rows = connection.exec_driver_sql(
            f"SELECT position, stream, codec, {_data(connection)} FROM log "
            f"WHERE position IN ({positions}) ORDER BY position"
        ).all()
        for position, stream, codec, data in rows:
            here = {one.decode() for one in _COMMITMENT.findall(hands.words(codec, data))}
            wanted = {one: who for one, who in hands.of(stream).items() if one in here}
            marks = ", ".join(f"'{one}'" for one in wanted)  # hex digits, as they were found
            there = connection.exec_driver_sql(
                f"SELECT commitment FROM openings WHERE commitment IN ({marks or 'NULL'})"
            )
            for one in sorted(wanted.keys() - {row[0] for row in there}):
                if wanted[one] not in erased:
                    yield Problem(
                        position,
                        "opening",
                        f"the opening of hidden card {one[1:9]} is gone, and whoever held it was not forgotten",
                    )


def _data(connection: Connection) -> str:
    return "CAST(data AS BLOB)" if connection.dialect.name == "sqlite" else "data"


class _Hands:
    """What hands committed to: by their stream, or by venue, tournament, table and number."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._texts = Texts(connection)

    def words(self, codec: int, data: str | bytes) -> bytes:
        """Return the events of a row as bytes of JSON; nothing if they cannot be read."""
        told = self._texts.plain(codec, data) or b""
        return told.encode() if isinstance(told, str) else bytes(told)

    def of(self, stream: bytes) -> dict[str, str]:
        """Return the commitments of one account of a hand, each with the player whose card it is."""
        rows = self._connection.execute(
            text(f"SELECT codec, {_data(self._connection)} FROM log WHERE stream = :stream ORDER BY version"),
            {"stream": bytes(stream)},
        )
        return _committed([event for codec, data in rows for event in _events(self.words(codec, data))])

    def committed(self, hand: tuple[str, ...]) -> dict[str, str]:
        """Return the commitments of all accounts of a hand."""
        found: dict[str, str] = {}
        if len(hand) != 4:
            return found
        rows = self._connection.execute(
            text(
                "SELECT l.stream FROM hands AS h JOIN places AS p ON p.id = h.place JOIN log AS l ON "
                "l.position = h.position WHERE p.venue = :venue AND p.tournament = :tournament AND "
                "p.name = :name AND h.number = :number"
            ),
            dict(zip(("venue", "tournament", "name", "number"), hand, strict=True)),
        ).all()
        for (stream,) in rows:
            found |= self.of(stream)
        return found


def _committed(events: Listed) -> dict[str, str]:
    """Return the commitments in a hand's events, each with the player whose card it is."""
    players: dict[int, str] = {}
    found: dict[str, str] = {}
    for event in events:
        if not isinstance(event, list) or len(event) < 3:
            continue
        if event[0] == "SeatDealtIn":
            players[event[1]] = event[2]
        elif event[0] in _HIDES:
            for told in event[2:]:
                if isinstance(told, str) and "{" in told:
                    for one in _COMMITMENT.findall(told.encode()):
                        found[one.decode()] = players.get(event[1], "")
    return found


def _events(told: bytes) -> Listed:
    try:
        events = json.loads(told)
    except (ValueError, RecursionError):
        return []  # the log's own check says so
    return events if isinstance(events, list) else []


def _hand_of(label: str) -> tuple[str, ...]:
    """Return venue, tournament, table and number of the hand that a label names."""
    return tuple(label.rsplit("\0", 2)[0].split("\0"))


def _commitment(label: str, salt: str, card: str) -> str:
    try:
        said = b"\0".join(
            (b"handledger/commit/v1", label.encode("utf-8", "surrogatepass"), bytes.fromhex(salt) + card.encode())
        )
    except ValueError:
        return ""
    return "{" + hashlib.sha256(said).hexdigest() + "}"


def _salt(key: str, label: str, card: str) -> str:
    try:
        made = hashlib.blake2b(
            f"{label}\0{card}".encode("utf-8", "surrogatepass"), key=bytes.fromhex(key), person=b"salt", digest_size=32
        )
    except ValueError:
        return ""
    return made.hexdigest()
