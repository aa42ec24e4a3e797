"""Writes what somebody wants to keep or show to others."""

from __future__ import annotations

import re
from pathlib import Path

from tui import after
from tui.lines import Labels
from tui.reveal import Section
from tui.strings import Strings
from tui.tape import Tape

FORMS = {"text": ".txt", "html": ".html", "record": ".jsonl"}
NAME = re.compile(r"[^\w.-]+")


def saved(folder: Path, form: str, made: list[Section], tape: Tape, labels: Labels, strings: Strings) -> Path:
    """Write a finished game as text, html or record, whole or not at all. Returns the file. Raises OSError."""
    if form == "record":
        data = b"".join(tape.record.raw)
    else:
        written = after.as_html if form == "html" else after.as_text
        data = written(made, tape, labels, strings).encode()
    path = folder / (NAME.sub("-", tape.record.header.game or "game")[:80] + FORMS[form])
    folder.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    part.replace(path)
    return path
