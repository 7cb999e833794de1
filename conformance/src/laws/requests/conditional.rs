//! Conditional: what a sentence requires of requests with a value, or bars from them, is refused without it, or with it:
//! "`comment` is required if the `reason` is `other`".

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::collect::request;
use crate::exchange::Sent;
use crate::model::{Call, Role, names, prose};
use crate::sample::Extent;
use crate::shape::Shape;
use crate::value;

use super::untouched::Untouched;
use crate::laws::trial::answered::{succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// So many sentences are tried.
const MOST: usize = 6;

/// What a sentence says of a property in requests with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    Needs,
    Bars,
}

/// A property, what holds of it, and the property and value with which it does.
#[derive(Debug, PartialEq, Eq)]
struct Condition<'d> {
    name: &'d str,
    rule: Rule,
    with: &'d str,
    value: &'d str,
}

/// Sends what each sentence allows, and then what it does not.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) {
    let shape = Shape::of(world.model.document, call.body.as_ref());
    for condition in conditions(world, call, &shape).iter().take(MOST) {
        of(world, call, condition, draft).await;
    }
}

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    condition: &Condition<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let Condition {
        name,
        rule,
        with,
        value,
    } = *condition;
    let full = request::invented_body(world.contract(), &call.operation, Extent::Full);
    let full = full.as_ref().and_then(|own| own.value.plain());
    let own = full.and_then(|own| own.get(name)).cloned()?;
    let needs = rule == Rule::Needs;
    let tag = format!("conditional-{name}-{value}");
    let ready = world.ready(call, &format!("{tag}-granted")).await.ok()?;
    let sent = asking(
        world,
        call,
        (&ready, &tag),
        (condition, needs.then_some(&own)),
    )?;
    let allowed = world.send(sent).await;
    if !succeeded(&allowed) {
        return None;
    }
    let ready = world.ready(call, &format!("{tag}-refused")).await.ok()?;
    let sent = asking(
        world,
        call,
        (&ready, &tag),
        (condition, (!needs).then_some(&own)),
    )?;
    let before = match call.role {
        Role::Change => Untouched::of(world, call, &ready).await,
        _ => None,
    };
    let exchange = world.send(sent).await;
    if succeeded(&exchange) {
        let how = if needs { "without it" } else { "with it" };
        let expected = format!("a refusal: `{with}` is `{value}`, {how} it is not allowed");
        let claim = Claim::new(
            &checks::CONSTRAINT_IGNORED,
            Ground::Text,
            expected,
            told(&exchange),
        );
        let claim = claim.at(Pointer::root().join(name));
        world.differ(draft, call, claim, &exchange);
    } else if let Some(before) = before {
        before.look(world, call, &exchange, draft).await;
    }
    Some(())
}

/// The request with the value, and with or without the property.
fn asking<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, tag): (&Ready<'_, 'd>, &str),
    (condition, own): (&Condition<'d>, Option<&Node>),
) -> Option<Sent> {
    let Condition {
        name, with, value, ..
    } = condition;
    let mut sent = world.compose(ready, tag).ok()?;
    let mut json = sent.json.clone()?;
    value::remove(&mut json, name);
    value::put(
        &mut json,
        &Pointer::root().join(*with),
        value::string(value),
    )
    .ok()?;
    if let Some(own) = own {
        value::put(&mut json, &Pointer::root().join(*name), own.clone()).ok()?;
    }
    world.put_valid(call, (&mut sent, &ready.call), json)?;
    Some(sent)
}

/// What the texts of an operation and of its properties say.
fn conditions<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    shape: &Shape<'d>,
) -> Vec<Condition<'d>> {
    let document = world.model.document;
    let all = shape.property_names();
    let listed: Vec<(&'d str, Vec<&'d str>)> = all
        .iter()
        .map(|name| (*name, shape.property(document, name).known_values()))
        .filter(|(_, values)| values.len() > 1)
        .collect();
    let free: Vec<&'d str> = all
        .iter()
        .copied()
        .filter(|name| !shape.requires(name))
        .collect();
    let of_operation = call.texts().map(|text| (None, text));
    let of_properties = free.iter().filter_map(|name| {
        let own = shape.property(document, name);
        Some((Some(*name), own.keyword("description")?.as_str()?))
    });
    let mut found = Vec::new();
    for (about, text) in of_operation.chain(of_properties) {
        for sentence in prose::sentences(text) {
            let mut before = None;
            // What is said after "and" is said of the same property, where that names no other.
            let sentence = prose::without_asides(sentence);
            // What holds otherwise is the contrary of it.
            let otherwise = sentence.rsplit_once(" and ");
            let otherwise =
                otherwise.filter(|own| prose::has(&names::words(own.1), &["otherwise"]));
            let sentence = otherwise.map_or(&*sentence, |own| own.0);
            for clause in sentence.split(", and ") {
                let own = condition(clause, (about, before, &free), &listed);
                before = own.as_ref().map(|own| own.name).or(before);
                found.extend(own);
            }
        }
    }
    found
}

/// Whether a text says that something has to be sent, or must not be, with a value of a closed list.
pub(super) fn asks_for_more<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    value: &Node,
) -> bool {
    const ASKS: [&str; 7] = [
        "required",
        "requires",
        "require",
        "needs",
        "need",
        "must",
        "mandatory",
    ];
    let Some(value) = value.as_str() else {
        return false;
    };
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let names = shape.property_names().into_iter();
    let of_properties = names.filter_map(|name| {
        let own = shape.property(document, name);
        own.keyword("description")?.as_str()
    });
    let mut texts = call.texts().chain(of_properties);
    texts.any(|text| {
        let mut sentences = prose::sentences(text).into_iter();
        sentences.any(|own| {
            let is_marked =
                own.contains(&format!("`{value}`")) || own.contains(&format!(": {value}`"));
            is_marked && prose::has(&names::words(own), &ASKS)
        })
    })
}

/// What a clause says of one property and one value; `None` where it says more, or less.
fn condition<'d>(
    sentence: &str,
    (about, before, free): (Option<&'d str>, Option<&'d str>, &[&'d str]),
    listed: &[(&'d str, Vec<&'d str>)],
) -> Option<Condition<'d>> {
    const SENT: [&str; 6] = ["sent", "given", "set", "present", "provided", "used"];
    const OPEN: [&str; 8] = [
        "may", "can", "unless", "optional", "except", "or", "only", "should",
    ];
    let words = names::words(sentence);
    let is_barred = words
        .windows(4)
        .any(|own| own[..3] == ["must", "not", "be"] && SENT.contains(&own[3].as_str()));
    let is_required = prose::has(&words, &["required", "mandatory"]);
    let needed = [" needs ", " requires ", " need ", " require "]
        .into_iter()
        .find_map(|verb| sentence.split_once(verb));
    let rule = match (is_required || needed.is_some(), is_barred) {
        (true, false) if !prose::has(&words, &["not", "never", "no"]) => Rule::Needs,
        (false, true) => Rule::Bars,
        _ => return None,
    };
    let is_of_case = needed.is_some()
        || prose::has(&words, &["if", "when", "for", "with", "where"])
        || sentence.contains(':');
    if !is_of_case || prose::has(&words, &OPEN) {
        return None;
    }
    let marked = |own: &str| sentence.contains(&format!("`{own}`"));
    let mut named = free.iter().copied().filter(|own| marked(own));
    let own_list = |name: &str| listed.iter().any(|(own, _)| *own == name);
    let name = if let Some((_, after)) = needed {
        named.find(|own| after.contains(&format!("`{own}`")))?
    } else {
        let named = || named.find(|own| !own_list(own));
        about.or_else(named).or(before)?
    };
    let mut values = listed.iter().filter(|(with, _)| *with != name);
    let mut found = values.by_ref().flat_map(|(with, values)| {
        let told = values.iter().copied().filter(|own| marked(own));
        told.map(|value| (*with, value))
    });
    let (with, value) = found.next()?;
    // What a value needs stands behind it: `failed` needs a `failure_reason`.
    if needed.is_some_and(|(before, _)| !before.contains(&format!("`{value}`"))) {
        return None;
    }
    let is_only = found.next().is_none();
    is_only.then_some(Condition {
        name,
        rule,
        with,
        value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_with_a_condition() {
        let listed = [("reason", vec!["other", "fraud"])];
        let free = ["reason", "comment"];
        for (sentence, expected) in [
            (
                "`comment` is required if the reason is `other` (400).",
                Some(Rule::Needs),
            ),
            ("`fraud`: `comment` is required", Some(Rule::Needs)),
            ("`comment` must not be sent with `fraud`", Some(Rule::Bars)),
            ("`comment` is not required if it is `other`", None),
            ("`comment` may be required with `other`", None),
            ("Setting it to `other` needs a `comment`", Some(Rule::Needs)),
            ("`fraud` requires `comment` (422)", Some(Rule::Needs)),
            ("A `comment` needs `other`", None),
            ("`other` needs no `comment`", None),
            ("`other` needs a card", None),
            ("`comment` is required", None),
            ("`comment` is required for `other` and `fraud`", None),
        ] {
            let found = condition(sentence, (None, None, &free), &listed);
            assert_eq!(found.as_ref().map(|own| own.rule), expected, "{sentence}");
        }
        let own = condition(
            "Required when the reason is `other`.",
            (Some("comment"), None, &free),
            &listed,
        );
        let own = own.unwrap();
        assert_eq!(
            (own.name, own.with, own.value),
            ("comment", "reason", "other")
        );
    }
}
