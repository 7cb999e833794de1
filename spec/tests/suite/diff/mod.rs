//! What changed between two documents is found under its rule, at its places, and nothing else is.
mod cases;
mod documents;
mod histories;
mod limits;
mod page;
mod random;
mod refactorings;
mod registry;
mod shared;
mod validity;
mod weights;
