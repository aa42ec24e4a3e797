"""The home screen's way to saved games, tables and settings (tui.house.House)."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from cli.config import Settings, config_path
from cli.errors import Problem, explain
from cli.play import judge_alone
from cli.seats import Seater
from cli.shelf import open_store, read_game
from cli.table import make_setup, my_seat
from cli.words import Lang, use
from engine.setup import Setup
from tui.house import Connection, HouseError, Opened, Plan, Saved

if TYPE_CHECKING:
    from judge.lines import Line, Sitter
    from judge.record import Record
    from judge.store import Store
    from players.base import Player
    from tui.session import PaceHook, PlayTable, TableFactory, Update

T = TypeVar("T")
RING = "tianhei"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


def told(do: Callable[[], T]) -> T:
    """The result; whatever goes wrong becomes a HouseError in the person's words."""
    try:
        return do()
    except Exception as error:
        raise HouseError(explain(error).line) from error


class CommandHouse:
    """Everything of one folder of saved games, with one person's settings."""

    def __init__(self, settings: Settings, env: Mapping[str, str]) -> None:
        self.settings = settings
        self._source = _key_source(settings, env)
        if self.settings.api_key is None and (key := ring_key()):
            self._set(api_key=key)
            self._source = "keyring"

    # -- what holds

    @property
    def lang(self) -> str:
        """The language spoken at home."""
        return self.settings.lang if self.settings.lang != "ja" else "en"

    @property
    def connection(self) -> Connection:
        """The model's server, without its key."""
        return Connection(self.settings.model or "", self.settings.base_url or "", self._source)

    @property
    def plan(self) -> Plan:
        """A game by the settings."""
        now = self.settings
        others = "builtin:normal" if now.seated == "builtin" else now.seated
        return Plan(now.ruleset, now.seats, now.deck, lang=self.lang, others=others)

    @property
    def share(self) -> Path:
        """Where what is saved for others goes."""
        return self.settings.home / "shared"

    def games(self) -> list[Saved]:
        """Everything on the shelf, the newest first; a shelf that cannot be read is empty here and told on opening."""
        from arena.shelf import entries

        listed: list[Saved] = []
        try:
            store = open_store(self.settings.home)
            for game in store.games() if store is not None else ():
                setup, created = game.header.setup, game.header.created
                listed.append(Saved(game.id, game.status, setup.ruleset, setup.size, game.days, game.winners, created))
            if store is not None:
                store.close()
        except Exception as error:
            listed.append(Saved(explain(error).line[:60], "broken"))
        for entry in entries(self.settings.records):
            ruleset, seats = (entry.setup.ruleset, entry.setup.size) if entry.setup else ("", 0)
            listed.append(Saved(entry.name, entry.state, ruleset, seats, entry.days, entry.winners, entry.created))
        return sorted(listed, key=lambda game: game.created, reverse=True)

    # -- tables

    def begin(self, plan: Plan) -> Opened:
        """Deal a new game. Raises HouseError."""
        return told(lambda: self._begin(plan))

    def _begin(self, plan: Plan) -> Opened:
        lang: Lang = "zh" if plan.lang == "zh" else "en"
        use(lang)
        seed = secrets.randbelow(1_000_000) if plan.seed is None else plan.seed
        settings = self.settings.model_copy(
            update={"ruleset": plan.ruleset, "seats": plan.seats, "deck": plan.deck, "lang": lang}
        )
        seat = my_seat(plan.me, plan.seats, seed)
        people = tuple(sorted({*plan.friends, *([seat] if seat else [])}))
        if plan.judge == "human":
            judge_alone(bool(people))
            people = (0,)
        overrides = [f"{option}={value}" for option, value in plan.options.items()]
        wish = (seat, plan.role) if seat and plan.role else None
        setup = make_setup(settings, seed=seed, overrides=overrides, wish=wish)
        specs = {at: plan.sitters.get(at, plan.others) for at in range(1, setup.size + 1)}
        specs |= dict.fromkeys(people, "human")
        if plan.judge == "model":
            specs[0] = plan.judge
        from judge.store import new_id

        name = new_id(setup)
        seater = Seater(settings.model_copy(update={"players": "builtin"}), people[0] if people else None)

        async def make(update: Update, pace: PaceHook) -> PlayTable:
            from judge.store import Store
            from judge.table import Table

            return await self._made(
                specs,
                seater,
                lambda: Table.new(
                    setup,
                    seater.seated(setup, specs),
                    Store(settings.home),
                    on_update=update,
                    pace=pace,
                    game_id=name,
                    budget=seater.budget(),
                    voice=seater.voice(specs.get(0, "")),
                ),
            )

        return self._opened(make, people, name, lang, coach=plan.coach)

    def resume(self, name: str) -> Opened:
        """Go on with a stopped game. Raises HouseError."""
        return told(lambda: self._resume(self._store(), name))

    def _resume(self, store: Store, name: str) -> Opened:
        header = store.record(name).header
        people = tuple(sitter.seat for sitter in header.players if sitter.kind == "human")
        specs = {sitter.seat: sitter.spec for sitter in header.players}
        seater = Seater(self.settings.model_copy(update={"players": "builtin"}), people[0] if people else None)

        async def make(update: Update, pace: PaceHook) -> PlayTable:
            from judge.table import Table

            def seated(setup: Setup, specs: dict[int, str]) -> Mapping[int, Player]:
                return seater.seated(setup, specs)

            return await self._made(
                specs,
                seater,
                lambda: Table.resume(
                    store,
                    name,
                    seated,
                    on_update=update,
                    pace=pace,
                    budget=seater.budget(),
                    voice=seater.voice(specs.get(0, "")),
                ),
            )

        return self._opened(make, people, name, "zh" if header.setup.lang == "zh" else "en")

    async def _made(self, specs: Mapping[int, str], seater: Seater, make: Callable[[], PlayTable]) -> PlayTable:
        """The table, once the model's server is known to answer if any seat needs it. Raises HouseError."""
        try:
            if any(spec.partition(":")[0] in ("model", "hybrid") for spec in specs.values()):
                from players.model import check_endpoint

                await check_endpoint(seater.endpoint(), seater.memory())
            return make()
        except Exception as error:
            raise HouseError(explain(error).line) from error

    def _opened(
        self, make: TableFactory, people: tuple[int, ...], name: str, lang: str, *, coach: bool = False
    ) -> Opened:
        notes = self._notes(name)
        return Opened(make, people, name, lang, self.share, notes if len(people) == 1 else None, coach)

    def record(self, name: str) -> Record:
        """A game's record. Raises HouseError."""
        return told(lambda: read_game(self.settings, name))

    def rename(self, name: str, to: str) -> None:
        """Another name for a game. Raises HouseError."""
        told(lambda: self._rename(name, to))

    def _rename(self, name: str, to: str) -> None:
        from arena.shelf import find

        if not NAME.fullmatch(to):
            raise Problem(
                f"{to!r} cannot be a name; use letters, digits, dots and hyphens, at most 80",
                f"{to!r} 不能作名字；请用字母、数字、点和连字符，最多 80 个",
            )
        if find(self.settings.records, to) is not None or any(game.name == to for game in self.games()):
            raise Problem(f"there is already a game {to}", f"已经有对局 {to}")
        path = find(self.settings.records, name)
        if path is not None:
            path.rename(path.with_name(to + path.suffix))
            return
        self._store().rename(name, to)
        notes = self._notes(name)
        if notes.exists():
            notes.rename(self._notes(to))

    def delete(self, name: str) -> None:
        """Take a game off the shelf. Raises HouseError."""
        told(lambda: self._delete(name))

    def _delete(self, name: str) -> None:
        from arena.shelf import find

        path = find(self.settings.records, name)
        if path is not None:
            path.unlink()
            return
        self._store().delete(name)
        self._notes(name).unlink(missing_ok=True)

    def _notes(self, name: str) -> Path:
        return self.settings.home / "notes" / f"{name}.json"

    def branch(self, record: Record, after: int, seat: int) -> Opened:
        """A new game from a record's first decisions, with a person in one seat. Raises HouseError."""
        return told(lambda: self._branch(record, after, seat))

    def _branch(self, record: Record, after: int, seat: int) -> Opened:
        from judge.lines import DecisionLine, Sitter
        from judge.store import Store

        old = record.header
        name = f"{old.game[:60]}-{secrets.token_hex(3)}"
        spec = {sitter.seat: sitter for sitter in old.players}
        players = [
            Sitter(at, "human", "human", "human") if at == seat else _stand_in(spec.get(at), at)
            for at in sorted({*spec, *range(1, old.setup.size + 1)})
        ]
        created = datetime.now(UTC).isoformat(timespec="seconds")
        header = msgspec.structs.replace(old, game=name, players=tuple(players), created=created)
        kept: list[Line] = []
        for line in record.lines[1:]:
            if isinstance(line, DecisionLine) and line.n >= after:
                break
            kept.append(line)
        store = Store(self.settings.home)
        store.create(header)
        store.append(name, kept)
        return self._resume(store, name)

    def _store(self) -> Store:
        from judge.store import Store

        return open_store(self.settings.home) or Store(self.settings.home)

    # -- settings

    async def check(self, connection: Connection, key: str) -> None:
        """Ask the server. Raises HouseError."""
        from players.model import Endpoint, check_endpoint

        try:
            given = {
                "model": connection.model,
                "base_url": connection.base_url or None,
                "api_key": key or self.settings.key,
            }
            await check_endpoint(Endpoint.model_validate(given))
        except Exception as error:
            raise HouseError(explain(error).line) from error

    def keep(self, connection: Connection, key: str, lang: str) -> None:
        """Keep the settings in the config file, and a key in the keyring, or for this session. Raises HouseError."""

        def do() -> None:
            chosen: dict[str, object] = {
                "model": connection.model or None,
                "base_url": connection.base_url or None,
                "lang": "zh" if lang == "zh" else "en",
            }
            Settings.model_validate({**self.settings.model_dump(), **chosen})
            self._set(**chosen)
            write_settings(config_path(), {name: str(value or "") for name, value in chosen.items()})
            if key:
                self._set(api_key=key)
                self._source = "keyring" if keep_in_ring(key) else "session"

        told(do)

    def _set(self, **values: object) -> None:
        plain = {name: getattr(self.settings, name) for name in Settings.model_fields} | values
        self.settings = Settings.model_validate(plain)


def _stand_in(sitter: Sitter | None, seat: int) -> Sitter:
    """Who sat there sits there again; a person of the old game is played by the built-in player."""
    from judge.lines import Sitter

    if sitter is not None and sitter.kind in ("builtin", "model", "random"):
        return sitter
    return Sitter(seat, "builtin", "builtin:plain", "builtin:plain")


def _key_source(settings: Settings, env: Mapping[str, str]) -> str:
    if settings.api_key is None:
        return ""
    return "environment" if env.get("OPENAI_API_KEY") else "file"


def _ring() -> Any:
    """The keyring package, which need not be there; it has no types that could be had without it."""
    return import_module("keyring")


def ring_key() -> str | None:
    """The key in the system's keyring, if there is a keyring and a key in it."""
    try:
        found: str | None = _ring().get_password(RING, "api_key")
    except Exception:  # no such package, no keyring, or one that is locked
        return None
    return found


def keep_in_ring(key: str) -> bool:
    """Whether the key could be kept in the system's keyring; one that only takes keys and keeps none has not."""
    try:
        _ring().set_password(RING, "api_key", key)
    except Exception:
        return False
    return ring_key() == key


def write_settings(path: Path, values: Mapping[str, str]) -> None:
    """Set these lines of the config file and leave all others as they are; an empty value takes its line out."""
    text = path.read_text("utf-8") if path.exists() else ""
    for name, value in values.items():
        line = f"{name} = {_toml(value)}\n" if value else ""
        pattern = re.compile(rf"^{name}\s*=.*\n?", re.MULTILINE)
        replaced, found = pattern.subn(line.replace("\\", r"\\"), text, count=1)
        text = replaced if found else line + text
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(text, "utf-8")
    part.replace(path)


def _toml(value: str) -> str:
    """A TOML basic string."""
    import json

    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
