"""Tables in Markdown that are as easy to read in a terminal."""

import math
from collections.abc import Sequence


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table, the first column to the left, figures to the right."""
    widths = [max(map(len, cells)) for cells in zip(columns, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *others = (
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return f"| {' | '.join([first, *others])} |"

    rule = "|" + "|".join(
        "-" * (width + 2) if place == 0 else "-" * (width + 1) + ":"
        for place, width in enumerate(widths)
    )
    return "\n".join([line(columns), f"{rule}|", *map(line, rows)])


def figure(value: float, digits: int = 3) -> str:
    """Return a number with so many significant digits, never in powers of ten."""
    if value == 0 or not math.isfinite(value):
        return str(value)
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{places}f}"


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Return b of the least-squares line log seconds = a + b log size.

    >>> round(exponent([1, 2, 4], [3, 6, 12]), 3)
    1.0
    """
    xs, ys = [math.log(size) for size in sizes], [math.log(second) for second in seconds]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    return covariance / sum((x - mean_x) ** 2 for x in xs)
