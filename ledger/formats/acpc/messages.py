"""A hand in the messages between dealer and players: `TO 1 at 134.5 MATCHSTATE:0:7:cr20:9hQd|`.

Each message to a player repeats the hand so far as that player may see it; a message from a
player adds the act. A hand's messages are told as one account, each act at the message that
made it and with its time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.acpc.play import (
    MESSAGE,
    MESSAGE_WITNESSES,
    VENUE,
    Match,
    Play,
    cards,
    is_message,
    seats_of,
    structure,
)
from ledger.hand.ending import CardsShown, HandCompleted, RemarkNoted, ShowdownBegun
from ledger.hand.opening import HandOpened
from ledger.readers.reading import Page
from ledger.readers.settling import award_by_play
from ledger.readers.spans import Spans
from ledger.vocabulary import Millis, Witness

_NUMBER_MOST: Final = 12


@dataclass(slots=True)
class Message:
    """One message: whom it concerns, when it was sent, and the hand as it then stood."""

    player: str  # "1" is the first player of the match; "" = the log keeps one side only
    sent: Millis | None
    position: int
    number: str
    betting: str
    hole: list[str]
    boards: list[str]
    act: str  # what the player answers, "" in the dealer's messages
    place: int
    line: str


def moment(text: str) -> Millis | None:
    """Return the moment of `9000000011.914700`, seconds since 1970."""
    whole, _, fraction = text.strip().partition(".")
    digits = whole + fraction[:3].ljust(3, "0")
    if len(whole) > _NUMBER_MOST or not (digits.isascii() and digits.isdecimal()):
        return None
    return int(digits)


def number(line: str) -> str:
    """Return the number of the hand that a message is about."""
    fields = line.partition(MESSAGE)[2].split(":", 2)
    return fields[1] if len(fields) > 2 else ""


def end(text: list[str], k: int) -> int:
    """Return the line behind the messages of the hand that begins in line `k`."""
    mine = number(text[k])
    after = k + 1
    while after < len(text) and ((is_message(text[after]) and number(text[after]) == mine) or not text[after].strip()):
        after += 1
    return after


def tell(page: Page, match: Match) -> Play:
    """Read a hand's messages. What is damaged raises `UnreadableHandError`."""
    lines = page.lines
    places = Spans()
    heard: list[Message] = []
    for k in range(page.first, page.after):
        if lines.text[k].strip():
            place = places.add(lines.starts[k], lines.lengths[k])
            heard.append(_message(lines.text[k].rstrip(), place))
    first = heard[0]
    if first.betting:
        raise UnreadableHandError(
            "the messages begin in the middle of the hand",
            kind="no-header",
            hint="The beginning of the hand lies before this; is it in another file?",
        )
    players = seats_of(first.hole)
    game = structure(players, no_limit=_no_limit(heard, match), reverse=match.reverse)
    play = Play(places, page.people, game, first.place)
    dealt = _seat(play, heard)
    _follow(play, heard)
    _close(play)
    witnesses = MESSAGE_WITNESSES
    if len(dealt) < players:
        witnesses = (witnesses & ~int(Witness.ALL_CARDS)) | int(Witness.OWN_CARDS)
    play.open(HandOpened(VENUE, match.name, first.number, witnesses, first.sent, "", players))
    return play


def _message(line: str, place: int) -> Message:
    head, _, rest = line.partition(MESSAGE)
    words = head.split()
    timed = len(words) == 4 and words[2] == "at"
    fields = rest.split(":")
    own = fields[0]
    if len(fields) not in (4, 5) or not _digits(own, 2) or not _digits(fields[1], 20):
        raise UnreadableHandError("the message breaks off or is damaged", kind="cut-off")
    dealt = fields[3].split("/")
    return Message(
        words[1] if timed and len(words[1]) < 3 else "",
        moment(words[3]) if timed else None,
        int(own),
        fields[1],
        fields[2],
        dealt[0].split("|"),
        dealt[1:],
        fields[4] if len(fields) == 5 else "",
        place,
        line,
    )


def _digits(text: str, most: int) -> bool:
    return 0 < len(text) <= most and text.isascii() and text.isdecimal()


def _no_limit(heard: list[Message], match: Match) -> bool:
    for message in heard:
        said = message.betting + message.act
        at = said.find("r")
        if at >= 0:
            return said[at + 1 : at + 2].isdecimal()
    return (match.guess if match.no_limit is None else match.no_limit) is not False


def _seat(play: Play, heard: list[Message]) -> set[int]:
    """Seat the players and deal what the messages show each of the own cards; return who got any."""
    names = [f"position {position + 1}" for position in range(play.players)]
    spots = [heard[0].place] * play.players
    own: dict[int, Message] = {}
    for message in reversed(heard):
        position = message.position
        if position >= play.players or len(message.hole) != play.players:
            raise UnreadableHandError("the messages differ in how many play", kind="seat")
        if message.player:
            names[position] = message.player
        spots[position] = message.place
        own[position] = message
    play.seat_all(names, spots)
    for position, message in sorted(own.items()):
        play.deal(position, message.hole[position], message.place, "owner")
    play.dealt()
    return {position for position, message in own.items() if message.hole[position]}


def _follow(play: Play, heard: list[Message]) -> None:
    """Tell act by act what each message adds to those before it."""
    known = ""
    boards: list[str] = []
    shown = False
    following = _following(heard)
    for message, state in zip(heard, following, strict=True):
        if len(message.boards) > len(boards):
            boards = message.boards
        if not message.betting.startswith(known):
            raise UnreadableHandError("two messages tell different betting", kind="betting")
        _further(play, message, message.betting[len(known) :], boards)
        known = message.betting
        if not message.act:
            shown = shown or _show(play, message)
        elif state is None or _took(state, known, message.act):
            _further(play, message, message.act, boards)
            known += message.act
        else:
            # The dealer made another act of it, which the next message tells.
            play.at = message.place
            play.put(RemarkNoted(play.people.text(message.line)))


def _following(heard: list[Message]) -> list[str | None]:
    """Return for each message the betting in the dealer's next one, None if there is none."""
    found: list[str | None] = []
    state: str | None = None
    for message in reversed(heard):
        found.append(state)
        if not message.act:
            state = message.betting
    found.reverse()
    return found


def _took(state: str, known: str, act: str) -> bool:
    """Tell whether the dealer took the act as the player sent it."""
    behind = len(known) + len(act)
    return state.startswith(known + act) and not state[behind : behind + 1].isdecimal()


def _further(play: Play, message: Message, betting: str, boards: list[str]) -> None:
    """Tell more betting: acts, and streets with the cards that are out by now."""
    before = len(play.events)
    play.follow(betting, message.place, 0, boards, [message.place] * len(boards))
    if betting:
        play.at = message.place
    if message.sent is not None:
        play.times.update(dict.fromkeys(range(before, len(play.events)), message.sent))


def _show(play: Play, message: Message) -> bool:
    """Show the hands of those who are in, where a message shows a player the cards of others."""
    live = [seat for seat in play.remaining() if message.hole[seat - 1]]
    if len(live) < 2:
        return False
    play.at = message.place
    play.put(ShowdownBegun())
    for seat in live:
        play.put(CardsShown(seat, cards(message.hole[seat - 1], 4)))
    return True


def _close(play: Play) -> None:
    """Infer who was paid, which the messages do not say: by folds, or by the cards."""
    if not play.over:
        return
    play.return_bets()
    award_by_play(play)
    play.put(HandCompleted())
