"""Who may sit in a seat: humans, models, built-in bots, scripts and remote agents."""
