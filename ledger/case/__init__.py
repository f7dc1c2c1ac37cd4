"""A dispute: its events, its state, and the rules for new events."""
