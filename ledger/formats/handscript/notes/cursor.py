"""A cursor over a line's tokens, and the parts that all phrases share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ledger.formats.handscript.notes.statements import NotedAmount, Ref
from ledger.formats.handscript.notes.table_words import POSITIONS, PRONOUNS, VERBS, WRITER_WORDS
from ledger.formats.handscript.notes.tokenizer import Token, parse_figure, split_cards_word

SEPARATORS: Final = frozenset(",;./|:-&+()[]!>")
JOINING: Final = frozenset(("and", "then", "but", "who", "so", "now", "&", "vs", "v", "versus", "against"))
SEAT_MOST: Final = 12
_SEAT_WORD: Final = re.compile(r"seat|[sp]\d{1,2}")


def index_phrases(phrases: Iterable[tuple[str, ...]]) -> dict[str, list[tuple[str, ...]]]:
    """Index phrases by their first words."""
    by_first_word: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases:
        by_first_word.setdefault(phrase[0], []).append(phrase)
    return by_first_word


class TokenCursor:
    """Walks through the tokens of a line."""

    def __init__(self, tokens: Sequence[Token], seats: frozenset[int]) -> None:
        self.tokens = tokens
        self.lows = ["" if token.kind in ("name", "text") else token.low for token in tokens]
        self.position = 0
        self.playing = False  # cards are dealt: a number after a position isn't a post
        self.seats = seats  # seat numbers at this table
        # What was read where, and where it ended: a line is tried in many ways, and a long list from each of its players.
        self._refs_by_start: dict[tuple[int, bool], tuple[Ref | None, int]] = {}
        self._lists_by_start: dict[tuple[int, bool], tuple[list[Ref], int]] = {}

    @property
    def at_end(self) -> bool:
        """Whether all tokens are taken."""
        return self.position >= len(self.tokens)

    def peek(self, offset: int = 0) -> Token | None:
        """Return a token without taking it."""
        index = self.position + offset
        return self.tokens[index] if 0 <= index < len(self.tokens) else None

    def peek_lower(self, offset: int = 0) -> str:
        """Return a token in lower case; "" at the end, for names and for quoted text."""
        index = self.position + offset
        return self.lows[index] if 0 <= index < len(self.lows) else ""

    def take(self, *words: str) -> bool:
        """Take these words if they come next, in this order."""
        if self.peek_lower() != words[0]:
            return False
        if len(words) == 1 or tuple(self.lows[self.position : self.position + len(words)]) == words:
            self.position += len(words)
            return True
        return False

    def take_phrase(self, phrases: Mapping[str, Sequence[tuple[str, ...]]]) -> bool:
        """Take one of these phrases, indexed by their first words; return whether one came next."""
        return any(self.take(*phrase) for phrase in phrases.get(self.peek_lower(), ()))

    def take_any(self, words: frozenset[str] | tuple[str, ...]) -> str:
        """Take one of these words; return "" if none comes next."""
        word = self.peek_lower()
        if word and word in words:
            self.position += 1
            return word
        return ""

    def skip(self, *words: str) -> None:
        """Skip any of these words."""
        while self.peek_lower() in words and not self.at_end:
            self.position += 1

    def take_separator(self) -> bool:
        """Take one separator or joining word; return whether there was one."""
        if not self.at_end and (self._at_separator_mark() or self.peek_lower() in JOINING):
            self.position += 1
            return True
        return False

    def skip_separators(self, *, joining: bool = True) -> bool:
        """Skip separators between statements; return whether there were any."""
        start_index = self.position
        while not self.at_end and (self._at_separator_mark() or (joining and self.peek_lower() in JOINING)):
            self.position += 1
        return self.position > start_index

    def _at_separator_mark(self) -> bool:
        token = self.peek()
        return token is not None and token.kind == "mark" and token.text in SEPARATORS

    def is_at_separator(self) -> bool:
        """Whether the line ends here or a separator comes next."""
        return self.at_end or self._at_separator_mark() or self.peek_lower() in JOINING

    def is_at_next_statement(self) -> bool:
        """Whether the next statement begins here: after a mark, or with a player."""
        token = self.peek()
        return self.is_at_separator() or (
            token is not None
            and (
                token.kind == "name"
                or token.low in WRITER_WORDS
                or token.low in POSITIONS
                or _SEAT_WORD.fullmatch(token.low) is not None
            )
        )

    # Values

    def begins_act(self) -> bool:
        """Whether a seat and its act come next, as in `5 c 8 f`."""
        return self.peek_lower() in map(str, self.seats) and self.peek_lower(1) in VERBS

    def take_amount(self) -> NotedAmount | None:
        """Take an amount, with or without parentheses."""
        start_index = self.position
        if self.begins_act():
            return None
        in_brackets = self.take("(")
        self.skip("$")
        token = self.peek()
        parsed_amount = parse_figure(token) if token is not None and not self._is_glued(token) else None
        if parsed_amount is None:
            self.position = start_index
            return None
        self.position += 1
        self.skip("chips", "dollars", "bucks", "total")
        if in_brackets and not self.take(")"):
            self.position = start_index
            return None
        return parsed_amount

    def _is_glued(self, token: Token) -> bool:
        """Whether a token is a seat and its act: in `2c` seat 2 calls, `25c` is a quarter."""
        previous_token = self.peek(-1) if self.position else None
        if previous_token is not None and (
            previous_token.kind == "name" or previous_token.low in WRITER_WORDS or previous_token.low in VERBS
        ):
            return False  # Ana 5c: five cents
        digits = token.low.rstrip("c")
        return token.low.endswith("c") and digits.isdecimal() and int(digits) in self.seats

    def take_cards(self, max_cards: int = 7) -> list[str]:
        """Take up to `max_cards` cards, skipping commas and brackets between them."""
        start_index, cards = self.position, list[str]()
        while not self.at_end and len(cards) < max_cards:
            card_start = self.position
            while self.peek_lower() in ("[", "]", "(", ")", ",", "-", "/", "and", "the", "a", "then"):
                self.position += 1
            token = self.peek()
            token_cards = split_cards_word(token.text) if token is not None and token.kind in ("word", "number") else []
            if token is not None and token.kind == "number" and token.text == "10" and not token_cards:
                token_cards = self._take_spaced_ten()
            if not token_cards or len(cards) + len(token_cards) > max_cards:
                self.position = card_start
                break
            cards += token_cards
            self.position += 1
        if cards:
            self.skip("]")
            return cards
        self.position = start_index
        return []

    def _take_spaced_ten(self) -> list[str]:
        next_token = self.peek(1)
        ten_cards = split_cards_word("10" + next_token.text) if next_token is not None else []
        self.position += bool(ten_cards)
        return ten_cards

    # Players

    def take_player(self) -> Ref | None:
        """Take one player: a name, a seat, a position, `he`."""
        start = self.position, self.playing
        if start not in self._refs_by_start:
            self._refs_by_start[start] = self._parse_ref(), self.position
        player, self.position = self._refs_by_start[start]
        return player

    def _parse_ref(self) -> Ref | None:
        start_index = self.position
        in_brackets = self.take("[")
        token = self.peek()
        if token is None:
            self.position = start_index
            return None
        player = self._parse_named(token) or self._parse_numbered()
        if player is None:
            self.position = start_index
            return None
        if in_brackets:
            self.take("]")
        return player

    def _parse_named(self, token: Token) -> Ref | None:
        next_token = self.peek(1)
        if token.low == "the" and token.kind == "word" and next_token is not None and next_token.kind == "name":
            self.position, token = self.position + 1, next_token  # the Widow
        if token.kind == "name":
            self.position += 1
            self._skip_seat_in_brackets()
            return Ref("name", token.low)
        if token.low in PRONOUNS:
            self.position += 1
            return Ref("pronoun", token.text)
        if token.low in WRITER_WORDS and token.kind == "word":
            self.position += 1
            return Ref("me", token.text)
        start_index = self.position
        self.take("the")
        position = self._parse_blind_position() or self._parse_position()
        if position is None:
            self.position = start_index
        return position

    def _parse_blind_position(self) -> Ref | None:
        """Take a player who is called by the blind: `big blind calls`."""
        is_blind = self.peek_lower() in ("small", "big") and self.peek_lower(1) == "blind"
        if not is_blind or not (self.peek_lower(2) in VERBS or self.peek_lower(2) in ("who", "")):
            return None
        position = Ref("position", self.peek_lower())
        self.position += 2
        return position

    def _parse_position(self) -> Ref | None:
        """Take a player who is called by a position: `cutoff`; not `button: 3`, `big 10`, `sb Ana`."""
        word, next_token = self.peek_lower(), self.peek(1)
        if word not in POSITIONS or self.peek_lower(1) in ("at", "is", "on", "seat", "stays", ":"):
            return None
        may_post = not self.playing and POSITIONS[word] in ("button", "small", "big")
        excluded_kinds = ("name", "number") if may_post else ("name",)
        if next_token is not None and next_token.kind in excluded_kinds:
            return None
        self.position += 1
        return Ref("position", POSITIONS[word])

    def _skip_seat_in_brackets(self) -> None:
        """Skip the seat number after a name: `Ana (seat 1)`."""
        start_index = self.position
        if self.take("("):
            self.skip("seat", "in", "#")
            is_numbered = bool(self.take_seat_number()) or bool(
                _SEAT_WORD.fullmatch(self.peek_lower()) and self.take(self.peek_lower())
            )
            if is_numbered and self.take(")"):
                return
        self.position = start_index

    def _parse_numbered(self) -> Ref | None:
        start_index = self.position
        if self.take("seat") or self.take("player"):
            self.skip("no", "#", ".")
            seat_number = self.take_seat_number()
        elif self.peek_lower()[:1] in ("s", "p") and self.peek_lower()[1:].isdecimal():
            seat_number = int(self.peek_lower()[1:])
            self.position += 1
        else:
            seat_number = (
                self.take_seat_number() if self.peek_lower().isdecimal() and int(self.peek_lower()) in self.seats else 0
            )
        if not 0 < seat_number <= SEAT_MOST:
            self.position = start_index
            return None
        seat_end = self.position
        token = self.peek(1)
        if self.take("(") and token is not None and token.kind == "name":  # seat 5 (Gomez)
            self.position += 1
            if self.take(")"):
                return Ref("seat", str(seat_number), seat_number)
        self.position = seat_end
        if (name_token := self.peek()) is not None and name_token.kind == "name" and self.position > start_index:
            self.position += 1  # seat 5 Gomez
            return Ref("name", name_token.low, seat_number)
        return Ref("seat", str(seat_number), seat_number)

    def take_seat_number(self) -> int:
        """Take a seat number; return 0 if there is none."""
        text = self.peek_lower()
        if text.isdecimal() and 0 < int(text) <= SEAT_MOST:
            self.position += 1
            return int(text)
        return 0

    def take_players(self) -> list[Ref]:
        """Take the players of one act: `2, 3 and 4`."""
        start = self.position, self.playing
        if start not in self._lists_by_start:
            self._lists_by_start[start] = self._parse_refs(), self.position
        players, self.position = self._lists_by_start[start]
        return list(players)

    def _parse_refs(self) -> list[Ref]:
        start_index = self.position
        is_seat_list = self.take("seats")
        players: list[Ref] = []
        while True:
            separator_start = self.position
            if players:
                while self.peek_lower() in (",", "and", "&", "/", "-") and self.peek_lower():
                    self.position += 1
            player_start = self.position
            player = self._parse_listed_seat() if is_seat_list else self.take_player()
            adjacent = bool(players) and separator_start == player_start
            if player is None or (adjacent and not self._are_numbers(player_start)):
                self.position = separator_start  # without a comma only numbers follow each other: 2 3 show
                break
            players.append(player)
        if not players:
            self.position = start_index
        return players

    def _are_numbers(self, index: int) -> bool:
        """Whether the tokens at `index` and before it are bare numbers."""
        return all(self.tokens[token_index].low.isdecimal() for token_index in (index - 1, index))

    def _parse_listed_seat(self) -> Ref | None:
        seat_number = self.take_seat_number()
        return Ref("seat", str(seat_number), seat_number) if seat_number else self.take_player()
