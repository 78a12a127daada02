//! The fingerprints of I-Match: a document is a few of its rare terms.
//!
//! Chowdhury, Frieder, Grossman, McCabe: "Collection statistics for fast duplicate document
//! detection", TOIS 2002; several random lexicons: Kołcz, Chowdhury, Alspector, "Improved
//! robustness of signature-based near-replica detection via lexicon randomization", KDD 2004.

use super::collect::collect;
use super::terms::Terms;
use super::{Feature, Features, to_units};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::hash;
use crate::statistics::Statistics;
use crate::text::Analysed;
use crate::text::vocabulary::snapshot;

/// Which terms make a fingerprint.
#[derive(Debug, Clone)]
pub struct LexiconOptions {
    /// So many of the rarest terms are left out: they may be mistakes of spelling.
    pub skip: usize,
    /// So many terms after them are taken.
    pub take: usize,
    /// So many fingerprints: one of all terms taken, the others of those in a random lexicon.
    pub lexicons: u64,
    /// The share of all terms that a random lexicon holds.
    pub share: f64,
    /// Another seed, other lexicons.
    pub seed: u64,
}

/// A fingerprint of one document, for showing where a score comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    /// The sentences that hold a term of it.
    pub sentences: Vec<usize>,
    /// Its terms, in their order.
    pub terms: Vec<String>,
    /// Its key.
    pub key: u64,
}

/// The fingerprints of every document; each weighs 1.
pub fn fingerprints(
    analysed: &Analysed,
    statistics: &Statistics,
    options: &LexiconOptions,
    cancel: &Cancel,
) -> Result<Features> {
    let vocabulary = snapshot(&analysed.vocabulary);
    statistics.resolve(&vocabulary, |frequencies| {
        let terms = Terms { vocabulary: &vocabulary, frequencies };
        collect(analysed.n_documents(), false, cancel, |document, chosen: &mut Vec<u32>, found| {
            select(&terms, analysed, document, options, chosen);
            for lexicon in 0..options.lexicons {
                if let Some(key) = fingerprint(&terms, chosen, lexicon, options) {
                    found.push(Feature { key, weight: to_units(1.0), count: 1 });
                }
            }
        })
    })
}

/// The fingerprints of one document, in words.
pub fn trace(
    analysed: &Analysed,
    document: usize,
    statistics: &Statistics,
    options: &LexiconOptions,
) -> Vec<Fingerprint> {
    let vocabulary = snapshot(&analysed.vocabulary);
    statistics.resolve(&vocabulary, |frequencies| {
        let terms = Terms { vocabulary: &vocabulary, frequencies };
        let mut chosen = Vec::new();
        select(&terms, analysed, document, options, &mut chosen);
        let made = (0..options.lexicons).filter_map(|lexicon| {
            let key = fingerprint(&terms, &chosen, lexicon, options)?;
            let held: Vec<u32> =
                chosen.iter().copied().filter(|&t| options.holds(lexicon, terms.hash(t))).collect();
            let sentences = terms.sentences_with(analysed, document, &held);
            let terms = held.iter().map(|&t| vocabulary.term(t).to_owned()).collect();
            Some(Fingerprint { sentences, terms, key })
        });
        made.collect()
    })
}

/// Put the terms that are taken from a document into `chosen`, in the order of their text: then
/// nothing depends on which of two equally rare terms comes first.
fn select(
    terms: &Terms<'_>,
    analysed: &Analysed,
    document: usize,
    options: &LexiconOptions,
    chosen: &mut Vec<u32>,
) {
    terms.of(analysed, document, chosen);
    chosen.truncate(options.skip.saturating_add(options.take));
    chosen.drain(..options.skip.min(chosen.len()));
    chosen.sort_unstable_by_key(|&term| terms.vocabulary.term(term));
}

/// The key of what a lexicon holds of the chosen terms; `None` if it holds none.
fn fingerprint(
    terms: &Terms<'_>,
    chosen: &[u32],
    lexicon: u64,
    options: &LexiconOptions,
) -> Option<u64> {
    let start = hash::extend(hash::EMPTY, lexicon);
    let held = chosen.iter().map(|&t| terms.hash(t)).filter(|&h| options.holds(lexicon, h));
    let key = held.fold(start, hash::extend);
    (key != start).then_some(key)
}

impl LexiconOptions {
    /// Whether a lexicon has a term. The first one has them all.
    fn holds(&self, lexicon: u64, term: u64) -> bool {
        let chance = hash::extend(hash::extend(self.seed, lexicon), term);
        lexicon == 0 || ((chance >> 11) as f64) < self.share * 2_f64.powi(53)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Analyser, Joiner, Language, Profile, Stem};

    const ONE: LexiconOptions =
        LexiconOptions { skip: 2, take: 10, lexicons: 1, share: 0.7, seed: 0 };

    fn analysed(texts: &[&str]) -> (Analysed, Statistics) {
        let profile = Profile {
            drop_stop_words: false,
            drop_numbers: false,
            stem: Stem::None,
            joiner: Joiner::Keep,
            min_length: 1,
            longest: None,
        };
        let languages = vec![Some(Language::from_code("en")); texts.len()];
        let cancel = Cancel::default();
        let found = Analyser::new(profile).analyse(texts, &languages, false, &cancel);
        let found = found.expect("analysed");
        let mut statistics = Statistics::default();
        statistics.add(&[&found], &cancel).expect("counted");
        (found, statistics)
    }

    fn keys(texts: &[&str], options: &LexiconOptions) -> Vec<Vec<u64>> {
        let (found, statistics) = analysed(texts);
        let features = fingerprints(&found, &statistics, options, &Cancel::default());
        let features = features.expect("features");
        (0..texts.len()).map(|n| features.keys[features.range(n)].to_vec()).collect()
    }

    #[test]
    fn the_rarest_are_left_out_and_the_next_are_taken_in_the_order_of_their_text() {
        let texts = ["a b c d e f", "c d e f", "d e f", "e f", "f"];
        let (found, statistics) = analysed(&texts);
        let options = LexiconOptions { take: 3, ..ONE };
        let traced = trace(&found, 0, &statistics, &options);
        assert_eq!(traced[0].terms, ["c", "d", "e"]);
        assert_eq!(traced[0].sentences, [0]);
        assert_eq!(keys(&texts, &options)[0], [traced[0].key]);
    }

    #[test]
    fn order_and_repetition_are_irrelevant_and_too_few_terms_have_no_fingerprint() {
        let found = keys(&["a b c d", "d c. B b a a", "a b", ""], &ONE);
        assert_eq!(found[0], found[1]);
        assert_eq!(found[0].len(), 1);
        assert!(found[2].is_empty() && found[3].is_empty());
    }

    #[test]
    fn some_lexicons_survive_a_change_that_breaks_the_whole() {
        let words: Vec<String> = (0..10).map(|n| format!("w{n}")).collect();
        let (text, other) = (words.join(" "), words.join(" ").replace("w5", "other"));
        let options = LexiconOptions { skip: 0, lexicons: 20, ..ONE };
        let found = keys(&[&text, &other], &options);
        let shared = found[0].iter().filter(|key| found[1].contains(key)).count();
        // A lexicon survives if it has neither the old word nor the new one: 0.3 * 0.3 of them.
        assert!((1..8).contains(&shared), "{shared} of 20");
        let whole = keys(&[&text, &other], &LexiconOptions { skip: 0, ..ONE });
        assert_ne!(whole[0], whole[1]);
    }

    #[test]
    fn a_lexicon_holds_its_share_of_all_terms() {
        for share in [0.0, 0.3, 0.7, 1.0] {
            let options = LexiconOptions { share, ..ONE };
            let held = (0..10_000).filter(|&n| options.holds(3, hash::extend(7, n))).count();
            assert!((held as f64 / 10_000.0 - share).abs() < 0.02, "{held} of 10000");
        }
    }
}
