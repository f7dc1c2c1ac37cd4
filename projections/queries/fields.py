"""The fields of a query: what each is called, what it is about, how it may be compared, and an example."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from ledger.hand.opening import Betting

Level: TypeAlias = Literal["hand", "seat", "finding"]
"""What a field speaks of: the hand as a whole, one of its seats, or something found in it."""

Kind: TypeAlias = Literal["text", "number", "money", "day", "cards", "choice", "person", "source", "clause", "game"]


class Field(NamedTuple):
    """A field and what may stand behind it."""

    level: Level
    kind: Kind
    column: str
    says: str
    example: str
    choices: tuple[str, ...] = ()  # of a choice, in their order: the later is the more


STREETS: Final = ("preflop", "flop", "turn", "river")
SEVERITIES: Final = ("info", "warning", "error")
CERTAINTIES: Final = ("needs-video", "likely", "certain")
POSITIONS: Final = ("UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4", "UTG+5", "LJ", "HJ", "CO", "BTN", "SB", "BB")
NOTES: Final = ("voided", "cut off", "unread lines", "unbalanced", "corrected")

FIELDS: Final[dict[str, Field]] = {
    "table": Field("hand", "text", "name", "the table", "table:T7"),
    "venue": Field("hand", "text", "venue", "the room", "venue:PokerStars"),
    "tournament": Field("hand", "text", "tournament", "the tournament's number", "tournament:88*"),
    "hand": Field("hand", "text", "number", "the room's number of the hand, or its address: hand:T7/408", "hand:2089*"),
    "game": Field("hand", "game", "variant", "the game: holdem, omaha, nlhe, plo, stud, ...", "game:plo"),
    "betting": Field(
        "hand", "choice", "betting", "no-limit, pot-limit, limit or spread", "betting:limit", get_args(Betting)
    ),
    "format": Field(
        "hand", "choice", "format", "cash, tournament or unknown", "format:cash", ("unknown", "cash", "tournament")
    ),
    "source": Field("hand", "source", "source", "the file: its name or SHA-256", "source:night.hand"),
    "since": Field("hand", "day", "", "played on that gaming day or later, or from that time on", "since:2026-11-20"),
    "until": Field(
        "hand", "day", "", "played on that gaming day or earlier, or before that time", "until:2026-11-21T04:00"
    ),
    "day": Field("hand", "day", "", "played on that gaming day", "day:2026-11-20"),
    "dealer": Field("hand", "person", "", "who dealt, where the record tells the dealers", "dealer:Kim"),
    "players": Field("hand", "number", "players", "how many were dealt in", "players>=6"),
    "button": Field("hand", "number", "button", "the seat with the button", "button:3"),
    "pot": Field("hand", "money", "pot", "what went into the pot, bets that went back taken off", "pot>=200"),
    "rake": Field("hand", "money", "rake", "what the house took", "rake>5"),
    "board": Field("hand", "cards", "board", "cards of the board, each of them", "board:AhKd"),
    "street": Field("hand", "choice", "streets", "the last street of the board", "street>=turn", STREETS),
    "runs": Field("hand", "number", "runs", "how often the board was run", "runs>1"),
    "note": Field(
        "hand", "choice", "", "what is odd: voided, cut-off, unread-lines, unbalanced, corrected", "note:voided", NOTES
    ),
    "player": Field("seat", "person", "player", "who was dealt in: a name, venue/name, or an id", 'player:"Old Tom"'),
    "seat": Field("seat", "number", "seat", "a seat that was dealt in", "seat:5"),
    "position": Field("seat", "choice", "place", "BTN, SB, BB, UTG, UTG+1, LJ, HJ, CO", "position:BTN,CO", POSITIONS),
    "stack": Field("seat", "money", "stack", "what a seat began the hand with", "stack<50"),
    "put": Field("seat", "money", "put", "what a seat put into the pot", "put>100"),
    "won": Field("seat", "money", "won", "what a seat won", "won>=500"),
    "net": Field("seat", "money", "net", "what a seat won less what it put in", "net<-100"),
    "clause": Field(
        "finding", "clause", "clause", "the clause of a finding, with or without its book", "clause:hilton.B8*"
    ),
    "book": Field("finding", "text", "book", "the rulebook of a finding", "book:hilton"),
    "severity": Field("finding", "choice", "severity", "info, warning or error", "severity>=warning", SEVERITIES),
    "certainty": Field(
        "finding", "choice", "certainty", "needs-video, likely or certain", "certainty:certain", CERTAINTIES
    ),
}

WORDS: Final[dict[str, Field]] = {
    "showdown": Field("hand", "choice", "showdown", "several held a hand to the end", "showdown"),
    "voided": Field("hand", "choice", "voided", "the hand did not count", "voided"),
    "all-in": Field("seat", "choice", "all_in", "a seat put all its chips in", "all-in"),
    "winner": Field("seat", "choice", "net", "a seat won more than it put in", "winner"),
    "finding": Field("finding", "choice", "", "anything was found", "finding"),
}
"""Words that stand alone."""

FLAGS: Final = {
    "run-it-twice": ("runs", 1),
    "showdown": ("showdown", 0),
    "corrected": ("corrected", 0),
    "cash-out": ("cash_out", 0),
}
"""What `flag:` knows: a column of the hand that is higher than so much."""

CARD: Final = re.compile(r"[2-9TJQKA][shdc]")

GAMES: Final = {
    "nlhe": ("holdem", "no-limit"),
    "plhe": ("holdem", "pot-limit"),
    "lhe": ("holdem", "limit"),
    "plo": ("omaha", "pot-limit"),
    "plo8": ("omaha8", "pot-limit"),
    "o8": ("omaha8", ""),
    "plo5": ("omaha5", "pot-limit"),
    "plo6": ("omaha6", "pot-limit"),
}
"""Short names of games: which game, and how it is bet ("" = however)."""


def help_text() -> str:
    """Return what a query may say: each field with its type and an example."""
    titles = {"hand": "Of the hand", "seat": "Of a seat", "finding": "Of a finding"}
    lines = [
        'A query is made of terms; all of them must hold. Example: table:T7 pot>=200 player:"Old Tom" -position:BTN',
        "",
    ]
    for level, title in titles.items():
        lines.append(f"{title}:")
        rows = [(field.example, field.says) for field in (*FIELDS.values(), *WORDS.values()) if field.level == level]
        if level == "hand":
            rows.append(("flag:run-it-twice", f"the same in words: {', '.join(FLAGS)}"))
            rows.append(("saved:NAME", "a query that was kept with `log --where QUERY --save NAME`"))
        lines += [f"  {example:<26} {says}" for example, says in rows]
        lines.append("")
    lines += [
        "A field is compared with : or = (is), != (is not), > >= < <=. Several values with commas: one of them.",
        "* stands for any letters. Quotes hold a value with blanks together, a quote in it is written twice. Money is in the table's currency.",
        "`or` parts what may hold, `not` or - says what must not, ( ) keep together.",
        "Terms of a seat beside each other speak of the same seat, of a finding of the same finding; a finding",
        "that names a seat is one of that seat. With only `not` before it, a term speaks of every seat: -player:Tom",
        "finds the hands that Tom was not dealt into.",
    ]
    return "\n".join(lines)
