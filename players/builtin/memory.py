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
    Returned,
    Revealed,
    Said,
    Sheriff,
    Shot,
    Summary,
    Tie,
)
from engine.new_moon.manners import Unseen
from engine.roles.kin import KinTalk
from engine.roles.werewolf import Exploded, PackTalk
from engine.views import View
from players.base import Claim
from players.builtin.listen import listen
from players.builtin.scene import Result, Scene
from players.builtin.secrets import Secrets
from players.reasoning import Facts


@dataclass(frozen=True, slots=True)
class Heard:
    """A claim as it was heard. at: its place in the order of all claims."""

    at: int
    day: int
    phase: str
    speaker: int
    claim: Claim


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
    facts: Facts = field(init=False)
    told: Secrets = field(init=False)
    scene: Scene = field(default_factory=Scene)
    proposals: dict[int, int] = field(default_factory=dict)
    """Tonight's bites that wolves proposed in words."""
    own: list[str] = field(default_factory=list)
    """All that it has said, to anybody."""
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
    tied: tuple[int, ...] = ()
    summary: int | None = None
    spoke: dict[int, int] = field(default_factory=dict)
    """Speeches made so far, silences not counted."""
    silent: dict[int, int] = field(default_factory=dict)
    today: dict[int, list[Claim]] = field(default_factory=dict)
    """What each seat said since the last nightfall."""
    turns: dict[int, int] = field(default_factory=dict)
    """How often each seat had its turn in today's talk, silent or not."""
    interjected: int = 0
    """The last day on which it has called in, as a revealed idiot may."""
    pack_said: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    """What others have said since nightfall, word for word."""
    day_said: dict[int, list[Claim]] = field(default_factory=dict)
    """What each seat said in today's round of talk alone."""

    def __post_init__(self) -> None:
        self.facts, self.told = Facts(self.me, self.size), Secrets(self.me)

    def learn(self, view: View) -> bool:
        """Take in the events since the last call. Returns whether there were any."""
        events = view.events
        start, end = self.read, len(events)
        if start == end:
            return False
        for at in range(start, end):
            self.facts.learn(events[at])
            self.scene.learn(events[at], view.at[at][1])
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
            case Exploded(seats):
                for seat in seats:
                    self.fate.setdefault(seat, ("explode", day))
            case Returned(seats):
                for seat in seats:
                    self.fate.pop(seat, None)
            case Tie(seats):
                self.tied = seats
            case Intent(seat, ask, answer) if seat == self.me:
                self.told.did(ask, answer, day)
            case PackTalk(seat, text):
                self._pack_talk(seat, text)
            case KinTalk(seat, text) if seat == self.me:
                self.own.append(text)
            case Unseen(text):
                self.own.append(text)  # its own is among them
            case _:
                self.told.learn(event, day)

    def _pack_talk(self, wolf: int, text: str) -> None:
        if wolf == self.me:
            self.own.append(text)
        self.pack_said.append(text)
        for claim in listen(text, wolf, self.size, self.day):
            if claim.target and claim.act in ("plan", "vote-call"):
                self.proposals[wolf] = claim.target

    def _night_begins(self) -> None:
        self.proposals, self.tied, self.others, self.pack_said = {}, (), [], []
        self.told.night_begins()
        self.today, self.day_said, self.turns, self.summary = {}, {}, {}, None

    def _hear(self, said: Said, phase: str, day: int) -> None:
        seat = said.seat
        if said.how == "gesture":
            return
        if said.how == "speech":
            self.turns[seat] = self.turns.get(seat, 0) + 1
        if not said.text:
            if seat not in self.today:
                self.silent[seat] = self.silent.get(seat, 0) + 1
            return
        self.spoke[seat] = self.spoke.get(seat, 0) + 1
        if seat == self.me:
            self.own.append(said.text)
            self.interjected = day if said.how == "interjection" else self.interjected
        else:
            self.others.append(said.text)
        claims = listen(said.text, seat, self.size, day)
        for claim in claims:
            self.heard.append(Heard(len(self.heard), day, phase, seat, claim))
            self._note(claim, seat, day)
        checks = [claim.target for claim in claims if claim.act == "plan" and claim.value == "check" and claim.target]
        if checks:
            self.plans[seat] = checks[0]  # of a badge flow the first comes tonight
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

    def held(self, seat: int) -> str | None:
        """The card that everybody knows this seat to hold: one that lies open, or was turned."""
        return self.scene.faces.get(seat) or self.cards.get(seat)

    def votable(self, seat: int) -> bool:
        """Whether a ballot may fall on this seat: it lives, is here, and is no revealed idiot or safe innkeeper."""
        return self.alive(seat) and self.cards.get(seat) != "idiot" and seat not in self.scene.immune()

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
