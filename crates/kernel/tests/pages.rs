//! Pages are cut as html5gum cuts them, and on a small stack whatever they hold.

use std::convert::Infallible;

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Emitter, ForwardingEmitter, Span, State, Tokenizer};
use kernel::html;
use kernel::html::tokens::{self, Content, Handler};
use proptest::prelude::*;

/// What a page holds, as lines.
#[derive(Default)]
struct Record {
    lines: Vec<String>,
    /// The start tag that is being read: a page may end before it does.
    tag: Option<String>,
    name: String,
    is_foreign: bool,
}

impl Record {
    fn open(&mut self, name: &[u8]) {
        self.name = String::from_utf8_lossy(name).into_owned();
        self.tag = Some(format!("<{}", self.name));
    }

    fn add(&mut self, before: &str, part: &str) {
        if let Some(tag) = &mut self.tag {
            *tag += before;
            *tag += part;
        }
    }

    fn close(&mut self, self_closing: bool) -> Content {
        let tag = self.tag.take().unwrap_or_default();
        self.lines.push(format!("{tag}{}", if self_closing { "/>" } else { ">" }));
        self.is_foreign = self.name == "svg";
        match self.name.as_str() {
            "title" | "textarea" => Content::PlainText,
            "style" | "iframe" => Content::RawText,
            "script" => Content::Script,
            "plaintext" => Content::Rest,
            _ => Content::Markup,
        }
    }
}

impl Handler for Record {
    fn text(&mut self, text: &str) {
        self.lines.push(format!("text {text:?}"));
    }

    fn start_tag(&mut self, name: &[u8]) {
        self.open(name);
    }

    fn attribute(&mut self, name: &[u8]) -> bool {
        self.add(" ", &String::from_utf8_lossy(name));
        true
    }

    fn value(&mut self, value: &str) {
        self.add("=", &format!("{value:?}"));
    }

    fn end_of_start_tag(&mut self, self_closing: bool) -> Content {
        self.close(self_closing)
    }

    fn end_tag(&mut self, name: &[u8]) {
        self.lines.push(format!("</{}>", String::from_utf8_lossy(name)));
    }

    fn is_foreign(&self) -> bool {
        self.is_foreign
    }
}

/// The same from html5gum.
#[derive(Default)]
struct Theirs {
    record: Record,
    next: Option<State>,
}

impl Callback<Infallible, ()> for &mut Theirs {
    fn handle_event(&mut self, event: CallbackEvent<'_>, _: Span<()>) -> Option<Infallible> {
        let record = &mut self.record;
        match event {
            CallbackEvent::OpenStartTag { name } => record.open(name),
            CallbackEvent::AttributeName { name } => drop(record.attribute(name)),
            CallbackEvent::AttributeValue { value } => {
                record.value(&String::from_utf8_lossy(value));
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                self.next = match record.close(self_closing) {
                    Content::Markup => None,
                    Content::PlainText => Some(State::RcData),
                    Content::RawText => Some(State::RawText),
                    Content::Script => Some(State::ScriptData),
                    Content::Rest => Some(State::PlainText),
                };
            }
            CallbackEvent::EndTag { name } => record.end_tag(name),
            CallbackEvent::String { value } => record.text(&String::from_utf8_lossy(value)),
            _ => {}
        }
        None
    }
}

struct Steered<'a>(CallbackEmitter<&'a mut Theirs, Infallible>);

impl ForwardingEmitter for Steered<'_> {
    type Token = Infallible;

    fn inner(&mut self) -> &mut impl Emitter<Token = Infallible> {
        &mut self.0
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let _ = self.0.emit_current_tag();
        self.0.callback_mut().next.take()
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.0.callback_mut().record.is_foreign
    }
}

fn ours(page: &str) -> Vec<String> {
    let mut record = Record::default();
    tokens::read(page, &mut record);
    record.lines
}

fn theirs(page: &str) -> Vec<String> {
    let mut theirs = Theirs::default();
    let emitter = Steered(CallbackEmitter::new(&mut theirs));
    let Ok(()) = Tokenizer::new_with_emitter(page, emitter).finish();
    theirs.record.lines
}

/// What pages are made of, and what makes them go wrong.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "<", "</", "<!", "<!-", "<!--", "<!-->", "<!--->", "-", "--", "-->", "--!>", "!>", ">", "/>", "/",
    "<?", "<?xml ", "<!doctype html", " PUBLIC \"", "<![CDATA[", "<![cdata[", "]", "]]", "]]>", "]]]>",
    "<p", "<p>", "</p>", "</p ", "</>", "<b a", "<a href", "=", "==", " = ", "\"", "'", " ", "\t", "\n",
    "\r", "\r\n", "\u{c}", "\0", "x", "X=1", "oil", "é", "長", "\u{85}", "\u{a0}", "<é", "</é", "<1", "<P\0Q>",
    "<script>", "</script>", "</script ", "</SCRIPT/", "</scrip", "<script", "<script ", "<scripts>",
    "<title>", "</title>", "</titles>", "</title", "<textarea>", "</textarea>", "<style>", "</style>",
    "<iframe>", "</iframe>", "<svg>", "<div>", "<PLAINTEXT>", "<br/>", "<br / >",
    "&", "&amp;", "&amp", "&AMP", "&lt;", "&lt", "&notin;", "&notit;", "&not", "&copy", "&copy=", "&copyx",
    "&nosuch;", "&a", "&#", "&#x", "&#X41;", "&#65", "&#0;", "&#128;", "&#x99", "&#xd800;", "&#13;",
    "&#99999999999;", "&#x110000;", "&fjlig;", "&NotEqualTilde;", "&CounterClockwiseContourIntegral;",
    "&CounterClockwiseContourIntegralX", "#", ";", "1", "&nbsp;", "&quot;", "&apos;", "&ThickSpace;",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn pages_are_cut_as_html5gum_cuts_them(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24)
    ) {
        let page = pieces.concat();
        prop_assert_eq!(ours(&page), theirs(&page), "{:?}", page);
    }

    #[test]
    fn references_are_those_of_html5gum(
        name in "[#]?[xX]?[a-zA-Z0-9]{0,8}", after in "[;=&a-z <]{0,2}"
    ) {
        for page in [format!("&{name}{after}"), format!("<a b='&{name}{after}' c=&{name}{after}>")] {
            prop_assert_eq!(ours(&page), theirs(&page), "{:?}", page);
        }
    }
}

/// Parts that are repeated in one page, what stands before and what stands behind them.
const LONG: &[(&str, &str, &str)] = &[
    ("<p ", "a=\"b\" ", ">"),
    ("<p ", "a='b'", ">"),
    ("<p ", "a=b ", ">"),
    ("<p ", "a ", ">"),
    ("<p ", "/", ">"),
    ("<p ", "=", ">"),
    ("<p ", "a=\"b\" ", ""),
    ("<p a=\"", "&amp;", "\">"),
    ("<p a=\"", "&copy=", "\">"),
    ("<", "p", ">"),
    ("</p ", "a=\"b\" ", ">"),
    ("", "<div>", "x"),
    ("", "<div>", "</div>"),
    ("", "<b>", "x"),
    ("", "<table><tr><td>", "x"),
    ("", "<ul><li>", "x"),
    ("", "<h1>x</h1><h2>x</h2>", ""),
    ("", "<blockquote>x", ""),
    ("", "<dl><dt>x<dd>", "x"),
    ("", "<svg><desc>", "x"),
    ("", "<a href=x>x", ""),
    ("&", "a", ";"),
    ("&#", "9", ";"),
    ("&#x", "0", "41;"),
    ("", "&", ""),
    ("", "&a", ""),
    ("", "&not;", ""),
    ("<!--", "-", ""),
    ("<!--", "--!", "-->"),
    ("<!--", "<!--", "-->"),
    ("", "<!-->", ""),
    ("<!doctype ", "x\" PUBLIC '", ">"),
    ("", "<!doctype html>", ""),
    ("<svg>", "<![CDATA[x]]>", ""),
    ("<svg><![CDATA[", "]", "]]>"),
    ("", "</>", ""),
    ("", "<", ""),
    ("", "</", ""),
    ("<script>", "<!--", "</script>"),
    ("<script>", "<!--<script>", "</script>"),
    ("<script>", "</script", "</script>"),
    ("<script>", "<!-- --><script></script", ""),
    ("", "<script></script>", ""),
    ("<title>", "</titl", ""),
    ("<title>", "&amp;</", "</title>"),
    ("", "<title>", "</title>"),
    ("<style>", "</", ""),
    ("<plaintext>", "</plaintext>", ""),
    ("", "\r", "\n"),
    ("", "\0", ""),
];

#[test]
fn no_page_takes_more_than_a_small_stack() {
    const SIZE: usize = 500_000;
    let read = || {
        for (before, part, after) in LONG {
            let page = format!("{before}{}{after}", part.repeat(SIZE / part.len()));
            let found = html::read(&page);
            let (marks, paths) = (found.marks(), found.paths());
            assert_eq!((marks.len(), paths.len()), (found.nodes.len(), found.nodes.len()));
        }
    };
    let thread = std::thread::Builder::new().stack_size(64 << 10).spawn(read);
    thread.expect("a thread").join().expect("no page breaks the reader");
}
