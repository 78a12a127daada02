"""From pairs to what is removed: documents that others hold, then sentences that others have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from twicetold.deduplicating.choosing import survivors
from twicetold.deduplicating.cutting import (
    Piece,
    Told,
    cut_pieces,
    cut_sentences,
    sentences_by,
)
from twicetold.deduplicating.gathering import Gathered, Node
from twicetold.deduplicating.records import (
    DIRECTIONS,
    Cut,
    Direction,
    Dropped,
    Reason,
    Removal,
    Shortened,
    Skipped,
)
from twicetold.errors import ParameterError
from twicetold.pairs import Pairs
from twicetold.pipeline import Progress
from twicetold.records import Pair

__all__ = ["Rules", "decide"]

#: THE RULE: relations under which left is held by right, and right by left. Under a relation that
#: does not stand here nothing is removed, and nothing counts as found in another collection.
_HELD = (
    ("identical", "near-duplicate", "contained"),
    ("identical", "near-duplicate", "contains"),
)

#: Shares closer than this are equal: they are quotients.
_HAIR = 1e-12


@dataclass(frozen=True, kw_only=True)
class Rules:
    """When something is removed; see `dedupe`."""

    direction: Direction = "either"
    within: bool = True
    share: float = 0.8
    passages: bool = False
    passage_share: float = 0.9
    passage_words: int = 12

    def __post_init__(self) -> None:
        for name in ("share", "passage_share"):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                msg = f"{name} must be a number from 0 to 1, got {value!r}"
                raise ParameterError(msg)
        if self.direction not in DIRECTIONS:
            msg = f"direction must be one of {', '.join(DIRECTIONS)}, got {self.direction!r}"
            raise ParameterError(msg)
        if self.passage_words < 1:
            msg = f"passage_words must be at least 1, got {self.passage_words!r}"
            raise ParameterError(msg)

    def to_json(self) -> dict[str, Any]:
        """Return the rules for the record of a run."""
        return asdict(self)


class _Held(NamedTuple):
    """How much of a document its witness has, the reverse, and how the two stand."""

    share: float
    back: float
    reason: Reason

    @property
    def strength(self) -> float:
        """How much of the one that goes is in the other, or of the other in the one."""
        return self.back if self.reason == "contains" else self.share


def decide(
    gathered: Gathered, pairs: Pairs, rules: Rules, *, progress: Callable[[Progress], None]
) -> list[Removal]:
    """Return what is removed, in the order of the rows."""
    return sorted(_Decision(gathered, pairs, rules).run(progress), key=lambda gone: gone.at)


class _Decision:
    def __init__(self, gathered: Gathered, pairs: Pairs, rules: Rules) -> None:
        self.gathered, self.pairs, self.rules = gathered, pairs, rules
        self.nodes = gathered.nodes
        self.fixed = [node.other is not None for node in self.nodes]
        self.order = sorted(range(len(self.nodes)), key=self._preferred)
        self.ranks = [0] * len(self.nodes)
        for rank, n in enumerate(self.order):
            self.ranks[n] = rank

    def run(self, progress: Callable[[Progress], None]) -> Iterator[Removal]:
        yield from (Skipped(at=at, reason=why) for at, why in self.gathered.reasons.items())
        holders = self._holders()
        self._count_found(holders)
        kept = survivors(self.ranks, holders, fixed=self.fixed)
        witnesses: set[int] = set()
        for n, node in enumerate(self.nodes):
            found = _Held(1.0, 1.0, "identical")
            witness, rows = n, self._copies(node)
            if not kept[n]:
                rows = node.rows
                known = [(held, holder) for holder, held in holders[n].items() if kept[holder]]
                found, witness = max(known, key=lambda one: (one[0].strength, -self.ranks[one[1]]))
            if rows:
                witnesses.add(witness)
            yield from (self._dropped(at, found, witness) for at in rows)
        if self.rules.passages:
            yield from self._cut(kept, witnesses, progress)

    def _count_found(self, holders: dict[int, dict[int, _Held]]) -> None:
        """Count the documents of the other collection that are found in the sources, and where."""
        own = {n for n, node in enumerate(self.nodes) if node.rows and self.fixed[n]}
        others = set(own)  # with the same text
        for n, found in holders.items():
            witnesses = {witness for witness in found if self.fixed[witness]}
            others |= witnesses
            own |= {n} if witnesses else set()
        self.gathered.n_found = sum(self.nodes[n].others for n in others)
        self.gathered.n_found_in = sum(len(self.nodes[n].rows) for n in own)

    def _preferred(self, n: int) -> tuple[int, ...]:
        """Return what a node is ranked by: what is only a witness comes first."""
        return (0, n) if self.fixed[n] else (1, *self.nodes[n].key)

    def _may(self, n: int, witness: int) -> bool:
        """Whether something of a document may be removed for another one."""
        return not self.fixed[n] and (self.fixed[witness] or self.rules.within)

    def _holders(self) -> dict[int, dict[int, _Held]]:
        holders: dict[int, dict[int, _Held]] = {}
        for pair in self.pairs:
            numbers = _numbers(pair)
            shares = pair.left_in_right, pair.right_in_left
            held = [
                pair.relation in relations and share >= self.rules.share - _HAIR
                for relations, share in zip(_HELD, shares, strict=True)
            ]
            for side in (0, 1):
                n, witness = numbers[side], numbers[1 - side]
                if not self._may(n, witness):
                    continue
                reason = self._reason(pair, held[side], held[1 - side], witness)
                if reason is not None:
                    found = _Held(shares[side], shares[1 - side], reason)
                    holders.setdefault(n, {})[witness] = found
        return holders

    def _reason(self, pair: Pair, is_held: bool, holds: bool, witness: int) -> Reason | None:
        """Return why a document goes for a witness; None: it stays."""
        direction = self.rules.direction if self.fixed[witness] else "contained"
        if not (is_held and direction != "contains") and not (holds and direction != "contained"):
            return None
        if pair.relation == "identical":
            return "identical"
        if is_held and holds:
            return "near-duplicate"
        return "contained" if is_held else "contains"

    def _copies(self, node: Node) -> list[int]:
        """Return the rows whose text another row has that is preferred."""
        if node.other is not None:
            return node.rows
        return [at for at in node.rows if at != node.best] if self.rules.within else []

    def _dropped(self, at: int, held: _Held, witness: int, **more: Any) -> Dropped:
        name, against = self.gathered.witness(self.nodes[witness])
        return Dropped(
            at=at,
            id=self.gathered.own.id_of(at),
            reason=held.reason,
            witness=name,
            in_witness=held.share,
            witness_in=held.back,
            against=against,
            characters=self.gathered.lengths[at],
            **more,
        )

    def _cut(
        self, kept: list[bool], witnesses: set[int], progress: Callable[[Progress], None]
    ) -> Iterator[Removal]:
        """Yield what is cut, the document that ranks best first: it keeps what it has."""
        told = self._told(kept, witnesses)
        sentences = sentences_by(lambda n: self.gathered.text(self.nodes[n]))
        gone: dict[int, set[int]] = {}
        for done, n in enumerate(sorted(told, key=self.ranks.__getitem__)):
            progress(Progress("passages", done, len(told), "documents"))
            pieces = cut_sentences(
                sentences(n),
                sorted(told[n], key=lambda one: self.ranks[one.witness]),
                sentences,
                lambda witness: gone.get(witness, set()),
                share=self.rules.passage_share,
                words=self.rules.passage_words,
            )
            if pieces:
                gone[n] = {m for piece in pieces for m in range(piece.first, piece.last + 1)}
                left = [one for m, one in enumerate(sentences(n)) if m not in gone[n]]
                text = self.gathered.text(self.nodes[n])[0]
                spans = cut_pieces(text, sentences(n), pieces)
                cuts = tuple(map(self._one_cut, spans, pieces))
                yield from self._shortened(n, cuts, is_empty=not any(one.words for one in left))

    def _told(self, kept: list[bool], witnesses: set[int]) -> dict[int, list[Told]]:
        """Return for each document that may be shortened what better ones have of it."""
        told: dict[int, list[Told]] = {}
        for pair in self.pairs:
            numbers = _numbers(pair)
            if not pair.passages or not all(kept[n] for n in numbers):
                continue
            worse, better = sorted(numbers, key=self.ranks.__getitem__, reverse=True)
            if worse not in witnesses and self._may(worse, better):
                found = told.setdefault(worse, [])
                is_left = worse == numbers[0]
                found += (Told.of(one, better, is_left=is_left) for one in pair.passages)
        return told

    def _one_cut(self, span: Any, piece: Piece) -> Cut:
        name, _ = self.gathered.witness(self.nodes[piece.witness])
        return Cut(span=span, witness=name, witness_span=piece.witness_span, share=piece.share)

    def _shortened(self, n: int, cuts: tuple[Cut, ...], *, is_empty: bool) -> Iterator[Removal]:
        for at in self.nodes[n].rows:
            name = self.gathered.own.id_of(at)
            witnesses = {cut.witness for cut in cuts}
            characters = sum(cut.span.end - cut.span.start for cut in cuts)
            if not is_empty:
                yield Shortened(at=at, id=name, characters=characters, cuts=cuts)
                continue
            yield Dropped(
                at=at,
                id=name,
                reason="retold in parts",
                witness=cuts[0].witness if len(witnesses) == 1 else None,
                in_witness=min(cut.share for cut in cuts),
                witness_in=0.0,
                characters=self.gathered.lengths[at],
                cuts=cuts,
            )


def _numbers(pair: Pair) -> tuple[int, int]:
    return int(pair.left), int(pair.right)
