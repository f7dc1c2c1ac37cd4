"""`handledger accounts`: the accounts of one hand, which of them stands, and a person's word about that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli import days, opening, options, output
from cli.documents import AccountsDocument, AccountTold, ChoiceTold, DifferentTold
from ledger import safe
from ledger.entry import Recorded
from ledger.errors import NothingFoundError, UsageError
from ledger.vocabulary import Role
from projections.addresses import hand_address
from projections.addresses.address_book import AddressBook, quote_for_shell
from projections.addresses.address_grammar import split_account

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger


def command(
    hand: Annotated[str, typer.Argument(help="A hand, as for show.", autocompletion=options.complete_hands)],
    *,
    choose: Annotated[
        int | None, typer.Option("--choose", min=1, metavar="N", help="Let account N of this hand stand.")
    ] = None,
    apart: Annotated[
        int | None,
        typer.Option(
            "--apart", min=1, metavar="N", help="Account N tells a hand of its own: the number was used again."
        ),
    ] = None,
    same_as: Annotated[
        str | None,
        typer.Option(
            "--same-as",
            metavar="HAND",
            help="This account tells that hand of the same number; name the account: T7/500~2.",
        ),
    ] = None,
    by: Annotated[Role, typer.Option("--by", help="In what role you say so.")] = "unknown",
    person: options.Person = "",
    why: Annotated[str, typer.Option("--why", help="Why; it is kept with the choice.")] = "",
    as_of: options.AsOf = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """List the accounts of a hand and which stands; say which stands, or that an account tells another hand.

    All commands go by the account that stands. Who says so and why is kept in the table's own record, and a
    later choice takes it back.

    \b
    handledger accounts T7/502
    handledger accounts T7/502 --choose 2 --by floor --why "the tape shows the river"
    handledger accounts T7/500 --apart 2 --by floor --why "that is Sunday's hand"
    """  # noqa: D301 - \b keeps the lines of the examples
    said = [one for one in (choose, apart, same_as) if one is not None]
    if len(said) > 1:
        raise UsageError("--choose, --apart and --same-as are different things", "Say one of them.")
    if said and (by == "unknown" or not why.strip()):
        raise UsageError("who says so, and why?", 'Add --by floor --why "...".')
    with opening.opened(url, read_only=not said, as_of=as_of) as ledger:
        row = hand_address.find(ledger, hand).row
        if said:
            _say(ledger, row, choose, apart, same_as, Said(ledger, row, by, person, why.strip()))
            row = hand_address.find(ledger, row.stream.hex).row
        document = told(ledger, row)
    output.put(output.encoded(document) if format_ == "json" else text(document), file)


class Said:
    """Who says something of an account, and why."""

    def __init__(self, ledger: Ledger, row: HandRow, by: Role, person: str, why: str) -> None:
        """Take the words of the command line."""
        from projections.cases.claims import resolve_person

        self.by: Role = by
        self.person = resolve_person(ledger, person, row.venue, [row])[0]
        self.why = ledger.people.text(why)


def _say(ledger: Ledger, row: HandRow, choose: int | None, apart: int | None, same_as: str | None, said: Said) -> None:
    """Tell the table what somebody says of the accounts of a hand."""
    from ledger.store import amending

    rows = accounts_of(ledger, row)
    if same_as is not None:
        other = hand_address.find(ledger, same_as).row
        if (other.venue, other.tournament, other.table, other.number) != (
            row.venue,
            row.tournament,
            row.table,
            row.number,
        ):
            raise UsageError("accounts of one hand have one number at one table")
        events = amending.placed(ledger, row, other, said.by, said.person, said.why)
    else:
        wanted = choose if choose is not None else apart
        one = next((one for one in rows if one.account == wanted), None)
        if one is None:
            raise NothingFoundError(f"hand {row.number!r} has {len(rows)} accounts, none is number {wanted}")
        if choose is None:
            events = amending.placed(ledger, one, None, said.by, said.person, said.why)
        else:
            if one.stands:
                raise UsageError(f"account {choose} of hand {row.number!r} stands already")
            before = next((each.stream.hex for each in rows if each.stands), "")
            events = amending.chosen(ledger, one, before, said.by, said.person, said.why)
    amending.append(ledger, row, [], events, Recorded(ledger.now(), by="accounts"))


def accounts_of(ledger: Ledger, row: HandRow) -> list[HandRow]:
    """Return the accounts of the hand that `row` is an account of."""
    rows = ledger.hands(venue=row.venue, tournament=row.tournament, table=row.table, number=row.number)
    return sorted((one for one in rows if one.session == row.session), key=lambda one: one.account)


def told(ledger: Ledger, row: HandRow) -> AccountsDocument:
    """Return the accounts of a hand, and all that was said of them."""
    from cli.show import head
    from ledger.store.accounts import entries_behind
    from ledger.streams import table_stream
    from ledger.table.events import AccountChosen, AccountPlaced
    from projections.addresses import source_names

    rows, book = accounts_of(ledger, row), AddressBook(ledger)
    streams = {one.stream.hex: one.account for one in rows}
    words = ledger.people.words
    choices = []
    for entry in entries_behind(ledger, table_stream(row.venue, row.tournament, row.table), 0):
        event = entry.event
        if isinstance(event, AccountChosen | AccountPlaced) and event.hand in streams:
            stands = isinstance(event, AccountChosen)
            choices.append(
                ChoiceTold(
                    entry.position,
                    entry.recorded.at,
                    event.hand,
                    "stands" if stands else "tells",
                    event.instead if isinstance(event, AccountChosen) else event.of,
                    by=event.by,
                    person=ledger.people.name(event.person) or "" if event.person else "",
                    why=words(event.why) or "",
                    rule=event.rule if isinstance(event, AccountChosen) else "",
                    doubtful=isinstance(event, AccountPlaced) and event.doubtful,
                )
            )
    files = source_names.source_files_by_digest(ledger)
    accounts = []
    for one in rows:
        at = ledger.commit_of(one.stream)
        file = files.get(one.source, source_names.UNKNOWN)
        accounts.append(
            AccountTold(
                one.account,
                one.stream.hex,
                one.stands,
                file.name,
                file.sha256,
                at.at if at else 0,
                head(ledger, one),
                source=one.source,
            )
        )
    others = [
        DifferentTold(one.session, one.stream.hex, one.started, book.hand(one))
        for one in ledger.hands(
            venue=row.venue, tournament=row.tournament, table=row.table, number=row.number, standing=True
        )
        if one.session != row.session
    ]
    return AccountsDocument(
        venue=row.venue,
        tournament=row.tournament,
        table=row.table,
        number=row.number,
        accounts=accounts,
        choices=choices,
        others=others,
    )


_RULES = {
    "same-source": "its source told the hand anew",
    "finished": "the account before it was cut off",
    "kept": "what stood was not to be replaced without a word",
}


def text(document: AccountsDocument) -> str:
    """Return the accounts of a hand for people."""
    stands = next((one for one in document.accounts if one.stands), document.accounts[0])
    hand = split_account(stands.told.address)[0]
    lines = [output.paint(f"hand {hand}  {safe.terminal(document.venue, 60)}", "bold"), ""]
    names = {one.hand: one.account for one in document.accounts}
    for one in document.accounts:
        mark = "stands" if one.stands else "      "
        where = safe.tail(safe.terminal(one.file, 80), 60) or "(no file)"
        lines.append(
            f"  {hand}~{one.account}  {mark}  {days.minute(one.recorded)}  {where}  pot {one.told.pot:,}"
            if not one.told.unit
            else f"  {hand}~{one.account}  {mark}  {days.minute(one.recorded)}  {where}"
        )
    for choice in document.choices:
        mine = f"account {names[choice.hand]}"
        if choice.what == "stands":
            why = choice.why or _RULES.get(choice.rule, "")
            lines.append(f"  {days.minute(choice.recorded)}  {mine} stands, by {choice.by}: {safe.terminal(why, 160)}")
        elif choice.doubtful:
            lines.append(f"  {days.minute(choice.recorded)}  {mine} may tell another hand: that could not be decided")
        else:
            what = "tells a hand of its own" if choice.other == choice.hand else "tells the same hand"
            why = f": {safe.terminal(choice.why, 160)}" if choice.why else ""
            lines.append(f"  {days.minute(choice.recorded)}  {mine} {what}, by {choice.by}{why}")
    if document.others:
        lines += ["", f"The number was used again: {', '.join(one.address for one in document.others)}"]
    if len(document.accounts) > 1:
        lines += ["", f"What differs: handledger compare {quote_for_shell(f'{hand}~1')} {quote_for_shell(f'{hand}~2')}"]
    return "\n".join(lines)
