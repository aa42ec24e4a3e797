"""Help in the person's language: typer's own few words are English, so they are put into Chinese here."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

from cli.words import current

CHINESE = (
    ("Usage: ", "用法："),
    (" [OPTIONS]", " [选项]"),
    (" COMMAND [ARGS]...", " 命令 [参数]…"),
    ("\nOptions:\n", "\n选项：\n"),
    ("\nArguments:\n", "\n参数：\n"),
    ("\nCommands:\n", "\n命令：\n"),
    ("Show this message and exit.", "显示本说明后退出。"),
    ("[default: ", "[默认："),
    ("[required]", "[必填]"),
)


def translated(text: str) -> str:
    """typer's own words in Chinese, where that is spoken."""
    if current() != "zh":
        return text
    for english, chinese in CHINESE:
        text = text.replace(english, chinese)
    return text


# A context is Any here: typer's own type of it is private.


class Command(TyperCommand):
    """A command whose help is in the person's language."""

    def get_help(self, ctx: Any) -> str:
        return translated(super().get_help(ctx))


class Group(TyperGroup):
    """The command itself, likewise."""

    def get_help(self, ctx: Any) -> str:
        return translated(super().get_help(ctx))
