"""Read mails: each text and each attachment is a source, as in an archive.

A mail with undecoded parts is read as it is. A mail that is quoted-printable or base64 has no line as the room wrote
it, and nor does a text that was saved from one. Places are offsets in the decoded text.
"""

from __future__ import annotations

import io
import quopri
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, Final, Literal, TypeAlias, cast

from ledger.intake import archives, import_errors
from ledger.intake.archives import Member
from ledger.intake.encoding import HEAD_BYTES

if TYPE_CHECKING:
    from email.message import Message

MAX_MAIL_BYTES: Final = 32 * 1024 * 1024  # a mail is parsed in memory
MAX_PARTS: Final = 100  # nested parts, since each is searched for at every line
MAX_LINE_LENGTH: Final = 76  # characters in a line of quoted-printable
MIN_SOFT_BREAKS: Final = 3  # lines that end with = before a text counts as quoted-printable

MailKind: TypeAlias = Literal["", "mail", "quoted"]

ENCODED_PART: Final = re.compile(rb"(?mi)^content-transfer-encoding:[ \t]*\"?(?:base64|quoted-printable)\b")
_HEADER_LINE: Final = re.compile(rb"(?:From [^\r\n]+\r?\n)?[A-Za-z][A-Za-z0-9-]*:[ \t]")
_MAIL_HEADER: Final = re.compile(rb"(?mi)^(?:mime-version|content-type|received|message-id):")
_SOFT_BREAK: Final = re.compile(rb"(?m)=\r?$")
_INVALID_ESCAPE: Final = re.compile(rb"=(?![0-9A-Fa-f]{2}|\r?\n|\r?\Z)")
_MBOX_SEPARATOR: Final = re.compile(rb"(?m)^From [^\r\n]+\r?\n(?=[A-Za-z][A-Za-z0-9-]*:)")


def may_be_mail(head: bytes) -> bool:
    """Return whether the first few kilobytes may belong to a mail."""
    return _HEADER_LINE.match(head) is not None or _SOFT_BREAK.search(head) is not None


def detect_mail_kind(head: bytes) -> MailKind:
    """Return the kind of a mail by the first `HEAD` bytes; "" if a source is read as it is."""
    if _HEADER_LINE.match(head) and _MAIL_HEADER.search(head) and ENCODED_PART.search(head):
        return "mail"
    lines = head.splitlines()[:-1] if len(head) == HEAD_BYTES else head.splitlines()
    soft_breaks = sum(line.endswith(b"=") for line in lines)
    if soft_breaks < MIN_SOFT_BREAKS or _INVALID_ESCAPE.search(
        head[: head.rfind(b"=") if len(head) == HEAD_BYTES else len(head)]
    ):
        return ""
    return "quoted" if max(map(len, lines)) <= MAX_LINE_LENGTH else ""


def read_mail_members(kind: MailKind, stream: BinaryIO, name: str) -> Iterator[Member]:
    """Yield the texts and attachments of a mail, or the decoded text of a quoted-printable file."""
    mail_bytes = stream.read(MAX_MAIL_BYTES + 1)
    if len(mail_bytes) > MAX_MAIL_BYTES:
        raise import_errors.mail_too_large(name, MAX_MAIL_BYTES // 1024**2)
    if kind == "quoted":
        yield _make_member("text", quopri.decodestring(mail_bytes))
        return
    mails = _MBOX_SEPARATOR.split(mail_bytes)[mail_bytes.startswith(b"From ") :]
    if len(mails) > archives.MAX_MEMBERS:
        raise import_errors.too_many_mails(name, archives.MAX_MEMBERS)
    name_counts: dict[str, int] = {}
    for mail_number, mail in enumerate(mails, 1):
        mail_prefix = f"{mail_number}/" if len(mails) > 1 else ""
        for part_name, part_bytes in _decode_parts(mail, name):
            label = f"{mail_prefix}{part_name}"
            name_counts[label] = name_count = name_counts.get(label, 0) + 1
            yield _make_member(label if name_count == 1 else f"{label}#{name_count}", part_bytes)


def _make_member(name: str, data: bytes) -> Member:
    return Member(name, len(data), lambda: cast("BinaryIO", io.BufferedReader(cast("io.RawIOBase", io.BytesIO(data)))))


def _decode_parts(mail: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the decoded parts of a mail: its texts, and its attachments by name."""
    from email import message_from_bytes  # noqa: PLC0415 - only where a mail is read

    if mail.lower().count(b"boundary=") > MAX_PARTS:
        raise import_errors.nested_mail_parts(name, MAX_PARTS)
    for part in _iter_leaf_parts(message_from_bytes(mail)):
        data = part.get_payload(decode=True)
        if isinstance(data, bytes):
            yield part.get_filename() or "text", data


def _iter_leaf_parts(message: Message) -> Iterator[Message]:
    """Yield the parts without parts of their own. Of alternative texts, yield only the plain one."""
    if not message.is_multipart():
        yield message
        return
    inner_parts = [part for part in message.get_payload() if not isinstance(part, str)]
    if message.get_content_type() == "multipart/alternative":
        plain_parts = [part for part in inner_parts if part.get_content_type() == "text/plain"]
        inner_parts = plain_parts or inner_parts
    for part in inner_parts:
        yield from _iter_leaf_parts(part)
