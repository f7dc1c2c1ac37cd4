"""The questions about the deal, the board, betting, the showdown and thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.text.language import translatable
from projections.books.point_question import BLINDS, COUNTS, PART_OF_ONE, NumberRange, PointQuestion, number_answers

_EXPOSED: Final[Mapping[object, str]] = {
    "misdeal": translatable("It's a misdeal"),
    "replaced": translatable("The card is replaced"),
}
_AGAIN: Final = translatable("It is mixed back in and dealt again without a burn")
_BURN_ERRORS: Final[Mapping[object, str]] = {
    "corrected": translatable("The cards are put right"),
    "reshuffled": translatable("The cards are shuffled back in and dealt again"),
    "scrambled": translatable("The cards are scrambled to pick the burn"),
    "stands": translatable("The street stands"),
    "until-award": translatable("The cards are put right until the pot is awarded"),
}
_SET_AMOUNT: Final[Mapping[object, str]] = {"set": translatable("An amount that each game sets")}
_DEAL: Final[Mapping[str, PointQuestion]] = {
    "deal.order": PointQuestion(
        translatable("In what order are the cards dealt?"),
        {
            "first-left-of-button": translatable("The player left of the button gets the first card"),
            "last-to-button": translatable("The button gets the last card"),
        },
    ),
    "deal.exposed.index1": PointQuestion(
        translatable("The first card off the deck is exposed. What happens?"), _EXPOSED
    ),
    "deal.exposed.index2": PointQuestion(
        translatable("The second card off the deck is exposed. What happens?"), _EXPOSED
    ),
    "deal.exposed.later": PointQuestion(translatable("One later card is exposed. What happens?"), _EXPOSED),
    "deal.exposed.count_misdeal": PointQuestion(translatable("Several cards are exposed. What happens?"), _EXPOSED),
    "deal.exposed.replacement": PointQuestion(
        translatable("Where does an exposed card go when it is replaced?"),
        {
            "is-burned": translatable("It becomes the burn card"),
            "on-deck-then-burned": translatable("Face up on the deck, then it is burned"),
        },
    ),
    "deal.extra.one_first_player": PointQuestion(
        translatable("The first player gets one card too many. What happens?"),
        {
            "is-burned": translatable("The card becomes the burn card"),
            "wrong-count": translatable("The same as for any wrong number of cards"),
            "misdeal": translatable("It's a misdeal"),
        },
    ),
    "deal.extra.several": PointQuestion(
        translatable("Several cards too many are dealt. What happens?"),
        {
            "misdeal": translatable("It's a misdeal"),
            "wrong-count": translatable("The same as for any wrong number of cards"),
        },
    ),
    "deal.wrong_count.before_two": PointQuestion(
        translatable("A player has the wrong number of cards, noticed early. What happens?"),
        {"misdeal": translatable("It's a misdeal")},
    ),
    "deal.wrong_count.after_two": PointQuestion(
        translatable("A player has the wrong number of cards, noticed late. What happens?"),
        {"forfeit": translatable("That seat forfeits its hand")},
    ),
    "deal.boxed": PointQuestion(
        translatable("A card is face up in the deck. What happens?"),
        {
            "scrap": translatable("It counts as a scrap of paper"),
            "two-misdeal": translatable("Two or more are a misdeal"),
        },
    ),
    "deal.joker": PointQuestion(
        translatable("A joker turns up in a game without jokers. What happens?"),
        {
            "scrap-or-foul-hand": translatable("It counts as a scrap; a hand that acted with it is foul"),
            "misdeal-or-scrap": translatable("It's a misdeal; after substantial action it counts as a scrap"),
        },
    ),
}
_BOARD: Final[Mapping[str, PointQuestion]] = {
    "board.burns_per_street": PointQuestion(
        translatable("How many cards are burned before each street?"), numbers=COUNTS
    ),
    "board.oversize_flop": PointQuestion(
        translatable("A flop has four or more cards. What happens?"),
        {
            "redealt": translatable("It is taken back and dealt again"),
            "scrambled": translatable("The cards are scrambled: one is the next burn, three are the flop"),
        },
    ),
    "board.oversize_flop.reburn": PointQuestion(
        translatable("Is there another burn before the new flop?"),
        {True: translatable("Yes, another card is burned"), False: translatable("No, the first burn counts")},
    ),
    "board.oversize_flop.cut": PointQuestion(
        translatable("Is the deck cut before the new flop?"),
        {True: translatable("Yes, the deck is cut"), False: translatable("No, the deck isn't cut")},
    ),
    "board.oversize_flop.after_action": PointQuestion(
        translatable("Players acted on a flop of four or more cards. What happens?"),
        {"stands": translatable("It stands"), "redealt": translatable("It is dealt again all the same")},
    ),
    "board.premature_flop": PointQuestion(
        translatable("The flop is dealt too early. What happens?"), {"redealt-no-burn": _AGAIN}
    ),
    "board.premature_turn": PointQuestion(
        translatable("The turn is dealt too early. What happens?"),
        {
            "river-becomes-turn": translatable("It is set aside, and the next card becomes the turn"),
            "redealt-no-burn": _AGAIN,
        },
    ),
    "board.premature_river": PointQuestion(
        translatable("The river is dealt too early. What happens?"), {"redealt-no-burn": _AGAIN}
    ),
    "board.premature.player_option": PointQuestion(
        translatable("May the players accept a card that was dealt too early?"),
        {True: translatable("Yes, they may accept it"), False: translatable("No, they have no choice")},
    ),
    "board.burn_error.flop_unexposed": PointQuestion(
        translatable("The burn before the flop was wrong, and no card is face up. What happens?"), _BURN_ERRORS
    ),
    "board.burn_error.flop_exposed": PointQuestion(
        translatable("The burn before the flop was wrong, and cards are face up. What happens?"), _BURN_ERRORS
    ),
    "board.burn_error.turn_river": PointQuestion(
        translatable("The burn before the turn or river was wrong, and nobody has acted. What happens?"), _BURN_ERRORS
    ),
    "board.burn_error.after_action": PointQuestion(
        translatable("The burn was wrong, and players acted on the street. What happens?"), _BURN_ERRORS
    ),
    "board.burn_error.all_in": PointQuestion(
        translatable("The burn was wrong, and everybody is all-in. What happens?"), _BURN_ERRORS
    ),
}
_BETTING: Final[Mapping[str, PointQuestion]] = {
    "betting.opener.preflop": PointQuestion(
        translatable("Who acts first before the flop?"),
        {
            "after-last-post": translatable("The player left of the last blind or straddle"),
            "after-blinds": translatable("The player left of the blinds"),
            "after-furthest-blind": translatable("The player left of the furthest blind"),
        },
    ),
    "betting.opener.later": PointQuestion(
        translatable("Who acts first on later streets?"),
        {"first-after-button": translatable("The first player left of the button")},
    ),
    "betting.split_limit": PointQuestion(
        translatable("How large are the bets in a limit game?"),
        {"low-low-high-high": translatable("The lower bet in the first two rounds, the higher bet in the others")},
    ),
    "betting.raise_cap": PointQuestion(translatable("How many raises may there be in a round?"), numbers=COUNTS),
    "betting.cap_heads_up": PointQuestion(
        translatable("When is there no limit of raises for two players?"),
        {
            "none-if-not-capped-before": translatable("When two are left before it is reached"),
            "none-if-two-in-event": translatable("Only when two are left in the whole event"),
        },
    ),
    "betting.check_raise": PointQuestion(
        translatable("May a player check and then raise?"),
        {True: translatable("Yes, check-raises are allowed"), False: translatable("No, check-raises aren't allowed")},
    ),
    "betting.string_raise": PointQuestion(
        translatable("May a player raise in several motions (a string raise)?"),
        {True: translatable("Yes, string raises are allowed"), False: translatable("No, string raises aren't allowed")},
    ),
    "betting.partial_raise": PointQuestion(
        translatable("A player puts in more than a call and says nothing. What is it?"),
        {"half-completes": translatable("Half of a raise or more is completed; less is a call")},
    ),
    "betting.oversize_chip": PointQuestion(
        translatable("A player puts in one big chip and says nothing. What is it?"), {"call": translatable("A call")}
    ),
    "betting.smallest_chip": PointQuestion(
        translatable("What is the smallest chip that plays?"),
        {"of-posts": translatable("The smallest chip of the antes or blinds")},
    ),
    "allin.limit.below_half": PointQuestion(
        translatable("In limit games, what does an all-in of less than half a bet do?"),
        {"does-not-reopen": translatable("It doesn't reopen the betting")},
    ),
    "allin.limit.half_or_more": PointQuestion(
        translatable("In limit games, what does an all-in of half a bet or more do?"),
        {"full-bet": translatable("It counts as a full bet")},
    ),
    "allin.big_bet.reopen": PointQuestion(
        translatable("In pot-limit and no-limit games, when do short all-ins reopen the betting?"),
        {
            "full-raise-added-up": translatable("When they add up to a full raise"),
            "full-raise-single": translatable("Only when one of them is a full raise"),
        },
    ),
    "allin.all_chips": PointQuestion(
        translatable("Does an all-in put in every chip that plays?"),
        {True: translatable("Yes, every chip"), False: translatable("No, chips may stay behind")},
    ),
    "pot_limit.max": PointQuestion(
        translatable("What is the most that may be bet in pot-limit?"),
        {
            "pot-with-call": translatable("The pot after the player's own call"),
            "pot-with-call-full-blinds": translatable(
                "The pot after the player's own call, as if the blinds were full"
            ),
        },
    ),
    "pot_limit.min_open": PointQuestion(translatable("What is the smallest opening bet in pot-limit?"), _SET_AMOUNT),
    "pot_limit.two_handed": PointQuestion(
        translatable("May the last two players in pot-limit agree to bet more than the pot?"),
        {True: translatable("Yes, if both agree"), False: translatable("No, the pot is the limit")},
    ),
    "no_limit.min_open": PointQuestion(translatable("What is the smallest opening bet in no-limit?"), _SET_AMOUNT),
    "no_limit.min_raise": PointQuestion(
        translatable("What is the smallest raise in no-limit?"),
        {"largest-of-round": translatable("The largest bet or raise of the round")},
    ),
    "stakes.table_stakes": PointQuestion(
        translatable("Do only the chips on the table play (table stakes)?"),
        {True: translatable("Yes, only chips on the table"), False: translatable("No, other money plays too")},
    ),
}
_SHOWDOWN_AND_GAMES: Final[Mapping[str, PointQuestion]] = {
    "showdown.play_board.declare": PointQuestion(
        translatable("Must a player declare that they play the board?"),
        {
            "words-or-gesture": translatable("Yes, by word or gesture"),
            "words": translatable("Yes, in words"),
            "no-effect": translatable("No, a declaration has no effect"),
        },
    ),
    "showdown.play_board.keep_cards": PointQuestion(
        translatable("Does a player need their cards to play the board?"),
        {True: translatable("Yes, they must keep their cards"), False: translatable("No, a declaration is enough")},
    ),
    "showdown.cards_face_up": PointQuestion(
        translatable("How many cards must be face up to win the pot?"), numbers=COUNTS
    ),
    "showdown.kill_losers_first": PointQuestion(
        translatable("Does the dealer kill losing hands before pushing the pot?"),
        {True: translatable("Yes, losing hands are killed first"), False: translatable("No, the order doesn't matter")},
    ),
    "showdown.winner_face_up": PointQuestion(
        translatable("Does the winning hand stay face up until the pot is pushed?"),
        {True: translatable("Yes, it stays face up"), False: translatable("No, it may be turned over")},
    ),
    "game.holdem.hole_use": PointQuestion(
        translatable("How many of their own cards may players use in hold'em?"), number_answers(range(3))
    ),
    "game.omaha.hole_use": PointQuestion(
        translatable("How many of their own cards may players use in Omaha?"), number_answers(range(5))
    ),
    "game.split.low_qualifier": PointQuestion(
        translatable("What is the highest card of a hand that qualifies for low?"), numbers=NumberRange(1, 13)
    ),
}
_THRESHOLDS: Final[Mapping[str, PointQuestion]] = {
    "entry.stake_boundary": PointQuestion(
        translatable("From which lower bet on is a limit game a higher one, in your currency?"),
        numbers=NumberRange(0, 1_000_000),
    ),
    "seat_change.players_passed": PointQuestion(
        translatable("How many players passed make a seat change a far one?"), numbers=COUNTS
    ),
    "straddle.multiple": PointQuestion(translatable("How many big blinds is a straddle?"), numbers=BLINDS),
    "entry.lowball_multiple": PointQuestion(
        translatable("How many big blinds does a new player post in lowball?"), numbers=BLINDS
    ),
    "blinds.half": PointQuestion(
        translatable("Which part of a blind counts as all of it? Half is 0.5."), numbers=PART_OF_ONE
    ),
    "allin.half": PointQuestion(
        translatable("Which part of a bet counts as all of it when a player is all-in? Half is 0.5."),
        numbers=PART_OF_ONE,
    ),
    "betting.half": PointQuestion(
        translatable("Which part of a raise must be completed? Half is 0.5."), numbers=PART_OF_ONE
    ),
    "deal.acted": PointQuestion(
        translatable("After how many players have acted is a wrong number of cards noticed late?"), numbers=COUNTS
    ),
    "deal.exposed.indexes": PointQuestion(
        translatable("Which cards off the deck are a misdeal when they are exposed?"), number_answers(range(1, 11))
    ),
    "deal.exposed.count": PointQuestion(translatable("How many exposed cards are a misdeal?"), numbers=COUNTS),
    "substantial_action": PointQuestion(
        translatable("What is substantial action?"),
        {"two-with-chips-or-three": translatable("Two acts with chips in one of them, or any three acts")},
    ),
}
_HOUSE: Final[Mapping[str, PointQuestion]] = {
    "house.games": PointQuestion(
        translatable("Which games do you spread, at which stakes, and with which buy-ins? Write one game on each line.")
    ),
    "house.rake": PointQuestion(
        translatable(
            "What does the house take from a pot? Write one game on each line. The first that fits a hand holds."
        )
    ),
    "house.jackpot": PointQuestion(
        translatable("Which hands win a jackpot or a high-hand promotion? Write one on each line.")
    ),
}
HAND_QUESTIONS: Final[Mapping[str, PointQuestion]] = {
    **_DEAL,
    **_BOARD,
    **_BETTING,
    **_SHOWDOWN_AND_GAMES,
    **_THRESHOLDS,
    **_HOUSE,
}
