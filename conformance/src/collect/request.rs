//! Builds the request of a case from the examples of an operation.

use openapi_document::Node;
use openapi_document::view::{Example, Located, Location, MediaType, Operation, Parameter, Status};

use super::Selection;
use crate::case::{
    Argument, ArgumentValue, Body, BodyValue, Documented, DocumentedArgument, Request,
};
use crate::contract::Contract;
use crate::encoding::{self, Encoding};
use crate::model::echoed;
use crate::names;
use crate::prose;
use crate::sample::{self, Extent, invention};
use crate::shape::Shape;
use crate::style::Style;
use crate::value;

/// The keys of the named request examples of an operation: of its body and its parameters.
pub fn keys<'d>(operation: &Operation<'d>) -> Vec<&'d str> {
    let mut keys = Vec::new();
    let bodies = operation
        .request_body()
        .map(|body| body.content())
        .unwrap_or_default();
    let named = |example: &Example<'d>| example.object.is_some().then_some(example.key);
    let of_bodies = bodies
        .iter()
        .flat_map(|media| named_keys(&media.examples(), named));
    let parameters = operation.parameters();
    let of_parameters = parameters
        .iter()
        .flat_map(|parameter| named_keys(&examples(parameter), named));
    for key in of_bodies.chain(of_parameters) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

fn named_keys<'d>(
    examples: &[Example<'d>],
    named: impl Fn(&Example<'d>) -> Option<&'d str>,
) -> Vec<&'d str> {
    examples.iter().filter_map(named).collect()
}

/// The request from the examples with a key. Without a key, from the examples that belong to no
/// key.
///
/// # Errors
/// A required value is missing; the sentence names it.
pub fn request<'d>(
    contract: &Contract<'d>,
    operation: &Operation<'d>,
    selection: &Selection,
    key: Option<&str>,
) -> Result<Request<'d>, String> {
    let mut arguments = Vec::new();
    for parameter in parameters(operation, selection) {
        if let Some(value) = argument_value(contract, &parameter, key) {
            arguments.push(argument(contract, &parameter, value));
        } else if let (true, Some(key)) = (parameter.required(), any_key(contract, &parameter)) {
            // Each request gets a new key, so no example is needed.
            let mut argument = self::argument(contract, &parameter, ArgumentValue::Example(key));
            argument.each_its_own = true;
            arguments.push(argument);
        } else if let Some(label) = echoed_label(contract, &parameter) {
            arguments.push(argument(contract, &parameter, label));
        } else if let (true, Some(label)) = (parameter.required(), any_label(contract, &parameter))
        {
            arguments.push(argument(contract, &parameter, label));
        } else if parameter.required() {
            return Err(format!(
                "no value for the {} parameter `{}`: the contract has no example of it",
                parameter.location.as_str(),
                parameter.name
            ));
        }
    }
    let body = body(contract, operation, key)?;
    let shown = body.as_ref().and_then(|body| body.value.plain());
    let documented = documented(contract, operation, key, shown);
    Ok(Request {
        arguments,
        body,
        replacements: Vec::new(),
        spoil: None,
        documented,
    })
}

/// The values in the examples with a key, whether or not the run sends them.
pub fn documented(
    contract: &Contract<'_>,
    operation: &Operation<'_>,
    key: Option<&str>,
    body: Option<&Node>,
) -> Documented {
    let shown = |parameter: &Parameter<'_>| {
        Some(DocumentedArgument {
            name: parameter.name.to_owned(),
            location: parameter.location,
            value: shown_value(contract, parameter, key)
                .or_else(|| shown_value(contract, parameter, None))?,
            sensitive: flag(contract, parameter, "x-sensitive"),
        })
    };
    Documented {
        arguments: operation.parameters().iter().filter_map(shown).collect(),
        body: body.cloned(),
    }
}

/// The body in the example with a key. `None` when the key has no body example.
pub fn shown_body<'d>(operation: &Operation<'d>, key: Option<&str>) -> Option<&'d Node> {
    let media = encoding::preferred(operation.request_body()?.content())?;
    body_example(&media, key)
}

/// An argument for a declared parameter.
pub fn argument<'d>(
    contract: &Contract<'d>,
    parameter: &Parameter<'d>,
    value: ArgumentValue,
) -> Argument<'d> {
    let flag = |key: &str| flag(contract, parameter, key);
    Argument {
        name: parameter.name.to_owned(),
        location: parameter.location,
        natural_key: flag("x-natural-key")
            || is_idempotency_key(parameter)
            || (parameter.location == Location::Header && contract.is_key(parameter.name)),
        each_its_own: false,
        sensitive: flag("x-sensitive"),
        style: style(parameter),
        schema: parameter.schema(),
        value,
    }
}

/// Whether an extension of a parameter or its schema is `true`.
fn flag(contract: &Contract<'_>, parameter: &Parameter<'_>, key: &str) -> bool {
    let nodes = [parameter.raw.node, parameter.at.node];
    let set = |node: &&Node| node.get(key).and_then(Node::as_bool) == Some(true);
    let schema = parameter.schema();
    nodes.iter().any(set) || Shape::of(contract.document, schema.as_ref()).flag(key)
}

/// Whether a parameter is an idempotency key.
pub fn is_idempotency_key(parameter: &Parameter<'_>) -> bool {
    let words = names::words(parameter.name);
    parameter.location == Location::Header && words.iter().any(|word| word == "idempotency")
}

/// Forms of idempotency keys, the most usual one first.
const KEYS: [&str; 4] = [
    "6a112e4a-83d0-4dd8-8111-be242b8dc188",
    "6a112e4a83d04dd88111be242b8dc188",
    "6A112E4A83D04DD88111BE24",
    "611204830485811182428188",
];

/// A key that the schema of a parameter allows, long enough to be unique.
fn any_key(contract: &Contract<'_>, parameter: &Parameter<'_>) -> Option<Node> {
    let takes = |node: &Node| {
        let found = parameter.schema();
        let found = found.map(|schema| contract.validate_request(&schema, node));
        found.is_none_or(|found| found.is_ok_and(|all| all.is_empty()))
    };
    let is_key = is_idempotency_key(parameter);
    let mut all = KEYS.into_iter().map(value::string).filter(|_| is_key);
    all.find(takes)
}

/// A fresh label for each request, when the document says that the answer repeats it and its schema
/// allows a UUID.
pub fn echoed_label(contract: &Contract<'_>, parameter: &Parameter<'_>) -> Option<ArgumentValue> {
    let info = contract.document.root.get("info");
    let overall = info.and_then(|info| info.get("description")?.as_str());
    let is_stated = is_label(parameter) && echoed::is_echoed(parameter, overall);
    let schema = parameter.schema().filter(|_| is_stated)?;
    let [uuid, ..] = KEYS;
    let broken = contract.validate_request(&schema, &value::string(uuid));
    broken.ok()?.is_empty().then_some(ArgumentValue::FreshUuid)
}

/// Whether a header only labels the request, such as a request id.
fn is_label(parameter: &Parameter<'_>) -> bool {
    const LABELS: [&str; 3] = ["request", "correlation", "trace"];
    let words = names::words(parameter.name);
    let is_label = prose::has(&words, &LABELS) && prose::has(&words, &["id"]);
    is_label && parameter.location == Location::Header
}

/// Any valid label for a header that only labels the request.
fn any_label(contract: &Contract<'_>, parameter: &Parameter<'_>) -> Option<ArgumentValue> {
    is_label(parameter)
        .then(|| invented_value(contract, parameter, Extent::Full))
        .flatten()
}

/// A malformed argument for a query parameter. Prefers a parameter that `is_meant` selects, else
/// one whose schema does not allow every text. `None` when a 422 could be the answer to that.
pub fn malformed_query<'d>(
    contract: &Contract<'d>,
    operation: &Operation<'d>,
    is_meant: impl Fn(&str) -> bool,
) -> Option<Argument<'d>> {
    const MALFORMED: &str = "malformed";
    const ISSUED: [&str; 2] = ["cursor", "token"];
    let is_strict = |parameter: &Parameter<'d>| {
        let schema = parameter.schema();
        let shape = Shape::of(contract.document, schema.as_ref());
        matches!(shape.type_name(), Some("integer" | "number" | "boolean"))
            || matches!(shape.format(), Some("uuid" | "date" | "date-time"))
    };
    // The run cannot invent a value that the server issues.
    let is_issued = |name: &str| prose::has(&names::words(name), &ISSUED);
    let mut parameters = operation.parameters();
    parameters.retain(|parameter| parameter.location == Location::Query);
    let may_be_other = operation
        .responses()
        .iter()
        .any(|response| response.status == Status::Code(422));
    let meant = |parameter: &&Parameter<'d>| {
        is_meant(parameter.name) && (is_issued(parameter.name) || is_strict(parameter))
    };
    let any = || parameters.iter().find(|parameter| is_strict(parameter));
    let found = parameters.iter().find(meant);
    let parameter = found.or_else(|| any().filter(|_| !may_be_other))?;
    let value = ArgumentValue::Malformed(value::string(MALFORMED));
    Some(argument(contract, parameter, value))
}

fn style(parameter: &Parameter<'_>) -> Style {
    let name = if parameter.content().is_empty() {
        parameter.style()
    } else {
        "json"
    };
    Style {
        name: name.to_owned(),
        explode: parameter.explode(),
    }
}

/// The parameters that a request needs values for. Leaves out headers that OpenAPI does not treat
/// as parameters, and headers that the run sets.
pub fn parameters<'d>(operation: &Operation<'d>, selection: &Selection) -> Vec<Parameter<'d>> {
    const NOT_PARAMETERS: [&str; 3] = ["accept", "content-type", "authorization"];
    let is_sent = |parameter: &Parameter<'_>| {
        let name = parameter.name.to_ascii_lowercase();
        let given = NOT_PARAMETERS.contains(&name.as_str()) || selection.headers.contains(&name);
        parameter.location != Location::Header || !given
    };
    let mut parameters = operation.parameters();
    parameters.retain(is_sent);
    parameters
}

/// The examples of a parameter, or of its media type.
fn examples<'d>(parameter: &Parameter<'d>) -> Vec<Example<'d>> {
    let of_parameter = parameter.examples();
    let content = parameter.content();
    let of_content = content.iter().flat_map(MediaType::examples);
    of_parameter.into_iter().chain(of_content).collect()
}

/// The value of a parameter in the examples with a key.
pub fn argument_value(
    contract: &Contract<'_>,
    parameter: &Parameter<'_>,
    key: Option<&str>,
) -> Option<ArgumentValue> {
    if parameter.location == Location::Header && parameter.name.eq_ignore_ascii_case("request-id") {
        return Some(ArgumentValue::FreshUuid);
    }
    shown_value(contract, parameter, key).map(ArgumentValue::Example)
}

/// The value that the contract shows for a parameter in the examples with a key.
fn shown_value(
    contract: &Contract<'_>,
    parameter: &Parameter<'_>,
    key: Option<&str>,
) -> Option<Node> {
    let examples = examples(parameter);
    let of_key = |key| examples.iter().find(|example| example.key == key);
    let is_named = key.is_some_and(|key| key != "example" && of_key(key).is_some());
    if is_precondition(parameter) && !parameter.required() && !is_named {
        return None;
    }
    let example = key.and_then(of_key);
    let example = example.map(|example| example.value.node.clone());
    let plain = || of_key("example").map(|example| example.value.node.clone());
    let value = match example {
        Some(value) => Some(value),
        None if key.is_none() => plain(),
        None => None,
    };
    let any = || Some(examples.first()?.value.node.clone());
    let required = || {
        plain()
            .or_else(|| sample(contract, parameter.schema()))
            .or_else(any)
    };
    match value {
        None if parameter.required() => required(),
        other => other,
    }
}

/// Whether a header is a precondition. Its example holds only for the record in the example.
fn is_precondition(parameter: &Parameter<'_>) -> bool {
    const ALL: [&str; 5] = [
        "if-match",
        "if-none-match",
        "if-modified-since",
        "if-unmodified-since",
        "if-range",
    ];
    let name = parameter.name.to_ascii_lowercase();
    parameter.location == Location::Header && ALL.contains(&name.as_str())
}

/// An invented value for a parameter without an example.
pub fn invented_value(
    contract: &Contract<'_>,
    parameter: &Parameter<'_>,
    extent: Extent,
) -> Option<ArgumentValue> {
    let invented = any_key(contract, parameter).or_else(|| {
        let schema = parameter.schema()?;
        let shape = Shape::of(contract.document, Some(&schema));
        let invented = sample::invent(contract.document, &shape, extent)?;
        let invented = invention::after(parameter.name, invented);
        let is_word = parameter.location == Location::Path && invented.as_str() == Some("Text");
        // Many servers accept only lower-case letters for names that are part of an address.
        Some(if is_word {
            value::string("text")
        } else {
            invented
        })
    });
    invented.map(ArgumentValue::Example)
}

/// An invented body for an operation without a body example. `None` when the schema allows no
/// invention.
pub fn invented_body<'d>(
    contract: &Contract<'d>,
    operation: &Operation<'d>,
    extent: Extent,
) -> Option<Body<'d>> {
    let media = encoding::preferred(operation.request_body()?.content())?;
    let schema = media.schema()?;
    let shape = Shape::of(contract.document, Some(&schema));
    let invented = sample::invent(contract.document, &shape, extent)?;
    let broken = contract.validate_request(&schema, &invented).ok()?;
    broken.is_empty().then(|| Body {
        media_type: media.name.to_owned(),
        encoding: Encoding::of(contract.document, &media),
        schema: Some(schema),
        value: BodyValue::Sample(invented),
        conflicts: contract.conflicts(operation),
    })
}

/// The body in the examples with a key. Without a key, the example that belongs to no key.
///
/// # Errors
/// The body is required and has no example.
pub fn body<'d>(
    contract: &Contract<'d>,
    operation: &Operation<'d>,
    key: Option<&str>,
) -> Result<Option<Body<'d>>, String> {
    let Some(declared) = operation.request_body() else {
        return Ok(None);
    };
    let content = declared.content();
    let Some(media) = encoding::preferred(content.clone()) else {
        let names: Vec<&str> = content.iter().map(|media| media.name).collect();
        return if declared.required() {
            Err(format!(
                "only JSON and forms are sent, this body is {}",
                names.join(" or ")
            ))
        } else {
            Ok(None)
        };
    };
    let schema = media.schema();
    let valid = |node: &Node| {
        let schema = schema.as_ref();
        schema.is_some_and(|schema| {
            contract
                .validate_request(schema, node)
                .is_ok_and(|all| all.is_empty())
        })
    };
    let sampled = || {
        sample(contract, schema.clone())
            .filter(valid)
            .map(BodyValue::Sample)
    };
    let elsewhere = || {
        let elsewhere = example_elsewhere(contract, schema.as_ref());
        elsewhere.filter(|item| valid(item)).map(BodyValue::Example)
    };
    match body_example(&media, key)
        .map(BodyValue::Example)
        .or_else(elsewhere)
        .or_else(sampled)
    {
        Some(value) => Ok(Some(Body {
            media_type: media.name.to_owned(),
            encoding: Encoding::of(contract.document, &media),
            schema,
            value,
            conflicts: contract.conflicts(operation),
        })),
        None if declared.required() => Err("the request body has no example".to_owned()),
        None => Ok(None),
    }
}

/// The first body example with the same schema in another operation.
fn example_elsewhere<'d>(
    contract: &Contract<'d>,
    schema: Option<&Located<'d>>,
) -> Option<&'d Node> {
    let schema = schema?;
    let operations = contract.document.operations();
    operations.iter().find_map(|operation| {
        // An example with the key of a refusal is an example of a refused body.
        let refusals = operation.responses().into_iter();
        let refusals = refusals.filter(|refusal| matches!(refusal.status, Status::Code(400..)));
        let content: Vec<MediaType<'d>> = refusals.flat_map(|refusal| refusal.content()).collect();
        let examples = content.iter().flat_map(MediaType::examples);
        let refused: Vec<&str> = examples.map(|example| example.key).collect();
        let content = operation.request_body()?.content();
        let mut alike = content.iter().filter(|item| {
            let other = item.schema();
            item.is_json() && other.is_some_and(|other| std::ptr::eq(other.node, schema.node))
        });
        let all = alike.next()?.examples();
        let one = all
            .iter()
            .find(|entry| all.len() == 1 || !refused.contains(&entry.key));
        one.map(|one| one.value.node)
    })
}

fn body_example<'d>(media: &MediaType<'d>, key: Option<&str>) -> Option<&'d Node> {
    let named = key.and_then(|key| media.example(key));
    let named = named.or_else(|| media.example("example"));
    let first = || media.examples().into_iter().next();
    let any = named.or_else(|| key.is_none().then(first).flatten());
    any.map(|example| example.value.node)
}

fn sample<'d>(contract: &Contract<'d>, schema: Option<Located<'d>>) -> Option<Node> {
    sample::sample(
        contract.document,
        &Shape::of(contract.document, Some(&schema?)),
    )
}

/// The values of the path parameters in the examples with a key.
pub fn path_examples(operation: &Operation<'_>, key: Option<&str>) -> Vec<(String, Node)> {
    let example = |parameter: &Parameter<'_>| {
        let examples = examples(parameter);
        let example = examples.iter().find(|example| Some(example.key) == key)?;
        Some((parameter.name.to_owned(), example.value.node.clone()))
    };
    let parameters = operation.parameters();
    let in_path = parameters
        .iter()
        .filter(|parameter| parameter.location == Location::Path);
    in_path.filter_map(example).collect()
}
