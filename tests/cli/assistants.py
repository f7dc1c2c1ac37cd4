"""An assistant's side of `handledger mcp`: the SDK's own client, in this process."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import anyio
from mcp.client import Client

from handledger.mcp_server.answer_text import DATA_BEGINS, DATA_ENDS, DEFAULT_CHARACTERS, HEADER
from handledger.mcp_server.server import AssistantServer
from handledger.mcp_server.tools import ServerOptions

Call = tuple[str, dict[str, Any]]
_Result = TypeVar("_Result")


class Reply(NamedTuple):
    """What a tool answered."""

    text: str
    is_error: bool

    @property
    def data(self) -> Any:
        """The document between the marks. Outside of them is our header, letter for letter."""
        head, _, tail = self.text.partition(DATA_BEGINS)
        body, _, foot = tail.partition(DATA_ENDS)
        assert (head, foot) == (f"{HEADER}\n", ""), self.text[:2_000]
        assert "<" not in body
        assert ">" not in body
        return json.loads(body)

    @property
    def error(self) -> dict[str, str]:
        assert self.is_error, self.text[:500]
        failure: dict[str, str] = self.data["error"]
        return failure


def talk(
    action: Callable[[Client], Awaitable[_Result]], options: ServerOptions, max_characters: int = DEFAULT_CHARACTERS
) -> _Result:
    """Connect a client over memory streams, with the framing of the real connection, and return what `action` does."""

    async def run() -> _Result:
        async with Client(AssistantServer(options, max_characters).build(), mode="legacy") as client:
            return await action(client)

    return anyio.run(run)


def ask_all(calls: Iterable[Call], options: ServerOptions, max_characters: int = DEFAULT_CHARACTERS) -> list[Reply]:
    """Return the reply to each call, over one connection."""

    async def action(client: Client) -> list[Reply]:
        return [await ask_client(client, *call) for call in calls]

    return talk(action, options, max_characters)


async def ask_client(client: Client, tool: str, arguments: dict[str, Any]) -> Reply:
    """Return the reply to one call."""
    result = await client.call_tool(tool, arguments)
    assert len(result.content) == 1
    assert result.structured_content is None
    return Reply(result.content[0].text, bool(result.is_error))


def ask(url: object, tool: str, **arguments: Any) -> Reply:
    """Return the reply to one call about a ledger."""
    (reply,) = ask_all([(tool, arguments)], ServerOptions(str(url)))
    return reply
