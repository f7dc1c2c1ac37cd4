"""Read the hands of `formats` with handledger, and return them in the form of the suite."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from ledger import formats
from ledger.account import Account
from ledger.event import Event
from ledger.hand import betting, dealing, ending, opening
from ledger.hand.fold import fold
from ledger.hand.pots import pots
from ledger.notation import Chunk
from ledger.people import People


class NotSupportedError(Exception):
    """The reader can't read this case."""


ACTS = {
    betting.Folded: "fold",
    betting.Checked: "check",
    betting.Called: "call",
    betting.Bet: "bet",
    betting.Raised: "raise",
}
ROLES = {"small": "small blind", "big": "big blind", "makeup-small": "makeup", "makeup-big": "makeup", "entry": "entry"}


def read_meaning(path: Path, format_name: str) -> dict[str, Any]:
    """Read the one hand of a file."""
    people = People(bytes(range(32)))
    (account,) = formats.get(format_name).read(Chunk(path.read_bytes(), encoding="utf-8", name=path.name), people)
    assert isinstance(account, Account)
    names = {event.seat: people.name(event.player) for event in iterate_events(account, opening.SeatDealtIn)}
    game = next(iterate_events(account, opening.GameSet))
    won: dict[str, int] = defaultdict(int)
    for event in iterate_events(account, ending.PotAwarded):
        won[names[event.seat]] += event.amount
    paid = sum_paid_chips(account, names)
    returned = {names[event.seat]: event.amount for event in iterate_events(account, betting.BetReturned)}
    has_awards = bool(won)
    return {
        "exponent": game.exponent,
        "players": {
            str(event.seat): [names[event.seat], event.stack] for event in iterate_events(account, opening.SeatDealtIn)
        },
        "button": next(iterate_events(account, opening.ButtonPlaced)).seat,
        "posts": list_posts(account, names),
        "acts": list_acts(account, names),
        "boards": list_boards(account),
        "returned": returned,
        "pots": list_pots(account),
        "won": dict(won) if has_awards else None,
        "rake": sum(event.amount for event in iterate_events(account, ending.DropTaken)),
        "net": {name: won.get(name, 0) + returned.get(name, 0) - paid[name] for name in names.values()}
        if has_awards
        else None,
    }


def iterate_events(account: Account, kind: type) -> Any:
    return (event for event in account.events if isinstance(event, kind))


def list_pots(account: Account) -> list[int]:
    """Return the pots before the first one is awarded, after uncalled chips are returned."""
    end_kinds = (ending.PotAwarded, ending.DropTaken, ending.HandCompleted, ending.ResultDeclared)
    events = account.events
    end_index = next((index for index, event in enumerate(events) if isinstance(event, end_kinds)), len(events))
    return [pot.amount for pot in pots(fold(events[:end_index]))]


def list_posts(account: Account, names: dict[int, str]) -> list[list[Any]]:
    posts: list[list[Any]] = []
    for event in account.events:
        if isinstance(event, opening.AntePosted):
            posts.append([names[event.seat], "ante", 0, event.amount])
        elif isinstance(event, opening.StraddlePosted):
            posts.append([names[event.seat], "straddle", event.amount, 0])
        elif isinstance(event, opening.BlindPosted):
            name, kind = names[event.seat], ROLES[event.role]
            match = next((post for post in posts if post[:2] == [name, "makeup"]), None)
            if match is not None and kind in ("entry", "makeup"):
                match[2], match[3] = match[2] + event.live, match[3] + event.dead
            else:
                posts.append([name, kind, event.live, event.dead])
    return sorted(posts)


def list_acts(account: Account, names: dict[int, str]) -> list[list[Any]]:
    street = "preflop"
    acts = []
    for event in account.events:
        if isinstance(event, dealing.BoardDealt):
            street = event.street
        elif type(event) in ACTS:
            acts.append([street, names[event.seat], ACTS[type(event)], getattr(event, "to", None)])
    return acts


def list_boards(account: Account) -> list[str]:
    boards: dict[int, str] = {1: ""}
    for event in iterate_events(account, dealing.BoardDealt):
        if event.run not in boards:
            missing = {"turn": 6, "river": 8}.get(event.street, 0)
            boards[event.run] = boards[1][:missing]
        boards[event.run] += event.cards
    return list(boards.values())


def sum_paid_chips(account: Account, names: dict[int, str]) -> dict[str, int]:
    paid: dict[str, int] = defaultdict(int)
    for event in account.events:
        if chips := count_chips(event):
            paid[names[event.seat]] += chips
    return paid


def count_chips(event: Event) -> int:
    match event:
        case opening.AntePosted() | opening.StraddlePosted():
            return event.amount
        case opening.BlindPosted():
            return event.live + event.dead
        case betting.Called() | betting.Bet() | betting.Raised():
            return event.added
        case _:
            return 0
