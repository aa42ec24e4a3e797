"""An evaluation on disk: a campaign (arena.campaign) whose plan is a comparison, and the configuration beside it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from arena.annotate.game import Meta, annotate
from arena.annotate.tables import Tables
from arena.campaign.crew import Processes, conduct
from arena.campaign.ledger import Ended, Ledger
from arena.campaign.limits import Caps, GameCaps, Gate, Purse, Throttle
from arena.campaign.plan import LEDGER, PLAN, Plan, Planned, code_hash, read_plan, record_path, write_plan
from arena.campaign.run import Report, Runner, open_client, opened, retry, stops_softly
from arena.design.config import Agent, Config
from engine.setup import Setup
from judge.direct import play_direct
from judge.record import Record, RecordWriter, read_record
from players.base import Player

if TYPE_CHECKING:
    from arena.campaign.journal import Bench
    from players.model import Endpoint, ModelClient

CONFIG = "evaluation.json"
SEVERAL = 20  # games that are worth a process
Done = Callable[[Ended], None]


class Evaluation:
    """A configuration and its folder."""

    def __init__(self, config: Config, folder: Path) -> None:
        """Writes the plan, or compares it with the one that is there; prices and limits may be others.

        Raises CampaignError, SetupError, OSError.
        """
        self.config, self.folder = config, folder
        wanted = config.plan(code_hash())
        next(wanted.games(), None)  # a table that cannot be dealt is told before anything is written
        if (folder / PLAN).exists():
            wanted = msgspec.structs.replace(wanted, code=read_plan(folder).code)
        write_plan(folder, wanted)
        self.plan: Plan = wanted
        (folder / CONFIG).write_text(config.model_dump_json(indent=1), encoding="utf-8")

    def left(self) -> int:
        """How many games have no result yet. Raises CampaignError."""
        if not (self.folder / LEDGER).exists():
            return sum(1 for _ in self.plan.games())
        with closing(Ledger(self.folder, write=False)) as ledger:
            totals = ledger.totals()
        return totals.planned + totals.leased

    def run(self, done: Done, *, again: bool = False, other_code: bool = False) -> Report:
        """Play what is left; `done` is told of each game. again: also what failed. Raises CampaignError, SeatDown.

        other_code: go on although the plan was made with other code; where nothing is left, that is nobody's concern.
        """
        with opened(self.folder, other_code=other_code or not (again or self.left())) as ledger:
            if again:
                retry(ledger)
            waiting = ledger.totals().planned
            workers = min(os.cpu_count() or 1, waiting // SEVERAL)
            if not self.plan.paid and workers > 1:
                return conduct(ledger, Processes(workers), done=done)
            try:
                return asyncio.run(self._run(ledger, done))
            except ExceptionGroup as several:
                raise several.exceptions[0] from several

    async def _run(self, ledger: Ledger, done: Done) -> Report:
        config = self.config
        models = [agent for agent in config.agents if agent.is_model] if ledger.totals().planned else []
        caps = Caps(None, config.max_cost, {agent.id: (None, agent.max_cost) for agent in models})
        purse, game = Purse(caps, ledger.spent()), GameCaps(config.max_tokens_per_game, config.max_cost_per_game)
        async with AsyncExitStack() as stack:
            benches = {agent.id: await _bench(agent, config, purse, stack) for agent in models}
            runner = Runner(ledger, parallel=config.parallel, benches=benches, caps=game, done=done)
            with stops_softly(runner):
                return await runner.run()

    # -- reading

    def games(self) -> Iterator[tuple[Record, Tables]]:
        """The games that are over, annotated. Raises RecordError."""
        return read_campaign(self.folder)

    def tables(self) -> Iterator[Tables]:
        """Their tables alone."""
        return (tables for _, tables in self.games())


def read_campaign(folder: Path, canary: str = "") -> Iterator[tuple[Record, Tables]]:
    """The games of any campaign that are over, annotated, in the plan's order. Raises CampaignError, RecordError."""
    plan, config = read_plan(folder), config_of(folder)
    costs, priced = _costs(folder), {agent.id for agent in config.agents if agent.priced} if config else set[str]()
    for game in plan.games():
        path = record_path(folder, game.id)
        if path.exists():
            cost = costs.get(game.id, 0.0) if priced.issuperset(game.seated) else None
            record = read_record(path)
            yield record, annotate(record, meta_of(plan, game, canary, cost))


def meta_of(plan: Plan, game: Planned, canary: str, cost: float | None) -> Meta:
    """What the plan knows of a game."""
    schedule = plan.trial.schedule if plan.trial else "single"
    return Meta(game.id, schedule, dict(enumerate(game.seated, 1)), canary, cost)


def config_of(folder: Path) -> Config | None:
    """The configuration that an evaluation's folder keeps, None of another folder."""
    kept = folder / CONFIG
    return Config.model_validate_json(kept.read_bytes()) if kept.is_file() else None


def _costs(folder: Path) -> dict[str, float]:
    if not (folder / LEDGER).exists():
        return {}
    with closing(Ledger(folder, write=False)) as ledger:
        return ledger.costs()


def write_game(path: Path, setup: Setup, players: Mapping[int, Player], game_id: str, max_days: int) -> str:
    """Play a game of players that answer at once; its record appears when it is over. Returns its status."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    writer = RecordWriter.open(part, durable=False)
    try:
        outcome = play_direct(setup, players, writer, max_days=max_days, game_id=game_id)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    finally:
        writer.close()
    part.replace(path)
    return outcome.status


async def _bench(agent: Agent, config: Config, purse: Purse, stack: AsyncExitStack) -> Bench:
    """What the agent's seats need; the stack closes it. Raises EndpointError."""
    from arena.campaign.journal import Bench

    client = client_of(agent, config.parallel, stack)
    if agent.player.partition(":")[0] == "model":
        await client.check()
    parallel = client.endpoint.parallel
    throttle = Throttle(parallel, requests=agent.requests_per_minute, tokens=agent.tokens_per_minute)
    return Bench(client, Gate(throttle, purse), agent.id, config.probe)


def client_of(agent: Agent, games: int, stack: AsyncExitStack) -> ModelClient:
    """The agent's server; the stack closes it. games: at once. Raises ValueError for settings that no server has."""
    endpoint = _endpoint(agent, games)
    if agent.player.partition(":")[0] == "stub":
        from arena.design.stub import stub_client

        client = stub_client(endpoint)
    else:
        client, http = open_client(endpoint)
        stack.push_async_callback(http.aclose)
    stack.push_async_callback(client.close)
    return client


def _endpoint(agent: Agent, games: int) -> Endpoint:
    from players.model import Endpoint

    prices = agent.price_input is not None and agent.price_output is not None
    return Endpoint.model_validate(
        {
            "model": agent.model or agent.id,
            "base_url": agent.base_url,
            "api_key": os.environ.get(agent.key),
            "temperature": agent.temperature,
            "max_tokens": agent.max_tokens,
            "price": {"input": agent.price_input, "output": agent.price_output} if prices else None,
            "parallel": 9 * games,
            "outage": "pause",  # a dead server must not become a game of fallbacks
        }
    )
