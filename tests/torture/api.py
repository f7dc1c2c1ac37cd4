"""Requests made of the API's own description: `python -m tests.torture.api --requests 10000`.

Needs schemathesis, which is no part of the tests (`pip install schemathesis`, `--program` says where it lies). Nothing
that it thinks of may be answered with 500 or more; in the end the ledger verifies and the table can be read.
"""

from __future__ import annotations

import argparse
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import ledger
from ledger.entry import Provenance
from ledger.house.devices import digest_of
from ledger.house.events import DeviceEnrolled
from ledger.streams import HOUSE
from tests.torture.recording import GAME, SERVER, running
from web.api.client import Client

BEGIN = ("hand 1", "seat 1 Ana 500", "seat 2 Bo 500", "button 1", "1 posts small 2", "2 posts big 5", "deal done")
ADDRESSES = 6
"""Of the description, each of which gets as many requests."""
UNBOUND = "import web.api.device_requests as asking\nasking._REQUESTS_PER_SECOND = asking._MAX_BURST = 1e9\n"
"""A device may ask as often as it likes here: what is tried is what it says."""


def tried(program: str, requests: int, seed: int) -> tuple[int, str, list[str]]:
    """Let schemathesis ask; return how many requests it made, what it says of them, and what is wrong."""
    key = secrets.token_hex(20)
    with tempfile.TemporaryDirectory() as folder:
        url = str(Path(folder, "x.ledger"))
        with ledger.open(url) as book:
            device = DeviceEnrolled("tried", digest_of(key), venue="Room", table="T1", cards=True)
            book.append("house", HOUSE, [device], recorded=Provenance(book.now()))
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        with running(url, port, UNBOUND + SERVER):
            client = Client(f"http://127.0.0.1:{port}", key, venue="Room", table="T1")
            client.open(GAME)
            client.tell(*BEGIN)
            command = [
                *(program, "run", f"http://127.0.0.1:{port}/api/1/openapi.json", "--checks", "not_a_server_error"),
                *("-H", f"Authorization: Bearer {key}", "--exclude-path-regex", "live$", "--seed", str(seed)),
                *("--max-examples", str(requests // ADDRESSES), "--phases", "examples,coverage,fuzzing", "--no-color"),
            ]
            result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
            client.stands()
        wrong = [] if result.returncode == 0 else [f"schemathesis ended with {result.returncode}"]
        with ledger.open(url, create=False) as book:
            wrong += [f"verify: {problem}" for problem in book.verify()]
            count = re.findall(r"(\d+) generated", result.stdout)
        return sum(map(int, count)), result.stdout[-3000:], wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default=shutil.which("schemathesis") or "")
    options = parser.parse_args()
    if not options.program:
        sys.exit("schemathesis is not installed: pip install schemathesis, into an environment of its own")
    count, output, wrong = tried(options.program, options.requests, options.seed)
    print(output)
    print(f"{count} requests were made up, {len(wrong)} wrong")
    for line in wrong:
        print(" ", line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
