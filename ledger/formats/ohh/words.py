"""The words of Open Hand History 1.4.7: games, streets, acts, and what each member of an object means."""

from __future__ import annotations

from typing import Final

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting
from ledger.readers.cards import ANY_CASE, unknown
from ledger.readers.documented import names
from ledger.vocabulary import Cards, Street, Witness

WITNESSES: Final = Witness.of(
    "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP RUNS BLIND_AMOUNTS"
)
"""What a hand of this format records whenever it happens; `OWN_CARDS` is added where cards are dealt to one."""

GAMES: Final[dict[str, str]] = {
    "holdem": "holdem",
    "omaha": "omaha",
    "omahahilo": "omaha8",
    "stud": "stud",
    "studhilo": "stud8",
    "draw": "draw5",
}
FIVE_CARDS: Final = {
    ("omaha", 5): "omaha5",
    ("omaha8", 5): "omaha5-8",
    ("omaha", 6): "omaha6",
    ("omaha8", 6): "omaha6-8",
}
"""Omaha by how many cards are dealt, which the format says nowhere else."""

TITLES: Final = {
    "holdem": "Holdem",
    "omaha": "Omaha",
    "omaha5": "Omaha",
    "omaha6": "Omaha",
    "omaha8": "OmahaHiLo",
    "omaha5-8": "OmahaHiLo",
    "omaha6-8": "OmahaHiLo",
    "stud": "Stud",
    "stud8": "StudHiLo",
    "draw5": "Draw",
}

LIMITS: Final[dict[str, Betting]] = {"NL": "no-limit", "PL": "pot-limit", "FL": "limit"}

STREETS: Final[dict[str, Street]] = {
    "preflop": "preflop",
    "pre-flop": "preflop",
    "flop": "flop",
    "turn": "turn",
    "river": "river",
    "showdown": "showdown",
    "third street": "third",
    "3rd street": "third",
    "fourth street": "fourth",
    "4th street": "fourth",
    "fifth street": "fifth",
    "5th street": "fifth",
    "sixth street": "sixth",
    "6th street": "sixth",
    "seventh street": "seventh",
    "7th street": "seventh",
    "first draw": "first-draw",
    "draw": "first-draw",
    "second draw": "second-draw",
    "third draw": "third-draw",
}
BOARDS: Final[frozenset[Street]] = frozenset(("flop", "turn", "river"))
STREET_TITLES: Final = {street: name.title() for name, street in reversed(STREETS.items()) if "-" not in name}
"""The first word of each. The format names the streets of hold'em alone; those of other games are the words people use."""

PLAY: Final = frozenset(("XPM", "PPC", ""))
"""Currencies that are none."""

CARDS: Final[dict[str, str]] = {**ANY_CASE, **unknown("??", "X", "XX", "Xx", "xx"), "": ""}

ROOT: Final = names(
    "spec_version site_name network_name internal_version tournament tournament_info game_number start_date_utc",
    "start_date_time table_name table_handle table_skin game_type bet_limit table_size currency dealer_seat",
    "small_blind_amount big_blind_amount ante_amount hero_player_id flags players rounds pots tournament_bounties",
)
PLAYER: Final = names("id seat name display starting_stack player_bounty is_sitting_out cards _uid")
BESIDE: Final = frozenset(("sits down", "stands up", "added chips"))
"""What people do who are not in the hand."""
ACT: Final = names("action_number player_id action amount is_allin cards")
POT: Final = names("number amount rake jackpot player_wins")
WIN: Final = names("player_id win_amount cashout_amount cashout_fee bonus_amount contributed_rake")
"""The members that are read, or that say what others say; any other is kept as unread."""


def text(value: object) -> str:
    """Return a member as text, "" where it is none. Some writers give numbers as numbers."""
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def cards_of(value: object) -> Cards:
    """Return cards; what is none raises `UnreadableHandError`."""
    if value is None or value == "":
        return ""
    if isinstance(value, str):  # `AhKd` and `Ah Kd`, as some writers have it
        parts = value.replace(",", " ").replace("10", "T").split()
        value = [part[at : at + 2] for part in parts for at in range(0, len(part), 2)]
    found = [CARDS.get(one) if isinstance(one, str) else None for one in value] if isinstance(value, list) else [None]
    if None in found:
        raise UnreadableHandError(f"these are no cards: {str(value)[:80]}", kind="cards")
    return "".join(one for one in found if one)


def who(player: object) -> str:
    """Return a player's id as text: writers mix `1` and `"1"`."""
    return str(player) if isinstance(player, int) else player if isinstance(player, str) else ""


def objects(value: dict[str, object], name: str) -> list[dict[str, object]]:
    """Return the objects of a member that is a list of them; what is none makes the hand unreadable."""
    found = value.get(name)
    if found is None or found == "":
        return []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise UnreadableHandError(f"{name} is no list of objects", kind="damaged")
    return found
