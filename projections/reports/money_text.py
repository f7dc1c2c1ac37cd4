"""Describe each event about the money around a table in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from ledger import safe
from ledger.table import money_events as m
from ledger.text.language import phrase, translatable
from ledger.vocabulary import Cents, PlayerId, in_units
from projections.amount_text import MoneyFormat

BOX_NAMES: Final = {
    "drop": translatable("drop box"),
    "jackpot": translatable("jackpot box"),
    "promotion": translatable("promotion box"),
}
_FUND_PAYMENTS: Final = {
    "jackpot": translatable("the jackpot pays {player} {amount}"),
    "promotion": translatable("the promotion pays {player} {amount}"),
}
_FUND_PAYMENTS_FOR_HAND: Final = {
    "jackpot": translatable("the jackpot pays {player} {amount} for hand {hand}"),
    "promotion": translatable("the promotion pays {player} {amount} for hand {hand}"),
}
_SALES: Final = {
    "entry": translatable("{player} buys an entry for {price}"),
    "re-entry": translatable("{player} buys a re-entry for {price}"),
    "rebuy": translatable("{player} buys a rebuy for {price}"),
    "add-on": translatable("{player} buys an add-on for {price}"),
}
_SALES_WITH_CHIPS: Final = {
    "entry": translatable("{player} buys an entry for {price} and gets {chips} in chips"),
    "re-entry": translatable("{player} buys a re-entry for {price} and gets {chips} in chips"),
    "rebuy": translatable("{player} buys a rebuy for {price} and gets {chips} in chips"),
    "add-on": translatable("{player} buys an add-on for {price} and gets {chips} in chips"),
}
_CENT_DECIMALS: Final = 2


class _MoneyDescriber(Protocol):
    """The part of `EventDescriber` that these sentences use."""

    money: MoneyFormat

    def name_person(self, player: PlayerId) -> str:
        """Return the sanitized name of a player."""


def format_cents(cents: Cents) -> str:
    """Return money of a tournament without its currency, which its events don't state."""
    return in_units(cents, _CENT_DECIMALS)


def format_price(entry: m.EntrySold) -> str:
    """Return the price of an entry with its fee, as on a tournament sheet: `100+10`."""
    return f"{format_cents(entry.price)}+{format_cents(entry.fee)}" if entry.fee else format_cents(entry.price)


def _describe_box(describer: _MoneyDescriber, event: m.BoxCounted) -> str:
    box, counted_amount = phrase(BOX_NAMES[event.kind]), describer.money(event.amount)
    if not event.shift:
        return phrase("{box} counted: {amount}", box=box, amount=counted_amount)
    return phrase(
        "{box} counted after shift {shift}: {amount}",
        box=box,
        shift=safe.terminal(event.shift, 40),
        amount=counted_amount,
    )


def _describe_sale(describer: _MoneyDescriber, event: m.EntrySold) -> str:
    player, price = describer.name_person(event.player), format_price(event)
    if not event.chips:
        return phrase(_SALES[event.kind], player=player, price=price)
    return phrase(
        _SALES_WITH_CHIPS[event.kind], player=player, price=price, chips=in_units(event.chips, describer.money.exponent)
    )


def _build_amount_handler(message: str) -> Callable[[_MoneyDescriber, Any], str]:
    """Return a handler for an event that only has an amount of chips."""
    return lambda describer, event: phrase(message, amount=describer.money(event.amount))


def _describe_fund_payment(describer: _MoneyDescriber, event: m.FundPaid) -> str:
    player, amount = describer.name_person(event.player), describer.money(event.amount)
    if event.hand:
        return phrase(
            _FUND_PAYMENTS_FOR_HAND[event.kind], player=player, amount=amount, hand=safe.terminal(event.hand, 40)
        )
    return phrase(_FUND_PAYMENTS[event.kind], player=player, amount=amount)


def _describe_pool(_describer: _MoneyDescriber, event: m.PrizePoolStated) -> str:
    amounts = {
        "amount": format_cents(event.amount),
        "guaranteed": format_cents(event.guaranteed),
        "added": format_cents(event.added),
    }
    if event.guaranteed and event.added:
        return phrase("the prize pool is {amount}, with {added} added money and {guaranteed} guaranteed", **amounts)
    if event.guaranteed:
        return phrase("the prize pool is {amount}, with {guaranteed} guaranteed", **amounts)
    if event.added:
        return phrase("the prize pool is {amount}, with {added} added money", **amounts)
    return phrase("the prize pool is {amount}", **amounts)


HANDLERS: Final[dict[type, Callable[[_MoneyDescriber, Any], str]]] = {
    m.BoxCounted: _describe_box,
    m.ChipsFilled: _build_amount_handler(translatable("fill: the tray gets {amount}")),
    m.ChipsCredited: _build_amount_handler(translatable("credit: the tray gives back {amount}")),
    m.TrayCounted: _build_amount_handler(translatable("tray counted: {amount}")),
    m.FundPaid: _describe_fund_payment,
    m.EntrySold: _describe_sale,
    m.PrizePoolStated: _describe_pool,
    m.PrizePaid: lambda describer, event: phrase(
        "place {place}: {player} gets {amount}",
        place=event.place,
        player=describer.name_person(event.player),
        amount=format_cents(event.amount),
    ),
}
