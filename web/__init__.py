"""Pages of the ledger, and the server and API behind them."""
