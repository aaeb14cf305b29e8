//! Version 1. Each endpoint is a file; each resource's wire form is its `model.rs`.

mod api_keys;
mod attachments;
mod cities;
mod confirm;
mod countries;
mod deals;
mod events;
mod orders;
mod partners;
pub(crate) mod schema;
mod sets;
mod tickets;
mod users;
mod venues;
mod whoami;

use axum::Router;
use axum::routing::{get, post};

use crate::app::App;

/// Paths below `/v1`.
pub(crate) fn routes() -> Router<App> {
    let resources = Router::new()
        .route("/users", get(users::list::handle).post(users::create::handle))
        .route("/users/{user}", get(users::get::handle).patch(users::update::handle))
        .route("/users/{user}/orders", get(users::orders::handle))
        .route("/partners", get(partners::list::handle).post(partners::create::handle))
        .route("/partners/{partner}", get(partners::get::handle).patch(partners::update::handle))
        .route("/partners/{partner}/api_keys", get(api_keys::list::handle).post(api_keys::create::handle))
        .route(
            "/partners/{partner}/api_keys/{key}",
            get(api_keys::get::handle).patch(api_keys::update::handle).delete(api_keys::delete::handle),
        )
        .route("/countries", get(countries::list::handle))
        .route("/cities", get(cities::list::handle))
        .route("/venues", get(venues::list::handle).post(venues::create::handle))
        .route("/venues/{venue}", get(venues::get::handle).patch(venues::update::handle).delete(venues::delete::handle))
        .route("/events", get(events::list::handle).post(events::create::handle))
        .route("/events/{event}", get(events::get::handle).patch(events::update::handle).delete(events::delete::handle))
        .route("/events/{event}/sets", get(sets::list::handle).post(sets::create::handle))
        .route(
            "/events/{event}/sets/{set}",
            get(sets::get::handle).patch(sets::update::handle).delete(sets::delete::handle),
        )
        .route("/events/{event}/sets/{set}/tickets", get(tickets::list_of_set::handle))
        .route("/events/{event}/sets/{set}/tickets/{ticket}", get(tickets::get::handle))
        .route("/events/{event}/tickets", get(tickets::list::handle))
        .route("/deals", get(deals::list::handle).post(deals::create::handle))
        .route("/deals/{deal}", get(deals::get::handle).patch(deals::update::handle))
        .route("/orders", get(orders::list::handle).post(orders::create::handle))
        .route("/orders/{order}", get(orders::get::handle).patch(orders::update::handle).delete(orders::delete::handle))
        .route("/orders/{order}/tickets", get(orders::tickets::handle));
    let attachments = Router::new()
        .route("/attachments", get(attachments::list::handle).post(attachments::create::handle))
        .route("/attachments/{attachment}", get(attachments::get::handle))
        .route("/attachment/{attachment}", get(attachments::get::handle));
    let services = Router::new()
        .route("/confirm", post(confirm::create::handle))
        .route("/whoami", get(whoami::show::handle).post(whoami::start::handle).delete(whoami::end::handle));
    Router::new().nest("/resources", resources.merge(attachments)).nest("/services", services)
}
