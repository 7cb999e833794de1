//! Access to the control interface.

use reqwest::Method;

use super::ADMIN_KEY;
use crate::process::{KEY, Process, reply};

#[tokio::test]
async fn only_the_admin_key_opens_the_control_interface() {
    let sandbox = Process::start();
    let get = |path: &str| sandbox.client.get(format!("{}{path}", sandbox.url));
    let audit = || get("/_sandbox/audit");
    let basic = audit().basic_auth("admin", Some(ADMIN_KEY));
    assert_eq!(reply(basic).await.status, 200);
    let twice = audit()
        .header("authorization", ADMIN_KEY)
        .header("authorization", ADMIN_KEY);
    let refused = [
        audit(),
        audit().header("authorization", KEY),
        audit().header("authorization", format!("{ADMIN_KEY}x")),
        audit().basic_auth("development", Some(ADMIN_KEY)),
        audit().basic_auth("admin", Some(KEY)),
        audit().header("cookie", format!("sandbox-admin={ADMIN_KEY}")),
        get("/_sandbox/nowhere"),
        get("/_sandbox"),
        twice,
    ];
    for request in refused {
        let refused = reply(request).await;
        assert_eq!(refused.status, 401, "{refused:?}");
        assert_eq!(refused.body["code"], "E1401");
        assert!(refused.headers.contains_key("www-authenticate"));
    }
}

#[tokio::test]
async fn the_admin_key_opens_no_operation() {
    let sandbox = Process::start();
    let url = format!("{}/v1/transactions/merchant/nobody", sandbox.url);
    let request = sandbox.client.get(url).header("authorization", ADMIN_KEY);
    assert_eq!(reply(request).await.status, 401);
}

#[tokio::test]
async fn unknown_records_are_reported_to_holders_of_the_key() {
    let sandbox = Process::start();
    assert_eq!(sandbox.read_control("/nowhere").await.status, 404);
    let wrong = reply(sandbox.admin(Method::PUT, "/clock")).await;
    assert_eq!(
        (wrong.status, wrong.body["code"].as_str()),
        (405, Some("E1405"))
    );
    for path in [
        "/clock",
        "/snapshots",
        "/requests",
        "/ledger",
        "/faults",
        "/scenarios",
    ] {
        let unknown = sandbox.read_control(&format!("{path}?tenant=nobody")).await;
        assert_eq!(unknown.status, 404, "{path}");
        assert_eq!(unknown.body["detail"], "there is no tenant of this name");
    }
}
