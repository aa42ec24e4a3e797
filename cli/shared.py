"""Options that commands take in groups: the fields of a dataclass, each of which becomes an option."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, get_type_hints

from cli.options import (
    AttributeOption,
    BaseUrlOption,
    DeckOption,
    EventOrderOption,
    HomeOption,
    LangOption,
    MaxCostOption,
    MaxTokensOption,
    ModelOption,
    NewMoonOption,
    OverrideOption,
    RulesetOption,
    SeatsOption,
    SeedOption,
    StrictOption,
    VariantOption,
    VillageOption,
)

if TYPE_CHECKING:
    from cli.config import Settings


@dataclass(frozen=True, slots=True)
class Dealt:
    """What is dealt, and by which rules."""

    ruleset: RulesetOption = None
    seats: SeatsOption = None
    deck: DeckOption = None
    seed: SeedOption = None
    option: OverrideOption = None


@dataclass(frozen=True, slots=True)
class Modes:
    """What is played beside the rules."""

    new_moon: NewMoonOption = False
    village: VillageOption = False
    variant: VariantOption = None
    attribute: AttributeOption = None
    event_order: EventOrderOption = None

    def overrides(self, given: list[str] | None) -> list[str]:
        """The option overrides that these switches stand for, before those given one by one."""
        switched = ["new-moon=yes"] * self.new_moon + ["village=yes"] * self.village
        for variant in self.variant or ():
            name, _, form = variant.partition(":")
            switched.append(f"{name}={form or 'yes'}")
        return [*switched, *(given or ())]


@dataclass(frozen=True, slots=True)
class Server:
    """Where the models answer."""

    model: ModelOption = None
    base_url: BaseUrlOption = None


@dataclass(frozen=True, slots=True)
class Limits:
    """When a game of models stops."""

    strict: StrictOption = None
    max_tokens: MaxTokensOption = None
    max_cost: MaxCostOption = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where the games are kept, and the language."""

    home: HomeOption = None
    lang: LangOption = None


def settled(*groups: Dealt | Server | Limits | Place, **flags: object) -> Settings:
    """The settings by these options and flags; those that are no settings (the seed) play no part. Raises Problem."""
    from cli.config import Settings, load

    typed = {field.name: getattr(group, field.name) for group in groups for field in fields(group)}
    return load({name: value for name, value in {**typed, **flags}.items() if name in Settings.model_fields})


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer must see it: each parameter of a group stands for that group's fields, in its place."""
    hints = get_type_hints(command, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if is_dataclass(hint) and isinstance(hint, type)}
    seen: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        own = parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        seen += _options(groups[name]) if name in groups else [own]

    @wraps(command)
    def called(**given: Any) -> None:
        made = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        command(**given, **made)

    del called.__wrapped__  # or typer would read the command's own signature
    called.__annotations__ = {one.name: one.annotation for one in seen}
    called.__signature__ = inspect.Signature(seen)  # type: ignore[attr-defined]  # read by inspect, unknown to mypy
    return called


def _options(group: type[Any]) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    kind = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter(
            field.name,
            kind,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]
