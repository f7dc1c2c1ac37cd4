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

from cli.proofs import evidence_check, refound_findings
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

    def wrong(self, data: bytes, question: Asked) -> str:
        """Return how the verifiers differ over a file, or mislead; "" if they do not."""
        single, main = check_alone(data, question), check_with_program(data, question)
        self.accepted += not main.exit
        return differ(single, main) or self.misled(data, question, single) or self.misled(data, question, main)

    def misled(self, data: bytes, question: Asked, verdict: Said) -> str:
        """Return what a reader would take from a verdict that is not so; "" if nothing."""
        if verdict.exit:
            return ""
        if verdict.line.startswith("CONSISTENT, SIGNER NOT CHECKED") and question.key is None:
            return ""
        if not verdict.line.startswith("VERIFIED: ") or question.key is None:
            return f"a strange verdict: {verdict.line[:80]}"
        members = contents(data)
        if question.key != self.room.key:  # whoever trusts the forger's key is told what the forger signed
            note = members[min(n for n in members if n.startswith("proofs/"))]
            signature = verify_signature(read_note(note.decode().partition("\n\n")[2]), read_key(question.key))
            return "" if signature is not None else "another key's signature is taken for this one's"
        entries = [members[n] for n in sorted(members) if n.startswith("entries/")]
        true = next((f for f in self.files.values() if _begins(f, entries)), None)
        if true is None:
            return "other events than the room's are VERIFIED"
        note = next(members[n] for n in sorted(members) if n.startswith("proofs/")).decode().partition("\n\n")[2]
        known_note = next((item for item in self.notes if item.rpartition("\n\n")[0] == note.rpartition("\n\n")[0]), "")
        origin, size, _ = (known_note or "\n\n").split("\n")[:3]
        if not known_note or f"the log of {origin!r}, which had {int(size):,} commits" not in verdict.line:
            return "another checkpoint than the room's is VERIFIED"
        lines = [line for line in note.split("\n") if line in known_note.split("\n")]
        cosigned = {
            item.key.name
            for item in WITNESSES
            for line in lines
            if line.startswith(f"\u2014 {item.key.name} ") and str(item.key) in question.witnesses
        }
        if len(cosigned) < (len(question.witnesses) if question.quorum is None else question.quorum):
            return "too few witnesses cosigned"
        if f"{sum(len(events_of(item)) for item in entries)} events of one " not in verdict.line:
            return "the verdict tells another number of events"
        return next(
            (reason for name in members for reason in [self._member(name, members, true, verdict)] if reason), ""
        )

    def _member(self, name: str, members: dict[str, bytes], true: dict[str, bytes], verdict: Said) -> str:
        """Return what is wrong with a member that a reader relies on."""
        if name in verdict.uncovered or name.startswith(("entries/", "proofs/")):
            return ""
        if name == "bundle.json":
            document = json.loads(members[name])
            ours = json.loads(true[name])
            is_same = all(document[key] == ours[key] for key in ("format", "ledger", "stream"))
            return "" if is_same else "bundle.json says what is not so"
        if name == "openings.json":
            opened, true_openings = json.loads(members[name]), json.loads(true.get(name, b"[]"))
            fits = (
                all(her in true_openings for her in opened)
                and len({str(her) for her in opened}) == len(opened) == verdict.opened
            )
            return "" if fits else "an opened card is not the room's"
        if name.startswith("rules/"):
            return "" if members[name] == self.room.rules.get(name) else f"{name} is not the book"
        if name == refound_findings.NAME:
            if (
                json.loads(members[name]).get("version", __version__) != __version__
                and refound_findings.VERSION not in verdict.uncovered
            ):
                return "another version is named"
            true_findings = self._true_findings(members, true)
            return "" if true_findings == _plain_findings(members[name]) else "other findings than the books give"
        return f"{name} is taken for covered"

    def _true_findings(self, members: dict[str, bytes], true: dict[str, bytes]) -> Any:
        """Return the findings of a genuine hand under the genuine books that lie in a file."""
        book_names = [
            book["name"] for book in json.loads(members[refound_findings.NAME])["books"] if book["name"] != "record"
        ]
        entries = sorted(n for n in members if n.startswith("entries/"))
        key = (json.loads(true["bundle.json"])["stream"], str(len(entries)), *book_names)
        if key not in self._findings:
            self._findings[key] = _judged([true[n] for n in entries], key[0], book_names)
        return self._findings[key]


def check_alone(data: bytes, question: Asked) -> Said:
    """What the single file says."""
    key = None if question.key is None else offline.read_key(question.key)
    try:
        result = offline.check(
            data, key, [offline.read_key(witness) for witness in question.witnesses], question.quorum
        )
    except offline.Refused as refusal:
        return Said(4, refusal.code, str(refusal), f"NOT VERIFIED ({refusal.code}): {refusal}")
    return Said(0, "", "", offline.verdict(result, result["beside"]), result["opened"])


def check_with_program(data: bytes, question: Asked) -> Said:
    """What the main program says."""
    checked_document = evidence_check.check_bytes("x", data, question.key, question.witnesses, question.quorum)
    exits = {"verified": 0, "consistent": 0, "not-verified": 4}
    assert checked_document.holds == (checked_document.verdict == "verified")
    code, reason = (
        (checked_document.code, checked_document.reason) if checked_document.verdict == "not-verified" else ("", "")
    )
    sentence = next(
        (
            line
            for line in [*checked_document.proven, *checked_document.claimed]
            if line.endswith("opened cards match their commitments")
        ),
        "0 ",
    )
    return Said(exits[checked_document.verdict], code, reason, checked_document.line, int(sentence.split(" ")[0]))


def differ(single: Said, main: Said) -> str:
    """Return how two verdicts differ beyond what the single file names as not covered; "" if they do not."""
    if single.exit == main.exit:
        if single.exit:
            return "" if single == main else f"{DIFFER} in their reasons: {single.line[:90]} / {main.line[:90]}"
        is_same = single.line.rpartition("Not covered: ")[0] == main.line.rpartition("Not covered: ")[0]
        uncovered_names = {name.replace(refound_findings.VERSION, refound_findings.NAME) for name in main.uncovered}
        if is_same and single.opened == main.opened and uncovered_names <= single.uncovered:
            return ""
        return f"{DIFFER}: {single.line} / {main.line}"
    member_name = {"findings": refound_findings.NAME, "rules": "rules/"}.get(main.code, "?")
    if main.exit and any(name.startswith(member_name) for name in single.uncovered):
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


def _plain_findings(data: bytes) -> Any:
    document = json.loads(data)
    return json.dumps([document["books"], document["findings"]], sort_keys=True)


def _judged(entries: list[bytes], stream: str, names: list[str]) -> Any:
    """Judge genuine events under the books that come with the program."""
    read = [offline.read_entry(entry) for entry in entries]
    events: list[Any] = [
        e
        for parsed_entry, data in zip(read, entries, strict=True)
        for e in Mapper().decode(parsed_entry["kind"], data[parsed_entry["data"] :])
    ]
    marks = [mark for parsed_entry in read for mark in unpack_origins(parsed_entry["marks"], parsed_entry["count"])]
    try:
        result = audit([HandReplay(events, marks, UUID(stream))], [load(name) for name in names])
    except HandledgerError:
        return None
    return _plain_findings(refound_findings.encode_findings(result))
