"""Run our projections live, with the `ProjectionRunner` of the eventsourcing library.

On each event, a `Projection` updates our tables to the end of the log, one page of commits per transaction, as
commands do. The tracked position never passes an unprocessed event. No event is processed twice, even if two
runners, or a runner and a command, run at the same time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.projection import Projection, ProjectionRunner
from sqlalchemy import select

from ledger.errors import UsageError
from ledger.store.database import tables
from ledger.store.eventsourced import environment_for
from ledger.store.eventsourced.recorders import LedgerTrackingRecorder
from projections.tables.finding_events import announce_new_findings
from projections.tables.result_tables import ResultsProjection
from projections.tables.table_set import build_results_projection

if TYPE_CHECKING:
    from eventsourcing.persistence import Tracking


class LedgerApplication(Application[UUID]):
    """A ledger as an application of the library; its log is the only sequence of events."""

    name = "ledger"


class ResultsView(LedgerTrackingRecorder):
    """The tables of results. Their position is written in the same transaction as their rows."""

    def max_tracking_id(self, application_name: str) -> int | None:
        """Return the position of the last processed commit, or None if there are no tables."""
        del application_name  # there is one log
        with self.ledger.database.core() as connection:
            statement = select(tables.tracking.c.position).where(tables.tracking.c.name == ResultsProjection.name)
            return connection.execute(statement).scalar_one_or_none()


class LiveResults(Projection[ResultsView]):
    """Keeps the results of hands and seats up to date with the log."""

    name = "results"

    def process_event(self, domain_event: object, tracking: Tracking) -> None:
        """Process the log to its end; do nothing if this event was already processed."""
        del domain_event
        if (self.view.max_tracking_id(tracking.application_name) or 0) < tracking.notification_id:
            self.view.ledger.catch_up(build_results_projection(self.view.ledger))


class JudgementView(LedgerTrackingRecorder):
    """Findings under the house's books. It stores no position, so a new view first judges what is new."""

    judged_position: int | None = None  # None = nothing judged yet

    def max_tracking_id(self, application_name: str) -> int | None:
        """Return the position up to which hands are judged. The first call judges all new hands.

        The library asks for the position before it sends events. Those up to this position are then skipped.
        """
        del application_name  # there is one log
        if self.judged_position is None:
            self.judge_new_hands()
        return self.judged_position

    def judge_new_hands(self) -> None:
        """Judge new hands and announce changed findings."""
        head = self.ledger.head()[0]  # read first, because hands that come in while we judge may be missed
        announce_new_findings(self.ledger)
        self.judged_position = head


class LiveJudgement(Projection[JudgementView]):
    """Judges hands under the house's books as they come in, and announces findings."""

    name = "judgement"

    def process_event(self, domain_event: object, tracking: Tracking) -> None:
        """Judge the log to its end; do nothing if this event was already judged."""
        del domain_event
        judged_position = self.view.judged_position
        if judged_position is None or judged_position < tracking.notification_id:
            self.view.judge_new_hands()


Runner = ProjectionRunner[LedgerApplication, Any]
PROJECTIONS: dict[str, tuple[type[Projection[Any]], type[LedgerTrackingRecorder]]] = {
    LiveResults.name: (LiveResults, ResultsView),
    LiveJudgement.name: (LiveJudgement, JudgementView),
}


@contextmanager
def run_projection(url: str, name: str) -> Iterator[Runner]:
    """Run a projection of a ledger, by its name in `PROJECTIONS`, while the context lasts."""
    if name not in PROJECTIONS:
        raise UsageError(f"no projection is called {name[:40]!r}", f"There are: {', '.join(PROJECTIONS)}.")
    projection_class, view_class = PROJECTIONS[name]
    env = environment_for(url)
    runner = ProjectionRunner(
        application_class=LedgerApplication, projection_class=projection_class, view_class=view_class, env=env
    )
    with closing(runner.view.ledger), runner:  # the library closes its application, not the view
        yield runner
