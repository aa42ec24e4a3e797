"""Whole-game variants, one class each."""
