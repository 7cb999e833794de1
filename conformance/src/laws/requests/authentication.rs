//! Authentication: the server must refuse requests without valid credentials, and not execute them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};

use crate::answered::{describe, status, succeeded};
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::unchanged::Unchanged;
use crate::scene::{Ready, Scene};
use openapi_document::{Node, Pointer};

/// Changes headers; the names are those of headers with credentials.
type Spoil = fn(&mut Vec<(String, String)>, &[String]);

/// Without credentials the client is unknown; with wrong ones it may be forbidden.
const NONE: &str = "no credentials";

/// Sends the user name of Basic credentials without its password, which may itself be a secret key.
const ALONE: &str = "the name alone, as a token";

/// Descriptions and changes of the credentials.
const SPOILS: [(&str, Spoil); 7] = [
    (NONE, |headers, names| {
        headers.retain(|(name, _)| !is_one_of(name, names));
    }),
    ("altered credentials", |headers, names| {
        for (name, value) in headers {
            if is_one_of(name, names) {
                *value = garbled(value);
            }
        }
    }),
    ("credentials of another scheme", |headers, names| {
        for (name, value) in headers {
            if is_one_of(name, names) {
                *value = of_another_scheme(value);
            }
        }
    }),
    ("credentials of no scheme", |headers, names| {
        for (name, value) in headers {
            if is_one_of(name, names) {
                *value = of_no_scheme(value);
            }
        }
    }),
    (ALONE, |headers, names| {
        for (name, value) in headers {
            if is_one_of(name, names) {
                *value = of_name_alone(value);
            }
        }
    }),
    (LONGER, |headers, names| {
        for (name, value) in headers {
            if is_one_of(name, names) {
                value.push('x');
            }
        }
    }),
    (SHORTER, |headers, names| {
        for (name, value) in headers {
            if is_one_of(name, names) {
                *value = begun(value);
            }
        }
    }),
];

/// Detects servers that compare only the beginning.
const LONGER: &str = "extended credentials";

/// Detects servers that accept the beginning of a key.
const SHORTER: &str = "shortened credentials";

/// Tests an operation that requires credentials.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if !call.operation.requires_credentials() {
        return Ok(false);
    }
    if !scene.selection.has_credentials {
        return Err("the run has no credentials to omit (--header, --basic)".to_owned());
    }
    test_call(scene, call, draft).await.map(|()| true)
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = scene.ready(call, "authentication").await?;
    let before = match call.role {
        Role::Change | Role::Delete => Unchanged::of(scene, call, &ready).await,
        _ => None,
    };
    let mut refused = None;
    let mut tried = Vec::new();
    for (what, spoil) in SPOILS {
        if [LONGER, SHORTER].contains(&what) && !matches!(call.role, Role::Read) {
            continue;
        }
        if what == ALONE && !is_basic_alone(scene) {
            continue;
        }
        let sent = spoiled(scene, &ready, spoil)?;
        // Two changes may give the same credentials.
        if tried.contains(&sent.headers) {
            continue;
        }
        tried.push(sent.headers.clone());
        let exchange = scene.send(sent).await;
        let documented = call.response(401);
        if succeeded(&exchange) {
            let claim = Claim::new(
                &checks::CREDENTIALS_IGNORED,
                Basis::Security,
                format!("a refusal of {what}"),
                describe(&exchange),
            );
            scene.differ(draft, call, claim, &exchange);
        } else if what != NONE && is_forbidden(call, &exchange) {
            scene.reach(call, 403, draft);
        } else if let Some(response) = documented {
            scene.judge(draft, call, &response, &exchange);
            challenges(scene, call, &exchange, draft);
            if status(&exchange) == Some(401) {
                scene.reach(call, 401, draft);
            }
            refused = Some(exchange);
        }
    }
    for header in demanded_together(scene, call) {
        let mut sent = scene.compose(&ready, "spoiled")?;
        let all = sent.headers.len();
        sent.headers
            .retain(|(name, _)| !name.eq_ignore_ascii_case(&header));
        if sent.headers.len() == all || tried.contains(&sent.headers) {
            continue;
        }
        let exchange = scene.send(sent).await;
        if succeeded(&exchange) {
            let claim = Claim::new(
                &checks::CREDENTIALS_IGNORED,
                Basis::Security,
                format!("a refusal without `{header}`, which is demanded beside others"),
                describe(&exchange),
            );
            scene.differ(draft, call, claim, &exchange);
        }
    }
    if let (Some(before), Some(refused), true) = (before, refused, draft.is_clean()) {
        before.check(scene, call, &refused, draft).await;
    }
    Ok(())
}

/// The headers of the schemes that an operation demands together. Empty when it demands one, or has
/// alternatives.
fn demanded_together(scene: &Scene<'_, '_>, call: &Call<'_>) -> Vec<String> {
    let security = call.operation.security();
    let [schemes] = &security[..] else {
        return Vec::new();
    };
    if schemes.len() < 2 {
        return Vec::new();
    }
    let document = scene.model.document;
    let header = |(name, _): &(&str, Vec<&str>)| {
        let mut all = document.components("securitySchemes").into_iter();
        let scheme = all.find(|(known, _)| known == name)?.1.node;
        match scheme.get("type").and_then(Node::as_str)? {
            "apiKey" if scheme.get("in").and_then(Node::as_str) == Some("header") => {
                scheme.get("name").and_then(Node::as_str).map(str::to_owned)
            }
            "http" | "oauth2" | "openIdConnect" => Some("authorization".to_owned()),
            _ => None,
        }
    };
    schemes.iter().filter_map(header).collect()
}

/// Whether the credentials are refused with a documented 403.
fn is_forbidden(call: &Call<'_>, exchange: &Exchange) -> bool {
    status(exchange) == Some(403) && call.response(403).is_some()
}

/// Whether the document has only Basic schemes, so that a token is never valid.
fn is_basic_alone(scene: &Scene<'_, '_>) -> bool {
    let schemes = scene.model.document.components("securitySchemes");
    let is_basic = |node: &openapi_document::Node| {
        let scheme = node.get("scheme").and_then(Node::as_str);
        scheme.is_some_and(|name| name.eq_ignore_ascii_case("basic"))
    };
    !schemes.is_empty() && schemes.iter().all(|(_, item)| is_basic(item.node))
}

/// The challenge of a 401 must name a documented scheme, if all are HTTP schemes.
fn challenges<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    exchange: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let answer = exchange.outcome.as_ref().ok()?;
    let observed = answer.header("www-authenticate")?;
    let schemes = scene.model.document.components("securitySchemes");
    let names: Option<Vec<&str>> = schemes
        .iter()
        .map(|(_, node)| node.node.get("scheme").and_then(Node::as_str))
        .collect();
    let names = names.filter(|item| !item.is_empty())?;
    let words: Vec<String> = observed.split([' ', ',']).map(str::to_lowercase).collect();
    if answer.status == 401
        && !names
            .iter()
            .any(|word| words.contains(&word.to_lowercase()))
    {
        let claim = Claim::new(
            &checks::HEADER_VALUE,
            Basis::Standard(
                "RFC 9110, section 11.6.1: a 401 answer names a scheme in `www-authenticate`",
            ),
            format!("a challenge of the scheme {}", names.join(" or ")),
            observed.clone(),
        )
        .at(Pointer::root().join("header").join("www-authenticate"));
        scene.differ(draft, call, claim, exchange);
    }
    Some(())
}

fn spoiled<'d>(scene: &Scene<'_, 'd>, ready: &Ready<'_, 'd>, spoil: Spoil) -> Result<Sent, String> {
    let mut sent = scene.compose(ready, "spoiled")?;
    let names = scene.credentials().to_vec();
    spoil(&mut sent.headers, &names);
    Ok(sent)
}

/// A request without credentials. `None` if it requires none or the run has none.
pub(crate) fn without_credentials<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    tag: &str,
) -> Option<Sent> {
    let has_some = call.operation.requires_credentials() && scene.selection.has_credentials;
    let mut sent = scene.compose(ready, tag).ok().filter(|_| has_some)?;
    let names = scene.credentials();
    sent.headers.retain(|(name, _)| !is_one_of(name, names));
    Some(sent)
}

fn is_one_of(name: &str, names: &[String]) -> bool {
    names
        .iter()
        .any(|property| property.eq_ignore_ascii_case(name))
}

/// The same secret with the name of another scheme.
fn of_another_scheme(value: &str) -> String {
    match value.split_once(' ') {
        Some((scheme, secret)) if scheme.eq_ignore_ascii_case("basic") => {
            format!("Bearer {secret}")
        }
        Some((scheme, secret)) if scheme.eq_ignore_ascii_case("bearer") => {
            format!("Basic {secret}")
        }
        _ => "Basic bm9ib2R5Om5vYm9keQ==".to_owned(),
    }
}

/// The same secret with the name of an unknown scheme; a value without a scheme gets another one.
fn of_no_scheme(value: &str) -> String {
    // Cookies have no scheme.
    let is_scheme = |item: &str| {
        item.chars()
            .all(|item| item.is_ascii_alphanumeric() || item == '-')
    };
    match value.split_once(' ') {
        Some((scheme, secret)) if is_scheme(scheme) => format!("Nonesuch {secret}"),
        _ => of_another_scheme(value),
    }
}

/// The user name of Basic credentials as a token, if they have no password; else the secret with an unknown scheme.
fn of_name_alone(value: &str) -> String {
    let name = pair(value).and_then(|(_, pair)| Some(pair.strip_suffix(':')?.to_owned()));
    name.map_or_else(|| of_no_scheme(value), |item| format!("Bearer {item}"))
}

/// The scheme and the decoded pair of Basic credentials. `None` for other credentials.
fn pair(value: &str) -> Option<(&str, String)> {
    let (scheme, pair) = value
        .split_once(' ')
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"))?;
    let pair = String::from_utf8(STANDARD.decode(pair).ok()?).ok()?;
    Some((scheme, pair))
}

/// Credentials in the same form whose last quarter differs, which reveals servers that compare only the beginning.
fn garbled(value: &str) -> String {
    changed(value, turned)
}

/// Credentials without their last quarter.
fn begun(value: &str) -> String {
    changed(value, |value| {
        let kept = value.chars().count() - last_quarter(value);
        value.chars().take(kept).collect()
    })
}

/// Credentials with a changed secret: the password of a pair, else the name, else the whole value.
fn changed(value: &str, change: fn(&str) -> String) -> String {
    if let Some((scheme, pair)) = pair(value)
        && let Some((name, password)) = pair.split_once(':')
    {
        let pair = match password {
            "" => format!("{}:", change(name)),
            password => format!("{name}:{}", change(password)),
        };
        return format!("{scheme} {}", STANDARD.encode(pair));
    }
    change(value)
}

/// The number of characters in the last quarter of a secret.
fn last_quarter(value: &str) -> usize {
    let secret = value.rsplit(' ').next().unwrap_or_default();
    secret.chars().count().div_ceil(4)
}

fn turned(value: &str) -> String {
    let turn = |char: char| match char {
        'a'..='y' | 'A'..='Y' | '0'..='8' => char::from_u32(u32::from(char) + 1).unwrap_or(char),
        'z' => 'a',
        'Z' => 'A',
        '9' => '0',
        other => other,
    };
    let kept = value.chars().count() - last_quarter(value);
    let turned = value.chars().enumerate();
    turned
        .map(|(at, item)| if at < kept { item } else { turn(item) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn altered_credentials_keep_their_form() {
        assert_eq!(garbled("Bearer abz-09"), "Bearer abz-10");
        assert_eq!(garbled("key"), "kez");
        assert_eq!(garbled("x"), "y");
        // `ada:love` and `ada:lovf`
        assert_eq!(garbled("Basic YWRhOmxvdmU="), "Basic YWRhOmxvdmY=");
        // `ada:` and `adb:`
        assert_eq!(garbled("Basic YWRhOg=="), "Basic YWRiOg==");
        assert_eq!(begun("Bearer abz-09"), "Bearer abz-");
        assert_eq!(begun("x"), "");
        assert_eq!(of_no_scheme("Bearer abz-09"), "Nonesuch abz-09");
        assert!(!of_no_scheme("csrf=abz; session=09").contains("session"));
    }
}
