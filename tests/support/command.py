"""How tests run the command in their own process."""

from typing import NamedTuple, Protocol


class Ran(NamedTuple):
    """What a command said and returned."""

    code: int
    out: str
    err: str


class Tianhei(Protocol):
    """The fixture `tianhei`: runs the command with these words."""

    def __call__(self, *argv: str) -> Ran: ...
