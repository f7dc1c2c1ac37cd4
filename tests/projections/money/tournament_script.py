"""A tournament of three tables that break to one, as a tournament director would write it down."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

CHAIRS = 9
SMALL, BIG = 100, 200
STACK = 5000
ADD_ON = 2000
PRICE, FEE = 100, 20
SHARES = (50, 30, 20)
"""The percentage of the pool for each place."""
FIRST_SEATS = (1, 3, 4, 6, 7, 9)
NAMES = (
    ("Ann", "Bo", "Cy", "Dee", "Eli", "Flo"),
    ("Gus", "Hal", "Ida", "Jo", "Kim", "Lou"),
    ("Mia", "Ned", "Oz", "Pam", "Quin", "Roy"),
)
BEGINS = datetime(2026, 11, 29, 19, tzinfo=UTC)
BOARD = ("flop Kh 9s 4c", "turn 3s", "river Jd")


@dataclass
class ScriptTable:
    """A table that is written down hand by hand. Blinds move under the dead button."""

    name: str
    seats: dict[int, tuple[str, int]]  # name and stack
    now: datetime
    button: int = 0
    small: int = 0
    big: int = 0
    hands: int = 0
    lines: list[str] = field(default_factory=list)
    has_times: bool = True
    chairs: int = CHAIRS

    def open(self, *facts: str) -> None:
        """Write the head, and who sits where."""
        seats = f"  seats {self.chairs}" if self.chairs else ""
        self.lines = [
            "handscript 1",
            f'venue "Desert Palms"  tournament 88  table {self.name}{seats}',
            "witness live-table except burns shuffles",
            f"game holdem no-limit tournament blinds {SMALL}/{BIG} unit chips 0",
            *facts,
            *[f"{seat} sits {name} stack {stack}" for seat, (name, stack) in sorted(self.seats.items())],
        ]
        self.draw_button()

    def draw_button(self) -> None:
        """Put the button and the blinds on the first three players."""
        self.button, self.small, self.big = 0, *sorted(self.seats)[:2]

    def after(self, seat: int) -> list[int]:
        """Return the occupied seats clockwise, beginning after a seat."""
        return sorted(self.seats, key=lambda other: (other - seat - 1) % CHAIRS)

    def move_button(self) -> None:
        """Move the big blind to the next player; small blind and button follow it, to empty seats, too."""
        self.button, self.small, self.big = self.small, self.big, self.after(self.big)[0]
        if len(self.seats) == 2:
            self.button = self.small = self.after(self.big)[0]

    def begin_hand(self) -> list[str]:
        """Return the first lines of the next hand."""
        self.hands += 1
        self.now += timedelta(minutes=2)
        self.move_button()
        time = f" {self.now:%Y-%m-%dT%H:%M:%SZ}" if self.has_times else ""
        lines = [f"hand {self.name}-{self.hands}{time}"]
        lines += [f"seat {seat} {name} {stack}" for seat, (name, stack) in sorted(self.seats.items())]
        lines.append(f"button {self.button}")
        if self.small in self.seats:
            lines.append(f"{self.small} posts small {SMALL}")
        return [*lines, f"{self.big} posts big {BIG}", "deal done"]

    def add_chips(self, seat: int, chips: int) -> None:
        """Add chips to a seat."""
        name, stack = self.seats[seat]
        self.seats[seat] = name, stack + chips

    def play(self, hands: int = 1) -> None:
        """Play hands that the big blind wins from the small blind or, if that is dead, loses to the first caller."""
        for _ in range(hands):
            lines = self.begin_hand()
            order = self.after(self.big)
            if self.small in self.seats:
                lines += [f"{seat} folds" for seat in order if seat != self.big]
                lines += [f"{self.big} uncalled {BIG - SMALL}", f"{self.big} wins {2 * SMALL} from main"]
                self.add_chips(self.small, -SMALL)
                self.add_chips(self.big, SMALL)
            else:
                caller = order[0]
                lines += [f"{caller} calls", *[f"{seat} folds" for seat in order[1:-1]], f"{self.big} checks"]
                lines += [BOARD[0], f"{self.big} checks", f"{caller} bets {BIG}", f"{self.big} folds"]
                lines += [f"{caller} uncalled {BIG}", f"{caller} wins {2 * BIG} from main"]
                self.add_chips(self.big, -BIG)
                self.add_chips(caller, BIG)
            self.lines += ["", *lines, "end"]

    def find(self, name: str) -> int:
        """Return the seat of a player."""
        return next(seat for seat, (player, _) in self.seats.items() if player == name)

    def shortest(self) -> str:
        """Return the player with the fewest chips."""
        return min(self.seats.values(), key=lambda player: (player[1], player[0]))[0]

    def bust(self, loser_name: str, rank: int, by: str = "") -> str:
        """Play a hand in which a player loses all chips, by default to the largest stack; rank 0 = not noted."""
        lines = self.begin_hand()
        loser = self.find(loser_name)
        others = [seat for seat in self.seats if seat != loser]
        winner = self.find(by) if by else max(others, key=lambda seat: (self.seats[seat][1], seat))
        at_risk, covers = self.seats[loser][1], self.seats[winner][1]
        put = {self.small: SMALL} if self.small in self.seats else {}
        put[self.big] = BIG
        order, has_raised = self.after(self.big), False
        assert covers >= at_risk, (loser_name, at_risk, covers)
        if order.index(winner) < order.index(loser):  # calls first, then calls the raise
            early = order[: order.index(loser)]
            lines += [f"{seat} calls" if seat == winner else f"{seat} folds" for seat in early]
            put[winner] = BIG
            order = [*order[order.index(loser) :], winner]
        for seat in order:
            if seat == loser:
                lines.append(f"{seat} raises to {at_risk} all-in")
                put[seat], has_raised = at_risk, True
            elif seat == winner and has_raised:
                lines.append(f"{seat} calls" + (" all-in" if covers == at_risk else ""))
                put[seat] = at_risk
            else:
                lines.append(f"{seat} folds")
        lines += [*BOARD, "showdown", f"{loser} shows 7c 8d", f"{winner} shows As Ah"]
        pot = sum(put.values())
        lines += [f"{winner} wins {pot} from main", "end"]
        for seat, chips in put.items():
            self.add_chips(seat, -chips)
        self.add_chips(winner, pot)
        del self.seats[loser]
        self.lines += ["", *lines, f"eliminated {loser_name}{f' rank {rank}' if rank else ''} seat {loser}"]
        return loser_name

    def dismiss(self, seat: int) -> tuple[str, int]:
        """Send a player away; return name and stack."""
        name, stack = self.seats.pop(seat)
        self.lines.append(f"{seat} leaves {name} moved stack {stack}")
        return name, stack

    def seat(self, seat: int, player: tuple[str, int], origin: str) -> None:
        """Seat a player who comes from elsewhere."""
        self.seats[seat] = player
        self.lines.append(f"{seat} sits {player[0]} {origin} stack {player[1]}")


@dataclass
class ScriptTournament:
    """The tables, and what the desk writes down."""

    tables: list[ScriptTable]  # in play
    desk: list[str]
    broken: list[ScriptTable] = field(default_factory=list)
    finishers: list[str] = field(default_factory=list)  # the winner first

    def texts(self) -> dict[str, str]:
        """Return the text of each stream by its name."""
        texts = {table.name: "\n".join(table.lines) + "\n" for table in [*self.tables, *self.broken]}
        head = ["handscript 1", 'venue "Desert Palms"  tournament 88']
        return {**texts, "desk": "\n".join([*head, *self.desk]) + "\n"}

    def wait(self) -> None:
        """Let all tables stop until the last one has finished its hand."""
        now = max(table.now for table in self.tables)
        for table in self.tables:
            table.now = now


def begin() -> ScriptTournament:
    """Return three tables of six players each."""
    tables = [
        ScriptTable(
            str(number),
            {seat: (name, STACK) for seat, name in zip(FIRST_SEATS, names, strict=True)},
            BEGINS + timedelta(seconds=20 * number),
        )
        for number, names in enumerate(NAMES, 1)
    ]
    return ScriptTournament(tables, [])


@dataclass(frozen=True)
class Faults:
    """What the director does wrong."""

    assigned: str = "seats-assigned drawn"
    mover: str = ""  # another player than the next big blind
    moved_to: int = 0  # another seat than the worst
    skips_balance: bool = False
    waives: bool = False
    breaks: int = 3  # the number of the table that breaks first
    redraws: bool = True
    crowds_final_table: bool = False
    opens_final_table: bool = False  # no fault: both tables break, and the final table is a new one
    changes_seat: bool = False
    adds_chips: int = 0  # to the stack of the player who moves
    forgets_add_on: bool = False
    reentry_stack: int = STACK
    has_times: bool = True
    chairs: int = CHAIRS


def play(faults: Faults = Faults()) -> ScriptTournament:
    """Play the tournament to the final table and three hands at it."""
    tournament = begin()
    first, second, third = tournament.tables
    for table in tournament.tables:
        table.has_times, table.chairs = faults.has_times, faults.chairs
        table.open(faults.assigned)
        table.play(2)
    for rank, name in ((0, "Ned"), (0, "Oz"), (0, "Mia"))[: 3 if faults.skips_balance else 2]:
        third.bust(name, rank)
        first.play()
        second.play()
    if faults.changes_seat:
        second.play(6)
        seat = second.find("Gus")
        new_seat = next(free for free in range(1, CHAIRS + 1) if free not in second.seats)
        second.seats[new_seat] = second.seats.pop(seat)
        second.lines.append(f"moved Gus from {seat} to {new_seat}")
        second.play()
    tournament.wait()
    if faults.skips_balance:
        if faults.waives:
            third.lines.append('ruled floor decision "play on"')
        for _ in range(6):
            for table in (first, second, third):
                table.play()
    else:
        balance(first, third, faults)
    enter_again(third, "Ned", faults.reentry_stack)
    if not faults.forgets_add_on:
        add_on(second, "Hal")
    for table in tournament.tables:
        table.play(2)
    bust_down_to(tournament, 4)
    break_table(tournament, faults.breaks - 1)
    return finish(tournament, faults)


def balance(giver: ScriptTable, taker: ScriptTable, faults: Faults) -> None:
    """Move the next big blind of a table to the worst position of another."""
    seat = giver.find(faults.mover) if faults.mover else giver.after(giver.big)[0]
    name, stack = giver.dismiss(seat)
    player = name, stack + faults.adds_chips
    worst = taker.big % CHAIRS + 1
    while worst in taker.seats:
        worst = worst % CHAIRS + 1
    taker.seat(faults.moved_to or worst, player, "table-balance")


def enter_again(table: ScriptTable, name: str, stack: int) -> None:
    """A player who went broke buys another entry."""
    free_seats = [seat for seat in range(1, CHAIRS + 1) if seat not in table.seats and not waits(table, seat)]
    table.seat(free_seats[0], (name, stack), "unknown")


def add_on(table: ScriptTable, name: str) -> None:
    """A player buys an add-on."""
    seat = table.find(name)
    table.add_chips(seat, ADD_ON)
    table.lines.append(f"{seat} adds {ADD_ON} add-on")


def bust_down_to(tournament: ScriptTournament, players: int) -> None:
    """Let players go out in turn until each table has so many."""
    for table in tournament.tables:
        while len(table.seats) > players:
            rank = sum(len(other.seats) for other in tournament.tables)
            table.bust(table.shortest(), rank)
        table.play()
    tournament.wait()


def break_table(tournament: ScriptTournament, index: int) -> None:
    """Break a table: its players fill the others by turns."""
    broken = tournament.tables.pop(index)
    others = tournament.tables
    for count, seat in enumerate(list(broken.seats)):
        player = broken.dismiss(seat)
        table = others[count % len(others)]
        free_seats = [free for free in range(1, CHAIRS + 1) if free not in table.seats and not waits(table, free)]
        table.seat(free_seats[-1], player, "broken-game")
    broken.lines.append("game-broken")
    tournament.broken.append(broken)


def waits(table: ScriptTable, seat: int) -> bool:
    """Whether a newcomer there would be between button and small blind on the next hand."""
    return (seat - table.small) % CHAIRS < (table.big - table.small) % CHAIRS or seat == table.big


def finish(tournament: ScriptTournament, faults: Faults) -> ScriptTournament:
    """Play two tables down to the final table, draw its seats, and play three hands."""
    for table in tournament.tables:
        table.play(3)
    first, second = tournament.tables
    bust_down_to(tournament, 5)
    if not faults.crowds_final_table:
        first.bust(first.shortest(), 10)
    tournament.wait()
    arriving = [second.dismiss(seat) for seat in list(second.seats)]
    second.lines.append("game-broken")
    if faults.opens_final_table:
        first = open_final_table(first, arriving)
        tournament.broken.append(tournament.tables[0])
        tournament.tables[0] = first
    elif faults.redraws:
        staying = [first.dismiss(seat) for seat in list(first.seats)]
        players = [*arriving, *staying]
        first.chairs = max(first.chairs, len(players))
        for seat, player in enumerate(players, 1):
            first.seat(seat, player, "table-balance")
        first.lines += ["game-started"]
        first.draw_button()
    else:
        free_seats = [free for free in range(1, CHAIRS + 2) if free not in first.seats]
        for seat, player in zip(free_seats, arriving, strict=False):
            first.seat(seat, player, "broken-game")
    first.play(3)
    tournament.broken.append(tournament.tables.pop(1))
    finishers = []
    while len(first.seats) > 1:
        finishers.append(first.bust(first.shortest(), len(first.seats)))
        if len(first.seats) > 1:
            first.play()
    tournament.finishers = [first.shortest(), *reversed(finishers)]
    tournament.desk = write_desk(tournament, faults)
    return tournament


def open_final_table(table: ScriptTable, arriving: list[tuple[str, int]]) -> ScriptTable:
    """Break a table, too, and seat everybody at a new one."""
    staying = [table.dismiss(seat) for seat in list(table.seats)]
    table.lines.append("game-broken")
    players = [*arriving, *staying]
    final_table = ScriptTable("4", dict(enumerate(players, 1)), table.now, chairs=max(CHAIRS, len(players)))
    final_table.open("seats-assigned drawn")
    return final_table


def write_desk(tournament: ScriptTournament, faults: Faults) -> list[str]:
    """Return what the desk sold, stated and paid."""
    lines = [f"entry {name} {PRICE} fee {FEE} gets {STACK}" for names in NAMES for name in names]
    lines += [f"re-entry Ned {PRICE} fee {FEE} gets {faults.reentry_stack}", f"add-on Hal 50 gets {ADD_ON}"]
    pool = PRICE * 19 + 50
    lines.append(f"prize-pool {pool}")
    prizes = zip(SHARES, tournament.finishers, strict=False)
    return lines + [f"prize {place} {name} {pool * share / 100:.2f}" for place, (share, name) in enumerate(prizes, 1)]
