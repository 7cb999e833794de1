//! Hostile values in every text of a page run no script.

use std::sync::Arc;

use browser::{fits_a_computer, fits_a_phone, in_browser, script};
use fantoccini::{Client, Locator};
use reqwest::Method;
use serde_json::{Value, json};

use crate::customers::{ask, shopper};
use crate::process::{Process, purchase};

on_both_programs! { hostile_values_run_no_script }

/// A text that would change the title of the page.
const HOSTILE: &str = r#"</a></pre><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>"#;
/// The same in a query.
const ENCODED: &str =
    "%3C%2Fa%3E%3Cscript%3Edocument.title='owned'%3C%2Fscript%3E%22onmouseover=%22x";

/// Pages for customers, with hostile values in every text of the merchant.
async fn pages_of_customers(sandbox: &Process) -> Vec<String> {
    let hostile = HOSTILE;
    let items = |price: Value| json!([{"name": hostile, "price": price, "quantity": 1}]);
    let mut asked = purchase(&format!("asked {hostile}"), "3ds");
    asked["items"] = items(json!("10.00"));
    let asked = sandbox.post("/v1/transactions", &asked).await;
    let link = json!({"merchantTransactionId": format!("link {hostile}"), "items": items(json!(1.00)),
        "amount": {"currency": "EUR", "value": 1.00}, "customer": {"firstName": hostile}});
    let link = sandbox.post("/v1/payment-links", &link).await;
    let product = json!({"name": hostile, "description": hostile});
    let product = sandbox
        .post("/v1/subscriptions/products", &product)
        .await
        .body;
    let plan = json!({"productId": product["id"], "amount": "9.90", "currency": "EUR", "intervalUnit": "month"});
    let plan = sandbox.post("/v1/subscriptions/plans", &plan).await.body;
    let mut first = purchase(&format!("first {hostile}"), "accept");
    first["amount"] = json!("9.90");
    first["customer"] = json!({"firstName": hostile, "lastName": hostile});
    first["paymentSpecificData"] = json!({"subscription": {"planId": plan["id"]}});
    assert_eq!(sandbox.post("/v1/transactions", &first).await.status, 201);
    let subscription = sandbox.get("/v1/subscriptions").await.body["data"][0].take();
    let cancel = format!(
        "/v1/subscriptions/{}/cancel",
        subscription["id"].as_str().unwrap()
    );
    let cancelled = sandbox
        .post(&cancel, &json!({"cancelReason": hostile}))
        .await;
    assert_eq!(cancelled.status, 200, "{cancelled:?}");
    shopper(sandbox).await;
    let back = json!({"returnUrl": format!("https://shop.example/?{ENCODED}")});
    let widget = "/v2/payout-profiles/card/widget";
    let widget = ask(sandbox, Method::POST, widget, Some(&back)).await.body;
    let addresses = [
        &asked.body["redirectUrl"],
        &link.body["url"],
        &widget["widgetUrl"],
    ];
    addresses
        .map(|url| url.as_str().unwrap().to_owned())
        .to_vec()
}

async fn runs_no_script(client: &Client, page: &str) {
    assert_ne!(client.title().await.unwrap(), "owned", "{page}");
    let planted =
        "return document.querySelectorAll('script, img, [onerror], [onmouseover]').length";
    assert_eq!(script(client, planted).await, 0, "{page}");
    // The policy prevents the execution of an injected script.
    let inject = "const one = document.createElement('script'); one.textContent = 'document.title = \"owned\"';
        document.body.append(one); return document.title";
    assert_ne!(script(client, inject).await, "owned", "{page}");
    fits_a_computer(client).await;
    fits_a_phone(client).await;
}

/// Sends requests with hostile values for the pages of the operator. Returns the addresses.
async fn pages_of_operators(sandbox: &Process) -> Vec<String> {
    let mut order = purchase(HOSTILE, "accept");
    order["customIpnUrl"] = json!("http://127.0.0.1:9/%22%3E%3Cscript%3E'onx='");
    order["items"] = json!([{"name": HOSTILE, "price": "10.00"}]);
    let sent = sandbox
        .request(Method::POST, "/v1/transactions")
        .json(&order);
    let sent = sent
        .header("request-id", HOSTILE)
        .header("user-agent", HOSTILE);
    assert_eq!(sent.send().await.unwrap().status(), 201);
    let name = json!({"name": &HOSTILE[..60]});
    let taken = sandbox.post_control("/snapshots", &name).await;
    assert_eq!(taken.status, 201, "{taken:?}");
    sandbox
        .get(&format!("/v1/transactions/merchant/{ENCODED}?{ENCODED}"))
        .await;
    let told = sandbox.read_control("/webhooks").await.body["data"][0].take();
    let inspector = format!("{}/_sandbox/inspector", sandbox.url);
    let mut pages = vec![
        format!("{}/?done={ENCODED}&count={ENCODED}", sandbox.url),
        format!("{}/?tenant={ENCODED}", sandbox.url),
        format!("{}/pay/{ENCODED}", sandbox.url),
        format!("{inspector}/requests"),
        format!("{inspector}/requests?operation={ENCODED}&status={ENCODED}&text={ENCODED}"),
        format!("{inspector}/notifications?state={ENCODED}"),
        format!("{inspector}/notifications/{}", told["id"].as_str().unwrap()),
    ];
    pages.extend((1..=3).map(|number| format!("{inspector}/requests/{number}")));
    pages
}

/// Sends invalid forms of the start page, whose answers repeat what is wrong.
async fn send_invalid_forms(client: &Client, sandbox: &Process) {
    for (path, field) in [
        ("clock", "by"),
        ("triggers", "event"),
        ("snapshots", "name"),
    ] {
        client.goto(&sandbox.url).await.unwrap();
        let send = format!(
            "const form = document.querySelector(\"form[action^='/start/{path}?']\");
             form.querySelectorAll('[name={field}]').forEach((one) => one.remove());
             const field = document.createElement('textarea'); field.name = '{field}';
             field.value = {}; form.append(field); form.submit()",
            json!(HOSTILE.repeat(2))
        );
        script(client, &send).await;
        let answer = Locator::Css("body:not(:has(form[action^='/start/']))");
        client.wait().for_element(answer).await.unwrap();
        runs_no_script(client, path).await;
    }
}

/// Texts of merchants, requests and addresses are shown as text.
async fn hostile_values_run_no_script(sandbox: &Arc<Process>) {
    let sandbox = Arc::clone(sandbox);
    in_browser(move |client| async move {
        let of_operators = pages_of_operators(&sandbox).await;
        let of_customers = pages_of_customers(&sandbox).await;
        client.goto(&sandbox.url).await.unwrap();
        runs_no_script(&client, "/").await;
        assert!(client.source().await.unwrap().contains("&lt;script&gt;"));
        for page in of_operators {
            client.goto(&page).await.unwrap();
            let title = client.title().await.unwrap();
            assert!(title.ends_with(" · Sandbox"), "{page}: {title}");
            runs_no_script(&client, &page).await;
        }
        for page in of_customers {
            client.goto(&page).await.unwrap();
            runs_no_script(&client, &page).await;
        }
        send_invalid_forms(&client, &sandbox).await;
    })
    .await;
}
