//! Compact sets of ids: 16 bytes each, whatever their length.

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

    /// Whether an id was added.
    pub fn has(&self, id: &str) -> bool {
        !self.is_empty() && self.0.contains(&hash::whole(id.as_bytes()))
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

/// The ids of documents that come file by file. The first file with an id has it as it is; in another
/// one the label of the file comes before it: `b.jsonl#7`.
#[derive(Debug, Default)]
pub struct DocumentIds {
    /// Those of the files before this one.
    before: IdSet,
    /// Those of this file, as they are given out.
    own: IdSet,
    label: String,
}

/// The id that a document is given.
#[derive(Debug, PartialEq)]
pub enum Given {
    /// Its own.
    Own,
    /// Another one: an earlier file has its own.
    Other(String),
    /// None: an earlier document of the same file has it.
    Repeated,
}

impl DocumentIds {
    /// Begin a file, which is told from others by its label.
    pub fn open(&mut self, label: &str) {
        let own = std::mem::take(&mut self.own);
        if own.len() > self.before.len() {
            self.own = std::mem::replace(&mut self.before, own);
        } else {
            self.own = own;
        }
        self.before.0.extend(self.own.0.drain());
        self.own = IdSet::default();
        label.clone_into(&mut self.label);
    }

    /// The id of the next document of the file; with `keep`, also of one that is repeated.
    pub fn give(&mut self, id: &str, keep: bool) -> Given {
        let mut other = None;
        while self.before.has(other.as_deref().unwrap_or(id)) {
            other = Some(format!("{}#{}", self.label, other.as_deref().unwrap_or(id)));
        }
        let is_new = self.own.add(other.as_deref().unwrap_or(id));
        if !is_new && !keep {
            return Given::Repeated;
        }
        other.map_or(Given::Own, Given::Other)
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
        assert!(ids.has("a") && !ids.has("b"));
    }

    #[test]
    fn an_id_of_an_earlier_file_has_the_label_of_its_own_before_it() {
        let other = |id: &str| Given::Other(id.to_owned());
        let mut ids = DocumentIds::default();
        ids.open("a");
        assert_eq!(ids.give("0", false), Given::Own);
        assert_eq!(ids.give("0", false), Given::Repeated);
        assert_eq!(ids.give("0", true), Given::Own);
        assert_eq!(ids.give("b#1", false), Given::Own);
        ids.open("b");
        assert_eq!(ids.give("0", false), other("b#0"));
        assert_eq!(ids.give("0", false), Given::Repeated);
        assert_eq!(ids.give("0", true), other("b#0"));
        assert_eq!(ids.give("1", false), Given::Own);
        assert_eq!(ids.give("b#1", false), other("b#b#1"));
        ids.open("c");
        ids.open("d");
        assert_eq!(ids.give("0", false), other("d#0"));
        assert_eq!(ids.give("b#0", false), other("d#b#0"));
        assert_eq!(ids.give("2", false), Given::Own);
    }
}
