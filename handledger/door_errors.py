"""Errors of the library: what is wrong, and what to write instead.

`hint` is for programs, or in JSON for assistants (`notation`). `form_hint` is for the page in the pocket: what to tap.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Literal

from handledger.notation import show_option, show_step, show_value
from ledger import safe
from ledger.errors import GameTextError, NoRulebookError, PostsError, TableError
from ledger.text.language import phrase, translatable
from projections.books import rulebook

if TYPE_CHECKING:
    from handledger.answers import Pick

_LONG_NUMBER: Final = 10**18
_MAX_COLUMNS: Final = 60  # columns of a text that an error quotes

# Games


def game_too_long(limit: int) -> GameTextError:
    """Return the error for a text that is too long to name a game."""
    return GameTextError(
        phrase("A game's name has at most {limit} characters.", limit=limit),
        phrase("As in: {example}", example="no-limit 1/3"),
    )


def unknown_game_words(text: str, words: str) -> GameTextError:
    """Return the error for words that aren't the name of a game."""
    return GameTextError(
        phrase("I don't know the game {words} in {text}.", words=_quote(words), text=_quote(text)),
        phrase("Name betting, game and stakes, as in: {example}", example="pot-limit omaha 1/2"),
    )


def betting_missing(text: str) -> GameTextError:
    """Return the error for stakes without a betting limit."""
    return GameTextError(
        phrase("{text} doesn't say whether it's limit, pot-limit or no-limit.", text=_quote(text)),
        phrase("As in: {example}", example="no-limit 1/3"),
    )


def stakes_missing(text: str) -> GameTextError:
    """Return the error for a game without its stakes."""
    return GameTextError(
        phrase("{text} has no blinds.", text=_quote(text)),
        phrase("As in: {example}", example="limit 10/20, no-limit 1/3"),
    )


def third_figure(text: str) -> GameTextError:
    """Return the error for stakes of three figures: the third may be an ante or a blind."""
    return GameTextError(
        phrase("The third figure of {text} may be an ante or a third blind.", text=_quote(text)),
        phrase("Write it out: {first} or {second}", first="no-limit 1/2 ante 5", second="no-limit blinds 1/2/5"),
    )


def stakes_out_of_order(text: str) -> GameTextError:
    """Return the error for blinds or bets that are zero or don't go up."""
    return GameTextError(
        phrase("The blinds or bets of {text} don't go up.", text=_quote(text)),
        phrase("Write the small blind first, as in: {example}", example="no-limit 1/3"),
    )


def bad_unit(unit: object) -> GameTextError:
    """Return the error for a unit that isn't a currency code."""
    return GameTextError(
        phrase("{unit} is no unit of money.", unit=_quote(unit)), phrase('Write a code such as "USD", or "chips".')
    )


def too_many_decimals(text: str, exponent: int) -> GameTextError:
    """Return the error for stakes with more decimals than the table counts in."""
    return GameTextError(
        phrase(
            "This table counts chips with {exponent} decimals; {text} needs more.", exponent=exponent, text=_quote(text)
        ),
        phrase("Make the table with stakes that have as many decimals."),
        form_hint=phrase("Begin a new table, and choose this game there."),
    )


# Seats, names and choices


def not_text(field: str, value: object) -> TableError:
    """Return the error for something that isn't a text."""
    return TableError(
        phrase("{field} is {value}, which isn't a text.", field=field, value=_quote(value)),
        phrase("Write it in quotes."),
    )


def bad_name(name: str, limit: int) -> TableError:
    """Return the error for a name that is empty, too long, or can't be stored."""
    return TableError(
        phrase("{name} can't be a player's name.", name=_quote(name)),
        phrase("A name has 1 to {limit} characters, without line breaks or control characters.", limit=limit),
    )


def number_out_of_range(field: str, value: object, lowest: int, highest: int) -> TableError:
    """Return the error for a number that is out of bounds, or that isn't a whole number."""
    return TableError(
        phrase("{field} is {value}.", field=field, value=_quote(value)),
        phrase("Use a whole number from {lowest} to {highest}.", lowest=lowest, highest=highest),
    )


def bad_seat(seat: object, seats: int) -> TableError:
    """Return the error for a seat that the table doesn't have."""
    return TableError(
        phrase("There is no seat {seat}.", seat=_quote(seat)), phrase("Seats are 1 to {seats}.", seats=seats)
    )


def vacant_seat(seat: int) -> TableError:
    """Return the error for a step of an empty seat."""
    return TableError(
        phrase("Nobody sits in seat {seat}.", seat=seat),
        phrase("To seat a player: {call}", call=show_step("sit", seat=seat, name="Ana")),
        form_hint=phrase("Tap the chair to seat a player."),
    )


def taken_seat(seat: int, name: str) -> TableError:
    """Return the error for a seat that is taken."""
    return TableError(
        phrase("{name} sits in seat {seat}.", name=_quote(name), seat=seat),
        phrase("If the player left: {call}", call=show_step("leave", seat=seat)),
        form_hint=phrase("If the player left, tap the player, then “{key}”.", key=phrase("Leaves the table")),
    )


def seated_elsewhere(name: str, seat: int, new_seat: int) -> TableError:
    """Return the error for a player who already sits at the table."""
    return TableError(
        phrase("{name} sits in seat {seat} already.", name=_quote(name), seat=seat),
        phrase(
            "To change seats: {move}. Another player needs another name.",
            move=show_step("move", seat=seat, to=new_seat),
        ),
        form_hint=phrase("Type another name for the new player."),
    )


def absent_already(seat: int, name: str) -> TableError:
    """Return the error for a player who goes away twice."""
    return TableError(
        phrase("{name} is away already.", name=_quote(name)),
        phrase("If the player is back: {call}", call=show_step("back", seat=seat)),
        form_hint=_tap_back(),
    )


def not_away(name: str) -> TableError:
    """Return the error for a player who comes back without being away."""
    return TableError(
        phrase("{name} isn't away.", name=_quote(name)), phrase("Only a player who is away can come back.")
    )


def owes_too_late(name: str) -> TableError:
    """Return the error for stating missed blinds that follow from the hands of the table."""
    return TableError(
        phrase("What {name} owes follows from the hands of this table.", name=_quote(name)),
        phrase(
            "Blinds missed before: begin with {table}, and say it before the first hand.",
            table=show_option("Table", running=True),
        ),
        form_hint=phrase("Say what a player owes from before ahead of the first hand."),
    )


def bad_option(name: str, value: object, allowed: str) -> TableError:
    """Return the error for a value that an option of the house doesn't take; `allowed`: that of `Option`."""
    return TableError(
        phrase("The option {name} can't be {value}.", name=name, value=_quote(value)),
        phrase("It takes {allowed}.", allowed=allowed),
    )


def bad_choice(field: str, value: object, choices: Iterable[str]) -> TableError:
    """Return the error for a word that isn't among those allowed."""
    return TableError(
        phrase("{field} is {value}.", field=field, value=_quote(value)),
        phrase("Choose one of: {choices}.", choices=", ".join(choices)),
    )


def no_such_pick(name: str, pick: Pick, picks: Iterable[Pick]) -> TableError:
    """Return the error for a choice that a player doesn't have on the coming hand."""
    possible_picks = list(picks)
    if not possible_picks:
        hint = form_hint = phrase("The player has no choice on this hand.")
    else:
        hint = phrase("Possible: {picks}.", picks=", ".join(possible_picks))
        labels = ", ".join(phrase(_PICK_KEYS[possible_pick]) for possible_pick in possible_picks)
        form_hint = phrase("Tap the player and choose: {picks}", picks=labels)
    return TableError(phrase(_NO_SUCH_PICK[pick], name=_quote(name)), hint, form_hint=form_hint)


_NO_SUCH_PICK: Final[dict[Pick, str]] = {
    "post": translatable("{name} can't post to come in on this hand."),
    "wait": translatable("{name} can't wait on this hand."),
    "play": translatable("{name} can't play this hand without a post."),
}
_PICK_KEYS: Final[dict[Pick, str]] = {
    "post": translatable("Posts now"),
    "wait": translatable("Waits"),
    "play": translatable("Plays"),
}
"""Choice → the label of its key on the page."""


# Hands


def no_rulebook() -> NoRulebookError:
    """Return the error for a question that only a rulebook answers."""
    return NoRulebookError(
        phrase("Without a rulebook nobody can tell what is due."),
        phrase(
            "Name one: {call}. Those that come with handledger: {names}.",
            call=show_option("Table", rulebook="hilton"),
            names=", ".join(rulebook.list_names()),
        ),
        form_hint=phrase("Choose a rulebook of the list."),
    )


def tournament_book(name: str) -> NoRulebookError:
    """Return the error for a cash game under a book that only has rules for tournaments."""
    return NoRulebookError(
        phrase("The rulebook {name} is for tournaments only, and this is a cash game.", name=name),
        phrase(
            "Choose another book, or make the table a tournament's: {call}", call=show_option("Table", tournament=True)
        ),
        form_hint=phrase("Choose another rulebook, or begin a new table and tick “{key}”.", key=phrase("A tournament")),
    )


def players_missing(count: int) -> PostsError:
    """Return the error for a hand with fewer than two players."""
    return PostsError(
        phrase("A hand needs two players; {count} would get cards.", count=count),
        phrase("Seat somebody, or let those who wait post: {call}", call=show_step("choose", seat=1, pick="post")),
        form_hint=phrase("Tap an empty chair to seat somebody, or let those who wait post."),
    )


def positions_unknown(reason: str) -> PostsError:
    """Return the error for a hand whose button or blinds are unknown."""
    cause = reason.rstrip(".。")
    return PostsError(
        phrase("I can't tell where the button belongs: {reason}.", reason=cause)
        if cause
        else phrase("I can't tell where the button belongs."),
        phrase("Say it: {call}", call=show_step("deal", button=1)),
        form_hint=phrase("Tap “{key}” and say where it went.", key=phrase("It went differently")),
    )


def positions_open(reason: str) -> PostsError:
    """Return the error for a hand whose button or blinds the book leaves to a floor; `reason`: a sentence, or ""."""
    return PostsError(
        phrase(
            "The rules don't settle the button and the small blind here: a floor decides. {reason}", reason=reason
        ).strip(),
        phrase("Say what the floor decided: {call}", call=show_step("deal", button=1, posts={2: 5, 3: 10})),
        form_hint=phrase("Tap “{key}” and say what the floor decided.", key=phrase("It went differently")),
    )


def amount_unknown(seat: int) -> PostsError:
    """Return the error for a due post whose amount isn't known."""
    return PostsError(
        phrase("I can't tell how much seat {seat} posts.", seat=seat),
        phrase("Say what was posted: {call}", call=show_step("deal", posts={seat: 10})),
        form_hint=phrase("Tap “{key}” and type what was posted.", key=phrase("It went differently")),
    )


def due_post_left_out(seat: int) -> PostsError:
    """Return the error for stated seats that leave out a seat that is due to post."""
    return PostsError(
        phrase("Seat {seat} is due to post a blind and would get no cards.", seat=seat),
        phrase("Say who posts: {call}", call=show_step("deal", posts={seat: 10}, dealt=[1, seat])),
        form_hint=phrase("Tap “{key}” and type what was posted.", key=phrase("It went differently")),
    )


def bad_posts(value: object) -> PostsError:
    """Return the error for posts that aren't a mapping from seats to chips."""
    return PostsError(
        phrase("I can't read the posts {value}.", value=_quote(value)),
        phrase(
            "As in: {first} or {second}",
            first=show_value({3: 5, 4: 10}),
            second=show_value({3: {"small blind": 5, "dead": 5}}),
        ),
        form_hint=phrase("Type the chips that each player posted."),
    )


def bad_dealt(value: object) -> PostsError:
    """Return the error for seats with cards that aren't a list."""
    return PostsError(
        phrase("{field} is {value}.", field="dealt", value=_quote(value)),
        phrase("As in: {example}", example=show_value([1, 3])),
    )


def unclear_post(seat: int, chips: int) -> PostsError:
    """Return the error for a post that isn't due there and could be several things."""
    return PostsError(
        phrase("What did seat {seat} post {chips} for?", seat=seat, chips=chips),
        phrase("Say the kind, as in: {example}", example=show_value({seat: {"entry": chips}})),
        form_hint=phrase("It's none of the blinds, and nothing is due from this seat. Type a blind, or nothing."),
    )


def post_above_stack(seat: int, chips: int, stack: int) -> PostsError:
    """Return the error for a post that is larger than the player's stack."""
    return PostsError(
        phrase("Seat {seat} can't post {chips} from a stack of {stack}.", seat=seat, chips=chips, stack=stack),
        phrase("If the stack is another: {call}", call=show_step("set_stack", seat=seat, chips=chips)),
        form_hint=phrase("Type at most what the player has."),
    )


def dealt_without_chips(seat: int, name: str) -> PostsError:
    """Return the error for cards or a post of a player without chips."""
    return PostsError(
        phrase("{name} in seat {seat} has no chips.", name=_quote(name), seat=seat),
        phrase("If the player bought chips: {call}", call=show_step("set_stack", seat=seat, chips=100)),
        form_hint=phrase("Leave out the post of this seat."),
    )


def post_without_cards(seat: int) -> PostsError:
    """Return the error for a post by a seat that gets no cards."""
    return PostsError(
        phrase("Seat {seat} posts and gets no cards.", seat=seat),
        phrase("Name the seat in dealt, or leave out its post."),
        form_hint=phrase("Leave out the post of this seat."),
    )


def absent_dealt(seat: int, name: str) -> PostsError:
    """Return the error for cards or a post of a player who is away."""
    return PostsError(
        phrase("{name} in seat {seat} is away.", name=_quote(name), seat=seat),
        phrase("If the player is back: {call}", call=show_step("back", seat=seat)),
        form_hint=_tap_back(),
    )


def no_positions(game: str) -> PostsError:
    """Return the error for a button or posts in a game without blinds."""
    return PostsError(
        phrase("{game} has no button and no blinds.", game=_quote(game)),
        phrase("Leave out button and posts."),
        form_hint=phrase("Choose a game with blinds."),
    )


# Documents


DocumentFault = Literal[
    "choice",
    "dealt",
    "field",
    "kind",
    "list",
    "missing",
    "no-chips",
    "object",
    "place",
    "post",
    "reason",
    "schema",
    "seat",
    "seat-and-chips",
    "step",
    "text",
]
"""The faults of a table's document."""
_DOCUMENT_FAULTS: Final[dict[DocumentFault, str]] = {
    "choice": translatable("{path} isn't a choice of a player at the table."),
    "dealt": translatable("{path}: dealt and left_out must name each player once, and two or more get cards."),
    "field": translatable("{path} isn't a field of this step."),
    "kind": translatable("{path} isn't a kind of post."),
    "list": translatable("{path} isn't a list."),
    "missing": translatable("{path} is missing."),
    "no-chips": translatable("{path} names a player without chips."),
    "object": translatable("{path} isn't an object."),
    "place": translatable("{path} doesn't name a room and a table."),
    "post": translatable("{path}: this seat can't post that."),
    "reason": translatable("{path} isn't a reason for leaving a player out."),
    "schema": translatable("{path} doesn't say table/1, so this isn't a table's document."),
    "seat": translatable("{path} isn't a seat of the table."),
    "seat-and-chips": translatable("{path} isn't a seat with its chips."),
    "step": translatable("{path} isn't a step of a table."),
    "text": translatable("{path} isn't a text."),
}
_EXAMPLE_DOCUMENT: Final = (
    '{"handledger": "table/1", "game": "limit 10/20", "seats": 9, "rulebook": "hilton", '
    '"steps": [{"do": "sit", "seat": 1, "name": "Ana"}]}'
)


def bad_table_document(document_path: str, fault: DocumentFault) -> TableError:
    """Return the error for a document that isn't a table's; `document_path`: the place of the fault."""
    return TableError(
        phrase(_DOCUMENT_FAULTS[fault], path=_quote(document_path)),
        phrase("A table's document looks like this: {example}", example=_EXAMPLE_DOCUMENT),
        form_hint=phrase("Ask for the link again: the table in this one is damaged."),
    )


def several_tables(count: int) -> TableError:
    """Return the error for handscript of no table, or of several."""
    return TableError(
        phrase("The text has hands of {count} tables.", count=count), phrase("Use the lines of one table.")
    )


def script_without_game() -> TableError:
    """Return the error for handscript that doesn't name the game."""
    return TableError(
        phrase("The text doesn't name the game."),
        phrase("Add a line: {line}", line="game holdem no-limit cash blinds 1/2 unit chips 0"),
    )


def script_too_long(limit: int) -> TableError:
    """Return the error for a text that is too long."""
    return TableError(
        phrase("The text has more than {limit} characters.", limit=limit),
        phrase("Import it into a ledger instead."),
        form_hint=phrase("Read the lines of the last hands only."),
    )


def script_not_unicode() -> TableError:
    """Return the error for a text with half a character."""
    return TableError(
        phrase("The text has half of a surrogate pair."),
        phrase("Decode the file as UTF-8."),
        form_hint=phrase("Copy the text again from where it was written."),
    )


def book_by_path(name: str) -> TableError:
    """Return the error for a document that names a file as its rulebook."""
    return TableError(
        phrase("The document's rulebook {name} is a file.", name=_quote(name)),
        phrase("Name a rulebook that comes with handledger: {call}", call=show_option("from_dict", rulebook="hilton")),
        form_hint=phrase("Ask for a link with a rulebook of the list."),
    )


def table_too_long(limit: int) -> TableError:
    """Return the error for a table of the page with too many steps, or with none."""
    return TableError(
        phrase("This isn't a table of up to {limit} steps.", limit=limit),
        phrase("Import its hands into a ledger instead."),
        form_hint=phrase("Begin a new table."),
    )


def _tap_back() -> str:
    return phrase("If the player is back, tap the player, then “{key}”.", key=phrase("Comes back"))


def _quote(value: object) -> str:
    """Return a value in quotes, without control characters; a number without quotes."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LONG_NUMBER:
        return str(value)
    try:
        text = value if isinstance(value, str) else repr(value)
    except Exception:  # noqa: BLE001 - a stranger's object may do anything
        text = type(value).__name__
    return f'"{safe.terminal(text, _MAX_COLUMNS)}"'
