"""The documents that the API returns."""

from __future__ import annotations

import msgspec

from projections.live.live_document import LiveDocument


class Answer(msgspec.Struct, kw_only=True, tag_field="schema", tag="handledger/appended/1"):
    """The result of a request: how many of its lines or events are recorded, and the state of the table after them.

    `again`: whether they had been recorded before, under the same key.
    """

    recorded: int
    again: bool
    live: LiveDocument
