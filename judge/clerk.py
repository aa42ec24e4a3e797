"""The clerk: what a person typed becomes a legal answer, by rules first, then by a model under the ask's mask, and if
neither is sure the clerk asks back. Whatever comes out has passed the ask's own check."""

from __future__ import annotations

import re
import unicodedata

import msgspec

from engine.asks import Answer, Ask
from engine.text import TEXT_LIMIT, clean
from engine.views import View
from judge.asking import Asker, number_in, reply_of
from prompts.judge import clerk_prompt, number_schema
from prompts.texts import listed, raw, text
from prompts.words import option_words, seat_word

TYPED_LIMIT = 400  # characters that are looked at
PASS = re.compile(
    r"^(?:i )?(?:pass|skip|none|nobody|no one|abstain|nothing|-|0|过|不了?|弃票|弃权|放弃|空过|跳过|没有|不用了?|空刀|"
    r"パス|棄権|なし)[.。!！]*$"
)
YES = re.compile(r"^(?:y|yes|yeah|yep|ok|okay|sure|true|是的?|要|好的?|用|救|对|はい|する)[.。!！]*$")
NO = re.compile(r"^(?:n|no|nope|false|否|不|不要|不用|不救|别|いいえ|しない)[.。!！]*$")
NOT = re.compile(r"\b(?:not|never|except|anyone but|don't|isn't)\b|不是|不要|除了|别|没有?投|以外|ではない")
_HAN = {one: n for n, one in enumerate("一二三四五六七八九", 1)}
_HAN_NUMBER = re.compile(r"([一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九])(?=号)")
_NUMBER = re.compile(r"(?<![\d.])\d{1,3}(?![\d.]\d|\d)")


class Understood(msgspec.Struct, frozen=True):
    """A legal answer. by: rules or model."""

    answer: Answer
    by: str = "rules"


class AskBack(msgspec.Struct, frozen=True):
    """The clerk did not understand: what to say to the person, who is then asked again."""

    question: str


async def understand(typed: str, ask: Ask, view: View, lang: str, client: Asker | None = None) -> Understood | AskBack:
    """The answer that a person meant, or a question back. Never raises for what was typed or what a model did."""
    read = by_rules(typed, ask, lang)
    if isinstance(read, Understood) or client is None or ask.form in ("text", "seats", "names"):
        return read
    options = ask.options()
    words = [option_words(ask, option, lang) for option in options]
    asked = clerk_prompt(ask, view, words, typed, lang)
    picked = number_in(await reply_of(client, asked, number_schema("answer", len(options))), "answer", len(options))
    return Understood(ask.check(options[picked - 1]), "model") if picked else read


def by_rules(typed: str, ask: Ask, lang: str) -> Understood | AskBack:
    """The answer, where the words mean exactly one and leave no doubt."""
    if ask.form == "text":
        said = clean(typed[: 2 * TEXT_LIMIT])
        too_long = text(lang, "judge.clerk.too-long", n=TEXT_LIMIT)
        return Understood(ask.check(said)) if len(said) <= TEXT_LIMIT else AskBack(too_long)
    words = _plain(typed)
    named = _names(words, ask, lang)
    seats = _seats(words)
    if ask.form in ("seats", "names"):
        return _several(ask, seats, named, words, lang)
    if ask.form == "flag":
        answers = {answer for pattern, answer in ((YES, True), (NO, False)) if pattern.match(words)}
        answers |= {name == "yes" for name in named if name in ("yes", "no")}
        return Understood(answers.pop()) if len(answers) == 1 else _back(ask, raw(lang, "judge.clerk.unclear"), lang)
    if ask.can_pass and not seats and (PASS.match(words) or named == {"pass"}):
        return Understood(None)
    meant: list[int | str] = [*seats, *sorted(named - {"pass"})]
    if len(meant) > 1:
        return _back(ask, text(lang, "judge.clerk.several", list=listed(lang, _shown(meant, ask, lang))), lang)
    if not meant or NOT.search(words):
        return _back(ask, raw(lang, "judge.clerk.unclear"), lang)
    if not ask.allows(meant[0]):
        illegal = text(lang, "judge.clerk.illegal", words=_shown(meant, ask, lang)[0])
        return _back(ask, illegal, lang)
    return Understood(ask.check(meant[0]))


def _several(ask: Ask, seats: list[int], named: set[str], words: str, lang: str) -> Understood | AskBack:
    chosen: list[int] | list[str] = seats if ask.form == "seats" else sorted(named - {"pass"})
    if ask.can_pass and not chosen and PASS.match(words):
        return Understood(None)
    if ask.allows(chosen) and not NOT.search(words):
        return Understood(ask.check(chosen))
    return _back(ask, raw(lang, "judge.clerk.unclear"), lang)


def _plain(typed: str) -> str:
    """One clean line in lower case, full-width signs as plain ones."""
    return clean(unicodedata.normalize("NFKC", typed[:TYPED_LIMIT])).lower().strip(" \"'“”「」")


def _seats(words: str) -> list[int]:
    """The seat numbers in the words, each once, in their order."""
    digits = _HAN_NUMBER.sub(lambda match: str(_number(match[1])), words)
    return list(dict.fromkeys(int(found) for found in _NUMBER.findall(digits) if int(found)))


def _number(han: str) -> int:
    tens, _, ones = han.partition("十") if "十" in han else ("", "", han)
    return ("十" in han) * 10 * (_HAN.get(tens, 1)) + _HAN.get(ones, 0)


def _names(words: str, ask: Ask, lang: str) -> set[str]:
    """The named answers whose id or word stands in what was typed."""
    named = {"pass": None} if ask.can_pass else {}
    options: dict[str, Answer] = {**named, **{name: name for name in ask.choices}}
    if ask.form == "flag":
        options |= {"yes": True, "no": False}
    found = set()
    for name, option in options.items():
        word = option_words(ask, option, lang).lower()
        if words in (word, name.lower()) or (name in ask.choices and len(word) > 1 and word in words):
            found.add(name)
    return found


def _shown(meant: list[int | str], ask: Ask, lang: str) -> list[str]:
    return [seat_word(one, lang) if isinstance(one, int) else option_words(ask, one, lang) for one in meant]


def _back(ask: Ask, why: str, lang: str) -> AskBack:
    joint = raw(lang, "names.joint")
    if ask.form in ("seats", "names"):
        pool = [seat_word(seat, lang) for seat in ask.targets] or [option_words(ask, one, lang) for one in ask.choices]
        many = str(ask.least) if ask.least == ask.most else f"{ask.least}-{ask.most}"
        return AskBack(joint.join((why, text(lang, "judge.clerk.how-many", n=many, list=listed(lang, pool)))))
    options = [option_words(ask, option, lang) for option in ask.options()]
    return AskBack(joint.join((why, text(lang, "judge.clerk.options", list=listed(lang, options)))))
