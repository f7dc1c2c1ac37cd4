"""Errors of recording a table over the API or on its page: what is refused, and what to send or press instead.

What the page of a table can show is translated. What only programs read is English.
"""

from __future__ import annotations

from ledger.errors import ConflictError
from ledger.text.language import phrase


class ProblemError(Exception):
    """A request that can't be done. The API turns it into an answer."""

    def __init__(self, status: int, message: str, hint: str, **details: object) -> None:
        super().__init__(message)
        self.status, self.message, self.hint, self.details = status, message, hint, details


class ApprovalNeededError(ProblemError):
    """A floor has to approve an act. Nothing was recorded. `act`: a message. `position`: the table's, which the dealer saw."""

    def __init__(self, message: str, hint: str, act: str, position: int) -> None:
        super().__init__(403, message, hint)
        self.act, self.position = act, position


_RIGHTS_HINT = "List each device's rights: handledger device"
_SCHEMAS_HINT = "Compare it with the schemas in openapi.json."

# Who asks, and where


def host_name_wrong() -> ProblemError:
    """Return the error for a request under another host name than ours."""
    return ProblemError(421, "this server has another name", "Use the address that it printed.")


def device_key_wrong() -> ProblemError:
    """Return the error for a request without the key of an enrolled device."""
    return ProblemError(
        401,
        "the key of a device is missing or unknown",
        "Send Authorization: Bearer KEY. To get a key: handledger device add NAME",
    )


def too_many_requests(maximum: int) -> ProblemError:
    """Return the error for a device that asks too often; `maximum`: requests a second."""
    return ProblemError(429, "this device asks too often", f"Send at most {maximum} requests a second.")


def too_many_listeners() -> ProblemError:
    """Return the error for another stream of a table, where too many are open."""
    return ProblemError(503, "too many devices listen already", "Ask for the table's state instead: GET /api/1/table")


def address_unknown() -> ProblemError:
    """Return the error for an address that nothing answers."""
    return ProblemError(404, "there is nothing under this address", "openapi.json lists all addresses.")


def method_wrong(status: int) -> ProblemError:
    """Return the error for a method that an address doesn't take. `status`: the answer's."""
    return ProblemError(status, "this address doesn't take this request", "openapi.json lists what each address takes.")


def table_not_named() -> ProblemError:
    """Return the error for a request that doesn't name its table."""
    return ProblemError(422, "no table is named", "Add it to the address: ?venue=ROOM&table=NAME")


def table_unknown() -> ProblemError:
    """Return the error for a table whose game nobody recorded."""
    return ProblemError(
        404, phrase("there is no such table yet"), phrase("Open it first: {request}", request="POST /api/1/table")
    )


def table_not_allowed(name: str) -> ProblemError:
    """Return the error for a device at a table that it isn't enrolled for; `name`: the device's."""
    return ProblemError(403, f"{name} may not record this table", _RIGHTS_HINT)


def device_may_look() -> ProblemError:
    """Return the error for a device that may read tables, but not record."""
    return ProblemError(403, "this device may look, but not record", _RIGHTS_HINT)


def facts_not_allowed(kind: str) -> ProblemError:
    """Return the error for facts that a device may not record; `kind`: of what they are."""
    return ProblemError(403, f"this device may not record facts of a {kind}", _RIGHTS_HINT)


def cards_not_allowed() -> ProblemError:
    """Return the error for hidden cards from a device that may not see them."""
    return ProblemError(
        403,
        phrase("this device may not record cards that weren't shown"),
        phrase("Let it record them: {command}", command="handledger device add NAME --cards"),
    )


# How a request is written


def body_too_large(kilobytes: int) -> ProblemError:
    """Return the error for a body over `kilobytes`."""
    return ProblemError(413, f"the body has more than {kilobytes} KB", "Send it in parts.")


def body_not_json() -> ProblemError:
    """Return the error for a body of another content type."""
    return ProblemError(415, "the body must be JSON", "Send it with the header Content-Type: application/json")


def body_too_slow() -> ProblemError:
    """Return the error for a body that doesn't arrive in time."""
    return ProblemError(
        408, "the body came too slowly", "Ask for the table's state, then send the request again under its key."
    )


def json_invalid(reason: str) -> ProblemError:
    """Return the error for a body that can't be parsed; `reason`: what the parser says."""
    return ProblemError(400, f"the body isn't valid JSON: {reason}", "Check its brackets, quotes and commas.")


def schema_mismatch(reason: str) -> ProblemError:
    """Return the error for JSON of another shape; `reason`: where it differs."""
    return ProblemError(400, f"the body doesn't match the schema: {reason}", _SCHEMAS_HINT)


def wrong_line_count(maximum: int) -> ProblemError:
    """Return the error for a request without lines, or with too many."""
    return ProblemError(422, f"a request has 1 to {maximum} lines", "Send at least one. Send more in several requests.")


def wrong_event_count(maximum: int) -> ProblemError:
    """Return the error for a request without events, or with too many."""
    return ProblemError(
        422, f"a request has 1 to {maximum} events", "Send at least one. Send more in several requests."
    )


def event_unknown(name: str) -> ProblemError:
    """Return the error for an event that doesn't exist; `name`: what its array begins with."""
    return ProblemError(
        422, f"{name[:40]!r} isn't an event", 'An event is an array that begins with its name: ["Folded", 4]'
    )


def event_malformed(name: str, reason: str) -> ProblemError:
    """Return the error for an event of another shape; `reason`: what is wrong in it."""
    return ProblemError(422, f"event {name[:40]} is malformed: {reason}", _SCHEMAS_HINT)


def key_too_long(maximum: int) -> ProblemError:
    """Return the error for an act's key over `maximum` characters."""
    return ProblemError(422, f"the key of this act has more than {maximum} characters", "Send a shorter key.")


def key_with_nul() -> ProblemError:
    """Return the error for an act's key with a character that no database can look up."""
    return ProblemError(422, "a key can't hold a NUL byte", "Send a key without that byte.")


# What a table's state forbids


def table_has_hands() -> ProblemError:
    """Return the error for opening a table that has hands."""
    return ProblemError(
        409,
        phrase("this table has hands already"),
        phrase("To change its game, record a line: {line}", line="game holdem no-limit cash blinds 2/5 unit USD 2"),
    )


def approval_needed(act: str, position: int) -> ApprovalNeededError:
    """Return the error for an act that a floor has to approve. `act`: a message; `position`: the table's, which the dealer saw."""
    return ApprovalNeededError(
        phrase("A floor has to approve this: {act}.", act=phrase(act)),
        phrase("It isn't recorded yet. A floor can approve it in the list of requests, or type a code here."),
        act,
        position,
    )


def other_user() -> ConflictError:
    """Return the error for an act that arrives after somebody else signed in."""
    return ConflictError(
        phrase("somebody else was signed in on this device when this was pressed"),
        phrase("Check that it's right, then press it again."),
    )


def acts_missing(number: int, first_missing: int, last_missing: int) -> ConflictError:
    """Return the error for an act of a page whose earlier acts never arrived."""
    if first_missing == last_missing:
        message = phrase(
            "act {missing} is missing: act {number} of this page comes after it", missing=last_missing, number=number
        )
    else:
        message = phrase(
            "acts {first_missing} to {last_missing} are missing: act {number} of this page comes after it",
            first_missing=first_missing,
            last_missing=last_missing,
            number=number,
        )
    return ConflictError(message, phrase("Send what is missing first."))


def act_out_of_order(number: int, previous_number: int, last_number: int) -> ConflictError:
    """Return the error for an act of a page that has recorded later ones."""
    return ConflictError(
        phrase(
            "act {last_number} of this page is recorded already, so act {number} can't follow act {previous_number}",
            last_number=last_number,
            number=number,
            previous_number=previous_number,
        ),
        phrase("Open the page again."),
    )


def seen_position_missing() -> ProblemError:
    """Return the error for a page's first act that doesn't say which state it was pressed on."""
    return ProblemError(
        422, phrase("this act doesn't say which state of the table it was pressed on"), phrase("Open the page again.")
    )


# The server


def ledger_unreachable() -> ProblemError:
    """Return the error for a database that can't be read or written now."""
    return ProblemError(503, "the ledger can't be reached now", "Send the request again in a second.")


def api_fault() -> ProblemError:
    """Return the error for a fault that the program didn't foresee."""
    return ProblemError(500, "the server failed at this request", "That's an error in handledger. Please report it.")
