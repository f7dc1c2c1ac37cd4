"""A table for tests, told hand by hand: what was due on each hand, and what is due on the coming one."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

from ledger.table.events import DealtIn, HandPlayed, LeftOut, Post, TableEvent
from ledger.table.fold import apply, begin
from ledger.table.order import TableEntry
from ledger.table.unlisted_seats import list_absent_players
from ledger.vocabulary import Seat, Witness
from projections.obligations.dues import Due, SeatDue
from projections.obligations.game_start import NewGame
from projections.obligations.missed_blinds import Spot
from projections.obligations.obligations import Obligations
from projections.obligations.policy import Policy, parse_ruling

ALL = sum(int(bit) for bit in Witness)
LISTS = ALL & ~int(Witness.SEATING)  # does not tell who leaves: whoever it does not list has left


def new_game(*spots: Spot, is_told: bool = True) -> NewGame:
    """A game that began with the positions of these hands."""
    new_game = NewGame(is_recorded=is_told)
    was = None
    for number, spot in enumerate(spots, 1):
        new_game.follow_hand(str(number), was, spot)
        was = spot
    return new_game


@cache
def policy(book: str) -> Policy:
    """A book's policy alone: what is owed hangs on no detector."""
    text = (resources.files("projections") / "rulebooks" / f"{book}.toml").read_text("utf-8")
    table = tomllib.loads(text)["policy"]
    return Policy({key: parse_ruling(key, setting) for key, setting in table.items()})


class Desk:
    """One table under one book; players are called p1, p2, ... after the seat they first took."""

    def __init__(self, book: str, betting: str = "limit", *, method: str = "", **told: object):
        self.keeper = Obligations(policy(book), book)
        self.state = begin()
        self.number = 0
        self.version = 0
        self.who: dict[Seat, str] = {}
        limit = betting == "limit"
        options = tuple(dict(told.pop("options", {})).items())  # type: ignore[call-overload]  # options by name
        if method:
            options += (("button-method", method),)
        self.game: dict[str, object] = {
            "betting": betting,
            "format": "cash",
            "blinds": (5, 10),
            "variant": "holdem",
            "bets": (10, 20) if limit else (),
            "unit": "chips",
            "exponent": 0,
            "witnesses": ALL,
            "options": options,
        } | told

    def tell(self, *events: TableEvent) -> None:
        for event in events:
            self.version += 1
            apply(self.state, event)
            self.keeper.apply_table_event(TableEntry(self.version, event), self.state)

    def play(
        self,
        button: Seat | None,
        small: Seat | None,
        big: Seat | None,
        seats: Iterable[Seat],
        *,
        out: Mapping[Seat, str] | None = None,
        posts: Iterable[Post] = (),
        stacks: Mapping[Seat, tuple[int | None, int | None]] | None = None,
        number: int = 0,
        **told: object,
    ) -> Due:
        """Play a hand whose small and big blind are posted by whoever is dealt in there."""
        self.number = number or self.number + 1
        self.version += 1
        dealt = sorted(seats)
        blinds = self.game["blinds"]
        assert isinstance(blinds, tuple)
        all_posts = list(posts)
        blind_seats = {post.seat for post in all_posts if post.role in ("small", "big")}
        for role, seat, position_index in (("small", small, 0), ("big", big, 1)):
            if seat in dealt and seat not in blind_seats and blinds:
                all_posts.append(Post(seat, role, blinds[position_index]))
        hand = HandPlayed(
            **(
                self.game
                | {
                    "number": str(self.number),
                    "hand": f"{self.number}",
                    "started": None,
                    "button": button,
                    "small": small,
                    "big": big,
                    "posts": tuple(all_posts),
                    "skipped": (),
                    "dealt_in": tuple(
                        DealtIn(seat, self.player(seat), *(stacks or {}).get(seat, (1000, 1000))) for seat in dealt
                    ),
                    "left_out": tuple(
                        LeftOut(seat, self.player(seat), 1000, reason) for seat, reason in (out or {}).items()
                    ),
                    "completed": True,
                }
                | told
            )
        )  # type: ignore[arg-type]  # fields by name
        hand = list_absent_players(self.state, hand)
        due = self.keeper.add_seat_dues(self.keeper.find_positions(self.state, hand), self.state, hand)
        self.keeper.apply_hand(hand, self.state, due)
        apply(self.state, hand)
        return due

    def player(self, seat: Seat) -> str:
        return self.who.setdefault(seat, f"p{seat}")

    def coming(self) -> Due:
        return self.keeper.find_due(self.state)


def makeup(seat: Seat, live: int, dead: int = 0) -> Post:
    return Post(seat, "makeup", live, dead)


def entry(seat: Seat, live: int, dead: int = 0) -> Post:
    return Post(seat, "entry", live, dead)


def due_at(due: Due, seat: Seat) -> SeatDue:
    seat_due = due.seat(seat)
    assert seat_due is not None, f"nobody sits at {seat}"
    return seat_due


def terms(due: Due, seat: Seat) -> str:
    """A seat's terms in a few characters: "yes", "no", "open", or what it posts: "10+5"."""
    seat_due = due_at(due, seat)
    return f"{seat_due.live}+{seat_due.dead}" if seat_due.deal == "if-posts" else seat_due.deal


def waits_by_way(due: Due, seat: Seat) -> dict[str, int | None]:
    """A seat's ways back, and how many hands it waits on each."""
    return {way_in.kind: way_in.hands_to_wait for way_in in due_at(due, seat).ways_in}


def clauses(due: Due, seat: Seat) -> set[str]:
    """The clauses that a seat's terms rest on."""
    seat_due = due_at(due, seat)
    return {clause for ground in seat_due.grounds for clause in ground.clauses}


def lacking(due: Due, seat: Seat) -> str:
    """The fact that is missing, for a seat whose terms are open."""
    seat_due = due_at(due, seat)
    assert seat_due.deal == "open"
    return seat_due.grounds[0].sentence
