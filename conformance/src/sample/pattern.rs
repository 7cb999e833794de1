//! A text that a pattern allows: the first and shortest that its syntax tree shows.

use regex_syntax::hir::{Class, ClassUnicodeRange, Hir, HirKind};

/// No text is longer.
const LONGEST: usize = 2_000;

/// A text of at least so many characters that a pattern allows; `None` where it is none that is
/// understood here, or no text was found. There may be another text, too.
pub(crate) fn text(pattern: &str, least: usize, is_other: bool) -> Option<String> {
    let tree = regex_syntax::Parser::new().parse(pattern).ok()?;
    let regex = regex::Regex::new(pattern).ok()?;
    // Who asks for an amount means none that is nothing.
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
            let most = repetition.max.and_then(|own| usize::try_from(own).ok());
            let count = (least + more).min(most.unwrap_or(usize::MAX));
            for _ in 0..count.min(LONGEST) {
                write(&repetition.sub, 0, is_other, text)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, more, is_other, text)?,
        HirKind::Concat(parts) => parts
            .iter()
            .try_for_each(|own| write(own, more, is_other, text))?,
        HirKind::Alternation(parts) => write(parts.first()?, more, is_other, text)?,
    }
    Some(())
}

/// A digit or a letter of a class, else its first character; another one where there are several.
fn character(class: &Class, is_other: bool) -> Option<char> {
    let has = |wanted: char| match class {
        Class::Unicode(class) => {
            let mut ranges = class.iter();
            ranges.any(|own| (own.start()..=own.end()).contains(&wanted))
        }
        Class::Bytes(class) => {
            let mut ranges = class.iter();
            ranges
                .any(|own| (u32::from(own.start())..=u32::from(own.end())).contains(&wanted.into()))
        }
    };
    let order = if is_other { "9876543210" } else { "0123456789" };
    let letters = ('a'..='z').chain('A'..='Z');
    let plain = order.chars().chain(letters).find(|own| has(*own));
    let first = || match class {
        Class::Unicode(class) => class.iter().next().map(ClassUnicodeRange::start),
        Class::Bytes(class) => class.iter().next().map(|own| char::from(own.start())),
    };
    plain.or_else(first)
}
