//! How much of a document is in another: what is retold of it, and which of its content is there.
//!
//! *Retold* goes by sentences. x is the share of a sentence's weight that its best window of a few
//! sentences of the other document has, c the share that stands in five common stems in a row:
//!
//! r = √(e·max(c, h)),   e = (x − .5) / .5,   h = (x − .7) / .3,   none below 0
//!
//! Half of the words come by chance where two texts have the same topic; beyond that both the words
//! and their order speak, and of nearly all words no order is asked. A document's share is the mean
//! of its sentences by weight.
//!
//! *Content* goes by the distinct stems of the document, each weighed as rare in the document
//! itself, ln((n + 1) / sf): what the other has must not decide what counts.

use std::ops::Range;

use super::grams::{SHORT, grams};
use super::pair::{Pair, Side};
use super::weights::NONE;
use crate::cancel::Cancel;
use crate::effort::{BETWEEN_CHECKS, steps};
use crate::error::Result;

/// The share of a sentence's words that a text of the same topic has by chance.
const CHANCE: f64 = 0.5;

/// From this share on a sentence counts whatever the order of its words.
const PLENTY: f64 = 0.7;

/// How much of a document is in another.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Share {
    /// The share that is retold.
    pub retold: f64,
    /// The share of the content.
    pub content: f64,
    /// The weight of all sentences.
    pub weight: f64,
}

/// Measure how much of one side is in the other.
pub fn share(pair: &Pair<'_>, side: Side, window: usize, cancel: &Cancel) -> Result<Share> {
    let (retold, weight) = retold(pair, side, window, cancel)?;
    Ok(Share { retold: ratio(retold, weight), content: content(pair, side), weight })
}

/// The share of the weight of distinct stems that the other side has.
fn content(pair: &Pair<'_>, side: Side) -> f64 {
    let own = pair.document(side);
    let sentences = (own.sentences.len() + 1) as f64;
    let (mut common, mut whole) = (0.0, 0.0);
    for (stem, partner) in pair.partners_of(side).iter().enumerate() {
        let holders = own.holders(stem as u32);
        let is_boilerplate = |holder: &u32| own.sentences[*holder as usize].is_boilerplate;
        if holders.iter().all(is_boilerplate) {
            continue;
        }
        let weight = (sentences / holders.len() as f64).ln();
        whole += weight;
        if *partner != NONE {
            common += weight;
        }
    }
    ratio(common, whole)
}

/// The weight of sentences that is retold, and all of it. Boilerplate does not count.
fn retold(pair: &Pair<'_>, side: Side, window: usize, cancel: &Cancel) -> Result<(f64, f64)> {
    let own = pair.document(side);
    let weights = pair.weights_of(side);
    let in_row = in_row(pair, side);
    let mut windows = Windows::new(pair, side, window);
    let (mut found, mut whole) = (0.0, 0.0);
    // What is known of sentences that come again.
    let mut known: Vec<Option<(f64, f64)>> = Vec::new();
    if own.by_stem.repeats() {
        known.resize(own.sentences.len(), None);
    }
    for (n, sentence) in own.sentences.iter().enumerate() {
        if n % BETWEEN_CHECKS == 0 {
            cancel.check()?;
        }
        if sentence.is_boilerplate {
            continue;
        }
        let (best, weight) = match known.get_mut(own.by_stem.first(n)) {
            Some(known) => *known.get_or_insert_with(|| windows.best(n)),
            None => windows.best(n),
        };
        let share = ratio(best, weight);
        let (mut rowed, mut all) = (0.0, 0.0);
        for word in sentence.words.clone() {
            let weight = weights[own.words[word] as usize];
            all += weight;
            rowed += if in_row[word] { weight } else { 0.0 };
        }
        let above = |floor: f64| ((share - floor) / (1.0 - floor)).max(0.0);
        let order = ratio(rowed, all).max(above(PLENTY));
        found += weight * (above(CHANCE) * order).sqrt();
        whole += weight;
    }
    Ok((found, whole))
}

/// Which words stand in a gram of stems that the other side has, too.
fn in_row(pair: &Pair<'_>, side: Side) -> Vec<bool> {
    let (own, other) = (pair.document(side), pair.document(side.other()));
    let size = SHORT.min(own.words.len()).min(other.words.len());
    let (short_own, short_other);
    let (ours, theirs) = if size == SHORT {
        (&own.stem_grams, &other.stem_grams)
    } else {
        // A document of fewer words counts as a whole.
        let keys = |side: Side| -> Vec<u64> {
            let document = pair.document(side);
            document.words.iter().map(|stem| document.stems[*stem as usize]).collect()
        };
        (short_own, short_other) = (grams(&keys(side), size), grams(&keys(side.other()), size));
        (&short_own, &short_other)
    };
    let mut found = vec![false; own.words.len()];
    let mut at = 0;
    for (hash, place) in ours {
        while at < theirs.len() && theirs[at].0 < *hash {
            at += 1;
        }
        if theirs.get(at).is_some_and(|gram| gram.0 == *hash) {
            let start = *place as usize;
            found[start..start + size].fill(true);
        }
    }
    found
}

/// Looks for the sentences of one side in windows of the other.
struct Windows<'p, 'd> {
    pair: &'p Pair<'d>,
    side: Side,
    size: usize,
    /// For each window, by the sentence it begins with, the weight it has as far as it was looked for.
    sums: Vec<f64>,
    /// The windows that may have enough.
    touched: Vec<usize>,
    /// The stems of the sentence at hand that the other side has: their weights, and their numbers there.
    shared: Vec<(f64, u32)>,
    /// The same, the rarest first.
    rarest: Vec<(f64, u32)>,
    /// How many steps are left for this sentence.
    left: usize,
    /// How many places of stems, and windows, were looked at.
    looked: u64,
}

impl<'p, 'd> Windows<'p, 'd> {
    fn new(pair: &'p Pair<'d>, side: Side, size: usize) -> Self {
        let sums = vec![0.0; pair.document(side.other()).sentences.len()];
        let (touched, shared, rarest) = Default::default();
        Self { pair, side, size, sums, touched, shared, rarest, left: 0, looked: 0 }
    }

    /// The weight of a sentence's stems that one window has, at most, and that of all of them. Of no
    /// more than comes by chance nobody wants to know how much it is.
    fn best(&mut self, sentence: usize) -> (f64, f64) {
        let (own, other) = (self.pair.document(self.side), self.pair.document(self.side.other()));
        self.shared.clear();
        let mut whole = 0.0;
        for term in own.terms_of(sentence) {
            let weight = self.pair.weights_of(self.side)[term.stem as usize];
            whole += weight;
            let partner = self.pair.partners_of(self.side)[term.stem as usize];
            if partner != NONE {
                self.shared.push((weight, partner));
            }
        }
        let least = CHANCE * whole * (1.0 - 1e-9);
        let holders = |stem: u32| other.by_stem.of_windows(stem);
        self.rarest.clone_from(&self.shared);
        self.rarest.sort_unstable_by_key(|&(_, stem)| (holders(stem).len(), stem));
        let mut rest: f64 = self.shared.iter().map(|shared| shared.0).sum();
        self.left = steps(other.sentences.len());
        for n in 0..self.rarest.len() {
            let (weight, stem) = self.rarest[n];
            // Who has none of the rarer ones cannot have enough of the others.
            if rest > least {
                self.meet(holders(stem), weight);
                rest -= weight;
            } else {
                rest -= weight;
                self.ask(holders(stem), weight, least - rest);
            }
        }
        let likely = self.touched.iter().map(|&start| self.sums[start]).fold(0.0, f64::max);
        let mut best = 0.0;
        for start in self.touched.drain(..) {
            if self.sums[start] >= likely - 1e-9 * whole && (self.left > 0 || best == 0.0) {
                self.left = self.left.saturating_sub(1);
                self.looked += 1;
                // Summed up in the order of the sentence, whatever order they were looked for in.
                let has = |shared: &&(f64, u32)| is_in(holders(shared.1), start..start + self.size);
                best = self.shared.iter().filter(has).map(|shared| shared.0).sum::<f64>().max(best);
            }
            self.sums[start] = 0.0;
        }
        (best, whole)
    }

    /// Add a stem to the windows that have it: those that begin at a holder, and those before that
    /// reach it.
    fn meet(&mut self, holders: &[u32], weight: f64) {
        let mut next = 0;
        let met = &holders[..holders.len().min(self.left)];
        self.left -= met.len();
        self.looked += met.len() as u64;
        for &holder in met {
            let holder = holder as usize;
            for start in next.max((holder + 1).saturating_sub(self.size))..=holder {
                if self.sums[start] == 0.0 {
                    self.touched.push(start);
                }
                self.sums[start] += weight;
            }
            next = holder + 1;
        }
    }

    /// Add a stem to the windows that were met, and forget those that have no more than `least` then.
    fn ask(&mut self, holders: &[u32], weight: f64, least: f64) {
        let (sums, size) = (&mut self.sums, self.size);
        let asked = self.touched.len();
        if asked > self.left {
            return;
        }
        self.left -= asked;
        self.looked += asked as u64;
        self.touched.retain(|&start| {
            if is_in(holders, start..start + size) {
                sums[start] += weight;
            }
            let is_enough = sums[start] > least;
            if !is_enough {
                sums[start] = 0.0;
            }
            is_enough
        });
    }
}

/// Whether one of some sentences, which are sorted, is in a range.
fn is_in(sentences: &[u32], range: Range<usize>) -> bool {
    let at = sentences.partition_point(|&sentence| (sentence as usize) < range.start);
    sentences.get(at).is_some_and(|&sentence| (sentence as usize) < range.end)
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole).min(1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::parameters::Parameters;
    use crate::align::tests::{documents, text};
    use proptest::prelude::*;

    /// The best of all windows, the obvious way.
    fn best(pair: &Pair<'_>, sentence: usize, size: usize) -> f64 {
        let (own, other) = (pair.document(Side::Left), pair.document(Side::Right));
        let mut best = 0.0;
        for start in 0..other.sentences.len() {
            let mut sum = 0.0;
            for term in own.terms_of(sentence) {
                let partner = pair.partners_of(Side::Left)[term.stem as usize];
                let end = other.sentences.len().min(start + size);
                let has = |n: usize| other.terms_of(n).iter().any(|t| t.stem == partner);
                if partner != NONE && (start..end).any(has) {
                    sum += pair.weights_of(Side::Left)[term.stem as usize];
                }
            }
            best = f64::max(best, sum);
        }
        best
    }

    proptest! {
        #[test]
        fn what_is_more_than_chance_is_found(
            left in prop::collection::vec(prop::collection::vec("[a-h]{2}", 1..9), 1..6),
            right in prop::collection::vec(prop::collection::vec("[a-d][a-h]", 1..9), 1..12),
            again in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
            size in 1_usize..5,
        ) {
            let mut right = right;
            for n in again {
                right.push(right[n.index(right.len())].clone());
            }
            let parameters = Parameters { window: size, ..Parameters::default() };
            let documents = documents(&[&text(&left), &text(&right)], &parameters);
            let pair = Pair::new(&documents[0], &documents[1]);
            let mut windows = Windows::new(&pair, Side::Left, size);
            for n in 0..documents[0].sentences.len() {
                let ((found, whole), expected) = (windows.best(n), best(&pair, n, size));
                if ratio(expected, whole) > CHANCE {
                    prop_assert_eq!(found, expected);
                } else {
                    prop_assert!(ratio(found, whole) <= CHANCE);
                }
            }
        }
    }

    #[test]
    fn the_work_grows_with_the_length_of_documents() {
        let looked = |n: usize, sentence: &dyn Fn(usize, usize) -> String| {
            let text = |d: usize| (0..n).map(|k| sentence(d, k)).collect::<Vec<_>>().join("\n\n");
            let documents = documents(&[&text(0), &text(1)], &Parameters::default());
            let pair = Pair::new(&documents[0], &documents[1]);
            let mut windows = Windows::new(&pair, Side::Left, 3);
            let firsts = (0..n).filter(|&n| pair.left.by_stem.first(n) == n);
            firsts.for_each(|n| _ = windows.best(n));
            windows.looked
        };
        let repeated = |_: usize, _: usize| "The old dam above the town broke.".to_owned();
        let refrain = |d: usize, k: usize| {
            if k % 2 == d { repeated(0, 0) } else { format!("dam {k} broke.") }
        };
        let few_words = |d: usize, k: usize| format!("dam {} broke {}.", (k * k + d) % 20, k % 7);
        for sentence in [&repeated as &dyn Fn(usize, usize) -> String, &refrain, &few_words] {
            let [few, many] = [256, 2048].map(|n| looked(n, sentence));
            assert!(many <= 9 * few + 1024, "{few} {many}");
        }
    }
}
