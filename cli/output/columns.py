"""Rows in columns, and the note below names of chairs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from ledger import safe
from ledger.people import CHAIR_NAMES_NOTE, has_chair_name


def format_columns(cells: list[list[str]]) -> list[str]:
    """Return rows with the first column to the left and the others to the right, each as wide as it needs."""
    widths = [max(safe.columns(row[column_index]) for row in cells) for column_index in range(len(cells[0]))]
    lines = []
    for row in cells:
        paddings = [" " * (width - safe.columns(cell)) for cell, width in zip(row, widths, strict=True)]
        lines.append(
            "  ".join(
                [row[0] + paddings[0], *(padding + cell for padding, cell in zip(paddings[1:], row[1:], strict=True))]
            )
        )
    return lines


def explain_chair_names(names: Iterable[str]) -> list[str]:
    """Return a note, in lines, if some of these names are those of chairs."""
    return ["", *textwrap.wrap(CHAIR_NAMES_NOTE, 100)] if has_chair_name(names) else []
