"""What the lines of Bovada's text say: a position and what it does, lines that name nobody, the summary."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar, Final

from ledger.errors import UnreadableHandError
from ledger.formats.bovada.hand import Positions
from ledger.formats.bovada.words import INFO, STUD, STUD_HEADINGS
from ledger.hand.betting import ClockExpired, Folded
from ledger.hand.ending import BountyWon, CardsMucked, CardsShown, PlayerFinished, ResultDeclared, ShowdownBegun
from ledger.presence import ChipsAdded, ConnectionLost, PlayerAway, PlayerBack, SeatLeft
from ledger.readers import acts, amounts
from ledger.readers.acts import Make
from ledger.readers.phrases import number
from ledger.readers.room import Room
from ledger.vocabulary import Cards, Chips, Seat, Street

DEAL: Final = "Card dealt to a spot ["
REASONS: Final = ("timeout", "auth", "disconnect", "disconnected")
"""What may stand in brackets behind an act: the room made it."""
ONCE: Final = (
    *("fold", "check", "call", "bet", "raise", "all-in", "small blind", "ante/small blind", "big blind", "ante chip"),
    *("posts chip", "posts dead chip", "bring_in chip", "return uncalled", "hand result", "ranking"),
)
"""How begins what nobody does twice running."""
QUIET: Final = ("Folded", "lost with", "lose with", "lost", "lose", "[Mucked]", "[Does not show]", "with")
NEXT: Final[dict[Street, Street]] = {"preflop": "flop", "flop": "turn", "turn": "river"}
_VALUE: Final = re.compile(r"[$€£\d\[]")
_LONGEST: Final = 300


def plays(make: Make, *, raises: bool = False) -> Make:
    """Return how an act is told before which streets may be hidden, and which others may answer."""

    def told(hand: Positions, seat: Seat, amount: Chips, all_in: bool | None) -> None:
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


class Hand(Positions):
    """The hand being read: `Position : Act $5`; the tables have its words in small letters and ` = ` before a value."""

    __slots__ = ()
    STREETS: ClassVar[Mapping[str, Street]] = {"flop": "flop", "turn": "turn", "river": "river"}

    # -- line by line -----------------------------------------------------------------------------

    def body(self, k: int, after: int) -> None:
        """Read lines `k` up to `after`: a position ends with a colon between blanks."""
        text, known, positions = self.lines.text, self.acts_read, self.positions
        while k < after:
            line = text[k]
            self.at = k
            k += 1
            who, colon, rest = line.partition(" : ")
            if not colon or self.last_summary:
                if (bare := line.strip()) and not self.line(bare):
                    self.unread(line)
                continue
            seat = positions.get(who) or self.find(who)
            if not seat:
                if not line.startswith("Dealer : Set dealer"):  # a button that lies before nobody
                    self.unread(line)
            elif line == text[k - 2] and self.repeats(rest):
                self.remark()
            elif not (
                (told := known.get(rest)) and told[0](self, seat, told[1], told[2]) is not False
            ) and not self.act(seat, rest):
                self.unread(line)

    def repeats(self, rest: str) -> bool:
        """Tell whether a line that says what the one before it says is that line again.

        The room's files of 2014 hold such lines two to four times, and declare a pot with one of them:
        nobody acts twice running. Only where streets are not told, a check may follow a check; and
        of a pot for high and low a seat may get both halves.
        """
        if self.hidden_board or (self.hi_lo and "esult" in rest):
            return False
        return small_words(rest.strip())[0].startswith(ONCE)

    def act(self, seat: Seat, rest: str) -> bool:
        """Read what a position does, also where the room did it for want of time or connection."""
        if rest.startswith(DEAL):
            cards = self.cards(rest[len(DEAL) :].rstrip("] "))
            if cards:
                self.dealing = True
                self.deal(seat, cards)
            return bool(cards)
        bare = rest.strip()
        if len(bare) > _LONGEST:
            return False
        words, value, flags = small_words(bare)
        text = f"{words} = {value}" if value else words
        if flags and words:
            self.before_act()
            if "disconnect" in flags or "disconnected" in flags:
                self.put(ConnectionLost(seat, self.player_of[seat]))
            if "timeout" in flags or "auth" in flags:
                gone = "disconnect" in flags or "disconnected" in flags
                self.put(ClockExpired(seat, False if gone else None))
        done = super().act(seat, text)
        if done and not flags and text in self.acts_read:
            self.acts_read[rest] = self.acts_read[text]
        return done

    def line(self, line: str) -> bool:
        """Read a line that names no position; before the summary its words may be in any letters."""
        if not self.last_summary and len(line) < _LONGEST and not line.startswith(INFO):
            words, value, _ = small_words(line)
            line = f"{words} = {value}" if value else words
        return super().line(line)

    # -- acts -------------------------------------------------------------------------------------

    def folds_shown(self, seat: Seat, told: str) -> bool:
        """Read `Folds & Shows [4s 5h] Show1 [4s]`: the last bracket holds what is shown."""
        cards = self.cards(told.rpartition("[")[2].rstrip("] "))
        if not cards:
            return False
        self.before_act()
        self.folded.add(seat)
        self.put(Folded(seat, cards))
        self.acts_now(seat)
        return True

    def raises_all_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `All-in(raise) $5 to $8`: the street's total."""
        self.raise_to(seat, amount, all_in=True)

    def all_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `All-in $5`: chips added, as a post, a bet, a call or a short raise."""
        if self.dealing:
            self.before_act()
            before = self.level
            self.wager(seat, self.bets[seat] + amount, all_in=True)
            self.acts_now(seat, raises=self.level > before)
            return
        name = next((name for name, one in self.seats.items() if one == seat), "")
        if self.antes and name not in self.antes:
            self.ante(seat, amount, all_in=True)
        elif name == "Big Blind":
            self.post(seat, "big", amount, all_in=True)
        elif name == "Small Blind" or (name == "Dealer" and len(self.seats) == 2):
            self.post(seat, "small", amount, all_in=True)
        else:
            self.post(seat, "entry", amount, all_in=True)

    def big_or_bring_in(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Read `Big blind/Bring in $0.25`: which of the two it is, the game tells."""
        if self.head.variant in STUD:
            self.brings_in(seat, amount, all_in)
        else:
            acts.big_blind(self, seat, amount, all_in)

    def brings_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `Bring_in chip $0.25`."""
        self.deal_over()
        self.bring_in(seat, amount)

    def goes_back(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `Return uncalled portion of bet $5`: before the deal it may be of an ante that nobody could match."""
        if self.dealing:
            self.give_back(seat, amount)
        else:
            self.refund(seat, amount)

    def deposits(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `Table deposit $5`."""
        self.put(ChipsAdded(seat, amount, "top-up", player=self.player_of[seat]))

    # -- the end of a hand ------------------------------------------------------------------------

    def showdown(self) -> None:
        """Begin the showdown, once."""
        if not self.showing:
            self.showing = True
            self.run_out()
            self.close_bets()
            self.put(ShowdownBegun())

    def shows_best(self, seat: Seat, **_told: str) -> None:
        """Read `Showdown [9d 8s 7h 6d 5h] (Straight)`: the best five cards; the hand itself is known."""
        self.showdown()
        words = self.lines.text[self.at].partition(" : ")[2].strip()[len("showdown") :]
        self.put(CardsShown(seat, self.hole.get(seat, ""), claim=self.people.text(words.strip())))

    def mucks_hand(self, seat: Seat, told: str = "") -> None:
        """Read `Mucks [7h 3c]`."""
        self.showdown()
        self.put(CardsMucked(seat, self.cards(told[1:].partition("]")[0]) or ""))

    def hides(self, seat: Seat, told: str = "") -> None:
        """Read `Does not show [7h 3c]`."""
        self.run_out()
        self.put(CardsMucked(seat, self.cards(told[1:].partition("]")[0]) or "", declined=True))

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
        place = number(told, 9)
        if not place and told != "0":
            return False
        who, _, words = self.lines.text[self.at + 1].partition(" : ") if self.at + 1 < self.after else ("", "", "")
        prize = words.startswith("Prize Cash [") and self.find(who) == seat
        self.put(PlayerFinished(seat, place, amounts.maybe(words.rpartition("[")[2].strip("] "), 2) if prize else None))
        return True

    def gets_prize(self, seat: Seat, told: str) -> None:
        """Read `Prize Cash [$9]`, which the line before it has told if that was the rank."""
        who, _, words = self.lines.text[self.at - 1].partition(" : ")
        if not (words.startswith("Ranking ") and self.find(who) == seat):
            self.put(PlayerFinished(seat, None, amounts.maybe(told.strip("[] "), 2)))

    def bounty(self, seat: Seat, told: str) -> bool:
        """Read `Bounty Prize [$9]`."""
        amount = amounts.maybe(told.strip("[] "), 2)
        if amount is not None:
            self.put(BountyWon(seat, amount))
        return amount is not None

    # -- who comes and goes; a line may not say who it is ------------------------------------------

    def sits_out(self, seat: Seat | None = None) -> None:
        """Read `Seat sit out`."""
        self.put(PlayerAway(seat, self.player_of[seat] if seat else "", why="sits-out"))

    def stands_up(self, seat: Seat | None = None) -> None:
        """Read `Seat stand`."""
        self.put(PlayerAway(seat, self.player_of[seat] if seat else "", why="stood-up"))

    def returns(self, seat: Seat | None = None) -> None:
        """Read `Seat re-join`."""
        self.put(PlayerBack(seat, self.player_of[seat] if seat else ""))

    def leaves(self, seat: Seat | None = None) -> None:
        """Read `Table leave user`."""
        self.put(SeatLeft(seat, self.player_of[seat] if seat else "", "left"))

    def is_moved(self, seat: Seat | None = None) -> None:
        """Read `Leave(Auto)`: the room moves who is through to another table."""
        self.put(SeatLeft(seat, self.player_of[seat] if seat else "", "moved"))

    def somebody_buys_in(self, amount: Chips) -> None:
        """Read `Table deposit $5` of nobody."""
        self.put(ChipsAdded(None, amount, "buy-in"))

    # -- lines of nobody --------------------------------------------------------------------------

    def hole_cards(self) -> None:
        """Read `*** HOLE CARDS ***`."""
        self.dealing = True

    def stud_heading(self, title: str) -> bool:
        """Read what stands above cards of stud; the street begins with the first card dealt twice."""
        if self.head.variant not in STUD:
            return False
        heading = f"*** {title.upper()} ***"
        self.dealing = self.dealing or heading == "*** 3RD STREET ***"
        return heading == "*** 3RD STREET ***" or heading in STUD_HEADINGS

    def deals_board(self, street: Street, groups: list[Cards]) -> None:
        """Read `*** TURN *** [9c 2c Qd] [8s]`: what is new stands in the last bracket."""
        self.deal_over()
        self.board(street, groups[-1])

    def deals_next(self, cards: Cards) -> bool:
        """Read `Card dealt to table [9c]`: the street follows from those before it."""
        street = NEXT.get(self.street)
        if street is None or (len(cards) == 6) is not (street == "flop"):
            return False
        self.deal_over()
        self.board(street, cards)
        return True

    # -- the summary, beside which the hand is checked ---------------------------------------------

    def sums_up(self) -> None:
        """Begin the summary."""
        self.close()
        self.last_summary = self.last_summary or self.at

    def totals(self, told: str) -> bool:
        """Read `Total Pot($112) | Rake ($1)`."""
        if not self.last_summary:
            return False
        self.run_out()
        known = True
        for part in f"Total Pot({told}".split("|"):
            words, _, amount = part.strip().partition("(")
            chips, words = self.amount(amount.rstrip(") ")), words.strip()
            if words == "Total Pot":
                self.total = chips
                self.put(ResultDeclared("total-pot", amount=chips))
            elif words == "Rake":
                self.rake_told = True
                self.drop("rake", chips)
                self.put(ResultDeclared("rake", amount=chips))
            elif "jackpot" in words.lower():
                self.drop("jackpot", chips)
                self.put(ResultDeclared("jackpot", amount=chips))
            else:
                known = False
        return known

    def declares_board(self, told: str) -> bool:
        """Read `Board [..]`, which is empty where no flop was dealt."""
        inner = told.partition("[")[2].partition("]")[0]
        board = self.cards(inner)
        if board and self.last_summary:
            self.put(ResultDeclared("board", cards=board))
        return bool(self.last_summary) and (board is not None or not inner.strip())

    def collected(self, told: str) -> bool:
        """Read `Seat+3: UTG+1 $3.10 with …`: what the seat collected, of both halves together."""
        digits, _, rest = told[1:].partition(":")
        rest = rest.strip()
        if not self.last_summary:
            return False
        if "Folded" in rest and rest.rpartition(" Folded ")[0].replace(" [ME]", "") in self.seats:
            return True
        name = next((one for one in self.names() if rest.startswith(one) and rest[len(one) :][:1] in ("", " ")), "")
        seat = self.seats[name] if name else self.numbers.get(number(digits.strip(), 6))
        got = self.winnings(
            rest[len(name) :].strip().removeprefix("[ME]").strip().partition("BOUNTY awarded")[0].strip()
        )
        if seat and got:
            self.put(ResultDeclared("collected", seat, got))
        return bool(seat) and got is not None

    def winnings(self, tail: str) -> Chips | None:
        """Return what was collected; None if the words are not known."""
        first = tail.partition(" ")[0]
        if first[:1] in ("$", "€", "£") or first[:1].isdecimal():
            return self.chips_of(first)
        total = 0
        for half in ("HI ", "LO "):
            _, found, behind = f" {tail}".partition(f" {half}")
            chips = self.chips_of(behind.partition(" ")[0]) if found else 0
            if chips is None:
                return None
            total += chips
        return total if total or not tail or tail.startswith(QUIET) else None

    def chips_of(self, word: str) -> Chips | None:
        """Return an amount, None for what is none."""
        try:
            return self.amount(word)
        except UnreadableHandError:
            return None

    DEEDS = (
        *((words, plays(acts.folds)) for words in ("folds", "fold")),
        *((words, plays(acts.checks)) for words in ("checks", "check")),
        *((f"{words} = {{amount}}", plays(acts.calls)) for words in ("calls", "call")),
        *(
            (f"{words} = {{amount}}", plays(acts.bets, raises=True))
            for words in ("bets chip info", "bets", "bet", "d bets", "double bets")
        ),
        *(
            (f"{words} = {behind}", plays(acts.raises_to, raises=True))
            for words in ("raises", "raise")
            for behind in ("{_} to {amount}", "{amount}")
        ),
        ("all-in(raise) = {_} to {amount}", plays(raises_all_in, raises=True)),
        ("all-in(raise) = {amount}", plays(raises_all_in, raises=True)),
        ("all-in = {amount}", all_in),
        ("all-in(bet) = {amount}", all_in),
        ("all-in(call) = {amount}", all_in),
        ("all-in(blind) = {amount}", all_in),
        ("all-in(ante) = {amount}", all_in),
        ("small blind = {amount}", acts.small_blind),
        ("ante/small blind = {amount}", acts.small_blind),
        ("big blind = {amount}", acts.big_blind),
        ("big blind/bring in = {amount}", big_or_bring_in),
        *((f"{words} = {{amount}}", acts.antes) for words in ("ante chip", "ante", "posts ante")),
        *((f"{words} = {{amount}}", acts.enters_small_or_big) for words in ("posts chip", "post chip")),
        *((f"{words} = {{amount}}", acts.both_blinds) for words in ("posts dead chip", "post dead chip")),
        ("bring_in chip = {amount}", brings_in),
        ("bring in chip = {amount}", brings_in),
        ("bring-in chip = {amount}", brings_in),
        ("bring in = {amount}", brings_in),
        *((f"{words} = {{amount}}", acts.straddles) for words in ("straddle", "posts straddle")),
        ("return uncalled portion of bet = {amount}", goes_back),
        ("hand result = {amount}", result),
        ("hand result-main pot = {amount}", result),
        ("hand result-side pot = {amount}", side_result),
        ("table deposit = {amount}", deposits),
    )
    SAYINGS = (
        ("folds & shows = {told}", folds_shown),
        ("showdown", shows_best),
        ("showdown = {told}", shows_best),
        ("showdown({told}", shows_best),
        ("mucks", mucks_hand),
        ("mucks = {told}", mucks_hand),
        ("does not show", hides),
        ("does not show = {told}", hides),
        ("ranking = {told}", ranks),
        ("prize cash = {told}", gets_prize),
        ("bounty prize = {told}", bounty),
        ("seat sit out", sits_out),
        ("sit out", sits_out),
        ("sits out", sits_out),
        ("seat stand", stands_up),
        ("stand", stands_up),
        ("seat re-join", returns),
        ("re-join", returns),
        ("seat sit down", returns),
        ("sit down", returns),
        ("table leave user{_}", leaves),
        ("leave(auto){_}", is_moved),
        *((f"{words}{{_}}", Room.remark) for words in ("enter(auto)", "table enter user", "draw for dealer")),
        *((f"{words}{{_}}", Room.ignored) for words in ("set dealer", "sitout (wait for bb)")),
    )
    LINES = (
        ("*** summary{_}", sums_up),
        ("*** hole cards ***", hole_cards),
        ("*** {title} ***", stud_heading),
        ("*** = {title} ***", stud_heading),
        ("*** {street} *** = {groups}", deals_board),
        ("card dealt to table = [{cards}]", deals_next),
        ("card to the table = [{cards}]", deals_next),
        *((f"{words}{{_}}", Room.remark) for words in INFO),
        *((words, Room.remark) for words in ("enter(auto)", "table enter user", "seat sit down")),
        ("seat sit out", sits_out),
        ("sit out", sits_out),
        ("seat stand", stands_up),
        ("stand", stands_up),
        ("seat re-join", returns),
        ("re-join", returns),
        ("table leave user", leaves),
        ("leave(auto)", is_moved),
        ("table deposit = {amount}", somebody_buys_in),
        ("set dealer", Room.ignored),
        ("set dealer/bring in spot", Room.ignored),
        ("Total Pot({told}", totals),
        ("Board{told}", declares_board),
        ("Seat{told}", collected),
    )
