"""Reading: from the text of one hand to its events, each with its place in characters."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final, TypeAlias

from ledger.account import Account
from ledger.errors import UnreadableHandError
from ledger.formats.phh import words as w
from ledger.formats.phh.header import header
from ledger.formats.phh.opening import Opening, comment, settle
from ledger.formats.phh.scanning import Scanned, Word, amount, plain_strings, scan, strings, unquoted
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand.betting import BetReturned
from ledger.people import People
from ledger.readers.phrases import Table
from ledger.vocabulary import Cards, Seat, Street

CARDS: Final = re.compile(r"(?:[2-9TJQKA][cdhs]|\?\?){1,52}").fullmatch
_PLAYERS: Final = {f"p{number}": number - 1 for number in range(1, 65)}
_RIVER: Final[dict[int, Street]] = {0: "flop", 2: "flop", 4: "flop", 6: "turn", 8: "river"}


class Reading(Opening):
    """One hand while its actions are read; a street ends where the next cards are dealt."""

    def actions(self) -> None:
        """Read the list of actions and the comments in it."""
        _, start, end = self.found.spans["actions"]
        pieces = plain_strings(self.found.values["actions"])
        if pieces is None:
            self._mixed(*strings(self.found.text, start, end))
            return
        act, starts, lengths = self.act, self.spans.starts, self.spans.lengths
        first, sizes = len(starts), list(map(len, pieces))
        starts += accumulate([size + 4 for size in sizes[:-1]], initial=start + 2)
        lengths += sizes
        for self.at, text in enumerate(pieces, first):
            if not act(text):
                at = starts[self.at]
                self._odd((text, at, at + len(text)))

    def _mixed(self, words: list[Word], comments: list[tuple[int, Word]]) -> None:
        """Read actions with comments of TOML between them."""
        notes = iter([*comments, (len(words) + 1, ("", 0, 0))])
        count, comment = next(notes)
        for index, word in enumerate([*words, None]):
            while count <= index:
                self.remarks([comment])
                count, comment = next(notes)
            if word is not None:
                text, start, end = word
                self.stand(start, end)
                if not self.act(text):
                    self._odd(word)

    def ending(self) -> None:
        """Infer what the actions leave open, then read what the file declares."""
        head = self.head
        if self.undealt:
            self._street_complete(now=True)
        over = self.over()
        if over or head.finishing is not None or head.winnings is not None:
            self._return_uncalled()
            awards = settle(self, over=over)
            for event in awards:
                self.infer_behind(event)
            over = over or bool(awards)
        for what, key, column in (
            ("end-stack", "finishing_stacks", head.finishing),
            ("winnings", "winnings", head.winnings),
        ):
            if column is not None:
                self.point(key)
                told = zip(self.order, column, strict=True)
                self.events += [e.ResultDeclared(what, seat, chips) for seat, chips in told]  # type: ignore[arg-type]  # both are declared
                self.marks += [self.at] * len(column)
        if self.found.after:
            self.remarks(self.found.after)
        if over:
            self.infer_behind(e.HandCompleted())

    def over(self) -> bool:
        """Whether the actions have brought the hand to its end."""
        live = self.live()
        if len(live) == 1:
            return True
        last = (
            len(self.lying) >= 10
            if self.kind == "board"
            else self.round == (4 if self.kind == "stud" else self.head.game.draws)
        )
        if not last or (self.owed and not self.owed.keys().isdisjoint(live)):
            return False
        able = {seat for who in live if self.left(seat := self.order[who])}
        return self.round_is_over(self.acted if len(able) > 1 else able)

    # -- actions --------------------------------------------------------------------------------

    def _odd(self, word: Word) -> None:
        """Read an action with a comment in it, a comment alone, or what is neither."""
        text, start, end = word
        action, hash_sign, rest = text.partition("#")
        if action.strip():
            self.stand(start, start + len(action.rstrip()))
            if not hash_sign or not self.act(action):
                self.put(e.LineUnread(self.people.text(action)))
            start = max(start, self.found.text.find("#", start, end))
        if hash_sign:
            self.stand(start, end)
            self.put(e.RemarkNoted(self.people.text(comment("#" + rest))))

    def act(self, text: str) -> bool:
        """Read an action without a comment; False if it is none."""
        parsed = _parsed(text)
        if parsed is None:
            return False
        act, highest, told = parsed
        return highest < len(self.order) and act(self, *told) is not False

    def plays(self, who: int) -> Seat:
        """Return the seat of who acts; the cards of a street are dealt then."""
        if self.undealt:
            self._street_complete(now=True)
        self.acted.add(seat := self.order[who])
        return seat

    def folds(self, who: int) -> None:
        """Fold."""
        self.fold(self.plays(who))

    def calls(self, who: int) -> None:
        """Check, or match the highest bet as far as the stack goes."""
        seat = self.plays(who)
        due = self.betting.bet_to_call - self.bet_of(seat)
        if due > 0 and (paid := self.covered(seat, due))[0]:
            self.call(seat, paid[0], all_in=paid[1])
        else:
            self.check(seat)

    def wagers(self, who: int, number: str) -> bool:
        """Bet or raise to so much; False if it is no more than lies there."""
        if self.undealt:
            self._street_complete(now=True)
        seat = self.order[who]
        try:
            to = amount(number, self.head.exponent)
        except UnreadableHandError as error:
            error.at = self.spans.starts[self.at]
            raise
        added = to - self.bet_of(seat)
        if added <= 0:
            return False
        self.acted = {seat}
        _, all_in = self.covered(seat, added)
        if all_in:
            self.spent.add(seat)
        if self.betting.bet_to_call:
            self.raise_to(seat, to, all_in=all_in)
        else:
            self.bet(seat, added, all_in=all_in)
        return True

    def brings_in(self, who: int) -> bool:
        """Post the bring-in, or what the stack holds of it; False if that is nothing."""
        if self.undealt:
            self._street_complete(now=True)
        seat = self.order[who]
        chips, all_in = self.covered(seat, self.head.bring_in)
        if chips:
            self.acted.add(seat)
            self.bring_in(seat, chips, all_in=all_in)
        return bool(chips)

    # -- cards ----------------------------------------------------------------------------------

    def lays(self, cards: Cards) -> bool:
        """Deal to the board; False where nothing more lies on it."""
        have = len(self.lying)
        if self.kind == "stud" and self.round >= 3:
            self._begin("seventh")
            self.round = 4
            self.undealt = True
            self.put(d.BoardDealt("seventh", cards))
        elif self.kind != "board" or have + len(cards) > 10 or have not in _RIVER:
            return False
        else:
            if have in (0, 6, 8):
                self._begin(_RIVER[have])
            self.put(d.BoardDealt(_RIVER[have], cards))
        self.lying += cards
        return True

    def _begin(self, street: Street) -> None:
        """Begin a street's betting."""
        self._return_uncalled()
        self.next_street(street)
        self.acted = set()

    def _return_uncalled(self) -> None:
        """Give back what nobody called."""
        self.close_bets()
        for seat, chips, _ in self.uncalled_bets:
            if seat not in self.folded:
                self.betting.put(seat, -chips)
                self.infer_behind(BetReturned(seat, chips))
        self.uncalled_bets.clear()

    def deals(self, who: int, cards: Cards) -> None:
        """Deal a player cards: those of the first deal, of a street of stud, or for thrown ones."""
        seat = self.order[who]
        if not self.complete and who in self.to_deal:
            before, self.held[who] = self.held[who], self.held[who] + cards
            up = "ddu"[len(before) // 2 :][: len(cards) // 2] if self.kind == "stud" else ""
            self.events.append(d.HoleCardsDealt(seat, cards, up, "unknown"))
            self.marks.append(self.at)
            if len(self.held[who]) >= 2 * self.head.game.hole:
                self.to_deal.discard(who)
                if not self.to_deal:
                    self.complete = True
                    self.infer_behind(d.DealCompleted())
        elif self.kind == "stud":
            self._next_round()
            last = self.round >= 4
            self.held[who] += cards
            how: d.HowKnown = "unknown" if last else "dealt-up"
            self.put(d.HoleCardsDealt(seat, cards, ("d" if last else "u") * (len(cards) // 2), how))
            self.to_deal.discard(who)
            self._street_complete()
        elif self.kind == "draw" and who in self.owed:
            self.held[who] += cards
            self.owed[who] -= len(cards) // 2
            if self.owed[who] <= 0:
                del self.owed[who]
            self.put(d.CardsDrawn(seat, cards, "unknown"))
            self._street_complete()
        else:
            self.held[who] += cards
            self.put(d.HoleCardsDealt(seat, cards, "", "unknown"))

    def discards(self, who: int, cards: Cards) -> bool:
        """Throw cards away; False where nothing is drawn."""
        if self.kind != "draw":
            return False
        self._next_round()
        self.to_deal.discard(who)
        self._discard(who, cards)
        self.owed[who] = self.owed.get(who, 0) + len(cards) // 2
        self.put(d.CardsDiscarded(self.order[who], len(cards) // 2, cards))
        return True

    def stands_pat(self, who: int) -> bool:
        """Keep all cards; False where nothing is drawn."""
        if self.kind != "draw":
            return False
        self._next_round()
        self.to_deal.discard(who)
        self.put(d.StoodPat(self.order[who]))
        self._street_complete()
        return True

    def _discard(self, who: int, cards: Cards) -> None:
        """Take cards out of a hand as far as they are known to be in it."""
        hole = [self.held[who][at : at + 2] for at in range(0, len(self.held[who]), 2)]
        for at in range(0, len(cards), 2):
            known = next((card for card in (cards[at : at + 2], "??") if card in hole), "")
            if known:  # the card itself, or one of those that nobody knows
                hole.remove(known)
            else:
                hole = ["??"] * (len(hole) - 1)
        self.held[who] = "".join(hole)

    def _next_round(self) -> None:
        """Begin a street of stud or draw with the first of its cards."""
        if not self.undealt:
            self.round += 1
            names = w.STREETS[self.kind]
            self._begin(names[min(self.round, len(names) - 1)])
            self.to_deal = set(self.live())
            self.undealt = True

    def _street_complete(self, *, now: bool = False) -> None:
        """Infer that a street of stud or draw is dealt: all have it, or the play goes on."""
        if self.undealt and (now or not (self.to_deal or self.owed)):
            self.undealt = False
            self.to_deal = set()
            names = w.STREETS[self.kind]
            if self.round < len(names):
                self.infer_behind(d.StreetDealt(names[self.round]))

    def shows(self, who: int, cards: Cards) -> None:
        """Show cards, `-` those that were dealt."""
        if cards == "-":
            cards = self.held[who] or "??" * self.head.game.hole
        self.shown[who] = cards
        self.put(e.CardsShown(self.order[who], cards))

    def mucks(self, who: int) -> None:
        """Show nothing."""
        self.mucked.add(who)
        self.put(e.CardsMucked(self.order[who]))


Act: TypeAlias = Callable[..., bool | None]
"""Reads an action of a hand, which is given first; False where it was not meant."""


_ACTS: Final[Table[Act, Callable[[str], object]]] = Table(
    (
        (w.DEALS, Reading.deals),
        (w.LAYS, Reading.lays),
        (w.FOLDS, Reading.folds),
        (w.CALLS, Reading.calls),
        (w.WAGERS, Reading.wagers),
        (w.BRINGS_IN, Reading.brings_in),
        (w.SHOWS, Reading.shows),
        (w.MUCKS, Reading.mucks),
        (w.DISCARDS, Reading.discards),
        (w.STANDS_PAT, Reading.stands_pat),
    ),
    {
        "who": _PLAYERS.get,
        "cards": lambda text: text if CARDS(text) else None,
        "shown": lambda text: text if text == "-" or CARDS(text) else None,
        "amount": lambda text: None if " " in text else text,
    },
)


@lru_cache(maxsize=1 << 14)
def _parsed(text: str) -> tuple[Act, int, list[Any]] | None:
    """Return how an action is read, the last player whom it names, and what it tells; None if it is none."""
    for act, fields in _ACTS.matches(" ".join(text.split())):
        told: list[Any] = [read(word) if read else word for _, read, word in fields]
        if None not in told:
            return act, max((one for one in told if isinstance(one, int)), default=0), told
    return None


def read_hand(text: str, begin: int, people: People) -> Account:
    """Return the account of the hand in `text`, places in characters; `UnreadableHandError` if none."""
    found = scan(text, begin)
    if w.KEPT in found.values:
        account = _kept(found, people)
        if account is not None:
            return account
    reading = Reading(header(found), found, people)
    reading.opening()
    reading.actions()
    reading.ending()
    return reading.account(0, 0, len(text))


def _kept(found: Scanned, people: People) -> Account | None:
    """Return the account that our own field keeps; None where the other fields were changed since."""
    said = unquoted(found.values.pop(w.KEPT))
    start, _, end = found.spans.pop(w.KEPT)
    tie, _, words = said.partition(" ")
    if tie != w.digest(found.values):
        found.before.append(("# " + w.CHANGED, start, end))
        return None
    events = w.kept(words, people, start)
    return Account(events, [start, end - start] * len(events), 0, len(found.text))
