"""Jobs on a Spark cluster: one task a shard, each of which opens its shard itself; no row goes through the cluster."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from ledger.errors import MissingExtraError, StoreError, UsageError
from ledger.lake import layout

if TYPE_CHECKING:
    from projections.shards.lake_audit import Job, Mapper
    from projections.shards.shard_judge import Task

_SETTINGS: Final = {"spark.ui.enabled": "false", "spark.log.level": "ERROR", "spark.ui.showConsoleProgress": "false"}
_WITHIN: Final = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
"""Of a cluster within this machine: nothing listens to others."""


@contextmanager
def on_spark(
    master: str | None = None, remote: str | None = None, settings: Mapping[str, str] | None = None
) -> Iterator[Mapper]:
    """Lend what runs jobs on a cluster: `master` as spark://HOST:7077 or local[2], `remote` as sc://HOST:15002.

    The lake and the folder of findings are where every worker finds them, and handledger is installed there. What
    Spark reports of a worker that was lost is not an error: it runs the task again, and a job may be run twice.
    """
    if (master is None) is (remote is None):
        raise UsageError("which cluster?", "Say either --master spark://HOST:7077 or --remote sc://HOST:15002.")
    try:
        sql = import_module("pyspark.sql")
    except ImportError:
        raise MissingExtraError("a Spark cluster", "spark") from None
    if master is not None and not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        raise UsageError("Spark needs Java 17 or newer, and there is none here", "Install it, or set JAVA_HOME.")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.appName("handledger")
    builder = builder.remote(remote) if remote is not None else builder.master(master)
    told = {} if remote is not None else dict(_SETTINGS)
    if master is not None and master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        told |= _WITHIN
    told |= settings or {}
    with _said():
        session = builder.config(map=told).getOrCreate()
    try:
        yield partial(_mapped, session)
    finally:
        session.stop()


def _mapped(session: Any, work: Job, tasks: Sequence[Task]) -> Iterable[bytes]:  # noqa: ANN401 - Spark's, or Connect's
    """Run jobs; return their receipts. Only numbers of tasks are rows: what they are goes with the function."""
    if not tasks:
        return []
    numbers = session.createDataFrame([(at,) for at in range(len(tasks))], "task int")
    apart = numbers.repartitionByRange(len(tasks), "task")
    with _said():
        return [bytes(row[0]) for row in apart.mapInArrow(partial(_run, work, list(tasks)), "receipt binary").collect()]


def _run(work: Job, tasks: list[Task], batches: Iterable[Any]) -> Iterator[Any]:
    arrow, _ = layout.arrow()
    for batch in batches:
        receipts = [work(tasks[at]) for at in batch.column(0).to_pylist()]
        yield arrow.RecordBatch.from_arrays([arrow.array(receipts, arrow.binary())], names=["receipt"])


@contextmanager
def _said() -> Iterator[None]:
    """Say in one sentence what went wrong on a cluster."""
    try:
        yield
    except Exception as error:
        kind = type(error).__name__
        if not type(error).__module__.startswith(("pyspark", "py4j", "grpc")):
            raise
        first = next((line for line in str(error).splitlines() if line.strip()), kind)
        raise StoreError(
            f"the Spark cluster did not do it: {kind}: {first[:300]}", "Ask again: what is done is not done again."
        ) from error
