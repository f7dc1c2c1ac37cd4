"""A table in play: findings so far, dues, the likely next hand."""
