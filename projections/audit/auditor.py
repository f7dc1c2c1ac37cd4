"""Run the clauses of rulebooks over hands: findings, and for each clause what could be judged.

Nothing here knows a store. The same hands in the same order give the same result, whether one
process judges all of them or several judge parts that are merged in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from typing import Final

from ledger import presence as p
from ledger.disk_spool import Kept
from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.ending import CorrectionMade, LineUnread
from ledger.hand.opening import Agreed, GameSet, HandOpened, OptionSet, PermissionGranted, SeatDealtIn
from ledger.replay import PlayedHand
from ledger.table.in_force import NOTHING_IN_FORCE, InForce
from ledger.vocabulary import Witness
from projections.addresses.hand_reference import Hand
from projections.audit.audit_result import NAMED, AuditResult, reference, with_built_in
from projections.audit.book_differences import Difference, Judged, differences
from projections.audit.breach_doubts import breach_doubts, contradicts
from projections.audit.cell_counts import Ask, HandPlan, PlanPart, Settled, Tally
from projections.audit.clause_plan import BEFORE, HandProfile, Verdict, settle, table_shortcuts, unread, unwitnessed
from projections.audit.derived_values import DERIVED, rests_on_derived_alone
from projections.audit.merged_findings import Spoken, beside, merged
from projections.audit.missing_folds import gather_under_missing_fold
from projections.books.rulebook import Clause, Rulebook
from projections.detectors.shared.makeup_posts import has_known_debts
from projections.detectors.shared.unknown_stacks import STACKS, AllInReading
from projections.findings.detector import Detector, Symptom
from projections.findings.doubts import ALL_READ, UNREAD_LINE, UnreadLines, bounded, certainty_of, players_not_judged
from projections.findings.finding import (
    MOST_EVENTS,
    TOO_MANY_EVENTS,
    Answer,
    Breach,
    CannotTell,
    Finding,
    NoOccasion,
    Share,
    fingerprint,
)
from projections.findings.source_lines import hand_of, line_of, source_of
from projections.table_walk.table_context import TableContext, TableContexts, of_tables
from projections.timeline.hand_timeline import Timeline
from projections.timeline.plain_hand import HARMLESS
from projections.timeline.prefilter import ALL, symptoms

_LEFT_OUT: Final[frozenset[type[Event]]] = frozenset({o.SeatLeftOut})
_NEEDS_TABLE_CLAUSES: Final = int(
    Symptom.TURN | Symptom.ODD_POSTS | Symptom.ENTRY_POSTS | Symptom.BLIND_SEATS | Symptom.STRANGER
)
"""Signs with which a hand is looked at by every clause about tables."""
_AWAY: Final = int(Symptom.PLAYER_AWAY)
_ACTS: Final = int(Witness.ACTS)
_STATED: Final = int(Witness.ACTS | Witness.WRITTEN_BUTTON)
_BURNED: Final = int(Symptom.BURNED)
_BURNS: Final = int(Witness.BURNS)
COMMON: Final[frozenset[type[Event]]] = frozenset(
    (
        o.HandOpened,
        o.GameSet,
        o.TournamentSet,
        o.OptionSet,
        o.SeatDealtIn,
        o.ButtonPlaced,
        o.BlindPositionPlaced,
        o.BlindPosted,
        o.AntePosted,
        d.HoleCardsDealt,
        d.HoleCardsLearned,
        d.DealCompleted,
        d.CardBurned,
        d.BoardDealt,
        b.Folded,
        b.Checked,
        b.Called,
        b.Bet,
        b.Raised,
        b.BetReturned,
        e.ShowdownBegun,
        e.CardsShown,
        e.CardsMucked,
        e.PotAwarded,
        e.DropTaken,
        e.ResultDeclared,
        e.HandCompleted,
        e.RemarkNoted,
        b.ClockCalled,
        b.ClockExpired,
        b.TimeBankUsed,
        b.TimeWarned,
        b.RunsOffered,
        b.RunsAnswered,
        b.RunsAgreed,
        b.CashOutTaken,
        b.InsuranceBought,
        b.InsurancePaid,
        p.SeatTaken,
        p.SeatLeft,
        p.PlayerAway,
        p.PlayerBack,
        p.ConnectionLost,
        p.ConnectionRestored,
        p.ChipsAdded,
        p.ChipsRemoved,
        p.StackCounted,
        p.WordsSaid,
    )
)
"""What most hands are made of. With any other event clauses about tables look closer.

What a hand tells about seats and chips holds from the next hand on.
"""


class Audit:
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
        `compared=False`: where the books differ is not asked. `kept=False`: only `add` tells what is found.
        """
        self._named = named
        self._kept = kept
        self.books = with_built_in(books)
        self._clauses = [(book, clause) for book in self.books for clause in book.clauses.values()]
        self._parts: dict[tuple[str, HandProfile, int], PlanPart] = {}
        self._plans: dict[tuple[HandProfile, tuple[int, ...]], HandPlan] = {}
        self._tabled = [book.name for book in of_tables(self.books)]
        self._common: dict[frozenset[type[Event]], bool] = {}
        self._compared = self.books[1:] if compared and len(self.books) > 2 else []
        self._number = {(book.name, clause.id): index for index, (book, clause) in enumerate(self._clauses)}
        self._screened = screened
        self._on = {clause.spec.events for _, clause in self._clauses if clause.spec is not None and clause.spec.events}
        self._told_apart = {book.name: _distinguishing_signs(book) for book in self.books}
        self._triggers: dict[frozenset[type[Event]], frozenset[frozenset[type[Event]]]] = {}
        self._long = long
        self.restart()

    def restart(self) -> None:
        """Begin where no hand was judged; results that were given share nothing with what comes."""
        self._tally = Tally(len(self._clauses), self._named)
        self._findings: list[Finding] | Kept[Finding] = Kept(Finding) if self._long else []
        self._differences: list[Difference] | Kept[Difference] = Kept(Difference) if self._long else []

    def again(self) -> Audit:
        """Return an audit of other hands under the same books; what hands of a make have in common is known to both."""
        sibling = copy(self)
        sibling.restart()
        return sibling

    def add(self, hand: PlayedHand, contexts: TableContexts | None = None) -> list[Finding]:
        """Judge a hand, with its place among the table's hands if that is known; return its findings."""
        events = hand.recorded_events
        kinds: frozenset[type[Event]] = frozenset(map(type, events))
        if CorrectionMade in kinds:
            events, kinds = hand.events, frozenset(map(type, hand.events))
        opening = events[0]
        witnesses = opening.witnesses if type(opening) is HandOpened else 0
        if witnesses & _STATED != _ACTS:
            witnesses = hand.final.witnesses  # what the hand states in full, too
        variant, betting, form = _read_game(events)
        symptom_bits = symptoms(events, kinds) if self._screened else -1
        if contexts is not None:
            in_force = contexts.in_force
            if in_force is not NOTHING_IN_FORCE:
                kinds = kinds | _kinds_in_force(in_force)
                if not in_force.options.keys() <= HARMLESS:
                    symptom_bits = ALL
            if contexts.away:
                symptom_bits |= _AWAY
        triggers = self._triggers.get(kinds)
        if triggers is None:
            triggers = self._triggers[kinds] = frozenset(on for on in self._on if kinds & on)
        can_skip_table_clauses = not symptom_bits & _NEEDS_TABLE_CLAUSES
        is_ordinary = can_skip_table_clauses and self._is_common(kinds)
        shortcuts: tuple[int, ...] = ()
        if contexts is not None and self._tabled:
            can_skip_table_clauses = is_ordinary or (can_skip_table_clauses and self._is_common(kinds - _LEFT_OUT))
            shortcuts = tuple(
                [table_shortcuts(contexts[name], can_skip_table_clauses, is_ordinary) for name in self._tabled]
            )
            is_ordinary = is_ordinary and not contexts.told
        spoiled = ALL_READ if contexts is None else contexts.spoiled
        if LineUnread in kinds and not spoiled.in_hand:
            spoiled = spoiled._replace(in_hand=True)
        symptom_bits |= _BURNED if d.CardBurned in kinds or witnesses & _BURNS else 0
        nobody_dealt = SeatDealtIn not in kinds
        not_judged = _reason_not_judged(hand, events)
        profile = HandProfile(
            variant,
            betting,
            form,
            witnesses,
            triggers,
            symptom_bits,
            contexts is not None,
            is_ordinary,
            spoiled,
            nobody_dealt,
            not_judged,
        )
        plan = self._plans.get((profile, shortcuts))
        if plan is None:
            plan = self._plans[profile, shortcuts] = self._plan(profile, shortcuts)
        if self._tally.count_hand(plan):
            self._tally.name_hand(plan, opening, hand.session)
        if not plan.asks:
            return []
        findings = self._ask(hand, plan, contexts, spoiled)
        if self._kept:
            self._findings.extend(findings)
        return findings

    def _is_common(self, kinds: frozenset[type[Event]]) -> bool:
        common = self._common.get(kinds)
        if common is None:
            common = self._common[kinds] = kinds <= COMMON
        return common

    def _plan(self, profile: HandProfile, shortcuts: tuple[int, ...]) -> HandPlan:
        """Put the plan of a hand together from its books', which many hands share."""
        by_book = dict(zip(self._tabled, shortcuts, strict=False))
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
        self, hand: PlayedHand, plan: HandPlan, contexts: TableContexts | None, spoiled: UnreadLines
    ) -> list[Finding]:
        course = Timeline(hand, NOTHING_IN_FORCE if contexts is None else contexts.in_force)
        clause_breaches: list[Spoken] = []
        all_in_reading = AllInReading(hand, course)
        all_in_doubts: set[tuple[int, int, int]] = set()  # `Spoken.order`
        verdicts: dict[int, Judged] = {}
        for index, clause, run, facts in plan.asks:
            verdict: Verdict = "not_built" if clause.entry.partly else "clean"
            missing_facts: list[str] = []
            count = 0
            assert clause.spec is not None  # noqa: S101 - it has a detector
            for answer in (
                _ask_detector(self._clauses[index][0], clause, run, course, contexts)
                if clause.spec.reads_table
                else run(course)
            ):
                if isinstance(answer, Breach):
                    stack_verdict = all_in_reading.judge(clause, answer)
                    is_derived = rests_on_derived_alone(hand, course, answer)
                    if stack_verdict == "cannot_tell" or is_derived:
                        missing_facts.append(DERIVED if is_derived else STACKS)
                        continue
                    clause_breaches.append(Spoken(index, count, clause, answer))
                    count += 1
                    if stack_verdict == "doubtful":
                        all_in_doubts.add(clause_breaches[-1].order)
                elif isinstance(answer, CannotTell):
                    missing_facts.append(answer.missing)
                elif isinstance(answer, NoOccasion):
                    verdict = "did_not_come_up"
            if not missing_facts and facts:
                missing_facts = facts.split(", ")
            if count:
                verdict = "found"
                self._tally.count_findings(index, count)
            elif missing_facts or unread(clause, spoiled, verdict):
                verdict = "cannot_tell"
                missing_facts = missing_facts or [UNREAD_LINE]
                for fact in dict.fromkeys(missing_facts):
                    self._tally.count_missing(index, fact, hand)
            self._tally.count_verdict(index, verdict)
            verdicts[index] = Judged(verdict, tuple(missing_facts))
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
        contexts: TableContexts | None,
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


def _read_game(events: Sequence[Event]) -> tuple[str, str, str]:
    """Return variant, betting structure and format of a hand; "" where its game is not told."""
    for event in events:
        if type(event) is GameSet:
            return event.variant, event.betting, event.format
    return "", "", ""


def _reason_not_judged(hand: PlayedHand, events: Sequence[Event]) -> str:
    """Say why no rulebook is asked about a hand; "" = they are."""
    return TOO_MANY_EVENTS if len(events) > MOST_EVENTS else players_not_judged(hand)


def audit(hands: Iterable[PlayedHand], books: Sequence[Rulebook]) -> AuditResult:
    """Judge hands under one or several books; the built-in book `record` is always among them."""
    running_audit = Audit(books)
    for hand in hands:
        running_audit.add(hand)
    return running_audit.result()


def judge(hand: PlayedHand, book: Rulebook) -> AuditResult:
    """Judge one hand under one book."""
    return audit([hand], [book])


def _ask_detector(
    book: Rulebook, clause: Clause, detector: Detector, course: Timeline, contexts: TableContexts | None
) -> Iterator[Answer]:
    """Yield what a detector says of a hand; one about tables is given the hand's place among them."""
    spec = clause.spec
    assert spec is not None  # noqa: S101 - it has a detector
    context = None if contexts is None else contexts[book.name]
    if context is not None:
        context.course = course
    if context is not None and spec.needs_history and context.placed.unknown:
        if spec.sees_plain_breach and (breaches := _find_breaches(detector, course, context)):
            yield from breaches
            return
        if not spec.judges_alone:
            yield CannotTell(BEFORE)
            return
        if not (spec.sees_plain_breach and has_known_debts(course, context)):
            context = None
    yield from detector(course, context)


def _find_breaches(detector: Detector, course: Timeline, context: TableContext) -> list[Answer]:
    """Return what is wrong with a hand whatever lies before it."""
    if not course.start:
        return []  # a part of a hand, which names nobody
    return [answer for answer in detector(course, context) if isinstance(answer, Breach)]


def _kinds_in_force(in_force: InForce) -> set[type[Event]]:
    """Return the kinds of event that the table was told before a hand, as if the hand told them."""
    table_events: list[tuple[type[Event], object]] = [
        (OptionSet, in_force.options),
        (PermissionGranted, in_force.permissions),
        (Agreed, in_force.agreements),
    ]
    return {kind for kind, events in table_events if events}
