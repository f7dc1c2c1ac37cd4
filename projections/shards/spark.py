"""Run a lake audit as one Spark job with one task per shard. Each task opens its shard itself."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from ledger.errors import MissingExtraError
from ledger.lake import layout
from projections.shards import shard_errors

if TYPE_CHECKING:
    from projections.shards.lake_audit import Job, Mapper
    from projections.shards.shard_judge import Task

_SETTINGS: Final = {"spark.ui.enabled": "false", "spark.log.level": "ERROR", "spark.ui.showConsoleProgress": "false"}
_LOCAL_SETTINGS: Final = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
"""Settings for a cluster on this machine, so that nothing listens on the network."""


@contextmanager
def open_spark_mapper(
    master: str | None = None, remote: str | None = None, settings: Mapping[str, str] | None = None
) -> Iterator[Mapper]:
    """Open a mapper for a cluster: `master` like spark://HOST:7077 or local[2], or `remote` like sc://HOST:15002.

    Every worker must have handledger installed, and reach the lake and the output folder under the same paths. If a
    worker is lost, Spark runs its task again, so a task may run twice.
    """
    if master is not None and remote is not None:
        raise shard_errors.two_clusters()
    if master is None and remote is None:
        raise shard_errors.no_cluster()
    try:
        sql = import_module("pyspark.sql")
    except ImportError:
        raise MissingExtraError("a Spark cluster", "spark") from None
    if master is not None and not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        raise shard_errors.java_missing()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.appName("handledger")
    builder = builder.remote(remote) if remote is not None else builder.master(master)
    all_settings = {} if remote is not None else dict(_SETTINGS)  # a remote server was started with its own
    if master is not None and master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        all_settings |= _LOCAL_SETTINGS
    all_settings |= settings or {}
    with _reword_errors():
        session = builder.config(map=all_settings).getOrCreate()
    try:
        yield partial(_map_on_cluster, session)
    finally:
        session.stop()


def _map_on_cluster(session: Any, run_job: Job, tasks: Sequence[Task]) -> Iterable[bytes]:  # noqa: ANN401 - a session of Spark or of Spark Connect
    """Run the tasks and return their receipts.

    Spark's rows contain only the numbers of the tasks. The tasks themselves are sent with the function.
    """
    if not tasks:
        return []
    numbers = session.createDataFrame([(task_index,) for task_index in range(len(tasks))], "task int")
    spread_numbers = numbers.repartitionByRange(len(tasks), "task")
    with _reword_errors():
        return [
            bytes(row[0])
            for row in spread_numbers.mapInArrow(
                partial(_run_batches, run_job, list(tasks)), "receipt binary"
            ).collect()
        ]


def _run_batches(run_job: Job, tasks: list[Task], batches: Iterable[Any]) -> Iterator[Any]:
    """Run the tasks whose numbers are in these Arrow batches; yield batches of receipts."""
    arrow, _ = layout.import_arrow()
    for batch in batches:
        receipts = [run_job(tasks[task_index]) for task_index in batch.column(0).to_pylist()]
        yield arrow.RecordBatch.from_arrays([arrow.array(receipts, arrow.binary())], names=["receipt"])


@contextmanager
def _reword_errors() -> Iterator[None]:
    """Raise an error of Spark as a `StoreError` with one sentence."""
    try:
        yield
    except Exception as error:
        error_name = type(error).__name__
        if not type(error).__module__.startswith(("pyspark", "py4j", "grpc")):
            raise
        first_line = next((line for line in str(error).splitlines() if line.strip()), error_name)
        raise shard_errors.spark_failed(error_name, first_line) from error
