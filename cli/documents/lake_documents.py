"""Documents of commands about lakes."""

from __future__ import annotations

from cli.documents.command_documents import CommandDocument


class LakeDocument(CommandDocument, tag="handledger/lake/1"):
    """What `shard` wrote."""

    lake: str
    ledger: str  # its id
    position: int  # up to which it was read
    head: str  # hash that binds all up to there
    shards: int
    written: int  # now; the others were there
    tables: int
    hands: int
    commits: int
    bytes: int
