"""The kinds of games that the small tables are walked in: a book, its betting, its options."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from ledger.hand.opening import HouseOption


@dataclass(frozen=True)
class SmallTable:
    """One book in one kind of game. Amounts in whole units."""

    name: str
    book: str
    betting: Literal["limit", "no-limit"]
    blinds: tuple[int, ...]
    bets: tuple[int, ...] = ()
    options: tuple[tuple[HouseOption, int | str], ...] = ()
    form: Literal["cash", "tournament"] = "cash"
    gives_markers: bool = False  # the book asks for missed-blind markers
    tells_room: bool = False  # whether who is away is in the room matters
    more: tuple[str, ...] = ()  # kinds of changes besides the usual ones: `changes.changes_of`
    seats: int = 3

    def with_seats(self, seats: int) -> SmallTable:
        """Return the same game at a table with other chairs."""
        return replace(self, seats=seats)


_LIMIT: Final = {"betting": "limit", "blinds": (5, 10), "bets": (10, 20)}
_NO_LIMIT: Final = {"betting": "no-limit", "blinds": (1, 2)}


def _table(name: str, book: str, game: dict[str, object], **more: object) -> SmallTable:
    return SmallTable(name, book, **{**game, **more})  # type: ignore[arg-type]  # words of the tables above


TABLES: Final = {
    table.name: table
    for table in (
        _table("hilton-limit", "hilton", _LIMIT, options=(("straddle-amount", 20),), gives_markers=True),
        _table(
            "hilton-no-limit",
            "hilton",
            _NO_LIMIT,
            options=(("straddle-amount", 4), ("entry-post-required", 1)),
            gives_markers=True,
            tells_room=True,
        ),
        _table(
            "hilton-no-limit-free",
            "hilton",
            _NO_LIMIT,
            options=(("straddle-amount", 4), ("entry-post-required", 0)),
            gives_markers=True,
            tells_room=True,
        ),
        _table("rrop4-dead", "rrop4", _NO_LIMIT, options=(("button-method", "dead"),)),
        _table("rrop4-dead-limit", "rrop4", _LIMIT, options=(("button-method", "dead"),)),
        _table("rrop4-moving", "rrop4", _NO_LIMIT, options=(("button-method", "moving"),)),
        _table("rrop4-moving-limit", "rrop4", _LIMIT, options=(("button-method", "moving"),)),
        _table("rrop4-untold", "rrop4", _NO_LIMIT),
        _table("bicycle", "bicycle", _NO_LIMIT),
        _table("bicycle-limit", "bicycle", _LIMIT),
        _table("hilton-tournament", "hilton", _NO_LIMIT, form="tournament"),
        _table("rrop4-tournament", "rrop4", _NO_LIMIT, form="tournament"),
        _table("tda2024-tournament", "tda2024", _NO_LIMIT, form="tournament"),
    )
}
CASH: Final = [name for name, table in TABLES.items() if table.form == "cash"]
FURTHER: Final = {
    table.name: table
    for table in (
        *(replace(TABLES[name], name=f"{name}, broken tables", more=("broken",)) for name in CASH),
        *(replace(TABLES[name], name=f"{name}, seat moves", more=("moves",)) for name in CASH),
        *(
            replace(TABLES[name], name=f"{name}, busts", more=("busts",))
            for name in CASH
            if TABLES[name].betting == "no-limit"
        ),
        *(
            replace(table, name=f"{name.removesuffix('-tournament')}-tournament, busts", more=("busts", "eliminated"))
            for name, table in TABLES.items()
            if table.form == "tournament"
        ),
        *(
            replace(TABLES[name], name=f"{name}, bought buttons", more=("buys",))
            for name in ("bicycle", "bicycle-limit")
        ),
        *(
            replace(TABLES[name], name=f"{name}, three blinds", blinds=(5, 10, 20), bets=(20, 40), seats=4)
            for name in CASH
            if TABLES[name].betting == "limit"
        ),
        *(
            replace(TABLES[name], name=f"{name}, three blinds", blinds=(1, 2, 4), seats=4)
            for name in CASH
            if TABLES[name].betting == "no-limit"
        ),
        replace(TABLES["hilton-no-limit"], name="hilton-no-limit-high, busts", blinds=(5, 10), more=("busts",)),
        replace(TABLES["hilton-no-limit"], name="hilton-no-limit-high, seat moves", blinds=(5, 10), more=("moves",)),
    )
}
"""Games in which more happens: players go broke, move, buy the button, come from a broken table; or three blinds are posted."""
"""house-burn isn't among them: it does not say where button and blinds are, so nothing is offered under it."""
