"""Idiot 白痴: turns his card when the vote condemns him, and stays (roles-2.md 3)."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, cast

from engine.asks import TEXT, Answer, Ask, flag_ask
from engine.bits import EVERYONE, seats_of
from engine.events import NoElimination, Said
from engine.facts import Death
from engine.options import Options
from engine.roles.sheriff import SheriffOffice
from engine.rule import Flow, Role

NOT_HIM = ("day.vote", "sheriff.heir", "election.stand")
"""What a revealed idiot may not be: condemned, heir of the badge, candidate for it (it leaves the game with him)."""
TALK = frozenset({"day.speak", "day.plea", "election.speak"})


class IdiotOptions(Options):
    """Whether a revealed idiot may interrupt."""

    group: ClassVar[str] = "idiot"
    interject: bool = False


class Idiot(Role):
    """Revealed, he keeps his voice and loses his vote; he is no target of votes and neither heir nor candidate."""

    id = "idiot"
    names = {"zh": "白痴", "en": "idiot", "ja": "馬鹿"}
    early = 20

    def condemned(self, death: Death) -> Flow[bool]:
        """Reveal: the vote ends without elimination."""
        s, seat = self.s, death.seat
        if s.seats[seat].power != self.id or s.marked("revealed") >> seat & 1:
            return False
        if (yield [flag_ask(seat, "idiot.reveal", seen=EVERYONE)]).get(seat) is not True:
            return False
        s.mark("revealed", 1 << seat)
        s.turn(seat)
        s.emit(NoElimination("idiot"))
        if s.sheriff == seat:
            cast(SheriffOffice, s.rules["sheriff"]).leave_for_good()
        return True

    def votes(self, voters: int) -> int:
        return voters & ~self.s.marked("revealed")

    def narrows(self, ask: str, seat: int, mask: int) -> int:
        return mask & ~self.s.marked("revealed") if ask in NOT_HIM else mask

    def offers(self, pending: Sequence[Ask]) -> Iterable[Ask]:
        """A revealed idiot may interrupt anybody's talk, where the table lets him."""
        s = self.s
        if self.opt(IdiotOptions).interject and s.daylight and not s.orderly and pending[0].kind in TALK:
            for seat in seats_of(s.marked("revealed") & s.living):
                yield Ask(seat, "day.interject", TEXT, can_pass=False, seen=EVERYONE)

    def reaction(self, ask: Ask, answer: Answer) -> Flow[None]:
        """An interjection."""
        self.s.emit(Said(ask.seat, str(answer), "interjection"))
        yield from ()
