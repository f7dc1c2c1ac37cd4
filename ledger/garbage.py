"""How often Python looks for dead objects that hold each other: hands leave none, and each look goes through those at hand."""

from __future__ import annotations

import gc
from typing import Final

_OBJECTS: Final = 10_000
"""New ones behind which it looks; Python's own figure, 700, is reached every twenty hands."""


def rarely_swept() -> None:
    """Let it look less often, in this process, from now on."""
    gc.set_threshold(_OBJECTS)
