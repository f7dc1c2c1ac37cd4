"""Rulebooks: read, drafted, adopted by a house, and explained clause by clause."""
