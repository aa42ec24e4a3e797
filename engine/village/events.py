"""What happens in the Village; all of it is public but what priest and baker see."""

from __future__ import annotations

from engine.events import Event, Seats, registered


@registered
class Houses(Event, frozen=True, tag="houses"):
    """The houses as dealt, seat 1 first; `vagabond` has none."""

    houses: tuple[str, ...]


@registered
class HouseNow(Event, frozen=True, tag="house.now"):
    """The house a seat now has, or `vagabond`."""

    seat: int
    house: str


@registered
class HousePower(Event, frozen=True, tag="house.power"):
    """The power of a seat's house is now ready, spent or lost."""

    seat: int
    house: str
    power: str


@registered
class HouseBurnt(Event, frozen=True, tag="house.burnt"):
    """A house burns down and is out of the game."""

    house: str


@registered
class PriestCalled(Event, frozen=True, tag="priest.called"):
    """Whom the priest calls to confess: the priest, then the seat."""

    seats: Seats


@registered
class PriestSaw(Event, frozen=True, tag="priest.saw"):
    """The card of the seat that confessed, for the priest alone."""

    seat: int
    role: str


@registered
class QuackHealed(Event, frozen=True, tag="quack.healed"):
    """To whom the quack gives a used power back: the quack, then the seat."""

    seats: Seats


@registered
class PowerBack(Event, frozen=True, tag="power.back"):
    """A used power of this seat's card is as new; told to it alone."""

    seat: int


@registered
class TeacherForbids(Event, frozen=True, tag="teacher.forbids"):
    """Who may not vote today by the teacher's word; nobody where it is empty."""

    seats: Seats


@registered
class BakerSaw(Event, frozen=True, tag="baker.saw"):
    """The wolf seat of which the baker caught a glimpse (null: none), for the baker alone."""

    seat: int | None


@registered
class Shaved(Event, frozen=True, tag="shaved"):
    """The barber uses the razor: the barber, then the seat."""

    seats: Seats


@registered
class Lodging(Event, frozen=True, tag="lodging"):
    """The magistrate offers a vagabond a vacant house, and the answer."""

    seat: int
    house: str
    accepted: bool


@registered
class Begged(Event, frozen=True, tag="begged"):
    """Whether the condemned seat begs for mercy."""

    seat: int
    begs: bool


@registered
class Mercy(Event, frozen=True, tag="mercy"):
    """Whether the lord lets the condemned seat live."""

    seat: int
    granted: bool
