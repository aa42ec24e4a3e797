"""Actor 变脸者: another card's power each night, three times (roles-3.md 9)."""

from engine.asks import NAMES, Ask, choice_ask
from engine.bits import EVERYONE
from engine.events import Event, registered
from engine.rule import Flow, Role
from engine.rules.ruleset import roles
from engine.state import State

CARDS = 3


@registered
class ActorCards(Event, frozen=True, tag="actor.cards"):
    """The cards that lie open in the centre."""

    cards: tuple[str, ...]


class Actor(Role):
    """The camp stays village; a card used is gone."""

    id = "actor"
    names = {"zh": "变脸者", "en": "actor", "ja": "俳優"}
    steps = {"actor": "take"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.cards: list[str] = []
        self.acting: dict[int, str] = {}
        """The card that each seat took tonight."""

    def opens(self) -> Flow[None]:
        """The judge picks three powers that are not in the deck, or a draw does."""
        s = self.s
        powers = tuple(
            sorted(
                id
                for id, card in roles().items()
                if card.village_power
                and card.camp == "village"
                and id not in s.setup.cards
                and id != self.id
                and (not card.setting or card.setting in s.rules)
            )
        )
        ask = Ask(0, "judge.actor-cards", NAMES, 0, powers, True, CARDS, CARDS, EVERYONE)
        answer = (yield [ask]).get(0)
        if answer is None:
            nightly = tuple(id for id in powers if set(roles()[id].steps) & set(s.order["night"]))
            answer = s.shuffled("actor.cards", nightly)[:CARDS]
        assert isinstance(answer, tuple)
        self.cards = sorted(str(card) for card in answer)
        s.bring_in([roles()[card] for card in self.cards])
        s.emit(ActorCards(tuple(self.cards)))

    def take(self) -> Flow[None]:
        """At the night's start: one of the cards left, with its power as new until morning."""
        s = self.s
        for seat in s.holders(self.id):
            if not self.cards:
                continue
            answer = (yield [choice_ask(seat, "actor.take", tuple(self.cards), True)]).get(seat)
            s.act("actor.take", seat, answer)
            if isinstance(answer, str):
                self.cards.remove(answer)
                if answer not in s.lost_powers:
                    self.acting[seat] = answer
                    s.empower(seat, answer, s.as_new(answer))

    def dawns(self) -> None:
        """By morning the power is gone; a seat that lost it in the night, or became something else, is no actor."""
        for seat, card in self.acting.items():
            if self.s.seats[seat].power == card:
                self.s.empower(seat, self.id, None)
        self.acting = {}
