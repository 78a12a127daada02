//! From a text to sentences of words, and from words to interned terms.
//!
//! [`sentences`] cuts a text, [`pieces`] an endless sentence, [`words`] cuts a sentence, [`terms`] turns a word into a term as
//! the [`profile`] says, [`vocabulary`] does so once for each distinct word, and [`analyse`]
//! runs all of it over a batch on all cores.

pub mod ahead;
pub mod analyse;
pub(crate) mod block;
pub(crate) mod breaks;
pub(crate) mod chunk;
pub mod detect;
pub(crate) mod distinct;
pub(crate) mod ends;
pub mod language;
pub(crate) mod lists;
pub(crate) mod new_words;
#[cfg(test)]
mod oracle;
pub(crate) mod others;
pub(crate) mod pairs;
pub(crate) mod pieces;
pub mod profile;
pub mod quotations;
pub(crate) mod ranges;
pub mod sentences;
pub(crate) mod stops;
pub mod terms;
pub mod vocabulary;
pub(crate) mod window;
pub mod words;

use crate::cancel::Cancel;

pub use ahead::Ahead;
pub use analyse::{Analysed, Analyser, Keep, Source};
pub use language::Language;
pub use profile::{Joiner, Profile, Stem};

/// Make what the first analysis of a process would wait for: tables of characters, the expressions
/// and lists of the splitter, threads. Without it everything works.
pub fn warm_up() {
    let text = "“It's ‘done’,” Mr. Smith (of Köln) said. 'Then 2 left.' 'It's * so.'";
    let languages = [Some(Language::from_code("en"))];
    let analyse = || {
        Analyser::new(Profile::default()).analyse(&[text], &languages, false, &Cancel::default())
    };
    // There is nothing to do about an error: whoever comes next meets it, and tells it.
    let _ = crate::pool::pool(0).map(|pool| pool.install(analyse));
}

#[cfg(test)]
mod tests {
    #[test]
    fn warming_up_can_be_done_again() {
        super::warm_up();
        super::warm_up();
    }
}
