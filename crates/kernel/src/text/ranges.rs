//! Parts of a block in which sentences do not end as they do elsewhere.

/// What a range of a block is, in which sentences do not end as they do elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A quotation whose marks are different.
    Quotation,
    /// A quotation whose opening and closing marks are the same, these.
    Symmetric(&'static str),
    Bracket,
    Address,
    Item,
}

/// Whether the marks of a quotation are really a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pairing {
    Sure,
    /// The block has an odd number of them.
    Doubtful,
    /// A bracket ends or begins in between.
    Wrong,
}

/// A part of a block, from the first byte of its first mark to behind its last one.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    pub start: usize,
    pub end: usize,
    pub kind: Kind,
    pub pairing: Pairing,
}

impl Range {
    pub fn new(start: usize, end: usize, kind: Kind) -> Self {
        Self { start, end, kind, pairing: Pairing::Sure }
    }

    pub fn is_quotation(&self) -> bool {
        matches!(self.kind, Kind::Quotation | Kind::Symmetric(_))
    }
}

/// Ranges in the order in which they were found, each with the last end of a quotation up to it.
#[derive(Default)]
pub struct Ranges {
    pub all: Vec<Range>,
    last_ends: Vec<usize>,
}

impl Ranges {
    pub fn clear(&mut self) {
        self.all.clear();
        self.last_ends.clear();
    }

    pub fn push(&mut self, range: Range) {
        let last = self.last_ends.last().copied().unwrap_or(0);
        self.last_ends.push(if range.is_quotation() { last.max(range.end) } else { last });
        self.all.push(range);
    }

    /// Whether a mark at this place is inside a quotation. The search is by halves also where a late
    /// range starts before others, as `sentencex` does it.
    pub fn quote(&self, at: usize) -> bool {
        let n = self.all.partition_point(|range| range.start <= at);
        n > 0 && at < self.last_ends[n - 1]
    }

    /// Put them in the order of their starts.
    pub fn sort(&mut self) {
        if self.all.is_sorted_by_key(|range| range.start) {
            return;
        }
        let mut all = std::mem::take(&mut self.all);
        all.sort_unstable_by_key(|range| range.start);
        self.last_ends.clear();
        all.drain(..).for_each(|range| self.push(range));
    }
}
