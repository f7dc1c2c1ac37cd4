"""Record a table at a terminal: draw it after each line, take single keys for usual actions, complete other lines."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cli.output import console
from cli.screens.record_text import (
    LEAVE,
    build_player_names,
    describe_refusal,
    draw_screen,
    format_finding,
    record_line,
    wrap_message,
)
from ledger import safe
from ledger.errors import HandledgerError, MissingExtraError
from ledger.recording.keys import INSTANT_KEYS, KEYS, is_word_start

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyPressEvent

    from projections.live.live_document import LiveDocument
    from projections.live.live_session import TableSession

_MAX_MESSAGES = 12
KEY_SECONDS = 0.4
"""Seconds after a key in which another letter makes it the beginning of a word, such as floor-called."""


def record_at_terminal(table_session: TableSession) -> None:
    """Ask for lines and record them until the person leaves the table."""
    session = _open_prompt_session(table_session)
    current, messages = table_session.document(), [""]
    while True:
        sys.stdout.write("\x1b[H\x1b[2J" + "\n".join([*draw_screen(current), "", *messages]) + "\n")
        sys.stdout.flush()
        try:
            text = session.prompt(_format_prompt(current), bottom_toolbar=_format_toolbar)
        except (EOFError, KeyboardInterrupt):
            break
        if text.strip() in LEAVE:
            break
        if text.strip() == "?":
            messages = [line for help_line in _list_help() for line in wrap_message(help_line, "      ")]
            continue
        table_session.recorder.look()  # another device may have gone on
        messages, current = _record_line(table_session, text, table_session.document())
    console.write_text(
        f"\n{safe.terminal(current.table)} is saved. To go on: handledger record {safe.terminal(current.table)}"
    )


def _record_line(table_session: TableSession, text: str, earlier: LiveDocument) -> tuple[list[str], LiveDocument]:
    try:
        messages, current = record_line(table_session, text, earlier)
    except HandledgerError as error:
        return [*describe_refusal(error)], table_session.document()
    final_findings: list[str] = []
    if earlier.running and not current.running:
        final_findings = [
            line
            for live_finding in earlier.findings
            for line in format_finding(live_finding, build_player_names(earlier))
        ]
    all_messages = [*messages, *final_findings]
    if len(all_messages) > _MAX_MESSAGES:  # the first says what was done
        all_messages = [all_messages[0], *all_messages[1 - _MAX_MESSAGES :]]
    return all_messages, current


def _format_prompt(current: LiveDocument) -> str:
    return (
        f"{safe.terminal(current.table, 16)} {safe.terminal(current.hand, 16)}> "
        if current.hand
        else f"{safe.terminal(current.table, 16)}> "
    )


def _format_toolbar() -> str:
    """Return the keys and their actions, as many as fit; help and leaving always."""
    shown_keys = ["? help", "q leave"]
    for key_index, key in enumerate(_TOOLBAR):
        if len("  ".join([*shown_keys, key])) < console.find_width():
            shown_keys.insert(key_index, key)
    return "  ".join(shown_keys)


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


def _list_help() -> Iterator[str]:
    for key, (meaning, _) in KEYS.items():
        yield f"  {key}  {meaning}"
    yield "  7h2cKd  the next street's board; Enter alone: nobody saw it"
    yield "  Enter   accepts the proposal: the next hand, the deal, a returned bet, the pot, the end"
    yield "  stop    abandons a hand whose end you didn't see"
    yield "  To begin a word with a key's letter (floor-called), type it in one go or after a space."
    yield "  any other line is handscript: 5 leaves · 3 sits Kim stack 400 · floor-called · 4 straddles 10 · rake 1"


def _open_prompt_session(table_session: TableSession) -> PromptSession[str]:
    """Return the prompt: it completes possible lines, and takes a single key as a line where that is enough."""
    try:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import WordCompleter
        from prompt_toolkit.filters import Condition
        from prompt_toolkit.key_binding import KeyBindings
    except ImportError as error:
        raise MissingExtraError("keeping a table on a terminal", "record") from error
    session: PromptSession[str] = PromptSession(
        completer=WordCompleter(lambda: list_completions(table_session.document()), sentence=True),
        complete_while_typing=False,
    )
    bindings = KeyBindings()

    @Condition
    def is_line_empty() -> bool:
        return not session.default_buffer.text and table_session.recorder.running

    for key in INSTANT_KEYS:

        @bindings.add(key, filter=is_line_empty)
        def _(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text(event.data)
            event.app.create_background_task(_accept_key(event, event.data))

    @Condition
    def is_key_typed() -> bool:
        return session.default_buffer.text in INSTANT_KEYS and table_session.recorder.running

    @bindings.add("<any>", filter=is_key_typed)
    def _(event: KeyPressEvent) -> None:
        first = event.current_buffer.text
        if is_word_start(first, event.data):
            event.current_buffer.insert_text(event.data)
        else:  # the next key is a line of its own
            event.key_processor.feed(event.key_sequence[0], first=True)
            event.app.exit(result=first)

    session.key_bindings = bindings
    return session


async def _accept_key(event: KeyPressEvent, key: str) -> None:
    """Take a key as a line, unless a word goes on from it."""
    await asyncio.sleep(KEY_SECONDS)
    if event.current_buffer.text == key and not event.app.is_done:
        event.app.exit(result=key)


def list_completions(current: LiveDocument) -> list[str]:
    """Return the possible next lines in handscript, for completion."""
    lines = []
    for choice in current.choices:
        seat_text = "" if choice.seat is None else f"{choice.seat} "
        verb = {"fold": "folds", "check": "checks", "call": "calls", "bet": "bets ", "raise": "raises to "}.get(
            choice.word
        )
        if verb is not None:
            lines.append(f"{seat_text}{verb}")
        elif choice.word == "street":
            lines.append(f"{choice.street} ")
        elif choice.word in ("show", "muck", "win"):
            lines.append(f"{seat_text}{choice.word}s ")
    if current.running:
        return [*lines, "rake ", "stop", "floor-called", "undo"]
    return [*lines, "hand ", *(f"{seat_text} " for seat_text in range(1, 11))]
