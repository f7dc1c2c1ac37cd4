"""Resolve what the user typed about a case: hands, people, amounts, targets, findings, clauses and deadlines.

A function reads one kind of input and returns what an event of the case records. It raises an error with a hint if
the input fits nothing, or fits several things.
"""

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
from ledger.store.people.redaction import redact_text
from ledger.store.requests.stored_hands import group_rows_by_table
from ledger.streams import table_stream
from projections.addresses import hand_address, source_names
from projections.addresses.address_book import AddressBook
from projections.addresses.address_grammar import quote_for_shell
from projections.addresses.person_address import find_person, unknown_person_error
from projections.addresses.room_days import parse_moment
from projections.amount_text import Money
from projections.audit import house_audit
from projections.audit.auditor import Auditor
from projections.books.shelf import load_books
from projections.findings.earlier_fingerprints import iter_earlier_fingerprints
from projections.table_walk.replay import walk_hands

if TYPE_CHECKING:
    from ledger.case.state import CaseState
    from ledger.store import HandRow, Ledger
    from ledger.store.people.vault import Vault
    from ledger.vocabulary import Chips, Millis, PlayerId
    from projections.audit.audit_result import AuditResult
    from projections.audit.house_audit import HandsByTable
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines
    from projections.findings.finding import Finding

_SPAN: Final = re.compile(r"(.+)@([0-9]{1,9})-([0-9]{1,9})")
_DAY_MILLIS: Final = 24 * 60 * 60 * 1000
_MIN_FINGERPRINT_DIGITS: Final = 6
"""Least number of hex digits of a fingerprint that the user must type."""


class HandLink(NamedTuple):
    """A hand, and the event that links it to a case."""

    row: HandRow
    event: CaseLinked


def resolve_hand(ledger: Ledger, address: str) -> HandLink:
    """Return the link to a hand or to some of its events: `T7/408`, `T7/408@17` or `T7/408@17-20`."""
    span_match = _SPAN.fullmatch(address)
    if not span_match:
        location = hand_address.find(ledger, address)
        return HandLink(location.row, CaseLinked(location.row.stream.hex, location.version or 0, location.version or 0))
    row = hand_address.find(ledger, span_match[1]).row
    first, last = int(span_match[2]), int(span_match[3])
    event_count = len(ledger.events(row.stream))
    if not 1 <= first <= last <= event_count:
        raise AddressError(
            f"{address!r} isn't a span of hand {row.number!r}, which has {event_count} events",
            f"Give the first and the last event: {AddressBook(ledger).hand(row)}@17-20.",
        )
    return HandLink(row, CaseLinked(row.stream.hex, first, last))


def find_table_name(ledger: Ledger, stream: str) -> str:
    """Return the name of the table with this stream id (hex), or "" if no hand was played there."""
    for row in ledger.tables():
        if table_stream(row.venue, row.tournament, row.table).hex == stream:
            return f"{row.tournament or row.venue}/{row.table}"
    return ""


# Money


def find_case_money(ledger: Ledger, state: CaseState) -> Money | None:
    """Return the money that a case is about: that of its first hand, else of its table's first hand.

    Return None if no such hand is in this ledger, or if its record doesn't show the money.
    """
    opening = state.opening
    venue, table = (opening.venue, opening.table) if opening else ("", "")
    return find_opening_money(ledger, find_case_rows(ledger, state)[:1], venue, table)


def find_opening_money(ledger: Ledger, rows: list[HandRow], venue: str, table: str) -> Money | None:
    """Return the money of a case that is being opened, by its hands and its table, as `find_case_money` does."""
    row = rows[0] if rows else None
    if row is None and table:
        row = next(ledger.hands(venue=venue or None, table=table), None)
    return None if row is None else find_hand_money(ledger, row)


def find_hand_money(ledger: Ledger, row: HandRow) -> Money | None:
    """Return the money that a hand is played for, or None if its record doesn't show it."""
    game = next((event for event in ledger.events(row.stream) if isinstance(event, GameSet)), None)
    return None if game is None else Money(game)


def require_same_money(ledger: Ledger, money: Money | None, rows: Iterable[HandRow]) -> None:
    """Raise `CaseError` if a hand is played for other money than the case.

    If the money of the case isn't known, the first hand that shows its money decides. A hand that doesn't
    show it is allowed.
    """
    for row in rows:
        row_money = find_hand_money(ledger, row)
        money = money or row_money
        if money and row_money and (money.unit, money.exponent) != (row_money.unit, row_money.exponent):
            raise CaseError(
                f"hand {row.number!r} isn't played for the same money as this case", "Open another case for it."
            )


def parse_chips(stated_amount: str, money: Money | None, *, option: str) -> Chips:
    """Parse an amount such as `15`, `$12.50` or `-15`. `option` is its label in errors."""
    if money is None:
        raise UsageError(
            f"{option}: no hand shows what a chip is worth",
            "Name a hand, or a table with hands in this ledger. You can write the amount in the claim.",
        )
    stripped_amount = stated_amount.strip()
    sign = -1 if stripped_amount[:1] in ("-", "−") else 1  # noqa: RUF001 - people type a real minus sign too
    try:
        return sign * read(stripped_amount.lstrip("+-−"), money.exponent)  # noqa: RUF001 - as above
    except UnreadableHandError:
        raise UsageError(
            f"{option}: {stated_amount!r} isn't an amount",
            f"Write 15 or 12.50, with up to {money.exponent} decimals." if money.exponent else "Write whole chips: 15.",
        ) from None


# People


def resolve_person(ledger: Ledger, stated_name: str, venue: str, rows: Iterable[HandRow]) -> tuple[PlayerId, bool]:
    """Return the id of the player with this name, and whether the name is new and has been registered.

    Each hand's players are tried first, if just one of them has the name. Then come players known in the room, then
    everybody. Without a name, the id is "".
    """
    if not stated_name:
        return "", False
    people = ledger.people
    for row in rows:
        seated_players = {
            event.player for event in ledger.events(row.stream) if isinstance(event, SeatDealtIn | SeatLeftOut)
        }
        matching_players = [player for player in sorted(seated_players) if stated_name in (people.name(player), player)]
        if len(matching_players) == 1:
            return matching_players[0], False
    known_players = people.find_players(stated_name, venue)
    if known_players:
        return known_players[0], False
    try:
        return find_person(ledger, stated_name), False
    except NothingFoundError:
        return _register_player(people, venue, stated_name), True


def _register_player(people: Vault, venue: str, name: str) -> PlayerId:
    """Register a new name and return its id; `UsageError` if the name was erased from this ledger."""
    player = people.player(venue, name)  # this registers the name, so it's undone below if the name was erased
    if people.is_forgotten(player):
        people.forget(player)
        raise UsageError(
            "this name was erased from the ledger and can't be recorded again",
            "Leave out --person; the role (--by) is recorded anyway.",
        )
    return player


def require_no_names(ledger: Ledger, text: str, option: str, rows: Iterable[HandRow]) -> str:
    """Return text that goes into an event, which can't be erased. `UsageError` if it names a person.

    It does if the whole text is a known name, or if it contains the name of a player in these hands.
    """
    people = ledger.people
    seated_players = {
        event.player
        for row in rows
        for event in ledger.events(row.stream)
        if isinstance(event, SeatDealtIn | SeatLeftOut)
    }
    names = [name for player in seated_players if (name := people.name(player)) and name.strip()]
    if (text and people.find_players(text)) or any(redact_text(text, name) != text for name in names):
        raise UsageError(
            f"{option} names a person, and this text can never be erased",
            "Name the office, the place or the thing. Put the person in --person or in a note.",
        )
    return text


def require_seat(ledger: Ledger, seat: int, rows: list[HandRow]) -> int:
    """Return the seat. `UsageError` if nobody sat there in any of the hands. Without hands, any seat is right."""
    seats = {
        event.seat
        for row in rows
        for event in ledger.events(row.stream)
        if isinstance(event, SeatDealtIn | SeatLeftOut)
    }
    if rows and seat not in seats:
        raise UsageError(
            f"nobody sat in seat {seat} in the hands of this case",
            f"Seats there: {', '.join(map(str, sorted(seats)))}.",
        )
    return seat


def had_chips_in_pot(ledger: Ledger, seat: int, rows: list[HandRow]) -> bool:
    """Whether a seat put chips into a pot of these hands or won any. Without hands, that is assumed."""
    states = [fold([event for _, event in corrected(source_names.events_of(ledger, row))]) for row in rows]
    return not states or any(state.chips.put_in.get(seat) or state.chips.awarded.get(seat) for state in states)


# Targets of holds


def resolve_target(ledger: Ledger, held_kind: str, stated_target: str, rows: list[HandRow], venue: str) -> str:
    """Return the target of a hold, by its kind.

    It's the stream id (hex) of a hand or table, the SHA-256 of a source file, or else a player id.
    """
    if held_kind == "hand":
        return hand_address.find(ledger, stated_target).row.stream.hex
    if held_kind == "table":
        row = hand_address.find_table(ledger, stated_target)
        return table_stream(row.venue, row.tournament, row.table).hex
    if held_kind == "source":
        digests = list(dict.fromkeys(source_names.find_sources(ledger, stated_target)))
        if len(digests) != 1:
            raise AddressError(f"{stated_target!r} matches {len(digests)} sources", "Give the file's SHA-256.")
        return digests[0]
    player, is_new = resolve_person(ledger, stated_target, venue, rows)
    if is_new:
        ledger.people.forget(player)  # the look-up registered the name; undo that
        raise unknown_person_error(ledger, stated_target)
    return player


# Findings and clauses


def cite_finding(
    ledger: Ledger,
    fingerprint_start: str,
    rows: list[HandRow],
    books: list[str],
    unread_lines: Mapping[str, UnreadLines] | None = None,
) -> FindingCited:
    """Audit these hands and return the citation of the finding whose fingerprint begins with `fingerprint_start`.

    `unread_lines` are by stream id, as `walk_hands` takes them.
    """
    if not re.fullmatch(r"[0-9a-f]+", fingerprint_start) or len(fingerprint_start) < _MIN_FINGERPRINT_DIGITS:
        raise UsageError(
            f"{fingerprint_start!r} isn't a fingerprint",
            f"audit prints it with each finding: {_MIN_FINGERPRINT_DIGITS} hex digits of it or more.",
        )
    if not rows:
        raise CaseError(
            "this case has no hands, so it can't have findings", "Link the hand first: handledger case link NUMBER HAND"
        )
    findings = audit_hands(ledger, rows, books, unread_lines)
    matches = _match_fingerprint(findings, fingerprint_start, rows)
    if not matches:
        hint = _other_findings_hint(ledger, findings, rows)
        if not books and not house_audit.has_adopted_books(ledger):
            hint = f"The house has adopted no rulebook: name one with -r. {hint}"
        raise NothingFoundError(f"the hands of this case have no finding {fingerprint_start!r}", hint)
    if len({finding.fingerprint for finding in matches}) > 1:
        raise AddressError(
            f"{fingerprint_start!r} matches {len(matches)} findings", "Type more digits of the fingerprint."
        )
    finding = matches[0]
    return FindingCited(finding.fingerprint, finding.clause, finding.book, finding.edition, finding.hand.stream)


def _match_fingerprint(findings: list[Finding], fingerprint_start: str, rows: list[HandRow]) -> list[Finding]:
    """Return the findings whose fingerprint begins with `fingerprint_start`.

    If there are none, return those whose fingerprint in an earlier version of the program began so.
    """
    matches = [finding for finding in findings if finding.fingerprint.startswith(fingerprint_start)]
    if matches:
        return matches
    sessions = {row.stream.hex: row.session for row in rows}
    return [
        finding
        for finding in findings
        if any(
            fingerprint.startswith(fingerprint_start)
            for fingerprint in iter_earlier_fingerprints(finding, sessions.get(finding.hand.stream, 1))
        )
    ]


def _other_findings_hint(ledger: Ledger, findings: list[Finding], rows: list[HandRow]) -> str:
    """Return a hint that lists the findings in the hands of a case."""
    address_book = AddressBook(ledger)
    if not findings:
        hands = " ".join(quote_for_shell(address_book.hand(row)) for row in rows[:3])
        return f"There are none. See what was checked: handledger audit {hands} --coverage"
    examples = (
        f"{finding.fingerprint[:8]} ({finding.citation}, {address_book.of_finding(finding.hand)})"
        for finding in findings[:6]
    )
    return f"Findings there: {', '.join(examples)}."


def audit_hands(
    ledger: Ledger, rows: list[HandRow], books: list[str], unread_lines: Mapping[str, UnreadLines] | None = None
) -> list[Finding]:
    """Return the findings in the hands of a case, judged within their tables, as the command `audit` judges them.

    `books` are the rulebooks that the user named. Without any, the house's adopted books apply.
    """

    def judge_rows(table_hands: HandsByTable, rulebooks: list[Rulebook]) -> AuditResult:
        return Auditor(rulebooks, on_disk=True).judge_hands(walk_hands(ledger, table_hands, rulebooks, unread_lines))

    if books:
        rulebooks = load_books(ledger, books)
        return list(judge_rows(group_rows_by_table(rows), rulebooks).findings)
    if not house_audit.has_adopted_books(ledger):
        # without a rulebook, only contradictions in the record are found
        return list(judge_rows(group_rows_by_table(rows), []).findings)
    return list(house_audit.judge_under_house_books(ledger, lambda: group_rows_by_table(rows), judge_rows).findings)


def resolve_clause(ledger: Ledger, stated_clause: str, book: str) -> tuple[str, str]:
    """Return the clause and the rulebook's name for a ruling, or two empty texts if the user named no clause.

    `UsageError` if there's no book or the book has no such clause.
    """
    if not stated_clause:
        return "", ""
    if not book:
        raise UsageError("a clause of which rulebook?", "Name it with --rulebook.")
    (rulebook,) = load_books(ledger, [book])
    if stated_clause not in rulebook.clauses:
        raise UsageError(
            f"{rulebook.name} has no clause {stated_clause!r}", f"handledger rules {book} lists its clauses."
        )
    return stated_clause, rulebook.name


# Deadlines and files


def parse_deadline(ledger: Ledger, stated_time: str | None, days: int | None, option: str) -> Millis | None:
    """Return the deadline that a day, a time or a number of days sets, or None if the user gave none of them.

    A day's deadline is its last millisecond. A number of days counts from now.
    """
    if stated_time is not None and days is not None:
        raise UsageError(f"{option} and --days both set the deadline: use one")
    if days is not None:
        return ledger.now() + days * _DAY_MILLIS
    deadline = parse_moment(stated_time, option, is_end=True)
    # With `is_end`, a whole day gives the first millisecond after it.
    is_whole_day = stated_time is not None and len(stated_time) == len("2026-01-02")
    return deadline - 1 if is_whole_day and deadline is not None else deadline


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file, hex. The file itself isn't stored."""
    if not path.is_file():
        raise UsageError(
            f"there is no file {path}", "If there is no file, say where the evidence is kept: --label TEXT."
        )
    sha = sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(1024 * 1024):
                sha.update(block)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from error
    return sha.hexdigest()


# Hands of a case, for `find_case_money` and the commands


def find_case_rows(ledger: Ledger, state: CaseState) -> list[HandRow]:
    """Return the hands of a case that are in this ledger."""
    return [row for stream in state.hands if (row := ledger.hand(stream))]
