//! How text is analysed: the choices in which the papers differ.

use std::fmt;

/// How a word is cut down to its stem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stem {
    /// Not at all.
    None,
    /// To its first five characters (CoDet's choice for Turkish).
    First5,
    /// By the Snowball stemmer of the language; unchanged where it has none.
    Snowball,
}

/// What an apostrophe or a hyphen inside a word does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joiner {
    /// The apostrophe stays, the hyphen divides: `don't`, `al` `Sistani`.
    Keep,
    /// Both divide: `don` `t`.
    Split,
    /// Both vanish: `dont`, `alsistani`.
    Delete,
}

/// The choices of one analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Leave stop words of the language out of the terms.
    pub drop_stop_words: bool,
    /// Leave words without a letter out of the terms.
    pub drop_numbers: bool,
    /// How words become stems.
    pub stem: Stem,
    /// What apostrophes and hyphens inside words do.
    pub joiner: Joiner,
    /// Leave terms with fewer characters out.
    pub min_length: usize,
    /// Cut sentences of more words into pieces; `None`: leave them as they are.
    pub longest: Option<usize>,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            drop_stop_words: true,
            drop_numbers: false,
            stem: Stem::Snowball,
            joiner: Joiner::Keep,
            min_length: 1,
            longest: None,
        }
    }
}

impl fmt::Display for Profile {
    /// The canonical form, which is part of every stored version.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "analysis=1 stop={} numbers={} stem={} joiner={} min={}",
            if self.drop_stop_words { "drop" } else { "keep" },
            if self.drop_numbers { "drop" } else { "keep" },
            match self.stem {
                Stem::None => "none",
                Stem::First5 => "first5",
                Stem::Snowball => "snowball",
            },
            match self.joiner {
                Joiner::Keep => "keep",
                Joiner::Split => "split",
                Joiner::Delete => "delete",
            },
            self.min_length
        )?;
        self.longest.map_or(Ok(()), |words| write!(f, " longest={words}"))
    }
}
