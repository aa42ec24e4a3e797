"""Wild child 野孩子: a villager until the model falls (roles-3.md 6)."""

from collections.abc import Iterable, Sequence

from engine.asks import Ask, seat_ask
from engine.bits import mask_of
from engine.events import Event, registered
from engine.facts import Death
from engine.rule import Flow, Role
from engine.state import State


@registered
class WildChildTurned(Event, frozen=True, tag="wild-child.turned"):
    """The model is out: this seat is a wolf now."""

    camp_now = "wolves"


class WildChild(Role):
    """Turns at once when the model goes while it lives; joins the pack next night."""

    id = "wild-child"
    names = {"zh": "野孩子", "en": "wild child", "ja": "野生の子"}
    steps = {"wild-child": "choose"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.models: dict[int, int] = {}

    def night_opens(self) -> Flow[None]:
        """One who took the card later chooses in the next night."""
        yield from self.choose()

    def choose(self) -> Flow[None]:
        """The model; no pass."""
        s = self.s
        waiting = [seat for seat in s.holders(self.id) if seat not in self.models]
        asks: list[Ask] = [seat_ask(seat, "wild-child.model", s.present & ~(1 << seat)) for seat in waiting]
        answers = (yield asks) if asks else {}
        for seat, target in answers.items():
            s.act("wild-child.model", seat, target)
            if isinstance(target, int):
                self.models[seat] = target

    def follows(self, wave: Sequence[Death]) -> Iterable[Death]:
        s = self.s
        gone = mask_of([death.seat for death in wave])
        for seat, model in self.models.items():
            turns = gone >> model & 1 and s.living >> seat & 1 and s.seats[seat].power == self.id
            if turns and not s.wolf_seats >> seat & 1:
                s.turn_wolf(seat)
                s.tell(seat, WildChildTurned())
        return ()
