"""What a built-in player was told in private, and what it chose there, beside the hard facts of who is a wolf."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.events import Event, RoleNow, Step
from engine.new_moon.prey import DoubleAgentWolves, DoubleAgentYou, Hunters, SpecterWakes
from engine.roles.cupid import CupidLinked, LoversLink
from engine.roles.infecting_wolf import Infected, InfectedYou
from engine.roles.japanese import MasonsMeet, MediumResult
from engine.roles.kin import BrothersMeet, SistersMeet
from engine.roles.little_girl import GirlNoticed, LittleGirlSaw
from engine.roles.piper import CharmedCircle, CharmedNamed
from engine.roles.prejudiced import Clans
from engine.roles.seer import SeerResult
from engine.roles.thief import ThiefCards
from engine.roles.werewolf import PackBallot, PackBite, PackJoin, PackMeet
from engine.roles.wild_child import WildChildTurned
from engine.roles.witch import WitchVictims
from engine.variants.affair import AffairLink
from engine.variants.fascination import HypnotisedYou
from players.reasoning import wolf_cards

SIDES = ("good", "bad", "wolf", "not-wolf", "village", "not-village")
SAVES = ("witch.antidote", "witch.dusk-antidote")
POISONS = ("witch.poison", "witch.dusk-poison")
SHIELDS = ("guard.protect", "bodyguard.protect")
BONDS = ("hybrid.support", "wild-child.model")


@dataclass(slots=True)
class Secrets:
    """Private knowledge by theme. Nights are keyed by their number, seats by theirs. checks: seats looked at, True
    a wolf. saved, poisoned, guarded: own deeds by night. kin: siblings and masons that know each other. bond: the
    seat whose camp or life this seat depends on. clans: seats by clan; hated: the clan chosen. charmed: seats it
    knows to be charmed. girl: who was noticed peeking. turned: whether it became a wolf. peeked: whether it has
    seen the pack. shown: wolves that an ally of theirs was shown. hunters: who hunts tonight in the wolves' place.
    affair: the other seat of a secret affair. asleep: whether it was hypnotised. step: the card last called. seen:
    cards that a check showed.
    """

    me: int
    pack: frozenset[int] = frozenset()
    checks: dict[int, bool] = field(default_factory=dict)
    check_nights: dict[int, int] = field(default_factory=dict)
    victims: dict[int, tuple[int, ...]] = field(default_factory=dict)
    saved: dict[int, int] = field(default_factory=dict)
    poisoned: dict[int, int] = field(default_factory=dict)
    guarded: dict[int, int] = field(default_factory=dict)
    partner: int = 0
    linked: tuple[int, ...] = ()
    bite_ballots: list[dict[int, int | None]] = field(default_factory=list)
    bitten: list[int] = field(default_factory=list)
    kin: frozenset[int] = frozenset()
    bond: int = 0
    clans: dict[str, tuple[int, ...]] = field(default_factory=dict)
    hated: str = ""
    charmed: set[int] = field(default_factory=set)
    girl: int = 0
    turned: bool = False
    peeked: bool = False
    infections: int = 0
    cards: tuple[str, ...] = ()
    shown: tuple[int, ...] = ()
    hunters: frozenset[int] = frozenset()
    affair: int = 0
    asleep: bool = False
    step: str = ""
    seen: dict[int, str] = field(default_factory=dict)

    def learn(self, event: Event, day: int) -> None:
        """Take in a told event."""
        match event:
            case PackMeet(seats) | PackJoin(seats):
                self.pack = self.pack | frozenset(seats)
            case PackBallot(ballots):
                self.bite_ballots.append(ballots)
            case PackBite(int(target)):
                self.bitten.append(target)
            case SeerResult(seat, result) | MediumResult(seat, result):
                self._checked(seat, is_bad(result), day)
                if result not in SIDES:
                    self.seen[seat] = result
            case LittleGirlSaw() if self.step == "witch":
                pass  # at the harvest festival she peeks at the witch
            case LittleGirlSaw(seats):
                self.peeked = True
                for seat in seats:
                    self._checked(seat, True, day)
            case WitchVictims(seats):
                self.victims[day] = seats
            case LoversLink(partner):
                self.partner = partner
            case CupidLinked(seats):
                self.linked = seats
            case _:
                self._rarer(event)

    def _rarer(self, event: Event) -> None:
        match event:
            case SistersMeet(seats) | BrothersMeet(seats) | MasonsMeet(seats):
                self.kin = frozenset(seats)
            case CharmedCircle(seats) | CharmedNamed(seats):
                self.charmed.update(seats)
            case Clans(a, b):
                self.clans = {"a": a, "b": b}
            case GirlNoticed(seat):
                self.girl = seat
            case InfectedYou() | WildChildTurned():
                self.turned = True
            case Infected():
                self.infections += 1
            case ThiefCards(cards):
                self.cards = cards
            case _:
                self._by_card(event)

    def _by_card(self, event: Event) -> None:
        """Of event cards and variants."""
        match event:
            case Step(name, "open"):
                self.step = name
            case Hunters(seats):
                self.hunters = frozenset(seats)
            case DoubleAgentWolves(seats):
                self.shown = seats
            case DoubleAgentYou():
                self.turned, self.pack = True, frozenset(self.shown)
            case SpecterWakes(seat, wolves):
                self.pack = self.pack | {seat, *wolves}
            case RoleNow(seat, _, "village") if seat == self.me:
                self.turned, self.pack = False, frozenset()
            case AffairLink(partner):
                self.affair = partner
            case HypnotisedYou():
                self.asleep = True
            case _:
                pass

    def did(self, ask: str, answer: object, day: int) -> None:
        """Its own answer to an ask in the dark."""
        if ask in SAVES and answer:
            told = self.victims.get(day, ())
            self.saved[day] = answer if type(answer) is int else told[0] if told else 0
        elif ask in POISONS and isinstance(answer, int):
            self.poisoned[day] = answer
        elif ask in SHIELDS and isinstance(answer, int):
            self.guarded[day] = answer
        elif ask in BONDS and isinstance(answer, int):
            self.bond = answer
        elif ask == "piper.charm" and answer:
            self.charmed.update(answer if isinstance(answer, tuple) else (answer,))
        elif ask == "prejudiced.clan":
            self.hated = str(answer)
        elif ask == "dog-wolf.side":
            self.turned = answer == "wolves"

    def night_begins(self) -> None:
        """Last night's ballots are history."""
        self.bite_ballots, self.hunters = [], frozenset()

    def _checked(self, seat: int, bad: bool, day: int) -> None:
        self.checks[seat] = bad
        self.check_nights[seat] = day


def is_bad(result: str) -> bool:
    """Whether a check's result, in any table's way of showing it, means a wolf."""
    return result in ("bad", "wolf", "not-village") or result in wolf_cards()


__all__ = ["Secrets", "is_bad"]
