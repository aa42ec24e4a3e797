"""Who sits in seat 0: the rulebook's defaults, a person, or a model, which also narrates and answers at the desk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.setup import Setup
from judge.rulings import ModelJudge
from players.base import Player
from players.factory import MODELLED, make_players

if TYPE_CHECKING:
    from players.model import ModelClient


def is_model(spec: str) -> bool:
    """Whether a spec, as players.factory spells it, names a model."""
    return spec.partition(":")[0] == "model"


def needs_model(spec: str) -> bool:
    """Whether a seat of this spec cannot do without a model's server."""
    return spec.partition(":")[0] in MODELLED


def sit_down(setup: Setup, specs: Mapping[int, str], client: ModelClient | None = None) -> dict[int, Player]:
    """The players of a table and its judge, one for each spec. Raises SpecError."""
    judged = client is not None and is_model(specs.get(0, ""))
    players = {seat: spec for seat, spec in specs.items() if seat or not judged}
    made = make_players(setup, players, client=client)
    if judged and client is not None:
        made[0] = ModelJudge(client, name=client.endpoint.model)
    return made
