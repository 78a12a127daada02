//! From a text to sentences of words, and from words to interned terms.
//!
//! [`sentences`] cuts a text, [`pieces`] an endless sentence, [`words`] cuts a sentence, [`terms`] turns a word into a term as
//! the [`profile`] says, [`vocabulary`] does so once for each distinct word, and [`analyse`]
//! runs all of it over a batch on all cores.

pub mod analyse;
pub(crate) mod chunk;
pub mod detect;
pub(crate) mod distinct;
pub mod language;
pub(crate) mod pieces;
pub(crate) mod plain;
pub mod profile;
pub mod quotations;
pub mod sentences;
pub mod terms;
pub mod vocabulary;
pub(crate) mod window;
pub mod words;

pub use analyse::{Analysed, Analyser, Keep, Source};
pub use language::Language;
pub use profile::{Joiner, Profile, Stem};
