"""Lines that begin with a seated player's name and a colon, beyond the most frequent ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.event import Event
from ledger.formats.pokerstars import hand as h
from ledger.formats.pokerstars.hand import Hand, Make
from ledger.formats.pokerstars.words import DRAW, FIXED, PAT, STUD
from ledger.hand.betting import Bet, Called, Completed, Folded, Raised
from ledger.hand.dealing import CardsDiscarded, StoodPat, StreetDealt
from ledger.hand.ending import CardsShown, RemarkNoted
from ledger.hand.opening import AntePosted, BlindPosted, BringInPosted, StraddlePosted
from ledger.hand.variants import VARIANTS
from ledger.presence import PlayerAway
from ledger.vocabulary import Cards, Chips, Seat

_ALL_IN: Final = " and is all-in"
_ALL_IN_SHORT: Final = " ALLIN"
"""As CoinPoker writes it behind a post."""
_CAP: Final = " and has reached the "
_LONGEST: Final = 60
"""What follows a name is remembered if it has fewer characters: hostile texts have no end."""


def act(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    """Read what follows `Name: `; False where it is no act."""
    reader = _WORDS.get(rest[: rest.find(" ")])
    if reader is not None and reader(hand, seat, rest, k):
        return True
    rest = rest.strip()
    if not rest:
        # So the room writes what players answer when they are asked for several runs.
        hand.put(RemarkNoted(hand.people.text(hand.lines.text[k].strip())), k)
        return True
    fixed = FIXED.get(rest)
    if fixed is not None:
        hand.put(fixed[seat], k)
        return True
    word = rest.partition(" ")[0]
    reader = _WORDS.get(word)
    if reader is not None and reader(hand, seat, rest, k):
        return True
    own = hand.dialect.acts.get(word)
    return own is not None and own(hand, seat, rest, k)


def amount_of(hand: Hand, text: str) -> tuple[Chips, bool]:
    """Read `$5`, `$5 and is all-in` or `$5 and has reached the $40 cap`."""
    if text.endswith(_ALL_IN):
        return hand.chips(text[: -len(_ALL_IN)]), True
    if text.endswith(_ALL_IN_SHORT):
        return hand.chips(text[: -len(_ALL_IN_SHORT)]), True
    at = text.find(_CAP)
    return hand.chips(text if at < 0 else text[:at]), False


def put_act(hand: Hand, seat: Seat, rest: str, k: int, make: Make, amount: Chips, all_in: bool) -> bool:
    """Add an act, and remember how it is read."""
    if len(rest) < _LONGEST:
        hand.known[rest] = make, [], amount, all_in
    hand.put(make(hand, seat, amount, all_in), k)
    return True


def _call(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    added, all_in = amount_of(hand, rest[6:])
    return put_act(hand, seat, rest, k, called, added, all_in)


def called(hand: Hand, seat: Seat, added: Chips, all_in: bool) -> Event:
    """Keep the books for a call and return it."""
    if seat in hand.doubtful and not all_in:  # a short call says nothing of it
        _settle_second_small(hand, seat, added)
    to = hand.bets[seat] + added
    if to > hand.level and hand.level:
        _settle_raise(hand, to)
    hand.bets[seat] = to
    hand.raised_to(seat, to)
    return Called(seat, added, to, all_in)


def _settle_raise(hand: Hand, to: Chips) -> None:
    """Set right a raise that a call goes beyond: `to` told the chips added, as Run It Once did."""
    index, before = hand.last_raise
    if index >= len(hand.events):
        return
    event = hand.events[index]
    if isinstance(event, Raised) and event.to == hand.level and event.to + before == to:
        hand.events[index] = Raised(event.seat, event.to, to, event.all_in)
        hand.bets[event.seat] = hand.level = to


def _settle_second_small(hand: Hand, seat: Seat, added: Chips) -> None:
    """Let a second small blind count where the first call shows that its writer did."""
    index = hand.doubtful.pop(seat)
    post = hand.events[index]
    if isinstance(post, BlindPosted) and hand.bets[seat] + added + post.dead == hand.level:
        hand.events[index] = BlindPosted(seat, post.role, post.dead, 0, post.all_in)
        hand.bets[seat] += post.dead


def _bet(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    added, all_in = amount_of(hand, rest[5:])
    return put_act(hand, seat, rest, k, bet, added, all_in)


def bet(hand: Hand, seat: Seat, added: Chips, all_in: bool) -> Event:
    """Keep the books for a bet and return it."""
    hand.posted(seat, added)
    return Bet(seat, added, hand.bets[seat], all_in)


def _raise(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    at = rest.find(" to ", 6)
    if at < 0:
        return False
    if at > 6:  # clubs write a short all-in as `raises to $12.72`
        hand.chips(rest[7:at])
    to, all_in = amount_of(hand, rest[at + 4 :])
    return put_act(hand, seat, rest, k, raised, to, all_in)


def raised(hand: Hand, seat: Seat, to: Chips, all_in: bool) -> Event:
    """Keep the books for a raise and return it; filling up a bring-in is no raise."""
    kind = Raised
    game = hand.game
    if hand.street == "third" and game.bets and hand.level < game.bets[0]:
        kind = Completed  # type: ignore[assignment]  # the same fields
    before = hand.bets[seat]
    hand.last_raise = len(hand.events), before
    added = to - before
    hand.bets[seat] = to
    hand.raised_to(seat, to)
    return kind(seat, added, to, all_in)


def _bring_in(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    if not rest.startswith(("brings in for ", "brings in low for ", "brings-in ")):
        return False
    amount, all_in = amount_of(hand, rest[rest.find(" for ") + 5 :])
    return put_act(hand, seat, rest, k, _brought_in, amount, all_in)


def _brought_in(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> Event:
    hand.posted(seat, amount)
    return BringInPosted(seat, amount, all_in)


def _fold(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    shown = _bracket(rest, 6)
    if shown is None:
        return False
    hand.kept[seat] = shown
    hand.put(Folded(seat, shown), k)
    return True


def _bracket(rest: str, at: int) -> Cards | None:
    """Return the cards of `[Ah Kd]` at that place and nothing after it."""
    if rest[at : at + 1] != "[" or not rest.endswith("]"):
        return None
    return h.cards(rest[at + 1 : -1])


def _post(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    if rest.startswith(_BOTH):
        amount, all_in = amount_of(hand, rest[len(_BOTH) :])
        live = min(amount, hand.blind) if hand.blind else amount
        hand.put(BlindPosted(seat, "makeup-small", 0, amount - live, all_in), k)
        hand.posted(seat, live)
        hand.put(BlindPosted(seat, "makeup-big", live, 0, all_in), k)
        return True
    for words, make in _POSTS.items():
        if rest.startswith(words):
            amount, all_in = amount_of(hand, rest[len(words) :])
            return put_act(hand, seat, rest, k, make, amount, all_in)
    return False


def _small_blind(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> Event:
    if hand.small and seat != hand.small:
        hand.doubtful[seat] = len(hand.events)
        return BlindPosted(seat, "makeup-small", 0, amount, all_in)
    hand.small = seat
    hand.posted(seat, amount)
    return BlindPosted(seat, "small", amount, 0, all_in)


def _big_blind(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> Event:
    hand.posted(seat, amount)
    if not hand.big:
        hand.big = seat
        if not hand.blind:
            hand.blind = amount
        return BlindPosted(seat, "big", amount, 0, all_in)
    if amount > hand.blind:
        # PokerStars has no straddle: programs that imitate it write one as a larger big blind.
        return StraddlePosted(seat, amount, all_in=all_in)
    return BlindPosted(seat, "entry", amount, 0, all_in)


def _ante(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> Event:
    hand.antes.append(len(hand.events))
    return AntePosted(seat, amount, all_in=all_in)


def _straddle(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> Event:
    hand.posted(seat, amount)
    return StraddlePosted(seat, amount, all_in=all_in)


def _button_blind(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> Event:
    hand.posted(seat, amount)
    return BlindPosted(seat, "button", amount, 0, all_in)


_BOTH: Final = "posts small & big blinds "

_POSTS: Final[dict[str, Make]] = {
    "posts small blind ": _small_blind,
    "posts big blind ": _big_blind,
    "posts the ante ": _ante,
    "posts button blind ": _button_blind,
    "posts straddle ": _straddle,
    "posts a straddle ": _straddle,
    "posts ante ": _ante,
}


def _show(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    """Read `shows [Ah Kd] (a pair of Aces)`; a hand may show only some of its cards."""
    end = rest.find("]")
    if rest[6:7] != "[" or end < 0:
        return False
    shown = h.cards(rest[7:end])
    claim = rest[end + 1 :].strip()
    if shown is None or (claim and not (claim.startswith("(") and claim.endswith(")"))):
        return False
    put_shown(hand, seat, shown, claim[1:-1], k)
    return True


def put_shown(hand: Hand, seat: Seat, shown: Cards, claim: str, k: int) -> None:
    """Add cards that a seat shows; those that stay face down are unknown."""
    hand.end_bets()
    hand.kept[seat] = shown
    if hand.game.variant not in STUD:
        shown += "??" * (VARIANTS[hand.game.variant].start_cards - len(shown) // 2)
    hand.put(CardsShown(seat, shown, hand.after, hand.people.text(claim)), k)


def _away(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    if rest not in ("sits out", "is sitting out"):
        return False
    why = "sits-out" if rest == "sits out" else "away"
    hand.put(PlayerAway(seat, hand.chairs[seat].player, why=why), k)  # type: ignore[arg-type]  # both are named there
    return True


def _stand_pat(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    if rest == "stands pat":
        draw(hand, k)
        hand.put(PAT[seat], k)
        return True
    held = _bracket(rest, 14) if rest.startswith("stands pat on [") else None
    if held is None:
        return False
    draw(hand, k)
    hand.kept.setdefault(seat, held)
    hand.put(StoodPat(seat), k)
    return True


def _discard(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    """Read `discards 2 cards [3c Qc]`."""
    words, bracket, known = rest.partition(" [")
    count = words.split(" ")[1] if words.count(" ") else ""
    gone = h.cards(known.removesuffix("]")) if bracket else ""
    if len(count) != 1 or count not in "12345678" or gone is None:
        return False
    draw(hand, k)
    hand.put(CardsDiscarded(seat, int(count), gone), k)
    return True


def draw(hand: Hand, k: int) -> None:
    """Begin the one draw that some files do not announce."""
    if hand.street == "preflop" and hand.game.variant in DRAW:
        hand.next_street("first-draw")
        hand.derived.append(len(hand.events))
        hand.put(StreetDealt("first-draw"), k)


_WORDS: Final[dict[str, Callable[[Hand, Seat, str, int], bool]]] = {
    "posts": _post,
    "calls": _call,
    "bets": _bet,
    "raises": _raise,
    "folds": _fold,
    "shows": _show,
    "brings": _bring_in,
    "brings-in": _bring_in,
    "sits": _away,
    "is": _away,
    "stands": _stand_pat,
    "discards": _discard,
}
