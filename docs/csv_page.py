"""Makes docs/formats/csv.md: the columns of the tables that are written for spreadsheets."""

from __future__ import annotations

from ledger.export import seats
from projections.reports import csv_rows

HEAD = """# Tables for spreadsheets (CSV)

Generated from the program (`make docs`). handledger writes two tables and reads neither back:

| command | rows |
|---|---|
| `handledger export --to csv -o hands.csv` | one for each seat of each hand |
| `handledger audit -r hilton --format csv -o findings.csv` | one for each finding |

## Both tables

- RFC 4180: commas, doubled quotes, lines that end with CR LF. The first line names the columns. New columns come after the last one.
- UTF-8. A file (`-o`) begins with a byte order mark, because Excel garbles names beyond ASCII without it. Standard output has none.
  pandas and LibreOffice read both. Python's own reader needs `encoding="utf-8-sig"` for a file.
- Amounts are exact decimals with a point, in the unit of the row, never rounded. An unknown amount is empty, not 0.
- Times are ISO 8601 in UTC.
- No cell is a formula. Text that a spreadsheet would run (`=`, `+`, `-`, `@`, also wide ones) has an apostrophe before it. Characters
  that hide or reverse text appear as escapes (`ledger/safe.py`).
- Spreadsheets guess. They turn a table called `2-4` into a date and cut numbers of more than 15 digits. Where the comma is the decimal
  mark, they expect semicolons. In Excel, choose Data, From Text/CSV, and don't detect data types. In pandas, pass
  `dtype={"hand": str, "table": str}`.
"""

FINDINGS = """## Findings: `audit --format csv`

Findings come first, hand by hand. `show` is the address for `handledger show`. The bytes are those of the file as imported. If you give
`-r` several times, each rulebook has its rows. `other_books` has the other books' answers if they differ.

After the findings comes a row for each clause that an audit couldn't judge in some hands, with the missing facts. A hand without a
finding may still be wrong. `--coverage` adds a row for each clause's other results. These rows belong to no hand. The same hands give
the same bytes. As in every audit, the exit code is 1 if there's a finding.

"""


def page() -> str:
    """Return the page."""
    lines = [HEAD, FINDINGS + _table(csv_rows.COLUMNS), ""]
    lines += [
        "## Hands: `export --to csv`\n\nAs in every export, `--as` sets the audience and `--names` the names it sees.\n"
    ]
    return "\n".join([*lines, _table(seats.COLUMNS), ""])


def _table(columns: dict[str, str]) -> str:
    return "\n".join(
        [
            "| column | content |",
            "|---|---|",
            *(f"| `{name}` | {content} |" for name, content in columns.items()),
        ]
    )
