"""ModelPlayer: a language model in a seat."""

from __future__ import annotations

from random import Random

from engine.asks import Answer, Ask
from engine.views import View
from players.base import Call, Reply
from players.model.client import Failure, ModelClient
from players.model.reading import Parsed, Unreadable, parse

NOTES = 8  # earlier reasonings that the seat is shown again
ECHO = 1000  # characters of a refused reply that the model is shown again
AGAIN = {
    "zh": "上面的回复不能用：{why}。请只重发一个符合格式的 JSON 对象。",
    "en": "That reply cannot be used: {why}. Send one JSON object in the requested format and nothing else.",
}


class ModelPlayer:
    """Asks the model, once more if its reply is unreadable or illegal, and then falls back to a seeded legal answer.

    The fallback is computed from the ask and the length of the seat's view alone, and is marked in Reply.fallback.
    """

    kind = "model"

    def __init__(self, client: ModelClient, seed: int = 0, persona: str = "", lang: str = "", name: str = "") -> None:
        """persona: how the seat talks, in words. lang: of the prompts; the table's where empty."""
        self.client, self.seed, self.persona, self.lang = client, seed, persona, lang
        self.name = name or client.endpoint.model
        self._notes: dict[int, list[str]] = {}

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """Answer one ask. Raises EndpointError only where the endpoint is strict."""
        from prompts.model import messages, reply_schema

        seat, lang = ask.seat, self.lang or view.lang
        notes = self._notes.setdefault(seat, [])
        asked = [
            {"role": message.role, "content": message.content}
            for message in messages(view, ask, offers, self.persona, lang, notes)
        ]
        schema, calls, why = reply_schema(view, ask, offers), [], "error"
        for _ in range(2):
            outcome = await self.client.ask(asked, schema)
            if isinstance(outcome, Failure):
                calls.append(outcome.call)
                why = "error" if outcome.reason == "denied" else outcome.reason
                if outcome.reason in ("late", "error", "denied"):
                    break  # the client has tried again already
                asked = self._again(asked, "", outcome.detail, lang)
                continue
            try:
                parsed = parse(outcome.text, view, ask, offers, prose=self.client.rung == "text")
            except Unreadable as error:
                calls.append(_marked(outcome.call, f"{error.kind}: {error}"))
                why = error.kind
                asked = self._again(asked, outcome.text, str(error), lang)
                continue
            calls.append(outcome.call)
            return self._own(parsed, notes, tuple(calls))
        return Reply(self.fallback(view, ask), fallback=why, calls=tuple(calls))

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """Nothing: a model reacts only in the reply to an ask of its own."""
        return None

    def fallback(self, view: View, ask: Ask) -> Answer:
        """A legal answer in the model's stead; talk is silence."""
        return ask.random(Random(f"{self.seed}:{ask.seat}:{ask.kind}:{len(view.events)}"))

    def _own(self, parsed: Parsed, notes: list[str], calls: tuple[Call, ...]) -> Reply:
        if parsed.reasoning:
            notes[:] = [*notes, parsed.reasoning][-NOTES:]
        return Reply(
            parsed.answer, parsed.reaction, parsed.reasoning, parsed.beliefs, parsed.claims, calls=calls
        )  # fmt: skip

    def _again(self, asked: list[dict[str, str]], said: str, why: str, lang: str) -> list[dict[str, str]]:
        """The question with the refused reply and the reason behind it."""
        told = AGAIN.get(lang, AGAIN["en"]).format(why=why)
        echo = [{"role": "assistant", "content": said[:ECHO]}] if said else []
        return [*asked, *echo, {"role": "user", "content": told}]


def _marked(call: Call, error: str) -> Call:
    import msgspec

    return msgspec.structs.replace(call, error=error[:200])
