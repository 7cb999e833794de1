//! The inspector, protected by the admin key.

use serde_json::json;

use super::{Answer, answer, browser, nonce};
use crate::control::ADMIN_KEY;
use crate::process::{KEY, Process, purchase};

const HOME: &str = "/_sandbox/inspector";
/// An admin key other than the default, so that the pages require it.
const OPERATOR: &str = "key-of-the-operator";

fn guarded() -> Process {
    Process::start_with(&["--admin-key", OPERATOR])
}

impl Process {
    async fn login(&self, key: &str) -> Answer {
        let url = format!("{}/login", self.url);
        answer(browser().post(url).body(format!("key={key}"))).await
    }

    /// The cookie of a user with the key.
    async fn session(&self, key: &str) -> String {
        let cookie = self.login(key).await.cookie.unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }

    async fn view(&self, cookie: &str, path: &str) -> Answer {
        let request = browser().get(format!("{}{HOME}{path}", self.url));
        answer(request.header("cookie", cookie)).await
    }

    async fn press(&self, cookie: &str, path: &str, nonce: &str) -> Answer {
        let request = browser().post(format!("{}{HOME}{path}", self.url));
        let request = request.body(format!("nonce={nonce}"));
        answer(request.header("cookie", cookie)).await
    }
}

#[tokio::test]
async fn only_the_admin_key_gives_access() {
    let sandbox = guarded();
    for path in [
        "/",
        "/_sandbox/inspector/requests",
        "/_sandbox/inspector/requests/1",
        "/_sandbox/inspector/notifications",
        "/_sandbox/inspector/notifications/x",
    ] {
        for cookie in ["", "sandbox-session=", "sandbox-session=99999999999.00"] {
            let url = format!("{}{path}", sandbox.url);
            let turned = answer(browser().get(url).header("cookie", cookie)).await;
            assert_eq!(
                (turned.status, turned.location.as_deref()),
                (303, Some("/login")),
                "{path}"
            );
        }
    }
    for key in ["", KEY, ADMIN_KEY, "x"] {
        let refused = sandbox.login(key).await;
        assert_eq!((refused.status, refused.cookie), (403, None));
        assert!(refused.text.contains("That is not the admin key."));
    }
    let entered = sandbox.login(OPERATOR).await;
    assert_eq!(entered.location.as_deref(), Some("/"));
    let cookie = entered.cookie.unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/;", "Max-Age=28800"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains(OPERATOR) && !cookie.contains("Secure"));
}

/// The default key protects nothing: requests that name this machine need no key.
#[tokio::test]
async fn with_the_default_key_only_requests_to_this_machine_need_no_key() {
    let sandbox = Process::start();
    let port = sandbox.url.rsplit_once(':').unwrap().1.to_owned();
    let table = [
        (format!("127.0.0.1:{port}"), 200),
        (format!("localhost:{port}"), 200),
        (format!("[::1]:{port}"), 200),
        (format!("shop.example:{port}"), 303),
        (format!("localhost.shop.example:{port}"), 303),
        (format!("127.0.0.1.shop.example:{port}"), 303),
        (format!("192.0.2.7:{port}"), 303),
        (format!("127.0.0.1@shop.example:{port}"), 303),
        (String::from("0.0.0.0"), 303),
    ];
    for (host, status) in table {
        let shown = browser().get(&sandbox.url).header("host", &host);
        assert_eq!(answer(shown).await.status, status, "{host}");
        let asked = browser().post(format!("{}/start/reset", sandbox.url));
        let reset = answer(asked.header("host", &host).body("nonce=0")).await;
        let refused = if status == 200 { 403 } else { 303 };
        assert_eq!(reset.status, refused, "{host}");
    }
}

/// With a public address, other machines may send requests.
#[tokio::test]
async fn with_a_public_address_the_key_is_required() {
    let sandbox = Process::start_with(&["--public-url", "https://sandbox.example"]);
    assert_eq!(answer(browser().get(&sandbox.url)).await.status, 303);
}

#[tokio::test]
async fn with_tls_the_cookie_is_secure() {
    let sandbox = Process::start_with(&["--public-url", "https://sandbox.example"]);
    let cookie = sandbox.login(ADMIN_KEY).await.cookie.unwrap();
    assert!(cookie.contains("; Secure"), "{cookie}");
}

#[tokio::test]
async fn a_modified_cookie_is_refused() {
    let sandbox = guarded();
    let cookie = sandbox.session(OPERATOR).await;
    assert_eq!(sandbox.view(&cookie, "/requests").await.status, 200);
    let (ends, seal) = cookie.split_once('.').unwrap();
    let later = format!("{ends}0.{seal}");
    let other = format!("{ends}.{}", seal.replace('a', "b"));
    for changed in [later, other] {
        let turned = sandbox.view(&changed, "/requests").await;
        assert_eq!(turned.status, if changed == cookie { 200 } else { 303 });
    }
}

#[tokio::test]
async fn requests_are_listed_filtered_and_shown_without_secrets() {
    let sandbox = Process::start();
    let mut order = purchase("order-1", "accept");
    order["comment"] = json!("<script>alert(1)</script> 4242424242424242");
    order["paymentSpecificData"] = json!({"card": {"expiryDate": "1230", "cvv": 987_654_321}});
    sandbox.post("/v1/transactions", &order).await;
    sandbox.get("/v1/transactions/merchant/nobody").await;
    let cookie = sandbox.session(ADMIN_KEY).await;
    let listed = sandbox.view(&cookie, "/requests").await.text;
    assert!(listed.contains("POST /v1/transactions<") && listed.contains("merchant/nobody"));
    let filtered = sandbox.view(&cookie, "/requests?status=422").await.text;
    assert!(!filtered.contains("merchant/nobody"));
    let shown = sandbox.view(&cookie, "/requests/1").await;
    assert_eq!(shown.status, 200);
    assert!(shown.text.contains("[redacted]") && shown.text.contains("[card number]"));
    for secret in ["<script>", "987654321", "4242424242424242", KEY] {
        assert!(!shown.text.contains(secret), "{secret}\n{}", shown.text);
    }
    assert!(shown.policy.contains("default-src 'none'"));
    assert_eq!(sandbox.view(&cookie, "/requests/99").await.status, 404);
    assert_eq!(
        sandbox
            .view(&cookie, "/requests?tenant=nobody")
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn a_notification_is_sent_again_by_a_button_of_the_page() {
    let sandbox = Process::start();
    let mut order = purchase("order-1", "accept");
    order["customIpnUrl"] = json!("http://127.0.0.1:9/");
    sandbox.post("/v1/transactions", &order).await;
    let told = sandbox.read_control("/webhooks").await.body["data"][0].clone();
    let path = format!("/notifications/{}", told["id"].as_str().unwrap());
    let cookie = sandbox.session(ADMIN_KEY).await;
    let listed = sandbox.view(&cookie, "/notifications").await.text;
    assert!(listed.contains("purchase.accepted"), "{listed}");
    assert!(
        !sandbox
            .view(&cookie, "/notifications?state=gone")
            .await
            .text
            .contains("purchase.accepted")
    );
    let shown = sandbox.view(&cookie, &path).await.text;
    assert!(
        shown.contains("order-1") && shown.contains("Resend"),
        "{shown}"
    );
    let replay = format!("{path}/replay");
    assert_eq!(sandbox.press(&cookie, &replay, "0").await.status, 403);
    assert_eq!(sandbox.press("", &replay, &nonce(&shown)).await.status, 403);
    let pressed = sandbox.press(&cookie, &replay, &nonce(&shown)).await;
    let back = format!("{HOME}{path}?tenant=development");
    // A notification in flight cannot be sent again.
    assert!(
        pressed.location == Some(back) || pressed.status == 409,
        "{pressed:?}"
    );
    assert_eq!(sandbox.view(&cookie, "/notifications/x").await.status, 404);
}

#[tokio::test]
async fn a_logout_requires_the_key_again() {
    let sandbox = guarded();
    let cookie = sandbox.session(OPERATOR).await;
    let page = sandbox.view(&cookie, "/requests").await.text;
    let logout = |nonce: String| {
        let request = browser().post(format!("{}/logout", sandbox.url));
        answer(
            request
                .header("cookie", &cookie)
                .body(format!("nonce={nonce}")),
        )
    };
    assert_eq!(logout("0".to_owned()).await.status, 403);
    let left = logout(nonce(&page)).await;
    assert_eq!(left.location.as_deref(), Some("/login"));
    assert!(left.cookie.unwrap().contains("Max-Age=0"));
}
