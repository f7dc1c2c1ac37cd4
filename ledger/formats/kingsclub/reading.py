"""KingsClub's text to events, line by line."""

from __future__ import annotations

from ledger.formats.kingsclub import acts, header
from ledger.formats.kingsclub.acts import Hand, bracketed
from ledger.formats.kingsclub.words import (
    BOARD_STREETS,
    DRAW,
    DRAWS,
    HAND_STREETS,
    STUD,
    VENUE,
    WITNESSES,
    read_cards,
)
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import HandCompleted, PotAwarded, ResultDeclared
from ledger.hand.opening import AntePosted, BlindPosted, ButtonPlaced, HandOpened
from ledger.telling.reading import Page
from ledger.telling.spoken import nobody, taken
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Street, Witness, split_cards


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    head = header.head(text[page.first], page.exponent)
    hand = Hand(page.lines, page.people, head.game, page.first)
    hand.put(head.game)
    k, written, table = page.first + 1, "", None
    while k < page.after and not text[k].startswith("Seat "):
        line = text[k].strip()
        table = table or header.table(line)
        if line and table is None and not written:
            written = line
        elif line and not line.startswith("Table '"):
            break
        hand.at = k
        k += 1
    button_at = hand.at
    k = _seats(hand, k, page.after)
    hand.at = button_at
    if table is not None and table[1] is not None:
        hand.put(ButtonPlaced(table[1]))
    hand.body(k, page.after, _other)
    _end(hand)
    stud = head.game.variant in STUD
    known = WITNESSES & ~Witness.BUTTON & ~Witness.BLIND_AMOUNTS if stud else WITNESSES
    hand.opened(HandOpened(VENUE, table[0] if table else "", head.number, known, None, written))
    return hand


def _seats(hand: Hand, k: int, after: int) -> int:
    """Read `Seat 1: Ada (3,533.50)`; return the line behind the list."""
    text = hand.lines.text
    while k < after:
        line = text[k].strip()
        if line and not line.startswith("Seat "):
            break
        if line:
            hand.at = k
            seat, name, stack = taken(line, "Seat ")
            hand.take(seat, name, hand.amount(stack))
        k += 1
    if not hand.seats:
        raise nobody()
    hand.listen()
    return k


def _other(hand: Hand, line: str) -> bool:
    """Read a line that no act begins; False where nobody knows it."""
    if line.startswith("Dealt to "):
        return _dealt(hand, line[9:])
    if line.startswith("*** "):
        title, found, rest = line[4:].partition(" ***")
        return bool(found) and _heading(hand, title, rest)
    if line.startswith("Seat "):
        return _end_stack(hand, line)
    if line.startswith("Rake "):
        hand.drop("rake", hand.amount(line[5:]))
        return True
    if line.startswith("Run 1: "):
        return any(
            rest.startswith("shows ") and acts.shows(hand, seat, rest)
            for seat, rest in hand.speaker(line[7:])
        )
    return False


def _heading(hand: Hand, title: str, rest: str) -> bool:
    """Read what stands between stars."""
    if title in ("HOLE CARDS", "SUMMARY"):
        if title == "SUMMARY":
            hand.close_bets()
            hand.summary = hand.at
        return True
    if title.endswith(" BETTING ROUND"):
        return hand.game.variant in DRAW
    if title in DRAWS and hand.game.variant in DRAW:
        hand.deal_street(DRAWS[title])
        return True
    if title in HAND_STREETS and hand.game.variant in STUD:
        hand.deal_street(HAND_STREETS[title])
        return True
    return _board(hand, title, rest)


def _board(hand: Hand, title: str, rest: str) -> bool:
    """Read `FLOP`, `BOARD 2 - RIVER` with `[- - - Qd] [Jd]`: the whole board, `-` is shared."""
    number = 1
    several = title.startswith("BOARD ") and title[7:10] == " - " and title[6:7] in "12"
    if several:
        number, title = int(title[6]), title[10:]
        hand.runs = hand.runs or (title != "FLOP" and 2 not in hand.boards)
    groups = [read_cards(one) for one in bracketed(rest)]
    if title not in BOARD_STREETS or not groups or None in groups:
        return False
    cards = split_cards("".join(one or "" for one in groups))
    before = hand.boards.get(number, hand.boards.get(1, "") if hand.runs else "")
    told = len(before) // 2
    if hand.runs and number == 2:
        told = next((at for at, card in enumerate(cards) if card != UNKNOWN_CARD), 0)
    for street, first, behind in _new(told, len(cards)):
        new = "".join(cards[first:behind])
        if several and hand.runs:
            hand.board_of_run(street, new, number)
        else:
            hand.board(street, new, board=number)
    hand.boards[number] = "".join(cards)
    return True


def _new(told: int, count: int) -> list[tuple[Street, int, int]]:
    """Return the streets that a board of so many cards has more than it had, with their places."""
    streets: tuple[tuple[Street, int, int], ...] = (
        ("flop", 0, 3),
        ("turn", 3, 4),
        ("river", 4, 5),
    )
    return [one for one in streets if told <= one[1] and one[2] <= count]


def _dealt(hand: Hand, text: str) -> bool:
    """Read `Ada: [X X 4d]`, `Ada: [Jc]`."""
    name, found, shown = text.rpartition(": [")
    seat, cards = hand.seat_of(name), read_cards(shown.removesuffix("]"))
    if not seat or not found or cards is None:
        return False
    hidden = cards.startswith(UNKNOWN_CARD)
    if hand.game.variant in STUD:
        _dealt_stud(hand, seat, cards, hidden=hidden)
        return True
    hand.own = hand.own or not hidden
    hand.holds[seat] = cards
    if not hidden:
        hand.put(HoleCardsDealt(seat, cards))
    _deal_done(hand)
    return True


def _dealt_stud(hand: Hand, seat: int, cards: Cards, *, hidden: bool) -> None:
    if hand.street in ("preflop", "third"):
        hand.street = "third"
        hand.own = hand.own or not hidden
        up = "d" * (len(cards) // 2 - 1) + "u"
        hand.put(HoleCardsDealt(seat, cards, up, "dealt-up" if hidden else "owner"))
        _deal_done(hand)
    elif hand.street == "seventh":
        hand.put(HoleCardsDealt(seat, cards, "d", "unknown" if hidden else "owner"))
    else:
        hand.put(HoleCardsDealt(seat, cards, "u" * (len(cards) // 2), "dealt-up"))


def _deal_done(hand: Hand) -> None:
    """Say that the deal is done behind the last seat's cards."""
    following = hand.lines.text[hand.at + 1 : hand.at + 2]
    if not following or not following[0].startswith("Dealt to "):
        hand.put(DealCompleted())


def _end_stack(hand: Hand, line: str) -> bool:
    """Read `Seat 1: Ada (3,533) -0.50`: the stack at the end, and what was won."""
    bare, found, net = line.rpartition(") ")
    seat, name, stack = taken(bare if found else line.removesuffix(")"), "Seat ")
    if hand.sits.get(seat) != name:
        return False
    hand.put(ResultDeclared("end-stack", seat, hand.amount(stack)))
    if found:
        sign = -1 if net.startswith("-") else 1
        hand.put(ResultDeclared("net", seat, sign * hand.amount(net.lstrip("+-"))))
    return True


def _end(hand: Hand) -> None:
    """Conclude the bets that nobody called: awards and rake are told without them."""
    if hand.summary:
        hand.at = hand.summary
        hand.put(HandCompleted())
    if not hand.paid:
        return
    out = hand.paid + hand.taken
    hand.return_bets(out if out == sum(hand.put_in) else None)
    missing = out - sum(hand.put_in)
    if missing > 0 and hand.game.blinds and missing == hand.game.blinds[0]:
        _missed_blind(hand, missing)


def _missed_blind(hand: Hand, missing: Chips) -> None:
    """Conclude who posted a dead small blind without a line, where pot and end stacks both show it."""
    paid: dict[Seat, Chips] = {}
    ends: dict[Seat, Chips | None] = {}
    last = 0
    for at, event in enumerate(hand.events):
        if isinstance(event, PotAwarded):
            paid[event.seat] = paid.get(event.seat, 0) + event.amount
        elif isinstance(event, ResultDeclared) and event.what == "end-stack" and event.seat:
            ends[event.seat] = event.amount
        elif isinstance(event, AntePosted | BlindPosted):
            last = at
    short = {
        seat: (start or 0) - hand.put_in[seat] + paid.get(seat, 0) - (ends.get(seat) or 0)
        for seat, start in hand.stacks.items()
    }
    who = [seat for seat, less in short.items() if less]
    if len(ends) == len(hand.stacks) and len(who) == 1 and short[who[0]] == missing:
        hand.put_in[who[0]] += missing
        hand.place(last + 1, BlindPosted(who[0], "makeup-small", 0, missing))
