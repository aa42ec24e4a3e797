"""Options of the New Moon: the deck of event cards, and the small print of single cards (new-moon.md 1)."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import field_validator

from engine.options import Options


class NewMoonOptions(Options):
    """Whether event cards are in use, which, which count as drawn each morning, and who decides that one is turned.

    deck: the 27 cards that the rules name, all 36, or a list of card ids. by: `auto` is the gypsy where the deck holds
    one, else every morning.
    """

    group: ClassVar[str] = "new-moon"
    on: bool = False
    deck: Literal["named", "full"] | tuple[str, ...] = "named"
    standing: tuple[str, ...] = ()
    by: Literal["auto", "every-morning", "gypsy"] = "auto"

    @field_validator("deck", "standing", mode="before")
    @classmethod
    def _listed(cls, given: Any) -> Any:
        """Names of cards with commas between them, as a command line gives a list."""
        if isinstance(given, str) and given not in ("named", "full"):
            return tuple(name.strip() for name in given.split(",") if name.strip())
        return given


class EventsOptions(Options):
    """Whether the dead answer what a card asks them; else the judge does in their place."""

    group: ClassVar[str] = "events"
    dead_names: bool = True


class RascalOptions(Options):
    """Whether the rascal's heavy vote lasts for the game."""

    group: ClassVar[str] = "rascal"
    lasting: bool = False


class TouchOptions(Options):
    """Whether the walking wolf is heard."""

    group: ClassVar[str] = "touch"
    footsteps: bool = True
