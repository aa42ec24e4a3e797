"""Event cards about single seats: trials, returns, offices, hidden and spoken cards (new-moon.md 10, 16, 20, 24 f)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.asks import flag_ask, seat_ask, text_ask
from engine.bits import EVERYONE, mask_of, seats_of
from engine.events import Event, Returned, RoleNow, Said, Seats, Sheriff, registered
from engine.facts import Death
from engine.flow.deaths import put_out
from engine.flow.election import hold
from engine.new_moon.card import (
    WOLF_CAUSES,
    Card,
    at_home,
    last_dead,
    most_named,
    office,
    strip_marks,
    wolf_victims,
)
from engine.roles.sheriff import ElectionOptions
from engine.rule import Flow
from engine.rules.ruleset import roles
from engine.state import State

WITNESSES = 2
"""So many save the accused."""


@registered
class Accused(Event, frozen=True, tag="punishment"):
    """Whom the dead one names."""

    seat: int


@registered
class Witnesses(Event, frozen=True, tag="punishment.witnesses"):
    """Who has said so far that the accused is innocent."""

    seats: Seats


@registered
class Acquitted(Event, frozen=True, tag="punishment.spared"):
    """The accused lives; the witnesses may kiss the cheek."""

    seat: int


@registered
class SeerAloud(Event, frozen=True, tag="seer.aloud"):
    """The card that was checked tonight, called aloud; nobody is told whose it is."""

    role: str


@registered
class ExecutionerNow(Event, frozen=True, tag="executioner"):
    """Who is the executioner; null: nobody."""

    seat: int | None


class Punishment(Card):
    """The last dead names a seat; it dies unless two witnesses speak for it."""

    id = "event.punishment"

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.accused = 0

    @classmethod
    def playable(cls, s: State) -> bool:
        return last_dead(s) != 0 and at_home(s).bit_count() >= WITNESSES

    def play(self) -> Flow[None]:
        s, by = self.s, self.voice(last_dead(self.s))
        named = (yield [seat_ask(by, "punishment.name", at_home(s), seen=EVERYONE)]).get(by)
        self.accused = named if isinstance(named, int) else seats_of(at_home(s))[0]
        s.emit(Accused(self.accused))
        for_it = yield from self.heard(at_home(s) & ~(1 << self.accused), 0)
        if for_it.bit_count() < WITNESSES:
            plea = (yield [text_ask(self.accused, "punishment.plea", EVERYONE)]).get(self.accused)
            s.emit(Said(self.accused, str(plea or ""), "plea"))
            for_it = yield from self.heard(at_home(s) & ~(1 << self.accused) & ~for_it, for_it)
        if for_it.bit_count() >= WITNESSES:
            s.emit(Acquitted(self.accused))
        else:
            yield from put_out(s, [Death(self.accused, ["event"])], "event")

    def heard(self, asked: int, so_far: int) -> Flow[int]:
        """Who says that the accused is innocent, all at once, with those who have said so."""
        asks = [flag_ask(seat, "punishment.witness", seen=EVERYONE) for seat in seats_of(asked)]
        answers = (yield asks) if asks else {}
        for_it = so_far | mask_of([seat for seat, answer in answers.items() if answer is True])
        self.s.emit(Witnesses(seats_of(for_it)))
        return for_it

    def shown_to(self, death: Death) -> int | None:
        """The card is shown, whatever the table does."""
        return EVERYONE if death.seat == self.accused and death.cause == "event" else None


class Miracle(Card):
    """The last whom wolves killed had only fainted."""

    open_condition = False

    id = "event.miracle"

    @classmethod
    def playable(cls, s: State) -> bool:
        return bool(wolf_victims(s))

    def play(self) -> Flow[None]:
        """Back as a plain villager; what its death has caused stays."""
        yield from ()
        s, seat = self.s, wolf_victims(self.s)[-1].seat
        strip_marks(s, 1 << seat)
        s.hold(seat, roles()["villager"])
        s.revive(seat)
        s.emit(Returned((seat,)))
        s.tell(seat, RoleNow(seat, "villager", s.seats[seat].camp))


class SaintPhilippe(Card):
    """The sheriff is sheriff no more; another is elected at once."""

    id = "event.saint-philippe"

    @classmethod
    def playable(cls, s: State) -> bool:
        return office(s) is not None and s.sheriff != 0 and bool(s.living >> s.sheriff & 1)

    def play(self) -> Flow[None]:
        """The table's election, without the former sheriff among the candidates."""
        s, held = self.s, office(self.s)
        if held is None:
            return
        former, s.sheriff, held.due = s.sheriff, 0, True
        s.emit(Sheriff(None))
        yield from hold(s, held, s.opt(ElectionOptions), 1 << former)
        for hook in s.on.elected:
            yield from hook()


class Burial(Card):
    """Whom wolves kill is buried unseen and unheard."""

    id = "event.burial"
    lasts = "game"

    def shown_to(self, death: Death) -> int | None:
        return 0 if death.cause in WOLF_CAUSES else None

    def buries(self, death: Death) -> bool:
        return death.cause in WOLF_CAUSES


class Somnambulism(Card):
    """The seer talks in his sleep."""

    id = "event.somnambulism"
    lasts = "game"
    open_condition = False

    @classmethod
    def playable(cls, s: State) -> bool:
        return bool(s.holders("seer"))

    def checked(self, seer: int, targets: Sequence[int]) -> None:
        """The true cards, sorted, without their seats."""
        for role in sorted(card for target in targets for card in self.s.cards_of(target)):
            self.s.emit(SeerAloud(role))


class Executioner(Card):
    """An elected office: he alone sees the cards of those whom the vote puts out."""

    id = "event.executioner"
    lasts = "game"
    full_only = True

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.seat = 0

    def play(self) -> Flow[None]:
        """One vote each, the most named, a lot among equals."""
        s, home = self.s, at_home(self.s)
        asks = [
            seat_ask(seat, "executioner.elect", mask, seen=EVERYONE)
            for seat in seats_of(home)
            if (mask := home & ~(1 << seat))
        ]
        answers = (yield asks) if asks else {}
        most = most_named(target for target in answers.values() if isinstance(target, int))
        if most:
            self.take(most[0] if len(most) == 1 else s.draw("executioner.lot", most))

    def take(self, seat: int) -> None:
        """The seat is executioner."""
        self.seat = seat
        self.s.emit(ExecutionerNow(seat or None))

    def shown_to(self, death: Death) -> int | None:
        return 1 << self.seat | 1 if self.seat and death.cause == "vote" else None

    def after_chain(self, deaths: Sequence[Death]) -> Flow[None]:
        """Dead, he names a successor."""
        s, seat = self.s, self.seat
        if not seat or s.present >> seat & 1:
            return
        heir: object = None
        if at_home(s):
            by = self.voice(seat)
            heir = (yield [seat_ask(by, "executioner.heir", at_home(s), seen=EVERYONE)]).get(by)
        self.take(heir if isinstance(heir, int) else 0)


class Quiet(Card):
    """A quiet morning: a card of the 36 whose text is not known."""

    full_only = True
    ends_aloud = False


class QuietGathering(Quiet):
    """Stands for the woodland gathering."""

    id = "event.quiet-1"


class QuietBall(Quiet):
    """Stands for the Saturday evening ball."""

    id = "event.quiet-2"


class QuietFlood(Quiet):
    """Stands for the flood."""

    id = "event.quiet-3"


class QuietLuncheon(Quiet):
    """Stands for the luncheon for seniors."""

    id = "event.quiet-4"


class QuietPact(Quiet):
    """Stands for the pact with the devil."""

    id = "event.quiet-5"
