"""Texts that hold no hands are rejected with what they are, and what is not known with what to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger import formats
from ledger.account import Account, Reject
from ledger.intake import FileSummary, import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from tests.formats.support import read

STARS = (
    "PokerStars Tournament #900000001, No Limit Hold'em\nBuy-In: $1/$0.10 USD\n2 players\n\n"
    "  1: Ada (Utopia), $2 (100%)\n  2: Bo (Utopia)\n"
)
SUMMARIES = {
    "a tournament (PokerStars)": STARS,
    "a tournament (Winamax)": "Winamax Poker - Tournament summary : Cup(1)\nPlayer : Ada\n",
    "a tournament (888poker)": "***** Cassava Tournament Summary *****\nTournament ID: 3\n",
    "a tournament (PokerTracker)": "PokerTracker 4 Tournament Summary\nSite: Merge\n",
    "a tournament (Unibet)": "=== TOURNAMENT SUMMARIES ===\n\nUnibet Tournament #8, No Limit Holdem\n",
    "a tournament": "Tournament #8, Cup, Hold'em No Limit\nBuy-in: $1+$0.1\n",
}


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(tmp_path / "hands.ledger") as opened:
        yield opened


def import_file(ledger: Ledger, path: Path) -> FileSummary:
    [file] = import_paths(ledger, [path]).files
    return file


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("sample", SUMMARIES)
def test_the_summary_of_a_tournament_is_said_to_be_one(
    ledger: Ledger, tmp_path: Path, sample: str, encoding: str
) -> None:
    (tmp_path / "a.txt").write_bytes(("\n" + SUMMARIES[sample]).encode(encoding))
    file = import_file(ledger, tmp_path / "a.txt")
    assert [(reject.code, reject.reason) for reject in file.rejects] == [
        ("not-a-hand", f"the summary of {sample}, no hand")
    ]


def test_a_summary_behind_a_hand_is_no_part_of_the_hand() -> None:
    hand = (
        "PokerStars Hand #900000005:  Hold'em No Limit ($1/$2 USD) - 2026/01/15 15:04:05 ET\n"
        "Table 'Own Sample' 6-max Seat #1 is the button\nSeat 1: Ada ($200 in chips) \nSeat 2: Bo ($180 in chips) \n"
        "Ada: posts small blind $1\nBo: posts big blind $2\n*** HOLE CARDS ***\nAda: folds \n"
        "Uncalled bet ($1) returned to Bo\nBo collected $2 from pot\n*** SUMMARY ***\nTotal pot $2 | Rake $0 \n\n\n"
    )
    first, summary, last = read(formats.get("pokerstars"), hand + STARS + "\n\n" + hand)
    assert isinstance(first, Account)
    assert isinstance(last, Account)
    assert isinstance(summary, Reject)
    assert (summary.code, summary.length) == ("not-a-hand", len(STARS.rstrip()))


def test_a_web_page_is_said_to_be_one(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<!DOCTYPE html>\n<html><body>Hand #1</body></html>\n")
    [reject] = import_file(ledger, tmp_path / "a.html").rejects
    assert (reject.code, reject.reason) == ("not-a-hand", "a web page, no hand")


def test_a_file_of_blanks_is_said_to_be_empty(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbf \r\n\n")
    [reject] = import_file(ledger, tmp_path / "a.txt").rejects
    assert (reject.code, reject.reason) == ("not-a-hand", "an empty text, no hand")


def test_what_nobody_knows_says_in_one_line_how_a_format_is_named(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Dear diary,\n")
    [reject] = import_file(ledger, tmp_path / "a.txt").rejects
    assert reject.code == "unknown-format"
    assert "--format NAME" in reject.hint
    assert len(reject.hint) < 80


def test_a_piece_of_a_mail_whose_parts_are_packed_says_what_to_save(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("--part\nContent-Transfer-Encoding: base64\n\nUG9rZXJTdGFycyBIYW5kICMx\n")
    [reject] = import_file(ledger, tmp_path / "a.txt").rejects
    assert reject.reason == "a part of a mail, which is packed"
    assert reject.hint == "Save the whole mail (.eml) and import that, or save its attachments as files of their own."


def test_a_file_of_a_room_that_nobody_knows_is_told_by_its_name(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\ufeffBlitzPoker Hand #12:  Hold'em No Limit ($1/$2 USD)\nTable 'x'\n")
    [reject] = import_file(ledger, tmp_path / "a.txt").rejects
    assert reject.reason == "begins like a hand of BlitzPoker, a room that no reader knows"


@pytest.mark.parametrize(
    ("head", "language"),
    [
        ("PokerStars Hand Nr. 900000012:  Hold'em No Limit ($1/$2 USD) - 17.11.2026 20:01:21 MEZ", "German"),
        ("PokerStars Παρτίδα #900000012:  Hold'em No Limit ($1/$2 USD)", "Greek"),
    ],
)
def test_a_hand_in_a_language_that_nobody_reads_is_told_by_it(
    ledger: Ledger, tmp_path: Path, head: str, language: str
) -> None:
    (tmp_path / "a.txt").write_text(f"{head}\n*** FLOP *** [2c 3d 4h]\n", encoding="utf-8")
    text = (
        f"PokerStars Hand #900000011:  Hold'em No Limit ($1/$2 USD) - 2026/11/17 20:01:21 ET\nTable 'x' 2-max\n{head}\n"
    )
    (tmp_path / "b.txt").write_text(text, encoding="utf-8")  # behind a hand, and no part of it
    for name in ("a", "b"):
        reject = import_file(ledger, tmp_path / f"{name}.txt").rejects[-1]
        assert reject.reason == f"a hand of PokerStars in {language}, which no reader knows"
        assert "ask for them in English" in reject.hint


@pytest.mark.data
def test_summaries_of_real_tournaments_are_all_said_to_be_ones(ledger: Ledger, data_dir: Path) -> None:
    files = import_paths(ledger, [data_dir / "tournament-summaries"]).files
    assert len(files) == 13
    for file in files:
        [reject] = file.rejects
        assert reject.code == "not-a-hand"
        assert reject.reason.startswith("the summary of a ")
