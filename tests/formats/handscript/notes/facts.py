"""What must come out of a night: players, buttons, posts, acts, boards, pots and winners, written by hand beside each night."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from ledger.account import Account, Reject
from ledger.formats.handscript import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.notation import Chunk
from ledger.people import People

_POSTS = {"small": "sb", "big": "bb"}


@dataclass
class Facts:
    """The facts of one hand; `asked`: it has to wait for an answer."""

    number: str
    rows: dict[str, str] = field(default_factory=dict)

    @property
    def asked(self) -> bool:
        return "asked" in self.rows


def read_facts(path: Path) -> list[Facts]:
    factses: list[Facts] = []
    for line in path.read_text().splitlines():
        word, _, details = line.strip().partition(" ")
        if word == "hand":
            factses.append(Facts(details))
        elif word:
            factses[-1].rows[word] = details
    return factses


def read_night(path: Path) -> list[Account | Reject]:
    """Return what the reader makes of a night, without its facts between hands."""
    items = FORMAT.read(Chunk(path.read_bytes()), People(b"k" * 32))
    return [item for item in items if isinstance(item, Account | Reject)]


def compare(facts: Facts, hand: Account, people: People) -> list[str]:
    """Return what of a hand is not as its facts say."""
    actual = tell(hand, people)
    rows = facts.rows
    wrong = [
        f"{name}: {actual.get(name, '')!r} instead of {rows[name]!r}" for name in _EXACT if _differs(name, rows, actual)
    ]
    seats = dict(_seat(part) for part in actual["seats"].split(", "))
    for part in filter(None, rows.get("seats", "").split(", ")):
        seat, (name, stack) = _seat(part)
        actual_seat = seats.pop(seat, ("", ""))
        if actual_seat[0] != name or (stack and _normalize(actual_seat[1] or "?") not in (_normalize(stack), "?")):
            wrong.append(f"seat {seat}: {actual_seat} instead of {(name, stack)}")
    if rows.get("seats") and seats:
        wrong.append(f"more seats: {seats}")
    return wrong


_EXACT = ("button", "acts", "board", "shows", "pot", "wins", "misdeal")


def _differs(name: str, rows: dict[str, str], actual: dict[str, str]) -> bool:
    if name not in rows:
        return False
    return _normalize(rows[name]) != _normalize(actual.get(name, ""))


def _normalize(text: str) -> str:
    words = []
    for word in text.replace(",", ";").split():
        bare_word = word.rstrip(";")
        number = bare_word.replace(".", "", 1).isdigit()
        words.append((f"{Decimal(bare_word).normalize():f}" if number else bare_word) + ";" * word.endswith(";"))
    return " ".join(words)


def _seat(part: str) -> tuple[int, tuple[str, str]]:
    seat, _, details = part.partition(" ")
    name, _, stack = details.rpartition(" ")
    if not stack.replace(".", "", 1).isdigit() and stack != "?":
        name, stack = details, ""
    return int(seat), (name, stack)


def tell(hand: Account, people: People) -> dict[str, str]:
    """Return a hand in the words of the facts."""
    game = next((event for event in hand.events if isinstance(event, o.GameSet)), None)
    scale = game.exponent if game else 0

    def chips(amount: int | None) -> str:
        return "?" if amount is None else f"{Decimal(amount).scaleb(-scale):f}"

    rows: dict[str, list[str]] = {name: [] for name in ("seats", "acts", "board", "shows", "wins", "button")}
    pot = 0
    for event in hand.events:
        pot += getattr(event, "amount", 0) * isinstance(event, e.PotAwarded)
        if isinstance(event, o.SeatDealtIn):
            rows["seats"].append(f"{event.seat} {people.names[event.player][1]} {chips(event.stack)}")
        elif isinstance(event, o.ButtonPlaced):
            rows["button"].append(str(event.seat))
        elif isinstance(event, d.BoardDealt):
            rows["board"].append(" ".join(event.cards[index : index + 2] for index in range(0, len(event.cards), 2)))
        elif isinstance(event, e.CardsShown):
            cards = " ".join(event.cards[index : index + 2] for index in range(0, len(event.cards), 2))
            rows["shows"].append(f"{event.seat} {cards}")
        elif isinstance(event, e.PotAwarded):
            rows["wins"].append(f"{event.seat} {chips(event.amount)}")
        elif act := _act(event, chips):
            rows["acts"].append(act)
    facts = {"seats": ", ".join(rows["seats"]), "board": " ".join(rows["board"]), "pot": chips(pot)}
    facts |= {name: "; ".join(rows[name]) for name in ("acts", "shows", "wins", "button")}
    if any(isinstance(event, d.MisdealDeclared) for event in hand.events):
        facts["misdeal"] = ""
    return facts


def _act(event: object, chips) -> str:  # type: ignore[no-untyped-def] # a closure over the hand's decimals
    match event:
        case o.BlindPosted():
            return f"{event.seat} {_POSTS.get(event.role, 'post')} {chips(event.live + event.dead)}"
        case o.StraddlePosted():
            return f"{event.seat} straddle {chips(event.amount)}"
        case o.AntePosted():
            return f"{event.seat} ante {chips(event.amount)}"
        case b.Folded():
            return f"{event.seat} f"
        case b.Checked():
            return f"{event.seat} x"
        case b.Called():
            return f"{event.seat} c"
        case b.Bet():
            return f"{event.seat} b {chips(event.added)}"
        case b.Raised():
            return f"{event.seat} r {chips(event.to)}"
    return ""
