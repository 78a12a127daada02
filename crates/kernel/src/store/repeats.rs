//! Documents that repeat an earlier one.

use super::bundle::{Bundle, Entry};
use crate::features::{Features, Mark};

/// Whether the first document of a bundle comes behind that of another and is equal to it, as a join
/// sees them: what it has in common with others is told of the earlier one. A document with the same
/// id is another version of it, and is not compared with it.
pub fn repeats(own: &Bundle, other: &Bundle) -> bool {
    let place = |bundle: &Bundle| {
        let Entry { published, id, .. } = &bundle.entries[0];
        (published.is_none(), *published, id.clone())
    };
    let is_before = own.entries[0].id != other.entries[0].id && place(other) < place(own);
    let held = held(&own.features);
    is_before && !held.is_empty() && held == self::held(&other.features)
}

/// What the first of some documents has, sorted: how much is boilerplate there, and what stands for it.
fn held(features: &Features) -> Vec<(Mark, u128)> {
    let unit = |unit| Some((features.mark(unit), features.signature(unit)?));
    let mut held: Vec<(Mark, u128)> = features.units_of(0).filter_map(unit).collect();
    held.sort_unstable();
    held.dedup();
    held
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Feature;

    fn bundle(id: &str, published: Option<i64>, sentences: &[u64]) -> Bundle {
        let mut features = Features::default();
        for &key in sentences {
            features.push(&mut [Feature { key, weight: 1, count: 1 }], false);
        }
        features.end_document();
        let entry = Entry { number: 1, id: id.into(), published, time: 0, text: 0 };
        Bundle { entries: vec![entry], features, places: Vec::new() }
    }

    #[test]
    fn what_comes_later_and_has_the_same_repeats() {
        let own = bundle("b", Some(5), &[1, 2, 2]);
        assert!(repeats(&own, &bundle("c", Some(4), &[2, 1])));
        assert!(repeats(&own, &bundle("a", Some(5), &[1, 2])));
        assert!(repeats(&bundle("a", None, &[1]), &bundle("c", Some(9), &[1])));
        assert!(!repeats(&own, &bundle("c", Some(5), &[1, 2])));
        assert!(!repeats(&own, &bundle("b", Some(4), &[1, 2])));
        assert!(!repeats(&own, &bundle("a", None, &[1, 2])));
        assert!(!repeats(&own, &bundle("a", Some(4), &[1, 2, 3])));
        assert!(!repeats(&bundle("b", None, &[]), &bundle("a", None, &[])));
    }
}
