"""Winamax's text: names without colons, the euro sign after amounts, posts out of position.

`docs/formats/winamax.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final, Literal

from ledger.event import Event
from ledger.formats.winamax.forum import unfold
from ledger.hand.dealing import CardsDiscarded, CardsDrawn, HoleCardsLearned, StoodPat
from ledger.hand.ending import Half, RemarkNoted, ResultDeclared
from ledger.hand.opening import (
    BlindSkipped,
    ButtonPlaced,
    OptionSet,
    PotSeeded,
    SeatDealtIn,
    SeatLeftOut,
    TournamentSet,
)
from ledger.readers import acts, amounts, games, stud
from ledger.readers.cards import CARD_WORDS, map_unknown_cards, read_groups
from ledger.readers.currencies import has_no_unusual_amounts
from ledger.readers.hand import NO_PLACE
from ledger.readers.headed_hand import HeadedHand, build_room_format
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows
from ledger.readers.text_format import HandLines
from ledger.readers.text_hand import POTS, Drops, Pot
from ledger.vocabulary import Chips, Seat, Street, Witness

FIRST_WORDS: Final = "Winamax Poker - "
HAND_ID_WORDS: Final = "HandId: #"
HALVES: Final[dict[str, Half]] = {"": "", "(HI)": "high", "(LO)": "low"}
RUNS: Final = {"FIRST": 1, "SECOND": 2, "THIRD": 3}
BLINDS: Final[dict[str, Literal["small", "big"]]] = {"big": "big", "small": "small"}
DEAL_HEADINGS: Final = frozenset(("PRE-FLOP", "FIRST-BET", "3rd STREET", "THIRD"))
BETTING_HEADINGS: Final = frozenset(("SECOND-BET", "THIRD-BET", "FOURTH-BET", "ANTE/BLINDS"))
"""Headings that add nothing to the lines below them."""
SEAT_OF_ZERO: Final = 10
"""The seat of chair 0, after seat 9."""
SILENT_EVENTS: Final = (SeatDealtIn, SeatLeftOut, ButtonPlaced, BlindSkipped)
"""Events that name a seat but don't show that it was dealt in."""


class WinamaxHand(HeadedHand):
    """A hand of Winamax: `Name acts 5€ and is all-in`, without a colon."""

    VENUE = "Winamax"
    HEAD = HeadTemplates(
        f"{FIRST_WORDS}{{name}} - {HAND_ID_WORDS}{{number}} - {{game}} ({{stakes}}){{_}} - {{date}}",
        later_lines=("Table: '{table}' {rest}", "Table '{table}' {rest}"),
        needed_fields={"table": "its table"},
        has_letters=True,
        max_digits=60,
        marks="-",
    )
    GAMES = (
        games.FLOP
        | games.STUD
        | {"short-deck", "omaha5", "omaha5-8", "omaha6", "omaha6-8"}
        | {"draw5", "single-27", "triple-27", "triple-a5", "badugi"}
    )
    MONEY, SUMMER_NAMED = "EUR", True
    WITNESSES = Witness.from_names(
        "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP BLIND_AMOUNTS DISCARDS"
    )
    """No returned bets, clocks or presence: players who sit out are listed like all others."""

    CARDS: ClassVar = {**CARD_WORDS, **map_unknown_cards("X", "XX", "x", "xx", "??", "?")}
    NAME_ENDINGS = ("",)
    QUIET_SUMMARY = True
    ALL_IN = (" and is all-in",)
    HAND_STREETS: ClassVar[Mapping[str, Street]] = {
        **{words.replace("Street", "STREET"): street for words, street in stud.STREETS.items() if words != "River"},
        "FOURTH": "fourth",
        "FIFTH": "fifth",
        "SIXTH": "sixth",
        "SEVENTH": "seventh",
        "FIRST-DRAW": "first-draw",
        "SECOND-DRAW": "second-draw",
        "THIRD-DRAW": "third-draw",
        "DRAW": "first-draw",
    }
    POTS: ClassVar[Mapping[str, Pot]] = {
        f"{words}{blank}{suffix}": (pot_number, half)
        for words, (pot_number, _) in POTS.items()
        for suffix, half in HALVES.items()
        for blank in ("", " ")[: 2 if suffix else 1]
    }

    @classmethod
    def build_game_events(cls, header_fields: HeadFields, page: HandLines) -> Iterator[Event]:
        """Read the kind of table: `CashGame`, `Go Fast "Name"`, `Tournament "Name" buyIn: 0.90€ + 0.10€ level: 3`.

        Yields the events of the game; table, seats and button are put into `header_fields`.
        """
        table_kind, table_text, table_details = header_fields["name"], header_fields["table"], header_fields["rest"]
        is_tournament = table_kind.lower().startswith("tournament")
        pool_name = table_kind.partition(' "')[0].lower()
        if is_tournament:
            yield parse_tournament(table_kind)
        yield cls.build_game(
            header_fields, page.exponent, tournament=is_tournament, play="(play money)" in table_details.lower()
        )
        if not is_tournament and pool_name != "cashgame":
            yield OptionSet("other", pool_name)
        name_and_id, separator, table_number = table_text.rpartition(")#")  # `Name(9000035)#784`
        tournament_id = name_and_id.rpartition("(")[2]
        has_tournament_id = bool(separator) and tournament_id.isascii() and tournament_id.isdigit()
        header_fields["table"] = table_number if has_tournament_id else table_text
        header_fields["tournament"] = (
            tournament_id if has_tournament_id else header_fields["number"].partition("-")[0] if is_tournament else ""
        )
        header_fields["chairs"] = next((word[:-4] for word in table_details.split() if word.endswith("-max")), "")
        button_text, hand_lines = (
            table_details.partition("Seat ")[2].partition(" ")[0].lstrip("#"),
            page.lines.text[page.head_line : page.end_line],
        )
        is_seat_zero = button_text == "0" and any(line.startswith("Seat 0:") for line in hand_lines)
        header_fields["button"], header_fields.lines["button"] = (
            str(SEAT_OF_ZERO) if is_seat_zero else button_text.lstrip("0"),
            header_fields.lines["table"],
        )

    def begin(self) -> None:
        """Set up posts, draws and the results."""
        self.is_posting = True  # before the first betting
        self.seeded_chips = 0  # chips added by the room
        self.discard_counts: dict[Seat, int] = {}  # cards discarded in this draw
        self.blind_decliners: set[Seat] = set()  # seats that declined a blind
        self.winnings: dict[Seat, tuple[Chips, int]] = {}  # a seat's winnings by the summary, and their line

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Seat the player of `Name (5€)`, `Name ()` or, with a bounty, `Name (5000, 2€ bounty)`."""
        stack_text, comma, bounty_text = row["amount"].partition(", ")
        bounty_amount = (amounts.read_or_none(bounty_text.removesuffix("bounty"), 2) or 0) if comma else 0
        self.deal_in(
            seat or SEAT_OF_ZERO, row["name"], self.parse_amount(stack_text) if stack_text else None, bounty_amount
        )

    def read_body(self, line_number: int, end_line: int) -> None:
        """Read the lines from `line_number` to `end_line`, also as the client writes them for forums."""
        line_texts = self.lines.text
        original_lines = line_texts[line_number:end_line]
        try:
            if "\n[b]" in "\n".join(("", *original_lines[:6])):
                unfold(line_texts, line_number, end_line)
            super().read_body(line_number, end_line)
        finally:
            line_texts[line_number:end_line] = original_lines

    # -- posts and acts ---------------------------------------------------------------------------

    def post_small_blind(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Post the small blind; it is dead for a player who has posted already."""
        if self.get_chips_put_in(seat) > self.game.ante:
            self.post_blind(seat, "makeup-small", 0, amount, all_in=all_in)
        else:
            self.post_blind(seat, "small", amount, all_in=all_in)

    def post_missed_small(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Post a missed small blind, which is dead; some files have both blinds in this line."""
        if not self.big_blind or amount <= self.big_blind:
            self.post_blind(seat, "makeup-small", 0, amount, all_in=all_in)
        elif "posts big blind 0" in "".join(self.lines.text[self.place + 1 : self.place + 2]):
            self.post_blind(seat, "makeup-small", 0, amount - self.big_blind, all_in=all_in)
        else:
            self.post_both_blinds(seat, amount, all_in=all_in)

    def post_missed_big(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Post a big blind out of position; the amount is 0 if the line before has both blinds."""
        is_makeup = self.get_chips_put_in(seat) > self.game.ante
        if amount or not is_makeup:
            self.post_blind(seat, "makeup-big" if is_makeup else "entry", amount, all_in=all_in)
        elif self.get_bet(seat) == 0:
            self.inferred.append(len(self.events))
            self.post_blind(seat, "makeup-big", self.big_blind)

    def read_raise(self, seat: Seat, street_total: Chips, all_in: bool | None) -> None:
        """Raise. Among the posts of 2014 it is both blinds; below the bet it is the rest of the stack."""
        if self.is_posting:
            self.post_both_blinds(seat, street_total, all_in=all_in)
        elif street_total <= self.betting.bet_to_call:
            self.raise_by(seat, street_total, all_in=all_in)
        else:
            self.raise_to(seat, street_total, all_in=all_in)

    def decline_blind(self, seat: Seat, blind_name: str = "big") -> bool:
        """Read `denies big blind`: the player declines to post it."""
        role = BLINDS.get(blind_name)
        if role is not None:
            self.blind_decliners.add(seat)
            self.add_event(BlindSkipped(role, seat))
        return role is not None

    def read_discard(self, seat: Seat, discard_text: str) -> bool:
        """Read `discard 2 cards`, `discard 0 card`, perhaps with the cards in brackets."""
        count_words, _, card_text = discard_text.partition(" [")
        count, _, noun = count_words.partition(" ")
        discarded_cards = self.read_cards(card_text.removesuffix("]")) if card_text else ""
        if len(count) != 1 or count not in "012345678" or not noun or discarded_cards is None:
            return False
        self.discard_counts[seat] = int(count)
        self.add_event(CardsDiscarded(seat, int(count), discarded_cards) if int(count) else StoodPat(seat))
        return True

    # -- headings and cards -----------------------------------------------------------------------

    def read_street_heading(self, title: str, board_text: str) -> bool:
        """Read `*** FIRST TURN *** [2c 7d Kc][9s]`, whose last bracket holds the new cards."""
        first_word, _, title_after_run = title.partition(" ")
        run = RUNS.get(first_word, 0) if title_after_run else 0
        title = title_after_run if run else title
        if (is_board_read := self.read_heading(title, board_text, run)) is not None:
            return is_board_read
        if title in DEAL_HEADINGS:
            self.is_posting = False
            stud.begin_deal(self)
        elif title in self.HAND_STREETS:
            self.discard_counts.clear()
            self.deal_street(self.HAND_STREETS[title])
        elif title == "SUMMARY":
            self.start_summary()
        else:
            return title in BETTING_HEADINGS
        return True

    def read_dealt_cards(self, name_and_cards: str) -> bool:
        """Read `Dealt to Name [X X 8h] [5c]`: hole cards, a street of stud, a draw."""
        for seat, card_text in self.find_named_seats(name_and_cards):
            card_groups = read_groups(self.read_cards, card_text) if card_text.startswith("[") else None
            if card_groups is None:
                continue
            if stud.is_stud(self):
                stud.deal_street_cards(
                    self, seat, "".join(card_groups) if self.street in stud.FIRST_STREETS else card_groups[-1]
                )
            elif not self.street.endswith("draw"):
                self.deal_own_cards(seat, "".join(card_groups))
            elif len(card_groups) > 1 or len(card_groups[0]) // 2 == self.discard_counts.get(seat, 0):
                self.add_event(CardsDrawn(seat, card_groups[-1]))
            else:
                self.add_event(HoleCardsLearned(seat, card_groups[0], "owner"))
            return True
        return False

    def seed_pot(self, amount: Chips) -> None:
        """Read `Hold-up to Pot: total 4€`: the room adds chips."""
        self.seeded_chips += amount
        self.add_event(PotSeeded("promotion", amount))

    # -- the summary ------------------------------------------------------------------------------

    def declare_pot(self, pot_text: str, drops: Drops = ()) -> None:
        """Read `Total pot 6.26€ | Rake 0.24€`: the pot is the amount after the rake.

        From 1,000 chips on, the pot may be rounded, `6.02k`. Then it isn't a result to check, but it
        still shows whether an uncalled bet stayed in the pot.
        """
        total_drop = sum(amount for _, amount in drops)
        self.take_drops(drops)
        stripped_pot = pot_text.replace(" ", "").removesuffix("€")
        if stripped_pot[-1:] in ("k", "K", "M"):
            self.add_event(RemarkNoted(self.people.text(f"Total pot {pot_text}")))
            self.declared_pot = self.confirm_rounded_pot(stripped_pot, total_drop)
        else:
            self.declare_total_pot(self.parse_amount(pot_text) + total_drop)

    def confirm_rounded_pot(self, pot_text: str, total_drop: Chips) -> Chips | None:
        """Return all chips put in, if a rounded pot agrees with them, otherwise None."""
        factor = 1_000_000 if pot_text.endswith("M") else 1000
        whole_digits, _, fraction_digits = pot_text[:-1].replace(",", ".").partition(".")
        if (
            not (whole_digits + fraction_digits).isascii()
            or not (whole_digits + fraction_digits).isdigit()
            or len(pot_text) > 15
        ):
            return None
        step = factor * 10**self.exponent // 10 ** min(len(fraction_digits), 3)
        put_in = self.get_total_put_in() + self.seeded_chips
        return put_in if abs(put_in - total_drop - int(whole_digits + fraction_digits[:3]) * step) <= step else None

    def read_seat_result(self, result: tuple[Seat, str]) -> bool:
        """Read `Seat 3: Name (button) showed [Ah Kd] and won 5€ with One pair : Aces`."""
        seat, result_text = result[0], self.learn_cards(*result)
        if result_text is None:
            return False
        if result_text.startswith(("won ", "and won ")):
            amount = result_text.partition("won ")[2].partition(" with ")[0]
            won_before = self.winnings.get(seat, (0, NO_PLACE))[0]
            self.winnings[seat] = won_before + self.parse_amount(amount), self.place
            return True
        return not result_text or result_text.startswith(("folded", "mucked", "lost", "and lost"))

    def finish(self) -> None:
        """Finish the hand: results, returned bets and absent players.

        This room pays an uncalled bet out with the pot, or as a side pot of its own. It was returned
        only if the declared pot doesn't include it.
        """
        if not self.summary_line:
            return
        for seat, (amount, line_number) in self.winnings.items():
            self.place = line_number
            self.add_event(ResultDeclared("collected", seat, amount))
        self.infer_returns_by_pot(None if self.declared_pot is None else self.declared_pot - self.seeded_chips)
        self.leave_silent_out()
        self.complete_hand()

    def leave_silent_out(self) -> None:
        """Leave out players who do nothing in the hand: the list of seats has absent players too."""
        passive_seats = [seat for seat in self.stacks if not self.get_chips_put_in(seat) and seat not in self.folded]
        if passive_seats and not self.shared_names:
            active_seats = {
                getattr(event, "seat", None) for event in self.events if not isinstance(event, SILENT_EVENTS)
            }
            for seat in passive_seats:
                if seat not in active_seats:
                    self.mark_left_out(
                        seat, "sitting-out" if seat in self.blind_decliners else "unknown", is_recorded=False
                    )

    ACTIONS = (
        ("folds", acts.fold),
        ("checks", acts.check),
        ("calls {amount}", acts.call),
        ("bets {amount}", acts.wager_by),  # files of 2010 write the big blind's raise as a bet of the added chips
        ("raises {_} to {amount}", read_raise),
        ("posts small blind {amount} out of position", post_missed_small),
        ("posts small blind {amount}", post_small_blind),
        ("posts big blind {amount} out of position", post_missed_big),
        ("posts big blind {amount}", acts.post_big_blind),
        *build_rows(acts.post_ante, "posts ante {amount}", "posts the ante {amount}"),
        ("posts straddle {amount}", acts.post_straddle),
        *build_rows(acts.bring_in, "brings in {amount}", "bring-in {amount}"),
    )
    PLAYER_LINES = (
        ("collected {amount} from {pot}", PhraseHand.award_named_pot),
        *build_rows(PhraseHand.show_known_cards, "shows [{cards}]", "shows [{cards}] ({claim})"),
        *build_rows(PhraseHand.muck_cards, "mucks", "mucks hand"),
        *build_rows(PhraseHand.decline_to_show, "doesn't show hand", "doesn't show"),
        *build_rows(read_discard, "discard {discard_text}", "discards {discard_text}"),
        *build_rows(PhraseHand.stay_pat, "stands pat", "stands pat [{cards}]"),
        *build_rows(decline_blind, "denies {blind_name} blind", "deny BB {_}"),
    )
    LINES = (
        ("*** {title} ***{board_text}", read_street_heading),
        ("Dealt to {name_and_cards}", read_dealt_cards),
        *build_rows(seed_pot, "Hold-up to Pot{_} total {amount}", "Hold-Up to Pot{_} total {amount}"),
        ("Player Info: {_}", PhraseHand.add_remark),  # marks of players whose names are masked
        ("{_} deny BB {_}", PhraseHand.add_remark),  # by a player who isn't listed
        *build_rows(
            declare_pot, "Total pot {pot_text} | No rake", "Total pot {pot_text} | {drops}", "Total pot {pot_text}"
        ),
        ("Board{_}[{cards}]", PhraseHand.declare_whole_board),
    )
    SUMMARY_LINES = (
        *build_rows(
            PhraseHand.ignore_line,
            *(f"Seat {{_}} folded on the {street}" for street in ("pre-flop", "flop", "turn", "river")),
        ),
        ("Seat {result}", read_seat_result),
    )


def parse_tournament(table_kind: str) -> TournamentSet:
    """Read `Tournament "Name" buyIn: 0.90€ + 0.10€ level: 3`."""
    name_and_price, separator, level_text = table_kind.rpartition(" level: ")
    name_and_price, level_text = (name_and_price, level_text) if separator else (table_kind, "")
    price_text = name_and_price.rpartition(" buyIn: ")[2].strip() if " buyIn: " in name_and_price else ""
    return games.parse_costs(price_text, name_and_price.partition(" ")[2], level_text.strip())


FORMAT: Final = build_room_format(
    WinamaxHand,
    "winamax",
    "Winamax text",
    FIRST_WORDS,
    line_test=lambda line: HAND_ID_WORDS in line,
    own_heads=("Winamax",),
    has_odd_amounts=has_no_unusual_amounts,
)
