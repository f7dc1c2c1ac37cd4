"""Hands that PokerTracker exported from rooms that are gone, in its own notations of their text.

`docs/formats/pokertracker.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from ledger.formats.pokertracker.header import (
    FRAMES_BY_FIRST_WORDS,
    PokerTrackerHeader,
    is_first_line,
    parse_game,
    parse_header,
    parse_moment,
    parse_price,
)
from ledger.hand.dealing import DealCompleted
from ledger.hand.ending import CardsMucked, DropTaken, HandCompleted, PlayerFinished, RemarkNoted, ResultDeclared
from ledger.hand.opening import AntePosted, BlindPosted, ButtonPlaced, GameSet, SeatDealtIn
from ledger.people import People
from ledger.readers import acts, payouts, presence
from ledger.readers.cards import CARD_WORDS, build_card_reader, map_unknown_cards
from ledger.readers.currencies import has_no_unusual_amounts
from ledger.readers.incomplete import no_players
from ledger.readers.lines import SourceLines
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows, parse_small_number
from ledger.readers.signatures import list_foreign_heads
from ledger.readers.text_format import HandLines, TextGrammar, build_text_format
from ledger.readers.text_hand import build_event_handler
from ledger.vocabulary import Cards, Chips, Seat, Street, Witness

WITNESSES: Final = Witness.from_names("BUTTON POSTS STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS BLIND_AMOUNTS")
"""What all notations record. None records the dead part of a post, returned bets or side pots' numbers."""
BOARD_LETTERS_BEFORE: Final[dict[Street, int]] = {"turn": 6, "river": 8}
"""A street → the letters of the board cards before it."""
JACKPOT: Final = 50
MAX_RAKE: Final = 300
"""In cents: Merge's `Bad Beat` tables take the jackpot from a pot with a flop, and a twentieth up to the most rake."""
SUIT_FIRST_CARDS: Final = {
    f"{suit}{card[:-1]}": CARD_WORDS[card] for card in CARD_WORDS for suit in (card[-1], card[-1].upper())
}
_read_cards: Final = build_card_reader({**CARD_WORDS, **SUIT_FIRST_CARDS, **map_unknown_cards("X", "XX", "x", "??")})


class PokerTrackerHand(PhraseHand):
    """A hand of an export. A raise's amount is the street's total, or with `raises_add` what it adds."""

    ALL_IN = (", and is all-in", " and is all-in", " (all-in)")
    SEAT_ROWS = ("Seat {seat}: {name} ({amount} in chips){news}", "Seat {seat}: {name} ({amount}){news}")
    STREETS: ClassVar[Mapping[str, Street]] = {
        word: street for street in ("flop", "turn", "river") for word in (street, street.upper())
    }

    def __init__(
        self, lines: SourceLines, people: People, venue: str, game: GameSet, at: int, *, raises_add: bool
    ) -> None:
        super().__init__(lines, people, venue, game, at)
        self.raises_add = raises_add

    def begin(self) -> None:
        """Set up the button, the deal and the results."""
        self.button_and_line: tuple[Seat, int] | None = None  # the seat with the dealer's mark, and its line
        self.is_deal_begun = False  # cards are dealt; all bets before are posts
        self.misfit_calls = 0  # calls that don't match the highest bet
        self.shown_hands: dict[Seat, Cards] = {}  # cards shown
        self.is_rake_told = False  # a line has the rake
        self.has_bad_beat_jackpot = False  # the table has a jackpot, which no line has
        self.declared_pot: Chips | None = None  # the declared pot, with the rake

    def read_cards(self, text: str) -> Cards | None:
        """Return `[Ah 10d]`, `[SA H9]`, `A of c, 10 of d` as cards; None if one of them isn't a card."""
        return _read_cards(text.strip(" []").replace(" of ", ""))

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Seat the player of `Seat 10: Ada ($100.00 in chips) DEALER`, `Seat 1: Ada ($94.15)`."""
        self.deal_in(seat, row["name"], self.parse_amount(row["amount"]))
        self.read_mark(seat, row["news"].lower())

    def read_mark(self, seat: Seat, news: str) -> None:
        """Read the words after a stack: the dealer's mark, and whether the player sits out."""
        if "dealer" in news:
            self.button_and_line = seat, self.place
        if "out" in news or "away" in news:
            self.absence_reasons[seat] = "sitting-out"

    # -- posts and acts ---------------------------------------------------------------------------

    def read_call(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Call by an amount, and count calls that don't match the highest bet."""
        stack = self.stacks[seat]
        is_short_call = all_in or (stack is not None and self.get_chips_put_in(seat) + amount >= stack)
        if self.get_bet(seat) + amount != self.betting.bet_to_call and not is_short_call:
            self.misfit_calls += 1
        self.call(seat, amount, all_in=all_in)

    def read_raise(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Raise to the street's total, or by the added amount."""
        self.raise_to(seat, amount + self.get_bet(seat) if self.raises_add else amount, all_in=all_in)

    def read_all_in(self, seat: Seat, added: Chips, _all_in: bool | None) -> None:
        """Read `Allin $5`, `went all-in - 5`: the added chips; before the deal it is a blind."""
        if self.is_deal_begun:
            acts.go_all_in_by(self, seat, added, True)
        else:
            (acts.post_big_blind if self.betting.bet_to_call else acts.post_small_blind)(self, seat, added, True)

    def read_entry_post(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Read `posts $1`, `Post DB $0.02`, `posted to play - 1.50`: live up to the big blind.

        Merge's "dead blind" is live: its poster calls only the rest of the bet.
        """
        if self.big_blind and amount > self.big_blind:
            self.post_both_blinds(seat, amount, all_in=all_in)
        else:
            acts.post_small_or_big_to_enter(self, seat, amount, all_in)

    def read_dead_blind(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Read `posts the dead blind`, of Everest: below the big blind it is dead, otherwise live."""
        if amount < self.big_blind:
            self.post_blind(seat, "makeup-small", 0, amount, all_in=all_in)
        else:
            self.read_entry_post(seat, amount, all_in)

    # -- cards ------------------------------------------------------------------------------------

    def begin_deal(self) -> None:
        """Read `*** HOLE CARDS ***`."""
        self.is_deal_begun = True
        self.add_event(DealCompleted())

    def deal_own_cards(self, name: Seat, cards: Cards) -> None:
        """Read `** Dealing card to Hero: A of c, 6 of d`, `** Dealing cards to Hero: ..`."""
        self.add_own_cards(name, cards)
        self.begin_deal()

    def deal_to_nobody(self) -> bool:
        """Begin the betting, although the cards belong to no listed player; the line stays unread."""
        self.begin_deal()
        return False

    def deal_new_cards(self, street: Street, cards: Cards) -> None:
        """Deal a street's new cards; some notations repeat the board."""
        letters_before = BOARD_LETTERS_BEFORE.get(street, 0)
        self.deal_board(street, cards[letters_before:] if len(cards) == letters_before + 2 else cards)

    def show_hand(self, seat: Seat, cards: Cards, claim: str = "") -> None:
        """Read `shows [Ah Kd]`, `Shows [DK X] Straight, Ace High`, `shows: 6 of d, K of h`; the same cards count once."""
        self.close_bets()
        if self.shown_hands.get(seat) != cards:
            self.shown_hands[seat] = cards
            self.show_known_cards(seat, cards, claim)

    def muck_hand(self, seat: Seat, cards: Cards = "") -> None:
        """Read `mucked [Ah Kd]`, `Mucks [SA H9] One Pair, Aces`, `mucks:`."""
        self.close_bets()
        self.add_event(CardsMucked(seat, cards))

    # -- the end ----------------------------------------------------------------------------------

    def return_bet(self, amount: Chips, name: Seat) -> None:
        """Read `Uncalled bet of $7 returned to Ada`."""
        self.close_bets()
        self.return_uncalled(name, amount)

    def award_pot(self, seat: Seat, amount: Chips, pot_words: str = "") -> None:
        """Read `wins 5 from the main pot`, `from side pot 1`."""
        side_pot = parse_small_number(pot_words.rpartition(" ")[2].lstrip("#"), 2)
        self.award(seat, amount, 0 if "main pot" in pot_words else side_pot or None)

    def finish_player(self, name: Seat, rank: int, prize_words: str = "") -> None:
        """Read `Ada finished in place 2 and won 0,03 €`; the prize is money, so it is kept in words."""
        self.add_event(PlayerFinished(name, rank))
        if prize_words:
            self.add_event(RemarkNoted(self.people.text(f"won {prize_words}")))

    def declare_pot(self, amount: Chips, dead: Chips | None = None) -> None:
        """Read `Total pot $62.50 Rake $3.00`: the pot is the amount after the rake."""
        self.is_rake_told = dead is not None
        self.declared_pot = amount + (dead or 0)
        self.add_event(ResultDeclared("total-pot", None, self.declared_pot))
        self.take_drop("rake", dead or 0)

    def take_rake(self, amount: Chips) -> None:
        """Read `Rake: €1.50`."""
        self.is_rake_told = True
        self.take_drop("rake", amount)

    def has_fitting_calls(self) -> bool:
        """Whether every call matches the highest bet, and no more is paid than was put in."""
        return not self.misfit_calls and self.total_awarded + self.total_drop <= self.get_total_put_in()

    def finish(self) -> None:
        """Finish the hand: returned bets, rake and the end. A hand is over when its pot is paid."""
        self.close_bets()
        if not self.total_awarded:
            return
        if self.declared_pot is None or self.declared_pot != self.get_total_put_in():
            payouts.split_uncalled_awards(self, is_always_paid=False)
        self.infer_returns(self.declared_pot)
        if not self.is_rake_told:
            self.infer_jackpot()
            payouts.infer_rake(self)
        self.add_end_stacks()
        self.leave_out_silent()
        if self.last_line:
            self.complete_hand()
        else:
            self.add_inferred(HandCompleted())

    def infer_jackpot(self) -> None:
        """Infer the jackpot's drop, if the chips that weren't paid are exactly the room's rake and jackpot."""
        pot_total = self.get_total_put_in()
        usual_rake = min(pot_total // 20, MAX_RAKE)
        if (
            self.has_bad_beat_jackpot
            and self.exponent == 2
            and pot_total - self.total_awarded - self.total_drop == usual_rake + JACKPOT
        ):
            self.total_drop += JACKPOT
            self.add_inferred(DropTaken("jackpot", JACKPOT))

    def restore_stacks_before_posts(self) -> None:
        """Add the posts to the stacks: Merge's tournaments list stacks after the posts."""
        posts_by_seat: dict[Seat, Chips] = {}
        for event in self.events:
            if isinstance(event, AntePosted):
                posts_by_seat[event.seat] = posts_by_seat.get(event.seat, 0) + event.amount
            elif isinstance(event, BlindPosted):
                posts_by_seat[event.seat] = posts_by_seat.get(event.seat, 0) + event.live + event.dead
        for seat, amount in posts_by_seat.items():
            index = self.seat_event_index[seat]
            event = self.events[index]
            if isinstance(event, SeatDealtIn) and event.stack is not None:
                self.stacks[seat] = event.stack + amount
                self.events[index] = SeatDealtIn(seat, event.player, event.stack + amount)
                self.inferred.append(index)

    def has_mark_at_small_blind(self) -> bool:
        """Whether the dealer's mark, which needs a listed player, is at the small blind of three or more players.

        Then the button is dead, at an empty seat, which such a list can't mark.
        """
        small_blind_seats = [
            event.seat for event in self.events if isinstance(event, BlindPosted) and event.role == "small"
        ]
        return (
            self.button_and_line is not None
            and small_blind_seats == [self.button_and_line[0]]
            and len(self.seats) - len(self.absence_reasons) > 2
        )

    PLAYER_LINES = (
        *build_rows(show_hand, "shows [{cards}]{claim}", "Shows [{cards}]{claim}", "shows: {cards}"),
        *build_rows(
            muck_hand, "mucked [{cards}]{_}", "Mucks [{cards}]{_}", "mucks: {cards}", "mucked", "Mucks", "mucks"
        ),
        ("mucks:", muck_hand),
        ("wins {amount} (uncalled)", lambda hand, seat, amount: hand.return_bet(amount, seat)),
        *build_rows(award_pot, "wins {amount} from {pot_words}", "wins {amount}", "collects {amount} from {pot_words}"),
        ("collects {amount}", award_pot),
        *build_rows(PhraseHand.lose_connection, "has been disconnected{_}", "has disconnected{_}"),
        *build_rows(presence.sit_out, "sits out", "is sitting out", "Sitout", "sat out"),
    )
    LINES = (
        ("*** HOLE CARDS ***{_}", begin_deal),
        ("*** SUMMARY ***{_}", PhraseHand.ignore_line),
        *build_rows(deal_new_cards, "*** {street} ***{cards}", "** Dealing the {street}: {cards}"),
        *build_rows(deal_own_cards, "** Dealing card to {name}: {cards}", "** Dealing cards to {name}: {cards}"),
        ("** Dealing card{_}: {_}", deal_to_nobody),
        ("Dealt to {name} [{cards}]", PhraseHand.add_own_cards),
        ("The button is in seat #{seat}", build_event_handler(ButtonPlaced)),
        ("Uncalled bet of {amount} returned to {name}", return_bet),
        *build_rows(
            finish_player, "{name} finished in place {rank} and won {prize_words}", "{name} finished in place {rank}"
        ),
        *build_rows(declare_pot, "Total pot {amount} Rake {dead}", "Total pot {amount}"),
        ("Rake: {amount}", take_rake),
        ("End of game {_}", PhraseHand.end_hand),
    )


class EverestExportHand(PokerTrackerHand):
    """Everest's words: `Ada calls $1`."""

    NAME_ENDINGS = ("",)
    ACTIONS = (
        ("folds", acts.fold),
        ("checks", acts.check),
        ("calls {amount}", PokerTrackerHand.read_call),
        ("bets {amount}", acts.wager_by),
        ("raises to {amount}", PokerTrackerHand.read_raise),
        ("posts the small blind of {amount}", acts.post_small_blind),
        ("posts the big blind of {amount}", acts.post_big_blind),
        ("posts the dead blind of {amount}", PokerTrackerHand.read_dead_blind),
        *build_rows(acts.post_ante, "posts the ante of {amount}", "posts an ante of {amount}"),
        ("posts {amount}", PokerTrackerHand.read_entry_post),
    )


class ColonExportHand(PokerTrackerHand):
    """iPoker's and Merge's words: `Ada: Call $1`."""

    NAME_ENDINGS = (":",)
    ACTIONS = (
        ("Fold", acts.fold),
        ("Check", acts.check),
        *build_rows(PokerTrackerHand.read_call, "Call (AI) {amount}", "Call {amount}"),
        *build_rows(acts.wager_by, "Bet (AI) {amount}", "Bet {amount}"),
        *build_rows(
            PokerTrackerHand.read_raise,
            "Raise (NF) {amount}",
            "Raise (AI) {amount}",
            "Raise to {amount}",
            "Raise {amount}",
        ),
        ("Allin {amount}", PokerTrackerHand.read_all_in),
        ("SB {amount}", acts.post_small_blind),
        ("BB {amount}", acts.post_big_blind),
        ("Ante {amount}", acts.post_ante),
        ("Post SB Allin {amount}", lambda hand, seat, amount, _all_in: acts.post_small_blind(hand, seat, amount, True)),
        ("Post BB Allin {amount}", lambda hand, seat, amount, _all_in: acts.post_big_blind(hand, seat, amount, True)),
        ("Post SB {amount}", acts.post_small_blind),
        ("Post BB {amount}", acts.post_big_blind),
        ("Post Ante {amount}", acts.post_ante),
        *build_rows(PokerTrackerHand.read_entry_post, "Post DB {amount}", "Post {amount}"),
    )


class DashExportHand(PokerTrackerHand):
    """Microgaming's words: `Ada called - $1`. Unless raises add, a call's amount is the street's total too."""

    NAME_ENDINGS = ("",)
    SEAT_ROWS = (
        "- {name} sitting in seat {seat} with {stack_and_news}",
        "{name} sitting in seat {seat} with {stack_and_news}",
    )

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Seat the player of `- Ada sitting in seat 1 with €10.00 at end €9.95 [Dealer]`."""
        stack_text, _, news = row["stack_and_news"].partition("[")
        stack_text, _, end_text = stack_text.partition(" at end ")
        self.deal_in(seat, row["name"], self.parse_amount(stack_text.strip()))
        if end_text:
            self.end_stacks[seat] = self.parse_amount(end_text.strip()), self.place
        self.read_mark(seat, news.lower())

    def read_call(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Call by an amount, or to the street's total."""
        super().read_call(seat, amount if self.raises_add else amount - self.get_bet(seat), all_in)

    ACTIONS = (
        ("folded", acts.fold),
        ("checked", acts.check),
        ("called - {amount}", read_call),
        ("bet - {amount}", acts.wager_by),
        *build_rows(PokerTrackerHand.read_raise, "raised - {amount}", "raised to {amount}"),
        ("went all-in - {amount}", PokerTrackerHand.read_all_in),
        ("posted the small blind - {amount}", acts.post_small_blind),
        ("posted the big blind - {amount}", acts.post_big_blind),
        *build_rows(acts.post_ante, "posted the ante - {amount}", "posted ante - {amount}"),
        ("posted to play - {amount}", PokerTrackerHand.read_entry_post),
    )


HAND_CLASSES: Final = {"everest": EverestExportHand, "colon": ColonExportHand, "dash": DashExportHand}


def read_hand(page: HandLines) -> PokerTrackerHand:
    """Read one hand. If calls don't fit the raises, raises are read the other way, if that fits."""
    line_texts = page.lines.text
    header = parse_header(line_texts, page.first_line, page.end_line)
    if header.seat_list_start == page.end_line:
        raise no_players(f"{header.venue}'s hand breaks off before its list of seats")
    # In iPoker's archive, which names the server, a raise's amount is what it adds.
    is_archive = header.first_words == "GAME #" and any(
        line.startswith("Server ") for line in line_texts[page.first_line : header.seat_list_start]
    )
    raises_add = header.frame == "dash" or is_archive
    hand = _read_hand_as(page, header, raises_add=raises_add)
    if not hand.has_fitting_calls():
        other_reading = _read_hand_as(page, header, raises_add=not raises_add)
        if other_reading.has_fitting_calls():
            return other_reading
    return hand


def _read_hand_as(page: HandLines, header: PokerTrackerHeader, *, raises_add: bool) -> PokerTrackerHand:
    game_set = parse_game(header, page.lines.text[header.seat_list_start : page.end_line], page.exponent)
    hand = HAND_CLASSES[header.frame](
        page.lines, page.people, header.venue, game_set, page.first_line, raises_add=raises_add
    )
    if header.is_tournament:
        hand.add_event(parse_price(header))
    hand.add_event(game_set)
    hand.has_bad_beat_jackpot = header.table.startswith("Bad Beat")
    line_after_seats = hand.read_seats(header.seat_list_start, page.end_line)
    button_index = len(hand.events)
    if hand.button_and_line is not None:
        hand.place = hand.button_and_line[1]
        hand.add_event(ButtonPlaced(hand.button_and_line[0]))
    hand.read_body(line_after_seats, page.end_line)
    hand.finish()
    if header.first_words == "MERGE_GAME #" and header.is_tournament:
        hand.restore_stacks_before_posts()
    witnesses = WITNESSES | (int(Witness.STACKS_AFTER) if hand.end_stacks else 0)
    if hand.has_mark_at_small_blind():
        hand.events[button_index] = RemarkNoted(page.people.text("DEALER"))
        witnesses &= ~int(Witness.BUTTON)
    hand.open_hand(
        header.table, header.number, witnesses, parse_moment(header), header.date_text, header.chairs, header.tournament
    )
    return hand


_GRAMMAR: Final = TextGrammar(
    is_first_line,
    list_foreign_heads(*FRAMES_BY_FIRST_WORDS),
    read_hand,
    initials="EGM*\ufeff \t",
    has_odd_amounts=has_no_unusual_amounts,
)
FORMAT: Final = build_text_format("pokertracker", "PokerTracker export", _GRAMMAR, tuple(FRAMES_BY_FIRST_WORDS))
