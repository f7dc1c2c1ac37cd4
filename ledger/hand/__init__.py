"""One hand: its events, its state, and the fold of events into the state."""
