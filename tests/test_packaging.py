"""The promises that the repository makes before any code runs."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES: list[str] = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
MAKE_TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def constraints() -> list[str]:
    """The requirements of constraints.txt, each with its hashes on one line."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]


def test_constraints_name_no_address() -> None:
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"^\s*-", text.replace("    --hash=", ""), re.MULTILINE), "an option, such as an index"


def test_constraints_pin_and_hash_everything() -> None:
    loose = [line for line in constraints() if not re.match(r"[a-z0-9-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line)]
    assert loose == []


def test_constraints_cover_every_declared_dependency() -> None:
    declared = PYPROJECT["project"]["dependencies"] + PYPROJECT["project"]["optional-dependencies"]["dev"]
    names = {re.split(r"[\[<>=~! ;]", requirement)[0].lower() for requirement in declared}
    pinned = {line.split("==")[0] for line in constraints()}
    assert names - pinned == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_package_is_typed_and_described(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()
    assert (ROOT / package / "__init__.py").read_text(encoding="utf-8").startswith('"""')


@pytest.mark.parametrize("section", ["mypy", "importlinter"])
def test_tools_look_at_every_package(section: str) -> None:
    tool = PYPROJECT["tool"][section]
    assert set(PACKAGES) <= set(tool.get("files", tool.get("root_packages")))


@pytest.mark.parametrize("page", ["README.md", "README.zh.md", "CONTRIBUTING.md"])
def test_documented_commands_exist(page: str) -> None:
    commands = set(re.findall(r"\bmake ([a-z]+)\b", "\n".join(code(ROOT / page))))
    assert commands, "a page that names no command"
    assert commands <= MAKE_TARGETS


def test_readme_leads_with_the_two_commands() -> None:
    for page in ("README.md", "README.zh.md"):
        text = "\n".join(code(ROOT / page))
        assert "make play" in text
        assert "make test" in text


def code(page: Path) -> list[str]:
    """Fenced blocks and `inline` code of a Markdown page."""
    text = page.read_text(encoding="utf-8")
    fenced = re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL)
    return fenced + re.findall(r"`([^`\n]+)`", text)
