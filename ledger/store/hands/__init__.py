"""Hands in a ledger: which account of each counts, and in which order they were played."""
