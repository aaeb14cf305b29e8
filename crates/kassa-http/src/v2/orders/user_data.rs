//! `PUT /v2/services/orders/{vendor}/user_data`: who comes with the tickets of an order, as a vendor's own
//! system knows them. It is for the vendors that the server is set up for.

use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use kassa_domain::order::{Order, SetVisitors, Visiting};
use kassa_domain::ticket::{Ticket, TicketId};
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::{ApiError, Detail};
use crate::input::{FromJson, Input, Json, List, PathText, Problems, Text, fields, must, object, requires};
use crate::openapi::params::{in_path, parameters};
use crate::openapi::{errors, schema};
use crate::wire::Ref;

/// The most visitors of one request: an order has no more tickets.
const VISITORS_MAX: usize = 100;

fields! {
    /// Who comes with the tickets of an order.
    pub(crate) struct UserDataInput {
        order: Input<Ref<Order>>,
        /// In place of all that was said before.
        user_data: Input<List<VisitorInput, VISITORS_MAX>>,
    }
}

requires! {
    /// Who comes with the tickets of an order: all of it.
    pub(crate) struct UserData: UserDataInput { order, user_data }
}

fields! {
    struct VisitorFields {
        /// One of the order's; those who name none get its others, in turn.
        ticket_id: Input<Ref<Ticket>>,
        user_id: Input<Text>,
        name: Input<Text>,
        surname: Input<Text>,
        middle_name: Input<Text>,
    }
}

requires! {
    struct NewVisitor: VisitorFields { user_id, name, surname }
}

struct VisitorInput(Option<TicketId>, Visiting);

impl FromJson for VisitorInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let fields: VisitorFields = object(json)?;
        let mut problems = Problems::default();
        let ticket = fields.ticket_id.optional("ticket_id", &mut problems).map(|id| id.0);
        let mut text = |name: &str, field: Input<Text>| {
            field.required(name, &mut problems).map_or_else(String::new, |text| text.0)
        };
        let (user_id, name, surname) =
            (text("user_id", fields.user_id), text("name", fields.name), text("surname", fields.surname));
        let middle_name = fields.middle_name.optional("middle_name", &mut problems).map(|text| text.0);
        problems.settle(Self(ticket, Visiting { user_id, name, surname, middle_name }))
    }

    fn form() -> RefOr<Schema> {
        NewVisitor::schema()
    }
}

/// A vendor that the server is set up for; another one is a path that is not there.
pub(crate) struct Vendor;

impl FromRequestParts<App> for Vendor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let PathText(name) = PathText::<0>::from_request_parts(parts, app).await?;
        let is_known = app.config.user_data_vendors.contains(&name);
        if is_known { Ok(Self) } else { Err(ApiError::not_found("vendor")) }
    }
}

parameters! {
    pub(crate) struct VendorName: in_path("vendor", schema::text(), "The name of a vendor that the server is set up for.")
}

#[utoipa::path(
    put, path = "/orders/{vendor}/user_data", tag = "Orders", operation_id = "set_user_data",
    summary = "Say who comes with the tickets of an order",
    description = "Before its payment begins. It is shown with the tickets of the order.",
    params(VendorName), request_body = UserData,
    responses(
        (
            status = 202, description = "It is kept.", body = String, content_type = "text/html",
            example = ""
        ),
        errors::Change,
    ),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    _: Vendor,
    Json(body): Json<UserDataInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let order = body.order.required("order", &mut problems);
    let visitors = body.user_data.required("user_data", &mut problems);
    problems.finish()?;
    let visitors = must(visitors)?.0.into_iter().map(|VisitorInput(ticket, visitor)| (ticket, visitor)).collect();
    let command = SetVisitors { order: must(order)?.0, visitors };
    Ok(app.engine.execute(&actor, command, |_, ()| Answer::empty(StatusCode::ACCEPTED)).await?)
}
