"""Exports that need no other package: JSONL, ConvoKit, chat, AIWolf, HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena.annotate.tables import NINE, EventRow, Tables, nine
from arena.export.base import Export, card, split_of, write_json, write_json_lines
from engine.game import Game
from judge.lines import Asked, DecisionLine
from judge.record import Record


def jsonl(export: Export, folder: Path) -> Sequence[Path]:
    """data/<split>/<game>.jsonl: every row of a game with its table's name; and the card."""
    made = []
    for game in export.tables:
        rows = ({"table": name, **msgspec.to_builtins(row)} for name in NINE for row in nine(game)[name])
        path = folder / "data" / split_of(game.game.block_id) / f"{game.game.game_id}.jsonl"
        made.append(write_json_lines(path, rows))
    return [*made, _card(export, folder, "jsonl")]


def _card(export: Export, folder: Path, formats: str) -> Path:
    path = folder / "README.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(card(export, formats), encoding="utf-8")
    return path


# ---------------------------------------------------------------- ConvoKit


def convokit(export: Export, folder: Path) -> Sequence[Path]:
    """A ConvoKit corpus folder; its code reads the key `reply-to`. Private talk is its own conversation."""
    speakers: dict[str, Any] = {}
    conversations: dict[str, Any] = {}
    utterances: list[dict[str, Any]] = []
    for game in export.tables:
        wolves = {row.seat: row for row in game.seats}
        for row in game.seats:
            meta = {"seat": row.seat, "role": row.role, "team": row.team, "agent": row.agent_id, "won": row.won}
            speakers[f"{game.game.game_id}:{row.seat}"] = {"meta": meta, "vectors": []}
        about = {"ruleset": game.game.ruleset, "lang": game.game.lang, "winner": game.game.winner}
        last: dict[str, str] = {}
        for said in game.utterances:
            if not said.text:
                continue
            talk = f"{game.game.game_id}:{said.channel}"
            first = last.setdefault(f"{talk}:first", said.utt_id)
            conversations.setdefault(first, {"meta": {**about, "channel": said.channel}, "vectors": []})
            labels = [claim.label for claim in game.claims if claim.utt_id == said.utt_id and claim.label != "NONE"]
            meta = {"day": said.day, "phase": said.phase, "acts": said.acts, "labels": labels, "hides": said.hides}
            meta["wolf"] = wolves[said.seat].wolf
            utterances.append({
                "id": said.utt_id, "conversation_id": first, "text": said.text,
                "speaker": f"{game.game.game_id}:{said.seat}", "meta": meta, "reply-to": last.get(talk),
                "timestamp": said.seq, "vectors": [],
            })  # fmt: skip
            last[talk] = said.utt_id
    index = {
        "utterances-index": _index(one["meta"] for one in utterances),
        "speakers-index": _index(one["meta"] for one in speakers.values()),
        "conversations-index": _index(one["meta"] for one in conversations.values()),
        "overall-index": {"name": ["<class 'str'>"], "canary": ["<class 'str'>"]},
        "version": 1,
        "vectors": [],
    }
    return [
        write_json_lines(folder / "utterances.jsonl", utterances),
        write_json(folder / "speakers.json", speakers),
        write_json(folder / "conversations.json", conversations),
        write_json(folder / "corpus.json", {"name": export.name, "canary": export.canary}),
        write_json(folder / "index.json", index),
        _card(export, folder, "convokit"),
    ]


def _index(metas: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for meta in metas:
        for key, value in meta.items():
            kind = str(type(list(value) if isinstance(value, tuple) else value))
            if kind not in found.setdefault(key, []):
                found[key].append(kind)
    return found


# ---------------------------------------------------------------- chat


def chat(export: Export, folder: Path) -> Sequence[Path]:
    """<split>.jsonl: a line a decision, messages as a model would have been asked, from that seat's view alone.

    weight 1 marks a reply worth learning: the seat's own, of a seat that won; all others are 0.
    """
    lines: dict[str, list[dict[str, Any]]] = {}
    for game, record in zip(export.tables, export.records, strict=True):
        split = split_of(game.game.block_id)
        lines.setdefault(split, []).extend(chat_lines(game, record))
    made = [write_json_lines(folder / f"{split}.jsonl", rows) for split, rows in sorted(lines.items())]
    return [*made, _card(export, folder, "chat")]


def chat_lines(tables: Tables, record: Record) -> Iterator[dict[str, Any]]:
    """The lines of one game."""
    from prompts.model import merged, messages

    won = {row.seat for row in tables.seats if row.won}
    game = Game(record.header.setup)
    for line in record.lines:
        if not isinstance(line, DecisionLine):
            continue
        for one in line.asked:
            seat = one.ask.seat
            if seat:
                view = game.view(seat)
                prompt = merged(messages(view, one.ask, (), "", view.lang))
                asked = [{"role": part.role, "content": part.content, "weight": 0} for part in prompt]
                weight = int(seat in won and not one.fallback)
                content = msgspec.json.encode(_reply(one)).decode()
                yield {
                    "messages": [*asked, {"role": "assistant", "content": content, "weight": weight}],
                    "game_id": tables.game.game_id,
                    "seat": seat,
                    "ask": one.ask.kind,
                }
        game.apply(line.decision())


def _reply(one: Asked) -> dict[str, Any]:
    """The reply in the form in which models are asked to give it (prompts.reply)."""
    reply: dict[str, Any] = {"reasoning": one.reasoning}
    reply["beliefs"] = [{"seat": seat, "wolf": p} for seat, p in sorted(one.beliefs.items())]
    if one.ask.form != "text":
        return {**reply, "choice": one.answer}
    said = one.answer
    text = said.get("text", "") if isinstance(said, dict) else said or ""
    claims = [
        {
            "act": c.act,
            "subject": c.subject,
            "target": c.target,
            "about": c.about,
            "value": c.value,
            "negated": c.negated,
        }
        for c in one.claims
    ]
    return {**reply, "speech": text, "claims": claims}


# ---------------------------------------------------------------- AIWolf

AIWOLF_ROLES = {
    "werewolf": "WEREWOLF", "seer": "SEER", "medium": "MEDIUM", "guard": "BODYGUARD", "bodyguard": "BODYGUARD",
    "madman": "POSSESSED",
}  # fmt: skip
"""The protocol's roles are closed: every other wolf card becomes WEREWOLF, every other card VILLAGER."""


def aiwolf(export: Export, folder: Path) -> Sequence[Path]:
    """<game>.log in AIWolf's comma lines: what the protocol has no line for is left out."""
    made = []
    for game in export.tables:
        path = folder / f"{game.game.game_id}.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(aiwolf_lines(game)) + "\n", encoding="utf-8")
        made.append(path)
    return made


def aiwolf_lines(game: Tables) -> Iterator[str]:
    """The lines of one game, in order."""
    talk = {said.seq: said for said in game.utterances if said.channel == "public"}
    votes: dict[int, list[str]] = {}
    for cast in game.ballots:
        votes.setdefault(cast.day, []).append(f"{cast.day},vote,{cast.voter},{cast.target or -1}")
    ids: dict[int, int] = {}
    for row in game.events:
        if row.type == "phase" and row.payload.get("name") in ("setup", "night"):
            yield from _status(game, row.day)
        if row.seq in talk:
            said = talk[row.seq]
            at = ids[row.day] = ids.get(row.day, -1) + 1
            yield f"{row.day},talk,{at},{said.order_in_phase},{said.seat},{_one_line(said.text) or 'Skip'}"
        elif row.type == "ballots":
            yield from votes.pop(row.day, [])
        else:
            yield from _deed(game, row)
    sides = [sum(row.death_day is None and row.wolf == wolf for row in game.seats) for wolf in (False, True)]
    yield f"{game.game.days},result,{sides[0]},{sides[1]},{'WEREWOLF' if 'wolves' in game.game.winner else 'VILLAGER'}"


def _status(game: Tables, day: int) -> Iterator[str]:
    for row in game.seats:
        state = "DEAD" if row.death_day is not None and row.death_day < day else "ALIVE"
        yield f"{day},status,{row.seat},{_role(row.role, row.wolf)},{state},{_one_line(row.agent_id)}"


def _deed(game: Tables, row: EventRow) -> Iterator[str]:
    seer = next((seat for seat in row.visible_to if seat), 0)
    if row.type == "seer.result" and row.actor:
        wolf = game.seats[row.actor - 1].wolf
        yield f"{row.day},divine,{seer},{row.actor},{'WEREWOLF' if wolf else 'HUMAN'}"
    elif row.type == "intent" and row.payload.get("ask") in ("guard.protect", "bodyguard.protect"):
        if row.payload.get("answer"):
            yield f"{row.day},guard,{row.payload['seat']},{row.payload['answer']},"
    elif row.type == "pack.bite" and row.payload.get("target"):
        yield f"{row.day},attack,{row.payload['target']},true"
    elif row.type == "eliminated" and row.payload.get("cause") == "vote" and row.actor:
        seat = game.seats[row.actor - 1]
        yield f"{row.day},execute,{seat.seat},{_role(seat.role, seat.wolf)}"


def _role(role: str, wolf: bool) -> str:
    return AIWOLF_ROLES.get(role, "WEREWOLF" if wolf else "VILLAGER")


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace(",", "，")


# ---------------------------------------------------------------- a page


def html(export: Export, folder: Path) -> Sequence[Path]:
    """report.zh.html and report.en.html, with the first games turned open."""
    from arena.report.page import page
    from arena.report.summary import summarise

    summary = summarise(export.tables, export.name)
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for lang in ("zh", "en"):
        path = folder / f"report.{lang}.html"
        path.write_text(page(summary, export.tables[:3], lang), encoding="utf-8")
        made.append(path)
    return made


__all__ = ["aiwolf", "chat", "convokit", "html", "jsonl"]
