//! Kept: a payment that was declined is kept, where a text says so: it is read by the key that its refusal tells, it is in the lists
//! that are said to have what is declined, and a repeat with its key is answered with the same.

use openapi_document::node::Entry;
use openapi_document::view::Location;
use openapi_document::{Mapping, Node, Pointer, Value};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role, names, prose};
use crate::value;

use super::declined::DECLINED;
use super::key::with_key;
use super::left_behind::has_failed;
use super::test_numbers::place;
use super::{replay, tabled};
use crate::laws::trial::addressing::{bound, names_key};
use crate::laws::trial::answered::{items_of, record_of, status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::lag;
use crate::laws::trial::world::World;

/// Words of what is declined.
const WORDS: [&str; 4] = ["declined", "declines", "decline", "402"];

/// Words of what is kept.
const KEPT: [&str; 7] = [
    "kept",
    "stored",
    "recorded",
    "saved",
    "remembered",
    "replayed",
    "listed",
];

/// Words that leave it open, or say that it is not so.
const NOT: [&str; 8] = [
    "not", "never", "no", "nothing", "may", "unless", "only", "except",
];

/// Reads what was declined by the key that its refusal tells, and looks for it in the lists that are said to have it.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    declined: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let body = declined.outcome.as_ref().ok()?.json()?;
    (status(declined) == Some(DECLINED)).then_some(())?;
    let (name, key) = key_in(body)?;
    // What was asked for is no record of it.
    (!names_key(call, &declined.sent, key)).then_some(())?;
    let only = alone(name, key);
    let texts = call.texts().chain(call.text_of(DECLINED));
    if texts.flat_map(prose::sentences).any(is_kept) {
        is_read(world, call, (name, &only), declined, draft).await;
    }
    let lists: Vec<&Call<'d>> = world.model.of(Role::List).collect();
    for list in lists {
        if has_declined(call, list)
            && world.covers(list)
            && lag::of(&world.model.behaviour, list).is_none()
        {
            is_listed(world, (call, list), (name, key, &only), declined, draft).await;
        }
    }
    Some(())
}

/// Whether a text says that what is declined is kept.
pub(super) fn says_kept(call: &Call<'_>) -> bool {
    let texts = call.texts().chain(call.text_of(DECLINED));
    texts
        .chain(call.overall)
        .flat_map(prose::sentences)
        .any(is_kept)
}

/// What a refusal names: the key of a record, in its body or in the one object that tells of it.
fn key_in(body: &Node) -> Option<(&str, &Node)> {
    let objects = std::iter::once(body).chain(body.entries().map(|own| &own.value));
    let is_key = |own: &&Entry| {
        let subject = names::subject(&own.key).unwrap_or_default();
        let is_id = names::words(&own.key).last().is_some_and(|own| own == "id");
        let is_other = prose::has(
            &names::words(&subject),
            &["request", "trace", "correlation"],
        );
        is_id && !subject.is_empty() && !is_other && own.value.as_str().is_some()
    };
    let mut found = objects.flat_map(Node::entries).filter(is_key);
    let only = found.next().filter(|_| found.next().is_none())?;
    Some((only.key.as_str(), &only.value))
}

/// A record of which nothing but its key is known.
fn alone(name: &str, key: &Node) -> Node {
    let mut only = value::node(Value::Mapping(Mapping::default()));
    // What has a name of its own can be put there.
    let _ = value::put(&mut only, &Pointer::root().join(name), key.clone());
    only
}

/// It is read by its key.
async fn is_read<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (name, only): (&str, &Node),
    declined: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let subject = names::subject(name)?;
    let nowhere = without_path(&declined.sent);
    let mut readers = world.model.of(Role::Read);
    let reader = readers.find(|own| {
        let kind = own.record().map(|own| own.name.as_str());
        let path = own.path_parameters();
        kind.is_some_and(|own| names::fits(&subject, own))
            && matches!(path[..], [only_one] if bound(own, only_one, only, &nowhere).is_some())
    })?;
    let read = world.read(reader, only, &nowhere).await.ok()?;
    if matches!(status(&read), Some(404 | 410)) {
        let expected = format!("the record that is kept, by the `{name}` of the refusal");
        let claim = Claim::new(&checks::READ_DIFFERS, Ground::Text, expected, told(&read));
        world.differ(draft, call, claim, declined);
    }
    let record = record_of(reader, &read)?;
    let mut states = record.entries().filter(|own| names::tells_state(&own.key));
    let state = states.next().filter(|_| states.next().is_none())?;
    let at = Pointer::root().join(state.key.as_str());
    if is_granted(state.value.as_str()?) && !has_failed(record) {
        let shown = world.shown(reader, &at, Some(&state.value));
        let claim = Claim::new(
            &checks::FINAL_VALUE,
            Ground::Text,
            "a state of what was declined",
            shown,
        )
        .at(at);
        world.differ(draft, call, claim, declined);
    }
    Some(())
}

/// Whether a state is one of what was paid.
fn is_granted(state: &str) -> bool {
    const GRANTED: [&str; 8] = [
        "captured",
        "paid",
        "succeeded",
        "approved",
        "authorised",
        "authorized",
        "completed",
        "settled",
    ];
    prose::has(&names::words(state), &GRANTED)
}

/// It is in a list that can be asked for it.
async fn is_listed<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    (call, list): (&Call<'d>, &Call<'d>),
    (name, key, only): (&str, &Node, &Node),
    declined: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let parameters = list.operation.parameters().into_iter();
    let mut filters = parameters.filter(|own| own.location == Location::Query);
    let filter = filters.find(|own| names::same(own.name, name))?;
    let nowhere = without_path(&declined.sent);
    let asked = [(filter.name, key.clone())];
    let sent = world.compose_read(list, only, &nowhere, &asked).ok()?;
    let answer = world.send(sent).await;
    if succeeded(&answer) && items_of(list, &answer)?.is_empty() {
        let label = list.operation.label();
        let expected = format!("what was declined in `{label}`, as is said");
        let claim = Claim::new(&checks::LIST_MISSES, Ground::Text, expected, "nothing");
        world.differ(draft, call, claim, declined);
    }
    Some(())
}

/// A request of which nothing is read by its path.
fn without_path(sent: &Sent) -> Sent {
    let mut sent = sent.clone();
    sent.path_arguments.clear();
    sent
}

/// The answer to what was declined is kept under its key, where a text says so: a repeat is answered with the same.
pub(super) async fn again<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    header: &str,
    draft: &mut Draft,
) -> Option<()> {
    let response = call.response(DECLINED)?;
    says_same(call).then_some(())?;
    let (ready, mut sent) = with_key(world, call, (header, "repetition-declined")).await?;
    let mut json = sent.json.clone()?;
    let (at, number) = tabled::declined(call)
        .into_iter()
        .find_map(|own| Some((place(&json, own.value)?, own.value)))?;
    value::put(&mut json, &at, value::string(number)).ok()?;
    world.put_valid(call, (&mut sent, &ready.call), json)?;
    let first = world.send(sent.clone()).await;
    (status(&first) == Some(DECLINED)).then_some(())?;
    let second = world.send(sent).await;
    if status(&second) != Some(DECLINED) {
        let expected = "the answer to the first request, which was declined";
        let claim = Claim::new(
            &checks::REPEAT_REFUSED,
            Ground::Text,
            expected,
            told(&second),
        );
        world.differ(draft, call, claim, &second);
        return Some(());
    }
    let key = |own: &Exchange| {
        let body = own.outcome.as_ref().ok()?.json()?;
        key_in(body).map(|own| own.1.clone())
    };
    if let (Some(one), Some(other)) = (key(&first), key(&second))
        && !one.same_value(&other)
    {
        let expected = "the record of the first request, which was declined";
        let claim = Claim::new(
            &checks::REPEAT_MADE_ANOTHER,
            Ground::Text,
            expected,
            "another record",
        );
        world.differ(draft, call, claim, &second);
    }
    let headers = response.headers();
    let mut headers = headers.iter().map(|own| names::words(own.0));
    if headers.any(|own| prose::has(&own, &["replayed", "replay"])) {
        replay::is_marked(world, call, (&first, &second), draft);
    }
    Some(())
}

/// Whether a text says that the answer to what is declined is kept under its key.
fn says_same(call: &Call<'_>) -> bool {
    let parameters = call.operation.parameters();
    let of_parameters = parameters
        .iter()
        .filter_map(|own| own.at.node.get("description")?.as_str());
    let texts = call.texts().chain(call.overall).chain(of_parameters);
    let mut sentences = texts.flat_map(prose::sentences);
    sentences.any(|own| {
        let words = names::words(&own.to_lowercase());
        prose::has(&words, &["key", "keys"]) && is_kept(own)
    })
}

/// Whether a part of a sentence says that what is declined is kept.
fn is_kept(sentence: &str) -> bool {
    let mut parts = sentence.split(':');
    parts.any(|own| {
        let words = names::words(&own.to_lowercase());
        let mut pairs = words.windows(2);
        let is_kept = pairs.any(|own| {
            let is = matches!(own[0].as_str(), "is" | "are" | "was" | "were" | "be");
            is && KEPT.contains(&own[1].as_str())
        });
        prose::has(&words, &WORDS) && is_kept && !prose::has(&words, &NOT)
    })
}

/// Whether a list is said to have what is declined of what an operation makes: "declined purchases are listed".
fn has_declined(call: &Call<'_>, list: &Call<'_>) -> bool {
    let label = call.operation.label();
    let about = [label.as_str(), call.operation.path, call.about.as_str()];
    let about: Vec<String> = about.into_iter().flat_map(names::words).collect();
    let about: Vec<String> = about.iter().map(|own| names::singular(own)).collect();
    list.texts()
        .flat_map(prose::sentences)
        .any(|own| lists(own, &about))
}

/// Whether a sentence says of a list that it has what is declined of one of some kinds.
fn lists(sentence: &str, kinds: &[String]) -> bool {
    let words = names::words(&sentence.to_lowercase());
    let is_of = words.windows(4).any(|own| {
        own[0] == "declined"
            && kinds.contains(&names::singular(&own[1]))
            && matches!(own[2].as_str(), "are" | "is")
            && matches!(own[3].as_str(), "listed" | "included" | "shown")
    });
    is_of && !prose::has(&words, &NOT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_of_what_is_kept() {
        for (text, expected) in [
            (
                "The first result, approved or declined, is kept: the same key does nothing more",
                true,
            ),
            ("The declined payment is kept", true),
            ("A declined payment is not kept", false),
            ("Only successes are kept", false),
            ("The payment is kept", false),
        ] {
            assert_eq!(is_kept(text), expected, "{text}");
        }
    }

    #[test]
    fn lists_of_what_is_declined() {
        let kinds = ["create".to_owned(), "purchase".to_owned()];
        for (text, expected) in [
            ("Declined purchases are listed with `declined`", true),
            ("Declined refunds are listed with `declined`", false),
            ("Declined purchases are not listed", false),
        ] {
            assert_eq!(lists(text, &kinds), expected, "{text}");
        }
    }

    #[test]
    fn what_a_refusal_names() {
        for (body, expected) in [
            (
                r#"{"error":{"code":"declined","payment_id":"pay_1"}}"#,
                Some("payment_id"),
            ),
            (r#"{"error":{"code":"declined"},"request_id":"r"}"#, None),
            (r#"{"payment_id":"p","order_id":"o"}"#, None),
        ] {
            let body = openapi_document::json::read_text(body).unwrap();
            assert_eq!(key_in(&body).map(|own| own.0), expected);
        }
    }
}
