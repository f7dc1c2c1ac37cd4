"""iPoker's XML: what the network's clients store, and what archives and trackers make of it.

`docs/formats/ipoker.md` has the table from element to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import ClassVar, Final

from ledger.formats.ipoker.words import BOARDS, KINDS, OWN, OWN_STAKES, UPS, bare, cards, chips, head, session
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import DropTaken, HandCompleted, ResultDeclared
from ledger.hand.opening import AntePosted, NotDealtIn, OptionSet
from ledger.people import chair_name as chair_of
from ledger.presence import PlayerAway
from ledger.readers import acts
from ledger.readers.document_room import Chair
from ledger.readers.marked import Attributes
from ledger.readers.markup import Line
from ledger.readers.phrases import alike, number
from ledger.readers.settling import declare_rake
from ledger.readers.xml_room import XmlRoom, xml_format
from ledger.table.pools import ANONYMOUS
from ledger.vocabulary import Cards, Chips, PlayerId, Seat, Street, Witness

AWAY: Final = frozenset(("8", "9"))
BEFORE: Final = frozenset(("1", "2", "15", *AWAY))
"""Acts before the deal is complete."""
_TYPES: Final = frozenset((*KINDS.values(), "6", "8"))
"""The types of acts that are told; two of them have no word."""
_HIDDEN: Final = frozenset(("", *(blank.join(x * n) for x in "Xx" for n in (2, 4, 5, 6) for blank in (" ", ""))))
"""Hole cards of which nothing is known."""
_LAST: Final = 1 << 20
"""Behind all acts that have a number."""
_DIGITS: Final = 6
_NO_MORE: Final = (["0", "0", ""], ["", "", ""], ["0", "0", "0"])


def _seat(player: Line) -> Seat:
    return number(player.found["seat"], _DIGITS)


class IpokerHand(XmlRoom):
    """The hand being told."""

    VENUE = "iPoker"
    WITNESSES = Witness.of("BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD AWARDS")
    """Posts have no word for dead money, shown hands are not told from others that are known, and of
    returned bets, rake and side pots nothing is said."""
    HAND, SHARED, CALLED = "game", "session", "game"
    ROOTS = ("root",)
    MISSING = "What is played, for what and where stands at the beginning of a session."
    SKIPPED = frozenset(("general", "players", "/general", "/players", "/round", "/action", "/cards", "/player"))
    FRAMES = frozenset(("?xml", "root", "general", "players", "servername"))
    LINES = ("player", "round", "action", "cards", "startdate", *OWN_STAKES)
    INSIDE: ClassVar = dict.fromkeys(("action", "cards"), frozenset(("round",)))
    TEXTS = frozenset(("cards", "startdate", *OWN_STAKES))
    AMOUNT = "sum"

    def tell(self) -> None:
        """Tell all of a hand."""
        self.streets: set[Street] = set()
        self.round = 0
        if not self.shared.variant:  # by its cards
            self.inferred.append(1)
        if self.game.variant in ("stud", "stud8"):
            self.betting.street = "third"
        self.players = sorted(self.lines["player"], key=_seat)
        self.called = self.behind_masks()
        if self.called:
            self.infer(OptionSet(*ANONYMOUS), at=self.whole)
        told = self.in_order()
        self.sit_down(told)
        for self.round, _, kind, line in told:
            if line.tag[0] == "cards":
                self.deal(line)
            elif not self.tell_line(kind, line):
                self.refuse(line)
        self.settle()
        for start, stop in self.sheet.unknown:
            self.strange(start, stop)

    def in_order(self) -> list[tuple[int, int, str, Line]]:
        """Return cards and acts as they are numbered: the round, the number, the type of an act, the line."""
        found = [(0, 0, "", line) for line in self.lines["cards"]]
        acting = [(0, line) for line in self.lines["action"]]
        at = 0
        for round_ in self.lines["round"]:
            at = _counted(round_.found["no"], at)
            found += [(at, 0, "", line) for line in round_.those("cards")]
            acting += [(at, line) for line in round_.those("action")]
        found += [(at, _counted(one.found["no"], _LAST), _kind(one.found), one) for at, one in acting]
        return sorted(found, key=itemgetter(0, 1))

    # -- seats ------------------------------------------------------------------------------------

    def behind_masks(self) -> dict[str, str]:
        """Return the names of the chairs of a game whose owner only watches: each player is called `Player 3`, in seat 3.

        There are none where a single name is another one: somebody may call himself `Player 3`.
        """
        named = {one.get("name"): _seat(one) for one in self.lines["player"] if one.get("name")}
        named.pop(self.shared.nickname, None)
        if len(named) < 2 or any(name != f"Player {seat}" for name, seat in named.items()):
            return {}
        return {name: chair_of(seat, self.shared.table) for name, seat in named.items()}

    def player(self, name: str) -> PlayerId:
        """Return the id of somebody, whom the client may mask."""
        return super().player(self.called.get(name, name))

    def sit_down(self, told: list[tuple[int, int, str, Line]]) -> None:
        """Tell who sits where; who neither has cards nor acts is not dealt in."""
        self.acting, self.there, self.away = [], set[str](), set[str]()
        dealt = begun = False
        for round_, _, kind, line in told:
            name = line.found["player"]
            begun = begun or round_ > 0
            if line.tag[0] == "cards":
                dealt = True
                self.there.update((name,) if name else ())
            elif kind in AWAY:
                self.away.add(name)
            else:
                self.acting.append(line)
                self.there.add(name)
        if not dealt and not begun:
            # The game breaks off before the deal: whoever can play may have been dealt in.
            able = {one.get("name") for one in self.players if bare(one.get("chips")).strip("0.,")}
            self.there |= able - self.away
        self.take_seats(self.players)

    def chair(self, player: Line) -> Chair:
        """Read a player."""
        found = player.found
        name, written, button = found["name"], found["chips"], found["dealer"] == "1"
        plays = name in self.there
        if not name and not plays:
            return Chair(_seat(player), None, button=button)
        stack = self.amount(written) if bare(written) else None
        why: NotDealtIn | None = None
        if not plays:
            why = "sitting-out" if name in self.away else "no-chips" if stack == 0 else "unknown"
        return Chair(_seat(player), name, stack, why, button)

    def beside(self, player: Line) -> None:
        """Note how many rebuys and add-ons there were: of what amount is not said."""
        more = [player.found[name] for name in ("rebuy", "addon", "merge")]
        if more not in _NO_MORE and any(bare(one).strip("0.,") for one in more):
            self.remark(player)

    def unlisted(self, players: Iterable[Line]) -> None:
        """Seat who acts without standing among the players on a free chair."""
        if self.stacks:
            taken = {_seat(player) for player in players if player.get("name")}
            self.sit_on_free(taken, self.acting, lambda line: line.get("player"))

    # -- acts -------------------------------------------------------------------------------------

    def amount(self, value: str | None) -> Chips:
        """Return an amount: blanks and the currency around it are left out."""
        return chips(value or "", self.exponent)

    def tell_line(self, kind: str, line: Line) -> bool:
        """Tell an act; of who is not dealt in and away the seats tell it. An all-in may be a post in the first round."""
        self.point(line)
        if kind not in BEFORE and (self.round or kind != "7"):
            self.complete()
        return self.tell_as(kind, line.found, line) or kind in AWAY

    def sits_out(self, seat: Seat, who: str) -> None:
        """Tell that somebody sits out."""
        self.put(PlayerAway(seat, self.player(who), why="sits-out"))

    def posts_big(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Post a big blind; from a second seat it is an entry, and what is more than the blind is dead."""
        if self.big not in (0, seat) and self.blind and amount > self.blind:
            self.post_both(seat, amount)
        else:
            acts.one_big_blind(self, seat, amount, all_in)

    def goes_all_in(self, seat: Seat, written: str) -> None:
        """Put all chips in: in the first round as a post, later as a bet, call or raise.

        `DP` is the protection of who lost the connection: all-in for what is in the pot already.
        """
        if self.round and written == "DP":
            acts.stays_in(self, seat, 0, True)
            return
        amount = self.amount(written)
        antes = {event.seat for event in self.events if isinstance(event, AntePosted)}
        if self.round:
            self.wager(seat, self.bet_of(seat) + amount, all_in=True)
        elif antes and seat not in antes:
            self.ante(seat, amount, all_in=True)
        elif not self.first_small:
            self.post(seat, "small", amount, all_in=True)
        else:
            self.post(seat, "entry" if self.big else "big", amount, all_in=True)

    # -- cards ------------------------------------------------------------------------------------

    def deal(self, line: Line) -> None:
        """Deal cards to the board or to a player."""
        street, name = line.found["type"].strip().lower(), line.found["player"]
        if street == "pocket" and line.text in _HIDDEN:
            return
        self.point(line)
        new = cards(line.text)
        if street == "pocket":
            self.deals(name, new, "")
        elif name and street in OWN:
            self.deals(name, new, self.begin_own(street, len(new) // 2))
        elif (board := BOARDS.get(street)) is not None:
            self.deals_board(board, new)
        else:
            self.refuse(line)

    def begin_own(self, street: str, many: int) -> str:
        """Begin a street that brings each player cards of the own; return which of them lie face up."""
        short, last = self.game.variant == "stud5", street == "river"
        now: Street = "fifth" if last and short else OWN[street]
        if now not in self.streets:
            self.streets.add(now)
            if now != self.street:
                self.deal_street(now)
        return "d" if last and not short else UPS.get(many, "")

    def deals(self, name: str, new: Cards, up: str) -> None:
        """Deal a player cards of which one is known."""
        seat, mine = self.seat_by(name), name == self.shared.nickname
        if seat and new.strip("?"):
            self.own = self.own or (mine and "?" not in new)
            self.put(HoleCardsDealt(seat, new, up, "owner" if mine else "after"))

    # -- the end ----------------------------------------------------------------------------------

    def settle(self) -> None:
        """Tell who won what. A game that says it of nobody is not over."""
        self.close_bets()
        rake, wins, listed = 0, dict[Seat, Chips](), dict[Seat, Line]()
        for player in self.lines["player"]:
            found = player.found
            if seat := self.seats.get(found["name"]):
                listed[seat] = player
                if bare(found["win"]):
                    wins[seat] = self.amount(found["win"])
                if bare(found["rakeamount"]):
                    rake += self.amount(found["rakeamount"])
        if not sum(wins.values()):
            return
        back: dict[Seat, Chips] = {}
        for seat, amount, _ in self.uncalled_bets:
            back[seat] = back.get(seat, 0) + amount
        within = _within(self.total_put_in(), wins, back, apart=self.shared.apart)
        self.return_bets()
        for seat, win in wins.items():
            if not win:
                continue
            self.place(listed[seat].tag)
            returned = back.get(seat, 0) if within else 0
            if returned < win:
                if returned:
                    self.inferred.append(len(self.events))
                self.award(seat, win - returned)
            self.put(ResultDeclared("winnings", seat, win))
        self.at = self.whole
        left = self.total_put_in() - self.paid
        if rake:
            declare_rake(self, rake)
        elif left > 0 and self.game.format == "cash" and 4 * left <= self.paid:
            self.infer(DropTaken("rake", left), at=self.at)
        self.put(HandCompleted())

    POSTS = (("1 {amount}", acts.one_small_blind), ("2 {amount}", posts_big), ("15 {amount}", acts.antes))
    DEEDS = (
        ("0", acts.folds),
        ("3 {amount}", acts.calls),
        ("4", acts.checks),
        ("5 {amount}", acts.bets),
        ("6 {amount}", acts.raises_by),
        ("16 {amount}", acts.brings_in),
        ("23 {amount}", acts.raises_to),
    )
    ROWS = (
        ("7 player={name} sum={written}", goes_all_in),
        *alike(sits_out, "8 player={name} player={who}", "9 player={name} player={who}"),
    )


def _kind(found: Attributes) -> str:
    """Return the type of an act; archives may say it in words."""
    kind = found["type"].strip()
    return kind if kind in _TYPES else KINDS.get(found["actiontxt"].strip().lower(), kind)


def _counted(text: str, otherwise: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS else otherwise


def _within(total: Chips, wins: dict[Seat, Chips], back: dict[Seat, Chips], *, apart: bool | None) -> bool:
    """Tell whether the bets that nobody called are counted in what was won.

    Old clients count them, newer ones may. It shows where more was won than others had put in, or
    where a seat that lost to another has won just what nobody called.
    """
    uncalled, won = sum(back.values()), sum(wins.values())
    if not uncalled or any(amount > wins.get(seat, 0) for seat, amount in back.items()):
        return False
    consoled = all(wins[seat] == amount for seat, amount in back.items()) and won > uncalled
    if won > total - uncalled or consoled:
        return won <= total
    return apart is False and 10 * (total - won) <= total


def sniff(head: bytes) -> int:
    """Return how sure it is that this is iPoker's XML: 0 no, 100 certain."""
    text = head.decode("utf-8", "replace")
    if "<session" not in text[:4000] and "<game gamecode=" not in text[:4000]:
        return 0
    known = sum(word in text for word in ("sessioncode=", "<gametype>", "gamecode=", "<round no="))
    return (0, 40, 90, 95, 98)[known]


FORMAT: Final = xml_format("ipoker", "iPoker XML", IpokerHand, head, sniff, "<game ", "<session", session)
