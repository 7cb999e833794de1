//! Makes commands on existing records repeatable: each idempotency key takes effect once.

use super::{Answer, Failure, Service, Work};
use crate::domain::{Code, Rejection};
use crate::render::{View, transaction};
use crate::store::{self, Key, Merchant, StoreError, Stored};

/// The place of the key in a request.
const POINTER: &str = "/header/idempotency-key";

/// The merchant and the idempotency key of a command.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The merchant.
    pub merchant: Merchant,
    /// The key; without one, every request takes effect.
    pub key: Option<CommandKey>,
}

/// The key that identifies a repeated command. Each operation has a separate set of keys.
#[derive(Clone, Debug)]
pub struct CommandKey {
    /// The id of the operation.
    pub operation: &'static str,
    /// The key in the request.
    pub name: String,
    /// The keyed hash of the body.
    pub fingerprint: [u8; 32],
}

impl From<Merchant> for Caller {
    fn from(merchant: Merchant) -> Self {
        Self {
            merchant,
            key: None,
        }
    }
}

impl CommandKey {
    /// The earlier answer to the key; refused when the body differs.
    fn answered(&self, work: &Work<'_>) -> Result<Option<String>, Failure> {
        let stored = store::find_answer(work.connection, work.tenant, self.stored())?;
        let Some(stored) = stored else {
            return Ok(None);
        };
        if stored.fingerprint != self.fingerprint {
            let detail = "this idempotency-key was used with another body";
            return Err(Rejection::at(Code::KeyReused, POINTER, detail).into());
        }
        Ok(Some(stored.body))
    }

    fn keep(&self, work: &Work<'_>, body: String) -> Result<(), Failure> {
        let stored = Stored {
            fingerprint: self.fingerprint.to_vec(),
            body,
        };
        let (connection, tenant) = (work.connection, work.tenant);
        Ok(store::insert_answer(
            connection,
            tenant,
            self.stored(),
            &stored,
        )?)
    }

    fn stored(&self) -> Key<'_> {
        Key::Command(self.operation, &self.name)
    }

    /// Runs a command, or answers as it did when it ran it; `text` is the body of the answer.
    fn run<T>(
        &self,
        work: &Work<'_>,
        text: impl Fn(&T) -> Result<String, StoreError>,
        run: impl FnOnce() -> Result<Answer<T>, Failure>,
    ) -> Result<Answer<T>, Failure> {
        if let Some(body) = self.answered(work)? {
            return Ok(Answer::Replayed(body));
        }
        match run() {
            Ok(answer) => {
                let body = match &answer {
                    Answer::Made(done) => text(done)?,
                    Answer::Replayed(body) => body.clone(),
                };
                self.keep(work, body)?;
                Ok(answer)
            }
            // A concurrent request with the same key was faster and caused the refusal. The retry
            // returns its answer.
            Err(Failure::Rejected(_)) if self.answered(work)?.is_some() => {
                Err(StoreError::Stale.into())
            }
            Err(failure) => Err(failure),
        }
    }
}

impl Caller {
    /// Creates a record, or answers as it did when it created it. The record may have a natural
    /// key as well, which recognises the request on its own.
    pub(super) fn create(
        &self,
        work: &Work<'_>,
        create: impl FnOnce() -> Result<Answer, Failure>,
    ) -> Result<Answer, Failure> {
        match &self.key {
            Some(key) => key.run(work, |view| transaction::text(view), create),
            None => create(),
        }
    }
}

impl Service {
    /// Runs a command once per key; a repeated request gets the first answer. `text` serializes it.
    pub(super) async fn once<T: Send + 'static>(
        &self,
        caller: Caller,
        text: impl Fn(&T) -> Result<String, StoreError> + Send + 'static,
        run: impl Fn(&Work<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<Answer<T>, Failure> {
        let Caller { merchant, key } = caller;
        self.command(merchant, move |work| match &key {
            Some(key) => key.run(work, &text, || run(work).map(Answer::Made)),
            None => run(work).map(Answer::Made),
        })
        .await
    }

    /// Like [`Self::once`], for a command that returns a transaction.
    pub(super) async fn change_once(
        &self,
        caller: Caller,
        run: impl Fn(&Work<'_>) -> Result<View, Failure> + Send + 'static,
    ) -> Result<Answer, Failure> {
        Ok(match self.once(caller, transaction::text, run).await? {
            Answer::Made(view) => Answer::Made(Box::new(view)),
            Answer::Replayed(body) => Answer::Replayed(body),
        })
    }
}
