"""Reading PokerStars text: ours, cutting the text alone, and PokerKit's reader, in one run.

    python benchmarks/reading.py [folder of hands]

Goals, from design.md §7, are for the whole import: 0.3 of cutting the text alone, and 30 times PokerKit.
Reading alone has to leave room for encoding, hashing, folding and storing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from time import process_time
from warnings import catch_warnings, simplefilter

from ledger.account import Account
from ledger.formats.pokerstars import FORMAT
from ledger.notation import Chunk
from ledger.people import People

ROUNDS = 7
POKERKIT_HANDS = 150  # hands that PokerKit reads in a round
DEFAULT = Path(__file__).parents[2] / "shared/data/pokerstars/cash-2021-nl50-masked"


def read_ours(sources: list[bytes]) -> int:
    """Text to events with places."""
    people = People(bytes(32))
    return sum(isinstance(item, Account) for data in sources for item in FORMAT.read(Chunk(data), people))


def cut_text(texts: list[str]) -> int:
    """Cut the text into tuples with str methods: no amounts, no checks, no places."""
    hands = 0
    for text in texts:
        for hand in text.split("PokerStars Hand #")[1:]:
            seats: dict[str, str] = {}
            out: list[tuple[str, ...]] = []
            for line in hand.split("\n"):
                if line.startswith("Seat "):
                    colon, opening = line.find(": "), line.rfind(" (")
                    name = line[colon + 2 : opening]
                    seats[name] = line[5:colon]
                    out.append(("seat", line[5:colon], name, line[opening + 2 :]))
                    continue
                colon_index = line.rfind(": ")
                if colon_index > 0 and line[:colon_index] in seats:
                    out.append((line[:colon_index], *line[colon_index + 2 :].split()))
                else:
                    out.append((line,))
            hands += 1
    return hands


def read_with_pokerkit(texts: list[str]) -> int:
    """PokerKit's reader: it plays each hand again."""
    from pokerkit.notation import PokerStarsParser  # noqa: PLC0415 - slow to import, needed here alone

    with catch_warnings():
        simplefilter("ignore")
        return sum(1 for text in texts for _ in PokerStarsParser()(StringIO(text).read()))


def measure_rate(job: Callable[[], int]) -> float:
    """Return hands per CPU second."""
    started_at = process_time()
    hands = job()
    return hands / max(process_time() - started_at, 1e-9)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    if not folder.is_dir():
        sys.exit(f"{folder}: no such folder; name one with PokerStars hands")
    sources = [path.read_bytes() for path in sorted(folder.glob("*.txt"))]
    texts = [data.decode("utf-8-sig", "replace").replace("\r", "") for data in sources]
    pokerkit_texts = ["\n\n\n".join(texts[0].split("\n\n\n")[:POKERKIT_HANDS])]
    rates: dict[str, list[float]] = {"ours": [], "cut": [], "pokerkit": []}
    for _ in range(ROUNDS):  # interleaved, so that a busy machine is busy for all
        rates["ours"].append(measure_rate(lambda: read_ours(sources)))
        rates["cut"].append(measure_rate(lambda: cut_text(texts)))
        rates["pokerkit"].append(measure_rate(lambda: read_with_pokerkit(pokerkit_texts)))
    medians = {name: sorted(values)[ROUNDS // 2] for name, values in rates.items()}
    print(f"reading PokerStars text, {sum(map(len, sources)) / 1e6:.1f} MB, hands per CPU second,")
    print(f"median (range) of {ROUNDS} rounds")
    for name, title in (
        ("ours", "text → events with places"),
        ("cut", "cutting the text into tuples"),
        ("pokerkit", "PokerKit's reader"),
    ):
        values = rates[name]
        print(f"  {title:32} {medians[name]:9,.0f}  ({min(values):,.0f}-{max(values):,.0f})")
    print(f"  ours / cutting   {medians['ours'] / medians['cut']:6.2f}   goal of the import: 0.30")
    print(f"  ours / PokerKit  {medians['ours'] / medians['pokerkit']:6.1f}   goal of the import: 30")


if __name__ == "__main__":
    main()
