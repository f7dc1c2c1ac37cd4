"""Reader of Full Tilt's own text of 2004 to 2014, including its archives and its French site.

`docs/formats/fulltilt.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import ClassVar, Final, Self

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.hand.betting import RaisesCapped, RunsAgreed, TimeWarned
from ledger.hand.dealing import CardsDiscarded, CardsDrawn
from ledger.hand.ending import Half, HandVoided, ResultDeclared, ShowdownBegun
from ledger.hand.opening import ButtonPlaced, GameSet, OptionSet, TournamentSet
from ledger.presence import ChipsAdded, PlayerAway, SeatLeft, WordsSaid
from ledger.readers import acts, amounts, currencies, games, presence, stud, timestamps
from ledger.readers.cards import CARD_WORDS, map_unknown_cards, read_groups
from ledger.readers.games import DRAW, STUD
from ledger.readers.hand import SEATS
from ledger.readers.headed_hand import HeadedHand, build_room_format
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.incomplete import unreadable_seat_row
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows, parse_small_number
from ledger.readers.text_format import HandLines
from ledger.readers.text_hand import Drops, build_conditional_handler, build_event_handler, build_seat_event_handler
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Millis, Seat, Street, Witness

HEADS: Final = ("Full Tilt Poker", "FullTiltPoker", "GameDesire")
PREFACE: Final = ("BEGIN", "*****")
"""Lines that archives put before a hand."""
SUMMARY: Final = " Tournament Summary "
SITS_OUT: Final = ", is sitting out"
CAPPED: Final = ", and is capped"
SILENT_RESULTS: Final = ("folded", "didn't bet", "mucked", "and lost", "(didn't bet)", "[0]", "- ")
"""Beginnings of seats' results in the summary that repeat the acts."""
FOLDED: Final = ("before the Flop", "on the Flop", "on the Turn", "on the River", "didn't bet (folded)")
"""Endings of most such lines."""
NOTICES: Final = (
    *("Time has expired", "The blinds are now ", "The antes are now ", "The limits are now ", "Pair on board"),
    *("No low hand qualified", "Rebuys ", "Add-ons "),
)
"""Beginnings of lines that aren't about the hand."""
DEALS: Final = frozenset(("HOLE CARDS", "3RD STREET", "DEALING HANDS"))
FIGURES: Final = (*"0123456789", *currencies.SYMBOLS)
LONGEST_NAME: Final = 30
POT: Final = re.compile(r"(Main|Side) pot(?:[- ](\d{1,2}))? (\S*\d)\.?(?= |$)", re.ASCII)


class FullTiltHand(HeadedHand):
    """Reads a hand with lines such as `Ada calls $5, and is all in`, without a colon."""

    VENUE = "Full Tilt"
    HEAD = HeadTemplates(
        "{room} Game #{number}: {table} - {first} - {second} - {clock} - {day} [{eastern}]",
        "{room} Game #{number}: {table} - {first} - {second} - {clock} - {day}",
        rule="(partial)",
    )
    GAMES = (
        games.FLOP
        | STUD
        | (DRAW | {"omaha5", "omaha5-8", "omaha6", "courchevel", "courchevel8", "irish", stud.FIVE_CARD_STUD})
    )
    WITNESSES = Witness.from_names(
        "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP RETURNED_BETS CLOCKS PRESENCE"
        " RUNS CONNECTIONS BLIND_AMOUNTS DISCARDS CHIP_PURCHASES"
    )
    CARDS: ClassVar = {**CARD_WORDS, **map_unknown_cards("xx", "Xx", "XX", "??")}
    NAME_ENDINGS = ("",)
    QUIET_SUMMARY = True
    ALL_IN = (", and is all-in", ", and is all in")
    SEAT_ROWS = ("Seat {seat}: {name} ({amount}){away}",)
    SEAT_LIST_LINES = (("Seats: {_}", PhraseHand.ignore_line),)
    STREETS: ClassVar[Mapping[str, Street]] = {**PhraseHand.STREETS, "FLOPET": "preflop"}
    HAND_STREETS: ClassVar[Mapping[str, Street]] = {
        "3RD STREET": "third",
        **{words.upper(): street for words, street in stud.STREETS.items()},
        "DRAW": "first-draw",
        "FIRST DRAW": "first-draw",
        "SECOND DRAW": "second-draw",
        "THIRD DRAW": "third-draw",
    }

    @classmethod
    def read_hand(cls, page: HandLines) -> Self:
        """Read one hand."""
        if SUMMARY in page.title[:40]:
            raise UnreadableHandError("the summary of a tournament, no hand", kind="not-a-hand")
        return super().read_hand(page)

    @classmethod
    def build_game_events(cls, fields: HeadFields, page: HandLines) -> Iterator[Event | None]:
        """Read the table, `Table Teddy (6 max, shallow)`, or the tournament, `$2 + $0.25 Sit & Go (900000019), Table 1`."""
        table_text, in_cash = fields["table"], fields["table"].startswith("Table ")
        game = parse_game_setup(fields["first"], fields["second"], page.exponent, tournament=not in_cash)
        if in_cash:
            fields["table"], fields["chairs"], traits = parse_table(table_text)
            yield from (*game, *(OptionSet("other", trait) for trait in traits))
        else:
            fields["table"], fields["tournament"], costs = parse_tournament(table_text)
            yield from (costs, *game)
        fields["room"] = fields["room"] if fields["room"] == HEADS[2] else ""
        fields["written"] = f"{fields['clock']} - {fields['day']}"

    def find_start(self) -> Millis | None:
        """Return when the hand began, from New York's time if the text has it."""
        return timestamps.parse_any_order(self.head["eastern"] or self.head.start_text)

    def begin(self) -> None:
        """Start without runs and results."""
        self.seated = 0  # the number of events up to the last seat
        self.runs = 1
        self.collected: dict[Seat, Chips] = {}  # by the summary, for all runs together

    def clean_amount(self, text: str) -> str:
        """Return an amount unchanged."""
        return text

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Read `Seat 4: Ada ($10,689), is sitting out`. In a tournament, absent players are dealt in."""
        self.deal_in(seat, row["name"], self.parse_amount(row["amount"]))
        if row["away"] not in ("", SITS_OUT):
            raise unreadable_seat_row(self.lines.text[self.place])
        if row["away"]:
            self.absence_reasons[seat] = "sitting-out"
            if self.game.format == "tournament":
                self.add_event(PlayerAway(seat, self.get_player(seat), why="sits-out"))

    def split_all_in(self, text: str) -> tuple[str, bool | None]:
        """Split `$5, and is all in` or, in a cap game, `$5, and is capped`."""
        amount_text, all_in = super().split_all_in(text)
        return amount_text.removesuffix(CAPPED), bool(all_in)

    def index_names(self) -> None:
        """Index the names, and remember where the list of seats ends."""
        super().index_names()
        self.seated = len(self.events)

    def read_button(self, seat: Seat) -> bool:
        """Place `The button is in seat #3` before the posts, though the text has it after them."""
        if seat < SEATS:
            self.add_event(ButtonPlaced(seat))
            self.move_events(len(self.events) - 1, self.seated)
        return seat < SEATS

    # -- headings and cards -----------------------------------------------------------------------

    def read_title(self, title: str, brackets: str) -> bool:
        """Read `*** TURN 2 *** [2c 7d Kc] [9s]`: the last bracket has the new card."""
        name, _, digit = title.rpartition(" ")
        title, run = (name, int(digit)) if digit in ("1", "2", "3", "4") else (title, 0)
        if self.summary_line:
            return title.startswith("SUMMARY")  # each run has a summary
        if "[" in brackets or title == "SHOW DOWN":
            self.runs = max(self.runs, run)
            if (was_read := self.read_heading(title, brackets.partition(" (Total Pot")[0], run)) is not None:
                return was_read
        is_five_card_stud = self.game.variant == stud.FIVE_CARD_STUD
        if title == "2ND STREET" if is_five_card_stud else title in DEALS:
            stud.begin_deal(self)
        elif title == "DISCARD ROUND" and self.game.variant == "irish":
            self.close_bets()  # in Irish, two cards are discarded after the flop's betting; this isn't a street
        elif title in self.HAND_STREETS and (is_five_card_stud or self.game.variant in STUD | DRAW):
            self.deal_street(self.HAND_STREETS[title])
        elif title == "SUMMARY":
            self.start_summary()
        else:
            return False
        return True

    def read_dealt_cards(self, dealt_text: str) -> bool:
        """Read `Dealt to Ada [held] [new]`: hole cards, a stud street's card, or drawn cards."""
        for seat, card_text in self.find_named_seats(dealt_text):
            dealt = read_groups(self.read_cards, card_text) if card_text.startswith("[") else None
            if dealt is not None:
                stud.deal_groups(self, seat, dealt)
                return True
        return False

    def read_discards(self, seat: Seat, count: int = 0, cards: Cards = "") -> bool:
        """Read `discards 2 cards`, `discards 1 card [Qs]`, or in Irish `discards [9h 9c]` and `discards`, always two."""
        count = count or 2 * (self.game.variant == "irish")
        if count:
            self.add_event(CardsDiscarded(seat, count, cards))
        return bool(count)

    def read_draw(self, seat: Seat, count: int) -> bool:
        """Read a draw's `is dealt 2 cards`."""
        is_draw = count < 8 and self.game.variant in DRAW
        if is_draw:
            self.add_event(CardsDrawn(seat, UNKNOWN_CARD * count, "unknown"))
        return is_draw

    # -- clocks and news --------------------------------------------------------------------------

    def agree_to_run(self, times: str) -> None:
        """Read `Players agree to Run It Twice`."""
        self.runs = 2 if times == "Twice" else 3
        self.add_event(RunsAgreed(self.runs))

    def read_observer_words(self, watcher: str, words: str) -> bool:
        """Read `Bo (Observer): nh`."""
        is_speech = not self.summary_line and 0 < len(watcher) <= LONGEST_NAME
        if is_speech:
            self.add_event(
                WordsSaid(self.people.text(words), None, self.get_player_id(watcher.removesuffix(" (Observer)")))
            )
        return is_speech

    def read_buy_in(self, who: str, amount_text: str) -> bool:
        """Read `Bo adds $5` about a player without a seat in this hand."""
        if amount_text.startswith(FIGURES):
            self.add_event(
                ChipsAdded(None, self.parse_amount(amount_text), "buy-in", "player", self.get_player_id(who))
            )
        return amount_text.startswith(FIGURES)

    def is_about_one_seat(self) -> bool:
        """Whether the line names a single seat: the room may drop the end of a line."""
        return " Seat " not in self.lines.text[self.place].strip()

    # -- the end ----------------------------------------------------------------------------------

    def read_show(self, seat: Seat, cards: Cards, claim: str = "") -> None:
        """Read `shows [Qs Qd] a pair of Queens`."""
        self.shown_seats.add(seat)
        self.show_cards(seat, cards, claim)

    def read_won_pot(self, seat: Seat, pot_text: str, won: str) -> bool:
        """Read `the high side pot 2 ($5) with a flush`, `pot 2 ($5)`."""
        words = pot_text.replace("-", " ").split()
        if "pot" not in words or not any(map(str.isdigit, won)):
            return False
        half: Half = "high" if "high" in words else "low" if "low" in words else ""
        pot_number = parse_small_number(words[-1], 2)
        pot = 0 if "main" in words else (pot_number or 1) if "side" in words else None
        self.award(
            seat,
            self.parse_amount(won),
            pot,
            run=pot_number if pot_number and pot is None and self.runs > 1 else 1,
            half=half,
        )
        return True

    def read_total_pot(self, pot_text: str, drops: Drops = ()) -> bool:
        """Read `Total pot 650 Main pot 150. Side pot 500. | Rake 0`."""
        total, *words = pot_text.split() or [""]
        if not total or "|" in words:  # an unknown drop
            return False
        self.take_drops(drops)
        self.declare_total_pot(self.parse_amount(total))
        for match in POT.finditer(" ".join(words)):
            is_main = match[1] == "Main"
            pot_number = 0 if is_main else int(match[2] or 1)
            self.add_event(
                ResultDeclared("main-pot" if is_main else "side-pot", None, self.parse_amount(match[3]), "", pot_number)
            )
        return not POT.sub("", " ".join(words)).strip()

    def read_board(self, cards: Cards) -> None:
        """Read a run's `Board: [2c 7d Kc 9s 3d]`."""
        boards_declared = sum(isinstance(event, ResultDeclared) and event.what == "board" for event in self.events)
        self.add_event(ResultDeclared("board", cards=cards, number=boards_declared + 1 if self.runs > 1 else 0))

    def read_result(self, seat_text: str) -> bool:
        """Read `Seat 3: Ada (button) showed [Ah Kd] and won ($5) with a pair of Aces`."""
        result = self.find_result(seat_text)
        result_text = self.learn_cards(*result) if result else None
        if result is None or result_text is None:
            return False
        seat = result[0]
        if result_text == "is sitting out":
            self.absence_reasons[seat] = "sitting-out"
            return True
        text_before = self.runs > 1 and result_text.startswith(
            "wins the "
        )  # `wins the side pot ($5)`, which the runs' summaries exclude
        if not text_before and not result_text.startswith(("collected (", "and won (")):
            return not result_text or result_text.startswith(SILENT_RESULTS)
        amount = self.parse_amount(result_text.partition("(")[2].partition(")")[0])
        self.collected[seat] = self.collected.get(seat, 0) + amount
        if (
            self.runs == 1
            and not self.total_awarded
            and not any(isinstance(event, ShowdownBegun) for event in self.events)
        ):
            self.award(seat, amount)  # the line with the award is missing, so the summary is the only record
        elif self.runs == 1:
            self.add_event(ResultDeclared("collected", seat, amount))
        return True

    def find_result(self, seat_text: str) -> tuple[Seat, str] | None:
        """Return the seat and the result of a line, or of a line that was joined to it.

        The room drops the line end after a player who came too late to be listed.
        """
        line = f"Seat {seat_text}"
        result = self.split_result(seat_text)
        while result is None and (seat_start := line.find(" Seat ") + 1):
            line = line[seat_start:]
            result = self.split_result(line.removeprefix("Seat "))
        return result

    def finish(self) -> None:
        """Leave out silent players, settle the bets and complete the hand."""
        if not self.summary_line:
            return
        if self.runs > 1:  # each run has its own summary
            for seat, amount in sorted(self.collected.items()):
                self.add_event(ResultDeclared("collected", seat, amount))
        self.leave_out_silent()
        self.infer_returns(self.declared_pot)
        self.complete_hand()

    ACTIONS = (
        *acts.COMMON_ACTIONS,
        *build_rows(acts.raise_to, "raises to {amount}", "completes it to {amount}"),
        *build_rows(acts.post_small_blind_once, "posts the small blind of {amount}", "posts a small blind of {amount}"),
        *build_rows(acts.post_big_blind, "posts the big blind of {amount}", "posts a big blind of {amount}"),
        *build_rows(acts.make_up_small_blind, "posts a dead small blind of {amount}", "posts a dead blind of {amount}"),
        *build_rows(acts.post_straddle, "posts a straddle of {amount}", "straddles to {amount}", "straddles {amount}"),
        *build_rows(acts.post_ante, "posts an ante of {amount}", "antes {amount}"),
        ("posts {amount}", acts.post_to_enter),
        ("brings in for {amount}", acts.bring_in),
    )
    PLAYER_LINES = (
        ("shows [{cards}]{claim}", read_show),
        ("shows {_}", PhraseHand.add_remark),
        ("mucks", PhraseHand.muck_cards),
        *build_rows(read_won_pot, *(f"{verb} {{pot_text}} ({{won}}){{_}}" for verb in ("wins", "ties for", "ties"))),
        *build_rows(
            read_discards, "discards {count} cards [{cards}]", "discards {count} cards", "discards {count} card"
        ),
        *build_rows(read_discards, "discards {count} card [{cards}]", "discards [{cards}]", "discards"),
        *build_rows(PhraseHand.stay_pat, "stands pat", "stands pat on [{_}"),
        *build_rows(read_draw, "is dealt {count} cards", "is dealt {count} card"),
        ("has {count} seconds left to act", build_event_handler(lambda seat, count: TimeWarned(seat, seconds=count))),
        ("has timed out", PhraseHand.expire_clock),
        ("has timed out while disconnected", PhraseHand.expire_clock_offline),
        ("has requested TIME", presence.use_time_bank),
        *build_rows(PhraseHand.lose_connection, "has been disconnected", "is disconnected"),
        *build_rows(PhraseHand.restore_connection, "has reconnected", "is connected"),
        ("is sitting out", presence.sit_out),
        ("has returned", presence.come_back),
        *build_rows(presence.leave_table, "stands up", "leaves the table", "has left the table"),
        (
            "was removed from the table for failing to post",
            build_seat_event_handler(lambda seat, player: SeatLeft(seat, player, "missed-post")),
        ),
        ("adds {amount}", PhraseHand.top_up),
        *build_rows(
            PhraseHand.finish_tournament, "finished the tournament in {rank} place{_}", "finished in {rank} place{_}"
        ),
        ("finished the tournament{_}", PhraseHand.finish_tournament),
        *build_rows(PhraseHand.add_remark, "sits down", "is being treated as all-in", "has {_} seconds to reconnect"),
        *build_rows(PhraseHand.add_remark, "is low with [{_}", "is high with [{_}", "is feeling {_}"),
    )
    LINES = (
        ("*** {title} ***{brackets}", read_title),
        *build_rows(PhraseHand.ignore_line, *(words + "{_}" for words in PREFACE)),  # before the next hand
        ("Dealt to {dealt_text}", read_dealt_cards),
        ("Uncalled bet of {amount} returned to {name}", PhraseHand.read_uncalled_return),
        ("Board: [{cards}]", read_board),
        *build_rows(read_button, "The button is in seat #{seat}", "The button is in seat #{seat}."),
        ("Players agree to Run It {times}", agree_to_run),
        ("Betting is capped", build_event_handler(RaisesCapped)),
        *build_rows(
            build_event_handler(lambda: HandVoided("cancelled")),
            *(f"Hand {{_}}{word}" for word in ("canceled", "cancelled", "canceled.", "cancelled.")),
        ),
        ("END{_}", PhraseHand.add_remark),
        *build_rows(PhraseHand.ignore_line, "Duration {_}", "Pot {_}"),
        *build_rows(PhraseHand.add_remark, *(f"{words}{{_}}" for words in NOTICES), "({_})"),
        *build_rows(PhraseHand.add_remark, "{_} seconds left to act", "{_} is in the lead", "{_} sits down"),
        ("{_}: {_}", PhraseHand.read_talk),
        ("{watcher}: {words}", read_observer_words),
        ("{who} adds {amount_text}", read_buy_in),
        *build_rows(presence.leave_table, "{who} stands up", "{who} leaves the table", "{who} has left the table"),
        ("{who} is sitting out", presence.sit_out),
        ("{who} has returned", presence.come_back),
    )
    SUMMARY_LINES = (
        *build_rows(
            build_conditional_handler(is_about_one_seat, PhraseHand.ignore_line),
            *(f"Seat {{_}}{words}" for words in FOLDED),
        ),
        ("Seat {seat_text}", read_result),
        *build_rows(read_total_pot, "Total pot {pot_text} | {drops}", "Total pot {pot_text}"),
        ("END{_}", PhraseHand.ignore_line),  # an archive's line, which isn't part of this hand
    )


@lru_cache(maxsize=10_000)
def parse_game_setup(
    first: str, second: str, exponent: int | None, *, tournament: bool
) -> tuple[GameSet, OptionSet | None]:
    """Parse `$5/$10` and `$400 Cap Pot Limit Omaha Hi`, in either order; older texts have the stakes first."""
    stakes, game_text = (first, second) if "/" in first and first.startswith(FIGURES) else (second, first)
    blinds_text, _, ante = stakes.partition(" Ante ")
    cap, name = "", game_text.strip()
    if name.startswith(FIGURES) and "card" not in name.partition(" ")[2][:5].lower():
        cap, _, name = name.partition(" ")
    if name[:4].lower() == "cap ":
        cap, name = cap or "cap", name[4:]
    variant, betting = games.parse_game_with_limit(name, FullTiltHand.GAMES, game_text)
    game = games.build_game_set(
        variant,
        betting,
        map(expand_thousands, blinds_text.split("/")),
        unit="chips" if tournament else currencies.find_currency(stakes) or "play",
        exponent=exponent,
        tournament=tournament,
        play_exponent=0,
        ante=expand_thousands(ante),
        written=game_text,
    )
    cap_amount = amounts.read_or_none(cap, game.exponent) if cap not in ("", "cap") else None
    return game, OptionSet("bet-cap", cap_amount) if cap_amount is not None else OptionSet(
        "other", "cap"
    ) if cap else None


def expand_thousands(text: str) -> str:
    """Expand `500K`, `2M` and a flipout's `2B` to plain numbers."""
    number_text, unit = text.strip(), text.strip()[-1:].upper()
    return (
        number_text[:-1] + "000" * "_KMB".index(unit)
        if unit in ("K", "M", "B") and "." not in number_text
        else number_text
    )


@lru_cache(maxsize=10_000)
def parse_table(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Parse `Table Teddy (6 max, shallow)` into the name, the number of chairs and the traits."""
    name, opening, trait_text = text.removeprefix("Table ").rpartition(" (")
    if not opening or not trait_text.endswith(")"):
        return text.removeprefix("Table ").strip(), "", ()
    words = [word.strip() for word in trait_text[:-1].split(",")]
    chairs = ""
    for word in words:
        if word.lower().endswith("max"):
            chairs = word.split(" ", 1)[0]
        elif word.lower() == "heads up":
            chairs = "2"
    return name.strip(), chairs, tuple(trait for trait in words if not trait.lower().endswith(("max", "heads up")))


@lru_cache(maxsize=10_000)
def parse_tournament(text: str) -> tuple[str, str, TournamentSet]:
    """Parse `$2 + $0.25 Sit & Go (900000019), Table 1` into the table, the number and the price."""
    title_text, _, name = text.rpartition("), ")
    title, _, digits = title_text.rpartition(" (")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 20:
        raise UnreadableHandError(f"no table and no tournament in {text[:80]!r}", kind="header")
    buy_in, plus, fee_text = title.partition(" + ")
    fee = fee_text.partition(" ")[0] if plus and fee_text[:1] in currencies.SYMBOLS else ""
    if not fee:
        buy_in = title.partition(" ")[0] if "Sit & Go" in title and title[:1] in currencies.SYMBOLS else ""
    return name.removeprefix("Table "), digits, games.parse_costs("+".join(filter(None, (buy_in, fee))), title)


FORMAT: Final = build_room_format(
    FullTiltHand,
    "fulltilt",
    "Full Tilt text",
    *HEADS,
    line_test=lambda line: " Game #" in line[:40] or SUMMARY in line[:40],
    preface=PREFACE,
    own_heads=("Full", HEADS[2]),
    words=(" Game #", SUMMARY),
)
