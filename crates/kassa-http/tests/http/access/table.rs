//! Every route with what each kind of caller gets, and what other tests take from that.

/// A route, and what each caller gets.
pub(super) struct Row {
    pub(super) route: &'static str,
    pub(super) body: &'static str,
    /// Whether credentials are not looked at.
    pub(super) open: bool,
    pub(super) anonymous: u16,
    /// The key of another partner, and a user of it.
    pub(super) foreign: [u16; 2],
    /// The partner's key, and its only user.
    pub(super) own: [u16; 2],
    /// A user of the partner and of another one, who does not say for which it acts.
    pub(super) unsaid: u16,
}

const fn row(
    route: &'static str,
    body: &'static str,
    anonymous: u16,
    foreign: [u16; 2],
    own: [u16; 2],
    unsaid: u16,
) -> Row {
    Row { route, body, open: false, anonymous, foreign, own, unsaid }
}

const fn open(route: &'static str, body: &'static str, status: u16) -> Row {
    Row { route, body, open: true, anonymous: status, foreign: [status; 2], own: [status; 2], unsaid: status }
}

/// One that lasts for no time: it is in nobody's way.
pub(super) const PROMOTION: &str = r#"{"lifetime": {"start": "2026-01-01T00:00:00Z", "finish": "2026-01-01T00:00:00.5Z"},
    "by": "count", "kind": "percentage", "levels": [{"from": 2, "value": 10}]}"#;

/// `{event}` is public, `{hidden}` stands by; both are the partner's, and so are `{set}`,
/// `{promocode}`, `{promotion}`, `{order}`, `{ticket}` of it, `{paid}`, an order with the ticket `{sold}`, `{refund_request}` for
/// another, `{attachment}`, `{key}`, `{customer}`, `{venue}` with its `{map}`, `{closed}`, a removed venue
/// with its `{plan}`, and `{backstage}` and `{pass}`, a set of the hidden event and its ticket. `{token}`
/// confirms the e-mail of its user, `{me}`. Near the end stand those that change the callers: new partners, and the end
/// of the sessions.
#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    open("POST users", r#"{"email": "new{n}@example.org", "password": "correct horse"}"#, 201),
    row("GET users", "", 401, [200, 200], [200, 200], 200),
    row("GET users/{customer}/orders", "", 401, [404, 404], [200, 200], 200),
    row("GET users/{customer}", "", 401, [404, 404], [200, 200], 200),
    row("PATCH users/{customer}", "{}", 401, [404, 404], [403, 403], 403),
    row("GET partners", "", 401, [200, 200], [200, 200], 200),
    row("GET partners?ids={partner}", "", 200, [200, 200], [200, 200], 200),
    row("GET partners/{partner}", "", 200, [200, 200], [200, 200], 200),
    row("PATCH partners/{partner}", "{}", 401, [403, 403], [200, 200], 200),
    row("GET partners/{partner}/api_keys", "", 401, [404, 404], [200, 200], 200),
    row("POST partners/{partner}/api_keys", r#"{"name": "X"}"#, 401, [404, 404], [201, 201], 201),
    row("GET partners/{partner}/api_keys/{key}", "", 401, [404, 404], [200, 200], 200),
    row("PATCH partners/{partner}/api_keys/{key}", "{}", 401, [404, 404], [200, 200], 200),
    row("DELETE partners/{partner}/api_keys/{key}", "", 401, [404, 404], [200, 200], 200),
    row("GET countries", "", 200, [200, 200], [200, 200], 200),
    row("GET cities?limit=1", "", 200, [200, 200], [200, 200], 200),
    row("GET venues", "", 200, [200, 200], [200, 200], 200),
    row("POST venues", r#"{"name": "X"}"#, 401, [201, 201], [201, 201], 400),
    row("GET venues/{venue}", "", 200, [200, 200], [200, 200], 200),
    row("GET venues/{closed}", "", 404, [404, 404], [200, 200], 200),
    row("PATCH venues/{venue}", "{}", 401, [403, 403], [200, 200], 200),
    row("PATCH venues/{closed}", "{}", 401, [404, 404], [200, 200], 200),
    row("GET venues/{venue}/maps", "", 200, [200, 200], [200, 200], 200),
    row("GET venues/{closed}/maps", "", 404, [404, 404], [200, 200], 200),
    row("POST venues/{venue}/maps", r#"{"name": "X"}"#, 401, [403, 403], [201, 201], 201),
    row("POST venues/{closed}/maps", r#"{"name": "X"}"#, 401, [404, 404], [201, 201], 201),
    row("GET venues/{venue}/maps/{map}", "", 200, [200, 200], [200, 200], 200),
    row("GET venues/{closed}/maps/{plan}", "", 404, [404, 404], [200, 200], 200),
    row("GET venues/{venue}/maps/{map}.svg", "", 200, [200, 200], [200, 200], 200),
    row("GET venues/{closed}/maps/{plan}.svg", "", 404, [404, 404], [200, 200], 200),
    row("PATCH venues/{venue}/maps/{map}", "{}", 401, [403, 403], [200, 200], 200),
    row("PATCH venues/{closed}/maps/{plan}", "{}", 401, [404, 404], [200, 200], 200),
    row("DELETE venues/{venue}", "", 401, [403, 403], [200, 200], 200),
    row("DELETE venues/{closed}", "", 401, [404, 404], [200, 200], 200),
    row("GET events", "", 200, [200, 200], [200, 200], 200),
    row("POST events", r#"{"title": "X"}"#, 401, [200, 200], [200, 200], 400),
    row("GET events/{event}", "", 200, [200, 200], [200, 200], 200),
    row("GET events/{hidden}", "", 404, [404, 404], [200, 200], 200),
    row("PATCH events/{event}", "{}", 401, [403, 403], [200, 200], 200),
    row("PATCH events/{hidden}", "{}", 401, [404, 404], [200, 200], 200),
    row("DELETE events/{event}", "", 401, [403, 403], [400, 400], 400),
    row("DELETE events/{hidden}", "", 401, [404, 404], [200, 200], 200),
    row("GET events/{event}/sets", "", 200, [200, 200], [200, 200], 200),
    row("GET events/{hidden}/sets", "", 404, [404, 404], [200, 200], 200),
    row("POST events/{event}/sets", r#"{"name": "X"}"#, 401, [403, 403], [201, 201], 201),
    row("POST events/{hidden}/sets", r#"{"name": "X"}"#, 401, [404, 404], [201, 201], 201),
    row("GET events/{event}/sets/{set}", "", 200, [200, 200], [200, 200], 200),
    row("PATCH events/{event}/sets/{set}", "{}", 401, [403, 403], [200, 200], 200),
    row("DELETE events/{event}/sets/{set}", "", 401, [403, 403], [400, 400], 400),
    row("DELETE events/{hidden}/sets/{backstage}", "", 401, [404, 404], [200, 200], 200),
    row("GET events/{event}/sets/{set}/tickets", "", 200, [200, 200], [200, 200], 200),
    row("GET events/{hidden}/sets/{backstage}/tickets", "", 404, [404, 404], [200, 200], 200),
    row("GET events/{event}/sets/{set}/tickets/{ticket}", "", 200, [200, 200], [200, 200], 200),
    row("GET events/{hidden}/sets/{backstage}/tickets/{pass}", "", 404, [404, 404], [200, 200], 200),
    row("GET events/{event}/tickets", "", 200, [200, 200], [200, 200], 200),
    row("GET events/{hidden}/tickets", "", 404, [404, 404], [200, 200], 200),
    row("GET events/{event}/promocodes", "", 401, [404, 404], [200, 200], 200),
    row("GET events/{hidden}/promocodes", "", 401, [404, 404], [200, 200], 200),
    row("POST events/{event}/promocodes", r#"{"code": "NEW", "discount": {"fixed": 1}}"#, 401, [403, 403], [201, 201], 201),
    row("POST events/{hidden}/promocodes", r#"{"code": "NEW", "discount": {"fixed": 1}}"#, 401, [404, 404], [201, 201], 201),
    row("GET events/{event}/promocodes/{promocode}", "", 401, [404, 404], [200, 200], 200),
    row("GET events/{hidden}/promocodes/{promocode}", "", 401, [404, 404], [404, 404], 404),
    row("PATCH events/{event}/promocodes/{promocode}", "{}", 401, [404, 404], [200, 200], 200),
    row("PATCH events/{hidden}/promocodes/{promocode}", "{}", 401, [404, 404], [404, 404], 404),
    row("GET events/{event}/promotions", "", 401, [404, 404], [200, 200], 200),
    row("GET events/{hidden}/promotions", "", 401, [404, 404], [200, 200], 200),
    row("POST events/{event}/promotions", PROMOTION, 401, [403, 403], [201, 201], 201),
    row("POST events/{hidden}/promotions", PROMOTION, 401, [404, 404], [201, 201], 201),
    row("GET events/{event}/promotions/{promotion}", "", 401, [404, 404], [200, 200], 200),
    row("GET events/{hidden}/promotions/{promotion}", "", 401, [404, 404], [404, 404], 404),
    row("PATCH events/{event}/promotions/{promotion}", "{}", 401, [404, 404], [200, 200], 200),
    row("PATCH events/{hidden}/promotions/{promotion}", "{}", 401, [404, 404], [404, 404], 404),
    row("DELETE events/{event}/promotions/{promotion}", "", 401, [404, 404], [200, 200], 200),
    row("DELETE events/{hidden}/promotions/{promotion}", "", 401, [404, 404], [404, 404], 404),
    row("GET deals", "", 401, [200, 200], [200, 200], 200),
    row("POST deals", r#"{"event": "{event}", "subj": "{agent}", "term": {"org": 90}}"#, 401, [403, 403], [200, 200], 400),
    row("GET deals/{deal}", "", 401, [404, 404], [200, 200], 200),
    row("PATCH deals/{deal}", "{}", 401, [404, 404], [200, 200], 200),
    row("GET orders", "", 401, [200, 200], [200, 200], 200),
    row("POST orders", r#"{"event": "{event}", "tickets": []}"#, 401, [400, 400], [201, 201], 400),
    row("GET orders/{order}", "", 401, [404, 404], [200, 200], 200),
    row("GET orders/{order}/tickets", "", 401, [404, 404], [200, 200], 200),
    row("PATCH orders/{order}", "{}", 401, [404, 404], [200, 200], 200),
    row("DELETE orders/{order}", "", 401, [404, 404], [200, 200], 200),
    row("GET refund_requests", "", 401, [200, 200], [200, 200], 200),
    row("POST refund_requests", r#"{"order": "{paid}", "culprit": "org", "tickets_refund": ["{sold}"]}"#, 401, [400, 400], [201, 201], 201),
    row("GET refund_requests/{refund_request}", "", 401, [404, 404], [200, 200], 200),
    row("PATCH refund_requests/{refund_request}", r#"{"status": "approved"}"#, 401, [404, 404], [200, 200], 200),
    row("POST refund_requests/{refund_request}", r#"{"status": "rejected"}"#, 401, [404, 404], [200, 200], 200),
    row("GET attachments", "", 401, [200, 200], [200, 200], 200),
    row("POST attachments", "{}", 401, [200, 200], [200, 200], 400),
    row("GET attachments/{attachment}", "", 401, [404, 404], [200, 200], 200),
    row("GET attachment/{attachment}", "", 401, [404, 404], [200, 200], 200),
    row("GET /v1/services/simple/events", "", 401, [200, 200], [200, 200], 200),
    row("GET /v1/services/simple/events/{event}", "", 401, [404, 404], [200, 200], 200),
    row("GET /v1/services/simple/events/{hidden}", "", 401, [404, 404], [200, 200], 200),
    row("GET /v2/resources/orders", "", 401, [200, 200], [200, 200], 200),
    row("POST /v2/resources/orders", r#"{"event": "{event}"}"#, 401, [400, 400], [200, 200], 400),
    row("GET /v2/resources/orders/{order}", "", 401, [404, 404], [200, 200], 200),
    row("PATCH /v2/resources/orders/{order}", "{}", 401, [404, 404], [200, 200], 200),
    row("POST /v2/resources/orders/export", r#"{"email": "x@example.org"}"#, 401, [200, 200], [200, 200], 400),
    row("GET /v2/resources/refund_requests", "", 401, [200, 200], [200, 200], 200),
    row("POST /v2/resources/refund_requests", r#"{"order": "{paid}", "culprit": "org", "tickets": ["{sold}"]}"#, 401, [400, 400], [200, 200], 200),
    row("GET /v2/resources/refund_requests/{refund_request}", "", 401, [404, 404], [200, 200], 200),
    row("PATCH /v2/resources/refund_requests/{refund_request}", r#"{"status": "approved"}"#, 401, [404, 404], [200, 200], 200),
    row("POST /v2/services/orders/quote", r#"{"event": "{event}"}"#, 401, [400, 400], [200, 200], 400),
    row("POST /v2/services/promocodes/check", r#"{"event": "{event}", "code": "x"}"#, 401, [400, 400], [200, 200], 200),
    row("PUT /v2/services/orders/{vendor}/user_data", r#"{"order": "{order}", "user_data": []}"#, 401, [400, 400], [202, 202], 202),
    row("POST partners", r#"{"name": "X"}"#, 401, [403, 201], [403, 201], 201),
    row("GET /v1/services/whoami", "", 401, [401, 200], [401, 200], 200),
    row("POST /v1/services/confirm", r#"{"token": "{token}"}"#, 200, [200, 200], [200, 200], 200),
    row("POST /v1/services/confirm", r#"{"token": "00"}"#, 400, [400, 400], [400, 400], 400),
    open("POST /v1/services/whoami", r#"{"email": "own@example.org", "password": "correct horse"}"#, 200),
    open("DELETE /v1/services/whoami", "", 200),
];

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

/// Every write of a caller with a credential that its owner is granted, over things yet to be made.
pub(crate) fn writes() -> impl Iterator<Item = impl Fn(&[(&'static str, String)]) -> Write> {
    let granted =
        TABLE.iter().chain(OF_ONESELF).filter(|row| !row.route.starts_with("GET") && !row.open && row.own[1] < 300);
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
    let granted = TABLE.iter().filter(|row| row.own[1] == 200);
    let paths = granted.filter_map(|row| row.route.strip_prefix("GET "));
    let of_one = paths.filter(|path| path.ends_with('}') && !path.contains('?') || path.ends_with("/whoami"));
    of_one.map(|path| filled(path, things)).collect()
}
