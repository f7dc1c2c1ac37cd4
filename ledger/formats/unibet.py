"""Reader of Unibet's text (Relax Gaming), in its forms of 2021 to 2023 and of 2026.

`docs/formats/unibet.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from ledger.event import Event
from ledger.hand.betting import CashOutTaken
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import BountyWon, PlayerFinished
from ledger.readers import acts, currencies, games
from ledger.readers.headed_hand import HeadedHand, build_room_format
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows, require_number
from ledger.readers.signatures import build_number_test
from ledger.readers.text_format import HandLines
from ledger.readers.text_hand import build_event_handler
from ledger.vocabulary import Cards, Chips, Seat, Witness

HEADS: Final = ("Unibet Hand #", "Game #")
PREFACE: Final = ("=== HAND HISTORIES ===",)
BRANDS: Final = (" banzai", " hexapro", " fast fold")
"""Words after a game's name that don't change the game."""


class UnibetHand(HeadedHand):
    """Reads a hand with lines such as `Name act €5, and is all-in`, without a colon."""

    VENUE = "Unibet"
    HEAD = HeadTemplates(
        "Unibet Hand #{number}, Tournament #{tournament}, {price} - {low}/{high} - {game} - {written}",
        "Unibet Hand #{number}, Tournament #{tournament} - {low}/{high} - {game} - {written}",
        "Unibet Hand #{number} - {low}/{high} - {game} - {written}",
        "Game #{number}: Table {table} - {low}/{high} - {game} - {written}",
        later_lines=('Table "{table}" {chairs}-max', "*** Seated players{_}"),
        max_digits=20,
    )
    GAMES = games.FLOP | {"omaha5"}
    WITNESSES = Witness.from_names("BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD DROP BLIND_AMOUNTS")
    """The text lacks some awards and returned bets, the live part of a post, the showdown's order, who comes and goes."""
    NAME_ENDINGS = ("",)
    QUIET_SUMMARY = True
    ALL_IN = (", and is all-in", " and is all-in", ", and is all in")
    SEAT_ROWS = ("Seat {seat}: {name} ({amount}) (sitting out){out}", "Seat {seat}: {name} ({amount})")

    @classmethod
    def build_game_events(cls, fields: HeadFields, page: HandLines) -> Iterator[Event]:
        """Read `No Limit Hold'Em - Total prize €4`. The first stack shows the currency."""
        require_number(fields["tournament"] or "0", max_digits=20)
        words = fields["game"].partition(" - ")[0]
        name = words.lower()
        for brand in BRANDS:
            name = name.removesuffix(brand)
        variant, betting = games.parse_game_with_limit(name, cls.GAMES, words)
        seat = next((line for line in page.lines.text[page.head_line : page.end_line] if line.startswith("Seat ")), "")
        stack = seat.replace("(sitting out)", "").rpartition("(")[2]
        elder = fields.lines.get("table") == fields.lines["number"]
        tournament = bool(fields["tournament"]) or (elder and not currencies.find_currency(stack))
        if tournament:
            yield games.parse_costs(fields["price"], fields["table"] if elder else fields["price"])
        unit, stakes = games.find_currency(stack, tournament=tournament), (fields["low"], fields["high"])
        yield games.build_game_set(variant, betting, stakes, unit=unit, exponent=page.exponent, tournament=tournament)

    def begin(self) -> None:
        """Start without known cards."""
        self.dealt_in: set[Seat] = set()
        self.open_hands: dict[Seat, int] = {}  # the index of the event that deals a seat's known cards
        self.total_at = 0  # the line with the declared pot
        self.owner: Seat = 0  # the seat of the text's owner, if a token shows it

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Read `Seat 1: Ada (€0) (sitting out)`. A token after the name marks the owner."""
        name = strip_token(row["name"])
        self.deal_in(seat, name, self.parse_amount(row["amount"]))
        if name != row["name"]:
            self.seats[row["name"]] = self.owner = seat
        if "out" in row:
            self.absence_reasons[seat] = "sitting-out"

    def read_dealt_in(self, name: Seat) -> None:
        """Read `Dealt in Ada`."""
        self.dealt_in.add(name)

    def read_dealt_cards(self, name: Seat, cards: Cards) -> None:
        """Read `Dealt to Ada [8c Jc]`."""
        self.open_hands[name] = len(self.events)
        self.add_event(HoleCardsDealt(name, cards))
        self.dealt_in.add(name)

    def read_total_pot(self, amount: Chips, rake: str = "") -> None:
        """Read `Total pot €1.65 Rake €0`."""
        self.total_at = self.place
        self.declare_total_pot(amount)
        self.take_rake(self.parse_amount(rake) if rake else 0)

    def read_result(self, seat: Seat, who: str, net: Chips) -> bool:
        """Read `Seat 2: Ada: bet €0.05 and won €0, net result: €-0.05`."""
        sits = self.names_by_seat.get(seat) == strip_token(who)
        if sits:
            self.declare_net(seat, net)
        return sits

    def read_win(self, seat: Seat, amount_text: str) -> bool:
        """Read `wins €5`."""
        if " from " in amount_text:
            return False
        self.award(seat, self.parse_amount(amount_text))
        return True

    def read_bounty(self, seat: Seat, prize: Chips, eliminated: str) -> None:
        """Read `wins the €5 bounty for eliminating Bo`."""
        self.add_event(BountyWon(seat, prize, self.find_seat_by_name(eliminated.rstrip(".")) or None))

    def read_cash_out(self, seat: Seat, amount_text: str) -> None:
        """Read `cashed out the hand for €5`."""
        self.add_event(CashOutTaken(seat, self.parse_amount(amount_text.partition(" ")[0].rstrip(","))))

    def finish(self) -> None:
        """Mark the owner's cards, settle the declared pot and complete the hand."""
        self.mark_owner_cards()
        if self.declared_pot is not None:
            self.settle(self.declared_pot)
        self.complete_hand()

    def settle(self, total: Chips) -> None:
        """Infer returned bets, unwritten awards, and players who weren't dealt in."""
        self.place = self.total_at
        self.infer_returns(total)
        seats_left = [seat for seat in self.dealt_in if seat not in self.folded]
        if not self.total_awarded and len(seats_left) == 1 and total > self.total_drop:
            self.inferred.append(len(self.events))
            self.award(seats_left[0], total - self.total_drop)
        for seat in self.seat_event_index:
            if self.dealt_in and seat not in self.dealt_in:
                self.leave_out_as_said(seat)

    def mark_owner_cards(self) -> None:
        """Distinguish the owner's cards from those shown at the showdown."""
        owner = self.owner or (next(iter(self.open_hands)) if len(self.open_hands) == 1 else 0)
        self.has_own_cards = owner in self.open_hands
        for seat, index in self.open_hands.items():
            event = self.events[index]
            if seat != owner and isinstance(event, HoleCardsDealt):
                self.events[index] = HoleCardsDealt(seat, event.cards, how="after")

    REASONS = (
        ("(timed out)", PhraseHand.expire_clock),
        *build_rows(PhraseHand.lose_connection, "(disconnect)", "(disconnected)"),
    )
    ACTIONS = (
        *acts.COMMON_ACTIONS,
        ("raises {_} to {amount}", acts.raise_to),
        ("posts small blind {amount}", acts.post_small_blind),
        ("posts big blind {amount}", acts.post_big_blind),
        ("posts missed small blind {amount}", acts.make_up_small_blind),
        ("posts missed big blind {amount}", acts.make_up_big_blind),
        ("posts new player's blind {amount}", acts.post_to_enter),
        ("posts small & big blinds {amount}", acts.post_both_blinds),
        *build_rows(acts.post_ante, "posts ante {amount}", "posts the ante {amount}"),
        ("posts straddle {amount}", acts.post_straddle),
    )
    PLAYER_LINES = (
        ("shows {_}[{cards}]{claim}", PhraseHand.show_cards),
        *build_rows(PhraseHand.muck_cards, "mucks", "mucks hand"),
        *build_rows(PhraseHand.decline_to_show, "does not show", "doesn't show hand"),
        ("wins the tournament{_}", build_event_handler(partial(PlayerFinished, rank=1))),
        *build_rows(
            read_bounty,
            "wins the {prize} bounty for eliminating {eliminated}",
            "wins {prize} bounty for eliminating {eliminated}",
        ),
        *build_rows(PhraseHand.award_named_pot, "wins {pot}, {amount}", "wins {amount} from {pot}"),
        ("wins {amount_text}", read_win),
        ("finished the tournament in {rank} place{_} received {prize}", PhraseHand.finish_tournament),
        ("finished the tournament in {rank} place{_}", PhraseHand.finish_tournament),
        ("cashed out the hand for {amount_text}", read_cash_out),
    )
    LINES = (
        ("*** {street} ***{groups}", PhraseHand.deal_last_cards),
        ("*** Preflop ***{_}", PhraseHand.finish_deal),
        ("*** Showdown ***{_}", PhraseHand.begin_certain_showdown),
        (PREFACE[0], PhraseHand.ignore_line),  # before the next hand
        ("*** Summary ***{_}", PhraseHand.start_summary),
        *build_rows(
            PhraseHand.ignore_line, "*** Seated players ***{_}", "*** Blinds and button ***{_}", "*** Hole cards ***{_}"
        ),
        ("Dealt in {name}", read_dealt_in),
        ("Dealt to {name} [{cards}]", read_dealt_cards),
        ("Seat {seat}: {who}: bet {_}net result: {net}", read_result),
        ("{name} has the button", PhraseHand.place_button),
        ("Uncalled bet returned to {name}: {amount}", PhraseHand.read_uncalled_return),
        *build_rows(read_total_pot, "Total pot {amount} Rake {rake}", "Total pot {amount}"),
    )


def strip_token(name: str) -> str:
    """Strip the token of `Hero[Unibet_28204e083c0fb55a]`, which changes from file to file."""
    plain_name, separator, token = name.rpartition("[Unibet_")
    return plain_name if separator and token.endswith("]") and token[:-1].isalnum() else name


_elder: Final = build_number_test(": ", "Table ")
FORMAT: Final = build_room_format(
    UnibetHand,
    "unibet",
    "Unibet text (Relax Gaming)",
    *HEADS,
    line_test=lambda line: line[13:14].isdigit() if line[0] == "U" else _elder(line),
    preface=PREFACE,
    own_heads=("Unibet Hand #", *PREFACE),
)
