"""Live updates of the tables beside the log, by the `ProjectionRunner` of the eventsourcing library.

Each event makes a `Projection` update our tables to the end of the log, one page of commits per transaction, as
commands do. The tracked position never passes an unprocessed event. No event is processed twice, even if two
runners, or a runner and a command, run at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.projection import Projection, ProjectionRunner
from sqlalchemy import select

from ledger.store.database.tables import tracking
from ledger.store.eventsourced import environment_for
from ledger.store.eventsourced.recorders import LedgerTrackingRecorder
from projections.tables.finding_events import keep_current
from projections.tables.kept_results import Results
from projections.tables.table_set import results_of

if TYPE_CHECKING:
    from eventsourcing.persistence import Tracking


class LedgerApplication(Application[UUID]):
    """A ledger as an application of the library, with its log as the only sequence of events."""

    name = "ledger"


class ResultsView(LedgerTrackingRecorder):
    """The tables of results; their position is written with their rows."""

    def max_tracking_id(self, application_name: str) -> int | None:
        """Return the position up to which the tables are made; None if there are none."""
        del application_name  # there is one log
        with self.ledger.database.core() as connection:
            statement = select(tracking.c.position).where(tracking.c.name == Results.name)
            return connection.execute(statement).scalar_one_or_none()


class LiveResults(Projection[ResultsView]):
    """Results of hands and seats, as current as the log."""

    name = "results"

    def process_event(self, domain_event: object, tracking: Tracking) -> None:
        """Process the log to its end; do nothing if this event was already processed."""
        del domain_event
        if (self.view.max_tracking_id(tracking.application_name) or 0) < tracking.notification_id:
            self.view.ledger.catch_up(results_of(self.view.ledger))


class JudgementView(LedgerTrackingRecorder):
    """Findings under the house's books. Its position is the end of the judged log: a new view judges everything first."""

    judged_position: int = 0

    def max_tracking_id(self, application_name: str) -> int | None:
        """Return the position up to which hands are judged."""
        del application_name
        if not self.judged_position:
            self.judge_new_hands()
        return self.judged_position

    def judge_new_hands(self) -> None:
        """Judge new hands and announce changed findings."""
        head = self.ledger.head()[0]
        keep_current(self.ledger)
        self.judged_position = head


class LiveJudgement(Projection[JudgementView]):
    """Findings under the books of the house, announced as hands come in."""

    name = "judgement"

    def process_event(self, domain_event: object, tracking: Tracking) -> None:
        """Judge the log to its end; do nothing if this event was already judged."""
        del domain_event
        if self.view.judged_position < tracking.notification_id:
            self.view.judge_new_hands()


Runner = ProjectionRunner[LedgerApplication, Any]
PROJECTIONS: dict[str, tuple[type[Projection[Any]], type[LedgerTrackingRecorder]]] = {
    LiveResults.name: (LiveResults, ResultsView),
    LiveJudgement.name: (LiveJudgement, JudgementView),
}


@contextmanager
def run_projection(url: str, name: str) -> Iterator[Runner]:
    """Run a projection of a ledger, by its name in `PROJECTIONS`, while the context lasts."""
    projection_class, view_class = PROJECTIONS[name]
    env = environment_for(url)
    runner = ProjectionRunner(
        application_class=LedgerApplication, projection_class=projection_class, view_class=view_class, env=env
    )
    with closing(runner.view.ledger), runner:  # the library closes its application, not the view
        yield runner
