"""The ledger as pages of a local web server: what `handledger serve` starts."""
