"""What FPDB stores of some sample hands, beside what the readers tell: a second opinion."""

from __future__ import annotations

import ast
from pathlib import Path

from ledger.account import Account
from ledger.hand.fold import fold
from ledger.intake.encoding import convert_to_utf8
from ledger.notation import Chunk, Format
from ledger.people import People
from tests.formats.support import encoding_of, new_people


def against_fpdb(form: Format, data_dir: Path, room: str) -> tuple[int, dict[str, list[str]]]:
    """Compare the files of a room that hold one hand; return how many, and what differs by file.

    Compared are who plays where, with what, and what each was paid, all in hundredths.
    """
    count, differ = 0, {}
    for stored in sorted((data_dir / "expected-by-fpdb" / room).rglob("*.hp")):
        path = data_dir / stored.relative_to(data_dir / "expected-by-fpdb").with_suffix("")
        data = path.read_bytes()
        encoding = encoding_of(data)
        if not form.sniff(convert_to_utf8(data[: 64 * 1024], encoding)):
            continue
        people = new_people()
        accounts = [item for item in form.read(Chunk(data, encoding=encoding), people) if isinstance(item, Account)]
        if len(accounts) != 1:
            continue
        count += 1
        fpdb_rows = {
            (values["seatNo"], name): (values["startCash"], values["winnings"])
            for name, values in ast.literal_eval(stored.read_text(encoding="utf-8")).items()
        }
        wrong = _differences(_ours(accounts[0], people), fpdb_rows)
        if wrong:
            differ[path.name] = wrong
    return count, differ


def _ours(account: Account, people: People) -> dict[tuple[int, str], tuple[int | None, int]]:
    state = fold(account.events)
    assert state.game is not None
    scale: int = 10 ** (2 - state.game.exponent)
    return {
        (seat, people.name(player) or ""): (
            None if state.start[seat] is None else (state.start[seat] or 0) * scale,
            state.chips.awarded.get(seat, 0) * scale,
        )
        for seat, player in state.players.items()
    }


def _differences(
    ours: dict[tuple[int, str], tuple[int | None, int]], fpdb_rows: dict[tuple[int, str], tuple[int, int]]
) -> list[str]:
    return [
        f"{seat} {name}: we {ours.get((seat, name))}, they {fpdb_rows.get((seat, name))}"
        for seat, name in sorted({*ours, *fpdb_rows})
        if ours.get((seat, name)) != fpdb_rows.get((seat, name))
    ]
