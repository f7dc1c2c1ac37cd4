"""`handledger cosign`: sign a checkpoint as a witness, if the ledger has only grown since the last one."""

from __future__ import annotations

import time
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from cli.documents.command_documents import WitnessDocument
from cli.options import common_options, key_files
from cli.output import console


def command(
    request: Annotated[Path, typer.Argument(help="The file that `handledger seal --for-witness SIZE` wrote.")],
    *,
    log: Annotated[str, typer.Option("--log", metavar="KEY", help="The ledger's public key, from a source you trust.")],
    name: Annotated[str, typer.Option("--name", help="The name of this witness, such as auditor.example.")],
    key: key_files.KeyFile = None,
    new_key: Annotated[bool, typer.Option("--new-key", help="Make a new key first.")] = False,
    ask: key_files.AskPassphrase = False,
    passphrase_file: key_files.PassphraseFile = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Countersign a checkpoint as an independent witness."""
    from ledger.seal.keys import SignatureMemory
    from ledger.seal.log import cosign_request, read_request
    from ledger.seal.note import COSIGNATURE, HeldKey, read_checkpoint, read_key, read_note

    ledger_key = read_key(log)
    witness_request = read_request(key_files.read_note(request))
    key_path = key_files.find_key_file(key)
    private = key_files.load_key(key_path, new=new_key, ask=ask, file=passphrase_file)
    signer = HeldKey(name, private, COSIGNATURE)
    # The last signed checkpoint is kept next to the key, in a file for each ledger.
    ledger_digest = sha256(ledger_key.name.encode()).hexdigest()[:16]
    memory = SignatureMemory(key_path.with_name(f"{key_path.name}.{ledger_digest}"))
    note = cosign_request(witness_request, ledger_key, memory.read_last(), signer, int(time.time()))
    memory.keep(note)
    checkpoint = read_checkpoint(read_note(note))
    if format_ == "json":
        console.write_document(
            WitnessDocument(
                origin=checkpoint.origin,
                size=checkpoint.size,
                root=checkpoint.root.hex(),
                key=str(signer.key),
                note=note,
            ),
            file,
        )
    else:
        console.write_text(note, file)
