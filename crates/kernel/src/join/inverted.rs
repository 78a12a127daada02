//! Units that share a key: an inverted index over what is stored, looked up with what is asked.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::candidates::Search;
use super::met::Met;
use super::sort::sort_by_hash;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::Keys;

/// The stored units of each key, and the keys each unit asks for, which may be others.
pub struct Inverted<'a> {
    probes: &'a Keys,
    /// Where the list of a key starts in `units`, and how long it is.
    lists: HashMap<u64, (u64, u32), FxBuildHasher>,
    units: Vec<u32>,
}

impl<'a> Inverted<'a> {
    /// Index what is stored.
    pub fn new(store: &Keys, probes: &'a Keys, cancel: &Cancel) -> Result<Self> {
        let mut entries: Vec<(u64, u32)> = Vec::with_capacity(store.keys.len());
        for unit in 0..store.n_units() {
            entries.extend(store.of(unit).iter().map(|&key| (key, unit as u32)));
        }
        sort_by_hash(&mut entries, |entry| entry.0, cancel)?;
        // A unit that stores a key twice is in its list once.
        entries.dedup();
        let mut lists = HashMap::default();
        let mut start = 0;
        for run in entries.chunk_by(|a, b| a.0 == b.0) {
            lists.insert(run[0].0, (start, run.len() as u32));
            start += run.len() as u64;
        }
        let units = entries.into_iter().map(|(_, unit)| unit).collect();
        Ok(Self { probes, lists, units })
    }
}

impl Search for Inverted<'_> {
    fn look_up(&self, probe: usize, met: &mut Met) {
        for key in self.probes.of(probe) {
            if let Some(&(start, length)) = self.lists.get(key) {
                let list = &self.units[start as usize..][..length as usize];
                list.iter().for_each(|&unit| met.meet(unit));
            }
        }
    }
}
