"""Two verifiers judge one file; where they differ, or either misleads, is said.

They differ where one accepts and the other does not, or both refuse with other reasons, unless the
main program refuses a member that the single file says, in its verdict, nobody vouches for.

They mislead where a file is VERIFIED and anything that a reader may rely on is not as the room gave
it out: events (a hand may end sooner: "what came after the last event here" stands in the verdict),
the checkpoint, opened cards, findings, rulebooks, extracts, texts, cosignatures; each member that the
verdict line itself names as not covered is left out of that. What is told apart here is read with
`zipfile` and `json`, never with what is judged. Without a key nothing may be called VERIFIED.
"""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple
from uuid import UUID

from cli import checking, refinding
from ledger import __version__
from ledger.errors import HandledgerError
from ledger.evidence import offline as untyped
from ledger.marks import unpack_origins
from ledger.replay import HandReplay
from ledger.seal.note import read_key, read_note, verify_signature
from ledger.store.log.mapper import Mapper
from projections.audit.auditor import audit
from projections.books.rulebook import load
from tests.torture.genuine import WITNESSES, Genuine, contents

offline: Any = untyped
DIFFER: Final = "the verifiers differ"


class Asked(NamedTuple):
    """Which keys a reader has. `cosigned`: how many witnesses there must be among those that did."""

    key: str | None
    witnesses: tuple[str, ...] = ()
    quorum: int | None = None


class Said(NamedTuple):
    """What a verifier says: its exit code, the code and sentence of a refusal, its verdict in one line."""

    exit: int
    code: str
    reason: str
    line: str
    opened: int = 0

    @property
    def uncovered(self) -> set[str]:
        """The members that its verdict names as not covered, as a reader reads it."""
        return set(self.line.rpartition("Not covered: ")[2].removesuffix(".").split(", "))


class Reader:
    """A reader with the room's truth at hand."""

    def __init__(self, room: Genuine) -> None:
        self.room = room
        self.files = room.members
        witnessed = [str(witness.key) for witness in WITNESSES]
        self.asks = [
            Asked(room.key),
            Asked(room.key),
            Asked(None),
            Asked(room.attackers_key),
            Asked(room.key, tuple(witnessed[:1])),
            Asked(room.key, tuple(witnessed[:2])),
            Asked(room.key, (witnessed[0], witnessed[2]), 1),
            Asked(room.key, tuple(witnessed), 2),
        ]
        self.notes = {
            f[min(n for n in f if n.startswith("proofs/"))].decode().partition("\n\n")[2] for f in self.files.values()
        }
        self._findings: dict[tuple[str, ...], Any] = {}
        self.accepted = 0  # files that both took: what was changed in them is named as not covered, or gone

    def wrong(self, data: bytes, asked: Asked) -> str:
        """Return how the verifiers differ over a file, or mislead; "" if they do not."""
        single, main = alone(data, asked), whole(data, asked)
        self.accepted += not main.exit
        return differ(single, main) or self.misled(data, asked, single) or self.misled(data, asked, main)

    def misled(self, data: bytes, asked: Asked, said: Said) -> str:
        """Return what a reader would take from a verdict that is not so; "" if nothing."""
        if said.exit:
            return ""
        if said.line.startswith("CONSISTENT, SIGNER NOT CHECKED") and asked.key is None:
            return ""
        if not said.line.startswith("VERIFIED: ") or asked.key is None:
            return f"a strange verdict: {said.line[:80]}"
        found = contents(data)
        if asked.key != self.room.key:  # whoever trusts the forger's key is told what the forger signed
            note = found[min(n for n in found if n.startswith("proofs/"))]
            theirs = verify_signature(read_note(note.decode().partition("\n\n")[2]), read_key(asked.key))
            return "" if theirs is not None else "another key's signature is taken for this one's"
        entries = [found[n] for n in sorted(found) if n.startswith("entries/")]
        true = next((f for f in self.files.values() if _begins(f, entries)), None)
        if true is None:
            return "other events than the room's are VERIFIED"
        note = next(found[n] for n in sorted(found) if n.startswith("proofs/")).decode().partition("\n\n")[2]
        known = next((one for one in self.notes if one.rpartition("\n\n")[0] == note.rpartition("\n\n")[0]), "")
        origin, size, _ = (known or "\n\n").split("\n")[:3]
        if not known or f"the log of {origin!r}, which had {int(size):,} commits" not in said.line:
            return "another checkpoint than the room's is VERIFIED"
        lines = [line for line in note.split("\n") if line in known.split("\n")]
        cosigned = {
            one.key.name
            for one in WITNESSES
            for line in lines
            if line.startswith(f"\u2014 {one.key.name} ") and str(one.key) in asked.witnesses
        }
        if len(cosigned) < (len(asked.witnesses) if asked.quorum is None else asked.quorum):
            return "too few witnesses cosigned"
        if f"{sum(len(events_of(one)) for one in entries)} events of one " not in said.line:
            return "the verdict tells another number of events"
        return next((why for name in found for why in [self._member(name, found, true, said)] if why), "")

    def _member(self, name: str, found: dict[str, bytes], true: dict[str, bytes], said: Said) -> str:
        """Return what is wrong with a member that a reader relies on."""
        if name in said.uncovered or name.startswith(("entries/", "proofs/")):
            return ""
        if name == "bundle.json":
            document = json.loads(found[name])
            ours = json.loads(true[name])
            same = all(document[key] == ours[key] for key in ("format", "ledger", "stream"))
            return "" if same else "bundle.json says what is not so"
        if name == "openings.json":
            hers, theirs = json.loads(found[name]), json.loads(true.get(name, b"[]"))
            fits = all(her in theirs for her in hers) and len({str(her) for her in hers}) == len(hers) == said.opened
            return "" if fits else "an opened card is not the room's"
        if name.startswith("rules/"):
            return "" if found[name] == self.room.rules.get(name) else f"{name} is not the book"
        if name == refinding.NAME:
            if (
                json.loads(found[name]).get("version", __version__) != __version__
                and refinding.VERSION not in said.uncovered
            ):
                return "another version is named"
            true_findings = self._true_findings(found, true)
            return "" if true_findings == _plain(found[name]) else "other findings than the books give"
        return f"{name} is taken for covered"

    def _true_findings(self, found: dict[str, bytes], true: dict[str, bytes]) -> Any:
        """Return the findings of a genuine hand under the genuine books that lie in a file."""
        told = [book["name"] for book in json.loads(found[refinding.NAME])["books"] if book["name"] != "record"]
        entries = sorted(n for n in found if n.startswith("entries/"))
        key = (json.loads(true["bundle.json"])["stream"], str(len(entries)), *told)
        if key not in self._findings:
            self._findings[key] = _judged([true[n] for n in entries], key[0], told)
        return self._findings[key]


def alone(data: bytes, asked: Asked) -> Said:
    """What the single file says."""
    key = None if asked.key is None else offline.read_key(asked.key)
    try:
        found = offline.check(data, key, [offline.read_key(witness) for witness in asked.witnesses], asked.quorum)
    except offline.Refused as refusal:
        return Said(4, refusal.code, str(refusal), f"NOT VERIFIED ({refusal.code}): {refusal}")
    return Said(0, "", "", offline.verdict(found, found["beside"]), found["opened"])


def whole(data: bytes, asked: Asked) -> Said:
    """What the main program says."""
    checked_document = checking.of_bytes("x", data, asked.key, asked.witnesses, asked.quorum)
    exits = {"verified": 0, "consistent": 0, "not-verified": 4}
    assert checked_document.holds == (checked_document.verdict == "verified")
    code, reason = (
        (checked_document.code, checked_document.reason) if checked_document.verdict == "not-verified" else ("", "")
    )
    said = next(
        (
            one
            for one in [*checked_document.proven, *checked_document.claimed]
            if one.endswith("opened cards are those that were committed to")
        ),
        "0 ",
    )
    return Said(exits[checked_document.verdict], code, reason, checked_document.line, int(said.split(" ")[0]))


def differ(single: Said, main: Said) -> str:
    """Return how two verdicts differ beyond what the single file names as not covered; "" if they do not."""
    if single.exit == main.exit:
        if single.exit:
            return "" if single == main else f"{DIFFER} in their reasons: {single.line[:90]} / {main.line[:90]}"
        same = single.line.rpartition("Not covered: ")[0] == main.line.rpartition("Not covered: ")[0]
        more = {one.replace(refinding.VERSION, refinding.NAME) for one in main.uncovered}
        if same and single.opened == main.opened and more <= single.uncovered:
            return ""
        return f"{DIFFER}: {single.line} / {main.line}"
    named = {"findings": refinding.NAME, "rules": "rules/"}.get(main.code, "?")
    if main.exit and any(one.startswith(named) for one in single.uncovered):
        return ""
    return f"{DIFFER}, one accepts: {single.line[:90]} / {main.line[:90]}"


def events_of(entry: bytes) -> list[Any]:
    """Return the events of a commit, read from its end: they are the JSON that ends it."""
    start = entry.index(b'[["')
    events: list[Any] = json.loads(entry[start:])
    return events


def _begins(files: dict[str, bytes], entries: list[bytes]) -> bool:
    true = [files[n] for n in sorted(files) if n.startswith("entries/")]
    return bool(entries) and true[: len(entries)] == entries


def _plain(data: bytes) -> Any:
    document = json.loads(data)
    return json.dumps([document["books"], document["findings"]], sort_keys=True)


def _judged(entries: list[bytes], stream: str, names: list[str]) -> Any:
    """Judge genuine events under the books that come with the program."""
    read = [offline.read_entry(entry) for entry in entries]
    events: list[Any] = [
        e for told, data in zip(read, entries, strict=True) for e in Mapper().decode(told["kind"], data[told["data"] :])
    ]
    marks = [mark for told in read for mark in unpack_origins(told["marks"], told["count"])]
    try:
        result = audit([HandReplay(events, marks, UUID(stream))], [load(name) for name in names])
    except HandledgerError:
        return None
    return _plain(refinding.findings_json(result))
