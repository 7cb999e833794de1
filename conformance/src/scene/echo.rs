//! Echo: checks that the answer shows the values of the request under the same names.

use openapi_document::node::Entry;
use openapi_document::view::{Document, MediaType, Method};
use openapi_document::{Node, Pointer, Value};

use super::Scene;
use super::basis::Basis;
use super::compare::shown;
use super::draft::{Claim, Draft};
use crate::amount;
use crate::answered::record_of;
use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Record, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

/// Claims a difference for each property of a created or changed record that is not as sent.
pub(crate) fn check_echo<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let method = call.operation.method;
    let writes = call.role == Role::Create
        || (call.role == Role::Change && matches!(method, Method::Put | Method::Patch));
    // The body of a query is not a record.
    let is_list = call
        .success
        .as_ref()
        .is_some_and(|success| success.items.is_some());
    let (Some(sent), Some(record), Some(kind)) = (
        exchange.sent.json.as_ref().filter(|_| writes && !is_list),
        record_of(call, exchange),
        call.record(),
    ) else {
        return;
    };
    let document = scene.model.document;
    let requested = Shape::of(document, call.body.as_ref());
    let answered = Shape::of(document, Some(&kind.schema));
    for entry in sent.entries() {
        let value = answerable_part(document, &requested, &answered, entry);
        let entry = &Entry {
            value,
            ..entry.clone()
        };
        let (one, other) = (
            requested.property(document, &entry.key),
            answered.property(document, &entry.key),
        );
        let actual = record.get(&entry.key);
        let is_same = actual.is_some_and(|node| value::is_equal(&entry.value, node));
        let is_moment =
            is_moment(&one, &other) && actual.is_some_and(|node| moved(&entry.value, node));
        let turned = turned(&entry.value).filter(|node| is_recast(scene, call, entry, node));
        let is_recast = actual.is_some_and(|node| is_recast(scene, call, entry, node));
        let is_same = match &turned {
            Some(turned) => actual.is_some_and(|node| value::is_equal(turned, node)),
            None => is_same,
        };
        let is_withheld = actual.is_none() && (is_withheld(&one) || is_withheld(&other));
        let is_masked = actual.is_some_and(|node| is_masked(&entry.value, node));
        let is_same_amount =
            actual.is_some_and(|node| amount::is_same(&entry.key, &entry.value, node));
        let is_kept = is_same
            || is_same_amount
            || is_recast
            || is_withheld
            || is_masked
            || is_expected_version(&entry.key, &entry.value)
            || is_empty_in_both(&entry.value, actual);
        let is_ruled = matches!(entry.value.value, Value::Bool(_)) && is_ruled(call, &entry.key);
        // A server may choose the key itself, although its document has one schema for both directions.
        let is_of_server = call.role == Role::Create
            && kind.key == Some(entry.key.as_str())
            && !requested.requires(&entry.key);
        let is_altered = is_one(&one, &other) && !is_kept && !is_ruled && !is_of_server;
        if (!is_altered && !is_moment) || is_shown_different(call, kind, &entry.key) {
            continue;
        }
        let pointer = kind.at.join(entry.key.as_str());
        let place = Pointer::root().join(entry.key.as_str());
        if !is_answerable(scene, kind, record, (&place, &entry.value)) {
            continue;
        }
        let claim = Claim::new(
            &checks::ECHO,
            Basis::Names,
            format!("{} as sent", scene.shown(call, &place, Some(&entry.value))),
            match actual {
                Some(actual) => scene.shown(call, &place, Some(actual)),
                None => shown(None),
            },
        )
        .at(pointer);
        scene.differ(draft, call, claim, exchange);
    }
}

/// Whether the schema of the answer allows a sent value. A server that answers in another form must change it.
pub(crate) fn is_answerable<'d>(
    scene: &Scene<'_, 'd>,
    kind: &Record<'d>,
    record: &Node,
    (place, sent): (&Pointer, &Node),
) -> bool {
    let mut changed = record.clone();
    if value::put(&mut changed, place, sent.clone()).is_err() {
        return true;
    }
    let found = scene.contract().validate_answer(&kind.schema, &changed);
    !found.is_ok_and(|all| all.iter().any(|item| item.instance == *place))
}

/// Whether an answer masks characters of a text: `*** 12`.
fn is_masked(sent: &Node, actual: &Node) -> bool {
    const MASKS: [char; 3] = ['*', '•', '●'];
    let masks = |node: &Node| node.as_str().map_or(0, |item| item.matches(MASKS).count());
    masks(actual) > 1 && masks(sent) == 0
}

/// Whether a property's text says that the server may not answer it.
fn is_withheld(shape: &Shape<'_>) -> bool {
    const WITHHELD: [&str; 5] = ["absent", "omitted", "hidden", "masked", "returned"];
    let text = shape.keyword("description").and_then(Node::as_str);
    let mut spoken = prose::spoken(text.unwrap_or_default()).into_iter();
    spoken.any(|sentence| prose::has(&sentence, &WITHHELD))
}

/// Whether a value is the version that a change expects; the answer then has the next version.
fn is_expected_version(name: &str, value: &Node) -> bool {
    let words = names::words(name);
    let last = words.last().map(String::as_str);
    matches!(last, Some("version" | "revision")) && value.as_number().is_some()
}

/// Whether a documented pair shows different values under one name in request and answer, such as an `amount` that is
/// part of the answered record's `amount`.
fn is_shown_different(call: &Call<'_>, kind: &Record<'_>, name: &str) -> bool {
    let body = call.operation.request_body();
    let content = body.map(|body| body.content()).unwrap_or_default();
    let requested = content.iter().flat_map(MediaType::examples);
    let media = call
        .success
        .as_ref()
        .and_then(|success| success.media.as_ref());
    let shown = media.map(MediaType::examples).unwrap_or_default();
    requested.into_iter().any(|requested| {
        let pair = shown.iter().find(|example| example.key == requested.key);
        let observed = pair.and_then(|example| example.value.node.at(&kind.at)?.get(name));
        let sent = requested.value.node.get(name);
        sent.zip(observed)
            .is_some_and(|(one, other)| !value::is_equal(one, other))
    })
}

/// Whether a text says that a rule decides a flag whatever is sent: `the first account is always the default`.
fn is_ruled(call: &Call<'_>, name: &str) -> bool {
    const LITTLE: [&str; 3] = ["is", "has", "are"];
    let words = names::words(name).into_iter();
    let words: Vec<String> = words
        .filter(|word| !LITTLE.contains(&word.as_str()))
        .collect();
    let speaks = |name_words: &Vec<String>| {
        let is_named = name_words
            .windows(words.len().max(1))
            .any(|part| part == words);
        is_named && prose::has(name_words, &["always", "automatically", "first"])
    };
    call.spoken().iter().any(speaks)
}

/// The part of a sent value that the answer can show: an object without write-only properties, and without those that
/// the answered object lacks, such as a card number.
fn answerable_part<'d>(
    document: &'d Document,
    requested: &Shape<'d>,
    answered: &Shape<'d>,
    entry: &Entry,
) -> Node {
    let (requested, answered) = (
        requested.property(document, &entry.key),
        answered.property(document, &entry.key),
    );
    let mut value = entry.value.clone();
    let Value::Mapping(mapping) = &mut value.value else {
        return value;
    };
    mapping.entries.retain_mut(|entry| {
        let is_secret = requested.property(document, &entry.key).flag("writeOnly");
        let is_lacking =
            answered.lists_properties() && !answered.property_names().contains(&entry.key.as_str());
        entry.value = answerable_part(document, &requested, &answered, entry);
        !is_secret && !is_lacking
    });
    value
}

/// The negative of a positive number.
fn turned(node: &Node) -> Option<Node> {
    let number = node.as_number().filter(|number| !number.starts_with('-'))?;
    Some(crate::value::number(format!("-{number}")))
}

/// Whether the documented pair shows the same transformation as the answer: another letter case, or a minus sign.
fn is_recast<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, sent: &Entry, actual: &Node) -> bool {
    let plain = |word: &str| word.trim().to_lowercase();
    let is_like = |one: &Node, other: &Node| match (one.as_str(), other.as_str()) {
        (Some(one), Some(other)) => one != other && plain(one) == plain(other),
        _ => turned(one).is_some_and(|node| node.same_value(other)),
    };
    let shown = scene
        .recipes(call)
        .into_iter()
        .filter_map(|recipe| recipe.split());
    let mut shown = shown.filter_map(|(step, _)| {
        let requested = step.expected.request_example?.get(&sent.key)?;
        let answered = step.expected.example?.at(&call.record()?.at)?;
        Some((requested, answered.get(&sent.key)?))
    });
    is_like(&sent.value, actual) && shown.any(|(requested, answered)| is_like(requested, answered))
}

/// Whether a property means the same in request and answer: same type and format, not write-only, no alternatives and
/// no date-time, which can be written in several ways.
fn is_one(requested: &Shape<'_>, answered: &Shape<'_>) -> bool {
    let is_plain = |shape: &Shape<'_>| {
        shape.offers().is_none() && !shape.flag("writeOnly") && shape.format() != Some("date-time")
    };
    requested.type_name().is_some()
        && requested.type_name() == answered.type_name()
        && requested.format() == answered.format()
        && is_plain(requested)
        && is_plain(answered)
}

/// Whether a property is a date-time in request and answer.
fn is_moment(requested: &Shape<'_>, answered: &Shape<'_>) -> bool {
    let is_one =
        |shape: &Shape<'_>| shape.format() == Some("date-time") && !shape.flag("writeOnly");
    is_one(requested) && is_one(answered)
}

/// Whether two date-times differ by more than a second, whatever their notation.
fn moved(sent: &Node, actual: &Node) -> bool {
    let read = |node: &Node| node.as_str()?.parse::<jiff::Timestamp>().ok();
    let (Some(one), Some(other)) = (read(sent), read(actual)) else {
        return false;
    };
    one.as_second().abs_diff(other.as_second()) > 1
}

/// Whether the sent value is empty and the answered one is empty or absent.
fn is_empty_in_both(sent: &Node, actual: Option<&Node>) -> bool {
    let is_empty = |node: &Node| match &node.value {
        Value::Null => true,
        Value::Sequence(items) => items.is_empty(),
        Value::Mapping(mapping) => mapping.entries.is_empty(),
        _ => false,
    };
    is_empty(sent) && actual.is_none_or(is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;

    /// A step releases part of a milestone; request and record both call this an `amount`.
    const RELEASE: &str = r#"
openapi: 3.0.3
info: {title: Escrow, version: "1"}
paths:
  /milestones/{milestone_id}/release:
    post:
      operationId: release
      requestBody:
        content:
          application/json:
            schema: {type: object, properties: {amount: {type: integer}, note: {type: string}}}
            examples: {part: {value: {amount: 50, note: half}}}
      responses:
        "200":
          description: The milestone.
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Milestone'}
              examples: {part: {value: {id: m1, amount: 120, note: half}}}
components:
  schemas:
    Milestone:
      type: object
      properties: {id: {type: string}, amount: {type: integer}, note: {type: string}}
"#;

    #[test]
    fn a_pair_shows_different_values_under_the_same_name() {
        for (key, expected) in [("part", true), ("whole", false)] {
            let text = RELEASE.replacen("examples: {part:", &format!("examples: {{{key}:"), 1);
            let document = openapi_document::loader::load_text("escrow.yaml", &text).unwrap();
            let model = Model::new(&document, openapi_document::Behaviour::default());
            let call = model.call("release").unwrap();
            let kind = call.record().unwrap();
            assert_eq!(is_shown_different(call, kind, "amount"), expected, "{key}");
            assert!(!is_shown_different(call, kind, "note"), "{key}");
        }
    }

    #[test]
    fn values_that_the_server_answers() {
        for (sent, actual, expected) in [
            (r#"{"a":1,"b":null}"#, r#"{"a":1,"c":2}"#, true),
            (r#"{"a":1,"b":null}"#, r#"{"a":1,"b":2}"#, false),
            (r#"{"a":[1,2]}"#, r#"{"a":[2,1]}"#, true),
            (r#"{"a":1}"#, "{}", false),
        ] {
            let read = |text| openapi_document::json::read_text(text).unwrap();
            assert_eq!(
                value::is_equal(&read(sent), &read(actual)),
                expected,
                "{sent}"
            );
        }
    }
}
