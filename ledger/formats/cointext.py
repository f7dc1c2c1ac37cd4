"""Reader of CoinPoker's text: PokerStars' grammar with CoinPoker's headers, all-ins, returned bets and splashes.

`docs/formats/coinpoker-text.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.pokerstars import build_grammar
from ledger.formats.pokerstars import hand as stars
from ledger.formats.pokerstars.header import GameSetup, PokerStarsHeader, make_stop_check, parse_table
from ledger.formats.pokerstars.news import add_player_event
from ledger.hand.ending import CardsShown, HandVoided, PotAwarded, RemarkNoted, ResultDeclared, ShowdownBegun
from ledger.hand.opening import Betting, BlindSkipped, GameSet, OptionSet, PotSeeded, StraddlePosted, TournamentSet
from ledger.people import HERO, format_chair_name
from ledger.presence import ConnectionRestored
from ledger.readers import acts, amounts, currencies, games, presence
from ledger.readers.bomb_pots import BOMB_POT, settle
from ledger.readers.phrases import build_rows, parse_small_number, require_number
from ledger.readers.signatures import build_head_test, list_foreign_heads
from ledger.readers.text_format import build_text_format
from ledger.readers.text_hand import build_event_handler
from ledger.table.pools import ANONYMOUS
from ledger.vocabulary import Chips, PlayerId, Seat, Witness

VENUE: Final = "CoinPoker"
HEAD: Final = "CoinPoker Hand #"

GAMES: Final = frozenset(("holdem", "omaha", "omaha5", "omaha6"))
DEFAULT_LIMITS: Final[dict[str, Betting]] = {"holdem": "no-limit"}
"""A game → the limit if the text has none. Omaha is pot limit."""
WITNESSES: Final = Witness.from_names(
    "BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS DROP RETURNED_BETS BLIND_AMOUNTS RUNS"
)
"""The text lacks clocks, who comes and goes, single pots, and who won a splash if several players were paid."""

CASH: Final = "USDT"
"""The currency of tables with a blank in place of the stakes' sign. Their names contain it: `NL ₮2 IV`."""
TOURNAMENT: Final = "Tournament #"
BOMB: Final = (" bombpot", " bomb pot")
SHORT_GAME_NAMES: Final = ("NLH ", "PLO ")
"""Games' names in texts since 2026, in which players have aliases. Texts with other names have players' names."""
_ALIAS: Final = re.compile("[0-9a-f]{8}")
_DEAL: Final = "*** HOLE CARDS ***"


@lru_cache(maxsize=20_000)
def parse_game_setup(text: str, exponent: int | None) -> GameSetup:
    """Parse `NLH BombPot (₮0.10/₮0.25/₮0.50`, or `Hold'em No Limit (0.01/0.02 ` until 2026. The third stake is the ante."""
    name, bracket, stakes = text.rpartition("(")
    number, comma, title = name.removeprefix(TOURNAMENT).partition(",")
    tournament = number if comma and name.startswith(TOURNAMENT) else ""
    name = " ".join((title if tournament else name).lower().split())
    variant, betting = _find_game(name, text, in_tournament=bool(tournament))
    parts = stakes.removesuffix(" USD").removesuffix(" play").replace(" ante ", "/").split("/")
    if not bracket or not 2 <= len(parts) <= 3:
        raise UnreadableHandError(f"the stakes are {stakes[:40]!r}", kind="header")
    is_unsigned_cash = not tournament and stakes.endswith(" ")
    unit = CASH if is_unsigned_cash else currencies.find_currency(stakes)
    if exponent is None:
        exponent = 2 if unit else 0
    stake_amounts = [amounts.read(part.strip(), exponent) for part in parts]
    game = GameSet(
        variant=variant,
        betting=betting,
        format="cash" if unit else "tournament",
        unit=unit or "chips",
        exponent=exponent,
        blinds=(stake_amounts[0], stake_amounts[1]),
        ante=stake_amounts[2] if len(stake_amounts) > 2 else 0,
    )
    option = (BOMB_POT,) if name.endswith(BOMB) else ()
    costs = (TournamentSet(written=" ".join(title.split())),) if tournament else ()
    return GameSetup((*costs, game, *option), game, tournament)


def _find_game(name: str, text: str, *, in_tournament: bool) -> tuple[str, Betting]:
    """Return the variant and the limit of `nlh bombpot`. A tournament's title ends with the game."""
    for words in BOMB:
        name = name.removesuffix(words)
    variant, betting = games.find_game_at_end(name, GAMES) if in_tournament else games.split_limit(name, GAMES)
    if variant is None:
        raise games.unknown_game(text)
    return variant, betting or DEFAULT_LIMITS.get(variant, "pot-limit")


def find_aliased_names(lines: Iterable[str], table_name: str) -> dict[str, str]:
    """Return the names of the chairs and the hero by their aliases, from a hand's lines after the head.

    If any name but the hero's isn't an alias, return {}: a player may be called deadbeef.
    """
    seats: dict[str, Seat] = {}
    dealt_names: set[str] = set()
    for line in lines:
        if line.startswith("Seat "):
            seat_text, _, row_text = line.partition(": ")
            name = row_text.rpartition(" (")[0] or row_text.partition(" ")[0]  # the row may be damaged after the name
            if name in seats:
                return {}  # players never share an alias
            seats[name] = parse_small_number(seat_text[5:])
        elif line.startswith("Dealt to ") and "[" in line:
            dealt_names.add(line[9:].rpartition(" [")[0])
        elif line.startswith("*** ") and line.rstrip() != _DEAL:
            break
    hero = dealt_names.pop() if len(dealt_names) == 1 else HERO
    other_names = seats.keys() - {hero}
    if not other_names or not all(map(_ALIAS.fullmatch, other_names)):
        return {}
    chair_names = {name: format_chair_name(seats[name], table_name) for name in other_names}
    return {hero: HERO, **chair_names} if _ALIAS.fullmatch(hero) else chair_names


def post_auto_big_blind(hand: stars.PokerStarsHand, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    """Read `AUTOBB ₮0.02`, an entry post."""
    hand.post_blind(seat, "entry", amount, all_in=False)


def go_all_in(hand: stars.PokerStarsHand, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    """Read `ALLIN ₮1.05`: the amount is the chips added."""
    acts.go_all_in_by(hand, seat, amount, True)


def read_all_in_raise(hand: stars.PokerStarsHand, seat: Seat, amount: Chips, all_in: bool | None) -> bool:
    """Read `raises 0.46 and is all-in`: the amount is the stack left, or the street's total."""
    if all_in:
        chips_left = hand.get_stack_left(seat)
        acts.go_all_in_by(hand, seat, chips_left if amount == chips_left + hand.get_bet(seat) else amount, True)
    return bool(all_in)


def post_straddle(hand: stars.PokerStarsHand, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    """Read `STRADDLE ₮0.04`."""
    is_restraddle = any(isinstance(event, StraddlePosted) for event in hand.events)
    hand.post_straddle(seat, amount, "restraddle" if is_restraddle else "straddle", all_in=False)


def return_bet(hand: stars.PokerStarsHand, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    """Read `RETURN ₮0.04`."""
    hand.return_uncalled(seat, amount)


begins: Final = build_head_test(HEAD, lambda line: line[len(HEAD) : len(HEAD) + 1].isdigit())


class CoinPokerTextHand(stars.PokerStarsHand):
    """Reads a hand."""

    WITNESSES = WITNESSES
    SHOWDOWN_ALWAYS = True
    is_first_line = staticmethod(begins)
    stops_at = staticmethod(make_stop_check(begins, (HEAD,), *list_foreign_heads(HEAD)))

    @staticmethod
    def parse_header(line: str) -> PokerStarsHeader:
        """Read `CoinPoker Hand #7: NLH (₮0.01/₮0.02) 2026/07/11 08:51:04 EDT`."""
        number, colon, text_after = line.partition("#")[2].partition(":")
        require_number(number, is_whole=colon)
        game, bracket, start_text = text_after.rpartition(")")
        start_text = start_text.strip(" -")  # `parse_game_setup` needs the blank before the bracket
        if not bracket or not start_text[:4].isdigit():
            raise UnreadableHandError("the header has no stakes or no date", kind="header")
        return PokerStarsHeader(VENUE, False, number, game.lstrip(), start_text)

    @staticmethod
    def parse_game(header: PokerStarsHeader, exponent: int | None, _play: bool | None) -> GameSetup:
        """Return the game of a first line."""
        return parse_game_setup(header.game_text, exponent)

    def begin(self) -> None:
        """Start without aliases."""
        super().begin()
        self.names_by_alias: dict[str, str] = {}

    def get_player_id(self, name: str) -> PlayerId:
        """Return the id of a player, by the chair's name if the text has an alias."""
        return super().get_player_id(self.names_by_alias.get(name, name))

    def read_seats(self, first_line: int, end_line: int) -> int:
        """Read the list of seats. If all names are aliases, which change with each hand, name the players by chair."""
        text = self.lines.text
        table_fields = parse_table(text[first_line - 1].strip())
        if table_fields and self.parse_header(text[self.place]).game_text.startswith(SHORT_GAME_NAMES):
            self.names_by_alias = find_aliased_names(text[first_line:end_line], table_fields.name)
        if self.names_by_alias:
            self.add_inferred(OptionSet(*ANONYMOUS), place=first_line)
        return super().read_seats(first_line, end_line)

    def read_heading_line(self, line: str) -> int:
        """Read a heading, which may cancel the hand."""
        if line.rstrip() != "*** HAND CANCELLED ***":
            return super().read_heading_line(line)
        self.cancel_hand()
        return self.place + 1

    def finish_events(self) -> None:
        """Award a splash, settle a bomb pot's antes, and correct when hands were shown."""
        self._pay_splash()
        events = self.events
        has_showdown = any(isinstance(event, ShowdownBegun) for event in events)
        if BOMB_POT in events:
            settle(events)
        if any(isinstance(event, HandVoided) for event in events):
            self._return_all()
        for index, event in enumerate(events):
            if has_showdown and isinstance(event, CardsShown) and event.after:
                # The text lists showdowns winner by winner, so a hand after an award was still shown in turn.
                events[index] = CardsShown(event.seat, event.cards, False, event.claim)

    def _return_all(self) -> None:
        """Keep the results of a cancelled hand as remarks: each player "collected" their own chips."""
        for index, event in enumerate(self.events):
            if isinstance(event, ResultDeclared):
                self.events[index] = RemarkNoted(self.people.text(self.lines.text[self.event_places[index]].strip()))

    def read_skipped_big_blind(self, seat: Seat) -> None:
        """Read `didn't post big blind`: the player isn't in the hand."""
        self.add_event(BlindSkipped("big", seat))
        self.listed_absences[seat] = "unknown"

    def _pay_splash(self) -> None:
        """Infer the award of a splash if a single player was paid.

        The room pays a splash with the main pot and writes no line for it. If several players were paid, the text doesn't
        show who won it.
        """
        splash = sum(event.amount for event in self.events if isinstance(event, PotSeeded))
        awards = [
            (event_index, event.seat) for event_index, event in enumerate(self.events) if isinstance(event, PotAwarded)
        ]
        if not splash or len({seat for _, seat in awards}) != 1:
            return
        last, seat = awards[-1]
        self.insert_and_shift(last + 1, PotAwarded(seat, splash))
        for index, event in enumerate(self.events):
            if isinstance(event, ResultDeclared) and (event.what, event.seat) == ("collected", seat):
                # The winner's amount in the summary excludes the splash.
                words = self.lines.text[self.event_places[index]].strip()
                self.events[index] = RemarkNoted(self.people.text(words))

    ACTIONS = (
        ("posts small blind (dead) {amount}", acts.make_up_small_blind),
        *stars.PokerStarsHand.ACTIONS,
        ("posts auto big blind {amount}", acts.post_to_enter),
        ("AUTOBB {amount}", post_auto_big_blind),
        ("raises {amount}", read_all_in_raise),
        ("ALLIN {amount}", go_all_in),
        ("STRADDLE {amount}", post_straddle),
        ("RETURN {amount}", return_bet),
    )
    PLAYER_LINES = (("didn't post big blind", read_skipped_big_blind), *stars.PokerStarsHand.PLAYER_LINES)
    LINES = (
        ("{name} activated time-bank ({_} seconds)", presence.use_time_bank),
        ("{who} has reconnected", add_player_event(ConnectionRestored)),
        ("All bets returned ({_})", stars.PokerStarsHand.add_remark),
        *build_rows(
            build_event_handler(lambda amount: PotSeeded("splash", amount)),
            "SPLASH dropped {amount}",
            "MEGA SPLASH dropped {amount}",
        ),
        *stars.PokerStarsHand.LINES,
    )


GRAMMAR: Final = build_grammar(CoinPokerTextHand, (HEAD,), (HEAD,), CASH)
FORMAT: Final = build_text_format("coinpoker-text", "CoinPoker text", GRAMMAR, (HEAD,))
