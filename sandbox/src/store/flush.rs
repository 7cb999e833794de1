//! When a commit is acknowledged: after or before it is on disk.

/// When a commit is acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flush {
    /// After it is on disk.
    #[default]
    EachCommit,
    /// Before it is on disk. When the machine fails, the last commits are lost, each of them
    /// completely.
    Later,
}

impl Flush {
    /// The value of `synchronous` in SQLite: 1 is `NORMAL`, 2 is `FULL`.
    pub(super) const fn sqlite(self) -> i64 {
        match self {
            Self::EachCommit => 2,
            Self::Later => 1,
        }
    }

    /// The value of `synchronous_commit` in PostgreSQL.
    pub(super) const fn postgres(self) -> &'static str {
        match self {
            Self::EachCommit => "on",
            Self::Later => "off",
        }
    }
}
