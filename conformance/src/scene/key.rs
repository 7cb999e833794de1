//! Key: finds the idempotency key of a request: a header, a property, the path, or the whole request.

use openapi_document::Pointer;
use openapi_document::view::{Location, Method};
use openapi_facts::Rule;
use openapi_facts::rule::Idempotency;

use crate::exchange::Sent;
use crate::fresh::{is_natural_name, is_said_unique};
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

use super::{Ready, Scene};

/// The part of a request that identifies repeats of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Key {
    /// A header for idempotency keys.
    Header(String),
    /// A natural key in the body.
    Property,
    /// The path, with a key that the client chooses.
    Path,
    /// A body property that is a key of requests only, as a fact says.
    Field(String),
    /// The request as a whole, as a fact says.
    Whole,
    /// Nothing known: the server may refuse a repeat.
    Unknown,
}

pub(crate) fn key<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> Key {
    if call.role != Role::Create {
        return Key::Unknown;
    }
    if let Some(header) = header(scene, call) {
        return Key::Header(header.to_owned());
    }
    if let Some(field) = field(scene, call) {
        return Key::Field(field);
    }
    if call.operation.method == Method::Put
        && call.spoken().iter().any(|sentence| is_for_same(sentence))
    {
        return Key::Path;
    }
    let label = call.operation.label();
    let mut observed = scene.model.behaviour.natural_keys.iter();
    let is_stated = observed.any(|item| item.operation.text == label);
    if is_stated || (call.response(409).is_some() && !marked(scene, call).is_empty()) {
        return Key::Property;
    }
    let mut rules = idempotency(scene, call);
    let is_whole = rules.any(|rule| rule.holds && rule.key.name.is_none());
    if is_whole { Key::Whole } else { Key::Unknown }
}

/// The body properties that are unique: marked as keys, described as unique, or named by a conflict.
pub(crate) fn marked<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> Vec<&'d str> {
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let conflicts = scene.contract().conflicts(&call.operation);
    let is_marked = |name: &&str| {
        let shape = shape.property(document, name);
        let is_said = shape.type_name() == Some("string") && is_said_unique(&shape);
        shape.flag("x-natural-key") || is_said || conflicts.mentions(name)
    };
    let names = shape.property_names().into_iter();
    names.filter(is_marked).collect()
}

/// Whether a sentence says that the same PUT is accepted again, but another body under the same key is refused.
fn is_for_same(sentence: &[String]) -> bool {
    const OTHER: [&str; 3] = ["another", "other", "different"];
    const CONTENT: [&str; 4] = ["body", "content", "one", "request"];
    let is_other = sentence
        .windows(2)
        .any(|part| OTHER.contains(&part[0].as_str()) && CONTENT.contains(&part[1].as_str()));
    is_other && prose::has(sentence, &["409", "conflict"])
}

/// The header that makes a repeated step return the first answer, by its text.
pub(crate) fn key_of_step<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> Option<&'d str> {
    let is_step = call.role == Role::Change && call.operation.method == Method::Post;
    header(scene, call).filter(|name| is_step && says_again(call, name))
}

/// The header for idempotency keys: the one of a fact, else one with such a name unless a fact denies it.
pub(crate) fn header<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> Option<&'d str> {
    let is_stated = |name: &str, holds: bool| {
        let mut rules = idempotency(scene, call);
        rules.any(|rule| rule.holds == holds && rule.key.name.as_deref() == Some(name))
    };
    let is_key = |name: &str| {
        let words = names::words(name);
        words.ends_with(&["idempotency".to_owned(), "key".to_owned()]) && !is_stated(name, false)
    };
    let all = call.operation.parameters().into_iter();
    let headers = all.filter(|parameter| parameter.location == Location::Header);
    let headers: Vec<&'d str> = headers.map(|parameter| parameter.name).collect();
    let of_fact = headers.iter().find(|name| is_stated(name, true));
    let of_name = || headers.iter().find(|item| is_key(item));
    of_fact.or_else(of_name).copied()
}

/// The facts about repeated requests.
fn idempotency<'w>(
    scene: &Scene<'w, '_>,
    call: &Call<'_>,
) -> impl Iterator<Item = &'w Idempotency> {
    let facts = scene.facts.list.iter();
    let about = facts.filter(|fact| fact.is_about(&call.operation));
    about.filter_map(|fact| match &fact.rule {
        Rule::Idempotency(rule) => Some(rule),
        _ => None,
    })
}

/// The body property that a fact names as idempotency key.
fn field<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> Option<String> {
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    let names = shape.property_names();
    let rules = idempotency(scene, call).filter(|rule| rule.holds);
    let mut fields = rules.filter_map(|rule| rule.key.name.as_deref());
    let field = fields.find(|name| names.contains(name))?;
    Some(field.to_owned())
}

/// Whether a request with this header can be sent again: a text says so, or the operation documents neither 409 nor
/// 422.
pub(crate) fn may_be_sent_again(call: &Call<'_>, name: &str) -> bool {
    says_again(call, name) || call.first_of(&[409, 422]).is_none()
}

fn says_again(call: &Call<'_>, name: &str) -> bool {
    const AGAIN: [&str; 9] = [
        "again", "retry", "retries", "retried", "repeat", "repeated", "replay", "before", "safely",
    ];
    const ANSWERED: [&str; 7] = [
        "answer", "answered", "response", "result", "returned", "returns", "original",
    ];
    let says = |words: &[String]| {
        prose::has(words, &AGAIN) || (prose::has(words, &["same"]) && prose::has(words, &ANSWERED))
    };
    let parameters = call.operation.parameters();
    let header = parameters.iter().find(|parameter| parameter.name == name);
    let text = header.and_then(|parameter| parameter.at.node.get("description")?.as_str());
    // A sentence of the operation must name the header, as other sentences are not about repeats.
    let name_words = names::words(name);
    let mut spoken = call.spoken().into_iter();
    // A sentence about all operations must mention keys.
    let mut overall = call.overall.into_iter().flat_map(prose::spoken);
    let of_all = |words: Vec<String>| {
        let is_of_keys = prose::has(&words, &["key"]) && !prose::has(&words, &["may", "api"]);
        is_of_keys && says(&words) && prose::has(&words, &ANSWERED)
    };
    overall.any(of_all)
        || says(&names::words(text.unwrap_or_default()))
        || spoken.any(|words| {
            words
                .windows(name_words.len())
                .any(|part| part == name_words)
                && says(&words)
                && prose::has(&words, &ANSWERED)
        })
}

/// Sets a key header in the format of its current value: some servers accept only keys of that form.
pub(crate) fn set_key(sent: &mut Sent, name: &str, key: String) {
    let key = match sent.header(name) {
        Some(item) => as_written(key, item),
        None => key,
    };
    sent.headers
        .retain(|(property, _)| !property.eq_ignore_ascii_case(name));
    sent.headers.push((name.to_owned(), key));
}

/// The body property that is unique by its text. `None` if the operation documents no conflict.
pub(crate) fn unique_property<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> Option<&'d str> {
    call.first_of(&[409, 422])?;
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let mut names = shape.property_names().into_iter();
    names.find(|name| {
        let shape = shape.property(document, name);
        shape.flag("x-natural-key") || (is_said_unique(&shape) && is_natural_name(name))
    })
}

/// A key with the length and letter case of `own`, if that is one long word; else the key unchanged.
fn as_written(key: String, text: &str) -> String {
    const WORD: usize = 16;
    let is_word = text.len() >= WORD && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_word {
        return key;
    }
    let has = |is_it: fn(&u8) -> bool| text.bytes().any(|item| is_it(&item));
    let (upper, lower) = (has(u8::is_ascii_uppercase), has(u8::is_ascii_lowercase));
    let written = |item: char| match item.to_digit(16) {
        Some(digit) if !upper && !lower => char::from_digit(digit % 10, 10).unwrap_or(item),
        _ if lower => item.to_ascii_lowercase(),
        _ => item.to_ascii_uppercase(),
    };
    let word = key.chars().filter(char::is_ascii_alphanumeric).cycle();
    word.take(text.len()).map(written).collect()
}

/// The request with a fresh idempotency key.
pub(crate) fn compose<'d>(
    scene: &Scene<'_, 'd>,
    ready: &Ready<'_, 'd>,
    key: &Key,
) -> Result<Sent, String> {
    let mut sent = scene.compose(ready, "repetition")?;
    let fresh = ready.state.fresh.fork("repetition").uuid();
    match key {
        Key::Header(name) => set_key(&mut sent, name, fresh),
        Key::Field(name) => {
            let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
            value::put(
                &mut json,
                &Pointer::root().join(name.as_str()),
                value::string(&fresh),
            )?;
            scene.put_json(&mut sent, &ready.call, json);
        }
        _ => {}
    }
    Ok(sent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_takes_the_format_of_the_previous_one() {
        let uuid = "6a112e4a-83d0-4dd8-8111-be242b8dc188";
        for (item, expected) in [
            ("0f0f0f0f-0000-4000-8000-000000000000", uuid),
            ("ORDER-1", uuid),
            ("AB12AB12AB12AB12AB12", "6A112E4A83D04DD88111"),
            ("ab12ab12ab12ab12", "6a112e4a83d04dd8"),
            ("1234567812345678", "6011244083304338"),
        ] {
            assert_eq!(as_written(uuid.to_owned(), item), expected, "{item}");
        }
    }

    #[test]
    fn sentences_about_another_body() {
        for (sentence, expected) in [
            ("Another body for the same id is answered with 409", true),
            (
                "The same again is answered with 200, another one with 409",
                true,
            ),
            ("Another mandate is answered with 409", false),
            ("Another body replaces it", false),
        ] {
            let words = names::words(sentence);
            assert_eq!(is_for_same(&words), expected, "{sentence}");
        }
    }
}
