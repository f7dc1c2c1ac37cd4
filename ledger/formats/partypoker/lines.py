"""What the lines of partypoker's text say: acts, showdown, summary, and who talks, comes and goes."""

from __future__ import annotations

from typing import Final

from ledger.formats.partypoker.hand import Seated
from ledger.hand.betting import CashOutTaken, ClockExpired, TimeBankUsed, TimeWarned
from ledger.hand.dealing import HoleCardsLearned
from ledger.hand.ending import CardsMucked, CardsShown, PlayerFinished, PotAwarded, RemarkNoted, ResultDeclared
from ledger.presence import PlayerAway, PlayerBack, SeatLeft, WordsSaid
from ledger.readers import acts, amounts
from ledger.readers.acts import Make
from ledger.readers.phrases import number
from ledger.readers.room import Room
from ledger.vocabulary import Cards, Chips, Seat

AMOUNTS: Final[dict[str, Make]] = {
    "calls": Seated.calls,
    **dict.fromkeys(("bets", "double bets"), acts.bets),
    **dict.fromkeys(("raises", "completes"), Seated.raises),
    **dict.fromkeys(("is all-In", "is all-In ", "is all-in", "is all-in "), acts.puts_all_in),
    **dict.fromkeys(("posts small blind", "posts the small blind"), Seated.small_blind),
    **dict.fromkeys(("posts big blind", "posts the big blind"), acts.big_blind),
    **dict.fromkeys(("posts big blind + dead", "posts small blind + dead", "posts both"), acts.both_blinds),
    **dict.fromkeys(("posts dead blind", "posts dead"), Seated.dead_blind),
    "posts button blind": Seated.button_blind,
    **dict.fromkeys(("posts ante", "posts the ante", "posts ante of"), acts.antes),
    **dict.fromkeys(("posts straddle", "posts a straddle", "straddles"), acts.straddles),
    **dict.fromkeys(("bring-ins", "brings-in", "posts bring-in"), acts.brings_in),
}
"""What stands between a name and an amount in brackets → how it is told."""
BRACKETS: Final = ("{} [{{amount}}]", "{} ({{amount}})", "{}[{{amount}}]", "{}({{amount}})")
TURNS: Final = (
    "folds",
    "checks",
    "did not respond in time",
    "could not respond in time",
    "could not respond in time.(disconnected)",
    "will be using their time bank for this hand",
    "will be using his time bank for this hand",
    "will be using her time bank for this hand",
)
"""What only who is next to act is told to do, also without a seat in the list."""
_LONGEST_SPEAKER: Final = 25


class Hand(Seated):
    """The hand being read: `Name act [$5 USD]`, no colon."""

    __slots__ = ()

    # -- lines ------------------------------------------------------------------------------------

    def body(self, k: int, after: int) -> None:
        """Read lines `k` up to `after`, each without the full stop at its end."""
        text, known, plain = self.lines.text, self.acts_read, self.plain_words
        self.after = after
        for at in range(k, after):
            line = text[at].rstrip()
            if not line:
                continue
            self.at = at
            if self.summary:
                self.ended = at
            if line[-1] == "." and line[-2:-1] != " ":
                line = line[:-1]
            word, _, rest = line.partition(" ")
            if (
                (told := known.get(rest))
                and (seat := plain.get(word))
                and told[0](self, seat, told[1], told[2]) is not False
            ):
                continue
            if not self.reads(line):
                self.unread(line)

    def reads(self, line: str) -> bool:
        """Read a line: of two winners in one, of somebody seated, of nobody, of who talks or has no seat."""
        behind = self.glued(line)
        if behind:
            return self.reads(line[: -len(behind) - 1]) and self.reads(behind)
        return self.spoken(line) or self.line(line) or self.stranger(line) or self.chat(line)

    def act(self, seat: Seat, rest: str) -> bool:
        """Read what follows a name, without full stops at its end."""
        return super().act(seat, rest.rstrip("."))

    def glued(self, line: str) -> str:
        """Return the line of another winner that some files write right behind the stop of one; "" = none."""
        if line.count(" wins ") < 2 or not any(line.startswith(f"{name} wins ") for name in self.seats):
            return ""  # what somebody says may look like it
        starts = [at for name in self.seats if (at := line.find(f".{name} wins ")) >= 0]
        return line[min(starts) + 1 :] if starts else ""

    def chat(self, line: str) -> bool:
        """Read `Ada: nh`; somebody who watches may talk too."""
        for name in self.named(line):
            if line[len(name) :][:1] == ":":
                words = self.people.text(line[len(name) + 1 :].strip())
                self.put(WordsSaid(words, self.seats[name], self.player(name)))
                return True
        name, colon, words = line.partition(": ")
        known = bool(colon) and 0 < len(name) <= _LONGEST_SPEAKER
        if known:
            self.put(WordsSaid(self.people.text(words), None, self.player(name)))
        return known

    def stranger(self, line: str) -> bool:
        """Read an act of somebody without a row in the list, who gets the chair that fits."""
        head, opening, _ = line[:-1].rpartition("[" if line[-1] == "]" else "(")
        said = head.rstrip() if opening and line[-1] in "])" else line
        for words in AMOUNTS if said is not line else TURNS:
            name = said[: -len(words) - 1]
            if said.endswith(" " + words) and (seat := self.who(name)):
                return self.act(seat, line[len(name) + 1 :].strip())
        return False

    # -- the showdown -----------------------------------------------------------------------------

    def shows_hand(self, seat: Seat, told: str) -> bool:
        """Read `[ 8c, 8d ]three of a kind, Eights.`; `8,5,3,2,A  for low.` is a remark."""
        before, _, rest = told.partition("[")
        inner, closed, claim = rest.partition("]")
        cards = self.cards(inner) if closed and not before.strip() else None
        if cards is not None:
            self.close_bets()
            self.put(CardsShown(seat, cards, claim=self.people.text(claim.strip())))
        elif "for low" in told or "for high" in told:
            self.remark()
        else:
            return False
        return True

    def hides(self, seat: Seat, cards: Cards, claim: str = "") -> None:
        """Read `doesn't show [ Jc, Jd ]a pair of Jacks.`: known to the record all the same."""
        self.close_bets()
        self.put(CardsMucked(seat, cards, True))
        if claim.strip():
            self.put(RemarkNoted(self.people.text(claim.strip())))

    def hides_all(self, seat: Seat) -> None:
        """Show no cards; of somebody who folded long ago it is a remark."""
        self.close_bets()
        if seat in self.folded:
            self.remark()
        else:
            self.put(CardsMucked(seat, "", True))

    def hides_before(self, seat: Seat, rest: str) -> bool:
        """Read `does not show cards.Bo wins $5`, where another line stands right behind."""
        self.hides_all(seat)
        return self.reads(rest)

    def collects(self, seat: Seat, told: str) -> bool:
        """Read `$5 USD from the side pot 1 with a flush`, `600 chips`, `Lo ($90.50 USD) from …`."""
        amount, _, pot = told.partition(" from ")
        half = ""
        if amount[:3] in ("Lo ", "Hi "):
            half = "low" if amount[0] == "L" else "high"
            amount = amount[3:]
        if not any(one.isdigit() for one in amount[:40]) or len(amount) > 60:
            return False
        which = pot_of(pot)
        if half == "low":
            for index, event in enumerate(self.events):
                if isinstance(event, PotAwarded) and event.pot == which and not event.half:
                    self.events[index] = PotAwarded(event.seat, event.amount, which, event.run, event.board, "high")
        self.award(seat, self.amount(amount), which, half=half)  # type: ignore[arg-type]  # one of three
        self.ended = self.at
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

    def sells(self, seat: Seat) -> None:
        """Read `opted for cash-out`; another line tells the price."""
        self.put(CashOutTaken(seat))

    def sold_for(self, seat: Seat, amount: Chips) -> bool:
        """Read `Cashout Amount is 23.01`."""
        sales = [at for at, one in enumerate(self.events) if isinstance(one, CashOutTaken) and one.seat == seat]
        for at in sales[-1:]:
            self.events[at] = CashOutTaken(seat, amount)
        return bool(sales)

    # -- who comes and goes -----------------------------------------------------------------------

    def sits_out(self, seat: Seat) -> None:
        """Sit out: this hand too, where no act says otherwise."""
        self.put(PlayerAway(seat, self.player_in(seat), why="sits-out"))
        self.away.add(seat)

    def leaves(self, seat: Seat) -> None:
        """Read `has left the table`."""
        self.put(SeatLeft(seat, self.player_in(seat), "left"))

    def returns(self, seat: Seat) -> None:
        """Read `has returned to the table`."""
        self.put(PlayerBack(seat, self.player_in(seat)))

    def times_out_away(self, seat: Seat) -> None:
        """Read `could not respond in time.(disconnected)`."""
        self.put(ClockExpired(seat, False))

    def uses_bank(self, seat: Seat) -> None:
        """Read `will be using their time bank for this hand`."""
        self.put(TimeBankUsed(seat))

    def watcher_left(self, who: str) -> None:
        """Read that somebody without a seat left."""
        self.put(SeatLeft(None, self.player(who), "left"))

    def watcher_away(self, who: str) -> None:
        """Read that somebody without a seat sits out."""
        self.put(PlayerAway(None, self.player(who), why="sits-out"))

    def ranks(self, name: Seat, told: str) -> bool:
        """Read `finished in 3 place and received $5 USD`."""
        rank, _, prize = told.partition(" and received ")
        place = number(rank.split(" ")[0].rstrip(".stndrh"), 9)
        if place:
            price = prize.strip().rstrip(".").removesuffix("USD").removesuffix("EUR").strip()
            self.put(PlayerFinished(name, place, amounts.maybe(price, 2) if prize else None))
        return bool(place)

    def wins_tournament(self, name: Seat) -> None:
        """Read `Congratulations to player Ada for winning tournament`."""
        self.put(PlayerFinished(name, 1))

    def warns(self, told: str) -> None:
        """Read `Your time bank will be activated in 6 secs`, a notice to whose file this is."""
        seconds = number(told.partition(" ")[0], 4)
        if self.hero and seconds:
            self.put(TimeWarned(self.hero, seconds))
        else:
            self.remark()

    # -- the summary ------------------------------------------------------------------------------

    def board_is(self, cards: Cards) -> bool:
        """Read `Board: [ 2c, 7d, … ]`."""
        if self.summary:
            self.whole_board(cards)
        return self.summary

    def pots_are(self, told: str) -> bool:
        """Read `Main Pot: $4 Side Pot 1: $3 Rake: $0.20`."""
        if not self.summary:
            return False
        label: list[str] = []
        for word in f"Main Pot:{told}".split():
            if not any(one.isdigit() for one in word) or word.endswith(":") or not label or label[-1][-1] != ":":
                label.append(word)
                continue
            name, amount = " ".join(label).lower().rstrip(":"), self.amount(word)
            if name == "rake" or name.startswith("jackpot"):
                self.drop("rake" if name == "rake" else "jackpot", amount)
            elif name == "main pot":
                self.put(ResultDeclared("main-pot", None, amount))
            elif name.startswith("side pot"):
                self.put(ResultDeclared("side-pot", None, amount, "", number(name.rpartition(" ")[2], 2) or 1))
            else:
                return False
            label = []
        return not label

    def balance(self, seat: Seat, told: str) -> bool:
        """Read `$0.96, bet $0.21, collected $0.31, net +$0.1[ Kc, As ] [ a flush -- As … ]`."""
        if not self.summary:
            return False
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
        ends = [one for one in self.events if isinstance(one, CardsShown | CardsMucked)]
        if not any((one.seat, one.cards) == (seat, cards) for one in ends):
            self.put(HoleCardsLearned(seat, cards))
        words = claim.strip(" []").partition(" -- ")[0]
        if words:
            self.put(RemarkNoted(self.people.text(words)))
            self.claimed.add(seat)
        return True

    DEEDS = (
        ("raises {_} to {amount}", acts.raises_to),
        *((template.format(words), make) for words, make in AMOUNTS.items() for template in BRACKETS),
        ("folds", acts.folds),
        ("checks", Seated.checks),
    )
    SAYINGS = (
        ("wins {told}", collects),
        ("doesn't show cards", hides_all),
        ("doesn't show [{cards}]{claim}", hides),
        ("doesn't show  [{cards}]{claim}", hides),
        ("does not show cards", hides_all),
        ("does not show cards.{rest}", hides_before),
        ("mucks", Room.mucks),
        ("mucks cards", Room.mucks),
        ("is all-In", Seated.went_all_in),
        ("is all-in", Seated.went_all_in),
        ("opens", Room.remark),
        ("Forward Folds", Room.remark),
        ("- Selects point card", Room.remark),
        ("is sitting out", sits_out),
        ("sits out", sits_out),
        ("has left the table", leaves),
        ("has returned to the table", returns),
        ("is back", returns),
        ("did not respond in time", Room.times_out),
        ("could not respond in time", Room.times_out),
        ("could not respond in time.(disconnected)", times_out_away),
        ("will be using their time bank for this hand", uses_bank),
        ("will be using his time bank for this hand", uses_bank),
        ("will be using her time bank for this hand", uses_bank),
        ("has been disconnected", Room.disconnects),
        ("is disconnected", Room.disconnects),
        ("is disconnected. We will wait for {_}", Room.disconnects),
        ("has reconnected", Room.reconnects),
        ("has reconnected and has {_}", Room.reconnects),
        ("has been reconnected", Room.reconnects),
        ("has been reconnected and has {_}", Room.reconnects),
        ("is connected", Room.reconnects),
        ("cashed out{told}", cashes_out),
        ("cashes out{told}", cashes_out),
        ("opted for cash-out", sells),
        ("Cashout Amount is {amount}", sold_for),
        ("Cash-out Premium % is {_}", Room.remark),
        ("probabilty is {_}", Room.remark),
        ("probability is {_}", Room.remark),
        ("finished in {told}", ranks),
        ("balance {told}", balance),
        ("Cashed out  balance {told}", balance),
        ("shows{told}", shows_hand),
    )
    LINES = (
        ("**{title}**{rest}", Seated.heading),
        ("Dealt to {name} [{cards}]", Seated.deals),
        ("Dealt to {name}", Room.ignored),
        ("Game #{_}", Room.ignored),
        ("#Game No{_}", Room.ignored),
        ("Creating {_}", Room.ignored),
        (">{_}", Room.remark),
        ("There is no qualifying{_}", Room.remark),
        ("There was no qualifying{_}", Room.remark),
        ("Board:{cards}", board_is),
        ("Main Pot:{told}", pots_are),
        ("Player {name} finished in {told}", ranks),
        ("Congratulations to player {name} for winning tournament{_}", wins_tournament),
        ("Your time bank will be activated in {told}", warns),
        ("You have {_}", Room.remark),
        ("Your {_}", Room.remark),
        ("Table {_}", Room.remark),
        ("Trny{_}", Room.remark),
        ("Blinds{_}", Room.remark),
        ("The hand history for {_}", Room.remark),
        ("{_} has joined the table", Room.remark),
        ("{who} has left the table", watcher_left),
        ("{who} is sitting out", watcher_away),
    )


def pot_of(text: str) -> int | None:
    """Return the pot of `the main pot  with …`, `the side pot 1 with …`, `side pot #1 …`."""
    words = text.replace("#", "").split()
    if "pot" not in words[:3]:
        return None
    at = words.index("pot")
    if at and words[at - 1] == "main":
        return 0
    return number((words[at + 1] if at + 1 < len(words) else "").rstrip("."), 2) or 1
