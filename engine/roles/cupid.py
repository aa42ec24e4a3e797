"""Cupid 丘比特 and the lovers 情侣 (roles.md 6 and 7)."""

from collections.abc import Iterable
from typing import ClassVar, Literal

from engine.asks import flag_ask, several_ask
from engine.bits import EVERYONE, mask_of, seats_of
from engine.events import Event, Ruling, Said, Seats, registered
from engine.facts import Death, GameOver
from engine.flow.deaths import put_out
from engine.options import Options, OptionSet
from engine.rule import Flow, Role, Rule


class CupidOptions(Options):
    """Whether he must link, and where he belongs afterwards."""

    group: ClassVar[str] = "cupid"
    pass_: bool = False
    self: Literal["yes"] = "yes"
    camp: Literal["village", "with-lovers", "god-unless-self"] = "village"
    slip: bool = False


class LoversOptions(Options):
    """When a pair is a third camp, and what lovers may do to each other."""

    group: ClassVar[str] = "lovers"
    third_camp: Literal["wolf-and-other", "different-camps"] = "wolf-and-other"
    vote_each_other: bool = False
    kill_each_other: bool = True


@registered
class CupidLinked(Event, frozen=True, tag="cupid.linked"):
    """Whom cupid linked."""

    seats: Seats


@registered
class LoversLink(Event, frozen=True, tag="lovers.link"):
    """A lover learns the partner."""

    partner: int


class Cupid(Role):
    """Links two seats in the first night."""

    id = "cupid"
    at_most = 1
    village_power = False
    names = {"zh": "丘比特", "en": "cupid", "ja": "キューピッド"}
    steps = {"cupid": "link"}

    def link(self) -> Flow[None]:
        """Each cupid names two seats, himself allowed."""
        s, opt = self.s, self.opt(CupidOptions)
        for seat in s.holders("cupid"):
            mask = s.narrowed("cupid.link", seat, s.living)
            pair = (yield [several_ask(seat, "cupid.link", mask, 2, 2, can_pass=opt.pass_)]).get(seat)
            s.act("cupid.link", seat, pair)
            if isinstance(pair, tuple):
                seats = mask_of([int(one) for one in pair])
                s.tell(seat, CupidLinked(seats_of(seats)))
                s.mark("lover", seats)
                self.settle_camps(seat, seats)

    def settle_camps(self, seat: int, pair: int) -> None:
        """Fix the pair's camp, once and for the game, and cupid's."""
        s, opt = self.s, self.opt(CupidOptions)
        one, other = (s.seats[lover] for lover in seats_of(pair))
        if self.opt(LoversOptions).third_camp == "wolf-and-other":
            mixed = (s.wolf_seats & pair).bit_count() == 1
        else:
            mixed = self.side(one.camp) != self.side(other.camp)
        if mixed:
            s.join(one.number, "lovers")
            s.join(other.number, "lovers")
        if opt.camp == "with-lovers" and not s.wolf_seats >> seat & 1:
            s.join(seat, self.side(one.camp))
        if opt.slip and not pair >> seat & 1:
            s.mark("bound", 1 << seat)

    @staticmethod
    def side(camp: str) -> str:
        """An angel is compared as village."""
        return "village" if camp == "angel" else camp

    def spoken(self, said: Said) -> Flow[None]:
        """A bound cupid who names the lovers may be put out by the judge."""
        s, seat = self.s, said.seat
        if not s.marked("bound") >> seat & 1 or not said.text:
            return
        if (yield [flag_ask(0, "judge.cupid-slip")]).get(0) is True:
            s.emit(Ruling((seat,)))
            yield from put_out(s, [Death(seat, ["ruling"])], "ruling")


class Lovers(Rule):
    """The bond: they know each other, and neither outlives the other."""

    id = "lovers"
    steps = {"lovers": "wake"}

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        return "cupid" in deck

    def wake(self) -> Flow[None]:
        """The lovers learn each other's seat."""
        s = self.s
        for lover in seats_of(s.marked("lover")):
            partner = self.partner(lover)
            s.tell(lover, LoversLink(partner))
        yield from ()

    def partner(self, seat: int) -> int:
        """The other of the pair, 0 if the seat is no lover."""
        pair = self.s.marked("lover")
        return next(iter(seats_of(pair & ~(1 << seat))), 0) if pair >> seat & 1 else 0

    def partners(self, death: Death) -> Iterable[Death]:
        """Grief: out with the partner, in the same instant."""
        partner = self.partner(death.seat)
        if partner and self.s.living >> partner & 1:
            yield Death(partner, ["grief"], after=death)

    def follows(self, wave: object) -> Iterable[Death]:
        self.set_free()
        return ()

    def dawns(self) -> None:
        self.set_free()

    def set_free(self) -> None:
        """Once one of the pair or cupid is out, and that is known, cupid may speak freely."""
        s = self.s
        if s.marked("bound") and (s.marked("lover") | s.marked("bound")) & ~s.present:
            s.unmark("bound", EVERYONE)

    def day_over(self) -> None:
        """Alone with each other, of two camps and forbidden to harm each other: nobody can win any more."""
        s, opt = self.s, self.opt(LoversOptions)
        if s.living and s.living == s.marked("lover") and not (opt.vote_each_other or opt.kill_each_other):
            raise GameOver(())

    def narrows(self, ask: str, seat: int, mask: int) -> int:
        """Where the table forbids it, a lover neither votes for nor kills the other."""
        if not self.s.marked("lover") >> seat & 1:
            return mask
        opt = self.opt(LoversOptions)
        if ask == "day.vote":
            free = opt.vote_each_other
        elif ask in ("werewolf.bite", "witch.poison", "witch.dusk-poison", "hunter.shoot"):
            free = opt.kill_each_other
        else:
            return mask
        return mask if free else mask & ~(1 << self.partner(seat))
