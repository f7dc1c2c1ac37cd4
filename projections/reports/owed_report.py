"""What a table is owed, as one document and as one screen for people: due now, who, and why."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec

from ledger import safe
from ledger.hand.titles import titled
from ledger.table.breaks import Break
from ledger.vocabulary import Chips, Seat
from projections.amount_text import amount
from projections.audit.audit_result import BookRef
from projections.findings.doubts import doubtful
from projections.obligations.dues import Due, DuePost, Ground, Placement, SeatDue, Way
from projections.reports import chain, choices

_ROLES: Final = {
    "small": ", the small blind",
    "big": ", the big blind",
    "extra": ", the third blind",
    "entry": " to enter",
    "makeup": " for missed blinds",
    "straddle": ", the straddle",
    "kill": ", the kill",
}
"""What a post is for, behind its sum."""
_WAYS: Final = {
    "big-blind": "waits for the big blind",
    "button-passes": "waits until the button has passed",
    "position": "waits until its old position comes",
    "straddle": "straddles",
    "buy-button": "buys the button",
    "free": "plays without a post",
    "kill": "kills the pot",
    "post": "posts",
}
_STANDING: Final = {
    "playing": "plays",
    "new": "new here",
    "owing": "owes",
    "waiting": "waits",
    "away": "away",
    "broke": "no chips",
    "unknown": "unknown",
}
_POSTED: Final = {
    "small": "small blind",
    "big": "big blind",
    "extra": "extra blind",
    "makeup": "missed blinds",
    "makeup-small": "missed small blind",
    "makeup-big": "missed big blind",
}
"""What a post is called at the table, where the record's word is another."""

_LABEL: Final = 13  # columns of "small blind" and the blanks round it
_NAME: Final = 20


class Occupied(msgspec.Struct, frozen=True):
    """A seat that somebody holds. `presence` is as the record told it last."""

    seat: Seat
    player: str
    stack: Chips | None
    presence: str


class RecordedPost(msgspec.Struct, frozen=True):
    """A post as the record tells it."""

    seat: Seat
    role: str
    live: Chips
    dead: Chips


class Recorded(msgspec.Struct, frozen=True):
    """What the record says of the hand that was asked for. None = it does not tell."""

    button: Seat | None
    small: Seat | None
    big: Seat | None
    dealt: list[Seat]
    posts: list[RecordedPost]


class OwedDocument(msgspec.Struct, tag_field="schema", tag="handledger/owed/1"):
    """What is due at a table: on the coming hand, or on `before`, the number of a hand of the past.

    One `due` for each book, in the order in which they were asked for. Amounts are integers in
    units of 10^-exponent of `unit`.
    """

    venue: str
    tournament: str
    table: str
    game: str
    unit: str
    exponent: int
    after: str  # number of the last hand before; "" = none
    before: str  # number of the hand asked for; "" = the coming one
    books: list[BookRef]
    occupied: list[Occupied]
    recorded: Recorded | None
    due: list[Due]
    breaks: list[Break] = []  # where the chain of hands before breaks, oldest first


def text(document: OwedDocument, *, width: int = 100, bold: Callable[[str], str] = str) -> str:
    """Return the screen. `bold` marks headings; names and what the record wrote are made harmless."""
    page = _Page(document, width)
    where = (
        f"tournament {document.tournament} table {document.table}" if document.tournament else f"table {document.table}"
    )
    lines = [bold(safe.terminal(f"{where}  {document.venue}  {titled(document.game)}", width))]
    said = chain.sentences(document.breaks, document.unit, document.exponent, most=3)
    lines += (line for one in said for line in textwrap.wrap(one, width, subsequent_indent="  "))
    for book, due in zip(document.books, document.due, strict=True):
        lines += ["", bold(page.heading(book)), *page.under(due)]
    return "\n".join(lines)


def short(document: OwedDocument, *, width: int = 100) -> list[str]:
    """Return what is due under the first book in a few lines: positions without their reasons, and who may not simply play."""
    return [*_Page(document, width).short(document.due[0])]


class _Page:
    def __init__(self, document: OwedDocument, width: int) -> None:
        self._document = document
        self._width = width
        self._names = {one.seat: safe.name(one.player, _NAME) for one in document.occupied}

    def heading(self, book: BookRef) -> str:
        told = self._document
        what = (
            f"What was due on hand {told.before}"
            if told.before
            else f"What is due on the coming hand{f', after hand {told.after}' if told.after else ''}"
        )
        adopted = f", adopted {book.adopted}" if book.adopted else ""
        return safe.terminal(f"{what}, under {book.name} ({book.edition}){adopted}", self._width)

    def under(self, due: Due) -> Iterator[str]:
        if due.unknown:
            yield from self._wrap(f"Nothing can be said: {safe.terminal(due.unknown, 400)}.", 2)
        if due.place is not None:
            yield "now due"
            if likely := _likely(due, None):
                yield from self._wrap(f"- {likely}", 2, hang=4)
            yield from self._placement(due.place)
            readings = {(due.place.dealt, due.place.reading)}
            for other in due.placements[1:]:
                sets_apart = [safe.terminal(other.reading, 60)] if other.reading else []
                if (other.dealt, other.reading) in readings:
                    sets_apart.append(self._all_posts(other))
                readings.add((other.dealt, other.reading))
                apart = f" ({'; '.join(sets_apart)})" if sets_apart else ""
                told = choices.condition(due, other, self._at)
                yield from self._wrap(f"or, {f'if {told}' if told else 'by another reading'}{apart}", 2, hang=4)
                yield from self._placement(other)
        yield from self._choices(due)
        if self._document.recorded is not None:
            yield "on record"
            yield from self._recorded(self._document.recorded)
        if due.seats:
            yield "seats"
            said: dict[tuple[str, ...], Seat] = {}  # reasons → the seat that had them first
            for seat in due.seats:
                yield from self._seat(seat, due, said)

    def short(self, due: Due) -> Iterator[str]:
        if due.unknown:
            yield from self._wrap(f"Nothing can be said: {safe.terminal(due.unknown, 400)}.", 2)
        for nth, place in enumerate(due.placements):
            named = [f"button {self._spot(place.button, empty=place.button_empty)}"]
            if place.small is not None or place.small_why:
                named.append(f"small blind {self._spot(place.small, empty=place.small_empty)}")
            named.append(f"big blind {self._spot(place.big)}")
            if place.opener is not None:
                named.append(f"opens {self._at(place.opener)}")
            posts = [f"{self._at(post.seat)} posts {self._chips(post)}{_ROLES[post.role]}" for post in place.posts]
            told = choices.condition(due, place, self._at)
            apart = f"or, if {told}: " if told else "or " if nth else ""
            yield from self._wrap(apart + " · ".join(named), 2, hang=4)
            yield from self._wrap("; ".join(posts) or "nobody posts", 2, hang=4)
        if due.place is not None and (likely := _likely(due, None)):
            yield from self._wrap(likely, 2, hang=4)
        yield from self._choices(due)
        said: dict[tuple[str, ...], Seat] = {}
        for seat in due.seats:
            if seat.deal != "yes" or seat.missed or seat.button is False:
                yield from self._seat(seat, due, said)

    def _spot(self, seat: Seat | None, *, empty: bool = False) -> str:
        if seat is None:
            return "nobody"
        return f"seat {seat} (empty)" if empty else self._at(seat)

    # Positions

    def _choices(self, due: Due) -> Iterator[str]:
        """Say where the positions are by who comes in, if that changes them."""
        for sentence in choices.sentences(due, self._at):
            yield from self._wrap(sentence, 2, hang=4)

    def _placement(self, place: Placement) -> Iterator[str]:
        yield from self._position("button", place.button, place.button_why, empty=place.button_empty)
        # A blind that another seat owes is no part of the position.
        paid: dict[tuple[str, Seat | None], DuePost] = {(post.role, post.seat): post for post in place.posts}
        if place.small is not None or place.small_why:
            yield from self._position(
                "small blind",
                place.small,
                place.small_why,
                empty=place.small_empty,
                post=paid.get(("small", place.small)),
            )
        yield from self._position("big blind", place.big, place.big_why, post=paid.get(("big", place.big)))
        if place.extra is not None:
            yield from self._position("third blind", place.extra, (), post=paid.get(("extra", place.extra)))
        at = {("small", place.small), ("big", place.big), ("extra", place.extra)}
        for post in place.posts:
            if (post.role, post.seat) not in at:
                said = f"{self._at(post.seat)} posts {self._chips(post)}{_ROLES[post.role]}"
                yield from self._wrap(f"{said}{_because(post.why)}", 2, hang=2 + _LABEL)
        if place.opener is not None:
            yield f"  {'opens':<{_LABEL}}{self._at(place.opener)}"
        if place.last is not None:
            yield f"  {'last to act':<{_LABEL}}{self._at(place.last)}, if nobody folds"
        if not place.judged:
            yield from self._wrap("The book doesn't settle this. Shown: usual practice; nobody is judged by it.", 2)
        elif place.doubtful:
            yield from self._wrap("The text can be read so. A hand dealt so is likely wrong, not certainly.", 2)

    def _all_posts(self, place: Placement) -> str:
        """Return who posts what by a reading that is called as one before it."""
        posts = [f"seat {post.seat} posts {self._chips(post)}" for post in place.posts]
        return ", ".join(posts) or "nobody posts"

    def _position(
        self, label: str, seat: Seat | None, why: Iterable[Ground], *, empty: bool = False, post: DuePost | None = None
    ) -> Iterator[str]:
        if seat is None:
            said = "nobody" if label == "small blind" else "open"
        else:
            said = f"seat {seat}, empty" if empty else self._at(seat)
        paid = f" {self._chips(post)}" if post is not None and not empty else ""
        unpaid = " (not posted)" if empty and label == "small blind" else ""
        yield from self._wrap(f"{label:<{_LABEL}}{said}{paid}{unpaid}{_because(why)}", 2, hang=2 + _LABEL)

    def _recorded(self, told: Recorded) -> Iterator[str]:
        for label, seat in (("button", told.button), ("small blind", told.small), ("big blind", told.big)):
            if seat is None and label != "button":
                continue
            yield f"  {label:<{_LABEL}}{'not told' if seat is None else self._at(seat)}"
        for post in told.posts:
            dead = f" and {self._say(post.dead)} dead" if post.dead else ""
            live = self._say(post.live) if post.live or not post.dead else ""
            yield (
                f"  {'posted':<{_LABEL}}{self._at(post.seat)} {live}{dead if live else dead[5:]} "
                f"({_POSTED.get(post.role) or safe.terminal(post.role, 20)})"
            )

    # Seats

    def _seat(self, one: SeatDue, due: Due, said: dict[tuple[str, ...], Seat]) -> Iterator[str]:
        stack = next((o.stack for o in self._document.occupied if o.seat == one.seat), None)
        chips = "" if stack is None else self._say(stack)
        head = f"{one.seat:>4} {self._names.get(one.seat, ''):<{_NAME}} {chips:>9}  "
        reasons: tuple[str, ...] = ()
        if one.deal != "yes" or one.post or one.missed:
            reasons = tuple(map(_said, _unique((*one.why, *(m.why for m in one.missed)))))
            if one.deal != "open" and (likely := _likely(due, one.seat)):
                reasons = (*reasons, likely)
        before = said.setdefault(reasons, one.seat) if reasons else one.seat
        as_ = f", as seat {before}" if before != one.seat else ""
        yield from self._wrap(head + self._may(one, due) + as_, 0, hang=len(head))
        for reason in reasons if not as_ else ():
            yield from self._wrap("- " + reason, 6, hang=8)

    def _may(self, one: SeatDue, due: Due) -> str:
        parts = []
        if one.deal == "yes":
            parts.append("plays" if one.standing != "new" else "may play at once")
        elif one.deal == "if-posts" and _kills(one):
            parts.append("may play if it kills the pot, for a sum that the book does not name")
        elif one.deal == "if-posts":
            sums = [self._sum(post.live, post.dead) for post in one.either or (one,)]
            parts.append(f"may play if it posts {' or '.join(dict.fromkeys(sums))}")
        elif one.deal == "no":
            parts.append("gets no cards" if one.standing not in ("away", "broke") else _STANDING[one.standing])
            if any(one.seat in place.dealt for place in due.placements[1:]):
                parts[0] += " by the first reading"
        else:
            known = one.standing != "unknown"
            parts.append(f"cannot tell{f' ({_STANDING[one.standing]})' if known else ''}")
        place = due.place
        for role, seat in (
            (("button", place.button), ("small blind", place.small), ("big blind", place.big)) if place else ()
        ):
            if seat == one.seat and one.deal == "yes":
                parts.append(f"has the {role}")
        told = "kill" if _kills(one) else "post"
        ways = [way for way in one.ways if not (way.kind == told and way.now and one.deal == "if-posts")]
        if one.deal == "yes" and any(way.kind == "free" for way in ways):
            parts[0] += " without a post"
            ways = [way for way in ways if way.kind != "free"]
        if place is not None and one.deal == "yes" and place.big == one.seat:  # it has the blind that it may wait for
            waits = any(one.seat in choice.waiting for choice in due.choices)
            ways = [way for way in ways if not (way.kind == "big-blind" and way.now)]
            parts += ["or waits"] if waits and not any(way.kind == "big-blind" for way in ways) else []
        others = [self._way(way) for way in ways]
        if others:
            parts.append("or " * (one.deal in ("if-posts", "yes")) + " or ".join(dict.fromkeys(others)))
        if one.button is False and one.deal in ("yes", "if-posts"):
            parts.append("may not have the button")
        return ", ".join(parts)

    def _way(self, way: Way) -> str:
        said = _WAYS[way.kind]
        paid = way.live is None or way.dead is None or way.live + way.dead
        if paid and way.kind in ("post", "straddle", "buy-button", "kill"):
            told = way.live is not None
            said += f" {self._sum(way.live, way.dead)}" if told else ", for an amount that the record does not tell"
        if way.hands:
            said += f" ({way.hands} hand{'s' * (way.hands > 1)})"
        return said

    # Words

    def _at(self, seat: Seat) -> str:
        name = self._names.get(seat)
        return f"seat {seat} {name}" if name else f"seat {seat}"

    def _say(self, chips: Chips | None) -> str:
        return amount(chips, self._document.unit, self._document.exponent)

    def _sum(self, live: Chips | None, dead: Chips | None) -> str:
        if dead:
            return f"{self._say(live)} live and {self._say(dead)} dead"
        return "an amount that the record does not tell" if live is None else self._say(live)

    def _chips(self, post: DuePost) -> str:
        return self._sum(post.live, post.dead)

    def _wrap(self, line: str, indent: int, *, hang: int | None = None) -> list[str]:
        # What stands before the text (a number, a name in its column) keeps its blanks.
        return textwrap.wrap(
            line,
            self._width,
            initial_indent=" " * indent,
            subsequent_indent=" " * (indent if hang is None else hang),
            break_long_words=True,
            break_on_hyphens=False,
            drop_whitespace=True,
        )


def _kills(one: SeatDue) -> bool:
    """Whether what a seat posts to be dealt in is a kill whose sum nobody tells."""
    return any(post.role == "kill" and post.live is None for post in one.post)


def _unique(grounds: Iterable[Ground]) -> list[Ground]:
    return list({ground.says: ground for ground in grounds}.values())


def _said(ground: Ground) -> str:
    cited = f" [{', '.join(ground.clauses)}]" if ground.clauses else ""
    weight = {"fallback": " (usual; the book is silent)", "assumed": " (assumed)"}.get(ground.basis, "")
    return f"{safe.terminal(ground.says, 300)}{weight}{cited}"


def _because(grounds: Iterable[Ground]) -> str:
    said = "; ".join(_said(ground) for ground in _unique(grounds))
    return f": {said}" if said else ""


def _likely(due: Due, seat: Seat | None) -> str:
    """Say why positions, or what a seat owes, are likely only; what is said of both is said of those."""
    told = {one.seat: one for one in due.doubts}
    own, placed = told.get(seat), told.get(None)
    if own is None:
        return ""
    common = placed.says if placed is not None and seat is not None else ()
    left = [says for says in own.says if says not in common]
    return f"likely, not certain: {safe.terminal(doubtful(left, own.more), 400)}" if left else ""
