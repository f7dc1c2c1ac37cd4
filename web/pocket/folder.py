"""Write the folder of the page in the pocket: page, scripts, texts, Python and our modules."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from ledger import __version__, safe
from ledger.errors import HandledgerError, UsageError
from ledger.text.language import ENGLISH, LANGUAGES, phrase, use_language
from web.pages.html import list_static, read_static
from web.pocket.engine_archive import build_catalogue, build_engine_archive
from web.pocket.pocket_words import list_words
from web.pocket.runtime import PYODIDE_VERSION, load_runtime

_HERE: Final = Path(__file__).parent
MARKER: Final = "pocket.json"
"""The file by which a folder that we wrote is known: it may be written again."""
_COMPILED: Final = ("python_stdlib.zip", "handledger.zip")
_COMPILE_SECONDS: Final = 600
_SHARED_SCRIPTS: Final = (
    "keep/felt.js",
    "keep/card_grid.js",
    "keep/words.js",
    "keep/lines.js",
    "vendor/preact-11.2.0.min.js",
)
"""Scripts of the page that keeps a table which this page uses too."""
_STYLES: Final = ("page.css", "keep.css", "keep_sheets.css", "pocket/pocket.css")
_AT_TOP: Final = {
    "pocket/index.html": "index.html",
    "pocket/icon.svg": "icon.svg",
    "pocket/manifest.webmanifest": "manifest.webmanifest",
}
_LICENSES: Final = f"""\
This folder holds:
handledger {__version__}, Apache-2.0
Pyodide {PYODIDE_VERSION}, MPL-2.0, https://github.com/pyodide/pyodide
Python 3.14 and its standard library, PSF-2.0, https://www.python.org
msgspec 0.22.0, BSD-3-Clause, https://github.com/jcrist/msgspec
Preact 11, MIT, https://github.com/preactjs/preact
"""


class PocketFolder(NamedTuple):
    """A folder that was written: the size of its files in bytes, and whether its modules are compiled."""

    files: dict[str, int]
    digest: str
    is_compiled: bool


class PocketFolderError(HandledgerError):
    """The folder can't be written."""

    code = "pocket-folder"


def write_folder(target: Path, archives: Path | None = None) -> PocketFolder:
    """Write the folder, in place of one that an earlier call wrote. `archives`: a folder with the archives to use."""
    _require_writable(target)
    files, is_compiled = build_files(archives)
    temporary = target.with_name(f".{target.name}.new")
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        for name, data in files.items():
            path = temporary / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        shutil.rmtree(target, ignore_errors=True)
        temporary.rename(target)
    except OSError as error:
        raise PocketFolderError(f"{safe.terminal(str(target))}: {error.strerror}") from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return PocketFolder(
        {name: len(data) for name, data in files.items()}, json.loads(files[MARKER])["digest"], is_compiled
    )


def build_files(archives: Path | None = None) -> tuple[dict[str, bytes], bool]:
    """Return the files of the folder by name, and whether their modules are compiled."""
    python_files = {**load_runtime(archives), "handledger.zip": build_engine_archive()}
    compiled = _compile(python_files)
    python_files |= compiled or {}
    python_files["pyodide.asm.wasm.gz"] = gzip.compress(python_files.pop("pyodide.asm.wasm"), 9, mtime=0)
    python_files["pyodide.asm.mjs.gz"] = gzip.compress(python_files["pyodide.asm.mjs"], 9, mtime=0)
    for language in LANGUAGES:
        if language != ENGLISH:
            python_files[f"{language}.mo.gz"] = gzip.compress(build_catalogue(language), 9, mtime=0)
    files = {f"engine/{name}": data for name, data in python_files.items()} | _list_page_files()
    digest = _compute_digest(files)
    names = ["./", *(name for name in sorted(files) if name not in {"index.html", "engine/pyodide.asm.mjs"})]
    worker = read_static("pocket/service_worker.js")
    worker = worker.replace("DIGEST", digest[:16], 1).replace("[/* FILES */]", json.dumps(names), 1)
    files["service_worker.js"] = worker.encode()
    files["licenses.txt"] = _LICENSES.encode()
    files[MARKER] = json.dumps({"handledger": __version__, "pyodide": PYODIDE_VERSION, "digest": digest}).encode()
    return files, compiled is not None


def _list_page_files() -> dict[str, bytes]:
    scripts = [f"pocket/{name}" for name in list_static("pocket") if name != "service_worker.js"]
    names = [*_SHARED_SCRIPTS, *scripts, *_STYLES]
    files = {name: read_static(name).encode() for name in names}
    files |= {target: read_static(name).encode() for name, target in _AT_TOP.items()}
    for language in LANGUAGES:
        with use_language(language):
            files[f"words/{language}.json"] = json.dumps(list_words(), ensure_ascii=False).encode()
    return files


def _compute_digest(files: Mapping[str, bytes]) -> str:
    digest = sha256()
    for name in sorted(files):
        digest.update(f"{name}\0{len(files[name])}\0".encode() + files[name])
    return digest.hexdigest()


def _compile(python_files: Mapping[str, bytes]) -> dict[str, bytes] | None:
    """Return the archives with compiled modules, or None if there's no node that can do it: the page then starts slower."""
    node = shutil.which("node")
    if node is None:
        return None
    with tempfile.TemporaryDirectory(prefix="handledger-pocket-") as name:
        folder = Path(name)
        for file_name, data in python_files.items():
            (folder / file_name).write_bytes(data)
        for script in ("compile.mjs", "exercise.json"):
            shutil.copyfile(_HERE / script, folder / script)
        (folder / "engine.mjs").write_text(read_static("pocket/engine.js"), "utf-8")
        try:
            subprocess.run(  # noqa: S603 - our own script, without a shell
                [node, str(folder / "compile.mjs"), name], capture_output=True, timeout=_COMPILE_SECONDS, check=True
            )
        except (OSError, subprocess.SubprocessError):
            return None
        return {file_name: (folder / file_name).read_bytes() for file_name in _COMPILED}


def _require_writable(target: Path) -> None:
    """Raise `UsageError` if the folder holds something that we didn't write."""
    if target.exists() and (not target.is_dir() or (any(target.iterdir()) and not (target / MARKER).is_file())):
        raise UsageError(
            phrase("{folder} holds other files", folder=safe.terminal(str(target))),
            phrase("Name a new folder, or an empty one: all that's in it would be replaced."),
        )
