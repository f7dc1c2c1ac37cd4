"""PKR's text (closed in 2017): totals of the street for calls too, and every stack at the end.

`docs/formats/pkr.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from msgspec.structs import replace

from ledger.event import Event
from ledger.hand.ending import Half, ResultDeclared
from ledger.hand.opening import ButtonPlaced, TournamentSet
from ledger.presence import ChipsAdded, ChipsKind, EntryDeferred, SeatTaken, StackCounted
from ledger.readers import acts, games, presence
from ledger.readers.cards import KNOWN, reader, unknown
from ledger.readers.hand import SEATS
from ledger.readers.heads import Found, Head
from ledger.readers.phrases import alike, number
from ledger.readers.reading import Page
from ledger.readers.room import Room
from ledger.readers.signatures import numbered
from ledger.readers.telling import of_seat
from ledger.readers.text_room import TextRoom, room_format
from ledger.vocabulary import Cards, Seat, Witness

AWAY: Final = "(away from table)"
FIRST: Final = "Table #"
NUMBER: Final = "Starting Hand #"
HOLDS: Final = (
    *("High Card", "One Pair", "Two Pairs", "Three of a Kind", "Straight", "Flush", "Full House", "Four of a Kind"),
    *("Royal", "low hand: ", "high hand: ", "no qualifying low hand", "joined from ", "reconnected"),
)
"""What somebody `has` that no event says."""
CASES: Final = (str.lower, str.upper)
_read_cards: Final = reader(
    {f(one[:-1]) + g(one[-1]): KNOWN[one] for one in KNOWN for f in CASES for g in CASES} | unknown("XX")
)


class Hand(TextRoom):
    """The hand being read: `Ada raises to $4 (all-in)`, no colon."""

    VENUE, GAMES = "PKR", games.FLOP | {"omaha5", "omaha5-8"}
    HEAD = Head(
        f"{FIRST}{{_}} - Tournament #{{tournament}} {{table}}",
        f"{FIRST}{{_}} - STT #{{tournament}}",
        f"{FIRST}{{_}} - {{table}}",
        then=(
            f"{NUMBER}{{number}}",
            "Game Type: {game}",
            "Limit Type: {limit}",
            "Start time of hand: {written}",
            "Table Type: {kind}",
            "Money Type: {money}",
            "Blinds are now {stakes}",
            "Button is at seat {button}",
            "Last Hand {_}",
        ),
        needs={"number": f"its line {NUMBER!r}", "game": "its line 'Game Type:'", "limit": "its line 'Limit Type:'"},
    )
    WITNESSES = Witness.of(
        "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE STACKS_AFTER ACTS BOARD SHOWDOWN AWARDS DROP CLOCKS CONNECTIONS"
        " CHIP_PURCHASES BLIND_AMOUNTS CHAT"
    )
    """Bets that nobody called go back without a word, but for antes."""
    BEHIND = ("",)
    ALL_IN = (" (all-in)",)
    SEAT_ROWS = ("Seat {seat}: {name} - {stack}",)

    @classmethod
    def setup(cls, found: Found, page: Page) -> Iterator[Event]:
        """Read what kind of table and money it is; of a fixed limit too the blinds are told, and not its bets."""
        many = found["kind"] == "TOURNAMENT" or bool(found["tournament"])
        if many:
            yield TournamentSet()
        stakes, play = found["stakes"], found["money"].startswith("PLAY")
        unit = games.currency(stakes, tournament=many, play=play, otherwise="USD")
        variant, betting = games.both(found["game"], found["limit"], cls.GAMES)
        written = [one.strip() for one in stakes.split("/") if one.strip()]
        made = games.game_set(variant, betting, written, unit=unit, exponent=page.exponent, tournament=many)
        blinds = made.blinds + made.bets
        yield replace(made, blinds=blinds if any(blinds) else (), bets=())
        found["table"] = found["table"].removeprefix(FIRST).strip()

    def begin(self) -> None:
        """Know nothing of the end yet."""
        self.bought: set[Seat] = set()  # who bought chips: the stack at the end counts them

    def clean(self, text: str) -> str:
        """Return an amount as it stands."""
        return text

    def cards(self, text: str) -> Cards | None:
        """Return `[T c][2 s]`, `[qs] [XX]`, `[9s Ac 5s]` as cards; None where one of them is no card."""
        parts = (part.strip(" [") for part in text.split("]"))
        return _read_cards(" ".join("".join(part.split()) if part[1:2] == " " else part for part in parts))

    def sits_down(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Take `Seat 1: Ada - $4.06 (away from table)`; in brackets behind a name stands the bounty for it."""
        stack = row["stack"].removesuffix(AWAY)
        name = row["name"].partition(" (bounty value ")[0] if row["name"].endswith(")") else row["name"]
        self.take(seat, name, self.amount(stack.strip()))
        if stack != row["stack"]:
            self.away[seat] = "sitting-out"

    def button_moves(self, seat: Seat) -> bool:
        """Read `Moving Button to seat 4`: before the posts it tells where the button lies now."""
        if not any(self.betting.chips.put_in.values()) and seat < SEATS:
            lay = [at for at, event in enumerate(self.events) if isinstance(event, ButtonPlaced)]
            for at in lay:
                self.events[at], self.marks[at] = ButtonPlaced(seat), self.at
            if not lay:
                self.put(ButtonPlaced(seat))
        return seat < SEATS

    def ends_with(self, seat: Seat, who: str, told: str) -> None:
        """Read `Seat 1: Ada - $5` behind the awards; who had no seat came during the hand."""
        amount = self.amount(told.removesuffix(AWAY).strip())
        if seat in self.stacks:
            self.ends[seat] = amount, self.at
        else:
            self.put(SeatTaken(seat, self.player(who), stack=amount))

    def acts_out(self, seat: Seat, told: str) -> bool:
        """Read `yawns.`, `says Boom!`: what a figure at the table does ends with a stop."""
        moves = told.endswith((".", "!"))
        if moves:
            self.speaks(seat, told)
        return moves

    def wins_with(self, seat: Seat, told: str, claim: str = "", which: str = "") -> None:
        """Read `$2 from side pot #1 with: Flush`, `5 with low hand: A2345`, `5, disconnection protection`."""
        amount, _, behind = told.partition(" from side pot #")
        if ", disconnection" in amount:
            amount = amount.partition(",")[0]
        half: Half = "high" if claim.startswith(" high hand") else "low" if claim.startswith(" low hand") else ""
        self.award(seat, self.amount(amount.strip()), number(which or behind, 2) or None, half=half)

    def ties(self, seat: Seat, told: str, claim: str = "") -> bool:
        """Read `ties $5 with low hand: A2345`."""
        tied = any(map(str.isdigit, told[:3]))
        if tied:
            self.wins_with(seat, told, claim)
        return tied

    def buys(self, seat: Seat, told: str, kind: ChipsKind = "buy-in") -> None:
        """Read `brings $4 to table 90000027`: the stack at the end may count it."""
        self.bought.add(seat)
        self.put(ChipsAdded(seat, self.amount(told.partition(" ")[0]), kind, "player", self.player_in(seat)))

    def finish(self) -> None:
        """Do what only the whole hand can tell."""
        self.close_bets()
        if not self.paid:
            return
        self.return_where_declared(self.paid + self.taken)
        for seat, (stack, at) in self.ends.items():
            self.at = at
            self.put(StackCounted(seat, stack) if seat in self.bought else ResultDeclared("end-stack", seat, stack))
        self.silent()
        self.completes()

    DEEDS = (
        ("folds", acts.folds),
        ("checks", acts.checks),
        ("calls {amount}", acts.calls_to),
        ("bets {amount}", acts.bets),
        ("raises to {amount}", acts.raises_to),
        ("posts small blind ({amount})", acts.small_blind),
        ("posts big blind ({amount})", acts.big_blind),
        ("posts ante of {amount}", acts.antes),
        ("posts {amount} dead", acts.missed_small),
        ("posts {amount}", acts.enters_small_or_big),
    )
    SAYINGS = (
        ("folds and shows {cards}", Room.fold),
        ("shows {cards}", Room.shows_known),
        ("mucks", Room.mucks),
        ("doesn't show", Room.declines),
        *alike(wins_with, "wins {told} with{claim}", "wins {told}"),
        *alike(wins_with, "ties, and wins {told} with{claim}", "ties, and wins {told}"),
        *alike(wins_with, *(f"ties side pot #{{which}}, and wins {{told}}{claim}" for claim in (" with{claim}", ""))),
        *alike(ties, "ties {told} with{claim}", "ties {told}"),
        ("rebuys {told}", partial(buys, kind="rebuy")),
        ("brings {told}", buys),
        *alike(Room.disconnects, "has become disconnected{_}", "has disconnected{_}"),
        ("has{_}time bank{_}", Room.remark),
        *alike(Room.remark, *(f"has {words}{{_}}" for words in HOLDS)),
        *alike(Room.times_out, *(f"did not respond in time and is {what}" for what in ("folded", "checked"))),
        *alike(presence.uses_bank, "has requested more time", "is using the time bank"),
        (
            "will be dealt in after the button",
            of_seat(lambda seat, player: EntryDeferred(seat, player, "button-passed")),
        ),
        ("{told}", acts_out),
    )
    LINES = (
        ("Seat {seat}: {who} - {told}", ends_with),
        ("Moving Button to seat {seat}", button_moves),
        ("Dealing Cards", Room.deal_done),
        ("Dealing {cards} to {name}", Room.deals_own),
        ("Dealing {street} {cards}", Room.new_cards),
        ("Taking Rake of {amount} from{_}", Room.rake),
        *alike(Room.uncalled, "Returning {amount} to {name} uncalled", "Returning {amount} to {name}"),
        *alike(Room.ends_here, *(f"End {of} {noun}{{_}}" for of in ("of", "Of") for noun in ("Hand", "hand"))),
        *alike(
            Room.remark,
            "There is no qualifying low hand",
            "{_} has joined from Tournament Table #{_}",
            "{_} brings {_} to table {_}",
        ),
        *alike(Room.ignored, "Pot sizes: {_}", "Shuffling Deck{_}", "No Rake Taken{_}"),
        ("{_}: {_}", Room.talk),
    )


FORMAT: Final = room_format(Hand, "pkr", "PKR text", FIRST, then=numbered(" - "), own=("PKR",), later=NUMBER)
