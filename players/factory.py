"""Players from specs: "builtin", "builtin:sly:hard", "random", "human", "model", "model:calm and brief",
"hybrid:hard@model:calm" (a built-in player's plan in a model's words), "python:NAME" (an installed entry point)."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING

from engine.setup import Setup
from players.base import Player

if TYPE_CHECKING:
    from players.builtin import BuiltinPlayer
    from players.model import Endpoint, ModelClient

KINDS = ("builtin", "random", "human", "model", "hybrid", "python")
MODELLED = frozenset({"model", "hybrid"})
"""Kinds that need a model's server."""


class SpecError(ValueError):
    """A spec that names no player: what is wrong and what there is."""


def make_players(
    setup: Setup, specs: Mapping[int, str], endpoint: Endpoint | None = None, client: ModelClient | None = None
) -> dict[int, Player]:
    """The players of a table, one for each spec (seat 0 too). Every player has `spec`, as a record keeps it.

    endpoint: where the models of "model" seats answer; they share one client. client: one to share with other tables.
    Raises SpecError.
    """
    shared = client
    made: dict[int, Player] = {}
    for seat, spec in sorted(specs.items()):
        kind, _, rest = spec.partition(":")
        if kind in MODELLED and shared is None:
            if endpoint is None:
                raise SpecError(f"seat {seat} is for a model, but no model is configured; name one, or use 'builtin'")
            from players.model import ModelClient

            shared = ModelClient(endpoint)
        made[seat] = _player(kind, rest, seat_seed(setup, seat), shared, seat)
        made[seat].spec = spec
    return made


def seat_seed(setup: Setup, seat: int) -> int:
    """A seat's own seed. It is a hash, so that nothing about the deal follows from it."""
    return int.from_bytes(sha256(f"{setup.seed}:{setup.ruleset}:{seat}:player".encode()).digest()[:6], "big")


def _player(kind: str, rest: str, seed: int, client: ModelClient | None, seat: int) -> Player:
    if kind == "builtin" and seat == 0:
        from players.judge import AutoJudge

        return AutoJudge()
    if kind == "builtin":
        return _builtin(rest, seed)
    if kind == "random":
        from players.random import RandomPlayer

        return RandomPlayer(seed)
    if kind == "human":
        from players.human import HumanPlayer

        return HumanPlayer(rest or "human")
    if kind == "model" and client is not None:
        from players.model import ModelPlayer

        return ModelPlayer(client, seed, persona=rest)
    if kind == "hybrid" and client is not None:
        return _hybrid(rest, seed, client)
    if kind == "python":
        from players.python import PythonSeatError, make_python_player

        try:
            return make_python_player(rest, seed)
        except PythonSeatError as error:
            raise SpecError(str(error)) from error
    raise SpecError(f"there is no player {kind!r}; there are {', '.join(KINDS)}")


def _hybrid(rest: str, seed: int, client: ModelClient) -> Player:
    from players.hybrid import HybridPlayer

    plan, _, words = rest.partition("@")
    voice, _, persona = words.partition(":")
    if voice not in ("", "model"):
        raise SpecError(f"'hybrid:{rest}': behind @ stands who words the speech, model or model:how it talks")
    return HybridPlayer(_builtin(plan, seed), client, persona)


def _builtin(rest: str, seed: int) -> BuiltinPlayer:
    from players.builtin import BuiltinPlayer
    from players.builtin.persona import LEVELS, PERSONAS, Level

    words = [word for word in rest.split(":") if word]
    levels: list[Level] = [level for level in LEVELS if level in words]
    personas = [word for word in words if word in PERSONAS]
    if len(levels) > 1 or len(personas) > 1 or len(levels) + len(personas) < len(words):
        raise SpecError(f"'builtin:{rest}': give a persona ({', '.join(PERSONAS)}) and a level ({', '.join(LEVELS)})")
    chosen = personas[0] if personas else list(PERSONAS)[seed % len(PERSONAS)]
    return BuiltinPlayer(seed, levels[0] if levels else "normal", chosen)
