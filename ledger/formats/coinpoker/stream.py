"""The first pass over a hand's messages: who sits there, and what will be told in which phase.

Messages come in the order of play but for a few: posts may be told behind the hole cards, a list of
all acts at the hand's end, the board in one snapshot. Each thing is put by with the phase of the hand
to which it belongs; within a phase the stream's order rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ledger.formats.coinpoker import acts, values
from ledger.formats.coinpoker.values import (
    AWAY,
    BOARDS,
    NO_ACT,
    POSTS,
    ROUNDS,
    STREETS,
    WAGERS,
    Hand,
    Message,
    act_of,
    cards,
    chair,
    clock,
)
from ledger.readers.documented import names, objects, plain
from ledger.vocabulary import Cards, Millis, Seat, Street

_NAME_MOST: Final = 200
_ENTRY: Final = ("username", "action", "roundName", "actionAmount", "initTimestamp")
"""What tells an entry of the history apart from those that are sent once more."""
_POSTING, _STRADDLES, _DEAL, _SETTLING, _AFTER = 0, 1, 2, 10, 11

SILENT: Final = names(
    "game.advance_player_action game.wait_list_data game.wait_list_status game.hand_strength game.game_ready",
    "game.transaction_winnings game.mega_splash game.game_alldata game.game_init game.take_Seat",
)
"""Messages that say nothing of the hand: offers, the room's other tables, what follows from the cards."""


@dataclass(slots=True)
class Chair:
    """A seat as the first snapshot that names it tells it."""

    name: str
    chips: object
    bet: object
    playing: bool
    caption: str
    late: bool  # chips of its were already in the pot
    message: Message
    hand: Hand
    index: int  # in the snapshot's list, -1 = the message is of this seat alone

    def place(self) -> tuple[int, int]:
        """Return start and length of what tells it."""
        whole = self.message.start, self.message.length
        if self.index < 0:
            return whole
        return self.hand.inside(self.message, "seatResponseDataList", self.index) or whole


class Stream:
    """What a hand's messages tell, taken in one by one."""

    def __init__(self, hand: Hand) -> None:
        """Take the messages of this hand."""
        self.hand = hand
        self.chairs: dict[Seat, Chair] = {}
        self.acting: set[Seat] = set()  # seats that do something
        self.named: set[str] = set()  # names of those who do something
        self.now = ROUNDS["PREFLOP"]  # the phase in which acts are told now
        self.posting = True
        self.first_round = ""
        self.hero = ""
        self.seen: set[tuple[object, ...]] = set()
        self.captions: dict[Seat, str] = {}  # the last one of each seat
        self.agreed = False  # that the board is run several times
        self.stacks: tuple[Message, dict[str, object]] | None = None  # the first ones after the pots
        self.totals: tuple[Message, dict[str, object]] | None = None
        self.end = -1  # the place that tells that the hand is over

    def take(self, told: list[tuple[Message, dict[str, object]]]) -> None:
        """Take all messages in."""
        self.hand.runs = 1 + _has(told, "dealerCardsRit") + _has(told, "dealerCardsRit2")
        self.hand.boards = 1 + _has(told, "dealerCardsDoubleBoard")
        for message, value in told:
            take = _MESSAGES.get(message.name)
            if take is None:
                self._strange(self._put(message), message.name or "message")
            else:
                take(self, message, value)
        self.hand.carried = self.first_round == "FLOP"
        if self.totals is not None:
            self._later(_AFTER, *self.totals, values.totals)
        if self.stacks is not None:
            self._later(_AFTER, *self.stacks, values.stacks)

    def name_hero(self) -> None:
        """Say whose cards `game.hole_cards` are."""
        self.hand.hero = self.hand.seats.get(self.hero, 0)

    def _put(self, message: Message) -> int:
        return self.hand.spans.add(message.start, message.length)

    def _strange(self, at: int, name: str, time: Millis = 0) -> None:
        """Keep what nobody knows."""
        self.hand.later(self.now, at, time, Hand.strange, name, at)

    def _later(self, phase: int, message: Message, value: dict[str, object], make: Callable[..., None]) -> None:
        time = clock(value.get("initTimeStamp"))
        self.hand.later(phase, self._put(message), time, make, message, value)

    # -- seats and acts ---------------------------------------------------------------------------

    def seats(self, message: Message, value: dict[str, object]) -> None:
        """Take a snapshot of all seats."""
        listed = value.get("seatResponseDataList")
        for index, one in enumerate(listed if isinstance(listed, list) else []):
            if isinstance(one, dict):
                self._chair(message, one, index)
        if self.now >= _SETTLING and self.stacks is None:
            self.stacks = message, value

    def _chair(self, message: Message, one: dict[str, object], index: int) -> Seat:
        seat, name = chair(one.get("seatId")), one.get("userName")
        if seat and seat not in self.chairs and isinstance(name, str) and name:
            caption = one.get("newCaption") or one.get("caption")
            self.chairs[seat] = Chair(
                name[:_NAME_MOST],
                one.get("userChips"),
                one.get("betAmout"),
                one.get("isPlaying") is not False,
                caption if isinstance(caption, str) else "",
                self.now > ROUNDS["PREFLOP"],
                message,
                self.hand,
                index,
            )
        return seat

    def seat(self, message: Message, one: dict[str, object]) -> None:
        """Take a snapshot of one seat; its caption tells the act that changed it."""
        seat = self._chair(message, one, -1)
        caption = one.get("caption") or one.get("newCaption")
        word = plain(caption) if isinstance(caption, str) and len(caption) < 40 else ""
        kind, at, time = act_of(caption), self._put(message), clock(one.get("initTimeStamp"))
        later = self.hand.later
        before, self.captions[seat] = self.captions.get(seat), word
        if kind is None:
            if word in AWAY and seat:
                if word == before:
                    return
                later(self.now, at, time, acts.gone, seat, word)
            elif word not in NO_ACT:
                self._strange(at, "game.seat", time)
            return
        chips, bet = one.get("userChips"), one.get("betAmout", one.get("betAmount"))
        known = (seat, self.now, kind, str(chips), str(bet))
        if known in self.seen or not seat:
            return
        self.seen.add(known)
        self.acting.add(seat)
        if self.posting and kind in WAGERS and self._is_ante(bet):
            kind = "ante"  # the caption is left over from before
        later(_phase(kind, self.now), at, time, acts.act, "seat", seat, kind, acts.Figures(chips=chips, bet=bet))

    def _is_ante(self, bet: object) -> bool:
        ante = self.hand.game.ante
        return ante > 0 and self.hand.maybe(bet) == ante

    def entries(self, message: Message, value: dict[str, object]) -> None:
        """Take the list of acts: one or two at a time, or all of them."""
        found = objects(value, "gameActionMessagesHistory")
        for at, one in zip(self.hand.parts(message, "gameActionMessagesHistory", len(found)), found, strict=False):
            self._entry(at, one)

    def _entry(self, at: int, one: dict[str, object]) -> None:
        name, word, street = one.get("username"), one.get("action"), one.get("roundName")
        if street in ("PREFLOP", "FLOP") and not self.first_round and self.posting:
            self.first_round = street
        if one.get("type") == "roundStart" and street != "ANTE":
            self.posting = False
        if not name or not word:
            return  # a round begins, or a turn
        known = tuple(str(one.get(part)) for part in _ENTRY)
        if known in self.seen:
            return
        self.seen.add(known)
        kind, time = act_of(word), clock(one.get("initTimestamp"))
        phase = max(ROUNDS.get(str(street), self.now), ROUNDS["PREFLOP"])
        if kind is None or not isinstance(name, str):
            self.hand.later(phase, at, time, Hand.strange, "game.dealer_chat_action", at)
            return
        self.named.add(name[:_NAME_MOST])
        self.hand.later(
            _phase(kind, phase),
            at,
            time,
            acts.entered,
            name[:_NAME_MOST],
            kind,
            acts.Figures(amount=one.get("actionAmount"), pot=one.get("roundTotalPot")),
        )

    def started(self, _message: Message, _value: dict[str, object]) -> None:
        """Note that all posts are made."""
        self.posting = False

    def pot(self, _message: Message, value: dict[str, object]) -> None:
        """Note which round the posts belong to: games without a round before the flop name the flop."""
        if self.posting and not self.first_round and value.get("roundName") in ("PREFLOP", "FLOP"):
            self.first_round = str(value["roundName"])

    def turn(self, message: Message, value: dict[str, object]) -> None:
        """Note whose client this is, and that a player draws on extra time."""
        self.posting = False
        name, timer = value.get("whoseTurn"), value.get("timerName")
        if isinstance(name, str) and "callAmount" in value and not self.hero:
            self.hero = name[:_NAME_MOST]
        if isinstance(timer, str) and timer != "playerHandTimer":
            self._later(self.now, message, value, acts.timer)

    def words(self, message: Message, value: dict[str, object]) -> None:
        """Take what the dealer says, line by line."""
        said, time = value.get("dealerMessage"), clock(value.get("initTimeStamp"))
        if not isinstance(said, str):
            return
        head, found, _ = said.partition(" My Hole Cards")
        if found:
            self.hero = head[:_NAME_MOST]
        at = self._put(message)
        for line in said.split("\n"):
            self.hand.later(self.now, at, time, acts.said, line)

    # -- cards ------------------------------------------------------------------------------------

    def hole(self, message: Message, value: dict[str, object]) -> None:
        """Take the cards of whose client this is."""
        if value.get("holeCards") or value.get("playerCards"):
            self._later(_DEAL, message, value, acts.own)

    def board(self, message: Message, value: dict[str, object]) -> None:
        """Take a snapshot of the boards; what is new of it is dealt."""
        time, at = clock(value.get("initTimeStamp")), self._put(message)
        new = self._new(message, value, at)
        if self.hand.runs > 1 and any(run > 1 for *_, run in new) and not self.agreed:
            self.agreed = True
            self.hand.later(min(phase for phase, *_ in new), at, time, acts.agree)
        last = max((phase for phase, *_ in new), default=0)
        for phase, street, found, number, run in new:
            # A snapshot's clock is that of the street that it is sent for: the last one.
            told = time if phase == last else 0
            self.hand.later(phase, at, told, acts.deal, street, found, number, run)
            self.now = max(self.now, phase + 1)
        self.posting = False
        self.rabbit(message, value)

    def _new(self, message: Message, value: dict[str, object], at: int) -> list[tuple[int, Street, Cards, int, int]]:
        new = []
        for key, number, run in BOARDS:
            streets = value.get(key)
            for name, street, phase in STREETS:
                listed = streets.get(name) if isinstance(streets, dict) else None
                found = cards(listed) if listed else ""
                known = (key, name, found)
                if found == "" or known in self.seen:
                    continue
                if found is None or any(one[:2] == known[:2] for one in self.seen if len(one) == 3):
                    self._strange(at, message.name)
                    continue
                self.seen.add(known)
                new.append((phase, street, found, number, run))
        return new

    def rabbit(self, message: Message, value: dict[str, object]) -> None:
        """Take cards that would have come."""
        for key, board in (("rabbitRunCards", 1), ("rabbitRunCardsDoubleBoard", 2)):
            streets = value.get(key)
            for name, street, _ in STREETS:
                found = cards(streets.get(name)) if isinstance(streets, dict) else None
                if found and (key, name, found, "") not in self.seen:
                    self.seen.add((key, name, found, ""))
                    time = clock(value.get("initTimeStamp"))
                    self.hand.later(_AFTER, self._put(message), time, acts.rabbit, found, street, board)

    def show(self, message: Message, value: dict[str, object]) -> None:
        """Take the hands that are turned up."""
        shown, time = value.get("userCardListMap"), clock(value.get("initTimeStamp"))
        if isinstance(shown, list):
            shown = {str(one.get("seatId")): one.get("cards") for one in shown if isinstance(one, dict)}
        for seat, listed in shown.items() if isinstance(shown, dict) else ():
            found, at = cards(listed), self._put(message)
            if found is None or not chair(seat):
                self._strange(at, message.name, time)
            elif found:
                self.hand.later(self.now, at, time, acts.show, chair(seat), found)

    # -- the end ----------------------------------------------------------------------------------

    def returned(self, message: Message, value: dict[str, object]) -> None:
        """Take a bet that nobody called."""
        self._later(self.now, message, value, values.give_back)

    def winners(self, message: Message, value: dict[str, object]) -> None:
        """Take the payment of the pots; hands of several runs have several."""
        self.now = _SETTLING
        self.stacks = None
        self._later(_SETTLING, message, value, values.pay)
        self.end = self._put(message)

    def total(self, message: Message, value: dict[str, object]) -> None:
        """Take what the pots came to in all."""
        self.now = _SETTLING
        self.stacks = None
        self.totals = message, value

    def over(self, message: Message, _value: dict[str, object]) -> None:
        """Note that the table is cleared."""
        if self.now >= _SETTLING:
            self.end = self._put(message)

    def sold(self, message: Message, value: dict[str, object]) -> None:
        """Take who sold the hand to the room."""
        self._later(self.now, message, value, values.sold)

    def notice(self, message: Message, value: dict[str, object]) -> None:
        """Take a notice to whose client this is."""
        self._later(self.now, message, value, acts.notice)


def _has(told: list[tuple[Message, dict[str, object]]], key: str) -> bool:
    return any(value.get(key) for one, value in told if one.name == "game.dealer_cards")


def _phase(kind: str, now: int) -> int:
    if kind in POSTS:
        return _STRADDLES if kind == "straddle" else _POSTING
    return now


_MESSAGES: Final[dict[str, Callable[[Stream, Message, dict[str, object]], None]]] = {
    "game.pre_hand_start_info": lambda _stream, _message, _value: None,  # read first of all
    "game.seatInfo": Stream.seats,
    "game.seat": Stream.seat,
    "game.potInfo": Stream.pot,
    "game.game_start": Stream.started,
    "game.dealer_chat_action": Stream.entries,
    "game.dealer_chat": Stream.words,
    "game.user_turn": Stream.turn,
    "game.hole_cards": Stream.hole,
    "game.player_info": Stream.hole,
    "game.dealer_cards": Stream.board,
    "game.rabbit_run": Stream.rabbit,
    "game.show_hole_cards": Stream.show,
    "game.reveal_cards": Stream.show,
    "game.return_chips": Stream.returned,
    "game.winnerInfo": Stream.winners,
    "game.cumulativeWinnerInfo": Stream.total,
    "game.ev_chop_opted_action": Stream.sold,
    "game.message": Stream.notice,
    "game.reset_data": Stream.over,
}
"""A message's name → how it is taken in."""
