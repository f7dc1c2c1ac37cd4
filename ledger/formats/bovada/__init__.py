"""Bovada's text, and that of Bodog and Ignition: positions instead of names, all hole cards known.

`docs/formats/bovada.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import ClassVar, Final

from ledger.formats.bovada import header
from ledger.formats.bovada.hand import DEAL, NEXT, BovadaPositions
from ledger.formats.bovada.header import FOREIGN, INFO, ZONE, begins, breaks, seats
from ledger.hand.betting import BetReturned, ClockExpired, Folded
from ledger.hand.ending import BountyWon, CardsMucked, CardsShown, HandCompleted, PlayerFinished, ShowdownBegun
from ledger.hand.opening import HandOpened, OptionSet
from ledger.presence import ChipsAdded, ConnectionLost
from ledger.readers import acts, amounts, presence, stud
from ledger.readers.acts import TellAction
from ledger.readers.currencies import SYMBOLS
from ledger.readers.phrases import rows_told_by, small_number
from ledger.readers.reading import HandPage, TextGrammar, text_format
from ledger.readers.room import PhraseHand, PhraseRows
from ledger.readers.signatures import begins_other_hand
from ledger.readers.telling import event_teller
from ledger.table.pools import ANONYMOUS
from ledger.vocabulary import Cards, Chips, Seat, Street, Witness

WITNESSES: Final = Witness.of(
    "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS RETURNED_BETS CLOCKS"
)
"""What the text records whenever it happens.

Who sits down, leaves or sits out is told as well, but mostly without saying who it was: no witness.
`ALL_CARDS` is added where every seat's cards are told, `DROP` and `BLIND_AMOUNTS` where they are.
"""
HEADINGS: Final = frozenset(("3rd street", "4th street", "5th street", "6th street", "river"))
"""What stands above cards of stud, where anything does; the street begins with the first card dealt twice."""
REASONS: Final = ("timeout", "auth", "disconnect", "disconnected")
"""What may stand in brackets behind an act: the room made it."""
ONCE: Final = (
    *("fold", "check", "call", "bet", "raise", "all-in", "small blind", "ante/small blind", "big blind", "ante chip"),
    *("posts chip", "posts dead chip", "bring_in chip", "return uncalled", "hand result", "ranking"),
)
"""How begins what nobody does twice running."""
_VALUE: Final = re.compile(rf"[{re.escape(''.join(SYMBOLS))}\d\[]")
_LONGEST: Final = 300


def plays(make: TellAction, *, raises: bool = False) -> TellAction:
    """Return how an act is told before which streets may be hidden, and which others may answer."""

    def told(hand: BovadaPositions, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        hand.before_act()
        make(hand, seat, amount, all_in)
        hand.acts_now(seat, raises=raises)

    return told


@lru_cache(maxsize=20_000)
def small_words(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Return the words before the first value in small letters, the rest, and the reasons in brackets.

    >>> small_words("Folds (auth-disconnect)")
    ('folds', '', ('auth', 'disconnect'))
    """
    value = _VALUE.search(text)
    at = value.start() if value else len(text)
    head = text[:at].rstrip().lower()
    words, bracket, inner = head.partition("(")
    inner, _, behind = inner.partition(")")
    parts = inner.replace("-", " ").split()
    flags = tuple(part for part in parts if part in REASONS)
    if bracket and flags:
        kept = " ".join(part for part in parts if part not in REASONS and part != "blind")
        head = f"{words.strip()}({kept}){behind}" if kept else f"{words.strip()}{behind}"
    return " ".join(head.split()), text[at:], flags


class BovadaHand(BovadaPositions):
    """The hand being read: `Position : Act $5`; the tables have its words in small letters and ` = ` before a value."""

    # -- line by line -----------------------------------------------------------------------------

    def read_body(self, k: int, after: int) -> None:
        """Read lines `k` up to `after`: a position ends with a colon between blanks."""
        text, known, positions = self.lines.text, self.acts_read, self.positions
        while k < after:
            line = text[k]
            self.place = k
            k += 1
            who, colon, rest = line.partition(" : ")
            if not colon or self.last_summary:
                if (bare := line.strip()) and not self.read_line(bare):
                    self.add_unread(line)
                continue
            seat = positions.get(who) or self.find(who)
            if not seat:
                if not line.startswith("Dealer : Set dealer"):  # a button that lies before nobody
                    self.add_unread(line)
            elif line == text[k - 2] and self.repeats(rest):
                self.add_remark()
            elif not (
                (told := known.get(rest)) and told[0](self, seat, told[1], told[2]) is not False
            ) and not self.read_action(seat, rest):
                self.add_unread(line)

    def repeats(self, rest: str) -> bool:
        """Tell whether a line that says what the one before it says is that line again.

        The room's files of 2014 hold such lines two to four times, and declare a pot with one of them:
        nobody acts twice running. Only where streets are not told, a check may follow a check; and
        of a pot for high and low a seat may get both halves.
        """
        if not rest.startswith(DEAL) and (self.hidden_board or (self.hi_lo and "esult" in rest)):
            return False
        return rest.startswith(DEAL) or small_words(rest.strip())[0].startswith(ONCE)

    def read_action(self, seat: Seat, rest: str) -> bool:
        """Read what a position does, also where the room did it for want of time or connection."""
        if rest.startswith(DEAL):
            cards = self.read_cards(rest[len(DEAL) :].rstrip("] "))
            self.dealing = self.dealing or cards is not None
            return cards is not None and self.deal(seat, cards)
        bare = rest.strip()
        if len(bare) > _LONGEST:
            return False
        words, value, flags = small_words(bare)
        text = f"{words} = {value}" if value else words
        if flags and words:
            self.before_act()
            if "disconnect" in flags or "disconnected" in flags:
                self.add_event(ConnectionLost(seat, self.player_of[seat]))
            if "timeout" in flags or "auth" in flags:
                gone = "disconnect" in flags or "disconnected" in flags
                self.add_event(ClockExpired(seat, False if gone else None))
        done = super().read_action(seat, text)
        if done and not flags and text in self.acts_read:
            self.acts_read[rest] = self.acts_read[text]
        return done

    def read_line(self, line: str) -> bool:
        """Read a line that names no position; before the summary its words may be in any letters."""
        if not self.last_summary and len(line) < _LONGEST and not line.startswith(INFO):
            words, value, _ = small_words(line)
            line = f"{words} = {value}" if value else words
        return super().read_line(line)

    # -- acts -------------------------------------------------------------------------------------

    def folds_shown(self, seat: Seat, told: str) -> bool:
        """Read `Folds & Shows [4s 5h] Show1 [4s]`: the last bracket holds what is shown."""
        cards = self.read_cards(told.rpartition("[")[2].rstrip("] "))
        if not cards:
            return False
        self.before_act()
        self.folded.add(seat)
        self.add_event(Folded(seat, cards))
        self.acts_now(seat)
        return True

    def raises_all_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `All-in(raise) $5 to $8`: the street's total."""
        self.raise_to(seat, amount, all_in=True)

    def all_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `All-in $5`: chips added, as a post, a bet, a call or a short raise."""
        if self.dealing:
            self.before_act()
            before = self.betting.bet_to_call
            self.wager(seat, self.bet_of(seat) + amount, all_in=True)
            self.acts_now(seat, raises=self.betting.bet_to_call > before)
            return
        name = next((name for name, one in self.seats.items() if one == seat), "")
        if self.antes and name not in self.antes:
            self.post_ante(seat, amount, all_in=True)
        elif name == "Big Blind":
            self.post_blind(seat, "big", amount, all_in=True)
        elif name == "Small Blind" or (name == "Dealer" and len(self.stacks) == 2):
            self.post_blind(seat, "small", amount, all_in=True)
        else:
            self.post_blind(seat, "entry", amount, all_in=True)

    def big_or_bring_in(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Read `Big blind/Bring in $0.25`: which of the two it is, the game tells."""
        if stud.is_stud(self):
            self.brings_in(seat, amount, all_in)
        else:
            acts.big_blind(self, seat, amount, all_in)

    def brings_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `Bring_in chip $0.25`."""
        self.deal_over()
        self.post_bring_in(seat, amount)

    def goes_back(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `Return uncalled portion of bet $5`: before the deal it may be of an ante that nobody could match."""
        if self.dealing:
            self.return_uncalled(seat, amount)
        else:
            self.refund(seat, amount)

    def deposits(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `Table deposit $5`."""
        self.add_event(ChipsAdded(seat, amount, "top-up", player=self.player_of[seat]))

    # -- the end of a hand ------------------------------------------------------------------------

    def begins_showdown(self) -> None:
        """Begin the showdown, once."""
        if not self.showing:
            self.showing = True
            self.run_out()
            self.close_bets()
            self.add_event(ShowdownBegun())

    def shows_best(self, seat: Seat, **_told: str) -> None:
        """Read `Showdown [9d 8s 7h 6d 5h] (Straight)`: the best five cards; the hand itself is known.

        Nobody shows who is the only one left: the room writes the line of a walk all the same.
        """
        if self.seats_in_hand() == [seat]:
            return
        self.begins_showdown()
        words = self.lines.text[self.place].partition(" : ")[2].strip()[len("showdown") :]
        self.add_event(CardsShown(seat, self.hole.get(seat, ""), claim=self.people.text(words.strip())))

    def mucks_hand(self, seat: Seat, cards: Cards = "") -> None:
        """Read `Mucks [7h 3c]`."""
        self.begins_showdown()
        self.add_event(CardsMucked(seat, cards))

    def hides(self, seat: Seat, cards: Cards = "") -> None:
        """Read `Does not show [7h 3c]`."""
        self.run_out()
        self.add_event(CardsMucked(seat, cards, declined=True))

    def result(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `Hand result $5`."""
        self.run_out()
        self.award(seat, amount, 0 if self.sides else None)

    def side_result(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `Hand result-Side pot $5`; of several side pots none is named."""
        self.run_out()
        self.award(seat, amount, 1 if self.sides == 1 else None)

    def ranks(self, seat: Seat, told: str) -> bool:
        """Read `Ranking 2`; the prize may stand in the next line."""
        place = small_number(told, 9)
        if not place and told != "0":
            return False
        who, _, words = (
            self.lines.text[self.place + 1].partition(" : ") if self.place + 1 < self.after else ("", "", "")
        )
        prize = words.startswith("Prize Cash [") and self.find(who) == seat
        self.add_event(
            PlayerFinished(
                seat, place, amounts.read_or_none(words.rpartition("[")[2].strip("] "), 2) if prize else None
            )
        )
        return True

    def gets_prize(self, seat: Seat, told: str) -> None:
        """Read `Prize Cash [$9]`, which the line before it has told if that was the rank."""
        who, _, words = self.lines.text[self.place - 1].partition(" : ")
        if not (words.startswith("Ranking ") and self.find(who) == seat):
            self.add_event(PlayerFinished(seat, None, amounts.read_or_none(told.strip("[] "), 2)))

    def bounty(self, seat: Seat, told: str) -> bool:
        """Read `Bounty Prize [$9]`."""
        amount = amounts.read_or_none(told.strip("[] "), 2)
        if amount is not None:
            self.add_event(BountyWon(seat, amount))
        return amount is not None

    # -- lines of nobody --------------------------------------------------------------------------

    def hole_cards(self) -> None:
        """Read `*** HOLE CARDS ***`."""
        self.dealing = True

    def stud_heading(self, title: str) -> bool:
        """Read what stands above cards of stud; the street begins with the first card dealt twice."""
        title, known = title.lower(), stud.is_stud(self)
        self.dealing = self.dealing or (known and title == "3rd street")
        return known and title in HEADINGS

    def deals_board(self, street: Street, groups: list[Cards]) -> None:
        """Read `*** TURN *** [9c 2c Qd] [8s]`: what is new stands in the last bracket."""
        self.deal_over()
        self.deal_board(street, groups[-1])

    def deals_next(self, cards: Cards) -> bool:
        """Read `Card dealt to table [9c]`: the street follows from those before it."""
        step = NEXT.get(self.street)
        if step is None or len(cards) != 2 * (step[2] - step[1]):
            return False
        self.deal_over()
        self.deal_board(step[0], cards)
        return True

    ACTIONS = (
        *rows_told_by(plays(acts.folds), "folds", "fold"),
        *rows_told_by(plays(acts.checks), "checks", "check"),
        *rows_told_by(plays(acts.calls), "calls = {amount}", "call = {amount}"),
        *rows_told_by(plays(acts.bets, raises=True), "bets chip info = {amount}", "bets = {amount}", "bet = {amount}"),
        *rows_told_by(plays(acts.bets, raises=True), "d bets = {amount}", "double bets = {amount}"),
        *rows_told_by(plays(acts.raises_to, raises=True), "raises = {_} to {amount}", "raises = {amount}"),
        *rows_told_by(plays(acts.raises_to, raises=True), "raise = {_} to {amount}", "raise = {amount}"),
        *rows_told_by(plays(raises_all_in, raises=True), "all-in(raise) = {_} to {amount}", "all-in(raise) = {amount}"),
        *rows_told_by(all_in, "all-in = {amount}", "all-in(bet) = {amount}", "all-in(call) = {amount}"),
        *rows_told_by(all_in, "all-in(blind) = {amount}", "all-in(ante) = {amount}"),
        *rows_told_by(acts.small_blind, "small blind = {amount}", "ante/small blind = {amount}"),
        ("big blind = {amount}", acts.big_blind),
        ("big blind/bring in = {amount}", big_or_bring_in),
        *rows_told_by(acts.antes, "ante chip = {amount}", "ante = {amount}", "posts ante = {amount}"),
        *rows_told_by(acts.enters_small_or_big, "posts chip = {amount}", "post chip = {amount}"),
        *rows_told_by(acts.both_blinds, "posts dead chip = {amount}", "post dead chip = {amount}"),
        *rows_told_by(brings_in, "bring_in chip = {amount}", "bring in chip = {amount}", "bring-in chip = {amount}"),
        ("bring in = {amount}", brings_in),
        *rows_told_by(acts.straddles, "straddle = {amount}", "posts straddle = {amount}"),
        *rows_told_by(goes_back, "return uncalled portion of bet = {amount}", "return uncalled blind = {amount}"),
        *rows_told_by(result, "hand result = {amount}", "hand result-main pot = {amount}"),
        ("hand result-side pot = {amount}", side_result),
        ("table deposit = {amount}", deposits),
    )
    GOING: ClassVar[PhraseRows] = (
        *rows_told_by(presence.sits_out, "seat sit out", "sit out"),
        *rows_told_by(presence.stands_up, "seat stand", "stand"),
        *rows_told_by(presence.returns, "seat re-join", "re-join"),
        ("table leave user{_}", presence.leaves),
        ("leave(auto){_}", presence.is_moved),
        *rows_told_by(PhraseHand.add_remark, "enter(auto){_}", "table enter user{_}", "draw for dealer{_}"),
        *rows_told_by(PhraseHand.ignores, "set dealer{_}", "sitout (wait for bb){_}"),
    )
    """Who comes and goes: a line may not say who it is."""
    PLAYER_LINES = (
        ("folds & shows = {told}", folds_shown),
        *rows_told_by(shows_best, "showdown", "showdown = {told}", "showdown({told}"),
        *rows_told_by(mucks_hand, "mucks", "mucks = [{cards}]{_}", "mucks = {_}"),
        *rows_told_by(hides, "does not show", "does not show = [{cards}]{_}", "does not show = {_}"),
        ("ranking = {told}", ranks),
        ("prize cash = {told}", gets_prize),
        ("bounty prize = {told}", bounty),
        ("sits out", presence.sits_out),
        *rows_told_by(presence.returns, "seat sit down", "sit down"),
        *GOING,
    )
    LINES = (
        ("*** summary{_}", BovadaPositions.starts_summary),
        ("*** hole cards ***", hole_cards),
        *rows_told_by(stud_heading, "*** {title} ***", "*** = {title} ***"),
        ("*** {street} *** = {groups}", deals_board),
        *rows_told_by(deals_next, "card dealt to table = [{cards}]", "card to the table = [{cards}]"),
        *rows_told_by(PhraseHand.add_remark, *(f"{words}{{_}}" for words in INFO), "seat sit down"),
        ("table deposit = {amount}", event_teller(lambda amount: ChipsAdded(None, amount, "buy-in"))),
        ("Total Pot({told}", BovadaPositions.totals),
        ("Board{told}", BovadaPositions.declares_board),
        ("Seat{told}", BovadaPositions.collected),
        *GOING,
    )


def tell(page: HandPage) -> BovadaHand:
    """Read one hand. What is damaged raises `UnreadableHandError`."""
    text = page.lines.text
    head = header.head(text[page.first_line])
    seating, after = seats(text, page.first_line + 1, page.end_line)
    game = header.setup(head, seating, page.source, page.exponent)
    told = BovadaHand(page, head.room, game, head.where)
    told.add_event(game)
    if head.betting is None:
        told.inferred.append(1)
    if head.tournament:
        told.add_event(header.tournament_set(head, seating.info))
    if head.table.startswith(ZONE):
        told.add_event(OptionSet("other", "zoom"))
    else:
        told.add_event(OptionSet(*ANONYMOUS))
    for k in seating.remarks:
        told.place = k
        told.add_remark()
    told.look(after)
    told.take_seats(seating)
    told.read_body(after, page.end_line)
    if told.last_summary:
        told.place = next(k for k in range(page.end_line - 1, 0, -1) if text[k].strip())
        told.settle()
    else:
        told.close()
    witnesses = WITNESSES | (int(Witness.ALL_CARDS) if told.all_cards else int(Witness.OWN_CARDS))
    if not told.button_told:
        witnesses &= ~int(Witness.BUTTON)
    if game.blinds:
        witnesses |= int(Witness.BLIND_AMOUNTS)
    if told.rake_told:
        witnesses |= int(Witness.DROP)
    if any(isinstance(told.events[index], BetReturned) for index in told.inferred):
        witnesses &= ~int(Witness.RETURNED_BETS)
    told.set_opening(
        HandOpened(head.room, head.table, head.number, witnesses, head.started, head.written, 0, head.tournament)
    )
    if told.last_summary:
        told.place = told.last_summary
        told.add_event(HandCompleted())
    return told


def sniff(head: bytes) -> int:
    """Return how sure it is that this is Bovada's text: 0 no, 100 certain."""
    sure = 0
    for line in head.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
        bare = line.lstrip("\ufeff \t")
        if begins(bare):
            return 95
        if begins_other_hand(bare, FOREIGN):
            return 0
        if " : Card dealt to a spot [" in bare:
            sure = 30
    return sure


_GRAMMAR: Final = TextGrammar(begins, FOREIGN, tell, find_breaks=breaks)
FORMAT: Final = text_format("bovada", "Bovada, Bodog and Ignition text", _GRAMMAR, (" Hand #",), sniff=sniff)
