"""The money around a table as a card room writes it, read and written back, and what is refused."""

from __future__ import annotations

import itertools

import pytest

from ledger.account import Reject, TableAccount
from ledger.formats.handscript import FORMAT, write_told
from ledger.notation import Chunk
from ledger.people import People
from ledger.table import money_events as m

PEOPLE = People(b"p" * 32)
ANA, BO = PEOPLE.player("Riverside", "Ana"), PEOPLE.player("Riverside", "Bo")
CASH = "handscript 1\nvenue Riverside table T7\nwitness live-table\ngame holdem no-limit cash blinds 1/2 unit USD 2\n\n"
TOURNAMENT = "handscript 1\nvenue Riverside tournament 88\nwitness live-table\n\n"
HAND = "hand 1 2026-11-29T20:00:00Z\nseat 1 Ana 100\nseat 2 Bo 100\nbutton 1\n"


def read_items(text: str) -> list[object]:
    return list(FORMAT.read(Chunk(text.encode()), PEOPLE))


def read_facts(header: str, lines: str) -> list[object]:
    (account,) = read_items(f"{header}between-hands\n{lines}\nend\n")
    assert isinstance(account, TableAccount), account
    return list(account.events)


def read_refusal(header: str, line: str) -> Reject:
    (reject,) = read_items(f"{header}between-hands\n{line}\nend\n")
    assert isinstance(reject, Reject), reject
    return reject


CASH_LINES: dict[str, m.MoneyEvent] = {
    "drop-box 412": m.BoxCounted("drop", 41_200),
    "drop-box 412 shift swing": m.BoxCounted("drop", 41_200, "swing"),
    'drop-box 412.50 shift "day 2"': m.BoxCounted("drop", 41_250, "day 2"),
    "jackpot-box 95": m.BoxCounted("jackpot", 9_500),
    "promotion-box 0": m.BoxCounted("promotion", 0),
    "fill 500": m.ChipsFilled(50_000),
    "credit 300": m.ChipsCredited(30_000),
    "tray 10000": m.TrayCounted(1_000_000),
    "jackpot-paid Bo 500": m.FundPaid("jackpot", 50_000, BO),
    "jackpot-paid Bo 500 hand 1041": m.FundPaid("jackpot", 50_000, BO, "1041"),
    "promotion-paid Bo 50": m.FundPaid("promotion", 5_000, BO),
}
TOURNAMENT_LINES: dict[str, m.MoneyEvent] = {
    "entry Ana 100 fee 10 gets 10000": m.EntrySold(ANA, "entry", 10_000, 1_000, 10_000),
    "re-entry Ana 100": m.EntrySold(ANA, "re-entry", 10_000),
    "rebuy Bo 50 gets 5000": m.EntrySold(BO, "rebuy", 5_000, 0, 5_000),
    "add-on Bo 50.50": m.EntrySold(BO, "add-on", 5_050),
    "prize-pool 1000": m.PrizePoolStated(100_000),
    "prize-pool 1000 guaranteed 1000": m.PrizePoolStated(100_000, guaranteed=100_000),
    "prize-pool 1000 added 250.50": m.PrizePoolStated(100_000, added=25_050),
    "prize-pool 1000 guaranteed 900 added 250": m.PrizePoolStated(100_000, 90_000, 25_000),
    "prize 1 Ana 500": m.PrizePaid(1, ANA, 50_000),
}


def describe_items(text: str) -> list[tuple[str, list[str]]]:
    """Return each item's lines, or what is wrong with them. Each byte of the facts belongs to one item."""
    items = read_items(text)
    spans = [(item.start, item.start + item.length) for item in items]  # type: ignore[attr-defined]  # both have a span
    assert all(end == start for (_, end), (start, _) in itertools.pairwise(spans)), spans
    described = []
    for item, (start, end) in zip(items, spans, strict=True):
        lines = text.encode()[start:end].decode().split("\n")
        if isinstance(item, Reject):
            described.append(("reject", [problem.reason for problem in item.problems]))
        else:
            assert isinstance(item, TableAccount)
            described.append(("read", [line for line in lines if line]))
    return described


RIGHT = ["entry Ana 100 fee 10", "prize-pool 200", "prize 1 Ana 200"]
WRONG = {
    "entry Bo 100 fee ten": "expected an amount, found ten",
    "prize 1 Ana": "an amount is missing at the end of the line",
    "lunch for Bo": "no line begins with lunch",
    'entry "Bo 100': "a quote that is not closed",
    "1 folds": "no hand has begun here",
}


@pytest.mark.parametrize("wrong_line", WRONG)
@pytest.mark.parametrize("index", [0, 1, 3])
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("is_explicit", [False, True])
def test_a_wrong_line_of_a_tournaments_desk_takes_no_other_line_along(
    wrong_line: str, index: int, count: int, *, is_explicit: bool
) -> None:
    if index == 0 and wrong_line.startswith(("lunch", 'entry "')) and not is_explicit:
        pytest.skip("above the first fact it is a line of the header")
    lines = [*RIGHT[:index], *[wrong_line] * count, *RIGHT[index:]]
    body = "\n".join(lines) + "\n"
    described = describe_items(TOURNAMENT + (f"between-hands\n{body}end\n" if is_explicit else body))
    read_lines = [line for kind, lines in described if kind == "read" for line in lines]
    assert [line for line in read_lines if line in RIGHT] == RIGHT
    rejects = [reasons for kind, reasons in described if kind == "reject"]
    assert len(rejects) == 1, "neighbouring wrong lines are one place"
    assert WRONG[wrong_line] in rejects[0][0]


def test_a_clock_below_a_wrong_line_of_the_desk_goes_on_from_the_clock_above_it() -> None:
    items = read_items(
        TOURNAMENT + "entry Ana 100 at 2026-11-29T23:50:00Z\nentry Bo ten at 23:55:00\nentry Cy 100 at 00:10:00\n"
    )
    first, _, last = items
    assert isinstance(first, TableAccount)
    assert isinstance(last, TableAccount)
    assert last.times[0] - first.times[0] == 20 * 60 * 1000


def test_a_wrong_line_at_a_table_rejects_the_facts_between_two_hands() -> None:
    (reject,) = read_items(CASH + "1 sits Ana stack 100\n2 sits Bo stack ten\ndrop-box 412\n")
    assert isinstance(reject, Reject), "who sits where depends on each line"


@pytest.mark.parametrize(
    ("header", "events"), [(CASH, CASH_LINES), (TOURNAMENT, TOURNAMENT_LINES)], ids=["cash", "tournament"]
)
def test_each_line_is_read_and_written_back(header: str, events: dict[str, m.MoneyEvent]) -> None:
    (account,) = read_items(f"{header}between-hands\n" + "\n".join(events) + "\nend\n")
    assert isinstance(account, TableAccount), account
    assert account.events == list(events.values())
    written = write_told(account, PEOPLE)
    (written_account,) = read_items(written)
    assert isinstance(written_account, TableAccount), written_account
    assert written_account.events == account.events
    assert write_told(written_account, PEOPLE) == written


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("drop box 412", m.BoxCounted("drop", 41_200)),
        ("Drop box: $412", m.BoxCounted("drop", 41_200)),
        ("the drop box held 412 for the swing shift", m.BoxCounted("drop", 41_200, "swing")),
        ("box drop 412", m.BoxCounted("drop", 41_200)),
        ("jackpot box 95", m.BoxCounted("jackpot", 9_500)),
        ("promo box 40", m.BoxCounted("promotion", 4_000)),
        ("fill of $1,500", m.ChipsFilled(150_000)),
        ("credit for 300", m.ChipsCredited(30_000)),
        ("the tray holds 10000", m.TrayCounted(1_000_000)),
        ("jackpot paid Bo 500", m.FundPaid("jackpot", 50_000, BO)),
        ("promo paid 50 to Bo", m.FundPaid("promotion", 5_000, BO)),
    ],
)
def test_people_say_it_in_their_words(line: str, event: m.MoneyEvent) -> None:
    assert read_facts(CASH, line) == [event]


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("entry Ana 100+10 gets 10000", m.EntrySold(ANA, "entry", 10_000, 1_000, 10_000)),
        ("re-entry Ana $100+$10", m.EntrySold(ANA, "re-entry", 10_000, 1_000)),
        ("add on Bo 20", m.EntrySold(BO, "add-on", 2_000)),
        ("prize pool is 1,000", m.PrizePoolStated(100_000)),
    ],
)
def test_a_tournaments_money_in_peoples_words(line: str, event: m.MoneyEvent) -> None:
    assert read_facts(TOURNAMENT, line) == [event]


def test_the_jackpot_goes_to_who_sits_in_the_seat() -> None:
    assert read_facts(CASH, "3 sits Bo stack 200\njackpot paid 500 to seat 3")[1] == m.FundPaid("jackpot", 50_000, BO)


@pytest.mark.parametrize(
    ("line", "reason", "hint"),
    [
        ("drop-box -4", "line 7: column 10: expected an amount that isn't negative, found -4", "AMOUNT [shift SHIFT]"),
        ("drop-box 4.125", "line 7: column 10: expected an amount with at most 2 decimals, found 4.125", "AMOUNT"),
        ("drop-box ?", "line 7: column 10: expected an amount, found ?", "Write: drop-box AMOUNT"),
        ("drop-box", "line 7: an amount is missing at the end of the line", "Write: drop-box AMOUNT"),
        ("fill 99999999999999999999", "line 7: column 6: expected an amount of fewer digits", "fill AMOUNT"),
        ("tray 5 6", "line 7: column 8: expected nothing more; found 6", "tray AMOUNT"),
        ("jackpot-paid 500", "line 7: column 14: expected a player's name, found 500", "jackpot-paid PLAYER AMOUNT"),
        ("jackpot-paid him 500", "line 7: column 14: expected a player's name, found him", "in quotes"),
        ("entry Ana 100", "entry is for tournaments, and this table isn't in one", "tournament 88"),
        ("rebuy Bo 200", "rebuy is for tournaments, and this table isn't in one", "3 adds 200 rebuy"),
        ("prize 1 Ana 500", "prize is for tournaments, and this table isn't in one", "tournament 88"),
    ],
)
def test_what_cannot_be_is_refused_with_place_and_remedy(line: str, reason: str, hint: str) -> None:
    reject = read_refusal(CASH, line)
    assert reason in reject.reason
    assert hint in reject.hint


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("prize 0 Ana 500", "expected a place, 1 for the winner, found 0"),
        ("prize -1 Ana 500", "expected a place, 1 for the winner, found -1"),
        ("entry Ana -100", "expected an amount that isn't negative, found -100"),
        ("entry Ana 100 gets -5", "expected an amount that isn't negative, found -5"),
        ("prize-pool 10.125", "expected an amount with at most 2 decimals, found 10.125"),
    ],
)
def test_a_tournaments_money_is_refused_as_well(line: str, reason: str) -> None:
    assert reason in read_refusal(TOURNAMENT, line).reason


@pytest.mark.parametrize("line", CASH_LINES)
def test_within_a_hand_it_has_no_place(line: str) -> None:
    (reject,) = read_items(f"{CASH}{HAND}{line}\nend\n")
    assert isinstance(reject, Reject)
    assert f"line 10: column 1: {line.split(maxsplit=1)[0]}" in reject.reason
    assert "is about the table, not a hand" in reject.reason
    assert "below its end" in reject.hint


def test_a_wrong_line_at_a_tournaments_only_table_rejects_the_facts_between_two_hands() -> None:
    (reject,) = read_items(TOURNAMENT + "1 leaves Ana\n3 sits Cy stack ten\n4 sits Di stack 100\n2 leaves Bo\n")
    assert isinstance(reject, Reject), "the header of a single table needs no table"
