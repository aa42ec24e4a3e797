"""Every key of the table, once: bindings, key bar and help are made from this."""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding, BindingType

from tui.strings import Strings


@dataclass(frozen=True, slots=True)
class Key:
    """keys: as Textual names them. label: key into the strings. show: what the bar and the help call it.

    bar: whether the key bar holds it. when: only while reacting, over, playing or watching, else always. yields: how
    soon it leaves the bar where there is no room, 1 first, 0 never.
    """

    keys: str
    action: str
    label: str
    show: str
    bar: bool = True
    when: str = ""
    yields: int = 0


KEYS = (
    Key("f1,question_mark", "help", "key.help", "F1"),
    Key("f2", "notes", "key.notes", "F2", yields=4),
    Key("f3", "votes", "key.votes", "F3"),
    Key("f4", "rules", "key.rules", "F4"),
    Key("f5", "reveal", "key.reveal", "F5", when="over"),
    Key("f6", "aside", "key.hint", "F6", when="playing", yields=2),
    Key("f6", "aside", "key.place", "F6", when="watching"),
    Key("f7", "language", "key.language", "F7", yields=1),
    Key("f8", "react", "key.react", "F8", when="reacting"),
    Key("f9", "hide", "key.hide", "F9"),
    Key("space", "pause", "key.pause", "space", yields=3),
    Key("full_stop", "step", "key.step", ".", bar=False),
    Key("plus,equals_sign", "speed(1)", "key.speed", "+-", yields=2),
    Key("minus", "speed(-1)", "key.speed", "-", bar=False),
    Key("ctrl+f", "find", "key.find", "^F", yields=3),
    Key("ctrl+t", "topic", "key.topic", "^T", yields=2),
    Key("ctrl+n", "sheet", "key.sheet", "^N", yields=2),
    Key("escape", "all", "key.all", "Esc", bar=False),
    Key("pageup", "page(-1)", "key.page", "PgUp", bar=False),
    Key("pagedown", "page(1)", "key.page", "PgDn", bar=False),
    Key("end,ctrl+end", "newest", "key.newest", "End", bar=False),
    Key("ctrl+q", "app.quit", "key.quit", "^Q"),
)


def bindings() -> list[BindingType]:
    """The table screen's bindings. Function keys work while somebody types; plain keys do not."""
    return [
        Binding(key.keys, key.action, key.label, show=False, priority=key.keys.startswith("ctrl+"))
        for key in KEYS
        if key.action != "app.quit"
    ]


def shown(key: Key, strings: Strings) -> tuple[str, str]:
    """A key's name and what it does, as people read it."""
    return strings.get(f"keyname.{key.show}", key.show), strings(key.label)
