//! Names that must differ from each other.

use std::collections::{BTreeSet, HashMap};

/// The names in use in one place.
#[derive(Debug, Default)]
pub(super) struct Scope {
    taken: BTreeSet<String>,
    /// After each name with a number, the first number that may be free.
    numbers: HashMap<String, usize>,
}

impl Scope {
    /// A scope in which some names are reserved.
    pub(super) fn with(reserved: &[&str]) -> Self {
        Self {
            taken: reserved.iter().map(|name| (*name).to_owned()).collect(),
            numbers: HashMap::new(),
        }
    }

    /// Takes the name, or the name with the first free number after it.
    pub(super) fn take(&mut self, name: &str) -> String {
        let free = self.free(name);
        self.taken.insert(free.clone());
        free
    }

    /// Takes the name with every ending, or the first number after it with which all are free.
    pub(super) fn take_all(&mut self, name: &str, endings: &[&str]) -> String {
        let candidates = std::iter::once(name.to_owned())
            .chain((2_usize..).map(|number| format!("{name}{number}")));
        for candidate in candidates {
            let all = endings.iter().map(|ending| format!("{candidate}{ending}"));
            if all.clone().all(|name| self.is_free(&name)) {
                self.taken.extend(all);
                return candidate;
            }
        }
        name.to_owned()
    }

    /// Whether the name is still free.
    pub(super) fn is_free(&self, name: &str) -> bool {
        !self.taken.contains(name)
    }

    fn free(&mut self, name: &str) -> String {
        if self.is_free(name) {
            return name.to_owned();
        }
        let separator = if name.ends_with(|last: char| last.is_ascii_digit()) {
            "_"
        } else {
            ""
        };
        // Snake case stays snake case.
        let separator = if name.contains('_') { "_" } else { separator };
        let stem = format!("{name}{separator}");
        let mut number = self.numbers.get(&stem).copied().unwrap_or(2);
        let mut free = format!("{stem}{number}");
        while !self.is_free(&free) {
            number += 1;
            free = format!("{stem}{number}");
        }
        self.numbers.insert(stem, number + 1);
        free
    }
}

/// Names for several things at once. A thing whose text already is its name gets it; of the others
/// the first in the order of their texts.
pub(super) fn distinct(
    texts: &[&str],
    reserved: &[&str],
    identifier: impl Fn(&str) -> String,
) -> Vec<String> {
    let mut names: Vec<String> = texts.iter().map(|text| identifier(text)).collect();
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|&index| (names[index] != texts[index], texts[index], index));
    let mut scope = Scope::with(reserved);
    for index in order {
        names[index] = scope.take(&names[index]);
    }
    names
}

/// The same for things that stand in an order: one that is added behind them renames none.
pub(super) fn distinct_in_order(
    texts: &[&str],
    reserved: &[&str],
    identifier: impl Fn(&str) -> String,
) -> Vec<String> {
    let mut scope = Scope::with(reserved);
    let names = texts.iter().map(|text| scope.take(&identifier(text)));
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::identifier::snake;

    #[test]
    fn a_collision_is_numbered_whatever_the_order() {
        assert_eq!(
            distinct(&["fooBar", "foo_bar"], &[], snake),
            ["foo_bar_2", "foo_bar"]
        );
        assert_eq!(
            distinct(&["foo_bar", "fooBar"], &[], snake),
            ["foo_bar", "foo_bar_2"]
        );
        assert_eq!(distinct(&["a1", "A1"], &[], snake), ["a1", "a1_2"]);
        assert_eq!(distinct(&["rest"], &["rest"], snake), ["rest2"]);
    }

    #[test]
    fn what_is_added_behind_renames_nothing() {
        let names = |texts: &[&str]| distinct_in_order(texts, &[], snake);
        assert_eq!(names(&["a-b"]), ["a_b"]);
        assert_eq!(names(&["a-b", "a_b"]), ["a_b", "a_b_2"]);
    }
}
