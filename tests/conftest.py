"""What several test folders share: where the sample hands lie, and how goldens are made anew."""

from __future__ import annotations

import atexit
import gc
import importlib.util
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings

from tests.authority import Authority, NoOpensslError
from tests.children import children_hear_signals

ROOT = Path(__file__).resolve().parent.parent
Item = TypeVar("Item")

# The same examples each time, so that a change is judged by what it changes; `make torture` draws others.
settings.register_profile("whole", max_examples=50, deadline=None, derandomize=True)
settings.register_profile("everyday", max_examples=12, deadline=None, derandomize=True)  # of `make check`
settings.register_profile("fresh", max_examples=50, deadline=None)
settings.register_profile("long", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "whole"))


gc.set_threshold(100_000, 20, 1000)  # most of what is made stays: modules, tests, strategies

_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30
if "TMPDIR" not in os.environ and _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM:
    # Ledgers of tests are durable a hundred thousand times over: a disk takes three quarters of the time for it.
    # What a disk does or loses is played in tests/torture. The processes that pytest begins take this over.
    # pytest asks for the place before it reads this, and what was answered is kept.
    os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


_FOLDERS: list[Path] = []


@atexit.register  # before any other: what ends last was begun first, and multiprocessing has a folder in there
def _leave_nothing() -> None:
    for folder in _FOLDERS:
        shutil.rmtree(folder, ignore_errors=True)


def scale_examples(full_count: int) -> int:
    """Return how many examples a property draws that draws so many in CI: a quarter of them in `make check`."""
    return max(1, full_count * settings().max_examples // settings.get_profile("whole").max_examples)


def thin_out(many: Sequence[Item]) -> Sequence[Item]:
    """Return those that `make check` tries of many: every fourth; CI tries all."""
    return many[:: max(1, settings.get_profile("whole").max_examples // settings().max_examples)]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regen", action="store_true", help="write goldens anew (refused in CI)")


def pytest_configure() -> None:
    """Give all processes of the tests one folder for what is temporary; what pytest keeps of the last runs lies beside it.

    What programs leave that tests kill, and demonstrations leave on purpose, goes with it.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
        folder = Path(tempfile.mkdtemp(prefix="handledger-tests-"))
        folder.chmod(0o711)  # PostgreSQL runs as another user
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
        _FOLDERS.append(folder)


def pytest_collection_finish() -> None:
    """Spare the collector what stays to the end: thousands of tests, modules, strategies."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Of a test that several processes share, its result is told and what failed around it: one message, not five."""
    if not hasattr(item.config, "workerinput") or item.config.getoption("durations") is not None:
        return None  # pytest's own way, which measures what is around it too
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


def pytest_unconfigure() -> None:
    """What is left is collected once, so that pytest, which does it twice more, finds nothing to look through."""
    gc.collect()
    gc.freeze()


def script(path: Path) -> ModuleType:
    """Return a script of the project's as a module."""
    spec = importlib.util.spec_from_file_location(f"script_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def sample_hands() -> Path | None:
    """The folder of real hands beside the checkout, or where HANDLEDGER_DATA says; None without."""
    configured = os.environ.get("HANDLEDGER_DATA")
    samples = Path(configured) if configured else ROOT.parent / "shared" / "data"
    return samples if samples.is_dir() else None


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Iterator[None]:
    """Nothing that is tested reaches another machine; a server of the tests' own is on this one."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        here = not isinstance(address, tuple) or address[0] in ("127.0.0.1", "::1", "localhost")
        if self.family in (socket.AF_INET, socket.AF_INET6) and not here:
            raise ConnectionError(f"no network in tests: {address[0]}")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        yield


@pytest.fixture(autouse=True, scope="session")
def plain_python() -> Iterator[None]:
    """No variable of a machine changes how the programs of the tests write what they print."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONUNBUFFERED", raising=False)
        yield


@pytest.fixture(autouse=True, scope="session")
def heard_signals() -> Iterator[None]:
    """Programs that tests start hear Ctrl-C and a hangup, even where these tests run in the background or under nohup.

    A program inherits that a signal is ignored. It doesn't inherit a function that does nothing with it.
    """
    with children_hear_signals():
        yield


@pytest.fixture(autouse=True, scope="session")
def own_keys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keys of ids lie in a folder of the tests' own: no test writes into anybody's home."""
    place = tmp_path_factory.mktemp("keys") / "people.key"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HANDLEDGER_PEOPLE_KEY", str(place))
        yield place


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Real hands that are not part of the project; tests that need them are marked `data`."""
    path = sample_hands()
    if path is None:
        pytest.skip("no sample hands beside the checkout (HANDLEDGER_DATA can name their folder)")
    return path


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """A time stamping authority; skips where there is no openssl to stamp with."""
    try:
        authority = Authority(tmp_path_factory.mktemp("authority"))
        authority.over(b"tried")
    except NoOpensslError as error:
        pytest.skip(str(error))
    return authority


@pytest.fixture(scope="session")
def regen(request: pytest.FixtureRequest) -> bool:
    """Whether goldens are to be written anew instead of compared."""
    is_wanted = bool(request.config.getoption("--regen"))
    if is_wanted and os.environ.get("CI"):
        pytest.fail("--regen is refused in CI: a golden is changed by a person, with a look at it")
    return is_wanted
