//! A compact set of ids: 16 bytes each, whatever their length.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use crate::hash;

/// Remembers which ids were seen. Two ids are the same if their 128-bit hashes are.
#[derive(Debug, Default)]
pub struct IdSet(HashSet<u128, FxBuildHasher>);

impl IdSet {
    /// Add an id; `true` if it was new.
    pub fn add(&mut self, id: &str) -> bool {
        self.0.insert(hash::whole(id.as_bytes()))
    }

    /// How many different ids were added.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no id was added.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_new_once() {
        let mut ids = IdSet::default();
        assert!(ids.is_empty());
        assert!(ids.add("a"));
        assert!(!ids.add("a"));
        assert!(ids.add(""));
        assert_eq!(ids.len(), 2);
    }
}
