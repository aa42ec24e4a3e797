"""A table in memory, and the app around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

from textual.pilot import Pilot

from engine.asks import Answer, Ask, IllegalAnswer, text_ask
from engine.game import Game
from engine.setup import Setup, deal
from engine.views import View
from tui.app import PlayApp
from tui.catalogue import CatalogueWords
from tui.screens.reveal import RevealScreen
from tui.session import PaceHook, Update
from tui.widgets.askform import AskForm
from tui.widgets.log import Log

NAMES = {1: "阿明", 2: "小红", 3: "Bob", 4: "小雨", 5: "老张", 6: "Alexandria", 7: "小李", 8: "阿珍", 9: "Tom"}
TALK = {
    "zh": (
        "我昨晚什么也没听见，先听后面的人怎么说。",
        "[3号] 今天的发言很可疑[/b]，我投他。",
        "我是好人，请相信我，不要浪费票。",
    ),
    "en": ("I heard nothing last night.", "[3号] sounds wrong to me [/b], I vote there.", "I am good, trust me."),
}
Say = Callable[[Ask, View], Answer]


class MemoryTable:
    """judge.table.Table without a store or a graph; every other seat answers `say`."""

    def __init__(self, setup: Setup, seat: int | tuple[int, ...], say: Say, update: Update, pace: PaceHook) -> None:
        self.game = Game(setup)
        self.seats = seat if isinstance(seat, tuple) else (seat,)
        self.say, self.update, self.pace = say, update, pace
        self.given: dict[int, Answer] = {}
        self.wanted: list[tuple[int, str, Answer]] = []
        self.answers: list[tuple[str, Answer]] = []
        self.reactions: list[tuple[str, Answer]] = []
        self.closed = False

    @property
    def over(self) -> bool:
        return not self.game.asks

    @property
    def pending(self) -> tuple[Ask, ...]:
        return tuple(ask for ask in self.game.asks if ask.seat in self.seats and ask.seat not in self.given)

    def view(self, seat: int | None) -> View:
        return self.game.view(seat)

    async def run(self) -> tuple[Ask, ...]:
        while self.game.asks:
            if self.wanted:
                seat, kind, answer = self.wanted.pop()
                self.game.react(seat, kind, answer)
                self.given.clear()
            elif self.pending:
                return self.pending
            else:
                others = {
                    a.seat: self.say(a, self.game.view(a.seat)) for a in self.game.asks if a.seat not in self.seats
                }
                self.game.answer(others | self.given)
                self.given.clear()
            self.update()
            await self.pace(self)
        return ()

    def submit(self, seat: int, answer: object) -> None:
        ask = next((ask for ask in self.pending if ask.seat == seat), None)
        if ask is None:
            raise IllegalAnswer(seat, "answer", "not asked")
        self.given[seat] = ask.check(answer)
        self.answers.append((ask.kind, self.given[seat]))

    def request_reaction(self, seat: int, kind: str, answer: object) -> None:
        offer = next(offer for offer in self.game.reactions if offer.seat == seat and offer.kind == kind)
        self.wanted.append((seat, kind, offer.check(answer)))
        self.reactions.append((kind, offer.check(answer)))

    async def close(self) -> None:
        self.closed = True


class OneAsk(MemoryTable):
    """A table that asks the human one thing, over and over."""

    def __init__(self, ask: Ask, setup: Setup, update: Update, pace: PaceHook) -> None:
        super().__init__(setup, ask.seat, quiet, update, pace)
        self.ask: Ask | None = ask

    @property
    def over(self) -> bool:
        return False

    @property
    def pending(self) -> tuple[Ask, ...]:
        return (self.ask,) if self.ask is not None else ()

    async def run(self) -> tuple[Ask, ...]:
        self.update()
        return self.pending or (text_ask(self.seats[0], "day.speak"),)

    def submit(self, seat: int, answer: object) -> None:
        assert self.ask is not None
        self.answers.append((self.ask.kind, self.ask.check(answer)))
        self.ask = None


def quiet(ask: Ask, view: View) -> Answer:
    return ask.quiet()


def seeded(seed: int, lang: str) -> Say:
    """Random legal answers with a little talk, the same in every run."""

    def say(ask: Ask, view: View) -> Answer:
        rng = Random(f"{seed}:{ask.seat}:{ask.kind}:{len(view.events)}")
        return rng.choice(TALK[lang]) if ask.form == "text" else ask.random(rng)

    return say


def app_of(
    made: Callable[[Update, PaceHook], MemoryTable], *, seat: int, lang: str = "zh", names: Mapping[int, str] = NAMES
) -> PlayApp:
    app = PlayApp(made, seat=seat, lang=lang, words=CatalogueWords, names=names, speed="instant")
    return app


def game_app(
    *, seat: int = 3, role: str = "witch", lang: str = "zh", seed: int = 4, size: int = 9, say: Say | None = None
) -> PlayApp:
    """A whole game."""
    setup = deal("tournament", size, seed=seed, lang=lang, wish=(seat, role))
    talk = say or seeded(seed, lang)
    return app_of(lambda update, pace: MemoryTable(setup, seat, talk, update, pace), seat=seat, lang=lang)


def ask_app(ask: Ask, lang: str = "zh") -> PlayApp:
    """One ask at a fresh table."""
    setup = deal("tournament", 9, seed=4, lang=lang, wish=(ask.seat, "witch"))
    return app_of(lambda update, pace: OneAsk(ask, setup, update, pace), seat=ask.seat, lang=lang)


def table_of(app: PlayApp) -> MemoryTable:
    table = app.table.session.table
    assert isinstance(table, MemoryTable)
    return table


def texts(app: PlayApp) -> Iterator[str]:
    """The transcript as it was wrapped."""
    for row in app.table.query_one("#log", Log).rows:
        yield row.plain


async def until(pilot: Pilot[int], holds: Callable[[], object]) -> None:
    """Let the app work until this holds; a bound on the turns, not on time, is what can fail."""
    for _ in range(300):
        if holds():
            await pilot.pause()
            return
        await pilot.pause()
    raise AssertionError("it never came to that")


async def to_ask(app: PlayApp, pilot: Pilot[int], kind: str = "") -> Ask:
    """Answer quietly for the human until it is asked this; whatever it is asked, if no kind is given."""
    session = app.table.session

    def there() -> bool:
        posed = session.posed
        if posed is None or not app.table.query(AskForm):
            return False
        if not kind or posed.kind == kind:
            return True
        session.answer(posed, posed.quiet())
        return False

    await until(pilot, there)
    assert session.posed is not None
    return session.posed


async def to_reveal(app: PlayApp, pilot: Pilot[int]) -> None:
    """Play quietly to the end."""
    session = app.table.session

    def there() -> bool:
        if session.posed is not None and app.table.query(AskForm):
            session.answer(session.posed, session.posed.quiet())
        return isinstance(app.screen, RevealScreen)

    await until(pilot, there)
