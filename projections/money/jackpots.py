"""Check jackpots and high-hand promotions: hands that weren't paid, and payments for hands that didn't qualify.

The house states which hands qualify (`house.jackpot`). A payment that doesn't name its hand belongs to the last
qualifying hand before it that wasn't paid yet.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ledger import safe
from ledger.replay import HandReplay
from ledger.store.hands.hand_accounts import TableKey
from ledger.streams import table_stream
from ledger.table.events import HandPlayed, HandsMissing
from ledger.table.money_events import FundPaid
from ledger.table.order import TableEntry
from ledger.vocabulary import PlayerId
from projections.amount_text import amount
from projections.books.rulebook import Rulebook
from projections.money.difference import EventRef, MoneyDifference, MoneyGap, name_fact
from projections.money.qualifying_hands import Qualification, Qualified, Unclear, Unqualified, judge_hand
from projections.obligations.house_points import JACKPOT_POINT, QualifyingHand
from projections.sentences import house_jackpots as say
from projections.sentences import paragraph
from projections.sentences.house_jackpots import PrizeKind
from projections.timeline.hand_timeline import Timeline

NEAR_HANDS: Final = 500
"""The most hands between a qualifying hand and its payment. A payment that names its hand may be farther away."""
_MAX_NAMED_HANDS: Final = 20
"""Hands that one gap names."""
_RULE_OF_FUND: Final = {"jackpot": "bad-beat", "promotion": "high-hand"}


class JackpotInput(NamedTuple):
    """A table's record, and the book that states which hands qualify."""

    table_key: TableKey
    entries: Sequence[TableEntry]  # the whole record in playing order
    read_hand: Callable[[str], HandReplay]  # by the id of its stream, hex
    book: Rulebook
    name_player: Callable[[PlayerId], str] = lambda player: player


class JackpotCheck(NamedTuple):
    """What is wrong with jackpots and promotions, and what can't be checked."""

    differences: list[MoneyDifference]
    gaps: list[MoneyGap]


@dataclass
class _JudgedHand:
    """A hand of the table, and whether it qualifies."""

    entry: TableEntry
    played: HandPlayed
    qualifications: list[Qualification]
    paid_after: dict[str, int] = field(default_factory=dict)  # by kind: the number of hands before the last payment


def check_jackpots(record: JackpotInput, is_wanted: Callable[[TableEntry], bool] = lambda _: True) -> JackpotCheck:
    """Compare a table's hands with its payments, and report the hands and payments that `is_wanted` accepts.

    Only hands near the wanted ones are read, `NEAR_HANDS` before the first and after the last, and hands that a wanted
    payment names. If the book states no jackpot, there is nothing to report.
    """
    rules = record.book.policy.value(JACKPOT_POINT) or []
    check = _TableCheck(record, rules, is_wanted)
    if rules:
        for entry in _select_near(record.entries, is_wanted):
            check.add_entry(entry)
        check.finish()
    return JackpotCheck(check.differences, check.gaps)


def _select_near(entries: Sequence[TableEntry], is_wanted: Callable[[TableEntry], bool]) -> Sequence[TableEntry]:
    """Return the wanted entries, the hands near them, everything recorded in between, and later payments with a hand."""
    wanted_indexes = [index for index, entry in enumerate(entries) if is_wanted(entry)]
    if not wanted_indexes:
        return []
    hand_indexes = [index for index, entry in enumerate(entries) if isinstance(entry.event, HandPlayed)]
    first_hand = bisect_left(hand_indexes, wanted_indexes[0]) - NEAR_HANDS
    end_hand = bisect_right(hand_indexes, wanted_indexes[-1]) + NEAR_HANDS
    start = hand_indexes[first_hand] if first_hand > 0 else 0
    end = hand_indexes[end_hand] if end_hand < len(hand_indexes) else len(entries)
    late_payments = [entry for entry in entries[end:] if isinstance(entry.event, FundPaid) and entry.event.hand]
    return [*entries[start:end], *late_payments]


def _find_named_hands(entries: Iterable[TableEntry]) -> dict[int, TableEntry]:
    """Return the hands that payments name, by the payment's version: the last hand before it with that number."""
    hands: dict[str, TableEntry] = {}
    named_hands: dict[int, TableEntry] = {}
    for entry in entries:
        event = entry.event
        if isinstance(event, HandPlayed):
            hands[event.number] = entry
        elif isinstance(event, FundPaid) and event.hand in hands:
            named_hands[entry.version] = hands[event.hand]
    return named_hands


class _TableCheck:
    """Matches payments with hands, in the order of the record."""

    def __init__(
        self, record: JackpotInput, rules: list[QualifyingHand], is_wanted: Callable[[TableEntry], bool]
    ) -> None:
        self.differences: list[MoneyDifference] = []
        self.gaps: list[MoneyGap] = []
        self._record, self._rules, self._is_wanted = record, rules, is_wanted
        self._hands: list[_JudgedHand] = []  # those added so far
        self._judged_hands: dict[str, _JudgedHand] = {}  # by stream; also farther ones that a payment names
        self._named_hands = _find_named_hands(record.entries) if rules else {}
        self._has_missing_hands = False

    def add_entry(self, entry: TableEntry) -> None:
        """Add the next event of the table."""
        event = entry.event
        if isinstance(event, HandPlayed):
            self._hands.append(self._judge_hand(entry, event))
        elif isinstance(event, FundPaid):
            self._add_payment(entry, event)
        elif isinstance(event, HandsMissing):
            self._has_missing_hands = True

    def _judge_hand(self, entry: TableEntry, played: HandPlayed) -> _JudgedHand:
        """Return a hand, judged under all rules the first time."""
        if played.hand not in self._judged_hands:
            timeline = Timeline(self._record.read_hand(played.hand))
            qualifications = [judge_hand(timeline, rule) for rule in self._rules]
            self._judged_hands[played.hand] = _JudgedHand(entry, played, qualifications)
        return self._judged_hands[played.hand]

    def _add_payment(self, entry: TableEntry, payment: FundPaid) -> None:
        kind = self._find_kind(payment)
        if not kind:
            return
        if payment.hand:
            self._add_named_payment(entry, payment, kind)
            return
        hand = self._find_paid_hand(kind)
        if hand is not None:
            hand.paid_after[kind] = len(self._hands)
        elif self._is_wanted(entry):
            self._report_payment(entry, payment, kind)

    def _add_named_payment(self, entry: TableEntry, payment: FundPaid, kind: str) -> None:
        """Match a payment with the hand that it names, or report it."""
        hand = self._find_named_hand(entry)
        if hand is None:
            if self._is_wanted(entry) and entry.version not in self._named_hands:
                self._add_gap(say.named_hand_missing(safe.terminal(payment.hand, 40)), [self._refer_to_fact(entry)])
            return
        is_first_payment = kind not in hand.paid_after
        hand.paid_after[kind] = len(self._hands)
        if _list_qualified(hand, kind) or not self._is_wanted(entry):
            return
        events = [self._refer_to_fact(entry), self._refer(hand)]
        qualifications = [qualification for qualification in hand.qualifications if qualification.rule.kind == kind]
        unclear = next((answer for answer in qualifications if isinstance(answer, Unclear)), None)
        rule = qualifications[0].rule
        if unclear is not None:
            if is_first_payment:
                self._add_gap(paragraph(say.payment_unclear(rule.kind), unclear.reason), events)
            return
        number = safe.terminal(hand.played.number, 40)
        headline = say.paid_for_unqualified(rule.kind, self._format(payment.amount, hand), number)
        self._add_payment_difference(rule, headline, events, hand, payment)

    def _find_named_hand(self, entry: TableEntry) -> _JudgedHand | None:
        """Return the hand that a payment names. None if there is none, or if nothing about it is reported here."""
        hand_entry = self._named_hands.get(entry.version)
        if hand_entry is None or not isinstance(hand_entry.event, HandPlayed):
            return None
        if self._is_wanted(entry):
            return self._judge_hand(hand_entry, hand_entry.event)
        return self._judged_hands.get(hand_entry.event.hand)

    def _find_kind(self, payment: FundPaid) -> str:
        """Return the kind of rule that a payment falls under; "" = the house states none."""
        kinds = {rule.kind for rule in self._rules}
        kind = _RULE_OF_FUND[payment.kind]
        if kind in kinds:
            return kind
        return "high-hand" if payment.kind == "jackpot" and "high-hand" in kinds else ""

    def _find_paid_hand(self, kind: str) -> _JudgedHand | None:
        """Return the hand that a payment is for, or None if none qualified.

        Several payments may follow one hand, because the table gets its share. A promotion for the best hand of a
        period may be paid for any hand of that period.
        """
        for hand in reversed(self._hands):
            qualified = _list_qualified(hand, kind)
            if not qualified:
                continue
            is_open = kind not in hand.paid_after or hand.paid_after[kind] == len(self._hands)
            if is_open or any(qualification.rule.pays == "best" for qualification in qualified):
                return hand
        return None

    def _report_payment(self, entry: TableEntry, payment: FundPaid, kind: str) -> None:
        last_hand = self._hands[-1] if self._hands else None
        rule = next(rule for rule in self._rules if rule.kind == kind)
        events = [self._refer_to_fact(entry), *([self._refer(last_hand)] if last_hand else [])]
        unclear_qualifications = [
            qualification
            for hand in self._hands
            for qualification in hand.qualifications
            if isinstance(qualification, Unclear) and qualification.rule.kind == kind and kind not in hand.paid_after
        ]
        headline = say.paid_unqualified(rule.kind, self._format(payment.amount, last_hand))
        if unclear_qualifications or self._has_missing_hands or last_hand is None:
            reason = unclear_qualifications[-1].reason if unclear_qualifications else say.hands_missing()
            self._add_gap(paragraph(say.payment_unclear(rule.kind), reason), events)
            return
        self._add_payment_difference(rule, headline, events, last_hand, payment)

    def _add_payment_difference(
        self, rule: QualifyingHand, headline: str, events: list[EventRef], hand: _JudgedHand, payment: FundPaid
    ) -> None:
        """Add the difference of a payment for a hand that doesn't qualify."""
        reasons = [
            qualification.reason
            for qualification in hand.qualifications
            if isinstance(qualification, Unqualified) and qualification.rule.kind == rule.kind
        ]
        explanation = paragraph(say.should_be(say.payment_only_for(rule.kind, rule.hand)), *reasons)
        self._add_difference(rule, headline, explanation, events, hand, payment)

    def finish(self) -> None:
        """Report the hands that qualified and weren't paid."""
        for number, hand in enumerate(self._hands, 1):
            if not self._is_wanted(hand.entry):
                continue
            for qualification in hand.qualifications:
                if isinstance(qualification, Qualified) and self._is_unpaid(hand, qualification):
                    self._report_unpaid(hand, qualification, is_last=number == len(self._hands))

        self._report_unclear()

    def _report_unclear(self) -> None:
        """Report the hands that may have qualified and weren't paid, in one gap for each kind and missing fact."""
        hands_by_reason: dict[tuple[PrizeKind, str], list[_JudgedHand]] = {}
        for hand in filter(lambda hand: self._is_wanted(hand.entry), self._hands):
            for qualification in hand.qualifications:
                rule = qualification.rule
                if isinstance(qualification, Unclear) and rule.pays == "each" and rule.kind not in hand.paid_after:
                    hands_by_reason.setdefault((rule.kind, qualification.reason), []).append(hand)
        for (kind, reason), hands in hands_by_reason.items():
            events = [self._refer(hand) for hand in hands[:_MAX_NAMED_HANDS]]
            self._add_gap(paragraph(say.may_have_qualified(kind, len(hands)), reason), events)

    def _is_unpaid(self, hand: _JudgedHand, qualification: Qualified) -> bool:
        return qualification.rule.pays == "each" and qualification.rule.kind not in hand.paid_after

    def _report_unpaid(self, hand: _JudgedHand, qualification: Qualified, *, is_last: bool) -> None:
        headline = say.qualified_unpaid(qualification.rule.kind, qualification.seat, qualification.cards)
        if is_last:
            self._add_gap(paragraph(headline, say.record_ends()), [self._refer(hand)])
        else:
            self._add_difference(
                qualification.rule,
                headline,
                qualification.reason,
                [self._refer(hand)],
                hand,
                None,
                seat=qualification.seat,
            )

    def _find_clauses(self, rule: QualifyingHand) -> Sequence[str]:
        """Return the clause of a rule, if the book cites one clause for each rule; else all cited clauses."""
        clauses = self._record.book.policy.clauses(JACKPOT_POINT)
        return [clauses[self._rules.index(rule)]] if len(clauses) == len(self._rules) else clauses

    def _add_difference(
        self,
        rule: QualifyingHand,
        headline: str,
        explanation: str,
        events: list[EventRef],
        hand: _JudgedHand,
        payment: FundPaid | None,
        seat: int | None = None,
    ) -> None:
        key, book = self._record.table_key, self._record.book
        clauses = self._find_clauses(rule)
        self.differences.append(
            MoneyDifference(
                kind="fund",
                venue=key.venue,
                tournament=key.tournament,
                table=key.table,
                says=headline,
                expected=0 if payment else None,
                recorded=payment.amount if payment else 0,
                unit=hand.played.unit,
                exponent=hand.played.exponent,
                seat=seat,
                player=self._record.name_player(payment.player) if payment else "",
                clause=" ".join([book.name, ", ".join(clauses)]).rstrip(),
                because=paragraph(explanation, *(book.draft.entries[clause].says for clause in clauses)),
                events=events,
            )
        )

    def _add_gap(self, missing: str, events: list[EventRef]) -> None:
        key = self._record.table_key
        self.gaps.append(MoneyGap("fund", key.venue, key.tournament, key.table, missing, events))

    def _refer(self, hand: _JudgedHand) -> EventRef:
        return EventRef(hand.played.hand, 1, f"{self._record.table_key.table}/{hand.played.number}")

    def _refer_to_fact(self, entry: TableEntry) -> EventRef:
        table_key = self._record.table_key
        return EventRef(table_stream(*table_key).hex, entry.version, name_fact(table_key.table, entry.version))

    def _format(self, chips: int, hand: _JudgedHand | None) -> str:
        return amount(chips, "", 0) if hand is None else amount(chips, hand.played.unit, hand.played.exponent)


def _list_qualified(hand: _JudgedHand, kind: str) -> list[Qualified]:
    return [
        qualification
        for qualification in hand.qualifications
        if isinstance(qualification, Qualified) and qualification.rule.kind == kind
    ]
