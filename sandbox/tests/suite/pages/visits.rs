//! Visits of the pages with a browser.

use std::sync::Arc;

use fantoccini::Locator;
use serde_json::{Value, json};

use crate::process::{DEADLINE, Process, purchase};
use browser::{complaints, fits_a_phone, in_browser, press, requested_addresses, script};

#[tokio::test]
async fn a_customer_decides_and_returns_to_the_shop() {
    let sandbox = Arc::new(Process::start());
    in_browser(move |client| async move {
        // Another name of this machine is another origin, like a shop.
        let back = format!("{}/assets/icon.svg?order=1", sandbox.url);
        let back = back.replace("127.0.0.1", "localhost");
        let table = [
            ("approve", "ACCEPTED"),
            ("decline", "REJECTED"),
            ("timeout", "EXPIRED"),
            ("abandon", "PENDING"),
        ];
        for (decision, status) in table {
            let made = sandbox.asked(decision, Some(&back)).await;
            client
                .goto(made["redirectUrl"].as_str().unwrap())
                .await
                .unwrap();
            let title = client.find(Locator::Css(".amount")).await.unwrap();
            assert_eq!(title.text().await.unwrap(), "10.00EUR");
            assert_eq!(sandbox.status(decision).await, "PENDING");
            fits_a_phone(&client).await;
            press(&client, &format!("button[value={decision}]")).await;
            let known = made["verifyReturnmac"].as_str().unwrap();
            let there = format!("{back}&verifyReturnmac={known}").parse().unwrap();
            client
                .wait()
                .at_most(DEADLINE)
                .for_url(&there)
                .await
                .unwrap();
            assert_eq!(sandbox.status(decision).await, status);
        }
        assert_eq!(complaints(&client).await, [""; 0]);
    })
    .await;
}

#[tokio::test]
async fn an_operator_inspects_requests_and_notifications() {
    let key = "key-of-the-operator";
    let sandbox = Arc::new(Process::start_with(&["--admin-key", key]));
    in_browser(move |client| async move {
        let mut order = purchase("order-1", "accept");
        order["customIpnUrl"] = json!("http://127.0.0.1:9/");
        sandbox.post("/v1/transactions", &order).await;
        sandbox.get("/v1/transactions/merchant/nobody").await;

        let home = format!("{}/_sandbox/inspector", sandbox.url);
        client.goto(&home).await.unwrap();
        let field = client
            .wait()
            .for_element(Locator::Css("input[name=key]"))
            .await
            .unwrap();
        field.send_keys(key).await.unwrap();
        press(&client, "button.main").await;
        press(&client, "nav a[href*=requests]").await;
        client
            .wait()
            .for_element(Locator::Css("table.list"))
            .await
            .unwrap();
        fits_a_phone(&client).await;
        assert_eq!(script(&client, "return document.cookie").await, "");

        let status = client
            .find(Locator::Css("input[name=status]"))
            .await
            .unwrap();
        status.send_keys("404").await.unwrap();
        press(&client, ".filters button").await;
        let only = Locator::Css("tbody tr:only-child");
        client.wait().for_element(only).await.unwrap();
        press(&client, "tbody a").await;
        client
            .wait()
            .for_element(Locator::Css("section[aria-label=Answer] pre"))
            .await
            .unwrap();
        let text = client
            .find(Locator::Css("main"))
            .await
            .unwrap()
            .text()
            .await
            .unwrap();
        assert!(
            text.contains("E1404") && text.contains("[redacted]"),
            "{text}"
        );

        client.goto(&format!("{home}/notifications")).await.unwrap();
        press(&client, "tbody a").await;
        press(&client, "form[action*=replay] button").await;
        press(&client, ".bar form button").await;
        client
            .wait()
            .for_element(Locator::Css("input[name=key]"))
            .await
            .unwrap();
        assert_eq!(complaints(&client).await, [""; 0]);
    })
    .await;
}

#[tokio::test]
async fn the_reference_shows_every_operation_and_contacts_no_other_host() {
    let sandbox = Arc::new(Process::start());
    in_browser(move |client| async move {
        client.goto(&format!("{}/docs", sandbox.url)).await.unwrap();
        let wait = client.wait().at_most(DEADLINE);
        wait.for_element(Locator::Css("aside a")).await.unwrap();
        let shown = opened_sidebar(&client).await;
        let document = include_str!("../../../../generated/openapi.json");
        let document: Value = serde_json::from_str(document).unwrap();
        let mut operations = 0;
        for item in document["paths"].as_object().unwrap().values() {
            for operation in item.as_object().unwrap().values() {
                let Some(summary) = operation["summary"].as_str() else {
                    continue;
                };
                assert!(shown.contains(summary), "{summary} is not in:\n{shown}");
                operations += 1;
            }
        }
        assert!(operations > 60, "{operations}");
        let text = script(&client, "return document.body.innerText").await;
        let text = text.as_str().unwrap();
        for value in [
            "Test cards",
            "4000000000009995",
            "sandbox-outcome",
            "TWO_STEP",
        ] {
            assert!(text.contains(value), "{value} is not in:\n{text}");
        }
        let asked = requested_addresses(&client).await;
        assert!(
            asked.iter().any(|url| url.ends_with("/docs/openapi.json")),
            "{asked:?}"
        );
        // The browser's start page is not one of ours.
        let own = [sandbox.url.as_str(), "data:", "blob:", "chrome:"];
        let foreign = |url: &&String| !own.iter().any(|start| url.starts_with(start));
        assert_eq!(asked.iter().find(foreign), None);
        assert_eq!(complaints(&client).await, [""; 0]);
    })
    .await;
}

/// The text of the sidebar with all entries unfolded.
async fn opened_sidebar(client: &fantoccini::Client) -> String {
    let unfold = "const folded = [...document.querySelectorAll('aside [aria-expanded=false]')];
        folded.forEach(one => one.click()); return folded.length";
    let begun = std::time::Instant::now();
    let (mut quiet, mut is_filled) = (0, false);
    // The entries come after the frame and unfold in steps, so wait until some were unfolded and
    // nothing is folded several times in a row.
    while quiet < 5 {
        assert!(begun.elapsed() < DEADLINE);
        let folded = script(client, unfold).await;
        is_filled |= folded != 0;
        quiet = if is_filled && folded == 0 {
            quiet + 1
        } else {
            0
        };
    }
    let text = script(client, "return document.querySelector('aside').textContent").await;
    text.as_str().unwrap().to_owned()
}
