//! `GET /v1/resources/partners/{partner}/api_keys`, newest first.

use axum::extract::State;
use kassa_domain::key::ApiKey;
use kassa_domain::partner::Partner;
use kassa_domain::permission;
use kassa_store::queries::KeysFilter;

use super::model::KeyBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::errors;
use crate::openapi::params::{Page, flag, ids, parameters};

parameters! {
    pub(crate) struct Filters: ids(), flag("removed", "Whether removed ones are shown, too.")
}

#[utoipa::path(
    get, path = "/partners/{partner}/api_keys", tag = "API keys", operation_id = "list_api_keys",
    summary = "List the API keys of a partner", description = "Newest first.",
    params(Filters, Page),
    responses((status = 200, description = "Keys.", body = [KeyBody]), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(partner): PathId<Partner>,
    query: Query,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let ids = query.ids("ids", &mut problems);
    let removed = query.flag("removed", &mut problems);
    let slice = query.slice(&mut problems);
    permission::keys_of(&actor, partner)?;
    problems.finish()?;
    let page = app.engine.page(KeysFilter { partner, ids, removed }, slice).await?;
    let shown = |key: &ApiKey| app.engine.token_of(key).map(|token| KeyBody::new(key, &token));
    let keys: Vec<KeyBody> = page.rows.iter().map(shown).collect::<Result<_, _>>()?;
    Ok(Answer::list(&keys, page.total))
}
