"""The Black Death 黑死病 (variants.md 5): no wolves at all, and only the judge knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engine.asks import SEAT, Ask
from engine.bits import JUDGE, seats_of
from engine.events import Event, NoElimination, registered
from engine.facts import GameOver
from engine.options import Options, OptionSet, flat
from engine.rule import Flow, Rule
from engine.rules.ruleset import roles

if TYPE_CHECKING:
    from engine.setup import Setup

TURNS_WOLF = frozenset({"dog-wolf", "wild-child"})
"""Cards that might bring a wolf into the game later."""
AGAINST = ("in-any-case", "fascination", "harvest")
"""Variants that do not go with it."""


class BlackDeathOptions(Options):
    """Whether there is a plague instead of wolves."""

    group: ClassVar[str] = "black-death"
    secret: ClassVar[bool] = True
    on: bool = False


@registered
class BlackDeathShown(Event, frozen=True, tag="black-death"):
    """It was the Black Death; told when it is over."""


class BlackDeath(Rule):
    """Each night the judge's victim counts as bitten; the game lasts until nobody lives."""

    id = "black-death"
    early = 60
    takes_over: ClassVar[dict[str, str]] = {"wolves": "strike"}
    silences: ClassVar[frozenset[tuple[str, str]]] = frozenset({("lovers", "day_over")})

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        group = options[BlackDeathOptions]
        return isinstance(group, BlackDeathOptions) and group.on

    @classmethod
    def refuses(cls, setup: Setup, options: OptionSet) -> str:
        if not cls.in_play(frozenset(), options):
            return ""
        values = flat(options)
        others = [variant for variant in AGAINST if values[variant]]
        others += ["double-you"] if values["double-you"] != "off" else []
        return f"black-death is not played together with {', '.join(others)}" if others else ""

    def wakes(self, step: str) -> bool:
        return True

    def pretends(self, step: str) -> bool:
        """Cards dealt as villagers are called while their seats live, and so is the pack that is not there."""
        meant = [card for seat, card in enumerate(self.s.setup.seats, 1) if self.s.living >> seat & 1]
        return step == "pack" or any(step in roles()[card].steps for card in meant if self.plain(card))

    def opens(self) -> Flow[None]:
        """Wolf cards and cards with a goal of their own are dealt as villagers."""
        s, cards = self.s, roles()
        for seat in s.seats[1:]:
            if self.plain(seat.role):
                s.hold(seat.number, cards["villager"])
                seat.original_role = seat.role
        s.extra = tuple("villager" if self.plain(card) else card for card in s.extra)
        yield from ()

    @staticmethod
    def plain(card: str) -> bool:
        """Whether this card is dealt as a villager."""
        kind = roles()[card]
        return kind.wolf_card or kind.camp not in ("village", "wolves") or card in TURNS_WOLF

    def strike(self) -> Flow[None]:
        """The wolves' step: who peeks sees nobody awake, and the judge names the victim."""
        s = self.s
        for hook in s.on.wolves_wake:
            yield from hook(0)
        # Whom no pack could bite is spared as long as there is anybody else, or its death would tell.
        mask = s.narrowed("werewolf.bite", 0, s.present & ~s.away) or s.present & ~s.away
        if not mask:
            return
        drawn = s.suggested("black-death.victim", seats_of(mask))
        ask = Ask(0, "judge.victim", SEAT, mask, seen=JUDGE, drawn=drawn)
        target = (yield [ask]).get(0)
        s.act("judge.victim", 0, target)
        if isinstance(target, int):
            s.intend("bite", 0, target)

    def procedure(self, first: bool) -> Flow[int | None]:
        """A single survivor has nobody to vote with."""
        yield from ()
        if self.s.living.bit_count() != 1:
            return None
        self.s.emit(NoElimination("no-votes"))
        return 0

    def ends(self, window: str) -> bool:
        """Over when nobody lives; nobody wins."""
        if not self.s.living:
            raise GameOver(())
        return True

    def finishes(self) -> None:
        self.s.emit(BlackDeathShown())
