"""`handledger seal`: sign the ledger, so that nobody can rewrite it unnoticed."""

from __future__ import annotations

import os
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.documents.command_documents import SealDocument
from cli.options import common_options, key_files, ledger_options, stamp_options
from cli.output import console
from ledger import safe
from ledger.seal import verify_errors

_POLL_SECONDS: Final = 1.0
"""Seconds between two checks for new commits."""

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from ledger.seal.keys import SignatureMemory
    from ledger.seal.note import HeldKey
    from ledger.store import Ledger


_SECOND_KEY: Final = (
    "This ledger was signed with another key before. From now on, whoever verifies it needs both public keys."
)

SealInterval = Annotated[
    int | None,
    typer.Option(
        "--every",
        metavar="SECONDS",
        min=1,
        help="Keep running: seal new commits, and at once when a table's session ends.",
    ),
]

ForWitness = Annotated[
    int | None,
    typer.Option(
        "--for-witness",
        metavar="SIZE",
        min=0,
        help="Write a request for a witness that saw SIZE commits so far (0: none).",
    ),
]
Cosigned = Annotated[
    str | None, typer.Option("--cosigned", metavar="FILE", help="Store a checkpoint that a witness cosigned.")
]
Lake = Annotated[
    Path | None, typer.Option("--lake", metavar="DIR", help="Sign a lake made by `import --to-shards`, not a ledger.")
]
Restored = Annotated[
    bool,
    typer.Option(
        "--restored", help="You restored the ledger from an older copy. This is recorded; requires --new-key."
    ),
]
RepairTree = Annotated[
    bool, typer.Option("--repair-tree", help="Rebuild the stored tree from the log. Nothing is signed.")
]
ForTimestamp = Annotated[
    bool, typer.Option("--for-timestamp", help="Write a request (RFC 3161) for a time stamp of the newest checkpoint.")
]
Timestamped = Annotated[
    Path | None,
    typer.Option("--timestamped", metavar="FILE", help="Check and store the authority's answer; requires --tsa."),
]


def command(
    *,
    key: key_files.KeyFile = None,
    new_key: Annotated[
        bool, typer.Option("--new-key", help="Make a new key first. Keep its file off this machine's backups.")
    ] = False,
    name: Annotated[
        str, typer.Option("--name", help="The ledger's keeper, such as room.example; signed with the rest.")
    ] = "",
    ask: key_files.AskPassphrase = False,
    passphrase_file: key_files.PassphraseFile = None,
    interval: SealInterval = None,
    for_witness: ForWitness = None,
    cosigned: Cosigned = None,
    for_timestamp: ForTimestamp = False,
    timestamped: Timestamped = None,
    tsa: stamp_options.Trusted = None,
    lake: Lake = None,
    restored: Restored = False,
    repair_tree: RepairTree = False,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Sign the ledger so that nobody can rewrite it unnoticed."""
    requests = (for_witness, cosigned, for_timestamp or None, timestamped)
    _require_one_choice(interval, *requests, lake, repair_tree or None)
    if restored and (not new_key or lake is not None or any(request is not None for request in requests)):
        raise verify_errors.restored_needs_new_key()
    _check_authority(tsa, timestamped)
    if lake is not None:
        if url not in (None, os.environ.get("HANDLEDGER_URL")):
            raise verify_errors.lake_and_ledger()
        private = key_files.load_key(key_files.find_key_file(key), new=new_key, ask=ask, file=passphrase_file)
        _write_document(_seal_lake(lake, private, name), format_, file, lake)
        return
    from ledger.store.seals import sealer

    with ledger_options.open_ledger(url, create=new_key and not restored, read_only=False) as ledger:
        if repair_tree:
            _repair_tree(ledger, file)
            return
        if any(request is not None for request in requests):
            _exchange_notes(ledger, for_witness, cosigned, timestamped, tsa, format_, file)
            return
        path = key_files.find_key_file(key)
        private = key_files.load_key(path, new=new_key, ask=ask, file=passphrase_file)
        if new_key and not restored and sealer.read_sealed_position(ledger):
            typer.echo(_SECOND_KEY, err=True)
        if restored:
            sealer.record_restore(ledger)
        signer, memory = build_signer(ledger, private, path, name)
        position = _seal_ended_hands(ledger)
        while True:
            document = seal_ledger(ledger, signer, memory)
            _write_document(document, format_, file)
            if interval is None:
                return
            position = _wait_for_session_end(ledger, interval, position)


def _check_authority(tsa: list[Path] | None, timestamped: Path | None) -> None:
    if tsa and timestamped is None:
        raise verify_errors.authority_without_stamp()


def _repair_tree(ledger: Ledger, file: Path | None) -> None:
    """Rebuild the stored tree from the log."""
    from ledger.store.seals import sealer

    size = sealer.repair_tree(ledger)
    console.write_text(f"Rebuilt the tree over {size:,} commits. Check it: handledger verify", file)


def _seal_ended_hands(ledger: Ledger) -> int:
    """Seal the live hands that ended since the last checkpoint; return the position reached."""
    from ledger.store.seals import sealer

    return sealer.seal_ended_hands(ledger, sealer.read_sealed_position(ledger))[0]


def _wait_for_session_end(ledger: Ledger, seconds: int, position: int) -> int:
    """Wait until the time is over or a table's session ends, so that it's signed before people leave.

    Return the position of the log up to which commits were checked.
    """
    from ledger.store.seals import sealer

    deadline = time.monotonic() + seconds
    has_ended = False
    while not has_ended and (seconds_left := deadline - time.monotonic()) > 0:
        time.sleep(min(_POLL_SECONDS, seconds_left))
        position, has_ended = sealer.seal_ended_hands(ledger, position)
    return position


_TASK_OPTIONS: Final = (
    "--every",
    "--for-witness",
    "--cosigned",
    "--for-timestamp",
    "--timestamped",
    "--lake",
    "--repair-tree",
)
"""Options that exclude each other."""


def _require_one_choice(*choices: object) -> None:
    if sum(choice is not None for choice in choices) > 1:
        raise verify_errors.options_exclude(_TASK_OPTIONS)


def _exchange_notes(
    ledger: Ledger,
    for_witness: int | None,
    cosigned: str | None,
    timestamped: Path | None,
    tsa: list[Path] | None,
    shape: str,
    file: Path | None,
) -> None:
    """Write a request for a witness or an authority, or store its answer. Nothing is signed."""
    from ledger.store.seals import sealer, time_stamps

    if cosigned is not None:
        console.write_text(_add_cosignatures(ledger, cosigned, shape), file)
    elif for_witness is not None:
        console.write_text(str(sealer.build_witness_request(ledger, for_witness)), file)
    elif timestamped is not None:
        document = stamp_options.take_stamp(ledger, timestamped, tsa)
        if shape == "json":
            console.write_document(document, file)
        else:
            console.write_text(stamp_options.describe_stamp(document), file)
    else:
        console.write_bytes(time_stamps.request_stamp(ledger), file)


def build_signer(ledger: Ledger, private: object, path: Path, name: str = "") -> tuple[HeldKey, SignatureMemory]:
    """Return the signer of a ledger and the memory of its last signature.

    `private`: an Ed25519 key. `name`: the keeper's name; by default that of the last signature.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from ledger.seal.keys import SignatureMemory
    from ledger.seal.note import HeldKey, read_checkpoint, read_note
    from ledger.store.seals import sealer

    assert isinstance(private, Ed25519PrivateKey)  # noqa: S101 - the caller loaded it
    memory = SignatureMemory(path)
    last_note = memory.read_last()
    earlier_origin = read_checkpoint(read_note(last_note)).origin if last_note else ""
    if name and earlier_origin and earlier_origin.split("/")[0] != name:
        raise verify_errors.key_of_other_name(earlier_origin.split("/")[0], name)
    origin = sealer.origin(ledger, name or earlier_origin.split("/")[0] or sealer.NAME)
    if earlier_origin and earlier_origin != origin:
        raise verify_errors.key_of_other_ledger(earlier_origin, origin)
    return HeldKey(origin, private), memory


def _seal_lake(lake: Path, private: Ed25519PrivateKey, name: str) -> SealDocument:
    """Sign a lake, and return its document."""
    from ledger.lake.lake_signature import sign
    from ledger.store.seals import sealer

    with console.show_progress("reading the lake"):
        sealing_result = sign(lake, private, name or sealer.NAME)
    return SealDocument(
        ledger=str(lake),
        new=sealing_result.new,
        origin=sealing_result.point.origin,
        size=sealing_result.point.size,
        root=sealing_result.point.root.hex(),
        key=sealing_result.key,
        note=sealing_result.note,
    )


def seal_ledger(ledger: Ledger, signer: HeldKey, memory: SignatureMemory) -> SealDocument:
    """Seal a ledger, and return its document."""
    from ledger.store.seals import sealer

    progress = console.ProgressLine()
    try:
        sealing_result = sealer.seal(ledger, signer, memory, lambda size: progress(f"{size:,} commits"))
    finally:
        progress.clear()
    return SealDocument(
        ledger=ledger_options.name_ledger(ledger),
        new=sealing_result.is_new,
        origin=sealing_result.checkpoint.origin,
        size=sealing_result.checkpoint.size,
        root=sealing_result.checkpoint.root.hex(),
        key=str(signer.key),
        note=sealing_result.note,
    )


def _write_document(document: SealDocument, shape: str, file: Path | None, lake: Path | None = None) -> None:
    if shape == "json":
        console.write_document(document, file)
    elif file is not None:
        console.write_text(document.note, file)  # the checkpoint alone, for the archive
        if str(file) != "-":
            console.write_text(_describe_file(document, file, lake))
    else:
        console.write_text(format_seal(document))


def format_seal(document: SealDocument) -> str:
    """Return a checkpoint as text."""
    return "\n".join([*_list_heading(document), "", safe.lines(document.note)])


def _list_heading(document: SealDocument) -> list[str]:
    heading = f"sealed {document.size:,} commits"
    if not document.new:
        heading = f"nothing new since {document.size:,} commits were sealed"
    return [
        console.paint(heading, "bold"),
        f"root        {document.root}",
        f"public key  {safe.terminal(document.key, 400)}",
    ]


def _describe_file(document: SealDocument, file: Path, lake: Path | None) -> str:
    """Return the text about a checkpoint in a file, with its key: nobody can check it without."""
    lake_argument = "" if lake is None else shlex.quote(safe.terminal(str(lake), 4000)) + " "
    file_name = shlex.quote(safe.terminal(str(file), 4000))
    return "\n".join(
        [
            *_list_heading(document),
            f"checkpoint  {file_name}",
            f"Keep both away from this machine. To check the {'lake' if lake_argument else 'ledger'} by them:",
            f"  handledger verify {lake_argument}--against {file_name} --key KEY",
        ]
    )


def _add_cosignatures(ledger: Ledger, name: str, shape: str) -> str:
    from ledger.store.seals import sealer

    count = sealer.add_cosignatures(ledger, key_files.read_note(Path(name)))
    if shape == "json":
        note = sealer.checkpoint(ledger)
        from ledger.seal.note import read_checkpoint, read_note

        point = read_checkpoint(read_note(note))
        return console.encode_document(
            SealDocument(
                ledger=ledger_options.name_ledger(ledger),
                new=count > 0,
                origin=point.origin,
                size=point.size,
                root=point.root.hex(),
                key="",
                note=note,
            )
        )
    return f"{count} new cosignature{'s' * (count != 1)} kept"
