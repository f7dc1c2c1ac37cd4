"""A table in play: the findings so far, the dues, and the likely next hand."""
