//! Double-entry bookkeeping: the accounts of a merchant and the movements between them.

use super::money::Money;

/// An account in the merchant's books. Each exists once per merchant and currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Account {
    /// Customers, recipients and their banks: everything outside the books.
    Outside,
    /// The merchant's available balance.
    Merchant,
    /// Reserved for refunds that are not settled.
    Refunds,
    /// Reserved for payouts that are not settled.
    Payouts,
    /// The source of the balance that a tenant starts with.
    Opening,
}

/// A movement of money from one account to another. It always balances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The account that gives.
    pub from: Account,
    /// The account that takes.
    pub to: Account,
    /// The amount; never negative.
    pub money: Money,
}

impl Account {
    /// Every account.
    pub const ALL: [Self; 5] = [
        Self::Outside,
        Self::Merchant,
        Self::Refunds,
        Self::Payouts,
        Self::Opening,
    ];

    /// The name of the account in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Outside => "outside",
            Self::Merchant => "merchant",
            Self::Refunds => "refunds",
            Self::Payouts => "payouts",
            Self::Opening => "opening",
        }
    }
}

impl Entry {
    /// A movement of `money` between two accounts.
    pub const fn new(from: Account, to: Account, money: Money) -> Self {
        Self { from, to, money }
    }
}
