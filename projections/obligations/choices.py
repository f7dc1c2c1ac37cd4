"""What is due on the coming hand, worked out once for each set of players who may be dealt in.

Who comes in decides where button and blinds are, and where they are decides who may come in. So every set
is asked as a recorded hand is: with all of them dealt in, each placement by itself. A placement counts
where everybody in the set is let in by it.
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
from projections.obligations.dealt_in import There
from projections.obligations.dues import Choice, Due, Ground, Placement, SeatDue, Way
from projections.obligations.player_tabs import Memory
from projections.obligations.policy import Policy

_MOST: Final = 4
"""Of more players who may come in, only what each of them does by itself is worked out."""

Place: TypeAlias = Callable[[There], tuple[tuple[Placement, ...], str]]
"""Returns the placements of a hand, or why there are none."""

_FEW: Final = "fewer than two players are there"
_ONE_ALONE: Final = "only one of the players who are there may be dealt in on this hand"
_NOBODY_YET: Final = "nobody who is there has been in the game yet"
_UNSAID: Final = "where button and blinds are with seat {} dealt in: the book does not say"


class _Entry(NamedTuple):
    """Who comes in by a post, and who for nothing; everybody else waits for the big blind."""

    posting: frozenset[Seat]
    playing: frozenset[Seat]


_Placed: TypeAlias = tuple[Placement, dict[Seat, SeatDue]]
"""A placement and the terms of every seat under it."""


class _Whole(NamedTuple):
    """A set of players with the placements by which all of them are let in, and their terms under the first."""

    entry: _Entry
    placements: tuple[Placement, ...]
    terms: dict[Seat, SeatDue]

    @property
    def dealt(self) -> tuple[Seat, ...]:
        return self.placements[0].dealt


@dataclass(slots=True)
class Coming:
    """The coming hand of a table under one book."""

    policy: Policy
    memory: Memory
    state: TableState
    there: There  # who is there; those who may come in have not chosen
    place: Place
    _asked: dict[tuple[frozenset[Seat], tuple[Seat, ...]], list[_Placed]] = field(default_factory=dict)

    def due(self, book: str) -> Due:
        """Return what is due: by the choice that is shown, and where choices change positions, by each of them."""
        wholes = self._wholes()
        if not wholes:
            placements, unknown = self.place(self.there)
            if self.there.coming:  # nobody is let in as the book has it: what is usually done is shown
                placements = tuple(msgspec.structs.replace(one, judged=False) for one in placements)
            if not placements and self.there.coming and len(self.there.core) + len(self.there.coming) > 1:
                unknown = unknown.replace(_FEW, _ONE_ALONE if self.there.core else _NOBODY_YET)
            dealt = placements[0].dealt if placements else self.there.core
            seats = self._seats(placements, dealt)
            return Due(book, self.state.number, placements, seats, dealt, unknown)
        shown = wholes[0]
        seats = tuple(
            self._optional(one, shown, wholes) if one.seat in self.there.coming else one
            for one in self._seats(shown.placements, shown.dealt)
        )
        choices = tuple(choice for one in wholes for choice in self._choices(one))
        one_set = all(len({place.dealt for place in one.placements}) < 2 for one in wholes)
        if one_set and all(_same(one.placements, shown.placements) for one in wholes) and _everybody(wholes):
            choices = ()
        return Due(book, self.state.number, shown.placements, seats, shown.dealt, choices=choices)

    # Sets of players

    def _wholes(self) -> list[_Whole]:
        """Return every set that some placement lets in, the one to show first."""
        found: list[_Whole] = []
        for entry in self._entries():
            for whole in self._of(entry):
                if all((one.entry, one.dealt) != (entry, whole.dealt) for one in found):
                    found.append(whole)
        return found

    def _entries(self) -> Iterator[_Entry]:
        """Yield who may come in how, the fewest posts first, and of those the most who need none."""
        coming = self.there.coming
        ways = list(product(("", "post", "play"), repeat=len(coming))) if len(coming) <= _MOST else _single(coming)
        ways.sort(key=lambda one: (one.count("post"), -one.count("play")))
        for one in ways:
            chosen = list(zip(coming, one, strict=True))
            yield _Entry(
                frozenset(seat for seat, way in chosen if way == "post"),
                frozenset(seat for seat, way in chosen if way == "play"),
            )

    def _of(self, entry: _Entry) -> Iterator[_Whole]:
        """Yield the sets in which these come in, with whoever takes the big blind besides."""
        free = self.there._replace(posters=entry.posting, free=entry.playing)
        sets = dict.fromkeys(
            tuple(sorted({*place.dealt, *entry.posting, *entry.playing})) for place in self.place(free)[0]
        )
        by_set = [(dealt, self._let_in(entry, dealt)) for dealt in sets]
        if len(by_set) > 1 and (all_in := [found for _, found in by_set if found]):
            # The methods differ in who takes the big blind: each reading stands with its own players.
            placements = tuple(place for found in all_in for place, _ in found)
            terms = dict(all_in[0][0][1])
            for dealt, found in by_set:  # of whom only some readings deal in, what they say counts
                terms |= {seat: due for seat, due in (found[0][1].items() if found else ()) if seat in dealt}
            yield _Whole(entry, placements, terms)
            return
        for _, found in by_set:
            if found:
                yield _Whole(entry, tuple(place for place, _ in found), found[0][1])

    def _let_in(self, entry: _Entry, dealt: tuple[Seat, ...]) -> list[_Placed]:
        """Return the placements of a set by which everybody in it is let in."""
        found = []
        for placement, terms in self._placed(entry.posting, dealt):
            comers = [terms[seat] for seat in dealt if seat in self.there.coming]
            if all(self._fits(entry, placement, one) for one in comers):
                found.append((placement, terms))
        if entry.posting or entry.playing:  # nobody need come in where the book does not say how the others lie
            found = [one for one in found if one[0].judged or one[0].heads_up]
        return found

    def _placed(self, posting: frozenset[Seat], dealt: tuple[Seat, ...]) -> list[_Placed]:
        """Return the placements of a hand on which just these are dealt in, with their terms."""
        placed = self._asked.get((posting, dealt))
        if placed is None:
            placed = self._asked[posting, dealt] = [
                (placement, {one.seat: one for one in self._seats((placement,), dealt)})
                for placement in self._given(posting, dealt)
            ]
        return placed

    def _given(self, posting: frozenset[Seat], dealt: tuple[Seat, ...]) -> tuple[Placement, ...]:
        core = tuple(seat for seat in self.there.core if seat in dealt)
        coming = tuple(seat for seat in self.there.coming if seat in dealt)
        there = self.there._replace(core=core, coming=coming, posters=posting, free=frozenset(), given=True)
        return self.place(there)[0]

    def _fits(self, entry: _Entry, placement: Placement, one: SeatDue) -> bool:
        """Whether a placement lets a player in as the player comes."""
        if one.seat in entry.posting:
            return one.deal == "if-posts" and one.post != () and not self._last_to_act(placement, one)
        furthest = placement.extra or placement.big
        if one.deal != "yes":
            return False
        if one.seat in entry.playing:
            return furthest != one.seat and not self._last_to_act(placement, one)
        return furthest == one.seat

    def _last_to_act(self, placement: Placement, one: SeatDue) -> bool:
        """Whether a dead button gives last action to a player whom the book bars from it."""
        barred = bool(self.policy.value("button.last_action_when_dead") == "nearest-before") and one.button is False
        return barred and placement.button_empty and placement.last == one.seat

    # Seats

    def _seats(self, placements: tuple[Placement, ...], dealt: tuple[Seat, ...]) -> tuple[SeatDue, ...]:
        return debts.seats(self.policy, self.memory, self.state, placements, dealt, None)

    def _optional(self, one: SeatDue, shown: _Whole, wholes: list[_Whole]) -> SeatDue:
        """Return the terms of a player who may come in: with the player in the hand, not beside it."""
        seat = one.seat
        if seat in shown.dealt:
            return one
        alone = next((whole for whole in wholes if _adds(whole, shown, seat)), None)
        alone = alone or next((whole for whole in wholes if seat in whole.dealt), None)
        if alone is not None:
            own = alone.terms[seat]
            later = tuple(
                way for way in one.ways if not way.now and way.kind not in {w.kind for w in own.ways if w.now}
            )
            now = tuple(way for way in own.ways if way.now)
            return msgspec.structs.replace(own, ways=(*now, *later) or own.ways or one.ways)
        return self._barred(one, shown)

    def _barred(self, one: SeatDue, shown: _Whole) -> SeatDue:
        """Return the terms of a player whom no reading lets in now."""
        seat = one.seat
        for entry in (_Entry(frozenset({seat}), frozenset()), _Entry(frozenset(), frozenset({seat}))):
            dealt = tuple(sorted({*shown.dealt, seat}))
            for placement, terms in self._placed(entry.posting, dealt):
                own = terms[seat]
                if own.deal not in ("if-posts", "yes"):
                    return msgspec.structs.replace(own, ways=_later(one, own))
                if self._last_to_act(placement, own):
                    return msgspec.structs.replace(own, deal="no", post=(), ways=_later(one, own))
        if one.deal in ("no", "open"):
            return one
        lacking = Ground(_UNSAID.format(seat), (), "fallback")
        return msgspec.structs.replace(one, deal="open", post=(), ways=_later(one, one), why=(lacking, *one.why))

    def _choices(self, whole: _Whole) -> Iterator[Choice]:
        """Yield a choice for each set of players that a reading of it deals in: positions of one set go together."""
        entry = whole.entry
        posts = tuple(post for seat in sorted(entry.posting) for post in whole.terms[seat].post)
        for dealt in dict.fromkeys(place.dealt for place in whole.placements):
            yield Choice(
                tuple(sorted(entry.posting)),
                tuple(sorted(entry.playing)),
                tuple(seat for seat in self.there.coming if seat not in dealt),
                dealt,
                tuple(place for place in whole.placements if place.dealt == dealt),
                posts,
            )


def _single(coming: tuple[Seat, ...]) -> list[tuple[str, ...]]:
    """Return the ways in which one of many comes in, and the others wait; and in which all come in for nothing."""
    waits = ("",) * len(coming)
    ways = [(*waits[:at], way, *waits[at + 1 :]) for at in range(len(coming)) for way in ("post", "play")]
    return [waits, ("play",) * len(coming), *ways]


def _adds(whole: _Whole, shown: _Whole, seat: Seat) -> bool:
    """Whether a set is the one that is shown with one player more, who posts or plays for nothing."""
    entry, base = whole.entry, shown.entry
    return (entry.posting, entry.playing) in (
        (base.posting | {seat}, base.playing),
        (base.posting, base.playing | {seat}),
    )


def _later(one: SeatDue, own: SeatDue) -> tuple[Way, ...]:
    """Return the ways in which a player may come in on a later hand."""
    found = {way.kind: way for way in (*own.ways, *one.ways) if not way.now}
    return tuple(found.values())


def _everybody(wholes: list[_Whole]) -> bool:
    """Whether everybody who may come in may do so whatever the others do."""
    posting = frozenset[Seat]().union(*(one.entry.posting for one in wholes))
    playing = frozenset[Seat]().union(*(one.entry.playing for one in wholes))
    sets = {(one.entry.posting, one.entry.playing) for one in wholes}
    return len(sets) >= 1 << len(posting | playing)


def _same(places: tuple[Placement, ...], others: tuple[Placement, ...]) -> bool:
    """Whether placements have the same positions and blinds."""
    return [_positions(one) for one in places] == [_positions(one) for one in others]


def _positions(place: Placement) -> object:
    posts = [(post.seat, post.role, post.live, post.dead) for post in place.posts]
    return place.button, place.small, place.big, place.extra, posts, place.judged, place.doubtful
