"""Hands that PokerTracker exported, to events, line by line."""

from __future__ import annotations

from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.pokertracker import acts, header
from ledger.formats.pokertracker.hand import Hand
from ledger.formats.pokertracker.words import STREETS, WITNESSES, read_cards
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import HandCompleted, PlayerFinished, RemarkNoted, ResultDeclared
from ledger.hand.opening import BlindPosted, ButtonPlaced, HandOpened, SeatDealtIn
from ledger.readers import settling
from ledger.readers.names import Names
from ledger.readers.reading import Page
from ledger.vocabulary import Chips, Seat, Witness


def tell(page: Page) -> Hand:
    """Read one hand. Where calls do not fit raises read one way, and do the other way, that one holds."""
    text = page.lines.text
    head = header.head(text, page.first, page.after)
    adds = head.frame == "dash" or (head.opening == "GAME #" and _is_archive(page, head))
    hand = _tell(page, head, adds=adds)
    if hand.frame != "dash" and not hand.fits():
        other = _tell(page, head, adds=not adds)
        if other.fits():
            return other
    return hand


def _is_archive(page: Page, head: header.Head) -> bool:
    """Tell whether this is iPoker's archive, which names the server: there raises are what is added."""
    lines = page.lines.text[page.first : head.behind]
    return any(line.startswith("Server ") for line in lines)


def _tell(page: Page, head: header.Head, *, adds: bool) -> Hand:
    text = page.lines.text
    game = header.setup(head, text[head.behind : page.after], page.exponent)
    hand = Hand(page.lines, page.people, head.venue, head.frame, game, page.first)
    hand.adds = adds
    if head.is_tournament:
        hand.put(header.price(head))
    hand.put(game)
    k = _seats(hand, head.behind, page.after)
    _body(hand, k, page.after)
    if head.opening == "MERGE_GAME #" and head.is_tournament:
        _before_posts(hand)
    witnesses = WITNESSES
    if _marked_small(hand):
        hand.events[hand.button] = RemarkNoted("DEALER")
        witnesses &= ~int(Witness.BUTTON)
    own = int(Witness.OWN_CARDS) if hand.own else 0
    ends = int(Witness.STACKS_AFTER) if hand.ends else 0
    hand.open(
        HandOpened(
            head.venue,
            head.table,
            head.number,
            witnesses | own | ends,
            header.started(head),
            head.written,
            head.chairs,
            head.tournament,
        )
    )
    return hand


def _marked_small(hand: Hand) -> bool:
    """Say whether the dealer's mark, which can stand at a listed player only, is at the small blind of three or more.

    There the button is dead, at a chair that nobody has: such a list cannot mark it.
    """
    placed = hand.events[hand.button] if hand.button else None
    small = [one.seat for one in hand.events if isinstance(one, BlindPosted) and one.role == "small"]
    return isinstance(placed, ButtonPlaced) and small == [placed.seat] and len(hand.seats) - len(hand.away) > 2


def _seats(hand: Hand, k: int, after: int) -> int:
    """Read the list of seats from line `k`; return the line behind it."""
    text = hand.lines.text
    button: tuple[Seat, int] | None = None
    dash = hand.frame == "dash"
    read_seat = _dash_seat if dash else _seat
    while k < after:
        line = text[k].strip()
        if line and not (" sitting in seat " in line if dash else line.startswith("Seat ")):
            break
        if line:
            hand.at = k
            seat, name, stack, news = read_seat(hand, line)
            hand.take(seat, name, stack)
            low = news.lower() if news else ""
            if "dealer" in low:
                button = seat, k
            if "out" in low or "away" in low:
                hand.away.add(seat)
        k += 1
    if not hand.seats:
        raise UnreadableHandError(
            f"{hand.venue}'s hand breaks off before its list of seats",
            kind="cut-off",
            hint="No player is named: nothing can be said about this hand.",
        )
    colon = ":" if hand.frame == "colon" else ""
    hand.called = Names({name + colon: seat for name, seat in hand.seats.items()})
    if button is not None:
        hand.at = button[1]
        hand.button = len(hand.events)
        hand.put(ButtonPlaced(button[0]))
    return k


_BOUGHT: Final = (" (REBUY)", " (ADDON)")


def _seat(hand: Hand, line: str) -> tuple[Seat, str, Chips, str]:
    """Read `Seat 10: Ada ($100.00 in chips) DEALER`, `Seat 1: Ada ($94.15)`."""
    number, colon, rest = line[5:].partition(": ")
    bought = ""
    while rest.endswith(_BOUGHT):  # `(REBUY) (ADDON)`: the stack has it
        rest, _, more = rest.rpartition(" ")
        bought = f" {more}{bought}"
    name, opening, told = rest.rpartition(" (")
    stack, closing, news = told.partition(")")
    if not (colon and opening and closing and number.isascii() and number.isdigit()):
        raise _no_seat(line)
    return int(number[:3]), name, hand.chips(stack.removesuffix(" in chips")), news + bought


def _dash_seat(hand: Hand, line: str) -> tuple[Seat, str, Chips, str]:
    """Read `- Ada sitting in seat 1 with €10.00 at end €9.95 [Dealer]`."""
    name, _, rest = line.removeprefix("- ").rpartition(" sitting in seat ")
    number, found, told = rest.partition(" with ")
    stack, _, news = told.partition("[")
    stack, _, end = stack.partition(" at end ")
    if not (name and found and number.isascii() and number.isdigit()):
        raise _no_seat(line)
    seat = int(number[:3])
    if end:
        hand.ends[seat] = hand.chips(end.strip()), hand.at
    return seat, name, hand.chips(stack.strip()), news


def _no_seat(line: str) -> UnreadableHandError:
    return UnreadableHandError(
        f"a seat cannot be read: {line[:80]!r}", kind="seat", hint="A number, a name and a stack were expected."
    )


def _body(hand: Hand, k: int, after: int) -> None:
    """Read from behind the list of seats to the hand's end."""
    text, known = hand.lines.text, hand.acts_read
    plain, begun = hand.called.plain, hand.called.by_word
    while k < after:
        line = text[k]
        hand.at = k
        k += 1
        word, _, rest = line.partition(" ")
        if (told := known.get(rest)) and (seat := plain.get(word)):
            make, amount, all_in = told
            make(hand, seat, amount, all_in)
            continue
        if not line or (word in begun and _acted(hand, line)):
            continue
        bare = line.strip()
        if bare and not _other(hand, bare):
            hand.unread(line)
    _end(hand)


def _acted(hand: Hand, line: str) -> bool:
    """Read an act; if behind a name stands none, a shorter name may be meant."""
    colon = hand.frame == "colon"
    for name in hand.called.all_of(line):
        seat = hand.seats[name[:-1] if colon else name]
        if acts.act(hand, seat, line[len(name) + 1 :]):
            return True
    return False


def _other(hand: Hand, line: str) -> bool:
    """Read a line that no act begins; False where nobody knows it."""
    if line.startswith("*** "):
        return _heading(hand, line[4:])
    if line.startswith("** Dealing "):
        return _dealing(hand, line[11:])
    if line.startswith("Dealt to "):
        name, found, cards = line[9:].rpartition(" [")
        return bool(found) and _dealt(hand, name, cards)
    if line.startswith("The button is in seat #"):
        digits = line[23:]
        if not digits.isascii() or not digits.isdigit() or len(digits) > 3:
            return False
        hand.put(ButtonPlaced(int(digits)))
        return True
    if line.startswith("Uncalled bet of "):
        amount, _, name = line[16:].partition(" returned to ")
        seat = hand.seats.get(name)
        if seat is None:
            return False
        chips = hand.chips(amount)
        hand.close_bets()
        hand.give_back(seat, chips)
        return True
    return _finished(hand, line) or _total(hand, line)


def _finished(hand: Hand, line: str) -> bool:
    """Read `Ada finished in place 2 and won 0,03 €`; the prize is money, not the hand's chips: it stays in its words."""
    name, found, told = line.rpartition(" finished in place ")
    place, won, prize = told.partition(" and won ")
    seat = hand.seats.get(name)
    if not found or seat is None or not place.isascii() or not place.isdigit() or len(place) > 6:
        return False
    hand.put(PlayerFinished(seat, int(place)))
    if won:
        hand.put(RemarkNoted(hand.people.text(f"won {prize}")))
    return True


def _total(hand: Hand, line: str) -> bool:
    """Read `Total pot $62.50 Rake $3.00`, `Rake: €1.50`, `End of game 1`: a pot is told after the rake."""
    if line.startswith("Total pot "):
        total, found, rake = line[10:].partition(" Rake ")
        taken = hand.chips(rake) if found else 0
        hand.raked = bool(found)
        hand.declared = hand.chips(total) + taken
        hand.put(ResultDeclared("total-pot", None, hand.declared))
        hand.drop("rake", taken)
        return True
    if line.startswith("Rake: "):
        hand.raked = True
        hand.drop("rake", hand.chips(line[6:]))
        return True
    if line.startswith("End of game "):
        hand.ended_at = hand.at
        return True
    return False


def _heading(hand: Hand, text: str) -> bool:
    """Read `FLOP *** [..]`, `HOLE CARDS ***`, `SUMMARY ***`."""
    title, _, rest = text.partition(" ***")
    if title == "HOLE CARDS":
        hand.begun = True
        hand.put(DealCompleted())
        return True
    return title == "SUMMARY" or _board(hand, title.lower(), rest)


def _board(hand: Hand, title: str, text: str) -> bool:
    """Tell a street's new cards; some frames repeat those that lie there."""
    cards = read_cards(text)
    if title not in STREETS or cards is None:
        return False
    street, before = STREETS[title]
    if len(cards) == 2 * before + 2 and before:
        cards = cards[2 * before :]
    hand.board(street, cards)
    return True


def _dealing(hand: Hand, text: str) -> bool:
    """Read `card to Hero: A of c, 6 of d`, `cards to Hero: ..`, `the flop: ..`."""
    who, found, cards = text.rpartition(": ")
    if not found:
        return False
    if who.startswith("the "):
        return _board(hand, who[4:], cards)
    hand.begun = True
    told = _dealt(hand, who.partition(" to ")[2], cards)
    hand.put(DealCompleted())
    return told


def _dealt(hand: Hand, name: str, text: str) -> bool:
    cards, seat = read_cards(text), hand.seats.get(name)
    if cards is None or seat is None:
        return False
    hand.own = True
    hand.dealt(HoleCardsDealt(seat, cards))
    return True


def _before_posts(hand: Hand) -> None:
    """Count the posts into the stacks: Merge's tournaments list what is left behind them."""
    for seat, amount in hand.posted.items():
        index = hand.index[seat]
        event = hand.events[index]
        if isinstance(event, SeatDealtIn) and event.stack is not None:
            hand.stacks[seat] = event.stack + amount
            hand.events[index] = SeatDealtIn(seat, event.player, event.stack + amount)
            hand.derived.append(index)


def _end(hand: Hand) -> None:
    """Do what only the whole hand can tell; a hand is over when its pot is paid."""
    hand.close_bets()
    if not hand.paid:
        return
    if hand.declared is None or hand.declared != sum(hand.put_in):
        settling.within_awards(hand, always=False)
    hand.return_bets(hand.declared)
    if not hand.raked:
        settling.conclude_rake(hand)
    for seat, (stack, at) in hand.ends.items():
        hand.at = at
        hand.put(ResultDeclared("end-stack", seat, stack))
    hand.silent()
    if hand.ended_at >= 0:
        hand.at = hand.ended_at
        hand.put(HandCompleted())
    else:
        hand.derive(HandCompleted())
