"""Colours that can be told apart, for runs.

Colours are chosen in OKLCH, where equal steps look equally large: lightness from 0 to 1,
chroma from 0 (grey) to some 0.3, hue in degrees. They are returned as ``#rrggbb``;
what sRGB does not have is clamped, channel by channel.

>>> sample_colors(3)
['#e7729b', '#93ab2c', '#26a9f1']
>>> colors_for_runs(["train", "eval"])
{'train': '#e7729b', 'eval': '#00bca2'}
>>> darken("#2196F3")
'#0076d1'
"""

from __future__ import annotations

import math
from typing import Dict, Iterator, List, Sequence, Tuple

# Of more runs than this, hues alone are hard to tell apart.
_MANY = 8

_NO_COLOR = "#808080"


def sample_colors(
    n: int,
    lightness: float = 0.7,
    chroma: float = 0.15,
    hue_start: float = 0.0,
    hue_range: float = 360.0,
) -> List[str]:
    """Return n colours of one lightness and chroma whose hues are equally far apart.

    The first has hue_start; hue_range is the part of the circle that is used, in degrees.
    """
    return [_hex(lightness, chroma, (hue_start + i * hue_range / n) % 360) for i in range(n)]


def sample_colors_varied(
    n: int,
    lightness_range: Tuple[float, float] = (0.55, 0.8),
    chroma_range: Tuple[float, float] = (0.12, 0.18),
) -> List[str]:
    """Return n colours of which neighbours differ in lightness and chroma too."""
    (dark, light), (pale, full) = lightness_range, chroma_range
    colors = []
    for i in range(n):
        t = i / max(n - 1, 1)
        if i % 2 == 0:
            lightness = dark + (light - dark) * (1 - t * 0.5)
            chroma = pale + (full - pale) * t
        else:
            lightness = dark + (light - dark) * (0.5 + t * 0.5)
            chroma = full - (full - pale) * t * 0.5
        colors.append(_hex(lightness, chroma, (i * 360 / n) % 360))
    return colors


class ColorMap:
    """A fixed number of colours, by index: ``ColorMap(5)(0)``.

    Called with an index beyond the last it begins anew; indexed as a list it does not.
    """

    def __init__(
        self,
        n: int,
        lightness: float = 0.7,
        chroma: float = 0.15,
        hue_start: float = 0.0,
        varied: bool = False,
    ) -> None:
        if varied:
            self._colors = sample_colors_varied(n)
        else:
            self._colors = sample_colors(n, lightness, chroma, hue_start)

    def __call__(self, index: int) -> str:
        if not self._colors:
            return _NO_COLOR
        return self._colors[index % len(self._colors)]

    def __len__(self) -> int:
        return len(self._colors)

    def __iter__(self) -> Iterator[str]:
        return iter(self._colors)

    def __getitem__(self, index: int) -> str:
        return self._colors[index]


def colors_for_runs(
    run_ids: Sequence[str],
    lightness: float = 0.7,
    chroma: float = 0.15,
    varied: bool = False,
) -> Dict[str, str]:
    """Return a colour for each run, as ``run_colors`` of a profile takes them.

    Of more than eight runs neighbours differ in lightness too, asked for or not.
    """
    n = len(run_ids)
    if varied or n > _MANY:
        colors = sample_colors_varied(n)
    else:
        colors = sample_colors(n, lightness, chroma)
    return dict(zip(run_ids, colors))


def palette_categorical(n: int) -> List[str]:
    """Return n strong colours, for names without an order."""
    return sample_colors(n, lightness=0.65, chroma=0.18)


def palette_sequential(n: int, hue: float = 250) -> List[str]:
    """Return n colours of one hue from light to dark, for what has an order."""
    steps = [i / max(n - 1, 1) for i in range(n)]
    return [_hex(0.9 - t * 0.55, 0.08 + t * 0.12, hue) for t in steps]


def palette_diverging(n: int, hue_low: float = 250, hue_high: float = 30) -> List[str]:
    """Return n colours from one hue over grey to another, for what has a middle."""
    middle = (n - 1) / 2
    colors = []
    for i in range(n):
        if i == middle:
            colors.append(_hex(0.9, 0.0, 0))
            continue
        t = abs(i - middle) / middle  # 1 at the ends
        colors.append(_hex(0.9 - t * 0.45, 0.18 * t, hue_low if i < middle else hue_high))
    return colors


def lighten(hex_color: str, amount: float = 0.1) -> str:
    """Return the colour with its lightness raised by amount, at most to 1."""
    lightness, chroma, hue = _oklch(hex_color)
    return _hex(min(1.0, lightness + amount), chroma, hue)


def darken(hex_color: str, amount: float = 0.1) -> str:
    """Return the colour with its lightness lowered by amount, at most to 0."""
    lightness, chroma, hue = _oklch(hex_color)
    return _hex(max(0.0, lightness - amount), chroma, hue)


# The matrices are those of OKLab's author, Björn Ottosson
# (https://bottosson.github.io/posts/oklab).


def _hex(lightness: float, chroma: float, hue: float) -> str:
    """Turn OKLCH into #rrggbb."""
    angle = math.radians(hue)
    a, b = chroma * math.cos(angle), chroma * math.sin(angle)
    l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    )
    return "#" + "".join("%02x" % round(255 * min(1.0, max(0.0, _gamma(x)))) for x in linear)


def _gamma(x: float) -> float:
    return 12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055


def _linear(x: float) -> float:
    return x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4


def _oklch(hex_color: str) -> Tuple[float, float, float]:
    """Turn #rrggbb into OKLCH."""
    digits = hex_color.lstrip("#")
    r, g, b = (_linear(int(digits[i : i + 2], 16) / 255) for i in (0, 2, 4))
    l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
    x = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
    y = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
    return lightness, math.hypot(x, y), math.degrees(math.atan2(y, x)) % 360
