"""Build a hand's profile from its events, its source and its table context, at little cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger import presence as p
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
from projections.audit.clause_plan import HandProfile, table_shortcuts
from projections.books.rulebook import Rulebook
from projections.findings.detector import Symptom
from projections.findings.doubts import ALL_READ, explain_crowded_hand
from projections.findings.finding import MOST_EVENTS, TOO_MANY_EVENTS
from projections.table_walk.table_context import ContextsByBook, pick_table_books
from projections.timeline.plain_hand import HARMLESS_OPTIONS
from projections.timeline.prefilter import ALL_SIGNS, find_symptoms

_SEAT_LEFT_OUT: Final[frozenset[type[Event]]] = frozenset({o.SeatLeftOut})
_NEEDS_TABLE_CLAUSES: Final = int(
    Symptom.TURN | Symptom.ODD_POSTS | Symptom.ENTRY_POSTS | Symptom.BLIND_SEATS | Symptom.STRANGER
)
"""Signs that make every clause about tables look at a hand."""
_PLAYER_AWAY: Final = int(Symptom.PLAYER_AWAY)
_ACTS: Final = int(Witness.ACTS)
_STATED: Final = int(Witness.ACTS | Witness.WRITTEN_BUTTON)
_BURNED: Final = int(Symptom.BURNED)
_BURNS: Final = int(Witness.BURNS)
COMMON_EVENTS: Final[frozenset[type[Event]]] = frozenset(
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
"""The event types of most hands. With any other, clauses about tables look closer.

Events about seats and chips within a hand count from the next hand on.
"""


class HandProfiler:
    """Builds the profiles of hands that are judged under these books."""

    def __init__(self, books: Sequence[Rulebook], *, screened: bool = True) -> None:
        """Take the books. With `screened=False`, every hand shows every sign."""
        self.table_books = [book.name for book in pick_table_books(books)]
        self._screened = screened
        specs = [clause.spec for book in books for clause in book.clauses.values()]
        self._awaited = {spec.events for spec in specs if spec is not None and spec.events}
        self._triggers: dict[frozenset[type[Event]], frozenset[frozenset[type[Event]]]] = {}
        self._common: dict[frozenset[type[Event]], bool] = {}

    def profile(self, hand: PlayedHand, contexts: ContextsByBook | None) -> tuple[HandProfile, tuple[int, ...]]:
        """Return a hand's profile, and for each book with clauses about tables its `table_shortcuts`."""
        events = hand.recorded_events
        kinds: frozenset[type[Event]] = frozenset(map(type, events))
        if CorrectionMade in kinds:
            events, kinds = hand.events, frozenset(map(type, hand.events))
        opening = events[0]
        witnesses = opening.witnesses if type(opening) is HandOpened else 0
        if witnesses & _STATED != _ACTS:
            witnesses = hand.final.witnesses  # includes the facts that the hand states in full
        variant, betting, form = _read_game(events)
        symptom_bits = find_symptoms(events, kinds) if self._screened else -1
        if contexts is not None:
            in_force = contexts.in_force
            if in_force is not NOTHING_IN_FORCE:
                kinds = kinds | _kinds_in_force(in_force)
                if not in_force.options.keys() <= HARMLESS_OPTIONS:
                    symptom_bits = ALL_SIGNS
            if contexts.has_player_away:
                symptom_bits |= _PLAYER_AWAY
        triggers = self._triggers.get(kinds)
        if triggers is None:
            triggers = self._triggers[kinds] = frozenset([awaited for awaited in self._awaited if kinds & awaited])
        can_skip_table_clauses = not symptom_bits & _NEEDS_TABLE_CLAUSES
        is_ordinary = can_skip_table_clauses and self._is_common(kinds)
        shortcuts: tuple[int, ...] = ()
        if contexts is not None and self.table_books:
            can_skip_table_clauses = is_ordinary or (can_skip_table_clauses and self._is_common(kinds - _SEAT_LEFT_OUT))
            shortcuts = tuple(
                [table_shortcuts(contexts[name], can_skip_table_clauses, is_ordinary) for name in self.table_books]
            )
            is_ordinary = is_ordinary and not contexts.has_news
        unread_lines = ALL_READ if contexts is None else contexts.unread_lines
        if LineUnread in kinds and not unread_lines.in_hand:
            unread_lines = unread_lines._replace(in_hand=True)
        symptom_bits |= _BURNED if d.CardBurned in kinds or witnesses & _BURNS else 0
        nobody_dealt = SeatDealtIn not in kinds
        not_judged = _reason_not_judged(hand, events)
        profile = HandProfile(
            variant,
            betting,
            form,
            witnesses,
            triggers,
            symptom_bits,
            contexts is not None,
            is_ordinary,
            unread_lines,
            nobody_dealt,
            not_judged,
        )
        return profile, shortcuts

    def _is_common(self, kinds: frozenset[type[Event]]) -> bool:
        common = self._common.get(kinds)
        if common is None:
            common = self._common[kinds] = kinds <= COMMON_EVENTS
        return common


def _read_game(events: Sequence[Event]) -> tuple[str, str, str]:
    """Return variant, betting structure and format of a hand; "" if its game isn't recorded."""
    for event in events:
        if type(event) is GameSet:
            return event.variant, event.betting, event.format
    return "", "", ""


def _reason_not_judged(hand: PlayedHand, events: Sequence[Event]) -> str:
    """Return why no rulebook judges a hand; "" if they do."""
    return TOO_MANY_EVENTS if len(events) > MOST_EVENTS else explain_crowded_hand(hand)


def _kinds_in_force(in_force: InForce) -> set[type[Event]]:
    """Return the types of earlier table events that count in a hand as if the hand had recorded them."""
    table_events: list[tuple[type[Event], object]] = [
        (OptionSet, in_force.options),
        (PermissionGranted, in_force.permissions),
        (Agreed, in_force.agreements),
    ]
    return {kind for kind, events in table_events if events}
