"""What the page in the pocket is answered."""

from __future__ import annotations

import json

from handledger import Table
from handledger.pocket import answer_request


def test_the_page_learns_the_game_as_it_is_now() -> None:
    table = Table("no-limit 0.25/0.50", rulebook="hilton")
    for seat, name in enumerate(("Ana", "Bo", "Cy"), start=1):
        table.sit(seat, name)
    table.deal(button=1)
    table.change_game("limit 5/10")
    request = {"ask": "show", "table": table.to_dict(), "books": ["hilton"]}
    answer = json.loads(answer_request(json.dumps(request)))
    assert "5/10" in answer["game"]
    assert "0.25" not in answer["game"]


def test_an_evening_of_hundreds_of_hands_is_read_from_handscript() -> None:
    table = Table("no-limit 1/2", rulebook="hilton", running=True)
    for seat in range(1, 10):
        table.sit(seat, f"Player {seat}")
    table.deal(button=1)
    for _ in range(250):
        table.deal()
    text = table.to_handscript()
    answer = json.loads(answer_request(json.dumps({"ask": "read", "text": text, "book": "hilton"})))
    assert Table.from_dict(answer["table"]).due() == table.due()
    refused = json.loads(answer_request(json.dumps({"ask": "read", "text": text + "#" * 500_000, "book": "hilton"})))
    assert refused["error"] == "The text has more than 500000 characters."
