"""Answer the cases with handledger's public API."""

from contextlib import suppress
from typing import Any

import handledger

KINDS = {"small blind": "small blind", "big blind": "big blind", "entry": "entry", "makeup": "make-up"}
STATUSES = {"no_chips": "away", "must_post": "must post", "may_choose": "plays"}


class NotSupportedError(Exception):
    """The engine can't be asked this case."""


def answer(case: dict) -> dict:
    due = play_history(case).due()
    if due.unknown:
        return {"cannot_tell": due.unknown}
    seats = [describe_seat(seat) for seat in due.seats]
    return {"answers": [{**describe_reading(reading), "seats": seats} for reading in due.readings]}


def play_history(case: dict) -> Any:
    """Return the table after the case's history."""
    table = open_table(case)
    stacks: dict[int, int] = {}
    # Only Robert's rules have terms for a new game that a running one lacks.
    is_running = case["game"]["running"] and case["rules"]["book"] == "rrop4"
    for event in case["history"]:
        if event["event"] == "hand":
            if is_running and event["number"] == 1:
                deal_earlier_hands(table, event)
            deal_hand(table, event, stacks, case["game"]["blinds"][1])
        else:
            take_event(table, event, stacks)
    return table


def open_table(case: dict) -> Any:
    game, rules = case["game"], case["rules"]
    small, big = game["blinds"]
    stakes = f"{game['small_bet']}/{game['big_bet']} blinds {small}/{big}" if "small_bet" in game else f"{small}/{big}"
    options = {"button-method": rules["method"]} if rules["book"] == "rrop4" and rules["method"] else {}
    return handledger.Table(
        f"{game['betting']} {stakes}", seats=game["seats"], rulebook=rules["book"], tournament=game["tournament"],
        options=options,
    )  # fmt: skip


def deal_earlier_hands(table: Any, first: dict) -> None:
    """Let the button go round once before the first hand on record: the game was running."""
    seats = first["dealt"]
    start = seats.index(first["button"])
    for step in range(len(seats)):
        table.deal(seats[(start + step) % len(seats)])


def deal_hand(table: Any, event: dict, stacks: dict[int, int], big_blind: int) -> None:
    posts = {}
    for post in event["posts"]:
        posts[post["seat"]] = {KINDS[post["kind"]]: post["live"], **({"dead": post["dead"]} if post["dead"] else {})}
        stacks[post["seat"]] -= post["live"] + post["dead"]
    absent = [seat for seat in event["dealt"] if table.seated[seat].presence == "away"]
    for seat in absent:  # a tournament deals to them all the same; the door takes cards only for players who are there
        table.back(seat)
    table.deal(event["button"], posts, dealt=event["dealt"])
    for seat in absent:
        table.away(seat)
    for seat, stack in stacks.items():
        if stack < 2 * big_blind:  # after a hand a stack is unknown; only a short one matters
            table.set_stack(seat, stack)


def take_event(table: Any, event: dict, stacks: dict[int, int]) -> None:
    seat = event["seat"]
    match event["event"]:
        case "sit":
            stacks[seat] = event["stack"]
            table.sit(seat, event["player"], event["stack"], **({"origin": "broken-game"} if "origin" in event else {}))
        case "leave":
            del stacks[seat]
            table.leave(seat)
        case "away":
            table.away(seat)
        case "back":
            table.back(seat)
        case "move":
            stacks[event["to"]] = stacks.pop(seat)
            table.move(seat, event["to"])
        case "broke" | "rebuy":
            stacks[seat] = event.get("stack", 0)
            table.set_stack(seat, stacks[seat])
        case "choose":
            with suppress(handledger.HandledgerError):  # no choice here: the hand shows what the player did
                table.choose(seat, event["choice"])


def describe_reading(reading: Any) -> dict[str, Any]:
    positions = {
        name: {"seat": seat, "dead": seat not in reading.dealt}
        for name in ("button", "small_blind", "big_blind")
        if (seat := getattr(reading, name)) is not None
    }
    posts = [
        {"seat": post.seat, "live": post.chips or 0, "dead": post.dead or 0}
        for post in reading.posts
        if post.kind in ("small blind", "big blind")
    ]
    return {**positions, "posts": posts}


def describe_seat(seat: Any) -> dict[str, Any]:
    described: dict[str, Any] = {"seat": seat.seat, "status": STATUSES.get(seat.status, seat.status)}
    if seat.status == "may_choose" and (seat.chips or seat.dead):
        described["status"] = "may post"
    if described["status"] in ("may post", "must post"):
        described["post"] = {"live": seat.chips or 0, "dead": seat.dead or 0}
    return described
