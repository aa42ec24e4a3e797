"""Harvest festival at Miller's Hollow 丰收节 (variants.md 4): almost every card works otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal, cast

from pydantic import Field

from engine.asks import SEATS, Ask, seat_ask
from engine.bits import mask_of, seats_of
from engine.events import Event, RoleNow, registered
from engine.facts import Death
from engine.options import Options, OptionSet
from engine.roles.cupid import Lovers
from engine.roles.guard import GuardOptions, Watch
from engine.roles.little_girl import LittleGirl
from engine.roles.piper import Piper, PiperOptions
from engine.roles.witch import SHOWN, Potions, WitchOptions, WitchVictims
from engine.rule import Flow, Role, Rule
from engine.rules.ruleset import SetupError, roles
from engine.setup import Piles
from engine.state import State
from engine.variants import affair
from engine.variants.circle import beside, beside_any

BY_HIMSELF = frozenset({"hunter.shoot", "big-bad-wolf.bite", "white-wolf.bite", "widow-knife.bite"})
"""Asks that reach only the asked seat's own neighbours."""
THROWS: dict[tuple[str, str], tuple[str, str]] = {
    ("tails", "front"): ("antidote", ""),
    ("tails", "back"): ("antidote", "villager"),
    ("heads", "front"): ("antidote", "werewolf"),
    ("heads", "back"): ("poison", ""),
}
"""Coin and cap: the potion, and what the seat becomes."""


class HarvestOptions(Options):
    """Whether the festival is held, in which form, and with how many more wolves."""

    group: ClassVar[str] = "harvest"
    on: bool = False
    form: Literal["b", "a"] = "b"
    extra_wolves: int = Field(0, ge=0, le=9)


@registered
class SeerThree(Event, frozen=True, tag="seer.three"):
    """The cards of the named seat and its neighbours, sorted; which is whose the drunk seer cannot say."""

    seat: int
    roles: tuple[str, ...]


@registered
class WitchPotion(Event, frozen=True, tag="witch.potion"):
    """Which potion the throw made it."""

    potion: str


class Harvest(Rule):
    """Neighbours are the nearest living seats on either side."""

    id = "harvest"
    early = 30
    takes_over: ClassVar[dict[str, str]] = {
        "thief": "swap_seat",
        "lovers": "have_affair",
        "piper": "charm",
        "witch": "throw",
    }
    silences: ClassVar[frozenset[tuple[str, str]]] = frozenset({
        ("scapegoat", "tied"),
        ("little-girl", "wolves_wake"),
        ("lovers", "partners"),
        ("lovers", "narrows"),
        ("witch", "dusk"),
    })  # fmt: skip

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.stood_in = 0
        """Scapegoats who have died for a neighbour."""
        self.cards_moved = False

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        group = options[HarvestOptions]
        return isinstance(group, HarvestOptions) and group.on

    @classmethod
    def stacks(cls, piles: Piles, seats: int, options: OptionSet) -> Piles:
        """No cards are left over for a thief, and some villagers are wolves."""
        more = cast(HarvestOptions, options[HarvestOptions]).extra_wolves
        surplus = max(0, sum(piles.deck.values()) - seats) if piles.left else 0
        if piles.second:
            return Piles(piles.deck, 0, piles.hands, cls.wilder(piles.second, 0, more))
        return Piles(cls.wilder(piles.deck, surplus, more), 0, piles.hands)

    @staticmethod
    def wilder(deck: dict[str, int], surplus: int, more: int) -> dict[str, int]:
        """The deck without some villagers, and with more werewolves in place of others. Raises SetupError."""
        villagers = deck.get("villager", 0)
        if villagers < surplus + more:
            raise SetupError(f"the deck has {villagers} villagers, the harvest takes out {surplus + more}")
        changed = {**deck, "villager": villagers - surplus - more, "werewolf": deck.get("werewolf", 0) + more}
        return {card: count for card, count in changed.items() if count}

    def wakes(self, step: str) -> bool:
        return step == "lovers" or bool(self.s.holders(step))

    # -- setup

    def swap_seat(self) -> Flow[None]:
        """The thief swaps cards with a seat, which learns of it when all look at dawn."""
        s = self.s
        for thief in s.holders("thief"):
            mask = s.present & ~(1 << thief)
            seat = (yield [seat_ask(thief, "thief.swap-seat", mask)]).get(thief)
            s.act("thief.swap-seat", thief, seat)
            if isinstance(seat, int):
                self.cards_moved = True
                taken, left = roles()[s.seats[seat].role], roles()[s.seats[thief].role]
                s.change_card(thief, taken)
                s.hold(seat, left)
                s.reclass(seat, "plain")

    def dawns(self) -> None:
        """All look at their cards again."""
        s = self.s
        if self.cards_moved:
            self.cards_moved = False
            for seat in s.seats[1:]:
                s.tell(seat.number, RoleNow(seat.number, seat.role, seat.camp))

    def have_affair(self) -> Flow[None]:
        """After the lovers met, cupid names one of them and a third."""
        s = self.s
        yield from cast(Lovers, s.rules["lovers"]).wake()
        pair = s.marked("lover")
        for cupid in s.holders("cupid"):
            if pair.bit_count() != 2 or not s.living & ~pair or s.marked(affair.DECEIVER):
                continue
            ask = Ask(cupid, "cupid.affair", SEATS, s.living, least=2, most=2, first=pair)
            answer = (yield [ask]).get(cupid)
            s.act("cupid.affair", cupid, answer)
            two = affair.named(answer)
            if two is not None:
                affair.begin(s, *two)

    # -- the night

    def narrows(self, ask: str, seat: int, mask: int) -> int:
        """Only neighbours are reached."""
        s = self.s
        if ask == "werewolf.bite" and seat and not s.wolf_seats >> seat & 1:
            return mask & beside(s, seat)  # who bites without being a wolf is not told by the mask who is one
        if ask == "werewolf.bite":
            return mask & beside_any(s, seats_of(s.wolf_seats & s.living & ~s.asleep & ~s.away)) & ~s.wolf_seats
        if ask in BY_HIMSELF:
            near = mask & beside(s, seat)
            return near & ~s.wolf_seats if ask == "big-bad-wolf.bite" else self.bound(ask, seat, near)
        if ask == "guard.protect":
            return self.guarded(seat)
        return self.bound(ask, seat, mask)

    def bound(self, ask: str, seat: int, mask: int) -> int:
        """What lovers may do to each other; an affair changes who may vote against whom."""
        lovers = self.s.rules.get("lovers")
        if ask == "day.vote" and self.s.marked(affair.DECEIVER):
            return mask & ~affair.spared(self.s, seat)
        return lovers.narrows(ask, seat, mask) if isinstance(lovers, Lovers) else mask

    def guarded(self, guard: int) -> int:
        """Himself or a neighbour; in form b never the same two nights running."""
        s, watch = self.s, self.s.kit(guard, Watch)
        form_b = self.opt(HarvestOptions).form == "b"
        barred = watch.last if form_b else watch.barred(self.opt(GuardOptions).repeat)
        return (1 << guard | beside(s, guard)) & ~barred

    def sees(self, seer: int, target: int) -> Event | None:
        """Three cards, and not which is whose."""
        s = self.s
        cards: list[str] = []
        three = seats_of(1 << target | beside(s, target))
        for seat in three:
            cards += s.cards_of(seat)
        for hook in s.on.checked:
            hook(seer, three)
        return SeerThree(target, tuple(sorted(cards)))

    def charm(self) -> Flow[None]:
        """The piper charms one seat."""
        s, piper = self.s, cast(Piper, self.s.rules["piper"])
        for seat in s.holders("piper"):
            mask = s.narrowed("piper.charm", seat, s.present & ~(1 << seat) & ~s.marked("charmed"))
            if not mask:
                continue
            free = self.opt(PiperOptions).count == "0-1"
            target = (yield [seat_ask(seat, "piper.charm", mask, can_pass=free)]).get(seat)
            s.act("piper.charm", seat, target)
            if isinstance(target, int):
                piper.enchant(1 << target)

    def throw(self) -> Flow[None]:
        """The witch's step: the little girl may peek at her; she names a seat, coin and cap decide."""
        s = self.s
        girl = s.rules.get("little-girl")
        if isinstance(girl, LittleGirl):
            yield from girl.look(mask_of(s.holders("witch")))
        for witch in s.holders("witch"):
            yield from self.brew(witch)

    def brew(self, witch: int) -> Flow[None]:
        """Once in the game."""
        s, bag = self.s, self.s.kit(witch, Potions)
        victims = 0
        for kind in SHOWN:
            victims |= s.targets(kind)
        left = bag.antidote or bag.poison
        if left or self.opt(WitchOptions).told_after_antidote:
            s.tell(witch, WitchVictims(seats_of(victims)))
        if not left:
            return
        target = (yield [seat_ask(witch, "witch.throw", s.present, can_pass=True)]).get(witch)
        s.act("witch.throw", witch, target)
        if isinstance(target, int):
            bag.antidote = bag.poison = False
            self.pour(witch, target, victims)

    def pour(self, witch: int, target: int, victims: int) -> None:
        """The potion is said aloud; never the seat, nor what becomes of it."""
        s = self.s
        coin = s.draw("coin", ("heads", "tails"))
        potion, becomes = THROWS[coin, s.draw("cap", ("front", "back"))]
        s.emit(WitchPotion(potion))
        if potion == "poison":
            s.intend("poison", witch, target)
        elif victims >> target & 1:
            s.intend("heal", witch, target)
        if becomes:
            self.transform(target, roles()[becomes])

    def transform(self, seat: int, card: type[Role]) -> None:
        """Role and camp at once; a mixed pair keeps the camp it was formed with."""
        s = self.s
        paired = s.seats[seat].camp == "lovers"
        if card.id not in s.rules:
            s.bring_in([card])
        s.hold(seat, card)
        if paired:
            s.join(seat, "lovers")
        if s.asleep >> seat & 1:
            s.empower(seat, "villager", None)
        s.stirred = True
        s.tell(seat, RoleNow(seat, card.id, s.seats[seat].camp))

    # -- deaths

    def goat(self, seat: int) -> int:
        """The scapegoat who stands in for this neighbour of his; 0: nobody."""
        s = self.s
        for goat in s.holders("scapegoat"):
            if goat != seat and not (self.stood_in | s.away) >> goat & 1 and beside(s, goat) >> seat & 1:
                self.stood_in |= 1 << goat
                return goat
        return 0

    def condemned(self, death: Death) -> Flow[bool]:
        """Before anybody is asked: a neighbour's scapegoat is out in the place of the condemned."""
        yield from ()
        goat = self.goat(death.seat) if death.cause == "vote" else 0
        if goat:
            death.seat, death.causes = goat, ["scapegoat"]
        return False

    def instead(self, death: Death) -> Death | None:
        """Form b: so it is with every other death of a neighbour."""
        if death.cause == "scapegoat" or (self.opt(HarvestOptions).form == "a" and death.cause != "vote"):
            return None
        goat = self.goat(death.seat)
        return Death(goat, ["scapegoat"]) if goat else None

    def partners(self, death: Death) -> Iterable[Death]:
        """Grief, as the affair has it."""
        if self.s.marked(affair.DECEIVER):
            return affair.grief(self.s, death)
        lovers = self.s.rules.get("lovers")
        return lovers.partners(death) if isinstance(lovers, Lovers) else ()

    # -- the day

    def votes_first(self, voters: int) -> int:
        """The sheriff; nobody votes before him."""
        return voters & 1 << self.s.sheriff if self.s.sheriff else 0

    def claims(self, camp: str, window: str) -> bool | None:
        """The third is no hindrance to a mixed pair: his death would be the deceiver's."""
        return True if camp == "lovers" and window != "night" and affair.pair_alone(self.s) else None
