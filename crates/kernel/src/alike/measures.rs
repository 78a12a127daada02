//! The measures by which two sentences are compared.
//!
//! Most are overlaps: what both have, as a share of each. As neither sentence comes first, the smaller
//! share, the larger one and their harmonic mean are kept.

use std::collections::HashSet;

use rayon::prelude::*;

use super::sentence::{Content, Sentence};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::fuzzy::Correlations;
use crate::fuzzy::correlations::NONE;
use crate::hash;

/// Overlaps, each of which gives three measures.
const OVERLAPS: [&str; 18] = [
    "words",
    "word 2-grams",
    "word 3-grams",
    "word 4-grams",
    "terms",
    "term 2-grams",
    "term 3-grams",
    "content terms",
    "content 2-grams",
    "terms by idf",
    "content by idf",
    "character 2-grams",
    "character 3-grams",
    "character 4-grams",
    "character 5-grams",
    "common subsequence",
    "words alike in letters",
    "fuzzy set",
];

/// What else is measured.
const OTHERS: [&str; 18] = [
    "idf cosine",
    "same numbers",
    "same numbers, and some",
    "numbers of one in the other",
    "different numbers",
    "only one denies",
    "length ratio",
    "length difference",
    "shorter length",
    "longer length",
    "content length difference",
    "characters ratio",
    "idf only one has, smaller",
    "idf only one has, larger",
    "names in common",
    "different names",
    "same first word",
    "same last word",
];

/// How many measures there are.
pub const N_MEASURES: usize = 3 * OVERLAPS.len() + OTHERS.len();

/// Letters of words that are alike: the least share of common 2-grams.
const ALIKE: f64 = 0.5;

/// The names of all measures.
pub fn names() -> Vec<String> {
    let three = |name: &&str| ["smaller", "larger", "mean"].map(|which| format!("{name}, {which}"));
    let overlaps = OVERLAPS.iter().flat_map(three);
    overlaps.chain(OTHERS.iter().map(|name| (*name).to_owned())).collect()
}

/// All measures of pairs of sentences, row by row.
pub fn measure_all(
    sentences: &[Sentence],
    pairs: &[(u32, u32)],
    correlations: &Correlations,
    cancel: &Cancel,
) -> Result<Vec<f64>> {
    let parts = pairs
        .par_chunks(256)
        .map(|part| {
            cancel.check()?;
            let row = |&(a, b): &(u32, u32)| {
                measure(&sentences[a as usize], &sentences[b as usize], correlations)
            };
            Ok(part.iter().flat_map(row).collect())
        })
        .collect::<Result<Vec<Vec<f64>>>>()?;
    Ok(parts.concat())
}

/// All measures of two sentences.
pub fn measure(a: &Sentence, b: &Sentence, correlations: &Correlations) -> Vec<f64> {
    let mut found = Vec::with_capacity(N_MEASURES);
    let mut add = |(one, other): (f64, f64)| {
        let sum = one + other;
        let mean = if sum > 0.0 { 2.0 * one * other / sum } else { 0.0 };
        found.extend([one.min(other), one.max(other), mean]);
    };
    for n in 1..=4 {
        add(shares(grams(&a.words, n), grams(&b.words, n)));
    }
    for n in 1..=3 {
        add(shares(grams(&a.terms, n), grams(&b.terms, n)));
    }
    let content = [a, b].map(|s| {
        let kept = s.terms.iter().zip(&s.is_content).filter(|(_, is_content)| **is_content);
        kept.map(|(&term, _)| term).collect::<Vec<u64>>()
    });
    for n in 1..=2 {
        add(shares(grams(&content[0], n), grams(&content[1], n)));
    }
    add(shares(by_idf(a, false), by_idf(b, false)));
    add(shares(by_idf(a, true), by_idf(b, true)));
    let characters = [a, b].map(|s| s.characters.iter().map(|&c| u64::from(c)).collect::<Vec<_>>());
    for n in 2..=5 {
        add(shares(grams(&characters[0], n), grams(&characters[1], n)));
    }
    let common = subsequence(&a.terms, &b.terms) as f64;
    add((ratio(common, a.terms.len() as f64), ratio(common, b.terms.len() as f64)));
    add((in_letters(&a.content, &b.content), in_letters(&b.content, &a.content)));
    add((fuzzy(&a.content, &b.content, correlations), fuzzy(&b.content, &a.content, correlations)));
    found.extend(others(a, b));
    found
}

/// The runs of `n`, each of weight 1, sorted.
fn grams(items: &[u64], n: usize) -> Vec<(u64, f64)> {
    let gram = |run: &[u64]| run.iter().fold(n as u64, |gram, &item| hash::extend(gram, item));
    let mut found: Vec<(u64, f64)> = items.windows(n).map(|run| (gram(run), 1.0)).collect();
    found.sort_unstable_by_key(|gram| gram.0);
    found
}

/// The terms with their idf, sorted.
fn by_idf(sentence: &Sentence, only_content: bool) -> Vec<(u64, f64)> {
    let all = sentence.terms.iter().zip(&sentence.idf).zip(&sentence.is_content);
    let kept = all.filter(|(_, is_content)| !only_content || **is_content);
    let mut found: Vec<(u64, f64)> = kept.map(|((&term, &idf), _)| (term, idf)).collect();
    found.sort_unstable_by_key(|term| term.0);
    found
}

/// The weight of what two sorted bags have in common, as a share of each.
fn shares(a: Vec<(u64, f64)>, b: Vec<(u64, f64)>) -> (f64, f64) {
    let (mut i, mut j, mut common) = (0, 0, 0.0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += a[i].1;
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    let total = |bag: &[(u64, f64)]| bag.iter().map(|item| item.1).sum::<f64>();
    (ratio(common, total(&a)), ratio(common, total(&b)))
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// How long the longest common subsequence is.
fn subsequence(a: &[u64], b: &[u64]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (n, y) in b.iter().enumerate() {
            let above = row[n + 1];
            row[n + 1] = if x == y { diagonal + 1 } else { above.max(row[n]) };
            diagonal = above;
        }
    }
    row[b.len()]
}

/// How much of the idf of one has a word in the other that is alike in its letters.
fn in_letters(own: &[Content], other: &[Content]) -> f64 {
    let best = |term: &Content| {
        if other.binary_search_by_key(&term.key, |o| o.key).is_ok() {
            return 1.0;
        }
        let alike = other.iter().map(|o| letters(&term.text, &o.text));
        alike.filter(|&share| share >= ALIKE).fold(0.0, f64::max)
    };
    let found: f64 = own.iter().map(|term| term.idf * best(term)).sum();
    ratio(found, own.iter().map(|term| term.idf).sum())
}

/// The share of 2-grams two words have in common, their ends included.
fn letters(a: &str, b: &str) -> f64 {
    let [a, b] = [a, b].map(|word| {
        let spaced: Vec<u64> =
            std::iter::once(' ').chain(word.chars()).chain([' ']).map(u64::from).collect();
        spaced
    });
    if a.len() < 5 || b.len() < 5 {
        return 0.0;
    }
    let (one, other) = shares(grams(&a, 2), grams(&b, 2));
    if one + other > 0.0 { 2.0 * one * other / (one + other) } else { 0.0 }
}

/// The similarity of fuzzy sets.
fn fuzzy(own: &[Content], other: &[Content], correlations: &Correlations) -> f64 {
    let membership = |term: &Content| {
        if other.binary_search_by_key(&term.key, |o| o.key).is_ok() {
            return 1.0;
        }
        if term.number == NONE {
            return 0.0;
        }
        let known = other.iter().filter(|o| o.number != NONE);
        let c = |o: &Content| f64::from(correlations.between(term.number, o.number));
        1.0 - known.map(|o| 1.0 - c(o)).product::<f64>()
    };
    ratio(own.iter().map(membership).sum(), own.len() as f64)
}

fn others(a: &Sentence, b: &Sentence) -> [f64; OTHERS.len()] {
    let flag = |is: bool| f64::from(u8::from(is));
    let (x, y) = (as_set(&a.numbers), as_set(&b.numbers));
    let (p, q) = (as_set(&a.names), as_set(&b.names));
    let lengths = [a, b].map(|s| s.words.len() as f64);
    let contents = [a, b].map(|s| s.is_content.iter().filter(|is| **is).count() as f64);
    let characters = [a, b].map(|s| s.characters.len() as f64);
    let only = [lacking(&a.content, &b.content), lacking(&b.content, &a.content)];
    [
        cosine(a, b),
        flag(x == y),
        flag(x == y && !x.is_empty()),
        flag(x != y && (x.is_subset(&y) || y.is_subset(&x))),
        x.symmetric_difference(&y).count() as f64,
        flag(a.is_negated != b.is_negated),
        ratio(lengths[0].min(lengths[1]), lengths[0].max(lengths[1])),
        (lengths[0] - lengths[1]).abs(),
        lengths[0].min(lengths[1]),
        lengths[0].max(lengths[1]),
        (contents[0] - contents[1]).abs(),
        ratio(characters[0].min(characters[1]), characters[0].max(characters[1])),
        only[0].min(only[1]),
        only[0].max(only[1]),
        ratio(p.intersection(&q).count() as f64, p.union(&q).count() as f64),
        p.symmetric_difference(&q).count() as f64,
        flag(a.terms.first() == b.terms.first()),
        flag(a.terms.last() == b.terms.last()),
    ]
}

fn as_set(sorted: &[u64]) -> HashSet<u64> {
    sorted.iter().copied().collect()
}

/// The idf of the content that the other sentence lacks.
fn lacking(own: &[Content], other: &[Content]) -> f64 {
    let is_there = |term: &&Content| other.binary_search_by_key(&term.key, |o| o.key).is_err();
    own.iter().filter(is_there).map(|term| term.idf).sum()
}

/// The cosine of the two bags of terms, each term weighing its idf.
fn cosine(a: &Sentence, b: &Sentence) -> f64 {
    let [a, b] = [a, b].map(|sentence| {
        let mut sums: Vec<(u64, f64)> = Vec::new();
        for (term, idf) in by_idf(sentence, false) {
            match sums.last_mut() {
                Some(last) if last.0 == term => last.1 += idf,
                _ => sums.push((term, idf)),
            }
        }
        sums
    });
    let weight = |term: u64| b.binary_search_by_key(&term, |o| o.0).map_or(0.0, |n| b[n].1);
    let dot: f64 = a.iter().map(|&(term, own)| own * weight(term)).sum();
    let norm = |bag: &[(u64, f64)]| bag.iter().map(|item| item.1 * item.1).sum::<f64>().sqrt();
    ratio(dot, norm(&a) * norm(&b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alike::sentence::Reader;
    use crate::statistics::Statistics;
    use crate::text::{Language, Profile};
    use proptest::prelude::*;

    fn both(a: &str, b: &str, pairs: &[(u64, u64, f32)]) -> Vec<f64> {
        let (profile, statistics) = (Profile::default(), Statistics::default());
        let correlations = Correlations::new(pairs).expect("pairs");
        let reader =
            Reader { profile: &profile, statistics: &statistics, correlations: &correlations };
        let [a, b] = [a, b].map(|text| reader.read(text, Language::from_code("en")));
        measure(&a, &b, &correlations)
    }

    fn named(found: &[f64], name: &str) -> f64 {
        found[names().iter().position(|known| known == name).expect("a measure")]
    }

    #[test]
    fn measures_are_what_their_names_say() {
        let pairs = [(hash::term("dam"), hash::term("river"), 0.5)];
        let found = both("The old dams broke in 1999.", "An old river broke dams in Lund", &pairs);
        assert_eq!(found.len(), N_MEASURES);
        // old dams broke in; old, dams, broke, in.
        assert_eq!(named(&found, "words, smaller"), 4.0 / 7.0);
        assert_eq!(named(&found, "words, larger"), 4.0 / 6.0);
        assert_eq!(named(&found, "word 2-grams, larger"), 0.0);
        assert_eq!(named(&found, "common subsequence, larger"), 3.0 / 6.0);
        assert_eq!(named(&found, "different numbers"), 1.0);
        assert_eq!(named(&found, "numbers of one in the other"), 1.0);
        assert_eq!(named(&found, "different names"), 1.0);
        assert_eq!(named(&found, "only one denies"), 0.0);
        // old, dam, broke, 1999 of one; old, river (half of dam), broke, dam, lund of the other.
        assert!((named(&found, "fuzzy set, smaller") - 3.5 / 5.0).abs() < 1e-6);
        assert_eq!(named(&found, "fuzzy set, larger"), 3.0 / 4.0);
    }

    #[test]
    fn words_that_share_letters_are_alike() {
        // 9 of 10 and of 13 2-grams, 8 of 10 and of 9.
        assert!((letters("president", "presidential") - 18.0 / 23.0).abs() < 1e-12);
        assert!((letters("president", "resident") - 16.0 / 19.0).abs() < 1e-12);
        assert_eq!((letters("dam", "river"), letters("of", "of")), (0.0, 0.0));
    }

    proptest! {
        #[test]
        fn neither_comes_first_and_the_same_is_wholly_alike(
            a in "([a-f]{1,4} |[A-F]b |[0-9] |not ){0,8}",
            b in "([a-f]{1,4} |[A-F]b |[0-9] |not ){0,8}",
        ) {
            prop_assert_eq!(both(&a, &b, &[]), both(&b, &a, &[]));
            let same = both(&a, &a, &[]);
            prop_assert!(same.iter().all(|value| value.is_finite()));
            prop_assert!(both(&a, &b, &[])[..54].iter().all(|value| (0.0..=1.0 + 1e-9).contains(value)));
            if a.split_whitespace().count() > 0 {
                prop_assert_eq!(named(&same, "words, smaller"), 1.0);
                prop_assert!((named(&same, "idf cosine") - 1.0).abs() < 1e-9);
            }
        }
    }
}
