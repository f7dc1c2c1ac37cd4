"""Lakes that are spoiled on purpose, and every question asked of them: `python -m tests.torture.spoiled_lakes`.

The changes come from the files of the lake: each value of each JSON file, each column of each Parquet file. Whoever
knows the format also makes the receipts fit, so each change of a Parquet file is tried both ways.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from tests.cli.commands import GOOD
from tests.intake.hands import hands
from tests.torture.changes import EXTREMES, GARBAGE, Change
from tests.torture.questions import Answer, Command, ask, memory_limit
from tests.torture.tampering import Outcome, short_rests

VERIFY: Final = ("verify", "{lake}")
MORE_COMMANDS: Final = (
    ("lake", "audit", "{lake}", "--out", "{found}", "-r", "hilton"),
    ("lake", "rejects", "{lake}"),
    ("evidence", "1", "-o", "{out}.hlev", "--lake", "{lake}"),
)
"""What is asked besides what `tests/cli/commands.py` has of lakes; `evidence` only exists of sealed ones."""

MOST_VALUES: Final = 150
"""Values of one JSON file that are changed: of a larger one, so many by chance."""
KNOWN_WORDS: Final = {
    "unread": "which lines of a source couldn't be read",
    "digest": "which file a source's bytes are from",
    "sha256": "which file a source's bytes are from",
}
"""What a lake can't prove by itself, and the words of the verdict that say so."""
Edit = Callable[[Path], None]


class LakeChange(NamedTuple):
    """What is done to a file of a lake: to which part of it, in words, and how."""

    file: str
    target: str
    what: str
    edit: Edit


def questions() -> list[Command]:
    """Return the command lines that read a lake, or what was found in one."""
    commands: dict[Command, None] = {VERIFY: None}
    for line in (*GOOD["lake"], *MORE_COMMANDS):
        if "--jobs" not in line:
            commands[tuple(word.replace("{empty}", "{out}") for word in line)] = None
    return list(commands)


def json_changes(lake: Path, name: str) -> Iterator[LakeChange]:
    """Yield changes of each value of a JSON file."""
    document = json.loads((lake / name).read_text())
    values = list(_values(document))
    for path, value in values if len(values) <= MOST_VALUES else Random(name).sample(values, MOST_VALUES):
        target = ".".join(map(str, path))
        for new in (None, "", "x", 0, -1, 2**31, 2**62, 10**30, 0.5, [], {}, True):
            if new != value or type(new) is not type(value):
                yield LakeChange(name, target, f"{new!r}", _set(name, path, new))
        if isinstance(value, int) and not isinstance(value, bool):
            yield LakeChange(name, target, "one more", _set(name, path, value + 1))
        if isinstance(value, str) and value:
            yield LakeChange(name, target, "another letter", _set(name, path, value[:-1] + "0"))
            yield LakeChange(name, target, "a path upwards", _set(name, path, f"../{value}"))
        if path:
            yield LakeChange(name, target, "left out", _remove_file(name, path))
        if isinstance(value, list) and value:
            yield LakeChange(name, target, "doubled", _set(name, path, [*value, value[-1]]))
    for description, data in (("emptied", b""), ("garbage", GARBAGE), ("cut", b"{"), ("deep", b"[" * 100_000)):
        yield LakeChange(name, "", description, _write_file(name, data))
    yield LakeChange(name, "", "removed", lambda folder: (folder / name).unlink())


def parquet_changes(lake: Path, name: str) -> Iterator[LakeChange]:
    """Yield changes of each column and of the rows of a Parquet file, each with receipts that fit and without."""
    table = pq.read_table(lake / name)
    for fits in (False, True):
        for target, description, edited_table in _tables(table, name):
            yield LakeChange(
                name, target, description + (", receipts made to fit" if fits else ""), _table(name, edited_table, fits)
            )
    data = (lake / name).read_bytes()
    middle = len(data) // 2
    for description, new in (
        ("emptied", b""),
        ("cut in half", data[:middle]),
        ("a bit", data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]),
        ("garbage", GARBAGE * 10),
        ("its end garbage", data[:-20] + b"\xff" * 20),
    ):
        for fits in (False, True):
            full_description = description + (", receipts made to fit" if fits else "")
            yield LakeChange(name, "", full_description, _bytes(name, new, fits))
    yield LakeChange(name, "", "removed", lambda folder: (folder / name).unlink())


def _tables(table: pa.Table, name: str) -> Iterator[tuple[str, str, pa.Table]]:
    for index, field in enumerate(table.schema):
        yield field.name, "column dropped", table.drop_columns([field.name])
        names = [
            f"was_{column_name}" if column_name == field.name else column_name for column_name in table.column_names
        ]
        yield field.name, "column renamed", table.rename_columns(names)
        texts = pa.array(["text"] * len(table), pa.string())
        if field.type != pa.string():
            yield field.name, "column made text", table.set_column(index, field.name, texts)
        else:
            yield (
                field.name,
                "column made numbers",
                table.set_column(index, field.name, pa.array([7] * len(table), pa.int64())),
            )
        if not len(table):
            continue
        cells = table.column(index).to_pylist()
        row = Random(f"{name}.{field.name}").randrange(len(cells))
        for value in _other_values(cells[row], field.type):
            changed = [*cells[:row], value, *cells[row + 1 :]]
            try:
                column = pa.array(changed, field.type)
            except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
                continue
            yield field.name, f"{value!r:.30} in row {row + 1}", table.set_column(index, field, column)
        if len(cells) > 1 and cells[0] != cells[-1]:
            swapped = [cells[-1], *cells[1:-1], cells[0]]
            yield field.name, "swapped with another row", table.set_column(index, field, pa.array(swapped, field.type))
    if len(table):
        yield "", "all rows taken away", table.slice(0, 0)
        yield "", "the last row taken away", table.slice(0, len(table) - 1)
        yield "", "the first row taken away", table.slice(1)
        yield "", "the last row doubled", pa.concat_tables([table, table.slice(len(table) - 1)])
        yield "", "rows turned round", table.take(list(range(len(table)))[::-1])


def _other_values(value: Any, kind: pa.DataType) -> Iterator[Any]:
    yield None
    if pa.types.is_integer(kind):
        yield from (
            candidate for candidate in (*EXTREMES, *((value + 1,) if value is not None else ())) if candidate != value
        )
    elif pa.types.is_binary(kind):
        yield from (b"", GARBAGE, *((bytes([value[0] ^ 1]) + value[1:], value[:-1]) if value else ()))
    else:
        yield from ("", "text", "\ud7ff\u0000", *((value + " ",) if value else ()))


def _values(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield path, document
    inner = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, value in inner:
        yield from _values(value, (*path, key))


def _set(name: str, path: Sequence[Any], new: Any) -> Edit:
    def edit(folder: Path) -> None:
        document = json.loads((folder / name).read_text())
        if not path:
            document = new
        else:
            inner = document
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = new
        (folder / name).write_text(json.dumps(document))

    return edit


def _remove_file(name: str, path: Sequence[Any]) -> Edit:
    def edit(folder: Path) -> None:
        document = json.loads((folder / name).read_text())
        inner = document
        for key in path[:-1]:
            inner = inner[key]
        del inner[path[-1]]
        (folder / name).write_text(json.dumps(document))

    return edit


def _write_file(name: str, data: bytes) -> Edit:
    return lambda folder: (folder / name).write_bytes(data) and None


def _table(name: str, table: pa.Table, fits: bool) -> Edit:
    def edit(folder: Path) -> None:
        pq.write_table(table, folder / name, compression="zstd")
        if fits:
            _fit(folder, name, len(table))

    return edit


def _bytes(name: str, data: bytes, fits: bool) -> Edit:
    def edit(folder: Path) -> None:
        (folder / name).write_bytes(data)
        if fits:
            _fit(folder, name, None)

    return edit


def _fit(folder: Path, name: str, rows: int | None) -> None:
    """Make the receipts say what the file is now."""
    data = (folder / name).read_bytes()
    new = {"sha256": sha256(data).hexdigest(), "bytes": len(data)} | ({} if rows is None else {"rows": rows})
    for file in (folder / "lake.json", (folder / name).with_suffix(".json")):
        if file.exists():
            document = json.loads(file.read_text())
            for _, value in _values(document):
                if isinstance(value, dict) and value.get("name") == name:
                    value.update(new)
            file.write_text(json.dumps(document))


class Lakes:
    """A sound lake, what was found in it, and copies that are spoiled."""

    def __init__(self, folder: Path, straight: bool) -> None:
        self.folder, self.name = folder, "straight lake" if straight else "lake"
        for table in ("T1", "T2"):
            (folder / f"{table}.phhs").write_text(hands(*((1, 2, 3) if table == "T1" else (4, 5)), table=table))
        (folder / "bad.phhs").write_text('[1]\nvariant = "NT"\nactions = [\n')
        files = [str(folder / name) for name in ("T1.phhs", "T2.phhs", "bad.phhs")]
        book, lake = str(folder / "x.ledger"), str(folder / "sound.lake")
        if straight:
            self._do("import", "--to-shards", lake, *files)
        else:
            self._do("import", *files, "--ledger", book)
            self._do("seal", "--new-key", "--key", str(folder / "key"), "--name", "room.example", "--ledger", book)
            self._do("shard", "-o", lake, "--ledger", book)
        self._do("lake", "audit", lake, "--out", str(folder / "sound.found"), "-r", "hilton")
        self.sound = {
            command: self._ask(command, folder / "sound.lake", folder / "sound.found") for command in questions()
        }

    def _do(self, *args: str) -> None:
        answer = ask(args, {})
        assert answer.code in {0, 1, 3}, answer

    def _ask(self, command: Command, lake: Path, path: Path) -> Answer:
        places = {"lake": self.folder / "a.lake", "found": self.folder / "a.found", "out": self.folder / "out"}
        for source, copy in ((lake, places["lake"]), (path, places["found"])):
            if copy != source:
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(source, copy)
        shutil.rmtree(places["out"], ignore_errors=True)
        places["out"].with_suffix(".hlev").unlink(missing_ok=True)
        return ask(command, {name: str(place) for name, place in places.items()})

    def changes(self) -> Iterator[tuple[LakeChange, bool]]:
        """Yield every change, and whether it is one of the findings instead of the lake."""
        for folder, is_found in ((self.folder / "sound.lake", False), (self.folder / "sound.found", True)):
            for path in sorted(folder.rglob("*.*")):
                name = str(path.relative_to(folder))
                make_changes = (
                    json_changes if name.endswith(".json") else parquet_changes if name.endswith(".parquet") else None
                )
                yield from ((change, is_found) for change in (make_changes(folder, name) if make_changes else ()))

    def outcome(self, change: LakeChange, is_found: bool) -> Outcome:
        """Make a copy with a change and ask."""
        spoiled = self.folder / "spoiled"
        shutil.rmtree(spoiled, ignore_errors=True)
        shutil.copytree(self.folder / ("sound.found" if is_found else "sound.lake"), spoiled)
        described = Change(change.file, change.target, change.what)
        change.edit(spoiled)
        differing: dict[Command, Answer] = {}
        for command, sound in self.sound.items():
            if ("{found}" in command) != is_found:
                continue
            lake, findings_folder = (
                (self.folder / "sound.lake", spoiled) if is_found else (spoiled, self.folder / "sound.found")
            )
            answer = self._ask(command, lake, findings_folder)
            if answer[:2] != sound[:2] or answer.is_fault:
                differing[command] = answer
        faults = [_describe(c, answer) for c, answer in differing.items() if answer.is_fault]
        if faults:
            return Outcome(described, "fault", faults)
        if VERIFY in differing and differing[VERIFY].code in {2, 4}:
            return Outcome(described, "found", [])
        silent = [_describe(c, answer) for c, answer in differing.items() if not answer.is_refusal and c != VERIFY]
        if VERIFY in differing:
            return Outcome(described, "named", [_describe(VERIFY, differing[VERIFY])])
        words = KNOWN_WORDS.get(change.target) or KNOWN_WORDS.get(change.file if "fit" in change.what else "")
        if silent and words and words in self.sound[VERIFY].out:
            return Outcome(described, "named", silent)
        if silent:
            return Outcome(described, "missed", silent)
        return Outcome(described, "named" if differing else "no effect", [])


def _describe(command: Command, answer: Answer) -> str:
    return f"{' '.join(command)} → {answer.code}: {' '.join((answer.err or answer.out)[-700:].split())[:400]}"


def summarize(name: str, outcomes: Sequence[Outcome]) -> str:
    """Return the figures of a run in one line."""
    counts: Mapping[str, int] = Counter(outcome.what for outcome in outcomes)
    return (
        f"{name}: {len(outcomes)} changes of {len({outcome.change.table for outcome in outcomes})} files: {counts['found']} found, "
        f"{counts['named']} named, {counts['no effect']} without effect, {counts['missed']} missed, {counts['fault']} faults"
    )


def run(lakes: Lakes, tried: Sequence[tuple[LakeChange, bool]], budget: float) -> list[Outcome]:
    """Try changes until so many seconds are over; print what is missed."""
    end_time, outcomes = time.monotonic() + budget, []
    with memory_limit():
        for change, is_found in tried:
            outcomes.append(lakes.outcome(change, is_found))
            if outcomes[-1].what in {"fault", "missed"}:
                print(f"{outcomes[-1].what.upper()} {change.file} {change.target}: {change.what}", flush=True)
                for line in outcomes[-1].shown:
                    print("    ", line, flush=True)
            if len(outcomes) % 50 == 0:
                print(f"  {len(outcomes)} of {len(tried)}: {summarize(lakes.name, outcomes)}", flush=True)
            if time.monotonic() > end_time:
                break
    return outcomes


def main() -> int:
    """Do it to both kinds of lakes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=["lake", "straight"], default="lake")
    parser.add_argument("--sample", type=int, default=0, help="so many changes by chance; 0 = all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--only", choices=["", "lake", "found"], default="", help="changes of the lake, or of findings")
    parser.add_argument("--part", default="0/1", help="of the changes: 0/2 the first half of them, 1/2 the other")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="handledger-lakes-") as name, short_rests():
        lakes = Lakes(Path(name), options.kind == "straight")
        for command, answer in lakes.sound.items():
            if answer.is_fault or answer.code == 2:
                print("  fails on the sound lake:", _describe(command, answer))
        tried = [outcome for outcome in lakes.changes() if options.only in ("", "found" if outcome[1] else "lake")]
        Random(options.seed).shuffle(tried)
        number, parts = map(int, options.part.split("/"))
        outcomes = run(lakes, tried[number::parts][: options.sample or None], options.seconds)
        print(summarize(lakes.name, outcomes))
    return 1 if {"missed", "fault"} & {outcome.what for outcome in outcomes} else 0


if __name__ == "__main__":
    sys.exit(main())
