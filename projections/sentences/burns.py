"""Sentences of findings about burn cards."""

from __future__ import annotations

from typing import Final, Literal

from ledger.text.language import phrase, phrase_count, translatable, translatable_count
from projections.sentences import street_name

NoticeTime = Literal["before any action", "before the pot was awarded"]
_NOTICE_TIMES: Final[dict[NoticeTime, str]] = {
    "before any action": translatable("before any action"),
    "before the pot was awarded": translatable("before the pot was awarded"),
}
_SHIFTED_FLOPS: Final = {
    True: translatable_count(
        "cards from {count} place too low in the deck", "cards from {count} places too low in the deck"
    ),
    False: translatable_count(
        "cards from {count} place too high in the deck", "cards from {count} places too high in the deck"
    ),
}
_SHIFTED_CARDS: Final = {
    True: translatable_count(
        "a card from {count} place too low in the deck", "a card from {count} places too low in the deck"
    ),
    False: translatable_count(
        "a card from {count} place too high in the deck", "a card from {count} places too high in the deck"
    ),
}


def burned_before(count: int, street: str) -> str:
    """Headline: how many cards were burned before a street."""
    if not count:
        return phrase("No card was burned before the {street}", street=street_name(street))
    return phrase_count(
        "{count} card was burned before the {street}",
        "{count} cards were burned before the {street}",
        count,
        street=street_name(street),
    )


def burned_note(count: int, street: str) -> str:
    """Note: how many cards were burned before a street."""
    if not count:
        return phrase("no card burned before the {street}", street=street_name(street))
    return phrase_count(
        "{count} card burned before the {street}",
        "{count} cards burned before the {street}",
        count,
        street=street_name(street),
    )


def burns_due(burns: int) -> str:
    """Correct: how many cards are burned."""
    return phrase_count("{count} burn card", "{count} burn cards", burns)


def burn_note() -> str:
    """Note: a burn card."""
    return phrase("burn")


def street_shows_other_cards(count: int, street: str, shown_cards: str) -> str:
    """Headline: a wrong burn was noticed in time, and the street shows other cards than it should."""
    return phrase(
        "{burned_before}; the {street} shows {shown_cards}",
        burned_before=burned_before(count, street),
        street=street_name(street),
        shown_cards=shown_cards,
    )


def noticed_and_flop_kept(count: int, street: str) -> str:
    """Headline: a wrong burn was noticed before any action, and the flop was kept."""
    return phrase(
        "{burned_before}; this was caught before any action, but the flop was kept",
        burned_before=burned_before(count, street),
    )


def noticed_and_not_shuffled(count: int, street: str) -> str:
    """Headline: a wrong burn was noticed before any action, and the deck wasn't shuffled."""
    return phrase(
        "{burned_before}; this was caught before any action, but the deck wasn't shuffled",
        burned_before=burned_before(count, street),
    )


def noticed_and_flop_partly_kept(count: int, street: str) -> str:
    """Headline: a wrong burn was noticed before any action, and only a part of the flop came back."""
    return phrase(
        "{burned_before}; this was caught before any action, but part of the flop was left on the board",
        burned_before=burned_before(count, street),
    )


def reshuffle_and_new_flop() -> str:
    """Correct: a new flop from a shuffled deck."""
    return phrase("a reshuffle and a new flop")


def noticed_and_card_stayed(count: int, street: str, notice_time: NoticeTime) -> str:
    """Headline: a wrong burn was noticed in time, and the card stayed."""
    if street == "flop":
        message = translatable("{burned_before}; this was caught {notice_time}, but the flop was left on the board")
    else:
        message = translatable(
            "{burned_before}; this was caught {notice_time}, but the {street} card was left on the board"
        )
    return phrase(
        message,
        burned_before=burned_before(count, street),
        notice_time=phrase(_NOTICE_TIMES[notice_time]),
        street=street_name(street),
    )


def noticed_and_other_card_came(count: int, street: str, notice_time: NoticeTime, shown_cards: str) -> str:
    """Headline: a wrong burn was noticed in time, and another wrong card came."""
    return phrase(
        "{burned_before}; this was caught {notice_time}, but the corrected {street} used {shown_cards}",
        burned_before=burned_before(count, street),
        notice_time=phrase(_NOTICE_TIMES[notice_time]),
        street=street_name(street),
        shown_cards=shown_cards,
    )


def noticed_after_award(count: int, street: str) -> str:
    """Headline: a wrong burn was noticed after the award, and the board was changed."""
    return phrase(
        "{burned_before}; this was caught after the pot was awarded, but the board was changed",
        burned_before=burned_before(count, street),
    )


def flop_due() -> str:
    """Correct: the flop without the error."""
    return phrase("the flop that was due")


def card_due() -> str:
    """Correct: the card without the error."""
    return phrase("the card that was due")


def board_stands() -> str:
    """Correct: the board stays as it is."""
    return phrase("the board stands")


def card_stands(street: str) -> str:
    """Correct: the cards of a street stay."""
    if street == "flop":
        return phrase("the flop stands")
    return phrase("the {street} card stands", street=street_name(street))


def taken_back_after_action(street: str) -> str:
    """Headline: a card that was acted on was taken back."""
    return phrase("The {street} was taken back after players had acted on it", street=street_name(street))


def shifted_cards(street: str, shift: int) -> str:
    """Return what a street shows: the cards `shift` places further down the deck than it should (negative: up)."""
    messages = _SHIFTED_FLOPS if street == "flop" else _SHIFTED_CARDS
    return phrase_count(*messages[shift > 0], abs(shift))


def street_is_card(street: str, places: str) -> str:
    """Headline: which cards of the deck a street shows."""
    return phrase("The {street} is {places} of the deck", street=street_name(street), places=places)


def one_burn_more(burns: int, street: str) -> str:
    """Correct: the missing burn is made up."""
    return phrase(
        "{burns_due}, since one was missing before the {street}", burns_due=burns_due(burns), street=street_name(street)
    )


def extra_burn_comes_back() -> str:
    """Correct: the extra burn becomes the next one."""
    return phrase("the extra burn goes back on the deck as the next burn")


def extra_burn_comes_back_then(places: str) -> str:
    """Correct: the extra burn becomes the next one, and the cards after it."""
    return phrase("the extra burn goes back on the deck as the next burn, then {places} of the deck", places=places)


def other_burn_than_extra(count: int, street: str, due_street: str) -> str:
    """Headline: the extra burn of an earlier street didn't become the next burn."""
    if count == 1:
        return phrase(
            "The wrong card was burned before the {street}; the extra card burned before the {due_street} should have "
            "been the burn",
            street=street_name(street),
            due_street=street_name(due_street),
        )
    if not count:
        return phrase(
            "No card was burned before the {street}; the extra card burned before the {due_street} should have been the "
            "burn",
            street=street_name(street),
            due_street=street_name(due_street),
        )
    return phrase(
        "{burned_before}; the extra card burned before the {due_street} should have been the only burn",
        burned_before=burned_before(count, street),
        due_street=street_name(due_street),
    )
