"""Makes docs/formats/csv.md: the columns of the tables that are written for spreadsheets."""

from __future__ import annotations

from ledger.export import seats
from projections.reports import csv_rows

HEAD = """# Tables for spreadsheets (CSV)

Generated from the program (`make docs`). Two tables are written, and neither is read back:

    handledger export --to csv -o hands.csv                     a row for each seat of each hand
    handledger audit -r hilton --format csv -o findings.csv     a row for each finding

## What holds for both

- RFC 4180: commas, quotes doubled, lines end with CR LF, the first line names the columns. New columns are added behind the last one.
- UTF-8. A file (`-o`) begins with a byte order mark, without which Excel takes names beyond ASCII for another alphabet; standard output
  has none. pandas and LibreOffice read both, Python's own reader wants `encoding="utf-8-sig"` for a file.
- Amounts are exact decimals with a point, in the unit of the row, never rounded. What the record does not tell is empty, which is not 0.
- Times are ISO 8601 in UTC.
- No cell is a formula: text that a spreadsheet would run (`=`, `+`, `-`, `@`, also wide ones) has an apostrophe before it, and what would
  hide or turn text round is shown as an escape (`ledger/safe.py`).
- A spreadsheet that guesses makes a date of a table called `2-4`, cuts a number of more than 15 digits, and wants a semicolon where the
  comma is the decimal mark. Excel: Data, From Text/CSV, do not detect data types. pandas: `dtype={"hand": str, "table": str}`.
"""

FINDINGS = """## Findings: `audit --format csv`

Findings come first, hand by hand; `show` is the address that `handledger show` takes, the bytes are those of the file as it was imported.
Several rulebooks (`-r` said several times) give rows for each; `other_books` says what the others answer where they differ.

After them comes a row for each clause that could not tell in some hands, with the facts that were missing: no finding does not mean that
nothing was wrong. With `--coverage` there is a row for whatever else became of a clause, too. Rows of this kind belong to no hand.
The same hands give the same bytes. The exit code is that of every audit: 1 if there is a finding.

"""


def page() -> str:
    """Return the page."""
    lines = [HEAD, FINDINGS + _table(csv_rows.COLUMNS), ""]
    lines += [
        "## Hands: `export --to csv`\n\nWhat an audience may see and under which names is `--as` and `--names`, as in every export.\n"
    ]
    return "\n".join([*lines, _table(seats.COLUMNS), ""])


def _table(columns: dict[str, str]) -> str:
    return "\n".join(
        [
            "| column | what stands in it |",
            "|---|---|",
            *(f"| `{name}` | {content} |" for name, content in columns.items()),
        ]
    )
