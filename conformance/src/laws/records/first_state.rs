//! First state: in which state a text says that records begin which are made with a value: "a physical card starts `inactive`".

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::model::{Call, Role, names, prose};
use crate::shape::Shape;
use crate::value;

use crate::laws::trial::answered::record_of;
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Makes a record with each value of which that is said; whether there was one.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<bool> {
    let kind = call.record().filter(|_| call.role == Role::Create)?;
    let document = world.model.document;
    let body = Shape::of(document, call.body.as_ref());
    let record = Shape::of(document, Some(&kind.schema));
    let mut named = record.property_names().into_iter();
    let told = named.find(|own| names::tells_state(own))?;
    let states = record.property(document, told).known_values();
    let noun = names::words(&kind.name).pop()?;
    let said = call.texts().flat_map(prose::sentences);
    let clauses: Vec<Vec<String>> = said
        .flat_map(|own| own.split([';', ',']))
        .map(|own| names::words(&own.to_lowercase()))
        .collect();
    let mut tried = false;
    for name in body.property_names() {
        for own in body.property(document, name).known_values() {
            let mut begun = clauses
                .iter()
                .filter_map(|clause| begins(clause, (own, &noun), &states));
            if let Some(state) = begun.next() {
                let made = made_with(world, call, (name, own), draft, (told, state));
                tried |= made.await.is_some();
            }
        }
    }
    Some(tried)
}

async fn made_with<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (name, own): (&str, &str),
    draft: &mut Draft,
    (told, state): (&str, &str),
) -> Option<()> {
    let tag = format!("first-state-{own}");
    let ready = world.ready(call, &tag).await.ok()?;
    let mut sent = world.compose(&ready, &tag).ok()?;
    let mut json = sent.json.clone()?;
    value::put(&mut json, &Pointer::root().join(name), value::string(own)).ok()?;
    world.put_valid(call, (&mut sent, &ready.call), json)?;
    let made = world.send(sent).await;
    let now = record_of(call, &made)?.get(told).and_then(Node::as_str)?;
    if now != state {
        let expected = format!("\"{state}\": so begins what is made with `{name}` {own}");
        let at = call.record()?.at.join(told);
        let claim = Claim::new(
            &checks::EFFECT_DIFFERS,
            Ground::Text,
            expected,
            format!("{now:?}"),
        )
        .at(at);
        world.differ(draft, call, claim, &made);
    }
    Some(())
}

/// The state in which a clause says that what has a value begins: `a physical card starts inactive`.
fn begins<'s>(words: &[String], (own, noun): (&str, &str), states: &[&'s str]) -> Option<&'s str> {
    const DOUBTFUL: [&str; 8] = [
        "after", "when", "if", "unless", "until", "while", "may", "not",
    ];
    let own = names::words(own);
    let at = words
        .windows(own.len() + 1)
        .position(|part| part[..own.len()] == own && part[own.len()] == noun)?;
    let rest = &words[at + own.len() + 1..];
    let rest = match rest.split_first() {
        Some((verb, rest)) if matches!(verb.as_str(), "is" | "starts" | "begins") => rest,
        _ => return None,
    };
    let rest = match rest.split_first() {
        Some((own, rest)) if matches!(own.as_str(), "as" | "in") => rest,
        _ => rest,
    };
    let begins = |state: &&&str| rest.starts_with(&names::words(&state.to_lowercase()));
    let state = states.iter().find(begins).copied()?;
    // `And has to be activated when it has arrived` says nothing of how it begins.
    let behind = rest.get(names::words(state).len()..)?;
    let end = behind.iter().position(|own| own == "and");
    let clause = words[..at]
        .iter()
        .chain(&behind[..end.unwrap_or(behind.len())]);
    let clause: Vec<String> = clause.cloned().collect();
    (!prose::has(&clause, &DOUBTFUL)).then_some(state)
}

#[cfg(test)]
mod tests {
    use super::begins;
    use crate::model::names;

    #[test]
    fn states_that_records_begin_in() {
        let states = ["active", "inactive"];
        for (text, expected) in [
            (
                "a physical card starts `inactive` and has to be activated when it has arrived",
                Some("inactive"),
            ),
            ("A physical card is `active` at once", Some("active")),
            ("A physical card is inactive until it has arrived", None),
            ("A virtual card is active", None),
            ("A physical card is sent by post", None),
        ] {
            let words = names::words(&text.to_lowercase());
            assert_eq!(
                begins(&words, ("physical", "card"), &states),
                expected,
                "{text}"
            );
        }
    }
}
