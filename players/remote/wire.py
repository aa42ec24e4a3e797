"""The frames of a remote seat: JSON text, one object a message, `t` being its kind.

What a client sends is never trusted: pydantic checks it strictly, nothing unknown is let through, and no frame of a
client names a seat, so there is none to lie about. What the server sends is made of one seat's View and its asks.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from engine.asks import Ask
from engine.text import TEXT_LIMIT

VERSION = 1
FRAME_LIMIT = 16_384  # bytes of one frame of a client
SECRET_LENGTH = (20, 128)  # characters of a token or key


class FrameError(ValueError):
    """A frame that is not one of ours. The message quotes nothing of it."""


class _Frame(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


Secret = Annotated[str, Field(min_length=SECRET_LENGTH[0], max_length=SECRET_LENGTH[1], pattern=r"^[\w-]+$")]
Words = Annotated[str, Field(max_length=TEXT_LIMIT)]


class Spoken(BaseModel):
    """A speech that puts a question to a seat."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)

    text: Words
    to: int | None = Field(None, alias="question-to")


Given = (
    None
    | bool
    | int
    | Words
    | Annotated[list[int | Annotated[str, Field(max_length=64)]], Field(max_length=64)]
    | Spoken
)


class Hello(_Frame):
    """The first frame. token: the invitation, good for one claim. key: a secret that the client made, which the claim
    binds to the seat; who shows both again rejoins. got: how many events it has."""

    t: Literal["hello"]
    v: Literal[1]
    token: Secret
    key: Secret
    lang: Literal["zh", "en", "ja"] = "zh"
    got: int = Field(0, ge=0, le=1_000_000)


class AnswerFrame(_Frame):
    """The answer to the question with this id."""

    t: Literal["answer"]
    id: int
    answer: Given = None


class ReactFrame(_Frame):
    """A reaction that is on offer."""

    t: Literal["react"]
    kind: str = Field(max_length=64)
    answer: Given = None


Incoming = Hello | AnswerFrame | ReactFrame
_incoming: TypeAdapter[Incoming] = TypeAdapter(Annotated[Incoming, Field(discriminator="t")])


def read_frame(data: str) -> Incoming:
    """A client's frame. Raises FrameError."""
    if len(data) > FRAME_LIMIT:
        raise FrameError("frame too large")
    try:
        return _incoming.validate_json(data)
    except (ValidationError, ValueError, RecursionError) as error:
        raise FrameError("not a frame of this protocol") from error


def plain_answer(given: Given) -> object:
    """The answer as `Ask.check` takes it."""
    return {"text": given.text, "question-to": given.to} if isinstance(given, Spoken) else given


# ---------------------------------------------------------------- what the server sends


class Welcome(msgspec.Struct, frozen=True, tag_field="t", tag="welcome"):
    """The seat is the client's. options: those that everybody may know."""

    seat: int
    size: int
    ruleset: str
    lang: str
    options: dict[str, Any]


class Waiting(msgspec.Struct, frozen=True, tag_field="t", tag="waiting"):
    """The seat is the client's; the game has not begun."""

    seat: int


class Told(msgspec.Struct, frozen=True, tag_field="t", tag="event"):
    """Event number n of this seat, when it came (phase, number), and the judge's words for it (empty: none)."""

    n: int
    at: tuple[str, int]
    private: bool
    event: dict[str, Any]
    text: str


class Offered(msgspec.Struct, frozen=True):
    """A reaction that may be taken now, with its title, and what may be chosen with it."""

    ask: Ask
    title: str
    options: tuple[tuple[Any, str], ...] = ()


class Asked(msgspec.Struct, frozen=True, tag_field="t", tag="ask"):
    """A question. id: to be sent back. options: what may be chosen and its words; for lists (forms `seats` and
    `names`), what each may hold. seconds: what is left to answer, null for no limit."""

    id: int
    ask: Ask
    title: str
    hint: str
    options: tuple[tuple[Any, str], ...]
    seconds: float | None


class Offers(msgspec.Struct, frozen=True, tag_field="t", tag="offers"):
    """All reactions that may be taken now."""

    offers: tuple[Offered, ...]


class Closed(msgspec.Struct, frozen=True, tag_field="t", tag="closed"):
    """Question `id` is no longer open. why: answered, late, gone."""

    id: int
    why: str


class Bad(msgspec.Struct, frozen=True, tag_field="t", tag="bad"):
    """The last frame did nothing, and why; the question stands."""

    why: str


class Bye(msgspec.Struct, frozen=True, tag_field="t", tag="bye"):
    """The line is closed. why: over, refused, elsewhere, flood, stopped."""

    why: str


Outgoing = Welcome | Waiting | Told | Asked | Offers | Closed | Bad | Bye
_encode = msgspec.json.Encoder().encode
read_server_frame = msgspec.json.Decoder(Outgoing).decode
"""A server's frame. Raises msgspec.DecodeError."""


def frame_text(frame: Outgoing) -> str:
    """The frame as it goes over the wire. Raises msgspec.EncodeError."""
    return _encode(frame).decode()


def own(ask: Ask) -> Ask:
    """An ask as its seat is sent it: without what only the judge's table needs."""
    return msgspec.structs.replace(ask, seen=0, drawn=0)
