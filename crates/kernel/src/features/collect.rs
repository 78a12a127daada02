//! The loop every detector shares: documents in parts, parts on all cores, features in order.

use rayon::prelude::*;

use super::{Feature, Features};
use crate::cancel::Cancel;
use crate::error::Result;

/// Documents that a thread takes at a time: few, as some are a hundred times as long as others.
const STEP: usize = 128;

/// The features of `n` documents. `collect` is given the number of a document, something of its
/// own to work with, and where to put the features; `counted` keeps how often each key comes.
pub fn collect<S: Default>(
    n: usize,
    counted: bool,
    cancel: &Cancel,
    collect: impl Fn(usize, &mut S, &mut Vec<Feature>) + Sync,
) -> Result<Features> {
    let add = |document, (own, found): &mut (S, Vec<Feature>), features: &mut Features| {
        found.clear();
        collect(document, own, found);
        features.push(found, counted);
        Ok(())
    };
    in_parts(n, &Features::default(), cancel, add)
}

/// The features of `n` documents, of which `add` is to add one at a time to those of its part;
/// all parts begin `empty`.
pub fn in_parts<S: Default>(
    n: usize,
    empty: &Features,
    cancel: &Cancel,
    add: impl Fn(usize, &mut S, &mut Features) -> Result<()> + Sync,
) -> Result<Features> {
    let documents: Vec<usize> = (0..n).collect();
    let parts = documents
        .par_chunks(STEP)
        .map(|part| {
            let (mut features, mut own) = (empty.clone(), S::default());
            for &document in part {
                cancel.check()?;
                add(document, &mut own, &mut features)?;
            }
            Ok(features)
        })
        .collect::<Result<Vec<_>>>()?;
    let mut all = empty.clone();
    all.append_all(parts);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_keep_their_order_and_their_own() {
        let made = collect(600, false, &Cancel::default(), |n, seen: &mut usize, found| {
            *seen += 1;
            found.extend((0..n as u64 % 3).map(|key| Feature { key, weight: 1, count: 1 }));
        });
        let made = made.expect("not cancelled");
        assert_eq!(made.n_documents(), 600);
        assert!((0..600).all(|n| made.range(n).len() == n % 3));
    }

    #[test]
    fn it_stops_when_asked() {
        let cancel = Cancel::default();
        cancel.cancel();
        assert!(collect(1, false, &cancel, |_, (): &mut (), _| ()).is_err());
    }
}
