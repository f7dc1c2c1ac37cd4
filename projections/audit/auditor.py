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
from projections.audit.merged_findings import Spoken, beside, merged
from projections.books.rulebook import Clause, Rulebook
from projections.detectors.shared.makeup_posts import debts_known
from projections.detectors.shared.unknown_stacks import STACKS, AllInReading
from projections.findings.detector import Detector, Symptom
from projections.findings.doubts import SOUND, UNREAD, Spoiled, bounded, certainty_of, players_not_judged
from projections.findings.finding import (
    MOST_EVENTS,
    TOO_LONG,
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
_LOUD: Final = int(Symptom.TURN | Symptom.ODD_POSTS | Symptom.ENTRY_POSTS | Symptom.BLIND_SEATS | Symptom.STRANGER)
"""Signs with which a hand is looked at by every clause about tables."""
_AWAY: Final = int(Symptom.AWAY)
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
        self._number = {(b.name, c.id): i for i, (b, c) in enumerate(self._clauses)}
        self._screened = screened
        self._on = {c.trait.on for _, c in self._clauses if c.trait is not None and c.trait.on}
        self._told_apart = {book.name: _told_apart(book) for book in self.books}
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
        other = copy(self)
        other.restart()
        return other

    def add(self, hand: PlayedHand, contexts: TableContexts | None = None) -> list[Finding]:
        """Judge a hand, with its place among the table's hands if that is known; return its findings."""
        events = hand.recorded_events
        kinds: frozenset[type[Event]] = frozenset(map(type, events))
        if CorrectionMade in kinds:
            events, kinds = hand.events, frozenset(map(type, hand.events))
        opened = events[0]
        witnesses = opened.witnesses if type(opened) is HandOpened else 0
        if witnesses & _STATED != _ACTS:
            witnesses = hand.final.witnesses  # what the hand states in full, too
        variant, betting, form = _game_of(events)
        shown = symptoms(events, kinds) if self._screened else -1
        if contexts is not None:
            in_force = contexts.in_force
            if in_force is not NOTHING_IN_FORCE:
                kinds = kinds | _kinds(in_force)
                if not in_force.options.keys() <= HARMLESS:
                    shown = ALL
            if contexts.away:
                shown |= _AWAY
        made = self._triggers.get(kinds)
        if made is None:
            made = self._triggers[kinds] = frozenset(on for on in self._on if kinds & on)
        faint = not shown & _LOUD
        plain = faint and self._is_common(kinds)
        standing: tuple[int, ...] = ()
        if contexts is not None and self._tabled:
            faint = plain or (faint and self._is_common(kinds - _LEFT_OUT))
            standing = tuple([table_shortcuts(contexts[name], faint, plain) for name in self._tabled])
            plain = plain and not contexts.told
        spoiled = SOUND if contexts is None else contexts.spoiled
        if LineUnread in kinds and not spoiled.within:
            spoiled = spoiled._replace(within=True)
        shown |= _BURNED if d.CardBurned in kinds or witnesses & _BURNS else 0
        nobody = SeatDealtIn not in kinds
        why = _not_judged(hand, events)
        make = HandProfile(
            variant, betting, form, witnesses, made, shown, contexts is not None, plain, spoiled, nobody, why
        )
        plan = self._plans.get((make, standing))
        if plan is None:
            plan = self._plans[make, standing] = self._plan(make, standing)
        if self._tally.count_hand(plan):
            self._tally.name_hand(plan, opened, hand.session)
        if not plan.asks:
            return []
        found = self._ask(hand, plan, contexts, spoiled)
        if self._kept:
            self._findings.extend(found)
        return found

    def _is_common(self, kinds: frozenset[type[Event]]) -> bool:
        common = self._common.get(kinds)
        if common is None:
            common = self._common[kinds] = kinds <= COMMON
        return common

    def _plan(self, make: HandProfile, standing: tuple[int, ...]) -> HandPlan:
        """Put the plan of a hand together from its books', which many hands share."""
        by_book = dict(zip(self._tabled, standing, strict=False))
        parts = []
        for book in self.books:
            signs, kinds = self._told_apart[book.name]
            alike = make._replace(shown=make.shown & signs, triggers=make.triggers & kinds)
            key = book.name, alike, by_book.get(book.name, 0)
            if key not in self._parts:
                self._parts[key] = self._part(book, alike, key[2])
            parts.append(self._parts[key])
        return HandPlan(parts)

    def _part(self, book: Rulebook, make: HandProfile, standing: int) -> PlanPart:
        asks: list[Ask] = []
        settled: list[Settled] = []
        for clause in book.clauses.values():
            index = self._number[book.name, clause.id]
            judged = book.clauses[clause.entry.restates] if clause.entry.restates else clause
            verdict, fact = settle(judged, make, standing)
            if verdict is None:
                if judged is clause and clause.run is not None:
                    asks.append(Ask(index, clause, clause.run, unwitnessed(clause, make)))
            else:
                settled.append(Settled(index, verdict, fact))
        return PlanPart(asks, settled)

    def _ask(self, hand: PlayedHand, plan: HandPlan, contexts: TableContexts | None, spoiled: Spoiled) -> list[Finding]:
        course = Timeline(hand, NOTHING_IN_FORCE if contexts is None else contexts.in_force)
        spoken: list[Spoken] = []
        all_in_reading = AllInReading(hand, course)
        all_in_doubts: set[tuple[int, int, int]] = set()  # `Spoken.order`
        judged: dict[int, Judged] = {}
        for index, clause, run, facts in plan.asks:
            verdict: Verdict = "not_built" if clause.entry.partly else "clean"
            lacking: list[str] = []
            count = 0
            assert clause.trait is not None  # noqa: S101 - it has a detector
            for answer in (
                _answers(self._clauses[index][0], clause, run, course, contexts) if clause.trait.table else run(course)
            ):
                if isinstance(answer, Breach):
                    standing = all_in_reading.judge(clause, answer)
                    if standing == "cannot_tell":
                        lacking.append(STACKS)
                        continue
                    spoken.append(Spoken(index, count, clause, answer))
                    count += 1
                    if standing == "doubtful":
                        all_in_doubts.add(spoken[-1].order)
                elif isinstance(answer, CannotTell):
                    lacking.append(answer.missing)
                elif isinstance(answer, NoOccasion):
                    verdict = "did_not_come_up"
            if not lacking and facts:
                lacking = facts.split(", ")
            if count:
                verdict = "found"
                self._tally.count_findings(index, count)
            elif lacking or unread(clause, spoiled, verdict):
                verdict = "cannot_tell"
                lacking = lacking or [UNREAD]
                for fact in dict.fromkeys(lacking):
                    self._tally.count_missing(index, fact, hand)
            self._tally.count_verdict(index, verdict)
            judged[index] = Judged(verdict, tuple(lacking))
        if not spoken:
            return []
        who = hand_of(hand, course)
        odd = any(
            contradicts(o.clause) and o.breach.certainty == "certain" and o.order not in all_in_doubts for o in spoken
        )
        for one in (left := merged(spoken)):
            for other in one.merged:
                self._tally.count_findings(other.at, -1)  # it speaks in the finding of another clause
        doubts = dict.fromkeys(all_in_doubts, all_in_reading.doubt) if all_in_doubts else {}
        found = [self._finding(hand, course, who, one, contexts, doubts.get(one.order), odd=odd) for one in left]
        if self._compared:
            self._differences.extend(self._compare(found, plan, judged))
        return found

    def _compare(self, found: list[Finding], plan: HandPlan, judged: dict[int, Judged]) -> list[Difference]:
        judged |= {
            at: Judged(verdict, (fact,) if fact else ()) for part in plan.parts for at, verdict, fact in part.settled
        }

        def verdict(book: Rulebook, clause: Clause) -> Judged:
            return judged[self._number[book.name, clause.entry.restates or clause.id]]

        return differences(found, self._compared, verdict)

    def _finding(
        self,
        hand: PlayedHand,
        course: Timeline,
        who: Hand,
        one: Spoken,
        contexts: TableContexts | None,
        all_in_doubt: str | None,
        *,
        odd: bool,
    ) -> Finding:
        book, clause, breach = self._clauses[one.at][0], one.clause, one.breach
        game = course.game
        doubts, more = breach_doubts(one, course, who, contexts, book.name, odd=odd)
        if all_in_doubt is not None:
            doubts = [all_in_doubt, *doubts]
        certainty, because = bounded(*certainty_of(breach), doubts, more)
        money = breach.money or next((o.breach.money for o in one.merged if o.breach.money), ())
        same = dict.fromkeys(name for o in (one, *one.merged) for name in (o.clause.id, *o.clause.restated_by))
        return Finding(
            clause=clause.id,
            book=book.name,
            edition=book.edition,
            severity=breach.severity or clause.entry.severity,
            certainty=certainty,
            hand=who,
            version=breach.version,
            seat=breach.seat,
            saw=breach.saw,
            asks=clause.entry.says,
            should=breach.should,
            because=because,
            money=[Share(seat, chips) for seat, chips in money if chips],
            remedy=breach.remedy,
            fingerprint=fingerprint(
                book.plain_name, clause.id, who, breach.version, breach.seat, one.nth, hand.session
            ),
            lines=[line_of(hand, breach.version, "")] + [line_of(hand, version, note) for version, note in beside(one)],
            also=[name for name in same if name != clause.id],
            source=source_of(hand),
            unit=game.unit if game else "",
            exponent=game.exponent if game else 0,
        )

    def result(self) -> AuditResult:
        """Return what was found so far, and the coverage of every clause of every book."""
        coverage = self._tally.coverage(self._clauses, self._number)
        refs = [reference(book) for book in self.books]
        found, differing = self._findings, self._differences
        if isinstance(found, list) and isinstance(differing, list):
            found, differing = found.copy(), differing.copy()
        return AuditResult(refs, self._tally.hands, found, coverage, differing)


def _told_apart(book: Rulebook) -> tuple[int, frozenset[frozenset[type[Event]]]]:
    """Return the signs and the kinds of event by which clauses of a book tell hands apart."""
    traits = [clause.trait for clause in book.clauses.values() if clause.trait is not None]
    signs = 0
    for trait in traits:
        signs |= int(trait.signs) | int(trait.occasion)
    return signs, frozenset(trait.on for trait in traits)


def _game_of(events: Sequence[Event]) -> tuple[str, str, str]:
    """Return variant, betting structure and format of a hand; "" where its game is not told."""
    for event in events:
        if type(event) is GameSet:
            return event.variant, event.betting, event.format
    return "", "", ""


def _not_judged(hand: PlayedHand, events: Sequence[Event]) -> str:
    """Say why no rulebook is asked about a hand; "" = they are."""
    return TOO_LONG if len(events) > MOST_EVENTS else players_not_judged(hand)


def audit(hands: Iterable[PlayedHand], books: Sequence[Rulebook]) -> AuditResult:
    """Judge hands under one or several books; the built-in book `record` is always among them."""
    running = Audit(books)
    for hand in hands:
        running.add(hand)
    return running.result()


def judge(hand: PlayedHand, book: Rulebook) -> AuditResult:
    """Judge one hand under one book."""
    return audit([hand], [book])


def _answers(
    book: Rulebook, clause: Clause, run: Detector, course: Timeline, contexts: TableContexts | None
) -> Iterator[Answer]:
    """Yield what a detector says of a hand; one about tables is given the hand's place among them."""
    trait = clause.trait
    assert trait is not None  # noqa: S101 - it has a detector
    context = None if contexts is None else contexts[book.name]
    if context is not None:
        context.course = course
    if context is not None and trait.anchored and context.placed.unknown:
        if trait.shown and (found := _breaches(run, course, context)):
            yield from found
            return
        if not trait.alone:
            yield CannotTell(BEFORE)
            return
        if not (trait.shown and debts_known(course, context)):
            context = None
    yield from run(course, context)


def _breaches(run: Detector, course: Timeline, context: TableContext) -> list[Answer]:
    """Return what is wrong with a hand whatever lies before it."""
    if not course.start:
        return []  # a part of a hand, which names nobody
    return [one for one in run(course, context) if isinstance(one, Breach)]


def _kinds(in_force: InForce) -> set[type[Event]]:
    """Return the kinds of event that the table was told before a hand, as if the hand told them."""
    told: list[tuple[type[Event], object]] = [
        (OptionSet, in_force.options),
        (PermissionGranted, in_force.permissions),
        (Agreed, in_force.agreements),
    ]
    return {kind for kind, events in told if events}
