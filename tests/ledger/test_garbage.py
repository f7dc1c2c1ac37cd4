"""Python looks for dead objects that hold each other less often than it would, in the program and beside it."""

from __future__ import annotations

import gc
import subprocess
import sys

from ledger.process.worker_pool import worker_pool

PROGRAM = "import atexit, gc; atexit.register(lambda: print(gc.get_threshold()[0])); from cli.main import run; run()"


def test_the_program_looks_less_often_than_python_by_itself() -> None:
    result = subprocess.run([sys.executable, "-c", PROGRAM, "--version"], capture_output=True, text=True, check=True)
    assert int(result.stdout.split()[-1]) > 5000


def test_so_do_the_processes_beside_it() -> None:
    with worker_pool(1, [__name__]) as processes:
        assert processes.submit(gc.get_threshold).result()[0] > 5000
