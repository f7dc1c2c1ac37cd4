"""Addresses of hands: their syntax, the hand for an address, and the shortest address for a hand."""
