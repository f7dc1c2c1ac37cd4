"""The forms in which cases are worked: what each asks for, and what it does (`projections.cases.case_commands`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, get_args

from ledger.case.events import Awaited, CaseOutcome, CaseSubject, EvidenceKind, Held
from ledger.errors import UsageError
from ledger.vocabulary import Role
from projections.addresses.address_grammar import split_addresses
from projections.cases import case_commands
from projections.cases.case_event_text import OUTCOME_LABELS, format_time, name_awaited

if TYPE_CHECKING:
    from ledger.event import Event
    from projections.cases.case_commands import CaseEdit
    from projections.cases.case_documents import CaseDocument
    from web.server.documents import CaseSeat, Citable
    from web.server.taking import Taken

Kind: TypeAlias = Literal["text", "area", "choice", "number", "time", "day", "check", "file", "payments", "events"]


class Ask(NamedTuple):
    """Something that a form asks for: under which name, called what, how, and what may be said."""

    name: str
    label: str
    kind: Kind = "text"
    choices: Sequence[tuple[str, str]] = ()
    needed: bool = False
    first: str = ""  # what stands there before anybody said anything
    help: str = ""


class Form(NamedTuple):
    """A form: what it is called, what its button says, what it asks, when it may be filled in, what it does."""

    name: str
    title: str
    button: str
    asks: Sequence[Ask]
    deed: Callable[[CaseEdit, Taken], Sequence[Event]]
    done: str
    statuses: frozenset[str] = frozenset({"open", "decided", "appealed"})


PAYMENTS: Final = 6
"""Rows of payments in a form; a form that was sent with more keeps them."""


def _words(values: object, **others: str) -> list[tuple[str, str]]:
    """Return the words of a closed list with what people call them."""
    return [(one, others.get(one.replace("-", "_"), one.replace("-", " "))) for one in get_args(values)]


_ROLES: Final = [one for one in _words(Role, unknown="not said") if one[0] != "software"]
_BY: Final = Ask("by", "Said by", "choice", _ROLES, first="player")
_NO_ZONE: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?", re.ASCII)
"""How the field of a form writes a time."""
_STAFF: Final = Ask("by", "In what role", "choice", _ROLES, first="floor")
_PERSON: Final = Ask("person", "Name", help="The role is kept anyway.")
_WHY: Final = Ask("why", "Why", "area", needed=True)
_HELD: Final = Ask("what", "What", "choice", _words(Held, source="a file that was imported"))
_TARGET: Final = Ask("target", "Which", needed=True, help="A hand's number, a table, a name, or a file's name.")


def _statement(at: CaseEdit, said: Taken) -> Sequence[Event]:
    return case_commands.take_statement(
        at, said.one("words"), _one_of(said, "by", Role), said.one("person"), _seat(said)
    )


def _utc(told: str) -> str | None:
    """Return a time of a form, which asks for UTC and whose field gives no zone."""
    return f"{told}Z" if _NO_ZONE.fullmatch(told) else told or None


def _attach(at: CaseEdit, said: Taken) -> Sequence[Event]:
    told = case_commands.CaseEvidence(
        _one_of(said, "kind", EvidenceKind),
        said.one("digest"),
        said.one("label"),
        said.one("camera"),
        _utc(said.one("from")),
        _utc(said.one("to")),
        said.one("kept-until") or None,
    )
    return case_commands.attach_evidence(at, told)


def _rule(at: CaseEdit, said: Taken) -> Sequence[Event]:
    parties, amounts = said.every("pay-who"), said.every("pay-amount")
    payments = []
    for party, amount in zip(parties, amounts, strict=False):
        if bool(party) != bool(amount):
            raise UsageError("a payment needs both who and how much", "Fill in the other half of the row, or empty it.")
        if party:
            payments.append((party, amount))
    told = case_commands.CaseDecision(
        said.one("decision"),
        _one_of(said, "by", Role),
        said.one("person"),
        said.one("clause"),
        said.one("book") if said.one("clause") else "",
        payments,
        bool(said.one("house-pays")),
    )
    return case_commands.make_ruling(at, told)


def _void(at: CaseEdit, said: Taken) -> Sequence[Event]:
    events = [_number(one, "event") for one in said.every("events")]
    return case_commands.void_events(
        at, events, said.one("why"), _one_of(said, "by", Role, "unknown"), said.one("person")
    )


def books(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the rulebooks that may be named, none first."""
    return [("", "none"), *((name, name) for name in names)]


FORMS: Final[dict[str, Form]] = {
    form.name: form
    for form in (
        Form(
            "statement",
            "Take a statement",
            "Write it down",
            [
                Ask("words", "What they say", "area", needed=True),
                _BY,
                _PERSON,
                Ask("seat", "Seat", "number", help="Where they sat, if they did."),
            ],
            _statement,
            "The statement was taken.",
        ),
        Form(
            "remark",
            "Note a remark",
            "Note it",
            [Ask("words", "Remark", "area", needed=True, help="Of whoever keeps the case, and nobody's statement.")],
            lambda at, said: case_commands.add_remark(at, said.one("words")),
            "The remark was noted.",
        ),
        Form(
            "cite",
            "Cite a finding",
            "Cite it",
            [Ask("finding", "Finding", "choice", needed=True)],
            lambda at, said: case_commands.cite_finding(
                at, said.one("finding"), [one for one in said.every("book") if one]
            ),
            "The finding was cited.",
        ),
        Form(
            "attach",
            "Attach evidence",
            "Attach it",
            [
                Ask("kind", "What it is", "choice", _words(EvidenceKind), first="video"),
                Ask("label", "What to call it, and where it is kept"),
                Ask(
                    "file",
                    "File",
                    "file",
                    help="Its fingerprint is written down. The file itself is not kept: keep it.",
                ),
                Ask("camera", "Camera"),
                Ask("from", "Recording begins (UTC)", "time"),
                Ask("to", "Recording ends (UTC)", "time"),
                Ask("kept-until", "Kept until", "day", help="When it will be overwritten or destroyed."),
            ],
            _attach,
            "The evidence was attached.",
        ),
        Form(
            "link",
            "Add a hand",
            "Add it",
            [Ask("hands", "Hand", needed=True, help="Its address: T7/408; or T7/408@17-20 for these events of it.")],
            lambda at, said: case_commands.link_hands(at, split_addresses(said.one("hands"))),
            "The hand was added.",
        ),
        Form(
            "rule",
            "Rule",
            "Make the ruling",
            [
                Ask("decision", "Decision", "area", needed=True),
                _STAFF,
                _PERSON,
                Ask("book", "Rulebook", "choice"),
                Ask("clause", "Clause", help="As the Rules page numbers it: B15a.1"),
                Ask("pay", "Payments", "payments", help="Who receives: 15. Who pays: -15. They must add up to zero."),
                Ask("house-pays", "The house pays, or takes, what is left over", "check"),
            ],
            _rule,
            "The ruling was made.",
            frozenset({"open", "appealed"}),
        ),
        Form(
            "appeal",
            "Appeal",
            "Write it down",
            [
                _BY,
                _PERSON,
                Ask("to", "To which office", help="The manager, the board. No name: it could never be erased."),
            ],
            lambda at, said: case_commands.appeal_ruling(
                at, _one_of(said, "by", Role), said.one("person"), said.one("to")
            ),
            "The appeal was written down: the case waits for another ruling.",
            frozenset({"decided"}),
        ),
        Form(
            "close",
            "Close the case",
            "Close it",
            [
                Ask(
                    "outcome",
                    "What became of the claim",
                    "choice",
                    _words(CaseOutcome, **{k.replace("-", "_"): v for k, v in OUTCOME_LABELS.items()}),
                )
            ],
            lambda at, said: case_commands.close_case(at, _one_of(said, "outcome", CaseOutcome)),
            "The case is closed.",
        ),
        Form(
            "reopen",
            "Take the case up again",
            "Take it up again",
            [_WHY],
            lambda at, said: case_commands.reopen_case(at, said.one("why")),
            "The case was taken up again.",
            frozenset({"closed"}),
        ),
        Form(
            "due",
            "Set what is due",
            "Set it",
            [
                Ask("what", "What", "choice", _words(Awaited, notice="a notice to the regulator")),
                Ask("time", "By which day", "day"),
                Ask("days", "Or in how many days", "number"),
            ],
            lambda at, said: case_commands.set_deadline(
                at, said.one("time") or None, _days(said), _one_of(said, "what", Awaited)
            ),
            "It is noted what is due.",
        ),
        Form(
            "assign",
            "Say who works on it",
            "Write it down",
            [Ask("person", "Name", needed=True), _STAFF],
            lambda at, said: case_commands.assign_person(at, _needed(said, "person"), _one_of(said, "by", Role)),
            "It is noted who works on it.",
        ),
        Form(
            "notify",
            "Note that a regulator was told",
            "Note it",
            [
                Ask("authority", "Which authority", needed=True, help="An office. No name: it could never be erased."),
                Ask("reference", "Their reference"),
            ],
            lambda at, said: case_commands.record_notice(at, said.one("authority"), said.one("reference")),
            "It is noted that the regulator was told; nothing was sent to anybody.",
        ),
        Form(
            "hold",
            "Keep from being erased",
            "Keep it",
            [_HELD, _TARGET, Ask("until", "Until", "day", help="Left empty: as long as the case lasts.")],
            lambda at, said: case_commands.place_hold(
                at, _one_of(said, "what", Held), _needed(said, "target"), said.one("until") or None, None
            ),
            "It is kept from being erased.",
        ),
        Form(
            "lift",
            "End a hold",
            "End it",
            [_HELD, _TARGET],
            lambda at, said: case_commands.lift_hold(at, _one_of(said, "what", Held), _needed(said, "target")),
            "The hold has ended.",
        ),
        Form(
            "void",
            "Void what was written down wrongly",
            "Void it",
            [Ask("events", "Which", "events"), _WHY, _STAFF, _PERSON],
            _void,
            "It no longer holds, and stays to be seen.",
        ),
    )
}
"""Every form of a case that is there, in the order of the page."""

OPENING: Final = Form(
    "open",
    "Open a case",
    "Open the case",
    [
        Ask("claim", "What is claimed", "area", needed=True),
        _BY,
        _PERSON,
        Ask(
            "hands",
            "Hands",
            help="Addresses of hands: T7/408, or T7/408@17-20 for these events of it; several with blanks.",
        ),
        Ask("table", "Table", help="Where no hand is named."),
        Ask("subject", "What it is about", "choice", _words(CaseSubject), first="other"),
        Ask("amount", "Amount in dispute", help="15 or 12.50"),
        Ask(
            "asked",
            "When it was asked",
            "choice",
            [("", "not said"), ("before", "before the next deal"), ("after", "after the next deal")],
        ),
        Ask("hold", "Keep whoever sat in these hands from being erased", "check"),
        Ask("number", "Number of the case", help="Left empty: the next of this year."),
    ],
    lambda _at, _said: (),  # what it does is no addition: `opened`
    "The case is open.",
)


def claim(said: Taken) -> case_commands.CaseClaim:
    """Return what a case is opened with."""
    return case_commands.CaseClaim(
        _needed(said, "claim"),
        _one_of(said, "by", Role),
        said.one("person"),
        _one_of(said, "subject", CaseSubject, "other"),
        said.one("amount"),
        said.one("venue"),
        said.one("table"),
        {"before": True, "after": False}.get(said.one("asked")),
        bool(said.one("hold")),
        said.one("number"),
    )


def offered(case: CaseDocument) -> list[Form]:
    """Return the forms that may be filled in as a case stands."""
    return [form for form in FORMS.values() if case.status in form.statuses]


_LABELS: Final = {ask.name: ask.label for form in (*FORMS.values(), OPENING) for ask in form.asks if ask.name != "what"}


def named(word: str) -> str:
    """Return what a thing that can be said of a case is called in a form."""
    return f"“{_LABELS.get(word, word)}”"


def _one_of(said: Taken, name: str, values: object, first: str = "") -> Any:  # noqa: ANN401 - a word of the list
    told = said.one(name) if name in said.fields else first
    if told not in get_args(values):
        raise UsageError(f"{named(name)}: {told!r} is none of what may be said here", "Choose one from the list.")
    return told


def _needed(said: Taken, name: str) -> str:
    told = said.one(name)
    if not told:
        raise UsageError(f"{named(name)} is empty", "Fill it in.")
    return told


def _number(told: str, what: str) -> int:
    if not (told.isascii() and told.isdigit() and len(told) < 7):
        raise UsageError(
            f"{told!r} is no number of {'an event' if what == 'event' else f'a {what}'}", "Say a whole number."
        )
    return int(told)


def _seat(said: Taken) -> int | None:
    return _number(said.one("seat"), "seat") if said.one("seat") else None


def _days(said: Taken) -> int | None:
    if not said.one("days"):
        return None
    days = _number(said.one("days"), "day")
    if not days:
        raise UsageError("in no days is now", "Say 1 or more.")
    return days


def citable(found: list[Citable]) -> list[tuple[str, str]]:
    """Return the findings that may be cited, as a list to choose from."""
    return [
        (finding.fingerprint, f"{finding.book} {finding.clause}, {finding.hand}: {finding.saw}") for finding in found
    ]


def parties(seats: list[CaseSeat], chosen: str) -> list[tuple[str, str]]:
    """Return who may receive or pay, as a list to choose from; `chosen` was, though it may be nobody of these."""
    told = [(str(one.seat), f"seat {one.seat} {one.player}".rstrip()) for one in seats]
    told.append(("house", "the house"))
    return told if not chosen or chosen in dict(told) else [*told, (chosen, chosen)]


SHOWN: Final[dict[str, object]] = {
    "forms": FORMS,
    "citable": citable,
    "parties": parties,
    "opening": OPENING,
    "books_named": books,
    "rows_of_payments": PAYMENTS,
    "due_word": name_awaited,
    "moment": format_time,
    "outcomes": OUTCOME_LABELS,
}
"""What templates may call of it."""
