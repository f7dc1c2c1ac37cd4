"""Statistics of players: what each seat chose, hand by hand. `docs/statistics.md` defines every figure."""
