//! From exact runs, blocks of seeds and summaries to passages.

use std::collections::BTreeMap;
use std::ops::Range;

use super::cluster::{Block, cluster};
use super::evidence::Evidence;
use super::kinds::{Kind, is_boilerplate, is_quoted, kind_of};
use super::pair::Pair;
use super::parameters::Parameters;
use super::refine::{Words, refine};
use super::runs::{Run, runs};
use super::seeds::Seed;
use super::summary::{summaries, summed_up, words_of_block};
use crate::cancel::Cancel;
use crate::error::Result;

/// A stretch of left that is in right.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// Code points of left.
    pub left: (u32, u32),
    /// Code points of right.
    pub right: (u32, u32),
    /// The share of both that is shared, 1 for equal words.
    pub score: f64,
    /// What was done to it.
    pub kind: Kind,
}

/// A passage on its way.
struct Found {
    words: Words,
    cosine: f64,
    score: f64,
    kind: Kind,
}

/// The passages of a pair, in the order of left.
pub fn passages(
    pair: &Pair<'_>,
    seeds: &[Seed],
    parameters: &Parameters,
    cancel: &Cancel,
) -> Result<Vec<Passage>> {
    let exact = runs(pair.left, pair.right, parameters.run, cancel)?;
    let covered = [
        covered(&pair.left.sentences, exact.iter().map(|run| &run.left)),
        covered(&pair.right.sentences, exact.iter().map(|run| &run.right)),
    ];
    let free: Vec<Seed> = seeds
        .iter()
        .filter(|seed| !covered[0][seed.left as usize] && !covered[1][seed.right as usize])
        .copied()
        .collect();
    let strong: Vec<Seed> =
        free.iter().filter(|seed| seed.cosine > parameters.seed).copied().collect();
    let mut found: Vec<Found> = exact.into_iter().map(from_run).collect();
    for block in cluster(strong, [parameters.gap, parameters.gap_right], cancel)? {
        cancel.check()?;
        found.extend(from_block(pair, &block, parameters));
    }
    let mut kept = Kept::of(found);
    for block in summaries(pair, &free, parameters, cancel)? {
        cancel.check()?;
        add_summary(pair, &block, parameters.summary_gain, &mut kept);
    }
    if parameters.quote > 0 {
        add_quotes(runs(pair.left, pair.right, parameters.quote, cancel)?, &mut kept);
    }
    cancel.check()?;
    Ok(kept.by_start.into_values().map(|passage| finish(pair, passage)).collect())
}

/// Passages that are no rivals, by where they start in left. None lies within another one.
struct Kept {
    by_start: BTreeMap<usize, Found>,
}

impl Kept {
    /// Of passages that share more than half of the shorter one in left, the one with the higher cosine.
    fn of(mut found: Vec<Found>) -> Self {
        found.sort_by(|a, b| {
            b.cosine.total_cmp(&a.cosine).then(a.words[0].start.cmp(&b.words[0].start))
        });
        let mut kept = Self { by_start: BTreeMap::new() };
        for passage in found {
            let own = &passage.words[0];
            let is_rival = |other: &Found| {
                2 * overlap(own, &other.words[0]) > own.len().min(other.words[0].len())
            };
            if !kept.overlapping(own).any(is_rival) {
                kept.add(passage);
            }
        }
        kept
    }

    fn add(&mut self, passage: Found) {
        self.by_start.insert(passage.words[0].start, passage);
    }

    /// Those that overlap with some words of left, the last one first.
    fn overlapping(&self, words: &Range<usize>) -> impl Iterator<Item = &Found> {
        let start = words.start;
        let before = self.by_start.range(..words.end).rev().map(|(_, found)| found);
        before.take_while(move |found| found.words[0].end > start)
    }
}

/// Which sentences are more than half inside of runs.
fn covered<'r>(
    sentences: &[super::document::Sentence],
    runs: impl Iterator<Item = &'r Range<usize>>,
) -> Vec<bool> {
    let mut words = vec![0; sentences.len()];
    for run in runs {
        let first = sentences.partition_point(|sentence| sentence.words.end <= run.start);
        for (n, sentence) in sentences.iter().enumerate().skip(first) {
            if sentence.words.start >= run.end {
                break;
            }
            words[n] += overlap(&sentence.words, run);
        }
    }
    words.iter().zip(sentences).map(|(words, s)| 2 * words > s.words.len()).collect()
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> usize {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}

fn from_run(run: Run) -> Found {
    Found { words: [run.left, run.right], cosine: 1.0, score: 1.0, kind: Kind::Verbatim }
}

/// A block as a passage, if there is enough evidence for it.
fn from_block(pair: &Pair<'_>, block: &Block, parameters: &Parameters) -> Option<Found> {
    let words = refine(pair, &words_of_block(pair, block), parameters)?;
    let evidence = Evidence::of(pair, &words);
    let needed = parameters.mass * (pair.weights.sentences as f64).ln();
    if evidence.shared < needed || words.iter().any(|side| side.len() < parameters.min_words) {
        return None;
    }
    let cosine = pair.block_cosine(&block.left, &block.right);
    let kind = kind_of(pair, &words, &block.seeds);
    Some(Found { words, cosine, score: evidence.dice(), kind })
}

/// Let a summary take the place of the passages it overlaps, unless one covers most of it and
/// explains it nearly as well.
fn add_summary(pair: &Pair<'_>, block: &Block, gain: f64, kept: &mut Kept) {
    let words = words_of_block(pair, block);
    let own = words[0].clone();
    let shared = Evidence::of(pair, &words).shared;
    let explains = |other: &Found| {
        10 * overlap(&own, &other.words[0]) > 7 * own.len()
            && gain * Evidence::of(pair, &other.words).shared > shared
    };
    if kept.overlapping(&own).any(explains) {
        return;
    }
    let replaced: Vec<usize> = kept.overlapping(&own).map(|other| other.words[0].start).collect();
    for start in &replaced {
        kept.by_start.remove(start);
    }
    let words = [own, summed_up(pair, block)];
    let score = Evidence::of(pair, &words).dice();
    let cosine = pair.block_cosine(&block.left, &block.right);
    kept.add(Found { words, cosine, score, kind: Kind::Edited });
}

/// Add short runs where left has no passage.
fn add_quotes(short: Vec<Run>, kept: &mut Kept) {
    let free: Vec<Run> =
        short.into_iter().filter(|run| kept.overlapping(&run.left).next().is_none()).collect();
    free.into_iter().for_each(|run| kept.add(from_run(run)));
}

fn finish(pair: &Pair<'_>, found: Found) -> Passage {
    let left = pair.left.span_of(&found.words[0]);
    let right = pair.right.span_of(&found.words[1]);
    let kind = if is_boilerplate(pair, &found.words) {
        Kind::Boilerplate
    } else if is_quoted(&pair.left.quotations, left) || is_quoted(&pair.right.quotations, right) {
        Kind::Quoted
    } else {
        found.kind
    };
    Passage { left, right, score: found.score, kind }
}
