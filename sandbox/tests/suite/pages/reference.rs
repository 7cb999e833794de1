//! The reference documentation loads everything from this server.

use super::{answer, browser};
use crate::process::Process;

#[tokio::test]
async fn the_page_and_its_assets_need_no_credentials() {
    let sandbox = Process::start();
    let get = |path: &str| answer(browser().get(format!("{}{path}", sandbox.url)));
    let page = get("/docs").await;
    assert_eq!(page.status, 200);
    assert!(!page.text.contains("://"), "{}", page.text);
    for source in [
        "script-src 'self'",
        "connect-src 'self'",
        "default-src 'none'",
    ] {
        assert!(page.policy.contains(source), "{}", page.policy);
    }
    let mut loaded = 0;
    for attribute in ["src=\"", "href=\""] {
        for part in page.text.split(attribute).skip(1) {
            let path = part.split('"').next().unwrap();
            assert_eq!(get(path).await.status, 200, "{path}");
            loaded += 1;
        }
    }
    assert!(loaded >= 4, "{loaded}");
    let document: serde_json::Value =
        serde_json::from_str(&get("/docs/openapi.json").await.text).unwrap();
    assert!(document["paths"]["/v1/transactions"]["post"].is_object());
}

#[tokio::test]
async fn the_viewer_script_is_sent_compressed() {
    let sandbox = Process::start();
    let url = format!("{}/docs/scalar.js", sandbox.url);
    let response = browser().get(url).send().await.unwrap();
    assert_eq!(response.headers()["content-encoding"], "gzip");
    let bytes = response.bytes().await.unwrap();
    assert_eq!(bytes[..2], [0x1f, 0x8b]);
    assert!(bytes.len() < 2 << 20, "{}", bytes.len());
}
