"""Disputes: reading a claim, working the case, showing it."""
