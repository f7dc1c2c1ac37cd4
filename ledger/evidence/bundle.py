"""Making evidence: the exact bytes of a hand's commits, their proofs, and what helps to read them.

The file is a ZIP whose bytes follow from its content alone. `ledger.evidence.offline` checks it.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Final
from uuid import UUID

import orjson

from ledger.errors import DisclosureError, NothingFoundError
from ledger.event import Event
from ledger.evidence.offline import FORMAT
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand.betting import Folded
from ledger.hand.opening import SeatDealtIn
from ledger.hiding import commitments
from ledger.seal.note import InclusionProof, read_checkpoint, read_note
from ledger.store import Commit, Ledger
from ledger.store.seals.merkle_tiles import entry_of
from ledger.store.seals.sealer import prove
from ledger.store.seals.time_stamps import stamps_of
from ledger.vocabulary import PlayerId, Seat, split_cards

HOUSE: Final = "house"
PUBLIC: Final = "public"
_DAY: Final = (1980, 1, 1, 0, 0, 0)


def bundle(
    ledger: Ledger,
    stream: UUID,
    note: str,
    *,
    audience: str = HOUSE,
    rules: Mapping[str, bytes] | None = None,
    more: Mapping[str, bytes] | None = None,
    proof: Callable[[int], InclusionProof] | None = None,
) -> bytes:
    """Return the evidence of a stream, proved by the checkpoint `note`.

    `proof` gives that of the commit that ends at a position, where the ledger does not keep the tree itself.

    `audience` is "house", "public", or the id of a player: a bundle that would show them cards that
    they have not seen is refused (`DisclosureError`), as the proof needs the bytes as recorded.
    `rules` are rulebook files by name, `more` other members: findings.json, view/..., source/...
    What time stamps the ledger keeps of that checkpoint go with it.
    """
    commits = ledger.stream(stream)
    if not commits:
        raise NothingFoundError("there is no such stream in this ledger")
    size = read_checkpoint(read_note(note)).size
    events = ledger.events(stream)
    hidden = not_for(events, audience)
    if hidden:
        raise DisclosureError(audience, hidden)
    names = [f"{number:04}" for number in range(1, len(commits) + 1)]
    files = {f"entries/{name}": entry_of(commit) for name, commit in zip(names, commits, strict=True)}
    proved = {names[-1]: commits[-1]} if _sealed(events, commits) else dict(zip(names, commits, strict=True))
    for name, commit in proved.items():
        found = prove(ledger, commit.position, note) if proof is None else proof(commit.position)
        files[f"proofs/{name}"] = str(found).encode()
    openings = _openings(ledger, events, audience)
    more = {**(more or {}), **({"openings.json": orjson.dumps(openings)} if openings else {})}
    beside = {f"rules/{name}": data for name, data in (rules or {}).items()} | more
    beside |= {f"stamps/{n:04}.tsr": data for n, data in enumerate(stamps_of(ledger, size), 1)}
    index = {
        "format": FORMAT,
        "audience": "player" if audience not in (HOUSE, PUBLIC) else audience,
        "ledger": ledger.id,
        "stream": stream.hex,
        "size": size,
        "entries": names,
        "files": {name: sha256(data).hexdigest() for name, data in beside.items()},
    }
    files["bundle.json"] = orjson.dumps(index, option=orjson.OPT_SORT_KEYS)
    return packed(files | beside)


def _openings(ledger: Ledger, events: Sequence[Event], audience: str) -> list[dict[str, str]]:
    """Return the openings of hidden cards that the audience may see: the house all, a player the own.

    Each that the ledger keeps is looked at, whoever it is for: `IntegrityError` if one was changed.
    """
    own = {e.seat for e in events if isinstance(e, SeatDealtIn) and e.player == audience}
    told = []
    for seat, made in commitments(events):
        opening = ledger.people.opening(made)  # which is not what it was: nothing is given out
        if opening is not None and (audience == HOUSE or seat in own):
            told.append(dict(zip(("label", "salt", "value"), opening, strict=True)))
    return told


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return a ZIP of members: the same members give the same bytes.

    Members stand in it as they are, rulebooks packed, which makes their bytes a matter of zlib's version.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _DAY)
            info.create_system, info.external_attr = 3, 0o644 << 16
            packs = name.startswith("rules/")
            file.writestr(info, files[name], zipfile.ZIP_DEFLATED if packs else None, 9)
    return out.getvalue()


def _sealed(events: Sequence[object], commits: Sequence[Commit]) -> bool:
    """Whether the stream ends with a seal over all of its commits before."""
    last = events[-1]
    return isinstance(last, e.HandSealed) and commits[-1].count == 1 and last.events == len(events) - 1


def not_for(events: Sequence[object], audience: str) -> list[Seat]:
    """Return the seats whose cards stand in the clear and were not shown to `audience`."""
    if audience == HOUSE:
        return []
    players: dict[Seat, PlayerId] = {}
    held: dict[Seat, set[str]] = {}
    shown: dict[Seat, set[str]] = {}
    for event in events:
        if isinstance(event, SeatDealtIn):
            players[event.seat] = event.player
        elif isinstance(event, e.CardsShown):
            shown.setdefault(event.seat, set()).update(split_cards(event.cards))
        elif isinstance(event, d.HoleCardsDealt):
            up = event.up or ""
            for at, card in enumerate(split_cards(event.cards)):
                (shown if up[at : at + 1] == "u" else held).setdefault(event.seat, set()).add(card)
        elif isinstance(event, d.HoleCardsLearned | d.CardsDrawn | d.CardsDiscarded | e.CardsMucked | Folded):
            held.setdefault(event.seat, set()).update(split_cards(event.cards or ""))
    return sorted(
        seat
        for seat, cards in held.items()
        if players.get(seat) != audience
        and any(card[0] != "{" and card != "??" for card in cards - shown.get(seat, set()))
    )
