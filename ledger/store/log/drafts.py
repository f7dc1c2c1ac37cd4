"""Make drafts of a reader's results: accounts of hands, facts about tables."""

from __future__ import annotations

from hashlib import sha256

from ledger.account import Account, TableAccount
from ledger.entry import Provenance
from ledger.marks import pack_origins
from ledger.store.commits import CommitDraft
from ledger.store.log.hand_facts import infer_hand_facts
from ledger.store.log.mapper import Mapper, check_storable
from ledger.streams import hand_stream, table_stream

_MAPPER = Mapper()


def hand_draft(account: Account, recorded: Provenance) -> CommitDraft:
    """Return the draft of an account of a hand; its stream follows from its content.

    `recorded.source` names the bytes of the hand. Raises `UnstorableError` for events that can't be stored.
    """
    data = account.encoded
    if data is None:
        data = _MAPPER.encode("hand", account.events)
    else:
        check_storable(data)
    facts = infer_hand_facts(account.events)
    stream = hand_stream(facts.venue, facts.table, facts.number, facts.started, sha256(data).digest())
    marks = pack_origins(account.places, account.inferred, account.times)
    return CommitDraft("hand", stream, 1, len(account.events), data, marks, recorded, facts)


def table_draft(account: TableAccount, recorded: Provenance) -> CommitDraft:
    """Return the draft of a source's facts about a table, for the end of the table's stream.

    Its key follows from source and content, so that a second import stores nothing.
    """
    data = _MAPPER.encode("table", account.events)
    if not recorded.key and recorded.source is not None:
        place = recorded.source
        place_bytes = f"{place.source}:{place.start}:{account.table}:".encode("utf-8", "surrogatepass")
        recorded = recorded._replace(key="table:" + sha256(place_bytes + data).hexdigest()[:32])
    stream = table_stream(account.venue, account.tournament, account.table)
    marks = pack_origins(account.places, account.inferred, account.times)
    return CommitDraft("table", stream, None, len(account.events), data, marks, recorded)
