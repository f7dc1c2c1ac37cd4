"""Compare each count of a dealer's tray with the previous count, fills, credits and the chips sold and bought back.

A count is of chips, not of cash. The record often doesn't say whether chips came from the tray or from the cage. We
assume what is usual: players bring their first stacks from the cage and take their last ones there, and what they add in
between comes from the tray. A table where another reading fits more counts uses that one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Final, NamedTuple, TypeAlias

import msgspec

from ledger.table.events import HandPlayed
from ledger.table.fold import apply_entry, begin
from ledger.table.money_events import ChipsCredited, ChipsFilled, TrayCounted
from ledger.table.order import TableEntry
from ledger.vocabulary import Chips, Witness
from projections.money.chip_notes import ChipNotes
from projections.money.chips import ChipsCheck, ChipsInput, find_money_format
from projections.money.difference import EventRef, MoneyDifference, MoneyGap
from projections.money.tray_moves import TrayTerm, read_terms
from projections.sentences import paragraph
from projections.sentences import table_chips as say_chips
from projections.sentences import tray_counts as say
from projections.sentences.tray_counts import ChipPath, TrayMove

_PURCHASES: Final = int(Witness.CHIP_PURCHASES)
_PATHS: Final[tuple[ChipPath, ...]] = ("first-stacks", "purchases", "cash-outs", "last-stacks")
_MOVES: Final[tuple[TrayMove, ...]] = ("fill", "credit", "sale", "buy-back")

Reading: TypeAlias = frozenset[ChipPath]
"""Which of the chips with an open path went through the tray."""

USUAL_READING: Final[Reading] = frozenset({"purchases", "cash-outs"})
_READINGS: Final[tuple[Reading, ...]] = tuple(
    sorted(
        (
            frozenset(path for path, uses_tray in zip(_PATHS, choice, strict=True) if uses_tray)
            for choice in product((False, True), repeat=len(_PATHS))
        ),
        key=lambda reading: (len(reading ^ USUAL_READING), sorted(reading)),
    )
)
"""All readings, the usual one first, then those that differ from it the least."""

_MIN_FITS: Final = 2
"""The fewest counts that must fit before a table is read in an unusual way."""


class TraySpan(msgspec.Struct, frozen=True):
    """A tray between two counts, in units of the table. The amounts of moves are positive."""

    opening: Chips
    counted: Chips
    expected: Chips | None  # None = an amount isn't on record
    filled: Chips
    credited: Chips
    sold: Chips | None
    bought_back: Chips | None
    assumes: str  # where we assume that chips came from, as a sentence; "" = the record says so
    events: list[EventRef]  # the count, and the one before it


class TrayCheck(NamedTuple):
    """The tray of a table between its counts, and the counts that don't add up.

    `chip_differences` are those of the table's stacks. If the tray shows the same difference, its count is among their
    events.
    """

    spans: list[TraySpan]
    differences: list[MoneyDifference]
    gaps: list[MoneyGap]
    chip_differences: list[MoneyDifference]


def check_tray(
    chips_input: ChipsInput, chips: ChipsCheck, is_wanted: Callable[[TableEntry], bool] = lambda _: True
) -> TrayCheck:
    """Return a table's tray between its counts, and what doesn't add up.

    A span is reported if `is_wanted` accepts its last count. If the tray differs by the same chips as a stack, there is
    one cause, and it's reported as the difference of the stack (`chips`).
    """
    walk = _TrayWalk(chips_input, is_wanted)
    for entry in chips_input.entries:
        walk.add_entry(entry)
    judge = _TrayJudge(walk, chips.differences)
    judge.judge_counts()
    return TrayCheck(judge.spans, judge.differences, judge.gaps, judge.chip_differences)


class _TrayMoves:
    """What moved through a tray between two counts. The opening is None before the first count."""

    def __init__(self, opening: Chips | None = None, opening_count: EventRef | None = None) -> None:
        self.opening = opening
        self.opening_count = opening_count
        self.counted: Chips | None = None
        self.count: EventRef | None = None
        self.dealer = ""
        self.terms: list[tuple[TrayTerm, EventRef]] = []
        self.event_keys: set[tuple[str, int]] = set()  # stream and version of its hands and facts
        self.unread_hands: list[EventRef] = []
        self.has_missing_hands = False
        self.notes_purchases = True
        self.is_reported = False
        self.has_reported_sales = False

    def sum_moves(self, move: TrayMove, reading: Reading) -> Chips | None:
        """Return the chips of one kind of move, negative if they left the tray; None = an amount isn't on record."""
        amounts = [
            term.amount for term, _ in self.terms if term.move == move and (term.path is None or term.path in reading)
        ]
        return None if None in amounts else sum(chips or 0 for chips in amounts)

    def compute_expected(self, reading: Reading) -> Chips | None:
        """Return what the tray should hold; None = an amount isn't on record."""
        sums = [self.sum_moves(move, reading) for move in _MOVES]
        return None if self.opening is None or None in sums else self.opening + sum(chips or 0 for chips in sums)

    def list_paths(self) -> list[ChipPath]:
        """Return the kinds of chips for which the record doesn't show whether they came from the tray or the cage."""
        open_paths = {term.path for term, _ in self.terms if term.amount != 0}
        return [path for path in _PATHS if path in open_paths]

    def list_slips(self) -> list[EventRef]:
        """Return the fills and credits."""
        return [reference for term, reference in self.terms if term.move in ("fill", "credit")]


class _TrayWalk:
    """Walks a table and collects what moved through its tray."""

    def __init__(self, chips_input: ChipsInput, is_wanted: Callable[[TableEntry], bool]) -> None:
        money = find_money_format(chips_input.entries)
        self.notes = ChipNotes(chips_input.table_key, chips_input.people, chips_input.name_hand, money, "tray")
        self.closed: list[_TrayMoves] = []
        self.moves = _TrayMoves()  # since the last count
        self._is_wanted = is_wanted
        self._unread_by_hand = chips_input.unread_by_hand
        self._state = begin()
        self._has_hands = False  # since the last count

    def add_entry(self, entry: TableEntry) -> None:
        """Add the next event in playing order."""
        state, event = self._state, entry.event
        self.notes.seat_players(state)
        terms = list(read_terms(event))
        if terms:
            reference = self.notes.refer(entry)
            self.moves.terms += ((term, reference) for term in terms)
            if self._is_wanted(entry) and any(term.path is None or term.path in USUAL_READING for term in terms):
                self.moves.has_reported_sales = True
        self.moves.event_keys.add(self.notes.locate_entry(entry))
        if isinstance(event, ChipsFilled | ChipsCredited) and self._is_wanted(entry):
            self.moves.is_reported = True
        gap_count = len(state.gaps)
        apply_entry(state, entry)
        if isinstance(event, HandPlayed):
            self._add_hand(event, has_gap=len(state.gaps) > gap_count)
        elif isinstance(event, TrayCounted):
            self._close_span(event, self.notes.refer_to_fact(entry), is_reported=self._is_wanted(entry))

    def _add_hand(self, hand: HandPlayed, *, has_gap: bool) -> None:
        """Record whether hands are missing before a hand, and whether its record has all sales."""
        if has_gap:
            self.moves.has_missing_hands = True
            if self.closed and not self._has_hands:  # before the last count, or after it
                self.closed[-1].has_missing_hands = True
        self._has_hands = True
        if not hand.witnesses & _PURCHASES:
            self.moves.notes_purchases = False
        if hand.hand in self._unread_by_hand:
            self.moves.unread_hands.append(
                msgspec.structs.replace(self.notes.refer_to_hand(hand), note=say_chips.unread_within())
            )

    def _close_span(self, event: TrayCounted, reference: EventRef, *, is_reported: bool) -> None:
        """End the span at a count, and begin the next one."""
        moves = self.moves
        moves.counted, moves.count = event.amount, reference
        moves.is_reported = is_reported
        moves.dealer = self.notes.name_player(self._state.dealer)
        self.closed.append(moves)
        self.moves = _TrayMoves(event.amount, reference)
        self._has_hands = False


class _TrayJudge:
    """Compares the counts of a tray with what it should hold."""

    def __init__(self, walk: _TrayWalk, chip_differences: list[MoneyDifference]) -> None:
        self.spans: list[TraySpan] = []
        self.differences: list[MoneyDifference] = []
        self.gaps: list[MoneyGap] = []
        self.chip_differences = list(chip_differences)
        self._walk = walk
        self._notes = walk.notes
        self._money = walk.notes.money
        self._reading = _choose_reading([moves for moves in walk.closed if moves.opening is not None])

    def judge_counts(self) -> None:
        """Judge every count, and report the fills and credits that aren't between two counts."""
        for moves in self._walk.closed:
            if not moves.is_reported:
                continue
            if moves.opening is None or moves.counted is None:
                self._report_uncounted(moves, say.not_counted_before)
            else:
                self._judge_count(moves, moves.counted)
        last_moves = self._walk.moves
        if last_moves.is_reported:
            self._report_uncounted(last_moves, say.not_counted_after)
        elif last_moves.opening is not None and last_moves.has_reported_sales:
            self._report_last_count(last_moves)

    def _report_uncounted(self, moves: _TrayMoves, sentence: Callable[[str, str], str]) -> None:
        slips = moves.list_slips()
        if slips:
            fills, credit_total = (moves.sum_moves(move, USUAL_READING) or 0 for move in ("fill", "credit"))
            self.gaps.append(self._notes.build_gap(sentence(self._money(fills), self._money(-credit_total)), slips))

    def _report_last_count(self, moves: _TrayMoves) -> None:
        """Report that chips were sold or bought back after the last count."""
        sums = {move: moves.sum_moves(move, self._reading) for move in _MOVES}
        texts = [say.move_of_tray(move, self._money(abs(chips))) for move, chips in sums.items() if chips]
        if texts and moves.opening_count is not None:
            text = say.not_counted_again(self._money(moves.opening), texts)
            self.gaps.append(self._notes.build_gap(text, [moves.opening_count]))

    def _judge_count(self, moves: _TrayMoves, counted: Chips) -> None:
        """Compare a count with what the tray should hold."""
        expected = moves.compute_expected(self._reading)
        self.spans.append(self._build_span(moves, counted, expected))
        if expected is None or expected == counted:
            return
        if self._join_to_stacks(moves, counted - expected, self._money(counted), self._money(expected)):
            return
        statement = say.tray_count(self._money(counted), self._money(expected))
        gap = self._explain_gap(moves, counted, statement)
        if gap:
            self.gaps.append(self._notes.build_gap(gap, self.spans[-1].events))
            return
        difference = self._notes.build_difference(
            statement,
            expected=expected,
            stated=counted,
            reason=self._explain_expected(moves),
            events=[*self.spans[-1].events, *moves.list_slips()],
            could_explain=_list_causes(moves, counted - expected, self._reading),
        )
        self.differences.append(msgspec.structs.replace(difference, dealer=moves.dealer))

    def _explain_gap(self, moves: _TrayMoves, counted: Chips, statement: str) -> str:
        """Return why a count that doesn't fit proves nothing, or "" if it does."""
        if moves.has_missing_hands:
            return say.hands_lack(statement)
        if not moves.notes_purchases:
            return say.purchases_lack(statement)
        for reading in _READINGS:
            if moves.compute_expected(reading) == counted:
                changed_paths = [path for path in moves.list_paths() if (path in reading) != (path in self._reading)]
                return say.fits_otherwise(
                    statement, [say.chip_path(path, uses_tray=path in reading) for path in changed_paths]
                )
        return ""

    def _join_to_stacks(self, moves: _TrayMoves, surplus: Chips, counted: str, expected: str) -> bool:
        """Add a count to a difference of a stack by the same chips; return whether there is one."""
        for index, difference in enumerate(self.chip_differences):
            if difference.seat is None or difference.expected is None or difference.recorded is None:
                continue
            reference = difference.events[0]
            if (reference.stream, reference.version) not in moves.event_keys:
                continue
            if difference.recorded - difference.expected == -surplus:
                self.chip_differences[index] = msgspec.structs.replace(
                    difference,
                    events=[*difference.events, *self.spans[-1].events],
                    because=paragraph(difference.because, say.tray_shows_the_same(counted, expected)),
                )
                return True
        return False

    def _list_assumptions(self, moves: _TrayMoves) -> list[str]:
        return [say.chip_path(path, uses_tray=path in self._reading) for path in moves.list_paths()]

    def _explain_expected(self, moves: _TrayMoves) -> str:
        """Return the previous count, what moved since, and what we assume."""
        sums = {move: moves.sum_moves(move, self._reading) for move in _MOVES}
        texts = [say.move_of_tray(move, self._money(abs(chips))) for move, chips in sums.items() if chips]
        return say.tray_since(self._money(moves.opening), texts, self._list_assumptions(moves))

    def _build_span(self, moves: _TrayMoves, counted: Chips, expected: Chips | None) -> TraySpan:
        sums = {move: moves.sum_moves(move, self._reading) for move in _MOVES}
        sold = sums["sale"]
        return TraySpan(
            opening=moves.opening or 0,
            counted=counted,
            expected=expected,
            filled=sums["fill"] or 0,
            credited=-(sums["credit"] or 0),
            sold=None if sold is None else -sold,
            bought_back=sums["buy-back"],
            assumes=say.we_assume(self._list_assumptions(moves)),
            events=[reference for reference in (moves.count, moves.opening_count) if reference is not None],
        )


def _choose_reading(spans: Iterable[_TrayMoves]) -> Reading:
    """Return the reading of a table: the usual one, unless another fits at least two counts and more than it does."""
    spans = list(spans)
    fits = {reading: sum(moves.compute_expected(reading) == moves.counted for moves in spans) for reading in _READINGS}
    best_reading = max(_READINGS, key=fits.__getitem__)  # the first of several
    is_surer = fits[best_reading] >= _MIN_FITS and fits[best_reading] > fits[USUAL_READING]
    return best_reading if is_surer else USUAL_READING


def _list_causes(moves: _TrayMoves, surplus: Chips, reading: Reading) -> list[EventRef]:
    """Return what may explain a difference, the likeliest first. `surplus`: what was counted beyond what is expected.

    Moves of the same amount come first: fills and credits, then those that certainly moved through the tray. Hands with
    unreadable lines come last.
    """
    similar_terms = [(term, reference) for term, reference in moves.terms if _could_explain(term, surplus, reading)]
    similar_terms.sort(key=lambda pair: (pair[0].move not in ("fill", "credit"), pair[0].path is not None))
    return list(dict.fromkeys([*(reference for _, reference in similar_terms), *moves.unread_hands]))


def _could_explain(term: TrayTerm, surplus: Chips, reading: Reading) -> bool:
    """Whether a move explains a difference, if it was a mistake or didn't go the way that we assume.

    A fill or a credit may be written twice, or forgotten the second time.
    """
    if term.amount is None:
        return False
    if term.move in ("fill", "credit"):
        return abs(term.amount) == abs(surplus)
    uses_tray = term.path is None or term.path in reading
    return (-term.amount if uses_tray else term.amount) == surplus
