"""Helpers for text and plain values: lookalike names, repeated texts, JSON, translated phrases."""
