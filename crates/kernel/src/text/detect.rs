//! Which language a text is in.
//!
//! Common words decide most texts in a few microseconds; where they do not, `whatlang` does.

use std::sync::LazyLock;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::language::Language;
use super::profile::Joiner;
use super::words::words;

/// How much of a text is looked at.
const SAMPLE: usize = 800;

/// Fewer known words than this prove nothing.
const MIN_HITS: usize = 8;

/// The languages whose stop words are few and telling; close relatives are left to `whatlang`.
const BY_STOP_WORDS: [&str; 14] =
    ["cs", "de", "en", "es", "fi", "fr", "hu", "it", "nl", "pl", "pt", "ro", "ru", "tr"];

/// For each stop word the languages it belongs to, as bits in the order of [`BY_STOP_WORDS`].
static STOP_WORDS: LazyLock<HashMap<&'static str, u32, FxBuildHasher>> = LazyLock::new(|| {
    let mut index = HashMap::default();
    for (n, code) in BY_STOP_WORDS.iter().enumerate() {
        for word in Language::from_code(code).stop_words() {
            *index.entry(*word).or_insert(0) |= 1 << n;
        }
    }
    index
});

/// The language of a text, [`Language::UNKNOWN`] if it cannot be told.
pub fn detect(text: &str) -> Language {
    let sample = &text[..text.floor_char_boundary(SAMPLE)];
    by_stop_words(sample).or_else(|| by_letters(sample)).unwrap_or(Language::UNKNOWN)
}

/// The language whose stop words clearly prevail.
fn by_stop_words(sample: &str) -> Option<Language> {
    let mut hits = [0_usize; BY_STOP_WORDS.len()];
    let mut lower = String::new();
    words(sample, 0, sample.len(), Joiner::Keep, |start, end| {
        let word = &sample[start..end];
        lower.clear();
        if word.is_ascii() {
            lower.push_str(word);
            lower.make_ascii_lowercase();
        } else {
            lower.extend(word.chars().flat_map(char::to_lowercase));
        }
        let mut languages = STOP_WORDS.get(lower.as_str()).copied().unwrap_or(0);
        while languages != 0 {
            hits[languages.trailing_zeros() as usize] += 1;
            languages &= languages - 1;
        }
    });
    let best = (0..hits.len()).max_by_key(|&n| hits[n])?;
    let second = (0..hits.len()).filter(|&n| n != best).map(|n| hits[n]).max()?;
    let clear = hits[best] >= MIN_HITS && second * 5 <= hits[best] * 3;
    clear.then(|| Language::from_code(BY_STOP_WORDS[best]))
}

fn by_letters(sample: &str) -> Option<Language> {
    let found = whatlang::detect(sample).filter(whatlang::Info::is_reliable)?;
    Some(Language::from_code(two_letters(found.lang().code())))
}

/// ISO 639-3 to 639-1, for what `whatlang` can answer.
fn two_letters(code: &str) -> &str {
    const CODES: [(&str, &str); 62] = [
        ("afr", "af"),
        ("amh", "am"),
        ("ara", "ar"),
        ("aze", "az"),
        ("bel", "be"),
        ("ben", "bn"),
        ("bul", "bg"),
        ("cat", "ca"),
        ("ces", "cs"),
        ("cmn", "zh"),
        ("dan", "da"),
        ("deu", "de"),
        ("ell", "el"),
        ("eng", "en"),
        ("epo", "eo"),
        ("est", "et"),
        ("fin", "fi"),
        ("fra", "fr"),
        ("guj", "gu"),
        ("heb", "he"),
        ("hin", "hi"),
        ("hrv", "hr"),
        ("hun", "hu"),
        ("hye", "hy"),
        ("ind", "id"),
        ("ita", "it"),
        ("jpn", "ja"),
        ("kat", "ka"),
        ("khm", "km"),
        ("kor", "ko"),
        ("lat", "la"),
        ("lav", "lv"),
        ("lit", "lt"),
        ("mar", "mr"),
        ("mkd", "mk"),
        ("mya", "my"),
        ("nep", "ne"),
        ("nld", "nl"),
        ("nob", "no"),
        ("pes", "fa"),
        ("pol", "pl"),
        ("por", "pt"),
        ("ron", "ro"),
        ("rus", "ru"),
        ("slk", "sk"),
        ("slv", "sl"),
        ("spa", "es"),
        ("srp", "sr"),
        ("swe", "sv"),
        ("tam", "ta"),
        ("tgl", "tl"),
        ("tha", "th"),
        ("tur", "tr"),
        ("ukr", "uk"),
        ("urd", "ur"),
        ("uzb", "uz"),
        ("vie", "vi"),
        ("zul", "zu"),
        ("jav", "jv"),
        ("cym", "cy"),
        ("tel", "te"),
        ("pan", "pa"),
    ];
    CODES.iter().find(|(three, _)| *three == code).map_or("und", |(_, two)| two)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_apart() {
        for (code, text) in [
            (
                "en",
                "The council said on Tuesday that it would not pay for the repairs of the bridge, which was closed in May after the flood.",
            ),
            (
                "tr",
                "Belediye salı günü yaptığı açıklamada köprünün onarımı için para ödemeyeceğini ve bu konuda daha çok bilgi verileceğini söyledi.",
            ),
            (
                "de",
                "Der Rat teilte am Dienstag mit, dass er für die Reparatur der Brücke nicht zahlen werde, die im Mai nach der Flut gesperrt wurde.",
            ),
            (
                "fr",
                "Le conseil a déclaré mardi qu'il ne paierait pas les réparations du pont, qui a été fermé en mai après les inondations.",
            ),
            (
                "sv",
                "Rådet sade på tisdagen att det inte skulle betala för reparationen av bron, som stängdes i maj efter översvämningen.",
            ),
            ("zh", "市议会星期二表示，不会支付五月洪水后关闭的大桥的维修费用。"),
            ("ja", "市議会は火曜日、五月の洪水の後に閉鎖された橋の修理費を払わないと述べた。"),
            ("th", "สภาเมืองกล่าวเมื่อวันอังคารว่าจะไม่จ่ายค่าซ่อมสะพาน"),
            (
                "ru",
                "Совет заявил во вторник, что он не будет платить за ремонт моста, который был закрыт в мае после наводнения.",
            ),
            (
                "el",
                "Το συμβούλιο δήλωσε την Τρίτη ότι δεν θα πληρώσει για την επισκευή της γέφυρας.",
            ),
        ] {
            assert_eq!(detect(text).code(), code);
        }
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        for text in ["", "   ", "123 456", "\u{0}\u{1}", "🙂🙂"] {
            assert_eq!(detect(text), Language::UNKNOWN, "{text:?}");
        }
    }
}
