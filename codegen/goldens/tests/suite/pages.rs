//! Lists that are read page by page, from a server that notes what it is asked for.

use std::sync::{Arc, Mutex};

use codegen_goldens::client;
use codegen_goldens::runtime::client::{Connection, Error, RetryPolicy, Settings};

/// The targets that a server was asked for.
type Asked = Arc<Mutex<Vec<String>>>;

/// A server that answers each target with the body that stands beside it, and any other with 404.
async fn listing(pages: &[(&'static str, String)]) -> (Arc<Connection>, Asked) {
    let (pages, asked) = (pages.to_vec(), Asked::default());
    let noted = Arc::clone(&asked);
    let answer = move |uri: http::Uri| {
        let target = uri.to_string();
        let page = pages.iter().find(|(known, _)| *known == target);
        noted.lock().unwrap().push(target);
        let status = page.map_or(404, |_| 200);
        let body = page.map(|(_, body)| body.clone()).unwrap_or_default();
        let json = [("content-type", "application/json")];
        let status = http::StatusCode::from_u16(status).unwrap();
        std::future::ready((status, json, body))
    };
    let router = axum::Router::new().fallback(axum::routing::get(answer));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let settings = Settings::new(address).retries(RetryPolicy::off());
    (Arc::new(settings.connect().unwrap()), asked)
}

/// The items up to the end or an error, and the error.
macro_rules! read {
    ($request:expr) => {{
        let (mut items, mut all) = ($request.items(), Vec::new());
        let error = loop {
            match items.next().await {
                Some(Ok(item)) => all.push(item),
                Some(Err(error)) => break Some(error),
                None => break None,
            }
        };
        assert!(items.next().await.is_none(), "nothing follows the end");
        (all, error)
    }};
}

fn charges(ids: &[&str], more: bool) -> String {
    let ids: Vec<String> = ids
        .iter()
        .map(|id| format!(r#"{{"id": "{id}"}}"#))
        .collect();
    format!(r#"{{"data": [{}], "has_more": {more}}}"#, ids.join(","))
}

#[tokio::test]
async fn the_last_item_leads_to_the_next_page() {
    let (connection, asked) = listing(&[
        ("/charges", charges(&["a", "b&"], true)),
        ("/charges?starting_after=b%26", charges(&["c"], false)),
    ])
    .await;
    let (items, error) = read!(client::last_item_pages(&connection).list_charges());
    assert!(error.is_none());
    let ids: Vec<_> = items.into_iter().map(|charge| charge.id).collect();
    assert_eq!(ids, ["a", "b&", "c"]);
    assert_eq!(asked.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn a_page_is_asked_for_when_it_is_needed() {
    let (connection, asked) = listing(&[
        ("/charges?starting_after=x", charges(&["a"], true)),
        ("/charges?starting_after=a", charges(&["b"], false)),
    ])
    .await;
    let list = client::last_item_pages(&connection).list_charges();
    let mut pages = list.starting_after("x").pages();
    assert!(asked.lock().unwrap().is_empty());
    let first = pages.next().await.unwrap().unwrap();
    assert_eq!((first.status.as_u16(), first.body.data.len()), (200, 1));
    assert_eq!(asked.lock().unwrap().len(), 1);
    assert!(pages.next().await.unwrap().is_ok());
    assert!(pages.next().await.is_none());
    assert_eq!(asked.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn a_page_that_leads_nowhere_is_an_error() {
    for (second, told) in [
        (charges(&["a"], true), "was read before"),
        (charges(&[], true), "no last one"),
    ] {
        let (connection, asked) = listing(&[
            ("/charges", charges(&["a"], true)),
            ("/charges?starting_after=a", second),
        ])
        .await;
        let (items, error) = read!(client::last_item_pages(&connection).list_charges());
        assert_eq!(items.len(), 1);
        let Some(Error::Paging(error)) = error else {
            panic!("{error:?}");
        };
        assert!(error.reason.contains(told), "{}", error.reason);
        assert_eq!(asked.lock().unwrap().len(), 2);
    }
}

#[tokio::test]
async fn an_error_ends_the_list() {
    let (connection, _) = listing(&[("/charges", charges(&["a"], true))]).await;
    let (items, error) = read!(client::last_item_pages(&connection).list_charges());
    assert_eq!(items.len(), 1);
    assert_eq!(error.unwrap().status().unwrap(), 404);

    let broken = r#"{"data": [7], "has_more": false}"#.to_owned();
    let (connection, _) = listing(&[("/charges", broken)]).await;
    let (_, error) = read!(client::last_item_pages(&connection).list_charges());
    let Some(Error::Decode(error)) = error else {
        panic!("{error:?}");
    };
    assert_eq!(error.reason.pointer, "/data/0");
}

fn droplets(names: &[&str], next: Option<&str>) -> String {
    let next = next.map(|next| format!(r#""next": "{next}""#));
    let next = next.unwrap_or_default();
    format!(r#"{{"droplets": {names:?}, "links": {{"pages": {{{next}}}}}}}"#)
}

#[tokio::test]
async fn a_link_leads_to_the_next_page() {
    let (connection, asked) = listing(&[
        (
            "/v2/droplets",
            droplets(&["a"], Some("/v2/droplets?page=2&per_page=1")),
        ),
        (
            "/v2/droplets?page=2&per_page=1",
            droplets(&["b"], Some("?page=3")),
        ),
        ("/v2/droplets?page=3", droplets(&["c"], None)),
    ])
    .await;
    let (items, error) = read!(client::link_pages(&connection).list_droplets());
    assert!(error.is_none(), "{error:?}");
    assert_eq!(items, ["a", "b", "c"]);
    assert_eq!(asked.lock().unwrap().len(), 3);
}

#[tokio::test]
async fn a_link_to_another_server_is_not_followed() {
    for link in [
        "https://elsewhere.example/v2/droplets?page=2",
        "//elsewhere.example/",
        "http://[",
    ] {
        let (connection, asked) = listing(&[("/v2/droplets", droplets(&["a"], Some(link)))]).await;
        let (_, error) = read!(client::link_pages(&connection).list_droplets());
        assert!(matches!(error, Some(Error::Paging(_))), "{error:?}");
        assert_eq!(asked.lock().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_marker_leads_to_the_next_page() {
    let page = |entries: &[&str], next: &str| {
        format!(r#"{{"entries": {entries:?}, "next_marker": {next}}}"#)
    };
    let (connection, _) = listing(&[
        ("/webhooks", page(&["a"], r#""x y""#)),
        ("/webhooks?marker=x%20y", page(&[], r#""z""#)),
        ("/webhooks?marker=z", page(&["b"], "null")),
    ])
    .await;
    let (items, error) = read!(client::marker_pages(&connection).list_webhooks());
    assert!(error.is_none(), "{error:?}");
    assert_eq!(items, ["a", "b"]);
}

fn entries(entries: &[u8], total: &str) -> String {
    format!(r#"{{"entries": {entries:?}{total}}}"#)
}

#[tokio::test]
async fn numbered_pages_end_with_the_total_or_an_empty_page() {
    let (connection, asked) = listing(&[
        ("/entries", entries(&[1, 2], r#", "total": 3"#)),
        ("/entries?page=2", entries(&[3], r#", "total": 3"#)),
    ])
    .await;
    let (items, error) = read!(client::numbered_pages(&connection).list_entries());
    assert!(error.is_none(), "{error:?}");
    assert_eq!(items, [1, 2, 3]);
    assert_eq!(asked.lock().unwrap().len(), 2);

    let (connection, _) = listing(&[
        ("/entries?page=4", entries(&[7, 8], "")),
        ("/entries?page=5", entries(&[9, 10], "")),
        ("/entries?page=6", "{}".to_owned()),
    ])
    .await;
    let (items, error) = read!(client::numbered_pages(&connection).list_entries().page(4));
    assert!(error.is_none(), "{error:?}");
    assert_eq!(items, [7, 8, 9, 10]);
}

#[tokio::test]
async fn a_server_that_does_not_count_is_found_out() {
    let (connection, asked) = listing(&[
        ("/entries", entries(&[1, 2], "")),
        ("/entries?page=2", entries(&[1, 2], "")),
    ])
    .await;
    let (items, error) = read!(client::numbered_pages(&connection).list_entries());
    assert!(matches!(error, Some(Error::Paging(_))), "{error:?}");
    assert_eq!(items, [1, 2]);
    assert_eq!(asked.lock().unwrap().len(), 2);
}
