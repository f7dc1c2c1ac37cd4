"""Hands on their way out: what an audience may see, under which names, in tables of rows."""
