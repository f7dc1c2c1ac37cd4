"""A table that is kept by buttons alone, for tests: every press is one of those that it offers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from ledger.entry import Provenance
from ledger.formats.handscript.context import Settings
from ledger.formats.handscript.slots import read_witness_set
from ledger.house.events import RulebookAdopted
from ledger.recording.recorder import Recorder
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.books import rulebook
from projections.live.deal_drawing import DealRequest
from projections.live.live_document import LiveDocument
from projections.live.live_session import TableSession
from projections.live.table_offers import Offer, TableOffers

HOLDEM: Final = "holdem no-limit cash blinds 2/5 unit USD 2"
_DECK: Final = [rank + suit for rank in "23456789TJQKA" for suit in "shdc"]


class Press(NamedTuple):
    """One button with its fields filled in."""

    name: str
    line: str


@contextmanager
def kept_table(folder: Path, book: str, game: str = HOLDEM, chairs: int = 9) -> Iterator[TableSession]:
    """Yield a new table of a house that plays by `book` ("" = it adopted none)."""
    with open_ledger(folder / "kept.ledger") as ledger:
        if book:
            adopted = rulebook.load(book)
            event = RulebookAdopted(adopted.name, adopted.edition, adopted.digest)
            ledger.append("house", HOUSE, [event], recorded=Provenance(ledger.now()))
        settings = Settings("Room", "T1", chairs, "", witnesses=read_witness_set("dealer-notes"))
        recorder = Recorder(ledger, settings)
        recorder.tell(f"game {game}")
        yield TableSession(recorder)


def offers_of(session: TableSession, request: DealRequest | None = None) -> TableOffers:
    return session.build_offers(None, request or DealRequest())


def presses_of(offers: TableOffers, rnd: random.Random) -> list[Press]:
    """Every button of a page, each with fields that a dealer could enter."""
    listed = [(offer, sheet.new_player) for sheet in offers.chairs for offer in sheet.offers]
    listed += [(offer, "") for offer in offers.events]
    return [
        press
        for offer, new_player in listed
        for press in _fill(offer, [name for name in (*offers.players, new_player) if name], rnd)
    ]


def _fill(offer: Offer, names: list[str], rnd: random.Random) -> Iterator[Press]:
    for option in offer.options:
        for press in _fill(option, names, rnd):
            yield Press(f"{offer.name} {press.name}", press.line)
    if offer.options:
        return
    chips = rnd.choice(offer.presets).text if offer.presets else "5"
    who = rnd.choice(names or ["nobody"])
    chair = str(rnd.choice(offer.chairs)) if offer.chairs else ""
    line = offer.line.replace("{chips}", chips).replace("{who}", f'"{who}"').replace("{chair}", chair)
    yield Press(offer.name, line.replace("{card}", rnd.choice(_DECK)))


def requests_of(offers: TableOffers) -> Iterator[DealRequest]:
    """Every drawing that one more tap leads to: each choice of a player, and each chair for the button."""
    if offers.deal is None:
        return
    for seat in offers.deal.seats:
        for pick in seat.picks:
            yield DealRequest({seat.seat: pick.pick})
    for button in offers.deal.button_seats:
        yield DealRequest({}, button)


def fingerprint(document: LiveDocument) -> bytes:
    """What a table looks like, without what tells apart the versions of a hand."""
    seats = (
        [] if document.moment is None else [(one.seat, one.stack, one.bet, one.status) for one in document.moment.seats]
    )
    lines = [] if document.next is None else document.next.lines
    return msgspec.json.encode((document.stage, document.hand, seats, lines, document.seated, document.to_act))


def play_on(session: TableSession, rnd: random.Random) -> None:
    """Go on in the running hand by one of the usual acts."""
    document = session.document()
    words = [choice.word for choice in document.choices]
    if "fold" in words:
        session.take(rnd.choice(["f", "c", "c"] if "call" in words else ["k", "k", "k", "f"]))
    elif words and words[0] == "street":
        used = "".join(board for board in document.moment.boards) if document.moment else ""
        cards = rnd.sample([card for card in _DECK if card not in used], document.choices[0].cards)
        session.take("".join(cards))
    elif "show" in words and document.choices[0].word == "win" and len(set(words)) > 1 and words.count("win") > 1:
        session.take(f"{next(choice.seat for choice in document.choices if choice.word == 'win')} wins")
    else:
        session.take(".")


def fill_offer(offer: dict[str, Any], new_player: str, rnd: random.Random) -> list[str]:
    """The lines of an offer as it stands in JSON, with fields that a dealer could enter."""
    filled = _fill(msgspec.convert(offer, Offer), [new_player] if new_player else [], rnd)
    return [press.line for press in filled]
