"""Build a hand's profile from its events, source and table context. It runs for every hand, so it must be fast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger import presence
from ledger.event import Event
from ledger.hand import betting, dealing, ending, opening
from ledger.hand.blind_round import read_blind_round
from ledger.hand.ending import CorrectionMade, LineUnread
from ledger.hand.opening import Agreed, GameSet, HandOpened, OptionSet, PermissionGranted, SeatDealtIn
from ledger.replay import HandReplay
from ledger.table.in_force import NOTHING_IN_FORCE, InForce
from ledger.vocabulary import Witness
from projections.audit.clause_plan import HandProfile, find_table_shortcuts
from projections.books.rulebook import Rulebook
from projections.findings.detector import Symptom
from projections.findings.doubts import ALL_READ, UnreadLines
from projections.findings.finding import MAX_EVENTS, MAX_JUDGED_PLAYERS, TOO_MANY_EVENTS, TOO_MANY_PLAYERS
from projections.table_walk.table_context import ContextsByBook, pick_table_books
from projections.timeline.plain_hand import HARMLESS_OPTIONS
from projections.timeline.prefilter import ALL_SIGNS, find_signs

_SEAT_LEFT_OUT: Final[frozenset[type[Event]]] = frozenset({opening.SeatLeftOut})
_NEEDS_TABLE_CLAUSES: Final = int(
    Symptom.TURN | Symptom.ODD_POSTS | Symptom.ENTRY_POSTS | Symptom.BLIND_SEATS | Symptom.STRANGER
)
"""Signs of a hand that every clause about tables must look at."""
_PLAYER_AWAY: Final = int(Symptom.PLAYER_AWAY)
_ACTS: Final = int(Witness.ACTS)
_ACTS_OR_WRITTEN_BUTTON: Final = int(Witness.ACTS | Witness.WRITTEN_BUTTON)
_ACTS_AND_POSTS: Final = int(Witness.ACTS | Witness.POSTS)
_BURNED: Final = int(Symptom.BURNED)
_BURNS: Final = int(Witness.BURNS)
COMMON_EVENTS: Final[frozenset[type[Event]]] = frozenset(
    (
        opening.HandOpened,
        opening.GameSet,
        opening.TournamentSet,
        opening.OptionSet,
        opening.SeatDealtIn,
        opening.ButtonPlaced,
        opening.BlindPositionPlaced,
        opening.BlindPosted,
        opening.AntePosted,
        dealing.HoleCardsDealt,
        dealing.HoleCardsLearned,
        dealing.DealCompleted,
        dealing.CardBurned,
        dealing.BoardDealt,
        betting.Folded,
        betting.Checked,
        betting.Called,
        betting.Bet,
        betting.Raised,
        betting.BetReturned,
        ending.ShowdownBegun,
        ending.CardsShown,
        ending.CardsMucked,
        ending.PotAwarded,
        ending.DropTaken,
        ending.ResultDeclared,
        ending.HandCompleted,
        ending.RemarkNoted,
        betting.ClockCalled,
        betting.ClockExpired,
        betting.TimeBankUsed,
        betting.TimeWarned,
        betting.RunsOffered,
        betting.RunsAnswered,
        betting.RunsAgreed,
        betting.CashOutTaken,
        betting.InsuranceBought,
        betting.InsurancePaid,
        presence.SeatTaken,
        presence.SeatLeft,
        presence.PlayerAway,
        presence.PlayerBack,
        presence.ConnectionLost,
        presence.ConnectionRestored,
        presence.ChipsAdded,
        presence.ChipsRemoved,
        presence.StackCounted,
        presence.WordsSaid,
    )
)
"""The event types of ordinary hands. Clauses about tables must look at a hand with any other type.

Events within a hand about seats and chips count only from the next hand on, so they are ordinary too.
"""


class HandProfiler:
    """Builds the profiles of hands that are judged under these books."""

    def __init__(self, books: Sequence[Rulebook], *, screened: bool = True) -> None:
        """Take the books. With `screened=False`, every hand shows every sign."""
        self.table_books = [book.name for book in pick_table_books(books)]
        self._screened = screened
        specs = [clause.spec for book in books for clause in book.clauses.values()]
        self._awaited = {spec.events for spec in specs if spec is not None and spec.events}  # sets of event types
        self._triggers: dict[frozenset[type[Event]], frozenset[frozenset[type[Event]]]] = {}
        self._common: dict[frozenset[type[Event]], bool] = {}

    def build_profile(self, hand: HandReplay, contexts: ContextsByBook | None) -> tuple[HandProfile, tuple[int, ...]]:
        """Return a hand's profile, and its shortcuts under each of `table_books`: none without table context."""
        events = hand.recorded_events
        event_types: frozenset[type[Event]] = frozenset(map(type, events))
        if CorrectionMade in event_types:
            events, event_types = hand.events, frozenset(map(type, hand.events))
        witnesses = _read_witnesses(hand, events[0])
        variant, betting_structure, game_format = _read_game(events)
        symptom_bits = find_signs(events, event_types) if self._screened else -1
        if contexts is not None:
            event_types, symptom_bits = _add_table_signs(contexts, event_types, symptom_bits)
        can_skip_table_clauses = not symptom_bits & _NEEDS_TABLE_CLAUSES
        is_ordinary = can_skip_table_clauses and self._is_common(event_types)
        shortcuts: tuple[int, ...] = ()
        if contexts is not None and self.table_books:
            can_skip_table_clauses = is_ordinary or (
                can_skip_table_clauses and self._is_common(event_types - _SEAT_LEFT_OUT)
            )
            shortcuts = tuple(
                [find_table_shortcuts(contexts[name], can_skip_table_clauses, is_ordinary) for name in self.table_books]
            )
            is_ordinary = is_ordinary and not contexts.has_news
        has_posts = witnesses & _ACTS_AND_POSTS == _ACTS_AND_POSTS  # otherwise a missing blind may be unrecorded
        symptom_bits |= _BURNED if dealing.CardBurned in event_types or witnesses & _BURNS else 0
        profile = HandProfile(
            variant,
            betting_structure,
            game_format,
            witnesses,
            self._find_triggers(event_types),
            symptom_bits,
            has_earlier_hands=contexts is not None,
            is_ordinary=is_ordinary,
            unread_lines=_find_unread_lines(contexts, event_types),
            nobody_dealt=SeatDealtIn not in event_types,
            blind_round=read_blind_round(events, event_types) if has_posts else "held",
            too_large_reason=_explain_large_hand(hand, events),
        )
        return profile, shortcuts

    def _find_triggers(self, event_types: frozenset[type[Event]]) -> frozenset[frozenset[type[Event]]]:
        """Return the sets of event types that detectors wait for and the hand has any of."""
        triggers = self._triggers.get(event_types)
        if triggers is None:
            triggers = frozenset([awaited for awaited in self._awaited if event_types & awaited])
            self._triggers[event_types] = triggers
        return triggers

    def _is_common(self, event_types: frozenset[type[Event]]) -> bool:
        is_common = self._common.get(event_types)
        if is_common is None:
            is_common = self._common[event_types] = event_types <= COMMON_EVENTS
        return is_common


def _add_table_signs(
    contexts: ContextsByBook, event_types: frozenset[type[Event]], symptom_bits: int
) -> tuple[frozenset[type[Event]], int]:
    """Return a hand's event types and signs with those that its table adds: what's in force there, players away."""
    in_force = contexts.in_force
    if in_force is not NOTHING_IN_FORCE:
        event_types = event_types | _list_types_in_force(in_force)
        if not in_force.options.keys() <= HARMLESS_OPTIONS:
            symptom_bits = ALL_SIGNS
    if contexts.has_player_away:
        symptom_bits |= _PLAYER_AWAY
    return event_types, symptom_bits


def _find_unread_lines(contexts: ContextsByBook | None, event_types: frozenset[type[Event]]) -> UnreadLines:
    """Return where lines weren't read: in the hand or, with table context, near it."""
    unread_lines = ALL_READ if contexts is None else contexts.unread_lines
    if LineUnread in event_types and not unread_lines.in_hand:
        return unread_lines._replace(in_hand=True)
    return unread_lines


def _read_witnesses(hand: HandReplay, first_event: Event) -> int:
    """Return the facts that the source always records, with those that the hand itself declares complete."""
    witnesses = first_event.witnesses if type(first_event) is HandOpened else 0
    return witnesses if witnesses & _ACTS_OR_WRITTEN_BUTTON == _ACTS else hand.final_state.witnesses


def _read_game(events: Sequence[Event]) -> tuple[str, str, str]:
    """Return the variant, betting structure and format of a hand, or "" for each if its game isn't recorded."""
    for event in events:
        if type(event) is GameSet:
            return event.variant, event.betting, event.format
    return "", "", ""


def _explain_large_hand(hand: HandReplay, events: Sequence[Event]) -> str:
    """Return why a hand is too large for rulebooks to judge, or "" if it isn't."""
    return TOO_MANY_EVENTS if len(events) > MAX_EVENTS else _explain_crowded_hand(hand)


def _explain_crowded_hand(hand: HandReplay) -> str:
    """Return why a hand has too many players to be judged, or "" if it hasn't."""
    # The cheap test first: a hand has at least one event for each player dealt in.
    if len(hand.recorded_events) <= MAX_JUDGED_PLAYERS:
        return ""
    return TOO_MANY_PLAYERS if len(hand.final_state.dealt) > MAX_JUDGED_PLAYERS else ""


def _list_types_in_force(in_force: InForce) -> set[type[Event]]:
    """Return the types of earlier table events that apply to a hand as if the hand had recorded them."""
    table_events: list[tuple[type[Event], object]] = [
        (OptionSet, in_force.options),
        (PermissionGranted, in_force.permissions),
        (Agreed, in_force.agreements),
    ]
    return {event_type for event_type, events in table_events if events}
