"""Judge whether a hand wins a jackpot or a high-hand promotion under the house's rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from ledger.errors import VariantError
from ledger.hand.ending import CardsShown
from ledger.hand.hand_strength import find_best_rank
from ledger.hand.opening import GameSet
from ledger.hand.variants import VARIANTS, Variant
from ledger.text.language import phrase, translatable
from ledger.vocabulary import DECK, UNKNOWN_CARD, Chips, Seat
from projections.detectors.shared.house_games import find_cash_game, fits_entry, name_entry, to_chips
from projections.findings.finding import CannotTell, NoOccasion
from projections.obligations.house_points import QualifyingHand, find_weakest_cards
from projections.sentences import house_jackpots as say
from projections.sentences import paragraph
from projections.timeline.hand_timeline import Timeline

_TWO_HOLE_CARDS: Final = VARIANTS["omaha"]
"""A game in which exactly two hole cards play, for rules that require both of them."""
_FULL_BOARD: Final = 5


class Qualified(NamedTuple):
    """A hand that qualifies."""

    rule: QualifyingHand
    seat: Seat  # the beaten hand, or the high hand
    winner: Seat | None  # who beat it
    cards: str  # the seat's hole cards
    reason: str = ""  # the facts that make it qualify, as sentences


class Unqualified(NamedTuple):
    """A hand that certainly doesn't qualify, with the reason as a sentence."""

    rule: QualifyingHand
    reason: str


class Unclear(NamedTuple):
    """A hand whose record doesn't show enough, with what is missing as a sentence."""

    rule: QualifyingHand
    reason: str


Qualification: TypeAlias = Qualified | Unqualified | Unclear

_CARDS_MISSING: Final = translatable("The record lacks the cards of a hand at the showdown.")
_GAME_MISSING: Final = translatable("The record lacks the game or its stakes.")
_POT_MISSING: Final = translatable("The record doesn't show how large the pot was.")
_SEVERAL_BOARDS: Final = translatable("The board was run more than once, and the rule doesn't say which run counts.")


def judge_hand(hand: Timeline, rule: QualifyingHand) -> Qualification:
    """Return whether a hand qualifies under one rule of the house."""
    game = find_cash_game(hand)
    if isinstance(game, CannotTell):
        return Unclear(rule, phrase(_GAME_MISSING))
    if isinstance(game, NoOccasion):
        return Unqualified(rule, say.not_in_tournaments())
    fit = fits_entry(game, rule)
    if fit is None:
        return Unclear(rule, phrase(_GAME_MISSING))
    variant = hand.variant
    if not fit or variant is None or variant.high != "high":
        return Unqualified(rule, say.other_game(name_entry(rule)) if name_entry(rule) else say.no_high_hand())
    if len(hand.seats) < rule.players_min:
        return Unqualified(rule, say.players_too_few(len(hand.seats), rule.players_min))
    showdown = _Showdown(hand, rule, variant)
    qualification = showdown.judge_bad_beat() if rule.kind == "bad-beat" else showdown.judge_high_hand()
    if not isinstance(qualification, Qualified):
        return qualification
    return _explain_small_pot(hand, game, rule) or qualification._replace(
        reason=_explain_qualified(hand, qualification)
    )


def _explain_small_pot(hand: Timeline, game: GameSet, rule: QualifyingHand) -> Unqualified | Unclear | None:
    """Return why the pot keeps a hand from qualifying, or None if it's large enough."""
    if rule.pot_min is None:
        return None
    pot, minimum = _find_pot(hand), to_chips(rule.pot_min, game)
    if pot is None:
        return Unclear(rule, phrase(_POT_MISSING))
    if pot >= minimum:
        return None
    return Unqualified(rule, say.pot_too_small(hand.format_chips(pot), hand.format_chips(round(minimum))))


def _explain_qualified(hand: Timeline, qualification: Qualified) -> str:
    """Return who won with which cards, and the pot and players if the rule is about them."""
    rule, winner, pot = qualification.rule, qualification.winner, _find_pot(hand)
    winner_cards = "" if winner is None else " ".join(hand.played.final_state.hole_cards(winner))
    return paragraph(
        "" if winner is None else say.beaten_by(winner, winner_cards),
        "" if pot is None or rule.pot_min is None else say.pot_was(hand.format_chips(pot)),
        say.players_were(len(hand.seats)) if rule.players_min else "",
    )


def _find_pot(hand: Timeline) -> Chips | None:
    """Return the pot without an uncalled bet, before the drop, or None if the record's chips don't add up to one."""
    state = hand.played.final_state
    return None if not state.chips.awarded or state.conservation() else state.pot_size()


class _Showdown:
    """The hands that were live at the end, and their ranks."""

    def __init__(self, hand: Timeline, rule: QualifyingHand, variant: Variant) -> None:
        state = hand.played.final_state
        self._rule, self._variant, self._hand = rule, variant, hand
        self._threshold = rank_words(rule.hand)
        self._live = sorted(state.live if hand.betting_end is None else hand.betting_end.live_seats)
        self._has_one_board = state.runs < 2 and len(state.boards) < 2
        self._board = list(state.boards[0]) if state.boards else []
        self._holes: Mapping[Seat, list[str]] = {seat: state.hole_cards(seat) for seat in self._live}
        self._known_seats = [seat for seat in self._live if self._is_known(seat)]

    def _is_known(self, seat: Seat) -> bool:
        hole = self._holes[seat]
        return len(hole) == self._variant.hole_cards and UNKNOWN_CARD not in hole and all(card in DECK for card in hole)

    def judge_bad_beat(self) -> Qualification:
        """Return whether a strong enough hand was beaten."""
        if len(self._live) < 2:
            return Unqualified(self._rule, say.nobody_qualified("bad-beat", self._rule.hand))
        if not self._has_one_board:
            return Unclear(self._rule, phrase(_SEVERAL_BOARDS))
        near_misses: list[str] = []
        for loser in self._known_seats:
            for winner in self._known_seats:
                if winner == loser or not self._reaches(loser) or self._rank(winner) >= self._rank(loser):
                    continue
                problem = self._find_problem(loser, winner)
                if not problem:
                    return Qualified(self._rule, loser, winner, " ".join(self._holes[loser]))
                near_misses.append(problem)
        if self._may_hide_bad_beat():
            return Unclear(self._rule, phrase(_CARDS_MISSING))
        return Unqualified(
            self._rule, near_misses[0] if near_misses else say.nobody_qualified("bad-beat", self._rule.hand)
        )

    def judge_high_hand(self) -> Qualification:
        """Return whether a hand that was shown is strong enough."""
        if not self._has_one_board:
            return Unclear(self._rule, phrase(_SEVERAL_BOARDS))
        shown_seats = {event.seat for _, event in self._hand.of(CardsShown)}
        near_misses: list[str] = []
        for seat in self._live:
            if seat in shown_seats and seat not in self._known_seats:
                return Unclear(self._rule, phrase(_CARDS_MISSING))
            if seat in shown_seats and self._reaches(seat):
                if self._plays_hole_cards(seat):
                    return Qualified(self._rule, seat, None, " ".join(self._holes[seat]))
                near_misses.append(say.hole_cards_idle(seat))
        return Unqualified(
            self._rule, near_misses[0] if near_misses else say.nobody_qualified("high-hand", self._rule.hand)
        )

    def _find_problem(self, loser: Seat, winner: Seat) -> str:
        """Return why a beaten hand that is strong enough doesn't qualify; "" = it does."""
        for seat in (loser, winner):
            if not self._plays_hole_cards(seat):
                return say.hole_cards_idle(seat)
        if self._rule.beaten_by and self._rank(winner) > rank_words(self._rule.beaten_by):
            return say.winner_too_weak(winner, self._rule.beaten_by)
        return ""

    def _reaches(self, seat: Seat) -> bool:
        return self._rank(seat) <= self._threshold

    def _rank(self, seat: Seat) -> int:
        return self._rank_cards(self._holes[seat])

    def _rank_cards(self, hole: list[str]) -> int:
        """Return the rank of a hand: the lower, the better. A hand that can't be ranked gets `_NO_RANK`."""
        try:
            return find_best_rank("high", hole, self._board, self._variant) or _NO_RANK
        except VariantError:
            return _NO_RANK

    def _plays_hole_cards(self, seat: Seat) -> bool:
        """Whether both hole cards play, if they must."""
        if not self._rule.both_hole_cards or self._variant.hole_exact or not self._board:
            return True
        return self._rank(seat) == self._rank_by_both(self._holes[seat])

    def _rank_by_both(self, hole: list[str]) -> int:
        try:
            return find_best_rank("high", hole, self._board, _TWO_HOLE_CARDS) or _NO_RANK
        except VariantError:
            return _NO_RANK

    def _may_hide_bad_beat(self) -> bool:
        """Whether the unknown cards could make a bad beat."""
        unknown_count = len(self._live) - len(self._known_seats)
        if not unknown_count:
            return False
        if len(self._board) != _FULL_BOARD or self._variant.id not in ("holdem", "omaha"):
            return True
        if not self._allows_strong_hand():
            return False
        known_ranks = list(map(self._rank, self._known_seats))
        beatable_ranks = [
            self._rank(seat) for seat in self._known_seats if self._reaches(seat) and not self._won_alone(seat)
        ]
        worst_beatable_rank, best_known_rank = max(beatable_ranks, default=0), min(known_ranks, default=_NO_RANK)
        for rank in self._iter_possible_ranks():
            beats_known_hand = rank < worst_beatable_rank
            loses_to_known_hand = best_known_rank < rank <= self._threshold
            loses_to_unknown_hand = unknown_count > 1 and rank < self._threshold
            if beats_known_hand or loses_to_known_hand or loses_to_unknown_hand:
                return True
        return False

    def _allows_strong_hand(self) -> bool:
        """Whether the board allows a strong enough hand. Full houses and better need a pair or three suited cards."""
        if self._threshold > rank_words("any full house"):
            return True
        ranks, suits = [card[0] for card in self._board], [card[1] for card in self._board]
        return len(set(ranks)) < len(ranks) or any(suits.count(suit) > 2 for suit in suits)

    def _won_alone(self, seat: Seat) -> bool:
        """Whether a seat was paid the whole pot: nobody beat it."""
        awarded = self._hand.played.final_state.chips.awarded
        return {paid_seat for paid_seat, chips in awarded.items() if chips} == {seat}

    def _iter_possible_ranks(self) -> Iterator[int]:
        """Yield the ranks of all hands that two unseen cards make with the board."""
        seen_cards = {*self._board, *(card for hole in self._holes.values() for card in hole)}
        for pair in combinations([card for card in DECK if card not in seen_cards], 2):
            yield min(self._rank_by_both(list(pair)), self._rank_freely(list(pair)))

    def _rank_freely(self, pair: list[str]) -> int:
        if self._variant.hole_exact:
            return _NO_RANK
        return self._rank_cards(pair)


_NO_RANK: Final = 10**9


def rank_words(words: str) -> int:
    """Return the rank of the weakest hand that words such as `aces full of jacks` name."""
    cards = find_weakest_cards(words)
    return find_best_rank("high", cards[:2], cards[2:], VARIANTS["holdem"]) or _NO_RANK
