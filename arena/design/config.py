"""The configuration of an evaluation: a TOML file, checked once."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from arena.campaign.plan import Plan, Table
from arena.design.schedule import Entrant, Schedule, Trial

FILE_LIMIT = 64 * 1024
Lang = Literal["zh", "en"]


class ConfigError(ValueError):
    """A configuration that cannot be used: where, and why."""


class Agent(BaseModel):
    """Who is compared. player: a spec of players.factory ("builtin:hard", "random", "model"), or "stub", a stand-in
    for a model that answers at once and at random within the mask. model, base_url: of a model; its key is read from
    the environment variable `key`, never from the file. price: for a million tokens, input and output. max_cost: of all
    its games together; then the evaluation stops. requests_per_minute, tokens_per_minute: its server's limits."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1, max_length=60, pattern=r"^[\w.\-]+$")
    player: str = Field(min_length=1, max_length=200)
    model: str | None = Field(None, min_length=1, max_length=200)
    base_url: str | None = Field(None, max_length=2000)
    key: str = Field("OPENAI_API_KEY", max_length=80)
    temperature: float | None = Field(None, ge=0, le=2)
    max_tokens: int = Field(2000, ge=64, le=100_000)
    price_input: float | None = Field(None, ge=0)
    price_output: float | None = Field(None, ge=0)
    max_cost: float | None = Field(None, ge=0)
    requests_per_minute: float | None = Field(None, ge=1)
    tokens_per_minute: float | None = Field(None, ge=1)

    @property
    def is_model(self) -> bool:
        """Whether it asks a server, or a stand-in for one."""
        return self.player.partition(":")[0] in ("model", "stub")

    @property
    def priced(self) -> bool:
        """Whether it is known what it costs; what asks nobody is free."""
        return not self.is_model or (self.price_input is not None and self.price_output is not None)

    def entrant(self, probe: bool) -> Entrant:
        """As the plan has it: all that its play depends on."""
        if not self.is_model:
            return Entrant(self.id, self.player)
        kind, _, persona = self.player.partition(":")
        asked: dict[str, str | int | float | None] = {"temperature": self.temperature, "max_tokens": self.max_tokens}
        if kind == "stub":
            asked["stub"] = 1
        if probe:
            asked["probe"] = 1
        return Entrant(self.id, f"model:{persona}".rstrip(":"), self.model or self.id, asked)

    @model_validator(mode="after")
    def _named(self) -> Agent:
        if self.player.partition(":")[0] == "model" and self.model is None:
            raise ValueError("an agent that is a model needs `model`")
        if self.max_cost is not None and not self.priced:
            raise ValueError("`max_cost` needs price_input and price_output")
        return self


class Config(BaseModel):
    """An evaluation.

    deals: how many cards-to-seats deals. langs: every deal is played in each. schedule: matrix (village all one agent,
    wolves all another, every pair), fill-in (one candidate among a frozen panel), mixed (agents cycle over the seats).
    rotations: of fill-in, seats that the candidate takes in turn for each deal. panel: of fill-in, the agent in the
    other seats. replicates: games of the same assignment. parallel: model games at once. max_days: then unfinished.
    max_cost: of the whole; then it stops, and can go on with more. max_cost_per_game, max_tokens_per_game: then a game
    ends without a result. probe: models are asked for their beliefs in a fork before each vote.
    talk: false is the ablation in which nobody's public words are heard.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1, max_length=60, pattern=r"^[\w.\-]+$")
    ruleset: str = Field("tournament", max_length=80)
    seats: int = Field(9, ge=3, le=18)
    deck: str | None = Field(None, max_length=80)
    options: dict[str, Any] = {}
    deals: int = Field(20, ge=1, le=100_000)
    seed: int = Field(1, ge=0)
    langs: tuple[Lang, ...] = Field(("zh",), min_length=1, max_length=2)
    schedule: Schedule = "matrix"
    rotations: int = Field(1, ge=1, le=18)
    panel: str | None = None
    reference: str | None = None
    replicates: int = Field(1, ge=1, le=1000)
    parallel: int = Field(8, ge=1, le=256)
    max_days: int = Field(40, ge=1, le=200)
    max_cost: float | None = Field(None, ge=0)
    max_cost_per_game: float | None = Field(None, ge=0)
    max_tokens_per_game: int | None = Field(None, ge=1)
    probe: bool = False
    talk: bool = True
    agents: tuple[Agent, ...] = Field(min_length=1, max_length=60)

    @model_validator(mode="after")
    def _whole(self) -> Config:
        ids = [agent.id for agent in self.agents]
        if len(set(ids)) < len(ids):
            raise ValueError("two agents have the same id")
        for name in (self.panel, self.reference):
            if name is not None and name not in ids:
                raise ValueError(f"there is no agent {name!r}; there are {', '.join(ids)}")
        if self.schedule == "fill-in" and self.panel is None:
            raise ValueError("a fill-in schedule needs `panel`, the agent in the other seats")
        if len(set(self.langs)) < len(self.langs):
            raise ValueError("a language stands twice in `langs`")
        unpriced = [agent.id for agent in self.agents if not agent.priced]
        if unpriced and not (self.max_cost is None and self.max_cost_per_game is None):
            raise ValueError(f"a limit on the cost needs price_input and price_output of {', '.join(unpriced)}")
        return self

    def agent(self, name: str) -> Agent:
        """The agent of this id."""
        return next(agent for agent in self.agents if agent.id == name)

    def plan(self, code: str = "") -> Plan:
        """The campaign that plays it. code: hash of the code that plans it."""
        table = Table(
            self.ruleset, self.seats, self.deck, self.options, self.langs[0], (), max_days=self.max_days
        )  # fmt: skip
        entrants = tuple(agent.entrant(self.probe) for agent in self.agents)
        trial = Trial(self.name, entrants, self.langs, self.schedule, self.rotations, self.panel, self.talk)
        return Plan(table, self.seed, self.deals, self.replicates, code=code, trial=trial)


def load_config(path: Path) -> Config:
    """The configuration in a file. Raises ConfigError, OSError."""
    data = path.read_bytes()
    if len(data) > FILE_LIMIT:
        raise ConfigError(f"{path}: more than {FILE_LIMIT} bytes")
    try:
        return Config.model_validate(tomllib.loads(data.decode()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise ConfigError(f"{path}: {where + ': ' if where else ''}{first['msg']}") from None
