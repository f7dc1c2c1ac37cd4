"""Judge hands under the clauses of rulebooks: findings, coverage, and the differences between two audits."""
