"""Options of the rules: small validated groups, declared beside the rule that reads them.

An option's id is `group.name` with hyphens (`witch.self-save`); a group's field `on` has the bare group as its id.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, ClassVar, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

GROUPS: dict[str, type[Options]] = {}


class OptionError(ValueError):
    """An option that does not exist or a value it does not take."""


class Options(BaseModel):
    """Base of an option group; the first value of each field is the default of hand-made rulesets."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    group: ClassVar[str] = ""
    secret: ClassVar[bool] = False
    """Whether only the judge may know what the table has here, until the game is over."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        GROUPS[cls.group] = cls

    @model_validator(mode="before")
    @classmethod
    def _yes_and_no(cls, given: Any) -> Any:
        """YAML and TOML spell yes, no and 2 as booleans and numbers; named options take the words."""
        return {name: cls._word(value) if cls._named(name) else value for name, value in given.items()}

    @staticmethod
    def _word(value: Any) -> Any:
        if isinstance(value, bool):
            return "yes" if value else "no"
        return str(value) if isinstance(value, int | float) else value

    @classmethod
    def _named(cls, name: str) -> bool:
        field = cls.model_fields.get(name)
        return field is not None and get_origin(field.annotation) is Literal


OptionSet = Mapping[type[Options], Options]


def option_id(group: str, field: str) -> str:
    """The id of a group's field."""
    return group if field == "on" else f"{group}.{field.rstrip('_').replace('_', '-')}"


@cache
def known_options() -> dict[str, tuple[type[Options], str]]:
    """Every option id with its group and field, those that the cards declare included."""
    from engine.registry import load

    load()
    return {
        option_id(name, field): (group, field) for name, group in sorted(GROUPS.items()) for field in group.model_fields
    }


def is_on(options: OptionSet, option: str) -> bool:
    """Whether an option of this id is switched on; one that does not exist is not."""
    if option not in known_options():
        return False
    group, field = known_options()[option]
    return getattr(options[group], field) not in (False, "no")


def choices(option: str) -> str:
    """The values an option takes, in words."""
    group, field = known_options()[option]
    kind = group.model_fields[field].annotation
    if get_origin(kind) is Literal:
        return ", ".join(map(str, get_args(kind)))
    if kind is bool:
        return "yes, no"
    if get_origin(kind) in (Union, UnionType):
        named = [name for one in get_args(kind) if get_origin(one) is Literal for name in get_args(one)]
        return ", ".join([*map(str, named), "or a list"])
    return getattr(kind, "__name__", str(kind))


def open_options(values: Mapping[str, Any]) -> dict[str, Any]:
    """Of options by id those that everyone at the table may know."""
    known = known_options()
    return {option: value for option, value in values.items() if option not in known or not known[option][0].secret}


def build(values: Mapping[str, Any]) -> OptionSet:
    """All groups with these values by option id. Raises OptionError."""
    known = known_options()
    by_group: dict[type[Options], dict[str, Any]] = {group: {} for group in GROUPS.values()}
    for option, value in values.items():
        if option not in known:
            raise OptionError(f"there is no option {option!r}" + _nearest(option, known))
        group, field = known[option]
        by_group[group][field] = value
    return {group: _validated(group, fields) for group, fields in by_group.items()}


def flat(options: OptionSet) -> dict[str, Any]:
    """Option ids and their values as plain data."""
    return {
        option: options[group].model_dump(mode="json")[field]
        for option, (group, field) in known_options().items()
        if group in options
    }


def _validated(group: type[Options], fields: Mapping[str, Any]) -> Options:
    try:
        return group.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] == "value_error":
            raise OptionError(str(first["ctx"]["error"])) from None
        option = option_id(group.group, str(first["loc"][0])) if first["loc"] else group.group
        raise OptionError(f"option {option} takes {choices(option)}, not {first['input']!r}") from None


def _nearest(option: str, known: Mapping[str, object]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(option, known, 1)
    return f"; did you mean {close[0]!r}?" if close else ""
