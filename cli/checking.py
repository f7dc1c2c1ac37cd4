"""Checking evidence: what the single-file verifier proves, and the findings found again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cli import output
from cli.documents import CheckedDocument
from ledger import safe
from ledger.errors import SigningKeyError, UsageError
from ledger.evidence import offline as untyped

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

    from projections.rulebook import Rulebook

offline: Any = untyped  # it has no annotations: it must stay short and run anywhere

NOT_COVERED: Final = (
    "what happened at the table: that the record is true is its keeper's claim",
    "what came after the last event here",
    "what stands under view/, which is there to be read",
)


def checked(
    path: Path, keys: list[str], witnesses: list[str], quorum: int | None,
    roots: Sequence[Certificate] = (),
) -> CheckedDocument:  # fmt: skip
    """Check an evidence file with the keys of its log and of witnesses.

    With the `roots` of time stamping authorities, a time stamp of one of them is demanded.
    """
    if len(keys) != 1:
        raise UsageError("--key must name the ledger's public key, once", "Get it from elsewhere.")
    if not path.is_file():
        raise UsageError(f"there is no file {path}")
    key: tuple[str, int, bytes, bytes]
    key, *seen = (_key(told) for told in (*keys, *witnesses))
    try:
        found = offline.check(str(path), key, seen, quorum)
        again = _found_again(found)
        stamped, unstamped = _stamped(found, roots)
    except offline.Refused as refusal:
        return CheckedDocument(
            file=str(path), holds=False, code=refusal.code, reason=str(refusal), origin=key[0],
            size=0, events=0, proven=[], claimed=[], not_covered=list(NOT_COVERED),
        )  # fmt: skip
    events = sum(entry["count"] for entry in found["entries"])
    proven = [
        (f"{events} events of one {found['entries'][0]['kind']} stand in the log of {key[0]}, which had "
         f"{found['size']:,} commits when it was signed, in this order and none left out")
    ]  # fmt: skip
    if seen:
        proven.append(f"witnesses who cosigned: {len(seen) if quorum is None else quorum} or more, as demanded")  # fmt: skip
    proven += stamped
    if found["opened"]:
        proven.append(f"{found['opened']} opened cards are those that were committed to")
    if found["money"] == 0:
        proven.append("the chips that went in came out again")
    elif found["money"] is not None:
        proven.append(f"the chips do not add up: {found['money']} more went in than came out")
    claimed = ["when it was recorded and by whom", *again, *unstamped]
    return CheckedDocument(
        file=str(path), holds=True, code="", reason="", origin=key[0], size=found["size"],
        events=events, proven=proven, claimed=claimed, not_covered=list(NOT_COVERED),
    )  # fmt: skip


def _stamped(found: dict[str, Any], roots: Sequence[Certificate]) -> tuple[list[str], list[str]]:
    """Return what time stamps prove and what they only claim; `Refused` if a demanded one is not there.

    That each is over this checkpoint the single-file verifier has found out.
    """
    from ledger.errors import ProofError
    from ledger.seal import stamps

    proven, claimed, reason = [], [], "it holds no time stamp, and one is demanded"
    for told in found["stamps"]:
        why = "not checked: give --tsa"
        if roots:
            try:
                vouched = stamps.checked(found["files"][told["name"]], found["signed"], roots)
            except ProofError as error:
                reason = why = error.message
            else:
                proven.append(f"the checkpoint, and so all of this, existed before {vouched}")
                continue
        claimed.append(f"that it existed before {told['time']}, says {told['name']}: {why}")
    if roots and not proven:
        raise offline.Refused("stamp", reason)
    return proven, claimed


def _key(told: str) -> tuple[str, int, bytes, bytes]:
    try:
        key: tuple[str, int, bytes, bytes] = offline.read_key(told)
    except ValueError:
        raise SigningKeyError(
            "this is no public key, or a damaged one", "Pass it on as it was printed."
        ) from None
    return key


def _found_again(found: dict[str, Any]) -> list[str]:
    """Judge the hand again under the rulebooks of the file; `Refused` if other findings come out."""
    files = found["files"]
    if "findings.json" not in files:
        return []
    from ledger.errors import HandledgerError
    from projections.rulebook import read

    try:
        told = json.loads(files["findings.json"])
        claimed = sorted(
            (f["book"], f["clause"], f["version"], f["fingerprint"]) for f in told["findings"]
        )
        digests = {ref["digest"] for ref in told["books"]}
        books = [
            read(name.removeprefix("rules/").removesuffix(".toml"), data)
            for name, data in sorted(files.items()) if name.startswith("rules/")
        ]  # fmt: skip
    except (ValueError, KeyError, TypeError, HandledgerError) as error:
        return [f"findings, which could not be found again: {error}"]
    if not {book.digest for book in books} <= digests:
        raise offline.Refused("findings", "the findings were made under other rulebooks")
    again = _judged(found, books)
    if again is None:
        return ["findings, which could not be found again: the events are of another version"]
    if again != claimed:
        raise offline.Refused("findings", "judging the hand again gives other findings")
    return [f"{len(claimed)} findings, found again here, of the hand by itself"]


def _judged(found: dict[str, Any], books: list[Rulebook]) -> list[tuple[Any, ...]] | None:
    from ledger.errors import HandledgerError
    from ledger.replay import PlayedHand
    from ledger.store.mapper import Mapper
    from projections.audit import audit

    mapper = Mapper()
    events: list[Any] = []
    try:
        for name, entry in zip(found["index"]["entries"], found["entries"], strict=True):
            data = found["files"][f"entries/{name}"]
            events += mapper.decode(entry["kind"], data[entry["data"] :])
    except HandledgerError:
        return None
    result = audit([PlayedHand(events)], books)
    return sorted((f.book, f.clause, f.version, f.fingerprint) for f in result.findings)


def text(told: CheckedDocument) -> str:
    """Return the verdict for people."""
    if not told.holds:
        return "\n".join([
            output.paint(f"NOT VERIFIED ({told.code})", "red"), safe.terminal(told.reason, 400),
        ])  # fmt: skip
    lines = [output.paint(f"VERIFIED: {safe.terminal(told.file, 200)}", "bold")]
    for label, said in (("proven", told.proven), ("claimed", told.claimed), ("not covered", told.not_covered)):  # fmt: skip
        lines += [f"{label + ':':<13}{safe.terminal(one, 400)}" for one in said]
    return "\n".join(lines)
