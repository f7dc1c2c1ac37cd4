"""Apply each event of a hand to its state, with one small function for each event type.

Nothing is judged: an illegal act is recorded like a legal one. An event that doesn't fit (an act of a seat that wasn't
dealt in) is applied as far as possible, and noted in `HandState.oddities`. The functions change the given state.
"""

# ruff: noqa: D103 - the names and the event types say what each function is for

from __future__ import annotations

from msgspec.structs import replace

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import holdings, order
from ledger.hand import opening as o
from ledger.hand.early_streets import begins_street, belongs_to_early
from ledger.hand.seat_maps import FEW_SEATS, NO_ENTRIES, NO_SEATS, LiveSeats, add_seat, remove_seat, set_entry
from ledger.hand.state import HandState, Oddity
from ledger.hand.variants import FIRST_STREET
from ledger.presence import PlayerBack
from ledger.vocabulary import Chips, Seat, Street

# Opening


def apply_hand_opened(state: HandState, event: o.HandOpened) -> None:
    state.opened = event


def apply_game_set(state: HandState, event: o.GameSet) -> None:
    state.game = event
    state.round.street = FIRST_STREET.get(event.variant, "preflop")


def apply_option_set(state: HandState, event: o.OptionSet) -> None:
    state.options = set_entry(state.options, event.option, event.value)


def apply_tournament_set(state: HandState, event: o.TournamentSet) -> None:
    state.tournament = event


def apply_seat_dealt_in(state: HandState, event: o.SeatDealtIn) -> None:
    seat, put_in = event.seat, state.chips.put_in
    if seat not in put_in:
        put_in[seat] = state.round.bets[seat] = 0  # dealt in, with nothing put in yet
        state.dealt[seat] = event
    else:
        state.oddities.append(Oddity("dealt-in-twice", event))
        same_stack = seat in state.dealt and state.dealt[seat].stack == event.stack
        state.dealt[seat] = event if same_stack else replace(event, stack=None)  # either stack may be the right one
    state.live.add(seat)


def apply_seat_left_out(state: HandState, event: o.SeatLeftOut) -> None:
    state.left_out = set_entry(state.left_out, event.seat, event)


def apply_button_placed(state: HandState, event: o.ButtonPlaced) -> None:
    state.button = event.seat
    state.has_button_record = True


def apply_blind_position_placed(state: HandState, event: o.BlindPositionPlaced) -> None:
    state.positions = set_entry(state.positions, event.role, event.seat)


def apply_blind_posted(state: HandState, event: o.BlindPosted) -> None:
    state.posts.append(event)
    seat, live = event.seat, event.live
    if event.dead:
        _put_in_dead(state, event, seat, event.dead)
    if not state.round.post(seat, live):
        state.oddities.append(Oddity("not-dealt-in", event))
    if event.all_in:
        state.stated_all_in = add_seat(state.stated_all_in, seat)


def apply_straddle_posted(state: HandState, event: o.StraddlePosted) -> None:
    state.posts.append(event)
    if event.all_in:
        state.stated_all_in = add_seat(state.stated_all_in, event.seat)
    if not event.live:
        _put_in_dead(state, event, event.seat, event.amount)
        return
    if not state.round.straddle(event.seat, event.amount):
        state.oddities.append(Oddity("not-dealt-in", event))


def apply_ante_posted(state: HandState, event: o.AntePosted) -> None:
    state.posts.append(event)
    seat, amount = event.seat, event.amount
    if event.all_in:
        state.stated_all_in = add_seat(state.stated_all_in, seat)
    if event.for_table or event.kind == "penalty":
        _put_in_dead(state, event, seat, amount)
        return
    _put_in(state, event, seat, amount)
    state.chips.add_ante(seat, amount)


def apply_bring_in_posted(state: HandState, event: o.BringInPosted) -> None:
    state.posts.append(event)
    if not state.round.post(event.seat, event.amount):
        state.oddities.append(Oddity("not-dealt-in", event))
    if event.all_in:
        state.stated_all_in = add_seat(state.stated_all_in, event.seat)


def apply_blind_skipped(state: HandState, event: o.BlindSkipped) -> None:
    state.skipped.append(event)


def apply_post_returned(state: HandState, event: o.PostReturned) -> None:
    state.table_events.append(event)
    seat, amount = event.seat, event.amount
    _put_in(state, event, seat, -amount)
    if event.role == "ante":
        state.chips.add_ante(seat, -amount)
    elif event.dead:
        state.chips.add_dead(seat, -amount)
    else:
        state.round.take_back(seat, amount)
    if seat in state.stated_all_in:
        state.stated_all_in = remove_seat(state.stated_all_in, seat)


def apply_dead_money_taken(state: HandState, event: o.DeadMoneyTaken) -> None:
    state.table_events.append(event)
    _put_in_dead(state, event, event.seat, event.amount)


def apply_pot_seeded(state: HandState, event: o.PotSeeded) -> None:
    state.chips.seed(event.amount)


def _put_in(state: HandState, event: Event, seat: Seat, amount: Chips) -> None:
    """Move chips from a seat into the pot. Chips of a seat that wasn't dealt in count, too."""
    if not state.round.move_chips(seat, amount):
        state.oddities.append(Oddity("not-dealt-in", event))


def _put_in_dead(state: HandState, event: Event, seat: Seat, amount: Chips) -> None:
    """Move dead chips into the pot, which nobody has to match."""
    _put_in(state, event, seat, amount)
    state.chips.add_dead(seat, amount)


# Dealing


def record_card_event(state: HandState, event: holdings.CardEvent) -> None:
    state.dealing.append(event)


def apply_deal_completed(state: HandState, _event: d.DealCompleted) -> None:
    state.deal_completed = True


def apply_street_dealt(state: HandState, event: d.StreetDealt) -> None:
    if event.street != state.round.street:
        _begin_next_round(state, event.street)


def apply_board_dealt(state: HandState, event: d.BoardDealt) -> None:
    state.dealing.append(event)
    if begins_street(state, event):
        _begin_next_round(state, event.street)
    elif event.run == 1 and event.street != state.round.street:
        state.early_street = event.street


def _begin_next_round(state: HandState, street: Street) -> None:
    state.rounds.append(state.round)
    state.round = state.round.begin_next_street(street)
    state.early_street = None
    state.moved_chips = NO_ENTRIES


def apply_board_withdrawn(state: HandState, event: d.BoardWithdrawn) -> None:
    """Take board cards back. If the street came too early and had no act, return to the one before.

    The street stays while one of its cards is on the board.
    """
    state.dealing.append(event)
    if event.street not in (state.round.street, state.early_street):
        return
    if state.board_count is None:
        state.board_count = holdings.BoardCount()
    if state.board_count.has_cards_of(state.dealing, event.street, event.board):
        return
    if event.street == state.early_street:
        state.early_street = None
    elif state.rounds and not state.round.actions and not state.round.bet_to_call:
        state.round = state.rounds.pop().copy(state.chips)  # copies of the state may share it


def apply_misdeal_declared(state: HandState, event: d.MisdealDeclared) -> None:
    """Take all cards back and put all seats back in. Events of their own return the chips."""
    state.dealing.append(event)
    state.misdealt = True
    state.deal_completed = False
    state.early_street = None
    state.round.forget_actions()
    if len(state.live) < len(state.dealt):
        if isinstance(state.live, LiveSeats):
            state.live.deal_again(state.dealt)
        else:
            state.live = set(state.dealt) if len(state.dealt) <= FEW_SEATS else LiveSeats(state.dealt)
    state.killed_seats = state.cleared_seats = NO_SEATS


# Betting


def _compute_early_street_total(state: HandState, event: b.Wager, kind: str) -> Chips:
    """Return a seat's total while the next street has been dealt early.

    An act that belongs to that street begins it.

    For other acts the recorded total may count from either street, so only the added chips are used.
    """
    assert state.early_street is not None  # noqa: S101 - otherwise the record's total counts
    if belongs_to_early(state, kind, event.seat):
        _begin_next_round(state, state.early_street)
        return event.to
    return state.street_bet(event.seat) + event.added


def apply_fold(state: HandState, event: b.Folded) -> None:
    seat = event.seat
    if state.early_street is not None and belongs_to_early(state, "fold", seat):
        _begin_next_round(state, state.early_street)
    state.round.actions.append(seat)
    try:
        state.live.remove(seat)
    except KeyError:
        state.oddities.append(Oddity("acts-without-hand", event))
    if event.cards:
        state.dealing.append(event)


def apply_check(state: HandState, event: b.Checked) -> None:
    if state.early_street is not None and belongs_to_early(state, "check", event.seat):
        _begin_next_round(state, state.early_street)
    state.round.actions.append(event.seat)
    if event.seat not in state.live:
        state.oddities.append(Oddity("acts-without-hand", event))


def apply_call(state: HandState, event: b.Called) -> None:
    seat = event.seat
    total = event.to if state.early_street is None else _compute_early_street_total(state, event, "call")
    if not state.round.call(seat, event.added, total):
        state.oddities.append(Oddity("not-dealt-in", event))
    if state.moved_chips:
        _use_moved_chips(state, seat, event.added)
    if seat not in state.live and seat in state.dealt:
        state.oddities.append(Oddity("acts-without-hand", event))
    if event.all_in:
        state.stated_all_in = add_seat(state.stated_all_in, seat)


def apply_bet(state: HandState, event: b.Bet) -> None:
    seat = event.seat
    total = event.to if state.early_street is None else _compute_early_street_total(state, event, "bet")
    if not state.round.bet(seat, event.added, total):
        state.oddities.append(Oddity("not-dealt-in", event))
    if state.moved_chips:
        _use_moved_chips(state, seat, event.added)
    if seat not in state.live and seat in state.dealt:
        state.oddities.append(Oddity("acts-without-hand", event))
    if event.all_in:
        state.stated_all_in = add_seat(state.stated_all_in, seat)


def apply_raise(state: HandState, event: b.Raised) -> None:
    seat, game = event.seat, state.game
    is_limit = game is not None and game.betting == "limit"
    total = event.to if state.early_street is None else _compute_early_street_total(state, event, "raise")
    if not state.round.raise_to(seat, event.added, total, is_limit):
        state.oddities.append(Oddity("not-dealt-in", event))
    if state.moved_chips:
        _use_moved_chips(state, seat, event.added)
    if seat not in state.live and seat in state.dealt:
        state.oddities.append(Oddity("acts-without-hand", event))
    if event.all_in:
        state.stated_all_in = add_seat(state.stated_all_in, seat)


def apply_completion(state: HandState, event: b.Completed) -> None:
    seat = event.seat
    total = event.to if state.early_street is None else _compute_early_street_total(state, event, "raise")
    if not state.round.complete(seat, event.added, total):
        state.oddities.append(Oddity("not-dealt-in", event))
    if state.moved_chips:
        _use_moved_chips(state, seat, event.added)
    if seat not in state.live and seat in state.dealt:
        state.oddities.append(Oddity("acts-without-hand", event))
    if event.all_in:
        state.stated_all_in = add_seat(state.stated_all_in, seat)


def apply_bet_returned(state: HandState, event: b.BetReturned) -> None:
    seat, amount = event.seat, event.amount
    _put_in(state, event, seat, -amount)
    state.chips.note_return(seat, amount)
    state.round.take_back(seat, amount)
    if seat in state.stated_all_in:
        state.stated_all_in = remove_seat(state.stated_all_in, seat)


def apply_chips_returned(state: HandState, event: b.ChipsReturned) -> None:
    if event.reason == "change":  # the act has what stays in the pot; change was never part of it
        return
    if not (state.round.actions or state.rounds or state.misdealt or state.moved_chips):
        state.table_events.append(event)  # before the first act, only posts can be returned
    seat, aside_chips = event.seat, count_set_aside_chips(state, event)
    amount = event.amount - aside_chips
    if aside_chips:
        _use_moved_chips(state, seat, aside_chips)
        if not amount:
            return
    _put_in(state, event, seat, -amount)
    state.round.take_back(seat, amount)
    if seat in state.stated_all_in:
        state.stated_all_in = remove_seat(state.stated_all_in, seat)


def apply_chips_moved(state: HandState, event: b.ChipsMoved) -> None:
    moved_before = state.moved_chips.get(event.seat, 0) if event.motion > 1 else 0
    state.moved_chips = set_entry(state.moved_chips, event.seat, moved_before + event.amount)


def _use_moved_chips(state: HandState, seat: Seat, chips: Chips) -> None:
    if seat in state.moved_chips:
        state.moved_chips = set_entry(state.moved_chips, seat, max(0, state.moved_chips[seat] - chips))


def count_set_aside_chips(state: HandState, event: b.ChipsReturned) -> Chips:
    """Return how many returned chips had been moved in front of the seat without being bet."""
    return min(event.amount, state.moved_chips.get(event.seat, 0)) if event.reason != "change" else 0


def apply_betting_closed(state: HandState, _event: b.BettingClosed) -> None:
    state.round.is_closed = True


def apply_raises_capped(state: HandState, _event: b.RaisesCapped) -> None:
    state.round.is_capped = True


def apply_hand_killed(state: HandState, event: b.HandKilled) -> None:
    """Take a hand out of play. At the showdown, the losing hand is only cleared away.

    The cards decide whether it lost (`evaluate`), so it still contests the pot. A shown hand that is killed at the
    showdown without a reason counts as a losing one.
    """
    if is_cleared_away(state, event):
        state.cleared_seats = add_seat(state.cleared_seats, event.seat)
        return
    state.live.discard(event.seat)
    state.killed_seats = add_seat(state.killed_seats, event.seat)


def is_cleared_away(state: HandState, event: b.HandKilled) -> bool:
    """Whether a killed hand lost at the showdown, by its reason or because it was shown."""
    is_tabled = state.showdown and holdings.has_tabled(state.dealing, event.seat)
    is_beaten = event.reason == "lost" or (event.reason == "unknown" and is_tabled)
    return is_beaten and event.seat in state.live and order.actor(state) is None


def apply_hand_retrieved(state: HandState, event: b.HandRetrieved) -> None:
    if event.seat in state.dealt:
        state.live.add(event.seat)
        state.killed_seats = remove_seat(state.killed_seats, event.seat)
        state.cleared_seats = remove_seat(state.cleared_seats, event.seat)
    else:
        state.oddities.append(Oddity("not-dealt-in", event))


def apply_runs_agreed(state: HandState, event: b.RunsAgreed) -> None:
    state.runs = event.runs


def _pay_from_house(state: HandState, seat: Seat, amount: Chips) -> None:
    state.cash_outs = set_entry(state.cash_outs, seat, state.cash_outs.get(seat, 0) + amount)


def apply_cash_out_taken(state: HandState, event: b.CashOutTaken) -> None:
    _pay_from_house(state, event.seat, (event.price or 0) - event.fee)
    state.sold_seats = add_seat(state.sold_seats, event.seat)


def apply_insurance_bought(state: HandState, event: b.InsuranceBought) -> None:
    _pay_from_house(state, event.seat, -event.premium)


def apply_insurance_paid(state: HandState, event: b.InsurancePaid) -> None:
    _pay_from_house(state, event.seat, event.amount)


def apply_line_unread(state: HandState, _event: e.LineUnread) -> None:
    state.unread_lines += 1


def apply_correction_made(state: HandState, _event: e.CorrectionMade) -> None:
    state.corrections += 1


def keep_for_table(state: HandState, event: Event) -> None:
    """Keep an event for `ledger.table.played`: seats, chips, permissions, returned posts."""
    state.table_events.append(event)


def apply_player_back(state: HandState, event: PlayerBack) -> None:
    """Keep the event, and note a player who comes back between the blinds and the cards."""
    state.table_events.append(event)
    if state.posts and not state.deal_completed:
        seat = event.seat
        if seat is None:
            seats = (seat for seat, dealt_event in state.dealt.items() if dealt_event.player == event.player)
            seat = next(seats, None)
        if seat is not None:
            state.late_seats = add_seat(state.late_seats, seat)


def leave_unchanged(_state: HandState, _event: Event) -> None:
    """Do nothing: `HandReplay.events_of` finds these events."""
