//! Scope: where a key counts. What others send with it, or is sent elsewhere, is another request, or is refused, as a text
//! says; and whatever is said, a request under one record is not answered with what was made under another one.

use openapi_document::{Node, json};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::secrets::NEIGHBOUR;
use crate::value;

use super::key::{header, set_key, spoken, with_key};
use super::repetition::refused;
use crate::answered::{own_key, record_of, status, succeeded, told};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;

/// Words of whose keys are told apart.
const OWNERS: [&str; 15] = [
    "account",
    "tenant",
    "merchant",
    "client",
    "customer",
    "business",
    "company",
    "organisation",
    "organization",
    "workspace",
    "team",
    "user",
    "partner",
    "caller",
    "credential",
];

/// Words of operations.
const OPERATIONS: [&str; 3] = ["operation", "endpoint", "route"];

/// Words of the place that a path names.
const PATHS: [&str; 2] = ["path", "url"];

/// What is said to become of a key that comes from elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// It is another key.
    Apart,
    /// It is refused.
    Refused,
}

impl Rule {
    /// What is said of places that are called so.
    fn of(said: &[Vec<String>], nouns: &[&str]) -> Option<Self> {
        let is_apart = said.iter().any(|own| are_apart(own, nouns));
        let is_refused = said.iter().any(|own| are_refused(own, nouns));
        match (is_apart, is_refused) {
            (true, false) => Some(Self::Apart),
            (false, true) => Some(Self::Refused),
            _ => None,
        }
    }
}

/// Looks at where a key counts.
pub(super) async fn look<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &str,
    draft: &mut Draft,
) {
    let said = spoken(call);
    if Rule::of(&said, &OWNERS) == Some(Rule::Apart) {
        of_neighbour(scene, call, name, draft).await;
    }
    let of_operations = Rule::of(&said, &OPERATIONS).or_else(|| Rule::of(&said, &PATHS));
    if of_operations == Some(Rule::Apart) {
        elsewhere(scene, call, name, draft).await;
    }
    under_another(scene, call, (name, &said), draft).await;
}

/// The same of a step, which has one record and is asked for of another one.
pub(super) async fn look_at_step<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &str,
    draft: &mut Draft,
) {
    under_another(scene, call, (name, &spoken(call)), draft).await;
}

/// Whether a sentence says that keys are those of an owner, or of a place.
fn are_apart(sentence: &[String], of: &[&str]) -> bool {
    const BELONG: [&str; 3] = ["belong", "belongs", "scoped"];
    const KEPT: [&str; 8] = [
        "kept",
        "remembered",
        "stored",
        "known",
        "counted",
        "count",
        "counts",
        "valid",
    ];
    // What callers are told to do says nothing of what is done with it.
    const ADVICE: [&str; 10] = [
        "use", "send", "generate", "choose", "choice", "pick", "supply", "create", "should", "new",
    ];
    const DENIED: [&str; 7] = [
        "not",
        "may",
        "if",
        "regardless",
        "never",
        "across",
        "whatever",
    ];
    let names = |own: &String| of.contains(&names::singular(own).as_str());
    let is_about = prose::has(sentence, &["key", "keys"]) && sentence.iter().any(names);
    if !is_about || prose::has(sentence, &DENIED) {
        return false;
    }
    if differs(sentence, of) && is_another(sentence) {
        return true;
    }
    // `Per account and path`, `for each operation`, `for the account and the operation`.
    let follows = |word: &str, most: usize| {
        sentence.iter().enumerate().any(|(at, own)| {
            let mut after = sentence.iter().skip(at + 1).take(most);
            own == word && after.any(names)
        })
    };
    let kept = sentence.iter().position(|own| KEPT.contains(&own.as_str()));
    let key = sentence
        .iter()
        .position(|own| own == "key" || own == "keys");
    let is_kept = kept.is_some_and(|kept| key.is_some_and(|key| key < kept));
    let is_owned = prose::has(sentence, &BELONG) || follows("per", 4);
    let is_for = is_kept && (follows("each", 1) || follows("for", 6) && follows("the", 1));
    (is_owned || is_for) && !prose::has(sentence, &ADVICE)
}

/// Whether a sentence speaks of another one of some things: `another path`, `another body or path`.
fn differs(sentence: &[String], of: &[&str]) -> bool {
    const OTHER: [&str; 3] = ["another", "other", "different"];
    const LINKS: [&str; 12] = [
        "same", "its", "the", "that", "this", "on", "for", "with", "to", "under", "in", "of",
    ];
    sentence.iter().enumerate().any(|(at, own)| {
        let after = sentence.iter().skip(at + 1).take(4);
        let mut after = after.take_while(|own| !LINKS.contains(&own.as_str()));
        OTHER.contains(&own.as_str())
            && after.any(|own| of.contains(&names::singular(own).as_str()))
    })
}

/// Whether a sentence says that a key is another one.
fn is_another(sentence: &[String]) -> bool {
    const ANOTHER: [&str; 4] = ["another", "new", "different", "separate"];
    let pairs = |word: &str| {
        sentence
            .windows(2)
            .any(|own| ANOTHER.contains(&own[0].as_str()) && own[1] == word)
    };
    prose::has(sentence, &["is", "are", "counts", "count"]) && pairs("key")
}

/// Whether a sentence says that a key which was used for one of some things is refused with another one.
fn are_refused(sentence: &[String], of: &[&str]) -> bool {
    const REFUSED: [&str; 6] = ["409", "422", "400", "conflict", "refused", "rejected"];
    const DENIED: [&str; 5] = ["not", "may", "unless", "never", "only"];
    prose::has(sentence, &["key", "keys"])
        && differs(sentence, of)
        && prose::has(sentence, &REFUSED)
        && !prose::has(sentence, &DENIED)
        && !is_another(sentence)
}

/// Whether a sentence says that any other request with a key is refused, whatever it differs in.
fn refuses_others(sentence: &[String]) -> bool {
    const OTHER: [&str; 3] = ["another", "other", "different"];
    const REFUSED: [&str; 6] = ["409", "422", "400", "conflict", "refused", "rejected"];
    const PARTS: [&str; 9] = [
        "body",
        "bodies",
        "payload",
        "content",
        "contents",
        "parameters",
        "data",
        "values",
        "not",
    ];
    let has = |list: &[&str]| prose::has(sentence, list);
    has(&["key", "keys"]) && has(&OTHER) && has(&REFUSED) && !has(&PARTS)
}

/// Another one's request with the same key is a new one.
async fn of_neighbour<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &str,
    draft: &mut Draft,
) -> Option<()> {
    (!scene.sender.wire.target.neighbour.is_empty()).then_some(())?;
    // What else is named may be nobody else's, and cannot be made by another one: alone it has to be granted.
    let control = theirs(scene, call, (name, "scope-neighbour")).await?;
    succeeded(&scene.send(control).await).then_some(())?;
    let (_, sent) = with_key(scene, call, (name, "scope-own")).await?;
    let mut other = theirs(scene, call, (name, "scope-neighbour-key")).await?;
    set_key(&mut other, name, sent.header(name)?.to_owned());
    let first = scene.send(sent).await;
    succeeded(&first).then_some(())?;
    let exchange = scene.send(other).await;
    is_new(scene, call, (&first, &exchange), "somebody else's", draft);
    Some(())
}

/// A request of the neighbour, who has made what it stands on.
async fn theirs<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (name, tag): (&str, &str),
) -> Option<Sent> {
    let headers = scene.sender.wire.target.neighbour.clone();
    let (ready, sent) = with_key(scene, call, (name, tag)).await?;
    let kept = ready.state.kept.clone().unwrap_or_default();
    let mut renamed: Vec<(String, String)> = Vec::new();
    for (at, made) in kept.into_iter().enumerate() {
        let maker = scene.model.call(&made.sent.operation)?.clone();
        let mut own = rename(scene, &maker, &made.sent, &renamed)?;
        if let Some(name) = header(scene, &maker).filter(|name| own.header(name).is_some()) {
            let fresh = ready.state.fresh.fork(&format!("{tag}-{at}")).uuid();
            set_key(&mut own, name, fresh);
        }
        let answer = scene.send(own.by(&headers, NEIGHBOUR)).await;
        succeeded(&answer).then_some(())?;
        let key = |own: &Exchange| {
            let key = record_of(&maker, own)?.get(own_key(&maker)?)?;
            Some(value::plain(key))
        };
        renamed.extend(key(&made).zip(key(&answer)));
    }
    let own = rename(scene, call, &sent, &renamed)?;
    Some(own.by(&headers, NEIGHBOUR))
}

/// A request in which records have other names.
pub(crate) fn rename<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    sent: &Sent,
    renamed: &[(String, String)],
) -> Option<Sent> {
    let mut sent = sent.clone();
    let mut body = sent.json.as_ref().map(Node::to_json);
    for (old, new) in renamed {
        sent.url = sent.url.replace(old.as_str(), new);
        sent.shown.url = sent.shown.url.replace(old.as_str(), new);
        for (_, own) in &mut sent.path_arguments {
            if own == old {
                own.clone_from(new);
            }
        }
        let quoted = |own: &str| value::string(own).to_json();
        body = body.map(|own| own.replace(&quoted(old), &quoted(new)));
    }
    if let Some(text) = body.filter(|_| !renamed.is_empty()) {
        let other = json::read_text(&text).ok()?;
        sent.put_json(scene.model.document, call.body.as_ref(), other);
    }
    Some(sent)
}

/// A request to another path with the same key is a new one.
async fn elsewhere<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &str,
    draft: &mut Draft,
) -> Option<()> {
    let label = call.operation.label();
    let others = scene.model.of(Role::Create);
    let mut others =
        others.filter(|own| own.operation.label() != label && header(scene, own).is_some());
    let other = others.next()?.clone();
    let (_, sent) = with_key(scene, call, (name, "scope-own-path")).await?;
    let own = sent.header(name)?.to_owned();
    let first = scene.send(sent).await;
    // With a key of its own it has to be granted.
    let there = header(scene, &other)?;
    // Others may try the same path, and what is new in a request is new for each of them.
    let tag = format!("scope-{label}-control");
    let (_, control) = with_key(scene, &other, (there, &tag)).await?;
    let control = scene.send(control).await;
    (succeeded(&first) && succeeded(&control)).then_some(())?;
    let tag = format!("scope-{label}-path");
    let (_, mut second) = with_key(scene, &other, (there, &tag)).await?;
    set_key(&mut second, there, own);
    let exchange = scene.send(second).await;
    let body = |own: &Exchange| own.outcome.as_ref().ok()?.json().cloned();
    let is_replayed = body(&first)?.same_value(&body(&exchange)?);
    if is_replayed || matches!(status(&exchange), Some(409 | 422)) {
        let expected = format!("a success of its own: `{label}` has keys of its own");
        let claim = Claim::new(
            &checks::REPEAT_REFUSED,
            Ground::Text,
            expected,
            told(&exchange),
        );
        scene.differ(draft, call, claim, &exchange);
    }
    Some(())
}

/// The same request with the same key under another record.
async fn under_another<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (name, said): (&str, &[Vec<String>]),
    draft: &mut Draft,
) -> Option<()> {
    let parameter = call.path_parameters().last().copied()?;
    let maker = scene.model.creator_for(&call.operation, parameter)?;
    let parent = maker.record()?.name.clone();
    let about = names::subject(parameter).unwrap_or_default();
    let last = parent.rsplit(' ').next().unwrap_or_default();
    let nouns: Vec<&str> = ["record", "resource", about.as_str(), last].into();
    let rule = Rule::of(said, &nouns).or_else(|| Rule::of(said, &PATHS));
    let is_for_all = |own: &Vec<String>| {
        prose::has(own, &["key", "keys"]) && prose::has(own, &["regardless", "across"])
    };
    // Who says nothing of other requests may answer whatever the key has been answered with.
    let is_open = !said.iter().any(|own| refuses_others(own)) || said.iter().any(is_for_all);
    if rule.is_none() && is_open {
        return None;
    }
    let (_, first) = with_key(scene, call, (name, "scope-one")).await?;
    let (_, mut control) = with_key(scene, call, (name, "scope-control")).await?;
    let (_, mut second) = with_key(scene, call, (name, "scope-other")).await?;
    (first.path_arguments != second.path_arguments).then_some(())?;
    if let Some(body) = &first.json {
        for own in [&mut control, &mut second] {
            own.put_json(scene.model.document, call.body.as_ref(), body.clone());
        }
    }
    // The very same body is granted under a third one, with a key of its own.
    succeeded(&scene.send(control).await).then_some(())?;
    set_key(&mut second, name, first.header(name)?.to_owned());
    let first = scene.send(first).await;
    succeeded(&first).then_some(())?;
    let exchange = scene.send(second).await;
    match rule {
        Some(Rule::Apart) => {
            let whose = format!("one of another {parent}");
            is_new(scene, call, (&first, &exchange), &whose, draft);
        }
        Some(Rule::Refused) if !succeeded(&exchange) => {
            refused(scene, call, &exchange, draft);
        }
        Some(Rule::Refused) => {
            let expected = format!("a refusal of a key that was used under another {parent}");
            let claim = Claim::new(
                &checks::KEY_REUSE_GRANTED,
                Ground::Text,
                expected,
                told(&exchange),
            );
            scene.differ(draft, call, claim, &exchange);
        }
        None if is_of_first(call, (&first, &exchange)) => {
            let expected = format!("nothing of another {parent}, whatever its key");
            let actual = "the record that was answered there";
            let claim = Claim::new(
                &checks::FOREIGN_PARENT_FOUND,
                Ground::Text,
                expected,
                actual,
            );
            scene.differ(draft, call, claim, &exchange);
        }
        None => {}
    }
    Some(())
}

/// Whether an answer tells of the record that another one has made.
pub(super) fn is_of_first(call: &Call<'_>, (first, second): (&Exchange, &Exchange)) -> bool {
    let key_of = |own| Some(record_of(call, own)?.get(own_key(call)?)?.clone());
    let (one, other) = (key_of(first), key_of(second));
    one.is_some_and(|one| other.is_some_and(|other| one.same_value(&other)))
}

/// That a request was granted as a new one.
fn is_new<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (first, second): (&Exchange, &Exchange),
    whose: &str,
    draft: &mut Draft,
) {
    let expected = format!("another record: the key is {whose}");
    if !succeeded(second) {
        let claim = Claim::new(
            &checks::REPEAT_REFUSED,
            Ground::Text,
            expected,
            told(second),
        );
        scene.differ(draft, call, claim, second);
    } else if is_of_first(call, (first, second)) {
        let actual = "the record of another one";
        let claim = Claim::new(
            &checks::FOREIGN_PARENT_FOUND,
            Ground::Text,
            expected,
            actual,
        );
        scene.differ(draft, call, claim, second);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_refuse_any_other_request() {
        for (text, expected) in [
            (
                "The same request with the same key is done once, another one with that key is refused with 422",
                true,
            ),
            (
                "A key that was used for a different request gives 409",
                true,
            ),
            ("The same key with another body is refused with 409", false),
            ("A repeat with its key is answered as it was before", false),
        ] {
            let is_said = prose::spoken(text).iter().any(|own| refuses_others(own));
            assert_eq!(is_said, expected, "{text}");
        }
    }

    #[test]
    fn sentences_about_where_a_key_counts() {
        let (apart, refused) = (Some(Rule::Apart), Some(Rule::Refused));
        for (text, owners, operations, records) in [
            ("Keys belong to an account and a path.", apart, None, None),
            ("Keys are scoped per merchant", apart, None, None),
            ("Keys count per business for 24 hours.", apart, None, None),
            ("Use a key of your own per operation.", None, None, None),
            ("Send one key per account.", None, None, None),
            (
                "A key is remembered for 24 hours for the account and the operation.",
                apart,
                apart,
                None,
            ),
            (
                "The same key with another operation is another key.",
                None,
                apart,
                None,
            ),
            (
                "Keys are kept for each operation, and for orders for each basket: the same key on another operation or \
                 basket is another key.",
                None,
                apart,
                apart,
            ),
            (
                "A key that comes again with another body or another basket is answered with 409.",
                None,
                None,
                refused,
            ),
            (
                "A key that comes with another body on the same basket is refused.",
                None,
                None,
                None,
            ),
            (
                "The same key with another basket is not refused.",
                None,
                None,
                None,
            ),
        ] {
            let said = prose::spoken(text);
            assert_eq!(Rule::of(&said, &OWNERS), owners, "owners: {text}");
            assert_eq!(
                Rule::of(&said, &OPERATIONS),
                operations,
                "operations: {text}"
            );
            assert_eq!(Rule::of(&said, &["basket"]), records, "records: {text}");
        }
    }
}
