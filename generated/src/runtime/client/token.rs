//! Fetches tokens, caches them while they are valid, and renews them.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::super::sensitive::Sensitive;
use super::clock::Clock;

/// A fetched token.
#[derive(Clone, Debug)]
pub struct Token {
    /// The token.
    pub text: Sensitive<String>,
    /// How long it is valid from now on; `None` when that is unknown.
    pub lifetime: Option<Duration>,
}

/// The parts of the client that a source of tokens may need.
#[derive(Clone, Debug)]
pub struct TokenContext {
    /// The HTTP client, with its proxies and certificates.
    pub http: reqwest::Client,
    /// The address before the paths of the document.
    pub base_url: String,
}

/// The future of a token.
pub type Fetching<'a> = Pin<Box<dyn Future<Output = Result<Token, TokenError>> + Send + 'a>>;

/// Where tokens come from: [`ClientCredentials`](super::ClientCredentials), or a flow of your own.
pub trait TokenSource: Send + Sync {
    /// Fetches a token. The client calls it again shortly before the token expires, and when the
    /// server answers 401. It never runs two fetches at a time.
    fn fetch(&self, context: TokenContext) -> Fetching<'_>;
}

/// The error of a failed fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenError {
    /// The reason; it contains no secrets.
    pub message: String,
}

impl TokenError {
    /// An error with this reason.
    pub fn new(message: impl fmt::Display) -> Self {
        Self {
            message: message.to_string(),
        }
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no token: {}", self.message)
    }
}

impl std::error::Error for TokenError {}

/// A source of tokens, with the last token. Clones share both.
#[derive(Clone)]
pub struct Tokens {
    source: Arc<dyn TokenSource>,
    last: Arc<Mutex<Option<Last>>>,
    /// The number of finished fetches.
    ended: Arc<AtomicU64>,
}

/// The result of the last fetch.
struct Last {
    result: Result<Token, TokenError>,
    /// When to fetch another token.
    renewed: Option<Instant>,
    /// When the token expires.
    ends: Option<Instant>,
}

/// How long before it expires a token is renewed, but at most a tenth of its lifetime.
const MARGIN: Duration = Duration::new(60, 0);

impl Tokens {
    /// Wraps a source. Does not fetch a token yet.
    pub fn new(source: impl TokenSource + 'static) -> Self {
        Self {
            source: Arc::new(source),
            last: Arc::default(),
            ended: Arc::default(),
        }
    }

    /// A valid token other than the refused one. A caller that waits for a fetch of another caller
    /// uses its result.
    pub(super) async fn token(
        &self,
        context: TokenContext,
        clock: &dyn Clock,
        refused: Option<&str>,
    ) -> Result<String, TokenError> {
        let before = self.ended.load(Ordering::Acquire);
        let mut last = self.last.lock().await;
        let awaited = self.ended.load(Ordering::Acquire) > before;
        match &*last {
            Some(last) if awaited && last.result.is_err() => return last.text(),
            Some(last) if last.is_good(clock.instant(), last.renewed, refused) => {
                return last.text();
            }
            _ => {}
        }
        let result = self.source.fetch(context).await;
        self.ended.fetch_add(1, Ordering::AcqRel);
        let now = clock.instant();
        match &*last {
            // Renewal starts early, so after a failure the valid token is used and there is time to
            // retry.
            Some(last) if result.is_err() && last.is_good(now, last.ends, refused) => last.text(),
            _ => last.insert(Last::new(result, now)).text(),
        }
    }
}

impl Last {
    fn new(result: Result<Token, TokenError>, now: Instant) -> Self {
        let life = result.as_ref().ok().and_then(|token| token.lifetime);
        let early = life.map(|life| life.saturating_sub(MARGIN.min(life / 10)));
        let at = |life: Option<Duration>| life.and_then(|life| now.checked_add(life));
        Self {
            result,
            renewed: at(early),
            ends: at(life),
        }
    }

    /// Whether there is a token that was not refused, before the time `late`.
    fn is_good(&self, now: Instant, late: Option<Instant>, refused: Option<&str>) -> bool {
        let known = self.result.as_ref().ok();
        let other = known.is_some_and(|token| refused != Some(token.text.expose().as_str()));
        other && late.is_none_or(|late| now < late)
    }

    fn text(&self) -> Result<String, TokenError> {
        let token = self.result.as_ref().map_err(Clone::clone)?;
        Ok(token.text.expose().clone())
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens").finish_non_exhaustive()
    }
}
