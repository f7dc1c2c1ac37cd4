"""iPoker's XML becomes the right events, each at its place; nothing is expanded, nothing raises."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.account import Account, Reject
from ledger.formats.ipoker import FORMAT
from ledger.formats.ipoker.words import parse_cards, strip_amount
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.notation import Chunk
from ledger.readers.marked import MarkupSource, iter_tags, parse_attributes
from ledger.table.pools import ANONYMOUS
from tests.formats.support import events_of, new_people, read, read_hand
from tests.pace import out_of_proportion

SAMPLES = Path(__file__).parent / "samples"
FILES = sorted(path for path in SAMPLES.iterdir() if path.suffix != ".golden")
UNDAMAGED = [path for path in FILES if path.stem != "damaged"]


def sample(name: str) -> str:
    return next(path for path in FILES if path.stem == name).read_text(encoding="utf-8")


def hands(name: str) -> list[Account]:
    return [item for item in read(FORMAT, sample(name)) if isinstance(item, Account)]


@pytest.mark.parametrize("path", UNDAMAGED, ids=lambda path: path.stem)
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "cp1252"])
def test_other_encodings_read_the_same_and_every_place_holds_its_tag(path: Path, codec: str) -> None:
    text = path.read_text(encoding="utf-8")
    raw = text.encode(codec)
    items = [item for item in read(FORMAT, raw, encoding=codec) if isinstance(item, Account)]
    accounts = [item for item in read(FORMAT, text) if isinstance(item, Account)]
    assert [item.events for item in items] == [item.events for item in accounts]
    for item in items:
        for index in range(len(item.events)):
            start, length = item.places[2 * index : 2 * index + 2]
            words = raw[item.start + start : item.start + start + length].decode(codec)
            assert not words or (words[0] == "<" and words[-1] != "<")


def test_acts_are_told_as_they_are_numbered_not_as_they_stand() -> None:
    acts = [event for event in hands("holdem")[0].events if isinstance(event, b.Checked | b.Called | b.Bet)]
    assert [event.seat for event in acts] == [10, 6, 1, 6, 1, 3]


def test_names_hold_entities_brackets_and_quotes_and_nothing_else_is_expanded() -> None:
    people = new_people()
    read(FORMAT, sample("holdem"), people=people)
    assert {name for _, name in people.names.values()} >= {"Ada & co", 'Bo "the >rock"', "Cy Élan"}
    read(FORMAT, sample("damaged"), people=people)
    assert "A <b> &a; &#0;" in {name for _, name in people.names.values()}


def test_a_document_type_makes_the_file_unreadable_and_nothing_of_it_is_expanded() -> None:
    bomb = "".join(f'<!ENTITY a{k} "&a{k - 1};&a{k - 1};">' for k in range(1, 40))
    text = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a0 "ha">{bomb}]>' + sample("holdem").replace("Di", "&a39;")
    items = read(FORMAT, text.replace('<?xml version="1.0" encoding="utf-8"?>', ""))
    assert {item.code for item in items if isinstance(item, Reject)} == {"dtd"}
    assert not [item for item in items if isinstance(item, Account)]


def test_who_acts_without_standing_among_the_players_gets_a_free_chair_and_no_stack() -> None:
    hand = hands("holdem")[1]
    gus = events_of(hand, o.SeatDealtIn)[-1]
    assert (gus.seat, gus.stack) == (2, None)
    assert hand.events.index(gus) in hand.inferred


def test_a_second_big_blind_is_an_entry_and_what_is_more_than_it_is_dead() -> None:
    assert events_of(hands("holdem")[0], o.BlindPosted)[2:] == [
        o.BlindPosted(10, "makeup-small", 0, 50),
        o.BlindPosted(10, "makeup-big", 100),
    ]


def test_a_bet_that_nobody_called_is_taken_off_what_was_won_where_it_is_counted_there() -> None:
    account, archived = hands("holdem")[0], hands("archive")[0]
    assert events_of(account, b.BetReturned) == [b.BetReturned(6, 2050)]
    assert events_of(account, e.PotAwarded) == [e.PotAwarded(6, 3400)]
    assert events_of(archived, b.BetReturned) == [b.BetReturned(6, 90_000)]
    assert events_of(archived, e.PotAwarded) == [e.PotAwarded(6, 145_000)]


def test_the_rake_is_told_or_what_is_left_of_the_pot() -> None:
    account, other_account = hands("holdem")[1], hands("holdem")[0]
    assert events_of(account, e.DropTaken) == [e.DropTaken("rake", 110)]
    assert account.events.index(e.DropTaken("rake", 110)) not in account.inferred
    assert events_of(other_account, e.DropTaken) == [e.DropTaken("rake", 350)]
    assert other_account.events.index(e.DropTaken("rake", 350)) in other_account.inferred


def test_a_game_without_a_name_is_known_by_its_cards() -> None:
    hand = hands("unnamed")[0]
    game = hand.events[1]
    assert isinstance(game, o.GameSet)
    assert (game.variant, game.betting, game.blinds, game.unit) == ("omaha5", "pot-limit", (50, 100), "EUR")
    assert 1 in hand.inferred


@pytest.mark.parametrize(
    ("game_type", "variant", "blinds"),
    [
        ("Omaha HiLow PL €5/€10", "omaha8", (500, 1000)),
        ("Omaha Hi/Low PL €5/€10", "omaha8", (500, 1000)),
        ("Omaha 8 PL 0,50€/1€", "omaha8", (50, 100)),
        ("Omaha PL 2.50 kr/5 kr", "omaha", (250, 500)),
        ("Omaha PL 1 000 €/2 000 €", "omaha", (100_000, 200_000)),
        ("5 Card Omaha HiLow PL €0.50/€1", "omaha5-8", (50, 100)),
    ],
)
def test_games_and_stakes_in_the_words_of_newer_clients(game_type: str, variant: str, blinds: tuple[int, int]) -> None:
    lines = sample("unnamed").splitlines()
    changed_lines = [f"<gametype>{game_type}</gametype>" if "<gametype>" in line else line for line in lines]
    account = read_hand(FORMAT, "\n".join(changed_lines))
    game = next(event for event in account.events if isinstance(event, o.GameSet))
    assert (game.variant, game.betting, game.blinds) == (variant, "pot-limit", blinds)


def test_the_stakes_of_a_limit_match_are_its_bets_and_half_of_them_its_blinds() -> None:
    lines = sample("unnamed").splitlines()
    game_type = "<gametype>LH 20/40 x2 Limit $10.00/$20.00</gametype>"
    changed_lines = [game_type if "<gametype>" in line else line for line in lines]
    (game,) = events_of(read_hand(FORMAT, "\n".join(changed_lines)), o.GameSet)
    assert (game.variant, game.betting, game.bets) == ("holdem", "limit", (2000, 4000))
    assert game.blinds == (1000, 2000)


def test_stud_tells_which_cards_are_up_and_where_streets_begin() -> None:
    stud, five = hands("stud")
    assert [event.street for event in events_of(stud, d.StreetDealt)] == ["fourth", "fifth", "sixth", "seventh"]
    assert [(event.seat, event.cards, event.up) for event in events_of(stud, d.HoleCardsDealt)][:4] == [
        (1, "????9d", "ddu"),
        (2, "9c6h3d", "ddu"),
        (4, "????Qh", "ddu"),
        (2, "4c", "u"),
    ]
    assert [event.street for event in events_of(five, d.StreetDealt)] == ["third", "fourth", "fifth"]


def test_an_all_in_is_a_call_or_a_raise_as_the_bet_has_it() -> None:
    hand = hands("tournament")[0]
    assert [event for event in hand.events if getattr(event, "all_in", None)] == [
        b.Called(6, 290, 340, all_in=True),
        b.Raised(10, 1940, 2040, all_in=True),
        b.Called(3, 1250, 1590, all_in=True),
    ]


def test_each_reject_says_what_is_wrong() -> None:
    codes = [item.code for item in read(FORMAT, sample("damaged")) if isinstance(item, Reject)]
    assert codes == ["dtd", "dtd", "unknown-game", "header", "cut-off", "seat", "cards", "amount"]
    assert [
        item.code for item in read(FORMAT, sample("holdem").split("</general>", 1)[1]) if isinstance(item, Reject)
    ] == ["no-header", "no-header"]


def test_amounts_and_cards_are_read_in_every_notation_of_the_network() -> None:
    amounts = ("€1 480", "€1\u00a0480", "$55,756.00", "RSD2", "€0,50", "\\x802", "N/A", "", "-5 zł")
    assert [strip_amount(text) for text in amounts] == ["1480", "1480", "55,756.00", "2", "0,50", "2", "", "", "-5"]
    assert parse_cards("H10 dT C1 x X AS") == "ThTdAc????As"


def test_a_source_is_cut_where_a_session_begins_and_a_long_session_where_a_game_does() -> None:
    first_session, second_session = sample("holdem").encode(), sample("stud").encode()
    assert FORMAT.find_cut(first_session + second_session, "utf-8") == (first_session + second_session).rfind(b"<?xml")
    assert FORMAT.find_cut(first_session, "utf-8") == 0
    long_session = first_session.replace(b"</session>", first_session.partition(b"<game ")[2] * 3000)
    cut_offset = FORMAT.find_cut(long_session, "utf-8")
    assert long_session[cut_offset : cut_offset + 6] == b"<game "


@pytest.mark.parametrize(
    "pump", ['<a "', "<a b='", '<action no="', "<!--", "<", '<a "x" ', "&#x", "<a b=' c=\"", "<game "]
)
def test_no_text_makes_the_search_for_tags_slow(pump: str) -> None:
    def searched(size: int) -> None:
        source = MarkupSource(Chunk((pump * (size // len(pump))).encode()))
        for tag in iter_tags(source.without_comments):
            parse_attributes(source, tag)

    assert out_of_proportion(searched, 64 * 1024, 128 * 1024) is None


def test_a_game_names_its_own_blinds_and_a_buy_in_of_three_parts_has_a_bounty() -> None:
    first, second = (item for item in read(FORMAT, sample("mystery")) if isinstance(item, Account))
    games = [events_of(item, o.GameSet)[0] for item in (first, second)]
    assert [(game.blinds, game.ante) for game in games] == [((250, 500), 75), ((350, 700), 100)]
    costs = events_of(first, o.TournamentSet)[0]
    assert (costs.buy_in, costs.fee, costs.bounty) == (91, 18, 91)
    assert (first.opened.seats, first.opened.tournament) == (7, "900100100")


def test_blinds_of_a_limit_game_s_own_are_no_bets() -> None:
    text = sample("mystery").replace("Holdem NL", "Holdem L")
    game = events_of(next(item for item in read(FORMAT, text) if isinstance(item, Account)), o.GameSet)[0]
    assert (game.blinds, game.bets) == ((250, 500), ())


def test_an_empty_amount_is_nothing_but_where_chips_must_move() -> None:
    text = sample("holdem")
    results = [type(item) for item in read(FORMAT, text)]
    fold = '<action no="9" player="Flo" type="0" sum="€0"'
    call = '<action no="8" player="Ada &amp; co" type="3" sum="€3"'
    assert text.count(fold) == text.count(call) == 1
    folded = read(FORMAT, text.replace(fold, fold.replace("€0", "")))
    assert [type(item) for item in folded] == results
    assert all(isinstance(item, Reject) or not events_of(item, e.LineUnread) for item in folded)
    reject = read(FORMAT, text.replace(call, call.replace("€3", "")))[0]
    assert isinstance(reject, Reject)
    assert reject.code == "amount"


def test_the_protection_of_who_lost_the_connection_is_an_all_in_of_what_is_in_already() -> None:
    text = sample("tournament")
    changed_text = text.replace('player="Bo" type="7" sum="290"', 'player="Bo" type="7" sum="DP"')
    assert changed_text != text
    hand = next(item for item in read(FORMAT, changed_text) if isinstance(item, Account))
    assert b.Called(6, 0, 50, all_in=True) in hand.events


def test_a_tracker_that_stores_another_room_s_hands_so_names_the_room() -> None:
    text = sample("holdem")
    for site, venue in (("Ignition", "Ignition"), ("IPoker", "iPoker"), ("", "iPoker")):
        changed_text = text.replace("</general>", f"<pokersite>{site}</pokersite></general>", 1)
        assert read_hand(FORMAT, changed_text.partition("</game>")[0] + "</game></session>").opened.venue == venue


def test_players_whom_the_client_calls_by_their_seats_are_chairs() -> None:
    """It does so in hands that the session's owner only watches; among other names it is somebody's own."""
    people = new_people()
    masked, named_hand = [item for item in read(FORMAT, sample("masked"), people=people) if isinstance(item, Account)]
    assert [people.name(event.player) for event in events_of(masked, o.SeatDealtIn)] == [
        f"Seat {seat} of Examplia, 500000009" for seat in (3, 5, 8, 10)
    ]
    assert events_of(masked, o.OptionSet) == [o.OptionSet(*ANONYMOUS)]
    assert masked.events.index(o.OptionSet(*ANONYMOUS)) in masked.inferred
    assert [people.name(event.player) for event in events_of(named_hand, o.SeatDealtIn)] == ["Ada", "Bo", "Player 8"]
    assert not events_of(named_hand, o.OptionSet)


def test_a_raise_of_archives_tells_the_chips_added() -> None:
    """From the small blind to twice the big one: half a blind more than the raise itself; `bet` counts them so."""
    text = sample("masked").replace('player="Ada" sum="0,10€" type="3"/>', 'player="Ada" sum="0,30€" type="6"/>')
    text = text.replace('player="Bo" sum="0€" type="4"/>', 'player="Bo" sum="0,20€" type="3"/>')
    hand = [item for item in read(FORMAT, text) if isinstance(item, Account)][1]
    assert events_of(hand, b.Raised) == [b.Raised(1, 30, 40)]
    assert events_of(hand, b.Called)[-1] == b.Called(3, 20, 40)
    assert not events_of(hand, b.BetReturned)
