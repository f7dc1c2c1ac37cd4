"""A table while it is played: what was found so far, what is due, what the next hand is likely to be."""
