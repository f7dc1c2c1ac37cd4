"""`handledger people`: who is known, who is the same person, who may not be forgotten, who must be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from cli import opening, options, output
from cli import people_key as ids
from cli.documents import PeopleDocument, PersonTold
from cli.naming import NamingCommand
from cli.show import look_alikes
from ledger import safe
from ledger.alike import alike
from ledger.errors import UsageError
from ledger.store.erasing import erase
from projections.addresses.hand_address import find_person

if TYPE_CHECKING:
    from typer._click import Context

    from ledger.event import Event
    from ledger.store import Ledger
    from ledger.store.holds import Held
    from ledger.vocabulary import Millis, PlayerId


class PeopleCommand(NamingCommand):
    """`people`: its verbs are taken by the names that they had first as well."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the arguments; a first one of an earlier version is the verb that took its place."""
        first = [_FIRST.get(one, one) for one in args[:1]]
        return super().parse_args(ctx, [*first, *args[1:]])


CLASS: Final = PeopleCommand

_NUMBERS = {
    "list": (0, 1),
    "merge": (2, 2),
    "part": (2, 2),
    "hold": (1, 1),
    "release": (1, 1),
    "erase": (1, 1),
    "key": (0, 0),
}
_MEANT: Final[dict[str, str]] = {"unmerge": "part", "forget": "erase"}
"""How verbs are called within: their first names, which are taken as well."""

_FIRST: Final = {first: verb for verb, first in _MEANT.items()}

_DAY = 24 * 60 * 60 * 1000


Reason = Annotated[
    Literal["case", "law", "retention", "other"],
    typer.Option("--reason", help="Of a hold: why the person may not be forgotten."),
]
Days = Annotated[
    int | None, typer.Option("--days", min=1, help="Of a hold: how long. Without it: until it is released.")
]
Basis = Annotated[
    Literal["request", "retention", "court", "other"], typer.Option("--basis", help="Of forgetting: on what ground.")
]
By = Annotated[
    Literal["manager", "shift-manager", "floor", "surveillance", "auditor", "unknown"],
    typer.Option("--by", help="In what role you do it."),
]
TakeOut = Annotated[bool, typer.Option("--take-out", help="Of the key: move it out of a ledger of an earlier version.")]


def command(
    what: Annotated[
        Literal["list", "merge", "unmerge", "hold", "release", "forget", "key"],
        typer.Argument(metavar="[list|merge|unmerge|hold|release|forget|key]", help="What to do; none = list."),
    ] = "list",
    who: Annotated[
        list[str] | None,
        typer.Argument(help="A name, venue/name, or the beginning of an id; merge and unmerge take two."),
    ] = None,
    *,
    why: Annotated[str, typer.Option("--why", help="The reason, kept in the house's record.")] = "",
    reason: Reason = "case",
    days: Days = None,
    basis: Basis = "request",
    by: By = "unknown",
    take_out: TakeOut = False,
    people_key: options.PeopleKey = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """List people; say that two ids are one person; hold or release a person's data; forget a person.

    Forgetting takes the name out of the vault, of free texts and of the kept bytes of sources, for
    good, and in a copy that is put back where the list of the forgotten lies; what that does not reach is said; events, proofs and amounts stay as they are.
    Ids of players follow from a key that lies outside the ledger, by which a forgotten person is known
    again when another file comes. `people key` says where it is, and whether it is the right one.

    \b
    handledger people list Anna
    handledger people merge "Anna" "anna_78" --why "same passport"
    handledger people hold Anna --reason case --days 90
    handledger people forget Anna --basis request
    handledger people key
    """  # noqa: D301 - \b keeps the lines of the examples
    names = who or []
    verb = _MEANT.get(what, what)
    least, most = _NUMBERS[verb]
    if not least <= len(names) <= most:
        raise UsageError(
            f"people {what} takes {least if least == most else f'{least} to {most}'} name{'s' * (most != 1)}, not {len(names)}"
        )
    if take_out and verb != "key":
        raise UsageError("--take-out is for people key")
    reads = verb == "list" or (verb == "key" and not take_out)
    with opening.opened(url, read_only=reads, people_key=people_key) as ledger:
        if verb == "list":
            found = listed(ledger, names[0] if names else "")
            told = PeopleDocument(
                done="", people=found, alike=alike(one.name for one in found), notes=ids.within(ledger)
            )
        elif verb == "key":
            told = ids.taken(ledger, people_key) if take_out else ids.told(ledger)
        else:
            people = [find_person(ledger, name) for name in names]
            named = {person: ledger.people.who(person) or ("", "") for person in people}
            told = PeopleDocument(done=_do(ledger, verb, people, why, reason, days, basis, by), people=[])
            if verb == "erase":
                told.beyond, told.notes = ledger.beyond, ids.guessable(ledger)
            else:
                facts, now, cases = _facts(ledger), ledger.now(), _held_by_cases(ledger)
                told.people = [_told(one, *named[one], facts, now, cases) for one in people]
    if format_ == "json":
        output.document(told, file)
    else:
        output.put(text(told), file)


def listed(ledger: Ledger, part: str) -> list[PersonTold]:
    """Return everybody whose name or id holds `part`."""
    with ledger.database.reading() as link:
        everybody = list(ledger.people.all_names(link))
    facts = _facts(ledger)
    now, cases = ledger.now(), _held_by_cases(ledger)
    return [
        _told(player, venue, name, facts, now, cases)
        for player, venue, name in everybody
        if part in name or player.startswith(part)
    ]


def _facts(ledger: Ledger) -> list[Event]:
    """Return what the house says of people: read once, it is asked about each of them."""
    from ledger.house.events import PeopleMerged, PeopleParted, PersonHeld
    from ledger.streams import HOUSE

    kinds = (PeopleMerged, PeopleParted, PersonHeld)
    return [entry.event for entry in ledger.told(HOUSE, *kinds)]


def _held_by_cases(ledger: Ledger) -> dict[PlayerId, Held]:
    from ledger.store.holds import held

    return held(ledger)


def _told(
    player: PlayerId, venue: str, name: str, facts: list[Event], now: Millis, cases: dict[PlayerId, Held]
) -> PersonTold:
    from ledger.store import erasing

    same = [one for one in erasing.same_people(facts, player) if one != player]
    held = erasing.holding(facts, [player, *same], now)
    case = next((cases[one] for one in (player, *same) if one in cases), None)
    why: str = "" if case is None else f"case {case.case}"
    until = None if case is None else case.hold.until
    if held is not None:
        why, until = held.reason, held.until
    return PersonTold(id=player, venue=venue, name=name, same=same, held=why, until=until)


def _do(
    ledger: Ledger, what: str, people: list[PlayerId], why: str, reason: Reason, days: int | None, basis: Basis, by: By
) -> str:
    from ledger.entry import Recorded
    from ledger.house.events import PeopleMerged, PeopleParted, PersonHeld
    from ledger.streams import HOUSE

    if what == "erase":
        gone = erase(ledger, people[0], by=by, basis=basis)
        many = f" and {len(gone) - 1} other ids of the same person" if len(gone) > 1 else ""
        return f"{gone[0]} is forgotten{many}: no name is left in this ledger"
    note = ledger.people.text(why) if why else ""
    event: Event
    if what in ("merge", "part"):
        if not why:
            raise UsageError(f"people {what} needs a reason", "Say it with --why.")
        if people[0] == people[1]:
            raise UsageError("these are the same id already")
        kind = PeopleMerged if what == "merge" else PeopleParted
        event = kind(people[0], people[1], by, note)
        done = f"{people[0]} and {people[1]} are {'one person' if what == 'merge' else 'two people again'}"
    else:
        until: Millis | None = None if days is None else ledger.now() + days * _DAY
        event = PersonHeld(people[0], reason, until, lifted=what == "release")
        done = f"{people[0]} is {'held' if what == 'hold' else 'released'} ({reason})"
    ledger.append("house", HOUSE, [event], recorded=Recorded(ledger.now(), by="people"))
    return done


def text(told: PeopleDocument) -> str:
    """Return people for people."""
    lines = [output.item("", safe.terminal(told.done, 300))] if told.done else []
    lines += [output.item("!", f"not reached: {safe.terminal(one, 600)}") for one in told.beyond]
    for one in told.people if not told.done else []:
        held = f"  held ({safe.terminal(one.held, 60)})" if one.held else ""
        same = f"  same as {', '.join(one.same)}" if one.same else ""
        lines.append(f"{one.id}  {safe.fit(safe.name(one.name, 30), 30)}  {safe.terminal(one.venue, 40)}{same}{held}")
    lines += look_alikes(told.alike)
    if not told.done and not told.people:
        lines.append("nobody")
    lines += [output.item("!", safe.terminal(note, 400)) for note in told.notes]
    return "\n".join(lines)
