//! A key that nobody has is not found.

use spec::Node;
use spec::document::Location;

use crate::case::{Argument, ArgumentValue};
use crate::checks;
use crate::fresh::is_uuid;
use crate::model::{Call, Role};
use crate::value;

use crate::laws::trial::answered::{status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft, Tried};
use crate::laws::trial::world::World;

/// The beginning of a key of so many characters is nobody else's by chance.
const LONG: usize = 10;

/// Tries an operation whose path names a record.
pub(crate) async fn run<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let names_another = call.path_parameters().into_iter().any(is_looked_for(call));
    if !names_another || call.response(404).is_none() {
        return Ok(false);
    }
    of(world, call, draft).await.map(|()| true)
}

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let Some(response) = call.response(404) else {
        return Ok(());
    };
    let ready = world.ready(call, "unknown").await?;
    let known = world.compose(&ready, "unknown")?;
    let mut all = known.path_arguments.iter().rev();
    let (name, old) = all
        .find(|(name, _)| is_looked_for(call)(name))
        .ok_or("the call has no path argument")?;
    let ask = |wanted: &dyn Fn(&Argument<'d>) -> Node| {
        let mut step = ready.call.clone();
        for argument in &mut step.request.arguments {
            if argument.location == Location::Path && argument.name == *name {
                argument.value = ArgumentValue::Example(wanted(argument));
                argument.natural_key = false;
            }
        }
        step
    };
    let step = ask(&|own| unlike(argument_is_number(own), old));
    let sent = world.compose_step(&ready, &step, "unknown")?;
    let mut exchange = world.send(sent).await;
    // Nor has anybody the beginning of what was made up to be its own.
    if let (false, Some(shorter)) = (succeeded(&exchange), shorter(call, old)) {
        let step = ask(&|_| value::string(shorter));
        let sent = world.compose_step(&ready, &step, "unknown-shorter")?;
        let found = world.send(sent).await;
        if succeeded(&found) {
            exchange = found;
        }
    }
    if succeeded(&exchange) {
        let claim = Claim::new(
            &checks::UNKNOWN_KEY_FOUND,
            format!("status 404 for a `{name}` that nobody has"),
            told(&exchange),
        )
        .within(world.spot_of_response(&response));
        world.differ(draft, call, claim, &exchange);
        return Ok(());
    }
    world.judge(draft, call, &response, &exchange);
    if status(&exchange) == Some(404) {
        world.reach(call, 404, draft);
    }
    Ok(())
}

/// Whether a path parameter names what has to be there: not what the caller is about to put there.
fn is_looked_for(call: &Call<'_>) -> impl Fn(&str) -> bool {
    let chosen = call.chosen.map(str::to_owned);
    move |name| chosen.as_deref() != Some(name)
}

/// The beginning of a key which its sender has made long enough, where it is only looked for.
fn shorter<'o>(call: &Call<'_>, old: &'o str) -> Option<&'o str> {
    let is_long = old.is_ascii() && old.len() >= LONG && !is_uuid(old);
    let is_read = call.operation.method.is_safe() && call.role == Role::Read;
    (is_long && is_read).then(|| &old[..old.len() - 3])
}

fn argument_is_number(argument: &crate::case::Argument<'_>) -> bool {
    let schema = argument.schema.as_ref();
    let name = schema.and_then(|own| own.node.get("type")?.as_str());
    matches!(name, Some("integer" | "number"))
}

/// A key of the same form that nobody has.
pub(crate) fn unlike(is_number: bool, old: &str) -> spec::Node {
    if is_number {
        return value::number(2_147_483_647_u32);
    }
    if is_uuid(old) {
        return value::string("4b9ad6e2-0f57-4a1c-9d1e-5e0c7f3a8b6d");
    }
    // A prefix that tells the kind of record stays.
    let keep = old.find(['_', '-']).map_or(0, |at| at + 1);
    let (prefix, rest) = old.split_at(keep);
    // What is counted up has the next key soon.
    if rest.len() < 10 && rest.bytes().all(|byte| byte.is_ascii_digit()) {
        return value::string(&format!("{prefix}987654321"));
    }
    let turned = rest.chars().map(|char| match char {
        '0'..='8' => char::from_u32(u32::from(char) + 1).unwrap_or('0'),
        '9' => '0',
        'a'..='z' => 'q',
        'A'..='Z' => 'Q',
        other => other,
    });
    value::string(&format!("{prefix}{}", turned.collect::<String>()))
}
