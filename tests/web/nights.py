"""Evenings for the tests of pages, in handscript: a wrong button with a showdown behind it, and tables of any size."""

from __future__ import annotations

NAMES = ("Ana", "Bo", "Cy", "Dee", "Eli", "Flo", "Gus", "Hal", "Ivy", "Jon")

HEAD = """handscript 1
venue Riverside table T7 seats 6
witness everything

"""

FIRST_HAND = """hand 411 2026-11-20T22:36:00Z
game holdem no-limit cash blinds 2/5 unit USD 0
option button-method dead
{seats}
button 3
4 posts small 2
5 posts big 5
4 gets Qs Qh
deal done
6 folds
1 folds
2 folds
3 folds
4 folds
5 uncalled 3
5 wins 4 from main
end

4 leaves {fourth} left stack 375

"""

WRONG = """hand 412 2026-11-20T22:41:00Z
game holdem no-limit cash blinds 2/5 unit USD 0
option button-method dead
{seats}
button 5
6 posts small 2
1 posts big 5
1 gets Jc Th
2 gets 7s 2d
3 gets Ah Ad
5 gets Ks Kc
6 gets 9c 4h
deal done
2 folds
3 raises to 15
5 calls 15
6 folds
1 calls 10
burn flop
flop 7h 2c Kd
1 checks
3 bets 40
5 calls 40
1 folds
burn turn
turn 10s
3 checks
5 checks
burn river
river 4s
3 bets 100
5 raises to 327 all-in
3 calls 227
showdown
5 shows Ks Kc
3 mucks Ah Ad
5 wins 776 from main
rake 5
end
"""


def wrong_button(names: tuple[str, ...] = NAMES) -> str:
    """Two hands: seat 4 leaves after the first, and the button of the second passes over the empty seat."""
    quoted = [quote(name) for name in names]
    chips = (617, 488, 905, 377, 380, 540)
    first = "\n".join(f"seat {index} {quoted[index - 1]} {chips[index - 1]}" for index in range(1, 7))
    second = "\n".join(
        f"seat {index} {quoted[index - 1]} {chips[index - 1] + 2 * (index == 5)}" for index in (1, 2, 3, 5, 6)
    )
    return HEAD + FIRST_HAND.format(seats=first, fourth=quoted[3]) + WRONG.format(seats=second).replace("10s", "Ts")


def quote(name: str) -> str:
    """Return a name as handscript writes it."""
    out = []
    for c in name:
        if c in '"\\':
            out.append("\\" + c)
        elif not c.isprintable():
            out.append(f"\\u{{{ord(c):x}}}")
        else:
            out.append(c)
    return f'"{"".join(out)}"'


def table_of(seats: int, names: tuple[str, ...] = NAMES) -> str:
    """One hand of so many players, with bets, a button and blinds before the same seats where there are two."""
    text = "\n".join(f"seat {index} {quote(names[index - 1])} 1234567" for index in range(1, seats + 1))
    small, big = (1, 2) if seats == 2 else (2, 3)
    button = 1
    lines = [f"button {button}", f"{small} posts small 50000", f"{big} posts big 100000"]
    lines += [f"{index} gets {CARDS[index - 1]}" for index in range(1, seats + 1)]
    lines.append("deal done")
    order = [small, big] if seats == 2 else [*range(4, seats + 1), 1, 2, 3]
    lines += [f"{index} calls {100000 - {small: 50000, big: 100000}.get(index, 0)}" for index in order if index != big]
    lines += [f"{big} checks", "burn flop", "flop 7h 2c Kd", "2 bets 200000"]
    game = "hand 1 2026-11-20T22:41:00Z\ngame holdem no-limit cash blinds 50000/100000 unit chips 0\n"
    return HEAD.replace("seats 6", f"seats {seats}") + game + text + "\n" + "\n".join(lines) + "\nstop\n"


def quiet_night(seats: int, names: tuple[str, ...] = NAMES) -> str:
    """Two hands that everybody folds to the big blind, so that the blinds of the next hand are known."""
    hands = []
    for number in (1, 2):
        button, small, big = [(number - 1 + step) % seats + 1 for step in ((0, 0, 1) if seats == 2 else (0, 1, 2))]
        chairs = [f"seat {seat} {quote(names[seat - 1])} 1234567" for seat in range(1, seats + 1)]
        folders = [(big - 1 + step) % seats + 1 for step in range(1, seats)]
        hands.append(
            f"hand {number} 2026-11-20T22:4{number}:00Z\ngame holdem no-limit cash blinds 50000/100000 unit USD 0\n"
            + "\n".join(
                [*chairs, f"button {button}", f"{small} posts small 50000", f"{big} posts big 100000", "deal done"]
            )
            + "".join(f"\n{seat} folds" for seat in folders)
            + f"\n{big} uncalled 50000\n{big} wins 100000 from main\nend\n"
        )
    return HEAD.replace("seats 6", f"seats {seats}") + "\n".join(hands)


CARDS = ("Jc Th", "7s 2d", "Ah Ad", "Ks Kc", "9c 4h", "8c 8h", "5d 5s", "Qd Jd", "6c 3c", "As Qh")
