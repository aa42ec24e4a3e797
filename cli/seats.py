"""Who sits in the seats, as the settings have it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cli.config import Settings
from cli.errors import Problem
from engine.setup import Setup

if TYPE_CHECKING:
    from players.base import Player
    from players.model import Endpoint, ModelClient


def quiet_logs() -> None:
    """Keep the log off the screen: a line about a seat's failure would tell the others what it was doing."""
    import logging

    logger = logging.getLogger("tianhei")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False


class Seater:
    """Makes the players of one table after another; their models share one client."""

    def __init__(self, settings: Settings, human: int | None = None) -> None:
        """human: the seat that a person takes. Raises Problem where models are to play and none is named."""
        quiet_logs()
        self.settings, self.human = settings, human
        self._client: ModelClient | None = None
        if settings.seated == "model":
            self._endpoint()

    def __call__(self, setup: Setup) -> Mapping[int, Player]:
        """The players of a new table."""
        others = self.settings.seated
        seats = range(1, setup.size + 1)
        return self.seated(setup, {seat: "human" if seat == self.human else others for seat in seats})

    def seated(self, setup: Setup, specs: dict[int, str]) -> Mapping[int, Player]:
        """The players that these specs describe, as a record keeps them. Raises Problem, SpecError."""
        from players.factory import make_players

        if self._client is None and any(spec.partition(":")[0] == "model" for spec in specs.values()):
            from players.model import ModelClient

            self._client = ModelClient(self._endpoint())
        return make_players(setup, specs, client=self._client)

    def check_server(self) -> None:
        """Make sure, before anything is dealt, that the model's server answers. Raises EndpointError."""
        import asyncio

        from players.model import check_endpoint

        asyncio.run(check_endpoint(self._endpoint()))

    async def close(self) -> None:
        """Close the connections to the model's server."""
        if self._client is not None:
            await self._client.close()

    def _endpoint(self) -> Endpoint:
        from players.model import Endpoint

        settings = self.settings
        if settings.model is None:
            raise Problem(
                "no model is named; give --model or set TIANHEI_MODEL, or play with --players builtin",
                "没有指定模型；请用 --model 或 TIANHEI_MODEL 指定，或用 --players builtin",
            )
        given = {"model": settings.model, "base_url": settings.base_url, "api_key": settings.api_key}
        return Endpoint.model_validate(given)
