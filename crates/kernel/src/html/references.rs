//! Character references: `&amp;`, `&#228;`, `&#xe4;`.
//!
//! The names are those that html5gum knows. It is asked for one reference at a time, so that what it
//! does takes the same time and the same stack whatever the page holds: for a whole tag it calls
//! itself once for each attribute.

use std::convert::Infallible;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

/// No name is longer than 31 letters and digits.
const LONGEST: usize = 32;

/// The references that most are, with what they stand for.
const USUAL: [(&str, &str); 6] = [
    ("&amp;", "&"),
    ("&nbsp;", "\u{a0}"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&apos;", "'"),
];

/// Write what the reference stands for with which a text begins, or its `&` if it is none. Return
/// how many bytes of the text that was.
pub fn push(text: &str, in_value: bool, into: &mut String) -> usize {
    let bytes = text.as_bytes();
    if bytes.get(1) == Some(&b'#') {
        return push_number(text, into);
    }
    if let Some((name, character)) = USUAL.iter().find(|(name, _)| text.starts_with(name)) {
        into.push_str(character);
        return name.len();
    }
    let name = bytes[1..].iter().take(LONGEST).take_while(|byte| byte.is_ascii_alphanumeric());
    let mut end = 1 + name.count();
    if end == 1 {
        into.push('&');
        return 1;
    }
    // In the value of an attribute, `&copy=` is no reference.
    end += usize::from(matches!(bytes.get(end), Some(b';' | b'=')));
    ask(&text[..end], in_value, into);
    end
}

/// Write the character of a number.
fn push_number(text: &str, into: &mut String) -> usize {
    let bytes = text.as_bytes();
    let (start, radix) = if matches!(bytes.get(2), Some(b'x' | b'X')) { (3, 16) } else { (2, 10) };
    let mut end = start;
    let mut number = 0_u32;
    while let Some(digit) = bytes.get(end).and_then(|&byte| char::from(byte).to_digit(radix)) {
        number = number.saturating_mul(radix).saturating_add(digit);
        end += 1;
    }
    if end == start {
        into.push_str(&text[..end]);
        return end;
    }
    match number {
        0 => into.push('\u{fffd}'),
        // Meant are characters of Windows-1252.
        0x80..=0x9f => ask(&format!("&#{number};"), false, into),
        _ => into.push(char::from_u32(number).unwrap_or('\u{fffd}')),
    }
    end + usize::from(bytes.get(end) == Some(&b';'))
}

/// Write what html5gum makes of one reference.
fn ask(reference: &str, in_value: bool, into: &mut String) {
    let take = |event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
        if let CallbackEvent::String { value } | CallbackEvent::AttributeValue { value } = event {
            into.push_str(&String::from_utf8_lossy(value));
        }
        None
    };
    let emitter = CallbackEmitter::new(take);
    let Ok(()) = if in_value {
        let tag = format!("<a b=\"{reference}\">");
        Tokenizer::new_with_emitter(&tag, emitter).finish()
    } else {
        Tokenizer::new_with_emitter(reference, emitter).finish()
    };
}
