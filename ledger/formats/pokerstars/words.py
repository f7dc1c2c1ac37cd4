"""The words of PokerStars' notation: rooms, games, streets, and lines that mean the same each time."""

from __future__ import annotations

from typing import Final

from ledger.event import Event
from ledger.hand.betting import Checked, Folded
from ledger.hand.dealing import StoodPat
from ledger.hand.ending import CardsMucked
from ledger.hand.opening import Betting
from ledger.readers.hand import SEATS
from ledger.vocabulary import DECK, Street, Witness

ROOMS: Final = (
    "PokerStars",
    "Full Tilt",
    "Run It Once Poker",
    "PokerMaster",
    "PokerBros",
    "PPPoker",
    "SealsWithClubs",
    "SwCPoker",
    "BetRivers Poker",
    "Hive Poker",
    "MPLPoker",
    "SupremaPoker",
    "WPT Global",
    "Weplay",
    "VanillaPoker",
    "PokerPlanets",
)
"""Rooms and programs that write this grammar under their own name."""

HEADS: Final = (*(room + " " for room in ROOMS), "POKERSTARS ")

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
    | Witness.POST_LIVENESS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.POTS
    | Witness.DROP
    | Witness.RETURNED_BETS
    | Witness.CLOCKS
    | Witness.PRESENCE
    | Witness.RUNS
    | Witness.CONNECTIONS
    | Witness.BLIND_AMOUNTS
    | Witness.DISCARDS
)
"""What PokerStars' text records whenever it happens; `OWN_CARDS` is added where cards are dealt to one."""

GAMES: Final[dict[str, str]] = {
    "hold'em": "holdem",
    "holdem": "holdem",
    "texas hold'em": "holdem",
    "6+ hold'em": "short-deck",
    "short deck hold'em": "short-deck",
    "split hold'em": "split-holdem",
    "tempest hold'em": "holdem",
    "showtime hold'em": "holdem",
    "omaha": "omaha",
    "omaha high": "omaha",
    "omaha hi/lo": "omaha8",
    "omaha h/l": "omaha8",
    "5 card omaha": "omaha5",
    "5-card omaha": "omaha5",
    "5-card omaha high": "omaha5",
    "5 card omaha hi/lo": "omaha5-8",
    "5 card omaha h/l": "omaha5-8",
    "omaha 5 cards": "omaha5",
    "omaha 6 cards": "omaha6",
    "6 card omaha": "omaha6",
    "6-card omaha": "omaha6",
    "6 card omaha hi/lo": "omaha6-8",
    "6 card omaha h/l": "omaha6-8",
    "courchevel": "courchevel",
    "courchevel hi/lo": "courchevel8",
    "fusion": "fusion",
    "irish": "irish",
    "7 card stud": "stud",
    "7 card stud hi/lo": "stud8",
    "razz": "razz",
    "5 card draw": "draw5",
    "single draw 2-7 lowball": "single-27",
    "triple draw 2-7 lowball": "triple-27",
    "2-7 triple draw": "triple-27",
    "2-7 single draw": "single-27",
    "a-5 triple draw": "triple-a5",
    "badugi": "badugi",
    "triple draw a-5 lowball": "triple-a5",
    "badeucey": "badeucey",
    "badacey": "badacey",
}
"""A game as the text names it, small letters → its variant."""

TITLES: Final[dict[str, str]] = {
    "holdem": "Hold'em",
    "short-deck": "6+ Hold'em",
    "split-holdem": "Split Hold'em",
    "omaha": "Omaha",
    "omaha8": "Omaha Hi/Lo",
    "omaha5": "5 Card Omaha",
    "omaha5-8": "5 Card Omaha Hi/Lo",
    "omaha6": "6 Card Omaha",
    "omaha6-8": "6 Card Omaha Hi/Lo",
    "courchevel": "Courchevel",
    "courchevel8": "Courchevel Hi/Lo",
    "fusion": "Fusion",
    "irish": "Irish",
    "stud": "7 Card Stud",
    "stud8": "7 Card Stud Hi/Lo",
    "razz": "Razz",
    "draw5": "5 Card Draw",
    "single-27": "Single Draw 2-7 Lowball",
    "triple-27": "Triple Draw 2-7 Lowball",
    "badugi": "Badugi",
    "triple-a5": "Triple Draw A-5 Lowball",
    "badeucey": "Badeucey",
    "badacey": "Badacey",
}

LIMITS: Final[tuple[tuple[str, Betting], ...]] = (
    (" no limit", "no-limit"),
    (" pot limit", "pot-limit"),
    (" fixed limit", "limit"),
    (" limit", "limit"),
)
LIMIT_TITLES: Final[dict[str, str]] = {
    "no-limit": "No Limit",
    "pot-limit": "Pot Limit",
    "limit": "Limit",
    "spread": "Limit",
}

STUD: Final = frozenset(("stud", "stud8", "razz"))
DRAW: Final = frozenset(("draw5", "single-27", "triple-27", "triple-a5", "badugi", "badeucey", "badacey"))

BOARD_STREETS: Final[dict[str, Street]] = {"PRE-FLOP": "preflop", "FLOP": "flop", "TURN": "turn", "RIVER": "river"}
HAND_STREETS: Final[dict[str, Street]] = {
    "3rd STREET": "third",
    "4th STREET": "fourth",
    "5th STREET": "fifth",
    "6th STREET": "sixth",
    "7th STREET": "seventh",
    "DRAW": "first-draw",
    "FIRST DRAW": "first-draw",
    "SECOND DRAW": "second-draw",
    "THIRD DRAW": "third-draw",
}
NUMBERS: Final = {"FIRST": 1, "SECOND": 2, "THIRD": 3, "FOURTH": 4}
ORDINALS: Final = {number: word for word, number in NUMBERS.items()}

CARDS: Final[dict[str, str]] = {
    **{card: card for card in DECK},
    **dict.fromkeys(("hidden", "XX", "xx", "??", "Xx"), "??"),
}

REMARKS: Final = frozenset(
    (
        "No low hand qualified",
        "Pair on board - a double bet is allowed",
        "All players have agreed to skip the break. Game resuming.",
    )
)
"""Lines without an event of their own whose words are kept, and written again."""

QUIET: Final = (
    "(didn't bet)",
    " folded before Flop",
    " folded on the Flop",
    " folded on the Turn",
    " folded on the River",
    " folded before the Draw",
    " folded in the first round",
    " after the 1st Draw",
    " after the 2nd Draw",
    " after the 3rd Draw",
    " on the 3rd Street",
    " on the 4th Street",
    " on the 5th Street",
    " on the 6th Street",
    " on the 7th Street",
    " folded on River",
    " folded before Turn",
    " folded before River",
    " folded on 3rd Street",
    " folded on 4th Street",
    " folded on 5th Street",
    " folded on 6th Street",
    "Flop (timeout)",
    "Turn (timeout)",
    "River (timeout)",
)
"""How lines of the summary end that say nothing which the acts did not."""

QUIET_TAILS: Final = frozenset(ending[-10:] for ending in QUIET)


def _for_all_seats(*words: str, kind: type[Event], **fields: bool) -> dict[str, list[Event]]:
    events = [kind(seat, **fields) for seat in range(SEATS)]
    return dict.fromkeys((*words, *(word + " " for word in words)), events)


FIXED: Final[dict[str, list[Event]]] = {
    **_for_all_seats("folds", kind=Folded),
    **_for_all_seats("checks", kind=Checked),
    **_for_all_seats("mucks hand", "mucks", kind=CardsMucked),
    **_for_all_seats("doesn't show hand", kind=CardsMucked, declined=True),
}
"""What follows a name and a colon → one event for each seat, made once."""

PAT: Final[list[Event]] = [StoodPat(seat) for seat in range(SEATS)]
