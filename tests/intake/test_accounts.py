"""Which account of a hand stands after an import, and which hand an account tells."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.case.events import CaseLinked, CaseOpened
from ledger.hand.betting import Raised
from ledger.hand.ending import CorrectionMade, HandCompleted
from ledger.hand.state import HandState
from ledger.house.events import CheckpointSigned
from ledger.intake import ImportOptions, import_paths
from ledger.intake.summary import FileSummary
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import table_entries
from ledger.streams import HOUSE, case_stream, table_stream
from ledger.table.breaks import find_breaks
from ledger.table.events import AccountChosen, AccountPlaced, HandPlayed
from ledger.table.order import sort_entries
from ledger.table.played import build_hand_played
from tests.conftest import scale_examples

HEADER = """handscript 1
venue "Riverside Cardroom" table T5 seats 9
witness live-table
game holdem no-limit cash blinds 2/5 unit USD 2
"""
TABLE = TableKey("Riverside Cardroom", "", "T5")


def hand(
    number: int,
    *,
    began: str = "",
    names: tuple[str, ...] = ("Ana", "Bo", "Cy"),
    stacks: int = 300,
    raised: int = 15,
    end: str = "end",
) -> str:
    """Return one hand of three players, which the button wins."""
    seats = "\n".join(f"seat {seat} {name} {stacks + 20 * seat}" for seat, name in enumerate(names, 1))
    return f"""
hand {number} {began}
{seats}
button 1
2 posts small 2
3 posts big 5
deal done
1 raises to {raised}
2 folds
3 folds
1 uncalled {raised - 5}
1 wins 12
{end}
"""


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(tmp_path / "book.ledger") as opened:
        yield opened


def take(book: Ledger, path: Path, *hands: str, dry: bool = False, jobs: int = 1) -> FileSummary:
    path.write_text(HEADER + "".join(hands))
    return import_paths(book, [path], ImportOptions(dry_run=dry, jobs=jobs)).files[0]


def counted(summary: FileSummary) -> dict[str, int]:
    names = ("new", "same", "second", "superseded", "doubtful", "kept")
    return {name: count for name in names if (count := getattr(summary, name))}


def standing_hands(book: Ledger) -> list[tuple[str, int, int]]:
    """Return number, session and account of what stands, asked of index and table, which agree."""
    rows = list(book.hands(standing=True))
    walked = [
        entry.event.hand for entry in sort_entries(table_entries(book, TABLE)) if isinstance(entry.event, HandPlayed)
    ]
    assert sorted(walked) == sorted(row.stream.hex for row in rows)
    return [(row.number, row.session, row.account) for row in rows]


def test_a_file_that_was_changed_supersedes_its_own_hands_and_says_so(book: Ledger, tmp_path: Path) -> None:
    night = tmp_path / "night.hand"
    take(book, night, hand(1), hand(2))
    assert counted(take(book, night, hand(1), hand(2, raised=20), dry=True)) == {"same": 1, "superseded": 1}
    summary = take(book, night, hand(1), hand(2, raised=20))
    assert counted(summary) == {"same": 1, "superseded": 1}
    assert [(account.number, account.became) for account in summary.accounts] == [("2", "superseded")]
    assert standing_hands(book) == [("1", 1, 1), ("2", 1, 2)]
    choice = next(e for e in book.events(table_stream(*TABLE)) if isinstance(e, AccountChosen))
    assert (choice.rule, choice.by) == ("same-source", "software")
    assert choice.instead == next(r.stream.hex for r in book.hands(number="2", account=1))


def test_what_a_file_says_again_stands_again(book: Ledger, tmp_path: Path) -> None:
    night = tmp_path / "night.hand"
    for raised, expected in ((15, 1), (20, 2), (15, 1), (20, 2)):
        take(book, night, hand(1, raised=raised))
        assert standing_hands(book) == [("1", 1, expected)]
        head = book.head()
        assert counted(take(book, night, hand(1, raised=raised))) == {"same": 1}
        assert book.head() == head, "importing again writes nothing"


def test_another_source_supersedes_nothing_by_itself(book: Ledger, tmp_path: Path) -> None:
    take(book, tmp_path / "floor.hand", hand(1))
    assert counted(take(book, tmp_path / "player.hand", hand(1, raised=20))) == {"second": 1}
    assert standing_hands(book) == [("1", 1, 1)]


def test_a_source_that_names_itself_is_known_again_elsewhere(book: Ledger, tmp_path: Path) -> None:
    source_line = 'source "Notebook of the floor"\n'
    take(book, tmp_path / "a.hand", source_line, hand(1))
    assert counted(take(book, tmp_path / "b.hand", source_line, hand(1, raised=20))) == {"superseded": 1}
    assert counted(take(book, tmp_path / "c.hand", 'source "Another"\n', hand(1, raised=30))) == {"second": 1}


def test_a_hand_told_to_its_end_stands_instead_of_one_that_was_cut_off(book: Ledger, tmp_path: Path) -> None:
    take(book, tmp_path / "stopped.hand", hand(1, end="stop"))
    assert counted(take(book, tmp_path / "whole.hand", hand(1))) == {"superseded": 1}
    assert standing_hands(book) == [("1", 1, 2)]
    state = next(
        entry.event for entry in sort_entries(table_entries(book, TABLE)) if isinstance(entry.event, HandPlayed)
    )
    assert state.completed


def test_an_old_ledger_took_a_hand_without_a_winner_for_cut_off_and_it_counts_now(
    book: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def as_before(state: HandState, stream: str) -> HandPlayed:
        return msgspec.structs.replace(build_hand_played(state, stream), completed=False)

    monkeypatch.setattr("ledger.intake.chunk_preparation.build_hand_played", as_before)
    unpaid = hand(1).replace("1 wins 12\n", "")
    take(book, tmp_path / "night.hand", unpaid, hand(2, end="stop"))
    walked = [entry.event for entry in table_entries(book, TABLE) if isinstance(entry.event, HandPlayed)]
    assert [entry.completed for entry in walked] == [True, False]


FIRST, NEXT = "2026-11-22T02:55:00-05:00", "2026-11-23T02:55:00-05:00"


@pytest.mark.parametrize(
    "changes",
    [
        {"began": NEXT, "names": ("Zoe", "Bo", "Cy")},
        {"began": NEXT, "stacks": 320},
        {"names": ("Zoe", "Yves", "Xenia"), "stacks": 700},
        {"stacks": 900},
    ],
)
@pytest.mark.parametrize("path", ["night.hand", "next.hand"])
def test_numbers_that_restart_are_other_hands(book: Ledger, tmp_path: Path, changes: dict[str, str], path: str) -> None:
    first = {"began": FIRST} if "began" in changes else {}
    take(book, tmp_path / "night.hand", *(hand(number, **first) for number in (1, 2)))
    summary = take(book, tmp_path / path, *(hand(number, **changes) for number in (1, 2)))
    assert counted(summary) == {"new": 2}
    assert standing_hands(book) == [("1", 1, 1), ("2", 1, 1), ("1", 2, 1), ("2", 2, 1)]


def test_numbers_that_restart_within_a_file_are_other_hands(book: Ledger, tmp_path: Path) -> None:
    evening = [hand(n, names=("Ana", "Bo", "Cy")) for n in (1, 2)]
    later = [hand(n, names=("Dee", "Eli", "Flo"), stacks=800) for n in (1, 2)]
    assert counted(take(book, tmp_path / "night.hand", *evening, *later)) == {"new": 4}
    walked = [
        entry.event.number for entry in sort_entries(table_entries(book, TABLE)) if isinstance(entry.event, HandPlayed)
    ]
    assert walked == ["1", "2", "1", "2"], "one evening behind the other"


def test_a_night_without_times_is_another_night_as_a_whole(book: Ledger, tmp_path: Path) -> None:
    """Its first hand begins like that of the other night; the next ones do not."""
    take(book, tmp_path / "mon.hand", hand(1), hand(2), hand(3))
    called_hand = hand(1).replace("3 folds\n1 uncalled 10\n1 wins 12", "3 calls\n1 wins 32")
    tuesday = [called_hand, hand(2, stacks=700), hand(3, stacks=760)]
    assert counted(take(book, tmp_path / "tue.hand", *tuesday)) == {"new": 3}


def test_what_may_be_either_is_kept_beside_and_said(book: Ledger, tmp_path: Path) -> None:
    night = tmp_path / "night.hand"
    take(book, night, hand(1, began=FIRST))
    summary = take(book, night, hand(1, began=NEXT))  # the same to the chip, a day later
    assert counted(summary) == {"second": 1, "doubtful": 1}
    assert [entry.became for entry in summary.accounts] == ["doubtful"]
    assert standing_hands(book) == [("1", 1, 1)]
    placements = [e for e in book.events(table_stream(*TABLE)) if isinstance(e, AccountPlaced)]
    assert [entry.doubtful for entry in placements] == [True]


def _case(book: Ledger, stream: str) -> None:
    opening = CaseOpened("C1", "record", by="player")
    book.append("case", case_stream("C1"), [opening, CaseLinked(stream, 0, 0)])


def _sealed(book: Ledger, _: str) -> None:
    book.append("house", HOUSE, [CheckpointSigned(1, "00", "key")])


@pytest.mark.parametrize("bind", [_case, _sealed])
def test_what_a_case_is_about_or_a_checkpoint_covers_is_replaced_by_people_only(
    book: Ledger, tmp_path: Path, bind: object
) -> None:
    night = tmp_path / "night.hand"
    take(book, night, hand(1))
    bind(book, next(book.hands()).stream.hex)  # type: ignore[operator] # one of the two above
    summary = take(book, night, hand(1, raised=20))
    assert counted(summary) == {"second": 1, "kept": 1}
    assert summary.accounts[0].why
    assert standing_hands(book) == [("1", 1, 1)]


def correction(number: int, version: int, line: str, author: str = 'by floor why "seen on tape"') -> str:
    return f"\nhand {number}\ncorrection {version} after {version - 1} count 1 {author}\n{line}\nend\n"


def test_a_correction_in_a_file_reaches_the_hand(book: Ledger, tmp_path: Path) -> None:
    take(book, tmp_path / "night.hand", hand(1))
    stream = next(book.hands()).stream
    version = [type(e).__name__ for e in book.events(stream)].index("Raised") + 1
    summary = take(book, tmp_path / "mend.hand", correction(1, version, "1 raises to 16"))
    assert (summary.corrected, summary.rejected) == (1, 0)
    assert summary.unbalanced == 1, "the chips do not add up now, and import says so"
    assert [r.number for r in book.hands()] == ["1"], "no hand of its own comes of it"
    correction_made, raised = book.events(stream)[-2:]
    assert isinstance(correction_made, CorrectionMade)
    assert (correction_made.voids, correction_made.by, raised.to) == ((version,), "floor", 1600)  # type: ignore[attr-defined] # a raise
    walked = [entry.event for entry in sort_entries(table_entries(book, TABLE)) if isinstance(entry.event, HandPlayed)]
    assert len(walked) == 1
    count = len(book.events(stream))
    take(book, tmp_path / "copy.hand", correction(1, version, "1 raises to 16"), "\n")
    assert len(book.events(stream)) == count, "the same correction is made once"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (correction(9, 9, "1 raises to 16"), "no hand '9'"),
        (correction(1, 99, "1 raises to 16"), "none of them is number 99"),
        (correction(1, 9, "1 raises to 16", ""), "who makes it and why"),
        (correction(1, 8, "1 raises to 16", "by floor"), "who makes it and why"),
        (correction(1, 8, "1 raises to 16"), "is something else"),
    ],
)
def test_a_correction_that_does_not_fit_is_rejected_with_the_reason(
    book: Ledger, tmp_path: Path, text: str, reason: str
) -> None:
    take(book, tmp_path / "night.hand", hand(1))
    summary = take(book, tmp_path / "mend.hand", text)
    assert summary.rejected == 1
    assert reason in summary.rejects[0].reason
    assert [row.number for row in book.hands()] == ["1"]


def test_a_correction_waits_for_its_hand(book: Ledger, tmp_path: Path) -> None:
    mend = correction(1, 10, "1 raises to 16")
    assert take(book, tmp_path / "mend.hand", mend).rejected == 1
    take(book, tmp_path / "night.hand", hand(1))
    file_summary = take(book, tmp_path / "mend.hand", mend)
    assert file_summary.corrected + file_summary.rejected == 1


EDITIONS = st.lists(st.tuples(st.sampled_from(["a", "b"]), st.sampled_from([15, 20, 25]), st.booleans()), max_size=7)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(editions=EDITIONS)
def test_what_stands_is_what_a_simple_model_says(
    editions: list[tuple[str, int, bool]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The first source stands, as it told the hand last; what is whole goes before what was cut off."""
    folder = tmp_path_factory.mktemp("model")
    stands: tuple[int, bool] | None = None
    owners: dict[tuple[int, bool], set[str]] = {}  # telling → where it was read
    last: dict[str, tuple[int, bool]] = {}
    with open_ledger(folder / "book.ledger") as book:
        for source, raised, complete in editions:
            telling = raised, complete
            text = hand(1, raised=raised, end="end" if complete else "stop")
            take(book, folder / f"{source}.hand", text)
            stands = stands or telling
            if telling not in owners or last.get(source, telling) != telling:  # else it is SAME
                is_owner, cut = source in owners.get(stands, {source}), not stands[1]
                is_known = telling in owners
                if is_owner and complete if is_known else (is_owner and (complete or cut)) or (complete and cut):
                    stands = telling
                owners.setdefault(telling, set()).add(source)
                last[source] = telling
            assert standing_hands(book)
            (row,) = book.hands(standing=True)
            events = book.events(row.stream)
            told_raise = next(event.to for event in events if isinstance(event, Raised))
            assert (told_raise // 100, isinstance(events[-1], HandCompleted)) == stands
            assert len(list(book.hands())) == len(owners)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=scale_examples(10))
@given(order=st.permutations([0, 1, 2, 3]))
def test_nights_come_in_any_order(order: list[int], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("nights")
    with open_ledger(folder / "book.ledger") as book:
        for night in (*order, *order):
            began = f"2026-11-2{night}T02:55:00Z"
            take(book, folder / f"{night}.hand", *(hand(n, began=began) for n in (1, 2)))
        walked = [
            entry.event.started
            for entry in sort_entries(table_entries(book, TABLE))
            if isinstance(entry.event, HandPlayed)
        ]
        assert len(walked) == 8
        assert walked == sorted(walked), "late imports take their place"  # type: ignore[type-var] # all are timed
        assert all(row.stands and row.account == 1 for row in book.hands())


def misdeal(number: int, began: str = "", *, back: bool = True) -> str:
    """Return the deal of `hand` given up over exposed cards, its blinds taken back on record or not."""
    void = hand(number, began=began).split("deal done")[0]
    returned = "2 takes-back 2 small\n3 takes-back 5 big\n" if back else ""
    return f"{void}misdeal exposed-card by dealer\n{returned}end\n"


@pytest.mark.parametrize("back", [True, False])
@pytest.mark.parametrize("began", [("", ""), (FIRST, FIRST.replace("55:00", "57:00"))])
@pytest.mark.parametrize("second_source", [False, True])
def test_a_void_deal_and_the_deal_made_again_under_its_number_both_count(
    book: Ledger, tmp_path: Path, began: tuple[str, str], *, back: bool, second_source: bool
) -> None:
    night = [hand(1), misdeal(2, began[0], back=back), hand(2, began=began[1])]
    assert counted(take(book, tmp_path / "night.hand", *night)) == {"new": 3}
    assert standing_hands(book) == [("1", 1, 1), ("2", 1, 1), ("2", 2, 1)]
    assert not [entry for entry in find_breaks(table_entries(book, TABLE)) if entry.after == "2"]
    if second_source:  # another source tells both as well: each deal has its second account
        void = night[1].replace("exposed-card", "other")
        second_deal = hand(2, began=began[1], raised=20)
        for index, entry in enumerate([void, second_deal]):
            assert counted(take(book, tmp_path / f"other{index}.hand", entry)) == {"second": 1}
        assert [row[:2] for row in standing_hands(book)] == [("1", 1), ("2", 1), ("2", 2)]
