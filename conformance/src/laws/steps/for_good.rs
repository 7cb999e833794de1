//! For good: a value of a closed list that an earlier step was asked with, and that a text says to bar a later one: "cards
//! blocked as `stolen` stay blocked for good".

use openapi_document::Pointer;
use openapi_document::view::Method;

use crate::expression::Template;
use crate::model::{Call, Role, names, prose};
use crate::shape::Shape;
use crate::value;

use super::refusal::settle;
use crate::laws::trial::draft::Draft;
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Takes a step on a record that an earlier one was asked for with a value which bars it.
pub(crate) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let said: Vec<&str> = call.texts().flat_map(prose::sentences).collect();
    let said: Vec<&str> = said.into_iter().filter(|own| bars(own)).collect();
    let (earlier, name, told) = earlier(world, call, &said)?;
    // It is granted on a record of another value.
    world.ready(call, "for-good").await.ok()?;
    let label = earlier.operation.label();
    let mut ways = world.ways(call).into_iter();
    let has = |own: &&crate::recipe::Recipe<'d>| {
        let before = own.split().map(|(_, before)| before);
        before.is_some_and(|own| own.iter().any(|own| own.name.operation == label))
    };
    let way = ways.find(has)?;
    let mut before = way.split()?.1.to_vec();
    let step = before.iter_mut().find(|own| own.name.operation == label)?;
    let value = Template::Literal(value::string(told));
    let pointer = Pointer::root().join(name);
    step.request.replacements.push((pointer, value));
    let ready = world.prepare_by(way, &before, "for-good").await.ok()?;
    let exchange = world.call(&ready, "for-good").await.ok()?;
    let what = format!("a refusal, as is said of `{told}`: `{label}` was done with that");
    settle(world, call, (Ground::Refusal(409), what), &exchange, draft);
    Some(())
}

/// The step on the same kind of record that is asked for with a value which a sentence names, and where.
fn earlier<'w, 'd>(
    world: &World<'w, '_, '_, 'd>,
    call: &Call<'d>,
    said: &[&str],
) -> Option<(&'w Call<'d>, &'d str, &'d str)> {
    let document = world.model.document;
    let kind = call.record()?;
    let is_other = |own: &&Call<'d>| {
        let of_kind = own.record().is_some_and(|own| own.is(kind));
        let is_step = own.role == Role::Change && own.operation.method == Method::Post;
        of_kind && is_step && own.operation.label() != call.operation.label() && world.covers(own)
    };
    let record = Shape::of(document, Some(&kind.schema));
    let states = record.property_names().into_iter();
    let states = states.filter(|own| names::tells_state(own));
    let states: Vec<&str> = states
        .flat_map(|own| record.property(document, own).known_values())
        .collect();
    let own = Shape::of(document, call.body.as_ref());
    let asks = |value: &str| {
        let mut names = own.property_names().into_iter();
        names.any(|name| own.property(document, name).known_values().contains(&value))
    };
    let mut others = world.model.calls.iter().filter(is_other);
    others.find_map(|other| {
        let shape = Shape::of(document, other.body.as_ref());
        shape.property_names().into_iter().find_map(|name| {
            let known = shape.property(document, name).known_values();
            let is_named = |own: &&&'d str| {
                let marked = format!("`{own}`");
                !states.contains(*own)
                    && !asks(own)
                    && said.iter().any(|text| text.contains(&marked))
            };
            let mut named = known.iter().filter(is_named);
            let only = named.next().filter(|_| named.next().is_none())?;
            (known.len() > 1).then_some((other, name, *only))
        })
    })
}

/// Whether a sentence says that something of what it names cannot be undone.
fn bars(text: &str) -> bool {
    const NEVER: [&str; 7] = [
        "cannot",
        "never",
        "forever",
        "permanently",
        "irrevocably",
        "refused",
        "rejected",
    ];
    const DOUBTFUL: [&str; 8] = [
        "only", "unless", "until", "if", "except", "can", "may", "without",
    ];
    let words = names::words(&text.to_lowercase());
    let is_for_good = words
        .windows(2)
        .any(|own| own[0] == "for" && own[1] == "good");
    let has = |list: &[&str]| prose::has(&words, list);
    (is_for_good || has(&NEVER)) && !has(&DOUBTFUL) && !has(&["not"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_undone() {
        for (text, expected) in [
            ("Cards blocked as `stolen` stay blocked for good.", true),
            ("An account closed for `fraud` is never opened again", true),
            ("Cards reported `lost` cannot be unblocked", true),
            ("Cards reported `lost` can be unblocked", false),
            ("A `lost` card is refused unless it is found", false),
            ("Only `lost` cards are refused", false),
        ] {
            assert_eq!(bars(text), expected, "{text}");
        }
    }
}
