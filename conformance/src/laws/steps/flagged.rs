//! Flagged: what a request names has a flag for which a text says that the request is refused: "a plan that is not available
//! (`available: false`) is refused with `422`".

use openapi_document::{Pointer, Value};

use crate::case::Step;
use crate::expression::Template;
use crate::model::{Call, names, prose};
use crate::recipe::Recipe;
use crate::shape::Shape;
use crate::value;

use super::refusal::settle;
use crate::laws::trial::draft::Draft;
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Makes what is named with the flag, and tries the call; whether anything could be.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> bool {
    let mut said = call.texts().flat_map(prose::sentences);
    let Some((name, flag)) = said.find_map(flag) else {
        return false;
    };
    let Some(way) = world.chosen(call) else {
        return false;
    };
    let Some(before) = with(world, way, (name, flag)) else {
        return false;
    };
    let tag = format!("flagged-{name}");
    let Ok(ready) = world.prepare_by(way, &before, &tag).await else {
        return false;
    };
    let Ok(exchange) = world.call(&ready, &tag).await else {
        return false;
    };
    let what = format!("a refusal, as documented of what has `{name}: {flag}`");
    settle(world, call, (Ground::Refusal(409), what), &exchange, draft);
    true
}

/// The steps before a call, the last of them that may be asked for the flag with it.
fn with<'d>(
    world: &World<'_, '_, '_, 'd>,
    way: &Recipe<'d>,
    (name, flag): (&str, bool),
) -> Option<Vec<Step<'d>>> {
    let document = world.model.document;
    let mut before = way.split()?.1.to_vec();
    let mut steps = before.iter_mut().rev();
    let step = steps.find(|step| {
        let maker = world.model.call(&step.name.operation);
        let body = maker.and_then(|own| own.body.as_ref());
        let property = Shape::of(document, body).property(document, name);
        step.request.body.is_some() && property.type_name() == Some("boolean")
    })?;
    let at = Pointer::root().join(name);
    let flag = Template::Literal(value::node(Value::Bool(flag)));
    step.request.replacements.push((at, flag));
    Some(before)
}

/// The flag for which a sentence says that something is refused.
fn flag(sentence: &str) -> Option<(&str, bool)> {
    const REFUSED: [&str; 5] = ["refused", "rejected", "cannot", "409", "422"];
    const DOUBTFUL: [&str; 6] = ["unless", "except", "may", "default", "with", "if"];
    let words = names::words(sentence);
    let is_refused = prose::has(&words, &REFUSED);
    let mut marked = sentence.split('`').skip(1).step_by(2);
    let (name, flag) = marked.find_map(|own| own.split_once(": "))?;
    let flag = flag.trim().parse().ok()?;
    let before = sentence.split(name).next()?;
    let is_doubtful = prose::has(&names::words(before), &DOUBTFUL);
    (is_refused && !is_doubtful).then_some((name, flag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_something_is_refused_for() {
        for (text, expected) in [
            (
                "A plan that is not available (`available: false`) is refused with `422`",
                Some(("available", false)),
            ),
            (
                "What is `locked: true` cannot be changed",
                Some(("locked", true)),
            ),
            ("With `final: true` more is refused", None),
            ("A plan (`available: false`) is shown", None),
            ("A plan (`status: off`) is refused", None),
        ] {
            assert_eq!(flag(text), expected, "{text}");
        }
    }
}
