"""Collect the last evening of a report's table from its judged hands, as the report's reader may see them."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple, get_args

from ledger.text.language import phrase
from projections.findings.finding import NOT_JUDGED, Severity
from projections.live.evening_documents import EveningHand, TableEvening
from projections.live.table_evening import (
    LONGEST_BREAK,
    MAX_HANDS,
    UNTIMED_HANDS,
    HandMoney,
    SeatOfHand,
    fill_in_stacks,
)
from projections.reports.event_text import EventDescriber
from web.pages.money_table import build_money

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from ledger.store import HandRow
    from ledger.vocabulary import PlayerId
    from projections.reports.hand_documents import HandTold
    from web.pages.hand_frames import ViewedHand
    from web.pages.page_judgement import JudgedHand

_SEVERITIES: Final = get_args(Severity)


class _CollectedHand(NamedTuple):
    """A hand of the evening. `money`: None if the record doesn't name the game."""

    row: HandRow
    mark: EveningHand
    money: HandMoney | None
    seats: list[SeatOfHand]


class EveningBuilder:
    """Collects the hands of a table in playing order. Of several evenings it keeps the last."""

    def __init__(self, *, is_judged: bool, shows_stacks: bool) -> None:
        """`is_judged`: by a rulebook, not only against themselves. `shows_stacks`: names are the same in every hand."""
        self._is_judged, self._shows_stacks = is_judged, shows_stacks
        self._hands: deque[_CollectedHand] = deque()
        self._names: dict[PlayerId, str] = {}
        self._has_earlier_hands = False

    def add_hand(self, judged_hand: JudgedHand, document: HandTold) -> None:
        """Add the next hand of the table."""
        row = judged_hand.hand.row
        if self._hands and not _are_of_one_evening(self._hands[-1].row, row):
            self._hands.clear()
            self._has_earlier_hands = True
        money, seats = self._read_seats(judged_hand.hand, document) if self._shows_stacks else (None, [])
        self._hands.append(_CollectedHand(row, self._mark_hand(judged_hand, document), money, seats))
        if len(self._hands) > (UNTIMED_HANDS if row.started is None else MAX_HANDS):
            self._hands.popleft()
            self._has_earlier_hands = True

    def _mark_hand(self, judged_hand: JudgedHand, document: HandTold) -> EveningHand:
        findings = judged_hand.findings
        return EveningHand(
            document.id,
            document.address,
            document.local,
            findings=len(findings),
            severity=min((finding.severity for finding in findings), key=_SEVERITIES.index, default=""),
            not_judged=self._find_reason_not_judged(judged_hand),
        )

    def _find_reason_not_judged(self, judged_hand: JudgedHand) -> str:
        if not self._is_judged:
            return phrase("not judged: no rulebook was in force")
        missing_facts = (missing.fact for judgement in judged_hand.chosen_judgements for missing in judgement.wanting)
        return next((fact for fact in missing_facts if fact in NOT_JUDGED), "")

    def _read_seats(self, hand: ViewedHand, document: HandTold) -> tuple[HandMoney | None, list[SeatOfHand]]:
        state = hand.final_state
        if state.game is None:
            return None, []
        nets = {account.seat: account.net for account in build_money(state, EventDescriber(hand.people)).accounts}
        seats = []
        for seat, stack in state.start.items():
            player = state.dealt[seat].player
            self._names.setdefault(player, hand.people.name(player) or f"({player[:6]})")
            seats.append(SeatOfHand(0, seat, player, stack, nets.get(seat, 0)))
        return HandMoney(document.unit, document.exponent, state.game.format), seats

    def build(self, page_numbers: Mapping[UUID, int]) -> TableEvening | None:
        """Return the evening, or None if it has fewer than two hands. `page_numbers`: the hands' pages in the report."""
        if len(self._hands) < 2:
            return None
        for collected_hand in self._hands:
            collected_hand.mark.report_page = page_numbers.get(collected_hand.row.stream, 0)
        evening = TableEvening(
            [collected_hand.mark for collected_hand in self._hands], [], has_earlier_hands=self._has_earlier_hands
        )
        fill_in_stacks(
            evening,
            {index: hand.money for index, hand in enumerate(self._hands) if hand.money is not None},
            [seat._replace(hand_index=index) for index, hand in enumerate(self._hands) for seat in hand.seats],
            self._names.__getitem__,
        )
        return evening


def _are_of_one_evening(older: HandRow, newer: HandRow) -> bool:
    return older.started is None or newer.started is None or newer.started - older.started <= LONGEST_BREAK
