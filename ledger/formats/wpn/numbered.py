"""The second generation (since 2019): `Hand #1 - Holdem(No Limit) - …`, `X raises $2.00 to $2.50`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar, Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.wpn.hand import GAMES, VENUE, WITNESSES, Hand, facts, without_note
from ledger.hand.betting import RunsAgreed
from ledger.hand.dealing import DealCompleted
from ledger.hand.ending import DropTaken, ResultDeclared
from ledger.hand.opening import GameSet, NotDealtIn, OptionSet, TournamentSet
from ledger.readers import acts, amounts, games, presence, stud, timestamps
from ledger.readers.bomb_pots import BOMB_POT, settle
from ledger.readers.cards import read_groups
from ledger.readers.currencies import SYMBOLS
from ledger.readers.incomplete import no_second_line
from ledger.readers.phrases import require_number, rows_told_by, small_number
from ledger.readers.reading import HandPage
from ledger.readers.room import PhraseHand, seat_unreadable
from ledger.readers.signatures import begins_with_head, has_number_before
from ledger.readers.telling import POTS, Drops, Pot, event_teller
from ledger.vocabulary import Cards, Chips, Seat, Street, Witness

HEADS: Final = ("Hand #", "Game Hand #")
AWAY: Final[dict[str, NotDealtIn]] = {
    " is sitting out": "sitting-out",
    " will be allowed to play after the button": "waiting-for-button",
    " waits for big blind": "waiting-for-big-blind",
}
"""What may stand behind a seat → why it is not dealt in."""
LATER: Final[dict[str, Street]] = {
    "4th STREET": "fourth",
    "5th STREET": "fifth",
    "6th STREET": "sixth",
    "7th STREET": "seventh",
}
AGREED: Final = {"RUN IT TWICE": 2, "RUN IT THREE TIMES": 3}
RUNS: Final = ("", " 1", " 2", " 3")
"""What may stand behind a pot; the heading before it says the run too."""
QUIET: Final = ("folded", "mucked", "did not show", "and lost", "and folded", "lost", "is sitting out")
_KEPT: Final = 20_000


class Numbered(Hand):
    """The hand being read: `Name act $5`."""

    ALL_IN = (" and is all-in",)
    SEAT_ROWS = (
        *(f"Seat {{seat}}: {{name}} ({{amount}}){words}" for words in ("", *AWAY)),
        *(f"Seat {{seat}}: {{name}}{words}" for words in (*AWAY, "")),
    )
    LABELS = (*Hand.LABELS, "(straddle)")
    DROPS: ClassVar = {"rake": "rake", "jp fee": "jackpot", "jackpot": "jackpot"}
    POTS: ClassVar[Mapping[str, Pot]] = {
        **{f"{words}{run}": pot for words, pot in POTS.items() for run in RUNS},
        **{f"{words}{run} (HI)": (pot[0], "high") for words, pot in POTS.items() for run in RUNS},
        **{f"{words}{run} (LO)": (pot[0], "low") for words, pot in POTS.items() for run in RUNS},
    }

    def begin(self) -> None:
        """Know of no summary yet."""
        super().begin()
        self.dealing = False  # what is dealt before is a draw for the button
        self.number = 0  # of the summary that is being read: a hand run twice may have two
        self.won: list[tuple[Seat, Chips, int]] = []
        self.totals: list[tuple[Chips, Drops, int]] = []

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Take `Seat 4: X ($0.00) is sitting out`; who waits may have no stack."""
        amount = row.get("amount")
        self.deal_in(seat, row["name"], None if amount is None else self.amount(amount))
        line = self.lines.text[self.place].rstrip()
        if line[-1] != ")":
            why = next((why for words, why in AWAY.items() if line.endswith(words)), None)
            if amount is None and why is None and " (" in row["name"]:
                raise seat_unreadable(line)  # it breaks off within the stack
            self.absence_reasons[seat] = why or "unknown"

    def heading(self, title: str, rest: str) -> bool:
        """Read `*** FLOP *** [2c 7d Kc]`, `*** TURN 2 *** [2c 7d Kc] [9s]`: what is new stands in the last bracket."""
        word, _, digit = title.rpartition(" ")
        run = small_number(digit) if word and digit in ("1", "2", "3") else 0
        title = word if run else title
        if (told := self.read_heading(title, rest, run)) is not None:
            return told
        if title in ("HOLE CARDS", "3rd STREET"):
            self.dealing = True
            self.betting.street = "third" if title == "3rd STREET" else "preflop"
            self.add_event(DealCompleted())
        elif title in AGREED:
            self.close_bets()
            self.add_event(RunsAgreed(AGREED[title]))
        elif title == "SUMMARY":
            self.summary_line = self.place
            self.number = run or self.number + 1
        elif title in LATER:
            self.deal_street(LATER[title])
        else:
            return False
        return True

    def deals(self, told: str) -> bool:
        """Read `Dealt to Name [As 2s Qs] [3c]`: hole cards, a street of stud; before the deal, a draw for the button."""
        seat, rest = next(iter(self.named_seats(told)), (0, ""))
        found = read_groups(self.read_cards, rest) if seat and rest[:1] == "[" else None
        if found is None:
            return False
        whole = "".join(found)
        if not self.dealing:
            self.add_remark()
        elif self.street == "third":
            self.hole[seat] = len(self.events)
            stud.deals_open(self, seat, whole)
        elif self.stud:
            stud.deals(self, seat, found[-1])
        else:
            self.hole[seat] = len(self.events)
            self.deals_own(seat, whole)
        return True

    def pots_so_far(self, told: str) -> bool:
        """Read `Main pot $4.75 | Rake $0.25`, which the acts say as well."""
        return all(amounts.read_or_none(one.rpartition(" ")[2], self.exponent) is not None for one in told.split(" | "))

    # -- the summary; hands without a showdown say only here who was paid -------------------------

    def declares_pot(self, total: Chips, drops: Drops = ()) -> None:
        """Read `Total pot $1.19 | Rake $0.04 | JP Fee $0.02`: what is left of the pot, and what was taken."""
        self.totals.append((total, drops, self.place))

    def declares_board(self, cards: Cards, run: str = "") -> None:
        """Read `Board [..]`, `Board 2 [..]`."""
        several = self.number if self.number > 1 or self.showdown_run > 1 else 0
        self.add_event(ResultDeclared("board", cards=cards, number=small_number(run, 1) or several))

    def came_to(self, result: tuple[Seat, str]) -> bool:
        """Read `Seat 3: X (button) showed [..] and won $1.19 with …`, `did not show and won $0.25`."""
        seat, rest = result[0], self.learn_cards(*result)
        if not rest:
            return rest is not None and bool(result[1])
        words = (part.partition(" ")[0].rstrip(",") for part in rest.split("won ")[1:])
        won = [self.amount(word) for word in words if word[:1] in SYMBOLS or word[:1].isdigit()]
        self.won += [(seat, amount, self.place) for amount in won]
        return bool(won) or rest.startswith(QUIET)

    def finish(self) -> None:
        """Tell what the whole summary says: the awards, if no line did so before, the drop, the results."""
        if not self.summary_line:
            self.leave_out_idle(self.absence_reasons)
            return
        if BOMB_POT in self.events:
            settle(self.events)
        paid = self.total_awarded
        declared: dict[Seat, tuple[Chips, int]] = {}
        for seat, amount, at in self.won:
            self.place = at
            if paid:
                declared[seat] = declared.get(seat, (0, at))[0] + amount, at
            else:
                self.award(seat, amount)
        total: Chips | None = None
        for pot, drops, at in self.parts():
            self.place = at
            for kind, amount in drops:
                self.add_event(DropTaken(kind or "other", amount))
            total = (total or 0) + pot + sum(amount for _, amount in drops)
        if total is not None:
            self.total_pot(total)
        for seat, (amount, at) in declared.items():
            self.place = at
            self.add_event(ResultDeclared("collected", seat, amount))
        self.infer_returns_by_pot(total)
        self.leave_out_idle(self.absence_reasons)
        put_in, folded, hole = self.betting.chips.put_in, self.folded, self.hole
        for seat in self.seat_event_index:
            if not put_in.get(seat) and seat not in folded and seat not in hole:
                self.mark_left_out(seat, "unknown", told=False)
        self.complete_hand()

    def parts(self) -> list[tuple[Chips, Drops, int]]:
        """Return the totals that count: all of them where two runs have parts, the first where each has all."""
        whole = [pot + sum(amount for _, amount in drops) for pot, drops, _ in self.totals]
        put_in = self.total_put_in()
        return self.totals[:1] if len(whole) > 1 and sum(whole) != put_in == whole[0] else self.totals

    ACTIONS = (
        *acts.COMMON_ACTIONS,
        *rows_told_by(acts.raises_to, "raises {_} to {amount}", "raises {amount}"),
        *rows_told_by(acts.raises_to, "completes {_} to {amount}", "completes {amount}"),
        ("caps {amount}", Hand.caps),
        *rows_told_by(acts.small_blind, "posts the small blind {amount}", "posts small blind {amount}"),
        *rows_told_by(acts.big_blind, "posts the big blind {amount}", "posts big blind {amount}"),
        *rows_told_by(acts.antes, "posts the ante {amount}", "posts ante {amount}"),
        *rows_told_by(acts.dead_blind, "posts dead blind {amount}", "posts dead {amount}"),
        *rows_told_by(acts.straddles, *(f"posts {what}straddle {{amount}}" for what in ("the ", "", "a "))),
        *rows_told_by(acts.straddles, "straddles {amount}", "straddle {amount}"),
        ("posts {amount}", acts.enters_small_or_big),
        *rows_told_by(acts.brings_in, "brings in for {amount}", "brings in {amount}"),
    )
    PLAYER_LINES = (
        *rows_told_by(PhraseHand.shows_known, "shows [{cards}]", "shows [{cards}] ({claim})"),
        ("collected {amount} from {pot}", Hand.awards_pot),
        *rows_told_by(PhraseHand.mucks, "mucks", "mucks hand"),
        *rows_told_by(PhraseHand.declines, "does not show", "doesn't show"),
        *rows_told_by(presence.sits_out, "sits out", "is sitting out"),
        *rows_told_by(presence.waits, "waits for big blind", "waits for the big blind"),
        *rows_told_by(presence.returns, "has returned", "is back"),
        *rows_told_by(PhraseHand.times_out, "has timed out", "is timed out"),
        ("is disconnected", PhraseHand.disconnects),
        *rows_told_by(PhraseHand.reconnects, "is connected", "is reconnected"),
    )
    LINES = (
        ("*** {title} ***{rest}", heading),
        *rows_told_by(pots_so_far, "Main pot{told}", "Side pot{told}"),
        ("Dealt to {told}", deals),
        ("Uncalled bet ({amount}) returned to{name}", PhraseHand.returns_uncalled),
        *rows_told_by(event_teller(lambda: BOMB_POT), "BombPot", "Bomb Pot", "BOMB POT"),
        ("--{_}", PhraseHand.ignores),
    )
    SUMMARY_LINES = (
        *rows_told_by(declares_pot, "Total pot {total} | {drops}", "Total pot {total}"),
        *rows_told_by(declares_board, "Board [{cards}]", "Board {run} [{cards}]"),
        ("Seat {result}", came_to),
    )


begins: Final = begins_with_head(HEADS, has_number_before(" - "))


class Head(NamedTuple):
    """The first line taken apart."""

    number: str
    tournament: str
    title: str
    game: str  # `Holdem(No Limit)`
    stakes: str  # `$0.05/$0.10` or `Level 15 (250.00/500.00)`
    written: str


def head(line: str) -> Head:
    """Take a line apart that `begins` a hand; some have no blank before the last dash."""
    digits, _, rest = line.strip("\ufeff \t\r").partition("#")[2].partition(" - ")
    require_number(digits)
    middle, found, written = without_note(rest)[0].rpartition("- ")
    if not found or not written[:4].isdigit():
        raise UnreadableHandError("the header has no date", kind="header")
    title, found, after = middle.rstrip(" -").partition("Tournament #")
    tournament, _, middle = after.partition(" - ") if found else ("", "", title)
    game, dash, stakes = middle.partition(" - ")
    if found and not tournament.strip():
        raise UnreadableHandError("the tournament has no number", kind="header")
    if not dash:
        raise UnreadableHandError(f"no stakes in {middle[:80]!r}", kind="header")
    return Head(digits, tournament.strip(), title.strip(" -") if found else "", game.strip(), stakes.strip(), written)


@lru_cache(maxsize=_KEPT)
def setup(written: str, stakes: str, exponent: int | None, *, tournament: bool, play: bool) -> tuple[GameSet, str]:
    """Return the game of `Holdem(No Limit)` and the level of its tournament."""
    name, _, limit = written.rpartition("(")
    game, betting = games.game_and_limit(name.replace("`", "'"), limit.rstrip(" )"), GAMES, written)
    level = ""
    if tournament:
        level, _, stakes = stakes.partition("(")
        level, stakes = level.removeprefix("Level").strip(), stakes.rstrip(" )")
    blinds, _, ante = stakes.partition(",")
    made = games.game_set(
        game,
        betting,
        blinds.split("/"),
        unit=games.currency(stakes, tournament=tournament, play=play),
        exponent=exponent,
        tournament=tournament,
        play_exponent=0,
        ante=ante.lower().replace("ante", "").strip(),
    )
    return made, level


@lru_cache(maxsize=_KEPT)
def table(line: str) -> tuple[str, int, Seat | None] | None:
    """Read `Table '25' 9-max Seat #1 is the button`: name, chairs and button; None if it is no such line."""
    before, _, behind = line.rpartition(" Seat #")
    button = small_number(behind.partition(" ")[0])
    if before and behind.endswith(" is the button"):
        line = before
    else:
        button = 0
    name, _, chairs = line.rpartition(" ")
    seats = chairs.removesuffix("-max")
    if seats == chairs or not seats.isascii() or not seats.isdigit():
        return None
    name = name.strip()
    if name.startswith("Table '") and name.endswith("'"):
        name = name[7:-1]
    return name, int(seats[:3]), button or None


def entitled(line: str) -> str:
    """Return the tournament's name of `Title 'SNG 2.0 $5.5'` or `Title: SNG 2.0 $5.50`; "" of other lines."""
    word, _, name = line.strip().partition(" ")
    return name.strip(" '") if word in ("Title", "Title:") else ""


def tell(page: HandPage) -> Hand:
    """Read one hand."""
    text, first = page.lines.text, page.head_line
    found = head(text[first])
    behind = (at for at in range(first + 1, page.end_line) if text[at].strip() and not entitled(text[at]))
    at = next(behind, page.end_line)
    place = table(text[at].strip()) if at < page.end_line else None
    if place is None:
        raise no_second_line()
    file, tournament = facts(page.source), bool(found.tournament)
    game, level = setup(found.game, found.stakes, page.exponent, tournament=tournament, play=file.play)
    hand = Numbered(page.lines, page.people, VENUE, game, first)
    titles = [entitled(line) for line in text[page.first_line : at]]
    title = found.title or next(filter(None, reversed(titles)), "") or file.title
    name, chairs, button = place
    hand.button_and_line = (button, at) if button else None
    words = name.lower().replace("(", " ").replace(")", " ").split()
    options = [OptionSet("other", word) for word in ("cap", "blitz") if word in words]
    hand.tell_hand(at + 1, page.end_line, TournamentSet(level=level, written=title) if tournament else None, *options)
    known = WITNESSES | int(Witness.SHOWDOWN) | int(Witness.POTS)
    moment = timestamps.parse_start(found.written)
    hand.open_hand(name, found.number, known, moment, found.written, chairs, found.tournament)
    return hand
