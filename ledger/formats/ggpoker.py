"""Reader of GGPoker's text: PokerStars' grammar with GGPoker's headers, posts, insurance and drops.

`docs/formats/ggpoker.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from ledger.errors import UnreadableHandError
from ledger.formats.pokerstars import build_grammar
from ledger.formats.pokerstars import hand as stars
from ledger.formats.pokerstars.header import NO_LIMIT_AFTER, GameSetup, PokerStarsHeader, make_stop_check
from ledger.formats.pokerstars.relabelled import FAST_FOLD, VENUE
from ledger.hand.betting import InsuranceBought, InsurancePaid
from ledger.hand.dealing import BoardDealt, HoleCardsDealt
from ledger.hand.ending import CardsMucked
from ledger.hand.opening import Betting, GameSet, OptionSet, StraddlePosted, TournamentSet
from ledger.readers import acts, amounts, currencies, games
from ledger.readers.phrases import build_rows, parse_phrase, require_number
from ledger.readers.signatures import build_head_test, list_foreign_heads
from ledger.readers.text_format import build_text_format
from ledger.readers.text_hand import build_event_handler
from ledger.vocabulary import Cards, Chips, Seat, Street, Witness

HEADS: Final = ("Poker Hand #", "GGPoker Hand #")
TOURNAMENT: Final = parse_phrase("Tournament #{number}, {name} - {level}({stakes}")
FAST: Final = "RC"
"""The prefix of Rush & Cash hand numbers."""
_LOST_POINT: Final = re.compile(r"(?<![\d.,])0(?=\d)")
"""A rare form of stakes: `$005/$0.1`."""
AFTER_THE_FLOP: Final = " (nl postflop)"
DEFAULT_LIMITS: Final[dict[str, Betting]] = {"holdem": "no-limit", "short-deck": "no-limit"}
"""A game → the limit if the text has none. Omaha is pot limit."""
GAMES: Final = games.FLOP | {"short-deck", "omaha5", "omaha5-8", "omaha6", "omaha6-8"}
WITNESSES: Final = Witness.from_names(
    "BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS DROP RETURNED_BETS RUNS BLIND_AMOUNTS"
)
"""The text lacks clocks, presence, connections and single pots."""
BY_CARDS: Final = {10: "omaha5", 12: "omaha6"}
"""The length of a hand's cards → the kind of Omaha. Clubs call all of them PLO."""
_DEALT: Final[dict[Street, int]] = {"flop": 0, "turn": 6, "river": 8}


def post_straddle(hand: stars.PokerStarsHand, seat: Seat, street_total: Chips, all_in: bool | None) -> None:
    """Read `straddle $4`: as elsewhere in this text, the amount is the street's total."""
    is_restraddle = any(isinstance(event, StraddlePosted) for event in hand.events)
    hand.post_straddle(
        seat, max(0, street_total - hand.get_bet(seat)), "restraddle" if is_restraddle else "straddle", all_in=all_in
    )


def make_up_blind(hand: stars.PokerStarsHand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post a missed blind. A small blind is dead unless the first call shows that it counts toward calling."""
    if hand.big_blind and amount >= hand.big_blind:
        acts.make_up_big_blind(hand, seat, amount, all_in)
    else:
        hand.doubtful_smalls[seat] = len(hand.events)
        acts.make_up_small_blind(hand, seat, amount, all_in)


def bet_and_muck(hand: stars.PokerStarsHand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    """Read `Bet & Muck folds`: a called river bettor mucks."""
    hand.add_event(CardsMucked(seat))


def post_bomb_ante(hand: stars.PokerStarsHand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post an ante of a bomb pot."""
    hand.post_ante(seat, amount, "bomb-pot", all_in=all_in)


begins: Final = build_head_test(HEADS, lambda line: line.partition("#")[2][:1].isalnum())


class GGPokerHand(stars.PokerStarsHand):
    """Reads a hand. In a club's hand with two boards, each street appears twice, each time with the same acts."""

    WITNESSES = WITNESSES
    SHOWDOWN_ALWAYS = True
    is_first_line = staticmethod(begins)
    stops_at = staticmethod(make_stop_check(begins, HEADS, *list_foreign_heads(*HEADS)))

    @staticmethod
    def parse_header(line: str) -> PokerStarsHeader:
        """Parse the first line of a hand."""
        number, colon, rest = line.partition("#")[2].partition(":")
        number = number.strip()
        require_number(number.replace("_", ""), is_whole=colon, has_letters=True)  # a club's hand: `ring_90000301`
        game, dash, start_text = rest.rstrip().rpartition(" - ")
        if not dash or not start_text[:4].isdigit():
            raise UnreadableHandError("the header has no date", kind="header")
        return PokerStarsHeader(VENUE, number.startswith(FAST), number, game.strip(), start_text.strip())

    @staticmethod
    def parse_game(header: PokerStarsHeader, exponent: int | None, play: bool | None) -> GameSetup:
        """Return the game of a first line."""
        hand_setup = parse_game_setup(header.game_text, exponent, play)
        return hand_setup._replace(events=(*hand_setup.events, FAST_FOLD)) if header.zoom else hand_setup

    def read_heading_line(self, line: str) -> int:
        """Read a heading. `PREFLOP` adds nothing."""
        return self.place + 1 if line.rstrip() == "*** PREFLOP ***" else super().read_heading_line(line)

    def read_second_board(self, street: Street, cards: list[Cards]) -> int:
        """Read a street of the second board, and skip the repeated acts."""
        events, line_number = self.events, self.place
        first_board = next(
            (index for index in range(len(events) - 1, -1, -1) if isinstance(events[index], BoardDealt)), -1
        )
        first_event = events[first_board]
        second_cards = "".join(e.cards for e in events if isinstance(e, BoardDealt) and e.board == 2)
        is_complete = street in _DEALT and "".join(cards[:-1]) == second_cards and len(second_cards) == _DEALT[street]
        if (
            not isinstance(first_event, BoardDealt)
            or (first_event.street, first_event.board) != (street, 1)
            or not is_complete
        ):
            return 0
        self.board_sizes[1, 2] = len(second_cards + cards[-1]) // 2
        self.add_event(BoardDealt(street, cards[-1], 2))
        # Both boards are dealt before the repeated acts.
        self.move_events(len(events) - 1, first_board + 1)
        return self._pass_over(self.event_places[first_board] + 1, line_number)

    def _pass_over(self, original_line: int, first_line: int) -> int:
        """Return the line after the repetition of lines `original_line` to `first_line`. Keep lines that differ as unread."""
        text = self.lines.text
        line_number, end_of_original = first_line + 1, first_line
        while original_line < end_of_original and line_number < len(text) and text[line_number] == text[original_line]:
            line_number, original_line = line_number + 1, original_line + 1
        while (
            original_line < end_of_original
            and line_number < len(text)
            and text[line_number]
            and text[line_number][:3] != "***"
            and not self.stops_at(text[line_number])
        ):
            self.place = line_number
            self.add_unread(text[line_number])
            line_number += 1
        return line_number

    def finish_events(self) -> None:
        """Set which kind of Omaha was dealt."""
        super().finish_events()
        dealt = {len(event.cards) for event in self.events if isinstance(event, HoleCardsDealt)}
        variant = BY_CARDS.get(dealt.pop()) if len(dealt) == 1 else None
        for index, event in enumerate(self.events):
            if variant and isinstance(event, GameSet) and event.variant == "omaha":
                self.events[index] = replace(event, variant=variant)

    def read_premium(self, seat: Seat, amount: Chips) -> bool:
        """Read `pay premium of all-in insurance ($4)`: the settlement, if an earlier line has the purchase."""
        bought = sum(e.premium for e in self.events if isinstance(e, InsuranceBought) and e.seat == seat)
        if bought == amount:
            self.put_remark(self.lines.text[self.place].partition(": ")[2])
        elif bought:
            return False
        else:
            self.add_event(InsuranceBought(seat, amount))
        return True

    def read_insurance(self, seat: Seat, premium: str, covers: str) -> None:
        """Read `get an all-in insurance (premium ($0/$4/$0) for ($0/$9/$0) - (Mandatory/Main/Sub))`."""
        parts = (sum(self.parse_chips(part) for part in amount_text.split("/")) for amount_text in (premium, covers))
        self.add_event(InsuranceBought(seat, *parts))

    ACTIONS = (
        *stars.PokerStarsHand.ACTIONS,
        ("straddle {amount}", post_straddle),
        ("Bet & Muck folds", bet_and_muck),
        ("Bet & Muck {amount}", acts.bet),
        *build_rows(make_up_blind, *(f"posts missed {kind}blind {{amount}}" for kind in ("", "small ", "big "))),
        ("posts bomb pot {amount}", post_bomb_ante),
    )
    PLAYER_LINES = (
        *stars.PokerStarsHand.PLAYER_LINES,
        *build_rows(read_premium, *(f"{word} premium of all-in insurance ({{amount}})" for word in ("pay", "pays"))),
        *build_rows(
            build_event_handler(InsurancePaid),
            *(f"{word} {{_}}all-in insurance ({{amount}})" for word in ("receive", "receives")),
        ),
        *build_rows(
            read_insurance,
            *(f"{word} an all-in insurance (premium ({{premium}}) for ({{covers}}){{_}}" for word in ("get", "gets")),
        ),
        ("collected {amount} from {pot}", stars.PokerStarsHand.collect_pot),  # some exports have a colon
    )


@lru_cache(maxsize=20_000)
def parse_game_setup(text: str, exponent: int | None, play: bool | None) -> GameSetup:
    """Return the game of a first line. `exponent` None = the currency's usual unit."""
    if text.startswith("Tournament #"):
        return _parse_tournament(text, exponent or 0)
    opening, closing = text.rfind("("), text.rfind(")")
    if opening >= 0 and text[closing - 1 : closing] == ")":
        opening = text.rfind("(", 0, opening)  # the stakes contain the ante: `($0.5/$1($0.1))`
    if opening < 0 or closing < opening:
        raise UnreadableHandError(f"no stakes in {text[:80]!r}", kind="header")
    stakes = _LOST_POINT.sub("0.", text[opening + 1 : closing])
    unit = currencies.find_currency(stakes)
    if not unit or play:
        unit = "play"
    if exponent is None:
        exponent = 0 if unit == "play" else 2
    variant, betting, option = _find_game(text[:opening])
    blinds, ante = _parse_stakes(stakes, exponent)
    game = games.build_game_set(variant, betting, blinds, unit=unit, exponent=exponent, ante=ante)
    return GameSetup((game, *option), game)


def _parse_stakes(text: str, exponent: int) -> tuple[tuple[Chips, ...], Chips]:
    """Parse `$0.5/$1`, `$0.02` (only a button blind), `175/350(45)`, `$1/$2 - Ante $0.5`."""
    blinds, _, ante = text.replace("Ante", "(").replace("ante", "(").partition("(")
    chips = tuple(amounts.read(blind, exponent) for blind in blinds.rstrip(" -,").split("/") if blind.strip())
    ante = ante.strip(" ()")
    return chips, amounts.read(ante, exponent) if ante else 0


def _find_game(name: str) -> tuple[str, Betting, tuple[OptionSet, ...]]:
    """Find the game at the end of a text, which may be a tournament's name and its game."""
    words = name.replace("\xa0", " ").lower()
    option = (NO_LIMIT_AFTER,) if words.rstrip().endswith(AFTER_THE_FLOP) else ()
    variant, betting = games.find_game_at_end(words.rstrip().removesuffix(AFTER_THE_FLOP), GAMES)
    if variant is None:
        raise games.unknown_game(name.strip())
    return variant, betting or ("no-limit" if option else DEFAULT_LIMITS.get(variant, "pot-limit")), option


def _parse_tournament(text: str, exponent: int) -> GameSetup:
    """Parse `Tournament #90000020, $52.50 Bounty Hunters Hold'em No Limit - Level1(100/200)`."""
    fields = TOURNAMENT.match(text)
    if fields is None or not fields["number"].strip() or not fields["stakes"][:1].isdigit():
        raise UnreadableHandError(f"no number or level of a tournament in {text[:80]!r}", kind="header")
    variant, betting, option = _find_game(fields["name"])
    blinds, ante = _parse_stakes(fields["stakes"].rstrip().removesuffix(")"), exponent)
    game = games.build_game_set(variant, betting, blinds, unit="chips", exponent=exponent, tournament=True, ante=ante)
    costs = TournamentSet(level=fields["level"].removeprefix("Level").strip(), written=" ".join(fields["name"].split()))
    return GameSetup((costs, game, *option), game, fields["number"].strip())


GRAMMAR: Final = build_grammar(GGPokerHand, HEADS, HEADS)
FORMAT: Final = build_text_format("ggpoker", "GGPoker text", GRAMMAR, HEADS)
