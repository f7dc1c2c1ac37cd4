"""The first generation (to 2019): `Game started at:`, `Player X raises (6)`, results in the summary alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import ClassVar, Final

from ledger.errors import UnreadableHandError
from ledger.formats.wpn.hand import VENUE, WITNESSES, Hand, facts, variant, without_note
from ledger.hand.betting import Bet, BetReturned, Called, Checked, Completed, Folded, Raised
from ledger.hand.dealing import BoardDealt, DealCompleted, HoleCardsDealt, HoleCardsLearned, HowKnown, StreetDealt
from ledger.hand.ending import CardsMucked, DropTaken, ResultDeclared
from ledger.hand.opening import AntePosted, Betting, BlindPosted, BringInPosted, OptionSet, TournamentSet
from ledger.hand.variants import VARIANTS
from ledger.readers import acts, amounts, games, presence, stud
from ledger.readers.cards import read_groups
from ledger.readers.hand import SEATS
from ledger.readers.incomplete import no_second_line
from ledger.readers.phrases import parse_phrase, require_number, rows_told_by, small_number
from ledger.readers.reading import HandPage
from ledger.readers.room import PhraseHand
from ledger.readers.signatures import begins_with_head
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Street, Witness

HEAD: Final = "Game started at:"
LATER: Final[dict[str, Street]] = {
    "Third street": "fourth",
    "Fourth street": "fifth",
    "Fifth street": "sixth",
    "Sixth street": "seventh",
}
"""A street of stud is named by the one that ends before it."""
DROPS: Final = {"Rake": "rake", "JP fee": "jackpot", "JP Fee": "jackpot"}
BEHIND_DEAL: Final = frozenset(
    (Bet, BetReturned, BoardDealt, BringInPosted, Called, CardsMucked, Checked, Completed, Folded, Raised, StreetDealt)
)
"""What cannot happen before all cards are dealt."""
_POSTS_MOST: Final = 200
_NO_POST: Final = (" folds", " checks", "]", " mucks cards", " ------")
_DIGITS: Final = 24
_KEPT: Final = 20_000


class Started(Hand):
    """The hand being read: `Player Name act (5)`."""

    BEFORE: ClassVar[str] = "Player "
    SEAT_ROWS = ("Seat {seat}: {name} ({amount}).", "Seat {seat}: {name} ({amount})")

    def begin(self) -> None:
        """Know of no end yet."""
        super().begin()
        self.table, self.after = "", 0
        self.won: list[tuple[Seat, Chips, int]] = []
        self.pot: tuple[str, int] | None = None

    def numbered_lines(self, k: int, after: int) -> Iterator[tuple[int, str]]:
        """Yield lines `k` up to `after`, before the summary without what stands before each name."""
        self.after = after
        for at, line in super().numbered_lines(k, after):
            yield at, line if self.summary_line else line.removeprefix(self.BEFORE)

    def read_line(self, line: str) -> bool:
        """Read any other line, or an act of somebody who is not listed."""
        whole = self.lines.text[self.place]
        acts = not self.summary_line and whole.startswith(self.BEFORE)
        return self.stranger(whole.removeprefix(self.BEFORE)) if acts else super().read_line(line)

    def heading(self, title: str, rest: str) -> bool:
        """Read `*** FLOP ***: [2c 7d Kc]` and `*** Third street ***`."""
        found = read_groups(self.read_cards, rest.strip(" :"))
        if title in self.STREETS and found:
            self.deal_board(self.STREETS[title], found[-1])
        elif title in LATER:
            self.deal_street(LATER[title])
        else:
            return False
        return True

    # -- cards that come one by one ---------------------------------------------------------------

    def gets(self, seat: Seat, cards: Cards) -> bool:
        """Deal one card to a seat: with the ones before it if the deal still goes on."""
        if len(cards) != 2:
            return False
        if self.stud and self.street not in stud.FIRST_STREETS:
            stud.deals(self, seat, cards)
            return True
        at = self.hole.setdefault(seat, len(self.events))
        held = self.events[at] if 0 <= at < len(self.events) else None
        whole = (held.cards if isinstance(held, HoleCardsDealt) else "") + cards
        if len(whole) > 2 * VARIANTS[self.game.variant].start_cards:
            return False
        up = "ddu"[: len(whole) // 2] if self.stud else ""
        self.betting.street = "third" if self.stud else self.street
        self.has_own_cards = self.has_own_cards or (up[-1:] != "u" and cards != UNKNOWN_CARD)
        how: HowKnown = "unknown" if up[-1:] != "u" else "dealt-up"
        dealt = HoleCardsDealt(seat, whole, up, how if whole.startswith(UNKNOWN_CARD) else "owner")
        if isinstance(held, HoleCardsDealt):
            self.events[at] = dealt  # one event, at the place of the first card
        else:
            self.hole[seat] = len(self.events)
            self.add_event(dealt)
        return True

    def gets_hidden(self, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
        """Read `received a card.`: of games without open cards the line tells only that the seat plays."""
        if self.stud:
            self.gets(seat, UNKNOWN_CARD)
        else:
            self.hole.setdefault(seat, -1)

    def end_deal(self) -> None:
        """End the deal before the first act; who got no card is out."""
        if not self.hole:
            return
        for seat in self.seat_event_index:
            if seat not in self.hole and not self.chips_put_in(seat):
                self.leave_out_as_said(seat)
        at = next((k for k, event in enumerate(self.events) if type(event) in BEHIND_DEAL), len(self.events))
        self.insert_and_shift(at, DealCompleted())
        self.hole = {seat: where + (where >= at) for seat, where in self.hole.items()}

    # -- acts that need more than their words -----------------------------------------------------

    def goes_all_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Put the rest of the stack in: before the first card that is a post too short to be called one."""
        ahead = None if self.hole else self.posts_ahead()
        make: acts.TellAction = acts.puts_all_in
        if ahead is not None:
            antes = [event.seat for event in self.events if isinstance(event, AntePosted)]
            roles = [event.role for event in self.events if isinstance(event, BlindPosted)]
            if any(" ante (" in line for line in ahead) or (antes and not roles and seat not in antes):
                make = acts.antes
            elif self.big_blind_seat:
                make = acts.enters_small_or_big
            else:
                make = acts.big_blind if roles or not ahead else acts.small_blind
        make(self, seat, amount, True)

    def posts_ahead(self) -> list[str] | None:
        """Return the posts that follow before the first card; None where no card follows them."""
        found: list[str] = []
        for line in map(str.rstrip, self.lines.text[self.place + 1 : self.place + _POSTS_MOST]):
            if " received " in line and line.startswith(self.BEFORE):
                return found
            if line.endswith(_NO_POST):
                return None
            if line.endswith((")", " dead bet")):
                found.append(line)
        return None

    # -- players who act and have no line in the list of seats -------------------------------------

    def stranger(self, rest: str) -> bool:
        """Read an act of somebody whom the list of seats does not name: it counts, at a seat that is inferred."""
        name = acting(rest)
        if name is None or name in self.seats or len(self.stacks) >= SEATS - 1 or self.holds_a_line(name):
            return False
        self.seats[name] = self.silent_seat(name) or self.new_seat(name)
        self.index_names()
        before = len(self.events)
        done = self.read_action(self.seats[name], rest[len(name) + 1 :].strip())
        self.inferred.extend(range(before, len(self.events)))
        return done

    def silent_seat(self, name: str) -> Seat:
        """Return the seat of the one listed player of whom no line tells, if the stranger is the only one."""
        seen: set[str] = set()
        unknown = {name}
        for line in self.lines.text[self.event_places[0] + 1 : self.after]:
            if not line.startswith((self.BEFORE, "*" + self.BEFORE)):
                continue
            rest = line.lstrip("*")[7:]
            listed = [one for one in self.names_longest_first() if rest.startswith(one + " ")]
            if listed:
                seen.add(listed[0])
            elif line[0] == "P" and (other := acting(rest)) is not None:
                unknown.add(other)
        silent = [seat for listed, seat in self.seats.items() if listed not in seen]
        return silent[0] if len(silent) == len(unknown) == 1 else 0

    def new_seat(self, name: str) -> Seat:
        """Deal a stranger in at the button, if nobody sits there, or at the first free seat."""
        button = self.button_and_line[0] if self.button_and_line else 0
        free = (one for one in range(1, SEATS) if one not in self.stacks)
        seat = next(free) if not button or button in self.stacks else button
        self.deal_in_unlisted(seat, name)
        at = self.seat_event_index[seat]
        self.hole = {one: where + (where >= at) for one, where in self.hole.items()}
        self.hole.setdefault(seat, -1)
        return seat

    # -- the summary: who shows what, who is paid what, and what each one lost or won --------------

    def starts_summary(self) -> None:
        """Begin the summary."""
        self.end_deal()
        self.summary_line = self.place

    def result(self, told: str) -> bool:
        """Read `Player X shows: One pair of 9s [Kd Qh]. Bets: 24. Collects: 47. Wins: 23.`."""
        at = told.rfind("Bets: ")
        found = self.results(told[at:]) if at >= 0 else None
        if found is None:
            return False
        bets, collects, net = found
        for seat, rest in self.named_seats(told[:at]):
            if rest.startswith(("shows", "mucks", "does")):
                if not self.hand_of(seat, rest):
                    self.add_unread(self.lines.text[self.place])
                if collects:
                    self.won.append((seat, collects, self.place))
                if bets or net:
                    self.add_event(ResultDeclared("net", seat, net))
                return True
        if not bets and not collects:  # somebody at the table who has no part in the hand
            self.add_remark()
        return not bets and not collects

    def results(self, told: str) -> tuple[Chips, Chips, Chips] | None:
        """Read `Bets: 24. Collects: 0. Loses: 24.`: bets, award, profit."""
        parts = [part.partition(": ") for part in told.split(". ")]
        if any(not colon or name not in ("Bets", "Collects", "Wins", "Loses") for name, colon, _ in parts):
            return None
        found = {name: self.amount(amount) for name, _, amount in parts}
        return found.get("Bets", 0), found.get("Collects", 0), found.get("Wins", 0) - found.get("Loses", 0)

    def hand_of(self, seat: Seat, rest: str) -> bool:
        """Tell cards of `shows: One pair of 9s [Kd Qh]`, `mucks (does not show: [7h 3c])`."""
        before, opening, inner = rest.partition("[")
        inner, closed, behind = inner.partition("]")
        cards = self.read_cards(inner) if closed else None
        if not opening or cards is None:
            return not opening
        if rest.startswith("shows"):
            missing = VARIANTS[self.game.variant].start_cards - len(cards) // 2
            claim = " ".join((before[6:] + behind).split()).strip(" .:")
            self.shows(seat, cards + UNKNOWN_CARD * missing, claim)
            return True
        held = self.hole.get(seat, -1)
        event = self.events[held] if held >= 0 else None
        if not (isinstance(event, HoleCardsDealt) and event.cards == cards):
            self.add_event(HoleCardsLearned(seat, cards))
        return True

    def pot_is(self, told: str) -> bool:
        """Keep `Pot: 7.05. Rake 0.14. JP fee 0.06`, which is told when all are paid."""
        known = all(part.rpartition(" ")[0] in DROPS for part in told.split(". ")[1:])
        if known:
            self.pot = told, self.place
        return known

    def finish(self) -> None:
        """Do what only the whole hand can tell."""
        if not self.summary_line:
            self.end_deal()
            return
        for seat, paid, at in self.won:
            self.place = at
            self.award(seat, paid)
        total: Chips | None = None
        if self.pot is not None:
            words, self.place = self.pot
            pot, *drops = words.split(". ")
            for name, _, amount in (drop.rpartition(" ") for drop in drops):
                chips = self.amount(amount)
                self.total_drop += chips
                self.add_event(DropTaken(DROPS[name], chips))  # type: ignore[arg-type]  # one of two
            total = self.amount(pot) + self.total_drop
            if not self.hidden_drop(total):
                self.add_event(ResultDeclared("total-pot", None, total))
        self.infer_returns_by_pot(total)
        self.leave_out_idle(self.absence_reasons)
        if self.last_line:
            self.complete_hand()

    def hidden_drop(self, total: Chips) -> bool:
        """Infer the jackpot's fee, which files of 2014 leave out: what went in and was not paid.

        Only at tables named after the jackpot, and where all that is left of the pot was paid. True if so.
        """
        words = self.table.replace("(", " ").replace(")", " ").replace(",", " ").split()
        left, rest = total - self.total_drop, self.total_put_in() - total
        if not ("JP" in words or "Beast" in words) or left != self.total_awarded or not 0 < rest < left:
            return False
        self.add_inferred(DropTaken("jackpot", rest))
        return True

    def clean_amount(self, text: str) -> str:
        """Return `24.` as an amount."""
        return text.strip().rstrip(".")

    SEAT_LIST_LINES = (
        *rows_told_by(PhraseHand.note_button, "Seat {seat} is the button", "Seat #{seat} is the button"),
        ("Seat {_} is the button", PhraseHand.is_damaged),
    )
    ACTIONS = (
        *rows_told_by(gets_hidden, "received a card.", "received card."),
        *acts.four_actions("folds", "checks", "calls ({amount})", "bets ({amount})"),
        ("raises ({amount})", acts.raises_by),
        ("caps ({amount})", Hand.caps),
        ("has small blind ({amount})", acts.small_blind),
        ("has big blind ({amount})", acts.big_blind),
        ("posts ({amount})", acts.enters_small_or_big),
        ("posts dead ({amount})", acts.missed_small),
        *rows_told_by(acts.antes, "ante ({amount})", "posts ante ({amount})"),
        *rows_told_by(acts.straddles, "straddle ({amount})", "straddles ({amount})", "posts straddle ({amount})"),
        *rows_told_by(acts.brings_in, "bring in ({amount})", "brings in ({amount})"),
        ("allin ({amount})", goes_all_in),
        ("allin", acts.stays_in),
        ("posts ({amount}) as a dead bet", acts.missed_small),
    )
    PLAYER_LINES = (
        *rows_told_by(gets, "received card: [{cards}]", "received a card: [{cards}]"),
        ("mucks cards", PhraseHand.mucks),
        *rows_told_by(PhraseHand.times_out, "is timed out.", "is timed out"),
        *rows_told_by(presence.sits_out, "sitting out", "sits out"),
        ("wait BB", presence.waits),
        ("stands up", presence.stands_up),
        *rows_told_by(presence.returns, "is back", "sits down"),
        *rows_told_by(PhraseHand.disconnects, "is disconnected and ALL IN.", "is disconnected", "is disconnected."),
        *rows_told_by(PhraseHand.reconnects, "is connected", "is connected.", "is reconnected"),
    )
    LINES = (
        ("*** {title} ***{rest}", heading),
        ("Uncalled bet ({amount}) returned to{name}", PhraseHand.returns_uncalled),
        ("------ Summ{_}", starts_summary),
        ("Board: [{cards}]", PhraseHand.whole_board),
        ("Game ended at:{_}", Hand.ends_hand),
    )
    SUMMARY_LINES = (*rows_told_by(result, "Player {told}", "*Player {told}"), ("Pot: {told}", pot_is))


ACTING: Final = (
    *(" " + parse_phrase(template).parts[0] for template, _ in Started.ACTIONS),
    *(" received card: [", " mucks cards", " is timed out.", " sitting out", " wait BB", " is disconnected"),
)
"""What stands behind the name of somebody who has a part in the hand."""


def acting(rest: str) -> str | None:
    """Return what stands before a phrase that follows a name, which may be nothing; None where none does."""
    found = [at for words in ACTING if (at := rest.rfind(words)) >= 0]
    return rest[: min(found)] if found else None


begins: Final = begins_with_head(HEAD)


@lru_cache(maxsize=_KEPT)
def table_of(rest: str) -> tuple[tuple[str, str], str, str, int]:
    """Read `2/4 Braunite ( Beast ) (Omaha) 8-max`: stakes, name, variant, chairs."""
    stakes, _, rest = rest.partition(" ")
    low, slash, high = stakes.partition("/")
    left, right = rest.rfind("("), rest.rfind(")")
    if not slash or left < 0 or right < left:
        raise UnreadableHandError(f"no stakes and game in {rest[:80]!r}", kind="header")
    chairs = rest[right + 1 :].strip()
    seats = small_number(chairs.removesuffix("-max")) if chairs.endswith("-max") else 0
    return (low, high), rest[:left].strip(), variant(rest[left + 1 : right]), seats


def betting(game: str, stakes: tuple[Chips, ...], text: Iterable[str], exponent: int) -> Betting:
    """Return the limit, which no line tells: where it is fixed the blinds are half the stakes."""
    if game in games.STUD:
        return "limit"
    usual: Betting = "no-limit" if game in ("holdem", "short-deck") else "pot-limit"
    for line in text:
        if line.startswith("*** "):
            break
        if " blind (" not in line:
            continue
        for words, stake in ((" has big blind (", stakes[1]), (" has small blind (", stakes[0])):
            _, found, amount = line.rpartition(words)
            posted = amounts.read_or_none(amount.rstrip().rstrip(")"), exponent) if found else None
            if posted and posted == stake:
                return usual
            if posted is not None and 2 * posted == stake:
                return "limit"
    return usual


def tell(page: HandPage) -> Hand:
    """Read one hand."""
    text = page.lines.text
    written, noted = without_note(text[page.first_line].partition(":")[2])
    at = page.second_line
    if at >= page.end_line or not text[at].startswith("Game ID: "):
        raise no_second_line("`Game ID:`")
    digits, _, rest = text[at][9:].strip().partition(" ")
    require_number(digits)
    stakes, name, game, chairs = table_of(rest)
    file = facts(page.source)
    title, comma, table = name.rpartition(", Table ")
    tournament = bool(comma or noted) or file.is_tournament
    exponent = page.exponent if page.exponent is not None else 0 if tournament else 2
    bets = tuple(amounts.read(one, exponent) for one in stakes)
    limit = betting(game, bets, text[at : page.end_line], exponent)
    unit = "chips" if tournament else "play" if name.startswith("PM ") else "USD"
    made = games.game_set(game, limit, bets, unit=unit, exponent=exponent, tournament=tournament)
    hand = Started(page.lines, page.people, VENUE, made, page.first_line)
    hand.table, hand.place = name, at
    costs = TournamentSet(written=title or file.title or name) if tournament else None
    hand.tell_hand(at + 1, page.end_line, costs, OptionSet("other", "cap") if "CAP" in name.split() else None)
    which = (file.tournament or noted or title or name or "?") if tournament else ""
    known = WITNESSES | int(Witness.CLOCKS)
    hand.open_hand(table if comma else name, digits, known, None, written, chairs, which)
    return hand
