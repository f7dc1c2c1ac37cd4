"""Errors of requests to the server: why a page or a form is refused, and what to do instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ledger.text.language import join_each_or, phrase, translatable
from web.server.error_pages import RequestRefusedError

if TYPE_CHECKING:
    from ledger.house.events import UserRole as Role

# Who asks


def key_missing() -> RequestRefusedError:
    """Return the error for a page without a key."""
    return RequestRefusedError(
        401,
        phrase("This page needs the key."),
        phrase("Open the address that handledger serve printed when it was started."),
    )


def key_not_valid() -> RequestRefusedError:
    """Return the error for a key that no role and no user has."""
    return RequestRefusedError(
        401,
        phrase("This key isn't valid."),
        phrase("Open the address that the server printed last, or your newest link."),
    )


def sign_in_needed(page: str) -> RequestRefusedError:
    """Return the error for a page that only somebody who is signed in may see. `page`: where to sign in."""
    return RequestRefusedError(401, phrase("You aren't signed in."), phrase("Sign in first: {page}", page=page))


def nobody_signed_in() -> RequestRefusedError:
    """Return the error for a dealer who takes a table without a name."""
    return RequestRefusedError(
        403, phrase("Nobody is signed in here."), phrase("Sign in first, so that the record has your name.")
    )


def device_unknown() -> RequestRefusedError:
    """Return the error for the key of a device that isn't enrolled."""
    return RequestRefusedError(
        401,
        phrase("This device isn't enrolled."),
        phrase("Get its key on the server's machine: {command}", command="handledger device add NAME"),
    )


_WRITABLE_HINT: Final = translatable("To record here, start the server with --write.")
_LACKS_RIGHT: Final[Mapping[Role, str]] = {
    "auditor": translatable("The auditor's key doesn't cover this: {right}."),
    "dealer": translatable("A dealer may not do this: {right}."),
    "floor": translatable("The floor's key doesn't cover this: {right}."),
    "viewer": translatable("The viewer's key doesn't cover this: {right}."),
}
_ROLE_NAMES: Final[Mapping[Role, str]] = {
    "auditor": translatable("an auditor"),
    "dealer": translatable("a dealer"),
    "floor": translatable("a floor"),
    "viewer": translatable("a viewer"),
}


def right_missing(role: Role, right: str, entitled_roles: Sequence[Role]) -> RequestRefusedError:
    """Return the error for a role without a right. `right`: what it may not do; `entitled_roles`: who may."""
    roles = join_each_or([phrase(_ROLE_NAMES[entitled_role]) for entitled_role in entitled_roles])
    return RequestRefusedError(
        403, phrase(_LACKS_RIGHT[role], right=right), phrase("Sign in as {roles}, or use their address.", roles=roles)
    )


def server_read_only() -> RequestRefusedError:
    """Return the error for a change at a server that only shows the ledger."""
    return RequestRefusedError(403, phrase("This server is read-only."), phrase(_WRITABLE_HINT))


# Where a request comes from


def wrong_host() -> RequestRefusedError:
    """Return the error for a host name that isn't the server's."""
    return RequestRefusedError(
        421, phrase("This server doesn't answer under that name."), phrase("Open the address that it printed.")
    )


def other_site() -> RequestRefusedError:
    """Return the error for a request from another site's page."""
    return RequestRefusedError(
        403, phrase("This request comes from another site."), phrase("Open the page on this server and try again.")
    )


def origin_missing() -> RequestRefusedError:
    """Return the error for a change that shows neither its page nor a key."""
    return RequestRefusedError(
        403,
        phrase("The request doesn't show which page it comes from."),
        phrase("Send the key in a header: {header}", header="Authorization: Bearer KEY"),
    )


def form_expired() -> RequestRefusedError:
    """Return the error for a form without the token of our pages."""
    return RequestRefusedError(
        403,
        phrase("This form has expired, or it isn't from this server."),
        phrase("Open the page again and send it from there. Nothing was saved."),
    )


# How a request is sent


def address_too_long() -> RequestRefusedError:
    """Return the error for an address and headers that are too long."""
    return RequestRefusedError(413, phrase("The address is too long."), phrase("Search for fewer words."))


def body_not_expected() -> RequestRefusedError:
    """Return the error for a body where a page is only asked for."""
    return RequestRefusedError(413, phrase("A GET request can't have a body."), phrase("Send it with POST."))


def page_read_only(*, is_server_read_only: bool) -> RequestRefusedError:
    """Return the error for a change sent to an address that takes none."""
    hint = phrase(_WRITABLE_HINT) if is_server_read_only else phrase("Send the form from its page.")
    return RequestRefusedError(405, phrase("This page is read-only."), hint)


def body_too_slow() -> RequestRefusedError:
    """Return the error for a body that arrives too slowly."""
    return RequestRefusedError(408, phrase("The upload was too slow, so nothing was saved."), phrase("Send it again."))


def body_too_large(size: str) -> RequestRefusedError:
    """Return the error for a body over `size`, such as 1 GB."""
    return RequestRefusedError(
        413,
        phrase("The upload is too large: {size} at most.", size=size),
        phrase(
            "Nothing was saved. Import larger files on the server's machine: {command}",
            command="handledger import FILE",
        ),
    )


def body_cut_off() -> RequestRefusedError:
    """Return the error for a body that ends too early."""
    return RequestRefusedError(400, phrase("The upload broke off, so nothing was saved."), phrase("Send it again."))


# What a form or a program sends


def content_type_unknown() -> RequestRefusedError:
    """Return the error for a body that is neither a form nor JSON."""
    return RequestRefusedError(
        415, phrase("The server can't read this content type."), phrase("Send a form, or JSON as application/json.")
    )


def form_unreadable(reason: str) -> RequestRefusedError:
    """Return the error for a damaged form."""
    return RequestRefusedError(
        400, phrase("The form can't be read: {reason}", reason=reason), phrase("Open its page again.")
    )


def json_unreadable() -> RequestRefusedError:
    """Return the error for a body that isn't JSON."""
    return RequestRefusedError(
        400, phrase("The body isn't valid JSON."), phrase("Check its brackets, quotes and commas.")
    )


def json_not_an_object() -> RequestRefusedError:
    """Return the error for JSON that isn't one object of a form's fields."""
    return RequestRefusedError(
        400, phrase("The body must be one JSON object."), phrase("Give it a member for each field of the form.")
    )


def too_many_fields(maximum: int) -> RequestRefusedError:
    """Return the error for JSON with more members than any form has fields."""
    return RequestRefusedError(
        400, phrase("The body has more than {maximum} fields.", maximum=maximum), phrase("Leave out what no form has.")
    )


def field_not_text(field: str) -> RequestRefusedError:
    """Return the error for a member that is neither a text or number nor a list of them."""
    return RequestRefusedError(
        400,
        phrase("{field} must be a text, a number, or a list of them.", field=repr(field)),
        phrase("For example: {member}", member=f'{field[:40]!r}: "4"'.replace("'", '"')),
    )


def not_a_seat_count(text: str) -> RequestRefusedError:
    """Return the error for a new table whose number of seats isn't a number."""
    return RequestRefusedError(
        422,
        phrase("{text} isn't a number of seats.", text=repr(text[:20])),
        phrase("Write a number, for example {count}.", count=9),
    )


# Signing in


def link_not_valid() -> RequestRefusedError:
    """Return the error for a link that was replaced or revoked."""
    return RequestRefusedError(403, phrase("This link isn't valid any more."), phrase("Ask for a new one."))


def code_not_valid(minutes: int) -> RequestRefusedError:
    """Return the error for a code that nobody has; `minutes`: how long a code is good."""
    return RequestRefusedError(
        403,
        phrase("This code isn't valid."),
        phrase("Check its 8 digits, or make a new one: a code works once, for {minutes} minutes.", minutes=minutes),
    )


def too_many_codes(minutes: int) -> RequestRefusedError:
    """Return the error for a device that is locked for some minutes."""
    return RequestRefusedError(
        429, phrase("Too many wrong codes."), phrase("Wait {minutes} minutes, or sign in with a link.", minutes=minutes)
    )


def code_not_allowed() -> RequestRefusedError:
    """Return the error for a code that the signed-in person may not make."""
    return RequestRefusedError(
        403,
        phrase("You can't make a code for this person."),
        phrase("Make it on the server's machine: {command}", command="handledger user code NAME"),
    )


def not_a_floor_code() -> RequestRefusedError:
    """Return the error for an approval with somebody else's code."""
    return RequestRefusedError(
        403, phrase("This isn't a floor's code."), phrase("A floor taps their name, then “Make my code”.")
    )


def other_table(table: str) -> RequestRefusedError:
    """Return the error for a tablet at a table that it isn't enrolled for."""
    return RequestRefusedError(
        403,
        phrase("This device is for another table: {table}.", table=table),
        phrase("Use this table's tablet. To set up this one for it: {command}", command="handledger device add NAME"),
    )


def request_answered() -> RequestRefusedError:
    """Return the refusal of an answer to a request that doesn't wait any more."""
    return RequestRefusedError(
        409, phrase("This request was answered already."), phrase("The list shows what is still waiting.")
    )


def asker_revoked() -> RequestRefusedError:
    """Return the refusal of an approval whose dealer, or whose tablet, may not record any more."""
    return RequestRefusedError(
        403, phrase("The dealer or the tablet that asked is no longer signed in."), phrase("Record it at the table.")
    )


def answer_missing() -> RequestRefusedError:
    """Return the refusal of a form without an answer."""
    return RequestRefusedError(400, phrase("The answer is missing."), phrase("Approve or refuse it in the list."))
