"""The people of a ledger as an assistant may see them: hidden cards stay hidden, and names too if the operator says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from handledger.mcp_server.tool_errors import names_hidden
from ledger.export.player_names import Naming, name_positions
from ledger.people import Opening, People

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.vocabulary import PlayerId, TextRef

WITHHELD: Final = "(withheld: names are hidden)"
"""Replaces a free text, a file's name or a member of staff if names are hidden."""

NAMELESS: Final = "a player"
"""Replaces the name of a player whose position isn't known, if names are hidden by position."""


class GuardedPeople(People):
    """Reads the people of a ledger. Hidden cards have no opening; names are as the operator chose."""

    def __init__(self, people: People, naming: Naming) -> None:
        """Take the ledger's people. `PeopleKeyError` if pseudonyms need a key that isn't there."""
        super().__init__(None, salted=people.salted)
        self._people = people
        self._naming = naming
        self._positions: Mapping[PlayerId, str] = {}
        if naming == "pseudonym":
            people.require_secret()
        if naming == "keep":
            self.names = people.names

    def __getattr__(self, attribute: str) -> Any:  # noqa: ANN401 - whatever the ledger's people have
        """Return an attribute that only the people of a stored ledger have."""
        return getattr(self._people, attribute)

    @property
    def hides_names(self) -> bool:
        """Whether names don't leave the ledger."""
        return self._naming != "keep"

    def call_by_position(self, events: Iterable[Event]) -> None:
        """Call the players of a hand by their positions in it, if names are hidden that way."""
        if self._naming == "position":
            self._positions = name_positions(list(events))

    def name(self, player: PlayerId) -> str | None:
        """Return what the player may be called here; None if unknown or erased."""
        known_name = self._people.name(player)
        if known_name is None or not self.hides_names:
            return known_name
        return self._people.pseudonym(player) if self._naming == "pseudonym" else self._positions.get(player, NAMELESS)

    def words(self, ref: TextRef) -> str | None:
        """Return a free text, raw; it may contain names, so it's withheld if they are hidden."""
        plain_text = self._people.words(ref)
        return WITHHELD if plain_text and self.hides_names else plain_text

    def opening(self, card_commitment: str) -> Opening | None:  # noqa: ARG002 - every card
        """Return None: no hidden card is ever opened for an assistant."""
        return None

    def find_person(self, player: PlayerId) -> tuple[str, str] | None:
        """Return venue and name of a player, as `name` calls them; None if unknown or erased."""
        person: tuple[str, str] | None = self._people.find_person(player)  # type: ignore[attr-defined] # a stored ledger has it
        name = self.name(player)
        return None if person is None or name is None else (person[0], name)

    def find_players(self, name: str, venue: str | None = None) -> list[PlayerId]:
        """Return the ids of the players of a name; `UsageError` where names are hidden."""
        players: list[PlayerId] = self._require_names().find_players(name, venue)
        return players

    def find_names(self, venue: str, beginning: str) -> set[str]:
        """Return the names with this beginning; `UsageError` where names are hidden."""
        names: set[str] = self._require_names().find_names(venue, beginning)
        return names

    def all_names(self, link: object) -> Iterator[tuple[PlayerId, str, str]]:
        """Yield every player with venue and name; `UsageError` where names are hidden."""
        yield from self._require_names().all_names(link)

    def _require_names(self) -> Any:  # noqa: ANN401 - the people of a stored ledger
        """Return the ledger's people; `UsageError` if names are hidden."""
        if self.hides_names:
            raise names_hidden()
        return self._people
