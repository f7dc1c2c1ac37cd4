"""Whole numbers and amounts, as the words of a line."""

from __future__ import annotations

from typing import Final

from ledger.formats.handscript.tokens import wrong

DIGITS_MOST: Final = 19
WHOLE_MOST: Final = 2**63
_SMALL: Final = {str(number): number for number in range(100)}


def whole(word: str, text: str | None = None) -> int:
    """Return the whole number that a word says."""
    text = word if text is None else text
    small = _SMALL.get(text)
    if small is not None:
        return small
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= DIGITS_MOST:
        found = int(text)
        if -WHOLE_MOST <= found < WHOLE_MOST:
            return found
    raise wrong("a whole number", word)


def amount(word: str, text: str, scale: int) -> int:
    """Return an amount in its smallest unit, of which `scale` decimals make one of the written."""
    if text.isdigit() and text.isascii() and len(text) + scale < DIGITS_MOST:
        return int(text + "0" * scale)
    main, point, fraction = text.partition(".")
    digits = main.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or (point and not (fraction.isascii() and fraction.isdigit())):
        raise wrong("an amount", word)
    if len(fraction) > scale:
        if fraction.strip("0") or len(fraction) > DIGITS_MOST:
            raise wrong(f"an amount with at most {scale} decimals", word)
        fraction = fraction[:scale]
    if len(digits) + scale > DIGITS_MOST + 1:
        raise wrong("an amount of fewer digits", word)
    found = int(main + fraction.ljust(scale, "0"))
    if not -WHOLE_MOST <= found < WHOLE_MOST:
        raise wrong("an amount of fewer digits", word)
    return found
