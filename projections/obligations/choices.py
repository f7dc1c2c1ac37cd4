"""What is due on the coming hand, whose players may still choose whether to come in.

Who comes in decides where button and blinds are, and that decides who may come in. So each possible set of players is
judged like a recorded hand that deals them all in, under each placement by itself. A placement counts if it lets in
every player of the set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Final, NamedTuple, TypeAlias

import msgspec

from ledger.table.state import TableState
from ledger.vocabulary import Seat
from projections.obligations import debts
from projections.obligations.dealt_in import HandRoster
from projections.obligations.dues import Choice, Due, Ground, Placement, SeatDue, WayIn
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.policy import Policy
from projections.sentences import unknowns

_MAX_ENTRANTS: Final = 4
"""If more players may come in, only one is tried at a time, and then all of them without a post."""

PlaceHand: TypeAlias = Callable[[HandRoster], tuple[tuple[Placement, ...], str]]
"""Returns the placements of a hand, and why there are none ("" if there are)."""

_ONLY_ONE_PLAYER: Final = "only one of the players who are there may be dealt in on this hand"
_NOBODY_IN_GAME: Final = "nobody who is there has been in the game yet"


class _Entry(NamedTuple):
    """One choice of the players who may come in. Those not listed wait for the big blind."""

    posting: frozenset[Seat]  # come in by a post
    playing: frozenset[Seat]  # come in without one


class _PlacedTerms(NamedTuple):
    """A placement, and the dues of every seat under it."""

    placement: Placement
    terms: dict[Seat, SeatDue]


class _EntrySet(NamedTuple):
    """A choice that at least one placement allows, those placements, and the dues of each seat under the first."""

    entry: _Entry
    placements: tuple[Placement, ...]
    terms: dict[Seat, SeatDue]

    @property
    def dealt(self) -> tuple[Seat, ...]:
        return self.placements[0].dealt


@dataclass(slots=True)
class ComingHand:
    """The coming hand of a table under one book. Call `find_due` for what is due on it."""

    policy: Policy
    player_tabs: PlayerTabs
    state: TableState
    roster: HandRoster  # who is there; those who may come in haven't chosen yet
    place_hand: PlaceHand
    _terms_by_set: dict[tuple[frozenset[Seat], tuple[Seat, ...]], list[_PlacedTerms]] = field(default_factory=dict)

    def find_due(self, book: str) -> Due:
        """Return the dues for the first choice, with all choices if they differ in positions."""
        entry_sets = self._list_entry_sets()
        if not entry_sets:
            return self._build_unjudged_due(book)
        shown_set = entry_sets[0]
        seats = tuple(
            self._choose_terms(seat_due, shown_set, entry_sets) if seat_due.seat in self.roster.entrants else seat_due
            for seat_due in self._list_seat_dues(shown_set.placements, shown_set.dealt)
        )
        choices = tuple(choice for entry_set in entry_sets for choice in self._iter_choices(entry_set))
        is_one_hand_each = all(
            len({placement.dealt for placement in entry_set.placements}) < 2 for entry_set in entry_sets
        )
        keeps_positions = all(
            _has_same_positions(entry_set.placements, shown_set.placements) for entry_set in entry_sets
        )
        if is_one_hand_each and keeps_positions and _is_open_to_all(entry_sets):
            choices = ()
        return Due(book, self.state.number, shown_set.placements, seats, shown_set.dealt, choices=choices)

    def _build_unjudged_due(self, book: str) -> Due:
        """Return the dues if the book allows no choice: as hands are usually dealt, to show and not to judge."""
        entrants, settled_seats = self.roster.entrants, self.roster.settled_seats
        placements, unknown = self.place_hand(self.roster)
        if entrants:
            placements = tuple(msgspec.structs.replace(placement, judged=False) for placement in placements)
        if not placements and entrants and len(settled_seats) + len(entrants) > 1:
            unknown = unknown.replace(
                unknowns.too_few_players(), _ONLY_ONE_PLAYER if settled_seats else _NOBODY_IN_GAME
            )
        dealt = placements[0].dealt if placements else settled_seats
        return Due(book, self.state.number, placements, self._list_seat_dues(placements, dealt), dealt, unknown)

    # Sets of players

    def _list_entry_sets(self) -> list[_EntrySet]:
        """Return the choices that a placement allows. The first one is shown."""
        entry_sets: list[_EntrySet] = []
        for entry in self._iter_entries():
            for entry_set in self._find_entry_sets(entry):
                if all((known_set.entry, known_set.dealt) != (entry, entry_set.dealt) for known_set in entry_sets):
                    entry_sets.append(entry_set)
        return entry_sets

    def _iter_entries(self) -> Iterator[_Entry]:
        """Yield the choices of the players who may come in: the fewest posts first, then the most who need none."""
        entrants = self.roster.entrants
        entry_plans = (
            list(product(("", "post", "play"), repeat=len(entrants)))
            if len(entrants) <= _MAX_ENTRANTS
            else _plan_single_entries(entrants)
        )
        entry_plans.sort(key=lambda plan_kinds: (plan_kinds.count("post"), -plan_kinds.count("play")))
        for plan in entry_plans:
            kinds_by_seat = list(zip(entrants, plan, strict=True))
            yield _Entry(
                frozenset(seat for seat, entry_kind in kinds_by_seat if entry_kind == "post"),
                frozenset(seat for seat, entry_kind in kinds_by_seat if entry_kind == "play"),
            )

    def _find_entry_sets(self, entry: _Entry) -> Iterator[_EntrySet]:
        """Yield the sets that a choice leads to: its players, and the player who takes the big blind.

        There are several if the book's methods put the big blind on different players.
        """
        roster_with_entry = self.roster._replace(posters=entry.posting, free_entrants=entry.playing)
        player_sets = dict.fromkeys(
            tuple(sorted({*placement.dealt, *entry.posting, *entry.playing}))
            for placement in self.place_hand(roster_with_entry)[0]
        )
        admitted_sets = {dealt: self._list_admitting(entry, dealt) for dealt in player_sets}
        admitted_sets = {dealt: placed_terms for dealt, placed_terms in admitted_sets.items() if placed_terms}
        if len(player_sets) == 1 or not admitted_sets:
            for placed_terms in admitted_sets.values():
                yield _EntrySet(entry, tuple(placed.placement for placed in placed_terms), placed_terms[0].terms)
            return
        # The methods differ in who takes the big blind: a player's terms are those of a placement that deals the player in.
        placements = tuple(placed.placement for placed_terms in admitted_sets.values() for placed in placed_terms)
        terms = dict(next(iter(admitted_sets.values()))[0].terms)
        for dealt, placed_terms in admitted_sets.items():
            terms |= {seat: seat_due for seat, seat_due in placed_terms[0].terms.items() if seat in dealt}
        yield _EntrySet(entry, placements, terms)

    def _list_admitting(self, entry: _Entry, dealt: tuple[Seat, ...]) -> list[_PlacedTerms]:
        """Return the placements that let in every player of a set."""
        needs_rule = bool(entry.posting or entry.playing)  # a player only comes in where the book places the others
        entrants = [seat for seat in dealt if seat in self.roster.entrants]
        return [
            placed
            for placed in self._find_placed_terms(entry.posting, dealt)
            if (not needs_rule or placed.placement.judged or placed.placement.heads_up)
            and all(self._admits(entry, placed.placement, placed.terms[seat]) for seat in entrants)
        ]

    def _find_placed_terms(self, posting: frozenset[Seat], dealt: tuple[Seat, ...]) -> list[_PlacedTerms]:
        """Return the placements of a hand that deals in exactly these players, with each seat's dues."""
        placed_terms = self._terms_by_set.get((posting, dealt))
        if placed_terms is None:
            placed_terms = self._terms_by_set[posting, dealt] = []
            for placement in self._place_set(posting, dealt):
                seat_dues = self._list_seat_dues((placement,), dealt)
                placed_terms.append(_PlacedTerms(placement, {seat_due.seat: seat_due for seat_due in seat_dues}))
        return placed_terms

    def _place_set(self, posting: frozenset[Seat], dealt: tuple[Seat, ...]) -> tuple[Placement, ...]:
        """Return the placements of a hand that deals in exactly these players, as if it were recorded."""
        settled_seats = tuple(seat for seat in self.roster.settled_seats if seat in dealt)
        entrants = tuple(seat for seat in self.roster.entrants if seat in dealt)
        roster = self.roster._replace(
            settled_seats=settled_seats, entrants=entrants, posters=posting, free_entrants=frozenset(), is_recorded=True
        )
        return self.place_hand(roster)[0]

    def _admits(self, entry: _Entry, placement: Placement, seat_due: SeatDue) -> bool:
        """Whether a placement lets a player come in the way that the choice has it."""
        if seat_due.seat in entry.posting:
            return (
                seat_due.deal == "if-posts"
                and seat_due.post != ()
                and not self._is_barred_last_to_act(placement, seat_due)
            )
        furthest = placement.extra or placement.big
        if seat_due.deal != "yes":
            return False
        if seat_due.seat in entry.playing:
            return furthest != seat_due.seat and not self._is_barred_last_to_act(placement, seat_due)
        return furthest == seat_due.seat

    def _is_barred_last_to_act(self, placement: Placement, seat_due: SeatDue) -> bool:
        """Whether a dead button gives last action to a player whom the book bars from the button."""
        gives_last_action = self.policy.value("button.last_action_when_dead") == "nearest-before"
        is_barred = seat_due.button is False
        return bool(gives_last_action) and is_barred and placement.button_empty and placement.last == seat_due.seat

    # Seats

    def _list_seat_dues(self, placements: tuple[Placement, ...], dealt: tuple[Seat, ...]) -> tuple[SeatDue, ...]:
        return debts.list_seat_dues(self.policy, self.player_tabs, self.state, placements, dealt, None)

    def _choose_terms(self, seat_due: SeatDue, shown_set: _EntrySet, entry_sets: list[_EntrySet]) -> SeatDue:
        """Return the dues of a player who may come in, as they are if the player does."""
        seat = seat_due.seat
        if seat in shown_set.dealt:
            return seat_due
        own_set = next((candidate for candidate in entry_sets if _adds_one_player(candidate, shown_set, seat)), None)
        own_set = own_set or next((candidate for candidate in entry_sets if seat in candidate.dealt), None)
        if own_set is None:
            return self._find_barred_terms(seat_due, shown_set)
        terms_in_hand = own_set.terms[seat]
        ways_now = [way for way in terms_in_hand.ways_in if way.is_on_this_hand]
        kinds_now = {way.kind for way in ways_now}
        later_ways = [way for way in seat_due.ways_in if not way.is_on_this_hand and way.kind not in kinds_now]
        ways_in = (*ways_now, *later_ways) or terms_in_hand.ways_in or seat_due.ways_in
        return msgspec.structs.replace(terms_in_hand, ways_in=ways_in)

    def _find_barred_terms(self, seat_due: SeatDue, shown_set: _EntrySet) -> SeatDue:
        """Return the dues of a player whom no placement lets in on this hand."""
        seat = seat_due.seat
        dealt = tuple(sorted({*shown_set.dealt, seat}))
        for posting in (frozenset({seat}), frozenset[Seat]()):
            for placement, terms in self._find_placed_terms(posting, dealt):
                terms_in_hand = terms[seat]
                later_ways = _list_later_ways(seat_due, terms_in_hand)
                if terms_in_hand.deal not in ("if-posts", "yes"):
                    return msgspec.structs.replace(terms_in_hand, ways_in=later_ways)
                if self._is_barred_last_to_act(placement, terms_in_hand):
                    return msgspec.structs.replace(terms_in_hand, deal="no", post=(), ways_in=later_ways)
        if seat_due.deal in ("no", "open"):
            return seat_due
        missing_fact = Ground(unknowns.positions_with(seat), (), "fallback")
        return msgspec.structs.replace(
            seat_due,
            deal="open",
            post=(),
            ways_in=_list_later_ways(seat_due, seat_due),
            grounds=(missing_fact, *seat_due.grounds),
        )

    def _iter_choices(self, entry_set: _EntrySet) -> Iterator[Choice]:
        """Yield a choice for each set of players that a placement deals in, with all placements of that set."""
        entry = entry_set.entry
        posts = tuple(post for seat in sorted(entry.posting) for post in entry_set.terms[seat].post)
        for dealt in dict.fromkeys(placement.dealt for placement in entry_set.placements):
            yield Choice(
                tuple(sorted(entry.posting)),
                tuple(sorted(entry.playing)),
                tuple(seat for seat in self.roster.entrants if seat not in dealt),
                dealt,
                tuple(placement for placement in entry_set.placements if placement.dealt == dealt),
                posts,
            )


def _plan_single_entries(entrants: tuple[Seat, ...]) -> list[tuple[str, ...]]:
    """Return plans for many players: all wait, all come in without a post, or one comes in and the others wait."""
    all_wait = ("",) * len(entrants)
    plans = [
        (*all_wait[:index], entry_kind, *all_wait[index + 1 :])
        for index in range(len(entrants))
        for entry_kind in ("post", "play")
    ]
    return [all_wait, ("play",) * len(entrants), *plans]


def _adds_one_player(larger: _EntrySet, shown_set: _EntrySet, seat: Seat) -> bool:
    """Whether a set is the shown one plus one player, who posts or needs no post."""
    entry, shown_entry = larger.entry, shown_set.entry
    return (entry.posting, entry.playing) in (
        (shown_entry.posting | {seat}, shown_entry.playing),
        (shown_entry.posting, shown_entry.playing | {seat}),
    )


def _list_later_ways(seat_due: SeatDue, terms_in_hand: SeatDue) -> tuple[WayIn, ...]:
    """Return the player's ways to come in on a later hand, one of each kind."""
    all_ways = (*terms_in_hand.ways_in, *seat_due.ways_in)
    return tuple({way.kind: way for way in all_ways if not way.is_on_this_hand}.values())


def _is_open_to_all(entry_sets: list[_EntrySet]) -> bool:
    """Whether each player may come in no matter what the others choose: every combination is allowed."""
    posting = frozenset[Seat]().union(*(entry_set.entry.posting for entry_set in entry_sets))
    playing = frozenset[Seat]().union(*(entry_set.entry.playing for entry_set in entry_sets))
    distinct_entries = {(entry_set.entry.posting, entry_set.entry.playing) for entry_set in entry_sets}
    return len(distinct_entries) >= 1 << len(posting | playing)


def _has_same_positions(placements: tuple[Placement, ...], other_placements: tuple[Placement, ...]) -> bool:
    """Whether two lists of placements have the same positions and blinds."""
    return [_make_position_key(placement) for placement in placements] == [
        _make_position_key(placement) for placement in other_placements
    ]


def _make_position_key(placement: Placement) -> object:
    """Return what two placements must share to be the same for a caller."""
    posts = [(post.seat, post.role, post.live, post.dead) for post in placement.posts]
    return (
        placement.button,
        placement.small,
        placement.big,
        placement.extra,
        posts,
        placement.judged,
        placement.doubtful,
    )
