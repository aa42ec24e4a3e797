"""What workers and widgets tell the screen."""

from __future__ import annotations

from textual.message import Message

from engine.asks import Answer, Ask
from engine.events import Event, Said
from tui.house import HouseError


class Shown(Message):
    """The seat's view has taken in one more event, which may now be seen. look: which look at the table it is of."""

    def __init__(self, event: Event, private: bool, look: int = 0) -> None:
        super().__init__()
        self.event, self.private, self.look = event, private, look


class Heard(Message):
    """As much of a speech as has come so far. look: as in Shown."""

    def __init__(self, said: Said, look: int) -> None:
        super().__init__()
        self.said, self.look = said, look


class Handed(Message):
    """The screen must be handed to this seat."""

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.seat = seat


class Moved(Message):
    """The table has gone on: whose turn it is and what may be done beside it may have changed."""


class Posed(Message):
    """This seat is asked, or (None) is asked no more."""

    def __init__(self, ask: Ask | None) -> None:
        super().__init__()
        self.ask = ask


class Ended(Message):
    """The game is over and everything has been shown."""


class Failed(Message):
    """The table cannot go on for a reason outside the game; nothing is lost."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.reason = str(error)


class Unopened(Message):
    """There was no game to sit down at. words: what to tell, empty where only the kind of error may be told."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error
        self.words = str(error) if isinstance(error, HouseError) else ""


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
