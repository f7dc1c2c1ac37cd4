"""Reads a night of notes: splits its lines into heading, hands and facts between hands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes import (
    doubts,
    game_lines,
    headings,
    list_layouts,
    player_lists,
    remarks,
    seat_lists,
    table_events,
)
from ledger.formats.handscript.notes.blocks import (
    TABLE_KINDS,
    Block,
    correct_statement,
    find_next_number,
    is_of_hand,
    read_gain_as_win,
    read_out_as_fold,
)
from ledger.formats.handscript.notes.card_words import write_cards
from ledger.formats.handscript.notes.clock_times import CLOCK, read_clock, split_time, strip_comment
from ledger.formats.handscript.notes.hand_headings import (
    begins_hand,
    begins_with_button,
    counted_hand,
    is_framed,
    marks_hand,
    normalize_heading,
)
from ledger.formats.handscript.notes.hand_reader import read_hand
from ledger.formats.handscript.notes.headings import Heading
from ledger.formats.handscript.notes.line_corrections import apply_corrections
from ledger.formats.handscript.notes.line_parser import parse
from ledger.formats.handscript.notes.money_lines import HouseLines, names_payout
from ledger.formats.handscript.notes.newcomers import parse_newcomer
from ledger.formats.handscript.notes.noted_hand import CanonicalLine, NotedHand, Previous
from ledger.formats.handscript.notes.number_words import write_amounts
from ledger.formats.handscript.notes.position_lists import number_positions
from ledger.formats.handscript.notes.questions import NotesQuestion
from ledger.formats.handscript.notes.roster import Player, Roster
from ledger.formats.handscript.notes.seat_entries import SeatEntry
from ledger.formats.handscript.notes.statements import Statement
from ledger.formats.handscript.notes.table_words import OF_TABLE
from ledger.formats.handscript.notes.tokenizer import tokenize
from ledger.formats.handscript.notes.unread_words import explain_unread
from ledger.formats.handscript.tokens import quote, write_word

_I_SIT: Final = re.compile(
    r"\bI(?:[']m| am| sit| was| sat)\s+(?:sitting\s+)?(?:in\s+)?(?:(?:the\s+)?seat\s+(\d{1,2})|(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?[\s-]seat)\b",
    re.IGNORECASE,
)
_ODD_NAME: Final = re.compile(r"\S@|@\S|\(\d+\)\s*$|^\s*table\b.*\(")
"""A name from another room, or one that needs quotes: the strict grammar defines its form."""
_FRAME: Final = re.compile(r"^\s*(?:[-=*_>•·]+\s+)+|\s+[-=*_]{2,}\s*$|^\s*\*{2,}|\*{2,}\s*$")
"""Decoration around a line: `--- Hand 3 ---`, `* Di folds`."""
_RULES: Final = " -=*_#~|+:"
_OF_SEATS: Final = re.compile(r"^\s*\d|\bseats?\s*\d|\bs\d{1,2}\b", re.IGNORECASE)
_PLAY: Final = frozenset(("act", "next", "everyone", "folds-to", "checks-to", "board"))
_UNREAD_KINDS: Final = frozenset(("unread", "gap"))
_ENDINGS: Final = frozenset(("win", "chop", "misdeal", "end"))


class Night:
    """Reads the lines of a night in order."""

    def __init__(self, lines: Iterable[ScriptLine], *, scale: int, currency: str, raise_means: str = "") -> None:
        self.heading = Heading(currency=currency)
        self.scale = scale
        self.roster = Roster()
        self.previous = Previous(raise_means=raise_means)
        self.proven_raises: set[str] = set()  # meanings of a bare `raises 40` that written amounts prove
        self.strict_lines: list[str] = []  # heading lines in the strict grammar
        self.lines = list(
            seat_lists.split_lists(list_layouts.unfold_lines(number_positions(player_lists.rewrite_lists(lines))))
        )
        self.house_lines = HouseLines(self.lines)
        self.hands, self.last_number = 0, ""
        self.last_time: tuple[int, int] | None = None
        self.stakes = ""
        self.is_unnamed = False  # the current hand started with a button line alone
        self.writer = ""  # the writer's name, from a line above the hands
        self.unnumbered: int | None = None  # number of lines that name one player each, None until counted
        self.block: Block | None = None
        self.later: list[Statement] = []  # table facts in the current hand that apply after it
        self.later_doubts: list[tuple[doubts.Doubt, int]] = []  # unread words in the current hand
        self.corrections: list[str] = []  # of the current line
        self.parsed_lines: dict[tuple[str, frozenset[str], frozenset[int], bool], list[Statement]] = {}
        self.day: date | None = None
        self.deferred: list[tuple[ScriptLine, str]] = []  # lines above the hands that no phrase reads
        self.is_opened = False  # the first hand has begun
        self.opening_button: list[Statement] = []  # from a line above the first hand

    def blocks(self) -> Iterator[Block]:
        """Yield the hands and facts of the night in order, unreadable headings first."""
        for line in self.lines:
            if line.text.strip(" \t\r\ufeff"):
                yield from self._read_line(line)
        self._open_first_hand()
        yield from self._close_block()

    @property
    def trailing_lines(self) -> list[ScriptLine]:
        """Return the lines after the last hand without content."""
        return self.block.lines if self.block is not None else []

    # One line

    def _read_line(self, line: ScriptLine) -> Iterator[Block]:
        line_text = strip_comment(line.text)
        text = _FRAME.sub("", line_text)
        if (
            not text.strip(_RULES).strip()
            or text.split()[0] == "handscript"
            or seat_lists.is_heading_or_empty_seat(line_text)
        ):
            self._add_to_block(line, "heading")
            return
        text, clock = split_time(text)
        text, self.corrections = apply_corrections(write_amounts(write_cards(text)))
        if not text.strip():
            self._add_to_block(line, "heading")
            return
        if begins_hand(text) or self._counts_hand(text):
            self._open_first_hand()
            text = normalize_heading(text)
            if not self._is_only_begun():
                yield from self._close_block()
                self.hands += 1
            self.is_unnamed = False
            self._add_to_block(line, "hand")
            self._take_statements([*self.opening_button, *self._heading_of_hand(line, text, clock)])
            self.opening_button = []
            return
        if self.block is not None and self.block.kind == "hand" and not self._is_hand_over():
            if self._is_next_unnamed(text):
                yield from self._close_block()
                self._begin_unnamed(line, self._parse_line(line, text))
                return
            house_lines = self.house_lines.read_in_hand(line, text, self.scale, is_opening=not self.block.has(_PLAY))
            if house_lines or self.house_lines.is_payout_between_hands(line, text) or headings.is_new_level(text):
                yield from self._close_block()
                yield from self._read_outside_hand(line, text)
                return
            self._read_in_hand(line, text)
            return
        yield from self._read_outside_hand(line, text)

    def _counts_hand(self, text: str) -> bool:
        """Whether a line starts with the next hand's number: `2) Ana raises`."""
        counted = counted_hand(text)
        count = counted or marks_hand(text)
        is_free = self.block is None or self.block.kind != "hand" or self._is_hand_over()
        if not (self.roster.seats and count == self.hands + 1 and (is_free or (not counted and is_framed(text)))):
            return False
        return not seat_lists.parse_seat_list(text)

    def _open_first_hand(self) -> None:
        """Judge the lines above the first hand that no phrase reads, now that the players are known."""
        self.is_opened = True
        deferred, self.deferred = self.deferred, []
        for line, text in deferred:
            self._note_unread(line, text, is_added=True)

    def _is_only_begun(self) -> bool:
        """Whether a button line started the current hand and no line has named it yet."""
        return self.is_unnamed and self.block is not None and not self.block.has(_PLAY | _ENDINGS)

    def _is_next_unnamed(self, text: str) -> bool:
        """Whether a button line begins a hand, as one began the hand before it."""
        assert self.block is not None  # noqa: S101 - the caller looked
        return self.is_unnamed and self.block.has(_PLAY) and begins_with_button(text)

    def _begin_unnamed(self, line: ScriptLine, statements: list[Statement]) -> None:
        """Start a hand from a button line when no line names the hand."""
        self.hands += 1
        self.is_unnamed = True
        block = self._add_to_block(line, "hand")
        block.number = self.last_number = find_next_number(self.last_number)
        self._take_statements(statements)

    def _read_outside_hand(self, line: ScriptLine, text: str) -> Iterator[Block]:
        """Read a line above the hands or between two hands."""
        entries = seat_lists.parse_seat_list(text) or self._read_unnumbered_player(text)
        statements = [] if entries else self._parse_line(line, text)
        if statements and statements[0].kind == "button" and self.roster.seats:
            if not self._names_first_hand(line, statements):
                self._open_first_hand()
                yield from self._close_block()
                self._begin_unnamed(line, statements)
            return
        if self.block is not None and self.block.kind == "hand":
            if statements and is_of_hand(statements) and not headings.is_new_level(text):
                self._add_to_block(line, "hand")
                self._take_statements(statements)
                return
            yield from self._close_block()
        if entries:
            self._add_to_block(line, "heading")
            self._seat_entries(entries, line)
            self.roster.note_own_name(list_layouts.find_listed_writer_name(text), self.writer)
        elif any(statement.kind in TABLE_KINDS for statement in statements):
            self._take_table_facts(line, statements)
        elif not (self.house_lines.take(line, text, self.scale, self._add_to_block) or self._is_heading(line, text)):
            self._note_unread(line, text)

    def _take_table_facts(self, line: ScriptLine, statements: list[Statement]) -> None:
        """Apply the facts of a line to the table, and note its words that no phrase reads."""
        block = self._add_to_block(line, "table")
        for statement in statements:
            if statement.kind in TABLE_KINDS:
                table_events.take_event(self.roster, self.scale, statement, block)
        for statement in statements:
            if statement.kind in _UNREAD_KINDS:
                self._note_unread(line, statement.text)

    def _names_first_hand(self, line: ScriptLine, statements: list[Statement]) -> bool:
        """Keep a button above the first hand until a line begins the hand; return whether one does."""
        is_followed = any(begins_hand(later_line.text) for later_line in self.lines if later_line.start > line.start)
        if self.hands or not is_followed or any(statement.kind != "button" for statement in statements):
            return False
        self._add_to_block(line, "heading")
        self.opening_button = statements
        return True

    def _read_unnumbered_player(self, text: str) -> list[SeatEntry]:
        """Read a line with one player, if several lines above the hands list players in seat order."""
        entry = None if self.hands else seat_lists.parse_unnumbered_line(text)
        if entry is None:
            return []
        if self.unnumbered is None:
            self.unnumbered = sum(seat_lists.parse_unnumbered_line(line.text) is not None for line in self.lines)
        listed_seats = [seat for seat, player in self.roster.seats.items() if player.line is not None]
        return [replace(entry, seat=max(listed_seats, default=0) + 1, by_order=True)] if self.unnumbered > 1 else []

    def _is_heading(self, line: ScriptLine, text: str) -> bool:
        if _ODD_NAME.search(text) or names_payout(text) or (self.hands and headings.has_leftover(text)):
            return False
        is_above = not self.hands
        if is_above:
            text = self._read_writer(text)
        is_read = (is_above and game_lines.is_setting(text, self.strict_lines)) or headings.read_heading(
            self.heading, text, is_above=is_above
        )
        if not is_read and (headings.is_title(text) if is_above else self._is_aside(text)):
            self.heading.titles.append(text.strip())
            is_read = True
        if is_read:
            block = self._add_to_block(line, "heading" if is_above else "table")
            headings.settle_third(self.heading)
            if not is_above and (stakes := game_lines.write_stakes_line(self.heading, self.scale)) != self.stakes:
                block.canonical_lines.append(CanonicalLine(stakes, line))
        self.stakes = game_lines.write_stakes_line(self.heading, self.scale)
        return is_read

    def _read_writer(self, text: str) -> str:
        """Read the writer's name and seat from a line above the hands; return the text without `I'm in seat 3`."""
        self.writer = list_layouts.find_writer_name(text) or self.writer
        self.roster.note_own_name("", self.writer)
        match = _I_SIT.search(text)
        if match is None:
            return text
        self.roster.me = int(match[1] or match[2])
        return text[: match.start()] + text[match.end() :]

    def _is_aside(self, text: str) -> bool:
        """Whether a line between hands is an aside: no name, number or word of the game."""
        tokens = tokenize(text, self.roster.names())
        if headings.ASIDE.search(text):
            return True
        return not (_OF_SEATS.search(text) or any(token.kind == "name" or token.low in OF_TABLE for token in tokens))

    def _note_unread(self, line: ScriptLine, text: str, *, is_added: bool = False) -> None:
        """Keep unread words as a remark, or ask about them if they may change who plays or for how much."""
        if not self.hands and not self.is_opened:  # the list of players may follow
            self._add_to_block(line, "heading")
            self.deferred.append((line, text))
            return
        doubt = doubts.find_doubt(text, self.roster, is_above=not self.hands)
        doubts.note_doubt(self.roster, doubt, line.number)
        block = self.block if is_added and self.block is not None else self._add_to_block(line, "table")
        if doubt.is_asked:
            block.problems.append(explain_unread(line, text.strip(), self.roster))
        else:
            self.heading.titles.append(text.strip())

    def _read_in_hand(self, line: ScriptLine, text: str) -> None:
        """Read a line of the current hand."""
        self._add_to_block(line, "hand")
        entries = seat_lists.parse_seat_list(text)
        assert self.block is not None  # noqa: S101 - opened just now
        if self._are_posts(entries):
            entries = []
        if entries and not self.block.has(_PLAY):
            if not self.block.has(frozenset(("seats",))):
                self._clear_seats()
            self._seat_entries(entries, line)
            self.block.statements.append(Statement("seats", line, text=text))
            return
        self._take_statements(self._parse_line(line, text))

    def _are_posts(self, entries: list[SeatEntry]) -> bool:
        """Whether an apparent list of seats may be blinds: `s1 1 s2 2`, `Ana 1, Bo 2`."""
        big = self.heading.big_blind
        stacks = [entry.stack for entry in entries if entry.stack is not None]
        return bool(self.roster.seats) and big is not None and bool(stacks) and max(stacks) <= 4 * big

    def _is_hand_over(self) -> bool:
        return self.block is not None and self.block.has(_ENDINGS)

    def _heading_of_hand(self, line: ScriptLine, text: str, clock: tuple[int, int] | None) -> list[Statement]:
        match = CLOCK.search(text)
        if match:
            clock = read_clock(match) or clock
            text = text[: match.start()] + " " + text[match.end() :]
        statements = self._parse_line(line, text)
        assert self.block is not None  # noqa: S101 - opened by the caller
        number = next((statement.name for statement in statements if statement.kind == "hand"), "")
        self.block.number = self.last_number = number or find_next_number(self.last_number)
        if clock is not None and self.heading.day is not None:
            statements.insert(0, Statement("time", line, name=self._hand_time(clock)))
        return statements

    def _hand_time(self, clock: tuple[int, int]) -> str:
        """Return a hand's date and time; after midnight it is the next day."""
        assert self.heading.day is not None  # noqa: S101 - the caller looked
        self.day = self.day or self.heading.day
        if self.last_time is not None and clock < self.last_time and self.last_time[0] - clock[0] > 12:
            self.day += timedelta(days=1)
        self.last_time = clock
        return f"{self.day.isoformat()}T{clock[0]:02}:{clock[1]:02}"

    def _parse_line(self, line: ScriptLine, text: str) -> list[Statement]:
        names = self.roster.names()
        playing = self.block is not None and self.block.has(_PLAY)
        playing = playing and not (self._is_hand_over() and begins_with_button(text))
        seats = frozenset(self.roster.seats) or frozenset(range(1, 11))
        key = text, frozenset(names), seats, playing
        parsed = self.parsed_lines.get(key)
        if parsed is None:
            parsed = self.parsed_lines[key] = parse(line, text, frozenset(names), seats, playing=playing)
        statements = [replace(statement, line=line) for statement in parsed]
        for statement in statements:
            statement.players = [replace(ref, text=names.get(ref.text, ref.text)) for ref in statement.players]
        statements += [Statement("remark", line, text=correction) for correction in self.corrections]
        return self._with_newcomers(line, text, statements)

    def _with_newcomers(self, line: ScriptLine, text: str, statements: list[Statement]) -> list[Statement]:
        """Read the unread rest of a line as a player who sits down, if it is one."""
        for index, statement in enumerate(statements):
            unread_text = text[text.find(statement.text) :].strip() if statement.kind == "unread" else ""
            newcomer = parse_newcomer(unread_text) if unread_text else None
            if newcomer is None:
                continue
            entry = newcomer.entry
            sits = Statement("sits", line, text=unread_text, name=entry.name, count=entry.seat)
            sits.qualifier = "waits" if newcomer.waits_for_blind else "moved" if newcomer.comes_from_table else ""
            sits.cards = "" if entry.stack is None else str(entry.stack)
            return [*statements[:index], sits]
        return statements

    def _take_statements(self, statements: list[Statement]) -> None:
        """Add statements to the hand; table changes before the deal apply at once."""
        block = self.block
        assert block is not None  # noqa: S101 - the callers opened one
        for statement in statements:
            if statement.corrects:
                if correct_statement(block.statements, statement):
                    continue
                statement.kind = "unread"
            read_out_as_fold(block, statement, statements)
            read_gain_as_win(block, statement)
            if statement.kind in TABLE_KINDS:
                if block.has(_PLAY) and "this hand" not in statement.text:
                    self.later.append(statement)
                else:
                    self._take_fact_in_hand(statement)
            if statement.kind in _UNREAD_KINDS:
                self._note_doubt_of_hand(block, statement)
            block.statements.append(statement)

    def _note_doubt_of_hand(self, block: Block, statement: Statement) -> None:
        """Note who may leave or buy chips by unread words in a hand; they don't hold the hand back after its end."""
        is_over = block.has(_ENDINGS)
        tokens = tokenize(statement.text, self.roster.names())
        if not is_over and not any(token.low in remarks.LEAVING for token in tokens):
            return
        doubt = doubts.find_doubt(statement.text, self.roster, is_above=False)
        self.later_doubts.append((doubt, statement.line.number))
        if is_over and remarks.changes_no_result(statement.text, tokens):
            statement.kind = "remark"

    def _take_fact_in_hand(self, statement: Statement) -> None:
        """Apply a table fact within a hand; its lines go to the hand."""
        scratch = Block("table")
        table_events.take_event(self.roster, self.scale, statement, scratch)
        if scratch.problems:
            statement.kind = "unread"
            return
        fact_lines = [fact.text for fact in scratch.canonical_lines]
        if statement.kind == "chips":
            fact_lines = [f"remark {quote(statement.text)}"]
        statement.kind, statement.cards = "fact", "\n".join(fact_lines)

    # Blocks

    def _add_to_block(self, line: ScriptLine, kind: str) -> Block:
        """Add a line to its block and return the block; facts between hands share one."""
        if self.block is None:
            self.block = Block(kind)
        elif kind == "table" and self.block.kind == "heading":
            self.block.kind = "table"
        elif kind == "hand" and self.block.kind == "heading" and not self.block.problems:
            self.block = Block(kind, self.block.lines)
        self.block.lines.append(line)
        return self.block

    def _close_block(self) -> Iterator[Block]:
        block, self.block = self.block, None
        if block is None:
            return
        if block.kind != "hand" and not (block.problems or block.canonical_lines):
            block.kind = "heading"
            self.block = block  # belongs to the hand below it
            return
        block.header = [*game_lines.place_lines(self.heading), *self.strict_lines]
        if self.heading.level:
            block.header.append(f"level {write_word(self.heading.level)}")
        if block.kind == "hand":
            self._read_hand_block(block)
        elif game := game_lines.write_game_line(self.heading, self.scale, self._whole_text)[0]:
            block.header.append(game)  # amounts between hands are in its unit
        yield block

    def _read_hand_block(self, block: Block) -> None:
        hand = NotedHand(
            block.number, block.lines[0], block.statements, self.heading, self.roster, self.previous, scale=self.scale
        )
        hand.start = block.lines[0].start
        hand.first = next((statement.line for statement in block.statements), block.lines[0])
        game, derived = game_lines.write_game_line(self.heading, self.scale, self._whole_text)
        hand = read_hand(hand, game, block.lines[-1], derived=derived)
        block.canonical_lines, block.problems, block.remarks = hand.canonical_lines, hand.problems, hand.remarks
        for question in hand.problems:
            if question.silent_seat in self.roster.seats:
                self.roster.seats[question.silent_seat].may_be_absent = True
        stranger_line = next((question.line for question in hand.problems if self._names_stranger(question)), 0)
        self.roster.doubt = self.roster.doubt or stranger_line
        self.roster.carry_over(hand.dealt, hand.stacks, is_read=not hand.problems)
        self.previous = hand.previous
        if hand.proves_raise:
            self.proven_raises.add(hand.raise_means)
        for doubt, line_number in self.later_doubts:
            doubts.note_doubt(self.roster, doubt, line_number)
        self.later_doubts = []
        later_statements, self.later = self.later, []
        for statement in later_statements:
            table_events.take_event(self.roster, self.scale, statement, Block("table"))  # the hand already has its line

    def _names_stranger(self, question: NotesQuestion) -> bool:
        """Whether a question is about a seat that no list contains."""
        return question.named_seat > 0 and question.named_seat not in self.roster.seats

    # Between hands

    def _clear_seats(self) -> None:
        """Clear the roster before a new list of seats."""
        self.roster.seats = {}
        self.roster.doubt = 0

    def _seat_entries(self, entries: list[SeatEntry], line: ScriptLine) -> None:
        if {entry.seat for entry in entries} >= set(self.roster.seats):
            self.roster.doubt = 0  # the list names everybody
        for entry in entries:
            stack = entry.stack if entry.lists_stack else self.heading.stack_of_all
            if stack is not None and entry.in_blinds:
                stack = None if self.heading.big_blind is None else stack * self.heading.big_blind
            units = None if stack is None or entry.approximate else self._units(stack)
            self.roster.me = entry.seat if entry.is_writer else self.roster.me
            self.roster.seats[entry.seat] = Player(entry.name, units, line=line)
            self.roster.used_seats.add(entry.seat)
            self.roster.by_order = entry.by_order

    def _units(self, amount: Decimal) -> int:
        return int(amount.scaleb(self.scale))

    @property
    def _whole_text(self) -> str:
        return "\n".join(line.text for line in self.lines)
