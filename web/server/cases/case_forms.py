"""Define the forms of cases: their fields, and the events that they make (`projections.cases.case_commands`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, get_args

from ledger.case import case_errors
from ledger.case.events import Awaited, CaseOutcome, CaseSubject, EvidenceKind, HoldTarget
from ledger.vocabulary import Role
from projections.addresses.address_grammar import split_addresses
from projections.cases import case_commands
from projections.cases.case_event_text import OUTCOME_LABELS, format_time, name_awaited

if TYPE_CHECKING:
    from ledger.event import Event
    from projections.cases.case_commands import CaseEdit
    from projections.cases.case_documents import CaseDocument
    from web.server.documents import CaseSeat, Citable
    from web.server.submissions import Submission

Kind: TypeAlias = Literal["text", "area", "choice", "number", "time", "day", "check", "file", "payments", "events"]


class Ask(NamedTuple):
    """A field of a form: its name, label, kind and choices."""

    name: str
    label: str
    kind: Kind = "text"
    choices: Sequence[tuple[str, str]] = ()
    is_required: bool = False
    initial_value: str = ""  # the value of the empty form
    help: str = ""


class Form(NamedTuple):
    """A form: its texts and fields, the statuses of a case that allow it, and the events that it makes."""

    name: str
    title: str
    button: str
    asks: Sequence[Ask]
    make_events: Callable[[CaseEdit, Submission], Sequence[Event]]
    success_text: str
    statuses: frozenset[str] = frozenset({"open", "decided", "appealed"})


PAYMENTS: Final = 6
"""Rows of payments in a form. A refused form with more rows keeps them."""


def _list_word_choices(literal: object, **labels: str) -> list[tuple[str, str]]:
    """Return the words of a literal type with their labels."""
    return [(word, labels.get(word.replace("-", "_"), word.replace("-", " "))) for word in get_args(literal)]


_ROLES: Final = [choice for choice in _list_word_choices(Role, unknown="not said") if choice[0] != "software"]
_ASK_ROLE: Final = Ask("by", "Said by", "choice", _ROLES, initial_value="player")
_NO_ZONE: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?", re.ASCII)
"""How a browser's time field writes a time."""
_ASK_STAFF_ROLE: Final = Ask("by", "In what role", "choice", _ROLES, initial_value="floor")
_ASK_PERSON: Final = Ask("person", "Name", help="Optional: the role is enough.")
_ASK_REASON: Final = Ask("why", "Why", "area", is_required=True)
_ASK_HELD_KIND: Final = Ask("what", "What", "choice", _list_word_choices(HoldTarget, source="a file that was imported"))
_ASK_HELD_TARGET: Final = Ask(
    "target", "Which", is_required=True, help="A hand's number, a table, a name, or a file's name."
)


def _take_statement(edit: CaseEdit, submission: Submission) -> Sequence[Event]:
    return case_commands.take_statement(
        edit,
        submission.get_text("words"),
        _require_listed_word(submission, "by", Role),
        submission.get_text("person"),
        _seat(submission),
    )


def _convert_to_utc(time_text: str) -> str | None:
    """Return a time from a form as UTC. The form asks for UTC, and its field holds no zone."""
    return f"{time_text}Z" if _NO_ZONE.fullmatch(time_text) else time_text or None


def _attach(edit: CaseEdit, submission: Submission) -> Sequence[Event]:
    evidence = case_commands.CaseEvidence(
        _require_listed_word(submission, "kind", EvidenceKind),
        submission.get_text("digest"),
        submission.get_text("label"),
        submission.get_text("camera"),
        _convert_to_utc(submission.get_text("from")),
        _convert_to_utc(submission.get_text("to")),
        submission.get_text("kept-until") or None,
    )
    return case_commands.attach_evidence(edit, evidence)


def _make_ruling(edit: CaseEdit, submission: Submission) -> Sequence[Event]:
    parties, amounts = submission.list_texts("pay-who"), submission.list_texts("pay-amount")
    payments = []
    for party, amount in zip(parties, amounts, strict=False):
        if bool(party) != bool(amount):
            raise case_errors.half_payment()
        if party:
            payments.append((party, amount))
    decision = case_commands.CaseDecision(
        submission.get_text("decision"),
        _require_listed_word(submission, "by", Role),
        submission.get_text("person"),
        submission.get_text("clause"),
        submission.get_text("book") if submission.get_text("clause") else "",
        payments,
        bool(submission.get_text("house-pays")),
    )
    return case_commands.make_ruling(edit, decision)


def _void_events(edit: CaseEdit, submission: Submission) -> Sequence[Event]:
    event_numbers = [_number(text) for text in submission.list_texts("events")]
    return case_commands.void_events(
        edit,
        event_numbers,
        submission.get_text("why"),
        _require_listed_word(submission, "by", Role, "unknown"),
        submission.get_text("person"),
    )


def list_book_choices(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the rulebooks to choose from, after "none"."""
    return [("", "none"), *((name, name) for name in names)]


FORMS: Final[dict[str, Form]] = {
    form.name: form
    for form in (
        Form(
            "statement",
            "Take a statement",
            "Record the statement",
            [
                Ask("words", "What they say", "area", is_required=True),
                _ASK_ROLE,
                _ASK_PERSON,
                Ask("seat", "Seat", "number", help="If they had one."),
            ],
            _take_statement,
            "The statement was recorded.",
        ),
        Form(
            "remark",
            "Add a remark",
            "Add the remark",
            [
                Ask(
                    "words",
                    "Remark",
                    "area",
                    is_required=True,
                    help="Your own note about the case. It isn't anybody's statement.",
                )
            ],
            lambda case_edit, submission: case_commands.add_remark(case_edit, submission.get_text("words")),
            "The remark was added.",
        ),
        Form(
            "cite",
            "Cite a finding",
            "Cite it",
            [Ask("finding", "Finding", "choice", is_required=True)],
            lambda case_edit, submission: case_commands.cite_finding(
                case_edit, submission.get_text("finding"), [book for book in submission.list_texts("book") if book]
            ),
            "The finding was cited.",
        ),
        Form(
            "attach",
            "Attach evidence",
            "Attach it",
            [
                Ask("kind", "What it is", "choice", _list_word_choices(EvidenceKind), initial_value="video"),
                Ask("label", "Its name, and where it is kept"),
                Ask("file", "File", "file", help="Only its SHA-256 is recorded, so keep the file."),
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
            [
                Ask(
                    "hands",
                    "Hand",
                    is_required=True,
                    help="Its address: T7/408, or T7/408@17-20 for some of its events.",
                )
            ],
            lambda case_edit, submission: case_commands.link_hands(
                case_edit, split_addresses(submission.get_text("hands"))
            ),
            "The hand was added.",
        ),
        Form(
            "rule",
            "Rule",
            "Make the ruling",
            [
                Ask("decision", "Decision", "area", is_required=True),
                _ASK_STAFF_ROLE,
                _ASK_PERSON,
                Ask("book", "Rulebook", "choice"),
                Ask("clause", "Clause", help="Its number on the page Rules: B15a.1"),
                Ask(
                    "pay",
                    "Payments",
                    "payments",
                    help="15 for a player who receives, -15 for one who pays. All must add up to zero.",
                ),
                Ask("house-pays", "The house pays or takes the difference", "check"),
            ],
            _make_ruling,
            "The ruling was made.",
            frozenset({"open", "appealed"}),
        ),
        Form(
            "appeal",
            "Appeal",
            "Record the appeal",
            [
                _ASK_ROLE,
                _ASK_PERSON,
                Ask(
                    "to", "To which office", help="The manager, the board. Never a person's name: it can't be removed."
                ),
            ],
            lambda case_edit, submission: case_commands.appeal_ruling(
                case_edit,
                _require_listed_word(submission, "by", Role),
                submission.get_text("person"),
                submission.get_text("to"),
            ),
            "The appeal was recorded. The case waits for another ruling.",
            frozenset({"decided"}),
        ),
        Form(
            "close",
            "Close the case",
            "Close it",
            [
                Ask(
                    "outcome",
                    "Outcome of the claim",
                    "choice",
                    _list_word_choices(CaseOutcome, **{k.replace("-", "_"): v for k, v in OUTCOME_LABELS.items()}),
                )
            ],
            lambda case_edit, submission: case_commands.close_case(
                case_edit, _require_listed_word(submission, "outcome", CaseOutcome)
            ),
            "The case is closed.",
        ),
        Form(
            "reopen",
            "Reopen the case",
            "Reopen it",
            [_ASK_REASON],
            lambda case_edit, submission: case_commands.reopen_case(case_edit, submission.get_text("why")),
            "The case is open again.",
            frozenset({"closed"}),
        ),
        Form(
            "due",
            "Set a deadline",
            "Set it",
            [
                Ask("what", "What", "choice", _list_word_choices(Awaited, notice="a notice to the regulator")),
                Ask("time", "By which day", "day"),
                Ask("days", "Or in how many days", "number"),
            ],
            lambda case_edit, submission: case_commands.set_deadline(
                case_edit,
                submission.get_text("time") or None,
                _read_days(submission),
                _require_listed_word(submission, "what", Awaited),
            ),
            "The deadline was set.",
        ),
        Form(
            "assign",
            "Assign the case",
            "Assign it",
            [Ask("person", "Name", is_required=True), _ASK_STAFF_ROLE],
            lambda case_edit, submission: case_commands.assign_person(
                case_edit, _require_text(submission, "person"), _require_listed_word(submission, "by", Role)
            ),
            "The case was assigned.",
        ),
        Form(
            "notify",
            "Record that a regulator was notified",
            "Record it",
            [
                Ask(
                    "authority",
                    "Regulator",
                    is_required=True,
                    help="The office. Never a person's name: it can't be removed.",
                ),
                Ask("reference", "Their reference"),
            ],
            lambda case_edit, submission: case_commands.record_notice(
                case_edit, submission.get_text("authority"), submission.get_text("reference")
            ),
            "The notice was recorded; nothing was sent.",
        ),
        Form(
            "hold",
            "Hold names",
            "Hold them",
            [_ASK_HELD_KIND, _ASK_HELD_TARGET, Ask("until", "Until", "day", help="Empty: until the case is closed.")],
            lambda case_edit, submission: case_commands.place_hold(
                case_edit,
                _require_listed_word(submission, "what", HoldTarget),
                _require_text(submission, "target"),
                submission.get_text("until") or None,
                None,
            ),
            "The hold is in force: nobody can forget these names.",
        ),
        Form(
            "lift",
            "End a hold",
            "End it",
            [_ASK_HELD_KIND, _ASK_HELD_TARGET],
            lambda case_edit, submission: case_commands.lift_hold(
                case_edit, _require_listed_word(submission, "what", HoldTarget), _require_text(submission, "target")
            ),
            "The hold has ended.",
        ),
        Form(
            "void",
            "Void wrong entries",
            "Void them",
            [Ask("events", "Which", "events"), _ASK_REASON, _ASK_STAFF_ROLE, _ASK_PERSON],
            _void_events,
            "The entries are void. They stay visible.",
        ),
    )
}
"""Every form of an open case, in page order."""

OPENING_FORM: Final = Form(
    "open",
    "Open a case",
    "Open the case",
    [
        Ask("claim", "What is claimed", "area", is_required=True),
        _ASK_ROLE,
        _ASK_PERSON,
        Ask(
            "hands", "Hands", help="Addresses: T7/408, or T7/408@17-20 for some of its events. Put spaces between them."
        ),
        Ask("table", "Table", help="If you name no hand."),
        Ask("subject", "What it is about", "choice", _list_word_choices(CaseSubject), initial_value="other"),
        Ask("amount", "Amount in dispute", help="15 or 12.50"),
        Ask(
            "asked",
            "When the player asked",
            "choice",
            [("", "not said"), ("before", "before the next deal"), ("after", "after the next deal")],
        ),
        Ask("hold", "Keep the names of everybody in these hands from being forgotten", "check"),
        Ask("number", "Number of the case", help="Empty: the next number of this year."),
    ],
    lambda _case_edit, _submission: (),  # it adds no events to a case: `Casework.open` opens one
    "The case is open.",
)


def read_claim(submission: Submission) -> case_commands.CaseClaim:
    """Return the claim that opens a case."""
    return case_commands.CaseClaim(
        _require_text(submission, "claim"),
        _require_listed_word(submission, "by", Role),
        submission.get_text("person"),
        _require_listed_word(submission, "subject", CaseSubject, "other"),
        submission.get_text("amount"),
        submission.get_text("venue"),
        submission.get_text("table"),
        {"before": True, "after": False}.get(submission.get_text("asked")),
        bool(submission.get_text("hold")),
        submission.get_text("number"),
    )


def list_forms(case: CaseDocument) -> list[Form]:
    """Return the forms that the status of a case allows."""
    return [form for form in FORMS.values() if case.status in form.statuses]


_LABELS_BY_FIELD: Final = {
    ask.name: ask.label for form in (*FORMS.values(), OPENING_FORM) for ask in form.asks if ask.name != "what"
}


def quote_label(word: str) -> str:
    """Return the label of a form's field in quotes."""
    return f"“{_LABELS_BY_FIELD.get(word, word)}”"


def _require_listed_word(submission: Submission, name: str, literal: object, default: str = "") -> Any:  # noqa: ANN401 - a word of the list
    word = submission.get_text(name) if name in submission.fields else default
    if word not in get_args(literal):
        raise case_errors.not_in_list(quote_label(name), word)
    return word


def _require_text(submission: Submission, name: str) -> str:
    text = submission.get_text(name)
    if not text:
        raise case_errors.empty_field(quote_label(name))
    return text


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise case_errors.bad_field_number(text)
    return int(text)


def _seat(submission: Submission) -> int | None:
    return _number(submission.get_text("seat")) if submission.get_text("seat") else None


def _read_days(submission: Submission) -> int | None:
    if not submission.get_text("days"):
        return None
    days = _number(submission.get_text("days"))
    if not days:
        raise case_errors.no_days()
    return days


def list_citable_choices(findings: list[Citable]) -> list[tuple[str, str]]:
    """Return the findings to choose from when citing."""
    return [
        (finding.fingerprint, f"{finding.book} {finding.clause}, {finding.hand}: {finding.saw}") for finding in findings
    ]


def list_party_choices(seats: list[CaseSeat], chosen_party: str) -> list[tuple[str, str]]:
    """Return the parties of a payment to choose from. `chosen_party`: the earlier choice, which stays in the list."""
    choices = [(str(seat.seat), f"seat {seat.seat} {seat.player}".rstrip()) for seat in seats]
    choices.append(("house", "the house"))
    return choices if not chosen_party or chosen_party in dict(choices) else [*choices, (chosen_party, chosen_party)]


TEMPLATE_GLOBALS: Final[dict[str, object]] = {
    "forms": FORMS,
    "citable_choices": list_citable_choices,
    "party_choices": list_party_choices,
    "opening": OPENING_FORM,
    "book_choices": list_book_choices,
    "rows_of_payments": PAYMENTS,
    "due_word": name_awaited,
    "moment": format_time,
    "outcomes": OUTCOME_LABELS,
}
"""What templates use from this module."""
