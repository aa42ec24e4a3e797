"""A campaign on disk: the plan, one record per game, and going on where it stopped.

A record appears under its game's id only when the game is over; what is left to play is the plan without the records.
Games with models are played at tables whose store keeps every reply, so no call is paid for twice.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from arena.annotate.game import Meta, annotate
from arena.annotate.tables import Tables
from arena.design.config import Agent, Config
from arena.design.schedule import Planned, plan
from engine.setup import Setup
from judge.direct import play_direct
from judge.record import Record, RecordWriter, read_record
from players.base import Player
from players.factory import make_players

if TYPE_CHECKING:
    from judge.store import Store
    from players.model import ModelClient

PLAN, GAMES, CONFIG = "plan.jsonl", "games", "config.json"
Done = Callable[[Planned, str], None]


class CampaignError(ValueError):
    """A folder that holds another campaign."""


class Campaign:
    """A configuration and its folder. Use `close` at the end, or as a context."""

    def __init__(self, config: Config, folder: Path) -> None:
        """Writes the plan, or compares it with the one that is there. Raises CampaignError, SetupError, OSError."""
        self.config, self.folder = config, folder
        self.plan = plan(config)
        self.games = folder / GAMES
        self.games.mkdir(parents=True, exist_ok=True)
        self._clients: dict[str, ModelClient] = {}
        wanted = b"".join(msgspec.json.encode(one) + b"\n" for one in self.plan)
        path = folder / PLAN
        if not path.exists():
            part = path.with_name(f"{PLAN}.{os.getpid()}.part")
            part.write_bytes(wanted)
            (folder / CONFIG).write_text(config.model_dump_json(indent=1), encoding="utf-8")
            part.replace(path)
        elif path.read_bytes() != wanted:
            raise CampaignError(f"{folder} holds another campaign (its plan differs); choose another folder")
        elif not (folder / CONFIG).exists():
            (folder / CONFIG).write_text(config.model_dump_json(indent=1), encoding="utf-8")

    def path(self, game: Planned) -> Path:
        """Where the game's record is, or will be."""
        return self.games / f"{game.game_id}.jsonl"

    @property
    def left(self) -> tuple[Planned, ...]:
        """The games that have no record yet."""
        return tuple(game for game in self.plan if not self.path(game).exists())

    # -- playing

    def run(self, done: Done) -> None:
        """Play what is left; `done` is told each game and how it ended. Raises RecordError, SeatDown, OSError."""
        left = self.left
        models = {agent.id for agent in self.config.agents if agent.is_model}
        for game in left:
            if not models & set(game.agents):
                done(game, self._play(game))
        waiting = [game for game in left if models & set(game.agents)]
        if waiting:
            asyncio.run(self._play_models(waiting, done))

    def _play(self, game: Planned) -> str:
        """A game of players that answer at once."""
        return write_game(self.path(game), game.setup, self.players(game), game.game_id, self.config.max_days)

    async def _play_models(self, games: Sequence[Planned], done: Done) -> None:
        from judge.store import Store

        for name in sorted({name for game in games for name in game.agents}):
            agent = self.config.agent(name)
            if agent.player.partition(":")[0] == "model":
                await self._client(agent).check()
        store = Store(self.folder)
        begun = {game.id for game in store.games()}
        waiting = iter(games)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self.config.parallel, len(games))):
                    group.create_task(self._worker(waiting, store, begun, done))
        except ExceptionGroup as several:
            raise several.exceptions[0] from several
        finally:
            store.close()
            for client in self._clients.values():
                await client.close()
            self._clients.clear()

    async def _worker(self, waiting: Iterator[Planned], store: Store, begun: set[str], done: Done) -> None:
        from judge.table import Table

        for game in waiting:
            if game.game_id in begun:
                table = Table.resume(store, game.game_id, lambda _, __, game=game: self.players(game))  # type: ignore[misc]
            else:
                table = Table.new(
                    game.setup,
                    self.players(game),
                    store,
                    human_seats=(),
                    game_id=game.game_id,
                    max_days=self.config.max_days,
                )
            try:
                await table.run()
            finally:
                await table.close()
            part = self.path(game).with_suffix(f".{os.getpid()}.part")
            store.export(game.game_id, part)
            part.replace(self.path(game))
            result = store.record(game.game_id).result
            done(game, result.status if result else "unfinished")

    def players(self, game: Planned) -> dict[int, Player]:
        """The players of a game, made anew."""
        found: dict[int, Player] = {}
        for agent in self.config.agents:
            seats = [seat for seat, name in game.seated.items() if name == agent.id]
            if not seats:
                continue
            client = self._client(agent) if agent.is_model else None
            rest = agent.player.partition(":")[2]
            spec = f"model:{rest}".rstrip(":") if agent.is_model else agent.player
            found.update(make_players(game.setup, dict.fromkeys(seats, spec), client=client))
        return found

    def _client(self, agent: Agent) -> ModelClient:
        known = self._clients.get(agent.id)
        if known is None:
            known = self._clients[agent.id] = client_of(agent)
        return known

    # -- reading

    def records(self) -> Iterator[tuple[Planned, Record]]:
        """The records that are there, in the order of the plan. Raises RecordError."""
        return ((game, read_record(self.path(game))) for game in self.plan if self.path(game).exists())

    def tables(self, canary: str = "") -> Iterator[Tables]:
        """The games that are there, annotated. Raises RecordError."""
        for game, record in self.records():
            yield annotate(record, self.meta(game, record, canary))

    def meta(self, game: Planned, record: Record, canary: str = "") -> Meta:
        """What the campaign knows of a game."""
        return Meta(game.game_id, game.schedule, game.seated, canary, self._cost(game, record))

    def _cost(self, game: Planned, record: Record) -> float | None:
        """What the game's calls cost, where every model in it has prices."""
        total = 0.0
        agents = {agent.id: agent for agent in self.config.agents}
        seats = {seat: agents[name] for seat, name in game.seated.items()}
        if not any(agent.is_model for agent in seats.values()):
            return 0.0
        for line in record.decisions:
            for one in (*line.asked, *line.aside):
                agent = seats.get(one.ask.seat)
                for call in one.calls:
                    if agent is None or agent.price_input is None or agent.price_output is None:
                        return None
                    total += (call.tokens_in * agent.price_input + call.tokens_out * agent.price_output) / 1e6
        return total


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


def client_of(agent: Agent) -> ModelClient:
    """The agent's server. Raises ValueError for settings that no server can have."""
    if agent.player.partition(":")[0] == "stub":
        from arena.design.stub import stub_client

        return stub_client(agent.model or agent.id)
    from players.model import Endpoint, ModelClient

    return ModelClient(
        Endpoint.model_validate(
            {
                "model": agent.model,
                "base_url": agent.base_url,
                "api_key": os.environ.get(agent.key),
                "temperature": agent.temperature,
                "max_tokens": agent.max_tokens,
                "outage": "pause",  # a dead server must not become a game of fallbacks
            }
        )
    )
