//! What of the sentences of one document has a match in others, and the reverse: at most.

use std::sync::atomic::{AtomicU64, Ordering};

use super::segment::Segment;
use crate::features::{Features, Mark};
use crate::join::Verification;
use crate::join::telling::Telling;

/// A stored document: the number of its segment, and its number there.
pub type Found = (u32, u32);

/// Which stored documents were found, by one of several that are looked for at the same time.
pub struct Told(Vec<Vec<AtomicU64>>);

impl Told {
    /// None was found yet, by so many; for a single one none is noted.
    pub fn new(segments: &[&Segment], many: usize) -> Self {
        let words = |segment: &&Segment| (segment.head().documents as usize).div_ceil(64);
        let none = |segment| (0..words(segment)).map(|_| AtomicU64::new(0)).collect();
        Self(if many > 1 { segments.iter().map(none).collect() } else { Vec::new() })
    }

    fn word(&self, (segment, document): Found) -> Option<&AtomicU64> {
        self.0.get(segment as usize)?.get(document as usize / 64)
    }

    /// Note that one was found.
    pub fn set(&self, found: Found) {
        if let Some(word) = self.word(found) {
            word.fetch_or(1 << (found.1 % 64), Ordering::Relaxed);
        }
    }

    /// Whether one was found; another thread may be about to note it.
    pub fn has(&self, found: Found) -> bool {
        let is_set = |word: &AtomicU64| word.load(Ordering::Relaxed) >> (found.1 % 64) & 1 == 1;
        self.word(found).is_some_and(is_set)
    }
}

/// A match of a sentence with one of a stored document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Tally {
    holder: Found,
    /// The two sentences.
    own: u32,
    other: u32,
    /// What the match weighs for each of both, and how many words it may prove something by.
    weights: [u64; 2],
    words: u64,
}

/// The matches of one document.
pub struct Tallies<'a> {
    verification: &'a Verification,
    features: &'a Features,
    /// Which sentences are too common to prove anything.
    common: &'a [bool],
    found: Vec<Tally>,
}

/// A match of two sentences: what it weighs for each, and how many words it may prove something by.
#[derive(Debug, Clone, Copy)]
pub struct Weighed {
    weights: [u64; 2],
    words: u64,
}

impl<'a> Tallies<'a> {
    /// No matches yet, of sentences with these features. Which of them are `common` is said for each.
    pub fn new(verification: &'a Verification, features: &'a Features, common: &'a [bool]) -> Self {
        Self { verification, features, common, found: Vec::new() }
    }

    /// What a match of two sentences weighs; the score of equal ones is infinite. Of new sentences the
    /// first is one. `None` if it does not count: boilerplate of one side only has to prove something.
    pub fn weigh(&self, units: [usize; 2], score: f64) -> Option<Weighed> {
        let (weight, words) = self.counted(units, score);
        let marks = units.map(|unit| self.features.mark(unit));
        let weights = marks.map(|mark| if mark.is_boilerplate() { 0 } else { weight });
        Mark::counts(marks, words).then_some(Weighed { weights, words: words.into() })
    }

    /// The weight that two sentences share, and how many words may prove something.
    fn counted(&self, [own, other]: [usize; 2], score: f64) -> (u64, u32) {
        let &Verification::Retold { alike, proof, .. } = self.verification else {
            return (1, 0);
        };
        let telling = Telling { features: self.features, common: self.common, proof };
        if !score.is_finite() {
            return (self.features.weight(own), telling.alone(own as u32));
        }
        let shared = score as u64;
        let units = [own, other];
        let weights = units.map(|unit| self.features.weight(unit));
        let terms = units.map(|unit| self.features.range(unit).len());
        let proves = alike.score(shared, weights, terms).is_some_and(|s| s >= proof.score);
        let words = if proves { telling.in_order(units.map(|unit| unit as u32)) } else { 0 };
        (shared, words)
    }

    /// Note a match of a sentence with one of a stored document.
    pub fn add(&mut self, holder: Found, units: [usize; 2], weighed: Weighed) {
        let [own, other] = units.map(|unit| unit as u32);
        let Weighed { weights, words } = weighed;
        self.found.push(Tally { holder, own, other, weights, words });
    }

    /// The documents that may have enough in this one, or the reverse. `totals` says of what shares
    /// of this one and of another are shares.
    pub fn enough(mut self, floor: f64, totals: impl Fn(Found) -> [u64; 2]) -> Vec<Found> {
        self.found.sort_unstable();
        let mut enough = Vec::new();
        let mut theirs: Vec<(u32, u64, u64)> = Vec::new();
        let reaches = |part: u64, whole: u64| part as f64 >= floor * whole as f64 * (1.0 - 1e-9);
        let least = match self.verification {
            Verification::Retold { proof, .. } => Some(proof.words),
            _ => None,
        };
        for run in self.found.chunk_by(|a, b| a.holder == b.holder) {
            theirs.clear();
            theirs.extend(run.iter().map(|tally| (tally.own, tally.weights[0], tally.words)));
            let own = best(&mut theirs);
            theirs.clear();
            theirs.extend(run.iter().map(|tally| (tally.other, tally.weights[1], tally.words)));
            let other = best(&mut theirs);
            let totals = totals(run[0].holder);
            if least.is_some_and(|least| own.1.max(other.1) >= least)
                || reaches(own.0, totals[0])
                || reaches(other.0, totals[1])
            {
                enough.push(run[0].holder);
            }
        }
        enough
    }
}

/// The weight and the words of the best match of each sentence, together.
fn best(matches: &mut [(u32, u64, u64)]) -> (u64, u64) {
    matches.sort_unstable();
    matches.chunk_by(|a, b| a.0 == b.0).fold((0, 0), |(weight, words), all| {
        let most = |of: fn(&(u32, u64, u64)) -> u64| all.iter().map(of).max().unwrap_or(0);
        (weight + most(|row| row.1), words + most(|row| row.2))
    })
}
