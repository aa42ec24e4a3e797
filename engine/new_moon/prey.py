"""Event cards of the wolves' night: what becomes of the pack's choice (new-moon.md 1, 5, 11, 12, 22)."""

from __future__ import annotations

from typing import cast

from engine.asks import Ask, flag_ask, seat_ask
from engine.bits import JUDGE, circle_from, mask_of, next_seat, seats_of
from engine.events import Event, RoleNow, Seats, registered
from engine.facts import Death
from engine.flow import victory
from engine.flow.deaths import chain
from engine.new_moon.card import Card, add_death, at_home, card_in_force, dead
from engine.new_moon.options import TouchOptions
from engine.roles.seer import Seer
from engine.roles.werewolf import Pack, WolvesOptions
from engine.rule import Flow, Role
from engine.rules.ruleset import roles
from engine.state import State

CHOICES = ("bite", "caught", "fascinate")
"""Acts that are the pack's choice of the night."""


@registered
class Hunters(Event, frozen=True, tag="full-moon"):
    """Those who hunt in the wolves' place tonight see each other."""

    seats: Seats


@registered
class SpecterWakes(Event, frozen=True, tag="specter"):
    """The chosen seat opens its eyes among the wolves that are awake."""

    seat: int
    wolves: Seats


@registered
class SpecterNamed(Event, frozen=True, tag="specter.named"):
    """The wolf that dies in the chosen seat's place."""

    target: int


@registered
class DoubleAgentWolves(Event, frozen=True, tag="double-agent.wolves"):
    """The wolves, shown to one who was named their ally."""

    seats: Seats


@registered
class DoubleAgentYou(Event, frozen=True, tag="double-agent.you"):
    """This seat wins with the wolves from now on; it does not wake with them."""

    camp_now = "wolves"


@registered
class Touch(Event, frozen=True, tag="touch"):
    """Which wolf goes to the victim; null: nobody."""

    seat: int | None


@registered
class Footsteps(Event, frozen=True, tag="footsteps"):
    """Somebody walked past this seat in the night."""


def chosen(s: State) -> int:
    """The pack's choice of this night; 0: none."""
    return next((act.target for act in s.acts if act.kind in CHOICES), 0)


def spare_the_choice(s: State) -> None:
    """The pack's choice is not attacked."""
    s.acts = [act for act in s.acts if act.kind not in CHOICES]


def become_wolf(s: State, seat: int, card: type[Role], kit: object = None) -> None:
    """The seat holds this wolf card, is of the wolves unless of a mixed pair, and is told alone."""
    camp = "lovers" if s.seats[seat].camp == "lovers" else "wolves"
    s.hold(seat, card_in_force(s, card))
    s.join(seat, camp)
    if not card.wolf_card:  # it was a wolf seat by conversion, and its own power was gone with that
        s.turn_wolf(seat)
        s.empower(seat, None, None)
    elif kit is not None:
        s.empower(seat, s.seats[seat].power, kit)
    s.unmark("double-agent", 1 << seat)
    s.rules[card.id].taken(seat)
    s.tell(seat, RoleNow(seat, card.id, camp))
    s.stirred = True


class FullMoonRising(Card):
    """For a night wolves are seers, and hunter, witch and seer are the wolves."""

    id = "event.full-moon-rising"
    lasts = "night"
    open_condition = False
    slot = "bite"
    cast_ = frozenset({"hunter", "witch", "seer"})
    takes_over = {
        "wolves": "hunt", "seer": "rest", "witch": "rest",
        "big-bad-wolf": "rest", "white-wolf": "rest", "widow-knife": "rest",
    }  # fmt: skip

    @classmethod
    def hunters(cls, s: State) -> int:
        """The seats that hunt: by their cards, powerless or not."""
        held = mask_of([seat.number for seat in s.seats[1:] if seat.role in cls.cast_])
        return held & at_home(s) & ~s.wolf_seats & ~s.asleep & ~s.marked("hypnotised")

    @classmethod
    def playable(cls, s: State) -> bool:
        return bool(s.wolf_seats and cls.hunters(s))

    def rest(self) -> Flow[None]:
        """Not called to anything tonight."""
        yield from ()

    def hunt(self) -> Flow[None]:
        """Each wolf checks a seat; then the three bite, as a pack does."""
        s, pack = self.s, cast(Pack, self.s.rules["pack"])
        yield from pack.meet()
        eyes = cast("Seer | None", s.rules.get("seer")) or Seer(s)
        for wolf in seats_of(pack.awake()):
            target = (yield [seat_ask(wolf, "seer.check", s.present & ~(1 << wolf), True)]).get(wolf)
            s.act("seer.check", wolf, target)
            if isinstance(target, int):
                eyes.learn(wolf, target)
        hunters = self.hunters(s)
        if hunters:
            s.emit(Hunters(seats_of(hunters)), hunters | JUDGE)
        for hook in s.on.wolves_wake:  # also where none hunts, or who may peek would learn it by not being asked
            yield from hook(hunters)
        if not hunters:
            return
        yield from pack.prowl(hunters, s.present & ~hunters)


class Backfire(Card):
    """The pack's choice turns against it."""

    id = "event.backfire"
    lasts = "night"
    open_condition = False
    slot = "bite"
    early = -20

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.dies = 0

    @classmethod
    def playable(cls, s: State) -> bool:
        return bool(s.living & s.wolf_seats and s.living & ~s.wolf_seats)

    def wolves_done(self, pack: int) -> Flow[None]:
        """A plain villager turns wolf; for anybody else the first wolf clockwise dies."""
        yield from ()
        s, target = self.s, chosen(self.s)
        if not target:
            return
        spare_the_choice(s)
        if s.seats[target].role == "villager" and not s.wolf_seats >> target & 1:
            become_wolf(s, target, roles()["werewolf"])
            victory.check(s, "wave")
        else:
            self.dies = next_seat(s.wolf_seats & s.living, target, s.size)

    def resolves(self, deaths: list[Death]) -> None:
        if self.dies and self.s.living >> self.dies & 1:
            add_death(deaths, self.dies, "event")
        self.dies = 0


class Specter(Card):
    """The chosen seat takes the place of a wolf that it names."""

    id = "event.specter"
    lasts = "night"
    open_condition = False
    slot = "bite"
    early = -20

    @classmethod
    def playable(cls, s: State) -> bool:
        return bool(s.living & s.wolf_seats and s.living & ~s.wolf_seats)

    def wolves_done(self, pack: int) -> Flow[None]:
        """Touched, eyes open, a name; a wolf that was chosen stays bitten."""
        s, target = self.s, chosen(self.s)
        pack &= s.wolf_seats & s.living
        if not target or s.wolf_seats >> target & 1 or not pack:
            return
        spare_the_choice(s)
        seen = pack | 1 << target
        s.emit(SpecterWakes(target, seats_of(pack)), seen | JUDGE)
        named = (yield [seat_ask(target, "specter.name", pack, seen=seen)]).get(target)
        wolf = named if isinstance(named, int) else seats_of(pack)[0]
        s.emit(SpecterNamed(wolf), seen | JUDGE)
        yield from self.swap(target, wolf)

    def swap(self, seat: int, wolf: int) -> Flow[None]:
        """The wolf dies with its own card; then the two cards change places."""
        s = self.s
        card, kit = roles()[s.seats[wolf].role], s.seats[wolf].kit
        yield from chain(s, [Death(wolf, ["event"])])
        if s.living >> seat & 1:  # grief may have taken it along
            s.seats[wolf].role = s.seats[seat].role
            become_wolf(s, seat, card, kit)
            victory.check(s, "wave")


class TouchOfDeath(Card):
    """To kill, a wolf must go to the victim, and may be heard."""

    id = "event.touch-of-death"
    lasts = "game"
    early = -10

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.heard = 0

    def wolves_done(self, pack: int) -> Flow[None]:
        """Who of those awake goes; nobody: the bite is void."""
        s, target = self.s, chosen(self.s)
        if not target:
            return
        opt = self.opt(WolvesOptions)
        asks: list[Ask] = [seat_ask(wolf, "touch-of-death.go", pack, True, pack) for wolf in seats_of(pack)]
        walker = yield from cast(Pack, s.rules["pack"]).settle(pack, opt, asks)
        s.emit(Touch(walker or None), pack | JUDGE)
        if walker:
            self.walk(walker, target, pack)
        else:
            spare_the_choice(s)

    def lunges(self, seat: int, target: int) -> Flow[bool]:
        """One that bites alone goes itself."""
        goes = (yield [flag_ask(seat, "touch-of-death.go")]).get(seat) is True
        self.s.act("touch-of-death.go", seat, goes)
        if goes:
            self.walk(seat, target, 0)
        return goes

    def walk(self, walker: int, target: int, awake: int) -> None:
        """Those between the two on the shorter way hear it, but for wolves that are awake."""
        s = self.s
        if not self.opt(TouchOptions).footsteps:
            return
        clockwise = (target - walker) % s.size
        step = 1 if 2 * clockwise <= s.size else -1
        steps = min(clockwise, s.size - clockwise)
        way = circle_from(s.everyone, walker, s.size, step)[1:steps]
        self.heard |= mask_of(way) & s.living & ~awake & ~s.wolf_seats

    def dawns(self) -> None:
        """Told with the news."""
        for seat in seats_of(self.heard & self.s.living):
            self.s.tell(seat, Footsteps())
        self.heard = 0


class DoubleAgent(Card):
    """The first dead names an ally of the wolves."""

    id = "event.double-agent"
    lasts = "game"
    open_condition = False

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.due = True

    @classmethod
    def playable(cls, s: State) -> bool:
        return bool(s.wolf_seats and dead(s) and s.living & ~s.wolf_seats)

    def night_opens(self) -> Flow[None]:
        """First of all in the next night."""
        s, gone = self.s, dead(self.s)
        mask = at_home(s) & ~s.wolf_seats
        if not self.due or not gone or not mask:
            self.due = False
            return
        self.due = False
        by = self.voice(gone[0].seat)
        named = (yield [seat_ask(by, "double-agent.name", mask)]).get(by)
        s.act("double-agent.name", by, named)
        if isinstance(named, int):
            self.win_over(named)

    def win_over(self, seat: int) -> None:
        """It learns the wolves; one of the village is of theirs from now on, others keep their own goal."""
        s = self.s
        s.tell(seat, DoubleAgentWolves(seats_of(s.wolf_seats & s.living)))
        if s.seats[seat].camp != "village":
            return
        s.mark("double-agent", 1 << seat)
        s.join(seat, "wolves")
        s.reclass(seat, "nothing")
        s.tell(seat, DoubleAgentYou())
        s.stirred = True
        victory.check(s, "wave")

    def dawns(self) -> None:
        """As a wolf seat it is no agent any more."""
        self.s.unmark("double-agent", self.s.wolf_seats)


__all__ = ["Backfire", "DoubleAgent", "FullMoonRising", "Specter", "TouchOfDeath"]
