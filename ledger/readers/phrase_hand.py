"""Base class of readers that match lines against tables of phrases, such as `Uncalled bet ({amount}) returned to {name}`.

A phrase is literal text with fields in braces, and each has a handler. A field's name says what it holds (`FIELDS`):
`name` is a seated player, `amount` is chips, `street` is one of the room's words for a street. `who` is anybody's name,
`_` is skipped, and any other field is text. If a field's text doesn't fit, the phrase doesn't match and the next is tried.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, Final, TypeAlias

from ledger.hand.dealing import HoleCardsLearned
from ledger.hand.ending import ShowdownBegun
from ledger.hand.opening import ButtonPlaced, GameSet, OptionSet, TournamentSet
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.acts import ActionHandler
from ledger.readers.cards import CARD_WORDS, build_card_reader, read_groups
from ledger.readers.hand import SEATS
from ledger.readers.heads import HeadFields
from ledger.readers.incomplete import no_players, unreadable_seat_row
from ledger.readers.lines import SourceLines
from ledger.readers.phrases import Phrase, PhraseTable, Split, parse_phrase, parse_small_number
from ledger.readers.rows import LineHandler, bind_values, pass_in_order
from ledger.readers.text_hand import POTS, Pot, TextHand, Value
from ledger.text.repeated_texts import TextResults
from ledger.vocabulary import Cards, Chips, Seat, Street

ActionPhrase: TypeAlias = tuple[str, str, str | None, ActionHandler, bool]
"""A compiled action: the words that begin it, the text before its amount, the text after it, the handler, has a `{by}`.

The text after the amount is None if the action has no amount. `{by}` is another amount, before the one that counts.
"""

PhraseRows: TypeAlias = Sequence[tuple[str, LineHandler]]
KnownActions: TypeAlias = dict[str, tuple[ActionHandler, Chips, bool | None]]
"""Cache of actions: the text after a name → the handler, the amount, and whether it is all-in."""
KnownLines: TypeAlias = "dict[str, Callable[[PhraseHand], bool | None]]"
"""Cache of lines: the line → its handler, with the fields bound."""

FieldReader: TypeAlias = "Callable[[PhraseHand, str], Value | None]"
"""Parses a field's text; returns None if the text doesn't fit the field."""

_MAX_CACHED_LENGTH: Final = 100
_JOINED_LINES: Final = re.compile(r"[\])*]\.?\w")  # the end of a line with the next line attached
BOARD_STREETS: Final[tuple[Street, ...]] = ("flop", "turn", "river")
_MAX_PLACE_DIGITS: Final = 7
"""The most digits of a finishing place in a tournament."""
_SEAT_FIELDS: Final = frozenset(("name", "result"))
"""Fields whose value depends on who sits where, so that it can't be reused in another hand."""
CompiledPhrase: TypeAlias = "tuple[Split, LineHandler, tuple[FieldReader | None, ...], bool]"
"""A compiled phrase: its splitter, its handler, the readers of its fields (() if all are text), is it the same in every hand."""


class PhraseHand(TextHand):
    """A hand read with a room's tables of phrases: seat rows, text after a player's name, and other lines."""

    __slots__ = (
        "acts_read",
        "button_and_line",
        "lines_read",
        "names_by_word",
        "rows_read",
        "seat_list_lines_read",
        "showdown_run",
        "single_word_names",
        "summary_read",
    )

    NAME_ENDINGS: ClassVar[tuple[str, ...]] = (":",)
    """What may follow a name before the next blank; "" means nothing."""
    ALL_IN: ClassVar[tuple[str, ...]] = ()
    """How the text of an action ends if it puts the player all-in."""

    CARDS: ClassVar[Mapping[str, str]] = CARD_WORDS
    """The room's words for a card → the card."""
    SEAT_ROWS: ClassVar[Sequence[str]] = ("Seat {seat}: {name} ({amount})",)
    """The forms of a row in the list of seats."""
    SEAT_LIST_LINES: ClassVar[PhraseRows] = ()
    """Other lines in the list of seats."""
    STREETS: ClassVar[Mapping[str, Street]] = {
        word: street for street in BOARD_STREETS for word in (street.title(), street.upper(), street)
    }
    """The room's words for a street with a board."""
    HAND_STREETS: ClassVar[Mapping[str, Street]] = {}
    """The room's words for a street without a board, in stud and draw games."""
    POTS: ClassVar[Mapping[str, Pot]] = POTS
    """The room's words for a pot."""
    ACTIONS: ClassVar[Sequence[tuple[str, ActionHandler]]] = ()
    """Player actions, without the name: `raises {_} to {amount}`. The words for all-in are in `ALL_IN`.

    If the text before the amount must be an amount too, it is `{by}`.
    """
    REASONS: ClassVar[PhraseRows] = ()
    """The reasons that may follow an action. A reason's handler runs before the action's."""
    PLAYER_LINES: ClassVar[PhraseRows] = ()
    """Other text that may follow a name. The handler gets the seat."""
    LINES: ClassVar[PhraseRows] = ()
    """All other lines."""
    SUMMARY_LINES: ClassVar[PhraseRows] = ()
    """Lines that occur only in the summary. They are tried before all others."""

    _cards: ClassVar[tuple[Callable[[str], Cards | None]]]
    _words_after_names: ClassVar[tuple[str, ...]]
    """How the text after a name may begin, with its leading blank."""
    _actions_by_word: ClassVar[Mapping[str, tuple[ActionPhrase, ...]]]
    """The first word after a name → the `ACTIONS` that begin with it."""
    _player_lines: ClassVar[PhraseTable[CompiledPhrase, None]]
    _lines: ClassVar[PhraseTable[CompiledPhrase, None]]
    _seat_list_lines: ClassVar[PhraseTable[CompiledPhrase, None]]
    _summary: ClassVar[PhraseTable[CompiledPhrase, None]]
    _seats: ClassVar[tuple[Phrase, ...]]
    _stack_last: ClassVar[bool]
    """Whether a seat row ends with the stack. The text before it seldom changes, so the row can be cached."""

    def __init_subclass__(cls) -> None:
        """Compile the room's phrases, once per class."""
        super().__init_subclass__()
        cls._cards = (build_card_reader(cls.CARDS),)
        actions_by_word: dict[str, tuple[ActionPhrase, ...]] = {}
        for template, handler in cls.ACTIONS:
            (words, *later_parts), fields, *_ = parse_phrase(template)
            text_before = later_parts[-2] if len(later_parts) > 1 else ""
            first_word = words.partition(" ")[0]
            action = (words, text_before, later_parts[-1] if later_parts else None, handler, "by" in fields)
            actions_by_word[first_word] = (*actions_by_word.get(first_word, ()), action)
        cls._actions_by_word = actions_by_word
        first_words = {" " + parse_phrase(row[0]).parts[0].rstrip() for row in (*cls.ACTIONS, *cls.PLAYER_LINES)}
        first_words |= {
            parts[1].rstrip() for row in cls.LINES if not (parts := parse_phrase(row[0]).parts)[0] and parts[1:]
        }
        cls._words_after_names = tuple(words for words in first_words if words[:1] == " " and len(words) > 1)
        cls._player_lines, cls._lines = _compile_table(cls.PLAYER_LINES, 2), _compile_table(cls.LINES)
        cls._summary = _compile_table((*cls.SUMMARY_LINES, *cls.LINES))
        cls._seat_list_lines = _compile_table(cls.SEAT_LIST_LINES)
        cls._seats = tuple(map(parse_phrase, cls.SEAT_ROWS))
        cls._stack_last = cls.SEAT_ROWS[0].endswith(" ({amount})")

    def __init__(self, lines: SourceLines, people: People, venue: str, game: GameSet, place: int) -> None:
        super().__init__(lines, people, venue, game, place)
        room, read_before = type(self), people.read_before
        self.acts_read: KnownActions
        self.lines_read: KnownLines
        self.seat_list_lines_read: KnownLines
        self.summary_read: KnownLines
        self.acts_read, self.lines_read, self.seat_list_lines_read, self.summary_read = read_before.results_of_kinds(
            4, room, game.exponent
        )
        self.rows_read: dict[str, tuple[Seat, dict[str, str]]] = read_before.results_of(room, "rows")
        self.names_by_word: dict[str, list[tuple[str, Seat]]] = {}
        self.single_word_names: dict[str, Seat] = {}
        self.showdown_run = 1  # the run of the board that the current showdown is for
        self.button_and_line: tuple[Seat, int] | None = None  # the button's seat, and the line that says so
        self.begin()

    def begin(self) -> None:
        """Initialize the room's own attributes. Rooms override this."""

    def finish(self) -> None:
        """Complete the hand after its last line. Rooms override this."""

    def add_game_and_read(
        self, head: HeadFields | int, end_line: int, costs: TournamentSet | None = None, *options: OptionSet | None
    ) -> None:
        """Add the events of tournament, game and options, then read everything after the head."""
        for event in (costs, self.game, *options):
            if event is not None:
                self.add_event(event)
        self.read_after_head(head, end_line)

    def read_after_head(self, head: HeadFields | int, end_line: int) -> None:
        """Add the head's unknown lines, then read seats, button and actions.

        `head` may be the number of the line after the head, if the format reads its heads itself.
        """
        line_number = head.line_after if isinstance(head, HeadFields) else head
        if isinstance(head, HeadFields):
            self.button_and_line = self.button_and_line or head.button_and_line
            for self.place in head.unknown_lines:
                self.add_unread(self.lines.text[self.place])
        line_number = self.read_seats(line_number, end_line)
        if self.button_and_line is not None:
            self.place = self.button_and_line[1]
            self.add_event(ButtonPlaced(self.button_and_line[0]))
        self.read_body(line_number, end_line)
        self.finish()

    def read_heading(self, title: str, brackets: str, run_number: int = 0) -> bool | None:
        """Read a heading: `TURN` with `[2c 7d Kc] [9s]`, where the last bracket is new, or `SHOW DOWN`.

        Return None if the title is neither, False if the cards can't be read. `run_number`: the run that the heading
        names, 0 if it names none.
        """
        if title in self.STREETS:
            card_groups = read_groups(self.read_cards, brackets.strip(" :"))
            if card_groups is not None:
                self.deal_run_board(self.STREETS[title], card_groups[-1], run_number)
            return card_groups is not None
        if title not in ("SHOW DOWN", "SHOWDOWN"):
            return None
        self.close_bets()
        self.showdown_run = run_number or 1
        self.add_event(ShowdownBegun(self.showdown_run))
        return True

    def award_named_pot(self, seat: Seat, amount: Chips, pot: Pot = (None, "")) -> None:
        """Read `wins side pot 1 ($5)`, in the run that the current showdown is for."""
        self.award(seat, amount, pot[0], run=self.showdown_run, half=pot[1])

    def read_cards(self, text: str) -> Cards | None:
        """Return `9c 2c Qd`, or the room's own spelling, as cards; None if one of them isn't a card."""
        return self._cards[0](text)

    def read_seats(self, line_number: int, end_line: int) -> int:
        """Read the list of seats from `line_number` on; return the line after it."""
        text, label, stack_last = self.lines.text, self._seats[0].parts[0], self._stack_last
        rows_read, lines_read = self.rows_read, self.seat_list_lines_read
        while line_number < end_line:
            line = text[line_number].strip()
            if line:
                self.place = line_number
                head, _, stack = line.rpartition(" (") if stack_last else (line, "", ")")
                seat_row = rows_read.get(head) if stack[-1:] == ")" else None
                if seat_row is not None and stack_last:
                    seat_row[1]["amount"] = stack[:-1]
                elif seat_row is None and line not in lines_read:
                    seat_row = self._match_row(line, head)
                if seat_row is not None:
                    self.take_seat_row(*seat_row)
                elif (handle_line := lines_read.get(line)) is not None and handle_line(self) is not False:
                    pass
                elif not self._handle_phrase(self._seat_list_lines, line, lines_read):
                    if label and line.startswith(label):
                        raise unreadable_seat_row(line)
                    break
            line_number += 1
        if not self.stacks:
            raise no_players()
        self.index_names()
        return line_number

    def _match_row(self, line: str, head: str) -> tuple[Seat, dict[str, str]] | None:
        """Return the seat and fields of a row in the list of seats, or None if the line isn't one.

        Rows are cached, since most players keep their seat in the next hand.
        """
        for phrase in self._seats:
            fields = phrase.match(line)
            seat_text = fields["seat"].strip() if fields else ""
            seat = parse_small_number(seat_text)
            if fields and (seat or seat_text == "0"):
                if len(line) < _MAX_CACHED_LENGTH and (phrase is self._seats[0] or head == line):
                    self.rows_read[head] = seat, fields
                return seat, fields
        return None

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Deal in the player of one row."""
        self.deal_in(seat, row["name"], self.parse_amount(row["amount"]))

    def note_button(self, seat: Seat) -> None:
        """Read `Dealer: Seat 3` in the list of seats. The last such line counts."""
        self.button_and_line = (seat, self.place) if seat < SEATS else None

    def index_names(self) -> None:
        """Index the players' names by first word, once all seats are read."""
        self.names_by_word.clear()
        self.single_word_names.clear()
        by_word, single_words = self.names_by_word, self.single_word_names
        for name in self.sort_names():
            for ending in self.NAME_ENDINGS:
                name_text, seat = name + ending, self.seats[name]
                first_word, blank, _ = name_text.partition(" ")
                if first_word in by_word:
                    by_word[first_word].append((name_text, seat))
                    single_words.pop(first_word, None)
                else:
                    by_word[first_word] = [(name_text, seat)]
                    if not blank:
                        single_words[first_word] = seat

    def find_named_seats(self, line: str) -> list[tuple[Seat, str]]:
        """Return the seats whose name a line may begin with, longest name first, and what follows."""
        return [
            (seat, line[len(name_text) + 1 :].strip())
            for name_text, seat in self.names_by_word.get(line.partition(" ")[0], ())
            if line.startswith(" ", len(name_text)) and line.startswith(name_text)
        ]

    def iter_numbered_lines(self, first_line: int, end_line: int) -> Iterable[tuple[int, str]]:
        """Return the lines before `end_line` with their numbers. Rooms with a prefix before actions remove it here."""
        return enumerate(self.lines.text[first_line:end_line], first_line)

    def read_body(self, first_line: int, end_line: int) -> None:
        """Read the lines from `first_line` up to `end_line`."""
        text, known_actions = self.lines.text, self.acts_read
        single_words, by_word = self.single_word_names, self.names_by_word
        for line_number, line in self.iter_numbered_lines(first_line, end_line):
            self.place = line_number
            first_word, blank, text_after = line.partition(" ")
            seat = single_words.get(first_word)
            if seat:
                action = known_actions.get(text_after) or known_actions.get(text_after.strip())
                if action and action[0](self, seat, action[1], action[2]) is not False:
                    continue
                if blank and self.read_action(seat, text_after.strip()):
                    continue
            elif first_word in by_word and self.read_player_line(line):
                continue
            if (stripped_line := line.strip()) and not self.read_line(stripped_line):
                self.add_unread(text[line_number])
            if self.is_past_names:
                self.read_summary(line_number + 1, end_line)
                break

    def read_summary(self, first_line: int, end_line: int) -> None:
        """Read the lines of a summary in which nobody acts."""
        for line_number, line in enumerate(self.lines.text[first_line:end_line], first_line):
            if stripped_line := line.strip():
                self.place = line_number
                if not self.read_line(stripped_line):
                    self.add_unread(stripped_line)

    def read_player_line(self, line: str) -> bool:
        """Read a line about a player. If the longest name doesn't fit, try a shorter one."""
        for name_text, seat in self.names_by_word.get(line.partition(" ")[0], ()):
            name_length = len(name_text)
            if (
                line.startswith(" ", name_length)
                and line.startswith(name_text)
                and self.read_action(seat, line[name_length + 1 :].strip())
            ):
                return True
        return False

    def read_action(self, seat: Seat, text: str) -> bool:
        """Read the text after a name, as an action or another player line; return False if it is neither."""
        known_action = self.acts_read.get(text)
        if known_action and known_action[0](self, seat, known_action[1], known_action[2]) is not False:
            return True
        for words, handle_reason in self.REASONS:
            if text.endswith(words):
                handle_reason(self, seat)
                text = text[: -len(words)].rstrip()
        for action in self._actions_by_word.get(text.partition(" ")[0], ()):
            if text.startswith(action[0]) and action[1] in text and self._handle_action(seat, text, action):
                return True
        return self._handle_phrase(self._player_lines, text, self.acts_read, seat)

    def _handle_action(self, seat: Seat, text: str, action: ActionPhrase) -> bool:
        words, text_before, text_after, handler, has_increase = action
        amount_text = text[len(words) :]
        increase_text, _, amount_text = amount_text.rpartition(text_before) if text_before else ("", "", amount_text)
        number_text, all_in = self.split_all_in(amount_text)
        if text_after is None:
            if number_text:
                return False
            amount = 0
        elif number_text.endswith(text_after):
            amount = self.parse_amount(number_text[: len(number_text) - len(text_after)].strip())
        else:
            return False
        if has_increase:
            self.parse_amount(increase_text)
        if handler(self, seat, amount, all_in) is False:
            return False
        if len(text) < _MAX_CACHED_LENGTH:
            self.acts_read[text] = handler, amount, all_in
        return True

    def split_all_in(self, text: str) -> tuple[str, bool | None]:
        """Split an action from the words that say it is all-in."""
        for words in self.ALL_IN:
            if text.endswith(words):
                return text[: len(text) - len(words)], True
        return text, None

    def holds_a_line(self, name: str) -> bool:
        """Whether a supposed name contains a whole line, because a line end was lost."""
        return bool(_JOINED_LINES.search(name)) or any(words in name for words in self._words_after_names)

    def learn_cards(self, seat: Seat, text: str) -> str | None:
        """Add the cards of `showed [Ah Kd] and won`, if they are new, and return the text after them.

        Return all of the text if it has no cards, or None if its cards can't be read.
        """
        if not text.startswith(("showed [", "mucked [")):
            return text
        card_text, _, text_after = text[8:].partition("]")
        cards = self.read_cards(card_text)
        if cards is None:
            return None
        if seat not in self.shown_seats:
            self.shown_seats.add(seat)
            self.add_event(HoleCardsLearned(seat, cards, "shown" if text[0] == "s" else "after"))
        return text_after.strip()

    def find_seat_by_name(self, name: str) -> Seat:
        """Return the seat of a name, 0 if no player has it."""
        return self.seats.get(name, 0)

    def read_line(self, line: str) -> bool:
        """Read a line that isn't a player's action; return False if no phrase fits."""
        rows, memory = (self._summary, self.summary_read) if self.summary_line else (self._lines, self.lines_read)
        handle_known = memory.get(line)
        return (handle_known is not None and handle_known(self) is not False) or self._handle_phrase(rows, line, memory)

    def _handle_phrase(
        self, rows: PhraseTable[CompiledPhrase, None], text: str, memory: TextResults, *speaker: Seat
    ) -> bool:
        """Handle a text with the first phrase that fits; return False if none does.

        Texts without a player's name are cached in `memory`, whether their first match was handled or nothing fits.
        """
        if memory.get(text) is _skip_unknown_text:
            return False
        is_first = True
        for _, (split, handler, readers, is_reusable) in rows.rows(text):
            field_texts = split(text)
            if field_texts is None:
                continue
            values = self._read_fields(readers, field_texts) if readers else field_texts
            if values is not None and handler(self, *speaker, *values) is not False:
                if is_first and is_reusable and len(text) < _MAX_CACHED_LENGTH:
                    memory[text] = (
                        (_adapt_to_action(handler, values), 0, None) if speaker else bind_values(handler, values)
                    )
                return True
            is_first = False
        if is_first and not speaker and len(text) < _MAX_CACHED_LENGTH:
            memory[text] = _skip_unknown_text
        return False

    def _read_fields(self, readers: tuple[FieldReader | None, ...], field_texts: Sequence[str]) -> list[Value] | None:
        """Return the values of fields, or None if one of the texts doesn't fit its field."""
        values: list[Value] = []
        for read, text in zip(readers, field_texts, strict=True):
            value = text if read is None else read(self, text)
            if value is None:
                return None
            values.append(value)
        return values


def _skip_unknown_text(_: object) -> bool:
    """Mark a text in a cache that no phrase fits in any hand, so that it isn't tried again."""
    return False


def _compile_table(rows: PhraseRows, leading_values: int = 1) -> PhraseTable[CompiledPhrase, None]:
    """Compile rows into a table. `leading_values`: arguments before the fields, the hand and perhaps a seat."""
    compiled = []
    for template, handler in rows:
        compiled_phrase = parse_phrase(template)
        readers = tuple(map(FIELDS.get, compiled_phrase.kept))
        compiled_row = (
            compiled_phrase.split,
            pass_in_order(handler, compiled_phrase.kept, leading_values),
            readers if any(readers) else (),
            _SEAT_FIELDS.isdisjoint(compiled_phrase.kept),
        )
        compiled.append((template, compiled_row))
    return PhraseTable(compiled, {})


def _adapt_to_action(handler: LineHandler, values: Sequence[Value]) -> ActionHandler:
    """Return a player line's handler, with its fields bound, in the form of an action's handler."""
    return lambda hand, seat, _amount, _all_in: handler(hand, seat, *values)


FIELDS: Final[Mapping[str, FieldReader]] = {
    "name": lambda hand, text: hand.find_seat_by_name(text) or hand.find_seat_by_name(text.strip()) or None,
    "seat": lambda _hand, text: parse_small_number(text) or None,
    "count": lambda _hand, text: parse_small_number(text) or None,
    "rank": lambda _hand, text: parse_small_number(text.rstrip("stndrh"), _MAX_PLACE_DIGITS) or None,
    "amount": lambda hand, text: hand.parse_amount(text.strip()),
    "stack": lambda hand, text: hand.parse_amount_or_none(text.strip()),
    "total": lambda hand, text: hand.parse_amount_or_none(text.strip()),
    "dead": lambda hand, text: hand.parse_amount(text.strip()),
    "net": lambda hand, text: parse_signed_amount(hand, text.strip()),
    "prize": lambda _hand, text: amounts.read_or_none(text.rstrip("."), 2),
    "cards": lambda hand, text: hand.read_cards(text),
    "groups": lambda hand, text: read_groups(hand.read_cards, text),
    "street": lambda hand, text: hand.STREETS.get(text),
    "hand_street": lambda hand, text: hand.HAND_STREETS.get(text),
    "pot": lambda hand, text: hand.POTS.get(text),
    "drops": lambda hand, text: hand.parse_drops(text),
    "result": lambda hand, text: hand.split_result(text),
}
"""The reader of each field, by name. It returns None if the text doesn't fit."""


def parse_signed_amount(hand: PhraseHand, text: str) -> Chips | None:
    """Read `-$1.05` and `€-0.05` as negative amounts; return None for text that isn't an amount."""
    sign, minus, digits = text.partition("-")
    is_negative = bool(minus) and not any(map(str.isdigit, sign))
    chips = hand.parse_amount_or_none(sign + digits if is_negative else text.removeprefix("+"))
    return -chips if chips is not None and is_negative else chips
