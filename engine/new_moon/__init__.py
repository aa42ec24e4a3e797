"""New Moon: event cards, one class each."""
