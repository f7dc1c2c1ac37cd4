"""Runs a case of a page: what the audit of its hands says, and what was due before each of them."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import cache
from typing import NamedTuple

from projections.audit.audit_result import AuditResult
from projections.audit.auditor import Auditor
from projections.books.rulebook import Rulebook, load
from projections.findings.finding import Finding
from projections.obligations.dues import Due, DuePost, Placement
from projections.table_walk.table_context import TableWalk
from tests.projections.pages import Case, Mark


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
            Mark(hand, _finding_version(found, clause, demanded, hand), clause)
            for hand, found in self.findings
            if found.book == book.name
            for clause in (found.clause, *found.also)
            if not book.clauses[clause].entry.restates
        }


def _finding_version(finding: Finding, clause: str, demanded: AbstractSet[Mark], hand: int) -> int:
    lines = [] if clause == finding.clause else [line.version for line in finding.lines]
    return next((v for v in lines if Mark(hand, v, clause) in demanded), finding.version)


@cache
def _audit(book: str, screened: bool) -> Auditor:
    return Auditor([load(book)], screened=screened)


def audit_of(book: str, *, screened: bool = True) -> Auditor:
    """An audit under a book, of no hand yet; what hands of a make have in common is found out once for all tests."""
    return _audit(book, screened).fork()


def run(case: Case, *, screened: bool = True) -> Ran:
    """Judge the hands of a case in the order of its table."""
    book = load(case.book)
    told = case.told
    number = {hand.stream.hex: index for index, hand in enumerate(told.hands, 1) if hand.stream}
    hands = {mark.hand for mark in case.marks if mark.untold}
    audit = audit_of(case.book, screened=screened)
    table = TableWalk([book])
    findings: list[tuple[int, Finding]] = []
    untold: set[tuple[int, str]] = set()
    dues: dict[int, Due] = {}
    for sat in table.contexts(told.table):
        index = number[sat.hand.hand]
        before = _count_untold(audit, book) if index in hands else {}
        findings += ((index, finding) for finding in audit.judge_hand(told.hands[index - 1], sat))
        dues[index] = sat[book.name].due
        if index in hands:
            now = _count_untold(audit, book)
            untold |= {(index, clause) for clause in now if now[clause] > before.get(clause, 0)}
    dues[len(told.hands) + 1] = table.dues_on_next_hand()[book.name]
    return Ran(findings, untold, dues, audit)


def _count_untold(audit: Auditor, book: Rulebook) -> dict[str, int]:
    return {row.clause: row.cannot_tell for row in audit.result().coverage if row.book == book.name}


def differs(due: Due, says: str) -> list[str]:
    """Return in which items of a `due` line the due differs from what it says."""
    words = says.split()
    if words[0] == "unknown":  # where the positions belong; what a seat owes may be known
        wrong = [] if due.unknown else ["unknown: it is known"]
        return wrong + (_seat(due, words[1:]) if words[1:] else [])
    if due.unknown:
        return [f"unknown: {due.unknown}"]
    if words[0] == "seat":
        return _seat(due, words)
    first, *others = _split(words, "or")
    wrong = _place(due.placements[0], first) if due.placements else ["no placement"]
    for other in others:
        if all(_place(placement, other) for placement in due.placements[1:]):
            wrong.append(f"no other reading is {' '.join(other)}")
    return wrong


def _split(words: list[str], at: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == at:
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
    at = 0
    while at < len(words):
        word = words[at]
        if word == "posts":
            posts = [one for one in words[at + 1 :] if one[:1].isdigit() and ":" in one]
            at += 1 + len(posts)
            told = sorted(f"{post.seat}:{_chips(post)}" for post in place.posts)
            if told != sorted(posts):
                wrong.append(f"posts {' '.join(told) or 'none'}")
            at += words[at : at + 1] == ["none"]
        elif word in ("heads-up", "fallback"):
            is_so = place.heads_up if word == "heads-up" else not place.judged
            wrong += [] if is_so else [f"not {word}"]
            at += 1
        elif word in _SEATS:
            seat: int | None = getattr(place, _SEATS[word])
            told = "none" if seat is None else f"{seat}{'x' * _empty(place, word)}"
            if told != words[at + 1]:
                wrong.append(f"{word} {told}")
            at += 2
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
                told = "?" if seat.live is None else str(seat.live)
                told += "" if dead == 0 else f"+{'?' if dead is None else dead}"
                if seat.deal != "if-posts" or told != chips.removesuffix("+0"):
                    wrong.append(f"{seat.deal}, posts {told}")
            case ["waits"]:
                wrong += [] if any(not way.is_on_this_hand for way in seat.ways_in) else ["no way to wait"]
            case ["waits", hands]:
                told = [way.hands_to_wait for way in seat.ways_in if not way.is_on_this_hand]
                wrong += [] if int(hands) in told else [f"waits {told}"]
            case ["way", *kinds]:
                told = {way.kind for way in seat.ways_in}
                wrong += [] if told == set(kinds) else [f"ways {sorted(told)}"]
            case ["missed", *roles]:
                told = [one.role for one in seat.missed]
                wrong += [] if sorted(told) == sorted(roles) else [f"missed {told}"]
            case ["standing", standing]:
                wrong += [] if seat.status == standing else [f"standing {seat.status}"]
            case ["button", may]:
                told = {True: "yes", False: "no", None: "?"}[seat.button]
                wrong += [] if told == may else [f"button {told}"]
            case _:
                raise ValueError(f"a due line says {' '.join(item)!r}")
    return wrong
