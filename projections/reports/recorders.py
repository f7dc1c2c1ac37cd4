"""Describe who recorded an event: the signed-in person, the device, and the floor who approved it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import safe
from ledger.recording.author import parse_writer
from ledger.text.language import phrase
from projections.reports.hand_documents import RecorderDocument

if TYPE_CHECKING:
    from ledger.people import People
    from ledger.vocabulary import PlayerId


def describe_recorder(writer: str, people: People) -> RecorderDocument | None:
    """Return who recorded a commit, from its provenance; None if it was an import or a command."""
    recording = parse_writer(writer)
    if not any(recording):
        return None
    user, approver = (_find_name(people, person) for person in (recording.user, recording.approver))
    return RecorderDocument(user, recording.device, approver)


def _find_name(people: People, person: PlayerId) -> str:
    """Return a person's name, or the id if the name was erased; "" if there is no person."""
    return people.name(person) or person if person else ""


def format_recorder(recorder: RecorderDocument | None) -> str:
    """Return who recorded an event, sanitized and on one line; "" if it's unknown."""
    if recorder is None:
        return ""
    user, device, approver = (safe.terminal(text, 60) for text in (recorder.user, recorder.device, recorder.approver))
    if not user:
        return phrase("recorded by {name}", name=device)
    if device and approver:
        return phrase("recorded by {name} on {device}, approved by {floor}", name=user, device=device, floor=approver)
    if approver:
        return phrase("recorded by {name}, approved by {floor}", name=user, floor=approver)
    if device:
        return phrase("recorded by {name} on {device}", name=user, device=device)
    return phrase("recorded by {name}", name=user)
