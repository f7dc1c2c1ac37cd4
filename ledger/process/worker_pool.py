"""Start worker processes, as `--jobs` asks for."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from ledger.process.garbage_collector import tune_gc


def worker_pool(
    processes: int,
    modules: Sequence[str],
    initializer: Callable[..., None] | None = None,
    initargs: tuple[Any, ...] = (),
) -> ProcessPoolExecutor:
    """Return a pool of worker processes; each calls `initializer` first.

    Each is forked from a process that has only loaded `modules`, those of the work: loading all of this process's
    modules takes as long as some thousand hands. Where the system can't fork so, each worker loads them itself.
    None is forked from this process: two processes must not share a database connection.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return ProcessPoolExecutor(
            processes, multiprocessing.get_context("spawn"), _init_worker, (initializer, initargs)
        )
    from multiprocessing import forkserver, resource_tracker  # noqa: PLC0415 - not every system has them

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*modules])
    resource_tracker.ensure_running()  # starting it unblocks Ctrl-C
    with sigint_blocked():  # its forks block Ctrl-C, whoever asks for the first of them
        forkserver.ensure_running()
    return ProcessPoolExecutor(processes, context, _init_worker, (initializer, initargs))


@contextmanager
def sigint_blocked() -> Iterator[None]:
    """Block Ctrl-C here and in processes started meanwhile, until they are initialized.

    A terminal sends it to all processes at once, and an uninitialized one couldn't handle it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)


def _init_worker(initializer: Callable[..., None] | None, initargs: tuple[Any, ...]) -> None:
    tune_gc()
    if initializer is not None:
        initializer(*initargs)
    if hasattr(signal, "pthread_sigmask"):  # see `sigint_blocked`
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
