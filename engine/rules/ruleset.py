"""Named rulesets, read from the TOML files beside this module and checked."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from engine.options import OptionError, OptionSet, build
from engine.rule import RULES, Role


class SetupError(ValueError):
    """A table that cannot be played: what is wrong and what to do."""


class Ruleset(msgspec.Struct, frozen=True):
    """A ruleset as its file gives it.

    order: the steps of the setup and of every night, in the order in which they are called.
    decks: deck table name -> seats -> counts by role.
    """

    id: str
    names: dict[str, str]
    sources: str
    options_: dict[str, Any] = msgspec.field(name="options")
    order: dict[str, tuple[str, ...]]
    decks: dict[str, dict[str, dict[str, int]]]

    def options(self, overrides: Mapping[str, Any]) -> OptionSet:
        """The validated options of a table. Raises SetupError."""
        return _options(self.id, frozen(overrides))

    def seat_counts(self) -> list[int]:
        """Numbers of seats for which there is a deck."""
        return sorted({int(seats) for table in self.decks.values() for seats in table})

    def deck(self, seats: int, name: str | None = None) -> dict[str, int]:
        """Counts by role of a deck table. Raises SetupError."""
        if name is not None and name not in self.decks:
            raise SetupError(f"ruleset {self.id} has no deck {name!r}; its decks are {', '.join(self.decks)}")
        tables = [self.decks[name]] if name is not None else list(self.decks.values())
        for table in tables:
            if str(seats) in table:
                return table[str(seats)]
        known = ", ".join(map(str, self.seat_counts())) if name is None else ", ".join(tables[0])
        raise SetupError(f"ruleset {self.id} has no deck for {seats} seats; it has decks for {known}")

    def check_cards(self, seats: Sequence[str], extra: Sequence[str] = ()) -> None:
        """Refuse cards that do not exist. Raises SetupError."""
        for card in (*seats, *extra):
            if card not in roles():
                close = get_close_matches(card, roles(), 1)
                hint = f"; did you mean {close[0]!r}?" if close else f"; known: {', '.join(sorted(roles()))}"
                raise SetupError(f"there is no role {card!r}{hint}")


@cache
def roles() -> dict[str, type[Role]]:
    """Every card by id."""
    from engine.registry import load

    load()
    return {rule.id: rule for rule in RULES if issubclass(rule, Role)}


def ruleset_ids() -> list[str]:
    """Ids of the named rulesets."""
    return sorted(entry.name[:-5] for entry in files("engine.rules").iterdir() if entry.name.endswith(".toml"))


@cache
def load_ruleset(ruleset: str) -> Ruleset:
    """A named ruleset. Raises SetupError."""
    if ruleset not in ruleset_ids():
        close = get_close_matches(ruleset, ruleset_ids(), 1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise SetupError(f"there is no ruleset {ruleset!r}; the rulesets are {', '.join(ruleset_ids())}.{hint}")
    plain = tomllib.loads((files("engine.rules") / f"{ruleset}.toml").read_text("utf-8"))
    return msgspec.convert(plain, Ruleset)


@cache
def _options(ruleset: str, overrides: tuple[tuple[str, Any], ...]) -> OptionSet:
    roles()
    try:
        return build({**load_ruleset(ruleset).options_, **dict(overrides)})
    except OptionError as error:
        raise SetupError(str(error)) from None


def frozen(options: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Options in a hashable form."""
    return tuple((key, _hashable(value)) for key, value in sorted(options.items()))


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list | tuple) else value
