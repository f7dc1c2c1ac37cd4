"""The words of Open Hand History 1.4.7: games, streets, acts, and what each member of an object means."""

from __future__ import annotations

from typing import Final

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting
from ledger.readers.cards import ANY_CASE, unknown_card_words
from ledger.readers.games import DRAW_STREETS, STUD_STREETS
from ledger.readers.json_hand import member_names
from ledger.vocabulary import Cards, Street, Witness

WITNESSES: Final = Witness.of(
    "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP RUNS BLIND_AMOUNTS"
)
"""What a hand of this format records whenever it happens; `OWN_CARDS` is added where cards are dealt to one."""

_BY_TITLE: Final = {
    "Holdem": ("holdem",),
    "Omaha": ("omaha", "omaha5", "omaha6"),
    "OmahaHiLo": ("omaha8", "omaha5-8", "omaha6-8"),
    "Stud": ("stud",),
    "StudHiLo": ("stud8",),
    "Draw": ("draw5",),
}
TITLES: Final = {game: title for title, games in _BY_TITLE.items() for game in games}
GAMES: Final = {title.lower(): games[0] for title, games in _BY_TITLE.items()}
FIVE_CARDS: Final = {(games[0], many): game for games in _BY_TITLE.values() for many, game in enumerate(games[1:], 5)}
"""Omaha by how many cards are dealt, which the format says nowhere else."""

LIMITS: Final[dict[str, Betting]] = {"NL": "no-limit", "PL": "pot-limit", "FL": "limit"}

STREETS: Final[dict[str, Street]] = {
    **{street: street for street in ("preflop", "flop", "turn", "river", "showdown")},
    "pre-flop": "preflop",
    **{f"{nth} street": street for nth, street in STUD_STREETS.items()},
    **{f"{street} street": street for street in STUD_STREETS.values()},
    **{street.replace("-", " "): street for street in DRAW_STREETS},
    "draw": "first-draw",
}
BOARDS: Final[frozenset[Street]] = frozenset(("flop", "turn", "river"))
STREET_TITLES: Final = {
    street: name.title() for name, street in STREETS.items() if name.startswith(street.partition("-")[0])
}
"""How each is written. The format names the streets of hold'em alone; those of other games are the words people use."""

PLAY: Final = frozenset(("XPM", "PPC", ""))
"""Currencies that are none."""

CARDS: Final[dict[str, str]] = {**ANY_CASE, **unknown_card_words("??", "X", "XX", "Xx", "xx"), "": ""}

ROOT: Final = member_names(
    "spec_version site_name network_name internal_version tournament tournament_info game_number start_date_utc",
    "start_date_time table_name table_handle table_skin game_type bet_limit table_size currency dealer_seat",
    "small_blind_amount big_blind_amount ante_amount hero_player_id flags players rounds pots tournament_bounties",
)
PLAYER: Final = member_names("id seat name display starting_stack player_bounty is_sitting_out cards _uid")
BESIDE: Final = frozenset(("sits down", "stands up", "added chips"))
"""What people do who are not in the hand."""
ACT: Final = member_names("action_number player_id action amount is_allin cards")
POT: Final = member_names("number amount rake jackpot player_wins")
WIN: Final = member_names("player_id win_amount cashout_amount cashout_fee bonus_amount contributed_rake")
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
    if not isinstance(found, list) or not _OBJECTS.issuperset(map(type, found)):
        raise UnreadableHandError(f"{name} is no list of objects", kind="damaged")
    return found


_OBJECTS: Final = frozenset((dict,))
