"""What the shell offers when a person presses Tab. Never says anything: it offers, or it does not."""

from __future__ import annotations

from itertools import islice

OFFERED = 30


def hands(url: str | None, incomplete: str) -> list[str]:
    """Return numbers of hands that begin with `incomplete`."""
    from cli.opening import opened
    from ledger.errors import HandledgerError

    try:
        with opened(url) as ledger:
            rows = ledger.hands(beginning=incomplete)
            return list(dict.fromkeys(row.number for row in islice(rows, OFFERED)))
    except (HandledgerError, OSError):
        return []


def cases(url: str | None, incomplete: str) -> list[str]:
    """Return numbers of cases that begin with `incomplete`, newest first."""
    from cli.opening import opened
    from ledger.errors import HandledgerError
    from ledger.store.cases import cases as all_cases

    try:
        with opened(url) as ledger:
            found = [case.number for case in all_cases(ledger)]
    except (HandledgerError, OSError):
        return []
    return [number for number in reversed(found) if number.startswith(incomplete)][:OFFERED]


def books(incomplete: str) -> list[str]:
    """Return names of rulebooks that begin with `incomplete`."""
    from projections.rulebook import names

    return [name for name in names() if name.startswith(incomplete)]
