"""Addresses of hands: how they are written, which hand one names, and the shortest one of a hand."""
