"""A lake: whole tables of a ledger as Parquet shards, which any number of machines judge and check without the ledger."""
