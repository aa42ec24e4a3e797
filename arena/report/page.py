"""One HTML page that needs nothing else: own SVG, light and dark, Chinese or English."""

from __future__ import annotations

from collections.abc import Sequence

from arena.annotate.tables import LABELS, Tables
from arena.report import charts, gamecharts
from arena.report.summary import Summary
from arena.report.svg import tidy
from arena.report.terminal import interval, number
from arena.report.words import Words

CSS = """
:root{color-scheme:light dark;--bg:#fbfbf9;--ink:#1c1d21;--soft:#5b5e68;--rule:#e3e3de;--zero:#9a9ca3;--card:#fff;
--v:#1f6fb2;--w:#c2501c;--n:#4b4e57;--c0:#1f6fb2;--c1:#c2501c;--c2:#2a8a5c;--c3:#8a5bb5;--c4:#a17a12;--c5:#b0417e;
--LIE:#b3372a;--SOFT_LIE:#e08a5a;--MISTAKE:#d9b64a;--TRUTHFUL:#1f6fb2;--SINCERE:#6aa9d8;--ACCIDENTAL_TRUTH:#9b8fc4;
--UNPROBED_FALSE:#b9a68c;--UNPROBED_TRUE:#a9b4b9;--NONE:#ccc}
@media(prefers-color-scheme:dark){:root{--bg:#15161a;--ink:#e9e9e6;--soft:#a3a6b0;--rule:#2e3037;--zero:#6d707a;
--card:#1c1e23;--v:#66b0ee;--w:#f08d55;--n:#c3c5cc;--c0:#66b0ee;--c1:#f08d55;--c2:#5cc595;--c3:#b893e0;--c4:#d6b04c;
--c5:#e57fb4;--LIE:#ef6f60;--SOFT_LIE:#f0a880;--MISTAKE:#e6cb70;--TRUTHFUL:#66b0ee;--SINCERE:#a5d0f2;
--ACCIDENTAL_TRUTH:#b9aee0;--UNPROBED_FALSE:#9c8c75;--UNPROBED_TRUE:#87929a;--NONE:#555}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.55 system-ui,-apple-system,
"Segoe UI","PingFang SC","Noto Sans CJK SC","Microsoft YaHei",sans-serif}
main{max-width:1180px;margin:0 auto;padding:28px 20px 60px}h1{font-size:26px;margin:0 0 4px}h2{font-size:18px;margin:0}
p{margin:2px 0 12px;color:var(--soft);max-width:70ch}.warn{color:var(--LIE);font-weight:600}
.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:18px;margin:18px 0}
section{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:16px 18px;overflow-x:auto;
min-width:0}section.all{grid-column:1/-1}svg{display:block;width:100%;height:auto}
section.wide svg{min-width:620px}table{border-collapse:collapse;font-variant-numeric:tabular-nums;width:100%;
font-size:13.5px}th,td{text-align:right;padding:5px 10px;border-bottom:1px solid var(--rule);white-space:nowrap}
th:first-child,td:first-child{text-align:left;font-weight:600}th{color:var(--soft);font-weight:500}
text{fill:var(--ink);font:12px system-ui,"PingFang SC","Noto Sans CJK SC",sans-serif}
text.s{fill:var(--soft);font-size:11px}text.n1{font-size:11px}
text.b{font-weight:700;font-size:14px}text.wt{fill:var(--w);font-weight:600}text.vt{fill:var(--v)}
text.node{fill:var(--bg);font-size:11px;font-weight:700}
.grid line,line.grid{stroke:var(--rule)}line.axis{stroke:var(--zero)}line.zero{stroke:var(--zero);stroke-width:1.5}
line.dash{stroke:var(--zero);stroke-dasharray:4 4}line.bar{stroke-width:2.5}line.vl{stroke:var(--v)}
line.wl{stroke:var(--w)}line.nl{stroke:var(--soft);opacity:.6}.v{fill:var(--v)}.w{fill:var(--w)}.n{fill:var(--n)}
.hollow{fill:var(--card);stroke:var(--v);stroke-width:2}path.curve{fill:none;stroke-width:2}
path.flow{fill:none;stroke:var(--soft);stroke-width:2;opacity:.45}path.hit{stroke:var(--w);opacity:.8}
"""
CSS += "".join(f".c{at}{{fill:var(--c{at})}}path.c{at}l{{stroke:var(--c{at})}}" for at in range(6))
CSS += "".join(f".L-{label}{{fill:var(--{label})}}" for label in LABELS)


def page(summary: Summary, games: Sequence[Tables], lang: str) -> str:
    """The whole page. games: those that are shown one by one, with their cards turned."""
    say = Words(lang)
    head = (
        f"{summary.games} {say('games')} · {summary.blocks} {say('blocks')} · {summary.failed} {say('failed')} · "
        f"{' / '.join(summary.langs)}"
    )
    warn = ""
    if summary.fit is not None and not summary.fit.identified:
        warn = f'<p class="warn">{tidy(say("unidentified", rank=summary.fit.rank, needed=summary.fit.needed))}</p>'
    title = f"{say('title')}: {summary.name}"
    parts = [
        f"<h1>{tidy(title)}</h1><p>{tidy(head)}</p>{warn}<div class=grid>",
        card(say("leaderboard"), say("leaderboard.why"), charts.leaderboard(summary, say)),
        card(say("matrix"), say("matrix.why"), charts.matrix(summary, say)),
        card(say("table"), say("table.why"), numbers(summary, say), "all"),
        card(say("lift"), say("lift.why"), charts.lift(summary, say)),
        card(say("labels"), say("labels.why"), charts.labels(summary, say) + label_names(summary, say)),
        card(say("calibration"), say("calibration.why"), charts.calibration(summary, say)),
        card(say("scatter"), "", charts.scatter(summary, say, "sides")),
        card(say("cost"), say("cost.why"), charts.scatter(summary, say, "cost")),
        card(say("seats"), say("seats.why"), charts.seats(summary, say)),
        "</div>",
        *(one_game(game, say) for game in games),
    ]
    return (
        f'<!doctype html><html lang="{"zh-CN" if say.lang == "zh" else "en"}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><title>{tidy(title)}</title>'
        f"<style>{CSS}</style></head><body><main>{''.join(parts)}</main></body></html>\n"
    )


def card(title: str, why: str, body: str, cls: str = "") -> str:
    """A section, or nothing without a body."""
    if not body:
        return ""
    told = f"<p>{tidy(why)}</p>" if why else ""
    return f'<section class="{cls}"><h2>{tidy(title)}</h2>{told}{body}</section>'


def label_names(summary: Summary, say: Words) -> str:
    """The legend of the labels in use."""
    used = [label for label in LABELS if any(counts[label] for counts in summary.labels.values())]
    marks = " ".join(
        f'<span style="white-space:nowrap;margin-right:14px"><span style="color:var(--{label})">■</span> '
        f"{tidy(say(label))}</span>"
        for label in used
    )
    return f'<p style="margin-top:10px">{marks}</p>' if used else ""


def numbers(summary: Summary, say: Words) -> str:
    """The headline table."""
    head = ("agent", "win.v", "win.w", "lift", "auroc", "brier", "talk", "lies", "stealth", "fallback")
    lines = ["<table><tr>", *(f"<th>{tidy(say(key))}</th>" for key in head), "</tr>"]
    for row in summary.rows:
        cells = [
            row.agent,
            interval(row.village_wins),
            interval(row.wolf_wins),
            interval(row.lift),
            interval(row.auroc),
            number(row.brier_skill),
            interval(row.talk_gain),
            number(row.hard_lies.value),
            number(row.stealth.value),
            number(row.reliability.fallback.value, 3),
        ]
        lines += ["<tr>", *(f"<td>{tidy(cell)}</td>" for cell in cells), "</tr>"]
    lines.append("</table>")
    if summary.versus:
        lines.append(f"<p style='margin-top:14px'>{tidy(say('versus', name=summary.versus[0].reference))}</p>")
        lines.append(f"<table><tr><th>{say('agent')}</th><th>{say('gain')}</th><th>p (Holm)</th><th>n</th></tr>")
        for one in summary.versus:
            lines.append(
                f"<tr><td>{tidy(one.agent)}</td><td>{interval(one.gain)}</td><td>{number(one.p, 3)}</td>"
                f"<td>{one.gain.n}</td></tr>"
            )
        lines.append("</table>")
    return "".join(lines)


def one_game(game: Tables, say: Words) -> str:
    """A game in pictures."""
    about = f"{game.game.ruleset}, {game.game.seats}, {game.game.lang}: {game.game.winner or game.game.status}"
    return (
        f"<h2 style='margin-top:34px'>{tidy(say('game', name=game.game.game_id))}</h2><p>{tidy(about)}</p>"
        "<div class=grid>"
        + card(say("heat"), say("heat.why"), gamecharts.heat(game, say))
        + card(say("suspicion"), say("suspicion.why"), gamecharts.suspicion(game, say))
        + card(say("claims"), say("claims.why"), gamecharts.claims(game, say), "all wide")
        + card(say("flow"), "", gamecharts.flow(game, say), "all wide")
        + "</div>"
    )
