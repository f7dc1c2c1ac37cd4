"""Archives that break off or were changed: what was read and what was not is said of every byte."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.intake import ImportOptions, import_paths
from ledger.store import open as open_ledger
from tests.intake.hands import hands

TEXTS = {"a.phhs": hands(1, 2), "b/c.phhs": hands(3, 4, 5) + "\n[9]\nvariant = \n", "d.txt": "no hand\n" * 40}


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in TEXTS.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def tarred() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, text in TEXTS.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
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
    packed, path, failed = ARCHIVES[kind](), tmp_path / "x", 0
    with open_ledger(":memory:") as book:
        for offset in [*range(0, len(packed), len(packed) // 60 + 1), *range(len(packed) - 12, len(packed))]:
            changed = packed[:offset] + bytes([packed[offset] ^ 0x55]) + packed[offset + 1 :]
            for data in (packed[:offset], changed, packed[:offset] + packed[offset + 9 :]):
                path.write_bytes(data)
                import_summary = import_paths(book, [path], ImportOptions(dry_run=dry))
                for file in (*import_summary.files, import_summary.total):
                    total_bytes = file.read + file.blank + file.rejected_bytes + file.not_read
                    assert total_bytes == file.length, (offset, file)
                    assert min(file.read, file.blank, file.rejected_bytes, file.not_read) >= 0
                    assert file.outcome != "failed" or file.error
                failed += any(file.outcome == "failed" for file in import_summary.files)
        assert book.verify() == []
    assert failed > 10 or kind == "tar"
