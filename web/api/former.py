"""Find acts that older versions recorded under keys without a table, only if no mistake is possible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from web.api.keys import build_device_key, build_former_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.recording.recorder import Recorder
    from ledger.recording.stored_act import StoredAct
    from ledger.store.hands.hand_accounts import TableKey

FormerActs = list["StoredAct | None"]
"""For each line of a request, the act that an older version recorded, or None."""


def find_former_acts(recorder: Recorder, table_key: TableKey, device: str, key: str, count: int) -> FormerActs:
    """Return the acts that an older version recorded for a request of `count` lines; all None if in doubt.

    A device whose counter restarts may use an old key for another act. So an old key counts only if nothing but
    this request was recorded at the table since: then the device sends it again because the answer was lost.
    """
    acts: FormerActs = (
        [recorder.find_stored(build_former_key(device, key, index)) for index in range(count)] if key else []
    )
    stored_acts = [act for act in acts if act is not None]
    own_acts = [act for act in stored_acts if act.is_of_table and act.main_commit.recorded.writer == f"device:{device}"]
    if not own_acts or len(own_acts) < len(stored_acts) or not _is_last(recorder, table_key, device, key, own_acts):
        return [None] * count
    return acts


def _is_last(recorder: Recorder, table_key: TableKey, device: str, key: str, acts: Sequence[StoredAct]) -> bool:
    """Whether everything recorded at the table since the first of these acts has the keys of their request."""
    first_position = min(act.main_commit.position for act in acts)
    streams = {recorder.table.bytes, *(act.stream.bytes for act in acts)}
    if recorder.stream is not None:
        streams.add(recorder.stream.bytes)
    sql = "SELECT key FROM log WHERE stream = ? AND position >= ?"
    with recorder.ledger.database.reading() as connection:
        keys = [row[0] or "" for stream in streams for row in connection.execute(sql, (stream, first_position))]
    own_prefixes = tuple(
        prefix.removesuffix("0")
        for prefix in (build_former_key(device, key, 0), build_device_key(table_key, device, key, 0))
    )
    return all(prefix.startswith((*own_prefixes, "opened:")) for prefix in keys)
