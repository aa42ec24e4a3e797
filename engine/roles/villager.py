"""Villager 村民: no power (roles.md 2)."""

from engine.rule import Role


class Villager(Role):
    """A plain villager."""

    id = "villager"
    cls = "plain"
    village_power = False
    names = {"zh": "村民", "en": "villager", "ja": "村人"}
