"""Little girl 小女孩: peeks at the wolves (roles.md 9)."""

from typing import ClassVar, Literal

from pydantic import Field

from engine.asks import Ask, choice_ask, flag_ask
from engine.bits import JUDGE, seats_of
from engine.events import Event, Seats, registered
from engine.facts import Attack
from engine.options import Options
from engine.roles.guard import GuardOptions
from engine.rule import Flow, Role
from engine.state import State


class LittleGirlOptions(Options):
    """How she is caught, how likely, and what comes of it."""

    group: ClassVar[str] = "little-girl"
    model: Literal["draw", "judge", "safe"] = "draw"
    chance: float = Field(0.25, ge=0, le=1)
    fate: Literal["wolves-choose", "automatic"] = "wolves-choose"


@registered
class LittleGirlSaw(Event, frozen=True, tag="little-girl.saw"):
    """The wolf seats that she saw awake."""

    seats: Seats


@registered
class GirlNoticed(Event, frozen=True, tag="girl.noticed"):
    """The pack noticed who peeked."""

    seat: int


class LittleGirl(Role):
    """Not peeking is never caught; caught, she may take the victim's place."""

    id = "little-girl"
    early = 40
    names = {"zh": "小女孩", "en": "little girl", "ja": "少女"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.peeking: list[int] = []

    def night_begins(self) -> None:
        self.peeking = []

    def wolves_wake(self, pack: int) -> Flow[None]:
        """Each girl may peek at the pack awake."""
        self.peeking = yield from self.look(pack)

    def look(self, awake: int) -> Flow[list[int]]:
        """Each girl may peek at those awake. Returns who did."""
        s, peeking = self.s, []
        asks: list[Ask] = [flag_ask(seat, "little-girl.peek") for seat in s.holders(self.id)]
        answers = (yield asks) if asks else {}
        for seat, answer in answers.items():
            s.act("little-girl.peek", seat, answer)
            if answer is True:
                peeking.append(seat)
                s.tell(seat, LittleGirlSaw(seats_of(awake)))
        return peeking

    def wolves_done(self, pack: int) -> Flow[None]:
        """Was she noticed, and what do the wolves make of it?"""
        s, opt = self.s, self.opt(LittleGirlOptions)
        for girl in self.peeking:
            if not (yield from self.noticed(opt)):
                continue
            s.emit(GirlNoticed(girl), pack | JUDGE)
            if opt.fate == "automatic" or (yield from self.condemned_by(pack)):
                s.acts = [act for act in s.acts if act.kind not in ("bite", "caught")]
                s.intend("caught", 0, girl)

    def noticed(self, opt: LittleGirlOptions) -> Flow[bool]:
        """By a draw, by the judge's eye, or never."""
        if opt.model == "safe":
            return False
        if opt.model == "judge":
            return (yield [flag_ask(0, "judge.girl-noticed", can_pass=False)]).get(0) is True
        return self.s.chance("little-girl.caught", opt.chance)

    def condemned_by(self, pack: int) -> Flow[bool]:
        """The pack's majority; a tie means the girl."""
        asks = [choice_ask(wolf, "werewolf.catch", ("girl", "spare"), False, pack) for wolf in seats_of(pack)]
        answers = list((yield asks).values())
        return answers.count("girl") * 2 >= len(answers)

    def shields(self, attack: Attack) -> bool | None:
        """Where the guard is void for her, only the antidote helps."""
        s = self.s
        if s.seats[attack.target].power != self.id or self.opt(GuardOptions).little_girl != "void":
            return None
        return bool(s.targets("heal") >> attack.target & 1)
