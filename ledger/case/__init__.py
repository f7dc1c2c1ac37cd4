"""A dispute: its events."""
