"""Hands that came by mail: texts and attachments are decoded, each a source with places of its own."""

from __future__ import annotations

import io
import quopri
import sys
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ledger.intake import import_paths, mails
from ledger.intake.encoding import HEAD_BYTES
from ledger.intake.files import find_sources, open_stream_sources
from ledger.intake.folder_watch import QUIET_SECONDS, Watch
from ledger.intake.import_loop import import_sources
from ledger.store import Ledger
from ledger.store import open as open_ledger
from tests.conftest import ROOT
from tests.intake.feeds import hands
from tests.intake.test_files import contents, zipped

NIGHT = (ROOT / "cli/samples/evening-online.txt").read_text("utf-8")


def mail(text: str = NIGHT, encoding: str = "quoted-printable") -> EmailMessage:
    """A mail with the room's double spaces as mail programs send them."""
    message = EmailMessage()
    message["From"], message["Subject"] = "room@mail.example", "Your hands"
    message.set_content(text.replace(":  ", ": \u00a0"), cte=encoding)
    return message


def acts(ledger: Ledger) -> dict[str, list[str]]:
    """What is told of each hand behind its beginning, which holds its first line as it was written."""
    return {number: lines[1:] for number, lines in hands(ledger).items()}


@pytest.fixture
def plain_hands(tmp_path: Path) -> dict[str, list[str]]:
    (tmp_path / "plain.txt").write_text(NIGHT, "utf-8")
    with open_ledger(tmp_path / "plain.ledger") as ledger:
        import_paths(ledger, [tmp_path / "plain.txt"])
        return acts(ledger)


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64"])
def test_a_mail_is_read_as_the_room_wrote_it_with_places_in_its_text(
    encoding: str, tmp_path: Path, plain_hands: dict[str, list[str]]
) -> None:
    email_message = mail(encoding=encoding)
    (tmp_path / "night.eml").write_bytes(email_message.as_bytes())
    with open_ledger(tmp_path / "l") as ledger:
        (file,) = import_paths(ledger, [tmp_path / "night.eml"]).files
        assert (file.name, file.new, file.rejected) == (f"{tmp_path}/night.eml!text", len(plain_hands), 0)
        assert acts(ledger) == plain_hands
        text = email_message.get_payload(decode=True)
        assert isinstance(text, bytes)
        for row in ledger.hands():
            assert row.start is not None
            assert row.length is not None
            assert text[row.start : row.start + row.length].startswith(f"PokerStars Hand #{row.number}".encode())


def test_a_text_that_is_quoted_printable_without_its_mail_is_read_too(
    tmp_path: Path, plain_hands: dict[str, list[str]]
) -> None:
    (tmp_path / "night.txt").write_bytes(quopri.encodestring(NIGHT.encode()))
    with open_ledger(tmp_path / "l") as ledger:
        assert import_paths(ledger, [tmp_path / "night.txt"]).exit_code == 0
        assert acts(ledger) == plain_hands


def test_attachments_are_opened_and_what_says_the_same_in_html_is_left_out(tmp_path: Path) -> None:
    email_message = mail("See below.")
    email_message.add_alternative("<p>See below.</p>", subtype="html")
    email_message.add_attachment(b"a", maintype="text", subtype="plain", filename="a.txt")
    packed = zipped(tmp_path / "b.zip", **{"b.txt": b"b"}).read_bytes()
    email_message.add_attachment(packed, maintype="application", subtype="zip", filename="b.zip")
    email_message.add_attachment(b"c", maintype="text", subtype="plain", filename="a.txt")
    (tmp_path / "night.eml").write_bytes(email_message.as_bytes())
    assert contents(tmp_path / "night.eml") == {
        "night.eml!text": b"See below.\n",
        "night.eml!a.txt": b"a",
        "night.eml!b.zip!b.txt": b"b",
        "night.eml!a.txt#2": b"c",
    }


def test_a_box_of_mails_is_opened_mail_by_mail(tmp_path: Path) -> None:
    box = b"".join(b"From room@mail.example Fri Nov 20 20:00:00 2026\n" + mail(f"hand {n}").as_bytes() for n in (1, 2))
    (tmp_path / "box").write_bytes(box)
    assert contents(tmp_path / "box") == {"box!1/text": b"hand 1\n", "box!2/text": b"hand 2\n"}


def test_a_mail_that_is_sent_as_it_is_stays_one_source(tmp_path: Path) -> None:
    data = mail("PokerStars Hand #1", encoding="8bit").as_bytes()
    (tmp_path / "night.eml").write_bytes(data)
    assert contents(tmp_path / "night.eml") == {"night.eml": data}


def test_a_mail_comes_through_a_pipe_or_is_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    data = mail("Hello").as_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
    (piped,) = find_sources(["-"])
    (brought,) = open_stream_sources("a.eml", io.BytesIO(data))
    assert [(file.name, file.origin) for file in (piped, brought)] == [("-!text", ""), ("a.eml!text", "")]


def test_a_mail_that_comes_into_a_watched_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "night.eml").write_bytes(mail().as_bytes())
    with open_ledger(tmp_path / "l") as ledger:
        watch = Watch([tmp_path / "in"], lambda sources: import_sources(ledger, sources).files)
        assert watch.look(0) == []
        (file,) = watch.look(QUIET_SECONDS)
        assert (file.new, file.rejected) == (12, 0)


def test_no_history_of_hands_is_taken_for_a_mail() -> None:
    samples = [p for p in (ROOT / "tests/formats").glob("*/samples/*") if p.is_file()]
    assert samples
    assert not [p.name for p in samples if mails.detect_mail_kind(p.read_bytes()[:HEAD_BYTES])]


def test_bounds_of_mails_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = b"From: a\nMIME-Version: 1.0\nContent-Transfer-Encoding: base64\n" + b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(200)
    )
    (tmp_path / "deep.eml").write_bytes(deep)
    assert contents(tmp_path / "deep.eml") == {"deep.eml": "archive"}
    monkeypatch.setattr(mails, "MAX_MAIL_BYTES", 1000)
    (tmp_path / "long.eml").write_bytes(mail("long " * 300).as_bytes())
    assert contents(tmp_path / "long.eml") == {"long.eml": "archive"}


@given(st.lists(st.tuples(st.integers(0, 900), st.binary(max_size=3)), max_size=4))
@example([(0, b"")])
def test_a_damaged_mail_is_read_or_refused(changes: list[tuple[int, bytes]]) -> None:
    email_message = mail("PokerStars Hand #1\n" * 9)
    email_message.add_attachment(b"abc", maintype="text", subtype="plain", filename="a.txt")
    data = email_message.as_bytes()
    for position, new in changes:
        data = data[:position] + new + data[position + 1 :]
    for source in open_stream_sources("a.eml", io.BytesIO(data)):
        if not source.problem:
            with source.open() as stream:
                assert len(stream.read()) == source.size


def test_a_mail_in_an_archive_in_a_mail_counts_as_archives_do(tmp_path: Path) -> None:
    data = b"x"
    for _ in range(3):
        email_message = mail("see the attachment")
        with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
            archive.writestr("inner", data)
        email_message.add_attachment(buffer.getvalue(), maintype="application", subtype="zip", filename="a.zip")
        data = email_message.as_bytes()
    (tmp_path / "a.eml").write_bytes(data)
    assert "archive" in contents(tmp_path / "a.eml").values()
