//! Renders records as models of the contract, for answers and notifications.
//!
//! Rendering is pure. The service renders what it stores as sent: first answers to a natural key, and
//! notifications. The routes render all other answers.

mod card_checks;
mod charged_fee;
mod details;
mod money;
pub mod notification;
pub mod offer;
pub mod payment_link;
pub mod shop;
pub mod subscription;
pub mod transaction;
mod view;

pub use money::decimal;
pub use view::View;
