"""A table recorded while it is played: the same on every store."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import ledger
from ledger.clocks import format_wall_time
from ledger.entry import Provenance
from ledger.errors import ConflictError, UnreadableHandError, UsageError
from ledger.event import Event
from ledger.formats.handscript import write_lines
from ledger.formats.handscript.context import Settings
from ledger.hand import betting as b
from ledger.hand.ending import CorrectionMade, HandCompleted
from ledger.intake import import_paths
from ledger.marks import pack_origins
from ledger.presence import SeatTaken
from ledger.recording.author import Author
from ledger.recording.choices import build_board_event, build_wager_event, find_choices
from ledger.recording.recorder import Recorder
from ledger.recording.running_hand import find_last_settings
from ledger.store import Ledger
from ledger.store.commits import CommitDraft
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import table_entries as told_to
from ledger.streams import table_stream
from ledger.table.events import HandPlayed, TableOpened
from ledger.table.order import put_in_order
from tests.conftest import ROOT

SAMPLES = ROOT / "cli" / "samples"
EVENINGS = ("riverside-nl-evening", "riverside-limit-evening")
THREE = (
    'venue "Riverside Cardroom"  table T7  seats 9',
    "witness dealer-notes",
    "game holdem no-limit cash blinds 2/5 unit USD 2",
    "hand 412",
    "seat 1 Ana 612",
    "seat 2 Bo 480",
    "seat 6 Eli 300",
    "button 1",
    "2 posts small 2",
    "6 posts big 5",
    "deal done",
)


def at_table(book: Ledger, writer: str = "record") -> Recorder:
    return Recorder(book, Settings("Riverside Cardroom", "T7", 9), author=Author(writer))


def begin_hand(book: Ledger) -> Recorder:
    recorder = at_table(book)
    for line in THREE:
        recorder.tell(line)
    return recorder


def kinds(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def in_words(book: Ledger) -> dict[str, list[str]]:
    """Each hand's events as handscript tells them: ids of people differ from ledger to ledger."""
    return {row.number: write_lines(book.events(row.stream), book.people) for row in book.hands()}


@pytest.mark.slow
@pytest.mark.parametrize("evening", EVENINGS)
def test_an_evening_recorded_line_by_line_is_the_evening_of_its_file(
    evening: str, new_url: Callable[[], str], book: Ledger
) -> None:
    path = SAMPLES / f"{evening}.hand"
    recorder = at_table(book)
    for line in path.read_text().splitlines():
        recorder.tell(line)
    with ledger.open(new_url()) as imported_book:
        import_paths(imported_book, [path])
        assert in_words(book) == in_words(imported_book)
        places = ((row.venue, row.table) for row in imported_book.hands())
        assert {(row.venue, row.table) for row in book.hands()} == set(places)
    assert not list(book.verify())


@pytest.mark.slow
@pytest.mark.parametrize("width", [3, 7])
def test_an_evening_told_several_facts_to_a_line_is_the_same(
    width: int, new_url: Callable[[], str], book: Ledger
) -> None:
    path = SAMPLES / "riverside-nl-evening.hand"
    recorder = at_table(book)
    head, *hands = path.read_text().split("\n\nhand ")
    for line in head.splitlines():
        recorder.tell(line)
    for hand in hands[:6]:
        facts = ["hand " + hand.partition("\n")[0], *filter(None, hand.split("\n")[1:])]
        facts = [fact.partition("  #")[0] for fact in facts if not fact.startswith("#")]
        for index in range(0, len(facts), width):
            recorder.tell("; ".join(facts[index : index + width]))
    with ledger.open(new_url()) as imported_book:
        import_paths(imported_book, [path])
        recorded_words, imported_words = in_words(book), in_words(imported_book)
    assert recorded_words == {number: imported_words[number] for number in recorded_words}
    assert {row.note for row in book.hands()} == {"live"}
    assert not list(book.verify())


def test_of_several_facts_on_a_line_all_are_recorded_or_none(book: Ledger) -> None:
    recorder = begin_hand(book)
    head_before = book.head()
    with pytest.raises(UnreadableHandError):
        recorder.tell("1 raises to 15; 2 folds; 6 dances")
    assert book.head() == head_before
    assert recorder.state.round.bet_to_call == 500
    line = "1 raises to 15; 2 and 6 fold; 1 uncalled 10; 1 wins 12; end; 7 sits Kim walk-in"
    recorder.tell(line, key="a")
    assert not recorder.running
    table = kinds(book.events(recorder.table))
    assert table[-2:] == ["HandPlayed", "SeatTaken"]
    head = book.head()
    assert recorder.tell(line, key="a").is_repeat
    for other_line in (line.removesuffix("; 7 sits Kim walk-in"), line.replace("7 sits", "8 sits"), "1 folds"):
        with pytest.raises(ConflictError, match="1 wins 12; completed; 7 sits Kim walk-in"):
            recorder.tell(other_line, key="a")
    assert book.head() == head


def test_a_line_tells_of_one_hand(book: Ledger) -> None:
    recorder = begin_hand(book)
    head_before = book.head()
    with pytest.raises(UsageError, match="this line continues in the next hand"):
        recorder.tell("1 folds; stop; hand 413; seat 1 Ana 500")
    assert book.head() == head_before
    assert recorder.running
    recorder.tell("1 folds; stop")
    recorder.tell("4 sits Lu walk-in; hand 413; seat 4 Lu 500")
    assert recorder.running


def test_what_was_told_is_there_for_whoever_opens_the_ledger_next(book: Ledger) -> None:
    begin_hand(book).tell("1 raises to 15")
    recorder = at_table(book)
    assert recorder.running
    assert recorder.state.round.bet_to_call == 1500
    recorder.tell("Bo folds")
    assert kinds(list(recorder.hand_events))[-2:] == ["Raised", "Folded"]


def test_a_line_that_is_wrong_changes_nothing_and_says_what_would_be_right(book: Ledger) -> None:
    recorder = begin_hand(book)
    head_before = book.head()
    with pytest.raises(UnreadableHandError) as caught:
        recorder.tell("1 raises 15")
    assert caught.value.write == "1 raises to 15"  # type: ignore[attr-defined] # a LineError
    assert book.head() == head_before
    assert not book.people.fresh
    recorder.tell("1 raises to 15")
    assert recorder.state.round.bet_to_call == 1500


def test_an_entry_is_taken_back_by_a_correction_that_says_why(book: Ledger) -> None:
    recorder = begin_hand(book)
    recorder.tell("1 folds")
    recorder.undo()
    assert recorder.state.live == {1, 2, 6}
    recorder.tell("1 calls 5")
    (stream,) = (row.stream for row in book.hands())
    events = book.events(stream)
    event = events[-2]
    assert isinstance(event, CorrectionMade)
    assert event.voids == (len(events) - 2,)
    assert book.people.words(event.why) == "typing error"
    assert kinds(events)[-3:] == ["Folded", "CorrectionMade", "Called"]
    assert at_table(book).state.chips.put_in[1] == 500


def test_undo_goes_back_step_by_step_but_not_behind_the_beginning(book: Ledger) -> None:
    recorder = begin_hand(book)
    for _ in range(len(THREE) - 4):  # venue, witness, game and the hand itself stay
        recorder.tell("undo")
    with pytest.raises(UsageError, match="nothing to take back") as caught:
        recorder.tell("undo")
    assert "voided" in caught.value.hint


def test_what_is_played_is_no_line_that_is_taken_back(book: Ledger) -> None:
    recorder = at_table(book)
    for line in THREE[:4]:
        recorder.tell(line)
    with pytest.raises(UsageError, match="nothing to take back"):
        recorder.undo()
    assert recorder.state.game is not None


@pytest.mark.parametrize(
    ("line", "correct_line"),
    [
        ("seat 2 Bo Lee 480", '2 sits "Bo Lee" stack 480'),
        ("2 Bo 480", "2 sits Bo stack 480"),
        ("3 sits Cy Young 300", '3 sits "Cy Young" stack 300'),
        ("3 sits Cy walk-in 300", "3 sits Cy walk-in stack 300"),
    ],
)
def test_who_is_seated_between_hands_sits_down(book: Ledger, line: str, correct_line: str) -> None:
    recorder = at_table(book)
    with pytest.raises(UnreadableHandError) as caught:
        recorder.tell(line)
    assert caught.value.write == correct_line  # type: ignore[attr-defined] # it is of a line
    assert recorder.tell(correct_line).kind == "table"


def test_of_two_devices_the_later_one_is_told_what_the_other_did(book: Ledger) -> None:
    first = begin_hand(book)
    second = at_table(book, "tablet")
    version = second.version
    first.tell("1 folds")
    with pytest.raises(ConflictError, match="1 folds"):
        second.tell("1 calls 5", behind=version)
    assert second.state.live == {2, 6}
    second.tell("2 calls 3")
    with pytest.raises(ConflictError, match="this table has moved on"):
        first.tell("2 folds", behind=first.version)
    assert first.state.chips.put_in[2] == 500


def test_what_is_sent_twice_under_one_key_is_recorded_once(book: Ledger) -> None:
    recorder = begin_hand(book)
    first_result = recorder.tell("1 folds", key="tablet-3:7")
    second_result = at_table(book).tell("1 folds", key="tablet-3:7")
    assert second_result.is_repeat
    assert (second_result.version, second_result.events) == (first_result.version, first_result.events)
    for line in ("2 folds", "6 uncalled 3", "6 wins 4 from main"):
        recorder.tell(line)
    recorder.tell("end", key="tablet-3:8")
    assert recorder.tell("end", key="tablet-3:8").hand_ended
    assert len([event for event in book.events(recorder.table) if isinstance(event, HandPlayed)]) == 1


def test_the_table_is_told_of_a_hand_when_it_is_over(book: Ledger) -> None:
    recorder = begin_hand(book)
    assert kinds(book.events(recorder.table)) == ["TableOpened"]
    for line in ("1 folds", "2 folds", "6 uncalled 3", "6 wins 4 from main", "end"):
        recorder.tell(line)
    opened, played = book.events(recorder.table)
    assert isinstance(opened, TableOpened)
    assert isinstance(played, HandPlayed)
    assert played.completed
    assert {dealt_seat.seat: dealt_seat.after for dealt_seat in played.dealt_in} == {1: 61200, 2: 47800, 6: 30200}
    assert not recorder.running
    assert [row.note for row in book.hands()] == ["live"]
    assert not list(book.verify())
    assert book.reindex() == 1
    assert [row.note for row in book.hands()] == ["live"]


def test_a_hand_whose_end_nobody_saw_is_left_as_it_is(book: Ledger) -> None:
    recorder = begin_hand(book)
    recorder.tell("stop")
    played = book.events(recorder.table)[-1]
    assert isinstance(played, HandPlayed)
    assert not played.completed
    assert not at_table(book).running


def test_leaving_a_hand_twice_under_one_key_leaves_it_once(book: Ledger) -> None:
    recorder = begin_hand(book)
    recorder.tell("stop", key="tablet-3:9")
    assert recorder.tell("stop", key="tablet-3:9").hand_ended
    assert at_table(book).tell("stop", key="tablet-3:9").is_repeat
    assert kinds(book.events(recorder.table)) == ["TableOpened", "HandPlayed"]


def test_facts_between_hands_name_a_seat_and_mean_who_sits_there(book: Ledger) -> None:
    recorder = begin_hand(book)
    with pytest.raises(UnreadableHandError):
        recorder.tell("hand 413")
    recorder.tell("stop")
    recorder.tell("2 leaves")
    assert "Bo" in in_line(book, recorder)
    with pytest.raises(UsageError, match="nobody sits in seat 5"):
        recorder.tell("5 leaves")


def in_line(book: Ledger, recorder: Recorder) -> str:
    return write_lines(book.events(recorder.table)[-1:], book.people)[0]


def test_what_was_told_before_a_hand_stands_before_it_within_the_same_second(new_url: Callable[[], str]) -> None:
    with ledger.open(new_url(), clock=lambda: 1_700_000_000_400) as book:
        recorder = at_table(book)
        for line in (THREE[2], "1 sits Ana stack 612", "2 sits Bo stack 480", *THREE[3:], "1 folds", "end", "6 leaves"):
            recorder.tell(line)
        recorder.tell("hand 413")
        recorder.tell("stop")
        __name__s = [
            type(entry.event).__name__
            for entry in put_in_order(told_to(book, TableKey("Riverside Cardroom", "", "T7")))
        ]
    assert __name__s == ["TableOpened", "SeatTaken", "SeatTaken", "HandPlayed", "SeatLeft", "HandPlayed"]


@pytest.mark.parametrize("line", ["2 wins", "2 bets", "2 adds", "2 posts big", "2 shows", "2 removes", "2 straddles"])
def test_a_line_that_lacks_an_amount_gets_none_from_a_players_name(book: Ledger, line: str) -> None:
    recorder = at_table(book)
    for first_line in THREE:
        recorder.tell(first_line.replace("Bo", "P2"))
    version = recorder.version
    with pytest.raises(UnreadableHandError):
        recorder.tell(line)
    assert recorder.version == version


def test_a_clock_that_went_back_puts_no_hand_before_the_last(new_url: Callable[[], str]) -> None:
    clock = [1_700_000_000_000]
    with ledger.open(new_url(), clock=lambda: clock[0]) as book:
        recorder = begin_hand(book)
        recorder.tell("stop")
        clock[0] -= 3_600_000
        second_recorder = Recorder(book, recorder.settings, recorder.lines.opening)
        second_recorder.tell("hand 413")
        second_recorder.tell("stop")
        table_entries = put_in_order(told_to(book, TableKey("Riverside Cardroom", "", "T7")))
    assert [entry.event.number for entry in table_entries if isinstance(entry.event, HandPlayed)] == ["412", "413"]


def test_a_hand_begins_only_where_it_is_known_what_is_played(book: Ledger) -> None:
    with pytest.raises(UsageError, match="no game is recorded"):
        at_table(book).tell("hand 1")


def test_the_next_evening_goes_on_as_the_last_hand_was_recorded(book: Ledger) -> None:
    begin_hand(book).tell("stop")
    head_before = find_last_settings(book, None, "T7")
    assert head_before is not None
    recorder = Recorder(book, *head_before)
    recorder.tell("hand 413")
    assert recorder.state.game is not None
    assert recorder.state.game.blinds == (200, 500)


def test_choices_lead_through_a_whole_hand(book: Ledger) -> None:
    recorder = begin_hand(book)
    words = []
    while recorder.running:
        first = find_choices(recorder.state)[0]
        if first.word == "fold" and recorder.state.round.bet_to_call == 500:
            first = next(choice for choice in find_choices(recorder.state) if choice.word == "call")
        events = first.events or (build_board_event(first.street, "??" * first.cards),)
        recorder.add(events)
        words.append(first.word)
    assert words == [
        *("call", "call", "check", "street", "check", "check", "check", "street"),
        *("check", "check", "check", "street", "check", "check", "check", "showdown", "win", "end"),
    ]


def test_a_choice_of_a_bet_knows_its_bounds_and_who_is_all_in(book: Ledger) -> None:
    recorder = begin_hand(book)
    choices = {choice.word: choice for choice in find_choices(recorder.state)}
    assert list(choices) == ["fold", "call", "raise", "all-in"]
    assert (choices["raise"].min_total, choices["raise"].max_total) == (1000, 61200)
    assert choices["all-in"].events == (b.Raised(1, 61200, 61200, True),)
    assert build_wager_event(recorder.state, 1, 1500) == b.Raised(1, 1500, 1500, None)


def test_awards_follow_from_the_cards_and_leave_out_what_the_house_took(book: Ledger) -> None:
    recorder = begin_hand(book)
    for line in (
        *(
            "1 folds",
            "2 calls 3",
            "6 checks",
            "flop 7h 2c Kd",
            "2 checks",
            "6 checks",
            "turn 3s",
            "2 checks",
            "6 checks",
        ),
        *("river 9h", "2 checks", "6 checks", "showdown", "2 shows Ah Ad", "6 shows Qh Jh", "rake 1"),
    ):
        recorder.tell(line)
    win = find_choices(recorder.state)[0]
    assert (win.word, win.seat) == ("win", 2)
    recorder.add(win.events, inferred=(0,))
    assert recorder.state.chips.awarded == {2: 900}
    assert find_choices(recorder.state)[0].events == (HandCompleted(),)


@pytest.mark.parametrize("threads", [4])
def test_devices_at_once_lose_and_double_nothing(book: Ledger, threads: int) -> None:
    """Each waits for its turn by the version; what is refused is said again under the same key until it stands."""
    begin_hand(book)
    acts = ["1 calls 5", "2 calls 3", "6 checks", "flop 7h 2c Kd", "2 checks", "6 checks", "1 checks"]

    def send(line: str, key: str) -> None:
        for _ in range(200):
            recorder = at_table(book, key)
            try:
                recorder.tell(line, key=key, behind=recorder.version)
            except ConflictError:
                continue
            return

    for index, line in enumerate(acts):
        workers = [threading.Thread(target=send, args=(line, f"act {index}")) for _ in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    (stream,) = (row.stream for row in book.hands())
    assert kinds(book.events(stream))[-7:] == [
        "Called",
        "Called",
        "Checked",
        "BoardDealt",
        "Checked",
        "Checked",
        "Checked",
    ]
    assert not list(book.verify())


def test_what_is_refused_at_one_table_takes_nothing_from_another(book: Ledger) -> None:
    """Lines that teach a name or a text are taken back when they are refused: their own, and no one else's."""

    def keep(table: str) -> None:
        recorder = Recorder(book, Settings("Riverside Cardroom", table, 9))
        for line in (*THREE[2:4], "seat 1 Ana 100"):
            recorder.tell(line)
        for index in range(40):
            recorder.tell(f'remark "{table} says {index}"')
            with pytest.raises(UnreadableHandError):
                recorder.tell(f'remark "{table} errs {index}" twice')

    tables = [threading.Thread(target=keep, args=(f"T{index}",)) for index in range(4)]
    for thread in tables:
        thread.start()
    for thread in tables:
        thread.join()
    assert not list(book.verify())
    for row in book.hands():
        lines = [line for line in write_lines(book.events(row.stream), book.people) if line.startswith("remark")]
        assert lines == [f'remark "{row.table} says {index}"' for index in range(40)]


def test_a_file_of_the_same_hand_is_another_account_of_it(book: Ledger, tmp_path: Path) -> None:
    begin_hand(book).tell("stop")
    path = tmp_path / "night.hand"
    path.write_text("handscript 1\n" + "\n".join((*THREE[:3], "hand 412", *THREE[4:], "1 folds", "end")) + "\n")
    import_paths(book, [path])
    assert len(list(book.hands())) == 2


def test_what_is_told_in_the_first_second_of_a_hand_that_runs_stands_behind_it(book: Ledger) -> None:
    """A device tells the hand's beginning to the second; the log knows what came first."""
    place, began = TableKey("Riverside Cardroom", "", "T7"), book.now() // 1000 * 1000

    def sits(seat: int) -> None:  # as somebody tells the table who keeps no hand
        fact, marks = SeatTaken(seat, f"p{seat}", "walk-in", 100), pack_origins([0, 0], [], {0: began + 300})
        draft = CommitDraft(
            "table", table_stream(*place), None, 1, msgspec.json.encode([fact]), marks, Provenance(book.now())
        )
        book.append_all([draft])

    sits(5)
    recorder = at_table(book)
    for line in (*THREE[:3], f"{THREE[3]} {format_wall_time(began)}Z", *THREE[4:]):
        recorder.tell(line)
    sits(4)
    for line in ("1 folds", "2 folds", "6 uncalled 3", "6 wins 4 from main", "end"):
        recorder.tell(line)
    events = [event.event for event in put_in_order(told_to(book, place))]
    assert [event.seat for event in events if isinstance(event, SeatTaken)] == [5, 4]
    assert [type(event).__name__ for event in events][-3:] == ["SeatTaken", "HandPlayed", "SeatTaken"]


def test_a_program_may_send_a_text_that_the_ledger_has_although_nobody_read_it_yet(book: Ledger) -> None:
    recorder = begin_hand(book)
    recorder.tell('remark "the deck is new"')
    remark = recorder.hand_events[-1]
    book.people.texts.clear()
    assert recorder.record_events([remark], {}).events == (remark,)
    with pytest.raises(UsageError, match="has no text"):
        recorder.record_events([msgspec.structs.replace(remark, text="tunknown")], {})
