"""One database under a ledger: SQLite or PostgreSQL, its tables and its guards."""
