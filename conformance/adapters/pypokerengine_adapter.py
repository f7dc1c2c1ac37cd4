"""PyPokerEngine 1.0.1: the players of a game are fixed when it begins, and leave it only when they are broke."""

from pypokerengine.api.emulator import Emulator
from pypokerengine.players import BasePokerPlayer


class NotSupportedError(Exception):
    """The engine can't be asked this case."""


def answer(case: dict) -> dict:
    small, big = case["game"]["blinds"]
    hands = [event for event in case["history"] if event["event"] == "hand"]
    if big != 2 * small:
        raise NotSupportedError("a big blind that isn't two small ones")
    if not hands:
        raise NotSupportedError("a first button that the engine doesn't choose by position")
    first_index = case["history"].index(hands[0])
    players = {event["seat"]: event["stack"] for event in case["history"][:first_index]}
    leavers = set()
    for event in case["history"][first_index:]:
        if event["event"] == "leave" and event["seat"] in players:
            leavers.add(event["seat"])
        elif event["event"] != "hand":
            raise NotSupportedError("players who come, step out, move or buy in again")
    seats = sorted(players)
    emulator = Emulator()
    emulator.set_game_rule(len(seats), 99, small, 0)
    state = emulator.generate_initial_game_state(
        {str(seat): {"name": str(seat), "stack": players[seat]} for seat in seats}
    )
    for seat in seats:
        emulator.register_player(str(seat), BasePokerPlayer())
    table = state["table"]
    table.dealer_btn = seats.index(hands[-1]["button"])
    for index, seat in enumerate(seats):
        if seat in leavers:
            table.seats.players[index].stack = 0
    state, _ = emulator.start_new_round(state)
    table = state["table"]
    paid = {seat: player.pay_info.amount for seat, player in zip(seats, table.seats.players, strict=True)}
    posts = [{"seat": seat, "live": chips, "dead": 0} for seat, chips in paid.items() if chips]

    def describe(index: int) -> dict:
        return {"seat": seats[index], "dead": seats[index] in leavers}

    return {
        "button": describe(table.dealer_btn),
        "small_blind": describe(table.sb_pos()),
        "big_blind": describe(table.bb_pos()),
        "posts": posts,
    }
