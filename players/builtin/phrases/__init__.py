"""The built-in players' lines, as data."""
