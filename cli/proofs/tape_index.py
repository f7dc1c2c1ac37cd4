"""Write an index of a camera's recording: hands, acts and findings where they are on it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ledger import safe
from ledger.text.language import phrase, phrase_count
from projections.addresses import hand_address
from projections.audit import house_audit
from projections.books.shelf import load_books
from projections.tables.hand_findings import find_findings_of_hands
from projections.tape import tape_clock, tape_errors
from projections.tape.cues import TapeIndex, find_late_commits, read_start, read_times
from projections.tape.edit_list import write_edit_list
from projections.tape.webvtt import write_webvtt

if TYPE_CHECKING:
    from cli.options.tape_options import TapeOptions
    from cli.output import console
    from ledger.export.hands import Export
    from ledger.store import HandRow, Ledger
    from ledger.vocabulary import Millis

_DEFAULT_FRAME_RATE: Final = 25


def write_tape_index(
    export: Export, tape: TapeOptions, rows: Sequence[HandRow], draft: console.PendingOutput
) -> list[str]:
    """Write the index of these hands.

    Return what has no time or isn't on the recording, as sentences; they also go to the file and to standard error.
    """
    ledger = export.ledger
    clock = read_tape_clock(ledger, tape)
    index = TapeIndex(
        export, clock, tape_clock.find_length(clock, tape.ends, _read_offset(tape)) if tape.ends else None
    )
    books = load_books(ledger, tape.books)
    findings_by_hand = find_findings_of_hands(
        ledger, rows, books or house_audit.load_judging_books(ledger), uses_house_books=not books
    )
    for row in rows:
        index.add_hand(row, findings_by_hand.get(row.position, ()))
    if not index.hands:
        raise tape_errors.nothing_on_recording(index.hand_count, index.untimed_hands, index.outside_hands)
    export.count = len(index.hands)
    index.end_hands_at_next()
    remarks = list(_describe_missing(index, is_judged=bool(books) or house_audit.has_adopted_books(ledger)))
    if export.format_name == "edl":
        pieces = write_edit_list(index.hands, int(tape.frame_rate or _DEFAULT_FRAME_RATE), remarks)
    else:
        pieces = write_webvtt(index.hands, remarks)
    for piece in pieces:
        draft.write(piece.encode("utf-8", "surrogatepass"))
    sys.stderr.writelines(f"{safe.terminal(remark)}\n" for remark in remarks)
    return remarks


def read_tape_clock(ledger: Ledger, tape: TapeOptions) -> tape_clock.TapeClock:
    """Return the clock of a recording: from its start, or from what somebody sees on it."""
    if tape.matches:
        if tape.starts or tape.clock:
            raise tape_errors.start_beside_match()
        matches = [tape_clock.parse_match(typed_match) for typed_match in tape.matches]
        return tape_clock.build_clock_from_matches(matches, [_find_times(ledger, match.address) for match in matches])
    if not tape.starts:
        raise tape_errors.start_missing()
    return tape_clock.build_clock_from_start(tape.starts, _read_offset(tape))


def _read_offset(tape: TapeOptions) -> Millis:
    """Return by how much the camera's clock is ahead of the ledger's."""
    return tape_clock.parse_clock_offset(tape.clock) if tape.clock else 0


def _find_times(ledger: Ledger, address: str) -> tape_clock.MomentTimes:
    """Return when an event happened, or when a hand began if the address names no event."""
    hand_match = hand_address.find(ledger, address)
    entries = ledger.entries(hand_match.row.stream)
    start_times = read_start(entries)
    if hand_match.version is None:
        return start_times
    return read_times(entries[hand_match.version - 1], start_times, find_late_commits(entries))


def _describe_missing(index: TapeIndex, *, is_judged: bool) -> Iterator[str]:
    """Say what of the hands isn't in the index, and why."""
    if not is_judged:
        yield phrase("The house has adopted no rulebook, so no act is judged. Name one: -r hilton.")
    if index.untimed_hands:
        yield phrase_count(
            "{count} hand is left out: the record has no time of it.",
            "{count} hands are left out: the record has no time of them.",
            index.untimed_hands,
        )
    if index.outside_hands:
        yield phrase_count(
            "{count} hand is left out: it isn't on the recording.",
            "{count} hands are left out: they aren't on the recording.",
            index.outside_hands,
        )
    if index.untimed_acts:
        yield phrase_count(
            "{count} event has no time of its own: only its hand is marked.",
            "{count} events have no times of their own: only their hands are marked.",
            index.untimed_acts,
        )
