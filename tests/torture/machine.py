"""Whatever is done to a ledger, in whatever order: `python -m tests.torture.machine --steps 100000`.

Appends, corrections, imports, imports again, seals, crashes, reopenings, projections, holds and
erasures, against a model of lists and sets. After every step the ledger is what the model is; at the
end of every run it verifies, and every proof that was ever given still holds.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import traceback
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

import ledger
from ledger.entry import Provenance
from ledger.errors import ConflictError, HeldError
from ledger.event import Event
from ledger.hand.corrections import apply_corrections
from ledger.hand.ending import CorrectionMade, RemarkNoted
from ledger.hand.opening import HandOpened
from ledger.house.events import PersonHeld
from ledger.intake import import_paths
from ledger.seal import keys, tree
from ledger.seal.note import HeldKey, read_checkpoint, read_note
from ledger.store.commits import Kind
from ledger.store.requests.erasure import erase
from ledger.store.seals import sealer
from ledger.store.seals.merkle_tiles import hash_commit_leaf
from ledger.store.verify.tree_checks import Anchor
from ledger.streams import HOUSE
from ledger.table.events import HandsMissing
from tests.intake.hands import hands as phh
from tests.ledger.store.conftest import Clock
from tests.ledger.store.test_projections import Sizes

NAMES: Final = ("Annabel Quint", "Bartholomew", "Cornelius X", "Dorothea-77")
VENUE: Final = "Testing room"
PART: Final = 50  # steps of one run

TABLES = st.integers(1, 3).map(lambda number: UUID(int=number))
EVENT_LISTS = st.lists(st.integers(0, 9).map(lambda n: HandsMissing(str(n))), min_size=1, max_size=3)
HANDS = st.lists(st.integers(1, 6), min_size=1, max_size=3, unique=True).map(tuple)
PAIRS = st.sampled_from([(NAMES[0], NAMES[1]), (NAMES[1], NAMES[2]), (NAMES[2], NAMES[3])])


class Proof(NamedTuple):
    """What was proved once: a leaf, its place, its path, and the checkpoint."""

    leaf: bytes
    at: int
    path: tuple[bytes, ...]
    note: str


class Model:
    """What a ledger would be if it were lists in memory."""

    def __init__(self) -> None:
        self.commits: list[tuple[int, int]] = []  # position, count: one row for each append
        self.streams: dict[UUID, list[Event]] = {}
        self.holds: dict[UUID, list[int]] = {}  # versions that corrections left
        self.keys: dict[str, int] = {}
        self.files: set[str] = set()
        self.tellings: set[tuple[int, tuple[str, str]]] = set()
        self.people: set[str] = set()
        self.erased: set[str] = set()
        self.held: set[str] = set()
        self.opened = False  # the table of the imported hands
        self.signed = 0  # commits under the last checkpoint
        self.quiet = False  # nothing came in since it was signed

    @property
    def end(self) -> int:
        return self.commits[-1][0] if self.commits else 0

    def took(self, count: int) -> None:
        self.commits.append((self.end + count, count))
        self.quiet = False


class Machine(RuleBasedStateMachine):
    """A ledger in a file, and the model of it."""

    steps = 0

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="handledger-machine-"))
        self.generation = 0
        self.clock = Clock()
        self.model = Model()
        self.proofs: list[Proof] = []
        self.book = ledger.open(self.path, clock=self.clock)
        self.model.took(1)
        self.key = keys.create_key(self.folder / "k")
        self.per_hand = 0  # events of an imported hand; all have the same

    @property
    def path(self) -> Path:
        return self.folder / f"{self.generation}.ledger"

    def teardown(self) -> None:
        try:
            anchors = []
            for proof in self.proofs:
                point = read_checkpoint(read_note(proof.note))
                anchors.append(Anchor("kept", point.size, point.root))
                root = tree.compute_root_from_path(proof.leaf, proof.at, point.size, proof.path)
                assert root == point.root, "a proof from before does not hold"
            assert self.book.verify(anchors) == []
        finally:
            self.book.close()
            shutil.rmtree(self.folder)

    # writing

    @rule(stream=TABLES, events=EVENT_LISTS)
    def append(self, stream: UUID, events: list[Event]) -> None:
        self._appended("table", stream, events)

    def _appended(self, kind: Kind, stream: UUID, events: list[Event], key: str = "") -> None:
        commit = self.book.append(kind, stream, events, recorded=Provenance(1, key=key))
        if key and key in self.model.keys:
            assert commit.position == self.model.keys[key], "told twice, kept twice"
            return
        self.model.took(len(events))
        self.model.streams.setdefault(stream, []).extend(events)
        assert commit.position == self.model.end
        if key:
            self.model.keys[key] = commit.position

    @rule(stream=TABLES, events=EVENT_LISTS, key=st.sampled_from("abcd"))
    def append_again(self, stream: UUID, events: list[Event], key: str) -> None:
        self._appended("table", stream, events, key)

    @rule(stream=TABLES, version=st.integers(1, 9))
    def append_at(self, stream: UUID, version: int) -> None:
        fits = version == len(self.model.streams.get(stream, ())) + 1
        try:
            self.book.append("table", stream, [HandsMissing("at")], version=version)
        except ConflictError:
            assert not fits
            return
        assert fits
        self.model.took(1)
        self.model.streams.setdefault(stream, []).append(HandsMissing("at"))

    @rule(number=st.integers(1, 3), words=st.sampled_from(["one", "two"]), back=st.integers(0, 3))
    def correct(self, number: int, words: str, back: int) -> None:
        stream = UUID(int=100 + number)
        chips = self.model.streams.setdefault(stream, [])
        hold = self.model.holds.setdefault(stream, [])
        fresh = RemarkNoted(self.book.people.text(words))
        if not hold:
            opened = HandOpened("Testing room", "Live", str(number), 7)
            self._appended("hand", stream, [opened, fresh])
            hold += [1, 2]
            return
        wrong = hold[max(len(hold) - 1 - back, 1)]
        added = back == 0  # something was forgotten: nothing is void
        self._appended("hand", stream, [CorrectionMade(() if added else (wrong,), wrong, 1), fresh])
        hold[hold.index(wrong) + added : hold.index(wrong) + 1] = [len(chips)]

    @rule(numbers=HANDS, names=PAIRS)
    def import_hands(self, numbers: tuple[int, ...], names: tuple[str, str]) -> None:
        text = phh(*numbers, names=names)
        # A file of its own for each text: what one source tells anew is tests/intake/test_accounts.py's.
        file = self.folder / f"{sha256(text.encode()).hexdigest()[:12]}.phhs"
        file.write_text(text)
        total = import_paths(self.book, [file]).total
        if text in self.model.files:
            assert (total.new, total.second, total.same) == (0, 0, len(numbers))
            return
        new = [n for n in numbers if (n, names) not in self.model.tellings]
        first = {n for n, _ in self.model.tellings}.isdisjoint
        firsts = [n for n in new if first({n})]
        assert (total.new, total.second) == (len(firsts), len(new) - len(firsts))
        assert total.same == len(numbers) - len(new)
        end = self.model.end
        self.model.tellings.update((n, names) for n in new)
        self.model.files.add(text)
        self.model.people.update(set(names) - self.model.erased)
        if new and not self.per_hand:
            self.per_hand = next(self.book.hands(table="T1")).count
        for _ in new:
            self.model.took(self.per_hand)
        if new:
            if not self.model.opened:
                self.model.took(1)  # that the table was opened
                self.model.opened = True
            self.model.took(len(new))  # what the table says of each account of its hands
        ordered = [
            commit.count
            for commit in self.book.commits(after=end)
            if commit.kind == "table" and commit.data.startswith(b'[["OrderTold"')
        ]
        assert len(ordered) < len(numbers), "told without a reason"
        for count in ordered:  # of a file's hands, where their arrival does not show it
            self.model.took(count)
        self.model.took(1)  # that the source was read
        self._blackened(len(set(names) & self.model.erased), end)

    def _blackened(self, forgotten: int, head_before: int) -> None:
        """A file that names people who were forgotten is blackened as it comes in."""
        house_commits = [c for c in self.book.commits(after=head_before) if c.kind == "house"]
        assert len(house_commits) == 1 + forgotten
        for _ in range(forgotten):
            self.model.took(1)

    # keeping

    @rule()
    def seal(self) -> None:
        signer = HeldKey(sealer.origin(self.book), self.key)
        seal_result = sealer.seal(self.book, signer, keys.SignatureMemory(self.folder / "k"))
        assert seal_result.is_new == (not self.model.quiet)
        if seal_result.is_new:
            assert seal_result.checkpoint.size == len(self.model.commits)
            self.model.signed = len(self.model.commits)
            self.model.took(1)  # that it was signed
            self.model.quiet = True

    @precondition(lambda self: self.model.signed)
    @rule(which=st.integers(0, 1000))
    def prove(self, which: int) -> None:
        index = which % self.model.signed
        position = self.model.commits[index][0]
        note = sealer.checkpoint(self.book)
        proof = sealer.prove(self.book, position, note)
        commit = next(self.book.commits(after=position - 1))
        assert (proof.leaf, commit.position) == (index, position)
        self.proofs.append(Proof(hash_commit_leaf(commit), proof.leaf, proof.path, note))

    @rule()
    def reopen(self) -> None:
        self.book.close()
        self.book = ledger.open(self.path, clock=self.clock)

    @rule(half_way=st.booleans())
    def crash(self, half_way: bool) -> None:
        """What a program that is killed leaves, half way through a transaction or between two."""
        path, self.generation = self.path, self.generation + 1
        with self.book.writing() as link:
            if half_way:
                events = [HandsMissing("never")]
                self.book.append_within(link, "table", UUID(int=1), events, Provenance(1))
            for end in ("", "-wal", ".erased"):
                leftover = path.with_name(path.name + end)
                if leftover.exists():
                    shutil.copy(leftover, self.path.with_name(self.path.name + end))
            if half_way:
                link.execute("ROLLBACK")
                link.execute("BEGIN IMMEDIATE")
        self.book.close()
        self.book = ledger.open(self.path, clock=self.clock)

    @rule(anew=st.booleans())
    def project(self, anew: bool) -> None:
        sizes = Sizes()
        reached = self.book.rebuild(sizes, batch=3) if anew else self.book.catch_up(sizes, batch=7)
        assert reached == self.model.end
        assert sizes.rows(self.book) == self.model.commits

    @rule(name=st.sampled_from(NAMES), lifted=st.booleans())
    def hold(self, name: str, lifted: bool) -> None:
        if name not in self.model.people:
            return
        player = self.book.people.player(VENUE, name)
        self._appended("house", HOUSE, [PersonHeld(player, "case", lifted=lifted)])
        self.model.held = self.model.held - {name} if lifted else self.model.held | {name}

    @rule(name=st.sampled_from(NAMES))
    def erase(self, name: str) -> None:
        if name not in self.model.people:
            return
        player = self.book.people.player(VENUE, name)
        end = self.model.end
        try:
            erase(self.book, player)
        except HeldError:
            assert name in self.model.held
            return
        assert name not in self.model.held
        self.model.people.discard(name)
        self.model.erased.add(name)
        for commit in self.book.commits(after=end):  # sources blackened, and the erasure itself
            assert commit.kind == "house"
            self.model.took(commit.count)
        assert self.model.end > end

    # what must hold

    @invariant()
    def the_ledger_is_the_model(self) -> None:
        type(self).steps += 1
        model, book = self.model, self.book
        assert book.head()[0] == model.end
        for stream, events in model.streams.items():
            if stream != HOUSE:
                assert book.events(stream) == events
        for stream, versions in model.holds.items():
            numbered = list(enumerate(book.events(stream), 1))
            assert [version for version, _ in apply_corrections(numbered)] == versions
        assert len(list(book.hands())) == len(model.tellings) + len(model.holds)
        with book.database.reading() as link:
            names = {name for _, _, name in book.people.all_names(link)}
        assert names == model.people

    @precondition(lambda self: self.model.erased)
    @invariant()
    def whoever_was_forgotten_stands_nowhere(self) -> None:
        for name in self.model.erased:
            for row in self.book.sources:
                assert name.encode() not in self.book.sources.read_all(row.digest)


def torture(steps: int, first: int, *, shrink: bool = False) -> int:
    """Run until so many steps are done; return how many. A divergence raises, with how to get there."""
    Machine.steps = 0
    run = first
    while Machine.steps < steps:
        examples = max(min((steps - Machine.steps) // PART, 40), 1)
        test = seed(run)(Machine)
        run_state_machine_as_test(
            test,
            settings=settings(
                max_examples=examples,
                stateful_step_count=PART,
                deadline=None,
                database=None,
                phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
                suppress_health_check=list(HealthCheck),
            ),
        )
        run += 1
    return Machine.steps


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        report = torture(options.steps, options.seed)
    except AssertionError as error:
        traceback.print_exc(limit=-2)
        print(f"a divergence\n{chr(10).join(getattr(error, '__notes__', []))}")
        return 1
    print(f"{report:,} steps, 0 divergences")
    return 0


if __name__ == "__main__":
    sys.exit(main())
