"""What a book asks in one kind of game, as far as the evenings use it: read from its clauses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

Method: TypeAlias = Literal["dead", "positional", "owed"]
MakeUp: TypeAlias = Literal["sum-live-to-opening", "big-only", "all-live-capped", "big-live-rest-dead", "never"]
Place: TypeAlias = Literal["small", "middle", "big", "button"]
"""`big` is the furthest blind, `middle` the one before it in a structure of three."""


@dataclass(frozen=True)
class Room:
    """One book in one kind of game. Amounts in whole units."""

    name: str
    book: str
    betting: Literal["limit", "no-limit", "pot-limit"] = "limit"
    variant: Literal["holdem", "triple-27"] = "holdem"
    form: Literal["cash", "tournament"] = "cash"
    method: Method = "dead"
    blinds: tuple[int, ...] = (5, 10)
    bets: tuple[int, ...] = (10, 20)
    options: tuple[tuple[str, int | str], ...] = ()
    first_button: Literal["right-of-dealer", "drawn", "any"] = "any"
    new_posts: Literal["big", "twice-big", "nothing"] = "big"  # what a walk-in posts to be dealt in at once
    new_anywhere: bool = False  # a newcomer may be dealt in between the button and the big blind
    bars_new_button: bool = True  # a newcomer may not have the button
    transfers_free: bool = False  # a player of a broken game posts nothing
    both: MakeUp = "sum-live-to-opening"  # who missed both blinds
    single: Literal["missed-live", "as-both", "wait"] = "missed-live"  # who missed one of them
    made_up_between: Literal["no", "big-no-button"] = "no"
    broke_is_new: bool = False  # after missing the big blind a broke player comes back as a new one
    broke_owes: bool = True  # may post what went by while broke
    markers: bool = False
    straddle: int = 0  # amount, 0 = none is posted here
    straddle_returns: bool = False
    several_straddles: bool = False
    far: Literal["post-or-wait", "kill-or-wait", "wait", "free"] = "wait"  # away from the blinds
    far_from: int = 3  # how many players it passes
    free_pass: tuple[Place, ...] = ()  # positions whose players may move, and let the blinds pass
    playing_over: bool = False  # somebody else may take the chair of an absent player
    next_posts: bool = False  # where a blind is short of half, the next player posts it
    stacks: tuple[int, ...] = ()  # that people sit down with; () = usual ones

    @property
    def small(self) -> int:
        return self.blinds[0]

    @property
    def big(self) -> int:
        """The furthest blind, which the books call the big blind."""
        return self.blinds[-1]

    @property
    def roles(self) -> dict[Place, str]:
        """What a post from each position is called."""
        if len(self.blinds) == 2:
            return {"small": "small", "big": "big"}
        return {"small": "small", "middle": "big", "big": "extra"}

    def blind(self, place: Place) -> int:
        return self.blinds[list(self.roles).index(place)]


_HILTON: Final = Room(
    "hilton-limit",
    "hilton",
    method="dead",  # B11b.1
    first_button="right-of-dealer",  # B4.1
    new_posts="big",  # B17.2
    transfers_free=True,  # B17.3
    both="sum-live-to-opening",  # B15a.1, B15a.2
    single="wait",  # B14.2 gives no amount
    broke_is_new=True,  # B19.1, B19.3
    markers=True,  # B14.1
    straddle=20,
    straddle_returns=True,
    several_straddles=True,  # B8, B14.3, B8a.2
    options=(("straddle-amount", 20),),
    far="post-or-wait",  # B20
)
_RROP4: Final = Room(
    "rrop4-dead",
    "rrop4",
    method="dead",  # blinds.1b.1
    options=(("button-method", "dead"),),
    first_button="drawn",  # blinds.12.1
    new_posts="big",  # blinds.4b
    both="sum-live-to-opening",
    single="missed-live",  # blinds.9.1, 9.2
    far="post-or-wait",  # blinds.13.1, 13.2, 13.4
    far_from=1,
)
_BICYCLE: Final = replace(
    _RROP4,
    name="bicycle",
    book="bicycle",
    method="positional",  # p24a, p24b
    options=(("smallest-chip", 1),),
    first_button="any",
    new_posts="nothing",
    new_anywhere=False,  # p22c; the zone is avoided
    bars_new_button=False,
    both="big-live-rest-dead",
    single="as-both",  # p23a, p23b
    broke_owes=False,  # p23a speaks of players who are away from the table
    far="free",
)
_PASSES: Final = ("small", "button")  # B21
_MORE_ROOMS: Final = (
    replace(_HILTON, name="hilton-pass", free_pass=_PASSES),
    replace(
        _HILTON, name="hilton-three", blinds=(5, 10, 20), bets=(20, 40), straddle=40, options=(("straddle-amount", 40),)
    ),
    replace(
        _HILTON,
        name="hilton-pl",
        betting="pot-limit",
        bets=(10,),
        method="positional",
        both="big-only",
        made_up_between="big-no-button",
        free_pass=_PASSES,
        options=(("straddle-amount", 20), ("entry-post-required", 1), ("makeup-option", 0)),
    ),
    replace(_RROP4, name="rrop4-pass", free_pass=("button",), playing_over=True),  # blinds.14, 6
    replace(_RROP4, name="rrop4-dead-pl", betting="pot-limit", bets=(10,), playing_over=True),
    replace(_RROP4, name="rrop4-three", blinds=(5, 10, 20), bets=(20, 40)),  # blinds.intro.9
    replace(
        _RROP4,
        name="rrop4-low",
        variant="triple-27",
        new_posts="twice-big",
        far="kill-or-wait",  # blinds.4c, blinds.13.5
    ),
    replace(_BICYCLE, name="bicycle-pl", betting="pot-limit", bets=(10,)),
    replace(
        _BICYCLE,
        name="bicycle-short",
        next_posts=True,  # p04a-p04e
        stacks=(3, 4, 6, 8, 12, 15, 30, 400, 400, 1000),
    ),
)
"""What the first rooms lack: three blinds, pot limit, lowball, free passes, playing over, short blinds."""

ROOMS: Final[dict[str, Room]] = {
    room.name: room
    for room in (
        _HILTON,
        replace(
            _HILTON,
            name="hilton-low",
            blinds=(1, 3),
            bets=(3, 6),
            new_posts="nothing",  # B17.1
            options=(("straddle-amount", 6),),
            straddle=6,
            far="free",  # B20 and B22.1 begin at 5-10
        ),
        replace(
            _HILTON,
            name="hilton-nl",
            betting="no-limit",
            bets=(10,),
            method="positional",  # B11b.2
            both="big-only",  # B15b.1
            made_up_between="big-no-button",  # B16.2, B16.3
            options=(("straddle-amount", 20), ("entry-post-required", 1), ("makeup-option", 0)),
        ),
        replace(
            _HILTON,
            name="hilton-nl-bring-in",
            betting="no-limit",
            bets=(10,),
            method="positional",
            both="all-live-capped",  # B15b.2, B15b.3
            options=(("entry-post-required", 1), ("makeup-option", 1), ("bring-in", 20)),
            straddle=0,
            straddle_returns=False,
        ),
        replace(
            _HILTON,
            name="hilton-tournament",
            form="tournament",
            betting="no-limit",
            bets=(10,),
            method="dead",  # B11a
            first_button="drawn",  # B4.3
            options=(),
            markers=False,
            straddle=0,
            straddle_returns=False,
        ),
        replace(
            _HILTON,
            name="tda2024",
            book="tda2024",
            form="tournament",
            betting="no-limit",
            bets=(10,),
            method="dead",
            first_button="drawn",
            options=(),
            markers=False,
            straddle=0,
            straddle_returns=False,
        ),
        _RROP4,
        replace(
            _RROP4,
            name="rrop4-moving",
            method="owed",
            bars_new_button=False,  # blinds.1a.1, 1a.2
            options=(("button-method", "moving"),),
        ),
        replace(_RROP4, name="rrop4-dead-nl", betting="no-limit", bets=(10,)),
        _BICYCLE,
        replace(
            _RROP4,
            name="house-burn",
            book="house-burn",
            method="positional",
            options=(),
            first_button="any",
            far="free",
            bars_new_button=False,
        ),
        *_MORE_ROOMS,
    )
}
"""By name. The amounts of a make-up follow from `both` and `single`; see `posts.make_up`."""
