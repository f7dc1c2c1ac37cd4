"""PokerKit's reader of PHH. It gives results; it shares the pot of a showdown whose cards nobody wrote down."""

from pathlib import Path

from pokerkit import HandHistory


class NotSupportedError(Exception):
    """The reader can't be asked this."""


def read_meaning(path: Path, format_name: str) -> dict:
    if format_name != "phh":
        raise NotSupportedError(f"no reader of {format_name}")
    hand = HandHistory.loads(path.read_text(encoding="utf-8"))
    *_, state = hand
    unit = 100 if hand.currency else 1
    names = dict(zip(hand.players, state.payoffs, strict=True))
    return {"net": {name: round(payoff * unit) for name, payoff in names.items()}}
