//! An index finds every document that a comparison of all sentences with all finds related.

use std::collections::BTreeSet;

use kernel::cancel::Cancel;
use kernel::features::keys::Among;
use kernel::features::{Feature, Features, Keys};
use kernel::hamming::search::Near;
use kernel::join::Verification;
use kernel::join::overlap::{Measure, prefixes};
use kernel::store::build::build;
use kernel::store::merge::merge;
use kernel::store::search::{Asked, Numbers};
use kernel::store::{Bundle, Entry, Postings, Segment};
use proptest::prelude::*;

type Sentence = BTreeSet<u64>;
type Document = Vec<Sentence>;

const FLOORS: [f64; 4] = [0.0, 0.3, 0.5, 1.0];

fn key(word: u64) -> u64 {
    word.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn weight(word: u64) -> u64 {
    (word % 5) << 32
}

fn bundle(first: u64, documents: &[Document]) -> Bundle {
    let mut bundle = Bundle::default();
    for (number, document) in (first..).zip(documents) {
        let text = u128::from(number);
        let id = number.to_string().into();
        bundle.entries.push(Entry { number, id, published: None, time: 0, text });
        for sentence in document {
            let word = |&word: &u64| Feature { key: key(word), weight: weight(word), count: 1 };
            let mut words: Vec<Feature> = sentence.iter().map(word).collect();
            bundle.features.push(&mut words, false);
        }
        bundle.features.end_document();
    }
    bundle
}

fn postings(features: &Features, verification: &Verification, floor: f64) -> Postings {
    let &Verification::Overlap { measure, threshold, near } = verification else {
        unreachable!("sentences overlap")
    };
    let keys = || (Keys::from(features), prefixes(features, measure, threshold));
    Postings::new(features, Some(verification), near.is_none().then(keys), &Among::default(), floor)
}

/// Whether a share of the different sentences of one document match some of another.
fn is_in(
    own: &Document,
    other: &Document,
    (measure, threshold): (Measure, f64),
    floor: f64,
) -> bool {
    let different: BTreeSet<&Sentence> = own.iter().filter(|own| !own.is_empty()).collect();
    let sorted = |sentence: &Sentence| {
        let mut words: Vec<(u64, u64)> =
            sentence.iter().map(|&word| (key(word), weight(word))).collect();
        words.sort_unstable();
        words.into_iter().unzip::<u64, u64, Vec<u64>, Vec<u64>>()
    };
    let is_matched = |own: &&Sentence| {
        let (words, weights) = sorted(own);
        let matches = |other: &Sentence| {
            measure.between(&words, &weights, &sorted(other).0, threshold).is_some()
        };
        other.iter().any(matches)
    };
    let (total, matched) = (different.len(), different.into_iter().filter(is_matched).count());
    matched > 0 && matched as f64 >= floor * total as f64
}

fn documents() -> impl Strategy<Value = Vec<Document>> {
    let sentence = prop::collection::btree_set(0_u64..12, 0..7);
    prop::collection::vec(prop::collection::vec(sentence, 0..12), 0..7)
}

proptest! {
    #[test]
    fn whoever_is_related_is_found(
        stored in prop::collection::vec(documents(), 1..4),
        new in documents(),
        threshold in 0.1_f64..1.0,
        measure in prop::sample::select(vec![Measure::Plain, Measure::Idf, Measure::SelfNorm]),
        floor in prop::sample::select(FLOORS.to_vec()),
        is_signed in any::<bool>(),
        is_merged in any::<bool>(),
    ) {
        let near = is_signed.then(|| Near::words(measure, threshold));
        let verification = Verification::Overlap { measure, threshold, near };
        let cancel = Cancel::default();
        let mut segments = Vec::new();
        let mut known: Vec<Vec<Document>> = Vec::new();
        let mut first = 1;
        for part in stored.iter().filter(|part| !part.is_empty()) {
            let bundle = bundle(first, part);
            first += part.len() as u64;
            let postings = postings(&bundle.features, &verification, floor);
            let bytes = build(&bundle, &postings).expect("a segment");
            segments.push(Segment::from_bytes("s", bytes).expect("as it was built"));
            known.push(part.clone());
        }
        if is_merged && !segments.is_empty() {
            let parts: Vec<&Segment> = segments.iter().collect();
            let merged = merge(&parts, &Numbers::default(), i64::MIN, None, &cancel);
            let content = merged.expect("nothing cancels").content;
            segments = vec![Segment::from_bytes("m", content).expect("as it was merged")];
            known = vec![known.concat()];
        }
        let all: Vec<&Segment> = segments.iter().collect();
        for document in &new {
            let bundle = bundle(1000, std::slice::from_ref(document));
            let postings = postings(&bundle.features, &verification, floor);
            let asked = Asked {
                bundle: &bundle,
                postings: &postings,
                verification: Some(&verification),
                floor,
                window: None,
                horizon: i64::MIN,
                removed: &Numbers::default(),
                only_first: false,
            };
            let found = asked.find(&all, &cancel).expect("nothing is damaged");
            for (n, part) in (0..).zip(&known) {
                for (m, other) in (0..).zip(part) {
                    let by = (measure, threshold);
                    let is_related =
                        is_in(document, other, by, floor) || is_in(other, document, by, floor);
                    prop_assert!(!is_related || found.contains(&(n, m)));
                }
            }
        }
    }
}
