"""A person is forgotten: no byte of the name is left anywhere, and every proof still holds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

import ledger
from ledger.entry import Provenance
from ledger.errors import HeldError, IntegrityError, NothingFoundError
from ledger.house.events import PeopleMerged, PeopleParted, PersonErased, PersonHeld
from ledger.intake import ImportOptions, import_paths
from ledger.seal import keys, tree
from ledger.seal.note import HeldKey
from ledger.store import Ledger
from ledger.store.log.stored_sources import BLOCK_BYTES
from ledger.store.people.redaction import blacken, find_needles, redact_text
from ledger.store.requests.erasure import erase, list_blind_spots
from ledger.store.seals import sealer
from ledger.store.seals.merkle_tiles import hash_commit_leaf
from ledger.streams import HOUSE
from tests.ledger.store.conftest import Clock
from tests.ledger.store.plain import plain_sqlite

NAME = "Zephyrine Quux"

HAND = """\
PokerStars Hand #{number}:  Hold'em No Limit ($1/$2 USD) - 2020/08/01 10:00:0{number} ET
Table 'Aludra' 6-max Seat #1 is the button
Seat 1: {name} ($200 in chips)
Seat 2: Bo ($200 in chips)
{name}: posts small blind $1
Bo: posts big blind $2
*** HOLE CARDS ***
{name} said, "I am {name}, not {name}'s twin"
{name}: folds
Uncalled bet ($1) returned to Bo
Bo collected $2 from pot
*** SUMMARY ***
Total pot $2 | Rake $0
Seat 1: {name} (button) (small blind) folded before Flop
Seat 2: Bo (big blind) collected ($2)


"""


def evening(folder: Path, name: str = NAME, encoding: str = "utf-8") -> Path:
    path = folder / "night.txt"
    path.write_bytes("".join(HAND.format(number=n, name=name) for n in range(1, 4)).encode(encoding))
    return path


def person(book: Ledger, name: str = NAME) -> str:
    (player,) = book.people.find_players(name)
    return player


def traces(folder: Path, name: str = NAME) -> list[str]:
    """The files of a folder in which the name stands, in any encoding."""
    spelled = [name.encode(e) for e in ("utf-8", "utf-16-le", "utf-16-be")]
    return [f.name for f in folder.rglob("*") if f.is_file() and any(s in f.read_bytes() for s in spelled)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-8-sig"])
@pytest.mark.parametrize("compress", [False, True])
def test_not_one_byte_is_left_in_the_ledger_its_journal_or_its_sources(
    tmp_path: Path, encoding: str, compress: bool
) -> None:
    (tmp_path / "in").mkdir()
    source = evening(tmp_path / "in", encoding=encoding)
    home = tmp_path / "home"
    home.mkdir()
    with ledger.open(home / "x.ledger", clock=Clock()) as book:
        assert import_paths(book, [source], ImportOptions(compress=compress)).total.new == 3
        digest = next(iter(book.sources)).digest
        original = book.sources.read_all(digest)
        leaves = [hash_commit_leaf(commit) for commit in book.commits()]
        erase(book, person(book))
        assert traces(home) == []
        blackened = book.sources.read_all(digest)
        assert len(blackened) == len(original)
        assert "Bo collected" in blackened.decode(encoding), "what is no name stays"
        assert [hash_commit_leaf(commit) for commit in book.commits()][: len(leaves)] == leaves
        assert book.verify() == []
        assert book.people.find_players(NAME) == []
    assert traces(home) == []
    with ledger.open(home / "x.ledger", clock=Clock()) as book:
        import_paths(book, [source])
        assert book.people.find_players(NAME) == [], "reading the file again brings no name back"


def test_every_proof_from_before_holds_afterwards(tmp_path: Path) -> None:
    with ledger.open(tmp_path / "x.ledger", clock=Clock()) as book:
        import_paths(book, [evening(tmp_path)])
        signer = HeldKey(sealer.origin(book), Ed25519PrivateKey.from_private_bytes(b"k" * 32))
        memory = keys.SignatureMemory(tmp_path / "k")
        sealed = sealer.seal(book, signer, memory)
        proofs = {
            c.position: sealer.prove(book, c.position, sealed.note)
            for c in book.commits()
            if not (c.key or "").startswith("checkpoint")
        }
        erase(book, person(book))
        for commit in book.commits():
            if commit.position in proofs:
                proof = proofs[commit.position]
                root = tree.compute_root_from_path(
                    hash_commit_leaf(commit), proof.leaf, sealed.checkpoint.size, proof.path
                )
                assert root == sealed.checkpoint.root
        assert sealer.seal(book, signer, memory).is_new
        assert book.verify() == []


def test_an_older_copy_put_back_forgets_again_when_it_is_opened(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    path = home / "x.ledger"
    (tmp_path / "in").mkdir()
    with ledger.open(path, clock=Clock()) as book:
        import_paths(book, [evening(tmp_path / "in")])
    shutil.copy(path, tmp_path / "backup")
    with ledger.open(path, clock=Clock()) as book:
        erased_person = person(book)
        erase(book, erased_person)
    shutil.copy(tmp_path / "backup", path)
    for journal in ("x.ledger-wal", "x.ledger-shm"):
        (home / journal).unlink(missing_ok=True)
    assert traces(home) == ["x.ledger"]
    with ledger.open(path, clock=Clock()) as book:
        assert book.people.find_players(NAME) == []
        assert [e.person for e in book.events(HOUSE) if isinstance(e, PersonErased)] == [erased_person]
        assert book.verify() == []
    assert traces(home) == []
    with ledger.open(path, clock=Clock()) as book:
        assert sum(isinstance(e, PersonErased) for e in book.events(HOUSE)) == 1


def test_who_was_forgotten_does_not_come_back_with_another_file(tmp_path: Path) -> None:
    with ledger.open(tmp_path / "x.ledger", clock=Clock()) as book:
        import_paths(book, [evening(tmp_path)])
        erase(book, person(book))
        second_file = tmp_path / "other.txt"
        second_file.write_text("".join(HAND.format(number=n, name=NAME) for n in range(4, 7)))
        total = import_paths(book, [second_file]).total
        assert total.new == 3
        assert book.people.find_players(NAME) == []
        for row in book.sources:
            assert NAME.encode() not in book.sources.read_all(row.digest)
        assert book.verify() == [], "that the bytes were blackened is recorded"
        assert len(book.people.find_players("Bo")) == 1
    second_file.unlink()
    (tmp_path / "night.txt").unlink()
    assert traces(tmp_path) == []


def test_whom_another_program_forgot_does_not_come_back_in_one_that_keeps_the_ledger_open(tmp_path: Path) -> None:
    path = tmp_path / "x.ledger"
    with ledger.open(path, clock=Clock()) as book:
        import_paths(book, [evening(tmp_path)])
        with ledger.open(path, clock=Clock()) as other_book:
            player = person(other_book)
            erase(other_book, player)
        second_file = tmp_path / "other.txt"
        second_file.write_text("".join(HAND.format(number=n, name=NAME) for n in range(4, 7)))
        assert import_paths(book, [second_file]).total.new == 3
        assert book.people.name(player) is None
        for row in book.sources:
            assert NAME.encode() not in book.sources.read_all(row.digest)
        assert book.verify() == []
        room = next(iter(book.hands())).venue
        book.append("house", HOUSE, [PersonHeld(book.people.player(room, NAME), "case")])
        assert book.people.name(player) is None, "typed again"


def test_a_held_person_is_not_forgotten_until_the_hold_ends(book: Ledger) -> None:
    ana = book.people.player("V", "Ana")
    book.append("house", HOUSE, [PersonHeld(ana, "case"), PersonHeld(ana, "law", until=book.now() + 50_000)])
    with pytest.raises(HeldError, match="held"):
        erase(book, ana)
    book.append("house", HOUSE, [PersonHeld(ana, "case", lifted=True)])
    with pytest.raises(HeldError, match="law"):
        erase(book, ana)
    for _ in range(60):
        book.now()
    assert erase(book, ana) == [ana]
    with pytest.raises(NothingFoundError):
        erase(book, ana)


def test_one_person_under_two_ids_is_forgotten_under_both(book: Ledger) -> None:
    ana, anna, anna_k = (book.people.player("V", name) for name in ("Ana", "anna_78", "Anna K."))
    book.append(
        "house",
        HOUSE,
        [
            PeopleMerged(ana, anna, "manager"),
            PeopleMerged(anna, anna_k, "manager"),
            PeopleParted(ana, anna_k, "manager"),
        ],
    )
    assert set(erase(book, anna)) == {ana, anna}
    assert book.people.name(ana) is None
    assert book.people.name(anna_k) == "Anna K."


def test_who_is_called_the_same_elsewhere_keeps_the_name(tmp_path: Path) -> None:
    with ledger.open(tmp_path / "x.ledger", clock=Clock()) as book:
        import_paths(book, [evening(tmp_path)])
        namesake = book.people.player("Another room", NAME)
        digest = book.sources.store(f"{NAME} sat here too".encode())
        book.append("house", HOUSE, [PersonHeld(namesake, "other", lifted=True)], recorded=Provenance(1))
        first = next(player for player in book.people.find_players(NAME) if player != namesake)
        erase(book, first)
        assert book.people.name(namesake) == NAME
        assert book.sources.read_all(digest) == f"{NAME} sat here too".encode()
        assert book.verify() == []


def test_a_source_that_somebody_blackens_by_hand_is_found(tmp_path: Path) -> None:
    path = tmp_path / "x.ledger"
    with ledger.open(path, clock=Clock()) as book:
        import_paths(book, [evening(tmp_path)])
        erase(book, person(book))
    with plain_sqlite(path) as connection:
        connection.execute("UPDATE blackened SET digest = zeroblob(32)")
    with ledger.open(path, read_only=True) as book:
        assert {p.code for p in book.verify()} == {"source"}


def test_a_name_over_the_border_of_two_blocks_goes_too(tmp_path: Path) -> None:
    with ledger.open(tmp_path / "x.ledger", clock=Clock()) as book:
        digests = []
        for offset in range(len(NAME) + 1):
            data = b"." * (BLOCK_BYTES - offset) + NAME.encode() + b"." * 50
            digests.append((book.sources.store(data), len(data)))
        ana = book.people.player("V", NAME)
        book.append("house", HOUSE, [PersonHeld(ana, "other", lifted=True)])
        erase(book, ana)
        for digest, length in digests:
            blackened = book.sources.read_all(digest)
            assert len(blackened) == length
            assert NAME.encode() not in blackened
            assert blackened.count(b"*") == len(NAME)
        assert book.verify() == []


def test_a_word_over_the_border_of_two_blocks_is_not_taken_for_a_name(tmp_path: Path) -> None:
    with ledger.open(tmp_path / "x.ledger", clock=Clock()) as book:
        sources = []
        for offset in range(2 * len(NAME) + 2):
            data = b"." * (BLOCK_BYTES - offset) + f"un{NAME}s {NAME}".encode() + b"." * 50
            sources.append((book.sources.store(data), data))
        ana = book.people.player("V", NAME)
        book.append("house", HOUSE, [PersonHeld(ana, "other", lifted=True)])
        erase(book, ana)
        for digest, data in sources:
            assert book.sources.read_all(digest) == data.replace(f" {NAME}".encode(), b" " + b"*" * len(NAME))
        assert book.verify() == []


@pytest.mark.parametrize(
    ("words", "blackened"),
    [
        ("Al is here", "** is here"),
        ("Also", "Also"),
        ("Sal", "Sal"),
        ("Al_2", "Al_2"),
        ("Al: Al,Al", "**: **,**"),
        ("(Al)", "(**)"),
        ("äAlä", "äAlä"),
        ("Al", "**"),
        ("", ""),
        ("AlAl Al", "AlAl **"),
        ("Al\u0301", "Al\u0301"),
        ("иAl", "иAl"),
        ("Al下注", "**下注"),
        ("Al은", "**은"),
        ("«Al»", "«**»"),
        ("Al's", "**'s"),
        ("Al2", "Al2"),
    ],
)
def test_a_name_goes_where_it_is_a_word_of_its_own(words: str, blackened: str) -> None:
    assert redact_text(words, "Al") == blackened
    for encoding in ("utf-16-le", "utf-16-be"):
        data, _ = blacken(words.encode(encoding), find_needles("Al"))
        assert data.decode(encoding) == blackened


@given(st.text(min_size=1, max_size=20), st.lists(st.text(max_size=10), max_size=5))
def test_blackening_moves_nothing_and_leaves_no_whole_name(name: str, around: list[str]) -> None:
    data = (" " + name + " ").join(around).encode("utf-8", "surrogatepass")
    blackened, places = blacken(data, find_needles(name))
    assert len(blackened) == len(data)
    for index, (old, new) in enumerate(zip(data, blackened, strict=True)):
        assert old == new or any(start <= index < start + size for start, size in places)
    second_pass, more_places = blacken(blackened, find_needles(name))
    assert set(name) <= {"*", "\0"} or (second_pass, more_places) == (blackened, [])


@pytest.mark.parametrize(
    ("words", "name", "expected"),
    [
        ("Unseated.txt", "seated", "Unseated.txt"),
        ("seated.txt", "seated", "******.txt"),
        ("Al.B Al.B.C xAl.B", "Al.B", "**** ****.C xAl.B"),
        ("x[~] [~]x", "[~]", "x*** ***x"),
        ("Mary Annabel, Mary Ann", "Mary Ann", "Mary Annabel, ********"),
        ("a a a", "a a", "*** a"),
        ("xa a a", "a a", "xa ***"),
        ("鸟鸟", "é", "鸟鸟"),
        ("Zoë, Zoe\u0308", "Zoë", "****, *****"),
        ('chat "a\\nZoe b"', "Zoe", 'chat "a\\n*** b"'),
        ("A &amp; B", "A & B", "*********"),
        ("A &#x27;B&#x27; &quot;", "A 'B'", "***************" + " &quot;"),
    ],
)
def test_only_whole_names_go_and_in_every_spelling(words: str, name: str, expected: str) -> None:
    assert redact_text(words, name) == expected
    for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
        blackened, _ = blacken(words.encode(encoding), find_needles(name))
        assert (blackened == words.encode(encoding)) == (expected == words), encoding
        assert name.encode(encoding) not in blackened or name in expected or encoding != "utf-8"
    assert blacken(words.encode(), find_needles(name))[0].decode() == expected


def test_letters_of_one_encoding_are_not_taken_for_those_of_another() -> None:
    old = "Größe von Jürgen, Jürgens".encode("cp1252")
    assert blacken(old, find_needles("Jürgen"))[0].decode("cp1252") == "Größe von ******, Jürgens"
    assert blacken("鸟 é".encode(), find_needles("é"))[0].decode() == "鸟 **"


def restored(home: Path, backup: Path) -> None:
    """Put an older copy of the ledger in its place; the list of forgotten people stays next to it."""
    for journal in ("x.ledger-wal", "x.ledger-shm"):
        (home / journal).unlink(missing_ok=True)
    shutil.copy(backup, home / "x.ledger")


def test_who_only_reads_an_older_copy_does_not_see_who_was_forgotten(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    path = home / "x.ledger"
    with ledger.open(path, clock=Clock()) as book:
        import_paths(book, [evening(tmp_path)])
        erased_person = person(book)
        stored_text = book.people.text(f"{NAME} and Bo")
        card = book.people.hide("V\0\0T\0001\0002\0001", "As", erased_person)
        book.append(
            "house", HOUSE, [PeopleMerged(erased_person, book.people.find_players("Bo")[0], "manager", stored_text)]
        )
        long_source = b"." * (BLOCK_BYTES - 7) + NAME.encode() + b"." * 50
        border = book.sources.store(long_source)
    shutil.copy(path, tmp_path / "backup")
    with ledger.open(path, clock=Clock()) as book:
        book.append("house", HOUSE, [PeopleParted(erased_person, book.people.find_players("Bo")[0], "manager")])
        erase(book, erased_person)
    restored(home, tmp_path / "backup")
    data = path.read_bytes()
    with ledger.open(path, read_only=True) as book:
        assert (book.people.name(erased_person), book.people.find_person(erased_person)) == (None, None)
        assert book.people.find_players(NAME) == []
        assert book.people.is_forgotten(erased_person)
        with book.database.reading() as link:
            assert [name for _, _, name in book.people.all_names(link)] == ["Bo"]
            assert not any(NAME in words for _, words in book.people.all_texts(link))
        assert book.people.words(stored_text) == "*" * len(NAME) + " and Bo"
        assert book.people.opening(card) is None
        for row in book.sources:
            assert NAME.encode() not in book.sources.read_all(row.digest)
        assert book.sources.read_all(border) == long_source.replace(NAME.encode(), b"*" * len(NAME))
        assert book.sources.slice(border, BLOCK_BYTES - 7, 4) == b"****"
        assert {p.code for p in book.verify()} == {"opening"}, "the card is of no hand; nothing else is wrong"
        assert any("1 person who was forgotten" in blind_spot for blind_spot in list_blind_spots(book))
    assert path.read_bytes() == data, "who reads changes nothing"
    with ledger.open(path, clock=Clock()) as book:
        assert not any("were forgotten" in blind_spot for blind_spot in list_blind_spots(book))
    assert traces(home) == []


def test_a_list_that_was_lost_is_said_and_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "x.ledger"
    with ledger.open(path, clock=Clock()) as book:
        import_paths(book, [evening(tmp_path)])
        erase(book, person(book))
    erasure_list = tmp_path / "x.ledger.erased"
    text = erasure_list.read_text()
    erasure_list.unlink()
    with ledger.open(path, read_only=True) as book:
        assert any("no list of forgotten people next to it" in blind_spot for blind_spot in list_blind_spots(book))
    with ledger.open(path):
        pass
    assert erasure_list.read_text() == text


def test_a_list_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.ledger"
    with ledger.open(path, clock=Clock()) as book:
        import_paths(book, [evening(tmp_path)])
    data = path.read_bytes()
    with ledger.open(path, clock=Clock()) as book:
        erase(book, person(book))
        ledger_id = book.id
    erasure_list = (tmp_path / "x.ledger.erased").read_bytes()
    path.write_bytes(data)
    damaged = [
        b"",
        b"\n",
        b" \n \n",
        b"\x80\xff" * 40,
        erasure_list[:-1],
        erasure_list[:-20],
        erasure_list[20:],
        erasure_list.replace(b"2\n", b"1\n"),
    ]
    damaged += [f"{ledger_id}\n".encode(), f"{ledger_id}\n\x07\n".encode(), erasure_list + erasure_list]
    for content in damaged:
        (tmp_path / "x.ledger.erased").write_bytes(content)
        for read_only in (True, False):
            with pytest.raises(IntegrityError, match="list of forgotten people"):
                ledger.open(path, read_only=read_only)
    assert path.read_bytes() == data
    (tmp_path / "x.ledger.erased").write_bytes(erasure_list)
    with ledger.open(path) as book:
        assert any(isinstance(event, PersonErased) for event in book.events(HOUSE))
