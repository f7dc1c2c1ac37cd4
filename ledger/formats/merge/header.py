"""The words of the Merge network's files, and the facts before a hand's players."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers import amounts, games
from ledger.readers.cards import CARD_WORDS, build_card_reader, map_unknown_cards
from ledger.readers.document_hand import DocumentHeader
from ledger.readers.marked import MarkupSource, Tag, parse_lowercase_attributes
from ledger.readers.markup import HandTags, TagNode
from ledger.readers.timestamps import parse_iso
from ledger.vocabulary import Cards, Chips, Millis, Street

VARIANT_BY_GAME: Final[dict[str, str]] = {
    "Holdem": "holdem",
    "Omaha": "omaha",
    "Omaha H/L8": "omaha8",
    "7-Stud": "stud",
    "7-Stud H/L8": "stud8",
    "5-Stud": "stud5",
    "Razz": "razz",
    "5-Draw": "draw5",
    "5-Draw w/Joker": "draw5",
    "2-7 Lowball": "triple-27",
    "A-5 Lowball": "triple-a5",
    "Badugi": "badugi",
}
"""A game as the description names it → its variant. `stud5` is read, but can't be replayed yet."""

MIXED_GAMES: Final = frozenset(("HORSE", "HOSE", "SHOE", "HO", "HA", "HAR", "RASH", "HOE", "8-Game", "Mixed"))
"""Descriptions of several games. A hand's `multigametype` names the one that is played."""

VARIANT_BY_NUMBER: Final[dict[str, str]] = {
    **dict.fromkeys(("1", "2", "23"), "holdem"),
    **dict.fromkeys(("4", "9"), "omaha"),
    **dict.fromkeys(("34", "35", "37"), "omaha8"),
    **dict.fromkeys(("38", "39", "41", "42"), "stud"),
    **dict.fromkeys(("43", "45"), "stud8"),
    **dict.fromkeys(("46", "47", "49"), "razz"),
    "55": "draw5",
    "63": "triple-a5",
    "67": "triple-27",
    "71": "badugi",
}
"""`gametype` and `multigametype` → variant."""

STUD_VARIANTS: Final = frozenset(("stud", "stud8", "razz", "stud5"))
DRAW_VARIANTS: Final = frozenset(("draw5", "triple-27", "triple-a5", "badugi"))

LIMITS: Final[dict[str, Betting]] = {
    "No Limit": "no-limit",
    "Half Pot Limit": "pot-limit",
    "Pot Limit": "pot-limit",
    "Limit": "limit",
}
"""The beginning of `stakes` → the betting. We have no word for half the pot: `GameSet.written` keeps it."""

BOARD_STREETS: Final[dict[str, Street]] = {"POSTFLOP": "flop", "POSTTURN": "turn", "POSTRIVER": "river"}
"""A round → the street whose board it deals."""

STREETS: Final[dict[str, Street]] = {
    "FOURTH_STREET": "fourth",
    "FIFTH_STREET": "fifth",
    "SIXTH_STREET": "sixth",
    "SEVENTH_STREET": "seventh",
    "FIRST_DRAW": "first-draw",
    "SECOND_DRAW": "second-draw",
    "THIRD_DRAW": "third-draw",
}
"""A round that begins a stud street or a draw → that street."""

FIRST_ROUNDS: Final = frozenset(("BLINDS", "PREFLOP", "BRING_IN", "THIRD_STREET", "PRE_FIRST_DRAW"))
"""Rounds in which every player who is dealt in acts or gets cards."""

LATER_ROUNDS: Final = frozenset(
    ("POST_FIRST_DRAW", "POST_SECOND_DRAW", "POST_THIRD_DRAW", "END_OF_FOLDED_GAME", "END_OF_GAME", "GAME_CANCELLED")
)
"""Rounds that begin no street of their own."""

FIRST_DAY_OF_TOTALS: Final = "20100908"
"""Before this day a raise contains the chips added, since then the street's total."""

read_cards: Final = build_card_reader({**CARD_WORDS, **map_unknown_cards("null", "", "??")})
"""Returns `Ah Kd` as cards, or None if one of them isn't a card."""

_CACHE_SIZE: Final = 20_000


@lru_cache(maxsize=_CACHE_SIZE)
def parse_cards(text: str) -> Cards | None:
    """Return the cards of `null,null,7s` or `,,7s`, or None if one of them isn't a card. Unseen ones are `??`."""
    return read_cards(" ".join(word.strip() or "??" for word in text.split(",")))


_MAX_TEXT_LENGTH: Final = 200
_QUARTER_HOUR: Final = 900_000
_MAX_TIME_DIGITS: Final = 15
_TOURNAMENT_SUFFIX: Final = " Tournament"


@dataclass(frozen=True, slots=True)
class MergeDescription:
    """The description's facts about the hands after it."""

    game: str  # as written, without `Tournament`
    is_tournament: bool
    stakes: str
    written: str


def read_description(source: MarkupSource, tags: list[Tag]) -> MergeDescription:
    """Read the description. An unknown game raises `UnreadableHandError`."""
    attributes = parse_lowercase_attributes(source, next(tag for tag in tags if tag.name == "description"))
    type_text, stakes = (
        attributes.get("type", "").strip()[:_MAX_TEXT_LENGTH],
        attributes.get("stakes", "").strip()[:_MAX_TEXT_LENGTH],
    )
    game = type_text.removesuffix(_TOURNAMENT_SUFFIX).strip()
    if game not in VARIANT_BY_GAME and game not in MIXED_GAMES:
        raise games.unknown_game(type_text)
    return MergeDescription(game, type_text.endswith(_TOURNAMENT_SUFFIX), stakes, f"{type_text} {stakes}".strip())


def read_header(sheet: HandTags, description: MergeDescription, exponent: int | None) -> DocumentHeader:
    """Read the attributes of a game. Damaged ones raise `UnreadableHandError`."""
    hand_number = sheet.get("id")
    if not hand_number or len(hand_number) > _MAX_TEXT_LENGTH or not hand_number.isascii():
        raise UnreadableHandError("the game has no number", kind="header")
    stakes = sheet.get("stakes") or description.stakes
    table, tournament, table_name = _parse_table(
        sheet.attributes["data"], hand_number, cash=not description.is_tournament
    )
    start_text = sheet.get("starttime")
    event_times = (
        parse_event_time(event) for round_line in sheet.lines["round"] for event in round_line.get_children("event")
    )
    return DocumentHeader(
        hand_number,
        table,
        _build_game_set(sheet, description, stakes, exponent),
        tournament,
        _build_tournament_set(sheet, stakes.partition("Level ")[2].partition(" ")[0], table_name)
        if description.is_tournament
        else None,
        start_text,
        parse_start_time(start_text, next(filter(None, event_times), None)),
        sheet.count("seats") or 0,
    )


def parse_event_time(event: TagNode) -> Millis | None:
    """Return the time of an event, or None if it has none."""
    timestamp = event.attributes["timestamp"]
    return (
        int(timestamp)
        if timestamp.isascii() and timestamp.isdecimal() and 0 < len(timestamp) < _MAX_TIME_DIGITS
        else None
    )


def _parse_table(data_field: str, hand_number: str, *, cash: bool) -> tuple[str, str, str]:
    """Return table, tournament and the table's name: `20110531|Room|90000023-1|90000024-25|true`.

    Old files separate these with colons. If they are missing, the hand's number begins with the table's.
    """
    parts = data_field.split("|") if "|" in data_field else data_field.split(":")
    table_name = parts[1].strip()[:_MAX_TEXT_LENGTH] if len(parts) > 2 else ""
    table_code = parts[2].strip()[:_MAX_TEXT_LENGTH] if len(parts) > 2 else ""
    number_prefix = hand_number.partition("-")[0]
    if cash:
        return table_name or number_prefix, "", table_name
    tournament, _, table = table_code.partition("-")
    return table or number_prefix, tournament or number_prefix, table_name


def _find_variant(sheet: HandTags, description: MergeDescription) -> str:
    """Return the variant. In a mixed game the hand names it; an unknown one raises `UnreadableHandError`."""
    game_number = sheet.attributes["multigametype"] or sheet.attributes["gametype"]
    variant = VARIANT_BY_GAME.get(description.game) or VARIANT_BY_NUMBER.get(game_number, "")
    if description.game not in VARIANT_BY_GAME and variant == "omaha" and sheet.attributes["numholecards"] == "2":
        variant = "holdem"
    if not variant:
        raise UnreadableHandError(f"the game {game_number[:20]!r} of a mixed game is not known", kind="unknown-game")
    return variant


def _build_game_set(sheet: HandTags, description: MergeDescription, stakes: str, exponent: int | None) -> GameSet:
    variant = _find_variant(sheet, description)
    limit_words = next((limit_words for limit_words in LIMITS if stakes.startswith(limit_words)), None)
    if limit_words is None:
        raise UnreadableHandError(f"the limit {stakes[:60]!r} is not known", kind="unknown-game")
    if exponent is None:
        exponent = 0 if description.is_tournament else 2
    betting = LIMITS[limit_words]
    ante, stake_amounts = _parse_stakes(stakes[len(limit_words) :], exponent)
    blinds, bets, bring_in = (), (), 0  # type: tuple[Chips, ...], tuple[Chips, ...], Chips
    if variant in STUD_VARIANTS and betting != "limit" and len(stake_amounts) == 3:
        ante, bring_in, bets = stake_amounts[0], stake_amounts[1], stake_amounts[2:]
    elif betting == "limit" and not description.is_tournament:
        bets = stake_amounts[:2]
    elif variant not in STUD_VARIANTS and len(stake_amounts) >= 2 and "Half Pot" not in stakes:
        blinds = stake_amounts[:2]
    return GameSet(
        variant,
        betting,
        "tournament" if description.is_tournament else "cash",
        games.find_currency(
            stakes, tournament=description.is_tournament, play=sheet.attributes["realmoney"] == "false", default="chips"
        ),
        exponent,
        blinds,
        ante,
        bets,
        bring_in,
        description.written,
    )


def _parse_stakes(text: str, exponent: int) -> tuple[Chips, tuple[Chips, ...]]:
    """Return the ante and the amounts of ` ($0.05/$0.10)` or ` Level 5 Ante 10, Blinds 50/100`."""
    ante = 0
    blinds_text = text
    for stakes_part in text.split(","):
        word, _, value = stakes_part.strip().rpartition(" ")
        if word.endswith("Ante"):
            ante = amounts.read_or_none(value, exponent) or 0
        if "/" in value:
            blinds_text = value
    parsed_amounts = [
        amounts.read_or_none(amount_text.strip(" ()"), exponent) for amount_text in blinds_text.split("/")
    ]
    is_complete = len(parsed_amounts) > 1 and None not in parsed_amounts
    return ante, tuple(amount_text for amount_text in parsed_amounts if amount_text is not None) if is_complete else ()


def _build_tournament_set(sheet: HandTags, level: str, table_name: str) -> TournamentSet:
    buy_in, bounty = (amounts.read_or_none(sheet.attributes[attribute], 2) for attribute in ("buyin", "bounty"))
    return TournamentSet(level[:20], buy_in, None, bounty, "", table_name)


def parse_start_time(start_text: str, first_event_time: Millis | None) -> Millis | None:
    """Return when a hand began: `2012/06/05 19:39:26 -0400`, or `20120529031347` without a zone.

    The first event's time shows the zone, to a quarter of an hour. Without it the result is None.
    """
    if start_text[4:5] == "/":
        day, _, clock_and_zone = start_text.partition(" ")
        clock, _, zone = clock_and_zone.partition(" ")
        iso_text = f"{day.replace('/', '-')}T{clock}{zone[:3]}:{zone[3:]}" if len(zone) == 5 else ""
        return parse_iso(iso_text) if iso_text else None
    wall_time = None
    if len(start_text) == 14 and start_text.isascii() and start_text.isdecimal():
        try:
            wall_time = parse_iso(datetime.strptime(start_text, "%Y%m%d%H%M%S").isoformat())  # noqa: DTZ007 - the zone follows
        except ValueError:
            wall_time = None
    if wall_time is None or first_event_time is None:
        return None
    zone_offset = round((wall_time - first_event_time) / _QUARTER_HOUR) * _QUARTER_HOUR
    return wall_time - zone_offset if abs(zone_offset) <= 56 * _QUARTER_HOUR else None
