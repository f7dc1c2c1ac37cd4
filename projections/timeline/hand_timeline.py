"""The timeline of a hand, with the acts, bets, streets and cards that detectors look up.

Acts and streets come from the hand's trace (`ledger.hand.trace`). Events are identified by their version, which is
their number in the hand's stream. Parameters such as `before_version` are such numbers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ledger.event import Event
from ledger.hand import opening as o
from ledger.hand.acts import Act
from ledger.hand.betting import BetReturned, ChipsMoved, ChipsReturned, HandKilled, HandRetrieved
from ledger.hand.blind_round import is_bomb_pot
from ledger.hand.dealing import BoardTurnedUp, DealCompleted, ErrorNoticed, HoleCardsDealt, MisdealDeclared
from ledger.hand.ending import CardsMucked, CardsShown, HandVoided, PotAwarded, PotTakenBack
from ledger.hand.street_deals import StreetDeal
from ledger.hand.trace import build_trace
from ledger.replay import HandReplay
from ledger.table.in_force import NOTHING_IN_FORCE, InForce
from ledger.vocabulary import UNKNOWN_CARD, Chips, Seat, Street, Witness, split_cards
from projections.timeline.event_index import LONG_HAND, ActIndex, NumberedEvent
from projections.timeline.hand_setup import HandSetup, read_setup

_Value = TypeVar("_Value")

AFTER_ALL_EVENTS: Final = 10**9
"""A version higher than any event's: the version of something that never happened."""

_ACTS_WITNESS: Final = int(Witness.ACTS)
_STATED_WITNESSES: Final = int(Witness.ACTS | Witness.WRITTEN_BUTTON)

_SETUP_ATTRIBUTES: Final = frozenset({"options", "start", "button", "game", "posts", "numbered_events"})
"""Attributes that `read_setup` sets."""
_TRACE_ATTRIBUTES: Final = frozenset(
    {"put_in", "acts", "undone_versions", "deals", "later_runs", "betting_end", "live", "late_acts"}
)
"""Attributes that `Timeline._read_trace` sets."""


class Timeline(HandSetup):
    """A played hand, for detectors. Setup and trace are read when one of their attributes is first used."""

    def __init__(self, played: HandReplay, in_force: InForce = NOTHING_IN_FORCE) -> None:
        """Create the timeline of a hand. `in_force`: the options, permissions and agreements of its table."""
        super().__init__(played, in_force)
        self._cache: dict[str, Any] = {}

    def cached(self, name: str, compute: Callable[[], _Value]) -> _Value:
        """Return the value with this name, which several clauses share. Compute it on the first call."""
        if name not in self._cache:
            self._cache[name] = compute()
        value: _Value = self._cache[name]
        return value

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Read the setup or the trace when one of its attributes is first used."""
            if name in self.__dict__ or name not in _SETUP_ATTRIBUTES | _TRACE_ATTRIBUTES:
                raise AttributeError(name)
            if name in _SETUP_ATTRIBUTES:
                self._read_setup()
            else:
                self._read_trace()
            return getattr(self, name)

    def _read_setup(self) -> None:
        """Read seats, posts and the game: most clauses about posts need no more."""
        self.reset_setup()
        read_setup(self)

    def _read_trace(self) -> None:
        """Read acts, streets and the end of the betting from the trace."""
        house_options = self.in_force.options
        hand_trace = (
            build_trace(self.played.numbered, house_options) if "bet-cap" in house_options else self.played.trace
        )
        self.put_in = hand_trace.put_in
        self.undone_versions = hand_trace.undone
        self.deals = hand_trace.street_deals
        self.later_runs = hand_trace.later_runs
        self.betting_end = hand_trace.betting_end
        self.live = hand_trace.live
        late_versions = self._find_late_versions(hand_trace.acts)
        self.late_acts = [act for act in hand_trace.acts if act.version in late_versions]
        self.acts = (
            [act for act in hand_trace.acts if act.version not in late_versions] if late_versions else hand_trace.acts
        )

    def _find_late_versions(self, acts: list[Act]) -> set[int]:
        """Return the versions of events recorded after a pot was paid, or an empty set if none of them is an act."""
        is_corrected = self.played.events is not self.played.recorded_events
        if self.betting_end is None or not acts or (acts[-1].version < self.betting_end.version and not is_corrected):
            return set()
        paid_chips = 0
        late_versions: set[int] = set()
        for version, event in self.numbered_events:
            if isinstance(event, PotAwarded):
                paid_chips += event.amount
            elif isinstance(event, PotTakenBack):
                paid_chips -= event.amount
            elif isinstance(event, MisdealDeclared):
                paid_chips = 0
            elif paid_chips > 0:
                late_versions.add(version)
        return late_versions

    def shown_cards(self, seat: Seat, before_version: int | None = None) -> set[str]:
        """Return the known cards that a seat showed before an event, or in the whole hand if `before_version` is None."""
        return {
            card
            for _, event in self.events_before(before_version, CardsShown, seat=seat)
            for card in split_cards(event.cards)
            if card != UNKNOWN_CARD
        }

    def has_tabled(self, seat: Seat, before_version: int | None = None) -> bool:
        """Whether a seat had shown all of its cards before an event, or ever if `before_version` is None."""
        if self.index is not None:
            tabled_version = self.cached(f"tabled {seat}", lambda: self._find_tabling(seat))
            return tabled_version is not None and (before_version is None or tabled_version < before_version)
        shown_cards = self.shown_cards(seat, before_version)
        return bool(shown_cards) and shown_cards.issuperset(self.played.final_state.hole_cards(seat))

    def _find_tabling(self, seat: Seat) -> int | None:
        """Return the version at which a seat had shown all its cards, or None if it never did."""
        unseen_cards, has_shown = set(self.played.final_state.hole_cards(seat)), False
        for version, event in self.events_before(None, CardsShown, seat=seat):
            cards = [card for card in split_cards(event.cards) if card != UNKNOWN_CARD]
            has_shown = has_shown or bool(cards)
            unseen_cards.difference_update(cards)
            if has_shown and not unseen_cards:
                return version
        return None

    def find_muck(self, seat: Seat, before_version: int | None = None) -> int | None:
        """Return the version at which a seat mucked its cards at the showdown without tabling them, or None."""
        return next(
            (
                version
                for version, _ in self.events_before(before_version, CardsMucked, seat=seat)
                if not self.has_tabled(seat, version)
            ),
            None,
        )

    def find_kill(self, seat: Seat, after_version: int = 0, before_version: int | None = None) -> int | None:
        """Return the version at which a seat's hand was ruled dead between two events, or None if it wasn't.

        Clearing away a losing hand doesn't count: it isn't a ruling.
        """
        cleared = self.played.final_state.cleared_seats
        return next(
            (
                version
                for version, event in self.events_after(
                    after_version, HandKilled, seat=seat, before_version=before_version
                )
                if event.reason != "lost" or seat not in cleared
            ),
            None,
        )

    def permissions(self, subject: str) -> list[tuple[int, o.PermissionGranted]]:
        """Return the permissions for a subject with their versions; those given before the hand have version 0."""
        table_permissions = [(0, event) for event in self.in_force.permissions]
        return [
            permission
            for permission in table_permissions + self.of(o.PermissionGranted)
            if permission[1].subject == subject
        ]

    def agreements(self, subject: str) -> list[tuple[int, o.Agreed]]:
        """Return the agreements on a subject with their versions; those made before the hand have version 0."""
        table_agreements = [(0, event) for event in self.in_force.agreements]
        return [agreement for agreement in table_agreements + self.of(o.Agreed) if agreement[1].subject == subject]

    def events_after(
        self, version: int, *kinds: type[Event], seat: Seat | None = None, before_version: int | None = None
    ) -> list[NumberedEvent]:
        """Return the events of these types between two events, or from one to the end, of one seat or of all."""
        if self.index is not None:
            return self.index.events_between(kinds, seat, version, before_version)
        return [
            (event_version, event)
            for event_version, event in self.of(*kinds)
            if event_version > version
            and (before_version is None or event_version < before_version)
            and (seat is None or event.seat == seat)
        ]

    def events_before(self, version: int | None, *kinds: type[Event], seat: Seat | None = None) -> list[NumberedEvent]:
        """Return the events of these types before an event, or all of them, of one seat or of all."""
        return self.events_after(0, *kinds, seat=seat, before_version=version)

    def has_event_between(
        self, after_version: int, before_version: int | None, *kinds: type[Event], seat: Seat | None = None
    ) -> bool:
        """Whether an event of these types comes between two events, or from one to the end, of one seat or of any."""
        if self.index is None:
            return bool(self.events_after(after_version, *kinds, seat=seat, before_version=before_version))
        first_event = self.index.first_after(kinds, seat, after_version)
        return first_event is not None and (before_version is None or first_event[0] < before_version)

    def first_event_after(self, version: int, *kinds: type[Event], seat: Seat | None = None) -> NumberedEvent | None:
        """Return the first event of these types after an event, of one seat or any, or None."""
        if self.index is not None:
            return self.index.first_after(kinds, seat, version)
        return next(iter(self.events_after(version, *kinds, seat=seat)), None)

    @cached_property
    def _act_index(self) -> ActIndex | None:
        """The index of acts; None for a short or a corrected hand, which is scanned."""
        return ActIndex(self.acts) if self.index is not None and len(self.acts) > LONG_HAND else None

    def act_after(self, version: int, seat: Seat | None = None) -> Act | None:
        """Return the first act after an event, of one seat or any."""
        if self._act_index is not None:
            return self._act_index.next_after(version, seat)
        return next((act for act in self.acts if act.version > version and seat in (None, act.seat)), None)

    def has_acted(self, seat: Seat | None, before_version: int) -> bool:
        """Whether a seat had acted before an event."""
        if self._act_index is not None:
            return self._act_index.has_acted(seat, before_version)
        return any(act.seat == seat and act.version < before_version for act in self.acts)

    def find_take_backs(self, act: Act) -> list[int]:
        """Return the version at which an act was taken back before the next act, as a list; [] if it wasn't.

        A bet or call is taken back when its chips are returned, a fold when the hand is retrieved, and a check when
        somebody notices that it's out of turn and the right seat acts next.
        """
        next_act = self.act_after(act.version)
        next_version = None if next_act is None else next_act.version
        take_backs = [
            version
            for version, event in self.events_after(
                act.version, ChipsReturned, HandRetrieved, seat=act.seat, before_version=next_version
            )
            if isinstance(event, HandRetrieved) or self.returned_chips(version, event) == act.amount_added
        ]
        if act.kind == "check" and next_act is not None and next_act.seat == act.seat_to_act:
            notices = self.events_after(act.version, ErrorNoticed, before_version=next_version)
            take_backs += [
                notice_version
                for notice_version, notice in notices
                if notice.kind == "out-of-turn" and notice.seat in (None, act.seat)
            ]
        return take_backs[:1]

    def returned_chips(self, version: int, event: ChipsReturned) -> Chips:
        """Return how many of the returned chips the seat had bet, without change and chips that were only set aside."""
        if event.reason == "change":
            return 0
        return event.amount - (self.played.trace.set_aside.get(version, 0) if self.of(ChipsMoved) else 0)

    def settled_bet(self, act: Act) -> Chips:
        """Return what the seat had bet when the next seat acted, including additions and returns after this act."""
        last_act, next_version = self._find_run_end(act)
        returns = self.events_after(last_act.version, ChipsReturned, seat=act.seat, before_version=next_version)
        chips_back = sum(self.returned_chips(version, event) for version, event in returns)
        return last_act.bet_after - chips_back

    def _find_run_end(self, act: Act) -> tuple[Act, int | None]:
        """Return the last act of the run that an act is in, and the version of the act after the run.

        A run ends when another seat acts or a new street begins. The version is None if the run ends with the hand.
        """
        if self._act_index is not None:
            return self._act_index.find_run_end(act)
        later_acts = [later_act for later_act in self.acts if later_act.version > act.version]
        other_version = next(
            (
                later_act.version
                for later_act in later_acts
                if later_act.seat != act.seat or later_act.street != act.street
            ),
            None,
        )
        own_acts = [later_act for later_act in later_acts if other_version is None or later_act.version < other_version]
        return own_acts[-1] if own_acts else act, other_version

    def count_acts(self, before_version: int) -> int:
        """Return how many acts came before an event."""
        if self._act_index is None:
            return len(self.acts_before(before_version))
        return self._act_index.count_before(before_version)

    def acts_between(self, start: int, end: int) -> list[Act]:
        """Return the acts from one event on and before another."""
        if self._act_index is not None:
            return self.acts[self._act_index.count_before(start) : self._act_index.count_before(end)]
        return self.acts_before(end)[self.count_acts(start) :]

    def acts_back_from(self, version: int) -> Iterator[Act]:
        """Yield the acts before an event, latest first."""
        if self._act_index is None:
            yield from reversed(self.acts_before(version))
            return
        for index in range(self._act_index.count_before(version) - 1, -1, -1):
            yield self.acts[index]

    def acts_before(self, version: int | None) -> list[Act]:
        """Return the acts before an event, or all acts if `version` is None."""
        if self._act_index is not None:
            return self.acts[: None if version is None else self._act_index.count_before(version)]
        return [act for act in self.acts if version is None or act.version < version]

    def is_deal_complete(self, before_version: int) -> bool:
        """Whether the deal is recorded as complete before an event."""
        return bool(self.events_before(before_version, DealCompleted))

    def find_kept_street(self, street: Street) -> StreetDeal | None:
        """Return the last deal of a street that wasn't withdrawn, or None if there is none."""
        kept_deals = [deal for deal in self.deals if deal.street == street and deal.withdrawn is None]
        return kept_deals[-1] if kept_deals else None

    @property
    def is_contested(self) -> bool:
        """Whether two or more seats had a live hand when the betting was over."""
        final = self.played.final_state
        if not final.killed_seats:
            return len(final.live) > 1
        return self.betting_end is not None and len(self.betting_end.live_seats) > 1

    def version_of(self, kind: str, seat: Seat | None = None) -> int:
        """Return the version of the event that records a position, a post or a seat, or 0 if there is none.

        `kind` is "button", "dealt" (dealt in or left out), "skipped", "post" (any post) or the role of a blind. A blind
        that wasn't posted is found by its recorded position. `seat` None = any seat.
        """
        if kind == "button":
            return next((version for version, _ in self.of(o.ButtonPlaced)), 0)
        if kind == "dealt":
            seats = self.of(o.SeatDealtIn, o.SeatLeftOut)
            return next((version for version, event in seats if event.seat == seat), 0)
        if kind == "skipped":
            skipped_seats = self.of(o.BlindSkipped)
            return next((version for version, event in skipped_seats if seat in (None, event.seat)), 0)
        return self._version_of_post(kind, seat)

    def _version_of_post(self, kind: str, seat: Seat | None) -> int:
        """Return the version of a post, or of the post or position of a blind, as `version_of` describes."""
        for version, post in self.standing_posts():
            role = post.role if isinstance(post, o.BlindPosted) else "straddle"
            if kind in ("post", role) and seat in (None, post.seat):
                return version
        blind_positions = self.of(o.BlindPositionPlaced)
        return next(
            (version for version, event in blind_positions if event.role == kind and seat in (None, event.seat)), 0
        )

    def find_skipped_option(self) -> tuple[int, tuple[Seat, ...]]:
        """Return the version at which preflop betting closed, and the seats that never got their option.

        If no seat missed its option, the seats are () and the version may be 0.
        """
        flop = self.deals[0] if self.deals else None
        if any(act.kind in ("bet", "raise") and act.street == "preflop" for act in self.acts):
            return 0, ()
        if flop is not None:
            open_seats, is_matched, version = flop.seats_to_act, flop.is_matched, flop.version
            if flop.withdrawn:
                return 0, ()
        elif self._is_void():
            return 0, ()  # the cards and the blinds were returned
        elif self.betting_end is not None and self.betting_end.street == "preflop":
            open_seats, is_matched, version = (
                self.betting_end.seats_to_act,
                self.betting_end.is_matched,
                self.betting_end.version,
            )
        else:
            return 0, ()
        is_chopped = not any(self.put_in.get(seat, 0) for seat in open_seats)  # the blinds were returned to all of them
        return (version, open_seats) if is_matched and not is_chopped else (0, ())

    def _is_void(self) -> bool:
        """Whether the hand was voided, or nothing was dealt and nobody acted after its last misdeal."""
        if self.of(HandVoided):
            return True
        last_misdeal = max((version for version, _ in self.of(MisdealDeclared)), default=0)
        later_deals = self.events_after(last_misdeal, HoleCardsDealt, DealCompleted)
        return last_misdeal > 0 and not later_deals and not any(act.version > last_misdeal for act in self.acts)

    def early_streets(self) -> list[StreetDeal]:
        """Return the streets that were dealt face up while a seat still had to act or had its option."""
        return [
            deal
            for deal in self.deals
            if deal.seats_to_act and not self._opens_betting(deal) and self._is_seen_early(deal)
        ]

    def _is_seen_early(self, deal: StreetDeal) -> bool:
        """Whether a seat that still had to act could see the street's cards. Cards dealt face down don't count."""
        if deal.event.face_up:
            return True
        withdrawn_at = deal.withdrawn[0] if deal.withdrawn is not None else AFTER_ALL_EVENTS
        turned_up_at = next(
            (
                version
                for version, event in self.events_after(deal.version, BoardTurnedUp)
                if event.street == deal.street
            ),
            AFTER_ALL_EVENTS,
        )
        waiting_seats = set(deal.seats_to_act) - {act.seat for act in self.acts_between(deal.version, turned_up_at)}
        return turned_up_at < withdrawn_at and bool(waiting_seats)

    def was_passed_over(self, seat: Seat | None) -> bool:
        """Whether a street was dealt before a seat could act, and the seat never acted again."""
        return any(
            seat in deal.seats_to_act and not any(act.seat == seat and act.version > deal.version for act in self.acts)
            for deal in self.early_streets()
        )

    def _opens_betting(self, deal: StreetDeal) -> bool:
        """Whether the betting begins on this street, as in a bomb pot: there was no live post and no act before."""
        if self.is_bomb_pot:
            return not self.count_acts(deal.version)
        has_live_post = any(
            (isinstance(post, o.BlindPosted) and post.live) or isinstance(post, o.StraddlePosted | o.BringInPosted)
            for _, post in self.standing_posts()
        )
        return deal.is_matched and not has_live_post and not self.count_acts(deal.version)

    @cached_property
    def is_bomb_pot(self) -> bool:
        """Whether everybody antes for a flop, and no blind is due."""
        return is_bomb_pot((post for _, post in self.standing_posts()), self.played.final_state.options)

    def is_substantial(self, acts: list[Act]) -> bool:
        """Whether acts are substantial action: by three seats, or by two with chips put in."""
        seats = {act.seat for act in acts}
        return len(seats) >= 3 or (len(seats) == 2 and any(act.amount_added for act in acts))

    def may_be_substantial(self, acts: list[Act]) -> bool:
        """Whether acts are substantial action only in a wider sense: by two seats, or by one with chips put in.

        It's used for books that don't define the term.
        """
        return not self.is_substantial(acts) and (
            len({act.seat for act in acts}) > 1 or any(act.amount_added for act in acts)
        )

    @cached_property
    def witnesses(self) -> int:
        """The kinds of facts that the source always records or that this hand states in full, as bits of `Witness`."""
        opening_witnesses = next(
            (event.witnesses for event in self.played.events if isinstance(event, o.HandOpened)), 0
        )
        if opening_witnesses & _STATED_WITNESSES == _ACTS_WITNESS:
            return opening_witnesses
        return self.played.final_state.witnesses

    def is_witnessed(self, kind: Witness) -> bool:
        """Whether the source always records this kind of fact."""
        return bool(self.witnesses & int(kind))  # enum flags are slow to combine

    def acts_with_totals(self) -> Iterator[tuple[Act, Chips]]:
        """Yield each act with the chips that its seat has put in so far, posts and antes included."""
        totals: dict[Seat, Chips] = {}
        chip_moves = deque(sorted([*self._iter_posts(), *self._iter_returns()]))
        for act in self.acts:
            while chip_moves and chip_moves[0][0] < act.version:
                _, seat, chips = chip_moves.popleft()
                totals[seat] = totals.get(seat, 0) + chips
            totals[act.seat] = totals.get(act.seat, 0) + act.amount_added
            yield act, totals[act.seat]

    def _iter_posts(self) -> Iterator[tuple[int, Seat, Chips]]:
        """Yield version, seat and chips of each post."""
        for version, post in self.posts:
            chips = post.live + post.dead if isinstance(post, o.BlindPosted) else post.amount
            yield version, post.seat, chips

    def _iter_returns(self) -> Iterator[tuple[int, Seat, Chips]]:
        """Yield version, seat and chips (negative) of each return."""
        for version, event in self.of(o.PostReturned, ChipsReturned, BetReturned):
            chips = self.returned_chips(version, event) if isinstance(event, ChipsReturned) else event.amount
            if chips:
                yield version, event.seat, -chips

    def acts_by_street(self) -> Iterator[tuple[Street, list[Act]]]:
        """Yield each street with its acts."""
        acts_by_street: dict[Street, list[Act]] = {}
        for act in self.acts:
            acts_by_street.setdefault(act.street, []).append(act)
        yield from acts_by_street.items()
