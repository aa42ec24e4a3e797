"""The truth of a running game: seats, sets of seats, the log of events with their audiences, draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar, cast

from engine.bits import EVERYONE, JUDGE, seats_of
from engine.events import Eliminated, Event, Intent, Powerless, Revealed, RoleNow
from engine.facts import Act, Death, DrawError, Seat
from engine.hooks import Hooks, index
from engine.options import Options, OptionSet
from engine.rule import Flow, Role, Rule
from engine.rules.table import Win
from engine.setup import Setup

K = TypeVar("K")
O = TypeVar("O", bound=Options)  # noqa: E741

SIDES = ("village", "wolves")


@dataclass(slots=True, eq=False)
class State:
    """One game's truth. Flow and rules read and change it; nothing outside the engine sees it."""

    setup: Setup
    options: OptionSet
    order: dict[str, tuple[str, ...]]
    resting: frozenset[tuple[str, str]]
    """(rule, hook or step) that the table's options leave nothing to do."""
    size: int = 0
    everyone: int = 0
    living: int = 0
    fallen: int = 0
    seats: list[Seat] = field(default_factory=list)
    camps: dict[str, int] = field(default_factory=dict)
    classes: dict[str, int] = field(default_factory=dict)
    had_classes: set[str] = field(default_factory=set)
    powers: dict[str, int] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)
    wolf_seats: int = 0
    unaware: int = 0
    """Wolf seats that have not been told yet that they are: nothing that they are offered may tell them."""
    sheriff: int = 0
    phase: str = "setup"
    day: int = 0
    log: list[Event] = field(default_factory=list)
    audience: list[int] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    deaths: list[Death] = field(default_factory=list)
    pending: list[Death] = field(default_factory=list)
    """The night's deaths whose reactions wait for the dawn."""
    chains: int = 0
    """How many chains of deaths run, one inside the other."""
    waves: bool = False
    """Whether wins are looked for after every wave of deaths, and the night's deaths taken one by one."""
    at_once: bool = False
    """Whether the night's deaths are resolved one by one, with their shots (a ruleset's choice)."""
    lost_powers: frozenset[str] = frozenset()
    """The village's powers that are gone for good."""
    lost: set[str] = field(default_factory=set)
    """Camps judged lost, where the ruleset judges so."""
    stirred: bool = False
    announced: bool = True
    """Whether the last night's dead have been told."""
    daylight: bool = False
    """Whether reactions of the day may be taken now."""
    words_quota: int = 0
    """Last words that the table grants in all (extended)."""
    words_spent: int = 0
    """Of these, how many were spoken."""
    steps: dict[str, Callable[[], Flow[None]]] = field(default_factory=dict)
    """The night and setup steps of the rules in force."""
    members: set[str] = field(default_factory=set)
    """Camps that ever had a member."""
    extra: tuple[str, ...] = ()
    """The cards left over."""
    away: int = 0
    """Seats outside the game for a while: in no mask, asked nothing."""
    orderly: bool = False
    """Whether nobody may interrupt a speech now."""
    grieving: bool = True
    """Whether a lover follows the other."""
    first_open: int = 1
    """With whom the ballots begin that are cast openly in turn."""
    on: Hooks = field(default_factory=lambda: Hooks({}))
    """The hooks of the rules in force, by name, in precedence order."""
    rules: dict[str, Rule] = field(default_factory=dict)
    solo: dict[str, Rule] = field(default_factory=dict)
    """The cards that have a camp of their own, by camp."""
    _draws: int = 0

    def __post_init__(self) -> None:
        self.size, self.extra = self.setup.size, self.setup.extra
        self.living = self.everyone = (1 << self.size + 1) - 2
        self.waves = "wave" in self.opt(Win).check

    def opt(self, group: type[O]) -> O:
        """The table's values of an option group."""
        return self.options[group]  # type: ignore[return-value]  # a Mapping cannot tie each key to the type of its value

    # -- seats

    def seat_cards(self, roles: dict[str, type[Role]]) -> None:
        """Give every seat its dealt card."""
        self.seats.append(Seat(0, "", "", "", None, None))
        camps, classes, powers = self.camps, self.classes, self.powers
        for number, role in enumerate(self.setup.seats, 1):
            card, bit = roles[role], 1 << number
            self.seats.append(Seat(number, role, role, card.camp, role, self.as_new(role)))
            camps[card.camp] = camps.get(card.camp, 0) | bit
            classes[card.cls] = classes.get(card.cls, 0) | bit
            powers[role] = powers.get(role, 0) | bit
            if card.wolf_card:
                self.wolf_seats |= bit
        self.members.update(camps)
        self.had_classes = set(classes)

    def hold(self, seat: int, card: type[Role]) -> None:
        """The seat now holds this card, as new, with its camp and power."""
        bit = 1 << seat
        self.seats[seat].role = card.id
        self.reclass(seat, card.cls)
        self.wolf_seats = self.wolf_seats | bit if card.wolf_card else self.wolf_seats & ~bit
        self.empower(seat, None if card.id in self.lost_powers else card.id, self.as_new(card.id))
        self.join(seat, card.camp)

    def turn_wolf(self, seat: int) -> None:
        """The seat is a wolf seat from now on; a mixed lover keeps the pair's camp."""
        bit = 1 << seat
        self.wolf_seats |= bit
        self.reclass(seat, "wolf")
        if self.seats[seat].camp != "lovers":
            self.join(seat, "wolves")

    def reclass(self, seat: int, cls: str) -> None:
        """The seat counts as another class from now on."""
        bit = 1 << seat
        for key in self.classes:
            self.classes[key] &= ~bit
        self.classes[cls] = self.classes.get(cls, 0) | bit
        self.had_classes.add(cls)

    def join(self, seat: int, camp: str) -> None:
        """The seat now belongs to this camp."""
        here, bit = self.seats[seat], 1 << seat
        if here.camp:
            self.camps[here.camp] &= ~bit
        here.camp = camp
        self.members.add(camp)
        self.camps[camp] = self.camps.get(camp, 0) | bit

    def empower(self, seat: int, power: str | None, kit: object) -> None:
        """The seat now exercises this card's power (None: none), with this kit."""
        here, bit = self.seats[seat], 1 << seat
        if here.power is not None:
            self.powers[here.power] &= ~bit
        if here.also is not None:
            self.powers[here.also] &= ~bit
            here.also = None
        here.power, here.kit = power, kit
        if power is not None:
            self.powers[power] = self.powers.get(power, 0) | bit

    def lend(self, seat: int, power: str) -> None:
        """The seat exercises this power too, beside its own; it must be one that carries nothing."""
        self.seats[seat].also = power
        self.powers[power] = self.powers.get(power, 0) | 1 << seat

    def lose_power(self, seat: int) -> None:
        """The seat's card is powerless from now on; told to it alone."""
        self.empower(seat, None, None)
        self.tell(seat, Powerless(seat))

    def change_card(self, seat: int, card: type[Role]) -> None:
        """Another card for this seat, told to it alone."""
        self.hold(seat, card)
        self.rules[card.id].taken(seat)
        self.tell(seat, RoleNow(seat, card.id, self.seats[seat].camp))

    def as_new(self, card: str) -> object:
        """An unused kit of a card."""
        return cast(Role, self.rules[card]).new_kit()

    def kit(self, seat: int, kind: type[K]) -> K:
        """What the seat's power has left."""
        kit = self.seats[seat].kit
        assert isinstance(kit, kind)
        return kit

    @property
    def present(self) -> int:
        """`L` of the rulebook: seats not out, the fallen of an unannounced night included."""
        return self.living | self.fallen

    def holders(self, power: str) -> tuple[int, ...]:
        """Living seats that exercise a card's power, ascending."""
        return seats_of(self.powers.get(power, 0) & self.living)

    def mark(self, name: str, seats: int) -> None:
        """Add a mark to a set of seats."""
        self.marks[name] = self.marks.get(name, 0) | seats

    def unmark(self, name: str, seats: int = EVERYONE) -> None:
        """Take a mark from a set of seats."""
        self.marks[name] = self.marks.get(name, 0) & ~seats

    def marked(self, name: str) -> int:
        """The seats with a mark."""
        return self.marks.get(name, 0)

    @property
    def asleep(self) -> int:
        """Seats that open their eyes at night no more."""
        return self.marks.get("hypnotised", 0)

    def narrowed(self, ask: str, seat: int, mask: int) -> int:
        """The mask of an ask to this seat after every bond, bar and card that narrows it."""
        for hook in self.on.narrows:
            mask = hook(ask, seat, mask)
        return mask

    # -- events

    def emit(self, event: Event, to: int = EVERYONE) -> None:
        """Something happened that these seats learn of."""
        self.log.append(event)
        self.audience.append(to)

    def tell(self, seat: int, event: Event) -> None:
        """One seat (and the judge) learns of something."""
        self.log.append(event)
        self.audience.append(1 << seat | JUDGE)

    def act(self, ask: str, seat: int, answer: Any) -> None:
        """A seat answered in the dark."""
        self.log.append(Intent(seat, ask, answer))
        self.audience.append(1 << seat | JUDGE)

    def intend(self, kind: str, by: int, target: int) -> None:
        """A night act to be resolved."""
        act = Act(kind, by, target)
        for hook in self.on.intends:
            act = hook(act)
        self.acts.append(act)

    @property
    def allies(self) -> int:
        """Seats that count as wolves only beside a wolf seat: won over, but no wolves."""
        return self.marks.get("double-agent", 0) & ~self.wolf_seats

    def targets(self, kind: str) -> int:
        """Mask of the targets of this night's acts of a kind."""
        mask = 0
        for act in self.acts:
            if act.kind == kind:
                mask |= 1 << act.target
        return mask

    def cards_of(self, seat: int) -> Sequence[str]:
        """The cards that a look at a seat shows: its role, or what a rule has it show."""
        return next((cards for hook in self.on.faces if (cards := hook(seat))), (self.seats[seat].role,))

    def turn(self, seat: int) -> None:
        """Turn a seat's card."""
        self.emit(Revealed(seat, self.seats[seat].role))

    def eliminate(self, death: Death) -> None:
        """The seat leaves the living; in the night it is fallen until dawn."""
        bit = 1 << death.seat
        here = self.seats[death.seat]
        death.power, death.also = here.power, here.also
        self.living &= ~bit
        self.stirred = True
        self.deaths.append(death)
        if self.phase == "night":
            death.night = self.day
            self.fallen |= bit
            self.emit(Eliminated(death.seat, death.cause), JUDGE)
        else:
            death.by_day = self.day
            if self.away & bit:  # who is out is not away any more: the dead are asked what their death calls for
                self.away &= ~bit
                self.unmark("away", bit)
            self.emit(Eliminated(death.seat, death.cause))

    def revive(self, seat: int) -> None:
        """A seat that was out lives again, with card, marks and what its power had left."""
        self.living |= 1 << seat
        for hook in self.on.returned:
            hook(seat)

    # -- rules

    def bring_in(self, kinds: Sequence[type[Rule]]) -> None:
        """Put rules in force and index them by the hooks they override."""
        for kind in kinds:
            self.rules[kind.id] = kind(self)
        self.index_rules()

    def enforce(self, rule: Rule) -> None:
        """Put one rule in force; of equal precedence it comes before those that are."""
        self.rules = {rule.id: rule} | self.rules
        self.index_rules()

    def take_out(self, rule: str) -> None:
        """Put a rule out of force."""
        del self.rules[rule]
        self.index_rules()

    def index_rules(self) -> None:
        """Find the hooks and steps of the rules in force."""
        overrides, steps = index(tuple(map(type, self.rules.values())), self.resting)
        rules = self.rules
        self.on = Hooks({hook: [getattr(rules[rule], hook) for rule in by] for hook, by in overrides})
        self.steps = {step: getattr(rules[rule], play) for step, rule, play in steps}
        self.solo = {r.camp: r for r in rules.values() if isinstance(r, Role) and r.camp not in SIDES}

    # -- draws

    def draw(self, name: str, options: Sequence[K]) -> K:
        """A named draw out of the options, from the game's own seeded streams. Raises DrawError."""
        at, self._draws = self._draws, self._draws + 1
        if at < len(self.setup.draws):
            forced, value = self.setup.draws[at]
            if forced != name:
                raise DrawError(f"the next draw is {name!r}, the case forces {forced!r}")
            if value not in options:
                raise DrawError(f"draw {name!r} gives one of {list(options)}, not {value!r}")
            return cast(K, value)
        return Random(f"{self.setup.seed}:{at}:{name}").choice(options)

    def suggested(self, name: str, options: Sequence[K]) -> K:
        """What the automatic judge draws if it is asked: it uses up a draw only where a case forces one."""
        forced = self.setup.draws[self._draws : self._draws + 1]
        if forced and forced[0][0] == name:
            return self.draw(name, options)
        return Random(f"{self.setup.seed}:{self.phase}:{self.day}:{name}").choice(options)

    def sample(self, name: str, items: Sequence[K], count: int) -> tuple[K, ...]:
        """A named draw of so many of the items, in their order. Raises DrawError."""
        at, self._draws = self._draws, self._draws + 1
        if at >= len(self.setup.draws):
            drawn = Random(f"{self.setup.seed}:{at}:{name}").sample(range(len(items)), count)
            return tuple(items[one] for one in sorted(drawn))
        forced, value = self.setup.draws[at]
        if forced != name:
            raise DrawError(f"the next draw is {name!r}, the case forces {forced!r}")
        if not isinstance(value, list | tuple) or len(value) != count or not set(value) <= set(items):
            raise DrawError(f"draw {name!r} gives {count} of {list(items)}, not {value!r}")
        return tuple(item for item in items if item in value)

    def shuffled(self, name: str, items: Sequence[K]) -> tuple[K, ...]:
        """A named draw of an order."""
        at, self._draws = self._draws, self._draws + 1
        drawn = list(items)
        Random(f"{self.setup.seed}:{at}:{name}").shuffle(drawn)
        return tuple(drawn)

    def chance(self, name: str, probability: float) -> bool:
        """A named draw of true or false."""
        if self._draws < len(self.setup.draws):
            return self.draw(name, (False, True))
        at, self._draws = self._draws, self._draws + 1
        return Random(f"{self.setup.seed}:{at}:{name}").random() < probability
