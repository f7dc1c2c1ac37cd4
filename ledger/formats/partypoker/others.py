"""Lines that are no plain act: headings, the deal, chat, the summary, news of the tournament."""

from __future__ import annotations

from typing import Final

from ledger.formats.partypoker.acts import AMOUNT_ACTS, BEGINNINGS, PLAIN_ACTS, WORDS, remark
from ledger.formats.partypoker.hand import Hand, cards
from ledger.formats.partypoker.words import BOARD_STREETS, DEALS, HAND_STREETS, STUD
from ledger.hand.betting import CashOutTaken, TimeWarned
from ledger.hand.dealing import DealCompleted, HoleCardsDealt, HoleCardsLearned
from ledger.hand.ending import CardsMucked, CardsShown, PlayerFinished, RemarkNoted, ResultDeclared
from ledger.hand.opening import StraddlePosted
from ledger.presence import PlayerAway, SeatLeft, WordsSaid
from ledger.readers import amounts
from ledger.vocabulary import Chips, Seat

_LONGEST_NAME: Final = 25
_KNOWN_PREFIXES: Final = ("Game #", "#Game No", ">", "There is no qualifying", "There was no qualifying", "Creating ")
"""How lines begin that say nothing of this hand, or what its summary says again."""
_KNOWN_INITIALS: Final = frozenset(prefix[0] for prefix in _KNOWN_PREFIXES)


def with_amount(hand: Hand, line: str, bracket: str) -> bool:
    """Tell an act with an amount in brackets at its end; False where it is none."""
    head, _, amount = line[:-1].rpartition(bracket)
    name, _, word = head.rstrip().rpartition(" ")
    for words, act in AMOUNT_ACTS.get(word, ()):
        if name.endswith(words):
            who = name[: len(name) - len(words)]
            seat = hand.seats.get(who)
            if seat is None:
                if _said(hand, who):
                    return False
                seat = hand.who(who)
            if seat:
                value = hand.amount(amount)
                act(hand, seat, value)
                hand.remember(who, line, act, value)
                hand.last = seat
                return True
    return False


def _said(hand: Hand, text: str) -> bool:
    """Tell whether a line is chat: a seated player's name and a colon."""
    return ": " in text and any(text.startswith(name + ":") for name in hand.seats)


# -- headings ---------------------------------------------------------------------------------------


def heading(hand: Hand, line: str, k: int, after: int) -> bool:
    """Read `** Dealing Flop ** [ 4h, 4s, Jh ]`, `** Dealing down cards **`, `** Summary **`."""
    title, _, rest = line[2:].partition("**")
    what = title.strip().lower().removeprefix("dealing").lstrip()
    street = BOARD_STREETS.get(what)
    if street and "[" in rest and (board := cards(rest.strip(" :[]"))):
        hand.board(street, board)
    elif what in DEALS and not rest.strip(" :"):
        _deal(hand, k, after)
    elif what == "summary":
        hand.close_bets()
        hand.summary = True
        hand.ended = k
    elif what in HAND_STREETS and hand.game.variant in STUD:
        hand.deal_street(HAND_STREETS[what])
    else:
        return False
    return True


def _deal(hand: Hand, k: int, after: int) -> None:
    """Read the first deal, and conclude the blinds that tournaments leave out."""
    if hand.game.variant in STUD:
        hand.street = "third"
    elif len(hand.game.blinds) > 1 and not hand.small and not hand.big:
        _silent_blinds(hand, k, after)
    hand.dealt_at = len(hand.events)
    if hand.big and not any(isinstance(event, StraddlePosted) for event in hand.events):
        hand.last = hand.big  # who sits behind the big blind is next, whoever posted last
    text = hand.places.text  # type: ignore[attr-defined]  # the places are lines
    at = k + 1
    while at < after and text[at].startswith("Dealt to "):
        hand.at = at
        dealt(hand, text[at].strip())
        at += 1
    hand.read_up_to = at
    hand.at = k
    hand.put(DealCompleted())


def _silent_blinds(hand: Hand, k: int, after: int) -> None:
    """Conclude both blinds from who acts first: the big blind sits before, the small one before that."""
    text = hand.places.text  # type: ignore[attr-defined]  # the places are lines
    playing: set[Seat] = set()
    first: Seat = 0
    for line in text[k + 1 : after]:
        if line.startswith("Dealt to "):
            continue
        for name in hand.named(line):
            seat = hand.seats[name]
            playing.add(seat)
            acts = line[len(name) + 1 :].startswith(_FIRST_ACTS)
            first = first or (seat if acts else 0)
    if len(playing) < 2 or not first:
        return
    ring = sorted(playing)
    at = ring.index(first)
    small, big = ring[at - 2], ring[at - 1]
    for seat, role, blind in ((small, "small", hand.game.blinds[0]), (big, "big", hand.game.blinds[-1])):
        live = min(blind, max(0, (hand.stacks[seat] or blind) - hand.put_in[seat]))
        hand.derived.append(len(hand.events))
        hand.post(seat, role, live)  # type: ignore[arg-type]  # both are roles
    hand.blind = hand.game.blinds[-1]
    hand.level = hand.blind  # a short blind is called as a whole one
    hand.small, hand.last = small, big


_FIRST_ACTS: Final = ("folds", "calls", "raises", "is all-In", "is all-in", "checks", "bets")


def dealt(hand: Hand, line: str) -> None:
    """Read `Dealt to Name [  Kh 4c ]`: hole cards, or a street's card of stud; none that are hidden."""
    if line[9:].strip() in hand.seats:
        return
    name, _, rest = line[9:].rpartition("[")
    seat = hand.seats.get(name.strip())
    found = cards(rest.rstrip(" ]"))
    if seat is None or not found:
        hand.unread(line)
        return
    hand.own = True
    hand.hero = seat
    up = ""
    if hand.game.variant in STUD:
        up = {"third": "ddu", "seventh": "d"}.get(hand.street, "u")
        if len(up) != len(found) // 2:
            hand.unread(line)
            return
    hand.put(HoleCardsDealt(seat, found, up))


# -- all other lines --------------------------------------------------------------------------------


def other(hand: Hand, line: str) -> None:
    """Read a line of any other kind."""
    if hand.summary and _summary(hand, line):
        return
    behind = _glued(hand, line)
    if behind:
        other(hand, line[: -len(behind) - 1])
        other(hand, behind)
        return
    name, _, rest = line.partition(" ")
    seat = hand.seats.get(name, 0)
    if seat and hand.plain():
        word, _, more = rest.partition(" ")
        if word in WORDS and WORDS[word](hand, seat, more):
            return
    if line.startswith("Dealt to "):
        dealt(hand, line)
        return
    if line[:1] in _KNOWN_INITIALS and line.startswith(_KNOWN_PREFIXES):
        if line[0] == ">" or line.startswith("There"):
            remark(hand, 0)
        return
    for name in hand.named(line):
        if _named(hand, hand.seats[name], line[len(name) :], name):
            return
    if not (_stranger(hand, line) or _finished(hand, line) or _notice(hand, line)):
        hand.unread(line)


def _named(hand: Hand, seat: Seat, rest: str, name: str) -> bool:
    """Read what follows a seated player's name."""
    if rest[:1] == ":":
        hand.put(WordsSaid(hand.people.text(rest[1:].strip()), seat, hand.player(name)))
        return True
    if rest[:1] != " ":
        return False
    rest = rest.strip().rstrip(".")
    plain = PLAIN_ACTS.get(rest)
    if plain is not None:
        plain(hand, seat)
        if rest in _OFTEN:
            hand.remember(name, f"{name} {rest}", plain)
        return True
    if rest.startswith("does not show cards."):
        PLAIN_ACTS["does not show cards"](hand, seat)
        other(hand, rest.partition(".")[2])
        return True
    if rest.startswith("raises ") and _raises_to(hand, seat, rest[7:]):
        return True
    word, _, more = rest.partition(" ")
    if word not in WORDS and word[:5] == "shows":
        word, more = "shows", rest[5:]
    reader = WORDS.get(word)
    if reader is not None:
        return reader(hand, seat, more)
    for beginning, told in BEGINNINGS:
        if rest.startswith(beginning):
            told(hand, seat)
            return True
    return False


def _glued(hand: Hand, line: str) -> str:
    """Return the line of another winner that some files write right behind the stop of one; "" = none."""
    if line.count(" wins ") < 2 or not any(line.startswith(f"{name} wins ") for name in hand.seats):
        return ""  # what somebody says may look like it
    starts = [at for name in hand.seats if (at := line.find(f".{name} wins ")) >= 0]
    return line[min(starts) + 1 :] if starts else ""


_OFTEN: Final = frozenset(("folds", "checks", "does not show cards"))


def _raises_to(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `0.06 to 0.08`: the second number is the street's total."""
    added, word, to = rest.partition(" to ")
    if not word:
        return False
    hand.amount(added.strip("[]() "))
    hand.raise_to(seat, hand.amount(to.strip("[]() ")))
    hand.last = seat
    return True


def _stranger(hand: Hand, line: str) -> bool:
    """Read a line about somebody who has no seat in the list."""
    for words in (" has joined the table", " has left the table", " is sitting out"):
        if line.endswith(words):
            name = line[: -len(words)]
            if words == " has left the table":
                hand.put(SeatLeft(None, hand.player(name), "left"))
            elif words == " is sitting out":
                hand.put(PlayerAway(None, hand.player(name), why="sits-out"))
            else:
                remark(hand, 0)
            return True
    name, colon, words = line.partition(": ")
    if colon and 0 < len(name) <= _LONGEST_NAME:
        # Somebody who watches may talk too.
        hand.put(WordsSaid(hand.people.text(words), None, hand.player(name)))
        return True
    for words in _TURNS:
        if line.endswith(words):
            name = line[: -len(words)]
            seat = hand.who(name)
            if seat:
                PLAIN_ACTS[words.strip()](hand, seat)
                hand.last = seat
            return bool(seat)
    return False


_TURNS: Final = (
    " folds",
    " checks",
    " did not respond in time",
    " could not respond in time",
    " could not respond in time.(disconnected)",
    " will be using their time bank for this hand",
    " will be using his time bank for this hand",
    " will be using her time bank for this hand",
)
"""What only who is next to act is told to do, also without a seat in the list."""


def _finished(hand: Hand, line: str) -> bool:
    """Read `Player Name finished in 3 place and received $5 USD` and who won the tournament."""
    if line.startswith("Congratulations to player "):
        name = line[26:].rpartition(" for winning tournament")[0]
        seat = hand.seats.get(name)
        if seat is not None:
            hand.put(PlayerFinished(seat, 1))
        return seat is not None
    name, word, rest = line.removeprefix("Player ").rpartition(" finished in ")
    seat = hand.seats.get(name)
    if not word or seat is None:
        return False
    rank, _, prize = rest.partition(" and received ")
    digits = rank.split(" ")[0].rstrip(".stndrh")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 9:
        return False
    received = amounts.maybe(_price(prize), 2) if prize else None
    hand.put(PlayerFinished(seat, int(digits), received))
    return True


def _price(text: str) -> str:
    return text.strip().rstrip(".").removesuffix("USD").removesuffix("EUR").strip()


def _notice(hand: Hand, line: str) -> bool:
    """Read a notice of the client to the player whose file this is."""
    if line.startswith("Your time bank will be activated in "):
        digits = line[36:].split(" ", maxsplit=1)[0]
        if hand.hero and digits.isascii() and digits.isdigit() and len(digits) < 5:
            hand.put(TimeWarned(hand.hero, int(digits)))
        else:
            remark(hand, 0)
        return True
    if line.startswith(("You have ", "Your ", "Table ", "Trny", "Blinds", "The hand history for ")):
        remark(hand, 0)
        return True
    return False


# -- the summary ------------------------------------------------------------------------------------


def _summary(hand: Hand, line: str) -> bool:
    """Read a line of the summary; False where it is none."""
    hand.ended = hand.at
    if line.startswith("Board:"):
        found = cards(line[6:].strip(" []"))
        if found:
            hand.put(ResultDeclared("board", cards=found))
        return bool(found)
    if line.startswith("Main Pot:"):
        return _pots(hand, line)
    line = line.replace(" Cashed out  balance ", " balance ", 1)  # the price has a line of its own
    for name in hand.by_length():
        if line.startswith(name + " balance "):
            return _balance(hand, hand.seats[name], line[len(name) + 9 :])
    return False


def _pots(hand: Hand, line: str) -> bool:
    """Read `Main Pot: $4 Side Pot 1: $3 Rake: $0.20`."""
    label: list[str] = []
    for word in line.split():
        if not any(one.isdigit() for one in word) or word.endswith(":"):
            label.append(word)
            continue
        if not label or not label[-1].endswith(":"):
            label.append(word)
            continue
        name = " ".join(label).lower()
        amount = hand.amount(word)
        if name == "rake:":
            hand.drop("rake", amount)
        elif name.startswith("jackpot"):
            hand.drop("jackpot", amount)
        elif name == "main pot:":
            hand.put(ResultDeclared("main-pot", None, amount))
        elif name.startswith("side pot"):
            digits = name.strip(":").rpartition(" ")[2]
            number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 3 else 1
            hand.put(ResultDeclared("side-pot", None, amount, "", number))
        else:
            return False
        label = []
    return not label


def _balance(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `$0.96, bet $0.21, collected $0.31, net +$0.1[ Kc, As ] [ a flush -- As … ]`."""
    words, bracket, shown = rest.partition("[")
    balance, *parts = words.strip().rstrip(".").split(", ")
    hand.put(ResultDeclared("end-stack", seat, hand.amount(balance)))
    known = True
    for part in parts:
        known = _part(hand, seat, part.strip()) and known
    if bracket:
        held, _, claim = shown.partition("]")
        known = _held(hand, seat, held, claim) and known
    return known


def _part(hand: Hand, seat: Seat, part: str) -> bool:
    """Read one part of a balance."""
    word, _, amount = part.removesuffix("(folded)").strip().partition(" ")
    if word == "collected" and any(isinstance(one, CashOutTaken) and one.seat == seat for one in hand.events):
        return True  # the price, which the house pays: whose hand was sold gets nothing of the pot
    if word == "collected":
        hand.award(seat, hand.amount(amount))
    elif word == "lost":
        hand.put(ResultDeclared("net", seat, -hand.amount(amount)))
    elif word == "net":
        net: Chips = hand.amount(amount.strip().lstrip("+-"))
        hand.put(ResultDeclared("net", seat, -net if amount.strip().startswith("-") else net))
    elif part == "sits out":
        hand.left_out(seat, "sitting-out", told=True)
    elif word.lower() == "cashed":
        return WORDS["cashed"](hand, seat, amount.removeprefix("out").replace("balance", "for"))
    elif word != "bet" and part not in ("didn't bet (folded)", "didn't bet"):
        return False
    return True


def _held(hand: Hand, seat: Seat, held: str, claim: str) -> bool:
    found = cards(held)
    if not found:
        return False
    told = any(
        isinstance(event, CardsShown | CardsMucked) and event.seat == seat and event.cards == found
        for event in hand.events
    )
    if not told:
        hand.put(HoleCardsLearned(seat, found))
    words = claim.strip(" []").partition(" -- ")[0]
    if words:
        hand.put(RemarkNoted(hand.people.text(words)))
        hand.claimed.add(seat)
    return True
