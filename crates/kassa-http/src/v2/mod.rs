//! Version 2. Each endpoint is a file; what several of them show or read stands beside them. It shares
//! no answer with version 1: both show one domain, each in its own form.

mod api_key_requests;
mod availability;
mod changes;
mod errors;
mod history;
mod managers;
mod order_refs;
mod order_status;
mod orders;
mod pagination;
mod payments;
mod platform;
mod promocodes;
mod refs;
mod refund_requests;
mod sales;
mod stripe_account;
mod webhooks;
mod widget_tokens;

pub use changes::{ChangeMessages, change_for_operators};
pub(crate) use errors::{ErrorV2Body, add_error_texts};

use utoipa::openapi::OpenApi;

use crate::app::AppState;
use crate::route::{ApiRoutes, endpoints};

/// The path whose errors have texts.
pub(crate) const RESOURCES_PREFIX: &str = "/v2/resources/";

pub(crate) fn routes(document: OpenApi) -> ApiRoutes<AppState> {
    let routes = ApiRoutes::with_document(document);
    let routes = endpoints!(
        routes,
        "/v2/resources",
        [
            changes::list,
            changes::stream,
            orders::list,
            orders::create,
            orders::get,
            orders::update,
            orders::export,
            orders::tickets_pdf,
            orders::tickets_mail,
            orders::event_ics,
            payments::list,
            payments::begin,
            payments::get,
            payments::receive,
            payments::give_back,
            payments::plan_test,
            payments::checkout,
            payments::returning,
            refund_requests::list,
            refund_requests::create,
            refund_requests::get,
            refund_requests::update,
            history::of_order,
            history::of_refund_request,
            history::of_event,
            history::of_set,
            history::of_deal,
            history::of_partner,
            managers::list,
            managers::create,
            managers::update,
            managers::delete,
            api_key_requests::list,
            availability::get,
            availability::layout,
            availability::stream,
            webhooks::list,
            webhooks::create,
            webhooks::get,
            webhooks::update,
            webhooks::delete,
            webhooks::secret,
            webhooks::rotate,
            webhooks::test,
            webhooks::attempts,
            webhooks::replay,
        ]
    );
    services(platform(routes))
}

/// What operators of the platform have.
fn platform(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(
        routes,
        "/v2/platform",
        [
            platform::state,
            platform::verify,
            platform::partners,
            platform::partner,
            platform::suspend,
            platform::restore,
            platform::mails,
            platform::jobs,
            platform::webhooks,
        ]
    )
}

/// What is done, and is no resource.
fn services(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(
        routes,
        "/v2/services",
        [
            orders::quote,
            orders::links,
            orders::user_data,
            payments::import,
            payments::stripe_notice,
            promocodes::check,
            sales::get,
            stripe_account::get,
            stripe_account::set,
            stripe_account::remove,
            widget_tokens::list,
            widget_tokens::create,
            widget_tokens::delete,
        ]
    )
}
