"""Small tables, every history: whoever plays what `owed` offers under a rulebook breaks no rule of it."""
