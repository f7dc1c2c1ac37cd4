"""What the hands dropped against what the boxes held: the difference, and the hands that could hold it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.entry import Provenance
from ledger.errors import CorrectionError, UnreadableHandError
from ledger.intake import import_paths
from ledger.recording.fact_correction import CorrectionAuthor, append_fact_correction, plan_fact_correction
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from ledger.streams import table_stream
from ledger.table.money_events import BoxCounted
from projections.money.difference import EventRef
from projections.money.drop import ShiftDrops, check_drops
from projections.money.shift import read_shift
from projections.money.shift_builder import build_shift_report
from tests.projections.money.evenings import make_ledger, write_hand, write_head

DAY = "2026-11-29"
T1 = TableKey("Riverside", "", "T1")


def at(number: int) -> str:
    return f"2026-11-29T20:{number:02}:00-05:00"


def write_hands(count: int = 6, **changes: dict[str, object]) -> str:
    """Return hands 1 to `count`: pots of $21 that drop $2. `changes`: other values of a hand, as h4={"drop": ""}."""
    return "".join(write_hand(number, at(number), **changes.get(f"h{number}", {})) for number in range(1, count + 1))


def check(folder: Path, *texts: str, shift: str = DAY) -> ShiftDrops:
    with make_ledger(folder, *texts) as ledger:
        return check_drops(ledger, read_shift(ledger, shift), shift)


def name_hands(references: list[EventRef]) -> list[str]:
    return [reference.name.rpartition("/")[2] for reference in references]


def test_a_box_that_holds_what_its_hands_dropped_differs_from_nothing(tmp_path: Path) -> None:
    drops = check(tmp_path, write_head() + write_hands() + "drop-box 12 shift swing\n")
    assert (drops.differences, drops.gaps) == ([], [])
    (box,) = drops.boxes
    assert (box.amount, box.expected, box.hands, box.shift, box.unit) == (1_200, 1_200, 6, "swing", "USD")
    (table,) = drops.tables
    assert table.amounts == {"drop": 1_200, "jackpot": 0, "promotion": 0}
    assert table.hands_without_drop == {"drop": 0, "jackpot": 0, "promotion": 0}


def test_a_short_box_is_named_with_both_sums(tmp_path: Path) -> None:
    drops = check(tmp_path, write_head() + "dealer Kim\n" + write_hands() + "drop-box 11\n")
    (difference,) = drops.differences
    assert difference.says == "The drop box is $1 short. It held $11, and its hands dropped $12."
    assert (difference.kind, difference.expected, difference.recorded) == ("box", 1_200, 1_100)
    assert (difference.venue, difference.table, difference.dealer, difference.shift) == ("Riverside", "T1", "Kim", DAY)
    assert difference.because == "It is the box of 6 hands, 1 to 6: the table's record begins there."
    assert [reference.note for reference in difference.events] == ["drop box counted: $11"]
    assert difference.events[0].stream == table_stream(*T1).hex
    assert difference.could_explain == []
    assert drops.gaps == []


def test_the_likeliest_hand_is_the_pot_with_a_flop_and_no_drop(tmp_path: Path) -> None:
    text = write_head() + write_hands(8, h3={"drop": ""}, h5={"flop": False, "drop": ""}) + "drop-box 14\n"
    (difference,) = check(tmp_path, text).differences
    assert difference.says == "The drop box is $2 over. It held $14, and its hands dropped $12."
    assert name_hands(difference.could_explain) == ["3"]
    assert difference.could_explain[0].note == "a flop, a pot of $21 and no drop on record; pots like it dropped $2"


def test_a_drop_that_its_pot_contradicts_explains_a_short_box(tmp_path: Path) -> None:
    (difference,) = check(tmp_path, write_head() + write_hands(h2={"drop": "rake 5"}) + "drop-box 12\n").differences
    assert name_hands(difference.could_explain) == ["2"]
    assert difference.could_explain[0].note == "its pot of $21 dropped $5; pots like it dropped $2"


def test_a_box_belongs_to_the_hands_since_the_box_before(tmp_path: Path) -> None:
    text = write_head() + write_hands(2) + "drop-box 4\n" + write_hand(3, at(3)) + "drop-box 3\n"
    drops = check(tmp_path, text)
    assert [(box.expected, box.hands) for box in drops.boxes] == [(400, 2), (200, 1)]
    (difference,) = drops.differences
    assert difference.because == "It is the box of hand 3, the only one since the count before."
    assert [reference.note for reference in difference.events] == ["drop box counted: $3", "drop box counted: $4"]


def test_each_box_is_checked_against_its_own_drop(tmp_path: Path) -> None:
    hands = write_hands(h1={"drop": "rake 2\njackpot 1"}, h2={"drop": "rake 2\ndrop bingo 1"})
    drops = check(tmp_path, write_head() + hands + "drop-box 12\njackpot-box 1\npromotion-box 0\n")
    (difference,) = drops.differences
    assert difference.says == "The promotion box is $1 short. It held $0, and its hands dropped $1."
    assert drops.gaps == []


def test_time_charges_are_in_the_drop_box(tmp_path: Path) -> None:
    text = write_head() + "1 sits Ana stack 500\n1 time-charge 6\n" + write_hand(1, at(1)) + "drop-box 9\n"
    (difference,) = check(tmp_path, text).differences
    assert (difference.expected, difference.recorded) == (800, 900)
    assert difference.because.endswith("Time charges of $6 are in the sum.")


def test_a_table_that_nobody_counted_is_a_gap_and_no_difference(tmp_path: Path) -> None:
    drops = check(tmp_path, write_head() + write_hands())
    assert drops.differences == []
    (gap,) = drops.gaps
    assert gap.missing == "Nobody counted the drop box. 6 hands dropped $12."
    assert name_hands(gap.events) == ["1", "6"]


def test_a_box_that_was_counted_after_the_shift_is_a_gap(tmp_path: Path) -> None:
    next_day = write_hand(7, "2026-11-30T20:00:00-05:00") + "drop-box 14\n"
    (gap,) = check(tmp_path, write_head() + write_hands() + next_day).gaps
    assert gap.missing == (
        "The drop box was counted only after the shift. 6 hands of the shift, with a drop of $12, are in it."
    )


def test_hands_whose_record_shows_no_drop_are_counted_and_never_guessed(tmp_path: Path) -> None:
    silent_head = write_head().replace("live-table except burns shuffles", "button posts acts board awards")
    hands = write_hands(3).replace("rake 2\n", "", 1)
    drops = check(tmp_path, silent_head + hands + "drop-box 6\n")
    assert drops.differences == []
    (gap,) = drops.gaps
    assert gap.missing == (
        "The drop box held $6, and the other hands dropped $4. 1 hand doesn't show its drop. Its pot lacks just the rest."
    )
    assert name_hands(gap.events[1:]) == ["1"]
    assert drops.tables[0].hands_without_drop["drop"] == 1


def test_a_box_below_what_some_hands_dropped_is_short_whatever_the_others_did(tmp_path: Path) -> None:
    silent_head = write_head().replace("live-table except burns shuffles", "button posts acts board awards")
    hands = write_hands(3).replace("rake 2\n", "", 1)
    (difference,) = check(tmp_path, silent_head + hands + "drop-box 3\n").differences
    assert difference.says == "The drop box is $1 short. It held $3, and its hands dropped $4."
    assert difference.because.endswith("1 of these hands doesn't show what it dropped.")


COUNT_FILE = "handscript 1\nvenue Riverside  table T1\n{unit}\ndrop-box 12 shift swing\n"


def test_a_count_in_a_file_of_its_own_belongs_to_the_hands_before(tmp_path: Path) -> None:
    drops = check(tmp_path, write_head() + write_hands(), COUNT_FILE.format(unit="unit USD 2"))
    assert [(box.amount, box.expected, box.shift) for box in drops.boxes] == [(1_200, 1_200, "swing")]
    assert (drops.differences, drops.gaps) == ([], [])


def test_a_count_whose_file_lacks_the_unit_is_asked_about(tmp_path: Path) -> None:
    (difference,) = check(tmp_path, write_head() + write_hands(), COUNT_FILE.format(unit="")).differences
    assert difference.says == "The drop box is $11.88 short. It held $0.12, and its hands dropped $12."
    assert difference.because.endswith(
        "Does the file of the count state the table's unit? Without it, a count of $12 is read as $0.12."
    )


def test_a_count_that_stands_twice_is_taken_for_a_repeat(tmp_path: Path) -> None:
    drops = check(tmp_path, write_head() + write_hands() + "drop-box 12\ndrop-box 12\n")
    (difference,) = drops.differences
    assert difference.because == "No hand was played since the count before."
    assert "recorded twice" in difference.could_explain[0].note


def test_a_hand_that_is_void_drops_nothing(tmp_path: Path) -> None:
    void_hand = (
        f"hand 7 {at(7)}\nbutton 1 stacks 1:500 2:500 3:500\n2 posts small 1\n3 posts big 2\nvoided cancelled\nend\n"
    )
    drops = check(tmp_path, write_head() + write_hands() + void_hand + "drop-box 12\n")
    assert (drops.differences, drops.gaps) == ([], [])


def test_each_dealer_has_sums(tmp_path: Path) -> None:
    text = write_head() + "dealer Kim\n" + write_hands(2) + "dealer Lee\n" + write_hand(3, at(3)) + "drop-box 7\n"
    drops = check(tmp_path, text)
    assert [(sums.dealer, sums.hands, sums.amounts["drop"]) for sums in drops.dealers] == [
        ("Kim", 2, 400),
        ("Lee", 1, 200),
    ]
    (difference,) = drops.differences
    assert difference.dealer == ""
    assert difference.because.endswith("Dealers: Kim, Lee.")


def test_names_of_tables_and_players_cannot_act_on_a_terminal(tmp_path: Path) -> None:
    head = write_head('"T\\u{1b}[2J"')
    (difference,) = check(
        tmp_path, head + 'dealer "\\u{1b}[31mKim"\ndealer Lee\n' + write_hands(2) + "drop-box 5\n"
    ).differences
    assert "\x1b" not in difference.says + difference.because


# Corrections


@pytest.fixture
def counted_ledger(tmp_path: Path) -> Ledger:
    return make_ledger(tmp_path, write_head() + write_hands() + f"drop-box 21 shift swing at {at(30)}\n")


def find_count(ledger: Ledger) -> int:
    entries = ledger.entries(table_stream(*T1))
    return next(entry.version for entry in entries if isinstance(entry.event, BoxCounted))


def correct_count(ledger: Ledger, *lines: str, version: int = 0, why: str = "digits swapped") -> None:
    author = CorrectionAuthor("floor", ledger.people.player("Riverside", "Max"), ledger.people.text(why))
    plan = plan_fact_correction(ledger, T1, version or find_count(ledger), lines, author)
    append_fact_correction(ledger, T1, plan, Provenance(ledger.now(), writer="correct"))


def test_a_corrected_count_is_the_one_that_counts_and_says_who_and_why(counted_ledger: Ledger) -> None:
    with counted_ledger as ledger:
        correct_count(ledger, "drop-box 13 shift swing")
        drops = check_drops(ledger, read_shift(ledger, "swing"), "swing")
    (box,) = drops.boxes
    assert box.correction is not None
    assert (
        box.correction.earlier_amount,
        box.amount,
        box.correction.role,
        box.correction.person,
        box.correction.reason,
    ) == (2_100, 1_300, "floor", "Max", "digits swapped")
    (difference,) = drops.differences
    assert difference.says == "The drop box is $1 over. It held $13, and its hands dropped $12."
    assert difference.because.endswith("The count was corrected from $21 to $13 by Max (floor): “digits swapped”.")


def test_a_correction_that_is_right_leaves_no_difference(counted_ledger: Ledger) -> None:
    with counted_ledger as ledger:
        correct_count(ledger, "drop box held $12 for the swing shift")
        drops = check_drops(ledger, read_shift(ledger, DAY))
    assert (drops.differences, drops.gaps) == ([], [])
    assert [box.correction.earlier_amount for box in drops.boxes if box.correction] == [2_100]


def test_a_count_that_never_was_leaves_the_table_uncounted(counted_ledger: Ledger) -> None:
    with counted_ledger as ledger:
        correct_count(ledger)
        drops = check_drops(ledger, read_shift(ledger, DAY))
    assert [gap.missing for gap in drops.gaps] == ["Nobody counted the drop box. 6 hands dropped $12."]


@pytest.mark.parametrize(
    ("version", "line", "error", "message", "hint"),
    [
        (99, "drop-box 12", CorrectionError, "table T1 has no event 99", "Its last event is"),
        (2, "drop-box 12", CorrectionError, "event 2 of table T1 isn't a fact between hands", "It's a hand"),
        (0, "drop-box -12", UnreadableHandError, "column 10: expected an amount that isn't negative", ""),
        (0, "6 bets 120", UnreadableHandError, "no hand has begun here", "A hand begins with a line"),
        (0, "hand 8", UnreadableHandError, "isn't about what happened between hands", "drop-box 412"),
    ],
)
def test_what_corrects_nothing_is_refused(
    counted_ledger: Ledger, version: int, line: str, error: type[Exception], message: str, hint: str
) -> None:
    with counted_ledger as ledger, pytest.raises(error) as refusal:
        correct_count(ledger, line, version=version)
    assert message in str(refusal.value)
    assert hint in getattr(refusal.value, "hint", "")


def test_a_fact_is_corrected_once(counted_ledger: Ledger) -> None:
    with counted_ledger as ledger:
        version = find_count(ledger)
        correct_count(ledger, "drop-box 12")
        with pytest.raises(CorrectionError, match="was corrected already"):
            correct_count(ledger, "drop-box 13", version=version)


@pytest.mark.parametrize(
    ("unread_hand", "place"), [(1, "before hand 2"), (3, "before hand 4"), (4, "after hand 3")], ids=str
)
def test_a_box_over_beside_lines_that_nobody_could_read_is_a_gap(tmp_path: Path, unread_hand: int, place: str) -> None:
    hands = [write_hand(number, at(number)) for number in range(1, 5)]
    hands[unread_hand - 1] = hands[unread_hand - 1].replace("rake 2", "rakes about 2")
    file = tmp_path / "night.hand"
    file.write_text(write_head() + "".join(hands) + "drop-box 8 shift swing\n", encoding="utf-8")
    with open_ledger(str(tmp_path / "money.ledger")) as ledger:
        import_paths(ledger, [file])
        shift = build_shift_report(ledger, "swing")
    assert [difference for difference in shift.differences if difference.kind == "box"] == []
    (gap,) = [gap for gap in shift.gaps if gap.kind == "box" and "drop box" in gap.missing]
    assert gap.missing.startswith("The drop box is $2 over. It held $8, and its hands dropped $6. ")
    if unread_hand == 3:
        assert gap.missing.endswith("1 hand between 2 and 4 isn't on record, and may have dropped it.")
    else:
        assert gap.missing.endswith(f"Lines {place} couldn't be read. A hand among them may have dropped it.")
