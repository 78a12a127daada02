//! The languages Twicetold knows by name; most have stop words, many a stemmer.

use std::collections::HashSet;
use std::sync::OnceLock;

use frostem::{Algorithm, Stemmer};
use rustc_hash::FxBuildHasher;

/// Codes (ISO 639-1) in the order of their numbers; the first stands for "unknown".
const CODES: [&str; 71] = [
    "und", "af", "am", "ar", "az", "be", "bg", "bn", "br", "ca", "cs", "da", "de", "el", "en",
    "eo", "es", "et", "eu", "fa", "fi", "fr", "ga", "gl", "gu", "ha", "he", "hi", "hr", "hu", "hy",
    "id", "it", "ja", "ka", "kk", "km", "ko", "ku", "la", "lo", "lt", "lv", "mk", "mr", "ms", "my",
    "ne", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "so", "sq", "sr", "st", "sv", "sw", "ta",
    "tg", "th", "tl", "tr", "uk", "ur", "vi", "zh",
];

/// A language by its number in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Language(u8);

struct Facts {
    stop_words: HashSet<&'static str, FxBuildHasher>,
    stemmer: Option<Stemmer>,
}

/// What is known of each language, once it is asked for.
static FACTS: [OnceLock<Facts>; CODES.len()] = [const { OnceLock::new() }; CODES.len()];

fn algorithm(code: &str) -> Option<Algorithm> {
    Some(match code {
        "ar" => Algorithm::Arabic,
        "ca" => Algorithm::Catalan,
        "cs" => Algorithm::Czech,
        "da" => Algorithm::Danish,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "en" => Algorithm::English,
        "eo" => Algorithm::Esperanto,
        "es" => Algorithm::Spanish,
        "et" => Algorithm::Estonian,
        "eu" => Algorithm::Basque,
        "fa" => Algorithm::Persian,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "ga" => Algorithm::Irish,
        "hi" => Algorithm::Hindi,
        "hu" => Algorithm::Hungarian,
        "hy" => Algorithm::Armenian,
        "id" => Algorithm::Indonesian,
        "it" => Algorithm::Italian,
        "lt" => Algorithm::Lithuanian,
        "ne" => Algorithm::Nepali,
        "nl" => Algorithm::Dutch,
        "no" => Algorithm::Norwegian,
        "pl" => Algorithm::Polish,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "sr" => Algorithm::Serbian,
        "st" => Algorithm::Sesotho,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        "uk" => Algorithm::Ukrainian,
        _ => return None,
    })
}

impl Language {
    /// No language, or one nothing is known about: no stop words, no stemmer.
    pub const UNKNOWN: Self = Self(0);

    /// The language of a code such as `en`, `en-GB`, `zh_Hant` or `nb`; unknown codes give
    /// [`Language::UNKNOWN`].
    pub fn from_code(code: &str) -> Self {
        let primary = code.split(['-', '_']).next().unwrap_or("").to_ascii_lowercase();
        let code = match primary.as_str() {
            "nb" | "nn" => "no",
            "iw" => "he",
            "in" => "id",
            "fil" => "tl",
            "cmn" | "yue" => "zh",
            other => other,
        };
        CODES.iter().position(|c| *c == code).map_or(Self::UNKNOWN, |n| Self(n as u8))
    }

    /// Every known language.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..CODES.len()).map(|n| Self(n as u8))
    }

    /// The code, `und` if unknown.
    pub fn code(self) -> &'static str {
        CODES[usize::from(self.0)]
    }

    /// The number, for packing.
    #[inline]
    pub fn number(self) -> u8 {
        self.0
    }

    /// Whether `I` and `ı`, `İ` and `i` belong together.
    pub fn has_dotless_i(self) -> bool {
        matches!(self.code(), "tr" | "az")
    }

    /// The stop words, in lower case.
    pub fn stop_words(self) -> &'static HashSet<&'static str, FxBuildHasher> {
        &self.facts().stop_words
    }

    /// The Snowball stemmer, where there is one.
    pub fn stemmer(self) -> Option<Stemmer> {
        self.facts().stemmer
    }

    fn facts(self) -> &'static Facts {
        FACTS[usize::from(self.0)].get_or_init(|| {
            let code = self.code();
            Facts {
                stop_words: stop_words::lookup(code).unwrap_or_default().iter().copied().collect(),
                stemmer: algorithm(code).map(Stemmer::new),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_found() {
        assert!(CODES[1..].is_sorted());
        for language in Language::all() {
            assert_eq!(Language::from_code(language.code()), language);
        }
    }

    #[test]
    fn regional_and_old_codes_are_understood() {
        assert_eq!(Language::from_code("en-GB").code(), "en");
        assert_eq!(Language::from_code("zh_Hant").code(), "zh");
        assert_eq!(Language::from_code("NB").code(), "no");
        assert_eq!(Language::from_code("tlh"), Language::UNKNOWN);
        assert_eq!(Language::from_code(""), Language::UNKNOWN);
    }

    #[test]
    fn every_stemmer_stems() {
        for language in Language::all() {
            if let Some(stemmer) = language.stemmer() {
                assert!(!stemmer.stem("information").is_empty(), "{}", language.code());
            }
        }
        let stem = Language::from_code("en").stemmer().map(|s| s.stem("contained").into_owned());
        assert_eq!(stem.as_deref(), Some("contain"));
    }
}
