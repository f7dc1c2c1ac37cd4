"""Where a parser stands in the tokens of a line, and the small words every phrase is made of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ledger.formats.handscript.notes.statements import NotedAmount, Ref
from ledger.formats.handscript.notes.table_words import ME, POSITIONS, PRONOUNS, VERBS
from ledger.formats.handscript.notes.tokenizer import Token, cards_of, figure

SEPARATORS: Final = frozenset(",;./|:-&+()[]!>")
JOINING: Final = frozenset(("and", "then", "who", "so", "now", "&", "vs", "v", "versus", "against"))
SEAT_MOST: Final = 12
_SEAT: Final = re.compile(r"seat|s\d{1,2}")


class TokenCursor:
    """Tokens and a position in them."""

    def __init__(self, tokens: Sequence[Token], seats: frozenset[int]) -> None:
        self.tokens = tokens
        self.at = 0
        self.playing = False  # the cards are out: a number behind a position is no post
        self.seats = seats  # numbers that are seats of this table

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return self.at >= len(self.tokens)

    def peek(self, ahead: int = 0) -> Token | None:
        """Return a token without taking it."""
        index = self.at + ahead
        return self.tokens[index] if 0 <= index < len(self.tokens) else None

    def low(self, ahead: int = 0) -> str:
        """Return a token in small letters, "" at the end, and for names and quoted texts."""
        token = self.peek(ahead)
        return token.low if token is not None and token.kind not in ("name", "text") else ""

    def take(self, *words: str) -> bool:
        """Take these words if they stand here, one after another."""
        if all(self.low(ahead) == word for ahead, word in enumerate(words)):
            self.at += len(words)
            return True
        return False

    def take_any(self, words: frozenset[str] | tuple[str, ...]) -> str:
        """Take one of these words; "" if none stands here."""
        word = self.low()
        if word and word in words:
            self.at += 1
            return word
        return ""

    def skip(self, *words: str) -> None:
        """Skip any of these words."""
        while self.low() in words and not self.done:
            self.at += 1

    def separators(self, *, joining: bool = True) -> bool:
        """Skip what parts two statements; whether there was any."""
        begin = self.at
        while not self.done and (self._is_mark() or (joining and self.low() in JOINING)):
            self.at += 1
        return self.at > begin

    def _is_mark(self) -> bool:
        token = self.peek()
        return token is not None and token.kind == "mark" and token.text in SEPARATORS

    def at_separator(self) -> bool:
        """Whether the line ends here, or something parts what follows."""
        return self.done or self._is_mark() or self.low() in JOINING

    def at_next(self) -> bool:
        """Whether something else begins here: behind a mark, or with a player."""
        token = self.peek()
        return self.at_separator() or (
            token is not None and (token.kind == "name" or _SEAT.fullmatch(token.low) is not None)
        )

    # Values

    def begins_act(self) -> bool:
        """Whether a seat and what it does stand here, as in `5 c 8 f`."""
        return self.low() in map(str, self.seats) and self.low(1) in VERBS

    def amount(self) -> NotedAmount | None:
        """Take an amount, also in parentheses."""
        begin = self.at
        if self.begins_act():
            return None
        opened = self.take("(")
        self.skip("$")
        token = self.peek()
        found = figure(token) if token is not None and not self._is_glued(token) else None
        if found is None:
            self.at = begin
            return None
        self.at += 1
        self.skip("chips", "dollars", "bucks", "total")
        if opened and not self.take(")"):
            self.at = begin
            return None
        return found

    def _is_glued(self, token: Token) -> bool:
        """Whether a token is a seat and its act: `2c` is seat 2 that calls, `25c` a quarter."""
        digits = token.low.rstrip("c")
        return token.low.endswith("c") and digits.isdecimal() and int(digits) in self.seats

    def cards(self, most: int = 7) -> list[str]:
        """Take cards, also with commas and brackets between; nothing if there are none, or more."""
        begin, found = self.at, list[str]()
        while not self.done and len(found) < most:
            mark = self.at
            while self.low() in ("[", "]", "(", ")", ",", "-", "/"):
                self.at += 1
            token = self.peek()
            piece = cards_of(token.text) if token is not None and token.kind in ("word", "number") else []
            if token is not None and token.kind == "number" and token.text == "10" and not piece:
                piece = self._ten()
            if not piece or len(found) + len(piece) > most:
                self.at = mark
                break
            found += piece
            self.at += 1
        if found:
            self.skip("]")
            return found
        self.at = begin
        return []

    def _ten(self) -> list[str]:
        following = self.peek(1)
        piece = cards_of("10" + following.text) if following is not None else []
        self.at += bool(piece)
        return piece

    # Whom

    def ref(self) -> Ref | None:
        """Take one player: a name, a seat, a position, `he`."""
        begin = self.at
        bracket = self.take("[")
        token = self.peek()
        if token is None:
            self.at = begin
            return None
        found = self._named(token) or self._numbered()
        if found is None:
            self.at = begin
            return None
        if bracket:
            self.take("]")
        return found

    def _named(self, token: Token) -> Ref | None:
        if token.kind == "name":
            self.at += 1
            self._own_seat()
            return Ref("name", token.low)
        if token.low in PRONOUNS:
            self.at += 1
            return Ref("pronoun", token.text)
        if token.low in ME and token.kind == "word":
            self.at += 1
            return Ref("me", token.text)
        begin = self.at
        self.take("the")
        if (
            self.low() in ("small", "big")
            and self.low(1) == "blind"
            and (self.low(2) in VERBS or self.low(2) in ("who", ""))
        ):
            found = Ref("position", self.low())
            self.at += 2
            return found
        if (word := self.low()) in POSITIONS and self.low(1) not in ("at", "is", "on", "seat", "stays", ":"):
            following = self.peek(1)
            is_sized = self.playing or POSITIONS[word] not in ("button", "small", "big")
            if (
                following is None
                or following.kind not in ("number", "name")
                or (is_sized and following.kind == "number")
            ):
                self.at += 1
                return Ref("position", POSITIONS[word])
        self.at = begin
        return None

    def _own_seat(self) -> None:
        """Skip the seat that stands behind a name: `Ana (seat 1)`."""
        begin = self.at
        if self.take("(") and self.take("seat") and self.seat_number() and self.take(")"):
            return
        self.at = begin

    def _numbered(self) -> Ref | None:
        begin = self.at
        if self.take("seat") or self.take("player"):
            self.skip("no", "#", ".")
            number = self.seat_number()
        elif self.low()[:1] == "s" and self.low()[1:].isdecimal():
            number = int(self.low()[1:])
            self.at += 1
        else:
            number = self.seat_number() if self.low().isdecimal() and int(self.low()) in self.seats else 0
        if not 0 < number <= SEAT_MOST:
            self.at = begin
            return None
        own = self.at
        token = self.peek(1)
        if self.take("(") and token is not None and token.kind == "name":  # seat 5 (Gomez)
            self.at += 1
            if self.take(")"):
                return Ref("seat", str(number), number)
        self.at = own
        if (named := self.peek()) is not None and named.kind == "name" and self.at > begin:
            self.at += 1  # seat 5 Gomez
            return Ref("name", named.low, number)
        return Ref("seat", str(number), number)

    def seat_number(self) -> int:
        """Take a seat's number; 0 if there is none."""
        text = self.low()
        if text.isdecimal() and 0 < int(text) <= SEAT_MOST:
            self.at += 1
            return int(text)
        return 0

    def refs(self) -> list[Ref]:
        """Take the players of one act: `2, 3 and 4`."""
        begin = self.at
        several = self.take("seats")
        found: list[Ref] = []
        while True:
            mark = self.at
            if found:
                while self.low() in (",", "and", "&", "/", "-") and self.low():
                    self.at += 1
            apart = self.at
            one = self._listed_seat() if several else self.ref()
            adjacent = bool(found) and mark == apart
            if one is None or (adjacent and not self._are_numbers(apart)):
                self.at = mark  # without a comma only numbers follow each other: 2 3 show
                break
            found.append(one)
        if not found:
            self.at = begin
        return found

    def _are_numbers(self, index: int) -> bool:
        """Whether two bare numbers stand beside each other."""
        return all(self.tokens[at].low.isdecimal() for at in (index - 1, index))

    def _listed_seat(self) -> Ref | None:
        number = self.seat_number()
        return Ref("seat", str(number), number) if number else self.ref()
