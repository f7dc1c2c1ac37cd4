"""A hand to PokerStars text: pots add up, lines stand in the order that trackers expect.

The events are walked once, with the books that the text needs (the highest bet, the board so far);
what the text has no word for is counted as a loss.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ledger import presence as p
from ledger.event import Event, words
from ledger.formats.pokerstars.frame import Writer, header_lines, spaced, summary_lines
from ledger.formats.pokerstars.header import NO_LIMIT_AFTER
from ledger.formats.pokerstars.words import GAMES, HAND_STREETS, ORDINALS_BY_NUMBER, REMARKS
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.fold import fold
from ledger.notation import HandText
from ledger.people import People
from ledger.readers.games import DRAW, STUD
from ledger.vocabulary import split_cards

_STREETS: Final = {street: title for title, street in HAND_STREETS.items()} | {"seventh": "RIVER"}
_RUNS: Final = frozenset((1, 2, 3))
"""A summary says `twice` or `three times`; for a fifth board there is no word, and a reader takes the hand to end there."""


def write(events: Sequence[Event], people: People) -> HandText:
    """Return the hand as PokerStars text, and what that text cannot say."""
    state = fold(events)  # type: ignore[arg-type]  # a hand's events
    if not _RUNS.issuperset((state.runs, *(getattr(event, name, 1) for event in events for name in ("run", "board")))):
        return HandText("", ["a board that was run more than three times"])
    if state.opened is None or state.game is None:
        return HandText("", ["a hand without its opening"])
    if state.game.variant not in GAMES:  # it would be rejected by whoever reads it
        return HandText("", [f"the game: PokerStars' text has no word for {state.game.variant}"])
    w = Writer(events, people, state, state.opened, state.game)
    for event in w.events:
        say = HANDLERS.get(type(event))
        if say is None:
            w.lose(_NAMES.get(type(event).__name__) or words(type(event)))
        else:
            say(w, event)
        w.book(event)
    head = header_lines(w)
    tail = summary_lines(w) if w.state.completed or w.state.voided else []
    losses = [f"{what} ({count})" for what, count in sorted(w.lost.items())]
    return HandText("\n".join((*head, *w.lines, *tail)) + "\n", losses)


def _blind(w: Writer, event: o.BlindPosted) -> None:
    seat = event.seat
    if w.dead and w.dead[0] != seat:
        _dead_alone(w)
    if event.role == "makeup-small" and event.dead and not event.live:
        if any(one.role == "makeup-big" for one in w.of(o.BlindPosted, seat)):
            w.dead = (seat, event.dead)
            return
        if "small" not in w.blinds:
            w.lose("the kind of a blind")
        w.blinds.add("small")
        w.act(seat, f"posts small blind {w.chips(event.dead)}{w.end(event)}")
        return
    if event.role == "makeup-big" and w.dead:
        both = w.chips(event.live + w.dead[1])
        w.act(seat, f"posts small & big blinds {both}{w.end(event)}")
        w.dead = None
        return
    word = {"small": "small", "makeup-small": "small", "button": "button"}.get(event.role, "big")
    needs = {"small": "", "big": "", "button": "", "makeup-small": "small", "entry": "big"}.get(event.role)
    if needs is None or (needs and needs not in w.blinds):  # else it would be taken for the first one
        w.lose("the kind of a blind")
    w.blinds.add(word)
    if event.dead:
        w.lose("dead blinds")
    if event.role == "makeup-small" and event.live:
        w.lose("that a second small blind counts")
    w.act(seat, f"posts {word} blind {w.chips(event.live + event.dead)}{w.end(event)}")


def _dead_alone(w: Writer) -> None:
    if w.dead:
        w.act(w.dead[0], f"posts small blind {w.chips(w.dead[1])}")
        w.dead = None


def _straddle(w: Writer, event: o.StraddlePosted) -> None:
    if event.kind != "straddle" or not event.live:
        w.lose("the kind of a straddle")
    w.act(event.seat, f"posts straddle {w.chips(event.amount)}{w.end(event)}")


def _ante(w: Writer, event: o.AntePosted) -> None:
    if event.kind != "ante":
        w.lose("the kind of an ante")
    w.act(event.seat, f"posts the ante {w.chips(event.amount)}{w.end(event)}")


def _hole_cards(w: Writer, event: d.HoleCardsDealt) -> None:
    _open_deal(w)
    before = w.seen.get(event.seat, [])
    new = [card for card in split_cards(event.cards) if card != "??"]
    if not new:
        return
    w.seen[event.seat] = before + new
    kept = f" [{' '.join(before)}]" if before and w.game.variant in STUD else ""
    w.put(f"Dealt to {w.seat(event.seat)}{kept} [{' '.join(new)}]")


def _open_deal(w: Writer) -> None:
    """Write the heading of the deal once."""
    if w.dealt:
        return
    _dead_alone(w)
    w.dealt = True
    title = "3rd STREET" if w.game.variant in STUD else ("DEALING HANDS" if w.game.variant in DRAW else "HOLE CARDS")
    w.put(f"*** {title} ***")


UNSEEN: Final = "a board street whose cards nobody told"


def _street(w: Writer, event: d.StreetDealt) -> None:
    if event.street == "third":
        return
    w.street = event.street
    if event.street in ("flop", "turn", "river"):
        w.lose(UNSEEN)  # others take what follows such a heading for acts of the street before it
    one_draw = event.street == "first-draw" and w.game.variant in ("draw5", "single-27")
    if not one_draw:
        w.put(f"*** {_STREETS.get(event.street, event.street.upper())} ***")


def _board(w: Writer, event: d.BoardDealt) -> None:
    _open_deal(w)
    if event.board > 1 and not w.split:
        w.lose("second boards")
        return
    key = (event.run, event.board)
    before = w.boards.get(key)
    if before is None:
        first = w.boards.get((1, event.board), [])
        keep = {"flop": 0, "turn": 3, "river": 4}.get(event.street, 0)
        before = first[:keep] if event.run > 1 else []
    new = split_cards(event.cards)
    w.boards[key] = before + new
    if event.run == 1 and event.board == 1 and event.street != "preflop":
        w.street = event.street
    again = any(one.run > 1 and one.street == event.street for one in w.of(d.BoardDealt))
    several = event.run > 1 or w.split or again
    number = event.board if w.split else event.run
    word = f"{ORDINALS_BY_NUMBER[number]} " if several else ""
    title = "PRE-FLOP" if event.street == "preflop" else event.street.upper()
    if event.street == "flop" or not before:
        groups = f"[{' '.join(before + new)}]"
    else:
        groups = f"[{' '.join(before)}] [{' '.join(new)}]"
    w.put(f"*** {word}{title} *** {groups}")


def _discarded(w: Writer, event: d.CardsDiscarded) -> None:
    known = spaced(event.cards)
    held = w.seen.get(event.seat, [])
    w.seen[event.seat] = [card for card in held if card not in known.split()]
    word = "card" if event.count == 1 else "cards"
    w.act(event.seat, f"discards {event.count} {word}" + (f" [{known}]" if known else ""))


def _drawn(w: Writer, event: d.CardsDrawn) -> None:
    held = w.seen.get(event.seat, [])
    new = [card for card in split_cards(event.cards) if card != "??"]
    if new:
        w.put(f"Dealt to {w.seat(event.seat)} [{' '.join(held)}] [{' '.join(new)}]")
        w.seen[event.seat] = held + new


def _fold(w: Writer, event: b.Folded) -> None:
    w.folded[event.seat] = w.street
    w.act(event.seat, f"folds [{spaced(event.cards)}]" if event.cards else "folds ")


def _raise(w: Writer, event: b.Raised) -> None:
    if event.to <= w.before.round.bet_to_call:
        w.lose("a raise below the bet")
        w.act(event.seat, f"calls {w.chips(event.added)}{w.end(event)}")
        return
    by, to = w.chips(event.to - w.before.round.bet_to_call), w.chips(event.to)
    w.total[event.seat] += event.added
    words = f"raises {by} to {to}{w.end(event)}"
    w.total[event.seat] -= event.added
    w.act(event.seat, words)


def _cash_out(w: Writer, event: b.CashOutTaken) -> None:
    if event.price is None:
        w.lose("cash-outs without a price")
        return
    fee = f" | Cash Out Fee {w.chips(event.fee)}" if event.fee else ""
    w.put(f"{w.seat(event.seat)} cashed out the hand for {w.chips(event.price)}{fee}")


def _showdown(w: Writer, event: e.ShowdownBegun) -> None:
    runs = w.runs > 1 or event.run > 1
    w.put(f"*** {ORDINALS_BY_NUMBER[event.run] + ' ' if runs else ''}SHOW DOWN ***")


def _shown(w: Writer, event: e.CardsShown) -> None:
    claim = w.words(event.claim)
    w.act(event.seat, f"shows [{spaced(event.cards)}]" + (f" ({claim})" if claim else ""))


def _awarded(w: Writer, event: e.PotAwarded) -> None:
    several = max(one.pot or 0 for one in w.of(e.PotAwarded)) > 1
    pot = {None: "pot", 0: "main pot"}.get(event.pot, f"side pot-{event.pot} " if several else "side pot")
    if event.half:
        w.lose("which half of a pot an award is")
    w.put(f"{w.seat(event.seat)} collected {w.chips(event.amount)} from {pot}")


def _bounty(w: Writer, event: e.BountyWon) -> None:
    if event.over is None or event.kind not in ("knockout", "progressive"):
        w.lose("bounties that are for nobody's elimination")
        return
    amount = w.money(event.amount)
    words = amount if event.kind == "progressive" else f"the {amount} bounty"
    w.put(f"{w.seat(event.seat)} wins {words} for eliminating {w.seat(event.over)}")


def _finished(w: Writer, event: e.PlayerFinished) -> None:
    name = w.seat(event.seat)
    if event.rank == 1:
        prize = f" and receives {w.money(event.prize)} - congratulations!" if event.prize else ""
        w.put(f"{name} wins the tournament{prize}")
        return
    rank = event.rank
    if rank is None:
        if event.prize:
            w.lose("prizes without a rank")
        w.put(f"{name} finished the tournament")
        return
    ending = "th" if 10 < rank % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    prize = f" and received {w.money(event.prize)}." if event.prize else ""
    w.put(f"{name} finished the tournament in {rank}{ending} place{prize}")


def _remark(w: Writer, event: e.RemarkNoted) -> None:
    text = w.words(event.text)
    if text in REMARKS:
        w.put(text)
    elif text.endswith(":") and any(text[:-1] == w.seat(seat) for seat in w.state.dealt):
        w.put(text + "  ")
    else:
        w.lose("remarks")


def _away(w: Writer, event: p.PlayerAway) -> None:
    if event.why == "unknown":
        w.put(f"{w.name(event.player)} is sitting out")
    elif w.lines or w.state.tournament is None:
        words = "sits out " if event.why == "sits-out" else "is sitting out "
        w.put(f"{w.name(event.player)}: {words}")


def _left(w: Writer, event: p.SeatLeft) -> None:
    words = "leaves the table"
    if event.reason in ("missed-post", "removed"):
        words = "was removed from the table" + (" for failing to post" if event.reason == "missed-post" else "")
    w.put(f"{w.name(event.player)} {words}")


def _said(w: Writer, event: p.WordsSaid) -> None:
    if event.by == "player" and event.player:
        w.put(f'{w.name(event.player)} said, "{w.words(event.words)}"')
    else:
        w.lose("words")


def _option(w: Writer, event: o.OptionSet) -> None:
    named = event == NO_LIMIT_AFTER and w.game.written  # the game's name says it
    if event.option != "bet-cap" and event.value != "zoom" and not named:
        w.lose("house options")


_IN_THE_FRAME: Final = (
    *(o.HandOpened, o.GameSet, o.TournamentSet, o.SeatDealtIn, o.SeatLeftOut, o.ButtonPlaced, o.BlindPositionPlaced),
    *(e.HandCompleted, e.DropTaken, e.ResultDeclared, d.HoleCardsLearned, b.RunsAgreed),
)
"""What the header or the summary says."""

HANDLERS: Final[dict[type, Callable[[Writer, Any], None]]] = {
    **dict.fromkeys(_IN_THE_FRAME, lambda _w, _event: None),
    o.OptionSet: _option,
    o.BlindPosted: _blind,
    o.StraddlePosted: _straddle,
    o.AntePosted: _ante,
    o.BringInPosted: lambda w, event: w.act(event.seat, f"brings in for {w.chips(event.amount)}{w.end(event)}"),
    d.HoleCardsDealt: _hole_cards,
    d.DealCompleted: lambda w, _event: _open_deal(w),
    d.StreetDealt: _street,
    d.BoardDealt: _board,
    d.CardsDiscarded: _discarded,
    d.CardsDrawn: _drawn,
    d.StoodPat: lambda w, event: w.act(event.seat, "stands pat "),
    b.Folded: _fold,
    b.Checked: lambda w, event: w.act(event.seat, "checks "),
    b.Called: lambda w, event: w.act(event.seat, f"calls {w.chips(event.added)}{w.end(event)}"),
    b.Bet: lambda w, event: w.act(event.seat, f"bets {w.chips(event.added)}{w.end(event)}"),
    b.Raised: _raise,
    b.Completed: _raise,
    b.BetReturned: lambda w, event: w.put(f"Uncalled bet ({w.chips(event.amount)}) returned to {w.seat(event.seat)}"),
    b.RaisesCapped: lambda w, _event: w.put("Betting is capped"),
    b.ClockExpired: lambda w, event: w.put(
        f"{w.seat(event.seat)} has timed out" + " while disconnected" * (event.connected is False)
    ),
    b.CashOutTaken: _cash_out,
    e.ShowdownBegun: _showdown,
    e.CardsShown: _shown,
    e.CardsMucked: lambda w, event: w.act(event.seat, "doesn't show hand " if event.declined else "mucks hand "),
    e.PotAwarded: _awarded,
    e.BountyWon: _bounty,
    e.PlayerFinished: _finished,
    e.HandVoided: lambda w, _event: w.put("Hand cancelled"),
    e.RemarkNoted: _remark,
    p.PlayerAway: _away,
    p.PlayerBack: lambda w, event: w.put(f"{w.name(event.player)} has returned"),
    p.ConnectionLost: lambda w, event: w.put(f"{w.name(event.player)} is disconnected "),
    p.ConnectionRestored: lambda w, event: w.put(f"{w.name(event.player)} is connected "),
    p.EntryDeferred: lambda w, event: w.put(f"{w.name(event.player)} will be allowed to play after the button"),
    p.SeatTaken: lambda w, event: w.put(f"{w.name(event.player)} joins the table at seat #{event.seat} "),
    p.SeatLeft: _left,
    p.ChipsAdded: lambda w, _event: w.lose("chips bought"),
    p.WordsSaid: _said,
}

_NAMES: Final = {
    "CardBurned": "burns",
    "ChipsMoved": "motions of chips",
    "Declared": "declarations",
    "LineUnread": "lines that were not understood",
    "BlindSkipped": "posts that were not made",
    "ErrorNoticed": "errors noticed",
    "PermissionGranted": "permissions",
    "PotSeeded": "chips that no seat put in",
    "CardExposed": "exposed cards",
}

SAYS: Final = frozenset(HANDLERS)
