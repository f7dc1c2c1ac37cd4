"""The Python that runs in the browser: pinned archives, fetched once through npm and pip, and checked by their hashes."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import platformdirs

from ledger import safe
from ledger.errors import HandledgerError, SourceError
from ledger.text.language import phrase

PYODIDE_VERSION: Final = "314.0.7"
_MSGSPEC_VERSION: Final = "0.22.0"
_PLATFORM: Final = "pyemscripten_2026_0_wasm32"
_FETCH_SECONDS: Final = 600
_RUNTIME_FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
"""What a browser needs of Pyodide's package. Its index of further packages isn't needed: there are none."""


class PinnedArchive(NamedTuple):
    """An archive that is fetched: its file name, its SHA-256, and the command that fetches it into a folder."""

    file_name: str
    digest: str
    command: tuple[str, ...]


PYODIDE: Final = PinnedArchive(
    f"pyodide-{PYODIDE_VERSION}.tgz",
    "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
    ("npm", "pack", f"pyodide@{PYODIDE_VERSION}", "--silent", "--pack-destination"),
)
MSGSPEC: Final = PinnedArchive(
    f"msgspec-{_MSGSPEC_VERSION}-cp314-cp314-{_PLATFORM}.whl",
    "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
    (
        *("pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--platform", _PLATFORM),
        *("--python-version", "3.14", f"msgspec=={_MSGSPEC_VERSION}", "--dest"),
    ),
)
ARCHIVES: Final = (PYODIDE, MSGSPEC)


class RuntimeArchiveError(HandledgerError):
    """An archive of the browser's Python can't be had, or isn't the one that we know."""

    code = "pocket-runtime"


def load_runtime(folder: Path | None = None) -> dict[str, bytes]:
    """Return the files of the browser's Python by name, from a folder with the archives or from the cache.

    What the cache lacks is fetched into it. `RuntimeArchiveError` if an archive can't be had or has another hash.
    """
    archives = {archive: _load_archive(archive, folder) for archive in ARCHIVES}
    with tarfile.open(fileobj=io.BytesIO(archives[PYODIDE]), mode="r:gz") as package:
        files = {name: _read_member(package, f"package/{name}") for name in _RUNTIME_FILES}
    return files | {"msgspec.whl": archives[MSGSPEC]}


def find_cache_folder() -> Path:
    """Return the folder that keeps the archives that were fetched."""
    return platformdirs.user_cache_path("handledger") / "pocket"


def _load_archive(archive: PinnedArchive, folder: Path | None) -> bytes:
    if folder is not None:
        data = _read_archive(folder / archive.file_name)
        if data is None:
            raise RuntimeArchiveError(
                phrase("{folder} has no {file}", folder=safe.terminal(str(folder)), file=archive.file_name),
                phrase("Fetch it into that folder: {command}", command=_describe_command(archive, str(folder))),
            )
        _require_digest(archive, data)
        return data
    path = find_cache_folder() / archive.file_name
    data = _read_archive(path)
    if data is None or sha256(data).hexdigest() != archive.digest:
        data = _fetch(archive)
        _require_digest(archive, data)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return data


def _read_archive(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SourceError(f"{safe.terminal(str(path))}: {error.strerror}") from None


def _require_digest(archive: PinnedArchive, data: bytes) -> None:
    if sha256(data).hexdigest() != archive.digest:
        raise RuntimeArchiveError(
            phrase("{file} isn't the file that handledger knows: its SHA-256 differs", file=archive.file_name),
            phrase("Delete it and fetch it again. If it differs again, don't use it."),
        )


def _fetch(archive: PinnedArchive) -> bytes:
    """Return an archive from the package index that npm or pip is set up with."""
    with tempfile.TemporaryDirectory(prefix="handledger-pocket-") as folder:
        problem = _run(archive, folder)
        data = _read_archive(Path(folder) / archive.file_name)
    if data is None:
        raise RuntimeArchiveError(
            phrase("{file} couldn't be fetched: {problem}", file=archive.file_name, problem=problem),
            phrase(
                "Fetch it on a machine that can: {command}. Then pass its folder with --from.",
                command=_describe_command(archive, "FOLDER"),
            ),
        )
    return data


def _run(archive: PinnedArchive, folder: str) -> str:
    """Run the command that fetches an archive. Return what went wrong."""
    program, *arguments = archive.command
    if program == "pip":
        command = [sys.executable, "-m", "pip", *arguments, folder]
    else:
        found_program = shutil.which(program)
        if found_program is None:
            return phrase("there is no {program} on this machine", program=program)
        command = [found_program, *arguments, folder]
    try:
        finished = subprocess.run(  # noqa: S603 - a fixed command of ours, without a shell
            command, capture_output=True, text=True, timeout=_FETCH_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return phrase("{program} didn't answer", program=program)
    lines = [line for line in finished.stderr.splitlines() if line.strip()]
    return safe.terminal(lines[-1], 200) if lines else phrase("{program} said nothing", program=program)


def _describe_command(archive: PinnedArchive, folder: str) -> str:
    return " ".join([*(word for word in archive.command if word not in {"--silent", "--quiet"}), folder])


def _read_member(package: tarfile.TarFile, name: str) -> bytes:
    member = package.extractfile(name)
    if member is None:
        raise RuntimeArchiveError(phrase("{file} is missing in its archive", file=name))
    return member.read()
