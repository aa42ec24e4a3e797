"""What a campaign plays: settled once, and every game's id follows from it alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

from arena.design.schedule import Trial, assignments
from engine.setup import Setup, deal

PLAN_SCHEMA = 2
PLAN, LEDGER, GAMES = "plan.json", "ledger.sqlite", "games"
CODE = ("engine", "judge", "players", "prompts")
"""The packages that decide what happens in a game and what a model reads."""


class CampaignError(ValueError):
    """A campaign's folder is not as it must be; the message says where and how."""


class Planned(msgspec.Struct, frozen=True):
    """One game of a plan. Of a comparison, lang: its language; seated: who plays, seat 1 first."""

    id: str
    seed: int
    replicate: int = 0
    lang: str = ""
    seated: tuple[str, ...] = ()


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every game of the plan has in common; all of it goes into the games' ids.

    players: a spec for every seat, or one for all of them. model: what is asked for in seats with models.
    """

    ruleset: str = "tournament"
    seats: int = 9
    deck: str | dict[str, int] | None = None
    options: dict[str, str | int | bool | float | list[str] | None] = {}
    lang: str = "zh"
    players: tuple[str, ...] = ("builtin",)
    model: str = ""
    max_days: int = 40


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A campaign: the deals of `seeds` seeds on from `first`, each played `replicates` times.

    trial: who is compared, and how; then each deal is played by every assignment, and the table's players are nobody.
    shard: (k, n): the k-th of n parts, by the hash of the game; parts can be merged. code: hash of the code that made
    the plan, as another one would deal, ask or judge otherwise.
    """

    table: Table
    first: int = 1
    seeds: int = 1
    replicates: int = 1
    shard: tuple[int, int] = (0, 1)
    code: str = ""
    schema: int = PLAN_SCHEMA
    trial: Trial | None = None

    def games(self) -> Iterator[Planned]:
        """All games of this shard, in order. Raises SetupError."""
        part, parts = self.shard
        for seed in range(self.first, self.first + self.seeds):
            for lang, seated, content in self._seatings(seed):
                for replicate in range(self.replicates):
                    game = game_id(self.table, seed, replicate, content)
                    if int(game, 16) % parts == part:
                        yield Planned(game, seed, replicate, lang, seated)

    def _seatings(self, seed: int) -> Iterator[tuple[str, tuple[str, ...], bytes]]:
        """Language, who sits where, and what of both goes into the games' ids."""
        trial = self.trial
        if trial is None:
            yield "", (), b""
            return
        dealt = self._dealt(seed, "")
        for lang in trial.langs:
            for seated in assignments(trial, dealt, seed - self.first):
                who = [trial.entrant(name) for name in seated]
                yield lang, seated, msgspec.json.encode([trial.name, lang, who, trial.talk], order="sorted")

    def setup(self, game: Planned) -> Setup:
        """The dealt table of a game. Raises SetupError."""
        return self._dealt(game.seed, game.lang)

    def _dealt(self, seed: int, lang: str) -> Setup:
        t = self.table
        return deal(t.ruleset, t.seats, deck=t.deck, seed=seed, lang=lang or t.lang, options=t.options)

    def specs(self, game: Planned) -> dict[int, str]:
        """Who sits where, as players.factory takes it."""
        if self.trial is not None:
            return {seat: self.trial.entrant(name).player for seat, name in enumerate(game.seated, 1)}
        given = self.table.players
        return {seat: given[(seat - 1) % len(given)] for seat in range(1, self.table.seats + 1)}

    @property
    def paid(self) -> bool:
        """Whether models sit at the tables."""
        players = self.table.players if self.trial is None else [one.player for one in self.trial.entrants]
        return any(spec.partition(":")[0] == "model" for spec in players)

    @property
    def hash(self) -> str:
        """The plan's own hash; the ledger holds it as well."""
        return sha256(encode(self)).hexdigest()


def encode(plan: Plan) -> bytes:
    """The plan's file."""
    return msgspec.json.format(msgspec.json.encode(plan, order="sorted"), indent=1) + b"\n"


def game_id(table: Table, seed: int, replicate: int, seated: bytes = b"") -> str:
    """A game's id: the same table, seed, replicate and seating, the same id, in whatever campaign."""
    content = _table_bytes(msgspec.json.encode(table, order="sorted")) + f":{seed}:{replicate}".encode() + seated
    return sha256(content).hexdigest()[:20]


@cache
def _table_bytes(encoded: bytes) -> bytes:
    return sha256(encoded).digest()


def write_plan(folder: Path, plan: Plan) -> None:
    """Settle the plan of a new campaign, whole or not at all. Raises CampaignError if another one is there, OSError."""
    path = folder / PLAN
    if path.exists():
        if read_plan(folder) != plan:
            raise CampaignError(f"{path}: this campaign has another plan")
        return
    folder.mkdir(parents=True, exist_ok=True)
    place(path, encode(plan))


def read_plan(folder: Path) -> Plan:
    """The plan of a campaign. Raises CampaignError."""
    path = folder / PLAN
    try:
        plan = msgspec.json.decode(path.read_bytes(), type=Plan)
    except FileNotFoundError:
        raise CampaignError(f"{folder}: there is no campaign here (no {PLAN})") from None
    except OSError as error:
        raise CampaignError(f"{path}: {error.strerror or error}") from error
    except msgspec.MsgspecError as error:
        raise CampaignError(f"{path}: {error}") from None
    if plan.schema != PLAN_SCHEMA:
        raise CampaignError(f"{path}: the plan has schema {plan.schema}, this version reads {PLAN_SCHEMA}")
    part, parts = plan.shard
    players = plan.table.players if plan.trial is None else plan.trial.entrants
    if not (0 <= part < parts and plan.seeds >= 0 and plan.replicates >= 1 and players):
        raise CampaignError(f"{path}: the plan's numbers make no sense")
    return plan


def place(path: Path, data: bytes) -> None:
    """Put a file there, whole and on the disk, or not at all. Raises OSError."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the name as well
        finally:
            os.close(folder)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def record_path(folder: Path, game: str) -> Path:
    """Where a game's record stands once the game is over."""
    return folder / GAMES / game[:2] / f"{game}.jsonl"


@cache
def code_hash() -> str:
    """A hash of all code and words that decide how a game goes."""
    root, total = Path(__file__).parents[2], sha256()
    for package in CODE:
        for path in sorted((root / package).rglob("*")):
            if path.suffix in (".py", ".toml", ".yaml", ".json") and path.is_file():
                total.update(f"{path.relative_to(root).as_posix()}\0".encode())
                total.update(sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]
