"""The metrics against numbers worked out by hand, and against players whose score is known beforehand."""

from collections.abc import Mapping
from itertools import product
from math import exp, log2
from random import Random

import pytest

from arena.annotate import Meta, Tables, annotate
from arena.annotate.tables import AnnotationRow
from arena.metrics import beliefs, honesty, outcome, votes
from arena.metrics.bt import Match, fit
from arena.metrics.causal import builtin_probe, causal_deception_effect
from arena.metrics.corpus import Corpus
from engine.asks import Ask
from engine.setup import Setup, deal
from engine.views import View
from judge.direct import play_direct
from judge.record import MemorySink, Record, parse_record
from players.base import Claim, Player, Reply
from players.factory import make_players
from players.random import RandomPlayer
from tests.arena.hand import Talk, record_of, tables_of

BITES = {1: {("werewolf.bite", 1): 4}, 7: {("werewolf.bite", 1): 4}}
CHECK = {2: {("seer.check", 1): 1}}


def hand() -> Tables:
    """Day 1: 5 and 6 vote for wolf 1, 3 for villager 5, the others nobody; 2 has checked 1 and called for it."""
    answers = {**CHECK, **BITES, 5: {("day.vote", 1): 1}, 6: {("day.vote", 1): 1}, 3: {("day.vote", 1): 5}}
    talk: dict[int, Talk] = {
        1: {1: (Claim("claim-role", 1, value="seer"), Claim("accuse", 1, 5))},
        2: {1: (Claim("claim-role", 2, value="seer"), Claim("claim-result", 2, 1, 1, "bad"))},
        3: {1: (Claim("vote-call", 3, 6),)},
        5: {1: (Claim("accuse", 5, 6), Claim("accuse", 5, 1))},
        6: {1: (Claim("vouch", 6, 7),)},
    }
    told = {5: {1: 0.9, 2: 0.2, 3: 0.2, 6: 0.3, 7: 0.4}, 6: {1: 0.6, 2: 0.5, 3: 0.1, 5: 0.1, 7: 0.3}}
    return tables_of(answers, talk, told, agents={seat: "a" if seat < 5 else "b" for seat in range(1, 8)})


def close(value: float | None, expected: float) -> None:
    assert value == pytest.approx(expected)


def test_votes_by_hand() -> None:
    corpus = Corpus([hand()])
    # voters of the village on day 1: 2, 3, 5, 6; two of five legal targets are wolves for each
    close(votes.vote_lift(corpus, day=1).value, (0 - 0.4 + 0.6 + 0.6) / 4)
    # h: 3, 5, 6 know themselves and nothing else: 2 wolves among 6 others, 1/3 each
    close(votes.knowledge_adjusted_lift(corpus, day=1).value, (-1 / 3 + 2 / 3 + 2 / 3) / 4)
    close(votes.vote_lift(corpus, "b", day=1).value, 0.6)
    # 3 called for 6 and voted for 5; 5's last accusation was of 1, as its ballot
    close(votes.say_do_gap(corpus).value, 0.5)
    close(votes.say_do_gap(corpus, "b").value, 0.0)
    close(votes.say_do_gap(corpus, "b", against="suspect").value, 0.0)


def test_honesty_by_hand() -> None:
    corpus = Corpus([hand()])
    # judged claims: 1's role and accusation (lies), 2's role and result, 5's two accusations, 6's vouch
    close(honesty.hard_lie_rate(corpus).value, 2 / 7)
    close(honesty.hard_lie_rate(corpus, team="wolves").value, 1.0)
    close(honesty.mistake_rate(corpus).value, 1 / 7)  # 6 vouches for 7 and believes it
    # open and probed: 5 on 6 (b .3, false: soft lie), 5 on 1 (b .9), 6 on 7 (b .7)
    close(honesty.soft_lie_rate(corpus).value, 1 / 3)
    # turns that hold a fact on day 1: 1, 7 (each other), 2 (its check, which it tells); of later days all are silent
    first = [row for row in corpus.games[0].utterances if row.holds and row.day == 1 and row.phase == "day.speak"]
    assert sorted((row.seat, row.hides) for row in first) == [(1, True), (2, False), (7, True)]


def test_beliefs_by_hand() -> None:
    tables = hand()
    corpus = Corpus([tables])
    last = {row.observer: row for row in tables.beliefs if row.team == "village" and row.day == 1}
    assert set(last) == {5, 6}
    # living: 1, 2, 3, 5, 6, 7. Seat 5: wolves .9, .4 over .2, .2, .3, all right. Seat 6: .6, .3 over .5, .1, .1
    day_1 = [row for game, row in corpus.probes() if row.day == 1]
    assert {row.observer for row in day_1} == {5, 6}
    from arena.metrics.corpus import undetermined
    from arena.metrics.stats import auroc, average_precision

    close(auroc(undetermined(last[5])), 1.0)
    close(auroc(undetermined(last[6])), 5 / 6)
    close(average_precision(undetermined(last[6])), (1 + 2 / 3) / 2)
    squares = [0.1, 0.2, 0.2, 0.3, 0.6, 0.4, 0.5, 0.1, 0.1, 0.7]
    found = beliefs.brier(Corpus([tables]))
    assert found is not None
    close(beliefs.ece_of([(0.8, True), (0.8, False)]), 0.3)
    mean = sum(x * x for x in squares) / 10
    ours = [(p - y) ** 2 for row in day_1 for p, y in undetermined(row)]
    close(sum(ours) / len(ours), mean)
    # two wolves among the six others: h of the true pair is 1 / 15
    close(last[5].hard_bits, log2(1 / 15))


def test_talk_gain_of_marginals_by_hand() -> None:
    """One wolf among two others: b = (.8, .2) as independent odds gives .64 : .04, that is 16/17."""
    cards = ("werewolf", "villager", "villager", "villager")
    tables = tables_of({}, {}, {2: {1: 0.8, 3: 0.2, 4: 0.0}}, cards=cards)
    row = next(row for row in tables.beliefs if row.observer == 2)
    floor = 1e-6
    one, three, four = 0.8 * 0.8 * (1 - floor), 0.2 * 0.2 * (1 - floor), 0.2 * 0.8 * floor
    close(row.joint_bits, log2(one / (one + three + four)))
    close(row.hard_bits, log2(1 / 3))


def test_outcome_by_hand() -> None:
    tables = hand()
    corpus = Corpus([tables])
    close(outcome.skill_use(corpus, "check").value, 1 - 2 / 6)
    assert tables.game.status == "unfinished"  # nobody dies after day 1: no result counts
    assert outcome.role_win_rate(corpus, "a").n == 0
    # seat 4 dies on day 1, and 1 by the vote (2 ballots of 3); all others live to the horizon
    dead = sorted((row.seat, row.death_day) for row in tables.seats if row.death_day)
    assert dead[0] == (1, 1) or dead[0][0] == 1
    close(outcome._restricted_mean([(1, True), (3, False)], 3), 1 + 0.5 + 0.5)
    note = AnnotationRow(
        ann_id="1", target_id=tables.utterances[0].utt_id, layer="coherence", label="4", value=4.0, annotator="p",
        kind="human", guideline_version="1", confidence=None,
    )  # fmt: skip
    import msgspec

    noted = msgspec.structs.replace(tables, annotations=(*tables.annotations, note))
    close(outcome.rubric(Corpus([noted]), "coherence").value, 4.0)
    reliable = outcome.reliability(corpus)
    assert (reliable.fallback.value, reliable.fallback.low, reliable.refusal.n) == (0.0, 0.0, 0)
    close(reliable.fallback.high, 3 / reliable.fallback.n)


def test_information_by_hand() -> None:
    # two claims that tell the card: 1 bit, corrected by (2 + 2 - 2 - 1) / (2 x 4) nats
    pairs = [("a", "x"), ("a", "x"), ("b", "y"), ("b", "y")]
    close(honesty.mutual_information(pairs), 1 + (1 / 8) / 0.6931471805599453)


def test_slope_recovers_what_made_the_data() -> None:
    rng = Random(1)
    pairs = []
    for _ in range(4000):
        x = rng.gauss(0, 1.2)
        pairs.append((1 / (1 + exp(-2 * x)), rng.random() < 1 / (1 + exp(-x))))  # twice as sure as it should be
    close(round(beliefs.slope_of(pairs) or 0, 1), 0.5)


# ---------------------------------------------------------------- players whose score is known


class Oracle(RandomPlayer):
    """Plays at random and believes the truth."""

    def __init__(self, setup: Setup, seat: int) -> None:
        super().__init__(setup.seed * 100 + seat, "oracle")
        self.truth = {other: float(card == "werewolf") for other, card in enumerate(setup.seats, 1) if other != seat}

    def decide(self, view: View, ask: Ask, offers: tuple[Ask, ...] = ()) -> Reply:
        return Reply(super().decide(view, ask, offers).answer, beliefs=self.truth)


class Liar(RandomPlayer):
    """A wolf that claims to be the seer and to have found the first villager bad, in every speech."""

    def decide(self, view: View, ask: Ask, offers: tuple[Ask, ...] = ()) -> Reply:
        if ask.form != "text" or ask.kind != "day.speak":
            return super().decide(view, ask, offers)
        me, mates = ask.seat, {seat for seat, card in view.roles.items() if card == "werewolf"}
        target = next(seat for seat in view.alive if seat != me and seat not in mates)
        claims = (Claim("claim-role", me, value="seer"), Claim("claim-result", me, target, view.day, "bad"))
        return Reply("I am the seer.", claims=claims)


def played(setup: Setup, players: Mapping[int, Player], agents: Mapping[int, str] | None = None) -> Tables:
    return annotate(recorded(setup, players), Meta(agents=dict(agents or {})))


def recorded(setup: Setup, players: Mapping[int, Player]) -> Record:
    sink = MemorySink()
    play_direct(setup, players, sink, game_id=f"g{setup.seed}")
    return parse_record(sink.data(), "game")


def boards(count: int) -> list[Setup]:
    return [deal("tournament", 9, seed=seed, lang="en") for seed in range(1, count + 1)]


def test_the_oracle_is_perfect() -> None:
    games = [played(setup, {seat: Oracle(setup, seat) for seat in range(1, 10)}) for setup in boards(6)]
    corpus = Corpus(games)
    assert beliefs.suspicion_auroc(corpus).value == 1.0
    assert (beliefs.brier(corpus) or pytest.fail("no beliefs")).brier.value == 0.0
    assert beliefs.stealth(corpus).value == 0.0
    gain = beliefs.talk_gain(corpus).value
    assert gain is not None
    assert gain > 3


def test_random_players_lift_covers_zero() -> None:
    def seated(setup: Setup) -> dict[int, Player]:
        return {seat: RandomPlayer(setup.seed * 100 + seat) for seat in range(1, 10)}

    corpus = Corpus([played(setup, seated(setup)) for setup in boards(120)])
    lift = votes.vote_lift(corpus)
    assert lift.low is not None
    assert lift.high is not None
    assert lift.low < 0 < lift.high
    assert lift.high - lift.low < 0.15
    checks = outcome.skill_use(corpus, "check")
    assert checks.low is not None
    assert checks.high is not None
    assert checks.low < 0 < checks.high


def test_a_liar_lies_every_time() -> None:
    games = []
    for setup in boards(4):
        wolves = {seat for seat, card in enumerate(setup.seats, 1) if card == "werewolf"}
        players: dict[int, Player] = {
            seat: Liar(seat) if seat in wolves else RandomPlayer(seat) for seat in range(1, 10)
        }
        games.append(played(setup, players, {seat: "liar" if seat in wolves else "random" for seat in range(1, 10)}))
    rate = honesty.hard_lie_rate(Corpus(games), "liar")
    assert rate.n > 5
    assert rate.value == 1.0
    assert honesty.hard_lie_rate(Corpus(games), "random").value is None


def test_effects_of_lies_on_builtin_listeners() -> None:
    records = {}
    games = []
    for setup in boards(3):
        record = recorded(setup, make_players(setup, dict.fromkeys(range(1, 10), "builtin:hard")))
        tables = annotate(record)
        records[tables.game.game_id] = record
        games.append(tables)
    corpus = Corpus(games)
    effect = causal_deception_effect(corpus, records, builtin_probe(), most=20)
    assert effect.n > 5
    assert effect.value is not None
    assert -0.2 < effect.value < 1.0
    assert honesty.belief_shift(corpus).n > 20
    success = honesty.deception_success(corpus)
    assert success.value is not None
    assert 0 <= success.value < 0.9
    detection = honesty.lie_detection(corpus)
    assert detection.base_rate is not None
    assert detection.auroc.value is not None
    assert detection.auroc.value > 0.5
    swing = votes.vote_swing(corpus)
    assert swing.value is not None
    assert 0 < swing.value < 1
    information = honesty.informativeness(corpus)
    assert information.value is not None
    assert information.n == 27
    assert outcome.survival(corpus, role="seer").n == 3


def test_silence_has_no_effect() -> None:
    """A lie to somebody who cannot be moved: the probe is blind, so said and silent are equal."""
    record = record_of(BITES, {1: {1: (Claim("accuse", 1, 5),)}})
    tables = annotate(record)
    effect = causal_deception_effect(
        Corpus([tables]), {tables.game.game_id: record}, lambda view: dict.fromkeys(range(1, 8), 0.3)
    )
    assert effect.value == 0.0
    assert effect.n == 3  # villagers 2, 3, 6: alive, neither speaker nor target


# ---------------------------------------------------------------- the rating


def test_bradley_terry_recovers_skills() -> None:
    rng, true_v, true_w = Random(3), {"a": 0.8, "b": 0.0, "c": -0.8}, {"a": -0.5, "b": 0.0, "c": 0.5}
    games = []
    for block in range(300):
        for (v, skill_v), (w, skill_w) in product(true_v.items(), true_w.items()):
            p = 1 / (1 + exp(-(-0.4 + skill_v - skill_w)))
            games.append(Match("t", {v: 6}, {w: 3}, rng.random() < p, str(block)))
    found = fit(games, draws=60)
    assert found.identified
    assert found.rank == 5
    skills = {(skill.agent, skill.role): skill for skill in found.skills}
    for agent, value in true_v.items():
        skill = skills[agent, "village"]
        assert abs(skill.value - value) < 0.15
        assert skill.low <= value + 0.1
        assert skill.high >= value - 0.1
    assert skills["c", "wolves"].rank == 1
    assert abs(found.mu["t"] + 0.4) < 0.12


def test_same_agents_at_every_table_cannot_be_told_apart() -> None:
    """The same models fill every table, so village and wolf skill are one number (evaluation.md: rank 8 of 15)."""
    rng, names = Random(1), [f"m{n}" for n in range(8)]
    games = []
    for at in range(200):
        wolves = dict.fromkeys(rng.sample(names, 2), 1)
        games.append(Match("t", {n: 1 for n in names if n not in wolves}, wolves, rng.random() < 0.5, str(at)))
    assert not fit(games, draws=0).identified
    assert (fit(games, draws=0).rank, fit(games, draws=0).needed) == (8, 15)


def test_win_over_reference_pairs_the_same_deal() -> None:
    games = []
    for setup in boards(20):
        for agent, spec in (("good", "builtin:hard"), ("reference", "random")):
            wolves = {seat for seat, card in enumerate(setup.seats, 1) if card == "werewolf"}
            specs = {seat: "builtin:hard" if seat in wolves else spec for seat in range(1, 10)}
            agents = {seat: "wolf" if seat in wolves else agent for seat in range(1, 10)}
            games.append(played(setup, make_players(setup, specs), agents))
    paired = outcome.win_over_reference(Corpus(games), "good", "reference")
    assert paired.estimate.value is not None
    assert paired.estimate.value > 0.15
    assert paired.p < 0.2
    assert paired.estimate.clusters == 20
