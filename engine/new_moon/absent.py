"""Event cards that take seats out of the village for a round (new-moon.md 7, 14)."""

from __future__ import annotations

from engine.bits import mask_of, seats_of
from engine.events import Event, registered
from engine.facts import HALVES, Tally
from engine.new_moon.attributes import declared
from engine.new_moon.card import Card, at_home, come_back, leave
from engine.new_moon.options import RascalOptions
from engine.rule import Flow, Rule
from engine.state import State


@registered
class RascalBack(Event, frozen=True, tag="rascal"):
    """The rascal's next vote weighs three."""

    seat: int


class Absence(Card):
    """A group that is away until the announcements of the next dawn are done."""

    lasts = "round"

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.gone = 0

    def go(self, seats: int) -> None:
        """They leave."""
        self.gone = seats
        leave(self.s, seats)

    def speakers(self, seats: int) -> int:
        return seats & ~self.gone

    def votes(self, voters: int) -> int:
        return voters & ~self.gone

    def dawns(self) -> None:
        """They are back."""
        if self.gone:
            come_back(self.s, self.gone)
            self.gone = 0

    def over(self) -> None:
        self.dawns()


class GoneHunting(Absence):
    """The men are in the forest."""

    id = "event.gone-hunting"

    @classmethod
    def playable(cls, s: State) -> bool:
        home, men, known = at_home(s), cls.men(s), cls.known(s)
        group = men.bit_count() if known else home.bit_count() // 2
        return group > 0 and home.bit_count() - group >= 2

    @classmethod
    def men(cls, s: State) -> int:
        """Living seats that declared to be men."""
        return at_home(s) & mask_of([seat for seat, facts in declared(s.setup).items() if facts.gender == "male"])

    @classmethod
    def known(cls, s: State) -> int:
        """Living seats that declared a gender."""
        return s.living & mask_of([seat for seat, facts in declared(s.setup).items() if facts.gender])

    def play(self) -> Flow[None]:
        """The men; where nobody declared a gender, half the living by lot."""
        yield from ()
        s = self.s
        if self.known(s):
            self.go(self.men(s))
        else:
            home = seats_of(at_home(s))
            self.go(mask_of(s.sample("gone-hunting.group", home, len(home) // 2)))


class LittleRascal(Absence):
    """The youngest leaves the room; back, his one vote counts three."""

    id = "event.little-rascal"

    @classmethod
    def playable(cls, s: State) -> bool:
        return at_home(s).bit_count() >= 4

    def play(self) -> Flow[None]:
        """The lowest age declared; a lot among equals, or among all."""
        yield from ()
        s, home = self.s, seats_of(at_home(self.s))
        ages = {seat: facts.age for seat, facts in declared(s.setup).items() if facts.age is not None and seat in home}
        youngest = min(ages.values(), default=None)
        tied = tuple(seat for seat in home if ages.get(seat) == youngest)
        self.go(1 << (tied[0] if len(tied) == 1 else s.draw("little-rascal.seat", tied)))

    def dawns(self) -> None:
        """Back, with a heavy vote."""
        s, back = self.s, self.gone & self.s.living
        super().dawns()
        if not back:
            return
        s.mark("rascal", back)
        for seat in seats_of(back):
            s.emit(RascalBack(seat))
        if Rascal.id not in s.rules:
            s.enforce(Rascal(s))


class Rascal(Rule):
    """The heavy vote, for one day or for the game; after whatever else weighs a ballot."""

    id = "rascal"
    early = -10

    def tallies(self, tally: Tally) -> None:
        """Three times what it would weigh."""
        for seat in seats_of(self.s.marked("rascal")):
            tally.weights[seat] = 3 * tally.weights.get(seat, HALVES)

    def day_over(self) -> None:
        """The mark goes when the vote closes."""
        if not self.opt(RascalOptions).lasting:
            self.s.unmark("rascal")
            self.s.take_out(self.id)


__all__ = ["GoneHunting", "LittleRascal", "Rascal"]
