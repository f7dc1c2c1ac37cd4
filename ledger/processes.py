"""Processes that work beside this one, as `--jobs` asks for: how they are started."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from ledger.garbage import rarely_swept


def pool(
    count: int, modules: Sequence[str], begin: Callable[..., None] | None = None, given: tuple[Any, ...] = ()
) -> ProcessPoolExecutor:
    """Return `count` processes that do what they are given; `begin` is called in each first.

    Each is forked off a process that has done nothing but load `modules`, those of the work: all that are loaded
    here would take as long as some thousand hands. Where the system knows no such thing, each loads them for itself.
    None is forked off this one: a connection to a database must not be had twice.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begun, (begin, given))
    from multiprocessing import forkserver, resource_tracker  # noqa: PLC0415 - not every system has them

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*modules])
    resource_tracker.ensure_running()  # who starts it lets Ctrl-C through again
    with held_back():  # what is forked off it lets Ctrl-C wait, whoever asks for the first of them
        forkserver.ensure_running()
    return ProcessPoolExecutor(count, context, _begun, (begin, given))


@contextmanager
def held_back() -> Iterator[None]:
    """Let Ctrl-C wait, here and in the processes that are started meanwhile: there until they have begun.

    A terminal sends it to all at once, and one that has not begun could not say what it is to do.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begun(begin: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
    rarely_swept()
    if begin is not None:
        begin(*given)
    if hasattr(signal, "pthread_sigmask"):  # see `held_back`
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
