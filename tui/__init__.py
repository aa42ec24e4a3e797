"""The terminal app: one table, seen through one seat's view."""

import os

if os.environ.get("TERM_PROGRAM") == "iTerm.app":
    # iTerm2 drops committed Chinese when all keys are asked for as escape codes; Textual reads this once, on import.
    os.environ.setdefault("TEXTUAL_DISABLE_KITTY_KEY", "1")
