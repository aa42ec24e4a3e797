"""Options of the whole table: reveals, last words, talk, votes and winning (rulesets.md 3.1, 3.2, 3.6)."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from engine.options import Options


class Reveal(Options):
    """Which cards are turned when a seat is out."""

    group: ClassVar[str] = "reveal"
    night: Literal["card", "none"] = "card"
    vote: Literal["card", "none"] = "card"
    grief: Literal["card", "none"] = "card"
    shot: Literal["card", "none"] = "card"
    explode: Literal["card"] = "card"


class Announce(Options):
    """What dawn tells besides the seats."""

    group: ClassVar[str] = "announce"
    cause: Literal["none", "grief"] = "none"
    yesterday: bool = False
    lost_camp: Literal["no"] = "no"


class Dead(Options):
    """The dead at the table."""

    group: ClassVar[str] = "dead"
    contact: Literal["no"] = "no"


class LastWords(Options):
    """Who speaks once more after elimination."""

    group: ClassVar[str] = "last-words"
    vote: Literal["no", "yes", "quota"] = "no"
    night: Literal["no", "first-night", "quota"] = "no"
    poison: bool = True
    shot: bool = True
    explode: bool = False


class Calls(Options):
    """Whether the judge calls at night also where nobody answers, so that nothing is heard of who is left."""

    group: ClassVar[str] = "calls"
    dummy: bool = True


class Talk(Options):
    """The order of speech."""

    group: ClassVar[str] = "talk"
    order: Literal["free", "from-left-of-victim", "sheriff-side", "from-sheriff", "bid"] = "free"
    rounds: int = Field(1, ge=1, le=5)


class Vote(Options):
    """The exile vote."""

    group: ClassVar[str] = "vote"
    self: bool = False
    abstain: bool = False
    tie: Literal["nobody", "revote", "revote-until-out", "sheriff-side", "sheriff-decides"] = "nobody"
    revotes: int = Field(1, ge=1, le=9)
    revote_voters: Literal["all", "untied"] = "all"
    open: bool = True


class Win(Options):
    """When a camp has won (rulesets.md 3.6)."""

    group: ClassVar[str] = "win"
    wolves: Literal["kill-all", "parity", "kill-side", "outnumber"] = "kill-all"
    village: Literal["no-wolf", "last-camp", "no-wolf-god-and-plain"] = "no-wolf"
    lovers: Literal["last-two", "last-camp", "one-other"] = "last-two"
    piper: Literal["others-charmed", "singles-charmed"] = "others-charmed"
    priority: tuple[str, ...] = ("lovers", "wolves", "village")
    check: tuple[Literal["night", "dawn", "vote", "dusk", "wave"], ...] = ("dawn", "vote")
    nobody: Literal["draw", "conditions"] = "draw"
    stall: int = Field(12, ge=3, le=99)
    """Days in a row without an elimination after which the game is a draw."""
