"""Names for the codes in events: reasons, kinds, origins, roles."""

from __future__ import annotations

from typing import Final

from ledger import safe
from ledger.text.language import phrase, translatable

_CODE_NAMES: Final = {
    "sitting-out": translatable("sitting out"),
    "away": translatable("away"),
    "waiting-for-big-blind": translatable("waiting for big blind"),
    "waiting-for-button": translatable("waiting for button"),
    "moved": translatable("moved"),
    "no-chips": translatable("no chips"),
    "asked-to-be-dealt-out": translatable("asked to be dealt out"),
    "between-button-and-blinds": translatable("between button and blinds"),
    "reserved": translatable("reserved"),
    "walk-in": translatable("walk in"),
    "broken-game": translatable("broken game"),
    "limit-change": translatable("limit change"),
    "playing-over": translatable("playing over"),
    "game-start": translatable("game start"),
    "table-balance": translatable("table balance"),
    "must-move": translatable("must move"),
    "returning": translatable("returning"),
    "left": translatable("left"),
    "removed": translatable("removed"),
    "busted": translatable("busted"),
    "missed-post": translatable("missed post"),
    "sits-out": translatable("sits out"),
    "stood-up": translatable("stood up"),
    "forced": translatable("forced"),
    "next-hand": translatable("next hand"),
    "spectator": translatable("spectator"),
    "buy-in": translatable("buy in"),
    "rebuy": translatable("rebuy"),
    "add-on": translatable("add on"),
    "top-up": translatable("top up"),
    "admin": translatable("admin"),
    "color-up": translatable("color up"),
    "cash-out": translatable("cash out"),
    "penalty": translatable("penalty"),
    "correction": translatable("correction"),
    "time-charge": translatable("time charge"),
    "prize": translatable("prize"),
    "dead-small-blind": translatable("dead small blind"),
    "dead-button": translatable("dead button"),
    "empty-seat": translatable("empty seat"),
    "absent": translatable("absent"),
    "no-player-due": translatable("no player due"),
    "escaped": translatable("escaped"),
    "change": translatable("change"),
    "refund": translatable("refund"),
    "straddle": translatable("straddle"),
    "rake": translatable("rake"),
    "jackpot": translatable("jackpot"),
    "bingo": translatable("bingo"),
    "fortune": translatable("fortune"),
    "tax": translatable("tax"),
    "other": translatable("other"),
    "total-pot": translatable("total pot"),
    "main-pot": translatable("main pot"),
    "side-pot": translatable("side pot"),
    "drop": translatable("drop"),
    "end-stack": translatable("end stack"),
    "winnings": translatable("winnings"),
    "net": translatable("net"),
    "board": translatable("board"),
    "finish": translatable("finish"),
    "hand-count": translatable("hand count"),
    "other-drop": translatable("other drop"),
    "collected": translatable("collected"),
    "balance": translatable("balance"),
    "cancelled": translatable("cancelled"),
    "aborted": translatable("aborted"),
    "misdeal": translatable("misdeal"),
    "ruling": translatable("ruling"),
    "dealer": translatable("dealer"),
    "player": translatable("player"),
    "floor": translatable("floor"),
    "shift-manager": translatable("shift manager"),
    "manager": translatable("manager"),
    "surveillance": translatable("surveillance"),
    "auditor": translatable("auditor"),
    "host": translatable("host"),
    "house": translatable("house"),
    "software": translatable("software"),
    "regulator": translatable("regulator"),
    "unknown": translatable("unknown"),
}


def name_code(code: str) -> str:
    """Return a code in words. An unknown code is returned sanitized, with spaces for hyphens.

    >>> name_code("sitting-out"), name_code("new-code")
    ('sitting out', 'new code')
    """
    if code in _CODE_NAMES:
        return phrase(_CODE_NAMES[code])
    return safe.terminal(code, 40).replace("-", " ")


def add_reason(text: str, reason: str) -> str:
    """Return a text with the name of a code in parentheses, unless it is "unknown"."""
    return text if reason == "unknown" else phrase("{event} ({reason})", event=text, reason=name_code(reason))
