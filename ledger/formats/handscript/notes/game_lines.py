"""Writes the heading of a night in the strict grammar: place, game and stakes."""

from __future__ import annotations

from decimal import Decimal

from ledger.formats.handscript.notes import headings
from ledger.formats.handscript.notes.game_evidence import has_free_sizes, shows_two_cards
from ledger.formats.handscript.notes.headings import Heading
from ledger.formats.handscript.tokens import write_word
from ledger.vocabulary import in_units


def is_setting(text: str, strict_lines: list[str]) -> bool:
    """Whether a header line is one that only the strict grammar has; it is added to `strict_lines`."""
    if text.split(maxsplit=1)[0] not in ("option", "book", "source", "club", "witness", "records"):
        return False
    strict_lines.append(text.strip())
    return True


def place_lines(heading: Heading) -> list[str]:
    """Return the line with room, tournament, table and seats; nothing if the notes name none."""
    places = [
        f"{name} {write_word(value)}"
        for name, value in (("venue", heading.venue), ("tournament", heading.tournament), ("table", heading.table))
        if value
    ]
    if not places and not heading.seats:
        return []
    return ["  ".join([*places, *([f"seats {heading.seats}"] if heading.seats else [])])]


def write_game_line(heading: Heading, scale: int, whole_text: str) -> tuple[str, bool]:
    """Return the game line, "" if unknown, and whether part of it was derived from play."""
    headings.settle_third(heading)
    stakes = heading.stakes or heading.blinds
    if not heading.betting and stakes and has_free_sizes(whole_text, stakes):
        heading.betting, heading.is_derived = "no-limit", True
    if not heading.variant and (
        heading.betting == "no-limit" or (heading.betting == "limit" and shows_two_cards(whole_text))
    ):
        heading.variant, heading.is_derived = "holdem", True  # `nl` alone means hold'em
    if not (heading.variant and heading.betting):
        return "", False
    format_word = "tournament" if heading.is_tournament or heading.level else "cash"
    parts = [
        f"game {heading.variant} {heading.betting} {format_word}",
        *_list_stakes_parts(heading, scale),
        f"unit {heading.currency or 'chips'} {scale}",
    ]
    return " ".join(parts), heading.is_derived


def write_stakes_line(heading: Heading, scale: int) -> str:
    """Return the current stakes as a canonical line."""
    level = [f"level {write_word(heading.level)}"] if heading.level else []
    return " ".join(["stakes", *_list_stakes_parts(heading, scale), *level])


def _list_stakes_parts(heading: Heading, scale: int) -> list[str]:
    def amount_text(value: Decimal) -> str:
        return in_units(int(value.scaleb(scale)), scale)

    blinds = [amount_text(value) for value in (heading.small_blind, heading.big_blind) if value is not None]
    parts = [f"blinds {'/'.join(blinds)}"] if len(blinds) == 2 else []
    parts += [f"ante {amount_text(heading.ante)}"] if heading.ante and not heading.one_pays_ante else []
    parts += [f"bets {'/'.join(map(amount_text, heading.bets))}"] if heading.bets else []
    return parts
