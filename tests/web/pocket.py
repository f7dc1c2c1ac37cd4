"""The folder of the page in the pocket, built once for the tests that look at it; they are skipped where Pyodide isn't there."""

from __future__ import annotations

import functools
import gzip
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Final

import pytest

from web.pages.html import read_static
from web.pocket.folder import MARKER, write_folder
from web.pocket.runtime import ARCHIVES, find_cache_folder

NODE: Final = shutil.which("node")
ARCHIVE_FOLDER: Final = Path(os.environ.get("HANDLEDGER_POCKET_ARCHIVES") or find_cache_folder())


def missing_archives() -> list[str]:
    """Return the names of the archives that aren't there."""
    return [archive.file_name for archive in ARCHIVES if not (ARCHIVE_FOLDER / archive.file_name).is_file()]


needs_pyodide = pytest.mark.skipif(
    bool(missing_archives()),
    reason=f"not in the cache: {' and '.join(missing_archives())}. `handledger pocket -o pocket` fetches them",
)
needs_node = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")


_BUILT: Final[list[Path]] = []
"""The folder that this process built."""


def build_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder, which the first test of a run builds."""
    if _BUILT:
        return _BUILT[0]
    _BUILT.append(_build_folder(tmp_path_factory))
    return _BUILT[0]


def _build_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shared = tmp_path_factory.getbasetemp().parent / "pocket" if "PYTEST_XDIST_WORKER" in os.environ else None
    folder = shared or tmp_path_factory.mktemp("pocket") / "pocket"
    folder.parent.mkdir(parents=True, exist_ok=True)
    if shared is None:
        write_folder(folder, ARCHIVE_FOLDER)
        return folder
    import fcntl  # noqa: PLC0415 - only where several processes share it

    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / MARKER).is_file():
            write_folder(folder, ARCHIVE_FOLDER)
    return folder


def lay_out_engine(folder: Path, target: Path) -> Path:
    """Copy what node needs of a folder, uncompressed, and return where it is."""
    target.mkdir()
    for path in (folder / "engine").iterdir():
        shutil.copy(path, target / path.name)
    (target / "pyodide.asm.wasm").write_bytes(gzip.decompress((folder / "engine/pyodide.asm.wasm.gz").read_bytes()))
    (target / "engine.mjs").write_text(read_static("pocket/engine.js"), "utf-8")
    shutil.copy(Path(__file__).with_name("pocket_law.mjs"), target / "law.mjs")
    return target


class StaticServer:
    """A plain server of static files, as any: it knows nothing of us. `sent` counts the bytes of its answers."""

    def __init__(self, folder: Path) -> None:
        self.sent = 0
        counted = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map: ClassVar = {
                **http.server.SimpleHTTPRequestHandler.extensions_map,
                ".mjs": "text/javascript",
            }

            def log_message(self, *_: object) -> None:
                pass

            def copyfile(self, source: object, outputfile: object) -> None:
                data = source.read()
                counted.sent += len(data)
                outputfile.write(data)

        self.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))
        )

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/"


@contextmanager
def static_server(folder: Path) -> Iterator[StaticServer]:
    """Serve a folder on this machine."""
    started = StaticServer(folder)
    thread = threading.Thread(target=started.server.serve_forever)
    thread.start()
    try:
        yield started
    finally:
        started.server.shutdown()
        thread.join()
        started.server.server_close()
