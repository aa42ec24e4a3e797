"""Rulesets: what holds at a table, as data."""
