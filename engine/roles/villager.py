"""Villager 村民: no power (roles.md 2)."""

from engine.options import OptionSet
from engine.rule import Role


class Villager(Role):
    """A plain villager; always at hand, since other cards may become one."""

    id = "villager"
    cls = "plain"
    village_power = False
    names = {"zh": "村民", "en": "villager", "ja": "村人"}

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        return True
