//! Direct: requests over plain connections straight to the server.

use std::pin::pin;
use std::time::Duration;

use openapi_document::view::Method;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

use super::connection::{Connection, Fault};
use super::pool::{Pool, Turn};
use super::request::Outgoing;
use crate::exchange::{Answer, NoAnswer, Sent};

/// An answer that comes no sooner may wait for a connection that is kept open.
const LATE: Duration = Duration::from_millis(250);

/// What sends requests straight to the server.
#[derive(Debug, Default)]
pub(super) struct Direct {
    pool: Pool,
}

impl Direct {
    /// Sends a request and reads the answer to its end.
    ///
    /// # Errors
    /// Nothing came in time, or nothing that is HTTP.
    pub(super) async fn send(
        &self,
        sent: &Sent,
        deadline: Instant,
        limit: Duration,
    ) -> Result<Answer, NoAnswer> {
        let outgoing = Outgoing::new(sent).map_err(NoAnswer::Closed)?;
        // A connection with its buffers would make everything that waits for it as large.
        let answer = Box::pin(self.answer(sent, outgoing, deadline)).await;
        answer.map_err(|fault| match fault {
            Fault::Timeout => NoAnswer::Timeout(limit),
            Fault::Closed(reason) => NoAnswer::Closed(reason),
        })
    }

    /// Has a connection carry the next request that would open one.
    pub(super) fn start(&self, stream: TcpStream) {
        if let Ok(connection) = Connection::over(stream) {
            self.pool.start(connection);
        }
    }

    /// Closes the connections that wait for another request.
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
        // What follows the head is looked for to the end of its connection.
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
            turn.make_way();
            exchange.await
        };
        let (answer, connection) = done?;
        let answer = answer?;
        turn.answered();
        // Who refuses early may not have read what was sent.
        let is_read = answer.status < 400 || sent.body.is_none();
        if let Some(connection) = connection.filter(|_| is_read) {
            turn.keep(connection);
        }
        Ok(answer)
    }
}

/// Sends a request over a connection that has been kept; once more over a fresh one where that fails and the request
/// changes nothing.
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
        // What the server did with the connection says nothing about the request.
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
