"""A PostgreSQL server of the tests' own: made in a temporary folder, on loopback, stopped at the end.

PostgreSQL refuses to run as the machine's superuser; there, an ordinary account runs it.
"""

from __future__ import annotations

import atexit
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path


class NoPostgresError(Exception):
    """There is no PostgreSQL that these tests can start."""


def binaries() -> Path:
    """The folder of initdb and postgres: what pg_config says, where Debian puts them, or PATH."""
    places = []
    config = shutil.which("pg_config")
    if config:
        result = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False)
        places.append(Path(result.stdout.strip()))
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    places += sorted(Path("/usr").glob("pgsql-*/bin"), reverse=True)
    program = shutil.which("initdb")  # last: it may be somebody's wrapper
    if program:
        places.append(Path(program).parent)
    for place in places:
        if all((place / name).exists() for name in ("initdb", "postgres", "pg_isready")):
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
        return ["setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups"]
    raise NoPostgresError("no ordinary account to run PostgreSQL")


class ServerUrl(str):
    """The URL of a server's database; `restart` stops the server at once and starts it anew."""

    __slots__ = ("restart",)
    restart: Callable[[], None]


@cache
def find_password() -> str:
    """Return the password of all servers that this process starts."""
    return secrets.token_hex(16)


@cache
def new_cluster(bindir: Path, *prefix: str) -> Path:
    """Make the files of a server that nobody has used yet; each server starts on a copy of them."""
    folder = Path(tempfile.mkdtemp(prefix="handledger-postgres-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    folder.chmod(0o777)
    password, data = folder / "password", folder / "data"
    password.write_text(find_password())
    password.chmod(0o644)
    options = ["-U", "keeper", "-A", "scram-sha-256", f"--pwfile={password}", "-E", "UTF8", "--no-locale", "--no-sync"]
    run([*prefix], [bindir / "initdb", "-D", data, *options])
    return data


@contextmanager
def server() -> Iterator[ServerUrl]:
    """Run a server; yields a URL of its database, without `?options`."""
    bindir, prefix = binaries(), ordinary_user()
    # so that it ends with the tests even where these are killed
    dying = ["--pdeathsig", "QUIT"] if prefix else []
    with tempfile.TemporaryDirectory(prefix="handledger-postgres-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        data, password = folder / "data", find_password()
        run(prefix, ["cp", "-a", new_cluster(bindir, *prefix), data])
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [
            *prefix,
            *dying,
            bindir / "postgres",
            "-D",
            data,
            "-p",
            port,
            "-h",
            "127.0.0.1",
            "-k",
            folder,
            "-c",
            "shared_buffers=32MB",
            "-c",
            "max_connections=100",
        ]
        running: list[subprocess.Popen[bytes]] = []

        def start() -> None:
            with (folder / "log").open("ab") as log:
                running.append(
                    subprocess.Popen([*map(str, command)], cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log)
                )
            wait(bindir, folder, port, running[-1])

        def stop() -> None:
            running[-1].send_signal(signal.SIGQUIT)
            running[-1].wait(timeout=30)

        def restart() -> None:
            stop()
            start()

        try:
            start()
            url = ServerUrl(f"postgresql://keeper:{password}@127.0.0.1:{port}/postgres")
            url.restart = restart
            yield url
        finally:
            stop()


def wait(bindir: Path, folder: Path, port: int, running: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers."""
    ask = [str(bindir / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
    for _ in range(300):
        if running.poll() is not None:
            break
        if subprocess.run(ask, check=False).returncode == 0:
            return
        time.sleep(0.1)
    raise NoPostgresError(f"the server did not start: {(folder / 'log').read_text()[-300:]}")


def run(prefix: list[str], command: list[object]) -> None:
    result = subprocess.run(
        [*prefix, *map(str, command)],
        cwd="/",
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
    )
    if result.returncode:
        raise NoPostgresError(f"{Path(str(command[0])).name}: {result.stderr.strip()[-300:]}")
