"""Reading: from the text of one hand to its events, each with its place."""

from __future__ import annotations

from typing import Final

from ledger.account import Account
from ledger.formats.phh import posts
from ledger.formats.phh.course import Course
from ledger.formats.phh.header import Header, header
from ledger.formats.phh.notes import digest, kept
from ledger.formats.phh.scanning import Scanned, Word, amount, scan, strings, unquoted
from ledger.formats.phh.settling import settle
from ledger.formats.phh.words import CHANGED, DIGITS_MAX, DRAW_STREETS, KEPT, SINGLE, STUD_STREETS
from ledger.hand.betting import Folded
from ledger.hand.dealing import (
    BoardDealt,
    CardsDiscarded,
    CardsDrawn,
    DealCompleted,
    HoleCardsDealt,
    StoodPat,
    StreetDealt,
)
from ledger.hand.ending import (
    CardsMucked,
    CardsShown,
    HandCompleted,
    LineUnread,
    PotAwarded,
    RemarkNoted,
    ResultDeclared,
)
from ledger.hand.events import HandEvent
from ledger.hand.opening import BringInPosted
from ledger.people import People
from ledger.vocabulary import Cards, Street

_PLAYERS: Final = {f"p{number}": number - 1 for number in range(1, 65)}
_RIVER: Final[dict[int, Street]] = {0: "flop", 2: "flop", 4: "flop", 6: "turn", 8: "river"}


class Reading:
    """One hand while it is read."""

    __slots__ = (
        "at", "complete", "course", "derived", "end", "events", "found", "head", "pending",
        "people", "places", "to_deal",
    )  # fmt: skip

    def __init__(self, head: Header, found: Scanned, people: People) -> None:
        """Begin to read a hand; `found` says where its fields stand."""
        self.found = found
        self.people = people
        self.head = head
        self.course = Course(head.game, head.seats, head.stacks)
        self.events: list[HandEvent] = []
        self.places: list[int] = []  # start and end, in characters
        self.derived: list[int] = []
        self.at = self.end = 0  # of the action that is being read
        self.to_deal = set(range(len(head.seats)))  # who still lacks the cards of the street
        self.complete = False  # every seat has its first cards
        self.pending = False  # a street's cards came, its StreetDealt did not yet

    # What is put down

    def put(self, event: HandEvent) -> None:
        """Take an event that the piece of text at hand tells."""
        self.events.append(event)
        self.places += (self.at, self.end)

    def conclude(self, event: HandEvent) -> None:
        """Take an event that nothing in the file says, but that follows."""
        self.derived.append(len(self.events))
        self.events.append(event)
        self.places += (self.end, self.end)

    def _put_all(self, events: list[HandEvent], key: str) -> None:
        span = self.found.spans.get(key)
        if span:
            self.at, self.end = self.found.lines[key], span[1]
        for event in events:
            self.put(event)

    # The parts of a hand

    def opening(self) -> None:
        """Read everything before the first action."""
        head, course = self.head, self.course
        first = posts.first_events(head)
        spans, found = self.found.spans, self.found
        self._put_all(first[:1], "hand" if "hand" in spans else "variant")
        self._put_all(first[1:], "variant")
        self._remarks(found.before)
        self._remarks(found.extra)
        seats = posts.seat_events(head, self.people)
        self._put_all(seats, "players" if "players" in spans else "starting_stacks")
        if head.game.kind != "stud":
            self.derived.append(len(self.events) - 1)
        antes = posts.ante_events(head, course)
        self._put_all(antes, "antes")
        if head.trimmed and antes and type(antes[-1]).__name__ == "PostReturned":
            self.derived.append(len(self.events) - 1)
        self._put_all(posts.blind_events(head, course), "blinds_or_straddles")

    def _remarks(self, words: list[Word]) -> None:
        """Take comments, and fields that became no fact of their own."""
        text = self.people.text
        for said, start, end in words:
            self.at, self.end = start, end
            self.put(RemarkNoted(text(_comment(said) if said[0] == "#" else said)))

    def actions(self) -> None:
        """Read the list of actions and the comments in it."""
        start, end = self.found.spans["actions"]
        words, comments = strings(self.found.text, start, end)
        read = self._read
        if not comments:
            for word in words:
                read(word)
            return
        notes = iter([*comments, (len(words) + 1, Word("", 0, 0))])
        count, comment = next(notes)
        for index, word in enumerate(words):
            while count <= index:
                self._toml_comment(comment)
                count, comment = next(notes)
            read(word)
        while count <= len(words):
            self._toml_comment(comment)
            count, comment = next(notes)

    def _toml_comment(self, word: Word) -> None:
        _, self.at, self.end = word
        self.put(RemarkNoted(self.people.text(_comment(word.text))))

    def ending(self) -> None:
        """Conclude what the actions leave open, then read what the file declares."""
        head, course = self.head, self.course
        self._street_complete(now=True)
        declared = head.finishing is not None or head.winnings is not None
        over = course.over()
        if over or declared:
            self._uncalled()
            for event in settle(course, head, over=over):
                self.conclude(event)
            if not over:
                over = any(isinstance(event, PotAwarded) for event in self.events[-8:])
        self._declared()
        self._remarks(self.found.after)
        if over:
            self.conclude(HandCompleted())

    def _declared(self) -> None:
        head = self.head
        if head.finishing is not None:
            self._put_all(
                [ResultDeclared("end-stack", seat, chips)
                 for seat, chips in zip(head.seats, head.finishing, strict=True)],
                "finishing_stacks",
            )  # fmt: skip
        if head.winnings is not None:
            self._put_all(
                [ResultDeclared("winnings", seat, chips)
                 for seat, chips in zip(head.seats, head.winnings, strict=True)],
                "winnings",
            )  # fmt: skip

    # Actions

    def _read(self, word: Word) -> None:
        text, self.at, self.end = word
        if "#" in text:
            self._commented(word)
            return
        if not self.act(text):
            self.put(LineUnread(self.people.text(text)))

    def _commented(self, word: Word) -> None:
        """Read an action with a comment in it, or a comment alone."""
        text, start, end = word
        action, _, rest = text.partition("#")
        if action.strip():
            self.end = start + len(action.rstrip())
            if not self.act(action):
                self.put(LineUnread(self.people.text(action)))
            start = max(start, self.found.text.find("#", start, end))
        self.at, self.end = start, end
        self.put(RemarkNoted(self.people.text(_comment("#" + rest))))

    def act(self, text: str) -> bool:
        """Read an action without a comment; False if it is none."""
        words = text.split()
        count = len(words)
        if count < 2:
            return False
        first, verb = words[0], words[1]
        if first == "d":
            if verb == "dh" and count == 4 and words[2] in _PLAYERS:
                return self._hole(_PLAYERS[words[2]], words[3])
            return verb == "db" and count == 3 and self._board(words[2])
        who = _PLAYERS.get(first, 99)
        course = self.course
        if who >= len(course.seats):
            return False
        if verb in ("cc", "f", "cbr", "pb"):
            if self.pending:
                self._street_complete(now=True)
            return self._bet(who, verb, words)
        if verb == "sm":
            return count <= 3 and self._show(who, words[2] if count == 3 else "")
        if verb == "sd":
            return count <= 3 and self._draw(who, words[2] if count == 3 else "")
        return False

    def _bet(self, who: int, verb: str, words: list[str]) -> bool:
        course = self.course
        if verb == "cbr":
            if len(words) != 3:
                return False
            exponent = self.head.exponent
            number = words[2]
            if number.isdecimal() and number.isascii() and len(number) <= DIGITS_MAX:
                to = int(number) * 10**exponent if exponent else int(number)
            else:
                to = amount(number, exponent, self.at)
            event = course.wager(who, to)
            if event is None:
                return False
            self.put(event)
        elif len(words) != 2:
            return False
        elif verb == "cc":
            self.put(course.call(who))
        elif verb == "f":
            course.live[who] = False
            course.acted.add(who)
            self.put(Folded(course.seats[who]))
        else:
            chips, empty = course.bring(who, self.head.bring_in)
            if not chips:
                return False
            self.put(BringInPosted(course.seats[who], chips, empty))
        return True

    def _board(self, cards: Cards) -> bool:
        course = self.course
        have = len(course.board)
        if not _are_cards(cards):
            return False
        if course.game.kind == "stud" and course.street >= 3:
            self._uncalled()
            course.street = 4
            self.pending = True
            self.put(BoardDealt("seventh", cards))
            course.board += cards
            return True
        if course.game.kind != "board" or have + len(cards) > 10 or have not in _RIVER:
            return False
        if have in (0, 6, 8):
            self._uncalled()
        self.put(BoardDealt(_RIVER[have], cards))
        course.board += cards
        return True

    def _uncalled(self) -> None:
        event = self.course.close()
        if event is not None:
            self.conclude(event)

    def _hole(self, who: int, cards: Cards) -> bool:
        course = self.course
        if who >= len(course.seats) or not _are_cards(cards):
            return False
        kind = course.game.kind
        if who in self.to_deal and not self.complete:
            self._first_cards(who, cards)
        elif kind == "stud":
            self._stud_card(who, cards)
        elif kind == "draw" and who in course.owed:
            course.hole[who] += cards
            course.owed[who] -= len(cards) // 2
            if course.owed[who] <= 0:
                del course.owed[who]
            self.put(CardsDrawn(course.seats[who], cards, "unknown"))
            self._street_complete()
        else:
            course.hole[who] += cards
            self.put(HoleCardsDealt(course.seats[who], cards, "", "unknown"))
        return True

    def _first_cards(self, who: int, cards: Cards) -> None:
        course = self.course
        before = len(course.hole[who])
        hole = course.hole[who] = course.hole[who] + cards
        up = "ddu"[before // 2 :][: len(cards) // 2] if course.game.kind == "stud" else ""
        self.put(HoleCardsDealt(course.seats[who], cards, up, "unknown"))
        if len(hole) >= 2 * course.game.hole:
            self.to_deal.discard(who)
            if not self.to_deal:
                self.complete = True
                self.conclude(DealCompleted())

    def _stud_card(self, who: int, cards: Cards) -> None:
        course = self.course
        if not self.pending:
            self._uncalled()
            course.street += 1
            self.to_deal = {seat for seat, live in enumerate(course.live) if live}
            self.pending = True
        last = course.street >= 4
        course.hole[who] += cards
        up = ("d" if last else "u") * (len(cards) // 2)
        how = "unknown" if last else "dealt-up"
        self.put(HoleCardsDealt(course.seats[who], cards, up, how))
        self.to_deal.discard(who)
        self._street_complete()

    def _draw(self, who: int, cards: Cards) -> bool:
        course = self.course
        if course.game.kind != "draw" or (cards and not _are_cards(cards)):
            return False
        if not self.pending:
            self._uncalled()
            course.street += 1
            self.to_deal = {seat for seat, live in enumerate(course.live) if live}
            self.pending = True
        seat = course.seats[who]
        self.to_deal.discard(who)
        if cards:
            course.discard(who, cards)
            course.owed[who] = course.owed.get(who, 0) + len(cards) // 2
            self.put(CardsDiscarded(seat, len(cards) // 2, cards))
        else:
            self.put(StoodPat(seat))
            self._street_complete()
        return True

    def _street_complete(self, *, now: bool = False) -> None:
        """Conclude that a street of stud or draw is dealt: all have it, or the play goes on."""
        course = self.course
        if self.pending and (now or not (self.to_deal or course.owed)):
            self.pending = False
            self.to_deal = set()
            names = STUD_STREETS if course.game.kind == "stud" else DRAW_STREETS
            if course.street < len(names):
                self.conclude(StreetDealt(names[course.street]))

    def _show(self, who: int, cards: Cards) -> bool:
        course = self.course
        seat = course.seats[who]
        if not cards:
            course.mucked.add(who)
            self.put(CardsMucked(seat))
            return True
        if cards == "-":
            cards = course.hole[who] or "??" * course.game.hole
        elif not _are_cards(cards):
            return False
        course.shown[who] = cards
        self.put(CardsShown(seat, cards))
        return True


def _comment(words: str) -> str:
    """Return what a comment says: its text without the hash and one blank."""
    return words[2:] if words.startswith("# ") else words[1:] or "#"


_GOOD: Final[set[Cards]] = set()


def _are_cards(cards: Cards) -> bool:
    """Whether `cards` is one card or more and nothing else; the usual ones are remembered."""
    if cards in _GOOD:
        return True
    if not cards or len(cards) > 104:
        return False
    for at in range(0, len(cards), 2):
        if cards[at : at + 2] not in SINGLE:
            return False
    if len(_GOOD) < 20000:
        _GOOD.add(cards)
    return True


def read_hand(text: str, begin: int, people: People) -> Account:
    """Return the account of the hand in `text`, places in characters; `UnreadableHandError` if none."""
    found = scan(text, begin)
    if KEPT in found.spans:
        account = _kept(found, people)
        if account is not None:
            return account
    reading = Reading(header(found), found, people)
    reading.opening()
    reading.actions()
    reading.ending()
    return Account(reading.events, reading.places, 0, len(text), reading.derived)


def _kept(found: Scanned, people: People) -> Account | None:
    """Return the account that our own field keeps; None where the other fields were changed since."""
    start, end = found.spans.pop(KEPT)
    said = unquoted(found.text, start, end)
    tie, _, words = said.partition(" ")
    if tie != digest({key: found.text[slice(*span)] for key, span in found.spans.items()}):
        found.before.append(Word("# " + CHANGED, found.lines[KEPT], end))
        return None
    events = kept(words, people, start)
    return Account(events, [found.lines[KEPT], end] * len(events), 0, len(found.text))
