"""The verbs of `handledger case` that decide it: assign, notify, rule, appeal, close, reopen, void."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from cli.options import case_options as c
from cli.options import common_options
from ledger.case import case_errors
from ledger.vocabulary import Role


def assign(
    number: c.Number,
    person: Annotated[str, typer.Argument(help="The person who works on it.")],
    *,
    role: Annotated[Role, typer.Option("--as", help="Their role.")] = "floor",
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Record who works on the case."""
    from projections.cases import case_commands

    c.write_case(
        c.add_to_case(number, url, lambda case: case_commands.assign_person(case, person, role), "assigned"),
        format_,
        file,
    )


def notify(
    number: c.Number,
    authority: Annotated[str, typer.Argument(help="The regulator. Never a person's name: it can't be removed.")],
    *,
    reference: Annotated[str, typer.Option("--reference", help="The regulator's own reference.")] = "",
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Record that a regulator was notified; nothing is sent."""
    from projections.cases import case_commands

    activity = "noted that the regulator was told"
    c.write_case(
        c.add_to_case(number, url, lambda case: case_commands.record_notice(case, authority, reference), activity),
        format_,
        file,
    )


def rule(
    number: c.Number,
    *,
    decision: Annotated[str, typer.Option("--decision", metavar="TEXT", help="The decision.")],
    role: c.PartyRole,
    person: c.Person = "",
    clause: Annotated[str, typer.Option("--clause", metavar="CLAUSE", help="The clause it rests on.")] = "",
    book: Annotated[
        str,
        typer.Option(
            "--rulebook",
            "-r",
            metavar="BOOK",
            autocompletion=common_options.complete_books,
            help="The rulebook of the clause.",
        ),
    ] = "",
    pay: Annotated[
        list[str] | None,
        typer.Option(
            "--pay",
            metavar="SEAT=AMOUNT",
            help="A payment: 3=15 (seat 3 receives 15), 5=-15, house=-15, Kim=15. Repeatable; all payments add up to zero.",
        ),
    ] = None,
    house_pays: Annotated[bool, typer.Option("--house-pays", help="The house pays or takes the difference.")] = False,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Record the ruling, its clause, and the payments it orders."""
    from projections.cases import case_commands

    case_decision = case_commands.CaseDecision(
        decision, role, person, clause, book, [_parse_payment(payment) for payment in pay or []], house_pays
    )
    document = c.add_to_case(number, url, lambda case: case_commands.make_ruling(case, case_decision), "ruling made")
    c.write_case(document, format_, file)


def _parse_payment(option_value: str) -> tuple[str, str]:
    """Return who is paid, or pays, and how much."""
    party, equals_sign, amount = option_value.rpartition("=")
    if not equals_sign or not party:
        raise case_errors.bad_payment(option_value)
    return party, amount


def appeal(
    number: c.Number,
    *,
    role: c.PartyRole,
    person: c.Person = "",
    office: Annotated[
        str,
        typer.Option("--to", help="The office: the manager, the board. Never a person's name: it can't be removed."),
    ] = "",
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Record that someone appeals the ruling."""
    from projections.cases import case_commands

    c.write_case(
        c.add_to_case(number, url, lambda case: case_commands.appeal_ruling(case, role, person, office), "appealed"),
        format_,
        file,
    )


def close(
    number: c.Number,
    outcome: Annotated[c.CaseOutcome, typer.Argument(help="The outcome of the claim.")],
    *,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Close the case; only reopening it can follow."""
    from projections.cases import case_commands

    c.write_case(
        c.add_to_case(number, url, lambda case: case_commands.close_case(case, outcome), "closed"), format_, file
    )


def reopen(
    number: c.Number,
    *,
    reason: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason.")],
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Reopen a closed case."""
    from projections.cases import case_commands

    c.write_case(
        c.add_to_case(number, url, lambda case: case_commands.reopen_case(case, reason), "reopened"), format_, file
    )


def void(
    number: c.Number,
    events: Annotated[
        list[int], typer.Argument(metavar="EVENT...", min=1, help="The numbers of the entries in `case show`.")
    ],
    *,
    reason: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason.")],
    role: c.PartyRole = "unknown",
    person: c.Person = "",
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Void wrong entries; they stay visible."""
    from projections.cases import case_commands

    c.write_case(
        c.add_to_case(
            number, url, lambda case: case_commands.void_events(case, events, reason, role, person), "voided"
        ),
        format_,
        file,
    )


VERBS: Final = {
    "assign": assign,
    "notify": notify,
    "rule": rule,
    "appeal": appeal,
    "close": close,
    "reopen": reopen,
    "void": void,
}
"""Verb → its function."""
