//! Commands on orders.

mod create;
mod customer;
mod edit;
mod expire;
mod export;
mod facts;
mod holds;
mod notes;
mod outcome;
mod payment;
mod promocodes;
mod promotion_grants;
mod refund;
mod reprice;
mod request_links;
mod reservation;
mod single_seats;
mod unchanged;
mod update;
mod visitors;

pub use create::CreateOrder;
pub use customer::CustomerPatch;
pub use edit::{OrderEdit, OrderTransition, PAYMENT_MINUTES};
pub use expire::ExpireOrder;
pub use export::ExportOrders;
pub use notes::OrderNotesPatch;
pub use outcome::OrderOutcome;
pub use payment::PaymentPatch;
pub use promocodes::{PROMOCODES_MAX, UnusablePromocodePolicy};
pub use promotion_grants::PROMOTION_GRANTS_MAX;
pub use reprice::DiscountedPrice;
pub use request_links::RequestOrderLinks;
pub use reservation::TicketSelection;
pub use update::UpdateOrder;
pub use visitors::{SetVisitors, VisitorDetails};
