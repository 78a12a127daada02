//! Summaries: a few sentences that say what is spread over a long stretch of the other document.

use std::ops::Range;

use super::cluster::Block;
use super::pair::Pair;
use super::parameters::Parameters;
use super::refine::Words;
use super::seeds::Seed;
use super::weights::NONE;

/// Sentences without a seed that do not end a summary.
const GAP: usize = 2;

/// A summary has so many seeded sentences, and takes from so many.
const FEW: usize = 3;

/// The stretches of left that sum up stretches of right.
pub fn summaries(pair: &Pair<'_>, seeds: &[Seed], parameters: &Parameters) -> Vec<Block> {
    let alike: Vec<Seed> = seeds
        .iter()
        .filter(|seed| seed.cosine > parameters.summary_seed)
        .filter(|seed| dice(pair, seed) > parameters.summary_dice)
        .copied()
        .collect();
    let near = |a: &Seed, b: &Seed| (b.left - a.left) as usize <= GAP + 1;
    alike
        .chunk_by(near)
        .filter(|seeds| is_summary(pair, seeds, parameters))
        .map(|seeds| Block::of(seeds.to_vec()))
        .filter(|block| pair.block_cosine(&block.left, &block.right) >= parameters.summary_cosine)
        .collect()
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

/// The share of common stems of two sentences.
fn dice(pair: &Pair<'_>, seed: &Seed) -> f64 {
    let (left, right) =
        (pair.left.terms_of(seed.left as usize), pair.right.terms_of(seed.right as usize));
    let across = |stem: u32| pair.weights.partners[0][stem as usize];
    let has = |stem: u32| right.binary_search_by_key(&stem, |term| term.stem).is_ok();
    let common = left.iter().filter(|t| across(t.stem) != NONE && has(across(t.stem))).count();
    2.0 * common as f64 / (left.len() + right.len()) as f64
}
