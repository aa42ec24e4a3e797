"""What moves a table's graph on: its rounds, its checkpoints, and the waits for people."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any

from judge.course import Course
from judge.direct import fail
from judge.graph import NODES_A_ROUND, Rounds, build_graph
from judge.store import Store

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

WAIT = object()
"""Instead of an input: people must answer first."""


class Driver:
    """The graph of one table. Checkpoints are kept only where a person sits."""

    def __init__(self, rounds: Rounds, course: Course, store: Store, thread: str, most: int) -> None:
        """thread: the game's id, under which its checkpoints stand. most: decisions that one run may take."""
        self._rounds, self._course, self._store = rounds, course, store
        self._thread, self._most = thread, most
        self._graph: Any = None
        self._running: asyncio.Task[Any] | None = None
        self._rejoining = True

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """The graph for one run: its saver has a thread of its own, which must not outlive the run."""
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        async with self._store.open_checkpoints() if self._rounds.human_seats else nullcontext() as connection:
            self._graph = build_graph(self._rounds, AsyncSqliteSaver(connection) if connection is not None else None)
            try:
                yield
            finally:
                self._graph = None

    async def next_input(self) -> Any:
        """A new round, the rest of an interrupted one, the word that people answered, or WAIT."""
        from langgraph.types import Command

        course = self._course
        if not self._rounds.human_seats:
            return {"n": course.n}
        state = await self._graph.aget_state(self._config())
        rejoining, self._rejoining = self._rejoining, False
        if not state.next or state.values.get("n") != course.n:
            return {"n": course.n}
        waiting = [interrupt for task in state.tasks for interrupt in task.interrupts]
        # A reaction ends the round for everybody who is still being waited for.
        free = [i for i in waiting if course.wanted or i.value["seat"] in course.replies]
        if free:
            return Command(resume={interrupt.id: True for interrupt in free})
        return WAIT if waiting and not rejoining else None

    async def invoke(self, todo: Any, stopped: Callable[[], bool]) -> None:
        """Run the graph until it ends or waits. stopped: whether the table itself has cancelled the run."""
        from langgraph.errors import GraphRecursionError

        kept = {"durability": "sync"} if self._rounds.human_seats else {}
        self._running = asyncio.ensure_future(self._graph.ainvoke(todo, self._config(), **kept))
        try:
            await self._running
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if not stopped() or (current is not None and current.cancelling()):
                raise
        except GraphRecursionError as error:
            fail(self._course, error)
            raise
        finally:
            self._running = None

    def cancel(self) -> None:
        """Stop the run, if there is one."""
        if self._running is not None:
            self._running.cancel()

    async def forget(self) -> None:
        """A game that is over needs no checkpoints; if they cannot go, they only take room."""
        with suppress(sqlite3.Error):
            if self._rounds.human_seats:
                await self._graph.checkpointer.adelete_thread(self._thread)

    def _config(self) -> RunnableConfig:
        return {"configurable": {"thread_id": self._thread}, "recursion_limit": NODES_A_ROUND * self._most}
