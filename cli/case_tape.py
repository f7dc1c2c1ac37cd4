"""`handledger case tape`: an index of a recording that is evidence in a case."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.options import case_options as c
from cli.options import common_options, ledger_options, tape_options
from cli.output import console
from ledger.clocks import format_moment
from projections.tape import tape_errors

if TYPE_CHECKING:
    from ledger.case.events import EvidenceAttached
    from ledger.case.state import CaseState
    from ledger.store import Ledger


def index_tape(
    number: c.Number,
    *,
    camera: Annotated[
        str | None, typer.Option("--camera", help="The camera, if the case has several recordings.")
    ] = None,
    clock: tape_options.ClockOffset = None,
    target_format: Annotated[Literal["webvtt", "edl"], typer.Option("--as", help="The format.")] = "webvtt",
    frame_rate: tape_options.FrameRate = None,
    books: common_options.Books = None,
    index_file: Annotated[Path, typer.Option("--index", metavar="FILE", help="Where the index goes.")],
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Index hands, acts and findings on a recording of a case, and attach the index."""
    from cli.proofs.tape_index import write_tape_index
    from ledger.export.hands import Export
    from ledger.store.requests.case_streams import find_case
    from projections.cases import case_commands
    from projections.cases.case_hands import find_case_rows

    with ledger_options.open_ledger(url) as ledger, console.PendingOutput(index_file) as draft:
        recording = _choose_recording(ledger, number, camera)
        state = find_case(ledger, number).state
        rows = find_case_rows(ledger, state)
        if not rows:
            raise tape_errors.no_hands_for_tape(number)
        starts, ends = format_moment(recording.starts), format_moment(recording.ends) or None
        tape_of_case = tape_options.TapeOptions(starts, ends, clock, [], frame_rate, books or _list_cited_books(state))
        write_tape_index(Export(ledger, target_format), tape_of_case, rows, draft)
        draft.publish()
        digest = draft.digest()
    evidence = case_commands.CaseEvidence(
        "document", digest, f"{index_file.name}: index of the recording", recording.camera, starts, ends, None
    )
    document = c.add_to_case(number, url, lambda case: case_commands.attach_evidence(case, evidence), "index attached")
    c.write_case(document, format_, file)


def _list_cited_books(state: CaseState) -> list[str] | None:
    """Return the rulebooks that the case cites; None = those of the house."""
    return list(dict.fromkeys(citation.book for citation in state.cited)) or None


def _choose_recording(ledger: Ledger, number: str, camera: str | None) -> EvidenceAttached:
    """Return the case's recording by that camera, or its only one. It must have a start."""
    from ledger.store.requests.case_streams import find_case

    state = find_case(ledger, number).state
    recordings = [exhibit for exhibit in state.evidence if exhibit.kind == "video" and exhibit.starts is not None]
    if camera is not None:
        recordings = [recording for recording in recordings if recording.camera == camera]
    if not recordings:
        raise tape_errors.recording_missing(number, camera)
    if len({recording.camera for recording in recordings}) > 1:
        raise tape_errors.several_recordings(number, sorted({recording.camera for recording in recordings}))
    return recordings[-1]
