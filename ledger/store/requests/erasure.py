"""Erase a person: every copy of the name goes, every proof stays.

Events hold opaque ids, so nothing hashed changes. The vault, free texts and stored bytes of sources hold
the name; there it's made unreadable in place. A list beside the ledger holds the ids of erased people, so
that an older copy in its place is updated when it's opened.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import platformdirs

from ledger.entry import Provenance
from ledger.errors import HeldError, IntegrityError, NothingFoundError
from ledger.event import Event
from ledger.hand.opening import SeatDealtIn
from ledger.hidden_cards import find_commitments
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


def erase(ledger: Ledger, person: PlayerId, *, basis: Basis = "request", role: Role = "unknown") -> list[PlayerId]:
    """Erase a person under all ids of the same person; return the ids.

    Raises `HeldError` if the person can't be erased now, `NothingFoundError` if nobody has this id.
    """
    people = same_person(ledger, person)
    names = {player: person_name for player in people if (person_name := ledger.people.find_person(player)) is not None}
    if not names:
        raise NothingFoundError("nobody in this ledger has that id, or the name is gone already")
    hold = find_person_hold(ledger.events(HOUSE), people, ledger.now())
    if hold is not None:
        raise HeldError(f"this person's data are held ({hold.reason})", "Lift the hold first: people release.")
    _check_case_holds(ledger, people)
    _erase_people(ledger, names, people, basis, role, "people")
    return people


def erase_again(ledger: Ledger) -> int:
    """Erase people again in a ledger restored from an older copy; return how many."""
    late_people = find_forgotten_since(ledger)
    with ledger.database.reading() as link:
        erased_people = {row[0] for row in link.execute("SELECT id FROM erased").fetchall()}
    if erased_people - read_erased_list(ledger):  # the list was lost, or a power cut came before it was written
        _add_to_list(ledger, erased_people)
    names = {player: ledger.people.find_person(player) or ("", "") for player in late_people}
    if late_people:
        _erase_people(ledger, names, late_people, "other", "unknown", "erased again after a copy was restored")
    return len(late_people)


def find_forgotten_since(ledger: Ledger) -> list[PlayerId]:
    """Return people on the list whom this older copy hasn't erased."""
    listed_people = read_erased_list(ledger)
    if not listed_people:
        return []
    with ledger.database.reading() as link:
        erased_people = {row[0] for row in link.execute("SELECT id FROM erased").fetchall()}
    return sorted(listed_people - erased_people)


def set_veil(ledger: Ledger) -> None:
    """Hide people in an older, read-only copy who were erased since."""
    late_people = find_forgotten_since(ledger)
    if not late_people:
        return
    people = {player: (ledger.people.find_person(player) or ("", ""))[1] for player in late_people}
    stored = [key for player in late_people if (key := ledger.people.kept_key(player)) is not None]
    for player in late_people:
        ledger.people.forget(player)
    ledger.people.veil = ledger.sources.veil = Veil.over_people(people, stored)


def forget_again(ledger: Ledger, link: Link, source: str) -> None:
    """Redact people in a source being imported who were erased before."""
    unwanted, ledger.people.unwanted = ledger.people.unwanted, {}
    if not unwanted:
        return
    row = link.execute("SELECT id FROM sources WHERE digest = ?", (bytes.fromhex(source),)).fetchone()
    for player, name in unwanted.items():
        if name.strip():
            _redact_texts(ledger, link, name)
            _blacken_sources(ledger, link, find_needles(name), set() if row is None else {row[0]})
        ledger.people.forget(player)
    ledger.people.texts.clear()
    ledger.sources.forget()


def same_person(ledger: Ledger, person: PlayerId) -> list[PlayerId]:
    """Return all ids merged into the same person, including `person`."""
    return same_people(ledger.events(HOUSE), person)


def same_people(events: Iterable[Event], person: PlayerId) -> list[PlayerId]:
    """Do the same as `same_person` on the house's events."""
    return sorted(group_same_people(events).get(person, {person}))


def group_same_people(events: Iterable[Event]) -> dict[PlayerId, set[PlayerId]]:
    """Return all ids of each person that the house ever merged or parted, by id."""
    groups: dict[PlayerId, set[PlayerId]] = {}
    for event in events:
        if isinstance(event, PeopleMerged):
            joined_ids = groups.get(event.kept, {event.kept}) | groups.get(event.merged, {event.merged})
            groups.update(dict.fromkeys(joined_ids, joined_ids))
        elif isinstance(event, PeopleParted):
            remaining_ids = groups.get(event.kept, {event.kept}) - {event.parted}
            groups.update(dict.fromkeys(remaining_ids, remaining_ids))
            groups[event.parted] = {event.parted}
    return groups


def find_person_hold(events: Iterable[Event], people: Iterable[PlayerId], current_time: Millis) -> PersonHeld | None:
    """Return the active hold on one of `people` that lasts longest, None if there is none."""
    holds = list_person_holds(events, people, current_time)
    return max(holds, key=lambda hold: (hold.until is None, hold.until or 0), default=None)


def list_person_holds(events: Iterable[Event], people: Iterable[PlayerId], current_time: Millis) -> list[PersonHeld]:
    """Return the active holds on `people`, one for each id and reason."""
    people_ids, hold_by_reason = set(people), dict[tuple[PlayerId, str], PersonHeld]()
    for event in events:
        if isinstance(event, PersonHeld) and event.person in people_ids:
            hold_by_reason[event.person, event.reason] = event
    return [
        hold
        for hold in hold_by_reason.values()
        if not hold.lifted and (hold.until is None or hold.until > current_time)
    ]


def _check_case_holds(ledger: Ledger, people: list[PlayerId]) -> None:
    from ledger.store.requests import case_holds  # noqa: PLC0415 - opening a ledger loads this module

    case_hold = case_holds.find_hold(ledger, people)
    if case_hold is not None:
        hold = case_hold.hold
        hand_row = ledger.hand(hold.target) if hold.what == "hand" else None
        target = hold.what.upper() if hand_row is None else f"{hand_row.table}/{hand_row.number}"
        raise HeldError(
            f"case {case_hold.case} holds {_HELD_BY_KIND[hold.what]}",
            f"To end the hold: handledger case lift {case_hold.case} {hold.what} {target}"
            + (". It also ends with the case." if hold.until is None else ""),
        )


_HELD_BY_KIND: Final = {
    "hand": "a hand that this person played",
    "table": "a table where this person played",
    "source": "a file with hands that this person played",
    "person": "this person's data",
}


def _erase_people(
    ledger: Ledger,
    names: dict[PlayerId, tuple[str, str]],
    people: list[PlayerId],
    basis: Basis,
    role: Role,
    writer: str,
) -> None:
    """Erase the names and record it in one transaction: a crash leaves both done or neither."""
    _create_blackened_table(ledger)
    with ledger.writing() as link:
        texts = 0
        for player, (_, name) in names.items():
            namesakes = link.execute(
                "SELECT count(*) FROM names WHERE name = (SELECT name FROM names WHERE id = ?)", (player,)
            ).fetchone()[0]
            ledger.people.remove(link, player)
            _remove_openings(ledger, link, player)
            if name.strip():
                texts += _redact_texts(ledger, link, name)
                # A namesake keeps the name in sources without this person.
                sources = _find_sources(ledger, link, player) if namesakes > 1 else None
                _blacken_sources(ledger, link, find_needles(name), sources)
        for player in people:  # also an id without a name: no name of this id may be stored again
            ledger.people.remove(link, player)
        ledger.append_within(
            link,
            "house",
            HOUSE,
            [PersonErased(erased_player, basis, role, texts) for erased_player in people],
            Provenance(ledger.now(), writer=writer),
        )
    for player in names:
        ledger.people.forget(player)
    ledger.people.texts.clear()
    ledger.sources.forget()
    ledger.unreached = [
        *ledger.database.scrub(),
        *_describe_lakes_with_sources(ledger),
        *_describe_rulebooks_with_names(ledger, names),
    ]
    list_note = _add_to_list(ledger, people)
    if ledger.database.address.kind != "sqlite":
        ledger.unreached.append(list_note)


def _describe_lakes_with_sources(ledger: Ledger) -> list[str]:
    """Return, in words, that lakes hold bytes of sources."""
    if not any(isinstance(event, ExportMade) and event.kind == "lake" for event in ledger.events(HOUSE)):
        return []
    return ["lakes that were written with their sources: handledger shard writes those again without it"]


def _describe_rulebooks_with_names(ledger: Ledger, names: dict[PlayerId, tuple[str, str]]) -> list[str]:
    """Return, in words, the house's rulebooks that hold a name: hands were judged by their exact bytes."""
    notes = []
    for digest in rulebook_files.list_kept_books(ledger):
        try:
            text = rulebook_files.read_file(ledger, digest).data.decode("utf-8", "replace")
        except IntegrityError as error:  # a damaged rulebook doesn't stop an erasure
            notes.append(error.message)
            continue
        if any(name.strip() and redact_text(text, name) != text for _, name in names.values()):
            book_names = {
                event.book
                for event in ledger.events(HOUSE)
                if isinstance(event, RulebookAdopted) and event.digest == digest
            }
            notes.append(
                f"the text of the house's rulebook {', '.join(sorted(book_names)) or digest[:12]}, which stays to the byte "
                "as hands were judged by it: take the name out of the file, and adopt that as another edition"
            )
    return notes


def _create_blackened_table(ledger: Ledger) -> None:
    from sqlalchemy import inspect  # noqa: PLC0415 - opening a ledger loads this module, few commands erase

    from ledger.store.database.tables import META, blackened  # noqa: PLC0415 - the same

    with ledger.database.core(write=True) as core:
        if not inspect(core).has_table("blackened"):
            META.create_all(core, tables=[blackened])


def _redact_texts(ledger: Ledger, link: Link, name: str) -> int:
    """Redact a name in all texts and record each redacted text; return how many."""
    redaction_events = []
    for text_ref, words in ledger.people.all_texts(link):
        redacted = redact_text(words, name)
        if redacted != words:
            ledger.people.replace_text(link, text_ref, redacted)
            digest = sha256(redacted.encode("utf-8", "surrogatepass")).hexdigest()
            redaction_events.append(TextRedacted(text_ref, digest))
    if redaction_events:
        ledger.append_within(link, "house", HOUSE, redaction_events, Provenance(ledger.now(), writer="people"))
    return len(redaction_events)


def _remove_openings(ledger: Ledger, link: Link, player: PlayerId) -> None:
    """Delete the openings of a person's hidden cards: their commitments in events then reveal nothing."""
    if link.execute("SELECT 1 FROM openings LIMIT 1").fetchone() is None:
        return
    card_commitments: list[str] = []
    for stream in _find_hands(ledger, link, player):
        events = [
            event
            for commit in ledger.reader.stream(link, stream)
            for event in ledger.mapper.decode(commit.kind, commit.data)
        ]
        own_seats = {event.seat for event in events if isinstance(event, SeatDealtIn) and event.player == player}
        card_commitments += [commitment_text for seat, commitment_text in find_commitments(events) if seat in own_seats]
    ledger.people.remove_openings(link, player, card_commitments)


def _find_hands(ledger: Ledger, link: Link, player: PlayerId) -> set[bytes]:
    """Return the streams of a player's hands."""
    streams, needle, last_position = set(), player.encode(), 0
    while page := ledger.reader.page(link, last_position):
        streams |= {commit.stream_bytes for commit in page if commit.kind == "hand" and needle in commit.data}
        last_position = page[-1].position
    return streams


def _find_sources(ledger: Ledger, link: Link, player: PlayerId) -> set[int]:
    """Return the numbers of the sources with a hand of this player."""
    source_numbers: set[int] = set()
    needle = player.encode()
    last_position = 0
    while True:
        page = ledger.reader.page(link, last_position)
        for commit in page:
            if commit.source is not None and needle in commit.data:
                row = link.execute(
                    "SELECT id FROM sources WHERE digest = ?", (bytes.fromhex(commit.source),)
                ).fetchone()
                source_numbers.add(row[0])
        if not page:
            return source_numbers
        last_position = page[-1].position


def _blacken_sources(ledger: Ledger, link: Link, name_needles: list[Needle], only_sources: set[int] | None) -> None:
    rows = link.execute(
        "SELECT id, digest FROM sources WHERE digest IS NOT NULL AND length IS NOT NULL ORDER BY id"
    ).fetchall()
    for number, digest in rows:
        if only_sources is None or number in only_sources:
            places = _blacken_source(link, number, name_needles)
            if places:
                _record_blackened(ledger, link, number, bytes(digest), places)


def _blacken_source(link: Link, number: int, name_needles: list[Needle]) -> list[tuple[int, int]]:
    """Blacken a name in a source, also across the border of two blocks; return the places."""
    longest = max(len(needle.data) for needle in name_needles)
    reach = longest + longest % 2 + 2 * CONTEXT_BYTES
    places: list[tuple[int, int]] = []
    previous_block: tuple[int, bytes] | None = None
    blocks = link.execute("SELECT start, length FROM blocks WHERE source = ? ORDER BY start", (number,)).fetchall()
    for start, length in blocks:
        packed = link.execute("SELECT data FROM blocks WHERE source = ? AND start = ?", (number, start)).fetchone()[0]
        block = zstd.ZstdDecompressor().decompress(bytes(packed), max_length=length)
        context = b"" if previous_block is None else previous_block[1][-reach:]
        last_byte = len(context + block) - (0 if start == blocks[-1][0] else CONTEXT_BYTES)
        blackened_bytes, blackened_places = blacken(
            context + block, name_needles, CONTEXT_BYTES if context else 0, last_byte
        )
        if blackened_places:
            places += [(start - len(context) + offset, size) for offset, size in blackened_places]
            _store_block(link, number, start, blackened_bytes[len(context) :])
            if previous_block is not None and blackened_bytes[: len(context)] != context:
                _store_block(
                    link,
                    number,
                    previous_block[0],
                    previous_block[1][: len(previous_block[1]) - len(context)] + blackened_bytes[: len(context)],
                )
        previous_block = (start, blackened_bytes[len(context) :])
    return places


def _store_block(link: Link, number: int, start: int, block: bytes) -> None:
    link.execute(
        "UPDATE blocks SET data = ? WHERE source = ? AND start = ?", (zstd.compress(block, _LEVEL), number, start)
    )


def _record_blackened(ledger: Ledger, link: Link, number: int, digest: bytes, places: list[tuple[int, int]]) -> None:
    ledger.people.remove_salt(link, digest.hex())
    source_hash = sha256()
    for block in _read_blocks(link, number):
        source_hash.update(block)
    link.execute(
        "INSERT INTO blackened (source, digest) VALUES (?, ?) "
        "ON CONFLICT (source) DO UPDATE SET digest = excluded.digest",
        (number, source_hash.digest()),
    )
    event = SourceBlackened(digest.hex(), source_hash.hexdigest(), len(places), sum(size for _, size in places))
    ledger.append_within(link, "house", HOUSE, [event], Provenance(ledger.now(), writer="people"))


def _read_blocks(link: Link, number: int) -> Iterator[bytes]:
    for (start,) in link.execute("SELECT start FROM blocks WHERE source = ? ORDER BY start", (number,)).fetchall():
        packed, length = link.execute(
            "SELECT data, length FROM blocks WHERE source = ? AND start = ?", (number, start)
        ).fetchone()
        yield zstd.ZstdDecompressor().decompress(bytes(packed), max_length=length)


def list_blind_spots(ledger: Ledger) -> list[str]:
    """Return, in words, what a verification of this ledger can't see."""
    from ledger.store.database.raw_connection import open_raw  # noqa: PLC0415 - the same
    from ledger.store.verify.blind_spots import find_blind_spots as limits  # noqa: PLC0415 - only `handledger verify` asks

    with translated(), open_raw(ledger.database.engine) as connection:
        without_key = ledger.unsalted_secret() is None
        return [*limits(connection, without_key=without_key), *_list_erasure_blind_spots(ledger)]


def _list_erasure_blind_spots(ledger: Ledger) -> Iterator[str]:
    """Yield, in words, what a verification can't see of erased people."""
    late_people = find_forgotten_since(ledger)
    if late_people:
        people_words = "1 person who was" if len(late_people) == 1 else f"{len(late_people)} people who were"
        yield (
            f"anything about {people_words} forgotten since this copy was made: it still has their names, "
            "doesn't show them, and the next command that writes forgets them again"
        )
    path = list_path(ledger)
    if path is not None and not path.exists():
        sqlite = ledger.database.address.kind == "sqlite"
        list_place = f"next to it ({path.name})" if sqlite else f"at {path}"
        yield f"whether somebody was forgotten after this copy was made: there is no list of forgotten people {list_place}"
    elif path is not None and (missing_people := _find_missing_from_list(ledger)):
        people_words = "1 person" if len(missing_people) == 1 else f"{len(missing_people)} people"
        yield (
            f"that no backup shows who was forgotten: the list {path.name} lacks {people_words} forgotten in this ledger; "
            "the next command that writes adds them"
        )


def _find_missing_from_list(ledger: Ledger) -> set[str]:
    """Return people whom the ledger erased and the list lacks."""
    with ledger.database.reading() as link:
        forgotten = {str(row[0]) for row in link.execute("SELECT id FROM erased").fetchall()}
    return forgotten - read_erased_list(ledger)


# The list of erased people beside the ledger: it outlives a replacement by an older copy


def list_path(ledger: Ledger) -> Path | None:
    """Return the path of the list of erased people, None for a ledger in memory.

    It's beside a SQLite file; for PostgreSQL in the folder that HANDLEDGER_ERASED names, or in the user's own.
    """
    address = ledger.database.address
    if address.kind == "sqlite":
        return None if address.name == ":memory:" else Path(f"{address.name}.erased")
    configured_folder = os.environ.get("HANDLEDGER_ERASED")
    default_folder = Path(platformdirs.user_data_dir("handledger", appauthor=False)) / "erased"
    return (Path(configured_folder) if configured_folder else default_folder) / f"{ledger.id}.txt"


def read_erased_list(ledger: Ledger) -> set[PlayerId]:
    """Return the ids on this ledger's list; `IntegrityError` if the list is damaged."""
    path = list_path(ledger)
    return set() if path is None else read_list(path, ledger.id)


def _add_to_list(ledger: Ledger, people: Iterable[PlayerId]) -> str:
    """Add people to the list of erased people; return, in words, where it is."""
    path = list_path(ledger)
    if path is None:
        return "nothing: this ledger is in memory"
    try:
        write_list(path, ledger.id, read_erased_list(ledger) | set(people))
    except OSError as error:
        return f"a restored backup: the list of forgotten people can't be written to {path} ({error.strerror})"
    return f"a backup restored without the list of forgotten people: the list is at {path} (HANDLEDGER_ERASED names another folder)"
