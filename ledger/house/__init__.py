"""The house: its events."""
