"""Acts that pages send, and what they get back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.formats.handscript.live import LineResult
    from ledger.recording.author import Recording
    from ledger.recording.recorder import Recorder
    from ledger.vocabulary import PlayerId, Seat
    from ledger.vocabulary import Role as HouseRole
    from projections.live.live_document import LiveDocument
    from projections.live.table_offers import TableOffers


class PageAct(NamedTuple):
    """An act from one browser's page that records a table."""

    line: str
    sender: str  # the browser; its acts at a table count from 1
    number: int
    previous_number: int  # its last recorded act, 0 = none; acts between the two were refused or held no event
    seat: Seat | None = None  # whose turn it was, where a key was pressed
    seen_position: int | None = None  # log position that the sender saw last; None = that of its previous act
    user: str = ""  # id of the user who pressed it; "" = unknown


class PagePerson(NamedTuple):
    """The person who records on a page. `needs_floor` and `line_needs_floor` return what a floor has to approve, or "".

    Both take the recorder, and whether the table has hands already.
    """

    recording: Recording
    role: HouseRole
    needs_floor: Callable[[LineResult, Recorder, bool], str] | None = None
    line_needs_floor: Callable[[str, Recorder, bool], str] | None = None


class ApprovedAct(NamedTuple):
    """An act that a dealer pressed and a floor approves."""

    line: str
    form_id: str  # of the page with the floor's code: sent twice, it's recorded once
    seen_position: int
    seat: Seat | None = None


class ActReceipt(NamedTuple):
    """The result of a numbered act: whether it holds an event, whether it is a repeat, and its log position."""

    recorded: bool
    again: bool
    position: int


class TableView(NamedTuple):
    """A table as its page shows it, as of one moment."""

    live: LiveDocument
    offers: TableOffers  # what can be recorded there by buttons
    position: int  # in the log, of its last entry
    dealer: PlayerId  # "" = nobody said


class LastAct(NamedTuple):
    """The last act that a page recorded at a table."""

    number: int
    position: int
