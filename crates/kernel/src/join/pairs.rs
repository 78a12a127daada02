//! The join: what documents share, for every pair that can share enough.

use super::groups::{Groups, Times};
use super::lists::{Lists, shared_weight};
use super::rows::{GroupPair, Joined, Rows};
use super::scope::Scope;
use super::shared::SharedKeys;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::{Features, from_units};

/// What is wanted of a join.
#[derive(Debug, Clone)]
pub struct JoinOptions {
    /// Pairs that share a smaller part of both documents are not handed out.
    pub floor: f64,
    /// All pairs of equal documents, instead of each with the earliest of its group.
    pub all_pairs: bool,
    /// Which pairs are wanted.
    pub scope: Scope,
}

/// Join documents on their keys; `features` and `shared` come without those that are too frequent.
pub fn join(
    features: &Features,
    groups: &Groups,
    shared: &SharedKeys,
    times: &Times,
    text_hashes: &[u128],
    options: &JoinOptions,
    cancel: &Cancel,
) -> Result<Joined> {
    let totals: Vec<u128> =
        (0..groups.len()).map(|g| features.total(groups.features_of(g))).collect();
    let lists = Lists::new(features, groups, shared, cancel)?;
    let (pairs, touched) = lists.accumulate(features, groups, &totals, options, cancel)?;
    let totals: Vec<f64> = totals.into_iter().map(from_units).collect();
    let shared_by = |a: usize, b: usize| {
        let [x, y] = [a, b].map(|group| groups.features_of(group));
        [from_units(shared_weight(features, x, y)); 2]
    };
    let rows = Rows::new(times, text_hashes, touched, &options.scope);
    spread(rows, groups, &pairs, &totals, shared_by, options.all_pairs, cancel)
}

/// From pairs of groups to all rows of documents. `shared` says what two groups share.
pub(super) fn spread(
    mut rows: Rows<'_>,
    groups: &Groups,
    pairs: &[GroupPair],
    totals: &[f64],
    shared: impl Fn(usize, usize) -> [f64; 2],
    all_pairs: bool,
    cancel: &Cancel,
) -> Result<Joined> {
    for (group, &total) in totals.iter().enumerate() {
        cancel.check()?;
        rows.equals(groups.members(group), total, all_pairs);
    }
    for pair in pairs {
        cancel.check()?;
        rows.cross(pair, groups, totals, all_pairs);
    }
    let of = groups.of_documents();
    let both = |a: u32, b: u32| {
        let [x, y] = [a, b].map(|document| of[document as usize] as usize);
        (x != y).then(|| [shared(x, y), [totals[x], totals[y]]])
    };
    for texts in same_texts(rows.times(), rows.text_hashes()) {
        cancel.check()?;
        rows.same_text(&texts, both, all_pairs);
    }
    rows.sorted(cancel)
}

/// The documents, in order, of each text that several have.
fn same_texts(times: &Times, text_hashes: &[u128]) -> Vec<Vec<u32>> {
    let mut order = times.order();
    order.sort_by_key(|&d| text_hashes[d as usize]);
    order
        .chunk_by(|&a, &b| text_hashes[a as usize] == text_hashes[b as usize])
        .filter(|run| run.len() > 1)
        .map(<[u32]>::to_vec)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::{Feature, to_units};
    use proptest::prelude::*;

    type Row = (u32, u32, u64);

    fn features(documents: &[Vec<(u64, u32)>]) -> Features {
        let counted = documents.iter().flatten().any(|f| f.1 > 1);
        let mut features = Features::default();
        for document in documents {
            let feature = |&(key, count)| Feature { key, weight: to_units(key as f64), count };
            features.push(&mut document.iter().map(feature).collect::<Vec<_>>(), counted);
        }
        features
    }

    fn joined(
        features: &Features,
        groups: &Groups,
        times: &Times,
        texts: &[u128],
        options: &JoinOptions,
    ) -> Joined {
        let cancel = Cancel::default();
        let shared = SharedKeys::new(features, groups, &cancel).expect("shared");
        join(features, groups, &shared, times, texts, options, &cancel).expect("joined")
    }

    fn rows(
        documents: &[Vec<(u64, u32)>],
        published: &[Option<i64>],
        window: Option<i64>,
        all: bool,
    ) -> Vec<Row> {
        scoped(documents, published, window, Scope::All, all)
    }

    fn scoped(
        documents: &[Vec<(u64, u32)>],
        published: &[Option<i64>],
        window: Option<i64>,
        scope: Scope,
        all: bool,
    ) -> Vec<Row> {
        let features = features(documents);
        let ids: Vec<String> = (0..documents.len()).map(|n| format!("{n:04}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let cancel = Cancel::default();
        let times = Times::new(&ids, published.to_vec(), window, &cancel).expect("times");
        let texts: Vec<u128> = (0..documents.len() as u128).collect();
        let groups = Groups::new(&times.order(), &texts, &features, &cancel).expect("groups");
        let options = JoinOptions { floor: 0.0, all_pairs: all, scope };
        let joined = joined(&features, &groups, &times, &texts, &options);
        let row = |n: usize| (joined.left[n], joined.right[n], joined.shared[n].round() as u64);
        (0..joined.left.len()).map(row).collect()
    }

    /// The rows across two collections of the same documents.
    fn across(
        documents: &[Vec<(u64, u32)>],
        published: &[Option<i64>],
        window: Option<i64>,
        sides: &[bool],
        all: bool,
    ) -> Vec<Row> {
        scoped(documents, published, window, Scope::Across(sides.to_vec()), all)
    }

    #[test]
    fn shared_weights_are_added_up() {
        let documents = [vec![(1, 1), (2, 1), (5, 1)], vec![(2, 1), (5, 1)], vec![(9, 1)]];
        assert_eq!(rows(&documents, &[None; 3], None, false), [(0, 1, 7)]);
    }

    #[test]
    fn counts_multiply() {
        let documents = [vec![(5, 2), (7, 1)], vec![(5, 3)]];
        assert_eq!(rows(&documents, &[None; 2], None, false), [(0, 1, 30)]);
    }

    #[test]
    fn copies_come_once_each_and_stand_for_their_group() {
        let documents = [vec![(1, 1)], vec![(1, 1)], vec![(1, 1)], vec![(1, 1), (2, 1)]];
        assert_eq!(rows(&documents, &[None; 4], None, false), [(0, 1, 1), (0, 2, 1), (0, 3, 1)]);
        assert_eq!(rows(&documents, &[None; 4], None, true).len(), 6);
    }

    #[test]
    fn one_text_with_two_sets_of_features_ties_nothing_else_together() {
        let features = features(&[vec![(1, 1)], vec![(2, 1)], vec![(2, 1)]]);
        let cancel = Cancel::default();
        let times = Times::new(&["a", "b", "c"], vec![None; 3], None, &cancel).expect("times");
        let texts = [7, 7, 8];
        let groups = Groups::new(&times.order(), &texts, &features, &cancel).expect("groups");
        let options = JoinOptions { floor: 0.0, all_pairs: true, scope: Scope::All };
        let joined = joined(&features, &groups, &times, &texts, &options);
        assert_eq!((joined.left, joined.right), (vec![0, 1], vec![1, 2]));
        assert_eq!(joined.same_text, [true, false]);
        assert_eq!(joined.shared, [0.0, 2.0]);
    }

    #[test]
    fn a_copy_outside_the_window_speaks_for_itself() {
        // Copies at 0 and 10, a document that holds them at 12: only the second is near enough.
        let documents = [vec![(1, 1)], vec![(1, 1)], vec![(1, 1), (2, 1)]];
        let published = [Some(0), Some(10), Some(12)];
        assert_eq!(rows(&documents, &published, Some(5), false), [(1, 2, 1)]);
        assert_eq!(rows(&documents, &published, Some(10), false), [(0, 1, 1), (1, 2, 1)]);
        assert_eq!(rows(&documents, &published, None, false), [(0, 1, 1), (0, 2, 1)]);
    }

    #[test]
    fn copies_in_both_collections_come_with_the_earliest_of_the_other_one() {
        // Two copies in the first collection, the earliest of all, and two in the second one.
        let documents = [vec![(1, 1)], vec![(1, 1)], vec![(1, 1)], vec![(1, 1)]];
        let sides = [false, false, true, true];
        let some = across(&documents, &[None; 4], None, &sides, false);
        assert_eq!(some, [(0, 2, 1), (0, 3, 1), (1, 2, 1)]);
        let all = across(&documents, &[None; 4], None, &sides, true);
        assert_eq!(all, [(0, 2, 1), (0, 3, 1), (1, 2, 1), (1, 3, 1)]);
    }

    proptest! {
        #[test]
        fn pairs_across_two_collections_are_those_of_all_pairs(
            documents in prop::collection::vec(prop::collection::btree_set(1_u64..6, 0..4), 0..12),
            published in prop::collection::vec(prop::option::of(0_i64..20), 12),
            sides in prop::collection::vec(any::<bool>(), 12),
            window in prop::option::of(0_i64..12),
        ) {
            let documents: Vec<Vec<(u64, u32)>> =
                documents.into_iter().map(|d| d.into_iter().map(|k| (k, 1)).collect()).collect();
            let published = &published[..documents.len()];
            let sides = &sides[..documents.len()];
            let is_across = |row: &Row| sides[row.0 as usize] != sides[row.1 as usize];
            let mut all = rows(&documents, published, window, true);
            all.retain(is_across);
            prop_assert_eq!(&across(&documents, published, window, sides, true), &all);
            // With fewer rows, no document is left out.
            let some = across(&documents, published, window, sides, false);
            prop_assert!(some.iter().all(|row| all.contains(row)));
            let told = |rows: &[Row]| {
                rows.iter().flat_map(|r| [r.0, r.1]).collect::<std::collections::BTreeSet<_>>()
            };
            prop_assert_eq!(told(&some), told(&all));
        }

        #[test]
        fn all_pairs_equal_the_double_loop(
            documents in prop::collection::vec(prop::collection::btree_map(1_u64..8, 1_u32..3, 0..5), 0..12),
            published in prop::collection::vec(prop::option::of(0_i64..20), 12),
            window in prop::option::of(0_i64..12),
        ) {
            let documents: Vec<Vec<(u64, u32)>> = documents.into_iter().map(|d| d.into_iter().collect()).collect();
            let published = &published[..documents.len()];
            let mut expected = Vec::new();
            for a in 0..documents.len() {
                for b in a + 1..documents.len() {
                    let shared: u64 = documents[a].iter()
                        .flat_map(|x| documents[b].iter().filter(|y| y.0 == x.0).map(|y| x.0 * u64::from(x.1 * y.1)))
                        .sum();
                    let near = match (window, published[a], published[b]) {
                        (Some(w), Some(x), Some(y)) => (x - y).abs() <= w,
                        _ => true,
                    };
                    if shared > 0 && near {
                        let swap = matches!((published[a], published[b]), (Some(x), Some(y)) if y < x);
                        let (left, right) = if swap { (b, a) } else { (a, b) };
                        expected.push((left as u32, right as u32, shared));
                    }
                }
            }
            let mut found = rows(&documents, published, window, true);
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn every_document_with_an_earlier_partner_is_the_later_one_of_some_row(
            documents in prop::collection::vec(prop::collection::btree_set(1_u64..6, 1..4), 1..12),
            published in prop::collection::vec(prop::option::of(0_i64..20), 12),
            window in prop::option::of(0_i64..12),
        ) {
            let documents: Vec<Vec<(u64, u32)>> =
                documents.into_iter().map(|d| d.into_iter().map(|k| (k, 1)).collect()).collect();
            let published = &published[..documents.len()];
            let all = rows(&documents, published, window, true);
            let some = rows(&documents, published, window, false);
            prop_assert!(some.iter().all(|row| all.contains(row)));
            let place = |d: u32| (published[d as usize].is_none(), published[d as usize], d);
            let later = |row: &Row| if place(row.0) < place(row.1) { row.1 } else { row.0 };
            let told = |rows: &[Row]| rows.iter().map(later).collect::<std::collections::BTreeSet<_>>();
            prop_assert_eq!(told(&some), told(&all));
        }
    }
}
