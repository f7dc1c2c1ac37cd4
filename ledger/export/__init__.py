"""Export hands for an audience, with or without players' names, as text or rows."""
