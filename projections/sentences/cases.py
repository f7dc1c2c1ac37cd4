"""Words of cases: what became of one, and what it waits for."""

from __future__ import annotations

from typing import Final

from ledger.text.language import phrase, translatable


def status_name(case_status: str) -> str:
    """Return what became of a case."""
    return phrase(_STATUSES[case_status]) if case_status in _STATUSES else case_status


def awaited_name(awaited: str) -> str:
    """Return what a case waits for."""
    return phrase(_AWAITED[awaited]) if awaited in _AWAITED else awaited


def describe_new_person(name: str) -> str:
    """Return the note that a name wasn't in the ledger before."""
    return phrase("{name} is new to this ledger.", name=name)


_STATUSES: Final = {
    "open": translatable("open"),
    "decided": translatable("decided"),
    "appealed": translatable("appealed"),
    "closed": translatable("closed"),
}
_AWAITED: Final = {
    "reply": translatable("reply"),
    "decision": translatable("decision"),
    "footage": translatable("footage"),
    "notice": translatable("notice"),
    "other": translatable("other"),
}
