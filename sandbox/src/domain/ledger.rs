//! Double entry: what moves between which accounts.

use super::money::Money;

/// A side of the merchant's books. Each exists once per merchant and currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Account {
    /// Customers, recipients and their banks: everything beyond the books.
    Outside,
    /// What the merchant can dispose of.
    Merchant,
    /// Set aside for refunds that are not settled.
    Refunds,
    /// Set aside for payouts that are not settled.
    Payouts,
    /// Where the balance that a tenant starts with comes from.
    Opening,
}

/// One movement, which by its form takes from one account what it gives to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The account that gives.
    pub from: Account,
    /// The account that takes.
    pub to: Account,
    /// How much; never negative.
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

    /// The name under which the account is stored.
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
