"""One hand: its events, its state, the fold between the two."""
