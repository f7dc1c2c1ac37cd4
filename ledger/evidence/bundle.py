"""Write evidence: the exact bytes of a hand's commits, their proofs, and files that help to read them.

The file is a ZIP, and its bytes depend only on its content. `ledger.evidence.offline` checks it.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Final
from uuid import UUID

import orjson

from ledger.errors import DisclosureError
from ledger.event import Event
from ledger.evidence import evidence_errors
from ledger.evidence.offline import FORMAT
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand.betting import Folded
from ledger.hand.opening import SeatDealtIn
from ledger.hidden_cards import find_commitments
from ledger.seal.note import InclusionProof, read_checkpoint, read_note
from ledger.store import Commit, Ledger
from ledger.store.seals.merkle_tiles import encode_commit
from ledger.store.seals.sealer import prove
from ledger.store.seals.time_stamps import list_stamps
from ledger.vocabulary import PlayerId, Seat, split_cards

HOUSE: Final = "house"
PUBLIC: Final = "public"
_MEMBER_TIME: Final = (1980, 1, 1, 0, 0, 0)


def make_bundle(
    ledger: Ledger,
    stream: UUID,
    signed_note: str,
    *,
    audience: str = HOUSE,
    rule_files: Mapping[str, bytes] | None = None,
    further_members: Mapping[str, bytes] | None = None,
    prove_position: Callable[[int], InclusionProof] | None = None,
) -> bytes:
    """Return the evidence of a stream, proved by the checkpoint `signed_note`.

    `audience` is "house", "public", or the id of a player. If the bundle would show them cards that they haven't seen,
    it is refused (`DisclosureError`), since the proof needs the recorded bytes. `rule_files` are rulebook files by
    name, `further_members` other members: findings.json, view/..., source/... `prove_position` returns the proof of the
    commit that ends at a position, for ledgers without a stored tree. The evidence includes the ledger's time stamps of
    the checkpoint.
    """
    commits = ledger.stream(stream)
    if not commits:
        raise evidence_errors.unknown_stream()
    checkpoint_size = read_checkpoint(read_note(signed_note)).size
    events = ledger.events(stream)
    hidden_seats = find_hidden_seats(events, audience)
    if hidden_seats:
        raise DisclosureError(audience, hidden_seats)
    entry_names = [f"{number:04}" for number in range(1, len(commits) + 1)]
    bundle_members = {
        f"entries/{member_name}": encode_commit(commit)
        for member_name, commit in zip(entry_names, commits, strict=True)
    }
    proved_commits = (
        {entry_names[-1]: commits[-1]}
        if _ends_with_seal(events, commits)
        else dict(zip(entry_names, commits, strict=True))
    )
    for member_name, commit in proved_commits.items():
        inclusion_proof = (
            prove(ledger, commit.position, signed_note) if prove_position is None else prove_position(commit.position)
        )
        bundle_members[f"proofs/{member_name}"] = str(inclusion_proof).encode()
    openings = _list_visible_openings(ledger, events, audience)
    further_members = {**(further_members or {}), **({"openings.json": orjson.dumps(openings)} if openings else {})}
    unproved_members = {
        f"rules/{member_name}": member_bytes for member_name, member_bytes in (rule_files or {}).items()
    } | further_members
    unproved_members |= {
        f"stamps/{stamp_number:04}.tsr": member_bytes
        for stamp_number, member_bytes in enumerate(list_stamps(ledger, checkpoint_size), 1)
    }
    bundle_index = {
        "format": FORMAT,
        "audience": "player" if audience not in (HOUSE, PUBLIC) else audience,
        "ledger": ledger.id,
        "stream": stream.hex,
        "size": checkpoint_size,
        "entries": entry_names,
        "files": {
            member_name: sha256(member_bytes).hexdigest() for member_name, member_bytes in unproved_members.items()
        },
    }
    bundle_members["bundle.json"] = orjson.dumps(bundle_index, option=orjson.OPT_SORT_KEYS)
    return pack_members(bundle_members | unproved_members)


def _list_visible_openings(ledger: Ledger, events: Sequence[Event], audience: str) -> list[dict[str, str]]:
    """Return the openings of hidden cards that the audience may see: all for the house, a player's own for the player.

    All stored openings are checked, and `IntegrityError` is raised if one was changed.
    """
    own_seats = {event.seat for event in events if isinstance(event, SeatDealtIn) and event.player == audience}
    visible_openings = []
    for seat, commitment in find_commitments(events):
        opening = ledger.people.opening(commitment)  # raises if it was changed
        if opening is not None and (audience == HOUSE or seat in own_seats):
            visible_openings.append(dict(zip(("label", "salt", "value"), opening, strict=True)))
    return visible_openings


def pack_members(bundle_members: Mapping[str, bytes]) -> bytes:
    """Return a ZIP of members. The same members give the same bytes.

    Members are stored uncompressed, except rulebooks, whose bytes depend on zlib's version.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as zip_file:
        for member_name in sorted(bundle_members):
            member_info = zipfile.ZipInfo(member_name, _MEMBER_TIME)
            member_info.create_system, member_info.external_attr = 3, 0o644 << 16
            is_compressed = member_name.startswith("rules/")
            zip_file.writestr(
                member_info, bundle_members[member_name], zipfile.ZIP_DEFLATED if is_compressed else None, 9
            )
    return buffer.getvalue()


def _ends_with_seal(events: Sequence[object], commits: Sequence[Commit]) -> bool:
    """Whether the stream ends with a seal over all its earlier commits."""
    last_event = events[-1]
    return isinstance(last_event, e.HandSealed) and commits[-1].count == 1 and last_event.events == len(events) - 1


def find_hidden_seats(events: Sequence[object], audience: str) -> list[Seat]:
    """Return the seats whose cards are readable and weren't shown to `audience`."""
    if audience == HOUSE:
        return []
    players: dict[Seat, PlayerId] = {}
    hidden_cards: dict[Seat, set[str]] = {}
    shown_cards: dict[Seat, set[str]] = {}
    for event in events:
        if isinstance(event, SeatDealtIn):
            players[event.seat] = event.player
        elif isinstance(event, e.CardsShown):
            shown_cards.setdefault(event.seat, set()).update(split_cards(event.cards))
        elif isinstance(event, d.HoleCardsDealt):
            faces = event.up or ""
            for card_index, card in enumerate(split_cards(event.cards)):
                (shown_cards if faces[card_index : card_index + 1] == "u" else hidden_cards).setdefault(
                    event.seat, set()
                ).add(card)
        elif isinstance(event, d.HoleCardsLearned | d.CardsDrawn | d.CardsDiscarded | e.CardsMucked | Folded):
            hidden_cards.setdefault(event.seat, set()).update(split_cards(event.cards or ""))
    return sorted(
        seat
        for seat, seat_cards in hidden_cards.items()
        if players.get(seat) != audience
        and any(card[0] != "{" and card != "??" for card in seat_cards - shown_cards.get(seat, set()))
    )
