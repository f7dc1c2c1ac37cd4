"""Fields of a query: name, level, kind of value, description and example."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from ledger.hand.opening import Betting

Level: TypeAlias = Literal["hand", "seat", "finding"]
"""What a field is about: the whole hand, one of its seats, or one of its findings."""

ValueKind: TypeAlias = Literal[
    "text", "number", "money", "day", "cards", "choice", "person", "source", "clause", "finding-text", "game"
]


class QueryField(NamedTuple):
    """A field and the values it takes."""

    level: Level
    kind: ValueKind
    column: str  # in the level's table; "" = no column: the compiler handles the field itself
    description: str
    example: str
    choices: tuple[str, ...] = ()  # of kind `choice`: every value, lowest first


STREETS: Final = ("preflop", "flop", "turn", "river")
SEVERITIES: Final = ("info", "warning", "error")
CERTAINTIES: Final = ("needs-video", "likely", "certain")
POSITIONS: Final = ("UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4", "UTG+5", "LJ", "HJ", "CO", "BTN", "SB", "BB")
NOTES: Final = ("voided", "cut off", "unread lines", "unbalanced", "corrected")

FIELDS: Final[dict[str, QueryField]] = {
    "table": QueryField("hand", "text", "name", "the table", "table:T7"),
    "venue": QueryField("hand", "text", "venue", "the room", "venue:PokerStars"),
    "tournament": QueryField("hand", "text", "tournament", "the tournament's number", "tournament:88*"),
    "hand": QueryField(
        "hand", "text", "number", "the room's number for the hand, or its address: hand:T7/408", "hand:2089*"
    ),
    "game": QueryField("hand", "game", "variant", "the game: holdem, omaha, nlhe, plo, stud, ...", "game:plo"),
    "betting": QueryField(
        "hand", "choice", "betting", "no-limit, pot-limit, limit or spread", "betting:limit", get_args(Betting)
    ),
    "format": QueryField(
        "hand", "choice", "format", "cash, tournament or unknown", "format:cash", ("unknown", "cash", "tournament")
    ),
    "source": QueryField("hand", "source", "source", "the file: its name or SHA-256", "source:night.hand"),
    "since": QueryField("hand", "day", "", "played on or after that gaming day or time", "since:2026-11-20"),
    "until": QueryField(
        "hand", "day", "", "played on or before that gaming day, or before that time", "until:2026-11-21T04:00"
    ),
    "day": QueryField("hand", "day", "", "played on that gaming day", "day:2026-11-20"),
    "dealer": QueryField("hand", "person", "", "who dealt, if the record names the dealers", "dealer:Kim"),
    "players": QueryField("hand", "number", "players", "players dealt in", "players>=6"),
    "button": QueryField("hand", "number", "button", "the seat with the button", "button:3"),
    "pot": QueryField("hand", "money", "pot", "the pot without uncalled bets", "pot>=200"),
    "rake": QueryField("hand", "money", "rake", "the rake", "rake>5"),
    "board": QueryField("hand", "cards", "board", "cards on the board, all of them", "board:AhKd"),
    "street": QueryField("hand", "choice", "streets", "the last street dealt", "street>=turn", STREETS),
    "runs": QueryField("hand", "number", "runs", "how many times the board was run", "runs>1"),
    "note": QueryField(
        "hand", "choice", "", "voided, cut-off, unread-lines, unbalanced or corrected", "note:voided", NOTES
    ),
    "player": QueryField(
        "seat", "person", "player", "a player dealt in: a name, venue/name, or an id", 'player:"Old Tom"'
    ),
    "seat": QueryField("seat", "number", "seat", "a seat that was dealt in", "seat:5"),
    "position": QueryField(
        "seat", "choice", "place", "BTN, SB, BB, UTG, UTG+1, LJ, HJ, CO", "position:BTN,CO", POSITIONS
    ),
    "stack": QueryField("seat", "money", "stack", "the seat's stack at the start of the hand", "stack<50"),
    "put": QueryField("seat", "money", "put", "what the seat put into the pot", "put>100"),
    "won": QueryField("seat", "money", "won", "what the seat won", "won>=500"),
    "net": QueryField("seat", "money", "net", "what the seat won minus what it put in", "net<-100"),
    "clause": QueryField(
        "finding", "clause", "clause", "the clause, with or without its rulebook", "clause:hilton.B8*"
    ),
    "book": QueryField("finding", "text", "book", "the rulebook", "book:hilton"),
    "text": QueryField("finding", "finding-text", "finding", "words of the finding", 'text:"wrong seat"'),
    "severity": QueryField("finding", "choice", "severity", "info, warning or error", "severity>=warning", SEVERITIES),
    "certainty": QueryField(
        "finding", "choice", "certainty", "needs-video, likely or certain", "certainty:certain", CERTAINTIES
    ),
}

WORDS: Final[dict[str, QueryField]] = {
    "showdown": QueryField("hand", "choice", "showdown", "two or more players reached the showdown", "showdown"),
    "voided": QueryField("hand", "choice", "voided", "the hand was voided", "voided"),
    "all-in": QueryField("seat", "choice", "all_in", "the seat was all-in", "all-in"),
    "winner": QueryField("seat", "choice", "net", "the seat won more than it put in", "winner"),
    "finding": QueryField("finding", "choice", "", "the hand has a finding", "finding"),
}
"""Words that are conditions without a value."""

FLAGS: Final = {
    "run-it-twice": ("runs", 1),
    "showdown": ("showdown", 0),
    "corrected": ("corrected", 0),
    "cash-out": ("cash_out", 0),
}
"""Values of `flag:`: the column of the hand, and the number that it must exceed."""

CARD_PATTERN: Final = re.compile(r"[2-9TJQKA][shdc]")

GAME_NICKNAMES: Final = {
    "nlhe": ("holdem", "no-limit"),
    "plhe": ("holdem", "pot-limit"),
    "lhe": ("holdem", "limit"),
    "plo": ("omaha", "pot-limit"),
    "plo8": ("omaha8", "pot-limit"),
    "o8": ("omaha8", ""),
    "plo5": ("omaha5", "pot-limit"),
    "plo6": ("omaha6", "pot-limit"),
}
"""Short names of games: the variant and the betting ("" = any)."""


def write_query_help() -> str:
    """Return the help text of queries: each field and word, with an example and a description."""
    titles = {"hand": "Hand", "seat": "Seat", "finding": "Finding"}
    lines = ['A hand must match every term of a query. Example: table:T7 pot>=200 player:"Old Tom" -position:BTN', ""]
    for level, title in titles.items():
        lines.append(f"{title}:")
        rows = [
            (field.example, field.description) for field in (*FIELDS.values(), *WORDS.values()) if field.level == level
        ]
        if level == "hand":
            rows.append(("flag:run-it-twice", f"one of: {', '.join(FLAGS)}"))
            rows.append(("saved:NAME", "a query saved with `log --where QUERY --save NAME`"))
        lines += [f"  {example:<26} {description}" for example, description in rows]
        lines.append("")
    lines += [
        "Compare a field with : or = (is), != (is not), > >= < <=. Commas separate alternatives: position:BTN,CO.",
        "* matches any letters. Put a value with spaces in quotes; double a quote inside it. Money is in the table's currency.",
        "`and` joins terms, as a space does; `or` separates alternatives; `not` or - excludes; ( ) group terms.",
        "Phrases of findings need no quotes: out of turn, wrong button, missed blind, no burn, misdeal.",
        "All seat terms of a query must match the same seat, and all finding terms the same finding. A finding",
        "that names a seat must match with that seat. A negated seat term alone excludes every seat:",
        "-player:Tom lists the hands that Tom wasn't dealt into.",
    ]
    return "\n".join(lines)
