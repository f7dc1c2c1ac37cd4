"""The betting of one street: bets, the amount to call, and raises.

No act is refused: an illegal one counts as recorded.
"""

from __future__ import annotations

from typing import TypeAlias

from ledger.hand.chips import HandChips, UncalledBet, find_unmatched_chips
from ledger.hand.seat_maps import FEW_SEATS, CrowdedBets
from ledger.vocabulary import Chips, Seat, Street

Wager: TypeAlias = tuple[Chips, Chips]
"""The bet to call before a bet or raise, and the total that it reached."""


class BettingRound:
    """The bets, raises and actions of one street."""

    street: Street
    bets: dict[Seat, Chips]  # live total of each seat on this street
    bet_to_call: Chips  # the highest live bet
    full_raises: int  # without opening bets and completed bring-ins
    short_raises: int  # all-in raises by less than the last full one
    last_full_raise: Chips  # the size of the last full bet or raise; 0 = none yet
    actions: list[int]  # seats in the order in which they acted; negative = bet or raised
    last_wager: int  # the index of the last bet or raise among them, -1 = there was none
    wagers: list[Wager]  # the bets and raises, one for each negative seat of `actions`
    is_closed: bool  # the record says that the betting is closed
    is_capped: bool  # the record says that no more raises are allowed
    chips: HandChips  # of the hand: where chips go that are bet

    __slots__ = tuple(__annotations__)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BettingRound):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__ if name != "chips")

    __hash__ = None  # type: ignore[assignment] # it changes

    def copy(self, chips: HandChips) -> BettingRound:
        """Return an equal round that changes independently, with the chips of its own hand."""
        twin = BettingRound.__new__(BettingRound)
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.bets, twin.actions, twin.wagers = self.bets.copy(), self.actions.copy(), self.wagers.copy()
        twin.chips = chips
        for seat in chips.put_in:
            twin.bets.setdefault(seat, 0)
        return twin

    def begin_next_street(self, street: Street) -> BettingRound:
        """Return a new round with the same seats and no bets."""
        chips = self.chips
        if len(chips.put_in) > FEW_SEATS:
            return begin_round(street, CrowdedBets(), chips)
        if len(chips.no_bets) != len(chips.put_in):
            chips.no_bets = dict.fromkeys(chips.put_in, 0)
        return begin_round(street, chips.no_bets.copy(), chips)

    # These methods return False if the seat wasn't dealt in. Its chips count, too.

    def add(self, seat: Seat, chips: Chips) -> Chips:
        """Put in live chips. Return the seat's new total, for sources that don't state it."""
        put_in, bets = self.chips.put_in, self.bets
        put_in[seat] = put_in.get(seat, 0) + chips
        total = bets[seat] = bets.get(seat, 0) + chips
        if total > self.bet_to_call:  # noqa: PLR1730 - as in `call`
            self.bet_to_call = total
        self.is_closed = False
        return total

    def post(self, seat: Seat, live: Chips) -> bool:
        """Put in the live chips of a blind or bring-in."""
        put_in, bets = self.chips.put_in, self.bets
        is_dealt_in = seat in put_in or self.move_chips(seat, 0)
        put_in[seat] += live
        bet = bets[seat] = bets[seat] + live
        if bet > self.bet_to_call:
            self.bet_to_call = self.last_full_raise = bet
        return is_dealt_in

    def straddle(self, seat: Seat, live: Chips) -> bool:
        """Put in a live straddle, which raises the blind."""
        is_dealt_in = self.move_chips(seat, live)
        bet = self.bets[seat] = self.bets[seat] + live
        if bet > self.bet_to_call:
            self.last_full_raise = max(self.last_full_raise, bet - self.bet_to_call)
            self.bet_to_call = bet
        return is_dealt_in

    def call(self, seat: Seat, added: Chips, total: Chips) -> bool:
        """Apply a call. If it exceeds the bet, it raises it. `total` is the seat's total as recorded."""
        self.actions.append(seat)
        self.bets[seat] = total
        if total > self.bet_to_call:  # noqa: PLR1730 - no call of max() for each call of a bet
            self.bet_to_call = total
        try:
            self.chips.put_in[seat] += added
        except KeyError:
            return self.move_chips(seat, added)
        return True

    def bet(self, seat: Seat, added: Chips, total: Chips) -> bool:
        """Apply an opening bet."""
        actions = self.actions
        self.last_wager = len(actions)
        actions.append(-seat)
        old_bet_to_call = self.bet_to_call
        self.wagers.append((old_bet_to_call, total))
        self.bets[seat] = total
        if total > old_bet_to_call:
            self.last_full_raise = max(self.last_full_raise, total - old_bet_to_call)
            self.bet_to_call = total
        try:
            self.chips.put_in[seat] += added
        except KeyError:
            return self.move_chips(seat, added)
        return True

    def raise_to(self, seat: Seat, added: Chips, total: Chips, is_limit: bool) -> bool:
        """Apply a raise, and count it as full or short. In limit games, half a bet counts as full."""
        actions = self.actions
        self.last_wager = len(actions)
        actions.append(-seat)
        old_bet_to_call = self.bet_to_call
        self.wagers.append((old_bet_to_call, total))
        self.bets[seat] = total
        size, last_full_raise = total - old_bet_to_call, self.last_full_raise
        if size >= last_full_raise:
            self.last_full_raise = size
            self.full_raises += 1
        elif is_limit and size * 2 >= last_full_raise:
            self.full_raises += 1
        else:
            self.short_raises += 1
        if size > 0:
            self.bet_to_call = total
        try:
            self.chips.put_in[seat] += added
        except KeyError:
            return self.move_chips(seat, added)
        return True

    def complete(self, seat: Seat, added: Chips, total: Chips) -> bool:
        """Apply the completion of a bring-in or of a short all-in. Only the latter counts as a raise."""
        actions = self.actions
        self.last_wager = len(actions)
        actions.append(-seat)
        self.wagers.append((self.bet_to_call, total))
        self.bets[seat] = total
        if self.short_raises:
            self.full_raises += 1
        else:
            self.last_full_raise = total
        self.bet_to_call = max(self.bet_to_call, total)
        return self.move_chips(seat, added)

    def move_chips(self, seat: Seat, chips: Chips) -> bool:
        """Move chips into the pot that aren't a bet, or the chips of a bet."""
        put_in = self.chips.put_in
        if seat in put_in:
            put_in[seat] += chips
            return True
        put_in[seat] = chips
        self.bets.setdefault(seat, 0)
        return False

    # later changes

    def take_back(self, seat: Seat, chips: Chips) -> None:
        """Return chips from a seat's bet, and lower the bet to call."""
        self.bets[seat] -= chips
        seat_count = len(self.chips.put_in)
        if seat_count <= FEW_SEATS:
            self.bet_to_call = max(self.bets.values())
            return
        if not isinstance(self.bets, CrowdedBets):
            self.bets = CrowdedBets(self.bets)
        self.bet_to_call = self.bets.find_highest(seat_count)

    def compute_level_without(self, seat: Seat, chips: Chips) -> Chips:
        """Return the bet to call if some chips of a seat's bet were missing."""
        bets = self.bets
        remaining_bet = bets.get(seat, 0) - chips
        if len(self.chips.put_in) > FEW_SEATS and remaining_bet < bets.get(seat, 0) < self.bet_to_call:
            return self.bet_to_call  # another seat has bet as much
        return max((remaining_bet if bettor == seat else bet for bettor, bet in bets.items()), default=remaining_bet)

    def set_total(self, seat: Seat, total: Chips) -> None:
        """Set a seat's total as stated, whatever it was before."""
        self.bets[seat] = total
        self.bet_to_call = max(self.bet_to_call, total)

    def call_in_full(self, blind: Chips) -> None:
        """Let a short blind be called at its full amount."""
        self.bet_to_call = blind

    def recount(self, seat: Seat, change: Chips) -> None:
        """Change how many of a seat's chips are live. Pot and bet to call stay."""
        self.bets[seat] += change

    def restate(self, seat: Seat, total: Chips) -> None:
        """Correct the highest bet."""
        self.bets[seat] = self.bet_to_call = total

    def forget_actions(self) -> None:
        """Drop the acts, as after a misdeal. Events of their own return the chips."""
        self.actions = []
        self.last_wager = -1
        self.wagers = []

    def forget_bets(self) -> None:
        """Drop all bets, as in a void hand."""
        self.bets = CrowdedBets() if len(self.bets) > FEW_SEATS else dict.fromkeys(self.bets, 0)
        self.bet_to_call = 0

    # results

    def find_uncalled_bet(self) -> UncalledBet | None:
        """Return the part of the highest bet that nobody matched, or None."""
        return find_unmatched_chips(self.bets)


def begin_round(street: Street, bets: dict[Seat, Chips], chips: HandChips) -> BettingRound:
    """Return a round without acts. `bets` has the seats that take part.

    Most hands begin four rounds, and a function takes half the time of `__init__`.
    """
    betting = BettingRound.__new__(BettingRound)
    betting.street = street
    betting.bets = bets
    betting.bet_to_call = betting.full_raises = betting.short_raises = betting.last_full_raise = 0
    betting.actions = []
    betting.last_wager = -1
    betting.wagers = []
    betting.is_closed = betting.is_capped = False
    betting.chips = chips
    return betting
