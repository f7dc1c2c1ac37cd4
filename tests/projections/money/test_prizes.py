"""The money of a tournament: an honest one adds up, each fault is exactly itself with the events it rests on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ledger.hand.ending import CorrectionMade
from ledger.store.hands.hand_accounts import TableKey
from ledger.table.events import TableOpened
from ledger.table.money_events import PrizePaid
from ledger.table.order import number_table_events
from projections.books.rulebook import load
from projections.money.difference import MoneyDifference
from projections.money.prizes import PrizeCheck, TournamentSums, check_prizes
from projections.money.tournament import read_table
from tests.projections.money.tournament_script import Faults, play
from tests.projections.money.written_tournament import tournament_of


def check(tmp_path: Path, *changes: tuple[str, str], faults: Faults | None = None) -> PrizeCheck:
    """Check a tournament whose desk wrote other lines: pairs of a line and what replaces it."""
    texts = play(faults or Faults()).texts()
    for line, other_line in changes:
        assert f"\n{line}\n" in texts["desk"], line
        texts["desk"] = texts["desk"].replace(f"\n{line}\n", f"\n{other_line}\n" if other_line else "\n", 1)
    with tournament_of(texts, tmp_path) as tournament:
        return check_prizes(tournament, load("tda2024"))


def only(result: PrizeCheck, kind: str) -> MoneyDifference:
    assert not result.gaps
    [difference] = result.differences
    assert (difference.kind, difference.tournament) == (kind, "88")
    assert difference.events
    return difference


def notes(difference: MoneyDifference) -> list[str]:
    return [event.note for event in difference.events]


def test_an_honest_tournament_adds_up(tmp_path: Path) -> None:
    result = check(tmp_path)
    assert result == PrizeCheck(TournamentSums(18, 2, 195000, 195000, 195000, 97000, 97000), [], [])


def test_an_overlay_and_added_money_explain_a_larger_pool(tmp_path: Path) -> None:
    """The sales come to 1950."""
    prizes = (
        ("prize 1 Pam 975.00", "prize 1 Pam 1250"),
        ("prize 2 Cy 585.00", "prize 2 Cy 750"),
        ("prize 3 Hal 390.00", "prize 3 Hal 500"),
    )
    for number, (line, sums) in enumerate(
        {
            "prize-pool 2500 guaranteed 2500": (250000, None, 55000),
            "prize-pool 2500 added 550": (None, 55000, None),
            "prize-pool 2500 guaranteed 2500 added 300": (250000, 30000, 25000),
            "prize-pool 2500 guaranteed 2000 added 550": (200000, 55000, 0),
        }.items()
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        result = check(folder, ("prize-pool 1950", line), *prizes)
        assert (result.differences, result.gaps) == ([], [])
        assert (result.sums.guaranteed, result.sums.added, result.sums.overlay) == sums
        assert (result.sums.pool, result.sums.stated_pool) == (195000, 250000)


@pytest.mark.parametrize(
    ("line", "due_cents", "reason"),
    [
        ("prize-pool 1950 guaranteed 2500", 250000, "Guaranteed prize pool: 2500, so the overlay is 550."),
        ("prize-pool 1950 added 300", 225000, "Added money: 300."),
        ("prize-pool 2600 guaranteed 1000", 195000, "The prize pool reached the guarantee of 1000."),
    ],
)
def test_a_pool_that_house_money_does_not_explain_differs(
    tmp_path: Path, line: str, due_cents: int, reason: str
) -> None:
    result = check(tmp_path, ("prize-pool 1950", line))
    difference = next(difference for difference in result.differences if difference.kind == "prize-pool")
    assert difference.expected == due_cents
    assert difference.says.endswith(f"; it should be {due_cents // 100}")
    assert difference.because.endswith(reason)
    assert "The sales put 1950 in the pool." in difference.because


def test_the_pool_is_stated_too_large(tmp_path: Path) -> None:
    result = check(
        tmp_path,
        ("prize-pool 1950", "prize-pool 2000"),
        ("prize 1 Pam 975.00", "prize 1 Pam 1000"),
        ("prize 2 Cy 585.00", "prize 2 Cy 600"),
        ("prize 3 Hal 390.00", "prize 3 Hal 400"),
    )
    difference = only(result, "prize-pool")
    assert (difference.expected, difference.recorded, difference.exponent) == (195000, 200000, 2)
    assert difference.says == "The prize pool is stated as 2000; what was sold comes to 1950"
    assert difference.because == "18 entries are on record. Re-entries, rebuys and add-ons: 2."
    assert len(difference.events) == 21


def test_a_pool_that_is_stated_wrongly_and_paid_rightly_is_one_difference(tmp_path: Path) -> None:
    difference = only(check(tmp_path, ("prize-pool 1950", "prize-pool 1900")), "prize-pool")
    assert (difference.expected, difference.recorded) == (195000, 190000)


@pytest.mark.parametrize(
    ("prize", "total", "says"),
    [
        ("595", 196000, "The prizes come to 1960; the pool is only 1950"),
        ("500", 186500, "The prizes come to only 1865; the pool is 1950"),
    ],
)
def test_a_prize_is_wrong(prize: str, total: int, says: str, tmp_path: Path) -> None:
    difference = only(check(tmp_path, ("prize 2 Cy 585.00", f"prize 2 Cy {prize}")), "prize")
    assert (difference.expected, difference.recorded, difference.says) == (195000, total, says)
    assert len(difference.events) == 4


def test_a_place_is_paid_twice(tmp_path: Path) -> None:
    result = check(tmp_path, ("prize 2 Cy 585.00", "prize 2 Cy 585.00\nprize 2 Lou 585.00"))
    difference = only(result, "prize")
    assert difference.says == "Place 2 was paid more than once: 585 to Cy and 585 to Lou"
    assert (difference.expected, difference.recorded, difference.player) == (58500, 117000, "Lou")


def test_a_prize_goes_to_another_player(tmp_path: Path) -> None:
    difference = only(check(tmp_path, ("prize 2 Cy 585.00", "prize 2 Eli 585.00")), "prize")
    assert difference.says == "The prize of place 2 went to Eli, who finished in place 5"
    assert difference.because == "Cy finished in place 2."
    assert difference.player == "Eli"
    assert [event.name for event in difference.events[1:]] == ["1/1-26", "1/1-32"]


def test_a_prize_that_the_last_two_players_swapped_names_their_hand_once(tmp_path: Path) -> None:
    difference = only(check(tmp_path, ("prize 2 Cy 585.00", "prize 2 Pam 585.00")), "prize")
    assert difference.says == "The prize of place 2 went to Pam, who finished in place 1"
    assert [event.name for event in difference.events[1:]] == ["1/1-32"]


def test_a_prize_goes_to_somebody_who_did_not_play(tmp_path: Path) -> None:
    difference = only(check(tmp_path, ("prize 3 Hal 390.00", "prize 3 Zed 390.00")), "prize")
    assert difference.says == "The prize of place 3 went to Zed, who isn't in any hand of the tournament"


def test_an_entry_is_not_on_record(tmp_path: Path) -> None:
    result = check(tmp_path, ("entry Bo 100 fee 20 gets 5000", ""))
    assert [difference.kind for difference in result.differences] == ["prize-pool", "chips-in-play"]
    chips = result.differences[1]
    assert chips.because == "Bo has 5000, and no entry for them is on record."
    assert [event.name for event in chips.events] == ["1/1-1"]
    assert not result.gaps


def test_chips_appear_on_the_way_to_another_table(tmp_path: Path) -> None:
    difference = only(check(tmp_path, faults=Faults(adds_chips=300)), "chips-in-play")
    assert difference.table == "3"
    assert difference.recorded is not None
    assert difference.recorded - (difference.expected or 0) == 300
    assert difference.because == "Ann had 5000 and has 5300 now."
    assert [event.name for event in difference.events] == ["3/3-5", "3/3-4"]


def test_an_add_on_is_sold_and_never_handed_out(tmp_path: Path) -> None:
    difference = only(check(tmp_path, faults=Faults(forgets_add_on=True)), "chips-in-play")
    assert difference.says == "Hal bought 2000 chips that are in no stack"
    assert (difference.expected, difference.recorded) == (97000, 95000)
    assert len(difference.events) == 1


def test_an_add_on_is_handed_out_and_not_sold(tmp_path: Path) -> None:
    result = check(tmp_path, ("add-on Hal 50 gets 2000", ""))
    assert [difference.kind for difference in result.differences] == ["prize-pool", "chips-in-play"]
    chips = result.differences[1]
    assert (chips.table, (chips.recorded or 0) - (chips.expected or 0)) == ("2", 2000)


def test_a_late_entry_gets_less_than_a_full_stack(tmp_path: Path) -> None:
    difference = only(check(tmp_path, faults=Faults(reentry_stack=4000)), "chips-in-play")
    assert (difference.clause, difference.player) == ("tda2024.8a", "Ned")
    assert difference.says == "Ned's entry got 4000 chips; a full stack is 5000"


def test_a_hand_pays_out_less_than_was_in_the_pot(tmp_path: Path) -> None:
    texts = play(Faults()).texts()
    hands = texts["2"].split("\nhand ")
    number = next(index for index, hand in enumerate(hands) if "showdown" in hand)
    pot = re.search(r"wins (\d+) from main", hands[number])
    assert pot is not None
    hands[number] = hands[number].replace(pot[0], f"wins {int(pot[1]) - 100} from main")
    texts["2"] = "\nhand ".join(hands)
    with tournament_of(texts, tmp_path) as tournament:
        difference = only(check_prizes(tournament), "chips-in-play")
    assert difference.says.startswith(f"After hand 2-{number} of table 2, ")
    assert (difference.recorded or 0) - (difference.expected or 0) == -100


def test_what_the_record_lacks_is_said(tmp_path: Path) -> None:
    result = check(tmp_path, ("prize 1 Pam 975.00", ""))
    assert not result.differences
    assert [gap.missing for gap in result.gaps] == [
        "The prize of place 1 isn't on record, so nothing shows whether the whole pool was paid."
    ]


def test_entries_without_chips_leave_the_chips_open(tmp_path: Path) -> None:
    result = check(tmp_path, ("entry Bo 100 fee 20 gets 5000", "entry Bo 100 fee 20"))
    assert not result.differences
    [gap] = result.gaps
    assert (gap.kind, result.sums.chips_sold) == ("chips-in-play", None)
    assert gap.missing.startswith("The record doesn't show how many chips Bo got")


def test_tables_without_times_leave_the_chips_open(tmp_path: Path) -> None:
    result = check(tmp_path, faults=Faults(has_times=False))
    assert not result.differences
    assert "Hands have no time, so the chips can't be followed from table to table." in [
        gap.missing for gap in result.gaps
    ]


def test_a_tournament_without_a_desk_has_one_gap(tmp_path: Path) -> None:
    texts = {name: text for name, text in play(Faults()).texts().items() if name != "desk"}
    with tournament_of(texts, tmp_path) as tournament:
        result = check_prizes(tournament)
    assert not result.differences
    assert [gap.kind for gap in result.gaps] == ["prize-pool"]


def test_the_last_statement_of_the_pool_counts(tmp_path: Path) -> None:
    texts = play(Faults()).texts()
    texts["desk"] = texts["desk"].replace("prize-pool 1950", "prize-pool 1900\nprize-pool 1950")
    with tournament_of(texts, tmp_path) as tournament:
        assert check_prizes(tournament).differences == []


def test_a_table_that_is_not_on_record_leaves_chips_and_places_open(tmp_path: Path) -> None:
    texts = play(Faults()).texts()
    del texts["3"]
    with tournament_of(texts, tmp_path) as tournament:
        result = check_prizes(tournament)
    assert not result.differences
    assert "Mia came from a table that isn't on record, so the chips in play can't be counted." in [
        gap.missing for gap in result.gaps
    ]


def test_an_entrant_without_a_hand_leaves_the_chips_open(tmp_path: Path) -> None:
    result = check(tmp_path, ("prize-pool 1950", "entry Zed 0 gets 5000\nprize-pool 1950"))
    assert not result.differences
    assert [gap.missing for gap in result.gaps] == [
        "The record doesn't show where Pam finished, who got the prize of place 1.",
        "Zed bought an entry and isn't in any hand, so the chips in play can't be counted.",
    ]


def test_a_corrected_payment_counts_as_corrected() -> None:
    key = TableKey("Desert Palms", "88", "")
    entries = number_table_events(
        [
            TableOpened("Desert Palms", "", "88"),
            PrizePaid(1, "ann", 60000),
            CorrectionMade(voids=(2,), after=1, count=1, by="floor"),
            PrizePaid(1, "ann", 50000),
        ]
    )
    payments = [fact.event for fact in read_table(key, entries).facts if isinstance(fact.event, PrizePaid)]
    assert payments == [PrizePaid(1, "ann", 50000)]


def test_names_of_players_cannot_write_on_a_terminal(tmp_path: Path) -> None:
    texts = {name: text.replace("Eli", '"E\\u{1b}[2Jli"') for name, text in play(Faults()).texts().items()}
    texts["desk"] = texts["desk"].replace("prize 2 Cy 585.00", 'prize 2 "E\\u{1b}[2Jli" 585.00')
    with tournament_of(texts, tmp_path) as tournament:
        difference = only(check_prizes(tournament), "prize")
    assert "finished in place 5" in difference.says
    assert "\x1b" not in difference.says + difference.player + difference.because + "".join(notes(difference))
