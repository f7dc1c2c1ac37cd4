"""How large a law is drawn: small in CI, at full size under `make laws`."""

import os

FULL_SIZE = os.environ.get("HANDLEDGER_LAWS") == "full"


def size(small: int, full: int) -> int:
    """Return how many examples a law draws in this run."""
    return full if FULL_SIZE else small
