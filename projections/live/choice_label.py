"""Name a choice for the next event of a running hand, for a button and for the document of a live table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from ledger.hand.ending import PotAwarded
from ledger.text.language import join_list, phrase, translatable
from projections.sentences import street_name

if TYPE_CHECKING:
    from ledger.recording.choices import HandChoice
    from ledger.vocabulary import Chips

_LABELS: Final = {
    "fold": translatable("fold"),
    "check": translatable("check"),
    "call": translatable("call"),
    "bet": translatable("bet"),
    "raise": translatable("raise"),
    "all-in": translatable("all-in"),
    "deal done": translatable("deal done"),
    "uncalled": translatable("uncalled"),
    "showdown": translatable("showdown"),
    "show": translatable("show"),
    "muck": translatable("muck"),
    "win": translatable("win"),
    "end": translatable("end"),
}
_AMOUNT_LABELS: Final = {
    "call": translatable("call {amount}"),
    "bet": translatable("bet {total}"),
    "raise": translatable("raise to {amount}"),
    "all-in": translatable("all-in {amount}"),
    "uncalled": translatable("uncalled {amount}"),
    "win": translatable("win {amount}"),
}
_MINIMUM_LABELS: Final = {
    "bet": translatable("bet {amount} or more"),
    "raise": translatable("raise to {amount} or more"),
}


def describe_choice(choice: HandChoice, chips: Chips | None, format_chips: Callable[[Chips], str]) -> str:
    """Return a choice as "call $5", "raise to $20 or more", "turn", "win: seat 3 $40, seat 5 $40".

    `chips`: the amount of its only event, if it has one.
    """
    if choice.word == "street":
        return street_name(choice.street)
    awards = [award for award in choice.events if isinstance(award, PotAwarded)]
    if len(choice.events) > 1 and awards:
        parts = [phrase("seat {seat} {amount}", seat=award.seat, amount=format_chips(award.amount)) for award in awards]
        return phrase("win: {awards}", awards=join_list(parts))
    if chips is not None and choice.word in _AMOUNT_LABELS:
        return phrase(_AMOUNT_LABELS[choice.word], amount=format_chips(chips), total=format_chips(chips))
    if choice.min_total and choice.word in _MINIMUM_LABELS:
        return phrase(_MINIMUM_LABELS[choice.word], amount=format_chips(choice.min_total))
    return phrase(_LABELS[choice.word])
