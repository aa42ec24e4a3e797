"""Every test has its own home, config file and locale; nobody's settings or key are seen."""

from pathlib import Path

import pytest

from cli.main import run
from tests.support.command import Ran, Tianhei


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of saved games; the config file would be config.toml in it."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TIANHEI_MODEL", "TIANHEI_LANG", "TIANHEI_DEBUG", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("TIANHEI_HOME", str(tmp_path))
    monkeypatch.setenv("TIANHEI_CONFIG", str(tmp_path / "config.toml"))
    return tmp_path


@pytest.fixture
def tianhei(home: Path, capsys: pytest.CaptureFixture[str]) -> Tianhei:
    """Run the command in this process, without a terminal."""

    def ran(*argv: str) -> Ran:
        capsys.readouterr()
        code = run(argv)
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return ran
