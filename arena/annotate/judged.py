"""A model that labels the acts of speeches, as one more annotator: what it says is measured, and judges nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from arena.annotate.labelled import Given
from arena.annotate.tables import UtteranceRow
from players.model import Failure, ModelClient
from players.model.reading import read_object
from prompts.acts import act_messages, act_schema

JUDGED = (
    "CLAIM_ROLE", "CLAIM_RESULT", "PLAN", "ACCUSE", "VOUCH", "VOTE_CALL", "DEFEND", "ASK", "AGREE", "DISAGREE",
)  # fmt: skip
"""The acts that the words alone show."""
AT_ONCE = 16  # speeches under way


def act_labels(utt_id: str, acts: Iterable[str], annotator: str) -> list[Given]:
    """An utterance's acts as labels: of each of JUDGED, yes or no, under the target `UTT_ID#ACT`."""
    found = set(acts)
    return [Given(f"{utt_id}#{act}", "yes" if act in found else "no", annotator) for act in JUDGED]


async def judge_acts(client: ModelClient, speeches: Iterable[UtteranceRow]) -> list[Given]:
    """The model's labels, in the order of the speeches; none of a speech that it gave no readable answer to.

    A failure is left out and never counted as "no". Raises for cancellation alone.
    """
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(said: UtteranceRow) -> list[Given]:
        async with turns:
            got = await client.ask(act_messages(said.text, said.lang), act_schema(JUDGED))
        given = None if isinstance(got, Failure) else read_object(got.text)
        acts = given.get("acts") if given is not None else None
        if not isinstance(acts, list):
            return []
        return act_labels(said.utt_id, (act for act in acts if isinstance(act, str)), client.endpoint.model)

    return [row for rows in await asyncio.gather(*map(one, speeches)) for row in rows]
