"""What the words that somebody says of a case mean: hands and spans, people, amounts, targets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.case.events import CaseLinked, FindingCited
from ledger.errors import AddressError, CaseError, NothingFoundError, UnreadableHandError, UsageError
from ledger.hand.fold import fold
from ledger.hand.opening import GameSet, SeatDealtIn, SeatLeftOut
from ledger.readers.amounts import read
from ledger.replay import corrected
from ledger.store.redaction import in_words
from ledger.streams import table_stream
from projections.addresses import hand_address, source_names
from projections.addresses.address_book import AddressBook, quote_for_shell
from projections.addresses.hand_address import find_person
from projections.addresses.room_days import parse_moment
from projections.amount_text import Money
from projections.audit import house_audit
from projections.audit.auditor import Audit
from projections.books.shelf import chosen
from projections.findings.earlier_fingerprints import earlier
from projections.table_walk.stored_hands import by_place, seated

if TYPE_CHECKING:
    from ledger.case.state import CaseState
    from ledger.store import HandRow, Ledger
    from ledger.vocabulary import Chips, Millis, PlayerId
    from projections.audit.audit_result import AuditResult
    from projections.audit.house_audit import Wanted
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import Spoiled
    from projections.findings.finding import Finding

_SPAN: Final = re.compile(r"(.+)@([0-9]{1,9})-([0-9]{1,9})")
_DAY: Final = 24 * 60 * 60 * 1000
_LEAST: Final = 6
"""Digits of a fingerprint that are enough to mean one."""


class Linked(NamedTuple):
    """A hand that a case is to concern."""

    row: HandRow
    event: CaseLinked


def hand(ledger: Ledger, address: str) -> Linked:
    """Return the hand, and the span of its events, that `T7/408`, `T7/408@17` or `T7/408@17-20` names."""
    found = _SPAN.fullmatch(address)
    if not found:
        one = hand_address.find(ledger, address)
        return Linked(one.row, CaseLinked(one.row.stream.hex, one.version or 0, one.version or 0))
    row = hand_address.find(ledger, found[1]).row
    first, last = int(found[2]), int(found[3])
    events = len(ledger.events(row.stream))
    if not 1 <= first <= last <= events:
        raise AddressError(
            f"{address!r} is no span of hand {row.number!r}, which has {events} events",
            f"Say the first and the last: {AddressBook(ledger).of(row)}@17-20.",
        )
    return Linked(row, CaseLinked(row.stream.hex, first, last))


def table_called(ledger: Ledger, stream: str) -> str:
    """Return the name of the table of this stream id (hex), "" if no hand was played there."""
    for row in ledger.tables():
        if table_stream(row.venue, row.tournament, row.table).hex == stream:
            return f"{row.tournament or row.venue}/{row.table}"
    return ""


# money


def money_of(ledger: Ledger, state: CaseState) -> Money | None:
    """Return what the amounts of a case are counted in; None if no hand of it tells.

    That of the first hand that it concerns, or else of the first hand of its table.
    """
    opening = state.opening
    place = (opening.venue, opening.table) if opening else ("", "")
    return money_at(ledger, rows_of(ledger, state)[:1], *place)


def money_at(ledger: Ledger, rows: list[HandRow], venue: str, table: str) -> Money | None:
    """As `money_of`, for a case that is being opened."""
    row = rows[0] if rows else None
    if row is None and table:
        row = next(ledger.hands(venue=venue or None, table=table), None)
    return None if row is None else money_in(ledger, row)


def money_in(ledger: Ledger, row: HandRow) -> Money | None:
    """Return what a hand is played for; None if it does not tell."""
    game = next((e for e in ledger.events(row.stream) if isinstance(e, GameSet)), None)
    return None if game is None else Money(game)


def same_money(ledger: Ledger, money: Money | None, rows: Iterable[HandRow]) -> None:
    """Refuse hands that are played for something else than the case counts in."""
    for row in rows:
        other = money_in(ledger, row)
        money = money or other
        if money and other and (money.unit, money.exponent) != (other.unit, other.exponent):
            raise CaseError(
                f"hand {row.number!r} is not played for what this case counts its amounts in",
                "Open a case of its own for it.",
            )


def chips(told: str, money: Money | None, *, what: str) -> Chips:
    """Return the amount that `told` says: `15`, `$12.50`, `-15`; `what` names the option."""
    if money is None:
        raise UsageError(
            f"{what}: nobody knows what a chip is worth here",
            "Name a hand, or a table of which this ledger has hands. An amount can stand in the claim's words.",
        )
    bare = told.strip()
    sign = -1 if bare[:1] in ("-", "−") else 1  # noqa: RUF001 - people type a real minus sign too
    try:
        return sign * read(bare.lstrip("+-−"), money.exponent)  # noqa: RUF001 - as above
    except UnreadableHandError:
        raise UsageError(
            f"{what}: {told!r} is no amount here",
            f"Say 15 or 12.50; amounts have {money.exponent} decimals at most here.",
        ) from None


# people


def person(ledger: Ledger, told: str, venue: str, rows: Iterable[HandRow]) -> tuple[PlayerId, bool]:
    """Return whom `told` names, and whether nobody was called so before; "" is nobody.

    Whoever sat in one of the hands is meant first, then whoever is known in that room, then anywhere.
    """
    if not told:
        return "", False
    people = ledger.people
    for row in rows:
        seated = {e.player for e in ledger.events(row.stream) if isinstance(e, SeatDealtIn | SeatLeftOut)}
        here = [one for one in sorted(seated) if told in (people.name(one), one)]
        if len(here) == 1:
            return here[0], False
    known = people.called(told, venue)
    if known:
        return known[0], False
    try:
        return find_person(ledger, told), False
    except NothingFoundError:
        made = people.player(venue, told)
    if people.forgotten(made):
        people.forget(made)
        raise UsageError(
            "somebody of that name was forgotten here, and no name of theirs is written down again",
            "Leave out --person; the role (--by) is told anyway.",
        )
    return made, True


def nameless(ledger: Ledger, told: str, option: str, rows: Iterable[HandRow]) -> str:
    """Return words that are to stand in an event for good; `UsageError` if they name a person.

    Names are known by the ledger; that of somebody in the hands of the case is found within words too.
    """
    people = ledger.people
    seated = {e.player for row in rows for e in ledger.events(row.stream) if isinstance(e, SeatDealtIn | SeatLeftOut)}
    names = [name for player in seated if (name := people.name(player)) and name.strip()]
    if (told and people.called(told)) or any(in_words(told, name) != told for name in names):
        raise UsageError(
            f"{option} names a person, and what it says can never be erased",
            "Say the office, the place or the thing; who it was goes into --person or a note.",
        )
    return told


def seat(ledger: Ledger, told: int, rows: list[HandRow]) -> int:
    """Return a seat in which somebody sat in one of the hands; `UsageError` if nobody did."""
    sat = {e.seat for row in rows for e in ledger.events(row.stream) if isinstance(e, SeatDealtIn | SeatLeftOut)}
    if rows and told not in sat:
        raise UsageError(
            f"nobody sat in seat {told} in the hands of this case", f"Seats there: {', '.join(map(str, sorted(sat)))}."
        )
    return told


def had_part(ledger: Ledger, told: int, rows: list[HandRow]) -> bool:
    """Whether a seat put chips into a pot of these hands, or took some out; True without hands."""
    states = [fold([e for _, e in corrected(source_names.events_of(ledger, row))]) for row in rows]
    return not states or any(state.chips.put_in.get(told) or state.chips.awarded.get(told) for state in states)


# targets of holds


def target(ledger: Ledger, what: str, told: str, rows: list[HandRow], venue: str) -> str:
    """Return what a hold names: the id of a stream (hex), of a person, or a file's SHA-256."""
    if what == "hand":
        return hand_address.find(ledger, told).row.stream.hex
    if what == "table":
        row = hand_address.find_table(ledger, told)
        return table_stream(row.venue, row.tournament, row.table).hex
    if what == "source":
        found = list(dict.fromkeys(source_names.find_sources(ledger, told)))
        if len(found) != 1:
            raise AddressError(f"{told!r} matches {len(found)} sources", "Give the file's SHA-256.")
        return found[0]
    one, new = person(ledger, told, venue, rows)
    if new:
        ledger.people.forget(one)
        raise hand_address.unknown_person_error(ledger, told)
    return one


# findings


def finding(
    ledger: Ledger, told: str, rows: list[HandRow], books: list[str], unread: Mapping[str, Spoiled] | None = None
) -> FindingCited:
    """Return the finding of an audit of these hands whose fingerprint begins with `told`; `unread` as for `seated`."""
    if not re.fullmatch(r"[0-9a-f]+", told) or len(told) < _LEAST:
        raise UsageError(
            f"{told!r} is no fingerprint", f"audit prints it with each finding: {_LEAST} hex digits of it or more."
        )
    if not rows:
        raise CaseError(
            "this case concerns no hand, so no finding can be in it",
            "Link the hand first: handledger case link NUMBER HAND",
        )
    found = given(ledger, rows, books, unread)
    sessions = {row.stream.hex: row.session for row in rows}
    near = [one for one in found if one.fingerprint.startswith(told)] or [
        one for one in found if any(name.startswith(told) for name in earlier(one, sessions.get(one.hand.stream, 1)))
    ]
    if len({one.fingerprint for one in near}) == 1:
        one = near[0]
        return FindingCited(one.fingerprint, one.clause, one.book, one.edition, one.hand.stream)
    book = AddressBook(ledger)
    said = ", ".join(f"{one.fingerprint[:8]} ({one.citation}, {book.of_finding(one.hand)})" for one in found[:6])
    hands = " ".join(quote_for_shell(book.of(row)) for row in rows[:3])
    if near:
        raise AddressError(f"{told!r} matches {len(near)} findings", "Type more letters of the fingerprint.")
    hint = f"It gives: {said}." if said else f"It gives none there: handledger audit {hands} --coverage"
    if not books and not house_audit.any_in(ledger):
        hint = f"The house has adopted none: name a rulebook with -r. {hint}"
    raise NothingFoundError(f"audit gives no finding {told!r} in the hands of this case", hint)


def given(
    ledger: Ledger, rows: list[HandRow], books: list[str], unread: Mapping[str, Spoiled] | None = None
) -> list[Finding]:
    """Judge the hands of a case, each in its place at its table, as `audit` does."""

    def judged(wanted: Wanted, chosen: list[Rulebook]) -> AuditResult:
        running = Audit(chosen, long=True)
        for hand, contexts in seated(ledger, wanted, chosen, unread):
            running.add(hand, contexts)
        return running.result()

    if books:
        asked = chosen(ledger, books)
        return list(judged(by_place(rows), asked).findings)
    if not house_audit.any_in(ledger):
        return list(judged(by_place(rows), []).findings)
    return list(house_audit.judged(ledger, lambda: by_place(rows), judged).findings)


def clause(ledger: Ledger, told: str, book: str) -> tuple[str, str]:
    """Return clause and book as a ruling cites them; `UsageError` if the book has no such clause."""
    if not told:
        return "", ""
    if not book:
        raise UsageError("a clause of which rulebook?", "Say it with --rulebook.")
    (loaded,) = chosen(ledger, [book])
    if told not in loaded.clauses:
        raise UsageError(f"{loaded.name} has no clause {told!r}", f"handledger rules {book} lists its clauses.")
    return told, loaded.name


# time and files


def until(ledger: Ledger, told: str | None, days: int | None, option: str) -> Millis | None:
    """Return a moment told as a day (its end), as a time, or as so many days from now."""
    if told is not None and days is not None:
        raise UsageError(f"{option} and --days say the same thing twice")
    if days is not None:
        return ledger.now() + days * _DAY
    at = parse_moment(told, option, is_end=True)
    whole = told is not None and len(told) == len("2026-01-02")
    return at - 1 if whole and at is not None else at


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, hex. The file is read and not taken in."""
    if not path.is_file():
        raise UsageError(f"there is no file {path}", "Without a file: --label says where it is kept.")
    found = sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(1024 * 1024):
                found.update(block)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from error
    return found.hexdigest()


def rows_of(ledger: Ledger, state: CaseState) -> list[HandRow]:
    """Return the hands that a case concerns, as far as this ledger holds them."""
    return [row for stream in state.hands if (row := ledger.hand(stream))]
