//! Commands on mails.

mod claim;
mod postpone;
mod queue;
mod record_delivery;

pub use claim::ClaimMail;
pub use postpone::PostponeMail;
pub(crate) use queue::{
    queue_email_confirmation, queue_export_mail, queue_invitation, queue_order_links, queue_password_reset,
    queue_payment_instructions, queue_tickets_mail, queue_webhook_notice,
};
pub use record_delivery::{DeliveryResult, MailDisposition, RecordDelivery};
