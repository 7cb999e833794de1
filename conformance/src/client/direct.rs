//! Sends requests over plain connections without a proxy.

use std::pin::pin;
use std::time::Duration;

use openapi_document::view::Method;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

use super::connection::{Connection, Fault};
use super::pool::{Pool, Turn};
use super::request::Outgoing;
use crate::exchange::{Answer, NoAnswer, Sent};

/// After this time without an answer, the server may be waiting for an idle connection to close.
const LATE: Duration = Duration::from_millis(250);

#[derive(Debug, Default)]
pub(super) struct Direct {
    pool: Pool,
}

impl Direct {
    /// Sends a request and reads the whole answer.
    ///
    /// # Errors
    /// No answer arrived in time, or it is not HTTP.
    pub(super) async fn send(
        &self,
        sent: &Sent,
        deadline: Instant,
        limit: Duration,
    ) -> Result<Answer, NoAnswer> {
        let outgoing = Outgoing::new(sent).map_err(NoAnswer::Closed)?;
        // Boxed, because a connection with its buffers would make every future that awaits it as
        // large.
        let answer = Box::pin(self.answer(sent, outgoing, deadline)).await;
        answer.map_err(|fault| match fault {
            Fault::Timeout => NoAnswer::Timeout(limit),
            Fault::Closed(reason) => NoAnswer::Closed(reason),
        })
    }

    /// Gives the next request that needs a new connection this one.
    pub(super) fn start(&self, stream: TcpStream) {
        if let Ok(connection) = Connection::over(stream) {
            self.pool.start(connection);
        }
    }

    /// Closes the idle connections.
    pub(super) fn rest(&self) {
        self.pool.rest();
    }

    async fn answer(
        &self,
        sent: &Sent,
        outgoing: Outgoing,
        deadline: Instant,
    ) -> Result<Answer, Fault> {
        let turn = self.pool.turn();
        let is_head = sent.method == Method::Head;
        let is_safe = sent.body.is_none() && sent.method.is_safe();
        // The body of an answer to HEAD is read until its connection ends.
        let kept = if is_head {
            turn.pass();
            None
        } else {
            turn.take(is_safe)
        };
        let mut exchange = pin!(async {
            if let Some(kept) = kept {
                return over(kept, &turn, outgoing, is_safe, deadline).await;
            }
            let fresh = match turn.started() {
                Some(started) => started,
                None => Connection::open(&outgoing, deadline).await?,
            };
            Ok(fresh.exchange(outgoing.request, deadline).await)
        });
        let done = if let Ok(done) = timeout(LATE, &mut exchange).await {
            done
        } else {
            turn.release_idle();
            exchange.await
        };
        let (answer, connection) = done?;
        let answer = answer?;
        turn.answered();
        // A server that refuses early may not have read the body.
        let is_read = answer.status < 400 || sent.body.is_none();
        if let Some(connection) = connection.filter(|_| is_read) {
            turn.keep(connection);
        }
        Ok(answer)
    }
}

/// Sends a request over a reused connection. When that fails and the request is safe, sends it
/// again over a new connection.
async fn over(
    kept: Connection,
    turn: &Turn<'_>,
    outgoing: Outgoing,
    is_safe: bool,
    deadline: Instant,
) -> Result<(Result<Answer, Fault>, Option<Connection>), Fault> {
    let again = is_safe.then(|| outgoing.clone());
    let done = kept.exchange(outgoing.request, deadline).await;
    if done.0.is_ok() {
        turn.prove();
        return Ok(done);
    }
    turn.give_up();
    match (done.0, again) {
        // A closed connection is not an error of the request.
        (Err(Fault::Closed(_)), Some(again)) => {
            let fresh = Connection::open(&again, deadline).await?;
            Ok(fresh.exchange(again.request, deadline).await)
        }
        (Err(Fault::Closed(reason)), None) => {
            let reason = format!("{reason}, on a connection that had been kept open");
            Err(Fault::Closed(reason))
        }
        (other, _) => Ok((other, None)),
    }
}
