"""Tables made from the log: results of hands and seats, sittings, and findings."""
