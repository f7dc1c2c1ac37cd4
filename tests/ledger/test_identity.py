"""Identity: the same hand has the same stream, the same name the same id, and no id tells a name."""

from __future__ import annotations

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from ledger.people import People
from ledger.streams import case_stream, hand_stream, table_stream
from ledger.vocabulary import DECK, Witness, list_witness_names, parse_witness_names, split_cards

NAMES = st.text(max_size=30)
CONTENT = sha256(b"events").digest()


@given(NAMES, NAMES, NAMES, st.integers(min_value=0, max_value=2**48 - 1))
def test_a_stream_is_named_by_time_identity_and_content(venue: str, table: str, number: str, started: int) -> None:
    stream = hand_stream(venue, table, number, started, CONTENT)
    assert stream == hand_stream(venue, table, number, started, CONTENT)
    assert stream.version == 8
    assert stream.int >> 80 == started
    assert stream != hand_stream(venue, table, number, started, sha256(b"otherwise told").digest())


def test_parts_of_an_identity_do_not_run_together() -> None:
    assert hand_stream("ab", "c", "1", 0, CONTENT) != hand_stream("a", "bc", "1", 0, CONTENT)
    assert table_stream("room", "", "7") != case_stream("7")


@given(NAMES, NAMES)
def test_a_name_has_one_id_in_a_ledger_and_another_elsewhere(venue: str, name: str) -> None:
    people, other_people = People(b"1" * 32), People(b"2" * 32)
    assert people.player(venue, name) == people.player(venue, name) != other_people.player(venue, name)
    assert people.name(people.player(venue, name)) == name
    assert other_people.name(people.player(venue, name)) is None


def test_what_is_fresh_waits_for_the_vault() -> None:
    people = People(b"0" * 32)
    ana, words = people.player("room", "Ana"), people.text("nice hand")
    assert people.fresh_names == {ana: ("room", "Ana")}
    assert people.fresh_texts == {words: "nice hand"}
    people.mark_stored()
    assert not people.fresh_names
    assert people.words(words) == "nice hand"
    assert people.text("") == ""


@given(st.lists(st.sampled_from([*DECK, "??", "Jk", "{" + "0a" * 32 + "}"])))
def test_cards_come_apart_as_they_were_put_together(cards: list[str]) -> None:
    assert split_cards("".join(cards)) == cards


@given(st.text(alphabet="AKdhx?{}19", min_size=1, max_size=9))
def test_what_is_no_card_is_refused(text: str) -> None:
    try:
        cards = split_cards(text)
    except ValueError:
        return
    assert "".join(cards) == text


@given(st.integers(min_value=0, max_value=(1 << 46) - 1))
def test_witnesses_have_names(bits: int) -> None:
    assert parse_witness_names(list_witness_names(bits)) == bits == Witness(bits)
