//! Totals: the numbers of an answer that a text says to be made of other records: in the description of a property, or in a line of
//! an operation's that defines it ("- `cashSales`: totals of the shift's cash sales").

use openapi_document::Node;
use openapi_document::view::{MediaType, Method};

use crate::model::Call;
use crate::names;
use crate::prose;
use crate::shape::Shape;

use super::tally::{Tag, Tally, is_tally, tally};
use crate::scene::Scene;

/// Objects within objects are looked at this deep.
pub(super) const DEEPEST: usize = 3;

/// So many properties of an answer are looked at.
const MOST: usize = 400;

/// What is said of a number of an answer.
pub(super) struct Said<'d> {
    name: &'d str,
    /// The words of the first sentence.
    words: Vec<String>,
    /// Whether nothing else is said of it.
    is_whole: bool,
}

impl<'d> Said<'d> {
    /// Reads the sentences about a number, where the first of them says what it is made of.
    fn read(name: &'d str, sentences: Vec<Vec<String>>) -> Option<Self> {
        let is_whole = sentences.len() == 1;
        let words = numbered(name, sentences.into_iter().next()?);
        is_tally(&words).then_some(Self {
            name,
            words,
            is_whole,
        })
    }
}

/// The numbers of an answer that are said to be made of something, those of its parts and items too.
pub(super) fn said<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>) -> Vec<Said<'d>> {
    let document = scene.model.document;
    let media = call.success.as_ref().and_then(|own| own.media.as_ref());
    let Some(schema) = media.and_then(MediaType::schema) else {
        return Vec::new();
    };
    let shape = Shape::of(document, Some(&schema));
    let (mut left, mut found) = (MOST, Vec::new());
    within(scene, &shape, (0, &mut left), &mut found);
    within(scene, &shape.items(document), (0, &mut left), &mut found);
    let names = shape.property_names();
    let texts = call.texts().flat_map(prose::sentences);
    for (name, said) in texts.flat_map(defined) {
        let own = names.iter().find(|own| **own == name);
        found.extend(own.and_then(|own| Said::read(own, prose::spoken(said))));
    }
    found
}

/// The properties that a line of a text defines, and what they are said to be: "- `sale_count`, `void_count`: sales of the shift".
pub(crate) fn defined(line: &str) -> Vec<(&str, &str)> {
    let line = line.trim_start_matches(['-', '*', ' ', '\n']);
    let Some((names, said)) = line.split_once("`: ").filter(|_| line.starts_with('`')) else {
        return Vec::new();
    };
    let names: Vec<&str> = names.split('`').skip(1).step_by(2).collect();
    names.into_iter().map(|own| (own, said)).collect()
}

/// What a count is said to be, which may begin with what is counted.
fn numbered(name: &str, words: Vec<String>) -> Vec<String> {
    let is_count = names::words(name).last().is_some_and(|own| own == "count");
    if !is_count || is_tally(&words) {
        return words;
    }
    let number = ["number", "of"].into_iter().map(str::to_owned);
    number.chain(words).collect()
}

fn within<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    shape: &Shape<'d>,
    (depth, left): (usize, &mut usize),
    found: &mut Vec<Said<'d>>,
) {
    let document = scene.model.document;
    for name in shape.property_names() {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let property = shape.property(document, name);
        let text = property.keyword("description").and_then(Node::as_str);
        let is_number = matches!(property.type_name(), Some("integer" | "number" | "string"));
        let said = text.filter(|_| is_number).map(prose::spoken);
        found.extend(said.and_then(|own| Said::read(name, own)));
        if depth < DEEPEST {
            within(scene, &property, (depth + 1, left), found);
            within(scene, &property.items(document), (depth + 1, left), found);
        }
    }
}

/// The numbers of an answer that are said to be made of what an operation makes.
pub(super) fn totals<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    (call, maker): (&Call<'d>, &Call<'d>),
    said: &[Said<'d>],
) -> Vec<Total<'d>> {
    let Some(kind) = maker.record() else {
        return Vec::new();
    };
    let is_own = call.record().is_some_and(|own| own.is(kind));
    if maker.operation.method != Method::Post || is_own {
        return Vec::new();
    }
    let document = scene.model.document;
    let record = Shape::of(document, Some(&kind.schema));
    let properties = record.property_names();
    let state = properties.iter().find(|own| names::tells_state(own));
    let states = state.map(|own| record.property(document, own).known_values());
    let states = states.unwrap_or_default();
    let tags = tags(scene, &record);
    let all = said.iter().filter_map(|own| {
        let tally = tally(&own.words, &kind.name, (&states, &properties, &tags))?;
        let is_sure = own.is_whole && tally.is_named;
        let (name, state) = (own.name, state.copied());
        Some(Total {
            name,
            state,
            tally,
            is_sure,
        })
    });
    all.collect()
}

/// The listed values of a record, and of its parts, but for its states.
fn tags<'d>(scene: &Scene<'_, '_, '_, 'd>, record: &Shape<'d>) -> Vec<Tag<'d>> {
    let document = scene.model.document;
    let mut tags = Vec::new();
    let names = record.property_names().into_iter();
    for name in names.filter(|own| !names::tells_state(own)) {
        let own = record.property(document, name);
        let known = own.known_values().into_iter();
        let path = vec![name];
        tags.extend(known.map(|value| Tag {
            path: path.clone(),
            value,
        }));
        for part in own.property_names() {
            let known = own.property(document, part).known_values().into_iter();
            let path = vec![name, part];
            tags.extend(known.map(|value| Tag {
                path: path.clone(),
                value,
            }));
        }
    }
    tags
}

/// A number of an answer, and what it is made of.
pub(super) struct Total<'d> {
    pub(super) name: &'d str,
    /// The property that tells the state of what is counted.
    pub(super) state: Option<&'d str>,
    pub(super) tally: Tally<'d>,
    /// Whether its text says which property is summed up, and nothing else.
    pub(super) is_sure: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_defines() {
        let line = "\n- `sale_count`, `void_count`: sales of the shift";
        let expected = [
            ("sale_count", "sales of the shift"),
            ("void_count", "sales of the shift"),
        ];
        assert_eq!(defined(line), expected);
        assert!(defined("the `sale_count`: sales").is_empty());
        assert!(defined("- `sale_count` is a number").is_empty());
        let words = |text: &str| names::words(text);
        assert_eq!(
            numbered("sale_count", words("sales of it")),
            words("number of sales of it")
        );
        assert_eq!(
            numbered("sales", words("sales of it")),
            words("sales of it")
        );
        assert_eq!(
            numbered("sale_count", words("how many sales")),
            words("how many sales")
        );
    }
}
