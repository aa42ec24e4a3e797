"""The commands of evaluation, as typed."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from cli.main import run
from tests.support.stub_openai import Stub, running

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = """
name = "small"
deals = 2
seed = 3
reference = "random"
[[agents]]
id = "hard"
player = "builtin:hard"
[[agents]]
id = "random"
player = "random"
"""


def test_evaluate_report_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "c.toml"
    config.write_text(SMALL, encoding="utf-8")
    out = tmp_path / "out"
    assert run(["evaluate", str(config), "-o", str(out), "-l", "en"]) == 0
    shown = capsys.readouterr().out
    assert "8 games, 2 deals, 0 without a result" in shown
    assert (out / "report.zh.html").exists()
    stamps = {path: path.stat().st_mtime_ns for path in (out / "games").rglob("*.jsonl")}
    assert run(["evaluate", str(config), "-o", str(out), "-l", "en", "--json"]) == 0
    numbers = json.loads(capsys.readouterr().out)
    assert numbers["agents"]["hard"]["lift"]["n"] > 10
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in stamps.items())
    assert run(["report", str(out), "-o", str(tmp_path / "r"), "-l", "zh"]) == 0
    assert "评测报告" in capsys.readouterr().out
    assert run(["export", str(out), "-f", "jsonl", "-o", str(tmp_path / "e"), "-l", "en"]) == 0
    assert "8 games" in capsys.readouterr().out
    config.write_text(SMALL.replace("deals = 2", "deals = 3"), encoding="utf-8")
    assert run(["evaluate", str(config), "-o", str(out), "-l", "en"]) == 2
    assert "another plan" in capsys.readouterr().err


def test_annotate(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["annotate", str(EXAMPLES / "games"), "-o", str(tmp_path), "-l", "en"]) == 0
    assert "20 games" in capsys.readouterr().out
    assert len(list(tmp_path.iterdir())) == 20


def test_plan(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", "--margin", "0.05", "--difference", "0.1", "--rho", "0.2", "-l", "en"]) == 0
    shown = capsys.readouterr().out
    assert "381" in shown
    assert "314" in shown
    assert run(["plan", str(EXAMPLES / "levels.toml"), "-l", "en"]) == 0
    assert "160 games on 10 deals" in capsys.readouterr().out
    assert run(["plan", "--margin", "7", "-l", "en"]) == 2


def test_mistakes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["export", str(EXAMPLES / "games"), "-f", "xml", "-o", str(tmp_path), "-l", "zh"]) == 2
    assert "没有格式" in capsys.readouterr().err
    bad = tmp_path / "bad.toml"
    bad.write_text("name = 3", encoding="utf-8")
    assert run(["evaluate", str(bad), "-l", "en"]) == 3
    assert run(["annotate", str(tmp_path / "none"), "-l", "en"]) in (2, 3)
    assert "Traceback" not in capsys.readouterr().err


def test_samples(tmp_path: Path) -> None:
    assert run(["samples", "-n", "2", "--small", "-o", str(tmp_path)]) == 0
    assert len(list(tmp_path.iterdir())) == 2


def test_agreement_with_a_labelled_set(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["annotate", str(EXAMPLES / "games"), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    claims = [row for row in rows if row["table"] == "claim" and row["label"] != "NONE"][:40]
    labels = tmp_path / "labels.jsonl"
    told = [
        {"target_id": row["claim_id"], "label": row["label"], "annotator": who} for row in claims for who in ("a", "b")
    ]
    labels.write_text("\n".join(map(json.dumps, told)), encoding="utf-8")
    assert run(["annotate", str(EXAMPLES / "games"), "--against", str(labels), "-l", "en"]) == 0
    shown = capsys.readouterr().out
    assert "kappa  engine / a  1.000  n=40" in shown
    assert "alpha  1.000  n=40  headline" in shown
    labels.write_text("{", encoding="utf-8")
    assert run(["annotate", str(EXAMPLES / "games"), "--against", str(labels), "-l", "en"]) == 3


async def test_a_model_labels_speeches_and_its_agreement_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    class Reader(Stub):
        """Names no act in any speech but that it accuses, where the word for a wolf or a doubt stands there."""

        def answer(self, request: dict[str, Any], fault: str = "") -> tuple[int, dict[str, Any]]:
            status, body = super().answer(request, fault)
            asked = request["messages"][-1]["content"]
            if "CLAIM_ROLE" in asked:
                speech = asked.splitlines()[2]
                acts = ["ACCUSE"] if any(word in speech for word in ("狼", "wolf", "suspicious", "可疑")) else []
                body["choices"][0]["message"]["content"] = json.dumps({"acts": acts})
            return status, body

    async with running(Reader()) as stub:
        words = ["annotate", str(EXAMPLES / "games"), "--against", str(EXAMPLES / "acts.jsonl"), "--judge", "m"]
        assert await asyncio.to_thread(run, [*words, "--base-url", stub.url, "-l", "en"]) == 0
        asked = [str(request["messages"]) for request in stub.requests if "CLAIM_ROLE" in str(request["messages"])]
    shown = capsys.readouterr().out
    assert len(asked) == 23
    assert any("待标注的材料" in one for one in asked)
    assert any("material to be labelled" in one for one in asked)
    kappa = {line.split("  ")[1]: float(line.split("  ")[2]) for line in shown.splitlines() if line.startswith("kappa")}
    assert kappa["engine / reader"] > 0.8
    assert 0 < kappa["m / reader"] < kappa["engine / reader"]
    assert "n=230" in shown
    assert "alpha" in shown
    assert run(["annotate", str(EXAMPLES / "games"), "--judge", "m", "-l", "en"]) == 2
