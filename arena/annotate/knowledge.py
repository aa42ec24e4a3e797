"""What a seat can know for certain: hard facts from its own events, worlds that agree with them, and its own deeds.

Nothing a player said or believed enters here. The sets of wolves are enumerated by players.reasoning; cards are then
counted within each side, which is exact because every card of a side may lie at any seat of it that is not yet known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.bits import EVERYONE, seats_of
from engine.events import Event, Intent, Phase
from engine.roles.japanese import MasonsMeet, MediumResult
from engine.roles.kin import BrothersMeet, SistersMeet
from engine.roles.little_girl import LittleGirlSaw
from engine.roles.seer import SeerResult
from engine.roles.witch import WitchVictims
from engine.views import View
from players.reasoning import Facts, Posterior, of_facts, side_of, sizes, wolf_cards

SURE = 1e-9
EITHER_SIDE = frozenset({"dog-wolf", "wild-child"})
"""Cards whose holder may be on either side."""
DOERS = {
    "good": frozenset({"seer", "medium"}),
    "bad": frozenset({"seer", "medium", "little-girl"}),
    "saved": frozenset({"witch"}),
    "poisoned": frozenset({"witch"}),
    "guarded": frozenset({"guard", "bodyguard"}),
}
"""Which cards can do what a claimed result says was done. A card that plays another's power is listed by the deck."""
BORROWERS = frozenset({"actor", "thief", "devoted-servant"})
"""Cards that may come to hold another card's power: they rule nothing out."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Something a seat did in the dark. what: good, bad, saved, poisoned, guarded, or the card a check showed."""

    seat: int
    day: int
    what: str
    target: int


class Knower:
    """What one seat (0: the public) knows for certain, kept up with its view."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.facts = Facts(view.seat or 0, view.size)
        self._read = 0
        self._cards: dict[int, str] = {}
        self._key: object = None
        self._known: Posterior | None = None

    def posterior(self) -> Posterior:
        """h of the view as it stands now."""
        self._catch_up()
        key = (tuple(sorted(self.facts.wolf.items())), tuple(self.facts.some), len(self.view.deck))
        if self._known is None or key != self._key:
            found = of_facts(self.facts, sizes(self.view))
            self._key, self._known = key, Posterior({seat: _snapped(p) for seat, p in found.wolf.items()}, found.sets)
        return self._known

    def _catch_up(self) -> None:
        view = self.view
        for event in view.events[self._read :]:
            self.facts.learn(event)
            match event:
                case SeerResult(seat, result) | MediumResult(seat, result) if result in view.deck:
                    self._cards[seat] = result
                case SistersMeet(seats) | BrothersMeet(seats) | MasonsMeet(seats) if view.role:
                    self._cards.update(dict.fromkeys(seats, view.role))
                case _:
                    pass
        self._read = len(view.events)

    def side(self, seat: int) -> bool | None:
        """Whether the seat is a wolf, where that is certain."""
        p = self.posterior().wolf.get(seat, 0.5)
        return True if p >= 1 - SURE else False if p <= SURE else None

    def roles(self, seat: int) -> frozenset[str]:
        """Every card the seat may hold."""
        side = self.side(seat)
        known = {**self._cards, **self.view.roles}
        if self.view.seat and self.view.role:
            known[self.view.seat] = self.view.role
        if seat in known:
            return frozenset({known[seat]})
        left = Counter(self.view.deck)
        left.subtract(known.values())
        wolves = wolf_cards()
        return frozenset(
            card
            for card, count in left.items()
            if count > 0 and (side is None or card in EITHER_SIDE or (card in wolves) == side)
        )


def _snapped(p: float) -> float:
    """A sum of many shares that is certain but for rounding is certain: metrics ask for exactly 0 and 1."""
    return 1.0 if p >= 1 - SURE else 0.0 if p <= SURE else p


class Deeds:
    """What everybody did in the dark, read from the judge's log."""

    def __init__(self) -> None:
        self.done: list[Deed] = []
        self._victims: dict[int, tuple[int, ...]] = {}
        self._day = 0
        self._read = 0
        self._mixed = False

    def read(self, log: Sequence[Event], audience: Sequence[int], mixed: bool) -> None:
        """Take in what happened since the last call. mixed: see players.reasoning.side_of."""
        self._mixed = mixed
        for at in range(self._read, len(log)):
            self._learn(log[at], [] if audience[at] == EVERYONE else [seat for seat in seats_of(audience[at]) if seat])
        self._read = len(log)

    def _learn(self, event: Event, told: Iterable[int]) -> None:
        match event:
            case Phase(_, number):
                self._day = number or self._day
            case SeerResult(target, result) | MediumResult(target, result):
                for seat in told:
                    self._checked(seat, target, result)
            case WitchVictims(seats):
                self._victims.update(dict.fromkeys(told, seats))
            case Intent(seat, "witch.antidote" | "witch.dusk-antidote", answer) if answer:
                targets = self._victims.get(seat, ()) if answer is True else (answer,)
                self.done += [Deed(seat, self._day, "saved", target) for target in targets]
            case Intent(seat, "witch.poison" | "witch.dusk-poison", answer) if answer:
                self.done.append(Deed(seat, self._day, "poisoned", answer))
            case LittleGirlSaw(seats):
                self.done += [Deed(seat, self._day, "bad", target) for seat in told for target in seats]
            case Intent(seat, "guard.protect" | "bodyguard.protect", answer) if answer:
                self.done.append(Deed(seat, self._day, "guarded", answer))
            case _:
                pass

    def _checked(self, seat: int, target: int, result: str) -> None:
        side = side_of(result, self._mixed)
        if side is not None:
            self.done.append(Deed(seat, self._day, "bad" if side else "good", target))
        self.done.append(Deed(seat, self._day, result, target))

    def has(self, seat: int, what: str, target: int | None, day: int | None) -> bool:
        """Whether the seat did so. target, day: None for any."""
        return any(
            deed.seat == seat
            and deed.what == what
            and (target is None or deed.target == target)
            and (day is None or deed.day == day)
            for deed in self.done
        )


__all__ = ["BORROWERS", "DOERS", "Deed", "Deeds", "Knower"]
