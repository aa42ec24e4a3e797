"""Many games at once: sample games, campaigns, metrics and reports."""
