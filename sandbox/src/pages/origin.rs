//! Refuses forms that browsers send from other origins.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderMap, Method, StatusCode, header};
use url::Url;

use super::closing_page::ended;
use super::tone::Tone;
use crate::admin::Control;

/// Refuses a form from another origin. Clients other than browsers send no origin and are accepted.
pub(super) async fn require_same_origin(
    State(control): State<Control>,
    request: Request,
    next: Next,
) -> Response {
    if request.method() == Method::POST && is_foreign(request.headers(), &control) {
        let detail = "The form was sent from another site.";
        return ended(StatusCode::FORBIDDEN, Tone::Bad, "Not taken", detail);
    }
    next.run(request).await
}

fn is_foreign(headers: &HeaderMap, control: &Control) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return false;
    };
    let origin = origin.to_str().unwrap_or_default();
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let asked = host.map(|host| format!("http://{host}"));
    // Behind a proxy the scheme differs, and the host may differ.
    let ours = [asked.as_deref(), Some(&*control.service.address())];
    !ours.into_iter().flatten().any(|ours| is_same(origin, ours))
}

/// Whether two addresses have the same host and port.
fn is_same(origin: &str, ours: &str) -> bool {
    let place = |text: &str| {
        let url = Url::parse(text).ok()?;
        Some((url.host_str()?.to_owned(), url.port()))
    };
    place(origin).is_some_and(|origin| Some(origin) == place(ours))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_and_port_decide() {
        let table = [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", true),
            ("https://sandbox.example", "http://sandbox.example", true),
            ("http://127.0.0.1:8081", "http://127.0.0.1:8080", false),
            ("http://localhost:8080", "http://127.0.0.1:8080", false),
            ("null", "http://127.0.0.1:8080", false),
            ("", "http://127.0.0.1:8080", false),
        ];
        for (origin, ours, same) in table {
            assert_eq!(is_same(origin, ours), same, "{origin} {ours}");
        }
    }
}
