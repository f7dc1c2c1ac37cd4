"""Judge hands under rulebooks: find violations, and count for each clause which hands it could judge.

This module reads no store. The same hands in the same order give the same result, whether one process judges all of
them, or several processes judge parts that are then merged in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import NamedTuple

from ledger.event import Event
from ledger.files.disk_spool import DiskSpool
from ledger.replay import HandReplay
from ledger.table.in_force import NOTHING_IN_FORCE
from projections.addresses.hand_reference import Hand
from projections.audit.audit_result import NAMED_HANDS, AuditResult, list_judged_books, make_book_ref
from projections.audit.book_differences import ClauseOutcome, Difference, find_differences
from projections.audit.breach_doubts import find_breach_doubts, is_contradiction
from projections.audit.clause_plan import (
    EARLIER_HANDS,
    HandProfile,
    Verdict,
    is_verdict_unproven,
    list_unwitnessed_facts,
    settle_clause,
)
from projections.audit.derived_values import DERIVED_VALUE, rests_on_derived_alone
from projections.audit.hand_plan import ClauseQuestion, HandPlan, PlanPart, SettledClause
from projections.audit.hand_profile import HandProfiler
from projections.audit.merged_findings import ClauseBreach, list_shown_events, merge_breaches
from projections.audit.missing_folds import merge_under_missing_fold
from projections.audit.outcome_counts import OutcomeCounter
from projections.books.rulebook import Clause, Rulebook
from projections.detectors.shared.makeup_posts import has_known_debts
from projections.detectors.shared.unknown_stacks import UNKNOWN_STACKS, AllInReading
from projections.findings.detector import Detector
from projections.findings.doubts import UNREAD_LINE, UnreadLines, grade_breach, limit_certainty
from projections.findings.finding import Answer, Breach, CannotTell, Finding, NoOccasion, Share, compute_fingerprint
from projections.findings.source_lines import build_hand_reference, build_line, find_source_digest
from projections.table_walk.table_context import ContextsByBook, TableContext
from projections.timeline.hand_timeline import Timeline


class _Breaches(NamedTuple):
    """The breaches found in a hand so far."""

    clause_breaches: list[ClauseBreach]
    all_in_reading: AllInReading  # decides whether a breach needs a stack that isn't recorded
    all_in_doubts: set[tuple[int, int, int]]  # `ClauseBreach.order` of breaches that are doubtful for such a stack

    def add(self, breach: ClauseBreach, hand: HandReplay, timeline: Timeline) -> str:
        """Add a breach and return "", or return the missing fact without which it isn't proven."""
        stack_verdict = self.all_in_reading.judge(breach.clause, breach.breach)
        if rests_on_derived_alone(hand, timeline, breach.breach):
            return DERIVED_VALUE
        if stack_verdict == "cannot_tell":
            return UNKNOWN_STACKS
        self.clause_breaches.append(breach)
        if stack_verdict == "doubtful":
            self.all_in_doubts.add(breach.order)
        return ""

    def has_contradiction(self) -> bool:
        """Whether a certain breach shows that the hand's record contradicts itself."""
        return any(
            is_contradiction(candidate.clause)
            and candidate.breach.certainty == "certain"
            and candidate.order not in self.all_in_doubts
            for candidate in self.clause_breaches
        )


class Auditor:
    """Judges hands one after the other under the same books. `result` may be called at any time."""

    def __init__(
        self,
        books: Sequence[Rulebook],
        *,
        screened: bool = True,
        named_hands: int | None = NAMED_HANDS,
        on_disk: bool = False,
        compare_books: bool = True,
        keep_findings: bool = True,
    ) -> None:
        """Take the books.

        `screened=False` asks every detector about every hand: for tests, because it's slow.
        `named_hands`: how many hands the coverage names for each missing fact, or None for all of them.
        `on_disk` keeps findings on disk; earlier results then also contain findings added later.
        `compare_books=False` leaves out the differences between books.
        `keep_findings=False` leaves findings out of `result`; only `judge_hand` returns them.
        """
        self._named_hands = named_hands
        self._keep_findings = keep_findings
        self.books = list_judged_books(books)
        self._clauses = [(book, clause) for book in self.books for clause in book.clauses.values()]
        self._parts: dict[tuple[str, HandProfile, int], PlanPart] = {}
        self._plans: dict[tuple[HandProfile, tuple[int, ...]], HandPlan] = {}
        # Parts of many plans hold equal questions and settled clauses: each is kept once.
        self._questions: dict[tuple[int, tuple[str, ...]], ClauseQuestion] = {}
        self._settled_clauses: dict[SettledClause, SettledClause] = {}
        self._compared_books = self.books[1:] if compare_books and len(self.books) > 2 else []
        self._clause_indexes = {(book.name, clause.id): index for index, (book, clause) in enumerate(self._clauses)}
        self._profiler = HandProfiler(self.books, screened=screened)
        self._distinguishing_signs = {book.name: _collect_signs(book) for book in self.books}
        self._on_disk = on_disk
        self.restart()

    def restart(self) -> None:
        """Forget all hands. Results returned before aren't changed by later hands."""
        self._outcomes = OutcomeCounter(len(self._clauses), self._named_hands)
        self._findings: list[Finding] | DiskSpool[Finding] = DiskSpool(Finding) if self._on_disk else []
        self._differences: list[Difference] | DiskSpool[Difference] = DiskSpool(Difference) if self._on_disk else []

    def fork(self) -> Auditor:
        """Return an auditor for other hands under the same books. It reuses the plans made so far."""
        sibling = copy(self)
        sibling.restart()
        return sibling

    def judge_hands(
        self,
        hands: Iterable[tuple[HandReplay, ContextsByBook | None]],
        on_judged: Callable[[HandReplay, Sequence[Finding]], None] | None = None,
    ) -> AuditResult:
        """Judge hands in order, each with its table context, or None if that is unknown; return the result.

        `on_judged` is called with each hand and its findings.
        """
        for hand, contexts in hands:
            findings = self.judge_hand(hand, contexts)
            if on_judged is not None:
                on_judged(hand, findings)
        return self.result()

    def judge_hand(self, hand: HandReplay, contexts: ContextsByBook | None = None) -> list[Finding]:
        """Judge a hand with its table context, or without one if it is unknown; return its findings."""
        profile, shortcuts = self._profiler.build_profile(hand, contexts)
        plan = self._plans.get((profile, shortcuts))
        if plan is None:
            plan = self._plans[profile, shortcuts] = self._build_plan(profile, shortcuts)
        self._outcomes.count_hand(plan, hand)
        if not plan.questions:
            return []
        findings = self._ask_detectors(hand, plan, contexts, profile.unread_lines)
        if self._keep_findings:
            self._findings.extend(findings)
        return findings

    def _build_plan(self, profile: HandProfile, shortcuts: tuple[int, ...]) -> HandPlan:
        """Build the plan of a hand from the parts of its books, which many hands share."""
        by_book = dict(zip(self._profiler.table_books, shortcuts, strict=False))  # without table context there are none
        parts = []
        for book in self.books:
            signs, event_sets = self._distinguishing_signs[book.name]
            book_profile = profile._replace(symptoms=profile.symptoms & signs, triggers=profile.triggers & event_sets)
            book_shortcuts = by_book.get(book.name, 0)
            key = book.name, book_profile, book_shortcuts
            if key not in self._parts:
                self._parts[key] = self._build_part(book, book_profile, book_shortcuts)
            parts.append(self._parts[key])
        return HandPlan(parts)

    def _build_part(self, book: Rulebook, profile: HandProfile, shortcuts: int) -> PlanPart:
        """Divide a book's clauses into those whose detectors must be asked, and those settled by the profile."""
        questions: list[ClauseQuestion] = []
        settled_clauses: list[SettledClause] = []
        for clause in book.clauses.values():
            index = self._clause_indexes[book.name, clause.id]
            judging_clause = book.clauses[clause.entry.restates] if clause.entry.restates else clause
            verdict, fact = settle_clause(judging_clause, profile, shortcuts)
            if verdict is None:
                if judging_clause is clause and clause.run is not None:
                    unwitnessed_facts = list_unwitnessed_facts(clause, profile)
                    question = ClauseQuestion(index, clause, clause.run, unwitnessed_facts)
                    questions.append(self._questions.setdefault((index, unwitnessed_facts), question))
            else:
                settled_clause = SettledClause(index, verdict, fact)
                settled_clauses.append(self._settled_clauses.setdefault(settled_clause, settled_clause))
        return PlanPart(questions, settled_clauses)

    def _ask_detectors(
        self, hand: HandReplay, plan: HandPlan, contexts: ContextsByBook | None, unread_lines: UnreadLines
    ) -> list[Finding]:
        """Ask the plan's detectors about a hand, merge their breaches, and return the findings."""
        timeline = Timeline(hand, NOTHING_IN_FORCE if contexts is None else contexts.in_force)
        breaches = _Breaches([], AllInReading(hand, timeline), set())
        outcomes: dict[int, ClauseOutcome] = {}
        for question in plan.questions:
            detector_answers = _ask_detector(self._clauses[question.clause_index][0], question, timeline, contexts)
            verdict, missing_facts = self._judge_clause(
                hand, timeline, question, detector_answers, breaches, unread_lines
            )
            if verdict == "cannot_tell":
                for fact in dict.fromkeys(missing_facts):
                    self._outcomes.count_missing(question.clause_index, fact, hand)
            self._outcomes.count_verdict(question.clause_index, verdict)
            outcomes[question.clause_index] = ClauseOutcome(verdict, tuple(missing_facts))
        if not breaches.clause_breaches:
            return []
        hand_reference = build_hand_reference(hand, timeline)
        is_contradictory = breaches.has_contradiction()
        leaders = merge_under_missing_fold(merge_breaches(breaches.clause_breaches), timeline)
        for leader in leaders:
            for merged_breach in leader.merged_breaches:
                self._outcomes.count_findings(merged_breach.clause_index, -1)  # now part of another clause's finding
        all_in_doubt = breaches.all_in_reading.doubt if breaches.all_in_doubts else None
        findings = [
            self._build_finding(
                hand,
                timeline,
                hand_reference,
                leader,
                contexts,
                all_in_doubt if leader.order in breaches.all_in_doubts else None,
                is_contradictory=is_contradictory,
            )
            for leader in leaders
        ]
        if self._compared_books:
            self._differences.extend(self._compare_answers(findings, plan, outcomes))
        return findings

    def _judge_clause(
        self,
        hand: HandReplay,
        timeline: Timeline,
        question: ClauseQuestion,
        answers: Iterable[Answer],
        breaches: _Breaches,
        unread_lines: UnreadLines,
    ) -> tuple[Verdict, list[str]]:
        """Collect a detector's answers about a hand; return the verdict and the missing facts."""
        clause_index, clause, _, unwitnessed_facts = question
        verdict: Verdict = "not_built" if clause.entry.partly else "clean"
        missing_facts: list[str] = []
        breach_count = 0
        for answer in answers:
            if isinstance(answer, Breach):
                missing_fact = breaches.add(ClauseBreach(clause_index, breach_count, clause, answer), hand, timeline)
                if missing_fact:
                    missing_facts.append(missing_fact)
                else:
                    breach_count += 1
            elif isinstance(answer, CannotTell):
                missing_facts.append(answer.missing)
            elif isinstance(answer, NoOccasion):
                verdict = "did_not_come_up"
        if not missing_facts:
            missing_facts = list(unwitnessed_facts)
        if breach_count:
            self._outcomes.count_findings(clause_index, breach_count)
            return "found", missing_facts
        if missing_facts or is_verdict_unproven(clause, unread_lines, verdict):
            return "cannot_tell", missing_facts or [UNREAD_LINE]
        return verdict, missing_facts

    def _compare_answers(
        self, findings: list[Finding], plan: HandPlan, outcomes: dict[int, ClauseOutcome]
    ) -> list[Difference]:
        """Return the differences between the books about one hand. `outcomes`: of the asked clauses, by index."""
        outcomes |= {
            clause_index: ClauseOutcome(verdict, (fact,) if fact else ())
            for part in plan.parts
            for clause_index, verdict, fact in part.settled_clauses
        }

        def find_outcome(book: Rulebook, clause: Clause) -> ClauseOutcome:
            return outcomes[self._clause_indexes[book.name, clause.entry.restates or clause.id]]

        return find_differences(findings, self._compared_books, find_outcome)

    def _build_finding(
        self,
        hand: HandReplay,
        timeline: Timeline,
        hand_reference: Hand,
        clause_breach: ClauseBreach,
        contexts: ContextsByBook | None,
        all_in_doubt: str | None,
        *,
        is_contradictory: bool,
    ) -> Finding:
        """Build the finding of a breach. `all_in_doubt`: the doubt about an unrecorded stack, if there is one."""
        book, clause, breach = self._clauses[clause_breach.clause_index][0], clause_breach.clause, clause_breach.breach
        game = timeline.game
        doubts, farther_count = find_breach_doubts(
            hand, clause_breach, timeline, hand_reference, contexts, book.name, is_contradictory=is_contradictory
        )
        if all_in_doubt is not None:
            doubts = [all_in_doubt, *doubts]
        certainty, reason = limit_certainty(*grade_breach(breach), doubts, farther_count)
        breach_and_merged = (clause_breach, *clause_breach.merged_breaches)
        money = next((merged.breach.money for merged in breach_and_merged if merged.breach.money), ())
        clause_names = dict.fromkeys(
            name
            for merged in breach_and_merged
            if merged.clause.book == clause.book
            for name in (merged.clause.id, *merged.clause.restated_by)
        )
        return Finding(
            clause=clause.id,
            book=book.name,
            edition=book.edition,
            severity=breach.severity or clause.entry.severity,
            certainty=certainty,
            hand=hand_reference,
            version=breach.version,
            seat=breach.seat,
            saw=breach.saw,
            asks=clause.entry.says,
            should=breach.should,
            because=reason,
            money=[Share(seat, chips) for seat, chips in money if chips],
            remedy=breach.remedy,
            fingerprint=compute_fingerprint(
                book.plain_name, clause.id, hand_reference, *breach.key, clause_breach.breach_index, hand.session
            ),
            lines=[build_line(hand, breach.version, "")]
            + [build_line(hand, version, note) for version, note in list_shown_events(clause_breach)],
            also=[name for name in clause_names if name != clause.id],
            source=find_source_digest(hand),
            unit=game.unit if game else "",
            exponent=game.exponent if game else 0,
        )

    def result(self) -> AuditResult:
        """Return the findings so far, and the coverage of every clause of every book."""
        coverage = self._outcomes.build_coverage(self._clauses, self._clause_indexes)
        refs = [make_book_ref(book) for book in self.books]
        findings, differences = self._findings, self._differences
        if isinstance(findings, list) and isinstance(differences, list):
            findings, differences = findings.copy(), differences.copy()
        return AuditResult(refs, self._outcomes.hand_count, findings, coverage, differences)


def _collect_signs(book: Rulebook) -> tuple[int, frozenset[frozenset[type[Event]]]]:
    """Return the signs (as bits) and the sets of event types that the detectors of a book look for."""
    specs = [clause.spec for clause in book.clauses.values() if clause.spec is not None]
    signs = 0
    for spec in specs:
        signs |= int(spec.signs) | int(spec.occasion or 0)
    return signs, frozenset(spec.events for spec in specs)


def audit(hands: Iterable[HandReplay], books: Sequence[Rulebook]) -> AuditResult:
    """Judge hands under one or several books; the built-in book `record` is always among them."""
    return Auditor(books).judge_hands((hand, None) for hand in hands)


def judge(hand: HandReplay, book: Rulebook) -> AuditResult:
    """Judge one hand under one book."""
    return audit([hand], [book])


def _ask_detector(
    book: Rulebook, question: ClauseQuestion, timeline: Timeline, contexts: ContextsByBook | None
) -> Iterable[Answer]:
    """Ask a detector about a hand. A detector that reads the table also gets the hand's table context."""
    detector, spec = question.detector, question.clause.spec
    assert spec is not None  # noqa: S101 - a clause with a detector has a spec
    if not spec.reads_table:
        return detector(timeline)
    context = None if contexts is None else contexts[book.name]
    if context is not None:
        context.timeline = timeline
    if context is not None and spec.needs_history and context.due_positions.unknown:
        if spec.sees_plain_breach and (breaches := _find_breaches(detector, timeline, context)):
            return breaches
        if not spec.judges_alone:
            return [CannotTell(EARLIER_HANDS)]
        if not (spec.sees_plain_breach and has_known_debts(timeline, context)):
            context = None
    return detector(timeline, context)


def _find_breaches(detector: Detector, timeline: Timeline, context: TableContext) -> list[Answer]:
    """Return the breaches that are certain whatever happened in earlier hands."""
    if not timeline.start:
        return []  # part of a hand, without players
    return [answer for answer in detector(timeline, context) if isinstance(answer, Breach)]
