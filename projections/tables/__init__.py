"""Database tables made from the log: results of hands and seats, sittings, findings, dues on the next hand."""
