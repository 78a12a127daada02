"""What the qSign paper reports: Kim, Candan, Tatemura, WWW 2009, table 2 (b), Google_10000."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["BANDS", "CANDIDATES", "RECALL", "TOTAL", "Band"]


class Band(NamedTuple):
    """Overlaps above ``low``, or from 0.5 on, up to ``high``."""

    name: str
    low: float
    high: float

    def holds(self, overlap: float) -> bool:
        """Return whether an overlap is in the band; what is closer than 1e-9 is on its border."""
        above = overlap > self.low + 1e-9 if self.low > 0.5 else overlap >= self.low - 1e-9  # noqa: PLR2004
        return above and overlap <= self.high + 1e-9


BANDS = (
    Band("(.9,1]", 0.9, 1.0),
    Band("(.8,.9]", 0.8, 0.9),
    Band("(.7,.8]", 0.7, 0.8),
    Band("(.6,.7]", 0.6, 0.7),
    Band("[.5,.6]", 0.5, 0.6),
)

#: By the number of bits, for each band, the recall within 0 to 5 bits.
RECALL: dict[int, dict[str, tuple[float, ...]]] = {
    16: {
        "(.9,1]": (0.955, 0.982, 0.987, 0.999, 0.999, 1.0),
        "(.8,.9]": (0.783, 0.878, 0.949, 0.996, 0.998, 1.0),
        "(.7,.8]": (0.139, 0.523, 0.758, 0.940, 0.996, 1.0),
        "(.6,.7]": (0.0, 0.143, 0.423, 0.640, 0.894, 0.905),
        "[.5,.6]": (0.0, 0.122, 0.348, 0.512, 0.811, 0.835),
    },
    32: {
        "(.9,1]": (0.922, 0.948, 0.982, 0.986, 0.990, 0.992),
        "(.8,.9]": (0.681, 0.807, 0.872, 0.913, 0.940, 0.965),
        "(.7,.8]": (0.057, 0.281, 0.484, 0.616, 0.762, 0.883),
        "(.6,.7]": (0.0, 0.011, 0.037, 0.196, 0.344, 0.466),
        "[.5,.6]": (0.0, 0.018, 0.024, 0.128, 0.220, 0.390),
    },
}

#: Over all bands.
TOTAL = {
    16: (0.767, 0.846, 0.907, 0.957, 0.986, 0.989),
    32: (0.716, 0.780, 0.833, 0.867, 0.897, 0.926),
}

#: Candidates for a sentence.
CANDIDATES = {
    16: (5.1, 37.9, 267.8, 1277.6, 4398.2, 11531.5),
    32: (2.7, 2.9, 3.2, 3.9, 7.2, 21.9),
}
