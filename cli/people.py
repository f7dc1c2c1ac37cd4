"""`handledger people`: list, merge, hold and forget people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from cli import people_key as key_notes
from cli.documents.command_documents import PeopleDocument, PersonEntry
from cli.options import common_options, day_options, ledger_options
from cli.options.person_ids import NamingCommand
from cli.output import console
from cli.show import warn_of_look_alikes
from ledger import safe
from ledger.errors import NothingFoundError, UsageError
from ledger.store.requests.erasure import erase
from ledger.text.lookalikes import lookalike_groups
from projections.addresses.person_address import find_person

if TYPE_CHECKING:
    from typer._click import Context

    from ledger.event import Event
    from ledger.store import Ledger
    from ledger.store.requests.case_holds import CaseHold
    from ledger.vocabulary import Millis, PlayerId


class PeopleCommand(NamingCommand):
    """`people`: a verb's former name gets an error with the new one."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the arguments. Refuse the former name of a verb."""
        for verb in args[:1]:
            if verb in _VERB_BY_FORMER_NAME:
                name = _VERB_BY_FORMER_NAME[verb]
                raise UsageError(f"`people {verb}` is now `people {name}`", f"Try: handledger people {name} NAME")
        return super().parse_args(ctx, args)


CLASS: Final = PeopleCommand

_NAME_COUNTS = {
    "list": (0, 1),
    "merge": (2, 2),
    "unmerge": (2, 2),
    "hold": (1, 1),
    "release": (1, 1),
    "forget": (1, 1),
    "key": (0, 0),
}
_VERB_BY_FORMER_NAME: Final = {"part": "unmerge", "erase": "forget"}

_DAY = 24 * 60 * 60 * 1000


Reason = Annotated[
    Literal["case", "law", "retention", "other"],
    typer.Option("--reason", help="For `hold`: why nobody may forget the person."),
]
Days = Annotated[int | None, typer.Option("--days", min=1, help="For `hold`: how long. Default: until you release it.")]
Basis = Annotated[
    Literal["request", "retention", "court", "other"], typer.Option("--basis", help="For `forget`: the legal ground.")
]
PersonRole = Annotated[
    Literal["manager", "shift-manager", "floor", "surveillance", "auditor", "unknown"],
    typer.Option("--by", help="Your role."),
]
TakeOut = Annotated[
    bool, typer.Option("--take-out", help="For `key`: move it out of a ledger made by an earlier version.")
]


def command(
    action: Annotated[
        Literal["list", "merge", "unmerge", "hold", "release", "forget", "key"],
        typer.Argument(metavar="[list|merge|unmerge|hold|release|forget|key]", help="What to do."),
    ] = "list",
    name_text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="who...", help="A name, venue/name, or the beginning of an id. merge and unmerge take two."
        ),
    ] = None,
    *,
    reason_text: Annotated[str, typer.Option("--why", help="The reason, recorded in the house's record.")] = "",
    reason: Reason = "case",
    days: Days = None,
    basis: Basis = "request",
    role: PersonRole = "unknown",
    take_out: TakeOut = False,
    people_key: common_options.PeopleKey = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """List, merge, hold and forget people."""
    names = name_text or []
    min_names, max_names = _NAME_COUNTS[action]
    if not min_names <= len(names) <= max_names:
        raise UsageError(
            f"people {action} takes {min_names if min_names == max_names else f'{min_names} to {max_names}'} name{'s' * (max_names != 1)}, not {len(names)}",
            f"Put a name with spaces in quotes: handledger people {action} 'Bo Lee'" + " Ana" * (max_names > 1),
        )
    if take_out and action != "key":
        raise UsageError("--take-out is for people key")
    is_read_only = action == "list" or (action == "key" and not take_out)
    with ledger_options.open_ledger(url, read_only=is_read_only, people_key=people_key) as ledger:
        if action == "list":
            document = _build_list(ledger, names[0] if names else "")
        elif action == "key":
            document = key_notes.move_key_out(ledger, people_key) if take_out else key_notes.describe_key(ledger)
        else:
            people = [find_person(ledger, name) for name in names]
            names_by_person = {person: ledger.people.find_person(person) or ("", "") for person in people}
            done_text = _change_people(ledger, action, people, reason_text, reason, days, basis, role)
            if action == "forget":
                document = PeopleDocument(
                    done=done_text, people=[], beyond=ledger.unreached, notes=key_notes.list_guessable(ledger)
                )
            else:
                document = PeopleDocument(done=done_text, people=_describe_people(ledger, names_by_person))
    if format_ == "json":
        console.write_document(document, file)
    else:
        console.write_text(format_people(document), file)


def _build_list(ledger: Ledger, name_part: str) -> PeopleDocument:
    """Return the list of people, with names that look alike and a warning if the key is in the ledger."""
    matches = list_people(ledger, name_part)
    return PeopleDocument(
        done="",
        people=matches,
        alike=lookalike_groups(match.name for match in matches),
        notes=key_notes.warn_of_inner_key(ledger),
    )


def _describe_people(ledger: Ledger, names_by_person: dict[PlayerId, tuple[str, str]]) -> list[PersonEntry]:
    """Return people as they are now. `names_by_person`: venue and name, read before the command."""
    facts, current_time, held_by_case = _list_people_events(ledger), ledger.now(), _find_case_holds(ledger)
    return [
        _describe_person(person, venue, name, facts, current_time, held_by_case)
        for person, (venue, name) in names_by_person.items()
    ]


def list_people(ledger: Ledger, name_part: str) -> list[PersonEntry]:
    """Return the people whose name contains `name_part`, or whose id begins with it."""
    with ledger.database.reading() as link:
        all_names = list(ledger.people.all_names(link))
    facts = _list_people_events(ledger)
    current_time, held_by_case = ledger.now(), _find_case_holds(ledger)
    return [
        _describe_person(player, venue, name, facts, current_time, held_by_case)
        for player, venue, name in all_names
        if name_part in name or player.startswith(name_part)
    ]


def _list_people_events(ledger: Ledger) -> list[Event]:
    """Return the house's events about people."""
    from ledger.house.events import PeopleMerged, PeopleParted, PersonHeld
    from ledger.streams import HOUSE

    kinds = (PeopleMerged, PeopleParted, PersonHeld)
    return [entry.event for entry in ledger.entries_of_types(HOUSE, *kinds)]


def _find_case_holds(ledger: Ledger) -> dict[PlayerId, CaseHold]:
    from ledger.store.requests.case_holds import find_held_people

    return find_held_people(ledger)


def _describe_person(
    player: PlayerId,
    venue: str,
    name: str,
    facts: list[Event],
    current_time: Millis,
    held_by_case: dict[PlayerId, CaseHold],
) -> PersonEntry:
    from ledger.store.requests import erasure

    other_ids = [other_id for other_id in erasure.same_people(facts, player) if other_id != player]
    hold = erasure.find_person_hold(facts, [player, *other_ids], current_time)
    case_hold = next((held_by_case[other_id] for other_id in (player, *other_ids) if other_id in held_by_case), None)
    reason, held_until, case_number = "", None, ""
    if case_hold is not None:
        reason, held_until, case_number = f"case {case_hold.case}", case_hold.hold.until, case_hold.case
    if hold is not None:
        reason, held_until = str(hold.reason), hold.until
    return PersonEntry(
        id=player, venue=venue, name=name, same=other_ids, held=reason, until=held_until, case=case_number
    )


def _change_people(
    ledger: Ledger,
    verb: str,
    people: list[PlayerId],
    explanation: str,
    reason: Reason,
    days: int | None,
    basis: Basis,
    role: PersonRole,
) -> str:
    """Merge, unmerge, hold, release or forget people; return what was done."""
    from ledger.entry import Provenance
    from ledger.house.events import PeopleMerged, PeopleParted, PersonHeld
    from ledger.streams import HOUSE

    if verb == "forget":
        erased_ids = erase(ledger, people[0], role=role, basis=basis)
        others_text = f" and {len(erased_ids) - 1} other ids of the same person" if len(erased_ids) > 1 else ""
        return f"{erased_ids[0]} is forgotten{others_text}: no name is left in this ledger"
    note = ledger.people.text(explanation) if explanation else ""
    event: Event
    if verb in ("merge", "unmerge"):
        if not explanation:
            raise UsageError(f"people {verb} needs a reason", "Say it with --why.")
        if people[0] == people[1]:
            raise UsageError("these are the same id already")
        event_type = PeopleMerged if verb == "merge" else PeopleParted
        event = event_type(people[0], people[1], role, note)
        outcome = f"{people[0]} and {people[1]} are {'one person' if verb == 'merge' else 'two people again'}"
    elif verb == "release":
        return _release_person(ledger, people[0])
    else:
        held_until: Millis | None = None if days is None else ledger.now() + days * _DAY
        event = PersonHeld(people[0], reason, held_until)
        outcome = f"{_name_person(ledger, people[0])} is held{_name_end(held_until)} ({reason})"
    ledger.append("house", HOUSE, [event], recorded=Provenance(ledger.now(), writer="people"))
    return outcome


def _release_person(ledger: Ledger, person: PlayerId) -> str:
    """End every hold on a person, whatever its reason; return what was done. Holds of cases stay."""
    from ledger.entry import Provenance
    from ledger.house.events import PersonHeld
    from ledger.store.requests import erasure
    from ledger.streams import HOUSE

    facts, held_by_case = _list_people_events(ledger), _find_case_holds(ledger)
    same_people = erasure.same_people(facts, person)
    name = _name_person(ledger, person)
    case = next((held_by_case[other_id].case for other_id in same_people if other_id in held_by_case), None)
    still_held = "" if case is None else f"Case {case} still holds this person's data; `case lift` ends that."
    holds = erasure.list_person_holds(facts, same_people, ledger.now())
    if not holds:
        raise NothingFoundError(f"{name} has no hold to release", still_held)
    events = [PersonHeld(hold.person, hold.reason, None, lifted=True) for hold in holds]
    ledger.append("house", HOUSE, events, recorded=Provenance(ledger.now(), writer="people"))
    return f"{name} is released. {still_held}".rstrip()


def _name_person(ledger: Ledger, person: PlayerId) -> str:
    """Return the name of a person with the id, or the id alone."""
    name = ledger.people.name(person)
    return person if name is None else f"{safe.name(name, 60)} ({person})"


def _name_end(held_until: Millis | None) -> str:
    """Return the day on which a hold ends, in UTC; "" if it has no end."""
    return "" if held_until is None else f" until {day_options.format_minute(held_until)[:10]}"


def _describe_holds(person: PersonEntry) -> str:
    """Return who holds a person's data and until when; "" if nobody does."""
    is_held_by_case = bool(person.case)
    is_held_itself = bool(person.held) and person.held != f"case {person.case}"
    parts = [f"held{_name_end(person.until)} ({safe.terminal(person.held, 60)})"] if is_held_itself else []
    parts += [f"held by case {safe.terminal(person.case, 60)}"] if is_held_by_case else []
    return "; ".join(parts)


def format_people(document: PeopleDocument) -> str:
    """Return people as text."""
    lines = [console.format_item("", safe.terminal(document.done, 300))] if document.done else []
    lines += [console.format_item("!", f"not reached: {safe.terminal(person, 600)}") for person in document.beyond]
    for person in document.people if not document.done else []:
        held_text = f"  {holds_text}" if (holds_text := _describe_holds(person)) else ""
        same_text = f"  same as {', '.join(person.same)}" if person.same else ""
        lines.append(
            f"{person.id}  {safe.fit(safe.name(person.name, 30), 30)}  {safe.terminal(person.venue, 40)}{same_text}{held_text}"
        )
    lines += warn_of_look_alikes(document.alike)
    if not document.done and not document.people:
        lines.append("nobody")
    lines += [console.format_item("!", safe.terminal(note, 400)) for note in document.notes]
    return "\n".join(lines)
