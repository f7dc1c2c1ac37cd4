"""Random evenings of a table, legal under one book: a second author's reading of the rules.

Nothing here imports `projections.obligations` or a detector: positions, debts and posts are worked
out anew, so that an error on either side shows as a disagreement. Where a book leaves a point open
the evening avoids it, or takes what every reading allows.

`evening("hilton-limit", seed=7, hands=30)` is the same evening on every machine.
"""

from tests.evenings.generate import Evening, evening
from tests.evenings.rooms import ROOMS, Room

__all__ = ["ROOMS", "Evening", "Room", "evening"]
