"""From a model's text to a legal reply. Models promise schemas and break them: everything is read again."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from engine.asks import Answer, Ask, IllegalAnswer, Question
from engine.text import clean
from engine.views import View
from players.base import Claim
from prompts.reply import ACTS

SPEECH_LIMIT = 500  # characters of a speech
REASONING_LIMIT = 2000  # characters kept in the record
READ_LIMIT = 400_000  # characters of a reply that are read
CLAIMS_LIMIT = 12
OVERLONG = 2000  # characters of a field that asked for at most half as many
TRIES = 20  # places where a JSON object may begin
MEND_LIMIT = 50_000  # characters of an object that is mended
_KEYS = {"speech", "choice", "reaction"}
_LITERALS = {"True": "true", "False": "false", "None": "null"}


class Unreadable(ValueError):
    """A reply that cannot be used: why, in words the model may be told. kind: unparsable or illegal."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind


class _Raw(BaseModel):
    """The reply as the model gave it."""

    model_config = ConfigDict(extra="ignore")

    reasoning: str = ""
    beliefs: dict[int, float] = {}
    reaction: str | None = None
    choice: Any = None
    speech: str | None = None
    question_to: int | None = None
    claims: list[Any] | None = None

    @field_validator("beliefs", mode="before")
    @classmethod
    def _by_seat(cls, given: Any) -> dict[int, float]:
        return probabilities(given)

    @field_validator("reasoning", "speech", mode="before")
    @classmethod
    def _words(cls, given: Any) -> str:
        return given if isinstance(given, str) else ""

    @field_validator("reaction", "claims", "question_to", mode="before")
    @classmethod
    def _or_nothing(cls, given: Any, info: Any) -> Any:
        kinds = {"reaction": str, "claims": list, "question_to": int}
        return given if type(given) is kinds[info.field_name] else None


def probabilities(given: Any) -> dict[int, float]:
    """A list of {seat, wolf}, or an object by seat; what is no probability is left out."""
    pairs: list[tuple[Any, Any]] = list(given.items()) if isinstance(given, dict) else []
    if isinstance(given, list):
        pairs = [(one.get("seat"), one.get("wolf")) for one in given if isinstance(one, dict)]
    read: dict[int, float] = {}
    for seat, p in pairs:
        if isinstance(p, int | float) and p == p and str(seat).isdecimal() and len(str(seat)) < 4:
            read[int(seat)] = min(1.0, max(0.0, float(p)))
    return read


def read_object(text: str) -> dict[str, Any] | None:
    """The JSON object in a completion's text, whatever stands round it; None if there is none."""
    return _json(text[:READ_LIMIT])


class Parsed(msgspec.Struct, frozen=True):
    """A legal reply. quirk: one of players.base.QUIRKS that was put right, empty if none was."""

    answer: Answer
    reaction: tuple[str, Answer] | None
    reasoning: str
    beliefs: dict[int, float]
    claims: tuple[Claim, ...]
    quirk: str = ""


def parse(text: str, view: View, ask: Ask, offers: tuple[Ask, ...], *, prose: bool = False) -> Parsed:
    """The reply in a completion's text. prose: text without any JSON is read too. Raises Unreadable."""
    given = _json(text[:READ_LIMIT])
    if given is None:
        if not prose:
            raise Unreadable("unparsable", "the reply is not a JSON object")
        given = {"speech": _bare(text)} if ask.form == "text" else {"choice": _prose_choice(text, ask)}
    elif "speech" not in given and "choice" not in given and "reaction" not in given:
        raise Unreadable("unparsable", f"the JSON has no {'speech' if ask.form == 'text' else 'choice'}")
    try:
        raw = _Raw.model_validate(given)
    except ValidationError as error:
        raise Unreadable("unparsable", f"the field {error.errors()[0]['loc'][0]!r} is malformed") from None
    reaction = _reaction(raw, offers)
    try:
        answer = _answer(raw, ask)
    except IllegalAnswer as error:
        if reaction is None:
            raise Unreadable("illegal", clean(error.reason)[:300]) from None
        answer = ask.quiet()
    beliefs = {s: p for s, p in raw.beliefs.items() if 1 <= s <= view.size and s != view.seat}
    claims = _claims(raw, view, ask)
    quirk = _quirk(text, given, raw, claims, view)
    return Parsed(answer, reaction, _bounded(raw.reasoning, REASONING_LIMIT), beliefs, claims, quirk)


def _quirk(text: str, given: dict[str, Any], raw: _Raw, claims: tuple[Claim, ...], view: View) -> str:
    """What was put right in a reply that could be used."""
    if len(raw.reasoning) > OVERLONG or len(raw.speech or "") > OVERLONG:
        return "overlong"
    if "```" in text:
        return "fenced"
    said = given.get("beliefs")
    stated = said if isinstance(said, list) else []
    odd = any(
        isinstance(one, dict) and isinstance(one.get("wolf"), int | float) and not 0 <= one["wolf"] <= 1
        for one in stated
    )  # fmt: skip
    outside = any(not 1 <= seat <= view.size for seat in raw.beliefs)
    dropped = raw.claims is not None and len(claims) < min(len(raw.claims), CLAIMS_LIMIT)
    return "adjusted" if odd or outside or dropped else ""


def _answer(raw: _Raw, ask: Ask) -> Answer:
    if ask.form != "text":
        return ask.check(_coerced(raw.choice, ask))
    said = _bounded(raw.speech or "", SPEECH_LIMIT)
    to = raw.question_to
    if said and to is not None and ask.seats >> max(0, to) & 1 and to > 0:
        return ask.check(Question(said, to))
    return ask.check(said)


def _coerced(choice: Any, ask: Ask) -> Any:
    """The choice in the ask's own terms: numbers as text, "seat 3", "none" and the like are understood. A yes is 1 and
    a no is 0, so that one schema does for both; for a seat, 0 is nobody."""
    if isinstance(choice, list):
        items = [_coerced(item, ask) for item in choice]
        if ask.form in ("seats", "names"):
            return None if not items and ask.can_pass else items
        return items[0] if len(items) == 1 else choice
    if isinstance(choice, float) and choice.is_integer():
        return int(choice)
    if type(choice) is int and choice in (0, 1) and ask.form == "flag":
        return choice == 1
    if choice == 0 and type(choice) is int and ask.form == "seat" and ask.can_pass:
        return None
    if not isinstance(choice, str):
        return choice
    word = choice.strip().lower()
    if choice in ask.choices or word in ask.choices:
        return choice if choice in ask.choices else word
    if word in ("", "null", "none", "pass", "abstain", "nobody"):
        return None
    if ask.form == "flag" and word in ("true", "yes", "1", "false", "no", "0"):
        return word in ("true", "yes", "1")
    number = re.fullmatch(r"(?:seat|player|#|p)?\s*(\d{1,3})\s*号?(?:玩家)?", word)
    return int(number.group(1)) if number else choice


def _reaction(raw: _Raw, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
    offer = next((offer for offer in offers if offer.kind == raw.reaction), None)
    if offer is None:
        return None
    for given in (True, raw.choice, _bounded(raw.speech or "", SPEECH_LIMIT)):
        if offer.allows(given):
            return offer.kind, offer.check(given)
    return None


def _claims(raw: _Raw, view: View, ask: Ask) -> tuple[Claim, ...]:
    """The claims declared in the reply; read out of the speech where the model declared none at all."""
    if ask.form != "text" or view.seat is None:
        return ()
    if raw.claims is None:
        from players.builtin.listen import listen

        return listen(clean((raw.speech or "")[:SPEECH_LIMIT]), view.seat, view.size, view.day)
    read: list[Claim] = []
    for given in raw.claims[: 2 * CLAIMS_LIMIT]:
        if not isinstance(given, dict):
            continue
        try:
            claim = msgspec.convert({**given, "negated": bool(given.get("negated"))}, Claim)
        except (msgspec.ValidationError, ValueError):
            continue
        seats = [seat for seat in (claim.subject, claim.target) if seat is not None]
        if claim.act in ACTS and len(claim.value or "") <= 40 and all(1 <= seat <= view.size for seat in seats):
            read.append(claim)
    return tuple(read[:CLAIMS_LIMIT])


def unthought(text: str) -> str:
    """The reply without the thoughts before it. Within a reply the mark is only words, maybe some player's."""
    before, mark, after = text.partition("</think>")
    return after if mark and not before.lstrip("\ufeff \n\r\t").startswith(("{", "```")) else text


def _json(text: str) -> dict[str, Any] | None:
    """The last JSON object in the text that is not part of another, thoughts and code fences around it or not."""
    text = unthought(text)
    decoder, found, at = json.JSONDecoder(), None, text.find("{")
    for _ in range(TRIES):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        found, at = (value if isinstance(value, dict) else found), text.find("{", end)
    return found if found is not None and _KEYS & found.keys() else _mended(text) or found


def _mended(text: str) -> dict[str, Any] | None:
    """The outermost object with the commonest slips put right: commas before a bracket, Python's literals, comments."""
    start, end = text.find("{"), text.rfind("}")
    if not 0 <= start < end < start + MEND_LIMIT:
        return None
    body = re.sub(r",(\s*[}\]])", r"\1", text[start : end + 1])
    body = re.sub(r"(?<=[:\[,])\s*(True|False|None)\b", lambda m: _LITERALS[m[1]], body)
    body = re.sub(r"(?m)(?<=[,{\[])\s*//[^\n]*$", "", body)
    try:
        value = json.loads(body, strict=False)  # line breaks within strings are a slip of many models
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _prose_choice(text: str, ask: Ask) -> Any:
    """A choice out of plain text, if it names exactly one legal answer. Raises Unreadable."""
    said = _bare(text).lower()
    named = {name for name in ask.choices if name.lower() in said}
    named_seats = {int(n) for n in re.findall(r"(?<!\d)\d{1,2}(?!\d)", said)} & set(ask.targets)
    if ask.form == "flag":
        words = {w in ("yes", "true", "是", "要") for w in re.findall(r"\b(?:yes|no|true|false)\b|不要|是|否|要", said)}
        if len(words) == 1:
            return words.pop()
    elif ask.form == "seats" and ask.least <= len(named_seats) <= ask.most:
        return sorted(named_seats)
    elif len(named) + len(named_seats) == 1:
        return next(iter(named or named_seats))
    elif (
        not named
        and not named_seats
        and ask.can_pass
        and re.search(r"\b(?:pass|null|none|abstain)\b|弃票|放弃|不用", said)
    ):
        return None
    raise Unreadable("unparsable", "the reply names no single legal choice")


def _bare(text: str) -> str:
    return unthought(text).replace("```", " ").strip()


def _bounded(text: str, limit: int) -> str:
    """One clean line; a cut one ends with an ellipsis."""
    line = clean(text[: 4 * limit])
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


__all__ = ["Parsed", "Unreadable", "parse"]
