"""A table that is kept on a terminal: the table drawn after each line, one key for what is usual, completion for the rest."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cli import output
from cli.recording import LEAVE, finding, folded, keep_line, player_names, refused, screen
from ledger import safe
from ledger.errors import HandledgerError, MissingExtraError
from ledger.recording.keys import AT_ONCE, KEYS, goes_on

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyPressEvent

    from projections.live.live_document import LiveDocument
    from projections.live.live_session import TableSession

ALONE = 0.4
"""Seconds within which a word goes on that begins with the letter of a key, such as floor-called."""


def keep(keeping: TableSession) -> None:
    """Ask for line after line until whoever keeps the table leaves it; the record stays as it is."""
    session = _session(keeping)
    now, said = keeping.document(), [""]
    while True:
        sys.stdout.write("\x1b[H\x1b[2J" + "\n".join([*screen(now), "", *said]) + "\n")
        sys.stdout.flush()
        try:
            text = session.prompt(_prompt(now), bottom_toolbar=_keys)
        except (EOFError, KeyboardInterrupt):
            break
        if text.strip() in LEAVE:
            break
        if text.strip() == "?":
            said = [line for one in _help() for line in folded(one, "      ")]
            continue
        keeping.recorder.look()  # another device may have gone on
        said, now = _taken(keeping, text, keeping.document())
    output.put(
        f"\n{safe.terminal(now.table)} is left as it stands; handledger record {safe.terminal(now.table)} goes on."
    )


def _taken(keeping: TableSession, text: str, before: LiveDocument) -> tuple[list[str], LiveDocument]:
    try:
        said, now = keep_line(keeping, text, before)
    except HandledgerError as error:
        return [*refused(error)], keeping.document()
    over: list[str] = []
    if before.running and not now.running:
        over = [line for one in before.findings for line in finding(one, player_names(before))]
    return [*said, *over][-12:], now


def _prompt(now: LiveDocument) -> str:
    return (
        f"{safe.terminal(now.table, 16)} {safe.terminal(now.hand, 16)}> "
        if now.hand
        else f"{safe.terminal(now.table, 16)}> "
    )


def _keys() -> str:
    """Return what the keys do, as far as there is room: help and the way out always."""
    shown = ["? help", "q leave"]
    for at, key in enumerate(_TOOLBAR):
        if len("  ".join([*shown, key])) < output.width():
            shown.insert(at, key)
    return "  ".join(shown)


_TOOLBAR = (
    "f fold",
    "c call/check",
    "b/r amount",
    "a all-in",
    "u undo",
    "Enter = as proposed",
    "cards = board",
    "s show",
    "m muck",
)


def _help() -> Iterator[str]:
    for key, (does, _) in KEYS.items():
        yield f"  {key}  {does}"
    yield "  7h2cKd  the board of the street that is due; Enter alone: nobody saw it"
    yield "  Enter   takes what is proposed: the next hand, the deal, a bet that goes back, the pot, the end"
    yield "  stop    leaves a hand whose end nobody saw"
    yield "  A word may begin with the letter of a key if it is typed in one go, or behind a blank: floor-called."
    yield "  any other line is handscript: 5 leaves · 3 sits Kim stack 400 · floor-called · 4 straddles 10 · rake 1"


def _session(keeping: TableSession) -> PromptSession[str]:
    """Return what asks for a line: it completes what can come next, and takes a key alone where it says all."""
    try:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import WordCompleter
        from prompt_toolkit.filters import Condition
        from prompt_toolkit.key_binding import KeyBindings
    except ImportError as error:
        raise MissingExtraError("keeping a table on a terminal", "record") from error
    session: PromptSession[str] = PromptSession(
        completer=WordCompleter(lambda: words(keeping.document()), sentence=True), complete_while_typing=False
    )
    bindings = KeyBindings()

    @Condition
    def nothing_typed() -> bool:
        return not session.default_buffer.text and keeping.recorder.running

    for key in AT_ONCE:

        @bindings.add(key, filter=nothing_typed)
        def _(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text(event.data)
            event.app.create_background_task(_unless_more(event, event.data))

    @Condition
    def key_typed() -> bool:
        return session.default_buffer.text in AT_ONCE and keeping.recorder.running

    @bindings.add("<any>", filter=key_typed)
    def _(event: KeyPressEvent) -> None:
        first = event.current_buffer.text
        if goes_on(first, event.data):
            event.current_buffer.insert_text(event.data)
        else:  # two keys, one behind the other
            event.key_processor.feed(event.key_sequence[0], first=True)
            event.app.exit(result=first)

    session.key_bindings = bindings
    return session


async def _unless_more(event: KeyPressEvent, key: str) -> None:
    """Take a key for all that was meant, unless a word goes on from it."""
    await asyncio.sleep(ALONE)
    if event.current_buffer.text == key and not event.app.is_done:
        event.app.exit(result=key)


def words(now: LiveDocument) -> list[str]:
    """Return the lines that can come next, as handscript: what Tab offers."""
    found = []
    for one in now.choices:
        seat = "" if one.seat is None else f"{one.seat} "
        verb = {"fold": "folds", "check": "checks", "call": "calls", "bet": "bets ", "raise": "raises to "}.get(
            one.word
        )
        if verb is not None:
            found.append(f"{seat}{verb}")
        elif one.word == "street":
            found.append(f"{one.street} ")
        elif one.word in ("show", "muck", "win"):
            found.append(f"{seat}{one.word}s ")
    if now.running:
        return [*found, "rake ", "stop", "floor-called", "undo"]
    return [*found, "hand ", *(f"{seat} " for seat in range(1, 11))]
