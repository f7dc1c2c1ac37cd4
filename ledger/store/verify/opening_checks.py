"""Verify hidden cards: each opening matches its commitment, and none is missing or foreign.

Part of `ledger.store.verify`: shares no code with the modules that write.
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

from ledger.store.commits import IntegrityProblem
from ledger.store.verify.log_claims import JsonList, LogClaims
from ledger.store.verify.packed_texts import PackedTexts
from ledger.store.verify.people_checks import is_spelled_as_stored, unquote_text

_KEY_PREFIX: Final = "key:"
_IS_KEY: Final = "substr(commitment, 1, 4) = 'key:'"
_COMMITMENT: Final = re.compile(rb"\{[0-9a-f]{64}\}")
_CARD_TEXT: Final = re.compile(r"[2-9TJQKA][cdhs]|Jk")
_HIDING_EVENTS: Final = frozenset(
    ("HoleCardsDealt", "HoleCardsLearned", "CardsDrawn", "CardsDiscarded", "CardsMucked", "Folded")
)
_HEX_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_PAGE_ROWS: Final = 500


def check_openings(connection: Connection, claims: LogClaims) -> Iterator[IntegrityProblem]:
    """Recompute each commitment from its opening; find openings that no hand made and those that are missing."""
    player_keys: dict[str, str] = {}
    rows = connection.execute(text(f"SELECT commitment, salt, label, card FROM openings WHERE {_IS_KEY}"))
    for row_name, player_key, label, card in rows:
        player_keys[str(row_name).removeprefix(_KEY_PREFIX)] = str(player_key)
        if label or card or not _HEX_DIGEST.fullmatch(player_key):
            yield IntegrityProblem(None, "opening", f"the row of {row_name[:12]} holds something else than a key")
    players_with_openings: set[str] = set()
    opening_rows = connection.execute(
        text(f"SELECT commitment, label, salt, card FROM openings WHERE NOT {_IS_KEY} ORDER BY label")
    )
    hands = _HandCommitments(connection)
    for hand_name, openings in groupby(opening_rows, key=lambda row: _parse_label(unquote_text(row[1]))):
        committed = hands.of_hand(hand_name)
        for commitment, stored_label, salt, card in openings:
            label, subject = unquote_text(stored_label), f"the opening of hidden card {commitment[1:9]}"
            if _compute_commitment(label, salt, card) != commitment or not (
                _CARD_TEXT.fullmatch(card) and _HEX_DIGEST.fullmatch(salt) and is_spelled_as_stored(stored_label)
            ):
                yield IntegrityProblem(None, "opening", f"{subject} doesn't match its commitment")
            elif commitment not in committed:
                yield IntegrityProblem(None, "opening", f"{subject} fits no commitment of a hand")
            else:
                player = committed[commitment]
                players_with_openings.add(player)
                if _compute_salt(player_keys.get(player, ""), label, card) != salt:
                    yield IntegrityProblem(None, "opening", f"{subject} was not made with its player's key")
    for player in sorted(player_keys.keys() - players_with_openings):
        yield IntegrityProblem(None, "opening", f"there is a key of {player[:8]}, who holds no hidden card")
    yield from _find_missing_openings(connection, hands, claims.hidden_positions)


def hides_cards(event_json: bytes) -> bool:
    """Return whether the events of a hand, as JSON, commit to hidden cards."""
    return b"{" in event_json and _COMMITMENT.search(event_json) is not None


def _find_missing_openings(
    connection: Connection, hands: _HandCommitments, hidden: Sequence[int]
) -> Iterator[IntegrityProblem]:
    """Yield commitments whose openings are gone though the player wasn't forgotten; `hidden`: positions of hands with hidden cards."""
    erased = {row[0] for row in connection.exec_driver_sql("SELECT id FROM erased")}
    for first_index in range(0, len(hidden), _PAGE_ROWS):
        positions = ", ".join(map(str, hidden[first_index : first_index + _PAGE_ROWS]))
        rows = connection.exec_driver_sql(
            f"SELECT position, stream, codec, {_build_data_column(connection)} FROM log "
            f"WHERE position IN ({positions}) ORDER BY position"
        ).all()
        for position, stream, codec, data in rows:
            in_row = {commitment.decode() for commitment in _COMMITMENT.findall(hands.event_json(codec, data))}
            players_by_commitment = {
                commitment: player for commitment, player in hands.of_stream(stream).items() if commitment in in_row
            }
            quoted_commitments = ", ".join(
                f"'{commitment}'" for commitment in players_by_commitment
            )  # hex digits, as the pattern found them
            opening_rows = connection.exec_driver_sql(
                f"SELECT commitment FROM openings WHERE commitment IN ({quoted_commitments or 'NULL'})"
            )
            for commitment in sorted(players_by_commitment.keys() - {row[0] for row in opening_rows}):
                if players_by_commitment[commitment] not in erased:
                    yield IntegrityProblem(
                        position,
                        "opening",
                        f"the opening of hidden card {commitment[1:9]} is gone, and whoever held it was not forgotten",
                    )


def _build_data_column(connection: Connection) -> str:
    return "CAST(data AS BLOB)" if connection.dialect.name == "sqlite" else "data"


class _HandCommitments:
    """The commitments of hands: by stream, or by venue, tournament, table and number."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._texts = PackedTexts(connection)

    def event_json(self, codec: int, data: str | bytes) -> bytes:
        """Return the events of a row as bytes of JSON, b"" if they can't be read."""
        plain_events = self._texts.unpack(codec, data) or b""
        return plain_events.encode() if isinstance(plain_events, str) else bytes(plain_events)

    def of_stream(self, stream: bytes) -> dict[str, str]:
        """Return the commitments of one account of a hand, each with the player whose card it is."""
        rows = self._connection.execute(
            text(
                f"SELECT codec, {_build_data_column(self._connection)} FROM log WHERE stream = :stream ORDER BY version"
            ),
            {"stream": bytes(stream)},
        )
        return _find_commitments(
            [event for codec, data in rows for event in _parse_events(self.event_json(codec, data))]
        )

    def of_hand(self, hand: tuple[str, ...]) -> dict[str, str]:
        """Return the commitments of all accounts of a hand."""
        commitments: dict[str, str] = {}
        if len(hand) != 4:
            return commitments
        rows = self._connection.execute(
            text(
                "SELECT l.stream FROM hands AS h JOIN places AS p ON p.id = h.place JOIN log AS l ON "
                "l.position = h.position WHERE p.venue = :venue AND p.tournament = :tournament AND "
                "p.name = :name AND h.number = :number"
            ),
            dict(zip(("venue", "tournament", "name", "number"), hand, strict=True)),
        ).all()
        for (stream,) in rows:
            commitments |= self.of_stream(stream)
        return commitments


def _find_commitments(events: JsonList) -> dict[str, str]:
    """Return the commitments in a hand's events, each with the player whose card it is."""
    player_by_seat: dict[int, str] = {}
    player_by_commitment: dict[str, str] = {}
    for event in events:
        if not isinstance(event, list) or len(event) < 3:
            continue
        if event[0] == "SeatDealtIn":
            player_by_seat[event[1]] = event[2]
        elif event[0] in _HIDING_EVENTS:
            for field_value in event[2:]:
                if isinstance(field_value, str) and "{" in field_value:
                    for commitment in _COMMITMENT.findall(field_value.encode()):
                        player_by_commitment[commitment.decode()] = player_by_seat.get(event[1], "")
    return player_by_commitment


def _parse_events(event_json: bytes) -> JsonList:
    try:
        events = json.loads(event_json)
    except (ValueError, RecursionError):
        return []  # the check of the log reports it
    return events if isinstance(events, list) else []


def _parse_label(label: str) -> tuple[str, ...]:
    """Return venue, tournament, table and number of the hand that a label names."""
    return tuple(label.rsplit("\0", 2)[0].split("\0"))


def _compute_commitment(label: str, salt: str, card: str) -> str:
    try:
        committed_bytes = b"\0".join(
            (b"handledger/commit/v1", label.encode("utf-8", "surrogatepass"), bytes.fromhex(salt) + card.encode())
        )
    except ValueError:
        return ""
    return "{" + hashlib.sha256(committed_bytes).hexdigest() + "}"


def _compute_salt(player_key: str, label: str, card: str) -> str:
    try:
        salt_hash = hashlib.blake2b(
            f"{label}\0{card}".encode("utf-8", "surrogatepass"),
            key=bytes.fromhex(player_key),
            person=b"salt",
            digest_size=32,
        )
    except ValueError:
        return ""
    return salt_hash.hexdigest()
