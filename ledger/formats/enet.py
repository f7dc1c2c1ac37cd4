"""Enet's text: the rake of each street, cards without blanks, the limit in the table's name.

`docs/formats/enet.md` says what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.hand.ending import RemarkNoted, ResultDeclared
from ledger.hand.opening import GameSet
from ledger.readers import acts, amounts, games
from ledger.readers.phrases import alike, number, phrase, require_number
from ledger.readers.reading import Grammar, Page, text_format
from ledger.readers.room import Room
from ledger.readers.signatures import headed, numbered, others
from ledger.readers.telling import puts
from ledger.vocabulary import Cards, Chips, Seat, Witness

HEAD: Final = "Game #"
FIRST: Final = phrase("Game #{number}: {game} ({stakes}) - {written}")
TABLE: Final = phrase("Table '{table}' {rest}")
WITNESSES: Final = Witness.of("BUTTON STACKS_BEFORE ACTS BOARD AWARDS DROP BLIND_AMOUNTS")
"""Not every post: some chips are in the pot of which no line tells. No returned bets for sure."""
_GAMES: Final = ("Hold'em ", "Holdem ", "Omaha ", "Texas ", "Tournament #")


class Hand(Room):
    """The hand being read: `Name: act €1,50`."""

    BEHIND = (":", "")
    QUIET_SUMMARY = True
    ALL_IN = (" and is all-in", " and is all in", ", and is all-in")
    LABELS = (*Room.LABELS, "(dealer)")

    def begin(self) -> None:
        """Know nothing of the showdown yet."""
        self.collected: dict[Seat, tuple[Chips, int]] = {}

    def clean(self, text: str) -> str:
        """Return `(€10,57)` as an amount."""
        return text.strip("() ").removesuffix(" in chips")

    def cards(self, text: str) -> Cards | None:
        """Return `9c2cQd` as cards; None where one of them is no card."""
        bare = text.strip(" []").replace("10", "T").replace(" ", "")
        if len(bare) > 20:
            return None
        return super().cards(" ".join(bare[at : at + 2] for at in range(0, len(bare), 2)))

    def won(self, result: tuple[Seat, str]) -> None:
        """Read `Ada (small blind) showed [9dJd2dTd] and won (€10,57) with Straight`."""
        seat, rest = result
        found = self.cards(rest[8:].partition("]")[0]) if rest.startswith("showed [") else None
        if found is not None:
            self.shows_once(seat, found, after=True)
        for words in ("and won (", "collected ("):
            amount = rest.partition(words)[2]
            if amount:
                self.pay(seat, self.amount(amount.partition(")")[0]))
                break

    def pay(self, seat: Seat, amount: Chips) -> None:
        """Pay what the summary says; the line before it may tell a bet that came back instead."""
        told = self.collected.pop(seat, None)
        self.award(seat, amount)
        if told is not None and told[0] != amount:
            at, self.at = self.at, told[1]
            self.put(RemarkNoted(self.people.text(self.lines.text[told[1]].strip())))
            self.at = at

    def collects(self, seat: Seat, amount: Chips) -> None:
        """Keep what was collected: where they differ the summary's amount is the right one."""
        self.collected[seat] = self.collected.get(seat, (0, 0))[0] + amount, self.at

    def checks(self, seat: Seat) -> None:
        """Check; who had nothing in before the flop has posted a big blind of which no line tells."""
        if self.street == "preflop" and self.bets[seat] < self.level and not self.put_in[seat]:
            self.silent_posts.append((seat, len(self.events)))
            self.inferred.append(len(self.events))
            self.post(seat, "makeup-big", self.level)
        self.check(seat)

    def dead_small(self, seat: Seat) -> bool:
        """Take a small blind without an amount as the structure's, and dead."""
        small = self.game.blinds[0] if self.game.blinds else 0
        if small:
            self.inferred.append(len(self.events))
            self.post(seat, "makeup-small", 0, small)
        return bool(small)

    def finish(self) -> None:
        """Do what only the whole hand can tell."""
        for seat, (amount, at) in self.collected.items():  # of which no summary tells
            self.at = at
            self.award(seat, amount)
        self.settles()
        self.completes()

    DEEDS = (
        ("folds", acts.folds),
        ("calls {amount}", acts.calls),
        ("bets {amount}", acts.bets),
        ("raises {amount}", acts.raises_by),
        ("goes all-in {amount}", acts.puts_all_in),
        ("posts small blind {amount}", acts.small_blind),
        ("posts big blind {amount}", acts.big_blind),
        ("posts small & big blinds {amount}", acts.both_blinds),
        ("posts the ante {amount}", acts.antes),
    )
    SAYINGS = (
        ("checks", checks),
        ("posts small blind", dead_small),
        ("posts big blind", Room.remark),
        ("shows [{cards}]{claim}", Room.shows_once),
        *alike(Room.mucks_once, "mucked", "mucks", "mucks hand", "doesn't show hand"),
        ("collected ({amount}) from {_}pot{_}", collects),
    )
    LINES = (
        *alike(Room.deal_done, "*** HOLECARDS ***{_}", "*** HOLE CARDS ***{_}"),
        *alike(Room.showdown, "*** SHOWDOWN ***{_}", "*** SHOW DOWN ***{_}"),
        ("*** SUMMARY ***{_}", Room.sums_up),
        ("*** {street} ***{cards}", Room.street_board),
        ("Rake: €-{_}", Room.remark),
        ("Rake: {amount}", Room.rake),
        ("Dealt to {name} [{cards}]", Room.own_cards),
        ("Uncalled bet ({amount}) returned to {name}", Room.uncalled),
        ("Board [{cards}]", Room.whole_board),
        ("Board []", Room.ignored),
        ("Total pot {_} | Rake {amount}", puts(lambda amount: ResultDeclared("rake", None, amount))),
        ("Total pot {_}", Room.ignored),
    )
    SUMMARY = (("Seat {result}", won),)


begins: Final = headed(HEAD, numbered(": ", *_GAMES))


def setup(game: str, stakes: str, limit: str, exponent: int | None) -> GameSet:
    """Return the game; a limit that is told nowhere is a pot limit in Omaha, no limit in hold'em."""
    variant, parts = games.variant(game, games.FLOP), stakes.split("/")
    if variant is None or len(parts) != 2:
        raise games.unknown_game(f"{game} ({stakes})")
    betting = games.LIMITS[limit or ("no limit" if variant == "holdem" else "pot limit")]
    return games.game_set(variant, betting, parts, unit=amounts.currency(stakes) or "play", exponent=exponent)


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    first = FIRST.match(page.title)
    if first is None:
        raise games.unknown_game(page.title)
    require_number(first["number"], most=20)
    at = page.second
    row = TABLE.match(text[at].strip()) if at < page.after else None
    name, limit, chairs, button = "", "", 0, 0
    if row is not None:
        name, _, limit = row["table"].rpartition(" - ")
        limit = limit.strip(" )").lower()
        if limit not in games.LIMITS:
            name, limit = row["table"], ""
        for word in row["rest"].split():
            chairs = number(word.removesuffix("-max"), 2) if word.endswith("-max") else chairs
            button = number(word.removeprefix("#"), 2) if word.startswith("#") else button
    game = setup(first["game"], first["stakes"], limit, page.exponent)
    hand = Hand(page.lines, page.people, "Enet", game, page.first)
    hand.dealer = (button, at) if button else None
    hand.play(at + 1 if row else at, page.after)
    witnesses = WITNESSES if button else WITNESSES & ~int(Witness.BUTTON)  # `Seat #0 is the button`: nobody's
    written = first["written"].partition(" - ")[0].strip()
    hand.opened(name, first["number"], witnesses, None, written, chairs)
    return hand


_GRAMMAR: Final = Grammar(begins, (*others(HEAD), "Game # "), tell, initials="G\ufeff \t")
FORMAT: Final = text_format("enet", "Enet text", _GRAMMAR, (HEAD,))
