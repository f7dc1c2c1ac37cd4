"""The words of Open Hand History 1.4.7: games, streets, acts, and the members of each object."""

from __future__ import annotations

from typing import Final

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting
from ledger.readers.cards import ANY_CASE, map_unknown_cards
from ledger.readers.games import DRAW_STREETS, STUD_STREETS
from ledger.readers.json_hand import split_names
from ledger.vocabulary import Cards, Street, Witness

WITNESSES: Final = Witness.from_names(
    "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP RUNS BLIND_AMOUNTS"
)
"""What a hand of this format always records. `OWN_CARDS` is added if a single player's cards are known."""

_BY_TITLE: Final = {
    "Holdem": ("holdem",),
    "Omaha": ("omaha", "omaha5", "omaha6"),
    "OmahaHiLo": ("omaha8", "omaha5-8", "omaha6-8"),
    "Stud": ("stud",),
    "StudHiLo": ("stud8",),
    "Draw": ("draw5",),
}
TITLES: Final = {game: title for title, games in _BY_TITLE.items() for game in games}
GAME_OF_TITLE: Final = {title.lower(): games[0] for title, games in _BY_TITLE.items()}
FIVE_CARDS: Final = {(games[0], many): game for games in _BY_TITLE.values() for many, game in enumerate(games[1:], 5)}
"""Omaha games by the number of hole cards, which the format has no other word for."""

BETTING_OF_LIMIT: Final[dict[str, Betting]] = {"NL": "no-limit", "PL": "pot-limit", "FL": "limit"}

STREETS: Final[dict[str, Street]] = {
    **{street: street for street in ("preflop", "flop", "turn", "river", "showdown")},
    "pre-flop": "preflop",
    **{f"{nth} street": street for nth, street in STUD_STREETS.items()},
    **{f"{street} street": street for street in STUD_STREETS.values()},
    **{street.replace("-", " "): street for street in DRAW_STREETS},
    "draw": "first-draw",
}
BOARD_STREETS: Final[frozenset[Street]] = frozenset(("flop", "turn", "river"))
STREET_TITLES: Final = {
    street: name.title() for name, street in STREETS.items() if name.startswith(street.partition("-")[0])
}
"""Titles of streets. The format names only those of hold'em; for other games they are the usual words."""

PLAY_CURRENCIES: Final = frozenset(("XPM", "PPC", ""))
"""Currency codes of play money."""

CARD_OF_NAME: Final[dict[str, str]] = {**ANY_CASE, **map_unknown_cards("??", "X", "XX", "Xx", "xx"), "": ""}

HAND_MEMBERS: Final = split_names(
    "spec_version site_name network_name internal_version tournament tournament_info game_number start_date_utc",
    "start_date_time table_name table_handle table_skin game_type bet_limit table_size currency dealer_seat",
    "small_blind_amount big_blind_amount ante_amount hero_player_id flags players rounds pots tournament_bounties",
)
PLAYER_MEMBERS: Final = split_names("id seat name display starting_stack player_bounty is_sitting_out cards _uid")
ACTS_OUTSIDE_HAND: Final = frozenset(("sits down", "stands up", "added chips"))
"""Acts of players who aren't in the hand."""
ACT_MEMBERS: Final = split_names("action_number player_id action amount is_allin cards")
POT_MEMBERS: Final = split_names("number amount rake jackpot player_wins")
WIN_MEMBERS: Final = split_names("player_id win_amount cashout_amount cashout_fee bonus_amount contributed_rake")
"""The members that we read or that repeat others. Any other member is kept as unread."""


def read_text(value: object) -> str:
    """Return a member as text, or "" if it is neither text nor a number, which some writers use."""
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def read_cards(value: object) -> Cards:
    """Return a member as cards. Anything else raises `UnreadableHandError`."""
    if value is None or value == "":
        return ""
    if isinstance(value, str):  # `AhKd` and `Ah Kd`, as some writers have it
        card_words = value.replace(",", " ").replace("10", "T").split()
        value = [card_word[index : index + 2] for card_word in card_words for index in range(0, len(card_word), 2)]
    card_list = (
        [CARD_OF_NAME.get(card_name) if isinstance(card_name, str) else None for card_name in value]
        if isinstance(value, list)
        else [None]
    )
    if None in card_list:
        raise UnreadableHandError(f"these are no cards: {str(value)[:80]}", kind="cards")
    return "".join(card_name for card_name in card_list if card_name)


def read_player_id(player: object) -> str:
    """Return a player's id as text: writers mix `1` and `"1"`."""
    return str(player) if isinstance(player, int) else player if isinstance(player, str) else ""


def read_objects(value: dict[str, object], name: str) -> list[dict[str, object]]:
    """Return the objects of a list, which is a member. Anything else raises `UnreadableHandError`."""
    member = value.get(name)
    if member is None or member == "":
        return []
    if not isinstance(member, list) or not _OBJECTS.issuperset(map(type, member)):
        raise UnreadableHandError(f"{name} is no list of objects", kind="damaged")
    return member


_OBJECTS: Final = frozenset((dict,))
