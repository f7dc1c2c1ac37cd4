"""Reports: the frame points at the right bytes, nothing of a stranger's text acts, lines fit."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import pytest

from ledger import safe
from ledger.account import Account
from ledger.entry import EventOrigin, Provenance, SourceSpan
from ledger.formats import handscript
from ledger.notation import Chunk
from ledger.people import People
from ledger.replay import HandReplay
from ledger.text.language import LANGUAGES, use_language
from projections.addresses.hand_reference import Hand
from projections.audit.audit_result import AuditResult
from projections.audit.auditor import judge
from projections.books.rulebook import load
from projections.findings.finding import Finding, Line
from projections.reports import audit_summary, audit_text
from projections.reports.audit_json import Document, build_document, encode_document

STORY = """handscript 1
venue Room table T7 seats 9
witness everything
hand 412
game holdem no-limit cash blinds 5/10 bets 10
option straddle-amount 20
seat 1 Ann 1000
seat 2 {name} 1000
seat 3 Cy 1000
seat 4 Dee 1000
button 1
2 posts small 5
3 posts big 10
4 straddles 20
1 straddles 40 restraddle
deal done
2 folds
stop
"""


def story(name: str = "Bo") -> tuple[HandReplay, audit_text.Source, bytes]:
    data = STORY.format(name=name).encode()
    digest = sha256(data).hexdigest()
    (account,) = handscript.FORMAT.read(Chunk(data), People(b"t" * 32))
    assert isinstance(account, Account)
    pairs = zip(account.places[::2], account.places[1::2], strict=True)
    marks = [EventOrigin(start, length) for start, length in pairs]
    place = SourceSpan(digest, account.start, account.length)
    source = audit_text.Source(
        read=lambda wanted, start, length: data[start : start + length] if wanted == digest else b"",
        locate=lambda _, offset: ("night.hand", data[:offset].count(b"\n") + 1),
    )
    return HandReplay(account.events, marks, recorded=Provenance(0, source=place)), source, data


def judged(name: str = "Bo") -> tuple[AuditResult, audit_text.Source, bytes]:
    hand, source, data = story(name)
    return judge(hand, load("hilton")), source, data


def test_a_finding_points_at_the_bytes_that_show_it() -> None:
    result, source, data = judged()
    finding = next(f for f in result.findings if f.clause == "B8a.1")
    line = finding.lines[0]
    assert data[line.start : line.start + line.length] == b"1 straddles 40 restraddle"
    lines = audit_text.format_finding(finding, source).splitlines()
    index = lines.index(" 15 | 1 straddles 40 restraddle")
    assert lines[index + 1] == "    | ^^^^^^^^^^^^^^^^^^^^^^^^^"
    assert f"night.hand:15  bytes {line.start}-{line.start + line.length}" in "\n".join(lines)
    assert any(part.startswith("   = rule") and "hilton B8a.1" in part for part in lines)
    assert any(part.startswith("   = try") and "handledger rules hilton B8a.1" in part for part in lines)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_the_source_is_shown_in_its_own_encoding(encoding: str) -> None:
    text_before, marked, text_after = "seat 1 Zo\u00eb\n", "1 straddles 40", " restraddle\nstop\n"
    data = (text_before + marked + text_after).encode(encoding)
    start, length = len(text_before.encode(encoding)), len(marked.encode(encoding))
    finding = Finding(
        clause="B8a.1",
        book="hilton",
        edition="1",
        severity="error",
        certainty="certain",
        hand=Hand("R", "T", "1"),
        version=3,
        seat=1,
        saw="a straddle",
        asks="",
        should="",
        because="",
        money=[],
        remedy="none",
        fingerprint="f" * 16,
        lines=[Line(3, "", start, length)],
        source="ab" * 32,
    )
    source = audit_text.Source(read=lambda _, first, many: data[first : first + many], locate=lambda *_: ("x.txt", 2))
    lines = audit_text.format_finding(finding, source).splitlines()
    line_index = next(n for n, line in enumerate(lines) if line.endswith("1 straddles 40 restraddle"))
    assert lines[0] == "error: A straddle"
    assert lines[line_index + 1].strip(" |") == "^" * len(marked)


@pytest.mark.parametrize("width", [40, 60, 100, 200])
def test_no_line_is_wider_than_told(width: int) -> None:
    result, source, _ = judged()
    printed_text = [audit_text.format_finding(f, source, width=width) for f in result.findings]
    printed_text += [audit_summary.format_coverage(result, width=width)]
    for line in "\n".join(printed_text).splitlines():
        assert safe.columns(line) <= width, line


def test_a_hostile_source_is_shown_and_not_obeyed() -> None:
    hand, _, _ = story()
    result = judge(hand, load("hilton"))
    evil = b"1 straddles \x1b[2J\xe2\x80\xae40 rest\xffraddle\n"
    source = audit_text.Source(read=lambda *_: evil * 40, locate=lambda *_: ("\x1b]0;evil\x07.txt", 3))
    for finding in result.findings:
        printed_text = audit_text.format_finding(finding, source, width=80)
        assert not any(c in printed_text for c in "\x1b\x07\u202e")


def test_a_finding_without_its_source_still_reads() -> None:
    result, _, _ = judged()
    printed_text = audit_text.format_finding(result.findings[0])
    assert "hilton" in printed_text
    assert "-->" not in printed_text


def test_colour_is_only_there_when_asked_for() -> None:
    result, source, _ = judged()
    assert "\x1b[" not in audit_text.format_finding(result.findings[0], source)
    assert "\x1b[" in audit_text.format_finding(result.findings[0], source, is_coloured=True)


def test_wording_accuses_nobody() -> None:
    result, source, _ = judged()
    printed_text = "\n".join(audit_text.format_finding(f, source) for f in result.findings).lower()
    assert not any(word in printed_text for word in ("cheat", "fraud", "violation", "guilty"))


def test_a_summary_says_how_far_it_could_see() -> None:
    result, _, _ = judged()
    printed_text = audit_summary.format_summary(result)
    assert "Judged 1 hand under hilton and for contradictions in the record:" in printed_text
    assert "hilton B8a.1" in printed_text
    assert "the order of the table's hands" in printed_text


def test_the_document_has_a_schema_and_comes_back() -> None:
    result, _, _ = judged()
    assert msgspec.json.decode(encode_document(result), type=Document) == build_document(result)
    schema = msgspec.json.schema(Document)
    assert "Finding" in schema["$defs"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_is_wider_than_the_screen_in_any_language(language: str) -> None:
    with use_language(language):
        result, source, _ = judged("王小明")
        for width in (40, 72, 100):
            text = [audit_text.format_finding(finding, source, width=width) for finding in result.findings]
            text += [audit_summary.format_coverage(result, width=width)]
            assert all(safe.columns(line) <= width for part in text for line in part.splitlines())
