"""The summary: who was paid, the rake, and the board that was run out in silence."""

from __future__ import annotations

from typing import Final

from ledger.formats.betonline.header import chair
from ledger.formats.betonline.strangers import newcomer
from ledger.formats.betonline.words import Hand, read_cards
from ledger.hand.ending import HandCompleted, ResultDeclared
from ledger.hand.opening import BlindPosted
from ledger.vocabulary import Chips, Seat, Street

_RUN_OUT: Final[tuple[tuple[Street, int, int], ...]] = (
    ("flop", 0, 6), ("turn", 6, 8), ("river", 8, 10),
)  # fmt: skip
"""A street → where its cards stand in the whole board."""


def heading(hand: Hand, k: int, after: int) -> int:
    """Return the line of the summary's heading, `after` if there is none."""
    text = hand.lines.text
    return next((at for at in range(k, after) if text[at].startswith("*** SUMMARY")), after)


def run_out(hand: Hand) -> None:
    """Deal what the summary's board has more than was told: all were in, and no line said it."""
    text, at = hand.lines.text, hand.at
    k = at
    while k < len(text) and not text[k].startswith("Board [") and "Game #" not in text[k]:
        k += 1
    board = read_cards(text[k].strip()[7:].removesuffix("]")) if k < len(text) else None
    if not board or not board.startswith(hand.board_told):
        return
    hand.at = k
    for street, first, behind in _RUN_OUT:
        if len(hand.board_told) <= first and len(board) >= behind:
            hand.board(street, board[first:behind])
    hand.board_told = max(board, hand.board_told, key=len)
    hand.at = at


def read(hand: Hand, after: int) -> None:
    """Read the summary; some records tell its first lines twice."""
    text = hand.lines.text
    first = heading(hand, hand.marks[-1], after)
    if first == after:
        return
    seen: set[str] = set()
    rake, paid = (0, 0), list[tuple[Seat, Chips, int]]()
    for k in range(first + 1, after):
        line = text[k].strip()
        hand.at = k
        if not line or (line in seen and line.startswith(("Total pot ", "Board "))):
            continue
        seen.add(line)
        if line.startswith("Total pot "):
            taken = line.partition(" | Rake ")[2]
            rake = (hand.amount(taken), k) if taken else rake
        elif line.startswith("Board ["):
            board = read_cards(line[7:].removesuffix("]"))
            if board:
                hand.put(ResultDeclared("board", None, None, board))
        elif line.startswith("Seat "):
            _seat(hand, line, paid)
        elif not any(hand.act(*said) for said in hand.speaker(line)) and not newcomer(hand, line):
            hand.unread(line)
    _settle(hand, paid, rake)
    hand.at = first
    hand.put(HandCompleted())


def _seat(hand: Hand, line: str, paid: list[tuple[Seat, Chips, int]]) -> None:
    """Read `Seat 0: Ada showed [5s 4s] and won (2.49)`, `Seat 3: Bo collected (0.04)`."""
    number, _, rest = line[5:].partition(": ")
    seat = chair(number)
    if seat is None or seat not in hand.stacks:
        hand.unread(line)
        return
    rest = rest.removeprefix(hand.sits[seat]).strip()
    left, right = rest.find("["), rest.find("]")
    cards = read_cards(rest[left + 1 : right]) if 0 <= left < right else None
    if cards is not None and "show" in rest[:left]:
        hand.show(seat, cards, after=True)
    for words in ("won (", "collected ("):
        _, found, amount = rest.rpartition(words)
        if found:
            chips = hand.amount(amount.partition(")")[0])
            if chips:
                paid.append((seat, chips, hand.at))
            return


def _settle(hand: Hand, paid: list[tuple[Seat, Chips, int]], rake: tuple[Chips, int]) -> None:
    """Pay the pots; who alone is named as a winner has won the side pots too."""
    for seat, amount, at in paid:
        hand.at = at
        hand.award(seat, amount, 0 if hand.sides else None)
    hand.at = rake[1]
    hand.drop("rake", rake[0])
    if len({seat for seat, _, _ in paid}) == 1:
        for number, (amount, at) in enumerate(hand.sides, 1):
            hand.derived.append(len(hand.events))
            hand.at = at
            hand.award(paid[0][0], amount, number)
    if not hand.paid:
        return
    out = hand.paid + hand.taken
    _dead_blinds(hand, out)
    hand.return_bets(out if out == sum(hand.put_in) else None)
    hand.silent()


def _dead_blinds(hand: Hand, out: Chips) -> None:
    """Conclude the dead small blinds that `post dead` does not print, where the pot has them."""
    small = hand.game.blinds[0] if hand.game.blinds else 0
    uncalled = sum(amount for _, amount, _ in hand.pending)
    missing = out - sum(hand.put_in) + uncalled
    if small and hand.dead_posts and missing == small * len(hand.dead_posts):
        for seat, index in reversed(hand.dead_posts):
            hand.put_in[seat] += small
            hand.place(index, BlindPosted(seat, "makeup-small", 0, small))
