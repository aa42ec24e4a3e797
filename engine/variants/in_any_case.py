"""In any case, it surely isn't him! 无论怎样，这确实不是他！ (variants.md 2): all stand, who is named sits down."""

from typing import ClassVar, Literal

from engine.asks import seat_ask
from engine.bits import EVERYONE, circle_from
from engine.events import Event, NoElimination, registered
from engine.flow.talk import heed, muted, said_nothing, speech_ask
from engine.options import Options, OptionSet
from engine.rule import Flow, Rule

KILLED_BY_WOLVES = frozenset({"bite", "extra-bite", "caught"})


class InAnyCaseOptions(Options):
    """Whether votes are replaced, and where the naming begins."""

    group: ClassVar[str] = "in-any-case"
    on: bool = False
    start: Literal["last-dead", "night-victim"] = "last-dead"


@registered
class Cleared(Event, frozen=True, tag="in-any-case.sits"):
    """A seat was named and sits down: it is not this one. by: who named it."""

    seat: int
    by: int


class InAnyCase(Rule):
    """The last seat standing is condemned; no ballots, so no weights, curses or ties."""

    id = "in-any-case"

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        group = options[InAnyCaseOptions]
        return isinstance(group, InAnyCaseOptions) and group.on

    def procedure(self, first: bool) -> Flow[int | None]:
        """One names after the other until one seat stands."""
        s = self.s
        standing = s.narrowed("day.vote", 0, s.living & ~s.away)
        naming = self.naming()
        if not naming:
            s.emit(NoElimination("no-votes"))
            return 0
        order = circle_from(s.everyone, self.start(first), s.size)
        turn = 0
        while standing.bit_count() > 1 and naming:
            namer = order[turn % s.size]
            turn += 1
            if naming >> namer & 1 and not self.passes(namer, standing, naming):
                standing &= ~(yield from self.name(namer, standing))
            standing, naming = standing & s.living, naming & s.living
        return standing if standing.bit_count() == 1 else 0

    def naming(self) -> int:
        """Who may vote, seated or not."""
        voters = self.s.living & ~self.s.away
        for hook in self.s.on.votes:
            voters = hook(voters)
        return voters

    def passes(self, namer: int, standing: int, naming: int) -> bool:
        """One of the last two would condemn himself: the turn is the next seated seat's, if there is one."""
        return standing.bit_count() == 2 and bool(standing >> namer & 1) and bool(naming & ~standing)

    def name(self, namer: int, standing: int) -> Flow[int]:
        """He may speak, then he names one who stands. Returns the mask of the named."""
        s = self.s
        if not (s.on.speakers and muted(s, namer)):
            said = (yield [speech_ask(s, namer)]).get(namer)
            if said is None:
                s.emit(said_nothing(namer, "speech"))
            else:
                yield from heed(s, namer, said)
        mask = standing & s.living & ~(1 << namer)
        if not s.living >> namer & 1 or not mask:
            return 0
        seat = (yield [seat_ask(namer, "in-any-case.seat", mask, False, EVERYONE)]).get(namer)
        if not isinstance(seat, int):
            return 0
        s.emit(Cleared(seat, namer))
        return 1 << seat

    def start(self, first: bool) -> int:
        """The seat after the last dead or the night's victim, further on after the seat just executed; else seat 1."""
        s = self.s
        executed = [death.seat for death in s.deaths if death.by_day == s.day and death.cause == "vote"]
        if not first and executed:
            return executed[-1] % s.size + 1
        dead = [death.seat for death in s.deaths if not s.living >> death.seat & 1]
        if first and self.opt(InAnyCaseOptions).start == "night-victim":
            tonight = [death for death in s.deaths if death.night == s.day]
            bitten = [death.seat for death in tonight if death.cause in KILLED_BY_WOLVES]
            dead += bitten[:1] or sorted(death.seat for death in tonight)[:1]
        return dead[-1] % s.size + 1 if dead else 1
