"""Checking evidence: what the single-file verifier proves, proved once more, and the findings found again."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli import output
from cli.documents import CheckedDocument
from ledger import safe
from ledger.errors import ProofError, SigningKeyError, UsageError
from ledger.evidence import offline

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

    from cli.refinding import Refound

NOT_COVERED: Final = (
    "what happened at the table: that the record is true is its keeper's claim",
    "what came after the last event here, and for whom the file says it was made",
)
_WHY: Final = {
    "view": "words to be read, under no signature",
    "source": "the commits name its place and length, and nothing here names its bytes",
    "stamps": "whoever made it was not asked (--tsa)",
}


def checked(
    path: Path, keys: list[str], witnesses: list[str], quorum: int | None, roots: Sequence[Certificate] = ()
) -> CheckedDocument:
    """Check an evidence file with the key of its log and those of witnesses.

    Without a key nobody's signature is looked at, and nothing is proven. With the `roots` of time
    stamping authorities, a time stamp of one of them is demanded.
    """
    if len(keys) > 1:
        raise UsageError("--key names the key of one log", "Say it once.")
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UsageError(f"{path} is no file")
        with path.open("rb") as file:
            data = file.read(offline.MOST_BYTES + 1)
    except FileNotFoundError:
        raise UsageError(f"there is no file {path}") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    return of_bytes(str(path), data, keys[0] if keys else None, witnesses, quorum, roots)


def of_bytes(
    name: str,
    data: bytes,
    key: str | None,
    witnesses: Sequence[str] = (),
    quorum: int | None = None,
    roots: Sequence[Certificate] = (),
) -> CheckedDocument:
    """Check the bytes of an evidence file that is called `name`."""
    log = None if key is None else _key(key)
    seen = [_key(told) for told in witnesses]
    unfit = offline.unfit(log, seen, quorum)
    if unfit:
        raise UsageError(unfit, "handledger verify FILE --key KEY [--witness KEY ...] [--quorum N]")
    try:
        found = offline.check(data, log, seen, quorum)
        _once_more(found, key, witnesses)
        stamped, unstamped = _stamped(found, roots)
        again = _refound(found)
    except offline.Refused as refusal:
        return CheckedDocument(
            file=name,
            holds=False,
            code=refusal.code,
            reason=str(refusal),
            origin="" if log is None else log[0],
            size=0,
            events=0,
            proven=[],
            claimed=[],
            not_covered=list(NOT_COVERED),
            verdict="not-verified",
            line=f"NOT VERIFIED ({refusal.code}): {refusal}",
        )
    return _told(name, found, stamped, unstamped, again)


def _told(
    name: str, found: offline.Checked, stamped: dict[str, str], unstamped: dict[str, str], again: Refound
) -> CheckedDocument:
    """Return what is to be said of evidence that holds."""
    events = sum(entry["count"] for entry in found["entries"])
    proven = [
        (
            f"{events} events of one {found['entries'][0]['kind']} stand in the log of {found['origin']}, which had "
            f"{found['size']:,} commits when it was signed, numbered one by one without a gap"
        )
    ]
    if found["witnesses"]:
        proven.append(f"witnesses who cosigned: {found['quorum']} or more of {found['witnesses']}, as demanded")
    proven += [f"the checkpoint, and so all that it covers, existed before {said}" for said in stamped.values()]
    proven += again.proven
    if found["opened"]:
        proven.append(f"{found['opened']} opened cards are those that were committed to")
    if found["money"] == 0:
        proven.append("the chips that went in came out again")
    elif found["money"] is not None:
        proven.append(f"the chips do not add up: {found['money']} more went in than came out")
    why = {one: _WHY[one.split("/")[0]] for one in found["beside"] if one.split("/")[0] in _WHY}
    why = {one: said for one, said in why.items() if one not in stamped} | again.uncovered
    claimed = ["when it was recorded and by whom", *unstamped.values()]
    if not found["checked"]:
        proven, claimed = [], ["all of it, as nobody's signature was looked at (no --key)", *proven, *claimed]
    return CheckedDocument(
        file=name,
        holds=found["checked"],
        code="" if found["checked"] else "signer",
        reason="" if found["checked"] else "no key was given: nobody's signature was looked at",
        origin=found["origin"],
        size=found["size"],
        events=events,
        proven=proven,
        claimed=claimed,
        not_covered=[*NOT_COVERED, *(f"{one}: {said}" for one, said in sorted(why.items()))],
        verdict="verified" if found["checked"] else "consistent",
        line=offline.verdict(found, sorted(why)),
    )


def _once_more(found: offline.Checked, key: str | None, witnesses: Sequence[str]) -> None:
    """Prove it with the code that seals too; `Refused` if that says anything else."""
    from ledger.evidence.again import proved
    from ledger.seal.note import read_key

    try:
        point = proved(
            found["files"],
            None if key is None else read_key(key),
            [read_key(told) for told in witnesses],
            found["quorum"],
        )
    except ProofError as error:
        raise offline.Refused("disagreement", f"proved once more, it does not hold: {error.message}") from None
    if (point.origin, point.size, point.root.hex()) != (found["origin"], found["size"], found["root"]):
        raise offline.Refused("disagreement", "proved once more, it is of another checkpoint")


def _stamped(found: offline.Checked, roots: Sequence[Certificate]) -> tuple[dict[str, str], dict[str, str]]:
    """Return by name what time stamps prove, and what others only claim; `Refused` if a demanded one is not there.

    That each is over this checkpoint the single-file verifier has found out.
    """
    from ledger.seal import stamps

    proven, claimed, reason = {}, {}, "it holds no time stamp, and one is demanded"
    for told in found["stamps"]:
        name, why = told["name"], "not checked: give --tsa"
        if roots:
            try:
                vouched = stamps.checked(found["files"][name], found["signed"], roots)
            except ProofError as error:
                reason = why = error.message
            else:
                proven[name] = str(vouched)
                continue
        claimed[name] = f"that it existed before {told['time']}, says {name}: {why}"
    if roots and not proven:
        raise offline.Refused("stamp", reason)
    return proven, claimed


def _refound(found: offline.Checked) -> Refound:
    from cli.refinding import Refound, refound

    return refound(found) if "findings.json" in found["files"] else Refound([], {})


def _key(told: str) -> offline.Key:
    from ledger.seal.note import read_key

    read_key(told)  # it refuses more than the single file does, and says why
    try:
        return offline.read_key(told)
    except ValueError:
        raise SigningKeyError("this is no public key, or a damaged one", "Pass it on as it was printed.") from None


def text(told: CheckedDocument) -> str:
    """Return the verdict for people."""
    style = {"verified": "bold", "consistent": "yellow"}.get(told.verdict, "red")
    lines = [output.paint(safe.terminal(told.line, 4000), style)]
    if told.verdict != "not-verified":
        for label, said in (("proven", told.proven), ("claimed", told.claimed), ("not covered", told.not_covered)):
            lines += [f"{label + ':':<13}{safe.terminal(one, 400)}" for one in said]
    return "\n".join(lines)
