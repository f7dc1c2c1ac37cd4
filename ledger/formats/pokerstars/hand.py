"""What PokerStars' lines say: acts and sayings behind a name and a colon, and lines of other kinds, as tables."""

from __future__ import annotations

from typing import ClassVar, Final

from msgspec.structs import replace

from ledger.formats.pokerstars import header
from ledger.formats.pokerstars.header import Head, Setup, Table
from ledger.formats.pokerstars.news import News, away, sits_out
from ledger.formats.pokerstars.summary import Summed
from ledger.formats.pokerstars.words import BRINGS_IN, HEADS, LOCAL_HEADS, REMARKS, WITNESSES
from ledger.hand.betting import BetReturned, Called, CashOutTaken, Raised, RaisesCapped
from ledger.hand.dealing import CardsDiscarded, StoodPat, StreetDealt
from ledger.hand.ending import (
    CardsMucked,
    CardsShown,
    DropTaken,
    HandCompleted,
    HandVoided,
    PotAwarded,
    RemarkNoted,
    ResultDeclared,
)
from ledger.hand.fold import fold
from ledger.hand.opening import BlindPosted, PotSeeded
from ledger.hand.variants import VARIANTS
from ledger.readers import acts, bomb_pots, presence
from ledger.readers.games import DRAW, STUD
from ledger.readers.lines import LINES_MOST, too_long
from ledger.readers.phrases import alike
from ledger.readers.room import Room
from ledger.readers.signatures import others
from ledger.readers.telling import of_seat, puts
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Witness

_WHOLE: Final = (None, "")
"""A pot of which no part is named."""
_CAP: Final = " and has reached the "
_OWN_CARDS: Final = int(Witness.OWN_CARDS)
_RETURNED: Final = int(Witness.RETURNED_BETS)
_STARLESS: Final = ("HOLE CARDS", "FLOP", "TURN", "RIVER", "SHOW DOWN", "SUMMARY")


def small_blind(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a small blind; a second one is dead, but the first call may show that it counted."""
    if hand.first_small not in (0, seat):
        hand.doubtful[seat] = len(hand.events)
    acts.one_small_blind(hand, seat, amount, all_in)


def big_blind(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a big blind; PokerStars has no straddle: programs that imitate it write one as a larger big blind."""
    (acts.straddles if hand.big and amount > hand.blind else acts.big_blind)(hand, seat, amount, all_in)


def button_blind(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell the one blind of a game with antes, which the button posts."""
    hand.post(seat, "button", amount, all_in=all_in)


def ante(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell an ante."""
    hand.antes += 1
    hand.ante(seat, amount, all_in=all_in)


def unnamed_post(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> bool:
    """Tell a post of whose kind the program knew no name: more than the big blind it is a straddle."""
    straddled = bool(hand.big) and amount > hand.blind
    if straddled:
        acts.straddles(hand, seat, amount, all_in)
    return straddled


class Hand(News):
    """The hand being read; rooms that write this grammar add to its tables."""

    __slots__ = ("antes", "doubtful", "end")

    BEHIND = (":",)
    ALL_IN = (" and is all-in", " ALLIN")
    WITNESSES: ClassVar[int] = WITNESSES

    begins: ClassVar[staticmethod[[str], bool]] = staticmethod(header.begins)
    """Tells whether a hand begins with a line."""
    stops_at = staticmethod(
        header.stopper(header.begins, (*HEADS, *LOCAL_HEADS), *others("PokerStars"), header.SUMMARY)
    )

    @staticmethod
    def head(line: str) -> Head:
        """Take a hand's first line apart."""
        return header.head(line)

    @staticmethod
    def table(line: str) -> Table | None:
        """Take the line that names the table apart; None if it is no such line."""
        return header.table(line)

    @staticmethod
    def setup(found: Head, exponent: int | None, play: bool | None) -> Setup:
        """Return the game of a first line; the exponent None = as the currency has it."""
        return header.setup(found, exponent, play)

    def begin(self) -> None:
        """Know nothing yet."""
        self.early, self.out = [], {}
        self.boards, self.written = {}, ""
        self.run, self.face, self.runs_agreed, self.after = 1, 1, -1, False
        self.kept, self.summary, self.total = {}, 0, None
        self.blind = self.blind or (self.game.bets[0] if self.game.bets else 0)
        self.doubtful: dict[Seat, int] = {}  # second small blinds: dead or live shows later
        self.antes = 0
        self.end = 0  # the line behind the last one

    def amount(self, text: str) -> Chips:
        """Read an amount as it is written: a blank in it is damage."""
        return self.chips(text)

    def body(self, k: int, after: int) -> None:
        """Read from behind the seat list to the hand's end."""
        text, seats, known = self.lines.text, self.seats, self.acts_read
        limit = min(after, k + LINES_MOST)
        while k < limit:
            line = text[k]
            self.at = k
            name, colon, rest = line.rpartition(": ")
            seat = seats.get(name)
            if seat is not None and colon:
                told = known.get(rest)
                if told is not None:
                    make, amount, all_in = told
                    if make(self, seat, amount, all_in) is not False:
                        k += 1
                        continue
                if self._acted(seat, rest):
                    k += 1
                    continue
            if line[:4] == "*** ":
                if line[4:11] == "SUMMARY":
                    self.summary = k
                    self.end = self.sum_up(k + 1, after)
                    return
                k = self.heading(line)
            elif not line or line.isspace():
                k += 1
                limit = min(after, limit + 1)  # only lines with something on them count
            elif self.stops_at(line):
                break
            else:
                k = self._other(line)
        if k == limit < after:
            raise too_long(LINES_MOST + 1)
        self.end = k

    def _acted(self, seat: Seat, rest: str) -> bool:
        """Read an act that was not read before, and remember it with the blank behind it."""
        bare = rest.strip()
        if not self.act(seat, bare):
            return False
        if bare != rest and bare in self.acts_read:
            self.acts_read[rest] = self.acts_read[bare]
        return True

    def _other(self, line: str) -> int:
        """Read a line of another kind; return the next line to read."""
        name, _, won = line.rpartition(" collected ")
        if (  # with `Dealt to` the most frequent lines
            won[-9:] == " from pot"
            and (seat := self.seats.get(name)) is not None
            and (amount := self.money.get(won[:-9])) is not None
        ):
            self.collects(seat, amount, _WHOLE)
            return self.at + 1
        if line[:9] == "Dealt to ":
            if not self.dealt_to(line[9:]):
                self.unread(line)
            return self.at + 1
        if line[:14] == "Uncalled bet (":
            written, words, name = line[14:].rstrip().partition(") returned to ")
            if words and (seat := self.seats.get(name)) is not None:
                self.returned_to(self.amount(written), seat)
                return self.at + 1
        name, colon, rest = line.partition(": ")
        if colon and (seat := self.seats.get(name)) is not None and self.act(seat, rest.strip()):
            return self.at + 1  # with another colon behind the first: `shows [Ah 2c] (Lo: 8,5,4,2,A)`
        bare = line.strip()
        if line[:1] == " " and (starred := _starred(bare)):
            self.lines.text[self.at] = starred
            return self.at
        if not self.line(bare) and not self.spoken(line):
            self.unread(line)
        return self.at + 1

    def spoken(self, line: str) -> bool:
        """Read what somebody does whose name ends where another one's does not: `a` in `a: b: folds`."""
        for name in self.by_length():
            spoken = name + ": "
            if line.startswith(spoken) and self.act(self.seats[name], line[len(spoken) :].strip()):
                return True
        return False

    def without_all_in(self, text: str) -> tuple[str, bool | None]:
        """Part `$5 and is all-in` and `$5 and has reached the $40 cap`."""
        for words in self.ALL_IN:
            if text.endswith(words):
                return text[: -len(words)], True
        return text.partition(_CAP)[0], False

    def call(self, seat: Seat, added: Chips, all_in: bool | None = None) -> None:
        """Tell a call with so many chips more, which may set right what was told before."""
        if seat in self.doubtful and not all_in:  # a short call says nothing of it
            self._settle_second_small(seat, added)
        if 0 < self.betting.bet_to_call < self.bet_of(seat) + added:
            self._settle_raise(self.bet_of(seat) + added)
        to = self.betting.add(seat, added)
        self.events.append(Called(seat, added, to, all_in))
        self.marks.append(self.at)

    def _settle_raise(self, to: Chips) -> None:
        """Set right a raise that a call goes beyond: `to` told the chips added, as Run It Once did."""
        index, event = self._last_raise()
        if event and event.to == self.betting.bet_to_call and 2 * event.to - event.added == to:
            self._tell_added(index, event)
            self.betting.restate(event.seat, to)

    def _last_raise(self) -> tuple[int, Raised | None]:
        for index in range(len(self.events) - 1, 0, -1):
            event = self.events[index]
            if isinstance(event, Raised):
                return index, event
        return 0, None

    def _tell_added(self, index: int, event: Raised) -> None:
        """Take what a raise told as the street's total as the chips that it added."""
        before = event.to - event.added
        self.events[index] = Raised(event.seat, event.to, event.to + before, event.all_in)
        self.betting.put(event.seat, before)

    def _settle_second_small(self, seat: Seat, added: Chips) -> None:
        """Let a second small blind count where the first call shows that its writer did."""
        index = self.doubtful.pop(seat)
        post = self.events[index]
        if isinstance(post, BlindPosted) and self.bet_of(seat) + added + post.dead == self.betting.bet_to_call:
            self.events[index] = BlindPosted(seat, post.role, post.dead, 0, post.all_in)
            self.betting.recount(seat, post.dead)

    def draws(self) -> None:
        """Begin the one draw that some files do not announce."""
        if self.street == "preflop" and self.game.variant in DRAW:
            self.next_street("first-draw")
            self.inferred.append(len(self.events))
            self.put(StreetDealt("first-draw"))

    # -- sayings ---------------------------------------------------------------------------------

    def folds_open(self, seat: Seat, cards: Cards) -> None:
        """Read `folds [Ah Kd]`."""
        self.kept[seat] = cards
        self.fold(seat, cards)

    def shows(self, seat: Seat, cards: Cards, claim: str = "", *, after: bool = False) -> None:
        """Read `shows [Ah Kd] (a pair of Aces)`: cards that stay face down are unknown."""
        self.close_bets()
        self.kept[seat] = cards
        if self.game.variant not in STUD:
            cards += UNKNOWN_CARD * (VARIANTS[self.game.variant].start_cards - len(cards) // 2)
        self.put(CardsShown(seat, cards, self.after or after, self.people.text(claim)))

    def folds_offline(self, seat: Seat) -> None:
        """Read `folds (disconnect)`."""
        self.disconnects(seat)
        self.fold(seat)

    def breaks_off(self, _seat: Seat) -> None:
        """Refuse `raises $2 to`, whose amount is missing."""
        self.amount("")

    def stands_pat(self, seat: Seat, cards: Cards = "") -> None:
        """Read `stands pat on [Ah Kd 3c 4c 5d]`."""
        self.draws()
        if cards:
            self.kept.setdefault(seat, cards)
        self.put(StoodPat(seat))

    def discards(self, seat: Seat, count: int, cards: Cards = "") -> None:
        """Read `discards 2 cards [3c Qc]`."""
        self.draws()
        self.put(CardsDiscarded(seat, count, cards))

    # -- other lines -----------------------------------------------------------------------------

    def collects(self, name: Seat, amount: Chips, pot: tuple[int | None, str]) -> None:
        """Read `Ada collected $5 from side pot-1`."""
        self.after = True
        self.award(name, amount, pot[0], run=self.run, board=self.face)

    def returned_to(self, amount: Chips, name: Seat) -> None:
        """Read `Uncalled bet ($5) returned to Ada`; where the room added chips, Run It Once told more than the bet."""
        if amount > self.bet_of(name):
            self.close_bets()
            alone = next((rest for one, rest, _ in self.uncalled_bets if one == name), 0)
            index, event = self._last_raise()
            before = event.to - event.added if event and event.seat == name else 0
            if event and before and amount == alone + before:
                self._tell_added(index, event)
            elif alone and any(isinstance(event, PotSeeded) for event in self.events):
                self.remark()
                self.inferred.append(len(self.events))
                amount = alone
        self.give_back(name, amount)

    def cancelled(self) -> None:
        """Read `Hand cancelled`."""
        self.betting.is_closed = True
        self.put(HandVoided("cancelled"))

    # -- the end ---------------------------------------------------------------------------------

    def tell_whole(self) -> None:
        """Do what only the whole hand can tell, a room's own."""
        bomb_pots.infer(self, self.antes)

    def finish(self) -> None:
        """Do what only the whole hand can tell."""
        self.leave_idle()
        if self.antes == 1:
            self.ante_for_all()
        if self.summary:
            self.close_bets()
            if self.uncalled_bets:
                seeded = sum(event.amount for event in self.events if isinstance(event, PotSeeded))
                self.return_bets(None if self.total is None else self.total - seeded)
            self.tell_whole()
            if not self.paid:
                self._pay_as_summed()
            self._rake_the_winner()
            self.at = self.summary
            self.put(HandCompleted())

    def _pay_as_summed(self) -> None:
        """Infer the awards of a hand that a converter tells in the summary alone."""
        if any(isinstance(event, CashOutTaken) for event in self.events):
            return  # a pot that goes to the house is told so, too
        for event, at in list(zip(self.events, self.marks, strict=True)):
            if isinstance(event, ResultDeclared) and event.what == "collected" and event.seat and event.amount:
                self.infer(PotAwarded(event.seat, event.amount), at=at)
                self.paid += event.amount

    def _rake_the_winner(self) -> None:
        """Take the rake from the one award of a room that writes as collected what lay in the pot."""
        if self.paid != self.total or self.game.format == "tournament":
            return
        drop = sum(event.amount for event in self.events if isinstance(event, DropTaken))
        awards = [at for at, event in enumerate(self.events) if drop and isinstance(event, PotAwarded)]
        if len(awards) != 1 or fold(self.events).total_put() != self.paid:  # type: ignore[arg-type]  # a hand's events
            return
        self.events[awards[0]] = replace(self.events[awards[0]], amount=self.paid - drop)
        self.inferred.append(awards[0])
        for at, event in enumerate(self.events):
            if isinstance(event, ResultDeclared) and event.what == "collected":
                self.events[at] = RemarkNoted(self.people.text(self.lines.text[self.marks[at]].strip()))

    def witnesses(self) -> int:
        """Return what this hand's text records whenever it happens."""
        found = self.WITNESSES | (_OWN_CARDS if self.own else 0)
        if self.inferred and any(isinstance(self.events[at], BetReturned) for at in self.inferred):
            found &= ~_RETURNED
        return found

    DEEDS = (
        ("folds", acts.folds),
        ("checks", acts.checks),
        ("calls {amount}", call),
        ("bets {amount}", acts.bets),
        *alike(acts.raises_to, "raises to {amount}", "raises {by} to {amount}"),
        ("posts small blind {amount}", small_blind),
        *alike(ante, "posts big blind ante {amount}", "posts BB ante {amount}"),
        ("posts big blind {amount}", big_blind),
        ("posts small & big blinds {amount}", acts.both_blinds),
        *alike(ante, "posts the ante {amount}", "posts ante {amount}", "posts an ante of {amount}"),
        *alike(acts.dead_post, "posts dead blind {amount}", "posts dead {amount}"),
        ("posts button blind {amount}", button_blind),
        *alike(acts.straddles, "posts straddle {amount}", "posts a straddle {amount}"),
        ("unknown {amount}", unnamed_post),
        *alike(acts.brings_in, *BRINGS_IN),
    )
    SAYINGS = (
        *alike(puts(CardsMucked), "mucks hand", "mucks"),
        ("doesn't show hand", puts(lambda seat: CardsMucked(seat, declined=True))),
        *alike(Room.remark, "shows [] ({_})", "shows []"),  # of one who folded, and whose hand the summary tells
        *alike(shows, "shows [{cards}] ({claim})", "shows [{cards}]"),
        ("activates time bank", presence.uses_bank),
        ("folds [{cards}]", folds_open),
        *alike(folds_offline, "folds (disconnect)", "folds (disconnected)"),
        ("Table deposit {amount}", Room.tops_up),
        ("sits out", of_seat(sits_out)),
        ("is sitting out", of_seat(away)),
        ("stands pat", stands_pat),
        ("stands pat on [{cards}]", stands_pat),
        *alike(discards, "discards {count} cards [{cards}]", "discards {count} card [{cards}]"),
        *alike(discards, "discards {count} cards", "discards {count} card", "discards {count}"),
        *alike(breaks_off, "raises {_} to", "calls", "bets"),
        *alike(puts(CashOutTaken), "Chooses to EV Cashout", "Chooses to EV cashout"),
        *alike(
            puts(lambda seat, amount: CashOutTaken(seat, None, amount)),
            "Pays Cashout Risk ({amount})",
            "pays cashout risk ({amount})",
        ),
        *alike(
            puts(lambda seat, amount: CashOutTaken(seat, price=amount)),
            "Receives Cashout ({amount})",
            "receives cashout ({amount})",
        ),
        ("", Room.remark),  # so the room writes what players answer when they are asked for several runs
    )
    LINES = (
        ("Dealt to {told}", News.dealt_to),
        ("{name} collected {amount} from {pot}", collects),
        ("Uncalled bet ({amount}) returned to {name}", returned_to),
        *News.LINES,
        ("Players agree to Run It Twice", Summed.several_runs),
        ("Hand cancelled", cancelled),
        ("Betting is capped", puts(RaisesCapped)),
        *alike(Room.remark, *REMARKS),
        *alike(
            puts(lambda amount: PotSeeded("promotion", amount)),
            *(f"Cash Drop {to} Pot{mark} total {{amount}}" for to in ("to", "To") for mark in (" :", ":", "")),
        ),
        *alike(puts(lambda amount: PotSeeded("splash", amount)), "STP added: {amount}", "STP Added: {amount}"),
    )


def _starred(bare: str) -> str:
    """Return ` FLOP  [2c 7d Kc]`, whose stars a message board took for bold type, as a heading."""
    title, bracket, cards = bare.partition("  [")
    if title not in _STARLESS or bool(bracket) == (title in ("HOLE CARDS", "SHOW DOWN", "SUMMARY")):
        return ""
    return f"*** {title} *** [{cards}" if bracket else f"*** {title} ***"
