/// Which machine it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// In.
    Gate,
    /// Out.
    Exit,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Gate, Self::Exit];

    /// How it is shown.
    pub const fn wire(self) -> &'static str {
        match self {
            Self::Gate => "IN",
            Self::Exit => "OUT",
        }
    }

    /// The one that is shown so.
    pub fn from_wire(wire: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.wire() == wire)
    }
}
