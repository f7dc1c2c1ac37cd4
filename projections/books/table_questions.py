"""The questions about button, blinds, straddles, new players, missed blinds and seat changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.text.language import translatable
from projections.books.point_question import BLINDS, COUNTS, YES_NO, PartQuestion, PointQuestion, number_answers

_METHODS: Final[Mapping[object, str]] = {
    "dead": translatable("It can be dead: the big blind moves on, and the button may be at an empty seat"),
    "moving": translatable("It always moves to the next player"),
    "house": translatable("The house chooses for each game"),
}
_ENTRY_POSTS: Final[Mapping[object, str]] = {
    "nothing": translatable("Nothing"),
    "big": translatable("One big blind, or they wait for the big blind"),
    "twice-big": translatable("Twice the big blind, or they wait for the big blind"),
    "per-game": translatable("Each game says what"),
}
_CANNOT_ARISE: Final = translatable("It can't happen with our button")
_TOTALS: Final[Mapping[object, str]] = {
    "sum": translatable("The sum of the blinds"),
    "all-blinds": translatable("All blinds of the game"),
    "missed": translatable("The blinds that were missed"),
    "big": translatable("One big blind"),
    "capped": translatable("All blinds, up to the bring-in"),
}
_LIVE_PARTS: Final[Mapping[object, str]] = {
    "bring-in": translatable("Up to the bring-in"),
    "minimum-open": translatable("Up to the smallest opening bet"),
    "big": translatable("One big blind"),
    "all": translatable("All of it"),
}
_UNSTATED: Final = translatable("The rules give no amount")
_NO_OPTION: Final = translatable("No such option")
_MAKE_UP_PARTS: Final[Mapping[str, PartQuestion]] = {
    "total": PartQuestion(translatable("How much in all?"), {**_TOTALS, "unstated": _UNSTATED}),
    "live": PartQuestion(translatable("How much of it is live?"), {**_LIVE_PARTS, "unstated": _UNSTATED}),
    "option": PartQuestion(
        translatable("May a game choose another amount?"),
        {"": translatable("No"), "makeup-option": translatable("Yes, as its make-up option")},
    ),
    "option_total": PartQuestion(translatable("How much in all under that option?"), {"": _NO_OPTION, **_TOTALS}),
    "option_live": PartQuestion(
        translatable("How much of it is live under that option?"), {"": _NO_OPTION, **_LIVE_PARTS}
    ),
}
_BUTTON_AND_BLINDS: Final[Mapping[str, PointQuestion]] = {
    "button.method.tournament": PointQuestion(
        translatable("In tournaments, does the button move past an empty seat, or can it be dead?"), _METHODS
    ),
    "button.method.cash_limit": PointQuestion(
        translatable("In limit cash games, does the button move past an empty seat, or can it be dead?"), _METHODS
    ),
    "button.method.cash_big_bet": PointQuestion(
        translatable(
            "In pot-limit and no-limit cash games, does the button move past an empty seat, or can it be dead?"
        ),
        _METHODS,
    ),
    "blinds.when_button_moves": PointQuestion(
        translatable("The button moves past an empty seat. Who posts the blinds?"),
        {
            "positional": translatable("The next two players, even if somebody escapes a blind"),
            "owed": translatable("Everybody who is due one, even if several big blinds are out"),
            "adjusted": translatable("The blinds are adjusted; the rules don't say how"),
        },
    ),
    "blinds.dead_blind_posted": PointQuestion(
        translatable("A blind falls to an empty seat. Is it posted?"),
        {
            "not-posted": translatable("No, the hand is played without it"),
            "posted": translatable("Yes"),
            "cannot-arise": _CANNOT_ARISE,
        },
    ),
    "button.last_action_when_dead": PointQuestion(
        translatable("The button is at an empty seat. Who acts last?"),
        {
            "nearest-before": translatable("The nearest player before the button"),
            "same-player": translatable("The player who acted last in the hand before"),
            "cannot-arise": _CANNOT_ARISE,
        },
    ),
    "button.repeat_last_action": PointQuestion(
        translatable("May a player act last in two hands running?"),
        parts={
            "dead": PartQuestion(
                translatable("With a dead button?"), {**YES_NO, None: translatable("The rules don't say")}
            ),
            "moving": PartQuestion(
                translatable("With a moving button?"), {**YES_NO, None: translatable("The rules don't say")}
            ),
            "absence": PartQuestion(
                translatable("With a moving button, if the player who is due the button is away?"), YES_NO
            ),
        },
    ),
    "button.eligibility": PointQuestion(
        translatable("Who can't have the button?"),
        {
            "no-big-blind": translatable("A player who took no big blind"),
            "missed-blind": translatable("A player who missed a blind"),
            "new": translatable("A new player"),
            "made-up-between": translatable("A player who made up blinds between the button and the big blind"),
            "short-blind": translatable("A player who posted less than half a blind"),
        },
    ),
    "button.absent_due": PointQuestion(
        translatable("The player who is due the button is away. What happens?"),
        {
            "dealt-in-if-in-room": translatable("They are dealt in if they're in the room"),
            "passed-over": translatable("The button passes them over"),
        },
    ),
    "button.buy": PointQuestion(
        translatable("May a player buy the button?"),
        {True: translatable("Yes, the button can be bought"), False: translatable("No, the button can't be bought")},
    ),
    "button.initial": PointQuestion(
        translatable("Who has the button in the first hand of a cash game?"),
        {
            "right-of-dealer": translatable("The first player to the dealer's right"),
            "draw": translatable("The players draw cards for it"),
        },
    ),
    "button.initial.tournament": PointQuestion(
        translatable("Who has the button in the first hand of a tournament?"),
        {
            "right-of-dealer": translatable("The first player to the dealer's right"),
            "draw": translatable("The players draw cards for it"),
            "draw-unless-seats-drawn": translatable("The players draw cards for it, unless seats were drawn"),
        },
    ),
    "button.moves_after_misdeal": PointQuestion(
        translatable("Does the button move after a misdeal?"),
        {True: translatable("Yes, it moves on"), False: translatable("No, the same player deals again")},
    ),
    "blinds.order": PointQuestion(
        translatable("Where are the blinds?"),
        {
            "clockwise": translatable("Clockwise from the button"),
            "next-seats": translatable("In the next two seats after the button"),
            "consecutive": translatable("At consecutive players, clockwise"),
            "usually-two": translatable("Two blinds are usual"),
        },
    ),
    "blinds.heads_up_small_blind": PointQuestion(
        translatable("Two players are left. Who has the small blind?"),
        {"button": translatable("The button"), "opponent": translatable("The other player")},
    ),
    "blinds.heads_up_transition": PointQuestion(
        translatable("Three players become two. How is the button set?"),
        {"no-big-blind-twice": translatable("So that nobody has the big blind twice running")},
    ),
    "blinds.live": PointQuestion(
        translatable("Is a blind live, so that its player may raise?"),
        {True: translatable("Yes, a blind counts as a bet"), False: translatable("No, blinds are dead")},
    ),
    "blinds.oversize": PointQuestion(
        translatable("May a player post more than the blind?"),
        {"forbidden": translatable("No"), "allowed": translatable("Yes")},
    ),
    "blinds.short_at_least_half": PointQuestion(
        translatable("A player is all-in for half of the blind or more. How does it count?"),
        {"as-full": translatable("As a full blind")},
    ),
    "blinds.short_below_half": PointQuestion(
        translatable("A player is all-in for less than half of the blind. How does it count?"),
        {"as-full": translatable("As a full blind"), "next-posts": translatable("The next player posts the blind")},
    ),
    "blinds.post_before_viewing": PointQuestion(
        translatable("Must players post their blind before they look at their cards?"),
        {True: translatable("Yes, the blind comes first"), False: translatable("No, they may look first")},
    ),
}
_STRADDLES: Final[Mapping[str, PointQuestion]] = {
    "straddle.allowed": PointQuestion(
        translatable("Are straddles allowed?"),
        {
            "unless-barred": translatable("Yes, unless a game bars them"),
            "limit-if-specified": translatable("Only in limit games that are announced with one"),
            "no": translatable("No"),
        },
    ),
    "straddle.seat": PointQuestion(
        translatable("Which seat may straddle?"),
        {"after-last-blind": translatable("The seat to the left of the last blind")},
    ),
    "straddle.button": PointQuestion(
        translatable("May the button straddle?"),
        {True: translatable("Yes, the button may straddle"), False: translatable("No, the button may not straddle")},
    ),
    "straddle.sleeper": PointQuestion(
        translatable("May any other seat straddle (a sleeper)?"),
        {
            "no": translatable("No"),
            "shift-manager": translatable("Only if the shift manager agrees"),
            "floor": translatable("Only if the floor agrees"),
        },
    ),
    "straddle.max_count": PointQuestion(
        translatable("How many straddles may there be in a hand?"),
        parts={
            "most": PartQuestion(translatable("How many?"), numbers=COUNTS),
            "more": PartQuestion(
                translatable("Who may allow more?"),
                {
                    "nobody": translatable("Nobody"),
                    "shift-manager": translatable("The shift manager"),
                    "floor": translatable("The floor"),
                },
            ),
        },
    ),
    "straddle.size": PointQuestion(
        translatable("How large is a straddle?"),
        parts={
            "fixed": PartQuestion(translatable("Does each game have one fixed amount?"), YES_NO),
            "at_least": PartQuestion(translatable("How many big blinds at least?"), numbers=BLINDS),
            "above": PartQuestion(translatable("May it be larger?"), YES_NO),
        },
    ),
    "straddle.live": PointQuestion(
        translatable("May the player who straddled raise?"),
        {True: translatable("Yes, a straddle is live"), False: translatable("No, a straddle gives no option")},
    ),
    "straddle.opener": PointQuestion(
        translatable("Who acts first over a straddle?"),
        {"after-straddler": translatable("The player to the straddler's left")},
    ),
    "straddle.bring_in": PointQuestion(
        translatable("How large is the opening bet over a straddle?"),
        {"above-by-ratio": translatable("Above the straddle, normally by the same ratio")},
    ),
    "straddle.barred_but_accepted": PointQuestion(
        translatable("A straddle that isn't allowed was let in. Does it stand?"),
        {"stands-after-action": translatable("Yes, once there was substantial action")},
    ),
    "straddle.clears_missed_blind": PointQuestion(
        translatable("Does a straddle settle missed blinds?"),
        {True: translatable("Yes, it settles them"), False: translatable("No, they stay owed")},
    ),
    "straddle.makeup_in_seat": PointQuestion(
        translatable("Somebody makes up blinds in the straddle seat. Who acts first?"),
        {"opens": translatable("That player")},
    ),
}
_NEW_PLAYERS: Final[Mapping[str, PointQuestion]] = {
    "entry.post.limit_low": PointQuestion(
        translatable("What does a new player post in a low-limit game?"), _ENTRY_POSTS
    ),
    "entry.post.limit_high": PointQuestion(
        translatable("What does a new player post in a higher-limit game?"), _ENTRY_POSTS
    ),
    "entry.post.big_bet": PointQuestion(
        translatable("What does a new player post in a pot-limit or no-limit game?"), _ENTRY_POSTS
    ),
    "entry.post.lowball": PointQuestion(translatable("What does a new player post in lowball?"), _ENTRY_POSTS),
    "entry.zone": PointQuestion(
        translatable("Is a new player dealt in between the button and the big blind?"),
        {"barred": translatable("No, they get no cards there"), "open": translatable("Yes")},
    ),
    "entry.let_button_pass": PointQuestion(
        translatable("A new player waits until the button has passed. What do they owe?"),
        {"owes-big-blind": translatable("The big blind"), "dealt-in": translatable("Nothing")},
    ),
    "entry.transfer": PointQuestion(
        translatable("The house moves a player to another table. What do they owe there?"),
        {"free-until-big-blind": translatable("Nothing before the big blind reaches them")},
    ),
    "entry.playing_over": PointQuestion(
        translatable("Somebody plays over an absent player. How are they treated?"),
        {"new-player": translatable("As a new player")},
    ),
    "entry.new_game": PointQuestion(
        translatable("A game has just started. Who plays in it without a post?"),
        {
            "established-after-first-hand": translatable("Only the players of the first hand"),
            "free-first-revolution": translatable("Everybody who comes in the first round, unless a blind passed them"),
        },
    ),
    "entry.tournament": PointQuestion(
        translatable("Where is a newcomer to a tournament table not dealt in?"),
        {"not-behind-button": translatable("Between the button and the small blind")},
    ),
    "entry.bust_reentry": PointQuestion(
        translatable("A player goes broke and buys in again. What do they owe?"),
        {
            "new-once-big-blind-missed": translatable("What a new player owes, once they missed the big blind"),
            "owes-missed": translatable("The blinds that they missed before the rebuy"),
            "as-absent": translatable("What a player owes who was away"),
        },
    ),
    "entry.posts_move_opener": PointQuestion(
        translatable("A new player posts. Who acts first?"),
        {
            "no": translatable("The same player as without the post"),
            "left-of-blinds": translatable("The player left of the blinds"),
            "left-of-furthest-blind": translatable("The player left of the furthest blind"),
        },
    ),
}
_MISSED_BLINDS: Final[Mapping[str, PointQuestion]] = {
    "missed.ways_back": PointQuestion(
        translatable("How may a player who missed blinds come back?"),
        {
            "big-blind": translatable("Wait for the big blind"),
            "post": translatable("Post the missed blinds"),
            "straddle": translatable("Straddle"),
            "button": translatable("Buy the button"),
        },
    ),
    "missed.both.limit": PointQuestion(
        translatable("A player missed both blinds in a limit game. What do they post?"), parts=_MAKE_UP_PARTS
    ),
    "missed.both.big_bet": PointQuestion(
        translatable("A player missed both blinds in a pot-limit or no-limit game. What do they post?"),
        parts=_MAKE_UP_PARTS,
    ),
    "missed.small_only": PointQuestion(
        translatable("A player missed only the small blind. What do they post?"), parts=_MAKE_UP_PARTS
    ),
    "missed.big_only": PointQuestion(
        translatable("A player missed only the big blind. What do they post?"), parts=_MAKE_UP_PARTS
    ),
    "missed.zone.limit": PointQuestion(
        translatable("In limit games, may a player make up blinds between the button and the big blind?"),
        {
            True: translatable("Yes, they may come in there"),
            False: translatable("No, they wait until the button passes"),
        },
    ),
    "missed.zone.big_bet": PointQuestion(
        translatable(
            "In pot-limit and no-limit games, may a player make up blinds between the button and the big blind?"
        ),
        {
            True: translatable("Yes, they may come in there"),
            False: translatable("No, they wait until the button passes"),
        },
    ),
    "missed.excuses_rotation": PointQuestion(
        translatable("Does a player who made up blinds skip the next blind in turn?"),
        {
            "no": translatable("No"),
            "between-blinds": translatable("Only if they made up between the blinds"),
            "yes": translatable("Yes"),
        },
    ),
    "missed.marker": PointQuestion(
        translatable("Does a player who misses a blind get a missed-blind button?"),
        {True: translatable("Yes, the dealer gives one"), False: translatable("No, there is no such button")},
    ),
    "missed.option": PointQuestion(
        translatable("May a player who made up blinds raise when the action comes to them?"),
        {True: translatable("Yes, they have the option"), False: translatable("No, they have no option")},
    ),
    "missed.looked_not_acted": PointQuestion(
        translatable("A player who owes blinds looked at their cards and hasn't acted. What happens?"),
        {"dead-hand": translatable("The hand is dead"), "no-penalty": translatable("Nothing")},
    ),
    "missed.acted": PointQuestion(
        translatable("A player who owes blinds has acted. When do they pay?"),
        parts={
            "with": PartQuestion(
                translatable("What counts as acting?"),
                {"anything": translatable("Any act"), "chips": translatable("Only an act with chips")},
            ),
            "due": PartQuestion(
                translatable("When is the post due?"),
                {"later-deal": translatable("On a later deal"), "next-deal": translatable("On the very next deal")},
            ),
        },
    ),
    "missed.escaped_is_missed": PointQuestion(
        translatable("The button moved so that a player escaped a blind. Do they owe it?"),
        {"no-debt": translatable("No"), "owed": translatable("Yes")},
    ),
}
_SEAT_CHANGES: Final[Mapping[str, PointQuestion]] = {
    "seat_change.away": PointQuestion(
        translatable("A player moves away from the blinds. What does it cost?"),
        {
            "big-blind-if-far": translatable("A far move costs the big blind or a wait"),
            "wait-as-gained": translatable("They wait as many hands as they gained positions"),
        },
    ),
    "seat_change.closer": PointQuestion(
        translatable("A player moves closer to the blinds. What does it cost?"), {"free": translatable("Nothing")}
    ),
    "seat_change.after_big_blind": PointQuestion(
        translatable("A player moves right after the big blind. What does it cost?"),
        {
            "small-blind-if-far": translatable("A far move costs the small blind or a wait"),
            "as-any": translatable("What any other move costs"),
        },
    ),
    "seat_change.free_pass": PointQuestion(
        translatable("Who may change seats and let the blinds pass once?"),
        parts={
            "leaving": PartQuestion(
                translatable("Who leaves which position?"),
                {"small": translatable("The small blind"), "button": translatable("The button")},
            ),
            "to": PartQuestion(
                translatable("How many seats past the next big blind may the new seat be? None of these: any seat."),
                number_answers(range(10)),
            ),
            "behind_button": PartQuestion(translatable("Do they come back once the button has passed?"), YES_NO),
        },
    ),
    "seat_change.new_game": PointQuestion(
        translatable("A game has just started. What does a seat change cost?"),
        {"free-until-blind-passed": translatable("Nothing while no blind has passed the new seat")},
    ),
    "seat_change.lowball": PointQuestion(
        translatable("What does a seat change cost in lowball?"), {"kill-or-wait": translatable("A kill, or a wait")}
    ),
}
TABLE_QUESTIONS: Final[Mapping[str, PointQuestion]] = {
    **_BUTTON_AND_BLINDS,
    **_STRADDLES,
    **_NEW_PLAYERS,
    **_MISSED_BLINDS,
    **_SEAT_CHANGES,
}
