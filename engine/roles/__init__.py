"""Cards, offices and bonds: one file each."""

from importlib import import_module
from pkgutil import iter_modules


def load() -> None:
    """Import every module of this package, so that its rules, options and events are known."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
