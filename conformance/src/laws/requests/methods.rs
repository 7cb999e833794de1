//! Methods: the server must refuse undocumented methods, media types and body sizes, as documented.

use openapi_document::view::{Method, Response};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{self, Call, Role};
use crate::names;
use crate::prose;

use crate::answered::{describe, status, succeeded};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};

/// A media type that no server offers.
const STRANGE: &str = "application/x-nothing";

/// The media type of plain JSON.
const JSON: &str = "application/json";

/// Body sizes that are tried if 413 is documented without a number.
const LARGE: [usize; 2] = [1 << 20, 8 << 20];

/// The largest body that is sent.
const LARGEST: usize = 32 << 20;

/// Tests an operation.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let path = call.operation.path;
    let on_path = |call: &&Call<'d>| scene.covers(call) && call.operation.path == path;
    let first = scene.model.calls.iter().find(on_path);
    let is_first = first.is_some_and(|other| other.operation.method == call.operation.method);
    let documented = [405, 406, 413, 415]
        .iter()
        .any(|code| call.response(*code).is_some());
    let tried = test_call(scene, call, is_first, draft).await;
    if documented {
        tried
    } else {
        tried.or(Ok(false))
    }
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    is_first: bool,
    draft: &mut Draft,
) -> Result<bool, String> {
    let method = stranger(scene, call).filter(|method| {
        let documented = call.response(405).is_some();
        (is_first || documented) && (scene.may_write() || method.is_safe())
    });
    let reads = matches!(call.role, Role::Read | Role::List) || call.response(406).is_some();
    let body = call.operation.request_body();
    let takes_body = call.body.is_some() && body.is_some_and(|parameter| parameter.required());
    if method.is_none() && !reads && !takes_body {
        return Ok(false);
    }
    let ready = scene.ready(call, "methods").await?;
    let sent = scene.compose(&ready, "methods")?;
    if let Some(method) = method {
        other_method(scene, call, (method, sent.clone()), draft).await;
    }
    if reads {
        let mut other = sent.clone();
        set_header(&mut other, "accept", STRANGE);
        let exchange = scene.send(other).await;
        refused(scene, call, 406, &exchange, draft);
    }
    if takes_body {
        other_type(scene, call, &sent, draft).await;
        too_large(scene, call, &sent, draft).await;
    }
    Ok(true)
}

fn set_header(sent: &mut Sent, name: &str, value: &str) {
    sent.headers
        .retain(|(property, _)| !property.eq_ignore_ascii_case(name));
    sent.headers.push((name.to_owned(), value.to_owned()));
}

/// Whether two path templates can match one address.
fn meet(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.split('/'), other.split('/'));
    loop {
        match (one.next(), other.next()) {
            (None, None) => return true,
            (Some(item), Some(its)) => {
                let is_open = |segment: &str| segment.contains('{');
                if item != its && !is_open(item) && !is_open(its) {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

/// The methods of an address, including those of withheld operations.
fn methods<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> Vec<Method> {
    let path = call.operation.path;
    let operations = scene.model.document.operations().into_iter();
    let operations = operations.filter(|operation| meet(operation.path, path));
    operations.map(|operation| operation.method).collect()
}

/// A method that the address does not have.
fn stranger<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> Option<Method> {
    let known = methods(scene, call);
    // A DELETE goes only to a record of this test, never to a collection.
    let names_record = model::names_one(call.operation.path);
    let all = [Method::Patch, Method::Put, Method::Post, Method::Delete];
    all.into_iter()
        .filter(|method| *method != Method::Delete || names_record)
        .find(|name| !known.contains(name))
}

async fn other_method<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (method, mut sent): (Method, Sent),
    draft: &mut Draft,
) {
    sent.method = method;
    let exchange = scene.send(sent).await;
    refused(scene, call, 405, &exchange, draft);
    if status(&exchange) != Some(405) {
        return;
    }
    let allowed = exchange.outcome.as_ref().ok();
    let allowed = allowed.and_then(|answer| answer.header("allow"));
    let has = |wanted: Method| {
        let mut names = allowed.iter().flat_map(|text| text.split(','));
        names.any(|text| text.trim().eq_ignore_ascii_case(wanted.as_str()))
    };
    let calls = scene.model.calls.iter();
    let on_path = calls.filter(|other| other.operation.path == call.operation.path);
    let mut known = on_path.map(|call| call.operation.method);
    // GET implies HEAD.
    if let Some(lacking) = known.find(|method| *method != Method::Head && !has(*method)) {
        let expected = format!("`allow` with {}", lacking.as_str());
        let check = match (is_said(call), &allowed) {
            (false, _) => &checks::ALLOW_INCOMPLETE,
            (true, None) => &checks::HEADER_MISSING,
            (true, Some(_)) => &checks::HEADER_VALUE,
        };
        let actual = allowed.clone().unwrap_or_else(|| "absent".to_owned());
        let claim = Claim::new(
            check,
            Basis::Standard(
                "RFC 9110, section 15.5.6: a 405 answer lists the methods of its target in `allow`",
            ),
            expected,
            actual,
        );
        scene.differ(draft, call, claim, &exchange);
    }
}

/// Whether a text says that the header `allow` lists the methods of a path.
fn is_said(call: &Call<'_>) -> bool {
    let says = |words: &Vec<String>| {
        prose::has(words, &["allow"]) && prose::has(words, &["header", "405"])
    };
    let texts = call.text_of(405).into_iter().chain(call.overall);
    let texts = texts.flat_map(prose::spoken);
    call.spoken()
        .into_iter()
        .chain(texts)
        .any(|sentence| says(&sentence))
}

/// Sends another body with its media type, and the body as plain text.
async fn other_type<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    sent: &Sent,
    draft: &mut Draft,
) {
    let body = call.operation.request_body();
    let content = body.map(|body| body.content()).unwrap_or_default();
    let takes = |part: &str| content.iter().any(|media| media.name.contains(part));
    if !takes("xml") && !takes("*") {
        let mut other = sent.clone();
        set_header(&mut other, "content-type", "application/xml");
        other.body = Some(b"<a/>".to_vec());
        other.json = None;
        other.shown.body = Some("<a/>".to_owned());
        let exchange = scene.send(other).await;
        refused(scene, call, 415, &exchange, draft);
    }
    // Some servers read JSON of any media type, which is wrong only if 415 is documented.
    if call.response(415).is_some() && !takes("text/plain") && !takes("*") {
        let mut other = sent.clone();
        set_header(&mut other, "content-type", "text/plain");
        let exchange = scene.send(other).await;
        refused(scene, call, 415, &exchange, draft);
    }
    let names = content.iter().map(|media| media.name).collect::<Vec<_>>();
    if call.response(415).is_some() && takes_only(call, &names) {
        let mut other = sent.clone();
        set_header(&mut other, "content-type", JSON);
        let exchange = scene.send(other).await;
        refused(scene, call, 415, &exchange, draft);
    }
}

/// Whether a text says that only one media type other than plain JSON is accepted: `PATCH takes
/// application/merge-patch+json only`.
fn takes_only(call: &Call<'_>, names: &[&str]) -> bool {
    let [name] = names else { return false };
    let says = |text: &str| {
        let words = names::words(text);
        let is_only = prose::has(&words, &["only", "nothing but"]);
        text.contains(name) && is_only && !prose::has(&words, &["may", "not", "should"])
    };
    let mut all = call.texts().chain(call.overall).flat_map(prose::sentences);
    *name != JSON && name.ends_with("+json") && all.any(says)
}

/// Sends a body beyond the documented limit, padded with blanks.
async fn too_large<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>, sent: &Sent, draft: &mut Draft) {
    let (Some(response), Some(body)) = (call.response(413), &sent.body) else {
        return;
    };
    let sizes = documented_limit(&response).map_or(LARGE.to_vec(), |item| vec![item]);
    let last = sizes.last().copied();
    for size in sizes {
        let mut large = sent.clone();
        let mut bytes = body.clone();
        bytes.resize(size.min(LARGEST) + 1, b' ');
        large.shown.body = Some(format!("({} bytes)", bytes.len()));
        large.body = Some(bytes);
        let exchange = scene.send(large).await;
        // The server may close the connection before the answer can be read.
        if exchange.outcome.is_err() {
            return;
        }
        if !succeeded(&exchange) || Some(size) == last {
            refused(scene, call, 413, &exchange, draft);
            return;
        }
    }
}

/// The limit in bytes in the description of a refusal.
fn documented_limit(response: &Response<'_>) -> Option<usize> {
    limit_in(response.at.node.get("description")?.as_str()?)
}

fn limit_in(text: &str) -> Option<usize> {
    let text = text.to_lowercase().replace(['(', ')', ',', '.', ';'], " ");
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).find_map(|pair| {
        let number: usize = pair[0].parse().ok()?;
        let unit = match pair[1] {
            "byte" | "bytes" => 1,
            "kb" | "kib" | "kilobytes" => 1 << 10,
            "mb" | "mib" | "megabytes" => 1 << 20,
            _ => return None,
        };
        number.checked_mul(unit)
    })
}

/// Judges an answer that must be a refusal: the documented one, else any 4xx.
fn refused<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    code: u16,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    if let Some(response) = call.response(code) {
        if succeeded(exchange) {
            let expected = format!("status {code}");
            let claim = Claim::new(
                &checks::MISTAKE_GRANTED,
                Basis::Status(code),
                expected,
                describe(exchange),
            );
            scene.differ(draft, call, claim, exchange);
            return;
        }
        scene.judge(draft, call, &response, exchange);
        if status(exchange) == Some(code) {
            scene.reach(call, code, draft);
        }
        return;
    }
    let what = format!("a refusal with status {code}, or another 4xx");
    let answered = status(exchange).unwrap_or_default();
    let is_other = answered / 100 == 4 && ![code, 401, 403, 429].contains(&answered);
    if is_other && says_for_all(call, code) {
        let expected = format!("status {code}, as documented for all operations");
        let claim = Claim::new(
            &checks::STATUS_CODE,
            Basis::Text,
            expected,
            describe(exchange),
        );
        scene.differ(draft, call, claim, exchange);
        return;
    }
    // A server may ignore the `Accept` header.
    if succeeded(exchange) && code != 406 {
        let claim = Claim::new(
            &checks::MISTAKE_GRANTED,
            Basis::Names,
            what,
            describe(exchange),
        );
        scene.differ(draft, call, claim, exchange);
    } else if answered / 100 == 5 && answered != 501 {
        let claim = Claim::new(
            &checks::SERVER_ERROR,
            Basis::Standard("RFC 9110, section 15.6: a 5xx status is an error of the server"),
            what,
            describe(exchange),
        );
        scene.differ(draft, call, claim, exchange);
    }
}

/// Whether the document gives the status for all operations that refuse a method or a media type.
fn says_for_all(call: &Call<'_>, code: u16) -> bool {
    let about: &[&str] = match code {
        405 => &["method", "methods"],
        415 => &["media", "type", "content"],
        _ => return false,
    };
    let code = code.to_string();
    let spoken = call.overall.map(prose::spoken).unwrap_or_default();
    spoken.iter().any(|sentence| {
        let is_open = prose::has(sentence, &["may", "should", "might", "can", "if", "unless"]);
        prose::has(sentence, &[code.as_str()]) && prose::has(sentence, about) && !is_open
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_from_descriptions() {
        for (text, expected) in [
            ("A body has at most 64 KiB.", Some(65_536)),
            ("more than 2 MB", Some(2 << 20)),
            ("Over the limit (1024 bytes)", Some(1024)),
            ("too large", None),
            ("at most 7 items", None),
        ] {
            assert_eq!(limit_in(text), expected, "{text}");
        }
    }

    #[test]
    fn paths_that_can_match_one_address() {
        for (one, other, expected) in [
            ("/a/{id}", "/a/search", true),
            ("/a/{id}", "/b/search", false),
            ("/a/{id}", "/a/{id}/b", false),
            ("/a", "/a", true),
        ] {
            assert_eq!(meet(one, other), expected, "{one} {other}");
        }
    }
}
