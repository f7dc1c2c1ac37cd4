"""What templates ask of a page: small words and figures, each once."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from ledger import safe
from projections.amount_text import amount
from projections.reports import finding_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.vocabulary import Chips, Seat
    from projections.audit.audit_result import BookRef
    from projections.audit.knock_on import KnockOn, Spots
    from projections.findings.finding import Finding, Share
    from projections.live.live_document import LiveDocument
    from projections.reports.hand_documents import SeatTold
    from web.documents import Chair, Frame, HandPage, Judgement, ReportDocument

NAMES: Final = {"D": "button", "SB": "small blind", "BB": "big blind"}
BASIS: Final = {"fallback": "usual; the book is silent", "assumed": "assumed"}
_STATUS: Final = {"folded": "folded", "all-in": "all in", "dead": "dead", "left-out": "out"}
_STREETS: Final = {"before the deal": "deal", "preflop": "preflop"}
_SHOWDOWN: Final = {"hand.showdown-begun", "hand.cards-shown"}
_NAME: Final = 13


def at(page: HandPage, seat: Seat) -> SeatTold | None:
    """Return a seat in the frame at which the page opens."""
    return next((one for one in page.frames[page.first].seats if one.seat == seat), None)


def short(chair: Chair) -> str:
    """Return seat and name for the plate."""
    return f"{chair.seat} {safe.cut(chair.player, _NAME)}".rstrip()


def standing(page: HandPage, seat: SeatTold) -> str:
    """Return what is in front of a seat, and how it stands."""
    return f"{amount(seat.stack, page.unit, page.exponent)} {_STATUS.get(seat.status, '')}".rstrip()


def headline(finding: Finding, page: HandPage) -> str:
    """Return what happened, with the names of the players."""
    return finding_text.format_headline(finding, _names(page))


def should_be(finding: Finding, page: HandPage) -> str:
    """Return what should have been, with the names of the players."""
    return finding_text.format_should_be(finding, _names(page))


def owes(finding: Finding, page: HandPage | None = None) -> str:
    """Return who owes whom because of a finding."""
    names = None if page is None else _names(page)
    return finding_text.describe_money(finding.money, finding.unit, finding.exponent, names)


def with_names(text: str, live: LiveDocument) -> str:
    """Return a finding's text with the names of the players at a live table."""
    seats = live.moment.seats if live.moment is not None else live.seated
    names = {seat_view.seat: seat_view.player for seat_view in seats}
    return finding_text.name_seats(text, lambda seat: names.get(seat, ""))


def _names(page: HandPage) -> Callable[[Seat], str]:
    names = {chair.seat: chair.player for chair in page.chairs}
    return lambda seat: names.get(seat, "")


def spots(one: Spots) -> tuple[Seat | None, Seat | None, Seat | None]:
    """Return the seats of button, small and big blind."""
    return one.button, one.small, one.big


def marked(page: HandPage, seat: Seat) -> list[tuple[str, bool]]:
    """Return what lies before a seat: the markers, and those that should have (True)."""
    should = page.judgements[0].should
    real = [(word, False) for word, where in zip(NAMES, spots(page.recorded), strict=True) if where == seat]
    if should is None:
        return real
    both = zip(NAMES, spots(should), spots(page.recorded), strict=True)
    return real + [(word, True) for word, where, was in both if where == seat and was != seat]


def laid(cards: Sequence[tuple[str, str]], room: float, width: float) -> list[tuple[float, str, str]]:
    """Return cards side by side round the middle: where each begins, its rank and its suit."""
    if not cards:
        return []
    step = min(width + 3, room / len(cards))
    left = -(step * (len(cards) - 1) + min(width, step)) / 2
    return [(round(left + step * at, 1), rank, suit) for at, (rank, suit) in enumerate(cards)]


def boards_of(frame: Frame) -> list[str]:
    """Return the boards that have cards."""
    return [board for board in frame.boards if board]


def places_of(boards: int) -> list[tuple[int, int, int, int]]:
    """Return where boards lie round the middle: across, down, how wide and how high a card is; from three on, two beside each other."""
    across = 2 if boards > 2 else 1
    rows = -(-boards // across)
    step = 72 // max(rows, 1)
    wide, high = (34, 44) if rows == 1 and across == 1 else (26, step - 4 if rows > 1 else 34)
    top = -30 if rows == 1 else -38
    return [((-88, 88)[at % 2] if across == 2 else 0, top + at // across * step, wide, high) for at in range(boards)]


def pot_of(page: HandPage, frame: Frame) -> str:
    """Return all that is in the pots; "" before anything is."""
    return amount(sum(pot.amount for pot in frame.pots), page.unit, page.exponent) if _begun(frame) else ""


def _begun(frame: Frame) -> bool:
    """Return whether anything is in the pots."""
    return any(pot.amount for pot in frame.pots)


def pots_of(page: HandPage, frame: Frame) -> str:
    """Return the pots one by one."""
    paid = f" · {amount(frame.paid, page.unit, page.exponent)} paid out" if frame.paid else ""
    if len(frame.pots) < 2:
        return f"pot {pot_of(page, frame)}{paid}" if _begun(frame) else ""
    if len(frame.pots) > 3:
        side = amount(sum(pot.amount for pot in frame.pots[1:]), page.unit, page.exponent)
        main = amount(frame.pots[0].amount, page.unit, page.exponent)
        return f"main {main} · {len(frame.pots) - 1} side pots {side}{paid}"
    sums = [amount(pot.amount, page.unit, page.exponent) for pot in frame.pots]
    return " · ".join([f"main {sums[0]}", *(f"side {one}" for one in sums[1:])]) + paid


def in_words(page: HandPage) -> str:
    """Return the table at the frame at which the page opens, for who does not see the drawing; through `ledger.safe`."""
    frame = page.frames[page.first]
    seats = []
    for one in frame.seats:
        bet = f" bet {amount(one.bet, page.unit, page.exponent)}" if one.bet else ""
        seats.append(f"{one.seat} {one.player} {standing(page, one)}{bet}")
    return ". ".join(
        part for part in (frame.street, " ".join(frame.boards), pots_of(page, frame), ", ".join(seats)) if part
    )


def streets(page: HandPage) -> list[tuple[str, int]]:
    """Return where each street begins, by its frame; behind them the showdown, if there is one after the last."""
    found: dict[str, int] = {}
    for place, frame in enumerate(page.frames):
        found.setdefault(_STREETS.get(frame.street, frame.street), place)
    last = max(found.values(), default=0)
    for place, frame in enumerate(page.frames):
        if place > last and frame.topic in _SHOWDOWN:
            found.setdefault("showdown", place)
    return list(found.items())


def in_force(page: HandPage) -> list[Judgement]:
    """Return the judgements that a page goes by: under each book that was asked for, or that the house may have had in force."""
    return [judgement for judgement in page.judgements if not judgement.beside]


def found_at(page: HandPage, book: int = 0) -> list[int]:
    """Return the frames at which a book of the page found something; the first is the chosen one."""
    versions = {found.version for found in page.judgements[book].findings}
    pairs = sorted((frame.version, place) for place, frame in enumerate(page.frames))
    frames = [version for version, _ in pairs]
    places = list(accumulate((place for _, place in pairs), max))  # the last of those up to each version
    return sorted({places[drawn - 1] if (drawn := bisect_right(frames, one)) else 0 for one in versions})


def changed(page: HandPage, place: int) -> str:
    """Return whose chips an event moved, and what each has then."""
    before = {one.seat: one for one in page.frames[place - 1].seats} if place else {}
    words = []
    for one in page.frames[place].seats:
        was = before.get(one.seat)
        if was is not None and was.stack != one.stack:
            bet = f", bet {amount(one.bet, page.unit, page.exponent)}" if one.bet else ""
            words.append(f"seat {one.seat} {amount(one.stack, page.unit, page.exponent)}{bet}")
    return "; ".join(words) if len(words) < 4 else ""


def ghostly(page: HandPage) -> bool:
    """Return whether any book would have had button or blinds elsewhere."""
    return any(one.should is not None and one.should != page.recorded for one in page.judgements)


def signed(chips: Chips, page: HandPage) -> str:
    """Return an amount with its sign."""
    return f"{'+' if chips > 0 else ''}{amount(chips, page.unit, page.exponent)}"


def unjudged(one: Judgement) -> int:
    """Return how many clauses could not be judged."""
    return len({clause for want in one.wanting for clause in want.clauses})


def differs(page: HandPage, one: Judgement) -> str:
    """Return in words where button and blinds belonged, of those that were elsewhere."""
    if one.should is None:
        return ""
    dealt = {seat.seat for seat in page.frames[-1].seats if seat.status != "left-out"}
    words = []
    for name, should, was in zip(NAMES.values(), spots(one.should), spots(page.recorded), strict=True):
        if should != was:
            empty = " (nobody is dealt in there)" if should is not None and should not in dealt else ""
            where = f"no {name}" if should is None else f"{name} at seat {should}{empty}"
            words.append(f"{where}, not {'nowhere' if was is None else was}")
    return (
        "; ".join(words) or "other posts: button and blinds are where they belong, what was posted is not what was due"
    )


def placed(one: Spots) -> str:
    """Return button, small and big blind in three numbers."""
    return ", ".join("-" if seat is None else str(seat) for seat in spots(one))


def overpaid(money: Sequence[Share], one: KnockOn) -> str:
    """Return what seats paid too much or too little."""
    parts = [
        f"seat {share.seat} {'+' if share.amount > 0 else '-'}{amount(abs(share.amount), one.unit, one.exponent)}"
        for share in money
    ]
    return ", ".join(parts) or "nobody"


def books_of(report: ReportDocument) -> list[BookRef]:
    """Return the books under which hands of a report were judged, each once."""
    found = {one.book.name: one.book for page in report.hands for one in page.judgements}
    if report.summary is not None and report.summary.book is not None:
        for book in (report.summary.book, *report.summary.more):
            found.setdefault(book.name, book)
    return list(found.values())
