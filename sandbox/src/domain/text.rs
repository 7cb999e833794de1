//! Checks the length of free text.

use std::ops::RangeInclusive;

use super::rejection::{Code, Rejection};

/// Refuses text with a wrong number of characters, or with `U+0000`, which databases cannot store.
pub fn bounded(text: &str, lengths: RangeInclusive<usize>, pointer: &str) -> Result<(), Rejection> {
    let field = pointer.trim_start_matches('/');
    if !lengths.contains(&text.chars().count()) {
        let (least, most) = lengths.into_inner();
        let detail = format!("the {field} has to have {least} to {most} characters");
        return Err(Rejection::at(Code::ContractViolation, pointer, detail));
    }
    if text.contains('\0') {
        let detail = format!("the {field} has a character U+0000");
        return Err(Rejection::at(Code::ContractViolation, pointer, detail));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_and_not_bytes() {
        let table = [
            ("", false),
            ("é", true),
            ("ééé", true),
            ("éééé", false),
            ("a\0", false),
        ];
        for (text, fine) in table {
            assert_eq!(bounded(text, 1..=3, "/name").is_ok(), fine, "{text:?}");
        }
    }
}
