"""Who sits in the seats, as the settings have it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cli.config import Settings
from cli.errors import Problem
from engine.setup import Setup

if TYPE_CHECKING:
    from judge.budget import Budget
    from judge.narrator import Narrator
    from players.base import Player
    from players.model import Endpoint, Memory, ModelClient


def quiet_logs() -> None:
    """Keep the log off the screen: a line about a seat's failure would tell the others what it was doing."""
    import logging

    logger = logging.getLogger("tianhei")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False


class Seater:
    """Makes the players of one table after another; their models share one client."""

    def __init__(
        self, settings: Settings, human: int | None = None, *, many: bool = False, judge: str = "builtin"
    ) -> None:
        """human: the seat that a person takes, 0 the judge's. judge: who takes seat 0: builtin, model or human.

        many: many games run without anybody watching, so a dead server gives them marked substitutes instead of
        stopping them. Raises Problem where models are to play or to judge and none is named."""
        quiet_logs()
        self.settings, self.human, self.many, self.judge = settings, human, many, judge
        self._client: ModelClient | None = None
        if self.needs_server:
            self.endpoint()

    @property
    def needs_server(self) -> bool:
        """Whether a model takes a seat of a new table."""
        return self.settings.needs_server or self.judge == "model"

    def __call__(self, setup: Setup) -> Mapping[int, Player]:
        """The players of a new table."""
        specs: dict[int, str] = dict.fromkeys(range(1, setup.size + 1), self.settings.seated)
        if self.human is not None:
            specs[self.human] = "human"
        if self.judge != "builtin":
            specs[0] = self.judge
        return self.seated(setup, specs)

    def seated(self, setup: Setup, specs: dict[int, str]) -> Mapping[int, Player]:
        """The players that these specs describe, as a record keeps them. Raises Problem, SpecError."""
        from judge.seats import needs_model, sit_down

        needed = any(map(needs_model, specs.values()))
        return sit_down(setup, specs, self.client() if needed else None)

    def client(self) -> ModelClient:
        """The one client of all models. Raises Problem."""
        if self._client is None:
            from players.model import ModelClient

            self._client = ModelClient(self.endpoint(), memory=self.memory(), aiohttp=self.human is None)
        return self._client

    def voice(self, judge: str) -> Narrator | None:
        """What tells the game where a model is its judge. judge: who sits in seat 0. Raises Problem."""
        from judge.narrator import Narrator
        from judge.seats import is_model

        return Narrator(self.client()) if is_model(judge) else None

    def check_server(self) -> None:
        """Make sure, before anything is dealt, that the model's server answers. Raises EndpointError."""
        import asyncio

        from players.model import check_endpoint

        asyncio.run(check_endpoint(self.endpoint(), self.memory()))

    async def close(self) -> None:
        """Close the connections to the model's server."""
        if self._client is not None:
            await self._client.close()

    def endpoint(self) -> Endpoint:
        """Where the models of this table answer. Raises Problem where none is named."""
        from players.model import Endpoint

        settings = self.settings
        if settings.model is None:
            raise Problem(
                "no model is named; give --model or set TIANHEI_MODEL, or play with --players builtin",
                "没有指定模型；请用 --model 或 TIANHEI_MODEL 指定，或用 --players builtin",
            )
        given: dict[str, object] = {
            "model": settings.model,
            "base_url": settings.base_url,
            "api_key": settings.api_key,
            "strict": settings.strict,
            "context": settings.context,
            "price": settings.prices.get(settings.model),
            "parallel": 9 * settings.parallel if self.many else 64,
        }
        if not self.many:
            given["outage"] = "pause"  # who plays or watches is asked what to do
        try:
            return Endpoint.model_validate(given)
        except ValueError:
            raise Problem(
                f"the prices of {settings.model} in the config file are wrong; give input and output as numbers",
                f"配置文件里 {settings.model} 的单价有误；请以数字给出 input 与 output",
            ) from None

    def memory(self) -> Memory:
        """What earlier runs learned of servers."""
        from players.model import Memory

        return Memory(self.settings.home / "endpoints.json")

    def budget(self) -> Budget | None:
        """What one game may take. Raises Problem for a limit on cost without prices."""
        from judge.budget import Budget

        settings = self.settings
        price = self.endpoint().price if settings.model else None
        if settings.max_cost is not None and price is None:
            raise Problem(
                f'--max-cost needs the prices of {settings.model}: put [prices."{settings.model}"] with input and '
                "output (for a million tokens) into the config file",
                f'--max-cost 需要 {settings.model} 的单价：请在配置文件里写 [prices."{settings.model}"]，'
                "给出 input 与 output（每百万 token）",
            )
        if price is None and settings.max_tokens is None:
            return None
        return Budget(settings.max_tokens, settings.max_cost, price.of if price else None)
