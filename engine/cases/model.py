"""What a rule case says: the shape of a case file, checked as far as words and types go."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails

from engine.asks import Answer
from engine.cases import words
from engine.events import KINDS
from engine.rules.ruleset import SetupError, load_ruleset, ruleset_ids

PHASE = re.compile(r"setup|(night|dawn|election|day|vote) ([1-9][0-9]{0,2})")
ASK_KEY = re.compile(r"(?P<kind>[a-z][a-z.-]*)(#(?P<round>[1-9][0-9]?))?")
REACTION_KEY = re.compile(ASK_KEY.pattern + r"@(?P<after>[a-z][a-z.-]*):(?P<seat>[0-9]{1,2})")
MAX_SEATS = 30


class CaseError(ValueError):
    """Not a valid case. where: keys and indexes that lead to what is wrong."""

    def __init__(self, where: tuple[str | int, ...], message: str) -> None:
        super().__init__(message)
        self.where, self.message = where, message


# ---------------------------------------------------------------- words


def _ask(key: str) -> str:
    match = ASK_KEY.fullmatch(key)
    words.known_word(match["kind"] if match else key, words.ASKS, "ask")
    return key


def _played(key: str) -> str:
    match = REACTION_KEY.fullmatch(key)
    if match is None:
        return _ask(key)
    words.known_word(match["after"], words.ASKS, "ask")
    words.known_word(match["kind"], words.REACTIONS, "reaction")
    return key


def _phase(name: str) -> str:
    if not PHASE.fullmatch(name):
        raise ValueError(f"{name!r} is no phase; phases are setup, night N, dawn N, election N, day N, vote N")
    return name


def _answer(value: Any) -> Any:
    if isinstance(value, dict):
        if not set(value) <= {"text", "question-to"}:
            raise ValueError("an answer with keys has `text` and `question-to`; answers by seat have seat numbers")
        return value
    if isinstance(value, list) and all(type(one) in (int, str) for one in value):
        return tuple(value)
    if value is None or type(value) in (bool, int, str):
        return value
    raise ValueError("an answer is a seat, a list, a name, true or false, text, or null")


def _fields(value: dict[str, Any]) -> dict[str, Any]:
    if "kind" not in value:
        raise ValueError("name the event's `kind`")
    kind = words.known_word(str(value["kind"]), words.all_events(), "event")
    if kind in KINDS:
        known = {"kind", *(field.encode_name for field in msgspec.structs.fields(KINDS[kind]))}
        for name in value:
            words.known_word(str(name), known, f"field of the event {kind}")
    return value


Seat = Annotated[int, Field(ge=0, le=MAX_SEATS)]
AskKey = Annotated[str, AfterValidator(_ask)]
PlayedKey = Annotated[str, AfterValidator(_played)]
PhaseName = Annotated[str, AfterValidator(_phase)]
Value = Annotated[Any, BeforeValidator(_answer)]
Fields = Annotated[dict[str, Any], AfterValidator(_fields)]
Role = Annotated[str, AfterValidator(lambda word: words.known_word(word, words.all_roles(), "role"))]
Camp = Annotated[str, AfterValidator(lambda word: words.known_word(word, words.CAMPS, "camp"))]
Cause = Annotated[str, AfterValidator(lambda word: words.known_word(word, words.CAUSES, "cause"))]
Mark = Annotated[str, AfterValidator(lambda word: words.known_word(word, words.MARKS, "mark"))]


# ---------------------------------------------------------------- the shape


class Model(BaseModel):
    """Base: exact types, hyphens in keys, no unknown keys."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", alias_generator=lambda name: name.replace("_", "-")
    )


class BySeat(Model):
    """Answers by seat, with `rest` for the others; `everyone`: one value that every asked seat gives."""

    seats: dict[Seat, Value] = {}
    rest: Value = None
    has_rest: bool = Field(False, alias="has_rest")
    everyone: bool = False

    @model_validator(mode="before")
    @classmethod
    def _read(cls, given: Any) -> Any:
        if isinstance(given, dict) and given and not set(given) <= {"text", "question-to"}:
            seats = {seat: value for seat, value in given.items() if seat != "rest"}
            return {"seats": seats, "rest": given.get("rest"), "has_rest": "rest" in given}
        return {"rest": given, "has_rest": True, "everyone": True}

    def answer(self, seat: int) -> tuple[bool, Answer]:
        """Whether this seat's answer is scripted, and the answer."""
        if seat in self.seats:
            return True, self.seats[seat]
        return self.has_rest, self.rest


class Refusal(Model):
    """An answer that must be refused."""

    ask: AskKey
    seat: Seat
    answer: Value


class Expect(Model):
    """What must have come of a phase when it ends; a key that is left out expects nothing."""

    dead: list[Seat] | None = None
    causes: dict[Seat, Cause] = {}
    order: list[Seat] | None = None
    alive: list[Seat] | None = None
    asked: dict[AskKey, list[Seat]] = {}
    asked_order: dict[AskKey, list[Seat]] = {}
    can: dict[AskKey, dict[Seat, list[Value]]] = {}
    cannot: dict[AskKey, dict[Seat, list[Value]]] = {}
    told: dict[Seat, list[Fields]] = {}
    untold: dict[Seat, list[Fields]] = {}
    public: list[Fields] = []
    unpublic: list[Fields] = []
    role: dict[Seat, Role] = {}
    camp: dict[Seat, Camp] = {}
    marks: dict[Seat, list[Mark]] = {}
    sheriff: Seat | Literal["none"] | None = None
    winners: list[Camp] | None = None
    winning_seats: list[Seat] | None = None
    over: bool | None = None
    absent: bool = False


class PhaseScript(Model):
    """One phase of a case: the answers that matter and what must come of them."""

    phase: PhaseName
    answers: dict[PlayedKey, BySeat] = {}
    refuse: list[Refusal] = []
    expect: Expect = Expect()

    @model_validator(mode="before")
    @classmethod
    def _read(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            raise ValueError("a phase is written `- night 1:`, with its answers below and `expect:` beside it")
        names = [name for name in given if isinstance(name, str) and PHASE.fullmatch(name)]
        if len(names) != 1:
            for name in given:
                if name not in ("expect", "refuse"):
                    _phase(str(name))
            raise ValueError("name exactly one phase here, for example `night 1:`")
        rest = {key: value if value is not None else {} for key, value in given.items() if key != names[0]}
        return {"phase": names[0], "answers": given[names[0]] or {}, **rest}

    @property
    def number(self) -> int:
        """The day or night this belongs to; 0 for the setup."""
        return int(self.phase.split()[1]) if " " in self.phase else 0

    @model_validator(mode="after")
    def _fits(self) -> PhaseScript:
        if self.expect.absent and (self.answers or self.refuse or self.expect.model_fields_set != {"absent"}):
            raise ValueError("a phase that must be absent has only `expect: {absent: true}`")
        return self


class Case(Model):
    """A small game that a person can read."""

    case: str = Field(min_length=1, max_length=200)
    ruleset: str
    seats: list[Role] = Field(min_length=1, max_length=MAX_SEATS)
    options: dict[str, Any] = {}
    thief_cards: list[Role] | None = Field(None, min_length=2, max_length=2)
    second_cards: list[Role] | None = None
    houses: dict[Seat, str] | None = None
    attributes: dict[Seat, dict[str, Any]] | None = None
    clans: list[Literal["a", "b"]] | None = None
    new_moon: list[str] | None = None
    draws: list[dict[str, Any]] = []
    seed: int = 1
    source: str | None = None
    note: str | None = None
    play: list[PhaseScript] = Field(min_length=1)

    @field_validator("ruleset")
    @classmethod
    def _ruleset(cls, name: str) -> str:
        return words.known_word(name, words.all_rulesets(), "ruleset")

    @field_validator("options")
    @classmethod
    def _options(cls, given: dict[str, Any], info: Any) -> dict[str, Any]:
        for name in given:
            words.known_word(name, words.all_options(), "option")
        ruleset = info.data.get("ruleset")
        if ruleset in ruleset_ids() and not set(given) & words.OPTIONS:
            try:
                load_ruleset(ruleset).options(given)
            except SetupError as error:
                raise ValueError(str(error)) from None
        return given

    @field_validator("draws")
    @classmethod
    def _draws(cls, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if any(len(draw) != 1 for draw in given):
            raise ValueError("each draw is one `name: value`")
        return given

    @field_validator("play")
    @classmethod
    def _play(cls, given: list[PhaseScript]) -> list[PhaseScript]:
        twice = [name for name, count in Counter(script.phase for script in given).items() if count > 1]
        if twice:
            raise ValueError(f"the phase {twice[0]!r} is listed twice")
        if [script.number for script in given] != sorted(script.number for script in given):
            raise ValueError("list the phases in the order in which they come")
        return given


_CASES = TypeAdapter(list[Case])


def parse_cases(plain: object) -> tuple[Case, ...]:
    """Cases from plain data, as a case file holds it. Raises CaseError with the first thing that is wrong."""
    if not isinstance(plain, list):
        raise CaseError((), "a case file is a list of cases, each beginning with `- case: NAME`")
    try:
        cases = _CASES.validate_python(plain)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        # A misspelt key often makes another one missing, and is the better thing to say.
        first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
        raise CaseError(first["loc"], explain(first)) from None
    for name, count in Counter(case.case for case in cases).items():
        if count > 1:
            last = max(at for at, case in enumerate(cases) if case.case == name)
            raise CaseError((last, "case"), f"the name {name!r} is used twice in this file")
    return tuple(cases)


def explain(error: ErrorDetails) -> str:
    """One line on what is wrong and where."""
    hidden = ("answers", "seats", "[key]") if "answers" in error["loc"] else ("[key]",)
    where = [part for part in error["loc"] if part not in hidden]
    given = error["input"]
    match error["type"]:
        case "extra_forbidden":
            key = str(where.pop())
            message = f"there is no key {key!r} here" + words.nearest(key, _keys(error["loc"]))
        case "missing":
            message = f"the key {where.pop()!r} is missing"
        case "value_error":
            message = str(error["ctx"]["error"])
        case _:
            shown = "" if isinstance(given, Mapping | list) else f", not {str(given)[:60]!r}"
            message = error["msg"].replace("Input should", "this should") + shown
    path = ", ".join(str(part + 1) if isinstance(part, int) else part for part in where[1:])
    return f"{path}: {message}" if path else message


def _keys(where: Sequence[str | int]) -> list[str]:
    if "expect" in where[:-1]:
        model: type[Model] = Expect
    elif "refuse" in where[:-1]:
        model = Refusal
    elif "play" in where[:-1]:
        return ["expect", "refuse"]
    else:
        model = Case
    return [field.alias or name for name, field in model.model_fields.items()]
