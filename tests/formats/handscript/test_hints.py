"""Lines as people write them: what is read, what is answered, and that no answer names what its line does not.

`written.txt` has a few hundred lines with what each means. The law of the answers holds of those and of
random changes of them: a hint that is followed is read, and makes up no player, chips or card.
"""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime
from itertools import chain
from typing import Final

import pytest

from ledger.errors import UnreadableHandError
from ledger.formats.handscript.context import Settings
from ledger.formats.handscript.live import LiveLines
from ledger.people import People
from tests.formats.handscript import test_shorthand
from tests.formats.handscript.tableside import PLACES, Outcome, WrittenLine, outcome, written_lines
from tests.laws import size

LINES: Final = written_lines()
READ: Final = [line for line in LINES if line.read]
ANSWERED: Final = [line for line in LINES if not line.read]

_SEATED: Final = frozenset(("Al", "Bo", "Cy", "Di"))
_CARD: Final = re.compile(r"(?<![A-Za-z0-9])(?:(?:10|[2-9TJQKA])[shdc])+(?![A-Za-z0-9])", re.IGNORECASE)
_QUOTED: Final = re.compile(r"(?: as)? \"[^\"]*\"")
_PLACE: Final = re.compile(r"\b(?!USD)[A-Z]{2,}\b")
_NUMBER: Final = re.compile(r"(?<![\w.])[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?![\w])")
_NOT_MONEY: Final = re.compile(
    r"\b(?:seats?|players?|hand|cards?|deck|holds|discards|clock|table) [0-9]+"
    r"|\bmoved .*"
    r"|[0-9]+ (?:(?:hole )?cards?|players?|hands?|times?|seats?|seconds)\b(?! [0-9])"
    r"|\bwith (?:an? |one )?[0-9]+ chips?\b|\b[0-9] chips\b"
)
_CHIP: Final = re.compile(r"\b([0-9]+) chip\b")
_OTHER_AMOUNTS: Final = re.compile(r"all[ -]?in|shove|jam|push|\bby\b|raised by|^hand|^game|stacks", re.IGNORECASE)
_SEAT: Final = re.compile(r"\b(?:seat|clock) ([0-9]+)\b")
_COUNT: Final = re.compile(r"\b[0-9]+ (?:(?:hole |exposed )?cards|seconds|minutes|times|players)\b")
_OFFERED: Final = re.compile(r"(?:Write|write|so much): (.*)$")


def numbers(text: str) -> set[float]:
    """Return the numbers of a text that may be money: what begins a line is a seat."""
    parts = [
        re.sub(r"^(?:(?:seat )?[0-9?]+(?:,|, | and | & | )?)+(?=[^0-9.])", "", part.strip()) for part in text.split(";")
    ]
    matches = chain.from_iterable(_NUMBER.findall(_NOT_MONEY.sub(" ", part)) for part in parts)
    return {float(number.replace(",", "")) for number in matches}


def cards(text: str) -> set[str]:
    """Return the cards of a text."""
    codes = "".join(_CARD.findall(text)).replace("10", "T")
    return {codes[index].upper() + codes[index + 1].lower() for index in range(0, len(codes), 2)}


def hints(outcome: Outcome) -> list[str]:
    """Return the lines that an answer offers and that can be followed as they are."""
    offered = [outcome.write, *(match[1] for match in [_OFFERED.search(outcome.hint)] if match)]
    return [line for line in offered if line and not _PLACE.search(line)]


def made_up(line: str, hint: str, answer: str, followed: Outcome) -> list[str]:
    """Return what a hint names and its line does not: players, chips, cards."""
    new = followed.people - _SEATED
    lines = [f"player {name}" for name in new if not set(name.split()) <= set(line.replace('"', " ").split())]
    lines += [
        f"player {name}"
        for name in new
        if name.islower() and f'"{name}"' not in line and f"called {name}" not in answer
    ]
    write = _QUOTED.sub("", hint)
    seats = set(re.findall("[0-9]+", _COUNT.sub("", line)))  # what counts is no seat
    seats |= {str(index) for index, name in enumerate(("Al", "Bo", "Cy", "Di"), 1) if name.lower() in line.lower()}
    lines += [f"seat {seat}" for seat in _SEAT.findall(write) if seat not in seats]
    lines += [f"card {card}" for card in cards(write) - cards(line)]
    if (
        not _OTHER_AMOUNTS.search(line)
        and not hint.startswith(("game", "stakes"))
        and "all-in" not in hint
        and "raised by" not in answer
    ):
        named_amounts = numbers(line) | {float(chip) for chip in _CHIP.findall(line) if f"chips {chip}" in hint}
        lines += [f"chips {amount:g}" for amount in numbers(write) - named_amounts]
    return lines


def broken(place: str, line: str) -> list[str]:
    """Return how the answer to a line breaks the law."""
    answer = outcome(place, line)
    if answer.events:
        return []
    faults = []
    for hint in hints(answer):
        followed = outcome(place, hint)
        if not followed.events and not hint.startswith("game"):  # it stands in the header's place
            faults.append(f"{place}: {line!r} → {hint!r} is refused")
        hint_text = answer.hint if hint != answer.write else ""
        faults += [
            f"{place}: {line!r} → {hint!r} makes up {invention}"
            for invention in made_up(line, hint, hint_text, followed)
        ]
    return faults


@pytest.mark.parametrize("place", PLACES)
def test_lines_are_read_as_what_they_mean(place: str) -> None:
    wrong = [
        f"{entry.line} = {entry.meaning}"
        for entry in READ
        if entry.place == place
        and outcome(place, entry.line).events != outcome(place, *entry.meaning.split("; ")).events
    ]
    assert not wrong


@pytest.mark.parametrize("place", PLACES)
def test_lines_that_leave_something_open_are_answered_with_a_line(place: str) -> None:
    wrong = []
    for entry in ANSWERED:
        if entry.place == place:
            answer = outcome(place, entry.line)
            wrong += [f"{entry.line} ! {answer.write}, not {entry.meaning}"] * (
                bool(answer.events) or answer.write != entry.meaning
            )
    assert not wrong


@pytest.mark.parametrize("line", ["dealer change", "change of dealers", "Dealer changed"])
def test_a_change_of_dealers_asks_for_the_new_one(line: str) -> None:
    between_hands, dealt = outcome("between", line), outcome("dealt", line)
    assert (between_hands.write, between_hands.hint) == ("dealer DEALER", "")
    assert (dealt.write, dealt.hint) == ("", "Write it between hands, with the name of the dealer.")


@pytest.mark.parametrize("place", ["between", "dealt"])
@pytest.mark.parametrize("line", ["break", "on a break", "dinner break"])
def test_a_break_is_answered_with_what_it_may_be(place: str, line: str) -> None:
    answer = outcome(place, line)
    assert answer.write == ""
    assert answer.hint == "Between hands, a pause is: paused break. A game that ends is: game-broken."


def test_a_move_asks_for_seats() -> None:
    assert outcome("between", "moved Al to 5").write == "moved PLAYER from SEAT to SEAT"


@pytest.mark.parametrize("place", PLACES)
def test_no_answer_names_what_its_line_does_not(place: str) -> None:
    faults = chain.from_iterable(broken(place, entry.line) for entry in ANSWERED if entry.place == place)
    assert list(faults) == []


@pytest.mark.parametrize("place", PLACES)
def test_no_line_that_is_read_makes_anybody_up(place: str) -> None:
    for entry in READ:
        if entry.place == place:
            assert all(
                f" {name} " in f" {entry.line} ".replace('"', "")
                for name in outcome(place, entry.line).people - _SEATED
            ), entry


def test_no_answer_of_another_test_makes_anybody_up() -> None:
    for preceding_lines, line, _, _ in test_shorthand.ANSWERED:
        [reject] = test_shorthand.items(test_shorthand.only(preceding_lines, line), People(b"p" * 32))
        write = reject.problems[0].write
        if write and not _PLACE.search(write):
            people = People(b"p" * 32)
            test_shorthand.items(test_shorthand.only(preceding_lines, write), people)
            new = {name for _, name in people.names.values()} - {"Maria", "Joe", "Al", "Old Tom"}
            assert all(name in line for name in new), (line, write)
            assert cards(_QUOTED.sub("", write)) <= cards(line), (line, write)


@pytest.mark.parametrize("place", PLACES)
def test_whoever_types_at_the_table_is_answered_with_a_line_that_is_taken(place: str) -> None:
    for entry in ANSWERED:
        if entry.place == place:
            error = live_error(place, entry.line)
            for hint in hints(Outcome([], write=getattr(error, "write", ""), hint=error.hint)) if error else ():
                assert live_error(place, hint) is None, (entry.line, hint)


def live_error(place: str, line: str) -> UnreadableHandError | None:
    """Return why a line is not taken by whoever keeps the table while it is played."""
    lines = LiveLines(People(b"p" * 32), Settings("Case", "Q"))
    moment = datetime(2026, 11, 20, 20, tzinfo=UTC)
    lines.take("game holdem no-limit cash blinds 5/10 unit chips 0", moment)
    for above in PLACES[place].splitlines():
        lines.take(above, moment)
    seats = {index: lines._people.player("Case", name) for index, name in enumerate(("Al", "Bo", "Cy", "Di"), 1)}
    lines.sits(lambda: seats)
    try:
        for part in line.split("; "):
            lines.take(part, moment)
    except UnreadableHandError as error:
        return error
    return None


_SMALL: Final = "the a with for and in on of to by is seat cards chip chips hand player up out back 3 25 2"
_ACTS: Final = "raises calls bets wins posts antes sits leaves gets moves says shows adds zooms reloads stays flats"


def changed(rng: random.Random, entry: WrittenLine) -> tuple[str, str]:
    """Return a line with one or two changes, in its own place or another."""
    words = entry.line.split()
    for _ in range(rng.choice((1, 1, 2))):
        index = rng.randrange(len(words))
        kind = rng.randrange(7)
        if kind == 0 and len(words) > 1:
            del words[index]
        elif kind == 1:
            words.insert(index + 1, rng.choice(_SMALL.split()))
        elif kind == 2:
            words[index] = rng.choice(_ACTS.split())
        elif kind == 3:
            other_index = rng.randrange(len(words))
            words[index], words[other_index] = words[other_index], words[index]
        elif kind == 4 and len(words[index]) > 2:
            cut = rng.randrange(1, len(words[index]))
            words[index] = words[index][:cut] + words[index][cut + 1 :]
        elif kind == 5:
            words[index] = words[index].swapcase() if words[index].isalpha() and len(words[index]) > 2 else words[index]
        else:
            words[index] = rng.choice(rng.choice(LINES).line.split())
    place = entry.place if rng.random() < 0.7 else rng.choice(list(PLACES))
    return place, " ".join(words)


@pytest.mark.law
def test_no_answer_to_a_line_that_was_changed_at_random_names_what_it_does_not() -> None:
    rng = random.Random(30)
    faults = chain.from_iterable(broken(*changed(rng, rng.choice(LINES))) for _ in range(size(4_000, 60_000)))
    assert list(faults) == []


@pytest.mark.parametrize("line", ["seat 5 empty", "seat 5 is vacant", "Seat 5 empty."])
def test_an_empty_seat_is_no_player(line: str) -> None:
    lines = LiveLines(People(b"p" * 32), Settings("Case", "Q"))
    moment = datetime(2026, 11, 20, 20, tzinfo=UTC)
    for opening_line in ("game holdem no-limit cash blinds 1/2 unit chips 0", "hand 1"):
        lines.take(opening_line, moment)
    with pytest.raises(UnreadableHandError, match="nobody sits in an empty seat") as refused:
        lines.take(line, moment)
    assert refused.value.hint == "Leave this line out."
