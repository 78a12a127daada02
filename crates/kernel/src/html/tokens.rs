//! A page cut into tags and texts, by the states of the HTML standard, in one loop.
//!
//! Nothing here calls itself, and what is kept between two steps is a position in the page and the
//! text that was read so far: no number of attributes, no depth, no length of anything takes more
//! stack than any other. What a state of the standard consumes one character at a time is found
//! by searching where the next state begins, and each search starts where the last one ended, so
//! that time grows with the length of the page.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memchr3, memmem};

use super::references;

/// What may follow a start tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// Text, character references and tags.
    Markup,
    /// Text and character references up to the end tag (`title`): "RCDATA".
    PlainText,
    /// Text up to the end tag (`style`): "RAWTEXT".
    RawText,
    /// The same with the comments of scripts.
    Script,
    /// Text to the end of the page.
    Rest,
}

/// Takes what a page holds, in the order of the page.
pub trait Handler {
    /// All characters between two tags, comments or declarations; never none.
    fn text(&mut self, text: &str);
    /// A start tag begins; its name in lower case.
    fn start_tag(&mut self, name: &[u8]);
    /// An attribute of the start tag; tell whether its value is wanted.
    fn attribute(&mut self, name: &[u8]) -> bool;
    /// The value of the last attribute, where it was wanted; never empty.
    fn value(&mut self, value: &str);
    /// The start tag ends; tell what follows it.
    fn end_of_start_tag(&mut self, self_closing: bool) -> Content;
    /// An end tag; its name in lower case.
    fn end_tag(&mut self, name: &[u8]);
    /// Whether the open element belongs to a picture or a formula, where `<![CDATA[` means text.
    fn is_foreign(&self) -> bool;
}

/// Hand the content of a page to a handler.
pub fn read(page: &str, handler: &mut impl Handler) {
    let mut tokens = Tokens { page, at: 0, text: String::new(), name: Vec::new(), handler };
    let mut content = Content::Markup;
    while tokens.at < page.len() {
        content = match content {
            Content::Markup => tokens.markup(),
            Content::PlainText | Content::RawText => tokens.raw_text(content),
            Content::Script => tokens.script(),
            Content::Rest => tokens.rest(),
        };
    }
    tokens.flush("", Kind::Raw);
}

struct Tokens<'a, H> {
    page: &'a str,
    /// What comes next.
    at: usize,
    /// Text that was read and not handed on, because more may follow that belongs to it.
    text: String,
    /// The name of the tag that was read last, in lower case.
    name: Vec<u8>,
    handler: &'a mut H,
}

/// How characters of the page stand for characters of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// With references; zeros stay.
    Markup,
    /// With references; zeros are replaced.
    PlainText,
    /// In attributes, references without a semicolon end before what goes on like a name.
    Value,
    /// As they stand; zeros are replaced.
    Raw,
    /// As they stand, zeros too.
    Verbatim,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}

impl<'a, H: Handler> Tokens<'a, H> {
    fn bytes(&self) -> &'a [u8] {
        self.page.as_bytes()
    }

    /// The byte at a place; nothing at the end.
    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes().get(at).copied()
    }

    /// Where the first byte is, from a place on, for which something holds; else the end.
    fn find(&self, from: usize, is: impl Fn(u8) -> bool) -> usize {
        let found = self.bytes()[from..].iter().position(|&byte| is(byte));
        found.map_or(self.page.len(), |n| from + n)
    }

    /// What lies behind the next `>`; else the end.
    fn behind_bracket(&self, from: usize) -> usize {
        memchr(b'>', &self.bytes()[from..]).map_or(self.page.len(), |n| from + n + 1)
    }

    /// Hand on the text so far and a piece that ends it.
    fn flush(&mut self, piece: &str, kind: Kind) {
        let piece = decoded(piece, kind);
        if self.text.is_empty() {
            if !piece.is_empty() {
                self.handler.text(&piece);
            }
        } else {
            self.text.push_str(&piece);
            self.handler.text(&self.text);
            self.text.clear();
        }
    }

    /// Text and tags ("data state"), up to where other content begins.
    fn markup(&mut self) -> Content {
        let page = self.page;
        // Where the text begins that was not handed on.
        let mut from = self.at;
        while let Some(n) = memchr(b'<', &self.bytes()[self.at..]) {
            let at = self.at + n;
            let text = &page[from..at];
            match (self.byte(at + 1), self.byte(at + 2)) {
                (Some(b'/'), Some(byte)) if byte.is_ascii_alphabetic() => {
                    self.flush(text, Kind::Markup);
                    self.at = at + 2;
                    self.end_tag();
                }
                (Some(b'/'), Some(b'>')) => {
                    self.text.push_str(&decoded(text, Kind::Markup));
                    self.at = at + 3;
                }
                (Some(byte), _) if byte.is_ascii_alphabetic() => {
                    self.flush(text, Kind::Markup);
                    self.at = at + 1;
                    let content = self.start_tag();
                    if content != Content::Markup {
                        return content;
                    }
                }
                (Some(b'!'), _) if self.bytes()[at + 2..].starts_with(b"--") => {
                    self.flush(text, Kind::Markup);
                    self.at = self.behind_comment(at + 4);
                }
                (Some(b'!'), _)
                    if self.bytes()[at + 2..].starts_with(b"[CDATA[")
                        && self.handler.is_foreign() =>
                {
                    self.text.push_str(&decoded(text, Kind::Markup));
                    let start = at + "<![CDATA[".len();
                    let found = memmem::find(&self.bytes()[start..], b"]]>");
                    let end = found.map_or(page.len(), |n| start + n);
                    self.text.push_str(&decoded(&page[start..end], Kind::Verbatim));
                    self.at = found.map_or(end, |_| end + 3);
                }
                // A declaration or an instruction, or something that is taken for a comment.
                (Some(b'!' | b'?'), _) | (Some(b'/'), Some(_)) => {
                    self.flush(text, Kind::Markup);
                    self.at = self.behind_bracket(at + 2);
                }
                _ => {
                    self.at = at + 1;
                    continue; // no tag, but text
                }
            }
            from = self.at;
        }
        self.flush(&page[from..], Kind::Markup);
        self.at = page.len();
        Content::Markup
    }

    /// Where a comment ends whose content begins at a place.
    fn behind_comment(&self, from: usize) -> usize {
        let rest = &self.bytes()[from..];
        for short in [&b">"[..], b"->"] {
            if rest.starts_with(short) {
                return from + short.len();
            }
        }
        let mut at = from;
        while let Some(n) = memchr(b'-', &self.bytes()[at..]) {
            let start = at + n;
            at = self.find(start, |byte| byte != b'-');
            let behind = &self.bytes()[at..];
            if at - start >= 2 && (behind.starts_with(b">") || behind.starts_with(b"!>")) {
                return self.behind_bracket(at);
            }
        }
        self.page.len()
    }

    /// Read the name of a tag.
    fn tag_name(&mut self) {
        let end = self.find(self.at, ends_name);
        lowered(&self.bytes()[self.at..end], &mut self.name);
        self.at = end;
    }

    /// Read a start tag from its name on. Nothing follows one that is not ended.
    fn start_tag(&mut self) -> Content {
        self.tag_name();
        self.handler.start_tag(&self.name);
        let Some(self_closing) = self.attributes(true) else {
            self.at = self.page.len();
            return Content::Markup;
        };
        self.handler.end_of_start_tag(self_closing)
    }

    /// Read an end tag from its name on.
    fn end_tag(&mut self) {
        self.tag_name();
        if self.attributes(false).is_some() {
            self.handler.end_tag(&self.name);
        } else {
            self.at = self.page.len();
        }
    }

    /// Read what stands in a tag behind its name, and its end; tell whether that was `/>`. Nothing
    /// where the page ends before.
    fn attributes(&mut self, are_wanted: bool) -> Option<bool> {
        let mut name = Vec::new();
        loop {
            self.at = self.find(self.at, |byte| !is_space(byte));
            match self.byte(self.at)? {
                b'>' => {
                    self.at += 1;
                    return Some(false);
                }
                b'/' => {
                    self.at += 1;
                    if self.byte(self.at) == Some(b'>') {
                        self.at += 1;
                        return Some(true);
                    }
                    continue;
                }
                _ => {}
            }
            // The first character belongs to the name even if it is `=`.
            let end = self.find(self.at + 1, |byte| ends_name(byte) || byte == b'=');
            lowered(&self.bytes()[self.at..end], &mut name);
            self.at = self.find(end, |byte| !is_space(byte));
            let is_wanted = are_wanted && self.handler.attribute(&name);
            if self.byte(self.at)? != b'=' {
                continue;
            }
            self.at = self.find(self.at + 1, |byte| !is_space(byte));
            let (start, end) = match self.byte(self.at)? {
                b'>' => continue,
                quote @ (b'"' | b'\'') => {
                    let start = self.at + 1;
                    let end = start + memchr(quote, &self.bytes()[start..])?;
                    self.at = end + 1;
                    (start, end)
                }
                _ => {
                    let end = self.find(self.at, |byte| is_space(byte) || byte == b'>');
                    (std::mem::replace(&mut self.at, end), end)
                }
            };
            if is_wanted && start < end {
                self.handler.value(&decoded(&self.page[start..end], Kind::Value));
            }
        }
    }

    /// Whether the end tag of the element that was opened last begins at a place: behind `</`.
    fn ends_here(&self, at: usize) -> bool {
        let end = at + self.name.len();
        self.bytes().get(at..end).is_some_and(|name| name.eq_ignore_ascii_case(&self.name))
            && self.byte(end).is_some_and(ends_name)
    }

    /// Hand on the text of an element up to its end tag, and read this.
    fn end_of_text(&mut self, text: &str, kind: Kind, name: usize) -> Content {
        self.flush(text, kind);
        self.at = name;
        self.end_tag();
        Content::Markup
    }

    /// Text up to the end tag of the element that holds it.
    fn raw_text(&mut self, content: Content) -> Content {
        let kind = if content == Content::PlainText { Kind::PlainText } else { Kind::Raw };
        let page = self.page;
        let mut found = memmem::find_iter(&self.bytes()[self.at..], b"</");
        let start = self.at;
        if let Some(n) = found.find(|n| self.ends_here(start + n + 2)) {
            return self.end_of_text(&page[start..start + n], kind, start + n + 2);
        }
        self.flush(&page[start..], kind);
        self.at = page.len();
        content
    }

    /// The text of a script. In `<!-- ... -->` an inner `<script>` has an end tag of its own.
    fn script(&mut self) -> Content {
        let page = self.page;
        let start = self.at;
        let mut at = start;
        let (mut in_comment, mut in_inner) = (false, false);
        while let Some(n) = memchr2(b'<', b'-', &self.bytes()[at..]) {
            at += n;
            let rest = &self.bytes()[at..];
            if rest[0] == b'-' {
                if in_comment && rest.starts_with(b"-->") {
                    (in_comment, in_inner) = (false, false);
                }
                at += 1;
            } else if rest.starts_with(b"</") {
                if in_inner {
                    in_inner = !names_script(&rest[2..]);
                } else if self.ends_here(at + 2) {
                    return self.end_of_text(&page[start..at], Kind::Raw, at + 2);
                }
                at += 2;
            } else if !in_comment && rest.starts_with(b"<!--") {
                in_comment = true;
                at += 2; // its hyphens may be those of its end
            } else {
                in_inner |= in_comment && names_script(&rest[1..]);
                at += 1;
            }
        }
        self.flush(&page[start..], Kind::Raw);
        self.at = page.len();
        Content::Script
    }

    /// Text to the end of the page.
    fn rest(&mut self) -> Content {
        self.flush(&self.page[self.at..], Kind::Raw);
        self.at = self.page.len();
        Content::Rest
    }
}

/// Whether the name `script` and its end come next.
fn names_script(rest: &[u8]) -> bool {
    const NAME: &[u8] = b"script";
    rest.get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME))
        && rest.get(NAME.len()).copied().is_some_and(ends_name)
}

/// Write a name in lower case in place of another.
fn lowered(name: &[u8], into: &mut Vec<u8>) {
    into.clear();
    if memchr(0, name).is_none() {
        into.extend(name.iter().map(u8::to_ascii_lowercase));
    } else {
        for &byte in name {
            match byte {
                0 => into.extend("\u{fffd}".as_bytes()),
                _ => into.push(byte.to_ascii_lowercase()),
            }
        }
    }
}

/// A piece of the page as text: references, line ends and zeros as the standard has them.
fn decoded(piece: &str, kind: Kind) -> Cow<'_, str> {
    let with_references = matches!(kind, Kind::Markup | Kind::PlainText | Kind::Value);
    let with_zeros = matches!(kind, Kind::Markup | Kind::Verbatim);
    let next = |rest: &str| match (with_references, with_zeros) {
        (true, true) => memchr2(b'&', b'\r', rest.as_bytes()),
        (true, false) => memchr3(b'&', b'\r', 0, rest.as_bytes()),
        (false, true) => memchr(b'\r', rest.as_bytes()),
        (false, false) => memchr2(b'\r', 0, rest.as_bytes()),
    };
    let Some(mut n) = next(piece) else { return Cow::Borrowed(piece) };
    let mut text = String::with_capacity(piece.len());
    let mut rest = piece;
    loop {
        text.push_str(&rest[..n]);
        rest = &rest[n..];
        let length = match rest.as_bytes()[0] {
            b'&' => references::push(rest, kind == Kind::Value, &mut text),
            b'\r' => {
                text.push('\n');
                1 + usize::from(rest.as_bytes().get(1) == Some(&b'\n'))
            }
            _ => {
                text.push('\u{fffd}');
                1
            }
        };
        rest = &rest[length..];
        let Some(found) = next(rest) else { break };
        n = found;
    }
    text.push_str(rest);
    Cow::Owned(text)
}
