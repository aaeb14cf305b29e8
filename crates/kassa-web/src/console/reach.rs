//! Which page reaches which operation of the interface: whatever is new there has a page, or a reason to have none.

use std::collections::BTreeMap;

use serde_json::Value;

use super::routes::{PATHS, Screen};

/// Who reaches an operation.
#[derive(Clone, Copy, Debug)]
enum Reach {
    /// A page of the console.
    Console(Screen),
    /// A page of the shop, under the rights of whoever buys.
    Shop(&'static str),
    /// No page, and why.
    None(&'static str),
}

use Reach::{Console, None, Shop};

const ORDERS_OF_V2: &str = "pages use the orders of version 2";
const OLD_FORM: &str = "an older form of what version 2 or another path has";
const SEEN_IN_LISTS: &str = "its list says it all";
const PROGRAMS: &str = "it is made for programs";

const VERSION_1: &[(&str, Reach)] = &[
    ("list_attachments", None("a picture is chosen from files")),
    ("create_attachment", Console(Screen::EventAction)),
    ("remove_attachment", Console(Screen::EventAction)),
    ("get_attachment", None("a picture is shown where it is used")),
    ("get_attachment_singular", None(OLD_FORM)),
    ("list_cities", Console(Screen::NewEvent)),
    ("list_countries", None("a city names its country")),
    ("list_deals", Console(Screen::Deals)),
    ("create_deal", Console(Screen::NewDeal)),
    ("get_deal", Console(Screen::Deal)),
    ("update_deal", Console(Screen::Deal)),
    ("list_events", Console(Screen::Events)),
    ("create_event", Console(Screen::NewEvent)),
    ("remove_event", Console(Screen::EventAction)),
    ("get_event", Console(Screen::Event)),
    ("update_event", Console(Screen::EventAction)),
    ("list_promocodes", Console(Screen::Promocodes)),
    ("create_promocode", Console(Screen::EventAction)),
    ("get_promocode", Console(Screen::Promocode)),
    ("update_promocode", Console(Screen::Promocode)),
    ("list_promotions", Console(Screen::Promotions)),
    ("create_promotion", Console(Screen::EventAction)),
    ("remove_promotion", Console(Screen::Promotion)),
    ("get_promotion", Console(Screen::Promotion)),
    ("update_promotion", Console(Screen::Promotion)),
    ("list_sets", Console(Screen::Deal)),
    ("create_set", Console(Screen::EventAction)),
    ("remove_set", Console(Screen::Set)),
    ("get_set", None("an event shows its sets")),
    ("update_set", Console(Screen::Set)),
    ("list_set_tickets", Console(Screen::Tickets)),
    ("get_ticket", Console(Screen::Ticket)),
    ("list_tickets", Console(Screen::Tickets)),
    ("list_orders", None(ORDERS_OF_V2)),
    ("create_order", None(ORDERS_OF_V2)),
    ("cancel_order", None(ORDERS_OF_V2)),
    ("get_order", None(ORDERS_OF_V2)),
    ("update_order", None(ORDERS_OF_V2)),
    ("list_order_tickets", None(ORDERS_OF_V2)),
    ("list_partners", Console(Screen::Home)),
    ("create_partner", Console(Screen::NewPartner)),
    ("get_partner", Console(Screen::Shop)),
    ("update_partner", Console(Screen::Shop)),
    ("list_api_keys", Console(Screen::Keys)),
    ("create_api_key", Console(Screen::Keys)),
    ("remove_api_key", Console(Screen::Keys)),
    ("get_api_key", Console(Screen::Keys)),
    ("update_api_key", Console(Screen::Keys)),
    ("list_refund_requests", Console(Screen::Refunds)),
    ("create_refund_request", Console(Screen::OrderAction)),
    ("get_refund_request", None(SEEN_IN_LISTS)),
    ("update_refund_request", Console(Screen::OrderAction)),
    ("decide_refund_request", None(OLD_FORM)),
    ("list_users", None("customers are found by their orders")),
    ("register", Console(Screen::Register)),
    ("get_user", None("the session names its user")),
    ("update_user", Console(Screen::Account)),
    ("list_invitations", Console(Screen::Home)),
    ("answer_invitation", Console(Screen::Invitation)),
    ("list_user_orders", None("customers are found by their orders")),
    ("remove_second_factor", Console(Screen::Account)),
    ("create_second_factor", Console(Screen::Account)),
    ("confirm_second_factor", Console(Screen::Account)),
    ("end_sessions", Console(Screen::Account)),
    ("list_sessions", Console(Screen::Account)),
    ("end_session", Console(Screen::Account)),
    ("list_venues", Console(Screen::Venues)),
    ("create_venue", Console(Screen::NewVenue)),
    ("remove_venue", Console(Screen::Venue)),
    ("get_venue", Console(Screen::Venue)),
    ("update_venue", Console(Screen::Venue)),
    ("list_maps", Console(Screen::Seats)),
    ("create_map", None("halls are drawn by programs")),
    ("get_map", Console(Screen::Seats)),
    ("update_map", None("halls are drawn by programs")),
    ("draw_map", None("pages draw halls themselves, with what is left")),
    ("confirm_email", Console(Screen::Confirm)),
    ("request_password_reset", Console(Screen::Forgotten)),
    ("reset_password", Console(Screen::Password)),
    ("list_simple_events", None(PROGRAMS)),
    ("get_simple_event", None(PROGRAMS)),
    ("log_out", Console(Screen::SignOut)),
    ("get_session", Console(Screen::Home)),
    ("log_in", Console(Screen::SignIn)),
];

const VERSION_2: &[(&str, Reach)] = &[
    ("list_changes", None(PROGRAMS)),
    ("stream_changes", Console(Screen::Overview)),
    ("get_deal_history", Console(Screen::DealHistory)),
    ("get_platform_state", Console(Screen::Platform)),
    ("start_verification", Console(Screen::Platform)),
    ("list_platform_partners", Console(Screen::PlatformPartners)),
    ("get_platform_partner", Console(Screen::PlatformPartner)),
    ("suspend_partner", Console(Screen::PlatformPartner)),
    ("restore_partner", Console(Screen::PlatformPartner)),
    ("list_mails", Console(Screen::Platform)),
    ("list_jobs", Console(Screen::Platform)),
    ("list_failing_webhooks", Console(Screen::Platform)),
    ("get_availability", Shop("/e/{event}")),
    ("get_availability_layout", Shop("/e/{event}/seats")),
    ("stream_availability", Shop("/e/{event}")),
    ("get_event_history", Console(Screen::EventHistory)),
    ("get_set_history", Console(Screen::SetHistory)),
    ("list_orders", Console(Screen::Orders)),
    ("create_order", Console(Screen::EventSale)),
    ("export_orders", Console(Screen::Orders)),
    ("get_order", Console(Screen::Order)),
    ("update_order", Console(Screen::OrderAction)),
    ("get_calendar_entry", Shop("/order/{order}")),
    ("get_order_history", Console(Screen::Order)),
    ("list_payments", Console(Screen::Order)),
    ("list_returning_payments", Console(Screen::Payments)),
    ("begin_payment", Shop("/order/{order}")),
    ("get_payment", Shop("/order/{order}")),
    ("open_checkout", Shop("/order/{order}")),
    ("receive_payment", Console(Screen::OrderAction)),
    ("return_payment", Console(Screen::OrderAction)),
    ("end_test_payment", Shop("/order/{order}")),
    ("print_tickets", Console(Screen::OrderAction)),
    ("resend_tickets", Console(Screen::OrderAction)),
    ("get_partner_history", Console(Screen::History)),
    ("list_key_requests", Console(Screen::KeyRequests)),
    ("list_managers", Console(Screen::Team)),
    ("invite_manager", Console(Screen::Team)),
    ("remove_manager", Console(Screen::Team)),
    ("change_manager", Console(Screen::Team)),
    ("list_refund_requests", None("pages use those of version 1, which say more")),
    ("create_refund_request", Shop("/order/{order}")),
    ("get_refund_request", None(SEEN_IN_LISTS)),
    ("update_refund_request", None("pages use those of version 1, which say more")),
    ("get_refund_request_history", None("the order's history tells of it")),
    ("list_webhooks", Console(Screen::Webhooks)),
    ("create_webhook", Console(Screen::Webhooks)),
    ("remove_webhook", Console(Screen::Webhook)),
    ("get_webhook", Console(Screen::Webhook)),
    ("update_webhook", Console(Screen::Webhook)),
    ("list_webhook_attempts", Console(Screen::Webhook)),
    ("replay_webhook", Console(Screen::Webhook)),
    ("get_webhook_secret", Console(Screen::Webhook)),
    ("rotate_webhook_secret", Console(Screen::Webhook)),
    ("test_webhook", Console(Screen::Webhook)),
    ("request_order_links", Shop("/tickets")),
    ("quote_order", Shop("/e/{event}")),
    ("set_user_data", None(PROGRAMS)),
    ("import_statement", Console(Screen::Payments)),
    ("check_promocode", Shop("/order/{order}")),
    ("get_sales", Console(Screen::EventSales)),
    ("remove_stripe_account", Console(Screen::Payments)),
    ("get_stripe_account", Console(Screen::Payments)),
    ("set_stripe_account", Console(Screen::Payments)),
    ("receive_stripe_notice", None("it is the payment provider's")),
    ("list_widget_tokens", Console(Screen::Widgets)),
    ("create_widget_token", Console(Screen::Widgets)),
    ("remove_widget_token", Console(Screen::Widgets)),
];

/// The operations that a document describes.
fn operations(document: &str) -> Vec<String> {
    let document: Value = serde_json::from_str(document).unwrap();
    let paths = document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values());
    paths.filter_map(|operation| operation["operationId"].as_str()).map(str::to_owned).collect()
}

/// Each operation of a document has its line, once, and no line is of one that is gone.
fn assert_complete(document: &str, lines: &[(&str, Reach)]) {
    let said: BTreeMap<&str, Reach> = lines.iter().copied().collect();
    assert_eq!(said.len(), lines.len(), "an operation is there twice");
    let described = operations(document);
    let unsaid: Vec<&String> = described.iter().filter(|name| !said.contains_key(name.as_str())).collect();
    assert!(unsaid.is_empty(), "no page reaches {unsaid:?}, and no reason is given");
    let gone: Vec<&&str> = said.keys().filter(|name| !described.iter().any(|other| other == **name)).collect();
    assert!(gone.is_empty(), "no document describes {gone:?}");
}

#[test]
fn every_operation_has_a_page_or_a_reason_to_have_none() {
    assert_complete(include_str!("../../../../docs/openapi.json"), VERSION_1);
    assert_complete(include_str!("../../../../docs/openapi-v2.json"), VERSION_2);
}

#[test]
fn the_pages_that_are_named_are_there() {
    for (operation, reach) in VERSION_1.iter().chain(VERSION_2) {
        let is_there = match reach {
            Console(screen) => PATHS.iter().any(|(_, other)| other == screen),
            Shop(path) => path.starts_with('/'),
            None(why) => !why.is_empty(),
        };
        assert!(is_there, "{operation}: {reach:?}");
    }
}
