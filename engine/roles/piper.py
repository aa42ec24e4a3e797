"""Piper 吹笛者: charms seats until nobody uncharmed is left (roles-2.md 5)."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal, cast

from engine.asks import Ask, choice_ask, seat_ask, several_ask
from engine.bits import EVERYONE, JUDGE, mask_of, seats_of
from engine.events import Event, Said, Seats, registered
from engine.facts import Death
from engine.flow import victory
from engine.options import Options, OptionSet
from engine.roles.guard import GuardOptions
from engine.rule import Flow, Role
from engine.rules.table import Win
from engine.state import State


class PiperOptions(Options):
    """How many he charms, and what charm does."""

    group: ClassVar[str] = "piper"
    count: Literal["1-2", "2", "0-1"] = "1-2"
    circle: bool = True
    mute: bool = False
    lovers_immune: bool = False


@registered
class CharmedYou(Event, frozen=True, tag="charmed.you"):
    """This seat was charmed tonight."""


@registered
class CharmedCircle(Event, frozen=True, tag="charmed.circle"):
    """All the charmed, old and new, see each other."""

    seats: Seats


@registered
class CharmedNamed(Event, frozen=True, tag="charmed.named"):
    """Seats charmed last night, told by day."""

    seats: Seats


class Piper(Role):
    """A solo camp; a charm counts at once, even if the charmed dies."""

    id = "piper"
    camp = "piper"
    cls = "none"
    village_power = False
    names = {"zh": "吹笛者", "en": "piper", "ja": "笛吹き"}
    steps = {"piper": "charm", "charmed": "circle"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.tonight = 0

    def night_begins(self) -> None:
        self.tonight = 0

    def charm(self) -> Flow[None]:
        """He names whom he charms."""
        s, count = self.s, self.opt(PiperOptions).count
        for seat in s.holders(self.id):
            known = 0 if self.unsure else s.marked("charmed")
            mask = s.narrowed("piper.charm", seat, s.present & ~(1 << seat) & ~known)
            if not mask:
                continue
            if count == "0-1":
                ask = seat_ask(seat, "piper.charm", mask, can_pass=True)
            else:
                left = mask.bit_count()
                ask = several_ask(seat, "piper.charm", mask, min(2, left) if count == "2" else 1, min(2, left))
            answer = (yield [ask]).get(seat)
            s.act("piper.charm", seat, answer)
            if isinstance(answer, int):
                self.enchant(1 << answer)
            elif isinstance(answer, tuple):
                self.enchant(mask_of([int(one) for one in answer]))

    @property
    def unsure(self) -> bool:
        """Whether a charm may fail and nobody is named: then a mask without the charmed would tell who is immune."""
        opt = self.opt(PiperOptions)
        return opt.circle and (opt.lovers_immune or self.opt(GuardOptions).soundproof)

    def enchant(self, named: int) -> None:
        """The mark, where nothing keeps it off; he is not told."""
        s, opt = self.s, self.opt(PiperOptions)
        charmed = named & ~s.targets("soundproof") & ~s.marked("charmed")
        if opt.lovers_immune:
            charmed &= ~s.marked("lover")
        self.tonight |= charmed
        s.mark("charmed", charmed)
        if charmed:
            s.stirred = True
            victory.check(s, "wave")

    def circle(self) -> Flow[None]:
        """The new charmed are touched, then all of them see each other."""
        s = self.s
        if self.opt(PiperOptions).circle and self.tonight:
            s.emit(CharmedYou(), self.tonight | JUDGE)
            charmed = s.marked("charmed") & s.present
            s.emit(CharmedCircle(seats_of(charmed)), charmed | JUDGE)
        yield from ()

    def dawns(self) -> None:
        opt = self.opt(PiperOptions)  # who is mute can be seen by all, whatever the night has told
        if (opt.mute or not opt.circle) and self.tonight and self.at_large():
            self.s.emit(CharmedNamed(seats_of(self.tonight)))

    @classmethod
    def rests(cls, options: OptionSet) -> frozenset[str]:
        opt = cast(PiperOptions, options[PiperOptions])
        idle = frozenset() if opt.mute else frozenset({"speakers", "answering", "spoken", "converts", "follows"})
        return idle if opt.circle else idle | {"charmed"}

    def me(self) -> int:
        """The living of his camp; hypnosis takes the pipe, not the goal."""
        return self.s.camps.get(self.id, 0) & self.s.living

    def at_large(self) -> int:
        """Whose charms hold: who plays the pipe, and who still wins with it."""
        return self.me() | mask_of(self.s.holders(self.id))

    def mute(self) -> int:
        """Who may only gesture, until the piper is out."""
        on = self.opt(PiperOptions).mute and self.at_large()
        return self.s.marked("charmed") & self.s.living if on else 0

    def speakers(self, seats: int) -> int:
        return seats & ~self.mute()

    def answering(self, speaker: int) -> int:
        return self.mute() & ~(1 << speaker)

    def spoken(self, said: Said) -> Flow[None]:
        """A question put to a charmed seat is answered by gesture."""
        if said.to is None or not self.mute() >> said.to & 1:
            return
        gesture: Ask = choice_ask(said.to, "charmed.gesture", ("nod", "shake", "still"), True, EVERYONE)
        answer = (yield [gesture]).get(said.to)
        self.s.emit(Said(said.to, str(answer or "still"), "gesture"))

    def converts(self) -> Flow[None]:
        """A piper who was turned charms nobody any more."""
        self.fade()
        yield from ()

    def follows(self, wave: Sequence[Death]) -> Iterable[Death]:
        self.fade()
        return ()

    def fade(self) -> None:
        """Without a piper the marks drop, where camps are judged lost."""
        if self.opt(PiperOptions).mute and not self.at_large():
            self.s.unmark("charmed")

    def wins(self, window: str) -> bool:
        """All others charmed; extended: all single seats of village and wolves."""
        s = self.s
        me = self.me()
        if not me:
            return False
        others = s.living & ~me
        if self.opt(Win).piper == "singles-charmed":
            both = s.camps.get("village", 0) | s.camps.get("wolves", 0) | s.camps.get("angel", 0)
            others &= both & ~s.marked("lover")
        return others != 0 and not others & ~s.marked("charmed")

    def lost(self) -> bool:
        return not self.me()
