"""The verbs of `handledger case` that decide it: assign, notify, rule, appeal, close, reopen, void."""

from __future__ import annotations

import re
import sys
from typing import Annotated, Final, Literal

import typer

from cli import case_options as c
from cli import options
from ledger.event import Event
from ledger.vocabulary import Role


def assign(
    number: c.Number,
    person: Annotated[str, typer.Argument(help="Who works on it.")],
    *,
    role: Annotated[Role, typer.Option("--as", help="In what role.")] = "floor",
    ledger: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Say who works on the case."""
    from ledger.case.events import CaseAssigned

    def assigned(case: c.At) -> list[Event]:
        return [CaseAssigned(case.person(person), role)]

    c.put(c.add(number, ledger, assigned, "assigned"), format_, file)


def notify(
    number: c.Number,
    authority: Annotated[
        str, typer.Argument(help="Which regulator was told. No name of a person: this can never be erased.")
    ],
    *,
    reference: Annotated[str, typer.Option("--reference", help="What the authority calls it.")] = "",
    ledger: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Write down that a regulator was told; nothing is sent to anybody."""
    from ledger.case.events import RegulatorNotified

    def told(case: c.At) -> list[Event]:
        return [RegulatorNotified(case.nameless(authority, "AUTHORITY"), case.nameless(reference, "--reference"))]

    c.put(c.add(number, ledger, told, "noted that the regulator was told"), format_, file)


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
    ledger: options.LedgerUrl = None,
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
    from cli import case_finding as find
    from ledger.case.events import RulingMade
    from ledger.errors import UsageError

    cited = find.clause(clause, book)
    if house_pays and not pay:
        raise UsageError("the house pays whom?", "Say who receives: --pay 3=15 --house-pays.")

    def ruled(case: c.At) -> list[Event]:
        ruling = RulingMade(by, case.person(person), case.ledger.people.text(decision), *cited)
        return [ruling, *_payments(case, pay or [], house_pays=house_pays, aloud=format_ == "text")]

    c.put(c.add(number, ledger, ruled, "ruling made"), format_, file)


def _payments(case: c.At, told: list[str], *, house_pays: bool, aloud: bool) -> list[Event]:
    from cli import case_finding as find
    from ledger.case.events import PaymentOrdered
    from ledger.errors import UsageError

    money = find.money_of(case.ledger, case.state) if told else None
    unit = money.unit if money else ""
    found: list[PaymentOrdered] = []
    for one in told:
        party, mark, amount = one.rpartition("=")
        if not mark or not party:
            raise UsageError(f"--pay: {one!r} is no payment", "Say SEAT=AMOUNT: --pay 3=15 --pay 5=-15.")
        chips = find.chips(amount, money, what="--pay")
        if party == "house":
            found.append(PaymentOrdered(chips, unit, house=True))
        elif re.fullmatch(r"[0-9]{1,2}", party):
            seat = find.seat(case.ledger, int(party), case.rows)
            if aloud and chips < 0 and not find.had_part(case.ledger, seat, case.rows):
                sys.stderr.write(
                    f"Note: seat {seat} had no chips in the pot and won none; the ruling takes them all the same.\n"
                )
            found.append(PaymentOrdered(chips, unit, seat=seat))
        else:
            who = find.target(case.ledger, "person", party, case.rows, case.venue)
            found.append(PaymentOrdered(chips, unit, who))
    rest = sum(one.amount for one in found)
    if house_pays and rest:
        found.append(PaymentOrdered(-rest, unit, house=True))
    return [*found]


def appeal(
    number: c.Number,
    *,
    by: c.By,
    person: c.Person = "",
    to: Annotated[
        str, typer.Option("--to", help="To which office: the manager, the board. No name: this can never be erased.")
    ] = "",
    ledger: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Write down that the ruling is taken to a higher place.

    The case then waits for another ruling.
    """
    from ledger.case.events import RulingAppealed

    def appealed(case: c.At) -> list[Event]:
        return [RulingAppealed(by, case.person(person), case.nameless(to, "--to"))]

    c.put(c.add(number, ledger, appealed, "appealed"), format_, file)


def close(
    number: c.Number,
    outcome: Annotated[
        Literal["upheld", "partly-upheld", "denied", "withdrawn", "settled", "referred", "other"],
        typer.Argument(help="What became of the claim."),
    ],
    *,
    ledger: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Close the case: only a reopening can follow. Holds without a time end with it."""
    from ledger.case.events import CaseClosed

    c.put(c.add(number, ledger, lambda _: [CaseClosed(outcome)], "closed"), format_, file)


def reopen(
    number: c.Number,
    *,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason.")],
    ledger: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Take a closed case up again; holds without a time are in force again."""
    from ledger.case.events import CaseReopened

    def reopened(case: c.At) -> list[Event]:
        return [CaseReopened(case.ledger.people.text(why))]

    c.put(c.add(number, ledger, reopened, "reopened"), format_, file)


def void(
    number: c.Number,
    events: Annotated[list[int], typer.Argument(metavar="EVENT...", min=1, help="Which, as case show numbers them.")],
    *,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason.")],
    by: c.By = "unknown",
    person: c.Person = "",
    ledger: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Void what was written down wrongly; it stays to be seen. With a ruling go its payments."""
    from ledger.case.rules import voided
    from ledger.hand.ending import CorrectionMade

    def corrected(case: c.At) -> list[Event]:
        gone = voided(case.state, events, case.case.events)
        text = case.ledger.people.text(why)
        return [CorrectionMade(gone, len(case.case.entries), 0, by, case.person(person), text)]

    c.put(c.add(number, ledger, corrected, "voided"), format_, file)


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
