"""Check evidence with the single-file verifier, then repeat its proofs and its findings with the program's own code."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.documents.command_documents import CheckedDocument
from cli.output import console
from ledger import safe
from ledger.errors import ProofError
from ledger.evidence import evidence_errors, offline
from projections.addresses.address_grammar import quote_for_shell

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

    from cli.proofs.refound_findings import RepeatedFindings

NOT_COVERED: Final = (
    "what happened at the table: only the keeper claims that the record is true",
    "what came after the last event in this file, and who it was made for",
)
_LEDGER_START: Final = b"SQLite format 3"
_ZIP_START: Final = b"PK"
_MAX_CHECKPOINT_BYTES: Final = 100_000
_UNPROVED_REASONS: Final = {
    "view": "text to read, which nobody signed",
    "source": "the log proves its place and length, but not its bytes",
    "stamps": "its authority was not checked (--tsa)",
}


def check_file(
    path: Path, keys: list[str], witnesses: list[str], quorum: int | None, roots: Sequence[Certificate] = ()
) -> CheckedDocument:
    """Check an evidence file with the key of its log and the keys of witnesses.

    Without a key no signature is checked, so nothing is proven. With `roots` of time stamping authorities, a time stamp of
    one of them is required.
    """
    if len(keys) > 1:
        raise evidence_errors.several_log_keys()
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            is_folder = stat.S_ISDIR(path.stat().st_mode)
            raise evidence_errors.not_a_file(str(path), is_folder=is_folder)
        with path.open("rb") as file:
            data = file.read(offline.MOST_BYTES + 1)
    except FileNotFoundError:
        raise evidence_errors.no_file(str(path)) from None
    except OSError as error:
        raise evidence_errors.unreadable_file(str(path), error.strerror or str(error)) from None
    _require_evidence(path, data)
    return check_bytes(str(path), data, keys[0] if keys else None, witnesses, quorum, roots)


def _require_evidence(path: Path, data: bytes) -> None:
    """Raise `UsageError` if a file is a checkpoint or a ledger, which other options take."""
    from ledger.seal.note import read_checkpoint, read_note

    name = quote_for_shell(str(path))
    if data.startswith(_LEDGER_START):
        raise evidence_errors.ledger_not_evidence(str(path), name)
    if data.startswith(_ZIP_START) or len(data) > _MAX_CHECKPOINT_BYTES:
        return
    try:
        read_checkpoint(read_note(data.decode("utf-8")))
    except (ProofError, UnicodeDecodeError):
        return
    raise evidence_errors.checkpoint_not_evidence(str(path), name)


def check_bytes(
    name: str,
    data: bytes,
    key: str | None,
    witnesses: Sequence[str] = (),
    quorum: int | None = None,
    roots: Sequence[Certificate] = (),
) -> CheckedDocument:
    """Check the bytes of an evidence file with a name."""
    log_key = None if key is None else _read_key(key)
    witness_keys = [_read_key(witness) for witness in witnesses]
    problem = offline.unfit(log_key, witness_keys, quorum)
    if problem:
        raise evidence_errors.keys_do_not_fit(problem)
    try:
        evidence = offline.check(data, log_key, witness_keys, quorum)
        _repeat_proof(evidence, key, witnesses)
        stamped, unstamped = _check_stamps(evidence, roots)
        refound_findings = _repeat_findings(evidence)
    except offline.Refused as refusal:
        return CheckedDocument(
            file=name,
            holds=False,
            code=refusal.code,
            reason=str(refusal),
            origin="" if log_key is None else log_key[0],
            size=0,
            events=0,
            proven=[],
            claimed=[],
            not_covered=list(NOT_COVERED),
            verdict="not-verified",
            line=f"NOT VERIFIED ({refusal.code}): {refusal}",
        )
    return _describe_evidence(name, evidence, stamped, unstamped, refound_findings)


def _describe_evidence(
    name: str,
    evidence: offline.Checked,
    stamped: dict[str, str],
    unstamped: dict[str, str],
    refound_findings: RepeatedFindings,
) -> CheckedDocument:
    """Return the document of valid evidence."""
    events = sum(entry["count"] for entry in evidence["entries"])
    proven = [
        (
            f"{events} events of one {evidence['entries'][0]['kind']}, numbered without a gap, are in the log of "
            f"{evidence['origin']}, which had {evidence['size']:,} commits when it was signed"
        )
    ]
    if evidence["witnesses"]:
        proven.append(f"witnesses who cosigned: at least {evidence['quorum']} of {evidence['witnesses']}, as required")
    proven += [f"the checkpoint, and all that it covers, existed before {claim}" for claim in stamped.values()]
    proven += refound_findings.proven
    if evidence["opened"]:
        proven.append(f"{evidence['opened']} opened cards match their commitments")
    if evidence["money"] == 0:
        proven.append("the chips add up: what went in came out")
    elif evidence["money"] is not None:
        proven.append(f"the chips don't add up: {evidence['money']} more went in than came out")
    reasons = {
        member_name: _UNPROVED_REASONS[member_name.split("/")[0]]
        for member_name in evidence["beside"]
        if member_name.split("/")[0] in _UNPROVED_REASONS
    }
    reasons = {
        member_name: claim for member_name, claim in reasons.items() if member_name not in stamped
    } | refound_findings.uncovered
    claimed = ["when it was recorded and by whom", *unstamped.values()]
    if not evidence["checked"]:
        proven, claimed = [], ["everything: the signature wasn't checked (no --key)", *proven, *claimed]
    return CheckedDocument(
        file=name,
        holds=evidence["checked"],
        code="" if evidence["checked"] else "signer",
        reason="" if evidence["checked"] else "no key was given, so the signature was not checked",
        origin=evidence["origin"],
        size=evidence["size"],
        events=events,
        proven=proven,
        claimed=claimed,
        not_covered=[*NOT_COVERED, *(f"{member_name}: {claim}" for member_name, claim in sorted(reasons.items()))],
        verdict="verified" if evidence["checked"] else "consistent",
        line=offline.verdict(evidence, sorted(reasons)),
    )


def _repeat_proof(evidence: offline.Checked, key: str | None, witnesses: Sequence[str]) -> None:
    """Check the proof with the sealing code as well; `Refused` if it disagrees."""
    from ledger.evidence.proof_check import check_proofs
    from ledger.seal.note import read_key

    try:
        point = check_proofs(
            evidence["files"],
            None if key is None else read_key(key),
            [read_key(witness) for witness in witnesses],
            evidence["quorum"],
        )
    except ProofError as error:
        raise offline.Refused("disagreement", f"the second check of the proof failed: {error.message}") from None
    if (point.origin, point.size, point.root.hex()) != (evidence["origin"], evidence["size"], evidence["root"]):
        raise offline.Refused("disagreement", "the second check of the proof led to a different checkpoint")


def _check_stamps(evidence: offline.Checked, roots: Sequence[Certificate]) -> tuple[dict[str, str], dict[str, str]]:
    """Return by name what time stamps prove, and what others only claim; `Refused` if a required one is missing.

    The single-file verifier has checked that each stamp is over this checkpoint.
    """
    from ledger.seal import stamps

    proven, claimed, reason = {}, {}, "the file has no time stamp, and --tsa requires one"
    for stamp in evidence["stamps"]:
        name, explanation = stamp["name"], "not checked: give --tsa"
        if roots:
            try:
                statement = stamps.verify_stamp(evidence["files"][name], evidence["signed"], roots)
            except ProofError as error:
                reason = explanation = error.message
            else:
                proven[name] = str(statement)
                continue
        claimed[name] = f"that it existed before {stamp['time']}, says {name}: {explanation}"
    if roots and not proven:
        raise offline.Refused("stamp", reason)
    return proven, claimed


def _repeat_findings(evidence: offline.Checked) -> RepeatedFindings:
    from cli.proofs.refound_findings import RepeatedFindings, repeat_findings

    return repeat_findings(evidence) if "findings.json" in evidence["files"] else RepeatedFindings([], {})


def _read_key(key_text: str) -> offline.Key:
    from ledger.seal.note import read_key

    read_key(key_text)  # stricter than the single file, with a reason in its error
    try:
        return offline.read_key(key_text)
    except ValueError:
        raise evidence_errors.bad_public_key() from None


def format_verdict(document: CheckedDocument) -> str:
    """Return the verdict as text."""
    style = {"verified": "bold", "consistent": "yellow"}.get(document.verdict, "red")
    lines = [console.paint(safe.terminal(_shorten_line(document), 4000), style)]
    if document.verdict == "consistent":
        lines.append("  To check the signer, add --key KEY: the public key that the ledger's keeper gave you.")
    if document.code == "container":
        lines.append("  The file was changed or damaged in transit. Ask the ledger's keeper for it again.")
    if document.verdict != "not-verified":
        for label, claims in (
            ("proven", document.proven),
            ("claimed", document.claimed[document.verdict == "consistent" :]),  # the first says what the verdict says
            ("not covered", document.not_covered),
        ):
            lines += [f"{label + ':':<13}{safe.terminal(claim, 400)}" for claim in claims]
    return "\n".join(lines)


def _shorten_line(document: CheckedDocument) -> str:
    """Return the verdict; without a key only its beginning, as the claims below repeat it."""
    return document.line.partition(" It says: ")[0] if document.verdict == "consistent" else document.line
