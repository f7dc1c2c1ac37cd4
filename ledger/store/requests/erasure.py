"""Forgetting a person: every copy of the name goes, every proof stays.

Events hold opaque ids, so nothing that is hashed changes. What knows the name: the vault, free texts,
and the kept bytes of sources; there it is made unreadable in place. Ids of erased people are written
down beside the ledger too, so that an older copy put in its place is brought up to date when it is
opened.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import platformdirs

from ledger.entry import Recorded
from ledger.errors import HeldError, IntegrityError, NothingFoundError
from ledger.event import Event
from ledger.hand.opening import SeatDealtIn
from ledger.hiding import commitments
from ledger.house.events import (
    ExportMade,
    PeopleMerged,
    PeopleParted,
    PersonErased,
    PersonHeld,
    RulebookAdopted,
    SourceBlackened,
    TextRedacted,
)
from ledger.store.database.database import Link
from ledger.store.database.db_errors import translated
from ledger.store.people.erased_list import read_list, write_list
from ledger.store.people.redaction import CONTEXT_BYTES, Needle, blacken, find_needles, redact_text
from ledger.store.people.veil import Veil
from ledger.store.requests import rulebook_files
from ledger.streams import HOUSE
from ledger.vocabulary import Millis, PlayerId, Role

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from ledger.store.ledger import Ledger

Basis: TypeAlias = Literal["request", "retention", "court", "other"]
_LEVEL: Final = 3


def erase(ledger: Ledger, person: PlayerId, *, basis: Basis = "request", by: Role = "unknown") -> list[PlayerId]:
    """Forget a person under all ids that are the same person; return them.

    `HeldError` if the person may not be erased now, `NothingFoundError` if nobody has that id.
    """
    people = same_person(ledger, person)
    names = {one: who for one in people if (who := ledger.people.find_person(one)) is not None}
    if not names:
        raise NothingFoundError("nobody in this ledger has that id, or the name is gone already")
    held = holding(ledger.events(HOUSE), people, ledger.now())
    if held is not None:
        raise HeldError(f"this person's data are held ({held.reason})", "Lift the hold first: people release.")
    _not_held_by_a_case(ledger, people)
    _forget(ledger, names, people, basis, by, "people")
    return people


def reapply(ledger: Ledger) -> int:
    """Forget, in a ledger that was put back from an older copy, whom it had forgotten since."""
    late = forgotten_since(ledger)
    with ledger.database.reading() as link:
        known = {row[0] for row in link.execute("SELECT id FROM erased").fetchall()}
    if known - written_down(ledger):  # a list that was lost, or not written before the power went
        _write_down(ledger, known)
    names = {one: ledger.people.find_person(one) or ("", "") for one in late}
    if late:
        _forget(ledger, names, late, "other", "unknown", "erased again after a copy was restored")
    return len(late)


def forgotten_since(ledger: Ledger) -> list[PlayerId]:
    """Return whom the list names as forgotten and this copy does not: it is older than the list."""
    told = written_down(ledger)
    if not told:
        return []
    with ledger.database.reading() as link:
        known = {row[0] for row in link.execute("SELECT id FROM erased").fetchall()}
    return sorted(told - known)


def veiled(ledger: Ledger) -> None:
    """Let nobody see in an older copy, which is only read, who was forgotten since."""
    late = forgotten_since(ledger)
    if not late:
        return
    people = {one: (ledger.people.find_person(one) or ("", ""))[1] for one in late}
    stored = [key for one in late if (key := ledger.people.kept_key(one)) is not None]
    for one in late:
        ledger.people.forget(one)
    ledger.people.veil = ledger.sources.veil = Veil.over_people(people, stored)


def forget_again(ledger: Ledger, link: Link, source: str) -> None:
    """Take out of a source that is being imported who was forgotten before it came."""
    unwanted, ledger.people.unwanted = ledger.people.unwanted, {}
    if not unwanted:
        return
    row = link.execute("SELECT id FROM sources WHERE digest = ?", (bytes.fromhex(source),)).fetchone()
    for player, name in unwanted.items():
        if name.strip():
            _texts(ledger, link, name)
            _sources(ledger, link, find_needles(name), set() if row is None else {row[0]})
        ledger.people.forget(player)
    ledger.people.texts.clear()
    ledger.sources.forget()


def same_person(ledger: Ledger, person: PlayerId) -> list[PlayerId]:
    """Return all ids that were said to be the same person, `person` among them."""
    return same_people(ledger.events(HOUSE), person)


def same_people(events: Iterable[Event], person: PlayerId) -> list[PlayerId]:
    """As `same_person`, of the house's events."""
    groups: dict[PlayerId, set[PlayerId]] = {}
    for event in events:
        if isinstance(event, PeopleMerged):
            both = groups.get(event.kept, {event.kept}) | groups.get(event.merged, {event.merged})
            groups.update(dict.fromkeys(both, both))
        elif isinstance(event, PeopleParted):
            rest = groups.get(event.kept, {event.kept}) - {event.parted}
            groups.update(dict.fromkeys(rest, rest))
            groups[event.parted] = {event.parted}
    return sorted(groups.get(person, {person}))


def holding(events: Iterable[Event], people: Iterable[PlayerId], now: Millis) -> PersonHeld | None:
    """Return the hold that is in force for one of `people`, if any."""
    wanted, found = set(people), {}
    for event in events:
        if isinstance(event, PersonHeld) and event.person in wanted:
            found[event.person, event.reason] = event
    for event in found.values():
        if not event.lifted and (event.until is None or event.until > now):
            return event
    return None


def _not_held_by_a_case(ledger: Ledger, people: list[PlayerId]) -> None:
    from ledger.store.requests import case_holds  # noqa: PLC0415 - every ledger that is opened comes by here

    found = case_holds.holding(ledger, people)
    if found is not None:
        what = found.hold.what
        reach = "" if what == "person" else f": it holds a {what} in which the person is"
        raise HeldError(
            f"this person's data are held by case {found.case!r}{reach}",
            f"handledger case show {found.case} lists its holds, handledger case lift ends one; one "
            "without a time ends with the case.",
        )


def _forget(
    ledger: Ledger, names: dict[PlayerId, tuple[str, str]], people: list[PlayerId], basis: Basis, by: Role, writer: str
) -> None:
    """Take the names out and say so, in one transaction: a cut leaves both done or neither."""
    _prepare(ledger)
    with ledger.writing() as link:
        texts = 0
        for player, (_, name) in names.items():
            others = link.execute(
                "SELECT count(*) FROM names WHERE name = (SELECT name FROM names WHERE id = ?)", (player,)
            ).fetchone()[0]
            ledger.people.remove(link, player)
            _openings(ledger, link, player)
            if name.strip():
                texts += _texts(ledger, link, name)
                # Whoever else is called so keeps the name in sources that this person is not in.
                sources = _sources_of(ledger, link, player) if others > 1 else None
                _sources(ledger, link, find_needles(name), sources)
        for player in people:  # also an id whose name was gone: nobody of this id is kept again
            ledger.people.remove(link, player)
        ledger.append_within(
            link,
            "house",
            HOUSE,
            [PersonErased(one, basis, by, texts) for one in people],
            Recorded(ledger.now(), by=writer),
        )
    for player in names:
        ledger.people.forget(player)
    ledger.people.texts.clear()
    ledger.sources.forget()
    ledger.unreached = [*ledger.database.scrub(), *_lakes(ledger), *_rulebooks(ledger, names)]
    where = _write_down(ledger, people)
    if ledger.database.address.kind != "sqlite":
        ledger.unreached.append(where)


def _lakes(ledger: Ledger) -> list[str]:
    """Return, in words, that lakes were written with the bytes of sources."""
    if not any(isinstance(event, ExportMade) and event.kind == "lake" for event in ledger.events(HOUSE)):
        return []
    return ["lakes that were written with their sources: handledger shard writes those again without it"]


def _rulebooks(ledger: Ledger, names: dict[PlayerId, tuple[str, str]]) -> list[str]:
    """Return, in words, the rulebooks of the house's own in which a name stands: hands were judged by their very bytes."""
    found = []
    for digest in rulebook_files.kept(ledger):
        try:
            text = rulebook_files.read(ledger, digest).data.decode("utf-8", "replace")
        except IntegrityError as error:  # nobody stays known because a rulebook was spoiled
            found.append(error.message)
            continue
        if any(name.strip() and redact_text(text, name) != text for _, name in names.values()):
            called = {e.book for e in ledger.events(HOUSE) if isinstance(e, RulebookAdopted) and e.digest == digest}
            found.append(
                f"the text of the house's rulebook {', '.join(sorted(called)) or digest[:12]}, which stays to the byte "
                "as hands were judged by it: take the name out of the file, and adopt that as another edition"
            )
    return found


def _prepare(ledger: Ledger) -> None:
    from sqlalchemy import inspect  # noqa: PLC0415 - whoever opens a ledger looks for the forgotten, few forget

    from ledger.store.database.tables import META, blackened  # noqa: PLC0415 - the same

    with ledger.database.core(write=True) as core:
        if not inspect(core).has_table("blackened"):
            META.create_all(core, tables=[blackened])


def _texts(ledger: Ledger, link: Link, name: str) -> int:
    """Make a name unreadable in all texts; say of each what is kept of it. Return how many."""
    said = []
    for ref, words in ledger.people.all_texts(link):
        clean = redact_text(words, name)
        if clean != words:
            ledger.people.replace_text(link, ref, clean)
            digest = sha256(clean.encode("utf-8", "surrogatepass")).hexdigest()
            said.append(TextRedacted(ref, digest))
    if said:
        ledger.append_within(link, "house", HOUSE, said, Recorded(ledger.now(), by="people"))
    return len(said)


def _openings(ledger: Ledger, link: Link, player: PlayerId) -> None:
    """Forget the hidden cards that a person held: what stands for them in events says nothing then."""
    if link.execute("SELECT 1 FROM openings LIMIT 1").fetchone() is None:
        return
    made: list[str] = []
    for stream in _hands_of(ledger, link, player):
        events = [e for c in ledger.reader.stream(link, stream) for e in ledger.mapper.decode(c.kind, c.data)]
        own = {e.seat for e in events if isinstance(e, SeatDealtIn) and e.player == player}
        made += [one for seat, one in commitments(events) if seat in own]
    ledger.people.remove_openings(link, player, made)


def _hands_of(ledger: Ledger, link: Link, player: PlayerId) -> set[bytes]:
    """Return the streams of the hands that a player was dealt into."""
    found, needle, after = set(), player.encode(), 0
    while page := ledger.reader.page(link, after):
        found |= {c.stream_bytes for c in page if c.kind == "hand" and needle in c.data}
        after = page[-1].position
    return found


def _sources_of(ledger: Ledger, link: Link, player: PlayerId) -> set[int]:
    """Return the numbers of the sources of which a hand has this player."""
    found: set[int] = set()
    needle = player.encode()
    after = 0
    while True:
        page = ledger.reader.page(link, after)
        for commit in page:
            if commit.source is not None and needle in commit.data:
                row = link.execute(
                    "SELECT id FROM sources WHERE digest = ?", (bytes.fromhex(commit.source),)
                ).fetchone()
                found.add(row[0])
        if not page:
            return found
        after = page[-1].position


def _sources(ledger: Ledger, link: Link, wanted: list[Needle], only: set[int] | None) -> None:
    rows = link.execute(
        "SELECT id, digest FROM sources WHERE digest IS NOT NULL AND length IS NOT NULL ORDER BY id"
    ).fetchall()
    for number, digest in rows:
        if only is None or number in only:
            places = _source(link, number, wanted)
            if places:
                _say_blackened(ledger, link, number, bytes(digest), places)


def _source(link: Link, number: int, wanted: list[Needle]) -> list[tuple[int, int]]:
    """Make a name unreadable in a source, also where it lies over the border of two blocks."""
    longest = max(len(needle.data) for needle in wanted)
    reach = longest + longest % 2 + 2 * CONTEXT_BYTES
    places: list[tuple[int, int]] = []
    before: tuple[int, bytes] | None = None
    blocks = link.execute("SELECT start, length FROM blocks WHERE source = ? ORDER BY start", (number,)).fetchall()
    for start, length in blocks:
        packed = link.execute("SELECT data FROM blocks WHERE source = ? AND start = ?", (number, start)).fetchone()[0]
        block = zstd.ZstdDecompressor().decompress(bytes(packed), max_length=length)
        head = b"" if before is None else before[1][-reach:]
        last = len(head + block) - (0 if start == blocks[-1][0] else CONTEXT_BYTES)
        clean, found = blacken(head + block, wanted, CONTEXT_BYTES if head else 0, last)
        if found:
            places += [(start - len(head) + at, size) for at, size in found]
            _put(link, number, start, clean[len(head) :])
            if before is not None and clean[: len(head)] != head:
                _put(link, number, before[0], before[1][: len(before[1]) - len(head)] + clean[: len(head)])
        before = (start, clean[len(head) :])
    return places


def _put(link: Link, number: int, start: int, block: bytes) -> None:
    link.execute(
        "UPDATE blocks SET data = ? WHERE source = ? AND start = ?", (zstd.compress(block, _LEVEL), number, start)
    )


def _say_blackened(ledger: Ledger, link: Link, number: int, digest: bytes, places: list[tuple[int, int]]) -> None:
    ledger.people.remove_salt(link, digest.hex())
    whole = sha256()
    for block in _blocks(link, number):
        whole.update(block)
    link.execute(
        "INSERT INTO blackened (source, digest) VALUES (?, ?) "
        "ON CONFLICT (source) DO UPDATE SET digest = excluded.digest",
        (number, whole.digest()),
    )
    event = SourceBlackened(digest.hex(), whole.hexdigest(), len(places), sum(size for _, size in places))
    ledger.append_within(link, "house", HOUSE, [event], Recorded(ledger.now(), by="people"))


def _blocks(link: Link, number: int) -> Iterator[bytes]:
    for (start,) in link.execute("SELECT start FROM blocks WHERE source = ? ORDER BY start", (number,)).fetchall():
        packed, length = link.execute(
            "SELECT data, length FROM blocks WHERE source = ? AND start = ?", (number, start)
        ).fetchone()
        yield zstd.ZstdDecompressor().decompress(bytes(packed), max_length=length)


def unseen(ledger: Ledger) -> list[str]:
    """Return, in words, what a verification of this ledger cannot see."""
    from ledger.store.database.raw_connection import open_raw  # noqa: PLC0415 - the same
    from ledger.store.verify.blind_spots import find_blind_spots as limits  # noqa: PLC0415 - only `handledger verify` asks

    with translated(), open_raw(ledger.database.engine) as connection:
        keyless = ledger.unsalted_secret() is None
        return [*limits(connection, without_key=keyless), *_unseen_forgotten(ledger)]


def _unseen_forgotten(ledger: Ledger) -> Iterator[str]:
    """Yield, in words, what a verification cannot see of who was forgotten."""
    late = forgotten_since(ledger)
    if late:
        who = "1 person who was" if len(late) == 1 else f"{len(late)} people who were"
        yield (
            f"anything of {who} forgotten since this copy was made: it holds them still, "
            "they are not shown, and the next command that writes forgets them again"
        )
    path = place(ledger)
    if path is not None and not path.exists():
        sqlite = ledger.database.address.kind == "sqlite"
        where = f"beside it ({path.name})" if sqlite else f"at {path}"
        yield f"whether somebody was forgotten after this copy was made: there is no list of the forgotten {where}"
    elif path is not None and (lacking := _not_written_down(ledger)):
        who = "1 person" if len(lacking) == 1 else f"{len(lacking)} people"
        yield (
            f"that no backup shows who was forgotten: the list {path.name} lacks {who} forgotten in this ledger; "
            "the next command that writes adds them"
        )


def _not_written_down(ledger: Ledger) -> set[str]:
    """Return whom the ledger forgot and the list of the forgotten doesn't name."""
    with ledger.database.reading() as link:
        forgotten = {str(row[0]) for row in link.execute("SELECT id FROM erased").fetchall()}
    return forgotten - written_down(ledger)


# Who was erased, beside the ledger: it survives when an older copy is put in its place


def place(ledger: Ledger) -> Path | None:
    """Return where the ids of erased people are written down; None for a ledger in memory.

    Beside a SQLite file; for PostgreSQL in the folder that HANDLEDGER_ERASED names, or in the user's own.
    """
    address = ledger.database.address
    if address.kind == "sqlite":
        return None if address.name == ":memory:" else Path(f"{address.name}.erased")
    told = os.environ.get("HANDLEDGER_ERASED")
    own = Path(platformdirs.user_data_dir("handledger", appauthor=False)) / "erased"
    return (Path(told) if told else own) / f"{ledger.id}.txt"


def written_down(ledger: Ledger) -> set[PlayerId]:
    """Return the ids that are written down for this ledger; `IntegrityError` if their list is not whole."""
    path = place(ledger)
    return set() if path is None else read_list(path, ledger.id)


def _write_down(ledger: Ledger, people: Iterable[PlayerId]) -> str:
    """Add to the list of the forgotten; return, in words, where it lies."""
    path = place(ledger)
    if path is None:
        return "nothing: this ledger is in memory"
    try:
        write_list(path, ledger.id, written_down(ledger) | set(people))
    except OSError as error:
        return f"a backup that is put back: the list of the forgotten cannot be written to {path} ({error.strerror})"
    return f"a backup that is put back where the list of the forgotten is not: it lies at {path} (HANDLEDGER_ERASED names another folder)"
