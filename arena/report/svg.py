"""A small canvas of SVG: escaped text, marks with tooltips, colours from the page's own variables."""

from __future__ import annotations

from html import escape
from unicodedata import east_asian_width

from engine.text import clean


def tidy(text: str) -> str:
    """Text of people and models, harmless within markup."""
    return escape(clean(text), quote=True)


def wide(text: str) -> float:
    """Roughly how many pixels a text takes at 12 px."""
    return sum(12.0 if east_asian_width(char) in "WF" else 6.6 for char in text)


class Svg:
    """Marks are kept in order; `done` gives the markup. Sizes are in pixels."""

    def __init__(self, width: float, height: float, label: str) -> None:
        self.width, self.height, self.label = width, height, label
        self.parts: list[str] = []

    def add(self, markup: str) -> None:
        """Markup as it is."""
        self.parts.append(markup)

    def text(self, x: float, y: float, text: str, *, anchor: str = "start", cls: str = "t", turn: bool = False) -> None:
        """A text with its baseline at y."""
        how = f' transform="rotate(-40 {x:.1f} {y:.1f})"' if turn else ""
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{cls}"{how}>{tidy(text)}</text>')

    def line(self, x1: float, y1: float, x2: float, y2: float, cls: str = "axis") -> None:
        """A line."""
        self.add(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{cls}"/>')

    def rect(
        self, x: float, y: float, width: float, height: float, cls: str, *, tip: str = "", opacity: float = 1.0
    ) -> None:
        """A rectangle with a tooltip."""
        title = f"<title>{tidy(tip)}</title>" if tip else ""
        self.add(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(0, width):.1f}" height="{max(0, height):.1f}" rx="2" '
            f'class="{cls}" fill-opacity="{opacity:.3f}">{title}</rect>'
        )

    def dot(self, x: float, y: float, cls: str, *, r: float = 5, tip: str = "") -> None:
        """A circle with a tooltip."""
        title = f"<title>{tidy(tip)}</title>" if tip else ""
        self.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" class="{cls}">{title}</circle>')

    def path(self, points: list[tuple[float, float]], cls: str) -> None:
        """A broken line."""
        steps = " ".join(f"{'L' if at else 'M'}{x:.1f} {y:.1f}" for at, (x, y) in enumerate(points))
        self.add(f'<path d="{steps}" class="{cls}"/>')

    def done(self) -> str:
        """The drawing."""
        return (
            f'<svg viewBox="0 0 {self.width:.0f} {self.height:.0f}" style="max-width:{self.width:.0f}px" role="img" '
            f'aria-label="{tidy(self.label)}">{"".join(self.parts)}</svg>'
        )


class Scale:
    """From numbers to pixels, with round ticks."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        if high <= low:
            low, high = low - 0.5, high + 0.5
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return self.start + max(0.0, min(1.0, share)) * (self.end - self.start)

    def ticks(self, count: int = 5) -> list[float]:
        """About so many round numbers within."""
        raw = (self.high - self.low) / count
        power = 1.0
        while power > raw:
            power /= 10
        while power * 10 <= raw:
            power *= 10
        step = next(power * k for k in (1, 2, 5, 10) if power * k >= raw - 1e-12)
        first = -int(-self.low // step) if self.low < 0 else int(self.low // step + 0.999999)
        found, at = [], first * step
        while at < self.low - 1e-9:
            at += step
        while at <= self.high + 1e-9:
            found.append(round(at, 10))
            at += step
        return found
