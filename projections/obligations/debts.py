"""What each seat owes on a hand whose button and blinds are placed: whether it is dealt in, and what it must post."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ledger.table.events import HandPlayed
from ledger.table.state import SeatState, TableState
from ledger.table.unlisted_seats import find_late_seats
from ledger.vocabulary import PlayerId, Seat
from projections.obligations.debt_inputs import DebtInputs, list_spots
from projections.obligations.dues import DuePost, Ground, Placement, SeatDue, SeatStatus, WayIn
from projections.obligations.entry_terms import Terms, may_be_first_hand
from projections.obligations.gaps import describe_gap, has_gap
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.policy import Policy
from projections.obligations.return_terms import list_owed_blinds
from projections.obligations.seat_standing import assess_standing
from projections.obligations.stakes import BLINDLESS, ROLES, read_stakes
from projections.obligations.tab import Tab
from projections.obligations.tournament_entry import waits_behind_button
from projections.obligations.undealt import Undealt, find_absent_button_terms, find_undealt_reason
from projections.sentences import debts as debt_sentences
from projections.sentences import unknowns
from projections.sentences.positions import ButtonBar, no_button


def list_seat_dues(
    policy: Policy,
    player_tabs: PlayerTabs,
    state: TableState,
    placements: tuple[Placement, ...],
    dealt: tuple[Seat, ...],
    hand: HandPlayed | None,
) -> tuple[SeatDue, ...]:
    """Return the dues of every occupied seat on `hand`, or on the coming hand if it's None, in ascending order.

    `dealt`: the seats that are, or are assumed to be, dealt in. Without placements, the recorded positions count.
    """
    missing_hands = _describe_missing_hands(player_tabs, state, hand)
    late_tabs: dict[PlayerId, Tab] = {}
    if hand is not None and hand.late and find_late_seats(state, hand):
        late_tabs = player_tabs.find_late_tabs(hand, state, placements)
    is_steady = hand is not None and not missing_hands and not late_tabs and _is_steady(player_tabs, hand)
    if is_steady and player_tabs.cached is not None:
        return player_tabs.cached
    tabs = player_tabs.build_tabs_across_gap(missing_hands) if missing_hands else player_tabs.tabs
    inputs = DebtInputs(
        policy, player_tabs, state, read_stakes(state, hand), list_spots(placements, hand), frozenset(dealt), hand
    )
    is_first_hand = _is_first_hand(player_tabs, state, dealt, hand)
    seat_dues = []
    for seat, player, seat_state in _iter_occupied_seats(state, hand):
        tab = late_tabs.get(player) or tabs.get(player)
        if tab is None:
            tab = _open_tab(player_tabs, hand, seat, missing_hands)
        seat_dues.append(_build_seat_due(inputs, seat, player, seat_state, tab, is_first_hand))
    if is_steady:
        player_tabs.cached = tuple(seat_dues)
    return tuple(seat_dues)


def _is_first_hand(
    player_tabs: PlayerTabs, state: TableState, dealt: tuple[Seat, ...], hand: HandPlayed | None
) -> bool:
    """Whether the record shows that the game begins with `hand`, or with the coming hand if it's None."""
    if hand is not None:
        return player_tabs.is_first_hand(hand)
    return player_tabs.game.is_recorded and player_tabs.is_first_hand_of(
        [state.seats[seat].player for seat in dealt if seat in state.seats]
    )


def _describe_missing_hands(player_tabs: PlayerTabs, state: TableState, hand: HandPlayed | None) -> str:
    """Return the missing fact if hands are missing before a hand whose players were known, or "" otherwise."""
    if hand is None or player_tabs.spot is None or not has_gap(state, hand):
        return ""
    return describe_gap(state, hand)


def _is_steady(player_tabs: PlayerTabs, hand: HandPlayed) -> bool:
    """Whether everybody at the table is dealt in, nobody owes, waits or is new, and the game has blinds."""
    if not player_tabs.has_no_issues or hand.left_out or len(hand.dealt_in) != len(player_tabs.seated):
        return False
    if hand.variant in BLINDLESS:
        return False
    seated = player_tabs.seated
    for dealt_player in hand.dealt_in:  # noqa: SIM110 - asked of every hand: a generator costs more
        if seated.get(dealt_player.seat) != dealt_player.player:
            return False
    return True


def _open_tab(player_tabs: PlayerTabs, hand: HandPlayed | None, seat: Seat, missing_hands: str) -> Tab:
    """Return a tab for a player who has none yet. `missing_hands`: the missing fact, or ""."""
    if hand is None or missing_hands:
        return Tab(seat, missing_fact=missing_hands)
    return player_tabs.find_newcomer_tab(hand, seat)


def _iter_occupied_seats(
    state: TableState, hand: HandPlayed | None
) -> Iterator[tuple[Seat, PlayerId, SeatState | None]]:
    """Yield seat, player and state of each player that the hand lists, or that is known to sit at the table."""
    players = {seat: seat_state.player for seat, seat_state in state.seats.items()}
    if hand is not None:
        listed_players = {dealt_player.seat: dealt_player.player for dealt_player in hand.dealt_in}
        listed_players.update((left_out_player.seat, left_out_player.player) for left_out_player in hand.left_out)
        named_players = set(listed_players.values())
        players = {seat: player for seat, player in players.items() if player not in named_players} | listed_players
    for seat in sorted(players):
        seat_state = state.seats.get(seat)
        yield seat, players[seat], seat_state if seat_state is not None and seat_state.player == players[seat] else None


def _build_seat_due(
    inputs: DebtInputs, seat: Seat, player: PlayerId, seat_state: SeatState | None, tab: Tab, is_first_hand: bool
) -> SeatDue:
    """Return the dues of one seat."""
    absence = find_undealt_reason(inputs, seat, seat_state)
    game_format = inputs.stakes.format
    if game_format == "tournament" or inputs.stakes.variant in BLINDLESS:
        return _build_debtless_due(inputs, seat, player, absence)
    if absence is None and tab.has_no_issues and game_format == "cash" and not is_first_hand:
        if tab.due is None or tab.due.seat != seat or tab.due.player != player:
            tab.due = _build_settled_due(inputs, seat, player, tab)
        return tab.due
    status: SeatStatus
    if absence is not None:
        status = absence.status
        terms = _find_absent_terms(inputs, seat, seat_state, tab, absence, is_first_hand)
    elif tab.former_tab is not None and tab.missing_fact and not is_first_hand:
        return _build_ambiguous_due(inputs, seat, player, tab, tab.former_tab)
    else:
        status, terms = _find_present_terms(inputs, seat, tab, is_first_hand)
    may_have_button, button_reasons, bar_kinds = (True, (), ()) if is_first_hand else _assess_button_right(inputs, tab)
    return SeatDue(
        seat,
        player,
        status,
        terms.deal,
        post=terms.post,
        missed=list_owed_blinds(inputs, tab),
        ways_in=terms.ways_in,
        button=may_have_button,
        grounds=(*terms.reasons, *button_reasons),
        barred=bar_kinds,
        possible_posts=terms.possible_posts,
    )


def _find_present_terms(inputs: DebtInputs, seat: Seat, tab: Tab, is_first_hand: bool) -> tuple[SeatStatus, Terms]:
    """Return status and terms of a player who may get cards; terms for a debt are open if this may be a tournament."""
    status, terms = assess_standing(inputs, seat, tab, is_first_hand)
    if inputs.stakes.format == "unknown" and terms.deal in ("no", "if-posts"):
        missing_fact = Ground(unknowns.format_of_game(), (), "record")
        terms = terms._replace(deal="open", reasons=(missing_fact, *terms.reasons))
    return status, terms


def _find_absent_terms(
    inputs: DebtInputs, seat: Seat, seat_state: SeatState | None, tab: Tab, absence: Undealt, is_first_hand: bool
) -> Terms:
    """Return the terms of a player who gets no cards; of one who is away, what it takes to come back."""
    absent_button_terms = find_absent_button_terms(inputs, seat, seat_state, tab)
    if absent_button_terms is not None:
        return absent_button_terms
    is_away = absence.status == "away"
    terms = assess_standing(inputs, seat, tab, is_first_hand)[1] if is_away else Terms("no")
    return terms._replace(deal="no" if terms.deal == "yes" else terms.deal, reasons=(absence.reason, *terms.reasons))


def _build_ambiguous_due(inputs: DebtInputs, seat: Seat, player: PlayerId, tab: Tab, former_tab: Tab) -> SeatDue:
    """Return the dues of a player who owed blinds, gave up the chair and took one again.

    No book says whether the debt stays with the player. So both readings are worked out, and only what they agree on
    is certain.
    """
    missing_fact = Ground(tab.missing_fact, (), "record")
    if inputs.has_big_blind(seat):
        return SeatDue(seat, player, "unknown", "yes", grounds=(missing_fact,))
    debtor_tab = replace(former_tab, seat=seat, move=None, maybe_missed=frozenset(ROLES), due=None)
    terms_owing = assess_standing(inputs, seat, debtor_tab, is_first_hand=False)[1]
    terms_as_new = assess_standing(
        inputs, seat, replace(tab, missing_fact="", former_tab=None, due=None), is_first_hand=False
    )[1]
    deal_kinds = {terms_owing.deal, terms_as_new.deal}
    reasons = tuple(dict.fromkeys((missing_fact, *terms_owing.reasons, *terms_as_new.reasons)))
    if not deal_kinds <= {"if-posts", "no"}:
        return SeatDue(seat, player, "unknown", "yes" if deal_kinds == {"yes"} else "open", grounds=reasons)
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
        grounds=reasons,
        possible_posts=alternatives,
    )


def _list_entry_posts(seat: Seat, terms: Terms) -> tuple[DuePost, ...]:
    """Return the posts that would let a seat in, now or once the button has passed."""
    later_posts = [
        DuePost(seat, "makeup", option.live, option.dead, option.grounds)
        for option in terms.ways_in
        if option.kind == "button-passes"
    ]
    return terms.possible_posts or terms.post or tuple(later_posts)


def _build_debtless_due(inputs: DebtInputs, seat: Seat, player: PlayerId, absence: Undealt | None) -> SeatDue:
    """Return a seat's dues in a tournament or in a game without blinds, where nobody owes for being away."""
    status: SeatStatus = "playing" if absence is None else absence.status
    if inputs.stakes.format == "tournament":
        behind_button = waits_behind_button(inputs.policy, inputs.state, seat, player) if absence is None else None
        if behind_button is not None and not (inputs.hand is not None and describe_gap(inputs.state, inputs.hand)):
            way_in = WayIn("button-passes", is_on_this_hand=False, grounds=(behind_button,))
            return SeatDue(seat, player, "new", "no", ways_in=(way_in,), grounds=(behind_button,))
        gets_no_cards = absence is not None and (absence.status == "broke" or not absence.is_listed)
        reason = Ground(debt_sentences.tournament_absence(), (), "fallback")
    else:
        gets_no_cards = absence is not None
        reason = Ground(debt_sentences.no_blinds(), (), "fallback")
    reasons = (reason,) if absence is None else (absence.reason, reason)
    return SeatDue(seat, player, status, "no" if gets_no_cards else "yes", grounds=reasons)


def _build_settled_due(inputs: DebtInputs, seat: Seat, player: PlayerId, tab: Tab) -> SeatDue:
    """Return the dues of a player who is in the game, owes nothing and may have the button."""
    may_have_button = None if inputs.policy.get("button.eligibility") is None else True
    reasons = (tab.settlement,) if tab.settlement is not None else ()
    return SeatDue(seat, player, "playing", "yes", button=may_have_button, grounds=reasons)


def _assess_button_right(inputs: DebtInputs, tab: Tab) -> tuple[bool | None, tuple[Ground, ...], tuple[str, ...]]:
    """Return whether a player may have the button, or None if unknown; the reasons for it; and the bars that apply."""
    ruling = inputs.policy.get("button.eligibility")
    if ruling is None or tab.missing_fact or (tab.maybe_missed and not tab.missed and tab.marker_version is None):
        return None, (), ()
    is_new = not tab.established
    if is_new and may_be_first_hand(inputs):
        return None, (), ()
    obstacles: dict[ButtonBar, bool] = {
        "made-up-between": tab.made_up_in_zone,
        "short-blind": tab.short_big,
        "missed-blind": bool(tab.missed) or tab.marker_version is not None,
        "new": is_new,
        "no-big-blind": is_new,
    }
    kinds = [kind for kind, applies in obstacles.items() if applies and kind in ruling.value]
    if not kinds:
        return True, (), ()
    reason = inputs.build_book_reason("button.eligibility", no_button(tab.seat, kinds[0]))
    return False, (reason,), tuple(kinds)
