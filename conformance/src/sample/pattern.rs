//! Builds a text that matches a pattern: the first and shortest that its syntax tree gives.

use regex_syntax::hir::{Class, ClassUnicodeRange, Hir, HirKind};

/// The longest text, in characters.
const LONGEST: usize = 2_000;

/// A text with at least `least` characters that matches a pattern. `None` when the pattern is not
/// supported or has no such text. `is_other` selects a second text where there is one.
pub(crate) fn text(pattern: &str, least: usize, is_other: bool) -> Option<String> {
    let tree = regex_syntax::Parser::new().parse(pattern).ok()?;
    let regex = regex::Regex::new(pattern).ok()?;
    // A pattern for an amount should not give zero.
    let amount = if is_other { "11.00" } else { "10.00" };
    if regex.is_match(amount) && !regex.is_match("a") && least <= amount.len() {
        return Some(amount.to_owned());
    }
    // Repetitions grow until the text is long enough.
    (0..=least.min(LONGEST)).find_map(|more| {
        let mut text = String::new();
        write(&tree, more, is_other, &mut text)?;
        (text.chars().count() >= least && regex.is_match(&text)).then_some(text)
    })
}

fn write(tree: &Hir, more: usize, is_other: bool, text: &mut String) -> Option<()> {
    if text.len() > LONGEST {
        return None;
    }
    match tree.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => text.push(character(class, is_other)?),
        HirKind::Repetition(repetition) => {
            let least = usize::try_from(repetition.min).ok()?;
            let most = repetition.max.and_then(|times| usize::try_from(times).ok());
            let count = (least + more).min(most.unwrap_or(usize::MAX));
            for _ in 0..count.min(LONGEST) {
                write(&repetition.sub, 0, is_other, text)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, more, is_other, text)?,
        HirKind::Concat(parts) => parts
            .iter()
            .try_for_each(|item| write(item, more, is_other, text))?,
        HirKind::Alternation(parts) => write(parts.first()?, more, is_other, text)?,
    }
    Some(())
}

/// A digit or a letter of a class, else its first character; with `is_other` the next one.
fn character(class: &Class, is_other: bool) -> Option<char> {
    let has = |wanted: char| match class {
        Class::Unicode(class) => {
            let mut ranges = class.iter();
            ranges.any(|range| (range.start()..=range.end()).contains(&wanted))
        }
        Class::Bytes(class) => {
            let mut ranges = class.iter();
            ranges.any(|range| {
                (u32::from(range.start())..=u32::from(range.end())).contains(&wanted.into())
            })
        }
    };
    let order = if is_other { "9876543210" } else { "0123456789" };
    let letters = ('a'..='z').chain('A'..='Z');
    let plain = order.chars().chain(letters).find(|letter| has(*letter));
    let first = || match class {
        Class::Unicode(class) => class.iter().next().map(ClassUnicodeRange::start),
        Class::Bytes(class) => class.iter().next().map(|range| char::from(range.start())),
    };
    plain.or_else(first)
}
