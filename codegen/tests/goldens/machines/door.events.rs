/// What can happen to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// Somebody pushes.
    Push,
}

impl Event {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::Push];

    /// What has been done to it then.
    pub const fn done(self) -> &'static str {
        match self {
            Self::Push => "pushed",
        }
    }

    /// Who causes it.
    pub const fn by(self) -> Actor {
        match self {
            Self::Push => Actor::Guest,
        }
    }

    /// The operation that causes it, where one does.
    pub const fn operation(self, kind: Kind) -> Option<&'static str> {
        match (kind, self) {
            (Kind::Gate, Self::Push) => Some("push"),
            (Kind::Exit, Self::Push) => Some("pushHard"),
        }
    }
}
