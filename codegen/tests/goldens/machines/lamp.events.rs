/// What can happen to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// The button was pressed.
    Press,
    /// Nobody moved.
    Late,
}

impl Event {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Press, Self::Late];

    /// What has been done to it then.
    pub const fn done(self) -> &'static str {
        match self {
            Self::Press => "switched on",
            Self::Late => "switched off",
        }
    }

    /// Who causes it.
    pub const fn by(self) -> Actor {
        match self {
            Self::Press => Actor::Guest,
            Self::Late => Actor::Timer,
        }
    }

    /// The operation that causes it, where one does.
    pub const fn operation(self) -> Option<&'static str> {
        match self {
            Self::Press => Some("pressButton"),
            _ => None,
        }
    }
}
