"""PokerStars' text in Portuguese, Spanish, Russian and French tells the same hands as in English."""

from __future__ import annotations

import pytest

from ledger.account import Account
from ledger.formats import recognise
from ledger.formats.pokerstars import FORMAT
from ledger.hand import betting as b
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.intake.byte_accounts import count_bytes as accounted
from ledger.notation import Chunk
from ledger.presence import SeatLeft
from tests.formats.pokerstars.support import new_people, read, read_hand, rejects, sample

LOCAL = ["portuguese", "portuguese-brazil", "spanish", "spanish-zoom", "russian"]

FRENCH = """\
Main PokerStars n°900000000106 :  Hold'em No Limit (100/200) - 12/07/2026 18:25:06 CET [12/07/2026 12:25:06 ET]
Table 'Vega VII' 6-max (argent fictif) Siège #1 est au bouton.
Siège 1: Zoé (15 510 en jetons)
Siège 2: Yann (29041 en jetons)
Siège 3: Xavier (19500 en jetons)
Yann\N{NO-BREAK SPACE}: met la petite blind. 100
Xavier : met la grosse blind. 200
*** CARTES FERMÉES ***
Distribuées à Zoé [Th 7h]
Zoé : suit. 200
Yann : passe.
Xavier : parole.
*** FLOP *** [Tc 3d 8c]
Xavier : mise. 400
Zoé : relance. 400 à 800
Xavier : se couche.
*** SYNTHÈSE ***
"""

ENGLISH_BODY = """\
Main PokerStars n°900000000107 :  Hold'em No Limit (100/200) - 12/07/2026 18:25:06 CET
Table 'Vega' 6-max (argent fictif) Seat #1 is the button
Seat 1: Zoé (15510 in chips)
Seat 2: Yann (29041 in chips)
Zoé : posts small blind 100
Yann : posts big blind 200
*** HOLE CARDS ***
Zoé : raises 700 to 900
Yann : folds
Uncalled bet (700) returned to Zoé
Zoé collected 400 from pot
*** SUMMARY ***
Total pot 400 | Rake 0
"""


def events_of(account: Account, kind: type) -> list:
    return [event for event in account.events if isinstance(event, kind)]


@pytest.mark.parametrize("name", LOCAL)
def test_a_hand_in_another_language_is_recognised_and_read_whole(name: str) -> None:
    format_ = recognise(sample(name).encode())
    assert format_ is not None
    assert format_.name == "pokerstars"
    hand = read_hand(sample(name))
    assert not events_of(hand, e.LineUnread)
    assert events_of(hand, o.HandOpened)[0].venue == "PokerStars"
    assert events_of(hand, e.HandCompleted)


@pytest.mark.parametrize("name", LOCAL)
def test_every_event_points_at_the_line_as_it_was_written(name: str) -> None:
    raw = sample(name).encode()
    hand = read_hand(sample(name))
    places = list(zip(hand.places[::2], hand.places[1::2], strict=True))
    for index, event in enumerate(hand.events):
        start = hand.start + places[index][0]
        line = raw[start : start + places[index][1]].decode()
        if isinstance(event, b.Raised):
            assert line.split(": ")[-1].startswith(("sobe", "aumenta", "sube", "делает рейз"))
        if isinstance(event, e.HandCompleted):
            assert line.startswith("*** ")


def test_a_date_with_the_day_first_becomes_the_moment_it_names() -> None:
    opened = events_of(read_hand(sample("spanish-zoom")), o.HandOpened)[0]
    assert opened.written == "05-02-2026 14:48:32 CET [05-02-2026 8:48:32 ET]"
    assert opened.started == 1_770_299_312_000
    assert events_of(read_hand(sample("russian")), o.HandOpened)[0].started == 1_777_919_718_000


def test_a_zoom_hand_is_one_in_any_language() -> None:
    assert [option.value for option in events_of(read_hand(sample("spanish-zoom")), o.OptionSet)] == ["zoom"]


def test_french_words_before_their_amounts_and_blanks_before_colons() -> None:
    hand = read_hand(FRENCH)
    assert [seat.stack for seat in events_of(hand, o.SeatDealtIn)] == [15510, 29041, 19500]
    assert [(raised.added, raised.to) for raised in events_of(hand, b.Raised)] == [(800, 800)]
    assert [folded.seat for folded in events_of(hand, b.Folded)] == [2, 3]
    assert not events_of(hand, e.LineUnread)


def test_a_head_in_french_above_english_lines_is_read() -> None:
    hand = read_hand(ENGLISH_BODY)
    assert [raised.to for raised in events_of(hand, b.Raised)] == [900]
    assert [returned.amount for returned in events_of(hand, b.BetReturned)] == [700]
    assert not events_of(hand, e.LineUnread)


def test_several_hands_in_several_languages_share_a_file() -> None:
    document = "Transcrito pedido\n\n" + "".join(sample(name) for name in LOCAL) + FRENCH + "\n\n" + ENGLISH_BODY
    items = read(document)
    assert sum(isinstance(item, Account) for item in items) == len(LOCAL) + 2
    assert [reject.code for reject in rejects(items)] == ["not-a-hand"]
    raw = document.encode()
    assert accounted(Chunk(raw), items).not_read == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "cp1252"])
def test_the_last_hand_of_a_buffer_is_found_with_the_rule_before_it(encoding: str) -> None:
    first, second = sample("portuguese"), sample("spanish")
    buffer = (first + second).encode(encoding)
    cut_offset = FORMAT.find_cut(buffer, encoding)
    assert buffer[cut_offset:].decode(encoding) == second


def test_other_encodings_tell_the_same() -> None:
    text = sample("spanish")
    events = read_hand(text).events
    assert read_hand(b"\xff\xfe" + text.encode("utf-16-le")).events == events
    assert read_hand(text.encode("cp1252")).events == events


def test_a_line_nobody_knows_is_kept_in_its_own_words() -> None:
    text = sample("portuguese").replace("Tia Mia abandona a mesa", "Rui ofereceu uma rodada de vinho")
    people = new_people()
    unread_lines = events_of(read_hand(text, people), e.LineUnread)
    assert [people.texts[event.text] for event in unread_lines] == ["Rui ofereceu uma rodada de vinho"]


def test_a_line_of_the_summary_that_nobody_knows_stays_in_its_hand() -> None:
    strange = "Pot total 1800 | Commission 0\nSiège 1: Zoé (bouton) a remporté (1800)\n"
    items = read(FRENCH + strange + "\nCe message vous est envoyé par la salle.\n")
    hand = items[0]
    assert isinstance(hand, Account)
    assert len(events_of(hand, e.LineUnread)) == 2
    assert [reject.code for reject in rejects(items)] == ["not-a-hand"]


def test_names_made_of_words_of_the_language_stay_names() -> None:
    text = sample("portuguese").replace("Rui", "voltou: passa").replace("Ana", "Lugar 9: (0.02 €)")
    hand = read_hand(text)
    assert not events_of(hand, e.LineUnread)
    assert [seat.seat for seat in events_of(hand, o.SeatDealtIn)] == [1, 2, 3, 4]
    assert [award.seat for award in events_of(hand, e.PotAwarded)] == [1]


def test_someone_who_left_is_told_by_name() -> None:
    assert [event.seat for event in events_of(read_hand(sample("portuguese")), SeatLeft)] == [None]


def test_side_pots_keep_their_numbers() -> None:
    text = sample("portuguese-brazil").replace(
        "Total pote 650 | comissão 0", "Total pote 650 Principal pote 600. Secundário pote 50. | comissão 0"
    )
    declared = {(event.what, event.number): event.amount for event in events_of(read_hand(text), e.ResultDeclared)}
    assert declared["total-pot", 0] == 650
    assert declared["main-pot", 0] == 600
    assert declared["side-pot", 0] == 50


REAIS = """\
Mão PokerStars #900000000301:  Hold'em No Limit (R$ 0,05/R$ 0,10 BRL) - 2026/05/27 13:40:59 BRT [2026/05/27 12:40:59 ET]
Mesa 'Alcor' 6-max Lugar #1 é o botão
Lugar 1: Rui (R$ 10 em fichas)
Lugar 2: Ana (R$ 9,50 em fichas)
Rui: paga o small blind R$ 0,05
Ana: paga o big blind R$ 0,10
*** CARTAS DA MÃO ***
Rui: aumenta R$ 0,10 para R$ 0,20
Ana: desiste
Aposta não-igualada (R$ 0,10) voltou para Rui
Rui recebeu R$ 0,20 do pote
*** SUMÁRIO ***
Total pote R$ 0,20 | comissão R$ 0
Lugar 1: Rui (Botão) (small blind) recebeu (R$ 0,20)
Lugar 2: Ana (big blind) desistiu antes Flop
"""


def test_reais_are_no_dollars() -> None:
    hand = read_hand(REAIS)
    (game,) = events_of(hand, o.GameSet)
    assert (game.unit, game.blinds) == ("BRL", (5, 10))
    assert [seat.stack for seat in events_of(hand, o.SeatDealtIn)] == [1000, 950]
    assert [award.amount for award in events_of(hand, e.PotAwarded)] == [20]
    assert not events_of(hand, e.LineUnread)


@pytest.mark.parametrize(
    ("title", "variant"),
    [
        ("2-7 Triple Draw Limit", "triple-27"),
        ("Tempest Hold'em No Limit", "holdem"),
        ("5 Card Omaha H/L Pot Limit", "omaha5-8"),
    ],
)
def test_games_under_their_other_names(title: str, variant: str) -> None:
    text = REAIS.replace("Hold'em No Limit", title)
    assert [game.variant for game in events_of(read_hand(text), o.GameSet)] == [variant]
