//! `POST /v2/services/order_links`: mails the links of the orders that were made with an address. The answer is the same if
//! there are none, and takes as long.

use axum::extract::State;
use kassa_engine::metrics::Limit;

use crate::app::AppState;
use crate::error::ApiError;
use crate::input::{EmailText, Input, Json, LineText, Problems, fields, required_value, requires};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{Access, RateLimit, Route};
use crate::wire::EmptyBody;

fields! {
    /// Who has lost the links of its orders.
    pub(crate) struct OrderLinksInput {
        /// The e-mail address that the orders were made with.
        email: Input<EmailText>,
        /// The language of the mail, such as `en`; up to 8 characters.
        lang: Input<LineText<8>>,
    }
}

requires! {
    /// Who has lost the links of its orders, at least its address.
    pub(crate) struct OrderLinks: OrderLinksInput { email }
}

pub(crate) static ROUTE: Route = Route::new().access(Access::Checked).rate_limit(RateLimit::OrderLinks);

#[utoipa::path(
    post, path = "/order_links", tag = "Orders", operation_id = "request_order_links",
    summary = "Send me my tickets again",
    description = "Mails the address the links of the orders that were made with it in open shops, and that are reserved, \
                   awaiting payment or paid: the newest 50. The response is the same if there are none.",
    security((), ("key" = []), ("cookie" = [])),
    request_body(content = OrderLinks, example = json!({"email": "ann@example.org", "lang": "en"})),
    responses((status = 200, description = "An empty object.", body = EmptyBody), error_responses::ResetErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    Json(body): Json<OrderLinksInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let email = body.email.required("email", &mut problems);
    let lang = body.lang.optional("lang", &mut problems);
    problems.finish()?;
    let EmailText(email) = required_value(email)?;
    let acquired = app.rate_limiters.order_links_of_email.try_acquire(&email, app.engine.now());
    acquired.inspect_err(|_| app.engine.limit_hits().record(Limit::OrderLinks))?;
    app.engine.request_order_links(email, lang.map(|text| text.0)).await?;
    Ok(ApiResponse::removed())
}
