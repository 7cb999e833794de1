//! Idle: a patch with the values that the record has changes nothing, its version and the time of its last change included,
//! where a text says so.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::model::{Call, names, prose};
use crate::value;

use super::freshness;
use crate::laws::trial::answered::{record_of, succeeded};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Tries a patch.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let mut said = call.texts().flat_map(prose::sentences);
    let is_said = call.operation.method == Method::Patch && said.any(says);
    is_said.then_some(())?;
    let ready = world.ready(call, "merge-idle").await.ok()?;
    let (_, before) = world.made_before(call, &ready)?;
    let before = before.clone();
    let mut sent = world.compose(&ready, "merge-idle").ok()?;
    let mut json = sent.json.clone()?;
    let names: Vec<String> = json.entries().map(|own| own.key.clone()).collect();
    for name in &names {
        let same = before.get(name)?.clone();
        value::put(&mut json, &Pointer::root().join(name.as_str()), same).ok()?;
    }
    let found = world
        .contract()
        .validate_request(call.body.as_ref()?, &json);
    (!names.is_empty() && found.is_ok_and(|all| all.is_empty())).then_some(())?;
    world.put_json(&mut sent, &ready.call, json);
    // What moves with the time has time to.
    freshness::pass(world).await;
    let exchange = world.send(sent).await;
    let after = record_of(call, &exchange).filter(|_| succeeded(&exchange))?;
    let mut told = before.entries();
    let other = told.find(|own| {
        let now = after.get(&own.key);
        now.is_some_and(|now| !now.same_value(&own.value))
    })?;
    let now = after
        .get(&other.key)
        .map_or_else(String::new, Node::to_json);
    let expected = format!("{}, as the record had all of it", other.value.to_json());
    let claim = Claim::new(&checks::PATCH_CHANGED_MORE, Ground::Names, expected, now)
        .at(Pointer::root().join(other.key.as_str()));
    world.differ(draft, call, claim, &exchange);
    Some(())
}

/// Whether a sentence says that what is told as it is already changes nothing.
fn says(sentence: &str) -> bool {
    const SAME: [&str; 6] = [
        "same",
        "already",
        "equal",
        "identical",
        "current",
        "unchanged",
    ];
    const VALUES: [&str; 4] = ["value", "values", "has", "fields"];
    const OTHER: [&str; 9] = [
        "key", "refused", "refuses", "rejected", "again", "retry", "if", "repeated", "deleted",
    ];
    let words = names::words(sentence);
    let joined = format!(" {} ", words.join(" "));
    let is_nothing = [
        " changes nothing ",
        " nothing changes ",
        " has no effect ",
        " no op ",
    ]
    .iter()
    .any(|own| joined.contains(own));
    let has = |list: &[&str]| prose::has(&words, list);
    is_nothing && has(&SAME) && has(&VALUES) && !has(&OTHER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_of_patches_that_change_nothing() {
        for (text, expected) in [
            (
                "A patch whose values are those it has already changes nothing, not even `version`",
                true,
            ),
            ("Sending the same values changes nothing", true),
            ("The same request with the same key changes nothing", false),
            ("A refused request changes nothing", false),
            ("Changes the values of the record", false),
        ] {
            assert_eq!(says(text), expected, "{text}");
        }
    }
}
