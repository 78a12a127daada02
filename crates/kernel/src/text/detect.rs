//! Which language a text is in.
//!
//! Common words decide most texts in a few microseconds; where they do not, `whatlang` does.

use std::sync::LazyLock;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use whatlang::Lang;

use super::language::Language;
use super::profile::Joiner;
use super::words::words;

/// How much of a text is looked at.
const SAMPLE: usize = 800;

/// With so many known words, a language that clearly prevails is taken at once.
const MANY: usize = 8;

/// With so many in the first half of what is looked at, and three for each one of any other language, the
/// second half is not needed.
const PLENTY: usize = 16;

/// The languages whose stop words are few and telling; close relatives are left to `whatlang`.
const BY_STOP_WORDS: [&str; 14] =
    ["cs", "de", "en", "es", "fi", "fr", "hu", "it", "nl", "pl", "pt", "ro", "ru", "tr"];

/// A byte for each language of [`BY_STOP_WORDS`]; 1 where a word belongs to it.
type Hits = u128;

/// For each stop word the languages it belongs to.
struct StopWords {
    /// Those of ASCII, by their bytes: as many as fit into a number.
    short: HashMap<u128, Hits, FxBuildHasher>,
    others: HashMap<&'static str, Hits, FxBuildHasher>,
}

static STOP_WORDS: LazyLock<StopWords> = LazyLock::new(|| {
    let mut index = StopWords { short: HashMap::default(), others: HashMap::default() };
    for (n, code) in BY_STOP_WORDS.iter().enumerate() {
        for word in Language::from_code(code).stop_words() {
            let hits = match packed(word.as_bytes()) {
                Some(packed) => index.short.entry(packed).or_insert(0),
                None => index.others.entry(*word).or_insert(0),
            };
            *hits |= 1 << (8 * n);
        }
    }
    index
});

impl StopWords {
    fn languages_of(&self, word: &str, lower: &mut String) -> Hits {
        if let Some(packed) = packed(word.as_bytes()) {
            return self.short.get(&packed).copied().unwrap_or(0);
        }
        lower.clear();
        lower.extend(word.chars().flat_map(char::to_lowercase));
        let found = match packed(lower.as_bytes()) {
            Some(packed) => self.short.get(&packed),
            None => self.others.get(lower.as_str()),
        };
        found.copied().unwrap_or(0)
    }
}

/// The bytes of a short word of ASCII with small letters, as a number.
#[inline]
fn packed(word: &[u8]) -> Option<u128> {
    let mut bytes = [0; 16];
    bytes.get_mut(..word.len())?.copy_from_slice(word);
    // What else than letters this changes is in no stop word.
    let packed = u128::from_le_bytes(bytes);
    (packed & u128::from_le_bytes([0x80; 16]) == 0)
        .then_some(packed | u128::from_le_bytes([0x20; 16]))
}

/// The language of a text, [`Language::UNKNOWN`] if it cannot be told.
pub fn detect(text: &str) -> Language {
    let sample = &text[..text.floor_char_boundary(SAMPLE)];
    let half = &sample[..sample.floor_char_boundary(SAMPLE / 2)];
    let (first, second) = sample.split_at(half.rfind(char::is_whitespace).unwrap_or(0));
    let mut hits = Counts::default();
    hits.count(first);
    if let Some(language) = hits.language(PLENTY, (1, 3)) {
        return language;
    }
    hits.count(second);
    hits.language(MANY, (3, 5))
        .or_else(|| by_letters(sample))
        .or_else(|| by_telling_letters(sample))
        .or_else(|| hits.language(1, (3, 5)))
        .or_else(|| among(sample, &hits.close()))
        .unwrap_or(Language::UNKNOWN)
}

/// How many stop words of each language a text has.
#[derive(Default)]
struct Counts([usize; BY_STOP_WORDS.len()]);

impl Counts {
    fn count(&mut self, sample: &str) {
        let (index, mut lower) = (&*STOP_WORDS, String::new());
        let (mut hits, mut room) = (0, u8::MAX);
        words(sample, 0, sample.len(), Joiner::Keep, |start, end| {
            hits += index.languages_of(&sample[start..end], &mut lower);
            room -= 1;
            if room == 0 {
                self.add(std::mem::take(&mut hits));
                room = u8::MAX;
            }
        });
        self.add(hits);
    }

    fn add(&mut self, hits: Hits) {
        self.0
            .iter_mut()
            .zip(hits.to_le_bytes())
            .for_each(|(count, hits)| *count += usize::from(hits));
    }

    /// The language that prevails: at least so many stop words, and no other has more than some for
    /// so many of its own.
    fn language(&self, least: usize, (others, own): (usize, usize)) -> Option<Language> {
        let hits = &self.0;
        let best = (0..hits.len()).max_by_key(|&n| hits[n])?;
        let second = (0..hits.len()).filter(|&n| n != best).map(|n| hits[n]).max()?;
        let clear = hits[best] >= least && second * own <= hits[best] * others;
        clear.then(|| Language::from_code(BY_STOP_WORDS[best]))
    }

    /// The languages with more than 3 stop words for 5 of the one with most.
    fn close(&self) -> Vec<Language> {
        let most = self.0.iter().max().copied().unwrap_or(0);
        let close = |n: &usize| most > 0 && self.0[*n] * 5 > most * 3;
        let language = |n: usize| Language::from_code(BY_STOP_WORDS[n]);
        (0..BY_STOP_WORDS.len()).filter(close).map(language).collect()
    }
}

/// The language whose letters no other of its script has.
fn by_telling_letters(sample: &str) -> Option<Language> {
    let code = sample.chars().find_map(|c| match c {
        'ə' | 'Ə' => Some("az"),
        'ğ' | 'Ğ' | 'ı' | 'İ' => Some("tr"),
        'ß' => Some("de"),
        'ñ' | '¿' | '¡' => Some("es"),
        'ã' | 'õ' => Some("pt"),
        'ł' | 'ę' => Some("pl"),
        'ř' | 'ů' => Some("cs"),
        'ő' | 'ű' => Some("hu"),
        'ы' | 'э' => Some("ru"),
        'ї' | 'є' => Some("uk"),
        _ => None,
    });
    code.map(Language::from_code)
}

/// The likeliest of some languages, by letters.
fn among(sample: &str, languages: &[Language]) -> Option<Language> {
    let known = |lang: &Lang| languages.contains(&Language::from_code(two_letters(lang.code())));
    let allowed: Vec<Lang> = Lang::all().iter().copied().filter(known).collect();
    if allowed.is_empty() {
        return None;
    }
    let found = whatlang::Detector::with_allowlist(allowed).detect_lang(sample)?;
    Some(Language::from_code(two_letters(found.code())))
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
