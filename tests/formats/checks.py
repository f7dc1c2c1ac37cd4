"""What every text format has to stand: goldens, known lines, balance, cuts, chunks, any encoding."""

from __future__ import annotations

from pathlib import Path

from ledger import formats
from ledger.account import Account
from ledger.hand.fold import fold
from ledger.intake.encoding import as_utf8
from ledger.notation import Format
from tests.formats import hostile
from tests.formats.support import Read, encoding_of, people, read, told, unbalanced, unread


def is_golden(form: Format, path: Path, *, regen: bool) -> None:
    """A sample becomes the events that stand beside it."""
    found = told(read(form, path.read_bytes(), name=path.name))
    golden = path.with_suffix(".golden")
    if regen:
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


def is_whole(form: Format, path: Path) -> None:
    """Every line of a sample is known, its chips add up, and the replay finds nothing odd."""
    who = people()
    for account in read(form, path.read_bytes(), who=who, name=path.name):
        assert isinstance(account, Account)
        assert unread(account, who) == []
        assert unbalanced(account) == []
        assert not fold(account.events).oddities


def reads_the_same_in_every_encoding(form: Format, path: Path) -> None:
    """Encodings and line ends change places and nothing else."""
    text = path.read_text(encoding="utf-8")
    plain = [item.events for item in read(form, text) if isinstance(item, Account)]
    assert plain
    for end in ("\n", "\r\n", "\r"):
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            raw = ("\ufeff" + text.replace("\n", end)).encode(encoding)
            found = read(form, raw, encoding=encoding)
            assert [item.events for item in found if isinstance(item, Account)] == plain


def loses_no_byte(form: Format, path: Path) -> None:
    """Whatever is cut out of a sample, all other bytes lie in a hand or a reject."""
    assert hostile.lost_when_cut(form, path.read_bytes(), step=13) == []


def reads_in_chunks(form: Format, samples: list[Path], size: int = 6000) -> None:
    """A source in chunks gives what it gives whole."""
    data = b"\n\n\n".join(path.read_bytes() for path in samples) * 5
    pieces = hostile.in_chunks(form, data, size)
    assert [(item.start, item.length) for item in pieces] == [
        (item.start, item.length) for item in read(form, data)
    ]


def is_recognised(form: Format, samples: list[Path]) -> None:
    """The format is known by its content, and another's is not taken for it."""
    for path in samples:
        assert formats.recognise(path.read_bytes()) is form
    assert form.sniff(b"PokerStars Hand #1:  Hold'em No Limit ($1/$2 USD) - 2020/01/01\n") == 0
    assert form.sniff(b'variant = "NT"\n') == 0


def claims_its_own_files_alone(form: Format, data_dir: Path, own: tuple[str, ...]) -> None:
    """Of all samples of all rooms the format claims those in folders named `own`, and no other one."""
    for path in sorted(data_dir.rglob("*.txt")):
        data = path.read_bytes()
        head = as_utf8(data[: 64 * 1024], encoding_of(data))
        mine = any(part in own for part in path.relative_to(data_dir).parts)
        if form.sniff(head):
            assert mine, path
            assert formats.recognise(head) is form


def all_read(files: list[Read], hands: int) -> None:
    """So many hands are read, nothing is rejected, every byte is accounted for."""
    assert sum(len(file.accounts) for file in files) == hands
    assert [reject for file in files for reject in file.rejects] == []
    assert {file.bytes.not_read for file in files} == {0}
