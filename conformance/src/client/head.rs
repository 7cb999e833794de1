//! HEAD on a connection of our own: a client that knows HTTP never looks at what a server sends after the head,
//! where nothing may be.

use std::fmt::Write as _;
use std::time::Duration;

use reqwest::Url;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};

use crate::exchange::{Answer, NoAnswer, Sent};

/// So long a body is waited for that must not come.
const PATIENCE: Duration = Duration::from_millis(100);

/// No head, with what follows it, is read further.
const MOST: usize = 256 * 1024;

/// Sends a HEAD over a plain connection; what follows the head is the body of the answer.
///
/// # Errors
/// Nothing came in time (no limit is told), or nothing that is HTTP.
pub(super) async fn send(sent: &Sent, deadline: Instant) -> Result<Answer, NoAnswer> {
    let closed = |reason: String| NoAnswer::Closed(reason);
    let url = Url::parse(&sent.url).map_err(|error| closed(error.to_string()))?;
    let read = timeout_at(deadline, exchange(&url, sent)).await;
    let bytes = match read {
        Err(_) => return Err(NoAnswer::Timeout(Duration::ZERO)),
        Ok(Err(error)) => return Err(closed(error.to_string())),
        Ok(Ok(bytes)) => bytes,
    };
    answer(&bytes).ok_or_else(|| closed("what came is not HTTP".to_owned()))
}

async fn exchange(url: &Url, sent: &Sent) -> std::io::Result<Vec<u8>> {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let port = url.port_or_known_default().unwrap_or(80);
    let mut stream = TcpStream::connect((host, port)).await?;
    stream.write_all(request(url, sent).as_bytes()).await?;
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    while bytes.len() < MOST {
        let is_answered = bytes.windows(4).any(|own| own == b"\r\n\r\n");
        let read = if is_answered {
            // Who keeps the connection open has nothing more to say.
            match timeout(PATIENCE, stream.read(&mut chunk)).await {
                Ok(read) => read.unwrap_or_default(),
                Err(_) => 0,
            }
        } else {
            stream.read(&mut chunk).await?
        };
        if read == 0 {
            break;
        }
        bytes.extend_from_slice(&chunk[..read]);
    }
    Ok(bytes)
}

fn request(url: &Url, sent: &Sent) -> String {
    let query = url
        .query()
        .map_or_else(String::new, |own| format!("?{own}"));
    let authority = url.authority();
    let mut text = format!(
        "HEAD {}{query} HTTP/1.1\r\nhost: {authority}\r\n",
        url.path()
    );
    let has_accept = sent.header("accept").is_some();
    for (name, value) in &sent.headers {
        // Writing to a string does not fail.
        let _ = write!(text, "{name}: {value}\r\n");
    }
    if !has_accept {
        text.push_str("accept: */*\r\n");
    }
    text.push_str("connection: close\r\n\r\n");
    text
}

/// The head of an answer, and what follows it.
fn answer(bytes: &[u8]) -> Option<Answer> {
    let end = bytes.windows(4).position(|own| own == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let status = first
        .next()
        .filter(|own| own.starts_with("HTTP/1."))
        .and(first.next())?;
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| {
        let value = value.trim().as_bytes().to_vec();
        (name.trim().to_ascii_lowercase(), value)
    });
    let body = bytes[end + 4..].to_vec();
    Some(Answer::new(
        status.parse().ok()?,
        headers.collect(),
        Ok(body),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_the_head_is_seen() {
        for (text, expected) in [
            (
                "HTTP/1.1 200 OK\r\nEtag: \"a\"\r\ncontent-length: 5\r\n\r\n",
                Some((200, 0)),
            ),
            ("HTTP/1.1 204 \r\n\r\n{}", Some((204, 2))),
            ("HTTP/1.1 200 OK\r\n", None),
            ("hello\r\n\r\n", None),
            ("HTTP/1.1 OK\r\n\r\n", None),
        ] {
            let found = answer(text.as_bytes());
            let found = found.map(|own| (own.status, own.body.map_or(0, |body| body.len())));
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
