"""Reading: from the text of one hand to its events, each with its place in characters."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Final

from ledger.account import Account
from ledger.errors import UnreadableHandError
from ledger.formats.phh.header import header
from ledger.formats.phh.opening import Opening, comment, settle
from ledger.formats.phh.scanning import Scanned, Word, amount, plain_strings, scan, strings, unquoted
from ledger.formats.phh.words import CHANGED, KEPT, STREETS, digest, kept
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand.betting import BetReturned
from ledger.people import People
from ledger.vocabulary import Cards, Seat, Street

CARDS: Final = re.compile(r"(?:[2-9TJQKA][cdhs]|\?\?){1,52}").fullmatch
_PLAYERS: Final = {f"p{number}": number - 1 for number in range(1, 65)}
_PLAIN: Final = {
    f"{player} {verb}": (number, verb == "f") for player, number in _PLAYERS.items() for verb in ("f", "cc")
}
"""Half of all actions, as nearly every file writes them: who, and whether it is a fold."""
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
            self._uncalled()
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
                for seat, chips in zip(self.order, column, strict=True):
                    self.put(e.ResultDeclared(what, seat, chips))  # type: ignore[arg-type]  # both are declared
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
        if [seat for seat in able if self.bets[seat] < self.level]:
            return False
        return len(able) <= 1 or self.acted.issuperset(able)

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
        plain = _PLAIN.get(text)
        if plain is None:
            return self._act(text.split())
        who, folds = plain
        if who >= len(self.order):
            return False
        if self.undealt:
            self._street_complete(now=True)
        seat = self.order[who]
        self.acted.add(seat)
        if folds:
            self.fold(seat)
            return True
        due, all_in = self.covered(seat, self.level - self.bets[seat])
        if due > 0:
            self.call(seat, due, all_in=all_in)
        else:
            self.check(seat)
        return True

    def _act(self, words: list[str]) -> bool:
        """Read any action, word by word."""
        count = len(words)
        if count < 2:
            return False
        verb = words[1]
        if words[0] == "d":
            if not CARDS(words[-1]):
                return False
            if verb == "dh" and count == 4:
                return self.hole(words[2], words[3])
            return verb == "db" and count == 3 and self._board(words[2])
        who = _PLAYERS.get(words[0], 99)
        if who >= len(self.order):
            return False
        if (verb == "cbr" and count == 3) or (verb == "pb" and count == 2):
            if self.undealt:
                self._street_complete(now=True)
            seat = self.order[who]
            return self._wager(seat, words[2]) if verb == "cbr" else self._bring_in(seat)
        if verb == "sm" and count <= 3:
            return self._show(who, words[2] if count == 3 else "")
        if verb == "sd" and count <= 3:
            return self._draw(who, words[2] if count == 3 else "")
        return count == 2 and verb in ("f", "cc") and self.act(f"{words[0]} {verb}")

    def _wager(self, seat: Seat, number: str) -> bool:
        try:
            to = amount(number, self.head.exponent)
        except UnreadableHandError as error:
            error.at = self.spans.starts[self.at]
            raise
        added = to - self.bets[seat]
        if added <= 0:
            return False
        self.acted = {seat}
        _, all_in = self.covered(seat, added)
        if all_in:
            self.spent.add(seat)
        if self.level:
            self.raise_to(seat, to, all_in=all_in)
        else:
            self.bet(seat, added, all_in=all_in)
        return True

    def _bring_in(self, seat: Seat) -> bool:
        chips, all_in = self.covered(seat, self.head.bring_in)
        if chips:
            self.acted.add(seat)
            self.bring_in(seat, chips, all_in=all_in)
        return bool(chips)

    # -- cards ----------------------------------------------------------------------------------

    def _board(self, cards: Cards) -> bool:
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
        if self.alone:
            self._uncalled()
        self.next_street(street)
        self.acted = set()

    def _uncalled(self) -> None:
        """Give back what nobody called."""
        self.close_bets()
        for seat, chips, _ in self.pending:
            if seat not in self.folded:
                self.put_in[seat] -= chips
                self.infer_behind(BetReturned(seat, chips))
        self.pending.clear()

    def hole(self, player: str, cards: Cards) -> bool:
        """Take cards dealt to a player, named as in an action; False if there is none such."""
        who = _PLAYERS.get(player, 99)
        if who >= len(self.order):
            return False
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
        return True

    def _draw(self, who: int, cards: Cards) -> bool:
        if self.kind != "draw" or (cards and not CARDS(cards)):
            return False
        self._next_round()
        self.to_deal.discard(who)
        if cards:
            self._discard(who, cards)
            self.owed[who] = self.owed.get(who, 0) + len(cards) // 2
            self.put(d.CardsDiscarded(self.order[who], len(cards) // 2, cards))
        else:
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
            names = STREETS[self.kind]
            self._begin(names[min(self.round, len(names) - 1)])
            self.to_deal = set(self.live())
            self.undealt = True

    def _street_complete(self, *, now: bool = False) -> None:
        """Infer that a street of stud or draw is dealt: all have it, or the play goes on."""
        if self.undealt and (now or not (self.to_deal or self.owed)):
            self.undealt = False
            self.to_deal = set()
            names = STREETS[self.kind]
            if self.round < len(names):
                self.infer_behind(d.StreetDealt(names[self.round]))

    def _show(self, who: int, cards: Cards) -> bool:
        seat = self.order[who]
        if not cards:
            self.mucked.add(who)
            self.put(e.CardsMucked(seat))
            return True
        if cards == "-":
            cards = self.held[who] or "??" * self.head.game.hole
        elif not CARDS(cards):
            return False
        self.shown[who] = cards
        self.put(e.CardsShown(seat, cards))
        return True


def read_hand(text: str, begin: int, people: People) -> Account:
    """Return the account of the hand in `text`, places in characters; `UnreadableHandError` if none."""
    found = scan(text, begin)
    if KEPT in found.values:
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
    said = unquoted(found.values.pop(KEPT))
    start, _, end = found.spans.pop(KEPT)
    tie, _, words = said.partition(" ")
    if tie != digest(found.values):
        found.before.append(("# " + CHANGED, start, end))
        return None
    events = kept(words, people, start)
    return Account(events, [start, end - start] * len(events), 0, len(found.text))
