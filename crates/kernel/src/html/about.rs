//! What a page says of itself, as it says it: title, language, address, dates, labels.

use memchr::memmem;

/// More meta tags than this are mischief.
const MANY: usize = 1000;
/// A longer value is no title, date or address.
const LONG: usize = 2000;

/// What the start tags, the title and the linked data of a page tell.
#[derive(Default, Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The first title.
    pub title: Option<String>,
    /// The language of the root element.
    pub language: Option<String>,
    /// The address the page gives as its own.
    pub canonical: Option<String>,
    /// Keys in lower case and contents of meta tags.
    pub meta: Vec<(String, String)>,
    /// The date of publication in a script: linked data.
    pub linked_date: Option<String>,
    /// The machine-readable dates of `time` elements: those marked as the date of publication
    /// first, then those of an article, then others.
    pub times: [Option<String>; 3],
}

/// The attributes that the reader looks at.
#[derive(Default)]
pub struct Attributes {
    /// Names and values, the first of each name.
    found: Vec<(&'static str, String)>,
    /// The attribute whose value is being read.
    open: Option<usize>,
}

const WANTED: [&str; 15] = [
    "hidden", "style", "role", "lang", "xml:lang", "property", "name", "itemprop", "content",
    "rel", "href", "datetime", "pubdate", "colspan", "rowspan",
];

impl Attributes {
    /// Forget everything.
    pub fn clear(&mut self) {
        self.found.clear();
        self.open = None;
    }

    /// An attribute begins; tell whether its value is looked at.
    pub fn name(&mut self, name: &[u8]) -> bool {
        self.open = None;
        if !(3..=8).contains(&name.len()) {
            return false;
        }
        let wanted = WANTED.iter().find(|wanted| wanted.as_bytes() == name);
        if let Some(wanted) = wanted
            && self.get(wanted).is_none()
        {
            self.open = Some(self.found.len());
            self.found.push((wanted, String::new()));
        }
        self.open.is_some()
    }

    /// The value of the attribute that began last.
    pub fn value(&mut self, value: &str) {
        if let Some(at) = self.open.take() {
            value.clone_into(&mut self.found[at].1);
        }
    }

    /// The value of an attribute, empty where it has none.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.found.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    fn filled(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    /// Whether an element and all inside it is not shown.
    pub fn hide(&self) -> bool {
        self.get("hidden").is_some() || self.get("style").is_some_and(is_hiding)
    }
}

/// Whether a style hides: `display: none` or `visibility: hidden`.
fn is_hiding(style: &str) -> bool {
    let plain: Vec<u8> = style
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|byte| byte.to_ascii_lowercase())
        .collect();
    memmem::find(&plain, b"display:none").is_some()
        || memmem::find(&plain, b"visibility:hidden").is_some()
}

impl About {
    /// Look at a `meta` element.
    pub fn meta(&mut self, attributes: &Attributes) {
        let key = ["property", "name", "itemprop"].iter().find_map(|name| attributes.filled(name));
        if let (Some(key), Some(content)) = (key, attributes.filled("content"))
            && self.meta.len() < MANY
        {
            let key = cut(key.trim(), 100).to_lowercase();
            self.meta.push((key, cut(content.trim(), LONG).to_owned()));
        }
    }

    /// Look at a `link` element.
    pub fn link(&mut self, attributes: &Attributes) {
        let is_canonical =
            attributes.get("rel").is_some_and(|rel| rel.trim().eq_ignore_ascii_case("canonical"));
        if is_canonical && self.canonical.is_none() {
            self.canonical = attributes.filled("href").map(|url| cut(url, LONG).to_owned());
        }
    }

    /// Look at the root element.
    pub fn html(&mut self, attributes: &Attributes) {
        if self.language.is_none() {
            let found = attributes.filled("lang").or_else(|| attributes.filled("xml:lang"));
            self.language =
                found.map(|code| cut(code.trim(), 35).to_owned()).filter(|c| !c.is_empty());
        }
    }

    /// Look at a `time` element.
    pub fn time(&mut self, attributes: &Attributes, in_article: bool) {
        let Some(value) = attributes.filled("datetime") else { return };
        let is_marked = attributes.get("pubdate").is_some()
            || attributes.get("itemprop").is_some_and(|name| name.contains("datePublished"));
        let place = if is_marked { 0 } else { 1 + usize::from(!in_article) };
        self.times[place].get_or_insert_with(|| cut(value.trim(), 100).to_owned());
    }

    /// Look at the content of a `title` element.
    pub fn titled(&mut self, title: &str) {
        if self.title.is_none() {
            let words: Vec<&str> = title.split_whitespace().collect();
            self.title = Some(words.join(" ")).filter(|title| !title.is_empty());
        }
    }

    /// Look at the content of a script.
    pub fn script(&mut self, content: &str) {
        if self.linked_date.is_none() {
            self.linked_date = linked_date(content).map(str::to_owned);
        }
    }
}

/// The value of `"datePublished" : "…"`, the first that is there.
fn linked_date(content: &str) -> Option<&str> {
    const KEY: &str = "\"datePublished\"";
    let found = memmem::find_iter(content.as_bytes(), KEY.as_bytes());
    found.take(MANY).find_map(|at| {
        let rest = content[at + KEY.len()..].trim_start().strip_prefix(':')?;
        let value = rest.trim_start().strip_prefix('"')?;
        let end = memchr::memchr(b'"', &value.as_bytes()[..value.len().min(41)])?;
        (end >= 4).then(|| &value[..end])
    })
}

fn cut(text: &str, longest: usize) -> &str {
    &text[..text.floor_char_boundary(longest)]
}
