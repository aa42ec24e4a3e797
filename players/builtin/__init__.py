"""Built-in players: no model, no network, from the view alone.

memory (facts folded from events) -> beliefs (a probability for every seat) -> strategy (what to do) and speech (what to
say); listen turns the others' words into claims.
"""

from players.builtin.player import BuiltinPlayer

__all__ = ["BuiltinPlayer"]
