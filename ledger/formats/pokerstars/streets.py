"""Headings between three stars: the deal, streets, draws, several runs and boards, the showdown."""

from __future__ import annotations

from typing import Final

from ledger.formats.pokerstars import hand as h
from ledger.formats.pokerstars.hand import Hand
from ledger.formats.pokerstars.words import BOARD_STREETS, CARDS, DRAW, HAND_STREETS, NUMBERS, STUD
from ledger.hand.betting import Folded, RunsAgreed
from ledger.hand.dealing import BoardDealt, CardsDrawn, DealCompleted, HoleCardsDealt, StreetDealt
from ledger.hand.ending import RemarkNoted, ShowdownBegun
from ledger.readers.bomb_pots import BOMB_POT
from ledger.vocabulary import Cards, Seat, Street


def heading(hand: Hand, line: str, k: int) -> int:
    """Read the heading in line `k`, and the deal after it; return the next line to read."""
    if line == "*** HOLE CARDS ***":
        return _deal(hand, k)
    if line[4:8] == "FLOP" and line[12:14] == " [" and not hand.board:
        cards = h.cards(line[14:22])
        if cards is not None and line[22:].rstrip() == "]":
            hand.board[1, 1] = 3
            hand.dealt = line[14:22] if len(cards) == 6 else ""
            hand.next_street("flop")
            hand.put(BoardDealt("flop", cards), k)
            return k + 1
    elif hand.dealt and _one_more(hand, line, k):
        return k + 1
    end = line.find(" ***", 4)
    title = line[4:end] if line.startswith("*** ") and end > 0 else ""
    rest = line[end + 4 :]
    number = 0
    first, _, after = title.partition(" ")
    if first in NUMBERS and not title.endswith("DRAW"):
        number, title = NUMBERS[first], after
    if title in BOARD_STREETS:
        return _board(hand, BOARD_STREETS[title], number, rest, k)
    if title in ("HOLE CARDS", "DEALING HANDS"):
        return _deal(hand, k)
    if title in ("SHOW DOWN", "SHOWDOWN"):
        if hand.after and not number and (1, 2) in hand.board:
            hand.face, hand.after = 2, False  # the pots of the first board are awarded
            return k + 1
        hand.end_bets()
        hand.run = number or 1
        hand.after = False
        if not hand.dialect.always_showdown or _several_left(hand):
            hand.put(ShowdownBegun(hand.run), k)
        return k + 1
    street = HAND_STREETS.get(title)
    if street is not None:
        return _street(hand, street, k)
    hand.unread(line, k)
    return k + 1


def _several_left(hand: Hand) -> bool:
    """Tell whether more than one seat still holds a hand."""
    return len(hand.chairs) - sum(isinstance(event, Folded) for event in hand.events) > 1


def _one_more(hand: Hand, line: str, k: int) -> bool:
    """Read a heading that repeats the board as this hand told it and adds one card."""
    title, _, groups = line.partition("[")
    street = _NEXT.get(title)
    before, _, new = groups.partition("] [")
    card = CARDS.get(new[:2])
    if street is None or card is None or before != hand.dealt or new[2:] != "]":
        return False
    hand.dealt = f"{before} {new[:2]}"
    hand.board[1, 1] = (len(hand.dealt) + 1) // 3
    hand.next_street(street)
    hand.put(BoardDealt(street, card), k)
    return True


def _deal(hand: Hand, k: int) -> int:
    """Read the dealt hands; the deal is complete when they end."""
    text = hand.lines.text
    after = k + 1
    while after < len(text) and (not text[after] or text[after].startswith("Dealt to ")):
        if text[after]:
            dealt(hand, text[after], after)
        after += 1
    hand.put(_COMPLETED, k)
    return after


_COMPLETED: Final = DealCompleted()
_NEXT: Final[dict[str, Street]] = {"*** TURN *** ": "turn", "*** RIVER *** ": "river"}


def _street(hand: Hand, street: Street, k: int) -> int:
    if street == "third":
        hand.street = street
        return _deal(hand, k)
    hand.next_street(street)
    hand.put(StreetDealt(street), k)
    return k + 1


def _board(hand: Hand, street: Street, number: int, rest: str, k: int) -> int:
    """Read `[2c 7d Kc] [9s]`: what is new stands in the last bracket."""
    rest, _, remark = rest.partition("{")
    whole = not rest.strip() or rest.rstrip().endswith("]")  # else the line breaks off within its cards
    groups = [h.cards(part.strip(" [")) for part in rest.strip().split("]") if part.strip()]
    if not groups and hand.game.variant in STUD and street == "river":
        return _street(hand, "seventh", k)
    if not groups or None in groups or not whole:
        hand.unread(hand.lines.text[k], k)
        return k + 1
    if hand.dialect.again is not None and not number and hand.board:
        after = hand.dialect.again(hand, street, [group or "" for group in groups], k)
        if after is not None:
            return after
    split = hand.game.variant == "split-holdem" or (number > 0 and _two_boards(hand, street))
    board, run = (number or 1, 1) if split else (1, number or 1)
    new = groups[-1] or ""
    if len(groups) == 1:
        known = hand.board.get((run, board), 0) or hand.board.get((1, 1), 0) * (street != "flop")
        new = new[2 * known :]
    if number and not split:
        _runs(hand, number, k)
    before = sum(len(group or "") for group in groups) - len(new)
    hand.board[run, board] = (before + len(new)) // 2
    if run == 1 and board == 1 and street != "preflop":
        hand.next_street(street)
    hand.put(BoardDealt(street, new, board, run), k)
    if remark:
        hand.put(RemarkNoted(hand.people.text("{" + remark.strip())), k)
    return k + 1


def _two_boards(hand: Hand, street: Street) -> bool:
    """Tell whether numbered boards are those of one bomb pot: nobody can be all-in before its flop."""
    return BOMB_POT in hand.events and (street == "flop" or (1, 2) in hand.board)


def _runs(hand: Hand, number: int, k: int) -> None:
    """Say that the rest is run several times, as soon as it shows and as often as it will."""
    if hand.runs_at < 0:
        hand.close_bets()
        hand.runs_at = len(hand.events)
        hand.put(RunsAgreed(2), k)
    elif number > 2:
        hand.events[hand.runs_at] = RunsAgreed(number)


def dealt(hand: Hand, line: str, k: int) -> None:
    """Read `Dealt to Name [kept] [new]`: hole cards, a stud street or a draw."""
    found = _whose(hand, line[9:])
    if found is None and line[9:].strip() in hand.seats:
        return  # that a seat is dealt in says the list of seats
    if found is None:
        hand.unread(line, k)
        return
    seat, rest = found
    parts = [part.strip(" [") for part in rest.strip().split("]") if part.strip()]
    groups = [h.cards(part) for part in parts]
    if not groups or None in groups:
        hand.unread(line, k)
        return
    variant = hand.game.variant
    if variant in STUD:
        _stud_cards(hand, seat, [group or "" for group in groups], k)
    elif variant in DRAW and hand.street != "preflop":
        hand.put(CardsDrawn(seat, groups[-1] or ""), k)
    else:
        hand.own = True
        hand.put(HoleCardsDealt(seat, "".join(group or "" for group in groups)), k)


def _whose(hand: Hand, text: str) -> tuple[Seat, str] | None:
    """Part `Name [cards]`."""
    at = text.find(" [")
    seat = hand.seats.get(text[:at])
    if seat is not None and at >= 0:
        return seat, text[at + 1 :]
    for name in hand.by_length():
        if text.startswith(name + " [") and name in hand.seats:
            return hand.seats[name], text[len(name) + 1 :]
    return None


def _stud_cards(hand: Hand, seat: Seat, groups: list[Cards], k: int) -> None:
    if hand.street == "third":
        all_cards = "".join(groups)
        down = "????" if len(all_cards) == 2 else ""
        cards = down + all_cards
        hand.own = hand.own or not down
        up = "d" * (len(cards) // 2 - 1) + "u"
        hand.put(HoleCardsDealt(seat, cards, up, "owner" if not down else "dealt-up"), k)
        return
    new = groups[-1]
    face = "d" if hand.street == "seventh" else "u"
    how = "owner" if face == "d" else "dealt-up"
    hand.put(HoleCardsDealt(seat, new, face * (len(new) // 2), how), k)  # type: ignore[arg-type]  # one of two
