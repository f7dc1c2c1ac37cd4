"""Open Hand History becomes the right events, each at its member; what is written is read again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ledger import formats
from ledger.account import Account, Reject
from ledger.formats.handscript import read_case
from ledger.formats.ohh import FORMAT
from ledger.hand.betting import BetReturned, Called, Completed, Raised
from ledger.hand.dealing import CardsDiscarded, CardsDrawn, HoleCardsDealt
from ledger.hand.ending import ResultDeclared
from ledger.hand.fold import fold
from ledger.hand.opening import BringInPosted, ButtonPlaced, SeatDealtIn
from ledger.intake.byte_accounts import count_bytes as accounted
from ledger.notation import Chunk
from ledger.vocabulary import Witness
from tests.conftest import ROOT, thin_out
from tests.formats.support import events_of, new_people, read, read_hand, samples, unbalanced, unread

SAMPLES = Path(__file__).parent / "samples"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.ohh"))
SCHEMA = jsonschema.Draft202012Validator(
    json.loads((ROOT / "schemas/formats/ohh-1.4.7.json").read_text(encoding="utf-8"))
)


def sample(name: str) -> bytes:
    return (SAMPLES / f"{name}.ohh").read_bytes()


def changed(**members: Any) -> bytes:
    hand = json.loads(sample("dead-post"))
    for name, value in members.items():
        if value is None:
            del hand["ohh"][name]
        else:
            hand["ohh"][name] = value
    return json.dumps(hand).encode()


@pytest.mark.parametrize("make_id", [lambda player_id: f"{player_id}e5f", lambda player_id: player_id, str])
def test_players_without_a_name_are_called_by_their_id_or_are_those_of_this_hand(make_id: Any) -> None:
    hand = json.loads(sample("dead-post"))["ohh"]
    for player in hand["players"]:
        player["name"] = None if player["id"] % 2 else ""
        player["id"] = make_id(player["id"])
    for part in hand["rounds"]:
        for act in part["actions"]:
            act["player_id"] = make_id(act["player_id"])
    for pot in hand["pots"]:
        for win in pot["player_wins"]:
            win["player_id"] = make_id(win["player_id"])
    hand.pop("hero_player_id", None)
    everybody = new_people()
    read_of = read_hand(FORMAT, json.dumps({"ohh": hand}).encode(), people=everybody)
    ids = {player["seat"]: str(player["id"]) for player in hand["players"]}
    for event in events_of(read_of, SeatDealtIn):
        expected_name = (
            ids[event.seat] if "e5f" in ids[event.seat] else f"Seat {event.seat} of hand {read_of.opened.number}"
        )
        assert everybody.name(event.player) == expected_name


def test_seats_and_players_may_be_counted_from_0() -> None:
    hand = json.loads(sample("dead-post"))["ohh"]
    lowest = min(player["seat"] for player in hand["players"])
    for player in hand["players"]:
        player["seat"] -= lowest
        player["id"] -= 1
    for part in hand["rounds"]:
        for act in part["actions"]:
            act["player_id"] -= 1
    for pot in hand["pots"]:
        for win in pot["player_wins"]:
            win["player_id"] -= 1
    hand["dealer_seat"] -= lowest
    hand["hero_player_id"] -= 1
    moved, account = read_hand(FORMAT, json.dumps({"ohh": hand})), read_hand(FORMAT, sample("dead-post"))
    shift = lowest - 1
    assert [seat.seat + shift for seat in events_of(moved, SeatDealtIn)] == [
        seat.seat for seat in events_of(account, SeatDealtIn)
    ]
    assert events_of(moved, ButtonPlaced)[0].seat + shift == events_of(account, ButtonPlaced)[0].seat
    assert unbalanced(moved) == []


def test_ids_as_text_and_cards_in_one_word_are_read() -> None:
    hand = json.loads(sample("dead-post"))
    for part in hand["ohh"]["rounds"]:
        if isinstance(part.get("cards"), list):
            part["cards"] = " ".join(part["cards"])
        for act in part["actions"]:
            act["player_id"] = str(act["player_id"])
            if "cards" in act:
                act["cards"] = "".join(act["cards"])
    assert read_hand(FORMAT, json.dumps(hand)).events == read_hand(FORMAT, sample("dead-post")).events


def test_every_act_points_at_its_very_object() -> None:
    data = sample("dead-post")
    account = read_hand(FORMAT, data)
    for index, event in enumerate(account.events):
        start, length = account.places[2 * index : 2 * index + 2]
        if isinstance(event, Raised):
            document = json.loads(data[account.start + start :][:length])
            assert document["action"] == "Raise"
            assert round(document["amount"] * 100) == event.added


def test_a_bet_that_nobody_called_is_inferred_and_the_hand_balances() -> None:
    account = read_hand(FORMAT, sample("dead-post"))
    assert not unbalanced(account)
    returned = [index for index, event in enumerate(account.events) if isinstance(event, BetReturned)]
    assert [account.events[index] for index in returned] == [BetReturned(5, 6100)]
    assert set(returned) <= set(account.inferred)


def test_members_and_acts_that_nobody_knows_are_kept() -> None:
    people = new_people()
    account = read(FORMAT, sample("runs-and-strangers"), people=people)[0]
    assert isinstance(account, Account)
    unread_parts = unread(account, people)
    assert [words.partition(":")[0].strip('{"') for words in unread_parts] == [
        "action_number",
        "weather",
        "mood",  # an act of nobody who sits here
    ]


def test_amounts_that_are_all_of_a_street_are_told_by_the_pots() -> None:
    """Raise to 2.50, to 9, a call of 9: what each act adds would be more than the pot."""
    account = read_hand(FORMAT, sample("training-room"))
    assert [event.added for event in events_of(account, Called)] == [650]
    assert [(raised.added, raised.to) for raised in events_of(account, Raised)] == [
        (250, 250),
        (850, 900),
        (1800, 1800),
        (6500, 7100),
    ]
    assert not unbalanced(account)


def test_amounts_are_what_an_act_adds_where_the_pots_agree_with_both_or_neither() -> None:
    hand = json.loads(sample("training-room"))
    hand["ohh"]["pots"][0]["amount"] = 107
    assert [event.added for event in events_of(read_hand(FORMAT, json.dumps(hand)), Called)] == [900]


def test_cards_that_stand_with_their_players_are_dealt_before_anybody_acts() -> None:
    account = read_hand(FORMAT, sample("training-room"))
    dealt = events_of(account, HoleCardsDealt)
    assert [(card.seat, card.cards, card.how) for card in dealt] == [
        (1, "QsQd", "unknown"),
        (2, "AhKh", "owner"),
        (3, "7c2d", "unknown"),
    ]
    assert account.opened.witnesses & Witness.OWN_CARDS
    hand = json.loads(sample("training-room"))
    hand["ohh"]["rounds"][0]["actions"].insert(2, {"player_id": 2, "action": "Dealt Cards", "cards": ["Ah", "Kh"]})
    assert [card.seat for card in events_of(read_hand(FORMAT, json.dumps(hand)), HoleCardsDealt)] == [2, 1, 3]


def test_a_hand_without_a_number_is_known_by_the_id_beside_it() -> None:
    assert read_hand(FORMAT, sample("training-room")).opened.number == "q7Rb2LmXw0"
    nameless = sample("training-room").replace(b'"id": "q7Rb2LmXw0"', b'"id": ""')
    assert [item.code for item in read(FORMAT, nameless) if isinstance(item, Reject)] == ["no-header"]


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"game_number": None}, "no-header"),
        ({"game_type": "Whist"}, "game"),
        ({"players": []}, "no-players"),
        ({"players": [{"id": 1, "seat": 99, "name": "x"}]}, "seat"),
        ({"players": [{"id": 1, "seat": 1, "name": "x"}, {"id": 2, "seat": 1, "name": "y"}]}, "seat"),
        ({"small_blind_amount": 1e300}, "amount"),
        ({"small_blind_amount": 10**30}, "amount"),
        ({"small_blind_amount": "٣"}, "amount"),
        ({"rounds": "none"}, "damaged"),
        ({"rounds": [{"street": "Flop", "cards": ["Zz"]}]}, "cards"),
    ],
)
def test_what_cannot_be_said_is_a_reject_with_its_reason(members: dict[str, Any], code: str) -> None:
    items = read(FORMAT, changed(**members))
    assert [item.code for item in items if isinstance(item, Reject)] == [code]


def test_a_hand_that_breaks_off_does_not_take_the_next_one_with_it() -> None:
    first, second = sample("dead-post")[:900], sample("side-pot")
    items = read(FORMAT, first + b"\n\n" + second)
    assert [type(item).__name__ for item in items] == ["Reject", "Account"]


@pytest.mark.parametrize("suffix", [b"and talk", b"\n and talk\nmore", b"}", b'{"spec', b' "x'])
def test_what_stands_behind_a_hand_leaves_it_readable(suffix: bytes) -> None:
    first, second = sample("dead-post").strip(), sample("side-pot").strip()
    data = first + suffix + b"\n" + second + suffix
    items = read(FORMAT, data)
    assert [type(item).__name__ for item in items] == ["Account", "Reject", "Account", "Reject"]
    assert accounted(Chunk(data), items).not_read == 0
    for item in items:
        if isinstance(item, Reject):
            assert data[item.start : item.start + item.length] == suffix.strip()


def test_a_bracket_that_closes_a_hand_too_early_spoils_it() -> None:
    torn_text = sample("side-pot").replace(b'"pots"', b'} "pots"')
    assert [type(item).__name__ for item in read(FORMAT, torn_text)] == ["Reject"]


@pytest.mark.parametrize("frame", [b"%s\n\n%s", b"%s%s", b"[%s,\n%s]\n", b"\xef\xbb\xbf%s\r\n%s"])
def test_hands_may_stand_in_any_frame(frame: bytes) -> None:
    data = frame % (sample("dead-post").strip(), sample("side-pot").strip())
    items = read(FORMAT, data)
    assert [item.opened.number for item in items if isinstance(item, Account)] == ["900000000001", "17"]
    assert accounted(Chunk(data), items).not_read == 0


def test_a_summary_of_a_tournament_is_no_hand() -> None:
    (item,) = read(FORMAT, b'{"ots": {"spec_version": "1.0"}}')
    assert isinstance(item, Reject)
    assert item.code == "not-a-hand"


@pytest.mark.parametrize("space", ["", " ", "\n  "])
def test_a_tournament_summary_without_its_name_is_one_too(space: str) -> None:
    members = ['"spec_version":"1.0.0"', '"network_name":"Network"', '"tournament_number":"T#12"', '"player_count":2']
    text = ("{" + space + f",{space}".join(members) + "}").replace(":", ":" + space.strip("\n")).encode()
    assert FORMAT.sniff(text)
    (item,) = read(FORMAT, text)
    assert isinstance(item, Reject)
    assert "summary of a tournament" in item.reason
    assert not FORMAT.sniff(b'{"spec_version":"1.0","promise":"x"}')


def test_depth_is_no_way_to_break_the_reader() -> None:
    items = read(FORMAT, b'{"ohh": {"game_number": "1", "players": ' + b"[" * 200_000)
    assert [type(item).__name__ for item in items] == ["Reject"]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_is_valid_and_is_read_again_as_the_same(name: str) -> None:
    people = new_people()
    for account in read(FORMAT, sample(name), people=people):
        assert isinstance(account, Account)
        export = FORMAT.write and FORMAT.write(account.events, people)
        assert export
        SCHEMA.validate(json.loads(export.text))
        round_trip = read_hand(FORMAT, export.text, people=people)
        assert not unbalanced(round_trip)
        if not export.losses:
            assert _facts(round_trip) == _facts(account)


def _facts(account: Account) -> list[Any]:
    """All but what the frame says: the version that wrote, and declared sums, which are checks."""
    return [event for event in account.events[1:] if not isinstance(event, ResultDeclared)]


def test_what_the_format_cannot_say_is_listed() -> None:
    people = new_people()
    account = read(FORMAT, sample("runs-and-strangers"), people=people)[0]
    assert isinstance(account, Account)
    export = FORMAT.write and FORMAT.write(account.events, people)
    assert export
    assert any(loss.startswith("line unread") for loss in export.losses)
    assert fold(account.events).runs == 2
    assert export.text.count('"River"') == 2


def test_an_id_that_a_program_writes_before_the_hand_is_passed_by() -> None:
    events = sample("dead-post").decode()
    with_id = events.replace("{", '{ "id": 7, "hand_key": "a-b",\n', 1)
    assert with_id != events
    assert read_hand(FORMAT, with_id.encode()).events == read_hand(FORMAT, events.encode()).events
    assert [type(item) for item in read(FORMAT, f"[{events},\n{with_id}]".encode(), people=new_people())] == [
        Account,
        Account,
    ]


@pytest.mark.parametrize("action", ["Sits Down", "Stands Up", "Added Chips"])
def test_whoever_only_comes_or_goes_is_not_dealt_in(action: str) -> None:
    hand = json.loads(sample("dead-post"))
    out = next(player for player in hand["ohh"]["players"] if player.get("is_sitting_out"))
    hand["ohh"]["rounds"][0]["actions"].insert(
        0, {"action_number": 0, "player_id": out["id"], "action": action, "amount": 10.0}
    )
    account, original = read_hand(FORMAT, json.dumps(hand).encode()), read_hand(FORMAT, sample("dead-post"))
    assert [seat.seat for seat in events_of(account, SeatDealtIn)] == [
        seat.seat for seat in events_of(original, SeatDealtIn)
    ]


def test_a_first_bet_of_stud_that_can_only_be_the_bring_in_is_one() -> None:
    stud, dark, _ = hands("stud-and-draw")
    assert events_of(stud, BringInPosted) == [BringInPosted(3, 50)]
    assert events_of(stud, Completed) == [Completed(2, 200, 200)]
    assert events_of(dark, BringInPosted) == events_of(dark, Completed) == []  # 1 and 2 may be bets as well
    assert events_of(dark, Raised) == [Raised(2, 200, 200)]


def test_an_act_of_stud_by_nobody_that_can_be_is_kept_and_the_hand_is_read() -> None:
    document = json.loads(sample("stud-and-draw").decode().partition("\n\n")[0])
    act = next(act for act in document["ohh"]["rounds"][0]["actions"] if act["action"] == "Bet")
    act["player_id"] = [act["player_id"]]
    people = new_people()
    assert unread(read_hand(FORMAT, json.dumps(document), people=people), people)[0].startswith('{"action_number"')


def test_cards_of_stud_lie_as_the_game_deals_them_and_those_of_a_draw_replace_others() -> None:
    stud, _, draw = hands("stud-and-draw")
    assert [(event.cards, event.up, event.how) for event in events_of(stud, HoleCardsDealt) if event.seat == 3] == [
        ("????2c", "ddu", "dealt-up"),
        ("Td", "u", "dealt-up"),
        ("Ts", "u", "dealt-up"),
        ("6c", "u", "dealt-up"),
        ("??", "d", "unknown"),
    ]
    discards = events_of(draw, CardsDiscarded)
    assert discards == [CardsDiscarded(2, 3), CardsDiscarded(3, 2)]
    assert {draw.events.index(event) for event in discards} <= set(draw.inferred)
    assert [len(fold(draw.events).hole_cards(seat)) for seat in (1, 2, 3)] == [5, 5, 5]


def test_a_draw_that_tells_the_whole_new_hand_tells_what_went() -> None:
    text = sample("stud-and-draw").decode().rpartition("\n\n")[2]
    document = json.loads(text)
    document["ohh"]["rounds"][1]["actions"][0]["cards"] = ["Ah", "Kh", "Kd", "9h", "4c"]
    account = read_hand(FORMAT, json.dumps(document))
    assert events_of(account, CardsDiscarded)[0] == CardsDiscarded(2, 3, "9s9c2d")
    assert events_of(account, CardsDrawn)[0].cards == "Kd9h4c"


def test_of_several_known_hands_without_an_owner_nobody_can_say_how_they_are_known() -> None:
    document = json.loads(sample("dead-post"))
    del document["ohh"]["hero_player_id"]
    deals = [act for part in document["ohh"]["rounds"] for act in part["actions"] if act["action"] == "Dealt Cards"]
    (owner,) = {deal["player_id"] for deal in deals if deal.get("cards")}
    account = read_hand(FORMAT, json.dumps(document))
    assert {event.how for event in events_of(account, HoleCardsDealt)} == {"owner"}
    other_player = next(player["id"] for player in document["ohh"]["players"] if player["id"] != owner)
    document["ohh"]["rounds"][0]["actions"].append(
        {"action_number": 99, "player_id": other_player, "action": "Dealt Cards", "cards": ["2c", "2d"]}
    )
    account = read_hand(FORMAT, json.dumps(document))
    assert {event.how for event in events_of(account, HoleCardsDealt)} == {"unknown"}
    assert not account.opened.witnesses & Witness.OWN_CARDS


@pytest.mark.parametrize("name", [name for name in formats.NAMES if formats.get(name).write is None or name == "phh"])
def test_of_stud_and_draw_nothing_is_lost_unlisted(name: str) -> None:
    """Whatever a hand of another room holds, what is read again of it is the same, or a loss says that it is not."""
    people = new_people()
    for path in thin_out(samples(name)):
        for account in read(formats.get(name), path.read_bytes(), people=people, name=path.name):
            if not isinstance(account, Account):
                continue
            export = FORMAT.write and FORMAT.write(account.events, people)
            if not export or not export.text:
                continue
            SCHEMA.validate(json.loads(export.text))
            round_trip = read_hand(FORMAT, export.text, people=people)
            lost = " ".join(export.losses)
            for kinds, words in OF_STUD_AND_DRAW:
                events_before, events_after = (
                    [event for event in version.events if isinstance(event, kinds)] for version in (account, round_trip)
                )
                assert events_before == events_after or words in lost, (path.name, account.opened.number)


OF_STUD_AND_DRAW = (
    ((BringInPosted, Completed), "bring-in"),
    ((CardsDiscarded, CardsDrawn), "discard"),
    ((HoleCardsDealt,), "how cards were dealt and known"),
)


def hands(name: str) -> list[Account]:
    return [item for item in read(FORMAT, sample(name)) if isinstance(item, Account)]


def test_a_share_of_which_nobody_says_the_pot_stands_beside_those_of_the_others() -> None:
    """It was left out of the document, and nothing said so: the winner had less, and the pot was smaller."""
    people = new_people()
    account, _ = read_case(
        "seat 1 Ann 10; seat 2 Bo 20; seat 3 Cy 60; button 3\n1 posts small 1; 2 posts big 2; deal done\n"
        "3 raises to 60 all-in; 1 calls 9 all-in; 2 calls 18 all-in; 3 uncalled 40\n"
        "flop Ah Kd 7s; turn 2c; river 3d\n2 wins 20 from side-1; 1 wins 15; 2 wins 15; end\n",
        people,
    )
    assert FORMAT.write is not None
    export = FORMAT.write(account.events, people)
    pots = json.loads(export.text)["ohh"]["pots"]
    assert [(pot["number"], pot["amount"], len(pot["player_wins"])) for pot in pots] == [(0, 30, 2), (1, 20, 1)]
    assert "which pot a share came from (2)" in export.losses
    assert fold(read_hand(FORMAT, export.text, people=people).events).chips.awarded == {1: 15, 2: 35}


def test_a_hand_that_was_sold_without_a_price_is_listed_and_not_sold_for_nothing() -> None:
    people = new_people()
    account, _ = read_case(
        "seat 1 Ann 10; seat 2 Bo 10; button 1\n1 posts small 1; 2 posts big 2; deal done\n1 calls 1; 2 checks\n"
        "flop Ah Kd 7s; 1 cashes-out; 1 cashes-out fee 1; turn 2c; river 3d; 1 wins 4; end\n",
        people,
    )
    assert FORMAT.write is not None
    export = FORMAT.write(account.events, people)
    assert "cash-outs without a price (2)" in export.losses
    assert "cashout" not in export.text
