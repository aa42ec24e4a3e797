"""Deputy 执警, an office: picks the card on days with an event (new-moon.md 2)."""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from engine.asks import CHOICE, SEAT, Ask
from engine.bits import EVERYONE
from engine.events import Event, registered
from engine.new_moon.options import NewMoonOptions
from engine.options import Options, OptionSet
from engine.rule import Flow, Rule
from engine.state import State


class DeputyOptions(Options):
    """Whether there is a deputy where event cards are in use, and from how many drawn cards he picks (0: from all)."""

    group: ClassVar[str] = "deputy"
    on: bool = False
    hand: int = Field(0, ge=0, le=36)


@registered
class Deputy(Event, frozen=True, tag="deputy"):
    """Who is the sheriff's deputy now; null: nobody."""

    seat: int | None


class DeputyOffice(Rule):
    """Appointed and dismissed by the sheriff alone; keeps the office when the sheriff changes."""

    id = "deputy"

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.seat = 0

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        group, moon = options[DeputyOptions], options[NewMoonOptions]
        return isinstance(group, DeputyOptions) and isinstance(moon, NewMoonOptions) and group.on and moon.on

    def elected(self) -> Flow[None]:
        """Right after the sheriff takes office."""
        yield from self.appoint()

    def day_opens(self) -> Flow[None]:
        """At the start of each day."""
        yield from self.appoint()

    def appoint(self) -> Flow[None]:
        """Anybody but himself, or nobody; a pass changes nothing."""
        s, sheriff = self.s, self.s.sheriff
        present = s.living if s.announced else s.present
        if not sheriff or not present >> sheriff & 1:
            return
        mask = present & ~(1 << sheriff)
        answer = (yield [Ask(sheriff, "sheriff.deputy", SEAT, mask, ("none",), True, 1, 1, EVERYONE)]).get(sheriff)
        if answer is not None:
            self.seat = answer if isinstance(answer, int) else 0
            s.emit(Deputy(self.seat or None))

    def returned(self, seat: int) -> None:
        """Who was out comes back without the office."""
        if seat == self.seat:
            self.seat = 0
            self.s.emit(Deputy(None))

    def picks(self, cards: Sequence[str]) -> Flow[str]:
        """A living deputy picks, out of all or of his hand; in no order that would tell of those to come."""
        s, seat, hand = self.s, self.seat, self.opt(DeputyOptions).hand
        if not s.living & ~s.away & 1 << seat or not seat:
            return ""
        held = tuple(cards)
        if 0 < hand < len(held):
            held = held[:hand] if s.setup.new_moon else s.sample("new-moon.card", held, hand)
        held = tuple(sorted(held))
        answer = (yield [Ask(seat, "deputy.event", CHOICE, 0, held, False, 1, 1, EVERYONE)]).get(seat)
        return str(answer or held[0])
