//! Key: what tells one request from another, told by a header, a property, or the behaviour file.

use spec::document::{Location, Method};

use crate::exchange::Sent;
use crate::fresh::{is_natural_name, is_said_unique};
use crate::model::{Call, Role, names, prose};
use crate::shape::Shape;

use crate::laws::trial::world::{Ready, World};

/// What tells one request from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Key {
    /// A header whose name says so.
    Header(String),
    /// A property of the body.
    Property,
    /// The path, which its caller chooses.
    Path,
    /// Nothing that is known: a repeat may be refused.
    Unknown,
}

pub(crate) fn key<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Key {
    if call.role != Role::Create {
        return Key::Unknown;
    }
    if let Some(header) = header(call) {
        return Key::Header(header.to_owned());
    }
    if call.operation.method == Method::Put && call.spoken().iter().any(|own| is_for_same(own)) {
        return Key::Path;
    }
    let label = call.operation.label();
    let mut told = world.model.behaviour.natural_keys.iter();
    let is_told = told.any(|own| own.operation.text == label);
    if is_told || (call.response(409).is_some() && !marked(world, call).is_empty()) {
        return Key::Property;
    }
    Key::Unknown
}

/// The properties of a body that are marked to be keys, said to be unique, or told of by a conflict.
pub(super) fn marked<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Vec<&'d str> {
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let conflicts = world.contract().conflicts(&call.operation);
    let is_marked = |name: &&str| {
        let own = shape.property(document, name);
        let is_said = own.type_name() == Some("string") && is_said_unique(&own);
        own.flag("x-natural-key") || is_said || conflicts.tells_of(name)
    };
    let names = shape.property_names().into_iter();
    names.filter(is_marked).collect()
}

/// Whether a sentence says that what is put again is answered, and another body under the same key refused.
fn is_for_same(sentence: &[String]) -> bool {
    const OTHER: [&str; 3] = ["another", "other", "different"];
    const CONTENT: [&str; 4] = ["body", "content", "one", "request"];
    let is_other = sentence
        .windows(2)
        .any(|own| OTHER.contains(&own[0].as_str()) && CONTENT.contains(&own[1].as_str()));
    is_other && prose::has(sentence, &["409", "conflict"])
}

/// The header that is said to make a step that is asked for again the same one, so that it is answered as before.
pub(crate) fn key_of_step<'d>(call: &Call<'d>) -> Option<&'d str> {
    let is_step = call.role == Role::Change && call.operation.method == Method::Post;
    header(call).filter(|own| is_step && says_again(call, own))
}

/// The header whose name says that it is a key of requests.
pub(crate) fn header<'d>(call: &Call<'d>) -> Option<&'d str> {
    let is_key = |name: &str| {
        let words = names::words(name);
        words.ends_with(&["idempotency".to_owned(), "key".to_owned()])
    };
    let all = call.operation.parameters().into_iter();
    let mut headers = all.filter(|own| own.location == Location::Header);
    headers.find(|own| is_key(own.name)).map(|own| own.name)
}

/// Whether the document says of a header that with it a request may be sent again, or documents no conflict
/// that a repeat could be.
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
    let header = parameters.iter().find(|own| own.name == name);
    let text = header.and_then(|own| own.at.node.get("description")?.as_str());
    // A sentence of the operation speaks of repeats, and not of what else is said there.
    let own = names::words(name);
    let mut spoken = call.spoken().into_iter();
    // What is said of all operations speaks of keys.
    let mut overall = call.overall.into_iter().flat_map(prose::spoken);
    let of_all = |words: Vec<String>| {
        let is_of_keys = prose::has(&words, &["key"]) && !prose::has(&words, &["may", "api"]);
        is_of_keys && says(&words) && prose::has(&words, &ANSWERED)
    };
    overall.any(of_all)
        || says(&names::words(text.unwrap_or_default()))
        || spoken.any(|words| {
            words.windows(own.len()).any(|part| part == own)
                && says(&words)
                && prose::has(&words, &ANSWERED)
        })
}

/// What is said of keys: by their header, by the operation, and of all operations; the words of each sentence.
pub(super) fn spoken(call: &Call<'_>) -> Vec<Vec<String>> {
    let parameters = call.operation.parameters();
    let own = parameters
        .iter()
        .filter_map(|own| own.at.node.get("description")?.as_str());
    let texts = own.chain(call.texts()).chain(call.overall);
    texts.flat_map(prose::spoken).collect()
}

/// A new request with a key of its own, and what it stands on.
pub(super) async fn with_key<'w, 'd>(
    world: &mut World<'w, '_, '_, 'd>,
    call: &Call<'d>,
    (name, tag): (&str, &str),
) -> Option<(Ready<'w, 'd>, Sent)> {
    let ready = world.ready(call, tag).await.ok()?;
    let mut sent = world.compose(&ready, tag).ok()?;
    set_key(&mut sent, name, ready.state.fresh.fork(tag).uuid());
    Some((ready, sent))
}

pub(crate) fn set_key(sent: &mut Sent, name: &str, key: String) {
    sent.headers
        .retain(|(own, _)| !own.eq_ignore_ascii_case(name));
    sent.headers.push((name.to_owned(), key));
}

/// The property of a body that is said to be unique, where a conflict is documented.
pub(crate) fn told_unique<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Option<&'d str> {
    call.first_of(&[409, 422])?;
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let mut names = shape.property_names().into_iter();
    names.find(|name| {
        let own = shape.property(document, name);
        own.flag("x-natural-key") || (is_said_unique(&own) && is_natural_name(name))
    })
}

/// The request, with a key of its own in the header that is for it.
pub(crate) fn compose<'d>(
    world: &World<'_, '_, '_, 'd>,
    ready: &Ready<'_, 'd>,
    key: &Key,
) -> Result<Sent, String> {
    let mut sent = world.compose(ready, "repetition")?;
    if let Key::Header(name) = key {
        let fresh = ready.state.fresh.fork("repetition").uuid();
        set_key(&mut sent, name, fresh);
    }
    Ok(sent)
}

#[cfg(test)]
mod tests {
    use super::*;

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
