"""The card of handscript fits one page, and what it shows can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.handscript import CARD_FILE
from ledger.errors import UsageError
from tests.cli.conftest import Run
from web.pages.paper import render_text_pdf

LINES = ["button 1", "2 sb, 3 bb", "5 folds, 6 raises to 15", "everybody folds", "6 wins", "Bo rebuys 300"]
SECOND = ["6 calls, 1 folds, 2 folds, 3 calls, 5 checks", "flop Kd 7s 2c", "3 5 6 check", "turn 9h", "3 5 6 check"]
LAST = ["river 4s", "3 checks, 5 checks, 6 bets 5, Cy calls, Mo folds", "6 shows Ah Ad", "6 wins"]
LATER_LINES = ["Ana away", "new player Ned in seat 4 with 300"]


def test_the_card_fits_a_page_and_its_lines_are_read(run: Run, tmp_path: Path) -> None:
    card = CARD_FILE.read_text("utf-8")
    assert max(map(len, card.splitlines())) <= 80
    assert len(card.splitlines()) <= 50
    assert run("handscript", "--card").out == card
    lines_on_card = [*LINES, *(line for line in [*SECOND, *LAST, *LATER_LINES] if line in card)]
    assert len(lines_on_card) == 13
    assert all(line in card for line in lines_on_card)
    head = ["handscript 1", "room Riverside  table T7  date 2026-11-20", "game no-limit holdem 2/5"]
    seats = ["seat 1 Ana 500", 'seat 2 "Bo Lee" 430', "seat 3 Cy 500", "seat 5 Mo 500", "seat 6 Pat 500"]
    assert all(line in card for line in (*head, *seats[:2]))
    matches = re.findall(r"^(?:A whole hand)? {9,}(\S.*)$", card[card.index("A whole hand") :], re.MULTILINE)
    assert (matches[0], matches[-1]) == ("hand 2", "5 wins")
    second = ["hand 3", "button 2", "3 sb, 5 bb", *SECOND, *LAST, *LATER_LINES]
    night = tmp_path / "night.hand"
    night.write_text("\n".join([*head, "", *seats, "", "hand 1", *LINES, *matches, *second]) + "\n")
    answer = run("read", str(night))
    assert answer.code == 0, answer.out


@pytest.mark.slow
def test_a_pdf_of_the_card_is_one_page(run: Run, tmp_path: Path) -> None:
    try:
        pdf = render_text_pdf("handscript", CARD_FILE.read_text("utf-8"))
    except UsageError:
        pytest.skip("no PDF: pip install 'handledger[pdf]'")
    assert pdf.startswith(b"%PDF")
    assert len(re.findall(rb"/Type /Page\b(?!s)", pdf)) <= 1
    assert run("handscript", "--card", "-o", str(tmp_path / "card.pdf")).code == 0
    assert (tmp_path / "card.pdf").read_bytes().startswith(b"%PDF")
