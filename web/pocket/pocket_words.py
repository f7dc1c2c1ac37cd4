"""Texts of the page in the pocket, in the language in force: the folder holds a file of them for each language."""

from __future__ import annotations

from typing import Final

from ledger.text.language import phrase, translatable

WORDS: Final = {
    # the frame
    "pageTitle": translatable("Who posts what"),
    "rulebook": translatable("rulebook"),
    "share": translatable("Share"),
    "more": translatable("Menu"),
    "close": translatable("Close"),
    "done": translatable("Done"),
    "loading": translatable("Loading once, {percent} %: later it opens without a network."),
    "starting": translatable("Starting …"),
    "working": translatable("Working it out …"),
    "stopped": translatable("This couldn't be worked out: {problem}"),
    "noStart": translatable("The page can't start: {problem}"),
    "badLink": translatable("I can't read the table in this link."),
    # the table
    "theTable": translatable("the table"),
    "emptyChair": translatable("Seat {seat}, empty"),
    "seatOf": translatable("Seat {seat}, {player}"),
    "playerOf": translatable("Player {seat}"),
    "handNumber": translatable("Hand {hand}"),
    "D": translatable("button"),
    "SB": translatable("small blind"),
    "BB": translatable("big blind"),
    "postsChips": translatable("posts {chips}"),
    "deadChips": translatable("{amount} dead"),
    "state waits": translatable("waits"),
    "state no_chips": translatable("no chips"),
    "state may_choose": translatable("chooses"),
    "state must_post": translatable("posts to play"),
    "state open": translatable("can't tell"),
    "state away": translatable("away"),
    "state owes": translatable("owes a blind"),
    # the first steps
    "tapChairs": translatable("Tap the chairs where players sit."),
    "tapButton": translatable("Who had the button last hand? Tap the player."),
    "tapFirstButton": translatable("Who had the button in the first hand? Tap the player."),
    "isRunning": translatable("The game was running already"),
    "everybody": translatable("All chairs"),
    "toButton": translatable("Next: the button"),
    "back": translatable("Back"),
    # the answer
    "whoPosts": translatable("Who posts what"),
    "postLine": translatable("{player} posts {chips}: {kind}"),
    "kind small blind": translatable("small blind"),
    "kind big blind": translatable("big blind"),
    "kind third blind": translatable("third blind"),
    "kind entry": translatable("to come in"),
    "kind make-up": translatable("missed blinds"),
    "kind straddle": translatable("straddle"),
    "kind kill": translatable("kill"),
    "buttonLine": translatable("Button: seat {seat} {player}"),
    "deadButtonLine": translatable("Button: seat {seat}, where nobody plays"),
    "line plays": translatable("{player} plays."),
    "line must_post": translatable("{player} must post to play."),
    "line may_choose": translatable("{player} may post now or wait."),
    "line waits": translatable("{player} waits and gets no cards."),
    "line away": translatable("{player} is away."),
    "line no_chips": translatable("{player} has no chips."),
    "line open": translatable("{player}: the rules leave it open."),
    "otherReadings": translatable("The rules allow another way: {readings}"),
    "whyOf": translatable("Why: {what}"),
    "cantTell": translatable("Can't tell: {question}."),
    "faultLine": translatable("{fault}. Should be: {should}."),
    "lastWrong": translatable("Hand {hand} was dealt wrong:"),
    "allBooks": translatable("All rulebooks"),
    # the keys below
    "undo": translatable("Undo"),
    "different": translatable("It went differently"),
    "dealt": translatable("Hand {hand} is dealt"),
    # a seat
    "newPlayer": translatable("Name of the new player"),
    "nameOf": translatable("Name"),
    "sits": translatable("Sits down"),
    "rename": translatable("Rename"),
    "goesAway": translatable("Goes away"),
    "comesBack": translatable("Comes back"),
    "leaves": translatable("Leaves the table"),
    "owes small blind": translatable("Owes the small blind"),
    "owes big blind": translatable("Owes the big blind"),
    "choose post": translatable("Posts now"),
    "choose wait": translatable("Waits"),
    "choose play": translatable("Plays"),
    # all books
    "posts": translatable("posts"),
    "notDealt": translatable("not dealt in"),
    "deadSeat": translatable("{seat} (dead)"),
    "offNote": translatable("Red: differs from your rulebook."),
    # a hand that was dealt otherwise
    "differentTitle": translatable("How was hand {hand} dealt?"),
    "whereButton": translatable("Where did the button go?"),
    "otherPosts": translatable("The posts were different too"),
    "noFault": translatable("Nothing is wrong with that."),
    "recordDifferent": translatable("It was dealt like this"),
    # the game
    "game": translatable("Game"),
    "gameHint": translatable("Another game, such as: limit 4/8 or no-limit 1/3"),
    "house": translatable("House rules"),
    "newcomersPost": translatable("New players post"),
    "newcomersPlay": translatable("New players play without a post"),
    "movingButton": translatable("Moving button"),
    "deadButton": translatable("Dead button"),
    "tournament": translatable("A tournament"),
    "chairs": translatable("Chairs"),
    "chairsOf": translatable("{seats} chairs"),
    # share
    "sendLink": translatable("Send a link"),
    "copyLink": translatable("Copy a link"),
    "saveHandscript": translatable("Save as handscript"),
    "copyHandscript": translatable("Copy handscript"),
    "copied": translatable("Copied."),
    "shareNote": translatable("The link holds the table itself. The file can be read by: {command}"),
    "readLabel": translatable("Read a table in handscript"),
    "read": translatable("Read"),
    # the menu
    "language": translatable("Language"),
    "newTable": translatable("New table"),
    "kept": translatable("This page is on your phone: it works without a network."),
    "notKept": translatable("This browser can't store the page, so it needs the network each time."),
    "private": translatable("Names and hands stay on this phone."),
    "licenses": translatable("Licenses"),
}


def list_words() -> dict[str, str]:
    """Return the texts in the language in force, by the name that the scripts use."""
    return {name: phrase(message) for name, message in WORDS.items()}
