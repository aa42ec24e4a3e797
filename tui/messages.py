"""What workers and widgets tell the screen."""

from __future__ import annotations

from textual.message import Message

from engine.asks import Answer, Ask
from engine.events import Event


class Shown(Message):
    """The seat's view has taken in one more event, which may now be seen."""

    def __init__(self, event: Event, private: bool) -> None:
        super().__init__()
        self.event, self.private = event, private


class Moved(Message):
    """The table has gone on: whose turn it is and what may be done beside it may have changed."""


class Posed(Message):
    """This seat is asked, or (None) is asked no more."""

    def __init__(self, ask: Ask | None) -> None:
        super().__init__()
        self.ask = ask


class Ended(Message):
    """The game is over and everything has been shown."""


class Decided(Message):
    """Somebody has chosen an answer; it fits the mask."""

    def __init__(self, ask: Ask, answer: Answer) -> None:
        super().__init__()
        self.ask, self.answer = ask, answer


class KeyClicked(Message):
    """A key of the key bar was clicked."""

    def __init__(self, action: str) -> None:
        super().__init__()
        self.action = action
