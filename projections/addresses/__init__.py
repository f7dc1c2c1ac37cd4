"""Addresses of hands, like `T7/408`: their syntax, the hand at an address, and the shortest address of a hand."""
