//! Commands that create: the merchant's id makes each happen once.

use rusqlite::Connection;
use uuid::Uuid;

use super::{Failure, View};
use crate::domain::{Code, Rejection};
use crate::store::{self, Collection, StoreError, Stored, Tenant};

/// Turns a transaction into the body of its answer.
pub type Render = fn(&View) -> Result<String, StoreError>;

/// Who asks for something to be created, under which id, and how the answer is written.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The merchant.
    pub tenant: Tenant,
    /// The merchant's id; one is drawn when absent.
    pub key: Option<String>,
    /// The keyed hash of the body.
    pub fingerprint: [u8; 32],
    /// How the answer is written, once and for all repeats.
    pub render: Render,
}

/// The answer to a command that creates.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It was created.
    Made(Box<View>),
    /// It was created by an earlier request, which was answered with this body.
    Replayed(String),
}

impl Submission {
    /// Answers as before when the id was used with the same body, and creates otherwise.
    pub(super) fn once(
        self,
        connection: &Connection,
        collection: Collection,
        create: impl FnOnce(String) -> Result<View, Failure>,
    ) -> Result<Answer, Failure> {
        if let Some(key) = &self.key
            && let Some(stored) = store::find_answer(connection, self.tenant, collection, key)?
        {
            return self.replay(stored);
        }
        let key = self
            .key
            .unwrap_or_else(|| Uuid::new_v4().hyphenated().to_string());
        let view = create(key.clone())?;
        let stored = Stored {
            fingerprint: self.fingerprint.to_vec(),
            body: (self.render)(&view)?,
        };
        store::insert_answer(connection, self.tenant, collection, &key, &stored)?;
        Ok(Answer::Made(Box::new(view)))
    }

    fn replay(&self, stored: Stored) -> Result<Answer, Failure> {
        if stored.fingerprint != self.fingerprint {
            let detail = "this merchantTransactionId was used with another body";
            return Err(Rejection::new(Code::KeyReused, detail).into());
        }
        Ok(Answer::Replayed(stored.body))
    }
}
