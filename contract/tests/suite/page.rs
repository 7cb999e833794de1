//! Tests the page in a browser: it filters, shows lines side by side, escapes texts and loads
//! nothing.

use crate::support::Bench;
use browser::{complaints, fits_a_phone, in_browser, press, requested_addresses, script};
use fantoccini::{Client, Locator};
use serde_json::json;

/// A page with findings of every level, and its address.
fn page() -> (Bench, String) {
    let bench = Bench::new();
    bench.replace("openapi.yaml", "maximum: 100", "maximum: 50");
    bench.replace("openapi.yaml", "    get:\n", "    delete:\n");
    bench.replace(
        "openapi.yaml",
        "    Thing:\n",
        "    '<img src=x onerror=alert(1)>': {type: object}\n    Thing:\n",
    );
    let output = ["diff", "openapi.yaml", "--output", "html=page.html"];
    bench.run(&output).ends(1);
    let address = format!("file://{}", bench.path().join("page.html").display());
    (bench, address)
}

/// The texts of all visible elements.
async fn texts(client: &Client, selector: &str) -> Vec<String> {
    let texts = format!(
        "return [...document.querySelectorAll({})].filter(e => e.offsetParent).map(e => e.innerText)",
        json!(selector)
    );
    serde_json::from_value(script(client, &texts).await).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn findings_are_filtered_and_shown_side_by_side() {
    let (_bench, address) = page();
    in_browser(async move |client| {
        client.set_window_size(1280, 900).await.unwrap();
        client.goto(&address).await.unwrap();
        let all = texts(&client, ".card").await.len();
        press(&client, ".chip.error").await;
        let errors = texts(&client, ".card").await;
        assert!(!errors.is_empty() && errors.len() < all, "{errors:?}");
        assert_eq!(
            texts(&client, "#shown").await,
            [format!("{} of {all}", errors.len())]
        );
        let text = client.find(Locator::Css("#text")).await.unwrap();
        text.send_keys("SIZE maximum").await.unwrap();
        let found = texts(&client, ".card").await;
        assert!(!found.is_empty() && found.len() < errors.len(), "{found:?}");
        // The old line is on the left, and the new one on the right.
        let marked = texts(&client, ".card:not([hidden]) mark").await;
        assert_eq!(marked[..2], ["100", "50"], "{marked:?}");
        let sides = "const [a, b] = document.querySelectorAll('.card:not([hidden]) .side'); \
                     return a.getBoundingClientRect().right <= b.getBoundingClientRect().left";
        assert_eq!(script(&client, sides).await, json!(true));
        press(&client, "#clear").await;
        assert_eq!(texts(&client, ".card").await.len(), all);
        let part = client.find(Locator::Css("#part")).await.unwrap();
        part.select_by_label("Paths").await.unwrap();
        let paths = texts(&client, ".card").await;
        assert!(!paths.is_empty() && paths.len() < all, "{paths:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_loads_nothing_and_fits_a_phone() {
    let (_bench, address) = page();
    in_browser(async move |client| {
        client.goto(&address).await.unwrap();
        // The start page of the browser does not count.
        let mut asked = requested_addresses(&client).await;
        asked.retain(|one| !one.starts_with("chrome://") && !one.starts_with("data:"));
        assert_eq!(asked, std::slice::from_ref(&address));
        assert_eq!(texts(&client, "img").await, Vec::<String>::new());
        fits_a_phone(&client).await;
        assert_eq!(complaints(&client).await, Vec::<String>::new());
    })
    .await;
}
