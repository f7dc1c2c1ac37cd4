"""partypoker's text: both generations, the form that is sent by mail, and programs that imitate it.

`docs/formats/partypoker.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar, Final

from ledger.formats.partypoker.hand import Increase, PartyPokerSeating
from ledger.formats.partypoker.header import HEADS, PartyPokerHeader, begins, clean, costs, head_of, setup, started
from ledger.hand.betting import CashOutTaken, TimeWarned
from ledger.hand.dealing import HoleCardsDealt, HoleCardsLearned
from ledger.hand.ending import (
    BountyWon,
    CardsMucked,
    CardsShown,
    Half,
    HandCompleted,
    PlayerFinished,
    PotAwarded,
    RemarkNoted,
    ResultDeclared,
)
from ledger.hand.opening import OptionSet
from ledger.presence import WordsSaid
from ledger.readers import acts, amounts, presence, settling, stud
from ledger.readers.acts import Make
from ledger.readers.hand import HandBuilder
from ledger.readers.phrases import alike, number
from ledger.readers.reading import Grammar, Page, text_format
from ledger.readers.room import Room
from ledger.readers.signatures import others
from ledger.readers.telling import in_summary, puts, when
from ledger.vocabulary import Cards, Chips, Seat, Street, Witness

WITNESSES: Final = Witness.of("BUTTON ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS CLOCKS BLIND_AMOUNTS")
"""What the text records whenever it happens. Posts are not among it: tournaments leave blinds out,
and who comes back to a cash table may post without a line. Rake and returned bets are in no line."""
PREFACE: Final = ("#Game No", "Game #")
"""Lines before a hand's first: the room tells its number twice and says that it starts."""


LATER: Final[Mapping[str, Street]] = {
    "fourth street": "fourth",
    "fifth street": "fifth",
    "sixth street": "sixth",
    "seventh street": "seventh",
    "river": "seventh",
}
FIRST: Final = ("", "down cards", "third street")
"""What is dealt first, as its heading names it."""
BANK: Final = tuple(f"will be using {whose} time bank for this hand" for whose in ("their", "his", "her"))
SLOW: Final = ("did not respond in time", "could not respond in time")
TURNS: Final = ("folds", "checks", *SLOW, "could not respond in time.(disconnected)", *BANK)
"""What only who is next to act is told to do, also without a seat in the list."""
_LONGEST_SPEAKER: Final = 25
_TOLD: Final = (CardsShown, CardsMucked)
_ENDS: Final = (*_TOLD, PotAwarded)


class PartyPokerHand(PartyPokerSeating):
    """The hand being read: `Name act [$5 USD]`, no colon."""

    # -- lines --------------------------------------------------------------------------------------

    def act(self, seat: Seat, rest: str) -> bool:
        """Read what follows a name, without full stops at its end."""
        bare = rest.rstrip(".")
        done = super().act(seat, bare)
        if done and bare != rest and bare in self.acts_read:
            self.acts_read[rest] = self.acts_read[bare]
        return done

    def line(self, line: str) -> bool:
        """Read a line of nobody, of who talks or has no seat, or of two winners without a break between them."""
        if line[-1] == "." and line[-2:-1] != " ":
            line = line[:-1]
        behind = self.glued(line)
        if behind:
            return self.reads(line[: -len(behind) - 1]) and self.reads(behind)
        return super().line(line) or self.stranger(line) or self.chat(line)

    def reads(self, line: str) -> bool:
        """Read a part of a line."""
        return self.spoken(line) or self.line(line)

    def glued(self, line: str) -> str:
        """Return the line of another winner that some files write right behind the stop of one; "" = none."""
        if line.count(" wins ") < 2 or not any(line.startswith(f"{name} wins ") for name in self.seats):
            return ""  # what somebody says may look like it
        starts = [at for name in self.seats if (at := line.find(f".{name} wins ")) >= 0]
        return line[min(starts) + 1 :] if starts else ""

    def chat(self, line: str) -> bool:
        """Read `Ada: nh`; somebody who watches may talk too."""
        seated = next((name for name in self.named(line) if line[len(name) :][:1] == ":"), "")
        name, colon, words = (seated, ":", line[len(seated) + 1 :].strip()) if seated else line.partition(": ")
        known = bool(seated) or (bool(colon) and 0 < len(name) <= _LONGEST_SPEAKER)
        if known:
            self.put(WordsSaid(self.people.text(words), self.seats.get(seated), self.player(name)))
        return known

    def stranger(self, line: str) -> bool:
        """Read an act of somebody without a row in the list, who gets the chair that fits."""
        head, opening, _ = line[:-1].rpartition("[" if line.endswith("]") else "(")
        told = head.rstrip() if opening and line.endswith(("]", ")")) else line
        for words in self.AMOUNTS if told is not line else TURNS:
            name = told[: -len(words) - 1]
            if told.endswith(" " + words) and (seat := self.chair_of(name.strip())):
                return self.act(seat, line[len(name) + 1 :].strip())
        return False

    # -- the deal -----------------------------------------------------------------------------------

    def heading(self, title: str, rest: str) -> bool:
        """Read `** Dealing Flop ** [ 4h, 4s, Jh ]`, `** Dealing down cards **`, `** Summary **`."""
        what = title.strip().lower().removeprefix("dealing").lstrip()
        board = self.cards(rest) if "[" in rest else None
        if what in self.STREETS and board:
            self.board(self.STREETS[what], board)
        elif what in FIRST and not rest.strip(" :"):
            if not stud.is_stud(self) and not self.first_small and not self.big:
                self.silent_blinds()
            stud.deal_begins(self)
        elif what == "summary":
            self.sums_up()
        else:
            return what in LATER and stud.begins_street(self, LATER[what])
        return True

    def deals(self, name: Seat, cards: Cards) -> bool:
        """Read `Dealt to Name [  Kh 4c ]`: hole cards, or a street's card of stud."""
        up = ""
        if stud.is_stud(self):
            up = {"third": "ddu", "seventh": "d"}.get(self.street, "u")
            if len(up) != len(cards) // 2:
                return False
        self.own, self.hero = True, name
        self.dealt(HoleCardsDealt(name, cards, up))
        return True

    # -- the showdown -------------------------------------------------------------------------------

    def hides(self, seat: Seat, cards: Cards = "", claim: str = "") -> None:
        """Read `doesn't show [ Jc, Jd ]a pair of Jacks.`: known to the record all the same.

        That somebody shows no cards who folded long ago is a remark.
        """
        self.close_bets()
        if not cards and seat in self.folded:
            self.remark()
            return
        self.put(CardsMucked(seat, cards, True))
        if claim.strip():
            self.put(RemarkNoted(self.people.text(claim.strip())))

    def hides_before(self, seat: Seat, rest: str) -> bool:
        """Read `does not show cards.Bo wins $5`, where another line stands right behind."""
        self.hides(seat)
        return self.reads(rest)

    def joins(self, who: str) -> None:
        """Keep `Bo has joined the table`: who joins now is nobody whom the list of seats masks."""
        self.newcomers.add(who)
        self.remark()

    def sits_out_before(self, seat: Seat, rest: str) -> bool:
        """Read `is sitting outBo posts big blind [$1 USD]`, where another line stands right behind."""
        if not any(rest.startswith(f"{name} ") for name in self.seats):
            return False
        presence.sits_out(self, seat)
        return self.reads(rest)

    def collects(self, seat: Seat, told: str) -> bool:
        """Read `$5 USD from the side pot 1 with a flush`, `600 chips`, `Lo ($90.50 USD) from …`."""
        amount, _, pot = told.partition(" from ")
        half: Half = "low" if amount[:3] == "Lo " else "high" if amount[:3] == "Hi " else ""
        amount = amount[3:] if half else amount
        if not any(one.isdigit() for one in amount[:40]) or len(amount) > 60 or " wins " in pot:
            return False
        which = pot_of(pot)
        if half == "low":
            for index, event in enumerate(self.events):
                if isinstance(event, PotAwarded) and event.pot == which and not event.half:
                    self.events[index] = PotAwarded(event.seat, event.amount, which, event.run, event.board, "high")
        self.award(seat, self.amount(amount), which, half=half)
        if " with " in pot:
            self.claimed.add(seat)
        return True

    def cashes_out(self, seat: Seat, told: str) -> bool:
        """Read `for $22.77 USD` behind `cashed out`, perhaps with ` fee $0.23`."""
        price, _, fee = told.partition(" fee ")
        amount = price.rpartition("for ")[2]
        if not any(one.isdigit() for one in amount):
            return False
        self.put(CashOutTaken(seat, self.amount(amount), self.amount(fee) if fee else 0))
        return True

    def sold_for(self, seat: Seat, amount: Chips) -> bool:
        """Read `Cashout Amount is 23.01`."""
        sales = [at for at, one in enumerate(self.events) if isinstance(one, CashOutTaken) and one.seat == seat]
        for at in sales[-1:]:
            self.events[at] = CashOutTaken(seat, amount)
        return bool(sales)

    def ranks(self, name: Seat, told: str) -> bool:
        """Read `finished in 3 place and received $5 USD`."""
        rank, _, prize = told.partition(" and received ")
        place = number(rank.split(" ")[0].rstrip(".stndrh"), 9)
        if place:
            self.put(PlayerFinished(name, place, amounts.maybe(clean(prize), 2) if prize else None))
        return bool(place)

    def knocks_out(self, seat: Seat, over: str, told: str) -> bool:
        """Read `has knocked out Bo and won a $0.10 USD bounty prize`."""
        prize = amounts.maybe(clean(told), 2)
        if prize is not None:
            self.put(BountyWon(seat, prize, self.seat_of(over) or None))
        return prize is not None

    def warns(self, told: str) -> None:
        """Read `Your time bank will be activated in 6 secs`, a notice to whose file this is."""
        seconds = number(told.partition(" ")[0], 4)
        if self.hero and seconds:
            self.put(TimeWarned(self.hero, seconds))
        else:
            self.remark()

    # -- the summary ----------------------------------------------------------------------------------

    def pots_are(self, told: str) -> bool:
        """Read `Main Pot: $4 Side Pot 1: $3 Rake: $0.20`."""
        name = "main pot"
        for part in told.split(":"):
            word, _, behind = part.strip().partition(" ")
            if not any(one.isdigit() for one in word):
                return False
            amount = self.amount(word)
            if name == "main pot":
                self.put(ResultDeclared("main-pot", None, amount))
            elif name.startswith("side pot"):
                self.put(ResultDeclared("side-pot", None, amount, "", number(name.rpartition(" ")[2], 2) or 1))
            elif name == "rake" or name.startswith("jackpot"):
                self.drop("rake" if name == "rake" else "jackpot", amount)
            else:
                return False
            name = " ".join(behind.split()).lower()
        return not name

    def balance(self, seat: Seat, told: str) -> bool:
        """Read `$0.96, bet $0.21, collected $0.31, net +$0.1[ Kc, As ] [ a flush -- As … ]`."""
        words, bracket, shown = told.partition("[")
        stack, *parts = words.strip().rstrip(".").split(", ")
        self.put(ResultDeclared("end-stack", seat, self.amount(stack)))
        known = [self.balance_part(seat, part.strip()) for part in parts]
        if bracket:
            held, _, claim = shown.partition("]")
            known.append(self.held(seat, held, claim))
        return all(known)

    def balance_part(self, seat: Seat, part: str) -> bool:
        """Read one part of a balance."""
        word, _, amount = part.removesuffix("(folded)").strip().partition(" ")
        amount = amount.strip()
        if word == "collected":
            if not any(isinstance(one, CashOutTaken) and one.seat == seat for one in self.events):
                self.award(seat, self.amount(amount))  # of a hand that was sold the house pays the price
        elif word in ("lost", "net"):
            net = self.amount(amount.lstrip("+-"))
            self.put(ResultDeclared("net", seat, -net if word == "lost" or amount.startswith("-") else net))
        elif part == "sits out":
            self.left_out(seat, "sitting-out", told=True)
        elif word.lower() == "cashed":
            return self.cashes_out(seat, amount.removeprefix("out").replace("balance", "for"))
        else:
            return word == "bet" or part in ("didn't bet (folded)", "didn't bet")
        return True

    def held(self, seat: Seat, told: str, claim: str) -> bool:
        """Take the cards of a balance, if no line showed them before, and what hand they made."""
        cards = self.cards(told)
        if cards is None:
            return False
        if not any(isinstance(one, _TOLD) and (one.seat, one.cards) == (seat, cards) for one in self.events):
            self.put(HoleCardsLearned(seat, cards))
        words = claim.strip(" []").partition(" -- ")[0]
        if words:
            self.put(RemarkNoted(self.people.text(words)))
            self.claimed.add(seat)
        return True

    def finish(self) -> None:
        """Do what only the whole hand can tell."""
        if self.summary:
            self.at = next(at for at in range(self.after - 1, 0, -1) if self.lines.text[at].strip())
        else:
            backward = zip(reversed(self.marks), reversed(self.events), strict=True)
            self.at = next((at for at, event in backward if isinstance(event, PotAwarded)), -1)
            if self.at < 0:
                return
        self.silent()
        settling.within_awards(self, always=True)
        self.return_bets()
        self.dead_with_entry()
        settling.infer_rake(self)
        self.put(HandCompleted())

    AMOUNTS: ClassVar[Mapping[str, Make]] = {
        "calls": PartyPokerSeating.calls,
        **dict.fromkeys(("bets", "double bets"), acts.bets),
        **dict.fromkeys(("raises", "completes"), PartyPokerSeating.raises),
        **dict.fromkeys(("is all-In", "is all-In ", "is all-in", "is all-in "), acts.puts_all_in),
        **dict.fromkeys(("posts small blind", "posts the small blind"), PartyPokerSeating.small_blind),
        **dict.fromkeys(("posts big blind", "posts the big blind"), acts.big_blind),
        **dict.fromkeys(("posts big blind + dead", "posts small blind + dead", "posts both"), acts.both_blinds),
        **dict.fromkeys(("posts dead blind", "posts dead"), acts.dead_post),
        "posts button blind": PartyPokerSeating.button_blind,
        **dict.fromkeys(("posts ante", "posts the ante", "posts ante of"), acts.antes),
        **dict.fromkeys(("posts straddle", "posts a straddle", "straddles"), acts.straddles),
        **dict.fromkeys(("bring-ins", "brings-in", "posts bring-in"), acts.brings_in),
    }
    """What stands between a name and an amount in brackets → how it is told."""
    DEEDS = (
        ("raises {_} to {amount}", acts.raises_to),
        *((words + " [{amount}]", make) for words, make in AMOUNTS.items()),
        *((words + " ({amount})", make) for words, make in AMOUNTS.items()),
        *((words + "[{amount}]", make) for words, make in AMOUNTS.items()),
        *((words + "({amount})", make) for words, make in AMOUNTS.items()),
        ("folds", acts.folds),
        ("checks", PartyPokerSeating.checks),
    )
    SAYINGS = (
        ("wins {told}", collects),
        ("shows{_}[{cards}]{claim}", Room.shows),
        *alike(Room.remark, "shows{_} for low{_}", "shows{_} for high{_}"),
        *alike(hides, "doesn't show cards", "does not show cards"),
        *alike(hides, "doesn't show [{cards}]{claim}", "doesn't show  [{cards}]{claim}"),
        ("does not show cards.{rest}", hides_before),
        *alike(Room.mucks, "mucks", "mucks cards"),
        *alike(PartyPokerSeating.went_all_in, "is all-In", "is all-in"),
        *alike(Room.remark, "opens", "Forward Folds", "- Selects point card"),
        *alike(presence.sits_out, "is sitting out", "sits out"),
        ("is sitting out{rest}", sits_out_before),
        *alike(presence.leaves, "has left the table"),
        *alike(presence.returns, "has returned to the table", "is back"),
        *alike(Room.times_out, *SLOW),
        ("could not respond in time.(disconnected)", Room.times_out_offline),
        *alike(presence.uses_bank, *BANK),
        *alike(Room.disconnects, "has been disconnected", "is disconnected", "is disconnected. We will wait for {_}"),
        *alike(Room.reconnects, "is connected", "has reconnected", "has been reconnected"),
        *alike(Room.reconnects, "has reconnected and has {_}", "has been reconnected and has {_}"),
        *alike(cashes_out, "cashed out{told}", "cashes out{told}"),
        ("opted for cash-out", puts(CashOutTaken)),
        ("Cashout Amount is {amount}", sold_for),
        *alike(Room.remark, "Cash-out Premium % is {_}", "probabilty is {_}", "probability is {_}"),
        ("finished in {told}", ranks),
        ("has knocked out {over} and won a {told} bounty prize{_}", knocks_out),
        *alike(when(in_summary, balance), "balance {told}", "Cashed out  balance {told}"),
    )
    LINES = (
        ("**{title}**{rest}", heading),
        ("Dealt to {name} [{cards}]", deals),
        *alike(Room.ignored, "Game #{_}", "#Game No{_}", "Creating {_}", "Dealt to {name}"),
        ("Player {name} finished in {told}", ranks),
        ("Congratulations to player {name} for winning tournament{_}", puts(partial(PlayerFinished, rank=1))),
        ("Your time bank will be activated in {told}", warns),
        *alike(Room.remark, ">{_}", "There is no qualifying{_}", "There was no qualifying{_}", "You have {_}"),
        *alike(Room.remark, "Your {_}", "Table {_}", "Trny{_}", "Blinds{_}", "The hand history for {_}"),
        ("{who} has joined the table", joins),
        ("{who} has left the table", presence.leaves),
        ("{who} is sitting out", presence.sits_out),
    )
    SUMMARY = (("Board:{cards}", Room.whole_board), ("Main Pot:{told}", pots_are))


def pot_of(text: str) -> int | None:
    """Return the pot of `the main pot  with …`, `the side pot 1 with …`, `side pot #1 …`."""
    words = text.replace("#", "").split()
    if "pot" not in words[:3]:
        return None
    at = words.index("pot")
    if at and words[at - 1] == "main":
        return 0
    return number((words[at + 1] if at + 1 < len(words) else "").rstrip("."), 2) or 1


def sniff(head: bytes) -> int:
    """Tell how sure it is that these first bytes are partypoker's."""
    text = head.decode("utf-8", "replace")
    return 95 if any(word in text for word in HEADS) else 0


def tell(page: Page) -> PartyPokerHand:
    """Read one hand.

    What the number behind `raises` is, programs that write this text do not agree on. Where calls
    do not match, the other two meanings are tried, and blinds by the button where no line posts them;
    what most calls match is believed.
    """
    text, k = page.lines.text, page.head
    head = head_of(text, k, page.after)
    best = read(page, head, PartyPokerHand(page.lines, page.people, head.venue, setup(head, page.exponent), page.first))
    others: tuple[tuple[Increase, bool], ...] = (
        (HandBuilder.raise_to, False),
        (HandBuilder.raise_over, False),
        (HandBuilder.raise_by, True),
    )
    for increase, by_button in others:
        if best.odd:
            hand = PartyPokerHand(page.lines, page.people, head.venue, best.game, page.first)
            hand.increase, hand.by_button = increase, by_button
            best = min(best, read(page, head, hand), key=lambda one: one.odd)
    return best


def shown_in_order(hand: PartyPokerHand) -> bool:
    """Whether each hand that was read is told to be shown, and before a pot was paid: converters tell it behind."""
    ends = [one for one in hand.events if isinstance(one, _ENDS)]
    if hand.claimed - {one.seat for one in ends if not isinstance(one, PotAwarded)}:
        return False
    kinds = list(map(type, ends))
    return PotAwarded not in kinds or CardsShown not in kinds[kinds.index(PotAwarded) :]


def read(page: Page, head: PartyPokerHeader, hand: PartyPokerHand) -> PartyPokerHand:
    """Read one hand, with its meaning of the number behind `raises`."""
    hand.after, hand.at, hand.chairs = page.after, head.line, head.chairs
    if head.game.tournament:
        hand.put(costs(head))
    hand.put(hand.game)
    if head.game.pool:
        hand.put(OptionSet("other", head.game.pool))
    hand.take_seats(head)
    hand.body(head.body, page.after)
    known = WITNESSES
    if hand.taken:
        known |= int(Witness.DROP)
    if hand.summary:
        known |= int(Witness.STACKS_AFTER)
    if not shown_in_order(hand):
        known &= ~int(Witness.SHOWDOWN)
    hand.finish()
    hand.say_anonymous()
    number = head.game.number if head.game.tournament else ""
    moment = started(head.date)
    hand.opened(head.table, head.number, known, moment, head.date, head.chairs, number)
    return hand


_GRAMMAR: Final = Grammar(begins, others("#Game", "***** Hand"), tell, PREFACE, "*\ufeff\0 \t")
FORMAT: Final = text_format(
    "partypoker", "partypoker text", _GRAMMAR, tuple(head.rstrip() for head in HEADS), sniff=sniff
)
