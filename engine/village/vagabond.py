"""Vagabond 流浪汉: no house, and beyond the reach of some powers (village.md 4)."""

from engine.options import OptionSet, is_on
from engine.rule import Rule
from engine.village.village import Village

OUT_OF_REACH = frozenset({"raven.curse", "rumour-monger.mark"})
"""The asks in which only seats with a house may be named; teacher and barber look at houses anyway."""


class Vagabond(Rule):
    """Whoever has no house; wolves, votes and all the rest reach him as anybody."""

    id = "vagabond"

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        return is_on(options, Village.id)

    def narrows(self, ask: str, seat: int, mask: int) -> int:
        village = self.s.rules[Village.id]
        assert isinstance(village, Village)
        return mask & village.settled if ask in OUT_OF_REACH else mask
