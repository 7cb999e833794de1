//! The start page: its content and its forms.

use std::sync::Arc;

use browser::{
    complaints, fits_a_computer, fits_a_phone, in_browser, press, requested_addresses, script,
};
use fantoccini::{Client, Locator};
use serde_json::json;

use super::{Answer, answer, browser as http, nonce};
use crate::process::{DEADLINE, Process};

on_both_programs! {
    snapshots_are_taken_restored_and_removed_on_the_page,
    a_first_visitor_sees_a_subscription_fail_and_cancels_it,
    the_page_shows_connection_data_but_no_secret_key,
    an_invalid_form_is_explained_and_changes_nothing,
    forms_act_on_the_tenant_that_the_page_is_about,
    a_reset_on_the_page_keeps_only_snapshots,
}

impl Process {
    async fn start_page(&self) -> Answer {
        answer(http().get(&self.url)).await
    }

    /// Sends a form of the start page.
    async fn send(&self, path: &str, fields: &str) -> Answer {
        let nonce = nonce(&self.start_page().await.text);
        let request = http().post(format!("{}/start/{path}", self.url));
        answer(request.body(format!("nonce={nonce}&{fields}"))).await
    }
}

/// The text of the page once it contains `part`.
async fn text_with(client: &Client, part: &str) -> String {
    let begun = std::time::Instant::now();
    loop {
        let text = script(client, "return document.body.innerText").await;
        let text = text.as_str().unwrap_or_default().to_owned();
        if text.contains(part) {
            return text;
        }
        assert!(begun.elapsed() < DEADLINE, "{part} is not in:\n{text}");
    }
}

/// Selects an event and presses the button.
async fn make_happen(client: &Client, event: &str) {
    press(
        client,
        &format!("select[name=event] option[value='{event}']"),
    )
    .await;
    press(client, "form[action^='/start/triggers'] button").await;
    client
        .wait()
        .at_most(DEADLINE)
        .for_element(Locator::Css(".notice"))
        .await
        .unwrap();
}

async fn a_first_visitor_sees_a_subscription_fail_and_cancels_it(sandbox: &Arc<Process>) {
    let sandbox = Arc::clone(sandbox);
    in_browser(move |client| async move {
        client.goto(&sandbox.url).await.unwrap();
        fits_a_phone(&client).await;
        make_happen(&client, "subscription.charged").await;
        text_with(&client, "1 paid, next charge").await;
        for paid in ["2 paid, next charge", "2 paid, 1 declined, tries again"] {
            press(&client, "button[value=P1M]").await;
            text_with(&client, paid).await;
        }
        let text = text_with(&client, "E1006").await;
        assert!(
            text.contains("insufficient funds of the customer"),
            "{text}"
        );
        press(&client, "form[action*='/cancel?'] button").await;
        text_with(&client, "2 paid, 1 declined, end").await;
        fits_a_computer(&client).await;
        fits_a_phone(&client).await;
        let left = client.find_all(Locator::Css("form[action*='/cancel?']"));
        assert!(left.await.unwrap().is_empty());
        let own = [sandbox.url.as_str(), "data:", "chrome:"];
        let foreign = |url: &&String| !own.iter().any(|start| url.starts_with(start));
        assert_eq!(
            requested_addresses(&client).await.iter().find(foreign),
            None
        );
        assert_eq!(complaints(&client).await, [""; 0]);
    })
    .await;
}

async fn snapshots_are_taken_restored_and_removed_on_the_page(sandbox: &Arc<Process>) {
    let sandbox = Arc::clone(sandbox);
    in_browser(move |client| async move {
        client.goto(&sandbox.url).await.unwrap();
        let name = client.find(Locator::Css("input[name=name]")).await.unwrap();
        name.send_keys("Before the sale").await.unwrap();
        press(&client, "form[action^='/start/snapshots?'] button").await;
        text_with(&client, "Before the sale").await;
        make_happen(&client, "purchase.accepted").await;
        text_with(&client, "trigger-").await;
        press(&client, "form[action*='/1/restore'] button").await;
        text_with(&client, "No payment yet").await;
        press(&client, "form[action*='/1/remove'] button").await;
        let text = text_with(&client, "The snapshot was removed.").await;
        assert!(!text.contains("Before the sale"), "{text}");
        assert_eq!(complaints(&client).await, [""; 0]);
    })
    .await;
}

async fn the_page_shows_connection_data_but_no_secret_key(sandbox: &Process) {
    let page = sandbox.start_page().await;
    assert_eq!(page.status, 200);
    assert!(
        page.policy.contains("default-src 'none'"),
        "{}",
        page.policy
    );
    assert!(!page.policy.contains("script"), "{}", page.policy);
    for text in [
        sandbox.url.as_str(),
        "development-admin-key",
        "whsec_",
        "4242424242424242",
        "00000000-0000-4000-8000-000000001005",
        "3ds;then=reject;code=E1005",
        "TWO_STEP",
    ] {
        assert!(page.text.contains(text), "{text}\n{}", page.text);
    }
    // The tenant's key is not the default key.
    for secret in [crate::process::KEY, "development-key"] {
        assert!(!page.text.contains(secret), "{secret}");
    }
}

async fn an_invalid_form_is_explained_and_changes_nothing(sandbox: &Process) {
    let rows = sandbox.rows();
    let nobody = "836efa5d-17a8-490c-afbb-5eca57ae9270";
    let table = [
        ("clock".to_owned(), "by=", 422),
        ("clock".to_owned(), "by=soon", 422),
        ("clock".to_owned(), "by=-P1D", 422),
        ("clock".to_owned(), "by=P9998Y", 422),
        ("triggers".to_owned(), "event=nothing", 422),
        (
            "triggers".to_owned(),
            "event=purchase.accepted&notify=javascript:alert(1)",
            422,
        ),
        ("snapshots/7/restore".to_owned(), "", 404),
        ("snapshots/x/remove".to_owned(), "", 404),
        (format!("subscriptions/{nobody}/cancel"), "", 404),
        (format!("notifications/{nobody}/replay"), "", 404),
    ];
    for (path, fields, status) in table {
        let refused = sandbox.send(&path, fields).await;
        assert_eq!(refused.status, status, "{path} {fields}\n{}", refused.text);
        let foreign = http().post(format!("{}/start/{path}", sandbox.url));
        let foreign = answer(foreign.body(format!("nonce=0&{fields}"))).await;
        assert_eq!(foreign.status, 403, "{path}");
    }
    assert_eq!(sandbox.rows(), rows);
    let long = sandbox
        .send("snapshots", &format!("name={}", "n".repeat(65)))
        .await;
    assert_eq!(long.status, 422, "{}", long.text);
}

async fn forms_act_on_the_tenant_that_the_page_is_about(sandbox: &Process) {
    let made = sandbox
        .post_control("/tenants", &json!({"name": "shop-two"}))
        .await;
    assert_eq!(made.status, 201);
    let moved = sandbox.send("clock?tenant=shop-two", "by=P1D").await;
    let there = "/?tenant=shop-two&done=clock&count=0";
    assert_eq!(moved.location.as_deref(), Some(there));
    let ahead = |reply: crate::process::Reply| reply.body["aheadMs"].as_i64().unwrap();
    assert_eq!(ahead(sandbox.read_control("/clock").await), 0);
    assert!(ahead(sandbox.read_control("/clock?tenant=shop-two").await) >= 86_400_000);
    let page = answer(http().get(format!("{}{there}", sandbox.url))).await;
    assert!(page.text.contains("24 hours ahead"), "{}", page.text);
    assert!(page.text.contains("Nothing became due."), "{}", page.text);
}

async fn a_reset_on_the_page_keeps_only_snapshots(sandbox: &Process) {
    sandbox.purchase("order-1", "accept").await;
    sandbox.send("snapshots", "name=kept").await;
    let reset = sandbox.send("reset", "").await;
    assert_eq!(
        reset.location.as_deref(),
        Some("/?tenant=development&done=reset")
    );
    let page = sandbox.start_page().await.text;
    assert!(
        page.contains("No payment yet") && page.contains("kept"),
        "{page}"
    );
    assert_eq!(
        sandbox.read_control("/requests").await.body["data"],
        json!([])
    );
}
