//! The program that calls a generated client: each method, with values read from JSON.

use std::fmt::Write as _;

use codegen::ir::{Api, Content, Encoding, Location, Operation, Parameter, Type};
use codegen::names::{AreaNames, Names, OperationNames, is_keyword};

/// Headers whose value the client takes apart from the parameters.
pub(super) fn is_request_id(parameter: &Parameter) -> bool {
    let known = ["request-id", "x-request-id"];
    parameter.location == Location::Header
        && known
            .iter()
            .any(|name| name.eq_ignore_ascii_case(&parameter.wire))
}

/// The parameters that are fields, with the names of their fields and what they are called in JSON.
pub(super) fn fields<'a>(
    operation: &'a Operation,
    names: &'a OperationNames,
) -> Vec<(&'a Parameter, &'a str, &'a str)> {
    let named = || operation.parameters.iter().zip(&names.parameters);
    let fields = || named().filter(|(parameter, _)| !is_request_id(parameter));
    fields()
        .map(|(parameter, name)| {
            let namesakes = fields()
                .filter(|(other, _)| other.wire == parameter.wire)
                .count();
            let json = if namesakes > 1 { name } else { &parameter.wire };
            (parameter, name.as_str(), json.as_str())
        })
        .collect()
}

/// The manifest of the driver of the crate in the folder above. What is sent can be read, as the
/// samples are, where there is a server.
pub(super) fn manifest(name: &str, package: &str) -> String {
    format!(
        r#"[package]
name = "{name}"
version = "0.1.0"
edition = "2024"
publish = false

[dependencies]
{package} = {{ path = "..", default-features = false, features = ["areas", "client", "rustls", "server"] }}
axum = {{ version = "0.8", default-features = false, features = ["http1", "tokio"] }}
serde = {{ version = "1", features = ["derive"] }}
serde_json = {{ version = "1", features = ["raw_value"] }}
tokio = {{ version = "1", default-features = false, features = ["io-util", "macros", "net", "rt"] }}

[features]
default = ["areas", "client", "server"]
areas = []
client = []
server = []
"#
    )
}

/// `main.rs` of the driver.
pub(super) fn source(api: &Api, names: &Names, package: &str) -> String {
    let package = package.replace('-', "_");
    let mut calls = String::new();
    let mut arms = String::new();
    let areas = api.areas.iter().zip(&names.areas);
    let operations = areas.flat_map(|(area, names)| {
        let operations = area.operations.iter().zip(&names.operations);
        operations.map(move |(operation, own)| (area.sent, names, operation, own))
    });
    for (index, (sent, area, operation, own)) in operations.enumerate() {
        // What the service sends has another client, which signs.
        if sent {
            continue;
        }
        let _ = writeln!(arms, "            {index} => call_{index}(client, case),");
        calls.push_str(&call(index, area, operation, own));
    }
    FRAME
        .replace("@PACKAGE", &package)
        .replace("@ARMS", &arms)
        .replace("@CALLS", &calls)
}

fn call(index: usize, area: &AreaNames, operation: &Operation, names: &OperationNames) -> String {
    let fields = fields(operation, names);
    let (module, name, method) = (raw(&area.module), &names.name, raw(&names.method));
    let mut text =
        format!("fn call_{index}(client: &Client, case: &Case) -> Result<Sent, String> {{\n");
    if !fields.is_empty() {
        let _ = writeln!(
            text,
            "    let given: operations::{module}::{name}Parameters = case.parameters()?;"
        );
    }
    let required = fields.iter().filter(|(parameter, ..)| parameter.required);
    let arguments: Vec<String> = required
        .map(|(_, name, _)| format!("given.{}, ", raw(name)))
        .collect();
    let arguments = arguments.concat();
    let target = format!("client.{module}().{method}({arguments}");
    let optional: Vec<&str> = fields
        .iter()
        .filter(|(parameter, ..)| !parameter.required)
        .map(|(_, name, _)| *name)
        .collect();
    let mutable = if optional.is_empty() { "" } else { "mut " };
    let request = match &operation.body {
        None => format!("{target})"),
        Some(body) => {
            let several = body.contents.len() > 1;
            let streamed = body
                .contents
                .iter()
                .any(|one| one.encoding == Encoding::Bytes);
            let wrap = |passed: &str| {
                if body.required {
                    passed.to_owned()
                } else {
                    format!("Some({passed})")
                }
            };
            let mut arms = String::new();
            for (number, content) in body.contents.iter().enumerate() {
                let variant = several
                    .then(|| format!("operations::{module}::{name}Body::{}", names.bodies[number]));
                let (read, passed) = read(content, variant.as_deref(), streamed);
                let passed = wrap(passed);
                let _ = writeln!(
                    arms,
                    "        Some({number}) => {{ {read} {target}{passed}) }}"
                );
            }
            if !body.required {
                let _ = writeln!(arms, "        None => {target}None),");
            }
            format!(
                "match case.content {{\n{arms}        _ => return Err(\"no such body\".to_owned()),\n    }}"
            )
        }
    };
    let _ = writeln!(text, "    let {mutable}request = {request};");
    for name in optional {
        let name = raw(name);
        let _ = writeln!(
            text,
            "    if let Some(value) = given.{name} {{ request = request.{name}(value); }}"
        );
    }
    text.push_str("    Ok(case.send(request))\n}\n\n");
    text
}

/// A statement that reads the body, and how it is passed.
fn read(content: &Content, variant: Option<&str>, streamed: bool) -> (String, &'static str) {
    let usage = &content.usage;
    let bare = !usage.nullable && !usage.sensitive;
    let value = match (content.encoding, &usage.ty) {
        (Encoding::Text | Encoding::Events, _) => "case.body.clone()".to_owned(),
        (Encoding::Bytes, _) => "ByteStream::from(case.bytes())".to_owned(),
        (Encoding::Multipart, _) => "Parted::of(case)?".to_owned(),
        (Encoding::Json | Encoding::Form, _) => "case.body()?".to_owned(),
    };
    if let Some(variant) = variant {
        let passed = if streamed { "body" } else { "&body" };
        return (format!("let body = {variant}({value});"), passed);
    }
    match (content.encoding, &usage.ty) {
        (Encoding::Text | Encoding::Events, _) => (format!("let body: String = {value};"), "body"),
        (Encoding::Bytes, _) => (format!("let body = {value};"), "body"),
        (Encoding::Json | Encoding::Form, Type::List(_)) if bare => {
            (format!("let body: Vec<_> = {value};"), "&body")
        }
        (Encoding::Json | Encoding::Form, Type::Text) if bare => {
            (format!("let body: String = {value};"), "&body")
        }
        _ => (format!("let body = {value};"), "&body"),
    }
}

/// `heard.rs` of the driver: a server that keeps what it decodes. It is the one that the crate's tests of its examples
/// have, which implements the trait of each area.
pub(super) fn heard(tests: Option<&str>, api: &Api, names: &Names) -> String {
    let Some(tests) = tests else {
        return "pub type Taken = Option<(String, String)>;\npub async fn hear(_: &str) -> \
                Option<(String, Taken)> { None }\n"
            .to_owned();
    };
    // Attributes of the file have no place in a module that begins with other items.
    let kept: String = tests
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("//!") && !line.starts_with("#![cfg"))
        .collect();
    let (mut merged, mut others) = (String::new(), String::new());
    let areas = api.areas.iter().zip(&names.areas);
    for (_, AreaNames { module, name, .. }) in areas.filter(|(area, _)| !area.sent) {
        let _ = write!(merged, ".merge(server::{module}::routes(&server))");
        let implementation = format!("impl server::{module}::{name}");
        let is_there = |end| tests.contains(&format!("{implementation}{end}"));
        // A long line is broken before `for`.
        if !is_there(' ') && !is_there('\n') {
            let _ = writeln!(others, "{implementation} for Documented {{}}");
        }
    }
    let kept = kept + &others;
    HEARD.replace("@AREAS", &merged).replace("@TESTS", &kept)
}

/// The implementations that let a driver read bodies in parts like others.
pub(super) fn parted(api: &Api, names: &Names) -> String {
    let operations = api.areas.iter().flat_map(|area| &area.operations);
    let contents = operations
        .filter_map(|operation| operation.body.as_ref())
        .flat_map(|body| &body.contents);
    let mut types: Vec<&str> = contents
        .filter(|content| content.encoding == Encoding::Multipart)
        .filter_map(|content| content.usage.named())
        .map(|id| names.of(id).name.as_str())
        .collect();
    types.sort_unstable();
    types.dedup();
    let implementations: Vec<String> = types
        .iter()
        .map(|name| {
            format!(
                "impl Parted for models::{name} {{\n    fn of(case: &Case) -> Result<Self, String> {{ \
                 Self::from_parts(case.parts()?).map_err(|error| format!(\"{{error:?}}\")) }}\n}}\n"
            )
        })
        .collect();
    implementations.concat()
}

fn raw(name: &str) -> String {
    if is_keyword(name) {
        format!("r#{name}")
    } else {
        name.to_owned()
    }
}

const FRAME: &str = r#"#![allow(unused)]
mod canonical;
mod heard;

use std::pin::Pin;

use @PACKAGE::client::{Client, Error, Request, Settings};
use @PACKAGE::runtime::client::Endpoint;
use @PACKAGE::runtime::{ByteStream, Bytes};
use @PACKAGE::runtime::multipart::{File, Part, Parts};
use @PACKAGE::{models, operations};
use serde::Deserialize;
use serde::de::DeserializeOwned;

type Sent = Pin<Box<dyn Future<Output = Result<(), String>>>>;

#[derive(Deserialize)]
struct Case {
    number: usize,
    operation: usize,
    parameters: String,
    request_id: Option<String>,
    content: Option<usize>,
    body: String,
    /// The request as the specification demands it.
    raw: String,
}

#[derive(Deserialize)]
struct Piece {
    name: String,
    file: Option<String>,
    media_type: Option<String>,
    content: String,
}

trait Parted: Sized {
    fn of(case: &Case) -> Result<Self, String>;
}

impl Case {
    fn parameters<T: DeserializeOwned>(&self) -> Result<T, String> {
        serde_json::from_str(&self.parameters).map_err(|error| format!("parameters: {error}"))
    }

    fn body<T: DeserializeOwned>(&self) -> Result<T, String> {
        serde_json::from_str(&self.body).map_err(|error| format!("body: {error}"))
    }

    fn bytes(&self) -> Bytes {
        self.body.clone().into()
    }

    fn parts(&self) -> Result<Parts, String> {
        let pieces: Vec<Piece> = self.body()?;
        let part = |piece: Piece| Part {
            name: piece.name,
            file: File { name: piece.file, media_type: piece.media_type, content: piece.content.into() },
        };
        Ok(Parts::from(pieces.into_iter().map(part).collect::<Vec<_>>()))
    }

    fn send<O: Endpoint + 'static>(&self, mut request: Request<O>) -> Sent
    where
        Request<O>: IntoFuture<Output = Result<@PACKAGE::client::Response<O::Success>, Error<O::Error>>>,
        <Request<O> as IntoFuture>::IntoFuture: 'static,
    {
        if let Some(id) = &self.request_id {
            request = request.request_id(id);
        }
        let sent = request.into_future();
        Box::pin(async move {
            match sent.await {
                Err(Error::Request(error)) => Err(error.to_string()),
                _ => Ok(()),
            }
        })
    }

    fn call(&self, client: &Client) -> Result<Sent, String> {
        let case = self;
        match self.operation {
@ARMS            _ => Err("no such operation".to_owned()),
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&arguments[1]).unwrap();
    let cases: Vec<Case> = serde_json::from_str(&text).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for case in cases {
        let address = format!("{}/{}", arguments[2], case.number);
        let client = Client::new(Settings::new(address)).unwrap();
        let done = case.call(&client).and_then(|sent| runtime.block_on(sent));
        if let Err(error) = done {
            println!("{}\t{}", case.number, error.replace('\n', " "));
        }
        if let Some((answer, taken)) = runtime.block_on(heard::hear(&case.raw)) {
            let (parameters, body) = taken.unwrap_or_default();
            let heard = serde_json::json!({"case": case.number, "answer": answer, "parameters": parameters, "body": body});
            println!("heard\t{heard}");
        }
    }
}

@CALLS"#;

const HEARD: &str = r#"@TESTS

pub type Taken = Option<(String, String)>;

/// Sends a request as it is; the answer, and what the server decoded.
pub async fn hear(raw: &str) -> Option<(String, Taken)> {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let server = Arc::new(Documented::default());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = server::Routes::new()@AREAS.into_router();
    let serving = tokio::spawn(async move { axum::serve(listener, router).await });
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.write_all(raw.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    serving.abort();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let taken = server.taken.lock().unwrap().take();
    Some((answer, taken))
}
"#;
