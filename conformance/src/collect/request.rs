//! The request half of a case: arguments and body from the examples of an operation.

use openapi_document::Node;
use openapi_document::view::{Example, Located, Location, MediaType, Operation, Parameter, Status};

use super::Selection;
use crate::case::{
    Argument, ArgumentValue, Body, BodyValue, Documented, DocumentedArgument, Request,
};
use crate::contract::Contract;
use crate::encoding::{self, Encoding};
use crate::model::told_back;
use crate::names;
use crate::prose;
use crate::sample::{self, Extent, invention};
use crate::shape::Shape;
use crate::style::Style;
use crate::value;

/// The keys under which an operation has named request examples: of its body and its parameters.
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
        .flat_map(|own| named_keys(&examples(own), named));
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

/// The request that the examples of a key make; without a key, the one that the rest makes.
///
/// # Errors
/// What is required and has no value, in one sentence.
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
            // Nobody has to say which one: each request has one of its own.
            let mut own = argument(contract, &parameter, ArgumentValue::Example(key));
            own.each_its_own = true;
            arguments.push(own);
        } else if let Some(label) = told_label(contract, &parameter) {
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
    let shown = body.as_ref().and_then(|own| own.value.plain());
    let documented = documented(contract, operation, key, shown);
    Ok(Request {
        arguments,
        body,
        replacements: Vec::new(),
        spoil: None,
        documented,
    })
}

/// What the examples of a key show of a request, whether or not they are sent.
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

/// The body that the example of a key shows, where it has one of its own.
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

/// Whether a parameter, or its schema, has an extension that is `true`.
fn flag(contract: &Contract<'_>, parameter: &Parameter<'_>, key: &str) -> bool {
    let own = [parameter.raw.node, parameter.at.node];
    let set = |node: &&Node| node.get(key).and_then(Node::as_bool) == Some(true);
    let schema = parameter.schema();
    own.iter().any(set) || Shape::of(contract.document, schema.as_ref()).flag(key)
}

/// Whether a parameter is the key that marks a request as the same one.
pub fn is_idempotency_key(parameter: &Parameter<'_>) -> bool {
    let words = names::words(parameter.name);
    parameter.location == Location::Header && words.iter().any(|own| own == "idempotency")
}

/// What such keys look like, the one that many take first.
const KEYS: [&str; 4] = [
    "6a112e4a-83d0-4dd8-8111-be242b8dc188",
    "6a112e4a83d04dd88111be242b8dc188",
    "6A112E4A83D04DD88111BE24",
    "611204830485811182428188",
];

/// What may be sent as such a key, long enough to be like no other one.
fn any_key(contract: &Contract<'_>, parameter: &Parameter<'_>) -> Option<Node> {
    let takes = |own: &Node| {
        let found = parameter.schema();
        let found = found.map(|schema| contract.validate_request(&schema, own));
        found.is_none_or(|own| own.is_ok_and(|all| all.is_empty()))
    };
    let is_key = is_idempotency_key(parameter);
    let mut all = KEYS.into_iter().map(value::string).filter(|_| is_key);
    all.find(takes)
}

/// A label of a request that is said to come back as it was sent: another one for each, where a UUID may be one.
pub fn told_label(contract: &Contract<'_>, parameter: &Parameter<'_>) -> Option<ArgumentValue> {
    let info = contract.document.root.get("info");
    let overall = info.and_then(|own| own.get("description")?.as_str());
    let is_told = is_label(parameter) && told_back::is_told_back(parameter, overall);
    let schema = parameter.schema().filter(|_| is_told)?;
    let [uuid, ..] = KEYS;
    let broken = contract.validate_request(&schema, &value::string(uuid));
    broken.ok()?.is_empty().then_some(ArgumentValue::FreshUuid)
}

/// Whether a header is there to be told again and means nothing, such as the id of a request.
fn is_label(parameter: &Parameter<'_>) -> bool {
    const LABELS: [&str; 3] = ["request", "correlation", "trace"];
    let words = names::words(parameter.name);
    let is_label = prose::has(&words, &LABELS) && prose::has(&words, &["id"]);
    is_label && parameter.location == Location::Header
}

/// Any label of a request, such as its id, which is there to be told again and means nothing.
fn any_label(contract: &Contract<'_>, parameter: &Parameter<'_>) -> Option<ArgumentValue> {
    is_label(parameter)
        .then(|| invented_value(contract, parameter, Extent::Full))
        .flatten()
}

/// An argument for a query parameter that cannot be read as what it has to be: one that is meant, else any that not every text will do for,
/// unless a 422 may be the answer to that.
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
    // What the server has given out is nothing that one could make up.
    let is_issued = |name: &str| prose::has(&names::words(name), &ISSUED);
    let mut parameters = operation.parameters();
    parameters.retain(|own| own.location == Location::Query);
    let may_be_other = operation
        .responses()
        .iter()
        .any(|own| own.status == Status::Code(422));
    let meant =
        |own: &&Parameter<'d>| is_meant(own.name) && (is_issued(own.name) || is_strict(own));
    let any = || parameters.iter().find(|own| is_strict(own));
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

/// The parameters that a request gives values to: not the headers that are no parameters in
/// `OpenAPI`, and not those that the run itself has a value for.
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
    let own = parameter.examples();
    let content = parameter.content();
    let of_content = content.iter().flat_map(MediaType::examples);
    own.into_iter().chain(of_content).collect()
}

/// The value of a parameter for the examples of a key.
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

/// The value that the contract shows of a parameter for the examples of a key.
fn shown_value(
    contract: &Contract<'_>,
    parameter: &Parameter<'_>,
    key: Option<&str>,
) -> Option<Node> {
    let examples = examples(parameter);
    let of_key = |key| examples.iter().find(|example| example.key == key);
    let is_named = key.is_some_and(|own| own != "example" && of_key(own).is_some());
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

/// Whether a header tells what is to be so of a record: an example tells it of the one that is shown, and of no other.
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

/// The value that is made up for a parameter that has none.
pub fn invented_value(
    contract: &Contract<'_>,
    parameter: &Parameter<'_>,
    extent: Extent,
) -> Option<ArgumentValue> {
    let made = any_key(contract, parameter).or_else(|| {
        let schema = parameter.schema()?;
        let shape = Shape::of(contract.document, Some(&schema));
        let made = sample::invent(contract.document, &shape, extent)?;
        let made = invention::after(parameter.name, made);
        let is_word = parameter.location == Location::Path && made.as_str() == Some("Text");
        // Many servers take small letters only in names that are part of an address.
        Some(if is_word { value::string("text") } else { made })
    });
    made.map(ArgumentValue::Example)
}

/// The body that is made up where there is no example of one; `None` where that cannot be done.
pub fn invented_body<'d>(
    contract: &Contract<'d>,
    operation: &Operation<'d>,
    extent: Extent,
) -> Option<Body<'d>> {
    let media = encoding::preferred(operation.request_body()?.content())?;
    let schema = media.schema()?;
    let shape = Shape::of(contract.document, Some(&schema));
    let made = sample::invent(contract.document, &shape, extent)?;
    let broken = contract.validate_request(&schema, &made).ok()?;
    broken.is_empty().then(|| Body {
        media_type: media.name.to_owned(),
        encoding: Encoding::of(contract.document, &media),
        schema: Some(schema),
        value: BodyValue::Sample(made),
        conflicts: contract.conflicts(operation),
    })
}

/// The body that the examples of a key make; without a key, the one that stands alone.
///
/// # Errors
/// It is required and has no example, in one sentence.
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
        schema.is_some_and(|own| {
            contract
                .validate_request(own, node)
                .is_ok_and(|all| all.is_empty())
        })
    };
    let sampled = || {
        sample(contract, schema.clone())
            .filter(valid)
            .map(BodyValue::Sample)
    };
    let elsewhere = || {
        let own = example_elsewhere(contract, schema.as_ref());
        own.filter(|own| valid(own)).map(BodyValue::Example)
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

/// The first example of a body with the same schema that another operation has.
fn example_elsewhere<'d>(
    contract: &Contract<'d>,
    schema: Option<&Located<'d>>,
) -> Option<&'d Node> {
    let schema = schema?;
    let operations = contract.document.operations();
    operations.iter().find_map(|operation| {
        // What a refusal is called by is refused.
        let refusals = operation.responses().into_iter();
        let refusals = refusals.filter(|own| matches!(own.status, Status::Code(400..)));
        let content: Vec<MediaType<'d>> = refusals.flat_map(|own| own.content()).collect();
        let examples = content.iter().flat_map(MediaType::examples);
        let refused: Vec<&str> = examples.map(|own| own.key).collect();
        let content = operation.request_body()?.content();
        let mut alike = content.iter().filter(|own| {
            let other = own.schema();
            own.is_json() && other.is_some_and(|own| std::ptr::eq(own.node, schema.node))
        });
        let all = alike.next()?.examples();
        let one = all
            .iter()
            .find(|own| all.len() == 1 || !refused.contains(&own.key));
        one.map(|own| own.value.node)
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

/// The examples of a key for the path parameters.
pub fn path_examples(operation: &Operation<'_>, key: Option<&str>) -> Vec<(String, Node)> {
    let example = |own: &Parameter<'_>| {
        let examples = examples(own);
        let example = examples.iter().find(|example| Some(example.key) == key)?;
        Some((own.name.to_owned(), example.value.node.clone()))
    };
    let parameters = operation.parameters();
    let in_path = parameters
        .iter()
        .filter(|own| own.location == Location::Path);
    in_path.filter_map(example).collect()
}
