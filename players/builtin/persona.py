"""How a built-in player is: its skill and its manners, as numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Level = Literal["easy", "normal", "hard"]
LEVELS: tuple[Level, ...] = ("easy", "normal", "hard")


@dataclass(frozen=True, slots=True)
class Persona:
    """noise: standard deviation added to beliefs, in log-odds. bluff: chance that a wolf claims to be the seer when it
    falls to it. bold: chance to stand for office. talk: most claims in a speech. bus: chance that a wolf turns on a
    packmate who is lost anyway. patience: how loath it is to choose between two seers on the first day, in log-odds.
    doubt: below this suspicion it votes for nobody on the first day. poise: chance that as a wolf it hides well.
    clumsy: how badly a wolf hunts, keeps to what the pack agreed, and shields its own for all to see, from 0 to 1.
    """

    name: str
    noise: float = 0.45
    bluff: float = 0.5
    bold: float = 0.3
    talk: int = 4
    bus: float = 0.5
    patience: float = 3.0
    doubt: float = 0.65
    poise: float = 1.0
    clumsy: float = 0.0


PERSONAS: dict[str, Persona] = {
    p.name: p
    for p in (
        Persona("plain"),
        Persona("sly", bluff=0.8, bold=0.35, bus=0.75),
        Persona("bold", bluff=0.7, bold=0.6, talk=5),
        Persona("careful", bluff=0.35, bold=0.15, talk=3, bus=0.35),
        Persona("terse", bold=0.2, talk=2),
    )
}
NOISE: dict[Level, float] = {"easy": 7.0, "normal": 1.7, "hard": 0.35}
POISE: dict[Level, float] = {"easy": 0.0, "normal": 0.4, "hard": 1.0}
CLUMSY: dict[Level, float] = {"easy": 1.0, "normal": 0.4, "hard": 0.0}


def persona(name: str, level: Level) -> Persona:
    """A persona at a level of skill. Raises ValueError for an unknown name."""
    if name not in PERSONAS:
        raise ValueError(f"there is no persona {name!r}; there are {', '.join(PERSONAS)}")
    if level not in NOISE:
        raise ValueError(f"there is no level {level!r}; there are {', '.join(LEVELS)}")
    chosen = PERSONAS[name]
    return replace(chosen, noise=chosen.noise * NOISE[level], poise=chosen.poise * POISE[level], clumsy=CLUMSY[level])


__all__ = ["LEVELS", "PERSONAS", "Level", "Persona", "persona"]
