"""A table over time: its events, its state, the fold between the two."""
