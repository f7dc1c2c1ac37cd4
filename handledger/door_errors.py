"""Errors of the library: what can't be, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger import safe
from ledger.errors import GameTextError, NoRulebookError, PostsError, TableError
from ledger.text.language import phrase

_MAX_COLUMNS: Final = 60  # columns of a text that an error quotes

# Games


def game_too_long(limit: int) -> GameTextError:
    """Return the error for a text that is too long to name a game."""
    return GameTextError(
        phrase("A game's name has at most {limit} characters.", limit=limit),
        phrase("As in: {example}", example="no-limit 1/3"),
    )


def unknown_game_words(text: str, words: str) -> GameTextError:
    """Return the error for words that name no game."""
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
    """Return the error for stakes of three figures, of which the third may be an ante or a blind."""
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
    """Return the error for a unit that is no currency code."""
    return GameTextError(
        phrase("{unit} is no unit of money.", unit=_quote(unit)), phrase('Pass a code such as "USD", or "chips".')
    )


def too_many_decimals(text: str, exponent: int) -> GameTextError:
    """Return the error for stakes with more decimals than the table counts in."""
    return GameTextError(
        phrase(
            "This table counts chips with {exponent} decimals; {text} needs more.", exponent=exponent, text=_quote(text)
        ),
        phrase("Make the table with stakes that have as many decimals."),
    )


# Seats, names and choices


def not_text(field: str, value: object) -> TableError:
    """Return the error for something that isn't a text."""
    return TableError(
        phrase("{field} is {value}, which isn't a text.", field=field, value=_quote(value)), phrase("Pass a str.")
    )


def bad_name(name: str, limit: int) -> TableError:
    """Return the error for a name that is empty, too long, or can't be stored."""
    return TableError(
        phrase("{name} can't be a player's name.", name=_quote(name)),
        phrase("A name has 1 to {limit} characters, without line breaks or control characters.", limit=limit),
    )


def bad_number(field: str, value: object, lowest: int, highest: int) -> TableError:
    """Return the error for a number that is out of bounds, or that isn't a whole number."""
    return TableError(
        phrase("{field} is {value}.", field=field, value=_quote(value)),
        phrase("Pass a whole number from {lowest} to {highest}.", lowest=lowest, highest=highest),
    )


def bad_seat(seat: object, seats: int) -> TableError:
    """Return the error for a seat that the table doesn't have."""
    return TableError(
        phrase("There is no seat {seat}.", seat=_quote(seat)), phrase("Seats are 1 to {seats}.", seats=seats)
    )


def empty_seat(seat: int) -> TableError:
    """Return the error for an act of a seat in which nobody sits."""
    return TableError(
        phrase("Nobody sits in seat {seat}.", seat=seat), phrase("To seat a player: {call}", call=f'sit({seat}, "Ana")')
    )


def taken_seat(seat: int, name: str) -> TableError:
    """Return the error for a seat that is taken."""
    return TableError(
        phrase("{name} sits in seat {seat}.", name=_quote(name), seat=seat),
        phrase("If the player left: {call}", call=f"leave({seat})"),
    )


def seated_elsewhere(name: str, seat: int, new_seat: int) -> TableError:
    """Return the error for a player who already sits at the table."""
    return TableError(
        phrase("{name} sits in seat {seat} already.", name=_quote(name), seat=seat),
        phrase("To change seats: {move}. Another player needs another name.", move=f"move({seat}, {new_seat})"),
    )


def absent_already(name: str) -> TableError:
    """Return the error for a player who goes away twice."""
    return TableError(
        phrase("{name} is away already.", name=_quote(name)), phrase("back(seat) brings the player back.")
    )


def not_away(name: str) -> TableError:
    """Return the error for a player who comes back without being away."""
    return TableError(phrase("{name} isn't away.", name=_quote(name)), phrase("away(seat) comes first."))


def bad_option(name: str, value: object, allowed: str) -> TableError:
    """Return the error for a value that an option of the house doesn't take; `allowed`: as `Option.allowed` says it."""
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


def no_such_pick(name: str, pick: str, picks: Iterable[str]) -> TableError:
    """Return the error for a choice that a player doesn't have on the coming hand."""
    allowed = ", ".join(picks)
    return TableError(
        phrase("{name} can't choose {pick} on this hand.", name=_quote(name), pick=_quote(pick)),
        phrase("Possible: {picks}.", picks=allowed) if allowed else phrase("The player has no choice on it."),
    )


# Hands


def no_rulebook() -> NoRulebookError:
    """Return the error for a question that only a rulebook answers."""
    return NoRulebookError(
        phrase("Without a rulebook nobody can tell what is due."),
        phrase(
            "Name one: {call}. {all_books} lists them.", call='Table(..., rulebook="hilton")', all_books="rulebooks()"
        ),
    )


def too_few_players(count: int) -> PostsError:
    """Return the error for a hand with fewer than two players."""
    return PostsError(
        phrase("A hand needs two players; {count} would get cards.", count=count),
        phrase("Seat somebody, or let those who wait post: {call}", call='choose(seat, "post")'),
    )


def positions_unknown(reason: str) -> PostsError:
    """Return the error for a hand whose button or blinds nobody can tell."""
    return PostsError(
        phrase("I can't tell where the button belongs: {reason}", reason=reason),
        phrase("Say it: {call}", call="deal(button=1)"),
    )


def amount_unknown(seat: int) -> PostsError:
    """Return the error for a due post whose amount isn't known."""
    return PostsError(
        phrase("I can't tell how much seat {seat} posts.", seat=seat),
        phrase("Say what was posted: {call}", call=f"deal(posts={{{seat}: 10}})"),
    )


def due_post_left_out(seat: int) -> PostsError:
    """Return the error for cards to stated seats alone, of which one lacks that is due to post."""
    return PostsError(
        phrase("Seat {seat} is due to post a blind and would get no cards.", seat=seat),
        phrase("Say who posts: {call}", call="deal(posts={...}, dealt=(...))"),
    )


def bad_posts(value: object) -> PostsError:
    """Return the error for posts that aren't a mapping from seats to chips."""
    return PostsError(
        phrase("I can't read the posts {value}.", value=_quote(value)),
        phrase("As in: {first} or {second}", first="{3: 5, 4: 10}", second='{3: {"small blind": 5, "dead": 5}}'),
    )


def unclear_post(seat: int, chips: int) -> PostsError:
    """Return the error for a post that isn't due there and could be several things."""
    return PostsError(
        phrase("What did seat {seat} post {chips} for?", seat=seat, chips=chips),
        phrase("Say the kind, as in: {example}", example=f'{{{seat}: {{"entry": {chips}}}}}'),
    )


def post_above_stack(seat: int, chips: int, stack: int) -> PostsError:
    """Return the error for a post that is larger than the player's stack."""
    return PostsError(
        phrase("Seat {seat} can't post {chips} from a stack of {stack}.", seat=seat, chips=chips, stack=stack),
        phrase("If the stack is another: {call}", call=f"set_stack({seat}, {chips})"),
    )


def post_without_cards(seat: int) -> PostsError:
    """Return the error for a post by a seat that gets no cards."""
    return PostsError(
        phrase("Seat {seat} posts and gets no cards.", seat=seat),
        phrase("Name the seat in `dealt`, or leave out its post."),
    )


def absent_dealt(seat: int, name: str) -> PostsError:
    """Return the error for cards or a post of a player who is away."""
    return PostsError(
        phrase("{name} in seat {seat} is away.", name=_quote(name), seat=seat),
        phrase("If the player is back: {call}", call=f"back({seat})"),
    )


def no_positions(game: str) -> PostsError:
    """Return the error for a button or posts in a game without blinds."""
    return PostsError(
        phrase("{game} has no button and no blinds.", game=_quote(game)), phrase("Leave out button and posts.")
    )


# Documents


def bad_table_document(document_path: str, reason: str) -> TableError:
    """Return the error for a document that isn't one of a table; `document_path`: where it is wrong."""
    return TableError(
        phrase("This isn't a table's document: {path}: {reason}", path=_quote(document_path), reason=reason),
        phrase("Pass what {method} returned.", method="to_dict()"),
    )


def several_tables(count: int) -> TableError:
    """Return the error for handscript of no table, or of several."""
    return TableError(
        phrase("The text has hands of {count} tables.", count=count), phrase("Pass the lines of one table.")
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
        phrase("The text has more than {limit} characters.", limit=limit), phrase("Import it into a ledger instead.")
    )


def script_not_unicode() -> TableError:
    """Return the error for a text with half a character."""
    return TableError(phrase("The text has half of a surrogate pair."), phrase("Decode the file as UTF-8."))


def book_by_path(name: str) -> TableError:
    """Return the error for a document that names a file as its rulebook."""
    return TableError(
        phrase("The document's rulebook {name} is a file.", name=_quote(name)),
        phrase("Pass the book yourself: {call}", call='from_dict(document, rulebook="house.toml")'),
    )


def _quote(value: object) -> str:
    """Return a value in quotes, without anything that a terminal obeys."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except Exception:  # noqa: BLE001 - a stranger's object may do anything
        text = type(value).__name__
    return f'"{safe.terminal(text, _MAX_COLUMNS)}"'
