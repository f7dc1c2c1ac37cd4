"""What a program asked of its disk, and what a disk may hold if the power goes at any moment.

The program runs under strace, which tells every write, sync, cut and removal in order. A disk keeps
what was synced; of what was not, it may keep any part: all, nothing, some writes without others, and
half of one (sectors of 512 bytes).
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple

CALLS: Final = "openat,write,pwrite64,fsync,fdatasync,ftruncate,unlink,rename"
SECTOR: Final = 512

_LINE: Final = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\d+)")
_FD: Final = re.compile(r"^(\d+)<([^>]*)>(?:\(deleted\))?, ?")
_STRING: Final = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')


class Op(NamedTuple):
    """One thing asked of the disk; of `say`, the data are what the program told the world."""

    what: Literal["write", "cut", "sync", "remove", "rename", "say"]
    file: str
    at: int = 0
    data: bytes = b""
    to: str = ""


def strace() -> str | None:
    """Where strace is; None where there is none, or it may not trace."""
    program = shutil.which("strace")
    if program is None:
        return None
    tried = subprocess.run([program, "-e", "trace=none", "true"], capture_output=True, check=False)
    return program if tried.returncode == 0 else None


def traced(program: str, home: Path, *args: str, root: Path) -> list[Op]:
    """Run a Python program and return what it asked of the files under `home`, and what it printed."""
    log = home.with_name(home.name + ".trace")
    tracer = strace()
    assert tracer is not None
    result = subprocess.run(
        [
            tracer,
            "-f",
            "-y",
            "-xx",
            "-s",
            "1000000",
            "-e",
            f"trace={CALLS}",
            "-e",
            "signal=none",
            "-o",
            str(log),
            sys.executable,
            "-c",
            program,
            *args,
        ],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return list(_ops(log, home))


def _ops(log: Path, home: Path) -> Iterator[Op]:
    with log.open(encoding="ascii", errors="replace") as lines:
        for line in lines:
            match = _LINE.match(line)
            assert match or "unfinished" not in line, "the program must have one thread that writes"
            if match and int(match[3]) >= 0:
                yield from _op(match[1], match[2], str(home))


def _op(call: str, args: str, home: str) -> Iterator[Op]:
    if call in ("unlink", "rename"):
        names = [bytes.fromhex(s.replace("\\x", "")).decode() for s, _ in _STRING.findall(args)]
        if names[0].startswith(home):
            yield Op("remove" if call == "unlink" else "rename", *names[:1], to=names[-1])
        return
    if call == "openat":
        name = bytes.fromhex(_STRING.findall(args)[0][0].replace("\\x", "")).decode(errors="replace")
        if "O_TRUNC" in args and name.startswith(home):
            yield Op("cut", name, 0)
        return
    fd = _FD.match(args + ", ")
    if fd is None:
        return
    path = bytes.fromhex(fd[2].replace("\\x", "")).decode(errors="replace")
    if fd[1] == "1" and call == "write":
        yield Op("say", "", data=_data(args))
    elif path.startswith(home) and not path.endswith("-shm"):
        if call in ("fsync", "fdatasync"):
            yield Op("sync", path)
        elif call == "ftruncate":
            yield Op("cut", path, int(args.rsplit(",", 1)[1]))
        elif call == "pwrite64":
            yield Op("write", path, int(args.rsplit(",", 1)[1]), _data(args))
        elif call == "write":
            yield Op("write", path, -1, _data(args))


def _data(args: str) -> bytes:
    match = _STRING.search(args)
    assert match, args
    assert not match[2], "strace cut a string short"
    return bytes.fromhex(match[1].replace("\\x", ""))


class Disk:
    """What lies on a disk for certain, and what was asked of it since the last sync of each file."""

    def __init__(self, *, honest: bool = True) -> None:
        """`honest=False`: syncs do nothing, as with a disk that lies or a program that does not ask."""
        self.kept: dict[str, bytearray] = {}
        self.pending: list[Op] = []
        self._honest = honest

    def take(self, op: Op) -> None:
        if op.what == "sync":
            if self._honest:
                file_ops = [
                    pending_op
                    for pending_op in self.pending
                    if op.file in (pending_op.file, pending_op.to) or pending_op.what in ("remove", "rename")
                ]
                self.pending = [pending_op for pending_op in self.pending if pending_op not in file_ops]
                for pending_op in file_ops:
                    apply(self.kept, pending_op)
        elif op.what != "say":
            self.pending.append(op)

    def states(self, chance: random.Random, count: int) -> Iterator[dict[str, bytearray]]:
        """Yield what the disk may hold if the power goes now."""
        kinds = ["all", "none"] + ["some"] * max(count - 2, 0)
        for kind in kinds[:count]:
            contents = {name: bytearray(data) for name, data in self.kept.items()}
            for op in self.pending:
                if kind == "all" or (kind == "some" and chance.random() < 0.6):
                    apply(contents, torn(op, chance) if kind == "some" else op)
            yield contents


def apply(files: dict[str, bytearray], op: Op) -> None:
    if op.what == "remove":
        files.pop(op.file, None)
    elif op.what == "rename":
        if op.file in files:
            files[op.to] = files.pop(op.file)
    elif op.what == "cut":
        chips = files.setdefault(op.file, bytearray())
        del chips[op.at :]
        chips.extend(bytes(op.at - len(chips)))
    else:
        chips = files.setdefault(op.file, bytearray())
        offset = len(chips) if op.at < 0 else op.at
        chips.extend(bytes(max(offset + len(op.data) - len(chips), 0)))
        chips[offset : offset + len(op.data)] = op.data


def torn(op: Op, chance: random.Random) -> Op:
    """A write of which only some first sectors arrived."""
    if op.what != "write" or len(op.data) <= SECTOR or chance.random() < 0.7:
        return op
    return op._replace(data=op.data[: SECTOR * chance.randrange(1, len(op.data) // SECTOR + 1)])


def lay_out(files: dict[str, bytearray], home: str, path: Path) -> None:
    """Write a state into a folder."""
    for old in path.iterdir():
        old.unlink()
    for name, data in files.items():
        (path / os.path.relpath(name, home)).write_bytes(data)
