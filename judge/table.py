"""A table: one game, its seats, its record, driven by the LangGraph graph; it can be killed anywhere and resumed.

The store is the truth, and its journal is what keeps a reply from being asked, or paid, for twice. The graph keeps
checkpoints only where a person sits ("sync", written before the next step), so that a resumed graph stands at the very
interrupt that waits for them. Without a person a resumed table begins its round again from the store, with the replies
of the journal; a checkpoint would only cost time.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import IO, cast

from engine.asks import Ask, IllegalAnswer
from engine.bits import EVERYONE
from engine.events import Event
from engine.game import Game
from engine.setup import Setup
from engine.views import View
from judge.budget import Budget
from judge.course import MAX_DAYS, PATIENCE, Course, Wanted
from judge.desk import Advice, consult
from judge.direct import fail, header_of, seated
from judge.driver import WAIT, Driver
from judge.early import EARLY
from judge.lines import EventLine, Header, Result, asked_of, encode_line, event_lines
from judge.narrator import Narrator
from judge.pace import Shown
from judge.record import RecordError, replay
from judge.store import Store, StoreError, new_id
from players.base import Player, Reply, SeatDown
from players.human import HumanPlayer

CHEAP = frozenset({"builtin", "random", "scripted"})
"""Kinds that cost nothing to ask again: their replies are not journalled."""
PlayersFactory = Callable[[Setup, dict[int, str]], Mapping[int, Player]]
"""Makes players from a setup and each seat's spec, as players.factory.make_players does."""
Pace = Callable[["Table"], Awaitable[None]]


class Table:
    """One game with its seats. Use it from one event loop."""

    def __init__(
        self,
        header: Header,
        game: Game,
        players: Mapping[int, Player],
        store: Store,
        claim: IO[bytes],
        *,
        on_update: Callable[[], None] | None = None,
        pace: Pace | None = None,
        patience: float | None = PATIENCE,
        shown: int = 0,
        budget: Budget | None = None,
        voice: Narrator | None = None,
    ) -> None:
        """For `new` and `resume`. shown: how many events have been narrated before. voice: tells what is public."""
        self.header, self.game, self.store = header, game, store
        self.game_id = header.game
        self.human_seats = frozenset(sitter.seat for sitter in header.players if sitter.kind == "human")
        self.on_update, self.pace, self.voice = on_update, pace, voice
        players = seated(players, header.setup.size)
        self.course = Course(
            game, players, store.sink(header.game), max_days=header.max_days, patience=patience, budget=budget
        )
        self.course.keep_early = self._keep_early
        self.shown = Shown(game, shown)
        self._claim = claim
        # A loop in the rules must fail, not run for ever: far more decisions a day than any table takes.
        self._driver = Driver(
            self, self.course, store, header.game, (header.max_days + 2) * (30 + 10 * game.setup.size)
        )
        self._idle = asyncio.Event()
        self._idle.set()
        self._paused = False
        self._down: SeatDown | None = None
        self._narrated = shown > 0

    # -- beginning and resuming

    @classmethod
    def new(
        cls,
        setup: Setup,
        players: Mapping[int, Player],
        store: Store,
        *,
        human_seats: Iterable[int] | None = None,
        max_days: int = MAX_DAYS,
        on_update: Callable[[], None] | None = None,
        pace: Pace | None = None,
        patience: float | None = PATIENCE,
        game_id: str | None = None,
        budget: Budget | None = None,
        voice: Narrator | None = None,
    ) -> Table:
        """A new table. human_seats: seats of people who need no player here; a player of kind human is one as well.

        patience: seconds that a seat without a person may take. Raises SetupError, StoreError.
        """
        players = dict(players)
        for seat in human_seats or ():
            if seat not in players or players[seat].kind != "human":
                players[seat] = HumanPlayer()
        game = Game(setup)
        name = game_id or new_id(setup)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        seated(players, setup.size)
        header = header_of(setup, players, name, max_days, created)
        store.create(header)
        table = cls(
            header, game, players, store, store.claim(name),
            on_update=on_update, pace=pace, patience=patience, budget=budget, voice=voice,
        )  # fmt: skip
        try:
            table.course.begin()
        except RecordError:
            table._claim.close()
            raise
        return table

    @classmethod
    def resume(
        cls,
        store: Store,
        game_id: str,
        players_factory: PlayersFactory,
        *,
        on_update: Callable[[], None] | None = None,
        pace: Pace | None = None,
        patience: float | None = PATIENCE,
        budget: Budget | None = None,
        voice: Narrator | None = None,
    ) -> Table:
        """The table of a game that was begun, after its last decision, with the replies received since.

        Raises StoreError if it is unknown or open elsewhere, RecordError if its record does not fit these rules.
        """
        record = store.record(game_id)
        claim = store.claim(game_id)
        try:
            record = store.record(game_id)
            game = replay(record)
            known = [raw for line, raw in zip(record.lines, record.raw, strict=True) if isinstance(line, EventLine)]
            if [encode_line(line) for line in event_lines(game, 0)][: len(known)] != known:
                raise RecordError(f"{record.name}: these rules do not play the game as it was recorded")
            header = record.header
            players = players_factory(header.setup, {sitter.seat: sitter.spec for sitter in header.players})
            table = cls(
                header, game, players, store, claim,
                on_update=on_update, pace=pace, patience=patience, shown=len(known), budget=budget, voice=voice,
            )  # fmt: skip
            for line in record.decisions:
                table.course.count(line)
                for asked in (*line.asked, *line.aside, *((line.reaction,) if line.reaction else ())):
                    table.course.recall(asked)
            table.course.result, table.course.written = record.result, len(known)
            table.course.begin()
            table._take_journal()
        except BaseException:
            claim.close()
            raise
        return table

    def _take_journal(self) -> None:
        """The replies that were received for the pending asks before the process ended."""
        for asked in self.store.kept_replies(self.game_id, self.course.n):
            self.course.recall(asked)
            if asked.ask in self.game.asks:
                self.course.replies[asked.ask.seat] = asked.reply()
            else:
                self.course.wanted += self.course.offered(asked.ask.seat, asked.ask.kind, asked.reply())

        with suppress(RuntimeError):  # outside of an event loop there is nothing to hand an early reply to
            for asked in self.store.kept_replies(self.game_id, EARLY + self.game.public.day):
                if self.game.public.phase == "night":
                    self.course.recall(asked)
                self.course.remember_early(asked.ask, asked.reply())

    def _keep_early(self, ask: Ask, reply: Reply) -> None:
        with suppress(StoreError):
            self.store.keep_reply(self.game_id, EARLY + self.game.public.day, asked_of(ask, reply))

    # -- what a screen uses

    @property
    def over(self) -> bool:
        """Whether the game has ended or failed, and its record with it."""
        return self.course.result is not None

    @property
    def result(self) -> Result | None:
        """How it ended, once it has."""
        return self.course.result

    @property
    def pending(self) -> tuple[Ask, ...]:
        """The asks that wait for a person, also while the others still think."""
        if self.over or self.course.over or not self._narrated:
            return ()
        return tuple(ask for ask in self.course.missing() if ask.seat in self.human_seats)

    def view(self, seat: int | None) -> View:
        """What a seat has been shown so far: `game.view(seat)`, at the table's pace."""
        return self.shown.view(seat)

    def told(self, event: Event) -> str | None:
        """The judge's own words for a public event, in the table's language; None where the template speaks."""
        return self.voice.line(event) if self.voice is not None else None

    async def advise(self, question: str, lang: str) -> Advice:
        """The judge's answer to a question about the rules of this table; with a model where one is the judge."""
        setup, client = self.game.setup, self.voice.client if self.voice is not None else None
        advice = await consult(question, setup.ruleset, setup.options, lang, client)
        self.course.took(advice.calls)
        return advice

    def submit(self, seat: int, answer: object) -> None:
        """A person's answer to the pending ask of this seat; kept at once. Then call `run` again, unless it runs.

        Raises IllegalAnswer, StoreError; then nothing has changed.
        """
        ask = next((ask for ask in self.pending if ask.seat == seat), None)
        if ask is None:
            given = seat in self.course.replies
            raise IllegalAnswer(seat, "answer", "it has been given" if given else "this seat is not asked now")
        reply = Reply(ask.check(answer))
        self.store.keep_reply(self.game_id, self.course.n, asked_of(ask, reply))
        self.course.replies[seat] = reply

    def request_reaction(self, seat: int, kind: str, answer: object) -> None:
        """A person's reaction, taken at the next pose or collect if it is still legal then. Call `run`, unless it runs.

        Raises IllegalAnswer, StoreError; then nothing has changed.
        """
        offer = next((offer for offer in self.course.offers(seat) if offer.kind == kind), None)
        if self.over or offer is None or seat not in self.human_seats:
            raise IllegalAnswer(seat, kind, "this may not be done now")
        reply = Reply(offer.check(answer))
        self.store.keep_reply(self.game_id, self.course.n, asked_of(offer, reply))
        self.course.wanted.append(Wanted(offer, reply))

    async def pause(self) -> None:
        """Let the decision in play be taken, then stop; `run` goes on. Replies under way are waited for and kept."""
        self._paused = True
        await self._idle.wait()

    async def close(self) -> None:
        """Stop at once and let go of the game, which can be resumed. May be called twice; not from a hook."""
        self._paused = True
        self.course.drop_early()
        self._driver.cancel()
        await self._idle.wait()
        self._claim.close()

    # -- running

    async def run(self) -> tuple[Ask, ...]:
        """Play until people must answer: returns their asks. Returns () when the game is over, paused or closed.

        Raises RecordError (a full disk) and SeatDown (a model's server is gone): nothing is lost, and `run` may be
        called again. An error in the rules themselves ends the game as `failed` and is raised.
        """
        if self._claim.closed:
            raise StoreError(f"table {self.game_id} is closed; resume the game")
        if not self._idle.is_set():
            raise RuntimeError(f"table {self.game_id} runs already")
        self._idle.clear()
        self._paused = False
        try:
            async with self._driver.opened():
                return await self._play()
        except sqlite3.Error as error:
            raise StoreError(f"{self.store.checkpoints}: {error}") from error
        finally:
            self._idle.set()

    async def _play(self) -> tuple[Ask, ...]:
        self.course.flush()
        while not self.over and not self._paused:
            if self.course.over and self.shown.upto == len(self.game.events):
                self.course.finish()
                self._updated()
            todo = await self._driver.next_input()
            if todo is WAIT:
                return self.pending
            await self._driver.invoke(todo, lambda: self._paused)
        if self.over:
            await self._driver.forget()
        down, self._down = self._down, None
        if down is not None:
            raise down
        return ()

    # -- the graph's steps (judge.graph.Rounds)

    def pose(self) -> int:
        """Begin a round."""
        self.course.volunteers()
        return self.course.n

    def open_asks(self) -> tuple[Ask, ...]:
        """The asks that still need a reply; none if a reaction comes first."""
        return () if self.course.reacting else self.course.missing()

    async def collect(self, n: int, seat: int) -> None:
        """Get a seat's reply for decision n."""
        course = self.course
        ask = next((ask for ask in course.missing() if ask.seat == seat), None)
        if n != course.n or ask is None:
            return
        self.shown.asked()
        try:
            reply = await course.hear(ask)
        except SeatDown as down:
            self._down, self._paused = down, True  # the others' replies are waited for and kept
            return
        if course.players[seat].kind not in CHEAP:
            # A full disk must not cost the others their replies: the decision will meet it, with all replies in hand.
            with suppress(StoreError):
                self.store.keep_reply(self.game_id, n, asked_of(ask, reply))
        course.replies[seat] = reply

    def apply(self, n: int) -> int:
        """Take decision n, unless it was taken before the process was killed."""
        course = self.course
        if n == course.n and not course.over:
            try:
                if course.step():
                    self._narrated = False
            except RecordError:
                self._narrated = False
                raise
            except Exception as error:
                fail(course, error)
                raise
        return course.n

    async def narrate(self) -> None:
        """Show what came of it; at a paced table, one public event after another."""
        if self.voice is not None:
            coming = range(self.shown.upto, len(self.game.events))
            public = [self.game.events[at] for at in coming if self.game.audiences[at] == EVERYONE]
            self.course.took(await self.voice.prepare(public, self.game.setup.lang))
        if self.pace is None:
            self.shown.skip()
        while self.shown.advance():
            self._updated()
            await self.shown.cover()
            await cast(Pace, self.pace)(self)
        self._narrated = True
        self._updated()

    def goes_on(self) -> bool:
        """Whether another round follows now."""
        return not self.course.over and not self._paused

    def _updated(self) -> None:
        if self.on_update is not None:
            self.on_update()
