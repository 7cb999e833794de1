//! Location: the `Location` header of a creation must lead to the created record.

use openapi_document::view::Method;
use reqwest::Url;

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};

use crate::answered::{describe, key_name, record_of, status, succeeded};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};

/// Tests an operation that creates a record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::Create {
        return Ok(false);
    }
    // Other laws report why it never succeeds.
    Ok(test_call(scene, call, draft).await == Ok(true))
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "location").await?;
    let created = scene.call(&ready, "location").await?;
    let answer = created.outcome.as_ref().ok();
    let place = answer
        .filter(|answer| matches!(answer.status, 201 | 202))
        .and_then(|answer| answer.header("location"));
    let Some(place) = place else {
        return Ok(false);
    };
    let Some(sent) = lead(&created.sent, &place) else {
        return Ok(false);
    };
    // A PUT creates the record at its address, so its address is correct.
    let is_collection = sent.url == created.sent.url
        && status(&created) == Some(201)
        && call.operation.method == Method::Post;
    let found = scene.send(sent).await;
    // A record without a reader can only be seen in its list.
    let own_readers = call.record().map(|record| scene.model.readers(record));
    let is_listed_only = own_readers.is_some_and(|readers| readers.is_empty()) && succeeded(&found);
    let is_collection = is_collection && !is_listed_only;
    let shown = if is_collection {
        Some("the address of the request".to_owned())
    } else if succeeded(&found) {
        is_another(scene, call, &created, &found).then(|| "another record".to_owned())
    } else {
        // A redirect, or a request for other credentials, is acceptable; so is 404 for a record without a reader.
        let is_unread = call
            .record()
            .is_none_or(|record| scene.model.readers(record).is_empty());
        let leads_on = |code| {
            matches!(code, 300..=399 | 401 | 403) || (matches!(code, 404 | 405) && is_unread)
        };
        (!status(&found).is_some_and(leads_on)).then(|| describe(&found))
    };
    if let Some(actual) = shown {
        let claim = Claim::new(
            &checks::LOCATION_LEADS_ASTRAY,
            Basis::Standard(
                "RFC 9110, section 10.2.2: `location` of a 201 answer names what was created",
            ),
            "the created record at its `location`",
            actual,
        );
        scene.differ(draft, call, claim, &found);
    }
    Ok(true)
}

/// The GET request for a location, on the server of the run.
fn lead(with: &Sent, place: &str) -> Option<Sent> {
    let base = Url::parse(&with.url).ok()?;
    let there = base.join(place).ok()?;
    let mut url = base;
    url.set_path(there.path());
    url.set_query(there.query());
    let mut sent = with.clone();
    sent.method = Method::Get;
    sent.url = url.to_string();
    sent.shown.url.clone_from(&sent.url);
    sent.query = Vec::new();
    sent.path_arguments = Vec::new();
    sent.body = None;
    sent.json = None;
    sent.shown.body = None;
    let of_body = |name: &str| name.eq_ignore_ascii_case("content-type");
    sent.headers.retain(|(name, _)| !of_body(name));
    Some(sent)
}

/// Whether the found record has another key than the created one.
fn is_another<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    created: &Exchange,
    found: &Exchange,
) -> bool {
    let is_same_record = || {
        let key = key_name(call)?;
        let record = record_of(call, created)?;
        let reader = *scene.readers_for(call, record, &created.sent).first()?;
        let other = record_of(reader, found)?.get(key)?;
        Some(!other.same_value(record.get(key)?))
    };
    is_same_record().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoding;
    use crate::exchange::Shown;

    #[test]
    fn locations_are_read_from_the_same_server() {
        let with = Sent {
            case: String::new(),
            operation: String::new(),
            method: Method::Post,
            url: "http://127.0.0.1:80/v1/books?a=1".to_owned(),
            path_arguments: Vec::new(),
            query: Vec::new(),
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: None,
            json: None,
            encoding: Encoding::Json,
            shown: Shown::default(),
            changes: Vec::new(),
        };
        for (place, expected) in [
            ("/v1/books/7", "http://127.0.0.1/v1/books/7"),
            ("books/7", "http://127.0.0.1/v1/books/7"),
            (
                "https://api.example/v1/books/7?b=2",
                "http://127.0.0.1/v1/books/7?b=2",
            ),
        ] {
            let sent = lead(&with, place).unwrap();
            assert_eq!(sent.url, expected, "{place}");
            assert!(sent.headers.is_empty());
        }
    }
}
