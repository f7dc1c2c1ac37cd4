"""Files that are dropped on a page: the same intake, the same summary, bounded, and nothing lost when somebody leaves."""

from __future__ import annotations

import gzip
import json
import re
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from uuid import UUID

import jsonschema
import pytest

from cli.documents.published import find_schema
from ledger.entry import Provenance
from ledger.house.events import FindingChanged, RulebookAdopted
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.hands.account_standings import AccountStandings
from ledger.streams import HOUSE
from projections.books import rulebook
from tests.children import child
from tests.web.nights import wrong_button
from tests.web.serving import AUDITOR, FLOOR, VIEWER, Served, multipart, serving
from web.server.access.bodies import IntakeBounds

NIGHT = wrong_button().encode()
BROKEN = b"handscript 1\nhand 9\nnobody knows this line\n"
HOSTILE = '<img src=x onerror="alert(1)">.hand'


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with open_ledger(tmp_path / "x.ledger") as ledger:
        book = rulebook.load("rrop4")
        ledger.append(
            "house", HOUSE, [RulebookAdopted(book.name, book.edition, book.digest)], recorded=Provenance(ledger.now())
        )
    with (
        open_ledger(tmp_path / "x.ledger", read_only=True) as ledger,
        serving(ledger, writes=True, bounds=IntakeBounds(file=2 * 1024 * 1024, wait=2)) as running,
    ):
        yield running


def hands(ledger: Ledger) -> int:
    return len(list(ledger.hands()))


def standing_accounts(ledger: Ledger) -> list[UUID]:
    """The accounts on which the house relies."""
    return [row.stream for row in AccountStandings(ledger).add_standings(ledger.hands()) if row.stands]


def test_a_dropped_file_is_imported_as_the_command_does(served: Served, tmp_path: Path) -> None:
    status, page = served.drop(("night.hand", NIGHT), ("broken.hand", BROKEN))
    assert status == 200
    assert "2 new hands" in page
    assert 'class="reject"' in page
    assert re.search(r"broken\.hand</b>, line \d", page)
    assert hands(served.ledger) == 2
    (tmp_path / "night.hand").write_bytes(NIGHT)
    with open_ledger(tmp_path / "other.ledger") as ledger:
        other_summary = import_paths(ledger, [tmp_path / "night.hand"]).files[0]
        assert [commit.data for commit in ledger.commits(kind="table")] != []
    assert (other_summary.new, other_summary.rejected) == (2, 0)
    (source,) = [
        source_row
        for source_row in served.ledger.sources
        if served.ledger.people.words(source_row.name) == "night.hand"
    ]
    assert b"".join(served.ledger.sources.read(source.digest)) == NIGHT, "the bytes are kept"
    assert any(isinstance(event, FindingChanged) for event in served.ledger.events(HOUSE)), "and judged at once"
    imports = served.ask("/imports", key=FLOOR)[1]
    assert "<summary>The text</summary>" in imports
    assert source.digest[:12] not in imports, "a floor manager sees no hash"
    assert "SHA-256" in served.ask("/imports", key=AUDITOR)[1]


def test_a_file_without_a_witness_line_is_told_which_line_to_add(served: Served) -> None:
    without_witness = b"\n".join(line for line in NIGHT.split(b"\n") if not line.startswith(b"witness"))
    page = served.drop(("bare.hand", without_witness))[1]
    assert "2 hands without a witness line" in page
    assert "witness floor-form" in page


def test_what_is_there_already_is_not_stored_again(served: Served) -> None:
    served.drop(("night.hand", NIGHT))
    head = served.ledger.head()
    status, page = served.drop(("again.hand", NIGHT))
    assert status == 200
    assert "all of it was there already" in page
    assert served.ledger.head()[0] == head[0]


def test_another_file_of_the_same_name_replaces_nothing(served: Served) -> None:
    """Two people have a night.hand each: neither is the newer edition of the other, as a file at one path would be."""
    served.drop(("night.hand", NIGHT))
    uuids = standing_accounts(served.ledger)
    status, page = served.drop(("night.hand", NIGHT.replace(b"folds", b"checks", 1)))
    assert status == 200
    assert "0 new hands; 1 differs from the hand on record and is kept as another account." in page
    assert standing_accounts(served.ledger) == uuids


def test_archives_are_opened_and_names_are_only_names(served: Served) -> None:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../night.hand", NIGHT)
    status, page = served.drop(
        (HOSTILE.replace('"', "%22"), gzip.compress(NIGHT)), (r"C:\\hands\\all.zip", packed.getvalue())
    )
    assert status == 200
    assert "<img src=x" not in page
    assert hands(served.ledger) == 2
    names = {served.ledger.people.words(source.name) for source in served.ledger.sources}
    assert not any("C:" in (name or "") for name in names)


def test_programs_get_the_summary_as_a_document(served: Served) -> None:
    body, kind = multipart({}, [("file", "night.hand", NIGHT)])
    headers = {"Content_Type": kind, "Authorization": f"Bearer {FLOOR}"}
    status, text, _ = served.ask("/imports.json", key="", method="POST", body=body, **headers)
    assert status == 200
    document = json.loads(text)
    jsonschema.Draft202012Validator(find_schema("page-imported")).validate(document)
    assert (document["total"]["new"], document["total"]["not_read"]) == (2, 0)
    status, text, _ = served.ask("/imports.json", key="", method="POST", body=multipart({}, [])[0], **headers)
    assert (status, json.loads(text)["message"]) == (400, "No file was chosen.")


@pytest.mark.parametrize("key", [VIEWER, AUDITOR])
def test_only_the_floor_brings_files_in(served: Served, key: str) -> None:
    assert served.drop(("night.hand", NIGHT), key=key)[0] == 403
    assert "Import files" not in served.ask("/imports", key=key)[1]
    assert hands(served.ledger) == 0


@pytest.mark.parametrize(
    "data", [b"", b"\x00\x01" * 500, b"hello, world\n", b"PK\x03\x04 no archive", b"\x1f\x8b no archive"]
)
def test_what_is_no_hand_history_is_said_and_ends_nothing(served: Served, data: bytes) -> None:
    status, page = served.drop(("strange", data), ("night.hand", NIGHT))
    assert status == 200
    assert "2 new hands" in page
    assert "Traceback" not in page


def test_a_file_that_is_too_large_is_refused_and_nothing_is_taken_in(served: Served) -> None:
    status, page = served.drop(("large.hand", NIGHT * 3000))
    assert status == 413
    assert "2 MB at most" in page
    chunked = multipart({"token": served.token()}, [("file", "large.hand", NIGHT * 3000)])
    head = (
        f"POST /imports HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nCookie: handledger={FLOOR}\r\n"
        f"Origin: {served.origin}\r\nContent-Type: {chunked[1]}\r\nTransfer-Encoding: chunked\r\n\r\n"
    ).encode()
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as link:
        link.sendall(head)
        for index in range(0, len(chunked[0]), 65_536):
            piece = chunked[0][index : index + 65_536]
            link.sendall(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        assert b" 413 " in link.recv(4000).split(b"\r\n")[0], "also where nobody said how much comes"
    assert hands(served.ledger) == 0


def test_who_closes_the_tab_while_sending_leaves_nothing_half(served: Served) -> None:
    body, kind = multipart({"token": served.token()}, [("file", "night.hand", NIGHT)])
    head = (
        f"POST /imports HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nCookie: handledger={FLOOR}\r\n"
        f"Origin: {served.origin}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    for cut in (len(head), len(head) + 200, len(head) + len(body) - 5):
        with socket.create_connection(("127.0.0.1", served.port), timeout=20) as link:
            link.sendall((head + body)[:cut])
    assert served.ask("/imports", key=FLOOR)[0] == 200
    assert hands(served.ledger) == 0
    assert served.drop(("night.hand", NIGHT))[0] == 200
    assert hands(served.ledger) == 2


def memory_of(program: int) -> int:
    """The most memory that a program has had, in MB."""
    text = Path(f"/proc/{program}/status").read_text(encoding="ascii")
    match = re.search(r"VmHWM:\s+(\d+) kB", text)
    assert match
    return int(match[1]) // 1024


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="what a program's memory is, is read from /proc")
def test_a_large_file_does_not_fill_the_memory(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger"):
        pass
    command = [sys.executable, "-m", "cli.main", "serve", "--write", "--port", "0", "--largest", "150"]
    command += ["--ledger", str(tmp_path / "x.ledger"), "--format", "json"]
    with child(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        line = ""
        while not line.endswith("\n}\n"):
            line += program.stdout.readline()
        address = json.loads(line)["addresses"][0]["url"]
        port, key = address.removeprefix("http://127.0.0.1:").split("/?key=")
        memory_before = memory_of(program.pid)
        block, blocks = b"no hand at all, only words\n" * 4000, 1100
        start, end = multipart({}, [("file", "large.txt", b"|")])[0].split(b"|")
        with socket.create_connection(("127.0.0.1", int(port)), timeout=120) as link:
            link.sendall(
                f"POST /imports.json HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {key}\r\n"
                f"Content-Type: {multipart({}, [])[1]}\r\nContent-Length: {len(start) + len(end) + len(block) * blocks}"
                "\r\nConnection: close\r\n\r\n".encode()
            )
            link.sendall(start)
            for _ in range(blocks):
                link.sendall(block)
            link.sendall(end)
            answer = b""
            while piece := link.recv(65_536):
                answer += piece
        document = json.loads(answer.partition(b"\r\n\r\n")[2])
        grown = memory_of(program.pid) - memory_before
        program.terminate()
        program.communicate(timeout=30)
    assert document["total"]["rejected_bytes"] == len(block) * blocks
    assert grown < 100, f"{grown} MB for a file of {len(block) * blocks // 1024**2} MB"
