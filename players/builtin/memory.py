"""What a built-in player remembers: facts folded from the events of its view, each read once."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.events import (
    Ballots,
    Candidates,
    Dawn,
    ElectionCount,
    Eliminated,
    Event,
    Intent,
    Phase,
    Revealed,
    Said,
    Sheriff,
    Shot,
    Summary,
)
from engine.roles.cupid import CupidLinked, LoversLink
from engine.roles.seer import SeerResult
from engine.roles.werewolf import PackBallot, PackBite, PackJoin, PackMeet, PackTalk
from engine.roles.witch import WitchVictims
from engine.views import View
from players.base import Claim
from players.builtin.listen import listen


@dataclass(frozen=True, slots=True)
class Heard:
    """A claim as it was heard. at: its place in the order of all claims."""

    at: int
    day: int
    phase: str
    speaker: int
    claim: Claim


@dataclass(frozen=True, slots=True)
class Result:
    """A check that a seat says it made."""

    target: int
    bad: bool
    night: int | None
    day: int


@dataclass(frozen=True, slots=True)
class Ballot:
    """One vote in one exile ballot."""

    day: int
    voter: int
    target: int


@dataclass(slots=True)
class Memory:
    """All that one seat holds in mind. Seats are numbers; masks are not used, tables are small."""

    me: int
    size: int
    read: int = 0
    day: int = 0
    phase: str = "setup"
    # what only this seat (and its fellows) learned
    pack: frozenset[int] = frozenset()
    checks: dict[int, bool] = field(default_factory=dict)
    check_nights: dict[int, int] = field(default_factory=dict)
    victims: dict[int, tuple[int, ...]] = field(default_factory=dict)
    saved: dict[int, int] = field(default_factory=dict)
    poisoned: dict[int, int] = field(default_factory=dict)
    guarded: dict[int, int] = field(default_factory=dict)
    partner: int = 0
    linked: tuple[int, ...] = ()
    proposals: dict[int, int] = field(default_factory=dict)
    """Tonight's bites that wolves proposed in words."""
    bite_ballots: list[dict[int, int | None]] = field(default_factory=list)
    bitten: list[int] = field(default_factory=list)
    # what everybody saw
    cards: dict[int, str] = field(default_factory=dict)
    fate: dict[int, tuple[str, int]] = field(default_factory=dict)
    """Seats that are out: (night, vote, shot, explode, grief or ruling; day)."""
    shots: dict[int, int] = field(default_factory=dict)
    heard: list[Heard] = field(default_factory=list)
    says: dict[int, str] = field(default_factory=dict)
    """The card each seat claims to hold, its last word on it."""
    results: dict[int, list[Result]] = field(default_factory=dict)
    deeds: dict[int, list[Claim]] = field(default_factory=dict)
    """What claimed witches and guards say they did."""
    plans: dict[int, int] = field(default_factory=dict)
    """Whom each seat last said it would check (the badge's way: an heir tells what the check showed)."""
    sheriff: int = 0
    ballots: list[Ballot] = field(default_factory=list)
    stood: tuple[int, ...] = ()
    running: tuple[int, ...] = ()
    election: dict[int, int | None] = field(default_factory=dict)
    summary: int | None = None
    spoke: dict[int, int] = field(default_factory=dict)
    """Speeches made so far, silences not counted."""
    silent: dict[int, int] = field(default_factory=dict)
    today: dict[int, list[Claim]] = field(default_factory=dict)
    """What each seat said since the last nightfall."""
    day_said: dict[int, list[Claim]] = field(default_factory=dict)
    """What each seat said in today's round of talk alone."""

    def learn(self, view: View) -> bool:
        """Take in the events since the last call. Returns whether there were any."""
        events = view.events
        start, end = self.read, len(events)
        if start == end:
            return False
        for at in range(start, end):
            self._fold(events[at], *view.at[at])
        self.read = end
        return True

    def _fold(self, event: Event, phase: str, day: int) -> None:
        match event:
            case Said():
                self._hear(event, phase, day)
            case Phase(name, _):
                self.phase, self.day = name, day
                if name == "night":
                    self._night_begins()
            case Ballots(ballots):
                self.ballots += [Ballot(day, voter, to) for voter, to in ballots.items() if to]
            case Dawn(seats):
                for seat in seats:
                    self.fate.setdefault(seat, ("night", day))
            case Eliminated(seat, cause):
                self.fate.setdefault(seat, (cause, day))
            case Revealed(seat, role):
                self.cards[seat] = role
            case Shot((hunter, target)):
                self.shots[hunter] = target
            case Candidates(seats):
                self.running = seats
                self.stood = self.stood if set(seats) < set(self.stood) else seats
            case ElectionCount(ballots):
                self.election = ballots
            case Sheriff(seat):
                self._badge(seat or 0, day)
            case Summary(seat):
                self.summary = seat
            case Intent(seat, ask, answer) if seat == self.me:
                self._did(ask, answer, day)
            case _:
                self._private(event, day)

    def _private(self, event: Event, day: int) -> None:
        match event:
            case PackMeet(seats) | PackJoin(seats):
                self.pack = frozenset(seats)
            case PackTalk(seat, text):
                self._pack_talk(seat, text)
            case PackBallot(ballots):
                self.bite_ballots.append(ballots)
            case PackBite(int(target)):
                self.bitten.append(target)
            case SeerResult(seat, result):
                self.checks[seat] = is_bad(result)
                self.check_nights[seat] = day
            case WitchVictims(seats):
                self.victims[day] = seats
            case LoversLink(partner):
                self.partner = partner
            case CupidLinked(seats):
                self.linked = seats
            case _:
                pass

    def _pack_talk(self, wolf: int, text: str) -> None:
        for claim in listen(text, wolf, self.size, self.day):
            if claim.target and claim.act in ("plan", "vote-call"):
                self.proposals[wolf] = claim.target

    def _did(self, ask: str, answer: object, day: int) -> None:
        if ask == "witch.antidote" and answer:
            told = self.victims.get(day, ())
            self.saved[day] = answer if type(answer) is int else told[0] if told else 0
        elif ask == "witch.poison" and isinstance(answer, int):
            self.poisoned[day] = answer
        elif ask == "guard.protect" and isinstance(answer, int):
            self.guarded[day] = answer

    def _night_begins(self) -> None:
        self.proposals, self.bite_ballots = {}, []
        self.today, self.day_said, self.summary = {}, {}, None

    def _hear(self, said: Said, phase: str, day: int) -> None:
        seat = said.seat
        if not said.text:
            self.silent[seat] = self.silent.get(seat, 0) + 1
            return
        self.spoke[seat] = self.spoke.get(seat, 0) + 1
        claims = listen(said.text, seat, self.size, day)
        for claim in claims:
            self.heard.append(Heard(len(self.heard), day, phase, seat, claim))
            self._note(claim, seat, day)
        self.today.setdefault(seat, []).extend(claims)
        if said.how == "speech":
            self.day_said.setdefault(seat, []).extend(claims)

    def _badge(self, heir: int, day: int) -> None:
        """A seer who dies as sheriff hands the badge to the seat whose check he announced, if it was good."""
        last, self.sheriff = self.sheriff, heir
        planned = self.plans.get(last)
        if planned and self.says.get(last) == "seer" and self.fate.get(last, ("", 0))[0] == "night":
            self._result(Result(planned, heir != planned, day, day), last)

    def _note(self, claim: Claim, seat: int, day: int) -> None:
        if claim.act == "claim-role" and claim.value:
            if not claim.negated:
                self.says[seat] = claim.value
            elif self.says.get(seat) == claim.value:
                del self.says[seat]
        elif claim.act == "plan" and claim.value == "check" and claim.target:
            self.plans[seat] = claim.target
        elif claim.act == "claim-result" and claim.target:
            if claim.value in ("good", "bad"):
                self.says.setdefault(seat, "seer")
                self._result(Result(claim.target, claim.value == "bad", claim.about, day), seat)
            elif claim not in self.deeds.setdefault(seat, []):
                self.deeds[seat].append(claim)

    def _result(self, result: Result, seat: int) -> None:
        told = self.results.setdefault(seat, [])
        known = next((i for i, old in enumerate(told) if old.target == result.target), None)
        if known is None:
            told.append(result)
        elif told[known].bad != result.bad:
            told[known] = result

    # -- questions asked of it

    def alive(self, seat: int) -> bool:
        """Whether the seat is not publicly out."""
        return seat not in self.fate

    def claimants(self, role: str) -> list[int]:
        """Seats that claim this card, in the order of their claims' speakers."""
        return [seat for seat, says in self.says.items() if says == role]

    def accusers(self, seat: int) -> list[int]:
        """Who turned on this seat since nightfall, by accusation, bad result or a call to vote."""
        return [by for by, claims in self.today.items() if any(against(claim, seat) for claim in claims)]


def against(claim: Claim, seat: int) -> bool:
    """Whether a claim is meant to get this seat out."""
    if claim.target != seat or claim.negated:
        return False
    return claim.act in ("accuse", "vote-call") or (claim.act == "claim-result" and claim.value == "bad")


def is_bad(result: str) -> bool:
    """Whether a check's result, in any table's way of showing it, means a wolf."""
    return result in ("bad", "wolf", "not-village") or "wolf" in result.removeprefix("not-wolf")
