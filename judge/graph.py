"""The LangGraph graph of a table: narrate, pose -> seats asked, side by side -> apply, narrate, pose ..., until over.

The state is a cursor, the number of decisions taken. Replies and events live in the table's store, so a checkpoint has
the same few bytes in the first round and in the last; it says where in its round the table stood, and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypedDict

from engine.asks import Ask

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph


class Cursor(TypedDict):
    """The graph's state. n: decisions taken."""

    n: int


class Chair(TypedDict):
    """What one seat's task gets: the decision it is asked for, and the seat."""

    n: int
    seat: int


NODES_A_ROUND = 2


class Rounds(Protocol):
    """What the graph drives: a table."""

    human_seats: frozenset[int]

    def pose(self) -> int:
        """Begin a round. Returns the number of decisions taken."""
        ...

    def open_asks(self) -> tuple[Ask, ...]:
        """The asks that still need a reply in this round; none if a reaction comes first."""
        ...

    async def collect(self, n: int, seat: int) -> None:
        """Get a seat's reply for decision n."""
        ...

    def apply(self, n: int) -> int:
        """Take decision n if everything it needs is there and it is not taken yet. Returns the decisions taken."""
        ...

    async def narrate(self) -> None:
        """Let the table see what came of it, at its pace."""
        ...

    def goes_on(self) -> bool:
        """Whether another round follows now."""
        ...


def build_graph(
    rounds: Rounds, saver: BaseCheckpointSaver[str] | None
) -> CompiledStateGraph[Cursor, None, Cursor, Cursor]:
    """The compiled graph of one table."""
    from langgraph.graph import END, START, StateGraph
    from langgraph.types import Send, interrupt

    # All are coroutines: LangGraph would run plain functions in threads, and the store belongs to the loop's thread.

    async def fan_out(state: Cursor) -> Any:  # Send is imported lazily, and LangGraph would look a hint up
        if not rounds.goes_on():
            return END
        n = rounds.pose()
        tasks = [
            Send("human" if ask.seat in rounds.human_seats else "seat", Chair(n=n, seat=ask.seat))
            for ask in rounds.open_asks()
        ]
        return tasks or "apply"

    async def seat(state: Chair) -> dict[str, Any]:
        await rounds.collect(state["n"], state["seat"])
        return {}

    async def human(state: Chair) -> dict[str, Any]:
        # A resumed node starts again from its first line, so nothing else may stand here: the answer itself went into
        # the journal when it was submitted, and the value that resumes says no more than that it is there.
        interrupt(dict(state))
        return {}

    async def apply(state: Cursor) -> Cursor:
        n = rounds.apply(state["n"])
        await rounds.narrate()
        return {"n": n}

    async def narrate(state: Cursor) -> Cursor:
        await rounds.narrate()
        return {"n": rounds.pose()}

    # Two steps a round, since each costs as much as half a model call takes of our own time: the seats, side by side,
    # and one that applies, narrates and poses.
    graph = StateGraph(Cursor)
    graph.add_node("narrate", narrate)
    graph.add_node("seat", seat, input_schema=Chair)
    graph.add_node("human", human, input_schema=Chair)
    graph.add_node("apply", apply)
    graph.add_edge(START, "narrate")
    for node in ("narrate", "apply"):
        graph.add_conditional_edges(node, fan_out, ["seat", "human", "apply", END])
    graph.add_edge("seat", "apply")
    graph.add_edge("human", "apply")
    return graph.compile(checkpointer=saver)
