"""Evidence that attacks its verifier: all is counted before it is read, and both verifiers say the same."""

from __future__ import annotations

import io
import json
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.proofs import evidence_check
from ledger.errors import ProofError
from ledger.evidence import offline as untyped
from ledger.evidence.bundle import pack_members
from ledger.seal import stamps
from tests.torture import genuine, judging
from tests.torture.genuine import Genuine, consistent, contents
from tests.torture.judging import Asked

offline: Any = untyped
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Genuine:
    return genuine.make_room(tmp_path_factory.mktemp("room"))


def verdict(data: bytes, room: Genuine, *, key: bool = True) -> str:
    """The code of the refusal, "" = it holds; both verifiers must say the same."""
    question = Asked(room.key if key else None)
    single, main = judging.check_alone(data, question), judging.check_with_program(data, question)
    assert judging.differ(single, main) == ""
    return main.code


def never(*_: object, **__: object) -> None:
    raise AssertionError("this was not to be read at all")


def test_every_genuine_file_holds(room: Genuine) -> None:
    assert len(room.files) > 10
    for data in room.files.values():
        assert verdict(data, room) == verdict(data, room, key=False) == ""


def test_a_json_bomb_is_counted_and_not_parsed(room: Genuine, monkeypatch: pytest.MonkeyPatch) -> None:
    files = contents(room.files["hand"])
    bomb = b"[" + b"[]," * 250_000 + b"[]]"
    bombs = [
        consistent(files | {"findings.json": bomb}),
        consistent(files | {"openings.json": bomb}),
        files | {"bundle.json": bomb},
        files | {"entries/0001": files["entries/0001"][:60] + bomb},
    ]
    monkeypatch.setattr(offline.json, "loads", never)
    for packed_bomb in map(pack_members, bombs):
        tracemalloc.start()
        assert verdict(packed_bomb, room) == "large"
        assert tracemalloc.get_traced_memory()[1] < 8 * len(packed_bomb)
        tracemalloc.stop()


def test_many_small_json_members_are_counted_together(room: Genuine, monkeypatch: pytest.MonkeyPatch) -> None:
    files = contents(room.files["live"])
    part = b"[" + b"1," * 100 + b"1]"
    files |= {f"entries/{n:04}": part for n in range(1, 4000)}
    monkeypatch.setattr(offline.json, "loads", never)
    assert verdict(pack_members(files), room) == "large"
    long_json = b'["' + b"x" * offline.MOST_JSON + b'"]'
    assert verdict(pack_members(contents(room.files["hand"]) | {"openings.json": long_json}), room) == "large"


@pytest.mark.parametrize(
    "json_text",
    [
        b"[" * 17 + b"]" * 17,
        b'{"a":' * 17 + b"1" + b"}" * 17,
        b"[" * 10_000 + b"]" * 10_000,
        b'["\\"",' + b"[" * 16 + b"]" * 16 + b"]",
        b"[NaN]",
        b"[Infinity]",
        b"[-Infinity]",
        b"[1e999]",
        b"[1.5]",
        b"[1E5]",
        b"[1000000000000000000]",
        b"[" + b"9" * 10_000 + b"]",
        b"[-9999999999999999999]",
        b'[{"a":1,"a":2}]',
        b"[1",
        b"",
        b"[1]]",
        b"\xff",
        b"[\x00]",
    ],
)
def test_json_that_is_deep_huge_or_double_is_refused_alike(room: Genuine, json_text: bytes) -> None:
    files = contents(room.files["sealed"])
    assert verdict(pack_members(consistent(files | {"openings.json": json_text})), room) in {"opening", "json"}
    assert verdict(pack_members(files | {"bundle.json": json_text}), room) in {"index", "json"}
    entry = files["entries/0001"]
    start = offline.read_entry(entry)["data"]
    assert verdict(pack_members(files | {"entries/0001": entry[:start] + json_text}), room) in {"entry", "json"}


def test_strings_may_hold_whatever_looks_like_json_and_numbers() -> None:
    for words in ("[[[[[[[[[[[[[[[[[[[[", "NaN 1e999 99999999999999999999", '"\\"[', "\\", '\\"', "{" * 50):
        assert offline.parsed(json.dumps([words, 1]).encode(), "x") == [words, 1]
    assert offline.parsed(b"[" * 16 + b"123456789012345678" + b"]" * 16, "x")


def test_more_time_stamps_than_a_ledger_keeps_are_not_looked_at(room: Genuine, monkeypatch: pytest.MonkeyPatch) -> None:
    files = contents(room.files["hand"])
    many = {f"stamps/{n:04}.tsr": b"0" * 100 for n in range(900)}
    monkeypatch.setattr(offline, "stamp", never)
    assert verdict(pack_members(consistent(files | many)), room) == "large"


def test_a_time_stamp_of_many_parts_is_given_up_early(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    monkeypatch.setattr(offline, "require", lambda holds, *_: looked.append(bool(holds)))
    assert len(offline.read_der(b"\2\0" * 30_000)) == offline.MOST_PARTS
    inside = b"\2\0" * 30_000
    answer = b"\x30\x82" + len(inside).to_bytes(2, "big") + inside
    parsed_parts: list[object] = []
    monkeypatch.setattr(stamps, "_DerValue", lambda *told: parsed_parts.append(told))
    with pytest.raises((ProofError, AttributeError)):
        stamps.read_stamp(answer)
    assert len(parsed_parts) <= stamps.MOST_PARTS + 1


@pytest.mark.slow
def test_members_are_counted_before_they_are_kept(room: Genuine, monkeypatch: pytest.MonkeyPatch) -> None:
    member_count = 0

    def counted(data: bytes) -> int:
        nonlocal member_count
        member_count += 1
        return zlib.crc32(data)

    class Counting:
        crc32, error, decompressobj = staticmethod(counted), zlib.error, zlib.decompressobj

    head = struct.Struct("<4sHHHHHIIIHH")
    data = b"".join(head.pack(b"PK\3\4", 20, 0, 0, 0, 33, 0, 0, 0, 6, 0) + b"%06d" % n for n in range(700_000))
    monkeypatch.setattr(offline, "zlib", Counting)
    tracemalloc.start()
    assert verdict(data, room) == "container"
    assert tracemalloc.get_traced_memory()[1] < 20 << 20
    tracemalloc.stop()
    assert member_count <= 2 * offline.MOST_MEMBERS, "once by each verifier"


@pytest.mark.slow
def test_what_unpacks_to_more_than_it_says_is_not_unpacked(room: Genuine) -> None:
    files = contents(room.files["hand"])
    for size in (offline.MOST_RULES, 30 << 20):
        container = pack_members(consistent(files | {"rules/bicycle.toml": b"#" * size}))
        assert verdict(container, room) == "container", "its ratio is a bomb's"
    noise = b"".join(b"# %d\n" % (n * 7919) for n in range(200_000))
    assert len(noise) > offline.MOST_RULES
    assert verdict(pack_members(consistent(files | {"rules/bicycle.toml": noise})), room) == "large"
    bomb = zlib.compress(b"\0" * (50 << 20), 9)[2:-4]
    name, end = b"rules/x.toml", struct.Struct("<4sHHHHIIH")
    local = struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, 0, 8, 0, 33, 0, len(bomb), 100, len(name), 0)
    tracemalloc.start()
    data = local + name + bomb + end.pack(b"PK\5\6", 0, 0, 1, 1, 0, 0, 0)
    assert verdict(data, room) == "container"
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


def test_a_file_that_is_too_large_is_not_read_whole(room: Genuine, tmp_path: Path) -> None:
    path = tmp_path / "huge.hlev"
    with path.open("wb") as file:
        file.truncate(offline.MOST_BYTES * 100)  # holes: it takes no place
    tracemalloc.start()
    result = evidence_check.check_file(path, [room.key], [], None)
    assert tracemalloc.get_traced_memory()[1] < 2.2 * offline.MOST_BYTES
    tracemalloc.stop()
    assert (result.verdict, result.code, result.reason) == ("not-verified", "container", "it is too large")
    assert offline.main([str(path), "--key", room.key]) == 4


def zipped(files: Files, change: Callable[[zipfile.ZipInfo], object] = lambda _: 0, **how: Any) -> bytes:
    """Pack members as any other program may."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", **how) as file:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system, info.external_attr = 3, 0o644 << 16
            if name.startswith("rules/"):
                info.compress_type = zipfile.ZIP_DEFLATED
            change(info)
            file.writestr(info, files[name])
    return out.getvalue()


TRICKS: dict[str, Callable[[bytes], bytes]] = {
    "a comment behind": lambda d: d[:-2] + b"\1\0x",
    "a second end behind": lambda d: d + d[-22:],
    "bytes before": lambda d: b"#!/bin/sh\n" + d,
    "another file before": lambda d: zipped({"view/x": b"1"}) + d,
    "another file behind": lambda d: d + zipped({"view/x": b"1"}),
    "a central directory twice": lambda d: d[: _central(d)] + d[_central(d) : -22] * 2 + d[-22:],
    "none": lambda d: d[: _central(d)] + d[-22:],
    "an end that counts less": lambda d: d[:-14] + (1).to_bytes(2, "little") + d[-12:],
    "an end that leads elsewhere": lambda d: d[:-6] + (0).to_bytes(4, "little") + d[-2:],
    "members that overlap": lambda d: _entry(d, 42, (0).to_bytes(4, "little")),
    "another name in the directory": lambda d: _entry(d, 46, b"X"),
    "a link": lambda d: _entry(d, 38, (0o120777 << 16).to_bytes(4, "little")),
    "an executable": lambda d: _entry(d, 38, (0o755 << 16).to_bytes(4, "little")),
    "made elsewhere": lambda d: _entry(d, 5, b"\0"),
    "another size in the directory": lambda d: _entry(d, 24, b"\1"),
    "nothing": lambda d: b"",
    "an end alone": lambda d: d[-22:],
}


def _central(data: bytes) -> int:
    return int.from_bytes(data[-6:-2], "little")


def _entry(data: bytes, offset: int, replacement: bytes) -> bytes:
    """Return a container with other bytes in the second entry of its central directory."""
    start = data.index(b"PK\1\2", _central(data) + 4) + offset
    return data[:start] + replacement + data[start + len(replacement) :]


@pytest.mark.parametrize("trick", TRICKS)
def test_a_container_is_read_in_one_way_or_not_at_all(room: Genuine, trick: str) -> None:
    data = room.files["sealed"]
    assert zipped(contents(data)) == data, "any program can make the true one"
    altered = TRICKS[trick](data)
    assert altered != data
    assert verdict(altered, room) == "container"


@pytest.mark.parametrize(
    ("name", "attributes"),
    [
        ("/etc/passwd", {}),
        ("../up", {}),
        ("view/../../up", {}),
        ("view\\up", {}),
        ("C:/x", {}),
        ("view/", {}),
        ("View/x", {}),
        ("view/ä", {}),
        ("view/" + "x" * 200, {}),
        ("-rf", {}),
        ("con\x00", {}),
        ("view/x", {"flag_bits": 1}),
        ("view/x", {"flag_bits": 8}),
        ("view/x", {"extra": b"\1\0\0\0"}),
        ("view/x", {"comment": b"x"}),
        ("view/x", {"compress_type": zipfile.ZIP_DEFLATED}),
        ("view/x", {"compress_type": zipfile.ZIP_LZMA}),
        ("rules/x", {"compress_type": zipfile.ZIP_STORED}),
        ("view/x", {"date_time": (2020, 1, 1, 0, 0, 0)}),
    ],
)
def test_a_member_that_leads_elsewhere_or_is_packed_otherwise_is_refused(
    room: Genuine, name: str, attributes: dict[str, Any]
) -> None:
    def change(info: zipfile.ZipInfo) -> None:
        for field, value in attributes.items():
            if info.filename == name:
                setattr(info, field, value)

    files = contents(room.files["sealed"]) | {name: b"x" * 10}
    assert verdict(zipped(files, change), room) in {"container", "index"}


def test_members_that_stand_twice_are_refused(room: Genuine) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, data in sorted(contents(room.files["bare hand"]).items()):
            for _ in range(1 + (name == "bundle.json")):
                info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                info.create_system, info.external_attr = 3, 0o644 << 16
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr("warnings.warn", lambda *_, **__: None)
                    file.writestr(info, data)
    assert verdict(out.getvalue(), room) == "container"


def test_one_checkpoint_is_verified_once_however_many_proofs_there_are(
    room: Genuine, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[bytes] = []
    true = offline.ed25519
    monkeypatch.setattr(offline, "ed25519", lambda *told: calls.append(told[0]) or true(*told))
    files = contents(room.files["live"])
    assert sum(name.startswith("proofs/") for name in files) == 7
    witnesses = tuple(str(witness.key) for witness in genuine.WITNESSES[:2])
    judging.check_alone(room.files["live"], Asked(room.key, witnesses))
    assert len(calls) == 3
    lines = {
        name: data + data[data.rindex(b"\xe2\x80\x94") :] * 80
        for name, data in files.items()
        if name.startswith("proofs/")
    }
    calls.clear()
    assert verdict(pack_members(files | lines), room) == "checkpoint"
    assert calls == []
    witness = files["proofs/0003"].replace(b"auditor.example", b"someone.example")
    assert verdict(pack_members(files | {"proofs/0003": witness}), room) == "proof", "another checkpoint"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda note: note.replace(b"index ", b"index 0"), "proof"),
        (lambda note: note.replace(b"\n\nroom", b"\n" + b"AAAA\n" * 70 + b"\nroom"), "proof"),
        (lambda note: note + b"\xe2\x80\x94 x AAAAAAAA\n" * 62, "checkpoint"),
        (lambda note: note + b"\xe2\x80\x94 " + b"x" * 400 + b" AAAAAAAA\n", "checkpoint"),
        (lambda note: note + b"\xe2\x80\x94 a+b AAAAAAAA\n", "checkpoint"),
        (lambda note: note + b"\xe2\x80\x94 a AAAA\n", "checkpoint"),
        (lambda note: note + b"\xe2\x80\x94 \xff AAAAAAAA\n", "proof"),
        (lambda note: note.replace(b"\nroom", b"\n\x07room"), "checkpoint"),
        (lambda note: note.replace(b"\xe2\x80\x94", b"-"), "checkpoint"),
        (lambda note: note + b"x" * (1 << 20), "checkpoint"),
        (lambda note: note[:-1], "checkpoint"),
    ],
)
def test_a_proof_is_read_strictly_and_both_readers_agree(
    room: Genuine, change: Callable[[bytes], bytes], code: str
) -> None:
    files = contents(room.files["bare hand"])
    altered_proof = change(files["proofs/0001"])
    assert altered_proof != files["proofs/0001"]
    assert verdict(pack_members(files | {"proofs/0001": altered_proof}), room) == code
