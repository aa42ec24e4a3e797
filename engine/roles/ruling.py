"""The judge's red card 红牌罚下 (procedure.md 3.7)."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from engine.asks import Answer, Ask, seat_ask
from engine.bits import EVERYONE
from engine.events import Ruling
from engine.facts import Death
from engine.flow.deaths import put_out
from engine.options import Options, OptionSet
from engine.rule import Flow, Rule


class JudgeOptions(Options):
    """What the judge may do on its own."""

    group: ClassVar[str] = "judge"
    red_card: bool = False


class RedCard(Rule):
    """Out at once, no card turned, no words, no shot; grief and badge run and the phase goes on."""

    id = "red-card"

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        group = options[JudgeOptions]
        return isinstance(group, JudgeOptions) and group.red_card

    def offers(self, pending: Sequence[Ask]) -> Iterable[Ask]:
        if self.s.daylight:
            yield seat_ask(0, "judge.red-card", self.s.living, seen=EVERYONE)

    def reaction(self, ask: Ask, answer: Answer) -> Flow[None]:
        s = self.s
        assert isinstance(answer, int)
        s.emit(Ruling((answer,)))
        yield from put_out(s, [Death(answer, ["ruling"])], "ruling")
