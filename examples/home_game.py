"""A home game: who posts what tonight, with players who come late, leave and step out.

Run: python examples/home_game.py
"""

from __future__ import annotations

import handledger


def main() -> None:
    """Deal a few hands and print what to call out before each."""
    table = handledger.Table("no-limit 1/2", seats=8, rulebook="rrop4", options={"button-method": "dead"})
    for seat, name in enumerate(["Ana", "Bo", "Cy", "Di", "Ed"], start=1):
        table.sit(seat, name, stack=200)
    table.deal(button=3)  # the high card got the button
    print(table.due().sentence)
    table.deal()

    table.away(1)  # Ana takes a call
    table.sit(7, "Flo", stack=100)  # comes late
    due = table.due()
    print(due.sentence)
    newcomer = due.seat(7)
    if newcomer is not None and "post" in newcomer.choices:
        print(f"{newcomer.name} may post {newcomer.chips}, or wait {newcomer.hands_to_wait} hands.")
        table.choose(7, "post")
    for post in table.due().posts:
        print(f"  seat {post.seat} {post.name}: {post.kind} {post.chips}")
    table.deal()

    for fault in table.check(button=2):
        print(f"If the button went to seat 2: {fault.sentence} ({fault.book} {fault.clause})")


if __name__ == "__main__":
    main()
