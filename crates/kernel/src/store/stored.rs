//! The words of stored sentences, compared with those of new ones where they stand.

use std::ops::Range;

use super::layout::{Section, number_at, u64_at};
use super::segment::Segment;
use crate::error::Result;
use crate::features::Features;
use crate::join::overlap::Measure;

/// A new sentence.
#[derive(Debug, Clone, Copy)]
pub struct Compared<'a> {
    /// Its words, sorted.
    pub words: &'a [u64],
    /// What they weigh.
    pub weights: &'a [u64],
    /// A mark for each word.
    marks: [u64; 4],
    /// The fewest of its words that another one must have for a match.
    pub needed: usize,
}

/// Where the mark of a word is.
#[inline]
fn mark_of(word: u64) -> (usize, u32) {
    ((word >> 62) as usize, (word >> 56) as u32 & 63)
}

impl<'a> Compared<'a> {
    /// A sentence of these, which is matched by a measure from a threshold on.
    pub fn new(features: &'a Features, unit: usize, measure: Measure, threshold: f64) -> Self {
        let range = features.range(unit);
        let (words, weights) = (&features.keys[range.clone()], &features.weights[range]);
        let mut marks = [0; 4];
        for &word in words {
            let (at, bit) = mark_of(word);
            marks[at] |= 1 << bit;
        }
        Self { words, weights, marks, needed: measure.fewest(weights, threshold) }
    }
}

/// The sentences of a segment.
pub struct Stored<'a> {
    segment: &'a Segment,
    measure: Measure,
    threshold: f64,
    /// The words of the one at hand, what they weigh if somebody asked, and where they stand.
    words: Vec<u64>,
    weights: Vec<u64>,
    range: Range<usize>,
}

/// What comes into the processor's memory at once, and how often it is asked for one sentence.
const LINE: usize = 64;
const MOST: usize = 4;

impl<'a> Stored<'a> {
    /// Those of this segment.
    pub fn new(segment: &'a Segment, measure: Measure, threshold: f64) -> Self {
        let (words, weights) = (Vec::new(), Vec::new());
        Self { segment, measure, threshold, words, weights, range: 0..0 }
    }

    /// Ask for the memory that tells where the words of a unit are.
    #[inline]
    pub fn fetch_ends(&self, unit: u32) {
        self.segment.prefetch(Section::UnitEnds, unit as usize * 4);
    }

    /// Ask for the memory of its words.
    #[inline]
    pub fn fetch_words(&self, unit: u32) -> Result<()> {
        let range = self.segment.range(Section::UnitEnds, unit as usize, 4, 0)?;
        let lines = (range.start * 8..range.end * 8).step_by(LINE).take(MOST);
        lines.for_each(|at| self.segment.prefetch(Section::Keys, at));
        Ok(())
    }

    /// Whether a stored sentence has enough of the words of a new one, which asks; otherwise the reverse.
    #[inline]
    pub fn matches(&mut self, own: &Compared<'_>, unit: u32, asks: bool) -> Result<bool> {
        let range = self.segment.range(Section::UnitEnds, unit as usize, 4, 0)?;
        let (many, needed) = if asks {
            (range.len(), own.needed)
        } else {
            (own.words.len(), self.measure.fewest_of(range.len(), self.threshold))
        };
        if many < needed {
            return Ok(false);
        }
        let keys = self.segment.part(Section::Keys, range.start * 8..range.end * 8)?;
        let seem_shared = keys.chunks_exact(8).fold(0, |seem, bytes| {
            let (at, bit) = mark_of(u64_at(bytes, 0));
            seem + (own.marks[at] >> bit & 1) as usize
        });
        if seem_shared < needed {
            return Ok(false);
        }
        self.open(unit)?;
        self.is_match(own, asks)
    }

    /// Have a stored sentence at hand: its words.
    pub fn open(&mut self, unit: u32) -> Result<&[u64]> {
        let range = self.segment.range(Section::UnitEnds, unit as usize, 4, 0)?;
        let keys = self.segment.part(Section::Keys, range.start * 8..range.end * 8)?;
        self.words.clear();
        self.words.extend(keys.chunks_exact(8).map(|bytes| u64_at(bytes, 0)));
        self.weights.clear();
        self.range = range;
        Ok(&self.words)
    }

    /// Whether the sentence at hand has enough of the words of a new one, which asks; otherwise the
    /// reverse.
    pub fn is_match(&mut self, own: &Compared<'_>, asks: bool) -> Result<bool> {
        if asks {
            let found = (own.words, own.weights, &self.words);
            return Ok(self.measure.between(found.0, found.1, found.2, self.threshold).is_some());
        }
        if self.weights.is_empty() {
            let width = self.segment.number_width();
            let range = self.range.start * width..self.range.end * width;
            let numbers = self.segment.part(Section::Numbers, range)?;
            for bytes in numbers.chunks_exact(width) {
                self.weights.push(self.segment.weight(number_at(bytes, 0, width))?);
            }
        }
        let found = (&self.words, &self.weights, own.words);
        Ok(self.measure.between(found.0, found.1, found.2, self.threshold).is_some())
    }
}
