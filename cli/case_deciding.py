"""The verbs of `handledger case` that decide it: assign, notify, rule, appeal, close, reopen, void."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from cli import case_options as c
from cli import options
from ledger.vocabulary import Role


def assign(
    number: c.Number,
    person: Annotated[str, typer.Argument(help="Who works on it.")],
    *,
    role: Annotated[Role, typer.Option("--as", help="In what role.")] = "floor",
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Say who works on the case."""
    from projections.cases import case_commands

    c.put(c.add(number, url, lambda case: case_commands.assign_person(case, person, role), "assigned"), format_, file)


def notify(
    number: c.Number,
    authority: Annotated[
        str, typer.Argument(help="Which regulator was told. No name of a person: this can never be erased.")
    ],
    *,
    reference: Annotated[str, typer.Option("--reference", help="What the authority calls it.")] = "",
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Write down that a regulator was told; nothing is sent to anybody."""
    from projections.cases import case_commands

    activity = "noted that the regulator was told"
    c.put(
        c.add(number, url, lambda case: case_commands.record_notice(case, authority, reference), activity),
        format_,
        file,
    )


def rule(
    number: c.Number,
    *,
    decision: Annotated[str, typer.Option("--decision", metavar="TEXT", help="What was decided.")],
    by: c.By,
    person: c.Person = "",
    clause: Annotated[str, typer.Option("--clause", metavar="CLAUSE", help="By which clause.")] = "",
    book: Annotated[
        str,
        typer.Option(
            "--rulebook", "-r", metavar="BOOK", autocompletion=options.complete_books, help="Of which rulebook."
        ),
    ] = "",
    pay: Annotated[
        list[str] | None,
        typer.Option(
            "--pay",
            metavar="SEAT=AMOUNT",
            help="The seat receives the amount, or pays it: 3=15, 5=-15; house=-15; a player's "
            "name in place of the seat. May be said several times; all of it adds up to zero.",
        ),
    ] = None,
    house_pays: Annotated[
        bool, typer.Option("--house-pays", help="What does not add up, the house pays or takes.")
    ] = False,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Write down the ruling, the clause it rests on, and what it moves.

    The payments of later rulings are added to those of earlier ones: to take one back, order the
    opposite.

    \b
    handledger case rule 2026-1 --decision "seat 5 gives back the straddle" --by floor --pay 6=10 --pay 5=-10
    handledger case rule 2026-1 --decision "the house refunds the blind" --by manager --pay 3=5 --house-pays
    """  # noqa: D301 - \b keeps the lines of the examples
    from projections.cases import case_commands

    case_decision = case_commands.CaseDecision(
        decision, by, person, clause, book, [_parse_payment(payment) for payment in pay or []], house_pays
    )
    document = c.add(number, url, lambda case: case_commands.make_ruling(case, case_decision), "ruling made")
    c.put(document, format_, file)


def _parse_payment(option_value: str) -> tuple[str, str]:
    """Return who is paid, or pays, and how much."""
    from ledger.errors import UsageError

    party, equals_sign, amount = option_value.rpartition("=")
    if not equals_sign or not party:
        raise UsageError(f"--pay: {option_value!r} is no payment", "Say SEAT=AMOUNT: --pay 3=15 --pay 5=-15.")
    return party, amount


def appeal(
    number: c.Number,
    *,
    by: c.By,
    person: c.Person = "",
    to: Annotated[
        str, typer.Option("--to", help="To which office: the manager, the board. No name: this can never be erased.")
    ] = "",
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Write down that the ruling is taken to a higher place.

    The case then waits for another ruling.
    """
    from projections.cases import case_commands

    c.put(c.add(number, url, lambda case: case_commands.appeal_ruling(case, by, person, to), "appealed"), format_, file)


def close(
    number: c.Number,
    outcome: Annotated[c.CaseOutcome, typer.Argument(help="What became of the claim.")],
    *,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Close the case: only a reopening can follow. Holds without a time end with it."""
    from projections.cases import case_commands

    c.put(c.add(number, url, lambda case: case_commands.close_case(case, outcome), "closed"), format_, file)


def reopen(
    number: c.Number,
    *,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason.")],
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Take a closed case up again; holds without a time are in force again."""
    from projections.cases import case_commands

    c.put(c.add(number, url, lambda case: case_commands.reopen_case(case, why), "reopened"), format_, file)


def void(
    number: c.Number,
    events: Annotated[list[int], typer.Argument(metavar="EVENT...", min=1, help="Which, as case show numbers them.")],
    *,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason.")],
    by: c.By = "unknown",
    person: c.Person = "",
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Void what was written down wrongly; it stays to be seen. With a ruling go its payments."""
    from projections.cases import case_commands

    c.put(
        c.add(number, url, lambda case: case_commands.void_events(case, events, why, by, person), "voided"),
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
