impl Request<NewPet> {
    /// Sets `attempt`.
    pub fn attempt(mut self, attempt: i64) -> Self {
        self.parameters.attempt = Some(attempt);
        self
    }
}

/// The operation `newPet`.
#[derive(Clone, Copy, Debug)]
pub struct NewPet;

/// The documented refusals of `newPet`.
#[derive(Clone, Debug, PartialEq)]
pub enum NewPetError {
    /// 410: Nobody looks.
    Gone,
}

impl Endpoint for NewPet {
    type Parameters = operations::webhooks::NewPetParameters;
    type Success = ();
    type Error = NewPetError;
    const OPERATION: &'static Operation = &operations::webhooks::NEW_PET;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            204 => Outcome::Success(()),
            410 => Outcome::Refused(NewPetError::Gone),
            _ => Outcome::Undocumented,
        })
    }
}
