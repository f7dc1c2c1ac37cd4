"""Winamax's text as the client writes it for forums: headings in `[b]…[/b]`, each card in its own brackets."""

from __future__ import annotations

import re
from typing import Final

_CARDS: Final = re.compile(r"(?: ?\[(?:10|[2-9TJQKAX])[CDHSX]\])+")
_CONTINUATIONS: Final = ("(", "and won", "and lost")


def unfold(line_texts: list[str], first_line: int, end_line: int) -> None:
    """Rewrite lines as the room's files have them; a line that is joined to another becomes empty."""
    last_line, has_cards = first_line, False
    for line_number in range(first_line, end_line):
        line = line_texts[line_number].strip()
        if line[:3] == "[b]" and "[/b]" in line:
            title, _, text_after = line[3:].partition("[/b]")
            line = f"*** {title} ***{text_after}"
        is_only_cards = _CARDS.fullmatch(line) is not None
        if is_only_cards or (has_cards and line.startswith(_CONTINUATIONS)):
            line_texts[last_line], line_texts[line_number] = (
                f"{line_texts[last_line].rstrip()} {_rewrite_cards(line, line_texts[last_line])}",
                "",
            )
            has_cards = True
        elif line:
            line_texts[line_number], last_line, has_cards = _rewrite_cards(line, line), line_number, False


def _rewrite_cards(line: str, context: str) -> str:
    """Return `[3D] [6D] [9C] [4H]` as `[3d 6d 9c][4h]` in a street's heading, otherwise in one bracket."""

    def join_cards(cards_match: re.Match[str]) -> str:
        card_texts = cards_match[0].replace("[", " ").replace("]", " ").split()
        cards = [card if "X" in card else card[:-1] + card[-1].lower() for card in card_texts]
        split_index = 3 if len(cards) <= 3 or not context.startswith("*** ") else len(cards) - 1
        card_groups = (cards[:split_index], cards[split_index:]) if context.startswith("*** ") else (cards,)
        return " " * (cards_match[0][0] == " ") + "".join(f"[{' '.join(card)}]" for card in card_groups if card)

    return _CARDS.sub(join_cards, line)
