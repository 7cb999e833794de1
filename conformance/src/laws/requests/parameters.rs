//! Parameters: the server must refuse a parameter that breaks its schema, and a body that ends early.

use openapi_document::view::{Located, Location, Parameter};
use openapi_document::{Node, Pointer, Value};

use crate::case::{ArgumentValue, Request, Step};
use crate::checks;
use crate::collect::request;
use crate::encoding::Encoding;
use crate::exchange::{Exchange, Sent};
use crate::model::Call;
use crate::mutation::{Mutation, mutations};
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

use crate::answered::{describe, items_of, key_name, status, succeeded};
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::{Ready, Scene};

/// Tests an operation with parameters or a JSON body. If it documents no refusal, only a server error
/// is a finding.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.refuses_content() {
        return test_call(scene, call, draft).await;
    }
    provoke(scene, call).await
}

/// Sends requests that nothing allows to succeed and that change nothing if they do: broken parameters of a reading,
/// and a body that ends early. The case reports a server error among the answers.
async fn provoke<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>) -> Tried {
    let parameters = request::parameters(&call.operation, scene.selection);
    let is_reading = call.operation.method.is_safe();
    let has_parameters = parameters
        .iter()
        .any(|parameter| parameter.schema().is_some());
    if call.body.is_none() && !(is_reading && has_parameters) {
        return Ok(false);
    }
    let ready = scene.ready(call, "parameters").await?;
    let sent = scene.compose(&ready, "parameters")?;
    let all = broken(scene, call, &sent);
    let all = all.iter().filter(|_| is_reading);
    let mut was_sent = false;
    for (index, broken) in all.enumerate() {
        let step = with(scene, &ready, broken);
        let sent = scene.compose_step(&ready, &step, &format!("parameters-{index}"))?;
        scene.send(sent).await;
        was_sent = true;
    }
    if sent.json.is_some() && sent.encoding.tells_its_end() {
        scene.send(half(sent)).await;
        was_sent = true;
    }
    Ok(was_sent)
}

/// A text in the form of a cursor that no page has.
const NOBODYS_CURSOR: &str = "bm9ib2R5cyBjdXJzb3I";

/// A parameter with an invalid value.
struct Broken<'d> {
    parameter: Parameter<'d>,
    value: Node,
    keyword: &'static str,
    what: String,
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let any = request::parameters(&call.operation, scene.selection);
    let constrained = any.iter().any(|parameter| parameter.schema().is_some());
    if !constrained && call.body.is_none() {
        return Ok(false);
    }
    let ready = scene.ready(call, "parameters").await?;
    let sent = scene.compose(&ready, "parameters")?;
    let all = broken(scene, call, &sent);
    let is_cut = sent.json.is_some() && sent.encoding.tells_its_end();
    let has_body = is_cut && call.first_of(&[400, 422]).is_some();
    for (index, broken) in all.iter().enumerate() {
        let step = with(scene, &ready, broken);
        let tag = format!("parameters-{index}");
        let sent = scene.compose_step(&ready, &step, &tag)?;
        let exchange = scene.send(sent).await;
        let pointer = Pointer::root()
            .join(broken.parameter.location.as_str())
            .join(broken.parameter.name);
        let what = format!("`{}` is broken by {}", broken.keyword, broken.what);
        judge(
            scene,
            call,
            (
                Basis::Keyword(broken.parameter.at.node.span),
                pointer,
                &what,
            ),
            &exchange,
            draft,
        );
        if succeeded(&exchange) && !call.operation.method.is_safe() {
            // The operation was executed, so later requests would meet another state.
            return Ok(true);
        }
    }
    excluded(scene, call, &ready, draft).await;
    for name in required(scene, call) {
        let mut without = sent.clone();
        leave_out(&mut without, name);
        let exchange = scene.send(without).await;
        let what = format!("`{name}` is required and missing");
        let pointer = Pointer::root().join("header").join(name);
        judge(
            scene,
            call,
            (Basis::Parameters, pointer, &what),
            &exchange,
            draft,
        );
    }
    if has_body {
        let half = half(sent);
        let exchange = scene.send(half).await;
        let what = "the body ends after half of its bytes";
        judge(
            scene,
            call,
            (Basis::Body, Pointer::root(), what),
            &exchange,
            draft,
        );
    }
    Ok(has_body || !all.is_empty() || !required(scene, call).is_empty())
}

/// Two parameters that exclude each other by their texts must be refused together; each one alone must succeed.
async fn excluded<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    draft: &mut Draft,
) -> Option<()> {
    let parameters = request::parameters(&call.operation, scene.selection);
    let query = parameters
        .iter()
        .filter(|parameter| parameter.location == Location::Query);
    let query: Vec<&Parameter<'d>> = query.collect();
    let (one, other) = query.iter().find_map(|one| {
        let text = one.at.node.get("description").and_then(Node::as_str)?;
        let is_it = |parameter: &&&Parameter<'_>| {
            parameter.name != one.name && excludes(text, parameter.name)
        };
        Some((*one, *query.iter().find(is_it)?))
    })?;
    let first = scene.call(ready, "excluded").await.ok()?;
    let record = items_of(call, &first)?.first()?.at(&call.record()?.at)?;
    let key = record.get(key_name(call)?)?.clone();
    let mut step = ready.call.clone();
    for parameter in [one, other] {
        let value = ArgumentValue::Example(key.clone());
        let mut argument = request::argument(scene.contract(), parameter, value);
        argument.natural_key = false;
        step.request
            .arguments
            .retain(|known| known.name != parameter.name || known.location != parameter.location);
        let alone = Step {
            request: Request {
                arguments: [&ready.call.request.arguments[..], &[argument.clone()]].concat(),
                ..ready.call.request.clone()
            },
            ..ready.call.clone()
        };
        let sent = scene.compose_step(ready, &alone, "excluded-alone").ok()?;
        succeeded(&scene.send(sent).await).then_some(())?;
        step.request.arguments.push(argument);
    }
    let sent = scene.compose_step(ready, &step, "excluded-both").ok()?;
    let exchange = scene.send(sent).await;
    let what = format!("`{}` and `{}` exclude each other", one.name, other.name);
    let pointer = Pointer::root().join("query").join(one.name);
    let basis = Basis::description(one.at.node);
    judge(scene, call, (basis, pointer, &what), &exchange, draft);
    Some(())
}

/// Whether the text of a parameter says that it excludes another one.
fn excludes(text: &str, other: &str) -> bool {
    let name_words = names::words(other);
    prose::sentences(text).into_iter().any(|sentence| {
        let words = names::words(sentence);
        let joined = words.join(" ");
        let is_named = words
            .windows(name_words.len())
            .any(|part| part == name_words);
        let bars = prose::has(&words, &["cannot", "not", "never"]);
        let together = prose::has(&words, &["combined", "together", "combine"]);
        is_named && (bars && together || joined.contains("mutually exclusive"))
    })
}

/// The required headers, without those that only label a request.
fn required<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> Vec<&'d str> {
    let all = request::parameters(&call.operation, scene.selection).into_iter();
    let names = all
        .filter(|parameter| {
            parameter.location == Location::Header && parameter.required() && !is_label(parameter)
        })
        .map(|parameter| parameter.name);
    names.collect()
}

fn leave_out(sent: &mut Sent, name: &str) {
    sent.headers
        .retain(|(property, _)| !property.eq_ignore_ascii_case(name));
}

/// Each parameter with an invalid value per keyword.
fn broken<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, sent: &Sent) -> Vec<Broken<'d>> {
    let mut all = Vec::new();
    for parameter in request::parameters(&call.operation, scene.selection) {
        let Some(schema) = parameter.schema().filter(|_| !is_label(&parameter)) else {
            continue;
        };
        if bars_cursors(call, &parameter) {
            all.push(Broken {
                parameter: parameter.clone(),
                value: value::string(NOBODYS_CURSOR),
                keyword: "cursor",
                what: "a cursor of no page".to_owned(),
            });
        }
        let Some(valid) = valid(scene, &parameter, &schema, sent) else {
            continue;
        };
        for (keyword, what, value) in strange(scene, &schema, &valid) {
            let parameter = parameter.clone();
            all.push(Broken {
                parameter,
                value,
                keyword,
                what,
            });
        }
    }
    all
}

/// Whether a parameter is a cursor, and a text says that other values are refused.
fn bars_cursors(call: &Call<'_>, parameter: &Parameter<'_>) -> bool {
    let name = names::words(parameter.name);
    let is_cursor = matches!(name.last().map(String::as_str), Some("cursor"));
    let text = parameter.at.node.get("description").and_then(Node::as_str);
    let refusals = [400, 422].into_iter();
    let refusals = refusals.filter_map(|code| call.text_of(code));
    let texts = text.into_iter().chain(call.texts()).chain(call.overall);
    let mut said = texts.chain(refusals).flat_map(prose::spoken);
    is_cursor && said.any(|sentence| says_barred(&sentence))
}

/// Whether a sentence says that a cursor may be refused.
fn says_barred(words: &[String]) -> bool {
    let is_bad = prose::has(words, &["invalid", "unknown", "400", "422", "malformed"]);
    let is_not_good = prose::has(words, &["not"])
        && prose::has(
            words,
            &["valid", "good", "known", "recognised", "recognized"],
        );
    prose::has(words, &["cursor", "cursors"]) && (is_bad || is_not_good)
}

/// Whether a header only labels a request and has no effect on its result.
fn is_label(parameter: &Parameter<'_>) -> bool {
    let words = names::words(parameter.name);
    let is_one = |word: &String| matches!(word.as_str(), "request" | "correlation");
    parameter.location == Location::Header && words.iter().any(is_one)
}

/// A valid value: the sent one, an example, or one derived from the schema.
fn valid<'d>(
    scene: &Scene<'_, 'd>,
    parameter: &Parameter<'d>,
    schema: &Located<'d>,
    sent: &Sent,
) -> Option<Node> {
    let shape = Shape::of(scene.model.document, Some(schema));
    let argument_in = |all: &[(String, String)]| {
        let (_, text) = all.iter().find(|(name, _)| name == parameter.name)?;
        Some(text.clone())
    };
    let text = match parameter.location {
        Location::Path => argument_in(&sent.path_arguments),
        Location::Query => argument_in(&sent.query),
        Location::Header => sent.header(parameter.name).map(str::to_owned),
        Location::Cookie => None,
    };
    let is_number = matches!(shape.type_name(), Some("integer" | "number"));
    let read = |text: String| {
        if is_number {
            value::number(text)
        } else {
            value::string(&text)
        }
    };
    let is_text = shape.type_name().is_none_or(|name| name == "string");
    let given = text.filter(|_| is_number || is_text).map(read);
    let example = || match request::argument_value(scene.contract(), parameter, None)? {
        ArgumentValue::Example(node) => Some(node),
        _ => None,
    };
    let least = || {
        shape
            .keyword("minimum")
            .or(shape.keyword("default"))
            .cloned()
    };
    let first = || shape.known_values().first().map(|text| value::string(text));
    let created = match shape.type_name() {
        Some("integer" | "number") => least().or_else(|| Some(value::number(1))),
        Some("boolean") => Some(value::node(Value::Bool(true))),
        Some("string") => first().or_else(|| Some(value::string("a"))),
        _ => None,
    };
    given.or_else(example).or(created)
}

/// Invalid values of a parameter that a text on the wire can express.
fn strange<'d>(
    scene: &Scene<'_, 'd>,
    schema: &Located<'d>,
    valid: &Node,
) -> Vec<(&'static str, String, Node)> {
    let shape = Shape::of(scene.model.document, Some(schema));
    let differs = |mutation: &Mutation| {
        let is_part =
            matches!(mutation.value.value, Value::Number(_)) && mutation.keyword == "type";
        let is_shape = matches!(
            mutation.keyword,
            "type" | "nullable" | "required" | "additionalProperties" | "minItems" | "uniqueItems"
        );
        let is_empty = mutation
            .value
            .as_str()
            .is_some_and(|text| text.trim().is_empty());
        // Headers must be printable, and a path must not lead elsewhere.
        let is_plain = value::plain(&mutation.value)
            .chars()
            .all(|char| char.is_ascii_graphic() || char == ' ');
        (is_part || !is_shape) && !is_empty && is_plain
    };
    let all = mutations(scene.contract(), schema, (valid, &Encoding::Json));
    let mut list: Vec<_> = all
        .into_iter()
        .filter(differs)
        .map(|entry| (entry.keyword, entry.what, entry.value))
        .collect();
    if matches!(shape.type_name(), Some("integer" | "number" | "boolean")) {
        let what = "`malformed`".to_owned();
        list.push(("type", what, value::string("malformed")));
    }
    list
}

/// The call with another value of a parameter.
fn with<'d>(scene: &Scene<'_, 'd>, ready: &Ready<'_, 'd>, item: &Broken<'d>) -> Step<'d> {
    let mut step = ready.call.clone();
    let value = ArgumentValue::Example(item.value.clone());
    let mut argument = request::argument(scene.contract(), &item.parameter, value);
    argument.natural_key = false;
    step.request.arguments.retain(|other| {
        other.name != item.parameter.name || other.location != item.parameter.location
    });
    step.request.arguments.push(argument);
    step
}

/// The request with the first half of its body.
fn half(mut sent: Sent) -> Sent {
    if let Some(body) = &mut sent.body {
        body.truncate(body.len() / 2);
    }
    sent.json = None;
    sent.shown.body = sent
        .shown
        .body
        .map(|text| text.chars().take(text.chars().count() / 2).collect());
    sent
}

pub(super) fn judge<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (basis, pointer, what): (Basis, Pointer, &str),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    if succeeded(exchange) {
        let claim = Claim::new(
            &checks::CONSTRAINT_IGNORED,
            basis,
            format!("a refusal: {what}"),
            describe(exchange),
        )
        .at(pointer);
        scene.differ(draft, call, claim, exchange);
        return;
    }
    let in_path = pointer.segments().next().as_deref() == Some(Location::Path.as_str());
    // An invalid key may also be answered like an unknown one. `answers` notes a 404 that the
    // document does not list.
    if in_path && status(exchange) == Some(404) && call.response(404).is_none() {
        return;
    }
    let fits = |code: &u16| matches!(code, 400 | 422 | 412 | 428) || (in_path && *code == 404);
    let code = status(exchange).filter(fits);
    let documented = code.and_then(|code| call.response(code));
    let Some(response) = documented.or_else(|| call.first_of(&[400, 422])) else {
        return;
    };
    scene.judge_form(draft, call, &response, exchange);
    if let Some(code) = status(exchange) {
        scene.reach(call, code, draft);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_bar_cursors() {
        for (text, expected) in [
            ("The cursor is not good for this list", true),
            ("An unknown cursor is answered with 400", true),
            ("The cursor of the next page", false),
            ("It is not valid", false),
        ] {
            assert_eq!(says_barred(&names::words(text)), expected, "{text}");
        }
    }

    #[test]
    fn texts_that_exclude_a_parameter() {
        for (text, other, expected) in [
            ("Cannot be combined with `after`.", "after", true),
            ("Must not be given together with `after`", "after", true),
            ("`before` and `after` are mutually exclusive", "after", true),
            ("Can be combined with `after`.", "after", false),
            ("Cannot be combined with `page`.", "after", false),
            ("Not the same as `after`", "after", false),
        ] {
            assert_eq!(excludes(text, other), expected, "{text}");
        }
    }
}
