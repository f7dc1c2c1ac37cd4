"""Look for a short name in a text that also holds random ids, where its letters may stand by chance."""

from __future__ import annotations

import re


def mentions(text: str, *names: str) -> bool:
    """Say whether a text holds any of the names as a word of its own, not as a part of an id or a digest."""
    words = "|".join(re.escape(name) for name in names)
    return re.search(rf"(?<![\w-])(?:{words})(?![\w-])", text) is not None
