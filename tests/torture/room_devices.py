"""The devices of a simulated room: tablets that keep tables as the page does, and readers of pages, over a bad network."""

from __future__ import annotations

import json
import random
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import islice
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from tests.torture.room_acts import PlannedTable, TableAct

VENUE: Final = "Room"
_RETRY_SECONDS: Final = 0.2
_TIMEOUT_SECONDS: Final = 10.0  # as the page's


class Door(NamedTuple):
    """Where the server listens, the key that a floor's device has there, and when it started."""

    port: int
    key: str
    opened: float = 0.0


class AnswerTime(NamedTuple):
    """How long an answer took, in seconds."""

    seconds: float  # as the client measured it, with the client's own delays
    in_server: float  # as the server says, from the request's head to the answer's
    after_start: float  # since the server had started, when the request was sent


class PageAnswer(NamedTuple):
    """What the server answered."""

    status: int
    body: bytes
    time: AnswerTime

    def json(self) -> dict[str, Any]:
        document = json.loads(self.body or b"{}")
        assert isinstance(document, dict)
        return document


class LostError(Exception):
    """The request or its answer was lost on the way."""


class Network:
    """A device's network: it loses so many of a thousand requests, before or after the server has answered."""

    def __init__(self, door: Callable[[], Door], seed: int, losses: int = 0) -> None:
        self._door, self._losses, self._chance = door, losses, random.Random(seed)
        self._link: tuple[Door, HTTPConnection] | None = None
        self.lost_requests = self.lost_answers = 0

    def ask(self, method: str, path: str, fields: dict[str, object] | None = None) -> PageAnswer:
        """Ask the server. Raise `LostError` if nothing comes back."""
        fate = self._chance.randrange(1000)
        body = None if fields is None else json.dumps(fields).encode()
        try:
            door, link = self._connect()
            if fate < self._losses // 2:
                self._send_half(door, method, path)
            started = time.perf_counter()
            headers = {"Authorization": f"Bearer {door.key}", "Host": f"127.0.0.1:{door.port}"}
            link.request(method, path, body, headers | ({"Content-Type": "application/json"} if body else {}))
            if self._losses // 2 <= fate < self._losses:
                time.sleep(self._chance.random() * 0.02)  # it arrives, and may be recorded or not
                self.lost_answers += 1
                link.close()
            response = link.getresponse()  # of a closed connection: an error
            in_server = float(response.getheader("server-timing", "dur=0").partition("dur=")[2]) / 1000
            answer_body = response.read()
            answer_time = AnswerTime(time.perf_counter() - started, in_server, started - door.opened)
            return PageAnswer(response.status, answer_body, answer_time)
        except (OSError, HTTPException, LostError) as error:
            self.close()
            raise LostError from error

    def _connect(self) -> tuple[Door, HTTPConnection]:
        door = self._door()
        if self._link is None or self._link[0] != door:
            self.close()
            self._link = door, HTTPConnection("127.0.0.1", door.port, timeout=_TIMEOUT_SECONDS)
            self._link[1].connect()
            assert self._link[1].sock is not None
            self._link[1].sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._link

    def _send_half(self, door: Door, method: str, path: str) -> None:
        with socket.create_connection(("127.0.0.1", door.port), _TIMEOUT_SECONDS) as half:
            half.sendall(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{door.port}\r\nContent-".encode())
        self.lost_requests += 1
        raise LostError

    def close(self) -> None:
        """Close the connection."""
        if self._link is not None:
            self._link[1].close()
            self._link = None


@dataclass
class QueuedAct:
    """An act in an outbox: its number, and what its sender had seen of the table."""

    number: int
    act: TableAct
    since: int | None


@dataclass
class PageOutbox:
    """The outbox of one page, as `outbox.js`: acts are numbered, sent in order, and sent again until answered."""

    network: Network
    table: str
    sender: str = field(default_factory=lambda: secrets.token_hex(12))
    next_number: int = 1
    last_number: int = 0
    reached_position: int = 0
    seen_position: int = 0
    queue: list[QueuedAct] = field(default_factory=list)
    accepted: list[tuple[str, int]] = field(default_factory=list)
    refusals: list[tuple[TableAct, int, str]] = field(default_factory=list)
    times: list[AnswerTime] = field(default_factory=list)
    repeats: int = 0  # acts that were recorded although their answer was lost
    resent: int = 0

    def press(self, act: TableAct) -> None:
        """Take an act into the queue."""
        is_seen = not self.queue and (self.seen_position >= self.reached_position or not self.last_number)
        self.queue.append(QueuedAct(self.next_number, act, self.seen_position if is_seen else None))
        self.next_number += 1

    def send_next(self) -> bool:
        """Send the first act of the queue; return whether it was answered."""
        queued = self.queue[0]
        fields = self.address | {
            "written": queued.act.line,
            "sender": self.sender,
            "number": queued.number,
            "after": self.last_number,
            "seat": "" if queued.act.seat is None else queued.act.seat,
            "since": "" if queued.since is None else queued.since,
        }
        try:
            answer = self.network.ask("POST", "/keep.json", fields)
        except LostError:
            self.resent += 1
            return False
        if answer.status in (401, 403, 408, 421, 429) or answer.status >= 500:
            self.resent += 1
            return False
        self.times.append(answer.time)
        self._settle(queued, answer)
        return True

    def _settle(self, queued: QueuedAct, answer: PageAnswer) -> None:
        document = answer.json()
        if answer.status != 200:
            self.refusals += [(late.act, answer.status, str(document)) for late in self.queue]
            self.queue.clear()
            if document.get("last") is not None:
                self.last_number = document["last"]
                self.next_number = max(self.next_number, self.last_number + 1)
            return
        del self.queue[0]
        self.reached_position = max(self.reached_position, document["reached"])
        self.repeats += document["again"]
        if document["recorded"]:
            self.last_number = queued.number
            self.accepted.append((self.sender, queued.number))

    @property
    def address(self) -> dict[str, object]:
        """The table, as the page's forms name it."""
        return {"venue": VENUE, "tournament": "", "name": self.table}

    def redraw(self) -> bool:
        """Read the table's state again; return whether it came."""
        try:
            answer = self.network.ask("GET", f"/keep.json?{urlencode(self.address)}")
        except LostError:
            return False
        if answer.status == 200:
            self.seen_position = answer.json()["position"]
        return answer.status == 200


class Pace(NamedTuple):
    """How fast a table's acts come, and how often something happens to its devices."""

    seconds_per_act: float  # on average
    offline_per_thousand: int = 4  # acts before which the network is gone for the next ones
    offline_acts: int = 40  # at most so many: five minutes of a hand
    handovers_per_thousand: int = 10  # acts before which the table's other device takes over
    races_per_thousand: int = 5  # acts that both devices send at the same moment


class TableDevices(threading.Thread):
    """The tablet of a table and a second device, and the dealers who enter the table's evening on them."""

    def __init__(
        self, table: PlannedTable, networks: tuple[Network, Network], pace: Pace, seed: int, stop: threading.Event
    ) -> None:
        super().__init__(daemon=True)
        self.planned, self.pace, self.stop = table, pace, stop
        self.outboxes = [PageOutbox(network, table.name) for network in networks]
        self.recorded_acts = 0
        self.accepted: list[tuple[str, int]] = []  # sender and number, in the order of the evening
        self.races = self.handovers = self.offline_spells = self.openings = 0
        self.problem = ""
        self._chance = random.Random(seed)
        self._due = time.monotonic()

    def run(self) -> None:
        try:
            self._keep_evening()
        except Exception as error:  # noqa: BLE001 - a device that is gone records nothing: the report must show it
            self.problem = f"{self.planned.name}: {error!r}"
        finally:
            for outbox in self.outboxes:
                outbox.network.close()

    def _keep_evening(self) -> None:
        outbox, partner = self.outboxes
        self._open(outbox)
        acts = iter(self.planned.acts)
        for act in acts:
            self._wait()
            chance = self._chance.randrange(1000)
            if chance < self.pace.handovers_per_thousand:
                outbox, partner = partner, outbox
                self.handovers += 1
                self._repeat(outbox.redraw)
            elif chance < self.pace.handovers_per_thousand + self.pace.races_per_thousand:
                self._race(outbox, partner, act)
                continue
            outbox.press(act)
            if self._chance.randrange(1000) < self.pace.offline_per_thousand:
                self.offline_spells += 1
                for late_act in islice(acts, self._chance.randrange(self.pace.offline_acts)):
                    self._wait()
                    outbox.press(late_act)
            self._send_all(outbox)
            if self.stop.is_set():
                return

    def _send_all(self, outbox: PageOutbox) -> None:
        """Send what waits, and draw the page again, as the page does when all is recorded."""
        while outbox.queue:
            accepted_count = len(outbox.accepted)
            self._repeat(outbox.send_next)
            if self.stop.is_set():
                return
            self._take_accepted(outbox, accepted_count)
            if outbox.refusals:
                self._press_again(outbox)
        outbox.redraw()

    def _press_again(self, outbox: PageOutbox) -> None:
        """Open the table again if the server forgot it before its first hand; nothing else may be refused."""
        (act, status, why), *later = outbox.refusals
        if status != 404:
            raise AssertionError(f"refused: {why}: {act.line}")
        outbox.refusals.clear()
        self._open(outbox)
        for act_to_repeat in (act, *(refused_act for refused_act, _, _ in later)):
            outbox.press(act_to_repeat)

    def _race(self, outbox: PageOutbox, partner: PageOutbox, act: TableAct) -> None:
        """Both devices show the same state, and send the same act: one of them must be refused."""
        for device in (outbox, partner):
            self._repeat(device.redraw)
            device.press(act)
        accepted_counts = [len(device.accepted) for device in (outbox, partner)]
        threads = [
            threading.Thread(target=self._repeat, args=(device.send_next,), daemon=True) for device in (outbox, partner)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.stop.is_set():
            return
        winners = [
            device
            for device, count in zip((outbox, partner), accepted_counts, strict=True)
            if len(device.accepted) > count
        ]
        statuses = [status for device in (outbox, partner) for _, status, _ in device.refusals]
        if len(winners) == 1 and statuses == [409]:
            self.races += 1
            self._take_accepted(winners[0], len(winners[0].accepted) - 1)
            outbox.refusals.clear()
            partner.refusals.clear()
            self._repeat(outbox.redraw)  # a page that was refused an act shows the table again before the next
        elif statuses == [404, 404]:
            partner.refusals.clear()
            self._press_again(outbox)
            self._send_all(outbox)
        else:
            reasons = [why for device in (outbox, partner) for _, _, why in device.refusals]
            raise AssertionError(f"{len(winners)} of two devices were first, refused: {reasons}: {act.line}")

    def _take_accepted(self, outbox: PageOutbox, accepted_count: int) -> None:
        fresh = outbox.accepted[accepted_count:]
        self.accepted += fresh
        self.recorded_acts += len(fresh)

    def _open(self, outbox: PageOutbox) -> None:
        """Set what is played here, as the page's first form does."""
        self.openings += 1
        fields = outbox.address | {"game": self.planned.game, "seats": str(self.planned.chairs)}

        def open_table() -> bool:
            try:
                return outbox.network.ask("POST", "/keep.json", fields).status in (200, 409)
            except LostError:
                return False

        self._repeat(open_table)
        self._repeat(outbox.redraw)

    def _repeat(self, work: Callable[[], bool]) -> None:
        """Do something again until it succeeds, as the page tries again each second."""
        while not work() and not self.stop.is_set():
            time.sleep(_RETRY_SECONDS)

    def _wait(self) -> None:
        """Wait until the next act comes; go on at once if the room is behind."""
        if not self.pace.seconds_per_act:
            return
        self._due += self._chance.expovariate(1 / self.pace.seconds_per_act)
        delay = self._due - time.monotonic()
        if delay > 0:
            time.sleep(delay)
        elif delay < -60:
            self._due = time.monotonic()  # after a long outage people don't hurry


class Reader(threading.Thread):
    """Somebody who reads pages: each address in turn, and pauses."""

    def __init__(self, network: Network, addresses: list[str], pause_seconds: float, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.network, self.addresses, self.pause_seconds, self.stop = network, addresses, pause_seconds, stop
        self.times: list[tuple[str, AnswerTime]] = []  # by the page's path
        self.bad_answers: list[str] = []
        self._chance = random.Random(addresses[0])

    def run(self) -> None:
        self.stop.wait(self._chance.random() * self.pause_seconds)
        try:
            self._read_pages()
        finally:
            self.network.close()

    def _read_pages(self) -> None:
        for address in self._turns():
            try:
                answer = self.network.ask("GET", address)
            except LostError:
                pass
            else:
                self._take(address, answer)
            if self.stop.wait(self.pause_seconds * self._chance.uniform(0.5, 1.5)):
                return

    def _turns(self) -> Iterator[str]:
        while not self.stop.is_set():
            yield from self.addresses

    def _take(self, address: str, answer: PageAnswer) -> None:
        if answer.status == 200:
            self.times.append((address.partition("?")[0], answer.time))
        elif answer.status not in (401, 404):  # the key changed with a restart; the table isn't open yet
            self.bad_answers.append(f"{address}: {answer.status} {answer.body[:200]!r}")


class Listener(threading.Thread):
    """An open page that waits for the log to grow, and opens the stream again when it ends."""

    def __init__(self, door: Callable[[], Door], stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self._door, self.stop = door, stop
        self.messages = 0

    def run(self) -> None:
        while not self.stop.is_set():
            door = self._door()
            link = HTTPConnection("127.0.0.1", door.port, timeout=30)
            try:
                link.request("GET", "/live", headers={"Authorization": f"Bearer {door.key}"})
                response = link.getresponse()
                while not self.stop.is_set() and (line := response.readline()):
                    self.messages += line.startswith(b"id:")
            except (OSError, HTTPException):
                pass
            finally:
                link.close()
            self.stop.wait(1)
