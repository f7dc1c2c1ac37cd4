"""A notebook over a ledger: its hands as a data frame, with pandas or polars. Each `# %%` is a cell.

Run: python examples/notebook.py, or open it in an editor that knows cells.
"""

from __future__ import annotations

# %% Fill a ledger; `handledger.open("room.ledger")` opens your own
from io import StringIO

import handledger

SAMPLE = "cli/samples/riverside-limit-evening.hand"

ledger = handledger.open("sqlite://")
handledger.import_files(ledger, SAMPLE)
rows = handledger.export(ledger, "csv").text  # a row per seat and hand

# %% As a data frame
try:
    import pandas as pd
except ImportError:
    import polars as pl

    table = pl.read_csv(rows.encode())
    by_player = table.group_by("player").agg(pl.len(), pl.col("net").sum())
else:
    table = pd.read_csv(StringIO(rows))
    by_player = table.groupby("player")["net"].agg(["count", "sum"])
print(by_player)

# %% What the rulebook says of these hands
result = handledger.audit(ledger, "rrop4")
for finding in result.findings:
    print(finding.hand.number, finding.citation, finding.saw)
ledger.close()
