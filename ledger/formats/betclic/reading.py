"""Betclic's text to events, line by line."""

from __future__ import annotations

from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.betclic import header
from ledger.formats.betclic.words import (
    STREETS,
    TAGS,
    VENUE,
    WITNESSES,
    Hand,
    read_cards,
    read_clock,
)
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import HandCompleted, RemarkNoted, ResultDeclared, ShowdownBegun
from ledger.hand.opening import ButtonPlaced, HandOpened, SeatDealtIn
from ledger.telling import amounts
from ledger.telling.cards import groups
from ledger.telling.reading import Page
from ledger.telling.spoken import nobody, taken
from ledger.vocabulary import Chips

_BEFORE_ACTS: Final = ("Posts", "Sits", "Disconnected", "Reconnected")
"""What follows a name in lines that stand before the first act."""


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    first = next(at for at in range(page.first, page.after) if header.begins(text[at]))
    facts = header.facts(text, first + 1, page.after)
    game = header.game(facts, page.exponent)
    started = header.started(facts["Date & Time"])
    hand = Hand(page.lines, page.people, VENUE, game, facts.lines.get("Hand ID", first))
    hand.begin(started)
    for name in ("Game Type", "Game Name"):
        hand.at = facts.lines.get(name, first)
        if name == "Game Type":
            hand.put(game)
        elif game.format == "tournament":
            hand.put(header.tournament(facts))
        elif facts[name]:
            hand.put(RemarkNoted(hand.people.text(facts[name])))
    for at in facts.strange:
        hand.at = at
        hand.unread(text[at])
    k = _seats(hand, facts.after, page.after)
    _body(hand, k, page.after)
    _end(hand, facts)
    hand.opened(HandOpened(
        VENUE, facts["Table ID"], facts["Hand ID"], WITNESSES, started, facts["Date & Time"],
        header.chairs(facts["Game Name"]),
        facts["Game ID"] if game.format == "tournament" else "",
    ))  # fmt: skip
    return hand


def _seats(hand: Hand, k: int, after: int) -> int:
    """Read `Seat 5: Ada (53994, €5.00 bounty) [BB Hero]`; return the line behind the list."""
    text = hand.lines.text
    if k < after and text[k].strip() == "*** PLAYERS ***":
        k += 1
    while k < after:
        line = text[k].strip()
        if line and not line.startswith("Seat "):
            break
        if line:
            hand.at = k
            _seat(hand, line)
        k += 1
    if not hand.seats:
        raise nobody()
    hand.listen()
    if "BTN" in hand.tags:
        hand.at = hand.button
        hand.put(ButtonPlaced(hand.tags["BTN"]))
    return k


def _seat(hand: Hand, line: str) -> None:
    bare, opening, inner = line.removesuffix("]").rpartition(" [")
    tags = inner.split(" ") if opening and line.endswith("]") else []
    if not tags or not TAGS.issuperset(tags):
        bare, tags = line, []
    seat, name, rest = taken(bare.removesuffix(")"), "Seat ")
    stack, _, bounty = rest.partition(", ")
    if not bare.endswith(")") or (bounty and not bounty.endswith(" bounty")):
        raise UnreadableHandError(f"a seat cannot be read: {line[:80]!r}", kind="seat")
    hand.take(seat, name, hand.amount(stack))
    worth = amounts.maybe(bounty.removesuffix(" bounty"), 2) if bounty else 0
    if worth:
        hand.events[-1] = SeatDealtIn(seat, hand.player_in(seat), hand.stacks[seat], worth)
    for tag in tags:
        hand.tags.setdefault(tag, seat)
    if "BTN" in tags:
        hand.button = hand.at


def _body(hand: Hand, k: int, after: int) -> None:
    """Read from behind the list of seats to the hand's end."""
    text, known, plain = hand.lines.text, hand.acts_read, hand.plain_words
    while k < after:
        line = text[k]
        hand.at = k
        k += 1
        if line[8:11] != " - ":
            _quiet(hand, line)
            continue
        since = read_clock(line[:8])
        if since < 0:
            hand.unread(line)
            continue
        before, (name, _, rest) = len(hand.events), line[11:].partition(" ")
        if hand.hidden is not None and not rest.startswith(_BEFORE_ACTS):
            _begin_acts(hand, line[11:])
        if (told := known.get(rest)) and (seat := plain.get(name)):
            told[0](hand, seat, told[1], told[2])
        elif not any(hand.act(seat, rest) for seat, rest in hand.speaker(line[11:])):
            hand.unread(line)
        hand.stamp(before, since)


def _begin_acts(hand: Hand, said: str) -> None:
    """End the deal where somebody acts whose name has a blank in it, or none."""
    if not any(rest.startswith(_BEFORE_ACTS) for _, rest in hand.speaker(said)):
        hand.deal()


def _quiet(hand: Hand, line: str) -> None:
    """Read a line without a clock: headings, cards, pots, places."""
    bare = line.strip()
    if bare.startswith("*** "):
        title, found, rest = bare[4:].partition(" ***")
        known = bool(found) and _heading(hand, title, rest)
    elif hand.hidden is not None and not hand.summary and _dealt(hand, bare):
        known = True
    else:
        known = not bare.strip("-") or any(hand.act(seat, rest) for seat, rest in hand.speaker(bare))  # fmt: skip
    if not known:
        hand.unread(line)


def _heading(hand: Hand, title: str, rest: str) -> bool:
    """Read what stands between stars; boards are told whole, the new cards last."""
    if title in STREETS:
        hand.deal()
        found = groups(read_cards, rest)
        if not found or len(found[-1]) < 2:
            return False
        whole = found[-1]
        hand.board(STREETS[title], whole if title == "FLOP" else whole[-2:])
        return True
    if title == "SHOWDOWN":
        hand.deal()
        hand.close_bets()
        hand.put(ShowdownBegun())
    elif title == "SUMMARY":
        hand.deal()
        hand.close_bets()
        hand.summary = hand.at
    elif title == "PRE-FLOP":
        hand.preflop = hand.at
    return title in ("HOLE CARDS", "PRE-FLOP", "SHOWDOWN", "SUMMARY")


def _dealt(hand: Hand, line: str) -> bool:
    """Read `Ada: [Ah Th]`: the owner's cards, and others that the room showed when all was over."""
    name, found, shown = line.rpartition(": [")
    cards = read_cards(shown.removesuffix("]")) if found else None
    seat = hand.seat_of(name)
    if not seat or cards is None or hand.hidden is None:
        return False
    own = hand.tags.get("Hero") == seat
    hand.own = hand.own or own
    hand.hidden.append((HoleCardsDealt(seat, cards, how="owner" if own else "after"), hand.at))
    return True


def _end(hand: Hand, facts: header.Facts) -> None:
    """Do what only the whole hand can tell."""
    hand.deal()
    total, rake = (_chips(hand, facts, name) for name in ("Total Pot", "Rake"))
    if hand.summary:
        hand.silent()
    _settle(hand, total, rake or 0)
    if total is not None:
        hand.at = facts.lines["Total Pot"]
        hand.put(ResultDeclared("total-pot", None, total))
    if rake:
        hand.at = facts.lines["Rake"]
        hand.drop("rake", rake)
    if hand.summary:
        hand.at = hand.summary
        hand.put(HandCompleted())


def _chips(hand: Hand, facts: header.Facts, name: str) -> Chips | None:
    return hand.amount(facts[name]) if facts[name] else None


def _settle(hand: Hand, total: Chips | None, rake: Chips) -> None:
    """Conclude the bets that went back: what was paid shows whether one stayed in the pot.

    A pot that everybody else folds to is paid with it; at a showdown it goes back without a word.
    """
    hand.close_bets()
    put_in = sum(hand.put_in)
    whole = hand.paid + rake if hand.paid else total
    hand.return_bets(put_in if whole == put_in else None)
