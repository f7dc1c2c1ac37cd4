"""One construct of a source that comes again and again, and what the program does with such a hand: for the laws about work."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from cli.main import run_program
from ledger import formats
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from projections.books import rulebook
from tests.formats.doubled import every_pump
from tests.formats.support import samples
from web.pages import hand_page, page_judgement
from web.pages.hand_frames import Viewer

_HEAD: Final = """handscript 1
venue "J" table J seats 9
witness everything
game holdem no-limit cash blinds 1/2 unit chips 0

hand 1 2026-11-20T22:10:00-05:00
seat 1 Ann 200
seat 2 Bob 200
seat 3 Cyd 200
button 1
2 posts small 1
3 posts big 2
deal done
"""
_END: Final = "2 folds\n3 folds\nshowdown\n1 shows AhKd\n1 wins 3\nend\n"


class Construct(NamedTuple):
    """What comes again and again, and a text in which that takes about so many bytes."""

    name: str
    suffix: str
    text: Callable[[int], str]


def _line(line: str, end: str = _END) -> Construct:
    return Construct(f"handscript {line}", ".hand", lambda size: _HEAD + f"{line}\n" * (size // len(line)) + end)


def _rounds(size: int) -> str:
    """The rounds of an Open Hand History that deal the same flop."""
    document = json.loads((Path(__file__).parent / "rounds.json").read_text())
    (betting_round,) = document["ohh"]["rounds"]
    document["ohh"]["rounds"] = [{**betting_round, "id": index} for index in range(size // 75)]
    return json.dumps(document)


def _seats(size: int) -> str:
    seats = "".join(f"Seat 1: n{1_000_000 + index} ($10 in chips) \n" for index in range(size // 34))
    return (
        "PokerStars Hand #1:  Hold'em No Limit ($0.05/$0.10 USD) - 2021/11/20 7:16:15 ET\n"
        f"Table 'Lamp' 6-max Seat #2 is the button\n{seats}"
        "Seat 2: b ($10 in chips) \nn1000000: posts small blind $0.05\nb: posts big blind $0.10\n*** HOLE CARDS ***\n"
        "n1000000: folds \nb collected $0.10 from pot\n*** SUMMARY ***\nTotal pot $0.10 | Rake $0 \n\n"
    )


def _every_seat(line: str) -> Construct:
    """Ever another seat that is dealt in, and of which a line tells."""

    def text(size: int) -> str:
        seats = range(4, 4 + size // (18 + len(line)))
        text = "".join(f"seat {seat} p{seat} 200\n" for seat in seats)
        acts = "".join(line.format(seat=seat) + "\n" for seat in seats)
        return _HEAD.replace("button 1\n", text + "button 1\n") + acts + _END

    return Construct(f"handscript of every seat: {line}", ".hand", text)


def _block(*lines: str) -> Construct:
    """Several lines that come again and again."""
    block = "".join(f"{line}\n" for line in lines)
    return Construct(
        f"handscript {' / '.join(lines)}", ".hand", lambda size: _HEAD + block * (size // len(block)) + _END
    )


def _learned(size: int) -> str:
    """Cards of a seat that nobody knew, and were all shown afterwards."""
    return _HEAD + "1 gets ??\n" * (size // 21) + "1 shows Ah\n" * (size // 21) + _END


SLOW_HANDS: Final = (
    _line("1 gets AhKd"),
    _line("1 gets AhKd", "end\n"),
    _line("1 checks"),
    _line("1 raises to 9 adding 9"),
    _line("flop AhKhQh"),
    _line("2 posts small 1 dead 1"),
    _line("2 takes-back 1"),
    _line("2 shows AhKd"),
    _line("2 offline"),
    _line("2 killed"),
    _line("unread words"),
    _block("flop Ah", "flop Kh"),
    _block("flop AhKhQh", "flop AdKdQd"),
    _block("misdeal", "2 folds"),
    _line("voided"),
    Construct("handscript cards shown afterwards", ".hand", _learned),
    Construct("ohh rounds", ".json", _rounds),
    Construct("pokerstars seats", ".txt", _seats),
)
"""Constructs that took work with their square once."""


def _strangers(size: int) -> str:
    """Ever another seat that was not dealt in acts."""
    line = "{} checks\n"
    return _HEAD + "".join(line.format(seat) for seat in range(100, 100 + size // 13)) + _END


MANY_SEATS: Final = (
    *map(
        _every_seat,
        (
            "{seat} calls 2",
            "{seat} folds",
            "{seat} checks",
            "{seat} raises to 9 adding 9",
            "{seat} posts big 2",
            "{seat} straddles 4",
            "{seat} gets AhKd",
            "{seat} shows AhKd",
            "{seat} wins 3",
            "{seat} calls 2\nvoided",
            "misdeal\n{seat} folds",
            "{seat} leaves p{seat} left",
        ),
    ),
    Construct("handscript seats that were not dealt in", ".hand", _strangers),
)
"""Very many seats of which each does something; each took work with its square once."""


def of_format(name: str) -> Iterator[Construct]:
    """Yield each line and each group of a format's samples that may be repeated."""
    suffix = samples(name)[0].suffix
    for pump in every_pump(name):
        if pump.what.startswith(("line ", "group ")) and "for ever" not in pump.what and not pump.counted:
            yield Construct(f"{name}: {pump.what}", suffix, pump.text)


def read(path: Path, folder: Path) -> str:
    """Import a file into a ledger of its own; return where that is."""
    url = str(folder / f"{path.stem}.ledger")
    for suffix in ("", "-wal", "-shm"):
        Path(url + suffix).unlink(missing_ok=True)
    with open_ledger(url) as ledger:
        import_paths(ledger, [path])
    return url


def audited(url: str) -> None:
    """Judge all hands under every book."""
    books = [word for name in rulebook.list_names() for word in ("-r", name)]
    _run("audit", *books, "--ledger", url)


def page(url: str) -> None:
    """Make the page of each hand."""
    with open_ledger(url) as ledger:
        for row in ledger.hands():
            list(
                hand_page.build_pages(
                    ledger, [row], page_judgement.choose_default_books(ledger, [row]), Viewer("house")
                )
            )


def report(url: str) -> None:
    """Write a report of all hands under a book."""
    _run("report", "-r", "hilton", "--where", "table:*", "--ledger", url, "-o", url + ".html")


def export(url: str) -> None:
    """Write all hands as handscript and as Open Hand History."""
    for form in ("handscript", "ohh"):
        _run("export", "--to", form, "--lossy", "--ledger", url, "-o", f"{url}.{form}")


def sealed(url: str) -> None:
    """Sign a checkpoint, by which evidence is proved."""
    _run("seal", "--new-key", "--key", url + ".key", "--name", "room.example", "--ledger", url)


def evidence(url: str) -> None:
    """Write the first hand as evidence, with what a book finds in it."""
    with open_ledger(url) as ledger:
        stream = next((row.stream.hex for row in ledger.hands()), None)
    if stream is not None:
        _run("evidence", stream, "-r", "hilton", "--ledger", url, "-o", url + ".hlev")


def _run(*args: str) -> None:
    run_program(list(args))


STEPS: Final = {"audit": audited, "page": page, "report": report, "export": export, "evidence": evidence}


def every_format() -> list[str]:
    """Return the formats of which there are samples."""
    return [name for name in formats.NAMES if samples(name)]
