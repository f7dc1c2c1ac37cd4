"""Small tables, every history: whoever plays what `due` offers under a rulebook breaks no rule of it."""
