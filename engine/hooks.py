"""Which rules in force override which hook of `Rule`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from engine.rule import Hook, Rule, hook_names


class Hooks:
    """For each hook of `Rule` the methods that override it; reading one is a plain attribute access."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Sequence[Hook]: ...

    def __init__(self, overrides: dict[str, list[Hook]]) -> None:
        self.__dict__ = _none() | overrides


@cache
def _none() -> dict[str, Sequence[Hook]]:
    return dict.fromkeys(hook_names(), ())


@cache
def index(
    kinds: tuple[type[Rule], ...], resting: frozenset[tuple[str, str]]
) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[tuple[str, str, str], ...]]:
    """Which of these rules override which hook, in precedence order, and which play which step.

    resting: (rule, hook or step) that the table's options leave nothing to do.
    """
    ordered = sorted(kinds, key=lambda kind: -kind.early)
    silent = resting.union(*(kind.silences for kind in kinds))
    overrides = (
        (
            hook,
            tuple(
                kind.id
                for kind in ordered
                if getattr(kind, hook) is not getattr(Rule, hook) and (kind.id, hook) not in silent
            ),
        )
        for hook in hook_names()
    )
    played = {step for kind in kinds for step in kind.steps}
    steps = tuple(
        (step, kind.id, play)
        for kind in reversed(ordered)
        for step, play in (kind.steps | kind.takes_over).items()
        if step in played and (kind.id, step) not in silent
    )
    return tuple((hook, by) for hook, by in overrides if by), steps
