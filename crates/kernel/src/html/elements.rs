//! The elements of HTML: what each does to the text, to open elements, and to the hierarchy.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// Stands on lines of its own.
pub const BLOCK: u32 = 1;
/// Stands beside others in a row of a table.
pub const CELL: u32 = 1 << 1;
/// Stands in a line like a word of its own, and so parts the words beside it.
pub const PIECE: u32 = 1 << 2;
/// Its content is no text of the page: code, form fields, a substitute for a picture.
pub const UNSEEN: u32 = 1 << 3;
/// Has no content and no end tag.
pub const VOID: u32 = 1 << 4;
/// Its start ends an open paragraph.
pub const CLOSES_P: u32 = 1 << 5;
/// End tags inside do not end what was opened outside.
pub const BARRIER: u32 = 1 << 6;
/// May stand in the head of a page.
pub const IN_HEAD: u32 = 1 << 7;
/// Marks up letters; its end tag ends it even inside blocks that were opened after it.
pub const FORMATTING: u32 = 1 << 8;
/// Ends a picture or formula it is written into.
pub const BREAKS_OUT: u32 = 1 << 9;
/// The tokenizer takes its content for text, character references included.
pub const RAW_TEXT: u32 = 1 << 10;
/// The tokenizer takes its content for text, character references understood.
pub const PLAIN_TEXT: u32 = 1 << 11;
/// Part of a table, and nothing outside of one.
pub const TABLE_PART: u32 = 1 << 12;

macro_rules! elements {
    ($($constant:ident $name:literal $flags:expr;)*) => {
        /// The numbers of elements the reader knows by name.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, missing_docs)]
        #[repr(u16)]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        enum Number { $($constant,)* }
        $(
            #[doc = concat!("The number of `", $name, "`.")]
            pub const $constant: u16 = Number::$constant as u16;
        )*
        /// Name and flags of each known element, by number.
        pub const ELEMENTS: &[(&str, u32)] = &[$(($name, $flags),)*];
    };
}

const USUAL: u32 = BLOCK | CLOSES_P;
const OUT: u32 = BREAKS_OUT;

elements! {
    HTML "html" BLOCK; HEAD "head" UNSEEN | OUT; BODY "body" BLOCK | OUT;
    TITLE "title" UNSEEN | PLAIN_TEXT | IN_HEAD; META "meta" VOID | IN_HEAD | OUT;
    LINK "link" VOID | IN_HEAD; BASE "base" VOID | IN_HEAD; SCRIPT "script" UNSEEN | RAW_TEXT | IN_HEAD;
    STYLE "style" UNSEEN | RAW_TEXT | IN_HEAD; NOSCRIPT "noscript" UNSEEN | RAW_TEXT | IN_HEAD;
    TEMPLATE "template" UNSEEN | IN_HEAD | BARRIER; NOFRAMES "noframes" UNSEEN | RAW_TEXT | IN_HEAD;
    ADDRESS "address" USUAL; ARTICLE "article" USUAL; ASIDE "aside" USUAL;
    BLOCKQUOTE "blockquote" USUAL | OUT; CENTER "center" USUAL | OUT; DETAILS "details" USUAL;
    DIALOG "dialog" USUAL; DIR "dir" USUAL; DIV "div" USUAL | OUT; DL "dl" USUAL | OUT;
    DT "dt" USUAL | OUT; DD "dd" USUAL | OUT; FIELDSET "fieldset" USUAL; LEGEND "legend" BLOCK;
    FIGURE "figure" USUAL; FIGCAPTION "figcaption" USUAL; FOOTER "footer" USUAL; FORM "form" USUAL;
    FRAMESET "frameset" BLOCK; HEADER "header" USUAL; HGROUP "hgroup" USUAL; HR "hr" USUAL | VOID | OUT;
    H1 "h1" USUAL | OUT; H2 "h2" USUAL | OUT; H3 "h3" USUAL | OUT; H4 "h4" USUAL | OUT;
    H5 "h5" USUAL | OUT; H6 "h6" USUAL | OUT; LI "li" USUAL | OUT; MAIN "main" USUAL;
    MENU "menu" USUAL | OUT; NAV "nav" USUAL; OL "ol" USUAL | OUT; UL "ul" USUAL | OUT;
    P "p" USUAL | OUT; PRE "pre" USUAL | OUT; LISTING "listing" USUAL | OUT;
    XMP "xmp" USUAL | RAW_TEXT; PLAINTEXT "plaintext" USUAL; SEARCH "search" USUAL;
    SECTION "section" USUAL; SUMMARY "summary" USUAL;
    TABLE "table" USUAL | BARRIER | OUT; CAPTION "caption" BLOCK | BARRIER | TABLE_PART;
    THEAD "thead" BLOCK | TABLE_PART; TBODY "tbody" BLOCK | TABLE_PART;
    TFOOT "tfoot" BLOCK | TABLE_PART; TR "tr" BLOCK | TABLE_PART;
    TD "td" CELL | BARRIER | TABLE_PART; TH "th" CELL | BARRIER | TABLE_PART;
    COL "col" VOID | TABLE_PART; COLGROUP "colgroup" TABLE_PART;
    A "a" FORMATTING; B "b" FORMATTING | OUT; BIG "big" FORMATTING | OUT; CODE "code" FORMATTING | OUT;
    EM "em" FORMATTING | OUT; FONT "font" FORMATTING; I "i" FORMATTING | OUT; NOBR "nobr" FORMATTING | OUT;
    S "s" FORMATTING | OUT; SMALL "small" FORMATTING | OUT; STRIKE "strike" FORMATTING | OUT;
    STRONG "strong" FORMATTING | OUT; TT "tt" FORMATTING | OUT; U "u" FORMATTING | OUT;
    SPAN "span" OUT; SUB "sub" OUT; SUP "sup" OUT; VAR "var" OUT; RUBY "ruby" OUT; TIME "time" 0;
    RP "rp" UNSEEN; RT "rt" 0; RB "rb" 0; RTC "rtc" 0;
    BR "br" VOID | OUT; WBR "wbr" VOID; IMG "img" PIECE | VOID | OUT; INPUT "input" PIECE | VOID;
    AREA "area" VOID; EMBED "embed" PIECE | UNSEEN | VOID | OUT; PARAM "param" VOID;
    SOURCE "source" VOID; TRACK "track" VOID; FRAME "frame" VOID; KEYGEN "keygen" VOID;
    APPLET "applet" PIECE | UNSEEN | BARRIER; AUDIO "audio" PIECE | UNSEEN;
    BUTTON "button" PIECE | BARRIER; CANVAS "canvas" PIECE | UNSEEN; DATALIST "datalist" UNSEEN;
    IFRAME "iframe" PIECE | UNSEEN | RAW_TEXT; NOEMBED "noembed" UNSEEN | RAW_TEXT;
    OBJECT "object" PIECE | UNSEEN | BARRIER; SELECT "select" PIECE | UNSEEN;
    TEXTAREA "textarea" PIECE | UNSEEN | PLAIN_TEXT; VIDEO "video" PIECE | UNSEEN;
    SVG "svg" PIECE | UNSEEN; MATH "math" 0; FOREIGN_OBJECT "foreignobject" BARRIER; DESC "desc" BARRIER;
    MARQUEE "marquee" BARRIER;
}

/// The number of an element by its name in lower case, if it is known.
pub fn number_of(name: &[u8]) -> Option<u16> {
    static NUMBERS: OnceLock<FxHashMap<&'static [u8], u16>> = OnceLock::new();
    let numbers = NUMBERS.get_or_init(|| {
        ELEMENTS.iter().zip(0..).map(|((name, _), number)| (name.as_bytes(), number)).collect()
    });
    numbers.get(name).copied()
}

/// The flags of an element; an unknown one has none.
pub fn flags_of(number: u16) -> u32 {
    ELEMENTS.get(usize::from(number)).map_or(0, |(_, flags)| *flags)
}

/// The rank of a heading, 1 to 6.
pub fn rank_of(number: u16) -> Option<u8> {
    (H1..=H6).contains(&number).then(|| (number - H1 + 1) as u8)
}
