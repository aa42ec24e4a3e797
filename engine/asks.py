"""The one question protocol: an ask, its mask, and the check of an answer.

An ask's mask is the only authority on what is legal. The same definition validates, draws the screen's picker and
becomes the JSON Schema of a model's structured output.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from random import Random
from typing import Any, Literal

import msgspec

from engine.bits import mask_of, seats_of
from engine.text import TEXT_LIMIT, clean

Form = Literal["seat", "seats", "choice", "flag", "text", "names"]

SEAT: Form = "seat"
SEATS: Form = "seats"
CHOICE: Form = "choice"
FLAG: Form = "flag"
TEXT: Form = "text"
NAMES: Form = "names"


class Question(msgspec.Struct, frozen=True, gc=False):
    """A speech that also puts a question to a seat which may answer by gesture."""

    text: str
    to: int


Answer = None | bool | int | str | tuple[int, ...] | tuple[str, ...] | Question
Answers = dict[int, Answer]


def named(answers: Answers) -> dict[int, int | None]:
    """Of asks that take one seat: whom each seat named; None: it passed."""
    return dict(answers)  # type: ignore[arg-type]  # such an ask's check lets nothing else through


class IllegalAnswer(ValueError):
    """An answer outside the mask. Nothing was changed; the message says why."""

    def __init__(self, seat: int, kind: str, reason: str) -> None:
        super().__init__(f"seat {seat}, {kind}: {reason}")
        self.seat, self.kind, self.reason = seat, kind, reason


class Ask(msgspec.Struct, frozen=True, gc=False):
    """A decision that one seat has to make now.

    seats: mask of legal seats. choices: legal names, beside or instead of seats. least, most: how many are chosen
    (forms `seats` and `names`). can_pass: null is legal. seen: mask of those who also learn the answer.
    about: what the question is about where the kind does not say it. repeats: one seat may be named twice.
    first: a list of seats begins with one of these and goes on with others. drawn: the seat that the automatic judge
    names, by a draw.
    """

    seat: int
    kind: str
    form: Form
    seats: int = 0
    choices: tuple[str, ...] = ()
    can_pass: bool = False
    least: int = 1
    most: int = 1
    seen: int = 0
    about: str = ""
    repeats: bool = False
    first: int = 0
    drawn: int = 0

    @property
    def targets(self) -> tuple[int, ...]:
        """The legal seats, ascending."""
        return seats_of(self.seats)

    def check(self, answer: object) -> Answer:
        """The answer in its canonical form. Raises IllegalAnswer."""
        form = self.form
        if answer is None:
            return None if self.can_pass and form != "flag" else self._passed()
        if form == "seat" and type(answer) is int and answer > 0 and self.seats >> answer & 1:
            return answer
        if form == "flag":
            if answer is True or answer is False:
                return answer
            raise self._illegal("answer true or false")
        if form == "text":
            return self._text(answer)
        if form == "seats" or form == "names":
            return self._several(answer)
        if isinstance(answer, str) and answer in self.choices:
            return answer
        raise self._illegal(f"{answer!r} is not among {self.describe()}")

    def _passed(self) -> Answer:
        if not self.can_pass:
            raise self._illegal(f"this may not be passed; choose {self.describe()}")
        return False if self.form == "flag" else None

    def _text(self, given: object) -> Answer:
        answer, to = given, None
        if isinstance(given, Question):
            answer, to = given.text, given.to
        elif isinstance(given, dict) and set(given) <= {"text", "question-to"}:
            answer, to = given.get("text", ""), given.get("question-to")
        if not isinstance(answer, str):
            raise self._illegal("answer with text")
        if len(answer) > TEXT_LIMIT:
            raise self._illegal(f"at most {TEXT_LIMIT} characters, this has {len(answer)}")
        said = clean(answer)
        if to is not None:
            if type(to) is not int or to <= 0 or not self.seats >> to & 1:
                raise self._illegal(f"a question may be put to {list(self.targets)}, not to {to!r}")
            return Question(said, to)
        return said or self._passed()

    def _several(self, answer: object) -> Answer:
        if not isinstance(answer, list | tuple):
            raise self._illegal("answer with a list")
        if not self.least <= len(answer) <= self.most:
            many = str(self.least) if self.least == self.most else f"{self.least} to {self.most}"
            raise self._illegal(f"name {many}, not {len(answer)}")
        if not self.repeats and len(set(map(str, answer))) < len(answer):
            raise self._illegal("name each only once")
        if self.form == "names":
            names = tuple(item for item in answer if isinstance(item, str) and item in self.choices)
            if len(names) == len(answer):
                return names
        else:
            seats = tuple(i for i in answer if type(i) is int and i > 0 and self.seats >> i & 1)
            if len(seats) == len(answer):
                if self.first and [self.first >> seat & 1 for seat in seats] != [1, *[0] * (len(seats) - 1)]:
                    raise self._illegal(f"begin with one of {list(seats_of(self.first))} and go on with others")
                return seats
        raise self._illegal(f"{list(answer)} is not all among {self.describe()}")

    def _illegal(self, reason: str) -> IllegalAnswer:
        return IllegalAnswer(self.seat, self.kind, reason)

    def allows(self, answer: object) -> bool:
        """Whether the answer is legal."""
        try:
            self.check(answer)
        except IllegalAnswer:
            return False
        return True

    def describe(self) -> str:
        """The legal answers in words, for an error message."""
        if self.form == "text":
            return "text"
        if self.form == "flag":
            return "true or false"
        return str([*self.targets, *self.choices]) + (" or null" if self.can_pass else "")

    def options(self) -> tuple[Answer, ...]:
        """Every legal answer of an ask whose answers can be counted; forms text, seats and names give ()."""
        if self.form == "flag":
            return (True, False)
        if self.form not in ("seat", "choice"):
            return ()
        listed: tuple[Answer, ...] = (*self.targets, *self.choices)
        return (*listed, None) if self.can_pass else listed

    def quiet(self) -> Answer:
        """The answer of someone who does as little as may be (the rule cases' default)."""
        if self.can_pass:
            return False if self.form == "flag" else None
        if self.form == "flag":
            return True
        if self.form == "text":
            return None
        if self.drawn:
            return self.drawn
        if self.first:
            return (seats_of(self.first & self.seats)[0], *seats_of(self.seats & ~self.first)[: self.least - 1])
        if self.form == "seats":
            return (self.targets * self.least if self.repeats else self.targets)[: self.least]
        if self.form == "names":
            return self.choices[: self.least]
        return self.targets[0] if self.seats else self.choices[0]

    def random(self, rng: Random) -> Answer:
        """A legal answer drawn evenly; talk is silence."""
        form = self.form
        if form == "text":
            return None
        if form == "seat" and not self.choices:
            legal = seats_of(self.seats)
            picked = int(rng.random() * (len(legal) + self.can_pass))
            return legal[picked] if picked < len(legal) else None
        if form == "flag":
            return rng.random() < 0.5
        if form in ("seats", "names"):
            return self._random_several(rng)
        listed = self.options()
        return listed[int(rng.random() * len(listed))]

    def _random_several(self, rng: Random) -> Answer:
        if self.can_pass and rng.random() < 0.2:
            return None
        pool: tuple[Any, ...] = self.targets if self.form == "seats" else self.choices
        count = rng.randint(self.least, self.most)
        if self.first:
            return (rng.choice(seats_of(self.first & self.seats)), *self._rest(rng, count - 1))
        return tuple(rng.choices(pool, k=count) if self.repeats else rng.sample(pool, min(count, len(pool))))

    def _rest(self, rng: Random, count: int) -> list[int]:
        return rng.sample(seats_of(self.seats & ~self.first), count)

    def schema(self, everyone: int = 0) -> dict[str, Any]:
        """JSON Schema of the answer.

        everyone: mask of all seats of the table. If given, the enum holds every seat instead of the mask, so that the
        schema of a kind stays the same for a whole game and a provider's prompt cache survives; `check` still holds.
        """
        if self.form == "text":
            said: dict[str, Any] = {"type": "string", "maxLength": TEXT_LIMIT}
            return said
        if self.form == "flag":
            return {"type": "boolean"}
        legal: list[int | str | None] = [*seats_of(everyone or self.seats)] if self.seats or everyone else []
        if self.form == "choice":
            legal = []
        if self.form == "names":
            legal = []
        legal += self.choices
        if self.form in ("seats", "names"):
            items = {"enum": legal}
            return {
                "type": "array",
                "items": items,
                "minItems": 0 if self.can_pass else self.least,
                "maxItems": self.most,
            }
        return {"enum": [*legal, None] if self.can_pass else legal}

    def all_lists(self) -> list[tuple[int, ...]]:
        """Every legal list of an ask of form `seats` without repeats, for small masks."""
        listed = [c for k in range(self.least, self.most + 1) for c in combinations(self.targets, k)]
        if not self.first:
            return listed
        ordered = (tuple(sorted(c, key=lambda seat: not self.first >> seat & 1)) for c in listed)
        return [c for c in ordered if self.allows(c)]


def seat_ask(seat: int, kind: str, mask: int, can_pass: bool = False, seen: int = 0) -> Ask:
    """An ask for one seat out of the mask."""
    return Ask(seat, kind, SEAT, mask, (), can_pass, 1, 1, seen)


@cache
def choice_ask(seat: int, kind: str, choices: tuple[str, ...], can_pass: bool = False, seen: int = 0) -> Ask:
    """An ask for one of several names."""
    return Ask(seat, kind, CHOICE, 0, choices, can_pass, 1, 1, seen)


@cache
def flag_ask(seat: int, kind: str, can_pass: bool = True, seen: int = 0) -> Ask:
    """An ask for true or false; a pass means false."""
    return Ask(seat, kind, FLAG, 0, (), can_pass, 1, 1, seen)


@cache
def text_ask(seat: int, kind: str, seen: int = 0, question_to: int = 0) -> Ask:
    """An ask for talk; silence is legal. question_to: seats that may be asked to answer by gesture."""
    return Ask(seat, kind, TEXT, question_to, (), True, 1, 1, seen)


def several_ask(  # an ask for a list has this many degrees of freedom
    seat: int, kind: str, mask: int, least: int, most: int, can_pass: bool = False, seen: int = 0
) -> Ask:
    """An ask for a list of different seats."""
    return Ask(seat, kind, SEATS, mask, (), can_pass, least, most, seen)


__all__ = [
    "CHOICE",
    "FLAG",
    "NAMES",
    "SEAT",
    "SEATS",
    "TEXT",
    "Answer",
    "Answers",
    "Ask",
    "Form",
    "IllegalAnswer",
    "Question",
    "choice_ask",
    "flag_ask",
    "mask_of",
    "seat_ask",
    "several_ask",
    "text_ask",
]
