//! From tags to open elements: what is seen goes into the text, what opens and closes into events.
//!
//! The rules are those of the HTML standard ("tree construction") that decide what is seen and
//! where it belongs: which start tag ends which open element, which end tag means which. What they
//! say about formatting that is closed in the wrong order, and about text that stands in a table
//! but in no cell, is left out: such text stays where it was written.

use rustc_hash::FxHashMap;

use super::about::{About, Attributes};
use super::elements::*;
use super::outline::{self, Events, Role};
use super::page::{Element, Page};
use super::tokens::{self, Content, Handler};
use super::visible::Visible;

/// Pages that are deeper, or have more elements or attributes, take a parser that builds trees
/// too long: its time grows with their square.
const DEEP: usize = 512;
const MANY_ELEMENTS: usize = 1_000_000;
const MANY_ATTRIBUTES: usize = 2_000;
/// Names that HTML does not know; a page with more has them all for one.
const MANY_NAMES: usize = 10_000;
const NOWHERE: usize = usize::MAX;
/// The name of an element that has ended while others inside it are still open.
const ENDED: u16 = u16::MAX;

/// Read a page.
pub fn read(page: &str) -> Page {
    let mut reader = Reader::new();
    reader.is_xml = page.trim_start().starts_with("<?xml");
    tokens::read(page, &mut reader);
    reader.finish()
}

/// An open element: which it is, and its name.
#[derive(Clone, Copy)]
struct Open {
    element: u32,
    name: u16,
}

#[derive(Default)]
struct Reader {
    visible: Visible,
    about: About,
    events: Events,
    elements: Vec<Element>,
    names: Vec<Box<str>>,
    numbers: FxHashMap<Box<[u8]>, u16>,
    stack: Vec<Open>,
    /// Where on the stack elements of each name are.
    places: Vec<Vec<usize>>,
    blocks: Vec<usize>,
    barriers: Vec<usize>,
    /// Where headings, cells, and pictures or formulas are.
    headings: Vec<usize>,
    cells: Vec<usize>,
    foreign: Vec<usize>,
    /// Where the outermost element is that is not seen.
    unseen: Option<usize>,
    has_body: bool,
    tag: u16,
    /// It is XML: `<title/>` is whole there, where in HTML it would hide the page.
    is_xml: bool,
    /// What a parser that builds trees could suffer from: depth, copies, attributes.
    deepest: usize,
    unclosed: usize,
    copies: usize,
    attributes_of_tag: usize,
    is_wild: bool,
    attributes: Attributes,
    /// What follows the start tag that was read last.
    next: Option<Content>,
}

impl Handler for Reader {
    fn text(&mut self, text: &str) {
        self.string(text);
    }

    fn start_tag(&mut self, name: &[u8]) {
        self.tag = self.number(name);
        self.attributes_of_tag = 0;
        self.attributes.clear();
    }

    fn attribute(&mut self, name: &[u8]) -> bool {
        self.attributes_of_tag += 1;
        self.is_wild |= self.attributes_of_tag > MANY_ATTRIBUTES;
        self.attributes.name(name)
    }

    fn value(&mut self, value: &str) {
        self.attributes.value(value);
    }

    fn end_of_start_tag(&mut self, self_closing: bool) -> Content {
        self.next = None;
        self.start(self.tag, self_closing);
        // Only the open elements know.
        self.next.unwrap_or(Content::Markup)
    }

    fn end_tag(&mut self, name: &[u8]) {
        let number = self.number(name);
        self.end(number);
    }

    fn is_foreign(&self) -> bool {
        self.in_foreign()
    }
}

impl Reader {
    fn new() -> Self {
        let mut reader = Self { places: vec![Vec::new(); ELEMENTS.len()], ..Self::default() };
        reader.push(HTML, None);
        reader
    }

    fn finish(mut self) -> Page {
        while !self.stack.is_empty() {
            self.pop();
        }
        let nodes = outline::build(&self.events, &self.elements);
        Page {
            text: self.visible.into_text(),
            about: self.about,
            nodes,
            elements: self.elements,
            names: self.names,
            is_wild: self.is_wild || self.deepest > DEEP || self.copies > MANY_ELEMENTS,
        }
    }

    /// The number of a name; new names get new numbers.
    fn number(&mut self, name: &[u8]) -> u16 {
        if let Some(number) = number_of(name) {
            return number;
        }
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let next = ELEMENTS.len() + self.names.len();
        if self.names.len() >= MANY_NAMES {
            return (next - 1) as u16;
        }
        let name: Box<[u8]> = name[..name.len().min(40)].into();
        self.names.push(String::from_utf8_lossy(&name).into_owned().into());
        self.places.push(Vec::new());
        self.numbers.insert(name, next as u16);
        next as u16
    }

    /// Where the innermost open element of a name is.
    fn place(&self, name: u16) -> Option<usize> {
        self.places[usize::from(name)].last().copied()
    }

    fn is_open(&self, name: u16) -> bool {
        self.place(name).is_some()
    }

    /// Where the innermost element is out of which no end tag reaches.
    fn barrier(&self) -> usize {
        self.barriers.last().copied().unwrap_or(0)
    }

    /// Whether we are in a picture or formula, and not in HTML inside of it.
    fn in_foreign(&self) -> bool {
        self.foreign.last().is_some_and(|&place| place >= self.barrier())
    }

    fn top(&self) -> u16 {
        self.stack.last().map_or(HTML, |open| open.name)
    }

    fn string(&mut self, data: &str) {
        let top = self.top();
        if top == TITLE {
            self.about.titled(data);
        } else if top == SCRIPT {
            self.about.script(data);
        }
        if self.unseen.is_some() && top != HEAD {
            return;
        }
        if !data.bytes().all(|byte| byte.is_ascii_whitespace() || byte == 0) {
            self.ensure_body();
        } else if self.unseen.is_some() {
            return;
        }
        let clean;
        let data = if data.contains('\0') {
            clean = data.replace('\0', "");
            &clean
        } else {
            data
        };
        if self.is_open(PRE)
            || self.is_open(XMP)
            || self.is_open(LISTING)
            || self.is_open(PLAINTEXT)
        {
            self.visible.add_preformatted(data);
        } else {
            if self.visible.is_apart() {
                self.end_run();
            }
            self.visible.add(data);
        }
    }

    fn start(&mut self, name: u16, self_closing: bool) {
        let flags = flags_of(name);
        if self.in_foreign() && flags & BREAKS_OUT != 0 {
            let place = self.foreign.last().copied().unwrap_or(NOWHERE);
            self.pop_to(place);
        }
        let foreign = self.in_foreign();
        if !foreign && !self.prepare(name, flags) {
            return;
        }
        self.tell(name);
        // A new element takes along a copy of each formatting element left open before it.
        self.copies = self.copies.saturating_add(1 + self.unclosed);
        let element = self.elements.len();
        self.push(name, self.region());
        self.count(element);
        if flags & VOID != 0 {
            return; // it has no content, and was not put on the stack
        }
        if self_closing && (foreign || (self.is_xml && flags & (RAW_TEXT | PLAIN_TEXT) != 0)) {
            self.pop();
            return;
        }
        if self.unseen.is_none() && (flags & UNSEEN != 0 || self.attributes.hide()) {
            self.unseen = Some(self.stack.len() - 1);
        }
        if !foreign {
            self.next = match name {
                SCRIPT => Some(Content::Script),
                PLAINTEXT => Some(Content::Rest),
                _ if flags & RAW_TEXT != 0 => Some(Content::RawText),
                _ if flags & PLAIN_TEXT != 0 => Some(Content::PlainText),
                _ => None,
            };
        }
    }

    /// End what a start tag ends, open what it needs; tell whether it counts at all.
    fn prepare(&mut self, name: u16, flags: u32) -> bool {
        match name {
            HTML => {
                self.about.html(&self.attributes);
                return false;
            }
            HEAD => return !self.has_body && !self.is_open(HEAD),
            BODY => {
                // Its style does not count: some pages are hidden until their scripts have run.
                self.ensure_body();
                return false;
            }
            _ => {}
        }
        if flags & IN_HEAD == 0 {
            self.ensure_body();
        }
        if self.is_open(SELECT) && matches!(name, SELECT | INPUT | TEXTAREA | KEYGEN) {
            self.pop_to(self.place(SELECT).unwrap_or(NOWHERE));
            if name == SELECT {
                return false;
            }
        }
        if flags & TABLE_PART != 0 && !self.in_table(name) {
            return false;
        }
        if flags & CLOSES_P != 0 && self.place(P) > Some(self.barrier()) {
            self.pop_to(self.place(P).unwrap_or(NOWHERE));
        }
        if rank_of(name).is_some() && rank_of(self.top()).is_some() {
            self.pop();
        }
        match name {
            LI => self.end_item(&[LI]),
            DT | DD => self.end_item(&[DT, DD]),
            A | BUTTON | NOBR if self.place(name) >= Some(self.barrier()) => self.end(name),
            RP | RT | RB | RTC if matches!(self.top(), RP | RT | RB | RTC) => self.pop(),
            TABLE if self.place(TABLE) > self.cells.last().copied() => {
                self.pop_to(self.place(TABLE).unwrap_or(NOWHERE));
            }
            _ => {}
        }
        true
    }

    /// Make room for a part of a table; tell whether there is a table to be a part of.
    fn in_table(&mut self, name: u16) -> bool {
        let Some(table) = self.place(TABLE) else { return false };
        let ended: &[u16] = match name {
            TD | TH => &[TD, TH, CAPTION],
            TR => &[TR, CAPTION],
            _ => &[THEAD, TBODY, TFOOT, CAPTION, COLGROUP, TR],
        };
        // The outermost of them that belongs to this table.
        let found = ended.iter().filter_map(|&part| self.place(part)).filter(|&p| p > table).min();
        self.pop_to(found.unwrap_or(NOWHERE));
        let is_in = |reader: &Self, name| reader.place(name) > Some(table);
        if matches!(name, TR | TD | TH) && ![THEAD, TBODY, TFOOT].iter().any(|&n| is_in(self, n)) {
            self.push(TBODY, None);
        }
        if matches!(name, TD | TH) && !is_in(self, TR) {
            self.push(TR, None);
        }
        true
    }

    /// End an open list item, unless something else that stands for itself was opened inside it.
    fn end_item(&mut self, names: &[u16]) {
        let Some(item) = names.iter().filter_map(|&name| self.place(name)).max() else { return };
        let is_inner =
            |&place: &usize| place > item && !matches!(self.stack[place].name, ADDRESS | DIV | P);
        // Blocks are looked at from the inside; those that may be passed over are few in real
        // pages, and a page made of them is cut short here.
        let mut inner = self.blocks.iter().rev().take(64).take_while(|&&place| place > item);
        if !inner.any(is_inner) && item > self.barrier() {
            self.pop_to(item);
        }
    }

    fn ensure_body(&mut self) {
        if self.has_body {
            return;
        }
        if let Some(head) = self.place(HEAD) {
            self.pop_to(head);
        }
        if self.unseen.is_none() {
            self.pop_to(1);
            self.has_body = true;
            self.push(BODY, None);
        }
    }

    fn end(&mut self, name: u16) {
        match name {
            BR => return self.start(BR, false),
            HTML | BODY => return,
            HEAD => return self.pop_to(self.place(HEAD).unwrap_or(NOWHERE)),
            _ => {}
        }
        let flags = flags_of(name);
        let found = match rank_of(name) {
            Some(_) => self.headings.last().copied(),
            None => self.place(name),
        };
        let Some(place) = found else {
            if name == P && self.unseen.is_none() {
                self.boundary(P, true);
            }
            return;
        };
        let barrier = if flags & TABLE_PART != 0 {
            self.place(TABLE).unwrap_or(0)
        } else {
            self.barriers.iter().rev().find(|&&at| at != place).copied().unwrap_or(0)
        };
        let inside = self.blocks.last().is_some_and(|&block| block > place);
        if place < barrier && (flags & BARRIER == 0 || flags & TABLE_PART != 0) {
            // It reaches out of a cell.
        } else if flags & (BLOCK | CELL | BARRIER) != 0 || !inside {
            self.pop_to(place);
        } else if flags & FORMATTING != 0 {
            self.places[usize::from(name)].pop();
            self.stack[place].name = ENDED;
            if self.unseen.is_none() {
                self.boundary(name, true);
            }
        }
    }

    /// Hand on what an element says of the page.
    fn tell(&mut self, name: u16) {
        match name {
            META => self.about.meta(&self.attributes),
            LINK => self.about.link(&self.attributes),
            TIME => {
                let in_article = self.is_open(ARTICLE) || self.is_open(MAIN);
                self.about.time(&self.attributes, in_article);
            }
            _ => {}
        }
    }

    /// Note what cells span, and what rows and tables hold.
    fn count(&mut self, element: usize) {
        let name = self.elements[element].name;
        if matches!(name, TD | TH) {
            let span = |name, most: u16| {
                let given = self.attributes.get(name).and_then(|value| value.trim().parse().ok());
                given.unwrap_or(1).clamp(1, most)
            };
            self.elements[element].counts = [span("colspan", 1000), span("rowspan", 10_000)];
            let row = self.elements[element].parent as usize;
            let counts = &mut self.elements[row].counts;
            counts[usize::from(name == TH)] = counts[usize::from(name == TH)].saturating_add(1);
        }
    }

    fn boundary(&mut self, name: u16, is_end: bool) {
        let ends_run = flags_of(name) & (BLOCK | CELL) != 0;
        self.visible.boundary(name, is_end);
        if ends_run {
            self.end_run();
        }
    }

    fn end_run(&mut self) {
        if let Some(run) = self.visible.take_run() {
            self.events.text(run);
        }
    }

    fn push(&mut self, name: u16, region: Option<Role>) {
        let element = self.elements.len() as u32;
        let parent = self.stack.last().map_or(0, |open| open.element);
        self.elements.push(Element { parent, name, counts: [0, 0] });
        let place = self.stack.len();
        let flags = flags_of(name);
        if self.unseen.is_none() {
            self.boundary(name, false);
            if flags & VOID == 0 && (flags & (BLOCK | CELL) != 0 || region.is_some()) {
                self.events.open(element, name, region);
            }
        }
        if flags & VOID != 0 {
            return;
        }
        self.stack.push(Open { element, name });
        self.deepest = self.deepest.max(place);
        self.places[usize::from(name)].push(place);
        if flags & (BLOCK | CELL) != 0 {
            self.blocks.push(place);
        }
        if flags & BARRIER != 0 {
            self.barriers.push(place);
        }
        if rank_of(name).is_some() {
            self.headings.push(place);
        }
        if matches!(name, TD | TH | CAPTION) {
            self.cells.push(place);
        }
        if matches!(name, SVG | MATH) {
            self.foreign.push(place);
        }
    }

    /// What the author says the element that is being opened is for.
    fn region(&self) -> Option<Role> {
        match self.attributes.get("role")?.trim() {
            "navigation" => Some(Role::Navigation),
            "contentinfo" => Some(Role::Footer),
            _ => None,
        }
    }

    /// End elements until the one at a place has ended.
    fn pop_to(&mut self, place: usize) {
        while self.stack.len() > place {
            // What marks up letters ends with its block here; a parser would open it again.
            let is_inner = self.stack.len() > place + 1;
            self.unclosed += usize::from(is_inner && flags_of(self.top()) & FORMATTING != 0);
            self.pop();
        }
    }

    fn pop(&mut self) {
        let Some(open) = self.stack.pop() else { return };
        let place = self.stack.len();
        if let Some(own) = self.places.get_mut(usize::from(open.name)) {
            own.pop();
        }
        for list in [
            &mut self.blocks,
            &mut self.barriers,
            &mut self.headings,
            &mut self.cells,
            &mut self.foreign,
        ] {
            if list.last() == Some(&place) {
                list.pop();
            }
        }
        if self.unseen == Some(place) {
            self.unseen = None;
        }
        if self.unseen.is_none() {
            self.boundary(open.name, true);
            self.events.close(open.element);
        }
    }
}
