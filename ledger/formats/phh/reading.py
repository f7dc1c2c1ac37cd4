"""Reading: from the text of one hand to its events, each with its place."""

from __future__ import annotations

import re
from typing import Final

from ledger.account import Account
from ledger.errors import UnreadableHandError
from ledger.formats.phh import posts
from ledger.formats.phh.course import Course
from ledger.formats.phh.header import Header, header
from ledger.formats.phh.notes import digest, kept
from ledger.formats.phh.scanning import Scanned, Word, amount, plain_strings, scan, strings, unquoted
from ledger.formats.phh.settling import settle
from ledger.formats.phh.words import CHANGED, DRAW_STREETS, KEPT, STUD_STREETS
from ledger.hand.betting import Folded
from ledger.hand.dealing import (
    BoardDealt,
    CardsDiscarded,
    CardsDrawn,
    DealCompleted,
    HoleCardsDealt,
    HowKnown,
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
from ledger.hand.opening import PostReturned
from ledger.people import People
from ledger.vocabulary import Cards, Street

CARDS: Final = re.compile(r"(?:[2-9TJQKA][cdhs]|\?\?){1,52}").fullmatch
_PLAYERS: Final = {f"p{number}": number - 1 for number in range(1, 65)}
_PLAIN: Final = {
    f"{player} {verb}": (number, verb == "f") for player, number in _PLAYERS.items() for verb in ("f", "cc")
}
"""Half of all actions, as nearly every file writes them: who, and whether it is a fold."""
_RIVER: Final[dict[int, Street]] = {0: "flop", 2: "flop", 4: "flop", 6: "turn", 8: "river"}


class Reading:
    """One hand while it is read."""

    __slots__ = (
        "at",
        "complete",
        "course",
        "derived",
        "end",
        "events",
        "found",
        "head",
        "pending",
        "people",
        "places",
        "to_deal",
    )

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

    def derive(self, event: HandEvent) -> None:
        """Take an event that nothing in the file says, but that follows."""
        self.derived.append(len(self.events))
        self.events.append(event)
        self.places += (self.end, self.end)

    def _put_all(self, events: list[HandEvent], key: str) -> None:
        span = self.found.spans.get(key)
        if span:
            self.at, _, self.end = span
        self.events += events
        self.places += (self.at, self.end) * len(events)

    # The parts of a hand

    def opening(self) -> None:
        """Read everything before the first action."""
        head, course = self.head, self.course
        spans, found = self.found.spans, self.found
        self._put_all([posts.opened_event(head)], "hand" if "hand" in spans else "variant")
        self._put_all(posts.game_events(head), "variant")
        if found.before:
            self._remarks(found.before)
        if found.extra:
            self._remarks(found.extra)
        seats = posts.seat_events(head, self.people)
        self._put_all(seats, "players" if "players" in spans else "starting_stacks")
        if head.game.kind != "stud":
            self.derived.append(len(self.events) - 1)
        if any(head.antes):
            antes = posts.ante_events(head, course)
            self._put_all(antes, "antes")
            if antes and isinstance(antes[-1], PostReturned):
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
        _, start, end = self.found.spans["actions"]
        pieces = plain_strings(self.found.values["actions"])
        if pieces is None:
            self._mixed(*strings(self.found.text, start, end))
            return
        act = self.act
        at = start + 2
        for text in pieces:
            self.at = at
            self.end = at = at + len(text)
            if not act(text):
                self._odd((text, self.at, at))
            at += 4

    def _mixed(self, words: list[Word], comments: list[tuple[int, Word]]) -> None:
        """Read actions with comments of TOML between them."""
        notes = iter([*comments, (len(words) + 1, ("", 0, 0))])
        count, comment = next(notes)
        for index, word in enumerate([*words, None]):
            while count <= index:
                self._remarks([comment])
                count, comment = next(notes)
            if word is not None:
                text, self.at, self.end = word
                if not self.act(text):
                    self._odd(word)

    def ending(self) -> None:
        """Conclude what the actions leave open, then read what the file declares."""
        head, course = self.head, self.course
        if self.pending:
            self._street_complete(now=True)
        declared = head.finishing is not None or head.winnings is not None
        over = course.over()
        if over or declared:
            self._uncalled()
            for event in settle(course, head, over=over):
                self.derive(event)
            if not over:
                over = any(isinstance(event, PotAwarded) for event in self.events[-8:])
        self._declared()
        if self.found.after:
            self._remarks(self.found.after)
        if over:
            self.derive(HandCompleted())

    def _declared(self) -> None:
        head = self.head
        if head.finishing is not None:
            self._put_all(
                [
                    ResultDeclared("end-stack", seat, chips)
                    for seat, chips in zip(head.seats, head.finishing, strict=True)
                ],
                "finishing_stacks",
            )
        if head.winnings is not None:
            self._put_all(
                [
                    ResultDeclared("winnings", seat, chips)
                    for seat, chips in zip(head.seats, head.winnings, strict=True)
                ],
                "winnings",
            )

    # Actions

    def _odd(self, word: Word) -> None:
        """Read an action with a comment in it, a comment alone, or what is neither."""
        text, start, end = word
        action, hash_sign, rest = text.partition("#")
        if action.strip():
            self.end = start + len(action.rstrip())
            if not hash_sign or not self.act(action):
                self.put(LineUnread(self.people.text(action)))
            start = max(start, self.found.text.find("#", start, end))
        if hash_sign:
            self.at, self.end = start, end
            self.put(RemarkNoted(self.people.text(_comment("#" + rest))))

    def act(self, text: str) -> bool:
        """Read an action without a comment; False if it is none."""
        plain = _PLAIN.get(text)
        if plain is None:
            return self._act(text.split())
        who, folds = plain
        course = self.course
        if who >= len(course.seats):
            return False
        if self.pending:
            self._street_complete(now=True)
        if folds:
            course.live[who] = False
            course.acted.add(who)
            self.events.append(Folded(course.seats[who]))
        else:
            self.events.append(course.call(who))
        self.places += (self.at, self.end)
        return True

    def _act(self, words: list[str]) -> bool:
        """Read any action, word by word."""
        count = len(words)
        if count < 2:
            return False
        verb = words[1]
        if words[0] == "d":
            if not CARDS(words[-1]):
                return False
            if verb == "dh" and count == 4:
                return self.hole(words[2], words[3])
            return verb == "db" and count == 3 and self._board(words[2])
        who = _PLAYERS.get(words[0], 99)
        if who >= len(self.course.seats):
            return False
        if (verb == "cbr" and count == 3) or (verb == "pb" and count == 2):
            if self.pending:
                self._street_complete(now=True)
            event = self._wager(who, words[2]) if verb == "cbr" else self.course.bring(who, self.head.bring_in)
            if event is None:
                return False
            self.put(event)
            return True
        if verb == "sm" and count <= 3:
            return self._show(who, words[2] if count == 3 else "")
        if verb == "sd" and count <= 3:
            return self._draw(who, words[2] if count == 3 else "")
        return count == 2 and verb in ("f", "cc") and self.act(f"{words[0]} {verb}")

    def _wager(self, who: int, number: str) -> HandEvent | None:
        try:
            to = amount(number, self.head.exponent)
        except UnreadableHandError as error:
            error.at = self.at
            raise
        return self.course.wager(who, to)

    def _board(self, cards: Cards) -> bool:
        course = self.course
        have = len(course.board)
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
            self.derive(event)

    def hole(self, player: str, cards: Cards) -> bool:
        """Take cards dealt to a player, named as in an action; False if there is none such."""
        course = self.course
        who = _PLAYERS.get(player, 99)
        if who >= len(course.seats):
            return False
        kind = course.game.kind
        if not self.complete and who in self.to_deal:
            hole = course.hole[who] = course.hole[who] + cards
            up = ""
            if kind == "stud":
                up = "ddu"[(len(hole) - len(cards)) // 2 :][: len(cards) // 2]
            self.events.append(HoleCardsDealt(course.seats[who], cards, up, "unknown"))
            self.places += (self.at, self.end)
            if len(hole) >= 2 * course.game.hole:
                self.to_deal.discard(who)
                if not self.to_deal:
                    self.complete = True
                    self.derive(DealCompleted())
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
        how: HowKnown = "unknown" if last else "dealt-up"
        self.put(HoleCardsDealt(course.seats[who], cards, up, how))
        self.to_deal.discard(who)
        self._street_complete()

    def _draw(self, who: int, cards: Cards) -> bool:
        course = self.course
        if course.game.kind != "draw" or (cards and not CARDS(cards)):
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
                self.derive(StreetDealt(names[course.street]))

    def _show(self, who: int, cards: Cards) -> bool:
        course = self.course
        seat = course.seats[who]
        if not cards:
            course.mucked.add(who)
            self.put(CardsMucked(seat))
            return True
        if cards == "-":
            cards = course.hole[who] or "??" * course.game.hole
        elif not CARDS(cards):
            return False
        course.shown[who] = cards
        self.put(CardsShown(seat, cards))
        return True


def _comment(words: str) -> str:
    """Return what a comment says: its text without the hash and one blank."""
    return words[2:] if words.startswith("# ") else words[1:] or "#"


def read_hand(text: str, begin: int, people: People) -> Account:
    """Return the account of the hand in `text`, places in characters; `UnreadableHandError` if none."""
    found = scan(text, begin)
    if KEPT in found.values:
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
    said = unquoted(found.values.pop(KEPT))
    start, _, end = found.spans.pop(KEPT)
    tie, _, words = said.partition(" ")
    if tie != digest(found.values):
        found.before.append(("# " + CHANGED, start, end))
        return None
    events = kept(words, people, start)
    return Account(events, [start, end] * len(events), 0, len(found.text))
