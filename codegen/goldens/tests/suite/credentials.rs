//! Credentials on the wire, and tokens that are fetched for them.

use super::gatekeeper::{SetClock, client, guarded};
use codegen_goldens::client::security_root::{Error, Settings};
use codegen_goldens::runtime::Sensitive;
use codegen_goldens::runtime::client::{
    ClientCredentials, Fetching, RetryPolicy, Token, TokenContext, TokenError, TokenSource,
};

#[tokio::test]
async fn the_first_way_in_that_is_complete_is_taken() {
    let (gate, settings) = guarded().await;
    let all = settings
        .clone()
        .header_key("h")
        .query_key("q/q")
        .cookie_key("c;c");
    for (settings, expected) in [
        (settings.clone(), "GET /either"),
        (settings.clone().header_key("h"), "GET /either"),
        (
            settings.clone().header_key("h").query_key("q/q"),
            "GET /either?key=q%2Fq   h",
        ),
        (
            settings.clone().header_key("h").cookie_key("c;c"),
            "GET /either  session=c%3Bc",
        ),
        (settings.clone().oauth("t"), "GET /either Bearer t"),
        (settings.clone().basic("u", "p"), "GET /either Basic dTpw"),
        (all.oauth("t").basic("u", "p"), "GET /either?key=q%2Fq   h"),
    ] {
        client(settings).security().either().await.unwrap();
        let calls = std::mem::take(&mut gate.lock().unwrap().calls);
        assert_eq!(calls, [expected]);
    }
}

#[tokio::test]
async fn callers_at_the_same_time_share_one_token() {
    let (gate, settings) = guarded().await;
    let security = client(settings.oauth_for_client("a b", "s/t")).security();
    let (one, two, three) = tokio::join!(
        security.either().into_future(),
        security.change().into_future(),
        security.either().into_future()
    );
    assert!(one.is_ok() && two.is_ok() && three.is_ok());
    let gate = gate.lock().unwrap();
    // Both parts are encoded before they are joined: `a%20b:s%2Ft`.
    let asked = (
        "Basic YSUyMGI6cyUyRnQ=".to_owned(),
        "grant_type=client_credentials".to_owned(),
    );
    assert_eq!(gate.asked, [asked]);
    assert_eq!(gate.calls.len(), 3);
    let all = gate.calls.iter();
    assert!(
        all.into_iter()
            .all(|call| call.ends_with("/either Bearer secret-token-1"))
    );
}

#[tokio::test]
async fn a_token_is_renewed_before_it_ends() {
    let (gate, settings) = guarded().await;
    let clock = SetClock::new();
    let source = ClientCredentials::new("/oauth/token", "id", "secret");
    let source = source.scopes(&["read", "write"]).in_body();
    let client = client(settings.oauth_from(source).clock(clock.clone()));
    for (seconds, given) in [(0, 1), (3539, 1), (2, 2), (3000, 2)] {
        clock.forward(seconds);
        client.security().either().await.unwrap();
        assert_eq!(gate.lock().unwrap().given, given);
    }
    // While the old one is good, a refusal of another one is nobody's loss.
    gate.lock().unwrap().refusal = Some("{}");
    clock.forward(541);
    client.security().either().await.unwrap();
    clock.forward(60);
    assert!(matches!(
        client.security().either().await,
        Err(Error::Request(_))
    ));
    let gate = gate.lock().unwrap();
    let body = "grant_type=client_credentials&scope=read%20write&client_id=id&client_secret=secret";
    assert_eq!(gate.asked[0], (String::new(), body.to_owned()));
    assert_eq!((gate.asked.len(), gate.calls.len()), (4, 5));
}

#[tokio::test]
async fn a_refused_token_is_renewed_once() {
    let (gate, settings) = guarded().await;
    let settings = settings.retries(RetryPolicy::off());
    let client = client(settings.oauth_for_client("id", "secret"));
    gate.lock().unwrap().oldest = 2;
    client.security().change().await.unwrap();
    gate.lock().unwrap().oldest = 9;
    let error = client.security().change().await.unwrap_err();
    assert_eq!(error.status().unwrap(), 401);
    let gate = gate.lock().unwrap();
    let tokens: Vec<_> = gate
        .calls
        .iter()
        .map(|call| call.chars().last().unwrap())
        .collect();
    assert_eq!(tokens, ['1', '2', '2', '3']);
    assert_eq!(gate.given, 3);
}

#[tokio::test]
async fn without_a_token_nothing_is_sent() {
    let (gate, settings) = guarded().await;
    gate.lock().unwrap().refusal = Some(r#"{"error":"invalid_client"}"#);
    let security = client(settings.oauth_for_client("id", "secret")).security();
    let (one, two) = tokio::join!(
        security.either().into_future(),
        security.either().into_future()
    );
    for result in [one, two] {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::Request(_)), "{error}");
        assert!(error.to_string().contains("invalid_client"), "{error}");
    }
    let gate = gate.lock().unwrap();
    assert_eq!((gate.asked.len(), gate.calls.len()), (1, 0));
}

/// A token source that the user of the client implements.
struct Own;

impl TokenSource for Own {
    fn fetch(&self, context: TokenContext) -> Fetching<'_> {
        let fetched = if context.base_url.starts_with("http://127.0.0.1") {
            Ok(Token {
                text: Sensitive::new("secret-token-7".to_owned()),
                lifetime: None,
            })
        } else {
            Err(TokenError::new("somewhere else"))
        };
        Box::pin(std::future::ready(fetched))
    }
}

#[tokio::test]
async fn another_flow_is_a_source_of_tokens() {
    let (gate, settings) = guarded().await;
    client(settings.oauth_from(Own))
        .security()
        .either()
        .await
        .unwrap();
    assert_eq!(
        gate.lock().unwrap().calls,
        ["GET /either Bearer secret-token-7"]
    );
}

#[tokio::test]
async fn no_token_is_printed() {
    let (_, settings) = guarded().await;
    let settings: Settings = settings.oauth_for_client("id", "very-secret");
    let before = format!("{settings:?}");
    let client = client(settings.clone());
    let call = client.security().either();
    let printed = format!("{before} {client:?} {call:?}");
    call.await.unwrap();
    let source = ClientCredentials::new("/oauth/token", "id", "very-secret");
    let printed = format!("{printed} {settings:?} {client:?} {source:?}");
    assert!(
        !printed.contains("secret-token") && !printed.contains("very-secret"),
        "{printed}"
    );
}
