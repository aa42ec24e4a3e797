"""Spiritualism: a medium asks the dead, who answer yes or no (new-moon.md 17 to 19, 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, cast

from engine.asks import FLAG, Ask, choice_ask, seat_ask, several_ask
from engine.bits import EVERYONE, seats_of
from engine.events import Event, Seats, registered
from engine.new_moon.attributes import Attributes, declared
from engine.new_moon.card import Card, at_home, beside, left_of_the_dead, wolf_victims
from engine.new_moon.deck import NewMoon
from engine.rule import Flow
from engine.state import State


@registered
class Medium(Event, frozen=True, tag="spiritualism.medium"):
    """Who speaks with the dead."""

    seat: int


@registered
class Pointed(Event, frozen=True, tag="spiritualism.point"):
    """At whom the medium points."""

    seats: Seats


@registered
class SpiritAnswer(Event, frozen=True, tag="spiritualism.answer"):
    """What the spirit says."""

    question: str
    answer: bool


POINTS = {"pointed-has-wolf-beside": 1, "pointed-is-plain": 1, "two-same-camp": 2}
"""Questions that point, and at how many seats."""

Traits = dict[str, tuple[Callable[[Attributes], bool | None], bool]]
TRAITS: Traits = {
    "wolf-in-black": (lambda facts: facts.black_clothes, False),
    "wolf-with-glasses": (lambda facts: facts.glasses, False),
    "wolf-with-jewellery": (lambda facts: facts.jewellery, False),
    "wolf-is-man": (lambda facts: None if facts.gender is None else facts.gender == "male", False),
    "all-wolves-women": (lambda facts: None if facts.gender is None else facts.gender == "female", True),
}
"""Questions about the people in the wolves' seats: the fact, and whether it must hold of all of them."""


def of_the_wolves(s: State, question: str) -> bool | None:
    """What the declared facts say; None: it hangs on one that is not declared."""
    trait, of_all = TRAITS[question]
    facts = declared(s.setup)
    wolves = seats_of(s.wolf_seats & s.living)
    values = [trait(facts[wolf]) if wolf in facts else None for wolf in wolves]
    if (not of_all) in values:
        return not of_all
    return None if None in values else of_all


class Spiritualism(Card):
    """The left of the dead chooses a medium; the medium asks one of the card's questions; the answer is true."""

    open_condition = False

    questions: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def playable(cls, s: State) -> bool:
        return bool(wolf_victims(s)) and at_home(s) != 0

    def play(self) -> Flow[None]:
        s, chooser = self.s, left_of_the_dead(self.s)
        home = at_home(s)
        medium = (yield [seat_ask(chooser, "spiritualism.medium", home, seen=EVERYONE)]).get(chooser)
        medium = medium if isinstance(medium, int) else chooser
        s.emit(Medium(medium))
        known = tuple(one for one in self.questions if POINTS.get(one, 0) <= home.bit_count())
        question = str((yield [choice_ask(medium, "spiritualism.ask", known, False, EVERYONE)]).get(medium) or known[0])
        pointed: tuple[int, ...] = ()
        if question in POINTS:
            count = POINTS[question]
            ask = several_ask(medium, "spiritualism.point", home, count, count, seen=EVERYONE)
            answer = (yield [ask]).get(medium)
            pointed = tuple(sorted(map(int, answer))) if isinstance(answer, tuple) else seats_of(home)[:count]
            s.emit(Pointed(pointed))
        s.emit(SpiritAnswer(question, (yield from self.truth(question, medium, pointed))))

    def truth(self, question: str, medium: int, pointed: Sequence[int]) -> Flow[bool]:
        """What is so; a fact that nobody declared is for the judge to say."""
        s = self.s
        if question in TRAITS:
            known = of_the_wolves(s, question)
            if known is None:
                known = (yield [Ask(0, "judge.rule", FLAG, about=question)]).get(0) is True
            return known
        if question == "two-same-camp":
            return s.seats[pointed[0]].camp == s.seats[pointed[1]].camp
        if question == "pointed-is-plain":
            return s.seats[pointed[0]].role == "villager"
        if question == "pointed-has-wolf-beside":
            return any(s.wolf_seats >> seat & 1 for seat in beside(s, pointed[0]))
        if question == "seer-found-wolf":
            return cast(NewMoon, s.rules["new-moon"]).seer_found
        if question == "wolves-adjacent":
            wolves = s.wolf_seats & s.living
            return any(wolves >> seat & 1 for wolf in seats_of(wolves) for seat in beside(s, wolf))
        return bool(s.wolf_seats >> medium & 1)


class SpiritualismA(Spiritualism):
    """Clothes and women."""

    id = "event.spiritualism-a"
    questions = ("wolf-in-black", "all-wolves-women")


class SpiritualismB(Spiritualism):
    """Men and neighbours."""

    id = "event.spiritualism-b"
    questions = ("wolf-is-man", "pointed-has-wolf-beside")


class SpiritualismC(Spiritualism):
    """Camps and glasses."""

    id = "event.spiritualism-c"
    questions = ("two-same-camp", "wolf-with-glasses")


class SpiritualismD(Spiritualism):
    """The seer's luck."""

    id = "event.spiritualism-d"
    full_only = True
    questions = ("seer-found-wolf", "wolves-adjacent", "wolf-with-jewellery", "i-am-wolf")


class SpiritualismE(Spiritualism):
    """A plain card."""

    id = "event.spiritualism-e"
    full_only = True
    questions = ("pointed-is-plain", "i-am-wolf")
