"""The first pass over a hand's messages: who sits there, and what will be told in which phase.

Messages come in the order of play but for a few: posts may be told behind the hole cards, a list of
all acts at the hand's end, the board in one snapshot. Each thing is put by with the phase of the hand
to which it belongs; within a phase the stream's order rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from ledger.formats.coinpoker import acts, values
from ledger.formats.coinpoker.values import CoinPokerHand, CoinPokerMessage, act_of, cards, chair, clock
from ledger.hand.dealing import RabbitShown
from ledger.readers.json_hand import letters_and_digits, member_names, objects
from ledger.vocabulary import Millis, Seat

_ENTRY: Final = ("username", "action", "roundName", "actionAmount", "initTimestamp")
"""What tells an entry of the history apart from those that are sent once more."""
_POSTING, _STRADDLES, _DEAL, _SETTLING, _AFTER = 0, 1, 2, 10, 11

SILENT: Final = member_names(
    "game.advance_player_action game.wait_list_data game.wait_list_status game.hand_strength game.game_ready",
    "game.transaction_winnings game.mega_splash game.game_alldata game.game_init game.take_Seat",
)
"""Messages that say nothing of the hand: offers, the room's other tables, what follows from the cards."""


class CoinPokerChair(NamedTuple):
    """A seat as the first snapshot that names it tells it."""

    told: dict[str, object]
    late: bool  # chips of its were already in the pot
    message: CoinPokerMessage
    nth: int  # in the snapshot's list, -1 = the message is of this seat alone

    @property
    def name(self) -> str:
        """Who sits there."""
        return str(self.told["userName"])[: values.NAME_MOST]


class CoinPokerStream:
    """What a hand's messages tell, taken in one by one."""

    def __init__(self, hand: CoinPokerHand, messages: Sequence[CoinPokerMessage]) -> None:
        """Take all messages of this hand in."""
        self.hand = hand
        self.chairs: dict[Seat, CoinPokerChair] = {}
        self.acting: set[Seat] = set()  # seats that do something
        self.named: set[str] = set()  # names of those who do something
        self.now = values.ROUNDS["PREFLOP"]  # the phase in which acts are told now
        self.posting = True
        self.first_round = ""
        self.hero = ""
        self.seen: set[tuple[object, ...]] = set()
        self.captions: dict[Seat, str] = {}  # the last one of each seat
        self.agreed = False  # that the board is run several times
        self.stacks: CoinPokerMessage | None = None  # the first ones after the pots
        self.totals: CoinPokerMessage | None = None
        self.end = -1  # the place that tells that the hand is over
        boards = {
            key for one in messages if one.name == "game.dealer_cards" for key, cards in one.value.items() if cards
        }
        hand.runs = 1 + ("dealerCardsRit" in boards) + ("dealerCardsRit2" in boards)
        hand.boards = 1 + ("dealerCardsDoubleBoard" in boards)
        for message in messages:
            take = _MESSAGES.get(message.name)
            if take is None:
                self._strange(hand.add_message_place(message), message.name or "message")
            else:
                take(self, message)
        hand.carried = self.first_round == "FLOP"
        for last, make in ((self.totals, values.totals), (self.stacks, values.stacks)):
            if last is not None:
                self._later(_AFTER, last, make, last)

    def _strange(self, at: int, name: str, time: Millis = 0) -> None:
        """Keep what nobody knows."""
        self.hand.later(self.now, at, time, CoinPokerHand.add_unread_place, name, at)

    def _later(self, phase: int, message: CoinPokerMessage, make: Callable[..., None], *told: object) -> None:
        self.hand.later(phase, self.hand.add_message_place(message), message.time, make, *told)

    # -- seats and acts ---------------------------------------------------------------------------

    def seats(self, message: CoinPokerMessage) -> None:
        """Take a snapshot of all seats."""
        listed = message.value.get("seatResponseDataList")
        for index, one in enumerate(listed if isinstance(listed, list) else []):
            if isinstance(one, dict):
                self._chair(message, one, index)
        if self.now >= _SETTLING and self.stacks is None:
            self.stacks = message

    def _chair(self, message: CoinPokerMessage, one: dict[str, object], index: int) -> Seat:
        seat, name = chair(one.get("seatId")), one.get("userName")
        if seat and seat not in self.chairs and isinstance(name, str) and name:
            self.chairs[seat] = CoinPokerChair(one, self.now > values.ROUNDS["PREFLOP"], message, index)
        return seat

    def seat(self, message: CoinPokerMessage) -> None:
        """Take a snapshot of one seat; its caption tells the act that changed it."""
        one = message.value
        seat = self._chair(message, one, -1)
        caption = one.get("caption") or one.get("newCaption")
        word = letters_and_digits(caption) if isinstance(caption, str) and len(caption) < 40 else ""
        kind = act_of(caption)
        before, self.captions[seat] = self.captions.get(seat), word
        if kind is None:
            if word in values.AWAY and seat:
                if word != before:
                    self._later(self.now, message, acts.gone, seat, word)
            elif word not in values.NO_ACT:
                self._strange(self.hand.add_message_place(message), "game.seat", message.time)
            return
        chips, bet = one.get("userChips"), one.get("betAmout", one.get("betAmount"))
        known = (seat, self.now, kind, str(chips), str(bet))
        if known in self.seen or not seat:
            return
        self.seen.add(known)
        self.acting.add(seat)
        if self.posting and kind in values.WAGERS and 0 < self.hand.game.ante == self.hand.maybe(bet):
            kind = "ante"  # the caption is left over from before
        self._later(_phase(kind, self.now), message, acts.act, "seat", seat, kind, {"chips": chips, "bet": bet})

    def entries(self, message: CoinPokerMessage) -> None:
        """Take the list of acts: one or two at a time, or all of them."""
        found = objects(message.value, "gameActionMessagesHistory")
        for at, one in zip(self.hand.parts(message, "gameActionMessagesHistory", len(found)), found, strict=False):
            self._entry(at, one)

    def _entry(self, at: int, one: dict[str, object]) -> None:
        name, word, street = one.get("username"), one.get("action"), one.get("roundName")
        if street in ("PREFLOP", "FLOP") and not self.first_round and self.posting:
            self.first_round = street
        if one.get("type") == "roundStart" and street != "ANTE":
            self.posting = False
        known = tuple(str(one.get(part)) for part in _ENTRY)
        if not name or not word or known in self.seen:  # a round begins, or a turn
            return
        self.seen.add(known)
        kind, time, later = act_of(word), clock(one.get("initTimestamp")), self.hand.later
        phase = max(values.ROUNDS.get(str(street), self.now), values.ROUNDS["PREFLOP"])
        if kind is None or not isinstance(name, str):
            later(phase, at, time, CoinPokerHand.add_unread_place, "game.dealer_chat_action", at)
            return
        self.named.add(name[: values.NAME_MOST])
        figures = {"amount": one.get("actionAmount"), "pot": one.get("roundTotalPot")}
        later(_phase(kind, phase), at, time, acts.entered, name[: values.NAME_MOST], kind, figures)

    def started(self, _message: CoinPokerMessage) -> None:
        """Note that all posts are made."""
        self.posting = False

    def pot(self, message: CoinPokerMessage) -> None:
        """Note which round the posts belong to: games without a round before the flop name the flop."""
        if self.posting and not self.first_round and message.value.get("roundName") in ("PREFLOP", "FLOP"):
            self.first_round = str(message.value["roundName"])

    def turn(self, message: CoinPokerMessage) -> None:
        """Note whose client this is, and that a player draws on extra time."""
        self.posting = False
        name, timer = message.value.get("whoseTurn"), message.value.get("timerName")
        if isinstance(name, str) and "callAmount" in message.value and not self.hero:
            self.hero = name[: values.NAME_MOST]
        if isinstance(timer, str) and timer != "playerHandTimer":
            self._later(self.now, message, acts.timer, message)

    def words(self, message: CoinPokerMessage) -> None:
        """Take what the dealer says, line by line."""
        said = message.value.get("dealerMessage")
        if not isinstance(said, str):
            return
        head, found, _ = said.partition(" My Hole Cards")
        if found:
            self.hero = head[: values.NAME_MOST]
        for line in said.split("\n"):
            self._later(self.now, message, acts.said, line)

    # -- cards ------------------------------------------------------------------------------------

    def hole(self, message: CoinPokerMessage) -> None:
        """Take the cards of whose client this is."""
        if message.value.get("holeCards") or message.value.get("playerCards"):
            self._later(_DEAL, message, acts.own, message)

    def board(self, message: CoinPokerMessage) -> None:
        """Take a snapshot of the boards; what is new of it is dealt."""
        at, new = self.hand.add_message_place(message), []
        for key, number, run in values.BOARDS:
            streets = message.value.get(key)
            for name, street, phase in values.STREETS:
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
        if self.hand.runs > 1 and any(run > 1 for *_, run in new) and not self.agreed:
            self.agreed = True
            self.hand.later(min(phase for phase, *_ in new), at, message.time, acts.agree)
        last = max((phase for phase, *_ in new), default=0)
        for phase, *dealt in new:
            # A snapshot's clock is that of the street that it is sent for: the last one.
            self.hand.later(phase, at, message.time if phase == last else 0, acts.deal, *dealt)
            self.now = max(self.now, phase + 1)
        self.posting = False
        self.rabbit(message)

    def rabbit(self, message: CoinPokerMessage) -> None:
        """Take cards that would have come."""
        for key, board in (("rabbitRunCards", 1), ("rabbitRunCardsDoubleBoard", 2)):
            streets = message.value.get(key)
            for name, street, _ in values.STREETS:
                found = cards(streets.get(name)) if isinstance(streets, dict) else None
                if found and (key, name, found, "") not in self.seen:
                    self.seen.add((key, name, found, ""))
                    self._later(_AFTER, message, CoinPokerHand.add_event, RabbitShown(found, street, board))

    def show(self, message: CoinPokerMessage) -> None:
        """Take the hands that are turned up."""
        shown = message.value.get("userCardListMap")
        if isinstance(shown, list):
            shown = {str(one.get("seatId")): one.get("cards") for one in shown if isinstance(one, dict)}
        for seat, listed in shown.items() if isinstance(shown, dict) else ():
            found = cards(listed)
            if found is None or not chair(seat):
                self._strange(self.hand.add_message_place(message), message.name, message.time)
            elif found:
                self._later(self.now, message, acts.show, chair(seat), found)

    # -- the end ----------------------------------------------------------------------------------

    def winners(self, message: CoinPokerMessage) -> None:
        """Take the payment of the pots; hands of several runs have several."""
        self.now, self.stacks = _SETTLING, None
        self._later(_SETTLING, message, values.pay, message)
        self.end = self.hand.add_message_place(message)

    def total(self, message: CoinPokerMessage) -> None:
        """Take what the pots came to in all."""
        self.now, self.stacks, self.totals = _SETTLING, None, message

    def over(self, message: CoinPokerMessage) -> None:
        """Note that the table is cleared."""
        if self.now >= _SETTLING:
            self.end = self.hand.add_message_place(message)


Take: TypeAlias = Callable[[CoinPokerStream, CoinPokerMessage], None]


def _now(make: Callable[[CoinPokerHand, CoinPokerMessage], None]) -> Take:
    """Return how a message is taken in that is told where it stands."""
    return lambda stream, message: stream._later(stream.now, message, make, message)  # noqa: SLF001 - its own table


def _phase(kind: str, now: int) -> int:
    if kind in values.POSTS:
        return _STRADDLES if kind == "straddle" else _POSTING
    return now


_MESSAGES: Final[dict[str, Take]] = {
    "game.pre_hand_start_info": lambda _stream, _message: None,  # read first of all
    "game.seatInfo": CoinPokerStream.seats,
    "game.seat": CoinPokerStream.seat,
    "game.potInfo": CoinPokerStream.pot,
    "game.game_start": CoinPokerStream.started,
    "game.dealer_chat_action": CoinPokerStream.entries,
    "game.dealer_chat": CoinPokerStream.words,
    "game.user_turn": CoinPokerStream.turn,
    "game.hole_cards": CoinPokerStream.hole,
    "game.player_info": CoinPokerStream.hole,
    "game.dealer_cards": CoinPokerStream.board,
    "game.rabbit_run": CoinPokerStream.rabbit,
    "game.show_hole_cards": CoinPokerStream.show,
    "game.reveal_cards": CoinPokerStream.show,
    "game.return_chips": _now(values.give_back),
    "game.winnerInfo": CoinPokerStream.winners,
    "game.cumulativeWinnerInfo": CoinPokerStream.total,
    "game.ev_chop_opted_action": _now(values.sold),
    "game.message": _now(acts.notice),
    "game.reset_data": CoinPokerStream.over,
}
"""A message's name → how it is taken in."""
