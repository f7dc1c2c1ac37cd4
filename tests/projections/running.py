"""Runs a case of a page: what the audit of its hands says, and what was due before each of them."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import cache
from typing import NamedTuple

from projections.audit.audit_result import AuditResult
from projections.audit.auditor import Auditor
from projections.books.rulebook import Rulebook
from projections.findings.finding import Finding
from projections.obligations.dues import Due, DuePost, Placement
from projections.table_walk.table_context import TableWalk
from tests.projections.pages import Case, Mark, load_book


class Ran(NamedTuple):
    """What became of a case."""

    findings: list[tuple[int, Finding]]  # with the number of the hand
    untold: set[tuple[int, str]]  # hand, clause
    dues: dict[int, Due]  # by the number of the hand; one more than there are is the coming one
    audit: Auditor

    @property
    def result(self) -> AuditResult:
        """The coverage too, which few ask for."""
        return self.audit.result()

    def spoken(self, book: Rulebook, demanded: AbstractSet[Mark] = frozenset()) -> set[Mark]:
        """Every clause of the book that speaks, at its event: the finding's and those merged in it.

        A merged clause is at that line of the finding where it is demanded; otherwise at the finding's.
        """
        return {
            Mark(hand, _finding_version(finding, clause, demanded, hand), clause)
            for hand, finding in self.findings
            if finding.book == book.name
            for clause in (finding.clause, *finding.also)
            if not book.clauses[clause].entry.restates
        }


def _finding_version(finding: Finding, clause: str, demanded: AbstractSet[Mark], hand: int) -> int:
    lines = [] if clause == finding.clause else [line.version for line in finding.lines]
    return next((v for v in lines if Mark(hand, v, clause) in demanded), finding.version)


@cache
def _audit(book: str, screened: bool) -> Auditor:
    return Auditor([load_book(book)], screened=screened)


def forget_auditors() -> None:
    """Make new auditors from now on: a clause has another detector."""
    _audit.cache_clear()


def audit_of(book: str, *, screened: bool = True) -> Auditor:
    """An audit under a book, of no hand yet; what hands of a make have in common is found out once for all tests."""
    return _audit(book, screened).fork()


def run(case: Case, *, screened: bool = True) -> Ran:
    """Judge the hands of a case in the order of its table."""
    book = load_book(case.book)
    evening_told = case.told
    number = {hand.stream.hex: index for index, hand in enumerate(evening_told.hands, 1) if hand.stream}
    hands = {mark.hand for mark in case.marks if mark.untold}
    audit = audit_of(case.book, screened=screened)
    table = TableWalk([book])
    findings: list[tuple[int, Finding]] = []
    untold_clauses: set[tuple[int, str]] = set()
    dues: dict[int, Due] = {}
    for sat in table.contexts(evening_told.table):
        index = number[sat.hand.hand]
        untold_before = _count_untold(audit, book) if index in hands else {}
        findings += ((index, finding) for finding in audit.judge_hand(evening_told.hands[index - 1], sat))
        dues[index] = sat[book.name].due
        if index in hands:
            untold_now = _count_untold(audit, book)
            untold_clauses |= {
                (index, clause) for clause in untold_now if untold_now[clause] > untold_before.get(clause, 0)
            }
    dues[len(evening_told.hands) + 1] = table.find_next_dues()[book.name]
    return Ran(findings, untold_clauses, dues, audit)


def _count_untold(audit: Auditor, book: Rulebook) -> dict[str, int]:
    return {row.clause: row.cannot_tell for row in audit.result().coverage if row.book == book.name}


def differs(due: Due, expectation: str) -> list[str]:
    """Return in which items of a `due` line the due differs from what it says."""
    words = expectation.split()
    if words[0] == "unknown":  # where the positions belong; what a seat owes may be known
        wrong = [] if due.unknown else ["unknown: it is known"]
        return wrong + (_seat(due, words[1:]) if words[1:] else [])
    if due.unknown:
        return [f"unknown: {due.unknown}"]
    if words[0] == "seat":
        return _seat(due, words)
    first, *alternatives = _split(words, "or")
    wrong = _place(due.placements[0], first) if due.placements else ["no placement"]
    for alternative in alternatives:
        if all(_place(placement, alternative) for placement in due.placements[1:]):
            wrong.append(f"no other reading is {' '.join(alternative)}")
    return wrong


def _split(words: list[str], separator: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == separator:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


_SEATS = {
    "bt": "button",
    "sb": "small",
    "bb": "big",
    "xb": "extra",
    "opener": "opener",
    "first": "first",
    "last": "last",
}


def _place(place: Placement, words: list[str]) -> list[str]:
    """Compare `bt 2x sb 3x bb 4 opener 5 first 4 last 1 posts 4:10` with a placement."""
    wrong = []
    word_index = 0
    while word_index < len(words):
        word = words[word_index]
        if word == "posts":
            posts = [one for one in words[word_index + 1 :] if one[:1].isdigit() and ":" in one]
            word_index += 1 + len(posts)
            stated = sorted(f"{post.seat}:{_chips(post)}" for post in place.posts)
            if stated != sorted(posts):
                wrong.append(f"posts {' '.join(stated) or 'none'}")
            word_index += words[word_index : word_index + 1] == ["none"]
        elif word in ("heads-up", "fallback"):
            is_so = place.heads_up if word == "heads-up" else not place.judged
            wrong += [] if is_so else [f"not {word}"]
            word_index += 1
        elif word in _SEATS:
            seat: int | None = getattr(place, _SEATS[word])
            stated = "none" if seat is None else f"{seat}{'x' * _empty(place, word)}"
            if stated != words[word_index + 1]:
                wrong.append(f"{word} {stated}")
            word_index += 2
        else:
            raise ValueError(f"a due line says {word!r}")
    return wrong


def _empty(place: Placement, word: str) -> bool:
    return (word == "bt" and place.button_empty) or (word == "sb" and place.small_empty)


def _chips(post: DuePost) -> str:
    live = "?" if post.live is None else str(post.live)
    return live + ("" if post.dead == 0 else f"+{'?' if post.dead is None else post.dead}")


def _seat(due: Due, words: list[str]) -> list[str]:
    """Compare `seat 3 posts 10+5 | waits 2` with what is due from a seat."""
    seat = due.seat(int(words[1]))
    if seat is None:
        return ["nobody is there"]
    wrong = []
    for item in _split(words[2:], "|"):
        match item:
            case ["yes" | "no" | "open" as deal]:
                wrong += [] if seat.deal == deal else [f"deal {seat.deal}"]
            case ["posts", chips]:
                dead = seat.dead
                stated = "?" if seat.live is None else str(seat.live)
                stated += "" if dead == 0 else f"+{'?' if dead is None else dead}"
                if seat.deal != "if-posts" or stated != chips.removesuffix("+0"):
                    wrong.append(f"{seat.deal}, posts {stated}")
            case ["waits"]:
                wrong += [] if any(not way_in.is_on_this_hand for way_in in seat.ways_in) else ["no way to wait"]
            case ["waits", hands]:
                stated = [way_in.hands_to_wait for way_in in seat.ways_in if not way_in.is_on_this_hand]
                wrong += [] if int(hands) in stated else [f"waits {stated}"]
            case ["way", *kinds]:
                stated = {way_in.kind for way_in in seat.ways_in}
                wrong += [] if stated == set(kinds) else [f"ways {sorted(stated)}"]
            case ["missed", *roles]:
                stated = [missed_blind.role for missed_blind in seat.missed]
                wrong += [] if sorted(stated) == sorted(roles) else [f"missed {stated}"]
            case ["standing", standing]:
                wrong += [] if seat.status == standing else [f"standing {seat.status}"]
            case ["button", may]:
                stated = {True: "yes", False: "no", None: "?"}[seat.button]
                wrong += [] if stated == may else [f"button {stated}"]
            case _:
                raise ValueError(f"a due line says {' '.join(item)!r}")
    return wrong
