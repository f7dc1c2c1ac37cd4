"""Winamax's text as the client writes it for forums: headings in `[b]…[/b]`, each card in brackets of its own."""

from __future__ import annotations

import re
from typing import Final

_CARDS: Final = re.compile(r"(?: ?\[(?:10|[2-9TJQKAX])[CDHSX]\])+")
_GOES_ON: Final = ("(", "and won", "and lost")


def unfold(text: list[str], k: int, after: int) -> None:
    """Make lines `k` up to `after` what a file of the room has; a line put behind another is left empty."""
    last, cards = k, False
    for at in range(k, after):
        line = text[at].strip()
        if line[:3] == "[b]" and "[/b]" in line:
            title, _, rest = line[3:].partition("[/b]")
            line = f"*** {title} ***{rest}"
        alone = _CARDS.fullmatch(line) is not None
        if alone or (cards and line.startswith(_GOES_ON)):
            text[last], text[at] = f"{text[last].rstrip()} {_plain(line, text[last])}", ""
            cards = True
        elif line:
            text[at], last, cards = _plain(line, line), at, False


def _plain(line: str, behind: str) -> str:
    """Return `[3D] [6D] [9C] [4H]` as `[3d 6d 9c][4h]` behind a street's heading, otherwise in one bracket."""

    def together(found: re.Match[str]) -> str:
        written = found[0].replace("[", " ").replace("]", " ").split()
        cards = [one if "X" in one else one[:-1] + one[-1].lower() for one in written]
        cut = 3 if len(cards) <= 3 or not behind.startswith("*** ") else len(cards) - 1
        parts = (cards[:cut], cards[cut:]) if behind.startswith("*** ") else (cards,)
        return " " * (found[0][0] == " ") + "".join(f"[{' '.join(one)}]" for one in parts if one)

    return _CARDS.sub(together, line)
