"""The torture in short, so that it cannot rot: `make torture` has the figures of docs/reliability.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.postgres import NoPostgresError, server
from tests.torture import bulk, bundles, faults, feeding, flips, kills, machine, power, room, sizes
from tests.torture import server as servers
from tests.torture.disk import strace

pytestmark = pytest.mark.slow

traces = pytest.mark.skipif(strace() is None, reason="there is no strace here, or it may not trace")


@traces
def test_no_power_cut_loses_what_was_acknowledged_and_a_lying_disk_is_seen(tmp_path: Path) -> None:
    ops, home = power.trace(tmp_path)
    score = power.run(ops, home, 1200, 3)
    assert (score.lost, score.broken, score.first) == (0, 0, "")
    assert score.states > 900
    assert power.run(ops, home, 900, 3, honest=False).lost, "the test would see a loss"


@traces
def test_a_fault_at_any_call_ends_in_our_own_error_and_leaves_a_ledger(tmp_path: Path) -> None:
    endings, wrong = faults.torture(8, 5)
    assert wrong == []
    assert sum(endings.values()) == 8


def test_every_flipped_bit_that_changes_anything_is_found(tmp_path: Path) -> None:
    score, missed = flips.flip(flips.make_ledger(tmp_path), tmp_path, 60, 11)
    assert (missed, score.alarms) == ([], 0)
    assert score.changed


def test_every_rewritten_history_is_found_against_an_old_checkpoint(tmp_path: Path) -> None:
    assert flips.rewrite(tmp_path, 3, 2) == (0, 3, 3)


def test_killed_programs_leave_what_they_promised(tmp_path: Path) -> None:
    result = kills.kill(f"sqlite:///{tmp_path / 'x.ledger'}", tmp_path, 8, 4)
    assert (result.lost, result.broken) == (0, [])


def test_an_import_that_is_interrupted_and_killed_loses_and_doubles_nothing(tmp_path: Path) -> None:
    score = bulk.torture(tmp_path, 4_000_000, 400_000)
    assert score.wrong == []
    assert score.hands > 2500
    assert max(run.peak for run in score.runs) < 200


def test_a_watch_that_is_killed_while_a_log_grows_tells_each_hand_once(tmp_path: Path) -> None:
    result = feeding.kills(tmp_path, 5, 4, 2, 0.08)
    assert result.wrong == []
    assert result.hands == 8


def test_a_room_whose_server_and_networks_fail_records_each_act_once(tmp_path: Path) -> None:
    evening = room.Evening(tables=3, hands=10, clients=6, restarts=2, speed=0, losses=40, reading_seconds=1)
    figures = room.keep_evening(str(tmp_path / "x.ledger"), evening)
    assert figures.wrong == []
    assert figures.acts > 300
    assert figures.lost > 5
    assert len(figures.lives) > 1


def test_whatever_is_done_to_a_ledger_it_is_what_its_model_is() -> None:
    assert machine.torture(400, 7, shrink=True) >= 400


def test_no_altered_byte_or_field_of_evidence_is_taken_for_the_truth(tmp_path: Path) -> None:
    tried, wrong = bundles.torture(tmp_path, 60, 3, 1500)
    assert wrong == []
    assert min(tried.values()) > 4
    assert tried["a value of an event"] > 100
    assert len(tried) > 25
    assert 40 < tried[bundles.ACCEPTED] < 750, "most is refused, and some is named as not covered"


def test_evidence_grows_by_one_hash_when_the_ledger_doubles(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    small, large = sizes.measure(tmp_path / "a", 200), sizes.measure(tmp_path / "b", 1600)
    assert large.hashes <= (large.commits - 1).bit_length()
    assert small.hashes <= (small.commits - 1).bit_length()
    assert large.proof - small.proof <= 45 * (large.hashes - small.hashes) + 10
    for size in (small, large):
        hash_difference = (1_000_000 - 1).bit_length() - size.hashes
        assert size.ruled + 45 * hash_difference + 20 < 20_000, "under 20 KB in a ledger of a million commits"


@pytest.mark.postgres
def test_a_bad_line_and_a_server_that_goes_lose_nothing_and_double_nothing() -> None:
    try:
        with server() as url:
            cuts, _, twice, missing = servers.cut(url, 25, 1)
            assert (twice, missing) == (0, 0)
            assert cuts
        with server() as url:
            events, gaps, missed = servers.crowd(url, 3, writers=6)
            assert (gaps, missed) == (0, 0)
            assert events
        with server() as url:
            assert servers.crowd(url, 4, writers=4, restarts=1)[1] == 0
    except NoPostgresError as error:
        pytest.skip(str(error))
