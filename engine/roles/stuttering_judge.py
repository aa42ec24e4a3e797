"""Stuttering judge 口吃法官: a second vote by a secret sign (roles-2.md 10)."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from engine.asks import flag_ask, text_ask
from engine.bits import JUDGE
from engine.events import Event, registered
from engine.facts import Death
from engine.options import Options
from engine.rule import Flow, Role
from engine.state import State


class StutteringJudgeOptions(Options):
    """How often."""

    group: ClassVar[str] = "stuttering-judge"
    uses: Literal["per-day", "once"] = "per-day"


@registered
class SecondVote(Event, frozen=True, tag="second-vote"):
    """There is another vote at once."""


class StutteringJudge(Role):
    """After an execution the sign has one more vote held, without talk."""

    id = "stuttering-judge"
    names = {"zh": "口吃法官", "en": "stuttering judge", "ja": "どもる裁判官"}
    steps = {"stuttering-judge": "agree"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.used = 0

    def agree(self) -> Flow[None]:
        """The sign, between him and the judge."""
        for seat in self.s.holders(self.id):
            text = (yield [text_ask(seat, "stuttering-judge.agree", JUDGE)]).get(seat)
            self.s.act("stuttering-judge.agree", seat, text)

    def again(self, deaths: Sequence[Death]) -> Flow[bool]:
        s = self.s
        spent = self.used if self.opt(StutteringJudgeOptions).uses == "once" else self.used == s.day
        if spent or not any(death.cause == "vote" for death in deaths):
            return False
        for seat in s.holders(self.id):
            if (yield [flag_ask(seat, "stuttering-judge.sign", seen=JUDGE)]).get(seat) is True:
                self.used = s.day
                s.emit(SecondVote())
                return True
        return False
