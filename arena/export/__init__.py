"""Annotated games in other people's formats."""
