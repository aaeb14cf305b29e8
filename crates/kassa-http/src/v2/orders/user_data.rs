//! `PUT /v2/services/orders/{vendor}/user_data`: who comes with the tickets of an order, as a vendor's own
//! system knows them. It is for the vendors that the server is set up for.

use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use kassa_domain::order::{Order, SetVisitors, VisitorDetails};
use kassa_domain::ticket::{Ticket, TicketId};
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::{ApiError, ErrorDetail};
use crate::input::{
    FromJson, Input, Json, LineText, List, PathText, Problems, fields, parse_object, required_value, requires,
};
use crate::openapi::params::{parameters, path_parameter};
use crate::openapi::{error_responses, schema};
use crate::response::ApiResponse;
use crate::route::{EventSource, Route};
use crate::wire::IdRef;

/// The most visitors of one request: an order has no more tickets.
const VISITORS_MAX: usize = 100;

fields! {
    /// Who comes with the tickets of an order.
    pub(crate) struct UserDataInput {
        /// The id of the order.
        order: Input<IdRef<Order>>,
        /// All visitors of the order: they replace those that were sent before.
        user_data: Input<List<VisitorInput, VISITORS_MAX>>,
    }
}

requires! {
    /// Who comes with the tickets of an order: all of it.
    pub(crate) struct UserData: UserDataInput { order, user_data }
}

fields! {
    struct VisitorFields {
        /// A ticket of the order. Visitors without one get the remaining tickets in turn.
        ticket_id: Input<IdRef<Ticket>>,
        /// The visitor's id in the vendor's own system; up to 255 characters.
        user_id: Input<LineText>,
        /// The first name; up to 255 characters.
        name: Input<LineText>,
        /// The last name; up to 255 characters.
        surname: Input<LineText>,
        /// The middle name or patronymic; up to 255 characters.
        middle_name: Input<LineText>,
    }
}

requires! {
    struct NewVisitor: VisitorFields { user_id, name, surname }
}

struct VisitorInput(Option<TicketId>, VisitorDetails);

impl FromJson for VisitorInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: VisitorFields = parse_object(json)?;
        let mut problems = Problems::default();
        let ticket = fields.ticket_id.optional("ticket_id", &mut problems).map(|id| id.0);
        let mut text = |name: &str, field: Input<LineText>| {
            field.required(name, &mut problems).map_or_else(String::new, |text| text.0)
        };
        let (user_id, name, surname) =
            (text("user_id", fields.user_id), text("name", fields.name), text("surname", fields.surname));
        let middle_name = fields.middle_name.optional("middle_name", &mut problems).map(|text| text.0);
        problems.into_result(Self(ticket, VisitorDetails { user_id, name, surname, middle_name }))
    }

    fn json_schema() -> RefOr<Schema> {
        NewVisitor::schema()
    }
}

/// A vendor that the server is set up for; another one is a path that is not there.
pub(crate) struct ConfiguredVendor;

impl FromRequestParts<AppState> for ConfiguredVendor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let PathText(name) = PathText::<0>::from_request_parts(parts, app).await?;
        let is_known = app.config.user_data_vendors.contains(&name);
        if is_known { Ok(Self) } else { Err(ApiError::not_found("vendor")) }
    }
}

parameters! {
    pub(crate) struct VendorPathParameter:
        path_parameter(
            "vendor", schema::text(),
            "The name of a vendor that the operator has enabled.",
        )
}

pub(crate) static ROUTE: Route = Route::new().event(EventSource::Body);

#[utoipa::path(
    put, path = "/orders/{vendor}/user_data", tag = "Orders", operation_id = "set_user_data",
    summary = "Set the visitors of an order",
    description = "Only before payment begins. They are shown with the tickets of the order.",
    params(VendorPathParameter), request_body = UserData,
    responses(
        (
            status = 202, description = "It is kept.", body = String, content_type = "text/html",
            example = ""
        ),
        error_responses::ChangeErrors,
    ),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    _: ConfiguredVendor,
    Json(body): Json<UserDataInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let order = body.order.required("order", &mut problems);
    let visitors = body.user_data.required("user_data", &mut problems);
    problems.finish()?;
    let visitors =
        required_value(visitors)?.0.into_iter().map(|VisitorInput(ticket, visitor)| (ticket, visitor)).collect();
    let command = SetVisitors { order: required_value(order)?.0, visitors };
    Ok(app.engine.execute(&actor, command, |_, ()| ApiResponse::empty(StatusCode::ACCEPTED)).await?)
}
