"""The sheriff 警长, an office (roles.md 10)."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from engine.asks import seat_ask
from engine.bits import EVERYONE
from engine.events import BadgeGone, Sheriff
from engine.facts import HALVES, Death, Tally
from engine.options import Options, OptionSet
from engine.rule import Flow, Rule
from engine.state import State


class SheriffOptions(Options):
    """The office."""

    group: ClassVar[str] = "sheriff"
    on: bool = True
    weight: Literal["2", "2-or-1.5"] = "2"
    heir: Literal["must", "may"] = "must"
    summary: bool = False
    idiot: Literal["removed"] = "removed"


class ElectionOptions(Options):
    """How the sheriff is elected."""

    group: ClassVar[str] = "election"
    day: int = 1
    when: Literal["before-talk", "after-talk", "before-announcement"] = "before-talk"
    candidates: Literal["everyone", "volunteers"] = "everyone"
    voters: Literal["all", "non-candidates"] = "all"
    withdraw: bool = False
    tie: Literal["revote-then-next-day", "none-for-the-game", "next-day"] = "revote-then-next-day"


class SheriffOffice(Rule):
    """Elected once, passed on at death; the ballot weighs more in exile votes only."""

    id = "sheriff"

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.due = True
        self.day = self.opt(ElectionOptions).day
        """The first day on which there is an election."""
        self.may_pass = self.opt(SheriffOptions).heir == "may"
        """Whether the badge need not be passed on."""

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        group = options[SheriffOptions]
        return isinstance(group, SheriffOptions) and group.on

    def take_office(self, seat: int) -> None:
        """The seat holds the badge."""
        self.due, self.s.sheriff = False, seat
        self.s.emit(Sheriff(seat))

    def leave_for_good(self) -> None:
        """No sheriff for the rest of the game."""
        self.due, self.s.sheriff = False, 0
        self.s.emit(BadgeGone())

    def tallies(self, tally: Tally) -> None:
        """Weight 2; at some tables 1.5 while six or fewer live."""
        s = self.s
        lighter = self.opt(SheriffOptions).weight == "2-or-1.5" and s.living.bit_count() <= 6
        if s.sheriff:
            tally.weights[s.sheriff] = 3 if lighter else 2 * HALVES

    def after_chain(self, deaths: Sequence[Death]) -> Flow[None]:
        """A sheriff who is out names an heir, once, after all shots."""
        seat = self.s.sheriff
        if seat and not self.s.present >> seat & 1:
            yield from self.pass_on()

    def pass_on(self) -> Flow[None]:
        """The sheriff names an heir; without one the badge leaves the game."""
        s, seat = self.s, self.s.sheriff
        mask = s.narrowed("sheriff.heir", seat, s.living)
        heir = None
        if mask:
            heir = (yield [seat_ask(seat, "sheriff.heir", mask, self.may_pass, EVERYONE)]).get(seat)
        if isinstance(heir, int):
            self.take_office(heir)
        else:
            self.leave_for_good()
