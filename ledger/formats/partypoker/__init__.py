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
from ledger.readers import acts, amounts, presence, settlement, stud
from ledger.readers.acts import TellAction
from ledger.readers.hand import HandBuilder
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import rows_told_by, small_number
from ledger.readers.signatures import foreign_heads
from ledger.readers.text_format import HandPage, TextGrammar, text_format
from ledger.readers.text_hand import event_teller, in_summary, teller_if
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

    def read_action(self, seat: Seat, rest: str) -> bool:
        """Read what follows a name, without full stops at its end."""
        bare = rest.rstrip(".")
        done = super().read_action(seat, bare)
        if done and bare != rest and bare in self.acts_read:
            self.acts_read[rest] = self.acts_read[bare]
        return done

    def read_line(self, line: str) -> bool:
        """Read a line of nobody, of who talks or has no seat, or of two winners without a break between them."""
        if line[-1] == "." and line[-2:-1] != " ":
            line = line[:-1]
        behind = self.glued(line)
        if behind:
            return self.reads(line[: -len(behind) - 1]) and self.reads(behind)
        return super().read_line(line) or self.stranger(line) or self.chat(line)

    def reads(self, line: str) -> bool:
        """Read a part of a line."""
        return self.read_player_line(line) or self.read_line(line)

    def glued(self, line: str) -> str:
        """Return the line of another winner that some files write right behind the stop of one; "" = none."""
        if line.count(" wins ") < 2 or not any(line.startswith(f"{name} wins ") for name in self.seats):
            return ""  # what somebody says may look like it
        starts = [at for name in self.seats if (at := line.find(f".{name} wins ")) >= 0]
        return line[min(starts) + 1 :] if starts else ""

    def chat(self, line: str) -> bool:
        """Read `Ada: nh`; somebody who watches may talk too."""
        seated = next((name for name in self.names_at_start(line) if line[len(name) :][:1] == ":"), "")
        name, colon, words = (seated, ":", line[len(seated) + 1 :].strip()) if seated else line.partition(": ")
        known = bool(seated) or (bool(colon) and 0 < len(name) <= _LONGEST_SPEAKER)
        if known:
            self.add_event(WordsSaid(self.people.text(words), self.seats.get(seated), self.player_id(name)))
        return known

    def stranger(self, line: str) -> bool:
        """Read an act of somebody without a row in the list, who gets the chair that fits."""
        head, opening, _ = line[:-1].rpartition("[" if line.endswith("]") else "(")
        told = head.rstrip() if opening and line.endswith(("]", ")")) else line
        for words in self.AMOUNTS if told is not line else TURNS:
            name = told[: -len(words) - 1]
            if told.endswith(" " + words) and (seat := self.chair_of(name.strip())):
                return self.read_action(seat, line[len(name) + 1 :].strip())
        return False

    # -- the deal -----------------------------------------------------------------------------------

    def heading(self, title: str, rest: str) -> bool:
        """Read `** Dealing Flop ** [ 4h, 4s, Jh ]`, `** Dealing down cards **`, `** Summary **`."""
        what = title.strip().lower().removeprefix("dealing").lstrip()
        board = self.read_cards(rest) if "[" in rest else None
        if what in self.STREETS and board:
            self.deal_board(self.STREETS[what], board)
        elif what in FIRST and not rest.strip(" :"):
            if not stud.is_stud(self) and not self.small_blind_seat and not self.big_blind_seat:
                self.silent_blinds()
            stud.deal_begins(self)
        elif what == "summary":
            self.starts_summary()
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
        self.has_own_cards, self.hero = True, name
        self.add_hole_cards(HoleCardsDealt(name, cards, up))
        return True

    # -- the showdown -------------------------------------------------------------------------------

    def hides(self, seat: Seat, cards: Cards = "", claim: str = "") -> None:
        """Read `doesn't show [ Jc, Jd ]a pair of Jacks.`: known to the record all the same.

        That somebody shows no cards who folded long ago is a remark.
        """
        self.close_bets()
        if not cards and seat in self.folded:
            self.add_remark()
            return
        self.add_event(CardsMucked(seat, cards, True))
        if claim.strip():
            self.add_event(RemarkNoted(self.people.text(claim.strip())))

    def hides_before(self, seat: Seat, rest: str) -> bool:
        """Read `does not show cards.Bo wins $5`, where another line stands right behind."""
        self.hides(seat)
        return self.reads(rest)

    def joins(self, who: str) -> None:
        """Keep `Bo has joined the table`: who joins now is nobody whom the list of seats masks."""
        self.newcomers.add(who)
        self.add_remark()

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
        self.add_event(CashOutTaken(seat, self.amount(amount), self.amount(fee) if fee else 0))
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
        place = small_number(rank.split(" ")[0].rstrip(".stndrh"), 9)
        if place:
            self.add_event(PlayerFinished(name, place, amounts.read_or_none(clean(prize), 2) if prize else None))
        return bool(place)

    def knocks_out(self, seat: Seat, over: str, told: str) -> bool:
        """Read `has knocked out Bo and won a $0.10 USD bounty prize`."""
        prize = amounts.read_or_none(clean(told), 2)
        if prize is not None:
            self.add_event(BountyWon(seat, prize, self.seat_of(over) or None))
        return prize is not None

    def warns(self, told: str) -> None:
        """Read `Your time bank will be activated in 6 secs`, a notice to whose file this is."""
        seconds = small_number(told.partition(" ")[0], 4)
        if self.hero and seconds:
            self.add_event(TimeWarned(self.hero, seconds))
        else:
            self.add_remark()

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
                self.add_event(ResultDeclared("main-pot", None, amount))
            elif name.startswith("side pot"):
                self.add_event(
                    ResultDeclared("side-pot", None, amount, "", small_number(name.rpartition(" ")[2], 2) or 1)
                )
            elif name == "rake" or name.startswith("jackpot"):
                self.take_drop("rake" if name == "rake" else "jackpot", amount)
            else:
                return False
            name = " ".join(behind.split()).lower()
        return not name

    def balance(self, seat: Seat, told: str) -> bool:
        """Read `$0.96, bet $0.21, collected $0.31, net +$0.1[ Kc, As ] [ a flush -- As … ]`."""
        words, bracket, shown = told.partition("[")
        stack, *parts = words.strip().rstrip(".").split(", ")
        self.add_event(ResultDeclared("end-stack", seat, self.amount(stack)))
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
            self.add_event(ResultDeclared("net", seat, -net if word == "lost" or amount.startswith("-") else net))
        elif part == "sits out":
            self.mark_left_out(seat, "sitting-out", told=True)
        elif word.lower() == "cashed":
            return self.cashes_out(seat, amount.removeprefix("out").replace("balance", "for"))
        else:
            return word == "bet" or part in ("didn't bet (folded)", "didn't bet")
        return True

    def held(self, seat: Seat, told: str, claim: str) -> bool:
        """Take the cards of a balance, if no line showed them before, and what hand they made."""
        cards = self.read_cards(told)
        if cards is None:
            return False
        if not any(isinstance(one, _TOLD) and (one.seat, one.cards) == (seat, cards) for one in self.events):
            self.add_event(HoleCardsLearned(seat, cards))
        words = claim.strip(" []").partition(" -- ")[0]
        if words:
            self.add_event(RemarkNoted(self.people.text(words)))
            self.claimed.add(seat)
        return True

    def finish(self) -> None:
        """Do what only the whole hand can tell."""
        if self.summary_line:
            self.place = next(at for at in range(self.after - 1, 0, -1) if self.lines.text[at].strip())
        else:
            backward = zip(reversed(self.event_places), reversed(self.events), strict=True)
            self.place = next((at for at, event in backward if isinstance(event, PotAwarded)), -1)
            if self.place < 0:
                return
        self.leave_out_silent()
        settlement.split_uncalled_awards(self, always=True)
        self.infer_returns()
        self.dead_with_entry()
        settlement.infer_rake(self)
        self.add_event(HandCompleted())

    AMOUNTS: ClassVar[Mapping[str, TellAction]] = {
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
    ACTIONS = (
        ("raises {_} to {amount}", acts.raises_to),
        *((words + " [{amount}]", make) for words, make in AMOUNTS.items()),
        *((words + " ({amount})", make) for words, make in AMOUNTS.items()),
        *((words + "[{amount}]", make) for words, make in AMOUNTS.items()),
        *((words + "({amount})", make) for words, make in AMOUNTS.items()),
        ("folds", acts.folds),
        ("checks", PartyPokerSeating.checks),
    )
    PLAYER_LINES = (
        ("wins {told}", collects),
        ("shows{_}[{cards}]{claim}", PhraseHand.shows),
        *rows_told_by(PhraseHand.add_remark, "shows{_} for low{_}", "shows{_} for high{_}"),
        *rows_told_by(hides, "doesn't show cards", "does not show cards"),
        *rows_told_by(hides, "doesn't show [{cards}]{claim}", "doesn't show  [{cards}]{claim}"),
        ("does not show cards.{rest}", hides_before),
        *rows_told_by(PhraseHand.mucks, "mucks", "mucks cards"),
        *rows_told_by(PartyPokerSeating.went_all_in, "is all-In", "is all-in"),
        *rows_told_by(PhraseHand.add_remark, "opens", "Forward Folds", "- Selects point card"),
        *rows_told_by(presence.sits_out, "is sitting out", "sits out"),
        ("is sitting out{rest}", sits_out_before),
        *rows_told_by(presence.leaves, "has left the table"),
        *rows_told_by(presence.returns, "has returned to the table", "is back"),
        *rows_told_by(PhraseHand.times_out, *SLOW),
        ("could not respond in time.(disconnected)", PhraseHand.times_out_offline),
        *rows_told_by(presence.uses_bank, *BANK),
        *rows_told_by(
            PhraseHand.disconnects, "has been disconnected", "is disconnected", "is disconnected. We will wait for {_}"
        ),
        *rows_told_by(PhraseHand.reconnects, "is connected", "has reconnected", "has been reconnected"),
        *rows_told_by(PhraseHand.reconnects, "has reconnected and has {_}", "has been reconnected and has {_}"),
        *rows_told_by(cashes_out, "cashed out{told}", "cashes out{told}"),
        ("opted for cash-out", event_teller(CashOutTaken)),
        ("Cashout Amount is {amount}", sold_for),
        *rows_told_by(PhraseHand.add_remark, "Cash-out Premium % is {_}", "probabilty is {_}", "probability is {_}"),
        ("finished in {told}", ranks),
        ("has knocked out {over} and won a {told} bounty prize{_}", knocks_out),
        *rows_told_by(teller_if(in_summary, balance), "balance {told}", "Cashed out  balance {told}"),
    )
    LINES = (
        ("**{title}**{rest}", heading),
        ("Dealt to {name} [{cards}]", deals),
        *rows_told_by(PhraseHand.ignores, "Game #{_}", "#Game No{_}", "Creating {_}", "Dealt to {name}"),
        ("Player {name} finished in {told}", ranks),
        ("Congratulations to player {name} for winning tournament{_}", event_teller(partial(PlayerFinished, rank=1))),
        ("Your time bank will be activated in {told}", warns),
        *rows_told_by(
            PhraseHand.add_remark, ">{_}", "There is no qualifying{_}", "There was no qualifying{_}", "You have {_}"
        ),
        *rows_told_by(
            PhraseHand.add_remark, "Your {_}", "Table {_}", "Trny{_}", "Blinds{_}", "The hand history for {_}"
        ),
        ("{who} has joined the table", joins),
        ("{who} has left the table", presence.leaves),
        ("{who} is sitting out", presence.sits_out),
    )
    SUMMARY_LINES = (("Board:{cards}", PhraseHand.whole_board), ("Main Pot:{told}", pots_are))


def pot_of(text: str) -> int | None:
    """Return the pot of `the main pot  with …`, `the side pot 1 with …`, `side pot #1 …`."""
    words = text.replace("#", "").split()
    if "pot" not in words[:3]:
        return None
    at = words.index("pot")
    if at and words[at - 1] == "main":
        return 0
    return small_number((words[at + 1] if at + 1 < len(words) else "").rstrip("."), 2) or 1


def sniff(head: bytes) -> int:
    """Tell how sure it is that these first bytes are partypoker's."""
    text = head.decode("utf-8", "replace")
    return 95 if any(word in text for word in HEADS) else 0


def tell(page: HandPage) -> PartyPokerHand:
    """Read one hand.

    What the number behind `raises` is, programs that write this text do not agree on. Where calls
    do not match, the other two meanings are tried, and blinds by the button where no line posts them;
    what most calls match is believed.
    """
    text, k = page.lines.text, page.head_line
    head = head_of(text, k, page.end_line)
    best = read(
        page, head, PartyPokerHand(page.lines, page.people, head.venue, setup(head, page.exponent), page.first_line)
    )
    others: tuple[tuple[Increase, bool], ...] = (
        (HandBuilder.raise_to, False),
        (HandBuilder.raise_over, False),
        (HandBuilder.raise_by, True),
    )
    for increase, by_button in others:
        if best.odd:
            hand = PartyPokerHand(page.lines, page.people, head.venue, best.game, page.first_line)
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


def read(page: HandPage, head: PartyPokerHeader, hand: PartyPokerHand) -> PartyPokerHand:
    """Read one hand, with its meaning of the number behind `raises`."""
    hand.after, hand.place, hand.chairs = page.end_line, head.line, head.chairs
    if head.game.tournament:
        hand.add_event(costs(head))
    hand.add_event(hand.game)
    if head.game.pool:
        hand.add_event(OptionSet("other", head.game.pool))
    hand.take_seats(head)
    hand.read_body(head.body, page.end_line)
    known = WITNESSES
    if hand.total_drop:
        known |= int(Witness.DROP)
    if hand.summary_line:
        known |= int(Witness.STACKS_AFTER)
    if not shown_in_order(hand):
        known &= ~int(Witness.SHOWDOWN)
    hand.finish()
    hand.say_anonymous()
    number = head.game.number if head.game.tournament else ""
    moment = started(head.date)
    hand.open_hand(head.table, head.number, known, moment, head.date, head.chairs, number)
    return hand


_GRAMMAR: Final = TextGrammar(begins, foreign_heads("#Game", "***** Hand"), tell, PREFACE, "*\ufeff\0 \t")
FORMAT: Final = text_format(
    "partypoker", "partypoker text", _GRAMMAR, tuple(head.rstrip() for head in HEADS), sniff=sniff
)
