"""A PostgreSQL server of the tests' own: made in a temporary folder, on loopback, stopped at the end.

PostgreSQL refuses to run as the machine's superuser; there, an ordinary account runs it.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class NoPostgresError(Exception):
    """There is no PostgreSQL that these tests can start."""


def binaries() -> Path:
    """The folder of initdb and postgres: PATH, what pg_config says, or where Debian puts them."""
    places = []
    found = shutil.which("initdb")
    if found:
        places.append(Path(found).parent)
    config = shutil.which("pg_config")
    if config:
        told = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False)
        places.append(Path(told.stdout.strip()))
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    places += sorted(Path("/usr").glob("pgsql-*/bin"), reverse=True)
    for place in places:
        if (place / "initdb").exists() and (place / "postgres").exists():
            return place
    raise NoPostgresError("no PostgreSQL server is installed (initdb, postgres)")


def ordinary_user() -> list[str]:
    """What to put before a command so that it does not run as the superuser."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        raise NoPostgresError("PostgreSQL cannot run as the superuser, and there is no setpriv")
    for name in ("postgres", "nobody"):
        try:
            account = pwd.getpwnam(name)
        except KeyError:
            continue
        return [
            "setpriv",
            f"--reuid={account.pw_uid}",
            f"--regid={account.pw_gid}",
            "--clear-groups",
        ]
    raise NoPostgresError("no ordinary account to run PostgreSQL")


@contextmanager
def server() -> Iterator[str]:
    """Run a server; yields a URL of its database, without `?options`."""
    bindir, prefix = binaries(), ordinary_user()
    with tempfile.TemporaryDirectory(prefix="handledger-postgres-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        password = folder / "password"
        password.write_text(secrets.token_hex(16))
        password.chmod(0o644)
        data = folder / "data"
        run(prefix, [bindir / "initdb", "-D", data, "-U", "keeper", "-A", "scram-sha-256",
                     f"--pwfile={password}", "-E", "UTF8", "--no-locale", "--no-sync"])  # fmt: skip
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        control = [bindir / "pg_ctl", "-D", data, "-w", "-l", folder / "log"]
        options = f"-p {port} -h 127.0.0.1 -k {folder} -c shared_buffers=32MB -c max_connections=60"
        run(prefix, [*control, "-o", options, "start"])
        try:
            yield f"postgresql://keeper:{password.read_text()}@127.0.0.1:{port}/postgres"
        finally:
            run(prefix, [*control, "-m", "immediate", "stop"])


def run(prefix: list[str], command: list[object]) -> None:
    told = subprocess.run(
        [*prefix, *map(str, command)], cwd="/", check=False, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=60,
        env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
    )  # fmt: skip
    if told.returncode:
        raise NoPostgresError(f"{Path(str(command[0])).name}: {told.stderr.strip()[-300:]}")
