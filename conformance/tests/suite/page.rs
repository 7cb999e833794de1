//! Tests the HTML report in a browser: it can be searched, shows how a case differs, and loads
//! nothing.

use browser::{complaints, fits_a_phone, in_browser, press, requested_addresses, script};
use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde_json::json;
use tempfile::TempDir;

/// Runs the program and writes the page. Returns its address.
async fn page() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let url = crate::support::keys::start(folder.path()).await;
    let arguments = crate::support::keys::arguments(&url);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = crate::support::binary(&arguments, folder.path());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let page = folder.path().join("out/report.html");
    let address = format!("file://{}", page.display());
    (folder, address)
}

/// The ids of the visible cases in the list.
async fn listed(client: &Client) -> Vec<String> {
    let ids =
        "return [...document.querySelectorAll('#list li:not([hidden]) .id')].map(e => e.innerText)";
    serde_json::from_value(script(client, ids).await).unwrap()
}

/// The texts of all visible elements.
async fn texts(client: &Client, selector: &str) -> Vec<String> {
    let texts = format!(
        "return [...document.querySelectorAll({})].filter(e => e.offsetParent).map(e => e.innerText)",
        json!(selector)
    );
    serde_json::from_value(script(client, &texts).await).unwrap()
}

/// Waits until a case whose id contains `id` is open. The page follows its address, which changes
/// after a click.
async fn opens(client: &Client, id: &str) {
    let heading = format!("//*[@id='detail']//h2[contains(., '{id}')]");
    let heading = Locator::XPath(&heading);
    let shown = client.wait().for_element(heading).await;
    shown.unwrap_or_else(|missing| panic!("{id} does not open: {missing}"));
}

async fn send_keys(client: &Client, keys: &str) {
    let body = client.find(Locator::Css("body")).await.unwrap();
    body.send_keys(keys).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn cases_are_found_by_verdict_area_check_and_text() {
    let (_folder, address) = page().await;
    in_browser(async move |client| {
        client.goto(&address).await.unwrap();
        press(&client, "nav a[href='#cases']").await;
        let all = listed(&client).await;
        press(&client, "nav a[href='#overview']").await;
        press(&client, ".tile.fail").await;
        let failed = listed(&client).await;
        assert!(
            failed.contains(&"createKey/201/brass".to_owned()),
            "{failed:?}"
        );
        assert!(
            !failed.contains(&"closeDoor/204/default".to_owned()),
            "{failed:?}"
        );
        press(&client, "#clear").await;
        assert_eq!(listed(&client).await, all);
        press(&client, ".chip.skip").await;
        let skipped = listed(&client).await;
        assert!(
            skipped.contains(&"createKey/409/default".to_owned()),
            "{skipped:?}"
        );
        press(&client, ".chip.fail").await;
        assert_eq!(listed(&client).await.len(), failed.len() + skipped.len());
        press(&client, "#clear").await;
        let area = client.find(Locator::Css("#area")).await.unwrap();
        area.select_by_label("doors").await.unwrap();
        let doors = listed(&client).await;
        assert!(doors.contains(&"closeDoor/204/default".to_owned()) && doors.len() < all.len());
        press(&client, "#clear").await;
        let check = client.find(Locator::Css("#check")).await.unwrap();
        check.select_by_label("json-type").await.unwrap();
        assert_eq!(listed(&client).await, ["createKey/201/brass"]);
        press(&client, "#clear").await;
        send_keys(&client, "/").await;
        let focused = client.active_element().await.unwrap();
        focused
            .send_keys("NO SUCH property /0/shape")
            .await
            .unwrap();
        let found = ["listKeys/200/example", "laws/success/listKeys"];
        assert_eq!(listed(&client).await, found);
        let shown = format!("{} of {}", found.len(), all.len());
        assert_eq!(texts(&client, "#shown").await, [shown]);
        focused
            .send_keys(&String::from(char::from(Key::Escape)))
            .await
            .unwrap();
        assert_eq!(listed(&client).await, all);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_case_shows_its_differences_and_the_example_of_a_cause_its_traffic() {
    let (_folder, address) = page().await;
    in_browser(async move |client| {
        client
            .goto(&format!("{address}#case-createKey/201/brass"))
            .await
            .unwrap();
        opens(&client, "createKey/201/brass").await;
        let finding = texts(&client, ".sides tr.finding td").await;
        assert_eq!(finding.len(), 2, "{finding:?}");
        assert!(
            finding[0].contains("\"id\": 1,") || finding[0].contains("\"id\": 1"),
            "{finding:?}"
        );
        assert!(
            finding[1].contains("json-type") && finding[1].contains("\"id\": \"9\""),
            "{finding:?}"
        );
        let actual = texts(&client, "dd.actual").await;
        assert_eq!(actual, ["\"9\""]);
        let wire = texts(&client, ".messages").await.concat();
        for text in [
            "authorization: $CONFORMANCE_AUTH",
            "HTTP 201",
            "\"pin\": \"$CONFORMANCE_SECRET\"",
        ] {
            assert!(wire.contains(text), "{text} is not in {wire}");
        }
        // From case to case with the keyboard only.
        send_keys(&client, "j").await;
        opens(&client, "createKey/401/default").await;
        assert!(
            client
                .current_url()
                .await
                .unwrap()
                .as_str()
                .ends_with("#case-createKey/401/default")
        );
        send_keys(&client, "kk").await;
        opens(&client, "listKeys/200/example").await;
        fits_a_phone(&client).await;
        // A case without findings names the report with its traffic.
        let passed = format!("{address}#case-closeDoor/204/default");
        client.goto(&passed).await.unwrap();
        opens(&client, "closeDoor/204/default").await;
        assert_eq!(texts(&client, ".messages").await, [""; 0]);
        let notes = texts(&client, "#detail .quiet").await.concat();
        assert!(notes.contains("--report har"), "{notes}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coverage_shows_every_documented_answer() {
    let (_folder, address) = page().await;
    in_browser(async move |client| {
        client.goto(&format!("{address}#coverage")).await.unwrap();
        assert_eq!(
            texts(&client, ".matrix thead th").await,
            ["operation", "200", "201", "204", "401", "409"]
        );
        let squares = "return [...document.querySelectorAll('.square')].map(e => e.title).sort()";
        assert_eq!(
            script(&client, squares).await,
            json!([
                "brass: fail",
                "default: pass",
                "default: pass",
                "default: skip",
                "example: pass"
            ])
        );
        press(&client, ".matrix summary").await;
        let parts = texts(&client, ".matrix li").await;
        assert!(
            parts.contains(&"○ oneOf /*/lock → Door 0".to_owned()),
            "{parts:?}"
        );
        assert!(
            parts.contains(&"● oneOf /*/lock → Safe 1".to_owned()),
            "{parts:?}"
        );
        fits_a_phone(&client).await;
        press(&client, ".square.fail").await;
        opens(&client, "createKey/201/brass").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_loads_nothing_and_escapes_html() {
    let (_folder, address) = page().await;
    in_browser(async move |client| {
        client
            .goto(&format!("{address}#case-listKeys/200/example"))
            .await
            .unwrap();
        opens(&client, "listKeys/200/example").await;
        let received = texts(&client, ".sides").await.concat();
        assert!(
            received.contains("</script><img src=http://127.0.0.1:9/x"),
            "{received}"
        );
        assert_eq!(
            client.title().await.unwrap(),
            "fail · Keys & <b>locks</b> · mine"
        );
        assert_eq!(
            script(
                &client,
                "return document.querySelectorAll('img, h1 b').length"
            )
            .await,
            0
        );
        press(&client, "#theme").await;
        let dark = "return getComputedStyle(document.documentElement).colorScheme";
        let first = script(&client, dark).await;
        press(&client, "#theme").await;
        assert_ne!(script(&client, dark).await, first);
        // The first page of the browser does not count.
        let mut requests = requested_addresses(&client).await;
        requests.retain(|one| !one.starts_with("chrome://"));
        assert!(!requests.is_empty());
        assert!(
            requests
                .iter()
                .all(|one| one.starts_with(&address) || one.starts_with("data:")),
            "{requests:?}"
        );
        let complaints = complaints(&client).await;
        assert!(complaints.is_empty(), "{complaints:?}");
    })
    .await;
}
