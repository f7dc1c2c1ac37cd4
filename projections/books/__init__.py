"""Rulebooks: read them from files, adopt them for a house, and explain their clauses."""
