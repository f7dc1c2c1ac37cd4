"""The second generation (since 2019): `Hand #1 - Holdem(No Limit) - …`, `X raises $2.00 to $2.50`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar, Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.wpn.hand import GAMES, VENUE, WITNESSES, WpnHand, parse_file_name, split_note
from ledger.hand.betting import RunsAgreed
from ledger.hand.dealing import DealCompleted
from ledger.hand.ending import DropTaken, ResultDeclared
from ledger.hand.opening import GameSet, NotDealtIn, OptionSet, TournamentSet
from ledger.readers import acts, amounts, games, presence, stud, timestamps
from ledger.readers.bomb_pots import BOMB_POT, settle
from ledger.readers.cards import read_groups
from ledger.readers.currencies import SYMBOLS
from ledger.readers.incomplete import no_second_line, unreadable_seat_row
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows, parse_small_number, require_number
from ledger.readers.signatures import build_head_test, build_number_test
from ledger.readers.text_format import HandLines
from ledger.readers.text_hand import POTS, Drops, Pot, build_event_handler
from ledger.vocabulary import Cards, Chips, Seat, Street, Witness

FIRST_WORDS: Final = ("Hand #", "Game Hand #")
ABSENCE_WORDS: Final[dict[str, NotDealtIn]] = {
    " is sitting out": "sitting-out",
    " will be allowed to play after the button": "waiting-for-button",
    " waits for big blind": "waiting-for-big-blind",
}
"""The words after a seat → the reason why it isn't dealt in."""
LATER_STREETS: Final[dict[str, Street]] = {
    "4th STREET": "fourth",
    "5th STREET": "fifth",
    "6th STREET": "sixth",
    "7th STREET": "seventh",
}
RUNS_AGREED: Final = {"RUN IT TWICE": 2, "RUN IT THREE TIMES": 3}
RUN_SUFFIXES: Final = ("", " 1", " 2", " 3")
"""The suffixes of a pot; the heading before it has the run too."""
QUIET_RESULTS: Final = ("folded", "mucked", "did not show", "and lost", "and folded", "lost", "is sitting out")
_CACHE_SIZE: Final = 20_000


class NumberedHand(WpnHand):
    """A hand of the second generation: `Name acts $5`."""

    ALL_IN = (" and is all-in",)
    SEAT_ROWS = (
        *(f"Seat {{seat}}: {{name}} ({{amount}}){words}" for words in ("", *ABSENCE_WORDS)),
        *(f"Seat {{seat}}: {{name}}{words}" for words in (*ABSENCE_WORDS, "")),
    )
    LABELS = (*WpnHand.LABELS, "(straddle)")
    DROPS: ClassVar = {"rake": "rake", "jp fee": "jackpot", "jackpot": "jackpot"}
    POTS: ClassVar[Mapping[str, Pot]] = {
        **{f"{words}{run}": pot for words, pot in POTS.items() for run in RUN_SUFFIXES},
        **{f"{words}{run} (HI)": (pot[0], "high") for words, pot in POTS.items() for run in RUN_SUFFIXES},
        **{f"{words}{run} (LO)": (pot[0], "low") for words, pot in POTS.items() for run in RUN_SUFFIXES},
    }

    def begin(self) -> None:
        """Set up the deal and the summary."""
        super().begin()
        self.is_deal_begun = False  # cards before the deal are a draw for the button
        self.summary_number = 0  # the summary being read; a hand run twice may have two
        self.winnings: list[tuple[Seat, Chips, int]] = []
        self.declared_totals: list[tuple[Chips, Drops, int]] = []

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Seat the player of `Seat 4: X ($0.00) is sitting out`; players who wait may have no stack."""
        amount = row.get("amount")
        self.deal_in(seat, row["name"], None if amount is None else self.parse_amount(amount))
        line = self.lines.text[self.place].rstrip()
        if line[-1] != ")":
            reason = next(
                (reason for absence_words, reason in ABSENCE_WORDS.items() if line.endswith(absence_words)), None
            )
            if amount is None and reason is None and " (" in row["name"]:
                raise unreadable_seat_row(line)  # the row breaks off within the stack
            self.absence_reasons[seat] = reason or "unknown"

    def read_street_heading(self, title: str, board_text: str) -> bool:
        """Read `*** FLOP *** [2c 7d Kc]`, `*** TURN 2 *** [2c 7d Kc] [9s]`; the last bracket holds the new cards."""
        title_words, _, digit = title.rpartition(" ")
        run = parse_small_number(digit) if title_words and digit in ("1", "2", "3") else 0
        title = title_words if run else title
        if (is_board_read := self.read_heading(title, board_text, run)) is not None:
            return is_board_read
        if title in ("HOLE CARDS", "3rd STREET"):
            self.is_deal_begun = True
            self.betting.street = "third" if title == "3rd STREET" else "preflop"
            self.add_event(DealCompleted())
        elif title in RUNS_AGREED:
            self.close_bets()
            self.add_event(RunsAgreed(RUNS_AGREED[title]))
        elif title == "SUMMARY":
            self.summary_line = self.place
            self.summary_number = run or self.summary_number + 1
        elif title in LATER_STREETS:
            self.deal_street(LATER_STREETS[title])
        else:
            return False
        return True

    def read_dealt_cards(self, name_and_cards: str) -> bool:
        """Read `Dealt to Name [As 2s Qs] [3c]`: hole cards, a street of stud; before the deal, a draw for the button."""
        seat, card_text = next(iter(self.find_named_seats(name_and_cards)), (0, ""))
        card_groups = read_groups(self.read_cards, card_text) if seat and card_text[:1] == "[" else None
        if card_groups is None:
            return False
        all_cards = "".join(card_groups)
        if not self.is_deal_begun:
            self.add_remark()
        elif self.street == "third":
            self.hole_card_indexes[seat] = len(self.events)
            stud.deal_open_cards(self, seat, all_cards)
        elif self.is_stud:
            stud.deal_street_cards(self, seat, card_groups[-1])
        else:
            self.hole_card_indexes[seat] = len(self.events)
            self.deal_own_cards(seat, all_cards)
        return True

    def read_pots(self, pots_text: str) -> bool:
        """Read `Main pot $4.75 | Rake $0.25`, which adds nothing to the actions."""
        return all(
            amounts.read_or_none(pot_text.rpartition(" ")[2], self.exponent) is not None
            for pot_text in pots_text.split(" | ")
        )

    # -- the summary; hands without a showdown have their awards only here ------------------------

    def declare_pot(self, total: Chips, drops: Drops = ()) -> None:
        """Read `Total pot $1.19 | Rake $0.04 | JP Fee $0.02`: the pot after the drops, and the drops."""
        self.declared_totals.append((total, drops, self.place))

    def declare_board(self, cards: Cards, run_text: str = "") -> None:
        """Read `Board [..]`, `Board 2 [..]`."""
        implied_number = self.summary_number if self.summary_number > 1 or self.showdown_run > 1 else 0
        self.add_event(ResultDeclared("board", cards=cards, number=parse_small_number(run_text, 1) or implied_number))

    def read_seat_result(self, result: tuple[Seat, str]) -> bool:
        """Read `Seat 3: X (button) showed [..] and won $1.19 with …`, `did not show and won $0.25`."""
        seat, result_text = result[0], self.learn_cards(*result)
        if not result_text:
            return result_text is not None and bool(result[1])
        amount_texts = (part.partition(" ")[0].rstrip(",") for part in result_text.split("won ")[1:])
        amounts_won = [
            self.parse_amount(amount_text)
            for amount_text in amount_texts
            if amount_text[:1] in SYMBOLS or amount_text[:1].isdigit()
        ]
        self.winnings += [(seat, amount, self.place) for amount in amounts_won]
        return bool(amounts_won) or result_text.startswith(QUIET_RESULTS)

    def finish(self) -> None:
        """Finish the hand: awards, if no line had them, drops, results and absent players."""
        if not self.summary_line:
            self.leave_out_idle(self.absence_reasons)
            return
        if BOMB_POT in self.events:
            settle(self.events)
        paid = self.total_awarded
        declared_winnings: dict[Seat, tuple[Chips, int]] = {}
        for seat, amount, line_number in self.winnings:
            self.place = line_number
            if paid:
                declared_winnings[seat] = declared_winnings.get(seat, (0, line_number))[0] + amount, line_number
            else:
                self.award(seat, amount)
        declared_total: Chips | None = None
        for pot, drops, line_number in self.totals_that_count():
            self.place = line_number
            for kind, amount in drops:
                self.add_event(DropTaken(kind or "other", amount))
            declared_total = (declared_total or 0) + pot + sum(amount for _, amount in drops)
        if declared_total is not None:
            self.declare_total_pot(declared_total)
        for seat, (amount, line_number) in declared_winnings.items():
            self.place = line_number
            self.add_event(ResultDeclared("collected", seat, amount))
        self.infer_returns_by_pot(declared_total)
        self.leave_out_idle(self.absence_reasons)
        self.leave_out_cardless()
        self.complete_hand()

    def leave_out_cardless(self) -> None:
        """Leave out the seats without chips in the pot, cards or a fold: they weren't dealt in, for a reason unknown."""
        put_in, folded, hole = self.betting.chips.put_in, self.folded, self.hole_card_indexes
        for seat in self.seat_event_index:
            if not put_in.get(seat) and seat not in folded and seat not in hole:
                self.mark_left_out(seat, "unknown", is_recorded=False)

    def totals_that_count(self) -> list[tuple[Chips, Drops, int]]:
        """Return the totals that count: all if each run has its part, the first if each has the whole pot."""
        whole_pots = [pot + sum(amount for _, amount in drops) for pot, drops, _ in self.declared_totals]
        put_in = self.get_total_put_in()
        return (
            self.declared_totals[:1]
            if len(whole_pots) > 1 and sum(whole_pots) != put_in == whole_pots[0]
            else self.declared_totals
        )

    ACTIONS = (
        *acts.COMMON_ACTIONS,
        *build_rows(acts.raise_to, "raises {_} to {amount}", "raises {amount}"),
        *build_rows(acts.raise_to, "completes {_} to {amount}", "completes {amount}"),
        ("caps {amount}", WpnHand.read_capped_bet),
        *build_rows(acts.post_small_blind, "posts the small blind {amount}", "posts small blind {amount}"),
        *build_rows(acts.post_big_blind, "posts the big blind {amount}", "posts big blind {amount}"),
        *build_rows(acts.post_ante, "posts the ante {amount}", "posts ante {amount}"),
        *build_rows(acts.post_dead_blind, "posts dead blind {amount}", "posts dead {amount}"),
        *build_rows(acts.post_straddle, *(f"posts {article}straddle {{amount}}" for article in ("the ", "", "a "))),
        *build_rows(acts.post_straddle, "straddles {amount}", "straddle {amount}"),
        ("posts {amount}", acts.post_small_or_big_to_enter),
        *build_rows(acts.bring_in, "brings in for {amount}", "brings in {amount}"),
    )
    PLAYER_LINES = (
        *build_rows(PhraseHand.show_known_cards, "shows [{cards}]", "shows [{cards}] ({claim})"),
        ("collected {amount} from {pot}", WpnHand.award_named_pot),
        *build_rows(PhraseHand.muck_cards, "mucks", "mucks hand"),
        *build_rows(PhraseHand.decline_to_show, "does not show", "doesn't show"),
        *build_rows(presence.sit_out, "sits out", "is sitting out"),
        *build_rows(presence.wait_for_big_blind, "waits for big blind", "waits for the big blind"),
        *build_rows(presence.come_back, "has returned", "is back"),
        *build_rows(PhraseHand.expire_clock, "has timed out", "is timed out"),
        ("is disconnected", PhraseHand.lose_connection),
        *build_rows(PhraseHand.restore_connection, "is connected", "is reconnected"),
    )
    LINES = (
        ("*** {title} ***{board_text}", read_street_heading),
        *build_rows(read_pots, "Main pot{pots_text}", "Side pot{pots_text}"),
        ("Dealt to {name_and_cards}", read_dealt_cards),
        ("Uncalled bet ({amount}) returned to{name}", PhraseHand.read_uncalled_return),
        *build_rows(build_event_handler(lambda: BOMB_POT), "BombPot", "Bomb Pot", "BOMB POT"),
        ("--{_}", PhraseHand.ignore_line),
    )
    SUMMARY_LINES = (
        *build_rows(declare_pot, "Total pot {total} | {drops}", "Total pot {total}"),
        *build_rows(declare_board, "Board [{cards}]", "Board {run_text} [{cards}]"),
        ("Seat {result}", read_seat_result),
    )


is_first_line: Final = build_head_test(FIRST_WORDS, build_number_test(" - "))


class WpnHeader(NamedTuple):
    """The first line taken apart."""

    number: str
    tournament: str
    title: str
    game: str  # `Holdem(No Limit)`
    stakes: str  # `$0.05/$0.10` or `Level 15 (250.00/500.00)`
    date_text: str


def parse_header(line: str) -> WpnHeader:
    """Parse a hand's first line; some have no blank before the last dash."""
    hand_number, _, text_after = line.strip("\ufeff \t\r").partition("#")[2].partition(" - ")
    require_number(hand_number)
    game_and_stakes, separator, date_text = split_note(text_after)[0].rpartition("- ")
    if not separator or not date_text[:4].isdigit():
        raise UnreadableHandError("the header has no date", kind="header")
    title, separator, tournament_text = game_and_stakes.rstrip(" -").partition("Tournament #")
    tournament, _, game_and_stakes = tournament_text.partition(" - ") if separator else ("", "", title)
    game, dash, stakes = game_and_stakes.partition(" - ")
    if separator and not tournament.strip():
        raise UnreadableHandError("the tournament has no number", kind="header")
    if not dash:
        raise UnreadableHandError(f"no stakes in {game_and_stakes[:80]!r}", kind="header")
    return WpnHeader(
        hand_number, tournament.strip(), title.strip(" -") if separator else "", game.strip(), stakes.strip(), date_text
    )


@lru_cache(maxsize=_CACHE_SIZE)
def parse_game(
    game_text: str, stakes: str, exponent: int | None, *, is_tournament: bool, play: bool
) -> tuple[GameSet, str]:
    """Return the game of `Holdem(No Limit)`, and the tournament's level or ""."""
    game_name, _, limit = game_text.rpartition("(")
    game, betting = games.parse_game_and_limit(game_name.replace("`", "'"), limit.rstrip(" )"), GAMES, game_text)
    level = ""
    if is_tournament:
        level, _, stakes = stakes.partition("(")
        level, stakes = level.removeprefix("Level").strip(), stakes.rstrip(" )")
    blinds, _, ante = stakes.partition(",")
    game_set = games.build_game_set(
        game,
        betting,
        blinds.split("/"),
        unit=games.find_currency(stakes, tournament=is_tournament, play=play),
        exponent=exponent,
        tournament=is_tournament,
        play_exponent=0,
        ante=ante.lower().replace("ante", "").strip(),
    )
    return game_set, level


@lru_cache(maxsize=_CACHE_SIZE)
def parse_table(line: str) -> tuple[str, int, Seat | None] | None:
    """Read `Table '25' 9-max Seat #1 is the button`: name, seats and button; None if it is another line."""
    table_and_size, _, button_text = line.rpartition(" Seat #")
    button = parse_small_number(button_text.partition(" ")[0])
    if table_and_size and button_text.endswith(" is the button"):
        line = table_and_size
    else:
        button = 0
    table_name, _, chairs = line.rpartition(" ")
    seats = chairs.removesuffix("-max")
    if seats == chairs or not seats.isascii() or not seats.isdigit():
        return None
    table_name = table_name.strip()
    if table_name.startswith("Table '") and table_name.endswith("'"):
        table_name = table_name[7:-1]
    return table_name, int(seats[:3]), button or None


def parse_title(line: str) -> str:
    """Return the name in `Title 'SNG 2.0 $5.5'` or `Title: SNG 2.0 $5.50`, "" for other lines."""
    word, _, name = line.strip().partition(" ")
    return name.strip(" '") if word in ("Title", "Title:") else ""


def read_hand(page: HandLines) -> WpnHand:
    """Read one hand."""
    line_texts, first_line = page.lines.text, page.head_line
    header = parse_header(line_texts[first_line])
    later_lines = (
        table_line
        for table_line in range(first_line + 1, page.end_line)
        if line_texts[table_line].strip() and not parse_title(line_texts[table_line])
    )
    table_line = next(later_lines, page.end_line)
    table = parse_table(line_texts[table_line].strip()) if table_line < page.end_line else None
    if table is None:
        raise no_second_line()
    file_facts, is_tournament = parse_file_name(page.source), bool(header.tournament)
    game_set, level = parse_game(
        header.game, header.stakes, page.exponent, is_tournament=is_tournament, play=file_facts.play
    )
    hand = NumberedHand(page.lines, page.people, VENUE, game_set, first_line)
    titles = [parse_title(line) for line in line_texts[page.first_line : table_line]]
    title = header.title or next(filter(None, reversed(titles)), "") or file_facts.title
    table_name, chairs, button = table
    hand.button_and_line = (button, table_line) if button else None
    words = table_name.lower().replace("(", " ").replace(")", " ").split()
    options = [OptionSet("other", word) for word in ("cap", "blitz") if word in words]
    hand.add_game_and_read(
        table_line + 1, page.end_line, TournamentSet(level=level, written=title) if is_tournament else None, *options
    )
    witnesses = WITNESSES | int(Witness.SHOWDOWN) | int(Witness.POTS)
    started_at = timestamps.parse_start(header.date_text)
    hand.open_hand(table_name, header.number, witnesses, started_at, header.date_text, chairs, header.tournament)
    return hand
