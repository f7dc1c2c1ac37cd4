"""The append-only log: events in, commits out."""
