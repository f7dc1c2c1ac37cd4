"""Short texts and figures that templates and the terminal show of a page."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from ledger import safe
from ledger.text.language import phrase_count
from projections.amount_text import amount
from projections.findings.finding import MAX_EVENTS, MAX_JUDGED_PLAYERS
from projections.reports import finding_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ledger.vocabulary import Chips, Seat
    from projections.audit.audit_result import BookRef
    from projections.audit.knock_on import ButtonAndBlinds, KnockOn
    from projections.findings.finding import Finding, Share
    from projections.live.live_document import LiveDocument
    from projections.reports.hand_documents import SeatDocument
    from web.pages.documents import Chair, Frame, HandPage, Judgement, ReportDocument

MARKER_NAMES: Final = {"D": "button", "SB": "small blind", "BB": "big blind"}
BASIS_LABELS: Final = {"fallback": "usual; the book is silent", "assumed": "assumed"}
_STATUS_LABELS: Final = {"folded": "folded", "all-in": "all in", "dead": "dead", "left-out": "out"}
_STREET_LABELS: Final = {"before the deal": "deal", "preflop": "preflop"}
_SHOWDOWN_TOPICS: Final = {"hand.showdown-begun", "hand.cards-shown"}
_MAX_NAME_LENGTH: Final = 13


def find_opening_seat(page: HandPage, seat: Seat) -> SeatDocument | None:
    """Return a seat in the opening frame, or None if it isn't there."""
    return next((seat_view for seat_view in page.frames[page.first].seats if seat_view.seat == seat), None)


def format_plate_name(chair: Chair) -> str:
    """Return the seat number and short name on the plate, escaped."""
    return f"{chair.seat} {safe.terminal(chair.player, _MAX_NAME_LENGTH)}".rstrip()


def describe_seat(page: HandPage, seat_view: SeatDocument) -> str:
    """Return a seat's stack and its status."""
    return f"{amount(seat_view.stack, page.unit, page.exponent)} {_STATUS_LABELS.get(seat_view.status, '')}".rstrip()


def format_headline(finding: Finding, page: HandPage) -> str:
    """Return what happened, with the names of the players."""
    return finding_text.format_headline(finding, _build_name_lookup(page))


def format_should_be(finding: Finding, page: HandPage) -> str:
    """Return what should have been, with the names of the players."""
    return finding_text.format_should_be(finding, _build_name_lookup(page))


def name_players(text: str, players: Mapping[Seat, str]) -> str:
    """Return a finding's text with the names of a hand's players."""
    return finding_text.name_seats(text, lambda seat: players.get(seat, ""))


def count_moved_chips(finding: Finding) -> str:
    """Return the chips that went to the wrong seats; "" if none did."""
    moved_chips = sum(share.amount for share in finding.money if share.amount > 0)
    return amount(moved_chips, finding.unit, finding.exponent) if moved_chips else ""


def describe_overlong_hands(count: int) -> str:
    """Return how many hands were too large to judge, and from which size on a hand is."""
    return phrase_count(
        "{number} hand not judged: more than {events} events or {players} players",
        "{number} hands not judged: more than {events} events or {players} players",
        count,
        number=f"{count:,}",
        events=f"{MAX_EVENTS:,}",
        players=MAX_JUDGED_PLAYERS,
    )


def describe_debts(finding: Finding, page: HandPage | None = None) -> str:
    """Return who owes whom because of a finding."""
    names = None if page is None else _build_name_lookup(page)
    return finding_text.describe_money(finding.money, finding.unit, finding.exponent, names)


def name_live_players(text: str, live: LiveDocument) -> str:
    """Return a finding's text with the names of the players at a live table."""
    seats = live.moment.seats if live.moment is not None else live.seated
    names = {seat_view.seat: seat_view.player for seat_view in seats}
    return finding_text.name_seats(text, lambda seat: names.get(seat, ""))


def _build_name_lookup(page: HandPage) -> Callable[[Seat], str]:
    names = {chair.seat: chair.player for chair in page.chairs}
    return lambda seat: names.get(seat, "")


def list_position_seats(positions: ButtonAndBlinds) -> tuple[Seat | None, Seat | None, Seat | None]:
    """Return the seats of button, small and big blind."""
    return positions.button, positions.small, positions.big


def list_markers(page: HandPage, seat: Seat) -> list[tuple[str, bool]]:
    """Return the markers in front of a seat, then those that should have been there (True)."""
    should = page.judgements[0].should
    recorded_markers = [
        (marker, False)
        for marker, marked_seat in zip(MARKER_NAMES, list_position_seats(page.recorded), strict=True)
        if marked_seat == seat
    ]
    if should is None:
        return recorded_markers
    seat_pairs = zip(MARKER_NAMES, list_position_seats(should), list_position_seats(page.recorded), strict=True)
    return recorded_markers + [
        (marker, True)
        for marker, marked_seat, recorded_seat in seat_pairs
        if marked_seat == seat and recorded_seat != seat
    ]


def lay_cards(cards: Sequence[tuple[str, str]], row_width: float, card_width: float) -> list[tuple[float, str, str]]:
    """Return cards centered side by side: the left edge, rank and suit of each."""
    if not cards:
        return []
    step = min(card_width + 3, row_width / len(cards))
    left_edge = -(step * (len(cards) - 1) + min(card_width, step)) / 2
    return [(round(left_edge + step * index, 1), rank, suit) for index, (rank, suit) in enumerate(cards)]


def list_dealt_boards(frame: Frame) -> list[str]:
    """Return the boards with cards."""
    return [board for board in frame.boards if board]


def place_boards(boards: int) -> list[tuple[int, int, int, int]]:
    """Return x, y, card width and card height of each board. Three or more boards lie in two columns."""
    columns = 2 if boards > 2 else 1
    rows = -(-boards // columns)
    row_height = 72 // max(rows, 1)
    card_width, card_height = (34, 44) if rows == 1 and columns == 1 else (26, row_height - 4 if rows > 1 else 34)
    top = -30 if rows == 1 else -38
    return [
        ((-88, 88)[index % 2] if columns == 2 else 0, top + index // columns * row_height, card_width, card_height)
        for index in range(boards)
    ]


def format_pot(page: HandPage, frame: Frame) -> str:
    """Return the total of the pots; "" while they are empty."""
    return amount(sum(pot.amount for pot in frame.pots), page.unit, page.exponent) if _has_pot(frame) else ""


def _has_pot(frame: Frame) -> bool:
    """Whether any pot holds chips."""
    return any(pot.amount for pot in frame.pots)


def format_pots(page: HandPage, frame: Frame) -> str:
    """Return the pots one by one."""
    paid_text = f" · {amount(frame.paid, page.unit, page.exponent)} paid out" if frame.paid else ""
    if len(frame.pots) < 2:
        return f"pot {format_pot(page, frame)}{paid_text}" if _has_pot(frame) else ""
    if len(frame.pots) > 3:
        side_total = amount(sum(pot.amount for pot in frame.pots[1:]), page.unit, page.exponent)
        main_pot = amount(frame.pots[0].amount, page.unit, page.exponent)
        return f"main {main_pot} · {len(frame.pots) - 1} side pots {side_total}{paid_text}"
    amounts = [amount(pot.amount, page.unit, page.exponent) for pot in frame.pots]
    return " · ".join([f"main {amounts[0]}", *(f"side {side_amount}" for side_amount in amounts[1:])]) + paid_text


def describe_table(page: HandPage) -> str:
    """Describe the opening frame for screen readers. The text has passed `ledger.safe`."""
    frame = page.frames[page.first]
    seats = []
    for seat in frame.seats:
        bet = f" bet {amount(seat.bet, page.unit, page.exponent)}" if seat.bet else ""
        seats.append(f"{seat.seat} {seat.player} {describe_seat(page, seat)}{bet}")
    return ". ".join(
        part for part in (frame.street, " ".join(frame.boards), format_pots(page, frame), ", ".join(seats)) if part
    )


def find_street_starts(page: HandPage) -> list[tuple[str, int]]:
    """Return the first frame of each street, then of a showdown that follows the last street."""
    starts: dict[str, int] = {}
    for frame_index, frame in enumerate(page.frames):
        starts.setdefault(_STREET_LABELS.get(frame.street, frame.street), frame_index)
    last_start = max(starts.values(), default=0)
    for frame_index, frame in enumerate(page.frames):
        if frame_index > last_start and frame.topic in _SHOWDOWN_TOPICS:
            starts.setdefault("showdown", frame_index)
    return list(starts.items())


def list_judgements_in_force(page: HandPage) -> list[Judgement]:
    """Return the judgements under the requested books, or under the books that the house may have had in force."""
    return [judgement for judgement in page.judgements if not judgement.is_for_comparison]


def find_finding_frames(page: HandPage, book: int = 0) -> list[int]:
    """Return the frames with findings of a book, given its index on the page."""
    versions = {finding.version for finding in page.judgements[book].findings}
    pairs = sorted((frame.version, frame_index) for frame_index, frame in enumerate(page.frames))
    versions_in_order = [version for version, _ in pairs]
    last_frames = list(
        accumulate((frame_index for _, frame_index in pairs), max)
    )  # the last frame of any version up to each
    return sorted(
        {
            last_frames[count - 1] if (count := bisect_right(versions_in_order, finding_version)) else 0
            for finding_version in versions
        }
    )


def describe_stack_changes(page: HandPage, frame_index: int) -> str:
    """Describe whose stacks an event changed; "" if more than three."""
    earlier_seats = {seat.seat: seat for seat in page.frames[frame_index - 1].seats} if frame_index else {}
    changes = []
    for seat in page.frames[frame_index].seats:
        earlier = earlier_seats.get(seat.seat)
        if earlier is not None and earlier.stack != seat.stack:
            bet = f", bet {amount(seat.bet, page.unit, page.exponent)}" if seat.bet else ""
            changes.append(f"seat {seat.seat} {amount(seat.stack, page.unit, page.exponent)}{bet}")
    return "; ".join(changes) if len(changes) < 4 else ""


def has_ghosts(page: HandPage) -> bool:
    """Whether any book puts the button or a blind elsewhere."""
    return any(judgement.should is not None and judgement.should != page.recorded for judgement in page.judgements)


def format_signed_amount(chips: Chips, page: HandPage) -> str:
    """Return an amount with its sign."""
    return f"{'+' if chips > 0 else ''}{amount(chips, page.unit, page.exponent)}"


def count_unjudged(judgement: Judgement) -> int:
    """Return the number of clauses that could not be judged."""
    return len({clause for missing in judgement.wanting for clause in missing.clauses})


def describe_position_errors(page: HandPage, judgement: Judgement) -> str:
    """Describe where the misplaced button and blinds belonged."""
    if judgement.should is None:
        return ""
    dealt_seats = {seat.seat for seat in page.frames[-1].seats if seat.status != "left-out"}
    errors = []
    for name, should, recorded_seat in zip(
        MARKER_NAMES.values(), list_position_seats(judgement.should), list_position_seats(page.recorded), strict=True
    ):
        if should != recorded_seat:
            empty_note = " (nobody is dealt in there)" if should is not None and should not in dealt_seats else ""
            right_place = f"no {name}" if should is None else f"{name} at seat {should}{empty_note}"
            errors.append(f"{right_place}, not {'nowhere' if recorded_seat is None else recorded_seat}")
    return "; ".join(errors) or "the same button and blinds, but a different post (see the finding)"


def format_positions(positions: ButtonAndBlinds) -> str:
    """Return the seats of button, small and big blind, such as "1, 2, 3"."""
    return ", ".join("-" if seat is None else str(seat) for seat in list_position_seats(positions))


def describe_overpaid(shares: Sequence[Share], knock_on: KnockOn) -> str:
    """Describe which seats paid too much or too little."""
    parts = [
        f"seat {share.seat} {'+' if share.amount > 0 else '-'}{amount(abs(share.amount), knock_on.unit, knock_on.exponent)}"
        for share in shares
    ]
    return ", ".join(parts) or "nobody"


def list_books(report: ReportDocument) -> list[BookRef]:
    """Return the books under which hands of a report were judged, each once."""
    books_by_name = {judgement.book.name: judgement.book for page in report.hands for judgement in page.judgements}
    if report.summary is not None and report.summary.book is not None:
        for book in (report.summary.book, *report.summary.more_books):
            books_by_name.setdefault(book.name, book)
    return list(books_by_name.values())
