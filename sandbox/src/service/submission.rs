//! Commands that create: the merchant's id makes each happen once.

use uuid::Uuid;

use super::{Failure, Work};
use crate::domain::{Code, Rejection};
use crate::render::{View, transaction};
use crate::store::{self, Collection, Key, Merchant, Stored};

/// Who asks for something to be created, and under which id.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The merchant.
    pub merchant: Merchant,
    /// The merchant's id; one is drawn when absent.
    pub key: Option<String>,
    /// The keyed hash of the body.
    pub fingerprint: [u8; 32],
}

/// The answer to a command that takes effect once for each key.
#[derive(Clone, Debug)]
pub enum Answer<T = Box<View>> {
    /// It took effect.
    Made(T),
    /// An earlier request took effect, which was answered with this body.
    Replayed(String),
}

impl Submission {
    /// Answers as before when the id was used with the same body, and creates otherwise.
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

    /// What the id was answered with before, provided that the body is the same.
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

    /// Keeps what the id is answered with.
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
