"""Annotation: truth by the engine, honesty by what a speaker could know."""

from arena.annotate.game import Meta, annotate
from arena.annotate.tables import Tables

__all__ = ["Meta", "Tables", "annotate"]
