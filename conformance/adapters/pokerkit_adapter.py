"""PokerKit plays one hand from stated positions. It has no rotation: nothing of it says who has the next button."""


class NotSupportedError(Exception):
    """The engine can't be asked this case."""


def answer(_case: dict) -> dict:
    raise NotSupportedError("no rotation of the button: each hand is made from stated positions")
