//! The page of a payment link.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Answer, answer, browser, nonce};
use crate::process::{Process, reply};

on_both_programs! {
    a_link_is_paid_once_with_a_card,
    mistakes_in_the_card_are_described_without_repeating_it,
    a_customer_who_leaves_a_link_can_come_back_and_foreign_forms_are_refused,
    a_form_without_a_decision_or_from_another_site_does_nothing,
    a_closed_link_shows_its_status,
    a_card_with_a_challenge_leads_to_the_page_of_the_bank,
}

impl Process {
    /// Creates a link and returns it.
    pub(super) async fn link(&self, return_to: Option<&str>) -> Value {
        let mut body = json!({
            "amount": {"currency": "EUR", "value": 49.90},
            "items": [{"name": "Green tea", "price": 24.95, "quantity": 2}],
        });
        if let Some(address) = return_to {
            body["returnUrl"] = json!(address);
        }
        let made = self.post("/v1/payment-links", &body).await;
        assert_eq!(made.status, 201, "{made:?}");
        made.body
    }

    async fn link_status(&self, link: &Value) -> Value {
        let path = format!("/v1/payment-links/{}", link["id"].as_str().unwrap());
        self.get(&path).await.body["status"].clone()
    }
}

async fn open(link: &Value) -> Answer {
    answer(browser().get(link["url"].as_str().unwrap())).await
}

async fn pay(link: &Value, nonce: &str, card: &str, more: &str) -> Answer {
    let form = format!("nonce={nonce}&decision=pay&number={card}&{more}");
    let url = link["url"].as_str().unwrap();
    answer(browser().post(url).body(form)).await
}

const GOOD: &str = "expiry=12%2F40&code=123";

async fn a_link_is_paid_once_with_a_card(sandbox: &Process) {
    let back = "https://shop.example/thanks";
    let link = sandbox.link(Some(back)).await;
    let page = open(&link).await;
    assert_eq!(page.status, 200);
    for text in ["49.90", "Green tea", "24.95", "Card number"] {
        assert!(page.text.contains(text), "{text}\n{}", page.text);
    }
    assert_eq!(sandbox.link_status(&link).await, "active");
    let nonce = nonce(&page.text);
    let paid = pay(&link, &nonce, "4242+4242+4242+4242", GOOD).await;
    assert_eq!(
        (paid.status, paid.location.as_deref()),
        (303, Some(back)),
        "{}",
        paid.text
    );
    assert_eq!(sandbox.link_status(&link).await, "paid");
    let again = pay(&link, &nonce, "4242424242424242", GOOD).await;
    assert_eq!(again.status, 409, "{}", again.text);
    assert!(open(&link).await.text.contains("This link has been paid."));
    sandbox.audit();
}

async fn mistakes_in_the_card_are_described_without_repeating_it(sandbox: &Process) {
    let link = sandbox.link(None).await;
    let nonce = nonce(&open(&link).await.text);
    let table = [
        ("4242424242424241", GOOD, &["Card number: "][..]),
        (
            "4242424242424242",
            "expiry=0120&code=123",
            &["Valid until: "],
        ),
        (
            "4242424242424242",
            "expiry=1240&code=12",
            &["Security code: "],
        ),
        (
            "1",
            "expiry=&code=",
            &["Card number: ", "Valid until: ", "Security code: "],
        ),
    ];
    for (card, more, says) in table {
        let refused = pay(&link, &nonce, card, more).await;
        assert_eq!(refused.status, 422, "{card} {more}");
        for text in says {
            assert!(refused.text.contains(text), "{text}\n{}", refused.text);
        }
        assert!(
            card.len() < 2 || !refused.text.contains(card),
            "{}",
            refused.text
        );
    }
    assert_eq!(sandbox.link_status(&link).await, "active");
}

async fn a_customer_who_leaves_a_link_can_come_back_and_foreign_forms_are_refused(
    sandbox: &Process,
) {
    let link = sandbox.link(None).await;
    let other = sandbox.link(None).await;
    let others = nonce(&open(&other).await.text);
    for given in ["", &others] {
        assert_eq!(
            pay(&link, given, "4242424242424242", GOOD).await.status,
            403
        );
    }
    let own = nonce(&open(&link).await.text);
    let form = format!("nonce={own}&decision=abandon");
    let left = answer(browser().post(link["url"].as_str().unwrap()).body(form)).await;
    assert_eq!((left.status, left.location), (200, None));
    assert!(left.text.contains("Not paid yet"));
    assert_eq!(sandbox.link_status(&link).await, "active");
}

async fn a_form_without_a_decision_or_from_another_site_does_nothing(sandbox: &Process) {
    let link = sandbox.link(None).await;
    let url = link["url"].as_str().unwrap();
    let form = format!(
        "nonce={}&number=4242424242424242&{GOOD}",
        nonce(&open(&link).await.text)
    );
    for decision in ["", "&decision=", "&decision=perhaps"] {
        let refused = answer(browser().post(url).body(format!("{form}{decision}"))).await;
        assert_eq!(refused.status, 422, "{decision}");
    }
    let pay = |origin: &str| {
        let request = browser().post(url).header("origin", origin);
        answer(request.body(format!("{form}&decision=pay")))
    };
    let other = sandbox.url.replace("127.0.0.1", "localhost");
    for origin in ["https://shop.example", "null", other.as_str()] {
        let refused = pay(origin).await;
        assert_eq!(refused.status, 403, "{origin}");
        assert!(refused.text.contains("another site"), "{}", refused.text);
    }
    assert_eq!(sandbox.link_status(&link).await, "active");
    assert_eq!(pay(&sandbox.url).await.status, 200);
    assert_eq!(sandbox.link_status(&link).await, "paid");
}

async fn a_closed_link_shows_its_status(sandbox: &Process) {
    let unknown = format!(
        "{}/pay/links/00000000-0000-4000-8000-000000000000",
        sandbox.url
    );
    assert_eq!(answer(browser().get(unknown)).await.status, 404);
    let nothing = format!("{}/pay/links/x", sandbox.url);
    assert_eq!(answer(browser().get(nothing)).await.status, 404);
    let link = sandbox.link(None).await;
    sandbox
        .post_control("/clock/advance", &json!({"by": "P1Y"}))
        .await;
    assert!(open(&link).await.text.contains("<h1>Expired</h1>"));
    let list = reply(sandbox.request(Method::GET, "/v1/payment-links")).await;
    assert_eq!(list.status, 200);
}

async fn a_card_with_a_challenge_leads_to_the_page_of_the_bank(sandbox: &Process) {
    let back = "https://shop.example/thanks";
    for (decision, status) in [("decline", "active"), ("approve", "paid")] {
        let link = sandbox.link(Some(back)).await;
        let page = nonce(&open(&link).await.text);
        let asked = pay(&link, &page, "4000000000003220", GOOD).await;
        let bank = asked.location.as_deref().unwrap_or_default();
        assert_eq!(asked.status, 303, "{}", asked.text);
        assert!(bank.starts_with(&format!("{}/pay/", sandbox.url)), "{bank}");
        assert_eq!(sandbox.link_status(&link).await, "processing");
        let question = answer(browser().get(bank)).await;
        assert!(question.text.contains("49.90"), "{}", question.text);
        let form = format!("nonce={}&decision={decision}", nonce(&question.text));
        let decided = answer(browser().post(bank).body(form)).await;
        assert_eq!(decided.location.as_deref(), Some(back), "{}", decided.text);
        assert_eq!(sandbox.link_status(&link).await, status);
    }
    // After a refusal, the same link asks again and can be paid.
    let link = sandbox.link(None).await;
    let page = nonce(&open(&link).await.text);
    pay(&link, &page, "4000000000000341", GOOD).await;
    let asked = pay(&link, &page, "4000008400001629", GOOD).await;
    let bank = asked.location.unwrap_or_default();
    let form = nonce(&answer(browser().get(&bank)).await.text);
    let form = format!("nonce={form}&decision=approve");
    let refused = answer(browser().post(&bank).body(form)).await;
    assert!(refused.text.contains("declined"), "{}", refused.text);
    assert_eq!(sandbox.link_status(&link).await, "active");
    sandbox.audit();
}
