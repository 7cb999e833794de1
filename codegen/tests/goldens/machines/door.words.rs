impl Status {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::InUse, Self::SelfValue];

    /// How it is shown; `None` where nobody sees it.
    pub const fn wire(self) -> Option<&'static str> {
        match self {
            Self::InUse => Some("USED"),
            Self::SelfValue => None,
        }
    }

    /// The one that is shown so.
    pub fn from_wire(wire: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|status| status.wire() == Some(wire))
    }

    /// Its word, whether it is shown or not.
    pub const fn name(self) -> &'static str {
        match self {
            Self::InUse => "in-use",
            Self::SelfValue => "Self",
        }
    }

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}
