"""Run the clauses of rulebooks over hands: findings, and for each clause what could be judged.

Nothing here knows a store. The same hands in the same order give the same result, whether one
process judges all of them or several judge parts that are merged in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import NamedTuple

from ledger.disk_spool import Kept
from ledger.event import Event
from ledger.replay import PlayedHand
from ledger.table.in_force import NOTHING_IN_FORCE
from projections.addresses.hand_reference import Hand
from projections.audit.audit_result import NAMED, AuditResult, reference, with_built_in
from projections.audit.book_differences import Difference, Judged, differences
from projections.audit.breach_doubts import breach_doubts, contradicts
from projections.audit.cell_counts import Ask, HandPlan, PlanPart, Settled, Tally
from projections.audit.clause_plan import BEFORE, HandProfile, Verdict, settle, unread, unwitnessed
from projections.audit.derived_values import DERIVED, rests_on_derived_alone
from projections.audit.hand_profile import HandProfiler
from projections.audit.merged_findings import Spoken, beside, merged
from projections.audit.missing_folds import gather_under_missing_fold
from projections.books.rulebook import Clause, Rulebook
from projections.detectors.shared.makeup_posts import has_known_debts
from projections.detectors.shared.unknown_stacks import STACKS, AllInReading
from projections.findings.detector import Detector
from projections.findings.doubts import UNREAD_LINE, UnreadLines, bounded, certainty_of
from projections.findings.finding import Answer, Breach, CannotTell, Finding, NoOccasion, Share, fingerprint
from projections.findings.source_lines import hand_of, line_of, source_of
from projections.table_walk.table_context import ContextsByBook, TableContext
from projections.timeline.hand_timeline import Timeline


class _Breaches(NamedTuple):
    """The breaches of a hand, and which of them rest on a stack that may have been all in."""

    found: list[Spoken]
    all_in_reading: AllInReading
    all_in_doubts: set[tuple[int, int, int]]  # `Spoken.order`

    def add(self, breach: Spoken, hand: PlayedHand, course: Timeline) -> str:
        """Take a breach, or return the fact that is missing to speak of one."""
        stack_verdict = self.all_in_reading.judge(breach.clause, breach.breach)
        if rests_on_derived_alone(hand, course, breach.breach):
            return DERIVED
        if stack_verdict == "cannot_tell":
            return STACKS
        self.found.append(breach)
        if stack_verdict == "doubtful":
            self.all_in_doubts.add(breach.order)
        return ""


class Auditor:
    """Judges hands one after the other under some books; `result` may be asked at any time."""

    def __init__(
        self,
        books: Sequence[Rulebook],
        *,
        screened: bool = True,
        named: int | None = NAMED,
        long: bool = False,
        compared: bool = True,
        kept: bool = True,
    ) -> None:
        """Take the books. `screened=False` asks every detector about every hand (for tests).

        `named` is how many hands the coverage names for each fact that is wanting; None = all.
        `long` keeps what is found on the disk: results share it, and so see what is found later.
        `compared=False`: where the books differ is not asked. `kept=False`: only `judge_hand` returns findings.
        """
        self._named = named
        self._kept = kept
        self.books = with_built_in(books)
        self._clauses = [(book, clause) for book in self.books for clause in book.clauses.values()]
        self._parts: dict[tuple[str, HandProfile, int], PlanPart] = {}
        self._plans: dict[tuple[HandProfile, tuple[int, ...]], HandPlan] = {}
        self._compared = self.books[1:] if compared and len(self.books) > 2 else []
        self._number = {(book.name, clause.id): index for index, (book, clause) in enumerate(self._clauses)}
        self._profiler = HandProfiler(self.books, screened=screened)
        self._told_apart = {book.name: _distinguishing_signs(book) for book in self.books}
        self._long = long
        self.restart()

    def restart(self) -> None:
        """Begin where no hand was judged; results that were given share nothing with what comes."""
        self._tally = Tally(len(self._clauses), self._named)
        self._findings: list[Finding] | Kept[Finding] = Kept(Finding) if self._long else []
        self._differences: list[Difference] | Kept[Difference] = Kept(Difference) if self._long else []

    def again(self) -> Auditor:
        """Return an audit of other hands under the same books; what hands of a make have in common is known to both."""
        sibling = copy(self)
        sibling.restart()
        return sibling

    def judge_hands(
        self,
        hands: Iterable[tuple[PlayedHand, ContextsByBook | None]],
        on_judged: Callable[[PlayedHand, Sequence[Finding]], None] | None = None,
    ) -> AuditResult:
        """Judge hands one after the other, each with its place at its table if that is known; return the result.

        `on_judged` is called with each hand and its findings.
        """
        for hand, contexts in hands:
            findings = self.judge_hand(hand, contexts)
            if on_judged is not None:
                on_judged(hand, findings)
        return self.result()

    def judge_hand(self, hand: PlayedHand, contexts: ContextsByBook | None = None) -> list[Finding]:
        """Judge a hand, with its place among the table's hands if that is known; return its findings."""
        profile, shortcuts = self._profiler.profile(hand, contexts)
        plan = self._plans.get((profile, shortcuts))
        if plan is None:
            plan = self._plans[profile, shortcuts] = self._plan(profile, shortcuts)
        if self._tally.count_hand(plan):
            self._tally.name_hand(plan, hand.events[0], hand.session)
        if not plan.asks:
            return []
        findings = self._ask(hand, plan, contexts, profile.spoiled)
        if self._kept:
            self._findings.extend(findings)
        return findings

    def _plan(self, profile: HandProfile, shortcuts: tuple[int, ...]) -> HandPlan:
        """Put the plan of a hand together from its books', which many hands share."""
        by_book = dict(zip(self._profiler.tabled, shortcuts, strict=False))
        parts = []
        for book in self.books:
            signs, kinds = self._told_apart[book.name]
            book_profile = profile._replace(shown=profile.shown & signs, triggers=profile.triggers & kinds)
            key = book.name, book_profile, by_book.get(book.name, 0)
            if key not in self._parts:
                self._parts[key] = self._part(book, book_profile, key[2])
            parts.append(self._parts[key])
        return HandPlan(parts)

    def _part(self, book: Rulebook, profile: HandProfile, shortcuts: int) -> PlanPart:
        asks: list[Ask] = []
        settled_clauses: list[Settled] = []
        for clause in book.clauses.values():
            index = self._number[book.name, clause.id]
            judging_clause = book.clauses[clause.entry.restates] if clause.entry.restates else clause
            verdict, fact = settle(judging_clause, profile, shortcuts)
            if verdict is None:
                if judging_clause is clause and clause.run is not None:
                    asks.append(Ask(index, clause, clause.run, unwitnessed(clause, profile)))
            else:
                settled_clauses.append(Settled(index, verdict, fact))
        return PlanPart(asks, settled_clauses)

    def _ask(
        self, hand: PlayedHand, plan: HandPlan, contexts: ContextsByBook | None, spoiled: UnreadLines
    ) -> list[Finding]:
        course = Timeline(hand, NOTHING_IN_FORCE if contexts is None else contexts.in_force)
        breaches = _Breaches([], AllInReading(hand, course), set())
        verdicts: dict[int, Judged] = {}
        for ask in plan.asks:
            answers = _ask_detector(self._clauses[ask.number][0], ask, course, contexts)
            verdict, missing_facts = self._judge_clause(hand, course, ask, answers, breaches, spoiled)
            for fact in dict.fromkeys(missing_facts) if verdict == "cannot_tell" else ():
                self._tally.count_missing(ask.number, fact, hand)
            self._tally.count_verdict(ask.number, verdict)
            verdicts[ask.number] = Judged(verdict, tuple(missing_facts))
        clause_breaches, all_in_reading, all_in_doubts = breaches
        if not clause_breaches:
            return []
        hand_reference = hand_of(hand, course)
        is_contradictory = any(
            contradicts(candidate.clause)
            and candidate.breach.certainty == "certain"
            and candidate.order not in all_in_doubts
            for candidate in clause_breaches
        )
        for clause_breach in (remaining := gather_under_missing_fold(merged(clause_breaches), course)):
            for merged_breach in clause_breach.merged:
                self._tally.count_findings(merged_breach.at, -1)  # it speaks in the finding of another clause
        doubts = dict.fromkeys(all_in_doubts, all_in_reading.doubt) if all_in_doubts else {}
        findings = [
            self._finding(
                hand,
                course,
                hand_reference,
                clause_breach,
                contexts,
                doubts.get(clause_breach.order),
                is_contradictory=is_contradictory,
            )
            for clause_breach in remaining
        ]
        if self._compared:
            self._differences.extend(self._compare(findings, plan, verdicts))
        return findings

    def _judge_clause(
        self,
        hand: PlayedHand,
        course: Timeline,
        ask: Ask,
        answers: Iterable[Answer],
        breaches: _Breaches,
        spoiled: UnreadLines,
    ) -> tuple[Verdict, list[str]]:
        """Take what a detector says of a hand; return the verdict, and the facts that it lacked."""
        index, clause, _, facts = ask
        verdict: Verdict = "not_built" if clause.entry.partly else "clean"
        missing_facts: list[str] = []
        count = 0
        for answer in answers:
            if isinstance(answer, Breach):
                missing_fact = breaches.add(Spoken(index, count, clause, answer), hand, course)
                if missing_fact:
                    missing_facts.append(missing_fact)
                else:
                    count += 1
            elif isinstance(answer, CannotTell):
                missing_facts.append(answer.missing)
            elif isinstance(answer, NoOccasion):
                verdict = "did_not_come_up"
        if not missing_facts and facts:
            missing_facts = facts.split(", ")
        if count:
            self._tally.count_findings(index, count)
            return "found", missing_facts
        if missing_facts or unread(clause, spoiled, verdict):
            return "cannot_tell", missing_facts or [UNREAD_LINE]
        return verdict, missing_facts

    def _compare(self, findings: list[Finding], plan: HandPlan, verdicts: dict[int, Judged]) -> list[Difference]:
        verdicts |= {
            clause_index: Judged(verdict, (fact,) if fact else ())
            for part in plan.parts
            for clause_index, verdict, fact in part.settled
        }

        def verdict(book: Rulebook, clause: Clause) -> Judged:
            return verdicts[self._number[book.name, clause.entry.restates or clause.id]]

        return differences(findings, self._compared, verdict)

    def _finding(
        self,
        hand: PlayedHand,
        course: Timeline,
        hand_reference: Hand,
        clause_breach: Spoken,
        contexts: ContextsByBook | None,
        all_in_doubt: str | None,
        *,
        is_contradictory: bool,
    ) -> Finding:
        book, clause, breach = self._clauses[clause_breach.at][0], clause_breach.clause, clause_breach.breach
        game = course.game
        doubts, farther_count = breach_doubts(
            hand, clause_breach, course, hand_reference, contexts, book.name, odd=is_contradictory
        )
        if all_in_doubt is not None:
            doubts = [all_in_doubt, *doubts]
        certainty, because = bounded(*certainty_of(breach), doubts, farther_count)
        money = breach.money or next(
            (merged_breach.breach.money for merged_breach in clause_breach.merged if merged_breach.breach.money), ()
        )
        clause_names = dict.fromkeys(
            name
            for merged_breach in (clause_breach, *clause_breach.merged)
            if merged_breach.clause.book == clause.book
            for name in (merged_breach.clause.id, *merged_breach.clause.restated_by)
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
            because=because,
            money=[Share(seat, chips) for seat, chips in money if chips],
            remedy=breach.remedy,
            fingerprint=fingerprint(
                book.plain_name, clause.id, hand_reference, breach.version, breach.seat, clause_breach.nth, hand.session
            ),
            lines=[line_of(hand, breach.version, "")]
            + [line_of(hand, version, note) for version, note in beside(clause_breach)],
            also=[name for name in clause_names if name != clause.id],
            source=source_of(hand),
            unit=game.unit if game else "",
            exponent=game.exponent if game else 0,
        )

    def result(self) -> AuditResult:
        """Return what was found so far, and the coverage of every clause of every book."""
        coverage = self._tally.coverage(self._clauses, self._number)
        refs = [reference(book) for book in self.books]
        findings, differences = self._findings, self._differences
        if isinstance(findings, list) and isinstance(differences, list):
            findings, differences = findings.copy(), differences.copy()
        return AuditResult(refs, self._tally.hands, findings, coverage, differences)


def _distinguishing_signs(book: Rulebook) -> tuple[int, frozenset[frozenset[type[Event]]]]:
    """Return the signs and the kinds of event by which clauses of a book tell hands apart."""
    specs = [clause.spec for clause in book.clauses.values() if clause.spec is not None]
    signs = 0
    for spec in specs:
        signs |= int(spec.signs) | int(spec.occasion or 0)
    return signs, frozenset(spec.events for spec in specs)


def audit(hands: Iterable[PlayedHand], books: Sequence[Rulebook]) -> AuditResult:
    """Judge hands under one or several books; the built-in book `record` is always among them."""
    return Auditor(books).judge_hands((hand, None) for hand in hands)


def judge(hand: PlayedHand, book: Rulebook) -> AuditResult:
    """Judge one hand under one book."""
    return audit([hand], [book])


def _ask_detector(book: Rulebook, ask: Ask, course: Timeline, contexts: ContextsByBook | None) -> Iterable[Answer]:
    """Return what a detector says of a hand; one about tables is given the hand's place among them."""
    detector, spec = ask.run, ask.clause.spec
    assert spec is not None  # noqa: S101 - it has a detector
    if not spec.reads_table:
        return detector(course)
    context = None if contexts is None else contexts[book.name]
    if context is not None:
        context.timeline = course
    if context is not None and spec.needs_history and context.due_positions.unknown:
        if spec.sees_plain_breach and (breaches := _find_breaches(detector, course, context)):
            return breaches
        if not spec.judges_alone:
            return [CannotTell(BEFORE)]
        if not (spec.sees_plain_breach and has_known_debts(course, context)):
            context = None
    return detector(course, context)


def _find_breaches(detector: Detector, course: Timeline, context: TableContext) -> list[Answer]:
    """Return what is wrong with a hand whatever lies before it."""
    if not course.start:
        return []  # a part of a hand, which names nobody
    return [answer for answer in detector(course, context) if isinstance(answer, Breach)]
