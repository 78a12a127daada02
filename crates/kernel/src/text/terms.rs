//! From a word as it stands in the text to the term that is compared.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::language::Language;
use super::profile::{Joiner, Profile, Stem};
use super::words::{is_apostrophe, is_hyphen, is_invisible};
use crate::hash;

/// A longer word (a key, a picture in base64) is known by its beginning and its hash.
const MAX_WORD: usize = 256;

/// A term and what kind of word it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term<'t> {
    /// The text that is compared.
    pub text: Cow<'t, str>,
    /// Its hash.
    pub hash: u64,
    /// Whether the word is a stop word of the language.
    pub is_stop: bool,
    /// Whether the profile leaves the word out.
    pub is_dropped: bool,
    /// What stands for the word itself, whatever its case: equal words, equal numbers.
    pub folded: u32,
}

/// The term of a word; `room` is where the word is written down in one form.
pub fn term<'r>(
    word: &str,
    language: Language,
    profile: &Profile,
    room: &'r mut String,
) -> Term<'r> {
    fold(word, language, room);
    let folded: &'r str = room;
    let is_stop = language.stop_words().contains(folded);
    let is_number = !folded.chars().any(char::is_alphabetic);
    let bare = without_joiners(folded, language, profile.joiner);
    let text = if is_number { bare } else { stem(bare, language, profile.stem) };
    let is_dropped = text.is_empty()
        || (profile.drop_stop_words && is_stop)
        || (profile.drop_numbers && is_number)
        || (profile.min_length > 1 && text.chars().count() < profile.min_length);
    let hash = hash::term(&text);
    Term { text, hash, is_stop, is_dropped, folded: hash::term(folded) as u32 }
}

/// The word itself, or what stands for it if it is endless.
pub fn key_of(word: &str) -> Cow<'_, str> {
    if word.len() <= MAX_WORD {
        return Cow::Borrowed(word);
    }
    let head = &word[..word.floor_char_boundary(64)];
    Cow::Owned(format!("{head}\u{2026}{:016x}", hash::term(word)))
}

/// Write down one form for all ways to write the same letters: NFKC, lower case, plain apostrophes.
fn fold(word: &str, language: Language, room: &mut String) {
    room.clear();
    let dotless = language.has_dotless_i();
    if word.is_ascii() && !dotless {
        room.push_str(word);
        room.make_ascii_lowercase();
        return;
    }
    let mut lower = String::with_capacity(word.len());
    for c in word.nfkc() {
        match c {
            'I' if dotless => lower.push('ı'),
            'İ' => lower.push('i'),
            c if is_invisible(c) => {}
            c if is_apostrophe(c) => lower.push('\''),
            c if is_hyphen(c) => lower.push('-'),
            c => lower.extend(c.to_lowercase()),
        }
    }
    // The word-final sigma is another letter in lower case only.
    if lower.ends_with('σ') && lower.chars().count() > 1 {
        lower.truncate(lower.len() - 'σ'.len_utf8());
        lower.push('ς');
    }
    room.extend(lower.nfc());
}

/// The word without what an apostrophe hangs on it, or without its joiners.
fn without_joiners(folded: &str, language: Language, joiner: Joiner) -> Cow<'_, str> {
    if joiner == Joiner::Delete {
        return folded.chars().filter(|&c| c != '\'' && c != '-').collect();
    }
    let Some((before, after)) = folded.split_once('\'') else {
        return Cow::Borrowed(folded);
    };
    let kept = match language.code() {
        // A suffix of a name: Türkiye'nin.
        "tr" | "az" => before,
        // An article or preposition that lost its vowel: l'eau, dell'acqua.
        "fr" | "it" | "ca" if before.chars().count() <= 4 => after,
        // The possessive: Iraq's.
        _ if after == "s" => before,
        _ => folded,
    };
    Cow::Borrowed(kept)
}

fn stem(word: Cow<'_, str>, language: Language, stem: Stem) -> Cow<'_, str> {
    match stem {
        Stem::None => word,
        Stem::First5 => match (word.char_indices().nth(5), word) {
            (None, word) => word,
            (Some((at, _)), Cow::Borrowed(word)) => Cow::Borrowed(&word[..at]),
            (Some((at, _)), Cow::Owned(word)) => Cow::Owned(word[..at].to_owned()),
        },
        Stem::Snowball => match (language.stemmer(), word) {
            (None, word) => word,
            (Some(stemmer), Cow::Borrowed(word)) => stemmer.stem(word),
            (Some(stemmer), Cow::Owned(word)) => Cow::Owned(stemmer.stem(&word).into_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(word: &str, code: &str, profile: &Profile) -> String {
        term(word, Language::from_code(code), profile, &mut String::new()).text.into_owned()
    }

    fn plain() -> Profile {
        Profile { stem: Stem::None, ..Profile::default() }
    }

    #[test]
    fn case_is_folded_as_the_language_asks() {
        assert_eq!(text("ISPARTA", "tr", &plain()), "ısparta");
        assert_eq!(text("İSTANBUL", "tr", &plain()), "istanbul");
        assert_eq!(text("İSTANBUL", "en", &plain()), "istanbul");
        assert_eq!(text("INTEL", "en", &plain()), "intel");
        assert_eq!(text("ΟΔΟΣ", "el", &plain()), text("οδος", "el", &plain()));
        assert_eq!(text("ＦＵＬＬ", "en", &plain()), "full");
        assert_eq!(text("Cafe\u{301}", "fr", &plain()), "café");
    }

    #[test]
    fn what_hangs_on_an_apostrophe_goes() {
        assert_eq!(text("Türkiye'nin", "tr", &plain()), "türkiye");
        assert_eq!(text("Türkiye’nin", "tr", &plain()), "türkiye");
        assert_eq!(text("l’eau", "fr", &plain()), "eau");
        assert_eq!(text("Iraq's", "en", &plain()), "iraq");
        assert_eq!(text("o'clock", "en", &plain()), "o'clock");
        let delete = Profile { joiner: Joiner::Delete, ..plain() };
        assert_eq!(text("Iraq's", "en", &delete), "iraqs");
        assert_eq!(text("al-Sistani", "en", &delete), "alsistani");
    }

    #[test]
    fn stems() {
        let first5 = Profile { stem: Stem::First5, ..Profile::default() };
        assert_eq!(text("görüntüleri", "tr", &first5), "görün");
        assert_eq!(text("1000001", "tr", &first5), "1000001");
        assert_eq!(text("contained", "en", &Profile::default()), "contain");
        assert_eq!(text("长江", "zh", &Profile::default()), "长江");
    }

    #[test]
    fn stop_words_numbers_and_short_words_are_dropped_as_asked() {
        let is = |word, profile| {
            let mut room = String::new();
            let Term { is_stop, is_dropped, .. } =
                term(word, Language::from_code("en"), profile, &mut room);
            (is_stop, is_dropped)
        };
        let profile = Profile { drop_numbers: true, min_length: 3, ..Profile::default() };
        assert_eq!(is("The", &profile), (true, true));
        assert_eq!(is("don't", &profile), (true, true));
        assert_eq!(is("1,000", &profile), (false, true));
        assert_eq!(is("ox", &profile), (false, true));
        assert_eq!(is("oxen", &profile), (false, false));
        let keep = Profile { drop_stop_words: false, ..Profile::default() };
        assert_eq!(is("the", &keep), (true, false));
    }

    #[test]
    fn an_endless_word_is_known_by_its_hash() {
        let (one, two) = ("x".repeat(100_000), "x".repeat(100_001));
        assert!(key_of(&one).len() < 100);
        assert_ne!(key_of(&one), key_of(&two));
        assert_eq!(key_of("short"), "short");
    }
}
