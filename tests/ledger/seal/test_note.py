"""Signed notes: the specification's own samples, strictness, and every altered byte refused."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import ProofError, SigningKeyError
from ledger.seal import note as n

SIGNER = n.HeldKey("room.example/handledger/1", Ed25519PrivateKey.from_private_bytes(b"k" * 32))
WITNESS = n.HeldKey("auditor.example", Ed25519PrivateKey.from_private_bytes(b"w" * 32), n.COSIGNATURE)
POINT = n.Checkpoint("room.example/handledger/1", 20852163, bytes(range(32)))

SPEC = (
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "\u2014 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
    "\u2014 witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
)
"""The example of c2sp.org/tlog-cosignature (a fact of the format, with the time in the witness's line)."""


def test_a_checkpoint_and_its_cosignature_verify() -> None:
    note = n.cosign_note(n.sign_text(str(POINT), SIGNER), WITNESS, 1_795_000_000)
    signed_note = n.read_note(note)
    assert n.read_checkpoint(signed_note) == POINT
    assert n.verify_signature(signed_note, SIGNER.key) == 0
    assert n.verify_signature(signed_note, WITNESS.key) == 1_795_000_000


def test_the_specifications_example_is_read() -> None:
    signed_note = n.read_note(SPEC)
    assert n.read_checkpoint(signed_note).size == 20852163
    assert [signature.name for signature in signed_note.signatures] == [
        "example.com/behind-the-sofa",
        "witness.example.com/w1",
    ]
    assert int.from_bytes(signed_note.signatures[1].signature[:8], "big") == 1679315147


def test_an_unknown_key_says_nothing_and_a_known_one_that_fails_spoils_all() -> None:
    signed_note = n.read_note(n.sign_text(str(POINT), SIGNER))
    stranger = n.HeldKey(SIGNER.key.name, Ed25519PrivateKey.from_private_bytes(b"x" * 32))
    assert n.verify_signature(signed_note, stranger.key) is None
    forged = n.read_note(n.sign_text(str(POINT._replace(size=1)), SIGNER).replace("\n1\n", "\n2\n"))
    with pytest.raises(ProofError, match=r"doesn.t fit"):
        n.verify_signature(forged, SIGNER.key)


@given(st.data())
def test_an_altered_note_is_never_taken_for_the_signed_one(data: st.DataObject) -> None:
    note = n.cosign_note(n.sign_text(str(POINT), SIGNER), WITNESS, 7)
    position = data.draw(st.integers(0, len(note) - 1))
    sign = data.draw(st.characters(codec="utf-8").filter(lambda c: c != note[position]))
    altered = data.draw(
        st.sampled_from(
            [
                note[:position] + sign + note[position + 1 :],
                note[:position] + note[position + 1 :],
                note[:position] + sign + note[position:],
            ]
        )
    )
    try:
        signed_note = n.read_note(altered)
        holds_both = (
            n.verify_signature(signed_note, SIGNER.key) == 0 and n.verify_signature(signed_note, WITNESS.key) == 7
        )
        accepted = holds_both and n.read_checkpoint(signed_note) == POINT
    except ProofError:
        accepted = False
    assert not accepted or altered == note


def test_keys_are_passed_on_as_text_and_damage_is_seen() -> None:
    for signer in (SIGNER, WITNESS):
        text = str(signer.key)
        assert n.read_key(text) == signer.key
        for index in range(len(text)):
            sign = "A" if text[index] != "A" else "B"
            try:
                assert n.read_key(text[:index] + sign + text[index + 1 :]) == signer.key
            except SigningKeyError:
                continue
            pytest.fail(f"a key with character {index} altered was taken")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "text",
        "text\n",
        "text\n\n",
        "text\n\nno dash\n",
        "text\n\n\u2014 name\n",
        "text\n\n\u2014 name AAAA\n",
        "text\n\n\u2014 na+me AAAAAAAA\n",
        "text\n\n\u2014 name AAAAAAA\n",
        "a\rb\n\n\u2014 name AAAAAAAA\n",
        "text\n\n\u2014 name AAAAAAAA",
        "text\n\n" + "\u2014 name AAAAAAAA\n" * 65,
        "x" * (n.MOST_NOTE_LENGTH + 1),
    ],
)
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(ProofError):
        n.read_note(text)


@pytest.mark.parametrize(
    "text",
    [
        "o\n1\n",
        "\n1\n" + "A" * 43 + "=\n",
        "o\n01\n" + "A" * 43 + "=\n",
        "o\n-1\n" + "A" * 43 + "=\n",
        "o\n\u0661\n" + "A" * 43 + "=\n",
        "o\n1\n" + "A" * 42 + "B=\n",
        "o\n1\nAAAA\n",
        "o\n1\n" + "A" * 43 + "=\nmore\n",
        "o\n" + "9" * 19 + "\n" + "A" * 43 + "=\n",
    ],
)
def test_a_checkpoint_has_one_spelling(text: str) -> None:
    with pytest.raises(ProofError):
        n.read_checkpoint(n.SignedNote(text, ()))


def test_a_proof_is_written_and_read() -> None:
    note = n.sign_text(str(POINT), SIGNER)
    for extra in (None, b"", b"more"):
        proof = n.InclusionProof(73894, (bytes(32), b"\1" * 32), note, extra)
        assert n.read_proof(str(proof)) == proof
    assert n.read_proof(str(n.InclusionProof(0, (), note))) == n.InclusionProof(0, (), note)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "c2sp.org/tlog-proof@v1\n\nx",
        "c2sp.org/tlog-proof@v2\nindex 0\n\nx",
        "c2sp.org/tlog-proof@v1\nindex 00\n\nx",
        "c2sp.org/tlog-proof@v1\nindex 1\nAAAA\n\nx",
        "c2sp.org/tlog-proof@v1\nindex 1\n" + ("A" * 43 + "=\n") * 64 + "\nx",
        "c2sp.org/tlog-proof@v1\nextra ?\nindex 1\n\nx",
        "x" * (n.MOST_NOTE_LENGTH + 1),
    ],
)
def test_what_is_no_proof_is_refused(text: str) -> None:
    with pytest.raises(ProofError):
        n.read_proof(text)


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\u00a0b", "x" * 301, "a\tb"])
def test_a_key_has_a_name_that_a_line_can_hold(name: str) -> None:
    with pytest.raises(SigningKeyError):
        n.HeldKey(name, Ed25519PrivateKey.from_private_bytes(b"k" * 32))
