//! Which kind of resource each route of version 1 shows.

use super::kinds::{
    API_KEY, ATTACHMENT, CITY, COUNTRY, DEAL, EVENT, MAP, ORDER, PARTNER, PROMOCODE, PROMOTION, REFUND_REQUEST,
    ResourceKind, SET, TICKET, USER, VENUE,
};
use super::simple_event::SIMPLE_EVENT;

/// What the answers of each route show, whatever the method: a resource, or a list of them.
pub(super) static ROUTE_KINDS: &[(&str, &ResourceKind)] = &[
    ("/v1/resources/users", &USER),
    ("/v1/resources/users/{user}", &USER),
    ("/v1/resources/users/{user}/orders", &ORDER),
    ("/v1/resources/partners", &PARTNER),
    ("/v1/resources/partners/{partner}", &PARTNER),
    ("/v1/resources/partners/{partner}/api_keys", &API_KEY),
    ("/v1/resources/partners/{partner}/api_keys/{key}", &API_KEY),
    ("/v1/resources/venues/{venue}/maps", &MAP),
    ("/v1/resources/venues/{venue}/maps/{map}", &MAP),
    ("/v1/resources/events", &EVENT),
    ("/v1/resources/events/{event}", &EVENT),
    ("/v1/resources/events/{event}/sets", &SET),
    ("/v1/resources/events/{event}/sets/{set}", &SET),
    ("/v1/resources/events/{event}/sets/{set}/tickets", &TICKET),
    ("/v1/resources/events/{event}/sets/{set}/tickets/{ticket}", &TICKET),
    ("/v1/resources/events/{event}/tickets", &TICKET),
    ("/v1/resources/events/{event}/promocodes", &PROMOCODE),
    ("/v1/resources/events/{event}/promocodes/{promocode}", &PROMOCODE),
    ("/v1/resources/events/{event}/promotions", &PROMOTION),
    ("/v1/resources/events/{event}/promotions/{promotion}", &PROMOTION),
    ("/v1/resources/deals", &DEAL),
    ("/v1/resources/deals/{deal}", &DEAL),
    ("/v1/resources/orders", &ORDER),
    ("/v1/resources/orders/{order}", &ORDER),
    ("/v1/resources/orders/{order}/tickets", &TICKET),
    ("/v1/resources/refund_requests", &REFUND_REQUEST),
    ("/v1/resources/refund_requests/{refund_request}", &REFUND_REQUEST),
    ("/v1/resources/venues", &VENUE),
    ("/v1/resources/venues/{venue}", &VENUE),
    ("/v1/resources/countries", &COUNTRY),
    ("/v1/resources/cities", &CITY),
    ("/v1/resources/attachments", &ATTACHMENT),
    ("/v1/resources/attachments/{attachment}", &ATTACHMENT),
    ("/v1/resources/attachment/{attachment}", &ATTACHMENT),
    ("/v1/services/confirm", &USER),
    ("/v1/services/simple/events", &SIMPLE_EVENT),
    ("/v1/services/simple/events/{event}", &SIMPLE_EVENT),
    ("/v1/services/whoami", &USER),
];

/// Removals answer an empty object, and no resource; all but these.
pub(super) const REMOVALS_WITH_BODY: [&str; 1] = ["/v1/resources/events/{event}/sets/{set}"];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// Routes that show no resource are named here.
    const SHOW_NOTHING: [&str; 1] = ["/v1/resources/venues/{venue}/maps/{map}.svg"];

    /// The paths of all routes below `folder` that the OpenAPI document does not name, as the sources do.
    fn named_below(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let paths = entries.flat_map(|path| {
            if path.is_dir() {
                return named_below(&path);
            }
            let source = std::fs::read_to_string(&path).unwrap();
            let calls = source.split(".route(").skip(1).map(str::trim_start);
            let quoted = calls.filter_map(|call| call.strip_prefix('"')?.split('"').next());
            quoted.filter(|path| path.starts_with('/')).map(str::to_owned).collect()
        });
        paths.collect()
    }

    #[test]
    fn every_route_says_what_it_shows() {
        let routes = crate::v1::routes();
        let described = routes.get_openapi().paths.paths.keys().cloned();
        let undescribed = named_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/v1"));
        let known = ROUTE_KINDS.iter().map(|(path, _)| *path).chain(SHOW_NOTHING).map(str::to_owned);
        assert_eq!(described.chain(undescribed).collect::<BTreeSet<String>>(), known.collect::<BTreeSet<String>>());
        assert!(REMOVALS_WITH_BODY.iter().all(|path| ROUTE_KINDS.iter().any(|(known, _)| known == path)));
    }
}
