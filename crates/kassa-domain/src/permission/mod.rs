//! Who may do what: one function per rule, and no rule anywhere else. Lists filter in
//! SQL by the same rules; a property test holds the two together.

mod admission;
mod attachments;
mod deals;
mod events;
mod history;
mod orders;
mod partners;
mod roles;
mod shopping;
mod users;
mod venues;

pub use admission::{add_actor_reads, admit, admit_session, admit_user, admit_visitor, require_operator, run_platform};
pub use attachments::{is_downloadable, may_publish_attachment, sees_attachment, upload_attachment};
pub use deals::{answers_for, sees_deal, write_deal};
pub use events::{
    create_promocode, create_promotion, is_on_sale, manage_promocodes, manage_promotions, organizes, read_promocodes,
    read_promotions, sees_event, sees_promocode, sees_promotion, sees_set, sells_event, sells_under, write_event,
};
pub use history::{
    read_deal_history, read_event_history, read_order_history, read_partner_history, read_refund_history,
    read_set_history,
};
pub use orders::{
    decide_refund, request_refund, sees_barcode, sees_order, sees_refund, sees_sales_of, sees_ticket, write_order,
};
pub use partners::{
    PartnerVisibility, act_for, add_partner_visibility_reads, administer_partner, change_second_factor_rule,
    create_partner, manage_keys, manage_team, manage_webhooks, manage_widget_tokens, partner_visibility,
    read_key_requests, read_team, receives_exports, write_partner,
};
pub use shopping::{
    change_as_vendor, change_prices, chooses_any_seats, give_money_back, hold_limits, hold_minutes_max,
    may_use_promocodes, play_payment, receive_money, sell_for,
};
pub use users::{answer_invitation, is_self, register, write_user};
pub use venues::{is_venue_usable, sees_venue, write_venue};
