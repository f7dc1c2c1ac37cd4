"""What players paid in blinds beside what was due: nobody is short on a legal evening, and a wrong shows."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from projections.audit.blind_fairness import iter_blind_shares
from projections.books.rulebook import load
from projections.table_walk.replay import make_first_checkpoint, replay_from
from tests.conftest import scale_examples
from tests.evenings import ROOMS, Evening, evening
from tests.projections.test_doubts import wrong_evenings

evenings = st.builds(evening, st.sampled_from(sorted(ROOMS)), st.integers(0, 10**6), st.integers(5, 25))


@given(evenings)
@settings(max_examples=scale_examples(60))
def test_on_a_legal_evening_everybody_paid_what_was_due(drawn_evening: Evening) -> None:
    book = load(drawn_evening.room.book)
    blind_shares = list(iter_blind_shares(replay_from(make_first_checkpoint(drawn_evening.told()), [book]), book))
    shares = [share for share in blind_shares if share.due is not None]
    if drawn_evening.room.book != "house-burn":  # whose text has no blinds: only the burn
        assert len(shares) > len(blind_shares) / 2
    assert [share for share in shares if share.due != share.paid] == []
    assert any(share.paid for share in shares) or not shares


def test_who_paid_another_amount_than_was_due_stands_out() -> None:
    assert any(
        share.due is not None and share.due != share.paid
        for book, drawn_evening in wrong_evenings()
        for share in iter_blind_shares(
            replay_from(make_first_checkpoint(drawn_evening.told()), [load(book)]), load(book)
        )
    )


@given(evenings)
def test_orbits_follow_the_button_and_everybody_dealt_in_has_a_share(drawn_evening: Evening) -> None:
    book = load(drawn_evening.room.book)
    blind_shares = list(iter_blind_shares(replay_from(make_first_checkpoint(drawn_evening.told()), [book]), book))
    orbits = [share.orbit for share in blind_shares]
    assert orbits == sorted(orbits)
    by_hand: dict[str, int] = {}
    for share in blind_shares:
        by_hand[share.hand.hand] = by_hand.get(share.hand.hand, 0) + 1
        assert by_hand[share.hand.hand] <= len(share.hand.dealt_in)
    assert all(by_hand[share.hand.hand] == len(share.hand.dealt_in) for share in blind_shares)
