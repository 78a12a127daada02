"""Words: real English function words, and invented, pronounceable content words without end."""

import math
from collections.abc import Iterator

# In order of frequency, near enough: Zipf's law is applied to the place in the list.
_IN_ORDER = """
the of to and a in that is was for it with as on be at by this had not are but from or have
an they which one you were all her she there would their we him been has when who will no more
if out so up said what its about than into them can only other time new some could these two
may first then do any like my now over such our man me even most made after also did many off
before must well back through years much where your way down should because long each just
those people too mr how little state good very make world still see own work men day get here
old between both life being under three never know same last another while us might great year
since against go came right used take
"""
FUNCTION_WORDS = tuple(_IN_ORDER.split())

_ONSETS = (*"bcdfghjklmnprstvwz", "ch", "st", "tr")
_VOWELS = (*"aeiouy", "ea")
_CODAS = ("", *"nrl")

SYLLABLES = tuple(o + v + c for c in _CODAS for o in _ONSETS for v in _VOWELS)

# A prime that does not divide the number of syllables: multiplying by it is a bijection that
# scatters neighbouring ranks, so that words of like frequency do not start alike.
_SCATTER = 7_368_787
_LONGEST = 5


def invented(rank: int) -> str:
    """Return the word of a rank: two syllables for the first hundreds of thousands, then three.

    >>> invented(0), invented(1), invented(10**9)
    ('baba', 'wealhen', 'mestildilry')
    """
    base = len(SYLLABLES)
    length = 2
    while rank >= base**length and length < _LONGEST:
        rank -= base**length
        length += 1
    number = rank * _SCATTER % base**length
    parts = []
    for _ in range(length):
        number, digit = divmod(number, base)
        parts.append(SYLLABLES[digit])
    return "".join(parts)


def zipf_slots(count: int, slots: int, offset: float) -> Iterator[int]:
    """Yield a rank for each of ``slots`` equal shares of the law 1 / (rank + offset).

    Drawing a slot at random then costs one look-up, whatever the law.
    """
    log_span = math.log((count + offset) / offset)
    for slot in range(slots):
        yield int(offset * math.exp(log_span * (slot + 0.5) / slots) - offset)
