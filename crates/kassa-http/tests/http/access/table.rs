//! Every route with what each kind of caller gets, and what other tests take from that.

use crate::{
    api_keys, confirm, deals, events, geo, maps, orders, partners, password_resets, promocodes, promotions, refunds,
    second_factors, sessions, sets, simple, tickets, users, v2_availability, v2_changes, v2_export, v2_history,
    v2_key_requests, v2_managers, v2_order_links, v2_orders, v2_payments, v2_platform, v2_promocodes, v2_quote,
    v2_refunds, v2_sales, v2_statements, v2_stripe_accounts, v2_user_data, v2_webhooks, v2_widget_tokens, venues,
    whoami,
};

/// A route, and what each caller gets.
pub(crate) struct Row {
    pub(super) route: &'static str,
    pub(super) body: &'static str,
    /// Whether credentials are not looked at.
    pub(super) open: bool,
    /// Whether it is all the same for which partner a user acts.
    pub(super) for_nobody: bool,
    pub(super) anonymous: u16,
    /// The key of another partner, and a user of it.
    pub(super) foreign: [u16; 2],
    /// The partner's key, and its only user.
    pub(super) own: [u16; 2],
    /// A user of the partner and of another one, who does not say for which it acts.
    pub(super) unsaid: u16,
}

/// A route by its method and path, a body, and the status that each caller gets. Names stand for things of the partner:
/// `{event}` is public, `{hidden}` stands by. `{set}`, `{promocode}`, `{promotion}`, `{order}` and its `{ticket}`,
/// `{paid}`, an order with the ticket `{sold}`, and `{refund_request}` for another belong to the public one;
/// `{payable}` is an order with the `{payment}`, `{overpaid}` one with a `{surplus}`, and `{tried}` one with a `{test}`.
/// `{backstage}` and `{pass}` are a set of the hidden one and its ticket. `{venue}` has a `{map}`, and `{closed}`, which
/// is removed, a `{plan}`. There are `{webhook}`, `{widget_token}`, `{attachment}`, `{key}` and `{customer}`, too, and a `{colleague}`
/// who is invited. `{token}` confirms the e-mail of its
/// user, `{me}`; `{n}` is another number each time.
pub(crate) const fn row(
    route: &'static str,
    body: &'static str,
    anonymous: u16,
    foreign: [u16; 2],
    own: [u16; 2],
    unsaid: u16,
) -> Row {
    Row { route, body, open: false, for_nobody: false, anonymous, foreign, own, unsaid }
}

/// A route that does not look at credentials.
pub(crate) const fn open(route: &'static str, body: &'static str, status: u16) -> Row {
    Row { open: true, ..checked(route, body, status) }
}

/// A route that looks at credentials, and does the same for everybody whose credential is good.
pub(crate) const fn checked(route: &'static str, body: &'static str, status: u16) -> Row {
    let (foreign, own) = ([status; 2], [status; 2]);
    Row { route, body, open: false, for_nobody: true, anonymous: status, foreign, own, unsaid: status }
}

/// Their other tests are in `tests/attachments`.
#[rustfmt::skip]
const ATTACHMENTS: &[Row] = &[
    row("GET attachments", "", 401, [200, 200], [200, 200], 200),
    row("POST attachments", "{}", 401, [200, 200], [200, 200], 400),
    row("GET attachments/{attachment}", "", 401, [404, 404], [200, 200], 200),
    row("GET attachment/{attachment}", "", 401, [404, 404], [200, 200], 200),
    row("DELETE attachments/{attachment}", "", 401, [404, 404], [200, 200], 200),
];

/// The rows of each resource stand with its other tests. Near the end are those that change the callers: new partners,
/// and the end of the sessions.
const TABLES: &[&[Row]] = &[
    users::ACCESS,
    second_factors::ACCESS,
    sessions::ACCESS,
    partners::ACCESS,
    api_keys::ACCESS,
    geo::ACCESS,
    venues::ACCESS,
    maps::ACCESS,
    events::ACCESS,
    sets::ACCESS,
    tickets::ACCESS,
    promocodes::ACCESS,
    promotions::ACCESS,
    deals::ACCESS,
    orders::ACCESS,
    refunds::ACCESS,
    ATTACHMENTS,
    simple::ACCESS,
    v2_orders::ACCESS,
    v2_export::ACCESS,
    v2_refunds::ACCESS,
    v2_sales::ACCESS,
    v2_order_links::ACCESS,
    v2_payments::ACCESS,
    v2_statements::ACCESS,
    v2_stripe_accounts::ACCESS,
    v2_quote::ACCESS,
    v2_promocodes::ACCESS,
    v2_user_data::ACCESS,
    v2_webhooks::ACCESS,
    v2_widget_tokens::ACCESS,
    v2_managers::ACCESS,
    v2_key_requests::ACCESS,
    v2_platform::ACCESS,
    v2_history::ACCESS,
    v2_changes::ACCESS,
    v2_availability::ACCESS,
    partners::LATE_ACCESS,
    confirm::ACCESS,
    password_resets::ACCESS,
    whoami::ACCESS,
];

/// Every route with what each kind of caller gets.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    TABLES.iter().copied().flatten()
}

/// What a user does to itself, and nobody else can.
const OF_ONESELF: &[Row] = &[row("PATCH users/{me}", "{}", 401, [404, 404], [404, 200], 404)];

/// The text with things in the place of their names.
pub(crate) fn filled(text: &str, things: &[(&str, String)]) -> String {
    things.iter().fold(text.to_owned(), |text, (place, thing)| text.replace(place, thing))
}

/// A write that is granted.
pub(crate) struct Write {
    pub(crate) method: &'static str,
    /// The path with names in the place of ids.
    pub(crate) template: &'static str,
    pub(crate) path: String,
    pub(crate) body: String,
    pub(crate) status: u16,
}

/// Every write of a caller with a credential that its owner is granted, over things yet to be made. What is done for
/// nobody in particular takes no conditions.
pub(crate) fn writes() -> impl Iterator<Item = impl Fn(&[(&'static str, String)]) -> Write> {
    let is_own = |row: &&Row| !row.route.starts_with("GET") && !row.open && !row.for_nobody && row.own[1] < 300;
    let granted = rows().chain(OF_ONESELF).filter(is_own);
    granted.map(|row| {
        |things: &[(&'static str, String)]| {
            let (method, template) = row.route.split_once(' ').unwrap();
            let (path, body) = (filled(template, things), filled(row.body, things));
            Write { method, template, path, body, status: row.own[1] }
        }
    })
}

/// Every read of one resource, and of who asks.
pub(crate) fn reads_of_one(things: &[(&str, String)]) -> Vec<String> {
    let granted = rows().filter(|row| row.own[1] == 200);
    let paths = granted.filter_map(|row| row.route.strip_prefix("GET "));
    let of_one = paths.filter(|path| path.ends_with('}') && !path.contains('?') || path.ends_with("/whoami"));
    of_one.map(|path| filled(path, things)).collect()
}
