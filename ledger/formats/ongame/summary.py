"""The summary: pots with their winners, the rake, and every stack at the end."""

from __future__ import annotations

from typing import Final

from ledger.formats.ongame.hand import Hand
from ledger.formats.ongame.words import read_cards
from ledger.hand.dealing import HoleCardsLearned
from ledger.hand.ending import CardsShown, Half, HandCompleted, PotAwarded, ResultDeclared
from ledger.hand.opening import PostReturned
from ledger.hand.variants import VARIANTS
from ledger.vocabulary import UNKNOWN_CARD, Chips, Seat

_HALVES: Final[dict[str, Half]] = {"High": "high", "Low": "low", "": ""}


def read(hand: Hand, k: int, after: int) -> None:
    """Read lines `k` up to `after`."""
    text = hand.lines.text
    hand.close_bets()
    pots: list[int] = []
    rakes: list[int] = []
    ends: dict[Seat, tuple[Chips, int]] = {}
    completed = -1
    for at in range(k, after):
        line = text[at].strip()
        hand.at = at
        if line.startswith("Seat "):
            _seat(hand, line, ends)
        elif line.startswith(("Main pot: ", "Side pot ")):
            pots.append(at)
        elif line.startswith("Rake taken: "):
            rakes.append(at)
        elif line.startswith("***** End of hand "):
            completed = at
        elif line and line != "---":
            hand.unread(line)
    total: Chips | None = None
    for at in pots:
        hand.at = at
        amount = _pot(hand, text[at].strip())
        total = (total or 0) + amount
    for at in rakes:
        hand.at = at
        hand.drop("rake", hand.chips(text[at].strip()[12:]))
    if total is not None and pots:
        hand.at = pots[0]
        hand.put(ResultDeclared("total-pot", None, total))
        _return_bets(hand, total)
        _return_ante(hand, total, ends)
    for seat, (stack, at) in ends.items():
        hand.at = at
        hand.put(ResultDeclared("end-stack", seat, stack))
    if completed >= 0:
        hand.at = completed
        hand.put(HandCompleted())


def _pot(hand: Hand, line: str) -> Chips:
    """Read `Side pot 1: 330 won by A (165 High), B (165 Low)`; return the pot."""
    label, _, rest = line.partition(": ")
    amount, _, winners = rest.partition(" won by ")
    digits = label.rpartition(" ")[2]
    number = int(digits[:2]) if digits.isascii() and digits.isdigit() else 0
    pot = hand.chips(amount)
    hand.put(ResultDeclared("side-pot" if number else "main-pot", None, pot, "", number))
    if not _winners(hand, winners, number):
        hand.unread(line)
    return pot


def _winners(hand: Hand, text: str, pot: int) -> bool:
    """Read `Hero ($1), Ada (165 High)`; names hold anything, so the known ones are looked for."""
    while text:
        found = hand.called.part(text)
        if found is None or found[1][:1] != "(":
            return False
        inner, closed, text = found[1][1:].partition(")")
        amount, _, half = inner.partition(" ")
        if not closed or half not in _HALVES:
            return False
        hand.award(hand.seats[found[0]], hand.chips(amount), pot, half=_HALVES[half])
        text = text.removeprefix(", ")
    return True


def _return_bets(hand: Hand, total: Chips) -> None:
    """Conclude the bets that nobody called: the pots are told without them."""
    put_in = sum(hand.put_in)
    hand.return_bets(total if put_in != total else put_in)


def _return_ante(hand: Hand, total: Chips, ends: dict[Seat, tuple[Chips, int]]) -> None:
    """Conclude that the part of an ante which nobody matched went back, where an end stack shows it."""
    rest = sum(hand.put_in) - total
    if rest <= 0:
        return
    paid: dict[Seat, Chips] = {}
    for event in hand.events:
        if isinstance(event, PotAwarded):
            paid[event.seat] = paid.get(event.seat, 0) + event.amount
    for seat, (stack, _) in ends.items():
        start = hand.stacks.get(seat)
        if start is not None and stack - (start - hand.put_in[seat] + paid.get(seat, 0)) == rest:
            hand.put_in[seat] -= rest
            hand.derive(PostReturned(seat, rest, "ante", True))
            return


def _seat(hand: Hand, line: str, ends: dict[Seat, tuple[Chips, int]]) -> None:
    """Read `Seat 5: Ada ($1.05), net: -$1.05, [Qd, Qh] (PAIR QUEEN)`."""
    number, _, rest = line[5:].partition(": ")
    seat = int(number[:3]) if number.isascii() and number.isdigit() else 0
    name = hand.chairs.get(seat)
    if name is None or not rest.startswith(name + " ("):
        hand.unread(line)
        return
    stack, _, rest = rest[len(name) + 2 :].partition(")")
    ends[seat] = hand.chips(stack), hand.at
    rest = rest.removeprefix(", ")
    if rest.startswith("net: "):
        net, _, rest = rest[5:].partition(", ")
        sign = -1 if net.startswith("-") else 1
        hand.put(ResultDeclared("net", seat, sign * hand.chips(net.lstrip("+-"))))
    if not rest:
        return
    left, right = rest.find("["), rest.find("]")
    cards = read_cards(rest[left + 1 : right]) if 0 <= left < right else None
    if cards is None:
        hand.unread(line)
        return
    claim = rest[right + 1 :].strip(" ()")
    if seat in hand.folded or len(hand.folded) >= len(hand.stacks) - 1:
        if hand.holds.get(seat) != cards:
            hand.put(HoleCardsLearned(seat, cards))
        return
    missing = VARIANTS[hand.game.variant].start_cards - len(cards) // 2
    hand.put(CardsShown(seat, cards + UNKNOWN_CARD * missing, False, hand.people.text(claim)))
