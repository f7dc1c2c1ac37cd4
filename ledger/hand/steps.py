"""What each event of a hand does to its state: one small function for each event type.

They keep books and judge nothing: an illegal act is recorded like a legal one. What cannot be
placed as it stands (an act of a seat that was not dealt in) is placed as far as possible and kept
in `HandState.oddities`. The functions change the state that they are given.
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
from ledger.hand.seat_maps import FEW_SEATS, NO_ENTRIES, NO_SEATS, LiveSeats, with_entry, with_seat, without_seat
from ledger.hand.state import HandState, Oddity
from ledger.hand.variants import FIRST_STREET
from ledger.presence import PlayerBack
from ledger.vocabulary import Chips, Seat, Street

# Opening


def hand_opened(state: HandState, event: o.HandOpened) -> None:
    state.opened = event


def game_set(state: HandState, event: o.GameSet) -> None:
    state.game = event
    state.round.street = FIRST_STREET.get(event.variant, "preflop")


def option_set(state: HandState, event: o.OptionSet) -> None:
    state.options = with_entry(state.options, event.option, event.value)


def tournament_set(state: HandState, event: o.TournamentSet) -> None:
    state.tournament = event


def seat_dealt_in(state: HandState, event: o.SeatDealtIn) -> None:
    seat, put_in = event.seat, state.chips.put_in
    if seat not in put_in:
        put_in[seat] = state.round.bets[seat] = 0  # takes part, with nothing put in yet
        state.dealt[seat] = event
    else:
        state.oddities.append(Oddity("dealt-in-twice", event))
        same_stack = seat in state.dealt and state.dealt[seat].stack == event.stack
        state.dealt[seat] = event if same_stack else replace(event, stack=None)  # nobody knows which stack is right
    state.live.add(seat)


def seat_left_out(state: HandState, event: o.SeatLeftOut) -> None:
    state.left_out = with_entry(state.left_out, event.seat, event)


def button_placed(state: HandState, event: o.ButtonPlaced) -> None:
    state.button = event.seat
    state.has_button_record = True


def blind_position_placed(state: HandState, event: o.BlindPositionPlaced) -> None:
    state.positions = with_entry(state.positions, event.role, event.seat)


def blind_posted(state: HandState, event: o.BlindPosted) -> None:
    state.posts.append(event)
    seat, live = event.seat, event.live
    if event.dead:
        _put_in_dead(state, event, seat, event.dead)
    if not state.round.post(seat, live):
        state.oddities.append(Oddity("not-dealt-in", event))
    if event.all_in:
        state.stated_all_in = with_seat(state.stated_all_in, seat)


def straddle_posted(state: HandState, event: o.StraddlePosted) -> None:
    state.posts.append(event)
    if event.all_in:
        state.stated_all_in = with_seat(state.stated_all_in, event.seat)
    if not event.live:
        _put_in_dead(state, event, event.seat, event.amount)
        return
    if not state.round.straddle(event.seat, event.amount):
        state.oddities.append(Oddity("not-dealt-in", event))


def ante_posted(state: HandState, event: o.AntePosted) -> None:
    state.posts.append(event)
    seat, amount = event.seat, event.amount
    if event.all_in:
        state.stated_all_in = with_seat(state.stated_all_in, seat)
    if event.for_table or event.kind == "penalty":
        _put_in_dead(state, event, seat, amount)
        return
    _put_in(state, event, seat, amount)
    state.chips.add_ante(seat, amount)


def bring_in_posted(state: HandState, event: o.BringInPosted) -> None:
    state.posts.append(event)
    if not state.round.post(event.seat, event.amount):
        state.oddities.append(Oddity("not-dealt-in", event))
    if event.all_in:
        state.stated_all_in = with_seat(state.stated_all_in, event.seat)


def blind_skipped(state: HandState, event: o.BlindSkipped) -> None:
    state.skipped.append(event)


def post_returned(state: HandState, event: o.PostReturned) -> None:
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
        state.stated_all_in = without_seat(state.stated_all_in, seat)


def dead_money_taken(state: HandState, event: o.DeadMoneyTaken) -> None:
    state.table_events.append(event)
    _put_in_dead(state, event, event.seat, event.amount)


def pot_seeded(state: HandState, event: o.PotSeeded) -> None:
    state.chips.seed(event.amount)


def _put_in(state: HandState, event: Event, seat: Seat, amount: Chips) -> None:
    """Move chips from a seat into the pot; those of a seat that was not dealt in count all the same."""
    if not state.round.move_chips(seat, amount):
        state.oddities.append(Oddity("not-dealt-in", event))


def _put_in_dead(state: HandState, event: Event, seat: Seat, amount: Chips) -> None:
    """Move chips into the pot that nobody has to match."""
    _put_in(state, event, seat, amount)
    state.chips.add_dead(seat, amount)


# Dealing


def cards(state: HandState, event: holdings.CardEvent) -> None:
    state.dealing.append(event)


def deal_completed(state: HandState, _event: d.DealCompleted) -> None:
    state.deal_completed = True


def street_dealt(state: HandState, event: d.StreetDealt) -> None:
    if event.street != state.round.street:
        _next_round(state, event.street)


def board_dealt(state: HandState, event: d.BoardDealt) -> None:
    state.dealing.append(event)
    if begins_street(state, event):
        _next_round(state, event.street)
    elif event.run == 1 and event.street != state.round.street:
        state.early_street = event.street


def _next_round(state: HandState, street: Street) -> None:
    state.rounds.append(state.round)
    state.round = state.round.next_street(street)
    state.early_street = None
    state.moved_chips = NO_ENTRIES


def board_withdrawn(state: HandState, event: d.BoardWithdrawn) -> None:
    """Take cards back; a street that came too early and saw no act gives way to the one before.

    As long as one card of the street lies there, the street lies there.
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
        state.round = state.rounds.pop().copy(state.chips)  # copies of the state may hold it too


def misdeal_declared(state: HandState, event: d.MisdealDeclared) -> None:
    """All cards come back and all seats are in again; chips move by events of their own."""
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


def _early_street_total(state: HandState, event: b.Wager, kind: str) -> Chips:
    """Return a seat's total where a street lies there early: an act that belongs to it begins it.

    The record may count the others from either street, so what they added is what counts.
    """
    assert state.early_street is not None  # noqa: S101 - otherwise the record's total counts
    if belongs_to_early(state, kind, event.seat):
        _next_round(state, state.early_street)
        return event.to
    return state.street_bet(event.seat) + event.added


def folded(state: HandState, event: b.Folded) -> None:
    seat = event.seat
    if state.early_street is not None and belongs_to_early(state, "fold", seat):
        _next_round(state, state.early_street)
    state.round.actions.append(seat)
    try:
        state.live.remove(seat)
    except KeyError:
        state.oddities.append(Oddity("acts-without-hand", event))
    if event.cards:
        state.dealing.append(event)


def checked(state: HandState, event: b.Checked) -> None:
    if state.early_street is not None and belongs_to_early(state, "check", event.seat):
        _next_round(state, state.early_street)
    state.round.actions.append(event.seat)
    if event.seat not in state.live:
        state.oddities.append(Oddity("acts-without-hand", event))


def apply_call(state: HandState, event: b.Called) -> None:
    seat = event.seat
    total = event.to if state.early_street is None else _early_street_total(state, event, "call")
    if not state.round.call(seat, event.added, total):
        state.oddities.append(Oddity("not-dealt-in", event))
    if state.moved_chips:
        _use_moved_chips(state, seat, event.added)
    if seat not in state.live and seat in state.dealt:
        state.oddities.append(Oddity("acts-without-hand", event))
    if event.all_in:
        state.stated_all_in = with_seat(state.stated_all_in, seat)


def bet(state: HandState, event: b.Bet) -> None:
    seat = event.seat
    total = event.to if state.early_street is None else _early_street_total(state, event, "bet")
    if not state.round.bet(seat, event.added, total):
        state.oddities.append(Oddity("not-dealt-in", event))
    if state.moved_chips:
        _use_moved_chips(state, seat, event.added)
    if seat not in state.live and seat in state.dealt:
        state.oddities.append(Oddity("acts-without-hand", event))
    if event.all_in:
        state.stated_all_in = with_seat(state.stated_all_in, seat)


def raised(state: HandState, event: b.Raised) -> None:
    seat, game = event.seat, state.game
    is_limit = game is not None and game.betting == "limit"
    total = event.to if state.early_street is None else _early_street_total(state, event, "raise")
    if not state.round.raise_to(seat, event.added, total, is_limit):
        state.oddities.append(Oddity("not-dealt-in", event))
    if state.moved_chips:
        _use_moved_chips(state, seat, event.added)
    if seat not in state.live and seat in state.dealt:
        state.oddities.append(Oddity("acts-without-hand", event))
    if event.all_in:
        state.stated_all_in = with_seat(state.stated_all_in, seat)


def completed_bet(state: HandState, event: b.Completed) -> None:
    seat = event.seat
    total = event.to if state.early_street is None else _early_street_total(state, event, "raise")
    if not state.round.complete(seat, event.added, total):
        state.oddities.append(Oddity("not-dealt-in", event))
    if state.moved_chips:
        _use_moved_chips(state, seat, event.added)
    if seat not in state.live and seat in state.dealt:
        state.oddities.append(Oddity("acts-without-hand", event))
    if event.all_in:
        state.stated_all_in = with_seat(state.stated_all_in, seat)


def bet_returned(state: HandState, event: b.BetReturned) -> None:
    seat, amount = event.seat, event.amount
    _put_in(state, event, seat, -amount)
    state.chips.note_return(seat, amount)
    state.round.take_back(seat, amount)
    if seat in state.stated_all_in:
        state.stated_all_in = without_seat(state.stated_all_in, seat)


def chips_returned(state: HandState, event: b.ChipsReturned) -> None:
    if event.reason == "change":  # an act tells what stays in the pot; change was never part of it
        return
    if not (state.round.actions or state.rounds or state.misdealt or state.moved_chips):
        state.table_events.append(event)  # before the first act there is nothing to give back but posts
    seat, aside_chips = event.seat, set_aside(state, event)
    amount = event.amount - aside_chips
    if aside_chips:
        _use_moved_chips(state, seat, aside_chips)
        if not amount:
            return
    _put_in(state, event, seat, -amount)
    state.round.take_back(seat, amount)
    if seat in state.stated_all_in:
        state.stated_all_in = without_seat(state.stated_all_in, seat)


def chips_moved(state: HandState, event: b.ChipsMoved) -> None:
    moved_before = state.moved_chips.get(event.seat, 0) if event.motion > 1 else 0
    state.moved_chips = with_entry(state.moved_chips, event.seat, moved_before + event.amount)


def _use_moved_chips(state: HandState, seat: Seat, chips: Chips) -> None:
    if seat in state.moved_chips:
        state.moved_chips = with_entry(state.moved_chips, seat, max(0, state.moved_chips[seat] - chips))


def set_aside(state: HandState, event: b.ChipsReturned) -> Chips:
    """Return how much of what comes back lay before the seat and was no bet: motions brought it, and no act put it in."""
    return min(event.amount, state.moved_chips.get(event.seat, 0)) if event.reason != "change" else 0


def betting_closed(state: HandState, _event: b.BettingClosed) -> None:
    state.round.is_closed = True


def raises_capped(state: HandState, _event: b.RaisesCapped) -> None:
    state.round.is_capped = True


def hand_killed(state: HandState, event: b.HandKilled) -> None:
    """Take a hand out of play; at the showdown the beaten one is cleared away, which judges nothing.

    Whether it was beaten is for the cards to say (`evaluate`), so it goes on contesting the pot. A
    shown hand that is killed there without a reason is taken for such a one.
    """
    if is_cleared_away(state, event):
        state.cleared_seats = with_seat(state.cleared_seats, event.seat)
        return
    state.live.discard(event.seat)
    state.killed_seats = with_seat(state.killed_seats, event.seat)


def is_cleared_away(state: HandState, event: b.HandKilled) -> bool:
    """Whether a killed hand is one that lost at the showdown, by its reason or as it was shown."""
    is_tabled = state.showdown and holdings.has_tabled(state.dealing, event.seat)
    is_beaten = event.reason == "lost" or (event.reason == "unknown" and is_tabled)
    return is_beaten and event.seat in state.live and order.actor(state) is None


def hand_retrieved(state: HandState, event: b.HandRetrieved) -> None:
    if event.seat in state.dealt:
        state.live.add(event.seat)
        state.killed_seats = without_seat(state.killed_seats, event.seat)
        state.cleared_seats = without_seat(state.cleared_seats, event.seat)
    else:
        state.oddities.append(Oddity("not-dealt-in", event))


def runs_agreed(state: HandState, event: b.RunsAgreed) -> None:
    state.runs = event.runs


def _pay_from_house(state: HandState, seat: Seat, amount: Chips) -> None:
    state.cash_outs = with_entry(state.cash_outs, seat, state.cash_outs.get(seat, 0) + amount)


def cash_out_taken(state: HandState, event: b.CashOutTaken) -> None:
    _pay_from_house(state, event.seat, (event.price or 0) - event.fee)
    state.sold_seats = with_seat(state.sold_seats, event.seat)


def insurance_bought(state: HandState, event: b.InsuranceBought) -> None:
    _pay_from_house(state, event.seat, -event.premium)


def insurance_paid(state: HandState, event: b.InsurancePaid) -> None:
    _pay_from_house(state, event.seat, event.amount)


def line_unread(state: HandState, _event: e.LineUnread) -> None:
    state.unread_lines += 1


def correction_made(state: HandState, _event: e.CorrectionMade) -> None:
    state.corrections += 1


def keep_for_table(state: HandState, event: Event) -> None:
    """Keep what `ledger.table.played` hands on: seats and chips told of, permissions, returned posts."""
    state.table_events.append(event)


def player_back(state: HandState, event: PlayerBack) -> None:
    """Note also who comes back when the blinds are posted and the cards are not dealt."""
    state.table_events.append(event)
    if state.posts and not state.deal_completed:
        seat = event.seat
        if seat is None:
            seat = next(
                (dealt_seat for dealt_seat, dealt_event in state.dealt.items() if dealt_event.player == event.player),
                None,
            )
        if seat is not None:
            state.late_seats = with_seat(state.late_seats, seat)


def leave_unchanged(_state: HandState, _event: Event) -> None:
    """Nothing that the state holds: the event itself says it all, `HandReplay.events_of` finds it."""
