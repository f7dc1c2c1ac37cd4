"""Archives that break off or were changed: what was read and what was not is said of every byte."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.intake import import_paths
from ledger.store import open as open_ledger
from tests.intake.hands import hands

TEXTS = {"a.phhs": hands(1, 2), "b/c.phhs": hands(3, 4, 5) + "\n[9]\nvariant = \n", "d.txt": "no hand\n" * 40}


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in TEXTS.items():
            made.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def tarred() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as made:
        for name, text in TEXTS.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            made.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()


ARCHIVES: dict[str, Callable[[], bytes]] = {
    "gz": lambda: gzip.compress((hands(1, 2, 3) * 40).encode(), mtime=0),
    "gz of a gz": lambda: gzip.compress(gzip.compress(hands(1, 2, 3).encode(), mtime=0), mtime=0),
    "two gz in a row": lambda: gzip.compress(hands(1).encode(), mtime=0) + gzip.compress(hands(2).encode(), mtime=0),
    "zip": zipped,
    "zip in a gz": lambda: gzip.compress(zipped(), mtime=0),
    "tar": tarred,
    "tar in a gz": lambda: gzip.compress(tarred(), mtime=0),
}


@pytest.mark.slow
@pytest.mark.parametrize("dry", [True, False], ids=["dry", "stored"])
@pytest.mark.parametrize("kind", ARCHIVES)
def test_the_bytes_of_an_archive_that_breaks_off_or_was_changed_add_up(tmp_path: Path, kind: str, dry: bool) -> None:
    whole, path, failed = ARCHIVES[kind](), tmp_path / "x", 0
    with open_ledger(":memory:") as book:
        for at in [*range(0, len(whole), len(whole) // 60 + 1), *range(len(whole) - 12, len(whole))]:
            changed = whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]
            for data in (whole[:at], changed, whole[:at] + whole[at + 9 :]):
                path.write_bytes(data)
                import_summary = import_paths(book, [path], dry_run=dry)
                for one in (*import_summary.files, import_summary.total):
                    told = one.read + one.blank + one.rejected_bytes + one.not_read
                    assert told == one.length, (at, one)
                    assert min(one.read, one.blank, one.rejected_bytes, one.not_read) >= 0
                    assert one.outcome != "failed" or one.error
                failed += any(one.outcome == "failed" for one in import_summary.files)
        assert book.verify() == []
    assert failed > 10 or kind == "tar"
