"""Who may have the button on a hand: the book may bar players who are new, owe a blind or made one up."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from ledger.table.state import TableState
from ledger.vocabulary import PlayerId, Seat
from projections.obligations.dealt_in import HandRoster
from projections.obligations.dues import Ground, SeatDue
from projections.obligations.game import ButtonBarKind
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.policy import Policy, Ruling
from projections.obligations.position_inputs import ButtonRight
from projections.obligations.ring import find_seat_after
from projections.obligations.rule_table import ANY_FACT, Rule, RuleTable
from projections.obligations.tab import Tab
from projections.sentences import positions as position_sentences

OtherBar: TypeAlias = Literal["no", "as a new player", "for a blind"]
"""Why another book may bar a player from the button, or "no" if none does."""

BUTTON_RIGHTS: Final[RuleTable[ButtonRight]] = RuleTable(
    "In a cash game the button comes to a seat. May the player have it?",
    {
        "what the player owes is known": (True, False),
        "waits for its place after a seat change": (True, False),
        "the book bars the player": (True, False),
        "another book may bar the player": ("no", "as a new player", "for a blind"),
        "comes in on this hand": (True, False),
    },
    (
        Rule(
            (False, ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT),
            "rather-no",
            "Left open. Usually not, while it isn't known what the player owes.",
            ("button.eligibility",),
        ),
        Rule(
            (ANY_FACT, True, ANY_FACT, ANY_FACT, ANY_FACT),
            "rather-no",
            "Left open. Usually not: the player was to wait, or posted for another place.",
            ("seat_change.away",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, True, ANY_FACT, ANY_FACT),
            "no",
            "No. The button goes on to the next player.",
            ("button.eligibility",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, "as a new player", ANY_FACT),
            "rather-no",
            "Left open. Usually a new player takes the big blind first.",
            ("button.eligibility",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, "for a blind", True),
            "rather-no",
            "Left open. Usually not on the hand on which the player comes back.",
            ("button.eligibility",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, "for a blind", False),
            "rather-yes",
            "Left open. Usually yes: the player is in the game.",
            ("button.eligibility",),
        ),
        Rule((ANY_FACT, ANY_FACT, ANY_FACT, "no", ANY_FACT), "yes", "Yes.", ("button.eligibility",)),
    ),
)


class ButtonRights:
    """Who may have the button on one hand under a book."""

    def __init__(
        self,
        policy: Policy,
        player_tabs: PlayerTabs,
        roster: HandRoster,
        zone_entrants: Mapping[PlayerId, ButtonBarKind],
    ) -> None:
        """Take the book's policy, the players' tabs and who is dealt in.

        `zone_entrants`: the players who came in between the button and the big blind and haven't had the big blind since.
        """
        ruling = policy.get("button.eligibility")
        self._barred_kinds: Collection[str] = () if ruling is None else ruling.value
        self._clauses = () if ruling is None else ruling.clauses
        self._waits_for_place = policy.value("seat_change.away") == "wait-as-gained"
        self._player_tabs = player_tabs
        self._roster = roster
        self._zone_entrants = zone_entrants

    def judge(self, seat: Seat) -> tuple[ButtonRight, Ground | None]:
        """Return whether a seat may have the button, and the reason if the book bars it."""
        roster = self._roster
        if not roster.enters_by_blinds:  # a tournament: only newcomers may be kept from the button
            return ("rather-no" if seat in roster.newcomers else "yes"), None
        player = roster.players[seat]
        tab = self._player_tabs.find_tab(player)
        comes_in = seat in roster.entrants
        if tab.has_no_issues and not comes_in and player not in self._zone_entrants:
            return "yes", None  # the table's last row would say so too; this is faster
        is_doubtful = comes_in and _may_have_missed(tab)
        comes_in_new = comes_in and not is_doubtful and not _has_missed(tab)
        kinds = self._list_bar_kinds(player, tab, is_new=comes_in_new or not tab.established)
        barred_kind = next((kind for kind in kinds if self._is_barred(kind)), None)
        other_bar: OtherBar = "no"
        if kinds:
            other_bar = "as a new player" if "new" in kinds else "for a blind"
        must_wait = self._waits_for_place and tab.move is not None and tab.move.hands_left > 0
        right = BUTTON_RIGHTS.decide(not is_doubtful, must_wait, barred_kind is not None, other_bar, comes_in)
        if right != "no" or barred_kind is None:
            return right, None
        return right, Ground(position_sentences.button_skips(seat, barred_kind), self._clauses)

    def _list_bar_kinds(self, player: PlayerId, tab: Tab, *, is_new: bool) -> list[ButtonBarKind]:
        """Return every reason for which a book may bar a player, in the order in which reasons are shown."""
        kinds: set[ButtonBarKind] = {self._zone_entrants[player]} if player in self._zone_entrants else set()
        if is_new:
            kinds.add("new")
        if tab.made_up_in_zone:
            kinds.add("made-up-between")
        if _has_missed(tab):
            kinds.add("missed-blind")
        if tab.short_big:
            kinds.add("short-blind")
        return sorted(kinds)

    def _is_barred(self, kind: ButtonBarKind) -> bool:
        """Whether the book bars players of this kind. Some books define a new player as one who had no big blind yet."""
        return kind in self._barred_kinds or (kind == "new" and "no-big-blind" in self._barred_kinds)


def _has_missed(tab: Tab) -> bool:
    """Whether a blind or a marker shows that the player missed blinds."""
    return bool(tab.missed) or tab.marker_version is not None


def _may_have_missed(tab: Tab) -> bool:
    """Whether the record leaves open if the player missed blinds or is new."""
    return bool(tab.missing_fact or tab.maybe_missed) and not _has_missed(tab)


def bar_from_button(
    policy: Policy, seats: tuple[SeatDue, ...], zone_entrants: Mapping[PlayerId, ButtonBarKind]
) -> tuple[SeatDue, ...]:
    """Return the dues, where players who came in between the button and the big blind are barred from the button."""
    ruling = policy.get("button.eligibility") if zone_entrants else None
    if ruling is None:
        return seats
    return tuple(_add_bar(seat_due, zone_entrants.get(seat_due.player), ruling) for seat_due in seats)


def _add_bar(seat_due: SeatDue, kind: ButtonBarKind | None, ruling: Ruling) -> SeatDue:
    """Return a seat's dues, barred from the button if the book bars players of this kind. None: it isn't barred."""
    if kind is None:
        return seat_due
    kinds = {kind, "no-big-blind"} if kind == "new" else {kind}
    barred_kinds = tuple(name for name in ruling.value if name in kinds)
    if not barred_kinds:
        return seat_due
    reason = Ground(position_sentences.no_button_before_blind(seat_due.seat, kind), ruling.clauses)
    return msgspec.structs.replace(
        seat_due,
        button=False,
        barred=tuple(dict.fromkeys((*seat_due.barred, *barred_kinds))),
        grounds=(*seat_due.grounds, reason),
    )


def find_absent_button_seat(
    policy: Policy, player_tabs: PlayerTabs, state: TableState, button: Seat, roster: HandRoster
) -> frozenset[Seat]:
    """Return the seat whose absent player gets the button and is dealt in for it, as a set of one seat or none."""
    if policy.value("button.absent_due") != "dealt-in-if-in-room" or not roster.enters_by_blinds:
        return frozenset()
    away_seats = [
        seat
        for seat, seat_state in state.seats.items()
        if seat_state.presence == "away"
        and seat_state.in_room
        and not seat_state.has_asked_out
        and not seat_state.is_busted
        and seat_state.stack != 0
        and player_tabs.find_tab(seat_state.player).has_no_issues
    ]
    rights = ButtonRights(policy, player_tabs, roster, {})
    eligible_seats = [seat for seat in roster.settled_seats if rights.judge(seat)[0] != "no"]
    button_seat = find_seat_after(button, [*eligible_seats, *away_seats])
    return frozenset(away_seats) & {button_seat}
