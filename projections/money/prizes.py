"""Check the money of a tournament: its prize pool against what was sold, and the prizes against both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.table.money_events import EntrySold, PrizePaid, PrizePoolStated
from ledger.text.language import join_sentences
from projections.amount_text import amount
from projections.money.difference import MoneyDifference, MoneyGap
from projections.money.finishing_places import find_places
from projections.money.tournament_chips import ChipCount, count_chips
from projections.sentences import prizes as say

if TYPE_CHECKING:
    from projections.books.rulebook import Rulebook
    from projections.money.difference import DifferenceKind, EventRef
    from projections.money.tournament import Tournament, TournamentFact, TournamentTable

_DECIMALS: Final = 2
"""Prices and prizes are in hundredths."""


class Sale(NamedTuple):
    """Something that the tournament sold."""

    event: EntrySold
    table: TournamentTable
    fact: TournamentFact


class PaidPrize(NamedTuple):
    """A prize that was paid."""

    event: PrizePaid
    table: TournamentTable
    fact: TournamentFact


class TournamentSums(NamedTuple):
    """The sums of a tournament. Money is in hundredths; None = not on record."""

    entries: int
    further_entries: int  # re-entries, rebuys and add-ons
    pool: int | None  # from what was sold
    stated_pool: int | None
    paid: int | None
    chips_sold: int | None
    chips_in_play: int | None
    guaranteed: int | None = None  # the guaranteed prize pool
    added: int | None = None  # added money
    overlay: int | None = None  # what the house pays to reach the guaranteed pool


class PrizeCheck(NamedTuple):
    """The sums of a tournament, what is wrong with them, and what can't be checked."""

    sums: TournamentSums
    differences: list[MoneyDifference]
    gaps: list[MoneyGap]


def check_prizes(tournament: Tournament, book: Rulebook | None = None) -> PrizeCheck:
    """Check the prize pool, the prizes and the chips in play of a tournament.

    The book decides only whether late entries get a full stack.
    """
    prize_record = _PrizeRecord(tournament)
    if not prize_record.sales and not prize_record.payments and prize_record.statement is None:
        chip_count = ChipCount(None, None, [], [])
        return PrizeCheck(prize_record.build_sums(chip_count), [], [prize_record.build_gap(say.no_entries(), [])])
    prize_record.check_pool()
    prize_record.check_total()
    prize_record.check_repeats()
    prize_record.check_places()
    chip_count = count_chips(tournament, [sale.event for sale in prize_record.sales], book)
    return PrizeCheck(
        prize_record.build_sums(chip_count),
        [*prize_record.differences, *chip_count.differences],
        [*prize_record.gaps, *chip_count.gaps],
    )


class _PrizeRecord:
    """What the tournament sold, stated and paid."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.sales: list[Sale] = []
        self.payments: list[PaidPrize] = []
        self.statement: tuple[PrizePoolStated, EventRef] | None = None  # the last one
        self.differences: list[MoneyDifference] = []
        self.gaps: list[MoneyGap] = []
        for table, fact in tournament.facts:
            event = fact.event
            if isinstance(event, EntrySold):
                self.sales.append(Sale(event, table, fact))
            elif isinstance(event, PrizePaid):
                self.payments.append(PaidPrize(event, table, fact))
            elif isinstance(event, PrizePoolStated):
                self.statement = event, tournament.refer_to_fact(table, fact)

    @cached_property
    def sold(self) -> int | None:
        """The total price of everything sold, or None if nothing was."""
        return sum(sale.event.price for sale in self.sales) if self.sales else None

    @cached_property
    def added(self) -> int:
        """The money that the house adds to what was sold, as it was stated."""
        return self.statement[0].added if self.statement is not None else 0

    @cached_property
    def guaranteed(self) -> int:
        """The guaranteed pool, or 0 if none was stated."""
        return self.statement[0].guaranteed if self.statement is not None else 0

    @cached_property
    def overlay(self) -> int:
        """What the house pays so that the pool reaches the guaranteed one."""
        return max(self.guaranteed - (self.sold or 0) - self.added, 0)

    @cached_property
    def pool(self) -> int | None:
        """The stated pool, or else what was sold."""
        return self.statement[0].amount if self.statement is not None else self.sold

    @cached_property
    def due_pool(self) -> int | None:
        """What was sold, with the house's money, or None if nothing was sold."""
        return None if self.sold is None else self.sold + self.added + self.overlay

    @cached_property
    def paid(self) -> int:
        """The sum of the prizes."""
        return sum(payment.event.amount for payment in self.payments)

    @cached_property
    def _repeats(self) -> dict[int, list[PaidPrize]]:
        """The payments of each place that was paid more often than it has players."""
        counts = Counter(payment.event.place for payment in self.payments)
        finishers = Counter(self._places.values())
        return {
            place: [payment for payment in self.payments if payment.event.place == place]
            for place, count in counts.items()
            if count > max(finishers[place], 1)
        }

    @cached_property
    def _places(self) -> dict[str, int]:
        return find_places(self.tournament, {sale.event.player for sale in self.sales})

    def build_sums(self, chip_count: ChipCount) -> TournamentSums:
        """Return the sums for a report."""
        entries = sum(sale.event.kind == "entry" for sale in self.sales)
        return TournamentSums(
            entries,
            len(self.sales) - entries,
            self.sold,
            self.statement[0].amount if self.statement is not None else None,
            self.paid if self.payments else None,
            chip_count.chips_sold,
            chip_count.chips_in_play,
            self.guaranteed or None,
            self.added or None,
            self.overlay if self.guaranteed and self.sold is not None else None,
        )

    def check_pool(self) -> None:
        """Check the stated pool against what was sold."""
        if self.sold is None:
            self.gaps.append(self.build_gap(say.no_entries(), []))
            return
        if self.statement is None:
            if self.payments:
                self.gaps.append(self.build_gap(say.no_pool_stated(), []))
            return
        statement, reference = self.statement
        due_pool = self.due_pool
        if due_pool is not None and statement.amount != due_pool:
            entries = sum(sale.event.kind == "entry" for sale in self.sales)
            has_house_money = bool(self.added or self.guaranteed)
            headline = say.pool_not_as_due if has_house_money else say.pool_differs
            self._add_difference(
                "prize-pool",
                headline(self._format(statement.amount), self._format(due_pool)),
                join_sentences([say.sold_count(entries, len(self.sales) - entries), *self._explain_house_money()]),
                [reference, *[self.tournament.refer_to_fact(sale.table, sale.fact) for sale in self.sales]],
                expected=due_pool,
                recorded=statement.amount,
            )

    def _explain_house_money(self) -> Iterator[str]:
        """Yield what the house adds to what was sold."""
        if not (self.added or self.guaranteed):
            return
        yield say.sold_sum(self._format(self.sold or 0))
        if self.added:
            yield say.added_money(self._format(self.added))
        if self.overlay:
            yield say.overlay_due(self._format(self.overlay), self._format(self.guaranteed))
        elif self.guaranteed:
            yield say.no_overlay(self._format(self.guaranteed))

    def check_total(self) -> None:
        """Check that the prizes add up to the pool.

        Repeated payments of a place are reported by `check_repeats`. A pool that was stated wrongly and paid rightly is
        one error, which `check_pool` reports.
        """
        if self.pool is None or not self.payments:
            return
        repeated = sum(payment.event.amount for payments in self._repeats.values() for payment in payments[1:])
        total = self.paid - repeated
        if total < self.pool and not any(payment.event.place == 1 for payment in self.payments):
            self.gaps.append(self.build_gap(say.not_all_paid(1), [], kind="prize"))
        elif total not in (self.pool, self.due_pool):
            sentence = say.paid_more_than_pool if total > self.pool else say.paid_less_than_pool
            references = [self._refer(payment) for payment in self.payments]
            self._add_difference(
                "prize",
                sentence(self._format(total), self._format(self.pool)),
                say.prizes_paid(len(self.payments)),
                [*references, *([self.statement[1]] if self.statement is not None else [])],
                expected=self.pool,
                recorded=total,
            )

    def check_repeats(self) -> None:
        """Check that each place was paid once. Players who tied share it."""
        for place, payments in self._repeats.items():
            names = [
                say.payment(self._format(payment.event.amount), self.tournament.name_player(payment.event.player))
                for payment in payments
            ]
            self._add_difference(
                "prize",
                say.place_paid_twice(place, names),
                "",
                [self._refer(payment) for payment in reversed(payments)],
                expected=payments[0].event.amount,
                recorded=sum(payment.event.amount for payment in payments),
                player=self.tournament.name_player(payments[-1].event.player),
            )

    def check_places(self) -> None:
        """Check that each prize went to the player who finished there."""
        if self.payments and not self._places:
            self.gaps.append(
                self.build_gap(say.no_places(), [self._refer(payment) for payment in self.payments], kind="prize")
            )
            return
        for payment in self.payments:
            if payment.event.place not in self._repeats:
                self._check_place(payment)

    def _check_place(self, payment: PaidPrize) -> None:
        event, name = payment.event, self.tournament.name_player(payment.event.player)
        finish = self._places.get(event.player)
        if finish is None and event.player in self.tournament.stays_by_player:
            self.gaps.append(self.build_gap(say.place_unknown(name, event.place), [self._refer(payment)], kind="prize"))
            return
        if finish is None:
            headline = say.paid_to_stranger(event.place, name)
        elif finish <= event.place < finish + Counter(self._places.values())[finish]:
            return
        else:
            headline = say.wrong_place(event.place, name, finish)
        finishers = [player for player, place in self._places.items() if place == event.place]
        names = [self.tournament.name_player(player) for player in finishers]
        stays = [
            self.tournament.stays_by_player[player][-1]
            for player in (event.player, *finishers)
            if player in self.tournament.stays_by_player
        ]
        hands = [self.tournament.refer_to_hand(stay.table, stay.last) for stay in stays if stay.last is not None]
        self._add_difference(
            "prize",
            headline,
            say.finisher(event.place, names) if names else "",
            [self._refer(payment), *dict.fromkeys(hands)],
            expected=None,
            recorded=event.amount,
            player=name,
        )

    def _refer(self, payment: PaidPrize) -> EventRef:
        return self.tournament.refer_to_fact(payment.table, payment.fact)

    def _format(self, cents: int) -> str:
        return amount(cents, self.tournament.currency, _DECIMALS)

    def build_gap(self, missing: str, events: list[EventRef], kind: DifferenceKind = "prize-pool") -> MoneyGap:
        """Return a gap of the tournament, without a table."""
        return MoneyGap(kind, self.tournament.venue, self.tournament.number, "", missing, events)

    def _add_difference(
        self,
        kind: DifferenceKind,
        headline: str,
        reason: str,
        events: list[EventRef],
        *,
        expected: int | None,
        recorded: int,
        player: str = "",
    ) -> None:
        self.differences.append(
            MoneyDifference(
                kind=kind,
                venue=self.tournament.venue,
                tournament=self.tournament.number,
                table="",
                says=headline,
                because=reason,
                expected=expected,
                recorded=recorded,
                unit=self.tournament.currency,
                exponent=_DECIMALS,
                player=player,
                events=events,
            )
        )
