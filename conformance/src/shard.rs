//! Shard: one of several parts of a run.

use std::collections::BTreeMap;
use std::fmt;

use openapi_document::view::Document;
use serde::{Serialize, Serializer};

/// The part `number` of `of`, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    number: u64,
    of: u64,
    /// The path of each operation.
    paths: BTreeMap<String, String>,
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Serialize for Shard {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl Shard {
    /// Parses `k/n`.
    ///
    /// # Errors
    /// The text is not such a pair, or `k` is not between 1 and `n`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/');
        let numbers =
            numbers.and_then(|(number, all)| Some((number.parse().ok()?, all.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => {
                let paths = BTreeMap::new();
                Ok(Self { number, of, paths })
            }
            _ => Err("not a part such as 1/3".to_owned()),
        }
    }

    /// The shard for the cases of a document. Operations of one path share a shard, because their
    /// laws use each other.
    #[must_use]
    pub fn of_document(mut self, document: &Document) -> Self {
        let operations = document.operations().into_iter();
        self.paths = operations
            .map(|operation| (operation.label(), operation.path.to_owned()))
            .collect();
        self
    }

    /// Whether a case belongs to the shard. The cases of the operations of one path stay together
    /// with those of their laws, and the steps of a scenario stay together.
    pub fn has(&self, case: &str) -> bool {
        let group = match case.strip_prefix("laws/") {
            Some(law) => law.rsplit('/').next(),
            None => case.split('/').next(),
        };
        let group = group.unwrap_or(case);
        let group = self.paths.get(group).map_or(group, String::as_str);
        hash(group) % self.of == self.number - 1
    }
}

/// FNV-1a: the same on every machine and in every version.
fn hash(text: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_case_is_in_one_part() {
        for of in 1..=4 {
            let part = |number| Shard::parse(&format!("{number}/{of}")).unwrap();
            let parts: Vec<_> = (1..=of).map(part).collect();
            for case in [
                "getThing/200/a",
                "laws/success/getThing",
                "buy-and-sell/step",
            ] {
                let having = parts.iter().filter(|part| part.has(case)).count();
                assert_eq!(having, 1, "{case} of {of}");
            }
        }
        let half = Shard::parse("2/2").unwrap();
        assert_eq!(half.has("getThing/200/a"), half.has("laws/head/getThing"));
        assert_eq!(half.to_string(), "2/2");
        for wrong in ["0/2", "3/2", "1", "1/0", "a/b"] {
            assert!(Shard::parse(wrong).is_err(), "{wrong}");
        }
    }
}
