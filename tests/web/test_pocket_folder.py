"""The folder of the page in the pocket: what goes into it, and what it refuses. No browser and no Pyodide is needed."""

from __future__ import annotations

import gettext
import io
import json
import re
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from ledger.errors import UsageError
from ledger.text.language import DOMAIN, LANGUAGES, LOCALES, use_language
from tests.conftest import ROOT
from web.pages.html import list_static, read_static
from web.pocket import folder as pocket_folder
from web.pocket import runtime
from web.pocket.engine_archive import build_catalogue, build_engine_archive
from web.pocket.pocket_words import WORDS, list_words

SCRIPTS = ROOT / "web" / "static" / "pocket"


@pytest.fixture
def archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with archives of no content, which are taken for the pinned ones; and no node."""
    package = io.BytesIO()
    with tarfile.open(fileobj=package, mode="w:gz") as tar:
        for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
            data = f"// {name}".encode()
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    contents = {"PYODIDE": package.getvalue(), "MSGSPEC": b"wheel"}
    place = tmp_path / "archives"
    place.mkdir()
    pinned = {}
    for name, data in contents.items():
        pinned[name] = getattr(runtime, name)._replace(digest=sha256(data).hexdigest())
        (place / pinned[name].file_name).write_bytes(data)
        monkeypatch.setattr(runtime, name, pinned[name])
    monkeypatch.setattr(runtime, "ARCHIVES", tuple(pinned.values()))
    monkeypatch.setattr(pocket_folder.shutil, "which", lambda _: None)
    return place


def test_a_folder_has_all_that_the_page_asks_for(archives: Path, tmp_path: Path) -> None:
    written = pocket_folder.write_folder(tmp_path / "pocket", archives)
    assert not written.is_compiled
    page = (tmp_path / "pocket/index.html").read_text("utf-8")
    for name in re.findall(r'(?:href|src)="([^"#]+)"', page):
        assert name in written.files, name
    for script in [name for name in written.files if name.endswith(".js")]:
        text = (tmp_path / "pocket" / script).read_text("utf-8")
        for imported in re.findall(r'from "(\.[^"]+)"', text):
            target = (tmp_path / "pocket" / script).parent / imported
            assert target.resolve().relative_to((tmp_path / "pocket").resolve()).as_posix() in written.files, (
                script,
                imported,
            )


def test_the_worker_keeps_every_file_that_the_page_needs_without_a_network(archives: Path, tmp_path: Path) -> None:
    written = pocket_folder.write_folder(tmp_path / "pocket", archives)
    worker = (tmp_path / "pocket/service_worker.js").read_text("utf-8")
    names = json.loads(re.search(r"const FILES = (\[.*\]);", worker)[1])
    assert names[0] == "./"
    not_kept = {"index.html", "engine/pyodide.asm.mjs", "service_worker.js", "licenses.txt", pocket_folder.MARKER}
    assert set(names[1:]) == set(written.files) - not_kept
    assert f'"handledger pocket {written.digest[:16]}"' in worker


def test_the_same_sources_give_the_same_folder(archives: Path, tmp_path: Path) -> None:
    first = pocket_folder.write_folder(tmp_path / "pocket", archives)
    assert pocket_folder.write_folder(tmp_path / "pocket", archives).digest == first.digest  # in its place


def test_a_folder_with_other_files_is_left_alone(archives: Path, tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters/home.txt").write_text("dear")
    with pytest.raises(UsageError, match="letters holds other files"):
        pocket_folder.write_folder(tmp_path / "letters", archives)
    assert (tmp_path / "letters/home.txt").read_text() == "dear"


def test_another_archive_than_the_pinned_one_is_refused(archives: Path, tmp_path: Path) -> None:
    (archives / runtime.MSGSPEC.file_name).write_bytes(b"another wheel")
    with pytest.raises(runtime.RuntimeArchiveError, match="isn't the file that handledger knows"):
        pocket_folder.write_folder(tmp_path / "pocket", archives)
    assert not (tmp_path / "pocket").exists()


def test_a_missing_archive_is_named_with_the_command_that_fetches_it(archives: Path, tmp_path: Path) -> None:
    (archives / runtime.PYODIDE.file_name).unlink()
    with pytest.raises(runtime.RuntimeArchiveError, match=r"has no pyodide-[\d.]+\.tgz") as caught:
        pocket_folder.write_folder(tmp_path / "pocket", archives)
    assert f"npm pack pyodide@{runtime.PYODIDE_VERSION} --pack-destination {archives}" in caught.value.hint


def test_without_npm_the_error_says_how_to_fetch_elsewhere(
    archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "find_cache_folder", lambda: tmp_path / "cache")
    with pytest.raises(runtime.RuntimeArchiveError, match="there is no npm on this machine") as caught:
        runtime.load_runtime()
    assert "--from" in caught.value.hint


def test_what_was_fetched_is_kept_and_checked_again(archives: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "find_cache_folder", lambda: archives)
    assert runtime.load_runtime()["msgspec.whl"] == b"wheel"


def test_the_archive_holds_what_works_out_dues_and_nothing_that_stores_or_serves() -> None:
    with zipfile.ZipFile(io.BytesIO(build_engine_archive())) as archive:
        names = set(archive.namelist())
    assert {"handledger/pocket.py", "handledger/table.py", "projections/rulebooks/hilton.toml"} <= names
    assert "projections/detectors/button.py" in names  # rulebooks name it: nothing imports it
    assert "ledger/formats/handscript/writer.py" in names
    assert not [
        name for name in names if name.startswith(("web/", "cli/", "ledger/store/", "ledger/intake/", "ledger/seal/"))
    ]
    assert {Path(name).suffix for name in names} == {".py", ".toml"}


def test_scripts_use_texts_that_there_are_and_every_text_is_used() -> None:
    scripts = "\n".join(path.read_text("utf-8") for path in SCRIPTS.glob("*.js"))
    said = set(re.findall(r'say\((?:[\w.]+ \? )?"([^"]+)"', scripts)) | set(
        re.findall(r'say\([^()"]*\? "[^"]+" : "([^"]+)"', scripts)
    )
    assert said <= set(WORDS)
    in_tables = {name for name in WORDS if f'"{name}"]' in scripts}  # of choices, whose name is said later
    families = {name for name in WORDS if f"`{name.split()[0]} " in scripts and " " in name}
    assert set(WORDS) - said - in_tables - families <= {"D", "SB", "BB", "rulebook", "posts", "notDealt"}


def test_texts_have_their_fields_in_every_language() -> None:
    fields = {name: set(re.findall(r"\{\w+\}", text)) for name, text in WORDS.items()}
    for language in LANGUAGES:
        with use_language(language):
            assert {name: set(re.findall(r"\{\w+\}", text)) for name, text in list_words().items()} == fields


def test_the_page_may_run_nothing_but_its_own_scripts() -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', read_static("pocket/index.html"))[1]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    worker = read_static("pocket/service_worker.js")
    assert "script-src 'self' 'wasm-unsafe-eval'" in worker  # WebAssembly needs that, in the worker alone
    assert "'unsafe-eval'" not in worker
    for name in list_static("pocket"):
        text = read_static(f"pocket/{name}")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|https?://|eval\(", text), name


@pytest.mark.parametrize("language", ["es", "vi", "zh"])
def test_a_catalogue_translates_what_the_page_says_as_the_whole_one_does(language: str) -> None:
    whole = gettext.translation(DOMAIN, LOCALES, [language])
    data = build_catalogue(language)
    part = gettext.GNUTranslations(io.BytesIO(data))  # type: ignore[arg-type]  # it's read at once
    assert part.info() == whole.info()
    for sentence in (
        "Only two players: seat {seat} isn't on the button, so that seat has the big blind.",
        "Only two players: seat {seat} has the big blind, so seat {other_seat} has the button and the small blind.",
    ):
        assert part.gettext(sentence) == whole.gettext(sentence) != sentence
    assert len(data) < (LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}.mo").stat().st_size / 2
