"""Screens; the styles of each lie beside it."""
