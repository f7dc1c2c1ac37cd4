"""A lake: a ledger's tables as Parquet shards, which any number of machines can judge and check without the ledger."""
