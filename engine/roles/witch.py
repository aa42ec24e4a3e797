"""Witch 女巫: one antidote, one poison (roles.md 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, cast

from engine.asks import flag_ask, seat_ask
from engine.bits import JUDGE, mask_of, seats_of
from engine.events import Event, Returned, Seats, registered
from engine.facts import Attack, Death
from engine.flow.deaths import put_out
from engine.options import Options, OptionSet
from engine.rule import Flow, Role


class WitchOptions(Options):
    """How often, on whom, and what she is told."""

    group: ClassVar[str] = "witch"
    uses: Literal["each-once", "one-in-all"] = "each-once"
    both: bool = True
    antidote_target: Literal["victim", "any"] = "victim"
    self_save: Literal["no", "yes", "first-night"] = "no"
    self_poison: bool = True
    told_after_antidote: bool = True
    told_if_guarded: Literal["yes"] = "yes"
    dusk: bool = False


SHOWN = ("bite", "caught")
"""Attacks of which she learns: the pack's."""
SHOWN_TOO = ("extra-bite", "white-bite", "knife")
"""Those of which she learns besides where her antidote names a seat."""


class PoisonOptions(Options):
    """Poison against protection."""

    group: ClassVar[str] = "poison"
    beats_guard: Literal["yes"] = "yes"


@registered
class WitchVictims(Event, frozen=True, tag="witch.victims"):
    """Whom the wolves have bitten tonight, for the witch alone."""

    seats: Seats


@dataclass(slots=True)
class Potions:
    """What is left in her bag, and the night in which the antidote went."""

    antidote: bool = True
    poison: bool = True
    healed_in: int = 0


class Witch(Role):
    """Learns the victim, may save it, may poison a seat."""

    id = "witch"
    names = {"zh": "女巫", "en": "witch", "ja": "魔女"}
    once = True
    steps = {"witch": "brew"}
    early = 10

    def new_kit(self) -> Potions:
        return Potions()

    @classmethod
    def rests(cls, options: OptionSet) -> frozenset[str]:
        return frozenset() if cast(WitchOptions, options[WitchOptions]).dusk else frozenset({"dusk"})

    def brew(self) -> Flow[None]:
        """Every living witch in turn."""
        for seat in self.s.holders("witch"):
            yield from self.wake(seat)

    def wake(self, seat: int) -> Flow[None]:
        """Victims, antidote, poison."""
        s, opt, bag = self.s, self.opt(WitchOptions), self.s.kit(seat, Potions)
        victims = 0
        for kind in SHOWN if opt.antidote_target == "victim" else SHOWN + SHOWN_TOO:
            victims |= s.targets(kind)
        if bag.antidote or opt.told_after_antidote:
            s.tell(seat, WitchVictims(seats_of(victims)))
        if bag.antidote:
            yield from self.heal(seat, victims, bag)
        healed_now = bag.healed_in == s.day
        if bag.poison and not (healed_now and not opt.both):
            mask = s.present if opt.self_poison else s.present & ~(1 << seat)
            answers = yield [seat_ask(seat, "witch.poison", s.narrowed("witch.poison", seat, mask), can_pass=True)]
            target = answers.get(seat)
            s.act("witch.poison", seat, target)
            if isinstance(target, int):
                s.intend("poison", seat, target)
                self.spend(bag, poison=True)

    def heal(self, seat: int, victims: int, bag: Potions) -> Flow[None]:
        """The antidote: for tonight's victim, or for any seat where the table says so."""
        s, opt = self.s, self.opt(WitchOptions)
        if opt.self_save == "no" or (opt.self_save == "first-night" and s.day > 1):
            victims &= ~(1 << seat)
        if opt.antidote_target == "any":
            mask = s.present if opt.self_save == "yes" else s.present & ~(1 << seat)
            ask = seat_ask(seat, "witch.antidote", mask, can_pass=True)
        elif victims:
            ask = flag_ask(seat, "witch.antidote")
        else:
            return
        answer = (yield [ask]).get(seat)
        s.act("witch.antidote", seat, answer)
        saved = victims if answer is True else 1 << answer if isinstance(answer, int) and answer > 0 else 0
        if answer is False or not saved:
            return
        for target in seats_of(saved):
            s.intend("heal", seat, target)
        bag.healed_in = s.day
        self.spend(bag, antidote=True)

    def dusk(self, deaths: Sequence[Death]) -> Flow[None]:
        """After the verdict she may knock: bring back one of this vote's dead, or poison one."""
        s = self.s
        for seat in s.holders("witch"):
            bag = s.kit(seat, Potions)
            gone = mask_of([death.seat for death in deaths]) & ~s.living & ~(1 << seat)
            saved = None
            if bag.antidote and gone:
                saved = (yield [seat_ask(seat, "witch.dusk-antidote", gone, True, JUDGE)]).get(seat)
                s.act("witch.dusk-antidote", seat, saved)
            if isinstance(saved, int):
                self.spend(bag, antidote=True)
                s.revive(saved)
                s.emit(Returned((saved,)))
            elif bag.poison:
                yield from self.dusk_poison(seat, bag)

    def dusk_poison(self, seat: int, bag: Potions) -> Flow[None]:
        """Announced at once, no last words."""
        s = self.s
        mask = s.narrowed("witch.dusk-poison", seat, s.living)
        target = (yield [seat_ask(seat, "witch.dusk-poison", mask, True, JUDGE)]).get(seat)
        s.act("witch.dusk-poison", seat, target)
        if not isinstance(target, int):
            return
        self.spend(bag, poison=True)
        yield from put_out(s, [Death(target, ["poison"])], "dusk")

    def spend(self, bag: Potions, antidote: bool = False, poison: bool = False) -> None:
        """A potion is used; where there is one chance in all, both are gone."""
        both = self.opt(WitchOptions).uses == "one-in-all"
        bag.antidote &= not (antidote or both)
        bag.poison &= not (poison or both)

    def shields(self, attack: Attack) -> bool | None:
        """The antidote shields its seat from all attacks of the night."""
        return True if self.s.targets("heal") >> attack.target & 1 else None

    def resolves(self, deaths: list[Death]) -> None:
        """Poison comes after the bite and is added to the causes of one already out."""
        for act in self.s.acts:
            if act.kind == "poison":
                struck = next((death for death in deaths if death.seat == act.target), None)
                if struck is not None:
                    struck.causes.append("poison")
                else:
                    deaths.append(Death(act.target, ["poison"]))
