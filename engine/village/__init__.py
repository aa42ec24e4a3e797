"""The Village: buildings, one class each."""
