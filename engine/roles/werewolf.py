"""Werewolf 狼人 and the pack (roles.md 1): talk, ballots, the bite, self-explosion."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal

from pydantic import Field

from engine.asks import Answer, Ask, flag_ask, named, seat_ask, text_ask
from engine.bits import EVERYONE, JUDGE, seats_of
from engine.events import Event, Seats, registered
from engine.facts import Death, NightFalls
from engine.flow import dawn, victory
from engine.flow.deaths import chain, partners, show_card
from engine.options import Options, OptionSet
from engine.rule import Flow, Role, Rule
from engine.state import State


class WolvesOptions(Options):
    """Whom the pack may bite, and how it agrees."""

    group: ClassVar[str] = "wolves"
    bite: Literal["any", "non-wolf"] = "any"
    pass_: bool = False
    disagree: Literal["plurality", "no-kill"] = "plurality"
    ballots: int = Field(2, ge=1, le=3)
    talk_rounds: int = Field(1, ge=0, le=3)
    explode: bool = False


@registered
class PackMeet(Event, frozen=True, tag="pack.meet"):
    """The pack learns each other."""

    seats: Seats


@registered
class PackJoin(Event, frozen=True, tag="pack.join"):
    """A newcomer; all of the pack as it is now."""

    seats: Seats


@registered
class PackTalk(Event, frozen=True, tag="pack.talk"):
    """A wolf speaks to the pack."""

    seat: int
    text: str


@registered
class PackBallot(Event, frozen=True, tag="pack.ballot"):
    """The pack's ballots, shown after all have answered."""

    ballots: dict[int, int | None]


@registered
class PackBite(Event, frozen=True, tag="pack.bite"):
    """Whom the pack bites (null: nobody)."""

    target: int | None


@registered
class PackInfect(Event, frozen=True, tag="pack.infect"):
    """The pack turns a seat instead of biting."""

    target: int


@registered
class Exploded(Event, frozen=True, tag="exploded"):
    """A wolf turned its own card by day."""

    seats: Seats


class Werewolf(Role):
    """A wolf card."""

    id = "werewolf"
    camp = "wolves"
    cls = "wolf"
    wolf_card = True
    village_power = False
    names = {"zh": "狼人", "en": "werewolf", "ja": "人狼"}


SPOKEN_BESIDE = frozenset({
    "election.stand", "election.speak", "election.withdraw", "election.vote", "dead.last-words",
    "sheriff.side", "day.speak", "day.plea", "sheriff.summary", "day.vote",
})  # fmt: skip
"""Asks beside which a wolf may explode: those of the day that are no part of a death's chain."""


def lunge(s: State, kind: str, seat: int, target: int) -> Flow[None]:
    """A wolf that bites alone: the act is kept, unless a rule holds it back."""
    for hook in s.on.lunges:
        if not (yield from hook(seat, target)):
            return
    s.intend(kind, seat, target)


class Pack(Rule):
    """All wolf seats that wake together."""

    id = "pack"
    steps = {"wolves": "hunt", "pack": "meet"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.known = 0

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        return True

    def awake(self) -> int:
        """The wolf seats that wake now."""
        return self.s.wolf_seats & self.s.living & ~self.s.asleep & ~self.s.away

    def wakes(self, step: str) -> bool:
        return bool(self.awake())

    def prey(self, wolf: int, base: int, instead: str) -> int:
        """Whom this wolf may name. instead: the ask in place of the bite, if there is one."""
        mask = self.s.narrowed("werewolf.bite", wolf, base)
        return self.s.narrowed(instead, wolf, mask) if instead else mask

    def meet(self) -> Flow[None]:
        """The pack sees its own; later, newcomers join, and it sees if one that lives does not wake any more."""
        s, pack = self.s, self.awake()
        missing = self.known & ~pack & s.living & ~s.away
        self.known &= s.wolf_seats & ~missing  # one that was changed and is changed back joins anew
        joined = pack & ~self.known
        if joined or (missing and pack):
            kind = PackJoin if joined and self.known else PackMeet
            s.emit(kind(seats_of(pack)), pack | JUDGE)
            self.known = pack | self.known & ~(s.away if joined else 0)  # who is away has yet to meet who joined
        yield from ()

    def hunt(self) -> Flow[None]:
        """The wolves' step: meet, talk, ballots, bite."""
        yield from self.meet()
        s, pack = self.s, self.awake()
        for hook in s.on.wolves_wake:  # also where none wakes, or who may peek would learn it by not being asked
            yield from hook(pack)
        if not pack:
            return
        opt = self.opt(WolvesOptions)
        yield from self.prowl(pack, s.present if opt.bite == "any" else s.present & ~pack)

    def prowl(self, pack: int, base: int) -> Flow[None]:
        """Those awake talk, agree on one of the base and bite."""
        s, opt = self.s, self.opt(WolvesOptions)
        for _ in range(opt.talk_rounds):
            for wolf in seats_of(pack):
                text = (yield [text_ask(wolf, "werewolf.talk", pack)]).get(wolf)
                if text:
                    s.emit(PackTalk(wolf, str(text)), pack | JUDGE)
        target = yield from self.agree(pack, opt, base)
        s.emit(PackBite(target or None), pack | JUDGE)
        if target:
            s.intend("bite", 0, target)
        for hook in s.on.wolves_done:
            yield from hook(pack)

    def agree(self, pack: int, opt: WolvesOptions, base: int) -> Flow[int]:
        """Whom of the base they bite. 0: nobody."""
        instead: str = next((kind for hook in self.s.on.hunts if (kind := hook())), "")
        asks = [
            seat_ask(wolf, instead or "werewolf.bite", mask, opt.pass_, pack)
            for wolf in seats_of(pack)
            if (mask := self.prey(wolf, base, instead))
        ]
        return (yield from self.settle(pack, opt, asks))

    def settle(self, pack: int, opt: WolvesOptions, asks: Sequence[Ask]) -> Flow[int]:
        """Ballots until one is unanimous; then plurality or no kill (rulesets.md 4.2). 0: nobody."""
        s = self.s
        ballots: dict[int, int | None] = {}
        for _ in range(opt.ballots if asks else 0):
            ballots = named((yield asks))
            s.emit(PackBallot(ballots), pack | JUDGE)
            if len(set(ballots.values())) == 1:
                return next(iter(ballots.values())) or 0
        if opt.disagree == "no-kill" or not ballots:
            return 0
        votes = list(ballots.values())
        most = max(votes.count(target) for target in votes)
        return next(ballots[wolf] for wolf in sorted(ballots) if votes.count(ballots[wolf]) == most) or 0

    def offers(self, pending: Sequence[Ask]) -> Iterable[Ask]:
        """Self-explosion, beside the asks of the day."""
        s = self.s
        if self.opt(WolvesOptions).explode and s.daylight and pending[0].kind in SPOKEN_BESIDE:
            for wolf in seats_of(s.wolf_seats & s.present & ~s.unaware):
                yield flag_ask(wolf, "werewolf.explode", can_pass=False, seen=EVERYONE)

    def reaction(self, ask: Ask, answer: Answer) -> Flow[None]:
        """Self-explosion (procedure.md 3.6): the day ends; the night's dead are announced first if they were not."""
        s, seat = self.s, ask.seat
        s.daylight = False
        s.emit(Exploded((seat,)))
        death = Death(seat, ["explode"])
        if s.living >> seat & 1:
            s.eliminate(death)
        show_card(s, death)
        if not s.announced:
            dawn.opens(s)
            yield from dawn.shots(s)
            victory.check(s, "dawn")
        brought = [*partners(s, death), *(d for hook in s.on.follows for d in hook([death]))]
        deaths = [death, *(yield from chain(s, brought))]
        victory.check(s, "explosion")
        for hook in s.on.after_chain:
            yield from hook(deaths)
        yield from dawn.last_words(s, deaths)
        raise NightFalls
