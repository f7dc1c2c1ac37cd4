"""What must hold of a reader whatever it is given: no error leaves it, every byte is accounted for."""

from __future__ import annotations

from time import process_time
from typing import Final

import msgspec

from ledger import formats
from ledger.account import Account, Reject
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.intake.byte_accounts import count_bytes as accounted
from ledger.intake.encoding import convert_to_utf8, detect_encoding
from ledger.notation import Chunk
from ledger.people import People
from ledger.store.log.hand_facts import infer_hand_facts
from ledger.table.events import TableEvent
from ledger.table.played import build_hand_played
from tests.conftest import ROOT

SECONDS: Final = 5.0
"""More processor time than this for 200 KB is a pump, not a slow machine: readers need milliseconds."""

_hands = msgspec.json.Decoder(list[HandEvent])
_tables = msgspec.json.Decoder(list[TableEvent])


def check(name: str, data: bytes, seconds: float = SECONDS) -> None:
    """Read `data` with that reader; whatever is wrong with the reader raises."""
    form = formats.get(name)
    encoding = detect_encoding(data[:4096])
    form.sniff(convert_to_utf8(data[:4096], encoding))
    form.find_cut(data, encoding)
    chunk = Chunk(data, encoding=encoding, name="fuzz.txt")
    cpu_start = process_time()
    items = list(form.read(chunk, People(bytes(32))))
    spent = process_time() - cpu_start
    assert spent < seconds, f"{spent:.1f} s for {len(data)} bytes"
    assert accounted(chunk, items).not_read == 0
    for item in items:
        if isinstance(item, Reject):
            assert item.code
            assert item.reason
            continue
        assert len(item.places) == 2 * len(item.events)
        for start, length in zip(item.places[::2], item.places[1::2], strict=True):
            assert 0 <= start <= start + length <= item.length, (start, length, item.length)
        assert all(0 <= index < len(item.events) for index in (*item.inferred, *item.times))
        stored = msgspec.json.encode(item.events)
        if isinstance(item, Account):
            assert _hands.decode(stored) == item.events
            infer_hand_facts(item.events)
            build_hand_played(fold(item.events), "0" * 32)
        else:
            assert _tables.decode(stored) == item.events


def corpus(name: str) -> list[bytes]:
    """Return our own samples of a format."""
    module = formats.find_module_name(name).rpartition(".")[2]
    folders = (
        ROOT / "tests/formats" / module / "samples",
        ROOT / "tests/formats" / module / "local",  # in other languages
        ROOT / "cli/samples" if name == "handscript" else ROOT / "none",
    )
    return [
        path.read_bytes()
        for folder in folders
        if folder.is_dir()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".golden"
    ]
