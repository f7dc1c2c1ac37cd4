"""Each fact that a clause may lack has a name for people, and a line that records it."""

from __future__ import annotations

import pytest

from ledger.errors import HandledgerError
from ledger.formats.handscript import read_with_comments
from ledger.people import People
from ledger.vocabulary import Witness, list_witness_names
from projections.reports import fact_names

HEAD = "handscript 1\nvenue V  table T  seats 9\nwitness live-table\ngame holdem no-limit cash blinds 2/5 unit USD 2\n"
HAND = "hand 1\n" + "".join(f"seat {seat} P{seat} 500\n" for seat in range(1, 6)) + "button 1\n"


@pytest.mark.parametrize("kind", list_witness_names(int(sum(Witness))))
def test_each_kind_of_fact_has_a_name_and_a_way_to_record_it(kind: str) -> None:
    if kind == "written-button":  # never missing: `button` is
        return
    assert fact_names.describe_fact(kind) != kind or kind in ("antes", "permissions", "discards", "chat")
    assert fact_names.advise_recording(kind).startswith("Next time: ")


@pytest.mark.parametrize(
    "line", sorted({*fact_names.EXAMPLE_LINES.values(), *fact_names._FURTHER_EXAMPLE_LINES.values()})
)
def test_each_line_of_the_advice_can_be_read(line: str) -> None:
    texts = [HEAD + HAND + line + "\nend\n", HEAD + line + "\n", HEAD + line + "\n" + HAND + "end\n"]
    for text in texts:
        try:
            read_with_comments(text, People(bytes(32)))
        except HandledgerError as error:
            problem = error
        else:
            return
    pytest.fail(f"{line}: {problem}")
