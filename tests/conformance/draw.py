"""Draw cases from random evenings: `python -m tests.conformance.draw` writes `conformance/button/drawn.json`.

An evening is dealt as the second reading says; people come, leave, step out and move between its hands. A case is kept
if the engine gives the same answer, so every difference is found here: it is printed, and one of the two is wrong.
"""

from __future__ import annotations

import copy
import json
import random
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from conformance.run import judge
from tests.conformance.second_opinion import Answer, answer_case
from tests.conformance.second_table import Case, Event, UnclearError, table_of
from tests.conformance.suite import SUITE, read_document, write_document

LIMIT_HIGH = {
    "betting": "limit",
    "small_bet": 10,
    "big_bet": 20,
    "blinds": [5, 10],
    "bring_in": 10,
    "tournament": False,
}
LIMIT_LOW = {"betting": "limit", "small_bet": 3, "big_bet": 6, "blinds": [1, 3], "bring_in": 3, "tournament": False}
NO_LIMIT = {"betting": "no-limit", "blinds": [5, 10], "bring_in": 10, "tournament": False}
POT_LIMIT = {"betting": "pot-limit", "blinds": [2, 5], "bring_in": 5, "tournament": False}
TOURNAMENT = {"betting": "no-limit", "blinds": [50, 100], "bring_in": 100, "tournament": True}

COMMON = ("leave", "sit", "away", "back")


class Kind(NamedTuple):
    """A kind of game: what may happen between its hands, and how many cases are drawn from its evenings."""

    book: str
    method: str
    game: dict[str, Any]
    events: tuple[str, ...]
    cases: int
    fewest: int = 4  # players who stay
    is_running: bool = True  # the game was on before the first hand


KINDS = [
    Kind("hilton", "dead", LIMIT_HIGH, (*COMMON, "move", "broke", "rebuy", "transfer"), 60),
    Kind("hilton", "dead", LIMIT_LOW, (*COMMON, "move", "broke", "rebuy"), 30),
    Kind("hilton", "simplified", NO_LIMIT, COMMON, 40),
    Kind("hilton", "simplified", POT_LIMIT, ("leave", "sit"), 20),
    Kind("hilton", "dead", TOURNAMENT, ("leave",), 15),
    Kind("rrop4", "dead", NO_LIMIT, (*COMMON, "broke", "rebuy", "move"), 55),
    Kind("rrop4", "dead", LIMIT_LOW, COMMON, 25),
    Kind("rrop4", "dead", NO_LIMIT, COMMON, 25, is_running=False),
    Kind("rrop4", "dead", NO_LIMIT, ("leave", "sit"), 15, fewest=2),
    Kind("rrop4", "moving", NO_LIMIT, COMMON, 45),
    Kind("rrop4", "moving", LIMIT_HIGH, ("leave", "sit"), 20),
    Kind("bicycle", "simplified", NO_LIMIT, COMMON, 35),
    Kind("bicycle", "simplified", LIMIT_HIGH, ("leave", "away", "back"), 20),
    Kind("tda2024", "dead", TOURNAMENT, COMMON, 45),
    Kind("tda2024", "dead", TOURNAMENT, ("leave", "sit"), 20, fewest=2),
]
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou", "Max", "Nan", "Oz", "Pam", "Quin", "Rae", "Sam", "Tess")  # fmt: skip


class Evening:
    """A random evening of one kind of game."""

    def __init__(self, kind: Kind, seed: str) -> None:
        self.kind = kind
        self.random = random.Random(seed)
        self.names = iter(NAMES)
        size = self.random.choice([6, 8, 9, 9])
        self.game = {**kind.game, "seats": size, "running": kind.is_running}
        self.history: list[Event] = []
        self.edition = read_document(SUITE / "button" / "hand-written.json")["editions"][kind.book]
        most_players = size if kind.fewest > 2 else 5
        for seat in sorted(self.random.sample(range(1, size + 1), self.random.randint(kind.fewest + 1, most_players))):
            self.sit(seat)

    def case(self) -> Case:
        rules = {"book": self.kind.book, "edition": self.edition, "method": self.kind.method}
        return {"rules": rules, "game": self.game, "history": self.history}

    def sit(self, seat: int, **extra: str) -> None:
        stack = 10000 if self.game["tournament"] else 1000
        self.history.append({"event": "sit", "seat": seat, "player": next(self.names), "stack": stack, **extra})

    def deal_first(self) -> None:
        seats = sorted(event["seat"] for event in self.history)
        start = self.random.randrange(len(seats))
        button, small, big = (seats[(start + step) % len(seats)] for step in range(3))
        amounts = dict(zip((small, big), self.game["blinds"], strict=True))
        posts = [
            {"seat": seat, "kind": kind, "live": amounts[seat], "dead": 0}
            for seat, kind in ((small, "small blind"), (big, "big blind"))
        ]
        self.history.append(
            {"event": "hand", "number": 1, "button": button, "small_blind": small, "big_blind": big, "dealt": seats,
             "posts": posts}
        )  # fmt: skip

    def happen(self) -> None:
        """Let one thing happen between two hands, if it can."""
        table = table_of(self.case())
        events = self.kind.events
        event = self.random.choice([*events, *(event for event in ("back", "rebuy", "sit") if event in events)])
        empty = [seat for seat in range(1, self.game["seats"] + 1) if seat not in table.players]
        present_seats = [seat for seat in table.players if table.is_here(seat)]
        absent = [seat for seat, player in table.players.items() if player.is_away]
        broke = [seat for seat, player in table.players.items() if player.is_broke]
        settled_seats = [seat for seat in present_seats if table.is_settled(seat) and not table.players[seat].is_away]
        match event:
            case "sit" | "transfer" if empty:
                self.sit(self.random.choice(empty), **({"origin": "broken game"} if event == "transfer" else {}))
            case "leave" | "away" | "broke" if len(settled_seats) > self.kind.fewest:
                self.history.append({"event": event, "seat": self.random.choice(settled_seats)})
            case "back" if absent:
                self.history.append({"event": "back", "seat": self.random.choice(absent)})
            case "rebuy" if broke:
                self.history.append({"event": "rebuy", "seat": self.random.choice(broke), "stack": 1000})
            case "move" if empty and len(settled_seats) > self.kind.fewest:
                self.history.append(
                    {"event": "move", "seat": self.random.choice(settled_seats), "to": self.random.choice(empty)}
                )

    def deal(self, answer: Answer) -> None:
        """Deal the next hand as this answer says; who may post does so or waits."""
        table = table_of(self.case())
        statuses = {seat["seat"]: seat for seat in answer["seats"]}
        posts = [{**post, "kind": self.kind_of(post, answer)} for post in answer["posts"]]
        dealt = []
        for seat in sorted(table.players):
            status = statuses.get(seat, {"status": "plays"})
            posting = status["status"] == "may post" and self.random.random() < 0.4
            if status["status"] == "may post":
                self.history.append({"event": "choose", "seat": seat, "choice": "post" if posting else "wait"})
            if posting:
                kind = "makeup" if table.players[seat].missed else "entry"
                posts.append({"seat": seat, "kind": kind, **status["post"]})
            if posting or status["status"] == "plays":
                dealt.append(seat)
        positions = {name: answer[name]["seat"] for name in ("button", "small_blind", "big_blind") if name in answer}
        ordered = [{name: post[name] for name in ("seat", "kind", "live", "dead")} for post in posts]
        self.history.append({"event": "hand", "number": table.hands + 1, **positions, "dealt": dealt, "posts": ordered})

    def kind_of(self, post: dict[str, int], answer: Answer) -> str:
        if "small_blind" in answer:
            return "small blind" if post["seat"] == answer["small_blind"]["seat"] else "big blind"
        return "small blind" if post["live"] == self.game["blinds"][0] else "big blind"


def draw_evening(kind: Kind, seed: str) -> Iterator[Case]:
    """Draw the cases of one evening: what is due after each of its hands, as long as the texts have an answer."""
    evening = Evening(kind, seed)
    evening.deal_first()
    try:
        for _ in range(7):
            history_length = len(evening.history)
            for _ in range(evening.random.choice([0, 1, 1, 2, 3])):
                evening.happen()
            answers = answer_case(evening.case())
            changes = evening.history[history_length:]
            yield {**copy.deepcopy(evening.case()), "title": describe(changes), "expect": {"answers": answers}}
            evening.deal(answers[0])
    except (UnclearError, StopIteration):
        return


VERBS = {"sit": "sat down", "leave": "left", "away": "stepped out", "back": "came back", "broke": "went broke", "rebuy": "bought in again"}  # fmt: skip


def describe(changes: list[Event]) -> str:
    parts = []
    for event in changes:
        if event["event"] == "move":
            parts.append(f"seat {event['seat']} moved to {event['to']}")
        else:
            parts.append(f"seat {event['seat']} {VERBS[event['event']]}")
    return "An evening's next hand after " + ", ".join(parts) if parts else "An evening's next hand"


def shape(case: Case) -> str:
    """Name what a case is about, so that a kind of game gets no two cases of one shape."""
    answer = case["expect"]["answers"][0]
    statuses = sorted((seat["status"], str(seat.get("post"))) for seat in answer["seats"])
    dead = [answer[name]["dead"] for name in ("button", "small_blind") if name in answer]
    events = sorted(event["event"] for event in case["history"] if event["event"] not in ("sit", "choose"))
    return json.dumps([statuses, dead, events, len(answer["posts"]), len(case["expect"]["answers"])])


def is_telling(case: Case) -> bool:
    """Whether the answer differs from that of a table where nobody comes or goes."""
    answers = case["expect"]["answers"]
    answer = answers[0]
    is_dead = any(answer[name]["dead"] for name in ("button", "small_blind") if name in answer)
    has_status = any(seat["status"] != "away" for seat in answer["seats"])
    last = max(index for index, event in enumerate(case["history"]) if event["event"] == "hand")
    has_left = any(event["event"] in ("leave", "away", "broke") for event in case["history"][last:])
    return is_dead or has_status or has_left or len(answers) > 1 or len(answer["posts"]) != 2


def draw_cases(engine: Any) -> tuple[list[Case], list[Case]]:
    """Draw the suite's cases; also return those in which the engine differs."""
    drawn_cases: list[Case] = []
    different = []
    for index, kind in enumerate(KINDS):
        shapes: set[str] = set()
        seed = 0
        while len(shapes) < kind.cases:
            seed += 1
            for case in draw_evening(kind, f"{index}/{seed}"):
                if len(shapes) == kind.cases or not is_telling(case) or shape(case) in shapes:
                    continue
                if engine is not None and not all(judge(case, engine.answer(case)).values()):
                    different.append(case)
                    continue
                shapes.add(shape(case))
                drawn_cases.append({"id": f"d{len(drawn_cases) + 1:03}", "title": case["title"], "drawn": True, **case})
    return drawn_cases, different


if __name__ == "__main__":
    from conformance.adapters import handledger_adapter

    cases, differences = draw_cases(handledger_adapter)
    print(f"{len(cases)} cases, the engine differs in {len(differences)} more", file=sys.stderr)
    for difference in differences:
        print(json.dumps(difference))
    write_document(SUITE / "button" / "drawn.json", cases)
