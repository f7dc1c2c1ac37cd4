"""No name from a stranger becomes a path, no planted link is written through, no archive is a bomb."""

from __future__ import annotations

import gzip
import io
import os
import stat
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.errors import SigningKeyError
from ledger.intake import import_paths
from ledger.seal import keys
from ledger.store import open as open_ledger
from tests.cli.conftest import Run
from tests.intake.hands import hand, hands
from tests.security.conftest import Hostile

posix = pytest.mark.skipif(os.name != "posix", reason="rights of files are POSIX's here")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def room(tmp_path: Path) -> tuple[str, str]:
    """A sealed ledger's address, and the file of its key."""
    night = tmp_path / "in" / "n.phhs"
    night.parent.mkdir()
    night.write_text(hands(1, 2))
    url, key = str(tmp_path / "own" / "x.ledger"), tmp_path / "own" / "room.key"
    key.parent.mkdir()
    keys.create_key(key)
    with open_ledger(url) as opened:
        import_paths(opened, [night])
    return url, str(key)


@pytest.mark.slow
def test_every_output_lands_where_it_was_asked_for_and_nowhere_else(
    hostile: Hostile, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names, tables, file names and hands are paths upwards, absolute ones, devices, options."""
    work, out = tmp_path / "work", tmp_path / "out"
    work.mkdir()
    out.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("HANDLEDGER_URL", hostile.url)
    names = {path.name for path in hostile.folder.iterdir()}
    expected_names = set()
    for number in range(1, hostile.hands + 1):
        for suffix, args in (
            ("phh", ["export", str(number), "--to", "phh", "--lossy"]),
            ("json", ["show", str(number), "--format", "json"]),
            ("txt", ["replay", str(number)]),
        ):
            name = f"{number}.{suffix}"
            assert run(*args, "-o", str(out / name)).code == 0
            expected_names.add(name)
    assert run("seal", "--key", hostile.key, "-o", str(out / "point")).code == 0
    assert run("evidence", "20", "-o", str(out / "e.hlev"), "-r", "hilton", "--verifier").code == 0
    expected_names |= {"point", "e.hlev", "verify_hlev.py"}
    assert {path.name for path in out.rglob("*")} == expected_names
    assert list(work.iterdir()) == []
    grown = {path.name for path in hostile.folder.iterdir()} - names
    assert {name for name in grown if not name.endswith(("-wal", "-shm"))} <= {"room.key.signed"}
    with zipfile.ZipFile(out / "e.hlev") as bundle:
        assert all(".." not in name and not name.startswith("/") and name.isascii() for name in bundle.namelist())


@posix
def test_a_link_that_was_planted_is_replaced_and_not_written_through(
    room: tuple[str, str], run: Run, tmp_path: Path
) -> None:
    url, key = room
    victim = tmp_path / "victim"
    victim.write_text("mine")
    for name, args in {
        "a.checkpoint": ["seal", "--key", key],
        "a.hlev": ["evidence", "1"],
        "a.phh": ["export", "1", "--to", "phh"],
        "a.json": ["verify", "--format", "json"],
        "a.log": ["log"],
    }.items():
        (tmp_path / name).symlink_to(victim)
        assert run(*args, "--ledger", url, "-o", str(tmp_path / name)).code == 0
        assert not (tmp_path / name).is_symlink()
        assert (tmp_path / name).stat().st_size > 10
    for planted in (f"{url}.erased.new", f"{key}.signed.new"):
        Path(planted).symlink_to(victim)
    assert run("people", "forget", "Ann", "--ledger", url).code == 0
    assert run("seal", "--key", key, "--ledger", url).code == 0
    Path(f"{url}.erased").unlink()
    Path(f"{url}.erased").symlink_to(victim)
    assert run("people", "forget", "Bob", "--ledger", url).code == 4, "what it leads to is no list of forgotten people"
    Path(f"{url}.erased").unlink()
    assert run("people", "forget", "Bob", "--ledger", url).code == 0
    assert victim.read_text() == "mine"


@posix
def test_what_is_written_can_be_read_by_its_owner_alone(room: tuple[str, str], run: Run, tmp_path: Path) -> None:
    url, key = room
    umask_before = os.umask(0)  # the rights are the program's doing, not the shell's
    try:
        assert run("seal", "--key", key, "--ledger", url, "-o", str(tmp_path / "p")).code == 0
        assert run("evidence", "1", "--ledger", url, "-o", str(tmp_path / "e.hlev")).code == 0
        assert run("people", "forget", "Ann", "--ledger", url).code == 0
        fresh = tmp_path / "new" / "y.ledger"
        fresh.parent.mkdir()
        with open_ledger(fresh) as opened:
            import_paths(opened, [tmp_path / "in"])
            wal = fresh.with_name("y.ledger-wal")
            assert (mode(fresh), mode(wal)) == (0o600, 0o600)
    finally:
        os.umask(umask_before)
    for path in (tmp_path / "p", tmp_path / "e.hlev", Path(key), Path(f"{key}.signed"), Path(f"{url}.erased")):
        assert mode(path) == 0o600


def test_what_is_there_is_not_overwritten_by_surprise(room: tuple[str, str], run: Run, tmp_path: Path) -> None:
    url, key = room
    assert run("seal", "--key", key, "--ledger", url).code == 0
    data = Path(key).read_bytes()
    assert run("seal", "--new-key", "--key", key, "--ledger", url).code == 2
    with pytest.raises(SigningKeyError, match="already"):
        keys.create_key(Path(key))
    assert Path(key).read_bytes() == data
    (tmp_path / "verify_hlev.py").write_text("my own program")
    result = run("evidence", "1", "--verifier", "--ledger", url, "-o", str(tmp_path / "e.hlev"))
    assert result.code == 2
    assert "is another file" in result.err
    assert not (tmp_path / "e.hlev").exists(), "nothing is half done"
    assert (tmp_path / "verify_hlev.py").read_text() == "my own program"


@pytest.mark.parametrize(
    "place", ["{folder}", "{folder}/none/x", "{folder}/in/n.phhs/x", "{folder}/a\0b", "{folder}/" + "x" * 300]
)
@pytest.mark.parametrize("verb", [["log"], ["evidence", "1"], ["export", "1", "--to", "phh"]])
def test_a_place_that_cannot_be_written_is_said_in_one_sentence(
    verb: list[str], place: str, room: tuple[str, str], run: Run, tmp_path: Path
) -> None:
    url, key = room
    assert run("seal", "--key", key, "--ledger", url).code == 0
    result = run(*verb, "--ledger", url, "-o", place.format(folder=tmp_path))
    assert result.code == 2
    assert "Traceback" not in result.err
    assert "fault of handledger" not in result.err
    assert result.err.startswith("handledger: ")


@pytest.mark.parametrize("name", ["a?mode=memory", "b#x", "c%41", "d\x1b[2J", "-rf", "e;f", "g'h", "i\u202ej"])
def test_a_ledger_may_be_called_anything_and_is_that_file(name: str, tmp_path: Path) -> None:
    with open_ledger(tmp_path / name) as opened:
        assert opened.head()[0] == 1
    assert [path.name for path in tmp_path.iterdir()] == [name]


# archives

MEASURE = """
import resource, sys
from ledger.intake import ImportOptions, import_paths
from ledger.store import open as open_ledger
base = resource.getrusage(resource.RUSAGE_SELF)
with open_ledger(":memory:") as book:
    total = import_paths(book, sys.argv[1:], ImportOptions(dry_run=True))
used = resource.getrusage(resource.RUSAGE_SELF)
outcomes = sorted({file.outcome for file in total.files})
print(round(used.ru_utime + used.ru_stime - base.ru_utime - base.ru_stime, 2), (used.ru_maxrss - base.ru_maxrss) // 1024, *outcomes)
"""


def zipped(members: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return out.getvalue()


LINE = b"dull\n" * 1_580_000


def small(count: int, data: bytes = LINE) -> bytes:
    """An archive of members, none of which is large enough to be looked at by itself."""
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packed.compress(data) + packed.flush()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
        for n in range(count):
            info = zipfile.ZipInfo(f"{n}.txt")
            info.CRC = zlib.crc32(data)
            file.writestr(info, body)
            info.compress_type, info.file_size = zipfile.ZIP_DEFLATED, len(data)
            info.CRC = zlib.crc32(data)
    raw = bytearray(out.getvalue())
    index = -1
    while (index := raw.find(b"PK\3\4", index + 1)) >= 0:
        struct.pack_into("<H", raw, index + 8, 8)
        struct.pack_into("<IxxxxI", raw, index + 14, zlib.crc32(data), len(data))
    return bytes(raw)


BOMBS: dict[str, Callable[[], bytes]] = {
    "one.zip": lambda: zipped({"a.txt": bytes(200_000_000)}),
    "one.gz": lambda: gzip.compress(bytes(200_000_000)),
    "many small.zip": lambda: small(60),
    "many nothing.zip": lambda: small(60, bytes(7_900_000)),
    "within.zip": lambda: zipped(dict.fromkeys(map("{}.zip".format, range(20)), small(40))),
    "gz in gz.gz": lambda: gzip.compress(gzip.compress(bytes(300_000_000))),
    "members.zip": lambda: zipped({str(n): b"" for n in range(70_000)}, zipfile.ZIP_STORED),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BOMBS))
def test_a_bomb_is_refused_quickly_and_in_little_memory(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(BOMBS[name]())
    result = subprocess.run(
        [sys.executable, "-c", MEASURE, str(tmp_path / name)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    seconds, megabytes, *outcomes = result.stdout.split()
    assert outcomes == ["failed"]
    assert float(seconds) < 2
    assert int(megabytes) < 100


def test_a_name_in_an_archive_never_becomes_a_path(tmp_path: Path) -> None:
    names = ["../../up.phh", "/abs.phh", "..\\..\\up.phh", "C:\\x.phh", "con", "a\x1b[2J", "x" * 300]
    path = tmp_path / "in" / "a.zip"
    path.parent.mkdir()
    path.write_bytes(zipped({n: hand(index).encode() for index, n in enumerate(names, 1)}))
    with open_ledger(tmp_path / "own.ledger") as opened:
        assert import_paths(opened, [path]).total.new == len(names)
    assert {p.name for p in tmp_path.rglob("*") if p.is_file()} == {"a.zip", "own.ledger"}
    assert not Path("/abs.phh").exists()


@pytest.mark.slow
def test_a_single_line_of_a_hundred_megabytes_is_refused_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "line.txt"
    path.write_bytes(b"PokerStars Hand #1:  " + b"x" * 100_000_000)
    result = subprocess.run([sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, check=True)
    _, megabytes, *_ = result.stdout.split()
    assert int(megabytes) < 200
