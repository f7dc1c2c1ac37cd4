"""Reader of Absolute Poker's and UltimateBet's text (the Cereus network, closed in 2011).

`docs/formats/absolute.md` has the table from line to event, and what the format can't record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from msgspec.structs import replace

from ledger.event import Event
from ledger.hand.dealing import HoleCardsDealt, HoleCardsLearned
from ledger.hand.ending import BountyWon, ResultDeclared
from ledger.hand.opening import Betting, TournamentSet
from ledger.readers import acts, amounts, games, presence, stud
from ledger.readers.cards import CARD_WORDS, map_unknown_cards
from ledger.readers.headed_hand import HeadedHand, build_room_format
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows
from ledger.readers.text_format import HandLines
from ledger.readers.text_hand import Drops
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Street, Witness

FIRST: Final = "Stage #"
LIMITS: Final[dict[str, Betting]] = {
    "no limit": "no-limit",
    "pot limit": "pot-limit",
    "normal": "limit",
    "fixed limit": "limit",
    "limit": "limit",
}
"""A limit's name in a header, in lower case → the limit. Longer names come first."""
NOISE: Final = (
    "(1 on 1)",
    "(tp)",
    "multi normal tournament",
    "multi tournament",
    "normal tournament",
    "single tournament",
    "tournament",
    "(real money)",
    "(play money)",
    " turbo",
    "(7-2)",
)
"""Words that may come between a game's name and its limit, or after the stakes. `(7-2)` is a side bet."""
NOTHING_WON: Final = ("Folded", "HI:", "LO:", "lost", "[", "Mucked", "Does not", "sitout")
CARDS_OF: Final = {"third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7}


class AbsoluteHand(HeadedHand):
    """Reads a hand with lines such as `NAME - Calls $5` and `NAME Collects $4.30 from main pot`."""

    VENUE = "Absolute Poker"
    HEAD = HeadTemplates(
        *(f"{FIRST}{{number}} {words} {{tournament}} {{game}} - {{date}}" for words in ("Tourney ID", "tourney id")),
        f"{FIRST}{{number}}: {{game}} - {{date}}",
        f"{FIRST}{{number}} {{game}} - {{date}}",
        later_lines=("Table: {table} Seat #{button} {_}", "Table: {table}"),
        has_letters=True,
    )
    GAMES = games.FLOP | games.STUD | {"draw5"}
    WITNESSES = Witness.from_names(
        "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP RETURNED_BETS CLOCKS "
        "BLIND_AMOUNTS"
    )
    """The text records time-outs, but not who comes and goes."""
    CARDS: ClassVar = {**CARD_WORDS, **map_unknown_cards("H", "X", "XX", "??")}
    NAME_ENDINGS = ("",)
    QUIET_SUMMARY = True
    SEAT_ROWS = ("Seat {seat} - {name} ({amount} in chips)", "Seat {seat} - {name} ({amount})")
    HAND_STREETS: ClassVar[Mapping[str, Street]] = stud.ANY_CASE
    LABELS = ("(dealer)", "(small blind)", "(big blind)", "(dead dealer)")
    DROPS: ClassVar = {"rake": "rake", "jackpot rake": "jackpot", "72 proposition pot": None}

    @classmethod
    def build_game_events(cls, fields: HeadFields, page: HandLines) -> Iterator[Event]:
        """Read `Omaha Hi/Lo (1 on 1)  Normal $30/$60`, `Holdem  No Limit $1, $0.25 ante`."""
        words, table, tournament = fields["game"], fields["table"], bool(fields["tournament"])
        if tournament:
            yield TournamentSet(written=words)
        low = " ".join(words.lower().split())
        for noise in NOISE:
            low = low.replace(noise, " ")
        parts = {limit: " ".join(low.split()).partition(" " + limit) for limit in LIMITS}
        limit = next(
            (limit_name for limit_name, part in parts.items() if part[1] and games.find_variant(part[0], cls.GAMES)),
            None,
        )
        if limit is None:
            raise games.unknown_game(words)
        name, _, stakes = parts[limit]
        money, _, ante = stakes.strip().partition(",")
        game = games.build_game_set(
            games.find_variant(name, cls.GAMES) or "",
            LIMITS[limit],
            [limit_name for limit_name in money.split("/") if limit_name.strip()],
            unit=games.find_currency(stakes, tournament=tournament, play="(Play" in table),
            exponent=page.exponent,
            tournament=tournament,
            play_exponent=0,
            ante=ante.lower().replace("ante", "").strip(),
        )
        if len(game.blinds) == 1:  # the header has only the big blind
            small = find_small_blind(page.lines.text[page.first_line : page.end_line], game.exponent)
            game = replace(game, blinds=(small, *game.blinds)) if 0 < small < game.blinds[0] else game
        yield game
        fields["table"] = table.rpartition(" (")[0].strip() or table

    def begin(self) -> None:
        """Start without side bets."""
        self.side_bets_won: dict[Seat, Chips] = {}  # winnings from the side bet on seven and deuce

    def read_post_sum(self, seat: Seat, amount: Chips, dead: Chips) -> None:
        """Read `Posts dead $40 dead $15`: the first amount is the sum."""
        self.read_both_posts(seat, amount - dead, dead)

    def read_both_posts(self, seat: Seat, amount: Chips, dead: Chips) -> None:
        """Read `Posts $1 dead $0.50`: the first amount is live."""
        self.post_blind(seat, "makeup-small", 0, dead)
        self.post_blind(seat, "makeup-big", amount)

    def read_dead_post(self, seat: Seat, amount: Chips) -> None:
        """Read `Posts dead $15`."""
        self.post_blind(seat, "makeup", 0, amount)

    def read_post(self, seat: Seat, amount: Chips) -> None:
        """Read `Posts $1`."""
        self.post_blind(seat, "makeup-small" if amount < self.big_blind else "entry", amount)

    def read_pocket(self, seat: Seat, cards: Cards) -> None:
        """Read `Pocket [H H Js 10d]`: in stud each street repeats all cards; in other games `Pocket [H H]` adds nothing."""
        if not stud.is_stud(self):
            if UNKNOWN_CARD not in cards:
                self.add_event(HoleCardsDealt(seat, cards))
        elif len(cards) // 2 == CARDS_OF.get(self.street, 3):  # the text repeats a folded hand unchanged
            stud.deal_street_cards(self, seat, cards if self.street in stud.FIRST_STREETS else cards[-2:])

    def read_side_bet(self, seat: Seat, amount: Chips) -> None:
        """Read `Collects $40 from 72 proposition pot`: the players' side bet on winning with seven and deuce."""
        self.side_bets_won[seat] = self.side_bets_won.get(seat, 0) + amount
        self.add_event(BountyWon(seat, amount, kind="seven-deuce"))

    def read_total_pot(self, pot_text: str, drops: Drops) -> None:
        """Read `Total Pot($4.50) | Rake ($0.20)`, `Total Pot(5,480:3,750,1,730)`: the single pots follow a colon."""
        self.take_drops(drops)
        self.declare_total_pot(self.parse_amount(pot_text.partition(":")[0]))

    def read_result(self, result: tuple[Seat, str]) -> bool:
        """Read `Seat 3: NAME (small blind) won Total ($122) HI:($122) with Flush [Kc 5s - B:As,…]`."""
        seat, result_text = result
        if result_text.startswith(("won Total (", "collected Total (")):
            total = self.parse_amount(result_text.partition("Total (")[2].partition(")")[0])
            self.add_event(ResultDeclared("collected", seat, total - self.side_bets_won.get(seat, 0)))
        elif not result_text.startswith(NOTHING_WON):
            return False
        for part in result_text.split("[")[1:]:  # cards without a line of their own: `HI: [Mucked] [Kd 6c]`
            cards = self.read_cards(part.partition("]")[0].partition(" - ")[0])
            if cards is not None and seat not in self.shown_seats:
                self.shown_seats.add(seat)
                self.add_event(HoleCardsLearned(seat, cards))
        return True

    def finish(self) -> None:
        """Leave out idle players, settle the bets and complete the hand."""
        self.leave_out_idle(self.absence_reasons)
        if not self.summary_line:
            return
        self.infer_returns_by_pot(self.declared_pot)
        self.leave_out_silent()
        self.complete_hand()

    REASONS = ((" (Preselection)", PhraseHand.ignore_line), (" (Timeout)", PhraseHand.expire_clock))
    ACTIONS = (
        *acts.build_four_actions("- Folds", "- Checks", "- Calls {amount}", "- Bets {amount}"),
        *build_rows(acts.wager_to, "- Raises {_} to {amount}", "- Completes {_} to {amount}"),
        ("- All-In(Raise) {_} to {amount}", acts.go_all_in_to),
        ("- All-In {amount}", acts.go_all_in_by),
        ("- All-In", acts.stay_in),
        ("- Posts small blind {amount}", acts.post_small_blind),
        ("- Posts big blind {amount}", acts.post_big_blind),
        ("- Bring-In {amount}", acts.bring_in),
    )
    PLAYER_LINES = (
        ("- Pocket [{cards}]", read_pocket),
        ("- returned ({amount}) : not called", PhraseHand.return_uncalled),
        ("- Ante returned {amount}", PhraseHand.return_ante),
        ("- Ante {amount}", PhraseHand.post_ante),
        ("- Folds (Fold & Show [{cards}])", PhraseHand.fold),
        ("- Posts dead {amount} dead {dead}", read_post_sum),
        ("- Posts dead {amount}", read_dead_post),
        ("- Posts {amount} dead {dead}", read_both_posts),
        ("- Posts {amount}", read_post),
        ("- Shows [{cards}]{claim}", PhraseHand.show_known_cards),
        ("- Mucks", PhraseHand.muck_cards),
        ("- Does not show", PhraseHand.decline_to_show),
        ("- sitout (wait for BB)", presence.wait_for_big_blind),
        ("- sitout{_}", presence.sit_out),
        ("- Adds {amount}", PhraseHand.top_up),
        ("Collects {amount} from 72 proposition pot", read_side_bet),
        ("Collects {amount} from {pot}", PhraseHand.award_named_pot),
    )
    LINES = (
        *build_rows(
            stud.begin_deal, *(f"*** {words} ***{{_}}" for words in ("POCKET CARDS", "3rd STREET", "3RD STREET"))
        ),
        ("*** {hand_street} ***{_}", stud.begin_street),
        ("*** {street} ***{groups}", PhraseHand.deal_last_cards),
        ("*** SHOW DOWN ***{_}", PhraseHand.begin_showdown),
        ("*** SUMMARY ***{_}", PhraseHand.start_summary),
        ("Dealt to {name} [{cards}]", PhraseHand.deal_own_cards),
        ("Total Pot({pot_text}){drops}", read_total_pot),
        ("Board [{cards}]", PhraseHand.declare_whole_board),
    )
    SUMMARY_LINES = (("Seat {result}", read_result),)


def find_small_blind(text: list[str], exponent: int) -> Chips:
    """Return the posted small blind, or 0 if there is none."""
    for line in text:
        _, separator, amount = line.rpartition(" - Posts small blind ")
        if separator:
            return amounts.read_or_none(amount.strip(), exponent) or 0
        if line.startswith("*** "):
            break
    return 0


FORMAT: Final = build_room_format(
    AbsoluteHand,
    "absolute",
    "Absolute Poker text",
    FIRST,
    line_test=lambda line: line[7:9].lstrip("C")[:1].isdigit() and "(ET)" in line,
)
