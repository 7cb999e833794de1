//! Rewritten values: finds values that the document says the server stores or answers in another form.

use openapi_document::view::Operation;
use openapi_document::{Node, Pointer};

use super::Scene;
use super::basis::Basis;
use super::draft::Claim;
use crate::checks;
use crate::model::Call;
use crate::names;
use crate::prose;
use crate::shape::Shape;

/// Words for such changes; each is in several published documents.
const WORDS: [&str; 15] = [
    "uppercase",
    "uppercased",
    "lowercase",
    "lowercased",
    "normalized",
    "normalised",
    "trimmed",
    "truncated",
    "rounded",
    "ignored",
    "treated",
    "converted",
    "capped",
    "stripped",
    "sanitized",
];

/// Such words in pairs.
const PAIRS: [(&str, &str); 3] = [("upper", "case"), ("lower", "case"), ("no", "effect")];

/// Names of positions in a list, which the server limits to the number of records.
const PLACES: [&str; 3] = ["position", "rank", "index"];

impl<'d> Scene<'_, 'd> {
    /// Whether a claim that rests on names expects a value as sent although a text says that the server changes it.
    pub(super) fn is_rewritten(&self, operation: &Operation<'d>, claim: &Claim) -> bool {
        let is_of_value = [&checks::ECHO, &checks::TOTAL_DIFFERS].contains(&claim.check);
        let is_read = matches!(claim.basis, Basis::Names | Basis::Name(_));
        let Some(name) = claim.pointer.last().filter(|_| is_of_value && is_read) else {
            return false;
        };
        let words = names::words(&name);
        if prose::has(&words, &PLACES) {
            return true;
        }
        let named = |text: &str| {
            let mut sentences = prose::spoken(text).into_iter();
            sentences.any(|sentence| {
                sentence.windows(words.len()).any(|part| part == words) && is_named(&sentence)
            })
        };
        let described = |text: &str| {
            prose::spoken(text)
                .iter()
                .any(|sentence| is_named(sentence))
        };
        let record = self.model.call(&operation.label()).and_then(Call::record);
        let is_of_record = |call: &&Call<'d>| {
            let other = call.record();
            record.is_some_and(|record| other.is_some_and(|other| record.is(other)))
        };
        let others = self.model.calls.iter().filter(is_of_record);
        let mut operations = std::iter::once(operation).chain(others.map(|call| &call.operation));
        let says = |operation: &Operation<'d>| {
            let mut texts = ["summary", "description"].into_iter();
            texts.any(|key| operation.text(key).is_some_and(named))
        };
        operations.any(says)
            || self
                .descriptions(operation, &claim.pointer)
                .into_iter()
                .any(described)
    }

    /// The descriptions of the property in the request and in the record, and of a parameter with its name.
    fn descriptions(&self, operation: &Operation<'d>, pointer: &Pointer) -> Vec<&'d str> {
        let document = self.model.document;
        let call = self.model.call(&operation.label());
        let record = call.and_then(|call| call.record());
        let at = record.map_or_else(Pointer::root, |record| record.at.clone());
        let inner: Vec<String> = pointer
            .segments()
            .skip(at.segments().count())
            .map(Into::into)
            .collect();
        let shapes = [
            (
                call.and_then(|call| call.body.as_ref()),
                pointer.segments().map(Into::into).collect(),
            ),
            (record.map(|record| &record.schema), inner),
        ];
        let of_schemas = shapes
            .into_iter()
            .filter_map(|(schema, path): (_, Vec<String>)| {
                let shape = Shape::of(document, Some(schema?));
                let shape = path
                    .iter()
                    .fold(shape, |shape, name| shape.property(document, name));
                shape.keyword("description")?.as_str()
            });
        let name = pointer.last().unwrap_or_default();
        let parameters = operation.parameters();
        let of_parameters = parameters
            .iter()
            .filter(|parameter| parameter.name == name)
            .filter_map(|parameter| parameter.at.node.get("description").and_then(Node::as_str));
        of_schemas.chain(of_parameters).collect()
    }
}

fn is_named(sentence: &[String]) -> bool {
    let is_pair = |pair: &[String]| PAIRS.contains(&(pair[0].as_str(), pair[1].as_str()));
    prose::has(sentence, &WORDS) || sentence.windows(2).any(is_pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_about_changed_values() {
        for (sentence, expected) in [
            ("The code is stored in upper case", true),
            ("Values above 50 are treated as 50", true),
            ("`login` is accepted but has no effect", true),
            ("The name of the course", false),
        ] {
            assert_eq!(is_named(&names::words(sentence)), expected, "{sentence}");
        }
    }
}
