"""Small sources for the tests of the import, in PHH: what is tested is not the format."""

from __future__ import annotations


def hand(number: int, *, names: tuple[str, str] = ("Ann", "Bob"), raised: int = 6, table: str = "T1") -> str:
    """A heads-up hand: a raise, a fold."""
    quoted = ", ".join(f'"{name}"' for name in names)
    return f"""variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ["d dh p1 AhKh", "d dh p2 ????", "p2 cbr {raised}", "p1 f"]
players = [{quoted}]
hand = {number}
table = "{table}"
venue = "Testing room"
year = 2026
month = 1
day = {number % 27 + 1}
"""


def hands(*numbers: int, **told: object) -> str:
    """Several hands in one file, as `.phhs`."""
    return "\n".join(f"[{index}]\n{hand(n, **told)}" for index, n in enumerate(numbers, 1))  # type: ignore[arg-type] # the caller's duty


def big(megabytes: int) -> bytes:
    """A file of about so many megabytes, all of it hands."""
    hand_length = len(hand(10_000))
    return hands(*range(10_000, 10_000 + megabytes * 1_000_000 // hand_length)).encode()
