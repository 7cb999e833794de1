//! Makes creating commands repeatable: each merchant's id takes effect once.

use uuid::Uuid;

use super::{Failure, Work};
use crate::domain::{Code, Rejection};
use crate::render::{View, transaction};
use crate::store::{self, Collection, Key, Merchant, Stored};

/// The merchant and the id of a creating command.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The merchant.
    pub merchant: Merchant,
    /// The merchant's id; a random one when absent.
    pub key: Option<String>,
    /// The keyed hash of the body.
    pub fingerprint: [u8; 32],
}

/// The answer to a command that takes effect once per key.
#[derive(Clone, Debug)]
pub enum Answer<T = Box<View>> {
    /// This request took effect.
    Made(T),
    /// An earlier request took effect; this is the body of its answer.
    Replayed(String),
}

impl Submission {
    /// Returns the first answer when the id was used with the same body, and creates the record
    /// otherwise.
    pub(super) fn once(
        &self,
        work: &Work<'_>,
        collection: Collection,
        create: impl FnOnce(String) -> Result<View, Failure>,
    ) -> Result<Answer, Failure> {
        if let Some(body) = self.answered(work, collection)? {
            return Ok(Answer::Replayed(body));
        }
        let key = self
            .key
            .clone()
            .unwrap_or_else(|| Uuid::new_v4().hyphenated().to_string());
        let view = create(key.clone())?;
        self.keep(work, collection, &key, transaction::text(&view)?)?;
        Ok(Answer::Made(Box::new(view)))
    }

    /// The earlier answer to the id; refused when the body differs.
    pub(super) fn answered(
        &self,
        work: &Work<'_>,
        collection: Collection,
    ) -> Result<Option<String>, Failure> {
        let Some(key) = &self.key else {
            return Ok(None);
        };
        let key = Key::Natural(collection, key);
        let stored = store::find_answer(work.connection, work.tenant, key)?;
        stored.map(|stored| self.replay(stored)).transpose()
    }

    /// Stores the answer to the id.
    pub(super) fn keep(
        &self,
        work: &Work<'_>,
        collection: Collection,
        key: &str,
        body: String,
    ) -> Result<(), Failure> {
        let stored = Stored {
            fingerprint: self.fingerprint.to_vec(),
            body,
        };
        let key = Key::Natural(collection, key);
        Ok(store::insert_answer(
            work.connection,
            work.tenant,
            key,
            &stored,
        )?)
    }

    fn replay(&self, stored: Stored) -> Result<String, Failure> {
        if stored.fingerprint != self.fingerprint {
            let detail = "this merchantTransactionId was used with another body";
            return Err(Rejection::new(Code::KeyReused, detail).into());
        }
        Ok(stored.body)
    }
}
