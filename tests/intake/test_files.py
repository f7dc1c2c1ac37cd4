"""What a person names becomes sources; hostile archives are stopped within bounds."""

from __future__ import annotations

import gzip
import io
import random
import stat
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

from ledger.errors import ArchiveError, NothingFoundError, SourceError
from ledger.intake import archives
from ledger.intake.files import IncomingSource, find_origin_path, find_sources

ZSTD = import_module(archives._ZSTD)


def contents(*paths: Path | str) -> dict[str, bytes | str]:
    contents_by_name: dict[str, bytes | str] = {}
    for source in find_sources(paths):
        try:
            with source.open() as stream:
                contents_by_name[_short_name(source)] = source.problem.code if source.problem else stream.read()
        except ArchiveError as error:
            contents_by_name[_short_name(source)] = error.code
    return contents_by_name


def _short_name(source: IncomingSource) -> str:
    path, bang, member = source.name.partition("!")
    return Path(path).name + bang + member


def zipped(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def test_a_folder_gives_its_files_in_order_of_names_and_no_hidden_ones(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", ".hidden", "sub/c.txt", ".git/d.txt"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(name)
    assert list(contents(tmp_path)) == ["a.txt", "b.txt", "c.txt"]


def test_a_pattern_gives_what_it_matches(tmp_path: Path) -> None:
    for name in ("x1.txt", "x2.txt", "y.txt"):
        (tmp_path / name).write_text(name)
    assert contents(f"{tmp_path}/x*.txt") == {"x1.txt": b"x1.txt", "x2.txt": b"x2.txt"}


@pytest.mark.parametrize("name", ["-", "-!night.txt", "/dev/fd/63", "/dev/stdin", "/proc/self/fd/0"])
def test_what_comes_through_a_pipe_has_no_place(name: str) -> None:
    assert find_origin_path(name) == ""


def test_a_file_in_memory_has_a_place() -> None:
    assert find_origin_path("/dev/shm/night.txt") == "/dev/shm/night.txt"


def test_compressed_files_are_known_by_content_not_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(gzip.compress(b"one"))
    (tmp_path / "b.dat").write_bytes(ZSTD.compress(b"two"))
    zipped(tmp_path / "c.zip", **{"in/d.txt": b"three", "e.gz": gzip.compress(b"four")})
    assert contents(tmp_path) == {"a.txt": b"one", "b.dat": b"two", "c.zip!in/d.txt": b"three", "c.zip!e.gz": b"four"}


def test_a_source_can_be_opened_again(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"one"))
    [source] = find_sources([tmp_path])
    for _ in range(2):
        with source.open() as stream:
            assert stream.read() == b"one"


def test_a_zip_in_a_zip_is_read_and_a_fourth_layer_is_not(tmp_path: Path) -> None:
    data = b"deep"
    for layer in range(5):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr(f"{layer}.x", data)
        data = out.getvalue()
        (tmp_path / f"{layer}.zip").write_bytes(data)
    assert contents(tmp_path / "2.zip") == {"2.zip!2.x!1.x!0.x": b"deep"}
    assert list(contents(tmp_path / "4.zip").values()) == ["archive"]


def test_a_wrong_path_is_said_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    with pytest.raises(SourceError, match="no such file"):
        next(find_sources([tmp_path / "a.txt", tmp_path / "b.txt"]))
    with pytest.raises(SourceError):
        next(find_sources([f"{tmp_path}/*.nothing"]))
    with pytest.raises(SourceError):
        next(find_sources(["a\0b"]))


def test_an_empty_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(NothingFoundError, match="no files in"):
        next(find_sources([tmp_path]))


def test_bombs_are_stopped(tmp_path: Path) -> None:
    zeros = b"\0" * 2 * archives.MIN_RATIO_BYTES
    zipped(tmp_path / "bomb.zip", **{"b.txt": zeros})
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(zeros))
    assert contents(tmp_path) == {"bomb.gz": "archive", "bomb.zip!b.txt": "archive"}


def test_too_many_members_are_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_MEMBERS", 100)
    zipped(tmp_path / "many.zip", **{str(n): b"" for n in range(101)})
    assert contents(tmp_path) == {"many.zip": "archive"}


def test_tricks_in_archives_are_refused_one_by_one(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        link = zipfile.ZipInfo("link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("../../up.txt", b"up")
        archive.writestr("/abs.txt", b"abs")
        archive.writestr("twice", b"1")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("twice", b"2")
    assert contents(tmp_path) == {
        "t.zip!link": "archive",
        "t.zip!../../up.txt": b"up",
        "t.zip!/abs.txt": b"abs",
        "t.zip!twice": b"1",
        "t.zip!twice#2": b"2",
    }
    assert [file.name for file in tmp_path.iterdir()] == ["t.zip"]


@pytest.mark.parametrize("kind", ["gz", "zip", "zst"])
def test_damaged_archives_say_so(tmp_path: Path, kind: str) -> None:
    data = random.Random(1).randbytes(300_000)
    if kind == "zip":
        raw = bytearray(zipped(tmp_path / "x", f=data).read_bytes())
    else:
        raw = bytearray(gzip.compress(data) if kind == "gz" else ZSTD.compress(data))
    (tmp_path / "x").write_bytes(raw[:100_000])
    assert list(contents(tmp_path).values()) == ["archive"]
