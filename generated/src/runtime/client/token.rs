//! Tokens that are fetched, kept while they are good, and fetched anew.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::super::sensitive::Sensitive;
use super::clock::Clock;

/// A token that was fetched.
#[derive(Clone, Debug)]
pub struct Token {
    /// The token.
    pub text: Sensitive<String>,
    /// How long it is good from now on, where that is known.
    pub lifetime: Option<Duration>,
}

/// What a source of tokens may need of the client.
#[derive(Clone, Debug)]
pub struct TokenContext {
    /// The HTTP client, with its proxies and certificates.
    pub http: reqwest::Client,
    /// The address before the paths of the document.
    pub base_url: String,
}

/// A token that is being fetched.
pub type Fetching<'a> = Pin<Box<dyn Future<Output = Result<Token, TokenError>> + Send + 'a>>;

/// Where tokens come from: [`ClientCredentials`](super::ClientCredentials), or a flow of your own.
pub trait TokenSource: Send + Sync {
    /// Fetches a token. It is asked again shortly before that one is no longer good, when the
    /// server answers 401, and never twice at a time.
    fn fetch(&self, context: TokenContext) -> Fetching<'_>;
}

/// There is no token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenError {
    /// Why; without anything that is secret.
    pub message: String,
}

impl TokenError {
    /// There is no token, for this reason.
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

/// A source of tokens, and the last one. Clones share it.
#[derive(Clone)]
pub struct Tokens {
    source: Arc<dyn TokenSource>,
    last: Arc<Mutex<Option<Last>>>,
    /// How many fetches have ended.
    ended: Arc<AtomicU64>,
}

/// What the last fetch gave.
struct Last {
    result: Result<Token, TokenError>,
    /// From when on another one is fetched.
    renewed: Option<Instant>,
    /// From when on it is not good any more.
    ends: Option<Instant>,
}

/// How long before its end a token is fetched anew, unless that is more than a tenth of its life.
const MARGIN: Duration = Duration::new(60, 0);

impl Tokens {
    /// Tokens of a source. None is fetched yet.
    pub fn new(source: impl TokenSource + 'static) -> Self {
        Self {
            source: Arc::new(source),
            last: Arc::default(),
            ended: Arc::default(),
        }
    }

    /// A token that is good and not this one. Who waits while another one's fetch is under way
    /// takes what that gives.
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
            // It is renewed early, so that there is time for another attempt.
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

    /// Whether there is a token, another one than was refused, and it is not this late yet.
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
