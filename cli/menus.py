"""The commands that open the home screen, in this terminal or in a browser."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.helptext import Command
from cli.options import BaseUrlOption, HomeOption, LangOption, ModelOption
from cli.words import say


def open_home(lang: LangOption, model: ModelOption, base_url: BaseUrlOption, home: HomeOption) -> None:
    """The menus, until the person leaves. Raises typer.Exit with the exit code."""
    from cli.config import load
    from cli.play import at_home

    raise typer.Exit(at_home(load({"lang": lang, "model": model, "base_url": base_url, "home": home})))


def home_screen(
    model: ModelOption = None, base_url: BaseUrlOption = None, home: HomeOption = None, lang: LangOption = None
) -> None:
    """Menus on the screen."""
    open_home(lang, model, base_url, home)


def serve(
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, metavar="N", help=say("Port; 0 for any.", "端口；0 为任意。"))
    ] = 8000,
    home: HomeOption = None,
    lang: LangOption = None,
) -> None:
    """The app in a browser."""
    from cli.config import load
    from cli.serve import run_serve

    settings = load({"home": home, "lang": lang})
    raise typer.Exit(run_serve(["--lang", settings.lang, "--home", str(settings.home)], port))


def add(app: typer.Typer) -> None:
    """Put these commands on the command line."""
    told = say("Open the home screen: new games, records, rules, settings.", "打开主菜单：新对局、记录、规则、设置。")
    app.command(cls=Command, name="home", help=told)(home_screen)
    browser = say("Serve the home screen to a browser on this machine.", "在本机浏览器里打开主菜单。")
    app.command(cls=Command, name="serve", help=browser)(serve)
