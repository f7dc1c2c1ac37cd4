"""The XML of the Merge network: what its clients stored, in both versions.

`docs/formats/merge.md` has the table from element to event, and what the format cannot say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import ClassVar, Final

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.merge.header import (
    ADDED_BEFORE,
    BOARDS,
    DRAW,
    FIRST,
    LATER,
    STREETS,
    STUD,
    cards,
    description,
    head,
    moment,
)
from ledger.hand.dealing import BoardDealt, CardsDiscarded, CardsDrawn, HoleCardsDealt, RabbitShown, StoodPat
from ledger.hand.ending import CardsMucked, CardsShown, Half, HandCompleted, HandVoided, PlayerFinished, ShowdownBegun
from ledger.hand.opening import AntePosted, BlindPosted, SeatDealtIn
from ledger.presence import ConnectionLost, ConnectionRestored, PlayerAway, SeatLeft, WordsSaid
from ledger.readers import acts, markup
from ledger.readers.cards import BOARD
from ledger.readers.document_room import Chair, Head, pot_number
from ledger.readers.markup import Line
from ledger.readers.settling import infer_rake, within_awards
from ledger.readers.xml_room import XmlRoom, xml_format
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Millis, Seat, Witness, split_cards

KINDS: Final = {"COMMUNITY": "board", "HOLE": "own", "DRAW_DRAWN_CARDS": "own", "SHOWN": "shown", "MUCKED": "shown"}
"""The types of `cards`, and where such cards lie."""
HALVES: Final[dict[str | None, Half]] = {"h": "high", "l": "low"}
_FACES: Final = "dduuuud"
"""How the cards of a stud hand lie."""
_WORDS_MOST: Final = 2000


class MergeHand(XmlRoom):
    """The hand being told."""

    VENUE = "Merge"
    WITNESSES = Witness.of("BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DISCARDS CHAT CONNECTIONS")
    """`TIMES` is added where every event has its own moment. Rake is told nowhere, and returned bets not always."""
    HAND, SHARED, CALLED = "game", "description", "game"
    MISSING = "Which game is played, and for what, stands in the description before a file's games."
    LINES = ("players", "player", "round")
    INSIDE: ClassVar = dict.fromkeys(("event", "cards", "winner"), frozenset(("round",)))
    FRAMES = frozenset(("?xml",))
    AMOUNT, FIRST = "amount", 0
    FIELDS: ClassVar = {
        "chair": lambda hand, value: hand.number(value or ""),
        "cards": lambda _hand, value: cards(value or ""),
        "count": lambda _hand, value: int(value) if value and value.strip() in set("0123456789") else None,
        "potnumber": lambda _hand, value: (pot_number(value) or 0) - 1,
    }

    def tell(self) -> None:
        """Tell all of a hand."""
        day = "".join(one for one in self.head.written[:10] if one.isdigit())
        self.added = bool(day) and day < ADDED_BEFORE  # raises are written as chips added
        self.posts: dict[Seat, Chips] = {}  # what each seat posted
        self.unsaid = -1  # the post whose amount the file does not say
        self.thrown: dict[Seat, int] = {}  # where this draw's CardsDiscarded stand
        self.moments: list[Millis | None] = []  # of all events
        self.showing: list[Line] = []  # the hands of a round that are shown, and not told yet
        self.rounds = self.lines["round"]
        self.winners = [line for one in self.rounds for line in one.those("winner")]
        if self.game.variant in STUD:
            self.betting.street = "third"
        self.sit_down()
        for one in self.rounds:
            self.round(one)
            if one.get("id") == "BLINDS":
                self.posts = self.betting.chips.put_in.copy()
        self.besides()
        self.settle()
        if self.posts and self.game.format == "tournament" and not self.sheet.found.get("version"):
            self.restack()

    def open_as(self, head: Head) -> None:
        """Say which hand this is, and whether every event has its own moment."""
        timed = len(set(self.moments)) > 1 and None not in self.moments
        super().open_as(head._replace(witnesses=int(Witness.TIMES)) if timed else head)

    # -- seats ------------------------------------------------------------------------------------

    def sit_down(self) -> None:
        """Tell who sits where. Who is dealt in shows in who has something to do, not in `dealtin` alone."""
        first = [line for one in self.rounds if one.get("id") in FIRST for line in one.those("event")]
        self.acting = [(line, self.number(line.found["player"])) for line in first if line.found["type"] in BUSY]
        dealt = [line.found["player"] for one in self.rounds for line in one.those("cards")]
        self.busy = {seat for _, seat in self.acting} | {self.number(player) for player in dealt if player}
        self.take_seats(self.by_chair(self.lines["player"], "seat"))
        if self.lines["players"]:
            self.has_button(self.lines["players"][-1], self.number(self.lines["players"][-1].get("dealer")))

    def chair(self, line: Line) -> Chair | None:
        """Read a player; the files name nobody by the name but in the chat, so that two may have the same."""
        seat, name = self.number(line.get("seat")), line.get("nickname")
        if seat is None:
            return None
        stack = self.amount(line.get("balance"))
        told_in = line.get("dealtin") == "true"
        if seat in self.busy or (told_in and not self.winners):
            return Chair(seat, f"{name} " if name in self.seats else name, stack)
        return Chair(seat, name, stack, "no-chips" if stack == 0 else "unknown", inferred=told_in)

    def unlisted(self, players: Iterable[Line]) -> None:
        """Seat who acts on a chair that is not listed."""
        listed = {seat for line in players if (seat := self.number(line.get("seat"))) is not None}
        self.sit_by_chair(self.acting, listed, self.head.number)

    def deserted(self) -> bool:
        """Tell whether nobody is listed; a game that is cancelled may deal nobody in."""
        return not self.stacks and not any(self.number(line.get("seat")) for line in self.lines["player"])

    def player_in(self, seat: Seat) -> str:
        """Return who sits there."""
        return next((self.player(name) for name, one in self.seats.items() if one == seat), "")

    def restack(self) -> None:
        """Add what was posted to stacks that are told without it."""
        for index, event in enumerate(self.events):
            if isinstance(event, SeatDealtIn) and event.stack is not None and (posts := self.posts.get(event.seat)):
                self.events[index] = SeatDealtIn(event.seat, event.player, event.stack + posts)
                if index not in self.inferred:
                    self.inferred.append(index)

    # -- rounds -----------------------------------------------------------------------------------

    def round(self, one: Line) -> None:
        """Tell a round: what is dealt with it, what is done in it; cards stand behind all events."""
        name = one.found["id"]
        dealt: defaultdict[str, list[Line]] = defaultdict(list)
        for line in one.those("cards"):
            dealt[KINDS.get(line.found["type"], "")].append(line)
        drawing = name.endswith("_DRAW") and name in STREETS
        self.showing = dealt["shown"]
        self.place(one.tag)
        if name not in FIRST and name not in LATER:
            self.begin_round(name, one, dealt["board"])
        if not drawing:
            self.play(dealt["own"])
        if name not in ("BLINDS", "BRING_IN", *LATER):
            self.complete()
        for line in one.those("event"):
            before = len(self.events)
            self.point(line)
            if not self.tell_event(line, posting=name == "BLINDS"):
                self.refuse(line)
            time = moment(line)
            self.moments.append(time)
            if time:
                for index in range(before, len(self.events)):
                    self.times[index] = time
        if drawing:
            self.play(dealt["own"])
        for line in self.showing:  # of nobody who is said to show
            if not self.tell_part(line.found, line):
                self.refuse(line)
        if name == "BRING_IN":
            self.complete()
        for line in dealt[""]:
            self.refuse(line)

    def begin_round(self, name: str, one: Line, board: list[Line]) -> None:
        """Begin a street or the showdown."""
        if name in BOARDS:
            self.complete()
            self.lays_board(name, one, board)
        elif name in STREETS:
            self.complete()
            self.deal_street(STREETS[name])
            self.thrown.clear()
        elif name == "SHOWDOWN":
            self.complete()
            self.put(ShowdownBegun())
        else:
            self.strange(one.tag.start, one.tag.stop)

    def tell_event(self, line: Line, *, posting: bool) -> bool:
        """Tell an event; in the round of the blinds the same words are posts."""
        found = line.found
        kind = found["type"]
        if kind in BUSY:
            seat = self.seat_by(found["player"])
            if seat in self.folded:
                return False  # who has folded does nothing more: the room's own error
            if posting and kind in POSTED and seat and not found["amount"]:
                raise UnreadableHandError("a post has no amount", kind="amount")
            if posting:
                kind = f"BLINDS.{kind}"
            elif kind == "ALL_IN" and seat and not found["amount"] and self.stacks[seat] == self.put_by(seat):
                self.remark(line)
                return True  # said again of a seat that has put all in
        return self.tell_as(kind, found, line)

    # -- cards ------------------------------------------------------------------------------------

    def lays_board(self, name: str, one: Line, lines: list[Line]) -> None:
        """Deal a round's new community cards.

        A round may lack its own; then a later one, which tells all that lie there, is believed.
        """
        street = BOARDS[name]
        first, behind = (2 * count for count in BOARD[street])
        for line in lines:
            self.point(line)
            found = cards(line.get("cards"))
            if found is None or len(found) < behind:
                self.refuse(line)
            elif street != self.street:
                self.board(street, found[first:behind])
        if street != self.street:
            self.place(one.tag)
            self.next_street(street)
            told = [line for round_ in self.rounds for line in round_.those("cards") if line.get("type") == "COMMUNITY"]
            whole = max((cards(line.get("cards")) or "" for line in told), key=len, default="")
            self.infer(BoardDealt(street, whole[first:behind] or UNKNOWN_CARD * ((behind - first) // 2)))

    def deals(self, seat: Seat, found: Cards, *, own: bool) -> None:
        """Deal a seat cards: those that were not told before."""
        own = own or self.game.variant in DRAW
        self.own = self.own or own
        if self.game.variant in STUD:
            self.deals_upwards(seat, found, own=own)
        elif seat not in self.holds:
            self.put(HoleCardsDealt(seat, found))
        elif self.game.variant in DRAW:
            self.draws(seat, found)
        self.holds[seat] = found

    def deals_upwards(self, seat: Seat, found: Cards, *, own: bool) -> None:
        """Deal the cards of a stud hand that lie behind those told before."""
        before = len(self.holds.get(seat, ""))
        if new := found[before:]:
            faces = _FACES[before // 2 : len(found) // 2].ljust(len(new) // 2, "d")
            how = "owner" if own else "dealt-up" if "u" in faces else "unknown"
            self.put(HoleCardsDealt(seat, new, faces, how))  # type: ignore[arg-type]  # one of three

    def draws(self, seat: Seat, found: Cards) -> None:
        """Tell a draw: each new card lies where the one did that was thrown away."""
        both = zip(split_cards(self.holds[seat]), split_cards(found), strict=False)
        pairs = [(old, new) for old, new in both if old != new]
        index = self.thrown.get(seat, -1)
        event = self.events[index] if index >= 0 else None
        if isinstance(event, CardsDiscarded) and event.count == len(pairs):
            self.events[index] = CardsDiscarded(seat, event.count, "".join(old for old, _ in pairs))
        if pairs:
            self.put(CardsDrawn(seat, "".join(new for _, new in pairs)))

    def discards(self, seat: Seat, count: int) -> None:
        """Tell how many cards a seat throws away."""
        if count:
            self.thrown[seat] = len(self.events)
        self.put(CardsDiscarded(seat, count) if count else StoodPat(seat))

    def shows(self, seat: Seat, otherwise: Event) -> None:
        """Tell that a seat shows or mucks its hand, which stands behind the events."""
        mine = next((line for line in self.showing if self.number(line.get("player")) == seat), None)
        if mine is None:
            self.put(otherwise)
            return
        self.showing.remove(mine)
        if not self.tell_part(mine.found, mine):
            self.refuse(mine)

    def chats(self, line: Line) -> None:
        """Tell what somebody says."""
        name, words = line.get("player"), self.people.text(line.get("text")[:_WORDS_MOST])
        self.put(WordsSaid(words, self.seats.get(name), self.player(name) if name else ""))

    # -- posts and acts ---------------------------------------------------------------------------

    def makes_up(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Post what was missed: less than the big blind is dead, more than it holds a dead small one."""
        if not self.blind or amount == self.blind:
            self.post(seat, "makeup-big", amount)
        elif amount < self.blind:
            self.post(seat, "makeup-small", 0, amount)
        else:
            self.post_both(seat, amount)

    def posts_all_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Put the last chips in as what is due next; without an amount the winners' sum tells it later."""
        antes = {event.seat for event in self.events if isinstance(event, AntePosted)}
        if antes and seat not in antes:
            self.ante(seat, amount, all_in=True)
        elif (
            not self.first_small
            and not self.big
            and any(one.get("type") == "BIG_BLIND" for one in self.rounds[0].those("event"))
        ):
            self.post(seat, "small", amount, all_in=True)
        else:
            self.post(seat, "entry" if self.big else "big", amount, all_in=True)
        if not amount:
            self.unsaid = len(self.events) - 1

    def raises(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Raise to the street's total, in early files by the chips added."""
        self.raise_to(seat, amount + (self.bet_of(seat) if self.added else 0))

    # -- the end ----------------------------------------------------------------------------------

    def settle(self) -> None:
        """Tell the winners. A game that names none is not over."""
        self.close_bets()
        self.infer_unsaid()
        parted = self.play([line for line in self.winners if line.get("uncalled") == "true"], "uncalled")
        self.play([line for line in self.winners if line.get("uncalled") != "true"], "winner")
        if not self.paid and not parted:
            return
        if not parted:
            within_awards(self, always=True)
        self.return_bets()
        self.at = self.whole
        infer_rake(self)
        self.put(HandCompleted())

    def infer_unsaid(self) -> None:
        """Infer the one post that the file tells with an amount of 0: what is missing in the pots.

        Only in tournaments, where nothing is taken out of them.
        """
        if self.unsaid < 0 or self.game.format != "tournament" or not self.winners:
            return
        missing = sum(self.chips(line.get("amount")) for line in self.winners) - self.total_put_in()
        event = self.events[self.unsaid]
        if missing > 0 and isinstance(event, BlindPosted):
            self.betting.put(event.seat, missing)
            self.posts[event.seat] = self.posts.get(event.seat, 0) + missing
            self.events[self.unsaid] = BlindPosted(event.seat, event.role, missing, 0, all_in=True)
            self.inferred.append(self.unsaid)

    POSTS = (
        ("BLINDS.ANTE {amount}", acts.antes),
        ("BLINDS.SMALL_BLIND {amount}", acts.one_small_blind),
        ("BLINDS.BIG_BLIND {amount}", acts.one_big_blind),
        ("BLINDS.INITIAL_BLIND {amount}", acts.enters),
        ("BLINDS.RETURN_BLIND {amount}", makes_up),
        ("BLINDS.ALL_IN {amount}", posts_all_in),
        ("BLINDS.BRING_IN {amount}", acts.brings_in),
    )
    DEEDS = (
        ("FOLD", acts.folds),
        ("CHECK", acts.checks),
        ("CALL {amount}", acts.calls),
        ("BET {amount}", acts.wagers_by),
        ("RAISE {amount}", raises),
        ("COMPLETE {amount}", acts.raises_to),
        ("ALL_IN {amount}", acts.puts_all_in),
        ("BRING_IN {amount}", acts.brings_in),
    )
    ROWS = (
        ("DRAW player={name} text={count}", discards),
        ("HOLE player={name} cards={cards}", lambda hand, seat, cards: hand.deals(seat, cards, own=True)),
        ("DRAW_DRAWN_CARDS player={name} cards={cards}", lambda hand, seat, cards: hand.deals(seat, cards, own=False)),
        ("SHOWN player={name} cards={cards}", lambda hand, seat, cards: hand.put(CardsShown(seat, cards))),
        ("MUCKED player={name} cards={cards}", lambda hand, seat, cards: hand.put(CardsMucked(seat, cards))),
        ("SHOW player={name}", lambda hand, seat: hand.shows(seat, CardsShown(seat, ""))),
        ("MUCK player={name}", lambda hand, seat: hand.shows(seat, CardsMucked(seat))),
        ("RABBIT text={cards}", lambda hand, cards: hand.put(RabbitShown(cards))),
        ("CHAT {words}", chats),
        ("GAME_CANCELLED", lambda hand: hand.put(HandVoided("cancelled"))),
        ("DISCONNECTED player={chair}", lambda hand, seat: hand.put(ConnectionLost(seat))),
        ("RECONNECTED player={chair}", lambda hand, seat: hand.put(ConnectionRestored(seat))),
        ("PLAYER_OUT player={name}", lambda hand, seat: hand.put(PlayerFinished(seat))),
        ("LEAVE player={name}", lambda hand, seat: hand.put(SeatLeft(seat, hand.player_in(seat)))),
        ("SIT_OUT player={name}", lambda hand, seat: hand.put(PlayerAway(seat, hand.player_in(seat), why="sits-out"))),
        ("uncalled player={name} amount={amount}", XmlRoom.give_back),
        (
            "winner player={name} amount={amount} potnumber={potnumber} pottype={half?}",
            lambda hand, seat, amount, pot, half: hand.award(
                seat, amount, pot if pot >= 0 else None, half=HALVES.get(half, "")
            ),
        ),
    )


POSTED: Final = frozenset(template.partition(" ")[0].removeprefix("BLINDS.") for template, _ in MergeHand.POSTS)
BUSY: Final = POSTED | {template.partition(" ")[0] for template, _ in MergeHand.DEEDS} | {"DRAW"}
"""Events of who is dealt in."""


FORMAT: Final = xml_format(
    "merge",
    "Merge network XML",
    MergeHand,
    head,
    markup.sniffer(
        ('<game id="', "<description type="),
        ("<description type=", "numholecards=", "<players dealer=", '<round id="'),
        (0, 40, 70, 95, 98),
    ),
    "<game ",
    "<description",
    description,
)
