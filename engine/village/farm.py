"""Farm 农场: the farmers choose the village head among themselves (village.md 4)."""

from collections.abc import Sequence
from typing import cast

from engine.bits import seats_of
from engine.events import ElectionVoid
from engine.facts import Death
from engine.flow.election import count, speeches
from engine.roles.sheriff import SheriffOffice
from engine.rule import Flow
from engine.village.cards import kind_of
from engine.village.village import Building


class Farm(Building):
    """The head is the sheriff in every respect; no farm dealt, or no farmer left: no head."""

    id = "farm"

    @property
    def office(self) -> SheriffOffice:
        """The office of the head."""
        return cast(SheriffOffice, self.s.rules["sheriff"])

    def settled(self, dealt: bool) -> None:
        """The office is there because of the farms, whatever the table's own rule is."""
        s = self.s
        if not dealt:
            s.rules.pop("sheriff", None)
            return
        if "sheriff" not in s.rules:
            s.enforce(SheriffOffice(s))
        self.office.day, self.office.may_pass = 1, False

    def farmers(self, among: int) -> int:
        """Those of the seats that live on a farm."""
        mask = 0
        for house in self.village.houses.values():
            if kind_of(house.name) == self.id and not house.burnt:
                mask |= 1 << house.owner
        return mask & among

    def elects(self, barred: int) -> Flow[bool]:
        """They alone stand and vote; a tie is voted on once more, then a lot decides. barred: may vote, not win."""
        s, free = self.s, self.s.narrowed("election.stand", 0, self.s.everyone & ~barred & ~self.s.away)
        if self.farmers(s.present & free).bit_count() > 1:
            yield from speeches(s, self.farmers(s.present & free), "election")
        running = self.farmers(s.present & free)
        if running.bit_count() > 1:
            running = (yield from count(s, running, self.farmers(s.present))) & s.present
        if running.bit_count() > 1:
            s.emit(ElectionVoid("again"))
            yield from speeches(s, running, "election")
            running = (yield from count(s, running & s.present, self.farmers(s.present))) & s.present
        if running:
            tied = seats_of(running)
            self.office.take_office(s.draw("farm.lot", tied) if len(tied) > 1 else tied[0])
        else:
            s.emit(ElectionVoid("lost"))
            self.office.leave_for_good()
        return True

    def narrows(self, ask: str, seat: int, mask: int) -> int:
        return self.farmers(mask) if ask == "sheriff.heir" else mask

    def after_chain(self, deaths: Sequence[Death]) -> Flow[None]:
        """A head whose farm has burnt is no farmer any more and names an heir at once."""
        head = self.s.sheriff
        if head and self.s.living >> head & 1 and not self.farmers(1 << head):
            yield from self.office.pass_on()
