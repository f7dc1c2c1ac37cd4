"""An evening of a whole card room: `python -m tests.torture.room`.

Twenty tables are kept for eight hours: 240 hands each, of random legal evenings. Each table has a tablet and a second
device, which number, queue and send their acts as the page does. Other clients read pages meanwhile. Networks lose
requests and answers, tablets are offline for minutes, the server is killed and stopped. In the end the ledger has each
act once, in the order in which it was pressed.

A room with 30 hands an hour has about two acts a second at 20 tables. `--speed 10` offers ten times as many.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import ledger
from ledger.entry import Provenance
from ledger.formats.handscript import write_lines
from ledger.house.events import RulebookAdopted
from ledger.store import Ledger
from ledger.store.hands.hand_accounts import TableKey
from ledger.streams import HOUSE, table_stream
from ledger.table.events import HandPlayed, TableOpened
from projections.books import rulebook
from tests.postgres import NoPostgresError, server
from tests.torture.room_acts import BOOK, core_lines, plan_tables
from tests.torture.room_devices import VENUE, AnswerTime, Listener, Network, Pace, Reader, TableDevices
from tests.torture.room_host import RoomHost, ServerLife
from tests.torture.server_probe import ProbeFigures, quantile_of_counts
from web.api.keys import build_page_key

_HANDS_PER_HOUR: Final = 30
_ACT_KEY_PARTS: Final = 4
"""Of a key: page, table, sender and number. Further commits of an act have a fifth part."""


@dataclass
class Evening:
    """How large the evening is, and how bad."""

    tables: int = 20
    hands: int = 240  # of each table: eight hours
    clients: int = 64  # with one tablet at each table; the others read
    restarts: int = 8  # by turns killed and stopped
    speed: float = 10.0  # times a real room's rate; 0 = as fast as they are answered
    losses: int = 10  # of a thousand requests
    reading_seconds: float = 10.0  # between two pages of a reader
    seed: int = 1
    patience_seconds: float = 4 * 3600.0


@dataclass
class EveningFigures:
    """What the evening came to."""

    acts: int
    hands: int
    seconds: float
    offered_rate: float  # acts a second
    act_times: list[AnswerTime]
    late_act_times: list[AnswerTime]  # of each device's last quarter
    page_times: list[tuple[str, AnswerTime]]  # by the page's path
    lost: int  # requests, and answers
    resent: int
    repeats: int
    races: int
    handovers: int
    offline_spells: int
    lives: list[ServerLife]
    stop_seconds: list[float]
    probe_figures: ProbeFigures | None = None  # of the server's last life
    wrong: list[str] = field(default_factory=list)


def keep_evening(url: str, size: Evening) -> EveningFigures:
    """Keep a whole evening in a new ledger."""
    with ledger.open(url) as book:
        adopted = rulebook.load(BOOK)
        event = RulebookAdopted(adopted.name, adopted.edition, adopted.digest)
        book.append("house", HOUSE, [event], recorded=Provenance(book.now()))
    planned = plan_tables(size.tables, size.hands, size.seed)
    act_count = sum(len(table.acts) for table in planned)
    per_act = size.hands / _HANDS_PER_HOUR * 3600 / (act_count / size.tables)
    pace = Pace(per_act / size.speed if size.speed else 0.0)
    stop, all_devices = threading.Event(), list[TableDevices]()
    with RoomHost(url, lambda: sum(devices.recorded_acts for devices in all_devices)) as host:
        all_devices += [
            TableDevices(table, _networks(host, size, index), pace, size.seed + index, stop)
            for index, table in enumerate(planned)
        ]
        readers, listeners = _readers(host, size, stop)
        began = time.monotonic()
        for client in (*all_devices, *readers, *listeners):
            client.start()
        _run_evening(host, size, all_devices, act_count)
        seconds = time.monotonic() - began
        stop.set()
        for client in (*all_devices, *readers):
            client.join(30)
        lives = host.lives()
    outboxes = [outbox for devices in all_devices for outbox in devices.outboxes]
    networks = [outbox.network for outbox in outboxes]
    figures = EveningFigures(
        acts=sum(devices.recorded_acts for devices in all_devices),
        hands=size.tables * size.hands,
        seconds=seconds,
        offered_rate=size.tables / pace.seconds_per_act if pace.seconds_per_act else act_count / seconds,
        act_times=[answer_time for outbox in outboxes for answer_time in outbox.times],
        late_act_times=[
            answer_time for outbox in outboxes for answer_time in outbox.times[len(outbox.times) * 3 // 4 :]
        ],
        page_times=[page_time for reader in readers for page_time in reader.times],
        lost=sum(network.lost_requests + network.lost_answers for network in networks),
        resent=sum(outbox.resent for outbox in outboxes),
        repeats=sum(outbox.repeats for outbox in outboxes),
        races=sum(devices.races for devices in all_devices),
        handovers=sum(devices.handovers for devices in all_devices),
        offline_spells=sum(devices.offline_spells for devices in all_devices),
        lives=lives,
        stop_seconds=host.stop_seconds,
        probe_figures=host.probe_figures,
    )
    figures.wrong += host.problems
    figures.wrong += [devices.problem for devices in all_devices if devices.problem]
    figures.wrong += [f"{devices.planned.name} did not end" for devices in all_devices if devices.is_alive()]
    with ledger.open(url, create=False) as book:
        figures.wrong += [f"verify: {problem}" for problem in book.verify()]
        keys = _act_keys(book)
        for devices in all_devices:
            stored = keys.get(table_stream(VENUE, "", devices.planned.name).hex, [])
            figures.wrong += _find_differences(book, devices, stored)
    figures.wrong += [bad for reader in readers for bad in reader.bad_answers]  # last: acts matter more
    return figures


def _networks(host: RoomHost, size: Evening, index: int) -> tuple[Network, Network]:
    """Return the networks of a table's two devices."""
    tablet, second = (
        Network(lambda: host.door, size.seed * 10_000 + 2 * index + device, size.losses) for device in range(2)
    )
    return tablet, second


def _readers(host: RoomHost, size: Evening, stop: threading.Event) -> tuple[list[Reader], list[Listener]]:
    """Return the clients without a table to keep: each reads pages of one table and of the house; some also listen."""
    readers = []
    for index in range(max(0, size.clients - size.tables)):
        name = f"T{index % size.tables + 1}"
        place = urlencode({"venue": VENUE, "tournament": "", "name": name})
        addresses = [
            f"/keep.json?{place}",
            f"/table?{place}",
            f"/keep.json?{place}",
            "/tables",
            f"/keep?{place}",
            "/findings",
            f"/keep.json?{place}",
            "/log",
        ]
        start = index % len(addresses)
        network = Network(lambda: host.door, size.seed * 20_000 + index)
        readers.append(Reader(network, addresses[start:] + addresses[:start], size.reading_seconds, stop))
    listeners = [Listener(lambda: host.door, stop) for _ in range(len(readers) // 4)]
    return readers, listeners


def _run_evening(host: RoomHost, size: Evening, all_devices: Sequence[TableDevices], act_count: int) -> None:
    """Restart the server after so many acts each, until the evening is over."""
    chance = random.Random(size.seed)
    # Half of the evening is one life of the server: its memory is looked at over hours.
    marks = sorted(chance.uniform(0.02, 0.5) for _ in range(size.restarts))
    signals = [signal.SIGKILL, signal.SIGTERM] * size.restarts
    patience = time.monotonic() + size.patience_seconds
    while any(devices.is_alive() for devices in all_devices) and time.monotonic() < patience:
        share = sum(devices.recorded_acts for devices in all_devices) / act_count
        if marks and share >= marks[0]:
            del marks[0]
            host.restart(signals.pop())
        host.revive()
        time.sleep(0.02)


def _find_differences(book: Ledger, devices: TableDevices, stored: list[str]) -> Iterator[str]:
    """Say what a table's log lacks, has twice or has in another order, in keys and in words."""
    planned = devices.planned
    pressed = [build_page_key(TableKey(VENUE, "", planned.name), sender, number) for sender, number in devices.accepted]
    if stored != pressed:
        lost, extra = len(set(pressed) - set(stored)), len(set(stored) - set(pressed))
        yield f"{planned.name}: {lost} acts lost, {extra} that nobody pressed, or another order"
    table_events = book.events(table_stream(VENUE, "", planned.name))
    of_table = [event for event in table_events if not isinstance(event, HandPlayed | TableOpened)]
    stored_lines = {"": core_lines(write_lines(of_table, book.people))}
    for row in book.hands(venue=VENUE, table=planned.name):
        if row.number in stored_lines:
            yield f"{planned.name}: hand {row.number} is there twice"
        stored_lines[row.number] = core_lines(write_lines(book.events(row.stream), book.people))
    expected = planned.lines_by_hand()
    yield from (
        f"{planned.name} hand {number or '-'}: {stored_lines.get(number)} instead of {expected.get(number)}"
        for number in sorted({*stored_lines, *expected})
        if stored_lines.get(number) != expected.get(number)
    )


def _act_keys(book: Ledger) -> dict[str, list[str]]:
    """Return the keys of the pages' acts by the stream of their table, in the log's order, each once."""
    keys: dict[str, dict[str, None]] = {}
    for commit in book.commits():
        parts = (commit.key or "").split(":")
        if parts[0] == "page":
            keys.setdefault(parts[1], {})[":".join(parts[:_ACT_KEY_PARTS])] = None
    return {table: list(keys_of_table) for table, keys_of_table in keys.items()}


MAX_GROWTH: Final = 1.5
"""MB of memory for each thousand acts by which the last life of the server may grow in its second half."""
_MIN_ACTS_FOR_GROWTH: Final = 5_000
"""Acts of a life from which on its growth is judged: before, caches and allocators still fill."""
MAX_ACT_P99: Final = 50.0
"""Milliseconds within which 99 of 100 acts are answered, at a real room's rate, on a machine that isn't loaded."""
_QUIET_LOAD: Final = 2.0
"""Load of a machine up to which `MAX_ACT_P99` is judged: this program and its server are 1 to 2 of it."""
_SETTLING_SECONDS: Final = 30.0
"""After a start of the server. Acts in this time are counted apart: pages and code are being read then."""


def find_wrong_figures(figures: EveningFigures, speed: float) -> Iterator[str]:
    """Yield the bounds that an evening doesn't keep."""
    life = figures.lives[-1] if figures.lives else None
    if life is not None and life.acts >= _MIN_ACTS_FOR_GROWTH and life.growth_per_thousand > MAX_GROWTH:
        yield f"memory grew by {life.growth_per_thousand:.3f} MB per thousand acts, more than {MAX_GROWTH}"
    act_p99 = quantile([answer_time.seconds for answer_time in _settled(figures.act_times)], 0.99)
    if speed == 1 and os.getloadavg()[1] <= _QUIET_LOAD and act_p99 > MAX_ACT_P99:
        yield f"acts p99 {act_p99:.1f} ms, more than {MAX_ACT_P99:g}"


def _settled(times: Sequence[AnswerTime]) -> list[AnswerTime]:
    return [answer_time for answer_time in times if answer_time.after_start >= _SETTLING_SECONDS]


def quantile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that so large a share of the values doesn't exceed, in milliseconds."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def report(figures: EveningFigures) -> Iterator[str]:
    """Yield the figures as lines."""
    yield (
        f"{figures.acts:,} acts in {figures.hands:,} hands, {figures.acts / figures.seconds:.1f} a second for "
        f"{figures.seconds:,.0f} s (offered: {figures.offered_rate:.1f}); load {' '.join(f'{x:.1f}' for x in os.getloadavg())}"
    )
    starting = [answer_time for answer_time in figures.act_times if answer_time.after_start < _SETTLING_SECONDS]
    yield from _describe_times("acts", _settled(figures.act_times))
    yield from _describe_times(f"acts in the first {_SETTLING_SECONDS:g} s after a start", starting)
    yield from _describe_times("acts, each device's last quarter", _settled(figures.late_act_times))
    yield from _describe_times("pages", [answer_time for _, answer_time in figures.page_times])
    for path in sorted({path for path, _ in figures.page_times}):
        yield from _describe_times(f"  {path}", [answer_time for own, answer_time in figures.page_times if own == path])
    yield (
        f"{figures.lost:,} requests or answers lost on the way, {figures.resent:,} acts sent again, "
        f"{figures.repeats:,} of them recorded before; {figures.offline_spells} times offline, "
        f"{figures.handovers} handovers, {figures.races} races"
    )
    for number, life in enumerate(figures.lives, 1):
        yield (
            f"life {number}: {life.acts:,} acts, {life.start:.1f} to {life.end:.1f} MB (most {life.peak:.1f}), "
            f"{life.growth_per_thousand:+.3f} MB per thousand acts, judging process {life.worker_peak:.1f} MB, "
            f"{life.cpu_per_act:.1f} ms of processor per act, pages included"
        )
    if figures.probe_figures is not None:
        yield from _describe_probe(figures.probe_figures)
    yield (
        f"bounds: {MAX_GROWTH} MB per thousand acts in a last life of {_MIN_ACTS_FOR_GROWTH:,} acts or more; "
        f"acts p99 {MAX_ACT_P99:g} ms at speed 1 on a machine with a load of at most {_QUIET_LOAD:g}"
    )
    if figures.stop_seconds:
        yield f"after SIGTERM it ended within {max(figures.stop_seconds):.1f} s"
    yield f"{len(figures.wrong)} wrong"
    yield from (f"  {problem[:300]}" for problem in figures.wrong[:10])


def _describe_times(name: str, times: Sequence[AnswerTime]) -> Iterator[str]:
    for where, seconds in (
        ("", [answer_time.seconds for answer_time in times]),
        (" in the server", [answer_time.in_server for answer_time in times]),
    ):
        quantiles = (quantile(seconds, share) for share in (0.5, 0.99, 0.999, 1))
        yield f"{name}{where}: {len(seconds):,}, p50 {{:.1f}} ms, p99 {{:.1f}}, p99.9 {{:.1f}}, most {{:.1f}}".format(
            *quantiles
        )


def _describe_probe(probe_figures: ProbeFigures) -> Iterator[str]:
    """Yield the processor time of the requests in the server's process, and how long one thread held the interpreter."""
    for name, counts in [*sorted(probe_figures.requests.items()), ("interpreter held", probe_figures.holds)]:
        quantiles = (quantile_of_counts(counts, share) for share in (0.5, 0.99, 0.999, 1))
        yield f"processor, {name}: {sum(counts.values()):,}, p50 {{:.1f}} ms, p99 {{:.1f}}, p99.9 {{:.1f}}, most {{:.1f}}".format(
            *quantiles
        )


def main() -> int:
    usual = Evening()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=usual.tables)
    parser.add_argument("--hands", type=int, default=usual.hands, help="of each table; 30 are an hour")
    parser.add_argument("--clients", type=int, default=usual.clients)
    parser.add_argument("--restarts", type=int, default=usual.restarts)
    parser.add_argument("--speed", type=float, default=usual.speed, help="times a real room's rate; 0 = no pauses")
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--sqlite", action="store_true", help="instead of PostgreSQL")
    options = parser.parse_args()
    size = Evening(options.tables, options.hands, options.clients, options.restarts, options.speed, seed=options.seed)
    if options.sqlite:
        with tempfile.TemporaryDirectory() as folder:
            figures = keep_evening(str(Path(folder, "x.ledger")), size)
    else:
        try:
            with server() as url:
                figures = keep_evening(url, size)
        except NoPostgresError as error:
            sys.exit(str(error))
    figures.wrong += find_wrong_figures(figures, size.speed)
    print("\n".join(report(figures)))
    return 1 if figures.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
