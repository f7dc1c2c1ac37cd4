"""Count the chips in play of a tournament, hand by hand over all tables, against the chips that were sold."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.presence import ChipsAdded, ChipsRemoved
from projections.amount_text import amount
from projections.money.difference import MoneyDifference, MoneyGap
from projections.money.finishing_places import find_winner
from projections.money.seating_notes import cite_point
from projections.sentences import prizes as say

if TYPE_CHECKING:
    from ledger.table.events import HandPlayed
    from ledger.table.money_events import EntrySold
    from ledger.vocabulary import Chips, PlayerId
    from projections.books.rulebook import Rulebook
    from projections.money.difference import EventRef
    from projections.money.tournament import Tournament, TournamentTable

LATE_STACK: Final = "seating.late_stack"
_SOLD_KINDS: Final = frozenset({"rebuy", "add-on", "buy-in", "top-up"})
"""Chips that a player buys. Others that are on record, such as a color-up, need no sale."""
_ENTRY_KINDS: Final = frozenset({"entry", "re-entry"})


class ChipCount(NamedTuple):
    """The chips that were sold and those in play at the end (None = unknown), with the differences and gaps."""

    chips_sold: Chips | None
    chips_in_play: Chips | None
    differences: list[MoneyDifference]
    gaps: list[MoneyGap]


def count_chips(tournament: Tournament, sales: Sequence[EntrySold], book: Rulebook | None) -> ChipCount:
    """Compare the chips in play after each hand with the entries of the players who have sat down by then."""
    notes = _ChipNotes(tournament)
    unstated_players = list(dict.fromkeys(sale.player for sale in sales if not sale.chips))
    if book is not None and book.policy.value(LATE_STACK) == "full":
        _check_stacks_sold(notes, sales, book)
    if not sales:
        return notes.build_count(None, None)
    chips_sold = sum(sale.chips for sale in sales)
    if unstated_players:
        names = [tournament.name_player(player) for player in unstated_players]
        notes.add_gap(say.chips_not_stated(names), [])
        return notes.build_count(None, None)
    if not tournament.has_times and len(tournament.tables) > 1:
        notes.add_gap(say.chips_need_times(), [])
        return notes.build_count(chips_sold, None)
    if _note_missing_tables(notes, sales):
        return notes.build_count(chips_sold, None)
    walk = _ChipWalk(notes, sales)
    for table, hand_index in _iter_hands(tournament):
        walk.add_hand(table, hand_index)
    walk.finish()
    return notes.build_count(chips_sold, walk.chips_in_play)


def _note_missing_tables(notes: _ChipNotes, sales: Sequence[EntrySold]) -> bool:
    """Report the players whose chips were at a table that isn't on record; return whether there are any."""
    stays_by_player = notes.tournament.stays_by_player
    unseen_players = {sale.player: sale for sale in sales if sale.player not in stays_by_player}
    for player, sale in unseen_players.items():
        notes.add_gap(say.never_seated(notes.tournament.name_player(player)), notes.refer_to_sales([sale]))
    strangers = [player for player, stays in stays_by_player.items() if stays[0].came_from_other_table]
    for player in strangers:
        notes.add_gap(say.came_from_unrecorded_table(notes.tournament.name_player(player)), [])
    return bool(unseen_players or strangers)


def _iter_hands(tournament: Tournament) -> Iterator[tuple[TournamentTable, int]]:
    """Yield the hands of all tables, ordered by time. Hands of a single table are in order already."""
    hands = [
        (hand.time or 0, table_index, hand_index)
        for table_index, table in enumerate(tournament.tables)
        for hand_index, hand in enumerate(table.hands)
    ]
    if tournament.has_times:
        hands.sort()
    return ((tournament.tables[table_index], hand_index) for _, table_index, hand_index in hands)


def _check_stacks_sold(notes: _ChipNotes, sales: Sequence[EntrySold], book: Rulebook) -> None:
    """Check that every entry and re-entry got the stack that most of them got."""
    entries = [sale for sale in sales if sale.kind in _ENTRY_KINDS and sale.chips]
    if not entries:
        return
    full_stack = Counter(sale.chips for sale in entries).most_common(1)[0][0]
    for sale in entries:
        if sale.chips != full_stack:
            notes.add_difference(
                say.late_stack(
                    notes.tournament.name_player(sale.player), notes.format(sale.chips), notes.format(full_stack)
                ),
                say.most_entries(notes.format(full_stack)),
                notes.refer_to_sales([sale]),
                expected=full_stack,
                counted=sale.chips,
                player=sale.player,
                clause=cite_point(book, LATE_STACK),
            )


class _ChipNotes:
    """Collects the differences and gaps of a tournament's chips."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self._differences: list[MoneyDifference] = []
        self._gaps: list[MoneyGap] = []
        first_hand = tournament.tables[0].hands[0].hand if tournament.tables else None
        self._unit = first_hand.unit if first_hand is not None else "chips"
        self._exponent = first_hand.exponent if first_hand is not None else 0

    def format(self, chips: Chips) -> str:
        """Return an amount of chips as text."""
        return amount(chips, self._unit, self._exponent)

    def build_count(self, chips_sold: Chips | None, chips_in_play: Chips | None) -> ChipCount:
        """Return the count with the differences and gaps collected so far."""
        return ChipCount(chips_sold, chips_in_play, self._differences, self._gaps)

    def refer_to_sales(self, sales: Iterable[EntrySold]) -> list[EventRef]:
        """Return the references to what was sold."""
        wanted_ids = {id(sale) for sale in sales}
        return [
            self.tournament.refer_to_fact(table, fact)
            for table, fact in self.tournament.facts
            if id(fact.event) in wanted_ids
        ]

    def add_gap(self, missing: str, events: list[EventRef], table: str = "") -> None:
        """Add something that can't be counted."""
        gap = MoneyGap("chips-in-play", self.tournament.venue, self.tournament.number, table, missing, events)
        self._gaps.append(gap)

    def add_difference(
        self,
        headline: str,
        reason: str,
        events: list[EventRef],
        *,
        expected: Chips,
        counted: Chips,
        player: PlayerId = "",
        table: str = "",
        clause: str = "",
    ) -> None:
        """Add a difference between the chips sold and the chips in play."""
        self._differences.append(
            MoneyDifference(
                kind="chips-in-play",
                venue=self.tournament.venue,
                tournament=self.tournament.number,
                table=table,
                says=headline,
                because=reason,
                expected=expected,
                recorded=counted,
                unit=self._unit,
                exponent=self._exponent,
                player=self.tournament.name_player(player) if player else "",
                clause=clause,
                events=events,
            )
        )


class _ChipWalk:
    """Follows the stack of each player from hand to hand, and the chips that the entries brought into play."""

    def __init__(self, notes: _ChipNotes, sales: Sequence[EntrySold]) -> None:
        self._notes = notes
        self._tournament = notes.tournament
        self._stacks: dict[PlayerId, Chips | None] = {}  # of those who have sat down; None = unknown
        self._due: Chips = 0  # chips that should be in play
        self._known_offset: Chips = 0  # of the last difference
        self._has_gap = False
        self._entries: dict[PlayerId, deque[EntrySold]] = {}
        self._extras: dict[PlayerId, deque[EntrySold]] = {}  # rebuys and add-ons
        for sale in sales:
            unused = self._entries if sale.kind in _ENTRY_KINDS else self._extras
            unused.setdefault(sale.player, deque()).append(sale)

    @property
    def chips_in_play(self) -> Chips | None:
        """The chips in all stacks, or None if a stack is unknown."""
        known_stacks = [stack for stack in self._stacks.values() if stack is not None]
        return sum(known_stacks) if len(known_stacks) == len(self._stacks) else None

    def add_hand(self, table: TournamentTable, hand_index: int) -> None:
        """Count the chips at the beginning of a hand and after it."""
        self._add_facts(table, hand_index)
        hand = table.hands[hand_index].hand
        reasons = [
            reason
            for player, stack in _list_first_stacks(hand)
            if (reason := self._update_stack(player, stack)) is not None
        ]
        offset = self._find_offset()
        if offset is None:
            self._note_unknown_stacks(table, hand_index)
        elif offset != self._known_offset:
            self._add_difference(table, hand_index, offset, " ".join(reasons), is_after=False)
        sum_before = self.chips_in_play
        self._stacks.update({dealt.player: dealt.after for dealt in hand.dealt_in})
        offset, sum_after = self._find_offset(), self.chips_in_play
        if offset is not None and offset != self._known_offset and sum_before is not None and sum_after is not None:
            reason = self._describe_hand(hand)
            self._add_difference(table, hand_index, offset, reason, is_after=True)

    def finish(self) -> None:
        """Report rebuys and add-ons that never came into play, if the tournament is over."""
        if find_winner(self._tournament, self._entries) is None or not self._due:
            return
        for player, extras in self._extras.items():
            chips = sum(sale.chips for sale in extras)
            if chips:
                self._notes.add_difference(
                    say.chips_never_in_play(self._tournament.name_player(player), self._notes.format(chips)),
                    "",
                    self._notes.refer_to_sales(extras),
                    expected=self._due + chips,
                    counted=self._due,
                    player=player,
                )

    def _add_facts(self, table: TournamentTable, hand_index: int) -> None:
        """Add chips that came or went between hands without a sale, such as in a color-up."""
        for fact in table.list_facts_after(hand_index - 1):
            event = fact.event
            if fact.within_hand:
                continue  # the stacks after the hand have it
            if isinstance(event, ChipsAdded) and event.kind not in _SOLD_KINDS:
                self._due += event.amount
            elif isinstance(event, ChipsRemoved):
                self._due -= event.amount

    def _update_stack(self, player: PlayerId, stack: Chips | None) -> str | None:
        """Set a player's stack at the beginning of a hand; return what is odd about it, or None."""
        known_stack = self._stacks.get(player)
        is_new = known_stack == 0 or player not in self._stacks
        self._stacks[player] = stack if stack is not None or is_new else known_stack
        if stack is None or stack == known_stack:
            return None
        name, stack_text = self._tournament.name_player(player), self._notes.format(stack)
        if is_new:
            return self._use_entry(player, name, stack)
        if known_stack is None or self._use_extras(player, stack - known_stack):
            return None
        if self._use_reentry(player, known_stack, stack):
            return None
        return say.stack_jumped(name, self._notes.format(known_stack), stack_text)

    def _use_entry(self, player: PlayerId, name: str, stack: Chips) -> str | None:
        """Bring a player's next entry into play, or the rebuy of a player who went broke."""
        if self._use_extras(player, stack):
            return None
        entries = self._entries.get(player)
        if not entries:
            return say.stack_without_entry(name, self._notes.format(stack))
        chips = entries.popleft().chips
        self._due += chips
        if stack == chips or self._use_extras(player, stack - chips):
            return None
        return say.first_stack(name, self._notes.format(stack), self._notes.format(chips))

    def _use_extras(self, player: PlayerId, gain: Chips) -> bool:
        """Use up the rebuys and add-ons that explain a gain; return whether there are any."""
        extras = self._extras.get(player, deque())
        total = 0
        for index, sale in enumerate(extras, 1):
            total += sale.chips
            if total == gain:
                for _ in range(index):
                    extras.popleft()
                self._due += gain
                return True
        return False

    def _use_reentry(self, player: PlayerId, known_stack: Chips, stack: Chips) -> bool:
        """Use up a re-entry for which a player gave up the old chips; return whether there was one."""
        entries = self._entries.get(player)
        if not entries or entries[0].chips != stack:
            return False
        entries.popleft()
        self._due += stack - known_stack
        return True

    def _find_offset(self) -> Chips | None:
        """Return how many more chips are in play than should be, or None if a stack is unknown."""
        chips_in_play = self.chips_in_play
        return None if chips_in_play is None else chips_in_play - self._due

    def _note_unknown_stacks(self, table: TournamentTable, hand_index: int) -> None:
        """Report, once, that the chips can't be counted."""
        if not self._has_gap:
            self._has_gap = True
            missing = say.stacks_unknown(table.hands[hand_index].hand.number, table.name)
            self._notes.add_gap(missing, [self._tournament.refer_to_hand(table, hand_index)], table.key.table)

    def _describe_hand(self, hand: HandPlayed) -> str:
        """Return the sentence for a hand that changes the total of its stacks."""
        sum_before = sum(dealt.before or 0 for dealt in hand.dealt_in)
        sum_after = sum(dealt.after or 0 for dealt in hand.dealt_in)
        return say.hand_adds_up_wrong(self._notes.format(sum_before), self._notes.format(sum_after))

    def _add_difference(
        self, table: TournamentTable, hand_index: int, offset: Chips, reason: str, *, is_after: bool
    ) -> None:
        """Add a difference, unless the chips add up again."""
        self._known_offset = offset
        if not offset:
            return
        sentence = say.chips_differ_after if is_after else say.chips_differ_before
        hand = table.hands[hand_index].hand
        events = [self._tournament.refer_to_hand(table, hand_index)]
        if hand_index:
            events.append(self._tournament.refer_to_hand(table, hand_index - 1))
        in_play = self._due + offset
        self._notes.add_difference(
            sentence(hand.number, table.name, self._notes.format(in_play), self._notes.format(self._due)),
            reason,
            events,
            expected=self._due,
            counted=in_play,
            table=table.key.table,
        )


def _list_first_stacks(hand: HandPlayed) -> list[tuple[PlayerId, Chips | None]]:
    """Return the stack of each player at the table when a hand begins."""
    dealt_stacks = [(dealt.player, dealt.before) for dealt in hand.dealt_in]
    return dealt_stacks + [(absent.player, absent.stack) for absent in hand.left_out]
