"""A wrong button is followed until the game is back in step, with what each seat paid too much over it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from projections.audit.knock_on import follow_knock_on
from projections.books.rulebook import load
from projections.table_walk.replay import make_first_checkpoint
from tests.cli.conftest import Run
from tests.conftest import scale_examples
from tests.evenings import ROOMS, Evening, evening

HEAD = "handscript 1\nvenue Riverside table T7\nwitness everything\n"
HAND = """
hand {number} 2026-11-20T20:{number:02}:00Z
game holdem limit cash blinds 5/10 bets 10/20 unit USD 0
button {button} stacks {stacks}
{small} posts small 5
{big} posts big 10
deal done
{opens} folds
{button} folds
{small} folds
{big} uncalled 5
{big} wins 10 from main
end
"""


def night(tmp_path: Path, run: Run, *buttons: int) -> str:
    """A night of four players with the button at these seats, one hand after the other."""
    text, chips = HEAD, dict.fromkeys((1, 2, 3, 4), 500)
    for number, button in enumerate(buttons, 1):
        small, big, opens = ((button + offset - 1) % 4 + 1 for offset in (1, 2, 3))
        stacks = " ".join(f"{seat}:{has}" for seat, has in chips.items())
        text += HAND.format(number=number, button=button, stacks=stacks, small=small, big=big, opens=opens)
        chips[small] -= 5
        chips[big] += 5
    (tmp_path / "night.hand").write_text(text)
    assert run("import", str(tmp_path / "night.hand"), "--ledger", str(tmp_path / "l")).code == 0
    return str(tmp_path / "l")


def followed(run: Run, url: str, hand: int) -> dict[str, Any]:
    return dict(run("aftermath", str(hand), "-r", "hilton", "--ledger", url, "--format", "json").document["found"])


def test_a_button_that_was_put_right_again(tmp_path: Path, run: Run) -> None:
    url = night(tmp_path, run, 1, 3, 3, 4)  # the second should have been at 2
    knock_on = followed(run, url, 2)
    (wrong,) = knock_on["hands"]
    assert wrong["should"] == {"button": 2, "small": 3, "big": 4}
    assert {share["seat"]: share["amount"] for share in wrong["money"]} == {1: 10, 3: -5, 4: -5}
    assert knock_on["in_step"] == "3"
    assert "Hand 3 was right again." in run("aftermath", "2", "-r", "hilton", "--ledger", url).out
    nothing = followed(run, url, 4)
    assert nothing["hands"] == []


def test_a_button_that_went_on_from_where_it_was_wrong(tmp_path: Path, run: Run) -> None:
    url = night(tmp_path, run, 1, 3, 4, 1)
    knock_on = followed(run, url, 2)
    assert [hand["should"]["button"] for hand in knock_on["hands"]] == [2, 3, 4]
    assert knock_on["in_step"] == ""
    sums = {hand["seat"]: hand["amount"] for hand in knock_on["money"]}
    assert sums == {2: 5, 3: 5, 4: -10}  # and seat 1 in all what it should have
    assert "Not corrected: the record ends with hand 4." in run("aftermath", "2", "-r", "hilton", "--ledger", url).out


@given(st.builds(evening, st.sampled_from(sorted(ROOMS)), st.integers(0, 10**6), st.integers(3, 12)))
@settings(max_examples=scale_examples(25))
def test_on_a_legal_evening_there_is_nothing_to_follow(sample: Evening) -> None:
    book = load(sample.room.book)
    for entry in sample.told():
        stream = getattr(entry.event, "hand", None)
        if isinstance(stream, str):
            assert follow_knock_on(make_first_checkpoint(sample.told()), book, stream).hands == []
