"""`handledger user`: the people who may sign in to the pages of `serve`, and their roles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.documents.command_documents import UserDocument, UserEntry
from cli.options import common_options, day_options, ledger_options
from cli.output import console
from ledger import safe
from ledger.errors import UsageError
from ledger.text.language import phrase

if TYPE_CHECKING:
    from ledger.store import Ledger

_DEFAULT_SERVER = "http://127.0.0.1:8713"


def command(
    action: Annotated[
        Literal["list", "add", "code", "revoke"], typer.Argument(metavar="[list|add|code|revoke]", help="What to do.")
    ] = "list",
    name: Annotated[
        str, typer.Argument(help="The person's name; for `code` and `revoke` also the beginning of an id.")
    ] = "",
    *,
    role: Annotated[
        Literal["dealer", "floor", "auditor", "viewer"] | None,
        typer.Option("--role", help="For `add`: what the person may see and do (docs/serving.md)."),
    ] = None,
    server: Annotated[
        str, typer.Option("--server", metavar="URL", help="For `add`: the address of the server, for the printed link.")
    ] = _DEFAULT_SERVER,
    people_key: common_options.PeopleKey = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
) -> None:
    """List, add and revoke the people who sign in to the pages."""
    from ledger.house.users import format_code
    from ledger.store.requests import sign_ins

    _check_arguments(action, name, role)
    if action == "add":
        ledger_options.create_missing_ledger(url, people_key=people_key)
    with ledger_options.open_ledger(url, read_only=action == "list", people_key=people_key) as ledger:
        link, code, expires = "", "", None
        if action == "add" and role is not None:
            _, secret = sign_ins.enrol_user(ledger, name, role)
            link = f"{server.rstrip('/')}/?key={secret}"
        elif action == "code":
            issued = sign_ins.issue_code(ledger, sign_ins.find_user(ledger, name).user)
            code, expires = format_code(issued.code), issued.expires
        elif action == "revoke":
            sign_ins.revoke_user(ledger, sign_ins.find_user(ledger, name).user)
        document = UserDocument(users=_list_users(ledger), link=link, code=code, expires=expires)
    if format_ == "json":
        console.write_document(document)
        return
    console.write_text("\n".join(_format_users(document, action, name)))


def _check_arguments(action: str, name: str, role: str | None) -> None:
    if action == "list":
        if name:
            raise UsageError(
                phrase("{name} is not expected here", name=repr(name)),
                phrase("As in: handledger user add Maria --role dealer"),
            )
        return
    if not name:
        raise UsageError(
            phrase("the person's name is missing"), phrase("As in: handledger user add Maria --role dealer")
        )
    if action == "add" and role is None:
        raise UsageError(
            phrase("a user needs a role"), phrase("Add --role dealer, --role floor, --role auditor or --role viewer.")
        )


def _list_users(ledger: Ledger) -> list[UserEntry]:
    from ledger.store.requests import sign_ins

    access = sign_ins.read_access(ledger)
    users = [
        UserEntry(
            user.user, ledger.people.name(user.user) or "", user.role, access.count_sessions(user.user, ledger.now())
        )
        for user in access.users.values()
    ]
    return sorted(users, key=lambda user: (user.name, user.id))


def _format_users(document: UserDocument, action: str, name: str) -> list[str]:
    """Return the lines of the text. A link has a line of its own, for a program that draws a QR code."""
    lines = []
    shown_name = safe.terminal(name)
    if document.link:
        lines += [
            phrase("{name} signs in with this link on their own device. It's shown only once:", name=shown_name),
            document.link,
            "",
        ]
    if document.code:
        lines += [
            phrase(
                "{name} signs in with this code, once, until {moment}:",
                name=shown_name,
                moment=_format_moment(document.expires),
            ),
            document.code,
            "",
        ]
    if action == "revoke":
        lines += [phrase("{name} can't sign in any more, and is signed out everywhere.", name=shown_name), ""]
    lines += [
        f"{safe.fit(safe.terminal(user.name or user.id), 20)} {user.role:<8} "
        + (phrase("not signed in") if not user.sessions else phrase("signed in on {count}", count=user.sessions))
        for user in document.users
    ]
    return lines if document.users else [*lines, phrase("Nobody can sign in.")]


def _format_moment(moment: int | None) -> str:
    return "" if moment is None else f"{day_options.format_minute(moment)} UTC"
