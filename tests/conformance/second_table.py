"""The table of a case: who sits there, what they owe, and what each hand changed.

This is a second reading of the rulebooks. It was written from their texts alone, and it imports nothing of the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Event = dict[str, Any]
Case = dict[str, Any]


class UnclearError(Exception):
    """The texts, or this reading of them, give no answer."""


@dataclass
class Player:
    """A player in a seat, with what the hands so far left open."""

    stack: int
    is_new: bool = False
    from_broken_game: bool = False
    is_away: bool = False
    is_broke: bool = False
    was_broke: bool = False
    missed: set[str] = field(default_factory=set)  # "small", "big"
    due: str = ""  # moving button: the blind that this player has yet to pay in this round
    has_taken_blind: bool = True
    made_up_between: bool = False
    hands_to_wait: int = 0
    may_let_pass: bool = False  # moved from the button: the blinds may pass once
    is_letting_pass: bool = False
    has_moved: bool = False
    must_post: str = ""  # after a far move: "big" or "small"


@dataclass
class Positions:
    """Seats of button and blinds; None = the answer has no such position."""

    button: int
    small: int | None
    big: int | None


@dataclass
class Table:
    """A case's table after some of its events."""

    book: str
    method: str | None
    game: dict[str, Any]
    players: dict[int, Player] = field(default_factory=dict)
    last: Positions | None = None
    nominal_big: int = 0  # moving button: how far the big blind has come
    hands: int = 0
    passed: set[int] = field(default_factory=set)  # seats that a blind went past in a new game
    first_button: int = 0
    button_came_round: bool = False
    has_makeup_between: bool = False  # bicycle: somebody made up in front of the small blind on the last hand

    @property
    def is_tournament(self) -> bool:
        return bool(self.game["tournament"])

    @property
    def is_limit(self) -> bool:
        return bool(self.game["betting"] == "limit")

    @property
    def is_high(self) -> bool:
        """Whether the stakes are those of limit 5-10 or higher."""
        return int(self.game.get("small_bet", self.game["blinds"][1])) >= 5

    def clockwise(self, seat: int) -> Iterator[int]:
        """All seats from the next one on, the seat itself last."""
        size = self.game["seats"]
        yield from ((seat - 1 + step) % size + 1 for step in range(1, size + 1))

    def next_seat(self, seat: int, accepts: Callable[[int], bool]) -> int:
        for candidate in self.clockwise(seat):
            if accepts(candidate):
                return candidate
        raise UnclearError("nobody can be next")

    def seats_between(self, first: int, last: int) -> list[int]:
        """The seats strictly between two, clockwise."""
        passed: list[int] = []
        for seat in self.clockwise(first):
            if seat == last:
                return passed
            passed.append(seat)
        return passed

    def is_here(self, seat: int) -> bool:
        """Whether somebody sits there who can be dealt in; an absent player of a tournament can."""
        player = self.players.get(seat)
        if player is None or player.is_broke:
            return False
        return not player.is_away or (self.is_tournament and self.book == "tda2024")

    def is_settled(self, seat: int) -> bool:
        """Whether a player is in the game and owes nothing: the button and the small blind may fall to the seat."""
        if not self.is_here(seat):
            return False
        player = self.players[seat]
        if self.is_tournament:
            return True
        owes = player.missed or player.hands_to_wait or player.must_post
        return not (owes or player.is_new or player.made_up_between or player.is_letting_pass)

    def can_take_big(self, seat: int) -> bool:
        """Whether the big blind may fall to the seat: who waits to get in waits for exactly that."""
        return self.is_here(seat) and not self.players[seat].made_up_between


def apply_event(table: Table, event: Event) -> None:
    match event["event"]:
        case "sit":
            is_new = table.hands > 0
            table.players[event["seat"]] = Player(
                event["stack"], is_new=is_new, from_broken_game="origin" in event, has_taken_blind=not is_new
            )
        case "leave":
            del table.players[event["seat"]]
        case "away" | "back":
            if table.is_tournament and table.players[event["seat"]].is_new:
                raise UnclearError("a newcomer of a tournament who is away")
            table.players[event["seat"]].is_away = event["event"] == "away"
        case "broke":
            table.players[event["seat"]].is_broke = True
        case "rebuy":
            player = table.players[event["seat"]]
            player.is_broke, player.stack = False, event["stack"]
            if table.book == "hilton" and "big" in player.missed:  # from then on as a new player
                player.missed, player.is_new, player.has_taken_blind = set(), True, False
                player.was_broke = True
        case "move":
            move_player(table, event["seat"], event["to"])
        case "hand":
            play_hand(table, event)
        case "choose":
            pass  # the next hand shows what came of it


def turns_to_big_blind(table: Table, seat: int, player_seats: list[int]) -> int:
    """How many players have the big blind before a seat has it."""
    assert table.last is not None
    count = 0
    for candidate in table.clockwise(table.last.big or table.nominal_big):
        if candidate == seat:
            return count
        count += candidate in player_seats
    raise AssertionError("a seat is somewhere")


def move_player(table: Table, seat: int, new_seat: int) -> None:
    """Move a player between hands, with what the move costs under the book."""
    player = table.players.pop(seat)
    present_seats = [present for present in table.players if table.is_here(present)]
    table.players[new_seat] = player
    if table.last is None or player.is_new or player.missed:
        raise UnclearError("only a settled player's move in a running game is worked out")
    player.has_moved = True
    if seat == table.last.small or (table.book == "rrop4" and seat == table.last.big):
        raise UnclearError("whether a blind's position moves along with its player")
    away_from_blinds = turns_to_big_blind(table, new_seat, present_seats)
    player.may_let_pass = may_let_pass(table, seat, away_from_blinds)
    gained = away_from_blinds - turns_to_big_blind(table, seat, present_seats)
    if seat == table.last.big:
        if table.book != "hilton" or not table.is_high:
            if table.book == "hilton":
                return
            raise UnclearError("a move from the big blind")
        next_big = table.next_seat(seat, lambda candidate: candidate in present_seats)
        passed_count = sum(passed in present_seats for passed in table.seats_between(next_big, new_seat))
        if passed_count < 3:
            raise UnclearError("a short move right after the big blind")
        player.must_post = "small"
    elif gained > 0:
        charge_far_move(table, player, gained)


def may_let_pass(table: Table, seat: int, turns: int) -> bool:
    """Whether a player who leaves a seat may let the blinds pass the new one: always from the button, at first."""
    assert table.last is not None
    if table.book == "hilton":
        return seat in (table.last.button, table.last.small) and turns <= 2
    return table.book == "rrop4" and seat == table.last.button


def charge_far_move(table: Table, player: Player, gained: int) -> None:
    if table.book == "rrop4":
        player.hands_to_wait = gained
    elif table.book == "hilton":
        if gained >= 3 and table.is_high:
            player.must_post = "big"
    else:
        raise UnclearError("the book has no rule for a move away from the blinds")


def play_hand(table: Table, event: Event) -> None:
    """Note what a hand that was dealt changed."""
    small, big = event.get("small_blind"), event.get("big_blind")
    if table.last is not None:
        if table.method == "moving":
            note_reached(table, event)
        else:
            note_missed(table, event, small, big)
    elif table.method == "moving":
        table.nominal_big = big
        table.players[big].due = "big"
        if small in table.players:
            table.players[small].due = "small"
    note_new_game(table, event)
    note_posts(table, event)
    for player in table.players.values():
        player.hands_to_wait = max(0, player.hands_to_wait - 1)
    table.last = Positions(event["button"], small, big)
    table.hands += 1


def note_missed(table: Table, event: Event, small: int, big: int) -> None:
    assert table.last is not None
    assert table.last.small is not None
    assert table.last.big is not None
    passed_by = {
        "big": table.seats_between(table.last.big, big),
        "small": [*table.seats_between(table.last.small, small), small],
    }
    for blind, seats in passed_by.items():
        for seat in seats:
            player = table.players.get(seat)
            if player is None or player.is_new or seat in event["dealt"]:
                continue
            if table.method == "simplified" and seat not in table.seats_between(event["button"], big):
                raise UnclearError("a blind went past an absent seat that would have had the button")
            if player.may_let_pass or player.is_letting_pass:
                player.is_letting_pass = True
                continue
            if player.hands_to_wait or player.must_post:
                raise UnclearError("a blind went past a player who had moved")
            player.missed.add(blind)


def note_reached(table: Table, event: Event) -> None:
    """Moving button: everybody whom the big blind has reached or skipped now owes it."""
    button = event["button"]
    first = table.next_seat(button, lambda seat: seat in event["dealt"])
    second = table.next_seat(first, lambda seat: seat in event["dealt"])
    reached = [*table.seats_between(table.nominal_big, second), second]
    for seat, player in table.players.items():
        if seat in event["dealt"] or player.is_new:
            continue
        if "big" in player.missed and seat not in reached:
            player.missed.add("small")
        if seat in reached:
            player.missed.add("big")
        if player.due:
            player.missed.add(player.due)
            player.due = ""
    for seat in reached:
        if seat in event["dealt"]:
            table.players[seat].due = "big"
    table.nominal_big = second


def note_new_game(table: Table, event: Event) -> None:
    """Note which seats a blind went past, and whether the button has gone round once."""
    if table.last is None:
        table.first_button = event["button"]
        return
    for name, last_seat in (("small_blind", table.last.small), ("big_blind", table.last.big)):
        if last_seat is not None and event.get(name):
            table.passed.update([*table.seats_between(last_seat, event[name]), event[name]])
    path = [*table.seats_between(table.last.button, event["button"]), event["button"]]
    if event["button"] != table.last.button and table.first_button in path:
        table.button_came_round = True


def note_posts(table: Table, event: Event) -> None:
    table.has_makeup_between = False
    zone = table.seats_between(event["button"], event.get("big_blind") or event["button"])
    posts = {post["seat"]: post for post in event["posts"]}
    if table.last is not None:
        path = {*table.seats_between(table.last.button, event["button"]), event["button"]}
        for seat in path & set(table.players):
            table.players[seat].made_up_between = False
    for seat in event["dealt"]:
        player = table.players[seat]
        player.is_new = player.from_broken_game = False
        player.missed.clear()
        player.must_post = ""
        player.may_let_pass = player.is_letting_pass = player.has_moved = False
        post = posts.get(seat)
        if post is None:
            continue
        player.stack -= post["live"] + post["dead"]
        if post["kind"] in ("small blind", "big blind"):
            player.has_taken_blind = True
            if player.due and not post["kind"].startswith(player.due):
                raise UnclearError("the moving button's blinds were paid in another order")
            player.due = "small" if player.due == "big" else ""
        elif post["kind"] == "makeup" and seat in zone:
            player.made_up_between = table.book == "hilton"
            table.has_makeup_between = True


def table_of(case: Case) -> Table:
    rules = case["rules"]
    table = Table(rules["book"], rules["method"], case["game"])
    for event in case["history"]:
        apply_event(table, event)
    return table
