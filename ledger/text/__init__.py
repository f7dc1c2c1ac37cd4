"""Texts and plain values: lookalike names, repeated texts, JSON."""
