"""The truth: a deterministic engine for Werewolf."""
