"""What each seat must, may and may not do on a hand: the other half of what is due, beside positions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from ledger.table.events import HandPlayed
from ledger.table.listing import late_in
from ledger.table.state import SeatState, TableState
from ledger.vocabulary import PlayerId, Seat
from projections.obligations.debt_inputs import DebtInputs, spots_of
from projections.obligations.dues import DuePost, Ground, Placement, SeatDue, SeatStanding, WayIn
from projections.obligations.entry_terms import Terms, may_be_first_hand
from projections.obligations.gaps import gap, has_gap
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.policy import Policy
from projections.obligations.return_terms import list_owed_blinds
from projections.obligations.ring import is_between
from projections.obligations.seat_standing import assess_standing
from projections.obligations.stakes import BLINDLESS, ROLES, stakes_of
from projections.obligations.tab import Tab
from projections.obligations.tournament_entry import waits_behind_button
from projections.sentences import debts as reasons_for
from projections.sentences import unknowns
from projections.sentences.positions import ButtonBar, no_button

AbsenceReason: TypeAlias = Literal["sitting out", "away", "reserved", "asked to be dealt out"]
_ABSENCE_REASONS: Final[dict[str, AbsenceReason]] = {
    "sitting-out": "sitting out",
    "away": "away",
    "reserved": "reserved",
    "asked-to-be-dealt-out": "asked to be dealt out",
}


def list_seat_dues(
    policy: Policy,
    memory: PlayerTabs,
    state: TableState,
    placements: tuple[Placement, ...],
    dealt: tuple[Seat, ...],
    hand: HandPlayed | None,
) -> tuple[SeatDue, ...]:
    """Return what every occupied seat owes on `hand`, or (None) on the coming one; ascending.

    `dealt` are the seats that are, or are taken to be, dealt in; without placements the positions
    of the record are used.
    """
    overtaken: dict[PlayerId, Tab] = {}
    if hand is not None and hand.late and late_in(state, hand):
        overtaken = memory.find_late_tabs(hand, state, placements)
    missing_hands = gap(state, hand) if hand is not None and has_gap(state, hand) and memory.spot is not None else ""
    tabs = memory.tabs_across_gap(missing_hands) if missing_hands else memory.tabs
    is_steady = hand is not None and not missing_hands and not overtaken and _is_steady(memory, hand)
    if is_steady and memory.cached is not None:
        return memory.cached
    inputs = DebtInputs(
        policy, memory, state, stakes_of(state, hand), spots_of(placements, hand), frozenset(dealt), hand
    )
    is_first_hand = hand is not None and memory.is_first_hand(hand)
    seat_dues = []
    for seat, player, seat_state in _iter_occupied_seats(state, hand):
        tab = overtaken.get(player) or tabs.get(player)
        if tab is None:
            tab = (
                memory.find_newcomer_tab(hand, seat)
                if hand is not None and not missing_hands
                else Tab(seat, missing_fact=missing_hands)
            )
        seat_dues.append(_build_seat_due(inputs, seat, player, seat_state, tab, is_first_hand))
    all_due = tuple(seat_dues)
    if is_steady:
        memory.cached = all_due
    return all_due


def _is_steady(memory: PlayerTabs, hand: HandPlayed) -> bool:
    """Whether everybody who sits is dealt in, and nobody owes, waits or is new; in a game of blinds."""
    if not memory.all_quiet or hand.left_out or len(hand.dealt_in) != len(memory.seated):
        return False
    if hand.variant in BLINDLESS:
        return False
    seated = memory.seated
    for dealt_player in hand.dealt_in:  # noqa: SIM110 - asked of every hand: a generator costs more
        if seated.get(dealt_player.seat) != dealt_player.player:
            return False
    return True


def _iter_occupied_seats(
    state: TableState, hand: HandPlayed | None
) -> Iterator[tuple[Seat, PlayerId, SeatState | None]]:
    """Yield seats with their players: as the hand lists them, then whoever the table knows besides."""
    players = {seat: seat_state.player for seat, seat_state in state.seats.items()}
    if hand is not None:
        listed_players = {listing.seat: listing.player for listing in hand.dealt_in}
        listed_players.update((listing.seat, listing.player) for listing in hand.left_out)
        named_players = set(listed_players.values())
        players = {seat: player for seat, player in players.items() if player not in named_players} | listed_players
    for seat in sorted(players):
        seat_state = state.seats.get(seat)
        yield seat, players[seat], seat_state if seat_state is not None and seat_state.player == players[seat] else None


def _build_seat_due(
    inputs: DebtInputs, seat: Seat, player: PlayerId, seat_state: SeatState | None, tab: Tab, is_first_hand: bool
) -> SeatDue:
    absence = _find_absence(inputs, seat, seat_state)
    game_format = inputs.stakes.format
    if game_format == "tournament" or inputs.stakes.variant in BLINDLESS:
        return _build_debtless_due(inputs, seat, player, absence)
    if absence is None and tab.is_quiet and game_format == "cash" and not is_first_hand:
        if tab.due is None or tab.due.seat != seat or tab.due.player != player:
            tab.due = _build_settled_due(inputs, seat, player, tab)
        return tab.due
    missed_blinds = list_owed_blinds(inputs, tab)
    if tab.former_tab is not None and tab.missing_fact and not is_first_hand and absence is None:
        return _build_ambiguous_due(inputs, seat, player, tab, tab.former_tab)
    may_have_button, button_reasons, bar_kinds = (True, (), ()) if is_first_hand else _assess_button_right(inputs, tab)
    if absence is not None:
        call_terms = _find_call_terms(inputs, seat, seat_state, tab)
        if call_terms is None:
            is_away = absence.status == "away"
            terms = assess_standing(inputs, seat, tab, is_first_hand)[1] if is_away else Terms("no")
            deal = "no" if terms.deal == "yes" else terms.deal  # what it would take, on coming back
            call_terms = terms._replace(deal=deal, reasons=(absence.reason, *terms.reasons))
        return SeatDue(
            seat,
            player,
            absence.status,
            call_terms.deal,
            call_terms.post,
            missed_blinds,
            call_terms.ways_in,
            may_have_button,
            (*call_terms.reasons, *button_reasons),
            bar_kinds,
            call_terms.possible_posts,
        )
    status, terms = assess_standing(inputs, seat, tab, is_first_hand)
    if game_format == "unknown" and terms.deal in ("no", "if-posts"):
        missing_fact = Ground(unknowns.format_of_game(), (), "record")
        terms = terms._replace(deal="open", reasons=(missing_fact, *terms.reasons))
    return SeatDue(
        seat,
        player,
        status,
        terms.deal,
        terms.post,
        missed_blinds,
        terms.ways_in,
        may_have_button,
        (*terms.reasons, *button_reasons),
        bar_kinds,
        terms.possible_posts,
    )


def _build_ambiguous_due(inputs: DebtInputs, seat: Seat, player: PlayerId, tab: Tab, former_tab: Tab) -> SeatDue:
    """Return what is due from a player who owed blinds, gave up the chair and took one again.

    No book says whether the debt goes along. Where both readings ask for a post, or for none, that much is sure.
    """
    missing_fact = Ground(tab.missing_fact, (), "record")
    if inputs.has_big_blind(seat):
        return SeatDue(seat, player, "unknown", "yes", why=(missing_fact,))
    debtor_tab = replace(former_tab, seat=seat, move=None, maybe_missed=frozenset(ROLES), due=None)
    terms_owing = assess_standing(inputs, seat, debtor_tab, is_first_hand=False)[1]
    terms_as_new = assess_standing(
        inputs, seat, replace(tab, missing_fact="", former_tab=None, due=None), is_first_hand=False
    )[1]
    deal_kinds = {terms_owing.deal, terms_as_new.deal}
    reasons = tuple(dict.fromkeys((missing_fact, *terms_owing.reasons, *terms_as_new.reasons)))
    if not deal_kinds <= {"if-posts", "no"}:
        return SeatDue(seat, player, "unknown", "yes" if deal_kinds == {"yes"} else "open", why=reasons)
    posts_by_sum = {
        (possible_post.live, possible_post.dead): possible_post
        for possible_post in (*_list_entry_posts(seat, terms_owing), *_list_entry_posts(seat, terms_as_new))
    }
    alternatives = tuple(posts_by_sum.values()) if len(posts_by_sum) > 1 else ()
    post = (
        DuePost(seat, "makeup", None, None, (missing_fact,))
        if alternatives
        else next(iter(posts_by_sum.values()), None)
    )
    return SeatDue(
        seat,
        player,
        "unknown",
        "if-posts" if "if-posts" in deal_kinds else "no",
        () if post is None or deal_kinds == {"no"} else (post,),
        list_owed_blinds(inputs, former_tab),
        tuple(dict.fromkeys((*terms_owing.ways_in, *terms_as_new.ways_in))),
        why=reasons,
        possible_posts=alternatives,
    )


def _list_entry_posts(seat: Seat, terms: Terms) -> tuple[DuePost, ...]:
    """Return the posts that would let a seat in: now, or once the button has passed."""
    later_posts = [
        DuePost(seat, "makeup", option.live, option.dead, option.why)
        for option in terms.ways_in
        if option.kind == "button-passes"
    ]
    return terms.possible_posts or terms.post or tuple(later_posts)


def _build_debtless_due(inputs: DebtInputs, seat: Seat, player: PlayerId, absence: Undealt | None) -> SeatDue:
    """Return what is due where nobody owes for absence: in tournaments, and without blinds."""
    status: SeatStanding = "playing" if absence is None else absence.status
    if inputs.stakes.format == "tournament":
        behind_button = waits_behind_button(inputs.policy, inputs.state, seat, player) if absence is None else None
        if behind_button is not None and not (inputs.hand is not None and gap(inputs.state, inputs.hand)):
            way_in = WayIn("button-passes", now=False, why=(behind_button,))
            return SeatDue(seat, player, "new", "no", ways_in=(way_in,), why=(behind_button,))
        gets_no_cards = absence is not None and (absence.status == "broke" or not absence.is_listed)
        reason = Ground(reasons_for.tournament_absence(), (), "fallback")
    else:
        gets_no_cards = absence is not None
        reason = Ground(reasons_for.no_blinds(), (), "fallback")
    reasons = (reason,) if absence is None else (absence.reason, reason)
    return SeatDue(seat, player, status, "no" if gets_no_cards else "yes", why=reasons)


def _build_settled_due(inputs: DebtInputs, seat: Seat, player: PlayerId, tab: Tab) -> SeatDue:
    """Return what is due from a player in the game who owes nothing and may have the button."""
    may_have_button = None if inputs.policy.get("button.eligibility") is None else True
    reasons = (tab.settlement,) if tab.settlement is not None else ()
    return SeatDue(seat, player, "playing", "yes", button=may_have_button, why=reasons)


class Undealt(NamedTuple):
    """Why a player gets no cards whatever is owed."""

    status: Literal["away", "broke"]
    reason: Ground
    is_listed: bool = True  # False: the hand does not name the seat


def _find_absence(inputs: DebtInputs, seat: Seat, seat_state: SeatState | None) -> Undealt | None:
    """Say why a player gets no cards whatever is owed: away, asked out, or without chips."""
    hand = inputs.hand
    if hand is not None:
        if seat in inputs.dealt:
            return None
        reason = next(
            (left_out_player.reason for left_out_player in hand.left_out if left_out_player.seat == seat), None
        )
        if reason == "no-chips":
            return Undealt("broke", Ground(reasons_for.no_chips(seat), (), "record", hand.number))
        if reason in _ABSENCE_REASONS:
            sentence = reasons_for.absent(seat, hand.number, _ABSENCE_REASONS[reason])
            return Undealt("away", Ground(sentence, (), "record", hand.number))
        if reason is None:
            sentence = reasons_for.unlisted(seat, hand.number)
            return Undealt("away", Ground(sentence, (), "record", hand.number), is_listed=False)
    if seat_state is None:
        return None
    if seat_state.busted or seat_state.stack == 0:
        return Undealt("broke", Ground(reasons_for.no_chips(seat), (), "record", inputs.state.number))
    if seat_state.presence != "present" or seat_state.asked_out:
        sentence = reasons_for.not_present(seat, "asked out" if seat_state.asked_out else "away")
        if seat_state.presence == "unknown":
            sentence = reasons_for.not_present(seat, "unlisted")
        return Undealt("away", Ground(sentence, (), "record", seat_state.away_since))
    if seat_state.deferred in ("button-passed", "unknown"):
        sentence = reasons_for.not_present(seat, "waiting for the button")
        return Undealt("away", Ground(sentence, (), "record", inputs.state.number))
    return None


def _find_call_terms(inputs: DebtInputs, seat: Seat, seat_state: SeatState | None, tab: Tab) -> Terms | None:
    """Return the terms of an absent player who is due the button and dealt in all the same."""
    rule = inputs.policy.value("button.absent_due")
    if rule != "dealt-in-if-in-room" or seat_state is None or seat_state.presence != "away" or not tab.is_quiet:
        return None
    if seat_state.asked_out or seat_state.in_room is False or not inputs.spots or inputs.memory.spot is None:
        return None
    last_button, button = inputs.memory.spot.button, inputs.spots[0].button
    if last_button is None or button is None or not _is_due_button(inputs, seat, last_button, button):
        return None
    reason = inputs.book_reason("button.absent_due", reasons_for.due_the_button(seat))
    if seat_state.in_room is None:
        missing_fact = unknowns.in_room(seat)
        return Terms("open", reasons=(Ground(missing_fact, reason.clauses, "record"), reason))
    return Terms("yes", reasons=(reason,))


def _is_due_button(inputs: DebtInputs, seat: Seat, last_button: Seat, button: Seat) -> bool:
    """Whether a seat is the first of those in the game after the last button."""
    if seat == button:
        return True
    return (
        last_button not in (seat, button)
        and is_between(last_button, seat, button)
        and not any(
            other_seat not in (last_button, seat) and is_between(last_button, other_seat, seat)
            for other_seat in inputs.dealt
        )
    )


def _assess_button_right(inputs: DebtInputs, tab: Tab) -> tuple[bool | None, tuple[Ground, ...], tuple[str, ...]]:
    """Say whether a player may have the button, why not, and of which kinds; None = no book says."""
    ruling = inputs.policy.get("button.eligibility")
    if ruling is None or tab.missing_fact or (tab.maybe_missed and not tab.missed and tab.marked is None):
        return None, (), ()
    is_new = not tab.established
    if is_new and may_be_first_hand(inputs):
        return None, (), ()
    obstacles: dict[ButtonBar, bool] = {
        "made-up-between": tab.made_up_in_zone,
        "short-blind": tab.short_big,
        "missed-blind": bool(tab.missed) or tab.marked is not None,
        "new": is_new,
        "no-big-blind": is_new,
    }
    kinds = [kind for kind, applies in obstacles.items() if applies and kind in ruling.value]
    if not kinds:
        return True, (), ()
    return False, (inputs.book_reason("button.eligibility", no_button(tab.seat, kinds[0])),), tuple(kinds)
