//! Summaries: a few sentences that say what is spread over a long stretch of the other document.

use std::ops::Range;

use super::cluster::Block;
use super::pair::Pair;
use super::parameters::Parameters;
use super::refine::Words;
use super::seeds::Seed;
use crate::cancel::Cancel;
use crate::error::Result;

/// Sentences without a seed that do not end a summary.
const GAP: usize = 2;

/// A summary has so many seeded sentences, and takes from so many.
const FEW: usize = 3;

/// The sentences of right that are looked at for the summaries of two documents, however short these
/// are, and for each sentence of left.
const MOST: usize = 1 << 21;
const MOST_OF_EACH: usize = 64;

/// The stretches of left that sum up stretches of right.
pub fn summaries(
    pair: &Pair<'_>,
    seeds: &[Seed],
    parameters: &Parameters,
    cancel: &Cancel,
) -> Result<Vec<Block>> {
    if parameters.summary_words == 0 {
        return Ok(Vec::new());
    }
    let alike: Vec<Seed> =
        seeds.iter().filter(|seed| seed.cosine > parameters.summary_seed).copied().collect();
    let near = |a: &Seed, b: &Seed| (b.left - a.left) as usize <= GAP + 1;
    let mut found = Vec::new();
    let mut left = MOST + MOST_OF_EACH * pair.left.sentences.len();
    for seeds in alike.chunk_by(near) {
        cancel.check()?;
        if !is_summary(pair, seeds, parameters) {
            continue;
        }
        let block = Block::of(seeds.to_vec());
        // Many that sum up all of a long document would take the square of its length.
        let Some(rest) = left.checked_sub(block.right.len()) else { break };
        left = rest;
        if pair.block_cosine(&block.left, &block.right) >= parameters.summary_cosine {
            found.push(block);
        }
    }
    Ok(found)
}

fn is_summary(pair: &Pair<'_>, seeds: &[Seed], parameters: &Parameters) -> bool {
    let best = best_partners(seeds);
    let sentences = best[0].left as usize..best[best.len() - 1].left as usize + 1;
    let length = words_of(&pair.left.sentences, &sentences);
    let mut partners: Vec<u32> = best.iter().map(|seed| seed.right).collect();
    partners.sort_unstable();
    partners.dedup();
    let hull = partners[0] as usize..partners[partners.len() - 1] as usize + 1;
    best.len() >= FEW
        && partners.len() >= FEW
        && length.len() >= parameters.summary_words
        && best.len() as f64 >= parameters.summary_density * sentences.len() as f64
        && words_of(&pair.right.sentences, &hull).len() as f64
            >= parameters.summary_ratio * length.len() as f64
}

/// The words of right that a summary sums up.
///
/// Of k sentences drawn from a stretch, the first and the last lie inside of its ends, by 1/(k − 1)
/// of their distance in the mean: so much is added at both ends.
pub fn summed_up(pair: &Pair<'_>, block: &Block) -> Range<usize> {
    let hull = words_of(&pair.right.sentences, &block.right);
    let mut partners: Vec<u32> = best_partners(&block.seeds).iter().map(|s| s.right).collect();
    partners.sort_unstable();
    partners.dedup();
    let more = hull.len() / (partners.len() - 1).max(1);
    hull.start.saturating_sub(more)..(hull.end + more).min(pair.right.words.len())
}

/// The words of sentences in a row.
pub fn words_of(sentences: &[super::document::Sentence], range: &Range<usize>) -> Range<usize> {
    sentences[range.start].words.start..sentences[range.end - 1].words.end
}

/// The words of a block on both sides.
pub fn words_of_block(pair: &Pair<'_>, block: &Block) -> Words {
    [words_of(&pair.left.sentences, &block.left), words_of(&pair.right.sentences, &block.right)]
}

/// The seed with the highest cosine of each sentence of left.
pub fn best_partners(seeds: &[Seed]) -> Vec<Seed> {
    let best = |same: &[Seed]| {
        *same
            .iter()
            .max_by(|a, b| a.cosine.total_cmp(&b.cosine).then(b.right.cmp(&a.right)))
            .expect("a chunk is not empty")
    };
    seeds.chunk_by(|a, b| a.left == b.left).map(best).collect()
}
