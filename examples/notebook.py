"""A notebook over a ledger: its hands as a data frame, with pandas or polars. Each `# %%` is a cell.

Run: python examples/notebook.py, or open it in an editor that knows cells.
"""

from __future__ import annotations

# %% Fill a ledger; `handledger.open("room.ledger")` opens your own
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import handledger

SAMPLE = Path(__file__).resolve().parents[1] / "cli" / "samples" / "riverside-limit-evening.hand"

ledger = handledger.open("sqlite://")
handledger.import_files(ledger, SAMPLE)
rows = handledger.export(ledger, "csv").text  # a row per seat and hand

# %% As a data frame
if find_spec("pandas"):
    import pandas as pd

    table = pd.read_csv(StringIO(rows))
    print(table.groupby("player")["net"].agg(["count", "sum"]))
elif find_spec("polars"):
    import polars as pl

    table = pl.read_csv(rows.encode())
    print(table.group_by("player").agg(pl.len(), pl.col("net").sum()))
else:
    print("For a data frame, install one of them: pip install pandas, or: pip install polars")

# %% What the rulebook says of these hands
result = handledger.audit(ledger, "rrop4")
for finding in result.findings:
    print(finding.hand.number, finding.citation, finding.saw)
ledger.close()
