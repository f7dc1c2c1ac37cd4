"""Time stamps: whom a trusted authority vouches for is believed, and nobody else is."""

from __future__ import annotations

import random
import sys
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import MissingExtraError, ProofError, UsageError
from ledger.seal import stamps
from ledger.seal.note import COSIGNATURE, Checkpoint, HeldKey, cosign_note, sign_text, strip_cosignatures
from tests.authority import BEGAN, SERVES, STAMPS, Authority, Pair, pair

ROOM = HeldKey("room.example/x/1", Ed25519PrivateKey.from_private_bytes(b"r" * 32))
WITNESS = HeldKey("auditor.example", Ed25519PrivateKey.from_private_bytes(b"w" * 32), COSIGNATURE)
NOTE = sign_text(str(Checkpoint("room.example/x/1", 7, b"\7" * 32)), ROOM)
OLD = Path(__file__).with_name("old.tsr")
"""An answer over NOTE whose authority's certificate ended a minute later, and its root beside it."""


def refused(answer: bytes, roots: list, data: bytes = NOTE.encode()) -> str:
    with pytest.raises(ProofError) as error:
        stamps.verify_stamp(answer, data, roots)
    return error.value.message


@pytest.fixture(scope="module")
def good(authority: Authority) -> bytes:
    return authority.answer(stamps.build_stamp_request(strip_cosignatures(NOTE)))


def trusted(authority: Authority) -> list:
    return stamps.read_roots(authority.roots.read_bytes())


def test_a_stamp_says_who_vouches_since_when(authority: Authority, good: bytes) -> None:
    trusted_time = stamps.verify_stamp(good, strip_cosignatures(NOTE), trusted(authority))
    assert trusted_time.authority == "CN=Time Office"
    assert trusted_time.accuracy == timedelta(seconds=1.5)
    assert trusted_time.time.tzinfo is UTC
    assert abs(trusted_time.time - datetime.now(UTC)) < timedelta(days=1)
    assert str(trusted_time).endswith("UTC (to 1.5 s), says CN=Time Office")
    (authority.folder / "note").write_text(NOTE)
    assert authority.holds(good, "-data", "note"), "openssl finds the same with the checkpoint's file"
    assert authority.holds(good, "-digest", sha256(NOTE.encode()).hexdigest())


def test_cosignatures_that_come_later_do_not_break_a_stamp() -> None:
    assert strip_cosignatures(cosign_note(NOTE, WITNESS, 5)) == NOTE.encode()
    with pytest.raises(ProofError, match="log itself"):
        strip_cosignatures(sign_text(str(Checkpoint("x", 7, b"\7" * 32)), ROOM))


@pytest.mark.parametrize("hashed", ["-sha256", "-sha384", "-sha512"])
def test_other_programs_may_ask_for_the_stamp(authority: Authority, hashed: str) -> None:
    answer = authority.over(NOTE.encode(), hashed, "-cert")
    assert stamps.read_stamp(answer).hash == hashed[1:]
    assert stamps.verify_stamp(answer, NOTE.encode(), trusted(authority)).authority == "CN=Time Office"


def test_what_says_too_little_is_refused(authority: Authority) -> None:
    roots = trusted(authority)
    assert "over SHA-256" in refused(authority.over(NOTE.encode(), "-sha1", "-cert"), roots)
    assert "no trusted authority" in refused(authority.over(NOTE.encode(), "-sha256"), roots), "no certificate"
    unanswered = authority.answer(b"no request at all")
    assert refused(unanswered, roots).startswith("the authority gave no time stamp: rejected")


def test_a_stamp_over_other_bytes_is_refused(authority: Authority, good: bytes) -> None:
    data = NOTE.replace("\n7\n", "\n8\n").encode()
    assert "over this checkpoint" in refused(good, trusted(authority), data)
    assert "over this checkpoint" in refused(authority.over(data), trusted(authority))


def test_only_a_root_that_is_trusted_counts(authority: Authority, good: bytes, tmp_path: Path) -> None:
    stranger = Authority(tmp_path)
    assert "no trusted authority" in refused(good, trusted(stranger))
    for no_root in (authority.between, authority.stamper):
        assert "no trusted authority" in refused(good, [no_root.certificate])
    both_roots = [*trusted(Authority(tmp_path / "other", "Other Office")), *trusted(authority)]
    assert stamps.verify_stamp(good, NOTE.encode(), both_roots).authority == "CN=Time Office"
    named_alike = stranger.answer(stamps.build_stamp_request(NOTE.encode()))
    assert "no trusted authority" in refused(named_alike, trusted(authority))


def test_an_authority_must_have_been_one_at_the_time(authority: Authority) -> None:
    request = stamps.build_stamp_request(NOTE.encode())
    expired = pair("Ended", authority.between, usage=STAMPS, valid_until=BEGAN + timedelta(days=1))
    assert "expired" in refused(authority.answer(request, expired), trusted(authority))


def test_a_stamp_outlives_the_certificate_of_its_authority() -> None:
    roots = stamps.read_roots(OLD.with_suffix(".pem").read_bytes())
    trusted_time = stamps.verify_stamp(OLD.read_bytes(), NOTE.encode(), roots)
    assert trusted_time.authority == "CN=Time Office"
    assert trusted_time.time < datetime.now(UTC)


def forged_twin(authority: Authority) -> tuple[Pair, Pair]:
    """A shop's true certificate, and one that the shop made itself, so that it looks like a stamper's."""
    web = pair("shop.example", authority.root, usage=SERVES, serial=99)
    issuer = Pair(authority.root.certificate, pair("x", None).key)
    return web, pair("Time Office", issuer, usage=STAMPS, key=web.key, serial=99)


def test_a_twin_of_a_trusted_certificate_makes_nobody_an_authority(authority: Authority) -> None:
    roots = trusted(authority)
    for _ in range(6):  # the order of certificates is chance
        web, twin = forged_twin(authority)
        reason = refused(authority.answer(stamps.build_stamp_request(NOTE.encode()), twin, web), roots)
        assert "no trusted authority" in reason or "name the certificate" in reason


def altered(good: bytes, truth: stamps.TrustedTime, roots: list, places: range) -> int:
    """Alter one byte at each place; return how many were taken, all for the very same stamp."""
    chance = random.Random(5)
    accepted = 0
    for place in places:
        changed_stamp = bytearray(good)
        changed_stamp[place] ^= chance.randrange(1, 256)
        try:
            trusted_time = stamps.verify_stamp(bytes(changed_stamp), NOTE.encode(), roots)
        except ProofError:
            continue
        assert trusted_time == truth, f"byte {place}"
        accepted += 1
    return accepted


def test_no_altered_byte_makes_it_say_anything_else(authority: Authority, good: bytes) -> None:
    roots = trusted(authority)
    truth = stamps.verify_stamp(good, NOTE.encode(), roots)
    start = random.randrange(23)
    assert altered(good, truth, roots, range(start, len(good), 23)) <= 3


@pytest.mark.slow
def test_no_altered_byte_at_all_makes_it_say_anything_else(authority: Authority, good: bytes) -> None:
    """A dozen bytes are no part of what is signed and are read by nobody: the signature's own label."""
    roots = trusted(authority)
    truth = stamps.verify_stamp(good, NOTE.encode(), roots)
    assert altered(good, truth, roots, range(len(good))) <= 20
    for cut in range(len(good)):
        assert refused(good[:cut], roots)
    assert refused(good + b"\0", roots)


def test_what_is_no_answer_is_refused_in_our_own_words(good: bytes) -> None:
    for data in (
        b"",
        b"\0",
        b"0",
        b"0\x80",
        b"0\x84\xff\xff\xff\xff",
        b"0\x03\x02\x01\x00",
        good[:-1],
        good + b"\0",
        b"0\x82" * 5000,
        b"<html>502 Bad Gateway</html>",
        NOTE.encode(),
    ):
        with pytest.raises(ProofError):
            stamps.read_stamp(data)
    with pytest.raises(ProofError, match="too long"):
        stamps.read_stamp(b"0" * (stamps.MOST_ANSWER_BYTES + 1))


@given(data=st.data())
def test_hostile_answers_end_in_a_refusal_or_in_what_they_say(
    authority: Authority, good: bytes, data: st.DataObject
) -> None:
    position = data.draw(st.integers(0, len(good) - 1))
    inside = data.draw(st.binary(max_size=12))
    removed_count = data.draw(st.integers(0, 12))
    answer = good[:position] + inside + good[position + removed_count :]
    try:
        stamps.verify_stamp(answer, NOTE.encode(), trusted(authority))
    except ProofError as error:
        assert error.message  # noqa: PT017 - either end is right


def test_roots_that_are_none_are_said_so(good: bytes) -> None:
    for data in (b"", good, b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"):
        with pytest.raises(UsageError, match="no certificate"):
            stamps.read_roots(data)
    with pytest.raises(UsageError, match="too large"):
        stamps.read_roots(b"x" * (stamps.MOST_ROOTS_BYTES + 1))


def test_without_its_library_it_says_what_to_install(good: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rfc3161_client", None)
    with pytest.raises(MissingExtraError) as error:
        stamps.build_stamp_request(b"x")
    assert "handledger[stamps]" in error.value.hint
    with pytest.raises(MissingExtraError):
        stamps.verify_stamp(good, NOTE.encode(), [])
    assert stamps.read_stamp_over(good, NOTE.encode()).hash == "sha256", "what it is over is read without it"


class PanicException(BaseException):
    """What a fault in the library's Rust ends in: no Exception."""


@pytest.mark.parametrize("fault", [PanicException("index out of range"), TypeError("x"), AssertionError()])
def test_a_fault_of_the_library_is_a_refusal(
    good: bytes, authority: Authority, fault: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_answer: bytes) -> None:
        raise fault

    monkeypatch.setattr("rfc3161_client.decode_timestamp_response", fails)
    assert refused(good, trusted(authority)).startswith("no trusted authority")


def test_who_interrupts_is_obeyed(good: bytes, authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_answer: bytes) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rfc3161_client.decode_timestamp_response", fails)
    with pytest.raises(KeyboardInterrupt):
        stamps.verify_stamp(good, NOTE.encode(), trusted(authority))
