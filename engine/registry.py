"""Everything that declares rules, options and events, found by importing it."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

PACKAGES = ("engine.rules", "engine.roles", "engine.new_moon", "engine.village", "engine.variants")


@cache
def load() -> None:
    """Import every module that declares a rule, an option group or an event."""
    for package in PACKAGES:
        for module in iter_modules(import_module(package).__path__):
            import_module(f"{package}.{module.name}")
