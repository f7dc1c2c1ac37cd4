"""`handledger accounts`: list the accounts of a hand, and record which one counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cli.documents.command_documents import AccountEntry, AccountsDocument, OtherHandEntry, StatementEntry
from cli.options import common_options, day_options, ledger_options
from cli.output import console
from ledger import safe
from ledger.entry import Provenance
from ledger.errors import NothingFoundError, UsageError
from ledger.vocabulary import Role
from projections.addresses import hand_address
from projections.addresses.address_book import AddressBook
from projections.addresses.address_grammar import quote_for_shell, split_account

if TYPE_CHECKING:
    from ledger.entry import Entry
    from ledger.store import HandRow, Ledger
    from ledger.table.events import AccountChosen, AccountPlaced


def command(
    hand: Annotated[str, typer.Argument(help="A hand: T7/408.", autocompletion=common_options.complete_hands)],
    *,
    choose: Annotated[
        int | None, typer.Option("--choose", min=1, metavar="N", help="Choose account N of this hand.")
    ] = None,
    separate_account: Annotated[
        int | None,
        typer.Option("--apart", min=1, metavar="N", help="Account N is a different hand: its number was used twice."),
    ] = None,
    same_as: Annotated[
        str | None,
        typer.Option(
            "--same-as", metavar="HAND", help="This account, T7/500~2, belongs to that hand of the same number."
        ),
    ] = None,
    role: Annotated[Role, typer.Option("--by", help="Your role.")] = "unknown",
    person: common_options.Person = "",
    reason: Annotated[str, typer.Option("--why", help="The reason, recorded with the choice.")] = "",
    as_of: common_options.AsOf = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """List the accounts of a hand and choose the one that counts."""
    statements = [option for option in (choose, separate_account, same_as) if option is not None]
    if len(statements) > 1:
        raise UsageError("--choose, --apart and --same-as are different things", "Say one of them.")
    if statements and (role == "unknown" or not reason.strip()):
        raise UsageError("a choice needs your role and a reason", 'Add, for example: --by floor --why "on tape"')
    with ledger_options.open_ledger(url, read_only=not statements, as_of=as_of) as ledger:
        hand_row = hand_address.find(ledger, hand).row
        if statements:
            _record_statement(
                ledger,
                hand_row,
                choose,
                separate_account,
                same_as,
                build_statement(ledger, hand_row, role, person, reason.strip()),
            )
            hand_row = hand_address.find(ledger, hand_row.stream.hex).row
        document = describe_accounts(ledger, hand_row)
    console.write_text(console.encode_document(document) if format_ == "json" else format_accounts(document), file)


class AccountStatement(NamedTuple):
    """The role, the person (an id or "") and the reason (an id of a text) behind a statement about an account."""

    role: Role
    person: str
    reason: str


def build_statement(ledger: Ledger, row: HandRow, role: Role, person: str, reason: str) -> AccountStatement:
    """Return a statement with the ids of a typed name and reason."""
    from projections.cases.case_people import resolve_person

    return AccountStatement(role, resolve_person(ledger, person, row.venue, [row])[0], ledger.people.text(reason))


def _record_statement(
    ledger: Ledger,
    row: HandRow,
    choose: int | None,
    separate_account: int | None,
    same_as: str | None,
    statement: AccountStatement,
) -> None:
    """Record a person's statement about the accounts of a hand in its table's stream."""
    from ledger.store.requests import amendments

    account_rows = list_accounts(ledger, row)
    if same_as is not None:
        other_row = hand_address.find(ledger, same_as).row
        if (other_row.venue, other_row.tournament, other_row.table, other_row.number) != (
            row.venue,
            row.tournament,
            row.table,
            row.number,
        ):
            raise UsageError("accounts of one hand must have the same table and hand number")
        events = amendments.place_account(ledger, row, other_row, statement.role, statement.person, statement.reason)
    else:
        account_number = choose if choose is not None else separate_account
        account_row = next((account_row for account_row in account_rows if account_row.account == account_number), None)
        if account_row is None:
            raise NothingFoundError(
                f"hand {row.number!r} has no account {account_number}",
                f"Its accounts: {', '.join(str(account_row.account) for account_row in account_rows)}.",
            )
        if choose is None:
            events = amendments.place_account(
                ledger, account_row, None, statement.role, statement.person, statement.reason
            )
        else:
            if account_row.stands:
                raise UsageError(f"account {choose} of hand {row.number!r} counts already")
            earlier_stream = next((other_row.stream.hex for other_row in account_rows if other_row.stands), "")
            events = amendments.choose_account(
                ledger, account_row, earlier_stream, statement.role, statement.person, statement.reason
            )
    amendments.append_correction(ledger, row, [], events, Provenance(ledger.now(), writer="accounts"))


def list_accounts(ledger: Ledger, row: HandRow) -> list[HandRow]:
    """Return the accounts of the hand that `row` is an account of."""
    rows = ledger.hands(venue=row.venue, tournament=row.tournament, table=row.table, number=row.number)
    return sorted(
        (account_row for account_row in rows if account_row.session == row.session),
        key=lambda account_row: account_row.account,
    )


def describe_accounts(ledger: Ledger, row: HandRow) -> AccountsDocument:
    """Return the accounts of a hand, and all statements about them."""
    from cli.hand_titles import build_hand_summary
    from ledger.store.hands.hand_accounts import read_entries_after
    from ledger.streams import table_stream
    from ledger.table.events import AccountChosen, AccountPlaced
    from projections.addresses import source_names

    account_rows, address_book = list_accounts(ledger, row), AddressBook(ledger)
    streams = {account_row.stream.hex for account_row in account_rows}
    choices = [
        _describe_statement(ledger, entry, entry.event)
        for entry in read_entries_after(ledger, table_stream(row.venue, row.tournament, row.table), 0)
        if isinstance(entry.event, AccountChosen | AccountPlaced) and entry.event.hand in streams
    ]
    files = source_names.load_source_files(ledger)
    accounts = []
    for account_row in account_rows:
        commit = ledger.commit_of(account_row.stream)
        source_file = files.get(account_row.source, source_names.UNKNOWN)
        accounts.append(
            AccountEntry(
                account_row.account,
                account_row.stream.hex,
                account_row.stands,
                source_file.name,
                source_file.sha256,
                commit.at if commit else 0,
                build_hand_summary(ledger, account_row),
                source=account_row.source,
            )
        )
    other_hands = [
        OtherHandEntry(
            account_row.session,
            account_row.stream.hex,
            account_row.started,
            address_book.find_hand_address(account_row),
        )
        for account_row in ledger.hands(
            venue=row.venue, tournament=row.tournament, table=row.table, number=row.number, standing=True
        )
        if account_row.session != row.session
    ]
    return AccountsDocument(
        venue=row.venue,
        tournament=row.tournament,
        table=row.table,
        number=row.number,
        accounts=accounts,
        choices=choices,
        others=other_hands,
    )


def _describe_statement(ledger: Ledger, entry: Entry, event: AccountChosen | AccountPlaced) -> StatementEntry:
    """Return the statement of an event: an account counts, or it belongs to a hand."""
    from ledger.table.events import AccountChosen

    person = ledger.people.name(event.person) or "" if event.person else ""
    reason = ledger.people.words(event.why) or ""
    if isinstance(event, AccountChosen):
        return StatementEntry(
            entry.position,
            entry.recorded.time,
            event.hand,
            "stands",
            event.instead,
            by=event.by,
            person=person,
            why=reason,
            rule=event.rule,
        )
    return StatementEntry(
        entry.position,
        entry.recorded.time,
        event.hand,
        "tells",
        event.of,
        by=event.by,
        person=person,
        why=reason,
        doubtful=event.doubtful,
    )


_RULE_REASONS = {
    "same-source": "a corrected copy of its file was imported",
    "finished": "the earlier account was cut off",
    "kept": "the earlier account isn't replaced without somebody's decision",
}


def format_accounts(document: AccountsDocument) -> str:
    """Return the accounts of a hand for people."""
    valid_account = next((account for account in document.accounts if account.stands), document.accounts[0])
    hand_address = split_account(valid_account.told.address)[0]
    lines = [console.paint(f"hand {hand_address}  {safe.terminal(document.venue, 60)}", "bold"), ""]
    names = {account.hand: account.account for account in document.accounts}
    lines += [_format_account(account, hand_address) for account in document.accounts]
    for choice in document.choices:
        minute = day_options.format_minute(choice.recorded)
        lines.append(f"  {minute}  account {names[choice.hand]} {_describe_choice(choice)}")
    if document.others:
        lines += ["", f"The number was used again: {', '.join(account.address for account in document.others)}"]
    if len(document.accounts) > 1:
        lines += [
            "",
            f"What differs: handledger compare {quote_for_shell(f'{hand_address}~1')} {quote_for_shell(f'{hand_address}~2')}",
        ]
    return "\n".join(lines)


def _format_account(account: AccountEntry, hand_address: str) -> str:
    """Return an account in one line: its address, whether it counts, its time, its file, and a pot without a unit."""
    status = "counts" if account.stands else "      "
    minute = day_options.format_minute(account.recorded)
    file_text = safe.tail(safe.terminal(account.file, 80), 60) or "(no file)"
    pot_text = "" if account.told.unit else f"  pot {account.told.pot:,}"
    return f"  {hand_address}~{account.account}  {status}  {minute}  {file_text}{pot_text}"


def _describe_choice(choice: StatementEntry) -> str:
    """Return a statement about an account, with its author and reason."""
    if choice.what == "stands":
        return f"counts, by {choice.by}: {safe.terminal(choice.why or _RULE_REASONS.get(choice.rule, ''), 160)}"
    if choice.doubtful:
        return "may be a different hand: the record doesn't show which"
    statement = "is a different hand" if choice.other == choice.hand else "is the same hand"
    reason_text = f": {safe.terminal(choice.why, 160)}" if choice.why else ""
    return f"{statement}, by {choice.by}{reason_text}"
