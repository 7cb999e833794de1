/// Where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Open.
    InUse,
    /// Shut.
    SelfValue,
}
