"""Note each event of a hand for its trace, before the fold applies it."""

# ruff: noqa: D102 - a note has the name of its event, which says what it is for

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.acts import ACT_KINDS, NO_BET_LEVELS, Act, ActKind, BettingEnd, VoluntaryAct, shrink_act
from ledger.hand.betting_round import BettingRound, begin_round
from ledger.hand.early_streets import begins_street, belongs_to_early
from ledger.hand.hand_trace import HandTrace
from ledger.hand.opening_posts import PostCollector
from ledger.hand.state import HandState
from ledger.hand.steps import count_set_aside_chips, is_cleared_away
from ledger.hand.street_deals import StreetCollector, StreetDeal
from ledger.hand.turn_order import NEAR_SEATS, SeatBits, TurnOrder
from ledger.hand.variants import VARIANTS
from ledger.vocabulary import Chips, Seat, Street

_NEXT_EVENTS: Final = VoluntaryAct | d.BoardDealt
"""The events that show whether a street's betting begins again: an act, or the next cards."""

new_act: Final = tuple.__new__
"""Builds an act from its fields in a third of the time that the class takes."""


class TraceBuilder:
    """Collects the acts, streets and end of a hand, event by event."""

    def __init__(self, numbered: Sequence[tuple[int, Event]], options: Mapping[str, int | str]) -> None:
        self.numbered = numbered
        self.index = 0  # of the coming event
        self.state = HandState()
        self.turns = TurnOrder()
        self.own_round: BettingRound | None = None  # the present street, if the fold's round differs
        self.street: Street = "preflop"
        self.bet_levels = NO_BET_LEVELS
        self.pot = self.raises = 0
        self.is_later = False  # the first round is over
        self.has_blinds = True
        self.early_street: Street | None = None  # a street that was dealt too early
        self.before_act: tuple[SeatBits, Seat | None, int, bool] = (0, None, 0, False)
        cap = options.get("bet-cap")
        self.cap = cap if isinstance(cap, int) else None
        self.posts = PostCollector()
        self.withdrawn_streets: frozenset[Street] | None = None  # found when first needed
        self.streets = StreetCollector()
        self.acts: list[Act] = []
        self.betting_end: BettingEnd | None = None
        self.undone: set[int] = set()
        self.set_aside: dict[int, Chips] = {}
        self.first_act: int | None = None
        self.put_in: dict[Seat, Chips] | None = None

    def finish(self) -> HandTrace:
        """Return the trace."""
        put_in = self.state.chips.put_in if self.put_in is None else self.put_in
        return HandTrace(
            self.state,
            self.acts,
            self.streets.deals,
            self.streets.later_runs,
            self.betting_end,
            self.undone,
            frozenset(self.turns.seats_of(self.turns.live)),
            put_in,
            self.set_aside,
        )

    @property
    def betting(self) -> BettingRound:
        """The present street's betting."""
        return self.state.round if self.own_round is None else self.own_round

    # Opening

    def note_game(self, _version: int, event: o.GameSet) -> None:
        variant = VARIANTS.get(event.variant)
        self.has_blinds = variant is None or variant.opening == "blinds"
        if variant:
            self.street = variant.streets[0].name

    def note_option(self, _version: int, event: o.OptionSet) -> None:
        if event.option == "bet-cap":
            self.cap = event.value if isinstance(event.value, int) else None

    def note_seat(self, _version: int, event: o.SeatDealtIn) -> None:
        self.turns.deal_in(event.seat)

    def note_blind(self, version: int, event: o.BlindPosted) -> None:
        self.posts.posts.append((version, event))
        self.pay(event.seat, event.live + event.dead)
        if event.all_in:
            self.turns.all_in |= self.turns.bit_of(event.seat)
        if event.live:
            self.raise_level(event.seat, event.live)

    def note_post(self, version: int, event: o.StraddlePosted | o.AntePosted | o.BringInPosted) -> None:
        self.posts.posts.append((version, event))
        self.pay(event.seat, event.amount)
        if event.all_in:
            self.turns.all_in |= self.turns.bit_of(event.seat)
        is_dead = isinstance(event, o.AntePosted) or (isinstance(event, o.StraddlePosted) and not event.live)
        if event.amount and not is_dead:
            self.raise_level(event.seat, event.amount)

    def raise_level(self, seat: Seat, live: Chips) -> None:
        """Note the bet level that a post reaches."""
        betting = self.betting
        bet = betting.bets.get(seat, 0) + live
        if bet > betting.bet_to_call:
            self.bet_levels = self.bet_levels.raise_to(bet)
        if self.own_round is not None:
            self.own_round.set_total(seat, bet)

    def note_returned_post(self, version: int, event: o.PostReturned) -> None:
        self.posts.returns.append((version, event))
        self.pay(event.seat, -event.amount)
        if not event.dead and event.role != "ante":
            self.take_back_bet(event.seat, event.amount)

    def note_dead_money(self, version: int, event: o.DeadMoneyTaken) -> None:
        self.posts.dead_money.append((version, event))
        self.pay(event.seat, event.amount)

    def pay(self, seat: Seat, chips: Chips) -> None:
        """Note chips that a seat puts in or gets back, and whether it is all-in."""
        self.pot += chips
        state, cap = self.state, self.cap
        put_in = state.chips.put_in.get(seat, 0) + chips
        if self.put_in is not None:
            self.put_in[seat] = self.put_in.get(seat, 0) + chips
        dealt = state.dealt.get(seat)
        stack = None if dealt is None else dealt.stack
        if (stack is not None and stack <= put_in) or (cap is not None and cap <= put_in):
            self.turns.all_in |= self.turns.bit_of(seat)
        elif chips < 0:
            self.turns.all_in &= ~self.turns.bit_of(seat)

    # Betting

    def find_waiting(self) -> SeatBits:
        """Return the seats that have a decision left."""
        turns, betting = self.turns, self.betting
        return turns.waiting(betting.bets, betting.bet_to_call)

    def list_turn_order(self) -> tuple[Seat, ...]:
        """Return the seats that have a decision left, the due one first."""
        waiting = self.find_waiting()
        if waiting and self.turns.last_actor is None:
            self.turns.last_actor = self.find_seat_before_opener()
        return self.turns.in_turn(waiting)

    def find_due_seat(self, waiting: SeatBits) -> Seat | None:
        """Return whose turn it is among the waiting seats. None: the order is unknown."""
        turns = self.turns
        if not waiting:
            return None
        if turns.last_actor is None:
            turns.last_actor = self.find_seat_before_opener()
        return turns.next_seat(waiting) if self.has_blinds else None

    def find_seat_before_opener(self) -> Seat | None:
        """Return the seat before the opener of the first round, or of a later one if the button is unknown."""
        if not self.has_blinds:
            return None
        return self.posts.find_seat_before_opener(
            self.state.button, self.state.dealt, self.first_act, is_later=self.is_later
        )

    def note_act(self, version: int, event: VoluntaryAct) -> None:
        turns, state, kind, seat = self.turns, self.state, ACT_KINDS[type(event)], event.seat
        if self.first_act is None:
            self.first_act = version
        if self.own_round is state.round:
            self.own_round = None
        own_round = self.own_round
        betting = state.round if own_round is None else own_round
        bets, level = betting.bets, betting.bet_to_call
        bet_before = total = bets.get(seat, 0)
        added, says_all_in = 0, False
        if kind not in ("fold", "check"):
            added, total, says_all_in = event.added, event.to, bool(event.all_in)  # type: ignore[union-attr] # no fold or check
        waiting = turns.waiting(bets, level)
        bit = 1 << seat if 0 <= seat < NEAR_SEATS else turns.bit_of(seat)
        if self.early_street:
            bet_before, level, total, waiting = self.place_early_act(event, bet_before, level, added, waiting)
            own_round = self.own_round
        due_seat, is_first = self.find_due_seat(waiting), not turns.acted & bit
        live, deals = turns.live, self.streets.deals
        is_all_in = says_all_in or (added > 0 and self.takes_stack(seat, added))
        plain_act = new_act(
            Act,
            (
                *(version, event, kind, seat, self.street, added, total, bet_before, level, self.pot, due_seat),
                *(waiting, live, live & ~turns.all_in, self.raises, self.bet_levels, is_all_in, is_first),
                turns.far_seats,
                bit,
            ),
        )
        act = shrink_act(plain_act, len(state.dealt)) if turns.far_seats else plain_act
        self.acts.append(act)
        if deals and deals[-1].event.street == self.street:
            deals[-1].acts.append(act)
        self.before_act = (turns.to_act, turns.last_actor, self.raises, not is_first)
        turns.act(seat, bit, reopens=total > level and kind not in ("fold", "call"))
        if kind == "fold":
            turns.live &= ~bit
            return
        if added:
            self.pay(seat, added)
        if says_all_in:
            turns.all_in |= bit
        if total > level:
            if level > 0 and kind != "call":
                self.raises += 1
            self.bet_levels = self.bet_levels.raise_to(total)
        if own_round is not None:
            own_round.set_total(seat, total)

    def takes_stack(self, seat: Seat, added: Chips) -> bool:
        """Whether these chips are all that a seat has, if its stack is known."""
        stack = self.state.stack_left(seat)
        return stack is not None and stack <= added

    def place_early_act(
        self, event: VoluntaryAct, bet_before: Chips, level: Chips, added: Chips, waiting: SeatBits
    ) -> tuple[Chips, Chips, Chips, SeatBits]:
        """Decide whether an act opens the street that was dealt early, or continues the present one.

        Return the seat's bet before the act, the bet to call, the seat's total after it, and the seats to act.
        """
        assert self.early_street is not None  # noqa: S101 - checked by the caller
        state, kind, seat = self.state, ACT_KINDS[type(event)], event.seat
        if self.belongs_to_early(kind, seat, bet_before, waiting):
            self.begin_street(self.early_street)
            return 0, 0, getattr(event, "to", 0), self.turns.waiting(self.betting.bets, 0)
        if self.own_round is None and belongs_to_early(state, kind, seat):
            self.own_round = state.round.copy(state.chips)  # the fold begins that street
        return bet_before, level, bet_before + added, waiting  # the recorded total may count from the early street

    def belongs_to_early(self, kind: ActKind, seat: Seat, bet_before: Chips, waiting: SeatBits) -> bool:
        """Whether an act after a premature street is the first of that street."""
        if not waiting:
            return True
        level, is_waiting = self.betting.bet_to_call, bool(waiting & self.turns.bit_of(seat))
        if kind == "bet" and level:
            return True
        if kind == "check" and is_waiting and bet_before == level:
            # A blind may check its option or open the early street. If the seat opens that street and the
            # street is never taken back, play went on.
            return seat == self.find_first_after_button() and not self.is_taken_back()
        return (kind == "check" and bet_before < level) or not is_waiting

    def find_first_after_button(self) -> Seat | None:
        """Return the seat that opens the rounds after the first."""
        button = self.state.button
        if button is None:
            return None
        able_seats = self.turns.seats_of(self.turns.able)
        return min(able_seats, key=lambda seat: (seat <= button, seat), default=None)

    def is_taken_back(self) -> bool:
        """Whether the record takes the early street back, now or later."""
        if self.withdrawn_streets is None:
            self.withdrawn_streets = frozenset(
                event.street for _, event in self.numbered if isinstance(event, d.BoardWithdrawn)
            )
        return self.early_street in self.withdrawn_streets

    def note_kill(self, _version: int, event: b.HandKilled) -> None:
        if is_cleared_away(self.state, event) and not self.list_turn_order():
            return  # the losing hand is cleared away at the showdown
        self.turns.leave(event.seat)

    def note_retrieval(self, _version: int, event: b.HandRetrieved) -> None:
        betting = self.betting
        self.turns.return_hand(event.seat, owes=betting.bets.get(event.seat, 0) < betting.bet_to_call)

    def note_returned_bet(self, _version: int, event: b.BetReturned) -> None:
        self.pay(event.seat, -event.amount)
        if self.own_round is None and self.turns.to_act:  # those still to act face the same bet
            self.own_round = self.state.round.copy(self.state.chips)

    def note_returned_chips(self, version: int, event: b.ChipsReturned) -> None:
        aside_chips = count_set_aside_chips(self.state, event)
        amount = event.amount - aside_chips
        if aside_chips:
            self.set_aside[version] = aside_chips
        if event.reason == "change" or not amount:  # change was never part of the bet
            return
        self.posts.returns.append((version, replace(event, amount=amount) if aside_chips else event))
        self.pay(event.seat, -amount)
        self.take_back_bet(event.seat, amount)
        self.undo(event.seat, amount)

    def undo(self, seat: Seat, chips: Chips) -> None:
        """Undo the last act if the seat got its chips back and plays on.

        A raise that shrinks to a call isn't a raise.
        """
        act, turns = self.acts[-1] if self.acts else None, self.turns
        bit = turns.bit_of(seat)
        if act is None or (act.seat, act.street) != (seat, self.street) or not turns.live & bit:
            return
        if act.kind == "raise" and act.bet_after - chips == act.bet_to_call > act.bet_before:
            self.undone.add(act.version)
            turns.to_act, self.raises = self.before_act[0] & ~bit, self.before_act[2]
        elif act.amount_added == chips:
            self.undone.add(act.version)
            turns.to_act, turns.last_actor, self.raises, had_acted = self.before_act
            if not had_acted:
                turns.acted &= ~bit

    def take_back_bet(self, seat: Seat, chips: Chips) -> None:
        """Take returned chips off the seat's bet on this street."""
        bet = self.betting.bets.get(seat, 0)
        if bet < chips and self.own_round is None:
            self.own_round = self.state.round.copy(self.state.chips)
        remaining_bet = max(0, bet - chips)
        if self.own_round is not None:
            self.own_round.bets.setdefault(seat, 0)
            self.own_round.take_back(seat, bet - remaining_bet)
            level = self.own_round.bet_to_call
        else:
            level = self.state.round.compute_level_without(seat, bet - remaining_bet)
        self.bet_levels = self.bet_levels.keep_up_to(level)

    # The board

    def note_burn(self, version: int, event: d.CardBurned) -> None:
        self.streets.burns.append((version, event))

    def note_returned_card(self, _version: int, event: d.CardReturned) -> None:
        self.streets.return_card(event)

    def note_shuffle(self, version: int, event: d.DeckShuffled) -> None:
        self.streets.note_shuffle(version, event)

    def note_cut(self, _version: int, _event: d.DeckCut) -> None:
        self.streets.is_cut = True

    def note_board(self, version: int, event: d.BoardDealt) -> None:
        if event.run > 1 or event.board > 1:
            self.note_run_cards(version, event)
        else:
            self.note_board_cards(version, event)

    def note_run_cards(self, version: int, event: d.BoardDealt) -> None:
        """Note cards of a second board or run, which begin no betting."""
        if self.own_round is None and begins_street(self.state, event):
            self.own_round = self.state.round.copy(self.state.chips)
        runs = self.streets.later_runs
        if not runs or not self.streets.continue_deal(runs[-1], event):
            runs.append(
                self.streets.build_deal(
                    version, event, (), able_count=self.turns.able.bit_count(), is_matched=True, is_dealt_again=False
                )
            )

    def note_board_cards(self, version: int, event: d.BoardDealt) -> None:
        """Note cards of the board, and whether its street begins with them."""
        streets, street = self.streets, event.street
        earlier_deal = streets.last.get(street)
        is_fold_begun = begins_street(self.state, event)  # as the fold sees it
        if (
            earlier_deal is not None
            and earlier_deal is streets.deals[-1]
            and streets.continue_deal(earlier_deal, event)
        ):
            if is_fold_begun and self.own_round is None:
                self.own_round = self.state.round.copy(self.state.chips)
            return
        waiting = self.list_turn_order() if street != self.street else ()
        able_count = self.turns.able.bit_count()
        is_matched, is_dealt_again = self.are_matched(waiting), earlier_deal is not None
        streets.add(
            streets.build_deal(
                version, event, waiting, able_count=able_count, is_matched=is_matched, is_dealt_again=is_dealt_again
            )
        )
        if street == self.street:
            is_street_begun = earlier_deal is not None and self.restarts_street(version, earlier_deal)
        else:
            is_street_begun = not waiting
            if waiting:
                self.early_street = street
        if is_street_begun:
            self.begin_street(street, starts=is_fold_begun)
        elif is_fold_begun and self.own_round is None:
            self.own_round = self.state.round.copy(self.state.chips)

    def restarts_street(self, version: int, earlier_deal: StreetDeal) -> bool:
        """Whether the betting of a street begins again with the new cards, or continues.

        No book decides this, so the next act shows it. If nobody acts any more, the betting was over.
        """
        if not earlier_deal.acts:
            return True
        numbered = self.numbered
        # in a corrected hand, a later event may come earlier
        start = self.index + 1 if numbered[self.index][0] == self.index + 1 else 0
        later_events = (numbered[index] for index in range(start, len(numbered)))
        later_acts = (event for number, event in later_events if number > version and isinstance(event, _NEXT_EVENTS))
        next_event = next(later_acts, None)
        if next_event is None or isinstance(next_event, d.BoardDealt):
            return False
        due_seat = self.find_due_seat(self.find_waiting())
        return due_seat is None or next_event.seat != due_seat

    def are_matched(self, waiting: tuple[Seat, ...]) -> bool:
        """Whether all of these seats lack only their option."""
        betting = self.betting
        return all(betting.bets.get(seat, 0) >= betting.bet_to_call for seat in waiting)

    def note_withdrawal(self, version: int, event: d.BoardWithdrawn) -> None:
        if self.own_round is None and event.street == self.state.round.street:
            self.own_round = self.state.round  # the fold may return to the street before
        withdrawn_deal = self.streets.withdraw(version, event)
        if withdrawn_deal is not None and self.early_street == event.street and withdrawn_deal in self.streets.deals:
            self.early_street = None

    def note_street(self, _version: int, event: d.StreetDealt) -> None:
        starts = event.street != self.state.round.street
        if event.street != self.street:
            self.begin_street(event.street, starts=starts)
        elif starts and self.own_round is None:
            self.own_round = self.state.round.copy(self.state.chips)

    def begin_street(self, street: Street, *, starts: bool = False) -> None:
        """Begin the betting of a street. `starts`: the fold begins it with this event, too."""
        self.street, self.early_street = street, None
        self.bet_levels = NO_BET_LEVELS
        self.raises = 0
        self.is_later = True
        betting = self.state.round
        is_untouched = betting.street == street and not betting.actions and not betting.bet_to_call
        self.own_round = None if starts or is_untouched else begin_round(street, {}, self.state.chips)
        self.turns.begin_street(self.state.button)

    def note_misdeal(self, version: int, _event: d.MisdealDeclared) -> None:
        self.posts.misdeals.append(version)
        self.turns.begin_again()
        self.is_later = False
        self.streets.forget_burns()

    # The end

    def note_end(self, version: int, _event: Event) -> None:
        """Note where the betting ended, and who still had to act."""
        if self.betting_end is None:
            waiting = () if self.early_street else self.list_turn_order()
            live = frozenset(self.turns.seats_of(self.turns.live))
            self.betting_end = BettingEnd(version, self.street, waiting, self.are_matched(waiting), live)

    def note_completion(self, version: int, event: Event) -> None:
        self.note_end(version, event)
        self.keep_chips()

    def note_void(self, _version: int, _event: e.HandVoided) -> None:
        self.keep_chips()
        if self.own_round is None:
            self.own_round = self.state.round.copy(self.state.chips)

    def keep_chips(self) -> None:
        """Store what each seat has put in, before chips go back without an event."""
        if self.put_in is None:
            self.put_in = self.state.chips.put_in.copy()
