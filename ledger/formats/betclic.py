"""Betclic's text (its own client, since the end of 2024): a table of facts, then the hand.

`docs/formats/betclic.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar, Final

from ledger.errors import UnreadableHandError
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import BountyWon, RemarkNoted
from ledger.hand.opening import ButtonPlaced, GameSet, TournamentSet
from ledger.readers import acts, amounts, games, presence, timestamps
from ledger.readers.phrases import alike, number, require_number
from ledger.readers.reading import Grammar, Page, text_format
from ledger.readers.room import Room, seat_unreadable
from ledger.readers.signatures import others, sniffer
from ledger.readers.telling import POTS, Pot
from ledger.vocabulary import Cards, Chips, Millis, Seat, Street, Witness

HEAD: Final = "*** HEADER ***"
WITNESSES: Final = Witness.of(
    "BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP TIMES BLIND_AMOUNTS CONNECTIONS PRESENCE"
)
"""Not which bets went back, and not what of a post is live."""
GAMES: Final = games.FLOP | {"omaha5"}
FACTS: Final = frozenset(
    (
        *("Site", "Game Mode", "Game Type", "Tournament Type", "Game Name", "Game ID", "Buy In", "Hand ID"),
        *("Date & Time", "Table ID", "Ante", "Blinds", "Total Pot", "Rake", "Prize pool", "Multiplier"),
    )
)
"""The facts of which the hand is told; others are kept as lines that nobody knows."""
TAGS: Final = frozenset(("BTN", "SB", "BB", "Hero"))
BEFORE_ACTS: Final = ("Posts", "Sits", "Disconnected", "Reconnected")
"""What follows a name in lines that stand before the first act."""
_DAY: Final = 86_400_000


class Hand(Room):
    """The hand being read: `14:09:13 - Name: Folds`, and without colon where cards and pots are told."""

    BEHIND = (":", "")
    ALL_IN = (" and is all-in", " (all-in)")
    SEAT_ROWS = ("Seat {seat}: {name} ({amount}) [{tags}]", "Seat {seat}: {name} ({amount})")
    POTS: ClassVar[Mapping[str, Pot]] = {
        **POTS,
        "1st side pot": (1, ""),
        "2nd side pot": (2, ""),
        "3rd side pot": (3, ""),
        **{f"{number}th side pot": (number, "") for number in range(4, 10)},
    }

    def begin(self) -> None:
        """Know of no cards and tags yet."""
        self.button_at = 0  # the line that has the button's mark
        self.preflop = 0  # the line that ends the deal
        self.tags: dict[str, Seat] = {}  # BTN, SB, BB, Hero → seat
        self.hidden: list[tuple[HoleCardsDealt, int]] | None = []  # cards, until the posts are made
        self.midnight: Millis | None = None
        self.clock: Millis = 0

    def since(self, started: Millis | None) -> None:
        """Take the moment at which the hand began."""
        self.midnight = None if started is None else started - started % _DAY
        self.clock = started or 0

    def sits_down(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Take `Seat 5: Ada (53994, €5.00 bounty) [BB Hero]`."""
        tags = row["tags"].split(" ") if "tags" in row else []
        stack, _, bounty = row["amount"].partition(", ")
        if not TAGS.issuperset(tags) or (bounty and not bounty.endswith(" bounty")):
            raise seat_unreadable(self.lines.text[self.at])
        worth = amounts.maybe(bounty.removesuffix(" bounty"), 2) if bounty else 0
        self.take(seat, row["name"], self.amount(stack), worth or 0)
        for tag in tags:
            self.tags.setdefault(tag, seat)
        if "BTN" in tags:
            self.button_at = self.at

    # -- lines ------------------------------------------------------------------------------------

    def body(self, k: int, after: int) -> None:
        """Read from behind the list of seats to the hand's end."""
        text, known, plain = self.lines.text, self.acts_read, self.plain_words
        while k < after:
            line = text[k]
            self.at = k
            k += 1
            if line[8:11] != " - ":
                bare = line.strip()
                if bare.strip("-") and not self.line(bare) and not self.spoken(bare):
                    self.unread(line)
                continue
            since = timestamps.clock(line[:8])
            if since is None:
                self.unread(line)
                continue
            before, (name, _, rest) = len(self.events), line[11:].partition(" ")
            if self.hidden is not None and not any(one.startswith(BEFORE_ACTS) for _, one in self.speaker(line[11:])):
                self.deal()
            if (told := known.get(rest)) and (seat := plain.get(name)):
                told[0](self, seat, told[1], told[2])
            elif not self.spoken(line[11:]):
                self.unread(line)
            self.stamp(before, since)

    def stamp(self, before: int, since: int) -> None:
        """Say when the events from `before` on happened: so long after midnight, perhaps the next one."""
        if self.midnight is None:
            return
        moment = self.midnight + since
        if moment < self.clock - _DAY // 2:
            moment += _DAY
        self.clock = moment
        for index in range(before, len(self.events)):
            if index not in self.inferred and self.marks[index] == self.at:
                self.times[index] = moment

    def hides(self, name: Seat, cards: Cards) -> bool:
        """Read `Ada: [Ah Th]`: the owner's cards, and others that the room showed when all was over."""
        if self.hidden is None or self.summary:
            return False
        own = self.tags.get("Hero") == name
        self.own = self.own or own
        self.hidden.append((HoleCardsDealt(name, cards, how="owner" if own else "after"), self.at))
        return True

    def deal(self) -> None:
        """End the deal before the first act: the text tells the cards before the posts."""
        if self.hidden is None:
            return
        at = self.at
        for event, line in self.hidden:
            self.at = line
            self.put(event)
        self.hidden, self.at = None, self.preflop
        if self.preflop:
            self.put(DealCompleted())
        else:
            self.infer(DealCompleted())
        self.at = at

    def deals_street(self, street: Street, groups: list[Cards]) -> None:
        """Read `*** TURN *** [Qh 7c 2d 9c]`: the whole board, its new card last."""
        self.deal()
        self.last_card(street, groups[-1])

    def acts_begin(self) -> None:
        """Read the heading behind the deal."""
        self.preflop = self.at

    def showdown(self) -> None:
        """Begin the showdown."""
        self.deal()
        self.all_show()

    def sums_up(self) -> None:
        """Begin the summary."""
        self.deal()
        super().sums_up()

    # -- sayings ----------------------------------------------------------------------------------

    def small(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Tell a small blind; of somebody in another seat than the small blind's it is dead."""
        tell = acts.small_blind if self.tags.get("SB") == seat else acts.missed_small
        tell(self, seat, amount, all_in)

    def posts_big(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Tell a big blind; in another seat than the big blind's it is the post of somebody who comes in."""
        if self.tags.get("BB", seat) != seat:
            acts.enters(self, seat, amount, all_in)
        else:
            self.post(seat, "big", amount, all_in=all_in)

    def eliminates(self, seat: Seat, won: str, over: str) -> bool:
        """Read `wins €2.50 for eliminating Bo (x1), Ada own bounty increases …`."""
        prize = amounts.maybe(won, 2)
        if prize is None:
            return False
        name, _, grown = over.partition(" (x")
        grows = "own bounty increases" in grown
        self.put(BountyWon(seat, prize, self.seat_of(name) or None, "progressive" if grows else "knockout"))
        if grown:
            self.put(RemarkNoted(self.people.text(f"wins {won} for eliminating {over}")))
        return True

    def settle(self, facts: Facts) -> None:
        """Do what only the whole hand can tell."""
        self.deal()
        total, rake = (self.amount(facts[name]) if facts[name] else None for name in ("Total Pot", "Rake"))
        if self.summary:
            self.silent()
        # A pot that everybody else folds to is paid with the bet that nobody called; at a showdown it went back.
        self.return_bets(self.paid + (rake or 0) if self.paid else total)
        if total is not None:
            self.at = facts.lines["Total Pot"]
            self.total_pot(total)
        if rake:
            self.at = facts.lines["Rake"]
            self.drop("rake", rake)
        self.completes()

    BESIDES = (("*** PLAYERS ***", Room.ignored),)
    DEEDS = (
        ("Folds", acts.folds),
        ("Checks", acts.checks),
        ("Calls {amount}", acts.calls),
        ("Bets {amount}", acts.bets),
        ("Raises to {amount}", acts.raises_to),
        ("Posts Ante {amount}", acts.antes),
        ("Posts SB {amount}", small),
        ("Posts BB {amount}", posts_big),
        ("Posts Straddle {amount}", acts.straddles),
    )
    SAYINGS = (
        ("Sits out", presence.sits_out),
        ("Sits in", presence.returns),
        ("Disconnected", Room.disconnects),
        ("Reconnected", Room.reconnects),
        *alike(Room.shows, "shows [{cards}]{claim}", "Shows [{cards}]{claim}"),
        *alike(Room.mucks, "mucks", "mucks hand", "Mucks"),
        ("does not show", Room.declines),
        ("wins {pot} of {amount}", Room.wins),
        ("wins {won} for eliminating {over}", eliminates),
        *alike(Room.finishes, "finished {rank} and wins {prize} EUR", "finished {rank}"),
    )
    LINES = (
        ("{name}: [{cards}]", hides),
        ("*** {street} ***{groups}", deals_street),
        ("*** HOLE CARDS ***{_}", Room.ignored),
        ("*** PRE-FLOP ***{_}", acts_begin),
        ("*** SHOWDOWN ***{_}", showdown),
        ("*** SUMMARY ***{_}", sums_up),
    )


@dataclass(slots=True)
class Facts:
    """What stands before a hand, one `Name: value` a line, and in which lines."""

    said: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    strange: list[int] = field(default_factory=list)
    after: int = 0  # the line behind

    def __getitem__(self, name: str) -> str:
        return self.said.get(name, "")


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    return line[:1] in "*\ufeff \t" and line.strip("\ufeff \t\r") == HEAD


def facts_from(text: list[str], k: int, after: int) -> Facts:
    """Read the facts from line `k`, up to the next heading."""
    found = Facts(after=after)
    for at in range(k, after):
        line = text[at]
        if line.startswith("*** "):
            found.after = at
            break
        name, colon, value = line.partition(":")
        if colon and name in FACTS and name not in found.said:
            found.said[name] = value.strip()
            found.lines[name] = at
        elif line.strip():
            found.strange.append(at)
    require_number(found["Hand ID"], letters=True, most=40)
    return found


@lru_cache(maxsize=4096)
def setup(kind: str, mode: str, blinds: str, ante: str, exponent: int | None) -> GameSet:
    """Return the game that the facts name."""
    variant, betting = games.known(kind, GAMES)
    stakes = blinds.split("/")
    if len(stakes) != 2:
        raise UnreadableHandError(f"the blinds are {blinds[:40]!r}", kind="header")
    cash, unit = mode.startswith("Cash"), amounts.currency(blinds) or "play"
    return games.game_set(
        variant,
        betting,
        map(str.strip, stakes),
        unit=unit if cash else "chips",
        exponent=exponent,
        tournament=not cash,
        play_exponent=0,
        ante=ante,
    )


def tournament(found: Facts) -> TournamentSet:
    """Return what the tournament is called and costs; of `5.00€` nobody knows which part is the fee."""
    price = found["Buy In"]
    words = (found[name] for name in ("Game Name", "Tournament Type", "Multiplier", "Prize pool"))
    return games.costs(price, ", ".join(filter(None, words)))


def chairs(name: str) -> int:
    """Return how many chairs a table has whose game is called `NLHE 2.5/5 6 max Deep`; 0 = it is not told."""
    words = name.split(" ")
    if "HU" in words:
        return 2
    return next((number(before, 2) for before, word in pairwise(words) if word == "max" and number(before, 2)), 0)


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    first = page.head
    facts = facts_from(text, first + 1, page.after)
    game = setup(facts["Game Type"], facts["Game Mode"], facts["Blinds"], facts["Ante"], page.exponent)
    wall, _, zone = facts["Date & Time"].rpartition(" ")
    moment = timestamps.iso(wall) if zone == "(UTC)" else None
    hand = Hand(page.lines, page.people, "Betclic", game, facts.lines.get("Hand ID", first))
    hand.since(moment)
    hand.at = facts.lines.get("Game Type", first)
    hand.put(game)
    hand.at = facts.lines.get("Game Name", first)
    if game.format == "tournament":
        hand.put(tournament(facts))
    elif facts["Game Name"]:
        hand.put(RemarkNoted(hand.people.text(facts["Game Name"])))
    for at in facts.strange:
        hand.at = at
        hand.unread(text[at])
    k = hand.seats_from(facts.after, page.after)
    if "BTN" in hand.tags:
        hand.at = hand.button_at
        hand.put(ButtonPlaced(hand.tags["BTN"]))
    hand.body(k, page.after)
    hand.settle(facts)
    hand.opened(
        facts["Table ID"],
        facts["Hand ID"],
        WITNESSES,
        moment,
        facts["Date & Time"],
        chairs(facts["Game Name"]),
        facts["Game ID"] if game.format == "tournament" else "",
    )
    return hand


_GRAMMAR: Final = Grammar(begins, others(HEAD), tell, ("------------",), initials="*\ufeff \t")
_sniff: Final = sniffer(begins, others(HEAD))


def sniff(head: bytes) -> int:
    """Return 95 for a table of facts that has the number of a hand in it, else 0."""
    return _sniff(head) if b"Hand ID: " in head else 0


FORMAT: Final = text_format("betclic", "Betclic text", _GRAMMAR, (HEAD,), sniff=sniff)
