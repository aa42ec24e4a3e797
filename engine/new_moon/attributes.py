"""What a person declares about the one in its seat: facts that could be seen across a real table (new-moon.md 1)."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.events import Event, registered
from engine.setup import Setup

OLDEST = 130  # years


class Attributes(BaseModel):
    """One seat's declared facts; None is undeclared. age in years."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", alias_generator=lambda name: name.replace("_", "-")
    )
    gender: Literal["male", "female"] | None = None
    black_clothes: bool | None = None
    glasses: bool | None = None
    jewellery: bool | None = None
    age: int | None = Field(None, ge=0, le=OLDEST)


@registered
class Declared(Event, frozen=True, tag="attributes"):
    """What a seat declared about itself before the deal; null is undeclared."""

    seat: int
    gender: str | None
    black_clothes: bool | None
    glasses: bool | None
    jewellery: bool | None
    age: int | None


def declared(setup: Setup) -> dict[int, Attributes]:
    """The attributes of every seat that declared any. Raises ValueError with what is wrong."""
    found: dict[int, Attributes] = {}
    for seat, facts in sorted(setup.attributes.items()):
        if not 1 <= seat <= setup.size:
            raise ValueError(f"attributes: there is no seat {seat}; the seats are 1 to {setup.size}")
        found[seat] = _read(seat, tuple(sorted(facts.items())))
    return found


@cache
def _read(seat: int, facts: tuple[tuple[str, Any], ...]) -> Attributes:
    try:
        return Attributes.model_validate(dict(facts))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ValueError(f"attributes of seat {seat}, {where}: {first['msg'].lower()}") from None


__all__ = ["Attributes", "Declared", "declared"]
