//! Third stage: the sentence of one document that the other has, facts and all.

use super::document::{DecisionText, flag};
use super::quantities::PairQuantities;
use super::sets::{Comparison, NOT_SHARED};

/// Where a stem stands in more sentences, only the first ones are looked at.
const MOST_SENTENCES: usize = 20;
/// What is added to both sides of the share of facts.
const FACT_PRIOR: f64 = 2.0;

/// What `sentence` is made of: the best sentence of either document.
pub fn refine(of: &Comparison<'_>, pair: &mut PairQuantities) {
    let number_of_x = |number: u32| {
        if of.pairs.of_first[number as usize] { number } else { NOT_SHARED }
    };
    let forward = best_sentence(of, of.x, of.y, number_of_x);
    let backward = best_sentence(of, of.y, of.x, |number| of.pairs.in_first[number as usize]);
    pair.sentence = forward.max(backward).ln_1p();
}

/// Which content stems the sentences of a document have.
#[derive(Debug, Default)]
pub struct SentenceStems {
    /// Stems with their sentences, sorted.
    rows: Vec<(u32, u32)>,
    /// How many sentences there are.
    sentences: usize,
}

impl SentenceStems {
    fn new(document: &DecisionText) -> Self {
        let mut rows = Vec::with_capacity(document.len());
        for (number, sentence) in (0..).zip(document.sentences()) {
            let content = sentence.filter(|&place| document.has(place, flag::CONTENT));
            rows.extend(content.map(|place| (document.stems[place], number)));
        }
        rows.sort_unstable();
        rows.dedup();
        Self { rows, sentences: document.sentence_ends.len() }
    }

    /// The sentences that have a stem.
    fn holders(&self, stem: u32) -> impl Iterator<Item = usize> {
        let start = self.rows.partition_point(|row| row.0 < stem);
        let own = self.rows[start..].iter().take_while(move |row| row.0 == stem);
        own.take(MOST_SENTENCES).map(|row| row.1 as usize)
    }

    /// Whether a sentence or one of its neighbours has a stem.
    fn has_near(&self, sentence: usize, stem: u32) -> bool {
        let first = (stem, sentence.saturating_sub(1) as u32);
        let next = self.rows.partition_point(|&row| row < first);
        self.rows.get(next).is_some_and(|&(s, n)| s == stem && n as usize <= sentence + 1)
    }
}

/// The mass of rare pairs of the best sentence, times how much of the sentence the other document
/// has in one place, times how many of its facts it has there.
fn best_sentence(
    of: &Comparison<'_>,
    own: &DecisionText,
    other: &DecisionText,
    shared: impl Fn(u32) -> u32,
) -> f64 {
    let mut votes = Vec::new();
    let mut best = 0.0;
    let mut seen = vec![u32::MAX; of.x.pairs.len()];
    let mut at = 0;
    for (n, sentence) in (0_u32..).zip(own.sentences()) {
        let mut rare = 0.0;
        while at < own.pair_places.len() && (own.pair_places[at] as usize) < sentence.end {
            let number = shared(own.pairs.numbers[at]);
            at += 1;
            if number != NOT_SHARED && std::mem::replace(&mut seen[number as usize], n) != n {
                rare += of.weight(number);
            }
        }
        // The other factors are at most 1.
        if rare <= best {
            continue;
        }
        let there = other.sentence_stems.get_or_init(|| SentenceStems::new(other));
        best = best.max(rare * agreement(own, sentence, there, &mut votes));
    }
    best
}

/// How much of a sentence stands in one place of the other document, and how many of its facts.
fn agreement(
    own: &DecisionText,
    sentence: std::ops::Range<usize>,
    there: &SentenceStems,
    votes: &mut Vec<f64>,
) -> f64 {
    let mut places: Vec<usize> = sentence.collect();
    places.sort_unstable_by_key(|&place| (own.stems[place], place));
    votes.resize(there.sentences.max(votes.len()), 0.0);
    let mut voted: Vec<usize> = Vec::new();
    let mut stems: Vec<(u32, f64, bool, bool)> = Vec::new();
    for places in places.chunk_by(|&a, &b| own.stems[a] == own.stems[b]) {
        let stem = own.stems[places[0]];
        let idf = f64::from(own.idf[places[0]]);
        let any = |flag: u8| places.iter().any(|&place| own.has(place, flag));
        let is_content = any(flag::CONTENT);
        stems.push((stem, idf, is_content, is_content && any(flag::FACT)));
        if is_content {
            for holder in there.holders(stem) {
                voted.push(holder);
                votes[holder] += idf;
            }
        }
    }
    // Of equally good sentences the first.
    let best = voted.iter().max_by(|&&a, &&b| votes[a].total_cmp(&votes[b]).then(b.cmp(&a)));
    let best = best.copied();
    voted.iter().for_each(|&holder| votes[holder] = 0.0);
    let Some(place) = best else { return 0.0 };
    let (mut found, mut all, mut facts, mut all_facts) = (0.0, 0.0, 0.0, 0.0);
    for (stem, idf, is_content, is_fact) in stems {
        let is_there = there.has_near(place, stem);
        if is_content {
            all += idf * idf;
            found += if is_there { idf * idf } else { 0.0 };
        }
        if is_fact {
            all_facts += idf;
            facts += if is_there { idf } else { 0.0 };
        }
    }
    found / all.max(1e-9) * (facts + FACT_PRIOR) / (all_facts + FACT_PRIOR)
}
