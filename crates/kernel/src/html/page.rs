//! A page that was read: its text, what it says of itself, its hierarchy, and where that was.

use rustc_hash::FxHashMap;

use super::about::About;
use super::elements::ELEMENTS;
use super::outline::{Node, Role};
use crate::hash;

/// An element of the page.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// The element it is in.
    pub parent: u32,
    /// Its name.
    pub name: u16,
    /// Of a cell: columns and rows it spans. Of a row: cells, and those that are headers.
    pub counts: [u16; 2],
}

/// Paths show so many outer and inner elements; what is between them is left out.
const OUTER: usize = 8;
const INNER: usize = 56;
/// The inner elements take so many bytes: names may be long, and nodes many.
const LONGEST: usize = 1000;
/// A shorter heading is the name of a section, or says nothing.
const HEADLINE: usize = 12;
/// A longer title is none; every heading is looked for in it.
const LONG_TITLE: usize = 10_000;

/// A page.
#[derive(Debug)]
pub struct Page {
    /// The visible text.
    pub text: String,
    /// What the page says of itself.
    pub about: About,
    /// The semantic hierarchy, in document order; the first is the root.
    pub nodes: Vec<Node>,
    /// Every element, in document order.
    pub elements: Vec<Element>,
    /// Names of elements that HTML does not know.
    pub names: Vec<Box<str>>,
    /// A parser that builds a tree could need far more time or memory than the page is worth.
    pub is_wild: bool,
}

impl Page {
    /// The own text of a node.
    pub fn text_of(&self, node: &Node) -> &str {
        &self.text[node.run.from..node.run.to]
    }

    /// What stands for the own text of each node by its letters, for its place, the names of the
    /// elements it is in, for both, and for what follows a label (`Next: `). 0 where there is none.
    pub fn marks(&self) -> Vec<[u64; 4]> {
        // What stands for the names from the root to each element.
        let mut places: Vec<u64> = Vec::with_capacity(self.elements.len());
        for element in &self.elements {
            let outer = places.get(element.parent as usize).copied().unwrap_or(0);
            places.push(hash::extend(outer, hash::term(self.name_of(element.name))));
        }
        let marks = self.nodes.iter().map(|node| match mark_of(self.text_of(node)) {
            0 => [0; 4],
            mark => {
                let place = places[node.element as usize];
                let told = self.text_of(node).split_once(':').map_or(0, |(_, told)| mark_of(told));
                [mark, place, hash::extend(place, mark), told]
            }
        });
        marks.collect()
    }

    /// What stands for the headline: the first heading that is a part of the title. 0 if none is.
    pub fn headline(&self) -> u64 {
        let title = self.about.title.as_deref().unwrap_or_default();
        let title = plain(&title[..title.floor_char_boundary(LONG_TITLE)]);
        let headings = self.nodes.iter().skip(1).filter(|node| node.role == Role::Heading);
        let plains = headings.map(|node| plain(self.text_of(node)));
        let mut headlines = plains.filter(|text| text.len() >= HEADLINE && title.contains(text));
        headlines.next().map_or(0, |text| hash::term(&text).max(1))
    }

    /// The tag path of each node: the names of elements from the root, with a number where
    /// several of the same name stand beside each other.
    pub fn paths(&self) -> Vec<String> {
        let places = self.places();
        // How deep each element is, and which of those it is in is the last that paths show at
        // their beginning: nobody walks from a deep element to the root.
        let mut depths: Vec<(usize, u32)> = Vec::with_capacity(self.elements.len());
        for (n, element) in self.elements.iter().enumerate() {
            let (outer, last) = depths.get(element.parent as usize).copied().unwrap_or((0, 0));
            depths.push(match outer + usize::from(n > 0) {
                depth if depth < OUTER => (depth, n as u32),
                depth => (depth, last),
            });
        }
        self.nodes.iter().map(|node| self.path(node.element, &places, &depths)).collect()
    }

    fn path(&self, element: u32, places: &[u32], depths: &[(usize, u32)]) -> String {
        let (depth, last) = depths[element as usize];
        let up = |&at: &u32| (at > 0).then(|| self.elements[at as usize].parent);
        let step = |at: u32| {
            let name = self.name_of(self.elements[at as usize].name);
            match places[at as usize] {
                0 => name.to_owned(),
                place => format!("{name}[{place}]"),
            }
        };
        let mut steps: Vec<String> = Vec::new();
        if depth >= OUTER {
            let mut left = LONGEST;
            let inner =
                std::iter::successors(Some(element), up).take((depth + 1 - OUTER).min(INNER));
            steps.extend(inner.map(step).take_while(|step| {
                left = left.saturating_sub(step.len() + 1);
                left > 0
            }));
            if steps.len() + OUTER <= depth {
                steps.push("...".to_owned());
            }
        }
        steps.extend(std::iter::successors(Some(last), up).map(step));
        steps.reverse();
        steps.join("/")
    }

    fn name_of(&self, number: u16) -> &str {
        let number = usize::from(number);
        ELEMENTS.get(number).map_or_else(|| &*self.names[number - ELEMENTS.len()], |(name, _)| name)
    }

    /// The place of each element among those of its name beside it, 0 for an only one.
    fn places(&self) -> Vec<u32> {
        let mut seen: FxHashMap<(u32, u16), (u32, usize)> = FxHashMap::default();
        let mut places = vec![0; self.elements.len()];
        for (n, element) in self.elements.iter().enumerate().skip(1) {
            let (count, first) = seen.entry((element.parent, element.name)).or_insert((0, n));
            *count += 1;
            if *count > 1 {
                places[*first] = 1;
                places[n] = *count;
            }
        }
        places
    }
}

fn mark_of(text: &str) -> u64 {
    let plain = plain(text);
    if plain.is_empty() { 0 } else { hash::term(&plain).max(1) }
}

/// The letters of a text in lower case, in words, with all numbers alike.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !plain.is_empty() && !plain.ends_with(' ') {
            plain.push(' ');
        }
        for char in word.chars() {
            if char.is_ascii_digit() {
                if !plain.ends_with('0') {
                    plain.push('0');
                }
            } else if char.is_alphanumeric() {
                plain.extend(char.to_lowercase());
            }
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}
