"""What the shell offers when a person presses Tab. Never says anything: it offers, or it does not."""

from __future__ import annotations

from itertools import islice

OFFERED = 30


def hands(url: str | None, incomplete: str) -> list[str]:
    """Return numbers of hands that begin with `incomplete`."""
    from cli.options import opened
    from ledger.errors import HandledgerError

    try:
        with opened(url) as ledger:
            rows = ledger.hands(beginning=incomplete)
            return list(dict.fromkeys(row.number for row in islice(rows, OFFERED)))
    except (HandledgerError, OSError):
        return []


def books(incomplete: str) -> list[str]:
    """Return names of rulebooks that begin with `incomplete`."""
    from projections.rulebook import names

    return [name for name in names() if name.startswith(incomplete)]
