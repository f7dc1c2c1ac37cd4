"""What two books find otherwise in the same hands: nothing of themselves, and the opposite the other way round."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from projections.audit.edition_differences import find_changes, sum_chips_at_stake, sum_chips_by_seat
from projections.books import rulebook
from projections.findings.finding import Finding
from projections.table_walk.table_context import TableWalk
from tests.conftest import scale_examples
from tests.evenings import Evening
from tests.projections.running import audit_of
from tests.projections.test_doubts import wrong_evenings

BOOKS = [f"{name}@{edition}" for name in rulebook.list_names() for edition in rulebook.list_editions(name)]


def find_breaches(evening: Evening, name: str) -> list[Finding]:
    audit, table = audit_of(name), TableWalk([rulebook.load(name)])
    return [
        finding
        for index, sat in enumerate(table.contexts(evening.told()))
        for finding in audit.judge_hand(evening.played[index], sat)
    ]


@settings(max_examples=scale_examples(25))
@given(st.deferred(lambda: st.sampled_from(wrong_evenings())), st.sampled_from(BOOKS), st.sampled_from(BOOKS))
def test_the_other_way_round_what_came_goes(wrong: tuple[str, Evening], first: str, second: str) -> None:
    _, evening = wrong
    old, new = find_breaches(evening, first), find_breaches(evening, second)
    finding_changes, back = find_changes(old, new), find_changes(new, old)
    opposite = {"appears": "vanishes", "vanishes": "appears", "changes": "changes"}
    assert Counter(finding_change.kind for finding_change in finding_changes) == Counter(
        opposite[finding_change.kind] for finding_change in back
    )
    assert find_changes(old, old) == []
    olds = [
        finding_change.old
        for finding_change in finding_changes
        if finding_change.old is not None and finding_change.new is None
    ]
    news = [
        finding_change.new
        for finding_change in finding_changes
        if finding_change.new is not None and finding_change.old is None
    ]
    own_changes = [finding_change for finding_change in old if finding_change.book != "record"]
    assert len(own_changes) - len(olds) + len(news) == len(
        [finding_change for finding_change in new if finding_change.book != "record"]
    )
    stake = sum_chips_at_stake(finding_changes)
    assert sum(sum_chips_by_seat(finding_changes).values()) == 0, "what one seat has too much others have too little"
    assert sum_chips_by_seat(back) == {chair: -chips for chair, chips in sum_chips_by_seat(finding_changes).items()}
    assert all(chips >= 0 for (becomes, *_), chips in stake.items() if becomes != "changes")


def test_each_way_to_differ_comes_up() -> None:
    every = {
        turn.kind
        for _, evening in wrong_evenings()[:12]
        for turn in find_changes(find_breaches(evening, "hilton"), find_breaches(evening, "rrop4"))
    }
    assert every == {"appears", "vanishes", "changes"}
