"""School 学校: the teacher says who does not vote today, and never votes (village.md 4)."""

from collections.abc import Sequence

from engine.asks import several_ask
from engine.bits import EVERYONE, mask_of
from engine.facts import Death
from engine.rule import Flow
from engine.state import State
from engine.village.events import TeacherForbids
from engine.village.options import SchoolOptions
from engine.village.village import Building

NO_VOTE = "no-vote"


class School(Building):
    """Two or more seats with a house, for the whole vote of the day; all of them talk."""

    id = "school"

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.banned = 0

    def vote_opens(self) -> Flow[None]:
        """Before each vote, in public; not by a teacher whom an event keeps from voting."""
        s, teacher = self.s, self.master()
        if not teacher or s.marked(NO_VOTE) >> teacher & 1:
            return
        mask = self.village.settled & s.living & ~s.away & ~(1 << teacher)
        most = self.most(mask)
        if most < 2:
            return
        ask = several_ask(teacher, "teacher.forbid", mask, 2, most, True, EVERYONE)
        answer = (yield [ask]).get(teacher)
        seats = tuple(sorted(int(seat) for seat in answer)) if isinstance(answer, tuple) else ()
        self.banned = mask_of(seats)
        s.mark(NO_VOTE, self.banned)
        s.emit(TeacherForbids(seats))

    def most(self, mask: int) -> int:
        """The longest list: by option, and so that whatever it names one voter remains."""
        s, most = self.s, mask.bit_count()
        if self.opt(SchoolOptions).max == "2":
            most = min(most, 2)
        voters = s.living & ~s.away
        for hook in s.on.votes:
            voters = hook(voters)
        return most if voters & ~mask else min(most, voters.bit_count() - 1)

    def votes(self, voters: int) -> int:
        return voters & ~self.banned & ~(1 << self.master())

    def dusk(self, deaths: Sequence[Death]) -> Flow[None]:
        """The vote is wholly over."""
        self.lift()
        yield from ()

    def day_over(self) -> None:
        self.lift()

    def lift(self) -> None:
        """The ban ends."""
        self.s.unmark(NO_VOTE, self.banned)
        self.banned = 0
