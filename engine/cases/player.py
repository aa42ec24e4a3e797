"""Plays a rule case: scripted answers where the case has them, quiet ones everywhere else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.asks import Answer, Answers, Ask, IllegalAnswer
from engine.cases.judge import judge
from engine.cases.model import REACTION_KEY, Case, PhaseScript, Refusal
from engine.cases.record import PhaseRecord, Problem, Stuck, Watch, WatchedGame
from engine.cases.words import REACTIONS
from engine.facts import DrawError
from engine.rules.ruleset import SetupError
from engine.setup import Setup

TURNS = 10_000  # rounds of asks in one case; a long game of eighteen seats has some two thousand


def play_case(case: Case) -> tuple[Problem, ...]:
    """Play one case. Returns everything that did not hold, nothing when the case passes."""
    return tuple(_Player(case).run())


def _setup(case: Case) -> Setup:
    extra = tuple(case.thief_cards or (("villager", "villager") if "thief" in case.seats else ()))
    draws = tuple(pair for draw in case.draws for pair in draw.items())
    return Setup(
        case.ruleset,
        tuple(case.seats),
        case.seed,
        options=_options(case),
        extra=extra,
        draws=draws,
        clans=tuple(case.clans or ()),
        houses=_houses(case),
        second_cards=tuple(case.second_cards or ()),
        attributes=dict(case.attributes or {}),
        new_moon=tuple(case.new_moon or ()),
    )


def _options(case: Case) -> dict[str, Any]:
    """The case's options; a listed order of event cards is the whole deck and turns the cards on."""
    if case.new_moon is None:
        return dict(case.options)
    return {"new-moon": True, "new-moon.deck": tuple(case.new_moon), **case.options}


def _houses(case: Case) -> tuple[str, ...]:
    """A card for every seat where the case deals houses; a seat that it does not name is a vagabond."""
    if case.houses is None:
        return ()
    beyond = [seat for seat in case.houses if not 1 <= seat <= len(case.seats)]
    if beyond:
        raise SetupError(f"the houses name seat {beyond[0]}; the seats are 1 to {len(case.seats)}")
    return tuple(case.houses.get(seat, "vagabond") for seat in range(1, len(case.seats) + 1))


class _Stop(Exception):
    """The case cannot go on."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.what)
        self.problem = problem


@dataclass(slots=True)
class _Use:
    """A scripted reaction of one seat. after: the ask that places it, if the case does."""

    phase: str
    key: str
    kind: str
    number: int
    seat: int
    answer: Answer
    after: tuple[str, int] | None
    armed: bool = False


class _Player:
    def __init__(self, case: Case) -> None:
        self.case = case
        self.scripts = {script.phase: script for script in case.play}
        self.watch = Watch()
        self.uses = [use for script in case.play for use in _uses(script)]
        self.used: dict[tuple[str, str], int] = {}
        self.refusals = {script.phase: list(script.refuse) for script in case.play}
        self.standing: set[tuple[str, int, str]] = set()
        """Asks (phase, seat, kind) that a reaction has interrupted: they come back and are not posed anew."""

    def run(self) -> list[Problem]:
        """Play to the last phase of the case and judge every listed phase that came to its end."""
        stopped: list[Problem] = []
        try:
            self.game = WatchedGame(_setup(self.case), self.watch)
            for _ in range(TURNS):
                if self.finished():
                    break
                self.turn()
            else:
                raise Stuck
        except SetupError as error:
            return [Problem("", "table", "a table that can be played", str(error))]
        except DrawError as error:
            stopped = [Problem(self.now, "draws", "the draws that the case forces", str(error))]
        except Stuck:
            if not self.finished():
                stopped = [Problem(self.now, "play", "a case that ends", "the game goes on for ever")]
        except _Stop as stop:
            stopped = [stop.problem]
        return [*self.judged(complete=not stopped), *stopped]

    @property
    def now(self) -> str:
        """The phase that runs."""
        return self.watch.phases[-1].name if self.watch.phases else ""

    def finished(self) -> bool:
        """Whether the case's last phase is over, or can never come any more."""
        phases, last = self.watch.phases, self.case.play[-1]
        if not hasattr(self, "game") or not self.game.asks:
            return True
        if any(record.name == last.phase for record in phases[:-1]):
            return True
        return last.number < (int(self.now.split()[1]) if " " in self.now else 0)

    # -- one turn

    def turn(self) -> None:
        """Pose, try what must be refused, react, answer."""
        game, record = self.game, self.watch.phases[-1]
        posed = {(record.name, ask.seat, ask.kind) for ask in game.asks}
        if posed <= self.standing:
            self.standing = set()
        else:
            record.pose(game.asks)
        record.offer(game.reactions)
        self.try_refusals(record)
        use = self.next_use(record)
        if use is not None:
            self.standing = self.standing or posed
            self.take(record, use)
            return
        answers = {ask.seat: self.answer(record, ask) for ask in game.asks}
        answered = {(ask.kind, ask.seat) for ask in game.asks}
        try:
            game.answer(answers)
        except IllegalAnswer as error:
            given = f"{answers.get(error.seat)!r} to be legal"
            raise _Stop(Problem(record.name, f"{error.kind}, seat {error.seat}", given, error.reason)) from None
        for each in self.uses:
            each.armed |= each.phase == record.name and each.after in answered

    def answer(self, record: PhaseRecord, ask: Ask) -> Answer:
        """The scripted answer, else the quiet one; the automatic judge in seat 0."""
        script = self.scripts.get(record.name)
        number = record.round_of(ask)
        for key in (ask.kind, f"{ask.kind}#{number}") if number == 1 else (f"{ask.kind}#{number}",):
            if script is not None and key in script.answers:
                scripted, answer = script.answers[key].answer(ask.seat)
                if scripted:
                    return answer
        if ask.seat == 0 and ask.form == "flag":
            return ask.kind == "judge.apply-variant"
        return ask.quiet()

    def next_use(self, record: PhaseRecord) -> _Use | None:
        """The reaction to be taken now."""
        offered = {(ask.kind, ask.seat) for ask in self.game.reactions}
        for use in self.uses:
            if not (use.armed if use.after is not None else use.phase == record.name):
                continue
            if (use.kind, use.seat) in offered and self.used.get((use.phase, use.kind), 0) >= use.number - 1:
                return use
            if use.armed:
                what, place = f"{use.kind}, seat {use.seat}", f"offered right after {use.after}"
                raise _Stop(Problem(use.phase, what, place, "not offered then"))
        return None

    def take(self, record: PhaseRecord, use: _Use) -> None:
        """Take a reaction."""
        self.uses.remove(use)
        self.used[use.phase, use.kind] = self.used.get((use.phase, use.kind), 0) + 1
        try:
            self.game.react(use.seat, use.kind, use.answer)
        except IllegalAnswer as error:
            what = f"{use.kind}, seat {use.seat}"
            raise _Stop(Problem(record.name, what, f"{use.answer!r} to be legal", error.reason)) from None

    # -- refusals

    def try_refusals(self, record: PhaseRecord) -> None:
        """Answers that must be refused, each when its seat is first asked; reactions at the phase's first ask."""
        waiting = self.refusals.get(record.name, [])
        for refusal in list(waiting):
            kind = refusal.ask.partition("#")[0]
            asked = any(
                ask.kind == kind
                and ask.seat == refusal.seat
                and refusal.ask in (kind, f"{kind}#{record.round_of(ask)}")
                for ask in self.game.asks
            )
            if asked or kind in REACTIONS:
                waiting.remove(refusal)
                self.try_one(record, refusal, kind)

    def try_one(self, record: PhaseRecord, refusal: Refusal, kind: str) -> None:
        """One answer that must be refused and change nothing."""
        game = self.game
        before = len(game.decisions), len(game.events), game.asks, game.reactions
        reason = ""
        try:
            if kind in REACTIONS:
                game.react(refusal.seat, kind, refusal.answer)
            else:
                quiet: Answers = {ask.seat: ask.quiet() for ask in game.asks}
                game.answer({**quiet, refusal.seat: refusal.answer})
        except IllegalAnswer as error:
            reason = error.reason if error.seat == refusal.seat else ""
        what = f"refuse {refusal.ask}, seat {refusal.seat}"
        if not reason:
            raise _Stop(Problem(record.name, what, f"{refusal.answer!r} refused", "it was accepted"))
        if before != (len(game.decisions), len(game.events), game.asks, game.reactions):
            raise _Stop(Problem(record.name, what, "nothing changed", "the refused answer changed the game"))

    # -- the end

    def judged(self, complete: bool) -> Iterator[Problem]:
        """What did not hold. complete: the case was played to its end, so what never came is a failure."""
        came = {record.name: record for record in self.watch.phases}
        for script in self.case.play:
            record = came.get(script.phase)
            if script.expect.absent:
                if record is not None:
                    yield Problem(script.phase, "absent", "that this phase never comes", "it came")
            elif record is None:
                if complete:
                    yield Problem(script.phase, "phase", "that this phase comes", f"never; the last one was {self.now}")
            elif record.table is not None:
                yield from self.unasked(script, record)
                yield from judge(self.game, record, record.table, script.expect)
        if complete:
            order = [record.name for record in self.watch.phases if record.name in self.scripts]
            listed = [script.phase for script in self.case.play if script.phase in came]
            if order != listed:
                yield Problem("", "phases", f"the order {listed}", str(order))

    def unasked(self, script: PhaseScript, record: PhaseRecord) -> Iterator[Problem]:
        """Scripted answers and refusals for which nobody was ever asked."""
        for key, by_seat in script.answers.items():
            if key.partition("@")[0].partition("#")[0] in REACTIONS:
                continue
            exact = key if "#" in key else f"{key}#1"
            asked = {posed.ask.seat for posed in record.posed if posed.fits(exact)}
            lost = sorted(by_seat.seats.keys() - asked)
            if lost or (by_seat.everyone and not asked):
                who = f"seats {lost} asked" if lost else "somebody asked"
                yield Problem(script.phase, key, who, f"asked were {sorted(asked)}")
        for use in self.uses:
            if use.phase == script.phase:
                yield Problem(use.phase, f"{use.key}, seat {use.seat}", "to be offered and taken", "never offered")
        for refusal in self.refusals[script.phase]:
            yield Problem(script.phase, f"refuse {refusal.ask}, seat {refusal.seat}", "to be tried", "never asked")


def _uses(script: PhaseScript) -> Iterator[_Use]:
    """The scripted reactions of a phase, in the order in which they are written."""
    for key, by_seat in script.answers.items():
        placed = REACTION_KEY.fullmatch(key)
        kind, _, number = key.partition("@")[0].partition("#")
        if kind in REACTIONS:
            after = (placed["after"], int(placed["seat"])) if placed else None
            for seat, answer in by_seat.seats.items():
                yield _Use(script.phase, key, kind, int(number or 1), seat, answer, after)
