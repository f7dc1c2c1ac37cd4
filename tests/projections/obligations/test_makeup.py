"""On what terms a player who owes is dealt in: zone, ways back and a post left out, asked directly."""

from __future__ import annotations

import pytest

from projections.obligations.debt_inputs import DebtInputs
from projections.obligations.dues import Ground, Missed
from projections.obligations.missed_blinds import Spot
from projections.obligations.policy import Acted, Policy
from projections.obligations.return_terms import assess_return, list_owed_blinds
from projections.obligations.stakes import Stakes
from projections.obligations.tab import Tab
from tests.projections.obligations.test_terms import LIMIT, SPOT, drop_points, make_inputs, summarize_terms

BIG_BET = LIMIT._replace(is_limit=False)
MISSED = Missed("big", "6", Ground("the big blind went past", (), "record", "6"))
ZONE, BEHIND_BLINDS = 3, 7  # of button 2 and blinds 4 and 5


def back(
    book: str | Policy, seat: int, *spots: Spot, stakes: Stakes = LIMIT, tab: Tab | None = None, last: str = "7"
) -> tuple[tuple[str, str, str], list[str]]:
    """A seat's terms as `shown`, and the reasons in words."""
    debt_inputs: DebtInputs = make_inputs(book, *(spots or (SPOT,)), stakes=stakes)
    debt_inputs.player_tabs.last_number = last
    tab = tab or Tab(seat, missed=[MISSED])
    terms = assess_return(debt_inputs, seat, tab, list_owed_blinds(debt_inputs, tab))
    return summarize_terms(terms), [reason.sentence for reason in terms.reasons]


def test_behind_the_button_a_missed_blind_is_made_up_at_once() -> None:
    waits = "post!:0:10 big-blind:2:0"
    assert back("rrop4", BEHIND_BLINDS)[0] == ("if-posts", "makeup:10+0", waits)
    assert back("rrop4", 5)[0] == ("yes", "", "big-blind!:0:0")


def test_between_the_blinds_a_make_up_waits_for_the_button_at_its_price() -> None:
    barred, reasons = back("rrop4", ZONE)
    assert barred == ("no", "", "big-blind:5:0 button-passes:1:10")
    assert "Seat 3 is between the button and the big blind." in reasons


@pytest.mark.parametrize(
    ("limit", "big_bet", "stakes", "deal"),
    [
        (True, False, LIMIT, "if-posts"),
        (True, False, BIG_BET, "no"),
        (False, True, LIMIT, "no"),
        (False, True, BIG_BET, "if-posts"),
    ],
)
def test_whether_the_zone_bars_a_make_up_hangs_on_the_kind_of_betting(
    limit: bool, big_bet: bool, stakes: Stakes, deal: str
) -> None:
    book = drop_points("rrop4", **{"missed.zone.limit": limit, "missed.zone.big_bet": big_bet})
    assert back(book, ZONE, stakes=stakes)[0][0] == deal
    assert back(book, BEHIND_BLINDS, stakes=stakes)[0][0] == "if-posts"


def test_a_book_that_is_silent_on_the_zone_leaves_only_the_zone_open() -> None:
    silent = drop_points("rrop4", "missed.zone.limit")
    inside, reasons = back(silent, ZONE)
    assert inside[:2] == ("open", "makeup:10+0")
    assert reasons[0] == "where the button and the big blind were"
    assert back(silent, BEHIND_BLINDS)[0][0] == "if-posts"


def test_readings_that_differ_on_the_zone_leave_the_make_up_open() -> None:
    make_up, reasons = back("rrop4", ZONE, SPOT, Spot(4, 5, 6))
    assert (make_up[0], reasons[0]) == ("open", "which method of moving the button applies")


def test_in_the_zone_the_button_may_be_bought_where_the_book_sells_it() -> None:
    sells = drop_points("rrop4", **{"button.buy": True})
    bought = ("if-posts", "", "big-blind:5:0 buy-button!:0:None button-passes:1:10")
    assert back(sells, ZONE)[0] == bought
    assert "buy-button" not in back(sells, BEHIND_BLINDS)[0][2], "p21c: only between the button and the small blind"
    for value in (False, None):
        silent = drop_points("rrop4", "button.buy", **({} if value is None else {"button.buy": value}))
        assert "buy-button" not in back(silent, ZONE)[0][2]


def test_a_straddle_is_offered_where_the_book_and_the_house_have_it() -> None:
    def offered(book: str | Policy = "hilton", seat: int = 6, **options: int) -> str:
        house_options = {name.replace("_", "-"): value for name, value in options.items()}
        ways_in = back(book, seat, stakes=LIMIT._replace(options=house_options))[0][2]
        return next((part for part in ways_in.split() if part.startswith("straddle")), "")

    assert offered() == "straddle!:0:None"
    assert offered(straddle_amount=20) == "straddle!:0:20"
    assert offered(seat=7) == "straddle:None:None"
    assert offered(straddle_allowed=1) == "straddle!:0:None"
    assert offered(straddle_allowed=0) == ""
    assert offered("rrop4") == ""
    assert offered(drop_points("hilton", **{"missed.ways_back": ["post"]})) == ""
    assert offered(drop_points("hilton", **{"straddle.clears_missed_blind": False})) == ""
    assert offered(drop_points("hilton", "straddle.clears_missed_blind")) != ""


def test_a_short_blind_is_owed_like_a_big_one_and_says_so() -> None:
    ground = Ground("posted 4 of the big blind of 10 on hand 6", (), "record", "6")
    debt_inputs = make_inputs("bicycle", SPOT)
    tab = Tab(BEHIND_BLINDS, short_big=True, settlement=ground)
    (event,) = list_owed_blinds(debt_inputs, tab)
    assert (event.role, event.hand, event.ground.sentence) == ("big", "6", ground.sentence)
    assert list_owed_blinds(debt_inputs, Tab(BEHIND_BLINDS)) == ()
    terms, reasons = back("bicycle", BEHIND_BLINDS, tab=tab)
    assert terms[:2] == ("if-posts", "makeup:10+5")
    assert reasons[0] == ground.sentence
    assert "The book doesn't say how a short blind is made up." in reasons
    assert "A short big blind is made up like a missed one." in reasons
    missed = back("bicycle", BEHIND_BLINDS)[1]
    assert not {
        "The book doesn't say how a short blind is made up.",
        "A short big blind is made up like a missed one.",
    } & set(missed)


def test_a_marker_without_a_missed_blind_has_no_price() -> None:
    terms, reasons = back("rrop4", BEHIND_BLINDS, tab=Tab(BEHIND_BLINDS, marker_version=9))
    assert terms == ("if-posts", "makeup:None+None", "post!:0:None big-blind:2:0")
    assert any("it has a marker" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("due", "acted", "last", "deal", "says"),
    [
        ("next-deal", True, "7", "if-posts", "due on the very next deal"),
        ("next-deal", True, "8", "if-posts", ""),
        ("next-deal", False, "7", "if-posts", ""),
        ("next-deal", None, "7", "if-posts", ""),
        ("later-deal", True, "7", "yes", "may post on a later deal"),
        ("later-deal", True, "8", "yes", "may post on a later deal"),
        ("later-deal", None, "7", "open", "had acted in hand 7"),
    ],
)
def test_a_post_left_out_is_due_next_or_later_by_the_book(
    due: str, acted: bool | None, last: str, deal: str, says: str
) -> None:
    book = drop_points("rrop4", **{"missed.acted": Acted("chips", due)})  # type: ignore[arg-type]  # one of them
    tab = Tab(BEHIND_BLINDS, missed=[MISSED], played_owing=[("5", not acted), ("7", acted)])
    terms, reasons = back(book, BEHIND_BLINDS, tab=tab, last=last)
    assert terms[0] == deal
    assert terms[2].startswith("post!:0:10"), "what it would post is told all the same"
    post_reasons = [
        reason for reason in reasons if "without its post" in reason or "the missing post was noticed" in reason
    ]
    assert len(post_reasons) == (1 if says else 0)
    assert says in "".join(post_reasons)


def test_a_post_left_out_says_nothing_where_the_book_does_not_speak_of_it() -> None:
    tab = Tab(BEHIND_BLINDS, missed=[MISSED], played_owing=[("7", True)])
    terms, reasons = back(drop_points("rrop4", "missed.acted"), BEHIND_BLINDS, tab=tab)
    assert terms[0] == "if-posts"
    assert not any("without the post" in reason for reason in reasons)
    assert back("rrop4", BEHIND_BLINDS)[0][0] == "if-posts"


def test_a_book_without_ways_back_leaves_it_open() -> None:
    terms, reasons = back(drop_points("rrop4", "missed.ways_back"), BEHIND_BLINDS)
    assert terms == ("open", "", "")
    assert reasons == ["what is due, since the book has no rule on missed blinds", "the big blind went past"]
