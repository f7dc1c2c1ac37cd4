"""Posts, acts and boards. An act is told by up to three voices: a seat's snapshot, an entry, the dealer's words.

The snapshot is believed first: its bet is the seat's total of the round, and its chips show what went in.
A second voice that says the same adds nothing; one that says something else is kept as unread.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from ledger.formats.coinpoker.values import POSTS, WAGERS, CoinPokerHand, CoinPokerMessage, act_of, cards, spoken
from ledger.hand.betting import RunsAgreed, TimeBankUsed
from ledger.hand.dealing import BoardDealt, HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, RemarkNoted, ResultDeclared
from ledger.presence import ChipsAdded, ConnectionLost, PlayerAway
from ledger.readers import amounts
from ledger.readers.acts import TellAction, calls, checks, folds, wagers_by
from ledger.readers.json_hand import count_below
from ledger.vocabulary import Cards, Chips, Seat, Street

Figures: TypeAlias = Mapping[str, object]
"""What a voice says of an act's chips, as written.

`chips`: what the seat has left. `bet`: its total of the round. `amount`: an entry's, a call's chips or a raise's
total. `pot`: all chips in the pot behind the act.
"""


def entered(hand: CoinPokerHand, name: str, kind: str, figures: Figures) -> None:
    """Tell an act of the list of acts, which names players and no seats."""
    seat = hand.seats.get(name)
    if seat is None:
        hand.add_unread_place("game.dealer_chat_action", hand.place)
        return
    act(hand, "entry", seat, kind, figures)


def act(hand: CoinPokerHand, voice: str, seat: Seat, kind: str, figures: Figures) -> None:
    """Tell an act, unless another voice told it before."""
    if seat not in hand.stacks:
        hand.add_unread_place("game.seat", hand.place)
        return
    if kind in POSTS:
        _post(hand, voice, seat, kind, figures)
        return
    waiting = hand.heard.setdefault(seat, [])
    other, told, added, to = waiting[0] if waiting else (voice, kind, 0, 0)
    if other != voice and (told == kind or ("all-in" in (told, kind) and WAGERS.issuperset((told, kind)))):
        del waiting[0]
        _compare(hand, seat, kind, figures, added, to)
        return
    hand.complete_deal()
    added = _added(hand, voice, seat, kind, figures) if kind in WAGERS else 0
    left = hand.maybe(figures.get("chips"))
    all_in = True if kind == "all-in" or (left == 0 and kind in WAGERS) else None
    _ACTS[kind](hand, seat, added, all_in)
    waiting.append((voice, kind, added, hand.bet_of(seat)))
    hand.said[seat] = added
    if left is not None and kind in WAGERS:
        hand.add_event(ResultDeclared("balance", seat, left))


def _compare(hand: CoinPokerHand, seat: Seat, kind: str, figures: Figures, added: Chips, to: Chips) -> None:
    """Keep a second voice that says something else of an act than the first."""
    amount, bet = hand.maybe(figures.get("amount")), hand.maybe(figures.get("bet"))
    if kind not in WAGERS or amount == (added if kind == "call" else to):
        return
    if amount is not None or (bet is not None and bet not in (to, to + hand.antes.get(seat, 0))):
        hand.add_unread_place("an act told in two ways", hand.place)


def _added(hand: CoinPokerHand, voice: str, seat: Seat, kind: str, figures: Figures) -> Chips:
    """Return how many chips an act put in."""
    stack, bets = hand.stacks.get(seat), hand.bet_of(seat)
    left = None if stack is None else stack - hand.chips_put_in(seat)
    if voice == "seat":
        chips = hand.maybe(figures.get("chips"))
        by_bet = hand.chips_of(figures.get("bet") or 0) - bets
        if left is None or chips is None:
            return by_bet
        by_chips = left - chips
        # Where antes count in the snapshots' bets, the chips alone tell what went in now.
        return by_chips if by_bet - by_chips == hand.antes.get(seat, 0) else by_bet
    if kind == "all-in" and left is not None:
        return left
    amount, pot = hand.chips_of(figures.get("amount") or 0), hand.maybe(figures.get("pot"))
    behind = 0 if pot is None else pot - hand.total_put_in()
    added = amount if kind == "call" else amount - bets
    return behind if behind > 0 and added != behind else added


# -- posts --------------------------------------------------------------------------------------


def _post(hand: CoinPokerHand, voice: str, seat: Seat, kind: str, figures: Figures) -> None:
    if (seat, kind) in hand.posted:  # told again by another voice, or with a turn that comes
        amount = hand.maybe(figures.get("amount"))
        if amount is not None and amount != hand.posts.get((seat, kind), amount):
            hand.add_unread_place("a post told in two ways", hand.place)
        return
    left, said = hand.maybe(figures.get("chips")), figures.get("amount") or 0
    added = _added(hand, voice, seat, kind, figures) if voice == "seat" else hand.chips_of(said)
    hand.posted.add((seat, kind))
    hand.posts[seat, kind] = added
    all_in = True if left == 0 else None
    if kind == "ante":
        hand.antes[seat] = added
        hand.post_ante(seat, added, all_in=all_in)
    elif kind == "straddle":
        hand.post_straddle(seat, hand.bet_of(seat) + added if hand.bet_of(seat) else added, all_in=all_in)
    else:
        role = "entry" if kind == "big" and hand.big_blind_seat else kind
        hand.post_blind(seat, role, added, all_in=all_in)  # type: ignore[arg-type]  # all are roles
    hand.said[seat] = added
    if left is not None:
        hand.add_event(ResultDeclared("balance", seat, left))


# -- acts ---------------------------------------------------------------------------------------


_ACTS: Final[dict[str, TellAction]] = {
    "fold": folds,
    "check": checks,
    "call": calls,
    **dict.fromkeys(("raise", "all-in"), wagers_by),  # one that is all-in may be a call: the highest bet tells
    "muck": lambda hand, seat, _added, _all_in: hand.add_event(CardsMucked(seat)),
}


# -- boards -------------------------------------------------------------------------------------


def agree(hand: CoinPokerHand) -> None:
    """Tell that the rest of the board is run several times."""
    hand.close_bets()
    hand.add_event(RunsAgreed(hand.runs))


def deal(hand: CoinPokerHand, street: Street, found: Cards, board: int, run: int) -> None:
    """Deal to a board. A flop before the first act leaves the blinds what they are: bets of that round."""
    hand.complete_deal()
    if street == "flop" and hand.carried and any(hand.betting.bets.values()) and hand.street == "preflop":
        hand.add_event(BoardDealt("preflop", found, board, run))
    elif board > 1 or run > 1:
        hand.betting.street = street
        hand.add_event(BoardDealt(street, found, board, run))
    else:
        hand.deal_board(street, found)


# -- the dealer's words, cards, clocks, who goes and who is told something --------------------------

_OF_THE_TABLE: Final = ("New Hand: #", "PREFLOP", "FLOP", "TURN", "RIVER", "Winner-Info: ")
_SILENT: Final = ("Turn (", "Dealer", "Folds", "Checks", "Return-Chips: ")
_WITH_CHIPS: Final = ("Raises To ", "Calls ", "All In ", "Bets ", "SB ", "BB ", "Straddle ", "Ante ")
_MOST: Final = 500


def said(hand: CoinPokerHand, line: str) -> None:
    """Take a line of the dealer's: what it says is told already, but for chips that were bought.

    Words that say something else than what was told are kept, as are words that nobody knows.
    """
    text = line.strip()
    if not text or text.startswith(_OF_THE_TABLE):
        return
    name = next((one for one in hand.callers if text.startswith(one) and text[len(one) : len(one) + 1] == " "), "")
    rest, seat = text[len(name) + 1 :], hand.seats.get(name, 0)
    told = rest.startswith(_SILENT)
    if not name:
        pass
    elif rest.startswith(_WITH_CHIPS):
        told = _by(hand, rest) in (None, hand.said.get(seat))
    elif (kind := act_of(rest.partition(" ")[0])) in POSTS:
        told = _by(hand, rest) in (None, hand.posts.get((seat, str(kind))))
    elif rest.startswith("My Hole Cards"):
        told = not hand.hole or spoken(rest[len("My Hole Cards") :]) == hand.hole
    elif rest.startswith("Show Cards"):
        told = spoken(rest[len("Show Cards") :]) == hand.shown.get(seat)
    elif (
        rest.startswith("Top-Up: ")
        and (found := amounts.read_or_none(rest[len("Top-Up: ") :], hand.exponent)) is not None
    ):
        hand.add_event(ChipsAdded(seat, found, "top-up"))
        told = True
    if not name or not told:
        hand.add_unread(text[:_MOST])


def _by(hand: CoinPokerHand, rest: str) -> int | None:
    """Return the chips that words say went in: `Raises To 0.07 (by 0.05) => TotalPot: 0.10`."""
    head = rest.partition(" =>")[0]
    by = head.partition("(by ")[2].rstrip(") ") or head.rpartition(" ")[2]
    return amounts.read_or_none(by, hand.exponent)


def own(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Tell the cards of whose client this is."""
    found = cards(message.value.get("holeCards") or message.value.get("playerCards"))
    if not found or not hand.hero:
        hand.add_unread_place(message.name, hand.place)
    elif not hand.hole:
        hand.hole = found
        hand.add_event(HoleCardsDealt(hand.hero, found))
    elif found != hand.hole:
        hand.add_unread_place(f"{message.name}, other cards than before", hand.place)


def show(hand: CoinPokerHand, seat: Seat, found: Cards) -> None:
    """Tell a hand that is turned up, once."""
    if seat not in hand.stacks:
        hand.add_unread_place("game.show_hole_cards", hand.place)
    elif hand.shown.get(seat) != found:
        hand.shown[seat] = found
        hand.add_event(CardsShown(seat, found, after=hand.settled > 0))


def timer(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Tell that a player draws on extra time; another timer nobody knows."""
    value = message.value
    name, seconds = str(value.get("timerName")).lower(), value.get("turnTime")
    seat = hand.seats.get(str(value.get("whoseTurn")), 0)
    if seat and "extra" in name:
        hand.add_event(TimeBankUsed(seat, count_below(seconds, 10_000) or None))
    else:
        hand.add_unread_place("game.user_turn", hand.place)


def gone(hand: CoinPokerHand, seat: Seat, word: str) -> None:
    """Tell that a player is away or without connection."""
    if word == "disconnected":
        hand.add_event(ConnectionLost(seat))
    elif word.startswith(("sit", "away")):
        hand.add_event(PlayerAway(seat, why="sits-out" if word.startswith("sit") else "away"))


def notice(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Keep a notice to whose client this is: `HAND_END_BUYOUT_SUCCESS 1.94`."""
    words = [str(message.value[name]) for name in ("message", "data", "errorMsg") if message.value.get(name)]
    if words:
        hand.add_event(RemarkNoted(hand.people.text(" ".join(words)[:_MOST])))
