"""Who recorded an event: a person who was signed in on a page, the device, and the floor who approved it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import safe
from ledger.recording.author import parse_writer
from ledger.text.language import phrase
from projections.reports.hand_documents import RecorderDocument

if TYPE_CHECKING:
    from ledger.people import People


def describe_recorder(writer: str, people: People) -> RecorderDocument | None:
    """Return who recorded a commit, from its provenance; None if it was an import or a command."""
    recording = parse_writer(writer)
    if not any(recording):
        return None
    user, approver = (
        people.name(person) or person if person else "" for person in (recording.user, recording.approver)
    )
    return RecorderDocument(user, recording.device, approver)


def format_recorder(recorder: RecorderDocument | None) -> str:
    """Return who recorded an event in one line, harmless; "" if nobody is known."""
    if recorder is None:
        return ""
    user, device, approver = (safe.terminal(text, 60) for text in (recorder.user, recorder.device, recorder.approver))
    if not user:
        return phrase("recorded by {name}", name=device)
    if device and approver:
        return phrase("recorded by {name} on {device}, approved by {floor}", name=user, device=device, floor=approver)
    if approver:
        return phrase("recorded by {name}, approved by {floor}", name=user, floor=approver)
    return (
        phrase("recorded by {name} on {device}", name=user, device=device)
        if device
        else phrase("recorded by {name}", name=user)
    )
