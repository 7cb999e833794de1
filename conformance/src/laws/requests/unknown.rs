//! A key that nobody has is not found.

use openapi_document::Node;
use openapi_document::view::{Located, Location};

use crate::case::{Argument, ArgumentValue, Step};
use crate::checks;
use crate::contract::Contract;
use crate::exchange::Sent;
use crate::fresh::is_uuid;
use crate::model::{Call, Role};
use crate::value;

use crate::answered::{status, succeeded, told};
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};

/// The beginning of a key of so many characters is nobody else's by chance.
const LONG: usize = 10;

/// Another key of fewer characters may be somebody's by chance.
const FEW: usize = 6;

/// Tries an operation whose path names a record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let names_another = call.path_parameters().into_iter().any(is_looked_for(call));
    if !names_another || call.not_found().is_none() {
        return Ok(false);
    }
    of(scene, call, draft).await.map(|()| true)
}

async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let Some(response) = call.not_found() else {
        return Ok(());
    };
    let ready = scene.ready(call, "unknown").await?;
    let known = scene.compose(&ready, "unknown")?;
    let (name, old) = looked_for(call, &known).ok_or("the call has no path argument")?;
    let sent = of_nobody(scene, call, &ready, &known)?;
    let mut exchange = scene.send(sent).await;
    // Nor has anybody the beginning of what was made up to be its own.
    if let (false, Some(shorter)) = (succeeded(&exchange), shorter(call, old)) {
        let step = with_key(&ready, name, |_| value::string(shorter));
        let sent = scene.compose_step(&ready, &step, "unknown-shorter")?;
        let found = scene.send(sent).await;
        if succeeded(&found) {
            exchange = found;
        }
    }
    if succeeded(&exchange) {
        let claim = Claim::new(
            &checks::UNKNOWN_KEY_FOUND,
            Ground::Keyword(response.key_span),
            format!("status 404 for a `{name}` that nobody has"),
            told(&exchange),
        );
        scene.differ(draft, call, claim, &exchange);
        return Ok(());
    }
    scene.judge(draft, call, &response, &exchange);
    if status(&exchange) == Some(404) {
        scene.reach(call, 404, draft);
    }
    Ok(())
}

/// The last path argument that names what has to be there.
fn looked_for<'s>(call: &Call<'_>, known: &'s Sent) -> Option<&'s (String, String)> {
    let mut all = known.path_arguments.iter().rev();
    all.find(|(name, _)| is_looked_for(call)(name))
}

/// The same request with another key in its path.
fn with_key<'d>(
    ready: &Ready<'_, 'd>,
    name: &str,
    wanted: impl Fn(&Argument<'d>) -> Node,
) -> Step<'d> {
    let mut step = ready.call.clone();
    for argument in &mut step.request.arguments {
        if argument.location == Location::Path && argument.name == name {
            argument.value = ArgumentValue::Example(wanted(argument));
            argument.natural_key = false;
        }
    }
    step
}

/// The same request for a record that nobody has.
pub(super) fn of_nobody<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    known: &Sent,
) -> Result<Sent, String> {
    let (name, old) = looked_for(call, known).ok_or("the call has no path argument")?;
    let allowed = |own: &Argument<'d>, key: &Node| {
        let schema = own.schema.as_ref();
        schema.is_none_or(|schema| is_allowed(scene.contract(), schema, key))
    };
    let step = with_key(ready, name, |own| {
        unlike(argument_is_number(own), old, |key| allowed(own, key))
    });
    scene.compose_step(ready, &step, "unknown")
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

/// Whether a schema allows a key.
pub(crate) fn is_allowed(contract: &Contract<'_>, schema: &Located<'_>, key: &Node) -> bool {
    let broken = contract.validate_request(schema, key);
    broken.is_ok_and(|own| own.is_empty())
}

/// A key of the same form that nobody has; one that its schema allows, where one is found.
pub(crate) fn unlike(is_number: bool, old: &str, allowed: impl Fn(&Node) -> bool) -> Node {
    let usual = strange(is_number, old);
    if is_number || allowed(&usual) {
        return usual;
    }
    alike(old).filter(|own| allowed(own)).unwrap_or(usual)
}

/// A key with another digit for each digit, and for each letter another one of those that numbers to the base of sixteen
/// have, or of the others.
fn alike(old: &str) -> Option<Node> {
    let keep = old.find(['_', '-']).map_or(0, |at| at + 1);
    let (prefix, rest) = old.split_at(keep);
    let is_counted = rest.bytes().all(|byte| byte.is_ascii_digit());
    let rest = match rest.len() {
        0 => return None,
        // What is counted up comes to the last one of its length late.
        length if is_counted && length < LONG => "987654321"[..length].to_owned(),
        length if length < FEW => return None,
        _ => rest.chars().map(next).collect(),
    };
    let new = format!("{prefix}{rest}");
    (new != old).then(|| value::string(&new))
}

/// The next character of a class.
fn next(own: char) -> char {
    const CLASSES: [(char, char); 5] = [('0', '9'), ('a', 'f'), ('g', 'z'), ('A', 'F'), ('G', 'Z')];
    let class = CLASSES
        .iter()
        .find(|(first, last)| (*first..=*last).contains(&own));
    match class {
        Some((first, last)) if own == *last => *first,
        Some(_) => char::from_u32(u32::from(own) + 1).unwrap_or(own),
        None => own,
    }
}

fn strange(is_number: bool, old: &str) -> Node {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_same_form() {
        for (old, pattern, expected) in [
            ("cli_5f1e2d3c4b5a", "^cli_[0-9a-f]{12}$", "cli_6a2f3e4d5c6b"),
            ("CLI-ZZ12GG", "^CLI-[G-Z0-9]{6}$", "CLI-QQ23QQ"),
            ("acc_7hq2m4k9xw", "^acc_[0-9a-z]{10}$", "acc_8qq3q5q0qq"),
            ("inv_1009", "^inv_[0-9]{4}$", "inv_9876"),
            ("inv_1009", "^inv_[0-9]+$", "inv_987654321"),
            ("a1b", "^[ab][0-9][ab]$", "q2q"),
            ("key", "^other$", "qqq"),
        ] {
            let own = regex::Regex::new(pattern).unwrap();
            let allowed = |key: &Node| key.as_str().is_some_and(|key| own.is_match(key));
            let found = unlike(false, old, allowed);
            assert_eq!(found.as_str(), Some(expected), "{old} {pattern}");
        }
    }
}
