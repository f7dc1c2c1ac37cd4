"""What is played at a table is remembered before its first hand: the same on every store."""

from __future__ import annotations

from ledger.formats.handscript.context import Settings
from ledger.hand.opening import GameSet, OptionSet
from ledger.recording.author import Author
from ledger.recording.recorder import Recorder
from ledger.recording.running_hand import find_last_settings
from ledger.recording.table_opening import list_opened_tables, open_table
from ledger.store import Ledger
from ledger.store.hands.hand_accounts import TableKey

T7 = TableKey("Riverside Cardroom", "", "T7")
GAME = "game holdem no-limit cash blinds 2/5 unit USD 2"
AUTHOR = Author("user:AAAAAAAAAAAAAAAA")


def open_with(book: Ledger, *lines: str, table: str = "T7") -> Recorder:
    recorder = Recorder(book, Settings("Riverside Cardroom", table, 9))
    for line in lines:
        recorder.tell(line)
    open_table(book, recorder.settings, recorder.lines.opening, AUTHOR)
    return recorder


def remembered(book: Ledger) -> Recorder:
    """The table as another program finds it."""
    settings_before = find_last_settings(book, *("Riverside Cardroom", "T7"))
    assert settings_before is not None
    return Recorder(book, *settings_before)


def blinds_of(recorder: Recorder) -> tuple[int, ...]:
    (game,) = [event for event in recorder.lines.opening if isinstance(event, GameSet)]
    return game.blinds


def test_a_table_keeps_its_game_and_options_until_its_first_hand(book: Ledger) -> None:
    open_with(book, GAME, "option button-method dead")
    recorder = remembered(book)
    assert (recorder.settings.seats, recorder.settings.unit, recorder.settings.exponent) == (9, "USD", 2)
    assert blinds_of(recorder) == (200, 500)
    assert recorder.lines.opening[1:] == [OptionSet("button-method", "dead")]
    recorder.tell("1 sits Ana stack 500")
    recorder.tell("hand 1")
    assert recorder.state.game is not None
    assert recorder.state.game.blinds == (200, 500)


def test_nobody_guesses_the_game_of_a_table_that_was_opened_without_it(book: Ledger) -> None:
    Recorder(book, Settings("Riverside Cardroom", "T7", 9)).tell("1 sits Ana stack 500")
    assert find_last_settings(book, "Riverside Cardroom", "T7") is None


def test_a_game_that_is_chosen_again_counts(book: Ledger) -> None:
    open_with(book, GAME)
    open_with(book, "game omaha pot-limit cash blinds 5/10 unit EUR 2")
    recorder = remembered(book)
    assert blinds_of(recorder) == (500, 1000)
    assert recorder.settings.unit == "EUR"


def test_stakes_that_change_between_hands_hold_after_a_restart(book: Ledger) -> None:
    recorder = open_with(book, GAME)
    recorder.tell("stakes blinds 5/10")
    assert blinds_of(remembered(book)) == (500, 1000)
    recorder.undo()
    assert blinds_of(recorder) == (200, 500)
    assert blinds_of(remembered(book)) == (200, 500)
    recorder.tell("stakes blinds 25/50")
    second = remembered(book)
    second.undo()
    assert blinds_of(second) == (200, 500)
    for line in ("hand 1", "seat 1 Ana 500", "stop", "stakes blinds 10/20"):
        recorder.tell(line)
    assert blinds_of(remembered(book)) == (1000, 2000)


def test_the_list_of_opened_tables_ends_with_the_first_hand(book: Ledger) -> None:
    recorder = open_with(book, GAME)
    open_with(book, GAME, table="T8")
    assert list_opened_tables(book, 5) == [T7, T7._replace(table="T8")]
    assert list_opened_tables(book, 1) == [T7._replace(table="T8")]
    for line in ("hand 1", "seat 1 Ana 500", "stop"):
        recorder.tell(line)
    assert list_opened_tables(book, 5) == [T7._replace(table="T8")]
