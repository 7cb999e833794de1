//! How durable a commit is when it is answered.

/// When a commit is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flush {
    /// Once it is on the disk.
    #[default]
    EachCommit,
    /// Before it is on the disk. When the machine fails, the last commits are lost, each of them wholly.
    Later,
}

impl Flush {
    /// The value of `synchronous` on SQLite, where 1 is `NORMAL` and 2 is `FULL`.
    pub(super) const fn sqlite(self) -> i64 {
        match self {
            Self::EachCommit => 2,
            Self::Later => 1,
        }
    }

    /// The value of `synchronous_commit` on PostgreSQL.
    pub(super) const fn postgres(self) -> &'static str {
        match self {
            Self::EachCommit => "on",
            Self::Later => "off",
        }
    }
}
