impl Status {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Dark, Self::Bright];

    /// How it is shown.
    pub const fn wire(self) -> bool {
        match self {
            Self::Dark => false,
            Self::Bright => true,
        }
    }

    /// The one that is shown so.
    pub fn from_wire(wire: bool) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.wire() == wire)
    }

    /// Its word, whether it is shown or not.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Bright => "bright",
        }
    }

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}
