//! Records in the models of the contract: what an answer or a notification shows of them.
//!
//! It reads and decides nothing. The service renders what it keeps as it was sent, the answers to natural keys
//! and the notifications; the routes render everything else.

mod card_checks;
mod charged_fee;
mod details;
mod money;
pub mod notification;
pub mod offer;
pub mod payment_link;
pub mod transaction;
mod view;

pub use money::decimal;
pub use view::View;
