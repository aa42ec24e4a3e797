"""Dog-wolf 狼狗: chooses a side in the first night (roles-3.md 7)."""

from engine.asks import Ask, choice_ask
from engine.rule import Flow, Role


class DogWolf(Role):
    """village: an ordinary villager. wolves: a wolf seat. It never changes, and the card never tells."""

    id = "dog-wolf"
    village_power = False
    names = {"zh": "狼狗", "en": "dog-wolf", "ja": "狼犬"}
    steps = {"dog-wolf": "side"}

    def side(self) -> Flow[None]:
        s = self.s
        asks: list[Ask] = [choice_ask(seat, "dog-wolf.side", ("village", "wolves")) for seat in s.holders(self.id)]
        answers = (yield asks) if asks else {}
        for seat, answer in answers.items():
            s.act("dog-wolf.side", seat, answer)
            if answer == "wolves":
                s.turn_wolf(seat)
            else:
                s.reclass(seat, "plain")
