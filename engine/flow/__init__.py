"""The procedures of a game, each a generator that reads like the rulebook."""
