"""A tournament director: levels go up, players bust, and every table can be moved to another device as JSON.

Run: python examples/tournament_director.py
"""

from __future__ import annotations

import json

import handledger

LEVELS = ("no-limit 100/200", "no-limit 200/400 ante 50", "no-limit 300/600 ante 75")


def main() -> None:
    """Play three levels at one table, and print the positions of each hand."""
    table = handledger.Table(LEVELS[0], seats=9, rulebook="tda2024", tournament=True)
    for seat in range(1, 7):
        table.sit(seat, f"Player {seat}", stack=10_000)
    table.deal(button=6)
    for level in LEVELS[1:]:
        for _ in range(2):
            print(table.number, table.due().sentence)
            table.deal()
        table.change_game(level)
        table.set_stack(2, 0) if table.seated[2].stack != 0 else table.leave(2)
    saved = json.dumps(table.to_dict())  # a file, a message, a QR code
    restored = handledger.Table.from_dict(json.loads(saved))
    print(table.game, restored.due().sentence)
    for reading in restored.due().readings:
        print("  button", reading.button, "small", reading.small_blind, "big", reading.big_blind, reading.text)


if __name__ == "__main__":
    main()
