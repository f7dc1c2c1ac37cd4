"""The blinds due at a table, as a JSON document and as text for a terminal: who posts what, and why."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec

from ledger import safe
from ledger.hand.titles import game_title
from ledger.table.breaks import Break
from ledger.vocabulary import Chips, Seat
from projections.amount_text import amount
from projections.audit.audit_result import BookRef
from projections.findings.doubts import summarize_doubts
from projections.obligations.dues import Due, DuePost, Ground, Placement, SeatDue, WayIn, blind_posters
from projections.reports import break_text, choice_text
from projections.reports.blind_labels import BLIND_LABELS, BlindRole, count_ground_from_button, list_roles
from projections.reports.due_call import DueCall
from projections.reports.placement_reasons import drop_repeated_grounds
from projections.reports.ways_in import is_current_way, may_wait_for_big_blind, must_kill_pot
from projections.sentences import due as say

_ROLE_TEXTS: Final = {
    "small": ", the small blind",
    "big": ", the big blind",
    "extra": ", the third blind",
    "entry": " to enter",
    "makeup": " for missed blinds",
    "straddle": ", the straddle",
    "kill": ", the kill",
}
_WAY_TEXTS: Final = {
    "big-blind": "waits for the big blind",
    "button-passes": "waits until the button has passed",
    "position": "waits until its old position comes",
    "straddle": "straddles",
    "buy-button": "buys the button",
    "free": "plays without a post",
    "kill": "kills the pot",
    "post": "posts",
}
_STANDING_TEXTS: Final = {
    "playing": "plays",
    "new": "new here",
    "owing": "owes",
    "waiting": "waits",
    "away": "away",
    "broke": "no chips",
    "unknown": "unknown",
}
_POSTED_TEXTS: Final = {
    "small": "small blind",
    "big": "big blind",
    "extra": "extra blind",
    "makeup": "missed blinds",
    "makeup-small": "missed small blind",
    "makeup-big": "missed big blind",
}
"""Card-room names of posts, if the record's name differs."""

_LABEL_WIDTH: Final = 13  # columns of "small blind" and the spaces after it
_NAME_WIDTH: Final = 20


class Occupied(msgspec.Struct, frozen=True):
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


class Recorded(msgspec.Struct, frozen=True):
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
    occupied: list[Occupied]
    recorded: Recorded | None  # None for the coming hand
    due: list[Due]  # one for each book, in the order of `books`
    breaks: list[Break] = []  # breaks in the chain of earlier hands, oldest first
    playing: str = ""  # number of the hand that is being played: the dues are those on it; "" = none is


def format_screen(document: OwedDocument, *, width: int = 100, bold: Callable[[str], str] = str) -> str:
    """Return the dues under every book as text. Names and record text are sanitized; `bold` formats headings."""
    owed_page = _Page(document, width)
    table_label = (
        f"tournament {document.tournament} table {document.table}" if document.tournament else f"table {document.table}"
    )
    text_lines = [bold(safe.terminal(f"{table_label}  {document.venue}  {game_title(document.game)}", width))]
    break_sentences = break_text.format_breaks(document.breaks, document.unit, document.exponent, max_breaks=3)
    text_lines += (
        wrapped_line
        for sentence in break_sentences
        for wrapped_line in textwrap.wrap(sentence, width, subsequent_indent="  ")
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
    return " ".join(line.strip() for line in _Page(document, 100).format_call(document.due[0]))


class _Page:
    """Formats the dues of one table in lines of at most `width` columns."""

    def __init__(self, document: OwedDocument, width: int) -> None:
        self._document = document
        self._width = width
        self._names = {
            occupied_seat.seat: safe.name(occupied_seat.player, _NAME_WIDTH) for occupied_seat in document.occupied
        }

    def format_heading(self, book_ref: BookRef) -> list[str]:
        """Return the heading above one book's dues: the hand and the book, in lines."""
        document = self._document
        title = f"What is due on the coming hand{f', after hand {document.after}' if document.after else ''}"
        if document.before:
            title = f"What was due on hand {document.before}"
        elif document.playing:
            title = f"What is due on hand {document.playing}, which is being played"
        period = f"from {book_ref.adopted}" if book_ref.adopted[:1].isdigit() else book_ref.adopted
        adoption = f", adopted {period}" if period else ""
        heading = safe.terminal(f"{title}, under {book_ref.name} ({book_ref.edition}){adoption}", 1000)
        return textwrap.wrap(heading, self._width, subsequent_indent="  ")

    def format_due(self, due: Due) -> Iterator[str]:
        """Yield one book's dues in full: the call, the positions by each reading, and every seat."""
        yield from self.format_call(due)
        if due.place is not None:
            yield "positions"
            yield from self._format_placement(due.place, is_called=True)
            readings = {(due.place.dealt, due.place.reading)}
            for placement in due.placements[1:]:
                distinctions = [safe.terminal(placement.reading, 60)] if placement.reading else []
                if (placement.dealt, placement.reading) in readings:
                    distinctions.append(self._list_posts(placement))
                readings.add((placement.dealt, placement.reading))
                distinction = f" ({'; '.join(distinctions)})" if distinctions else ""
                condition = choice_text.describe_condition(due, placement, self._name_seat)
                yield from self._wrap_text(
                    f"or, {f'if {condition}' if condition else 'by another reading'}{distinction}", 2, hanging_indent=4
                )
                yield from self._format_placement(placement, is_called=not due.place.judged)
        yield from self._format_choices(due)
        if self._document.recorded is not None:
            yield "on record"
            yield from self._format_recorded(self._document.recorded)
        if due.seats:
            yield "seats"
            seat_by_reasons: dict[tuple[str, ...], Seat] = {}  # reasons → the first seat with them
            for seat_due in due.seats:
                yield from self._format_seat(seat_due, due, seat_by_reasons)

    def format_call(self, due: Due) -> Iterator[str]:
        """Yield the sentences that a floor manager can call out."""
        away_seats = [occupied.seat for occupied in self._document.occupied if occupied.presence == "away"]
        call = DueCall(due, self._names, away_seats, self._format_sum, _describe_doubts(due, None))
        yield from self._wrap_text(safe.terminal(call.build_text(), 2000), 2)

    def format_short(self, due: Due, *, with_doubts: bool) -> Iterator[str]:
        """Yield positions without reasons, and the seats that can't simply play. `with_doubts`: no call is above."""
        for placement_index, placement in enumerate(due.placements if len(due.placements) > 1 else ()):
            post_sentences = [
                f"{self._name_seat(post.seat)} posts {self._format_post(post)}{_ROLE_TEXTS[post.role]}"
                for post in placement.posts
            ]
            condition = choice_text.describe_condition(due, placement, self._name_seat)
            introduction = f"or, if {condition}: " if condition else "or " if placement_index else ""
            positions = " · ".join(self._list_positions(placement))
            yield from self._wrap_text(introduction + positions, 2, hanging_indent=4)
            yield from self._wrap_text("; ".join(post_sentences) or "nobody posts", 2, hanging_indent=4)
        if with_doubts and due.place is not None and (likely_text := _describe_doubts(due, None)):
            yield from self._wrap_text(likely_text, 2, hanging_indent=4)
        yield from self._format_choices(due)
        seat_by_reasons: dict[tuple[str, ...], Seat] = {}
        for seat_due in due.seats:
            if seat_due.deal != "yes" or seat_due.missed or seat_due.button is False:
                yield from self._format_seat(seat_due, due, seat_by_reasons)

    def _list_positions(self, placement: Placement) -> list[str]:
        """Return the button, the blinds and who opens, each with its seat."""
        positions = [f"button {self._name_position(placement.button, is_empty=placement.button_empty)}"]
        if placement.small_empty:
            positions.append(f"small blind {self._name_position(placement.small, is_empty=True)}")
        elif placement.small is not None or placement.small_grounds:
            positions.append(f"small blind {self._name_posters(placement, 'small')}")
        positions.append(f"big blind {self._name_posters(placement, 'big')}")
        if blind_posters(placement, "extra"):
            positions.append(f"third blind {self._name_posters(placement, 'extra')}")
        if placement.opener is not None:
            positions.append(f"opens {self._name_seat(placement.opener)}")
        return positions

    def _name_position(self, seat: Seat | None, *, is_empty: bool = False) -> str:
        if seat is None:
            return "nobody"
        return f"seat {seat} (empty)" if is_empty else self._name_seat(seat)

    def _name_posters(self, placement: Placement, role: BlindRole) -> str:
        return " and ".join(map(self._name_seat, blind_posters(placement, role))) or "nobody"

    # Positions: the button, the blinds and their posts

    def _format_choices(self, due: Due) -> Iterator[str]:
        """Yield the positions for each choice of players, if the choice changes them."""
        for sentence in choice_text.describe_choices(due, self._name_seat):
            yield from self._wrap_text(sentence, 2, hanging_indent=4)

    def _format_placement(self, placement: Placement, *, is_called: bool = False) -> Iterator[str]:
        """Yield the positions and posts of one placement, each with its reasons.

        `is_called`: the call above has said whether the book settles them.
        """
        small_grounds, big_grounds = drop_repeated_grounds(placement)
        yield from self._format_position(
            "button", placement.button, placement.button_grounds, is_empty=placement.button_empty
        )
        if placement.small is not None or placement.small_grounds:
            yield from self._format_blind(
                placement, "small", placement.small, small_grounds, is_empty=placement.small_empty
            )
        yield from self._format_blind(placement, "big", placement.big, big_grounds)
        if placement.extra is not None:
            yield from self._format_blind(placement, "extra", placement.extra, ())
        for post in placement.posts:
            if post.role not in BLIND_LABELS:
                post_text = f"{self._name_seat(post.seat)} posts {self._format_post(post)}{_ROLE_TEXTS[post.role]}"
                yield from self._wrap_text(
                    f"{post_text}{_format_grounds(post.grounds)}", 2, hanging_indent=2 + _LABEL_WIDTH
                )
        if placement.opener is not None:
            yield f"  {'acts first':<{_LABEL_WIDTH}}{self._name_seat(placement.opener)}, in the first round"
        if placement.last is not None:
            yield f"  {'acts last':<{_LABEL_WIDTH}}{self._name_seat(placement.last)}, in later rounds, if nobody folds"
        if not placement.judged and not is_called:
            yield from self._wrap_text(say.unsettled(), 2)
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
        label = BLIND_LABELS[role]
        if is_empty or not posts:
            yield from self._format_position(label, position, grounds, is_empty=is_empty)
        if role == "big" and placement.small not in (None, *blind_posters(placement, "small")):
            grounds = tuple(count_ground_from_button(placement, ground) for ground in grounds)
        for seat, post in posts.items():
            seat_grounds = grounds if seat == position else post.grounds
            yield from self._format_position(label, seat, seat_grounds, post=post)

    def _list_posts(self, placement: Placement) -> str:
        """Return who posts what, to tell two placements of the same reading apart."""
        post_sentences = [f"seat {post.seat} posts {self._format_post(post)}" for post in placement.posts]
        return ", ".join(post_sentences) or "nobody posts"

    def _format_position(
        self,
        label: str,
        seat: Seat | None,
        grounds: Iterable[Ground],
        *,
        is_empty: bool = False,
        post: DuePost | None = None,
    ) -> Iterator[str]:
        if seat is None:
            seat_text = "nobody" if label == "small blind" else "open"
        else:
            seat_text = f"seat {seat}, empty" if is_empty else self._name_seat(seat)
        chips_text = f" {self._format_post(post)}" if post is not None and not is_empty else ""
        unpaid_text = " (not posted)" if is_empty and label == "small blind" else ""
        yield from self._wrap_text(
            f"{label:<{_LABEL_WIDTH}}{seat_text}{chips_text}{unpaid_text}{_format_grounds(grounds)}",
            2,
            hanging_indent=2 + _LABEL_WIDTH,
        )

    def _format_recorded(self, recorded: Recorded) -> Iterator[str]:
        """Yield the positions and posts that the record shows."""
        for label, seat in (("button", recorded.button), ("small blind", recorded.small), ("big blind", recorded.big)):
            if seat is None and label != "button":
                continue
            yield f"  {label:<{_LABEL_WIDTH}}{'not recorded' if seat is None else self._name_seat(seat)}"
        for post in recorded.posts:
            live_text = self._format_chips(post.live) if post.live or not post.dead else ""
            dead_text = f"{self._format_chips(post.dead)} dead" if post.dead else ""
            chips_text = " and ".join(filter(None, (live_text, dead_text)))
            role_text = _POSTED_TEXTS.get(post.role) or safe.terminal(post.role, 20)
            yield f"  {'posted':<{_LABEL_WIDTH}}{self._name_seat(post.seat)} {chips_text} ({role_text})"

    # Seats: what each player does to be dealt in

    def _format_seat(self, seat_due: SeatDue, due: Due, seat_by_reasons: dict[tuple[str, ...], Seat]) -> Iterator[str]:
        """Yield a seat's line and its reasons; for reasons that an earlier seat has too, only refer to that seat."""
        stacks = {occupied_seat.seat: occupied_seat.stack for occupied_seat in self._document.occupied}
        stack_chips = stacks.get(seat_due.seat)
        stack_text = "" if stack_chips is None else self._format_chips(stack_chips)
        seat_columns = f"{seat_due.seat:>4} {self._names.get(seat_due.seat, ''):<{_NAME_WIDTH}} {stack_text:>9}  "
        reasons = _list_reasons(seat_due, due)
        first_seat = seat_by_reasons.setdefault(reasons, seat_due.seat) if reasons else seat_due.seat
        reference = f", as seat {first_seat}" if first_seat != seat_due.seat else ""
        yield from self._wrap_text(
            seat_columns + self._describe_options(seat_due, due) + reference, 0, hanging_indent=len(seat_columns)
        )
        for reason in reasons if not reference else ():
            yield from self._wrap_text("- " + reason, 6, hanging_indent=8)

    def _describe_options(self, seat_due: SeatDue, due: Due) -> str:
        """Describe whether a seat is dealt in, the positions it has, and the other ways it may play."""
        statements = [self._describe_deal(seat_due, due)]
        if due.place is not None and seat_due.deal == "yes":
            statements += list_roles(due.place, seat_due.seat)
        alternatives = [way_in for way_in in seat_due.ways_in if not is_current_way(way_in, seat_due, due.place)]
        if may_wait_for_big_blind(seat_due, due, alternatives):
            statements.append("or waits")
        if alternatives:
            way_texts = dict.fromkeys(map(self._describe_way, alternatives))
            may_play_now = seat_due.deal in ("if-posts", "yes")
            statements.append(("or " if may_play_now else "") + " or ".join(way_texts))
        text = ", ".join(statements)
        if seat_due.button is False and seat_due.deal in ("yes", "if-posts"):
            return say.without_button(text)
        return text

    def _describe_deal(self, seat_due: SeatDue, due: Due) -> str:
        """Describe whether a seat is dealt in, and what it costs."""
        # For a player who is away, the options say what it takes to come back.
        may_come_back = seat_due.deal in ("if-posts", "open") and self._is_away(seat_due.seat)
        away_text = "away, " if may_come_back else ""
        if seat_due.deal == "yes":
            is_free = any(way_in.kind == "free" for way_in in seat_due.ways_in)
            return self._describe_play(seat_due, due) + (" without a post" if is_free else "")
        if seat_due.deal == "if-posts" and must_kill_pot(seat_due):
            return f"{away_text}may play if it kills the pot (the book gives no amount)"
        if seat_due.deal == "if-posts":
            post_sums = [self._format_sum(post.live, post.dead) for post in seat_due.possible_posts or (seat_due,)]
            return f"{away_text}may play if it posts {' or '.join(dict.fromkeys(post_sums))}"
        if seat_due.deal == "no":
            is_absent = seat_due.status in ("away", "broke")
            plays_by_another_reading = any(seat_due.seat in placement.dealt for placement in due.placements[1:])
            absence_text = _STANDING_TEXTS[seat_due.status] if is_absent else "gets no cards"
            return absence_text + " by the first reading" * plays_by_another_reading
        is_known = seat_due.status != "unknown"
        return f"{away_text}can't tell{f' ({_STANDING_TEXTS[seat_due.status]})' if is_known else ''}"

    def _is_away(self, seat: Seat) -> bool:
        return any(occupied.presence == "away" for occupied in self._document.occupied if occupied.seat == seat)

    def _describe_play(self, seat_due: SeatDue, due: Due) -> str:
        """Return that a seat plays, and what it would post if other choices moved the positions."""
        plays = "plays" if seat_due.status != "new" else "may play at once"
        posts = [
            post
            for choice in due.choices
            if seat_due.seat in choice.posting
            for post in choice.post
            if post.seat == seat_due.seat
        ]
        if not posts:
            return plays
        sums = " or ".join(dict.fromkeys(self._format_post(post) for post in posts))
        if due.place is not None and seat_due.seat == (due.place.extra or due.place.big):
            blind = BLIND_LABELS["big" if due.place.extra is None else "extra"]
            return f"may play in the {blind}, elsewhere if it posts {sums}"
        return f"{plays}, by another reading if it posts {sums}"

    def _describe_way(self, way_in: WayIn) -> str:
        """Return one way to be dealt in, with its price and the hands to wait."""
        way_text = _WAY_TEXTS[way_in.kind]
        has_payment = way_in.live is None or way_in.dead is None or way_in.live + way_in.dead
        if has_payment and way_in.kind in ("post", "straddle", "buy-button", "kill"):
            is_known = way_in.live is not None
            unknown_text = " (the book gives no price)" if way_in.kind == "buy-button" else " (amount not recorded)"
            way_text += f" {self._format_sum(way_in.live, way_in.dead)}" if is_known else unknown_text
        if way_in.hands_to_wait:
            way_text += f" ({way_in.hands_to_wait} {'hand' if way_in.hands_to_wait == 1 else 'hands'})"
        return way_text

    # Names and amounts

    def _name_seat(self, seat: Seat) -> str:
        player_name = self._names.get(seat)
        return f"seat {seat} {player_name}" if player_name else f"seat {seat}"

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
        return textwrap.wrap(
            line,
            self._width,
            initial_indent=" " * indent,
            subsequent_indent=" " * (indent if hanging_indent is None else hanging_indent),
            break_long_words=True,
            break_on_hyphens=False,
            drop_whitespace=True,
        )


def _list_reasons(seat_due: SeatDue, due: Due) -> tuple[str, ...]:
    """Return why a seat owes something or isn't dealt in; () for a seat that simply plays."""
    if seat_due.deal == "yes" and not seat_due.post and not seat_due.missed:
        return ()
    grounds = _unique_grounds((*seat_due.grounds, *(missed_blind.ground for missed_blind in seat_due.missed)))
    likely_text = _describe_doubts(due, seat_due.seat) if seat_due.deal != "open" else ""
    return (*map(_format_ground, grounds), *([likely_text] if likely_text else ()))


def _unique_grounds(grounds: Iterable[Ground]) -> list[Ground]:
    return list({ground.sentence: ground for ground in grounds}.values())


def _format_ground(ground: Ground) -> str:
    citation = f" [{', '.join(ground.clauses)}]" if ground.clauses else ""
    if ground.is_question:
        return f"{say.open_question(safe.terminal(ground.sentence, 300))}{citation}"
    weight = {"fallback": " (usual practice)", "assumed": " (assumed)"}.get(ground.basis, "")
    return f"{safe.terminal(ground.sentence, 300)}{weight}{citation}"


def _format_grounds(grounds: Iterable[Ground]) -> str:
    reasons = " ".join(_format_ground(ground) for ground in _unique_grounds(grounds))
    return f": {reasons}" if reasons else ""


def _describe_doubts(due: Due, seat: Seat | None) -> str:
    """Return why a seat's dues, or the positions (seat None), are uncertain; "" = they are certain.

    A seat's doubts that the positions share are left out.
    """
    doubt_by_seat = {doubt.seat: doubt for doubt in due.doubts}
    seat_doubt, position_doubt = doubt_by_seat.get(seat), doubt_by_seat.get(None)
    if seat_doubt is None:
        return ""
    position_reasons = position_doubt.sentences if position_doubt is not None and seat is not None else ()
    seat_reasons = [reason for reason in seat_doubt.sentences if reason not in position_reasons]
    return (
        say.likely(safe.terminal(summarize_doubts(seat_reasons, seat_doubt.farther_doubt_count), 400))
        if seat_reasons
        else ""
    )
