"""Exports are whole, split by deal, and show no seat what it could not know; pages are self-contained and escaped."""

import json
import re
import sys
from pathlib import Path

import msgspec
import pytest

from arena.annotate import Meta, annotate
from arena.annotate.tables import NINE
from arena.design.read import read_games
from arena.design.samples import setups
from arena.export.base import Export, ExportError, canary, split_of
from arena.export.formats import FORMATS
from arena.export.plain import chat_lines
from arena.report.page import page
from arena.report.summary import summarise
from arena.report.terminal import as_json, grid, number, tables, width
from judge.direct import play_direct
from judge.record import MemorySink, parse_record
from players.factory import make_players

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"


@pytest.fixture(scope="module")
def export() -> Export:
    games = list(read_games(EXAMPLES, canary("test")))[:4]
    return Export("test", tuple(t for _, t in games), tuple(r for r, _ in games), canary("test"))


def test_the_examples_are_twenty_small_games_in_both_languages() -> None:
    games = list(read_games(EXAMPLES))
    assert len(games) == 20
    assert {tables.game.lang for _, tables in games} == {"zh", "en"}
    assert len({tables.game.ruleset for _, tables in games}) >= 6
    assert all(tables.game.status == "finished" for _, tables in games)
    assert all(path.stat().st_size < 120_000 for path in EXAMPLES.iterdir())


def test_jsonl_holds_nine_tables(export: Export, tmp_path: Path) -> None:
    made = FORMATS["jsonl"](export, tmp_path)
    assert len(made) == 5
    rows = [json.loads(line) for line in made[0].read_text(encoding="utf-8").splitlines()]
    assert {row["table"] for row in rows} == set(NINE) - {"llm_call"}  # built-in players make no calls
    assert rows[0]["canary"] == export.canary
    assert made[0].parent.name == split_of(export.tables[0].game.block_id)
    card = made[-1].read_text(encoding="utf-8")
    assert export.canary in card
    assert "license: cc-by-4.0" in card


def test_the_two_languages_of_a_deal_fall_into_one_split() -> None:
    (setup,) = setups(1)
    blocks = []
    for lang in ("zh", "en"):
        one = msgspec.structs.replace(setup, lang=lang)
        sink = MemorySink()
        play_direct(one, make_players(one, dict.fromkeys(range(1, one.size + 1), "random")), sink)
        blocks.append(annotate(parse_record(sink.data(), lang)).game)
    assert blocks[0].block_id == blocks[1].block_id
    assert blocks[0].deal_id != blocks[1].deal_id


def test_convokit_replies_within_a_conversation(export: Export, tmp_path: Path) -> None:
    FORMATS["convokit"](export, tmp_path)
    rows = [json.loads(line) for line in (tmp_path / "utterances.jsonl").read_text(encoding="utf-8").splitlines()]
    ids = {row["id"]: row["conversation_id"] for row in rows}
    assert all(row["reply-to"] is None or ids[row["reply-to"]] == row["conversation_id"] for row in rows)
    speakers = json.loads((tmp_path / "speakers.json").read_text(encoding="utf-8"))
    assert {row["speaker"] for row in rows} <= set(speakers)
    assert set(json.loads((tmp_path / "conversations.json").read_text(encoding="utf-8"))) == set(ids.values())
    index = json.loads((tmp_path / "index.json").read_text(encoding="utf-8"))
    assert "wolf" in index["utterances-index"]


def test_chat_shows_a_seat_only_its_own_view(export: Export) -> None:
    """A villager's prompts are the same whoever the wolves are: no other seat's card stands in them."""
    for game, record in zip(export.tables, export.records, strict=True):
        villager = next(row.seat for row in game.seats if row.role == "villager")
        lines = [line for line in chat_lines(game, record) if line["seat"] == villager]
        assert lines
        for line in lines:
            assert [part["weight"] for part in line["messages"][:-1]] == [0] * (len(line["messages"]) - 1)
            reply = json.loads(line["messages"][-1]["content"])
            assert "choice" in reply or "speech" in reply
            text = "".join(part["content"] for part in line["messages"][:-1])
            assert "agent_id" not in text
            assert game.game.canary not in text


def test_aiwolf_lines(export: Export, tmp_path: Path) -> None:
    for path in FORMATS["aiwolf"](export, tmp_path):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert re.fullmatch(r"\d+,result,\d+,\d+,(WEREWOLF|VILLAGER)", lines[-1])
        kinds = {line.split(",")[1] for line in lines}
        assert {"status", "talk", "vote"} <= kinds
        roles = {line.split(",")[3] for line in lines if line.split(",")[1] == "status"}
        assert roles <= {"WEREWOLF", "SEER", "MEDIUM", "BODYGUARD", "VILLAGER", "POSSESSED"}
        assert all(len(line.split(",")) == 6 for line in lines if ",talk," in line)


@pytest.mark.parametrize(("form", "module"), [("parquet", "pyarrow"), ("inspect", "inspect_ai.log")])
def test_a_missing_package_is_told(
    form: str, module: str, export: Export, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ExportError, match="pip install"):
        FORMATS[form](export, tmp_path)


def test_parquet_comes_back(export: Export, tmp_path: Path) -> None:
    files = pytest.importorskip("pyarrow.parquet")
    made = FORMATS["parquet"](export, tmp_path)
    claims = [row for path in made if path.name == "claim.parquet" for row in files.read_table(path).to_pylist()]
    assert len(claims) == sum(len(game.claims) for game in export.tables)
    schemas = {str(files.read_schema(path)) for path in made if path.name == "belief.parquet"}
    assert len(schemas) == 1


def test_parquet_keeps_the_rules_of_hugging_face_data_sets(export: Export, tmp_path: Path) -> None:
    """A config for each table in the card's YAML head, whose paths match files of one schema; loaded, if it can be."""
    files = pytest.importorskip("pyarrow.parquet")
    FORMATS["parquet"](export, tmp_path)
    head = (tmp_path / "README.md").read_text(encoding="utf-8").split("---\n")[1]
    paths = re.findall(r"path: (\S+)", head)
    assert len(paths) >= len(NINE) - 1
    assert set(re.findall(r"config_name: (\w+)", head)) <= set(NINE)
    for path in paths:
        found = sorted(tmp_path.glob(path.strip("'\"")))
        assert found, path
        assert len({str(files.read_schema(one).remove_metadata()) for one in found}) == 1


def test_hugging_face_datasets_loads_it(export: Export, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    datasets = pytest.importorskip("datasets")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    FORMATS["parquet"](export, tmp_path / "data")
    loaded = datasets.load_dataset(str(tmp_path / "data"), "claim", cache_dir=str(tmp_path / "cache"))
    assert sum(len(split) for split in loaded.values()) == sum(len(game.claims) for game in export.tables)


def test_convokit_loads_it(export: Export, tmp_path: Path) -> None:
    convokit = pytest.importorskip("convokit")
    FORMATS["convokit"](export, tmp_path)
    corpus = convokit.Corpus(filename=str(tmp_path))
    spoken = sum(bool(said.text) for game in export.tables for said in game.utterances)
    assert len(list(corpus.iter_utterances())) == spoken
    assert all(talk.check_integrity(verbose=False) for talk in corpus.iter_conversations())


def test_convokit_keeps_the_rules_of_its_format(export: Export, tmp_path: Path) -> None:
    """An id of a conversation is that of its first utterance, which alone replies to nothing; metadata are indexed."""
    FORMATS["convokit"](export, tmp_path)
    rows = [json.loads(line) for line in (tmp_path / "utterances.jsonl").read_text(encoding="utf-8").splitlines()]
    assert all(
        {"id", "conversation_id", "text", "speaker", "meta", "reply-to", "timestamp"} <= row.keys() for row in rows
    )
    assert {row["id"] for row in rows if row["reply-to"] is None} == {row["conversation_id"] for row in rows}
    index = json.loads((tmp_path / "index.json").read_text(encoding="utf-8"))
    assert {key for row in rows for key in row["meta"]} == index["utterances-index"].keys()
    assert {"utterances-index", "speakers-index", "conversations-index", "overall-index", "version"} <= index.keys()


# ---------------------------------------------------------------- the report


def test_the_page_needs_nothing_else_and_escapes(export: Export) -> None:
    game = annotate(export.records[0], Meta(agents={1: "<script>alert(1)</script>", 2: "狼王"}))
    for lang in ("zh", "en"):
        text = page(summarise([game, *export.tables], "<b>x</b>"), [game], lang)
        assert "<script" not in text
        assert "<b>x" not in text
        assert "狼王" in text
        assert not re.search(r"(src|href)=|url\(|@import|https?://", text)
        assert "prefers-color-scheme:dark" in text
        assert "nan" not in re.sub(r"<title>.*?</title>", "", text)
    assert "假" not in page(summarise(export.tables, "x"), [], "en")


def test_terminal_tables_line_up_in_both_languages(export: Export) -> None:
    summary = summarise(export.tables, "x")
    for lang in ("zh", "en"):
        lines = tables(summary, lang).splitlines()
        assert any("builtin:hard" in line for line in lines)
    rows = grid(["玩家", "n"], [["狼", "1"], ["villager", "22"]])
    assert len({width(row) for row in (rows[0], *rows[2:])}) == 1
    assert number(-0.001) == "0.00"
    assert number(None) == "–"
    assert json.loads(as_json(summary))["games"] == 4
