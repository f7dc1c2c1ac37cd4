"""A ledger in which everything that strangers can write is hostile."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from ledger.intake import import_paths
from ledger.seal import keys
from ledger.seal.note import HeldKey
from ledger.store import open as open_ledger
from ledger.store.seals import sealer
from tests.cli.conftest import book, night, run
from tests.intake.hands import hand

__all__ = ["book", "night", "run"]

MARKUP = ["[/]", "[red]x[/red]", "[link=http://e]x[/link]", "\\[", "{{7*7}}", "%s{0}", "<b>x</b>"]
"""Names that some printer could take for markup. All of it can be read as it stands."""

NAMES = [
    "\x1b]0;owned\x07",
    "\x1b[2J\x1b[H",
    "\x1b]52;c;ZXZpbA==\x07",
    "\x1b]8;;http://e\x1b\\x\x1b]8;;\x1b\\",
    "\x9b31mred",
    "a\rb\bc",
    "two\nlines",
    '", "x": "y',
    "a\u202eb\u2066c",
    "\u200d\ufeff\u200bzero",
    "e" + "\u0301" * 60,
    "x" * 5000,
    "=HYPERLINK(1)",
    "+1",
    "-1",
    "@SUM(1)",
    "\t=1",
    "../../x",
    "/abs",
    "..\\x",
    "con",
    "n" * 300,
    "-rf",
    ".",
    "' OR 1=1 --",
    "'; DROP TABLE log; --",
    "%",
    "_",
    *MARKUP,
]


class Hostile(NamedTuple):
    """Where the ledger is, the file it was made of, its key, and one evidence file's name to be."""

    folder: Path
    url: str
    file: str
    key: str
    hands: int


def quoted(name: str) -> str:
    """A name inside a TOML string."""
    return "".join(f"\\u{ord(c):04X}" if not c.isalnum() or ord(c) > 126 else c for c in name)


def evening(names: list[str]) -> str:
    """Hands of two players each; the table is called like the first of them."""
    return "\n".join(
        f"[{number}]\n" + hand(number, names=(quoted(name), "Bob"), table=quoted(name)[:600] or "T")
        for number, name in enumerate(names, 1)
    )


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    folder = tmp_path_factory.mktemp("hostile")
    path = folder / "night\x1b[2J\u202e\n.phhs"
    broken = f'\n[999]\nvariant = "{"y" * 50}\x9b\x1b[1m"\nactions = []\n'
    path.write_text(evening(NAMES) + broken)
    url = str(folder / "hands.ledger")
    with open_ledger(url) as opened:
        total = import_paths(opened, [path]).total
        assert (total.new, total.rejected) == (len(NAMES), 1)
        private = keys.create_key(folder / "room.key")
        signer = HeldKey(sealer.origin(opened), private)
        sealer.seal(opened, signer, keys.SignatureMemory(folder / "room.key"))
    return Hostile(folder, url, str(path), str(folder / "room.key"), len(NAMES))
