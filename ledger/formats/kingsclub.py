"""KingsClub's text: mixed games, end stacks in every summary, streets of stud named one too low.

`docs/formats/kingsclub.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar, Final

from ledger.hand.betting import RunsAgreed
from ledger.hand.dealing import CardsDiscarded, CardsDrawn, DealCompleted, HoleCardsDealt, StoodPat, StreetDealt
from ledger.hand.ending import LineUnread, PotAwarded, RemarkNoted, ResultDeclared
from ledger.hand.opening import AntePosted, BlindPosted, GameSet
from ledger.hand.variants import VARIANTS
from ledger.readers import acts, games, settling, stud
from ledger.readers.cards import KNOWN, unknown
from ledger.readers.phrases import alike, number, require_number
from ledger.readers.reading import Grammar, Page, text_format
from ledger.readers.room import Room
from ledger.readers.signatures import headed, numbered, others
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Street, Witness, split_cards

WITNESSES: Final = Witness.of(
    "BUTTON POSTS ANTES STACKS_BEFORE STACKS_AFTER ACTS BOARD AWARDS DROP BLIND_AMOUNTS DISCARDS"
)
"""No returned bets, not what of a post is live, no order of the showdown, nobody's coming and going."""
LIMITS: Final = ("No Limit ", "Pot Limit ", "Limit ")
DRAW: Final = games.DRAW | {"single-a5"}
DRAWMAHA: Final = "drawmaha-27"
"""Five cards and a board; each seat may change cards behind the flop's betting, with which no street begins."""
GAMES: Final = games.FLOP | stud.ALIKE | DRAW | {"omaha5", "omaha5-8", DRAWMAHA}
_OF_DRAWS: Final = 5
_OF_STUD: Final = 7
HAND_STREETS: Final[dict[str, Street]] = {
    "1ST DRAW": "first-draw",
    "2ND DRAW": "second-draw",
    "3RD DRAW": "third-draw",
    "3RD STREET": "fourth",
    "4TH STREET": "fifth",
    "5TH STREET": "sixth",
    "6TH STREET": "seventh",
}
"""In stud the heading stands behind the betting of the street that it names: what follows is the next one's."""
BOARD: Final[tuple[tuple[Street, int, int], ...]] = (("flop", 0, 3), ("turn", 3, 4), ("river", 4, 5))
"""A street → where its cards stand in the whole board."""
NEXT_DRAW: Final[dict[Street, Street]] = {
    "preflop": "first-draw",
    "first-draw": "second-draw",
    "second-draw": "third-draw",
}
_DRAWING: Final = (StreetDealt, CardsDiscarded, CardsDrawn, StoodPat)
_BESIDES: Final = (LineUnread, RemarkNoted, RunsAgreed)
_MOST_DRAWN: Final = 5


class Hand(Room):
    """The hand being read: `Name: posts …`, `Name acts …`."""

    CARDS: ClassVar = {**KNOWN, **unknown("X", "-")}
    clean = Room.stripped
    BEHIND = (":", "")
    ALL_IN = (", and is all in", " and is all in")
    HAND_STREETS: ClassVar = HAND_STREETS

    def begin(self) -> None:
        """Know of no board yet."""
        self.boards: dict[int, Cards] = {}  # what each board or run has, by number
        self.runs = False  # several boards are runs of one: those of which no second flop was told
        self.holds: dict[Seat, Cards] = {}  # what is known of a seat's cards

    # -- acts -------------------------------------------------------------------------------------

    def bets_to(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Tell a bet; over stud's bring-in it is told as one too, and completes it."""
        if self.level:
            self.raise_to(seat, amount, all_in=all_in)
        else:
            self.bet(seat, amount, all_in=all_in)

    def draw_begins(self) -> bool:
        """Infer that a draw began, where no heading says it and the last thing told is no draw."""
        if self.game.variant == DRAWMAHA:
            self.close_bets()
            return True
        if self.game.variant not in DRAW:
            return False
        last = next((one for one in reversed(self.events) if not isinstance(one, _BESIDES)), None)
        if not isinstance(last, _DRAWING) and self.street in NEXT_DRAW:
            self.infer_street(NEXT_DRAW[self.street])
        return True

    def discards(self, seat: Seat, cards: Cards, groups: Sequence[Cards] = ()) -> bool:
        """Read `discards [8d Ks] draws [Ac Qc]`; of two runs the second one's cards come last."""
        if not self.draw_begins():
            return False
        self.put(CardsDiscarded(seat, len(cards) // 2, cards))
        if len(groups) > 1:
            self.agree()
            drawn = self.lines.text[self.at].strip().rpartition(" draws ")[2]
            self.put(RemarkNoted(self.people.text(f"draws {drawn}")))  # no event holds a run's draw
        if groups:
            self.put(CardsDrawn(seat, groups[0]))
            left = split_cards(cards)
            kept = [card for card in split_cards(self.holds.get(seat, "")) if card not in left]
            self.holds[seat] = "".join(kept) + groups[0]
        return True

    def agree(self) -> None:
        """Say that it is run twice, once."""
        if not any(isinstance(event, RunsAgreed) for event in self.events):
            self.close_bets()
            self.put(RunsAgreed(2))

    def draws(self, seat: Seat, count: int) -> bool:
        """Read `draws 2`."""
        if count > _MOST_DRAWN or not self.draw_begins():
            return False
        self.put(CardsDiscarded(seat, count))
        return True

    def keeps_all(self, seat: Seat) -> bool:
        """Read `stands pat`."""
        drawing = self.draw_begins()
        if drawing:
            self.put(StoodPat(seat))
        return drawing

    def shows_hand(self, seat: Seat, cards: Cards) -> None:
        """Read `shows [4c Ac 8c Qc]`; of a hand that stud breaks off what was not dealt is unknown."""
        variant = VARIANTS.get(self.game.variant)
        whole = _OF_STUD if stud.is_stud(self) else variant.start_cards if variant else _OF_DRAWS
        self.shows(seat, cards + UNKNOWN_CARD * max(0, whole - len(cards) // 2))

    # -- other lines ------------------------------------------------------------------------------

    def betting_round(self) -> bool:
        """Read `2ND BETTING ROUND`, which only draw games have."""
        return self.game.variant in DRAW

    def begins_street(self, hand_street: Street) -> bool:
        """Read the heading of a draw, or of a street of stud."""
        fits = self.game.variant in DRAW if hand_street.endswith("draw") else stud.is_stud(self)
        if fits:
            self.deal_street(hand_street)
        return fits

    def deals_board(self, street: Street, groups: list[Cards], count: int = 0) -> bool:
        """Read `FLOP`, `BOARD 2 - RIVER` with `[- - - Qd] [Jd]`: the whole board, `-` is shared."""
        if count > 2:
            return False
        run = count or 1
        if count:
            self.runs = self.runs or (street != "flop" and 2 not in self.boards)
        cards = split_cards("".join(groups))
        before = self.boards.get(run, self.boards.get(1, "") if self.runs else "")
        told = len(before) // 2
        if self.runs and run == 2:
            told = next((at for at, card in enumerate(cards) if card != UNKNOWN_CARD), 0)
        for part, first, behind in BOARD:
            if told <= first and behind <= len(cards):
                new = "".join(cards[first:behind])
                if count and self.runs:
                    self.board_of_run(part, new, run)
                else:
                    self.board(part, new, board=run)
        self.boards[run] = "".join(cards)
        return True

    def deals(self, name: Seat, cards: Cards) -> None:
        """Read `Dealt to Ada: [X X 4d]`, `Dealt to Ada: [Jc]`."""
        first = self.street in stud.FIRST
        if stud.is_stud(self):
            self.street = "third" if first else self.street
            stud.deals(self, name, cards)
        else:
            hidden = cards.startswith(UNKNOWN_CARD)
            self.own = self.own or not hidden
            self.holds[name] = cards
            if not hidden:
                self.put(HoleCardsDealt(name, cards))
        if first:
            self.last_dealt()

    def last_dealt(self) -> None:
        """Say that the deal is done behind the last seat's cards."""
        following = self.lines.text[self.at + 1 : self.at + 2]
        if not following or not following[0].startswith("Dealt to "):
            self.put(DealCompleted())

    def ends_with(self, seat: Seat, who: str, amount: Chips, net: Chips | None = None) -> bool:
        """Read `Seat 1: Ada (3,533) -0.50`: the stack at the end, and what was won."""
        if self.sits.get(seat) != who:
            return False
        self.ends[seat] = amount, self.at
        self.put(ResultDeclared("end-stack", seat, amount))
        if net is not None:
            self.nets(seat, net)
        return True

    def shows_for_run(self, name: Seat, cards: Cards) -> None:
        """Read `Run 1: Ada shows [4c Ac 8c Qc]`."""
        if self.game.variant in DRAW:
            self.agree()
        self.shows_hand(name, cards)

    def shows_for_second(self, name: Seat, cards: Cards) -> None:
        """Read `Run 2: Ada shows [4c Ac 8c Qs]`: no event holds the cards of a seat's second draw, so its words are kept."""
        del name, cards
        self.agree()
        self.remark()

    # -- the end ----------------------------------------------------------------------------------

    def finish(self) -> None:
        """Infer the bets that nobody called: awards and rake are told without them."""
        self.completes()
        if not self.paid:
            return
        out = self.paid + self.taken
        self.return_bets(out)
        missing = out - sum(self.put_in)
        small = next((one.live for one in self.events if isinstance(one, BlindPosted) and one.role == "small"), 0)
        if missing > 0 and missing == (self.game.blinds[0] if self.game.blinds else small):
            self.missed_blind(missing)
        elif missing < 0:
            self.untold_pots(-missing)

    def all_short(self) -> tuple[dict[Seat, Chips], bool]:
        """Return what each seat's end stack is less than the acts leave it, and whether all end stacks are told."""
        short = {seat: settling.short_of(self, seat, self.ends.get(seat, (0, 0))[0]) for seat in self.stacks}
        return {seat: less for seat, less in short.items() if less}, len(self.ends) == len(self.stacks)

    def untold_pots(self, missing: Chips) -> None:
        """Infer who won the pots of which no line tells, where the end stacks show it to the chip."""
        short, told = self.all_short()
        if told and sum(short.values()) == -missing and not any(one > 0 for one in short.values()):
            for seat, less in short.items():
                self.place(len(self.events) - bool(self.summary), PotAwarded(seat, -less))

    def missed_blind(self, missing: Chips) -> None:
        """Infer who posted a dead small blind without a line, where pot and end stacks both show it."""
        short, told = self.all_short()
        last = max(
            (at for at, event in enumerate(self.events) if isinstance(event, AntePosted | BlindPosted)), default=0
        )
        who = list(short)
        if told and len(who) == 1 and short[who[0]] == missing:
            self.put_in[who[0]] += missing
            self.place(last + 1, BlindPosted(who[0], "makeup-small", 0, missing))

    DEEDS = (
        ("folds", acts.folds),
        ("checks", acts.checks),
        ("calls {amount}", acts.calls_to),
        *alike(bets_to, "bets {amount}", "completes to {amount}"),
        ("raises to {amount}", acts.raises_to),
        ("brings in for {amount}", acts.brings_in),
        ("posts ante {amount}", acts.antes),
        ("posts the small blind {amount}", acts.small_blind),
        ("posts the big blind {amount}", acts.big_blind),
        ("posts small blind {amount}", acts.small_blind),
        ("posts big blind {amount}", acts.big_blind),
        ("posts blind {amount}", acts.enters_small_or_big),
        *alike(acts.straddles, "posts the straddle {amount}", "posts straddle {amount}"),
    )
    SAYINGS = (
        *alike(discards, "discards [{cards}] draws {groups}", "discards [{cards}]"),
        *alike(draws, "draws {count}", "draws {count} card", "draws {count} cards"),
        ("stands pat", keeps_all),
        ("shows [{cards}]", shows_hand),
        *alike(Room.wins, "wins {pot} ({amount})", "wins ({amount}) from {pot}"),
    )
    LINES = (
        ("Dealt to {name}: [{cards}]", deals),
        ("*** HOLE CARDS ***{_}", Room.ignored),
        ("*** SUMMARY ***{_}", Room.sums_up),
        ("*** {_} BETTING ROUND ***{_}", betting_round),
        ("*** {hand_street} ***{_}", begins_street),
        *alike(deals_board, "*** BOARD {count} - {street} ***{groups}", "*** {street} ***{groups}"),
        *alike(ends_with, "Seat {seat}: {who} ({amount})", "Seat {seat}: {who} ({amount}) {net}"),
        ("Rake {amount}", Room.rake),
        ("Run 1: {name} shows [{cards}]", shows_for_run),
        ("Run 2: {name} shows [{cards}]", shows_for_second),
    )


begins: Final = headed("#", numbered(": ", *LIMITS))


@lru_cache(maxsize=10_000)
def setup(told: str, exponent: int | None) -> GameSet:
    """Return the game of `Limit A-5 Triple Draw - 44/88`."""
    words, dash, written = told.rpartition(" - ")
    stakes = written.split("/")
    variant, betting = games.known(words if dash and len(stakes) == 2 else "", GAMES, told)
    return games.game_set(variant, betting, stakes, unit="chips", exponent=exponent)


def table(line: str) -> tuple[str, Seat]:
    """Read `Table 'The Zoo' Seat 3 is the button`; no seat where it names none."""
    left, _, digits = line.removesuffix(" is the button").rpartition("' Seat ")
    seat = number(digits, 2) if left else 0
    return (left[7:], seat) if seat else (line[7:].removesuffix("'"), 0)


def tell(page: Page) -> Hand:
    """Read one hand."""
    text = page.lines.text
    digits, _, told = page.title[1:].partition(": ")
    require_number(digits, most=20)
    hand = Hand(page.lines, page.people, "KingsClub", setup(told, page.exponent), page.first)
    k, written, place = page.first + 1, "", ("", 0)
    while k < page.after and not text[k].startswith("Seat "):
        line = text[k].strip()
        if line.startswith("Table '"):
            place = place if place[0] else table(line)
        elif line and (written or place[0]):
            break
        written = written or (line if not line.startswith("Table '") else "")
        hand.at = k
        k += 1
    hand.dealer = (place[1], hand.at) if place[1] else None
    hand.at = page.first
    hand.play(k, page.after)
    known = WITNESSES & ~Witness.BUTTON & ~Witness.BLIND_AMOUNTS if stud.is_stud(hand) else WITNESSES
    hand.opened(place[0], digits, known, None, written)
    return hand


_GRAMMAR: Final = Grammar(begins, others(), tell, initials="#\ufeff \t")
FORMAT: Final = text_format("kingsclub", "KingsClub text", _GRAMMAR, (": Limit ", ": Pot Limit ", ": No Limit "))
