"""Stuttering judge 口吃法官: a second vote by a secret sign (roles-2.md 10)."""

from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(slots=True)
class Sign:
    """Whether it is used up, where a table grants it once; a card that is taken is as new."""

    spent: bool = False


class StutteringJudge(Role):
    """After an execution the sign has one more vote held, without talk."""

    id = "stuttering-judge"
    names = {"zh": "口吃法官", "en": "stuttering judge", "ja": "どもる裁判官"}
    steps = {"stuttering-judge": "agree"}

    once = True

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.used = 0
        """The last day with an extra vote: it opens no further one, whoever holds the card by then."""

    def new_kit(self) -> Sign:
        return Sign()

    def agree(self) -> Flow[None]:
        """The sign, between him and the judge."""
        for seat in self.s.holders(self.id):
            text = (yield [text_ask(seat, "stuttering-judge.agree", JUDGE)]).get(seat)
            self.s.act("stuttering-judge.agree", seat, text)

    def again(self, deaths: Sequence[Death]) -> Flow[bool]:
        s = self.s
        if self.used == s.day or not any(death.cause == "vote" for death in deaths):
            return False
        for seat in s.holders(self.id):
            sign = s.kit(seat, Sign)
            if sign.spent:
                continue
            if (yield [flag_ask(seat, "stuttering-judge.sign", seen=JUDGE)]).get(seat) is True:
                self.used, sign.spent = s.day, self.opt(StutteringJudgeOptions).uses == "once"
                s.emit(SecondVote())
                return True
        return False
