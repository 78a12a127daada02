//! Which key of a record holds which part of a document.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The parts of a document that are read here: id, text, published, language, source, title, address.
pub const PARTS: usize = 7;

/// The names to look for.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// For each part the names of its key, the preferred one first.
    pub names: [Vec<String>; PARTS],
    /// For each part whether upper and lower case matter.
    pub exact: [bool; PARTS],
}

/// A key as one of the names of a part: the part, and how far down its list the name stands.
pub type Place = (u8, u8);

/// Remembers what each key stands for: the records of a file have the same few keys.
#[derive(Debug)]
pub struct Places<'n> {
    names: &'n Names,
    known: HashMap<String, Option<Place>, FxBuildHasher>,
}

/// More keys than this are not remembered.
const MAX_KEYS: usize = 1_000;

impl<'n> Places<'n> {
    /// Nothing is known yet.
    pub fn new(names: &'n Names) -> Self {
        Self { names, known: HashMap::default() }
    }

    /// What a key stands for.
    pub fn of(&mut self, key: &str) -> Option<Place> {
        if let Some(&place) = self.known.get(key) {
            return place;
        }
        let place = self.look(key);
        if self.known.len() < MAX_KEYS {
            self.known.insert(key.to_owned(), place);
        }
        place
    }

    fn look(&self, key: &str) -> Option<Place> {
        let lower = key.to_lowercase();
        (0..PARTS).find_map(|part| {
            let is_key = |name: &String| {
                if self.names.exact[part] { name == key } else { name.to_lowercase() == lower }
            };
            let at = self.names.names[part].iter().position(is_key)?;
            Some((part as u8, at as u8))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_places() {
        let names = Names {
            names: [
                vec!["id".into(), "_id".into()],
                vec!["Body".into()],
                vec!["pubDate".into()],
                vec![],
                vec![],
                vec![],
                vec!["url".into()],
            ],
            exact: [false, true, false, false, false, false, false],
        };
        let mut places = Places::new(&names);
        for _ in 0..2 {
            assert_eq!(places.of("_ID"), Some((0, 1)));
            assert_eq!(places.of("Body"), Some((1, 0)));
            assert_eq!(places.of("body"), None);
            assert_eq!(places.of("pubdate"), Some((2, 0)));
            assert_eq!(places.of("title"), None);
            assert_eq!(places.of("URL"), Some((6, 0)));
        }
    }
}
