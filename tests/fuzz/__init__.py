"""Readers against damaged and hostile sources: `python -m tests.fuzz NAME --seconds 600`."""
