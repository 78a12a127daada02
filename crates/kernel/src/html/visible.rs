//! The visible text of a page: what a reader sees, block by block, without the tags.
//!
//! A block is parted from its neighbours by a blank line, which ends a sentence for every
//! splitter; cells of a row by a tab; `<br>` is a line end. White space is as the page shows it.

use super::elements::{A, BLOCK, BR, CELL, PIECE, flags_of};

/// How far apart two pieces of text stand; the widest asked for counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
enum Gap {
    #[default]
    Nothing,
    Space,
    Tab,
    Line,
    BlankLine,
}

impl Gap {
    fn text(self) -> &'static str {
        ["", " ", "\t", "\n", "\n\n"][self as usize]
    }
}

/// A stretch of text without a block's end inside: bytes for us, code points for everyone else.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Run {
    /// Where it begins, in bytes.
    pub from: usize,
    /// Where it ends, in bytes.
    pub to: usize,
    /// Where it begins, in code points.
    pub start: u32,
    /// Where it ends, in code points.
    pub end: u32,
}

/// Text being put together from pieces.
#[derive(Default)]
pub struct Visible {
    text: String,
    characters: u32,
    gap: Gap,
    after_link: bool,
    run: Option<Run>,
}

const WHITE: [char; 5] = [' ', '\t', '\n', '\r', '\x0c'];

impl Visible {
    /// The text so far.
    pub fn into_text(self) -> String {
        self.text
    }

    /// End the run of text that is open, and return it.
    pub fn take_run(&mut self) -> Option<Run> {
        self.run.take().map(|run| Run { to: self.text.len(), end: self.characters, ..run })
    }

    /// Whether the next piece of text begins a new run.
    pub fn is_apart(&self) -> bool {
        self.gap == Gap::BlankLine
    }

    /// Add the text between two tags; a run of white space shows as one space.
    pub fn add(&mut self, data: &str) {
        let core = data.trim_matches(WHITE);
        if core.chars().all(char::is_whitespace) {
            self.gap = self.gap.max(Gap::Space);
            return;
        }
        if data.starts_with(WHITE) {
            self.gap = self.gap.max(Gap::Space);
        }
        self.begin();
        let mut rest = core;
        while let Some(at) =
            rest.bytes().position(|b| matches!(b, b'\t' | b'\n' | b'\r' | 0x0c | b' '))
        {
            self.push(&rest[..at]);
            self.push(" ");
            rest = rest[at..].trim_start_matches(WHITE);
        }
        self.push(rest);
        if data.ends_with(WHITE) {
            self.gap = Gap::Space;
        }
    }

    /// Add preformatted text: line ends and indents stay, those around it do not count.
    pub fn add_preformatted(&mut self, data: &str) {
        let core = data.trim_matches(['\r', '\n']);
        if core.chars().all(char::is_whitespace) {
            self.gap = self.gap.max(if data.contains('\n') { Gap::Line } else { Gap::Space });
            return;
        }
        if data.starts_with(['\r', '\n']) {
            self.gap = self.gap.max(Gap::Line);
        }
        self.begin();
        self.push(core);
        if data.ends_with(['\r', '\n']) {
            self.gap = Gap::Line;
        }
    }

    /// Leave the gap that the start or the end of an element makes.
    pub fn boundary(&mut self, number: u16, is_end: bool) {
        let flags = flags_of(number);
        if number == BR {
            // The second one leaves a blank line.
            self.gap = if self.gap >= Gap::Line { Gap::BlankLine } else { Gap::Line };
        } else if number == A {
            // Links side by side are a list, even if only its style parts them.
            if self.after_link && !is_end {
                self.gap = self.gap.max(Gap::Space);
            }
            self.after_link = is_end;
        } else if flags & BLOCK != 0 {
            self.gap = Gap::BlankLine;
        } else if flags & CELL != 0 {
            self.gap = self.gap.max(Gap::Tab);
        } else if flags & PIECE != 0 {
            self.gap = self.gap.max(Gap::Space);
        }
    }

    fn begin(&mut self) {
        if !self.text.is_empty() {
            let gap = self.gap.text();
            self.text.push_str(gap);
            self.characters += gap.len() as u32;
        }
        self.gap = Gap::Nothing;
        self.after_link = false;
        let (from, start) = (self.text.len(), self.characters);
        self.run.get_or_insert(Run { from, to: from, start, end: start });
    }

    fn push(&mut self, piece: &str) {
        self.text.push_str(piece);
        self.characters += piece.chars().count() as u32;
    }
}
