"""What the list of dues says besides its reasons."""

from __future__ import annotations


def open_question(question: str) -> str:
    """Say what can't be told."""
    return f"Can't tell: {question}."


def likely(reasons: str) -> str:
    """Say that dues rest on a doubtful record."""
    return f"Likely, not certain. {reasons}"


def unsettled() -> str:
    """Say that the book leaves the positions open."""
    return "The book doesn't settle this. We show the usual practice, but judge nobody by it."


def possible_reading() -> str:
    """Say that a reading is possible but unlikely."""
    return "The rule can also be read this way, so a hand dealt this way is only likely to be wrong."


def without_button(ways_in: str) -> str:
    """Return what a seat may do, where it can't have the button."""
    return f"{ways_in}; can't have the button"
