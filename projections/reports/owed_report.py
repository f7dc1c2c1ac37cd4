"""The dues at a table, as a JSON document and as text for a terminal: who posts what, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec

from ledger import safe
from ledger.hand.titles import format_game_title
from ledger.table.breaks import Break
from ledger.text.language import give_reasons, join_and, join_clauses, join_each_and, join_list, join_sentences
from ledger.text.screen_lines import fill_columns, wrap_text
from ledger.vocabulary import Chips, Seat
from projections.amount_text import amount
from projections.audit.audit_result import BookRef
from projections.obligations.dues import Due, DuePost, Ground, Placement, SeatDue, list_blind_posters
from projections.reports import break_text, choice_text
from projections.reports.blind_labels import BLIND_ROLES, BlindRole, count_ground_from_button
from projections.reports.due_call import DueCall
from projections.reports.due_reasons import describe_doubts, drop_duplicate_grounds, format_ground, list_reasons
from projections.reports.placement_reasons import drop_repeated_grounds
from projections.reports.seat_options import SeatOptions
from projections.sentences import due as say
from projections.sentences import due_list as say_list
from projections.sentences.words import blind_name

_LABEL_WIDTH: Final = 13  # columns of "small blind" and the spaces after it
_NAME_WIDTH: Final = 20


class OccupiedSeat(msgspec.Struct, frozen=True):
    """An occupied seat."""

    seat: Seat
    player: str
    stack: Chips | None  # None = unknown
    presence: str  # "present", "away" or "unknown", as last recorded


class RecordedPost(msgspec.Struct, frozen=True):
    """A post in the record."""

    seat: Seat
    role: str
    live: Chips
    dead: Chips


class RecordedPositions(msgspec.Struct, frozen=True):
    """The positions and posts that the record shows for a past hand. None = not recorded."""

    button: Seat | None
    small: Seat | None
    big: Seat | None
    dealt: list[Seat]
    posts: list[RecordedPost]


class OwedDocument(msgspec.Struct, tag_field="schema", tag="handledger/owed/1"):
    """The dues of a table on the coming hand, or on a past hand. Amounts are in units of 10^-exponent of `unit`."""

    venue: str
    tournament: str
    table: str
    game: str
    unit: str
    exponent: int
    after: str  # number of the last hand before; "" = none
    before: str  # number of the requested hand; "" = the coming one
    books: list[BookRef]
    occupied: list[OccupiedSeat]
    recorded: RecordedPositions | None  # None for the coming hand
    due: list[Due]  # one for each book, in the order of `books`
    breaks: list[Break] = []  # breaks in the chain of earlier hands, oldest first
    playing: str = ""  # number of the hand being played, to which the dues belong; "" = no hand is being played


def format_screen(document: OwedDocument, *, width: int = 100, bold: Callable[[str], str] = str) -> str:
    """Return the dues under every book as text. Names and record text are sanitized; `bold` formats headings."""
    owed_page = _Page(document, width)
    table_label = say_list.table_title(document.tournament, document.table)
    text_lines = [bold(safe.terminal(f"{table_label}  {document.venue}  {format_game_title(document.game)}", width))]
    break_sentences = break_text.format_breaks(document.breaks, document.unit, document.exponent, max_breaks=3)
    text_lines += (
        wrapped_line for sentence in break_sentences for wrapped_line in wrap_text(sentence, width, later_indent="  ")
    )
    for book_ref, book_dues in zip(document.books, document.due, strict=True):
        text_lines += ["", *map(bold, owed_page.format_heading(book_ref)), *owed_page.format_due(book_dues)]
    return "\n".join(text_lines)


def format_summary(document: OwedDocument, *, width: int = 100, with_call: bool = True) -> list[str]:
    """Return a few lines for the first book: the call, positions without reasons, and seats that can't just play."""
    owed_page = _Page(document, width)
    call = [*owed_page.format_call(document.due[0])] if with_call else []
    return [*call, *owed_page.format_short(document.due[0], with_doubts=not with_call)]


def format_call(document: OwedDocument) -> str:
    """Return what a floor can call out under the first book, on one line."""
    return safe.terminal(_Page(document, 100).build_call(document.due[0]), 2000)


class _Page:
    """Formats the dues of one table in lines of at most `width` columns."""

    def __init__(self, document: OwedDocument, width: int) -> None:
        self._document = document
        self._width = width
        self._names = {
            occupied_seat.seat: safe.name(occupied_seat.player, _NAME_WIDTH) for occupied_seat in document.occupied
        }
        away_seats = {occupied.seat for occupied in document.occupied if occupied.presence == "away"}
        self._options = SeatOptions(away_seats, self._format_sum)

    def format_heading(self, book_ref: BookRef) -> list[str]:
        """Return the heading above one book's dues: the hand and the book, in lines."""
        document = self._document
        if document.before:
            title = say_list.was_due_on(document.before)
        elif document.playing:
            title = say_list.due_on_running(document.playing)
        else:
            title = say_list.due_on_coming(document.after)
        heading = say_list.under_book(title, book_ref.name, book_ref.edition)
        if book_ref.adopted:
            is_day = book_ref.adopted[0].isdigit()
            add_adoption = say_list.adopted_since if is_day else say_list.adopted_for
            heading = add_adoption(heading, book_ref.adopted)
        return wrap_text(safe.terminal(heading, 1000), self._width, later_indent="  ")

    def format_due(self, due: Due) -> Iterator[str]:
        """Yield one book's dues in full: the call, the positions by each reading, and every seat."""
        yield from self.format_call(due)
        if due.place is not None:
            yield say_list.positions_heading()
            yield from self._format_placement(due.place, is_called=True)
            readings = {(due.place.dealt, due.place.reading)}
            for placement in due.placements[1:]:
                distinctions = [safe.terminal(placement.reading, 60)] if placement.reading else []
                if (placement.dealt, placement.reading) in readings:
                    distinctions.append(self._list_posts(placement))
                readings.add((placement.dealt, placement.reading))
                condition = choice_text.describe_condition(due, placement, self._name_seat)
                yield from self._wrap_text(say_list.other_positions(condition, distinctions), 2, hanging_indent=4)
                yield from self._format_placement(placement, is_called=not due.place.judged)
        yield from self._format_choices(due)
        if self._document.recorded is not None:
            yield say_list.record_heading()
            yield from self._format_recorded(self._document.recorded)
        if due.seats:
            yield say_list.seats_heading()
            seat_by_reasons: dict[tuple[str, ...], Seat] = {}  # reasons → the first seat with them
            for seat_due in due.seats:
                yield from self._format_seat(seat_due, due, seat_by_reasons)

    def format_call(self, due: Due) -> Iterator[str]:
        """Yield the sentences that a floor manager can call out."""
        yield from self._wrap_text(safe.terminal(self.build_call(due, is_list_below=True), 2000), 2)

    def build_call(self, due: Due, *, is_list_below: bool = False) -> str:
        """Return the sentences that a floor manager can call out. `is_list_below`: the other answers follow them."""
        away_seats = [occupied.seat for occupied in self._document.occupied if occupied.presence == "away"]
        doubts = describe_doubts(due, None)
        call = DueCall(due, self._names, away_seats, self._format_sum, doubts, is_list_below=is_list_below)
        return call.build_text()

    def format_short(self, due: Due, *, with_doubts: bool) -> Iterator[str]:
        """Yield positions without reasons, and the seats that can't simply play. `with_doubts`: include doubts."""
        for placement_index, placement in enumerate(due.placements if len(due.placements) > 1 else ()):
            posts = [
                say_list.posts(self._name_seat(post.seat), self._format_post(post), post.role)
                for post in placement.posts
            ]
            condition = choice_text.describe_condition(due, placement, self._name_seat)
            positions = " · ".join(self._list_positions(placement))
            if condition:
                positions = give_reasons(say_list.other_positions(condition, []), positions)
            elif placement_index:
                positions = say_list.or_ways(positions)
            yield from self._wrap_text(positions, 2, hanging_indent=4)
            yield from self._wrap_text(join_clauses(posts) or say_list.nobody_posts(), 2, hanging_indent=4)
        if with_doubts and due.place is not None and (likely_text := describe_doubts(due, None)):
            yield from self._wrap_text(likely_text, 2, hanging_indent=4)
        yield from self._format_choices(due)
        seat_by_reasons: dict[tuple[str, ...], Seat] = {}
        for seat_due in due.seats:
            if seat_due.deal != "yes" or seat_due.missed or seat_due.button is False:
                yield from self._format_seat(seat_due, due, seat_by_reasons)

    def _list_positions(self, placement: Placement) -> list[str]:
        """Return the button, the blinds and who opens, each with its seat."""
        position_of = say_list.position_of
        positions = [position_of("button", self._name_position(placement.button, is_empty=placement.button_empty))]
        if placement.small_empty:
            positions.append(position_of("small", self._name_position(placement.small, is_empty=True)))
        elif placement.small is not None or placement.small_grounds:
            positions.append(position_of("small", self._name_posters(placement, "small")))
        positions.append(position_of("big", self._name_posters(placement, "big")))
        if list_blind_posters(placement, "extra"):
            positions.append(position_of("extra", self._name_posters(placement, "extra")))
        if placement.opener is not None:
            positions.append(position_of("opener", self._name_seat(placement.opener)))
        return positions

    def _name_position(self, seat: Seat | None, *, is_empty: bool = False) -> str:
        if seat is None:
            return say_list.no_holder()
        return say.empty_seat(seat, self._names.get(seat, "")) if is_empty else self._name_seat(seat)

    def _name_posters(self, placement: Placement, role: BlindRole) -> str:
        return join_each_and([*map(self._name_seat, list_blind_posters(placement, role))]) or say_list.no_holder()

    # Positions: the button, the blinds and their posts

    def _format_choices(self, due: Due) -> Iterator[str]:
        """Yield the positions for each choice of players, if the choice changes them."""
        for sentence in choice_text.describe_choices(due, self._name_seat):
            yield from self._wrap_text(sentence, 2, hanging_indent=4)

    def _format_placement(self, placement: Placement, *, is_called: bool = False) -> Iterator[str]:
        """Yield the positions and posts of one placement, each with its reasons.

        `is_called`: the call above says already whether the book settles them.
        """
        small_grounds, big_grounds = drop_repeated_grounds(placement)
        yield from self._format_position(
            None, placement.button, placement.button_grounds, is_empty=placement.button_empty
        )
        if placement.small is not None or placement.small_grounds:
            yield from self._format_blind(
                placement, "small", placement.small, small_grounds, is_empty=placement.small_empty
            )
        yield from self._format_blind(placement, "big", placement.big, big_grounds)
        if placement.extra is not None:
            yield from self._format_blind(placement, "extra", placement.extra, ())
        for post in placement.posts:
            if post.role not in BLIND_ROLES:
                post_text = say_list.posts(self._name_seat(post.seat), self._format_post(post), post.role)
                yield from self._wrap_text(_add_grounds(post_text, post.grounds), 2, hanging_indent=2 + _LABEL_WIDTH)
        if placement.opener is not None:
            opener_text = say_list.acts_first(self._name_seat(placement.opener))
            yield f"  {_format_label(say_list.opener_label())}{opener_text}"
        if placement.last is not None:
            last_text = say_list.acts_last(self._name_seat(placement.last))
            yield f"  {_format_label(say_list.last_label())}{last_text}"
        if not placement.judged and not is_called:
            unsettled_text = say.unsettled_collision() if placement.has_collision else say.unsettled()
            yield from self._wrap_text(unsettled_text, 2)
        elif placement.judged and placement.doubtful:
            yield from self._wrap_text(say.possible_reading(), 2)

    def _format_blind(
        self,
        placement: Placement,
        role: BlindRole,
        position: Seat | None,
        grounds: tuple[Ground, ...],
        *,
        is_empty: bool = False,
    ) -> Iterator[str]:
        """Yield a line for each seat that posts a blind; if the blind is dead or unposted, a line for its position."""
        posts = {post.seat: post for post in placement.posts if post.role == role}
        if is_empty or not posts:
            yield from self._format_position(role, position, grounds, is_empty=is_empty)
        if role == "big" and placement.small not in (None, *list_blind_posters(placement, "small")):
            grounds = tuple(count_ground_from_button(placement, ground) for ground in grounds)
        for seat, post in posts.items():
            seat_grounds = grounds if seat == position else post.grounds
            yield from self._format_position(role, seat, seat_grounds, post=post)

    def _list_posts(self, placement: Placement) -> str:
        """Return who posts what, to distinguish two placements of the same reading."""
        posts = [say_list.posts_price(post.seat, self._format_post(post)) for post in placement.posts]
        return join_list(posts) or say_list.nobody_posts()

    def _format_position(
        self,
        role: BlindRole | None,
        seat: Seat | None,
        grounds: Iterable[Ground],
        *,
        is_empty: bool = False,
        post: DuePost | None = None,
    ) -> Iterator[str]:
        """Yield the lines of a position; a role of None is the button."""
        if seat is None:
            seat_text = say_list.no_holder() if role == "small" else say_list.open_position()
        elif is_empty:
            seat_text = say_list.undealt_seat_unposted(seat) if role == "small" else say_list.undealt_seat(seat)
        else:
            seat_text = self._name_seat(seat)
        if post is not None and not is_empty:
            seat_text = f"{seat_text} {self._format_post(post)}"
        label = _format_label(say_list.button_label() if role is None else blind_name(role))
        yield from self._wrap_text(label + _add_grounds(seat_text, grounds), 2, hanging_indent=2 + _LABEL_WIDTH)

    def _format_recorded(self, recorded: RecordedPositions) -> Iterator[str]:
        """Yield the positions and posts that the record shows."""
        button_text = say_list.not_recorded() if recorded.button is None else self._name_seat(recorded.button)
        yield f"  {_format_label(say_list.button_label())}{button_text}"
        for role, seat in (("small", recorded.small), ("big", recorded.big)):
            if seat is not None:
                yield f"  {_format_label(blind_name(role))}{self._name_seat(seat)}"
        for post in recorded.posts:
            live_text = self._format_chips(post.live) if post.live or not post.dead else ""
            dead_text = say_list.dead_amount(self._format_chips(post.dead)) if post.dead else ""
            chips_text = join_and([*filter(None, (live_text, dead_text))])
            post_text = f"{self._name_seat(post.seat)} {chips_text}"
            label = _format_label(say_list.posted_label())
            yield f"  {label}{say_list.post_for(post_text, safe.terminal(post.role, 20))}"

    # Seats: what each player does to be dealt in

    def _format_seat(self, seat_due: SeatDue, due: Due, seat_by_reasons: dict[tuple[str, ...], Seat]) -> Iterator[str]:
        """Yield a seat's line and its reasons. If an earlier seat has the same reasons, refer to that seat instead."""
        stacks = {occupied_seat.seat: occupied_seat.stack for occupied_seat in self._document.occupied}
        stack_chips = stacks.get(seat_due.seat)
        stack_text = "" if stack_chips is None else self._format_chips(stack_chips)
        name_column = fill_columns(self._names.get(seat_due.seat, ""), _NAME_WIDTH)
        seat_columns = f"{seat_due.seat:>4} {name_column} {stack_text:>9}  "
        reasons = list_reasons(seat_due, due)
        first_seat = seat_by_reasons.setdefault(reasons, seat_due.seat) if reasons else seat_due.seat
        is_like_other_seat = first_seat != seat_due.seat
        text = self._options.describe(seat_due, due)
        if is_like_other_seat:
            text = say_list.as_seat(text, first_seat)
        yield from self._wrap_text(seat_columns + text, 0, hanging_indent=safe.columns(seat_columns))
        for reason in reasons if not is_like_other_seat else ():
            yield from self._wrap_text("- " + reason, 6, hanging_indent=8)

    # Names and amounts

    def _name_seat(self, seat: Seat) -> str:
        return say_list.seat_name(seat, self._names.get(seat, ""))

    def _format_chips(self, chips: Chips | None) -> str:
        return amount(chips, self._document.unit, self._document.exponent)

    def _format_sum(self, live: Chips | None, dead: Chips | None) -> str:
        if dead:
            return say.live_and_dead_sum(self._format_chips(live), self._format_chips(dead))
        return say.unrecorded_amount() if live is None else self._format_chips(live)

    def _format_post(self, post: DuePost) -> str:
        return self._format_sum(post.live, post.dead)

    def _wrap_text(self, line: str, indent: int, *, hanging_indent: int | None = None) -> list[str]:
        # Keep the spaces of the columns before the text.
        return wrap_text(
            line,
            self._width,
            first_indent=" " * indent,
            later_indent=" " * (indent if hanging_indent is None else hanging_indent),
            breaks_at_hyphens=False,
        )


def _format_label(label: str) -> str:
    return fill_columns(f"{label} ", _LABEL_WIDTH)


def _add_grounds(text: str, grounds: Iterable[Ground]) -> str:
    reasons = join_sentences([*map(format_ground, drop_duplicate_grounds(grounds))])
    return give_reasons(text, reasons) if reasons else text
