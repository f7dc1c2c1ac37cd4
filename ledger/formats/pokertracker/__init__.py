"""Hands that PokerTracker exported: rooms that are gone, in the tracker's frames of their words.

`docs/formats/pokertracker.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from ledger.formats.pokertracker.header import HEADS, Head, begins, head, price, setup, started
from ledger.hand.dealing import DealCompleted
from ledger.hand.ending import CardsMucked, DropTaken, HandCompleted, PlayerFinished, RemarkNoted, ResultDeclared
from ledger.hand.opening import AntePosted, BlindPosted, ButtonPlaced, GameSet, SeatDealtIn
from ledger.people import People
from ledger.readers import acts, presence, settling
from ledger.readers.cards import CARD_WORDS, card_reader, unknown_card_words
from ledger.readers.currencies import never_odd
from ledger.readers.incomplete import no_players
from ledger.readers.lines import Lines
from ledger.readers.phrases import rows_told_by, small_number
from ledger.readers.reading import HandPage, TextGrammar, text_format
from ledger.readers.room import PhraseHand
from ledger.readers.signatures import foreign_heads
from ledger.readers.telling import event_teller
from ledger.vocabulary import Cards, Chips, Seat, Street, Witness

WITNESSES: Final = Witness.of("BUTTON POSTS STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS BLIND_AMOUNTS")
"""What all frames record; which part of a post is dead, returned bets and side pots' numbers none does."""
LAIN: Final[dict[Street, int]] = {"turn": 6, "river": 8}
"""How long the cards are that lie before a street."""
JACKPOT: Final = 50
RAKE_MOST: Final = 300
"""In cents: Merge's `Bad Beat` tables take so much of a pot with a flop, and beside it a twentieth up to so much."""
TURNED: Final = {f"{suit}{card[:-1]}": CARD_WORDS[card] for card in CARD_WORDS for suit in (card[-1], card[-1].upper())}
_read_cards: Final = card_reader({**CARD_WORDS, **TURNED, **unknown_card_words("X", "XX", "x", "??")})


class Hand(PhraseHand):
    """The hand being read. `adds`: the number of a raise is what it adds, not the street's total."""

    ALL_IN = (", and is all-in", " and is all-in", " (all-in)")
    SEAT_ROWS = ("Seat {seat}: {name} ({amount} in chips){news}", "Seat {seat}: {name} ({amount}){news}")
    STREETS: ClassVar[Mapping[str, Street]] = {
        word: street for street in ("flop", "turn", "river") for word in (street, street.upper())
    }

    def __init__(self, lines: Lines, people: People, venue: str, game: GameSet, at: int, *, adds: bool) -> None:
        super().__init__(lines, people, venue, game, at)
        self.adds = adds

    def begin(self) -> None:
        """Know nothing yet of the button, the deal and the end."""
        self.button_and_line: tuple[Seat, int] | None = None  # whom the list marks, and where
        self.begun = False  # cards are dealt: what comes before are posts
        self.misfits = 0  # calls that reach another bet than the highest
        self.hands: dict[Seat, Cards] = {}  # cards shown
        self.raked = False  # a line tells the rake
        self.bad_beat = False  # the table has a jackpot, of which no line tells
        self.declared: Chips | None = None  # the pot that a line tells, with the rake

    def read_cards(self, text: str) -> Cards | None:
        """Return `[Ah 10d]`, `[SA H9]`, `A of c, 10 of d` as cards; None where one of them is no card."""
        return _read_cards(text.strip(" []").replace(" of ", ""))

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Take `Seat 10: Ada ($100.00 in chips) DEALER`, `Seat 1: Ada ($94.15)`."""
        self.deal_in(seat, row["name"], self.amount(row["amount"]))
        self.marked(seat, row["news"].lower())

    def marked(self, seat: Seat, news: str) -> None:
        """Take what stands behind a stack: the dealer's mark, and who sits out."""
        if "dealer" in news:
            self.button_and_line = seat, self.place
        if "out" in news or "away" in news:
            self.absence_reasons[seat] = "sitting-out"

    # -- posts and acts ---------------------------------------------------------------------------

    def calls(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Call with so many chips more, and see whether that reaches the highest bet."""
        stack = self.stacks[seat]
        short = all_in or (stack is not None and self.chips_put_in(seat) + amount >= stack)
        if self.bet_of(seat) + amount != self.betting.bet_to_call and not short:
            self.misfits += 1
        self.call(seat, amount, all_in=all_in)

    def raises(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Raise to the street's total, or by what is added."""
        self.raise_to(seat, amount + self.bet_of(seat) if self.adds else amount, all_in=all_in)

    def puts_all_in(self, seat: Seat, added: Chips, _all_in: bool | None) -> None:
        """Tell `Allin $5`, `went all-in - 5`: chips added; before the deal it is a blind."""
        if self.begun:
            acts.puts_all_in(self, seat, added, True)
        else:
            (acts.big_blind if self.betting.bet_to_call else acts.small_blind)(self, seat, added, True)

    def enters(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Tell `posts $1`, `Post DB $0.02`, `posted to play - 1.50`: live up to the big blind.

        What is called a dead blind is live in Merge's hands: who posted it calls the rest.
        """
        if self.big_blind and amount > self.big_blind:
            self.post_both_blinds(seat, amount, all_in=all_in)
        else:
            acts.enters_small_or_big(self, seat, amount, all_in)

    def dead_one(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Tell Everest's `dead blind`: a small one is dead, of a big one the seat checks."""
        if amount < self.big_blind:
            self.post_blind(seat, "makeup-small", 0, amount, all_in=all_in)
        else:
            self.enters(seat, amount, all_in)

    # -- cards ------------------------------------------------------------------------------------

    def deal_begins(self) -> None:
        """Read `*** HOLE CARDS ***`."""
        self.begun = True
        self.add_event(DealCompleted())

    def deals(self, name: Seat, cards: Cards) -> None:
        """Read `** Dealing card to Hero: A of c, 6 of d`, `** Dealing cards to Hero: ..`."""
        self.own_cards(name, cards)
        self.deal_begins()

    def deals_to_nobody(self) -> bool:
        """Begin the betting though the cards are nobody's who is listed; the line stays unread."""
        self.deal_begins()
        return False

    def board_comes(self, street: Street, cards: Cards) -> None:
        """Tell a street's new cards; some frames repeat those that lie there."""
        before = LAIN.get(street, 0)
        self.deal_board(street, cards[before:] if len(cards) == before + 2 else cards)

    def shows_hand(self, seat: Seat, cards: Cards, claim: str = "") -> None:
        """Read `shows [Ah Kd]`, `Shows [DK X] Straight, Ace High`, `shows: 6 of d, K of h`; told again it is nothing."""
        self.close_bets()
        if self.hands.get(seat) != cards:
            self.hands[seat] = cards
            self.shows_known(seat, cards, claim)

    def mucks_hand(self, seat: Seat, cards: Cards = "") -> None:
        """Read `mucked [Ah Kd]`, `Mucks [SA H9] One Pair, Aces`, `mucks:`."""
        self.close_bets()
        self.add_event(CardsMucked(seat, cards))

    # -- the end ----------------------------------------------------------------------------------

    def gives_back(self, amount: Chips, name: Seat) -> None:
        """Read `Uncalled bet of $7 returned to Ada`."""
        self.close_bets()
        self.return_uncalled(name, amount)

    def wins_pot(self, seat: Seat, amount: Chips, told: str = "") -> None:
        """Read `wins 5 from the main pot`, `from side pot 1`."""
        which = small_number(told.rpartition(" ")[2].lstrip("#"), 2)
        self.award(seat, amount, 0 if "main pot" in told else which or None)

    def finished(self, name: Seat, rank: int, told: str = "") -> None:
        """Read `Ada finished in place 2 and won 0,03 €`; the prize is money, not the hand's chips: it stays in its words."""
        self.add_event(PlayerFinished(name, rank))
        if told:
            self.add_event(RemarkNoted(self.people.text(f"won {told}")))

    def pot_is(self, amount: Chips, dead: Chips | None = None) -> None:
        """Read `Total pot $62.50 Rake $3.00`: the pot is told after the rake."""
        self.raked = dead is not None
        self.declared = amount + (dead or 0)
        self.add_event(ResultDeclared("total-pot", None, self.declared))
        self.take_drop("rake", dead or 0)

    def rake_is(self, amount: Chips) -> None:
        """Read `Rake: €1.50`."""
        self.raked = True
        self.take_drop("rake", amount)

    def fits(self) -> bool:
        """Tell whether every call reaches the highest bet, and no more is paid than was put in."""
        return not self.misfits and self.total_awarded + self.total_drop <= self.total_put_in()

    def finish(self) -> None:
        """Do what only the whole hand can tell; a hand is over when its pot is paid."""
        self.close_bets()
        if not self.total_awarded:
            return
        if self.declared is None or self.declared != self.total_put_in():
            settling.split_uncalled_awards(self, always=False)
        self.infer_returns(self.declared)
        if not self.raked:
            self.infer_jackpot()
            settling.infer_rake(self)
        self.tell_ends()
        self.leave_out_silent()
        if self.last_line:
            self.complete_hand()
        else:
            self.add_inferred(HandCompleted())

    def infer_jackpot(self) -> None:
        """Infer what a table's jackpot took, where rake and jackpot together are to the chip what the room takes."""
        total = self.total_put_in()
        raked = min(total // 20, RAKE_MOST)
        if self.bad_beat and self.exponent == 2 and total - self.total_awarded - self.total_drop == raked + JACKPOT:
            self.total_drop += JACKPOT
            self.add_inferred(DropTaken("jackpot", JACKPOT))

    def stacks_before_posts(self) -> None:
        """Count the posts into the stacks: Merge's tournaments list what is left behind them."""
        posted: dict[Seat, Chips] = {}
        for event in self.events:
            if isinstance(event, AntePosted):
                posted[event.seat] = posted.get(event.seat, 0) + event.amount
            elif isinstance(event, BlindPosted):
                posted[event.seat] = posted.get(event.seat, 0) + event.live + event.dead
        for seat, amount in posted.items():
            index = self.seat_event_index[seat]
            event = self.events[index]
            if isinstance(event, SeatDealtIn) and event.stack is not None:
                self.stacks[seat] = event.stack + amount
                self.events[index] = SeatDealtIn(seat, event.player, event.stack + amount)
                self.inferred.append(index)

    def marks_small(self) -> bool:
        """Say whether the dealer's mark, which can stand at a listed player only, is at the small blind of three or more.

        There the button is dead, at a chair that nobody has: such a list cannot mark it.
        """
        small = [one.seat for one in self.events if isinstance(one, BlindPosted) and one.role == "small"]
        return (
            self.button_and_line is not None
            and small == [self.button_and_line[0]]
            and len(self.seats) - len(self.absence_reasons) > 2
        )

    PLAYER_LINES = (
        *rows_told_by(shows_hand, "shows [{cards}]{claim}", "Shows [{cards}]{claim}", "shows: {cards}"),
        *rows_told_by(
            mucks_hand, "mucked [{cards}]{_}", "Mucks [{cards}]{_}", "mucks: {cards}", "mucked", "Mucks", "mucks"
        ),
        ("mucks:", mucks_hand),
        ("wins {amount} (uncalled)", lambda hand, seat, amount: hand.gives_back(amount, seat)),
        *rows_told_by(wins_pot, "wins {amount} from {told}", "wins {amount}", "collects {amount} from {told}"),
        ("collects {amount}", wins_pot),
        *rows_told_by(PhraseHand.disconnects, "has been disconnected{_}", "has disconnected{_}"),
        *rows_told_by(presence.sits_out, "sits out", "is sitting out", "Sitout", "sat out"),
    )
    LINES = (
        ("*** HOLE CARDS ***{_}", deal_begins),
        ("*** SUMMARY ***{_}", PhraseHand.ignores),
        *rows_told_by(board_comes, "*** {street} ***{cards}", "** Dealing the {street}: {cards}"),
        *rows_told_by(deals, "** Dealing card to {name}: {cards}", "** Dealing cards to {name}: {cards}"),
        ("** Dealing card{_}: {_}", deals_to_nobody),
        ("Dealt to {name} [{cards}]", PhraseHand.own_cards),
        ("The button is in seat #{seat}", event_teller(ButtonPlaced)),
        ("Uncalled bet of {amount} returned to {name}", gives_back),
        *rows_told_by(finished, "{name} finished in place {rank} and won {told}", "{name} finished in place {rank}"),
        *rows_told_by(pot_is, "Total pot {amount} Rake {dead}", "Total pot {amount}"),
        ("Rake: {amount}", rake_is),
        ("End of game {_}", PhraseHand.ends_hand),
    )


class Everest(Hand):
    """Everest's words: `Ada calls $1`."""

    NAME_ENDINGS = ("",)
    ACTIONS = (
        ("folds", acts.folds),
        ("checks", acts.checks),
        ("calls {amount}", Hand.calls),
        ("bets {amount}", acts.wagers_by),
        ("raises to {amount}", Hand.raises),
        ("posts the small blind of {amount}", acts.small_blind),
        ("posts the big blind of {amount}", acts.big_blind),
        ("posts the dead blind of {amount}", Hand.dead_one),
        *rows_told_by(acts.antes, "posts the ante of {amount}", "posts an ante of {amount}"),
        ("posts {amount}", Hand.enters),
    )


class Colon(Hand):
    """iPoker's and Merge's words: `Ada: Call $1`."""

    NAME_ENDINGS = (":",)
    ACTIONS = (
        ("Fold", acts.folds),
        ("Check", acts.checks),
        *rows_told_by(Hand.calls, "Call (AI) {amount}", "Call {amount}"),
        *rows_told_by(acts.wagers_by, "Bet (AI) {amount}", "Bet {amount}"),
        *rows_told_by(Hand.raises, "Raise (NF) {amount}", "Raise (AI) {amount}", "Raise to {amount}", "Raise {amount}"),
        ("Allin {amount}", Hand.puts_all_in),
        ("SB {amount}", acts.small_blind),
        ("BB {amount}", acts.big_blind),
        ("Ante {amount}", acts.antes),
        ("Post SB Allin {amount}", lambda hand, seat, amount, _all_in: acts.small_blind(hand, seat, amount, True)),
        ("Post BB Allin {amount}", lambda hand, seat, amount, _all_in: acts.big_blind(hand, seat, amount, True)),
        ("Post SB {amount}", acts.small_blind),
        ("Post BB {amount}", acts.big_blind),
        ("Post Ante {amount}", acts.antes),
        *rows_told_by(Hand.enters, "Post DB {amount}", "Post {amount}"),
    )


class Dash(Hand):
    """Microgaming's words: `Ada called - $1`. Without `adds` calls too are the street's total."""

    NAME_ENDINGS = ("",)
    SEAT_ROWS = ("- {name} sitting in seat {seat} with {told}", "{name} sitting in seat {seat} with {told}")

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Take `- Ada sitting in seat 1 with €10.00 at end €9.95 [Dealer]`."""
        stack, _, news = row["told"].partition("[")
        stack, _, end = stack.partition(" at end ")
        self.deal_in(seat, row["name"], self.amount(stack.strip()))
        if end:
            self.end_stacks[seat] = self.amount(end.strip()), self.place
        self.marked(seat, news.lower())

    def calls(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Call with so many chips more, or to the street's total."""
        super().calls(seat, amount if self.adds else amount - self.bet_of(seat), all_in)

    ACTIONS = (
        ("folded", acts.folds),
        ("checked", acts.checks),
        ("called - {amount}", calls),
        ("bet - {amount}", acts.wagers_by),
        *rows_told_by(Hand.raises, "raised - {amount}", "raised to {amount}"),
        ("went all-in - {amount}", Hand.puts_all_in),
        ("posted the small blind - {amount}", acts.small_blind),
        ("posted the big blind - {amount}", acts.big_blind),
        *rows_told_by(acts.antes, "posted the ante - {amount}", "posted ante - {amount}"),
        ("posted to play - {amount}", Hand.enters),
    )


FRAMES: Final = {"everest": Everest, "colon": Colon, "dash": Dash}


def tell(page: HandPage) -> Hand:
    """Read one hand. Where calls do not fit raises read one way, and do the other way, that one holds."""
    text = page.lines.text
    found = head(text, page.first_line, page.end_line)
    if found.behind == page.end_line:
        raise no_players(f"{found.venue}'s hand breaks off before its list of seats")
    # iPoker's archive, which names the server, writes what a raise adds.
    archive = found.opening == "GAME #" and any(
        line.startswith("Server ") for line in text[page.first_line : found.behind]
    )
    adds = found.frame == "dash" or archive
    hand = _tell(page, found, adds=adds)
    if not hand.fits():
        other = _tell(page, found, adds=not adds)
        if other.fits():
            return other
    return hand


def _tell(page: HandPage, found: Head, *, adds: bool) -> Hand:
    game = setup(found, page.lines.text[found.behind : page.end_line], page.exponent)
    hand = FRAMES[found.frame](page.lines, page.people, found.venue, game, page.first_line, adds=adds)
    if found.is_tournament:
        hand.add_event(price(found))
    hand.add_event(game)
    hand.bad_beat = found.table.startswith("Bad Beat")
    k = hand.read_seats(found.behind, page.end_line)
    marked = len(hand.events)
    if hand.button_and_line is not None:
        hand.place = hand.button_and_line[1]
        hand.add_event(ButtonPlaced(hand.button_and_line[0]))
    hand.read_body(k, page.end_line)
    hand.finish()
    if found.opening == "MERGE_GAME #" and found.is_tournament:
        hand.stacks_before_posts()
    witnesses = WITNESSES | (int(Witness.STACKS_AFTER) if hand.end_stacks else 0)
    if hand.marks_small():
        hand.events[marked] = RemarkNoted(page.people.text("DEALER"))
        witnesses &= ~int(Witness.BUTTON)
    hand.open_hand(found.table, found.number, witnesses, started(found), found.written, found.chairs, found.tournament)
    return hand


_GRAMMAR: Final = TextGrammar(begins, foreign_heads(*HEADS), tell, initials="EGM*\ufeff \t", has_odd_amounts=never_odd)
FORMAT: Final = text_format("pokertracker", "PokerTracker export", _GRAMMAR, tuple(HEADS))
