"""Several hands as one report: what was found in how many of them, who paid what in blinds, and the hands themselves."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from ledger.hand.titles import game_title
from ledger.store.hands.table_streams import table_entries as told_to
from ledger.store.requests.stored_hands import group_rows_by_table
from projections.addresses.address_book import AddressBook
from projections.addresses.room_days import DEFAULT_DAY_START, parse_day_start
from projections.audit.blind_fairness import iter_blind_shares
from projections.queries.ledger_query import select_hands
from projections.queries.sums import FindingRate as Counted
from projections.queries.sums import count_findings as counted
from projections.reports.states import build_hand
from projections.table_walk.replay import first_checkpoint, replay_from
from projections.table_walk.table_context import pick_table_books
from projections.table_walk.unread_lines import find_unread_lines, group_by_table
from web.documents import Fair, Line, Rate, Summary, Wanting
from web.judging import Judge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from uuid import UUID

    from ledger.store import HandRow, Ledger
    from ledger.vocabulary import PlayerId
    from projections.audit.audit_result import BookRef
    from projections.books.rulebook import Rulebook
    from web.documents import Judgement
    from web.frames import Eyes
    from web.judging import Books, Judged

STEPPED: Final = 25
"""Hands of a report that can be stepped, unless more are asked for; those with findings first. More do not fit into every mail."""

LISTED: Final = 1000
"""Hands that are listed; more are counted."""


class Gathered(NamedTuple):
    """The sums over several hands, and those of them that are shown whole."""

    summary: Summary
    stepped: list[HandRow]


def gathered(
    ledger: Ledger,
    rows: Sequence[HandRow],
    books: Books,
    eyes: Eyes,
    *,
    right: bool = True,
    stepped: int = STEPPED,
    progress: Callable[[str], None] = lambda _: None,
) -> Gathered:
    """Judge hands and sum up what was found. So many are shown whole; `right`: those without findings may be, too."""
    sums = _Sums(stepped, AddressBook(ledger), right=right)
    judge = Judge(ledger, books, follow=False)
    for count, one in enumerate(judge.all(rows, eyes), 1):
        sums.take(one)
        if not count % 200:
            progress(f"{count:,} hands judged")
    whole = sums.stepped()
    page = {row.stream: at for at, row in enumerate(whole, 1)}
    found, untold = _fair(ledger, rows, books.chosen[:1], eyes)
    summary = Summary(
        book=sums.books[0] if sums.books else None,
        more=sums.books[1:],
        hands=sums.hands,
        found=sums.found,
        first=sums.first,
        last=sums.last,
        rates=sums.rates(_room(ledger, books.chosen) if eyes.plain else {}),
        shares=found,
        unshared=untold,
        wanting=sums.wanting(),
        lines=[_paged(line, page.get(stream, 0)) for stream, line in sums.lines],
        unlisted=max(0, sums.hands - LISTED),
    )
    return Gathered(summary, whole)


def _paged(line: Line, page: int) -> Line:
    return replace(line, page=page)


class _Sums:
    """What is counted while hands go by."""

    def __init__(self, most: int, book: AddressBook, *, right: bool) -> None:
        self._book = book
        self._most, self._most_right = most, most if right else 0
        self.books: list[BookRef] = []
        self.hands = self.found = 0
        self.first = self.last = ""
        self.lines: list[tuple[UUID, Line]] = []
        self._counts: Counter[tuple[str, str, str]] = Counter()
        self._wanting: Counter[str] = Counter()
        self._clauses: dict[str, dict[str, None]] = {}
        self._wrong: list[tuple[int, HandRow]] = []
        self._right: list[tuple[int, HandRow]] = []

    def take(self, judged: Judged) -> None:
        hand, findings = judged.hand, judged.findings
        self.books = self.books or [one.book for one in judged.chosen]
        self.hands += 1
        self.found += bool(findings)
        for found in findings:
            self._counts[found.book, found.clause, found.asks] += 1
        wanting = _wanting(judged.chosen)
        for fact, clauses in wanting.items():
            self._wanting[fact] += 1
            self._clauses.setdefault(fact, {}).update(dict.fromkeys(clauses))
        some, most = (self._wrong, self._most) if findings else (self._right, self._most_right)
        if len(some) < most:
            some.append((self.hands, hand.row))
        told = build_hand(hand.row, hand.final, hand.people, address=self._book.hand(hand.row))
        if told.local:
            self.first = min(self.first or told.local, told.local)
            self.last = max(self.last, told.local)
        if len(self.lines) == LISTED:
            return
        unjudged = len({clause for clauses in wanting.values() for clause in clauses})
        self.lines.append(
            (
                hand.row.stream,
                Line(
                    told.number,
                    told.table,
                    told.local,
                    told.zone,
                    game_title(told.game),
                    told.pot,
                    told.unit,
                    told.exponent,
                    len(findings),
                    unjudged,
                    0,
                    told.address,
                ),
            )
        )

    def stepped(self) -> list[HandRow]:
        """Return the hands that are shown whole, in the order in which they were played."""
        return [row for _, row in sorted([*self._wrong, *self._right][: self._most])]

    def rates(self, room: Mapping[str, Counted]) -> list[Rate]:
        whole = Counted(sum(self._counts.values()), self.hands)
        return [
            Rate(
                book,
                clause,
                says,
                count,
                self.hands,
                round(rate.per_thousand, 2),
                rate.has_too_few_hands(whole),
                _rounded(room.get(f"{book} {clause}")),
            )
            for (book, clause, says), count in self._counts.most_common()
            if (rate := Counted(count, self.hands))
        ]

    def wanting(self) -> list[Wanting]:
        return [Wanting(fact, list(self._clauses[fact])) for fact, _ in self._wanting.most_common()]


def _wanting(judgements: Sequence[Judgement]) -> dict[str, list[str]]:
    """Return the clauses that could not be judged, by the fact that is wanting; of several books, each with its book."""
    found: dict[str, list[str]] = {}
    for one in judgements:
        book = f"{one.book.name} " if len(judgements) > 1 else ""
        for want in one.wanting:
            found.setdefault(want.fact, []).extend(f"{book}{clause}" for clause in want.clauses)
    return found


def _fair(ledger: Ledger, rows: Sequence[HandRow], books: Sequence[Rulebook], eyes: Eyes) -> tuple[list[Fair], str]:
    """Return what each player paid in blinds beside what was due, the one who paid too little first; or why not."""
    if not books or not pick_table_books(books):
        return [], "No rulebook was chosen that says who owes a blind."
    if eyes.naming == "position":
        return [], "Players go by their positions here, which change from hand to hand."
    unread = group_by_table(ledger, find_unread_lines(ledger))
    sums: dict[tuple[PlayerId, str, int], list[int]] = {}
    for place, some in group_rows_by_table(rows):
        wanted = {row.stream.hex for row in some}
        table = first_checkpoint(told_to(ledger, place), unread.get(place, {}))
        for share in iter_blind_shares(replay_from(table, books), books[0]):
            if share.hand.hand not in wanted:
                continue
            one = sums.setdefault((share.player, share.hand.unit, share.hand.exponent), [0, 0, 0, 0])
            told = share.due is not None and share.paid is not None
            for at, more in enumerate((1, share.due or 0, share.paid or 0, not told)):
                one[at] += more
    found = [
        Fair(_name(ledger, player, eyes), hands, due, paid, untold, unit, exponent)
        for (player, unit, exponent), (hands, due, paid, untold) in sums.items()
    ]
    return sorted(found, key=lambda one: (one.unit, one.paid - one.due, one.player)), ""


def _name(ledger: Ledger, player: PlayerId, eyes: Eyes) -> str:
    if eyes.naming == "pseudonym":
        return ledger.people.pseudonym(player)
    return ledger.people.name(player) or f"({player[:6]})"


def _rounded(rate: Counted | None) -> float | None:
    return None if rate is None else round(rate.per_thousand, 2)


def _room(ledger: Ledger, books: Sequence[Rulebook]) -> Mapping[str, Counted]:
    """Return how often each clause of the book speaks in all hands of the ledger."""
    if not books:
        return {}
    with select_hands(ledger, None, DEFAULT_DAY_START, books, judge=True, group_fields=["clause"]) as found:
        each, _ = counted(found, "clause", parse_day_start(DEFAULT_DAY_START))
    return {name: rate for (name,), rate in each.items()}
