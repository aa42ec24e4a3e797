"""ModelPlayer: a language model in a seat."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec

from engine.asks import Answer, Ask
from engine.text import clean
from engine.views import View
from players.base import Call, Reply
from players.model.client import Failure, Messages, ModelClient
from players.model.reading import Parsed, Unreadable, parse

NOTES = 8  # earlier reasonings that the seat is shown again
ECHO = 1000  # characters of a refused reply that the model is shown again
AGAIN = {
    "zh": "上面的回复不能用：{why}。请只重发一个符合格式的 JSON 对象。",
    "en": "That reply cannot be used: {why}. Send one JSON object in the requested format and nothing else.",
}
SHORTER = {"zh": "回复太长被截断，请大幅缩短", "en": "it was cut off; be much shorter"}
Live = Callable[[int, str], None]
"""Is told a seat and a piece of the speech it is making, where speeches are streamed."""


class ModelPlayer:
    """Asks the model, once more if its reply is unreadable or illegal, and then falls back to a seeded legal answer.

    The fallback is computed from the ask and the length of the seat's view alone, and is marked in Reply.fallback.
    """

    kind = "model"
    spec = "model"
    patience = None  # the client keeps its own deadline
    early = True  # may be asked before its turn, see judge.early

    def __init__(
        self,
        client: ModelClient,
        seed: int = 0,
        persona: str = "",
        lang: str = "",
        name: str = "",
        live: Live | None = None,
    ) -> None:
        """persona: how the seat talks, in words. lang: of the prompts; the table's where empty. live: hears
        speeches as they are made: the seat, and all its words so far; one that is asked again begins anew."""
        self.client, self.seed, self.persona, self.lang, self.live = client, seed, persona, lang, live
        self.name = name or client.endpoint.model
        self._notes: dict[int, list[str]] = {}

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """Answer one ask. Raises EndpointError where the endpoint is strict, or pauses while its server is down."""
        from prompts.model import fields_part
        from prompts.reply import reply_schema

        lang = self.lang or view.lang
        notes = self._notes.setdefault(ask.seat, [])
        asked = self._prompt(view, ask, offers, notes, lang)
        schema = reply_schema(view, ask, offers, exact=self.client.known.exact)
        calls: list[Call] = []
        why, detail = "error", ""
        for _ in range(2):
            outcome = await self.client.ask(asked, schema, self._heard(ask))
            calls += outcome.calls
            if isinstance(outcome, Failure):
                why, detail = outcome.fault, outcome.detail
                if outcome.limit is not None:
                    asked = self._prompt(view, ask, offers, notes, lang, tight=True)
                    continue
                if outcome.final:
                    break  # the client has tried again already
                asked = self._again(asked, "", SHORTER.get(lang, detail) if why == "cut-off" else detail, lang)
                continue
            try:
                parsed = parse(outcome.text, view, ask, offers, prose=outcome.rung == "text")
            except Unreadable as error:
                why, detail = error.kind, str(error)
                calls[-1] = msgspec.structs.replace(calls[-1], error=f"{why}: {detail}"[:200], fault=why)
                asked = self._again(asked, outcome.text, detail, lang, fields_part(view, ask, offers, lang))
                continue
            self.client.proven()
            calls[-1] = msgspec.structs.replace(calls[-1], fault=parsed.quirk)
            return self._own(parsed, notes, tuple(calls), view, ask)
        return self._substitute(view, ask, why, detail, tuple(calls))

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """Nothing: a model reacts only in the reply to an ask of its own."""
        return None

    def thoughts(self, seat: int) -> tuple[str, ...]:
        """What this seat has thought so far, the latest last."""
        return tuple(self._notes.get(seat, ()))

    def recall(self, seat: int, reasoning: str) -> None:
        """A thought of this seat's own from the record, when its game is resumed by another process."""
        notes = self._notes.setdefault(seat, [])
        if reasoning not in notes:
            notes[:] = [*notes, reasoning][-NOTES:]

    def fallback(self, view: View, ask: Ask) -> Answer:
        """A legal answer in the model's stead; talk is silence."""
        return ask.random(Random(f"{self.seed}:{ask.seat}:{ask.kind}:{len(view.events)}"))

    def _substitute(self, view: View, ask: Ask, why: str, detail: str, calls: tuple[Call, ...]) -> Reply:
        """The marked fallback, or no reply at all where nothing may be substituted."""
        end = self.client.endpoint
        if end.strict or (end.outage == "pause" and why in ("server-down", "rate-limited", "late", "denied")):
            raise self.client.unusable(why, f"{why}: {detail}")
        return Reply(self.fallback(view, ask), fallback=why, calls=calls)

    def _prompt(
        self, view: View, ask: Ask, offers: tuple[Ask, ...], notes: list[str], lang: str, *, tight: bool = False
    ) -> Messages:
        """The messages, within what the model takes. tight: its server has just said that they were too long."""
        from prompts.model import messages

        limit, schema = self.client.context, self.client.schemed
        if limit is None and not tight:
            parts = messages(view, ask, offers, self.persona, lang, notes, schema=schema)
            return [{"role": part.role, "content": part.content} for part in parts]
        from players.model.fitting import fitted

        return fitted(
            view, ask, offers, self.persona, lang, notes, limit, self.client.endpoint, schema=schema, tight=tight
        )

    def _heard(self, ask: Ask) -> Callable[[str], None] | None:
        """Passes the words of a speech on while they come, where somebody listens."""
        if self.live is None or ask.form != "text":
            return None
        from players.model.live import SpeechStream

        live, stream, said = self.live, SpeechStream(), ""

        def heard(piece: str) -> None:
            nonlocal said
            if words := stream.feed(piece):
                said += words
                live(ask.seat, said)

        return heard

    def _own(self, parsed: Parsed, notes: list[str], calls: tuple[Call, ...], view: View, ask: Ask) -> Reply:
        if parsed.reasoning:
            notes[:] = [*notes, parsed.reasoning][-NOTES:]
        flags: tuple[str, ...] = ()
        if ask.form == "text" and parsed.answer:
            from players.model.guard import flags_of

            said = parsed.answer if isinstance(parsed.answer, str) else getattr(parsed.answer, "text", "")
            flags = flags_of(said, parsed.reasoning, view, self.lang or view.lang)
        return Reply(
            parsed.answer, parsed.reaction, parsed.reasoning, parsed.beliefs, parsed.claims, calls=calls, flags=flags
        )  # fmt: skip

    def _again(self, asked: Messages, said: str, why: str, lang: str, fields: str = "") -> Messages:
        """The question with the refused reply and the reason behind it, which is cleaned: it may quote the model.
        fields: the reply's fields, which the question may have left to the schema."""
        told = " ".join((AGAIN.get(lang, AGAIN["en"]).format(why=clean(why)[:300]), fields)).strip()
        echo = [{"role": "assistant", "content": said[:ECHO]}] if said else []
        return [*asked, *echo, {"role": "user", "content": told}]
