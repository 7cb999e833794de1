//! What a server may answer, what it refuses by itself, and what the client makes of it.

use std::sync::{Arc, Mutex};

use super::recorder::{listen, plain_http, received};
use codegen_goldens::client;
use codegen_goldens::client::responses::{PollError, PollSuccess};
use codegen_goldens::models::Kept;
use codegen_goldens::operations::responses::PollOkHeaders;
use codegen_goldens::operations::server_stubs::KeepParameters;
use codegen_goldens::runtime::client::Settings;
use codegen_goldens::runtime::server::Context;
use codegen_goldens::server::responses::{PollResponse, Responses};
use codegen_goldens::server::server_stubs::{KeepResponse, ServerStubs};

/// Gives one answer, and keeps what it is given.
struct Desk {
    answer: PollResponse,
    kept: Mutex<Vec<(i64, String)>>,
}

impl Responses for Desk {
    async fn poll(&self, _context: Context) -> PollResponse {
        self.answer.clone()
    }
}

impl ServerStubs for Desk {
    async fn keep(
        &self,
        _context: Context,
        parameters: KeepParameters,
        body: Kept,
    ) -> KeepResponse {
        self.kept.lock().unwrap().push((parameters.id, body.name));
        KeepResponse::NoContent
    }
}

/// Nothing is implemented here.
struct Nobody;
impl ServerStubs for Nobody {}

fn desk(answer: PollResponse) -> Arc<Desk> {
    let kept = Mutex::default();
    Arc::new(Desk { answer, kept })
}

/// What the client makes of an answer.
async fn polled(answer: PollResponse) -> String {
    let url = listen(codegen_goldens::server::responses::routes(&desk(answer))).await;
    let connection = Arc::new(Settings::new(url).connect().unwrap());
    match client::responses(&connection).poll().await {
        Ok(answer) => {
            let cost = answer.read_headers::<PollOkHeaders>().ok();
            let cost = cost.map(|headers| headers.x_cost);
            format!("{} {:?} {cost:?}", answer.status, answer.body)
        }
        Err(error) => format!("{:?} {:?}", error.status().unwrap(), error.refusal()),
    }
}

#[tokio::test]
async fn every_status_has_a_type_of_its_own() {
    let headers = PollOkHeaders { x_cost: 7 };
    for (answer, expected) in [
        (
            PollResponse::Ok(vec![1, 2], headers),
            format!("200 OK {:?} Some(7)", PollSuccess::Ok(vec![1, 2])),
        ),
        (
            PollResponse::Accepted,
            format!("202 Accepted {:?} None", PollSuccess::Accepted),
        ),
        (
            PollResponse::NotFound("gone".to_owned()),
            format!("404 {:?}", Some(PollError::NotFound("gone".to_owned()))),
        ),
        (
            PollResponse::Default(503),
            format!("503 {:?}", Some(PollError::Default)),
        ),
    ] {
        assert_eq!(polled(answer).await, expected);
    }
}

async fn put(url: &str, path: &str, body: &str) -> (u16, String) {
    let request = plain_http()
        .put(format!("{url}{path}"))
        .body(body.to_owned());
    let answer = request
        .header("content-type", "application/json")
        .send()
        .await
        .unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

#[tokio::test]
async fn a_server_checks_before_it_asks_and_answers_501_for_what_is_not_there() {
    let desk = desk(PollResponse::Accepted);
    let url = listen(codegen_goldens::server::server_stubs::routes(&desk)).await;
    let good = r#"{"name":"pen"}"#;
    assert_eq!(put(&url, "/things/7", good).await.0, 204);
    for (path, body, status, told) in [
        ("/things/100", good, 422, "/path/id"),
        ("/things/x", good, 400, "/path/id"),
        (
            "/things/7",
            r#"{"name":""}"#,
            422,
            r#""pointer":"/name","code":"minLength""#,
        ),
        (
            "/things/7",
            "{}",
            422,
            r#""pointer":"/name","code":"required""#,
        ),
        ("/things/7", "{", 400, "body"),
        ("/nothing", good, 404, "path"),
    ] {
        let (actual, problem) = put(&url, path, body).await;
        assert_eq!(actual, status, "{path} {body}: {problem}");
        assert!(problem.contains(told), "{problem}");
    }
    assert_eq!(*desk.kept.lock().unwrap(), [(7, "pen".to_owned())]);
    let url = listen(codegen_goldens::server::server_stubs::routes(&Arc::new(
        Nobody,
    )))
    .await;
    assert_eq!(put(&url, "/things/7", good).await.0, 501);
}

#[tokio::test]
async fn an_optional_parameter_has_a_setter() {
    let plain = |connection: &_| client::optional_parameters(connection).browse("me");
    assert_eq!(
        received(plain).await.line(),
        "GET /things?owner=me HTTP/1.1"
    );
    let limited = |connection: &_| {
        client::optional_parameters(connection)
            .browse("me")
            .limit(5)
    };
    let line = received(limited).await.line().to_owned();
    assert!(
        line.contains("limit=5") && line.contains("owner=me"),
        "{line}"
    );
}
