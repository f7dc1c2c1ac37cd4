"""What is right at a case's next hand, worked out from the books' texts a second time.

`answer_case` returns answers in the suite's form. It raises `UnclearError` where this reading has none. It must not
import the engine (`projections.obligations`), and the engine must not look here: that they agree is the point.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

from tests.conformance.second_table import Case, Player, Positions, Table, UnclearError, table_of

Answer = dict[str, Any]
Status = tuple[str, tuple[int, int] | None, tuple[str, ...], str]  # status, live and dead chips, clauses, why

METHOD_CLAUSES = {
    ("hilton", "dead"): ("B12a.1", "B12a.2", "B12a.3"),
    ("hilton", "simplified"): ("B12b.1", "B12b.2"),
    ("rrop4", "dead"): ("blinds.1b.1",),
    ("rrop4", "moving"): ("blinds.1a.1", "blinds.1a.2", "blinds.1.1"),
    ("bicycle", "simplified"): ("p24a", "p24b", "p03a"),
    ("tda2024", "dead"): ("32",),
}
METHOD_REASONS = {
    "dead": "The big blind goes to the next player due it. Small blind and button follow it, also onto seats where nobody is dealt in.",
    "moving": "The button goes to the next player. Everybody whom the big blind has reached pays both blinds, the big one first.",
    "simplified": "The button goes to the next player who may have it, and the next two players post.",
}


def answer_case(case: Case) -> list[Answer]:
    """Work out every answer that the texts allow, the usual one first."""
    table = table_of(case)
    if table.last is None or (table.book, table.method) not in METHOD_CLAUSES:
        raise UnclearError("no hand yet, or no method")
    if table.is_tournament and table.book == "hilton":
        refuse_unclear_tournament(table)
    if table.method == "moving":
        return answer_moving(table)
    positions = place_dead(table) if table.method == "dead" else place_simplified(table)
    answers = [
        build_answer(table, positions, regular_posts(table, positions), *choice)
        for choice in vary_statuses(table, positions)
    ]
    if table.book == "bicycle":
        answers += vary_bicycle(table, positions, answers[0])
    return answers


def refuse_unclear_tournament(table: Table) -> None:
    if any(player.is_new or player.is_away for player in table.players.values()):
        raise UnclearError("section B has no rule for absent players and newcomers of tournaments")


# Positions


def place_dead(table: Table) -> Positions:
    """Big blind to the next player due; small blind where the big one was, button where the small one was."""
    assert table.last is not None
    assert table.last.big is not None
    big = table.next_seat(table.last.big, table.can_take_big)
    positions = Positions(table.last.small or table.last.button, table.last.big, big)
    dealt = count_dealt(table, positions)
    if dealt == 2:
        if table.book == "hilton":
            raise UnclearError("section B has no rule for two players")
        button = table.next_seat(big, lambda seat: seat != big and is_dealt(table, positions, seat))
        positions = Positions(button, button, big)
        if any(is_choosing(table, positions, seat) for seat in table.players):
            raise UnclearError("whether two or three play is a player's choice")
        return positions
    if dealt < 2:
        raise UnclearError("fewer than two players")
    return positions


def place_simplified(table: Table) -> Positions:
    assert table.last is not None
    if table.book == "hilton":
        refuse_absent_button(table)
    button = table.next_seat(table.last.button, table.is_settled)
    small = table.next_seat(button, table.is_settled)
    big = table.next_seat(small, table.can_take_big)
    if not table.players[button].has_taken_blind:
        raise UnclearError("last action for a player who has taken no blind")
    positions = Positions(button, small, big)
    if count_dealt(table, positions) <= 2:
        raise UnclearError("the book has no rule for two players")
    if table.book == "bicycle":
        if table.has_makeup_between:
            raise UnclearError("whether the button goes to a player who posted in front of the small blind")
        refuse_unclear_bicycle(table, positions)
    return positions


def refuse_absent_button(table: Table) -> None:
    """Refuse if the button is due at an absent player, who is dealt in if still in the room."""
    assert table.last is not None
    for seat in table.clockwise(table.last.button):
        player = table.players.get(seat)
        if player is None or player.is_new or player.missed or player.is_broke:
            continue
        if player.is_away:
            raise UnclearError("whether the absent player is in the room isn't known")
        if table.is_settled(seat):
            return


def refuse_unclear_bicycle(table: Table, positions: Positions) -> None:
    """Refuse if somebody in the blinds' way may be dealt in or not."""
    assert table.last is not None
    assert positions.big is not None
    path = table.seats_between(table.last.button, positions.big)
    for seat in path:
        player = table.players.get(seat)
        if player is None or not table.is_here(seat) or table.is_settled(seat):
            continue
        if player.is_new:
            raise UnclearError("the book doesn't say whether button and blinds count this player")


def vary_bicycle(table: Table, positions: Positions, answer: Answer) -> list[Answer]:
    """Add the answer in which nobody skips a blind, if the next two players would skip some."""
    assert table.last is not None
    owing = copy.deepcopy(table)
    for player in owing.players.values():
        player.due = ""
    assert table.last.big is not None
    if table.last.big in owing.players and owing.is_here(table.last.big):
        owing.players[table.last.big].due = "small"
    owing.nominal_big = table.last.big
    assert positions.big is not None
    if positions.big == table.last.big:
        return []  # a player who made up between the blinds came in front of both
    posts = moving_posts(owing, positions.button, positions.big)
    if posts == answer["posts"]:
        return []
    varied = {name: value for name, value in answer.items() if name not in ("small_blind", "big_blind")}
    varied["posts"] = posts
    varied["why"] = (
        "The text doesn't say how blinds are adjusted: each player may be asked for what the move would let them skip."
    )
    return [varied]


def answer_moving(table: Table) -> list[Answer]:
    assert table.last is not None
    settled_seats = [seat for seat in table.players if table.is_settled(seat)]
    if len(settled_seats) == 2 and not any(table.is_here(seat) and seat not in settled_seats for seat in table.players):
        return [answer_moving_heads_up(table, settled_seats)]
    if len(settled_seats) < 3 or table.last.small == table.last.button:
        raise UnclearError("two become three, or three two, under the moving button")
    button = table.next_seat(table.last.button, table.is_settled)
    first = table.next_seat(button, table.is_settled)
    second = table.next_seat(first, table.can_take_big)
    positions = Positions(button, None, None)
    judged = Positions(button, first, second)
    if any(table.players[seat].hands_to_wait for seat in table.players):
        raise UnclearError("seat moves are worked out for the dead button only")
    posts = moving_posts(table, button, second)
    status, clauses, reason_text = vary_statuses(table, judged)[0]
    if posts == regular_posts(table, judged):
        return [build_answer(table, judged, posts, status, clauses, reason_text)]
    answers = [build_answer(table, positions, posts, status, clauses, reason_text)]
    small_first = moving_posts(table, button, second, small_first=True)
    if small_first != posts:
        reason = f"{reason_text} The text gives no order of payment: the small blind may be paid first."
        answers.append(build_answer(table, positions, small_first, status, clauses, reason))
    regular = regular_posts(table, judged)
    if regular not in (posts, small_first):
        reason = f"{reason_text} The text gives no time for it: who was skipped may pay on a later hand of the round."
        answers.append(build_answer(table, judged, regular, status, clauses, reason))
    return answers


def answer_moving_heads_up(table: Table, settled_seats: list[int]) -> Answer:
    assert table.last is not None
    if table.last.small != table.last.button or table.last.big not in settled_seats:
        raise UnclearError("three become two under the moving button")
    button = table.last.big
    big = next(seat for seat in settled_seats if seat != button)
    positions = Positions(button, button, big)
    posts = regular_posts(table, positions)
    return build_answer(table, positions, posts, *vary_statuses(table, positions)[0])


def moving_posts(table: Table, button: int, second: int, *, small_first: bool = False) -> list[dict[str, int]]:
    """Posts under the moving button; `small_first` = who was skipped pays the small blind before the big one."""
    small, big = table.game["blinds"]
    reached = [*table.seats_between(table.nominal_big, second), second]
    posts = []
    for seat in table.clockwise(button):
        if seat in reached and (table.is_settled(seat) or seat == second):
            amount = small if small_first and seat != second else big
        elif table.is_settled(seat) and table.players[seat].due:
            amount = small if table.players[seat].due == "small" else big
        else:
            continue
        posts.append({"seat": seat, "live": min(amount, table.players[seat].stack), "dead": 0})
    return sorted(posts, key=lambda post: post["seat"])


def regular_posts(table: Table, positions: Positions) -> list[dict[str, int]]:
    small, big = table.game["blinds"]
    posts = []
    if positions.small is not None and is_dealt(table, positions, positions.small):
        posts.append({"seat": positions.small, "live": small, "dead": 0})
    assert positions.big is not None
    posts.append({"seat": positions.big, "live": big, "dead": 0})
    for post in posts:
        stack = table.players[post["seat"]].stack
        if table.book == "bicycle" and table.is_limit and stack * 2 < post["live"]:
            raise UnclearError("a blind of less than half")
        post["live"] = min(post["live"], stack)
    return sorted(posts, key=lambda post: post["seat"])


# Who is dealt in, and for what


def in_zone(table: Table, positions: Positions, seat: int) -> bool:
    """Whether a seat has the button, or lies after it and before the big blind."""
    assert positions.big is not None
    return seat == positions.button or seat in table.seats_between(positions.button, positions.big)


def is_dealt(table: Table, positions: Positions, seat: int) -> bool:
    """Whether a seat is dealt in for certain."""
    return seat in table.players and judge_seat(table, positions, seat)[0][0] == "plays"


def is_choosing(table: Table, positions: Positions, seat: int) -> bool:
    return judge_seat(table, positions, seat)[0][0] == "may post"


def count_dealt(table: Table, positions: Positions) -> int:
    return sum(is_dealt(table, positions, seat) for seat in table.players)


OPEN = "The text leaves it open."
PLAYS: Status = ("plays", None, (), "")


def judge_seat(table: Table, positions: Positions, seat: int) -> list[Status]:
    """What a seat may or must do, in each way that the text allows."""
    player = table.players[seat]
    if not table.is_here(seat):
        return [("away", None, (), "")]
    if seat == positions.big or table.is_settled(seat):
        return [judge_tournament(table, positions, seat)] if table.is_tournament else [PLAYS]
    if has_barred_last_action(table, positions, seat):
        return [("waits", None, ("B10", "B5.2"), "Who has taken no blind, or missed one, can't have last action.")]
    if player.made_up_between:
        return [
            ("plays", None, ("B16.3",), "Who made up between the blinds takes no blind and no button in that round.")
        ]
    if player.is_letting_pass:
        barred = in_zone(table, positions, seat)
        clause = "blinds.14" if table.book == "rrop4" else "B21"
        reason = (
            "Who moved from the button may let the blinds pass once, and comes in behind the button without a post."
        )
        return [("waits" if barred else "plays", None, (clause,), reason)]
    if player.is_new:
        return judge_newcomer(table, positions, seat, player)
    if player.missed:
        return judge_returning(table, positions, seat, player)
    return judge_moved(table, positions, seat, player)


def has_barred_last_action(table: Table, positions: Positions, seat: int) -> bool:
    """Whether a seat that has yet to come in would act last in front of a dead button; Hilton bars it."""
    player = table.players[seat]
    if table.book != "hilton" or table.is_settled(positions.button) or not (player.is_new or player.missed):
        return False
    return not any(table.is_settled(passed) for passed in table.seats_between(seat, positions.button))


def judge_tournament(table: Table, positions: Positions, seat: int) -> Status:
    assert positions.small is not None
    if not table.players[seat].is_new:
        return PLAYS
    if seat in table.seats_between(positions.button, positions.small):
        return ("waits", None, ("9",), "Between the button and the small blind a newcomer gets no cards.")
    return ("plays", None, ("9",), "A newcomer takes any other position, without a post.")


def judge_newcomer(table: Table, positions: Positions, seat: int, player: Player) -> list[Status]:
    big = table.game["blinds"][1]
    barred = in_zone(table, positions, seat)
    if table.book == "bicycle":
        return [("plays", None, ("p22c",), "A new player may be dealt right in; no post is stated.")]
    if table.book == "rrop4":
        if barred:
            return [
                ("waits", None, ("blinds.7.1", "blinds.7.3"), "A new player gets no hand between button and big blind.")
            ]
        if not table.game["running"] and seat not in table.passed and not table.button_came_round:
            return [
                ("plays", None, ("blinds.12.2",), "In a new game no post is due until the button has gone round once.")
            ]
        return [("may post", (big, 0), ("blinds.4a", "blinds.4b"), "A new player posts the big blind or waits for it.")]
    if barred:
        waits: Status = ("waits", None, ("B5.1", "B5.3"), "A new player gets no hand between button and big blind.")
        if player.was_broke and table.is_limit and not table.is_high:
            reason = "Below limit 5-10 a player who was broke comes back at any time, without a post."
            return [("plays", None, ("B19.1", "B19.2"), reason), waits]
        return [waits]
    if player.from_broken_game:
        return [("plays", None, ("B17.3",), "A player whom the house moved posts nothing before the big blind.")]
    return judge_hilton_entry(table, big)


def judge_hilton_entry(table: Table, big: int) -> list[Status]:
    if not table.is_limit:
        reason = "Each big-bet game decides whether a new player posts. Here it asks for"
        return [("may post", (big, 0), ("B4.2",), f"{reason} a post."), ("plays", None, ("B4.2",), f"{reason} none.")]
    if table.is_high:
        return [("may post", (big, 0), ("B17.2",), "A new player posts the big blind, live, or waits for it.")]
    return [("plays", None, ("B17.1",), "Below limit 5-10 a new player is dealt in without a post.")]


def judge_returning(table: Table, positions: Positions, seat: int, player: Player) -> list[Status]:
    small, big = table.game["blinds"]
    open_bet = table.game["bring_in"]
    barred = in_zone(table, positions, seat)
    if table.book == "bicycle":
        clauses = ("p21b", "p23b") if barred else ("p23a", "p23b")
        return [
            ("may post", (big, small), clauses, "All blinds of the game are due: the small one dead, the big one live.")
        ]
    amounts = {"small": small, "big": big}
    total = sum(amounts[blind] for blind in player.missed)
    live = min(total, open_bet)
    if table.book == "rrop4":
        if barred:
            return [
                ("waits", None, ("blinds.7.2", "blinds.7.3"), "Blinds are not made up between button and big blind.")
            ]
        return [
            (
                "may post",
                (live, total - live),
                ("blinds.9.1", "blinds.9.2", "blinds.9.3"),
                "What was missed is posted, live up to the minimum opening bet.",
            )
        ]
    if barred and (table.is_limit or seat == positions.button):
        return [("waits", None, ("B16.1", "B14.2"), "At limit a blind is not made up between the blinds.")]
    if not table.is_limit and player.missed == {"small"}:
        raise UnclearError("a lone small blind in a big-bet game")
    if not table.is_limit:
        clauses = ("B16.2", "B15b.1") if barred else ("B15b.1", "B14.2")
        return [("may post", (big, 0), clauses, "In big-bet games the big blind is enough.")]
    if len(player.missed) == 2:
        return [
            (
                "may post",
                (live, total - live),
                ("B15a.1", "B15a.2"),
                "The sum of the blinds is posted, live up to the bring-in.",
            )
        ]
    reason = "The amount for one missed blind isn't given; read as what was missed"
    statuses: list[Status] = [("may post", (total, 0), ("B14.2",), f"{reason}.")]
    if player.missed == {"small"}:
        statuses.append(("may post", (0, total), ("B14.2",), f"{reason}, dead."))
    return statuses


def judge_moved(table: Table, positions: Positions, seat: int, player: Player) -> list[Status]:
    small, big = table.game["blinds"]
    if in_zone(table, positions, seat):
        raise UnclearError("a player who moved between button and big blind")
    if table.book == "rrop4":
        return [
            (
                "may post",
                (big, 0),
                ("blinds.13.1", "blinds.13.2", "blinds.13.4"),
                "Who gained positions waits as many hands, or posts the big blind.",
            )
        ]
    if player.must_post == "big":
        return [("may post", (big, 0), ("B20",), "Three or more players were passed: the big blind, or wait for it.")]
    reason = "The small blind is made up after a far move from the big blind"
    return [
        ("may post", (small, 0), ("B22.2",), f"{reason}."),
        ("may post", (0, small), ("B22.2",), f"{reason}; read as dead."),
    ]


# Answers

Choice = tuple[dict[int, Status], tuple[str, ...], str]


def vary_statuses(table: Table, positions: Positions) -> list[Choice]:
    """List the combinations of seats' statuses: the first way of every seat, then each other way by itself."""
    seat_statuses = {seat: judge_seat(table, positions, seat) for seat in sorted(table.players)}
    usual = {seat: statuses[0] for seat, statuses in seat_statuses.items()}
    combinations = [usual]
    several = [seat for seat, statuses in seat_statuses.items() if len(statuses) > 1]
    if len(several) > 1:
        raise UnclearError("two seats with several readings")
    for seat in several:
        seat_statuses[seat] += (
            [("open", None, seat_statuses[seat][0][2], OPEN)]
            if len({status[0] for status in seat_statuses[seat]}) > 1
            else []
        )
        combinations += [{**usual, seat: status} for status in seat_statuses[seat][1:]]
    assert table.method is not None
    return [(statuses, *explain(table, statuses.values())) for statuses in combinations]


def explain(table: Table, statuses: Iterable[Status]) -> tuple[tuple[str, ...], str]:
    assert table.method is not None
    clauses = list(METHOD_CLAUSES[table.book, table.method])
    reasons = [METHOD_REASONS[table.method]]
    for _, _, seat_clauses, reason in statuses:
        clauses += [clause for clause in seat_clauses if clause not in clauses]
        if reason and reason not in reasons:
            reasons.append(reason)
    return tuple(clauses), " ".join(reasons)


def build_answer(
    table: Table,
    positions: Positions,
    posts: list[dict[str, int]],
    statuses: dict[int, Status],
    clauses: tuple[str, ...],
    reason_text: str,
) -> Answer:
    dealt = {seat for seat, status in statuses.items() if status[0] == "plays"}

    def describe(seat: int) -> dict[str, Any]:
        return {"seat": seat, "dead": seat not in dealt}

    answer: Answer = {"button": describe(positions.button)}
    if positions.small is not None:
        answer["small_blind"] = describe(positions.small)
    if positions.big is not None:
        answer["big_blind"] = describe(positions.big)
    answer["posts"] = posts
    answer["seats"] = [
        describe_seat(seat, status) for seat, status in statuses.items() if is_worth_a_line(table, seat, status)
    ]
    return {**answer, "clauses": list(clauses), "why": reason_text}


def is_worth_a_line(table: Table, seat: int, status: Status) -> bool:
    return status != PLAYS or table.players[seat].is_new or table.players[seat].has_moved


def describe_seat(seat: int, status: Status) -> dict[str, Any]:
    described: dict[str, Any] = {"seat": seat, "status": status[0]}
    if status[1] is not None:
        described["post"] = {"live": status[1][0], "dead": status[1][1]}
    return described
