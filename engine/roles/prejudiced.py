"""Prejudiced old man 偏见者: wins when the clan he hates is gone (roles-3.md 5)."""

from engine.asks import Ask, choice_ask, several_ask
from engine.bits import EVERYONE, mask_of, seats_of
from engine.events import Event, Seats, registered
from engine.rule import Flow, Role
from engine.state import State


@registered
class Clans(Event, frozen=True, tag="clans"):
    """The two clans into which the judge split the seats."""

    a: Seats
    b: Seats


class Prejudiced(Role):
    """A solo camp whose win may be shared with another met in the same check."""

    id = "prejudiced"
    camp = "prejudiced"
    cls = "none"
    village_power = False
    names = {"zh": "偏见者", "en": "prejudiced old man", "ja": "偏屈な老人"}
    steps = {"prejudiced": "hate"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.clans: dict[str, int] = {"a": 0, "b": 0}
        self.hated: dict[int, str] = {}

    def opens(self) -> Flow[None]:
        """The judge splits the seats, or a draw does; public."""
        s, half = self.s, self.s.size // 2
        if s.setup.clans:
            a = mask_of([seat for seat, clan in enumerate(s.setup.clans, 1) if clan == "a"])
        else:
            ask = several_ask(0, "judge.clans", s.everyone, half, s.size - half, True, EVERYONE)
            answer = (yield [ask]).get(0)
            drawn = s.shuffled("clans", seats_of(s.everyone))[: s.size - half] if answer is None else answer
            assert isinstance(drawn, tuple)
            a = mask_of([int(seat) for seat in drawn])
        self.clans = {"a": a, "b": s.everyone & ~a}
        s.emit(Clans(seats_of(a), seats_of(self.clans["b"])))

    def hate(self) -> Flow[None]:
        """He chooses a clan; no pass."""
        s = self.s
        waiting = [seat for seat in s.holders(self.id) if seat not in self.hated]
        asks: list[Ask] = [choice_ask(seat, "prejudiced.clan", ("a", "b")) for seat in waiting]
        answers = (yield asks) if asks else {}
        for seat, answer in answers.items():
            s.act("prejudiced.clan", seat, answer)
            self.hated[seat] = str(answer)

    def night_opens(self) -> Flow[None]:
        """One who took the card later chooses in the next night."""
        yield from self.hate()

    def wins(self, window: str) -> bool:
        """He lives, and of the chosen clan nobody but him."""
        s = self.s
        living = [seat for seat in self.hated if s.living >> seat & 1 and s.seats[seat].camp == self.camp]
        return any(not self.clans[self.hated[seat]] & s.living & ~(1 << seat) for seat in living)

    def lost(self) -> bool:
        return not self.s.camps.get(self.camp, 0) & self.s.living
