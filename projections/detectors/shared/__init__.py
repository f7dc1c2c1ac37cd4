"""Facts about a hand that several detectors need: its deal, bets, posts, awards and remedies."""
